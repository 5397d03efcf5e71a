# %% [markdown]
# the decoder block inherits from the encoder block; projections in a list, dealt to the heads in turn


# %% task="encoder-block"
class Heads(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.parts = [keras.layers.Dense(d_model) for _ in range(4)]

    def call(self, x, memory, mask=None):
        def deal(z):  # every num_heads-th feature to a head
            b, n, d = keras.ops.shape(z)
            return keras.ops.transpose(keras.ops.reshape(z, (b, n, d // self.num_heads, self.num_heads)), (0, 3, 1, 2))
        to_output, to_key, to_query, to_value = self.parts
        q, k, v = deal(to_query(x)), deal(to_key(memory)), deal(to_value(memory))
        scores = keras.ops.matmul(q, keras.ops.swapaxes(k, -1, -2)) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores - 1e9 * keras.ops.cast(mask, scores.dtype)
        y = keras.ops.transpose(keras.ops.matmul(keras.ops.softmax(scores), v), (0, 2, 3, 1))
        b, n, d, h = keras.ops.shape(y)
        return to_output(keras.ops.reshape(y, (b, n, d * h)))

class EncoderBlock(keras.layers.Layer):
    sublayers = 2

    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.steps = [Heads(d_model, num_heads) for _ in range(self.sublayers - 1)] + [FeedForward(ff_dim, d_model, dropout)]
        self.drops = [keras.layers.Dropout(dropout) for _ in self.steps]
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in self.steps]

    def compute_mask(self, x, previous_mask=None):
        return None

    def around(self, i, x, *more):
        if self.given["norm_first"]:
            y = self.norms[i](x)
            return x + self.drops[i](self.steps[i](y, *(y if m is x else m for m in more)))
        return self.norms[i](x + self.drops[i](self.steps[i](x, *more)))

    def call(self, x, mask=None):
        return self.around(1, self.around(0, x, x, mask))

    def get_config(self):
        return super().get_config() | self.given


# %% task="decoder-block"
class DecoderBlock(EncoderBlock):
    sublayers = 3

    def call(self, x, memory, self_mask=None, memory_mask=None):
        x = self.around(0, x, x, self_mask)
        x = self.around(1, x, memory, memory_mask)
        return self.around(2, x)
