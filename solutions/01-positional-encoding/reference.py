"""Float64 reference of `01-positional-encoding`.

The table and everything that follows from it is written with complex numbers: pair `i` of position `p` is the imaginary
and the real part of `exp(1j * p * rate_i)`, so a shift is a multiplication and a dot product is a real part.

References:
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.
    Gehring et al. (2017), "Convolutional Sequence to Sequence Learning", section 3.1, for the learned table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "angle_rates",
    "dot_products_at_offset",
    "learned_positional_layer",
    "offset_dot_product",
    "positional_encoding",
    "positional_layer",
    "shift_matrix",
]

Array = NDArray[np.float64]


def angle_rates(dim: int, base: float = 10000.0) -> Array:
    """Return the angle that one step adds to each sine-cosine pair.

    Args:
        dim: number of features, even and positive.
        base: the paper's 10000.

    Returns:
        (dim // 2,), radians per position: `base ** (-2 i / dim)`.

    Raises:
        ValueError: if `dim` is odd or not positive.

    References:
        Vaswani et al. (2017), section 3.5, the argument of the sine without `pos`.
    """
    if dim <= 0 or dim % 2:
        raise ValueError(f"dim must be even and positive. Received: dim={dim}.")
    pair = np.arange(dim // 2, dtype=np.float64)
    return np.exp(-np.log(np.float64(base)) * 2.0 * pair / dim)


def positional_encoding(max_len: int, dim: int, base: float = 10000.0) -> Array:
    """Return the sinusoidal table, sines in the even columns and cosines in the odd ones.

    Returns:
        (max_len, dim).

    References:
        Vaswani et al. (2017), section 3.5.
    """
    phasors = _phasors(np.arange(max_len), dim, base)
    return np.stack([phasors.imag, phasors.real], axis=-1).reshape(max_len, dim)


def dot_products_at_offset(pe: ArrayLike, offset: int) -> Array:
    """Return `pe[p] . pe[p + offset]` for every `p` that has such a partner.

    Args:
        pe: (max_len, dim), any table.
        offset: 0 <= offset <= max_len.

    Returns:
        (max_len - offset,).
    """
    table = np.asarray(pe, dtype=np.float64)
    count = table.shape[0] - offset
    return np.array([table[p] @ table[p + offset] for p in range(count)], dtype=np.float64)


def offset_dot_product(offset: int, dim: int, base: float = 10000.0) -> float:
    """Return the dot product of any two rows of the sinusoidal table that are `offset` apart.

    It is the sum over the pairs of `cos(offset * rate)`, because `sin a sin b + cos a cos b = cos(a - b)`.
    """
    return float(_phasors(np.array([offset]), dim, base).real.sum())


def shift_matrix(offset: int, dim: int, base: float = 10000.0) -> Array:
    """Return the matrix `M` with `pe[p + offset] == M @ pe[p]` for every `p`.

    Returns:
        (dim, dim), block diagonal: each pair is turned by `offset * rate`.

    References:
        Vaswani et al. (2017), section 3.5, "PE_{pos+k} can be represented as a linear function of PE_pos".
    """
    phasors = _phasors(np.array([offset]), dim, base)
    turn: NDArray[np.complex128] = np.repeat(phasors, 2)
    matrix = np.diag(turn.real)
    even = np.arange(0, dim, 2)
    matrix[even, even + 1] = turn.imag[::2]
    matrix[even + 1, even] = -turn.imag[::2]
    return matrix


def positional_layer(inputs: ArrayLike, max_len: int) -> Array:
    """Return `inputs: (batch, seq_len, dim)` plus the first `seq_len` rows of the sinusoidal table.

    Raises:
        ValueError: if `seq_len > max_len`.
    """
    x = np.asarray(inputs, dtype=np.float64)
    return learned_positional_layer(x, positional_encoding(max_len, x.shape[-1]))


def learned_positional_layer(inputs: ArrayLike, table: ArrayLike) -> Array:
    """Return `inputs: (batch, seq_len, dim)` plus the first `seq_len` rows of `table: (max_len, dim)`.

    Raises:
        ValueError: if `seq_len > max_len`.
    """
    x, rows = np.asarray(inputs, dtype=np.float64), np.asarray(table, dtype=np.float64)
    seq_len, max_len = x.shape[1], rows.shape[0]
    if seq_len > max_len:
        raise ValueError(f"seq_len must be at most max_len={max_len}. Received: seq_len={seq_len}.")
    return x + rows[np.newaxis, :seq_len]


def _phasors(positions: NDArray[np.int_], dim: int, base: float) -> NDArray[np.complex128]:
    """Return (positions, dim // 2), `exp(1j * position * rate)`."""
    return np.exp(1j * np.multiply.outer(positions, angle_rates(dim, base)))
