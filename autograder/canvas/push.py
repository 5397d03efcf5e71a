"""Points and feedback pages for Canvas: what Canvas has already is never sent again, and nobody gets a point no grader gave.

A comment carries the beginning of its page's SHA-256, `[feedback 3f9a1c2290ab]`: by that a later push knows it again, whatever
else was lost. The points last pushed are kept in the gradebook's database: if Canvas shows others, a person changed them there,
and they stay.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.base.errors import CanvasError
from autograder.canvas.connection import Connection
from autograder.canvas.sent_points import SentPoints
from autograder.gradebook.database import open_gradebook
from autograder.gradebook.exports import Grades, read_book
from autograder.sources.course import Course

# `kept`: Canvas shows points that a person gave there; `unknown`: no such student in Canvas
STATES = ("pushed", "unchanged", "kept", "ungraded", "unknown", "failed")
NEEDS_A_LOOK = ("kept", "ungraded", "unknown", "failed")
SAME = 0.005  # points; Canvas keeps two digits


@dataclass(frozen=True)
class Pushed:
    """What became of one student's points and page.

    Attributes:
        student: nbgrader's id of the student.
        state: one of `STATES`; with `dry_run`, what would become.
        points: points that Canvas shows now, or would show; None if this course gave none.
        text: what was sent, or why nothing was.
    """

    student: str
    state: str
    points: float | None = None
    text: str = ""


def push(
    course: Course, connection: Connection, assignment: str, *, force: bool = False, dry_run: bool = False
) -> list[Pushed]:
    """Send every graded student's points and feedback page.

    Args:
        course: the course whose sources and configuration are used.
        connection: the connection to Canvas.
        assignment: id of the assignment, e.g. `01-first-steps`.
        force: replace points that a person gave in Canvas.
        dry_run: only tell what would be sent.

    Raises:
        CanvasError: Canvas can't be read, or its assignment has other points.
        GradebookError: the gradebook can't be read.
    """
    graded = _graded(course, assignment)
    users = {student: user for user, student in connection.students().items()}
    canvas_assignment = _assignment(course, connection, assignment)
    sent_points = SentPoints(course)
    done: list[Pushed] = []
    for student, grades in sorted(graded.items()):
        if grades.total is None:
            done.append(Pushed(student, "ungraded", text="a task has no points yet: nothing is sent"))
        elif student not in users:
            done.append(Pushed(student, "unknown", text=f"Canvas has no student with this {connection.settings.match}"))
        else:
            page = page_of(course, assignment, student)
            one = _StudentPush(connection, sent_points, assignment, canvas_assignment, student, users[student])
            done.append(one.push(grades.total, page, force=force, dry_run=dry_run))
    return done


def push_one(
    course: Course, connection: Connection, assignment: str, student: str, user: int, page: Path, *, is_graded: bool
) -> Pushed:
    """Send one student's page, with the points that the gradebook holds if it is a graded one.

    Args:
        course: the course whose sources and configuration are used.
        connection: the connection to Canvas.
        assignment: id of the assignment, e.g. `01-first-steps`.
        student: nbgrader's id of the student.
        user: Canvas's number of the student.
        page: the feedback page that is attached to the comment.
        is_graded: whether points are sent along with the page.

    Raises:
        CanvasError: it couldn't be sent.
        GradebookError: the gradebook can't be read.
    """
    total = _graded(course, assignment, [student])[student].total if is_graded else None
    if is_graded and total is None:
        raise CanvasError(f"Only whole grades are sent. Received: ungraded tasks of {student}. Grade them first.")
    canvas_assignment = _assignment(course, connection, assignment)
    one = _StudentPush(connection, SentPoints(course), assignment, canvas_assignment, student, user)
    done = one.push(total, page, force=False, dry_run=False)
    if done.state == "failed":
        raise CanvasError(done.text)
    return done


def page_of(course: Course, assignment: str, student: str) -> Path | None:
    """Return a student's feedback page, None if there is none."""
    path = course.root / "feedback" / student / assignment / f"{course.source(assignment).name}.html"
    return path if path.is_file() else None


class _StudentPush:
    """One student's submission in Canvas."""

    def __init__(
        self,
        connection: Connection,
        sent_points: SentPoints,
        assignment: str,
        canvas_assignment: Any,
        student: str,
        user: int,
    ) -> None:
        self._connection = connection
        self._sent_points = sent_points
        self._assignment = assignment
        self._canvas_assignment = canvas_assignment
        self._student = student
        self._user = user

    def push(self, total: float | None, page: Path | None, *, force: bool, dry_run: bool) -> Pushed:
        """Compare and send, as often as it takes: after a lost answer the comparison says whether it had arrived."""
        points = None if total is None else round(total, 2)
        before = self._sent_points.read(self._assignment, self._student)
        try:
            return self._connection.with_retries(lambda: self._try(points, page, before, force=force, dry_run=dry_run))
        except CanvasError as error:
            return Pushed(self._student, "failed", points, str(error))

    def _try(
        self, points: float | None, page: Path | None, before: float | None, *, force: bool, dry_run: bool
    ) -> Pushed:
        submission = self._canvas_assignment.get_submission(self._user, include=["submission_comments"])
        if getattr(submission, "excused", False):
            return Pushed(self._student, "kept", text="excused in Canvas")
        shown = _points_in(submission)
        is_same = points is None or (shown is not None and abs(shown - points) < SAME)
        is_own = shown is None or (before is not None and abs(shown - before) < SAME)
        if not (is_same or is_own or force):
            text = (
                f"Canvas shows {shown:g} points, which this course didn't give; {points:g} are not sent without --force"
            )
            return Pushed(self._student, "kept", shown, text)
        mark = _mark(page) if page else ""
        has_page = not page or any(mark in str(comment.get("comment")) for comment in _comments(submission))
        if is_same and has_page:
            if points is not None and not dry_run:
                self._sent_points.write(self._assignment, self._student, points)
            return Pushed(self._student, "unchanged", shown, "" if page else "no feedback page")
        sent = [f"{points:g} points"] if points is not None and not is_same else []
        sent += ["the feedback page"] if page and not has_page else []
        text = ", ".join(sent) + ("" if page else " (there is no feedback page)")
        if not dry_run:
            self._send(submission, None if is_same else points, page if not has_page else None, mark)
            if points is not None:
                self._sent_points.write(self._assignment, self._student, points)
        return Pushed(self._student, "pushed", points, text)

    def _send(self, submission: Any, points: float | None, page: Path | None, mark: str) -> None:
        """Upload the page, then send points and comment in one request: both arrive, or neither."""
        wanted: dict[str, Any] = {}
        if page is not None:
            wanted["comment"] = {
                "text_comment": f"{self._assignment}: {page.stem}.html {mark}",
                "file_ids": [self._upload(submission, page)],
            }
        if points is not None:
            wanted["submission"] = {"posted_grade": f"{points:g}"}
        after = submission.edit(**wanted)
        shown = _points_in(after)
        if points is not None and (shown is None or abs(shown - points) >= SAME):
            raise CanvasError(
                f"Canvas must take the points as they are. Received: {shown} for {points:g} of {self._student}. The assignment "
                "must be graded by points."
            )

    def _upload(self, submission: Any, page: Path) -> int:
        """Upload a file for a comment: announced, sent where Canvas says, confirmed; return Canvas's number of it."""
        from canvasapi.upload import Uploader  # pyright: ignore[reportMissingImports]

        url = f"courses/{submission.course_id}/assignments/{submission.assignment_id}/submissions/{self._user}/comments/files"
        with tempfile.TemporaryDirectory(prefix="ag-canvas-") as folder:
            copy = Path(folder, f"{self._assignment}-feedback.html")
            shutil.copy(page, copy)
            is_there, told = Uploader(submission._requester, url, copy).start()
        if not is_there or "id" not in told:
            raise CanvasError(f"Canvas must take the feedback page. Received: no file for {self._student}.")
        return int(told["id"])


def _graded(course: Course, assignment: str, students: Sequence[str] = ()) -> Mapping[str, Grades]:
    course.source(assignment)
    with open_gradebook(course) as gradebook:
        book = read_book(gradebook, students, [assignment])
    return {student: grades for (student, _), grades in book.grades.items()}


def _assignment(course: Course, connection: Connection, assignment: str) -> Any:
    """Return canvasapi's assignment if its points are ours.

    Raises:
        CanvasError: they aren't: 17 of 20 would become 17 of 100.
    """
    canvas_assignment = connection.assignment(assignment)
    ours = sum(course.source(assignment).points.values())
    allowed = (ours, 0.0) if assignment in course.bonus else (ours,)
    possible = getattr(canvas_assignment, "points_possible", None)
    if possible not in allowed:
        raise CanvasError(
            f"{assignment} must have {ours:g} points possible in Canvas. Received: points_possible={possible}. Correct it there."
        )
    return canvas_assignment


def _points_in(submission: Any) -> float | None:
    """Return what was entered, before Canvas's own late policy."""
    entered = getattr(submission, "entered_score", None)
    score = getattr(submission, "score", None) if entered is None else entered
    return None if score is None else float(score)


def _comments(submission: Any) -> list[dict[str, Any]]:
    return list(getattr(submission, "submission_comments", None) or [])


def _mark(page: Path) -> str:
    return f"[feedback {hashlib.sha256(page.read_bytes()).hexdigest()[:12]}]"


def needs_a_look(done: Sequence[Pushed]) -> list[Pushed]:
    """Return the students whom an instructor should look at."""
    return [one for one in done if one.state in NEEDS_A_LOOK]
