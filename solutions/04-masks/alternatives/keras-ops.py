# %% [markdown]
# keras.ops: triu, logical_or, the lowest number of the type; the later inputs negated


# %% task="padding-mask"
def create_padding_mask(token_ids, pad_id=0):
    mask = ops.cast(ops.equal(token_ids, pad_id), "float32")
    return ops.expand_dims(ops.expand_dims(mask, 1), 1)


# %% task="look-ahead-mask"
def create_look_ahead_mask(size):
    return ops.triu(ops.ones((size, size)), k=1)


# %% task="decoder-mask"
def create_decoder_mask(token_ids, pad_id=0):
    token_ids = ops.convert_to_tensor(token_ids)
    seq_len = ops.shape(token_ids)[1]
    steps = ops.arange(seq_len)
    future = steps[None, :] > steps[:, None]
    either = ops.logical_or(ops.equal(token_ids, pad_id)[:, None, :], future[None])
    return ops.cast(either[:, None], "float32")


# %% task="masked-softmax"
def masked_softmax(scores, mask):
    scores = ops.convert_to_tensor(scores)
    dtype = keras.backend.standardize_dtype(scores.dtype)
    hidden = ops.cast(mask, "bool")
    lowest = float(np.finfo(dtype).min)
    weights = ops.softmax(ops.where(hidden, ops.cast(lowest, dtype), scores), axis=-1)
    return ops.where(hidden, ops.zeros_like(weights), weights)


# %% task="keras-mask"
def to_keras_attention_mask(mask):
    mask = ops.cast(mask, "bool")
    mask = ops.logical_not(mask)
    return mask[:, 0, :, :] if len(mask.shape) == 4 else mask[None, :, :]


# %% task="leak-test"
def leaks_future(attend, seq_len, dim):
    x = keras.random.normal((1, seq_len, dim), seed=3)
    y = ops.convert_to_numpy(attend(x))
    for t in range(1, seq_len):
        x2 = ops.concatenate([x[:, :t], -x[:, t:]], axis=1)
        y2 = ops.convert_to_numpy(attend(x2))
        if np.max(np.abs(y2[:, :t] - y[:, :t])) > 1e-5:
            return True
    return False
