"""One submission's grading as a value, so that any process can do it: a worker of this machine or of a cluster."""

from __future__ import annotations

from dataclasses import dataclass, field

import nbformat

from autograder.base.errors import MachineError
from autograder.base.text import Text
from autograder.kernels.warm import READY_SECONDS
from autograder.sources.course import Limits
from autograder.sources.grading import Grading
from autograder.submissions.evaluation import grade
from autograder.submissions.notebook_file import parse_notebook
from autograder.submissions.submission import Submission, repair
from autograder.submissions.verdicts import pack


@dataclass(frozen=True)
class Job:
    """A repaired submission that is to be graded. What a student wrote travels as bytes and texts alone.

    Attributes:
        grading: how the submission is graded.
        notebook: JSON of the repaired notebook.
        notes: sentences on what was repaired.
        files: name -> content of the files beside the notebook.
    """

    grading: Grading
    notebook: bytes
    notes: tuple[Text, ...] = ()
    files: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, grading: Grading, submission: Submission) -> Job:
        """Return the job of a submission."""
        notebook = nbformat.writes(submission.notebook()).encode("utf-8")
        return cls(grading, notebook, tuple(submission.notes), submission.files)

    def submission(self) -> Submission:
        """Return the submission that is to be graded.

        Raises:
            SubmissionError: the repaired notebook can't be read again.
        """
        submission = repair(parse_notebook(self.notebook), self.grading.source)
        submission.notes = list(self.notes)
        submission.files = self.files
        return submission


def run_job(job: Job, key: str) -> bytes:
    """Grade a submission, in any process.

    Args:
        job: the submission, and how it is graded.
        key: key under which the verdict is stored, made by the process that ordered the job: another machine may have other
            packages installed, and would make another key.

    Returns:
        The verdict, packed with the key.

    Raises:
        MachineError: nothing could be graded; another worker may have better luck.
    """
    verdict = grade(job.grading, job.submission(), tries=1)
    if len(verdict.ungraded) == len(verdict.tasks):
        raise MachineError(verdict.fault)
    return pack(key, verdict)


def job_seconds(limits: Limits) -> float:
    """Return the time after which a worker that has no verdict yet must have failed."""
    longest = max(limits.cell_seconds, limits.answer_seconds, limits.training_seconds)
    return limits.submission_seconds + longest + 2 * limits.start_seconds + READY_SECONDS
