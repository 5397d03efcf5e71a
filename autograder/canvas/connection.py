"""A connection to Canvas by `canvasapi`: patient where Canvas asks for it, and silent about its token.

The token comes from the environment variable `CANVAS_TOKEN`, which is removed from this process's environment at once, so that no
process started later inherits it. It is taken out of every error's text.

Canvas answers 403 or 429 to whoever asks too much, and says in `X-Rate-Limit-Remaining` how much is left:
https://canvas.instructure.com/doc/api/file.throttling.html
"""

from __future__ import annotations

import logging
import os
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from autograder.base.errors import AutograderError, CanvasError, CourseError
from autograder.base.visible import one_line
from autograder.sources.course import Course
from autograder.sources.handing_in import CanvasCourse

Value = TypeVar("Value")

TOKEN = "CANVAS_TOKEN"
TRIES = 6
PAUSE_SECONDS = 1.0  # after the first failure; each further one doubles it
REQUEST_SECONDS = 60.0
LOW = 100.0  # of the quota, which usually is 700
MAX_FILE_BYTES = 256 << 20
MAX_SHOWN = 300


def connect(course: Course, sleep: Callable[[float], None] = time.sleep) -> Connection:
    """Return a connection to the course in Canvas; nothing is asked yet.

    Args:
        course: the course whose configuration names the Canvas site.
        sleep: called between tries.

    Raises:
        CourseError: `canvasapi`, the configuration or the token is missing.
    """
    token = os.environ.pop(TOKEN, "").strip()
    if course.canvas is None:
        raise CourseError(
            "course_config.py must say where the course is in Canvas. Received: canvas=None. Add "
            "`canvas=CanvasCourse(url=…, course=…)` to the course: docs/canvas.md."
        )
    if find_spec("canvasapi") is None:
        raise CourseError(
            "Canvas needs the extra `canvas`. Received: no canvasapi. Run `EXTRAS=test,canvas ./run install`."
        )
    if not token:
        raise CourseError(
            f"The environment variable {TOKEN} must hold an access token of Canvas. Received: none. In Canvas: Account, "
            "Settings, New Access Token."
        )
    return Connection(course.canvas, token, sleep)


class Connection:
    """One course in Canvas."""

    def __init__(self, settings: CanvasCourse, token: str, sleep: Callable[[float], None]) -> None:
        """Prepare; nothing is asked yet."""
        import canvasapi  # pyright: ignore[reportMissingImports]

        self.settings = settings
        self._token = token
        self._sleep = sleep
        self._course: Any = None
        logging.getLogger("canvasapi").setLevel(logging.WARNING)  # below, it writes down what it sends and gets
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of http, which is for this machine alone
            self._canvas = canvasapi.Canvas(settings.url.rstrip("/"), token)
        self._session: Any = vars(self._canvas)["_Canvas__requester"]._session
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, _adapter(sleep))

    def __repr__(self) -> str:
        return f"Connection({self.settings.url!r})"

    @property
    def course(self) -> Any:
        """canvasapi's course."""
        if self._course is None:
            self._course = self.with_retries(lambda: self._canvas.get_course(self.settings.course))
        return self._course

    def assignment(self, name: str) -> Any:
        """Return canvasapi's assignment: the configured one, or the only one of this name.

        Raises:
            CanvasError: there is none, or several.
        """
        if name in self.settings.assignments:
            return self.with_retries(lambda: self.course.get_assignment(self.settings.assignments[name]))
        found = [one for one in self.with_retries(lambda: list(self.course.get_assignments())) if _is_called(one, name)]
        if len(found) != 1:
            raise CanvasError(
                f"One assignment of the course in Canvas must be called {name}. Received: {len(found)}. Name its number in "
                f"course_config.py: `CanvasCourse(…, assignments={{{name!r}: 123}})`."
            )
        return found[0]

    def students(self) -> dict[int, str]:
        """Return the students: Canvas's number of a user -> nbgrader's id.

        Raises:
            CanvasError: no student has the configured field, or two share one.
        """
        users = self.with_retries(lambda: list(self.course.get_users(enrollment_type=["student"])))
        field = self.settings.match
        found = {int(user.id): str(getattr(user, field, None) or "").strip() for user in users}
        named = {number: student for number, student in found.items() if student}
        if found and not named:
            raise CanvasError(
                f"Canvas must tell the students' {field}, which is nbgrader's id. Received: none of {len(found)} students. The "
                "token's owner needs the right to see it, or name another field as CanvasCourse.match."
            )
        doubled = sorted({one for one in named.values() if list(named.values()).count(one) > 1})
        if doubled:
            raise CanvasError(
                f"Each student must have a {field} of their own. Received: {', '.join(doubled)} more than once."
            )
        return named

    def download(self, url: str, target: Path) -> None:
        """Write a student's file; the token goes to Canvas itself alone.

        Raises:
            CanvasError: it can't be had, or is longer than a quarter of a GiB.
        """
        is_canvas = urlsplit(url)[:2] == urlsplit(self.settings.url)[:2]
        headers = {"Authorization": f"Bearer {self._token}"} if is_canvas else {}

        def get() -> None:
            with self._session.get(url, headers=headers, stream=True) as response:
                response.raise_for_status()
                left = MAX_FILE_BYTES
                with target.open("wb") as file:
                    for chunk in response.iter_content(1 << 16):
                        left -= len(chunk)
                        if left < 0:
                            raise CanvasError(f"A file must have at most {MAX_FILE_BYTES >> 20} MB. Received: more.")
                        file.write(chunk)

        self.with_retries(get)

    def with_retries(self, action: Callable[[], Value]) -> Value:
        """Return what an action returns; it is repeated after a failure that passes, so it must be repeatable.

        Raises:
            CanvasError: what failed, without the token.
        """
        pause = PAUSE_SECONDS
        for tries_left in range(TRIES - 1, -1, -1):
            try:
                return action()
            except AutograderError:
                raise
            except Exception as error:  # noqa: BLE001  (an answer that is no JSON, or of another shape, is Canvas's failure too)
                if not (_passes(error) and tries_left):
                    raise CanvasError(self._explained(error)) from None
            self._sleep(pause)
            pause *= 2
        raise AssertionError("unreachable")

    def _explained(self, error: Exception) -> str:
        """Return what failed and what to do, in one line without the token."""
        name = type(error).__name__
        remedy = {
            "InvalidAccessToken": f"Put a token that is valid into {TOKEN}.",
            "Unauthorized": "The token's owner must teach the course.",
            "Forbidden": "The token's owner must teach the course.",
            "ResourceDoesNotExist": "Correct CanvasCourse in course_config.py.",
        }.get(name, "The same command goes on once Canvas does.")
        said = one_line(str(error)).replace(self._token, "…")[:MAX_SHOWN]
        return f"Canvas must do what it is asked. Received: {name}: {said} from {self.settings.url}. {remedy}"


def _is_called(assignment: Any, name: str) -> bool:
    called = str(getattr(assignment, "name", "")).strip()
    return called == name or called.startswith(f"{name} ") or called.startswith(f"{name}:")


def _passes(error: Exception) -> bool:
    """Whether the same request may succeed a moment later."""
    from canvasapi.exceptions import (  # pyright: ignore[reportMissingImports]
        Forbidden,
        RateLimitExceeded,
    )
    from requests import ConnectionError as NoConnectionError
    from requests import HTTPError, Timeout
    from requests.exceptions import ChunkedEncodingError

    if isinstance(error, HTTPError):
        status = int(getattr(error.response, "status_code", 0))
        return status in (403, 429) or status >= 500
    if isinstance(error, Forbidden) and not isinstance(error, RateLimitExceeded):
        return "rate limit" in str(error).lower()
    is_down = "status code 5" in str(error)  # canvasapi has no class for it
    return is_down or isinstance(error, (RateLimitExceeded, NoConnectionError, Timeout, ChunkedEncodingError))


def _adapter(sleep: Callable[[float], None]) -> Any:
    """Return what sends requests: with a time limit, which canvasapi sets none of, and slower when the quota runs low."""
    from requests.adapters import HTTPAdapter

    class Patient(HTTPAdapter):
        def send(self, request: Any, *arguments: Any, **options: Any) -> Any:
            options["timeout"] = options.get("timeout") or REQUEST_SECONDS
            response = super().send(request, *arguments, **options)
            try:
                left = float(response.headers.get("X-Rate-Limit-Remaining", "inf"))
            except ValueError:
                left = LOW
            if left < LOW:
                sleep(PAUSE_SECONDS)
            return response

    return Patient()
