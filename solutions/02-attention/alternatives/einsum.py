# %% [markdown]
# np.einsum throughout, masks with np.where and minus infinity


# %% task="softmax"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    shifted = x - x.max(axis=axis, keepdims=True)
    return np.exp(shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True)))


# %% task="attention-scores"
def attention_scores(query, key):
    return np.einsum("...qd,...kd->...qk", query, key) / query.shape[-1] ** 0.5


# %% task="scaled-dot-product"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = np.where(mask == 1, -np.inf, scores)
    weights = softmax(scores)
    return np.einsum("...qk,...kv->...qv", weights, value), weights


# %% task="projections"
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    query, key, value = (np.einsum("...li,id->...ld", x, w) for x, w in ((x_query, w_query), (x_key, w_key), (x_value, w_value)))
    return scaled_dot_product_attention(query, key, value)


# %% task="additive"
def additive_attention(query, key, value, w_query, w_key, v):
    projected_query = np.einsum("...qi,iu->...qu", query, w_query)
    projected_key = np.einsum("...ki,iu->...ku", key, w_key)
    hidden = np.tanh(np.expand_dims(projected_query, -2) + np.expand_dims(projected_key, -3))
    weights = softmax(np.einsum("...qku,u->...qk", hidden, v))
    return np.einsum("...qk,...kv->...qv", weights, value), weights
