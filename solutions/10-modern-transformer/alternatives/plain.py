# %% [markdown]
# plain NumPy in functions, Keras's own Dense in layers, tokens as bytes


# %% task="bpe-train"
def train_bpe(text, num_merges):
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in re.findall(r"\s?\S+|\s+", text)]
    merges = []
    for _ in range(num_merges):
        counts = {}
        for word in words:
            for left, right in zip(word, word[1:]):
                counts[left, right] = counts.get((left, right), 0) + 1
        if not counts:
            break
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        for word in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i : i + 2] = [best[0] + best[1]]
                i += 1
    return merges


# %% task="bpe-encode"
def bpe_encode(text, merges):
    ids = {bytes([b]): b for b in range(256)}
    for i, (left, right) in enumerate(merges):
        ids[left + right] = 256 + i
    result = []
    for piece in re.findall(r"\s?\S+|\s+", text):
        tokens = [bytes([b]) for b in piece.encode("utf-8")]
        for left, right in merges:
            i = 0
            while i < len(tokens) - 1:
                if tokens[i] == left and tokens[i + 1] == right:
                    tokens[i : i + 2] = [left + right]
                i += 1
        result.extend(ids[token] for token in tokens)
    return result


def bpe_decode(ids, merges):
    data = b""
    for i in ids:
        data += bytes([i]) if i < 256 else merges[i - 256][0] + merges[i - 256][1]
    return data.decode("utf-8", errors="replace")


# %% task="rotary"
def rotary(x, positions, base=10000.0, interleaved=True):
    x = np.asarray(x)
    head_dim = x.shape[-1]
    if head_dim % 2:
        raise ValueError(f"head_dim must be even. Received: head_dim={head_dim}")
    rates = base ** (-2 * np.arange(head_dim // 2) / head_dim)
    angles = np.asarray(positions)[:, None] * rates
    cos, sin = np.cos(angles), np.sin(angles)
    if interleaved:
        first, second = x[..., 0::2], x[..., 1::2]
    else:
        first, second = x[..., : head_dim // 2], x[..., head_dim // 2 :]
    result = np.empty(x.shape)
    new_first = first * cos - second * sin
    new_second = first * sin + second * cos
    if interleaved:
        result[..., 0::2] = new_first
        result[..., 1::2] = new_second
    else:
        result[..., : head_dim // 2] = new_first
        result[..., head_dim // 2 :] = new_second
    return result


# %% task="rms-norm"
class RMSNorm(keras.layers.Layer):
    def __init__(self, epsilon=1e-6, **kwargs):
        super().__init__(**kwargs)
        self.epsilon = epsilon

    def build(self, input_shape):
        self.scale = self.add_weight(shape=(input_shape[-1],), initializer="ones", name="scale")

    def call(self, inputs):
        x = ops.cast(inputs, "float32")
        mean_square = ops.mean(x * x, axis=-1, keepdims=True)
        return ops.cast(x / ops.sqrt(mean_square + self.epsilon) * ops.cast(self.scale, "float32"), inputs.dtype)

    def get_config(self):
        config = super().get_config()
        config["epsilon"] = self.epsilon
        return config


# %% task="swiglu"
class SwiGLU(keras.layers.Layer):
    def __init__(self, ff_dim, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim = ff_dim
        self.gate = keras.layers.Dense(ff_dim, use_bias=False)
        self.up = keras.layers.Dense(ff_dim, use_bias=False)

    def build(self, input_shape):
        self.down = keras.layers.Dense(input_shape[-1], use_bias=False)

    def call(self, inputs):
        gate = self.gate(inputs)
        return self.down(gate * ops.sigmoid(gate) * self.up(inputs))

    def get_config(self):
        config = super().get_config()
        config["ff_dim"] = self.ff_dim
        return config


# %% task="grouped-attention"
class GroupedQueryAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, num_kv_heads, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads != 0:
            raise ValueError(f"d_model must be divisible by num_heads. Received: d_model={d_model}, num_heads={num_heads}")
        if num_heads % num_kv_heads != 0:
            raise ValueError(
                f"num_heads must be divisible by num_kv_heads. Received: num_heads={num_heads}, num_kv_heads={num_kv_heads}"
            )
        self.d_model = d_model
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.head_dim = d_model // num_heads
        self.query_dense = keras.layers.Dense(num_heads * self.head_dim, use_bias=False)
        self.key_dense = keras.layers.Dense(num_kv_heads * self.head_dim, use_bias=False)
        self.value_dense = keras.layers.Dense(num_kv_heads * self.head_dim, use_bias=False)
        self.output_dense = keras.layers.Dense(d_model, use_bias=False)

    def split(self, x, heads):
        batch, seq_len = x.shape[0], x.shape[1]
        return ops.transpose(ops.reshape(x, (batch, seq_len, heads, self.head_dim)), (0, 2, 1, 3))

    def call(self, x, cache=None):
        batch, seq_len = x.shape[0], x.shape[1]
        q = self.split(self.query_dense(x), self.num_heads)
        k = self.split(self.key_dense(x), self.num_kv_heads)
        v = self.split(self.value_dense(x), self.num_kv_heads)
        past = 0 if cache is None else cache[0].shape[2]
        positions = np.arange(past, past + seq_len)
        q = ops.cast(rotary(q, positions), "float32")
        k = ops.cast(rotary(k, positions), "float32")
        if cache is not None:
            k = ops.concatenate([cache[0], k], axis=2)
            v = ops.concatenate([cache[1], v], axis=2)
        group = self.num_heads // self.num_kv_heads
        keys = ops.repeat(k, group, axis=1)
        values = ops.repeat(v, group, axis=1)
        scores = ops.matmul(q, ops.transpose(keys, (0, 1, 3, 2))) / np.sqrt(self.head_dim)
        future = np.arange(past + seq_len)[None, :] > positions[:, None]
        scores = ops.where(future, -1e9, scores)
        heads = ops.matmul(ops.softmax(scores, axis=-1), values)
        merged = ops.reshape(ops.transpose(heads, (0, 2, 1, 3)), (batch, seq_len, self.d_model))
        return self.output_dense(merged), (k, v)

    def get_config(self):
        config = super().get_config()
        config.update(d_model=self.d_model, num_heads=self.num_heads, num_kv_heads=self.num_kv_heads)
        return config


# %% task="window-mask"
def create_window_mask(size, window, sinks=0):
    mask = np.ones((size, size))
    for i in range(size):
        for j in range(i + 1):
            if i - j < window or j < sinks:
                mask[i, j] = 0.0
    return mask


# %% task="streaming-softmax"
def streaming_attention(query, key, value, block_size, mask=None):
    query, key, value = np.asarray(query), np.asarray(key), np.asarray(value)
    shape = query.shape[:-1]
    key_len = key.shape[-2]
    if mask is not None:
        mask = np.broadcast_to(np.asarray(mask), (*shape, key_len))
    maximum = np.full((*shape, 1), -np.inf)
    total = np.zeros((*shape, 1))
    output = np.zeros((*shape, value.shape[-1]))
    for start in range(0, key_len, block_size):
        stop = min(start + block_size, key_len)
        scores = query @ np.swapaxes(key[..., start:stop, :], -1, -2) / np.sqrt(query.shape[-1])
        if mask is not None:
            scores = np.where(mask[..., start:stop] > 0.5, -np.inf, scores)
        new = np.maximum(maximum, np.max(scores, axis=-1, keepdims=True))
        shift = np.where(np.isinf(new), 0.0, new)
        weights = np.exp(scores - shift)
        correction = np.exp(maximum - shift)
        total = total * correction + np.sum(weights, axis=-1, keepdims=True)
        output = output * correction + weights @ value[..., start:stop, :]
        maximum = new
    return np.where(total > 0, output / np.where(total > 0, total, 1.0), 0.0)
