"""Who is who: a gradebook that Canvas or Moodle exported, or Moodle's grading worksheet."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from dateutil import parser as dates

from autograder.base.errors import CourseError

# The columns that hold nbgrader's student ids unless another is named: Canvas's, Moodle's, GitHub's, Classroom 50's.
MATCHES = ("SIS Login ID", "ID number", "identifier", "username")
GITHUB = ("GitHub", "github_username", "username")  # a roster of one's own, GitHub's, Classroom 50's
CANVAS_ID = "ID"
CANVAS_TEST_STUDENT = "Student, Test"  # what a teacher sees the course as
MOODLE_IDENTIFIER = "Identifier"  # of the grading worksheet: `Participant 12345`
SUBMITTED = "Last modified (submission)"
FULL_NAMES = ("Full name", "전체 이름", "성명")
FIRST_NAMES = ("First name", "이름")
LAST_NAMES = ("Last name", "Surname", "성")


@dataclass(frozen=True)
class Enrolled:
    """One student of a roster.

    Attributes:
        id: nbgrader's id of the student.
        submitted: when the last version was handed in, None if the roster doesn't say.
        names: keys of the full name as Canvas or Moodle may show it.
        participant: number in Moodle's assignment, empty if the roster doesn't say.
        github: name on GitHub, empty if the roster doesn't say.
    """

    id: str
    submitted: datetime | None = None
    names: frozenset[str] = frozenset()
    participant: str = ""
    github: str = ""


class Roster:
    """The students of a CSV, found by what a download calls them."""

    def __init__(self, path: Path, match: str = "", zone: tzinfo = UTC) -> None:
        """Read a roster.

        Args:
            path: the CSV file to read.
            match: the column that holds nbgrader's student ids; empty: Canvas's or Moodle's usual one.
            zone: time zone of the times in a grading worksheet, which names none.

        Raises:
            CourseError: it is no CSV in UTF-8, or hasn't that column.
        """
        self.path = path
        header, rows = read_table(path)
        self.match = match or next((column for column in MATCHES if column in header), "")
        if self.match not in header:
            raise CourseError(
                f"One column of the roster must hold nbgrader's student ids. Received: match={match!r} for {path}, which has "
                f"{', '.join(map(repr, header))}. Name one of them with --match."
            )
        self._by_id: dict[str, Enrolled] = {}
        self._tests: set[str] = set()
        self._by_canvas_id: dict[str, list[Enrolled]] = defaultdict(list)
        self._by_participant: dict[str, list[Enrolled]] = defaultdict(list)
        self._by_name: dict[str, list[Enrolled]] = defaultdict(list)
        self._by_github: dict[str, list[Enrolled]] = defaultdict(list)
        self.has_github = any(column in header for column in GITHUB)
        for row in rows:
            if not row[self.match].strip():
                continue
            names = frozenset(map(name_key, _names(row)))
            listed = names or frozenset(map(name_key, _canvas_names(row)))
            participant = "".join(filter(str.isdigit, row.get(MOODLE_IDENTIFIER, "")))
            github = next((row[column].strip() for column in GITHUB if column in row), "")
            person = Enrolled(
                row[self.match].strip(), _moment(row.get(SUBMITTED, ""), zone), listed, participant, github
            )
            self._by_id[person.id] = person
            if row.get("Student", "").strip() == CANVAS_TEST_STUDENT:
                self._tests.add(person.id)
            self._by_canvas_id[row.get(CANVAS_ID, "").strip()].append(person)
            self._by_participant[participant].append(person)
            for name in names:
                self._by_name[name].append(person)
            if github:
                self._by_github[github.casefold()].append(person)

    @property
    def ids(self) -> list[str]:
        """Return the ids of all students, sorted; Canvas's test student is none."""
        return sorted(self._by_id.keys() - self._tests)

    def by_id(self, student: str) -> list[Enrolled]:
        """Return the student of an id, or nobody."""
        return [self._by_id[student]] if student in self._by_id else []

    def by_canvas_id(self, number: str) -> list[Enrolled]:
        """Return the student with Canvas's own id, or nobody."""
        return self._by_canvas_id.get(number, []) if number else []

    def by_participant(self, number: str) -> list[Enrolled]:
        """Return the student with a number of a participant in Moodle's assignment, or nobody."""
        return self._by_participant.get(number, []) if number else []

    def by_github(self, name: str) -> list[Enrolled]:
        """Return the student of a name on GitHub, written large or small, or nobody."""
        return self._by_github.get(name.casefold(), [])

    def by_name(self, name: str) -> list[Enrolled]:
        """Return the students of a name, however it is spaced, written large or small, or freed of punctuation."""
        return self._by_name.get(name_key(name), [])


def name_key(name: str) -> str:
    """Return what is left of a name in Moodle's and Canvas's file names: its letters and digits."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", name).casefold()))


def read_table(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Read a CSV with a header.

    Returns:
        Its header, and each row by column; empty rows are left out.

    Raises:
        CourseError: it isn't there, can't be read as CSV in UTF-8, or is empty.
    """
    header, rows = read_numbered_table(path)
    return header, [row for _, row in rows]


def read_numbered_table(path: Path, name: str = "roster") -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """Read a CSV with a header as `read_table` does, each row with the number of the line that it ends on.

    Args:
        path: the CSV file to read.
        name: what the messages call the table.

    Raises:
        CourseError: it isn't there, can't be read as CSV in UTF-8, or is empty.
    """
    try:
        reader = csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig")))
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except FileNotFoundError:
        raise CourseError(
            f"The {name} must be there. Received: {path}, which isn't there. Correct its name, or export it again."
        ) from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CourseError(f"The {name} must be a CSV file in UTF-8. Received: {path}: {error}.") from None
    if not rows:
        raise CourseError(f"The {name} must have a header and rows. Received: {path}, which is empty.")
    header = [cell.strip() for cell in rows[0][1]]
    return header, [(line, _row(header, row)) for line, row in rows[1:]]


def _row(header: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    return dict(zip(header, [*cells, *[""] * len(header)], strict=False))


def _names(row: Mapping[str, str]) -> Iterable[str]:
    """Yield a student's full name as Moodle may show it: in one column, or two in either order."""
    yield from (row[column] for column in FULL_NAMES if row.get(column, "").strip())
    first = next((row[column] for column in FIRST_NAMES if column in row), "")
    last = next((row[column] for column in LAST_NAMES if column in row), "")
    if (first + last).strip():
        yield f"{first} {last}"
        yield f"{last} {first}"


def _canvas_names(row: Mapping[str, str]) -> Iterable[str]:
    """Yield a student's name as Canvas's files may show it, which have no comma: `Lovelace, Ada` in either order."""
    last, comma, first = row.get("Student", "").partition(",")
    if (last + first).strip():
        yield f"{last} {first}"
        if comma:
            yield f"{first} {last}"


def _moment(text: str, zone: tzinfo) -> datetime | None:
    """Return a time of a grading worksheet, `Tuesday, 3 November 2026, 11:59 PM`, if it is written in English."""
    try:
        moment = dates.parse(text.strip()) if text.strip() not in ("", "-") else None
    except (ValueError, OverflowError):
        return None
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
