"""A verdict as plain data, for machines."""

from __future__ import annotations

from typing import Any

from autograder.base.visible import storable
from autograder.submissions.evaluation import Verdict


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


def result_record(verdict: Verdict) -> dict[str, Any]:
    """Return what became of each rubric line, by ids alone: what a graded notebook keeps for the class report."""
    return {
        "language": verdict.language,
        "fault": storable(verdict.fault),
        "notes": [storable(note.en) for note in verdict.notes],
        "seconds": round(verdict.seconds, 2),
        "tasks": {
            task.slug: {
                "points": task.points,
                "max_points": task.max_points,
                "lines": {
                    line.id: {
                        "status": line.status,
                        "mistake": line.mistake,
                        "followed": line.followed,
                        "unwritten": line.unwritten,
                    }
                    for line in task.lines
                },
            }
            for task in verdict.tasks.values()
        },
    }
