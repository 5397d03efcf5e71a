"""What students get: one zip per language, of notebooks, their requirements, fonts and the guide, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from autograder.base.errors import CourseError
from autograder.base.zips import write_zip
from autograder.gradebook.release import build
from autograder.sources.course import Course

REQUIREMENTS = "assignments/requirements.txt"
FONTS = "assignments/fonts"  # and their licences: what plots need and a student's machine may not have
GLOSSARY = "docs/glossary.md"
FOR_ASSISTANTS = "docs/assistants.md"  # `AGENTS.md` is the name under which AI assistants look for instructions
GUIDES = {"en": "docs/students.md", "ko": "docs/students.ko.md"}
# The line of a guide that leads to the same guide in another language.
OTHER_LANGUAGE_LINE = re.compile(r"^\[[^\]]+\]\(students(?:\.ko)?\.md\)\n\n", re.MULTILINE)


def pack(
    course: Course, assignments: Sequence[str], folder: Path, tell: Callable[[str], None] = lambda line: None
) -> list[Path]:
    """Build assignments and write `<course>-<language>.zip` into `folder`; repeating it writes the same bytes.

    They are built anew, since a release may have been opened and solved where it lies.

    Args:
        course: the course whose sources and configuration are used.
        assignments: ids of the assignments; none means all.
        folder: where the zips are written.
        tell: called with a line about each release and zip.

    Raises:
        CourseError: a source is wrong, or a course with a folder `docs` lacks the guide, the glossary, the requirements or the page for assistants.
    """
    build(course, assignments, tell)
    written: list[Path] = []
    for language in course.languages:
        name = f"{course.id}-{language}"
        written.append(write_zip(folder / f"{name}.zip", _contents(course, assignments, language), top=name))
        tell(f"wrote {written[-1]}")
    return written


def _contents(course: Course, assignments: Sequence[str], language: str) -> dict[str, bytes]:
    """Return name in the zip -> content: the notebooks, and what goes with them."""
    contents = {
        name.removeprefix("assignments/"): content for name, content in shared_contents(course, language).items()
    }
    for assignment in assignments or course.source_paths:
        name = f"{assignment}/{course.source(assignment).name}.ipynb"
        contents[name] = read_handout(course, f"assignments/{language}/{name}")
    return contents


def shared_contents(course: Course, language: str, *, guide_names: Mapping[str, str] | None = None) -> dict[str, bytes]:
    """Return name -> content of what goes with the notebooks of a course that has a folder `docs`, nothing for any other.

    Args:
        course: the course whose sources and configuration are used.
        language: the language of the guide, e.g. `en`.
        guide_names: language -> name of the guide in that language, where the guides of several languages lie side by side; else the guide is
            `README.md`, and leads to no other.
    """
    if not (course.root / "docs").is_dir():
        return {}
    guide = read_handout(course, GUIDES[language]).decode("utf-8")
    if guide_names is None or len(guide_names) < 2:
        guide = OTHER_LANGUAGE_LINE.sub("", guide, count=1)
    else:
        for other, name in guide_names.items():
            guide = guide.replace(f"]({Path(GUIDES[other]).name})", f"]({name})")
    contents = {
        (guide_names or {}).get(language, "README.md"): guide.encode("utf-8"),
        "glossary.md": read_handout(course, GLOSSARY),
        "AGENTS.md": read_handout(course, FOR_ASSISTANTS),
        "requirements.txt": read_handout(course, REQUIREMENTS),
    }
    for path in (course.root / FONTS).glob("*"):
        contents[f"{FONTS}/{path.name}"] = path.read_bytes()
    return contents


def read_handout(course: Course, name: str) -> bytes:
    """Return the content of a file that students get.

    Raises:
        CourseError: the course hasn't got it.
    """
    try:
        return (course.root / name).read_bytes()
    except OSError as error:
        raise CourseError(
            f"What students get must be in the course. Received: {course.root / name}: {error.strerror}. Copy it from "
            "the course's sources."
        ) from None
