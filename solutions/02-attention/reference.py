"""Float64 reference of 02-attention: softmax, scores, attention with and without projections, additive attention.

Written with index sums and log-sum-exp rather than with `matmul` and shifted exponentials, so that a slip in the
solution is unlikely to be made here too.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "additive_attention",
    "additive_scores",
    "attention_scores",
    "projected_attention",
    "scaled_dot_product_attention",
    "score_std",
    "softmax",
]

Array = NDArray[np.float64]


def softmax(x: ArrayLike, axis: int = -1) -> Array:
    """Return `exp(x) / sum(exp(x))` along `axis`, computed as `exp(x - log(sum(exp(x))))`.

    Args:
        x: any shape, any real numbers; minus infinity gives weight 0.
        axis: the axis along which the result sums to 1.

    Returns:
        The shape of `x`.

    Raises:
        ValueError: every entry along `axis` is minus infinity, where the softmax is undefined.
    """
    scores = np.asarray(x, dtype=np.float64)
    log_total = np.logaddexp.reduce(scores, axis=axis, keepdims=True)
    if np.isneginf(log_total).any():
        raise ValueError(f"Something must be kept along axis {axis}. Received: x={x!r}. Hide fewer entries.")
    weights: Array = np.exp(scores - log_total)
    return weights


def attention_scores(query: ArrayLike, key: ArrayLike) -> Array:
    """Return `query . key / sqrt(key_dim)` for every pair of a query and a key.

    Args:
        query: (..., query_len, key_dim)
        key: (..., key_len, key_dim)

    Returns:
        (..., query_len, key_len)

    References:
        Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1, the argument of the softmax in equation 1.
    """
    q, k = np.asarray(query, dtype=np.float64), np.asarray(key, dtype=np.float64)
    products: Array = np.einsum("...id,...jd->...ij", q, k)
    return products / math.sqrt(q.shape[-1])


def scaled_dot_product_attention(
    query: ArrayLike, key: ArrayLike, value: ArrayLike, mask: ArrayLike | None = None
) -> tuple[Array, Array]:
    """Return the values averaged with weights `softmax(query key^T / sqrt(key_dim))`, and the weights.

    Args:
        query: (..., query_len, key_dim)
        key: (..., key_len, key_dim)
        value: (..., key_len, value_dim)
        mask: broadcasts to (..., query_len, key_len); 1 hides, 0 keeps. The paper hides at this place, too
            (section 3.2.3: "setting to minus infinity"), but equation 1 has no mask.

    Returns:
        output: (..., query_len, value_dim)
        weights: (..., query_len, key_len)

    Raises:
        ValueError: the mask hides every key of some query.

    References:
        Vaswani et al. 2017, section 3.2.1, equation 1.
    """
    return _attend(attention_scores(query, key), value, mask)


def projected_attention(
    x_query: ArrayLike,
    x_key: ArrayLike,
    x_value: ArrayLike,
    w_query: ArrayLike,
    w_key: ArrayLike,
    w_value: ArrayLike,
) -> tuple[Array, Array]:
    """Return one head of attention between projected sequences: project, then attend. No biases.

    Args:
        x_query: (..., query_len, query_input)
        x_key: (..., key_len, key_input)
        x_value: (..., key_len, value_input)
        w_query: (query_input, key_dim)
        w_key: (key_input, key_dim)
        w_value: (value_input, value_dim)

    Returns:
        output: (..., query_len, value_dim)
        weights: (..., query_len, key_len)

    References:
        Vaswani et al. 2017, section 3.2.2, the definition of head_i without the output matrix.
    """
    return scaled_dot_product_attention(_project(x_query, w_query), _project(x_key, w_key), _project(x_value, w_value))


def score_std(key_dim: int, scaled: bool) -> float:
    """Return the standard deviation of a score between independent standard normal vectors.

    A product of two independent standard normals has mean 0 and variance 1, and the variances of the `key_dim` products
    add up. Dividing by `sqrt(key_dim)` divides the standard deviation by the same.

    References:
        Vaswani et al. 2017, section 3.2.1, footnote 4.
    """
    variance = float(key_dim)
    return math.sqrt(variance / key_dim if scaled else variance)


def additive_scores(query: ArrayLike, key: ArrayLike, w_query: ArrayLike, w_key: ArrayLike, v: ArrayLike) -> Array:
    """Return `v . tanh(query w_query + key w_key)` for every pair of a query and a key: (..., query_len, key_len).

    References:
        Bahdanau et al. 2015, "Neural Machine Translation by Jointly Learning to Align and Translate", appendix A.1.2.
    """
    q, k = _project(query, w_query), _project(key, w_key)
    units = q.shape[-1]
    hidden = np.tanh(np.expand_dims(q, -2) + np.expand_dims(k, -3))
    scores: Array = np.einsum("...u,u->...", hidden, np.asarray(v, dtype=np.float64).reshape(units))
    return scores


def additive_attention(
    query: ArrayLike, key: ArrayLike, value: ArrayLike, w_query: ArrayLike, w_key: ArrayLike, v: ArrayLike
) -> tuple[Array, Array]:
    """Return the values averaged with weights `softmax(v . tanh(query w_query + key w_key))`, and the weights.

    Args:
        query: (..., query_len, query_dim)
        key: (..., key_len, key_dim)
        value: (..., key_len, value_dim)
        w_query: (query_dim, units)
        w_key: (key_dim, units)
        v: (units,)

    Returns:
        output: (..., query_len, value_dim)
        weights: (..., query_len, key_len)

    References:
        Bahdanau et al. 2015, section 3.1, equations 5 and 6, appendix A.1.2; there the keys are the values.
    """
    return _attend(additive_scores(query, key, w_query, w_key, v), value, None)


def _attend(scores: Array, value: ArrayLike, mask: ArrayLike | None) -> tuple[Array, Array]:
    if mask is not None:
        scores = np.where(np.asarray(mask) > 0.5, -np.inf, scores)
    weights = softmax(scores)
    return np.einsum("...ij,...jv->...iv", weights, np.asarray(value, dtype=np.float64)), weights


def _project(x: ArrayLike, w: ArrayLike) -> Array:
    projected: Array = np.einsum("...i,io->...o", np.asarray(x, dtype=np.float64), np.asarray(w, dtype=np.float64))
    return projected
