# %% [markdown] backends="tensorflow"
# queries, keys and values of each head side by side in one kernel; -inf where it is hidden; a dense layer as the
# table


# %% task="token-embedding"
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


# %% task="token-model"
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


# %% task="model-parameters"
def transformer_parameter_count(vocab_size, num_layers, d_model, num_heads, ff_dim, tie_weights=False):
    model = build_transformer(vocab_size, 8, num_layers, d_model, num_heads, ff_dim, 0.1, True, tie_weights)
    return sum(int(np.prod(w.shape)) for w in model.trainable_weights)
