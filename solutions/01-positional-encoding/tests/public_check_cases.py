# %% check="grade-angle-rates" answer="a base that is a whole number"
# says: make the base a float
def angle_rates(dim, base=10000.0):
    return int(base) ** -np.arange(dim // 2)


# %% check="grade-angle-rates" answer="a 2 that is taken twice"
# says: multiplied by 2 once more?
_rates = angle_rates
def angle_rates(dim, base=10000.0):
    return _rates(dim, base) ** 2


# %% check="grade-angle-rates" answer="rates in a list"
# notes: it returns a list
_rates = angle_rates
def angle_rates(dim, base=10000.0):
    return list(_rates(dim, base))


# %% check="grade-angle-rates" answer="a rate for each column"
# says: There is one rate for each pair of columns.
def angle_rates(dim, base=10000.0):
    return base ** (-2 * np.arange(dim) / dim)


# %% check="grade-angle-rates" answer="a condition that is turned round, on one line with its raise"
# says: This is a `raise` of your own code
def angle_rates(dim, base=10000.0):
    if dim % 2 == 0: raise ValueError(f"dim must be even, {dim}")
    return base ** (-2 * np.arange(dim // 2) / dim)


# %% check="grade-angle-rates" answer="a condition that fails itself, on one line with a raise"
# says: compare arrays entry by entry
def angle_rates(dim, base=10000.0):
    if np.arange(dim) % 2 == 1: raise ValueError(f"dim must be even, {dim}")
    return base ** (-2 * np.arange(dim // 2) / dim)


# %% check="grade-angle-rates" answer="a raise with a name that there isn't"
# says: (NameError: name 'd' is not defined)
# says: the line `raise ValueError(f"dim={d}")` stops
# - raise ValueError(f"dim must be even and positive. Received: dim={dim}.")
# + raise ValueError(f"dim={d}")


# %% check="grade-angle-rates" answer="a TypeError for a wrong width"
# says: (dim=5) should raise a ValueError, but TypeError came
# - raise ValueError(f"dim
# + raise TypeError(f"dim


# %% check="grade-angle-rates" answer="an exponent without its brackets"
# says: Is the whole exponent in brackets?
# - base ** (-2 * i / dim)
# + base ** -2 * i / dim


# %% check="grade-sinusoidal-table" answer="a shape without its brackets"
# says: is one argument: a tuple
def positional_encoding(max_len, dim, base=10000.0):
    return np.zeros(max_len, dim)


# %% check="grade-sinusoidal-table" answer="columns that are too many"
# says: how many rows and columns has either?
def positional_encoding(max_len, dim, base=10000.0):
    table = np.zeros((max_len, dim))
    table[:, 0::2] = np.sin(np.arange(max_len)[:, None] * base ** (-np.arange(dim) / dim))
    return table


# %% check="grade-sinusoidal-table" answer="rows instead of columns, behind an axis of length 1"
# says: Did the index lose a comma
def positional_encoding(max_len, dim, base=10000.0):
    angles = np.arange(max_len)[:, np.newaxis] * angle_rates(dim, base)
    table = np.zeros((max_len, dim))
    table[0::2] = np.sin(angles)
    table[1::2] = np.cos(angles)
    return table


# %% check="grade-sinusoidal-table" answer="a table of whole numbers"
# says: the table holds whole numbers
_real = positional_encoding
def positional_encoding(*args, **kwargs):
    return np.asarray(_real(*args, **kwargs)).astype(int)


# %% check="grade-sinusoidal-table" answer="every second angle"
# says: a sine and its cosine have different angles
def positional_encoding(max_len, dim, base=10000.0):
    angles = np.outer(np.arange(max_len), angle_rates(dim, base))
    table = np.zeros((max_len, dim))
    table[:, 0::2] = np.sin(angles[:, 0::2])
    table[:, 1::2] = np.cos(angles[:, 1::2])
    return table


# %% check="grade-sinusoidal-table" answer="the formula's i as a column"
# says: you took the formula's i for the column number
def positional_encoding(max_len, dim, base=10000.0):
    angles = np.arange(max_len)[:, None] * base ** (-2 * np.arange(dim) / dim)
    return np.where(np.arange(dim) % 2 == 0, np.sin(angles), np.cos(angles))


# %% check="grade-sinusoidal-table" answer="rates that TensorFlow cuts off"
# says: the slow hands don't turn
def positional_encoding(max_len, dim, base=10000.0):
    a = ops.arange(max_len)[:, None] * np.asarray(angle_rates(dim, base))
    return ops.reshape(ops.stack([ops.sin(ops.cast(a,"float32")), ops.cos(ops.cast(a,"float32"))], axis=-1), (max_len, dim))


# %% check="grade-sinusoidal-table" answer="a table with 4i / dim"
# says: the exponent is 4i / dim
def positional_encoding(max_len, dim, base=10000.0):
    pe = np.zeros((max_len, dim))
    for p in range(max_len):
        for i in range(0, dim, 2):
            pe[p, i] = np.sin(p / base ** (2 * i / dim))
            pe[p, i + 1] = np.cos(p / base ** (2 * i / dim))
    return pe


# %% check="grade-sinusoidal-table" answer="an order of columns that is right for dim=4"
# says: for dim=4 it is right
# says: the order of the columns
def positional_encoding(max_len, dim, base=10000.0):
    angles = np.outer(np.arange(max_len), angle_rates(dim, base))
    halves = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    return halves.reshape(max_len, dim // 2, 2).transpose(0, 2, 1).reshape(max_len, dim)


# %% check="grade-sinusoidal-table" answer="slices whose step is dim // 2"
# says: how many rows and columns has either?
def positional_encoding(max_len, dim, base=10000.0):
    angles, table = np.outer(np.arange(max_len), angle_rates(dim, base)), np.zeros((max_len, dim))
    table[:, 0 : dim : dim // 2] = np.sin(angles)
    table[:, 1 : dim : dim // 2] = np.cos(angles)
    return table


# %% check="grade-sinusoidal-table" answer="a function that isn't called"
# says: not what a call of it returns
# - np.zeros((max_len, dim))
# + np.zeros


# %% check="grade-sinusoidal-table" answer="a number that is filled like an array"
# says: it is a single number
# - np.zeros((max_len, dim))
# + 0


# %% check="grade-sinusoidal-table" answer="angles read at columns, over all rows"
# says: columns where there is one entry for each pair
def positional_encoding(max_len, dim, base=10000.0):
    angles, table = np.arange(max_len)[:, None] * angle_rates(dim, base), np.zeros((max_len, dim))
    for i in range(dim):
        table[:, 2 * i] = np.sin(angles[:, i])
    return table


# %% check="grade-sinusoidal-table" answer="sines in all columns"
# says: there are sines in the odd columns too
# - table[:, 1::2] = np.cos(angles)
# + table[:, 1::2] = np.sin(angles)


# %% check="grade-dot-products" answer="a product of a matrix and a vector in float64"
# says: takes no vectors
def dot_products_at_offset(pe, offset):
    pe = ops.convert_to_tensor(pe)
    return ops.stack([pe[p] @ pe[p + offset] for p in range(pe.shape[0] - offset)])


# %% check="grade-dot-products" answer="products that are complex numbers"
# says: the numbers are complex, and real ones are wanted
_real = dot_products_at_offset
def dot_products_at_offset(pe, offset):
    return np.asarray(_real(pe, offset)).astype(complex)


# %% check="grade-dot-products" answer="a product of two tables of rows"
# says: in a matrix product
def dot_products_at_offset(pe, offset):
    return np.dot(pe[: len(pe) - offset], pe[offset:])


# %% check="grade-dot-products" answer="a loop over all rows"
# says: Does a loop take a step too many
def dot_products_at_offset(pe, offset):
    return np.array([pe[p] @ pe[p + offset] for p in range(len(pe))])


# %% check="grade-dot-products" answer="every row with every other"
# says: not every row with every other
def dot_products_at_offset(pe, offset):
    return np.inner(pe[: len(pe) - offset], pe[offset:])


# %% check="grade-invariance" answer="a tensor of rates that is read at columns"
# says: An index lies behind the end of an axis
# says: columns where there is one entry for each pair
def offset_dot_product(offset, dim, base=10000.0):
    rates = ops.convert_to_tensor(angle_rates(dim, base))
    return sum(ops.cos(offset * rates[i]) for i in range(dim))


# %% check="grade-invariance" answer="a sum of turns whose real part isn't taken"
# says: return their real part, `.real`
def offset_dot_product(offset, dim, base=10000.0):
    return np.exp(1j * offset * angle_rates(dim, base)).sum()


# %% check="grade-invariance" answer="a table that is a row too short"
# says: Or has the array a row too few?
def offset_dot_product(offset, dim, base=10000.0):
    pe = positional_encoding(offset, dim, base)
    return pe[0] @ pe[offset]


# %% check="grade-invariance" answer="an offset that isn't used"
# says: this is what offset 1 gives
# - offset * angle_rates
# + angle_rates


# %% check="grade-shift-matrix" answer="a matrix all of whose blocks are filled"
# says: all blocks are filled
def shift_matrix(offset, dim, base=10000.0):
    angles, matrix = offset * angle_rates(dim, base), np.zeros((dim, dim))
    matrix[0::2, 0::2] = matrix[1::2, 1::2] = np.cos(angles)
    matrix[0::2, 1::2] = np.sin(angles)
    matrix[1::2, 0::2] = -np.sin(angles)
    return matrix


# %% check="grade-shift-matrix" answer="a shift by least squares"
# says: the block of each pair should be filled by the formulas
def shift_matrix(offset, dim, base=10000.0):
    table = positional_encoding(30 + offset, dim, base)
    return np.linalg.lstsq(table[:30], table[offset:], rcond=None)[0].T


# %% check="grade-shift-matrix" answer="a pair's angle read at its column"
# says: one entry for each pair
def shift_matrix(offset, dim, base=10000.0):
    a = offset * angle_rates(dim, base)
    c, s, M = np.cos(a), np.sin(a), np.zeros((dim, dim))
    for i in range(0, dim, 2):
        M[i:i+2, i:i+2] = [[c[i], s[i]], [-s[i], c[i]]]
    return M


# %% check="grade-shift-matrix" answer="later blocks that begin at the number of their pair"
# says: entry [5, 6] is 0.0009. It lies outside the blocks and should be 0
def shift_matrix(offset, dim, base=10000.0):
    a, M = offset * angle_rates(dim, base), np.zeros((dim, dim))
    for i in range(dim // 2):
        j = 2 * i if i < 4 else i
        M[j : j + 2, j : j + 2] = [[np.cos(a[i]), np.sin(a[i])], [-np.sin(a[i]), np.cos(a[i])]]
    return M


# %% check="grade-shift-matrix" answer="a matrix of whole numbers"
# says: the matrix holds whole numbers
_real = shift_matrix
def shift_matrix(*args, **kwargs):
    return np.asarray(_real(*args, **kwargs)).astype(int)


# %% check="grade-shift-matrix" answer="a shift for rows"
# says: Or does it fit `pe[p] @ M`?
def shift_matrix(offset, dim, base=10000.0):
    pe = positional_encoding(offset + 3 * dim, dim, base)
    n = 3 * dim
    return np.linalg.lstsq(pe[:n], pe[offset:], rcond=None)[0]


# %% check="grade-shift-matrix" answer="a sine that lacks its minus"
# says: one of the two sines of a block has a minus
# - -np.sin(angles)
# + np.sin(angles)


# %% check="grade-shift-matrix" answer="sines and cosines that have changed places"
# says: sines and cosines have changed places
# - matrix[even, even] = np.cos(angles)
# + matrix[even, even] = np.sin(angles)
# - matrix[even, odd] = np.sin(angles)
# + matrix[even, odd] = np.cos(angles)
# - matrix[odd, even] = -np.sin(angles)
# + matrix[odd, even] = -np.cos(angles)
# - matrix[odd, odd] = np.cos(angles)
# + matrix[odd, odd] = np.sin(angles)


# %% check="grade-positional-layer" answer="NumPy and a tensor's dtype"
# says: NumPy doesn't know the dtypes of tensors
# - ops.convert_to_tensor(self.table, dtype=inputs.dtype)
# + to_numpy(self.table).astype(inputs.dtype)


# %% check="grade-positional-layer" answer="a length that the error doesn't name"
# says: should name 7
# - must be at most max_len={self.max_len}. Received: seq_len={seq_len}.
# + is too long


# %% check="grade-positional-layer" answer="a table of NumPy, cut by a tensor"
# notes: a model of sequences of any length fails
# notes: A tensor can't say where a NumPy array is cut
class PositionalEncoding(PositionalEncoding):
    def call(self, inputs):
        if inputs.shape[1] is not None and inputs.shape[1] > self.max_len:
            raise ValueError(f"seq_len={inputs.shape[1]} is more than max_len={self.max_len}")
        return super().call(inputs) + 0 * np.zeros((self.max_len, self.dim), "float32")[: keras.ops.shape(inputs)[1]]


# %% check="grade-positional-layer" answer="a table of float32 alone"
# notes: a float16 layer fails
# - ops.convert_to_tensor(self.table, dtype=inputs.dtype)
# + ops.convert_to_tensor(self.table, dtype="float32")


# %% check="grade-positional-layer" answer="outputs collected in an array of NumPy"
# says: the output is float64, the inputs are float32
# says: as by `np.zeros`, or do you cast the inputs
class PositionalEncoding(PositionalEncoding):
    def call(self, inputs):
        outputs, table = np.zeros(inputs.shape), ops.convert_to_numpy(ops.cast(self.table, inputs.dtype))
        for place, sequence in enumerate(inputs):
            outputs[place] = sequence + table[: inputs.shape[1]]
        return outputs


# %% check="grade-positional-layer" answer="a table as long as the first inputs"
# says: [2,6,4] vs. [3,4]
class PositionalEncoding(PositionalEncoding):
    def build(self, input_shape):
        self.table = positional_encoding(input_shape[1], self.dim)


# %% check="grade-positional-layer" answer="positions with a dropout"
# says: Leave dropout away
class PositionalEncoding(PositionalEncoding):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(max_len, dim, **kwargs)
        self.dropout = keras.layers.Dropout(0.5)

    def call(self, inputs):
        return self.dropout(super().call(inputs))


# %% check="grade-positional-layer" answer="a float16 layer that answers in float32"
# notes: a float16 layer answers in float32
# - dtype=inputs.dtype)
# + dtype="float32")
# - return inputs + table
# + return ops.cast(inputs, "float32") + table


# %% check="grade-positional-layer" answer="a length that a model fixes while it is open"
# notes: took a length while it was still open
class PositionalEncoding(PositionalEncoding):
    def call(self, inputs):
        if inputs.shape[1] is not None and inputs.shape[1] > self.max_len:
            raise ValueError(f"seq_len={inputs.shape[1]} is more than max_len={self.max_len}")
        return inputs + ops.cast(self.table[: inputs.shape[1]], inputs.dtype)


# %% check="grade-positional-layer" answer="a config that update returns"
# says: `get_config` returned None
class PositionalEncoding(PositionalEncoding):
    def get_config(self):
        return super().get_config().update({"max_len": self.max_len, "dim": self.dim})


# %% check="grade-positional-layer" answer="a config whose function isn't called"
# says: not what a call of it returns
class PositionalEncoding(PositionalEncoding):
    def get_config(self):
        config = super().get_config
        config["max_len"] = self.max_len
        return config


# %% check="grade-positional-layer" answer="a super that isn't called" of="a config whose function isn't called"
# says: not what a call of it returns
# -         config = super().get_config
# +         config = super.get_config()


# %% check="grade-positional-layer" answer="keys of a config without quotes" of="a config whose function isn't called"
# says: A key of a dictionary is a text: write `"max_len"`
# -         config = super().get_config
# -         config["max_len"] = self.max_len
# +         config = super().get_config()
# +         config.update({max_len: self.max_len, dim: self.dim})


# %% check="grade-positional-layer" answer="a config that asks itself" of="a config whose function isn't called"
# says: write `super().get_config`
# -         config = super().get_config
# +         config = get_config()


# %% check="grade-positional-layer" answer="a config and sizes in a tuple" of="a config whose function isn't called"
# says: `get_config` returned a tuple
# -         config = super().get_config
# -         config["max_len"] = self.max_len
# -         return config
# +         return super().get_config(), {"max_len": self.max_len, "dim": self.dim}


# %% check="grade-positional-layer" answer="a function of the notebook that is called with self"
# says: `positional_encoding` is the notebook's, not the object's
# - self.table = positional_encoding
# + self.table = self.positional_encoding


# %% check="grade-positional-layer" answer="a length's error with a name that there isn't"
# says: `max_len` is an attribute of the object
# - Received: seq_len={seq_len}.
# + Received: seq_len={seq_len}, {max_len}.


# %% check="grade-positional-layer" answer="a text that is raised"
# says: exceptions must derive from BaseException
# - raise ValueError(f"seq_len must be at most max_len={self.max_len}. Received: seq_len={seq_len}.")
# + raise f"seq_len={seq_len}"


# %% check="grade-positional-layer" answer="a length that is asserted"
# says: (seq_len=7) should raise a ValueError, but AssertionError came
# -         if seq_len is not None and seq_len > self.max_len:
# -             raise ValueError(f"seq_len must be at most max_len={self.max_len}. Received: seq_len={seq_len}.")
# +         assert seq_len is None or seq_len <= self.max_len


# %% check="grade-positional-layer" answer="an open length that is compared"
# notes: compare it only where it isn't None
# - seq_len is not None and seq_len >
# + seq_len >


# %% check="grade-positional-layer" answer="a table that is a weight"
# says: the layer has weights
# - self.table = positional_encoding(max_len, dim)
# + self.table = self.add_weight(shape=(max_len, dim), trainable=False)


# %% check="grade-positional-layer" answer="positions left out in training"
# says: all else that depends on `training`
class PositionalEncoding(PositionalEncoding):
    def call(self, inputs, training=None):
        if training:
            return inputs
        return super().call(inputs)


# %% check="grade-learned-layer" answer="sizes that change places in a config"
# says: max_len and dim have changed places
# - "max_len": self.max_len, "dim": self.dim
# + "max_len": self.dim, "dim": self.max_len


# %% check="grade-learned-layer" answer="a frozen table"
# says: none that a training changes
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(max_len, dim, **kwargs)
        self.trainable = False


# %% check="grade-learned-layer" answer="weights that aren't there yet"
# says: no weights yet before it is built
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.embedding = keras.layers.Embedding(max_len, dim)

    def call(self, inputs):
        return inputs + self.embedding.weights[0][: ops.shape(inputs)[1]]


# %% check="grade-learned-layer" answer="a learned table as long as the first inputs"
# says: [(3, 4)]
# says: max_len rows from the start
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def __init__(self, max_len, dim, **kwargs):
        keras.layers.Layer.__init__(self, **kwargs)
        self.dim = dim
    def build(self, input_shape):
        self.table = self.add_weight(shape=(input_shape[1], self.dim), initializer="uniform")
        self.built = True
    def call(self, inputs):
        return inputs + self.table[: ops.shape(inputs)[1]]


# %% check="grade-learned-layer" answer="a variable of TensorFlow's own"
# says: or a bare `tf.Variable`
import tensorflow as tf
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def __init__(self, max_len, dim, **kwargs):
        keras.layers.Layer.__init__(self, **kwargs)
        self.rows = tf.Variable(tf.random.normal((max_len, dim)))
    def build(self, input_shape):
        self.built = True
    def call(self, inputs):
        return inputs + self.rows[: inputs.shape[1]]


# %% check="grade-learned-layer" answer="an embedding that each call makes"
# says: nor of a layer that is made in `call`
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len, self.dim = max_len, dim

    def call(self, inputs):
        return inputs + keras.layers.Embedding(self.max_len, self.dim)(ops.arange(ops.shape(inputs)[1]))


# %% check="grade-learned-layer" answer="a table without the colon of its slice"
# says: is the colon of a slice missing
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def call(self, inputs):
        return inputs + self.table[ops.shape(inputs)[1]]


# %% check="grade-learned-layer" answer="a table that is joined to the inputs"
# says: Or should they be taken together entry by entry (`a + b`
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def call(self, inputs):
        return ops.concatenate([inputs, self.table[: inputs.shape[1]]], axis=-1)


# %% check="grade-learned-layer" answer="a table that NumPy adds"
# notes: a model of sequences of any length fails
# notes: it can't be trained. A gradient passes neither through NumPy
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def call(self, inputs):
        if inputs.shape[1] > self.max_len:
            raise ValueError(f"seq_len={inputs.shape[1]} is more than max_len={self.max_len}")
        return inputs + np.asarray(self.table)[: inputs.shape[1]]


# %% check="grade-learned-layer" answer="an embedding of vectors"
# says: Is an embedding called on vectors?
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.emb = keras.layers.Embedding(max_len, dim)

    def call(self, inputs):
        return inputs + self.emb(inputs)


# %% check="grade-learned-layer" answer="a learned table of zeros"
# notes: should begin with small random numbers
# - keras.initializers.RandomNormal(stddev=0.02)
# + "zeros"


# %% check="grade-learned-layer" answer="a learned table that begins as the sinusoidal one"
# notes: should begin with small random numbers
# - initializer=keras.initializers.RandomNormal(stddev=0.02)
# + initializer=lambda shape, dtype=None: ops.convert_to_tensor(positional_encoding(*shape), dtype=dtype)


# %% check="grade-learned-layer" answer="a method of Keras that is misspelt"
# says: as Keras spells it
# - self.add_weight(
# + self.add_weights(


# %% check="grade-learned-layer" answer="an embedding of vectors, called a table" of="an embedding of vectors"
# says: Is an embedding called on vectors?
# -         self.emb = keras.layers.Embedding(max_len, dim)
# +         self.table = keras.layers.Embedding(max_len, dim)
# -         return inputs + self.emb(inputs)
# +         return inputs + self.table(inputs)


# %% check="grade-learned-layer" answer="an embedding that isn't built"
# notes: a saved model can't be loaded
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len, self.dim, self.table = max_len, dim, keras.layers.Embedding(max_len, dim)

    def call(self, inputs):
        if inputs.shape[1] is not None and inputs.shape[1] > self.max_len:
            raise ValueError(f"seq_len={inputs.shape[1]} is more than max_len={self.max_len}")
        return inputs + self.table(ops.arange(ops.shape(inputs)[1]))

    def get_config(self):
        return {**super().get_config(), "max_len": self.max_len, "dim": self.dim}


# %% check="grade-learned-layer" answer="a table that is as long as the sequences may be, and not one row more"
# says: seq_len must be at most
# - seq_len > self.max_len:
# + seq_len >= self.max_len:


# %% check="grade-learned-layer" answer="an embedding called on range(n)"
# says: An array is wanted here
# says: `ops.arange(length)`
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len, self.dim, self.emb = max_len, dim, keras.layers.Embedding(max_len, dim)
        self.emb.build(None)

    def call(self, inputs):
        n = inputs.shape[1]
        if n is not None and n > self.max_len:
            raise ValueError(f"seq_len={n} is more than max_len={self.max_len}")
        return inputs + self.emb(range(n))

    def get_config(self):
        return {**super().get_config(), "max_len": self.max_len, "dim": self.dim}


# %% check="grade-learned-layer" answer="an embedding called on inputs=list(range(n))" of="an embedding called on range(n)"
# says: An array is wanted here
# says: `ops.arange(length)`
# -         return inputs + self.emb(range(n))
# +         return inputs + self.emb(inputs=list(range(n)))


# %% check="grade-learned-layer" answer="an embedding called on n" of="an embedding called on range(n)"
# says: An array is wanted here
# says: `ops.arange(length)`
# -         return inputs + self.emb(range(n))
# +         return inputs + self.emb(n)


# %% check="grade-learned-layer" answer="an embedding called on inputs=n" of="an embedding called on range(n)"
# says: An array is wanted here
# says: `ops.arange(length)`
# -         return inputs + self.emb(range(n))
# +         return inputs + self.emb(inputs=n)


# %% check="grade-learned-layer" answer="the learned layer's config that update returns"
# says: `get_config` returned None
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def get_config(self):
        return super().get_config().update({"max_len": self.max_len, "dim": self.dim})


# %% check="grade-learned-layer" answer="learned positions left out in training"
# says: all else that depends on `training`
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def call(self, inputs, training=None):
        if training:
            return inputs
        return super().call(inputs)


# %% check="grade-learned-layer" answer="a weight that is made an array of NumPy"
# notes: a tensor that has no value yet
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def call(self, inputs):
        n = inputs.shape[1]
        if n is not None and n > self.max_len:
            raise ValueError(f"seq_len={n} is more than max_len={self.max_len}")
        return inputs + ops.convert_to_numpy(self.table)[:n]


# %% check="grade-learned-layer" answer="a weight's shape as two arguments"
# says: a shape as one tuple
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.table = self.add_weight(max_len, dim)
    def call(self, inputs):
        return inputs + self.table[:inputs.shape[1]]


# %% check="grade-sinusoidal-table" answer="rates that are laid end to end"
# says: or is the whole row of angles repeated
def positional_encoding(max_len, dim, base=10000.0):
    angles = np.arange(max_len)[:, None] * np.tile(angle_rates(dim, base), 2)
    return np.where(np.arange(dim) % 2 == 0, np.sin(angles), np.cos(angles))


# %% check="grade-sinusoidal-table" answer="rates that use no base"
# says: Is it handed on to `angle_rates`, and does that use it
def angle_rates(dim, base=10000.0):
    return 10000.0 ** (-2 * np.arange(dim // 2) / dim)


# %% check="grade-dot-products" answer="products that aren't summed, in a list"
# says: a list of 3 arrays came back
# says: It is one number for each row and its partner
def dot_products_at_offset(pe, offset):
    return [pe[p] * pe[p + offset] for p in range(len(pe) - offset)]


# %% check="grade-sinusoidal-table" answer="sines and cosines in a pair"
# says: Does your `return` name several
def positional_encoding(max_len, dim, base=10000.0):
    angles = np.outer(np.arange(max_len), angle_rates(dim, base))
    return np.sin(angles), np.cos(angles)


# %% check="grade-sinusoidal-table" answer="what is joined, without brackets"
# says: What is joined goes in as one list
def positional_encoding(max_len, dim, base=10000.0):
    angles = np.outer(np.arange(max_len), angle_rates(dim, base))
    return np.stack(np.sin(angles), np.cos(angles), axis=-1)
