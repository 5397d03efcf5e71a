"""Hidden tests of the task `pooling`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Probe, expect_close, expect_shape, expect_that, is_close

from ..._shared.dropout import STILL
from .. import reference as oracle

POOLED = Text("the pooled vectors", "모은 벡터")
POOLED_SHAPE = "(batch, dim)"


def _vectors(draw: Draw, pad_id: int = 0) -> tuple[Array, np.ndarray]:
    """Draw vectors (batch, seq_len, dim) and ids; every sequence has another number of tokens, one has no padding."""
    batch, length, dim = 4, draw.integer(7, 9), draw.choice([3, 5])
    ids = draw.integers(1, 40, batch, length)
    ids[ids == pad_id] = 41
    for row, count in zip(ids[1:], draw.distinct(batch - 1, 2, length - 3), strict=True):
        row[length - count :] = pad_id
    ids[1, 0] = pad_id
    ids[3] = np.where(np.arange(length) == draw.integer(0, length - 1), 41, pad_id)  # a single token
    return draw.normal(batch, length, dim) + 1.0, ids


def test_pooling_shape(probe: Probe, draw: Draw) -> None:
    x, ids = _vectors(draw)
    expect_shape(probe.call("masked_mean_pooling", x, ids), (len(x), x.shape[2]), POOLED_SHAPE)


def test_pooling_mean(probe: Probe, draw: Draw) -> None:
    x, ids = _vectors(draw)
    for some in (slice(None), slice(1, None)):  # with and without a sequence that has no padding
        answer = probe.call("masked_mean_pooling", x[some], ids[some])
        expect_close(answer, oracle.masked_mean_pooling(x[some], ids[some]), POOLED, POOLED_SHAPE)


def test_pooling_pad_id(probe: Probe, draw: Draw) -> None:
    pad_id = draw.integer(5, 30)
    x, ids = _vectors(draw, pad_id)
    ids[2, 1] = 0  # an ordinary token now
    answer = probe.call("masked_mean_pooling", x, ids, pad_id=pad_id)
    expect_close(answer, oracle.masked_mean_pooling(x, ids, pad_id), POOLED, POOLED_SHAPE)


def test_pooling_empty(probe: Probe, draw: Draw) -> None:
    x, ids = _vectors(draw)
    ids[1] = 0
    rows = expect_shape(probe.call("masked_mean_pooling", x, ids), (len(ids), x.shape[2]), POOLED_SHAPE)
    right = oracle.masked_mean_pooling(x, ids)
    tokens = np.arange(len(ids)) != 1
    others = np.allclose(rows[tokens], right[tokens], atol=STILL)
    what = Text("the pooled vector of a sequence that is all padding", "패딩뿐인 시퀀스를 모은 벡터")
    expect_close(rows[1], np.zeros(x.shape[2]), what)
    if is_close(probe.call("masked_mean_pooling", x[tokens], ids[tokens]), right[tokens]):
        expect_that(
            others,
            Text(
                "A sequence that is all padding changes the vectors of the others.",
                "패딩뿐인 시퀀스가 있으면 다른 시퀀스의 벡터가 달라집니다.",
            ),
        )
    single = expect_shape(probe.call("masked_mean_pooling", x[2:3], ids[2:3]), (1, x.shape[2]), POOLED_SHAPE)
    if others:
        what = Text("the pooled vector of a single sequence", "시퀀스가 하나일 때 모은 벡터")
        expect_close(single, right[2:3], what, POOLED_SHAPE)
