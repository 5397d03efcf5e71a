"""Hidden tests of the task `decoder-block`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_changed, expect_that

from ..block_cases import Block, expect_block
from .blocks import (
    balanced,
    drawn_mask,
    expect_bad_heads,
    expect_both_masks,
    expect_broadcast,
    expect_config,
    expect_dropout,
    expect_dropout_places,
    expect_epsilon,
    expect_mask,
    expect_mask_in_post_norm,
    expect_weights,
    moved_by,
)
from .feed_forward import OUTPUT


def test_decoder_builds(probe: Probe, draw: Draw) -> None:
    Block(probe, draw, "decoder")


def test_decoder_weights(probe: Probe, draw: Draw) -> None:
    expect_weights(Block(probe, draw, "decoder"))


def test_decoder_memory(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "decoder")
    balanced(block)
    off = ~np.eye(block.seq_len, dtype=bool)
    on_memory = moved_by(block, draw, 1, np.ones((block.seq_len, block.memory_len), bool))
    on_target = moved_by(block, draw, 0, off)
    text = Text(
        "The output doesn't depend on every token of the memory.", "출력에 영향을 주지 않는 메모리 토큰이 있습니다."
    )
    expect_that(on_memory.all(), text)
    target, memory = block.inputs
    block.inputs[1] = block.tokens(draw, draw.integer(12, 15))
    on_long = moved_by(block, draw, 1, np.ones((block.seq_len, block.inputs[1].shape[1]), bool))
    block.inputs[1] = memory
    long = Text(
        "The output doesn't depend on every token of a longer memory.",
        "메모리가 더 길면 출력에 영향을 주지 않는 메모리 토큰이 있습니다.",
    )
    expect_that(on_long.all(), long)
    other = Text(
        "Another memory gives the same output: does the block keep the first one?",
        "메모리가 바뀌어도 출력이 같습니다. 블록이 처음 받은 메모리를 계속 쓰나요?",
    )
    expect_changed(block.ask(), block.ask(target, block.tokens(draw, block.memory_len)), other)
    text = Text(
        "Without a mask, an output doesn't depend on every token of the target: where is the self-attention?",
        "마스크가 없는데도 어떤 타깃 토큰은 다른 위치의 출력에 영향을 주지 않습니다. 셀프 어텐션이 있나요?",
    )
    expect_that(on_target[off].all(), text)


def test_decoder_one_token(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "decoder", one_token=True)
    block.assign()
    expect_block(block, block.ask(), Text("the output for one token", "토큰이 하나일 때의 출력"))


def test_decoder_values(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "decoder")
    block.assign()
    expect_block(block, block.ask(), OUTPUT)


def test_decoder_post_norm(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "decoder", norm_first=False)
    block.assign()
    expect_block(block, block.ask(), Text("the output with norm_first=False", "norm_first=False일 때의 출력"))


def test_decoder_epsilon(probe: Probe, draw: Draw) -> None:
    expect_epsilon(probe, draw, "decoder")


def test_decoder_self_mask(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "decoder")
    balanced(block)
    mask = drawn_mask(draw, block.seq_len, block.seq_len)
    expect_mask(block, draw, 0, "self_mask", mask, "(target_len, target_len)")
    expect_broadcast(block, draw, 0, "self_mask", ("target_len", "target_len"))
    expect_mask_in_post_norm(probe, draw, "decoder", 0, "self_mask", "(target_len, target_len)")


def test_decoder_memory_mask(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "decoder")
    balanced(block)
    mask = drawn_mask(draw, block.seq_len, block.memory_len)
    expect_mask(block, draw, 1, "memory_mask", mask, "(target_len, memory_len)")
    expect_broadcast(block, draw, 1, "memory_mask", ("target_len", "memory_len"))
    expect_mask_in_post_norm(probe, draw, "decoder", 1, "memory_mask", "(target_len, memory_len)")
    expect_both_masks(block, draw)


def test_decoder_dropout(probe: Probe, draw: Draw) -> None:
    expect_dropout(probe, draw, "decoder")


def test_decoder_dropout_places(probe: Probe, draw: Draw) -> None:
    expect_dropout_places(probe, draw, "decoder")


def test_decoder_config(probe: Probe, draw: Draw) -> None:
    expect_config(probe, draw, "decoder")


def test_decoder_bad_heads(probe: Probe, draw: Draw) -> None:
    expect_bad_heads(probe, draw, "DecoderBlock")
