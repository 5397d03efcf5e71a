"""`autograder check`: the proof of the course."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from autograder.base.errors import CourseError
from autograder.commands.arguments import AsJson, Assignments, Quiet, chosen_assignments
from autograder.commands.output import Output, counted
from autograder.commands.tables import Table
from autograder.grading.naming import has_record, staleness
from autograder.grading.runner import mistakes_of, require_tests
from autograder.proof import check as checking
from autograder.proof.answers import record_answers
from autograder.proof.check import CaseResult, Tally
from autograder.proof.quick import check_quickly, quick_cases
from autograder.proof.record import Difference, differences, not_graded, read_record, write_record
from autograder.sources.course import Course, load_course

CASE_KINDS = ("solution", "release", "mistake", "variant", "alternative")


def check(
    assignments: Assignments = None,
    only: Annotated[
        str,
        typer.Option(
            help="Run just the cases whose kind:id contains this, or one of several parts with commas between."
        ),
    ] = "",
    workers: Annotated[int, typer.Option(help="Processes; 0: as many as course_config.py says.")] = 0,
    backend: Annotated[str, typer.Option(help="Keras backend: tensorflow, jax or torch; default: the course's.")] = "",
    own_questions: Annotated[
        bool,
        typer.Option(
            "--own-questions", help="Ask what this term's secret makes the graders ask, not the same each time."
        ),
    ] = False,
    variants: Annotated[
        bool, typer.Option("--variants", help="Also try each slip in every other style that holds its text.")
    ] = False,
    part: Annotated[
        str, typer.Option("--part", help="E.g. 2/3: the second third of the mistakes and alternatives.")
    ] = "1/1",
    apart: Annotated[
        str,
        typer.Option(
            "--apart",
            help="E.g. 2/3: the second third of the mistakes in kernels of their own, like submissions; 1/1: all.",
        ),
    ] = "",
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Only entries that compute with NumPy alone, in this process: seconds, no proof."),
    ] = False,
    draws: Annotated[
        int,
        typer.Option(
            min=1, help="With --quick: grade these, and the solution, so often, each time with other hidden inputs."
        ),
    ] = 1,
    record: Annotated[
        Path | None, typer.Option("--record", help="Write each case's points, lines and name into this file.")
    ] = None,
    compare: Annotated[
        Path | None, typer.Option("--compare", help="Tell in what the cases differ from a file that --record wrote.")
    ] = None,
    new_answers: Annotated[
        bool,
        typer.Option(
            "--record-answers",
            help="First record anew what the known mistakes answer, by which wrong answers get their names.",
        ),
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Prove the course: solutions earn everything, releases nothing, mistakes are caught, right answers undocked."""
    output = Output(as_json=as_json, quiet=quiet)
    course = load_course()
    chosen = chosen_assignments(course, assignments)
    portion = checking.read_part(part)
    own_kernels = checking.read_part(apart) if apart else None
    of_a_proof = (workers, backend, own_questions, variants, apart, record, compare, new_answers, portion != (1, 1))
    if quick and any(of_a_proof):
        raise CourseError(
            "--quick goes with --only, --draws, --json and --quiet alone: it is no proof. Leave out the other options."
        )
    if draws > 1 and not quick:
        raise CourseError("--draws goes with --quick alone. Add --quick, or leave out --draws.")
    if new_answers and backend not in ("", course.backend):
        raise CourseError("--record-answers records on the course's own backend. Leave out --backend.")
    for assignment in chosen:
        require_tests(course.source(assignment))
    recorded = read_record(compare) if compare else None
    if quick:
        total = sum(len(quick_cases(course, assignment, only, draws)) for assignment in chosen)
    else:
        total = sum(
            len(checking.cases_of(course, each, backend, only, variants=variants, part=portion)) for each in chosen
        )
    if not total:
        raise CourseError(f"--only must be part of some case's kind:id, e.g. mistake:wrong-axis. Received: {only!r}.")
    if new_answers:
        _record_answers(output, course, chosen, workers)
    stale = _warn_of_stale_answers(output, course, chosen)
    with output.progress("checking", total) as advance:

        def tell(result: CaseResult) -> None:
            advance()
            if result.failed:
                output.warn(f"✗ {result.case.assignment} {result.case.kind} {result.case.id}: {result.failed}")

        secret = course.secret if own_questions else checking.QUESTIONS
        if quick:
            tallies = check_quickly(course, chosen, only, tell, draws)
        else:
            tallies = checking.check(
                course, chosen, workers, only, backend, tell, secret, variants=variants, part=portion, apart=own_kernels
            )
    output.table("", *check_table(tallies))
    _tell_where_nothing_is_named(output, course, chosen)
    now = checking.proof_record(tallies, backend or course.backend)
    if record:
        write_record(now, record)
        output.say(f"{record}: {counted(len(now.cases), 'case')} recorded")
    changed: list[Difference] | None = None
    if recorded:
        changed = differences(recorded, now)
        if not only and portion == (1, 1):
            changed += not_graded(recorded, now, chosen)
        _tell_differences(output, changed, len(now.cases))
    proof = check_record(tallies, changed, stale)
    output.document(proof)
    if not proof["proven"] or any(not difference.is_harmless for difference in changed or ()):
        raise typer.Exit(1)


def _record_answers(output: Output, course: Course, assignments: Sequence[str], workers: int) -> None:
    """Record anew what the known mistakes of some assignments answer."""
    for assignment in assignments:
        entries = len(mistakes_of(course.source(assignment).folder))
        with output.progress("recording", entries) as advance:
            path, answers = record_answers(course, assignment, workers, advance)
        output.say(f"{path}: answers of {counted(len(answers.entries), 'mistake')} recorded")


def _warn_of_stale_answers(output: Output, course: Course, assignments: Sequence[str]) -> list[str]:
    """Return the assignments whose recorded answers are of other questions or mistakes than today's, and warn of them."""
    stale: list[str] = []
    for assignment in assignments:
        source = course.source(assignment)
        reason = staleness(source) if has_record(source.folder) else ""
        if reason:
            stale.append(assignment)
            output.warn(f"{reason} Until then no mistake of the assignment is named.")
    return stale


def _tell_where_nothing_is_named(output: Output, course: Course, assignments: Sequence[str]) -> None:
    """Tell which assignments have known mistakes, but no recorded answers by which these are named."""
    for assignment in assignments:
        folder = course.source(assignment).folder
        if mistakes_of(folder) and not has_record(folder):
            output.say(
                f"{assignment}: what its known mistakes answer isn't recorded, so none is named, and students get no hints. "
                f"Run `autograder check {assignment} --record-answers`."
            )


def _tell_differences(output: Output, changed: list[Difference], graded: int) -> None:
    for difference in changed:
        tell = output.say if difference.is_harmless else output.warn
        tell(f"{difference.case}: {difference.text}")
    worse = sum(not difference.is_harmless for difference in changed)
    cases, different = counted(graded, "case"), counted(worse, "difference")
    output.say(f"{cases} compared: {different}, {len(changed) - worse} names gained or new cases")


def check_table(tallies: Iterable[Tally]) -> Table:
    """Return one row per assignment of the proof."""
    headings = (
        *("assignment", "solutions full", "releases at 0", "mistakes caught", "named", "misnamed"),
        *("variants caught", "follow-on points lost", "right undocked", "seconds"),
    )
    rows: list[Sequence[str]] = []
    for tally in tallies:
        counts = {kind: f"{tally.good(kind)}/{len(tally.of(kind))}" for kind in CASE_KINDS}
        caught = tally.of("mistake")
        rows.append(
            (
                *(tally.assignment, counts["solution"], counts["release"], counts["mistake"]),
                *(str(sum(r.named for r in caught)), str(sum(r.misnamed for r in caught))),
                *(counts["variant"], f"{sum(r.follow_on for r in caught):g}", counts["alternative"]),
                f"{sum(r.seconds for r in tally.results):.0f}",
            )
        )
    return headings, rows


def check_record(
    tallies: Sequence[Tally], changed: Sequence[Difference] | None = None, stale: Sequence[str] = ()
) -> dict[str, Any]:
    """Return a proof as JSON-ready data.

    Args:
        tallies: what became of the cases.
        changed: differences from a recorded proof if the proof was compared with one.
        stale: assignments whose recorded answers are of other questions or mistakes than today's.
    """
    compared = {} if changed is None else {"differences": [asdict(difference) for difference in changed]}
    return {
        **compared,
        "proven": not stale and not any(result.failed for tally in tallies for result in tally.results),
        "stale": list(stale),
        "assignments": [
            {
                "assignment": tally.assignment,
                **{f"{kind}s": {"good": tally.good(kind), "of": len(tally.of(kind))} for kind in CASE_KINDS},
                "named": sum(r.named for r in tally.of("mistake")),
                "misnamed": sum(r.misnamed for r in tally.of("mistake")),
                "follow_on_points_lost": sum(r.follow_on for r in tally.of("mistake")),
                "seconds": round(sum(r.seconds for r in tally.results), 1),
                "failed": [{"kind": r.case.kind, "id": r.case.id, "why": r.failed} for r in tally.results if r.failed],
            }
            for tally in tallies
        ],
    }
