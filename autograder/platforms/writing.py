"""Results written whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from autograder.base.errors import CourseError, MachineError
from autograder.base.plain_files import write_plain_file
from autograder.platforms.formats import FORMATS


def require_one_format(name: str, into: Path | None, files: Sequence[Path], *, as_json: bool) -> None:
    """Refuse options of `autograder grade` that don't go together.

    Args:
        name: a format's name, empty for none.
        into: file to write, None for stdout.
        files: notebooks to grade.
        as_json: whether this project's own JSON is asked for.

    Raises:
        CourseError: which ones, and what to do.
    """
    if not name and into is not None:
        raise CourseError("--output is where --format is written. Received: --output alone. Name a format too.")
    if name and name not in FORMATS:
        raise CourseError(f"--format must be one of {', '.join(FORMATS)}. Received: {name!r}.")
    if name and (as_json or len(files) != 1):
        raise CourseError(
            f"--format writes one notebook's result, in place of --json. Received: {len(files)} notebooks"
            f"{' and --json' if as_json else ''}. Nothing was graded."
        )


def write_result(text: str, into: Path | None) -> None:
    """Write a result to stdout or into a file: whoever looks finds the whole file or, until it is whole, what was there before.

    Args:
        text: what to write.
        into: path of the file, None for stdout.

    Raises:
        MachineError: the file can't be written.
    """
    if into is None:
        sys.stdout.write(text)
        return
    try:
        into.parent.mkdir(parents=True, exist_ok=True)
        write_plain_file(into, text.encode())
    except OSError as error:
        raise MachineError(f"The result could not be written to {into}: {error.strerror}.") from error
