"""Canvas as a source: the newest attempts come in, points and the feedback page go back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from autograder.base.errors import CanvasError
from autograder.canvas.connection import Connection
from autograder.canvas.pull import Attempt, attempts, download
from autograder.canvas.push import push_one
from autograder.sources.course import Course
from autograder.watching.sources import Feedback, FoundVersion, Look


class CanvasSource:
    """One course in Canvas."""

    seconds = 30.0

    def __init__(self, course: Course, connection: Connection) -> None:
        self._course = course
        self._connection = connection
        self._users: dict[str, int] = {}

    def look(self, assignment: str) -> Look:
        """Return the newest attempts."""
        found, notes = attempts(self._connection, assignment)
        self._users.update({one.student: one.user for one in found})
        return Look([FoundVersion(one.student, one.version, self._writer(one)) for one in found], notes)

    def _writer(self, attempt: Attempt) -> Callable[[Path], datetime | None]:
        def write(folder: Path) -> datetime | None:
            download(self._connection, attempt, folder)
            return attempt.submitted

        return write

    def hand_back(self, feedback: Feedback) -> str:
        """Send the page, and the points if it is a graded one; points that a person gave in Canvas stay."""
        if feedback.student not in self._users:
            self._users.update({student: user for user, student in self._connection.students().items()})
        if feedback.student not in self._users:
            field = self._connection.settings.match
            raise CanvasError(f"Canvas must have the student. Received: {feedback.student}, which is nobody's {field}.")
        user = self._users[feedback.student]
        done = push_one(
            self._course,
            self._connection,
            feedback.assignment,
            feedback.student,
            user,
            feedback.page,
            is_graded=feedback.is_graded,
        )
        return done.text if done.state == "kept" else ""
