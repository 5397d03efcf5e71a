"""Which commands of nbgrader will grade, so that what grading needs may start at once."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from autograder.gradebook.configuration import will_grade
from autograder.sources.course import Course

PYTHON, SCRIPT = "/env/bin/python", "/env/bin/nbgrader"


@pytest.fixture
def handed_in(course: Course, tmp_path: Path) -> Course:
    """A course in which one student's 01 is graded, another's isn't, and nobody handed in anything else but 02, which is graded."""
    (tmp_path / "solutions").symlink_to(course.root / "solutions")
    for folder in ("submitted/ann", "submitted/bob", "autograded/ann"):
        (tmp_path / folder / "01-positional-encoding").mkdir(parents=True)
    for folder in ("submitted/ann", "autograded/ann"):
        (tmp_path / folder / "02-attention").mkdir()
    return dataclasses.replace(course, root=tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        [PYTHON, SCRIPT, "autograde", "01-positional-encoding"],
        [PYTHON, "-m", "nbgrader", "autograde", "01-positional-encoding", "--student", "bob"],
        [PYTHON, SCRIPT, "autograde", "02-attention", "--force"],
    ],
)
def test_what_nobody_has_graded_will_be(handed_in: Course, command: list[str]) -> None:
    assert will_grade(handed_in, command)


@pytest.mark.parametrize(
    "command",
    [
        [PYTHON, SCRIPT, "autograde", "02-attention"],
        [PYTHON, SCRIPT, "autograde", "03-multi-head-attention", "--force"],
        [PYTHON, SCRIPT, "autograde", "no-such-assignment"],
        [PYTHON, SCRIPT, "autograde"],
        [PYTHON, SCRIPT, "generate_feedback", "01-positional-encoding"],
        [PYTHON, SCRIPT],
        [PYTHON, "/env/bin/jupyter-lab", "autograde", "01-positional-encoding"],
        [],
    ],
)
def test_other_commands_will_not(handed_in: Course, command: list[str]) -> None:
    assert not will_grade(handed_in, command)
