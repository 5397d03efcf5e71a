"""What the instructor reads about a class: `autograder report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.base.text import LANGUAGES
from autograder.commands.arguments import Assignments, Quiet, chosen_assignments
from autograder.commands.output import Output, counted
from autograder.report.class_report import STATES, ClassReport, class_report, report_html, report_record
from autograder.report.term_report import term_html
from autograder.sources.course import Course, load_course

TERM_PAGE = "index.html"


def report(
    assignments: Assignments = None,
    folder: Annotated[Path, typer.Option(help="Where the pages are written.")] = Path("reports"),
    language: Annotated[str, typer.Option(help="en or ko; default: the course's first.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON list instead of writing pages.")] = False,
    quiet: Quiet = False,
) -> None:
    """Show graded classes, a page for each; without a name, the whole term too, in index.html.

    On top stands what to act on: mistakes, lines that nobody earned, who is stuck. Ends with 1 if a submission isn't graded.
    """
    output = Output(as_json=as_json, quiet=quiet)
    course = load_course()
    language = language or course.languages[0]
    if language not in LANGUAGES:
        raise typer.BadParameter(f"the language must be one of {', '.join(LANGUAGES)}. Received: {language}.")
    reports = [report_of(course, assignment) for assignment in chosen_assignments(course, assignments)]
    output.document([report_record(report) for report in reports])
    # without being asked for by name, an assignment that nobody handed in gets no page
    for report in [report for report in reports if not as_json and (assignments or report.entries)]:
        path = write_report(report, folder, language)
        counts = ", ".join(f"{len(report.of(state))} {state}" for state in STATES if report.of(state))
        output.say(f"{path}: {counts or 'no submissions'}")
    if not assignments and not as_json:
        path = _write(folder / TERM_PAGE, term_html(reports, language))
        output.say(f"{path}: {counted(sum(bool(report.entries) for report in reports), 'assignment')}")
    unfinished = [(report.assignment, entry) for report in reports for entry in report.of("ungraded", "waiting")]
    for assignment, entry in unfinished:
        output.warn(f"{assignment}: {entry.student} is not graded{': ' if entry.reason else ''}{entry.reason}")
    if unfinished:
        raise typer.Exit(1)


def report_of(course: Course, assignment: str) -> ClassReport:
    """Return the report on an assignment's class, with the gradebook's points."""
    from autograder.gradebook.handins import read_tries
    from autograder.gradebook.scores import scores

    earlier = {
        student: [graded.result for graded in tries[:-1]]
        for (of, student), tries in read_tries(course).items()
        if of == assignment
    }
    rows = scores(course, assignment)
    return class_report(
        course,
        assignment,
        {row.student: row.points for row in rows},
        {row.student: row.penalty for row in rows},
        earlier,
    )


def write_report(report: ClassReport, folder: Path, language: str) -> Path:
    """Write an assignment's page into a folder and return its path."""
    return _write(folder / f"{report.assignment}.html", report_html(report, language))


def _write(path: Path, page: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8")
    return path
