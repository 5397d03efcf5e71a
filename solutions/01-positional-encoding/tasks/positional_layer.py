"""Hidden tests of the task `positional-layer`."""

from __future__ import annotations

import numpy as np

from autograder.base.errors import AnswerRaised
from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_array, expect_close, expect_shape, expect_that

from .. import reference as oracle
from .common import OUTPUT, copied_layer, expect_refuses_long, filled_layer, layer_sizes, long_sizes

# positional-layer


def test_layer_shape(probe: Probe, draw: Draw) -> None:
    batch, _, max_len, dim = layer_sizes(draw)
    _, answer, _ = filled_layer(probe, "PositionalEncoding", draw.normal(batch, max_len, dim))
    expect_shape(answer, (batch, max_len, dim), "(batch, seq_len, dim)")


def test_layer_adds(probe: Probe, draw: Draw) -> None:
    batch, _, max_len, dim = layer_sizes(draw)
    inputs = draw.normal(batch, max_len, dim)
    layer, answer, _ = filled_layer(probe, "PositionalEncoding", inputs)
    expect_close(answer, oracle.positional_layer(inputs, max_len), OUTPUT, "(batch, seq_len, dim)")
    expect_close(layer(inputs[:1]), oracle.positional_layer(inputs[:1], max_len), OUTPUT, "(batch, seq_len, dim)")


def test_layer_shorter(probe: Probe, draw: Draw) -> None:
    batch, seq_len, max_len, dim = layer_sizes(draw)
    layer = probe.layer("PositionalEncoding", max_len, dim)
    # the second length is longer than the first: a layer that keeps the first call's rows has too few
    for length in (seq_len, seq_len + 1):
        inputs = draw.normal(batch, length, dim)
        inputs[0, 1] = 0  # a vector like any other
        right = oracle.positional_layer(inputs, max_len)
        expect_close(layer(inputs, training=True), right, OUTPUT, "(batch, seq_len, dim)")


def test_layer_no_weights(probe: Probe, draw: Draw) -> None:
    batch, _, max_len, dim = layer_sizes(draw)
    layer, _, _ = filled_layer(probe, "PositionalEncoding", draw.normal(batch, max_len, dim))
    expect_that(
        not layer.weights(),
        Text(
            "The layer has weights, but its table is a constant: keep it as a plain array or tensor.",
            "계층에 가중치가 있습니다. 표는 상수이므로 보통의 배열이나 텐서로 두세요.",
        ),
    )


def test_layer_float32(probe: Probe, draw: Draw) -> None:
    batch, _, max_len, dim = layer_sizes(draw)
    _, answer, _ = filled_layer(probe, "PositionalEncoding", draw.normal(batch, max_len, dim))
    answer = expect_array(answer, "(batch, seq_len, dim)")
    expect_that(
        answer.dtype == np.float32,
        Text(
            f"A layer computes in float32 by default, but the output is {answer.dtype}. Did a float64 table raise it?",
            f"계층은 기본으로 float32로 계산하는데 출력이 {answer.dtype}입니다. float64 표 때문이 아닌가요?",
        ),
    )


def test_layer_too_long(probe: Probe, draw: Draw) -> None:
    expect_refuses_long(probe, "PositionalEncoding", draw)


def test_layer_config(probe: Probe, draw: Draw) -> None:
    batch, _, max_len, dim = layer_sizes(draw)
    inputs = draw.normal(batch, max_len, dim)
    layer, _, _ = filled_layer(probe, "PositionalEncoding", inputs)
    _, answer = copied_layer(layer, inputs)
    expect_close(answer, oracle.positional_layer(inputs, max_len), OUTPUT, "(batch, seq_len, dim)")
    # a table with more rows than columns: a copy with too few rows can't be as long
    inputs = draw.normal(batch, *long_sizes(draw))
    try:
        layer, _, _ = filled_layer(probe, "PositionalEncoding", inputs)
    except AnswerRaised:
        return  # it has cost `layer-too-long`
    _, answer = copied_layer(layer, inputs)
    expect_close(answer, oracle.positional_layer(inputs, inputs.shape[1]), OUTPUT, "(batch, seq_len, dim)")
