"""Students' answers laid out for programs that look for similar code, JPlag and Dolos. Nothing is compared here.

The folder that is written:

    jplag/<student>/<task>.py      for JPlag: a folder for each submission
    base/<language>-<task>.py      what everybody was given: JPlag's base code
    dolos/students/<student>.py    for Dolos: a file for each submission, with all its answers
    dolos/base.py                  what everybody was given
    dolos/info.csv                 Dolos's metadata; the row of the base says `ignored`
    dolos.zip                      the same in one file

Sources: JPlag's documentation, "How to Use JPlag" (directory submissions, `--base-code`); Dolos's, "Adding metadata" (`info.csv`)
and "Running Dolos" (zip, `--ignore`).
"""

from __future__ import annotations

import csv
import json
import os
import re
import secrets
import shutil
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from autograder.base.errors import CourseError
from autograder.base.names import fault_of_id
from autograder.base.visible import storable
from autograder.sources.course import Course
from autograder.sources.notebooks import NotebookSource
from autograder.submissions.intake import take_in

__all__ = ["SimilarityFolder", "write_similarity_folder"]

MARKER = ".similarity"
MAX_CHARACTERS = 100_000  # of one answer: no honest one is that long, and more would keep the comparison busy
# IPython's own syntax is none of Python's: one line of it would cost the whole submission. `% b` is the next line of a product.
OWN_SYNTAX = re.compile(r"^([ \t]*)(%{1,2}[A-Za-z].*|[!?].*)$", re.MULTILINE)


@dataclass
class SimilarityFolder:
    """Answers laid out in a folder for programs that look for similar code.

    Attributes:
        folder: where.
        names: student id -> name in the folder.
        left_out: student id -> why nothing of theirs is compared.
        cut: students of whom an answer was cut, since it is too long.
    """

    folder: Path
    names: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    cut: list[str] = field(default_factory=list)

    @property
    def commands(self) -> tuple[str, str]:
        """The commands that compare it."""
        base, jplag, dolos = (self.folder / name for name in ("base", "jplag", "dolos"))
        return (
            f"java -jar jplag.jar --language python3 --base-code {base} {jplag}",
            f"dolos run --language python --ignore {dolos / 'base.py'} {dolos.with_suffix('.zip')}",
        )


def write_similarity_folder(course: Course, assignment: str, folder: Path, key: Path | None = None) -> SimilarityFolder:
    """Lay out every student's answers to an assignment.

    Args:
        course: the course whose folder `submitted` holds the answers.
        assignment: id of the assignment, e.g. `01-first-steps`.
        folder: where the files are written; emptied first if an earlier call made the folder.
        key: file of the pseudonyms that stand for the students' ids, made or added to; None: the ids themselves.

    Raises:
        CourseError: the folder holds something else, the key lies in it or is unreadable, or the release isn't built.
    """
    source = course.source(assignment)
    given = _given(course, source)
    _empty(folder)
    laid_out = SimilarityFolder(folder)
    answers: dict[str, dict[str, str]] = {}
    for path in sorted((course.root / "submitted").glob(f"*/{assignment}")):
        student = path.parent.name
        if fault := fault_of_id(student):
            laid_out.left_out[student] = f"the folder's name is no student id: {fault}"
            continue
        taken = take_in(path / f"{source.name}.ipynb", course, assignment)
        if taken.refused or taken.unread:
            laid_out.left_out[student] = taken.unread or (taken.refused.en if taken.refused else "")
            continue
        written = {
            grade_id: taken.submission.answer(grade_id)
            for grade_id in _answer_cells(source)
            if not source.is_untouched(grade_id, taken.submission.answer(grade_id), taken.submission.language)
        }
        if not any(text.strip() for text in written.values()):
            laid_out.left_out[student] = "nothing is written in any answer"
            continue
        if any(len(text) > MAX_CHARACTERS for text in written.values()):
            laid_out.cut.append(student)
        answers[student] = {grade_id: as_python(text) for grade_id, text in written.items()}
    laid_out.names = _pseudonyms(key, answers, folder) if key else {student: student for student in answers}
    named = {laid_out.names[student]: texts for student, texts in answers.items()}
    _write(folder, given, dict(sorted(named.items())))  # the order of the ids would tell who is who
    return laid_out


def as_python(text: str) -> str:
    """Return an answer as a Python file: without IPython's own syntax, and cut where it is too long."""
    cut = text if len(text) <= MAX_CHARACTERS else text[:MAX_CHARACTERS].rpartition("\n")[0]
    return storable(OWN_SYNTAX.sub(r"\1pass  # \2", cut)).rstrip() + "\n"


def _answer_cells(source: NotebookSource) -> list[str]:
    return [cell.id for cell in source.cells if cell.role in ("task", "carry-over")]


def _given(course: Course, source: NotebookSource) -> dict[str, str]:
    """Return name of a file -> what the release holds in a cell that students fill, in each language."""
    found: dict[str, str] = {}
    for language in course.languages:
        path = course.root / "assignments" / language / source.assignment / f"{source.name}.ipynb"
        try:
            cells = {cell.get("id"): cell.source for cell in nbformat.read(path, as_version=4).cells}
        except (OSError, ValueError) as error:
            raise CourseError(
                f"What everybody was given is left out of the comparison, so the release must be there. Received: {path}: "
                f"{type(error).__name__}. Run `autograder build {source.assignment}`."
            ) from error
        found |= {
            f"{language}-{grade_id}": as_python(str(cells.get(grade_id, ""))) for grade_id in _answer_cells(source)
        }
    return found


def _empty(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir()) and not (folder / MARKER).exists()):
        raise CourseError(
            f"The folder must be new, empty or from an earlier call. Received: {folder}. Name another one; nothing was written."
        )
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / MARKER).touch()


def _pseudonyms(key: Path, students: Iterable[str], folder: Path) -> dict[str, str]:
    """Return student -> pseudonym, the same as before for whom the key file knows, and keep all of them in it."""
    if key.resolve().is_relative_to(folder.resolve()):
        raise CourseError(
            f"The key of the pseudonyms must lie apart from what is given away. Received: {key} in {folder}. Name another file."
        )
    try:
        known = json.loads(key.read_text(encoding="utf-8")) if key.exists() else {}
        names = {str(student): str(pseudonym) for pseudonym, student in known.items()}
    except (OSError, ValueError, AttributeError) as error:
        raise CourseError(
            f"The key of the pseudonyms must be a file that this command made. Received: {key}: {type(error).__name__}. "
            "Name another file."
        ) from error
    for student in students:
        while student not in names:
            pseudonym = f"s-{secrets.token_hex(4)}"
            if pseudonym not in names.values():
                names[student] = pseudonym
    partial = key.with_name(f"{key.name}.partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(dict(sorted((name, student) for student, name in names.items())), file, ensure_ascii=False, indent=1)
    partial.replace(key)
    return {student: names[student] for student in students}


def _write(folder: Path, given: Mapping[str, str], answers: Mapping[str, Mapping[str, str]]) -> None:
    for name, text in given.items():
        _put(folder / "base" / f"{name}.py", text)
    for name, texts in answers.items():
        for grade_id, text in texts.items():
            _put(folder / "jplag" / name / f"{grade_id}.py", text)
        _put(folder / "dolos" / "students" / f"{name}.py", "\n\n".join(texts.values()))
    _put(folder / "dolos" / "base.py", "\n\n".join(given.values()))
    with open(folder / "dolos" / "info.csv", "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["filename", "full_name", "ignored"])
        rows.writerow(["base.py", "base", "true"])
        rows.writerows([f"students/{name}.py", name, "false"] for name in answers)
    with zipfile.ZipFile(folder / "dolos.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((folder / "dolos").rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder / "dolos"))


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
