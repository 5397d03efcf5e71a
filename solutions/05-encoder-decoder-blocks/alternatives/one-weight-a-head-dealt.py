# %% [markdown]
# one dense layer for queries, keys and values, of which each head takes its three parts side by side


# %% task="encoder-block"
class Mix(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.width, self.heads = d_model, num_heads
        self.qkv_proj, self.o_proj = keras.layers.Dense(3 * d_model), keras.layers.Dense(d_model)

    def compute_mask(self, *args, **kwargs):
        return None

    def call(self, x, mask=None):
        y = self.qkv_proj(x)
        y = ops.transpose(ops.reshape(y, (*ops.shape(x)[:2], self.heads, 3 * self.width // self.heads)), (0, 2, 1, 3))
        q, k, v = ops.split(y, 3, axis=-1)
        scores = ops.einsum("bhqd,bhkd->bhqk", q, k) / (self.width // self.heads) ** 0.5
        if mask is not None:
            scores = ops.where(ops.equal(mask, 1), -9e15, scores)
        y = ops.einsum("bhqk,bhkd->bqhd", ops.softmax(scores), v)
        return self.o_proj(ops.reshape(y, ops.shape(x)))

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.steps = [Mix(d_model, num_heads), FeedForward(ff_dim, d_model, dropout)]
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in self.steps]
        self.drops = [keras.layers.Dropout(dropout) for _ in self.steps]

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        for i, (step, norm, drop) in enumerate(zip(self.steps, self.norms, self.drops)):
            more = {"mask": mask} if i == 0 else {}
            x = x + drop(step(norm(x), **more)) if self.given["norm_first"] else norm(x + drop(step(x, **more)))
        return x

    def get_config(self):
        return super().get_config() | self.given
