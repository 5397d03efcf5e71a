# Cells that the students of a heavy notebook have added, in the manner of a notebook on whole Transformers.
# `classes.py` leaves this first paragraph out.
# ruff: noqa: D100, D102, F821

# %%
# A layer of one's own, and blocks of Keras layers.
class TokenEmbedding(keras.layers.Layer):
    """Embedding times the root of d_model, plus sinusoidal positions, then dropout."""

    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.embedding = keras.layers.Embedding(vocab_size, d_model)
        self.dropout = keras.layers.Dropout(dropout)
        angles = np.arange(max_len)[:, None] / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
        self.table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(max_len, d_model).astype("float32")

    def call(self, token_ids, training=None):
        embedded = self.embedding(token_ids) * self.table.shape[1] ** 0.5
        return self.dropout(embedded + self.table[: token_ids.shape[1]], training=training)


def attend(x, memory, num_heads, d_model, dropout, **masks):
    """Add attention over `memory` to x, and normalise."""
    attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=dropout)
    return keras.layers.LayerNormalization(epsilon=1e-6)(x + attention(x, memory, **masks))


def feed_forward(x, ff_dim, d_model, dropout):
    """Add Dense-ReLU, dropout, Dense to x, and normalise."""
    inner = keras.layers.Dense(ff_dim, activation="relu")(x)
    inner = keras.layers.Dropout(dropout)(inner)
    return keras.layers.LayerNormalization(epsilon=1e-6)(x + keras.layers.Dense(d_model)(inner))


def build_transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1):
    """Return a model [source_ids, target_ids] -> logits."""
    source_ids = keras.Input((max_len,), dtype="int32")
    target_ids = keras.Input((max_len,), dtype="int32")
    may_attend = keras.ops.not_equal(source_ids, 0)[:, None, :]
    memory = TokenEmbedding(vocab_size, d_model, max_len, dropout)(source_ids)
    for _ in range(num_layers):
        memory = attend(memory, memory, num_heads, d_model, dropout, attention_mask=may_attend)
        memory = feed_forward(memory, ff_dim, d_model, dropout)
    x = TokenEmbedding(vocab_size, d_model, max_len, dropout)(target_ids)
    for _ in range(num_layers):
        x = attend(x, x, num_heads, d_model, dropout, use_causal_mask=True)
        x = attend(x, memory, num_heads, d_model, dropout, attention_mask=may_attend)
        x = feed_forward(x, ff_dim, d_model, dropout)
    return keras.Model([source_ids, target_ids], keras.layers.Dense(vocab_size)(x))


def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_blocks, dropout=0.1):
    """Return a model [(batch, timesteps, dim), (batch, timesteps, dim)] -> (batch, timesteps, dim)."""
    source, target = keras.Input((timesteps, dim)), keras.Input((timesteps, dim))
    memory, x = source, target
    for _ in range(num_blocks):
        memory = feed_forward(attend(memory, memory, num_heads, dim, dropout), ff_dim, dim, dropout)
    for _ in range(num_blocks):
        x = attend(x, x, num_heads, dim, dropout, use_causal_mask=True)
        x = feed_forward(attend(x, memory, num_heads, dim, dropout), ff_dim, dim, dropout)
    return keras.Model([source, target], keras.layers.Dense(dim)(x))


# %%
# Two layers each, built and called: the logits of a target may not depend on what comes later.
keras.utils.set_random_seed(0)
transformer = build_transformer(vocab_size=50, max_len=10, num_layers=2, d_model=32, num_heads=4, ff_dim=64)
source_ids = np.random.default_rng(0).integers(1, 50, (4, 10))
target_ids = np.random.default_rng(1).integers(1, 50, (4, 10))
logits = to_numpy(transformer([source_ids, target_ids]))
later = np.concatenate([target_ids[:, :5], target_ids[:, 5:][:, ::-1]], axis=1)
change = np.abs(to_numpy(transformer([source_ids, later])) - logits).max(axis=(0, 2))
print("parameters:", transformer.count_params(), " change by position:", change)

figure, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.bar(range(10), change)
ax.set(title="What a change from position 5 on moves", xlabel="position", ylabel="largest change of a logit")
plt.show()

# %%
# The continuous model, and how the number of parameters grows with the number of layers.
continuous = build_continuous_transformer(timesteps=6, dim=12, num_heads=4, ff_dim=24, num_blocks=2)
sequences = np.random.default_rng(2).normal(size=(8, 6, 12)).astype("float32")
print("output:", continuous([sequences, sequences]).shape, " parameters:", continuous.count_params())
counts = {}
for d_model in (16, 32, 64):
    for num_layers in (1, 2, 3, 4):
        model = build_transformer(50, 10, num_layers, d_model, 4, 2 * d_model)
        assert model([source_ids, target_ids]).shape == (4, 10, 50)
        counts[d_model, num_layers] = model.count_params()
        print(f"d_model {d_model}, {num_layers} layers: {counts[d_model, num_layers]} parameters")

figure, ax = plt.subplots(figsize=(6, 3), layout="constrained")
for d_model in (16, 32, 64):
    ax.plot((1, 2, 3, 4), [counts[d_model, n] for n in (1, 2, 3, 4)], "o-", label=f"d_model {d_model}")
ax.set(title="Parameters of a Transformer", xlabel="layers", ylabel="parameters", xticks=(1, 2, 3, 4), yscale="log")
ax.legend()
plt.show()
