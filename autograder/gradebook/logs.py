"""Logs of nbgrader's commands: made harmless for terminals, or captured."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from autograder.base.names import shown


def escape_logs() -> None:
    """Let this process write control characters escaped into its logs; lines and tabs stay. A second call changes nothing."""
    if not isinstance(make := logging.getLogRecordFactory(), _Escaping):
        logging.setLogRecordFactory(_Escaping(make))


@contextmanager
def captured_errors(log: logging.Logger) -> Generator[list[str]]:
    """Collect the errors that a logger is given, in a list; nothing that it is given is printed meanwhile."""
    errors: list[str] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: errors.append(record.getMessage())  # type: ignore[method-assign]
    propagate, handlers = log.propagate, log.handlers
    log.propagate, log.handlers = False, [handler]
    try:
        yield errors
    finally:
        log.propagate, log.handlers = propagate, handlers


class _Escaping:
    def __init__(self, make: Any) -> None:
        self._make = make

    def __call__(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record: logging.LogRecord = self._make(*args, **kwargs)
        try:
            message = record.getMessage()
        except Exception:  # noqa: BLE001  (a message that doesn't fit its arguments: logging tells it when it writes)
            return record
        if not message.isprintable():
            record.msg, record.args = "\n".join(map(_escaped, message.split("\n"))), None
        return record


def _escaped(line: str) -> str:
    return "\t".join(map(shown, line.split("\t")))
