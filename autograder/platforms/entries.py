"""What every platform is told of a verdict, in the language of the notebook handed in: fractions, lines, sentences."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.base.errors import MachineError
from autograder.base.visible import visible
from autograder.report.feedback import line_reason, points_text, task_text, word
from autograder.submissions.verdicts import Verdict


@dataclass(frozen=True)
class Entry:
    """One line of the rubric.

    Attributes:
        id: id of the rubric line.
        number: number of the task and number of the line in the task, such as `2.1`.
        task: slug of the line's task.
        title: what the line asks for.
        points: points that the line earned.
        max_points: points that the line is worth; a line that others need may be worth 0.
        status: `passed`, `missed` or `blocked`: a line that it needs was missed.
        reason: sentence about why the line was missed, or how it was earned; may be empty.
    """

    id: str
    number: str
    task: str
    title: str
    points: float
    max_points: float
    status: str
    reason: str

    @property
    def name(self) -> str:
        """Return the line's title behind its task's name."""
        return f"{self.task}: {self.title}"


def entries(verdict: Verdict) -> list[Entry]:
    """Return the lines of a verdict in the rubric's order."""
    return [
        Entry(
            line.id,
            f"{task_number}.{line_number}",
            task.slug,
            visible(line.line.title.in_language(verdict.language)),
            line.line.points if line.status == "passed" else 0.0,
            line.line.points,
            line.status,
            line_reason(line, verdict.language),
        )
        for task_number, task in enumerate(verdict.tasks.values(), 1)
        for line_number, line in enumerate(task.lines, 1)
    ]


def fraction(verdict: Verdict) -> float:
    """Return what a verdict earned of all points, between 0 and 1."""
    return verdict.points / verdict.max_points


def notes_text(verdict: Verdict) -> str:
    """Return what is said about the whole notebook; empty if nothing is."""
    return "\n".join(visible(note.in_language(verdict.language)) for note in verdict.notes)


def summary_text(verdict: Verdict) -> str:
    """Return the points of the whole notebook and of each task, after what is said about the notebook."""
    points = f"{verdict.points:g} / {verdict.max_points:g} {word('points', verdict.language)}"
    head = f"{word('result', verdict.language)}: {points}"
    tasks = [f"  {task.slug}: {points_text(task, verdict.language)}" for task in verdict.tasks.values()]
    return "\n".join([*filter(None, [notes_text(verdict)]), head, *tasks])


def full_text(verdict: Verdict) -> str:
    """Return everything as plain text: the summary, then each task with its lines."""
    return "\n\n".join([summary_text(verdict), *(task_text(task, verdict.language) for task in verdict.tasks.values())])


def require_graded(verdict: Verdict) -> None:
    """Refuse a verdict with ungraded tasks: it has no score that a platform may be told.

    Raises:
        MachineError: which tasks, and why.
    """
    if verdict.ungraded:
        raise MachineError(
            f"Only a wholly graded submission has a score. Received: {', '.join(verdict.ungraded)} ungraded: {verdict.fault}. "
            "No result was written; grade it again."
        )
