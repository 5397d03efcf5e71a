"""Float64 reference of 03-multi-head-attention, written head by head, and its parameters.

Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2. Masks follow the lecture: 1 hides, 0 keeps.
"""

from __future__ import annotations

from .._shared.multi_head_reference import (
    attend,
    merge_heads,
    multi_head_attention,
    multi_head_layer,
    multi_head_weights,
    project,
    restrict,
    split_heads,
)

__all__ = [
    "attend",
    "merge_heads",
    "mha_parameter_count",
    "multi_head_attention",
    "multi_head_layer",
    "multi_head_weights",
    "project",
    "restrict",
    "split_heads",
]


def mha_parameter_count(
    input_dim: int, num_heads: int, key_dim: int, value_dim: int | None = None, output_dim: int | None = None
) -> int:
    """Count kernels and biases of `keras.layers.MultiHeadAttention` when query, key and value are one input.

    Here key_dim and value_dim are the width of one head, as in Keras.
    """
    value_dim = key_dim if value_dim is None else value_dim
    output_dim = input_dim if output_dim is None else output_dim
    dense_layers = [
        (input_dim, num_heads * key_dim),
        (input_dim, num_heads * key_dim),
        (input_dim, num_heads * value_dim),
        (num_heads * value_dim, output_dim),
    ]
    return sum((inputs + 1) * units for inputs, units in dense_layers)
