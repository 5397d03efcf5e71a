"""Float64 reference of 05-encoder-decoder-blocks: layer normalisation, feed-forward, both blocks, their parameters.

Weights come as one flat mapping of role names:

    attention.query.kernel, attention.query.bias, … key, value, output     (decoder: self_attention, cross_attention)
    norm_1.gamma, norm_1.beta, norm_2.gamma, …
    feed_forward.inner.kernel, feed_forward.inner.bias, feed_forward.outer.kernel, feed_forward.outer.bias

Kernels are (inputs, outputs); a projection's outputs are the heads' features, head by head. Masks follow the lecture: 1 hides.
Weights may have axes in front that broadcast with the batch: kernels (count, 1, inputs, outputs) and vectors (count, 1, 1, features)
are `count` blocks, and the answer is (count, batch, seq_len, d_model).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._shared.multi_head_reference import multi_head_layer

__all__ = [
    "attention",
    "block_parameter_count",
    "decoder_block",
    "encoder_block",
    "feed_forward",
    "layer_norm",
    "norm",
]

Array = NDArray[np.float64]
Weights = Mapping[str, ArrayLike]
EPSILON = 1e-6


def layer_norm(x: ArrayLike, gamma: ArrayLike, beta: ArrayLike, epsilon: float = EPSILON) -> Array:
    """Normalise over the last axis by mean and population variance, then scale and shift.

    Args:
        x: (..., features)
        gamma, beta: (features,)
        epsilon: added to the variance.

    References:
        Ba, Kiros and Hinton 2016, "Layer Normalization", equations 3 and 4.
    """
    x = np.asarray(x, dtype=np.float64)
    deviations = x - x.sum(axis=-1, keepdims=True) / x.shape[-1]
    variance = np.einsum("...i,...i->...", deviations, deviations) / x.shape[-1]
    standard = deviations * (variance[..., None] + epsilon) ** -0.5
    return np.asarray(standard * np.asarray(gamma, dtype=np.float64) + np.asarray(beta, dtype=np.float64))


def norm(x: ArrayLike, weights: Weights, name: str, epsilon: float = EPSILON) -> Array:
    """Apply the layer normalisation `name` of some weights."""
    return layer_norm(x, weights[f"{name}.gamma"], weights[f"{name}.beta"], epsilon)


def attention(
    x: ArrayLike, memory: ArrayLike, weights: Weights, name: str, num_heads: int, mask: ArrayLike | None = None
) -> Array:
    """Attend from x (batch, query_len, d_model) to memory (batch, key_len, d_model) with the attention `name`."""
    parts = {
        f"{role}_dense.{part}": weights[f"{name}.{role}.{part}"]
        for role in ("query", "key", "value", "output")
        for part in ("kernel", "bias")
    }
    return multi_head_layer(x, memory, memory, parts, num_heads, mask)[0]


def feed_forward(x: ArrayLike, weights: Weights, name: str = "feed_forward") -> Array:
    """Return max(0, x W1 + b1) W2 + b2 (Vaswani et al. 2017, section 3.3, equation 2)."""
    inner_kernel, inner_bias, outer_kernel, outer_bias = (
        np.asarray(weights[f"{name}.{layer}.{part}"], dtype=np.float64)
        for layer in ("inner", "outer")
        for part in ("kernel", "bias")
    )
    inner = np.matmul(np.asarray(x, dtype=np.float64), inner_kernel) + inner_bias
    return np.asarray(np.matmul(inner * (inner > 0), outer_kernel) + outer_bias)


def _sublayer(x: Array, compute: Callable[[Array], Array], normalise: Callable[[Array], Array], first: bool) -> Array:
    """Add what a sublayer computes: from the normalised input, or with the sum normalised."""
    return x + compute(normalise(x)) if first else normalise(x + compute(x))


def _block(
    x: ArrayLike,
    sublayers: Sequence[Callable[[Array], Array]],
    weights: Weights,
    epsilons: Sequence[float],
    norm_first: bool,
) -> Array:
    """Apply sublayers one after the other, each with its residual and the normalisation of its number."""
    x = np.asarray(x, dtype=np.float64)
    for number, (compute, epsilon) in enumerate(zip(sublayers, epsilons, strict=True), start=1):

        def normalise(y: Array, name: str = f"norm_{number}", epsilon: float = epsilon) -> Array:
            return norm(y, weights, name, epsilon)

        x = _sublayer(x, compute, normalise, norm_first)
    return x


def encoder_block(
    x: ArrayLike,
    weights: Weights,
    num_heads: int,
    mask: ArrayLike | None = None,
    norm_first: bool = True,
    epsilons: Sequence[float] = (EPSILON, EPSILON),
) -> Array:
    """Self-attention and feed-forward with residuals, without dropout.

    Args:
        x: (batch, seq_len, d_model)
        weights: `attention`, `norm_1`, `norm_2`, `feed_forward`.
        num_heads: number of heads of the attention.
        mask: broadcasts to (batch, num_heads, seq_len, seq_len); 1 hides.
        norm_first: pre-norm (Xiong et al. 2020, figure 1b) or post-norm (Vaswani et al. 2017, section 3.1).
        epsilons: what is added to the variance in each of the two normalisations.

    Returns:
        (batch, seq_len, d_model)
    """
    sublayers: tuple[Callable[[Array], Array], ...] = (
        lambda y: attention(y, y, weights, "attention", num_heads, mask),
        lambda y: feed_forward(y, weights),
    )
    return _block(x, sublayers, weights, epsilons, norm_first)


def decoder_block(
    x: ArrayLike,
    memory: ArrayLike,
    weights: Weights,
    num_heads: int,
    self_mask: ArrayLike | None = None,
    memory_mask: ArrayLike | None = None,
    norm_first: bool = True,
    epsilons: Sequence[float] = (EPSILON, EPSILON, EPSILON),
) -> Array:
    """Self-attention, attention over memory, feed-forward with residuals, without dropout.

    Args:
        x: (batch, target_len, d_model)
        memory: (batch, memory_len, d_model)
        weights: `self_attention`, `cross_attention`, `norm_1`, `norm_2`, `norm_3`, `feed_forward`.
        num_heads: number of heads of both attentions.
        self_mask: broadcasts to (batch, num_heads, target_len, target_len); 1 hides.
        memory_mask: broadcasts to (batch, num_heads, target_len, memory_len); 1 hides.
        norm_first: pre-norm or post-norm.
        epsilons: what is added to the variance in each of the three normalisations.

    Returns:
        (batch, target_len, d_model)
    """
    sublayers: tuple[Callable[[Array], Array], ...] = (
        lambda y: attention(y, y, weights, "self_attention", num_heads, self_mask),
        lambda y: attention(y, memory, weights, "cross_attention", num_heads, memory_mask),
        lambda y: feed_forward(y, weights),
    )
    return _block(x, sublayers, weights, epsilons, norm_first)


def block_parameter_count(kind: str, d_model: int, num_heads: int, ff_dim: int) -> int:
    """Count the parameters of a block by the shapes of its weights.

    Raises:
        ValueError: an unknown kind, or num_heads does not divide d_model.
    """
    attentions = {"encoder": 1, "decoder": 2}
    if kind not in attentions:
        raise ValueError(f"kind must be 'encoder' or 'decoder'. Received: kind={kind!r}.")
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
    dense = [(d_model, d_model)] * (4 * attentions[kind]) + [(d_model, ff_dim), (ff_dim, d_model)]
    norms = attentions[kind] + 1
    return sum((inputs + 1) * outputs for inputs, outputs in dense) + norms * 2 * d_model
