"""Hidden tests of the task `masked-softmax`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Miss, Probe, expect_array, expect_close, expect_shape, expect_that

from .. import reference as oracle

SCORES = "(batch, num_heads, query_len, key_len)"
# float16 keeps 11 bits: differences of scores of size 4 are off by up to 2e-3, and the weights with them
HALF_TOLERANCE = 5e-3


def drawn_mask(draw: Draw, *shape: int) -> Array:
    """Draw a mask that hides something and keeps at least two entries in every row."""
    mask = (draw.uniform(0, 1, *shape) < 0.4).astype(np.float64)
    first = draw.integers(0, shape[-1] - 1, *shape[:-1], 1)
    for shift, value in ((0, 1.0), (1, 0.0), (2, 0.0)):
        np.put_along_axis(mask, (first + shift) % shape[-1], value, axis=-1)
    return mask


def _weights(probe: Probe, scores: np.ndarray, mask: np.ndarray) -> Array:
    return expect_shape(probe.call("masked_softmax", scores, mask), scores.shape, SCORES)


def _scores(draw: Draw, *leading: int) -> tuple[Array, Array]:
    """Draw scores and a mask of their shape."""
    query_len, key_len = draw.distinct(2, 4, 8)
    scores = draw.normal(*leading, query_len, key_len, scale=1.3)
    return scores, drawn_mask(draw, *scores.shape)


def test_softmax_shape(probe: Probe, draw: Draw) -> None:
    scores, mask = _scores(draw, 2, 3)
    _weights(probe, scores, mask)


def test_softmax_values(probe: Probe, draw: Draw) -> None:
    scores, mask = _scores(draw, 2, 3)
    right = oracle.masked_softmax(scores, mask)
    expect_close(_weights(probe, scores, mask), right, Text("the weights", "가중치"), SCORES)


def test_softmax_exactly_zero(probe: Probe, draw: Draw) -> None:
    for number_type in (np.float64, np.float32):
        scores, mask = _scores(draw, 2, 3)
        got = _weights(probe, scores.astype(number_type), mask.astype(number_type))
        expect_that(
            bool((got[mask == 1] == 0).all()),
            Text("A hidden entry is small, but not exactly 0.", "가려진 원소가 작기는 하지만 정확히 0이 아닙니다."),
        )


def test_softmax_broadcast(probe: Probe, draw: Draw) -> None:
    query_len, key_len = draw.distinct(2, 4, 8)
    scores = draw.normal(2, 3, query_len, key_len, scale=1.3)
    for shape in ((2, 1, 1, key_len), (query_len, key_len), (2, 1, query_len, key_len)):
        mask = drawn_mask(draw, *shape)
        what = Text(
            f"the weights with a mask of shape {shape} for scores {scores.shape}",
            f"모양 {shape}인 마스크와 모양 {scores.shape}인 점수의 가중치",
        )
        expect_close(_weights(probe, scores, mask), oracle.masked_softmax(scores, mask), what, SCORES)
    for fewer in (scores[0, 0], scores[0]):
        mask = drawn_mask(draw, *fewer.shape)
        what = Text(f"the weights for scores of shape {fewer.shape}", f"모양 {fewer.shape}인 점수의 가중치")
        words = "(..., query_len, key_len)"
        expect_close(_weights(probe, fewer, mask), oracle.masked_softmax(fewer, mask), what, words)


def test_softmax_hidden_far_above(probe: Probe, draw: Draw) -> None:
    # exact in float16 too: multiples of 1/2 below 1024
    scores, mask = _scores(draw, 2, 3)
    scores = np.round(2 * scores) / 2
    near, far = scores - 1000, scores + draw.integer(500, 900)
    apart = np.where(mask == 1, far, near)
    right = oracle.masked_softmax(apart, mask)
    for number_type in (np.float64, np.float32):
        got = _weights(probe, apart.astype(number_type), mask.astype(number_type))
        expect_close(
            got,
            right,
            Text(
                "the weights beside hidden scores that are larger by thousands",
                "수천이나 더 큰 점수가 가려져 있을 때의 가중치",
            ),
            SCORES,
        )
    # each row's own largest score counts, not that of all rows, heads or sequences
    batch, heads, rows = (np.arange(n) for n in scores.shape[:3])
    steps = scores - 600.0 * rows[:, None] - 700.0 * heads[:, None, None] - 800.0 * batch[:, None, None, None]
    right = oracle.masked_softmax(steps, mask)
    for number_type in (np.float64, np.float32):
        got = _weights(probe, steps.astype(number_type), mask.astype(number_type))
        what = Text("the weights of rows whose scores differ by hundreds", "행마다 점수가 수백씩 다를 때의 가중치")
        expect_close(got, right, what, SCORES)


def test_softmax_empty_rows(probe: Probe, draw: Draw) -> None:
    for number_type in (np.float64, np.float32):
        scores, mask = _scores(draw, 2, 3)
        mask[1, :, -1] = 1
        mask[0, 2] = 1
        got = _weights(probe, scores.astype(number_type), mask.astype(number_type))
        what = Text("the weights with some rows wholly hidden", "어떤 행이 모두 가려졌을 때의 가중치")
        expect_close(got, oracle.masked_softmax(scores, mask), what, SCORES)


def test_softmax_half(probe: Probe, draw: Draw) -> None:
    scores, mask = _scores(draw, 2, 3)
    scores = scores.astype(np.float16)
    got = _weights(probe, scores, mask.astype(np.float16))
    expect_close(
        got,
        oracle.masked_softmax(scores, mask),
        Text("the weights in float16", "float16 가중치"),
        SCORES,
        tolerance=HALF_TOLERANCE,
    )
    for score in (-5000, -20000):  # constants that float16 can hold, told apart by what they still hide
        less_low = np.where(mask == 1, 100, score).astype(np.float16)
        probe.tell_apart(lambda: probe.call("masked_softmax", less_low, mask.astype(np.float16)))  # noqa: B023
    # equal kept scores near the lower end of float16, where a constant that it can hold hides nothing
    low = np.where(mask == 1, 100, -60000).astype(np.float16)
    got = _weights(probe, low, mask.astype(np.float16))
    what = Text("the weights in float16 for very low scores", "점수가 아주 낮을 때 float16 가중치")
    expect_close(got, oracle.masked_softmax(low, mask), what, SCORES, tolerance=HALF_TOLERANCE)
    # what a wholly hidden row becomes is the line above's, unless only float16 makes it a NaN
    mask[1, 1] = 1
    narrow, wide = (_weights(probe, scores.astype(kind), mask.astype(kind)) for kind in (np.float16, np.float32))
    text = Text(
        "A wholly hidden row is NaN in float16, though not in float32. Which of your constants does float16 not know?",
        "모두 가려진 행이 float32에서는 NaN이 아닌데 float16에서는 NaN입니다. 여러분이 쓴 상수 가운데 float16에 없는 것은 무엇인가요?",
    )
    if (~np.isnan(wide) & np.isnan(narrow)).any():
        raise Miss(text)


def test_softmax_type(probe: Probe, draw: Draw) -> None:
    scores, mask = _scores(draw, 2, 3)
    for number_type in (np.float16, np.float32):
        answer = probe.call("masked_softmax", scores.astype(number_type), mask.astype(number_type))
        got = expect_array(answer, SCORES).dtype
        wanted = np.dtype(number_type)
        text = Text(f"For scores in {wanted} the weights are in {got}.", f"점수는 {wanted}인데 가중치는 {got}입니다.")
        if got != wanted:
            raise Miss(text)
