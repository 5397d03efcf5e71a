# %% [markdown]
# Python loops and nested lists, the leak test entry by entry with NumPy booleans as answers


# %% task="padding-mask"
def create_padding_mask(token_ids, pad_id=0):
    return [[[[1.0 if token == pad_id else 0.0 for token in sequence]]] for sequence in np.asarray(token_ids)]


# %% task="look-ahead-mask"
def create_look_ahead_mask(size):
    return [[1.0 if j > i else 0.0 for j in range(size)] for i in range(size)]


# %% task="decoder-mask"
def create_decoder_mask(token_ids, pad_id=0):
    batch, seq_len = np.shape(token_ids)
    mask = np.zeros((batch, 1, seq_len, seq_len))
    for b in range(batch):
        for i in range(seq_len):
            for j in range(seq_len):
                if j > i or token_ids[b][j] == pad_id:
                    mask[b, 0, i, j] = 1
    return mask


# %% task="masked-softmax"
def masked_softmax(scores, mask):
    scores = np.asarray(scores)
    mask = np.broadcast_to(mask, scores.shape)
    weights = np.zeros_like(scores)
    for row in np.ndindex(*scores.shape[:-1]):
        kept = mask[row] == 0
        if kept.any():
            e = np.exp(scores[row][kept] - scores[row][kept].max())
            weights[row][kept] = e / e.sum()
    return weights


# %% task="keras-mask"
def to_keras_attention_mask(mask):
    mask = np.asarray(mask)
    if len(mask.shape) == 4:
        batch, _, queries, keys = mask.shape
        return mask.reshape(batch, queries, keys) < 0.5
    return np.array([mask < 0.5])


# %% task="leak-test"
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(1, seq_len, dim))
    y = ops.convert_to_numpy(attend(x))
    leaks = np.zeros((seq_len, seq_len), dtype=bool)
    for j in range(seq_len):
        for f in range(dim):
            moved = x.copy()
            moved[0, j, f] += 1.0
            distance = np.abs(ops.convert_to_numpy(attend(moved)) - y)[0].max(axis=-1)
            leaks[:, j] |= distance > 1e-5
    return np.triu(leaks, k=1).any()
