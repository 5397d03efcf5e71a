"""Verdicts kept from one run to the next, so that an unchanged submission isn't graded again."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

from autograder.base.plain_files import open_plain_file
from autograder.submissions.verdicts import Verdict, unpack

FOLDER = ".verdicts"
MAX_BYTES = 1 << 30


class VerdictCache:
    """One file per assignment and student in a folder that only its owner can read.

    Whatever a file holds, the worst that comes of it is that a submission is graded again.
    """

    def __init__(self, root: Path) -> None:
        self._folder = root / FOLDER

    def path(self, assignment: str, student: str) -> Path:
        """Return where a verdict is kept; a student's id may hold any characters, so it is hashed."""
        name = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / assignment / f"{name}.json.gz"

    def read(self, assignment: str, student: str, key: str) -> Verdict | None:
        """Return the verdict that is kept under a key, if there is a sound one."""
        try:
            stored_key, verdict = unpack(_own_content(self.path(assignment, student)))
        except (OSError, ValueError):
            return None
        if stored_key != key or verdict.ungraded or (verdict.assignment, verdict.student) != (assignment, student):
            return None
        return verdict

    def write(self, assignment: str, student: str, packed: bytes) -> None:
        """Keep a packed verdict in the place of the student's last one.

        Raises:
            OSError: it can't be written; what was there before still is, or nothing.
        """
        path = self.path(assignment, student)
        for folder in (self._folder, path.parent):
            folder.mkdir(mode=0o700, exist_ok=True)
            folder.chmod(0o700)
        descriptor, partial = tempfile.mkstemp(dir=path.parent, prefix=".partial-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(packed)
            os.replace(partial, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(partial)
            raise


def _own_content(path: Path) -> bytes:
    """Return the content of a plain file of this user's.

    Raises:
        OSError: it is something else, somebody else's, or can't be read.
    """
    with open_plain_file(path) as file:
        status = os.fstat(file.fileno())
        if status.st_uid != os.geteuid() or status.st_size > MAX_BYTES:
            raise OSError(f"{path} is not a kept verdict of this user's.")
        return file.read()
