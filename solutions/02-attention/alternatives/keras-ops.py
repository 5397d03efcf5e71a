# %% [markdown]
# the backend's own softmax and einsum, everything cast to float32 first


# %% task="softmax"
def softmax(x, axis=-1):
    return keras.ops.softmax(keras.ops.cast(x, "float32"), axis=axis)


# %% task="attention-scores"
def attention_scores(query, key):
    query, key = keras.ops.cast(query, "float32"), keras.ops.cast(key, "float32")
    key_dim = keras.ops.cast(keras.ops.shape(key)[-1], "float32")
    return keras.ops.einsum("...qd,...kd->...qk", query, key) / keras.ops.sqrt(key_dim)


# %% task="scaled-dot-product"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores -= 1e9 * keras.ops.cast(mask, "float32")
    weights = softmax(scores)
    return keras.ops.matmul(weights, keras.ops.cast(value, "float32")), weights


# %% task="score-scale"
def score_std(key_dim, scaled):
    variance = keras.ops.cast(key_dim, "float32")
    if scaled:
        variance = variance / key_dim
    return keras.ops.sqrt(variance)


# %% task="additive"
def additive_attention(query, key, value, w_query, w_key, v):
    query, key, value, w_query, w_key, v = (keras.ops.cast(x, "float32") for x in (query, key, value, w_query, w_key, v))
    hidden = keras.ops.tanh((query @ w_query)[..., :, None, :] + (key @ w_key)[..., None, :, :])
    weights = keras.ops.softmax(keras.ops.squeeze(hidden @ v[:, None], -1), axis=-1)
    return weights @ value, weights
