# %% [markdown]
# attention of dense layers by hand, embeddings not scaled, tanh-gelu, one matrix for queries, keys and values


# %% task="encoder-only"
class Mixer(keras.layers.Layer):
    def __init__(self, d_model, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.qkv = keras.layers.Dense(3 * d_model)
        self.out = keras.layers.Dense(d_model)

    def call(self, x, hidden):
        b, n, d = ops.shape(x)
        q, k, v = ops.split(self.qkv(x), 3, axis=-1)
        cut = lambda t: ops.transpose(ops.reshape(t, (b, n, self.heads, d // self.heads)), (0, 2, 1, 3))
        s = ops.matmul(cut(q), ops.transpose(cut(k), (0, 1, 3, 2))) / np.sqrt(d // self.heads)
        s = ops.where(hidden, -1e9, s)
        y = ops.matmul(ops.softmax(s, axis=-1), cut(v))
        return self.out(ops.reshape(ops.transpose(y, (0, 2, 1, 3)), (b, n, d)))


class Net(keras.Model):
    def __init__(self, V, T, layers, d, heads, f, rate, learned, causal):
        super().__init__()
        self.causal, self.learned, self.T, self.d = causal, learned, T, d
        self.wte = keras.layers.Embedding(V, d)
        angle = np.arange(T)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
        self.fixed = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(T, d).astype("float32")
        self.drop = keras.layers.Dropout(rate)
        self.mix = [Mixer(d, heads, causal) for _ in range(layers)]
        gelu = lambda x: keras.activations.gelu(x, approximate=True)
        self.mlp = [(keras.layers.Dense(f, activation=gelu), keras.layers.Dense(d)) for _ in range(layers)]
        self.ups = [a for a, _ in self.mlp]
        self.downs = [b for _, b in self.mlp]
        self.ln = [keras.layers.LayerNormalization(epsilon=1e-5) for _ in range(2 * layers + 1)]
        self.lm_head = keras.layers.Dense(V, use_bias=False)
        if learned:
            self.wpe = self.add_weight(shape=(1, T, d), initializer="random_normal", name="wpe")

    def call(self, ids):
        n = ids.shape[1]
        hidden = ops.equal(ids, 0)[:, None, None, :]
        if self.causal:
            hidden = ops.logical_or(hidden, np.triu(np.ones((n, n), bool), 1)[None, None])
        table = self.wpe if self.learned else self.fixed[None]
        x = self.drop(self.wte(ids) + ops.convert_to_tensor(table)[:, :n])
        for i, mix in enumerate(self.mix):
            x = x + self.drop(mix(self.ln[2 * i](x), hidden))
            x = x + self.drop(self.downs[i](self.ups[i](self.ln[2 * i + 1](x))))
        return self.lm_head(self.ln[-1](x))


def build_encoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    return Net(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions, False)


# %% task="decoder-only"
def build_decoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    return Net(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions, True)
