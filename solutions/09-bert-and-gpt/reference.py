"""Float64 reference of 09-bert-and-gpt: masking, encoder and decoder language models, pooling, sampling, cached attention.

Written from the definitions, position by position, and independently of the solution. Devlin et al. 2019, "BERT", section 3.1 and
appendix A.1; Radford et al. 2018, "Improving Language Understanding by Generative Pre-Training", section 3.1; Fan et al. 2018,
"Hierarchical Neural Story Generation", section 5 (top-k); Holtzman et al. 2020, "The Curious Case of Neural Text Degeneration",
section 3.1 (nucleus); Shazeer 2019, "Fast Transformer Decoding", section 2.4 (incremental attention).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._shared.transformer_reference import Dense, EncoderWeights, Norm, attend, look_ahead, normalise, padding

__all__ = [
    "Cache",
    "ModelWeights",
    "Style",
    "cached_attention_step",
    "causal_attention",
    "language_model",
    "mask_tokens",
    "masked_mean_pooling",
    "next_token_distribution",
    "parameter_count",
]

Array = NDArray[np.float64]
Ids = NDArray[np.int64]
Cache = tuple[Array, Array]
PAD, FIRST_WORD = 0, 4  # ids below the first word are special


# --- masking ---------------------------------------------------------------------------------------------------------


def mask_tokens(
    token_ids: ArrayLike, rng: np.random.Generator, vocab_size: int, mask_id: int, rate: float = 0.15
) -> tuple[Ids, Ids, NDArray[np.bool_]]:
    """Select tokens one by one and hide 80 % of them, exchange 10 %, leave 10 % (Devlin et al. 2019, section 3.1).

    Args:
        token_ids: (batch, seq_len), 0 is padding.
        rng: what decides.
        vocab_size: number of ids.
        mask_id: stands for a hidden token.
        rate: probability of a token to be selected.

    Returns:
        What the model reads, the original ids where a token is selected and 0 elsewhere, and which are selected; all
        (batch, seq_len).
    """
    ids = np.asarray(token_ids, dtype=np.int64)
    inputs, labels, selected = ids.copy(), np.zeros_like(ids), np.zeros(ids.shape, dtype=bool)
    words = [word for word in range(FIRST_WORD, vocab_size) if word != mask_id]
    for place in np.ndindex(ids.shape):
        if ids[place] == PAD or rng.random() >= rate:
            continue
        selected[place], labels[place] = True, ids[place]
        fate = rng.random()
        if fate < 0.8:
            inputs[place] = mask_id
        elif fate < 0.9:
            inputs[place] = words[int(rng.integers(len(words)))]
    return inputs, labels, selected


# --- models ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ModelWeights:
    """A stack of self-attention blocks with embedding and output.

    Attributes:
        table: (vocab_size, d_model).
        positions: (at least seq_len, d_model), added to the embeddings.
        blocks: in order.
        output: d_model to vocab_size.
        last: norm after the blocks, if there is one.
        first: norm of the embeddings, if there is one.
    """

    table: Array
    positions: Array
    blocks: Sequence[EncoderWeights]
    output: Dense
    last: Norm | None
    first: Norm | None = None


@dataclass(frozen=True)
class Style:
    """What one right model does otherwise than another.

    Attributes:
        scaled: whether the embedding is multiplied by the root of d_model.
        norm_first: pre-norm blocks, else post-norm.
        activation: of the feed-forward: `relu`, `gelu` or `gelu-tanh`.
    """

    scaled: bool = True
    norm_first: bool = True
    activation: str = "relu"


def _activate(x: Array, activation: str) -> Array:
    if activation == "relu":
        return np.maximum(x, 0.0)
    if activation == "gelu":
        return x * 0.5 * (1.0 + np.vectorize(math.erf)(x / math.sqrt(2.0)))
    return np.asarray(x * 0.5 * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3))))


def language_model(
    token_ids: ArrayLike,
    weights: ModelWeights,
    num_heads: int,
    causal: bool,
    style: Style | None = None,
    hidden: NDArray[np.bool_] | None = None,
) -> Array:
    """Return the logits (batch, seq_len, vocab_size).

    Args:
        token_ids: (batch, seq_len), 0 is padding.
        weights: all weights of the model.
        num_heads: divides d_model.
        causal: whether no position sees a later one.
        style: how the model is arranged.
        hidden: which keys are hidden, broadcasts to (batch, seq_len, seq_len); None: padding, and the future if `causal`.
    """
    style = style or Style()
    ids = np.asarray(token_ids)
    length, d_model = ids.shape[1], weights.table.shape[1]
    if hidden is None:
        hidden = padding(ids) | look_ahead(length) if causal else padding(ids)
    x = weights.table[ids] * (math.sqrt(d_model) if style.scaled else 1.0) + weights.positions[:length]
    if weights.first is not None:
        x = normalise(x, weights.first)
    for block in weights.blocks:
        inner, outer = block.feed_forward.inner, block.feed_forward.outer
        if style.norm_first:
            y = normalise(x, block.norms[0])
            x = x + attend(y, y, block.attention, num_heads, hidden)
            x = x + outer(_activate(inner(normalise(x, block.norms[1])), style.activation))
        else:
            x = normalise(x + attend(x, x, block.attention, num_heads, hidden), block.norms[0])
            x = normalise(x + outer(_activate(inner(x), style.activation)), block.norms[1])
    return weights.output(x if weights.last is None else normalise(x, weights.last))


def parameter_count(
    vocab_size: int, num_layers: int, d_model: int, ff_dim: int, learned_rows: int = 0, last_norm: bool = True
) -> int:
    """Count table, blocks, last norm and an output with bias; `learned_rows` are those of a table of learned positions."""
    attention = 4 * (d_model * d_model + d_model)
    feed_forward = d_model * ff_dim + ff_dim + ff_dim * d_model + d_model
    norms = 2 * 2 * d_model
    ends = vocab_size * d_model + d_model * vocab_size + vocab_size
    return num_layers * (attention + feed_forward + norms) + ends + learned_rows * d_model + 2 * d_model * last_norm


# --- pooling ---------------------------------------------------------------------------------------------------------


def masked_mean_pooling(x: ArrayLike, token_ids: ArrayLike, pad_id: int = 0) -> Array:
    """Return the mean vector of each sequence's tokens, zeros where all is padding.

    Args:
        x: (batch, seq_len, dim).
        token_ids: (batch, seq_len).
        pad_id: id of the padding.

    Returns:
        (batch, dim).
    """
    vectors, ids = np.asarray(x, dtype=np.float64), np.asarray(token_ids)
    pooled = np.zeros((vectors.shape[0], vectors.shape[2]))
    for row, (sequence, tokens) in enumerate(zip(vectors, ids, strict=True)):
        kept = sequence[tokens != pad_id]
        if len(kept):
            pooled[row] = kept.mean(axis=0)
    return pooled


# --- sampling --------------------------------------------------------------------------------------------------------


def next_token_distribution(
    logits: ArrayLike, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> Array:
    """Return the probabilities from which a token is drawn: temperature first, then top-k, then top-p of what is left.

    Args:
        logits: (batch, vocab_size); in a row no two logits may be equal where that would decide what is kept.
        temperature: 0 keeps the largest logit alone.
        top_k: how many of the largest logits are kept; None or 0: all.
        top_p: the fewest largest probabilities are kept whose sum is at least `top_p`; None: all.

    Returns:
        (batch, vocab_size); rows sum to 1.
    """
    all_logits = np.asarray(logits, dtype=np.float64)
    chances = np.zeros(all_logits.shape)
    for row, scores in zip(chances, all_logits, strict=True):
        order = [int(i) for i in np.argsort(-scores, kind="stable")]
        if temperature == 0:
            row[order[0]] = 1.0
            continue
        order = order[: top_k or len(order)]
        kept = np.exp((scores[order] - scores[order[0]]) / temperature)
        kept /= kept.sum()
        if top_p is not None:
            total, count = 0.0, 0
            while count < len(kept) and (total < top_p or not count):
                total, count = total + kept[count], count + 1
            order, kept = order[:count], kept[:count] / total
        row[order] = kept
    return chances


# --- cached attention ------------------------------------------------------------------------------------------------


def _heads(x: Array, num_heads: int) -> Array:
    """Return (batch, seq_len, d_model) as (batch, num_heads, seq_len, head_dim)."""
    return np.stack(np.split(x, num_heads, axis=-1), axis=1)


def cached_attention_step(
    x: ArrayLike,
    cache: Cache | None,
    w_query: ArrayLike,
    w_key: ArrayLike,
    w_value: ArrayLike,
    w_output: ArrayLike,
    num_heads: int,
) -> tuple[Array, Cache]:
    """Return the newest position's output (batch, 1, d_model), and keys and values of all positions so far.

    Args:
        x: (batch, 1, d_model).
        cache: keys and values of the earlier positions, each (batch, num_heads, past_len, head_dim); None: there are none.
        w_query, w_key, w_value, w_output: kernels of the projections, each (d_model, d_model).
        num_heads: divides d_model.
    """
    newest = np.asarray(x, dtype=np.float64)
    query, key, value = (
        _heads(np.einsum("bsi,io->bso", newest, np.asarray(w, dtype=np.float64)), num_heads)
        for w in (w_query, w_key, w_value)
    )
    if cache is not None:
        key, value = np.append(cache[0], key, axis=2), np.append(cache[1], value, axis=2)
    scores = (query * key).sum(axis=-1) / math.sqrt(query.shape[-1])  # (batch, num_heads, past_len + 1)
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    heads = np.einsum("bhs,bhsd->bhd", weights, value)
    output = heads.reshape(len(newest), 1, -1) @ np.asarray(w_output, dtype=np.float64)
    return output, (key, value)


def causal_attention(
    x: ArrayLike, w_query: ArrayLike, w_key: ArrayLike, w_value: ArrayLike, w_output: ArrayLike, num_heads: int
) -> Array:
    """Return what every position's step gives, in one pass under a look-ahead mask: (batch, seq_len, d_model)."""
    whole = np.asarray(x, dtype=np.float64)
    query, key, value = (_heads(whole @ np.asarray(w, dtype=np.float64), num_heads) for w in (w_query, w_key, w_value))
    scores = np.einsum("bhqd,bhkd->bhqk", query, key) / math.sqrt(query.shape[-1])
    scores = np.where(look_ahead(whole.shape[1])[:, None], -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    heads = np.einsum("bhqk,bhkd->bqhd", weights / weights.sum(axis=-1, keepdims=True), value)
    return np.asarray(heads.reshape(whole.shape) @ np.asarray(w_output, dtype=np.float64))
