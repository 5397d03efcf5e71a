"""Hidden grader of 03-multi-head-attention.

Where a student's own attention weights can stand in for the right ones, they do: merging the heads and hiding keys are
then judged apart from the scores, and a wrong scale costs only the line about the weights.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from autograder.base.errors import AnswerError, AnswerRaised, AnswerUnreadable
from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
    Layer,
    Miss,
    Probe,
    expect_close,
    expect_number,
    expect_raises_value_error,
    expect_shape,
    expect_that,
    expect_tuple,
    expect_unchanged,
    expect_whole_number,
    is_close,
)

from .._shared.built_in_attention import BUILT_IN_ATTENTION
from . import reference as oracle

# What a layer from scratch may not reach; the class report says whose code names some of it.
FORBIDDEN = {"multi-head-layer": BUILT_IN_ATTENTION}

HEADS = "(batch, num_heads, seq_len, head_dim)"
MERGED = "(batch, seq_len, d_model)"
OUTPUT = "(batch, query_len, value_dim)"
LAYER_OUTPUT = "(batch, query_len, d_model)"
WEIGHTS = "(batch, num_heads, query_len, key_len)"
HALF = np.tile(np.repeat([1.0, 0.0], 3), (6, 1))  # a mask (6, 6)
TRAINING_STEP = Path(__file__).with_name("training_step.py").read_text(encoding="utf-8")
DENSE = ("query_dense", "key_dense", "value_dense", "output_dense")


def sizes(draw: Draw, count: int) -> tuple[int, int, list[int]]:
    """Return num_heads, head_dim and `count` further sizes; with num_heads * head_dim, no two are equal."""
    num_heads, head_dim = draw.distinct(2, 2, 5)
    taken = {num_heads, head_dim, num_heads * head_dim}
    free = [n for n in range(2, 10) if n not in taken]
    return num_heads, head_dim, [free[i] for i in draw.distinct(count, 0, len(free) - 1)]


def partial_mask(draw: Draw, *shape: int) -> Array:
    """Return a mask whose rows each hide at least one key and keep at least one."""
    mask = (draw.uniform(0, 1, *shape) < 0.4).astype(np.float64)
    first = draw.integers(0, shape[-1] - 1, *shape[:-1], 1)
    np.put_along_axis(mask, first, 1.0, axis=-1)
    np.put_along_axis(mask, (first + 1) % shape[-1], 0.0, axis=-1)
    return mask


# ------------------------------------------------------------------------------------------------------- split-heads


def test_split_shape(probe: Probe, draw: Draw) -> None:
    num_heads, head_dim, (batch, seq_len) = sizes(draw, 2)
    answer = probe.call("split_heads", draw.normal(batch, seq_len, num_heads * head_dim), num_heads)
    expect_shape(answer, (batch, num_heads, seq_len, head_dim), HEADS)


def test_split_one_token(probe: Probe, draw: Draw) -> None:
    num_heads, head_dim, (batch,) = sizes(draw, 1)
    x = draw.normal(batch, 1, num_heads * head_dim)
    expect_close(
        probe.call("split_heads", x, num_heads),
        oracle.split_heads(x, num_heads),
        Text("the heads of one token", "한 토큰의 헤드"),
        HEADS,
    )


def test_split_values(probe: Probe, draw: Draw) -> None:
    num_heads, head_dim, (batch, seq_len) = sizes(draw, 2)
    x = draw.normal(batch, seq_len, num_heads * head_dim)
    expect_close(
        probe.call("split_heads", x, num_heads),
        oracle.split_heads(x, num_heads),
        Text("the heads of several tokens", "여러 토큰의 헤드"),
        HEADS,
    )
    what = Text("a single head of several tokens", "헤드가 하나일 때 여러 토큰의 헤드")
    expect_close(probe.call("split_heads", x, 1), oracle.split_heads(x, 1), what, HEADS)
    what = Text("heads of one feature each", "특성이 하나씩인 헤드")
    expect_close(probe.call("split_heads", x, x.shape[-1]), oracle.split_heads(x, x.shape[-1]), what, HEADS)
    x = draw.normal(1, num_heads, num_heads * head_dim)
    what = Text("the heads of a single sequence of as many tokens as heads", "토큰이 헤드 수만큼인 시퀀스 하나의 헤드")
    expect_close(probe.call("split_heads", x, num_heads), oracle.split_heads(x, num_heads), what, HEADS)


def test_split_bad_heads(probe: Probe, draw: Draw) -> None:
    _, _, (batch, seq_len) = sizes(draw, 2)
    num_heads, d_model = bad_sizes(draw)
    x = draw.normal(batch, seq_len, d_model)

    def split() -> None:
        try:
            probe.call("split_heads", x, num_heads)
        except AnswerRaised as error:
            by_library = any(words in error.raw.lower() for words in ("reshape", "equal division"))
            if by_library and "num_heads" not in error.raw and "d_model" not in error.raw:
                text = Text(
                    "The reshape or split itself failed. Check it yourself before you reshape.",
                    "reshape나 split 자체에서 오류가 났습니다. reshape하기 전에 직접 확인하세요.",
                )
                raise Miss(text) from None
            raise

    expect_raises_value_error(split, ["num_heads", "d_model"], [num_heads, d_model], names_all=True)


def bad_sizes(draw: Draw) -> tuple[int, int]:
    """Return num_heads and a d_model that it doesn't divide; neither number stands in the other, so that each must be told."""
    num_heads = draw.integer(3, 6)
    return num_heads, draw.choice([n for n in range(7, 30) if n % num_heads and str(num_heads) not in str(n)])


# ------------------------------------------------------------------------------------------------------- merge-heads


def test_merge_shape(probe: Probe, draw: Draw) -> None:
    num_heads, head_dim, (batch, seq_len) = sizes(draw, 2)
    answer = probe.call("merge_heads", draw.normal(batch, num_heads, seq_len, head_dim))
    expect_shape(answer, (batch, seq_len, num_heads * head_dim), MERGED)


def test_merge_one_token(probe: Probe, draw: Draw) -> None:
    num_heads, head_dim, (batch,) = sizes(draw, 1)
    x = draw.normal(batch, num_heads, 1, head_dim)
    expect_close(
        probe.call("merge_heads", x),
        oracle.merge_heads(x),
        Text("the merged heads of one token", "한 토큰의 합친 헤드"),
        MERGED,
    )


def test_merge_values(probe: Probe, draw: Draw) -> None:
    num_heads, head_dim, (batch, seq_len) = sizes(draw, 2)
    x = draw.normal(batch, num_heads, seq_len, head_dim)
    expect_close(
        probe.call("merge_heads", x),
        oracle.merge_heads(x),
        Text("the merged heads of several tokens", "여러 토큰의 합친 헤드"),
        MERGED,
    )
    for part, what in (
        (x[:1, :1], Text("a single head of a single sequence", "시퀀스도 헤드도 하나일 때 합친 헤드")),
        (x[..., :1], Text("the merged heads of one feature each", "특성이 하나씩인 헤드를 합친 것")),
        (
            draw.normal(1, num_heads, num_heads, head_dim),
            Text(
                "the merged heads of a single sequence of as many tokens as heads",
                "토큰이 헤드 수만큼인 시퀀스 하나의 합친 헤드",
            ),
        ),
    ):
        expect_close(probe.call("merge_heads", part), oracle.merge_heads(part), what, MERGED)


# -------------------------------------------------------------------------------------------------------- multi-head


class Case:
    """A query, key and value for the function: no two sizes are equal, unless they are given; scores of about 1.5 in size.

    Args:
        draw: the random numbers of the rubric line.
        other_value_dim: whether values have another width than queries and keys.
        given: sizes instead of those that are drawn: `num_heads`, `head_dim`, `batch`, `query_len`, `key_len`.
    """

    def __init__(self, draw: Draw, other_value_dim: bool = False, given: Mapping[str, int] | None = None) -> None:
        self.num_heads, head_dim, (self.batch, self.query_len, self.key_len) = sizes(draw, 3)
        given = given or {}
        self.num_heads, head_dim = given.get("num_heads", self.num_heads), given.get("head_dim", head_dim)
        self.batch = given.get("batch", self.batch)
        self.query_len, self.key_len = given.get("query_len", self.query_len), given.get("key_len", self.key_len)
        d_model = self.value_dim = self.num_heads * head_dim
        if other_value_dim:
            self.value_dim = self.num_heads * draw.choice([n for n in range(2, 7) if n != head_dim])
        self.query = draw.normal(self.batch, self.query_len, d_model, scale=1.25)
        self.key = draw.normal(self.batch, self.key_len, d_model, scale=1.25)
        self.value = draw.normal(self.batch, self.key_len, self.value_dim)

    def ask(self, probe: Probe, mask: Array | None = None) -> tuple[Array, Array]:
        """Return the student's output and weights, once their shapes are right."""
        arguments = (self.query, self.key, self.value, self.num_heads)
        answer = probe.call("multi_head_attention", *arguments, **({} if mask is None else {"mask": mask}))
        output, weights = expect_tuple(answer, 2, Text("(output, weights)", "(출력, 가중치)"))
        return (
            expect_shape(
                output, (self.batch, self.query_len, self.value_dim), Text(f"the output {OUTPUT}", f"출력 {OUTPUT}")
            ),
            expect_shape(
                weights,
                (self.batch, self.num_heads, self.query_len, self.key_len),
                Text(f"the weights {WEIGHTS}", f"가중치 {WEIGHTS}"),
            ),
        )


def expect_distribution(weights: Array) -> None:
    """Miss unless every row of weights (batch, num_heads, query_len, key_len) is a distribution over the keys."""
    expect_that(
        bool((weights >= -1e-6).all()),
        Text("Attention weights can't be negative or NaN.", "어텐션 가중치는 음수나 NaN일 수 없습니다."),
    )
    expect_that(
        bool(np.allclose(weights.sum(axis=-1), 1, atol=1e-4)),
        Text(
            "The weights of each query should sum to 1 over the keys, in each head.",
            "헤드마다 한 쿼리의 가중치를 키를 따라 더하면 1이어야 합니다.",
        ),
    )


def test_multi_head_shapes(probe: Probe, draw: Draw) -> None:
    Case(draw).ask(probe)


def test_multi_head_distribution(probe: Probe, draw: Draw) -> None:
    _, weights = Case(draw).ask(probe)
    expect_distribution(weights)


def test_multi_head_weights(probe: Probe, draw: Draw) -> None:
    case = Case(draw)
    _, weights = case.ask(probe)
    # half of head_dim is 1 where it is 2, and then one that divides by it answers as one that doesn't divide
    probe.tell_apart(lambda: probe.call("multi_head_attention", *(draw.normal(2, 4, 10) for _ in range(3)), 2))
    expected = oracle.multi_head_weights(case.query, case.key, case.num_heads)
    expect_close(weights, expected, Text("the attention weights", "어텐션 가중치"), WEIGHTS)
    for given, what in SPECIAL_SIZES:
        case = Case(draw, given=given)
        _, weights = case.ask(probe)
        of_these = Text(f"the attention weights of {what.en}", f"{what.ko}의 어텐션 가중치")
        expect_close(weights, oracle.multi_head_weights(case.query, case.key, case.num_heads), of_these, WEIGHTS)


SPECIAL_SIZES = (
    ({"query_len": 5, "key_len": 5}, Text("as many queries as keys", "쿼리와 키의 수가 같을 때")),
    ({"query_len": 1}, Text("a single query", "쿼리가 하나일 때")),
    ({"key_len": 1, "batch": 1}, Text("a single key of a single sequence", "시퀀스도 키도 하나일 때")),
    ({"num_heads": 1, "batch": 1}, Text("a single head and sequence", "시퀀스도 헤드도 하나일 때")),
    ({"head_dim": 1}, Text("heads of one feature", "헤드의 특성이 하나일 때")),
)


def test_multi_head_output(probe: Probe, draw: Draw) -> None:
    expect_output(probe, Case(draw))
    for given, what in SPECIAL_SIZES:
        expect_output(probe, Case(draw, given=given), what)


def test_multi_head_value_dim(probe: Probe, draw: Draw) -> None:
    case = Case(draw, other_value_dim=True)
    weights = expect_output(probe, case)
    # against the student's own weights: a wrong scale has cost its points already
    case.value, case.value_dim = draw.normal(*case.key.shape), case.key.shape[-1]
    _, with_usual_values = case.ask(probe)
    expect_that(
        bool(np.allclose(weights, with_usual_values, rtol=0, atol=1e-4)),
        Text(
            "The weights change with the width of the values, but only queries and keys make them.",
            "값의 너비에 따라 가중치가 달라집니다. 가중치는 쿼리와 키만으로 정해져야 합니다.",
        ),
    )


def expect_output(probe: Probe, case: Case, sizes_in_words: Text | None = None) -> Array:
    """Return the student's weights; miss unless the output follows from them."""
    output, weights = case.ask(probe)
    what = Text("the output, by the weights that you returned", "여러분이 돌려준 가중치에 따른 출력")
    if sizes_in_words is not None:
        what = Text(
            f"the output of {sizes_in_words.en}, by the weights that you returned",
            f"{sizes_in_words.ko}, 여러분이 돌려준 가중치에 따른 출력",
        )
    expect_close(output, oracle.attend(weights, case.value), what, OUTPUT)
    return weights


def test_multi_head_mask(probe: Probe, draw: Draw) -> None:
    case = Case(draw)
    mask = partial_mask(draw, case.query_len, case.key_len)
    free_output, free = case.ask(probe)
    output, weights = case.ask(probe, mask)

    def ask_with_half_hidden() -> None:
        query, keys, values = (draw.normal(case.batch, 6, case.query.shape[-1]) for _ in range(3))
        probe.call("multi_head_attention", query, keys, values, case.num_heads, mask=HALF)

    probe.tell_apart(ask_with_half_hidden)  # hidden keys that get all the weight, by their scores or in equal parts
    # a mask may be ignored for its number of axes alone
    probe.tell_apart(lambda: case.ask(probe, np.broadcast_to(mask, weights.shape)))
    what = Text("the weights under a mask", "마스크를 쓴 가중치")
    expect_close(weights, oracle.restrict(free, mask), what, WEIGHTS)
    expect_that(
        not np.allclose(output, oracle.attend(free, case.value), atol=1e-3),
        Text(
            "The mask changes your weights but not your output. Is the output made from the masked weights?",
            "마스크가 가중치는 바꾸지만 출력은 바꾸지 않습니다. 마스크를 쓴 가중치로 출력을 만들었나요?",
        ),
    )
    expect_output_to_follow(case, (free_output, free), (output, weights))


def expect_output_to_follow(case: Case, free: tuple[Array, Array], masked: tuple[Array, Array]) -> None:
    """Miss unless the output follows from the weights under a mask too; where it never does, that has cost its own line."""
    if not is_close(free[0], oracle.attend(free[1], case.value)):
        return
    what = Text(
        "the output under a mask, by the weights that you returned", "여러분이 돌려준 가중치에 따른, 마스크를 쓴 출력"
    )
    expect_close(masked[0], oracle.attend(masked[1], case.value), what, OUTPUT)


def test_multi_head_mask_broadcast(probe: Probe, draw: Draw) -> None:
    case = Case(draw)
    free_output, free = case.ask(probe)
    for words, rows in (("(batch, 1, 1, key_len)", 1), ("(batch, 1, query_len, key_len)", case.query_len)):
        mask = partial_mask(draw, case.batch, 1, rows, case.key_len)
        output, weights = case.ask(probe, mask)
        what = Text(f"the weights under a mask {words}", f"마스크 {words}을(를) 쓴 가중치")
        expect_close(weights, oracle.restrict(free, mask), what, WEIGHTS)
        expect_output_to_follow(case, (free_output, free), (output, weights))


def test_multi_head_mask_high_scores(probe: Probe, draw: Draw) -> None:
    case = Case(draw)
    case.query = draw.uniform(0.9, 1.1, *case.query.shape)
    case.key, mask = tempting_keys(draw, case.key.shape, case.query_len)
    _, weights = case.ask(probe, mask)
    expect_hidden(weights, mask)
    case.key = case.key - case.key[:, mask[0] > 0.5]  # the hidden key scores 0, the others hundreds below
    _, weights = case.ask(probe, mask)
    expect_hidden(weights, mask)


# Times queries and kernels near 1, this gives hidden scores of 800 to 2000 under the right scale and of 400 or more under
# a wrong one: too much for a constant such as -100, and for the exponential of the others' distance in float64; little for -1e4,
# -1e9 or -inf, also in float32.
TEMPTATION = 800.0


def tempting_keys(draw: Draw, shape: tuple[int, ...], query_len: int) -> tuple[Array, Array]:
    """Return keys (batch, key_len, width), one of which scores hundreds above the others, and the mask that hides it."""
    keys = draw.normal(*shape, scale=0.1)
    hidden = draw.integer(0, shape[1] - 1)
    keys[:, hidden] = TEMPTATION * draw.uniform(0.9, 1.1, shape[0], shape[2])
    mask = np.zeros((query_len, shape[1]))
    mask[:, hidden] = 1
    return keys, mask


def expect_hidden(weights: Array, mask: Array) -> None:
    """Miss unless hidden keys get no weight and the others all of it, whatever their scores are."""
    kept = np.where(mask > 0.5, 0.0, weights)
    text = Text(
        "A hidden key whose scores are hundreds above the others still gets weight.",
        "다른 키보다 점수가 수백이나 높은 키는 가려도 여전히 가중치를 받습니다.",
    )
    expect_that(not (np.abs(weights - kept) > 1e-4).any(), text)
    expect_that(
        bool(np.allclose(kept.sum(axis=-1), 1, atol=1e-4)),
        Text(
            "With a hidden key whose scores are hundreds above the others, the weights of the other keys don't sum to 1. "
            "Hide the scores before the softmax: afterwards there is nothing left of the others.",
            "다른 키보다 점수가 수백이나 높은 키를 가리면 나머지 키의 가중치를 더해도 1이 되지 않습니다. "
            "소프트맥스 전에 점수를 가리세요. 소프트맥스 뒤에는 나머지 키에 남는 것이 없습니다.",
        ),
    )


# -------------------------------------------------------------------------------------------------- multi-head-layer


class LayerCase:
    """Sizes of a layer, inputs for it (equally wide, or with `own_widths` of three widths) and drawn weights.

    Equal widths let a layer that lacks a projection run, so that this costs its own line and not all of them.

    Args:
        draw: the random numbers of the rubric line.
        like: another case, whose sizes are taken over.
        own_widths: whether query, key and value have three different widths.
        num_heads: how many heads; 0 draws their number.
    """

    def __init__(self, draw: Draw, like: LayerCase | None = None, own_widths: bool = False, num_heads: int = 0) -> None:
        if like is None:
            self.num_heads, self.head_dim, (self.batch, self.query_len, self.key_len) = sizes(draw, 3)
            self.num_heads = num_heads or self.num_heads
            self.d_model = self.num_heads * self.head_dim
            self.widths = self.drawn_widths(draw, own_widths)
        else:
            self.num_heads, self.head_dim, self.d_model = like.num_heads, like.head_dim, like.d_model
            self.batch, self.query_len, self.key_len = like.batch, like.query_len, like.key_len
            self.widths = like.widths
        lengths = (self.query_len, self.key_len, self.key_len)
        query, key, value = (draw.normal(self.batch, n, width) for n, width in zip(lengths, self.widths, strict=True))
        self.inputs = (query, key, value)
        self.weights = drawn_weights(draw, self.widths, self.d_model)

    def drawn_widths(self, draw: Draw, own_widths: bool) -> list[int]:
        """Return the widths of queries, keys and values; none is d_model."""
        free = [n for n in range(7, 30) if n != self.d_model]
        widths = [free[i] for i in draw.distinct(3, 0, len(free) - 1)]
        return widths if own_widths else widths[:1] * 3

    def build(self, probe: Probe) -> Layer:
        """Construct the student's layer and build it by a call."""
        layer = probe.layer(
            "MultiHeadAttention", forbidden=BUILT_IN_ATTENTION, d_model=self.d_model, num_heads=self.num_heads
        )
        expect_shape(
            output_of(layer(*self.inputs)),
            (self.batch, self.query_len, self.d_model),
            Text(f"the output {LAYER_OUTPUT}", f"출력 {LAYER_OUTPUT}"),
        )
        return layer

    def assign(self, layer: Layer, *names: str) -> None:
        """Give a built layer the drawn weights, of the named sublayers only if there are names.

        What can't be assigned keeps its values: a missing weight costs its points where weights are looked at.
        """
        chosen = {path: values for path, values in self.weights.items() if path.startswith(names or DENSE)}
        try:
            layer.assign(chosen)
        except AnswerError:
            for path, values in chosen.items():
                with contextlib.suppress(AnswerError):
                    layer.assign({path: values})

    def ask(self, layer: Layer, **options: Any) -> tuple[Array, Array]:
        """Return output and scores of the layer, once their shapes are right."""
        answer = layer(*self.inputs, return_attention_scores=True, **options)
        words = Text(
            "(output, scores) with return_attention_scores=True", "return_attention_scores=True이면 (출력, 점수)"
        )
        output, scores = expect_tuple(answer, 2, words)
        shape = (self.batch, self.num_heads, self.query_len, self.key_len)
        return (
            expect_shape(
                output,
                (self.batch, self.query_len, self.d_model),
                Text(f"the output {LAYER_OUTPUT}", f"출력 {LAYER_OUTPUT}"),
            ),
            expect_shape(scores, shape, Text(f"the attention scores {WEIGHTS}", f"어텐션 점수 {WEIGHTS}")),
        )


def shared(probe: Probe, draw: Draw, *names: str) -> tuple[LayerCase, Layer]:
    """Return a line's case and the layer that the task's lines share, with the case's weights as `assign` gives them."""
    first = probe.once("case", lambda: LayerCase(draw))
    layer = probe.once("layer", lambda: first.build(probe))
    case = LayerCase(draw, first)
    case.assign(layer, *names)
    return case, layer


def output_of(answer: Any) -> Any:
    """Return the output if scores came with it unasked: that costs its points in one line only."""
    return answer[0] if isinstance(answer, tuple) and len(answer) == 2 else answer


def drawn_weights(draw: Draw, widths: list[int], d_model: int) -> dict[str, Array]:
    """Draw kernels that keep the variance of unit inputs (a little more, so that the softmax peaks) and biases."""
    weights = {}
    for name, width in zip(DENSE, [*widths, d_model], strict=True):
        weights[f"{name}.kernel"] = draw.normal(width, d_model, scale=1.2 / math.sqrt(width))
        weights[f"{name}.bias"] = draw.normal(d_model, scale=0.5)
    return weights


def test_layer_builds(probe: Probe, draw: Draw) -> None:
    built(probe, draw)


def built(probe: Probe, draw: Draw) -> tuple[LayerCase, Layer, AnswerError | None]:
    """Return a layer built on inputs of three widths or, if that raises, of one width, and what was raised."""

    def make() -> tuple[LayerCase, Layer, AnswerError | None]:
        case = LayerCase(draw, own_widths=True)
        try:
            return case, case.build(probe), None
        except AnswerError as error:
            case = LayerCase(draw)
            return case, case.build(probe), error

    return probe.once("built", make)


def expect_dense(probe: Probe, layer: Layer, case: LayerCase, *names: str) -> None:
    """Miss unless the named Dense sublayers have a kernel and a bias of the right shapes."""

    def ask_with_drawn_weights() -> None:
        case.assign(layer)
        layer(*case.inputs)

    for path, values in case.weights.items():
        if not path.startswith(names):
            continue
        try:
            shape = layer.read(path).shape
        except AnswerError:
            probe.tell_apart(ask_with_drawn_weights)  # a layer that lacks the weight, or calls it something else
            text = Text(
                f"After the first call there is no weight `{path}`: four Dense layers with bias are asked for.",
                f"첫 호출 뒤에도 가중치 `{path}`이(가) 없습니다. 편향이 있는 Dense 계층 네 개를 만들어야 합니다.",
            )
            raise Miss(text) from None
        expect_that(
            shape == values.shape,
            Text(
                f"`{path}` has the shape {shape}, it should be {values.shape}: a kernel is (width of what it projects, d_model), "
                "a bias (d_model,). Does each Dense get the input it is named after?",
                f"`{path}`의 모양이 {shape}인데 {values.shape}이어야 합니다. 커널은 (투영할 것의 너비, d_model), "
                "편향은 (d_model,)입니다. Dense마다 자기 이름에 맞는 입력을 받나요?",
            ),
        )


def test_layer_query_and_key(probe: Probe, draw: Draw) -> None:
    case, layer, error = built(probe, draw)
    expect_dense(probe, layer, case, "query_dense", "key_dense")
    if error is None:
        return
    try:
        expect_dense(probe, layer, case, "value_dense", "output_dense")
    except Miss:
        return  # the next line tells
    text = Text(
        "The layer works if query, key and value are equally wide, but each may have a width of its own.",
        "쿼리, 키, 값의 너비가 같으면 계층이 작동하지만, 너비는 저마다 다를 수 있습니다.",
    )
    raise Miss(text + error.text)


def test_layer_value_and_output(probe: Probe, draw: Draw) -> None:
    case, layer, _ = built(probe, draw)
    expect_dense(probe, layer, case, "value_dense", "output_dense")
    count = len(layer.weights())
    # fewer: query_dense or key_dense lacks some, which costs its own line
    expect_that(
        count <= 8,
        Text(
            f"The layer has {count} weights, but four Dense layers have 8.",
            f"계층의 가중치가 {count}개입니다. Dense 계층 넷이면 8개입니다.",
        ),
    )


def test_layer_value_path(probe: Probe, draw: Draw) -> None:
    case, layer = shared(probe, draw, "value_dense", "output_dense")
    query, key, value = (x[:, :1] for x in case.inputs)
    values = oracle.project(value, case.weights, "value_dense")
    expect_close(
        output_of(layer(query, key, value)),
        oracle.project(values, case.weights, "output_dense"),
        Text(
            "the output for a single query and key, where the one weight is 1",
            "쿼리와 키가 하나뿐이라 가중치가 1일 때의 출력",
        ),
        LAYER_OUTPUT,
    )


def test_layer_distribution(probe: Probe, draw: Draw) -> None:
    case, layer = shared(probe, draw, "query_dense", "key_dense")
    _, scores = case.ask(layer)
    expect_distribution(scores)


def test_layer_scores(probe: Probe, draw: Draw) -> None:
    case, layer = shared(probe, draw, "query_dense", "key_dense")
    scores_in_words = Text("the attention scores (weights after the softmax)", "어텐션 점수(소프트맥스 뒤의 가중치)")
    for which in of_special_sizes(case):
        what = Text(f"{scores_in_words.en}{which.en}", f"{which.ko}{scores_in_words.ko}")
        _, scores = case.ask(layer)
        query = oracle.project(case.inputs[0], case.weights, "query_dense")
        key = oracle.project(case.inputs[1], case.weights, "key_dense")
        expected = oracle.multi_head_weights(query, key, case.num_heads)
        expect_close(scores, expected, what, WEIGHTS)


def of_special_sizes(case: LayerCase) -> Iterator[Text]:
    """Yield words for the sizes of a case's inputs: as they are, then cut so that some are equal or 1."""
    yield Text("", "")
    query, key, value = case.inputs
    length = min(case.query_len, case.key_len)
    for inputs, en, ko in (
        (
            (query[:, :length], key[:, :length], value[:, :length]),
            "as many queries as keys",
            "쿼리와 키의 수가 같을 때",
        ),
        ((query[:, :1], key, value), "a single query", "쿼리가 하나일 때"),
        ((query[:1], key[:1], value[:1]), "a single sequence", "시퀀스가 하나일 때"),
    ):
        case.inputs = inputs
        case.batch, case.query_len, case.key_len = *inputs[0].shape[:2], inputs[1].shape[1]
        yield Text(f" of {en}", f"{ko}의 ")


def test_layer_output(probe: Probe, draw: Draw) -> None:
    case, layer = shared(probe, draw)
    for which in of_special_sizes(case):
        output, scores = case.ask(layer)
        values = oracle.project(case.inputs[2], case.weights, "value_dense")
        expected = oracle.project(oracle.attend(scores, values), case.weights, "output_dense")
        what = Text(
            f"the output{which.en}, by the scores that you returned", f"{which.ko}출력(여러분이 돌려준 점수에 따른 것)"
        )
        expect_close(output, expected, what, LAYER_OUTPUT)
    output, _ = case.ask(layer)
    alone = layer(*case.inputs)
    expect_that(
        not isinstance(alone, tuple),
        Text("It returned a pair without being asked for it.", "요청하지 않았는데 쌍을 돌려주었습니다."),
    )
    expect_close(
        alone,
        output,
        Text("the output without return_attention_scores", "return_attention_scores 없이 호출했을 때의 출력"),
        LAYER_OUTPUT,
    )


def test_layer_trains(probe: Probe, draw: Draw) -> None:
    case = LayerCase(draw)
    layer = case.build(probe)
    case.assign(layer)
    shape = (case.batch, case.query_len, case.d_model)
    expect_unchanged(
        expect_shape(output_of(layer(*case.inputs)), shape, LAYER_OUTPUT),
        expect_shape(output_of(layer(*case.inputs, training=True)), shape, LAYER_OUTPUT),
        Text(
            "In training the layer gives something else than outside it. This one has no dropout.",
            "학습할 때의 결과와 학습이 아닐 때의 결과가 다릅니다. 이 계층에는 드롭아웃이 없습니다.",
        ),
    )
    step = probe.define(TRAINING_STEP, "step_of", layer)
    before = kernels(layer)
    step(*case.inputs, draw.normal(case.batch, case.query_len, case.d_model, scale=10.0))
    after = kernels(layer)
    stuck = [name for name in DENSE if name in before.keys() & after and is_close(after[name], before[name], 1e-6)]
    names = ", ".join(f"`{name}`" for name in stuck)
    expect_that(
        not stuck,
        Text(
            f"A step of training doesn't change {names}: no gradient reaches them. Is there NumPy on the way to the output?",
            f"학습을 한 걸음 해도 {names}이(가) 바뀌지 않습니다. 기울기가 전해지지 않습니다. 출력에 이르는 길에 NumPy가 있나요?",
        ),
    )


def kernels(layer: Layer) -> dict[str, Array]:
    """Return sublayer -> kernel; one that is missing costs its points where weights are looked at."""
    found: dict[str, Array] = {}
    for name in DENSE:
        with contextlib.suppress(AnswerError):
            found[name] = layer.read(f"{name}.kernel")
    return found


def test_layer_mask(probe: Probe, draw: Draw) -> None:
    # a layer of its own: what one keeps of a mask must cost this line only
    case = LayerCase(draw)
    layer = case.build(probe)
    case.assign(layer)
    free_output, free = case.ask(layer)
    values = oracle.project(case.inputs[2], case.weights, "value_dense")

    def by(scores: Array) -> Array:
        return oracle.project(oracle.attend(scores, values), case.weights, "output_dense")

    follows = is_close(free_output, by(free))  # if not, that has cost its own line

    def ask_with_half_hidden() -> None:
        query, keys, values = (draw.normal(case.batch, 6, width) for width in case.widths)
        layer(query, keys, values, mask=HALF)

    probe.tell_apart(ask_with_half_hidden)  # hidden keys that get all the weight, by their scores or in equal parts
    lengths = (case.query_len, case.key_len)
    for shape in (lengths, (case.batch, 1, 1, case.key_len), (case.batch, 1, *lengths)):
        mask = partial_mask(draw, *shape)
        output, scores = case.ask(layer, mask=mask)
        expect_close(
            scores,
            oracle.restrict(free, mask),
            Text("the attention scores under a mask", "마스크를 쓴 어텐션 점수"),
            WEIGHTS,
        )
        if follows:
            expect_close(
                output,
                by(scores),
                Text(
                    "the output under a mask, by the scores that you returned",
                    "여러분이 돌려준 점수에 따른, 마스크를 쓴 출력",
                ),
                LAYER_OUTPUT,
            )
        for answer, en, ko in (
            (layer(*case.inputs, mask=mask), "without return_attention_scores", "return_attention_scores 없이"),
            (case.ask(layer, mask=mask, training=True)[0], "in training", "학습할 때"),
        ):
            # in training something may be dropped, which has cost its own line
            if en != "in training" or is_close(case.ask(layer, training=True)[0], free_output):
                what = Text(f"the output under a mask {en}", f"{ko} 마스크를 쓴 출력")
                expect_close(output_of(answer), output, what, LAYER_OUTPUT)
    _, again = case.ask(layer)
    text = Text(
        "A call without a mask gives other scores after one with a mask than before: does the layer keep a call's mask?",
        "마스크를 준 호출 뒤에 마스크 없이 호출하면 점수가 전과 다릅니다. 계층이 앞 호출의 마스크를 간직하나요?",
    )
    expect_that(np.allclose(again, free, rtol=0, atol=1e-4), text)
    for path in case.weights:
        near_1 = draw.uniform(0.9, 1.1, *case.weights[path].shape) / case.widths[0]
        case.weights[path] = np.zeros_like(near_1) if path.endswith("bias") else near_1
    query, key, value = case.inputs
    keys, mask = tempting_keys(draw, key.shape, case.query_len)
    case.inputs = (draw.uniform(0.9, 1.1, *query.shape), keys, value)
    case.assign(layer, "query_dense", "key_dense")
    _, scores = case.ask(layer, mask=mask)
    expect_hidden(scores, mask)


def test_layer_config(probe: Probe, draw: Draw) -> None:
    case, layer = shared(probe, draw)
    _expect_same_from_config(case, layer)
    # with other numbers of heads than one, which may be a default's
    other = LayerCase(draw, num_heads=case.num_heads + 1)
    layer = other.build(probe)
    other.assign(layer)
    _expect_same_from_config(other, layer)


def _expect_same_from_config(case: LayerCase, layer: Layer) -> None:
    """Miss unless the copy of a layer from its config, given its weights, computes the same."""
    # against the layer itself, not the oracle: a wrong scale has cost its points already
    expected = output_of(layer(*case.inputs))
    try:
        copy = layer.clone()
        copy(*case.inputs)
        copy.assign({path: layer.read(path) for path in sorted(weight.path for weight in layer.weights())})
        output = output_of(copy(*case.inputs))
    except AnswerError as error:
        if isinstance(error, AnswerRaised) and "NotImplementedError" in error.kinds:
            raise
        text = Text(
            "In `from_config(get_config())`: does get_config hold every argument under its own name?",
            "`from_config(get_config())`에서: get_config에 모든 인수가 제 이름으로 들어 있나요?",
        )
        raise Miss(text + error.text) from None
    expect_close(
        output,
        expected,
        Text("the output of the layer made from the config", "config로 만든 계층의 출력"),
        LAYER_OUTPUT,
    )


def test_layer_bad_heads(probe: Probe, draw: Draw) -> None:
    num_heads, d_model = bad_sizes(draw)
    expect_raises_value_error(
        lambda: probe.layer("MultiHeadAttention", d_model=d_model, num_heads=num_heads),
        ["num_heads", "d_model"],
        [num_heads, d_model],
        names_all=True,
    )


# --------------------------------------------------------------------------------------------------- parameter-count


class Widths:
    """Five different numbers to count with."""

    def __init__(self, draw: Draw) -> None:
        self.input_dim, self.output_dim = draw.distinct(2, 20, 60)
        self.num_heads, self.key_dim, self.value_dim = draw.distinct(3, 2, 15)


def count(probe: Probe, *args: int, **kwargs: int) -> float:
    """Return the student's count, once it is one whole number."""
    return expect_whole_number(probe.call("mha_parameter_count", *args, **kwargs))


def test_count_is_a_number(probe: Probe, draw: Draw) -> None:
    w = Widths(draw)
    count(probe, w.input_dim, w.num_heads, w.key_dim)
    count(probe, w.input_dim, w.num_heads, w.key_dim, value_dim=w.value_dim, output_dim=w.output_dim)


def test_count_input_kernels(probe: Probe, draw: Draw) -> None:
    w = Widths(draw)
    more = draw.integer(2, 9)

    def growth(ask: Callable[..., float]) -> float:
        fixed = dict(value_dim=w.value_dim, output_dim=w.output_dim)
        return ask(w.input_dim + more, w.num_heads, w.key_dim, **fixed) - ask(
            w.input_dim, w.num_heads, w.key_dim, **fixed
        )

    expected = growth(oracle.mha_parameter_count)
    expect_number(
        growth(lambda *args, **kwargs: count(probe, *args, **kwargs)),
        expected,
        Text("the growth of the count with input_dim", "input_dim이 커질 때 늘어나는 파라미터 수"),
        tolerance=0.0,
    )


def test_count_defaults(probe: Probe, draw: Draw) -> None:
    w = Widths(draw)
    expected = oracle.mha_parameter_count(w.input_dim, w.num_heads, w.key_dim)
    expect_number(
        count(probe, w.input_dim, w.num_heads, w.key_dim),
        expected,
        Text(
            "the number of parameters with value_dim and output_dim left out",
            "value_dim과 output_dim을 생략했을 때의 파라미터 수",
        ),
        tolerance=0.0,
    )


def test_count_all_given(probe: Probe, draw: Draw) -> None:
    w = Widths(draw)
    narrow, wide = draw.distinct(2, 2, 5), draw.distinct(3, 6, 15)  # features fewer than those of a head
    for sizes_given in (
        (w.input_dim, w.num_heads, w.key_dim, w.value_dim, w.output_dim),
        (narrow[0], *wide, narrow[1]),
    ):
        expect_number(
            count(probe, *sizes_given),
            oracle.mha_parameter_count(*sizes_given),
            Text("the number of parameters", "파라미터 수"),
            tolerance=0.0,
        )
    sizes_alone = (w.input_dim, w.num_heads, w.key_dim)
    if count(probe, *sizes_alone) != oracle.mha_parameter_count(*sizes_alone):
        return  # wrong defaults have cost `count-defaults`
    for name, width in (("value_dim", w.value_dim), ("output_dim", w.output_dim)):
        one: dict[str, Any] = {name: width}
        expect_number(
            count(probe, *sizes_alone, **one),
            oracle.mha_parameter_count(*sizes_alone, **one),
            Text(f"the number of parameters with {name} alone", f"{name}만 주었을 때의 파라미터 수"),
            tolerance=0.0,
        )


# ------------------------------------------------------------------------------------------------------ keras-parity


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
