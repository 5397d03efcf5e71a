# %% [markdown] backends="tensorflow"
# tf.* throughout, with the masks that Keras carries along from Embedding(mask_zero=True)


# %% task="token-embedding"
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


# %% task="continuous-model"
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


# %% task="token-model"
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
