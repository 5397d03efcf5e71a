"""Hidden grader of 05-encoder-decoder-blocks.

Every weight of a block gets a random value, and its answer is compared under every reading of the weights (`_matching`), so
that neither names nor the order of creation count. Masks, memory and dropout are judged by what changes what, whatever the
values are. Except in the lines about them, layers have a dropout of 0 and either of two epsilons is right.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.base.errors import AnswerError
from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
    Layer,
    Miss,
    Probe,
    Weight,
    expect_changed,
    expect_close,
    expect_number,
    expect_raises_value_error,
    expect_shape,
    expect_that,
    expect_unchanged,
    expect_whole_number,
    is_close,
    shape_of,
)

from .._shared.influence import moves
from .._shared.layer_lines import (
    DROPS_AT_RATE_0,
    expect_drops_in_training_only,
    expect_same_from_config,
    share_together,
)
from . import reference as oracle
from .block_cases import (
    EPSILONS,
    TOKENS,
    Block,
    expect_block,
    is_right,
    missing_parts,
    near,
)
from .stacked_weights import told_apart
from .weight_roles import (
    Roles,
    Sizes,
    all_readings,
    drawn_values,
    feed_forwards,
    parts_of,
)

MORE_WEIGHTS = 2
RATE = 0.35
OUTPUT = Text("the output", "출력")
NETWORK = Text("the feed-forward network", "피드포워드 신경망")
ALONE = Roles((), ())  # of a feed-forward network by itself
SHAPE_OF_X = Text("the shape of x", "x의 모양")


# ---------------------------------------------------------------------------------------------------------- layer-norm


def _token_sizes(draw: Draw) -> tuple[int, int, int]:
    """Return batch, seq_len and features, all different; of few features different wrong divisors are alike."""
    batch, seq_len = draw.distinct(2, 2, 4)
    return batch, seq_len, draw.integer(5, 8)


def _vectors(draw: Draw, features: int) -> tuple[Array, Array]:
    return draw.uniform(0.4, 1.6, features) * np.where(np.arange(features) % 3 == 1, -1, 1), draw.normal(features)


def _plain(probe: Probe, x: Array, **options: float) -> Array:
    """Return the student's normalisation of x with gamma 1 and beta 0."""
    features = x.shape[-1]
    answer = probe.call("layer_norm", x, np.ones(features), np.zeros(features), **options)
    return expect_shape(answer, x.shape, SHAPE_OF_X)


def _right_plain(x: Array, epsilon: float = 1e-6) -> Array:
    """Return the right normalisation of x with gamma 1 and beta 0."""
    features = x.shape[-1]
    return oracle.layer_norm(x, np.ones(features), np.zeros(features), epsilon)


def test_norm_shape(probe: Probe, draw: Draw) -> None:
    batch, seq_len, features = _token_sizes(draw)
    _plain(probe, draw.normal(batch, seq_len, features))


def test_norm_values(probe: Probe, draw: Draw) -> None:
    batch, seq_len, features = _token_sizes(draw)
    # every token has a size and a place of its own
    x = draw.normal(batch, seq_len, features) * draw.uniform(0.5, 3, batch, seq_len, 1) + draw.normal(batch, seq_len, 1)
    answer = _plain(probe, x, epsilon=1e-6)  # which epsilon is the default is asked by `norm-epsilon`
    expect_close(answer, _right_plain(x), Text("the normalised tokens", "정규화한 토큰"), SHAPE_OF_X)


def test_norm_gamma_beta(probe: Probe, draw: Draw) -> None:
    batch, seq_len, features = _token_sizes(draw)
    x = draw.normal(batch, seq_len, features)
    gamma, beta = _vectors(draw, features)
    plain = _plain(probe, x)  # the student's own normalisation: what is wrong with that has cost `norm-values`
    answer = probe.call("layer_norm", x, gamma, beta)
    what = Text("the scaled and shifted tokens", "gamma를 곱하고 beta를 더한 토큰")
    expect_close(answer, gamma * plain + beta, what, SHAPE_OF_X)


def test_norm_epsilon(probe: Probe, draw: Draw) -> None:
    batch, seq_len, features = _token_sizes(draw)
    small = draw.normal(batch, seq_len, features, scale=2e-3)
    x = draw.normal(batch, seq_len, features)
    epsilon = float(draw.uniform(0.5, 2, 1)[0])
    what = Text("the tokens with a large epsilon", "epsilon이 클 때의 토큰")
    expect_close(_plain(probe, x, epsilon=epsilon), _right_plain(x, epsilon), what, SHAPE_OF_X)
    what = Text(
        "very small features, with the epsilon that is used when none is given",
        "epsilon을 주지 않았을 때 아주 작은 특징을 정규화한 결과",
    )
    expect_close(_plain(probe, small), _right_plain(small), what, SHAPE_OF_X, tolerance=2e-3)


def test_norm_constant_token(probe: Probe, draw: Draw) -> None:
    batch, seq_len, features = _token_sizes(draw)
    x = draw.normal(batch, seq_len, features)
    # a power of two: every sum is exact, so nothing but 0 is left of the deviations; a small one, for libraries that
    # multiply it in float32 by 1 / sqrt(epsilon) before they take the mean off
    x[1, 1] = draw.choice((-0.125, -0.0625, 0.0625, 0.125))
    gamma, beta = _vectors(draw, features)
    answer = expect_shape(probe.call("layer_norm", x, gamma, beta), x.shape, SHAPE_OF_X)
    text = Text(
        "A token whose features are all equal becomes NaN: epsilon keeps the division from being 0 / 0.",
        "특징이 모두 같은 토큰이 NaN이 됩니다. epsilon이 있으면 0 / 0이 되지 않습니다.",
    )
    expect_that(not np.isnan(answer[1, 1]).any(), text)
    without = probe.call("layer_norm", x, gamma, np.zeros(features))
    shift = answer[1, 1] - expect_shape(without, x.shape, SHAPE_OF_X)[1, 1]
    expect_close(
        shift,
        beta,
        Text("what beta adds to a token whose features are all equal", "특징이 모두 같은 토큰에 더해진 beta"),
    )
    usual = x.copy()
    usual[1, 1] = draw.normal(features)
    if is_close(probe.call("layer_norm", usual, gamma, beta), oracle.layer_norm(usual, gamma, beta)):
        expect_close(
            answer,
            oracle.layer_norm(x, gamma, beta),
            Text("the tokens beside one whose features are all equal", "특징이 모두 같은 토큰과 함께 있는 토큰들"),
            SHAPE_OF_X,
        )


def test_norm_leading_dimensions(probe: Probe, draw: Draw) -> None:
    sizes = [*draw.distinct(3, 2, 4), draw.integer(5, 8)]
    features = sizes[-1]
    gamma, beta = _vectors(draw, features)
    for axes in (1, 2, 4):
        x = draw.normal(*sizes[4 - axes :])
        expected = oracle.layer_norm(x, gamma, beta)
        what = Text(f"x of shape {x.shape}", f"모양이 {x.shape}인 x의 출력")
        expect_close(probe.call("layer_norm", x, gamma, beta, epsilon=1e-6), expected, what, SHAPE_OF_X)


# -------------------------------------------------------------------------------------------------------- feed-forward


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
    case.x[0] *= 20.0  # a ReLU has no upper end
    answer = case.ask(case.layer)
    first, *others = (oracle.feed_forward(case.x, weights) for weights in case.readings)
    if not any(near(answer, other) for other in others):
        expect_close(answer, first, OUTPUT, TOKENS)


def test_ff_dropout_inference(probe: Probe, draw: Draw) -> None:
    case = FeedForwardCase(probe, draw, dropout=RATE)
    case.assign(draw)
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


# -------------------------------------------------------------------------------------------------------------- blocks


def expect_weights(block: Block) -> None:
    """Miss unless the block has as many parameters as it should."""
    right = oracle.block_parameter_count(block.kind, block.sizes.d_model, block.sizes.num_heads, block.sizes.ff_dim)
    count = number_of_parameters(block.weights)
    if count == right and not (block.parts.inner and block.parts.outer and block.parts.attentions):
        raise Miss(missing_parts(block))
    expect_number(count, right, Text("the number of the block's parameters", "블록의 파라미터 수"), tolerance=0.0)


def moved_by(
    block: Block, draw: Draw, changing: int, seen: NDArray[np.bool_] | None = None, **masks: Any
) -> NDArray[np.bool_]:
    """Return which outputs move when a position of input number `changing` changes: booleans (output, position).

    Where a right block moves, `seen`, but this one doesn't, that is tried with other weights too: by chance little gets
    through.
    """
    moved = _moved(block, draw, changing, masks)
    for _ in range(MORE_WEIGHTS):
        if seen is None or moved[seen].all():
            break
        block.values = drawn_values(draw, block.weights, block.sizes)
        balanced(block)
        moved |= _moved(block, draw, changing, masks)
    return moved


def _moved(block: Block, draw: Draw, changing: int, masks: Mapping[str, Any]) -> NDArray[np.bool_]:
    x = block.inputs[changing][0]

    def ask(changed: Array) -> Array:
        inputs = [np.repeat(other[:1], len(changed), axis=0) for other in block.inputs]
        inputs[changing] = changed
        # a mask of four axes has a row for every sequence of the batch
        wide: dict[str, Any] = {
            name: np.repeat(m, len(changed), axis=0) if m.ndim == 4 else m for name, m in masks.items()
        }
        return block.ask(*inputs, **wide)

    return moves(ask, x, x + draw.normal(*x.shape, scale=1.5)) > 1e-5


def balanced(block: Block) -> None:
    """Make all kernels of attentions small: no attention weight is then so near 0 that nothing is seen through it."""
    for attention in block.parts.attentions:
        for dense in attention.dense:
            block.values.update({path: block.values[path] * 0.5 for path in dense.kernels})
    block.assign()


def masked(block: Block, name: str, mask: Array, *inputs: Array) -> Array:
    """Return the block's answer, to its own inputs or to others, under one mask."""
    options: dict[str, Any] = {name: mask}
    return block.ask(*inputs, **options)


def drawn_mask(draw: Draw, *shape: int) -> Array:
    """Draw a mask (..., query_len, key_len) whose rows hide and keep at least one key, beside the diagonal's."""
    mask = (draw.uniform(0, 1, *shape) < 0.5).astype(np.float64)
    rows, columns = shape[-2:]
    for row in range(rows):
        others = [column for column in range(columns) if column != row]
        hidden, kept = (others[i] for i in draw.distinct(2, 0, len(others) - 1))
        mask[..., row, hidden], mask[..., row, kept] = 1.0, 0.0
    return mask


def expect_mask(block: Block, draw: Draw, changing: int, name: str, mask: Array, words: str) -> None:
    """Miss unless exactly the keys that a mask keeps reach each query, apart from what goes through the residual.

    Args:
        block: the block that is asked.
        draw: the random numbers of the rubric line.
        changing: name of the input that holds the keys.
        name: name of the argument that takes the mask.
        mask: broadcasts to (query_len, key_len); passed in the shape that `words` tells.
        words: shape of the mask in words.
    """
    shape = block.inputs[0].shape[1], block.inputs[changing].shape[1]
    kept = np.broadcast_to(mask.reshape(mask.shape[-2:]), shape) < 0.5
    looked_at = ~np.eye(*shape, dtype=bool) if changing == 0 else np.ones(shape, bool)
    moved = moved_by(block, draw, changing, kept & looked_at, **{name: mask})
    if block.norm_first:
        text = Text(f"Under a {name} of shape {words}", f"모양이 {words}인 {name}을(를) 쓰면")
    else:
        text = Text(
            f"Under a {name} of shape {words}, with norm_first=False,",
            f"norm_first=False일 때 모양이 {words}인 {name}을(를) 쓰면",
        )
    wrong = Text("the wrong tokens are hidden: 1 hides, 0 keeps.", "엉뚱한 토큰이 가려집니다. 1은 가리고 0은 남깁니다.")
    lost = Text(
        "a token that is kept doesn't change every output that may attend to it.",
        "남은 토큰이, 그 토큰에 어텐션을 할 수 있는 출력을 모두 바꾸지는 않습니다.",
    )
    leaks = bool(moved[~kept & looked_at].any())
    expect_that(moved[kept & looked_at].all(), text + (wrong if leaks else lost))
    expect_that(not leaks, text + Text("a hidden token changes the output.", "가려진 토큰이 출력을 바꿉니다."))


def expect_mask_in_post_norm(probe: Probe, draw: Draw, kind: str, changing: int, name: str, words: str) -> None:
    """Miss if a mask hides other keys with norm_first=False; `encoder-post-norm` and `decoder-post-norm` ask the rest."""
    try:
        block = Block(probe, draw, kind, norm_first=False)
    except (AnswerError, Miss):
        return
    balanced(block)
    mask = drawn_mask(draw, block.seq_len, block.inputs[changing].shape[1])
    expect_mask(block, draw, changing, name, mask, words)
    expect_mask(block, draw, changing, name, mask[None, None], f"(batch, 1, {words[1:]}")


def expect_both_masks(block: Block, draw: Draw) -> None:
    """Miss unless both masks of a decoder block hide what they should when they are given together."""
    own, other = (drawn_mask(draw, block.seq_len, x.shape[1]) for x in block.inputs)
    leaks = moved_by(block, draw, 0, self_mask=own, memory_mask=other) & (own > 0.5)
    if leaks.any():  # what leaks without a memory_mask too costs `decoder-self-mask`
        leaks &= ~moved_by(block, draw, 0, self_mask=own)
    on_memory = moved_by(block, draw, 1, other < 0.5, self_mask=own, memory_mask=other) == (other < 0.5)
    text = Text(
        "Given together with self_mask, memory_mask hides something else than alone.",
        "self_mask와 함께 주면 memory_mask가 혼자 있을 때와 다른 것을 가립니다.",
    )
    expect_that(on_memory.all(), text)
    text = Text(
        "Given together with memory_mask, self_mask hides something else than alone.",
        "memory_mask와 함께 주면 self_mask가 혼자 있을 때와 다른 것을 가립니다.",
    )
    expect_that(not leaks[~np.eye(len(leaks), dtype=bool)].any(), text)


def expect_dropout(probe: Probe, draw: Draw, kind: str) -> None:
    """Miss unless a block drops in training only, and nothing with a rate of 0."""
    block = Block(probe, draw, kind, dropout=0.5)
    block.assign()
    expect_drops_in_training_only(block.ask)
    without = Block(probe, draw, kind)
    without.assign()
    expect_unchanged(without.ask(training=False), without.ask(training=True), DROPS_AT_RATE_0)
    try:
        post = Block(probe, draw, kind, norm_first=False, dropout=0.5)
    except (AnswerError, Miss):
        return  # what is wrong there costs `encoder-post-norm` or `decoder-post-norm`
    post.assign()
    text = Text(
        "With norm_first=False, training=True changes nothing: there is no dropout.",
        "norm_first=False일 때 training=True여도 달라지는 것이 없습니다. 드롭아웃이 없습니다.",
    )
    expect_changed(post.ask(training=False), post.ask(training=True), text)
    usual = with_default_rate(block)
    text = Text(
        "Without `dropout` nothing is dropped in training. Its default is 0.1.",
        "`dropout`을 주지 않으면 학습할 때 드롭아웃이 작동하지 않습니다. 기본값은 0.1입니다.",
    )
    expect_changed(block.ask(layer=usual), block.ask(layer=usual, training=True), text)


def with_default_rate(block: Block, silent: Collection[str] = ()) -> Layer:
    """Return a block like another one, weights included, but made without a rate of dropout; silent weights are 0."""

    def make() -> Layer:
        layer = block.probe.layer(f"{block.kind.capitalize()}Block", *block.numbers().values())
        block.ask(layer=layer)
        return told_apart(layer, block.sizes, block.roles)

    usual = block.probe.once((block.kind, "usual"), make)
    usual.assign(block.with_zeros(silent))
    return usual


def expect_dropout_places(probe: Probe, draw: Draw, kind: str) -> None:
    """Miss unless a block with right values drops on the way of every sublayer, and never on the residual's."""
    block = Block(probe, draw, kind, dropout=0.5)
    _expect_dropout_on(block)
    try:
        block = Block(probe, draw, kind, norm_first=False, dropout=0.5)
    except (AnswerError, Miss):
        return  # what is wrong there costs `encoder-post-norm` or `decoder-post-norm`
    _expect_dropout_in_post_norm(block)


def _expect_dropout_in_post_norm(block: Block) -> None:
    """Miss if a post-norm block drops the residual, or nothing of what one of its sublayers adds."""
    *attentions, network = block.sublayers()
    everything = network.union(*attentions)
    copies = [np.repeat(x[:1], 20, axis=0) for x in block.inputs]

    def answers(heard: Collection[str]) -> tuple[Array, Array]:
        block.assign(everything - set(heard))
        return block.ask(*copies, training=False), block.ask(*copies, training=True)

    text = Text(
        "With norm_first=False the residual itself is dropped in training. Dropout belongs on what a sublayer adds.",
        "norm_first=False이면 학습할 때 잔차 자체에 드롭아웃이 적용됩니다. 드롭아웃은 하위 계층이 더하는 것에 적용해야 합니다.",
    )
    expect_unchanged(*answers(()), text)
    text = Text(
        "With norm_first=False nothing is dropped of what one of the sublayers adds.",
        "norm_first=False이면 더하는 것에 드롭아웃이 적용되지 않는 하위 계층이 있습니다.",
    )
    last_biases = {path for dense in block.parts.outer for path in dense.biases}
    for heard in filter(None, (*attentions, last_biases)):
        expect_changed(*answers(heard), text)


def _expect_dropout_on(block: Block) -> None:
    """Miss if a pre-norm block drops the residual, or doesn't drop on the way of a sublayer as it should."""
    *attentions, network = block.sublayers()
    attention = set().union(*attentions)
    copies = [np.repeat(x[:1], 200, axis=0) for x in block.inputs]

    def training(silent: Collection[str]) -> tuple[Array, Array]:
        """Return the one answer outside training and many in training, with some of the weights set to 0."""
        block.assign(silent)
        return block.ask(*(x[:1] for x in block.inputs), training=False), block.ask(*copies, training=True)

    residual, loud = training(attention | network)
    text = Text(
        "In training the residual itself is dropped. Dropout belongs on what a sublayer adds.",
        "학습할 때 잔차 자체에 드롭아웃이 적용됩니다. 드롭아웃은 하위 계층이 더하는 것에 적용해야 합니다.",
    )
    expect_unchanged(residual, loud, text)
    quiet, loud = training(network)
    expect_changed(quiet, loud, _nothing_is_dropped("attention", "어텐션"))
    if block.kind == "encoder":  # one attention is linear in what is dropped, two in a row are not
        _expect_same_mean(quiet, loud, residual, Text("the attention", "어텐션"))
        _expect_rate(loud - residual, Text("what the attention adds", "어텐션이 더하는 것"))
    quiet, loud = training(attention)
    expect_changed(quiet, loud, _nothing_is_dropped("feed-forward network", "피드포워드 신경망"))
    _expect_same_mean(quiet, loud, residual, NETWORK)
    _expect_network_dropouts(quiet - residual, loud - residual)
    _expect_chance(loud - residual, block.ask(*copies, training=True) - residual)
    usual = with_default_rate(block, attention)
    _expect_default_rate(block.ask(*copies, layer=usual, training=True) - residual, loud - residual)
    for heard in attentions if len(attentions) > 1 else ():
        text = Text(
            "Nothing is dropped on the way of one of the attentions: each of the sublayers has a dropout.",
            "드롭아웃이 적용되지 않는 어텐션이 있습니다. 하위 계층마다 드롭아웃이 있어야 합니다.",
        )
        expect_changed(*training((attention | network) - heard), text)


def _nothing_is_dropped(en: str, ko: str) -> Text:
    return Text(f"Nothing is dropped on the way of the {en}.", f"{ko}이 더하는 것에 드롭아웃이 적용되지 않습니다.")


def _expect_same_mean(quiet: Array, loud: Array, residual: Array, what: Text) -> None:
    """Miss if many answers in training have another mean than the one outside training.

    Args:
        quiet: (1, seq_len, d_model), the answer outside training.
        loud: (calls, seq_len, d_model), answers in training to the same input.
        residual: (1, seq_len, d_model), the answer where no sublayer adds anything.
        what: the one sublayer that adds something.
    """
    error = np.abs(loud.mean(axis=0) - quiet[0])
    bound = 6.5 * loud.std(axis=0) / np.sqrt(len(loud)) + 1e-3
    text = Text(
        f"Dropout changes the mean of what {what.en} adds: what is kept is divided by 1 - dropout.",
        f"드롭아웃 때문에 {what.ko}이 더하는 것의 평균이 달라집니다. 남은 값은 1 - dropout으로 나누어야 합니다.",
    )
    if (np.abs(loud - residual) < 1e-6).mean() < 0.02:
        text = _input_is_dropped(what)
    expect_that((error <= bound).all(), text)


def _input_is_dropped(what: Text) -> Text:
    return Text(
        f"What goes into {what.en} is dropped, and what it adds is not. Dropout belongs on what a sublayer adds.",
        f"{what.ko}이 더하는 것이 아니라 그 입력에 드롭아웃이 적용됩니다. 드롭아웃은 하위 계층이 더하는 것에 적용해야 합니다.",
    )


def _expect_default_rate(by_default: Array, at_half: Array) -> None:
    """Miss unless what the feed-forward network adds is dropped at 0.1 where no rate is given.

    Args:
        by_default: what the network adds in many calls in training where no rate is given.
        at_half: what the network adds in many calls in training at a rate of 0.5: one dropout leaves a half, two leave a quarter.
    """
    left, left_at_half = (float((np.abs(added) >= 1e-6).mean()) for added in (by_default, at_half))
    dropouts = round(-np.log2(max(left_at_half, 0.1)))
    text = Text("Without `dropout` its rate is not 0.1.", "`dropout`을 주지 않았을 때의 비율이 0.1이 아닙니다.")
    expect_that(abs(left - 0.9**dropouts) < 0.04, text)  # of at least 3600 numbers: a standard deviation is below 0.007


def _expect_rate(added: Array, what: Text) -> None:
    """Miss if a sublayer's sum is itself dropped, but seldom: of 0.5 the share of zeros is rarely 0.02 off."""
    share = float((np.abs(added) < 1e-6).mean())
    text = Text(
        f"In training {what.en} is dropped more seldom than the rate that was given.",
        f"학습할 때 {what.ko}에 드롭아웃이 주어진 비율보다 드물게 적용됩니다.",
    )
    expect_that(not 0.02 < share < 0.4, text)


def _expect_network_dropouts(outside: Array, added: Array) -> None:
    """Miss unless what the feed-forward network adds in many calls is itself dropped, and its hidden units too.

    Dropout on the hidden units alone never leaves exactly 0, and leaves the mean as it is, which that on the network's input
    moves; that on the sum alone leaves 0 or always the same number. Of attention only some dropout is asked for: widely read
    code drops its weights instead of what it adds.

    Args:
        outside: (1, seq_len, d_model), what the network adds outside training.
        added: (calls, seq_len, d_model), what it adds in many calls in training.
    """
    nothing = np.abs(added) < 1e-6
    text = Text(
        "What the feed-forward network adds is not dropped itself: a dropout belongs behind it, whatever is dropped inside.",
        "피드포워드 신경망이 더하는 것 자체에 드롭아웃이 적용되지 않습니다. 안에서 무엇을 하든 그 뒤에 드롭아웃이 있어야 합니다.",
    )
    deviations = (added.mean(axis=0) - outside[0]) / (added.std(axis=0) / np.sqrt(len(added)) + 1e-6)
    if np.square(deviations).mean() > 3:  # 1 is expected where the mean stays: of over 30 numbers, rarely above 2
        text = _input_is_dropped(NETWORK)
    expect_that(nothing.mean() > 0.02, text)
    _expect_rate(added, Text("what the feed-forward network adds", "피드포워드 신경망이 더하는 것"))
    kept = np.ma.masked_array(added, nothing)
    text = Text(
        "Inside the feed-forward network nothing is dropped: a dropout stands between its two dense layers too.",
        "피드포워드 신경망 안에서는 드롭아웃이 작동하지 않습니다. 두 완전 연결 계층 사이에도 드롭아웃이 있어야 합니다.",
    )
    expect_that(float(kept.std(axis=0).max()) > 1e-3, text)


def _expect_chance(added: Array, again: Array) -> None:
    """Miss if chance doesn't decide of each number that the feed-forward network adds, and anew in each call.

    Args:
        added: (calls, seq_len, d_model), what the network adds in many calls in training.
        again: (calls, seq_len, d_model), what it adds to the same inputs in another call.
    """
    dropped, dropped_again = (np.abs(numbers) < 1e-6 for numbers in (added, again))
    for axis, (en, ko) in enumerate(
        (
            ("for all sequences of a batch", "배치의 모든 시퀀스에서"),
            ("for all tokens of a sequence", "시퀀스의 모든 토큰에서"),
            ("for all features of a token", "토큰의 모든 특성에서"),
        )
    ):
        text = Text(
            f"What the feed-forward network adds is dropped {en} at once. Each number is a matter of chance by itself.",
            f"피드포워드 신경망이 더하는 것이 {ko} 한꺼번에 0이 됩니다. 값마다 따로 무작위로 정해야 합니다.",
        )
        expect_that(share_together(dropped, axis) < 0.5, text)
    text = Text(
        "Each call in training drops the same of what the feed-forward network adds. What is dropped is a matter of chance, "
        "each time anew.",
        "학습할 때 피드포워드 신경망이 더하는 것 가운데 호출마다 같은 값이 0이 됩니다. 어느 값인지는 매번 새로 무작위로 정해야 합니다.",
    )
    expect_that(bool((dropped != dropped_again).any()), text)


def expect_config(probe: Probe, draw: Draw, kind: str) -> None:
    """Miss unless a block's copy from its config is the same block."""
    block = Block(probe, draw, kind, norm_first=False)
    block.assign()
    expect_same_from_config(block.layer, block.values, *block.inputs)


def expect_bad_heads(probe: Probe, draw: Draw, name: str) -> None:
    """Miss unless the block's constructor refuses a number of heads that doesn't divide d_model."""
    for d_model, num_heads in undivided(draw):
        make = functools.partial(probe.layer, name, d_model=d_model, num_heads=num_heads, ff_dim=7)
        expect_raises_value_error(make, ["num_heads", "d_model"], [num_heads, d_model], names_all=True)


def undivided(draw: Draw) -> list[tuple[int, int]]:
    """Return (d_model, num_heads) that don't go together, with an odd and an even d_model."""
    num_heads = draw.integer(3, 6)
    wrong = [n for n in range(2 * num_heads, 6 * num_heads) if n % num_heads]
    over = draw.integer(2, 5) * num_heads + 1
    return [*((draw.choice([n for n in wrong if n % 2 == odd]), num_heads) for odd in (1, 0)), (over, num_heads)]


# ------------------------------------------------------------------------------------------------------- encoder-block


def test_encoder_builds(probe: Probe, draw: Draw) -> None:
    Block(probe, draw, "encoder")


def test_encoder_weights(probe: Probe, draw: Draw) -> None:
    expect_weights(Block(probe, draw, "encoder"))


def test_encoder_one_token(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "encoder", one_token=True)
    block.assign()
    expect_block(block, block.ask(), Text("the output for one token", "토큰이 하나일 때의 출력"))


def test_encoder_values(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "encoder")
    block.assign()
    expect_block(block, block.ask(), OUTPUT)


def test_encoder_post_norm(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "encoder", norm_first=False)
    block.assign()
    expect_block(block, block.ask(), Text("the output with norm_first=False", "norm_first=False일 때의 출력"))


def test_encoder_epsilon(probe: Probe, draw: Draw) -> None:
    expect_epsilon(probe, draw, "encoder")


def expect_epsilon(probe: Probe, draw: Draw, kind: str) -> None:
    """Miss unless a block is right for small features, where epsilon counts, in each of its normalisations."""
    block = Block(probe, draw, kind, one_token=True, scale=0.3)
    block.assign()
    expect_block(block, block.ask(), SMALL_FEATURES, (oracle.EPSILON,))
    for heard in block.sublayers():  # then the normalisation before it gets what the block gets
        usual, small = Block(probe, draw, kind), Block(probe, draw, kind, scale=0.01)
        small.values = usual.values
        silent = set().union(*block.sublayers()) - heard
        usual.assign(silent)
        if is_right(usual, usual.ask(), EPSILONS):  # else it costs the line about the values
            small.assign(silent)
            expect_block(small, small.ask(), SMALL_FEATURES, (oracle.EPSILON,))


SMALL_FEATURES = Text("the output for small features", "특징이 작을 때의 출력")


def test_encoder_mask(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "encoder")
    balanced(block)
    mask = drawn_mask(draw, block.seq_len, block.seq_len)
    expect_mask(block, draw, 0, "mask", mask, "(seq_len, seq_len)")


def test_encoder_mask_broadcast(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "encoder")
    balanced(block)
    expect_broadcast(block, draw, 0, "mask", ("seq_len", "seq_len"))
    expect_mask_in_post_norm(probe, draw, "encoder", 0, "mask", "(seq_len, seq_len)")


def expect_broadcast(block: Block, draw: Draw, changing: int, name: str, words: tuple[str, str]) -> None:
    """Miss unless masks of four axes do the same as their (query_len, key_len), each sequence having its own."""
    query_len, key_len = block.inputs[0].shape[1], block.inputs[changing].shape[1]
    columns = np.zeros((1, 1, 1, key_len))
    hidden = draw.distinct(2, 0, key_len - 1)
    columns[..., hidden] = 1.0
    four = drawn_mask(draw, 1, 1, query_len, key_len)
    for mask, shape in ((columns, f"(batch, 1, 1, {words[1]})"), (four, f"(batch, 1, {words[0]}, {words[1]})")):
        expect_mask(block, draw, changing, name, mask, shape)
    # two sequences alike but for their masks
    inputs = [np.repeat(x[:1], 2, axis=0) for x in block.inputs]
    other = columns.copy()
    other[..., hidden], other[..., [n for n in range(key_len) if n not in hidden][:1]] = 0.0, 1.0
    both = masked(block, name, np.concatenate([columns, other]), *inputs)
    alone = [masked(block, name, mask, *(x[:1] for x in inputs)) for mask in (columns, other)]
    text = Text(
        "A sequence gives something else in a batch of two masks than alone: each has its own mask.",
        "마스크가 다른 두 시퀀스를 한 배치에 넣으면 따로 넣을 때와 결과가 다릅니다. 시퀀스마다 자기 마스크를 써야 합니다.",
    )
    expect_that(np.allclose(both, np.concatenate(alone), atol=1e-4), text)


def test_encoder_dropout(probe: Probe, draw: Draw) -> None:
    expect_dropout(probe, draw, "encoder")


def test_encoder_dropout_places(probe: Probe, draw: Draw) -> None:
    expect_dropout_places(probe, draw, "encoder")


def test_encoder_config(probe: Probe, draw: Draw) -> None:
    expect_config(probe, draw, "encoder")


def test_encoder_bad_heads(probe: Probe, draw: Draw) -> None:
    expect_bad_heads(probe, draw, "EncoderBlock")


# ------------------------------------------------------------------------------------------------------- decoder-block


def test_decoder_builds(probe: Probe, draw: Draw) -> None:
    Block(probe, draw, "decoder")


def test_decoder_weights(probe: Probe, draw: Draw) -> None:
    expect_weights(Block(probe, draw, "decoder"))


def test_decoder_memory(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "decoder")
    balanced(block)
    off = ~np.eye(block.seq_len, dtype=bool)
    on_memory = moved_by(block, draw, 1, np.ones((block.seq_len, block.memory_len), bool))
    on_target = moved_by(block, draw, 0, off)
    text = Text(
        "The output doesn't depend on every token of the memory.", "출력에 영향을 주지 않는 메모리 토큰이 있습니다."
    )
    expect_that(on_memory.all(), text)
    target, memory = block.inputs
    block.inputs[1] = block.tokens(draw, draw.integer(12, 15))
    on_long = moved_by(block, draw, 1, np.ones((block.seq_len, block.inputs[1].shape[1]), bool))
    block.inputs[1] = memory
    long = Text(
        "The output doesn't depend on every token of a longer memory.",
        "메모리가 더 길면 출력에 영향을 주지 않는 메모리 토큰이 있습니다.",
    )
    expect_that(on_long.all(), long)
    other = Text(
        "Another memory gives the same output: does the block keep the first one?",
        "메모리가 바뀌어도 출력이 같습니다. 블록이 처음 받은 메모리를 계속 쓰나요?",
    )
    expect_changed(block.ask(), block.ask(target, block.tokens(draw, block.memory_len)), other)
    text = Text(
        "Without a mask, an output doesn't depend on every token of the target: where is the self-attention?",
        "마스크가 없는데도 어떤 타깃 토큰은 다른 위치의 출력에 영향을 주지 않습니다. 셀프 어텐션이 있나요?",
    )
    expect_that(on_target[off].all(), text)


def test_decoder_one_token(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "decoder", one_token=True)
    block.assign()
    expect_block(block, block.ask(), Text("the output for one token", "토큰이 하나일 때의 출력"))


def test_decoder_values(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "decoder")
    block.assign()
    expect_block(block, block.ask(), OUTPUT)


def test_decoder_post_norm(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "decoder", norm_first=False)
    block.assign()
    expect_block(block, block.ask(), Text("the output with norm_first=False", "norm_first=False일 때의 출력"))


def test_decoder_epsilon(probe: Probe, draw: Draw) -> None:
    expect_epsilon(probe, draw, "decoder")


def test_decoder_self_mask(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "decoder")
    balanced(block)
    mask = drawn_mask(draw, block.seq_len, block.seq_len)
    expect_mask(block, draw, 0, "self_mask", mask, "(target_len, target_len)")
    expect_broadcast(block, draw, 0, "self_mask", ("target_len", "target_len"))
    expect_mask_in_post_norm(probe, draw, "decoder", 0, "self_mask", "(target_len, target_len)")


def test_decoder_memory_mask(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "decoder")
    balanced(block)
    mask = drawn_mask(draw, block.seq_len, block.memory_len)
    expect_mask(block, draw, 1, "memory_mask", mask, "(target_len, memory_len)")
    expect_broadcast(block, draw, 1, "memory_mask", ("target_len", "memory_len"))
    expect_mask_in_post_norm(probe, draw, "decoder", 1, "memory_mask", "(target_len, memory_len)")
    expect_both_masks(block, draw)


def test_decoder_dropout(probe: Probe, draw: Draw) -> None:
    expect_dropout(probe, draw, "decoder")


def test_decoder_dropout_places(probe: Probe, draw: Draw) -> None:
    expect_dropout_places(probe, draw, "decoder")


def test_decoder_config(probe: Probe, draw: Draw) -> None:
    expect_config(probe, draw, "decoder")


def test_decoder_bad_heads(probe: Probe, draw: Draw) -> None:
    expect_bad_heads(probe, draw, "DecoderBlock")


# ---------------------------------------------------------------------------------------------------- block-parameters


def _count(probe: Probe, kind: str, sizes: Sizes) -> float:
    """Return the student's count, once it is one whole number."""
    answer = probe.call("block_parameter_count", kind, sizes.d_model, sizes.num_heads, sizes.ff_dim)
    return expect_whole_number(answer)


def _large_sizes(draw: Draw) -> Sizes:
    num_heads = draw.integer(3, 7)
    d_model = num_heads * draw.integer(8, 12)
    return Sizes(d_model, num_heads, draw.integer(90, 160))


def test_count_is_a_number(probe: Probe, draw: Draw) -> None:
    sizes = _large_sizes(draw)
    for kind in ("encoder", "decoder"):
        _count(probe, kind, sizes)


def test_count_encoder(probe: Probe, draw: Draw) -> None:
    _expect_count(probe, draw, "encoder")


def test_count_decoder(probe: Probe, draw: Draw) -> None:
    _expect_count(probe, draw, "decoder")


KINDS = {"encoder": "인코더", "decoder": "디코더"}


def _expect_count(probe: Probe, draw: Draw, kind: str) -> None:
    sizes = _large_sizes(draw)
    what = Text(f"the number of parameters of the {kind} block", f"{KINDS[kind]} 블록의 파라미터 수")
    one_head = Text(
        f"the number of parameters of the {kind} block with one head", f"헤드가 하나인 {KINDS[kind]} 블록의 파라미터 수"
    )
    right = oracle.block_parameter_count(kind, sizes.d_model, sizes.num_heads, sizes.ff_dim)  # heads divide the width
    expect_number(_count(probe, kind, sizes), right, what, tolerance=0.0)
    expect_number(_count(probe, kind, replace(sizes, num_heads=1)), right, one_head, tolerance=0.0)


def test_count_bad_kind(probe: Probe, draw: Draw) -> None:
    sizes = _large_sizes(draw)
    for kind in (draw.choice(("both", "transformer", "cross")), "decoders", "encoder-decoder", "coder"):
        expect_raises_value_error(
            functools.partial(probe.call, "block_parameter_count", kind, sizes.d_model, sizes.num_heads, sizes.ff_dim),
            ["kind"],
            [kind],
        )


def test_count_bad_heads(probe: Probe, draw: Draw) -> None:
    for kind, (d_model, num_heads) in itertools.product(("encoder", "decoder"), undivided(draw)):
        expect_raises_value_error(
            functools.partial(probe.call, "block_parameter_count", kind, d_model, num_heads, 7),
            ["num_heads", "d_model"],
            [num_heads, d_model],
        )
