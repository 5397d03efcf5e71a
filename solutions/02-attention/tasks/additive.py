"""Hidden tests of the task `additive`."""

from __future__ import annotations

import numpy as np

from autograder.base.errors import AnswerError
from autograder.base.text import Text
from autograder.grading import Draw, Miss, Probe, expect_close, expect_shape, expect_that, expect_tuple

from .. import reference as oracle
from .common import OUTPUT, PAIR, WEIGHTS, Array
from .projections import drawn_projection
from .scaled_dot_product import each_alone


def _additive_inputs(draw: Draw, *leading: int, square: bool = False) -> tuple[Array, ...]:
    query_len, key_len, query_dim, key_dim, value_dim, units = draw.distinct(6, 4, 10)
    query_len = key_len if square else query_len
    return (
        draw.normal(*leading, query_len, query_dim),
        draw.normal(*leading, key_len, key_dim),
        draw.normal(*leading, key_len, value_dim),
        drawn_projection(draw, query_dim, units),
        drawn_projection(draw, key_dim, units),
        draw.uniform(0.5, 1.2, units) * draw.rng.choice([-1.0, 1.0], units),  # of numbers near 0 all weights are alike
    )


def _additive(probe: Probe, query: Array, key: Array, value: Array, *learned: Array) -> tuple[Array, Array]:
    answer = probe.call("additive_attention", query, key, value, *learned)
    output, weights = expect_tuple(answer, 2, PAIR)
    return (
        expect_shape(output, (*query.shape[:-1], value.shape[-1]), OUTPUT),
        expect_shape(weights, (*query.shape[:-1], key.shape[-2]), WEIGHTS),
    )


def _additive_in_some_rank(probe: Probe, *inputs: Array) -> tuple[Array, Array]:
    """Return the answer for unbatched inputs, asked as a batch of one where the code takes only batches.

    How many leading dimensions it takes is judged by `additive-batch` and `additive-any-rank`.
    """
    try:
        return _additive(probe, *inputs)
    except (Miss, AnswerError) as first:
        try:
            output, weights = _additive(probe, *(x[None] for x in inputs[:3]), *inputs[3:])
        except (Miss, AnswerError):
            raise first from None
        return output[0], weights[0]


def test_additive_shape(probe: Probe, draw: Draw) -> None:
    _additive_in_some_rank(probe, *_additive_inputs(draw))


def test_additive_weights(probe: Probe, draw: Draw) -> None:
    query, key, _, *learned = inputs = _additive_inputs(draw)
    expect_close(
        _additive_in_some_rank(probe, *inputs)[1],
        oracle.softmax(oracle.additive_scores(query, key, *learned)),
        Text("the weights", "가중치"),
    )
    query, key, _, *learned = inputs = _additive_inputs(draw, square=True)
    expect_close(
        _additive_in_some_rank(probe, *inputs)[1],
        oracle.softmax(oracle.additive_scores(query, key, *learned)),
        Text("the weights of as many queries as keys", "쿼리와 키의 수가 같을 때의 가중치"),
    )


def test_additive_output(probe: Probe, draw: Draw) -> None:
    inputs = _additive_inputs(draw)
    output, weights = _additive_in_some_rank(probe, *inputs)
    # rows may be alike here: without the tanh they are, and that costs its own line
    expect_that(
        bool(np.ptp(weights) > 1e-2),
        Text("The weights don't depend on the keys.", "가중치가 키에 따라 달라지지 않습니다."),
    )
    expect_close(
        output,
        weights @ inputs[2],
        Text("the output, given the weights that you return", "출력(여러분이 돌려준 가중치 기준)"),
    )


def _expect_slices(probe: Probe, draw: Draw, *leading: int) -> None:
    """Miss unless every slice of a batched call equals the student's own answer for that slice."""
    *sequences, w_query, w_key, v = _additive_inputs(draw, *leading)
    outputs_alone, weights_alone = each_alone(
        leading, lambda one: _additive_in_some_rank(probe, *(x[one] for x in sequences), w_query, w_key, v)
    )
    expect_that(
        bool(np.ptp(weights_alone) > 1e-2),
        Text("The weights don't depend on the keys.", "가중치가 키에 따라 달라지지 않습니다."),
    )
    output, weights = _additive(probe, *sequences, w_query, w_key, v)
    expect_close(
        weights,
        weights_alone,
        Text(
            "the weights of several slices, each compared with those of that slice alone",
            "여러 조각의 가중치(조각마다 따로 계산한 것과 비교)",
        ),
    )
    expect_close(
        output,
        outputs_alone,
        Text(
            "the output of several slices, each compared with that of that slice alone",
            "여러 조각의 출력(조각마다 따로 계산한 것과 비교)",
        ),
    )


def test_additive_batch(probe: Probe, draw: Draw) -> None:
    _expect_slices(probe, draw, 3)


def test_additive_any_rank(probe: Probe, draw: Draw) -> None:
    _expect_slices(probe, draw, 3, 2)
    _additive(probe, *_additive_inputs(draw))
