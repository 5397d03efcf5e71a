"""Arguments that many commands take."""

from __future__ import annotations

from typing import Annotated

import typer

from autograder.sources.course import Course

Assignment = Annotated[str, typer.Argument(help="Which, e.g. 01-first-steps.")]
Assignments = Annotated[list[str] | None, typer.Argument(help="Assignments, e.g. 01-first-steps; default: all.")]
Force = Annotated[
    bool, typer.Option("--force", help="Replace submissions that differ; the old ones move to superseded/.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document to stdout, and nothing else there.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print only what needs a look; the exit status tells the rest.")]


def chosen_assignments(course: Course, assignments: list[str] | None) -> list[str]:
    """Return the assignments that were named, all if none was.

    Raises:
        CourseError: there is no such assignment.
    """
    for assignment in assignments or ():
        course.source(assignment)
    return list(assignments or course.source_paths)
