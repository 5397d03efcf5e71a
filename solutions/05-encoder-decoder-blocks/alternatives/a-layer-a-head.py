# %% [markdown]
# a list of heads, each with three dense layers of its own, as in widely read code; weights added in `build`


# %% task="layer-norm"
def layer_norm(x, gamma, beta, epsilon=1e-6):
    x = ops.convert_to_tensor(x)
    return ops.layer_normalization(x, ops.cast(gamma, x.dtype), ops.cast(beta, x.dtype), axis=-1, epsilon=epsilon)


# %% task="feed-forward"
class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim: int, d_model: int, dropout: float = 0.1, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim, self.d_model, self.dropout = ff_dim, d_model, dropout
        self.seeds = keras.random.SeedGenerator(1)

    def build(self, input_shape):
        self.w1 = self.add_weight(shape=(input_shape[-1], self.ff_dim), initializer="glorot_uniform", name="w1")
        self.b1 = self.add_weight(shape=(self.ff_dim,), initializer="zeros", name="b1")
        self.w2 = self.add_weight(shape=(self.ff_dim, self.d_model), initializer="glorot_uniform", name="w2")
        self.b2 = self.add_weight(shape=(self.d_model,), initializer="zeros", name="b2")

    def call(self, x, training=None):
        h = ops.maximum(0.0, ops.einsum("btd,df->btf", x, self.w1) + self.b1)
        if training and self.dropout > 0:
            h = keras.random.dropout(h, self.dropout, seed=self.seeds)
        return ops.matmul(h, self.w2) + self.b2

    def get_config(self):
        return {**super().get_config(), "ff_dim": self.ff_dim, "d_model": self.d_model, "dropout": self.dropout}


# %% task="encoder-block"
class Head(keras.layers.Layer):
    def __init__(self, head_size, **kwargs):
        super().__init__(**kwargs)
        self.key = keras.layers.Dense(head_size)
        self.query = keras.layers.Dense(head_size)
        self.value = keras.layers.Dense(head_size)
        self.scale = head_size**-0.5

    def call(self, x, memory, mask=None):
        wei = ops.matmul(self.query(x), ops.transpose(self.key(memory), (0, 2, 1))) * self.scale
        if mask is not None:
            wei = ops.where(ops.cast(mask, "bool"), -1e9, wei)
        return ops.matmul(ops.softmax(wei, axis=-1), self.value(memory))

class Heads(keras.layers.Layer):
    def __init__(self, num_heads, d_model, **kwargs):
        super().__init__(**kwargs)
        self.heads = [Head(d_model // num_heads) for _ in range(num_heads)]
        self.proj = keras.layers.Dense(d_model)

    def call(self, x, memory, mask=None):
        if mask is not None and len(mask.shape) == 4:
            mask = mask[:, 0]
        return self.proj(ops.concatenate([h(x, memory, mask) for h in self.heads], axis=-1))

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.sa = Heads(num_heads, d_model)
        self.ffwd = FeedForward(ff_dim, d_model, dropout)
        self.ln1 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.ln2 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.drop = keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        if self.given["norm_first"]:
            y = self.ln1(x)
            x = x + self.drop(self.sa(y, y, mask))
            return x + self.drop(self.ffwd(self.ln2(x)))
        x = self.ln1(x + self.drop(self.sa(x, x, mask)))
        return self.ln2(x + self.drop(self.ffwd(x)))

    def get_config(self):
        return super().get_config() | self.given


# %% task="decoder-block"
class DecoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.ca = Heads(num_heads, d_model)
        self.sa = Heads(num_heads, d_model)
        self.ffwd = FeedForward(ff_dim, d_model, dropout)
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(3)]
        self.drop = keras.layers.Dropout(dropout)

    def call(self, x, memory, self_mask=None, memory_mask=None):
        steps = [lambda y: self.sa(y, y, self_mask), lambda y: self.ca(y, memory, memory_mask), self.ffwd]
        for step, norm in zip(steps, self.norms):
            x = x + self.drop(step(norm(x))) if self.given["norm_first"] else norm(x + self.drop(step(x)))
        return x

    def get_config(self):
        return super().get_config() | self.given


# %% task="block-parameters"
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    if kind not in {"encoder", "decoder"}:
        raise ValueError(f"unknown kind {kind!r}")
    if d_model % num_heads != 0:
        raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
    x = np.zeros((1, 2, d_model), dtype="float32")
    block = {"encoder": EncoderBlock, "decoder": DecoderBlock}[kind](d_model, num_heads, ff_dim)
    block(*[x] * (1 if kind == "encoder" else 2))
    return block.count_params()
