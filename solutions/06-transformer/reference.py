"""Float64 reference of 06-transformer: both models, over vectors and over tokens, and their parameters.

Vaswani et al. 2017, "Attention Is All You Need", figure 1 and sections 3.1 to 3.5. What may not be looked at is given as
booleans, True hides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._shared.transformer_reference import (
    Attention,
    DecoderWeights,
    Dense,
    EncoderWeights,
    FeedForward,
    Norm,
    TransformerWeights,
    attend,
    decode,
    embed,
    encode,
    feed_forward,
    look_ahead,
    normalise,
    padding,
    positions,
)

__all__ = [
    "Attention",
    "DecoderWeights",
    "Dense",
    "EncoderWeights",
    "FeedForward",
    "Norm",
    "TransformerWeights",
    "attend",
    "block_parameter_count",
    "continuous_parameter_count",
    "continuous_transformer",
    "decode",
    "embed",
    "encode",
    "feed_forward",
    "look_ahead",
    "normalise",
    "padding",
    "positions",
    "token_transformer",
    "transformer_parameter_count",
]

Array = NDArray[np.float64]


# --- models ----------------------------------------------------------------------------------------------------------


def continuous_transformer(
    source: Array, target: Array, weights: TransformerWeights, num_heads: int, with_positions: bool = True
) -> Array:
    """Return the lecture's model: pre-norm, causal, no norm after the stacks, Dense at the end.

    Args:
        source: (batch, timesteps, dim).
        target: (batch, target_len, dim).
        weights: all weights of both stacks and the output.
        num_heads: divides dim.
        with_positions: whether the sinusoidal table is added to both inputs.

    Returns:
        (batch, target_len, dim).
    """
    if with_positions:
        source, target = (x + positions(*x.shape[1:]) for x in (source, target))
    memory = encode(source, weights.encoder, num_heads)
    x = decode(target, memory, weights.decoder, num_heads, look_ahead(target.shape[1]))
    return weights.output(x)


def token_transformer(
    source_ids: ArrayLike, target_ids: ArrayLike, weights: TransformerWeights, num_heads: int, norm_first: bool = True
) -> Array:
    """Return the logits (batch, target_len, vocab_size) of the model over tokens; id 0 is padding.

    Args:
        source_ids: (batch, source_len).
        target_ids: (batch, target_len).
        weights: all weights of the model; a tied model's output kernel is the embeddings' table, transposed.
        num_heads: divides d_model.
        norm_first: pre-norm blocks, else post-norm.
    """
    source_ids, target_ids = np.asarray(source_ids), np.asarray(target_ids)
    hidden_source = padding(source_ids)
    hidden_target = padding(target_ids) | look_ahead(target_ids.shape[1])
    source, target = embed(source_ids, weights.source_table), embed(target_ids, weights.target_table)
    memory = encode(source, weights.encoder, num_heads, hidden_source, norm_first, weights.encoder_norm)
    x = decode(
        target, memory, weights.decoder, num_heads, hidden_target, hidden_source, norm_first, weights.decoder_norm
    )
    return weights.output(x)


# --- counts ----------------------------------------------------------------------------------------------------------


def _dense_count(inputs: int, units: int) -> int:
    return inputs * units + units


def block_parameter_count(d_model: int, ff_dim: int, attentions: int) -> int:
    """Count a block with one attention (encoder) or two (decoder), a feed-forward, and a norm for each of them."""
    per_attention = 4 * _dense_count(d_model, d_model)
    return (
        attentions * per_attention
        + _dense_count(d_model, ff_dim)
        + _dense_count(ff_dim, d_model)
        + (attentions + 1) * 2 * d_model
    )


def continuous_parameter_count(dim: int, ff_dim: int, num_encoder_blocks: int, num_decoder_blocks: int) -> int:
    """Count the lecture's model."""
    return (
        num_encoder_blocks * block_parameter_count(dim, ff_dim, 1)
        + num_decoder_blocks * block_parameter_count(dim, ff_dim, 2)
        + _dense_count(dim, dim)
    )


def transformer_parameter_count(
    vocab_size: int,
    num_layers: int,
    d_model: int,
    num_heads: int,
    ff_dim: int,
    tie_weights: bool = False,
    output_bias: bool | None = None,
) -> int:
    """Count the pre-norm model over tokens, its two last norms included.

    Args:
        vocab_size: number of token ids, the same for source and target.
        num_layers: encoder blocks, and decoder blocks.
        d_model: width.
        num_heads: makes no difference: the heads share d_model.
        ff_dim: inner width.
        tie_weights: one matrix instead of three.
        output_bias: whether the output has one; by default an untied one has.
    """
    blocks = num_layers * (block_parameter_count(d_model, ff_dim, 1) + block_parameter_count(d_model, ff_dim, 2))
    tables = vocab_size * d_model * (1 if tie_weights else 3)
    has_bias = not tie_weights if output_bias is None else output_bias
    return blocks + 2 * 2 * d_model + tables + (vocab_size if has_bias else 0)
