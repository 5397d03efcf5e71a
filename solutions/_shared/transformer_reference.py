"""Float64 encoder and decoder stacks, written position by position and head by head: for models of 06 and 09.

Vaswani et al. 2017, "Attention Is All You Need", figure 1 and sections 3.1 to 3.5; the pre-norm arrangement is Xiong et al. 2020,
figure 1 (b). What may not be looked at is given as booleans, True hides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Attention",
    "DecoderWeights",
    "Dense",
    "EncoderWeights",
    "FeedForward",
    "Norm",
    "TransformerWeights",
    "attend",
    "decode",
    "embed",
    "encode",
    "feed_forward",
    "look_ahead",
    "normalise",
    "padding",
    "positions",
]

Array = NDArray[np.float64]
Hidden = NDArray[np.bool_] | None


@dataclass(frozen=True)
class Dense:
    """Kernel (inputs, units) and bias (units,)."""

    kernel: Array
    bias: Array

    def __call__(self, x: Array) -> Array:
        """Return x (..., inputs) times the kernel plus the bias."""
        return np.asarray(np.einsum("...i,iu->...u", x, self.kernel) + self.bias)


@dataclass(frozen=True)
class Norm:
    """Gain and shift (d_model,) of a layer normalisation, and what is added to the variance."""

    gamma: Array
    beta: Array
    epsilon: float = 1e-6


@dataclass(frozen=True)
class Attention:
    """The four projections of an attention, each d_model to d_model."""

    query: Dense
    key: Dense
    value: Dense
    output: Dense


@dataclass(frozen=True)
class FeedForward:
    """Dense-ReLU-Dense."""

    inner: Dense
    outer: Dense


@dataclass(frozen=True)
class EncoderWeights:
    """One encoder block; the norms in the order of the sublayers."""

    attention: Attention
    feed_forward: FeedForward
    norms: tuple[Norm, Norm]


@dataclass(frozen=True)
class DecoderWeights:
    """One decoder block; the norms in the order of the sublayers."""

    self_attention: Attention
    memory_attention: Attention
    feed_forward: FeedForward
    norms: tuple[Norm, Norm, Norm]


@dataclass(frozen=True)
class TransformerWeights:
    """Both stacks, the output projection and, for tokens, the embedding tables (vocab_size, d_model).

    Attributes:
        encoder_norm, decoder_norm: after the stacks; None if there is none.
    """

    encoder: Sequence[EncoderWeights]
    decoder: Sequence[DecoderWeights]
    output: Dense
    encoder_norm: Norm | None = None
    decoder_norm: Norm | None = None
    source_table: Array = field(default_factory=lambda: np.zeros((0, 0)))
    target_table: Array = field(default_factory=lambda: np.zeros((0, 0)))


# --- parts -----------------------------------------------------------------------------------------------------------


def positions(length: int, dim: int) -> Array:
    """Return the sinusoidal table (length, dim): sine in the even columns, cosine in the odd ones (section 3.5)."""
    table = np.zeros((length, dim))
    for column in range(dim):
        angles = np.arange(length) / 10000.0 ** (2 * (column // 2) / dim)
        table[:, column] = np.cos(angles) if column % 2 else np.sin(angles)
    return table


def embed(token_ids: ArrayLike, table: Array) -> Array:
    """Return embeddings times the root of d_model plus positions: (batch, seq_len) -> (batch, seq_len, d_model)."""
    token_ids = np.asarray(token_ids)
    d_model = table.shape[1]
    return np.asarray(np.sqrt(d_model) * table[token_ids] + positions(token_ids.shape[1], d_model))


def padding(token_ids: ArrayLike) -> NDArray[np.bool_]:
    """Return which keys are padding, id 0: (batch, 1, seq_len)."""
    return np.asarray(np.asarray(token_ids) == 0)[:, None, :]


def look_ahead(length: int) -> NDArray[np.bool_]:
    """Return which keys lie in the future of which query: (1, length, length)."""
    return np.arange(length)[None, None, :] > np.arange(length)[None, :, None]


def normalise(x: Array, norm: Norm) -> Array:
    """Normalise over the features with the population variance (Ba et al. 2016, equation 4)."""
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return np.asarray(norm.gamma * centred / np.sqrt(variance + norm.epsilon) + norm.beta)


def attend(query: Array, memory: Array, weights: Attention, num_heads: int, hidden: Hidden = None) -> Array:
    """Attend from every query position to every memory position, head by head (section 3.2.2).

    Args:
        query: (batch, query_len, d_model).
        memory: (batch, key_len, d_model).
        weights: the weights of the four projections.
        num_heads: divides d_model.
        hidden: broadcasts to (batch, query_len, key_len); True hides. A query that may see nothing sees everything alike.

    Returns:
        (batch, query_len, d_model).
    """
    queries, keys, values = weights.query(query), weights.key(memory), weights.value(memory)
    heads = []
    for columns in np.split(np.arange(queries.shape[-1]), num_heads):
        scores = queries[..., columns] @ np.swapaxes(keys[..., columns], 1, 2) / np.sqrt(len(columns))
        if hidden is not None:
            hides = np.broadcast_to(hidden, scores.shape)
            scores = np.where(hides, np.where(hides.all(axis=-1, keepdims=True), 0.0, -np.inf), scores)
        exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
        heads.append(exponentials / exponentials.sum(axis=-1, keepdims=True) @ values[..., columns])
    return weights.output(np.concatenate(heads, axis=-1))


def feed_forward(x: Array, weights: FeedForward) -> Array:
    """Apply Dense, ReLU, Dense to every position (section 3.3)."""
    return weights.outer(np.maximum(weights.inner(x), 0.0))


# --- stacks ----------------------------------------------------------------------------------------------------------


def encode(
    x: Array,
    blocks: Sequence[EncoderWeights],
    num_heads: int,
    hidden: Hidden = None,
    norm_first: bool = True,
    last: Norm | None = None,
) -> Array:
    """Run the encoder blocks over x (batch, source_len, d_model), then the norm `last` if there is one."""
    for block in blocks:
        if norm_first:
            y = normalise(x, block.norms[0])
            x = x + attend(y, y, block.attention, num_heads, hidden)
            x = x + feed_forward(normalise(x, block.norms[1]), block.feed_forward)
        else:
            x = normalise(x + attend(x, x, block.attention, num_heads, hidden), block.norms[0])
            x = normalise(x + feed_forward(x, block.feed_forward), block.norms[1])
    return x if last is None else normalise(x, last)


def decode(
    x: Array,
    memory: Array,
    blocks: Sequence[DecoderWeights],
    num_heads: int,
    hidden: Hidden = None,
    memory_hidden: Hidden = None,
    norm_first: bool = True,
    last: Norm | None = None,
) -> Array:
    """Run the decoder blocks over x (batch, target_len, d_model), then the norm `last` if there is one.

    Args:
        x: (batch, target_len, d_model).
        memory: (batch, source_len, d_model).
        blocks: the blocks' weights, in order.
        num_heads: divides d_model.
        hidden: what the self-attention hides, broadcasts to (batch, target_len, target_len).
        memory_hidden: what the attention over memory hides, broadcasts to (batch, target_len, source_len).
        norm_first: pre-norm blocks, else post-norm.
        last: norm after the stack.
    """
    for block in blocks:
        if norm_first:
            y = normalise(x, block.norms[0])
            x = x + attend(y, y, block.self_attention, num_heads, hidden)
            y = normalise(x, block.norms[1])
            x = x + attend(y, memory, block.memory_attention, num_heads, memory_hidden)
            x = x + feed_forward(normalise(x, block.norms[2]), block.feed_forward)
        else:
            x = normalise(x + attend(x, x, block.self_attention, num_heads, hidden), block.norms[0])
            x = normalise(x + attend(x, memory, block.memory_attention, num_heads, memory_hidden), block.norms[1])
            x = normalise(x + feed_forward(x, block.feed_forward), block.norms[2])
    return x if last is None else normalise(x, last)
