# %% [markdown]
# the mask applied after the exponential and the rows divided by what is left; no use of earlier tasks


# %% task="scaled-dot-product"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = np.matmul(query, np.moveaxis(key, -1, -2)) / np.sqrt(key.shape[-1])
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    if mask is not None:
        exponentials = exponentials * (1 - mask)
    weights = exponentials / exponentials.sum(-1, keepdims=True)
    return np.matmul(weights, value), weights


# %% task="projections"
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    output, weights = scaled_dot_product_attention(
        query=np.dot(x_query, w_query), key=np.dot(x_key, w_key), value=np.dot(x_value, w_value), mask=None
    )
    return output, weights
