# %% [markdown]
# heads folded into the batch axis, boolean masks, float32 casts, the layer with a helper function outside


# %% task="split-heads"
def split_heads(x, num_heads):
    x = keras.ops.cast(x, "float32")
    if x.shape[-1] % num_heads:
        raise ValueError(f"num_heads ({num_heads}) has to divide d_model ({x.shape[-1]})")
    return keras.ops.stack(keras.ops.split(x, num_heads, axis=-1), axis=1)


# %% task="merge-heads"
def merge_heads(x):
    return keras.ops.concatenate(keras.ops.unstack(keras.ops.convert_to_tensor(x, "float32"), axis=1), axis=-1)


# %% task="multi-head"
def _fold(x, num_heads):
    # (batch, len, width) -> (num_heads * batch, len, width / num_heads), head by head
    return keras.ops.concatenate(keras.ops.split(keras.ops.cast(x, "float32"), num_heads, axis=-1), axis=0)

def multi_head_attention(query, key, value, num_heads, mask=None):
    q, k, v = _fold(query, num_heads), _fold(key, num_heads), _fold(value, num_heads)
    scores = keras.ops.matmul(q, keras.ops.transpose(k, (0, 2, 1))) / np.sqrt(q.shape[-1]).astype("float32")
    batch = scores.shape[0] // num_heads
    scores = keras.ops.transpose(keras.ops.reshape(scores, (num_heads, batch, *scores.shape[1:])), (1, 0, 2, 3))
    if mask is not None:
        keep = keras.ops.logical_not(keras.ops.cast(mask, "bool"))
        scores = keras.ops.where(keep, scores, -1e9)
    weights = keras.ops.softmax(scores, axis=-1)
    folded = keras.ops.reshape(keras.ops.transpose(weights, (1, 0, 2, 3)), (num_heads * batch, *weights.shape[2:]))
    output = keras.ops.concatenate(keras.ops.split(keras.ops.matmul(folded, v), num_heads, axis=0), axis=-1)
    return output, weights


# %% task="multi-head-layer"
def attend(q, k, v, keep):
    scores = keras.ops.matmul(q, keras.ops.transpose(k, (0, 1, 3, 2))) / keras.ops.sqrt(keras.ops.cast(q.shape[-1], q.dtype))
    if keep is not None:
        scores = keras.ops.where(keep, scores, keras.ops.full_like(scores, -1e9))
    weights = keras.ops.exp(scores - keras.ops.logsumexp(scores, axis=-1, keepdims=True))
    return keras.ops.matmul(weights, v), weights


@keras.saving.register_keras_serializable(package="student")
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.query_dense, self.key_dense = keras.layers.Dense(d_model), keras.layers.Dense(d_model)
        self.value_dense, self.output_dense = keras.layers.Dense(d_model), keras.layers.Dense(d_model)
        self.supports_masking = True
        self.cut = keras.layers.Reshape((-1, self.num_heads, self.head_dim))
        self.swap = keras.layers.Permute((2, 1, 3))
        self.join = keras.layers.Reshape((-1, d_model))

    def compute_mask(self, *args, **kwargs):
        return None

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        q, k, v = (self.swap(self.cut(dense(x))) for dense, x in ((self.query_dense, query), (self.key_dense, key), (self.value_dense, value)))
        keep = None if mask is None else keras.ops.equal(mask, 0)
        output, weights = attend(q, k, v, keep)
        output = self.output_dense(self.join(self.swap(output)))
        return (output, weights) if return_attention_scores else output

    def get_config(self):
        return dict(super().get_config(), d_model=self.num_heads * self.head_dim, num_heads=self.num_heads)


# %% task="parameter-count"
def mha_parameter_count(input_dim, num_heads, key_dim, value_dim=None, output_dim=None):
    def dense(inputs, units):
        return (inputs + 1) * units

    if value_dim is None:
        value_dim = key_dim
    if output_dim is None:
        output_dim = input_dim
    width = num_heads * value_dim
    return np.int64(2 * dense(input_dim, num_heads * key_dim) + dense(input_dim, width) + dense(width, output_dim))


# %% task="keras-parity"
def copy_weights_to_keras(layer, keras_layer):
    heads, size = keras_layer.num_heads, keras_layer.key_dim

    def cut(kernel):
        columns = [kernel[:, h * size : (h + 1) * size] for h in range(heads)]
        return np.stack(columns, axis=1)

    weights = []
    for dense in (layer.query_dense, layer.key_dense, layer.value_dense):
        kernel, bias = (keras.ops.convert_to_numpy(w) for w in (dense.kernel, dense.bias))
        weights.append(cut(kernel))
        weights.append(np.array(np.split(bias, heads)))
    weights.append(np.array(np.split(keras.ops.convert_to_numpy(layer.output_dense.kernel), heads, axis=0)))
    weights.append(layer.output_dense.bias.numpy())
    keras_layer.set_weights(weights)
