"""The commands `autograder canvas pull` and `autograder canvas push`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from autograder.base.names import shown
from autograder.commands.output import Output, counted
from autograder.commands.tables import collected_table, tell_what_needs_a_look
from autograder.sources.course import load_course

app = typer.Typer(no_args_is_help=True, help="Take work from Canvas, and send points and feedback pages there.")
Assignment = Annotated[str, typer.Argument(help="Which, e.g. 01-first-steps.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only tell what would be done.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document to stdout, and nothing else there.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print only what needs a look; the exit status tells the rest.")]


@app.command()
def pull(
    assignment: Assignment,
    force: Annotated[
        bool, typer.Option("--force", help="Replace submissions that differ; the old ones move to superseded/.")
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Bring each student's newest attempt into submitted/. Ends with 1 if something of it needs a look."""
    from autograder.canvas.connection import connect
    from autograder.canvas.pull import pull as pull_attempts

    output = Output(as_json=as_json, quiet=quiet)
    course = load_course()
    collected, found, notes = pull_attempts(course, connect(course), assignment, force=force, dry_run=dry_run)
    who = f"{assignment}: {counted(len(found), 'student has', 'students have')} handed in"
    if collected is None:
        rows = [
            (
                shown(one.student),
                str(one.number),
                str(one.submitted or ""),
                shown(", ".join(name for name, _, _ in one.files)),
            )
            for one in found
        ]
        output.table("", ("student", "attempt", "handed in", "files"), rows)
        output.say(f"{who}; nothing was written")
    else:
        output.table("", *collected_table(collected))
        tell_what_needs_a_look(output, collected)
        output.say(who)
    for note in notes:
        output.warn(note)
    attempts = [
        {"student": one.student, "attempt": one.number, "files": [name for name, _, _ in one.files]} for one in found
    ]
    output.document({"attempts": attempts, "notes": notes, "collected": collected.record() if collected else None})
    if notes or (collected and not collected.is_complete):
        raise typer.Exit(1)


@app.command()
def push(
    assignment: Assignment,
    force: Annotated[bool, typer.Option("--force", help="Replace points that a person gave in Canvas.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Send points and feedback pages to Canvas, which gets nothing twice. Ends with 1 if somebody needs a look."""
    from autograder.canvas.connection import connect
    from autograder.canvas.push import STATES, needs_a_look
    from autograder.canvas.push import push as push_grades

    output = Output(as_json=as_json, quiet=quiet)
    course = load_course()
    done = push_grades(course, connect(course), assignment, force=force, dry_run=dry_run)
    rows = [(shown(one.student), one.state, "" if one.points is None else f"{one.points:g}", one.text) for one in done]
    output.table("", ("student", "state", "points", ""), rows)
    counts = [
        f"{sum(one.state == state for one in done)} {state}" for state in STATES if any(o.state == state for o in done)
    ]
    output.say(f"{assignment}: {', '.join(counts) or 'nobody is graded'}{' (nothing was sent)' if dry_run else ''}")
    for one in needs_a_look(done):
        output.warn(shown(f"{one.student}: {one.state}: {one.text}"))
    output.document({"assignment": assignment, "dry_run": dry_run, "students": [asdict(one) for one in done]})
    if needs_a_look(done):
        raise typer.Exit(1)
