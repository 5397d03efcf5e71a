"""Hidden tests of the task `look-ahead-mask`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_shape, expect_that

from .. import reference as oracle
from .common import expect_mask, expect_ones

SQUARE = "(size, size)"


def test_ahead_shape(probe: Probe, draw: Draw) -> None:
    size = draw.integer(4, 9)
    expect_shape(probe.call("create_look_ahead_mask", size), (size, size), SQUARE)


def test_ahead_sides(probe: Probe, draw: Draw) -> None:
    size = draw.integer(5, 9)
    right = oracle.create_look_ahead_mask(size)
    got = expect_shape(probe.call("create_look_ahead_mask", size), (size, size), SQUARE)
    off = 1 - np.eye(size)  # the diagonal is the next line's
    what = Text("the entries off the diagonal", "대각선 밖의 원소")
    expect_mask(np.where(off == 1, got, 0), right, what, SQUARE)


def test_ahead_diagonal(probe: Probe, draw: Draw) -> None:
    size = draw.integer(4, 9)
    got = expect_shape(probe.call("create_look_ahead_mask", size), (size, size), SQUARE)
    expect_that(
        bool((np.abs(np.diagonal(got)) < 0.5).all()),
        Text("A position doesn't see itself.", "위치가 자기 자신을 보지 못합니다."),
    )


def test_ahead_sizes(probe: Probe, draw: Draw) -> None:
    usual = draw.integer(4, 9)
    # a diagonal that is hidden at every size has cost its own line
    hides_itself = expect_shape(probe.call("create_look_ahead_mask", usual), (usual, usual), SQUARE)[0, 0] != 0
    for size in (1, draw.integer(260, 300)):
        got = expect_shape(probe.call("create_look_ahead_mask", size), (size, size), SQUARE)
        looked_at = np.where(np.eye(size) == 1, 0, got) if hides_itself else got
        what = Text(
            f"the mask of {size} positions" if size > 1 else "the mask of one position", f"위치 {size}개의 마스크"
        )
        right = oracle.create_look_ahead_mask(size)
        expect_mask(looked_at, right, what, SQUARE)


def test_ahead_floats(probe: Probe, draw: Draw) -> None:
    expect_ones(probe.call("create_look_ahead_mask", draw.integer(4, 9)))
