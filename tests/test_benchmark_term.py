"""The benchmark of a term: a grading that fails costs its own assignment alone."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from benchmarks import term
from benchmarks.measuring import BenchmarkError


def test_what_is_measured_is_told_though_a_grading_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["01-positional-encoding", "02-attention", "04-masks"]

    def measured(course: Any, name: str, students: int, turns: int, of_stock: int) -> term.Assignment:
        if name == names[1]:
            raise BenchmarkError("nbgrader ended with exit status 1")
        grader = term.Grader([1.0], [2.0], [3.0], [0.0])
        return term.Assignment(name, students, grader, term.Grader([1.0], [20.0], [30.0], [0.0]))

    monkeypatch.setattr(term, "assignment_of", measured)
    monkeypatch.setattr(sys, "argv", ["term", *(word for name in names for word in ("--assignment", name))])
    with pytest.raises(SystemExit, match="02-attention was not measured: nbgrader ended with exit status 1"):
        term.main()
    last = capsys.readouterr().out.rpartition("class of 32")[2]
    assert "`01-positional-encoding`" in last and "`04-masks`" in last and "| both graded |" in last
