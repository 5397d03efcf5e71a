"""The command `autograder`: arguments, calls and exit codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from autograder import checking, demo
from autograder.course import Course, load_course
from autograder.doctor import examine
from autograder.errors import AutograderError
from autograder.evaluation import Verdict, grade_file
from autograder.gradebook.release import build as build_course
from autograder.gradebook.scores import scores
from autograder.report.class_report import STATES, ClassReport, class_report, report_html, report_record
from autograder.report.feedback import task_text
from autograder.report.record import verdict_record
from autograder.sealing.layers import GUARANTEES, HOW_TO_GET
from autograder.text import LANGUAGES

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__, pretty_exceptions_enable=False)
# a pipe or a log file has no width of its own
console = Console(width=None if sys.stdout.isatty() else 120)
Assignments = Annotated[list[str] | None, typer.Argument(help="Assignments, e.g. 02-attention; default: all.")]


@app.command()
def build(
    assignments: Assignments = None,
    accept_translation: Annotated[
        bool, typer.Option("--accept-translation", help="Korean whose English has changed says the same still.")
    ] = False,
) -> None:
    """Turn the text sources into notebooks and student releases, and register them in the gradebook."""
    course = load_course()
    build_course(course, _chosen(course, assignments), console.print, accept_translation=accept_translation)


@app.command()
def grade(
    files: Annotated[list[Path], typer.Argument(help="Notebooks.", exists=False)],
    assignment: Annotated[str, typer.Option(help="Which assignment; default: told by the notebook's name.")] = "",
    student: Annotated[str, typer.Option(help="The random inputs depend on it.")] = "someone",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON list.")] = False,
) -> None:
    """Grade single notebooks without a gradebook and print rubric lines and messages."""
    course = load_course()
    verdicts: list[Verdict] = []
    for path in files:
        _, verdict = grade_file(course, assignment or _assignment_of(course, path), path, student)
        verdicts.append(verdict)
        if not as_json:
            console.print(
                f"[bold]{path}[/bold]: {verdict.points:g} of {verdict.max_points:g} points in {verdict.seconds:.1f} s"
            )
            for note in verdict.notes:
                console.print(f"! {note.in_language(verdict.language)}", markup=False)
            for task in verdict.tasks.values():
                console.print(task_text(task, verdict.language), markup=False, highlight=False)
    if as_json:
        print(json.dumps([verdict_record(verdict) for verdict in verdicts], ensure_ascii=False, indent=1))
    if any(verdict.ungraded for verdict in verdicts):
        raise typer.Exit(1)


@app.command()
def check(
    assignments: Assignments = None,
    only: Annotated[str, typer.Option(help="Run just the cases whose kind:id contains this.")] = "",
    workers: Annotated[int, typer.Option(help="Processes; 0: one per core.")] = 0,
    backend: Annotated[str, typer.Option(help="Keras backend: tensorflow, jax or torch; default: the course's.")] = "",
    own_questions: Annotated[
        bool,
        typer.Option(
            "--own-questions", help="Ask what this term's secret makes the graders ask, not the same each time."
        ),
    ] = False,
) -> None:
    """Prove the course: solutions earn everything, releases nothing, mistakes are caught, right answers undocked."""
    course = load_course()
    chosen = _chosen(course, assignments)
    total = sum(len(checking.cases_of(course, assignment, backend, only)) for assignment in chosen)
    with _bar("checking", total) as advance:

        def tell(result: checking.CaseResult) -> None:
            advance()
            if result.failed:
                console.print(
                    f"✗ {result.case.assignment} {result.case.kind} {result.case.id}: {result.failed}", markup=False
                )

        secret = course.secret if own_questions else checking.QUESTIONS
        tallies = checking.check(course, chosen, workers, only, backend, tell, secret)
    table = Table()
    for heading in (
        *("assignment", "solutions full", "releases at 0", "mistakes caught", "named", "misnamed"),
        *("follow-on points lost", "right undocked", "seconds"),
    ):
        table.add_column(
            heading, no_wrap=heading == "assignment", justify="left" if heading == "assignment" else "right"
        )
    for tally in tallies:
        caught = tally.of("mistake")
        table.add_row(
            tally.assignment,
            *(f"{tally.good(kind)}/{len(tally.of(kind))}" for kind in ("solution", "release", "mistake")),
            str(sum(r.named for r in caught)),
            str(sum(r.misnamed for r in caught)),
            f"{sum(r.follow_on for r in caught):g}",
            f"{tally.good('alternative')}/{len(tally.of('alternative'))}",
            f"{sum(r.seconds for r in tally.results):.0f}",
        )
    console.print(table)
    if any(result.failed for tally in tallies for result in tally.results):
        raise typer.Exit(1)


@app.command()
def doctor() -> None:
    """Tell whether this machine can grade: what seals students' code off, tried by breaking out of it."""
    course = load_course()
    diagnosis = examine(course)
    table = Table()
    for heading in ("guarantee", "that", "given by", "tried"):
        table.add_column(heading, overflow="fold")
    for finding in diagnosis.findings:
        tried = finding.broken or "held"
        table.add_row(
            finding.guarantee,
            GUARANTEES[finding.guarantee],
            finding.layer or "nothing",
            f"{tried} (done without, by unsafe_allow_missing)" if finding.is_accepted else tried,
        )
    console.print(table)
    for layer, reason in diagnosis.layers.reasons.items():
        console.print(f"{layer}: not here: {reason}", markup=False)
    if diagnosis.threads > 1:
        console.print(f"The warm process has {diagnosis.threads} threads: its forks may hang.")
    if not diagnosis.is_good:
        console.print(f"This machine can't grade: see the table. {HOW_TO_GET}", markup=False)
        raise typer.Exit(1)
    console.print("This machine can grade.")


@app.command()
def report(
    assignments: Assignments = None,
    folder: Annotated[Path, typer.Option(help="Where the pages are written.")] = Path("reports"),
    language: Annotated[str, typer.Option(help="en or ko; default: the course's first.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON list instead of writing pages.")] = False,
) -> None:
    """Show a graded class: points, rubric lines, commonest mistakes, what was refused or left ungraded."""
    course = load_course()
    language = language or course.languages[0]
    if language not in LANGUAGES:
        raise typer.BadParameter(f"the language must be one of {', '.join(LANGUAGES)}. Received: {language}.")
    reports = [_report(course, assignment) for assignment in _chosen(course, assignments)]
    if as_json:
        print(json.dumps([report_record(one) for one in reports], ensure_ascii=False, indent=1))
        return
    # without being asked for by name, an assignment that nobody handed in gets no page
    for one in [one for one in reports if assignments or one.entries]:
        path = _write_report(one, folder, language)
        counts = ", ".join(f"{len(one.of(state))} {state}" for state in STATES if one.of(state))
        console.print(f"{path}: {counts or 'no submissions'}", markup=False, soft_wrap=True)


@app.command("demo")
def run_demo(
    assignments: Assignments = None,
    folder: Annotated[Path, typer.Option(help="Where the sample course is made.")] = Path("demo-class"),
) -> None:
    """Grade a sample class of varied submissions with plain nbgrader commands and show its gradebook."""
    course = load_course()
    chosen = _chosen(course, assignments)
    root = demo.copy_course(course, folder.resolve())
    copy = load_course(root)
    build_course(copy, chosen)
    for assignment in chosen:
        students = demo.sample_class(copy, assignment)
        demo.hand_in(root, assignment, students)
        with _bar(f"nbgrader autograde {assignment}", len(students)) as advance:
            demo.run_nbgrader(root, "autograde", assignment, tell=lambda student, advance=advance: advance())  # type: ignore[misc]
        demo.run_nbgrader(root, "generate_feedback", assignment)
        _write_report(_report(copy, assignment), root / "reports", copy.languages[0])
        _print_scores(copy, assignment)
    demo.run_nbgrader(root, "export")
    name = copy.source(chosen[0]).name
    console.print(
        f"gradebook  {folder}/gradebook.db\n"
        f"grades     {folder}/grades.csv\n"
        f"report     {folder}/reports/{chosen[0]}.html\n"
        f"feedback   {folder}/feedback/<student>/<assignment>/, for example\n"
        f"           {folder}/feedback/half-done/{chosen[0]}/{name}.html",
        markup=False,
        soft_wrap=True,
    )


def main() -> None:
    """Run the command line; errors that we expect are printed as one sentence."""
    try:
        app()
    except AutograderError as error:
        print(f"autograder: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def _chosen(course: Course, assignments: list[str] | None) -> list[str]:
    for assignment in assignments or ():
        course.source(assignment)
    return list(assignments or course.source_paths)


def _assignment_of(course: Course, path: Path) -> str:
    matches = [a for a, source in course.source_paths.items() if source.stem == path.stem or a in path.parts]
    if len(matches) != 1:
        known = ", ".join(f"{source.stem} ({a})" for a, source in course.source_paths.items())
        raise typer.BadParameter(
            f"the notebook's name must tell its assignment: {known}. Received: {path.name}. Use --assignment."
        )
    return matches[0]


def _report(course: Course, assignment: str) -> ClassReport:
    return class_report(course, assignment, {row.student: row.points for row in scores(course, assignment)})


def _write_report(report: ClassReport, folder: Path, language: str) -> Path:
    path = folder / f"{report.assignment}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report_html(report, language), encoding="utf-8")
    return path


@contextmanager
def _bar(title: str, total: int) -> Iterator[Callable[[], None]]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(title, total=total)
        yield lambda: progress.advance(task)


def _print_scores(course: Course, assignment: str) -> None:
    source = course.source(assignment)
    table = Table(title=assignment)
    table.add_column("student", no_wrap=True)
    for heading in (*source.points, "total"):
        table.add_column(heading.replace("-", " "), justify="right")
    for row in scores(course, assignment):
        table.add_row(row.student, *("?" if p is None else f"{p:g}" for p in row.points.values()), f"{row.total:g}")
    console.print(table)
