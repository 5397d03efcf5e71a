# %% [markdown]
# functional models of Keras's layers; Keras's epsilon and causal mask; learned positions as an embedding


# %% task="encoder-only"
class FixedPositions(keras.layers.Layer):
    def __init__(self, max_len, d_model, **kwargs):
        super().__init__(**kwargs)
        i = np.arange(d_model)
        angle = np.arange(max_len)[:, None] / 10000 ** (2 * (i // 2) / d_model)
        self.pe = np.where(i % 2, np.cos(angle), np.sin(angle)).astype("float32")
        self.factor = d_model ** 0.5

    def call(self, x):
        return x * self.factor + ops.convert_to_tensor(self.pe)[None, : ops.shape(x)[1]]

    def compute_output_shape(self, shape):
        return shape


class TrainedPositions(keras.layers.Layer):
    def __init__(self, max_len, d_model, **kwargs):
        super().__init__(**kwargs)
        self.rows = keras.layers.Embedding(max_len, d_model)

    def call(self, x):
        return x + self.rows(ops.arange(ops.shape(x)[1]))


class Tokens(keras.layers.Layer):
    def call(self, ids):
        return ops.not_equal(ids, 0)[:, None, :]


def stack(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned, causal):
    L = keras.layers
    ids = keras.Input((None,), dtype="int32")
    mask = Tokens()(ids)
    x = L.Embedding(vocab_size, d_model)(ids)
    x = L.Dropout(dropout)((TrainedPositions if learned else FixedPositions)(max_len, d_model)(x))
    for _ in range(num_layers):
        y = L.LayerNormalization()(x)
        y = L.MultiHeadAttention(num_heads, d_model // num_heads, dropout=dropout)(
            y, y, attention_mask=mask, use_causal_mask=causal
        )
        x = L.Add()([x, L.Dropout(dropout)(y)])
        y = L.Dense(ff_dim, activation="relu")(L.LayerNormalization()(x))
        x = L.Add()([x, L.Dropout(dropout)(L.Dense(d_model)(y))])
    return keras.Model(ids, L.Dense(vocab_size)(L.LayerNormalization()(x)))


def build_encoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    return stack(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions, False)


# %% task="decoder-only"
def build_decoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    return stack(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions, True)
