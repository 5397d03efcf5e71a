"""A public check refuses no right answer, in whatever style it is written."""

from __future__ import annotations

import linecache
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

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


def run(code: str, names: dict[str, Any]) -> None:
    """Execute a cell so that its lines can be looked up, as the checks do to explain an error."""
    name = f"<cell {len(linecache.cache)}>"
    linecache.cache[name] = (len(code), None, [line + "\n" for line in code.split("\n")], name)
    exec(compile(code, name, "exec"), names)


def alternatives() -> Iterator[Any]:
    for assignment in ASSIGNMENTS:
        for alternative in read_alternatives(ROOT / "solutions" / assignment):
            if not alternative.backends or BACKEND in alternative.backends:
                yield pytest.param(assignment, alternative, id=f"{assignment}-{alternative.id}")


@pytest.mark.filterwarnings("ignore")  # of styles that overflow, or that drop Keras's own masks, on purpose
@pytest.mark.parametrize(("assignment", "alternative"), list(alternatives()))
def test_an_alternative_passes_the_public_checks_of_its_tasks(assignment: str, alternative: Alternative) -> None:
    names = types.ModuleType("notebook").__dict__
    passed: list[str] = []
    for cell in read_source(ROOT / "solutions" / assignment / "notebook.py").cells:
        own = alternative.cells.get(cell.slug or "carry-over") if cell.role in ("task", "carry-over") else None
        if cell.role in ("locked", "task", "carry-over"):
            run(own or cell.texts["en"], names)
            names["plt"].switch_backend("Agg")
        elif cell.role == "grade" and cell.slug in alternative.cells:
            run(cell.texts["en"], names)
            passed.append(cell.slug)
    assert set(passed) == alternative.cells.keys() - {"carry-over"}
