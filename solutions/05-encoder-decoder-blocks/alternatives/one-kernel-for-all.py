# %% [markdown]
# query, key and value in one dense layer, as GPT-2 has it; key and value of the memory in one


# %% task="encoder-block"
class SelfAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.c_attn = keras.layers.Dense(3 * d_model)
        self.c_proj = keras.layers.Dense(d_model)

    def call(self, x, hidden=None):
        q, k, v = keras.ops.split(self.c_attn(x), 3, axis=-1)
        return self.c_proj(attend_with(q, k, v, self.num_heads, hidden))

def attend_with(q, k, v, num_heads, hidden):
    def split(z):
        b, n, d = keras.ops.shape(z)
        return keras.ops.reshape(z, (b, n, num_heads, d // num_heads))
    q, k, v = split(q), split(k), split(v)
    scores = keras.ops.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
    if hidden is not None:
        scores = keras.ops.where(keras.ops.cast(hidden, "bool"), -1e9, scores)
    y = keras.ops.einsum("bhqk,bkhd->bqhd", keras.ops.softmax(scores), v)
    b, n, h, d = keras.ops.shape(y)
    return keras.ops.reshape(y, (b, n, h * d))

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.ln_1 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.attn = SelfAttention(d_model, num_heads)
        self.ln_2 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.mlp = FeedForward(ff_dim, d_model, dropout)
        self.resid_drop = keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        if self.given["norm_first"]:
            x = x + self.resid_drop(self.attn(self.ln_1(x), mask))
            return x + self.resid_drop(self.mlp(self.ln_2(x)))
        x = self.ln_1(x + self.resid_drop(self.attn(x, mask)))
        return self.ln_2(x + self.resid_drop(self.mlp(x)))

    def get_config(self):
        return super().get_config() | self.given


# %% task="decoder-block"
class CrossAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.q = keras.layers.Dense(d_model)
        self.kv = keras.layers.Dense(2 * d_model)
        self.proj = keras.layers.Dense(d_model)

    def call(self, x, memory, hidden=None):
        k, v = keras.ops.split(self.kv(memory), 2, axis=-1)
        return self.proj(attend_with(self.q(x), k, v, self.num_heads, hidden))

class DecoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.norm = {n: keras.layers.LayerNormalization(epsilon=1e-6) for n in ("own", "other", "work")}
        self.own = SelfAttention(d_model, num_heads)
        self.other = CrossAttention(d_model, num_heads)
        self.work = FeedForward(ff_dim, d_model, dropout)
        self.drop = keras.layers.Dropout(dropout)

    def call(self, x, memory, self_mask=None, memory_mask=None):
        steps = {
            "own": lambda y: self.own(y, self_mask),
            "other": lambda y: self.other(y, memory, memory_mask),
            "work": lambda y: self.work(y),
        }
        for name, step in steps.items():
            norm = self.norm[name]
            x = x + self.drop(step(norm(x))) if self.given["norm_first"] else norm(x + self.drop(step(x)))
        return x

    def get_config(self):
        return super().get_config() | self.given
