"""Right answers, point by point."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def squared_distances(points: Array, centers: Array) -> Array:
    """Return the squared distances (n, k)."""
    return np.array([[sum((a - b) ** 2 for a, b in zip(p, c, strict=True)) for c in centers] for p in points])


def nearest_center(points: Array, centers: Array) -> NDArray[np.int64]:
    """Return the index of each point's nearest center (n,), the first of equally near ones."""
    return np.array([min(range(len(centers)), key=row.__getitem__) for row in squared_distances(points, centers)])


def move_centers(points: Array, centers: Array) -> Array:
    """Return the centers' new places (k, dim)."""
    owners = nearest_center(points, centers)
    return np.array(
        [points[owners == k].mean(axis=0) if (owners == k).any() else center for k, center in enumerate(centers)]
    )
