# %% [markdown]
# plain NumPy, masks by adding -1e9


# %% task="softmax"
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


# %% task="attention-scores"
def attention_scores(query, key):
    return query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])


# %% task="scaled-dot-product"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores + mask * -1e9
    weights = softmax(scores, axis=-1)
    return weights @ value, weights


# %% task="projections"
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return scaled_dot_product_attention(x_query @ w_query, x_key @ w_key, x_value @ w_value)


# %% task="score-scale"
def score_std(key_dim, scaled):
    return 1 if scaled else np.sqrt(key_dim)


# %% task="additive"
def additive_attention(query, key, value, w_query, w_key, v):
    hidden = np.tanh((query @ w_query)[..., :, np.newaxis, :] + (key @ w_key)[..., np.newaxis, :, :])
    weights = softmax(hidden @ v)
    return weights @ value, weights
