"""The reference of 09-bert-and-gpt against hand-worked figures, definitions and enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..._shared import transformer_reference as transformer
from .. import reference as oracle
from ..tasks.common import is_too_uneven

# float64 throughout: only rounding is left
EXACT = {"rtol": 1e-12, "atol": 1e-12}


# --- masking ---------------------------------------------------------------------------------------------------------


def test_masking_keeps_to_its_shares():
    ids = np.random.default_rng(0).integers(4, 40, (300, 60))
    ids[:, 50:] = 0
    inputs, labels, selected = oracle.mask_tokens(ids, np.random.default_rng(1), 41, 40, rate=0.3)
    assert not selected[:, 50:].any() and (inputs[~selected] == ids[~selected]).all()
    assert (labels == np.where(selected, ids, 0)).all()
    read, original = inputs[selected], ids[selected]
    # about 4500 selected: a standard deviation is below 0.006
    assert selected[:, :50].mean() == pytest.approx(0.3, abs=0.02)
    assert (read == 40).mean() == pytest.approx(0.8, abs=0.03)
    assert (read == original).mean() == pytest.approx(0.1 + 0.1 / 36, abs=0.03)


# --- models ----------------------------------------------------------------------------------------------------------


def weights_of(rng: np.random.Generator, vocab_size: int, d: int, inner: int, layers: int) -> oracle.ModelWeights:
    def dense(inputs: int, units: int) -> transformer.Dense:
        return transformer.Dense(rng.normal(size=(inputs, units)) / inputs**0.5, rng.normal(size=units))

    def norm() -> transformer.Norm:
        return transformer.Norm(rng.uniform(0.5, 1.5, d), rng.normal(size=d))

    blocks = [
        transformer.EncoderWeights(
            transformer.Attention(*(dense(d, d) for _ in range(4))),
            transformer.FeedForward(dense(d, inner), dense(inner, d)),
            (norm(), norm()),
        )
        for _ in range(layers)
    ]
    table = rng.normal(size=(vocab_size, d))
    return oracle.ModelWeights(table, transformer.positions(9, d), blocks, dense(d, vocab_size), norm())


@pytest.mark.parametrize("causal", [False, True])
def test_the_model_is_the_transformers_encoder_with_an_output(causal: bool):
    rng = np.random.default_rng(2)
    weights = weights_of(rng, 13, 8, 10, 2)
    ids = rng.integers(1, 13, (2, 7))
    ids[0, [2, 6]] = 0
    hidden = transformer.padding(ids) | (transformer.look_ahead(7) if causal else False)
    x = transformer.encode(transformer.embed(ids, weights.table), weights.blocks, 2, hidden, True, weights.last)
    np.testing.assert_allclose(oracle.language_model(ids, weights, 2, causal), weights.output(x), **EXACT)


def test_a_causal_models_logits_are_those_of_every_prefix():
    rng = np.random.default_rng(3)
    weights = weights_of(rng, 13, 8, 10, 2)
    ids = rng.integers(1, 13, (2, 7))
    whole = oracle.language_model(ids, weights, 2, causal=True)
    for length in range(1, 8):
        part = oracle.language_model(ids[:, :length], weights, 2, causal=True)
        np.testing.assert_allclose(part[:, -1], whole[:, length - 1], **EXACT)


@pytest.mark.parametrize(
    ("activation", "value"), [("relu", 1.0), ("gelu", 0.841344746068543), ("gelu-tanh", 0.841191990608392)]
)
def test_activations_at_one(activation: str, value: float):
    assert oracle._activate(np.array([1.0]), activation)[0] == pytest.approx(value, abs=1e-9)


def test_parameters_are_those_of_the_arrays():
    weights = weights_of(np.random.default_rng(4), 13, 8, 10, 2)
    dense = [weights.output]
    size = weights.table.size
    for block in weights.blocks:
        a, f = block.attention, block.feed_forward
        dense += [a.query, a.key, a.value, a.output, f.inner, f.outer]
        size += sum(norm.gamma.size + norm.beta.size for norm in block.norms)
    size += sum(layer.kernel.size + layer.bias.size for layer in dense) + 2 * 8
    assert oracle.parameter_count(13, 2, 8, 10) == size
    assert oracle.parameter_count(13, 2, 8, 10, learned_rows=9, last_norm=False) == size + 72 - 16


# --- pooling ---------------------------------------------------------------------------------------------------------


def test_pooling_by_hand():
    x = np.array([[[1.0, 2.0], [3.0, 6.0], [9.0, 9.0]], [[5.0, 1.0]] * 3])
    np.testing.assert_array_equal(oracle.masked_mean_pooling(x, [[6, 4, 0], [0, 0, 0]]), [[2, 4], [0, 0]])
    np.testing.assert_array_equal(oracle.masked_mean_pooling(x, [[6, 4, 0], [0, 0, 0]], 6), [[6, 7.5], [5, 1]])


# --- sampling --------------------------------------------------------------------------------------------------------


def test_temperature_by_hand():
    logits = np.log([[1.0, 4.0, 9.0]])
    np.testing.assert_allclose(oracle.next_token_distribution(logits), [[1 / 14, 4 / 14, 9 / 14]], **EXACT)
    np.testing.assert_allclose(oracle.next_token_distribution(logits, 2.0), [[1 / 6, 2 / 6, 3 / 6]], **EXACT)
    np.testing.assert_array_equal(oracle.next_token_distribution(logits, 0), [[0, 0, 1]])


@given(
    weights=st.lists(st.integers(1, 10_000), min_size=2, max_size=6, unique=True),
    top_p=st.floats(0.01, 0.99),
)
def test_the_nucleus_is_the_smallest_set_that_reaches_p(weights: list[int], top_p: float):
    chances = np.array(weights) / sum(weights)
    kept = oracle.next_token_distribution(np.log(chances)[None], top_p=top_p)[0] > 0
    subsets = [s for n in range(1, len(weights) + 1) for s in itertools.combinations(range(len(weights)), n)]
    reaching = [s for s in subsets if chances[list(s)].sum() >= top_p + 1e-9]
    if reaching:
        fewest = min(len(s) for s in reaching)
        assert kept.sum() == fewest or abs(np.sort(chances)[::-1][: fewest - 1].sum() - top_p) < 1e-8
        assert chances[kept].min() >= chances[~kept].max(initial=0.0)


def test_top_p_looks_at_what_top_k_left():
    logits = np.log([[0.4, 0.3, 0.2, 0.1]])
    # of the two, 0.4 / 0.7 = 0.571 reaches 0.55; of all four, 0.4 doesn't
    np.testing.assert_allclose(oracle.next_token_distribution(logits, 1.0, 2, 0.55), [[1, 0, 0, 0]], **EXACT)
    np.testing.assert_allclose(oracle.next_token_distribution(logits, 1.0, None, 0.55), [[4 / 7, 3 / 7, 0, 0]], **EXACT)


# --- cached attention ------------------------------------------------------------------------------------------------


def test_steps_give_what_one_pass_gives():
    rng = np.random.default_rng(5)
    x, matrices = rng.normal(size=(2, 9, 12)), rng.normal(size=(4, 12, 12))
    cache: oracle.Cache | None = None
    outputs = []
    for position in range(9):
        output, cache = oracle.cached_attention_step(x[:, position : position + 1], cache, *matrices, 3)
        outputs.append(output)
    np.testing.assert_allclose(np.concatenate(outputs, axis=1), oracle.causal_attention(x, *matrices, 3), **EXACT)


def test_the_pass_is_attention_under_a_look_ahead_mask():
    rng = np.random.default_rng(6)
    x, matrices = rng.normal(size=(2, 5, 6)), rng.normal(size=(4, 6, 6))
    attention = transformer.Attention(*(transformer.Dense(w, np.zeros(6)) for w in matrices))
    right = transformer.attend(x, x, attention, 2, transformer.look_ahead(5))
    np.testing.assert_allclose(oracle.causal_attention(x, *matrices, 2), right, **EXACT)


# --- the graders' statistics -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("freedom", [1, 2, 8, 24, 60])
def test_chance_alone_is_never_too_uneven_and_a_slant_is(freedom: int):
    rng = np.random.default_rng(freedom)
    statistics = rng.chisquare(freedom, 200_000)
    assert not any(is_too_uneven(float(value), freedom) for value in np.sort(statistics)[-50:])
    assert is_too_uneven(freedom + 25 * (2 * freedom) ** 0.5 + 20, freedom)
