"""Float64 reference of 10-modern-transformer: byte-pair encoding, rotary positions, RMSNorm, SwiGLU, grouped queries, windows.

Each is computed another way than students are taught it, so that a slip in the solution is unlikely to be made here too: tokens are
single characters that `str.replace` merges, pairs of features are complex numbers, and attention is a log-sum-exp over the keys that a
row keeps. What students compute block by block is computed as a whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "attention",
    "bpe_decode",
    "bpe_encode",
    "create_window_mask",
    "grouped_attention",
    "rms_norm",
    "rotary",
    "swiglu",
    "train_bpe",
]

Array = NDArray[np.float64]
Merge = tuple[bytes, bytes]

PIECES = re.compile(r"\s?\S+|\s+")
FIRST_CODE = 0xF0000  # of the characters that stand for tokens: a plane that no text uses


def train_bpe(text: str, num_merges: int) -> list[Merge]:
    """Return the merges of byte-pair encoding in the order in which they are learnt (Sennrich et al. 2016, algorithm 1).

    Adjacent pairs are counted anew for each merge, those that overlap too, and never across two pieces of `PIECES`. Of
    equally frequent pairs the greater is merged. There are fewer merges than `num_merges` if no pair is left.
    """
    pieces = Counter("".join(map(_letter, piece.encode())) for piece in PIECES.findall(text))
    tokens = [bytes([value]) for value in range(256)]
    merges: list[Merge] = []
    while len(merges) < num_merges:
        counts: Counter[str] = Counter()
        for piece, times in pieces.items():
            for place in range(len(piece) - 1):
                counts[piece[place : place + 2]] += times
        if not counts:
            break
        spelled = {pair: (tokens[_number(pair[0])], tokens[_number(pair[1])]) for pair in counts}
        best = max(counts, key=lambda pair: (counts[pair], spelled[pair]))
        merges.append(spelled[best])
        letter = _letter(len(tokens))
        tokens.append(b"".join(spelled[best]))
        pieces = Counter({piece.replace(best, letter): times for piece, times in pieces.items()})
    return merges


def bpe_encode(text: str, merges: Sequence[Merge]) -> list[int]:
    """Return the ids of a text: each piece's bytes, with the merges applied one after another, each wherever it fits.

    A merge joins tokens by what they spell, and the ids of its tokens are those that the earlier merges gave them. No two merges may spell
    the same.
    """
    letters = {bytes([value]): _letter(value) for value in range(256)}
    letters |= {first + second: _letter(256 + i) for i, (first, second) in enumerate(merges)}
    ids: list[int] = []
    for piece in PIECES.findall(text):
        spelled = "".join(map(_letter, piece.encode()))
        for first, second in merges:
            spelled = spelled.replace(letters[first] + letters[second], letters[first + second])
        ids += map(_number, spelled)
    return ids


def bpe_decode(ids: Iterable[int], merges: Sequence[Merge]) -> str:
    """Return the text of ids; U+FFFD where their bytes are no UTF-8."""
    spelled = b"".join(bytes([i]) if i < 256 else b"".join(merges[i - 256]) for i in ids)
    return spelled.decode(errors="replace")


def rotary(x: ArrayLike, positions: ArrayLike, base: float = 10000.0, interleaved: bool = True) -> Array:
    """Return x with each pair of features turned by its position (Su et al. 2021, equation 34, section 3.4.2).

    A pair is a complex number, and to turn it is to multiply it by e ** (i * angle), as in their equation 12.

    Args:
        x: (..., seq_len, head_dim)
        positions: (seq_len,)
        base: base of the angular frequencies, base ** (-2 i / head_dim).
        interleaved: pairs are (2i, 2i + 1), as in the paper; else (i, i + head_dim / 2), as in GPT-NeoX and Llama's weights for
            Hugging Face.

    Returns:
        (..., seq_len, head_dim)
    """
    x = np.asarray(x, dtype=np.float64)
    half = x.shape[-1] // 2
    first = slice(0, None, 2) if interleaved else slice(0, half)
    second = slice(1, None, 2) if interleaved else slice(half, None)
    frequencies = np.exp(-np.log(base) * np.arange(half) / half)
    turned = (x[..., first] + 1j * x[..., second]) * np.exp(
        1j * np.outer(np.asarray(positions, dtype=np.float64), frequencies)
    )
    result = np.empty_like(x)
    result[..., first], result[..., second] = turned.real, turned.imag
    return result


def rms_norm(x: ArrayLike, scale: ArrayLike, epsilon: float = 1e-6) -> Array:
    """Return x over its root mean square along the last axis, times `scale` (Zhang and Sennrich 2019, equation 4).

    Args:
        x: (..., dim)
        scale: (dim,)
        epsilon: added to the mean square.

    Returns:
        (..., dim)
    """
    x = np.asarray(x, dtype=np.float64)
    mean_square = np.einsum("...d,...d->...", x, x)[..., None] / x.shape[-1]
    return np.asarray(x * np.asarray(scale) * (mean_square + epsilon) ** -0.5)


def swiglu(x: ArrayLike, gate: ArrayLike, up: ArrayLike, down: ArrayLike) -> Array:
    """Return the gated feed-forward network of `x` (Shazeer 2020, equation 6): Swish with beta 1, by the hyperbolic tangent.

    Args:
        x: (..., dim)
        gate: kernel (dim, ff_dim) of what goes through Swish.
        up: kernel (dim, ff_dim)
        down: kernel (ff_dim, dim)

    Returns:
        (..., dim)
    """
    gated = np.asarray(x, dtype=np.float64) @ np.asarray(gate)
    return np.asarray((gated * (1 + np.tanh(gated / 2)) / 2 * (np.asarray(x) @ np.asarray(up))) @ np.asarray(down))


def grouped_attention(
    x: ArrayLike,
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    output: ArrayLike,
    num_heads: int,
    num_kv_heads: int,
) -> Array:
    """Return causal attention whose query heads share keys and values (Ainslie et al. 2023, section 2.2), with rotary positions.

    Query head h attends with key and value head h // (num_heads / num_kv_heads). The first position is 0.

    Args:
        x: (batch, seq_len, d_model)
        query: kernel (d_model, num_heads * head_dim)
        key: kernel (d_model, num_kv_heads * head_dim)
        value: kernel (d_model, num_kv_heads * head_dim)
        output: kernel (num_heads * head_dim, d_model)
        num_heads: number of query heads.
        num_kv_heads: number of key and value heads.

    Returns:
        (batch, seq_len, d_model)
    """
    x, output = np.asarray(x, dtype=np.float64), np.asarray(output, dtype=np.float64)
    positions = np.arange(x.shape[1])
    future = positions[None, :] > positions[:, None]
    head_dim = np.shape(query)[1] // num_heads
    result = np.zeros((*x.shape[:2], output.shape[1]))
    for head in range(num_heads):
        shared = head * num_kv_heads // num_heads
        of_query = slice(head * head_dim, (head + 1) * head_dim)
        of_shared = slice(shared * head_dim, (shared + 1) * head_dim)
        queries = rotary(x @ np.asarray(query)[:, of_query], positions)
        keys = rotary(x @ np.asarray(key)[:, of_shared], positions)
        result += attention(queries, keys, x @ np.asarray(value)[:, of_shared], future) @ output[of_query]
    return result


def create_window_mask(size: int, window: int, sinks: int = 0) -> Array:
    """Return the mask (size, size) of a sliding window with attention sinks (Xiao et al. 2023, section 3.2): 1 hides, 0 keeps."""
    mask = np.ones((size, size))
    for position in range(size):
        mask[position, max(0, position - window + 1) : position + 1] = 0
        mask[position, : min(sinks, position + 1)] = 0
    return mask


def attention(query: ArrayLike, key: ArrayLike, value: ArrayLike, mask: ArrayLike | None = None) -> Array:
    """Return scaled dot-product attention (Vaswani et al. 2017, equation 1), zeros where a row is wholly hidden.

    What `streaming_attention` computes block by block by Milakov and Gimelshein 2018, algorithm 3, and Dao et al. 2022, algorithm 1.

    Args:
        query: (..., query_len, head_dim)
        key: (..., key_len, head_dim)
        value: (..., key_len, value_dim)
        mask: broadcast to (..., query_len, key_len); 1 hides, 0 keeps.

    Returns:
        (..., query_len, value_dim)
    """
    query = np.asarray(query, dtype=np.float64)
    scores = np.einsum("...qd,...kd->...qk", query, np.asarray(key)) / np.sqrt(query.shape[-1])
    kept = np.ones_like(scores) if mask is None else 1 - np.broadcast_to(mask, scores.shape)
    highest = np.where(kept > 0, scores, -np.inf).max(axis=-1, keepdims=True)
    powers = np.where(kept > 0, np.exp(np.minimum(scores - np.where(np.isfinite(highest), highest, 0.0), 0.0)), 0.0)
    totals = powers.sum(axis=-1, keepdims=True)
    return np.asarray(np.where(totals > 0, powers / np.where(totals > 0, totals, 1.0), 0.0) @ np.asarray(value))


def _letter(number: int) -> str:
    """Return the character that stands for a token."""
    return chr(FIRST_CODE + number)


def _number(letter: str) -> int:
    """Return the token that a character stands for."""
    return ord(letter) - FIRST_CODE
