# %% [markdown]
# masks by the lowest float32; the largest score found by sorting; the softmax written out again inside


# %% task="softmax"
def softmax(x, axis=-1):
    e = np.exp(x - np.take(np.sort(x, axis=axis), [-1], axis=axis))
    return e / np.sum(e, axis=axis, keepdims=True)


# %% task="attention-scores"
def attention_scores(query, key):
    return np.matmul(query / key.shape[-1] ** 0.25, np.swapaxes(key / key.shape[-1] ** 0.25, -1, -2))


# %% task="scaled-dot-product"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores + np.finfo("float32").min * mask
    weights = softmax(scores)
    return np.matmul(weights, value), weights


# %% task="score-scale"
def score_std(key_dim, scaled):
    return np.sqrt([key_dim, 1.0])[int(scaled)]


# %% task="additive"
def additive_attention(query, key, value, w_query, w_key, v):
    hidden = np.tanh((query @ w_query)[..., :, None, :] + (key @ w_key)[..., None, :, :])
    e = np.exp(hidden @ v)
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ value, weights
