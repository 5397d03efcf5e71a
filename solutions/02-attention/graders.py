"""Hidden rubric of 02-attention/scaled_dot_product_attention.

Sizes are pairwise distinct, so that swapped axes never fit. Where an early slip (a missing square root, a wrong softmax axis)
would show in later lines too, those compare the answer with the student's own result on a simpler input and so cost nothing
again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.base.errors import AnswerError, AnswerRaised
from autograder.base.text import Text
from autograder.grading import (
    NO_RETURN,
    TOLERANCE,
    Draw,
    Miss,
    Probe,
    expect_array,
    expect_close,
    expect_number,
    expect_shape,
    expect_that,
    expect_tuple,
    is_close,
    number_of,
    shape_of,
)

from . import reference as oracle

Array = NDArray[np.float64]

PAIR = "(output, weights)"
OUTPUT = Text("the output (..., query_len, value_dim)", "출력 (..., query_len, value_dim)")
WEIGHTS = Text("the weights (..., query_len, key_len)", "가중치 (..., query_len, key_len)")
# Queries and keys with components of this standard deviation give scores of about 1.7: a softmax that is peaked, not one-hot.
SCALE = 1.3


# --- softmax ---------------------------------------------------------------------------------------------------------


def test_softmax_shape(probe: Probe, draw: Draw) -> None:
    rows, columns = draw.distinct(2, 3, 9)
    expect_shape(
        probe.call("softmax", draw.normal(rows, columns)),
        (rows, columns),
        Text("the shape of x (rows, columns)", "x의 모양 (rows, columns)"),
    )


def test_softmax_values(probe: Probe, draw: Draw) -> None:
    x = draw.normal(*draw.distinct(3, 2, 7), scale=1.5)
    expect_close(
        probe.call("softmax", x),
        oracle.softmax(x),
        Text("the weights along the last axis", "마지막 축을 따라 구한 가중치"),
    )
    for shape in ((5,), (6, 6), (2, 3, 2, 4)):
        x = draw.normal(*shape, scale=1.5)
        what = Text(
            f"the weights along the last axis of an array {shape}", f"배열 {shape}의 마지막 축을 따라 구한 가중치"
        )
        expect_close(probe.call("softmax", x), oracle.softmax(x), what)


def test_softmax_axis(probe: Probe, draw: Draw) -> None:
    x = draw.normal(*draw.distinct(3, 2, 7), scale=1.5)
    for axis in (0, 1, -2):
        expect_close(
            probe.call("softmax", x, axis=axis),
            oracle.softmax(x, axis),
            Text(f"the weights with axis={axis}", f"axis={axis}일 때의 가중치"),
        )


def test_softmax_large(probe: Probe, draw: Draw) -> None:
    levels = np.array([[2000.0, 2001.0], [-2000.0, -2001.0]])
    probe.tell_apart(lambda: probe.call("softmax", levels))  # a shift by the row's mean, or by that of the whole array
    for sign in (1, -1):
        # one level for all rows: this line asks for any shift at all
        x = draw.normal(*draw.distinct(2, 3, 8)) + sign * draw.integer(2000, 4000)
        x = x.astype(np.float32).astype(np.float64)
        en, ko = ("plus", "양수") if sign > 0 else ("minus", "음수")
        what = Text(f"the weights for scores near {en} a few thousand", f"크기가 수천인 {ko} 점수의 가중치")
        expect_close(probe.call("softmax", x), oracle.softmax(x), what)

    # within a row: shifted by its mean, median, smallest, first or last score, the largest still overflow in float64
    rows, columns = draw.distinct(2, 5, 8)
    x = draw.normal(rows, columns) + 1500 * draw.integers(-2, 1, rows, columns)
    for row in x:
        # the two largest share the weight and stand neither first nor last
        *best, lowest = draw.rng.permutation(np.arange(1, columns - 1))[:3]
        row[best], row[lowest] = draw.normal(2) + 3000, -3000
    x = x.astype(np.float32).astype(np.float64)
    answer = expect_shape(probe.call("softmax", x), x.shape, Text("the shape of x", "x의 모양"))
    expect_that(
        not np.isnan(answer).any(),
        Text(
            "There is a NaN when the scores within a row lie thousands apart: some exponential is infinite, shifted or not.",
            "한 행의 점수들이 수천씩 떨어져 있으면 NaN이 나옵니다. 점수에서 무엇을 뺐든 빼지 않았든 어떤 지수 함수의 값이 무한대입니다.",
        ),
    )
    expect_close(
        answer,
        oracle.softmax(x),
        Text(
            "the weights for scores that lie thousands apart within a row", "한 행 안에서 수천씩 떨어진 점수의 가중치"
        ),
    )


def test_softmax_rows_apart(probe: Probe, draw: Draw) -> None:
    rows, columns = draw.distinct(2, 3, 8)
    levels = draw.rng.permutation(np.linspace(-4000, 4000, rows).round())
    x = (draw.normal(rows, columns) + levels[:, None]).astype(np.float32).astype(np.float64)
    answer = expect_shape(probe.call("softmax", x), x.shape, Text("the shape of x", "x의 모양"))
    lost = ~(answer.sum(axis=-1) > 0.5)
    expect_that(
        not lost[levels < levels.max()].any(),
        Text(
            "When one row's scores lie thousands below another's, its weights are lost.",
            "한 행의 점수가 다른 행보다 수천이나 낮으면 그 행의 가중치가 사라집니다.",
        ),
    )
    expect_close(
        answer, oracle.softmax(x), Text("the weights of rows that lie thousands apart", "수천씩 떨어진 행들의 가중치")
    )


def test_softmax_integers(probe: Probe, draw: Draw) -> None:
    x = draw.integers(-3, 3, *draw.distinct(2, 3, 8))
    try:
        answer = probe.call("softmax", x)
    except AnswerRaised:
        # tf.nn.softmax refuses integers outright, which misleads nobody: ask again with floats
        answer = probe.call("softmax", x.astype(np.float64))
    expect_close(
        answer,
        oracle.softmax(x),
        Text("the weights for integer scores", "정수 점수의 가중치"),
    )


# --- attention-scores ------------------------------------------------------------------------------------------------


def _query_and_key(
    draw: Draw, *leading: int, sizes: tuple[int, int] = (4, 9), square: bool = False
) -> tuple[Array, Array]:
    """Draw (*leading, query_len, key_dim) and (*leading, key_len, key_dim) with distinct sizes, also from `leading`.

    With `square` there are as many queries as keys, as in self-attention.
    """
    query_len, key_len, key_dim = draw.distinct(3, *sizes)
    query_len = key_len if square else query_len
    return draw.normal(*leading, query_len, key_dim, scale=SCALE), draw.normal(*leading, key_len, key_dim, scale=SCALE)


def _scores(probe: Probe, query: Array, key: Array) -> Array:
    shape = (*query.shape[:-1], key.shape[-2])
    return expect_shape(probe.call("attention_scores", query, key), shape, "(..., query_len, key_len)")


def _factor(scores: Array, right: Array) -> float:
    """Return the number whose multiple of `right` is nearest to `scores`: 1 if they are equal."""
    return float((scores * right).sum() / (right * right).sum())


def _right_up_to_known_scale(probe: Probe, query: Array, key: Array, scores: Array) -> Array:
    """Return the right scores, scaled like the student's `scores` if already two dimensions have a wrong scale.

    `scores-scale` judges that scale, so it is not paid for twice.
    """
    right = oracle.attention_scores(query, key)
    one_query, one_key = query.reshape(-1, *query.shape[-2:])[0], key.reshape(-1, *key.shape[-2:])[0]
    alone = _factor(_scores(probe, one_query, one_key), oracle.attention_scores(one_query, one_key))
    together = _factor(scores, right)
    return right * together if abs(alone - 1) > 1e-3 and together > 1e-3 else right


def test_scores_shape(probe: Probe, draw: Draw) -> None:
    query, key = _query_and_key(draw)
    answer = probe.call("attention_scores", query, key)
    expect_that(
        shape_of(answer) != (len(key), len(query)),
        Text(
            "The scores are (key_len, query_len), but rows are for queries and columns for keys.",
            "점수가 (key_len, query_len)입니다. 행은 쿼리, 열은 키여야 합니다.",
        ),
    )
    expect_shape(answer, (len(query), len(key)), "(query_len, key_len)")


def test_scores_products(probe: Probe, draw: Draw) -> None:
    query, key = _query_and_key(draw)
    right = oracle.attention_scores(query, key)
    scores = _scores(probe, query, key)
    factor = _factor(scores, right)
    expect_that(
        np.isfinite(factor) and factor > 1e-3,
        Text(
            "The scores don't grow with the dot products of queries and keys.",
            "쿼리와 키의 내적이 커져도 점수가 커지지 않습니다.",
        ),
    )
    expect_close(
        scores / factor, right, Text("the dot products (up to a common factor)", "내적 (공통 배수는 보지 않음)")
    )


def test_scores_scale(probe: Probe, draw: Draw) -> None:
    batch = _query_and_key(draw, 3)
    probe.tell_apart(lambda: probe.call("attention_scores", *batch))  # without a batch axis 0 is the queries
    for _ in range(2):
        # without 4 and 9: a whole-numbered root is always wrong and never the root of another size
        query, key = _query_and_key(draw, sizes=(5, 8))
        expect_close(
            _scores(probe, query, key),
            oracle.attention_scores(query, key),
            Text("the size of the scores", "점수의 크기"),
        )


def _expect_slices_alike(probe: Probe, draw: Draw, *leadings: tuple[int, ...], square: bool = False) -> None:
    """Miss unless the scores with these leading dimensions are right, up to a scale that has cost its own line."""
    for leading in leadings:
        query, key = _query_and_key(draw, *leading, square=square)
        scores = _scores(probe, query, key)
        words = "dimension" if len(leading) == 1 else "dimensions"
        expect_close(
            scores,
            _right_up_to_known_scale(probe, query, key, scores),
            Text(f"the scores with {len(leading)} leading {words}", f"앞쪽 차원이 {len(leading)}개일 때의 점수"),
        )


def test_scores_batch(probe: Probe, draw: Draw) -> None:
    _expect_slices_alike(probe, draw, (3,))
    _expect_slices_alike(probe, draw, (2,), square=True)


def test_scores_heads(probe: Probe, draw: Draw) -> None:
    _expect_slices_alike(probe, draw, (2, 3), (3, 1, 2))


# --- scaled-dot-product ----------------------------------------------------------------------------------------------


def _attention_inputs(draw: Draw, *leading: int, square: bool = False) -> tuple[Array, Array, Array]:
    """Draw query, key and value with four distinct sizes, none of which is in `leading` (sizes of 2 and 3).

    With `square` there are as many queries as keys, as in self-attention.
    """
    query_len, key_len, key_dim, value_dim = draw.distinct(4, 4, 9)
    query_len = key_len if square else query_len
    return (
        draw.normal(*leading, query_len, key_dim, scale=SCALE),
        draw.normal(*leading, key_len, key_dim, scale=SCALE),
        draw.normal(*leading, key_len, value_dim),
    )


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


def _expect_looking(weights: Array) -> None:
    """Miss unless the weights depend on query and key: else comparing a student's results with each other proves nothing."""
    looking = (
        np.isfinite(weights).all()
        and (np.ptp(weights, axis=-1).max() > 1e-2)
        and (np.ptp(weights, axis=-2).max() > 1e-2)
    )
    expect_that(
        bool(looking),
        Text("The weights don't depend on the queries and keys.", "가중치가 쿼리와 키에 따라 달라지지 않습니다."),
    )


def _each_alone(leading: Sequence[int], ask: Callable[[tuple[int, ...]], tuple[Any, Array]]) -> tuple[Array, Array]:
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
    _expect_looking(expect_shape(answer[1], (len(query), len(key)), WEIGHTS))


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
    _expect_looking(weights)
    expect_close(
        output,
        weights @ value,
        Text("the output, given the weights that you return", "출력(여러분이 돌려준 가중치 기준)"),
    )


def test_attention_mask_hides(probe: Probe, draw: Draw) -> None:
    query, key, value = _attention_inputs(draw)
    mask = _hiding(draw, len(query), len(key))
    plain = _attend(probe, query, key, value)[1]
    _expect_looking(plain)
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
        outputs_alone, weights_alone = _each_alone(
            leading,
            lambda one: _attend(probe, query[one], key[one], value[one]),  # noqa: B023
        )
        _expect_looking(weights_alone)
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


# --- projections -----------------------------------------------------------------------------------------------------


def _matrix(draw: Draw, rows: int, columns: int) -> Array:
    """Draw a projection that keeps the size of what it projects."""
    return draw.normal(rows, columns, scale=1 / np.sqrt(rows))


def _project_and_attend(probe: Probe, *arguments: Array) -> tuple[Array, Array]:
    """Return the student's output, of any shape, and weights (..., query_len, key_len)."""
    answer = probe.call("projected_attention", *arguments)
    output, weights = expect_tuple(answer, 2, PAIR)
    return output, expect_shape(weights, (*arguments[0].shape[:-1], arguments[1].shape[-2]), WEIGHTS)


def _self_attention(draw: Draw, *leading: int) -> tuple[Array, ...]:
    length, width, key_dim, value_dim = draw.distinct(4, 4, 9)
    x = draw.normal(*leading, length, width, scale=1.5)
    matrices = _matrix(draw, width, key_dim), _matrix(draw, width, key_dim), _matrix(draw, width, value_dim)
    return (x, x, x, *matrices)


def _expect_averaged(output: object, weights: Array, value: Array) -> None:
    """Miss unless `output` is `value` averaged with the student's own `weights`."""
    _expect_looking(weights)
    what = Text("the output, given the weights that you return", "출력(여러분이 돌려준 가중치 기준)")
    expect_close(output, np.matmul(weights, value), what, OUTPUT)


def test_projected_shape(probe: Probe, draw: Draw) -> None:
    _project_and_attend(probe, *_self_attention(draw))


def test_projected_weights(probe: Probe, draw: Draw) -> None:
    inputs = _self_attention(draw)
    expect_close(
        _project_and_attend(probe, *inputs)[1],
        oracle.projected_attention(*inputs)[1],
        Text("the weights of self-attention", "셀프 어텐션의 가중치"),
    )


def test_projected_output(probe: Probe, draw: Draw) -> None:
    x, *_, w_value = inputs = _self_attention(draw)
    output, weights = _project_and_attend(probe, *inputs)
    expect_that(
        shape_of(output) != x.shape,
        Text(
            "The output is as wide as the input of the values. Are the values projected?",
            "출력의 너비가 값의 입력과 같습니다. 값을 투영했나요?",
        ),
    )
    _expect_averaged(output, weights, x @ w_value)


def test_projected_cross(probe: Probe, draw: Draw) -> None:
    query_len, key_len, query_input, key_input, key_dim, value_dim = draw.distinct(6, 3, 11)
    x, memory = draw.normal(query_len, query_input, scale=1.5), draw.normal(key_len, key_input, scale=1.5)
    matrices = (
        _matrix(draw, query_input, key_dim),
        _matrix(draw, key_input, key_dim),
        _matrix(draw, key_input, value_dim),
    )
    inputs = (x, memory, memory, *matrices)
    weights = _project_and_attend(probe, *inputs)[1]
    expect_close(
        weights, oracle.projected_attention(*inputs)[1], Text("the weights of cross-attention", "교차 어텐션의 가중치")
    )


def test_projected_sources(probe: Probe, draw: Draw) -> None:
    # queries and keys of one width, so that a mix-up of their matrices runs: it has cost its own line
    query_len, key_len, width, value_input, key_dim, value_dim = draw.distinct(6, 3, 11)
    x, keys = draw.normal(query_len, width, scale=1.5), draw.normal(key_len, width, scale=1.5)
    w_query, w_key = _matrix(draw, width, key_dim), _matrix(draw, width, key_dim)
    # values first of the keys' width, where taking the wrong input runs, then of their own
    for value_width in (width, value_input):
        values, w_value = draw.normal(key_len, value_width), _matrix(draw, value_width, value_dim)
        output, weights = _project_and_attend(probe, x, keys, values, w_query, w_key, w_value)
        _expect_averaged(output, weights, values @ w_value)


def test_projected_leading(probe: Probe, draw: Draw) -> None:
    for leading in ((3,), (2, 3)):
        _expect_each_as_alone(probe, draw, leading)


def _expect_each_as_alone(probe: Probe, draw: Draw, leading: tuple[int, ...]) -> None:
    """Miss unless self-attention gives each sequence of a batch, which may have several axes, what it gives that sequence alone."""
    x, _, _, *matrices = _self_attention(draw, *leading)
    output, weights = _project_and_attend(probe, x, x, x, *matrices)
    outputs_alone, weights_alone = _each_alone(
        leading, lambda one: _project_and_attend(probe, x[one], x[one], x[one], *matrices)
    )
    _expect_looking(weights_alone)
    expect_close(
        weights,
        weights_alone,
        Text(
            "the weights of a batch, each sequence's compared with those of it alone",
            "배치의 가중치(시퀀스마다 따로 계산한 것과 비교)",
        ),
    )
    output = expect_shape(
        output,
        outputs_alone.shape,
        Text("the output (batch, query_len, value_dim)", "출력 (batch, query_len, value_dim)"),
    )
    expect_close(
        output,
        outputs_alone,
        Text(
            "the output of a batch, each sequence's compared with that of it alone",
            "배치의 출력(시퀀스마다 따로 계산한 것과 비교)",
        ),
    )


# --- score-scale -----------------------------------------------------------------------------------------------------


UNSCALED_STD = Text("the standard deviation without scaling", "스케일링하지 않을 때의 표준편차")
SCALED_STD = Text("the standard deviation with scaling", "스케일링할 때의 표준편차")


def _std(probe: Probe, key_dim: int, scaled: bool) -> float:
    answer = probe.call("score_std", key_dim, scaled)
    expect_that(answer is not None, NO_RETURN)
    number = number_of(answer)
    text = Text(
        "score_std should return one number, the same kind of answer for scaled and not scaled.",
        "score_std는 스케일링하든 하지 않든 수 하나를 돌려주어야 합니다.",
    )
    if number is None or not np.isfinite(number):
        raise Miss(text)
    return number


def _near(answer: float, right: float) -> bool:
    return abs(answer - right) <= TOLERANCE * (1 + right)


def _is_rounded(answer: float, right: float) -> bool:
    roundings = [math.floor(right), math.ceil(right), *(round(right, digits) for digits in range(4))]
    return any(abs(answer - rounded) <= 1e-6 * right for rounded in roundings)


def _expect_exact(answer: float, right: float, what: Text) -> None:
    """Miss as `expect_number` does, and ask of a near answer whether it is an estimate from samples."""
    if not _near(answer, right):
        expect_that(
            abs(answer - right) > 0.1 * right,
            Text(
                f"Near, but {what.en} has an exact value. Was it measured on samples, or rounded on the way?",
                f"비슷하지만, {what.ko}에는 정확한 값이 있습니다. 표본에서 재거나 도중에 반올림하지 않았나요?",
            ),
        )
    expect_number(answer, right, what)


def _widths(draw: Draw, count: int, low: int = 5, high: int = 200) -> list[int]:
    """Draw different widths whose root is no whole number, in ascending order."""
    options = [n for n in range(low, high + 1) if math.isqrt(n) ** 2 != n]
    return sorted(int(n) for n in draw.rng.choice(options, size=count, replace=False))


def test_score_std_number(probe: Probe, draw: Draw) -> None:
    for scaled in (False, True):
        _std(probe, draw.integer(5, 200), scaled)


def test_score_std_unscaled(probe: Probe, draw: Draw) -> None:
    answers = {key_dim: _std(probe, key_dim, False) for key_dim in _widths(draw, 3)}
    expect_that(
        any(
            _near(answer, key_dim**0.5) or not _is_rounded(answer, key_dim**0.5) for key_dim, answer in answers.items()
        ),
        Text(
            f"Near, but {UNSCALED_STD.en} has an exact value. Was it rounded?",
            f"비슷하지만, {UNSCALED_STD.ko}에는 정확한 값이 있습니다. 반올림하지 않았나요?",
        ),
    )
    for key_dim, answer in answers.items():
        _expect_exact(answer, key_dim**0.5, UNSCALED_STD)


def test_score_std_scaled(probe: Probe, draw: Draw) -> None:
    # far apart: rounded roots differ too
    (small,), (large,) = _widths(draw, 1, 5, 60), _widths(draw, 1, 260, 900)
    expect_that(
        any(_std(probe, small, scaled) != _std(probe, large, scaled) for scaled in (False, True)),
        Text(
            "The same number for every key_dim, scaled or not, explains nothing: first find the value without scaling.",
            "key_dim이 무엇이든, 스케일링하든 하지 않든 같은 수로는 아무것도 설명하지 못합니다. 스케일링하지 않을 때의 값을 먼저 구하세요.",
        ),
    )
    for key_dim in (small, large):
        _expect_exact(_std(probe, key_dim, True), 1.0, SCALED_STD)


# --- additive --------------------------------------------------------------------------------------------------------


def _additive_inputs(draw: Draw, *leading: int, square: bool = False) -> tuple[Array, ...]:
    query_len, key_len, query_dim, key_dim, value_dim, units = draw.distinct(6, 4, 10)
    query_len = key_len if square else query_len
    return (
        draw.normal(*leading, query_len, query_dim),
        draw.normal(*leading, key_len, key_dim),
        draw.normal(*leading, key_len, value_dim),
        _matrix(draw, query_dim, units),
        _matrix(draw, key_dim, units),
        draw.normal(units, scale=0.8),
    )


def _additive(probe: Probe, query: Array, key: Array, value: Array, *learned: Array) -> tuple[Array, Array]:
    answer = probe.call("additive_attention", query, key, value, *learned)
    output, weights = expect_tuple(answer, 2, PAIR)
    return (
        expect_shape(output, (*query.shape[:-1], value.shape[-1]), OUTPUT),
        expect_shape(weights, (*query.shape[:-1], key.shape[-2]), WEIGHTS),
    )


def _additive_in_some_rank(probe: Probe, *inputs: Array) -> tuple[Array, Array]:
    """Return the answer for unbatched inputs, asked as a batch of one where the code takes only batches.

    How many leading dimensions it takes is judged by `additive-batch` and `additive-any-rank`.
    """
    try:
        return _additive(probe, *inputs)
    except (Miss, AnswerError) as first:
        try:
            output, weights = _additive(probe, *(x[None] for x in inputs[:3]), *inputs[3:])
        except (Miss, AnswerError):
            raise first from None
        return output[0], weights[0]


def test_additive_shape(probe: Probe, draw: Draw) -> None:
    _additive_in_some_rank(probe, *_additive_inputs(draw))


def test_additive_weights(probe: Probe, draw: Draw) -> None:
    query, key, _, *learned = inputs = _additive_inputs(draw)
    expect_close(
        _additive_in_some_rank(probe, *inputs)[1],
        oracle.softmax(oracle.additive_scores(query, key, *learned)),
        Text("the weights", "가중치"),
    )
    query, key, _, *learned = inputs = _additive_inputs(draw, square=True)
    expect_close(
        _additive_in_some_rank(probe, *inputs)[1],
        oracle.softmax(oracle.additive_scores(query, key, *learned)),
        Text("the weights of as many queries as keys", "쿼리와 키의 수가 같을 때의 가중치"),
    )


def test_additive_output(probe: Probe, draw: Draw) -> None:
    inputs = _additive_inputs(draw)
    output, weights = _additive_in_some_rank(probe, *inputs)
    # rows may be alike here: without the tanh they are, and that costs its own line
    expect_that(
        bool(np.ptp(weights) > 1e-2),
        Text("The weights don't depend on the keys.", "가중치가 키에 따라 달라지지 않습니다."),
    )
    expect_close(
        output,
        weights @ inputs[2],
        Text("the output, given the weights that you return", "출력(여러분이 돌려준 가중치 기준)"),
    )


def _expect_slices(probe: Probe, draw: Draw, *leading: int) -> None:
    """Miss unless every slice of a batched call equals the student's own answer for that slice."""
    *sequences, w_query, w_key, v = _additive_inputs(draw, *leading)
    outputs_alone, weights_alone = _each_alone(
        leading, lambda one: _additive_in_some_rank(probe, *(x[one] for x in sequences), w_query, w_key, v)
    )
    expect_that(
        bool(np.ptp(weights_alone) > 1e-2),
        Text("The weights don't depend on the keys.", "가중치가 키에 따라 달라지지 않습니다."),
    )
    output, weights = _additive(probe, *sequences, w_query, w_key, v)
    expect_close(
        weights,
        weights_alone,
        Text(
            "the weights of several slices, each compared with those of that slice alone",
            "여러 조각의 가중치(조각마다 따로 계산한 것과 비교)",
        ),
    )
    expect_close(
        output,
        outputs_alone,
        Text(
            "the output of several slices, each compared with that of that slice alone",
            "여러 조각의 출력(조각마다 따로 계산한 것과 비교)",
        ),
    )


def test_additive_batch(probe: Probe, draw: Draw) -> None:
    _expect_slices(probe, draw, 3)


def test_additive_any_rank(probe: Probe, draw: Draw) -> None:
    _expect_slices(probe, draw, 3, 2)
    _additive(probe, *_additive_inputs(draw))
