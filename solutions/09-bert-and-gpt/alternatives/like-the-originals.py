# %% [markdown]
# post-norm blocks with gelu and normalised embeddings; learned positions always; the output tied to the embedding


# %% task="encoder-only"
class Original(keras.Model):
    causal = False

    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout):
        super().__init__()
        self.tok = keras.layers.Embedding(vocab_size, d_model)
        self.pos = keras.layers.Embedding(max_len, d_model)
        self.emb_norm = keras.layers.LayerNormalization(epsilon=1e-6)
        self.drop = keras.layers.Dropout(dropout)
        self.att = [keras.layers.MultiHeadAttention(num_heads, d_model // num_heads) for _ in range(num_layers)]
        self.n1 = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(num_layers)]
        self.up = [keras.layers.Dense(ff_dim, activation="gelu") for _ in range(num_layers)]
        self.down = [keras.layers.Dense(d_model) for _ in range(num_layers)]
        self.n2 = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(num_layers)]

    def call(self, ids, training=None):
        length = ops.shape(ids)[1]
        keep = ops.not_equal(ids, 0)[:, None, :]
        x = self.emb_norm(self.tok(ids) + self.pos(ops.arange(length)))
        x = self.drop(x, training=training)
        for att, n1, up, down, n2 in zip(self.att, self.n1, self.up, self.down, self.n2):
            y = att(x, x, attention_mask=keep, use_causal_mask=self.causal)
            x = n1(x + self.drop(y, training=training))
            x = n2(x + self.drop(down(up(x)), training=training))
        return ops.matmul(x, ops.transpose(ops.convert_to_tensor(self.tok.embeddings)))


def build_encoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1):
    model = Original(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout)
    model(np.ones((1, 2), "int32"))
    return model


# %% task="decoder-only"
class OriginalGPT(Original):
    causal = True


def build_decoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1):
    model = OriginalGPT(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout)
    model(np.ones((1, 2), "int32"))
    return model
