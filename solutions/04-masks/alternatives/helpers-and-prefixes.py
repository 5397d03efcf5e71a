# %% [markdown]
# helpers in the cells; the leak test compares the outputs of a prefix with those of the whole


# %% task="padding-mask"
def is_padding(token_ids, pad_id):
    return 1 - np.minimum(1, np.abs(np.asarray(token_ids) - pad_id))

def create_padding_mask(token_ids, pad_id=0):
    return is_padding(token_ids, pad_id).astype("float64")[:, None, None]


# %% task="look-ahead-mask"
def create_look_ahead_mask(size):
    return 1.0 - np.tri(size)


# %% task="decoder-mask"
def create_decoder_mask(token_ids, pad_id=0):
    look_ahead = np.asarray(create_look_ahead_mask(np.asarray(token_ids).shape[-1]))
    padding = np.asarray(create_padding_mask(token_ids, pad_id))
    return 1.0 - (1.0 - look_ahead) * (1.0 - padding)


# %% task="masked-softmax"
def masked_softmax(scores, mask):
    hidden = np.broadcast_to(np.asarray(mask, dtype=bool), np.shape(scores))
    scores = np.ma.masked_array(np.asarray(scores), hidden)
    e = np.ma.exp(scores - scores.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)).filled(0).astype(scores.dtype)


# %% task="leak-test"
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(7).uniform(-2, 2, size=(1, seq_len, dim))
    whole = to_numpy(attend(x))
    for t in range(1, seq_len):
        if np.abs(to_numpy(attend(x[:, :t])) - whole[:, :t]).max() > 1e-5:
            return np.bool_(True)
    return np.bool_(False)
