"""An assignment's own Python modules: its graders and its reference, imported from its folder."""

from __future__ import annotations

import hashlib
import importlib
import sys
from pathlib import Path
from types import ModuleType


def course_module(folder: Path, name: str) -> ModuleType:
    """Return the module `<folder>/<name>.py`.

    It may import its neighbours (`from . import reference`) and what assignments share (`from .._shared import …`). Courses
    in different folders never meet, though their modules have the same names.

    Args:
        folder: the assignment's folder, e.g. `solutions/04-masks`.
        name: the module's name, e.g. `graders`.

    Raises:
        ModuleNotFoundError: there is no such module.
    """
    return importlib.import_module(f"{_package(folder.resolve().parent)}.{folder.name}.{name}")


def _package(solutions: Path) -> str:
    """Return the name of a package that holds the modules of all assignments of one course."""
    name = f"course_{hashlib.sha256(str(solutions).encode()).hexdigest()[:12]}"
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(solutions)]
        sys.modules[name] = package
    return name
