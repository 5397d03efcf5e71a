"""Hidden tests of the task `split-heads`."""

from __future__ import annotations

from autograder.base.errors import AnswerRaised
from autograder.base.text import Text
from autograder.grading import Draw, Miss, Probe, expect_close, expect_raises_value_error, expect_shape

from .. import reference as oracle
from .common import sizes

HEADS = "(batch, num_heads, seq_len, head_dim)"


def test_split_shape(probe: Probe, draw: Draw) -> None:
    num_heads, head_dim, (batch, seq_len) = sizes(draw, 2)
    answer = probe.call("split_heads", draw.normal(batch, seq_len, num_heads * head_dim), num_heads)
    expect_shape(answer, (batch, num_heads, seq_len, head_dim), HEADS)


def test_split_one_token(probe: Probe, draw: Draw) -> None:
    num_heads, head_dim, (batch,) = sizes(draw, 1)
    x = draw.normal(batch, 1, num_heads * head_dim)
    expect_close(
        probe.call("split_heads", x, num_heads),
        oracle.split_heads(x, num_heads),
        Text("the heads of one token", "한 토큰의 헤드"),
        HEADS,
    )


def test_split_values(probe: Probe, draw: Draw) -> None:
    num_heads, head_dim, (batch, seq_len) = sizes(draw, 2)
    x = draw.normal(batch, seq_len, num_heads * head_dim)
    expect_close(
        probe.call("split_heads", x, num_heads),
        oracle.split_heads(x, num_heads),
        Text("the heads of several tokens", "여러 토큰의 헤드"),
        HEADS,
    )
    what = Text("a single head of several tokens", "헤드가 하나일 때 여러 토큰의 헤드")
    expect_close(probe.call("split_heads", x, 1), oracle.split_heads(x, 1), what, HEADS)
    what = Text("heads of one feature each", "특성이 하나씩인 헤드")
    expect_close(probe.call("split_heads", x, x.shape[-1]), oracle.split_heads(x, x.shape[-1]), what, HEADS)
    x = draw.normal(1, num_heads, num_heads * head_dim)
    what = Text("the heads of a single sequence of as many tokens as heads", "토큰이 헤드 수만큼인 시퀀스 하나의 헤드")
    expect_close(probe.call("split_heads", x, num_heads), oracle.split_heads(x, num_heads), what, HEADS)


def test_split_bad_heads(probe: Probe, draw: Draw) -> None:
    _, _, (batch, seq_len) = sizes(draw, 2)
    num_heads, d_model = bad_sizes(draw)
    x = draw.normal(batch, seq_len, d_model)

    def split() -> None:
        try:
            probe.call("split_heads", x, num_heads)
        except AnswerRaised as error:
            by_library = any(words in error.raw.lower() for words in ("reshape", "equal division"))
            if by_library and "num_heads" not in error.raw and "d_model" not in error.raw:
                text = Text(
                    "The reshape or split itself failed. Check it yourself before you reshape.",
                    "reshape나 split 자체에서 오류가 났습니다. reshape하기 전에 직접 확인하세요.",
                )
                raise Miss(text) from None
            raise

    expect_raises_value_error(split, ["num_heads", "d_model"], [num_heads, d_model], names_all=True)


def bad_sizes(draw: Draw) -> tuple[int, int]:
    """Return num_heads and a d_model that it doesn't divide; neither number stands in the other, so that each must be told."""
    num_heads = draw.integer(3, 6)
    return num_heads, draw.choice([n for n in range(7, 30) if n % num_heads and str(num_heads) not in str(n)])
