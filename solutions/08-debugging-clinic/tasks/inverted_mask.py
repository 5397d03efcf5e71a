"""Hidden tests of the tasks `fix-inverted-mask` and `detect-inverted-mask`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Layer, Probe, expect_close, expect_shape, expect_that

from ..._shared.influence import moves
from .. import reference as oracle
from .verdicts import broken, expect_truth_values, expect_verdicts, right

FEATURES = "(batch, seq_len, dim)"
OUTPUT = Text("the output", "출력")
ATTENTION_WEIGHTS = Text("the attention weights", "어텐션 가중치")


def _attention_layer(probe: Probe, draw: Draw, dropout: float = 0.0) -> tuple[Layer, dict[str, Array], int]:
    """Return one of Keras's attention layers with its weights, every one drawn, and the width of its inputs."""
    dim, num_heads, head_dim = draw.distinct(3, 2, 6)
    layer = probe.layer("keras.layers.MultiHeadAttention", num_heads=num_heads, key_dim=head_dim, dropout=dropout)
    some = draw.normal(1, 2, dim)
    layer(some, some)
    weights = attention_weights(draw, dim, num_heads, head_dim)
    layer.assign(weights)
    return layer, weights, dim


def attention_weights(draw: Draw, dim: int, num_heads: int, head_dim: int) -> dict[str, Array]:
    """Draw the weights of one of Keras's attention layers: attribute path -> value."""
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
    for batch, seq_len, dropout in ((3, draw.integer(6, 9), 0.0), (1, draw.integer(40, 50), 0.5), (2, 1, 0.0)):
        layer, weights, dim = _attention_layer(probe, draw, dropout)
        x = draw.normal(batch, seq_len, dim)
        answer = probe.call("causal_self_attention", layer, x)
        expect_close(answer, oracle.causal_self_attention(weights, x), OUTPUT, FEATURES)


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
    broken(
        "attention that looks four and five steps ahead and nowhere else",
        "네다섯 걸음 뒤만 내다보는 어텐션",
        [(4, 5)] * 2,
        alone=True,
    ),
    right(
        "causal attention whose heads have features of their own",
        "헤드마다 자기 특징만 읽고 쓰는 인과적 어텐션",
        [PAST] * 3,
        apart=True,
        alone=True,
    ),
    broken(
        "attention with two heads of four upside down, whose heads have features of their own",
        "헤드마다 자기 특징만 읽고 쓰며 헤드 넷 가운데 둘이 거꾸로 된 어텐션",
        [PAST, FUTURE, FUTURE, PAST],
        apart=True,
        alone=True,
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
    right("causal attention that rounds", "반올림하는 인과적 어텐션", [PAST] * 2, noise=5e-7),
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
        most=4e-4,
    ),
    right(
        "causal attention that adds little to its input",
        "입력에 조금만 더하는 인과적 어텐션",
        [PAST] * 3,
        around="residual",
        most=4e-4,
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
