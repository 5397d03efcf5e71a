"""The command `autograder watch`."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autograder.base.errors import CourseError
from autograder.base.names import shown
from autograder.commands.arguments import Assignments, chosen_assignments
from autograder.commands.output import Output
from autograder.sources.course import Course, load_course

if TYPE_CHECKING:
    from autograder.gradebook.handins import Ledger
    from autograder.gradebook.nbgrader_steps import NbgraderSteps
    from autograder.watching.sources import Source

EXCHANGE, CANVAS = "exchange", "canvas"
PORT = 8765
LOUD = ("note", "warning", "error", "failed", "again later", "not given", "lost")


def watch(
    assignments: Assignments = None,
    source: Annotated[
        str, typer.Option("--from", help="Where students hand in: `exchange` (nbgrader's), `canvas`, or a folder.")
    ] = EXCHANGE,
    feedback: Annotated[
        Path | None, typer.Option(help="Folder that gets the feedback, where students hand in in a folder.")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="End when nothing more can be done now.")] = False,
    port: Annotated[int, typer.Option(help="Of the status page on this machine; 0: any free one.")] = PORT,
    page: Annotated[bool, typer.Option("--page/--no-page", help="Serve the status page.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print each event as a line of JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only what needs a look.")] = False,
) -> None:
    """Collect, grade and hand back, again and again; with --once ends with 1 if something stayed undone."""
    from autograder.gradebook.handins import Ledger
    from autograder.gradebook.nbgrader_steps import NbgraderSteps
    from autograder.watching.holder import process_name
    from autograder.watching.page import StatusPage
    from autograder.watching.watch import Watch

    output = Output(as_json=as_json, quiet=quiet)
    course = load_course()
    chosen = chosen_assignments(course, assignments)
    if feedback is not None and source in (EXCHANGE, CANVAS):
        raise CourseError(f"--feedback goes with a folder alone. Received: --from {source}. Leave it out.")

    def tell(event: dict[str, Any]) -> None:
        output.event(event)
        (output.warn if event["event"] in LOUD and not as_json else output.say)(_sentence(event))

    with ExitStack() as stack:
        nbgrader = NbgraderSteps(course)
        ledger = Ledger(course, process_name(), output.warn)
        stack.callback(ledger.close)
        stop = stack.enter_context(_stopped_by_signals())
        watcher = Watch(course, chosen, _source(course, source, feedback, nbgrader, ledger), ledger, nbgrader, tell)
        if page and not once:
            served = StatusPage(course.root, course.id, lambda: watcher.state, port)
            stack.callback(served.close)
            tell({"event": "page", "text": served.url})
        is_done = watcher.run(stop, once=once)
    if not is_done:
        raise typer.Exit(1)


def _source(course: Course, name: str, feedback: Path | None, nbgrader: NbgraderSteps, ledger: Ledger) -> Source:
    from autograder.watching.sources import ExchangeSource, FolderSource

    if name == EXCHANGE:
        return ExchangeSource(course, nbgrader.exchange, check_owner=nbgrader.checks_owner)
    if name == CANVAS:
        from autograder.canvas.connection import connect
        from autograder.watching.canvas_source import CanvasSource

        return CanvasSource(course, connect(course))
    folder = Path(name).resolve()
    if not folder.is_dir():
        fault = "is no folder" if folder.exists() else "isn't there"
        raise CourseError(
            f"--from must be exchange, canvas or a folder that is there. Received: {name}, which {fault}. "
            "Make the folder, or correct its name."
        )
    return FolderSource(course, folder, feedback.resolve() if feedback else None)


def _sentence(event: Mapping[str, Any]) -> str:
    about = " ".join(str(event[name]) for name in ("assignment", "student") if name in event)
    after = f" after {event['seconds']} s" if "seconds" in event else ""
    text = event.get("text") or ", ".join(event.get("assignments", ()))
    return shown(": ".join(part for part in (f"{event['event']}{after}", about, str(text)) if part))


@contextmanager
def _stopped_by_signals() -> Generator[threading.Event]:
    """Yield an event that Ctrl-C, SIGTERM and SIGHUP set; what is begun is begun again by the next watch."""
    stop = threading.Event()
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in numbers}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
