"""What a student handed in: read, repaired, and told apart from another assignment's notebook."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.base.errors import MachineError, SubmissionError
from autograder.base.text import Text
from autograder.sources.course import Course
from autograder.submissions.belonging import other_assignment, wrong_assignment_sentence
from autograder.submissions.files_beside import named_files, read_files
from autograder.submissions.notebook_file import only_notebook, read_submission
from autograder.submissions.submission import Submission, blank, repair


@dataclass(frozen=True)
class Intake:
    """What a student handed in, as far as it could be read.

    Attributes:
        submission: the repaired submission; every answer is empty where the notebook couldn't be read.
        refused: reason, for the student, why the submission is worth nothing; None if it isn't refused.
        belongs_to: the other assignment whose notebook was handed in by mistake; empty if there is none.
        unread: failure of the machine, for the instructor; empty if nothing failed.
    """

    submission: Submission
    refused: Text | None = None
    unread: str = ""
    belongs_to: str = ""


def take_in(expected: Path, course: Course, assignment: str) -> Intake:
    """Read a submission: the notebook, repaired, and the files beside it.

    Args:
        expected: path of the notebook; if there is none, the only other notebook of that folder is taken.
        course: the course, whose sources tell what belongs into the notebook.
        assignment: what it was handed in for.
    """
    source, limits = course.source(assignment), course.limits_of(assignment)
    submission = blank(source)
    other = ""
    try:
        notebook = read_submission(only_notebook(expected), limits.notebook_bytes)
        submission = repair(notebook, source)
        if other := other_assignment(notebook, course, assignment):
            submission.notes = [wrong_assignment_sentence(other, assignment)]
        named = named_files(source, submission.cells)
        submission.files, notes = read_files(expected.parent, limits.notebook_bytes, named, limits.disk_files)
        submission.notes += notes
    except SubmissionError as error:
        return Intake(submission, refused=error.text)
    except MachineError as error:
        submission.notes.clear()
        return Intake(submission, unread=str(error))
    return Intake(submission, belongs_to=other)
