"""Hidden grader of 08-debugging-clinic.

Repairs are judged by what they compute. Checks are judged by mutation: each is asked about versions that it can't look into
(`components`), broken ones of several kinds and right ones in several styles; each line asks about both, in a drawn order, so
that no constant answer earns anything and counting is guessing. A check that errs is asked about a fixed panel of versions: its
verdicts there are compared with those of known blunt checks.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.base.errors import AnswerError, AnswerRaised, KernelGone
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

from . import components
from . import reference as oracle

SOURCE = inspect.getsource(components)
FEATURES = "(batch, seq_len, dim)"
HEADS = "(batch, num_heads, seq_len, seq_len)"
WEIGHTS = "(batch, num_heads, query_len, key_len)"
PAIR = "(batch, len - 1)"
OUTPUT = Text("the output", "출력")
ATTENTION_WEIGHTS = Text("the attention weights", "어텐션 가중치")

# --- versions and verdicts -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Version:
    """One version of a component.

    Attributes:
        what: in words, for the message.
        make: name of the function in `components` that makes it.
        args: of that function.
        is_broken: the right verdict.
        options: keyword arguments of that function.
    """

    what: Text
    make: str
    args: tuple[Any, ...]
    is_broken: bool
    options: tuple[tuple[str, Any], ...] = ()


def _version(en: str, ko: str, make: str, is_broken: bool, *args: Any, **options: Any) -> Version:
    return Version(Text(en, ko), make, args, is_broken, tuple(options.items()))


def _verdict(probe: Probe, function: str, version: Version) -> bool:
    """Return what the student's check says of a version."""
    component = probe.offer(SOURCE, version.make, *version.args, **dict(version.options))
    answer = probe.call(function, component)
    return expect_truth_value(answer, NO_RETURN.get(function), RETURNS_MORE.get(function))


def _expect_verdicts(
    probe: Probe, draw: Draw, function: str, versions: Sequence[Version], panel: Sequence[Version]
) -> None:
    """Miss at the first wrong verdict."""

    def wrong(version: Version) -> Text | None:
        try:
            said = _verdict(probe, function, version)
        except AnswerRaised as error:
            if "NotImplementedError" in error.kinds:
                raise
            return Text(f"{version.what.en}: {error.text.en}", f"{version.what.ko}: {error.text.ko}")
        if said == version.is_broken:
            return None
        unseen = Text("The mistake was not seen", "잘못을 찾지 못했습니다")
        invented = Text("There is no mistake, but one was reported", "잘못이 없는데 있다고 했습니다")
        told = unseen if version.is_broken else invented
        return Text(f"{told.en}: {version.what.en}.", f"{told.ko}: {version.what.ko}.")

    for text in in_drawn_order(draw, wrong, versions):
        if text is not None:
            raise Miss(text, _habit(probe, function, panel))


def _habit(probe: Probe, function: str, panel: Sequence[Version]) -> str | None:
    """Return the known blunt check that says of every version of the panel what the student's check says."""

    def look() -> str | None:
        verdicts = ""
        for version in panel:
            try:
                verdicts += "T" if _verdict(probe, function, version) else "F"
            except KernelGone:
                raise
            except (AnswerError, Miss):
                verdicts += "E"
        fitting = [mistake for mistake, known in HABITS[function].items() if known == verdicts]
        return fitting[0] if len(fitting) == 1 else None

    try:
        return probe.once("habit", look)
    except KernelGone:
        return None


def _seed(draw: Draw) -> int:
    return draw.integer(1, 10**6)


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


def _seen_under(weights: dict[str, Array], x: Array, mask: Array) -> Array:
    """Return attention under any mask (1 sees); a row that sees nothing is the mean of all values."""
    query, key, value = (
        np.einsum("bld,dhw->bhlw", x, weights[f"{role}_dense.kernel"]) + weights[f"{role}_dense.bias"][:, None]
        for role in ("query", "key", "value")
    )
    lowest = np.where(mask.any(axis=-1, keepdims=True), -np.inf, 0.0)
    scores = np.where(mask == 1, query @ np.swapaxes(key, 2, 3) / query.shape[-1] ** 0.5, lowest)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed = shares / shares.sum(axis=-1, keepdims=True) @ value
    return np.einsum("bhlw,hwd->bld", mixed, weights["output_dense.kernel"]) + weights["output_dense.bias"]


MASKS: dict[str, Callable[[int], Array]] = {
    "mask-still-inverted": lambda n: np.triu(np.ones((n, n)), k=1),
    "mask-none": lambda n: np.ones((n, n)),
    "mask-without-diagonal": lambda n: np.tril(np.ones((n, n)), k=-1),
    "mask-transposed": lambda n: np.triu(np.ones((n, n))),
    "mask-diagonal-only": lambda n: np.eye(n),
    "mask-one-step-too-far": lambda n: np.tril(np.ones((n, n)), k=1),
}


def test_mask_shape(probe: Probe, draw: Draw) -> None:
    layer, _, dim = _attention_layer(probe, draw)
    x = draw.normal(draw.integer(2, 3), draw.integer(7, 9), dim)
    expect_shape(probe.call("causal_self_attention", layer, x), x.shape, FEATURES)


def _mask_mistake(got: Array, weights: dict[str, Array], x: Array) -> str | None:
    """Return the mistake whose mask gives this output."""
    fitting = [
        name for name, mask in MASKS.items() if np.allclose(got, _seen_under(weights, x, mask(x.shape[1])), atol=1e-3)
    ]
    return fitting[0] if len(fitting) == 1 else None


def test_mask_side(probe: Probe, draw: Draw) -> None:
    layer, weights, dim = _attention_layer(probe, draw)
    seq_len = draw.integer(7, 9)
    x = draw.normal(2, seq_len, dim)
    before = expect_shape(probe.call("causal_self_attention", layer, x), x.shape, FEATURES)
    moved = np.zeros((seq_len, seq_len))
    for position in range(seq_len):
        changed = x.copy()
        changed[:, position] = draw.normal(2, dim)
        after = expect_shape(probe.call("causal_self_attention", layer, changed), x.shape, FEATURES)
        moved[:, position] = np.abs(after - before).max(axis=(0, 2))
    future, past = np.triu(moved, k=1), moved[np.tril_indices(seq_len, k=-1)]
    expect_that(
        bool(future.max() < 1e-4),
        Text(
            "An output changes with a later input: it sees the future.",
            "뒤의 입력을 바꾸면 출력이 변합니다. 미래를 보고 있습니다.",
        ),
        _mask_mistake(before, weights, x),
    )
    expect_that(
        bool((past > 1e-4).mean() > 0.5),
        Text("Outputs don't change with earlier inputs.", "앞의 입력을 바꾸어도 출력이 변하지 않습니다."),
        _mask_mistake(before, weights, x),
    )


def test_mask_values(probe: Probe, draw: Draw) -> None:
    for batch, seq_len in ((3, draw.integer(6, 9)), (1, draw.integer(11, 13)), (2, 1)):
        layer, weights, dim = _attention_layer(probe, draw)
        x = draw.normal(batch, seq_len, dim)
        right = oracle.causal_self_attention(weights, x)
        confusions = {name: _seen_under(weights, x, mask(seq_len)) for name, mask in MASKS.items()}
        confusions["mask-residual"] = right + x
        expect_close(probe.call("causal_self_attention", layer, x), right, OUTPUT, FEATURES, confusions)


# --- detect-inverted-mask --------------------------------------------------------------------------------------------

PAST, FUTURE, FUTURE_AND_SELF = (-999, 0), (1, 999), (0, 999)


def mask_plain(draw: Draw) -> list[Version]:
    """Return attention that looks back and attention that looks ahead, alone and with a residual connection."""
    seeds = [_seed(draw) for _ in range(6)]
    return [
        _version("causal attention", "인과적 어텐션", "attention", False, [PAST] * 2, seeds[0]),
        _version("attention upside down", "거꾸로 된 어텐션", "attention", True, [FUTURE] * 2, seeds[1]),
        _version(
            "causal attention in tensors",
            "텐서로 계산하는 인과적 어텐션",
            "attention",
            False,
            [PAST] * 3,
            seeds[2],
            library="keras",
        ),
        _version(
            "attention upside down in tensors",
            "텐서로 계산하는 거꾸로 된 어텐션",
            *("attention", True, [FUTURE] * 3, seeds[3]),
            library="keras",
        ),
        _version(
            "causal attention with a residual connection",
            "잔차 연결이 있는 인과적 어텐션",
            *("attention", False, [PAST], seeds[4]),
            around="residual",
        ),
        _version(
            "attention upside down that also sees itself",
            "자기 자신도 보는 거꾸로 된 어텐션",
            *("attention", True, [FUTURE_AND_SELF], seeds[5]),
            around="residual",
        ),
    ]


def mask_near(draw: Draw) -> list[Version]:
    """Return attention that sees a few steps only, and attention with one head upside down."""
    seeds = [_seed(draw) for _ in range(6)]
    return [
        _version(
            "attention that looks back two steps",
            "두 걸음 앞까지 돌아보는 어텐션",
            "attention",
            False,
            [(-2, 0)] * 2,
            seeds[0],
        ),
        _version(
            "attention that looks ahead one step",
            "한 걸음 뒤까지 내다보는 어텐션",
            "attention",
            True,
            [(0, 1)] * 2,
            seeds[1],
        ),
        _version(
            "attention with one head of three upside down",
            "헤드 셋 가운데 하나가 거꾸로 된 어텐션",
            *("attention", True, [PAST, FUTURE, PAST], seeds[2]),
        ),
        _version(
            "causal attention whose heads look back differently far",
            "헤드마다 돌아보는 거리가 다른 인과적 어텐션",
            *("attention", False, [PAST, (-1, 0), (-3, 0)], seeds[3]),
        ),
        _version(
            "attention with one head of four that looks ahead one step",
            "헤드 넷 가운데 하나가 한 걸음 뒤를 내다보는 어텐션",
            *("attention", True, [PAST, PAST, (1, 1), PAST], seeds[4]),
        ),
        _version(
            "attention that looks two and three steps ahead, past the next one",
            "바로 다음을 건너뛰고 두세 걸음 뒤를 내다보는 어텐션",
            *("attention", True, [(2, 3)] * 2, seeds[5]),
        ),
    ]


def mask_around(draw: Draw) -> list[Version]:
    """Return attention before and behind normalisations, with rounding, and where it counts for little."""
    seeds = [_seed(draw) for _ in range(9)]
    return [
        _version(
            "causal attention behind a normalisation",
            "정규화 뒤의 인과적 어텐션",
            *("attention", False, [PAST] * 2, seeds[0]),
            around="before",
        ),
        _version(
            "attention upside down behind a normalisation",
            "정규화 뒤의 거꾸로 된 어텐션",
            *("attention", True, [FUTURE] * 2, seeds[1]),
            around="before",
        ),
        _version(
            "causal attention before a normalisation",
            "정규화 앞의 인과적 어텐션",
            *("attention", False, [PAST] * 2, seeds[2]),
            around="after",
        ),
        _version(
            "attention upside down before a normalisation",
            "정규화 앞의 거꾸로 된 어텐션",
            *("attention", True, [FUTURE] * 2, seeds[3]),
            around="after",
        ),
        _version(
            "causal attention that rounds",
            "반올림하는 인과적 어텐션",
            "attention",
            False,
            [PAST] * 2,
            seeds[4],
            noise=5e-8,
        ),
        _version(
            "attention upside down whose scores fall with distance",
            "멀수록 점수가 낮아지는 거꾸로 된 어텐션",
            *("attention", True, [FUTURE] * 2, seeds[5]),
            slope=0.5,
        ),
        _version(
            "attention upside down behind a division by the root mean square",
            "제곱평균제곱근으로 나눈 뒤의 거꾸로 된 어텐션",
            *("attention", True, [FUTURE] * 2, seeds[6]),
            around="root",
        ),
        _version(
            "attention upside down that adds little to its input",
            "입력에 조금만 더하는 거꾸로 된 어텐션",
            *("attention", True, [FUTURE_AND_SELF] * 3, seeds[7]),
            around="residual",
            share=0.03,
        ),
        _version(
            "causal attention that adds little to its input",
            "입력에 조금만 더하는 인과적 어텐션",
            *("attention", False, [PAST] * 3, seeds[8]),
            around="residual",
            share=0.03,
        ),
    ]


def test_inverted_answer(probe: Probe, draw: Draw) -> None:
    for version in mask_plain(draw)[:2]:
        _verdict(probe, "detect_inverted_mask", version)


def test_inverted_plain(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_inverted_mask", mask_plain(draw), MASK_PANEL)


def test_inverted_near(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_inverted_mask", mask_near(draw), MASK_PANEL)


def test_inverted_around(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_inverted_mask", mask_around(draw), MASK_PANEL)


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


def _wrong_blocks(x: Array, parts: BlockParts) -> dict[str, Array]:
    attend, feed_forward, norm_1, norm_2 = parts.here
    attended = x + attend(norm_1(x))
    answer = feed_forward(norm_2(attended))
    return {
        "block-still-lost": x + attended,
        "block-attention-only": attended,
        "block-residual-from-x": x + answer,
        "block-no-residual": answer,
        "block-x-twice": x + attended + answer,
        "block-not-normalised": attended + feed_forward(attended),
        "block-first-norm-twice": attended + feed_forward(norm_1(attended)),
        "block-normalised-residual": norm_2(attended) + answer,
        "block-beside": attended + feed_forward(norm_2(x)),
        "block-post-norm": norm_2(attended + feed_forward(attended)),
    }


def test_block_shape(probe: Probe, draw: Draw) -> None:
    batch, seq_len, dim = draw.distinct(3, 2, 7)
    x = draw.normal(batch, seq_len, dim)
    both = {"block-two-results": (2, *x.shape)}
    expect_shape(probe.call("connect_block", x, *_block_parts(probe, draw, dim).given), x.shape, FEATURES, both)


def test_block_reaches(probe: Probe, draw: Draw) -> None:
    batch, seq_len, dim = draw.distinct(3, 2, 7)
    x = draw.normal(batch, seq_len, dim)
    parts, others = _block_parts(probe, draw, dim), _block_parts(probe, draw, dim)
    outputs = [
        expect_shape(probe.call("connect_block", x, *given), x.shape, FEATURES)
        for given in (parts.given, (parts.given[0], others.given[1], *parts.given[2:]))
    ]
    matches = [name for name, wrong in _wrong_blocks(x, parts).items() if np.allclose(outputs[0], wrong, atol=1e-3)]
    expect_that(
        bool(np.abs(outputs[0] - outputs[1]).max(axis=-1).min() > 1e-3),
        Text(
            "Another feed-forward network gives the same output: its answer is lost.",
            "피드포워드 신경망을 바꾸어도 출력이 같습니다. 그 답이 사라지고 있습니다.",
        ),
        matches[0] if len(matches) == 1 else None,
    )


def test_block_values(probe: Probe, draw: Draw) -> None:
    for _ in range(2):
        batch, seq_len, dim = draw.distinct(3, 2, 7)
        x = draw.normal(batch, seq_len, dim)
        parts = _block_parts(probe, draw, dim)
        expect_close(
            probe.call("connect_block", x, *parts.given),
            oracle.connect_block(x, *parts.here),
            OUTPUT,
            FEATURES,
            _wrong_blocks(x, parts),
        )


# --- detect-dropped-feed-forward -------------------------------------------------------------------------------------


def block_plain(draw: Draw) -> list[Version]:
    """Return pre-norm blocks that use the answer and blocks that lose it."""
    seeds = [_seed(draw) for _ in range(6)]
    return [
        _version("a pre-norm block", "사전 정규화 블록", "block", False, (0, 1, 1), seeds[0]),
        _version(
            "a pre-norm block that adds its input instead of the answer",
            "답 대신 입력을 더하는 사전 정규화 블록",
            *("block", True, (1, 1, 0), seeds[1]),
        ),
        _version(
            "a pre-norm block in tensors",
            "텐서로 계산하는 사전 정규화 블록",
            "block",
            False,
            (0, 1, 1),
            seeds[2],
            library="keras",
        ),
        _version(
            "a block in tensors that ends after attention",
            "텐서로 계산하고 어텐션에서 끝나는 블록",
            *("block", True, (0, 1, 0), seeds[3]),
            library="keras",
        ),
        _version(
            "a block that never asks the network",
            "신경망을 부르지 않는 블록",
            *("block", True, (0, 1, 0), seeds[4]),
            asks=False,
        ),
        _version(
            "a block whose sublayers stand side by side",
            "두 하위 계층이 나란히 있는 블록",
            *("block", False, (0, 1, 1), seeds[5]),
            order="beside",
        ),
    ]


def block_after(draw: Draw) -> list[Version]:
    """Return post-norm blocks."""
    seeds = [_seed(draw) for _ in range(5)]
    return [
        _version("a post-norm block", "사후 정규화 블록", "block", False, (0, 1, 1), seeds[0], order="after"),
        _version(
            "a post-norm block that loses the answer",
            "답을 잃는 사후 정규화 블록",
            *("block", True, (0, 1, 0), seeds[1]),
            order="after",
        ),
        _version(
            "a post-norm block in tensors",
            "텐서로 계산하는 사후 정규화 블록",
            *("block", False, (0, 1, 1), seeds[2]),
            order="after",
            library="keras",
        ),
        _version(
            "a post-norm block that adds its input instead of the answer",
            "답 대신 입력을 더하는 사후 정규화 블록",
            *("block", True, (1, 1, 0), seeds[3]),
            order="after",
        ),
        _version(
            "a block that divides by the root mean square after each sublayer",
            "하위 계층마다 그 뒤에서 제곱평균제곱근으로 나누는 블록",
            *("block", False, (0, 1, 1), seeds[4]),
            order="root",
        ),
    ]


def block_partly(draw: Draw) -> list[Version]:
    """Return blocks in which the answer counts for little, and blocks in which it reaches a part only."""
    seeds = [_seed(draw) for _ in range(8)]
    return [
        _version(
            "a block that adds a small share of the answer",
            "답을 조금만 더하는 블록",
            "block",
            False,
            (0, 1, 0.02),
            seeds[0],
        ),
        _version(
            "a block in which the answer reaches the first two positions only",
            "답이 처음 두 위치에만 닿는 블록",
            *("block", True, (0, 1, 1), seeds[1]),
            positions=(None, 2),
        ),
        _version(
            "a block in which the answer doesn't reach the last position",
            "답이 마지막 위치에 닿지 않는 블록",
            *("block", True, (0, 1, 1), seeds[2]),
            positions=(None, -1),
        ),
        _version(
            "a block in which the answer reaches the first sequence only",
            "답이 첫 시퀀스에만 닿는 블록",
            *("block", True, (0, 1, 1), seeds[3]),
            sequences=(None, 1),
        ),
        _version(
            "a post-norm block that adds half of the answer",
            "답의 절반을 더하는 사후 정규화 블록",
            *("block", False, (0, 1, 0.5), seeds[4]),
            order="after",
        ),
        _version(
            "a block in which the answer doesn't reach the first position",
            "답이 첫 위치에 닿지 않는 블록",
            *("block", True, (0, 1, 1), seeds[5]),
            positions=(1, None),
        ),
        _version(
            "a block in which the answer reaches the first and the last position only",
            "답이 첫 위치와 마지막 위치에만 닿는 블록",
            *("block", True, (0, 1, 1), seeds[6]),
            ends=True,
        ),
        _version(
            "a block in which the answer doesn't reach the first sequence",
            "답이 첫 시퀀스에 닿지 않는 블록",
            *("block", True, (0, 1, 1), seeds[7]),
            sequences=(1, None),
        ),
    ]


def test_dropped_answer(probe: Probe, draw: Draw) -> None:
    for version in block_plain(draw)[:2]:
        _verdict(probe, "detect_dropped_feed_forward", version)


def test_dropped_plain(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_dropped_feed_forward", block_plain(draw), BLOCK_PANEL)


def test_dropped_after(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_dropped_feed_forward", block_after(draw), BLOCK_PANEL)


def test_dropped_partly(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_dropped_feed_forward", block_partly(draw), BLOCK_PANEL)


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
    rules: dict[str, Callable[[int, int], int]] = {
        "heads-still-swapped": lambda _, head_dim: head_dim,
        "heads-one": lambda *_: 1,
        "heads-d-model": lambda num_heads, head_dim: num_heads * head_dim,
        "heads-two": lambda *_: answers[0].shape[1] if answers[0].ndim > 1 else 0,
        "heads-larger-number": max,
        "heads-smaller-number": min,
    }
    fitting = [
        name
        for name, rule in rules.items()  # one size alone may fit a rule by chance
        if all(answer.shape == (2, rule(*size), 7, 7) for answer, size in zip(answers, sizes, strict=True))
    ]
    for answer, (num_heads, _) in zip(answers, sizes, strict=True):
        expect_shape(answer, (2, num_heads, 7, 7), HEADS, {name: answer.shape for name in fitting})


def _known_shapes(draw: Draw, num_heads: int, head_dim: int) -> dict[str, list[tuple[int, ...]]]:
    """Return the shapes of the weights that each known mistake gives for these sizes."""
    d_model, sizes = num_heads * head_dim, (num_heads, head_dim)
    kinds = {
        "heads-still-swapped": (head_dim, num_heads),
        "heads-larger-number": (max(sizes), min(sizes)),
        "heads-smaller-number": (min(sizes), max(sizes)),
        "heads-full-width": (num_heads, d_model),
        "heads-one": (1, d_model),
        "heads-as-wide-as-many": (num_heads, num_heads),
        "heads-d-model": (d_model, head_dim),
    }
    weights = {name: _attention_weights(draw, d_model, *kind) for name, kind in kinds.items()}
    right = _attention_weights(draw, d_model, *sizes)
    weights["heads-without-bias"] = {name: value for name, value in right.items() if name.endswith("kernel")}
    return {name: sorted(w.shape for w in of_kind.values()) for name, of_kind in weights.items()}


def test_heads_values(probe: Probe, draw: Draw) -> None:
    sizes = _head_sizes(draw)
    for num_heads, head_dim in (sizes, sizes[::-1]):
        d_model = num_heads * head_dim
        x = draw.normal(2, 7, d_model)
        layer, _ = _called(probe, num_heads, head_dim, x)
        weights = _attention_weights(draw, d_model, num_heads, head_dim)
        shapes = sorted(w.shape for w in layer.weights())
        if shapes != sorted(w.shape for w in weights.values()):
            other, _ = _called(probe, head_dim, num_heads, x)  # one size alone may fit a mistake by chance
            others = sorted(w.shape for w in other.weights())
            first, second = _known_shapes(draw, num_heads, head_dim), _known_shapes(draw, head_dim, num_heads)
            fitting = [name for name in first if (first[name], second[name]) == (shapes, others)]
            raise Miss(
                Text(
                    f"The weights have the shapes {shapes}; they should be those of {num_heads} heads with {head_dim} features each.",
                    f"가중치의 모양이 {shapes}입니다. 특징이 {head_dim}개씩인 헤드 {num_heads}개의 모양이어야 합니다.",
                ),
                fitting[0] if len(fitting) == 1 else None,
            )
        layer.assign(weights)
        output, shares = _output_and_weights(layer, x)
        right_output, right_shares = oracle.self_attention(weights, x)
        expect_close(shares, right_shares, ATTENTION_WEIGHTS, HEADS)
        expect_close(output, right_output, OUTPUT, "(batch, seq_len, d_model)")
        in_training, _ = _output_and_weights(layer, x, training=True)
        expect_that(
            is_close(in_training, output),
            Text(
                "In training the output is another: everything but the sizes should be as Keras has it, without dropout.",
                "학습 때의 출력이 다릅니다. 크기 말고는 모두 케라스의 기본값대로, 드롭아웃 없이 두세요.",
            ),
            "heads-with-dropout",
        )


# --- detect-swapped-arguments ----------------------------------------------------------------------------------------

NEVER, ALWAYS = (0.0, 0.0), (0.0, 999.0)


def heads_plain(draw: Draw) -> list[Version]:
    """Return builders that are right and builders that swap."""
    seeds = [_seed(draw) for _ in range(4)]
    return [
        _version("a builder that is right", "올바른 것", "heads", False, *NEVER, seeds[0]),
        _version("a builder that swaps", "바꾸는 것", "heads", True, *ALWAYS, seeds[1]),
        _version(
            "a builder of Keras's layers",
            "케라스의 계층을 만드는 것",
            "heads",
            False,
            *NEVER,
            seeds[2],
            library="keras",
        ),
        _version(
            "a builder of Keras's layers that swaps",
            "케라스의 계층을 만들며 바꾸는 것",
            *("heads", True, *ALWAYS, seeds[3]),
            library="keras",
        ),
    ]


def heads_sometimes(draw: Draw) -> list[Version]:
    """Return builders that swap at some sizes only."""
    seeds = [_seed(draw) for _ in range(3)]
    return [
        _version(
            "a builder that swaps where there are more heads than features in a head",
            "헤드의 수가 헤드의 특징 수보다 많을 때 바꾸는 것",
            *("heads", True, 1.0, 999.0, seeds[0]),
        ),
        _version(
            "a builder that swaps where there are fewer heads than features in a head",
            "헤드의 수가 헤드의 특징 수보다 적을 때 바꾸는 것",
            *("heads", True, 0.0, 1.0, seeds[1]),
        ),
        _version("a builder that never swaps", "결코 바꾸지 않는 것", "heads", False, *NEVER, seeds[2]),
    ]


def test_swapped_answer(probe: Probe, draw: Draw) -> None:
    for version in heads_plain(draw)[:2]:
        _verdict(probe, "detect_swapped_arguments", version)


def test_swapped_plain(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_swapped_arguments", heads_plain(draw), HEADS_PANEL)


def test_swapped_sometimes(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_swapped_arguments", heads_sometimes(draw), HEADS_PANEL)


# --- fix-head-scaling ------------------------------------------------------------------------------------------------


def _queries_and_keys(draw: Draw, batch: int, num_heads: int, head_dim: int) -> tuple[Array, Array]:
    query_len, key_len = draw.choice([(5, 7), (7, 10), (8, 5), (10, 8)])  # no square, no width of a head
    d_model = num_heads * head_dim
    return draw.normal(batch, query_len, d_model), draw.normal(batch, key_len, d_model)


def _expect_weights(probe: Probe, query: Array, key: Array, num_heads: int) -> None:
    head_dim = query.shape[-1] // num_heads
    divisors = {
        "scale-still-d-model": (query.shape[-1]) ** 0.5,
        "scale-none": 1.0,
        "scale-not-the-root": float(head_dim),
        "scale-num-heads": num_heads**0.5,
        "scale-rounded": float(int(head_dim**0.5)),
        "scale-fixed": 2.0,
        "scale-key-len": key.shape[1] ** 0.5,
        "scale-twice": head_dim**0.5 * query.shape[-1] ** 0.5,
        "scale-multiplied": head_dim**-0.5,
    }
    right = oracle.head_weights(query, key, num_heads)
    confusions: dict[str, Array] = {}
    for name, divisor in divisors.items():
        factor = head_dim**0.5 / divisor
        confusions[name] = oracle.head_weights(query * factor, key, num_heads)
    answer = probe.call("head_weights", query, key, num_heads)
    expect_close(answer, right, ATTENTION_WEIGHTS, WEIGHTS, confusions)


def test_scale_shape(probe: Probe, draw: Draw) -> None:
    query, key = _queries_and_keys(draw, 2, 3, 5)
    shape = (2, 3, query.shape[1], key.shape[1])
    got = expect_shape(probe.call("head_weights", query, key, 3), shape, WEIGHTS)
    expect_that(
        bool(np.allclose(got.sum(axis=-1), 1, atol=1e-3)),
        Text(
            "The rows of weights don't add up to 1: is the scale applied after the softmax?",
            "가중치의 행의 합이 1이 아닙니다. 소프트맥스 뒤에서 스케일하고 있지 않나요?",
        ),
        "scale-after-softmax",
    )


def test_scale_squares(probe: Probe, draw: Draw) -> None:
    query, key = _queries_and_keys(draw, 2, 3, 4)
    _expect_weights(probe, query, key, 3)


def test_scale_any(probe: Probe, draw: Draw) -> None:
    for batch, num_heads, head_dim in ((3, 2, 11), (1, 5, 3), (2, 4, 6)):
        query, key = _queries_and_keys(draw, batch, num_heads, head_dim)
        _expect_weights(probe, query, key, num_heads)


# --- detect-head-scaling ---------------------------------------------------------------------------------------------

RIGHT_SCALE, ROOT_OF_D_MODEL = (0.5, 0.0), (0.5, 0.5)


# Right, and made as the broken ones of a line are: nothing but what it computes tells it apart.
ROOT_AT_ONCE = _version("the root of head_dim", "head_dim의 제곱근", "weights", False, RIGHT_SCALE)


def scale_plain(draw: Draw) -> list[Version]:
    """Return versions that divide by the root of head_dim and of d_model."""
    return [
        _version("the root of head_dim", "head_dim의 제곱근", "weights", False, RIGHT_SCALE),
        _version("the root of d_model", "d_model의 제곱근", "weights", True, ROOT_OF_D_MODEL),
        _version(
            "the root of head_dim, in tensors",
            "텐서에서 head_dim의 제곱근",
            "weights",
            False,
            RIGHT_SCALE,
            style="keras",
        ),
        _version(
            "the root of d_model, in tensors",
            "텐서에서 d_model의 제곱근",
            "weights",
            True,
            ROOT_OF_D_MODEL,
            style="keras",
        ),
        _version(
            "queries and keys each divided by the fourth root of head_dim",
            "쿼리와 키를 저마다 head_dim의 네제곱근으로",
            *("weights", False, RIGHT_SCALE),
            style="shared",
        ),
        _version(
            "the root of d_model, head by head",
            "헤드마다 d_model의 제곱근",
            "weights",
            True,
            ROOT_OF_D_MODEL,
            style="loop",
        ),
    ]


def scale_one_head(draw: Draw) -> list[Version]:
    """Return versions with the wrong scale in one head, or in all but one."""
    return [
        _version(
            "the root of d_model in the last head",
            "마지막 헤드에서만 d_model의 제곱근",
            *("weights", True, RIGHT_SCALE),
            of_last=ROOT_OF_D_MODEL,
        ),
        _version(
            "the root of d_model in all heads but the last",
            "마지막을 뺀 모든 헤드에서 d_model의 제곱근",
            *("weights", True, ROOT_OF_D_MODEL),
            of_last=RIGHT_SCALE,
        ),
        _version(
            "the root of head_dim, head by head",
            "헤드마다 head_dim의 제곱근",
            "weights",
            False,
            RIGHT_SCALE,
            style="loop",
        ),
    ]


def scale_otherwise(draw: Draw) -> list[Version]:
    """Return versions that divide by other numbers."""
    return [
        _version("no division", "나누지 않음", "weights", True, (0.0, 0.0)),
        _version("head_dim without the root", "제곱근이 아닌 head_dim", "weights", True, (1.0, 0.0)),
        _version(
            "the root of head_dim rounded down", "내림한 head_dim의 제곱근", "weights", True, RIGHT_SCALE, rounds=True
        ),
        _version("the root of num_heads", "num_heads의 제곱근", "weights", True, (0.0, 0.5)),
        _version("the root of head_dim", "head_dim의 제곱근", "weights", False, RIGHT_SCALE, style="shared"),
    ]


def test_scaling_answer(probe: Probe, draw: Draw) -> None:
    for version in scale_plain(draw)[:2]:
        _verdict(probe, "detect_head_scaling", version)


def test_scaling_plain(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_head_scaling", scale_plain(draw), SCALE_PANEL)


def test_scaling_one_head(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_head_scaling", [*scale_one_head(draw), ROOT_AT_ONCE], SCALE_PANEL)


def test_scaling_otherwise(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_head_scaling", [*scale_otherwise(draw), ROOT_AT_ONCE], SCALE_PANEL)


# --- fix-shifted-target ----------------------------------------------------------------------------------------------


def _target_ids(draw: Draw, batch: int, length: int) -> np.ndarray:
    """Draw rows <bos>, different words, <eos>, padding; the first is full."""
    ids = np.zeros((batch, length), dtype=np.int64)
    for row in range(batch):
        count = length if row == 0 else draw.integer(4, length)
        ids[row, :count] = [1, *draw.distinct(count - 2, 4, 99), 2]
    return ids


def _made_pair(probe: Probe, ids: np.ndarray) -> tuple[Array, Array]:
    answer = probe.call("make_pairs", ids)
    parts = answer if isinstance(answer, tuple) else ()
    if isinstance(answer, np.ndarray) and answer.ndim == 3 and len(answer) == 2:
        parts = tuple(answer)
    expect_that(
        len(parts) == 2,
        Text(
            "It should return two arrays, (decoder_input, labels).",
            "배열 둘 (decoder_input, labels)를 돌려주어야 합니다.",
        ),
        "pairs-labels-alone" if isinstance(answer, np.ndarray) else None,
    )
    shape = (len(ids), ids.shape[1] - 1)
    whole = {"pairs-whole-rows": ids.shape}
    first, second = (expect_shape(part, shape, PAIR, whole) for part in parts)
    return first, second


def _wrong_labels(ids: np.ndarray) -> dict[str, Array]:
    padded = np.concatenate([ids, np.zeros_like(ids[:, :1])], axis=1)
    return {
        "pairs-still-unshifted": ids[:, :-1],
        "pairs-two-steps": padded[:, 2:],
        "pairs-rolled-back": np.roll(ids, 1, axis=1)[:, :-1],
        "pairs-reversed": ids[:, :0:-1],
    }


def test_pairs_shape(probe: Probe, draw: Draw) -> None:
    _made_pair(probe, _target_ids(draw, 3, draw.integer(6, 9)))


def test_pairs_labels(probe: Probe, draw: Draw) -> None:
    ids = _target_ids(draw, 3, draw.integer(6, 9))
    decoder_input, labels = _made_pair(probe, ids)
    what = Text("the labels", "라벨")
    wrong = _wrong_labels(ids)
    if np.array_equal(decoder_input, ids[:, 1:]):
        wrong = {"pairs-other-way": ids[:, :-1]}
    expect_close(labels, oracle.make_pairs(ids)[1], what, PAIR, wrong)


def test_pairs_input(probe: Probe, draw: Draw) -> None:
    for batch, length in ((4, draw.integer(6, 9)), (1, draw.integer(10, 12))):
        ids = _target_ids(draw, batch, length)
        got = _made_pair(probe, ids)
        confusions = {"pairs-both-shifted": ids[:, 1:], "pairs-without-eos": np.where(ids == 2, 0, ids)[:, :-1]}
        right = oracle.make_pairs(ids)
        expect_close(got[1], right[1], Text("the labels", "라벨"), PAIR)
        expect_close(got[0], right[0], Text("the decoder's input", "디코더의 입력"), PAIR, confusions)


# --- detect-shifted-target -------------------------------------------------------------------------------------------


SHIFTED_SLICES = _version(
    "shifted labels in slices", "슬라이스로 만든, 민 라벨", "pairs", False, (0, 1)
)  # as ROOT_AT_ONCE


def pairs_plain(draw: Draw) -> list[Version]:
    """Return versions that shift and versions that don't."""
    return [
        _version("labels that are shifted", "민 라벨", "pairs", False, (0, 1)),
        _version("labels that are the inputs", "곧 입력인 라벨", "pairs", True, (0, 0)),
        _version("labels that are shifted, as tensors", "텐서로 된, 민 라벨", "pairs", False, (0, 1), style="keras"),
        _version(
            "labels that are the inputs, as tensors", "텐서로 된, 곧 입력인 라벨", "pairs", True, (0, 0), style="keras"
        ),
        _version("shifted labels made in a loop", "반복문으로 만든, 민 라벨", "pairs", False, (0, 1), style="loop"),
        _version("labels and inputs both shifted", "라벨과 입력을 둘 다 민 것", "pairs", True, (1, 1), style="gather"),
    ]


def pairs_otherwise(draw: Draw) -> list[Version]:
    """Return versions whose labels and inputs differ in other ways."""
    return [
        _version("labels shifted by two", "두 칸 민 라벨", "pairs", True, (0, 2)),
        _version("the inputs shifted instead of the labels", "라벨 대신 입력을 민 것", "pairs", True, (1, 0)),
        _version("both shifted, the labels by one more", "둘 다 밀되 라벨을 한 칸 더 민 것", "pairs", True, (1, 2)),
        _version("shifted labels", "민 라벨", "pairs", False, (0, 1), style="gather"),
    ]


def pairs_partly(draw: Draw) -> list[Version]:
    """Return versions that shift in some sequences or at some positions only."""
    return [
        _version(
            "labels shifted in the first sequence only",
            "첫 시퀀스에서만 민 라벨",
            "pairs",
            True,
            (0, 1),
            (0, 0),
            keep=1,
        ),
        _version(
            "labels shifted in sequences without padding only",
            "패딩이 없는 시퀀스에서만 민 라벨",
            *("pairs", True, (0, 1), (0, 0)),
        ),
        _version(
            "labels shifted in sequences with padding only",
            "패딩이 있는 시퀀스에서만 민 라벨",
            *("pairs", True, (0, 0), (0, 1)),
        ),
        _version(
            "labels shifted in all sequences but the first",
            "첫 시퀀스를 뺀 모든 시퀀스에서 민 라벨",
            *("pairs", True, (0, 0), (0, 1)),
            keep=1,
        ),
        _version(
            "labels rolled around, so that the first token is the last label",
            "첫 토큰이 마지막 라벨이 되도록 돌려 민 라벨",
            *("pairs", True, (0, 1)),
            style="rolled",
        ),
        _version("labels shifted in all sequences", "모든 시퀀스에서 민 라벨", "pairs", False, (0, 1), style="loop"),
    ]


def test_shifted_answer(probe: Probe, draw: Draw) -> None:
    for version in pairs_plain(draw)[:2]:
        _verdict(probe, "detect_shifted_target", version)


def test_shifted_plain(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_shifted_target", pairs_plain(draw), PAIRS_PANEL)


def test_shifted_otherwise(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_shifted_target", [*pairs_otherwise(draw), SHIFTED_SLICES], PAIRS_PANEL)


def test_shifted_partly(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, "detect_shifted_target", [*pairs_partly(draw), SHIFTED_SLICES], PAIRS_PANEL)


# --- how known blunt checks judge a panel ----------------------------------------------------------------------------

_PANEL = Draw("panel")
MASK_PANEL = [*mask_plain(_PANEL), *mask_near(_PANEL), *mask_around(_PANEL)]
BLOCK_PANEL = [*block_plain(_PANEL), *block_after(_PANEL), *block_partly(_PANEL)]
HEADS_PANEL = [*heads_plain(_PANEL), *heads_sometimes(_PANEL)]
SCALE_PANEL = [*scale_plain(_PANEL), *scale_one_head(_PANEL), *scale_otherwise(_PANEL)]
PAIRS_PANEL = [*pairs_plain(_PANEL), *pairs_otherwise(_PANEL), *pairs_partly(_PANEL)]

NO_RETURN = {
    "detect_inverted_mask": "inverted-no-return",
    "detect_swapped_arguments": "swapped-no-return",
    "detect_head_scaling": "scaling-no-return",
}
RETURNS_MORE = {
    "detect_inverted_mask": "inverted-each-position",
    "detect_dropped_feed_forward": "dropped-each-position",
    "detect_head_scaling": "scaling-each-head",
    "detect_shifted_target": "shifted-each-position",
}

# check -> mistake -> what it says of each version of the panel: T broken, F well, E an exception
HABITS: dict[str, dict[str, str]] = {
    "detect_inverted_mask": {
        "inverted-always": "TTTTTTTTTTTTTTTTTTTTT",
        "inverted-finds-nothing": "FFFFFFFFFFFFFFFFFFFFF",
        "inverted-last-to-first": "FTFTFTFFTFFFFTFTFTTTF",
        "inverted-last-row-only": "FFFFFTTTFFFFFFFFFFFTF",
        "inverted-blind-to-the-past": "FFFFFTFTFFFFFFFFFFFTF",
        "inverted-adds-a-constant": "FTFTFTFTTFTTFFFTFTTTF",
        "inverted-scales": "FTFTFTFTTFTTFFFTFTFTF",
        "inverted-exactly-equal": "FTFTFTFTTFTTFTFTTTTTF",
        "inverted-large-threshold": "FTFTFTFTTFTTFTFTFTTFF",
        "inverted-first-try-only": "FTFTFTFTTFTFFTFTFTTTF",
        "inverted-shuffles-the-future": "FFFFFFFTFFTTFFFFFTFFF",
    },
    "detect_dropped_feed_forward": {
        "dropped-always": "TTTTTTTTTTTTTTTTTTT",
        "dropped-finds-nothing": "FFFFFFFFFFFFFFFFFFF",
        "dropped-counts-calls": "FFFFTFFFFFFFFFFFFFF",
        "dropped-constants": "FTFTTFTTTTFFTTTTTTT",
        "dropped-stretches": "FTFTTFTTTTTFTTTTTTT",
        "dropped-first-position-only": "FTFTTFFTFTFFFFTFTFT",
        "dropped-last-position-only": "FTFTTFFTFTFFTTTFFFT",
        "dropped-anywhere": "FTFTTFFTFTFFFFFFFFF",
        "dropped-ends-only": "FTFTTFFTFTFFTTTFTFT",
        "dropped-any-sequence": "FTFTTFFTFTFFTTFFTTF",
        "dropped-one-sequence": "FTFTTFFTFTFFTTFFTTT",
        "dropped-coarse": "FTFTTFFTFTFTTTTFTTT",
        "dropped-reversed": "TFTFFTTFTFTTFFFTFFF",
    },
    "detect_swapped_arguments": {
        "swapped-always": "TTTTTTT",
        "swapped-finds-nothing": "FFFFFFF",
        "swapped-few-heads-only": "FTFTFTF",
        "swapped-many-heads-only": "FTFTTFF",
        "swapped-reversed": "TFTFTFT",
    },
    "detect_head_scaling": {
        "scaling-always": "TTTTTTTTTTTTTT",
        "scaling-finds-nothing": "FFFFFFFFFFFFFF",
        "scaling-one-head": "FFFFFFFFFTTTTF",
        "scaling-square-width": "FTFTFTTTFTTFTF",
        "scaling-as-many-heads-as-features": "FTFTFTTTFTTTFF",
        "scaling-first-head-only": "FTFTFTFTFTTTTF",
        "scaling-last-head-only": "FTFTFTTFFTTTTF",
        "scaling-d-model-only": "FTFTFTFFFFFFFF",
        "scaling-wrong-reference": "TFTFTFTTTTTTTT",
        "scaling-exactly-equal": "FTTTTTTTFTTTTT",
        "scaling-largest-weight": "FTFTFTTTFFTFFF",
    },
    "detect_shifted_target": {
        "shifted-always": "TTTTTTTTTTTTTTTT",
        "shifted-finds-nothing": "FFFFFFFFFFFFFFFF",
        "shifted-only-differ": "FTFTFTFFFFFFFFFF",
        "shifted-first-sequence-only": "FTFTFTTTTFFFTTTF",
        "shifted-without-padding": "FTFTFTTTTFTFTTTF",
        "shifted-with-padding-only": "FTFTFTTTTFTTFTTF",
        "shifted-last-sequence-only": "FTFTFTTTTFTTFFTF",
        "shifted-first-position-only": "FTFTFTTTTFTTTTFF",
        "shifted-labels-only": "FTFTFFTTTFTTTTTF",
        "shifted-input-only": "FFFFFTFTTFFFFFFF",
        "shifted-relative-only": "FTFTFTTTFFTTTTFF",
        "shifted-reversed": "TFTFTFFFFTFFFFFT",
    },
}
