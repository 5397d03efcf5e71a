"""Logs of nbgrader's commands, in which a folder's name or a student's line steers no terminal."""

from __future__ import annotations

import logging
from typing import Any

from autograder.base.names import shown


def escape_logs() -> None:
    """Let this process write control characters escaped into its logs; lines and tabs stay. A second call changes nothing."""
    if not isinstance(make := logging.getLogRecordFactory(), _Escaping):
        logging.setLogRecordFactory(_Escaping(make))


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
