"""How the commands speak: tables and bars on a terminal, plain lines in a pipe, one JSON document, or nothing."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text as Plain

from autograder.base.visible import escaped_json, visible
from autograder.scheduling.progress import pace_text

LINES = 10  # of progress where there is no terminal
WIDE = 1000  # a pipe or a log file has no width of its own


class Output:
    """What one command prints.

    Results go to stdout; progress and whatever needs a look go to stderr, so that stdout is the JSON document alone under
    `--json`, and nothing under `--quiet`. Nothing that a student named or wrote steers the terminal.
    """

    def __init__(self, *, as_json: bool = False, quiet: bool = False) -> None:
        self._as_json = as_json
        self._quiet = quiet
        self._out = _console(stderr=False)
        self._err = _console(stderr=True)

    def say(self, text: str, *, markup: bool = False) -> None:
        """Print a line of the result for people."""
        if not (self._as_json or self._quiet):
            self._out.print(visible(text), markup=markup, highlight=False, soft_wrap=True)

    def warn(self, text: str) -> None:
        """Print what needs a look, always."""
        self._err.print(visible(text), markup=False, highlight=False, soft_wrap=True)

    def table(self, title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Print a table for people: framed on a terminal, in columns elsewhere; numbers stand to the right."""
        if self._as_json or self._quiet:
            return
        is_framed = self._out.is_terminal
        table = Table(
            title=Plain(visible(title)) if title else None,
            title_justify="left",
            box=box.HEAVY_HEAD if is_framed else None,
            pad_edge=is_framed,
        )
        for number, heading in enumerate(headings):
            right = bool(rows) and all(_is_number(row[number]) for row in rows)
            table.add_column(heading, no_wrap=number == 0, overflow="fold", justify="right" if right else "left")
        for row in rows:
            # as text: a student's name in square brackets is no style
            table.add_row(*(Plain(visible(cell)) for cell in row))
        self._out.print(table, markup=False, highlight=False)

    def document(self, data: Any) -> None:
        """Print the JSON document, if it was asked for."""
        if self._as_json:
            print(escaped_json(json.dumps(data, ensure_ascii=False, indent=1)))

    def event(self, data: Any) -> None:
        """Print one line of JSON at once, if JSON was asked for."""
        if self._as_json:
            print(escaped_json(json.dumps(data, ensure_ascii=False)), flush=True)

    @contextmanager
    def progress(self, title: str, total: int) -> Generator[Callable[[], None]]:
        """Show how far something is: a bar on a terminal, else a line every tenth of the way.

        Yields:
            A function to call at each step done.
        """
        if self._quiet or not total:
            yield lambda: None
        elif self._err.is_terminal:
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[pace]}"),
            )
            with Progress(*columns, console=self._err, redirect_stdout=False) as bar:
                task = bar.add_task(title, total=total, pace="")
                yield _Steps(total, lambda done, pace: bar.update(task, completed=done, pace=pace)).step
        else:
            yield _Steps(total, lambda done, pace: self._say_tenth(title, done, total, pace)).step

    def _say_tenth(self, title: str, done: int, total: int, pace: str) -> None:
        if done * LINES // total > (done - 1) * LINES // total:
            self.warn(f"{title}: {done}/{total}, {pace}")


def counted(count: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun: `1 case`, `2 cases`.

    Args:
        count: the number.
        singular: the noun for the number 1.
        plural: the noun for any other number; empty: the singular with an s.
    """
    return f"{count} {singular if count == 1 else plural or singular + 's'}"


class _Steps:
    """Counts steps and tells the pace of them."""

    def __init__(self, total: int, tell: Callable[[int, str], None]) -> None:
        self._total = total
        self._tell = tell
        self._done = 0
        self._began = time.monotonic()

    def step(self) -> None:
        self._done += 1
        self._tell(self._done, pace_text(self._done, self._total, time.monotonic() - self._began))


def _console(*, stderr: bool) -> Console:
    is_terminal = (sys.stderr if stderr else sys.stdout).isatty()
    return Console(stderr=stderr, width=None if is_terminal else WIDE, force_terminal=is_terminal)


def _is_number(cell: str) -> bool:
    return not cell.strip("0123456789.-/?")
