# %% [markdown]
# everything with keras.ops, computed in float32


# %% task="angle-rates"
def angle_rates(dim, base=10000.0):
    if dim % 2 == 1 or dim < 2:
        raise ValueError("`dim` should be a positive even number, got %d" % dim)
    exponents = ops.arange(0, dim, 2, dtype="float32") / dim
    return 1.0 / ops.power(ops.cast(base, "float32"), exponents)


# %% task="sinusoidal-table"
def positional_encoding(max_len, dim, base=10000.0):
    positions = ops.expand_dims(ops.arange(max_len, dtype="float32"), axis=1)
    angles = positions * ops.expand_dims(ops.cast(angle_rates(dim, base), "float32"), axis=0)
    pairs = ops.stack([ops.sin(angles), ops.cos(angles)], axis=-1)
    return ops.reshape(pairs, (max_len, dim))


# %% task="dot-products"
def dot_products_at_offset(pe, offset):
    pe = ops.convert_to_tensor(pe)
    length = ops.shape(pe)[0]
    return ops.sum(ops.multiply(pe[: length - offset], pe[offset:]), axis=1)


# %% task="invariance"
def offset_dot_product(offset, dim, base=10000.0):
    return ops.sum(ops.cos(float(offset) * ops.cast(angle_rates(dim, base), "float32")))


# %% task="shift-matrix"
def shift_matrix(offset, dim, base=10000.0):
    angles = ops.repeat(float(offset) * ops.cast(angle_rates(dim, base), "float32"), 2)
    swap = np.kron(np.eye(dim // 2), [[0.0, 1.0], [-1.0, 0.0]]).astype("float32")
    return ops.diag(ops.cos(angles)) + ops.expand_dims(ops.sin(angles), 1) * swap


# %% task="positional-layer"
class PositionalEncoding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len, self.dim = max_len, dim
        self.table = ops.cast(positional_encoding(max_len, dim), "float32")

    def call(self, inputs):
        length = ops.shape(inputs)[1]
        if length > self.max_len:
            raise ValueError(f"the inputs' seq_len {length} is more than max_len {self.max_len}")
        return ops.add(inputs, ops.expand_dims(self.table[:length], axis=0))


# %% task="learned-layer"
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len, self.dim = max_len, dim
        self.embedding = keras.layers.Embedding(max_len, dim)

    def call(self, inputs):
        length = ops.shape(inputs)[1]
        if length > self.max_len:
            raise ValueError(f"the inputs' seq_len {length} is more than max_len {self.max_len}")
        return inputs + self.embedding(ops.arange(length))
