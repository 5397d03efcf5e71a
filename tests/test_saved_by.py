"""A release that Colab or VS Code saved is graded like one from JupyterLab."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from saved_by import PROGRAMS

from autograder.commands.demo import fill, to_bytes
from autograder.grading.runner import mistakes_of
from autograder.report.record import verdict_record
from autograder.sources.course import Course
from autograder.submissions.evaluation import grade_file
from autograder.submissions.notebook_file import parse_notebook
from autograder.submissions.submission import repair

ROOT = Path(__file__).resolve().parent.parent
ASSIGNMENTS = sorted(path.parent.name for path in (ROOT / "solutions").glob("[0-9]*/notebook.py"))
MISTAKE = "softmax-without-keepdims"


def answered(course: Course, assignment: str, language: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a filled release as JSON, and the answers in it: right ones, and one mistake where 02 is asked for."""
    source = course.source(assignment)
    answers = {slug: source.reference(slug) for slug in source.points}
    if assignment == "02-attention":
        mistake = mistakes_of(source.folder)[MISTAKE]
        answers[mistake.task] = mistake.code
    path = ROOT / "assignments" / language / assignment / f"{source.name}.ipynb"
    data: dict[str, Any] = json.loads(to_bytes(fill(nbformat.read(path, as_version=4), answers)))
    return data, answers


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_answer_is_taken_in_as_it_was_written(
    course: Course, program: str, language: str, assignment: str
) -> None:
    data, answers = answered(course, assignment, language)
    submission = repair(parse_notebook(PROGRAMS[program](data)), course.source(assignment))
    assert {slug: submission.answer(f"task-{slug}") for slug in answers} == answers
    assert submission.language == language
    assert [note.en for note in submission.notes] == []


@pytest.mark.course
@pytest.mark.parametrize("program", PROGRAMS)
def test_it_is_graded_like_one_from_jupyterlab(course: Course, tmp_path: Path, program: str) -> None:
    """One mistake, named, costs the same lines; whatever was shown before is no points."""
    data, _ = answered(course, "02-attention", "ko")
    path = tmp_path / "scaled_dot_product_attention.ipynb"
    path.write_bytes(PROGRAMS[program](data))
    _, verdict = grade_file(course, "02-attention", path, "someone")
    record = verdict_record(verdict)
    assert verdict.language == "ko" and verdict.points == 17 and not verdict.ungraded
    missed = {line.id for task in verdict.tasks.values() for line in task.lines if line.status == "missed"}
    assert missed == set(mistakes_of(course.source("02-attention").folder)[MISTAKE].misses)
    assert MISTAKE in json.dumps(record)
