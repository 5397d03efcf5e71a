# %% [markdown]
# keras.ops throughout; tokens as ids, the lowest rank first; rotary by rotating halves or neighbours; streaming over slices of tensors


# %% task="bpe-train"
def train_bpe(text, num_merges):
    pieces = Counter(re.findall(r"\s?\S+|\s+", text))
    spelled = {i: bytes([i]) for i in range(256)}
    words = {piece: list(piece.encode()) for piece in pieces}
    merges = []
    for new in range(256, 256 + num_merges):
        counts = Counter()
        for piece, ids in words.items():
            for pair in zip(ids[:-1], ids[1:]):
                counts[pair] += pieces[piece]
        if len(counts) == 0:
            break
        top = max(counts.values())
        a, b = max((p for p in counts if counts[p] == top), key=lambda p: (spelled[p[0]], spelled[p[1]]))
        spelled[new] = spelled[a] + spelled[b]
        merges.append((spelled[a], spelled[b]))
        for piece, ids in words.items():
            merged, i = [], 0
            while i < len(ids):
                if i + 1 < len(ids) and ids[i] == a and ids[i + 1] == b:
                    merged.append(new)
                    i += 2
                else:
                    merged.append(ids[i])
                    i += 1
            words[piece] = merged
    return merges


# %% task="bpe-encode"
def bpe_encode(text, merges):
    rank = {pair: i for i, pair in enumerate(merges)}
    out = []
    for piece in re.findall(r"\s?\S+|\s+", text):
        parts = [bytes([b]) for b in piece.encode()]
        while len(parts) > 1:
            ranked = [(rank.get((parts[i], parts[i + 1]), len(merges)), i) for i in range(len(parts) - 1)]
            best, place = min(ranked)
            if best == len(merges):
                break
            parts = parts[:place] + [parts[place] + parts[place + 1]] + parts[place + 2 :]
        whole = {a + b: 256 + i for (a, b), i in rank.items()}
        out += [part[0] if len(part) == 1 else whole[part] for part in parts]
    return np.array(out, dtype="int64")


def bpe_decode(ids, merges):
    vocabulary = [bytes([i]) for i in range(256)]
    vocabulary.extend(a + b for a, b in merges)
    return b"".join([vocabulary[i] for i in ids]).decode("utf-8", "replace")


# %% task="rotary"
def rotary(x, positions, base=10000.0, interleaved=True):
    x = ops.convert_to_tensor(x)
    head_dim = int(x.shape[-1])
    if head_dim % 2 == 1:
        raise ValueError(f"`head_dim` should be even, but got head_dim={head_dim}.")
    half = head_dim // 2
    rates = ops.power(ops.cast(base, "float32"), -2.0 * ops.arange(half, dtype="float32") / head_dim)
    angles = ops.expand_dims(ops.cast(ops.convert_to_tensor(positions), "float32"), -1) * rates
    if interleaved:
        angles = ops.repeat(angles, 2, axis=-1)
        pairs = ops.reshape(x, (*x.shape[:-1], half, 2))
        rotated = ops.reshape(ops.stack([-pairs[..., 1], pairs[..., 0]], axis=-1), x.shape)
    else:
        angles = ops.concatenate([angles, angles], axis=-1)
        rotated = ops.concatenate([-x[..., half:], x[..., :half]], axis=-1)
    return x * ops.cast(ops.cos(angles), x.dtype) + rotated * ops.cast(ops.sin(angles), x.dtype)


# %% task="rms-norm"
class RMSNorm(keras.layers.Layer):
    def __init__(self, epsilon=1e-6, **kwargs):
        super().__init__(**kwargs)
        self.epsilon = float(epsilon)

    def build(self, input_shape):
        self.gain = self.add_weight(name="gain", shape=(int(input_shape[-1]),), initializer=keras.initializers.Ones())

    def call(self, inputs):
        x = ops.cast(inputs, "float32")
        return ops.rsqrt(ops.mean(ops.square(x), axis=-1, keepdims=True) + self.epsilon) * x * ops.cast(self.gain, "float32")

    def get_config(self):
        return dict(super().get_config(), epsilon=self.epsilon)


# %% task="swiglu"
class SwiGLU(keras.layers.Layer):
    def __init__(self, ff_dim, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim = ff_dim

    def build(self, input_shape):
        dim = input_shape[-1]
        self.w_down = self.add_weight(shape=(self.ff_dim, dim), initializer="glorot_uniform", name="down")
        self.w_up = self.add_weight(shape=(dim, self.ff_dim), initializer="glorot_uniform", name="up")
        self.w_gate = self.add_weight(shape=(dim, self.ff_dim), initializer="glorot_uniform", name="gate")

    def call(self, x):
        return (keras.activations.silu(x @ self.w_gate) * (x @ self.w_up)) @ self.w_down

    def get_config(self):
        return {**super().get_config(), "ff_dim": self.ff_dim}


# %% task="grouped-attention"
class GroupedQueryAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, num_kv_heads, **kwargs):
        super().__init__(**kwargs)
        for name, value, of, whole in (
            ("num_heads", num_heads, "d_model", d_model),
            ("num_kv_heads", num_kv_heads, "num_heads", num_heads),
        ):
            if whole % value:
                raise ValueError(f"{name} must divide {of}, received {name}={value} and {of}={whole}")
        self.d_model, self.num_heads, self.num_kv_heads = d_model, num_heads, num_kv_heads
        self.head_dim = d_model // num_heads

    def build(self, x_shape):
        d, h, kv, hd = self.d_model, self.num_heads, self.num_kv_heads, self.head_dim
        self.wq = self.add_weight(shape=(d, h, hd), initializer="glorot_uniform", name="wq")
        self.wk = self.add_weight(shape=(d, kv, hd), initializer="glorot_uniform", name="wk")
        self.wv = self.add_weight(shape=(d, kv, hd), initializer="glorot_uniform", name="wv")
        self.wo = self.add_weight(shape=(h, hd, d), initializer="glorot_uniform", name="wo")

    def call(self, x, cache=None):
        past_len = 0
        if cache is not None:
            old_keys, old_values = cache
            past_len = ops.shape(old_keys)[2]
        seq_len = ops.shape(x)[1]
        where = ops.arange(past_len, past_len + seq_len)
        query = rotary(ops.einsum("bsd,dhe->bhse", x, self.wq), where)
        keys = rotary(ops.einsum("bsd,dke->bkse", x, self.wk), where)
        values = ops.einsum("bsd,dke->bkse", x, self.wv)
        if cache is not None:
            keys = ops.concatenate([old_keys, keys], axis=-2)
            values = ops.concatenate([old_values, values], axis=-2)
        outputs = []
        hidden = ops.expand_dims(where, 1) < ops.expand_dims(ops.arange(past_len + seq_len), 0)
        for head in range(self.num_heads):
            shared = head // (self.num_heads // self.num_kv_heads)
            scores = ops.einsum("bqe,bke->bqk", query[:, head], keys[:, shared]) * self.head_dim**-0.5
            weights = ops.softmax(scores + ops.cast(hidden, scores.dtype) * -1e9)
            outputs.append(ops.einsum("bqk,bke->bqe", weights, values[:, shared]))
        return ops.einsum("bqhe,hed->bqd", ops.stack(outputs, axis=2), self.wo), (keys, values)

    def get_config(self):
        config = {"d_model": self.d_model, "num_heads": self.num_heads, "num_kv_heads": self.num_kv_heads}
        return {**super().get_config(), **config}


# %% task="window-mask"
def create_window_mask(size, window, sinks=0):
    index = ops.arange(size)
    distance = ops.expand_dims(index, 1) - ops.expand_dims(index, 0)
    outside = ops.logical_and(distance >= window, ops.expand_dims(index, 0) >= sinks)
    return ops.cast(ops.logical_or(distance < 0, outside), "float32")


# %% task="streaming-softmax"
def streaming_attention(query, key, value, block_size, mask=None):
    query, key, value = (ops.cast(x, "float32") for x in (query, key, value))
    scale = 1.0 / float(query.shape[-1]) ** 0.5
    key_len = key.shape[-2]
    highest = ops.full((*query.shape[:-1], 1), -1e30)
    total = ops.zeros_like(highest)
    acc = ops.zeros((*query.shape[:-1], value.shape[-1]))
    if mask is not None:
        mask = ops.cast(mask, "bool")
    for start in range(0, key_len, block_size):
        end = start + block_size
        scores = scale * ops.matmul(query, ops.swapaxes(key[..., start:end, :], -1, -2))
        if mask is not None:
            visible = ops.logical_not(ops.broadcast_to(mask[..., start:end], scores.shape))
            scores = ops.where(visible, scores, -1e30)
        new = ops.maximum(highest, ops.max(scores, axis=-1, keepdims=True))
        p = ops.exp(scores - new)
        if mask is not None:
            p = ops.where(visible, p, 0.0)
        alpha = ops.exp(highest - new)
        total = alpha * total + ops.sum(p, axis=-1, keepdims=True)
        acc = alpha * acc + ops.matmul(p, value[..., start:end, :])
        highest = new
    return ops.where(total > 0, acc / ops.maximum(total, 1e-30), 0.0)
