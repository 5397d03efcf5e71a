"""Hidden tests of the tasks `fix-swapped-arguments` and `detect-swapped-arguments`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Layer, Probe, expect_close, expect_shape, expect_that, is_close

from .. import reference as oracle
from .inverted_mask import ATTENTION_WEIGHTS, OUTPUT, attention_weights
from .verdicts import broken, expect_truth_values, expect_verdicts, right

HEADS = "(batch, num_heads, seq_len, seq_len)"


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
        _expect_defaults(layer)
        weights = attention_weights(draw, d_model, num_heads, head_dim)
        shapes = sorted(w.shape for w in layer.weights())
        text = Text(
            f"The weights have the shapes {shapes}; they should be those of {num_heads} heads with {head_dim} features each.",
            f"가중치의 모양이 {shapes}입니다. 특징이 {head_dim}개씩인 헤드 {num_heads}개의 모양이어야 합니다.",
        )
        expect_that(shapes == sorted(w.shape for w in weights.values()), text)
        layer.assign(weights)
        another, _ = _called(probe, num_heads, head_dim, x)
        text = Text(
            "A second call returns the first one's layer: two blocks would share its weights.",
            "다시 불렀더니 앞에서 만든 계층을 돌려줍니다. 두 블록이 가중치를 함께 쓰게 됩니다.",
        )
        expect_that(not np.array_equal(another.read("query_dense.kernel"), layer.read("query_dense.kernel")), text)
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


def _expect_defaults(layer: Layer) -> None:
    """Miss unless a new layer's weights are as Keras makes them: trained, biases of 0, kernels drawn."""
    text = Text(
        "The layer's weights aren't those that Keras makes by default: biases of 0, random kernels, all of them trained.",
        "계층의 가중치가 케라스의 기본값과 다릅니다. 편향은 0이고 커널은 무작위이며 모두 학습되어야 합니다.",
    )
    for weight in layer.weights():
        value = layer.read(weight.path)
        is_bias = weight.path.endswith("bias")
        expect_that(weight.trainable and (not value.any() if is_bias else len(np.unique(value)) > 1), text)


# the two numbers change places where num_heads / head_dim lies between these
NEVER, ALWAYS = (0.0, 0.0), (0.0, 999.0)
HEADS_PLAIN = (
    right("a builder that is right", "올바른 것", *NEVER),
    broken("a builder that swaps", "바꾸는 것", *ALWAYS),
    right("a builder that computes in tensors", "텐서로 계산하는 것", *NEVER, library="keras"),
    broken("a builder that computes in tensors and swaps", "텐서로 계산하며 바꾸는 것", *ALWAYS, library="keras"),
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
