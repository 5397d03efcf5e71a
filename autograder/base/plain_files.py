"""Files that somebody else may have laid: they are opened only if they are what they seem to be."""

from __future__ import annotations

import os
import stat
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
