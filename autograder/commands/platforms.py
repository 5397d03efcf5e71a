"""The commands that write what other platforms grade with: arguments and calls."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.arguments import AsJson, Assignment, Quiet
from autograder.commands.output import Output
from autograder.platforms import gradescope, prairielearn
from autograder.platforms.bundle import Platform
from autograder.sources.course import load_course

STUDENT_IDS = ("email", "login", "name")
Minutes = Annotated[float, typer.Option(help="After which the platform stops a grading, as set there.")]
Cores = Annotated[float, typer.Option(help="Processor cores that its container has; one with fewer is refused.")]
Gigabytes = Annotated[float, typer.Option(help="GiB of memory that its container has; one with less is refused.")]


def write_gradescope_zip(
    assignment: Assignment,
    folder: Annotated[Path, typer.Option(help="Where the zip is written.")] = Path("platforms"),
    minutes: Minutes = 10,
    cores: Cores = 0.5,
    gigabytes: Gigabytes = 2,
    tries: Annotated[int, typer.Option(min=0, help="Gradings of one student a day; 0: any number.")] = 0,
    student: Annotated[
        str, typer.Option(help=f"What of a Gradescope user is the student's id here: {', '.join(STUDENT_IDS)}.")
    ] = STUDENT_IDS[0],
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write the zip by which Gradescope grades an assignment. It holds the term's secret."""
    if student not in STUDENT_IDS:
        raise typer.BadParameter(f"--student must be one of {', '.join(STUDENT_IDS)}. Received: {student}.")
    output = Output(as_json=as_json, quiet=quiet)
    platform = Platform(int(minutes * 60), cores, int(gigabytes * 2**30), tries, student)
    path = folder / f"{assignment}-gradescope.zip"
    gradescope.write_autograder(load_course(), assignment, path, platform, output.say)
    output.say(f"wrote {path}: upload it under Configure Autograder; its README.md says how")
    output.document({"zip": str(path)})


def write_prairielearn_question(
    assignment: Assignment,
    folder: Annotated[Path, typer.Argument(help="Of your PrairieLearn course.")],
    image: Annotated[
        str, typer.Option(help="Name of the container image that you build from environments/autograder and publish.")
    ],
    minutes: Minutes = 10,
    cores: Cores = 0.5,
    gigabytes: Gigabytes = 2,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a question that PrairieLearn grades externally into a PrairieLearn course. It holds the term's secret."""
    output = Output(as_json=as_json, quiet=quiet)
    platform = Platform(int(minutes * 60), cores, int(gigabytes * 2**30))
    paths = prairielearn.write_question(load_course(), assignment, folder, image, platform, output.say)
    for path in paths:
        if path.suffix in (".json", ".html") or path.name == "Dockerfile":
            output.say(f"wrote {path}")
    output.say(f"Next: docker build -t {image} {folder}/environments/autograder, publish it, then sync the course.")
    output.document({"files": [str(path) for path in paths]})
