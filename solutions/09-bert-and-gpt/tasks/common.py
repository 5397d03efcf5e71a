"""Random generators of 09, and how even what they draw is."""

from __future__ import annotations

import inspect
import math

from autograder.grading import Draw, KernelObject, Probe

from .. import generators

GENERATORS = inspect.getsource(generators)
# How many standard deviations a right answer may be off: a normal number is further out once in 10^9 times.
FAR = 6.1


def seeded_generator(probe: Probe, draw: Draw) -> KernelObject:
    """Return a random generator in the student's kernel, seeded anew."""
    return probe.define(GENERATORS, "generator", draw.integer(0, 2**31))


def is_too_uneven(statistic: float, freedom: int) -> bool:
    """Whether a chi-square statistic is larger than chance makes it (Wilson and Hilferty 1931)."""
    if freedom < 1:
        return statistic > 1e-6
    limit = freedom * (1 - 2 / (9 * freedom) + FAR * math.sqrt(2 / (9 * freedom))) ** 3
    return statistic > limit
