"""Right answers to `09-bert-and-gpt` in other styles."""

from __future__ import annotations

from autograder.alternatives import Alternative

__all__ = ["ALTERNATIVES"]

ALTERNATIVES: tuple[Alternative, ...] = (
    Alternative(
        "loops",
        "loops over places and rows, rng.choice, Python lists; a list as cache; -100 as the label of what isn't asked",
        {
            "mask-tokens": """
def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    inputs = np.array(token_ids)
    labels = np.full(inputs.shape, -100)
    selected = np.zeros(inputs.shape, dtype=bool)
    for i in range(inputs.shape[0]):
        for j in range(inputs.shape[1]):
            if token_ids[i, j] == 0 or rng.random() > rate:
                continue
            selected[i, j] = True
            labels[i, j] = token_ids[i, j]
            u = rng.random()
            if u < 0.8:
                inputs[i, j] = mask_id
            elif u < 0.9:
                inputs[i, j] = rng.integers(vocab_size)
    return inputs, labels, selected
""",
            "pooling": """
def masked_mean_pooling(x, token_ids, pad_id=0):
    pooled = []
    for vectors, ids in zip(np.asarray(x), np.asarray(token_ids)):
        kept = [vector for vector, token in zip(vectors, ids) if token != pad_id]
        pooled.append(np.mean(kept, axis=0) if kept else np.zeros(vectors.shape[-1]))
    return pooled
""",
            "sampling": """
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    tokens = []
    for row in np.asarray(logits, dtype=np.float64):
        if temperature == 0:
            tokens.append(int(np.argmax(row)))
            continue
        order = np.argsort(row)[::-1]
        if top_k:
            order = order[:top_k]
        p = np.exp((row[order] - row[order[0]]) / temperature)
        p = p / p.sum()
        if top_p is not None and top_p < 1.0:
            count = int(np.searchsorted(np.cumsum(p), top_p)) + 1
            order, p = order[:count], p[:count] / p[:count].sum()
        tokens.append(int(rng.choice(order, p=p)))
    return np.array(tokens)
""",
            "kv-cache": """
def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    q, k, v = x[:, 0] @ w_query, x[:, 0] @ w_key, x[:, 0] @ w_value
    batch, d_model = q.shape
    n = d_model // num_heads
    k, v = k.reshape(batch, num_heads, 1, n), v.reshape(batch, num_heads, 1, n)
    cache = [k, v] if cache is None else [np.append(old, new, axis=2) for old, new in zip(cache, (k, v))]
    out = np.zeros((batch, d_model))
    for b in range(batch):
        for h in range(num_heads):
            s = cache[0][b, h] @ q[b, h * n : (h + 1) * n] / n**0.5
            s = np.exp(s - s.max())
            out[b, h * n : (h + 1) * n] = s / s.sum() @ cache[1][b, h]
    return (out @ w_output)[:, None], cache
""",
        },
    ),
    Alternative(
        "keras-ops",
        "tensors of the backend everywhere; a multinomial by Gumbel noise; einsum",
        {
            "mask-tokens": """
def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    ids = ops.convert_to_tensor(np.asarray(token_ids), dtype="int32")
    u = ops.convert_to_tensor(rng.uniform(size=token_ids.shape).astype("float32"))
    selected = ops.logical_and(ops.not_equal(ids, 0), u < rate)
    # the same number tells the fate: below the rate it is uniform again
    fate = u / rate
    random_ids = ops.convert_to_tensor(rng.integers(4, vocab_size, size=token_ids.shape), dtype="int32")
    inputs = ops.where(ops.logical_and(selected, fate < 0.8), mask_id, ids)
    inputs = ops.where(ops.logical_and(selected, fate >= 0.9), random_ids, inputs)
    return inputs, ids, selected
""",
            "pooling": """
def masked_mean_pooling(x, token_ids, pad_id=0):
    m = ops.cast(ops.convert_to_tensor(np.asarray(token_ids)) != pad_id, "float32")
    s = ops.einsum("bsd,bs->bd", ops.cast(x, "float32"), m)
    return s / (ops.sum(m, axis=-1, keepdims=True) + 1e-9)
""",
            "sampling": """
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    logits = ops.convert_to_tensor(np.asarray(logits), dtype="float32")
    if temperature == 0:
        return ops.argmax(logits, axis=-1)
    logits = (logits - ops.max(logits, axis=-1, keepdims=True)) / temperature
    if top_k:
        kth = ops.top_k(logits, top_k)[0][:, -1:]
        logits = ops.where(logits < kth, -1e30, logits)
    if top_p is not None:
        p = ops.flip(ops.sort(ops.softmax(logits), axis=-1), axis=-1)
        before = ops.cumsum(p, axis=-1) - p
        least = ops.min(ops.where(before < top_p, p, 2.0), axis=-1, keepdims=True)
        logits = ops.where(ops.softmax(logits) < least, -1e30, logits)
    noise = rng.gumbel(size=tuple(logits.shape)).astype("float32")
    return ops.argmax(logits + noise, axis=-1)
""",
            "kv-cache": """
def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    f = lambda a: ops.cast(ops.convert_to_tensor(a), "float32")
    x = f(x)
    batch, one, d_model = x.shape
    def project(w):
        return ops.einsum("bsd,dhn->bhsn", x, ops.reshape(f(w), (d_model, num_heads, d_model // num_heads)))
    q, k, v = project(w_query), project(w_key), project(w_value)
    if cache is not None:
        k = ops.concatenate([f(cache[0]), k], axis=-2)
        v = ops.concatenate([f(cache[1]), v], axis=-2)
    a = ops.softmax(ops.einsum("bhsn,bhtn->bhst", q, k) * (d_model // num_heads) ** -0.5, axis=-1)
    out = ops.einsum("bhst,bhtn->bshn", a, v)
    return ops.matmul(ops.reshape(out, (batch, one, d_model)), f(w_output)), (k, v)
""",
        },
    ),
    Alternative(
        "functional-with-keras-layers",
        "functional models of Keras's layers; Keras's epsilon and causal mask; learned positions as an embedding",
        {
            "encoder-only": """
class FixedPositions(keras.layers.Layer):
    def __init__(self, max_len, d_model, **kwargs):
        super().__init__(**kwargs)
        i = np.arange(d_model)
        angle = np.arange(max_len)[:, None] / 10000 ** (2 * (i // 2) / d_model)
        self.pe = np.where(i % 2, np.cos(angle), np.sin(angle)).astype("float32")
        self.factor = d_model ** 0.5

    def call(self, x):
        return x * self.factor + ops.convert_to_tensor(self.pe)[None, : ops.shape(x)[1]]

    def compute_output_shape(self, shape):
        return shape


class TrainedPositions(keras.layers.Layer):
    def __init__(self, max_len, d_model, **kwargs):
        super().__init__(**kwargs)
        self.rows = keras.layers.Embedding(max_len, d_model)

    def call(self, x):
        return x + self.rows(ops.arange(ops.shape(x)[1]))


class Tokens(keras.layers.Layer):
    def call(self, ids):
        return ops.not_equal(ids, 0)[:, None, :]


def stack(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned, causal):
    L = keras.layers
    ids = keras.Input((None,), dtype="int32")
    mask = Tokens()(ids)
    x = L.Embedding(vocab_size, d_model)(ids)
    x = L.Dropout(dropout)((TrainedPositions if learned else FixedPositions)(max_len, d_model)(x))
    for _ in range(num_layers):
        y = L.LayerNormalization()(x)
        y = L.MultiHeadAttention(num_heads, d_model // num_heads, dropout=dropout)(
            y, y, attention_mask=mask, use_causal_mask=causal
        )
        x = L.Add()([x, L.Dropout(dropout)(y)])
        y = L.Dense(ff_dim, activation="relu")(L.LayerNormalization()(x))
        x = L.Add()([x, L.Dropout(dropout)(L.Dense(d_model)(y))])
    return keras.Model(ids, L.Dense(vocab_size)(L.LayerNormalization()(x)))


def build_encoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    return stack(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions, False)
""",
            "decoder-only": """
def build_decoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    return stack(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions, True)
""",
        },
    ),
    Alternative(
        "like-the-originals",
        "post-norm blocks with gelu and normalised embeddings; learned positions always; the output tied to the embedding",
        {
            "encoder-only": """
class Original(keras.Model):
    causal = False

    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout):
        super().__init__()
        self.tok = keras.layers.Embedding(vocab_size, d_model)
        self.pos = keras.layers.Embedding(max_len, d_model)
        self.emb_norm = keras.layers.LayerNormalization(epsilon=1e-6)
        self.drop = keras.layers.Dropout(dropout)
        self.att = [keras.layers.MultiHeadAttention(num_heads, d_model // num_heads) for _ in range(num_layers)]
        self.n1 = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(num_layers)]
        self.up = [keras.layers.Dense(ff_dim, activation="gelu") for _ in range(num_layers)]
        self.down = [keras.layers.Dense(d_model) for _ in range(num_layers)]
        self.n2 = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(num_layers)]

    def call(self, ids, training=None):
        length = ops.shape(ids)[1]
        keep = ops.not_equal(ids, 0)[:, None, :]
        x = self.emb_norm(self.tok(ids) + self.pos(ops.arange(length)))
        x = self.drop(x, training=training)
        for att, n1, up, down, n2 in zip(self.att, self.n1, self.up, self.down, self.n2):
            y = att(x, x, attention_mask=keep, use_causal_mask=self.causal)
            x = n1(x + self.drop(y, training=training))
            x = n2(x + self.drop(down(up(x)), training=training))
        return ops.matmul(x, ops.transpose(ops.convert_to_tensor(self.tok.embeddings)))


def build_encoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, **ignored):
    model = Original(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout)
    model(np.ones((1, 2), "int32"))
    return model
""",
            "decoder-only": """
class OriginalGPT(Original):
    causal = True


def build_decoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1):
    model = OriginalGPT(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout)
    model(np.ones((1, 2), "int32"))
    return model
""",
        },
    ),
    Alternative(
        "own-attention-pre-norm-gelu",
        "attention of dense layers by hand, embeddings not scaled, tanh-gelu, one matrix for queries, keys and values",
        {
            "encoder-only": """
class Mixer(keras.layers.Layer):
    def __init__(self, d_model, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.qkv = keras.layers.Dense(3 * d_model)
        self.out = keras.layers.Dense(d_model)

    def call(self, x, hidden):
        b, n, d = ops.shape(x)
        q, k, v = ops.split(self.qkv(x), 3, axis=-1)
        cut = lambda t: ops.transpose(ops.reshape(t, (b, n, self.heads, d // self.heads)), (0, 2, 1, 3))
        s = ops.matmul(cut(q), ops.transpose(cut(k), (0, 1, 3, 2))) / np.sqrt(d // self.heads)
        s = ops.where(hidden, -1e9, s)
        y = ops.matmul(ops.softmax(s, axis=-1), cut(v))
        return self.out(ops.reshape(ops.transpose(y, (0, 2, 1, 3)), (b, n, d)))


class Net(keras.Model):
    def __init__(self, V, T, layers, d, heads, f, rate, learned, causal):
        super().__init__()
        self.causal, self.learned, self.T, self.d = causal, learned, T, d
        self.wte = keras.layers.Embedding(V, d)
        angle = np.arange(T)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
        self.fixed = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(T, d).astype("float32")
        self.drop = keras.layers.Dropout(rate)
        self.mix = [Mixer(d, heads, causal) for _ in range(layers)]
        gelu = lambda x: keras.activations.gelu(x, approximate=True)
        self.mlp = [(keras.layers.Dense(f, activation=gelu), keras.layers.Dense(d)) for _ in range(layers)]
        self.ups = [a for a, _ in self.mlp]
        self.downs = [b for _, b in self.mlp]
        self.ln = [keras.layers.LayerNormalization(epsilon=1e-5) for _ in range(2 * layers + 1)]
        self.lm_head = keras.layers.Dense(V, use_bias=False)
        if learned:
            self.wpe = self.add_weight(shape=(1, T, d), initializer="random_normal", name="wpe")

    def call(self, ids):
        n = ids.shape[1]
        hidden = ops.equal(ids, 0)[:, None, None, :]
        if self.causal:
            hidden = ops.logical_or(hidden, np.triu(np.ones((n, n), bool), 1)[None, None])
        table = self.wpe if self.learned else self.fixed[None]
        x = self.drop(self.wte(ids) + ops.convert_to_tensor(table)[:, :n])
        for i, mix in enumerate(self.mix):
            x = x + self.drop(mix(self.ln[2 * i](x), hidden))
            x = x + self.drop(self.downs[i](self.ups[i](self.ln[2 * i + 1](x))))
        return self.lm_head(self.ln[-1](x))


def build_encoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    return Net(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions, False)
""",
            "decoder-only": """
def build_decoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    return Net(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions, True)
""",
        },
    ),
    Alternative(
        "tensorflow",
        "tf.* on the TensorFlow backend",
        {
            "mask-tokens": """
import tensorflow as tf

def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    ids = tf.cast(token_ids, tf.int64)
    selected = tf.constant(rng.random(token_ids.shape)) < rate
    selected &= ids != 0
    kind = tf.constant(rng.choice(3, size=token_ids.shape, p=[0.8, 0.1, 0.1]))
    noise = tf.constant(rng.integers(1, vocab_size, size=token_ids.shape))
    inputs = tf.where(selected & (kind == 0), tf.constant(mask_id, tf.int64), ids)
    inputs = tf.where(selected & (kind == 1), noise, inputs)
    return inputs, tf.where(selected, ids, 0), selected
""",
            "pooling": """
import tensorflow as tf

def masked_mean_pooling(x, token_ids, pad_id=0):
    x = tf.convert_to_tensor(x)
    kept = tf.cast(tf.not_equal(token_ids, pad_id), x.dtype)
    return tf.math.divide_no_nan(tf.reduce_sum(x * kept[..., None], 1), tf.reduce_sum(kept, 1, keepdims=True))
""",
            "sampling": """
import tensorflow as tf

def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    logits = tf.convert_to_tensor(logits)
    if temperature == 0.0:
        return tf.argmax(logits, axis=-1)
    logits = logits / temperature
    size = logits.shape[-1]
    values, order = tf.math.top_k(logits, k=top_k or size)
    p = tf.nn.softmax(values)
    if top_p is not None and top_p < 1.0:
        p = tf.where(tf.cumsum(p, axis=-1, exclusive=True) < top_p, p, tf.zeros_like(p))
        p /= tf.reduce_sum(p, -1, keepdims=True)
    u = tf.constant(rng.random((logits.shape[0], 1)), p.dtype)
    place = tf.reduce_sum(tf.cast(tf.cumsum(p, axis=-1) <= u, tf.int32), -1)
    place = tf.minimum(place, tf.reduce_sum(tf.cast(p > 0, tf.int32), -1) - 1)
    return tf.gather(order, place, batch_dims=1)
""",
            "kv-cache": """
import tensorflow as tf

def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    x = tf.convert_to_tensor(x)
    split = lambda w: tf.transpose(tf.reshape(x @ w, (x.shape[0], 1, num_heads, -1)), (0, 2, 1, 3))
    q, k, v = map(split, (w_query, w_key, w_value))
    if cache is not None:
        k, v = (tf.concat([tf.cast(old, new.dtype), new], 2) for old, new in zip(cache, (k, v)))
    a = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / tf.cast(q.shape[-1], q.dtype) ** 0.5)
    y = tf.reshape(tf.transpose(a @ v, (0, 2, 1, 3)), x.shape)
    return y @ w_output, (k, v)
""",
        },
        ("tensorflow",),
    ),
    Alternative(
        "exact-share",
        "a fixed share of each sequence, as BERT's own code selects; whole-vocabulary noise; argpartition; preallocated caches",
        {
            "mask-tokens": """
def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    token_ids = np.asarray(token_ids)
    selected = np.zeros(token_ids.shape, dtype=bool)
    for row, ids in enumerate(token_ids):
        places = np.flatnonzero(ids)
        count = int(np.floor(rate * len(places) + rng.random()))
        selected[row, rng.permutation(places)[:count]] = True
    choice = rng.choice(["mask", "random", "same"], size=token_ids.shape, p=[0.8, 0.1, 0.1])
    inputs = np.where(selected & (choice == "mask"), mask_id, token_ids)
    noise = rng.integers(0, vocab_size, size=token_ids.shape)
    inputs = np.where(selected & (choice == "random"), noise, inputs)
    return inputs, token_ids.copy(), selected.astype("float32")
""",
            "pooling": """
def masked_mean_pooling(x, token_ids, pad_id=0):
    hidden = np.broadcast_to((np.asarray(token_ids) == pad_id)[..., None], np.shape(x))
    return np.ma.masked_array(np.asarray(x), hidden).mean(axis=1).filled(0.0)
""",
            "sampling": """
def sample(logits, rng, temperature=1.0, top_k=0, top_p=1.0):
    logits = np.array(logits, dtype=float)
    batch, size = logits.shape
    if temperature < 1e-6:
        return np.argmax(logits, axis=1)
    logits /= temperature
    if top_k and top_k < size:
        out = np.argpartition(-logits, top_k - 1, axis=1)[:, top_k:]
        np.put_along_axis(logits, out, -np.inf, axis=1)
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    if top_p:
        heavier = (p[:, None, :] > p[:, :, None]) * p[:, None, :]
        p = np.where(heavier.sum(axis=2) < top_p, p, 0)
        p /= p.sum(axis=1, keepdims=True)
    return np.array([rng.multinomial(1, row).argmax() for row in p])
""",
            "kv-cache": """
def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    batch, _, d_model = np.shape(x)
    past = 0 if cache is None else cache[0].shape[2]
    both = np.empty((2, batch, num_heads, past + 1, d_model // num_heads), dtype=np.result_type(x, w_key))
    for new, w, old in zip(both, (w_key, w_value), (None, None) if cache is None else cache):
        if past:
            new[:, :, :-1] = old
        new[:, :, -1] = (x[:, 0] @ w).reshape(batch, num_heads, -1)
    query = (x[:, 0] @ w_query).reshape(batch, num_heads, 1, -1)
    scores = (query * both[0]).sum(-1) / np.sqrt(d_model // num_heads)
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    attended = (scores[..., None] * both[1]).sum(2) / scores.sum(-1)[..., None]
    return attended.reshape(batch, 1, d_model) @ w_output, tuple(both)
""",
        },
    ),
    Alternative(
        "dict-of-knobs",
        "built on sorted cumulative sums; helper functions and a class; the decoder from notebook 04's masks, blocks in a Sequential style",
        {
            "mask-tokens": """
class Masker:
    def __init__(self, rng, vocab_size, mask_id, rate):
        self.rng, self.vocab_size, self.mask_id, self.rate = rng, vocab_size, mask_id, rate

    def __call__(self, ids):
        flat = np.asarray(ids).ravel().copy()
        places = np.flatnonzero((flat != PAD) & (self.rng.random(flat.size) < self.rate))
        labels, selected = np.zeros_like(flat), np.zeros(flat.size, bool)
        labels[places], selected[places] = flat[places], True
        dice = self.rng.integers(0, 10, places.size)
        flat[places[dice < 8]] = self.mask_id
        swapped = places[dice == 8]
        flat[swapped] = self.rng.integers(UNK + 1, self.vocab_size, swapped.size)
        return tuple(part.reshape(np.shape(ids)) for part in (flat, labels, selected))


def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    return Masker(rng, vocab_size, mask_id, rate)(token_ids)
""",
            "encoder-only": """
def language_model(embedding, blocks, make_mask, vocab_size):
    ids = keras.Input((None,), dtype="int32")
    mask = keras.layers.Lambda(make_mask)(ids)
    x = embedding(ids)
    for block in blocks:
        x = block(x, mask=mask)
    x = keras.layers.LayerNormalization(epsilon=1e-6)(x)
    return keras.Model(ids, keras.layers.Dense(vocab_size)(x))


def make_embedding(vocab_size, d_model, max_len, dropout, learned):
    if not learned:
        return TokenEmbedding(vocab_size, d_model, max_len, dropout)
    table, positions = keras.layers.Embedding(vocab_size, d_model), LearnedPositionalEmbedding(max_len, d_model)
    drop = keras.layers.Dropout(dropout)
    return lambda ids: drop(positions(table(ids)))


def build_encoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    blocks = [EncoderBlock(d_model, num_heads, ff_dim, dropout) for _ in range(num_layers)]
    embedding = make_embedding(vocab_size, d_model, max_len, dropout, learned_positions)
    return language_model(embedding, blocks, create_padding_mask, vocab_size)
""",
            "decoder-only": """
def build_decoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    blocks = [EncoderBlock(d_model, num_heads, ff_dim, dropout) for _ in range(num_layers)]
    embedding = make_embedding(vocab_size, d_model, max_len, dropout, learned_positions)
    return language_model(embedding, blocks, create_decoder_mask, vocab_size)
""",
            "pooling": """
def masked_mean_pooling(x, token_ids, pad_id=0):
    weights = (np.asarray(token_ids) != pad_id).astype(float)
    weights /= np.clip(weights.sum(axis=1, keepdims=True), 1, None)
    return np.einsum("bs,bsd->bd", weights, to_numpy(x))
""",
        },
    ),
    Alternative(
        "named-cache",
        "a cache with names; binomial draws and lists; pooling by Keras's layer; sampling row by row in float32",
        {
            "mask-tokens": """
def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    ids = np.array(token_ids, copy=True)
    selected = rng.binomial(1, np.where(ids == PAD, 0.0, rate)).astype(bool)
    labels = np.where(selected, ids, -100)
    masked = rng.binomial(1, 0.8, ids.shape).astype(bool) & selected
    swapped = rng.binomial(1, 0.5, ids.shape).astype(bool) & selected & ~masked
    ids[masked] = mask_id
    ids[swapped] = rng.integers(vocab_size, size=ids.shape)[swapped]
    return [ids, labels, selected]
""",
            "pooling": """
def masked_mean_pooling(x, token_ids, pad_id=0):
    mask = ops.not_equal(token_ids, pad_id)
    pooled = keras.layers.GlobalAveragePooling1D()(x, mask=mask)
    return ops.where(ops.any(mask, axis=1, keepdims=True), pooled, ops.zeros_like(pooled))
""",
            "sampling": """
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    drawn = []
    for row in np.asarray(logits, dtype="float32"):
        if temperature == 0:
            drawn.append(int(row.argmax()))
            continue
        ranked = sorted(((value / temperature, i) for i, value in enumerate(row)), reverse=True)[: top_k or len(row)]
        weights = [np.exp(value - ranked[0][0]) for value, _ in ranked]
        total, kept, reached = sum(weights), [], 0.0
        for weight, (_, i) in zip(weights, ranked):
            kept.append((weight, i))
            reached += weight / total
            if top_p is not None and reached >= top_p:
                break
        rest = rng.random() * sum(weight for weight, _ in kept)
        for weight, i in kept:
            rest -= weight
            if rest <= 0:
                break
        drawn.append(i)
    return drawn
""",
            "kv-cache": """
from typing import NamedTuple


class Cache(NamedTuple):
    keys: object
    values: object


def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    heads = lambda y: np.stack(np.split(y, num_heads, axis=-1), axis=1)
    query, keys, values = heads(x @ w_query), heads(x @ w_key), heads(x @ w_value)
    if cache is not None:
        keys = np.concatenate([cache.keys, keys], axis=-2)
        values = np.concatenate([cache.values, values], axis=-2)
    scores = query @ np.swapaxes(keys, -1, -2) / np.sqrt(keys.shape[-1])
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = powers / powers.sum(-1, keepdims=True) @ values
    return np.concatenate(list(mixed.swapaxes(0, 1)), axis=-1) @ w_output, Cache(keys, values)
""",
        },
        ("tensorflow", "jax"),
    ),
)
