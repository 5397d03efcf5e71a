"""Hidden tests of the task `learned-layer`."""

from __future__ import annotations

from autograder.base.text import Text
from autograder.grading import Draw, Layer, Miss, Probe, expect_close, expect_shape, expect_that

from .. import reference as oracle
from .common import OUTPUT, Array, copied_layer, expect_refuses_long, filled_layer, layer_sizes, long_sizes

# learned-layer


def test_learned_shape(probe: Probe, draw: Draw) -> None:
    batch, seq_len, max_len, dim = layer_sizes(draw)
    answer = probe.layer("LearnedPositionalEmbedding", max_len, dim)(draw.normal(batch, seq_len, dim))
    expect_shape(answer, (batch, seq_len, dim), "(batch, seq_len, dim)")


def test_learned_table(probe: Probe, draw: Draw) -> None:
    batch, seq_len, max_len, dim = layer_sizes(draw)
    layer = probe.layer("LearnedPositionalEmbedding", max_len, dim)
    layer(draw.normal(batch, seq_len, dim))
    _table_path(layer, max_len, dim)


def test_learned_trainable(probe: Probe, draw: Draw) -> None:
    batch, seq_len, max_len, dim = layer_sizes(draw)
    layer = probe.layer("LearnedPositionalEmbedding", max_len, dim)
    layer(draw.normal(batch, seq_len, dim))
    layer(draw.normal(batch, seq_len - 1, dim))
    trainable = [weight for weight in layer.weights() if weight.trainable]
    expect_that(
        bool(trainable),
        Text("The layer has nothing to train.", "계층에 학습할 것이 없습니다."),
    )
    expect_that(
        len(trainable) == 1 and trainable[0].shape == (max_len, dim),
        Text(
            f"The one trainable weight should be the (max_len, dim) table, but there are {len(trainable)}.",
            f"학습되는 가중치는 (max_len, dim) 표 하나여야 하는데 {len(trainable)}개가 있습니다.",
        ),
    )


def test_learned_adds(probe: Probe, draw: Draw) -> None:
    batch, _, max_len, dim = layer_sizes(draw)
    layer, table = _layer_with_table(probe, max_len, dim, draw)
    inputs = draw.normal(batch, max_len, dim)
    for some in (inputs, inputs[:1]):
        expect_close(layer(some), oracle.learned_positional_layer(some, table), OUTPUT, "(batch, seq_len, dim)")


def test_learned_shorter(probe: Probe, draw: Draw) -> None:
    batch, seq_len, max_len, dim = layer_sizes(draw)
    layer, table = _layer_with_table(probe, max_len, dim, draw)
    for length in (seq_len, seq_len + 1):
        inputs = draw.normal(batch, length, dim)
        right = oracle.learned_positional_layer(inputs, table)
        expect_close(layer(inputs, training=True), right, OUTPUT, "(batch, seq_len, dim)")


def test_learned_too_long(probe: Probe, draw: Draw) -> None:
    expect_refuses_long(probe, "LearnedPositionalEmbedding", draw)


def test_learned_config(probe: Probe, draw: Draw) -> None:
    batch, seq_len, max_len, dim = layer_sizes(draw)
    layer = probe.layer("LearnedPositionalEmbedding", max_len, dim)
    clone, answer = copied_layer(layer, draw.normal(batch, seq_len, dim))
    expect_shape(answer, (batch, seq_len, dim), "(batch, seq_len, dim)")
    # what the layer computes is `learned-adds`; here only that the copy is the same kind of layer
    _table_path(clone, max_len, dim)
    max_len, dim = long_sizes(draw)
    clone, _ = copied_layer(probe.layer("LearnedPositionalEmbedding", max_len, dim), draw.normal(batch, seq_len, dim))
    _table_path(clone, max_len, dim)


def _table_path(layer: Layer, max_len: int, dim: int) -> str:
    """Return the path of the layer's one (max_len, dim) weight."""
    weights = layer.weights()
    tables = [weight.path for weight in weights if weight.shape == (max_len, dim)]
    if len(tables) == 1:
        return tables[0]
    if not weights:
        raise Miss(
            Text("The layer has no weights: where is its table?", "계층에 가중치가 없습니다. 표는 어디에 있나요?")
        )
    shapes = ", ".join(str(weight.shape) for weight in weights)
    raise Miss(
        Text(
            f"There should be one weight of shape (max_len, dim), here {(max_len, dim)}. The layer has {shapes}.",
            f"모양이 (max_len, dim), 여기서 {(max_len, dim)}인 가중치가 하나 있어야 합니다. 계층에는 {shapes}이(가) 있습니다.",
        )
    )


def _layer_with_table(probe: Probe, max_len: int, dim: int, draw: Draw) -> tuple[Layer, Array]:
    """Return a learned layer for up to `max_len` tokens whose table has drawn values, and these."""
    # the first call builds the table of a layer that has it in a sublayer
    layer, _, rows = filled_layer(probe, "LearnedPositionalEmbedding", draw.normal(1, max_len, dim))
    table = draw.normal(rows, dim)
    layer.assign({_table_path(layer, rows, dim): table})
    return layer, table
