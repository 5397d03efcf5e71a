# %% [markdown]
# complex numbers; pair counts that are brought up to date; one kernel for queries, keys and values, one for gate and up;
# blocks' results joined by their log-sum-exp


# %% task="bpe-train"
def train_bpe(text, num_merges):
    words = []
    for piece, times in Counter(re.findall(r"\s?\S+|\s+", text)).items():
        words.append([tuple(bytes([b]) for b in piece.encode()), times])
    counts = Counter()
    for word, times in words:
        for pair in zip(word, word[1:]):
            counts[pair] += times
    merges = []
    while counts and len(merges) < num_merges:
        most = max(counts.values())
        best = sorted(pair for pair in counts if counts[pair] == most)[-1]
        merges.append(best)
        for entry in words:
            word, times = entry
            if best not in zip(word, word[1:]):
                continue
            for pair in zip(word, word[1:]):
                counts[pair] -= times
            new = []
            for token in word:
                if new and new[-1] == best[0] and token == best[1] and not isinstance(new[-1], list):
                    new[-1] = [best[0] + best[1]]
                else:
                    new.append(token)
            word = tuple(token[0] if isinstance(token, list) else token for token in new)
            entry[0] = word
            for pair in zip(word, word[1:]):
                counts[pair] += times
        counts = Counter({pair: count for pair, count in counts.items() if count > 0})
    return merges


# %% task="bpe-encode"
def apply_merge(tokens, merge, new):
    result = []
    i = 0
    while i < len(tokens):
        if tokens[i : i + 2] == list(merge):
            result.append(new)
            i = i + 2
        else:
            result.append(tokens[i])
            i = i + 1
    return result


def bpe_encode(text, merges):
    numbers = {bytes([i]): i for i in range(256)}
    rules = []
    for left, right in merges:
        rules.append((numbers[left], numbers[right]))
        numbers[left + right] = len(numbers)
    ids = []
    for match in re.finditer(r"\s?\S+|\s+", text):
        piece = list(match.group().encode())
        for i, rule in enumerate(rules):
            if len(piece) > 1:
                piece = apply_merge(piece, rule, 256 + i)
        ids.extend(piece)
    return ids


def bpe_decode(ids, merges):
    def spell(i):
        return bytes([i]) if i < 256 else b"".join(merges[i - 256])

    return str(b"".join(map(spell, ids)), "utf-8", "replace")


# %% task="rotary"
def rotary(x, positions, base=10000.0, interleaved=True):
    x = to_numpy(x)
    head_dim = x.shape[-1]
    if head_dim % 2 != 0:
        raise ValueError("head_dim must be even. Received: head_dim=" + str(head_dim))
    turns = np.exp(1j * np.outer(to_numpy(positions), 1.0 / base ** (np.arange(0, head_dim, 2) / head_dim)))
    if interleaved:
        z = x.reshape(*x.shape[:-1], -1, 2)
    else:
        z = np.moveaxis(x.reshape(*x.shape[:-1], 2, -1), -2, -1)
    z = (z[..., 0] + 1j * z[..., 1]) * turns
    z = np.stack([z.real, z.imag], axis=-1)
    if not interleaved:
        z = np.moveaxis(z, -1, -2)
    return z.reshape(x.shape).astype("float32")


# %% task="rms-norm"
class RMSNorm(keras.layers.Layer):
    def __init__(self, epsilon=1e-6, **kwargs):
        super().__init__(**kwargs)
        self.epsilon = epsilon

    def build(self, input_shape):
        self.scale = self.add_weight(shape=input_shape[-1:], initializer="ones", dtype="float32", autocast=False)
        super().build(input_shape)

    def call(self, inputs):
        x = ops.cast(inputs, "float32")
        norm = ops.sqrt(ops.sum(x**2, axis=-1, keepdims=True) / x.shape[-1] + self.epsilon)
        return self.scale * (x / norm)

    def get_config(self):
        return super().get_config() | {"epsilon": self.epsilon}


# %% task="swiglu"
class SwiGLU(keras.layers.Layer):
    def __init__(self, ff_dim, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim = ff_dim
        self.gate_and_up = keras.layers.Dense(2 * ff_dim, use_bias=False)

    def build(self, input_shape):
        self.down = keras.layers.Dense(input_shape[-1], use_bias=False)

    def call(self, inputs):
        gate, up = ops.split(self.gate_and_up(inputs), 2, axis=-1)
        return self.down(ops.silu(gate) * up)

    def get_config(self):
        return super().get_config() | {"ff_dim": self.ff_dim}


# %% task="grouped-attention"
class GroupedQueryAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, num_kv_heads, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads or num_heads % num_kv_heads:
            raise ValueError(
                "num_heads must divide d_model and num_kv_heads num_heads. "
                f"Received: {d_model=}, {num_heads=}, {num_kv_heads=}"
            )
        self.d_model, self.num_heads, self.num_kv_heads = d_model, num_heads, num_kv_heads
        self.head_dim = d_model // num_heads
        self.qkv = keras.layers.Dense(d_model + 2 * num_kv_heads * self.head_dim, use_bias=False)
        self.project = keras.layers.Dense(d_model, use_bias=False)

    def call(self, x, cache=None):
        batch, new_len = x.shape[:2]
        heads, kv, size = self.num_heads, self.num_kv_heads, self.head_dim
        all_heads = ops.reshape(self.qkv(x), (batch, new_len, heads + 2 * kv, size))
        all_heads = ops.transpose(all_heads, (0, 2, 1, 3))
        q, k, v = all_heads[:, :heads], all_heads[:, heads : heads + kv], all_heads[:, heads + kv :]
        past_len = 0 if cache is None else cache[0].shape[-2]
        positions = np.arange(new_len) + past_len
        q = ops.convert_to_tensor(rotary(q, positions))
        k = ops.convert_to_tensor(rotary(k, positions))
        if past_len:
            k, v = ops.concatenate([cache[0], k], 2), ops.concatenate([cache[1], v], 2)
        q = ops.reshape(q, (batch, kv, heads // kv, new_len, size))
        scores = ops.einsum("bkgqe,bkse->bkgqs", q, k) / size**0.5
        seen = np.tri(new_len, past_len + new_len, past_len, dtype=bool)
        weights = ops.softmax(ops.where(seen, scores, -np.inf), axis=-1)
        mixed = ops.einsum("bkgqs,bkse->bqkge", weights, v)
        return self.project(ops.reshape(mixed, (batch, new_len, self.d_model))), [k, v]

    def get_config(self):
        return super().get_config() | {
            "d_model": self.d_model,
            "num_heads": self.num_heads,
            "num_kv_heads": self.num_kv_heads,
        }


# %% task="window-mask"
def create_window_mask(size, window, sinks=0):
    causal = np.tri(size, dtype=bool)
    near = causal & ~np.tri(size, k=-window, dtype=bool)
    sink = np.arange(size) < sinks
    return 1 - (near | (causal & sink)).astype(int)


# %% task="streaming-softmax"
def streaming_attention(query, key, value, block_size, mask=None):
    query, key, value = map(np.asarray, (query, key, value))
    output = np.zeros((*query.shape[:-1], value.shape[-1]))
    log_total = np.full((*query.shape[:-1], 1), -np.inf)
    for start in range(0, key.shape[-2], block_size):
        k, v = key[..., start : start + block_size, :], value[..., start : start + block_size, :]
        scores = np.einsum("...qd,...kd->...qk", query, k) / np.sqrt(key.shape[-1])
        if mask is not None:
            scores = np.where(np.asarray(mask)[..., start : start + block_size].astype(bool), -np.inf, scores)
        log_block = np.logaddexp.reduce(scores, axis=-1, keepdims=True)
        new = np.logaddexp(log_total, log_block)
        safe = np.where(new == -np.inf, 0.0, new)
        output = output * np.exp(log_total - safe) + np.exp(scores - safe) @ v
        log_total = new
    return output
