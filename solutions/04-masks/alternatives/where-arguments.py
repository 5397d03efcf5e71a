# %% [markdown]
# NumPy's own `where=` arguments, log-sum-exp's kin; later inputs set to zero; any head hides


# %% task="look-ahead-mask"
def create_look_ahead_mask(size: int) -> np.ndarray:
    return np.fromfunction(lambda query, key: key > query, (size, size)).astype(float)


# %% task="decoder-mask"
def create_decoder_mask(token_ids, pad_id=0):
    masks = []
    for sentence in np.asarray(token_ids):
        future = np.triu(np.ones((len(sentence),) * 2), 1)
        future[:, sentence == pad_id] = 1
        masks.append(future[None])
    return np.stack(masks)


# %% task="masked-softmax"
def masked_softmax(scores, mask):
    keep = np.broadcast_to(np.asarray(mask) == 0, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=keep, initial=np.finfo(scores.dtype).min)
    e = np.zeros_like(scores)
    np.exp(scores - top, out=e, where=keep)
    total = np.sum(e, axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total != 0)


# %% task="keras-mask"
def to_keras_attention_mask(mask):
    hidden = ops.cast(mask, "bool")
    if ops.ndim(hidden) == 2:
        hidden = hidden[None, None]
    return ops.logical_not(ops.any(hidden, axis=1))


# %% task="leak-test"
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(3).normal(size=(1, seq_len, dim))
    full, worst = to_numpy(attend(x)), 0.0
    for t in range(1, seq_len):
        past = x * (np.arange(seq_len) < t)[None, :, None]
        worst = max(worst, float(np.abs(to_numpy(attend(past)) - full)[:, :t].max()))
    return worst > 1e-6
