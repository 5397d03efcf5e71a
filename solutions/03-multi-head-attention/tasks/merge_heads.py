"""Hidden tests of the task `merge-heads`."""

from __future__ import annotations

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_close, expect_shape

from .. import reference as oracle
from .common import sizes

MERGED = "(batch, seq_len, d_model)"


def test_merge_shape(probe: Probe, draw: Draw) -> None:
    num_heads, head_dim, (batch, seq_len) = sizes(draw, 2)
    answer = probe.call("merge_heads", draw.normal(batch, num_heads, seq_len, head_dim))
    expect_shape(answer, (batch, seq_len, num_heads * head_dim), MERGED)


def test_merge_one_token(probe: Probe, draw: Draw) -> None:
    num_heads, head_dim, (batch,) = sizes(draw, 1)
    x = draw.normal(batch, num_heads, 1, head_dim)
    expect_close(
        probe.call("merge_heads", x),
        oracle.merge_heads(x),
        Text("the merged heads of one token", "한 토큰의 합친 헤드"),
        MERGED,
    )


def test_merge_values(probe: Probe, draw: Draw) -> None:
    num_heads, head_dim, (batch, seq_len) = sizes(draw, 2)
    x = draw.normal(batch, num_heads, seq_len, head_dim)
    expect_close(
        probe.call("merge_heads", x),
        oracle.merge_heads(x),
        Text("the merged heads of several tokens", "여러 토큰의 합친 헤드"),
        MERGED,
    )
    for part, what in (
        (x[:1, :1], Text("a single head of a single sequence", "시퀀스도 헤드도 하나일 때 합친 헤드")),
        (x[..., :1], Text("the merged heads of one feature each", "특성이 하나씩인 헤드를 합친 것")),
        (
            draw.normal(1, num_heads, num_heads, head_dim),
            Text(
                "the merged heads of a single sequence of as many tokens as heads",
                "토큰이 헤드 수만큼인 시퀀스 하나의 합친 헤드",
            ),
        ),
    ):
        expect_close(probe.call("merge_heads", part), oracle.merge_heads(part), what, MERGED)
