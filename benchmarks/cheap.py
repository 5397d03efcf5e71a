"""A class that costs next to nothing to grade, so that what is around the grading can be measured, and killed.

Everything is real (nbgrader, intake, workers, verdicts, gradebook) but what happens in a kernel: a submission's points
follow from a hash of its code, so that a verdict that is lost, mixed up or made twice differently shows.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from autograder.base.text import Text
from autograder.commands import demo
from autograder.gradebook.release import build
from autograder.grading.runner import LineResult, TaskResult
from autograder.kernels import warm
from autograder.scheduling import class_grading as ahead
from autograder.scheduling import jobs
from autograder.scheduling.pool import WorkerPool
from autograder.sources.course import CONFIG_NAME, Course, load_course
from autograder.sources.grading import Grading
from autograder.sources.notebooks import NotebookSource
from autograder.submissions.submission import Submission
from autograder.submissions.verdicts import Verdict
from autograder.watching import grader
from benchmarks.classes import environment

ASSIGNMENT = "01-positional-encoding"
SLUG = "angle-rates"
STALL_SECONDS = 20.0


def answer(student: str) -> str:
    """Return the code that a student hands in."""
    return f"def angle_rates(dim, base=10000.0):\n    return {student!r}\n"


def cheap_grading(seconds: float, kill: Mapping[str, str]) -> Callable[..., Verdict]:
    """Return what takes the place of `grade`.

    Args:
        seconds: how long a grading takes.
        kill: student -> a file; while there is none, grading that student makes it and ends the process. An empty name
            ends every process that tries.
    """

    def grade(grading: Grading, submission: Submission, **_: Any) -> Verdict:
        student = grading.student
        time.sleep(seconds)
        marker = kill.get(student)
        if marker is not None and not (marker and os.path.exists(marker)):
            if marker:
                Path(marker).touch()
            os._exit(9)
        return cheap_verdict(submission, student)

    return grade


def cheap_verdict(submission: Submission, student: str) -> Verdict:
    """Return the verdict that follows from a submission's code and student."""
    code = next(cell.source for cell in submission.cells if cell.id == f"task-{SLUG}")
    tasks = cheap_results(submission.source, student, code)
    return Verdict(
        submission.source.assignment, submission.source.name, student, submission.language, tasks, submission.notes
    )


def cheap_results(source: NotebookSource, student: str, code: str) -> dict[str, TaskResult]:
    """Return what a student's code earns: of each task, the lines that a hash picks."""
    digest = hashlib.sha256(f"{student}\n{code.strip()}".encode()).digest()
    tasks: dict[str, list[LineResult]] = {slug: [] for slug in source.points}
    for number, (identity, line) in enumerate(source.rubric.items()):
        is_earned = bool(digest[number % len(digest)] & 1)
        text = (
            None if is_earned else Text("It was not the hash's will.\0", "해시의 뜻이 아니었습니다.\0")
        )  # as odd as a student's
        tasks[line.task].append(LineResult(identity, line, "passed" if is_earned else "missed", text))
    return {slug: TaskResult(slug, source.points[slug], tuple(lines)) for slug, lines in tasks.items()}


def echo(content: bytes, answer: bytes) -> bytes:
    """Take a job's bytes and return a verdict's: a grading that does nothing, called by workers."""
    return answer


def install(seconds: float = 0.0, kill: Mapping[str, str] | None = None) -> None:
    """Grade cheaply in this process; `make_cheap_course` writes the call into a course's configuration."""
    # a worker that is killed while it waits for work may lock the others out; they are replaced after this time
    ahead.WorkerPool = partial(WorkerPool, stall_seconds=STALL_SECONDS)  # type: ignore[assignment, misc]
    # workers don't read the course's configuration: what they call travels
    ahead.run_job = partial(run_cheap_job, seconds, dict(kill or {}))  # type: ignore[assignment]
    grader.run_job = ahead.run_job
    warm.own_warm_process = lambda backend: SimpleNamespace(address="")  # type: ignore[assignment, return-value]


_REPLACED = [
    (module, name, getattr(module, name))
    for module, name in (*((ahead, "run_job"), (grader, "run_job"), (ahead, "WorkerPool"), (warm, "own_warm_process")),)
]


def uninstall() -> None:
    """Undo `install`, which every process does that loads a cheap course's configuration."""
    for module, name, original in _REPLACED:
        setattr(module, name, original)


def run_cheap_job(seconds: float, kill: Mapping[str, str], job: jobs.Job, key: str) -> bytes:
    """Grade a job cheaply, in a worker."""
    jobs.grade = cheap_grading(seconds, kill)  # type: ignore[assignment]
    return jobs.run_job(job, key)


def make_cheap_course(course: Course, folder: Path, *, workers: int = 2, arguments: str = "") -> Course:
    """Build a course of one assignment, graded cheaply, in an empty folder.

    Args:
        course: the course whose sources are copied.
        folder: the empty folder to build in.
        workers: number of worker processes of a run.
        arguments: what `install` is called with.
    """
    root = demo.copy_course(course, folder)
    configure(root, f"course = dataclasses.replace(course, languages=('en',), workers={workers})", arguments)
    copy = load_course(root)
    build(copy, [ASSIGNMENT])
    return copy


def register(course: Course, database_url: str) -> None:
    """Make a gradebook in another, empty database, as an instructor does."""
    subprocess.run(
        [sys.executable, "-c", "from autograder.commands.cli import main; main()", "build", ASSIGNMENT],
        cwd=course.root,
        env=course_environment(database_url),
        check=True,
        capture_output=True,
    )


def configure(root: Path, changes: str = "", arguments: str = "") -> None:
    """Write changes and the call of `install` into a course's configuration, before nbgrader's part of it."""
    path = root / CONFIG_NAME
    original = path.with_suffix(".original")
    if not original.exists():
        original.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    head, mark, tail = original.read_text(encoding="utf-8").partition("\nc = ")
    inserted = f"\nimport dataclasses\n\nfrom benchmarks.cheap import install\n\n{changes}\ninstall({arguments})\n"
    path.write_text(head + inserted + mark + tail, encoding="utf-8")


def hand_in(course: Course, students: list[str]) -> None:
    """Write the submissions of some students."""
    release = demo.released(course, course.source(ASSIGNMENT), "en")
    name = f"{course.source(ASSIGNMENT).name}.ipynb"
    for student in students:
        notebook = demo.fill(release, {SLUG: answer(student)})
        demo.hand_in(course.root, ASSIGNMENT, [demo.Student(student, {name: demo.to_bytes(notebook)})])


def expected(course: Course, students: list[str]) -> dict[str, dict[str, float | None]]:
    """Return each student's points per task, as they must come out."""
    source = course.source(ASSIGNMENT)
    results = {student: cheap_results(source, student, answer(student)) for student in students}
    return {student: {slug: task.points for slug, task in tasks.items()} for student, tasks in results.items()}


def course_environment(database_url: str = "") -> dict[str, str]:
    """Return the environment of a command on such a course."""
    root = str(Path(__file__).resolve().parent.parent)
    found = environment()
    found["PYTHONPATH"] = os.pathsep.join([root, found["PYTHONPATH"]])
    return found | ({"AUTOGRADER_DB_URL": database_url} if database_url else {})
