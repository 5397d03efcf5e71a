# %% [markdown]
# weights in float32 masked and renormalised, which leaves nothing where hidden scores are hundreds above; log-sum-exp


# %% task="softmax"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float32)
    top = np.max(x, axis=axis, keepdims=True)
    return np.exp(x - top - np.log(np.sum(np.exp(x - top), axis=axis, keepdims=True)))


# %% task="attention-scores"
def attention_scores(query, key):
    return (query @ np.swapaxes(key, -1, -2) * key.shape[-1] ** -0.5).astype("float32")


# %% task="scaled-dot-product"
def scaled_dot_product_attention(query, key, value, mask=None):
    weights = softmax(attention_scores(query, key))
    if mask is not None:
        weights = weights * (1 - mask).astype("float32")
        weights = weights / np.sum(weights, axis=-1, keepdims=True)
    return np.matmul(weights, value), weights


# %% task="score-scale"
def score_std(key_dim, scaled):
    return np.float32(1.0) if scaled else np.float32(key_dim) ** np.float32(0.5)
