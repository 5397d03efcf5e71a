# %% [markdown]
# every step in the cell itself, in keras.ops, calling no earlier cell


# %% task="multi-head"
def multi_head_attention(query, key, value, num_heads, mask=None):
    ops = keras.ops

    def heads(x):
        batch, seq_len, width = ops.shape(x)
        return ops.transpose(ops.reshape(x, (batch, seq_len, num_heads, width // num_heads)), (0, 2, 1, 3))

    query, key, value = heads(query), heads(key), heads(value)
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores - 1e9 * ops.cast(mask, scores.dtype)
    weights = ops.softmax(scores, axis=-1)
    attended = ops.matmul(weights, value)
    merged = ops.transpose(attended, (0, 2, 1, 3))
    batch, query_len, _, head_value_dim = ops.shape(merged)
    return ops.reshape(merged, (batch, query_len, num_heads * head_value_dim)), weights


# %% task="multi-head-layer"
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
        self.d_model = d_model
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.query_dense = keras.layers.Dense(d_model)
        self.key_dense = keras.layers.Dense(d_model)
        self.value_dense = keras.layers.Dense(d_model)
        self.output_dense = keras.layers.Dense(d_model)

    def compute_mask(self, query, previous_mask=None):
        return None

    def split(self, x):
        batch, seq_len, _ = keras.ops.shape(x)
        x = keras.ops.reshape(x, (batch, seq_len, self.num_heads, self.head_dim))
        return keras.ops.transpose(x, (0, 2, 1, 3))

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        ops = keras.ops
        query = self.split(self.query_dense(query))
        key = self.split(self.key_dense(key))
        value = self.split(self.value_dense(value))
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / self.head_dim**0.5
        if mask is not None:
            scores = scores - 1e9 * ops.cast(mask, scores.dtype)
        weights = ops.softmax(scores, axis=-1)
        attended = ops.matmul(weights, value)
        merged = ops.transpose(attended, (0, 2, 1, 3))
        batch, query_len, _, _ = ops.shape(merged)
        merged = ops.reshape(merged, (batch, query_len, self.d_model))
        output = self.output_dense(merged)
        return (output, weights) if return_attention_scores else output

    def get_config(self):
        config = super().get_config()
        config.update({"d_model": self.d_model, "num_heads": self.num_heads})
        return config


# %% task="parameter-count"
def mha_parameter_count(input_dim, num_heads, key_dim, value_dim=None, output_dim=None):
    value_dim = key_dim if value_dim is None else value_dim
    output_dim = input_dim if output_dim is None else output_dim
    query_and_key = 2 * (input_dim * num_heads * key_dim + num_heads * key_dim)
    value = input_dim * num_heads * value_dim + num_heads * value_dim
    output = num_heads * value_dim * output_dim + output_dim
    return query_and_key + value + output


# %% task="keras-parity"
def copy_weights_to_keras(layer, keras_layer):
    _, num_heads, head_dim = keras_layer.weights[0].shape
    copied = []
    for dense in (layer.query_dense, layer.key_dense, layer.value_dense):
        kernel, bias = dense.get_weights()
        kernel = kernel.reshape(-1, num_heads, head_dim)
        bias = bias.reshape(num_heads, head_dim)
        copied += [kernel, bias]
    kernel, bias = layer.output_dense.get_weights()
    kernel = kernel.reshape(num_heads, head_dim, -1)
    copied += [kernel, bias]
    keras_layer.set_weights(copied)
