"""Hidden tests of the task `angle-rates`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_close, expect_raises_value_error, expect_shape, expect_that

from .. import reference as oracle
from .common import drawn_dim, two_bases

RATES = Text("the angle rates", "각도 변화율")


# angle-rates


def test_rates_shape(probe: Probe, draw: Draw) -> None:
    dim = drawn_dim(draw)
    expect_shape(probe.call("angle_rates", dim), (dim // 2,), "(dim // 2,)")


def test_rates_fall(probe: Probe, draw: Draw) -> None:
    dim = drawn_dim(draw)
    rates = expect_shape(probe.call("angle_rates", dim), (dim // 2,), "(dim // 2,)")
    expect_that(
        bool(np.isfinite(rates).all() and (rates > 0).all()),
        Text("Every rate should be a positive, finite number.", "모든 변화율은 유한한 양수여야 합니다."),
    )
    expect_that(
        abs(rates[0] - 1) <= 1e-4,
        Text(
            "The first pair should have rate 1: i counts from 0, and base ** 0 is 1.",
            "첫째 쌍의 변화율은 1이어야 합니다. i는 0부터 세고 base ** 0은 1입니다.",
        ),
    )
    factors = rates[1:] / rates[:-1]
    expect_that(
        bool((factors < 0.99).all()),
        Text("The rates should fall from pair to pair.", "변화율은 쌍이 뒤로 갈수록 작아져야 합니다."),
    )
    expect_that(
        bool(np.allclose(factors, factors[0], rtol=1e-3)),
        Text(
            "Each rate should be the same factor times the one before it.",
            "각 변화율은 바로 앞 변화율에 늘 같은 수를 곱한 값이어야 합니다.",
        ),
    )


def test_rates_values(probe: Probe, draw: Draw) -> None:
    for dim in (drawn_dim(draw), 2):
        expect_close(probe.call("angle_rates", dim), oracle.angle_rates(dim), RATES, "(dim // 2,)")


def test_rates_base(probe: Probe, draw: Draw) -> None:
    dim, (base, other) = drawn_dim(draw), two_bases(draw)
    expect_close(probe.call("angle_rates", dim, base), oracle.angle_rates(dim, base), RATES, "(dim // 2,)")
    expect_close(probe.call("angle_rates", dim, base=other), oracle.angle_rates(dim, other), RATES, "(dim // 2,)")


def test_rates_bad_dim(probe: Probe, draw: Draw) -> None:
    for dim in (2 * draw.integer(3, 9) + 1, 0, -2 * draw.integer(1, 4), 1):
        expect_raises_value_error(lambda dim=dim: probe.call("angle_rates", dim), ["dim"], [dim])
