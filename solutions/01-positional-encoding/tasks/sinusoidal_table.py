"""Hidden tests of the task `sinusoidal-table`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_close, expect_shape, expect_that, is_close

from .. import reference as oracle
from .common import Array, drawn_dim, two_bases

TABLE = Text("the table", "위치 인코딩 표")


# sinusoidal-table


def test_table_shape(probe: Probe, draw: Draw) -> None:
    max_len, dim = _table_sizes(draw)
    answer = probe.call("positional_encoding", max_len, dim)
    expect_shape(answer, (max_len, dim), "(max_len, dim)")


def test_table_angles(probe: Probe, draw: Draw) -> None:
    max_len, dim = _table_sizes(draw)
    answer = probe.call("positional_encoding", max_len, dim)
    _expect_rows(answer, oracle.positional_encoding(max_len, dim))


def test_table_order(probe: Probe, draw: Draw) -> None:
    max_len, dim = _table_sizes(draw)
    answer = expect_shape(probe.call("positional_encoding", max_len, dim), (max_len, dim), "(max_len, dim)")
    expect_that(
        bool((np.ptp(answer, axis=0) > 0).any()),
        Text("All rows are the same: position never enters.", "모든 행이 같습니다. 위치가 쓰이지 않았습니다."),
    )
    # position 0 has angle 0 in every pair, so it shows the order whatever the rates; a table that counts its positions
    # from 1 has no such row, and loses `table-angles` for it, not this line
    if np.allclose(answer, oracle.positional_encoding(max_len + 1, dim)[1:], atol=1e-4):
        return
    row = np.tile([0.0, 1.0], dim // 2)
    expect_close(answer[0], row, Text("row 0, where every angle is 0", "모든 각도가 0인 0번 행"), "(dim,)")


def test_table_base(probe: Probe, draw: Draw) -> None:
    (max_len, dim), base, other = _table_sizes(draw), *two_bases(draw)
    answer = probe.call("positional_encoding", max_len, dim, base)
    _expect_rows(answer, oracle.positional_encoding(max_len, dim, base))
    answer = probe.call("positional_encoding", max_len, dim, base=other)
    _expect_rows(answer, oracle.positional_encoding(max_len, dim, other))


def test_table_whole(probe: Probe, draw: Draw) -> None:
    long, short = draw.integer(30, 45), draw.integer(2, 5)
    very_long = draw.integer(520, 600)
    sizes = (
        (long, drawn_dim(draw)),
        (short, 2 * draw.integer(10, 14)),
        (draw.integer(7, 9), 2),
        (very_long, 6),
        (1, 8),
    )
    for max_len, dim in sizes:
        expected = oracle.positional_encoding(max_len, dim)
        expect_close(probe.call("positional_encoding", max_len, dim), expected, TABLE, "(max_len, dim)")


def _table_sizes(draw: Draw) -> tuple[int, int]:
    """Return (max_len, dim), max_len odd so that the two differ."""
    return 2 * draw.integer(3, 9) + 1, drawn_dim(draw)


def _expect_rows(answer: Any, expected: Array) -> None:
    """Miss unless each row of a table holds the numbers of that row of `expected`, in any order."""
    got = np.sort(expect_shape(answer, expected.shape, "(max_len, dim)"), axis=-1)
    expected = np.sort(expected, axis=-1)
    if np.isnan(got).any():
        expect_close(got, expected, TABLE, "(max_len, dim)")
    # which columns differ once the rows are sorted would tell the student nothing
    expect_that(
        is_close(got, expected),
        Text(
            "There are rows that do not hold the sine and the cosine of each of their angles, position times rate.",
            "각 각도(위치 곱하기 변화율)의 사인과 코사인이 들어 있지 않은 행이 있습니다.",
        ),
    )
