"""The gradebook on a real PostgreSQL server: the same rows as on SQLite, several graders, and every way to fail."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import create_engine, text

from autograder.base.errors import GradebookError
from autograder.gradebook.database import Database
from autograder.gradebook.scores import scores
from autograder.sources.course import Course
from benchmarks import cheap
from benchmarks.postgresql import Server, missing, server
from benchmarks.starter import Command, Starter

STUDENTS = [f"{group}{number}" for group in "ab" for number in range(4)]
# What two gradebooks of the same class share; ids and times are their own.
ROWS = (
    "SELECT student.id, base_cell.name, grade.auto_score, grade.needs_manual_grade FROM grade "
    "JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id "
    "JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id "
    "JOIN student ON student.id = submitted_assignment.student_id JOIN base_cell ON base_cell.id = grade.cell_id",
    "SELECT student.id, base_cell.name, comment.auto_comment FROM comment "
    "JOIN submitted_notebook ON submitted_notebook.id = comment.notebook_id "
    "JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id "
    "JOIN student ON student.id = submitted_assignment.student_id JOIN base_cell ON base_cell.id = comment.cell_id",
)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A server; where none can be, these tests are skipped, or fail if POSTGRESQL is `required`."""
    if wanted := missing():
        reason = f"The tests of a gradebook on PostgreSQL need {wanted}."
        (pytest.fail if os.environ.get("POSTGRESQL") == "required" else pytest.skip)(reason)
    with server() as made:
        yield made


@dataclass(frozen=True)
class Class:
    """A class handed in and not graded, whose gradebook is a database of its own.

    Attributes:
        course: with the database's URL.
        name: of the database.
        server: where it is.
        starter: of its commands.
    """

    course: Course
    name: str
    server: Server
    starter: Starter

    def start(self, *arguments: str) -> Command:
        environment = cheap.course_environment(self.course.database_url)
        return self.starter.start(["autograde", cheap.ASSIGNMENT, *arguments], self.course.root, environment, self.log)

    @property
    def log(self) -> Path:
        return self.course.root / "log"

    def said(self) -> str:
        """Return what was said since the last time."""
        text = self.log.read_text()
        self.log.unlink()
        return text

    def grade(self, *arguments: str, ok: bool = True) -> str:
        status = self.start(*arguments).wait(300)
        said = self.said()
        assert (status == 0) == ok, said[-3000:]
        return said

    def points(self) -> dict[str, dict[str, float | None]]:
        return {row.student: row.points for row in scores(self.course, cheap.ASSIGNMENT)}

    def sql(self, statement: str) -> None:
        self.server.run(statement, self.name)


@pytest.fixture(scope="module")
def built(postgresql: Server, course: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course whose assignment is built, on SQLite and in the server's database `built`, and handed in by a class."""
    made = cheap.make_cheap_course(course, tmp_path_factory.mktemp("course"))
    postgresql.run("CREATE DATABASE built")
    cheap.register(made, postgresql.url("built"))
    cheap.hand_in(made, STUDENTS)
    return made


@pytest.fixture
def make_class(postgresql: Server, nbgrader_starter: Starter, built: Course, tmp_path: Path) -> Callable[..., Class]:
    def make(changes: str = "", arguments: str = "", workers: int = 2) -> Class:
        root = tmp_path / "course"
        shutil.copytree(built.root, root)
        config = f"course = dataclasses.replace(course, languages=('en',), workers={workers})\n{changes}"
        cheap.configure(root, config, arguments)
        url = postgresql.copy("built", "graded")
        return Class(replace(built, root=root, database_url=url), "graded", postgresql, nbgrader_starter)

    return make


pytestmark = [pytest.mark.postgresql, pytest.mark.course]


def rows(url: str) -> list[list[tuple[object, ...]]]:
    with create_engine(url).connect() as connection:
        return [sorted(tuple(row) for row in connection.execute(text(statement))) for statement in ROWS]


def test_a_graded_class_has_the_rows_that_sqlite_has(make_class: Callable[..., Class]) -> None:
    made = make_class()
    made.grade()
    file = f"sqlite:///{made.course.root / 'gradebook.db'}"
    shutil.rmtree(made.course.root / "autograded")
    replace(made, course=replace(made.course, database_url=file)).grade()
    ours = rows(made.course.database_url)
    assert ours == rows(file) and len(ours[0]) == 7 * len(STUDENTS)
    assert made.points() == cheap.expected(made.course, STUDENTS)


def test_two_graders_at_once_on_different_students(make_class: Callable[..., Class]) -> None:
    made = make_class(arguments="seconds=0.05")
    both = [made.start("--student", f"{group}*") for group in "ab"]
    assert [command.wait(300) for command in both] == [0, 0], made.said()
    assert made.points() == cheap.expected(made.course, STUDENTS)


def test_two_graders_at_once_enter_the_same_student_once(make_class: Callable[..., Class]) -> None:
    made = make_class()
    url = made.course.database_url
    both_looked = threading.Barrier(2)
    errors: list[Exception] = []
    tries: list[str] = []

    def enter() -> None:
        with Gradebook(url, "transformer") as gradebook:
            find = gradebook.find_student

            def find_and_wait(student: str) -> object:
                tries.append(student)
                try:
                    return find(student)
                finally:
                    if len(tries) <= 2:
                        both_looked.wait(30)

            gradebook.find_student = find_and_wait
            gradebook.update_or_create_student("both")

    def grader() -> None:
        database = Database(url)
        database.retry(lambda: Gradebook(url, "transformer").close())
        try:
            database.retry(enter)
        except Exception as error:  # noqa: BLE001  (asserted on below)
            errors.append(error)

    graders = [threading.Thread(target=grader) for _ in range(2)]
    for thread in graders:
        thread.start()
    for thread in graders:
        thread.join(60)
    assert errors == [] and len(tries) == 3  # the slower one looked again
    assert made.server.run("SELECT count(*) FROM student WHERE id = 'both'", "graded") == [(1,)]


# A connection that nobody uses at the moment is replaced without a word: these are in the middle of something.
CUT = (
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
    "WHERE datname = 'graded' AND pid <> pg_backend_pid() AND state IN ('active', 'idle in transaction') "
    "HAVING count(*) > 0"
)


def test_connections_that_are_lost_in_the_middle_cost_nothing(make_class: Callable[..., Class]) -> None:
    made = make_class(arguments="seconds=0.05")
    command = made.start()
    cuts = 0
    while cuts < 4 and command.wait(0.02) is None:
        if "a0: " in made.log.read_text() and made.server.run(CUT):  # a database that never worked isn't waited for
            cuts += 1
            time.sleep(0.2)
    assert command.wait(300) == 0, made.said()
    said = made.said()
    assert cuts == 4 and "The gradebook's database failed; trying again: " in said
    assert made.points() == cheap.expected(made.course, STUDENTS)


def test_a_server_that_goes_and_stays_away_stops_the_run_and_the_next_goes_on(make_class: Callable[..., Class]) -> None:
    patience = "from autograder.gradebook import database\ndatabase.RETRY_SECONDS = 1.0\n"
    made = make_class(patience, "seconds=0.05")
    command = made.start()
    while not (made.log.exists() and "(2/8, " in made.log.read_text()):
        assert command.wait(0.05) is None, made.said()
    made.server.stop()
    try:
        assert command.wait(300) == 1
    finally:
        made.server.start()
    said = made.said()
    assert "The gradebook's database must be reachable. Received: " in said and str(made.server.folder) in said
    assert "Traceback" not in said.partition("The gradebook's database must")[2]
    assert_whole(made)
    made.grade()
    assert made.points() == cheap.expected(made.course, STUDENTS)


def assert_whole(made: Class) -> None:
    """Assert that each student has all points or none."""
    right = cheap.expected(made.course, STUDENTS)
    for student, points in made.points().items():
        assert points == right[student] or set(points.values()) == {None}, student


def test_a_read_only_database_is_told_and_stays_as_it_was(make_class: Callable[..., Class]) -> None:
    made = make_class()
    before = rows(made.course.database_url)
    made.sql("ALTER DATABASE graded SET default_transaction_read_only = on")
    said = made.grade(ok=False)
    assert "The gradebook's database must be writable. Received: cannot execute " in said
    assert "default_transaction_read_only" in said and "in the middle" not in said
    assert rows(made.course.database_url) == before
    made.server.run("ALTER DATABASE graded RESET default_transaction_read_only")
    made.grade()
    assert made.points() == cheap.expected(made.course, STUDENTS)


FULL = """
CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM grade WHERE auto_score IS NOT NULL) >= 17 THEN
        RAISE EXCEPTION 'could not extend file "base/16384/16397": No space left on device' USING ERRCODE = 'disk_full';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER no_room BEFORE UPDATE ON grade FOR EACH ROW EXECUTE FUNCTION no_room();
"""


def test_a_full_database_is_told_and_nothing_is_half_written(make_class: Callable[..., Class]) -> None:
    made = make_class()
    made.sql(FULL)
    said = made.grade(ok=False)
    assert "The gradebook's database must have room. Received: could not extend file" in said
    points = made.points()
    assert_whole(made)
    # the third student's first three tasks found room, and were taken back with the others
    assert [s for s, each in points.items() if None not in each.values()] == STUDENTS[:2]
    made.sql("DROP TRIGGER no_room ON grade")
    made.grade()
    assert made.points() == cheap.expected(made.course, STUDENTS)


def test_a_server_that_isnt_there_is_told_at_once(make_class: Callable[..., Class]) -> None:
    made = make_class()
    url = f"postgresql://postgres:secretword@/graded?host={made.course.root}"
    began = time.monotonic()
    said = replace(made, course=replace(made.course, database_url=url)).grade(ok=False)
    assert "The gradebook's database must be reachable. Received: " in said and "No such file or directory" in said
    assert "secretword" not in said and "trying again" not in said
    assert time.monotonic() - began < 60
    with pytest.raises(GradebookError, match="must be reachable"):
        scores(replace(made.course, database_url=url), cheap.ASSIGNMENT)
