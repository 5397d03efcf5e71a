"""Hidden tests of the task `keras-parity`."""

from __future__ import annotations

import contextlib

import numpy as np

from autograder.base.errors import AnswerUnreadable
from autograder.base.text import Text
from autograder.grading import Array, Draw, Layer, Probe, expect_close, expect_shape, expect_that, expect_tuple

from .. import reference as oracle
from .common import LAYER_OUTPUT, WEIGHTS
from .multi_head_layer import LayerCase


class ParityCase(LayerCase):
    """For the student's layer and Keras's: queries as wide as d_model, because Keras projects back to their width."""

    def drawn_widths(self, draw: Draw, own_widths: bool) -> list[int]:
        """Return d_model, and for keys and values the same or, with `own_widths`, others."""
        more = draw.distinct(2, 1, 9) if own_widths else [0, 0]
        return [self.d_model, *(self.d_model + n for n in more)]

    def silence(self, *parts: str) -> None:
        """Set the weights whose path contains one of `parts` to 0."""
        for path in self.weights:
            if any(part in path for part in parts):
                self.weights[path] = np.zeros_like(self.weights[path])

    def copied(self, probe: Probe, layer: Layer, twin: Layer) -> tuple[Array, Array, bool]:
        """Let the student copy the weights; return what Keras's layer then gives and whether the student's own stayed."""
        query, key, value = self.inputs
        # a copy the other way, or none, leaves numbers in Keras's layer by which it is known
        probe.tell_apart(lambda: twin.set_values([0.3 * np.cos(np.arange(value.size)) for _, value in twin.values()]))
        before = twin(query, value, key)  # Keras's order
        layer.assign(self.weights)
        own = [value for _, value in layer.values()]
        # a copy that returns the layer returns no numbers: what counts is the copy
        with contextlib.suppress(AnswerUnreadable):
            probe.call("copy_weights_to_keras", layer, twin)
        output, scores = expect_tuple(
            twin(query, value, key, return_attention_scores=True), 2, Text("(output, scores)", "(출력, 점수)")
        )
        left = [value for _, value in layer.values()]
        stayed = len(left) == len(own) and all(map(np.array_equal, left, own))
        expect_that(
            stayed or not np.allclose(output, before, atol=1e-5),
            Text(
                "Your layer's weights changed and those of Keras's layer didn't.",
                "여러분의 계층의 가중치가 바뀌고, 케라스 계층의 가중치는 그대로입니다.",
            ),
        )
        shape = (self.batch, self.query_len, self.d_model)
        return expect_shape(output, shape, LAYER_OUTPUT), np.asarray(scores), stayed

    def by_weights_of(self, twin: Layer) -> Array | None:
        """Return the output that follows from the weights of Keras's layer, None if they aren't its eight."""
        kinds = ("kernel", "bias")
        names = [f"{part}_dense.{kind}" for part in ("query", "key", "value", "output") for kind in kinds]
        found = [value for _, value in twin.values()]  # in the order in which Keras makes them
        if [value.size for value in found] != [self.weights[name].size for name in names]:
            return None
        weights = {name: value.reshape(self.weights[name].shape) for name, value in zip(names, found, strict=True)}
        return oracle.multi_head_layer(*self.inputs, weights, self.num_heads)[0]

    def expected(self) -> tuple[Array, Array]:
        """Return what it gives if the copy is right."""
        return oracle.multi_head_layer(*self.inputs, self.weights, self.num_heads)


def twins(probe: Probe, draw: Draw, own_widths: bool = False) -> tuple[ParityCase, Layer, Layer]:
    """Return a line's case, and the student's layer and Keras's, built alike, that lines with such widths share."""
    first = probe.once(("case", own_widths), lambda: ParityCase(draw, own_widths=own_widths))

    def make() -> tuple[Layer, Layer]:
        layer = probe.layer("MultiHeadAttention", d_model=first.d_model, num_heads=first.num_heads)
        twin = probe.layer("keras.layers.MultiHeadAttention", num_heads=first.num_heads, key_dim=first.head_dim)
        query, key, value = first.inputs
        layer(query, key, value)
        twin(query, value, key)
        return layer, twin

    return ParityCase(draw, first, own_widths), *probe.once(("twins", own_widths), make)


def test_parity_runs(probe: Probe, draw: Draw) -> None:
    case, layer, twin = twins(probe, draw)
    case.copied(probe, layer, twin)


def test_parity_value_path(probe: Probe, draw: Draw) -> None:
    case, layer, twin = twins(probe, draw)
    # zero query and key kernels make all weights equal: only values and the output projection are left
    case.silence("bias", "query_dense", "key_dense")
    output, _, _ = case.copied(probe, layer, twin)
    expect_close(
        output,
        case.expected()[0],
        Text("the output of Keras's layer when all scores are equal", "점수가 모두 같을 때 케라스 계층의 출력"),
        LAYER_OUTPUT,
    )


def test_parity_scores(probe: Probe, draw: Draw) -> None:
    case, layer, twin = twins(probe, draw)
    case.silence("bias")
    _, scores, _ = case.copied(probe, layer, twin)
    expect_close(
        scores,
        case.expected()[1],
        Text("the attention scores of Keras's layer", "케라스 계층의 어텐션 점수"),
        WEIGHTS,
    )


def test_parity_whole(probe: Probe, draw: Draw) -> None:
    case, layer, twin = twins(probe, draw, own_widths=True)
    output, _, stayed = case.copied(probe, layer, twin)
    expected, _ = case.expected()
    by_weights = case.by_weights_of(twin)
    expect_close(output, expected, Text("the output of Keras's layer", "케라스 계층의 출력"), LAYER_OUTPUT)
    expect_that(
        by_weights is not None and np.allclose(by_weights, expected, rtol=1e-3, atol=1e-3),
        Text(
            "Keras's layer gives the same output, but not by its weights: they aren't copies of yours.",
            "케라스 계층이 같은 출력을 내지만 그 가중치로 낸 것이 아닙니다. 가중치가 복사되지 않았습니다.",
        ),
    )
    expect_that(
        stayed,
        Text(
            "The copy is right, but your own layer's weights changed.",
            "복사는 맞지만, 여러분의 계층의 가중치가 바뀌었습니다.",
        ),
    )
