"""Hidden tests of the tasks `fix-head-scaling` and `detect-head-scaling`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Miss, Probe, expect_close, expect_shape

from .. import reference as oracle
from .inverted_mask import ATTENTION_WEIGHTS
from .verdicts import broken, expect_truth_values, expect_verdicts, right

WEIGHTS = "(batch, num_heads, query_len, key_len)"


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
    if np.allclose(got.sum(axis=-1), 1, atol=1e-3):
        return
    for axis, en, ko in ((-2, "queries", "쿼리들"), (1, "heads", "헤드들")):
        if np.allclose(got.sum(axis=axis), 1, atol=1e-3):
            raise Miss(
                Text(
                    f"The weights add up to 1 over the {en}. They should over the keys, the last axis.",
                    f"가중치가 {ko}에 걸쳐 합이 1이 됩니다. 마지막 축인 키들에 걸쳐 합이 1이어야 합니다.",
                )
            )
    if np.allclose(np.exp(got).sum(axis=-1), 1, atol=1e-3):
        raise Miss(
            Text(
                "These are the logarithms of weights: `log_softmax` instead of `softmax`?",
                "가중치가 아니라 그 로그입니다. `softmax` 대신 `log_softmax`를 쓰지 않았나요?",
            )
        )
    raise Miss(
        Text(
            "The rows of weights don't add up to 1: is the scale applied after the softmax?",
            "가중치의 행의 합이 1이 아닙니다. 소프트맥스 뒤에서 스케일하고 있지 않나요?",
        )
    )


def test_scale_squares(probe: Probe, draw: Draw) -> None:
    query, key = _queries_and_keys(draw, 2, 3, 4)
    _expect_weights(probe, query, key, 3)


def test_scale_any(probe: Probe, draw: Draw) -> None:
    for batch, num_heads, head_dim in ((3, 2, 11), (1, 5, 3), (2, 4, 6)):
        query, key = _queries_and_keys(draw, batch, num_heads, head_dim)
        _expect_weights(probe, query, key, num_heads)
    what = Text("the attention weights of scores in the thousands", "점수가 수천일 때의 어텐션 가중치")
    query, key, expected = _scores_in_the_thousands(draw)
    expect_close(probe.call("head_weights", query, key, 3), expected, what, WEIGHTS)


def _scores_in_the_thousands(draw: Draw) -> tuple[Array, Array, Array]:
    """Draw queries and keys of 3 heads, and return them with their weights, of which each row is nearly one key's.

    Of scores that lie closer together, float32 rounds weights away.
    """
    while True:
        query, key = _queries_and_keys(draw, 2, 3, 5)
        query *= 1000
        weights = oracle.head_weights(query, key, 3)
        if weights.max(axis=-1).min() > 0.999:
            return query, key, weights


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
    broken(
        "the root of d_model in a head in the middle",
        "가운데 헤드에서만 d_model의 제곱근",
        RIGHT_SCALE,
        of_middle=ROOT_OF_D_MODEL,
    ),
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
