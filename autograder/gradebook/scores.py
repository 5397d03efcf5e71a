"""Read the gradebook: who earned what."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.gradebook.database import open_gradebook
from autograder.sources.course import Course


@dataclass(frozen=True)
class StudentScores:
    """One student's points in one assignment.

    Attributes:
        student: id of the student.
        points: task -> points earned, None where the task is ungraded.
        penalty: points that lateness costs.
    """

    student: str
    points: dict[str, float | None]
    penalty: float = 0.0

    @property
    def total(self) -> float:
        """Points of the graded tasks less the penalty, at least 0."""
        return max(0.0, sum(points or 0.0 for points in self.points.values()) - self.penalty)


def scores(course: Course, assignment: str) -> list[StudentScores]:
    """Return every submission's points per task, in the order of student ids."""
    slugs = list(course.source(assignment).points)
    found: list[StudentScores] = []
    with open_gradebook(course) as gradebook:
        for submission in gradebook.assignment_submissions(assignment):
            grades = {g.name.removeprefix("grade-"): g for notebook in submission.notebooks for g in notebook.grades}
            points = {slug: points_of(grades[slug]) if slug in grades else None for slug in slugs}
            found.append(StudentScores(submission.student.id, points, float(submission.late_submission_penalty or 0.0)))
    return sorted(found, key=lambda row: row.student)


def points_of(grade: object) -> float | None:
    """Return the points of one nbgrader grade: what a person gave, else the grader, and extra credit; None if ungraded."""
    manual, auto = grade.manual_score, grade.auto_score  # type: ignore[attr-defined]
    points = auto if manual is None else manual
    return None if points is None else float(points) + float(grade.extra_credit or 0.0)  # type: ignore[attr-defined]
