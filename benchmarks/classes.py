"""The class that is graded: submissions of students who did their best, in a course for us and one for stock nbgrader."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, cycle, islice, zip_longest
from pathlib import Path

import jupytext
from nbformat.v4 import new_code_cell

import autograder
from autograder.commands import demo
from autograder.gradebook.release import build
from autograder.grading.runner import alternatives_of, mistakes_of
from autograder.sources.catalogue import Mistake
from autograder.sources.course import CONFIG_NAME, Course, load_course
from autograder.submissions.cells import run_cells
from autograder.submissions.notebook_file import parse_notebook
from autograder.submissions.submission import repair

HEAVY_CELLS = Path(__file__).with_name("heavy_cells.py")
HEAVY_ASSIGNMENT = "03-multi-head-attention"


@dataclass(frozen=True)
class Class:
    """A built course of a throw-away folder and the submissions to one of its assignments.

    Attributes:
        course: ours; its folder is `<folder>/ours`.
        folder: of everything.
        assignment: which.
        students: in nbgrader's order.
        is_heavy: whether the notebooks also build whole Transformers.
        is_right: whether nobody makes mistakes.
    """

    course: Course
    folder: Path
    assignment: str
    students: list[demo.Student]
    is_heavy: bool
    is_right: bool

    @property
    def name(self) -> str:
        """What the tables call it."""
        return f"{self.assignment}, {'heavy' if self.is_heavy else 'light'}{', all right' if self.is_right else ''}"

    def hand_in_to_us(self, size: int, shows: str = "") -> Path:
        """Put the first `size` submissions, not graded yet, into our course; return its folder.

        Args:
            size: how many submissions.
            shows: which pictures and public checks are executed, if other than the course says.
        """
        root = self.folder / "ours"
        changed = f"import dataclasses\ncourse = dataclasses.replace(course, shows={shows!r})\n" if shows else ""
        (root / CONFIG_NAME).write_text((self.folder / CONFIG_NAME).read_text(encoding="utf-8") + changed, "utf-8")
        for name in ("submitted", "autograded", "feedback", ".verdicts"):
            shutil.rmtree(root / name, ignore_errors=True)
        shutil.copy(self.folder / "gradebook-of-ours.db", root / "gradebook.db")
        demo.hand_in(root, self.assignment, self.students[:size])
        return root

    def hand_in_to_stock(self, students: list[demo.Student]) -> Path:
        """Make a plain nbgrader course with some submissions; return its folder."""
        root = self.folder / "stock"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(self.folder / "stock-released", root)
        demo.hand_in(root, self.assignment, students)
        return root

    def cells(self, student: demo.Student, *, only_needed: bool = False) -> list[str]:
        """Return the sources of a student's code cells.

        Args:
            student: the student whose notebook it is.
            only_needed: whether cells are left out that no grade depends on and that define nothing for those that grades depend on.
        """
        notebook = parse_notebook(next(iter(student.files.values())))
        submission = repair(notebook, self.course.source(self.assignment))
        cells = run_cells(submission, self.course.limits_of(self.assignment))
        return [cell.source for cell in cells if cell.is_needed or not only_needed]


def make_class(
    course: Course, folder: Path, assignment: str, size: int, *, is_heavy: bool = False, is_right: bool = False
) -> Class:
    """Build the assignment in a copy of the course and write its submissions.

    Of four submissions, one is the solution, one is right in another style and two have one typical mistake; half are
    written in the last of the course's languages.

    Args:
        course: the course whose sources are copied.
        folder: empty; receives the two courses.
        assignment: id of the assignment, e.g. `01-first-steps`.
        size: submissions.
        is_heavy: each student has added the cells of `heavy_cells.py`.
        is_right: nobody makes mistakes.
    """
    root = demo.copy_course(course, folder / "ours")
    shutil.copy(root / CONFIG_NAME, folder)
    copy = load_course(root)
    build(copy, [assignment])
    kinds = ("solution", "alternative") if is_right else ("solution", "mistake", "alternative", "mistake")
    students = list(_students(copy, assignment, list(islice(cycle(kinds), size)), _heavy_cells() if is_heavy else []))
    shutil.copy(root / "gradebook.db", folder / "gradebook-of-ours.db")
    source = copy.source(assignment)
    stock = folder / "stock-released"
    (stock / "source" / assignment).mkdir(parents=True)
    released = root / "assignments" / copy.languages[0] / assignment / f"{source.name}.ipynb"
    shutil.copy(released, stock / "source" / assignment)
    subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_assignment", assignment, "--create"],
        cwd=stock,
        env=environment(),
        check=True,
        capture_output=True,
    )
    return Class(copy, folder, assignment, students, is_heavy, is_right)


def environment() -> dict[str, str]:
    """Return the environment of the graded courses: this package first, no gradebook of the user's."""
    own = str(Path(autograder.__file__).parent.parent)
    kept = {name: value for name, value in os.environ.items() if name != "AUTOGRADER_DB_URL"}
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, [own, os.environ.get("PYTHONPATH", "")]))}


def _students(course: Course, assignment: str, kinds: list[str], added: list[str]) -> Iterator[demo.Student]:
    source = course.source(assignment)
    solution = {
        cell.slug or cell.role: source.reference(cell.slug or cell.role)
        for cell in source.cells
        if cell.role in ("task", "carry-over")
    }
    released = [demo.released(course, source, language) for language in course.languages]
    right = [entry for entry in alternatives_of(source.folder).values() if course.backend in entry.backends]
    alternatives, mistakes = cycle(right), cycle(_by_turns(list(mistakes_of(source.folder).values())))
    for number, kind in enumerate(kinds):
        answers = dict(solution)
        if kind == "alternative":
            answers.update(next(alternatives).cells)
        elif kind == "mistake":
            mistake = next(mistakes)
            answers[mistake.task] = mistake.code
        notebook = demo.fill(released[number // 2 % len(released)], answers)
        notebook.cells += [new_code_cell(code, id=f"own-{index}") for index, code in enumerate(added)]
        yield demo.Student(f"s{number:03d}-{kind}", {f"{source.name}.ipynb": demo.to_bytes(notebook)})


def _heavy_cells() -> list[str]:
    text = HEAVY_CELLS.read_text(encoding="utf-8").partition("\n\n")[2]
    return [cell.source for cell in jupytext.reads(text, fmt="py:percent").cells]


def _by_turns(mistakes: list[Mistake]) -> list[Mistake]:
    """Return the mistakes so that each task has its turn."""
    tasks: dict[str, list[Mistake]] = {}
    for mistake in mistakes:
        tasks.setdefault(mistake.task, []).append(mistake)
    return [mistake for mistake in chain(*zip_longest(*tasks.values())) if mistake is not None]
