"""Export plugins for `nbgrader export`: points per task, and the files that Canvas and Moodle import.

    nbgrader export --exporter autograder.gradebook.exports.TaskExport                        # tasks.csv
    nbgrader export --exporter autograder.gradebook.exports.CanvasExport --CanvasExport.roster=from-canvas.csv
    nbgrader export --exporter autograder.gradebook.exports.MoodleExport --MoodleExport.roster=from-moodle.csv
    nbgrader export --exporter autograder.gradebook.exports.JsonExport                        # grades.json

nbgrader's own flags `--to`, `--assignment` and `--student` choose the file and what is in it. Nobody gets a zero that no
grader gave: what wasn't handed in or is ungraded stays empty. A name that a spreadsheet would take for a formula gets an
apostrophe before it; ids do so in the spreadsheet only, since Canvas and Moodle must find them as they wrote them.
"""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin
from traitlets import Dict, List, Unicode

from autograder.base.errors import CourseError
from autograder.collecting.roster import CANVAS_TEST_STUDENT, read_table
from autograder.gradebook.scores import points_of

# A cell that begins so is a formula to spreadsheets, in full width too (`＝`) and after blanks.
FORMULA = ("=", "+", "-", "@")
CONTROL_PREFIXES = ("\t", "\r", "\n")


@dataclass(frozen=True)
class Person:
    """A student as the gradebook has them."""

    id: str
    last_name: str
    first_name: str
    email: str


@dataclass(frozen=True)
class Grades:
    """One student's points in one assignment.

    Attributes:
        tasks: task -> points earned, None where the task is ungraded.
        penalty: points that lateness costs.
    """

    tasks: Mapping[str, float | None]
    penalty: float

    @property
    def total(self) -> float | None:
        """Points less the penalty, at least 0; None if a task is ungraded."""
        if any(points is None for points in self.tasks.values()):
            return None
        return max(0.0, sum(points or 0.0 for points in self.tasks.values()) - self.penalty)


@dataclass(frozen=True)
class GradebookContent:
    """What is exported of a gradebook.

    Attributes:
        tasks: assignment -> task -> points to earn.
        people: students, in the order of their ids.
        grades: (student, assignment) -> points; only what was handed in.
    """

    tasks: Mapping[str, Mapping[str, float]]
    people: Sequence[Person]
    grades: Mapping[tuple[str, str], Grades]


class CourseExport(ExportPlugin):
    """What all exports share: they read the gradebook, then write one file at once."""

    file_name = ""
    encoding = "utf-8"

    def export(self, gradebook: Gradebook) -> None:
        """Write the file, which nbgrader's `--to` names, or say why not and end with exit status 2."""
        try:
            book = read_book(gradebook, [str(s) for s in self.student], [str(a) for a in self.assignment])
            text = self.text(book)
        except CourseError as error:
            self.log.error("%s", error)
            raise SystemExit(2) from None
        path = Path(self.to or self.file_name)
        partial = path.with_name(path.name + ".partial")
        partial.write_bytes(text.encode(self.encoding))
        partial.replace(path)
        empty = sum(grades.total is None for grades in book.grades.values())
        self.log.info("Exported %d students to %s", len(book.people), path)
        if empty:
            self.log.warning("%d submissions with ungraded tasks were left without a total", empty)

    def text(self, book: GradebookContent) -> str:
        """Return the file's content."""
        raise NotImplementedError


class TaskExport(CourseExport):
    """One row a student, one column a task and a total per assignment; for spreadsheets."""

    file_name = "tasks.csv"
    encoding = "utf-8-sig"  # without the mark, Excel reads Hangul as something else

    def text(self, book: GradebookContent) -> str:
        """Return the table."""
        header = ["student_id", "last_name", "first_name", "email"]
        for assignment, tasks in book.tasks.items():
            header += [f"{assignment}: {task} ({most:g})" for task, most in tasks.items()]
            header.append(f"{assignment}: total ({sum(tasks.values()):g})")
        rows: list[list[str]] = []
        for person in book.people:
            row = [_without_formula(text) for text in (person.id, person.last_name, person.first_name, person.email)]
            for assignment, tasks in book.tasks.items():
                grades = book.grades.get((person.id, assignment))
                row += [_number(grades.tasks.get(task) if grades else None) for task in tasks]
                row.append(_number(grades.total if grades else None))
            rows.append(row)
        return _csv([header, *rows])


class JsonExport(CourseExport):
    """Everything, for programs."""

    file_name = "grades.json"

    def text(self, book: GradebookContent) -> str:
        """Return the JSON."""
        students: list[dict[str, Any]] = []
        for person in book.people:
            own = {assignment: book.grades.get((person.id, assignment)) for assignment in book.tasks}
            students.append(
                {
                    "id": person.id,
                    "last_name": person.last_name,
                    "first_name": person.first_name,
                    "email": person.email,
                    "assignments": {
                        name: {"tasks": dict(grades.tasks), "late_penalty": grades.penalty, "total": grades.total}
                        for name, grades in own.items()
                        if grades
                    },
                }
            )
        tasks = {assignment: dict(tasks) for assignment, tasks in book.tasks.items()}
        return json.dumps({"max_points": tasks, "students": students}, ensure_ascii=False, indent=1) + "\n"


class RosterExport(CourseExport):
    """What Canvas and Moodle share: a file with the columns of the system's own export, found and filled in by student.

    The roster is a gradebook that the system exported. Its identification columns come back unchanged, but for names that
    are formulas; rows that this course has no grade for stay empty, so an import changes nothing there.
    """

    roster = Unicode("", help="CSV that the system itself exported: its rows say who is who").tag(config=True)
    match = Unicode("", help="the roster's column that holds nbgrader's student ids").tag(config=True)
    columns = Dict(
        help="assignment -> the roster's column for it, where the names differ; a column that isn't there is added"
    ).tag(config=True)

    identification: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # of the identification; nobody is found by them

    def text(self, book: GradebookContent) -> str:
        """Return the table."""
        header, rows = self._people(book)
        named = {assignment: self._column(header, assignment) for assignment in book.tasks}
        repeated = sorted({column for column in named.values() if list(named.values()).count(column) > 1})
        if repeated:
            raise CourseError(
                f"Each assignment needs a column of its own. Received: {repeated} for several; set "
                f"`{type(self).__name__}.columns`."
            )
        kept = [column for column in self.identification if column in header]
        table = [[*kept, *named.values()], *self.extra_rows(kept, named, book)]
        table += [
            [*(self._cell(row, column) for column in kept), *(_number(_total(book, student, a)) for a in named)]
            for student, row in rows
        ]
        return _csv(table)

    def extra_rows(self, kept: Sequence[str], named: Mapping[str, str], book: GradebookContent) -> list[list[str]]:
        """Return rows below the header that belong to no student."""
        return []

    def is_person(self, row: Mapping[str, str]) -> bool:
        """Whether a row of the roster is a student's."""
        return True

    def own_row(self, person: Person) -> dict[str, str]:
        """Return a row about a student where there is no roster."""
        raise NotImplementedError

    def _cell(self, row: Mapping[str, str], column: str) -> str:
        """Return an identification cell: ids must come back exactly, a name must be no formula."""
        return _without_formula(row[column]) if column in self.names and column != self.match else row[column]

    def _people(self, book: GradebookContent) -> tuple[list[str], list[tuple[str, dict[str, str]]]]:
        """Return the roster's header, and (student id, row) of each of its students."""
        if not self.roster:
            return list(self.identification), [(person.id, self.own_row(person)) for person in book.people]
        header, found = read_table(Path(self.roster))
        match = self.match
        if match not in header:
            raise CourseError(
                f"{type(self).__name__}.match must be a column of the roster. Received: {match!r} for {self.roster}, which has "
                f"{', '.join(map(repr, header))}."
            )
        rows = [(row[match].strip(), row) for row in found if self.is_person(row)]
        ids = [student for student, _ in rows if student]
        doubled = sorted({student for student in ids if ids.count(student) > 1})
        if doubled:
            raise CourseError(f"The roster must name each student once. Received: {', '.join(doubled)} more than once.")
        graded = {student for student, _ in book.grades}
        strangers = sorted(graded - set(ids))
        if strangers:
            raise CourseError(
                f"Every graded student must be in the roster's column {match!r}. Received: {self.roster} without "
                f"{', '.join(strangers[:10])}{' …' if len(strangers) > 10 else ''} ({len(strangers)} of {len(graded)}). "
                f"Set `{type(self).__name__}.match` to the column with their ids, or leave them out with --student."
            )
        return header, rows

    def _column(self, header: Sequence[str], assignment: str) -> str:
        """Return the roster's column of an assignment: the one configured, of this name, or of this name and an id."""
        if assignment in self.columns:
            return str(self.columns[assignment])
        found = [column for column in header if column == assignment or column.startswith(f"{assignment} (")]
        if len(found) > 1:
            raise CourseError(
                f"One column of the roster should be {assignment}'s. Received: {found}; set `{type(self).__name__}.columns`."
            )
        return found[0] if found else assignment


class CanvasExport(RosterExport):
    """The CSV that Canvas's gradebook imports; its roster is what "Export Entire Gradebook" gives."""

    file_name = "canvas.csv"
    identification = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
    names = ("Student",)
    match = Unicode("SIS Login ID", help="the roster's column that holds nbgrader's student ids").tag(config=True)
    bonus = List(Unicode(), help="assignments whose points come on top of the course's").tag(config=True)

    def own_row(self, person: Person) -> dict[str, str]:
        """Canvas finds the student by the login."""
        names = ", ".join(name for name in (person.last_name, person.first_name) if name)
        row = dict.fromkeys(self.identification, "")
        return {**row, "Student": names or person.id, "SIS Login ID": person.id}

    def is_person(self, row: Mapping[str, str]) -> bool:
        """Canvas's second row holds the points possible; the test student has no login."""
        return row.get("Student", "").strip() not in ("Points Possible", CANVAS_TEST_STUDENT)

    def extra_rows(self, kept: Sequence[str], named: Mapping[str, str], book: GradebookContent) -> list[list[str]]:
        """Return the row of points possible: 0 for a bonus, which is Canvas's way to say extra credit."""
        first = ["    Points Possible", *[""] * (len(kept) - 1)]
        possible = {name: 0.0 if name in self.bonus else sum(book.tasks[name].values()) for name in named}
        return [[*first, *(f"{points:g}" for points in possible.values())]]


class MoodleExport(RosterExport):
    """The CSV that Moodle's grade import reads; its roster is what its grade export gives as plain text."""

    file_name = "moodle.csv"
    identification = ("First name", "Last name", "ID number", "Username", "Email address")
    names = ("First name", "Last name")
    match = Unicode("ID number", help="the roster's column that holds nbgrader's student ids").tag(config=True)

    def own_row(self, person: Person) -> dict[str, str]:
        """The instructor maps one of the columns to Moodle's when importing."""
        return {
            "First name": person.first_name,
            "Last name": person.last_name,
            "ID number": person.id,
            "Username": person.id,
            "Email address": person.email,
        }


def read_book(gradebook: Gradebook, students: Sequence[str] = (), assignments: Sequence[str] = ()) -> GradebookContent:
    """Read a gradebook, or the named part of it.

    Raises:
        CourseError: it has no such student or assignment.
    """
    known = {str(assignment.name): assignment for assignment in gradebook.assignments}
    people = {student.id: student for student in gradebook.students}
    for what, wanted, there in (("assignment", assignments, known), ("student", students, people)):
        strangers = sorted(set(wanted) - set(there))
        if strangers:
            raise CourseError(
                f"Each {what} must be in the gradebook, which has {', '.join(sorted(map(str, there))) or 'none'}. Received: "
                f"{', '.join(strangers)}."
            )
    chosen = sorted(assignments or known)
    tasks = {
        name: {
            cell.name.removeprefix("grade-"): float(cell.max_score)
            for notebook in known[name].notebooks
            for cell in notebook.grade_cells
        }
        for name in chosen
    }
    grades: dict[tuple[str, str], Grades] = {}
    for name in chosen:
        for submission in gradebook.assignment_submissions(name):
            student = str(submission.student_id)
            if students and student not in students:
                continue
            points = {g.name.removeprefix("grade-"): points_of(g) for n in submission.notebooks for g in n.grades}
            grades[student, name] = Grades(
                {task: points.get(task) for task in tasks[name]}, float(submission.late_submission_penalty or 0.0)
            )
    listed = [
        Person(*(str(value or "") for value in (s.id, s.last_name, s.first_name, s.email)))
        for s in sorted(people.values(), key=lambda s: str(s.id))
        if not students or s.id in students
    ]
    return GradebookContent(tasks, listed, grades)


def _total(book: GradebookContent, student: str, assignment: str) -> float | None:
    grades = book.grades.get((student, assignment))
    return grades.total if grades else None


def _number(points: float | None) -> str:
    return "" if points is None else f"{points:g}"


def _without_formula(text: str) -> str:
    visible = "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf")).lstrip()
    is_formula = unicodedata.normalize("NFKC", visible[:1]).startswith(FORMULA)
    return f"'{text}" if is_formula or text.startswith(CONTROL_PREFIXES) else text


def _csv(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as CSV. A carriage return, which csv doesn't quote and spreadsheets take for a row's end, is a line's."""
    buffer = io.StringIO()
    lines = ([cell.replace("\r\n", "\n").replace("\r", "\n") for cell in row] for row in rows)
    csv.writer(buffer, lineterminator="\n").writerows(lines)
    return buffer.getvalue()
