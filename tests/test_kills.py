"""What a killed run leaves behind, and that the next one makes it good. `benchmarks/kills.py` kills more often."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.gradebook.class_run import _what_it_lacks
from autograder.gradebook.scores import scores
from autograder.sources.course import Course
from autograder.sources.notebooks import NOTEBOOK_KEY
from benchmarks import cheap, kills
from benchmarks.starter import Starter

KILLS = 5
SEED = 4


@pytest.fixture(scope="module")
def siege(course: Course, tmp_path_factory: pytest.TempPathFactory, nbgrader_starter: Starter) -> Iterator[kills.Siege]:
    folder = tmp_path_factory.mktemp("siege")
    yield kills.Siege(course, folder, nbgrader_starter, random.Random(SEED))


@pytest.mark.course
def test_kills_at_random_moments_lose_nothing_and_change_nothing(siege: kills.Siege) -> None:
    done = siege.kills(KILLS, kills.VICTIMS[:2])
    assert [kill for kill in done if kill.wrong] == []
    assert any(kill.status is None and kill.before < len(kills.STUDENTS) for kill in done)


@pytest.mark.course
def test_a_siege_sees_what_is_lost_half_written_or_changed(siege: kills.Siege) -> None:
    siege._fresh()
    siege._finish()
    right = siege._points()
    assert siege._compared(right, is_over=True) == []
    notebook = siege._course.root / "autograded" / "s03" / cheap.ASSIGNMENT / "positional_encoding.ipynb"
    notebook.unlink()
    siege._right = {**siege._right, "s01": dict.fromkeys(siege._right["s01"], 1.0)}
    assert siege._compared({**right, "s02": {"angle-rates": 9.0}}, is_over=True) == [
        *("otherwise s01", "no notebook s01", "changed s02", "no notebook s03")
    ]
    siege._right = cheap.expected(siege._course, kills.STUDENTS)
    siege._points = lambda: {**right, "s01": {**right["s01"], "angle-rates": None}}  # type: ignore[method-assign]
    assert siege._compared({}) == ["half s01"]
    del siege._points


@pytest.mark.course
def test_what_a_killed_run_left_is_graded_anew(siege: kills.Siege) -> None:
    """nbgrader takes a submission for graded as soon as its folder is there."""
    siege._fresh()
    course = siege._course
    for student, kind in zip(kills.STUDENTS, ("empty", "repaired", "cut-off"), strict=False):
        folder = course.root / "autograded" / student / cheap.ASSIGNMENT
        folder.mkdir(parents=True)
        submitted = course.root / "submitted" / student / cheap.ASSIGNMENT / "positional_encoding.ipynb"
        content = submitted.read_bytes()
        if kind != "empty":
            (folder / submitted.name).write_bytes(content if kind == "repaired" else content[:5000])
    siege._log.unlink(missing_ok=True)
    assert siege._command().wait(300) == 0
    said = siege._log.read_text()
    assert said.count("an earlier run ended in the middle of it: graded anew") == 3
    points = {row.student: row.points for row in scores(replace(course), cheap.ASSIGNMENT)}
    assert points == cheap.expected(course, kills.STUDENTS)
    assert "in the middle" not in _again(siege)


def _again(siege: kills.Siege) -> str:
    siege._log.unlink()
    assert siege._command().wait(300) == 0
    return siege._log.read_text()


@pytest.mark.parametrize(
    ("metadata", "lack"),
    [
        ({"result": {"tasks": {"angle-rates": {"points": 2.0}}}}, ""),
        ({"result": {"tasks": {"angle-rates": {"points": 2.0}, "invariance": {"points": None}}}}, "stayed ungraded"),
        ({"result": {}}, ""),
        ({}, "in the middle"),
        ("cut off", "in the middle"),
        ("missing", "in the middle"),
    ],
    ids=["graded", "ungraded", "of no task", "repaired", "cut off", "missing"],
)
def test_a_graded_notebook_is_told_from_an_unfinished_one(
    tmp_path: Path, metadata: dict[str, Any] | str, lack: str
) -> None:
    path = tmp_path / "notebook.ipynb"
    text = nbformat.writes(nbformat.v4.new_notebook(metadata={NOTEBOOK_KEY: metadata}))
    if metadata != "missing":
        path.write_text(text[:-20] if metadata == "cut off" else text)
    found = _what_it_lacks(path)
    assert lack in found and bool(lack) == bool(found)
