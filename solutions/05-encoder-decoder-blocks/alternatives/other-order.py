# %% [markdown]
# a convolution as feed-forward, sublayers made in reverse, the attention's own dropout, masks made boolean first


# %% task="feed-forward"
class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.numbers = (ff_dim, d_model, dropout)
        self.last = keras.layers.Conv1D(d_model, 1)
        self.between = keras.layers.Dropout(dropout)
        self.relu = keras.layers.ReLU()
        self.first = keras.layers.Conv1D(ff_dim, kernel_size=1)

    def call(self, x, training=None):
        return self.last(self.between(self.relu(self.first(x)), training=training))

    def get_config(self):
        return super().get_config() | dict(zip(("ff_dim", "d_model", "dropout"), self.numbers))


# %% task="decoder-block"
class DecoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        make = lambda: keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=dropout)
        self.c = keras.layers.LayerNormalization(epsilon=1e-6)
        self.b = keras.layers.LayerNormalization(epsilon=1e-6)
        self.a = keras.layers.LayerNormalization(epsilon=1e-6)
        self.ff = FeedForward(ff_dim, d_model, dropout)
        self.look = make()
        self.talk = make()
        self.drop = keras.layers.Dropout(dropout)

    def call(self, x, memory, self_mask=None, memory_mask=None, training=None):
        flip = lambda mask: None if mask is None else keras.ops.logical_not(keras.ops.cast(mask, "bool"))
        own, other = flip(self_mask), flip(memory_mask)
        talk = lambda y: self.talk(y, y, attention_mask=own, training=training)
        look = lambda y: self.look(y, memory, attention_mask=other, training=training)
        work = lambda y: self.ff(y, training=training)
        for norm, sublayer in ((self.a, talk), (self.b, look), (self.c, work)):
            if self.given["norm_first"]:
                x = keras.ops.add(x, self.drop(sublayer(norm(x)), training=training))
            else:
                x = norm(keras.ops.add(x, self.drop(sublayer(x), training=training)))
        return x

    def get_config(self):
        return super().get_config() | self.given


# %% task="block-parameters"
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    n = {"encoder": 1, "decoder": 2}.get(kind)
    if n is None:
        raise ValueError(f"kind: {kind!r}")
    if d_model % num_heads:
        raise ValueError(f"d_model: {d_model}")
    return np.int64(n * 4 * d_model * (d_model + 1) + (2 * d_model + 1) * ff_dim + d_model + (n + 1) * 2 * d_model)
