# %% [markdown]
# the shortest NumPy


# %% task="padding-mask"
def create_padding_mask(token_ids, pad_id=0):
    return (np.asarray(token_ids) == pad_id).astype("float32")[:, None, None, :]


# %% task="look-ahead-mask"
def create_look_ahead_mask(size):
    return np.triu(np.ones((size, size)), k=1)


# %% task="decoder-mask"
def create_decoder_mask(token_ids, pad_id=0):
    return np.maximum(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(np.shape(token_ids)[1]))


# %% task="masked-softmax"
def masked_softmax(scores, mask):
    lowered = np.where(mask == 1, -np.inf, scores)
    top = np.max(lowered, axis=-1, keepdims=True)
    e = np.exp(lowered - np.where(np.isinf(top), 0, top))
    total = np.sum(e, axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


# %% task="keras-mask"
def to_keras_attention_mask(mask):
    mask = np.asarray(mask) == 0
    return mask[:, 0] if mask.ndim == 4 else mask[None]
