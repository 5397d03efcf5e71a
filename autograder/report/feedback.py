"""Feedback on one submission, for the student, in the language of the notebook handed in."""

from __future__ import annotations

from autograder.base.text import Text
from autograder.base.visible import visible
from autograder.grading.runner import LineResult, TaskResult
from autograder.report.pages import environment
from autograder.submissions.verdicts import Verdict

WORDS = {
    "points": Text("points", "점"),
    "blocked": Text("not looked at, because of a line above", "위의 항목 때문에 평가하지 않았습니다"),
    "ungraded": Text(
        "not graded yet: the grader failed here, not you",
        "아직 채점되지 않았습니다. 여러분이 아니라 채점기의 문제입니다",
    ),
    "followed": Text(
        "right once the earlier task it builds on is corrected: the mistake before it costs nothing here",
        "앞 과제가 맞다고 보면 옳습니다. 그 실수로 여기서 점수를 잃지는 않습니다",
    ),
    "result": Text("Result", "채점 결과"),
    "pattern": Text(
        "which entries are right (light) and wrong (dark, crossed)",
        "맞은 원소(밝음)와 틀린 원소(어두움, ×)",
    ),
}
MARKS = {"passed": "✓", "missed": "✗", "blocked": "–", "ungraded": "?"}
COLOURS = {"passed": "#1a7f37", "missed": "#b3261e", "blocked": "#6e7781", "ungraded": "#9a6700"}


def word(key: str, language: str) -> str:
    """Return one fixed phrase of the feedback."""
    return WORDS[key].in_language(language)


def points_text(task: TaskResult, language: str) -> str:
    """Return `3 / 4 points`, or `? / 4 points` for an ungraded task."""
    return f"{'?' if task.points is None else f'{task.points:g}'} / {task.max_points:g} {word('points', language)}"


def line_reason(line: LineResult, language: str) -> str:
    """Return why a line was not earned, or how it was."""
    if line.status in ("blocked", "ungraded"):
        return word(line.status, language)
    if line.status == "missed" and line.text is not None:
        return visible(line.text.in_language(language))
    return word("followed", language) if line.followed else ""


def task_text(task: TaskResult, language: str) -> str:
    """Return a task's rubric lines as plain text."""
    lines = [f"{task.slug}: {points_text(task, language)}"]
    for line in task.lines:
        worth = f" ({line.line.points:g})" if line.line.points else ""
        reason = line_reason(line, language)
        lines.append(
            f"{MARKS[line.status]} {line.line.title.in_language(language)}{worth}" + (f": {reason}" if reason else "")
        )
    return "\n".join(lines)


def task_html(task: TaskResult, language: str) -> str:
    """Return a task's rubric lines as HTML; everything that came from the student is escaped."""
    return (
        environment()
        .get_template("task_report.html")
        .render(
            task=task,
            points=points_text(task, language),
            lines=[(line, line_reason(line, language)) for line in task.lines],
            language=language,
            label=word("pattern", language),
            marks=MARKS,
            colours=COLOURS,
        )
        .strip()
    )


def summary_markdown(verdict: Verdict) -> str:
    """Return the verdict on a whole notebook as Markdown."""
    language = verdict.language
    head = f"## {word('result', language)}: {verdict.points:g} / {verdict.max_points:g} {word('points', language)}"
    notes = [f"> {visible(note.in_language(language))}" for note in verdict.notes]
    rows = [f"| `{task.slug}` | {points_text(task, language)} |" for task in verdict.tasks.values()]
    table = "\n".join(["| | |", "|---|---|", *rows])
    return "\n\n".join([head, *notes, table])
