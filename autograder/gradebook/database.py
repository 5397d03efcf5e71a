"""Failures of the gradebook's database: transient ones are waited for, all others are explained in one sentence."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from nbgrader import api
from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.engine import Engine, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SAWarning

from autograder.base.errors import GradebookError
from autograder.sources.course import Course

Value = TypeVar("Value")

RETRY_SECONDS = 60.0
PAUSE_SECONDS = 0.25
# PostgreSQL's transient errors, which end by themselves, by SQLSTATE: connection exceptions, a server that stops or starts, too
# many connections, and two writers in each other's way.
TRANSIENT = ("08", "57P", "53300", "40001", "40P01")
# What else it says, by SQLSTATE, and SQLite by name: what must hold, and what to do.
REMEDIES = {
    "25006": ("must be writable", "Connect to the primary server, as a user without default_transaction_read_only."),
    "53": ("must have room", "Free space, or memory, on the database's server."),
    "42501": ("must let this user write", "Grant this user all rights on the database's schema and tables."),
    "42": ("must have nbgrader's tables", "Back it up, then run `nbgrader db upgrade`."),
    "28": ("must let this user in", "Put the right user and password into AUTOGRADER_DB_URL."),
    "SQLITE_READONLY": ("must be writable", "Give this user write permission for the file and its folder."),
    "SQLITE_FULL": ("must have room", "Free space on the disk that holds the file."),
    "SQLITE_BUSY": ("must not be locked", "End the program that holds it open."),
    "SQLITE_CANTOPEN": ("must be readable", "Give this user permission for the file and its folder."),
    "SQLITE_ERROR": ("must have nbgrader's tables", "Back it up, then run `nbgrader db upgrade`."),
}
UNKNOWN = ("must take what is written", "Look into the database's own log.")
UNREACHABLE = ("must be reachable", "Start its server, or correct AUTOGRADER_DB_URL.")


class Database:
    """The database that a run writes to."""

    def __init__(
        self,
        url: str,
        warn: Callable[[str], None] = lambda line: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Prepare; nothing is opened.

        Args:
            url: SQLAlchemy's.
            warn: called with a sentence when the database fails and is tried again.
            sleep: waits that many seconds, and raises what ends the waiting.
        """
        self._url = url
        self._warn = warn
        self._sleep = sleep
        self._has_worked = False

    def retry(self, action: Callable[[], Value]) -> Value:
        """Return what an action returns; the action is repeated after a transient failure, so it must be repeatable.

        A server that was never there in this run isn't waited for.

        Raises:
            GradebookError: what failed, and what to do.
        """
        began = time.monotonic()
        pause = PAUSE_SECONDS
        while True:
            try:
                value = action()
            except Exception as error:
                failure = database_error_in(error)
                if failure is None:
                    raise
                is_there = self._has_worked or not _is_unreachable(failure)
                if not (is_there and is_transient(failure) and time.monotonic() - began < RETRY_SECONDS):
                    raise GradebookError(message_about(failure, self._url)) from error
                if pause == PAUSE_SECONDS:
                    self._warn(f"The gradebook's database failed; trying again: {_first_line(failure)}")
            else:
                self._has_worked = True
                return value
            self._sleep(pause)
            pause *= 2


@contextmanager
def shared_engine() -> Generator[None]:
    """Let all gradebooks that are opened in this context share one engine a database, which is costly to make.

    nbgrader opens its gradebook nine times a submission, each time with a new engine, which connects, looks for all
    tables and compiles each query anew.
    """
    if getattr(api.create_engine, "is_shared", False):  # within another such context
        yield
        return
    make, create_tables = api.create_engine, api.Base.metadata.create_all
    engines: dict[str, Engine] = {}
    disposals: list[Callable[[], None]] = []

    def shared(url: str, **options: Any) -> Engine:
        if url not in engines:
            # a connection that was lost while nobody used it is replaced without a word
            engine = make(url, pool_pre_ping=True, **options)
            create_tables(bind=engine)
            disposals.append(engine.dispose)
            setattr(engine, "dispose", lambda: None)  # noqa: B010  (its annotation has another signature)
            engines[url] = engine
        return engines[url]

    setattr(shared, "is_shared", True)  # noqa: B010
    api.create_engine, api.Base.metadata.create_all = shared, lambda bind: None
    try:
        yield
    finally:
        api.create_engine, api.Base.metadata.create_all = make, create_tables
        for dispose in disposals:
            dispose()


@contextmanager
def ignored_autoflush_warnings() -> Generator[None]:
    """Ignore SQLAlchemy's warnings about the way in which nbgrader adds a submission.

    nbgrader reads from the database while the new rows aren't in its session; it adds all of them right after that.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Object of type <Submitted\w+> not in session", SAWarning)
        yield


@contextmanager
def open_gradebook(course: Course) -> Generator[Gradebook]:
    """Open a course's gradebook.

    Raises:
        GradebookError: it can't be read.
    """
    try:
        with Gradebook(course.database_url, course.id) as gradebook:
            yield gradebook
    except Exception as error:
        failure = database_error_in(error)
        if failure is None:
            raise
        raise GradebookError(message_about(failure, course.database_url)) from error


def missing_notebook(url: str, course_id: str, notebooks: Mapping[str, str]) -> str:
    """Return which notebook a gradebook lacks, and what to do, in a sentence; empty if it has all of them.

    A file that was deleted is there again, empty, once nbgrader has opened it.

    Args:
        url: SQLAlchemy's.
        course_id: id of the course that the gradebook belongs to.
        notebooks: id of an assignment -> name of that assignment's notebook.
    """
    with Gradebook(url, course_id) as gradebook:
        for assignment, notebook in sorted(notebooks.items()):
            try:
                gradebook.find_notebook(notebook, assignment)
            except MissingEntry:
                shown = make_url(url).render_as_string(hide_password=True)
                return (
                    f"The gradebook must have the notebook of {assignment}. Received: {shown}, which hasn't. Run `autograder "
                    f"build {assignment}`. If the gradebook was lost, and no copy is left, grade all again then: `nbgrader "
                    f"autograde {assignment} --force`."
                )
    return ""


def database_error_in(error: BaseException | None) -> DBAPIError | None:
    """Return the database's error that led to an exception; nbgrader turns some into its own."""
    while error is not None and not isinstance(error, DBAPIError):
        error = error.__cause__ or error.__context__
    return error


def is_transient(failure: DBAPIError) -> bool:
    """Whether the same statements may succeed a moment later."""
    state = _state(failure)
    return (
        failure.connection_invalidated
        or isinstance(failure, IntegrityError)  # another grader has just written the same row
        or state.startswith(TRANSIENT)
        or _is_unreachable(failure)
    )


def message_about(failure: DBAPIError, url: str) -> str:
    """Return what must hold of the database at `url`, what it said, and what to do."""
    state = _state(failure)
    if _is_unreachable(failure) or failure.connection_invalidated or state.startswith(TRANSIENT):
        holds, remedy = UNREACHABLE
    else:
        known = [prefix for prefix in REMEDIES if state.startswith(prefix)]
        holds, remedy = REMEDIES[known[0]] if known else UNKNOWN
    shown = make_url(url).render_as_string(hide_password=True)
    return (
        f"The gradebook's database {holds}. Received: {_first_line(failure)} from {shown}. {remedy} "
        "Then the same command goes on; what was graded is kept."
    )


def _state(failure: DBAPIError) -> str:
    """Return PostgreSQL's SQLSTATE or the name of SQLite's condition, empty without one."""
    state = getattr(failure.orig, "sqlstate", None) or getattr(failure.orig, "sqlite_errorname", None)
    return str(state or "")


def _is_unreachable(failure: DBAPIError) -> bool:
    """Whether there was no server to tell what is wrong."""
    return isinstance(failure, OperationalError) and not _state(failure)


def _first_line(failure: DBAPIError) -> str:
    return str(failure.orig).strip().partition("\n")[0].rstrip(".")
