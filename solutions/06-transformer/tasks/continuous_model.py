"""Hidden tests of the task `continuous-model`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Miss, Probe, expect_shape, expect_that

from ..._shared.dropout import (
    LONG,
    NEARLY_ALL,
    STILL,
    TRIES,
    expect_decoder_to_drop,
    expect_dropout,
    expect_encoder_to_drop,
    expect_usual_rate,
)
from ..._shared.model_expectations import FilledModel, build_once, moves, succeeds
from ..._shared.uniform_weights import UniformWeights
from .. import reference as oracle
from .both_models import expect_causal, expect_parameters, expect_with_some_weights, readings

VECTORS = "(batch, target_len, dim)"
CONTINUOUS: dict[str, Any] = dict(
    timesteps=5, dim=12, num_heads=3, ff_dim=10, num_encoder_blocks=2, num_decoder_blocks=1, dropout=0.0
)
DROPPING: dict[str, Any] = dict(
    timesteps=4, dim=8, num_heads=2, ff_dim=14, num_encoder_blocks=1, num_decoder_blocks=2, dropout=0.5
)
SMALL: dict[str, Any] = dict(timesteps=3, dim=8, num_heads=2, ff_dim=6, num_encoder_blocks=1, num_decoder_blocks=1)


class Continuous(FilledModel):
    """The lecture's model of the sizes `sizes`."""

    def __init__(self, probe: Probe, draw: Draw, sizes: Mapping[str, Any] = CONTINUOUS) -> None:
        self.sizes = sizes
        self.timesteps, self.dim = sizes["timesteps"], sizes["dim"]
        example = [np.zeros((2, self.timesteps, self.dim), np.float32)] * 2
        uniform = UniformWeights(draw, self.dim, sizes["ff_dim"], num_heads=sizes["num_heads"])
        super().__init__(draw, build_once(probe, example, "build_continuous_transformer", **sizes), uniform)

    def ask(self, source: Array, target: Array, **options: Any) -> Array:
        """Return the output, once its shape is right."""
        answer = self.model([source, target], **options)
        return expect_shape(answer, (len(target), target.shape[1], self.dim), VECTORS)

    def is_steady(self, draw: Draw) -> bool:
        """Whether the same inputs give the same output again: one that always drops has lost its points in another line."""
        inputs = draw.normal(2, 2, self.timesteps, self.dim)
        return bool(np.allclose(self.ask(*inputs), self.ask(*inputs), atol=STILL))

    def right_count(self) -> int:
        """Return how many parameters the lecture's model of these sizes has."""
        names = ("dim", "ff_dim", "num_encoder_blocks", "num_decoder_blocks")
        return oracle.continuous_parameter_count(*(self.sizes[name] for name in names))

    def right_outputs(self, source: Array, target: Array) -> Iterator[Array]:
        """Yield what the oracle gives, in each reading of the weights and with positions or without."""
        blocks = self.sizes["num_encoder_blocks"], self.sizes["num_decoder_blocks"]
        for epsilons, layout in readings(self):
            weights = self.uniform.weights(*blocks, epsilons=epsilons, layout=layout)
            for with_positions in (True, False):
                yield oracle.continuous_transformer(source, target, weights, self.sizes["num_heads"], with_positions)


def test_continuous_builds(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    model.ask(draw.normal(3, model.timesteps, model.dim), draw.normal(3, model.timesteps, model.dim))


def test_continuous_lengths(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    source = draw.normal(2, model.timesteps, model.dim)
    for length in (draw.choice([2, 3, 4]), draw.choice([7, 8, 9]), draw.integer(66, 90)):
        model.ask(source, draw.normal(2, length, model.dim))
    model.ask(source[:1], draw.normal(1, 3, model.dim))


def test_continuous_count(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    # what is counted says little of what was left out
    probe.tell_apart(lambda: model.ask(*draw.normal(2, 2, model.timesteps, model.dim)))
    expect_parameters(model, model.right_count())
    second = Continuous(probe, draw, DROPPING)
    what = Text("the number of parameters with several decoder blocks", "디코더 블록이 여러 개일 때 파라미터 수")
    expect_parameters(second, second.right_count(), what)


def test_continuous_causal(probe: Probe, draw: Draw) -> None:
    def expect(model: Continuous) -> None:
        target, other = draw.normal(2, model.timesteps, model.dim)
        source = np.repeat(draw.normal(1, model.timesteps, model.dim), len(target) + 1, axis=0)
        expect_causal(moves(lambda rows: model.ask(source, rows), target, other))

    def expect_of_the_second() -> None:
        second = Continuous(probe, draw, DROPPING)
        if second.is_steady(draw):
            expect(second)

    expect_with_some_weights(lambda: expect(Continuous(probe, draw)))
    expect_with_some_weights(expect_of_the_second)


def test_continuous_memory(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    source, other = draw.normal(2, model.timesteps, model.dim)
    target = np.repeat(draw.normal(1, model.timesteps, model.dim), len(source) + 1, axis=0)
    moved = moves(lambda rows: model.ask(rows, target), source, other)
    expect_that(
        bool((moved > 1e-6).any()),
        Text("No output changes with the source.", "소스가 바뀌어도 출력이 모두 그대로입니다."),
    )
    expect_that(
        bool((moved > 1e-6).all()),
        Text(
            "Some output doesn't change with some step of the source.",
            "소스의 어떤 자리가 바뀌어도 그대로인 출력이 있습니다.",
        ),
    )


def test_continuous_dropout(probe: Probe, draw: Draw) -> None:
    def rows(model: Continuous, count: int = 4) -> list[Array]:
        return list(np.repeat(draw.normal(2, 1, model.timesteps, model.dim), count, axis=1))

    expect_dropout(Continuous(probe, draw), Continuous(probe, draw, DROPPING), rows)
    expect_dropout_everywhere(probe, draw)
    expect_usual_rate(
        lambda: (Continuous(probe, draw, SMALL), Continuous(probe, draw, {**SMALL, "dropout": 0.1})), rows
    )


def expect_dropout_everywhere(probe: Probe, draw: Draw) -> None:
    """Miss if parts of the continuous model never drop anything; what is wrong without dropout costs another line."""
    for tries_left in reversed(range(TRIES)):
        noisy = Continuous(probe, draw, {**SMALL, "timesteps": 1, "dropout": 0.5})
        if not is_right(noisy, draw):
            return
        try:
            expect_encoder_to_drop(
                lambda source, target, training, model=noisy: model.ask(source, target, training=training),
                oracle.positions(LONG, noisy.dim),
                draw,
            )
            break
        except Miss:  # with one set of weights in 10 000 what the encoder drops is hardly felt
            if not tries_left:
                raise
    hollow = Continuous(probe, draw, {**SMALL, "num_decoder_blocks": 2, "dropout": NEARLY_ALL})
    if is_right(hollow, draw):
        expect_decoder_to_drop(lambda source, target: hollow.ask(source, target, training=True), hollow.dim, draw)


def is_right(model: Continuous, draw: Draw) -> bool:
    """Whether numbers could be placed in all weights and the model then gives what the oracle gives, at two lengths."""

    def ask() -> None:
        model.ask(draw.normal(2, model.timesteps, model.dim), draw.normal(2, LONG, model.dim))
        expect_outputs(model, draw)

    return model.matches and succeeds(ask)


def test_continuous_values(probe: Probe, draw: Draw) -> None:
    expect_with_some_weights(lambda: expect_all_outputs(probe, draw))


def expect_all_outputs(probe: Probe, draw: Draw) -> None:
    """Miss unless both models compute what they should, for targets of several lengths and a step of zeros."""
    model = Continuous(probe, draw)
    expect_outputs(model, draw)
    for length in (model.timesteps - 2, model.timesteps + 3):
        if succeeds(lambda: model.ask(draw.normal(1, model.timesteps, model.dim), draw.normal(1, length, model.dim))):  # noqa: B023
            expect_outputs(model, draw, length)
    expect_outputs(model, draw, has_zeros=True)
    second = Continuous(probe, draw, DROPPING)
    if second.is_steady(draw):
        expect_outputs(second, draw)


def expect_outputs(model: Continuous, draw: Draw, target_len: int = 0, *, has_zeros: bool = False) -> None:
    """Miss unless the model computes what it should.

    Args:
        model: the model that is asked.
        draw: the random source.
        target_len: how many steps the target has; 0: as many as the source.
        has_zeros: whether one step of the source is a vector of zeros, which isn't padding.
    """
    source = draw.normal(3, model.timesteps, model.dim)
    if has_zeros:
        source[:, 1] = 0
    target = draw.normal(3, target_len or model.timesteps, model.dim)
    model.expect(
        model.ask(source, target),
        model.right_outputs(source, target),
        Text("the output for weights of the grader's", "채점용 가중치를 넣은 모델의 출력"),
        VECTORS,
        lambda rows: model.ask(source[rows], target[rows]),
    )
