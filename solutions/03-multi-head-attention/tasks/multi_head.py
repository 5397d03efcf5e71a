"""Hidden tests of the task `multi-head`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Probe, expect_close, expect_shape, expect_that, expect_tuple, is_close

from ..._shared.drawn_masks import partial_mask
from .. import reference as oracle
from .common import HALF, WEIGHTS, sizes

OUTPUT = "(batch, query_len, value_dim)"


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
