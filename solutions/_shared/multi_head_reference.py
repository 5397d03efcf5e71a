"""Float64 reference for multi-head attention, written head by head.

Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2. Masks follow the lecture: 1 hides, 0 keeps.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "attend",
    "merge_heads",
    "multi_head_attention",
    "multi_head_layer",
    "multi_head_weights",
    "project",
    "restrict",
    "split_heads",
]

Array = NDArray[np.float64]


def split_heads(x: ArrayLike, num_heads: int) -> Array:
    """Deal out the features: head h takes columns h * head_dim to (h + 1) * head_dim - 1 of every token.

    Args:
        x: (..., seq_len, d_model).
        num_heads: how many heads; must divide d_model.

    Returns:
        (..., num_heads, seq_len, head_dim).

    Raises:
        ValueError: num_heads does not divide d_model.
    """
    x = np.asarray(x, dtype=np.float64)
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x: ArrayLike) -> Array:
    """Put the heads of every token side by side: (..., num_heads, seq_len, head_dim) -> (..., seq_len, d_model)."""
    return np.concatenate(list(np.moveaxis(np.asarray(x, dtype=np.float64), -3, 0)), axis=-1)


def multi_head_weights(query: ArrayLike, key: ArrayLike, num_heads: int, mask: ArrayLike | None = None) -> Array:
    """Return the attention weights of every head (section 3.2.1, equation 1, once a head).

    Args:
        query: (..., query_len, d_model).
        key: (..., key_len, d_model).
        num_heads: how many heads.
        mask: 1 hides, 0 keeps; broadcasts to the result. No row may be hidden as a whole.

    Returns:
        (..., num_heads, query_len, key_len); each row sums to 1.
    """
    queries, keys = split_heads(query, num_heads), split_heads(key, num_heads)
    scores = np.einsum("...qd,...kd->...qk", queries, keys) / np.sqrt(queries.shape[-1])
    if mask is not None:
        scores = np.where(np.broadcast_to(np.asarray(mask) > 0.5, scores.shape), -np.inf, scores)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights: Array = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights


def attend(weights: ArrayLike, value: ArrayLike) -> Array:
    """Average the values of every head by given weights and merge the heads.

    Args:
        weights: (..., num_heads, query_len, key_len).
        value: (..., key_len, value_dim).

    Returns:
        (..., query_len, value_dim).
    """
    weights = np.asarray(weights, dtype=np.float64)
    return merge_heads(np.einsum("...qk,...kd->...qd", weights, split_heads(value, weights.shape[-3])))


def restrict(weights: ArrayLike, mask: ArrayLike) -> Array:
    """Return what weights become when a mask hides some keys: the others keep their proportions and sum to 1 again."""
    weights = np.asarray(weights, dtype=np.float64)
    kept = np.where(np.broadcast_to(np.asarray(mask) > 0.5, weights.shape), 0.0, weights)
    return np.asarray(kept / kept.sum(axis=-1, keepdims=True))


def multi_head_attention(
    query: ArrayLike, key: ArrayLike, value: ArrayLike, num_heads: int, mask: ArrayLike | None = None
) -> tuple[Array, Array]:
    """Attend with every head, without projections.

    Args:
        query: (..., query_len, d_model).
        key: (..., key_len, d_model).
        value: (..., key_len, value_dim).
        num_heads: divides d_model and value_dim.
        mask: broadcasts to the weights; 1 hides.

    Returns:
        output (..., query_len, value_dim), weights (..., num_heads, query_len, key_len).
    """
    weights = multi_head_weights(query, key, num_heads, mask)
    return attend(weights, value), weights


def project(x: ArrayLike, weights: Mapping[str, ArrayLike], name: str) -> Array:
    """Apply the dense layer `name`: x (..., input_dim) times kernel (input_dim, units) plus bias (units,)."""
    kernel, bias = (np.asarray(weights[f"{name}.{part}"], dtype=np.float64) for part in ("kernel", "bias"))
    return np.asarray(np.matmul(np.asarray(x, dtype=np.float64), kernel) + bias)


def multi_head_layer(
    x_query: ArrayLike,
    x_key: ArrayLike,
    x_value: ArrayLike,
    weights: Mapping[str, ArrayLike],
    num_heads: int,
    mask: ArrayLike | None = None,
) -> tuple[Array, Array]:
    """Project, attend with every head, project back (section 3.2.2, with biases as Keras has them).

    Args:
        x_query: (batch, query_len, query_input).
        x_key: (batch, key_len, key_input).
        x_value: (batch, key_len, value_input).
        weights: `query_dense.kernel`, `query_dense.bias`, … of the four dense layers.
        num_heads: how many heads.
        mask: broadcasts to the attention weights; 1 hides.

    Returns:
        output (batch, query_len, d_model), attention weights (batch, num_heads, query_len, key_len).
    """
    query, key = project(x_query, weights, "query_dense"), project(x_key, weights, "key_dense")
    merged, scores = multi_head_attention(query, key, project(x_value, weights, "value_dense"), num_heads, mask)
    return project(merged, weights, "output_dense"), scores
