"""Folders in `submitted/` whose names no student id can be: left out and told, and everybody else is graded."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.gradebook.scores import scores
from autograder.report.class_report import class_report, report_html
from autograder.sources.course import Course
from benchmarks import cheap
from benchmarks.starter import Starter

pytestmark = pytest.mark.course

# Between each other in nbgrader's order; the third is odd, but no pattern, formula or line of a log takes it for more.
HONEST = ["a-honest", "m-honest", "o'brien %s {0} {student_id} $HOME (x|.+) a,b;#~]", "z-honest"]
ODD = {
    "newline": "b\nline",
    "escape": "c\x1b[2J\x1b]0;title\x07",
    "c1": "c\x9b2J",
    "line-separator": "d\u2028line",
    "turned-around": "e\u202etseno",
    "invisible": "a-honest\u200b",
    "half-a-character": "f\udcff",
    "pattern": "*",
    "brackets": "[a]-honest",
    "backslash": "g\\h",
    "long": "l" * 129,
}


@dataclass(frozen=True)
class Graded:
    course: Course
    status: int | None
    said: str


@pytest.fixture(scope="module")
def course_of_all(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    made = cheap.make_cheap_course(course, tmp_path_factory.mktemp("names") / "course")
    cheap.hand_in(made, [*HONEST, *ODD.values()])
    return made


def run(starter: Starter, course: Course, *arguments: str) -> Graded:
    log = course.root / "log"
    log.unlink(missing_ok=True)
    command = starter.start(["autograde", cheap.ASSIGNMENT, *arguments], course.root, cheap.course_environment(), log)
    return Graded(course, command.wait(300), log.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def graded(course_of_all: Course, nbgrader_starter: Starter) -> Graded:
    return run(nbgrader_starter, course_of_all)


def test_everybody_else_is_graded(graded: Graded) -> None:
    points = {row.student: row.points for row in scores(graded.course, cheap.ASSIGNMENT)}
    assert points == cheap.expected(graded.course, HONEST)
    assert "Traceback" not in graded.said and "--- Logging error ---" not in graded.said


def test_the_run_says_that_something_needs_a_look(graded: Graded) -> None:
    assert graded.status == 1
    summary = next(line for line in graded.said.splitlines() if "Summary: " in line)
    assert f"graded {len(HONEST)}, refused (0 points) 0, ungraded 0, left out {len(ODD)} (" in summary
    assert r"b\nline: it has the character U+000A" in summary
    assert f"{'l' * 129}: it has 129 characters, of at most 128" in summary


def test_what_is_printed_steers_no_terminal(graded: Graded) -> None:
    odd = [c for c in graded.said if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c != "\n"]
    assert odd == []
    assert r"c\x1b[2J\x1b]0;title\x07: left out" in graded.said


def test_the_next_run_says_so_again_and_changes_nothing(graded: Graded, nbgrader_starter: Starter) -> None:
    again = run(nbgrader_starter, graded.course)
    assert again.status == 1 and f"left out {len(ODD)} (" in again.said and "graded 0, " in again.said


def test_the_report_shows_them_as_they_can_be_printed(graded: Graded) -> None:
    points = {row.student: row.points for row in scores(graded.course, cheap.ASSIGNMENT)}
    report = class_report(graded.course, cheap.ASSIGNMENT, points)
    waiting = [entry.student for entry in report.of("waiting")]
    assert len(waiting) == len(ODD) and r"b\nline" in waiting and r"f\udcff" in waiting
    report_html(report, "en").encode()


def test_a_gradebook_that_was_deleted_is_told_once_and_nothing_is_changed(
    graded: Graded, nbgrader_starter: Starter
) -> None:
    """Last: it takes the gradebook away."""
    before = listed(graded.course.root / "autograded")
    (graded.course.root / "gradebook.db").unlink()
    for arguments in ([], ["--force"]):
        done = run(nbgrader_starter, graded.course, *arguments)
        assert done.status == 1
        assert (
            done.said.count("The gradebook must have the notebook of 01-positional-encoding. Received: sqlite://") == 1
        )
        assert "Run `autograder build 01-positional-encoding`" in done.said and "Traceback" not in done.said
        assert listed(graded.course.root / "autograded") == before


def listed(folder: Path) -> list[str]:
    return sorted(os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names)
