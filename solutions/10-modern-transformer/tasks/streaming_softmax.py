"""Hidden tests of the task `streaming-softmax`."""

from __future__ import annotations

import inspect

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Probe, expect_close, expect_shape, expect_that, expect_whole_number

from ..._shared.drawn_masks import partial_mask
from .. import memory
from .. import reference as oracle

MEMORY = inspect.getsource(memory)
STREAMED = "(..., query_len, value_dim)"


class StreamCase:
    """Queries, keys and values; no two sizes are equal, scores of about 1.5 in size.

    Args:
        draw: the random numbers of the rubric line.
        leading: number of dimensions in front of the last two.
        key_len: number of keys.
    """

    def __init__(self, draw: Draw, leading: int = 2, key_len: int = 11) -> None:
        free = [n for n in range(2, 9) if n != key_len]
        front_1, front_2, self.query_len, key_dim, value_dim = (free[i] for i in draw.distinct(5, 0, len(free) - 1))
        front = (front_1, front_2)[:leading]
        self.key_len, self.front = key_len, front
        self.query = draw.normal(*front, self.query_len, key_dim, scale=1.25)
        self.key = draw.normal(*front, key_len, key_dim, scale=1.25)
        self.value = draw.normal(*front, key_len, value_dim)

    def ask(self, probe: Probe, block_size: int, mask: Array | None = None) -> Array:
        """Return the student's output, once its shape is right."""
        options = {} if mask is None else {"mask": mask}
        answer = probe.call("streaming_attention", self.query, self.key, self.value, block_size, **options)
        return expect_shape(answer, (*self.front, self.query_len, self.value.shape[-1]), STREAMED)

    def expect(self, probe: Probe, block_size: int, what: Text, mask: Array | None = None) -> None:
        """Miss unless an output is the right one."""
        right = oracle.attention(self.query, self.key, self.value, mask)
        expect_close(self.ask(probe, block_size, mask), right, what, STREAMED)


def test_streaming_shape(probe: Probe, draw: Draw) -> None:
    for leading in (0, 1, 2):
        StreamCase(draw, leading).ask(probe, 11)


def test_streaming_one_block(probe: Probe, draw: Draw) -> None:
    for block_size, leading in ((11, 2), (draw.integer(12, 30), 1), (1000, 0)):
        what = Text("the output if all keys lie in one block", "모든 키가 한 블록에 들어갈 때의 출력")
        StreamCase(draw, leading).expect(probe, block_size, what)


def test_streaming_blocks(probe: Probe, draw: Draw) -> None:
    for block_size, key_len in ((4, 12), (5, 12), (1, 9), (draw.integer(6, 8), 9), (2, 11), (3, 10)):
        case = StreamCase(draw, draw.integer(0, 2), key_len)
        what = Text(
            f"the output for {key_len} keys in blocks of {block_size}", f"키 {key_len}개, 블록 {block_size}일 때의 출력"
        )
        case.expect(probe, block_size, what)


def test_streaming_large(probe: Probe, draw: Draw) -> None:
    for sizes in (np.linspace(1, 12, 12), np.linspace(12, 1, 12), -np.linspace(3, 12, 12)):
        case = StreamCase(draw, 1, 12)
        # every second query's scores are as far below 0 as the others' are above it
        case.query = draw.uniform(0.9, 1.1, *case.query.shape) * (-1.0) ** np.arange(case.query_len)[:, None]
        width = case.key.shape[-1]
        case.key = (case.key * 0.02 + (400.0 / np.sqrt(width)) * sizes[:, None]).astype(np.float32).astype(np.float64)
        what = Text("the output for scores in the thousands", "점수가 수천일 때의 출력")
        for block_size in (3, 5, 12):
            case.expect(probe, block_size, what)


def test_streaming_mask(probe: Probe, draw: Draw) -> None:
    for front, rows in ((0, True), (1, False), (2, True), (0, False)):
        case = StreamCase(draw, 2, 10)
        before = {0: (), 1: (case.front[0], 1), 2: case.front}[front]
        mask = partial_mask(draw, *before, case.query_len if rows else 1, case.key_len)
        # one key that nobody can see scores far above the others
        mask[..., draw.integer(0, 9)] = 1
        mask[..., 0, :4] = 1  # some row's first block
        mask[..., 4] = 0
        words = f"({', '.join(map(str, mask.shape))})"
        what = Text(f"the output under a mask {words}", f"마스크 {words}을(를) 쓴 출력")
        for block_size in (10, 4, 3):
            case.expect(probe, block_size, what, mask)
    case = StreamCase(draw, 1, 8)
    case.query = draw.uniform(0.9, 1.1, *case.query.shape)
    case.key[:, 5] = 200.0
    mask = np.zeros((case.query_len, 8))
    mask[:, 5] = 1
    what = Text(
        "the output if a hidden key scores hundreds above the others",
        "가린 키의 점수가 다른 키보다 수백이나 높을 때의 출력",
    )
    for block_size in (3, 4):
        case.expect(probe, block_size, what, mask)


def test_streaming_hidden(probe: Probe, draw: Draw) -> None:
    case = StreamCase(draw, 2, 9)
    mask = np.zeros((case.query_len, 9))
    mask[0] = 1  # wholly hidden
    mask[-1, :6] = 1  # the first blocks are
    for block_size in (3, 2, 4, 9):
        what = Text("the output where the first blocks are hidden", "앞 블록들이 가려진 행의 출력")
        right = oracle.attention(case.query, case.key, case.value, mask)
        got = case.ask(probe, block_size, mask)
        expect_close(got[..., -1, :], right[..., -1, :], what)
        expect_close(got[..., 0, :], right[..., 0, :], Text("wholly hidden rows", "모두 가려진 행"))
        expect_close(got, right, Text("the output beside hidden rows", "가려진 행이 있을 때의 출력"), STREAMED)
    late = np.zeros((case.query_len, 9))
    late[:, 6:] = 1
    case.expect(probe, 3, Text("the output where the last block is hidden", "마지막 블록이 가려졌을 때의 출력"), late)


# 96 queries and a quarter of a million keys: all scores at once are 101 MB even in float32, those of a block are 3 MB, keys and values 4 MB.
MANY_KEYS, MANY_QUERIES, MANY_BLOCK = 262_144, 96, 8192
WHOLE_SCORES = 4 * MANY_KEYS * MANY_QUERIES


def test_streaming_memory(probe: Probe, draw: Draw) -> None:
    """What the kernel has held at once at most says whether all scores were there together; it has held more before only rarely."""
    peak = probe.define(MEMORY, "peak_of_kernel")
    query = draw.normal(MANY_QUERIES, 2).astype(np.float32)
    key, value = (draw.normal(MANY_KEYS, 2).astype(np.float32) for _ in range(2))
    # what a library takes for blocks of this size in its first calls isn't looked at
    few = slice(3 * MANY_BLOCK // 2)
    probe.call("streaming_attention", query, key[few], value[few], MANY_BLOCK)
    before = expect_whole_number(peak())
    answer = probe.call("streaming_attention", query, key, value, MANY_BLOCK)
    grown = expect_whole_number(peak()) - before
    expect_shape(answer, (MANY_QUERIES, 2), STREAMED)
    expect_that(
        grown < 0.75 * WHOLE_SCORES,
        Text(
            f"With {MANY_QUERIES} queries and {MANY_KEYS} keys in blocks of {MANY_BLOCK} it takes much more memory than the scores of a block "
            f"({4e-6 * MANY_QUERIES * MANY_BLOCK:.0f} MB): are all scores there at once?",
            f"쿼리 {MANY_QUERIES}개, 키 {MANY_KEYS}개를 블록 {MANY_BLOCK}으로 계산하면 한 블록의 점수({4e-6 * MANY_QUERIES * MANY_BLOCK:.0f} MB)보다 메모리를 "
            "훨씬 많이 씁니다. 모든 점수를 한꺼번에 만들지 않았나요?",
        ),
    )
