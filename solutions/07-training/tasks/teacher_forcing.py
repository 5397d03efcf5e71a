"""Hidden tests of the task `teacher-forcing`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Miss, Probe, expect_close, expect_shape, expect_tuple

from .. import reference as oracle

PAIR = "(decoder_input, labels)"
SHORTER = "(batch, len - 1)"


READ = Text("what the decoder reads", "디코더가 읽는 것")
LABELS = Text("the labels", "라벨")
ALONE = Text("in a batch of one row", "행이 하나인 배치에서")
PADDED = Text("where all rows end in padding", "모든 행이 패딩으로 끝날 때")


def _targets(draw: Draw) -> np.ndarray:
    """Draw (batch, len) target ids: BOS, tokens of a large vocabulary, EOS, padding; one row without, not the first."""
    batch, length = draw.integer(2, 4), draw.integer(8, 11)
    ids = draw.integers(3, 30_000, batch, length)
    ids[:, 1] = draw.integers(2049, 30_000, batch) | 1  # too large for a byte or for float16
    ids[:, 0] = oracle.BOS
    for row, end in zip(ids, [*draw.distinct(batch - 1, 3, length - 3), length - 1], strict=True):
        row[end], row[end + 1 :] = oracle.EOS, oracle.PAD
    return ids


def _pair(probe: Probe, ids: np.ndarray) -> tuple[Array, Array]:
    answer = probe.call("teacher_forcing_pairs", ids)
    # a list of two equal arrays arrives as one array
    pair = expect_tuple(tuple(answer) if isinstance(answer, np.ndarray) and answer.ndim == 3 else answer, 2, PAIR)
    shape = (len(ids), ids.shape[1] - 1)
    return expect_shape(pair[0], shape, f"decoder_input {SHORTER}"), expect_shape(pair[1], shape, f"labels {SHORTER}")


def _single_row(draw: Draw) -> np.ndarray:
    """Draw (1, len) target ids, longer than those of `_targets`."""
    return np.concatenate([[[oracle.BOS]], draw.integers(3, 30_000, 1, draw.integer(26, 30)), [[oracle.EOS]]], axis=1)


def _of(probe: Probe, ids: np.ndarray, where: Text) -> tuple[Array, Array]:
    """Return the pair of some ids; a miss says where it was."""
    try:
        return _pair(probe, ids)
    except Miss as miss:
        raise Miss(Text(f"{where.en[0].upper()}{where.en[1:]}:", f"{where.ko}:") + miss.text) from None


def test_forcing_shape(probe: Probe, draw: Draw) -> None:
    _pair(probe, _targets(draw))


def test_forcing_input(probe: Probe, draw: Draw) -> None:
    ids = _targets(draw)
    right, _ = oracle.teacher_forcing_pairs(ids)
    expect_close(_pair(probe, ids)[0], right, READ)
    row = _single_row(draw)
    expect_close(_of(probe, row, ALONE)[0], row[:, :-1], Text(f"{READ.en} {ALONE.en}", f"{ALONE.ko} {READ.ko}"))


def test_forcing_labels(probe: Probe, draw: Draw) -> None:
    ids = _targets(draw)
    expect_close(_pair(probe, ids)[1], oracle.teacher_forcing_pairs(ids)[1], LABELS)
    padded = np.pad(ids, ((0, 0), (0, 3)))
    expect_close(_of(probe, padded, PADDED)[1], padded[:, 1:], LABELS)
    row = _single_row(draw)
    expect_close(_of(probe, row, ALONE)[1], row[:, 1:], Text(f"{LABELS.en} {ALONE.en}", f"{ALONE.ko} {LABELS.ko}"))
