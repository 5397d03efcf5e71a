"""Right answers to `01-positional-encoding` in other styles."""

from __future__ import annotations

from autograder.alternatives import Alternative

__all__ = ["ALTERNATIVES"]

ALTERNATIVES: tuple[Alternative, ...] = (
    Alternative(
        "keras-ops",
        "everything with keras.ops, computed in float32",
        {
            "angle-rates": """
def angle_rates(dim, base=10000.0):
    if dim % 2 == 1 or dim < 2:
        raise ValueError("`dim` should be a positive even number, got %d" % dim)
    exponents = ops.arange(0, dim, 2, dtype="float32") / dim
    return 1.0 / ops.power(ops.cast(base, "float32"), exponents)
""",
            "sinusoidal-table": """
def positional_encoding(max_len, dim, base=10000.0):
    positions = ops.expand_dims(ops.arange(max_len, dtype="float32"), axis=1)
    angles = positions * ops.expand_dims(ops.cast(angle_rates(dim, base), "float32"), axis=0)
    pairs = ops.stack([ops.sin(angles), ops.cos(angles)], axis=-1)
    return ops.reshape(pairs, (max_len, dim))
""",
            "dot-products": """
def dot_products_at_offset(pe, offset):
    pe = ops.convert_to_tensor(pe)
    length = ops.shape(pe)[0]
    return ops.sum(ops.multiply(pe[: length - offset], pe[offset:]), axis=1)
""",
            "invariance": """
def offset_dot_product(offset, dim, base=10000.0):
    return ops.sum(ops.cos(float(offset) * ops.cast(angle_rates(dim, base), "float32")))
""",
            "shift-matrix": """
def shift_matrix(offset, dim, base=10000.0):
    angles = ops.repeat(float(offset) * ops.cast(angle_rates(dim, base), "float32"), 2)
    swap = np.kron(np.eye(dim // 2), [[0.0, 1.0], [-1.0, 0.0]]).astype("float32")
    return ops.diag(ops.cos(angles)) + ops.expand_dims(ops.sin(angles), 1) * swap
""",
            "positional-layer": """
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
""",
            "learned-layer": """
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
""",
        },
    ),
    Alternative(
        "tensorflow",
        "tf.* throughout, as older tutorials write it",
        {
            "angle-rates": """
import tensorflow as tf

def angle_rates(dim, base=10000.0):
    if dim <= 0 or dim % 2:
        raise ValueError(f"dim={dim} is not a positive even number")
    i = tf.range(dim // 2, dtype=tf.float32)
    return 1 / tf.pow(base, 2 * i / tf.cast(dim, tf.float32))
""",
            "sinusoidal-table": """
import tensorflow as tf

def positional_encoding(max_len, dim, base=10000.0):
    pos = tf.cast(tf.range(max_len)[:, tf.newaxis], tf.float32)
    angle_rads = pos * tf.cast(angle_rates(dim, base), tf.float32)[tf.newaxis, :]
    sines, cosines = tf.math.sin(angle_rads), tf.math.cos(angle_rads)
    return tf.reshape(tf.concat([sines[..., tf.newaxis], cosines[..., tf.newaxis]], axis=-1), (max_len, dim))
""",
            "dot-products": """
import tensorflow as tf

def dot_products_at_offset(pe, offset):
    pe = tf.cast(pe, tf.float32)
    similarity = tf.matmul(pe, pe, transpose_b=True)
    return tf.linalg.diag_part(similarity, k=offset)
""",
            "invariance": """
import tensorflow as tf

def offset_dot_product(offset, dim, base=10000.0):
    angles = tf.cast(offset, tf.float32) * tf.cast(angle_rates(dim, base), tf.float32)
    return float(tf.reduce_sum(tf.cos(angles)))
""",
            "shift-matrix": """
import tensorflow as tf

def shift_matrix(offset, dim, base=10000.0):
    blocks = []
    for rate in np.asarray(angle_rates(dim, base)):
        c, s = tf.cos(offset * float(rate)), tf.sin(offset * float(rate))
        blocks.append(tf.linalg.LinearOperatorFullMatrix([[c, s], [-s, c]]))
    return tf.linalg.LinearOperatorBlockDiag(blocks).to_dense()
""",
            "positional-layer": """
import tensorflow as tf

class PositionalEncoding(tf.keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super(PositionalEncoding, self).__init__(**kwargs)
        self.max_len = max_len
        self.dim = dim
        self.pos_encoding = tf.cast(positional_encoding(max_len, dim)[tf.newaxis, ...], tf.float32)

    def call(self, inputs):
        seq_len = tf.shape(inputs)[1]
        if seq_len > self.max_len:
            raise ValueError(f"seq_len={seq_len} does not fit into max_len={self.max_len}")
        return inputs + self.pos_encoding[:, :seq_len, :]

    def get_config(self):
        config = super().get_config()
        config.update({"max_len": self.max_len, "dim": self.dim})
        return config
""",
            "learned-layer": """
import tensorflow as tf

class LearnedPositionalEmbedding(tf.keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len = max_len
        self.dim = dim
        self.pos_emb = tf.keras.layers.Embedding(input_dim=max_len, output_dim=dim)

    def call(self, x):
        seq_len = x.shape[-2]
        if seq_len > self.max_len:
            raise ValueError(f"Sequence of seq_len {seq_len} > {self.max_len}")
        positions = tf.range(start=0, limit=tf.shape(x)[-2], delta=1)
        return x + self.pos_emb(positions)

    def get_config(self):
        config = super().get_config()
        config.update({"max_len": self.max_len, "dim": self.dim})
        return config
""",
        },
        backends=("tensorflow",),
    ),
    Alternative(
        "plain-python",
        "math and nested lists, no arrays",
        {
            "angle-rates": """
import math

def angle_rates(dim, base=10000.0):
    if dim < 1 or dim % 2 != 0:
        raise ValueError("dim: " + str(dim))
    return [math.pow(base, -2 * i / dim) for i in range(dim // 2)]
""",
            "sinusoidal-table": """
import math

def positional_encoding(max_len, dim, base=10000.0):
    table = []
    for p in range(max_len):
        row = []
        for j in range(dim):
            angle = p / base ** (2 * (j // 2) / dim)
            row.append(math.sin(angle) if j % 2 == 0 else math.cos(angle))
        table.append(row)
    return table
""",
            "dot-products": """
def dot_products_at_offset(pe, offset):
    return [sum(a * b for a, b in zip(pe[p], pe[p + offset])) for p in range(len(pe) - offset)]
""",
            "invariance": """
import math

def offset_dot_product(offset, dim, base=10000.0):
    return sum(math.cos(offset * base ** (-2 * i / dim)) for i in range(dim // 2))
""",
            "shift-matrix": """
import math

def shift_matrix(offset, dim, base=10000.0):
    rows = [[0.0] * dim for _ in range(dim)]
    for i in range(dim // 2):
        angle = offset * base ** (-2 * i / dim)
        rows[2 * i][2 * i] = rows[2 * i + 1][2 * i + 1] = math.cos(angle)
        rows[2 * i][2 * i + 1], rows[2 * i + 1][2 * i] = math.sin(angle), -math.sin(angle)
    return rows
""",
        },
    ),
    Alternative(
        "einsum-and-broadcasting",
        "NumPy with float32 casts, einsum, the exponent of every column and where",
        {
            "angle-rates": """
def angle_rates(dim, base=10000.0):
    if dim <= 0 or dim % 2 != 0:
        raise ValueError(f"dim must be positive and even, not {dim}")
    return np.float32(np.exp(np.arange(0, dim, 2) * (-np.log(base) / dim)))
""",
            "sinusoidal-table": """
def positional_encoding(max_len, dim, base=10000.0):
    def get_angles(pos, j):
        return pos / np.power(base, (2 * (j // 2)) / np.float32(dim))

    angles = get_angles(np.arange(max_len)[:, None], np.arange(dim)[None, :])
    return np.where(np.arange(dim) % 2 == 0, np.sin(angles), np.cos(angles)).astype(np.float32)
""",
            "dot-products": """
def dot_products_at_offset(pe, offset):
    return np.einsum("pd,pd->p", pe[: pe.shape[0] - offset], pe[offset:])
""",
            "invariance": """
def offset_dot_product(offset, dim, base=10000.0):
    return np.cos(np.float32(offset) * np.asarray(angle_rates(dim, base))).sum()
""",
            "shift-matrix": """
def shift_matrix(offset, dim, base=10000.0):
    angles = offset * np.asarray(angle_rates(dim, base), dtype=np.float64)
    blocks = np.array([[np.cos(angles), np.sin(angles)], [-np.sin(angles), np.cos(angles)]])
    return np.einsum("abi,ij->iajb", blocks, np.eye(dim // 2)).reshape(dim, dim).astype(np.float32)
""",
            "positional-layer": """
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
""",
            "learned-layer": """
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
""",
        },
        ("tensorflow", "torch"),  # JAX traces the layer with a length that its table does not have
    ),
    Alternative(
        "complex-numbers",
        "a pair as one complex number: shifts are multiplications",
        {
            "sinusoidal-table": """
def positional_encoding(max_len, dim, base=10000.0):
    turns = np.exp(1j * np.outer(np.arange(max_len), angle_rates(dim, base)))
    return np.dstack([turns.imag, turns.real]).reshape(max_len, dim)
""",
            "dot-products": """
def dot_products_at_offset(pe, offset):
    return np.diagonal(pe @ pe.T, offset)
""",
            "invariance": """
def offset_dot_product(offset, dim, base=10000.0):
    return np.exp(1j * offset * angle_rates(dim, base)).sum().real
""",
            "shift-matrix": """
def shift_matrix(offset, dim, base=10000.0):
    unit = np.eye(dim)
    turns = np.exp(1j * offset * angle_rates(dim, base))
    moved = (unit[:, 1::2] + 1j * unit[:, 0::2]) * turns
    columns = np.empty((dim, dim))
    columns[:, 0::2], columns[:, 1::2] = moved.imag, moved.real
    return columns.T
""",
        },
    ),
    Alternative(
        "from-the-table",
        "the closed form and the shift matrix measured on the table itself, with earlier functions",
        {
            "invariance": """
def offset_dot_product(offset, dim, base=10000.0):
    table = positional_encoding(max_len=offset + 1, dim=dim, base=base)
    return dot_products_at_offset(table, offset).item()
""",
            "shift-matrix": """
def shift_matrix(offset, dim, base=10000.0):
    table = positional_encoding(200 + offset, dim, base)
    before, after = table[:200], table[offset:]
    return np.linalg.lstsq(before, after, rcond=None)[0].T
""",
        },
    ),
    Alternative(
        "one-layer-from-another",
        "a helper for the length check, the learned layer as a subclass, dropout-free sublayers, add as a layer",
        {
            "positional-layer": """
def checked_length(layer, inputs):
    seq_len = inputs.shape[1]
    if seq_len is not None and seq_len > layer.max_len:
        raise ValueError(f"seq_len is {seq_len}, the table has {layer.max_len} rows")
    return seq_len

class PositionalEncoding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        self.max_len = max_len
        self.dim = dim
        super().__init__(**kwargs)
        self.add = keras.layers.Add()

    def rows(self, inputs):
        return ops.convert_to_tensor(positional_encoding(self.max_len, self.dim)[: checked_length(self, inputs)], dtype="float32")

    def call(self, inputs, training=None):
        return self.add([inputs, ops.broadcast_to(self.rows(inputs), ops.shape(inputs))])

    def get_config(self):
        return dict(super().get_config(), max_len=self.max_len, dim=self.dim)
""",
            "learned-layer": """
class LearnedPositionalEmbedding(PositionalEncoding):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(max_len, dim, **kwargs)
        self.learned = keras.layers.Embedding(max_len, dim, name="learned")

    def rows(self, inputs):
        return self.learned(np.arange(checked_length(self, inputs)))
""",
        },
    ),
    Alternative(
        "tuples",
        "tuples of numbers and of rows instead of arrays, helpers of their own, a length check that ends the call",
        {
            "angle-rates": """
import math
from typing import Tuple

def check_dim(dim: int) -> None:
    if dim < 2 or dim & 1:
        raise ValueError("Argument `dim`: %r is not an even number of at least 2" % (dim,))

def angle_rates(dim: int, base: float = 10000.0) -> Tuple[float, ...]:
    check_dim(dim)
    return tuple(math.exp(-2 * i / dim * math.log(base)) for i in range(dim // 2))
""",
            "sinusoidal-table": """
def positional_encoding(max_len, dim, base=10000.0):
    rates = np.asarray(angle_rates(dim, base))
    rows = []
    for position in range(max_len):
        row = np.empty(dim)
        row[0::2], row[1::2] = np.sin(position * rates), np.cos(position * rates)
        rows.append(row)
    return tuple(rows)
""",
            "dot-products": """
def dot_products_at_offset(pe, offset):
    return tuple(float(np.dot(pe[p], pe[p + offset])) for p in range(len(pe) - offset))
""",
            "invariance": """
def offset_dot_product(offset, dim, base=10000.0):
    return sum(np.cos(offset * rate) for rate in angle_rates(dim, base))
""",
            "shift-matrix": """
def shift_matrix(offset, dim, base=10000.0):
    rows = []
    for i, rate in enumerate(angle_rates(dim, base)):
        cosine, sine = np.cos(offset * rate), np.sin(offset * rate)
        before, after = (0.0,) * (2 * i), (0.0,) * (dim - 2 * i - 2)
        rows += [before + (cosine, sine) + after, before + (-sine, cosine) + after]
    return tuple(rows)
""",
            "positional-layer": """
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
""",
        },
    ),
    Alternative(
        "slices-and-halves",
        "negative slices with a branch for 0, halves interleaved at the end, a recursion for the shift",
        {
            "angle-rates": """
def angle_rates(dim, base=10000.0):
    if dim <= 0:
        raise ValueError(f"dim must be positive. Received: dim={dim}.")
    if dim % 2:
        raise ValueError(f"dim must be even. Received: dim={dim}.")
    return np.power(1.0 / base, np.linspace(0, 1, dim // 2, endpoint=False))
""",
            "sinusoidal-table": """
def positional_encoding(max_len, dim, base=10000.0):
    angles = np.einsum("p,i->pi", np.arange(max_len), angle_rates(dim, base))
    halves = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    return halves.reshape(max_len, 2, dim // 2).transpose(0, 2, 1).reshape(max_len, dim)
""",
            "dot-products": """
def dot_products_at_offset(pe, offset):
    first = pe[:-offset] if offset > 0 else pe
    return (first * pe[offset:]).sum(axis=1)
""",
            "shift-matrix": """
def shift_matrix(offset, dim, base=10000.0):
    rates = angle_rates(dim, base)
    one_step = np.zeros((dim, dim))
    for i, rate in enumerate(rates):
        one_step[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(rate), np.sin(rate)], [-np.sin(rate), np.cos(rate)]]
    return np.linalg.matrix_power(one_step, offset)
""",
        },
    ),
    Alternative(
        "universal-functions",
        "np.frompyfunc, which leaves Python's numbers in arrays of objects",
        {
            "angle-rates": """
def angle_rates(dim, base=10000.0):
    if dim <= 0 or dim % 2:
        raise ValueError(f"dim must be even and positive. Received: dim={dim}")
    return np.frompyfunc(lambda i: base ** (-2 * i / dim), 1, 1)(np.arange(dim // 2))
""",
            "sinusoidal-table": """
def positional_encoding(max_len, dim, base=10000.0):
    import math

    angles = np.multiply.outer(np.arange(max_len), angle_rates(dim, base))
    table = np.empty((max_len, dim), dtype=object)
    table[:, 0::2], table[:, 1::2] = np.frompyfunc(math.sin, 1, 1)(angles), np.frompyfunc(math.cos, 1, 1)(angles)
    return table
""",
        },
    ),
)
