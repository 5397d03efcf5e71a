"""What a course says about handing in: how many tries there are, what lateness costs, and where its Canvas is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from autograder.base.errors import CourseError
from autograder.sources.options import Options, require_kind, require_names

MATCHES = ("login_id", "sis_user_id", "integration_id", "email", "id")


@dataclass(frozen=True)
class Tries(Options):
    """How often one student's work on one assignment is graded by `autograder watch`.

    Attributes:
        per_day: gradings a day, 0 for any number; what comes beyond waits for the next day.
        in_all: gradings in all, 0 for any number; what comes beyond is not graded.
        time_zone: IANA name of the zone whose midnight ends a day.
    """

    per_day: int = 0
    in_all: int = 0
    time_zone: str = "UTC"

    def __post_init__(self) -> None:
        for name in ("per_day", "in_all"):
            value = getattr(self, name)
            if type(value) is not int or value < 0:
                raise CourseError(f"Tries.{name} must be a whole number, 0 for no limit. Received: {name}={value!r}.")
        zone_of("Tries.time_zone", self.time_zone)


@dataclass(frozen=True)
class LateDays(Options):
    """What lateness costs.

    Attributes:
        budget: days that each student may be late over the whole course at no cost.
        share_per_day: share of an assignment's points that is taken for each further day begun.
        grace_minutes: how many minutes after the due date don't count.
        time_zone: IANA name of the zone of times that say none.
    """

    budget: int = 0
    share_per_day: float = 0.1
    grace_minutes: float = 0.0
    time_zone: str = "UTC"

    def __post_init__(self) -> None:
        if type(self.budget) is not int or self.budget < 0:
            raise CourseError(f"LateDays.budget must be a whole number of days. Received: budget={self.budget!r}.")
        require_kind("LateDays.share_per_day", self.share_per_day, (int, float), "a number from 0 to 1, such as 0.1")
        require_kind("LateDays.grace_minutes", self.grace_minutes, (int, float), "a number of minutes, such as 15")
        if not 0 <= self.share_per_day <= 1:
            raise CourseError(
                f"LateDays.share_per_day must be from 0 to 1. Received: share_per_day={self.share_per_day!r}."
            )
        if not 0 <= self.grace_minutes < 24 * 60:
            raise CourseError(
                "LateDays.grace_minutes must be at least 0 and less than a day. Received: "
                f"grace_minutes={self.grace_minutes!r}."
            )
        zone_of("LateDays.time_zone", self.time_zone)


@dataclass(frozen=True)
class CanvasCourse(Options):
    """Where the course is in Canvas. The access token is read from the environment, never from here.

    Attributes:
        url: Canvas's address, e.g. `https://canvas.example.edu`.
        course: Canvas's number of the course, the last part of its address.
        assignments: assignment -> Canvas's number of the assignment; one that isn't listed is found by its name.
        match: which of a Canvas user's fields is nbgrader's student id.
    """

    url: str
    course: int
    assignments: Mapping[str, int] = field(default_factory=dict)
    match: str = "login_id"

    def __post_init__(self) -> None:
        require_kind("CanvasCourse.url", self.url, (str,), "Canvas's address, such as 'https://canvas.example.edu'")
        require_kind(
            "CanvasCourse.assignments", self.assignments, (Mapping,), "a dictionary, such as {'01-first-steps': 123}"
        )
        require_names("CanvasCourse.assignments", [*self.assignments])
        parts = urlsplit(self.url)
        is_here = parts.hostname in ("localhost", "127.0.0.1", "::1")
        is_safe = parts.scheme == "https" or (parts.scheme == "http" and is_here)
        if not (is_safe and parts.hostname and re.fullmatch("/*", parts.path) and not (parts.query or parts.username)):
            raise CourseError(
                "CanvasCourse.url must be the https address of Canvas alone, e.g. https://canvas.example.edu. "
                f"Received: url={self.url!r}."
            )
        if self.match not in MATCHES:
            raise CourseError(
                f"CanvasCourse.match must be one of {', '.join(MATCHES)}. Received: match={self.match!r}."
            )
        for name, number in {"course": self.course, **self.assignments}.items():
            if type(number) is not int or number < 1:
                raise CourseError(f"Canvas's number must be a whole number. Received: {number!r} for {name}.")


def zone_of(what: str, name: str) -> ZoneInfo:
    """Return a time zone.

    Args:
        what: what the option is called that names the zone.
        name: the zone's IANA name.

    Raises:
        CourseError: there is none of this name.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError):
        raise CourseError(f"{what} must be an IANA name such as Asia/Seoul. Received: {name!r}.") from None
