"""Read the gradebook: who earned what."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.course import Course
from autograder.gradebook.database import open_gradebook


@dataclass(frozen=True)
class StudentScores:
    """One student's points in one assignment, None where a task is ungraded."""

    student: str
    points: dict[str, float | None]

    @property
    def total(self) -> float:
        """Points of the graded tasks."""
        return sum(points or 0.0 for points in self.points.values())


def scores(course: Course, assignment: str) -> list[StudentScores]:
    """Return every submission's points per task, in the order of student ids."""
    slugs = list(course.source(assignment).points)
    found: list[StudentScores] = []
    with open_gradebook(course) as gradebook:
        for submission in gradebook.assignment_submissions(assignment):
            grades = {g.name.removeprefix("grade-"): g for notebook in submission.notebooks for g in notebook.grades}
            points = {slug: points_of(grades[slug]) if slug in grades else None for slug in slugs}
            found.append(StudentScores(submission.student.id, points))
    return sorted(found, key=lambda row: row.student)


def points_of(grade: object) -> float | None:
    """Return the points of one nbgrader grade: what a person gave, else what the grader gave, else None."""
    manual, auto = grade.manual_score, grade.auto_score  # type: ignore[attr-defined]
    return float(manual) if manual is not None else None if auto is None else float(auto)
