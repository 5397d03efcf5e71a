"""Hidden grader of 08-debugging-clinic.

Repairs are judged by what they compute. Checks are judged by mutation: each line asks about components that a check can't look
into (`components`), broken ones of several kinds and right ones made in the same ways, in a drawn order, so that no constant
answer earns anything and counting is guessing.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.base.errors import AnswerRaised
from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
    Given,
    Layer,
    Miss,
    Probe,
    expect_close,
    expect_shape,
    expect_that,
    expect_truth_value,
    in_drawn_order,
    is_close,
)

from .._shared.influence import moves
from . import components
from . import reference as oracle

SOURCE = inspect.getsource(components)
FEATURES = "(batch, seq_len, dim)"
HEADS = "(batch, num_heads, seq_len, seq_len)"
WEIGHTS = "(batch, num_heads, query_len, key_len)"
PAIR = "(batch, len - 1)"
OUTPUT = Text("the output", "출력")
ATTENTION_WEIGHTS = Text("the attention weights", "어텐션 가중치")

# --- components and verdicts -----------------------------------------------------------------------------------------

# Student's check -> the function in `components` that makes what it is asked about. In each of the tables below something right is
# made as the broken ones are: nothing but what it computes tells it apart.
MAKES = {
    "detect_inverted_mask": "attention",
    "detect_dropped_feed_forward": "block",
    "detect_swapped_arguments": "heads",
    "detect_head_scaling": "weights",
    "detect_shifted_target": "pairs",
}
SEEDED = ("attention", "block", "heads")


@dataclass(frozen=True)
class Component:
    """What a check is asked about.

    Attributes:
        what: in words, for the message.
        is_broken: the right verdict.
        args: of the function that makes it.
        options: keyword arguments of that function, without the seed.
    """

    what: Text
    is_broken: bool
    args: tuple[Any, ...]
    options: Mapping[str, Any]


def right(en: str, ko: str, *args: Any, **options: Any) -> Component:
    """Return a component in which nothing is wrong."""
    return Component(Text(en, ko), False, args, options)


def broken(en: str, ko: str, *args: Any, **options: Any) -> Component:
    """Return a component that a check should report."""
    return Component(Text(en, ko), True, args, options)


def verdict(probe: Probe, function: str, component: Component, seed: int) -> bool:
    """Return what the student's check says of a component."""
    make = MAKES[function]
    seeds = {"seed": seed} if make in SEEDED else {}
    offered = probe.offer(SOURCE, make, *component.args, **component.options, **seeds)
    return expect_truth_value(probe.call(function, offered))


def drawn_seeds(draw: Draw, components: Sequence[Component]) -> list[int]:
    """Draw the seed of each component's projections."""
    return [draw.integer(1, 10**6) for _ in components]


def expect_verdicts(probe: Probe, draw: Draw, function: str, components: Sequence[Component]) -> None:
    """Miss at the first wrong verdict."""

    def wrong(asked: tuple[Component, int]) -> Text | None:
        component, seed = asked
        what = component.what
        try:
            said = verdict(probe, function, component, seed)
        except AnswerRaised as error:
            if "NotImplementedError" in error.kinds:
                raise
            return Text(f"{what.en}: {error.text.en}", f"{what.ko}: {error.text.ko}")
        if said == component.is_broken:
            return None
        unseen = Text("The mistake was not seen", "잘못을 찾지 못했습니다")
        invented = Text("There is no mistake, but one was reported", "잘못이 없는데 있다고 했습니다")
        told = unseen if component.is_broken else invented
        return Text(f"{told.en}: {what.en}.", f"{told.ko}: {what.ko}.")

    asked = list(zip(components, drawn_seeds(draw, components), strict=True))
    for text in in_drawn_order(draw, wrong, asked):
        if text is not None:
            raise Miss(text)


def expect_truth_values(probe: Probe, draw: Draw, function: str, components: Sequence[Component]) -> None:
    """Miss unless the check returns one truth value for each component."""
    for component, seed in zip(components, drawn_seeds(draw, components), strict=True):
        verdict(probe, function, component, seed)


# --- fix-inverted-mask -----------------------------------------------------------------------------------------------


def _attention_layer(probe: Probe, draw: Draw) -> tuple[Layer, dict[str, Array], int]:
    """Return one of Keras's attention layers with its weights, every one drawn, and the width of its inputs."""
    dim, num_heads, head_dim = draw.distinct(3, 2, 6)
    layer = probe.layer("keras.layers.MultiHeadAttention", num_heads=num_heads, key_dim=head_dim)
    some = draw.normal(1, 2, dim)
    layer(some, some)
    weights = _attention_weights(draw, dim, num_heads, head_dim)
    layer.assign(weights)
    return layer, weights, dim


def _attention_weights(draw: Draw, dim: int, num_heads: int, head_dim: int) -> dict[str, Array]:
    weights: dict[str, Array] = {}
    for role in ("query", "key", "value"):
        weights[f"{role}_dense.kernel"] = draw.normal(dim, num_heads, head_dim, scale=dim**-0.5)
        weights[f"{role}_dense.bias"] = draw.normal(num_heads, head_dim, scale=0.5)
    weights["output_dense.kernel"] = draw.normal(num_heads, head_dim, dim, scale=0.7)
    weights["output_dense.bias"] = draw.normal(dim, scale=0.5)
    return weights


def test_mask_shape(probe: Probe, draw: Draw) -> None:
    layer, _, dim = _attention_layer(probe, draw)
    x = draw.normal(draw.integer(2, 3), draw.integer(7, 9), dim)
    expect_shape(probe.call("causal_self_attention", layer, x), x.shape, FEATURES)


def test_mask_side(probe: Probe, draw: Draw) -> None:
    layer, _, dim = _attention_layer(probe, draw)
    seq_len = draw.integer(7, 9)

    def ask(x: Array) -> Array:
        return expect_shape(probe.call("causal_self_attention", layer, x), x.shape, FEATURES)

    moved = moves(ask, *draw.normal(2, seq_len, dim))
    text = Text(
        "An output changes with a later input: it sees the future.",
        "뒤의 입력을 바꾸면 출력이 변합니다. 미래를 보고 있습니다.",
    )
    expect_that(np.triu(moved, k=1).max() < 1e-4, text)
    text = Text("Outputs don't change with earlier inputs.", "앞의 입력을 바꾸어도 출력이 변하지 않습니다.")
    expect_that((moved[np.tril_indices(seq_len, k=-1)] > 1e-4).mean() > 0.5, text)


def test_mask_values(probe: Probe, draw: Draw) -> None:
    for batch, seq_len in ((3, draw.integer(6, 9)), (1, draw.integer(11, 13)), (2, 1)):
        layer, weights, dim = _attention_layer(probe, draw)
        x = draw.normal(batch, seq_len, dim)
        answer = probe.call("causal_self_attention", layer, x)
        expect_close(answer, oracle.causal_self_attention(weights, x), OUTPUT, FEATURES)


# --- detect-inverted-mask ------------------------------------------------------------------------------------------

# positions that a head sees: from so many before its own to so many after
PAST, FUTURE, FUTURE_AND_SELF = (-999, 0), (1, 999), (0, 999)

MASK_PLAIN = (
    right("causal attention", "인과적 어텐션", [PAST] * 2),
    broken("attention upside down", "거꾸로 된 어텐션", [FUTURE] * 2),
    right("causal attention in tensors", "텐서로 계산하는 인과적 어텐션", [PAST] * 3, library="keras"),
    broken("attention upside down in tensors", "텐서로 계산하는 거꾸로 된 어텐션", [FUTURE] * 3, library="keras"),
    right("causal attention with a residual connection", "잔차 연결이 있는 인과적 어텐션", [PAST], around="residual"),
    broken(
        "attention upside down that also sees itself",
        "자기 자신도 보는 거꾸로 된 어텐션",
        [FUTURE_AND_SELF],
        around="residual",
    ),
)
MASK_NEAR = (
    right("attention that looks back two steps", "두 걸음 앞까지 돌아보는 어텐션", [(-2, 0)] * 2),
    broken("attention that looks ahead one step", "한 걸음 뒤까지 내다보는 어텐션", [(0, 1)] * 2),
    broken(
        "attention with one head of three upside down", "헤드 셋 가운데 하나가 거꾸로 된 어텐션", [PAST, FUTURE, PAST]
    ),
    right(
        "causal attention whose heads look back differently far",
        "헤드마다 돌아보는 거리가 다른 인과적 어텐션",
        [PAST, (-1, 0), (-3, 0)],
    ),
    broken(
        "attention with one head of four that looks ahead one step",
        "헤드 넷 가운데 하나가 한 걸음 뒤를 내다보는 어텐션",
        [PAST, PAST, (1, 1), PAST],
    ),
    broken(
        "attention that looks two and three steps ahead, past the next one",
        "바로 다음을 건너뛰고 두세 걸음 뒤를 내다보는 어텐션",
        [(2, 3)] * 2,
    ),
)
MASK_AROUND = (
    right("causal attention behind a normalisation", "정규화 뒤의 인과적 어텐션", [PAST] * 2, around="before"),
    broken(
        "attention upside down behind a normalisation", "정규화 뒤의 거꾸로 된 어텐션", [FUTURE] * 2, around="before"
    ),
    right("causal attention before a normalisation", "정규화 앞의 인과적 어텐션", [PAST] * 2, around="after"),
    broken(
        "attention upside down before a normalisation", "정규화 앞의 거꾸로 된 어텐션", [FUTURE] * 2, around="after"
    ),
    right("causal attention that rounds", "반올림하는 인과적 어텐션", [PAST] * 2, noise=5e-08),
    broken(
        "attention upside down whose scores fall with distance",
        "멀수록 점수가 낮아지는 거꾸로 된 어텐션",
        [FUTURE] * 2,
        slope=0.5,
    ),
    broken(
        "attention upside down behind a division by the root mean square",
        "제곱평균제곱근으로 나눈 뒤의 거꾸로 된 어텐션",
        [FUTURE] * 2,
        around="root",
    ),
    broken(
        "attention upside down that adds little to its input",
        "입력에 조금만 더하는 거꾸로 된 어텐션",
        [FUTURE_AND_SELF] * 3,
        around="residual",
        share=0.03,
    ),
    right(
        "causal attention that adds little to its input",
        "입력에 조금만 더하는 인과적 어텐션",
        [PAST] * 3,
        around="residual",
        share=0.03,
    ),
)


def test_inverted_answer(probe: Probe, draw: Draw) -> None:
    expect_truth_values(probe, draw, "detect_inverted_mask", MASK_PLAIN[:2])


def test_inverted_plain(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_inverted_mask", MASK_PLAIN)


def test_inverted_near(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_inverted_mask", MASK_NEAR)


def test_inverted_around(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_inverted_mask", MASK_AROUND)


# --- fix-dropped-feed-forward ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BlockParts:
    """The four parts of a block, in the student's kernel and here."""

    given: tuple[Given, ...]
    here: tuple[Callable[[Any], Any], ...]


def _block_parts(probe: Probe, draw: Draw, dim: int) -> BlockParts:
    matrices = [draw.normal(dim, dim, scale=dim**-0.5) for _ in range(4)]
    args = [(matrices[0], 1.0), (matrices[1], 0.0), (matrices[2], 0.0), (matrices[3], 0.0)]
    return BlockParts(
        tuple(probe.define(SOURCE, "mixing", *a) for a in args), tuple(components.mixing(*a) for a in args)
    )


def test_block_shape(probe: Probe, draw: Draw) -> None:
    batch, seq_len, dim = draw.distinct(3, 2, 7)
    x = draw.normal(batch, seq_len, dim)
    expect_shape(probe.call("connect_block", x, *_block_parts(probe, draw, dim).given), x.shape, FEATURES)


def test_block_reaches(probe: Probe, draw: Draw) -> None:
    batch, seq_len, dim = draw.distinct(3, 2, 7)
    x = draw.normal(batch, seq_len, dim)
    attend, first, *norms = _block_parts(probe, draw, dim).given
    second = _block_parts(probe, draw, dim).given[1]
    outputs = [
        expect_shape(probe.call("connect_block", x, attend, feed_forward, *norms), x.shape, FEATURES)
        for feed_forward in (first, second)
    ]
    text = Text(
        "Another feed-forward network gives the same output: its answer is lost.",
        "피드포워드 신경망을 바꾸어도 출력이 같습니다. 그 답이 사라지고 있습니다.",
    )
    expect_that(np.abs(outputs[0] - outputs[1]).max(axis=-1).min() > 1e-3, text)


def test_block_values(probe: Probe, draw: Draw) -> None:
    for _ in range(2):
        batch, seq_len, dim = draw.distinct(3, 2, 7)
        x = draw.normal(batch, seq_len, dim)
        parts = _block_parts(probe, draw, dim)
        answer = probe.call("connect_block", x, *parts.given)
        expect_close(answer, oracle.connect_block(x, *parts.here), OUTPUT, FEATURES)


# --- detect-dropped-feed-forward -----------------------------------------------------------------------------------

# arguments: what the output has of x, of x after attention, of the feed-forward network's answer
BLOCK_PLAIN = (
    right("a pre-norm block", "사전 정규화 블록", (0, 1, 1)),
    broken(
        "a pre-norm block that adds its input instead of the answer",
        "답 대신 입력을 더하는 사전 정규화 블록",
        (1, 1, 0),
    ),
    right("a pre-norm block in tensors", "텐서로 계산하는 사전 정규화 블록", (0, 1, 1), library="keras"),
    broken(
        "a block in tensors that ends after attention",
        "텐서로 계산하고 어텐션에서 끝나는 블록",
        (0, 1, 0),
        library="keras",
    ),
    broken("a block that never asks the network", "신경망을 부르지 않는 블록", (0, 1, 0), asks=False),
    right("a block whose sublayers stand side by side", "두 하위 계층이 나란히 있는 블록", (0, 1, 1), order="beside"),
)
BLOCK_AFTER = (
    right("a post-norm block", "사후 정규화 블록", (0, 1, 1), order="after"),
    broken("a post-norm block that loses the answer", "답을 잃는 사후 정규화 블록", (0, 1, 0), order="after"),
    right(
        "a post-norm block in tensors", "텐서로 계산하는 사후 정규화 블록", (0, 1, 1), order="after", library="keras"
    ),
    broken(
        "a post-norm block that adds its input instead of the answer",
        "답 대신 입력을 더하는 사후 정규화 블록",
        (1, 1, 0),
        order="after",
    ),
    right(
        "a block that divides by the root mean square after each sublayer",
        "하위 계층마다 그 뒤에서 제곱평균제곱근으로 나누는 블록",
        (0, 1, 1),
        order="root",
    ),
)
BLOCK_PARTLY = (
    right("a block that adds a small share of the answer", "답을 조금만 더하는 블록", (0, 1, 0.02)),
    broken(
        "a block in which the answer reaches the first two positions only",
        "답이 처음 두 위치에만 닿는 블록",
        (0, 1, 1),
        positions=(None, 2),
    ),
    broken(
        "a block in which the answer doesn't reach the last position",
        "답이 마지막 위치에 닿지 않는 블록",
        (0, 1, 1),
        positions=(None, -1),
    ),
    broken(
        "a block in which the answer reaches the first sequence only",
        "답이 첫 시퀀스에만 닿는 블록",
        (0, 1, 1),
        sequences=(None, 1),
    ),
    right(
        "a post-norm block that adds half of the answer",
        "답의 절반을 더하는 사후 정규화 블록",
        (0, 1, 0.5),
        order="after",
    ),
    broken(
        "a block in which the answer doesn't reach the first position",
        "답이 첫 위치에 닿지 않는 블록",
        (0, 1, 1),
        positions=(1, None),
    ),
    broken(
        "a block in which the answer reaches the first and the last position only",
        "답이 첫 위치와 마지막 위치에만 닿는 블록",
        (0, 1, 1),
        ends=True,
    ),
    broken(
        "a block in which the answer doesn't reach the first sequence",
        "답이 첫 시퀀스에 닿지 않는 블록",
        (0, 1, 1),
        sequences=(1, None),
    ),
)


def test_dropped_answer(probe: Probe, draw: Draw) -> None:
    expect_truth_values(probe, draw, "detect_dropped_feed_forward", BLOCK_PLAIN[:2])


def test_dropped_plain(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_dropped_feed_forward", BLOCK_PLAIN)


def test_dropped_after(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_dropped_feed_forward", BLOCK_AFTER)


def test_dropped_partly(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_dropped_feed_forward", BLOCK_PARTLY)


# --- fix-swapped-arguments -------------------------------------------------------------------------------------------


def _head_sizes(draw: Draw) -> tuple[int, int]:
    """Draw num_heads and head_dim, different from each other."""
    num_heads, head_dim = draw.distinct(2, 3, 6)
    return num_heads, head_dim


def _called(probe: Probe, num_heads: int, head_dim: int, x: Array) -> tuple[Layer, Any]:
    layer = probe.build("build_self_attention", num_heads * head_dim, num_heads)
    return layer, _output_and_weights(layer, x)


def _output_and_weights(layer: Layer, x: Array, **options: Any) -> Any:
    answer = layer(x, x, return_attention_scores=True, **options)
    expect_that(
        isinstance(answer, tuple) and [type(part) for part in answer] == [np.ndarray] * 2,
        Text(
            "The layer should return (output, weights) when it is called with return_attention_scores=True.",
            "return_attention_scores=True로 호출하면 계층이 (출력, 가중치)를 돌려주어야 합니다.",
        ),
    )
    return answer


def test_heads_shape(probe: Probe, draw: Draw) -> None:
    num_heads, head_dim = _head_sizes(draw)
    x = draw.normal(2, 7, num_heads * head_dim)
    expect_shape(_called(probe, num_heads, head_dim, x)[1][0], x.shape, "(batch, seq_len, d_model)")


def test_heads_count(probe: Probe, draw: Draw) -> None:
    sizes = ((2, 5), (5, 3), (3, 4))
    answers = [_called(probe, *size, draw.normal(2, 7, size[0] * size[1]))[1][1] for size in sizes]
    for weights, (num_heads, _) in zip(answers, sizes, strict=True):
        expect_shape(weights, (2, num_heads, 7, 7), HEADS)


def test_heads_values(probe: Probe, draw: Draw) -> None:
    sizes = _head_sizes(draw)
    for num_heads, head_dim in (sizes, sizes[::-1]):
        d_model = num_heads * head_dim
        x = draw.normal(2, 7, d_model)
        layer, _ = _called(probe, num_heads, head_dim, x)
        weights = _attention_weights(draw, d_model, num_heads, head_dim)
        shapes = sorted(w.shape for w in layer.weights())
        text = Text(
            f"The weights have the shapes {shapes}; they should be those of {num_heads} heads with {head_dim} features each.",
            f"가중치의 모양이 {shapes}입니다. 특징이 {head_dim}개씩인 헤드 {num_heads}개의 모양이어야 합니다.",
        )
        expect_that(shapes == sorted(w.shape for w in weights.values()), text)
        layer.assign(weights)
        output, shares = _output_and_weights(layer, x)
        right_output, right_shares = oracle.self_attention(weights, x)
        expect_close(shares, right_shares, ATTENTION_WEIGHTS, HEADS)
        expect_close(output, right_output, OUTPUT, "(batch, seq_len, d_model)")
        in_training, _ = _output_and_weights(layer, x, training=True)
        text = Text(
            "In training the output is another: everything but the sizes should be as Keras has it, without dropout.",
            "학습 때의 출력이 다릅니다. 크기 말고는 모두 케라스의 기본값대로, 드롭아웃 없이 두세요.",
        )
        expect_that(is_close(in_training, output), text)


# --- detect-swapped-arguments --------------------------------------------------------------------------------------

# the two numbers change places where num_heads / head_dim lies between these
NEVER, ALWAYS = (0.0, 0.0), (0.0, 999.0)

HEADS_PLAIN = (
    right("a builder that is right", "올바른 것", *NEVER),
    broken("a builder that swaps", "바꾸는 것", *ALWAYS),
    right("a builder of Keras's layers", "케라스의 계층을 만드는 것", *NEVER, library="keras"),
    broken("a builder of Keras's layers that swaps", "케라스의 계층을 만들며 바꾸는 것", *ALWAYS, library="keras"),
)
HEADS_SOMETIMES = (
    broken(
        "a builder that swaps where there are more heads than features in a head",
        "헤드의 수가 헤드의 특징 수보다 많을 때 바꾸는 것",
        1.0,
        999.0,
    ),
    broken(
        "a builder that swaps where there are fewer heads than features in a head",
        "헤드의 수가 헤드의 특징 수보다 적을 때 바꾸는 것",
        0.0,
        1.0,
    ),
    right("a builder that never swaps", "결코 바꾸지 않는 것", *NEVER),
)


def test_swapped_answer(probe: Probe, draw: Draw) -> None:
    expect_truth_values(probe, draw, "detect_swapped_arguments", HEADS_PLAIN[:2])


def test_swapped_plain(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_swapped_arguments", HEADS_PLAIN)


def test_swapped_sometimes(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_swapped_arguments", HEADS_SOMETIMES)


# --- fix-head-scaling ------------------------------------------------------------------------------------------------


def _queries_and_keys(draw: Draw, batch: int, num_heads: int, head_dim: int) -> tuple[Array, Array]:
    query_len, key_len = draw.choice([(5, 7), (7, 10), (8, 5), (10, 8)])  # no square, no width of a head
    d_model = num_heads * head_dim
    return draw.normal(batch, query_len, d_model), draw.normal(batch, key_len, d_model)


def _expect_weights(probe: Probe, query: Array, key: Array, num_heads: int) -> None:
    answer = probe.call("head_weights", query, key, num_heads)
    expect_close(answer, oracle.head_weights(query, key, num_heads), ATTENTION_WEIGHTS, WEIGHTS)


def test_scale_shape(probe: Probe, draw: Draw) -> None:
    query, key = _queries_and_keys(draw, 2, 3, 5)
    got = expect_shape(probe.call("head_weights", query, key, 3), (2, 3, query.shape[1], key.shape[1]), WEIGHTS)
    text = Text(
        "The rows of weights don't add up to 1: is the scale applied after the softmax?",
        "가중치의 행의 합이 1이 아닙니다. 소프트맥스 뒤에서 스케일하고 있지 않나요?",
    )
    expect_that(np.allclose(got.sum(axis=-1), 1, atol=1e-3), text)


def test_scale_squares(probe: Probe, draw: Draw) -> None:
    query, key = _queries_and_keys(draw, 2, 3, 4)
    _expect_weights(probe, query, key, 3)


def test_scale_any(probe: Probe, draw: Draw) -> None:
    for batch, num_heads, head_dim in ((3, 2, 11), (1, 5, 3), (2, 4, 6)):
        query, key = _queries_and_keys(draw, batch, num_heads, head_dim)
        _expect_weights(probe, query, key, num_heads)


# --- detect-head-scaling -------------------------------------------------------------------------------------------

# scores are divided by head_dim to the first power, times num_heads to the second
RIGHT_SCALE, ROOT_OF_D_MODEL = (0.5, 0.0), (0.5, 0.5)

SCALE_PLAIN = (
    right("the root of head_dim", "head_dim의 제곱근", RIGHT_SCALE),
    broken("the root of d_model", "d_model의 제곱근", ROOT_OF_D_MODEL),
    right("the root of head_dim, in tensors", "텐서에서 head_dim의 제곱근", RIGHT_SCALE, style="keras"),
    broken("the root of d_model, in tensors", "텐서에서 d_model의 제곱근", ROOT_OF_D_MODEL, style="keras"),
    right(
        "queries and keys each divided by the fourth root of head_dim",
        "쿼리와 키를 저마다 head_dim의 네제곱근으로",
        RIGHT_SCALE,
        style="shared",
    ),
    broken("the root of d_model, head by head", "헤드마다 d_model의 제곱근", ROOT_OF_D_MODEL, style="loop"),
)
SCALE_ONE_HEAD = (
    broken(
        "the root of d_model in the last head",
        "마지막 헤드에서만 d_model의 제곱근",
        RIGHT_SCALE,
        of_last=ROOT_OF_D_MODEL,
    ),
    broken(
        "the root of d_model in all heads but the last",
        "마지막을 뺀 모든 헤드에서 d_model의 제곱근",
        ROOT_OF_D_MODEL,
        of_last=RIGHT_SCALE,
    ),
    right("the root of head_dim, head by head", "헤드마다 head_dim의 제곱근", RIGHT_SCALE, style="loop"),
    right("the root of head_dim", "head_dim의 제곱근", RIGHT_SCALE),
)
SCALE_OTHERWISE = (
    broken("no division", "나누지 않음", (0.0, 0.0)),
    broken("head_dim without the root", "제곱근이 아닌 head_dim", (1.0, 0.0)),
    broken("the root of head_dim rounded down", "내림한 head_dim의 제곱근", RIGHT_SCALE, rounds=True),
    broken("the root of num_heads", "num_heads의 제곱근", (0.0, 0.5)),
    right("the root of head_dim", "head_dim의 제곱근", RIGHT_SCALE, style="shared"),
    right("the root of head_dim", "head_dim의 제곱근", RIGHT_SCALE),
)


def test_scaling_answer(probe: Probe, draw: Draw) -> None:
    expect_truth_values(probe, draw, "detect_head_scaling", SCALE_PLAIN[:2])


def test_scaling_plain(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_head_scaling", SCALE_PLAIN)


def test_scaling_one_head(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_head_scaling", SCALE_ONE_HEAD)


def test_scaling_otherwise(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_head_scaling", SCALE_OTHERWISE)


# --- fix-shifted-target ----------------------------------------------------------------------------------------------


def _target_ids(draw: Draw, batch: int, length: int) -> np.ndarray:
    """Draw rows <bos>, different words, <eos>, padding; the first is full."""
    ids = np.zeros((batch, length), dtype=np.int64)
    for row in range(batch):
        count = length if row == 0 else draw.integer(4, length)
        ids[row, :count] = [1, *draw.distinct(count - 2, 4, 99), 2]
    return ids


def _made_pair(probe: Probe, ids: np.ndarray) -> list[Array]:
    answer = probe.call("make_pairs", ids)
    parts = answer if isinstance(answer, tuple) else ()
    if isinstance(answer, np.ndarray) and answer.ndim == 3 and len(answer) == 2:
        parts = tuple(answer)
    text = Text(
        "It should return two arrays, (decoder_input, labels).", "배열 둘 (decoder_input, labels)를 돌려주어야 합니다."
    )
    expect_that(len(parts) == 2, text)
    return [expect_shape(part, (len(ids), ids.shape[1] - 1), PAIR) for part in parts]


def test_pairs_shape(probe: Probe, draw: Draw) -> None:
    _made_pair(probe, _target_ids(draw, 3, draw.integer(6, 9)))


def test_pairs_labels(probe: Probe, draw: Draw) -> None:
    ids = _target_ids(draw, 3, draw.integer(6, 9))
    expect_close(_made_pair(probe, ids)[1], oracle.make_pairs(ids)[1], Text("the labels", "라벨"), PAIR)


def test_pairs_input(probe: Probe, draw: Draw) -> None:
    for batch, length in ((4, draw.integer(6, 9)), (1, draw.integer(10, 12))):
        ids = _target_ids(draw, batch, length)
        (decoder_input, labels), expected = _made_pair(probe, ids), oracle.make_pairs(ids)
        expect_close(labels, expected[1], Text("the labels", "라벨"), PAIR)
        expect_close(decoder_input, expected[0], Text("the decoder's input", "디코더의 입력"), PAIR)


# --- detect-shifted-target -----------------------------------------------------------------------------------------

# first columns of the decoder's input and of the labels
PAIRS_PLAIN = (
    right("labels that are shifted", "민 라벨", (0, 1)),
    broken("labels that are the inputs", "곧 입력인 라벨", (0, 0)),
    right("labels that are shifted, as tensors", "텐서로 된, 민 라벨", (0, 1), style="keras"),
    broken("labels that are the inputs, as tensors", "텐서로 된, 곧 입력인 라벨", (0, 0), style="keras"),
    right("shifted labels made in a loop", "반복문으로 만든, 민 라벨", (0, 1), style="loop"),
    broken("labels and inputs both shifted", "라벨과 입력을 둘 다 민 것", (1, 1), style="gather"),
)
PAIRS_OTHERWISE = (
    broken("labels shifted by two", "두 칸 민 라벨", (0, 2)),
    broken("the inputs shifted instead of the labels", "라벨 대신 입력을 민 것", (1, 0)),
    broken("both shifted, the labels by one more", "둘 다 밀되 라벨을 한 칸 더 민 것", (1, 2)),
    right("shifted labels", "민 라벨", (0, 1), style="gather"),
    right("shifted labels in slices", "슬라이스로 만든, 민 라벨", (0, 1)),
)
PAIRS_PARTLY = (
    broken("labels shifted in the first sequence only", "첫 시퀀스에서만 민 라벨", (0, 1), (0, 0), keep=1),
    broken("labels shifted in sequences without padding only", "패딩이 없는 시퀀스에서만 민 라벨", (0, 1), (0, 0)),
    broken("labels shifted in sequences with padding only", "패딩이 있는 시퀀스에서만 민 라벨", (0, 0), (0, 1)),
    broken(
        "labels shifted in all sequences but the first",
        "첫 시퀀스를 뺀 모든 시퀀스에서 민 라벨",
        (0, 0),
        (0, 1),
        keep=1,
    ),
    broken(
        "labels rolled around, so that the first token is the last label",
        "첫 토큰이 마지막 라벨이 되도록 돌려 민 라벨",
        (0, 1),
        style="rolled",
    ),
    right("labels shifted in all sequences", "모든 시퀀스에서 민 라벨", (0, 1), style="loop"),
    right("shifted labels in slices", "슬라이스로 만든, 민 라벨", (0, 1)),
    broken("labels whose words come in reverse order", "단어가 거꾸로 늘어선 라벨", (0, 1), style="mixed"),
)


def test_shifted_answer(probe: Probe, draw: Draw) -> None:
    expect_truth_values(probe, draw, "detect_shifted_target", PAIRS_PLAIN[:2])


def test_shifted_plain(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_shifted_target", PAIRS_PLAIN)


def test_shifted_otherwise(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_shifted_target", PAIRS_OTHERWISE)


def test_shifted_partly(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_shifted_target", PAIRS_PARTLY)
