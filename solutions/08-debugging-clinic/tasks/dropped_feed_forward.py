"""Hidden tests of the tasks `fix-dropped-feed-forward` and `detect-dropped-feed-forward`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, KernelObject, Probe, expect_close, expect_shape, expect_that

from .. import components
from .. import reference as oracle
from .inverted_mask import FEATURES, OUTPUT
from .verdicts import SOURCE, broken, expect_truth_values, expect_verdicts, right


@dataclass(frozen=True)
class BlockParts:
    """The four parts of a block, in the student's kernel and here."""

    in_kernel: tuple[KernelObject, ...]
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
    expect_shape(probe.call("connect_block", x, *_block_parts(probe, draw, dim).in_kernel), x.shape, FEATURES)


def test_block_reaches(probe: Probe, draw: Draw) -> None:
    x, parts, second = _networks_that_differ(probe, draw)
    attend, first, *norms = parts.in_kernel
    moved = _moved(
        *(
            expect_shape(probe.call("connect_block", x, attend, feed_forward, *norms), x.shape, FEATURES)
            for feed_forward in (first, second)
        )
    )
    text = Text(
        "Another feed-forward network gives the same output: its answer is lost.",
        "피드포워드 신경망을 바꾸어도 출력이 같습니다. 그 답이 사라지고 있습니다.",
    )
    expect_that(moved.max() > 1e-3, text)
    text = Text(
        "At some positions another feed-forward network gives the same output: there its answer is lost.",
        "어떤 위치에서는 피드포워드 신경망을 바꾸어도 출력이 같습니다. 거기서 그 답이 사라지고 있습니다.",
    )
    expect_that(moved.min() > 1e-3, text)


def _networks_that_differ(probe: Probe, draw: Draw) -> tuple[Array, BlockParts, KernelObject]:
    """Draw an input, a block's parts and a second feed-forward network, whose right output differs clearly at each position."""
    while True:
        batch, seq_len, dim = draw.distinct(3, 2, 7)
        x = draw.normal(batch, seq_len, dim)
        parts, others = (_block_parts(probe, draw, dim) for _ in range(2))
        attend, first, *norms = parts.here
        outputs = [oracle.connect_block(x, attend, network, *norms) for network in (first, others.here[1])]
        if _moved(*outputs).min() > 1e-2:
            return x, parts, others.in_kernel[1]


def _moved(output: Array, other: Array) -> Array:
    """Return how far two outputs (batch, seq_len, dim) lie apart at each position (batch, seq_len)."""
    moved: Array = np.abs(output - other).max(axis=-1)
    return moved


def test_block_values(probe: Probe, draw: Draw) -> None:
    for _ in range(2):
        batch, seq_len, dim = draw.distinct(3, 2, 7)
        x = draw.normal(batch, seq_len, dim)
        parts = _block_parts(probe, draw, dim)
        answer = probe.call("connect_block", x, *parts.in_kernel)
        expect_close(answer, oracle.connect_block(x, *parts.here), OUTPUT, FEATURES)


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
