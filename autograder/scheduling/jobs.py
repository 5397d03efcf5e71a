"""One submission's grading as plain data, so that any process can do it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import nbformat

from autograder import grading
from autograder.course import Course, Limits, load_course
from autograder.errors import MachineError
from autograder.evaluation import Verdict, grade_submission
from autograder.intake import Submission, parse_notebook, repair
from autograder.kernels.warm import READY_SECONDS
from autograder.scheduling.fingerprint import verdict_key
from autograder.text import Text
from autograder.verdicts import pack


@dataclass(frozen=True)
class Job:
    """A repaired submission that is to be graded.

    Attributes:
        assignment, student: whose it is.
        notebook: the repaired notebook's JSON.
        notes: on what was repaired.
        files: name -> content of the files beside it.
    """

    assignment: str
    student: str
    notebook: bytes
    notes: tuple[Text, ...] = ()
    files: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, submission: Submission, student: str) -> Job:
        """Return the job of a submission."""
        notebook = nbformat.writes(submission.notebook()).encode("utf-8")
        return cls(submission.source.assignment, student, notebook, tuple(submission.notes), submission.files)

    def submission(self, course: Course) -> Submission:
        """Return the submission that is to be graded."""
        submission = repair(parse_notebook(self.notebook), course.source(self.assignment))
        submission.notes = list(self.notes)
        submission.files = self.files
        return submission


def run_job(root: Path, job: Job) -> bytes:
    """Grade a submission in a worker process, which loads the course itself.

    Returns:
        The verdict, packed with the key of what was graded.

    Raises:
        MachineError: nothing could be graded; another worker may have better luck.
    """
    course = _course(root)
    submission = job.submission(course)
    verdict = grade_submission(course, submission, job.student, tries=1)
    if len(verdict.ungraded) == len(verdict.tasks):
        raise MachineError(verdict.fault)
    return pack(verdict_key(course, submission, job.student), verdict)


def job_seconds(limits: Limits) -> float:
    """Return the time after which a worker that has no verdict yet must have failed."""
    longest = max(limits.cell_seconds, limits.answer_seconds, limits.training_seconds)
    return limits.submission_seconds + longest + 2 * limits.start_seconds + READY_SECONDS


def ungraded_verdict(course: Course, submission: Submission, student: str, fault: str) -> Verdict:
    """Return a verdict that grades nothing, because of what the machine failed at."""
    source = submission.source
    tasks = grading.ungraded(source.name, source.points, fault)
    return Verdict(
        source.assignment, source.name, student, submission.language, tasks, list(submission.notes), {}, fault
    )


@cache
def _course(root: Path) -> Course:
    return load_course(root)
