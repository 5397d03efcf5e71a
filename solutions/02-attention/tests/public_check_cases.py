# %% check="grade-softmax" answer="a sum over all rows"
# says: all rows together add up to 1
# - ops.sum(exponentials, axis=axis, keepdims=True)
# + ops.sum(exponentials)


# %% check="grade-softmax" answer="the largest score of a row, whatever the axis"
# says: Both run along `axis`
# - ops.max(x, axis=axis, keepdims=True)
# + ops.max(x, axis=-1, keepdims=True)


# %% check="grade-softmax" answer="a sum that TensorFlow calls otherwise"
# says: TensorFlow says `tf.reduce_sum`
def softmax(x, axis=-1):
    import tensorflow as tf
    exponentials = tf.exp(x - tf.reduce_max(x, axis=axis, keepdims=True))
    return exponentials / tf.sum(exponentials, axis=axis, keepdims=True)


# %% check="grade-softmax" answer="a maximum that keeps no axis, in TensorFlow" of="a sum that TensorFlow calls otherwise"
# says: `keepdims=True` keeps it with length 1
# - tf.reduce_max(x, axis=axis, keepdims=True)
# + tf.reduce_max(x, axis)
# - tf.sum(exponentials, axis=axis, keepdims=True)
# + tf.reduce_sum(exponentials, axis)


# %% check="grade-softmax" answer="a kept axis by its place"
# says: Write `keepdims=True` with its name
# - ops.max(x, axis=axis, keepdims=True)
# + np.max(x, axis, True)


# %% check="grade-softmax" answer="a misspelt name that a function has too"
# says: Is it spelt as where it was made
# - ops.sum(exponentials, axis=axis, keepdims=True)
# + ops.sum(exp, axis=axis, keepdims=True)


# %% check="grade-softmax" answer="Keras's softmax of integers"
# notes: in softmax, the line `return ops.softmax(x, axis=axis)` stops (shapes: x (2, 3)). Look here first: This function takes nothing of that dtype
def softmax(x, axis=-1):
    return ops.softmax(x, axis=axis)


# %% check="grade-softmax" answer="a sum that keeps no axis, below a maximum that does"
# says: `keepdims=True` keeps it with length 1
# -     return exponentials / ops.sum(exponentials, axis=axis, keepdims=True)
# +     return exponentials / ops.sum(exponentials, axis=axis)


# %% check="grade-softmax" answer="a sum that keeps no axis, where a line above turns something"
# says: `keepdims=True` keeps it with length 1
def softmax(x, axis=-1):
    columns = np.array(x).T
    exponentials = np.exp(np.array(x) - columns.max())
    return exponentials / exponentials.sum(axis=axis)


# %% check="grade-softmax" answer="a softmax that takes off the mean"
# says: softmax([[0, 0, 5000]]): there is a NaN
def softmax(x, axis=-1):
    weights = np.exp(x - np.mean(x, axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


# %% check="grade-softmax" answer="a softmax that fills an array of the scores' dtype"
# says: softmax of integers
def softmax(x, axis=-1):
    weights = np.empty_like(x)
    weights[...] = keras.activations.softmax(ops.convert_to_tensor(x, dtype="float64"), axis=axis)
    return weights


# %% check="grade-softmax" answer="a softmax that knows two axes only"
# says: along axis 1
_softmax = softmax
def softmax(x, axis=-1):
    return np.asarray(_softmax(np.asarray(x).T)).T if axis == 0 else _softmax(x)


# %% check="grade-softmax" answer="weights of the scores' dtype"
# says: Does the result get the dtype of `x`?
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)


# %% check="grade-softmax" answer="exponentials without their sum"
# says: not divided by their sum
def softmax(x, axis=-1):
    return np.exp(x - np.max(x, axis=axis, keepdims=True))


# %% check="grade-softmax" answer="a softmax that takes off the smallest"
# says: not its mean or its smallest
def softmax(x, axis=-1):
    e = np.exp(x - np.min(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


# %% check="grade-softmax" answer="a softmax in place" right=true
def softmax(x, axis=-1):
    if x.dtype.kind == "i":
        x = x.astype("float32")
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x


# %% check="grade-attention-scores" answer="all axes turned around, in TensorFlow"
# says: reverse *all* axes
def attention_scores(query, key):
    import tensorflow as tf
    return tf.matmul(query, tf.transpose(key)) / key.shape[-1] ** 0.5


# %% check="grade-attention-scores" answer="the root of the batch"
# says: You took axis 0
def attention_scores(query, key):
    return ops.matmul(query, ops.swapaxes(key, -1, -2)) / np.sqrt(query.shape[0])


# %% check="grade-attention-scores" answer="the root of the number of keys"
# says: the square root of 4, the number of keys
# - key_dim = query.shape[-1]
# + key_dim = ops.swapaxes(key, -1, -2).shape[-1]


# %% check="grade-attention-scores" answer="a half instead of the root"
# says: `/ a ** 1/2` divides by `a` and by 2
# - ops.divide(products, key_dim**0.5)
# + products / key_dim ** 1/2


# %% check="grade-attention-scores" answer="every slice with every other"
# says: `np.dot` takes every slice of the one with every slice of the other
# - ops.matmul(query, ops.swapaxes(key, -1, -2))
# + np.dot(query, np.swapaxes(key, -1, -2))


# %% check="grade-attention-scores" answer="query and key both divided by the root"
# says: To divide both query and key by the root
def attention_scores(query, key):
    root = query.shape[-1] ** 0.5
    return ops.matmul(query / root, ops.swapaxes(key / root, -1, -2))


# %% check="grade-attention-scores" answer="transpose_b of another library"
# says: Only `tf.matmul` takes `transpose_a` and `transpose_b`
def attention_scores(query, key):
    return ops.matmul(query, key, transpose_b=True) / key.shape[-1] ** 0.5


# %% check="grade-attention-scores" answer="a matrix product with an argument that it doesn't know"
# says: Compare the call with what the function takes
# - ops.swapaxes(key, -1, -2))
# + ops.swapaxes(key, -1, -2), axis=-1)


# %% check="grade-attention-scores" answer="an einsum without dots, in NumPy"
# says: do the letters leave out the leading axes
def attention_scores(query, key):
    return np.einsum("qd,kd->qk", query, key) / key.shape[-1] ** 0.5


# %% check="grade-attention-scores" answer="an einsum without dots, in Keras"
# says: do the letters leave out the leading axes
def attention_scores(query, key):
    return ops.einsum("qd,kd->qk", query, key) / key.shape[-1] ** 0.5


# %% check="grade-attention-scores" answer="an einsum with a letter for the batch"
# says: do the letters leave out the leading axes
def attention_scores(query, key):
    return np.einsum("bqd,bkd->bqk", query, key) / key.shape[-1] ** 0.5


# %% check="grade-attention-scores" answer="an einsum whose letters stand for axes of different lengths"
# says: the same letter names axes of different lengths
def attention_scores(query, key):
    return np.einsum("...qd,...dk->...qk", query, key) / key.shape[-1] ** 0.5


# %% check="grade-attention-scores" answer="the first two axes swapped"
# says: the axes before the last two have to be equally long
def attention_scores(query, key):
    return ops.matmul(query, ops.swapaxes(key, 0, 1)) / key.shape[-1] ** 0.5


# %% check="grade-attention-scores" answer="all axes turned around by a method"
# says: reverse *all* axes
def attention_scores(query, key):
    return ops.matmul(query, key.transpose()) / key.shape[-1] ** 0.5


# %% check="grade-attention-scores" answer="a transpose of three axes, of two"
# says: `transpose` wants all axes of its array
def attention_scores(query, key):
    return query @ np.transpose(key, (0, 2, 1)) / key.shape[-1] ** 0.5


# %% check="grade-attention-scores" answer="a transpose of two axes, of three"
# says: `transpose` wants all axes of its array
def attention_scores(query, key):
    return ops.matmul(query, ops.transpose(key, (1, 0))) / key.shape[-1] ** 0.5


# %% check="grade-attention-scores" answer="a transpose with a keyword, in TensorFlow"
# says: `transpose` wants all axes of its array
def attention_scores(query, key):
    import tensorflow as tf
    turned = tf.transpose(key, perm=[0, 2, 1])
    return tf.matmul(query, turned) / key.shape[-1] ** 0.5


# %% check="grade-attention-scores" answer="a transpose with a keyword, in NumPy"
# says: `transpose` wants all axes of its array
# - ops.swapaxes(key, -1, -2)
# + np.transpose(key, axes=(-1, -2))


# %% check="grade-attention-scores" answer="a method's transpose with a keyword"
# says: key (4, 3)). TypeError: ndarray.transpose() takes no keyword
# - ops.swapaxes(key, -1, -2)
# + key.transpose(axes=(1, 0))


# %% check="grade-scaled-dot-product" answer="a hidden key of minus infinity, multiplied"
# says: such as `mask * -np.inf` where the mask is 0
# - ops.where(ops.cast(mask, "bool"), -1e9, scores)
# + scores + mask * -np.inf


# %% check="grade-scaled-dot-product" answer="scores multiplied by the mask"
# says: their scores are lost, for example in a product with the mask
# - ops.where(ops.cast(mask, "bool"), -1e9, scores)
# + scores * mask * -1e9


# %% check="grade-scaled-dot-product" answer="a hidden score that isn't low enough"
# says: A hidden score has to be far lower
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = ops.where(ops.cast(mask, "bool"), -100.0, scores)
    weights = softmax(scores)
    return ops.matmul(weights, value), weights


# %% check="grade-scaled-dot-product" answer="the first query's mask for all"
# says: Does each query get its own row of the mask?
# - ops.cast(mask, "bool")
# + ops.cast(mask[..., :1, :], "bool")


# %% check="grade-scaled-dot-product" answer="a hidden score that is 100 lower"
# says: A hidden score has to be far lower
# - scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
# + scores = scores - 100.0 * mask


# %% check="grade-scaled-dot-product" answer="a low number with another sign for its power"
# says: In Python `^` isn't a power
# - -1e9
# + -10^9


# %% check="grade-scaled-dot-product" answer="scores multiplied by truth values"
# says: This function takes nothing of that dtype
# - ops.where(ops.cast(mask, "bool"), -1e9, scores)
# + scores * ops.logical_not(mask)


# %% check="grade-scaled-dot-product" answer="a mask after the softmax"
# notes: Let the mask act before the softmax
def scaled_dot_product_attention(query, key, value, mask=None):
    weights = np.asarray(softmax(attention_scores(query, key)))
    if mask is not None:
        weights = weights * (1 - mask)
        weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


# %% check="grade-scaled-dot-product" answer="a tensor that is assigned to"
# says: A tensor's entries can't be assigned to
# - scores = attention_scores(query, key)
# + scores = ops.convert_to_tensor(attention_scores(query, key))
# - scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
# + scores[mask == 1] = -1e9


# %% check="grade-scaled-dot-product" answer="the visible scores replaced by 0"
# says: The mask changes the hidden scores only
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = ops.where(mask == 1, -1e9, 0.0)
    w = softmax(scores)
    return ops.matmul(w, value), w


# %% check="grade-scaled-dot-product" answer="weights masked and divided by their sum and a little"
# says: nothing is left for the visible keys
def scaled_dot_product_attention(query, key, value, mask=None):
    w = softmax(attention_scores(query, key))
    if mask is not None:
        w = w * (1 - mask); w = w / (ops.sum(w, axis=-1, keepdims=True) + 1e-9)
    return w @ value, w


# %% check="grade-scaled-dot-product" answer="a softmax along axis 1"
# says: the softmax runs along axis 1
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
    w = softmax(scores, axis=1)
    return ops.matmul(w, value), w


# %% check="grade-scaled-dot-product" answer="the root of the number of queries"
# says: that of the number of queries is 1 here
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-2])
    if mask is not None:
        scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
    w = softmax(scores)
    return ops.matmul(w, value), w


# %% check="grade-scaled-dot-product" answer="attention without a return"
# says: it returned None
def scaled_dot_product_attention(query, key, value, mask=None):
    softmax(attention_scores(query, key))


# %% check="grade-scaled-dot-product" answer="scores times the mask" of="the visible scores replaced by 0"
# says: the score of each visible key has become 0
# -         scores = ops.where(mask == 1, -1e9, 0.0)
# +         scores = scores * mask


# %% check="grade-scaled-dot-product" answer="weights with the low number"
# says: the low number stands among the weights
def scaled_dot_product_attention(query, key, value, mask=None):
    w = softmax(attention_scores(query, key))
    if mask is not None:
        w = ops.where(ops.cast(mask, "bool"), -1e9, w)
    return ops.matmul(w, value), w


# %% check="grade-scaled-dot-product" answer="two softmaxes"
# says: the softmax is taken twice
_softmax = softmax
def softmax(x, axis=-1):
    return _softmax(_softmax(x, axis), axis)


# %% check="grade-scaled-dot-product" answer="a mask that is changed in place" right=true
_attention = scaled_dot_product_attention
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = np.asarray(attention_scores(query, key))
    if mask is not None:
        mask *= -1e9
        scores = scores + mask
    weights = softmax(scores)
    return ops.matmul(weights, value), weights


# %% check="grade-scaled-dot-product" answer="a softmax with methods of arrays, below tensors"
# says: The call came from `weights = softmax(scores)` in scaled_dot_product_attention
# says: A tensor lacks NumPy's methods
def softmax(x, axis=-1):
    weights = np.exp(x - x.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


# %% check="grade-scaled-dot-product" answer="values scored instead of keys"
# says: The call came from `scores = attention_scores(query, value)`
# - attention_scores(query, key)
# + attention_scores(query, value)


# %% check="grade-scaled-dot-product" answer="a list of two results"
# says: return a tuple of two, (output, weights)
# - return ops.matmul(weights, value), weights
# + return [ops.matmul(weights, value), weights]


# %% check="grade-scaled-dot-product" answer="a mask of floats as an index"
# says: Floats can't be an index
# - scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
# + scores = np.array(scores)
# +         scores[mask] = -1e9


# %% check="grade-scaled-dot-product" answer="a method of PyTorch"
# says: Only PyTorch's tensors have `masked_fill`
# - ops.where(ops.cast(mask, "bool"), -1e9, scores)
# + scores.masked_fill(mask == 1, -1e9)


# %% check="grade-scaled-dot-product" answer="a where without what stands elsewhere"
# says: `where` takes three arguments
# - ops.where(ops.cast(mask, "bool"), -1e9, scores)
# + ops.where(mask == 1, -1e9)


# %% check="grade-scaled-dot-product" answer="a mask that is read entry by entry"
# says: `np.broadcast_to(mask, scores.shape)` spreads it out first
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = np.array(attention_scores(query, key))
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            if mask is not None and mask[i, j]:
                scores[i, j] = -1e9
    weights = softmax(scores)
    return ops.matmul(weights, value), weights


# %% check="grade-projections" answer="the width of the input"
# says: It is key_dim that counts
# -     return scaled_dot_product_attention(query, key, value)
# +     weights = softmax(ops.matmul(query, ops.swapaxes(key, -1, -2)) / x_query.shape[-1] ** 0.5)
# +     return ops.matmul(weights, value), weights


# %% check="grade-projections" answer="scaled twice"
# says: divided twice
# -     return scaled_dot_product_attention(query, key, value)
# +     return scaled_dot_product_attention(query / query.shape[-1] ** 0.5, key, value)


# %% check="grade-projections" answer="queries and keys in each other's place"
# says: or the arguments of scaled_dot_product_attention
# - scaled_dot_product_attention(query, key, value)
# + scaled_dot_product_attention(key, query, value)


# %% check="grade-projections" answer="queries projected like keys"
# says: the queries were projected with w_key too
# - ops.matmul(x_query, w_query)
# + ops.matmul(x_query, w_key)


# %% check="grade-projections" answer="scores instead of weights"
# says: these are the scores
# -     return scaled_dot_product_attention(query, key, value)
# +     return scaled_dot_product_attention(query, key, value)[0], attention_scores(query, key)


# %% check="grade-projections" answer="keys and values in each other's place"
# says: in attention_scores, the line
# says: The call came from `return scaled_dot_product_attention(query, value, key)` in projected_attention
# - scaled_dot_product_attention(query, key, value)
# + scaled_dot_product_attention(query, value, key)


# %% check="grade-projections" answer="turned matrices in a list, below a lambda"
# says: the line `q, k, v = [halve(x) @ w.T for x, w in pairs]` stops (shapes: x (2, 3), w (3, 4))
# says: reverse *all* axes
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    halve = lambda a: a / 2
    pairs = ((x_query, w_query), (x_key, w_key), (x_value, w_value))
    q, k, v = [halve(x) @ w.T for x, w in pairs]
    return scaled_dot_product_attention(q, k, v)


# %% check="grade-projections" answer="values not projected"
# says: projected with w_value?
# - ops.matmul(x_value, w_value)
# + x_value


# %% check="grade-projections" answer="projections of two axes"
# says: more dimensions than subscripts
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return scaled_dot_product_attention(
        np.einsum("li,ik->lk", x_query, w_query), np.einsum("li,ik->lk", x_key, w_key), np.einsum("li,ik->lk", x_value, w_value)
    )


# %% check="grade-projections" answer="a matrix from the wrong side"
# says: in a matrix product: the last axis of the left one
# - ops.matmul(x_query, w_query)
# + ops.matmul(w_query, x_query)


# %% check="grade-projections" answer="projections, scores divided by key_dim"
# says: or by key_dim instead of its root
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    q, k, v = x_query @ w_query, x_key @ w_key, x_value @ w_value; w = softmax(q @ np.swapaxes(k, -1, -2) / k.shape[-1]); return w @ v, w


# %% check="grade-projections" answer="projections, on scores that task 2 divides by key_dim"
# says: or in task 2 or 3?
def attention_scores(query, key):
    return ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1]


# %% check="grade-projections" answer="the root of value_dim"
# says: that of value_dim is 1 here
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    q, k, v = x_query @ w_query, x_key @ w_key, x_value @ w_value; w = softmax(q @ np.swapaxes(k, -1, -2) / v.shape[-1] ** 0.5); return w @ v, w


# %% check="grade-projections" answer="projections without a return"
# says: it returned None
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    pass


# %% check="grade-projections" answer="projections, the results exchanged"
# says: the second result, weights
_p = projected_attention
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return _p(x_query, x_key, x_value, w_query, w_key, w_value)[::-1]


# %% check="grade-score-scale" answer="a variance divided by the root"
# says: divided by c squared
# - return std / key_dim**0.5 if scaled else std
# + return (key_dim / key_dim**0.5) ** 0.5 if scaled else std


# %% check="grade-score-scale" answer="a root that is cut off"
# says: the root of 10 is no whole number
def score_std(key_dim, scaled):
    return 1.0 if scaled else int(key_dim**0.5)


# %% check="grade-score-scale" answer="a half instead of the root"
# says: `a ** 1/2` is half of `a`
# - float(key_dim) ** 0.5
# + float(key_dim) ** 1/2


# %% check="grade-additive" answer="axes counted as if there were always a batch"
# says: More axes are asked for than there are
# - ops.expand_dims(ops.matmul(query, w_query), -2)
# + np.asarray(ops.matmul(query, w_query))[:, :, None, :]
# - ops.expand_dims(ops.matmul(key, w_key), -3)
# + np.asarray(ops.matmul(key, w_key))[:, None, :, :]


# %% check="grade-additive" answer="a vector that is turned"
# says: the last axis of the left one and the last but one of the right one
# - ops.sum(ops.multiply(hidden, v), axis=-1)
# + v.T @ np.asarray(hidden)


# %% check="grade-additive" answer="the axes of length 1 swapped"
# says: Have the two axes of length 1 changed places?
# - ops.expand_dims(ops.matmul(query, w_query), -2)
# + ops.expand_dims(ops.matmul(query, w_query), -3)
# - ops.expand_dims(ops.matmul(key, w_key), -3)
# + ops.expand_dims(ops.matmul(key, w_key), -2)


# %% check="grade-additive" answer="the new axis of the queries at the end"
# says: stands at the end, behind the units
def additive_attention(query, key, value, w_query, w_key, v):
    hidden = np.tanh((query @ w_query)[..., None] + (key @ w_key)[..., None, :])
    weights = softmax(hidden @ v)
    return ops.matmul(weights, value), weights


# %% check="grade-additive" answer="queries and keys joined"
# says: Two arrays don't fit together. Axes are compared
def additive_attention(query, key, value, w_query, w_key, v):
    hidden = ops.tanh(ops.concatenate([ops.matmul(query, w_query), ops.matmul(key, w_key)], axis=-1))
    weights = softmax(ops.sum(v * hidden, axis=-1))
    return ops.matmul(weights, value), weights


# %% check="grade-additive" answer="an einsum without dots in additive scores"
# says: do the letters leave out the leading axes
# - ops.sum(ops.multiply(hidden, v), axis=-1)
# + np.einsum("qku,u->qk", hidden, v)


# %% check="grade-additive" answer="every axis of length 1 taken away"
# says: `squeeze` without an axis takes away every axis of length 1
# - ops.sum(ops.multiply(hidden, v), axis=-1)
# + ops.squeeze(ops.matmul(hidden, v[:, None]))


# %% check="grade-additive" answer="an additive softmax along axis 1"
# says: the softmax runs along axis 1, here the queries
# - ops.sum(ops.multiply(hidden, v), axis=-1))
# + ops.sum(ops.multiply(hidden, v), axis=-1), axis=1)


# %% check="grade-additive" answer="the units not summed"
# says: the units, the last axis, are summed up
# - ops.sum(ops.multiply(hidden, v), axis=-1)
# + ops.multiply(hidden, v)


# %% check="grade-additive" answer="every query meets one key"
# says: Every query has to meet every key inside the tanh
# - ops.expand_dims(ops.matmul(query, w_query), -2)
# + ops.matmul(query, w_query)
# - ops.expand_dims(ops.matmul(key, w_key), -3)
# + ops.matmul(key, w_key)


# %% check="grade-additive" answer="a product of query and key"
# says: They are added
# - ops.tanh(projected_query + projected_key)
# + ops.tanh(projected_query * projected_key)


# %% check="grade-additive" answer="the tanh of the score"
# says: before `v`
# - ops.tanh(projected_query + projected_key)
# + projected_query + projected_key
# - softmax(ops.sum(ops.multiply(hidden, v), axis=-1))
# + softmax(ops.tanh(ops.sum(ops.multiply(hidden, v), axis=-1)))


# %% check="grade-additive" answer="additive scores instead of weights"
# says: these are the scores themselves
# - weights = softmax(ops.sum(ops.multiply(hidden, v), axis=-1))
# + weights = ops.sum(ops.multiply(hidden, v), axis=-1)


# %% check="grade-additive" answer="an axis in the wrong place, in TensorFlow"
# says: new axes of length 1
# - ops.matmul(query, w_query), -2)
# + ops.matmul(query, w_query), -3)


# %% check="grade-additive" answer="additive scores without w_query"
# says: stops (shapes:
# - ops.matmul(query, w_query)
# + ops.convert_to_tensor(query)


# %% check="grade-additive" answer="an additive score without v"
# says: `v` is missing
# - ops.multiply(hidden, v)
# + hidden


# %% check="grade-additive" answer="queries and keys that meet without new axes"
# says: Every query has to meet every key
def additive_attention(query, key, value, w_query, w_key, v):
    hidden = ops.tanh(ops.matmul(query, w_query) + ops.matmul(key, w_key))
    weights = softmax(ops.sum(hidden * v, axis=-1))
    return ops.matmul(weights, value), weights


# %% check="grade-additive" answer="queries and keys that meet in one line"
# says: Every query has to meet every key
def additive_attention(query, key, value, w_query, w_key, v):
    scores = np.sum(v * np.tanh(query @ w_query + key @ w_key), axis=-1)
    weights = softmax(scores)
    return ops.matmul(weights, value), weights


# %% check="grade-additive" answer="axes counted from the front"
# says: count axes from the back
# - hidden = ops.tanh(projected_query + projected_key)
# + hidden = np.tanh((np.asarray(query) @ w_query)[:, None] + (np.asarray(key) @ w_key)[None])


# %% check="grade-additive" answer="additive attention without a return"
# says: it returned None
def additive_attention(query, key, value, w_query, w_key, v):
    pass


# %% check="grade-additive" answer="additive attention, the results exchanged"
# says: the second result, weights
_a = additive_attention
def additive_attention(*a):
    return _a(*a)[::-1]


# %% check="grade-additive" answer="additive attention as scaled dot products"
# says: the scaled dot products of the two projections
def additive_attention(query, key, value, w_query, w_key, v):
    return scaled_dot_product_attention(query @ w_query, key @ w_key, value)


# %% check="grade-additive" answer="additive attention without the keys"
# says: Is the key in the score?
def additive_attention(query, key, value, w_query, w_key, v):
    hidden = ops.tanh(ops.expand_dims(query @ w_query, -2) + 0 * ops.expand_dims(key @ w_key, -3))
    weights = softmax(ops.sum(hidden * v, axis=-1))
    return ops.matmul(weights, value), weights


# %% check="grade-additive" answer="only the queries get a new axis"
# says: Two arrays don't fit together. Axes are compared
# - ops.expand_dims(ops.matmul(key, w_key), -3)
# + ops.matmul(key, w_key)
# -     hidden = ops.tanh(projected_query + projected_key)  # (..., query_len, key_len, units)
# -     weights = softmax(ops.sum(ops.multiply(hidden, v), axis=-1))
# +     weights = softmax(ops.sum(v * ops.tanh(projected_query + projected_key), axis=-1))


# %% check="grade-additive" answer="v outside of the sum"
# says: Two arrays don't fit together. Axes are compared
# - ops.sum(ops.multiply(hidden, v), axis=-1)
# + v * ops.sum(hidden, axis=-1)


# %% check="grade-scaled-dot-product" answer="weights behind the values, below a transposed key"
# says: Two arrays don't fit together in a matrix product
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ key.T / np.sqrt(query.shape[-1])
    weights = softmax(scores)
    return value @ weights, weights


# %% check="grade-softmax" answer="a variable with the function's name"
# says: this name belongs to the function alone
def softmax(x, axis=-1):
    softmax = softmax(x, axis)
    return softmax


# %% check="grade-attention-scores" answer="a function without its brackets"
# says: are its brackets `()` missing
def attention_scores(query, key):
    return ops.matmul(query, ops.swapaxes(key, -2, -1)) / np.sqrt


# %% check="grade-softmax" answer="an axis that is one too high"
# says: An axis is asked for that the array doesn't have
# - ops.sum(exponentials, axis=axis, keepdims=True)
# + ops.sum(exponentials, 2)


# %% check="grade-scaled-dot-product" answer="a mask that decides a conditional"
# says: want one truth value, not an array of them
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    weights = softmax(scores + mask * -1e9, axis=-1) if mask else softmax(scores, axis=-1)
    return ops.matmul(weights, value), weights


# %% check="grade-softmax" answer="a sum that begins nowhere"
# says: before it gets its first value
def softmax(x, axis=-1):
    for part in x:
        total += np.exp(part).sum()
    return np.exp(x) / total
