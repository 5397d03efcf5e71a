"""A sample class: varied submissions to an assignment, written into a copy of the course and graded as an instructor would."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import nbformat
from nbformat import NotebookNode

from autograder.base.errors import CourseError
from autograder.grading.runner import alternatives_of, mistakes_of
from autograder.sources.course import CONFIG_NAME, Course
from autograder.sources.notebooks import NotebookSource

MARKER = ".demo-class"
GRADED = re.compile(r"\b([a-z0-9-]+): [0-9.]+ of [0-9.]+ points")


@dataclass(frozen=True)
class Student:
    """One member of the sample class.

    Attributes:
        id: name of the student's folder; says what is special.
        files: file name -> content of the submission.
    """

    id: str
    files: Mapping[str, bytes]


def copy_course(course: Course, folder: Path) -> Path:
    """Copy the course's sources and configuration into `folder`, emptied first if it holds an earlier demo.

    Raises:
        CourseError: the folder holds something else.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / MARKER).exists():
        raise CourseError(
            f"The demo's folder must be new, empty or from an earlier demo. Received: {folder}. Name another with --folder."
        )
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / MARKER).touch()
    shutil.copytree(course.root / "solutions", folder / "solutions", ignore=shutil.ignore_patterns("__pycache__"))
    for name in (CONFIG_NAME, "nbgrader_config.py"):
        shutil.copy(course.root / name, folder / name)
    return folder


def database_url(root: Path) -> str:
    """Return the URL of a gradebook in a copied course's own folder, whichever its configuration names."""
    return f"sqlite:///{root / 'gradebook.db'}?timeout=60"


def sample_class(course: Course, assignment: str) -> list[Student]:
    """Return the class's submissions to an assignment whose releases are built.

    Tasks that take minutes to grade are left out by all but the first student. Students who need several tasks, several
    known mistakes or another right answer are left out where the assignment hasn't them.
    """
    source = course.source(assignment)
    notebooks = {language: released(course, source, language) for language in course.languages}
    english, korean = notebooks[course.languages[0]], notebooks[course.languages[-1]]
    name = f"{source.name}.ipynb"
    slugs = list(source.points)
    whole = {slug: source.reference(slug) for slug in _answers(source)}
    solution = {slug: code for slug, code in whole.items() if slug not in source.costly}
    right = [entry for entry in alternatives_of(source.folder).values() if course.backend in entry.backends]
    wrong = list(mistakes_of(source.folder).values())

    def filled(answers: Mapping[str, str], notebook: NotebookNode = english) -> dict[str, bytes]:
        return {name: to_bytes(fill(notebook, answers))}

    def with_code(slug: str, code: str) -> dict[str, bytes]:
        return filled({**solution, slug: code})

    second = slugs[:2][-1]
    function = sorted(source.defined_names[f"task-{slugs[0]}"])[0]
    apart = [next(m for m in wrong if m.task == slug) for slug in slugs if any(m.task == slug for m in wrong)]
    half = {slug: code for slug, code in solution.items() if slug == "carry-over" or slug in slugs[: len(slugs) // 2]}
    both = {mistake.task: mistake.code for mistake in apart[-2:]}
    students = [
        Student("right-english", filled(whole)),
        Student("right-korean", filled(solution, korean)),
        *(
            Student(f"right-{which}-style", filled({**solution, **alternative.cells}))
            for which, alternative in zip(("other", "third"), [*right[:1], *right[1:][-1:]], strict=False)
        ),
        *([Student("half-done", filled(half))] if slugs[1:] else []),
        Student("untouched", filled({})),
        *(Student(f"mistake-{mistake.id}", filled({**solution, mistake.task: mistake.code})) for mistake in apart[:3]),
        *([Student("two-mistakes", filled({**solution, **both}))] if len(both) > 1 else []),
        Student("syntax-error", with_code(second, solution[second].replace("):", ")", 1))),
        Student(
            "endless-loop", with_code(slugs[0], f"def {function}(*args, **kwargs):\n    while True:\n        pass\n")
        ),
        Student("dead-kernel", with_code(second, "import os\n\nos._exit(0)\n")),
        Student("returns-nothing", with_code(slugs[0], f"def {function}(*args, **kwargs):\n    print('20 points')\n")),
        Student("test-cells-deleted", {name: to_bytes(_without_tests(fill(english, solution)))}),
        Student("metadata-stripped", {name: to_bytes(_without_metadata(fill(english, solution)))}),
        Student("other-name", {f"my {source.name} (1).ipynb": filled(solution)[name]}),
        Student("cut-off-file", {name: filled(solution)[name][:5000]}),
    ]
    return students


def hand_in(root: Path, assignment: str, students: list[Student]) -> None:
    """Write submissions into nbgrader's `submitted` folder."""
    for student in students:
        folder = root / "submitted" / student.id / assignment
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in student.files.items():
            (folder / name).write_bytes(content)


def run_nbgrader(root: Path, *arguments: str, tell: Callable[[str], None] = lambda student: None) -> None:
    """Run one nbgrader command in `root` as an instructor would, on that folder's own gradebook.

    Args:
        root: the course.
        arguments: the command line after `nbgrader`.
        tell: called with each student's id as soon as it is graded.

    Raises:
        CourseError: the command failed; its last lines are in the message.
    """
    environment = {k: v for k, v in os.environ.items() if k != "AUTOGRADER_DB_URL"}
    command = [sys.executable, "-m", "nbgrader", *arguments, f"--db={database_url(root)}"]
    lines: list[str] = []
    with _process(command, root, environment) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.rstrip())
            if match := GRADED.search(line):
                tell(match[1])
    if process.returncode:
        raise CourseError(
            f"`nbgrader {' '.join(arguments)}` failed with exit status {process.returncode}:\n" + "\n".join(lines[-15:])
        )


@contextmanager
def _process(command: list[str], root: Path, environment: dict[str, str]) -> Generator[subprocess.Popen[str]]:
    with subprocess.Popen(
        command, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
        except BaseException:
            process.terminate()
            raise


def _answers(source: NotebookSource) -> list[str]:
    return [cell.slug or cell.role for cell in source.cells if cell.role in ("task", "carry-over")]


def released(course: Course, source: NotebookSource, language: str) -> NotebookNode:
    """Return the built release of a notebook."""
    path = course.root / "assignments" / language / source.assignment / f"{source.name}.ipynb"
    if not path.is_file():
        raise CourseError(
            f"The release must be built first. Received: no {path}. Run `autograder build {source.assignment}`."
        )
    return nbformat.read(path, as_version=4)


def fill(notebook: NotebookNode, answers: Mapping[str, str]) -> NotebookNode:
    """Return a copy of a release with the cells of some tasks (or `carry-over`) filled in."""
    filled = cast(NotebookNode, nbformat.from_dict(json.loads(nbformat.writes(notebook))))
    for cell in filled.cells:
        slug = cell.id.removeprefix("task-")
        if cell.metadata.get("nbgrader", {}).get("solution") and slug in answers:
            cell.source = answers[slug]
    return filled


def _without_tests(notebook: NotebookNode) -> NotebookNode:
    notebook.cells = [cell for cell in notebook.cells if not cell.metadata.get("nbgrader", {}).get("grade")]
    return notebook


def _without_metadata(notebook: NotebookNode) -> NotebookNode:
    notebook.metadata = {}
    for number, cell in enumerate(notebook.cells):
        cell.metadata = {}
        cell.id = f"c{number}"
    return notebook


def to_bytes(notebook: NotebookNode) -> bytes:
    """Return a notebook as the bytes of its file."""
    return nbformat.writes(notebook).encode("utf-8")
