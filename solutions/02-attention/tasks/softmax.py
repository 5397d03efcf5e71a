"""Hidden tests of the task `softmax`."""

from __future__ import annotations

import numpy as np

from autograder.base.errors import AnswerRaised
from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_close, expect_shape, expect_that

from .. import reference as oracle


def test_softmax_shape(probe: Probe, draw: Draw) -> None:
    rows, columns = draw.distinct(2, 3, 9)
    expect_shape(
        probe.call("softmax", draw.normal(rows, columns)),
        (rows, columns),
        Text("the shape of x (rows, columns)", "x의 모양 (rows, columns)"),
    )


def test_softmax_values(probe: Probe, draw: Draw) -> None:
    x = draw.normal(*draw.distinct(3, 2, 7), scale=1.5)
    expect_close(
        probe.call("softmax", x),
        oracle.softmax(x),
        Text("the weights along the last axis", "마지막 축을 따라 구한 가중치"),
    )
    for shape in ((5,), (6, 6), (2, 3, 2, 4)):
        x = draw.normal(*shape, scale=1.5)
        what = Text(
            f"the weights along the last axis of an array {shape}", f"배열 {shape}의 마지막 축을 따라 구한 가중치"
        )
        expect_close(probe.call("softmax", x), oracle.softmax(x), what)


def test_softmax_axis(probe: Probe, draw: Draw) -> None:
    x = draw.normal(*draw.distinct(3, 2, 7), scale=1.5)
    for axis in (0, 1, -2):
        expect_close(
            probe.call("softmax", x, axis=axis),
            oracle.softmax(x, axis),
            Text(f"the weights with axis={axis}", f"axis={axis}일 때의 가중치"),
        )


def test_softmax_large(probe: Probe, draw: Draw) -> None:
    levels = np.array([[2000.0, 2001.0], [-2000.0, -2001.0]])
    probe.tell_apart(lambda: probe.call("softmax", levels))  # a shift by the row's mean, or by that of the whole array
    for sign in (1, -1):
        # one level for all rows: this line asks for any shift at all
        x = draw.normal(*draw.distinct(2, 3, 8)) + sign * draw.integer(2000, 4000)
        x = x.astype(np.float32).astype(np.float64)
        en, ko = ("plus", "양수") if sign > 0 else ("minus", "음수")
        what = Text(f"the weights for scores near {en} a few thousand", f"크기가 수천인 {ko} 점수의 가중치")
        expect_close(probe.call("softmax", x), oracle.softmax(x), what)

    # within a row: shifted by its mean, median, smallest, first or last score, the largest still overflow in float64
    rows, columns = draw.distinct(2, 5, 8)
    x = draw.normal(rows, columns) + 1500 * draw.integers(-2, 1, rows, columns)
    for row in x:
        # the two largest share the weight and stand neither first nor last
        *best, lowest = draw.rng.permutation(np.arange(1, columns - 1))[:3]
        row[best], row[lowest] = draw.normal(2) + 3000, -3000
    x = x.astype(np.float32).astype(np.float64)
    answer = expect_shape(probe.call("softmax", x), x.shape, Text("the shape of x", "x의 모양"))
    expect_that(
        not np.isnan(answer).any(),
        Text(
            "There is a NaN when the scores within a row lie thousands apart: some exponential is infinite, shifted or not.",
            "한 행의 점수들이 수천씩 떨어져 있으면 NaN이 나옵니다. 점수에서 무엇을 뺐든 빼지 않았든 어떤 지수 함수의 값이 무한대입니다.",
        ),
    )
    expect_close(
        answer,
        oracle.softmax(x),
        Text(
            "the weights for scores that lie thousands apart within a row", "한 행 안에서 수천씩 떨어진 점수의 가중치"
        ),
    )


def test_softmax_rows_apart(probe: Probe, draw: Draw) -> None:
    rows, columns = draw.distinct(2, 3, 8)
    levels = draw.rng.permutation(np.linspace(-4000, 4000, rows).round())
    x = (draw.normal(rows, columns) + levels[:, None]).astype(np.float32).astype(np.float64)
    answer = expect_shape(probe.call("softmax", x), x.shape, Text("the shape of x", "x의 모양"))
    lost = ~(answer.sum(axis=-1) > 0.5)
    expect_that(
        not lost[levels < levels.max()].any(),
        Text(
            "When one row's scores lie thousands below another's, its weights are lost.",
            "한 행의 점수가 다른 행보다 수천이나 낮으면 그 행의 가중치가 사라집니다.",
        ),
    )
    expect_close(
        answer, oracle.softmax(x), Text("the weights of rows that lie thousands apart", "수천씩 떨어진 행들의 가중치")
    )


def test_softmax_integers(probe: Probe, draw: Draw) -> None:
    x = draw.integers(-3, 3, *draw.distinct(2, 3, 8))
    try:
        answer = probe.call("softmax", x)
    except AnswerRaised:
        # tf.nn.softmax refuses integers outright, which misleads nobody: ask again with floats
        answer = probe.call("softmax", x.astype(np.float64))
    expect_close(
        answer,
        oracle.softmax(x),
        Text("the weights for integer scores", "정수 점수의 가중치"),
    )
