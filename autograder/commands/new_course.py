"""A small course to begin one's own from: one task with its rubric, a known mistake and a right alternative."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from autograder.base.errors import CourseError

STARTING_COURSE = Path(__file__).with_name("starting_course")
RENAMED = {"gitignore": ".gitignore"}  # a package's own file of that name would hide parts of it from git
PLACEHOLDER = "COURSE_ID"


def make_course(folder: Path) -> list[Path]:
    """Write the starting course.

    Args:
        folder: a new or empty folder, whose name becomes the course's.

    Returns:
        The files that were written.

    Raises:
        CourseError: something is in the folder already, or its name has no letter or figure.
    """
    identity = re.sub(r"[^A-Za-z0-9]+", "-", folder.resolve().name).strip("-").lower()
    if not identity:
        raise CourseError(
            f"The folder's name must have a letter or a figure: the course is called so. Received: {folder}."
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CourseError(f"The folder of a new course must be new or empty. Received: {folder}. Name another one.")
    written: list[Path] = []
    for source in sorted(STARTING_COURSE.rglob("*")):
        if source.is_dir() or "__pycache__" in source.parts:
            continue
        inside = source.relative_to(STARTING_COURSE)
        target = folder / inside.parent / RENAMED.get(inside.name, inside.name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(source.read_text(encoding="utf-8").replace(PLACEHOLDER, identity), encoding="utf-8")
        shutil.copymode(source, target)
        written.append(target)
    return written
