"""Late days and extensions: when each student's work was due, how many days late it came, and what that costs.

The due date is the gradebook's (`nbgrader db assignment add NAME --duedate …`). A CSV beside `course_config.py` gives more time:

    student,assignment,until
    ada,02-attention,2026-11-10 23:59
    *,03-multi-head-attention,2026-11-17          (everybody, to the end of that day)

Days of the course's budget are spent in the order in which work was handed in, so that nothing handed in later makes
earlier work cost more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Any

from nbgrader.api import Gradebook

from autograder.base.errors import CourseError
from autograder.base.names import shown
from autograder.base.text import Text
from autograder.collecting.roster import read_numbered_table
from autograder.gradebook.database import open_gradebook
from autograder.sources.course import Course
from autograder.sources.handing_in import LateDays, zone_of

EVERYBODY = "*"
COLUMNS = ("student", "assignment", "until")
DAY = timedelta(days=1)
DATE = re.compile(r"\d{4}-\d\d-\d\d(?P<time>[ T].+)?")
ONE_DIGIT_HOUR = re.compile(r"(?<=[ T+-])(?=\d:)")  # of a time or of its offset: ISO 8601 wants two digits


@dataclass(frozen=True)
class Extensions:
    """Later due dates.

    Attributes:
        until: (student or `*`, assignment) -> the later due date, in UTC.
    """

    until: Mapping[tuple[str, str], datetime] = field(default_factory=dict)

    def due(self, student: str, assignment: str, usual: datetime) -> datetime:
        """Return when a student's work is due: the latest of what holds for everybody and for the student."""
        given = (self.until.get((who, assignment)) for who in (EVERYBODY, student))
        return max([usual, *(moment for moment in given if moment is not None)])

    def last(self, assignment: str, usual: datetime) -> datetime:
        """Return after when nobody's work is due any more."""
        return max([usual, *(moment for (_, named), moment in self.until.items() if named == assignment)])


@dataclass(frozen=True)
class HandedIn:
    """When one student's work on an assignment was due and came; both in UTC."""

    assignment: str
    due: datetime
    at: datetime


@dataclass(frozen=True)
class Lateness:
    """How late one student's work was.

    Attributes:
        due: the due date in UTC, extensions included.
        days: number of days begun after the due date; 0: in time.
        from_budget: number of late days that are taken from the student's budget, so that they cost nothing.
        left: number of days left in the budget after this work.
    """

    due: datetime
    days: int
    from_budget: int
    left: int

    @property
    def charged(self) -> int:
        """Days that cost points."""
        return self.days - self.from_budget


def charged_lateness(handed: Iterable[HandedIn], rule: LateDays) -> dict[str, Lateness]:
    """Return how late each of one student's works was, and spend the budget on them in the order of handing in."""
    left = rule.budget
    found: dict[str, Lateness] = {}
    for one in sorted(handed, key=lambda work: (work.at, work.assignment)):
        over = one.at - one.due
        days = 0 if over <= timedelta(minutes=rule.grace_minutes) else math.ceil(over / DAY)
        used = min(left, days)
        left -= used
        found[one.assignment] = Lateness(one.due, days, used, left)
    return found


def penalty(late: Lateness, points: float, rule: LateDays) -> float:
    """Return what lateness takes of points, at most all of them."""
    return round(min(points, points * rule.share_per_day * late.charged), 4)


def read_extensions(course: Course) -> Extensions:
    """Read the course's CSV of extensions; no file: none.

    Raises:
        CourseError: a row can't be read or names no assignment.
    """
    path = course.root / course.extensions
    if not path.exists():
        return Extensions()
    header, rows = read_numbered_table(path, "list of extensions")
    if not set(COLUMNS) <= set(header):
        raise CourseError(f"{path} must have the columns {', '.join(COLUMNS)}. Received: {', '.join(header)}.")
    zone = zone_of("LateDays.time_zone", (course.late_days or LateDays()).time_zone)
    until: dict[tuple[str, str], datetime] = {}
    for line, row in rows:
        student, assignment, moment = (row[column].strip() for column in COLUMNS)
        if not student or assignment not in course.source_paths:
            raise CourseError(
                f"Each row of {path} must name a student, or * for everybody, and an assignment of the course. Received in line "
                f"{line}: student={student!r}, assignment={assignment!r}. Correct the row."
            )
        until[student, assignment] = max(
            _moment(moment, zone, f"line {line} of {path}"),
            until.get((student, assignment), datetime.min.replace(tzinfo=UTC)),
        )
    return Extensions(until)


def _moment(text: str, zone: tzinfo, where: str) -> datetime:
    """Return a moment in UTC; a day alone is meant to its end."""
    try:
        found = DATE.fullmatch(text)
        if found is None:
            raise ValueError("it doesn't begin with year-month-day")
        whole = datetime.fromisoformat(ONE_DIGIT_HOUR.sub("0", re.sub(" ?UTC$", "+00:00", text)))
        if not found["time"]:
            whole = datetime.combine(whole.date(), time(23, 59, 59))
        return (whole if whole.tzinfo else whole.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise CourseError(
            "`until` must be a date as year-month-day, such as 2026-11-06, with or without a time, such as 2026-11-06 23:59 or "
            f"2026-11-06 23:59+09:00. Received: {text!r} in {where} ({error}). Correct the row."
        ) from None


def unknown_students(course: Course) -> list[str]:
    """Return whom the CSV of extensions names who is neither in the gradebook nor has a folder in `submitted`.

    Raises:
        CourseError: the CSV of extensions is wrong.
        GradebookError: the gradebook can't be read.
    """
    named = {student for student, _ in read_extensions(course).until} - {EVERYBODY}
    if not named:
        return []
    with open_gradebook(course) as gradebook:
        known = {str(student.id) for student in gradebook.students}
    return sorted(named - known - {folder.name for folder in (course.root / "submitted").glob("*")})


def unknown_student_warning(course: Course, student: str) -> str:
    """Return what is said of one of the `unknown_students`."""
    return (
        f"{shown(student)}: {course.extensions} gives more time to this student, who is neither in the gradebook nor in "
        "`submitted`. Correct the id if it is misspelt."
    )


def lateness(course: Course, student: str) -> dict[str, Lateness]:
    """Return, by assignment, how late a student's collected works were; works without a due date or a time are left out.

    Raises:
        CourseError: the CSV of extensions is wrong.
        GradebookError: the gradebook can't be read.
    """
    with open_gradebook(course) as gradebook:
        return _lateness(_submissions(gradebook, student), read_extensions(course), course.late_days or LateDays())


def class_lateness(course: Course) -> dict[str, dict[str, Lateness]]:
    """Return, by student and assignment, how late all collected works were.

    Raises:
        CourseError: the CSV of extensions is wrong.
        GradebookError: the gradebook can't be read.
    """
    extensions, rule = read_extensions(course), course.late_days or LateDays()
    with open_gradebook(course) as gradebook:
        students = sorted(str(student.id) for student in gradebook.students)
        return {student: _lateness(_submissions(gradebook, student), extensions, rule) for student in students}


def late_sentences(course: Course, assignment: str, student: str) -> list[Text]:
    """Return what a student should know of lateness, in a sentence each; nothing where there is no rule or no due date."""
    rule = course.late_days
    late = lateness(course, student).get(assignment) if rule else None
    if rule is None or late is None:
        return []
    zone = zone_of("LateDays.time_zone", rule.time_zone)
    due = f"{late.due.astimezone(zone):%Y-%m-%d %H:%M} ({rule.time_zone})"
    if not late.days:
        return [Text(f"Handed in in time; it was due on {due}.", f"기한({due}) 안에 제출했습니다.")]
    said = [
        Text(
            f"Handed in {_days(late.days)} late; it was due on {due}.",
            f"기한({due})보다 {late.days}일 늦게 제출했습니다.",
        )
    ]
    if late.from_budget:
        said.append(
            Text(
                f"Late days used for it: {late.from_budget}; left: {late.left} of {rule.budget}.",
                f"지각 허용일 {rule.budget}일 중 {late.from_budget}일을 썼고, {late.left}일 남았습니다.",
            )
        )
    if late.charged:
        share = min(1.0, late.charged * rule.share_per_day)
        said.append(
            Text(
                f"{share:.0%} of the points were taken off for {_days(late.charged)} beyond your late days.",
                f"허용일을 넘긴 {late.charged}일 때문에 점수의 {share:.0%}가 감점되었습니다.",
            )
        )
    return said


def last_due_date(course: Course, assignment: str) -> datetime | None:
    """Return after when nobody's work on an assignment is due any more, in UTC; None without a due date."""
    with open_gradebook(course) as gradebook:
        works: list[Any] = [*gradebook.assignments]
        found = [one.duedate for one in works if str(one.name) == assignment and one.duedate is not None]
    return read_extensions(course).last(assignment, found[0].replace(tzinfo=UTC)) if found else None


@dataclass(frozen=True)
class PenaltyChange:
    """A submission whose penalty was corrected."""

    student: str
    assignment: str
    before: float
    after: float


def write_penalties(course: Course, gradebook: Gradebook, student: str) -> list[PenaltyChange]:
    """Write a student's extensions and, if the course has a rule, penalties into the gradebook, and commit them.

    All works are looked at: one that was handed in again may have left or taken days of the others'.
    """
    extensions = read_extensions(course)
    submissions = _submissions(gradebook, student)
    if (course.root / course.extensions).exists():
        for submission in submissions:
            usual = submission.assignment.duedate
            if usual is not None:
                due = extensions.due(student, submission.assignment.name, usual.replace(tzinfo=UTC))
                submission.extension = (due.replace(tzinfo=None) - usual) or None
    changed: list[PenaltyChange] = []
    if (rule := course.late_days) is not None:
        late = _lateness(submissions, extensions, rule)
        for submission in submissions:
            before = float(submission.late_submission_penalty or 0.0)
            for notebook in submission.notebooks:
                one = late.get(submission.assignment.name)
                notebook.late_submission_penalty = penalty(one, float(notebook.score or 0.0), rule) if one else None
            after = sum(float(notebook.late_submission_penalty or 0.0) for notebook in submission.notebooks)
            if after != before:
                changed.append(PenaltyChange(student, submission.assignment.name, before, after))
    gradebook.db.commit()
    return changed


def update_penalties(course: Course) -> list[PenaltyChange]:
    """Write every student's extensions and penalties into the gradebook, after the CSV or the rule has changed."""
    with open_gradebook(course) as gradebook:
        students = sorted(str(student.id) for student in gradebook.students)
        return [one for student in students for one in write_penalties(course, gradebook, student)]


def _submissions(gradebook: Any, student: str) -> list[Any]:
    return [one for one in gradebook.student_submissions(student) if one.timestamp is not None or one.notebooks]


def _lateness(submissions: Sequence[Any], extensions: Extensions, rule: LateDays) -> dict[str, Lateness]:
    handed = [
        HandedIn(
            name,
            extensions.due(str(one.student_id), name, one.assignment.duedate.replace(tzinfo=UTC)),
            one.timestamp.replace(tzinfo=UTC),
        )
        for one in submissions
        for name in [str(one.assignment.name)]
        if one.timestamp is not None and one.assignment.duedate is not None
    ]
    return charged_lateness(handed, rule)


def _days(number: int) -> str:
    return f"{number} day" if number == 1 else f"{number} days"
