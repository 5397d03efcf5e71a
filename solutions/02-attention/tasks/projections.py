"""Hidden tests of the task `projections`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_close, expect_shape, expect_that, expect_tuple, shape_of

from .. import reference as oracle
from .common import OUTPUT, PAIR, WEIGHTS, Array
from .scaled_dot_product import CLEARLY, each_alone, expect_looking, is_looking


def drawn_projection(draw: Draw, rows: int, columns: int) -> Array:
    """Draw a projection that keeps the size of what it projects."""
    return draw.normal(rows, columns, scale=1 / np.sqrt(rows))


def _project_and_attend(probe: Probe, *arguments: Array) -> tuple[Array, Array]:
    """Return the student's output, of any shape, and weights (..., query_len, key_len)."""
    answer = probe.call("projected_attention", *arguments)
    output, weights = expect_tuple(answer, 2, PAIR)
    return output, expect_shape(weights, (*arguments[0].shape[:-1], arguments[1].shape[-2]), WEIGHTS)


def _self_attention(draw: Draw, *leading: int) -> tuple[Array, ...]:
    """Draw the arguments of self-attention, whose right weights differ clearly."""
    while True:
        length, width, key_dim, value_dim = draw.distinct(4, 4, 9)
        x = draw.normal(*leading, length, width, scale=1.5)
        matrices = (
            drawn_projection(draw, width, key_dim),
            drawn_projection(draw, width, key_dim),
            drawn_projection(draw, width, value_dim),
        )
        if is_looking(oracle.projected_attention(x, x, x, *matrices)[1], CLEARLY):
            return (x, x, x, *matrices)


def _expect_averaged(output: object, weights: Array, value: Array) -> None:
    """Miss unless `output` is `value` averaged with the student's own `weights`."""
    expect_looking(weights)
    what = Text("the output, given the weights that you return", "출력(여러분이 돌려준 가중치 기준)")
    expect_close(output, np.matmul(weights, value), what, OUTPUT)


def test_projected_shape(probe: Probe, draw: Draw) -> None:
    _project_and_attend(probe, *_self_attention(draw))


def test_projected_weights(probe: Probe, draw: Draw) -> None:
    inputs = _self_attention(draw)
    expect_close(
        _project_and_attend(probe, *inputs)[1],
        oracle.projected_attention(*inputs)[1],
        Text("the weights of self-attention", "셀프 어텐션의 가중치"),
    )


def test_projected_output(probe: Probe, draw: Draw) -> None:
    x, *_, w_value = inputs = _self_attention(draw)
    output, weights = _project_and_attend(probe, *inputs)
    expect_that(
        shape_of(output) != x.shape,
        Text(
            "The output is as wide as the input of the values. Are the values projected?",
            "출력의 너비가 값의 입력과 같습니다. 값을 투영했나요?",
        ),
    )
    _expect_averaged(output, weights, x @ w_value)


def test_projected_cross(probe: Probe, draw: Draw) -> None:
    query_len, key_len, query_input, key_input, key_dim, value_dim = draw.distinct(6, 3, 11)
    x, memory = draw.normal(query_len, query_input, scale=1.5), draw.normal(key_len, key_input, scale=1.5)
    matrices = (
        drawn_projection(draw, query_input, key_dim),
        drawn_projection(draw, key_input, key_dim),
        drawn_projection(draw, key_input, value_dim),
    )
    inputs = (x, memory, memory, *matrices)
    weights = _project_and_attend(probe, *inputs)[1]
    expect_close(
        weights, oracle.projected_attention(*inputs)[1], Text("the weights of cross-attention", "교차 어텐션의 가중치")
    )


def test_projected_sources(probe: Probe, draw: Draw) -> None:
    # queries and keys of one width, so that a mix-up of their matrices runs: it has cost its own line
    while True:
        query_len, key_len, width, value_input, key_dim, value_dim = draw.distinct(6, 3, 11)
        x, keys = draw.normal(query_len, width, scale=1.5), draw.normal(key_len, width, scale=1.5)
        w_query, w_key = drawn_projection(draw, width, key_dim), drawn_projection(draw, width, key_dim)
        # of a mix-up of the matrices, too: the weights that are looked at are the student's own
        if all(
            is_looking(oracle.projected_attention(x, keys, keys, *pair, np.eye(width))[1], CLEARLY)
            for pair in ((w_query, w_key), (w_key, w_query))
        ):
            break
    # values first of the keys' width, where taking the wrong input runs, then of their own
    for value_width in (width, value_input):
        values, w_value = draw.normal(key_len, value_width), drawn_projection(draw, value_width, value_dim)
        output, weights = _project_and_attend(probe, x, keys, values, w_query, w_key, w_value)
        _expect_averaged(output, weights, values @ w_value)


def test_projected_leading(probe: Probe, draw: Draw) -> None:
    for leading in ((3,), (2, 3)):
        _expect_each_as_alone(probe, draw, leading)


def _expect_each_as_alone(probe: Probe, draw: Draw, leading: tuple[int, ...]) -> None:
    """Miss unless self-attention gives each sequence of a batch, which may have several axes, what it gives that sequence alone."""
    x, _, _, *matrices = _self_attention(draw, *leading)
    output, weights = _project_and_attend(probe, x, x, x, *matrices)
    outputs_alone, weights_alone = each_alone(
        leading, lambda one: _project_and_attend(probe, x[one], x[one], x[one], *matrices)
    )
    expect_looking(weights_alone)
    expect_close(
        weights,
        weights_alone,
        Text(
            "the weights of a batch, each sequence's compared with those of it alone",
            "배치의 가중치(시퀀스마다 따로 계산한 것과 비교)",
        ),
    )
    output = expect_shape(
        output,
        outputs_alone.shape,
        Text("the output (batch, query_len, value_dim)", "출력 (batch, query_len, value_dim)"),
    )
    expect_close(
        output,
        outputs_alone,
        Text(
            "the output of a batch, each sequence's compared with that of it alone",
            "배치의 출력(시퀀스마다 따로 계산한 것과 비교)",
        ),
    )
