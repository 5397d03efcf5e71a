# %% [markdown] backends="tensorflow"
# another epsilon in the encoder, the decoder and after each stack


# %% task="continuous-model"
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


# %% task="token-model"
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
