# %% [markdown] backends="tensorflow torch"
# NumPy with float32 casts, einsum, the exponent of every column and where


# %% task="angle-rates"
def angle_rates(dim, base=10000.0):
    if dim <= 0 or dim % 2 != 0:
        raise ValueError(f"dim must be positive and even, not {dim}")
    return np.float32(np.exp(np.arange(0, dim, 2) * (-np.log(base) / dim)))


# %% task="sinusoidal-table"
def positional_encoding(max_len, dim, base=10000.0):
    def get_angles(pos, j):
        return pos / np.power(base, (2 * (j // 2)) / np.float32(dim))

    angles = get_angles(np.arange(max_len)[:, None], np.arange(dim)[None, :])
    return np.where(np.arange(dim) % 2 == 0, np.sin(angles), np.cos(angles)).astype(np.float32)


# %% task="dot-products"
def dot_products_at_offset(pe, offset):
    return np.einsum("pd,pd->p", pe[: pe.shape[0] - offset], pe[offset:])


# %% task="invariance"
def offset_dot_product(offset, dim, base=10000.0):
    return np.cos(np.float32(offset) * np.asarray(angle_rates(dim, base))).sum()


# %% task="shift-matrix"
def shift_matrix(offset, dim, base=10000.0):
    angles = offset * np.asarray(angle_rates(dim, base), dtype=np.float64)
    blocks = np.array([[np.cos(angles), np.sin(angles)], [-np.sin(angles), np.cos(angles)]])
    return np.einsum("abi,ij->iajb", blocks, np.eye(dim // 2)).reshape(dim, dim).astype(np.float32)


# %% task="positional-layer"
class PositionalEncoding(keras.Layer):
    def __init__(self, max_len, dim, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.max_len = int(max_len)
        self.dim = int(dim)

    def build(self, input_shape):
        self._rows = np.asarray(positional_encoding(self.max_len, self.dim), dtype="float32")[None]
        self.built = True

    def call(self, inputs):
        _, seq_len, _ = inputs.shape
        if seq_len > self.max_len:
            raise ValueError(f"max_len is {self.max_len}, seq_len is {seq_len}")
        return inputs + self._rows[:, :seq_len]

    def get_config(self):
        config = super().get_config()
        config["max_len"], config["dim"] = self.max_len, self.dim
        return config


# %% task="learned-layer"
class LearnedPositionalEmbedding(keras.Layer):
    def __init__(self, max_len, dim, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.max_len = int(max_len)
        self.dim = int(dim)

    def build(self, input_shape):
        self.positions = self.add_weight(
            shape=(self.max_len, self.dim), initializer=keras.initializers.RandomNormal(stddev=0.02), trainable=True
        )

    def call(self, inputs):
        _, seq_len, _ = inputs.shape
        if seq_len > self.max_len:
            raise ValueError(f"max_len is {self.max_len}, seq_len is {seq_len}")
        return inputs + ops.slice(self.positions, (0, 0), (seq_len, self.dim))

    def get_config(self):
        config = super().get_config()
        config["max_len"], config["dim"] = self.max_len, self.dim
        return config
