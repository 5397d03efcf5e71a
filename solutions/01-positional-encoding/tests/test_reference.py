"""The reference of `01-positional-encoding` against the lecture's figures and against its properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .. import reference as oracle

EVEN_DIMS = st.integers(1, 12).map(lambda pairs: 2 * pairs)
BASES = st.floats(2.0, 1e5)
OFFSETS = st.integers(0, 40)

# sums of up to 24 float64 products of numbers below 1, angles up to 100 radians: 1e-11 is generous
EXACT = 1e-11


def test_row_1_is_the_lectures():
    np.testing.assert_allclose(
        oracle.positional_encoding(6, 4)[1], [0.84147098, 0.54030231, 0.00999983, 0.99995000], atol=5e-9
    )


def test_row_5_is_the_lectures():
    np.testing.assert_allclose(
        oracle.positional_encoding(6, 4)[5], [-0.95892427, 0.28366219, 0.04997917, 0.99875026], atol=5e-9
    )


@pytest.mark.parametrize(("offset", "figure"), [(1, 1.540252306284805), (2, 0.5836531701194354)])
def test_dot_products_are_the_lectures(offset, figure):
    dots = oracle.dot_products_at_offset(oracle.positional_encoding(6, 4), offset)
    assert dots.shape == (6 - offset,)
    np.testing.assert_allclose(dots, figure, rtol=1e-14)
    assert oracle.offset_dot_product(offset, 4) == pytest.approx(figure, rel=1e-14)


def test_powers_of_ten_are_the_rates_of_the_pairs_at_dim_8():
    np.testing.assert_allclose(oracle.angle_rates(8), [1, 1 / 10, 1 / 100, 1 / 1000], rtol=1e-13)


def test_an_exponent_per_column_breaks_the_invariance_by_the_measured_amount():
    column = np.arange(16)
    angles = np.arange(56)[:, np.newaxis] * 10000.0 ** (-column / 16)
    wrong = np.where(column % 2 == 0, np.sin(angles), np.cos(angles))
    norms = oracle.dot_products_at_offset(wrong, 0)
    assert np.ptp(oracle.dot_products_at_offset(wrong, 5)) == pytest.approx(3.49, abs=0.005)
    assert (norms.min(), norms.max()) == pytest.approx((6.4, 10.6), abs=0.05)


def test_a_shared_angle_keeps_the_invariance_to_rounding():
    right = oracle.positional_encoding(56, 16)
    assert np.ptp(oracle.dot_products_at_offset(right, 5)) < 1e-14
    np.testing.assert_allclose(oracle.dot_products_at_offset(right, 0), 16 / 2)


@pytest.mark.parametrize("dim", [-2, -1, 0, 1, 7])
def test_an_odd_or_non_positive_dim_is_refused(dim):
    with pytest.raises(ValueError, match=f"dim={dim}"):
        oracle.angle_rates(dim)


@given(EVEN_DIMS, BASES)
def test_rates_follow_the_formula_of_the_paper(dim, base):
    formula = [1 / base ** (2 * i / dim) for i in range(dim // 2)]
    np.testing.assert_allclose(oracle.angle_rates(dim, base), formula, rtol=1e-12)


@given(st.integers(1, 30), EVEN_DIMS, BASES)
def test_sines_are_even_columns_and_cosines_odd_ones(max_len, dim, base):
    table = oracle.positional_encoding(max_len, dim, base)
    angles = np.arange(max_len)[:, np.newaxis] * oracle.angle_rates(dim, base)
    assert table.shape == (max_len, dim)
    np.testing.assert_allclose(table[:, 0::2], np.sin(angles), atol=EXACT)
    np.testing.assert_allclose(table[:, 1::2], np.cos(angles), atol=EXACT)


@given(OFFSETS, EVEN_DIMS, BASES)
def test_dot_products_depend_on_the_offset_alone(offset, dim, base):
    dots = oracle.dot_products_at_offset(oracle.positional_encoding(offset + 9, dim, base), offset)
    assert dots.shape == (9,)
    np.testing.assert_allclose(dots, oracle.offset_dot_product(offset, dim, base), atol=EXACT)


@given(EVEN_DIMS, BASES)
def test_offset_0_gives_half_the_dim(dim, base):
    assert oracle.offset_dot_product(0, dim, base) == pytest.approx(dim / 2)


@given(OFFSETS, EVEN_DIMS, BASES)
def test_shift_matrix_carries_every_row_to_the_row_offset_later(offset, dim, base):
    table = oracle.positional_encoding(offset + 9, dim, base)
    moved = table[:9] @ oracle.shift_matrix(offset, dim, base).T
    np.testing.assert_allclose(moved, table[offset:], atol=EXACT)


@given(OFFSETS, OFFSETS, EVEN_DIMS, BASES)
def test_two_shifts_are_one_shift(first, second, dim, base):
    both = oracle.shift_matrix(second, dim, base) @ oracle.shift_matrix(first, dim, base)
    np.testing.assert_allclose(both, oracle.shift_matrix(first + second, dim, base), atol=EXACT)


@given(OFFSETS, EVEN_DIMS, BASES)
def test_shift_matrix_keeps_lengths(offset, dim, base):
    matrix = oracle.shift_matrix(offset, dim, base)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(dim), atol=EXACT)


def test_dot_products_work_on_any_table():
    table = np.arange(12.0).reshape(4, 3)
    np.testing.assert_allclose(
        oracle.dot_products_at_offset(table, 2), [0 * 6 + 1 * 7 + 2 * 8, 3 * 9 + 4 * 10 + 5 * 11]
    )
    assert oracle.dot_products_at_offset(table, 4).shape == (0,)


def test_layer_adds_the_same_rows_to_every_sequence():
    inputs = np.random.default_rng(0).normal(size=(2, 3, 4))
    added = oracle.positional_layer(inputs, 6) - inputs
    np.testing.assert_allclose(added, np.broadcast_to(oracle.positional_encoding(6, 4)[:3], (2, 3, 4)), atol=1e-15)


def test_learned_layer_adds_its_first_rows():
    table = np.arange(20.0).reshape(5, 4)
    np.testing.assert_array_equal(
        oracle.learned_positional_layer(np.zeros((2, 3, 4)), table), np.stack([table[:3]] * 2)
    )


def test_a_sequence_longer_than_the_table_is_refused():
    with pytest.raises(ValueError, match="seq_len=7"):
        oracle.positional_layer(np.zeros((1, 7, 4)), 6)
