"""Hidden tests of the task `padding-mask`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_shape

from .. import reference as oracle
from .common import LARGE_IDS, expect_mask, expect_ones, token_ids

PADDING = "(batch, 1, 1, seq_len)"


def test_padding_shape(probe: Probe, draw: Draw) -> None:
    batch, seq_len = draw.integer(2, 4), draw.integer(7, 10)
    answer = probe.call("create_padding_mask", token_ids(draw, batch, seq_len))
    expect_shape(answer, (batch, 1, 1, seq_len), PADDING)


def test_padding_values(probe: Probe, draw: Draw) -> None:
    ids = token_ids(draw, draw.integer(2, 4), draw.integer(7, 10))
    answer = probe.call("create_padding_mask", ids)
    expect_mask(answer, oracle.create_padding_mask(ids), Text("the padded positions", "패딩 마스크"), PADDING)


def test_padding_anywhere(probe: Probe, draw: Draw) -> None:
    ids = token_ids(draw, 4, draw.integer(8, 10))
    ids[0] = ids[0, ::-1]
    ids[1] = np.where(ids[1] == 0, 5, ids[1])
    ids[2, 2] = 0
    ids[3] = 0  # nothing but padding
    for some in (ids, ids[:1], ids[:, 2:3]):
        answer = probe.call("create_padding_mask", some)
        what = Text("the padded positions", "패딩 마스크")
        expect_mask(answer, oracle.create_padding_mask(some), what, PADDING)


def test_padding_other_id(probe: Probe, draw: Draw) -> None:
    pad_id = draw.choice(LARGE_IDS)
    ids = token_ids(draw, 3, draw.integer(7, 10), pad_id)
    ids[:, 0], ids[:, 1] = pad_id + 1, 0  # ordinary tokens here
    answer = probe.call("create_padding_mask", ids, pad_id=pad_id)
    expect_mask(answer, oracle.create_padding_mask(ids, pad_id), Text("the padded positions", "패딩 마스크"), PADDING)


def test_padding_floats(probe: Probe, draw: Draw) -> None:
    expect_ones(probe.call("create_padding_mask", token_ids(draw, 2, 7)))
