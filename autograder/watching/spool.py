"""Versions of students' work, kept from the moment they are found until their feedback is handed back.

A student may hand in something else, or remove it, before their turn comes. A folder is complete as soon as it has its name:
`.watch/spool/<SHA-256 of assignment, student and content>/<student>/<files>`, a plain folder as `autograder collect` reads it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from autograder.base.folders import remove_folder
from autograder.collecting.layouts import TIMESTAMP, write_timestamp

FOLDER = ".watch"
SECRET = "submission_secret.txt"  # by which a student finds the feedback in nbgrader's exchange
NBGRADERS = (TIMESTAMP, SECRET)


class Spool:
    """The folder of one course."""

    def __init__(self, root: Path) -> None:
        self._folder = root / FOLDER / "spool"

    def take(self, assignment: str, student: str, write: Callable[[Path], datetime | None]) -> str:
        """Keep a version; return its content's SHA-256, in hexadecimal.

        Args:
            assignment, student: ids of the assignment and of the student who handed in.
            write: writes the version's files into an empty folder and returns when they were handed in, None if nobody says.

        Raises:
            CourseError: it can't be read.
            OSError: there is no room.
        """
        for folder in (self._folder.parent, self._folder):
            folder.mkdir(mode=0o700, exist_ok=True)
        partial = Path(tempfile.mkdtemp(dir=self._folder, prefix=".partial-"))
        try:
            own = partial / student
            own.mkdir()
            moment = write(own)
            (own / TIMESTAMP).unlink(missing_ok=True)
            content = content_of(own)
            if moment is not None:
                write_timestamp(own, moment)
            target = self.path(assignment, student, content)
            remove_folder(str(target))  # the same files, handed in at another time
            os.rename(partial, target)
        finally:
            remove_folder(str(partial))
        return content

    def path(self, assignment: str, student: str, content: str) -> Path:
        """Return where a version lies: a folder with the student's folder in it."""
        return self._folder / _digest(assignment, student, content)

    def drop(self, assignment: str, student: str, content: str) -> None:
        """Remove a version that is in `submitted/` now, or that a newer one has superseded."""
        shutil.rmtree(self.path(assignment, student, content), ignore_errors=True)


def content_of(folder: Path) -> str:
    """Return the SHA-256, in hexadecimal, of a flat folder's files and their names; what nbgrader adds is no content."""
    paths = [path for path in sorted(folder.iterdir()) if path.name not in NBGRADERS]
    parts = [f"{path.name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}" for path in paths]
    return _digest(*parts)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
