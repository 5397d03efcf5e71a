"""The command `autograder late-days`."""

from __future__ import annotations

from typing import Annotated

import typer

from autograder.base.names import shown
from autograder.commands.arguments import AsJson
from autograder.commands.output import Output, counted
from autograder.sources.course import load_course


def late_days(
    apply: Annotated[
        bool,
        typer.Option("--apply", help="Write extensions and penalties into the gradebook, without grading anything."),
    ] = False,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only what needs a look.")] = False,
) -> None:
    """Show who was late, what the budget paid and what it costs; after a change of the CSV, --apply it."""
    from autograder.gradebook.late_days import (
        class_lateness,
        unknown_student_warning,
        unknown_students,
        update_penalties,
    )

    output = Output(as_json=as_json, quiet=quiet)
    course = load_course()
    changed = update_penalties(course) if apply else []
    rows = [
        (student, assignment, late, late.charged if course.late_days else 0)
        for student, works in class_lateness(course).items()
        for assignment, late in works.items()
        if late.days
    ]
    headings = ("student", "assignment", "days late", "from the budget", "left", "charged")
    table = [
        (shown(student), assignment, *(str(n) for n in (late.days, late.from_budget, late.left, charged)))
        for student, assignment, late, charged in rows
    ]
    output.table("", headings, table)
    unknown = unknown_students(course)
    for student in unknown:
        output.warn(unknown_student_warning(course, student))
    if course.late_days is None:
        output.say(
            "There is no rule in course_config.py (late_days): nothing is charged, unless by a plugin of nbgrader's own."
        )
    for change in changed:
        output.say(f"{shown(change.student)}: {change.assignment}: penalty {change.before:g} is now {change.after:g}")
    penalties = f", {counted(len(changed), 'penalty', 'penalties')} changed" if apply else ""
    output.say(counted(len(rows), "late work") + penalties)
    output.document(
        {
            "unknown": unknown,
            "has_rule": course.late_days is not None,
            "late": [
                {
                    "student": student,
                    "assignment": assignment,
                    "due": late.due.isoformat(),
                    "days": late.days,
                    "from_budget": late.from_budget,
                    "left": late.left,
                    "charged": charged,
                }
                for student, assignment, late, charged in rows
            ],
            "changed": [
                {
                    "student": change.student,
                    "assignment": change.assignment,
                    "before": change.before,
                    "after": change.after,
                }
                for change in changed
            ],
        }
    )
