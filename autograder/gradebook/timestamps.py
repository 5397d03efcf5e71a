"""Times of handing in that a student may have written: nbgrader reads them only if that neither blocks nor fails."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Any

from autograder.collecting.layouts import MAX_TIMESTAMP_BYTES, TIMESTAMP


@contextmanager
def unreadable_timestamps_ignored(converter: Any) -> Generator[None]:
    """Let one of nbgrader's converters ignore, with a warning, each `timestamp.txt` that holds no time.

    Args:
        converter: nbgrader's `Autograde` or `GenerateFeedback`.
    """
    coursedir, log = converter.coursedir, converter.log
    read = coursedir.get_existing_timestamp

    def read_plain_file(folder: str) -> Any:
        with suppress(FileNotFoundError):
            status = os.lstat(os.path.join(folder, TIMESTAMP))
            if stat.S_ISREG(status.st_mode) and status.st_size <= MAX_TIMESTAMP_BYTES:
                with suppress(Exception):  # whatever it holds
                    return read(folder)
            log.warning("No time can be read from %s/%s: ignored", folder, TIMESTAMP)
        return None

    coursedir.get_existing_timestamp = read_plain_file
    try:
        yield
    finally:
        del coursedir.get_existing_timestamp
