"""The roster that `course_config.py` names for the exports serves to collect submissions too."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from autograder.base.errors import CourseError
from autograder.collecting.roster import Roster
from autograder.sources.course import Course, read_config

EXPORTS = {"canvas": "CanvasExport", "moodle": "MoodleExport"}


def roster_for(course: Course, kind: str, path: Path | None, match: str, time_zone: str) -> Roster | None:
    """Return the roster for a download.

    Args:
        course: the course whose configuration may name a roster.
        kind: what the download comes from: `canvas`, `moodle`, `clones` or `plain`.
        path: the roster's file; None means the one that the course configures for this kind of download, if any.
        match: the column that holds nbgrader's student ids; empty: the one configured, else the usual one.
        time_zone: IANA name, of the times in Moodle's grading worksheet.

    Raises:
        CourseError: the roster or the time zone is unusable.
    """
    try:
        zone = ZoneInfo(time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise CourseError(
            f"The time zone must be an IANA name such as Asia/Seoul. Received: time_zone={time_zone!r}."
        ) from None
    configured = read_config(course.root)["c"].get(EXPORTS.get(kind, ""), {})
    if path is None and configured.get("roster"):
        path = course.root / str(configured["roster"])
    return Roster(path, match or str(configured.get("match", "")), zone) if path else None
