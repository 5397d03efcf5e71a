"""A verdict as plain data, for machines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.base.text import Text
from autograder.base.visible import storable
from autograder.grading.runner import LineResult, TaskResult
from autograder.submissions.verdicts import Verdict


def verdict_record(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON-ready data, texts in the language of the notebook handed in."""
    language = verdict.language
    return {
        "assignment": verdict.assignment,
        "notebook": verdict.notebook,
        "student": verdict.student,
        "language": language,
        "points": verdict.points,
        "max_points": verdict.max_points,
        "ungraded": verdict.ungraded,
        "fault": verdict.fault,
        "notes": [note.in_language(language) for note in verdict.notes],
        "seconds": round(verdict.seconds, 2),
        "tasks": [
            {
                "task": task.slug,
                "points": task.points,
                "max_points": task.max_points,
                "lines": [
                    {
                        "id": line.id,
                        "title": line.line.title.in_language(language),
                        "points": line.line.points,
                        "status": line.status,
                        "text": line.text.in_language(language) if line.text else "",
                        "mistake": line.mistake,
                        "followed": line.followed,
                    }
                    for line in task.lines
                ],
            }
            for task in verdict.tasks.values()
        ],
    }


def result_record(verdict: Verdict, hints: Mapping[str, Text] | None = None) -> dict[str, Any]:
    """Return what became of each rubric line: what a graded notebook keeps for its feedback page and the class report.

    Args:
        verdict: the verdict on the notebook.
        hints: id of a known mistake -> the hint at the end of a line's text, which the record stores apart from the text.
    """
    language = verdict.language
    return {
        "language": language,
        "fault": storable(verdict.fault),
        "notes": [storable(note.en) for note in verdict.notes],
        "student_notes": [storable(note.in_language(language)) for note in verdict.notes],
        "seconds": round(verdict.seconds, 2),
        "order": list(verdict.tasks),  # a notebook's file has its keys sorted
        "tasks": {
            task.slug: {
                "points": task.points,
                "max_points": task.max_points,
                "order": [line.id for line in task.lines],
                "lines": {line.id: _line_record(line, task, language, hints or {}) for line in task.lines},
            }
            for task in verdict.tasks.values()
        },
    }


def _line_record(line: LineResult, task: TaskResult, language: str, hints: Mapping[str, Text]) -> dict[str, Any]:
    text = line.text.in_language(language) if line.status == "missed" and line.text else ""
    known = hints.get(line.mistake) if line.mistake else None
    hint = known.in_language(language) if known else ""
    if hint and not text.endswith(hint):
        hint = ""
    return {
        "status": line.status,
        "mistake": line.mistake,
        "followed": line.followed,
        "unwritten": line.unwritten,
        "title": line.line.title.in_language(language),
        "points": line.line.points,
        "text": storable(text.removesuffix(hint).strip()),
        "hint": hint,
        "pattern": list(line.pattern),
        "blocked_by": _blocker(line, {each.id: each for each in task.lines}) if line.status == "blocked" else "",
    }


def _blocker(line: LineResult, lines: Mapping[str, LineResult]) -> str:
    """Return the id of the missed line because of which another wasn't looked at."""
    for need in line.line.needs:
        status = lines[need].status if need in lines else ""
        if status == "missed":
            return need
        if status == "blocked":
            return _blocker(lines[need], lines)
    return ""
