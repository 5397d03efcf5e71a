"""What both blocks of 05 are asked: weights, masks, dropout, config."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
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
    expect_changed,
    expect_number,
    expect_raises_value_error,
    expect_that,
    expect_unchanged,
)

from ..._shared.influence import moves
from ..._shared.layer_lines import (
    DROPS_AT_RATE_0,
    expect_drops_in_training_only,
    expect_same_from_config,
    share_together,
)
from .. import reference as oracle
from ..block_cases import EPSILONS, Block, expect_block, is_right, missing_parts
from ..stacked_weights import told_apart
from ..weight_roles import drawn_values
from .feed_forward import number_of_parameters

MORE_WEIGHTS = 2
NETWORK = Text("the feed-forward network", "피드포워드 신경망")


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
    """Draw a mask (..., query_len, key_len) whose rows hide and keep at least one key, beside the diagonal's.

    A square one is neither symmetric nor the same in all rows.
    """
    mask = (draw.uniform(0, 1, *shape) < 0.5).astype(np.float64)
    rows, columns = shape[-2:]
    for row in range(rows):
        others = [column for column in range(columns) if column != row]
        hidden, kept = (others[i] for i in draw.distinct(2, 0, len(others) - 1))
        mask[..., row, hidden], mask[..., row, kept] = 1.0, 0.0
    mistaken = (np.swapaxes(mask, -1, -2), mask[..., :1, :]) if rows == columns else ()
    beside = ~np.eye(rows, columns, dtype=bool)
    return mask if all((mask != other)[..., beside].any() for other in mistaken) else drawn_mask(draw, *shape)


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
    copies = [np.repeat(x[:1], 800, axis=0) for x in block.inputs]
    for dense in block.parts.inner:
        for path in dense.biases:  # if all hidden units were 0, no dropout would be seen
            block.values[path] = np.abs(block.values[path]) + 0.5

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
    bound = 9 * loud.std(axis=0) / np.sqrt(len(loud)) + 1e-3
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
