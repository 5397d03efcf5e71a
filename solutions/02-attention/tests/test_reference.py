"""The reference of 02-attention against the lecture's figures, hand-worked numbers and properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from .. import reference as oracle

QUERY = np.array([[0, 0, 10], [0, 10, 0], [10, 10, 0]], dtype=float)
KEY = np.array([[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]], dtype=float)
VALUE = np.array([[1, 0], [10, 0], [100, 5], [1000, 6]], dtype=float)
WEIGHTS = np.array([[0, 0, 0.5, 0.5], [0, 1, 0, 0], [0.5, 0.5, 0, 0]])

# float64 throughout: only rounding is left
EXACT = {"rtol": 1e-12, "atol": 1e-12}

seeds = st.integers(0, 2**32 - 1)
tables = arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(1, 6)), elements=st.floats(-5000, 5000, width=32))


def _inputs(seed: int, *leading: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw query (5, 4), key (6, 4) and value (6, 3) with leading dimensions."""
    rng = np.random.default_rng(seed)
    return (
        rng.standard_normal((*leading, 5, 4)),
        rng.standard_normal((*leading, 6, 4)),
        rng.standard_normal((*leading, 6, 3)),
    )


def _additive_inputs(seed: int, *leading: int) -> tuple[np.ndarray, ...]:
    """Draw query (5, 4), key (6, 3), value (6, 2), matrices to 7 units, and v."""
    rng = np.random.default_rng(seed)
    shapes = (*leading, 5, 4), (*leading, 6, 3), (*leading, 6, 2), (4, 7), (3, 7), (7,)
    return tuple(rng.standard_normal(shape) for shape in shapes)


# --- figures ---------------------------------------------------------------------------------------------------------


def test_attention_reproduces_the_lecture_example():
    output, weights = oracle.scaled_dot_product_attention(QUERY, KEY, VALUE)
    # the lecture prints 8 digits
    np.testing.assert_allclose(weights, WEIGHTS, rtol=0, atol=5e-9)
    np.testing.assert_allclose(output, [[550, 5.5], [10, 0], [5.5, 0]], rtol=0, atol=5e-9)


def test_lecture_weights_do_not_show_the_scaling():
    unscaled = oracle.softmax(QUERY @ KEY.T)
    np.testing.assert_allclose(unscaled, oracle.scaled_dot_product_attention(QUERY, KEY, VALUE)[1], rtol=0, atol=5e-9)


def test_scores_of_the_lecture_example():
    pattern = np.array([[0, 0, 1, 1], [0, 1, 0, 0], [1, 1, 0, 0]])
    np.testing.assert_allclose(oracle.attention_scores(QUERY, KEY), pattern * 100 / np.sqrt(3), **EXACT)


def test_masking_the_last_key_of_the_lecture_example():
    output, weights = oracle.scaled_dot_product_attention(QUERY, KEY, VALUE, np.array([[0, 0, 0, 1]]))
    np.testing.assert_allclose(weights, [[0, 0, 1, 0], [0, 1, 0, 0], [0.5, 0.5, 0, 0]], rtol=0, atol=5e-9)
    np.testing.assert_allclose(output, [[100, 5], [10, 0], [5.5, 0]], rtol=0, atol=5e-9)


def test_softmax_of_one_two_three():
    np.testing.assert_allclose(oracle.softmax([1, 2, 3]), [0.09003057, 0.24472847, 0.66524096], rtol=0, atol=5e-9)


@pytest.mark.parametrize("shift", [-5000, 0, 5000])
def test_softmax_ignores_a_shift_in_the_thousands(shift):
    np.testing.assert_allclose(oracle.softmax(np.array([1, 2, 3]) + shift), oracle.softmax([1, 2, 3]), **EXACT)


def test_softmax_of_rows_thousands_apart():
    np.testing.assert_allclose(oracle.softmax([[4000, 4000], [-4000, -4000]]), np.full((2, 2), 0.5), **EXACT)


def test_additive_score_worked_by_hand():
    w_key = np.array([[1, 0], [0, 1], [-1, 0]])
    score = oracle.additive_scores([[1, 0]], [[0, 1, 0]], np.eye(2), w_key, [1, 2])
    np.testing.assert_allclose(score, [[3 * np.tanh(1)]], **EXACT)


@pytest.mark.parametrize("key_dim", [1, 16, 64, 200])
def test_score_std_is_the_root_of_the_width_or_one(key_dim):
    assert oracle.score_std(key_dim, False) == pytest.approx(np.sqrt(key_dim), rel=1e-12)
    assert oracle.score_std(key_dim, True) == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("scaled", [False, True], ids=["bare", "scaled"])
def test_score_std_agrees_with_samples(scaled):
    rng = np.random.default_rng(0)
    query, key = rng.standard_normal((2, 40_000, 1, 24))
    scores = oracle.attention_scores(query, key) if scaled else np.einsum("nid,njd->nij", query, key)
    # the standard error of a standard deviation is about 1 / sqrt(2 n) of it, 0.35% here
    assert scores.std() == pytest.approx(oracle.score_std(24, scaled), rel=0.02)


# --- shapes and errors -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leading", [(), (2,), (2, 3), (2, 3, 1)], ids=str)
def test_every_function_takes_leading_dimensions(leading):
    query, key, value = _inputs(1, *leading)
    assert oracle.attention_scores(query, key).shape == (*leading, 5, 6)
    output, weights = oracle.scaled_dot_product_attention(query, key, value)
    assert output.shape == (*leading, 5, 3)
    assert weights.shape == (*leading, 5, 6)
    output, weights = oracle.additive_attention(*_additive_inputs(1, *leading))
    assert output.shape == (*leading, 5, 2)
    assert weights.shape == (*leading, 5, 6)


def test_projected_attention_takes_three_inputs_of_three_widths():
    rng = np.random.default_rng(2)
    shapes = (2, 5, 4), (2, 6, 3), (2, 6, 7), (4, 8), (3, 8), (7, 9)
    output, weights = oracle.projected_attention(*(rng.standard_normal(shape) for shape in shapes))
    assert output.shape == (2, 5, 9)
    assert weights.shape == (2, 5, 6)


@pytest.mark.parametrize("shape", [(6,), (1, 6), (5, 6), (2, 1, 1, 6), (2, 1, 5, 6), (2, 3, 5, 6)], ids=str)
def test_masks_broadcast_to_the_scores(shape):
    query, key, value = _inputs(3, 2, 3)
    mask = np.zeros(shape)
    mask[..., 1] = 1
    weights = oracle.scaled_dot_product_attention(query, key, value, mask)[1]
    assert (weights[..., 1] == 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, **EXACT)


def test_a_row_without_any_key_is_an_error():
    with pytest.raises(ValueError, match="Something must be kept"):
        oracle.scaled_dot_product_attention(QUERY, KEY, VALUE, np.ones((3, 4)))


def test_identity_projections_change_nothing():
    query, key, value = _inputs(4)
    projected = oracle.projected_attention(query, key, value, np.eye(4), np.eye(4), np.eye(3))
    for got, expected in zip(projected, oracle.scaled_dot_product_attention(query, key, value), strict=True):
        np.testing.assert_allclose(got, expected, **EXACT)


# --- properties ------------------------------------------------------------------------------------------------------


@given(tables, st.sampled_from([0, 1, -1, -2]))
def test_softmax_is_positive_and_adds_up_to_one(x, axis):
    weights = oracle.softmax(x, axis)
    assert (weights >= 0).all()
    # scores of 5000 have absolute rounding errors of 1e-12, which the exponential makes relative
    np.testing.assert_allclose(weights.sum(axis=axis), 1, rtol=1e-10)


@given(tables, st.sampled_from([0, 1]))
def test_softmax_equals_the_shifted_quotient(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    np.testing.assert_allclose(
        oracle.softmax(x, axis), exponentials / exponentials.sum(axis=axis, keepdims=True), rtol=1e-9, atol=1e-12
    )


@given(seeds)
@settings(max_examples=25)
def test_permuting_keys_and_values_together_changes_no_output(seed):
    query, key, value = _inputs(seed, 2)
    order = np.random.default_rng(seed).permutation(6)
    output, weights = oracle.scaled_dot_product_attention(query, key, value)
    permuted_output, permuted_weights = oracle.scaled_dot_product_attention(query, key[:, order], value[:, order])
    np.testing.assert_allclose(permuted_output, output, **EXACT)
    np.testing.assert_allclose(permuted_weights, weights[..., order], **EXACT)


@given(seeds)
@settings(max_examples=25)
def test_a_hidden_key_changes_nothing(seed):
    query, key, value = _inputs(seed)
    mask = np.zeros((1, 6))
    mask[0, 2] = 1
    output, _ = oracle.scaled_dot_product_attention(query, key, value, mask)
    key[2], value[2] = 1e3, -1e6
    np.testing.assert_allclose(oracle.scaled_dot_product_attention(query, key, value, mask)[0], output, **EXACT)
    without = [np.delete(x, 2, axis=0) for x in (key, value)]
    np.testing.assert_allclose(oracle.scaled_dot_product_attention(query, *without)[0], output, **EXACT)


@given(seeds)
@settings(max_examples=25)
def test_each_query_stands_alone(seed):
    query, key, value = _inputs(seed)
    output, _ = oracle.scaled_dot_product_attention(query, key, value)
    np.testing.assert_allclose(oracle.scaled_dot_product_attention(query[3:4], key, value)[0], output[3:4], **EXACT)


@given(seeds)
@settings(max_examples=25)
def test_additive_scores_are_bounded_by_v(seed):
    query, key, _, *learned = _additive_inputs(seed)
    scores = oracle.additive_scores(100 * query, 100 * key, *learned)
    assert (np.abs(scores) <= np.abs(learned[-1]).sum() + 1e-12).all()


@given(seeds)
@settings(max_examples=25)
def test_additive_attention_agrees_with_a_loop_over_pairs(seed):
    query, key, value, w_query, w_key, v = _additive_inputs(seed)
    scores = np.array([[v @ np.tanh(w_query.T @ q + w_key.T @ k) for k in key] for q in query])
    output, weights = oracle.additive_attention(query, key, value, w_query, w_key, v)
    np.testing.assert_allclose(weights, oracle.softmax(scores), **EXACT)
    np.testing.assert_allclose(output, oracle.softmax(scores) @ value, **EXACT)


@given(seeds)
@settings(max_examples=25)
def test_self_attention_scores_are_symmetric_only_with_one_matrix(seed):
    rng = np.random.default_rng(seed)
    x, w_query, w_key = rng.standard_normal((5, 4)), *rng.standard_normal((2, 4, 3))
    shared = oracle.attention_scores(x @ w_query, x @ w_query)
    np.testing.assert_allclose(shared, shared.T, **EXACT)
    scores = oracle.attention_scores(x @ w_query, x @ w_key)
    assert np.abs(scores - scores.T).max() > 1e-6
