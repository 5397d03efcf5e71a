# %% [markdown]
# attention of four dense layers, normalisation by hand, masks by where; a model that is not built before its first
# call


# %% carry_over=true
class PositionalEncoding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        i = np.arange(dim)
        angles = np.arange(max_len)[:, None] / 10000 ** (2 * (i // 2) / dim)
        self.table = np.where(i % 2 == 0, np.sin(angles), np.cos(angles)).astype("float32")

    def call(self, inputs):
        return inputs + ops.convert_to_tensor(self.table[None, : inputs.shape[1]])

class Norm(keras.layers.Layer):
    def build(self, shape):
        self.gain = self.add_weight(shape=(shape[-1],), initializer="ones", name="gain")
        self.shift = self.add_weight(shape=(shape[-1],), initializer="zeros", name="shift")

    def call(self, x):
        mean = ops.mean(x, axis=-1, keepdims=True)
        variance = ops.mean(ops.square(x - mean), axis=-1, keepdims=True)
        return self.gain * (x - mean) / ops.sqrt(variance + 1e-6) + self.shift

class Attention(keras.layers.Layer):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.mix, self.v, self.k, self.q = (keras.layers.Dense(d_model) for _ in range(4))

    def compute_mask(self, *args, **kwargs):
        return None

    def call(self, query, memory, hidden=None):
        def heads(x):
            batch, length, width = ops.shape(x)
            return ops.transpose(ops.reshape(x, (batch, length, self.h, width // self.h)), (0, 2, 1, 3))

        q, k, v = heads(self.q(query)), heads(self.k(memory)), heads(self.v(memory))
        scores = ops.matmul(q, ops.transpose(k, (0, 1, 3, 2))) / np.sqrt(q.shape[-1])
        if hidden is not None:
            scores = ops.where(ops.cast(hidden, "bool"), -1e9, scores)
        out = ops.transpose(ops.matmul(ops.softmax(scores, axis=-1), v), (0, 2, 1, 3))
        batch, length, h, width = ops.shape(out)
        return self.mix(ops.reshape(out, (batch, length, h * width)))

class Block(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout, norm_first, attentions):
        super().__init__()
        self.norm_first = norm_first
        self.lower = keras.layers.Dense(d_model)
        self.upper = keras.layers.Dense(ff_dim, activation="relu")
        self.attentions = [Attention(d_model, num_heads) for _ in range(attentions)]
        self.norms = [Norm() for _ in range(attentions + 1)]
        self.drop = keras.layers.Dropout(dropout)

    def compute_mask(self, *args, **kwargs):
        return None

    def sublayer(self, i, x, function):
        if self.norm_first:
            return x + self.drop(function(self.norms[i](x)))
        return self.norms[i](x + self.drop(function(x)))

class EncoderBlock(Block):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True):
        super().__init__(d_model, num_heads, ff_dim, dropout, norm_first, 1)

    def call(self, x, mask=None):
        x = self.sublayer(0, x, lambda y: self.attentions[0](y, y, mask))
        return self.sublayer(1, x, lambda y: self.lower(self.upper(y)))

class DecoderBlock(Block):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True):
        super().__init__(d_model, num_heads, ff_dim, dropout, norm_first, 2)

    def call(self, x, memory, self_mask=None, memory_mask=None):
        x = self.sublayer(0, x, lambda y: self.attentions[1](y, y, self_mask))
        x = self.sublayer(1, x, lambda y: self.attentions[0](y, memory, memory_mask))
        return self.sublayer(2, x, lambda y: self.lower(self.upper(y)))

def padding(ids):
    return ops.cast(ops.equal(ids, 0), "float32")[:, None, None, :]

def future(size):
    return np.triu(np.ones((size, size), "float32"), 1)


# %% task="continuous-model"
class Signal(keras.Model):
    def __init__(self, dim, *sizes, encoders, decoders):
        super().__init__()
        self.encoders = [EncoderBlock(dim, *sizes) for _ in range(encoders)]
        self.decoders = [DecoderBlock(dim, *sizes) for _ in range(decoders)]
        self.last = keras.layers.Dense(dim)

    def call(self, inputs):
        memory, x = inputs
        for block in self.encoders:
            memory = block(memory)
        for block in self.decoders:
            x = block(x, memory, future(x.shape[1]))
        return self.last(x)

def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    return Signal(dim, num_heads, ff_dim, dropout, encoders=num_encoder_blocks, decoders=num_decoder_blocks)


# %% task="token-model"
class Translator(keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, *sizes, norm_first, tie_weights):
        super().__init__()
        self.decoders = [DecoderBlock(d_model, *sizes, norm_first) for _ in range(num_layers)]
        self.encoders = [EncoderBlock(d_model, *sizes, norm_first) for _ in range(num_layers)]
        self.tables = [keras.layers.Embedding(vocab_size, d_model) for _ in range(1 if tie_weights else 2)]
        self.output_layer = None if tie_weights else keras.layers.Dense(vocab_size)
        self.norms = [Norm(), Norm()] if norm_first else None
        self.drop = keras.layers.Dropout(sizes[-1])
        self.positions = PositionalEncoding(max_len, d_model)
        self.scale = d_model ** 0.5

    def call(self, inputs):
        source, target = inputs
        x = self.drop(self.positions(self.tables[0](source) * self.scale))
        for block in self.encoders:
            x = block(x, padding(source))
        x = self.norms[0](x) if self.norms else x
        y = self.drop(self.positions(self.tables[-1](target) * self.scale))
        hidden = ops.maximum(padding(target), future(target.shape[1]))
        for block in self.decoders:
            y = block(y, x, hidden, padding(source))
        y = self.norms[1](y) if self.norms else y
        if self.output_layer is None:
            return ops.matmul(y, ops.transpose(ops.convert_to_tensor(self.tables[0].embeddings)))
        return self.output_layer(y)

def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    return Translator(
        vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first=norm_first, tie_weights=tie_weights
    )
