"""What a student's GPU does otherwise than a processor, as far as it can be held without one."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from parts import todays

from autograder.sources.notebooks import read_source

ROOT = Path(__file__).parent.parent
WHOSE_ANSWERS = [f"{number:02}" for number in range(1, 11)] + [
    "01/plain",
    "02/keras-ops",
    "04/keras-ops",
    "05/raw-weights",
    "08/keras-options",
]
SHOW_PRODUCT = """
import jax
print(jax.jit(lambda a, b: keras.ops.matmul(a, b)).lower(np.ones((2, 2), "float32"), np.ones((2, 2), "float32")).as_text())
print("override", os.environ["NVIDIA_TF32_OVERRIDE"])
"""


def _run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {
        name: value
        for name, value in os.environ.items()
        if name not in ("JAX_DEFAULT_MATMUL_PRECISION", "NVIDIA_TF32_OVERRIDE")
    }
    return subprocess.run([sys.executable, *command], env=env | environment, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("torch") is None, reason="torch isn't installed")
def test_no_cell_takes_a_tensor_for_an_array() -> None:
    done = _run("tests/as_on_a_gpu.py", *todays(WHOSE_ANSWERS, 3))
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("torch") is None, reason="torch isn't installed")
def test_a_check_says_why_an_answer_that_mixes_them_stops() -> None:
    """This alternative adds an array to a tensor, which works on a processor."""
    said = _run("tests/as_on_a_gpu.py", "01/keras-ops").stderr
    assert "in shift_matrix, the line" in said and "PyTorch's tensors lie on the GPU" in said, said[-3000:]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("jax") is None, reason="JAX isn't installed")
def test_products_are_computed_in_full_float32() -> None:
    """A GPU from 2020 on, or a TPU, would round the factors to 10 or 7 bits, and checks would refuse right answers."""
    setups = [
        next(cell.texts["en"] for cell in read_source(path).cells if cell.id == "setup")
        for path in sorted((ROOT / "solutions").glob("[0-9]*/notebook.py"))
    ]
    assert len(setups) == 10
    assert len({setup.partition("if ")[0] for setup in setups}) == 1  # each begins with the same settings
    done = _run("-c", setups[0] + SHOW_PRODUCT, KERAS_BACKEND="jax", MPLBACKEND="agg")
    said = done.stdout + done.stderr
    assert "precision = [HIGHEST, HIGHEST]" in said and "override 0" in said, said
