# %% [markdown]
# streaming in two passes, first the maximum and the sum and then the output; helpers of its own in every cell; lists where arrays are usual


# %% task="bpe-train"
class Tokens:
    def __init__(self, piece):
        self.row = [bytes((b,)) for b in bytearray(piece, "utf-8")]

    def pairs(self):
        return [(self.row[i], self.row[i + 1]) for i in range(len(self.row) - 1)]

    def merge(self, pair):
        old, self.row = self.row, []
        while old:
            if len(old) > 1 and (old[0], old[1]) == pair:
                self.row.append(old[0] + old[1])
                old = old[2:]
            else:
                self.row.append(old[0])
                old = old[1:]


def train_bpe(text, num_merges):
    everything = [Tokens(match[0]) for match in re.finditer(r"\s?\S+|\s+", text)]
    merges = []
    for _ in range(num_merges):
        counts = Counter()
        for tokens in everything:
            counts.update(tokens.pairs())
        ranking = sorted(counts.items(), key=lambda item: (item[1], item[0]))
        if ranking == []:
            break
        best, _ = ranking.pop()
        merges.append(tuple(best))
        for tokens in everything:
            tokens.merge(best)
    return merges


# %% task="rotary"
def rotary(x, positions, base=10000.0, interleaved=True):
    x = ops.convert_to_tensor(x, dtype="float32")
    n = x.shape[-1]
    if n & 1:
        raise ValueError("head_dim is odd: " + repr(n))
    order = np.arange(n)
    if not interleaved:
        order = order.reshape(2, n // 2).T.reshape(-1)
    matrix = np.zeros((len(positions), n, n), dtype="float32")
    for row, p in enumerate(np.asarray(to_numpy(positions), dtype="float64")):
        for i in range(n // 2):
            angle = p / base ** (2 * i / n)
            a, b = order[2 * i], order[2 * i + 1]
            matrix[row, a, a] = matrix[row, b, b] = np.cos(angle)
            matrix[row, b, a], matrix[row, a, b] = np.sin(angle), -np.sin(angle)
    return ops.einsum("sij,...sj->...si", matrix, x)


# %% task="rms-norm"
class RMSNorm(keras.layers.Layer):
    def __init__(self, epsilon=1e-6, name=None, dtype=None, **kwargs):
        super().__init__(name=name, dtype=dtype, **kwargs)
        self.epsilon = epsilon

    def build(self, input_shape):
        self.g = self.add_weight(shape=(input_shape[-1],), initializer="ones", name="g")
        self.built = True

    def call(self, inputs):
        x = ops.cast(inputs, "float32")
        length = ops.sqrt(ops.sum(x * x, axis=-1, keepdims=True) + self.epsilon * x.shape[-1])
        return x * (float(x.shape[-1]) ** 0.5 / length) * ops.cast(self.g, "float32")

    def get_config(self):
        base = super().get_config()
        return {**base, "epsilon": self.epsilon}


# %% task="window-mask"
def create_window_mask(size, window, sinks=0):
    rows = []
    for i in range(size):
        seen = set(range(max(0, i + 1 - window), i + 1)) | set(range(min(sinks, i + 1)))
        rows.append([0 if j in seen else 1 for j in range(size)])
    return np.array(rows)


# %% task="streaming-softmax"
def streaming_attention(query, key, value, block_size, mask=None):
    query, key, value = np.asarray(query), np.asarray(key), np.asarray(value)

    def blocks():
        for start in range(0, key.shape[-2], block_size):
            block = slice(start, start + block_size)
            scores = query @ key[..., block, :].swapaxes(-1, -2) / query.shape[-1] ** 0.5
            if mask is not None:
                scores = np.where(np.asarray(mask, dtype=bool)[..., block], -np.inf, scores)
            yield scores, value[..., block, :]

    highest = np.full((*query.shape[:-1], 1), -np.inf)
    total = np.zeros_like(highest)
    for scores, _ in blocks():
        before, highest = highest, np.maximum(highest, scores.max(axis=-1, keepdims=True))
        base = np.nan_to_num(highest, neginf=0.0)
        total = total * np.exp(before - base) + np.exp(scores - base).sum(axis=-1, keepdims=True)
    base, total = np.nan_to_num(highest, neginf=0.0), np.where(total == 0, 1.0, total)
    return sum(np.exp(scores - base) / total @ values for scores, values in blocks())
