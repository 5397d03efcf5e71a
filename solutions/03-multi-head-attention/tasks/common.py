"""Sizes, masks and shapes that the hidden tests of several tasks of 03 use."""

from __future__ import annotations

import numpy as np

from autograder.grading import Draw

LAYER_OUTPUT = "(batch, query_len, d_model)"
WEIGHTS = "(batch, num_heads, query_len, key_len)"
HALF = np.tile(np.repeat([1.0, 0.0], 3), (6, 1))  # a mask (6, 6)


def sizes(draw: Draw, count: int) -> tuple[int, int, list[int]]:
    """Return num_heads, head_dim and `count` further sizes; with num_heads * head_dim, no two are equal."""
    num_heads, head_dim = draw.distinct(2, 2, 5)
    taken = {num_heads, head_dim, num_heads * head_dim}
    free = [n for n in range(2, 10) if n not in taken]
    return num_heads, head_dim, [free[i] for i in draw.distinct(count, 0, len(free) - 1)]
