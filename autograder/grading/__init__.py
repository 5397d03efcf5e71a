"""The vocabulary that graders are written in: what they import, they import from here. What runs them is `grading.runner`.

A grader is a pytest module with one test per line of the rubric (`sources/rubric_table.py`), here of the line `last-axis`:

    def test_last_axis(probe, draw):
        x = draw.normal(3, 5)
        expect_close(probe.call("softmax", x), reference.softmax(x), Text("the weights", "가중치"))

`probe` reaches the student's code, `draw` gives inputs that differ by submission. A failed expectation raises `Miss`,
which costs the line's points; any other exception is the grader's own mistake and leaves the task ungraded.
"""

from autograder.base.errors import AnswerError, AnswerRaised
from autograder.base.text import Text
from autograder.grading.expectations import (
    NO_RETURN,
    TOLERANCE,
    expect_array,
    expect_changed,
    expect_close,
    expect_number,
    expect_raises_value_error,
    expect_shape,
    expect_that,
    expect_truth_value,
    expect_tuple,
    expect_unchanged,
    expect_whole_number,
    is_close,
    number_of,
    shape_of,
)
from autograder.grading.rubric import (
    Array,
    Draw,
    Forbidden,
    KernelObject,
    Layer,
    Measurement,
    Miss,
    Probe,
    Value,
    Weight,
    in_drawn_order,
)

__all__ = [
    "AnswerError",
    "AnswerRaised",
    "Array",
    "Draw",
    "Forbidden",
    "KernelObject",
    "Layer",
    "Measurement",
    "Miss",
    "NO_RETURN",
    "Probe",
    "TOLERANCE",
    "Text",
    "Value",
    "Weight",
    "expect_array",
    "expect_changed",
    "expect_close",
    "expect_number",
    "expect_raises_value_error",
    "expect_shape",
    "expect_that",
    "expect_truth_value",
    "expect_tuple",
    "expect_unchanged",
    "expect_whole_number",
    "in_drawn_order",
    "is_close",
    "number_of",
    "shape_of",
]
