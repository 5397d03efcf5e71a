# %% [markdown]
# kernels with the heads in front, einsum throughout, a residual wrapper, no word in any name


# %% task="encoder-block"
class Att(keras.layers.Layer):
    def __init__(self, d, h, **kwargs):
        super().__init__(**kwargs)
        s = d // h
        self.u = [self.add_weight(shape=(h, d, s)) for _ in range(3)]
        self.t = [self.add_weight(shape=(h, s), initializer="zeros") for _ in range(3)]
        self.u4 = self.add_weight(shape=(h, s, d))
        self.t4 = self.add_weight(shape=(d,), initializer="zeros")

    def call(self, x, m, hidden=None):
        parts = [keras.ops.einsum("bnd,hds->bhns", z, u) + t[:, None] for z, u, t in zip((m, x, m), self.u, self.t)]
        v, q, k = parts
        scores = keras.ops.einsum("bhqs,bhks->bhqk", q, k) / k.shape[-1] ** 0.5
        if hidden is not None:
            scores = scores - 1e9 * keras.ops.cast(hidden, "float32")
        return keras.ops.einsum("bhqk,bhks,hsd->bqd", keras.ops.softmax(scores), v, self.u4) + self.t4

class Around(keras.layers.Layer):
    def __init__(self, inner, rate, first, **kwargs):
        super().__init__(**kwargs)
        self.inner, self.first = inner, first
        self.n = keras.layers.LayerNormalization(epsilon=1e-6)
        self.d = keras.layers.Dropout(rate)

    def call(self, x, *more):
        if self.first:
            return x + self.d(self.inner(self.n(x), *more))
        return self.n(x + self.d(self.inner(x, *more)))

class Self(Att):
    def call(self, x, hidden=None):
        return super().call(x, x, hidden)

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.one = Around(Self(d_model, num_heads), dropout, norm_first)
        self.two = Around(FeedForward(ff_dim, d_model, dropout), dropout, norm_first)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        return self.two(self.one(x, mask))

    def get_config(self):
        return super().get_config() | self.given


# %% task="decoder-block"
class DecoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.three = Around(FeedForward(ff_dim, d_model, dropout), dropout, norm_first)
        self.two = Around(Att(d_model, num_heads), dropout, norm_first)
        self.one = Around(Self(d_model, num_heads), dropout, norm_first)

    def call(self, x, memory, self_mask=None, memory_mask=None):
        return self.three(self.two(self.one(x, self_mask), memory, memory_mask))

    def get_config(self):
        return super().get_config() | self.given
