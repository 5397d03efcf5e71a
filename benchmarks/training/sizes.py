"""The sizes that are trained, what a step of them costs, and what accelerators can do. Imports NumPy alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

PAD, BOS, FIRST_WORD = 0, 1, 4


@dataclass(frozen=True)
class Size:
    """A Transformer and the batches that it is trained on.

    Attributes:
        vocab_size, num_layers, d_model, num_heads, ff_dim: of the model; as many encoder as decoder blocks.
        tie_weights: one matrix for both embeddings and the output.
        batch, source_len, target_len: of a batch. Each row is filled with words to between half and all of its length.
        steps: updates that are timed in a turn.
    """

    vocab_size: int
    num_layers: int
    d_model: int
    num_heads: int
    ff_dim: int
    tie_weights: bool
    batch: int
    source_len: int
    target_len: int
    steps: int

    @property
    def max_len(self) -> int:
        """Positions that the model must know."""
        return max(self.source_len, self.target_len)

    @property
    def tokens(self) -> int:
        """Positions in a batch, of sources and targets together, padding included."""
        return self.batch * (self.source_len + self.target_len)

    @property
    def step_flops(self) -> float:
        """Floating-point operations of the matrix products in a training step; the way back costs twice the way there.

        Products with hidden scores count: nobody leaves them out. Embeddings, normalisation and softmax don't.
        """
        square, inner = self.d_model**2, 2 * self.d_model * self.ff_dim
        source, target = self.source_len, self.target_len
        encoder = source * (4 * square + inner) + 2 * source * source * self.d_model
        decoder = target * (6 * square + inner) + 2 * source * square
        decoder += 2 * target * (target + source) * self.d_model
        output = target * self.d_model * self.vocab_size
        return 3.0 * 2.0 * self.batch * (self.num_layers * (encoder + decoder) + output)

    def batches(self, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Return a turn's ids, (steps * batch, source_len) and (steps * batch, target_len + 1), int32, rows padded with 0."""
        rng = np.random.default_rng(seed)
        count = self.steps * self.batch
        source = _rows(rng, count, self.source_len, self.vocab_size)
        target = _rows(rng, count, self.target_len + 1, self.vocab_size)
        target[:, 0] = BOS
        return source, target


SIZES = {
    "tiny": Size(20, 1, 8, 2, 12, False, 4, 5, 6, 2),
    "course": Size(49, 2, 64, 4, 128, False, 128, 23, 20, 20),
    "small": Size(2000, 4, 256, 8, 1024, True, 32, 32, 32, 4),
    "base": Size(37000, 6, 512, 8, 2048, True, 8, 24, 24, 2),
    "base-gpu": Size(37000, 6, 512, 8, 2048, True, 96, 128, 128, 20),
}

# Dense bfloat16 (where there is none, float16) with float32 sums, operations a second, as the manufacturer states them
# for the fastest board of that name. The first name that the device's name holds counts.
PEAKS = {
    "B200": 2250e12,
    "H200": 989e12,
    "H100 PCIe": 756e12,
    "H100": 989e12,
    "A100": 312e12,
    "L40S": 362e12,
    "L4": 121e12,
    "T4": 65e12,
    "V100": 125e12,
    "4090": 165e12,
    "3090": 71e12,
}


def peak_of(device: str) -> float | None:
    """Return the operations a second of a device by its name, or None if it isn't known."""
    return next((peak for name, peak in PEAKS.items() if name in device), None)


def _rows(rng: np.random.Generator, count: int, length: int, vocab_size: int) -> np.ndarray:
    ids = rng.integers(FIRST_WORD, vocab_size, size=(count, length), dtype="int32")
    lengths = rng.integers((length + 1) // 2, length + 1, size=(count, 1))
    return np.where(np.arange(length) < lengths, ids, PAD).astype("int32")
