"""The oracle of 06-transformer against Keras's layers, figures of the lecture and of the paper, and properties of the model."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.grading import Draw, Weight

from ..._shared.uniform_weights import UniformWeights, random_weights
from .. import reference as oracle

seeds = st.integers(0, 2**32 - 1)
EXACT = {"rtol": 1e-9, "atol": 1e-9}
SIZES = {"d_model": 8, "ff_dim": 6, "vocab_size": 11}
HEADS = 2


def _weights(rng: np.random.Generator, layers: int = 2, last: bool = True) -> oracle.TransformerWeights:
    """Draw weights, every one different."""
    d, f, v = SIZES["d_model"], SIZES["ff_dim"], SIZES["vocab_size"]

    def dense(inputs: int, units: int) -> oracle.Dense:
        return oracle.Dense(rng.normal(size=(inputs, units)) / inputs**0.5, rng.normal(size=units) / 2)

    def norm() -> oracle.Norm:
        return oracle.Norm(rng.uniform(0.5, 1.5, d), rng.normal(size=d) / 2)

    def attention() -> oracle.Attention:
        return oracle.Attention(dense(d, d), dense(d, d), dense(d, d), dense(d, d))

    def inner() -> oracle.FeedForward:
        return oracle.FeedForward(dense(d, f), dense(f, d))

    return oracle.TransformerWeights(
        [oracle.EncoderWeights(attention(), inner(), (norm(), norm())) for _ in range(layers)],
        [oracle.DecoderWeights(attention(), attention(), inner(), (norm(), norm(), norm())) for _ in range(layers)],
        dense(d, v),
        norm() if last else None,
        norm() if last else None,
        rng.normal(size=(v, d)),
        rng.normal(size=(v, d)),
    )


def _ids(rng: np.random.Generator, length: int) -> np.ndarray:
    return rng.integers(1, SIZES["vocab_size"], (2, length))


def _logits(weights: oracle.TransformerWeights, source: np.ndarray, target: np.ndarray, norm_first: bool = True):
    return oracle.token_transformer(source, target, weights, HEADS, norm_first)


# --- parts -----------------------------------------------------------------------------------------------------------


def test_positions_are_the_lectures():
    table = oracle.positions(6, 4)
    np.testing.assert_allclose(table[1], [0.84147098, 0.54030231, 0.00999983, 0.99995], atol=1e-8)
    np.testing.assert_allclose(table[5], [-0.95892427, 0.28366219, 0.04997917, 0.99875026], atol=1e-8)


def test_an_embedding_is_scaled_before_positions_are_added():
    table = np.arange(12.0).reshape(3, 4)
    np.testing.assert_allclose(oracle.embed([[2, 1]], table)[0, 0], 2 * table[2] + [0, 1, 0, 1], **EXACT)


def test_attention_is_the_lectures():
    query = np.array([[[0, 0, 10], [0, 10, 0], [10, 10, 0]]], dtype=float)
    keys = np.array([[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]], dtype=float)
    values = np.array([[1, 0, 0], [10, 0, 0], [100, 5, 0], [1000, 6, 0]], dtype=float)

    # keys and values side by side in the memory, picked apart by the projections
    pick_keys = oracle.Dense(np.eye(6)[:, :3], np.zeros(3))
    pick_values = oracle.Dense(np.eye(6)[:, 3:], np.zeros(3))
    identity = oracle.Dense(np.eye(3), np.zeros(3))
    memory = np.concatenate([keys, values], axis=1)[None]
    output = oracle.attend(query, memory, oracle.Attention(identity, pick_keys, pick_values, identity), 1)
    np.testing.assert_allclose(output[0, :, :2], [[550, 5.5], [10, 0], [5.5, 0]], rtol=1e-6, atol=1e-6)


def test_a_hidden_key_counts_nothing():
    rng = np.random.default_rng(0)
    weights = _weights(rng, 1).encoder[0].attention
    x = rng.normal(size=(1, 5, 8))
    hidden = np.array([False, True, False, False, True])[None, None]
    kept = oracle.attend(x, x[:, ~hidden[0, 0]], weights, HEADS)
    np.testing.assert_allclose(oracle.attend(x, x, weights, HEADS, hidden), kept, **EXACT)


def test_normalised_features_have_mean_0_and_variance_1():
    x = np.random.default_rng(1).normal(3, 5, (2, 4, 50))
    y = oracle.normalise(x, oracle.Norm(np.ones(50), np.zeros(50)))
    np.testing.assert_allclose([y.mean(axis=-1), y.var(axis=-1)], [np.zeros((2, 4)), np.ones((2, 4))], atol=1e-6)


# --- blocks, against Keras -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def keras():
    return pytest.importorskip("keras")


def _to_keras(keras, attention: oracle.Attention, query: np.ndarray, memory: np.ndarray):
    layer = keras.layers.MultiHeadAttention(HEADS, SIZES["d_model"] // HEADS)
    layer(query, memory)
    parts = [attention.query, attention.key, attention.value]
    shaped = [array.reshape(*array.shape[:-1], HEADS, -1) for dense in parts for array in (dense.kernel, dense.bias)]
    output = attention.output.kernel.reshape(HEADS, -1, SIZES["d_model"])
    layer.set_weights([*shaped, output, attention.output.bias])
    return layer


def _by_keras(keras, layer, weights):
    layer.build((None, len(weights[0])))
    layer.set_weights(weights)
    return layer


@pytest.mark.slow
@pytest.mark.parametrize("norm_first", [True, False], ids=["pre-norm", "post-norm"])
def test_a_decoder_block_computes_what_layers_of_keras_do(keras, norm_first):
    rng = np.random.default_rng(2)
    block = _weights(rng, 1).decoder[0]
    x, memory = rng.normal(size=(2, 5, 8)), rng.normal(size=(2, 7, 8))
    norms = [
        _by_keras(keras, keras.layers.LayerNormalization(epsilon=1e-6), [norm.gamma, norm.beta]) for norm in block.norms
    ]
    own = _to_keras(keras, block.self_attention, x, x)
    other = _to_keras(keras, block.memory_attention, x, memory)
    inner = _by_keras(keras, keras.layers.Dense(6, "relu"), dataclasses.astuple(block.feed_forward.inner))
    outer = _by_keras(keras, keras.layers.Dense(8), dataclasses.astuple(block.feed_forward.outer))
    steps = [
        lambda y: own(y, y, use_causal_mask=True),
        lambda y: other(y, memory),
        lambda y: outer(inner(y)),
    ]
    expected = x.astype("float32")
    for norm, step in zip(norms, steps, strict=True):
        expected = expected + step(norm(expected)) if norm_first else norm(expected + step(expected))
    result = oracle.decode(x, memory, [block], HEADS, oracle.look_ahead(5), norm_first=norm_first)
    np.testing.assert_allclose(result, keras.ops.convert_to_numpy(expected), rtol=1e-4, atol=1e-4)


# --- properties of the models ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("norm_first", [True, False], ids=["pre-norm", "post-norm"])
@settings(max_examples=20, deadline=None)
@given(seed=seeds, changed=st.integers(1, 5))
def test_no_logit_sees_a_later_target(norm_first, seed, changed):
    rng = np.random.default_rng(seed)
    weights, source, target = _weights(rng), _ids(rng, 4), _ids(rng, 6)
    other = target.copy()
    other[:, changed:] = _ids(rng, 6 - changed)
    before, after = (_logits(weights, source, t, norm_first)[:, :changed] for t in (target, other))
    np.testing.assert_allclose(before, after, **EXACT)


@settings(max_examples=20, deadline=None)
@given(seed=seeds, more=st.integers(1, 4))
def test_more_padding_changes_no_logit(seed, more):
    rng = np.random.default_rng(seed)
    weights, source, target = _weights(rng), _ids(rng, 4), _ids(rng, 6)
    padded = [np.pad(ids, ((0, 0), (0, more))) for ids in (source, target)]
    np.testing.assert_allclose(_logits(weights, *padded)[:, :6], _logits(weights, source, target), **EXACT)


def test_what_id_0_looks_like_changes_no_logit_of_a_token():
    rng = np.random.default_rng(3)
    weights, source, target = _weights(rng), _ids(rng, 6), _ids(rng, 6)
    source[:, [1, 4]] = target[:, [2, 5]] = 0
    tables = [np.concatenate([rng.normal(size=(1, 8)), t[1:]]) for t in (weights.source_table, weights.target_table)]
    other = dataclasses.replace(weights, source_table=tables[0], target_table=tables[1])
    tokens = target != 0
    np.testing.assert_allclose(
        _logits(other, source, target)[tokens], _logits(weights, source, target)[tokens], **EXACT
    )


def test_logits_see_the_order_of_the_source():
    rng = np.random.default_rng(4)
    weights, target = _weights(rng), _ids(rng, 6)
    source = np.tile(np.arange(1, 6), (2, 1))
    assert np.abs(_logits(weights, source, target) - _logits(weights, source[:, ::-1], target)).max() > 0.01


def test_without_positions_the_continuous_model_does_not_see_the_order_of_the_source():
    rng = np.random.default_rng(5)
    weights = dataclasses.replace(_weights(rng, last=False), output=oracle.Dense(np.eye(8), np.zeros(8)))
    source, target = rng.normal(size=(2, 2, 5, 8))
    blind, seeing = (
        [oracle.continuous_transformer(s, target, weights, HEADS, p) for s in (source, source[:, ::-1])]
        for p in (False, True)
    )
    np.testing.assert_allclose(*blind, **EXACT)
    assert np.abs(seeing[0] - seeing[1]).max() > 0.01


# --- counts ----------------------------------------------------------------------------------------------------------


def test_the_lectures_model_has_its_parameters():
    assert oracle.continuous_parameter_count(12, 64, 2, 2) == 10588


def test_the_lectures_model_as_written_lacks_the_decoders_feed_forward():
    feed_forward = (12 * 64 + 64) + (64 * 12 + 12)
    assert 10588 - 2 * (feed_forward + 2 * 12) == 7316


def test_the_training_tasks_model_has_its_parameters():
    # two vocabularies of 17 and 34 there, one here: 17 + 34 rows of embeddings and 34 columns of output
    one = oracle.transformer_parameter_count(34, 2, 64, 4, 128)
    assert one - (34 - 17) * 64 == 173154


def test_the_papers_base_model_has_about_65_million_parameters():
    assert oracle.transformer_parameter_count(37000, 6, 512, 8, 2048, tie_weights=True) == pytest.approx(65e6, rel=0.05)


@given(vocab_size=st.integers(1, 99), layers=st.integers(1, 5), width=st.integers(1, 40), inner=st.integers(1, 99))
def test_tying_saves_two_tables_and_the_bias(vocab_size, layers, width, inner):
    untied, tied = (oracle.transformer_parameter_count(vocab_size, layers, width, 1, inner, t) for t in (False, True))
    assert untied - tied == 2 * vocab_size * width + vocab_size


def test_counts_are_the_sizes_of_the_oracles_own_weights():
    weights = _weights(np.random.default_rng(6))
    sizes = []

    def walk(thing: object) -> None:
        if isinstance(thing, np.ndarray):
            sizes.append(thing.size)
        elif dataclasses.is_dataclass(thing):
            for field in dataclasses.fields(thing):
                walk(getattr(thing, field.name))
        elif isinstance(thing, (list, tuple)):
            for part in thing:
                walk(part)

    walk(weights)
    assert sum(sizes) == oracle.transformer_parameter_count(11, 2, 8, 2, 6)


# --- weights placed by their shape -----------------------------------------------------------------------------------


def _uniform() -> UniformWeights:
    return UniformWeights(Draw("any"), **SIZES)


def _placed(shape: tuple[int, ...], first: float = 0.3, trainable: bool = True):
    return _uniform().fill([(Weight("any", shape, trainable), np.full(shape, first))])


@pytest.mark.parametrize(
    ("shape", "flat"),
    [((8, 8), (8, 8)), ((8, 2, 4), (8, 8)), ((2, 4, 8), (8, 8)), ((8, 24), (8, 24)), ((1, 8, 6), (8, 6))],
    ids=["dense", "split heads", "output of heads", "fused", "convolution"],
)
def test_a_kernel_of_any_form_gets_the_same_numbers(shape, flat):
    uniform = _uniform()
    kernel = uniform.projection.kernel if flat != (8, 6) else uniform.feed_forward.inner.kernel
    (placed,) = _placed(shape) or [None]
    np.testing.assert_array_equal(placed.reshape(flat), np.tile(kernel, flat[1] // kernel.shape[1]))


def test_kernels_with_the_heads_first_are_turned():
    (placed,) = _placed((2, 8, 4)) or [None]
    x = np.random.default_rng(0).normal(size=8)
    heads = np.einsum("d,hdk->hk", x, placed)
    np.testing.assert_allclose(heads.ravel(), x @ _uniform().projection.kernel, **EXACT)


def test_ones_become_gains_and_zeros_shifts():
    uniform = _uniform()
    np.testing.assert_array_equal(_placed((8,), 1.0), [uniform.gamma])
    np.testing.assert_array_equal(_placed((8,), 0.0), [uniform.projection.bias])


def test_what_is_not_trained_keeps_its_numbers():
    np.testing.assert_array_equal(_placed((30, 8), 7.0, trainable=False), [np.full((30, 8), 7.0)])


@pytest.mark.parametrize("shape", [(8, 4), (4,), (5, 8), (), (6, 6)], ids=str)
def test_a_weight_that_belongs_nowhere_is_not_placed(shape):
    assert _placed(shape) is None


@given(seed=st.text(max_size=5))
def test_shaken_weights_leave_ones_and_zeros(seed):
    shapes = {(8,): 1.0, (3, 4): 0.0, (8, 6): 0.2, (): 1.0}
    values = [(Weight("any", shape, True), np.full(shape, first)) for shape, first in shapes.items()]
    for (_, first), number in zip(values, random_weights(values, Draw(seed)), strict=True):
        assert number.shape == first.shape and np.isfinite(number).all() and not np.array_equal(number, first)
