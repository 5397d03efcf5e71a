# %% [markdown]
# `keras.ops.while_loop` over blocks of padded keys; einsum layers; a mask by distances


# %% task="swiglu"
class SwiGLU(keras.layers.Layer):
    def __init__(self, ff_dim, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim = ff_dim

    def build(self, input_shape):
        dim = int(input_shape[-1])
        self.gate = self.add_weight(shape=(dim, 2, self.ff_dim), initializer="glorot_uniform", name="gate_and_up")
        self.down = self.add_weight(shape=(self.ff_dim, dim), initializer="glorot_uniform", name="down")

    def call(self, inputs):
        both = ops.einsum("...d,dkf->...kf", inputs, self.gate)
        return ops.einsum("...f,fd->...d", ops.silu(both[..., 0, :]) * both[..., 1, :], self.down)

    def get_config(self):
        config = super().get_config()
        config.update({"ff_dim": self.ff_dim})
        return config


# %% task="grouped-attention"
class GroupedQueryAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, num_kv_heads, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads or num_heads % num_kv_heads:
            raise ValueError(
                f"d_model % num_heads and num_heads % num_kv_heads must be 0: "
                f"d_model={d_model}, num_heads={num_heads}, num_kv_heads={num_kv_heads}"
            )
        self.d_model, self.num_heads, self.num_kv_heads = d_model, num_heads, num_kv_heads
        self.head_dim = d_model // num_heads
        self.q = keras.layers.EinsumDense("bsd,dhe->bhse", output_shape=(num_heads, None, self.head_dim))
        self.kv = keras.layers.EinsumDense("bsd,dhe->bhse", output_shape=(2 * num_kv_heads, None, self.head_dim))
        self.o = keras.layers.EinsumDense("bhse,hed->bsd", output_shape=(None, d_model))

    def call(self, x, cache=None):
        q, kv = self.q(x), self.kv(x)
        k, v = kv[:, : self.num_kv_heads], kv[:, self.num_kv_heads :]
        past = 0 if cache is None else cache[0].shape[2]
        where = past + np.arange(x.shape[1])
        q, k = ops.cast(rotary(q, where), x.dtype), ops.cast(rotary(k, where), x.dtype)
        if cache is not None:
            k, v = (ops.concatenate(pair, axis=2) for pair in zip(cache, (k, v), strict=True))
        batch, _, length, size = k.shape
        grouped = ops.reshape(q, (batch, self.num_kv_heads, -1, size))  # the queries of a group one after another
        scores = ops.reshape(grouped @ ops.swapaxes(k, 2, 3), (batch, self.num_heads, -1, length)) * size**-0.5
        scores = scores + ops.where(np.arange(length) > where[:, None], -1e9, 0.0)
        weights = ops.reshape(ops.softmax(scores), (batch, self.num_kv_heads, -1, length))
        return self.o(ops.reshape(weights @ v, q.shape)), (k, v)

    def get_config(self):
        config = super().get_config()
        config.update({"d_model": self.d_model, "num_heads": self.num_heads, "num_kv_heads": self.num_kv_heads})
        return config


# %% task="window-mask"
def create_window_mask(size, window, sinks=0):
    distance = np.subtract.outer(np.arange(size), np.arange(size))
    mask = np.where((distance >= 0) & (distance < window), 0.0, 1.0)
    for sink in range(min(sinks, size)):
        mask[sink:, sink] = 0.0
    return mask


# %% task="streaming-softmax"
def streaming_attention(query, key, value, block_size, mask=None):
    query, key, value = (ops.convert_to_tensor(x, dtype="float32") for x in (query, key, value))
    key_len, size = key.shape[-2], min(block_size, key.shape[-2])
    num_blocks = -(-key_len // size)
    padding = num_blocks * size - key_len
    wide = [(0, 0)] * (len(key.shape) - 2) + [(0, padding), (0, 0)]
    key, value = ops.pad(key, wide), ops.pad(value, wide)
    hidden = ops.zeros((1, key_len)) if mask is None else ops.cast(mask, "float32")
    hidden = ops.pad(hidden, [(0, 0)] * (len(hidden.shape) - 1) + [(0, padding)], constant_values=1.0)
    scale = float(query.shape[-1]) ** -0.5

    def step(i, highest, total, output):
        places = i * size + ops.arange(size)
        scores = scale * ops.matmul(query, ops.swapaxes(ops.take(key, places, axis=-2), -1, -2))
        kept = 1.0 - ops.take(hidden, places, axis=-1)
        scores = ops.where(kept > 0.5, scores, -1e30)
        new = ops.maximum(highest, ops.max(scores, axis=-1, keepdims=True))
        shrink, weights = ops.exp(highest - new), ops.exp(scores - new) * kept
        total = total * shrink + ops.sum(weights, axis=-1, keepdims=True)
        return i + 1, new, total, output * shrink + ops.matmul(weights, ops.take(value, places, axis=-2))

    rows = tuple(query.shape[:-1])
    start = (0, ops.full((*rows, 1), -1e30), ops.zeros((*rows, 1)), ops.zeros((*rows, value.shape[-1])))
    _, _, total, output = ops.while_loop(lambda i, *_: i < num_blocks, step, start)
    return ops.where(total > 0, output / ops.where(total > 0, total, 1.0), 0.0)
