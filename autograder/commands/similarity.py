"""`autograder similarity`: answers laid out for JPlag and Dolos."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.base.names import shown
from autograder.commands.arguments import AsJson, Assignment, Quiet
from autograder.commands.output import Output, counted
from autograder.sources.course import load_course
from autograder.submissions.similarity import write_similarity_folder


def similarity(
    assignment: Assignment,
    folder: Annotated[Path, typer.Argument(help="For the files; new, empty or from an earlier call.")],
    pseudonyms: Annotated[
        Path | None,
        typer.Option(
            help="Put pseudonyms in the place of the students' ids, and keep who is who in this file, which must lie outside of "
            "the folder; one that is there is used and added to."
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Lay out what students wrote for JPlag and Dolos, which look for similar code, with the release as base code."""
    output = Output(as_json=as_json, quiet=quiet)
    laid_out = write_similarity_folder(load_course(), assignment, folder, pseudonyms)
    for student, reason in laid_out.left_out.items():
        output.warn(shown(f"left out: {student}: {reason}"))
    for student in laid_out.cut:
        output.warn(shown(f"{student}: an answer is too long to be compared whole, and was cut"))
    output.say(f"{folder}: {counted(len(laid_out.names), 'submission')}, {len(laid_out.left_out)} left out")
    for command in laid_out.commands:
        output.say(f"  {command}")
    output.document(
        {
            "folder": str(folder),
            "submissions": sorted(laid_out.names.values()),
            "left_out": laid_out.left_out,
            "cut": laid_out.cut,
            "commands": list(laid_out.commands),
        }
    )
