"""The points that were last sent to Canvas, in the gradebook's database."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Column, Float, MetaData, String, Table, create_engine, delete, insert, select

from autograder.gradebook.database import Database
from autograder.sources.course import Course

_tables = MetaData()
SENT = Table(
    "autograder_canvas_points",
    _tables,
    Column("assignment", String(128), primary_key=True),
    Column("student", String(128), primary_key=True),
    Column("points", Float(53), nullable=False),
    Column("sent", Float(53), nullable=False),
)


class SentPoints:
    """One course's table of sent points; it is made when points are first read."""

    def __init__(self, course: Course) -> None:
        self._engine = create_engine(course.database_url, pool_pre_ping=True)
        self._database = Database(course.database_url)

    def read(self, assignment: str, student: str) -> float | None:
        """Return what was last sent, None if nothing was.

        Raises:
            GradebookError: the database can't be used.
        """

        def select_points() -> float | None:
            _tables.create_all(self._engine)
            with self._engine.connect() as connection:
                return connection.execute(select(SENT.c.points).where(_of(assignment, student))).scalar()

        return self._database.retry(select_points)

    def write(self, assignment: str, student: str, points: float) -> None:
        """Store the points that Canvas has now.

        Raises:
            GradebookError: the database can't be used.
        """

        def replace_points() -> None:
            row = {"assignment": assignment, "student": student, "points": points, "sent": time.time()}
            with self._engine.begin() as connection:
                connection.execute(delete(SENT).where(_of(assignment, student)))
                connection.execute(insert(SENT).values(**row))

        self._database.retry(replace_points)


def _of(assignment: str, student: str) -> Any:
    return (SENT.c.assignment == assignment) & (SENT.c.student == student)
