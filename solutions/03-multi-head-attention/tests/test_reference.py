"""The multi-head oracle against the lecture's printed figures and against properties of attention."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .. import reference as oracle

# exact arithmetic in another order: float64 rounding only
EXACT = dict(rtol=1e-12, atol=1e-12)
# the lecture prints eight digits
PRINTED = dict(rtol=1e-7, atol=1e-8)

QUERY = np.array([[[0, 0, 10, 10], [0, 10, 0, 0], [10, 10, 0, 0]]], dtype=float)
KEY = np.array([[[10, 0, 0, 0], [0, 10, 0, 10], [0, 0, 10, 0], [0, 0, 10, 0]]], dtype=float)
VALUE = np.array([[[1, 0], [10, 0], [100, 5], [1000, 6]]], dtype=float)

sizes = st.tuples(*[st.integers(1, 4)] * 5)


def random_case(shape: tuple[int, int, int, int, int], seed: int = 0):
    batch, num_heads, query_len, key_len, head_dim = shape
    rng = np.random.default_rng(seed)
    query = rng.normal(size=(batch, query_len, num_heads * head_dim))
    key = rng.normal(size=(batch, key_len, num_heads * head_dim))
    value = rng.normal(size=(batch, key_len, num_heads * 3))
    return query, key, value, num_heads


def random_weights(widths: tuple[int, int, int], d_model: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    weights = {}
    for name, width in zip(("query", "key", "value", "output"), (*widths, d_model), strict=True):
        weights[f"{name}_dense.kernel"] = rng.normal(size=(width, d_model))
        weights[f"{name}_dense.bias"] = rng.normal(size=d_model)
    return weights


def test_two_heads_give_the_lectures_weights():
    _, weights = oracle.multi_head_attention(QUERY, KEY, VALUE, 2)
    quarter, third = [0.25] * 4, 1 / 3
    assert weights[0].shape == (2, 3, 4)
    np.testing.assert_allclose(weights[0, 0], [quarter, [0, 1, 0, 0], [0.5, 0.5, 0, 0]], **PRINTED)
    np.testing.assert_allclose(weights[0, 1], [[0, third, third, third], quarter, quarter], **PRINTED)


def test_two_heads_give_the_lectures_output():
    output, _ = oracle.multi_head_attention(QUERY, KEY, VALUE, 2)
    np.testing.assert_allclose(output[0], [[277.75, 3.66666667], [10, 2.75], [5.5, 2.75]], **PRINTED)


@pytest.mark.parametrize(
    ("arguments", "count"),
    [((24, 8, 3), 2400), ((24, 8, 3, 4, 32), 3056), ((12, 4, 3), 624)],
    ids=["defaults", "value-and-output", "identity"],
)
def test_parameter_count_is_the_lectures(arguments, count):
    assert oracle.mha_parameter_count(*arguments) == count


def test_output_projection_of_the_lectures_layer_has_600_parameters():
    without_output = 3 * (24 * 24 + 24)
    assert without_output == 1800
    assert oracle.mha_parameter_count(24, 8, 3) - without_output == 600


def test_identity_model_has_780_parameters():
    assert oracle.mha_parameter_count(12, 4, 3) + 12 * 12 + 12 == 780


def test_swapping_heads_and_key_dim_leaves_the_count():
    assert oracle.mha_parameter_count(12, 3, 4) == oracle.mha_parameter_count(12, 4, 3)


def test_blog_sizes_give_the_blogs_shapes():
    x = np.zeros((128, 32, 200))
    assert oracle.split_heads(x, 5).shape == (128, 5, 32, 40)
    output, weights = oracle.multi_head_attention(x, x, x, 5)
    assert weights.shape == (128, 5, 32, 32)
    assert output.shape == (128, 32, 200)


def test_five_heads_of_128_features_raise():
    with pytest.raises(ValueError, match="num_heads=5, d_model=128"):
        oracle.split_heads(np.zeros((1, 2, 128)), 5)


@given(sizes)
def test_merge_undoes_split(shape):
    query, _, _, num_heads = random_case(shape)
    assert np.array_equal(oracle.merge_heads(oracle.split_heads(query, num_heads)), query)


def test_split_gives_each_head_neighbouring_features_of_each_token():
    x = np.arange(2 * 3 * 8.0).reshape(2, 3, 8)
    np.testing.assert_array_equal(oracle.split_heads(x, 4)[1, 2, 1], x[1, 1, 4:6])


@given(sizes)
def test_weights_of_every_row_sum_to_one(shape):
    query, key, _, num_heads = random_case(shape)
    weights = oracle.multi_head_weights(query, key, num_heads)
    assert weights.min() >= 0
    np.testing.assert_allclose(weights.sum(axis=-1), 1, **EXACT)


@given(sizes)
def test_one_head_is_plain_attention(shape):
    query, key, value, _ = random_case(shape)
    scores = query @ key.swapaxes(1, 2) / np.sqrt(query.shape[-1])
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(oracle.multi_head_attention(query, key, value, 1)[0], weights @ value, **EXACT)


@given(sizes)
def test_a_head_reads_its_own_features_only(shape):
    query, key, value, num_heads = random_case(shape)
    before = oracle.multi_head_weights(query, key, num_heads)
    head_dim = query.shape[-1] // num_heads
    query[..., :head_dim] += 1.5
    after = oracle.multi_head_weights(query, key, num_heads)
    np.testing.assert_array_equal(before[:, 1:], after[:, 1:])


@given(sizes, st.randoms(use_true_random=False))
def test_permuting_keys_and_values_together_changes_nothing(shape, random):
    query, key, value, num_heads = random_case(shape)
    order = list(range(key.shape[1]))
    random.shuffle(order)
    output, _ = oracle.multi_head_attention(query, key, value, num_heads)
    permuted, _ = oracle.multi_head_attention(query, key[:, order], value[:, order], num_heads)
    np.testing.assert_allclose(permuted, output, **EXACT)


@given(sizes)
def test_hidden_keys_get_no_weight_and_the_rest_keeps_its_proportions(shape):
    query, key, _, num_heads = random_case(shape)
    mask = np.zeros((query.shape[1], key.shape[1]))
    mask[:, 1:] = np.triu(np.ones_like(mask), 1)[:, 1:]
    free, masked = (
        oracle.multi_head_weights(query, key, num_heads),
        oracle.multi_head_weights(query, key, num_heads, mask),
    )
    assert (masked[..., mask == 1] == 0).all()
    np.testing.assert_allclose(masked, oracle.restrict(free, mask), **EXACT)


@pytest.mark.parametrize("shape", [(5, 7), (2, 1, 1, 7), (2, 1, 5, 7), (2, 3, 5, 7)], ids=str)
def test_mask_broadcasts_to_the_weights(shape):
    query, key, _, num_heads = random_case((2, 3, 5, 7, 2))
    mask = np.zeros(shape)
    mask[..., -2:] = 1
    full = np.broadcast_to(mask, (2, 3, 5, 7))
    np.testing.assert_array_equal(
        oracle.multi_head_weights(query, key, num_heads, mask), oracle.multi_head_weights(query, key, num_heads, full)
    )


def test_layer_takes_inputs_of_three_widths():
    rng = np.random.default_rng(3)
    inputs = [rng.normal(size=shape) for shape in [(2, 3, 5), (2, 4, 7), (2, 4, 9)]]
    output, scores = oracle.multi_head_layer(*inputs, random_weights((5, 7, 9), 6), 2)
    assert output.shape == (2, 3, 6)
    assert scores.shape == (2, 2, 3, 4)


def test_layer_with_one_key_is_its_value_and_output_projection():
    rng = np.random.default_rng(4)
    weights = random_weights((5, 5, 5), 6)
    x_query, x_memory = rng.normal(size=(2, 3, 5)), rng.normal(size=(2, 1, 5))
    output, _ = oracle.multi_head_layer(x_query, x_memory, x_memory, weights, 3)
    alone = oracle.project(oracle.project(x_memory, weights, "value_dense"), weights, "output_dense")
    np.testing.assert_allclose(output, np.repeat(alone, 3, axis=1), **EXACT)


@settings(deadline=None)
@given(*[st.integers(1, 30)] * 5)
def test_parameter_count_adds_up_kernels_and_biases(input_dim, num_heads, key_dim, value_dim, output_dim):
    query = np.zeros((input_dim, num_heads, key_dim)).size + np.zeros((num_heads, key_dim)).size
    value = np.zeros((input_dim, num_heads, value_dim)).size + np.zeros((num_heads, value_dim)).size
    output = np.zeros((num_heads, value_dim, output_dim)).size + output_dim
    assert (
        oracle.mha_parameter_count(input_dim, num_heads, key_dim, value_dim, output_dim) == 2 * query + value + output
    )
