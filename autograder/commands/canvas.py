"""The commands `autograder canvas pull` and `autograder canvas push`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from autograder.base.names import shown
from autograder.commands.arguments import AsJson, Assignment, Force, Quiet
from autograder.commands.output import Output, counted
from autograder.commands.tables import collected_table, tell_what_needs_a_look
from autograder.sources.course import load_course

app = typer.Typer(no_args_is_help=True, help="Take work from Canvas, and send points and feedback pages there.")
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only tell what would be done.")]


@app.command()
def pull(
    assignment: Assignment,
    force: Force = False,
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
                shown(attempt.student),
                str(attempt.number),
                str(attempt.submitted or ""),
                shown(", ".join(name for name, _, _ in attempt.files)),
            )
            for attempt in found
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
        {"student": attempt.student, "attempt": attempt.number, "files": [name for name, _, _ in attempt.files]}
        for attempt in found
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
    rows = [
        (shown(result.student), result.state, "" if result.points is None else f"{result.points:g}", result.text)
        for result in done
    ]
    output.table("", ("student", "state", "points", ""), rows)
    states = [result.state for result in done]
    counts = [f"{states.count(state)} {state}" for state in STATES if state in states]
    output.say(f"{assignment}: {', '.join(counts) or 'nobody is graded'}{' (nothing was sent)' if dry_run else ''}")
    for result in needs_a_look(done):
        output.warn(shown(f"{result.student}: {result.state}: {result.text}"))
    output.document({"assignment": assignment, "dry_run": dry_run, "students": [asdict(result) for result in done]})
    if needs_a_look(done):
        raise typer.Exit(1)
