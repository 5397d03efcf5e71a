"""Right answers to 02-attention/scaled_dot_product_attention in other styles."""

from __future__ import annotations

from autograder.alternatives import Alternative

__all__ = ["ALTERNATIVES"]

_NUMPY = Alternative(
    "numpy",
    "plain NumPy, masks by adding -1e9",
    {
        "softmax": """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
        "attention-scores": """
def attention_scores(query, key):
    return query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
""",
        "scaled-dot-product": """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores + mask * -1e9
    weights = softmax(scores, axis=-1)
    return weights @ value, weights
""",
        "projections": """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return scaled_dot_product_attention(x_query @ w_query, x_key @ w_key, x_value @ w_value)
""",
        "score-scale": """
def score_std(key_dim, scaled):
    return 1 if scaled else np.sqrt(key_dim)
""",
        "additive": """
def additive_attention(query, key, value, w_query, w_key, v):
    hidden = np.tanh((query @ w_query)[..., :, np.newaxis, :] + (key @ w_key)[..., np.newaxis, :, :])
    weights = softmax(hidden @ v)
    return weights @ value, weights
""",
    },
)

_TENSORFLOW = Alternative(
    "tensorflow",
    "tf.* as in tutorials: transpose_b, the width from tf.shape cast to float32, the mask added",
    {
        "softmax": """
import tensorflow as tf

def softmax(x, axis=-1):
    return tf.nn.softmax(x, axis=axis)
""",
        "attention-scores": """
import tensorflow as tf

def attention_scores(query, key):
    matmul_qk = tf.matmul(query, key, transpose_b=True)
    dk = tf.cast(tf.shape(key)[-1], tf.float32)
    return matmul_qk / tf.math.sqrt(dk)
""",
        "scaled-dot-product": """
import tensorflow as tf

def scaled_dot_product_attention(q, k, v, mask=None):
    matmul_qk = tf.matmul(q, k, transpose_b=True)
    dk = tf.cast(tf.shape(k)[-1], tf.float32)
    scaled_attention_logits = matmul_qk / tf.math.sqrt(dk)
    if mask is not None:
        scaled_attention_logits += (mask * -1e9)
    attention_weights = tf.nn.softmax(scaled_attention_logits, axis=-1)
    output = tf.matmul(attention_weights, v)
    return output, attention_weights
""",
        "projections": """
import tensorflow as tf

def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    query = tf.tensordot(x_query, w_query, axes=1)
    key = tf.tensordot(x_key, w_key, axes=1)
    value = tf.tensordot(x_value, w_value, axes=1)
    return scaled_dot_product_attention(query, key, value)
""",
        "score-scale": """
import tensorflow as tf

def score_std(key_dim, scaled):
    if scaled:
        return tf.constant(1.0)
    return tf.math.sqrt(tf.cast(key_dim, tf.float32))
""",
        "additive": """
import tensorflow as tf

def additive_attention(query, key, value, w_query, w_key, v):
    q = tf.expand_dims(tf.tensordot(query, w_query, axes=1), -2)
    k = tf.expand_dims(tf.tensordot(key, w_key, axes=1), -3)
    score = tf.reduce_sum(v * tf.nn.tanh(q + k), axis=-1)
    attention_weights = tf.nn.softmax(score, axis=-1)
    context = tf.matmul(attention_weights, value)
    return context, attention_weights
""",
    },
    backends=("tensorflow",),
)

_EINSUM = Alternative(
    "einsum",
    "np.einsum throughout, masks with np.where and minus infinity",
    {
        "softmax": """
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    shifted = x - x.max(axis=axis, keepdims=True)
    return np.exp(shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True)))
""",
        "attention-scores": """
def attention_scores(query, key):
    return np.einsum("...qd,...kd->...qk", query, key) / query.shape[-1] ** 0.5
""",
        "scaled-dot-product": """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = np.where(mask == 1, -np.inf, scores)
    weights = softmax(scores)
    return np.einsum("...qk,...kv->...qv", weights, value), weights
""",
        "projections": """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    query, key, value = (np.einsum("...li,id->...ld", x, w) for x, w in ((x_query, w_query), (x_key, w_key), (x_value, w_value)))
    return scaled_dot_product_attention(query, key, value)
""",
        "additive": """
def additive_attention(query, key, value, w_query, w_key, v):
    projected_query = np.einsum("...qi,iu->...qu", query, w_query)
    projected_key = np.einsum("...ki,iu->...ku", key, w_key)
    hidden = np.tanh(np.expand_dims(projected_query, -2) + np.expand_dims(projected_key, -3))
    weights = softmax(np.einsum("...qku,u->...qk", hidden, v))
    return np.einsum("...qk,...kv->...qv", weights, value), weights
""",
    },
)

_KERAS_OPS = Alternative(
    "keras-ops",
    "the backend's own softmax and einsum, everything cast to float32 first",
    {
        "softmax": """
def softmax(x, axis=-1):
    return keras.ops.softmax(keras.ops.cast(x, "float32"), axis=axis)
""",
        "attention-scores": """
def attention_scores(query, key):
    query, key = keras.ops.cast(query, "float32"), keras.ops.cast(key, "float32")
    key_dim = keras.ops.cast(keras.ops.shape(key)[-1], "float32")
    return keras.ops.einsum("...qd,...kd->...qk", query, key) / keras.ops.sqrt(key_dim)
""",
        "scaled-dot-product": """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores -= 1e9 * keras.ops.cast(mask, "float32")
    weights = softmax(scores)
    return keras.ops.matmul(weights, keras.ops.cast(value, "float32")), weights
""",
        "score-scale": """
def score_std(key_dim, scaled):
    variance = keras.ops.cast(key_dim, "float32")
    if scaled:
        variance = variance / key_dim
    return keras.ops.sqrt(variance)
""",
        "additive": """
def additive_attention(query, key, value, w_query, w_key, v):
    query, key, value, w_query, w_key, v = (keras.ops.cast(x, "float32") for x in (query, key, value, w_query, w_key, v))
    hidden = keras.ops.tanh((query @ w_query)[..., :, None, :] + (key @ w_key)[..., None, :, :])
    weights = keras.ops.softmax(keras.ops.squeeze(hidden @ v[:, None], -1), axis=-1)
    return weights @ value, weights
""",
    },
)

_BOOLEAN = Alternative(
    "boolean-mask",
    "a boolean mask written into the scores after broadcasting; masks as np.ma would; float32 results",
    {
        "softmax": """
def softmax(x, axis=-1):
    x = np.array(x, dtype=np.float32)
    x -= np.amax(x, axis, keepdims=True)
    np.exp(x, out=x)
    x /= np.sum(x, axis, keepdims=True)
    return x
""",
        "scaled-dot-product": """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = np.array(attention_scores(query, key))
    if mask is not None:
        hidden = np.broadcast_to(mask, scores.shape).astype(bool)
        scores[hidden] = -np.inf
    weights = np.asarray(softmax(scores))
    return np.matmul(weights, value), weights
""",
        "additive": """
def additive_attention(query, key, value, w_query, w_key, v):
    query, key = np.dot(query, w_query), np.dot(key, w_key)
    scores = np.stack([np.tanh(query + key[..., j : j + 1, :]) @ v for j in range(key.shape[-2])], axis=-1)
    weights = np.asarray(softmax(scores))
    return np.matmul(weights, value), weights
""",
    },
)

_MASK_AFTER = Alternative(
    "renormalised",
    "the mask applied after the exponential and the rows divided by what is left; no use of earlier tasks",
    {
        "scaled-dot-product": """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = np.matmul(query, np.moveaxis(key, -1, -2)) / np.sqrt(key.shape[-1])
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    if mask is not None:
        exponentials = exponentials * (1 - mask)
    weights = exponentials / exponentials.sum(-1, keepdims=True)
    return np.matmul(weights, value), weights
""",
        "projections": """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    output, weights = scaled_dot_product_attention(
        query=np.dot(x_query, w_query), key=np.dot(x_key, w_key), value=np.dot(x_value, w_value), mask=None
    )
    return output, weights
""",
    },
)

_MASK_AFTER_NARROW = Alternative(
    "renormalised-float32",
    "weights in float32 masked and renormalised, which leaves nothing where hidden scores are hundreds above; log-sum-exp",
    {
        "softmax": """
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float32)
    top = np.max(x, axis=axis, keepdims=True)
    return np.exp(x - top - np.log(np.sum(np.exp(x - top), axis=axis, keepdims=True)))
""",
        "attention-scores": """
def attention_scores(query, key):
    return (query @ np.swapaxes(key, -1, -2) * key.shape[-1] ** -0.5).astype("float32")
""",
        "scaled-dot-product": """
def scaled_dot_product_attention(query, key, value, mask=None):
    weights = softmax(attention_scores(query, key))
    if mask is not None:
        weights = weights * (1 - mask).astype("float32")
        weights = weights / np.sum(weights, axis=-1, keepdims=True)
    return np.matmul(weights, value), weights
""",
        "score-scale": """
def score_std(key_dim, scaled):
    return np.float32(1.0) if scaled else np.float32(key_dim) ** np.float32(0.5)
""",
    },
)

_OTHER_NEGATIVES = Alternative(
    "other-negatives",
    "masks by the lowest float32; the largest score found by sorting; the softmax written out again inside",
    {
        "softmax": """
def softmax(x, axis=-1):
    e = np.exp(x - np.take(np.sort(x, axis=axis), [-1], axis=axis))
    return e / np.sum(e, axis=axis, keepdims=True)
""",
        "attention-scores": """
def attention_scores(query, key):
    return np.matmul(query / key.shape[-1] ** 0.25, np.swapaxes(key / key.shape[-1] ** 0.25, -1, -2))
""",
        "scaled-dot-product": """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores + np.finfo("float32").min * mask
    weights = softmax(scores)
    return np.matmul(weights, value), weights
""",
        "additive": """
def additive_attention(query, key, value, w_query, w_key, v):
    hidden = np.tanh((query @ w_query)[..., :, None, :] + (key @ w_key)[..., None, :, :])
    e = np.exp(hidden @ v)
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ value, weights
""",
        "score-scale": """
def score_std(key_dim, scaled):
    return np.sqrt([key_dim, 1.0])[int(scaled)]
""",
    },
)

_THOUSANDS = Alternative(
    "minus-ten-thousand",
    "masks by adding -1e4 in float32, the softmax by the backend's layer",
    {
        "softmax": """
def softmax(x, axis=-1):
    return keras.activations.softmax(keras.ops.convert_to_tensor(x, dtype="float32"), axis=axis)
""",
        "scaled-dot-product": """
def scaled_dot_product_attention(query, key, value, mask=None):
    query, key, value = (np.asarray(part, dtype=np.float32) for part in (query, key, value))
    scores = np.asarray(attention_scores(query, key))
    if mask is not None:
        scores = scores - 1e4 * mask
    weights = np.asarray(softmax(scores))
    return np.matmul(weights, value), weights
""",
    },
)

_HELPERS = Alternative(
    "helpers-and-loops",
    "helper functions of the student's own, recursion over leading dimensions, a loop over queries",
    {
        "softmax": """
import math

def softmax_of_list(row):
    biggest = max(row)
    exponentials = [math.exp(score - biggest) for score in row]
    return [e / sum(exponentials) for e in exponentials]

def softmax(x, axis=-1):
    return np.apply_along_axis(lambda row: np.array(softmax_of_list(list(row))), axis, x)
""",
        "attention-scores": """
def attention_scores(query, key):
    if len(query.shape) > 2:
        return np.stack([attention_scores(q, k) for q, k in zip(query, key)])
    return np.array([[float(np.dot(q, k)) / len(q) ** 0.5 for k in key] for q in query])
""",
        "scaled-dot-product": """
def mix(weights, value):
    return sum(weights[..., j : j + 1] * value[..., j : j + 1, :] for j in range(value.shape[-2]))

def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        keep = 1.0 - mask
        scores = scores * keep + (1.0 - keep) * -1e9
    weights = np.asarray(softmax(scores))
    return mix(weights, value), weights
""",
        "score-scale": """
def score_std(key_dim, scaled):
    variance = sum(1.0 for _ in range(key_dim))
    if scaled:
        variance /= key_dim
    return np.array(variance**0.5, dtype=np.float32)
""",
    },
)

ALTERNATIVES: tuple[Alternative, ...] = (
    _NUMPY,
    _TENSORFLOW,
    _EINSUM,
    _KERAS_OPS,
    _BOOLEAN,
    _MASK_AFTER,
    _MASK_AFTER_NARROW,
    _OTHER_NEGATIVES,
    _THOUSANDS,
    _HELPERS,
)
