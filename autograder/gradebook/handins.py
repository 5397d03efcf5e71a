"""What was handed in to `autograder watch` and what became of it, in the gradebook's database, beside nbgrader's tables.

A row is one version of one student's work. Its state goes one way:

    waiting -> grading -> graded -> given
    waiting -> superseded         a newer version came before it was begun
    waiting -> beyond             the tries are used up
    grading -> waiting            the machine failed, or the watch ended: it is begun again
    grading -> failed             the machine failed too often; the next watch begins it again

A try is a content that was graded, however often that was begun: so a crash counts none twice. Only one watch writes,
the holder of the course's lease; each write renews the lease and fails if another has taken it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import (
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    insert,
    inspect,
    select,
    update,
)

from autograder.base.errors import GradebookError, LeaseLostError
from autograder.base.visible import storable
from autograder.gradebook.database import Database
from autograder.sources.course import Course

Value = TypeVar("Value")

WAITING, GRADING, GRADED, GIVEN = "waiting", "grading", "graded", "given"
SUPERSEDED, BEYOND, FAILED = "superseded", "beyond", "failed"
LEASE_SECONDS = 120.0
RENEW_SECONDS = 15.0

_tables = MetaData()
HANDINS = Table(
    "autograder_handins",
    _tables,
    Column("id", Integer, primary_key=True),
    Column("assignment", String(128), nullable=False),
    Column("student", String(128), nullable=False),
    Column("version", String(255), nullable=False),
    Column("content", String(64), nullable=False),
    Column("found", Float(53), nullable=False),
    Column("state", String(16), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("not_before", Float(53), nullable=False, default=0.0),
    Column("fault", Text, nullable=False, default=""),
    Column("is_try", Integer, nullable=False, default=0),
    Column("points", Float(53)),
    Column("max_points", Float(53)),
    Column("result", Text, nullable=False, default=""),
    Column("graded", Float(53)),
    Column("given", Float(53)),
    UniqueConstraint("assignment", "student", "version"),
)
LEASES = Table(
    "autograder_leases",
    _tables,
    Column("course", String(128), primary_key=True),
    Column("holder", String(255), nullable=False),
    Column("until", Float(53), nullable=False),
)


@dataclass(frozen=True)
class HandIn:
    """One version of one student's work.

    Attributes:
        id: number of the row in the table.
        assignment, student: ids of the assignment and of the student.
        version: the name that the source gives to this version; a source gives no two versions of a student's work one name.
        content: SHA-256 of the files, in hexadecimal.
        found: the time at which this machine saw the version first, in seconds since the epoch.
        state: one of the states in the module's docstring.
        attempts: number of attempts to grade, or once graded to hand back, since one succeeded or the state was `failed`.
        not_before: the earliest time of the next attempt, in seconds since the epoch.
        fault: reason why the version isn't graded or handed back; empty if there is none.
        is_try: whether the version counts as a try: it was graded and could be read.
        points, max_points: points earned, and points to earn; None until the version is graded.
        graded, given: the times of grading and of handing back, in seconds since the epoch; None until then.
    """

    id: int
    assignment: str
    student: str
    version: str
    content: str
    found: float
    state: str
    attempts: int
    not_before: float
    fault: str
    is_try: bool
    points: float | None
    max_points: float | None
    graded: float | None
    given: float | None


_SHOWN = [HANDINS.c[name] for name in HandIn.__dataclass_fields__]


@dataclass(frozen=True)
class Try:
    """One graded content of a student's.

    Attributes:
        content: SHA-256 of the files.
        found, graded: the times at which the content was found and first graded, in seconds since the epoch.
        points, max_points: points earned, and points to earn.
        result: what became of each rubric line, as `result_record` writes it.
    """

    content: str
    found: float
    graded: float
    points: float
    max_points: float
    result: Mapping[str, Any]


@dataclass(frozen=True)
class CountedTry:
    """A try, as far as the limits ask: its content's SHA-256, and when it was first graded, in seconds since the epoch."""

    content: str
    graded: float


class Ledger:
    """The rows of one course's database, read by anyone and written by the holder of its lease."""

    def __init__(self, course: Course, holder: str = "", warn: Callable[[str], None] = lambda line: None) -> None:
        """Prepare; nothing is opened.

        Args:
            course: the course whose sources and configuration are used.
            holder: name of the process that writes; empty for reading only.
            warn: called with a sentence when the database fails and is tried again.
        """
        self._course = course
        self._holder = holder
        self._engine = create_engine(course.database_url, pool_pre_ping=True)
        self._database = Database(course.database_url, warn)
        self._is_made = False
        self._renewed = float("-inf")

    def close(self) -> None:
        """Give the lease back, if this process holds it, and let go of the database."""
        if self._holder and self._is_made:
            mine = (LEASES.c.course == self._course.id) & (LEASES.c.holder == self._holder)
            with suppress(GradebookError):  # the lease runs out
                self._do(lambda connection: connection.execute(update(LEASES).where(mine).values(until=0.0)))
        self._engine.dispose()

    # ------------------------------------------------------------------------------------------------------------ lease
    def lead(self, has_ended: Callable[[str], bool] = lambda holder: False) -> str:
        """Take or renew the lease; return who else holds it, empty if this process does.

        Args:
            has_ended: tells of a holder's name whether that process has ended, so that nobody waits for its lease to run out.
        """
        now = time.time()
        if 0 <= now - self._renewed < RENEW_SECONDS:
            return ""

        def take(connection: Connection) -> str:
            row = connection.execute(select(LEASES).where(LEASES.c.course == self._course.id)).mappings().first()
            wanted = {"holder": self._holder, "until": now + LEASE_SECONDS}
            if row is None:
                connection.execute(insert(LEASES).values(course=self._course.id, **wanted))
                return ""
            other = str(row["holder"])
            if other != self._holder and row["until"] > now and not has_ended(other):
                return other
            same = (LEASES.c.course == self._course.id) & (LEASES.c.holder == other) & (LEASES.c.until == row["until"])
            taken = connection.execute(update(LEASES).where(same).values(**wanted))
            return "" if taken.rowcount else "another watch"

        other_holder = self._do(take)
        self._renewed = float("-inf") if other_holder else now
        return other_holder

    # ------------------------------------------------------------------------------------------------------------ write
    def add(self, assignment: str, student: str, version: str, content: str, found: float) -> list[str] | None:
        """Take down a version that was found; what waits of the student's is superseded by it.

        Returns:
            The contents that nobody waits for any more; None if the version was known.
        """

        def write(connection: Connection) -> list[str] | None:
            known = select(HANDINS.c.id).where(_of(assignment, student), HANDINS.c.version == version)
            if connection.execute(known).first() is not None:
                return None
            older = _of(assignment, student) & HANDINS.c.state.in_((WAITING, FAILED, BEYOND))
            contents = connection.execute(select(HANDINS.c.content).where(older)).scalars().all()
            connection.execute(update(HANDINS).where(older).values(state=SUPERSEDED, fault=""))
            row = {"assignment": assignment, "student": student, "version": version, "content": content}
            connection.execute(insert(HANDINS).values(**row, found=found, state=WAITING))
            return [str(old) for old in contents if old != content]

        return self._write(write)

    def begin(self, handin: HandIn) -> None:
        """Say that it is being graded."""
        self._move(handin, (WAITING,), state=GRADING, attempts=handin.attempts + 1, fault="")

    def finish(
        self, handin: HandIn, points: float, max_points: float, result: Mapping[str, Any], *, is_try: bool
    ) -> None:
        """Say that the gradebook holds its points, and whether that was a try."""
        values = {"points": points, "max_points": max_points, "result": json.dumps(result), "is_try": int(is_try)}
        self._move(handin, (GRADING,), state=GRADED, graded=time.time(), not_before=0.0, attempts=0, **values)

    def give(self, handin: HandIn) -> None:
        """Say that its feedback was handed back."""
        self._move(
            handin,
            (GRADED, BEYOND),
            given=time.time(),
            fault="",
            **({} if handin.state == BEYOND else {"state": GIVEN}),
        )

    def refuse(self, handin: HandIn) -> None:
        """Say that its student's tries are used up."""
        self._move(handin, (WAITING,), state=BEYOND, fault="The tries are used up.")

    def postpone(self, handin: HandIn, until: float, fault: str) -> None:
        """Say why it couldn't be graded or given, and when that is tried again."""
        state = {} if handin.state in (GRADED, BEYOND) else {"state": WAITING}
        attempts = {"attempts": handin.attempts + 1} if handin.state in (GRADED, BEYOND) else {}
        self._move(handin, (GRADING, GRADED, BEYOND), not_before=until, fault=storable(fault), **state, **attempts)

    def fail(self, handin: HandIn, fault: str) -> None:
        """Say that the machine failed at it too often."""
        self._move(handin, (GRADING,), state=FAILED, attempts=0, fault=storable(fault))

    def recover(self) -> int:
        """Let what an earlier watch was at, or failed at, be begun again; return how many that are."""

        def write(connection: Connection) -> int:
            left = HANDINS.c.state.in_((GRADING, FAILED))
            return int(connection.execute(update(HANDINS).where(left).values(state=WAITING, not_before=0.0)).rowcount)

        return self._write(write)

    # ------------------------------------------------------------------------------------------------------------- read
    def exists(self) -> bool:
        """Whether anything was ever watched with this database."""
        return self._database.retry(lambda: inspect(self._engine).has_table(HANDINS.name))

    def known(self, assignment: str) -> dict[tuple[str, str], str]:
        """Return the state of each version of an assignment: (student, version) -> state."""
        wanted = select(HANDINS.c.student, HANDINS.c.version, HANDINS.c.state).where(HANDINS.c.assignment == assignment)
        return {(student, version): state for student, version, state in self._do(lambda c: c.execute(wanted).all())}

    def in_state(self, *states: str) -> list[HandIn]:
        """Return the hand-ins in some states, in the order in which they were found."""
        wanted = select(*_SHOWN).where(HANDINS.c.state.in_(states)).order_by(HANDINS.c.found, HANDINS.c.id)
        return [_handin(dict(row)) for row in self._do(lambda c: c.execute(wanted).mappings().all())]

    def newest(self, most: int) -> list[HandIn]:
        """Return what was handed back last."""
        wanted = select(*_SHOWN).where(HANDINS.c.given.is_not(None)).order_by(HANDINS.c.given.desc()).limit(most)
        return [_handin(dict(row)) for row in self._do(lambda c: c.execute(wanted).mappings().all())]

    def counted_tries(self) -> dict[tuple[str, str], list[CountedTry]]:
        """Return what counts as a try: (assignment, student) -> tries, oldest first."""
        found = self._first_gradings("content", "graded")
        return {place: [CountedTry(**row) for row in rows] for place, rows in found.items()}

    def tries(self) -> dict[tuple[str, str], list[Try]]:
        """Return each student's tries at each assignment, oldest first: (assignment, student) -> tries."""
        found = self._first_gradings("content", "found", "graded", "points", "max_points", "result")
        return {
            place: [Try(**{**row, "result": json.loads(row["result"])}) for row in rows]
            for place, rows in found.items()
        }

    def _first_gradings(self, *names: str) -> dict[tuple[str, str], list[dict[str, Any]]]:
        """Return columns of the first grading of each content that counts as a try: (assignment, student) -> rows, oldest first."""
        columns = [HANDINS.c[name] for name in ("assignment", "student", *names)]
        wanted = select(*columns).where(HANDINS.c.is_try == 1).order_by(HANDINS.c.graded, HANDINS.c.id)
        found: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
        for row in self._do(lambda c: c.execute(wanted).mappings().all()):
            of_place = found.setdefault((row["assignment"], row["student"]), {})
            of_place.setdefault(row["content"], {name: row[name] for name in names})
        return {place: list(of_place.values()) for place, of_place in found.items()}

    # ---------------------------------------------------------------------------------------------------------- inwards
    def _move(self, handin: HandIn, states: Sequence[str], **values: Any) -> None:
        def write(connection: Connection) -> None:
            here = (HANDINS.c.id == handin.id) & HANDINS.c.state.in_(states)
            connection.execute(update(HANDINS).where(here).values(**values))

        self._write(write)

    def _write(self, action: Callable[[Connection], Value]) -> Value:
        def write(connection: Connection) -> Value:
            mine = (LEASES.c.course == self._course.id) & (LEASES.c.holder == self._holder)
            renewed = connection.execute(update(LEASES).where(mine).values(until=time.time() + LEASE_SECONDS))
            if not renewed.rowcount:
                self._renewed = float("-inf")
                raise LeaseLostError(
                    f"Only the watch that holds the course's lease may write. Received: {self._holder}, which lost it to "
                    "another. Nothing was changed."
                )
            return action(connection)

        return self._do(write)

    def _do(self, action: Callable[[Connection], Value]) -> Value:
        def once() -> Value:
            if not self._is_made:
                if self._holder:
                    _tables.create_all(self._engine)
                self._is_made = True
            with self._engine.begin() as connection:
                return action(connection)

        return self._database.retry(once)


def tries_of(course: Course, assignment: str, student: str) -> list[Try]:
    """Return a student's graded tries at an assignment, oldest first; none where nothing was ever watched.

    Raises:
        GradebookError: the database can't be read.
    """
    return read_tries(course).get((assignment, student), [])


def read_tries(course: Course) -> dict[tuple[str, str], list[Try]]:
    """Return every student's graded tries: (assignment, student) -> tries, oldest first. Nothing is written.

    Raises:
        GradebookError: the database can't be read.
    """
    ledger = Ledger(course)
    try:
        return ledger.tries() if ledger.exists() else {}
    finally:
        ledger.close()


def _of(assignment: str, student: str) -> Any:
    return (HANDINS.c.assignment == assignment) & (HANDINS.c.student == student)


def _handin(row: Mapping[str, Any]) -> HandIn:
    values: dict[str, Any] = {**row, "is_try": bool(row["is_try"])}
    return HandIn(**values)
