"""What notebooks 01 to 04 offer to try without points: a right answer passes its folded examination, and each likely slip fails it."""

from __future__ import annotations

import re
import types
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from autograder.sources.notebooks import NotebookSource, read_source

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parent.parent

ROTATE = """
def _rotate(x):
    return np.stack([np.asarray(shift_matrix(p, x.shape[-1])) @ row for p, row in enumerate(x)])
"""
SUCCESSOR = """
def _successor_projection():
    return 12 * np.roll(np.eye(5), 1, axis=1)
"""
GRADIENT = """
def _gradient_of_scores(weights, value, gradient):
    g = gradient @ value.T
    return weights * (g - (g * weights).sum(axis=-1, keepdims=True))
"""
TWO_HEADS = """
def _set_two_heads(layer):
    one, none = np.eye(6), np.zeros((6, 6))
    query = 20 * np.block([[np.eye(6, k=-1), np.eye(6, k=1)], [none, none]])
    key, value = np.block([[one, one], [none, none]]), np.block([[none, none], [one, one]])
    for name, kernel in {"query": query, "key": key, "value": value, "output": np.eye(12)}.items():
        getattr(layer, f"{name}_dense").set_weights([kernel, np.zeros(12)])
"""
PACKED = """
def _packed_mask(sentence_numbers):
    numbers = np.asarray(sentence_numbers)
    is_other = numbers[:, None, :, None] != numbers[:, None, None, :]
    return np.maximum(is_other, to_numpy(create_decoder_mask(numbers))).astype("float32")
"""
# assignment, what the student writes: a right answer, and edits that make it wrong
STARS = {
    "rotate": ("01-positional-encoding", ROTATE, [("enumerate(x)", "[(0, row) for row in x]"), ("(p, ", "(2, ")]),
    "successor": (
        "02-attention",
        SUCCESSOR,
        [("12 *", "5 *"), ("eye(5), 1", "eye(5), -1"), ("eye(5), 1", "eye(5), 0")],
    ),
    "gradient": (
        "02-attention",
        GRADIENT,
        [
            ("(g - (g * weights).sum(axis=-1, keepdims=True))", "g"),
            ("axis=-1", "axis=0"),
            ("gradient @ value.T", "weights"),
        ],
    ),
    "two-heads": (
        "03-multi-head-attention",
        TWO_HEADS,
        [("20 *", "1 *"), ("k=-1", "k=1"), ("[one, one]])", "[one, none]])"), ("key, value =", "value, key =")],
    ),
    "packed": (
        "04-masks",
        PACKED,
        [
            ("is_other, ", "0, "),
            ("create_decoder_mask(numbers)", "create_padding_mask(numbers)"),
            ('.astype("float32")', " == 1"),
        ],
    ),
}


@cache
def source_of(assignment: str) -> NotebookSource:
    return read_source(ROOT / "solutions" / assignment / "notebook.py")


@pytest.fixture(scope="module")
def solved() -> dict[str, dict[str, Any]]:
    """Assignment -> the names of its solved notebook, filled as they are asked for."""
    return {}


def names_of(assignment: str, solved: dict[str, dict[str, Any]]) -> dict[str, Any]:
    if assignment not in solved:
        names = types.ModuleType("notebook").__dict__
        for cell in source_of(assignment).cells:
            if cell.role in ("locked", "carry-over", "task"):
                exec(compile(cell.texts["en"], f"<{assignment} {cell.id}>", "exec"), names)
        names["plt"].switch_backend("Agg")
        solved[assignment] = names
    return solved[assignment]


def examined(assignment: str, answer: str, solved: dict[str, dict[str, Any]]) -> list[str]:
    """Return what the folded cell behind the place of an answer prints: a line for each thing that it looks at."""
    name = re.search(r"^(?:def|class) (\w+)", answer.strip()).group()  # type: ignore[union-attr]
    cells = list(source_of(assignment).cells)
    place = next(
        i for i, cell in enumerate(cells) if cell.role == "free" and re.search(rf"^{name}\b", cell.texts["en"], re.M)
    )
    examination = next(cell for cell in cells[place:] if cell.role == "free" and cell.folded)
    names = names_of(assignment, solved)
    exec(answer, names)
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(examination.texts["en"], f"<{assignment} {examination.id}>", "exec"), names)
    names["plt"].close("all")
    return printed.getvalue().splitlines()


@pytest.mark.parametrize("star", STARS)
def test_a_right_answer_passes(star: str, solved: dict[str, dict[str, Any]]) -> None:
    assignment, answer, _ = STARS[star]
    lines = examined(assignment, answer, solved)
    assert lines and [line for line in lines if not line.startswith("✓")] == []


@pytest.mark.parametrize(
    ("star", "old", "new"), [(star, *edit) for star, (_, _, edits) in STARS.items() for edit in edits]
)
def test_a_slip_is_seen(star: str, old: str, new: str, solved: dict[str, dict[str, Any]]) -> None:
    assignment, answer, _ = STARS[star]
    assert answer.count(old) == 1
    assert any(line.startswith("✗") for line in examined(assignment, answer.replace(old, new), solved))


def test_rows_that_something_is_added_to_are_not_said_to_turn(solved: dict[str, dict[str, Any]]) -> None:
    answer = "def _rotate(x):\n    return x + positional_encoding(*x.shape)\n"
    lines = examined("01-positional-encoding", answer, solved)
    assert "✓ the others change" in lines and not [line for line in lines if line.startswith("✓") and "turn" in line]


def test_the_weight_on_the_successor_is_what_counts(solved: dict[str, dict[str, Any]]) -> None:
    answer = SUCCESSOR.replace("eye(5), 1", "eye(5), 0")
    lines = examined("02-attention", answer, solved)
    assert len(lines) == 2 and all(line.startswith("✗") for line in lines), lines


@pytest.mark.parametrize("star", STARS)
def test_what_is_not_written_yet_is_waited_for(star: str, solved: dict[str, dict[str, Any]]) -> None:
    assignment, answer, _ = STARS[star]
    stub = answer.strip().split("\n")[0] + "\n    raise NotImplementedError()\n"
    (line,) = examined(assignment, stub, solved)
    assert "when the answers that it uses are written" in line
