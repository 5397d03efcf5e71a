"""Hidden graders of 01-first-steps: a test for each line of `rubric.md`.

`probe` calls the student's function in its sealed kernel, `draw` gives inputs that differ from submission to submission. What an
`expect_…` function doesn't find costs the line's points; any other exception is the grader's own failure, and costs nobody anything.
"""

from __future__ import annotations

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_close, expect_shape

from . import reference

MEANS = Text("the means")


def test_average_shape(probe: Probe, draw: Draw) -> None:
    """One mean for each window."""
    size, width = draw.distinct(2, 4, 9)
    size, width = max(size, width), min(size, width)
    expect_shape(probe.call("moving_average", draw.normal(size), width), (size - width + 1,), "(n - width + 1,)")


def test_average_values(probe: Probe, draw: Draw) -> None:
    """The mean of each window."""
    values = draw.normal(12)
    for width in (2, 5):
        expect_close(probe.call("moving_average", values, width), reference.moving_average(values, width), MEANS)


def test_average_whole(probe: Probe, draw: Draw) -> None:
    """Windows of one value, and of all values."""
    values = draw.normal(7)
    for width in (1, 7):
        expect_close(probe.call("moving_average", values, width), reference.moving_average(values, width), MEANS)
