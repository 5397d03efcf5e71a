"""Hidden tests of the task `decoder-mask`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Probe, expect_close, expect_shape, expect_that

from .. import reference as oracle
from .common import LARGE_IDS, expect_mask, expect_ones, token_ids

DECODER = "(batch, 1, seq_len, seq_len)"


def _decoder(probe: Probe, ids: np.ndarray, **kwargs: int) -> Array:
    """Return the student's decoder mask; whether it is floats and only 0 and 1 is judged by `decoder-ones`."""
    batch, seq_len = ids.shape
    return expect_shape(probe.call("create_decoder_mask", ids, **kwargs), (batch, 1, seq_len, seq_len), DECODER)


def test_decoder_shape(probe: Probe, draw: Draw) -> None:
    ids = token_ids(draw, draw.integer(2, 3), draw.integer(6, 9))
    _decoder(probe, ids)


def test_decoder_future(probe: Probe, draw: Draw) -> None:
    ids = draw.integers(1, 30, draw.integer(2, 4), draw.integer(6, 9))
    what = Text("the entries without padding", "패딩이 없는 시퀀스의 마스크")
    got = _decoder(probe, ids)
    padded = ids.copy()
    padded[:, 1] = padded[:, -1] = 0
    probe.tell_apart(lambda: probe.call("create_decoder_mask", padded))  # what hides nothing here may hide padding
    expect_mask(got, oracle.create_decoder_mask(ids), what, DECODER)


def test_decoder_padding(probe: Probe, draw: Draw) -> None:
    # the same in all sequences: whether each has its own is another line's
    ids = draw.integers(1, 30, draw.integer(2, 3), draw.integer(7, 9))
    ids[:, [0, draw.integer(2, 3), -1]] = 0  # in front, between tokens, at the end
    got = _decoder(probe, ids)
    padded = np.broadcast_to(oracle.create_padding_mask(ids), got.shape) == 1
    past = np.broadcast_to(oracle.create_look_ahead_mask(ids.shape[1]) == 0, got.shape)
    expect_that(
        bool((got[padded & past] > 0.5).all()),
        Text("A padded key of the past is not hidden.", "과거에 있는 패딩 키가 가려지지 않았습니다."),
    )
    expect_that(
        bool((got[padded & ~past] > 0.5).all()),
        Text(
            "A key that is in the future and padding too is not hidden: hidden twice is still hidden.",
            "미래에 있으면서 패딩이기도 한 키가 가려지지 않았습니다. 두 번 가려도 가린 것입니다.",
        ),
    )
    expect_that(
        bool((np.abs(got[~padded & past]) < 0.5).all()),
        Text(
            "A key of the past that is no padding is hidden from some query.",
            "패딩이 아닌 과거의 키가 어떤 쿼리에게는 가려져 있습니다.",
        ),
    )


def test_decoder_ones(probe: Probe, draw: Draw) -> None:
    answer = probe.call("create_decoder_mask", token_ids(draw, 3, draw.integer(6, 9)))
    expect_ones(answer)


def test_decoder_other_id(probe: Probe, draw: Draw) -> None:
    pad_id = draw.choice(LARGE_IDS)
    ids = draw.integers(10, 30, 3, draw.integer(7, 9))
    ids[:, 1], ids[:, 2], ids[:, 3] = 0, pad_id + 1, pad_id
    right = oracle.create_decoder_mask(ids, pad_id)
    got = np.where(_decoder(probe, ids, pad_id=pad_id) > 0.5, 1.0, 0.0)
    past = oracle.create_look_ahead_mask(ids.shape[1]) == 0  # the future is another line's
    what = Text("the past entries", "과거 쪽 원소")
    expect_close(np.where(past, got, 0), np.where(past, right, 0), what, DECODER)


def test_decoder_own_padding(probe: Probe, draw: Draw) -> None:
    ids = token_ids(draw, 3, draw.integer(7, 9))
    ids[0, 1] = ids[1, 2] = 0  # no sequence has all the padding of the others
    alone = np.concatenate([_decoder(probe, ids[i : i + 1]) for i in range(3)]) > 0.5
    together = _decoder(probe, ids) > 0.5
    expect_that(
        bool((alone == together).all()),
        Text(
            "A sequence has another mask in a batch than alone.",
            "같은 시퀀스인데 배치 안에 있을 때와 혼자 있을 때 마스크가 다릅니다.",
        ),
    )
    # right at the length above, or that has cost its own line; then at any other, and of nothing but padding
    if not np.array_equal(together, oracle.create_decoder_mask(ids) == 1):
        return
    nothing, long = np.zeros((1, 5), ids.dtype), token_ids(draw, 2, draw.integer(34, 40))
    for some, en, ko in (
        (nothing, "of a sequence that is all padding", "패딩뿐인 시퀀스의"),
        (np.array([[5], [0]]), "of sequences of one token", "토큰이 하나인 시퀀스의"),
        (long, "of long sequences", "긴 시퀀스의"),
    ):
        what = Text(f"the mask {en}", f"{ko} 마스크")
        expect_close(np.where(_decoder(probe, some) > 0.5, 1.0, 0.0), oracle.create_decoder_mask(some), what, DECODER)
