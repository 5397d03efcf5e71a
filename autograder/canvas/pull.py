"""What students handed in at Canvas: their newest attempts, brought into `submitted/` as `autograder collect` does."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dateutil import parser as dates

from autograder.base.errors import CanvasError
from autograder.base.names import fault_of_id, is_file_name, shown
from autograder.canvas.connection import Connection
from autograder.collecting.collect import Collected, collect
from autograder.collecting.layouts import TIMESTAMP, write_timestamp
from autograder.sources.course import Course


@dataclass(frozen=True)
class Attempt:
    """One student's newest attempt.

    Attributes:
        student: nbgrader's id of the student.
        user: Canvas's number of the student.
        number: number of the attempt, from 1.
        submitted: the time of handing in, in UTC; None if Canvas doesn't say.
        files: (name, address, Canvas's number) of each file.
    """

    student: str
    user: int
    number: int
    submitted: datetime | None
    files: Sequence[tuple[str, str, int]]

    @property
    def version(self) -> str:
        """A name that no other attempt of the student has, and this one has at every look."""
        return f"{self.number}:{','.join(str(number) for _, _, number in self.files)}"[:255]


def attempts(connection: Connection, assignment: str) -> tuple[list[Attempt], list[str]]:
    """Return the newest attempt of each student who handed in files, and what an instructor should look at.

    Raises:
        CanvasError: Canvas can't be read.
    """
    students = connection.students()
    canvas_assignment = connection.assignment(assignment)
    found: list[Attempt] = []
    notes: list[str] = []
    for one in connection.with_retries(lambda: list(canvas_assignment.get_submissions())):
        student = students.get(int(one.user_id), "")
        if not one.attachments or not getattr(one, "attempt", None):
            continue
        if fault := "no student of the course" if not student else fault_of_id(student):
            notes.append(f"left out: Canvas's user {one.user_id} {shown(student)}: {fault}")
            continue
        files = [(str(file.display_name), str(file.url), int(file.id)) for file in one.attachments]
        found.append(Attempt(student, int(one.user_id), int(one.attempt), _moment(one), files))
    return sorted(found, key=lambda attempt: attempt.student), notes


def download(connection: Connection, attempt: Attempt, folder: Path) -> list[str]:
    """Write an attempt's files into an empty folder; return what was left out and why.

    Raises:
        CanvasError: a file can't be had.
    """
    notes: list[str] = []
    for name, url, _ in attempt.files:
        if not is_file_name(name) or name == TIMESTAMP:
            notes.append(f"{attempt.student}: left out {shown(name)}: a name that no file of a submission has")
        elif (folder / name).exists():
            notes.append(f"{attempt.student}: left out a second file of the name {shown(name)}")
        else:
            connection.download(url, folder / name)
    return notes


def pull(
    course: Course, connection: Connection, assignment: str, *, force: bool = False, dry_run: bool = False
) -> tuple[Collected | None, list[Attempt], list[str]]:
    """Bring the newest attempts into `submitted/`.

    Args:
        course: the course whose sources and configuration are used.
        connection: the connection to Canvas.
        assignment: id of the assignment, e.g. `01-first-steps`.
        force: replace submissions that differ; what was there is moved to `superseded/`.
        dry_run: download and write nothing.

    Returns:
        What became of them, None where nothing was written; the attempts; what an instructor should look at.

    Raises:
        CanvasError: Canvas can't be read; nothing was written.
        CourseError: what was handed in is another assignment's.
    """
    course.source(assignment)
    found, notes = attempts(connection, assignment)
    if dry_run or not found:
        return None, found, notes
    with tempfile.TemporaryDirectory(prefix="ag-canvas-") as folder:
        for attempt in found:
            own = Path(folder, attempt.student)
            own.mkdir()
            try:
                notes += download(connection, attempt, own)
            except CanvasError as error:
                raise CanvasError(f"{attempt.student}: {error}") from None
            if attempt.submitted is not None:
                write_timestamp(own, attempt.submitted)
        return collect(course, assignment, Path(folder), lambda kind: None, force=force), found, notes


def _moment(submission: Any) -> datetime | None:
    text = getattr(submission, "submitted_at", None)
    return dates.parse(text).astimezone(UTC) if text else None
