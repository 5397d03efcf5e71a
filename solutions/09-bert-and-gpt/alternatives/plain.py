# %% [markdown]
# one statement a step, a subclassed model of Keras's layers


# %% task="mask-tokens"
def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    token_ids = np.asarray(token_ids)
    selected = rng.random(token_ids.shape) < rate
    selected = selected & (token_ids != 0)
    labels = np.where(selected, token_ids, 0)
    fate = rng.random(token_ids.shape)
    inputs = token_ids.copy()
    hide = selected & (fate < 0.8)
    swap = selected & (fate >= 0.8) & (fate < 0.9)
    inputs[hide] = mask_id
    inputs[swap] = rng.integers(4, vocab_size, token_ids.shape)[swap]
    return inputs, labels, selected


# %% task="encoder-only"
class Positions(keras.layers.Layer):
    def __init__(self, max_len, d_model):
        super().__init__()
        angles = np.arange(max_len + 1)[:, None] * 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
        self.table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(max_len + 1, d_model).astype("float32")

    def call(self, x):
        return x + ops.convert_to_tensor(self.table)[: ops.shape(x)[1]]


class LanguageModel(keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions):
        super().__init__()
        self.scale = d_model**0.5
        self.embedding = keras.layers.Embedding(vocab_size, d_model)
        self.positions = LearnedPositionalEmbedding(max_len, d_model) if learned_positions else Positions(max_len, d_model)
        self.drop = keras.layers.Dropout(dropout)
        self.attentions = [keras.layers.MultiHeadAttention(num_heads, d_model // num_heads) for _ in range(num_layers)]
        self.inner = [keras.layers.Dense(ff_dim, activation="relu") for _ in range(num_layers)]
        self.outer = [keras.layers.Dense(d_model) for _ in range(num_layers)]
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(2 * num_layers + 1)]
        self.head = keras.layers.Dense(vocab_size)

    def call(self, ids, training=None):
        length = ops.shape(ids)[1]
        keep = ops.not_equal(ids, 0)[:, None, :]
        keep = ops.broadcast_to(keep, (ops.shape(ids)[0], length, length))
        x = self.embedding(ids) * self.scale
        x = self.positions(x)
        x = self.drop(x, training=training)
        for i in range(len(self.attentions)):
            y = self.norms[2 * i](x)
            y = self.attentions[i](y, y, attention_mask=keep)
            x = x + self.drop(y, training=training)
            y = self.norms[2 * i + 1](x)
            y = self.outer[i](self.inner[i](y))
            x = x + self.drop(y, training=training)
        x = self.norms[-1](x)
        return self.head(x)


def build_encoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    model = LanguageModel(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions)
    model(np.ones((1, max_len), "int32"))
    return model


# %% task="pooling"
def masked_mean_pooling(x, token_ids, pad_id=0):
    kept = ops.cast(ops.not_equal(token_ids, pad_id), "float32")[..., None]
    x = ops.cast(x, "float32")
    total = ops.sum(x * kept, axis=1)
    count = ops.sum(kept, axis=1)
    return total / ops.maximum(count, 1.0)


# %% task="sampling"
def softmax_of(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    logits = np.asarray(logits, dtype="float64")
    if temperature == 0:
        return logits.argmax(axis=-1)
    logits = logits / temperature
    if top_k:
        kth = np.sort(logits, axis=-1)[:, -top_k][:, None]
        logits = np.where(logits >= kth, logits, -np.inf)
    chances = softmax_of(logits)
    if top_p is not None and top_p < 1:
        order = np.argsort(-chances, axis=-1)
        ranked = np.take_along_axis(chances, order, axis=-1)
        before = np.cumsum(ranked, axis=-1) - ranked
        ranked = np.where(before < top_p, ranked, 0)
        np.put_along_axis(chances, order, ranked, axis=-1)
        chances = chances / chances.sum(axis=-1, keepdims=True)
    edges = np.cumsum(chances, axis=-1)
    dart = rng.random((len(logits), 1)) * edges[:, -1:]
    return (edges <= dart).sum(axis=-1)


# %% task="kv-cache"
def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    batch, _, d_model = x.shape
    head_dim = d_model // num_heads
    split = lambda y: y.reshape(batch, 1, num_heads, head_dim).transpose(0, 2, 1, 3)
    query = split(x @ w_query)
    key = split(x @ w_key)
    value = split(x @ w_value)
    keys, values = key, value
    if cache is not None:
        keys = np.concatenate([cache[0], key], axis=2)
        values = np.concatenate([cache[1], value], axis=2)
    scores = query @ keys.transpose(0, 1, 3, 2)
    scores = scores / np.sqrt(head_dim)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    output = weights @ values
    output = output.transpose(0, 2, 1, 3).reshape(batch, 1, d_model)
    output = output @ w_output
    return output, (keys, values)
