"""Whose notebook a submitted file is: another assignment's is told by the ids of its cells."""

from __future__ import annotations

from contextlib import suppress

from nbformat import NotebookNode

from autograder.base.errors import CourseError
from autograder.base.text import Text
from autograder.sources.course import Course
from autograder.sources.notebooks import NotebookSource


def other_assignment(notebook: NotebookNode, course: Course, assignment: str) -> str:
    """Return the assignment that a notebook belongs to where it has no task cell of the one that it was handed in for.

    Args:
        notebook: as `parse_notebook` returns it.
        course: the course whose assignments are compared.
        assignment: what the notebook was handed in for.

    Returns:
        The first other assignment all of whose task cells are there; empty if there is none.
    """
    claimed = {identity for cell in notebook.cells for identity in cell.metadata.get("claimed", [])}
    if claimed & _task_ids(course.source(assignment)):
        return ""
    for other in course.source_paths:
        with suppress(CourseError):  # a source that is wrong stops nobody else's assignment
            if (ids := _task_ids(course.source(other))) and ids <= claimed:
                return other
    return ""


def wrong_assignment_sentence(other: str, assignment: str) -> Text:
    """Return the sentence about a notebook that was handed in for the wrong assignment.

    Args:
        other: the assignment that the notebook belongs to.
        assignment: what it was handed in for.
    """
    return Text(
        f"This is the notebook of {other}, handed in for {assignment}.",
        f"{assignment}에 {other}의 노트북을 제출했습니다.",
    )


def _task_ids(source: NotebookSource) -> set[str]:
    return {cell.id for cell in source.cells if cell.role == "task"}
