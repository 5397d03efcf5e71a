"""Hidden tests of the task `invariance`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_number, expect_shape

from .. import reference as oracle
from .common import drawn_dim, two_bases

CLOSED_FORM = Text("the dot product at that offset", "그 거리에서의 내적")


# invariance


def test_invariance_number(probe: Probe, draw: Draw) -> None:
    offset, dim = draw.integer(2, 9), drawn_dim(draw)
    answer = probe.call("offset_dot_product", offset, dim)
    if answer is None or isinstance(answer, (str, tuple)) or np.size(answer) != 1:
        expect_shape(answer, (), Text("one number", "수 하나"))


def test_invariance_values(probe: Probe, draw: Draw) -> None:
    below_0 = (draw.choice([3, 4, 9, 10]), 2)  # a single pair whose cosine is below 0
    for offset, dim in (
        *((draw.integer(*ends), drawn_dim(draw)) for ends in ((1, 4), (5, 12), (13, 30), (130, 170))),
        below_0,
    ):
        right = oracle.offset_dot_product(offset, dim)
        expect_number(probe.call("offset_dot_product", offset, dim), right, CLOSED_FORM)


def test_invariance_base(probe: Probe, draw: Draw) -> None:
    offset, dim, (base, other) = draw.integer(3, 9), drawn_dim(draw), two_bases(draw)
    right = oracle.offset_dot_product(offset, dim, base)
    expect_number(probe.call("offset_dot_product", offset, dim, base), right, CLOSED_FORM)
    right = oracle.offset_dot_product(offset, dim, other)
    expect_number(probe.call("offset_dot_product", offset, dim, base=other), right, CLOSED_FORM)


def test_invariance_zero(probe: Probe, draw: Draw) -> None:
    dim = drawn_dim(draw)
    expect_number(probe.call("offset_dot_product", 0, dim), oracle.offset_dot_product(0, dim), CLOSED_FORM)
