"""Float64 reference of 08-debugging-clinic: the five components without their mistakes, position by position.

Attention is written query by query and head by head over the keys that a query may see, so that there is neither a mask to turn
over nor a reshape to slip in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["causal_self_attention", "connect_block", "head_weights", "make_pairs", "self_attention"]

Array = NDArray[np.float64]


def _attention(
    weights: Mapping[str, ArrayLike], x: ArrayLike, seen: Callable[[int, int], slice]
) -> tuple[Array, Array]:
    """Return output and attention weights of a layer with Keras's kernels; query i of `length` sees the keys `seen(i, length)`."""
    inputs = np.asarray(x, dtype=np.float64)
    kernels = {name: np.asarray(value, dtype=np.float64) for name, value in weights.items()}
    batch, length, _ = inputs.shape
    num_heads, head_dim = kernels["query_dense.bias"].shape
    output = np.tile(kernels["output_dense.bias"], (batch, length, 1))
    shares = np.zeros((batch, num_heads, length, length))
    for sequence, head, position in np.ndindex(batch, num_heads, length):
        projected = {
            role: inputs[sequence] @ kernels[f"{role}_dense.kernel"][:, head] + kernels[f"{role}_dense.bias"][head]
            for role in ("query", "key", "value")
        }
        keys = seen(position, length)
        scores = projected["key"][keys] @ projected["query"][position] / np.sqrt(head_dim)
        of_query = np.exp(scores - np.logaddexp.reduce(scores))
        shares[sequence, head, position, keys] = of_query
        output[sequence, position] += of_query @ projected["value"][keys] @ kernels["output_dense.kernel"][head]
    return output, shares


def causal_self_attention(weights: Mapping[str, ArrayLike], x: ArrayLike) -> Array:
    """Return self-attention in which each position sees itself and those before it.

    Args:
        weights: a `keras.layers.MultiHeadAttention`'s weights: `query_dense.kernel` (dim, num_heads, head_dim), `query_dense.bias`
            (num_heads, head_dim), the same for key and value, `output_dense.kernel` (num_heads, head_dim, dim) and its bias.
        x: (batch, seq_len, dim)

    Returns:
        (batch, seq_len, dim)

    References:
        Vaswani et al. 2017, "Attention Is All You Need", section 3.2.3, third item.
    """
    return _attention(weights, x, lambda position, length: slice(0, position + 1))[0]


def self_attention(weights: Mapping[str, ArrayLike], x: ArrayLike) -> tuple[Array, Array]:
    """Return (output, attention weights) of self-attention in which each position sees all; arguments as above."""
    return _attention(weights, x, lambda position, length: slice(0, length))


def connect_block(
    x: ArrayLike,
    attend: Callable[[Array], ArrayLike],
    feed_forward: Callable[[Array], ArrayLike],
    norm_1: Callable[[Array], ArrayLike],
    norm_2: Callable[[Array], ArrayLike],
) -> Array:
    """Return a pre-norm block of two sublayers, each with its residual connection: the shape of x."""
    result = np.array(x, dtype=np.float64)
    for sublayer, norm in ((attend, norm_1), (feed_forward, norm_2)):
        result += np.asarray(sublayer(np.asarray(norm(result.copy()), dtype=np.float64)), dtype=np.float64)
    return result


def head_weights(query: ArrayLike, key: ArrayLike, num_heads: int) -> Array:
    """Return the attention weights of each head, its scores divided by the root of its own width.

    Args:
        query: (batch, query_len, d_model)
        key: (batch, key_len, d_model)
        num_heads: a divisor of d_model.

    Returns:
        (batch, num_heads, query_len, key_len)

    References:
        Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1, equation 1, with d_k = d_model / num_heads (3.2.2).
    """
    queries, keys = (np.asarray(x, dtype=np.float64) for x in (query, key))
    width = queries.shape[-1] // num_heads
    weights = np.empty((len(queries), num_heads, queries.shape[1], keys.shape[1]))
    for sequence, head, position in np.ndindex(weights.shape[:-1]):
        features = slice(head * width, (head + 1) * width)
        scores = keys[sequence, :, features] @ queries[sequence, position, features] / np.sqrt(width)
        weights[sequence, head, position] = np.exp(scores - np.logaddexp.reduce(scores))
    return weights


def make_pairs(target_ids: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (decoder_input, labels), each (batch, len - 1), of target_ids (batch, len): what is read, what comes next."""
    ids = np.asarray(target_ids, dtype=np.int64)
    steps = [(ids[:, i], ids[:, i + 1]) for i in range(ids.shape[1] - 1)]
    decoder_input, labels = (np.stack(columns, axis=1) for columns in zip(*steps, strict=True))
    return decoder_input, labels
