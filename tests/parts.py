"""The part of the slow proofs that a run takes: `.ci/run` takes another one each day, by `PROOF_PART`."""

from __future__ import annotations

import os

from autograder.proof.check import read_part


def wanted_part(variable: str = "PROOF_PART") -> tuple[int, int]:
    """Return the number of the part that an environment variable asks for and how many there are; without it the one that is everything.

    Args:
        variable: name of the variable.

    Raises:
        CourseError: the variable names no part.
    """
    return read_part(os.environ.get(variable, "1/1"))
