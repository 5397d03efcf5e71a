# %% [markdown]
# einsum does splitting, attending and merging in one; the layer multiplies by reshaped kernels itself


# %% task="split-heads"
def split_heads(x, num_heads):
    d_model = x.shape[-1]
    head_dim, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError(f"num_heads: {num_heads} heads can't share the {d_model} features of d_model")
    pick = np.eye(d_model).reshape(d_model, num_heads, head_dim)
    return np.einsum("bsd,dhe->bhse", x, pick)


# %% task="merge-heads"
def merge_heads(x):
    return np.concatenate([x[:, h] for h in range(x.shape[1])], axis=-1)


# %% task="multi-head"
def multi_head_attention(query, key, value, num_heads, mask=None):
    q, k, v = (np.reshape(x, (*np.shape(x)[:2], num_heads, -1)) for x in (query, key, value))
    scores = np.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = np.ma.array(scores, mask=np.broadcast_to(mask, scores.shape) > 0).filled(-1e9)
    weights = keras.ops.softmax(scores, axis=-1)
    output = np.einsum("bhqk,bkhd->bqhd", np.asarray(weights), v)
    return output.reshape(*output.shape[:2], -1), weights


# %% task="multi-head-layer"
class MultiHeadAttention(keras.Layer):
    def __init__(self, d_model, num_heads, name=None, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"Bad `num_heads`: {num_heads} for `d_model`: {d_model}")
        super().__init__(name=name, **kwargs)
        self.width = d_model
        self.heads = num_heads

    def build(self, query_shape, key_shape, value_shape):
        make = lambda shape: self._made(keras.layers.Dense(self.width), shape)
        self.query_dense, self.key_dense, self.value_dense = map(make, (query_shape, key_shape, value_shape))
        self.output_dense = make((*query_shape[:-1], self.width))

    def _made(self, dense, shape):
        dense.build(shape)
        return dense

    def _project(self, dense, x):
        size = self.width // self.heads
        kernel = keras.ops.reshape(dense.kernel, (-1, self.heads, size))
        return keras.ops.einsum("bsi,ihd->bshd", x, kernel) + keras.ops.reshape(dense.bias, (self.heads, size))

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        q, k, v = self._project(self.query_dense, query), self._project(self.key_dense, key), self._project(self.value_dense, value)
        logits = keras.ops.einsum("bqhd,bkhd->bhqk", q * (self.heads / self.width) ** 0.5, k)
        if mask is not None:
            logits = keras.ops.where(keras.ops.cast(mask, "bool"), float("-inf"), logits)
        attention = keras.ops.softmax(logits)
        kernel = keras.ops.reshape(self.output_dense.kernel, (self.heads, -1, self.width))
        out = keras.ops.einsum("bhqk,bkhd,hdo->bqo", attention, v, kernel) + self.output_dense.bias
        return (out, attention) if return_attention_scores else out

    def get_config(self):
        return super().get_config() | {"d_model": self.width, "num_heads": self.heads}


# %% task="keras-parity"
def copy_weights_to_keras(layer, keras_layer):
    dense = (layer.query_dense, layer.key_dense, layer.value_dense, layer.output_dense)
    mine = [weight for each in dense for weight in (each.kernel, each.bias)]
    for target, source in zip(keras_layer.weights, mine):
        target.assign(keras.ops.reshape(source, target.shape))
    return keras_layer
