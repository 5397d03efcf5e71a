# %% [markdown]
# a boolean mask written into the scores after broadcasting; masks as np.ma would; float32 results


# %% task="softmax"
def softmax(x, axis=-1):
    x = np.array(x, dtype=np.float32)
    x -= np.amax(x, axis, keepdims=True)
    np.exp(x, out=x)
    x /= np.sum(x, axis, keepdims=True)
    return x


# %% task="scaled-dot-product"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = np.array(attention_scores(query, key))
    if mask is not None:
        hidden = np.broadcast_to(mask, scores.shape).astype(bool)
        scores[hidden] = -np.inf
    weights = np.asarray(softmax(scores))
    return np.matmul(weights, value), weights


# %% task="additive"
def additive_attention(query, key, value, w_query, w_key, v):
    query, key = np.dot(query, w_query), np.dot(key, w_key)
    scores = np.stack([np.tanh(query + key[..., j : j + 1, :]) @ v for j in range(key.shape[-2])], axis=-1)
    weights = np.asarray(softmax(scores))
    return np.matmul(weights, value), weights
