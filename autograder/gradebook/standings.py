"""How a student stands with an assignment, read from the gradebook: what the feedback page tells in its first lines."""

from __future__ import annotations

from datetime import datetime

from autograder.gradebook.handins import tries_of
from autograder.gradebook.late_days import late_sentences
from autograder.report.standing import Standing, Try
from autograder.sources.course import Course
from autograder.sources.handing_in import zone_of


def standing_of(course: Course, assignment: str, student: str) -> Standing:
    """Return what is known of a student's tries and lateness.

    Args:
        course: the course whose gradebook is read.
        assignment: id of the assignment that the page is about.
        student: the student's id.

    Raises:
        CourseError: the CSV of extensions is wrong.
        GradebookError: the gradebook can't be read.
    """
    rule = course.tries
    zone = zone_of("Tries.time_zone", rule.time_zone)
    tries = [
        Try(one.points, f"{datetime.fromtimestamp(one.found, zone):%Y-%m-%d %H:%M}")
        for one in tries_of(course, assignment, student)
    ]
    left = max(0, rule.in_all - len(tries)) if rule.in_all and tries else None
    return Standing(late_sentences(course, assignment, student), tries, left)
