# %% [markdown]
# the shortest NumPy and Keras that say it


# %% task="sinusoidal-table"
def positional_encoding(max_len, dim, base=10000.0):
    positions = np.arange(max_len)
    rates = angle_rates(dim, base)
    angles = positions[:, np.newaxis] * rates
    table = np.zeros((max_len, dim))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


# %% task="dot-products"
def dot_products_at_offset(pe, offset):
    count = len(pe) - offset
    first, second = pe[:count], pe[offset:]
    return np.sum(first * second, axis=-1)


# %% task="invariance"
def offset_dot_product(offset, dim, base=10000.0):
    angles = offset * angle_rates(dim, base)
    return float(np.sum(np.cos(angles)))


# %% task="shift-matrix"
def shift_matrix(offset, dim, base=10000.0):
    angles = offset * angle_rates(dim, base)
    matrix = np.zeros((dim, dim))
    for i, angle in enumerate(angles):
        even, odd = 2 * i, 2 * i + 1
        matrix[even, even] = np.cos(angle)
        matrix[even, odd] = np.sin(angle)
        matrix[odd, even] = -np.sin(angle)
        matrix[odd, odd] = np.cos(angle)
    return matrix


# %% task="positional-layer"
class PositionalEncoding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len = max_len
        self.dim = dim
        self.table = positional_encoding(max_len, dim)

    def call(self, inputs):
        seq_len = inputs.shape[1]
        if seq_len > self.max_len:
            raise ValueError(f"seq_len must be at most max_len={self.max_len}. Received: seq_len={seq_len}.")
        rows = ops.cast(self.table[:seq_len], inputs.dtype)
        return inputs + rows

    def get_config(self):
        return {**super().get_config(), "max_len": self.max_len, "dim": self.dim}


# %% task="learned-layer"
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len = max_len
        self.dim = dim
        self.table = self.add_weight(name="table", shape=(max_len, dim), initializer="uniform")

    def call(self, inputs):
        seq_len = inputs.shape[1]
        if seq_len > self.max_len:
            raise ValueError(f"seq_len must be at most max_len={self.max_len}. Received: seq_len={seq_len}.")
        rows = self.table[:seq_len]
        return inputs + rows

    def get_config(self):
        return {**super().get_config(), "max_len": self.max_len, "dim": self.dim}
