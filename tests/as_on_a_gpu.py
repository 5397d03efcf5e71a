"""Run every cell of notebooks with PyTorch's tensors as they are on a GPU: only Keras's `convert_to_numpy` makes arrays of them.

`python tests/as_on_a_gpu.py 02 02/keras-ops …` takes numbers of notebooks, with the solution's answers or an alternative's, and
ends with the first error. On a GPU, `numpy.asarray(tensor)`, `tensor.numpy()` and a tensor times an array raise a TypeError.
"""

import io
import os
import sys
import types
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import torch
from running import run_cell

from autograder.sources.catalogue import read_alternatives
from autograder.sources.notebooks import read_source

ROOT = Path(__file__).parent.parent
_numpy = torch.Tensor.numpy


def _read(tensor: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
    if not sys._getframe(1).f_code.co_filename.endswith("keras/src/backend/torch/core.py"):
        raise TypeError(
            "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
        )
    return _numpy(tensor).copy()


def run(number: str, alternative: str) -> None:
    """Run the cells of a notebook in order.

    Args:
        number: number of a notebook, such as "02".
        alternative: name of the right alternative whose answers are run, such as "keras-ops"; "" for the solution's.
    """
    import matplotlib.pyplot as plt

    folder = next((ROOT / "solutions").glob(f"{number}-*"))
    answers = {one.id: one.cells for one in read_alternatives(folder)}[alternative] if alternative else {}
    names = types.ModuleType("notebook").__dict__
    for cell in read_source(folder / "notebook.py").cells:
        if cell.role == "prose":
            continue
        code = answers.get(cell.slug, cell.texts["en"]) if cell.role == "task" else cell.texts["en"]
        with redirect_stdout(io.StringIO()):
            run_cell(code, names)
        plt.close("all")


if __name__ == "__main__":
    os.environ |= {"KERAS_BACKEND": "torch", "NBGRADER_EXECUTION": "validate", "MPLBACKEND": "agg"}  # no trainings
    for name in ("__array__", "numpy"):
        setattr(torch.Tensor, name, _read)
    for notebook in sys.argv[1:]:
        run(notebook[:2], notebook[3:])
