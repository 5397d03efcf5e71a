"""`autograder mutate`: right answers changed in one place, which must lose points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

from autograder.base.errors import CourseError
from autograder.commands.arguments import AsJson, Assignments, Quiet, chosen_assignments
from autograder.commands.output import Output
from autograder.commands.tables import Table
from autograder.proof.mutate import KILLED, UNGRADED, MutantResult, MutationTally, mutate, tallies_of
from autograder.proof.survivors import FILE_NAME, SURVIVOR_KINDS, entry_of, write_clean
from autograder.sources.course import load_course


def mutate_command(
    assignments: Assignments = None,
    sample: Annotated[int, typer.Option(help="Mutants an assignment; 0: every one.")] = 60,
    seed: Annotated[int, typer.Option(help="Another one, another sample.")] = 0,
    only_changed: Annotated[
        bool,
        typer.Option(
            "--only-changed",
            help="Leave out what a run without new survivors has graded since cells, graders or rubric changed.",
        ),
    ] = False,
    workers: Annotated[int, typer.Option(help="Processes; 0: as many as course_config.py says.")] = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Change right answers in one place each, and tell which changes no line catches. Ends with 1 if one of them is new."""
    output = Output(as_json=as_json, quiet=quiet)
    if sample < 0:
        raise CourseError(f"--sample is a number of mutants, or 0 for all. Received: {sample}.")
    course = load_course()
    chosen = tallies_of(course, chosen_assignments(course, assignments), sample, seed, only_changed=only_changed)
    total = sum(len(mutants) for _, mutants in chosen.values())
    with output.progress("grading mutants", total) as advance:
        results = (
            mutate(course, {name: mutants for name, (_, mutants) in chosen.items()}, workers, lambda *_: advance())
            if total
            else {}
        )
    tallies = [tally for tally, _ in chosen.values()]
    for tally in tallies:
        tally.results = results.get(tally.assignment, [])
        _tell(output, tally)
        if tally.results and tally.is_clean:
            write_clean(course.source(tally.assignment).folder, tally.run)
    output.table("", *mutation_table(tallies))
    output.document({"assignments": [mutation_record(tally) for tally in tallies]})
    if not all(tally.is_clean for tally in tallies):
        raise typer.Exit(1)


def mutation_table(tallies: Iterable[MutationTally]) -> Table:
    """Return one row per assignment."""
    headings = (
        *("assignment", "generated", "graded", "killed", "of these silently"),
        *SURVIVOR_KINDS,
        *("new", "ungraded", "named", "names that look wrong", "seconds"),
    )
    rows: list[Sequence[str]] = []
    for tally in tallies:
        killed = tally.of(KILLED)
        rows.append(
            (
                tally.assignment,
                str(tally.generated),
                "unchanged" if tally.covered else str(len(tally.results)),
                *(str(len(killed)), str(sum(r.is_silent for r in killed))),
                *(str(tally.kinds[kind]) for kind in SURVIVOR_KINDS),
                *(str(len(tally.new)), str(len(tally.of(UNGRADED))), str(len(tally.named)), str(len(tally.doubted))),
                f"{sum(r.seconds for r in tally.results):.0f}",
            )
        )
    return headings, rows


def mutation_record(tally: MutationTally) -> dict[str, Any]:
    """Return what became of an assignment's mutants as JSON-ready data."""
    return {
        "assignment": tally.assignment,
        "generated": tally.generated,
        "unchanged": tally.covered,
        "clean": tally.is_clean,
        "results": [_row(result) for result in sorted(tally.results, key=lambda r: r.mutant.id)],
    }


def _row(result: MutantResult) -> dict[str, Any]:
    mutant = result.mutant
    return {
        **{"id": mutant.id, "task": mutant.task, "operator": mutant.operator, "diff": mutant.diff},
        **{"state": result.state, "missed": list(result.missed), "silent": result.is_silent},
        **{"name": result.name, "doubt": result.doubt, "fault": result.fault, "seconds": round(result.seconds, 2)},
    }


def _tell(output: Output, tally: MutationTally) -> None:
    about = tally.assignment
    for result in tally.new:
        output.warn(f"✗ {about} {result.mutant.id} ({result.mutant.operator}) earns full points:")
        output.warn(entry_of(result.mutant))
    if tally.new:
        output.warn(
            f"Mend the line that should catch it, or put it into solutions/{about}/{FILE_NAME} with its kind "
            f"({', '.join(SURVIVOR_KINDS)}) and reason."
        )
    for result in tally.of(UNGRADED):
        output.warn(f"✗ {about} {result.mutant.id} is ungraded: {result.fault}\n{result.mutant.diff}")
    for result in tally.doubted:
        output.warn(
            f"? {about} {result.mutant.id} was called {result.name} (in {result.mutant.task}): {result.doubt}\n{result.mutant.diff}"
        )
    for result in tally.killed_though_accepted:
        output.warn(f"! {about} {result.mutant.id} is accepted in {FILE_NAME}, but is caught now: leave it out there.")
    for survivor in tally.stale:
        output.warn(f"! {about} {survivor.id} is accepted in {FILE_NAME}, but isn't made any more: leave it out there.")
