# %% [markdown] backends="tensorflow"
# `tf.*` throughout, in float32


# %% task="rotary"
def rotary(x, positions, base=10000.0, interleaved=True):
    import tensorflow as tf

    x = tf.cast(x, tf.float32)
    head_dim = x.shape[-1]
    if head_dim % 2:
        raise ValueError(f"head_dim has to be even, it is {head_dim}")
    exponents = tf.range(0, head_dim, 2, dtype=tf.float32) / head_dim
    angles = tf.einsum("p,f->pf", tf.cast(positions, tf.float32), tf.pow(tf.cast(base, tf.float32), -exponents))
    if interleaved:
        pairs = tf.reshape(x, tf.concat([tf.shape(x)[:-1], [head_dim // 2, 2]], axis=0))
        z = tf.complex(pairs[..., 0], pairs[..., 1])
    else:
        z = tf.complex(*tf.split(x, 2, axis=-1))
    z = z * tf.exp(tf.complex(tf.zeros_like(angles), angles))
    if interleaved:
        return tf.reshape(tf.stack([tf.math.real(z), tf.math.imag(z)], axis=-1), tf.shape(x))
    return tf.concat([tf.math.real(z), tf.math.imag(z)], axis=-1)


# %% task="rms-norm"
class RMSNorm(keras.layers.Layer):
    def __init__(self, epsilon=1e-6, **kwargs):
        super().__init__(**kwargs)
        self.epsilon = epsilon

    def build(self, input_shape):
        self.scale = self.add_weight(name="scale", shape=(input_shape[-1],), initializer="ones")

    def call(self, inputs):
        import tensorflow as tf

        x = tf.cast(inputs, tf.float32)
        x = x * tf.math.rsqrt(tf.reduce_mean(tf.square(x), axis=-1, keepdims=True) + self.epsilon)
        return tf.cast(tf.cast(self.scale, tf.float32) * x, inputs.dtype)

    def get_config(self):
        return {**super().get_config(), "epsilon": self.epsilon}


# %% task="swiglu"
class SwiGLU(keras.layers.Layer):
    def __init__(self, ff_dim, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim = ff_dim

    def build(self, input_shape):
        dim = input_shape[-1]
        self.kernels = self.add_weight(name="kernels", shape=(2, dim, self.ff_dim), initializer="glorot_uniform")
        self.down = self.add_weight(name="down", shape=(self.ff_dim, dim), initializer="glorot_uniform")

    def call(self, inputs):
        import tensorflow as tf

        gate, up = tf.unstack(tf.einsum("...d,kdf->k...f", inputs, tf.convert_to_tensor(self.kernels)))
        return tf.einsum("...f,fd->...d", tf.nn.silu(gate) * up, tf.convert_to_tensor(self.down))

    def get_config(self):
        return {**super().get_config(), "ff_dim": self.ff_dim}


# %% task="grouped-attention"
class GroupedQueryAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, num_kv_heads, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
        if num_heads % num_kv_heads != 0:
            raise ValueError(f"num_heads={num_heads} is not divisible by num_kv_heads={num_kv_heads}")
        self.d_model, self.num_heads, self.num_kv_heads = d_model, num_heads, num_kv_heads
        self.head_dim = d_model // num_heads
        self.wq = keras.layers.Dense(d_model, use_bias=False)
        self.wk = keras.layers.Dense(num_kv_heads * self.head_dim, use_bias=False)
        self.wv = keras.layers.Dense(num_kv_heads * self.head_dim, use_bias=False)
        self.wo = keras.layers.Dense(d_model, use_bias=False)

    def call(self, x, cache=None):
        import tensorflow as tf

        def heads(y):
            shape = tf.shape(y)
            return tf.transpose(tf.reshape(y, (shape[0], shape[1], -1, self.head_dim)), (0, 2, 1, 3))

        new = tf.shape(x)[1]
        past = 0 if cache is None else tf.shape(cache[0])[2]
        positions = tf.range(past, past + new)
        query = tf.cast(rotary(heads(self.wq(x)), positions), tf.float32)
        keys, values = tf.cast(rotary(heads(self.wk(x)), positions), tf.float32), heads(self.wv(x))
        if cache is not None:
            keys = tf.concat([cache[0], keys], axis=2)
            values = tf.concat([cache[1], values], axis=2)
        group = self.num_heads // self.num_kv_heads
        scores = tf.matmul(query, tf.repeat(keys, group, axis=1), transpose_b=True) / tf.sqrt(float(self.head_dim))
        seen = tf.sequence_mask(positions + 1, past + new, dtype=tf.float32)
        weights = tf.nn.softmax(scores - 1e9 * (1.0 - seen))
        mixed = tf.transpose(tf.matmul(weights, tf.repeat(values, group, axis=1)), (0, 2, 1, 3))
        return self.wo(tf.reshape(mixed, tf.shape(x))), (keys, values)

    def get_config(self):
        sizes = {"d_model": self.d_model, "num_heads": self.num_heads, "num_kv_heads": self.num_kv_heads}
        return {**super().get_config(), **sizes}


# %% task="window-mask"
def create_window_mask(size, window, sinks=0):
    import tensorflow as tf

    ones = tf.ones((size, size))
    causal = tf.linalg.band_part(ones, -1, 0)
    near = tf.linalg.band_part(ones, min(window, size) - 1, 0)
    sink = causal * tf.cast(tf.range(size) < sinks, tf.float32)
    return 1.0 - tf.maximum(near, sink)


# %% task="streaming-softmax"
def streaming_attention(query, key, value, block_size, mask=None):
    import tensorflow as tf

    query, key, value = (tf.cast(x, tf.float32) for x in (query, key, value))
    query = query / tf.sqrt(tf.cast(tf.shape(query)[-1], tf.float32))
    rows = tf.shape(query)[:-1]
    highest = tf.fill(tf.concat([rows, [1]], 0), tf.float32.min)
    total = tf.zeros_like(highest)
    output = tf.zeros(tf.concat([rows, tf.shape(value)[-1:]], 0))
    for start in range(0, key.shape[-2], block_size):
        block = slice(start, min(start + block_size, key.shape[-2]))
        scores = tf.matmul(query, key[..., block, :], transpose_b=True)
        kept = tf.ones_like(scores) if mask is None else 1.0 - tf.cast(mask[..., block], tf.float32) + tf.zeros_like(scores)
        scores = tf.where(kept > 0, scores, tf.float32.min)
        new = tf.maximum(highest, tf.reduce_max(scores, axis=-1, keepdims=True))
        shrink = tf.exp(highest - new)
        weights = tf.exp(scores - new) * kept
        total = total * shrink + tf.reduce_sum(weights, axis=-1, keepdims=True)
        output = output * shrink + tf.matmul(weights, value[..., block, :])
        highest = new
    return tf.math.divide_no_nan(output, total)
