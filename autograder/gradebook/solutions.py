"""What students get after the due date: the solved notebooks, with the rubric and why each of its lines is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from nbformat import NotebookNode, writes
from nbformat.v4 import new_markdown_cell

from autograder.base.errors import CourseError
from autograder.base.text import Text
from autograder.base.zips import write_zip
from autograder.gradebook.clear_solutions import BROKEN
from autograder.gradebook.late_days import last_due_date
from autograder.gradebook.release import check_source
from autograder.grading.runner import mistakes_of
from autograder.sources.course import Course
from autograder.sources.notebooks import NOTEBOOK_KEY, NotebookSource, render

__all__ = ["Withheld", "pack_solutions", "solved_notebook", "withheld"]

MARKER = re.compile(r"^[ \t]*### (?:BEGIN|END) SOLUTION[^\n]*\n?", re.MULTILINE)
BROKEN_LINE = re.compile(BROKEN.pattern + r"\n?", re.MULTILINE)
MAX_HINTS = 3  # of the mistakes that one line tells
TITLE = Text("What was graded, and why", "무엇을, 왜 평가했는가")
INTRO = Text(
    "Below each line stand some of the wrong answers for which it is there, in the words of the feedback.",
    "항목마다 그 항목이 가려내는 틀린 답을 피드백에 쓰는 말로 몇 가지 적었습니다.",
)
POINT = Text("1 point", "1점")
POINTS = Text("{points:g} points", "{points:g}점")
GATE = Text("no points of its own, but others need it", "점수는 없지만 다른 항목에 필요함")
AFTER = Text("after: {titles}", "먼저 맞혀야 하는 항목: {titles}")
MORE = Text("and {count} more kinds of mistakes", "그 밖의 실수 {count}가지")


@dataclass(frozen=True)
class Withheld:
    """An assignment whose solutions aren't given away yet.

    Attributes:
        assignment: id of the assignment.
        due: the last due date of any student, in UTC; None where the gradebook has no due date.
    """

    assignment: str
    due: datetime | None

    @property
    def reason(self) -> str:
        """Why the solutions are withheld, as a part of a sentence."""
        if self.due is None:
            return f"{self.assignment}, which has no due date in the gradebook"
        return f"{self.assignment}, due {self.due:%Y-%m-%d %H:%M:%S} UTC"


def withheld(course: Course, assignments: Sequence[str], now: datetime) -> list[Withheld]:
    """Return those assignments to which somebody may still hand in.

    Args:
        course: the course, whose gradebook knows the due dates.
        assignments: ids of the assignments.
        now: the time with which due dates are compared.

    Raises:
        CourseError: the CSV of extensions is wrong.
        GradebookError: the gradebook can't be read.
    """
    dues = {assignment: last_due_date(course, assignment) for assignment in assignments}
    return [Withheld(assignment, due) for assignment, due in dues.items() if due is None or now < due]


def pack_solutions(
    course: Course,
    assignments: Sequence[str],
    folder: Path,
    tell: Callable[[str], None] = lambda line: None,
    *,
    early: bool = False,
) -> list[Path]:
    """Write `<course>-solutions-<language>.zip` into `folder`; repeating it writes the same bytes.

    Args:
        course: the course whose sources and configuration are used.
        assignments: ids of the assignments; none means those that nobody may hand in any more.
        folder: where the zips are written.
        tell: called with a line about each zip and each assignment that is left out.
        early: whether due dates are ignored.

    Raises:
        CourseError: somebody may still hand in to an assignment that was named, or to all; or a source is wrong.
    """
    held = [] if early else withheld(course, assignments or list(course.source_paths), datetime.now(UTC))
    waiting = {each.assignment for each in held}
    chosen = [each for each in assignments or course.source_paths if each not in waiting]
    if held and (assignments or not chosen):
        raise CourseError(
            f"Solutions are released when nobody may hand in any more. Received: {'; '.join(each.reason for each in held)}. "
            "Wait, correct the date with `nbgrader db assignment add ASSIGNMENT --duedate …`, or say --early; nothing was written."
        )
    for each in held:
        tell(f"left out {each.reason}")
    sources = [course.source(assignment) for assignment in chosen]
    for source in sources:
        check_source(course, source)
    written: list[Path] = []
    for language in course.languages:
        name = f"{course.id}-solutions-{language}"
        contents = {
            f"{source.assignment}/{source.name}_solved.ipynb": f"{writes(solved_notebook(source, language))}\n".encode()
            for source in sources
        }
        written.append(write_zip(folder / f"{name}.zip", contents, top=name))
        tell(f"wrote {written[-1]}")
    return written


def solved_notebook(source: NotebookSource, language: str) -> NotebookNode:
    """Return a notebook with its solutions, and below each task's checks the rubric and why each line is there.

    It holds no grader and none of their inputs: the rubric's titles, and hints as the feedback gives them, nothing else. It
    carries none of nbgrader's metadata, so nobody hands it in by mistake.
    """
    notebook = render(source, language)
    del notebook.metadata[NOTEBOOK_KEY]
    cells: list[NotebookNode] = []
    for cell, known in zip(notebook.cells, source.cells, strict=True):
        cell.metadata.pop("nbgrader", None)
        if known.role in ("task", "carry-over"):
            cell.source = BROKEN_LINE.sub("", MARKER.sub("", cell.source)).strip("\n")
        cells.append(cell)
        if known.role == "grade":
            rubric = new_markdown_cell(_rubric_markdown(source, known.slug, language))
            rubric.id = f"rubric-{known.slug}"[:64]
            cells.append(rubric)
    notebook.cells = cells
    return notebook


def _rubric_markdown(source: NotebookSource, slug: str, language: str) -> str:
    """Return a task's rubric lines, each with what else would be taken for right."""
    told = {identity: dict[str, None]() for identity in source.rubric}
    for mistake in mistakes_of(source.folder).values():
        for identity in mistake.misses:
            told[identity][mistake.hint.in_language(language)] = None
    parts = [
        f"### {TITLE.in_language(language)}: `{slug}` ({_worth(source.points[slug], language)})",
        INTRO.in_language(language),
    ]
    for identity, line in source.rubric.items():
        if line.task != slug:
            continue
        about = [_worth(line.points, language)]
        if line.needs:
            needed = "; ".join(source.rubric[need].title.in_language(language) for need in line.needs)
            about.append(AFTER.in_language(language).format(titles=needed))
        parts.append(f"- **{line.title.in_language(language)}** ({', '.join(about)})")
        hints = list(told[identity])
        parts += [f"  - {hint}" for hint in hints[:MAX_HINTS]]
        if len(hints) > MAX_HINTS:
            parts.append(f"  - {MORE.in_language(language).format(count=len(hints) - MAX_HINTS)}")
    return "\n\n".join([*parts[:2], "\n".join(parts[2:])])


def _worth(points: float, language: str) -> str:
    text = POINT if points == 1 else POINTS if points else GATE
    return text.in_language(language).format(points=points)
