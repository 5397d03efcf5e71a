# %% [markdown]
# one statement a step, a subclassed decoder of Keras's layers


# %% task="decoder-only"
class Positions(keras.layers.Layer):
    def __init__(self, max_len, d_model):
        super().__init__()
        angles = np.arange(max_len + 1)[:, None] * 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
        self.table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(max_len + 1, d_model).astype("float32")

    def call(self, x):
        return x + ops.convert_to_tensor(self.table)[: ops.shape(x)[1]]


class LanguageModel(keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions):
        super().__init__()
        self.scale = d_model**0.5
        self.embedding = keras.layers.Embedding(vocab_size, d_model)
        self.positions = LearnedPositionalEmbedding(max_len, d_model) if learned_positions else Positions(max_len, d_model)
        self.drop = keras.layers.Dropout(dropout)
        self.attentions = [keras.layers.MultiHeadAttention(num_heads, d_model // num_heads) for _ in range(num_layers)]
        self.inner = [keras.layers.Dense(ff_dim, activation="relu") for _ in range(num_layers)]
        self.outer = [keras.layers.Dense(d_model) for _ in range(num_layers)]
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(2 * num_layers + 1)]
        self.head = keras.layers.Dense(vocab_size)

    def call(self, ids, training=None):
        length = ops.shape(ids)[1]
        keep = ops.not_equal(ids, 0)[:, None, :]
        keep = ops.broadcast_to(keep, (ops.shape(ids)[0], length, length))
        position = ops.arange(length)
        past = position[None, :] <= position[:, None]
        keep = ops.logical_and(keep, past[None])
        x = self.embedding(ids) * self.scale
        x = self.positions(x)
        x = self.drop(x, training=training)
        for i in range(len(self.attentions)):
            y = self.norms[2 * i](x)
            y = self.attentions[i](y, y, attention_mask=keep)
            x = x + self.drop(y, training=training)
            y = self.norms[2 * i + 1](x)
            y = self.outer[i](self.inner[i](y))
            x = x + self.drop(y, training=training)
        x = self.norms[-1](x)
        return self.head(x)


def build_decoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    model = LanguageModel(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions)
    model(np.ones((1, max_len), "int32"))
    return model
