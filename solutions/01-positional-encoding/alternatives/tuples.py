# %% [markdown]
# tuples of numbers and of rows instead of arrays, helpers of their own, a length check that ends the call


# %% task="angle-rates"
import math
from typing import Tuple

def check_dim(dim: int) -> None:
    if dim < 2 or dim & 1:
        raise ValueError("Argument `dim`: %r is not an even number of at least 2" % (dim,))

def angle_rates(dim: int, base: float = 10000.0) -> Tuple[float, ...]:
    check_dim(dim)
    return tuple(math.exp(-2 * i / dim * math.log(base)) for i in range(dim // 2))


# %% task="sinusoidal-table"
def positional_encoding(max_len, dim, base=10000.0):
    rates = np.asarray(angle_rates(dim, base))
    rows = []
    for position in range(max_len):
        row = np.empty(dim)
        row[0::2], row[1::2] = np.sin(position * rates), np.cos(position * rates)
        rows.append(row)
    return tuple(rows)


# %% task="dot-products"
def dot_products_at_offset(pe, offset):
    return tuple(float(np.dot(pe[p], pe[p + offset])) for p in range(len(pe) - offset))


# %% task="invariance"
def offset_dot_product(offset, dim, base=10000.0):
    return sum(np.cos(offset * rate) for rate in angle_rates(dim, base))


# %% task="shift-matrix"
def shift_matrix(offset, dim, base=10000.0):
    rows = []
    for i, rate in enumerate(angle_rates(dim, base)):
        cosine, sine = np.cos(offset * rate), np.sin(offset * rate)
        before, after = (0.0,) * (2 * i), (0.0,) * (dim - 2 * i - 2)
        rows += [before + (cosine, sine) + after, before + (-sine, cosine) + after]
    return tuple(rows)


# %% task="positional-layer"
class PositionalEncoding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len, self.dim = max_len, dim

    def call(self, inputs):
        seq_len = inputs.shape[1]
        if seq_len <= self.max_len:
            return inputs + np.array(positional_encoding(self.max_len, self.dim)[:seq_len], dtype="float32")
        raise ValueError("seq_len " + str(seq_len) + " is more than max_len")

    def get_config(self):
        return {"max_len": self.max_len, "dim": self.dim}
