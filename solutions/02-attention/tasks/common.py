"""What the hidden tests of several tasks of 02 call results and their shapes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autograder.base.text import Text

Array = NDArray[np.float64]
PAIR = "(output, weights)"
OUTPUT = Text("the output (..., query_len, value_dim)", "출력 (..., query_len, value_dim)")
WEIGHTS = Text("the weights (..., query_len, key_len)", "가중치 (..., query_len, key_len)")
# Queries and keys with components of this standard deviation give scores of about 1.7: a softmax that is peaked, not one-hot.
SCALE = 1.3
