"""Right answers in float64, each window by itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def moving_average(values: ArrayLike, width: int) -> NDArray[np.float64]:
    """Return the mean of each window of neighbouring values.

    Args:
        values: (n,).
        width: how many values a window has.

    Returns:
        (n - width + 1,).
    """
    series = np.asarray(values, dtype=np.float64)
    return np.array([series[start : start + width].mean() for start in range(len(series) - width + 1)])
