# %% [markdown]
# a Python loop over slices of the features, masks cut for each head, results as lists


# %% task="split-heads"
def split_heads(x, num_heads):
    x = np.array(x)
    if x.shape[2] % num_heads:
        raise ValueError("x has d_model = %s features, which num_heads = %s does not divide" % (x.shape[2], num_heads))
    size = x.shape[2] // num_heads
    return [[sequence[:, h * size : (h + 1) * size].tolist() for h in range(num_heads)] for sequence in x]


# %% task="merge-heads"
def merge_heads(x):
    return [np.hstack(list(heads)).tolist() for heads in x]


# %% task="multi-head"
def multi_head_attention(query, key, value, num_heads, mask=None):
    d_k = query.shape[-1] // num_heads
    d_v = value.shape[-1] // num_heads
    outputs, weights = [], []
    for h in range(num_heads):
        q, k = query[:, :, h * d_k : (h + 1) * d_k], key[:, :, h * d_k : (h + 1) * d_k]
        v = value[:, :, h * d_v : (h + 1) * d_v]
        head_mask = mask
        if mask is not None and np.ndim(mask) == 4:
            head_mask = mask[:, 0]
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(d_k)
        if head_mask is not None:
            scores = scores + head_mask * -1e9
        w = np.exp(scores - scores.max(-1, keepdims=True))
        w = w / w.sum(-1, keepdims=True)
        outputs.append(w @ v)
        weights.append(w)
    return np.concatenate(outputs, -1), np.stack(weights, 1)


# %% task="multi-head-layer"
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model, got num_heads={num_heads} and d_model={d_model}")
        self.d_model = d_model
        self.num_heads = num_heads

    def build(self, *shapes, **named_shapes):
        self.query_dense = keras.layers.Dense(self.d_model, name="q")
        self.key_dense = keras.layers.Dense(self.d_model, name="k")
        self.value_dense = keras.layers.Dense(self.d_model, name="v")
        self.output_dense = keras.layers.Dense(self.d_model, name="o")
        self.built = True

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        q = keras.ops.split(self.query_dense(query), self.num_heads, axis=-1)
        k = keras.ops.split(self.key_dense(key), self.num_heads, axis=-1)
        v = keras.ops.split(self.value_dense(value), self.num_heads, axis=-1)
        outputs, weights = [], []
        for h in range(self.num_heads):
            scores = keras.ops.matmul(q[h], keras.ops.transpose(k[h], (0, 2, 1))) / np.sqrt(self.d_model // self.num_heads)
            if mask is not None:
                head_mask = keras.ops.squeeze(mask, 1) if len(mask.shape) == 4 else mask
                scores = scores + keras.ops.cast(head_mask, "float32") * -1e9
            weights.append(keras.ops.softmax(scores))
            outputs.append(keras.ops.matmul(weights[-1], v[h]))
        output = self.output_dense(keras.ops.concatenate(outputs, axis=-1))
        return (output, keras.ops.stack(weights, axis=1)) if return_attention_scores else output


# %% task="parameter-count"
def mha_parameter_count(input_dim, num_heads, key_dim, value_dim=None, output_dim=None):
    layer = keras.layers.MultiHeadAttention(num_heads, key_dim, value_dim=value_dim, output_shape=output_dim)
    layer.build((1, 2, input_dim), (1, 2, input_dim))
    return layer.count_params()
