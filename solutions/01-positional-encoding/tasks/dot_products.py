"""Hidden tests of the task `dot-products`."""

from __future__ import annotations

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_close, expect_shape

from .. import reference as oracle
from .common import Array

DOTS = Text("the dot products", "내적")


# dot-products


def test_dots_shape(probe: Probe, draw: Draw) -> None:
    pe, offset = _random_table(draw)
    expect_shape(probe.call("dot_products_at_offset", pe, offset), (len(pe) - offset,), "(max_len - offset,)")


def test_dots_values(probe: Probe, draw: Draw) -> None:
    pe, offset = _random_table(draw)
    products = oracle.dot_products_at_offset(pe, offset)
    expect_close(probe.call("dot_products_at_offset", pe, offset), products, DOTS, "(max_len - offset,)")
    # the last offset that has a partner, in a fresh table
    pe, _ = _random_table(draw)
    expect_close(
        probe.call("dot_products_at_offset", pe, len(pe) - 1),
        oracle.dot_products_at_offset(pe, len(pe) - 1),
        DOTS,
        "(max_len - offset,)",
    )


def test_dots_zero(probe: Probe, draw: Draw) -> None:
    pe, _ = _random_table(draw)
    expected = oracle.dot_products_at_offset(pe, 0)
    expect_close(probe.call("dot_products_at_offset", pe, 0), expected, DOTS, "(max_len - offset,)")


def _random_table(draw: Draw) -> tuple[Array, int]:
    """Return a table that is not sinusoidal and an offset, with max_len, max_len - offset and dim pairwise distinct."""
    offset = draw.integer(2, 4)
    max_len = draw.integer(9, 12)
    return draw.normal(max_len, 2 * draw.integer(7, 9)), offset
