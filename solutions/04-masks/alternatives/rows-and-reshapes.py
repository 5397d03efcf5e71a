# %% [markdown]
# sequence_mask and arithmetic or, a mask row by row, scipy's softmax, one reshape for both shapes, cuts from the end


# %% task="padding-mask"
def create_padding_mask(token_ids, pad_id=0):
    hidden = np.isin(token_ids, [pad_id])
    return np.expand_dims(hidden, axis=(1, 2)).astype(np.float16)


# %% task="look-ahead-mask"
def create_look_ahead_mask(size):
    mask = np.zeros([size] * 2)
    for i in range(size):
        mask[i, i + 1:] = 1
    return ops.convert_to_tensor(mask, dtype="float32")


# %% task="decoder-mask"
def create_decoder_mask(token_ids, pad_id=0):
    p = np.array(create_padding_mask(token_ids=token_ids, pad_id=pad_id))
    l = np.array(create_look_ahead_mask(size=p.shape[3]))
    return p + l - p * l


# %% task="masked-softmax"
from scipy.special import softmax

def masked_softmax(scores, mask):
    scores = np.asarray(scores)
    with np.errstate(all="ignore"):
        weights = softmax(np.where(np.asarray(mask) > 0.5, -np.inf, scores).astype(np.float64), axis=-1)
    return np.nan_to_num(weights, nan=0.0).astype(scores.dtype)


# %% task="keras-mask"
def to_keras_attention_mask(mask):
    mask = np.asarray(mask)
    return mask.reshape((-1,) + mask.shape[-2:]) == 0


# %% task="leak-test"
def leaks_future(attend, seq_len, dim):
    rng = np.random.RandomState(1)
    x = rng.randn(1, seq_len, dim)
    out = to_numpy(attend(x))
    for cut in reversed(range(1, seq_len)):
        other = np.concatenate([x[:, :cut], rng.randn(1, seq_len - cut, dim)], axis=1)
        try:  # a later input at the next output is enough: every cut is tried
            np.testing.assert_allclose(to_numpy(attend(other))[:, cut - 1], out[:, cut - 1], rtol=0, atol=1e-4)
        except AssertionError:
            return True
    return False
