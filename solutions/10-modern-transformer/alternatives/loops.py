# %% [markdown]
# Python loops and strings: tokens as characters that `str.replace` joins, rotation matrices, one query after another


# %% task="bpe-train"
def train_bpe(text, num_merges):
    pieces = ["".join(map(chr, piece.encode())) for piece in re.findall(r"\s?\S+|\s+", text)]
    spell = {chr(i): bytes([i]) for i in range(256)}
    merges = []
    while len(merges) < num_merges:
        counts = {}
        for piece in pieces:
            for i in range(1, len(piece)):
                pair = piece[i - 1] + piece[i]
                counts[pair] = counts.get(pair, 0) + 1
        if len(counts) == 0:
            return merges
        best = None
        for pair in counts:
            key = (counts[pair], spell[pair[0]], spell[pair[1]])
            if best is None or key > best:
                best, chosen = key, pair
        new = chr(0x4E00 + len(merges))
        spell[new] = spell[chosen[0]] + spell[chosen[1]]
        merges.append((spell[chosen[0]], spell[chosen[1]]))
        pieces = [piece.replace(chosen, new) for piece in pieces]
    return merges


# %% task="bpe-encode"
def bpe_encode(text, merges):
    names = {bytes([i]): chr(i) for i in range(256)}
    ids = {chr(i): i for i in range(256)}
    pieces = ["".join(map(chr, piece.encode())) for piece in re.findall(r"\s?\S+|\s+", text)]
    for i, (left, right) in enumerate(merges):
        new = chr(0x4E00 + i)
        pieces = [piece.replace(names[left] + names[right], new) for piece in pieces]
        names[left + right] = new
        ids[new] = 256 + i
    return tuple(ids[letter] for piece in pieces for letter in piece)


def bpe_decode(ids, merges):
    row = bytearray()
    for i in ids:
        if i < 256:
            row.append(i)
        else:
            for part in merges[i - 256]:
                row.extend(part)
    return row.decode("utf-8", errors="replace")


# %% task="rotary"
def rotary(x, positions, base=10000.0, interleaved=True):
    x = to_numpy(x).astype("float64")
    *_, seq_len, head_dim = x.shape
    if head_dim / 2 != head_dim // 2:
        raise ValueError(f"an even head_dim is needed, not {head_dim}")
    y = np.zeros_like(x)
    for row in range(seq_len):
        for i in range(head_dim // 2):
            angle = float(positions[row]) * base ** (-2 * i / head_dim)
            a, b = (2 * i, 2 * i + 1) if interleaved else (i, i + head_dim // 2)
            matrix = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            y[..., row, [a, b]] = x[..., row, [a, b]] @ matrix.T
    return y


# %% task="rms-norm"
class RMSNorm(keras.layers.Layer):
    def __init__(self, epsilon=1e-6, **kwargs):
        super().__init__(**kwargs)
        self.epsilon = epsilon
        self.inner = keras.layers.RMSNormalization(epsilon=epsilon)

    def call(self, inputs):
        return self.inner(inputs)

    def get_config(self):
        return {**super().get_config(), "epsilon": self.epsilon}


# %% task="swiglu"
class SwiGLU(keras.layers.Layer):
    def __init__(self, ff_dim, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim = ff_dim

    def build(self, input_shape):
        dim = input_shape[-1]
        self.up = keras.layers.Dense(self.ff_dim, use_bias=False)
        self.down = keras.layers.Dense(dim, use_bias=False)
        self.gate = keras.layers.Dense(self.ff_dim, use_bias=False, activation="swish")

    def call(self, inputs):
        return self.down(keras.layers.multiply([self.up(inputs), self.gate(inputs)]))

    def get_config(self):
        return {**super().get_config(), "ff_dim": self.ff_dim}


# %% task="grouped-attention"
class GroupedQueryAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, num_kv_heads, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads:
            raise ValueError(f"num_heads={num_heads} doesn't divide d_model={d_model}")
        if num_heads % num_kv_heads:
            raise ValueError(f"num_kv_heads={num_kv_heads} doesn't divide num_heads={num_heads}")
        self.d_model, self.num_heads, self.num_kv_heads = d_model, num_heads, num_kv_heads
        self.head_dim = d_model // num_heads
        self.out = keras.layers.Dense(d_model, use_bias=False)
        self.values = keras.layers.Dense(num_kv_heads * self.head_dim, use_bias=False)
        self.keys = keras.layers.Dense(num_kv_heads * self.head_dim, use_bias=False)
        self.queries = keras.layers.Dense(d_model, use_bias=False)

    def turned(self, x, positions):
        return ops.cast(rotary(x, np.array(positions)), "float32")

    def call(self, x, cache=None):
        seq_len = x.shape[1]
        past_len = cache[0].shape[2] if cache is not None else 0
        positions = list(range(past_len, past_len + seq_len))
        keys = ops.stack([self.turned(k, positions) for k in ops.split(self.keys(x), self.num_kv_heads, axis=-1)], axis=1)
        values = ops.stack(ops.split(self.values(x), self.num_kv_heads, axis=-1), axis=1)
        if cache is not None:
            keys, values = ops.concatenate([cache[0], keys], axis=2), ops.concatenate([cache[1], values], axis=2)
        rows = []
        for h, query in enumerate(ops.split(self.queries(x), self.num_heads, axis=-1)):
            kv = h * self.num_kv_heads // self.num_heads
            query = self.turned(query, positions)
            outputs = []
            for row, position in enumerate(positions):
                scores = ops.sum(query[:, row : row + 1] * keys[:, kv, : position + 1], axis=-1) / self.head_dim**0.5
                weights = ops.softmax(scores)[..., None]
                outputs.append(ops.sum(weights * values[:, kv, : position + 1], axis=1))
            rows.append(ops.stack(outputs, axis=1))
        return self.out(ops.concatenate(rows, axis=-1)), (keys, values)

    def get_config(self):
        sizes = dict(d_model=self.d_model, num_heads=self.num_heads, num_kv_heads=self.num_kv_heads)
        return {**super().get_config(), **sizes}


# %% task="window-mask"
def create_window_mask(size, window, sinks=0):
    def hidden(i, j):
        return j > i or (j <= i - window and j >= sinks)

    return [[float(hidden(i, j)) for j in range(size)] for i in range(size)]


# %% task="streaming-softmax"
def streaming_attention(query, key, value, block_size, mask=None):
    query, key, value = to_numpy(query), to_numpy(key), to_numpy(value)
    leading, query_len, key_len = query.shape[:-2], query.shape[-2], key.shape[-2]
    if mask is None:
        hidden = None
    else:
        hidden = np.broadcast_to(to_numpy(mask) != 0, (*leading, query_len, key_len))
    result = np.zeros((*leading, query_len, value.shape[-1]))
    for index in np.ndindex(*leading, query_len):
        front, q = index[:-1], query[index] / np.sqrt(query.shape[-1])
        m, s, o = -np.inf, 0.0, np.zeros(value.shape[-1])
        for start in range(0, key_len, block_size):
            k, v = key[front][start : start + block_size], value[front][start : start + block_size]
            if hidden is not None:
                keep = ~hidden[index][start : start + block_size]
                k, v = k[keep], v[keep]
            if len(k) == 0:
                continue
            scores = k @ q
            new = max(m, scores.max())
            weights = np.exp(scores - new)
            s = s * np.exp(m - new) + weights.sum()
            o = o * np.exp(m - new) + weights @ v
            m = new
        if s > 0:
            result[index] = o / s
    return result
