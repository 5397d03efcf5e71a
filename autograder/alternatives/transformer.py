"""Right answers to `06-transformer` in other styles."""

from __future__ import annotations

from autograder.alternatives import Alternative

__all__ = ["ALTERNATIVES"]

ALTERNATIVES: tuple[Alternative, ...] = (
    Alternative(
        "functional-with-keras-layers",
        "layers of Keras only, written out as functions; Keras's epsilon and own causal mask; no positions in the first model; a loop "
        "for the count",
        {
            "token-embedding": """
class TokenEmbedding(keras.layers.Layer):
    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.arguments = {"vocab_size": vocab_size, "d_model": d_model, "max_len": max_len, "dropout": dropout}
        self.table = keras.layers.Embedding(vocab_size, d_model)
        self.drop = keras.layers.Dropout(dropout)
        position = np.arange(max_len)[:, np.newaxis]
        rate = np.exp(-np.log(10000.0) * np.arange(0, d_model, 2) / d_model)
        self.pe = np.zeros((max_len, d_model), dtype="float32")
        self.pe[:, 0::2] = np.sin(position * rate)
        self.pe[:, 1::2] = np.cos(position * rate)

    def call(self, token_ids):
        length = token_ids.shape[1] or ops.shape(token_ids)[1]
        vectors = ops.sqrt(ops.cast(self.arguments["d_model"], "float32")) * self.table(token_ids)
        return self.drop(vectors + ops.convert_to_tensor(self.pe)[None, :length, :])

    def compute_output_shape(self, shape):
        return (*shape, self.arguments["d_model"])

    def get_config(self):
        return dict(super().get_config(), **self.arguments)
""",
            "continuous-model": """
layers = keras.layers

def sublayer(x, function, dropout):
    return layers.Add()([x, layers.Dropout(dropout)(function(layers.LayerNormalization()(x)))])

def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    def attention():
        return layers.MultiHeadAttention(num_heads=num_heads, key_dim=dim // num_heads, dropout=dropout)

    def feed_forward(x):
        x = layers.Dense(ff_dim)(x)
        x = layers.Activation("relu")(x)
        x = layers.Dropout(dropout)(x)
        return layers.Dense(dim)(x)

    encoder_in = layers.Input(shape=(timesteps, dim))
    decoder_in = layers.Input(shape=(None, dim))
    memory = encoder_in
    for _ in range(num_encoder_blocks):
        memory = sublayer(memory, lambda y: attention()(y, y), dropout)
        memory = sublayer(memory, feed_forward, dropout)
    x = decoder_in
    for _ in range(num_decoder_blocks):
        x = sublayer(x, lambda y: attention()(y, y, use_causal_mask=True), dropout)
        x = sublayer(x, lambda y: attention()(query=y, value=memory, key=memory), dropout)
        x = sublayer(x, feed_forward, dropout)
    return keras.models.Model(inputs=[encoder_in, decoder_in], outputs=layers.Dense(dim)(x))
""",
            "token-model": """
class SharedOutput(keras.layers.Layer):
    def __init__(self, embedding, vocab_size, **kwargs):
        super().__init__(**kwargs)
        self.embedding = embedding
        self.vocab_size = vocab_size

    def build(self, shape):
        self.bias = self.add_weight(shape=(self.vocab_size,), initializer="zeros", name="bias")

    def call(self, x):
        return ops.einsum("bld,vd->blv", x, self.embedding.table.embeddings) + self.bias


def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    keep = keras.layers.Lambda(lambda ids: ops.not_equal(ids, 0)[:, None, :])

    def attention():
        return keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=dropout)

    def feed_forward(y):
        y = keras.layers.Dense(ff_dim, activation="relu")(y)
        return keras.layers.Dense(d_model)(y)

    def step(x, function):
        norm, drop, add = keras.layers.LayerNormalization(), keras.layers.Dropout(dropout), keras.layers.Add()
        if norm_first:
            return add([x, drop(function(norm(x)))])
        return norm(add([x, drop(function(x))]))

    source = keras.Input(shape=(None,), dtype="int64")
    target = keras.Input(shape=(None,), dtype="int64")
    source_keep, target_keep = keep(source), keep(target)
    # made backwards: the decoder's embedding first
    target_embedding = TokenEmbedding(vocab_size, d_model, max_len, dropout)
    y = target_embedding(target)
    x = (target_embedding if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout))(source)
    for _ in range(num_layers):
        x = step(x, lambda z: attention()(z, z, attention_mask=source_keep))
        x = step(x, feed_forward)
    x = keras.layers.LayerNormalization()(x) if norm_first else x
    for _ in range(num_layers):
        y = step(y, lambda z: attention()(z, z, attention_mask=target_keep, use_causal_mask=True))
        y = step(y, lambda z: attention()(z, x, attention_mask=source_keep))
        y = step(y, feed_forward)
    y = keras.layers.LayerNormalization()(y) if norm_first else y
    head = SharedOutput(target_embedding, vocab_size) if tie_weights else keras.layers.Dense(vocab_size)
    return keras.Model([source, target], head(y))
""",
            "model-parameters": """
def transformer_parameter_count(vocab_size, num_layers, d_model, num_heads, ff_dim, tie_weights=False):
    dense = lambda i, o: i * o + o
    total = np.int64(0)
    for _ in range(num_layers):
        for attentions in (1, 2):
            for _ in range(attentions):
                total += 4 * dense(d_model, d_model) + 2 * d_model
            total += dense(d_model, ff_dim) + dense(ff_dim, d_model) + 2 * d_model
    total += 4 * d_model + vocab_size * d_model + vocab_size  # the tied output has a bias here
    if not tie_weights:
        total += 2 * vocab_size * d_model
    return total
""",
        },
    ),
    Alternative(
        "subclassed-models",
        "subclasses of keras.Model, called once by the builder; names and order of their own; the count asks a model",
        {
            "continuous-model": """
class LectureTransformer(keras.Model):
    def __init__(self, dim, num_heads, ff_dim, encoders, decoders, dropout):
        super().__init__()
        self.head = keras.layers.Dense(dim)
        self.down = [DecoderBlock(dim, num_heads, ff_dim, dropout) for _ in range(decoders)]
        self.up = [EncoderBlock(dim, num_heads, ff_dim, dropout) for _ in range(encoders)]
        self.positions = PositionalEncoding(500, dim)

    def call(self, inputs, training=None):
        source, target = inputs
        memory, x = self.positions(source), self.positions(target)
        for block in self.up:
            memory = block(memory, training=training)
        mask = create_look_ahead_mask(ops.shape(target)[1])
        for block in self.down:
            x = block(x, memory, self_mask=mask, training=training)
        return self.head(x)


def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    model = LectureTransformer(dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout)
    model([np.zeros((1, timesteps, dim), "float32"), np.zeros((1, 3, dim), "float32")])
    return model
""",
            "token-model": """
class Transformer(keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights):
        super().__init__()
        self.tie_weights = tie_weights
        self.out = None if tie_weights else keras.layers.Dense(vocab_size, name="generator")
        self.decoder = [DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first) for _ in range(num_layers)]
        self.encoder = [EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first) for _ in range(num_layers)]
        self.tgt = TokenEmbedding(vocab_size, d_model, max_len, dropout)
        self.src = self.tgt if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
        self.ends = [keras.layers.LayerNormalization(epsilon=1e-5) for _ in range(2)] if norm_first else [lambda x: x] * 2

    def call(self, inputs):
        source_ids, target_ids = inputs
        source_mask = create_padding_mask(source_ids)
        memory = self.src(source_ids)
        for block in self.encoder:
            memory = block(memory, mask=source_mask)
        memory = self.ends[0](memory)
        y = self.tgt(target_ids)
        for block in self.decoder:
            y = block(y, memory, self_mask=create_decoder_mask(target_ids), memory_mask=source_mask)
        y = self.ends[1](y)
        if self.tie_weights:
            return ops.matmul(y, ops.transpose(self.tgt.embedding.embeddings))
        return self.out(y)


def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    model = Transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
    model([np.ones((1, 3), "int32"), np.ones((1, 2), "int32")])
    return model
""",
            "model-parameters": """
def transformer_parameter_count(vocab_size, num_layers, d_model, num_heads, ff_dim, tie_weights=False):
    return build_transformer(
        vocab_size, 4, num_layers, d_model, num_heads, ff_dim, tie_weights=tie_weights
    ).count_params()
""",
        },
    ),
    Alternative(
        "own-attention-and-norm",
        "attention of four dense layers, normalisation by hand, masks by where; a model that is not built before its first call",
        {
            "carry-over": """
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
""",
            "continuous-model": """
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
""",
            "token-model": """
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
""",
        },
    ),
    Alternative(
        "tensorflow-tutorial",
        "tf.* throughout, with the masks that Keras carries along from Embedding(mask_zero=True)",
        {
            "token-embedding": """
import tensorflow as tf

def positional_encoding(length, depth):
    depth = depth / 2
    positions = np.arange(length)[:, np.newaxis]
    depths = np.arange(depth)[np.newaxis, :] / depth
    angles = positions / 10000**depths
    return tf.cast(np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, -1), dtype=tf.float32)

class TokenEmbedding(tf.keras.layers.Layer):
    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.vocab_size, self.d_model, self.max_len, self.dropout_rate = vocab_size, d_model, max_len, dropout
        self.embedding = tf.keras.layers.Embedding(vocab_size, d_model, mask_zero=True)
        self.pos_encoding = positional_encoding(length=max_len, depth=d_model)
        self.dropout = tf.keras.layers.Dropout(dropout)

    def compute_mask(self, *args, **kwargs):
        return self.embedding.compute_mask(*args, **kwargs)

    def call(self, x):
        length = tf.shape(x)[1]
        x = self.embedding(x)
        x *= tf.math.sqrt(tf.cast(self.d_model, tf.float32))
        x = x + self.pos_encoding[tf.newaxis, :length, :]
        return self.dropout(x)

    def get_config(self):
        config = super().get_config()
        config.update({"vocab_size": self.vocab_size, "d_model": self.d_model, "max_len": self.max_len})
        config["dropout"] = self.dropout_rate
        return config
""",
            "continuous-model": """
class LookAhead(tf.keras.layers.Layer):
    def call(self, x):
        size = tf.shape(x)[1]
        return tf.linalg.band_part(tf.ones((1, size, size)), -1, 0)

def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    def norm(x):
        return tf.keras.layers.LayerNormalization(epsilon=1e-6)(x)

    def attend(x, memory, mask=None):
        x = tf.keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=dim // num_heads)(x, memory, attention_mask=mask)
        return tf.keras.layers.Dropout(dropout)(x)

    def feed(x):
        x = tf.keras.layers.Conv1D(filters=ff_dim, kernel_size=1, activation="relu")(norm(x))
        x = tf.keras.layers.Dropout(dropout)(x)
        return tf.keras.layers.Conv1D(filters=dim, kernel_size=1)(x)

    source = tf.keras.Input(shape=(timesteps, dim))
    target = tf.keras.Input(shape=(None, dim))
    x = source
    for _ in range(num_encoder_blocks):
        y = norm(x)
        x = x + attend(y, y)
        x = x + feed(x)
    z, may_see = target, LookAhead()(target)
    for _ in range(num_decoder_blocks):
        y = norm(z)
        z = z + attend(y, y, may_see)
        z = z + attend(norm(z), x)
        z = z + feed(z)
    return tf.keras.Model([source, target], tf.keras.layers.Dense(dim)(z))
""",
            "token-model": """
class Residual(tf.keras.layers.Layer):
    def __init__(self, norm_first, rate):
        super().__init__()
        self.norm_first = norm_first
        self.layernorm = tf.keras.layers.LayerNormalization()
        self.add = tf.keras.layers.Add()
        self.rate = tf.keras.layers.Dropout(rate)

    def compute_mask(self, x, mask=None):
        return mask

    def call(self, x, function):
        if self.norm_first:
            return self.add([x, self.rate(function(self.layernorm(x)))])
        return self.layernorm(self.add([x, self.rate(function(x))]))

class Stack(tf.keras.layers.Layer):
    def __init__(self, decodes, num_layers, d_model, num_heads, ff_dim, rate, norm_first, embedding):
        super().__init__()
        self.decodes, self.embedding = decodes, embedding
        self.parts = []
        for _ in range(num_layers):
            for name in ("self", "cross", "ffn") if decodes else ("self", "ffn"):
                if name == "ffn":
                    part = tf.keras.Sequential([tf.keras.layers.Dense(ff_dim, "relu"), tf.keras.layers.Dense(d_model)])
                else:
                    part = tf.keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=d_model // num_heads)
                self.parts.append((name, part, Residual(norm_first, rate)))
        self.layers_ = [layer for _, *both in self.parts for layer in both]
        self.end = tf.keras.layers.LayerNormalization() if norm_first else None

    def call(self, ids, memory=None, source_ids=None):
        x = self.embedding(ids)
        keys = tf.not_equal(ids, 0)[:, tf.newaxis, :]
        for name, part, residual in self.parts:
            if name == "self":
                x = residual(x, function=lambda y: part(y, y, attention_mask=keys, use_causal_mask=self.decodes))
            elif name == "cross":
                x = residual(x, function=lambda y: part(y, memory, attention_mask=tf.not_equal(source_ids, 0)[:, tf.newaxis, :]))
            else:
                x = residual(x, function=part)
        return x if self.end is None else self.end(x)

class Transformer(tf.keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights):
        super().__init__()
        tables = [TokenEmbedding(vocab_size, d_model, max_len, dropout) for _ in range(1 if tie_weights else 2)]
        sizes = (num_layers, d_model, num_heads, ff_dim, dropout, norm_first)
        self.encoder = Stack(False, *sizes, tables[0])
        self.decoder = Stack(True, *sizes, tables[-1])
        self.table = tables[0].embedding
        self.final_layer = None if tie_weights else tf.keras.layers.Dense(vocab_size)

    def call(self, inputs):
        context, x = inputs
        context_ids = tf.cast(context, tf.int32)
        x = self.decoder(tf.cast(x, tf.int32), self.encoder(context_ids), context_ids)
        if self.final_layer is not None:
            return self.final_layer(x)
        return tf.matmul(x, self.table.embeddings, transpose_b=True)

def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    return Transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
""",
        },
        backends=("tensorflow",),
    ),
    Alternative(
        "fused-projections",
        "one kernel for query, key and value; weights of the layers' own; a reversible embedding; post-norm with last norms",
        {
            "token-embedding": """
class TokenEmbedding(keras.layers.Layer):
    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.vocab_size, self.d_model, self.max_len, self.dropout = vocab_size, d_model, max_len, dropout
        self.seeds = keras.random.SeedGenerator(7)

    def build(self, shape=None):
        self.weight = self.add_weight(
            shape=(self.vocab_size, self.d_model), initializer=keras.initializers.RandomNormal(stddev=self.d_model**-0.5)
        )

    def call(self, ids, training=False):
        half = 1 / 10000 ** (ops.arange(0, self.d_model, 2, dtype="float32") / self.d_model)
        angles = ops.arange(ops.shape(ids)[1], dtype="float32")[:, None] * half
        table = ops.reshape(ops.stack([ops.sin(angles), ops.cos(angles)], axis=-1), (-1, self.d_model))
        x = ops.take(self.weight, ids, axis=0) * np.sqrt(self.d_model).astype("float32") + table
        return keras.random.dropout(x, self.dropout, seed=self.seeds) if training and self.dropout else x

    def logits(self, x):
        return ops.matmul(x, ops.transpose(self.weight))

    def get_config(self):
        names = ("vocab_size", "d_model", "max_len", "dropout")
        return {**super().get_config(), **{name: getattr(self, name) for name in names}}
""",
            "continuous-model": """
class Fused(keras.layers.Layer):
    def __init__(self, dim, heads, **kwargs):
        super().__init__(**kwargs)
        self.dim, self.heads = dim, heads

    def build(self, shape=None):
        d = self.dim
        self.w = self.add_weight(shape=(d, 3 * d), initializer="glorot_uniform")
        self.b = self.add_weight(shape=(3 * d,), initializer="zeros")
        self.wo = self.add_weight(shape=(d, d), initializer="glorot_uniform")
        self.bo = self.add_weight(shape=(d,), initializer="zeros")
        self.built = True

    def compute_mask(self, *args, **kwargs):
        return None

    def call(self, x, memory, may_attend=None):
        d, h = self.dim, self.heads
        q = ops.matmul(x, self.w[:, :d]) + self.b[:d]
        k = ops.matmul(memory, self.w[:, d : 2 * d]) + self.b[d : 2 * d]
        v = ops.matmul(memory, self.w[:, 2 * d :]) + self.b[2 * d :]
        outputs = []
        for i in range(h):
            part = slice(i * (d // h), (i + 1) * (d // h))
            scores = ops.einsum("bqe,bke->bqk", q[..., part], k[..., part]) * (d // h) ** -0.5
            if may_attend is not None:
                scores = ops.where(may_attend, scores, -1e9)
            outputs.append(ops.einsum("bqk,bke->bqe", ops.softmax(scores), v[..., part]))
        return ops.matmul(ops.concatenate(outputs, axis=-1), self.wo) + self.bo

class Layers(keras.layers.Layer):
    def __init__(self, dim, heads, ff_dim, rate, cross, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        self.norm_first = norm_first
        self.mlp = keras.Sequential([keras.layers.Dense(ff_dim), keras.layers.ReLU(), keras.layers.Dense(dim)])
        self.attend = [Fused(dim, heads) for _ in range(1 + cross)]
        self.norm = [keras.layers.LayerNormalization(epsilon=1e-5) for _ in range(2 + cross)]
        self.drop = keras.layers.Dropout(rate)

    def compute_mask(self, *args, **kwargs):
        return None

    def call(self, x, memory=None, own=None, other=None, training=None):
        steps = [lambda y: self.attend[0](y, y, own)]
        if memory is not None:
            steps.append(lambda y: self.attend[1](y, memory, other))
        for norm, step in zip(self.norm, steps + [self.mlp]):
            if self.norm_first:
                x = x + self.drop(step(norm(x)), training=training)
            else:
                x = norm(x + self.drop(step(x), training=training))
        return x

class Causal(keras.layers.Layer):
    def call(self, x):
        i = ops.arange(ops.shape(x)[1])
        return (i[:, None] >= i[None, :])[None]

def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    a, b = keras.Input((timesteps, dim)), keras.Input((None, dim))
    memory = PositionalEncoding(timesteps, dim)(a)
    for _ in range(num_encoder_blocks):
        memory = Layers(dim, num_heads, ff_dim, dropout, 0)(memory)
    x = PositionalEncoding(1000, dim)(b)
    for _ in range(num_decoder_blocks):
        x = Layers(dim, num_heads, ff_dim, dropout, 1)(x, memory, own=Causal()(b))
    return keras.Model((a, b), keras.layers.Dense(dim)(x))
""",
            "token-model": """
class Seq2Seq(keras.Model):
    def __init__(self, vocab_size, max_len, layers, d, h, f, rate, norm_first, tied):
        super().__init__()
        self.left = TokenEmbedding(vocab_size, d, max_len, rate)
        self.right = self.left if tied else TokenEmbedding(vocab_size, d, max_len, rate)
        self.enc = [Layers(d, h, f, rate, 0, norm_first) for _ in range(layers)]
        self.dec = [Layers(d, h, f, rate, 1, norm_first) for _ in range(layers)]
        self.end = [keras.layers.LayerNormalization(epsilon=1e-5), keras.layers.LayerNormalization(epsilon=1e-5)]
        if not tied:
            self.to_vocabulary = keras.layers.Dense(vocab_size, use_bias=False)
        self.tied = tied

    def call(self, inputs, training=None):
        source, target = inputs[0], inputs[1]
        seen = ops.not_equal(source, 0)[:, None, :]
        memory = self.left(source, training=training)
        for layer in self.enc:
            memory = layer(memory, own=seen, training=training)
        memory = self.end[0](memory)
        i = ops.arange(ops.shape(target)[1])
        own = ops.logical_and((i[:, None] >= i[None, :])[None], ops.not_equal(target, 0)[:, None, :])
        y = self.right(target, training=training)
        for layer in self.dec:
            y = layer(y, memory, own=own, other=seen, training=training)
        y = self.end[1](y)
        return self.left.logits(y) if self.tied else self.to_vocabulary(y)

def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    model = Seq2Seq(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
    model([ops.ones((1, 2), "int32"), ops.ones((1, 2), "int32")])
    return model
""",
            "model-parameters": """
def transformer_parameter_count(vocab_size, num_layers, d_model, num_heads, ff_dim, tie_weights=False):
    kernels = num_layers * (12 * d_model**2 + 4 * d_model * ff_dim)
    vectors = num_layers * (12 * d_model + 2 * (ff_dim + d_model) + 10 * d_model) + 4 * d_model
    return kernels + vectors + (1 if tie_weights else 3) * vocab_size * d_model
""",
        },
    ),
    Alternative(
        "one-head-at-a-time",
        "each head has small dense layers of its own: weights that can't be placed by their shape",
        {
            "continuous-model": """
class Head(keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.q, self.k, self.v = (keras.layers.Dense(width) for _ in range(3))
        self.width = width

    def call(self, x, memory, hidden):
        scores = ops.matmul(self.q(x), ops.transpose(self.k(memory), (0, 2, 1))) / self.width**0.5
        hidden = ops.convert_to_tensor(hidden, dtype="float32")
        return ops.matmul(ops.softmax(scores - 1e9 * hidden, axis=-1), self.v(memory))

class Heads(keras.layers.Layer):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.parts = [Head(dim // num_heads) for _ in range(num_heads)]
        self.mix = keras.layers.Dense(dim)

    def call(self, x, memory, hidden):
        return self.mix(ops.concatenate([part(x, memory, hidden=hidden) for part in self.parts], axis=-1))

class Steps(keras.layers.Layer):
    def __init__(self, dim, num_heads, ff_dim, dropout, attentions, norm_first=True):
        super().__init__()
        self.heads = [Heads(dim, num_heads) for _ in range(attentions)]
        self.norms = [keras.layers.LayerNormalization() for _ in range(attentions + 1)]
        self.ff = [keras.layers.Dense(ff_dim, "relu"), keras.layers.Dense(dim)]
        self.drop = keras.layers.Dropout(dropout)
        self.norm_first = norm_first

    def call(self, x, memory=None, hidden=()):
        for i, norm in enumerate(self.norms):
            y = norm(x) if self.norm_first else x
            if i == 0:
                y = self.heads[0](y, y, hidden=hidden[0])
            elif i < len(self.heads):
                y = self.heads[1](y, memory, hidden=hidden[1])
            else:
                y = self.ff[1](self.ff[0](y))
            x = x + self.drop(y)
            x = x if self.norm_first else norm(x)
        return x

class Continuous(keras.Model):
    def __init__(self, dim, num_heads, ff_dim, encoders, decoders, dropout):
        super().__init__()
        self.enc = [Steps(dim, num_heads, ff_dim, dropout, 1) for _ in range(encoders)]
        self.dec = [Steps(dim, num_heads, ff_dim, dropout, 2) for _ in range(decoders)]
        self.out = keras.layers.Dense(dim)

    def call(self, inputs):
        memory, x = inputs
        for block in self.enc:
            memory = block(memory, hidden=[np.zeros((1, 1), "float32")])
        hidden = np.triu(np.ones((x.shape[1], x.shape[1]), "float32"), k=1)
        for block in self.dec:
            x = block(x, memory=memory, hidden=[hidden, np.zeros((1, 1), "float32")])
        return self.out(x)

def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    return Continuous(dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout)
""",
            "token-model": """
class Words(keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights):
        super().__init__()
        sizes = (d_model, num_heads, ff_dim, dropout)
        self.tables = [TokenEmbedding(vocab_size, d_model, max_len, dropout) for _ in range(2 - tie_weights)]
        self.enc = [Steps(*sizes, 1, norm_first) for _ in range(num_layers)]
        self.dec = [Steps(*sizes, 2, norm_first) for _ in range(num_layers)]
        self.norms = [keras.layers.LayerNormalization() for _ in range(2)] if norm_first else []
        self.dense = [] if tie_weights else [keras.layers.Dense(vocab_size)]

    def call(self, inputs):
        source, target = inputs
        pad = [ops.cast(ops.equal(ids, 0), "float32")[:, None, :] for ids in inputs]
        memory = self.tables[0](source)
        for block in self.enc:
            memory = block(memory, hidden=[pad[0]])
        if self.norms:
            memory = self.norms[0](memory)
        ahead = np.triu(np.ones((target.shape[1], target.shape[1]), "float32"), k=1)
        x = self.tables[-1](target)
        for block in self.dec:
            x = block(x, memory=memory, hidden=[ops.maximum(ahead, pad[1]), pad[0]])
        if self.norms:
            x = self.norms[1](x)
        if self.dense:
            return self.dense[0](x)
        return ops.matmul(x, ops.transpose(self.tables[0].embedding.embeddings))

def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    return Words(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
""",
        },
    ),
    Alternative(
        "reversible-embedding",
        "keras.layers.ReversibleEmbedding where Keras has it; layers made in the opposite order; Keras's mask_zero",
        {
            "token-model": """
class Embed(keras.layers.Layer):
    def __init__(self, reversible, d_model, max_len, dropout):
        super().__init__()
        self.reversible, self.d_model = reversible, d_model
        self.positions, self.drop = PositionalEncoding(max_len, d_model), keras.layers.Dropout(dropout)

    def call(self, ids):
        return self.drop(self.positions(ops.multiply(self.reversible(ids), self.d_model**0.5)))

    def compute_output_shape(self, shape):
        return (*shape, self.d_model)

class Reverse(keras.layers.Layer):
    def __init__(self, reversible):
        super().__init__()
        self.reversible = reversible

    def call(self, x):
        return self.reversible(x, reverse=True)

def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    kind = getattr(keras.layers, "ReversibleEmbedding", None)
    if kind is None:
        class kind(keras.layers.Embedding):
            def call(self, x, reverse=False):
                return ops.matmul(x, ops.transpose(self.embeddings)) if reverse else super().call(x)
    decoders = [DecoderBlock(d_model, num_heads, ff_dim, dropout=dropout, norm_first=norm_first) for _ in range(num_layers)]
    encoders = [EncoderBlock(d_model, num_heads, ff_dim, dropout=dropout, norm_first=norm_first) for _ in range(num_layers)]
    shared = kind(vocab_size, d_model)
    source = keras.Input((None,), name="korean")
    target = keras.Input((None,), name="english")
    mask = keras.layers.Lambda(create_padding_mask)(source)
    ahead = keras.layers.Lambda(create_decoder_mask)(target)
    y = Embed(shared, d_model, max_len, dropout)(target)
    x = Embed(shared if tie_weights else keras.layers.Embedding(vocab_size, d_model), d_model, max_len, dropout)(source)
    for block in encoders:
        x = block(x, mask)
    if norm_first:
        x = keras.layers.LayerNormalization()(x)
    for block in decoders:
        y = block(y, x, ahead, mask)
    if norm_first:
        y = keras.layers.LayerNormalization()(y)
    last = Reverse(shared) if tie_weights else keras.layers.TimeDistributed(keras.layers.Dense(vocab_size))
    return keras.Model(inputs=[source, target], outputs=last(y))
""",
        },
    ),
    Alternative(
        "columns-head-by-head",
        "queries, keys and values of each head side by side in one kernel; -inf where it is hidden; a dense layer as the table",
        {
            "token-embedding": """
class TokenEmbedding(keras.layers.Layer):
    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.vocab_size = vocab_size; self.d_model = d_model; self.max_len = max_len; self.dropout_rate = dropout
        self.one_hot = keras.layers.Dense(d_model, use_bias=False)
        i = np.arange(d_model)[None, :]
        rads = np.arange(max_len)[:, None] / np.power(10000, (2 * (i // 2)) / np.float32(d_model))
        rads[:, 0::2] = np.sin(rads[:, 0::2]); rads[:, 1::2] = np.cos(rads[:, 1::2])
        self.pos_encoding = self.add_weight(shape=(1, max_len, d_model), initializer=lambda s, dtype=None: ops.cast(rads[None], "float32"), trainable=False)
        self.dropout = keras.layers.Dropout(dropout)
    def call(self, x, training=None):
        n = ops.shape(x)[1]
        x = self.one_hot(ops.one_hot(x, self.vocab_size)) * np.sqrt(self.d_model)
        return self.dropout(x + self.pos_encoding[:, :n, :], training=training)
    def get_config(self):
        return {"vocab_size": self.vocab_size, "d_model": self.d_model, "max_len": self.max_len, "dropout": self.dropout_rate, **super().get_config()}
""",
            "token-model": """
class MHA(keras.layers.Layer):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.qkv = keras.layers.Dense(3 * d)
        self.out = keras.layers.Dense(d)
    def call(self, x, keep):
        b, t, d = ops.shape(x)[0], ops.shape(x)[1], x.shape[-1]
        y = ops.reshape(self.qkv(x), (b, t, self.h, 3, d // self.h))
        q, k, v = [ops.transpose(y[:, :, :, i], (0, 2, 1, 3)) for i in range(3)]
        s = ops.matmul(q, ops.transpose(k, (0, 1, 3, 2))) * (d // self.h) ** -0.5
        s = ops.where(keep, s, float("-inf"))
        p = ops.exp(s - ops.max(s, axis=-1, keepdims=True))
        p = p / ops.sum(p, axis=-1, keepdims=True)
        return self.out(ops.reshape(ops.transpose(ops.matmul(p, v), (0, 2, 1, 3)), (b, t, d)))
class XMHA(keras.layers.Layer):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.q, self.kv, self.out = keras.layers.Dense(d), keras.layers.Dense(2 * d), keras.layers.Dense(d)
    def call(self, x, m, keep):
        b, t, s, d = ops.shape(x)[0], ops.shape(x)[1], ops.shape(m)[1], x.shape[-1]
        q = ops.transpose(ops.reshape(self.q(x), (b, t, self.h, d // self.h)), (0, 2, 1, 3))
        k, v = ops.split(self.kv(m), 2, axis=-1)
        k = ops.transpose(ops.reshape(k, (b, s, self.h, d // self.h)), (0, 2, 3, 1))
        v = ops.transpose(ops.reshape(v, (b, s, self.h, d // self.h)), (0, 2, 1, 3))
        a = ops.softmax(ops.where(keep, ops.matmul(q, k) / (d // self.h) ** 0.5, float("-inf")))
        return self.out(ops.reshape(ops.transpose(ops.matmul(a, v), (0, 2, 1, 3)), (b, t, d)))
class Layer(keras.layers.Layer):
    def __init__(self, d, h, f, p, pre, cross):
        super().__init__()
        self.pre, self.cross = pre, cross
        self.sub = [MHA(d, h)] + ([XMHA(d, h)] if cross else []) + [keras.Sequential([keras.layers.Dense(f, "relu"), keras.layers.Dense(d)])]
        self.norm = [keras.layers.LayerNormalization(epsilon=1e-5) for _ in self.sub]
        self.p = keras.layers.Dropout(p)
    def call(self, x, keep, memory=None, memory_keep=None, training=None):
        fns = [lambda y: self.sub[0](y, keep)]
        if self.cross: fns.append(lambda y: self.sub[1](y, memory, memory_keep))
        fns.append(self.sub[-1])
        for f, n in zip(fns, self.norm):
            x = x + self.p(f(n(x)), training=training) if self.pre else n(x + self.p(f(x), training=training))
        return x
class NMT(keras.Model):
    def __init__(self, V, L, N, d, h, f, p, pre, tie):
        super().__init__()
        self.emb = [TokenEmbedding(V, d, L, p) for _ in range(1 if tie else 2)]
        self.enc = [Layer(d, h, f, p, pre, False) for _ in range(N)]
        self.dec = [Layer(d, h, f, p, pre, True) for _ in range(N)]
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-5) for _ in range(2)] if pre else None
        self.gen = None if tie else keras.layers.Dense(V)
    def call(self, inputs, training=None):
        src, tgt = [ops.convert_to_tensor(i) for i in inputs]
        sk = (src != 0)[:, None, None, :]
        n = ops.shape(tgt)[1]
        tk = ops.logical_and((tgt != 0)[:, None, None, :], ops.tril(ops.ones((n, n), "bool")))
        m = self.emb[0](src, training=training)
        for l in self.enc: m = l(m, sk, training=training)
        if self.norms: m = self.norms[0](m)
        y = self.emb[-1](tgt, training=training)
        for l in self.dec: y = l(y, tk, m, sk, training=training)
        if self.norms: y = self.norms[1](y)
        return self.gen(y) if self.gen is not None else ops.matmul(y, ops.transpose(self.emb[0].one_hot.kernel))
def build_transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False):
    net = NMT(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
    net([np.ones((1, max_len), "int32"), np.ones((1, max_len), "int32")], training=False)
    return net
""",
            "model-parameters": """
def transformer_parameter_count(vocab_size, num_layers, d_model, num_heads, ff_dim, tie_weights=False):
    model = build_transformer(vocab_size, 8, num_layers, d_model, num_heads, ff_dim, 0.1, True, tie_weights)
    return sum(int(np.prod(w.shape)) for w in model.trainable_weights)
""",
        },
        backends=("tensorflow",),
    ),
    Alternative(
        "epsilons-of-all-kinds",
        "another epsilon in the encoder, the decoder and after each stack",
        {
            "token-model": """
class Post(keras.layers.Layer):
    def __init__(self, d, h, f, p, pre, cross, eps):
        super().__init__()
        self.mhas = [keras.layers.MultiHeadAttention(h, d // h) for _ in range(cross + 1)]
        self.up, self.down = keras.layers.Dense(f, activation="relu"), keras.layers.Dense(d)
        self.lns = [keras.layers.LayerNormalization(epsilon=eps) for _ in range(cross + 2)]
        self.do = keras.layers.Dropout(p)
        self.pre = pre
    def call(self, x, keep, memory=None, memory_keep=None, causal=False, training=None):
        for i, ln in enumerate(self.lns):
            y = ln(x) if self.pre else x
            if i == len(self.lns) - 1: y = self.down(self.up(y))
            elif i == 0: y = self.mhas[0](y, y, attention_mask=keep, use_causal_mask=causal)
            else: y = self.mhas[1](y, memory, attention_mask=memory_keep)
            x = x + self.do(y, training=training)
            if not self.pre: x = ln(x)
        return x
class Machine(keras.Model):
    def __init__(self, V, L, N, d, h, f, p, pre, tie):
        super().__init__()
        self.tok = keras.layers.Embedding(V, d)
        self.tok2 = self.tok if tie else keras.layers.Embedding(V, d)
        self.pe = PositionalEncoding(L, d)
        self.drop_s, self.drop_t = keras.layers.Dropout(p), keras.layers.Dropout(p)
        self.enc = [Post(d, h, f, p, pre, 0, 1e-6) for _ in range(N)]
        self.dec = [Post(d, h, f, p, pre, 1, 1e-3) for _ in range(N)]
        self.ends = [keras.layers.LayerNormalization(epsilon=1e-5), keras.layers.LayerNormalization(epsilon=1e-8)] if pre else []
        self.cls = [] if tie else [keras.layers.Dense(V)]
        self.scale = float(np.sqrt(d))
    def call(self, inputs, training=None):
        s, t = inputs
        sk, tk = ops.not_equal(s, 0)[:, None, :], ops.not_equal(t, 0)[:, None, :]
        m = self.drop_s(self.pe(self.tok(s) * self.scale), training=training)
        for b in self.enc: m = b(m, sk, training=training)
        if self.ends: m = self.ends[0](m)
        y = self.drop_t(self.pe(self.tok2(t) * self.scale), training=training)
        for b in self.dec: y = b(y, tk, m, sk, causal=True, training=training)
        if self.ends: y = self.ends[1](y)
        return self.cls[0](y) if self.cls else ops.matmul(y, ops.transpose(self.tok.embeddings))
def build_transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False):
    return Machine(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
""",
            "continuous-model": """
def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    source, target = keras.Input((timesteps, dim)), keras.Input((None, dim))
    memory = source
    for _ in range(num_encoder_blocks):
        memory = EncoderBlock(dim, num_heads, ff_dim, dropout=dropout)(memory)
    n = keras.layers.Lambda(lambda x: ops.triu(ops.ones((ops.shape(x)[1], ops.shape(x)[1])), k=1))(target)
    x = target
    for _ in range(num_decoder_blocks):
        x = DecoderBlock(dim, num_heads, ff_dim, dropout=dropout)(x, memory, self_mask=n)
    x = keras.layers.TimeDistributed(keras.layers.Dense(dim))(x)
    return keras.Model([source, target], x)
""",
        },
        backends=("tensorflow",),
    ),
    Alternative(
        "linear-layers-in-the-cell",
        "attention and network written anew beside the model: weights (outputs, inputs), every num_heads-th feature to a head",
        {
            "token-model": """
class Linear(keras.layers.Layer):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = self.add_weight(shape=(out_features, in_features), initializer="he_uniform", name="weight")
        self.bias = self.add_weight(shape=(out_features,), initializer="zeros", name="bias")

    def call(self, x):
        return ops.matmul(x, ops.transpose(self.weight)) + self.bias

class Sublayer(keras.layers.Layer):
    def __init__(self, d_model, dropout, norm_first):
        super().__init__()
        self.norm, self.drop = keras.layers.LayerNormalization(epsilon=1e-6), keras.layers.Dropout(dropout)
        self.norm_first = norm_first

    def compute_mask(self, *args, **kwargs):
        return None

    def call(self, x, memory=None, hidden=None):
        y = self.norm(x) if self.norm_first else x
        y = x + self.drop(self.work(y, y if memory is None else memory, hidden))
        return y if self.norm_first else self.norm(y)

class Attend(Sublayer):
    def __init__(self, d_model, num_heads, dropout, norm_first):
        super().__init__(d_model, dropout, norm_first)
        self.q, self.k, self.v, self.o = (Linear(d_model, d_model) for _ in range(4))
        self.heads = num_heads

    def work(self, x, memory, hidden):
        def dealt(y):
            batch, length, width = ops.shape(y)
            return ops.transpose(ops.reshape(y, (batch, length, width // self.heads, self.heads)), (0, 3, 1, 2))

        q, k, v = dealt(self.q(x)), dealt(self.k(memory)), dealt(self.v(memory))
        scores = ops.matmul(q, ops.swapaxes(k, -1, -2)) / q.shape[-1] ** 0.5
        weights = ops.softmax(scores if hidden is None else scores - 1e9 * hidden)
        return self.o(ops.reshape(ops.transpose(ops.matmul(weights, v), (0, 2, 3, 1)), ops.shape(x)))

class Network(Sublayer):
    def __init__(self, d_model, ff_dim, dropout, norm_first):
        super().__init__(d_model, dropout, norm_first)
        self.first, self.second = Linear(d_model, ff_dim), Linear(ff_dim, d_model)

    def work(self, x, memory, hidden):
        return self.second(self.drop(ops.relu(self.first(x))))

class Translator(keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights):
        super().__init__()
        self.tables = [TokenEmbedding(vocab_size, d_model, max_len, dropout) for _ in range(1 if tie_weights else 2)]

        def stack(attentions):
            steps = [Attend(d_model, num_heads, dropout, norm_first) for _ in range(attentions)]
            return [*steps, Network(d_model, ff_dim, dropout, norm_first)]

        self.encoder, self.decoder = [[stack(n) for _ in range(num_layers)] for n in (1, 2)]
        self.ends = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(2 if norm_first else 0)]
        self.generator = None if tie_weights else Linear(d_model, vocab_size)

    def call(self, inputs):
        source, target = inputs
        padding, hidden = create_padding_mask(source), create_decoder_mask(target)
        memory, x = self.tables[0](source), self.tables[-1](target)
        for attention, network in self.encoder:
            memory = network(attention(memory, hidden=padding))
        memory = self.ends[0](memory) if self.ends else memory
        for attention, cross, network in self.decoder:
            x = network(cross(attention(x, hidden=hidden), memory, hidden=padding))
        x = self.ends[1](x) if self.ends else x
        if self.generator is None:
            return ops.matmul(x, ops.transpose(self.tables[0].trainable_weights[0]))
        return self.generator(x)

def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    model = Translator(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
    model([np.ones((1, 3), "int32"), np.ones((1, 2), "int32")])
    return model
""",
        },
    ),
    Alternative(
        "padding-without-a-vector",
        "the vector of id 0 is 0 before the positions are added, as PyTorch's padding_idx has it",
        {
            "token-embedding": """
class TokenEmbedding(keras.layers.Layer):
    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.vocab_size, self.d_model, self.max_len, self.rate = vocab_size, d_model, max_len, dropout
        self.embedding = keras.layers.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(max_len, d_model)
        self.drop = keras.layers.Dropout(dropout)

    def call(self, token_ids, training=None):
        is_token = ops.cast(ops.not_equal(token_ids, 0), "float32")
        x = self.embedding(token_ids) * ops.expand_dims(is_token, -1) * self.d_model**0.5
        return self.drop(self.positions(x), training=training)

    def compute_output_shape(self, shape):
        return (*shape, self.d_model)

    def get_config(self):
        own = {"vocab_size": self.vocab_size, "d_model": self.d_model, "max_len": self.max_len, "dropout": self.rate}
        return {**super().get_config(), **own}
""",
        },
    ),
)
