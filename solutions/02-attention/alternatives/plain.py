# %% [markdown]
# the shortest cells, in NumPy and keras.ops


# %% task="softmax"
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


# %% task="attention-scores"
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(query.shape[-1])


# %% task="scaled-dot-product"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores + mask * -1e9
    weights = softmax(scores)
    return ops.matmul(weights, value), weights


# %% task="projections"
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    query, key, value = ops.matmul(x_query, w_query), ops.matmul(x_key, w_key), ops.matmul(x_value, w_value)
    return scaled_dot_product_attention(query, key, value)


# %% task="score-scale"
def score_std(key_dim, scaled):
    return 1.0 if scaled else key_dim**0.5


# %% task="additive"
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = ops.matmul(query, w_query)[..., :, None, :], ops.matmul(key, w_key)[..., None, :, :]
    weights = softmax(ops.sum(ops.tanh(q + k) * v, axis=-1))
    return ops.matmul(weights, value), weights
