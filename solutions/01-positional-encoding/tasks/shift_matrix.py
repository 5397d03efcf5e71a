"""Hidden tests of the task `shift-matrix`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_close, expect_shape

from .. import reference as oracle
from .common import Array, two_bases

SHIFT = Text("the shift matrix", "이동 행렬")


# shift-matrix
# The rows of the table span every direction, so M is unique and can be compared itself. Dims stay at 12 or less, where
# even a least-squares fit to the table finds M to 5e-10.


def test_shift_shape(probe: Probe, draw: Draw) -> None:
    offset, dim = draw.integer(1, 5), _small_dim(draw)
    expect_shape(probe.call("shift_matrix", offset, dim), (dim, dim), "(dim, dim)")


def test_shift_blocks(probe: Probe, draw: Draw) -> None:
    offset, dim = draw.integer(1, 5), _small_dim(draw)
    answer = expect_shape(probe.call("shift_matrix", offset, dim), (dim, dim), "(dim, dim)")
    expected = _without_side_signs(oracle.shift_matrix(offset, dim))
    expect_close(_without_side_signs(answer), expected, SHIFT, "(dim, dim)")


def test_shift_direction(probe: Probe, draw: Draw) -> None:
    dim = _small_dim(draw)
    # of the same size twice; the second angle of the first pair has a sine below 0
    for offset in (draw.integer(1, 2), draw.choice([4, 5, 6, 10, 11, 12, 17, 18, 23, 24])):
        expected = oracle.shift_matrix(offset, dim)
        expect_close(probe.call("shift_matrix", offset, dim), expected, SHIFT, "(dim, dim)")


def test_shift_base(probe: Probe, draw: Draw) -> None:
    offset, dim, (base, other) = draw.integer(1, 5), _small_dim(draw), two_bases(draw)
    answers = (
        (base, probe.call("shift_matrix", offset, dim, base)),
        (other, probe.call("shift_matrix", offset, dim, base=other)),
    )
    for used, answer in answers:
        matrix = _without_side_signs(expect_shape(answer, (dim, dim), "(dim, dim)"))
        expect_close(matrix, _without_side_signs(oracle.shift_matrix(offset, dim, used)), SHIFT, "(dim, dim)")


def test_shift_zero(probe: Probe, draw: Draw) -> None:
    dim = _small_dim(draw)
    expect_close(probe.call("shift_matrix", 0, dim), np.eye(dim), SHIFT, "(dim, dim)")


def _small_dim(draw: Draw) -> int:
    return 2 * draw.integer(5, 6)


def _without_side_signs(matrix: Array) -> Array:
    """Return `matrix` with the signs off the diagonal dropped: the same for both directions of turning."""
    return np.where(np.eye(len(matrix), dtype=bool), matrix, np.abs(matrix))
