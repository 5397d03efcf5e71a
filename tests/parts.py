"""The part of the slow proofs that a run takes: `.ci/run` takes another one each day, by `PROOF_PART`."""

from __future__ import annotations

import os

from autograder.proof.check import read_part


def wanted_part() -> tuple[int, int]:
    """Return the number of the part that `PROOF_PART` asks for and how many there are; without it the one that is everything.

    Raises:
        CourseError: `PROOF_PART` names no part.
    """
    return read_part(os.environ.get("PROOF_PART", "1/1"))
