# %% [markdown]
# weights (outputs, inputs) with one for queries, keys and values, vectors with axes of 1, the network's weights side
# by side


# %% task="feed-forward"
class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim, self.d_model, self.dropout = ff_dim, d_model, dropout
        self.drop = keras.layers.Dropout(dropout)
        self.weight1 = self.add_weight(shape=(ff_dim, d_model), initializer="he_uniform", name="weight1")
        self.bias1 = self.add_weight(shape=(1, ff_dim), initializer="zeros", name="bias1")
        self.weight2 = self.add_weight(shape=(d_model, ff_dim), initializer="he_uniform", name="weight2")
        self.bias2 = self.add_weight(shape=(1, d_model), initializer="zeros", name="bias2")

    def call(self, x, training=None):
        hidden = ops.relu(ops.matmul(x, ops.transpose(self.weight1)) + self.bias1)
        return ops.matmul(self.drop(hidden, training=training), ops.transpose(self.weight2)) + self.bias2

    def get_config(self):
        return {**super().get_config(), "ff_dim": self.ff_dim, "d_model": self.d_model, "dropout": self.dropout}


# %% task="encoder-block"
class Attend(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.width, self.heads = d_model, num_heads
        self.in_proj_weight = self.add_weight(shape=(3 * d_model, d_model), initializer="glorot_uniform")
        self.in_proj_bias = self.add_weight(shape=(3 * d_model,), initializer="zeros")
        self.out_proj_weight = self.add_weight(shape=(d_model, d_model), initializer="glorot_uniform")
        self.out_proj_bias = self.add_weight(shape=(d_model,), initializer="zeros")

    def compute_mask(self, *args, **kwargs):
        return None

    def call(self, x, memory, mask=None):
        weights, biases = ops.split(self.in_proj_weight, 3), ops.split(self.in_proj_bias, 3)

        def part(i, y):
            y = ops.matmul(y, ops.transpose(weights[i])) + biases[i]
            return ops.swapaxes(ops.reshape(y, (*ops.shape(y)[:2], self.heads, self.width // self.heads)), 1, 2)

        q, k, v = part(0, x), part(1, memory), part(2, memory)
        scores = ops.matmul(q, ops.swapaxes(k, -1, -2)) / (self.width // self.heads) ** 0.5
        if mask is not None:
            scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
        y = ops.swapaxes(ops.matmul(ops.softmax(scores), v), 1, 2)
        return ops.matmul(ops.reshape(y, (*ops.shape(y)[:2], self.width)), ops.transpose(self.out_proj_weight)) + self.out_proj_bias

class LayerNorm(keras.layers.Layer):
    def build(self, shape):
        self.weight = self.add_weight(shape=(1, 1, shape[-1]), initializer="ones", name="weight")
        self.bias = self.add_weight(shape=(1, 1, shape[-1]), initializer="zeros", name="bias")

    def call(self, x):
        mean, variance = ops.moments(x, axes=-1, keepdims=True)
        return (x - mean) / ops.sqrt(variance + 1e-6) * self.weight + self.bias

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.self_attn, self.network = Attend(d_model, num_heads), FeedForward(ff_dim, d_model, dropout)
        self.norm1, self.norm2 = LayerNorm(), LayerNorm()
        self.dropout1, self.dropout2 = keras.layers.Dropout(dropout), keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None, training=None):
        if self.given["norm_first"]:
            y = self.norm1(x)
            x = x + self.dropout1(self.self_attn(y, y, mask), training=training)
            return x + self.dropout2(self.network(self.norm2(x), training=training), training=training)
        x = self.norm1(x + self.dropout1(self.self_attn(x, x, mask), training=training))
        return self.norm2(x + self.dropout2(self.network(x, training=training), training=training))

    def get_config(self):
        return super().get_config() | self.given
