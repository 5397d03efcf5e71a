# %% [markdown]
# plain NumPy, hidden scores replaced by -inf with np.where, results as float32


# %% carry_over=true
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(np.shape(key)[-1])

def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = np.where(np.asarray(mask) == 1, -np.inf, scores)
    weights = softmax(scores)
    return weights @ value, weights


# %% task="split-heads"
def split_heads(x, num_heads):
    b, n, d = np.shape(x)
    if d % num_heads > 0:
        raise ValueError("d_model (%d) must be a multiple of num_heads (%d)" % (d, num_heads))
    return np.asarray(x).reshape(b, n, num_heads, -1).swapaxes(1, 2)


# %% task="merge-heads"
def merge_heads(x):
    x = np.swapaxes(np.asarray(x), 1, 2)
    return x.reshape(*x.shape[:2], -1)


# %% task="multi-head"
def multi_head_attention(query, key, value, num_heads, mask=None):
    q, k, v = [split_heads(np.asarray(t, dtype=np.float32), num_heads) for t in (query, key, value)]
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(np.asarray(mask).astype(bool), -np.inf, scores)
    weights = softmax(scores, axis=-1)
    return merge_heads(weights @ v).astype(np.float32), weights.astype(np.float32)


# %% task="parameter-count"
def mha_parameter_count(input_dim, num_heads, key_dim, value_dim=None, output_dim=None):
    value_dim = value_dim or key_dim
    output_dim = output_dim or input_dim
    kernels = [(input_dim, num_heads, key_dim)] * 2 + [(input_dim, num_heads, value_dim), (num_heads, value_dim, output_dim)]
    biases = [(num_heads, key_dim)] * 2 + [(num_heads, value_dim), (output_dim,)]
    return np.sum([np.prod(shape) for shape in kernels + biases])
