"""Hidden tests of the task `feed-forward`."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
    Layer,
    Probe,
    Weight,
    expect_close,
    expect_shape,
    expect_that,
    expect_unchanged,
    shape_of,
)

from ..._shared.layer_lines import (
    DROPS_AT_RATE_0,
    expect_drops_in_training_only,
    expect_same_from_config,
    share_together,
)
from .. import reference as oracle
from ..block_cases import TOKENS, near
from ..stacked_weights import told_apart
from ..weight_parts import Sizes, parts_of
from ..weight_roles import Roles, all_readings, drawn_values, feed_forwards

RATE = 0.35
OUTPUT = Text("the output", "출력")
ALONE = Roles((), ())  # of a feed-forward network by itself


class FeedForwardCase:
    """A built feed-forward layer and an input for it.

    There are fewer hidden units than features, so that each of them can be passed on to a feature of its own.

    Args:
        probe, draw: the probe and the random numbers of the rubric line.
        options: arguments of the layer's constructor besides the sizes.
    """

    def __init__(self, probe: Probe, draw: Draw, **options: Any) -> None:
        self.sizes = probe.once("sizes", lambda: Sizes(draw.integer(11, 13), 1, draw.integer(6, 8)))
        batch, seq_len = probe.once("lengths", lambda: draw.distinct(2, 2, 5))
        self.x = draw.normal(batch, seq_len, self.sizes.d_model)
        self.layer = probe.once(("layer", *options.items()), lambda: self._made(probe, options))

    def _made(self, probe: Probe, options: Mapping[str, Any]) -> Layer:
        layer = probe.layer("FeedForward", ff_dim=self.sizes.ff_dim, d_model=self.sizes.d_model, **options)
        self.ask(layer)
        return told_apart(layer, self.sizes, ALONE)

    def ask(self, layer: Layer, **options: Any) -> Array:
        """Return a layer's answer, once its shape is right."""
        return expect_shape(layer(self.x, **options), self.x.shape, TOKENS)

    def assign(self, draw: Draw) -> None:
        """Give every weight a random value."""
        weights = self.layer.weights()
        self.values = drawn_values(draw, weights, self.sizes)
        self.layer.assign(self.values)
        self.readings = list(all_readings(parts_of(weights, self.sizes), self.values, ALONE))
        expect_that(bool(self.readings), NO_FEED_FORWARD)

    def pass_units_on(self, draw: Draw) -> tuple[dict[str, Array], float]:
        """Give the weights values that pass each hidden unit on to a feature of its own, and an input above 0.

        The features that no hidden unit is passed on to show the second bias alone.

        Returns:
            path -> value, and the second bias.
        """
        d_model, ff_dim = self.sizes.d_model, self.sizes.ff_dim
        weights = self.layer.weights()
        shapes = {weight.path: weight.shape for weight in weights}
        parts = parts_of(weights, self.sizes)
        expect_that(bool(parts.inner and parts.outer), NO_FEED_FORWARD)
        self.x = draw.uniform(0.5, 1.5, 48, 9, d_model)
        into, out_of = draw.uniform(0.2, 1, d_model, ff_dim), np.eye(ff_dim, d_model)
        values, bias = dict[str, Array](), 0.0
        for _, network in feed_forwards(parts):
            inner, outer = network["inner"], network["outer"]
            values = {
                inner.kernel: into.T if inner.transposed else into,
                outer.kernel: out_of.T if outer.transposed else out_of,
                **({inner.bias: np.zeros(ff_dim)} if inner.bias else {}),
                **({outer.bias: np.ones(d_model)} if outer.bias else {}),
            }
            values = {path: value.reshape(shapes[path]) for path, value in values.items()}
            bias = 1.0 if outer.bias else 0.0
            self.layer.assign(values)
            if _is_passed_on(self.ask(self.layer, training=False) - bias, ff_dim):
                break
        return values, bias


NO_FEED_FORWARD = Text(
    "There are no two dense layers with kernels (d_model, ff_dim) and (ff_dim, d_model).",
    "커널(kernel)이 (d_model, ff_dim)인 것과 (ff_dim, d_model)인 것, 두 완전 연결 계층을 찾을 수 없습니다.",
)


def test_ff_builds(probe: Probe, draw: Draw) -> None:
    FeedForwardCase(probe, draw, dropout=0.0)


def test_ff_weights(probe: Probe, draw: Draw) -> None:
    case = FeedForwardCase(probe, draw, dropout=0.0)
    d_model, ff_dim = case.sizes.d_model, case.sizes.ff_dim
    parts = parts_of(case.layer.weights(), case.sizes)
    expect_that(bool(parts.inner and parts.outer), NO_FEED_FORWARD)
    biased = parts.inner[0].bias is not None and parts.outer[0].bias is not None
    expect_that(biased, Text("A dense layer has no bias.", "편향이 없는 완전 연결 계층이 있습니다."))
    text = Text(
        "The layer has more weights than two dense layers.",
        "계층에 완전 연결 계층 두 개보다 많은 가중치가 있습니다.",
    )
    expect_that(number_of_parameters(case.layer.weights()) == 2 * d_model * ff_dim + ff_dim + d_model, text)
    text = Text(
        "`FeedForward(ff_dim, d_model)` without the arguments' names is another layer: ff_dim comes first.",
        "인수의 이름 없이 `FeedForward(ff_dim, d_model)`로 만들면 다른 계층이 됩니다. ff_dim이 먼저입니다.",
    )
    shape = shape_of(probe.layer("FeedForward", ff_dim, d_model, 0.0)(case.x))
    expect_that(shape is not None and shape[-1:] == (d_model,), text)


def number_of_parameters(weights: Iterable[Weight]) -> int:
    """Return how many numbers some weights hold."""
    return sum(int(np.prod(weight.shape)) for weight in weights)


def test_ff_values(probe: Probe, draw: Draw) -> None:
    case = FeedForwardCase(probe, draw, dropout=0.0)
    case.assign(draw)
    case.x = np.concatenate([case.x, 20.0 * case.x, -20.0 * case.x])  # a ReLU has no upper end
    answer = case.ask(case.layer)
    first, *others = (oracle.feed_forward(case.x, weights) for weights in case.readings)
    if not any(near(answer, other) for other in others):
        expect_close(answer, first, OUTPUT, TOKENS)


def test_ff_dropout_inference(probe: Probe, draw: Draw) -> None:
    case = FeedForwardCase(probe, draw, dropout=RATE)
    case.assign(draw)
    case.x = draw.normal(24, 9, case.sizes.d_model)  # in so many tokens some hidden unit is above 0
    expect_drops_in_training_only(functools.partial(case.ask, case.layer))


def test_ff_dropout_place(probe: Probe, draw: Draw) -> None:
    case = FeedForwardCase(probe, draw, dropout=RATE)
    ff_dim = case.sizes.ff_dim
    values, bias = case.pass_units_on(draw)
    quiet = case.ask(case.layer, training=False) - bias
    text = Text(
        "Without training the output isn't that of two dense layers, so where the dropout stands can't be seen.",
        "학습이 아닐 때의 출력이 두 완전 연결 계층의 출력과 달라서 드롭아웃이 어디에 있는지 확인할 수 없습니다.",
    )
    expect_that(_is_passed_on(quiet, ff_dim), text)
    loud, again = (case.ask(case.layer, training=True) - bias for _ in range(2))
    text = Text(
        "What comes out of the second dense layer is dropped. The dropout stands between the two.",
        "둘째 완전 연결 계층에서 나온 값에 드롭아웃이 적용됩니다. 드롭아웃은 두 계층 사이에 있어야 합니다.",
    )
    expect_that(np.allclose(loud[..., ff_dim:], 0, atol=1e-4), text)
    units = loud[..., :ff_dim] / quiet[..., :ff_dim]
    _expect_units_to_drop(units)
    text = Text(
        "Each call in training drops the same hidden units. Which ones is a matter of chance, each time anew.",
        "학습할 때 호출마다 같은 은닉 유닛에 드롭아웃이 적용됩니다. 어느 유닛인지는 매번 새로 무작위로 정해야 합니다.",
    )
    expect_that(not np.allclose(loud, again, atol=1e-5), text)
    _expect_independent_draws(np.abs(units) < 1e-4)
    _expect_units_rate(units)
    without = FeedForwardCase(probe, draw, dropout=0.0)
    without.assign(draw)
    expect_unchanged(without.ask(without.layer), without.ask(without.layer, training=True), DROPS_AT_RATE_0)
    usual = FeedForwardCase(probe, draw).layer
    usual.assign(values)
    share = float((np.abs(case.ask(usual, training=True)[..., :ff_dim] - bias) < 1e-4).mean())
    text = Text("Without `dropout` its rate is not 0.1.", "`dropout`을 주지 않았을 때의 비율이 0.1이 아닙니다.")
    expect_that(abs(share - 0.1) < 0.04, text)


def _is_passed_on(output: Array, ff_dim: int) -> bool:
    """Return whether the first `ff_dim` features are all above 0 and the others are 0, as `pass_units_on` has it."""
    return np.allclose(output[..., ff_dim:], 0, atol=1e-4) and bool((output[..., :ff_dim] > 1e-3).all())


def _expect_units_to_drop(units: Array) -> None:
    """Miss unless some of the hidden units are 0 in training and the others are all multiplied by the same."""
    dropped = np.abs(units) < 1e-4
    # all kernels and inputs are positive: without some of the inputs a unit stays within these bounds
    if (units > -1e-4).all() and (units < 1 / (1 - RATE) + 1e-3).all():
        en, ko = "The inputs are dropped, not the hidden units.", "은닉 유닛이 아니라 입력에 드롭아웃이 적용됩니다."
    else:
        en, ko = "It isn't the hidden units that are dropped.", "드롭아웃이 적용되는 것이 은닉 유닛이 아닙니다."
    place = Text(
        "The dropout stands between the two dense layers.", "드롭아웃은 두 완전 연결 계층 사이에 있어야 합니다."
    )
    text = Text(en, ko) + place
    expect_that(dropped.any(), text)
    nothing_left = Text(
        "In training nothing is left of the hidden units.", "학습할 때 남는 은닉 유닛이 하나도 없습니다."
    )
    expect_that(not dropped.all(), nothing_left)
    if (units > 1 / (1 - RATE) + 1e-3).any() and dropped.mean() > 0.05:
        text = (
            Text(
                "Beside the hidden units something else is dropped, such as what goes into the first dense layer.",
                "은닉 유닛 말고도 첫째 완전 연결 계층의 입력 같은 다른 것에도 드롭아웃이 적용됩니다.",
            )
            + place
        )
    expect_that(np.ptp(units[~dropped]) < 1e-3, text)


def _expect_independent_draws(dropped: NDArray[np.bool_]) -> None:
    """Miss if hidden units are dropped for all tokens at once, or all units of a token; (batch, seq_len, ff_dim)."""
    text = Text(
        "A hidden unit is dropped for all tokens at once. For each token it is a matter of chance anew.",
        "은닉 유닛 하나가 모든 토큰에서 한꺼번에 0이 됩니다. 토큰마다 새로 무작위로 정해야 합니다.",
    )
    expect_that(max(share_together(dropped, axis) for axis in (0, 1)) < 0.5, text)
    text = Text(
        "The hidden units of a token are dropped all at once or not at all. Each is a matter of chance by itself.",
        "한 토큰의 은닉 유닛이 모두 함께 0이 되거나 모두 남습니다. 유닛마다 따로 무작위로 정해야 합니다.",
    )
    expect_that(share_together(dropped, -1) < 0.5, text)


def _expect_units_rate(units: Array) -> None:
    """Miss unless the share of dropped units is `RATE`, and what is kept is divided by what is left."""
    dropped = np.abs(units) < 1e-4
    share = float(dropped.mean())  # of at least 2592 units: a standard deviation is below 0.01
    more, fewer = (
        Text(
            f"The share of hidden units that are dropped is {en} than the rate that was given.",
            f"0이 되는 은닉 유닛의 비율이 주어진 비율보다 {ko}.",
        )
        for en, ko in (("higher", "높습니다"), ("lower", "낮습니다"))
    )
    expect_that(share < RATE + 0.06, more)
    expect_that(share > RATE - 0.06, fewer)
    text = Text(
        "The hidden units that are kept should be divided by 1 - dropout.",
        "남은 은닉 유닛은 1 - dropout으로 나누어야 합니다.",
    )
    expect_that(abs(float(units[~dropped].mean()) * (1 - RATE) - 1) < 1e-3, text)


def test_ff_config(probe: Probe, draw: Draw) -> None:
    case = FeedForwardCase(probe, draw, dropout=0.0)
    case.assign(draw)
    expect_same_from_config(case.layer, case.values, case.x)
