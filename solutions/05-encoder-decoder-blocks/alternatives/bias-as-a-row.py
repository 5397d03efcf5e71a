# %% [markdown]
# each bias is the last row of its kernel, key and value share one; all weights of both attentions are the block's
# own; normalisations keep the difference of their scale from 1


# %% task="feed-forward"
def affine(x, M):
    return ops.matmul(x, M[:-1]) + M[-1]

class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.given = dict(ff_dim=ff_dim, d_model=d_model, dropout=dropout)
        self.M1 = self.add_weight(shape=(d_model + 1, ff_dim), name="M1")
        self.M2 = self.add_weight(shape=(ff_dim + 1, d_model), name="M2")
        self.drop = keras.layers.Dropout(dropout)

    def call(self, x):
        return affine(self.drop(ops.relu(affine(x, self.M1))), self.M2)

    def get_config(self):
        return super().get_config() | self.given


# %% task="encoder-block"
class Lifted(keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(shape=shape[-1:], initializer="zeros", name="scale")
        self.shift = self.add_weight(shape=shape[-1:], initializer="zeros", name="shift")

    def call(self, x):
        x = x - ops.mean(x, axis=-1, keepdims=True)
        return (1 + self.scale) * x / ops.sqrt(ops.mean(x * x, axis=-1, keepdims=True) + 1e-6) + self.shift

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.own = self.add_attention("q", "kv", "o")
        self.network, self.drop = FeedForward(ff_dim, d_model, dropout), keras.layers.Dropout(dropout)
        self.norm_1, self.norm_2 = Lifted(), Lifted()

    def add_attention(self, *names):
        d_model = self.given["d_model"]
        widths = (d_model, 2 * d_model, d_model)
        return [self.add_weight(shape=(d_model + 1, n), name=name) for name, n in zip(names, widths)]

    def attend(self, matrices, x, memory, hidden):
        q, kv, o = matrices
        parts = (affine(x, q), *ops.split(affine(memory, kv), 2, axis=-1))
        q, k, v = (ops.reshape(y, (*ops.shape(y)[:2], self.given["num_heads"], -1)) for y in parts)
        scores = ops.einsum("bqhn,bkhn->bhqk", q, k) / q.shape[-1] ** 0.5
        if hidden is not None:
            scores = scores + ops.cast(hidden, "float32") * -1e9
        return affine(ops.reshape(ops.einsum("bhqk,bkhn->bqhn", ops.softmax(scores), v), ops.shape(x)), o)

    def join(self, x, norm, step):
        return x + self.drop(step(norm(x))) if self.given["norm_first"] else norm(x + self.drop(step(x)))

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        x = self.join(x, self.norm_1, lambda y: self.attend(self.own, y, y, mask))
        return self.join(x, self.norm_2, self.network)

    def get_config(self):
        return super().get_config() | self.given


# %% task="decoder-block"
class DecoderBlock(EncoderBlock):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.other, self.norm_3 = self.add_attention("to_q", "to_kv", "to_o"), Lifted()

    def call(self, x, memory, self_mask=None, memory_mask=None):
        x = self.join(x, self.norm_1, lambda y: self.attend(self.own, y, y, self_mask))
        x = self.join(x, self.norm_3, lambda y: self.attend(self.other, y, memory, memory_mask))
        return self.join(x, self.norm_2, self.network)
