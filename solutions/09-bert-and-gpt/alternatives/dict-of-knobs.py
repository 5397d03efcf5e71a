# %% [markdown]
# built on sorted cumulative sums; helper functions and a class; the decoder from notebook 04's masks, blocks in a
# Sequential style


# %% task="mask-tokens"
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


# %% task="encoder-only"
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


# %% task="decoder-only"
def build_decoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    blocks = [EncoderBlock(d_model, num_heads, ff_dim, dropout) for _ in range(num_layers)]
    embedding = make_embedding(vocab_size, d_model, max_len, dropout, learned_positions)
    return language_model(embedding, blocks, create_decoder_mask, vocab_size)


# %% task="pooling"
def masked_mean_pooling(x, token_ids, pad_id=0):
    weights = (np.asarray(token_ids) != pad_id).astype(float)
    weights /= np.clip(weights.sum(axis=1, keepdims=True), 1, None)
    return np.einsum("bs,bsd->bd", weights, to_numpy(x))
