"""Which outputs of a model or layer move when one of its inputs moves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.grading import Array

__all__ = ["moves"]


def moves(ask: Callable[[Array], Array], sequence: Array, other: Array) -> Array:
    """Return how far each output moves when one input position takes its value from `other`.

    Args:
        ask: sequences (rows, length, …) -> outputs (rows, target_len, …).
        sequence, other: (length, …).

    Returns:
        (target_len, length).
    """
    length = len(sequence)
    rows = np.repeat(sequence[None], length + 1, axis=0)
    for position in range(length):
        rows[position, position] = other[position]
    outputs = ask(rows)
    moved = np.abs(outputs[:-1] - outputs[-1:]) / (1 + np.abs(outputs[-1:]))
    return np.asarray(moved.max(axis=-1).T)
