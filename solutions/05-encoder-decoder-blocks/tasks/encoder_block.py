"""Hidden tests of the task `encoder-block`."""

from __future__ import annotations

from autograder.base.text import Text
from autograder.grading import Draw, Probe

from ..block_cases import Block, expect_block
from .blocks import (
    balanced,
    drawn_mask,
    expect_bad_heads,
    expect_broadcast,
    expect_config,
    expect_dropout,
    expect_dropout_places,
    expect_epsilon,
    expect_mask,
    expect_mask_in_post_norm,
    expect_weights,
)
from .feed_forward import OUTPUT


def test_encoder_builds(probe: Probe, draw: Draw) -> None:
    Block(probe, draw, "encoder")


def test_encoder_weights(probe: Probe, draw: Draw) -> None:
    expect_weights(Block(probe, draw, "encoder"))


def test_encoder_one_token(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "encoder", one_token=True)
    block.assign()
    expect_block(block, block.ask(), Text("the output for one token", "토큰이 하나일 때의 출력"))


def test_encoder_values(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "encoder")
    block.assign()
    expect_block(block, block.ask(), OUTPUT)


def test_encoder_post_norm(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "encoder", norm_first=False)
    block.assign()
    expect_block(block, block.ask(), Text("the output with norm_first=False", "norm_first=False일 때의 출력"))


def test_encoder_epsilon(probe: Probe, draw: Draw) -> None:
    expect_epsilon(probe, draw, "encoder")


def test_encoder_mask(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "encoder")
    balanced(block)
    mask = drawn_mask(draw, block.seq_len, block.seq_len)
    expect_mask(block, draw, 0, "mask", mask, "(seq_len, seq_len)")


def test_encoder_mask_broadcast(probe: Probe, draw: Draw) -> None:
    block = Block(probe, draw, "encoder")
    balanced(block)
    expect_broadcast(block, draw, 0, "mask", ("seq_len", "seq_len"))
    expect_mask_in_post_norm(probe, draw, "encoder", 0, "mask", "(seq_len, seq_len)")


def test_encoder_dropout(probe: Probe, draw: Draw) -> None:
    expect_dropout(probe, draw, "encoder")


def test_encoder_dropout_places(probe: Probe, draw: Draw) -> None:
    expect_dropout_places(probe, draw, "encoder")


def test_encoder_config(probe: Probe, draw: Draw) -> None:
    expect_config(probe, draw, "encoder")


def test_encoder_bad_heads(probe: Probe, draw: Draw) -> None:
    expect_bad_heads(probe, draw, "EncoderBlock")
