"""How far a class is graded: a bar on a terminal, a few words in a log."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Hashable, Iterator
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn


class ClassProgress:
    """Counts what is graded. On a terminal it shows a bar on stderr, above which a logger's lines go on."""

    def __init__(self, title: str, total: int, log: logging.Logger) -> None:
        self.total = total
        self._finished: set[Hashable] = set()
        self._began = time.monotonic()
        self._bar: Progress | None = None
        self._log = log
        self._redirected: list[tuple[logging.StreamHandler[TextIO], TextIO]] = []
        if total > 1 and sys.stderr.isatty():
            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[pace]}"),
                console=Console(stderr=True),
                redirect_stdout=False,
            )
            self._task = self._bar.add_task(title, total=total, pace="")

    def __enter__(self) -> ClassProgress:
        self._began = time.monotonic()
        if self._bar is not None:
            stderr = sys.stderr
            self._bar.start()
            for handler in _handlers(self._log):
                if isinstance(handler, logging.StreamHandler) and handler.stream is stderr:
                    self._redirected.append((handler, handler.stream))
                    handler.setStream(sys.stderr)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            for handler, stream in self._redirected:
                handler.setStream(stream)
            self._redirected.clear()
            self._bar.stop()

    @property
    def finished(self) -> int:
        """How many are graded."""
        return len(self._finished)

    @property
    def seconds(self) -> float:
        """Time since the class was begun."""
        return time.monotonic() - self._began

    def finish(self, item: Hashable) -> None:
        """Count one submission, once."""
        self._finished.add(item)
        if self._bar is not None:
            pace = pace_text(self.finished, self.total, self.seconds)
            self._bar.update(self._task, completed=self.finished, pace=pace)

    def after(self, position: int) -> str:
        """Return what a log line ends with: ` (12/32, 45 a minute, 0:26 left)`, nothing where a bar says it."""
        if self._bar is not None or self.total < 2:
            return ""
        return f" ({position}/{self.total}, {pace_text(position, self.total, self.seconds)})"


def pace_text(finished: int, total: int, seconds: float) -> str:
    """Return the rate so far and the time left at that rate, `45 a minute, 0:26 left`."""
    left = round((total - finished) * seconds / finished) if finished else 0
    minutes, rest = divmod(left, 60)
    return f"{finished / max(seconds, 1e-3) * 60:.0f} a minute, {minutes}:{rest:02} left"


def _handlers(log: logging.Logger) -> Iterator[logging.Handler]:
    """Yield the handlers that a logger's records reach."""
    above: logging.Logger | None = log
    while above is not None:
        yield from above.handlers
        above = above.parent if above.propagate else None
