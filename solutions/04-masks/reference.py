"""Float64 reference of 04-masks: the masks, a softmax under them, Keras's convention, a leak test by derivatives.

Masks are written by index comparison and the softmax row by row with log-sum-exp over the kept entries only, so that a
slip in the solution is unlikely to be made here too.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "create_decoder_mask",
    "create_look_ahead_mask",
    "create_padding_mask",
    "influence",
    "leaks_future",
    "masked_softmax",
    "to_keras_attention_mask",
]

Array = NDArray[np.float64]


def create_padding_mask(token_ids: ArrayLike, pad_id: int = 0) -> Array:
    """Return 1 where a token is padding.

    Args:
        token_ids: (batch, seq_len)
        pad_id: id of the padding.

    Returns:
        (batch, 1, 1, seq_len)
    """
    ids = np.asarray(token_ids)
    mask = np.zeros((ids.shape[0], 1, 1, ids.shape[1]))
    for sequence, position in np.argwhere(ids == pad_id):
        mask[sequence, 0, 0, position] = 1.0
    return mask


def create_look_ahead_mask(size: int) -> Array:
    """Return 1 where the column is later than the row: (size, size).

    References:
        Vaswani et al. 2017, "Attention Is All You Need", section 3.2.3, third item.
    """
    query, key = np.indices((size, size))
    return (key > query).astype(np.float64)


def create_decoder_mask(token_ids: ArrayLike, pad_id: int = 0) -> Array:
    """Return 1 where a key is later than the query or padding: (batch, 1, seq_len, seq_len).

    Args:
        token_ids: (batch, seq_len)
        pad_id: id of the padding.
    """
    padding = create_padding_mask(token_ids, pad_id)
    ahead = create_look_ahead_mask(padding.shape[-1])
    return 1.0 - (1.0 - padding) * (1.0 - ahead)


def masked_softmax(scores: ArrayLike, mask: ArrayLike) -> Array:
    """Return the softmax over the kept entries of each row; hidden entries and wholly hidden rows are 0.

    Args:
        scores: (..., query_len, key_len), finite.
        mask: broadcasts to the scores; 1 hides, 0 keeps.

    Returns:
        The shape of the scores.
    """
    all_scores = np.asarray(scores, dtype=np.float64)
    kept = np.broadcast_to(np.asarray(mask) < 0.5, all_scores.shape)
    weights = np.zeros(all_scores.shape)
    for row in np.ndindex(all_scores.shape[:-1]):
        of_row = all_scores[row][kept[row]]
        if of_row.size:
            weights[row][kept[row]] = np.exp(of_row - np.logaddexp.reduce(of_row))
    return weights


def to_keras_attention_mask(mask: ArrayLike) -> NDArray[np.bool_]:
    """Return a lecture mask (1 hides) as Keras's `attention_mask` (True may attend).

    Args:
        mask: (batch, 1, query_len or 1, key_len) or (query_len, key_len)

    Returns:
        (batch, query_len or 1, key_len) or (1, query_len, key_len)
    """
    hidden = np.asarray(mask) > 0.5
    if hidden.ndim == 4:
        batch, _, query_len, key_len = hidden.shape
        return np.logical_not(hidden.reshape(batch, query_len, key_len))
    return np.logical_not(hidden.reshape(1, *hidden.shape))


def influence(attend: Callable[[Array], ArrayLike], seq_len: int, dim: int, seed: int = 0, steps: int = 3) -> Array:
    """Return how far each output moves when one feature of one input is changed by about 1, at most over some tries.

    Returns:
        (seq_len, seq_len): row the output's position, column the input's.
    """
    rng = np.random.default_rng(seed)
    moved = np.zeros((seq_len, seq_len))
    for _ in range(steps):
        x = rng.standard_normal((1, seq_len, dim))
        before = np.asarray(attend(x), dtype=np.float64)
        for position, feature in np.ndindex(seq_len, dim):
            changed = x.copy()
            changed[0, position, feature] += rng.choice([-1.0, 1.0])
            after = np.asarray(attend(changed), dtype=np.float64)
            moved[:, position] = np.maximum(moved[:, position], np.abs(after - before)[0].max(axis=-1))
    return moved


def leaks_future(attend: Callable[[Array], ArrayLike], seq_len: int, dim: int) -> bool:
    """Tell whether any output moves, by more than rounding, with a later input."""
    return bool(np.triu(influence(attend, seq_len, dim), k=1).max(initial=0.0) > 1e-5)
