"""Hidden tests of the task `scaled-dot-product`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import (
    Draw,
    Probe,
    expect_array,
    expect_close,
    expect_shape,
    expect_that,
    expect_tuple,
    is_close,
    shape_of,
)

from .. import reference as oracle
from .common import OUTPUT, PAIR, SCALE, WEIGHTS, Array

# By so much the right weights of what is drawn differ: where one key wins for all queries, they look as if nothing were looked at.
CLEARLY = 0.1


def _attention_inputs(draw: Draw, *leading: int, square: bool = False) -> tuple[Array, Array, Array]:
    """Draw query, key and value with four distinct sizes, none of which is in `leading` (sizes of 2 and 3).

    With `square` there are as many queries as keys, as in self-attention. The right weights differ clearly.
    """
    while True:
        query_len, key_len, key_dim, value_dim = draw.distinct(4, 4, 9)
        query_len = key_len if square else query_len
        query = draw.normal(*leading, query_len, key_dim, scale=SCALE)
        key = draw.normal(*leading, key_len, key_dim, scale=SCALE)
        value = draw.normal(*leading, key_len, value_dim)
        if is_looking(oracle.softmax(oracle.attention_scores(query, key)), CLEARLY):
            return query, key, value


def _hiding(draw: Draw, *shape: int) -> Array:
    """Draw a mask that hides something in every row and keeps at least two keys there, and keeps every key somewhere."""
    while True:
        mask = (draw.uniform(0, 1, *shape) < 0.4).astype(np.float64)
        hidden = mask.sum(axis=-1)
        if (hidden > 0).all() and (hidden <= shape[-1] - 2).all() and (shape[-2] == 1 or not mask.all(axis=-2).any()):
            return mask


def _attend(probe: Probe, query: Array, key: Array, value: Array, mask: Array | None = None) -> tuple[Array, Array]:
    """Return the student's output and weights in this order, whichever order they came in (`attention-order` judges that)."""
    output_shape = (*query.shape[:-1], value.shape[-1])
    weights_shape = (*query.shape[:-1], key.shape[-2])
    arguments = {} if mask is None else {"mask": mask}
    answer = probe.call("scaled_dot_product_attention", query, key, value, **arguments)
    output, weights = expect_tuple(answer, 2, PAIR)
    if shape_of(output) == weights_shape and shape_of(weights) == output_shape:
        output, weights = weights, output
    return expect_shape(output, output_shape, OUTPUT), expect_shape(weights, weights_shape, WEIGHTS)


def is_looking(weights: Array, least: float) -> bool:
    """Return whether some weights differ by more than `least` between keys, and some between queries.

    Args:
        weights: (..., query_len, key_len).
        least: the difference that must be exceeded.
    """
    return bool(
        np.isfinite(weights).all()
        and (np.ptp(weights, axis=-1).max() > least)
        and (np.ptp(weights, axis=-2).max() > least)
    )


def expect_looking(weights: Array) -> None:
    """Miss unless the weights depend on query and key: else comparing a student's results with each other proves nothing."""
    expect_that(
        is_looking(weights, 1e-2),
        Text("The weights don't depend on the queries and keys.", "가중치가 쿼리와 키에 따라 달라지지 않습니다."),
    )


def each_alone(leading: Sequence[int], ask: Callable[[tuple[int, ...]], tuple[Any, Array]]) -> tuple[Array, Array]:
    """Return the outputs and weights (*leading, …) of all slices, each asked about by itself."""
    alone = [ask(index) for index in np.ndindex(*leading)]
    outputs = [expect_array(output, OUTPUT) for output, _ in alone]
    expect_that(
        len({output.shape for output in outputs}) == 1,
        Text(
            "Slices of one shape have outputs of several shapes.",
            "모양이 같은 조각들인데 출력의 모양이 서로 다릅니다.",
        ),
    )
    both = np.stack(outputs), np.stack([weights for _, weights in alone])
    return both[0].reshape(*leading, *both[0].shape[1:]), both[1].reshape(*leading, *both[1].shape[1:])


def _share(weights: Array, keep: Array) -> Array:
    """Return `weights` with what is not kept set to 0 and the rest of each row scaled to add up to 1."""
    kept = weights * keep
    return kept / kept.sum(axis=-1, keepdims=True)


def test_attention_shapes(probe: Probe, draw: Draw) -> None:
    _attend(probe, *_attention_inputs(draw))


def test_attention_order(probe: Probe, draw: Draw) -> None:
    query, key, value = _attention_inputs(draw)
    answer = probe.call("scaled_dot_product_attention", query, key, value)
    answer = expect_tuple(answer, 2, PAIR)
    expect_that(
        shape_of(answer[0]) == (len(query), value.shape[-1]),
        Text(
            "It returns (weights, output), but the order is (output, weights).",
            "(weights, output)을 돌려줍니다. 순서는 (output, weights)여야 합니다.",
        ),
    )
    expect_looking(expect_shape(answer[1], (len(query), len(key)), WEIGHTS))


def test_attention_weights(probe: Probe, draw: Draw) -> None:
    query, key, value = _attention_inputs(draw)
    expect_close(
        _attend(probe, query, key, value)[1],
        oracle.softmax(oracle.attention_scores(query, key)),
        Text("the weights", "가중치"),
    )
    single = query[:1]
    expect_close(
        _attend(probe, single, key, value)[1],
        oracle.softmax(oracle.attention_scores(single, key)),
        Text("the weights of a single query", "쿼리가 하나일 때의 가중치"),
    )
    query, key, value = _attention_inputs(draw, square=True)
    expect_close(
        _attend(probe, query, key, value)[1],
        oracle.softmax(oracle.attention_scores(query, key)),
        Text("the weights of as many queries as keys", "쿼리와 키의 수가 같을 때의 가중치"),
    )


def test_attention_output(probe: Probe, draw: Draw) -> None:
    query, key, value = _attention_inputs(draw)
    output, weights = _attend(probe, query, key, value)
    expect_looking(weights)
    expect_close(
        output,
        weights @ value,
        Text("the output, given the weights that you return", "출력(여러분이 돌려준 가중치 기준)"),
    )


def test_attention_mask_hides(probe: Probe, draw: Draw) -> None:
    query, key, value = _attention_inputs(draw)
    mask = _hiding(draw, len(query), len(key))
    plain = _attend(probe, query, key, value)[1]
    expect_looking(plain)
    weights = _attend(probe, query, key, value, mask)[1]
    expect_that(
        bool(np.isfinite(weights).all()),
        Text(
            "There is a NaN or infinity in the weights under a mask.", "마스크를 쓴 가중치에 NaN이나 무한대가 있습니다."
        ),
    )
    hidden = np.abs(weights[mask == 1]).max()
    # a right mask leaves 0 or exp(-900), scores lowered by 10 leave about 1e-5
    expect_that(
        bool(hidden <= 1e-7),
        Text(
            "A key that the mask hides (1 hides) still gets weight.",
            "마스크가 가린 키(1이 가림)가 여전히 가중치를 받습니다.",
        ),
    )
    expect_that(
        bool((weights[mask == 0] > 0).all()),
        Text(
            "A key that the mask keeps (0 keeps) gets no weight.",
            "마스크가 남긴 키(0이 남김)가 가중치를 받지 못합니다.",
        ),
    )


def test_attention_mask_high_scores(probe: Probe, draw: Draw) -> None:
    """Hidden keys whose scores lie about 300 above the kept ones get no weight.

    Kept scores are about -150, hidden ones 150. Any of -1000, -1e4, -1e9 and minus infinity hides there, -100 does not.
    A mask applied to the exponentials leaves exp(-300) to the kept keys, which is 0 in float32: how the kept keys share the
    weight, even 0/0, is therefore not looked at here but with ordinary scores.
    """
    query_len, key_len, key_dim, value_dim = draw.distinct(4, 4, 9)
    query_sides, key_sides = (
        draw.rng.permutation(np.where(np.arange(n) % 2, 1.0, -1.0))[:, None] for n in (query_len, key_len)
    )
    direction = draw.normal(key_dim)
    direction *= np.sqrt(150 * np.sqrt(key_dim)) / np.linalg.norm(direction)
    query, key = (
        (sides * direction + draw.normal(len(sides), key_dim, scale=0.3)).astype(np.float32).astype(np.float64)
        for sides in (query_sides, key_sides)
    )
    value = draw.normal(key_len, value_dim)
    mask = (query_sides * key_sides.T > 0).astype(np.float64)
    weights = _attend(probe, query, key, value, mask)[1]
    expect_that(
        bool(np.nan_to_num(np.abs(weights[mask == 1]), nan=0.0).max() <= 1e-4),
        Text(
            "A key that the mask hides (1 hides) still gets weight if its score is far above those of the kept keys.",
            "마스크가 가린 키(1이 가림)의 점수가 남은 키보다 훨씬 높으면 여전히 가중치를 받습니다.",
        ),
    )


def test_attention_mask_kept(probe: Probe, draw: Draw) -> None:
    query, key, value = _attention_inputs(draw)
    mask = _hiding(draw, len(query), len(key))
    plain = _attend(probe, query, key, value)[1]
    output, weights = _attend(probe, query, key, value, mask)
    expect_close(
        weights,
        _share(plain, 1 - mask),
        Text("the weights under a mask", "마스크를 쓴 가중치"),
    )
    expect_close(
        output,
        weights @ value,
        Text(
            "the output under a mask, given the weights that you return",
            "마스크를 쓴 출력(여러분이 돌려준 가중치 기준)",
        ),
    )


def test_attention_leading(probe: Probe, draw: Draw) -> None:
    for leading in ((3,), (2, 3)):
        query, key, value = _attention_inputs(draw, *leading)
        output, weights = _attend(probe, query, key, value)
        outputs_alone, weights_alone = each_alone(
            leading,
            lambda one: _attend(probe, query[one], key[one], value[one]),  # noqa: B023
        )
        expect_looking(weights_alone)
        expect_close(
            weights,
            weights_alone,
            Text(
                "the weights of several slices, each compared with your answer for that slice alone",
                "여러 조각의 가중치(조각마다 따로 계산한 여러분의 답과 비교)",
            ),
        )
        expect_close(
            output,
            outputs_alone,
            Text(
                "the output of several slices, each compared with your answer for that slice alone",
                "여러 조각의 출력(조각마다 따로 계산한 여러분의 답과 비교)",
            ),
        )


def test_attention_mask_broadcast(probe: Probe, draw: Draw) -> None:
    query, key, value = _attention_inputs(draw, 2, 3)
    query_len, key_len = query.shape[-2], key.shape[-2]
    masks = {
        "(batch, 1, 1, key_len)": np.stack([_hiding(draw, 1, 1, key_len) for _ in range(2)]),
        "(query_len, key_len)": _hiding(draw, query_len, key_len),
        "(batch, 1, query_len, key_len)": _hiding(draw, 2, 1, query_len, key_len),
    }
    # an output that isn't made of the weights under a mask of two axes either has cost its own lines
    plain_mask = _hiding(draw, query_len, key_len)
    output, weights = _attend(probe, query[0, 0], key[0, 0], value[0, 0], plain_mask)
    averages = is_close(output, weights @ value[0, 0])
    for words, mask in masks.items():
        full = np.broadcast_to(mask, (2, 3, query_len, key_len)).copy()
        output, weights = _attend(probe, query, key, value, mask)
        expect_that(
            bool(np.abs(weights[full == 1]).max() <= 1e-4),
            Text(
                f"With a mask {words} against scores (batch, num_heads, query_len, key_len), a hidden key still gets weight.",
                f"점수가 (batch, num_heads, query_len, key_len)일 때 마스크 {words}로 가린 키가 여전히 가중치를 받습니다.",
            ),
        )
        same = _attend(probe, query, key, value, full)[1]
        expect_close(
            weights,
            same,
            Text(
                f"the weights with a mask {words}, compared with those for the mask written out",
                f"마스크 {words}를 쓴 가중치(같은 마스크를 점수의 모양으로 펼쳐 쓴 것과 비교)",
            ),
        )
        if averages:
            _expect_still_averaged(output, weights, value, words)
    mask = np.stack([_hiding(draw, 1, key_len) for _ in range(2)])
    while np.array_equal(*mask):
        mask = np.stack([_hiding(draw, 1, key_len) for _ in range(2)])
    output, weights = _attend(probe, query[:, 0], key[:, 0], value[:, 0], mask)
    text = Text(
        "With a mask (batch, 1, key_len) against scores (batch, query_len, key_len), a hidden key still gets weight.",
        "점수가 (batch, query_len, key_len)일 때 마스크 (batch, 1, key_len)로 가린 키가 여전히 가중치를 받습니다.",
    )
    expect_that(bool(np.abs(weights * mask).max() <= 1e-4), text)
    alone = [_attend(probe, query[i, 0], key[i, 0], value[i, 0], mask[i])[1] for i in range(2)]
    expect_close(
        weights,
        np.stack(alone),
        Text(
            "the weights with a mask (batch, 1, key_len), each sequence compared with your answer for it alone",
            "마스크 (batch, 1, key_len)를 쓴 가중치(시퀀스마다 따로 계산한 여러분의 답과 비교)",
        ),
    )
    if averages:
        _expect_still_averaged(output, weights, value[:, 0], "(batch, 1, key_len)")


def _expect_still_averaged(output: Array, weights: Array, value: Array, words: str) -> None:
    """Miss unless an output under a mask is made of the weights under it, as an output without a mask is."""
    what = Text(
        f"the output with a mask {words}, given the weights that you return",
        f"마스크 {words}를 쓴 출력(여러분이 돌려준 가중치 기준)",
    )
    expect_close(output, np.matmul(weights, value), what)
