"""Plain files: opened only if they are what they seem to be, since somebody else may have laid them, and written whole."""

from __future__ import annotations

import os
import stat
import tempfile
from io import BufferedReader
from pathlib import Path


class NotPlainFileError(OSError):
    """There is something, and it is a folder, a pipe, a socket or a device."""


def open_plain_file(path: str | os.PathLike[str]) -> BufferedReader:
    """Open a plain file for reading; follow no link at its end and wait for no pipe.

    Raises:
        NotPlainFileError: it is something else.
        OSError: it is a link, isn't there, or can't be opened.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NotPlainFileError(f"A plain file was expected. Received: {Path(path)}, which is none.")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def write_plain_file(path: Path, content: bytes) -> None:
    """Write a file that everybody may read, whole at every moment; a link of that name is replaced, never followed.

    Raises:
        OSError: it can't be written; what was there before is there still.
    """
    descriptor, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:64]}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(partial, 0o644)
        os.replace(partial, path)
    except BaseException:
        os.unlink(partial)
        raise
