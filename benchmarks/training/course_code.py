"""The course's own classes and functions, taken from the sources of the notebooks as a student carries them along.

Nothing but Keras and NumPy is needed, so that it runs on an accelerator's machine without the rest of the project.
"""

from __future__ import annotations

import ast
import itertools
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
_NUMBERS = itertools.count()


def definitions(*notebooks: str, before: dict[str, Any] | None = None) -> SimpleNamespace:
    """Return what notebooks define at top level, executed in one namespace, a later notebook's work over an earlier one's.

    Args:
        notebooks: folders of `solutions`, with names to take: `"05-encoder-decoder-blocks: EncoderBlock DecoderBlock"`.
        before: names that are there already and are not overwritten.

    Raises:
        ValueError: a notebook doesn't define a name.
    """
    import keras
    import numpy as np

    given = before or {}
    module = ModuleType(f"course_{next(_NUMBERS)}")
    sys.modules[module.__name__] = module  # `torch.compile` looks the code's names up there
    namespace = vars(module)
    namespace |= {"keras": keras, "np": np, "ops": keras.ops, "to_numpy": keras.ops.convert_to_numpy, **given}
    for notebook in notebooks:
        folder, _, names = notebook.partition(": ")
        wanted = names.split()
        path = SOLUTIONS / folder / "notebook.py"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        missing = [name for name in wanted if name not in found]
        if missing:
            raise ValueError(f"{path.name} must define what is taken from it. Received: names without one={missing}.")
        chosen = ast.Module([found[name] for name in wanted if name not in given], [])
        exec(compile(chosen, str(path), "exec"), namespace)
    return SimpleNamespace(**namespace)
