"""The tables that commands print: headings and rows of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from autograder.base.names import shown
from autograder.collecting.collect import Collected
from autograder.commands.doctor import Diagnosis
from autograder.commands.output import Output
from autograder.proof.check import Tally
from autograder.proof.record import Difference
from autograder.sources.notebooks import NotebookSource

if TYPE_CHECKING:
    from autograder.gradebook.scores import StudentScores

Table = tuple[Sequence[str], Sequence[Sequence[str]]]
KINDS = ("solution", "release", "mistake", "variant", "alternative")


def check_table(tallies: Iterable[Tally]) -> Table:
    """Return one row per assignment of the proof."""
    headings = (
        *("assignment", "solutions full", "releases at 0", "mistakes caught", "named", "misnamed"),
        *("variants caught", "follow-on points lost", "right undocked", "seconds"),
    )
    rows: list[Sequence[str]] = []
    for tally in tallies:
        counts = {kind: f"{tally.good(kind)}/{len(tally.of(kind))}" for kind in KINDS}
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
                **{f"{kind}s": {"good": tally.good(kind), "of": len(tally.of(kind))} for kind in KINDS},
                "named": sum(r.named for r in tally.of("mistake")),
                "misnamed": sum(r.misnamed for r in tally.of("mistake")),
                "follow_on_points_lost": sum(r.follow_on for r in tally.of("mistake")),
                "seconds": round(sum(r.seconds for r in tally.results), 1),
                "failed": [{"kind": r.case.kind, "id": r.case.id, "why": r.failed} for r in tally.results if r.failed],
            }
            for tally in tallies
        ],
    }


def doctor_table(diagnosis: Diagnosis) -> Table:
    """Return one row per guarantee of the seal."""
    rows: list[Sequence[str]] = []
    for finding in diagnosis.findings:
        tried = finding.broken or "held"
        if finding.is_accepted:
            tried += " (done without, by unsafe_allow_missing)"
        rows.append((*finding.promise, finding.layer or "nothing", tried))
    return ("guarantee", "that", "given by", "tried"), rows


def doctor_record(diagnosis: Diagnosis) -> dict[str, Any]:
    """Return a diagnosis as JSON-ready data."""
    return {
        "can_grade": diagnosis.is_good,
        "guarantees": [
            {
                "guarantee": finding.guarantee,
                "given_as": finding.promise[0],
                "layer": finding.layer,
                "broken": finding.broken,
                "done_without": finding.is_accepted,
            }
            for finding in diagnosis.findings
        ],
        "missing_layers": dict(diagnosis.layers.reasons),
        "threads": diagnosis.threads,
    }


def scores_table(source: NotebookSource, rows: Iterable[StudentScores]) -> Table:
    """Return one row per student of an assignment; `?` where a task is ungraded."""
    headings = ("student", *(slug.replace("-", " ") for slug in source.points), "total")
    cells = [
        (row.student, *("?" if p is None else f"{p:g}" for p in row.points.values()), f"{row.total:g}") for row in rows
    ]
    return headings, cells


def collected_table(collected: Collected) -> Table:
    """Return one row per student of a download."""
    rows: list[Sequence[str]] = []
    for arrival in collected.plan.arrivals:
        when = f"{arrival.submitted:%Y-%m-%d %H:%M} UTC" if arrival.submitted else ""
        said = [*arrival.trouble, collected.faults.get(arrival.student, ""), *collected.notes_on(arrival)]
        rows.append(
            (
                *(arrival.student, shown(arrival.called), collected.states[arrival.student]),
                when + (" LATE" if arrival.is_late else ""),
                *(shown(", ".join(arrival.files)), "; ".join(shown(one) for one in said if one)),
            )
        )
    return ("student", "in the download", "now", "handed in", "files", "note"), rows


def tell_what_needs_a_look(output: Output, collected: Collected) -> None:
    """Say what of a download is not in `submitted` as it was handed in, and what to do about it."""
    plan = collected.plan
    for one in plan.unknown:
        output.warn(shown(f"unknown: {one.path}: {one.reason}"))
    for one in plan.skipped:
        output.warn(shown(f"left out: {one.path}: {one.reason}"))
    for arrival in plan.arrivals:
        for reason in [*arrival.trouble, *filter(None, [collected.faults.get(arrival.student)])]:
            output.warn(shown(f"{arrival.student}: {reason}"))
    kept = [student for student, state in collected.states.items() if state == "kept"]
    if kept:
        output.warn(
            f"kept what was there, which differs from the download: {', '.join(kept)}. Replace it with --force, then grade "
            "it again with `nbgrader autograde --force`."
        )
    late = [arrival.student for arrival in plan.arrivals if arrival.is_late and arrival.submitted is None]
    if late:
        output.warn(
            f"Canvas calls late, without a time: {', '.join(late)}. For a penalty write when it came into "
            f"submitted/<student>/{plan.assignment}/timestamp.txt, e.g. 2026-11-03 23:59:00 UTC."
        )
