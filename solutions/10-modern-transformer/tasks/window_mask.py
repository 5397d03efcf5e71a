"""Hidden tests of the task `window-mask`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_close, expect_shape

from .. import reference as oracle

WINDOW = "(size, size)"


def expect_window(probe: Probe, what: Text, *args: int, **options: int) -> None:
    """Miss unless a mask is the right one."""
    right = oracle.create_window_mask(*args, **options)
    expect_close(probe.call("create_window_mask", *args, **options), right, what, WINDOW)


def test_window_shape(probe: Probe, draw: Draw) -> None:
    size = draw.integer(5, 9)
    expect_shape(probe.call("create_window_mask", size, 3), (size, size), WINDOW)


def test_window_values(probe: Probe, draw: Draw) -> None:
    for window in (3, 2, 4):
        expect_window(probe, Text("the mask without sinks", "싱크가 없는 마스크"), draw.integer(6, 10), window)


def test_window_sinks(probe: Probe, draw: Draw) -> None:
    size, window = draw.integer(8, 11), draw.integer(2, 3)
    # against the student's own mask: a wrong window has cost its points already
    own = expect_shape(probe.call("create_window_mask", size, window), (size, size), WINDOW)
    for sinks in (1, 2, 4):
        right = own.copy()
        i, j = np.indices(own.shape)
        right[(j < sinks) & (j <= i)] = 0
        got = probe.call("create_window_mask", size, window, sinks=sinks)
        expect_close(got, right, Text("the mask with sinks", "싱크가 있는 마스크"), WINDOW)


def test_window_edges(probe: Probe, draw: Draw) -> None:
    size = draw.integer(4, 7)
    for args in (
        (size, 1),
        (size, size),
        (size, size + draw.integer(1, 4)),
        (1, 1),
        (size, 1, 1),
        (size, 2, size + 2),
        (1, 3, 2),
    ):
        what = Text(f"the mask of size {args[0]}, window {args[1]}", f"크기 {args[0]}, 윈도 {args[1]}인 마스크")
        expect_window(probe, what, *args)
