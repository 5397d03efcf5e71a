"""Hidden tests of the task `rotary`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.base.errors import AnswerRaised
from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
    Probe,
    expect_close,
    expect_raises_value_error,
    expect_shape,
    expect_that,
    is_close,
)

from .. import reference as oracle

ROTARY_SHAPE = "(..., seq_len, head_dim)"


def turned(probe: Probe, x: Array, positions: Sequence[int], **options: Any) -> Array:
    """Return the student's answer, once its shape is right."""
    where = np.array(positions, dtype=np.int64)
    try:
        answer = probe.call("rotary", x, where, **options)
    except AnswerRaised as error:
        if "NotImplementedError" in error.kinds or "NameError" in error.kinds:
            raise
        try:  # `tf.*` refuses to multiply whole numbers by floats: the same positions as floats are as good
            answer = probe.call("rotary", x, where.astype(np.float32), **options)
        except AnswerRaised:
            raise error from None
    return expect_shape(answer, x.shape, ROTARY_SHAPE)


def rotary_sizes(draw: Draw) -> tuple[int, int, int, int]:
    """Return batch, num_heads, seq_len and an even head_dim; no two are equal."""
    head_dim = draw.choice((6, 8, 10))
    free = [n for n in range(2, 8) if n not in (head_dim, head_dim // 2)]
    batch, num_heads, seq_len = (free[i] for i in draw.distinct(3, 0, len(free) - 1))
    return batch, num_heads, seq_len, head_dim


def test_rotary_shape(probe: Probe, draw: Draw) -> None:
    batch, num_heads, seq_len, head_dim = rotary_sizes(draw)
    for leading in ((), (batch,), (batch, num_heads)):
        turned(probe, draw.normal(*leading, seq_len, head_dim), range(seq_len))


def test_rotary_pairs(probe: Probe, draw: Draw) -> None:
    batch, _, seq_len, head_dim = rotary_sizes(draw)
    x = draw.normal(batch, seq_len, head_dim)
    x[..., 0] = draw.uniform(0.5, 2.0, batch, seq_len)  # a first pair near 0 would hardly move
    for options in ({}, {"interleaved": True}):
        got = turned(probe, x, range(seq_len), **options)
        what = Text("position 0, which is turned by nothing", "돌아가지 않는 위치 0")
        expect_close(got[:, 0], x[:, 0], what)
        lengths, right = (np.hypot(each[..., ::2], each[..., 1::2]) for each in (got, x))
        what = Text(
            "the lengths of the pairs (2i, 2i + 1), which no turn changes", "돌려도 변하지 않는 쌍 (2i, 2i + 1)의 길이"
        )
        expect_close(lengths, right, what)
        expect_that(
            bool((np.abs(got[:, 1:, :2] - x[:, 1:, :2]).max(axis=-1) > 1e-3).all()),
            Text("The first pair of a later position isn't turned.", "뒤 위치의 첫 쌍이 돌아가지 않았습니다."),
        )


def test_rotary_angles(probe: Probe, draw: Draw) -> None:
    batch, _, seq_len, head_dim = rotary_sizes(draw)
    for size in (head_dim, 2):
        x = draw.normal(batch, seq_len, size)
        what = Text("the turned features", "돌린 특징")
        expect_close(turned(probe, x, range(seq_len)), oracle.rotary(x, range(seq_len)), what, ROTARY_SHAPE)


def test_rotary_halves(probe: Probe, draw: Draw) -> None:
    batch, _, seq_len, head_dim = rotary_sizes(draw)
    x = draw.normal(batch, seq_len, head_dim)
    got = turned(probe, x, range(seq_len), interleaved=False)
    if is_close(got, oracle.rotary(x, range(seq_len), interleaved=False)):
        return
    # by the student's own turn of pairs (2i, 2i + 1): wrong angles have cost their points already
    order = np.arange(head_dim).reshape(2, -1).T.ravel()
    right = np.empty_like(x)
    right[..., order] = turned(probe, x[..., order], range(seq_len))
    what = Text(
        "the features turned with interleaved=False, by what you return for interleaved pairs",
        "interleaved=False로 돌린 특징(여러분이 교차 쌍에 돌려준 값에 따른 것)",
    )
    expect_close(got, right, what, ROTARY_SHAPE)


def test_rotary_positions(probe: Probe, draw: Draw) -> None:
    batch, num_heads, seq_len, head_dim = rotary_sizes(draw)
    positions = sorted(draw.distinct(seq_len, 1, 60), reverse=True)  # neither from 0 on nor in their order
    x = draw.normal(batch, num_heads, seq_len, head_dim)
    for options in ({}, {"interleaved": False}):
        # each row by the student's own answer where it stands among positions 0, 1, 2, …
        among = draw.normal(batch, num_heads, 61, head_dim)
        among[:, :, positions] = x
        right = turned(probe, among, range(61), **options)[:, :, positions]
        what = Text("the features at other positions than 0, 1, 2, …", "0, 1, 2, …가 아닌 위치의 특징")
        expect_close(turned(probe, x, positions, **options), right, what, ROTARY_SHAPE)
    position = [draw.integer(2, 40)]
    alone = turned(probe, x[:, :, :1], position)
    among = np.repeat(x[:, :, :1], position[0] + 1, axis=2)
    right = turned(probe, among, range(position[0] + 1))[:, :, -1:]
    expect_close(alone, right, Text("a single position", "위치 하나"), ROTARY_SHAPE)
    far = [draw.integer(2060, 2300)]  # float16 doesn't know all of these numbers, bfloat16 hardly any
    got = turned(probe, x[:, :, :1], far)
    near = range(seq_len)
    if is_close(turned(probe, x, near), oracle.rotary(x, near)):  # else other angles have cost their own line
        right = oracle.rotary(x[:, :, :1], far)
        expect_close(got, right, Text("a far position", "먼 위치"), ROTARY_SHAPE, tolerance=2e-3)


def test_rotary_base(probe: Probe, draw: Draw) -> None:
    batch, _, seq_len, head_dim = rotary_sizes(draw)
    x, where = draw.normal(batch, seq_len, head_dim), np.arange(seq_len)
    for base in (float(draw.integer(50, 900)), 500000.0):
        for interleaved in (True, False):
            got = turned(probe, x, range(seq_len), base=base, interleaved=interleaved)
            # turned the other way has cost its points already
            if not is_close(got, oracle.rotary(x, -where, base, interleaved)):
                right = oracle.rotary(x, where, base, interleaved)
                expect_close(
                    got, right, Text("the features turned with another base", "base를 바꾸어 돌린 특징"), ROTARY_SHAPE
                )


def test_rotary_odd(probe: Probe, draw: Draw) -> None:
    batch, _, seq_len, _ = rotary_sizes(draw)
    for head_dim, options in ((draw.choice((7, 9, 11)), {}), (13, {"interleaved": False}), (1, {})):
        x = draw.normal(batch, seq_len, head_dim)
        expect_raises_value_error(
            lambda x=x, options=options: probe.call("rotary", x, np.arange(x.shape[1]), **options),
            ["head_dim", "dim"],
            [head_dim],
        )
