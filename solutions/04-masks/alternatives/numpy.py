# %% [markdown]
# plain NumPy, -inf with np.where, zeros put back for wholly hidden rows, np.allclose with its defaults


# %% task="padding-mask"
def create_padding_mask(token_ids, pad_id=0):
    mask = np.where(np.asarray(token_ids) == pad_id, 1.0, 0.0)
    return mask[:, np.newaxis, np.newaxis, :]


# %% task="look-ahead-mask"
def create_look_ahead_mask(size):
    return np.triu(np.ones((size, size)), k=1)


# %% task="decoder-mask"
def create_decoder_mask(token_ids, pad_id=0):
    return np.maximum(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(np.shape(token_ids)[1]))


# %% task="masked-softmax"
def masked_softmax(scores, mask):
    with np.errstate(invalid="ignore"):
        lowered = np.where(mask == 1, -np.inf, scores)
        e = np.exp(lowered - lowered.max(axis=-1, keepdims=True))
        return np.nan_to_num(e / e.sum(axis=-1, keepdims=True))


# %% task="keras-mask"
def to_keras_attention_mask(mask):
    mask = np.logical_not(np.asarray(mask).astype(bool))
    if mask.ndim == 2:
        return mask[np.newaxis]
    return mask[:, 0]


# %% task="leak-test"
def leaks_future(attend, seq_len, dim):
    x = np.random.randn(1, seq_len, dim)
    original = np.asarray(attend(x))
    for t in range(seq_len - 1):
        x2 = np.array(x)
        x2[:, t + 1:] = np.random.randn(1, seq_len - t - 1, dim)
        if not np.allclose(original[:, :t + 1], np.asarray(attend(x2))[:, :t + 1]):
            return True
    return False
