# %% [markdown]
# kernels (outputs, inputs) as PyTorch has them; keys cached before they are turned; pairs of ids looked up by their ranks; keys padded
# to whole blocks


# %% task="bpe-encode"
def bpe_encode(text, merges):
    whole = {pair: i for i, pair in enumerate(merges)}

    def spelled(i):
        return bytes([i]) if i < 256 else b"".join(merges[i - 256])

    ids = []
    for piece in re.findall(r"\s?\S+|\s+", text):
        row = list(piece.encode("utf-8"))
        while True:
            ranks = [whole.get((spelled(a), spelled(b)), float("inf")) for a, b in zip(row, row[1:])]
            if not ranks or min(ranks) == float("inf"):
                break
            place = int(np.argmin(ranks))
            row[place : place + 2] = [256 + ranks[place]]
        ids.extend(row)
    return ids


def bpe_decode(ids, merges):
    table = {i: bytes([i]) for i in range(256)}
    for i, pair in enumerate(merges, start=256):
        table[i] = pair[0] + pair[1]
    return b"".join(table[i] for i in list(ids)).decode("utf-8", errors="replace")


# %% task="swiglu"
class SwiGLU(keras.layers.Layer):
    def __init__(self, ff_dim, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim = ff_dim

    def build(self, input_shape):
        dim = input_shape[-1]
        self.w1 = self.add_weight(shape=(self.ff_dim, dim), initializer="he_normal", name="w1")
        self.w2 = self.add_weight(shape=(dim, self.ff_dim), initializer="he_normal", name="w2")
        self.w3 = self.add_weight(shape=(self.ff_dim, dim), initializer="he_normal", name="w3")

    def call(self, x):
        gate = ops.matmul(x, ops.transpose(self.w1))
        return ops.matmul(gate / (1 + ops.exp(-gate)) * ops.matmul(x, ops.transpose(self.w3)), ops.transpose(self.w2))

    def get_config(self):
        return {**super().get_config(), "ff_dim": self.ff_dim}


# %% task="grouped-attention"
class GroupedQueryAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, num_kv_heads, **kwargs):
        super().__init__(**kwargs)
        self.d_model, self.num_heads, self.num_kv_heads = d_model, num_heads, num_kv_heads
        self.head_dim, rest = divmod(d_model, num_heads)
        if rest:
            raise ValueError(f"d_model ({d_model}) must be a multiple of num_heads ({num_heads})")
        if num_heads % num_kv_heads:
            raise ValueError(f"num_heads ({num_heads}) must be a multiple of num_kv_heads ({num_kv_heads})")

    def build(self, x_shape):
        d, narrow = self.d_model, self.num_kv_heads * self.head_dim
        self.o_proj = self.add_weight(shape=(d, d), initializer="glorot_uniform", name="o_proj")
        self.v_proj = self.add_weight(shape=(narrow, d), initializer="glorot_uniform", name="v_proj")
        self.k_proj = self.add_weight(shape=(narrow, d), initializer="glorot_uniform", name="k_proj")
        self.q_proj = self.add_weight(shape=(d, d), initializer="glorot_uniform", name="q_proj")

    def heads(self, x, kernel):
        y = ops.einsum("bsd,ed->bse", x, kernel)
        y = ops.reshape(y, (x.shape[0], x.shape[1], -1, self.head_dim))
        return ops.transpose(y, (0, 2, 1, 3))

    def call(self, x, cache=None):
        keys, values = self.heads(x, self.k_proj), self.heads(x, self.v_proj)
        if cache is not None:
            keys = ops.concatenate([cache[0], keys], axis=2)
            values = ops.concatenate([cache[1], values], axis=2)
        whole_len, seq_len = keys.shape[2], x.shape[1]
        everywhere = np.arange(whole_len)
        new = everywhere[whole_len - seq_len :]
        query = ops.cast(rotary(self.heads(x, self.q_proj), new), "float32")
        turned = ops.cast(rotary(keys, everywhere), "float32")
        group = self.num_heads // self.num_kv_heads
        index = np.repeat(np.arange(self.num_kv_heads), group)
        scores = ops.einsum("bhqe,bhke->bhqk", query, ops.take(turned, index, axis=1)) / ops.sqrt(float(self.head_dim))
        scores = ops.where(everywhere[None, :] <= new[:, None], scores, -1e30)
        mixed = ops.einsum("bhqk,bhke->bqhe", ops.softmax(scores), ops.take(values, index, axis=1))
        return ops.einsum("bse,de->bsd", ops.reshape(mixed, x.shape), self.o_proj), (keys, values)

    def get_config(self):
        sizes = {"d_model": self.d_model, "num_heads": self.num_heads, "num_kv_heads": self.num_kv_heads}
        return {**super().get_config(), **sizes}


# %% task="streaming-softmax"
def streaming_attention(query, key, value, block_size, mask=None):
    query, key, value = (np.asarray(to_numpy(x), dtype="float64") for x in (query, key, value))
    key_len = key.shape[-2]
    size = min(block_size, key_len)
    padding = -key_len % size
    wide = [(0, 0)] * (key.ndim - 2) + [(0, padding), (0, 0)]
    key, value = np.pad(key, wide), np.pad(value, wide)
    keep = np.ones((1, key_len), dtype=bool) if mask is None else np.asarray(to_numpy(mask)) < 0.5
    keep = np.pad(keep, [(0, 0)] * (keep.ndim - 1) + [(0, padding)])
    m = np.full((*query.shape[:-1], 1), -1e300)
    s, o = np.zeros_like(m), np.zeros((*query.shape[:-1], value.shape[-1]))
    for block in range(key.shape[-2] // size):
        at = slice(block * size, (block + 1) * size)
        scores = np.einsum("...qd,...kd->...qk", query, key[..., at, :]) * query.shape[-1] ** -0.5
        visible = np.broadcast_to(keep[..., at], scores.shape)
        new = np.maximum(m, np.max(scores, axis=-1, keepdims=True, where=visible, initial=-1e300))
        p = np.exp(np.minimum(scores - new, 0)) * visible
        s = s * np.exp(m - new) + p.sum(-1, keepdims=True)
        o = o * np.exp(m - new) + np.einsum("...qk,...kv->...qv", p, value[..., at, :])
        m = new
    return np.divide(o, s, out=np.zeros_like(o), where=s > 0)
