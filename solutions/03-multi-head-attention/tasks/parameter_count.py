"""Hidden tests of the task `parameter-count`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_number, expect_whole_number

from .. import reference as oracle


class Widths:
    """Five different numbers to count with."""

    def __init__(self, draw: Draw) -> None:
        # larger than any num_heads * (key_dim + 1): no product or quotient of the others is one of them by chance
        self.input_dim, self.output_dim = draw.distinct(2, 241, 290)
        self.num_heads, self.key_dim, self.value_dim = draw.distinct(3, 2, 15)


def count(probe: Probe, *args: int, **kwargs: int) -> float:
    """Return the student's count, once it is one whole number."""
    return expect_whole_number(probe.call("mha_parameter_count", *args, **kwargs))


def test_count_is_a_number(probe: Probe, draw: Draw) -> None:
    w = Widths(draw)
    count(probe, w.input_dim, w.num_heads, w.key_dim)
    count(probe, w.input_dim, w.num_heads, w.key_dim, value_dim=w.value_dim, output_dim=w.output_dim)


def test_count_input_kernels(probe: Probe, draw: Draw) -> None:
    w = Widths(draw)
    more = draw.integer(2, 9)

    def growth(ask: Callable[..., float]) -> float:
        fixed = dict(value_dim=w.value_dim, output_dim=w.output_dim)
        return ask(w.input_dim + more, w.num_heads, w.key_dim, **fixed) - ask(
            w.input_dim, w.num_heads, w.key_dim, **fixed
        )

    expected = growth(oracle.mha_parameter_count)
    expect_number(
        growth(lambda *args, **kwargs: count(probe, *args, **kwargs)),
        expected,
        Text("the growth of the count with input_dim", "input_dim이 커질 때 늘어나는 파라미터 수"),
        tolerance=0.0,
    )


def test_count_defaults(probe: Probe, draw: Draw) -> None:
    w = Widths(draw)
    expected = oracle.mha_parameter_count(w.input_dim, w.num_heads, w.key_dim)
    expect_number(
        count(probe, w.input_dim, w.num_heads, w.key_dim),
        expected,
        Text(
            "the number of parameters with value_dim and output_dim left out",
            "value_dim과 output_dim을 생략했을 때의 파라미터 수",
        ),
        tolerance=0.0,
    )


def test_count_all_given(probe: Probe, draw: Draw) -> None:
    w = Widths(draw)
    narrow, wide = draw.distinct(2, 2, 5), draw.distinct(3, 6, 15)  # features fewer than those of a head
    for sizes_given in (
        (w.input_dim, w.num_heads, w.key_dim, w.value_dim, w.output_dim),
        (narrow[0], *wide, narrow[1]),
    ):
        expect_number(
            count(probe, *sizes_given),
            oracle.mha_parameter_count(*sizes_given),
            Text("the number of parameters", "파라미터 수"),
            tolerance=0.0,
        )
    sizes_alone = (w.input_dim, w.num_heads, w.key_dim)
    if count(probe, *sizes_alone) != oracle.mha_parameter_count(*sizes_alone):
        return  # wrong defaults have cost `count-defaults`
    for name, width in (("value_dim", w.value_dim), ("output_dim", w.output_dim)):
        one: dict[str, Any] = {name: width}
        expect_number(
            count(probe, *sizes_alone, **one),
            oracle.mha_parameter_count(*sizes_alone, **one),
            Text(f"the number of parameters with {name} alone", f"{name}만 주었을 때의 파라미터 수"),
            tolerance=0.0,
        )
