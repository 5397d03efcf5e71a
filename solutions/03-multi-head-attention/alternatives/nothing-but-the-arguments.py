# %% [markdown]
# a constructor without **kwargs and a config to match, masks by Keras's Softmax layer and by the lowest float


# %% task="multi-head"
def multi_head_attention(query, key, value, num_heads, mask=None):
    query, key, value = (split_heads(keras.ops.cast(x, "float32"), num_heads) for x in (query, key, value))
    scores = keras.ops.einsum("bhqd,bhkd->bhqk", query, key) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = keras.ops.where(keras.ops.cast(mask, "bool"), np.finfo("float32").min, scores)
    weights = keras.ops.softmax(scores, axis=-1)
    return merge_heads(keras.ops.matmul(weights, value)), weights


# %% task="multi-head-layer"
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"num_heads={num_heads} must divide d_model={d_model}")
        self.d_model, self.num_heads = d_model, num_heads
        self.query_dense = keras.layers.Dense(d_model)
        self.key_dense = keras.layers.Dense(d_model)
        self.value_dense = keras.layers.Dense(d_model)
        self.output_dense = keras.layers.Dense(d_model)
        self.softmax = keras.layers.Softmax(axis=-1)

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        query = split_heads(self.query_dense(query), self.num_heads)
        key = split_heads(self.key_dense(key), self.num_heads)
        value = split_heads(self.value_dense(value), self.num_heads)
        scores = keras.ops.matmul(query, keras.ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
        # Keras's Softmax keeps where its mask is True
        keep = None if mask is None else keras.ops.broadcast_to(keras.ops.equal(mask, 0), scores.shape)
        weights = self.softmax(scores, mask=keep)
        output = self.output_dense(merge_heads(keras.ops.matmul(weights, value)))
        return (output, weights) if return_attention_scores else output

    def get_config(self):
        return {"d_model": self.d_model, "num_heads": self.num_heads}


# %% task="keras-parity"
def copy_weights_to_keras(layer, keras_layer):
    for mine, theirs in zip(layer.weights, keras_layer.weights):
        theirs.assign(mine.numpy().reshape(theirs.shape))
