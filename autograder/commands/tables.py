"""The tables that commands print: headings and rows of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from autograder.base.names import shown
from autograder.collecting.collect import Collected
from autograder.commands.doctor import Diagnosis
from autograder.commands.output import Output
from autograder.sources.notebooks import NotebookSource

if TYPE_CHECKING:
    from autograder.gradebook.scores import StudentScores

Table = tuple[Sequence[str], Sequence[Sequence[str]]]


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
        notes = [*arrival.trouble, collected.faults.get(arrival.student, ""), *collected.notes_on(arrival)]
        rows.append(
            (
                *(arrival.student, shown(arrival.called), collected.states[arrival.student]),
                when + (" LATE" if arrival.is_late else ""),
                *(shown(", ".join(arrival.files)), "; ".join(shown(text) for text in notes if text)),
            )
        )
    return ("student", "in the download", "now", "handed in", "files", "note"), rows


def tell_what_needs_a_look(output: Output, collected: Collected) -> None:
    """Say what of a download is not in `submitted` as it was handed in, and what to do about it."""
    plan = collected.plan
    for file in plan.unknown:
        output.warn(shown(f"unknown: {file.path}: {file.reason}"))
    for file in plan.skipped:
        output.warn(shown(f"left out: {file.path}: {file.reason}"))
    for arrival in plan.arrivals:
        for reason in [*arrival.trouble, *filter(None, [collected.faults.get(arrival.student)])]:
            output.warn(shown(f"{arrival.student}: {reason}"))
    unchanged = [student for student, state in collected.states.items() if state == "kept"]
    if unchanged:
        output.warn(
            f"kept what was there, which differs from the download: {', '.join(unchanged)}. Replace it with --force, then grade "
            "it again with `nbgrader autograde --force`."
        )
    late = [arrival.student for arrival in plan.arrivals if arrival.is_late and arrival.submitted is None]
    if late:
        output.warn(
            f"Canvas calls late, without a time: {', '.join(late)}. For a penalty write when it came into "
            f"submitted/<student>/{plan.assignment}/timestamp.txt, e.g. 2026-11-03 23:59:00 UTC."
        )
