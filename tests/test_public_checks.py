"""A public check refuses no right answer, in whatever style it is written."""

from __future__ import annotations

import contextlib
import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from parts import LONG, is_todays
from running import run_cell

from autograder.kernels import quick_keras
from autograder.sources.catalogue import Alternative, read_alternatives
from autograder.sources.notebooks import read_source

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parent.parent
ASSIGNMENTS = [
    *("01-positional-encoding", "02-attention", "03-multi-head-attention", "04-masks"),
    *("05-encoder-decoder-blocks", "06-transformer", "07-training"),
    *("08-debugging-clinic", "09-bert-and-gpt", "10-modern-transformer"),
]
BACKEND = "tensorflow"
# A hidden grader looks for what a layer computes wherever its weights are; a public check also holds to the names and types of the
# docstring. (assignment, alternative) -> task -> what the check says of an alternative that earns everything and does otherwise
_CONFIG, _LIST, _DENSE = (
    "write one that returns a dictionary",
    "should return a list of ints",
    "there should be a Dense layer",
)
_KERNELS, _ROTARY, _NORM = (
    "there should be two kernels",
    "bfloat16 goes in, and float",
    "a float16 layer should give float16",
)
STRICTER: dict[tuple[str, str], dict[str, str]] = {
    ("07-training", "keras-ops"): {"warmup-schedule": _CONFIG},
    ("07-training", "metrics-and-arrays-of-tensors"): {"warmup-schedule": _CONFIG},
    ("07-training", "numpy"): {"warmup-schedule": _CONFIG},
    ("07-training", "one-hot"): {"warmup-schedule": _CONFIG},
    ("07-training", "row-by-row"): {
        "warmup-schedule": _CONFIG,
        "greedy-decode": "the model of this check is a function without `predict`",
    },
    ("07-training", "tensorflow"): {"warmup-schedule": _CONFIG},
    ("09-bert-and-gpt", "like-the-originals"): {"encoder-only": "Keep the names and the order of the arguments"},
    ("10-modern-transformer", "complex-and-fused"): {
        "rotary": _ROTARY,
        "rms-norm": _NORM,
        "swiglu": _KERNELS,
        "grouped-attention": _DENSE,
    },
    ("10-modern-transformer", "keras-ops"): {
        "bpe-encode": _LIST,
        "rms-norm": _NORM,
        "swiglu": _DENSE,
        "grouped-attention": _DENSE,
    },
    ("10-modern-transformer", "loops"): {
        "bpe-encode": _LIST,
        "rotary": _ROTARY,
        "rms-norm": _NORM,
        "grouped-attention": _DENSE,
    },
    ("10-modern-transformer", "plain"): {
        "rotary": _ROTARY,
        "grouped-attention": "A gradient passes neither through NumPy",
    },
    ("10-modern-transformer", "tensorflow"): {"rotary": _ROTARY, "swiglu": _KERNELS, "grouped-attention": _DENSE},
    ("10-modern-transformer", "turned-kernels"): {"swiglu": _KERNELS, "grouped-attention": _DENSE},
    ("10-modern-transformer", "two-passes"): {"rotary": _ROTARY, "rms-norm": _NORM},
    ("10-modern-transformer", "while-loop"): {"swiglu": _KERNELS, "grouped-attention": _DENSE},
}


def alternatives() -> Iterator[Any]:
    """Yield each alternative with whether Keras is made quicker, which takes a third of the time.

    `.ci/run` takes a third of those of the long notebooks each day, and leaves Keras as it is for a fifteenth of all.
    """
    number = 0
    for assignment in ASSIGNMENTS:
        for alternative in read_alternatives(ROOT / "solutions" / assignment):
            if not alternative.backends or BACKEND in alternative.backends:
                number += 1
                if not assignment.startswith(LONG) or is_todays(number, 3):
                    is_quick = not is_todays(number, 15)
                    yield pytest.param(assignment, alternative, is_quick, id=f"{assignment}-{alternative.id}")


@pytest.mark.filterwarnings("ignore")  # of styles that overflow, or that drop Keras's own masks, on purpose
@pytest.mark.usefixtures("_quick_keras_installed")
@pytest.mark.parametrize(("assignment", "alternative", "is_quick"), list(alternatives()))
def test_an_alternative_passes_the_public_checks_of_its_tasks(
    assignment: str, alternative: Alternative, is_quick: bool
) -> None:
    with quick_keras.quick() if is_quick else contextlib.nullcontext():
        _pass(assignment, alternative)


def _pass(assignment: str, alternative: Alternative) -> None:
    names = types.ModuleType("notebook").__dict__
    source = read_source(ROOT / "solutions" / assignment / "notebook.py")
    stricter = STRICTER.get((assignment, alternative.id), {})
    passed: list[str] = []
    for cell in source.cells:
        own = alternative.cells.get(cell.slug or "carry-over") if cell.role in ("task", "carry-over") else None
        if cell.role == "grade" and cell.slug in stricter:
            with pytest.raises(names["CheckFailed"], match=re.escape(stricter[cell.slug])):
                run_cell(cell.texts["en"], names)
        elif cell.role == "grade" and cell.slug in alternative.cells and cell.slug not in source.costly:
            run_cell(cell.texts["en"], names)
            passed.append(cell.slug)
        elif (
            own or cell.role in ("locked", "carry-over") or (cell.role == "task" and cell.slug not in alternative.cells)
        ):
            # the solution's other tasks may use what only its own cells define
            with contextlib.suppress(NameError) if not own and cell.role == "task" else contextlib.nullcontext():
                run_cell(own or cell.texts["en"], names)
            names["plt"].switch_backend("Agg")
    assert set(passed) == alternative.cells.keys() - {"carry-over"} - stricter.keys() - set(source.costly)
