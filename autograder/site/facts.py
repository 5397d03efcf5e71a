"""What a course's pages say of its assignments: titles, points, how hard a task is and how long it takes, due dates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url

from autograder.gradebook.database import open_gradebook
from autograder.sources.course import Course
from autograder.sources.notebooks import NotebookSource

HEADING = re.compile(r"^#{1,4} +(.+?) *$", re.MULTILINE)
EFFORT = re.compile(r"^\*Difficulty (\d) of (\d), about (\d+) minutes\.\*$", re.MULTILINE)
WORTH = re.compile(r" *\((?:([^()]*), )?[\d.]+ ?(?:points?|점)\)$")  # after a word in the brackets, too


@dataclass(frozen=True)
class TaskFacts:
    """A task of a notebook.

    Attributes:
        slug: the task's slug.
        title: the task's heading, as Markdown, without the points.
        points: points to earn.
        difficulty: difficulty, 1 for the easiest; 0 where the notebook doesn't say.
        hardest: the highest difficulty that there is.
        minutes: minutes that the task takes about; 0 where the notebook doesn't say.
    """

    slug: str
    title: str
    points: float
    difficulty: int = 0
    hardest: int = 0
    minutes: int = 0


@dataclass(frozen=True)
class AssignmentFacts:
    """An assignment in one language.

    Attributes:
        assignment: name of the assignment's folder.
        title: the notebook's title, as Markdown.
        is_bonus: whether the points come on top of the course's.
        due: the due date, in UTC; None where the gradebook has none.
        tasks: the tasks, in the notebook's order.
    """

    assignment: str
    title: str
    is_bonus: bool
    due: datetime | None
    tasks: tuple[TaskFacts, ...]

    @property
    def points(self) -> float:
        """Points of all tasks."""
        return sum(task.points for task in self.tasks)

    @property
    def minutes(self) -> int:
        """Minutes of all tasks."""
        return sum(task.minutes for task in self.tasks)


def facts_of(course: Course, source: NotebookSource, language: str, due: datetime | None) -> AssignmentFacts:
    """Return what the pages say of an assignment.

    Args:
        course: the course whose sources and configuration are used.
        source: the source of the notebook.
        language: the language of the titles, e.g. `en`.
        due: the due date, from `due_dates`; None if nothing says.
    """
    tasks: list[TaskFacts] = []
    title, heading, effort = source.name, "", (0, 0, 0)
    for number, cell in enumerate(source.cells):
        if cell.role == "prose":
            found = [one[1] for one in HEADING.finditer(cell.texts[language])]
            title = found[0] if number == 0 and found else title
            heading = found[-1] if found else heading
            # the language of the sources says it; the others say the same
            for said in EFFORT.finditer(cell.texts["en"]):
                effort = int(said[1]), int(said[2]), int(said[3])
        elif cell.role == "task":
            points = source.points[cell.slug]
            tasks.append(TaskFacts(cell.slug, WORTH.sub(_without_points, heading) or cell.slug, points, *effort))
            heading, effort = "", (0, 0, 0)
    return AssignmentFacts(source.assignment, title, source.assignment in course.bonus, due, tuple(tasks))


def _without_points(worth: re.Match[str]) -> str:
    return f" ({worth[1]})" if worth[1] else ""


def due_dates(course: Course) -> dict[str, datetime]:
    """Return assignment -> when it is due by the gradebook, in UTC; nothing where there is no gradebook yet."""
    url = make_url(course.database_url) if course.database_url else None
    if url is None or (url.get_backend_name() == "sqlite" and not (url.database and Path(url.database).is_file())):
        return {}
    with open_gradebook(course) as gradebook:
        works: list[Any] = [*gradebook.assignments]
        return {str(one.name): one.duedate.replace(tzinfo=UTC) for one in works if one.duedate is not None}
