# %% [markdown]
# the softmax in float64 and cast back, masks by comparison of index grids, leaks by a table of influence


# %% task="padding-mask"
def create_padding_mask(token_ids, pad_id=0):
    token_ids = np.array(token_ids)
    return np.equal(token_ids, pad_id).astype(np.float32).reshape(token_ids.shape[0], 1, 1, token_ids.shape[1])


# %% task="look-ahead-mask"
def create_look_ahead_mask(size):
    rows, columns = np.indices((size, size))
    return (columns > rows).astype("float32")


# %% task="decoder-mask"
def create_decoder_mask(token_ids, pad_id=0):
    padding, future = create_padding_mask(token_ids, pad_id), create_look_ahead_mask(len(token_ids[0]))
    return np.clip(padding + future, 0, 1)


# %% task="masked-softmax"
def masked_softmax(scores, mask):
    s = np.array(scores, dtype=np.float64)
    keep = 1.0 - np.array(mask, dtype=np.float64) * np.ones_like(s)
    s = s * keep + -1e9 * (1 - keep)
    e = np.exp(s - s.max(axis=-1, keepdims=True)) * keep
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0).astype(scores.dtype)


# %% task="keras-mask"
def to_keras_attention_mask(mask):
    mask = np.asarray(mask)
    keras_mask = (1 - mask).astype(bool)
    if keras_mask.ndim == 2:
        keras_mask = np.expand_dims(keras_mask, 0)
    else:
        keras_mask = np.squeeze(keras_mask, axis=1)
    return keras_mask


# %% task="leak-test"
def influence(attend, seq_len, dim):
    rng = np.random.RandomState(42)
    x = rng.standard_normal((1, seq_len, dim)).astype("float32")
    y = to_numpy(attend(x.copy()))
    table = np.zeros((seq_len, seq_len))
    for j in range(seq_len):
        z = x.copy()
        z[0, j] += rng.standard_normal(dim) * 3
        table[:, j] = np.abs(to_numpy(attend(z)) - y).max(axis=(0, 2))
    return table

def leaks_future(attend, seq_len, dim):
    table = influence(attend, seq_len, dim)
    return int((table[np.triu_indices(seq_len, 1)] > 2e-6).any())
