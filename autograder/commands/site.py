"""The course's own site: `autograder site`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.arguments import AsJson, Quiet
from autograder.commands.output import Output, counted
from autograder.sources.course import load_course


def site(
    folder: Annotated[
        Path, typer.Option(help="Where the pages are written: new, empty, or as this command left it.")
    ] = Path("site"),
    execute: Annotated[
        bool,
        typer.Option(
            "--execute",
            help="Execute the solved notebooks, trainings too, to show what given cells draw and print; once, until their code changes.",
        ),
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write static pages of the course: what it is, each notebook to read, guide, glossary and search; never an answer."""
    from autograder.site.build import build_site

    output = Output(as_json=as_json, quiet=quiet)
    course = load_course()
    with output.progress("site", len(course.source_paths) * len(course.languages)) as advance:
        site_pages = build_site(course, folder, output.warn, execute=execute, advance=advance)
    size = sum(site_pages.files.values()) / 1e6
    output.say(f"{folder / 'index.html'}: {counted(len(site_pages.files), 'file')}, {size:.1f} MB")
    if site_pages.without_outputs:
        output.say(
            f"without what given cells show: {', '.join(site_pages.without_outputs)}. --execute shows it, after minutes of training."
        )
    output.document(
        {"folder": str(folder), "files": site_pages.files, "without_outputs": list(site_pages.without_outputs)}
    )
