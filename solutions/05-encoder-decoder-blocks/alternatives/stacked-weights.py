# %% [markdown]
# the kernels of all attentions in one weight, their biases, the scales and shifts and both kernels of the network
# likewise


# %% task="feed-forward"
class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.given = dict(ff_dim=ff_dim, d_model=d_model, dropout=dropout)
        self.kernels = self.add_weight(shape=(2, d_model, ff_dim), name="kernels")  # the second one turned
        self.b1 = self.add_weight(shape=(ff_dim,), initializer="zeros", name="b1")
        self.b2 = self.add_weight(shape=(d_model,), initializer="zeros", name="b2")
        self.drop = keras.layers.Dropout(dropout)

    def call(self, x):
        hidden = self.drop(ops.relu(ops.matmul(x, self.kernels[0]) + self.b1))
        return ops.matmul(hidden, ops.transpose(self.kernels[1])) + self.b2

    def get_config(self):
        return super().get_config() | self.given


# %% task="encoder-block"
class Stacked(keras.layers.Layer):
    attentions = 1

    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        count, start = self.attentions, keras.initializers.RandomNormal(stddev=d_model**-0.5)
        self.W = self.add_weight(shape=(count, 4, d_model, d_model), initializer=start, name="W")
        self.b = self.add_weight(shape=(count, 4, d_model), initializer="zeros", name="b")
        self.norms = self.add_weight(shape=(count + 1, 2, d_model), initializer=self.one_and_zero, name="norms")
        self.network = FeedForward(ff_dim, d_model, dropout)
        self.drop = keras.layers.Dropout(dropout)

    @staticmethod
    def one_and_zero(shape, dtype=None):
        return ops.stack([ops.ones(shape[::2]), ops.zeros(shape[::2])], axis=1)

    def norm(self, i, x):
        x = x - ops.mean(x, axis=-1, keepdims=True)
        return self.norms[i, 0] * x / ops.sqrt(ops.mean(x * x, axis=-1, keepdims=True) + 1e-6) + self.norms[i, 1]

    def heads(self, x):
        return ops.swapaxes(ops.reshape(x, (*ops.shape(x)[:2], self.given["num_heads"], -1)), 1, 2)

    def attend(self, i, x, memory, hidden):
        inputs = (x, memory, memory)
        q, k, v = (self.heads(ops.matmul(y, self.W[i, j]) + self.b[i, j]) for j, y in enumerate(inputs))
        scores = ops.matmul(q, ops.swapaxes(k, 2, 3)) / q.shape[-1] ** 0.5
        if hidden is not None:
            scores = scores - 1e9 * ops.cast(hidden, scores.dtype)
        y = ops.swapaxes(ops.matmul(ops.softmax(scores), v), 1, 2)
        return ops.matmul(ops.reshape(y, ops.shape(x)), self.W[i, 3]) + self.b[i, 3]

    def join(self, x, *steps):
        for i, step in enumerate((*steps, self.network)):
            if self.given["norm_first"]:
                x = x + self.drop(step(self.norm(i, x)))
            else:
                x = self.norm(i, x + self.drop(step(x)))
        return x

    def get_config(self):
        return super().get_config() | self.given

class EncoderBlock(Stacked):
    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        return self.join(x, lambda y: self.attend(0, y, y, mask))


# %% task="decoder-block"
class DecoderBlock(Stacked):
    attentions = 2

    def call(self, x, memory, self_mask=None, memory_mask=None):
        return self.join(
            x, lambda y: self.attend(0, y, y, self_mask), lambda y: self.attend(1, y, memory, memory_mask)
        )
