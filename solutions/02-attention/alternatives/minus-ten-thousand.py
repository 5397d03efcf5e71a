# %% [markdown]
# masks by adding -1e4 in float32, the softmax by the backend's layer


# %% task="softmax"
def softmax(x, axis=-1):
    return keras.activations.softmax(keras.ops.convert_to_tensor(x, dtype="float32"), axis=axis)


# %% task="scaled-dot-product"
def scaled_dot_product_attention(query, key, value, mask=None):
    query, key, value = (np.asarray(part, dtype=np.float32) for part in (query, key, value))
    scores = np.asarray(attention_scores(query, key))
    if mask is not None:
        scores = scores - 1e4 * mask
    weights = np.asarray(softmax(scores))
    return np.matmul(weights, value), weights
