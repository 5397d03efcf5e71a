"""Hidden tests of the task `attention-scores`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_close, expect_shape, expect_that, shape_of

from .. import reference as oracle
from .common import SCALE, Array


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
