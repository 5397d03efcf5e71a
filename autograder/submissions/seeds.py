"""What the random inputs of a grading depend on."""

from __future__ import annotations

import hashlib

from autograder.sources.grading import Grading
from autograder.submissions.submission import Submission


def seed_of(grading: Grading, submission: Submission) -> str:
    """Return what the random inputs of a grading depend on.

    The same submission is asked the same questions again. Another one, be it by a letter, is asked others: nothing that was
    found out about the inputs of one grading helps in the next.
    """
    if not grading.is_secret:
        return grading.seed
    content = hashlib.sha256()
    for part in (*(cell.source for cell in submission.cells), *(p for f in submission.files.items() for p in f)):
        encoded = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        content.update(len(encoded).to_bytes(8, "big") + encoded)
    return "\n".join((grading.seed, grading.assignment, grading.student, content.hexdigest()))


def practice_seed(submission: Submission) -> str:
    """Return what the random inputs depend on with which lost lines are explained; it is no secret."""
    return f"practice\n{submission.source.assignment}"
