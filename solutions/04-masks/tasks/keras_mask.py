"""Hidden tests of the task `keras-mask`."""

from __future__ import annotations

import numpy as np

from autograder.base.errors import AnswerError
from autograder.base.text import Text
from autograder.grading import Array, Draw, Probe, expect_array, expect_close, expect_shape, expect_that

from .. import reference as oracle
from .masked_softmax import drawn_mask


def _to_keras(probe: Probe, mask: Array, shape: tuple[int, ...], words: str) -> Array:
    return expect_shape(probe.call("to_keras_attention_mask", mask), shape, words)


def test_keras_shape(probe: Probe, draw: Draw) -> None:
    batch, query_len, key_len = draw.distinct(3, 2, 8)
    mask = drawn_mask(draw, batch, 1, query_len, key_len + 2)
    _to_keras(probe, mask, (batch, query_len, key_len + 2), "(batch, query_len, key_len)")


def test_keras_flip(probe: Probe, draw: Draw) -> None:
    batch, query_len, key_len = draw.distinct(3, 3, 8)
    mask = drawn_mask(draw, batch, 1, query_len, key_len)
    for some in (mask, 1 - mask):  # of the same shape: nothing of the first may be left
        got = _to_keras(probe, some, (batch, query_len, key_len), "(batch, query_len, key_len)")
        expect_close(got, oracle.to_keras_attention_mask(some), Text("the mask for Keras", "케라스용 마스크"))


def test_keras_booleans(probe: Probe, draw: Draw) -> None:
    for shape in ((2, 1, 4, 5), (4, 5)):
        try:
            answer = probe.call("to_keras_attention_mask", drawn_mask(draw, *shape))
        except AnswerError:
            if len(shape) == 4:
                raise
            return  # that two axes are too few for it is another line's
        kind = expect_array(answer, str(shape)).dtype
        text = Text(
            f"The mask for Keras of a mask {shape} is of type {kind}, but should be boolean.",
            f"모양 {shape}인 마스크에서 만든 케라스용 마스크의 자료형이 {kind}입니다. 불리언이어야 합니다.",
        )
        expect_that(kind == np.bool_, text)


def _expect_flipped(probe: Probe, mask: Array, words: str) -> None:
    """Miss unless the mask has the right shape and is right, or not flipped: that has cost its own line."""
    right = oracle.to_keras_attention_mask(mask)
    got = _to_keras(probe, mask, right.shape, words)
    what = Text(f"the mask for Keras of a mask {mask.shape}", f"모양 {mask.shape}인 마스크에서 만든 케라스용 마스크")
    expect_close(got, right, what, words)


def test_keras_padding(probe: Probe, draw: Draw) -> None:
    for batch in (draw.integer(2, 5), 1):
        mask = drawn_mask(draw, batch, 1, 1, draw.integer(6, 9))
        mask[1:2] = 1  # nothing but padding
        _expect_flipped(probe, mask, "(batch, 1, key_len)")


def test_keras_square(probe: Probe, draw: Draw) -> None:
    query_len, key_len = draw.distinct(2, 4, 9)
    for mask in (drawn_mask(draw, query_len, key_len), np.zeros((1, 1)), np.zeros((3, 1))):
        _expect_flipped(probe, mask, "(1, query_len, key_len)")
