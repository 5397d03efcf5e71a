"""What a public repository of the course may hold: the releases and what goes with them, and nothing of the grading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from autograder.base.trees import check_tree, write_tree
from autograder.gradebook.handout import read_handout, shared_contents
from autograder.gradebook.release import build
from autograder.sources.course import Course

LICENCES = "LICENSE*"


def write_public(
    course: Course, assignments: Sequence[str], folder: Path, tell: Callable[[str], None] = lambda line: None
) -> list[str]:
    """Build assignments and make a folder hold what a public repository may; repeating it writes the same bytes.

    Args:
        course: the course whose sources and configuration are used.
        assignments: ids of the assignments; none means all.
        folder: the folder to write: a new one, an empty one, or one that an earlier call wrote, which may be a git repository by now.
        tell: called with a line about each release.

    Returns:
        Names below the folder.

    Raises:
        CourseError: a source is wrong, something that goes with the releases is missing, or the folder holds anything else.
    """
    check_tree(folder)
    build(course, assignments, tell)
    contents = public_contents(course, assignments)
    write_tree(folder, contents)
    return sorted(contents)


def public_contents(course: Course, assignments: Sequence[str] = ()) -> dict[str, bytes]:
    """Return name below the public folder -> content. The releases lie where they lie in the course, so links to them stay right.

    Args:
        course: the course whose releases are built.
        assignments: ids of the assignments; none means all.
    """
    contents: dict[str, bytes] = {}
    guide_names = {
        language: "README.md" if number == 0 else f"README.{language}.md"
        for number, language in enumerate(course.languages)
    }
    for language in course.languages:
        contents |= shared_contents(course, language, guide_names=guide_names)
        for assignment in assignments or course.source_paths:
            name = f"assignments/{language}/{assignment}/{course.source(assignment).name}.ipynb"
            contents[name] = read_handout(course, name)
    for path in course.root.glob(LICENCES):
        contents[path.name] = path.read_bytes()
    return contents
