"""Masks that hidden tests of attention draw."""

from __future__ import annotations

import numpy as np

from autograder.grading import Array, Draw


def partial_mask(draw: Draw, *shape: int) -> Array:
    """Return a mask whose rows each hide at least one key and keep at least one."""
    mask = (draw.uniform(0, 1, *shape) < 0.4).astype(np.float64)
    first = draw.integers(0, shape[-1] - 1, *shape[:-1], 1)
    np.put_along_axis(mask, first, 1.0, axis=-1)
    np.put_along_axis(mask, (first + 1) % shape[-1], 0.0, axis=-1)
    return mask
