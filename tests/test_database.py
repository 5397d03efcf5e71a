"""A gradebook's database that fails: what is tried again, and what is said."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from nbgrader.api import InvalidEntry
from sqlalchemy import create_engine, text
from sqlalchemy.exc import IntegrityError, OperationalError

from autograder.base.errors import CourseError, GradebookError
from autograder.gradebook import configuration, database
from autograder.gradebook.database import Database

URL = "postgresql://grader:secretword@db.example.org/course"


class State(Exception):
    """What PostgreSQL's driver raises."""

    def __init__(self, sqlstate: str | None, said: str = "no") -> None:
        super().__init__(said)
        self.sqlstate = sqlstate


class Failing:
    """An action that fails a few times, then returns how often it was called."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> int:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return self.calls


def failure(sqlstate: str | None, said: str = "no", kind: type[OperationalError] = OperationalError) -> Exception:
    return kind("UPDATE grade", {}, State(sqlstate, said))


def by_nbgrader(error: Exception) -> Exception:
    """Return the exception that nbgrader makes of a database's."""
    try:
        try:
            raise error
        except Exception as caught:  # noqa: BLE001  (nbgrader does it so)
            raise InvalidEntry(*caught.args)  # noqa: B904  (nbgrader does it so)
    except InvalidEntry as made:
        return made


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PAUSE_SECONDS", 0.001)


TRANSIENT = {
    "connection-failure": failure("08006"),
    "shut-down": failure("57P01"),
    "starting": failure("57P03"),
    "too-many-connections": failure("53300"),
    "deadlock": failure("40P01"),
    "no-server": failure(None),
    "same-row-by-another": by_nbgrader(IntegrityError("INSERT", {}, State("23505"))),
}


@pytest.mark.parametrize("error", TRANSIENT.values(), ids=TRANSIENT)
def test_what_passes_is_tried_again_once_the_database_has_worked(error: Exception) -> None:
    warnings: list[str] = []
    tried = Database(URL, warnings.append)
    tried.retry(lambda: None)
    assert tried.retry(Failing(error, error)) == 3
    assert warnings == ["The gradebook's database failed; trying again: no"]


def test_a_server_that_was_never_there_isnt_waited_for() -> None:
    action = Failing(TRANSIENT["no-server"])
    with pytest.raises(GradebookError, match="must be reachable"):
        Database(URL).retry(action)
    assert action.calls == 1


def test_a_server_that_cuts_the_first_connection_is_waited_for() -> None:
    assert Database(URL).retry(Failing(TRANSIENT["shut-down"], TRANSIENT["starting"])) == 3


def test_waiting_is_ended_by_what_the_caller_raises() -> None:
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        raise KeyboardInterrupt

    tried = Database(URL, sleep=sleep)
    tried.retry(lambda: None)
    with pytest.raises(KeyboardInterrupt):
        tried.retry(Failing(TRANSIENT["starting"]))
    assert pauses == [database.PAUSE_SECONDS]


def test_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "RETRY_SECONDS", 0.01)
    tried = Database(URL)
    tried.retry(lambda: None)
    with pytest.raises(GradebookError, match=r"must be reachable\. Received: gone from .* Start its server"):
        tried.retry(Failing(*[failure("57P03", "gone")] * 100))


@pytest.mark.parametrize(
    ("sqlstate", "said"),
    [
        ("25006", "must be writable"),
        ("53100", "must have room"),
        ("42501", "must let this user write"),
        ("42P01", "must have nbgrader's tables"),
        ("XX001", "must take what is written"),
    ],
)
def test_what_stays_is_told_at_once_without_the_password(sqlstate: str, said: str) -> None:
    tried = Database(URL)
    tried.retry(lambda: None)
    action = Failing(failure(sqlstate, "it failed\nLINE 1"))
    with pytest.raises(GradebookError, match=said) as caught:
        tried.retry(action)
    assert action.calls == 1 and "secretword" not in str(caught.value) and "LINE 1" not in str(caught.value)
    assert "Then the same command goes on" in str(caught.value)


def test_other_exceptions_pass_through() -> None:
    with pytest.raises(KeyError):
        Database(URL).retry(Failing(KeyError("a mistake of ours")))


def test_sqlites_own_words_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.db"
    sqlite3.connect(path).execute("CREATE TABLE grade (points)").connection.close()

    def write(url: str) -> None:
        with create_engine(url).begin() as connection:
            connection.execute(text("INSERT INTO grade VALUES (1)"))

    with pytest.raises(GradebookError, match=r"must be writable\. Received: attempt to write a readonly database"):
        Database("sqlite://").retry(lambda: write(f"sqlite:///file:{path}?mode=ro&uri=true"))
    with sqlite3.connect(path) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(GradebookError, match="must not be locked"):
            Database("sqlite://").retry(lambda: write(f"sqlite:///{path}?timeout=0"))
    other.close()


def test_a_driver_that_isnt_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configuration, "find_spec", lambda name: None)
    with pytest.raises(CourseError, match="needs the extra `postgresql`") as caught:
        configuration._require_driver(URL)
    assert "secretword" not in str(caught.value)
    configuration._require_driver("sqlite:///gradebook.db")


def test_an_old_scheme_is_explained() -> None:
    with pytest.raises(CourseError, match="must begin with `postgresql://`"):
        configuration._require_driver("postgres://grader@db.example.org/course")
