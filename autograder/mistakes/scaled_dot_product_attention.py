"""Known wrong answers of 02-attention/scaled_dot_product_attention."""

from __future__ import annotations

from autograder.mistakes import Mistake
from autograder.text import Text

__all__ = ["MISTAKES"]


def _mistake(id: str, task: str, fails: str, hint: str, code: str) -> Mistake:
    return Mistake(id, task, Text(hint), code.strip("\n") + "\n", frozenset(fails.split()))


_SOFTMAX = (
    _mistake(
        "softmax-without-keepdims",
        "softmax",
        "softmax-shape",
        "The sum along an axis has one dimension less than x, so it doesn't line up with x. Keep that dimension, with length 1.",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis))
    return e / np.sum(e, axis=axis)
""",
    ),
    _mistake(
        "softmax-whole-array",
        "softmax",
        "softmax-values",
        "All weights together add up to 1, but they should do so along `axis`, row by row.",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / np.sum(e)
""",
    ),
    _mistake(
        "softmax-first-axis",
        "softmax",
        "softmax-values",
        "Without an `axis` the weights should add up to 1 along the last axis, not along the first.",
        """
def softmax(x, axis=0):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
""",
    ),
    _mistake(
        "softmax-no-exponential",
        "softmax",
        "softmax-values",
        "Dividing the scores by their sum is not enough: the exponential comes first and makes every weight positive.",
        """
def softmax(x, axis=-1):
    return x / np.sum(x, axis=axis, keepdims=True)
""",
    ),
    _mistake(
        "softmax-axis-ignored",
        "softmax",
        "softmax-axis",
        "The weights add up to 1 along the last axis whatever `axis` says. Is it used in every maximum and sum?",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
""",
    ),
    _mistake(
        "softmax-naive",
        "softmax",
        "softmax-large",
        "The exponential of a few thousand is infinite, of minus a few thousand 0. Shift the scores first: it changes no weight.",
        """
def softmax(x, axis=-1):
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)
""",
    ),
    _mistake(
        "softmax-clipped",
        "softmax",
        "softmax-large",
        "Clipping the scores avoids the overflow but makes large scores equal, and with them their weights. Shift them instead.",
        """
def softmax(x, axis=-1):
    e = np.exp(np.clip(x, -50, 50))
    return e / np.sum(e, axis=axis, keepdims=True)
""",
    ),
    _mistake(
        "softmax-shift-by-mean",
        "softmax",
        "softmax-large",
        "Shifted by the mean of its row, the largest score of a wide row is still far above 0, and its exponential infinite. Which shift leaves none above 0?",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.mean(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
""",
    ),
    _mistake(
        "softmax-shift-by-min",
        "softmax",
        "softmax-large",
        "Shifted by the smallest of its row, the largest score of a wide row is still far above 0, and its exponential infinite. Which shift leaves none above 0?",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.min(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
""",
    ),
    _mistake(
        "softmax-shift-by-first",
        "softmax",
        "softmax-large",
        "Shifted by the first of its row, the largest score of a wide row is still far above 0, and its exponential infinite. Which shift leaves none above 0?",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.take(x, [0], axis=axis))
    return e / np.sum(e, axis=axis, keepdims=True)
""",
    ),
    _mistake(
        "softmax-shift-by-whole-mean",
        "softmax",
        "softmax-large",
        "Shifted by the mean of the whole array, the largest score of a wide row is still far above 0, and its exponential infinite. Which shift leaves none above 0?",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.mean(x))
    return e / np.sum(e, axis=axis, keepdims=True)
""",
    ),
    _mistake(
        "softmax-global-max",
        "softmax",
        "softmax-rows-apart",
        "You shift every row by the largest score of the whole array. A row far below it vanishes: each row needs its own shift.",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / np.sum(e, axis=axis, keepdims=True)
""",
    ),
    _mistake(
        "softmax-integer-result",
        "softmax",
        "softmax-integers",
        "For integer scores the weights were stored as integers: all below 1 became 0. Of which type is your result array?",
        """
def softmax(x, axis=-1):
    result = np.empty_like(x)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    result[...] = e / np.sum(e, axis=axis, keepdims=True)
    return result
""",
    ),
)

_SCORES = (
    _mistake(
        "scores-keys-by-queries",
        "attention-scores",
        "scores-shape",
        "Rows are for queries and columns for keys: (query_len, key_len).",
        """
def attention_scores(query, key):
    return np.matmul(key, np.swapaxes(query, -1, -2)) / np.sqrt(key.shape[-1])
""",
    ),
    _mistake(
        "scores-cosine",
        "attention-scores",
        "scores-products",
        "These are cosines: the lengths of queries and keys are divided out. Only the square root of key_dim should be.",
        """
def attention_scores(query, key):
    q = query / np.linalg.norm(query, axis=-1, keepdims=True)
    k = key / np.linalg.norm(key, axis=-1, keepdims=True)
    return np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(query.shape[-1])
""",
    ),
    _mistake(
        "scores-already-softmax",
        "attention-scores",
        "scores-products",
        "These are weights already. The scores are what goes into the softmax.",
        """
def attention_scores(query, key):
    scores = np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(query.shape[-1])
    return softmax(scores)
""",
    ),
    _mistake(
        "scores-unscaled",
        "attention-scores",
        "scores-scale",
        "These are the bare dot products. The division by the square root of key_dim is missing.",
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2))
""",
    ),
    _mistake(
        "scores-over-key-dim",
        "attention-scores",
        "scores-scale",
        "The scores are divided by key_dim. It should be its square root.",
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / query.shape[-1]
""",
    ),
    _mistake(
        "scores-over-root-of-key-len",
        "attention-scores",
        "scores-scale",
        "The scores are divided by the square root of the number of keys. key_dim is the width of a key, its last dimension.",
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(key.shape[-2])
""",
    ),
    _mistake(
        "scores-over-root-of-query-len",
        "attention-scores",
        "scores-scale",
        "The scores are divided by the square root of the number of queries. key_dim is their width, the last dimension.",
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(query.shape[-2])
""",
    ),
    _mistake(
        "scores-root-of-axis-zero",
        "attention-scores",
        "scores-scale",
        "The scores are divided by the square root of the first dimension: the queries, or the batch. key_dim is the last one.",
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(query.shape[0])
""",
    ),
    _mistake(
        "scores-whole-root",
        "attention-scores",
        "scores-scale",
        "The square root of key_dim is seldom a whole number: here it was cut off to one.",
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / int(query.shape[-1] ** 0.5)
""",
    ),
    _mistake(
        "scores-root-of-axis-one",
        "attention-scores",
        "scores-batch scores-heads",
        "key_dim is the last dimension. Axis 1, counted from the front, is the last only when there are no leading dimensions.",
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(query.shape[1])
""",
    ),
    _mistake(
        "scores-transposed-whole",
        "attention-scores",
        "scores-batch scores-heads",
        "`.T` turns all dimensions round, the leading ones too. Only the last two of the keys should change places.",
        """
def attention_scores(query, key):
    return query @ key.T / np.sqrt(query.shape[-1])
""",
    ),
    _mistake(
        "scores-three-axes-only",
        "attention-scores",
        "scores-heads",
        "One leading dimension works, more do not. Count the axes from the back, then their number doesn't matter.",
        """
def attention_scores(query, key):
    if query.ndim == 3:
        return query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1])
    return query @ key.T / np.sqrt(query.shape[-1])
""",
    ),
)

_ATTENTION = (
    _mistake(
        "attention-output-only",
        "scaled-dot-product",
        "attention-shapes",
        "Return both results: `(output, weights)`.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores + mask * -1e9
    return ops.matmul(softmax(scores), value)
""",
    ),
    _mistake(
        "attention-returns-swapped",
        "scaled-dot-product",
        "attention-order",
        "Both results are there, but in the other order: first the output, then the weights.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores + mask * -1e9
    weights = softmax(scores)
    return weights, ops.matmul(weights, value)
""",
    ),
    _mistake(
        "attention-softmax-over-queries",
        "scaled-dot-product",
        "attention-weights attention-mask-kept attention-mask-broadcast",
        "The columns of the weights add up to 1. The softmax runs along the keys, so that each query's row does.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores + mask * -1e9
    weights = softmax(scores, axis=-2)
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "attention-scaled-twice",
        "scaled-dot-product",
        "attention-weights",
        "The scores are divided by the square root of key_dim twice: attention_scores does it already.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + mask * -1e9
    weights = softmax(scores)
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "attention-unscaled",
        "scaled-dot-product",
        "attention-weights",
        "These are the weights of the bare dot products. Divide by the square root of key_dim, or use attention_scores.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2))
    if mask is not None:
        scores = scores + mask * -1e9
    weights = softmax(scores)
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "attention-scores-for-weights",
        "scaled-dot-product",
        "attention-weights attention-mask-hides",
        "These are the scores. The softmax that makes weights of them is missing.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    weights = attention_scores(query, key)
    if mask is not None:
        weights = weights + mask * -1e9
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "attention-mean-of-values",
        "scaled-dot-product",
        "attention-output",
        "The output is divided by the number of keys. The weights add up to 1 already: their sum of values is the average.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = np.asarray(attention_scores(query, key))
    if mask is not None:
        scores = scores + mask * -1e9
    weights = np.asarray(softmax(scores))
    output = np.mean(weights[..., :, :, None] * value[..., None, :, :], axis=-2)
    return output, weights
""",
    ),
    _mistake(
        "attention-mask-inverted",
        "scaled-dot-product",
        "attention-mask-hides",
        "The mask is the wrong way round: here 1 hides and 0 keeps. (Keras's attention_mask is the opposite.)",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores + (1.0 - mask) * -1e9
    weights = softmax(scores)
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "attention-mask-ignored",
        "scaled-dot-product",
        "attention-mask-hides",
        "The weights are the same with and without a mask.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    weights = softmax(attention_scores(query, key))
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "attention-mask-zeroes-scores",
        "scaled-dot-product",
        "attention-mask-hides",
        "A hidden score is set to 0, and the exponential of 0 is 1: the key still gets weight. How low must it be for weight 0?",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores * (1.0 - mask)
    weights = softmax(scores)
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "attention-mask-small",
        "scaled-dot-product",
        "attention-mask-high-scores",
        "A hidden score is lowered by too little: if it was far above the others, the key still gets weight. Scores have no bound.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores + mask * -100.0
    weights = softmax(scores)
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "attention-mask-fixed-score",
        "scaled-dot-product",
        "attention-mask-high-scores",
        "Hidden scores are all set to a number that is not low enough: kept scores may lie below it. Scores have no bound.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = np.asarray(attention_scores(query, key))
    if mask is not None:
        scores = np.where(mask == 1, -20.0, scores)
    weights = softmax(scores)
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "attention-mask-after-softmax",
        "scaled-dot-product",
        "attention-mask-kept",
        "The hidden weights are 0, but the others don't add up to 1 any more. Hide before the softmax.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    weights = softmax(attention_scores(query, key))
    if mask is not None:
        weights = weights * (1.0 - mask)
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "attention-output-before-mask",
        "scaled-dot-product",
        "attention-mask-kept",
        "The weights are masked, but the output is that without a mask. Compute it after masking.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    output = ops.matmul(softmax(scores), value)
    if mask is not None:
        scores = scores + mask * -1e9
    return output, softmax(scores)
""",
    ),
    _mistake(
        "attention-softmax-axis-one",
        "scaled-dot-product",
        "attention-leading",
        "The softmax runs along axis 1, which is the keys only as long as there are no leading dimensions. Count from the back.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores + mask * -1e9
    weights = softmax(scores, axis=1)
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "attention-mask-by-indexing",
        "scaled-dot-product",
        "attention-mask-broadcast",
        "Indexing with the mask needs it in the full shape of the scores. A mask such as (batch, 1, 1, key_len) must broadcast.",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = np.array(attention_scores(query, key))
    if mask is not None:
        scores[mask.astype(bool)] = -1e9
    weights = softmax(scores)
    return ops.matmul(weights, value), weights
""",
    ),
)

_PROJECTIONS = (
    _mistake(
        "projected-output-only",
        "projections",
        "projected-shape",
        "Return both results: `(output, weights)`.",
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    query, key, value = ops.matmul(x_query, w_query), ops.matmul(x_key, w_key), ops.matmul(x_value, w_value)
    return scaled_dot_product_attention(query, key, value)[0]
""",
    ),
    _mistake(
        "projected-matrices-transposed",
        "projections",
        "projected-shape",
        "Rows of the inputs are positions, so the matrix stands on the right and is not transposed: x @ w.",
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return scaled_dot_product_attention(x_query @ w_query.T, x_key @ w_key.T, x_value @ w_value.T)
""",
    ),
    _mistake(
        "projected-matrices-swapped",
        "projections",
        "projected-weights",
        "w_query and w_key, or query and key in the call, have changed places: w_query projects what asks, w_key what is asked.",
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    query, key, value = ops.matmul(x_query, w_key), ops.matmul(x_key, w_query), ops.matmul(x_value, w_value)
    return scaled_dot_product_attention(query, key, value)
""",
    ),
    _mistake(
        "projected-keys-like-queries",
        "projections",
        "projected-weights",
        "The keys are projected with w_query, so Q = K and the scores are symmetric. Each input has a matrix of its own.",
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    query, key, value = ops.matmul(x_query, w_query), ops.matmul(x_key, w_query), ops.matmul(x_value, w_value)
    return scaled_dot_product_attention(query, key, value)
""",
    ),
    _mistake(
        "projected-bare-inputs",
        "projections",
        "projected-weights",
        "The weights come from the inputs themselves. Queries and keys are projected before they are compared.",
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return scaled_dot_product_attention(x_query, x_key, ops.matmul(x_value, w_value))
""",
    ),
    _mistake(
        "projected-values-bare",
        "projections",
        "projected-output",
        "The weights are right, but they average x_value itself. Values are projected too, with w_value.",
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return scaled_dot_product_attention(ops.matmul(x_query, w_query), ops.matmul(x_key, w_key), x_value)
""",
    ),
    _mistake(
        "projected-self-only",
        "projections",
        "projected-cross projected-sources",
        "Queries, keys and values are all made from x_query. That is self-attention only: each has its own input.",
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    query, key, value = ops.matmul(x_query, w_query), ops.matmul(x_query, w_key), ops.matmul(x_query, w_value)
    return scaled_dot_product_attention(query, key, value)
""",
    ),
    _mistake(
        "projected-values-from-keys",
        "projections",
        "projected-sources",
        "The values are made from x_key. They have an input of their own, x_value, even if it is often the same.",
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    query, key, value = ops.matmul(x_query, w_query), ops.matmul(x_key, w_key), ops.matmul(x_key, w_value)
    return scaled_dot_product_attention(query, key, value)
""",
    ),
    _mistake(
        "projected-without-batch",
        "projections",
        "projected-leading",
        "`.T` turns the batch round too. Use your scaled_dot_product_attention, or swap only the last two dimensions.",
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    query, key, value = x_query @ w_query, x_key @ w_key, x_value @ w_value
    weights = np.asarray(softmax(query @ key.T / np.sqrt(w_key.shape[-1])))
    return weights @ value, weights
""",
    ),
)

_SCALE = (
    _mistake(
        "score-std-prints",
        "score-scale",
        "score-std-number",
        "The number is printed but not returned.",
        """
def score_std(key_dim, scaled):
    print(1.0 if scaled else key_dim**0.5)
""",
    ),
    _mistake(
        "score-std-variance",
        "score-scale",
        "score-std-unscaled",
        "That is the variance. The standard deviation is its square root.",
        """
def score_std(key_dim, scaled):
    return 1.0 if scaled else float(key_dim)
""",
    ),
    _mistake(
        "score-std-factor",
        "score-scale",
        "score-std-scaled",
        "That is the factor by which scaling multiplies, not the standard deviation of what comes out.",
        """
def score_std(key_dim, scaled):
    return 1 / key_dim**0.5 if scaled else key_dim**0.5
""",
    ),
    _mistake(
        "score-std-inverted",
        "score-scale",
        "score-std-unscaled score-std-scaled",
        "The two cases are swapped: `scaled=True` is the score divided by the square root of key_dim.",
        """
def score_std(key_dim, scaled):
    return key_dim**0.5 if scaled else 1.0
""",
    ),
    _mistake(
        "score-std-scale-ignored",
        "score-scale",
        "score-std-scaled",
        "The answer is the same with and without scaling: `scaled` has no effect.",
        """
def score_std(key_dim, scaled):
    return key_dim**0.5
""",
    ),
    _mistake(
        "score-std-divided-twice",
        "score-scale",
        "score-std-unscaled score-std-scaled",
        "Both are too small by the square root of key_dim: 1 is the answer after one division, and for the bare dot product there is none.",
        """
def score_std(key_dim, scaled):
    return 1 / key_dim**0.5 if scaled else 1.0
""",
    ),
    _mistake(
        "score-std-rounded",
        "score-scale",
        "score-std-unscaled",
        "Return the number as it is: nothing should cut off its decimals.",
        """
def score_std(key_dim, scaled):
    return 1 if scaled else int(key_dim**0.5)
""",
    ),
    _mistake(
        "score-std-measured",
        "score-scale",
        "score-std-unscaled score-std-scaled",
        "Samples give an estimate, different each time. Compute the variance of the sum instead: it is exact, without samples.",
        """
def score_std(key_dim, scaled):
    rng = np.random.default_rng(0)
    scores = (rng.standard_normal((2000, key_dim)) * rng.standard_normal((2000, key_dim))).sum(axis=-1)
    return float(np.std(scores / np.sqrt(key_dim) if scaled else scores))
""",
    ),
)

_ADDITIVE = (
    _mistake(
        "additive-output-only",
        "additive",
        "additive-shape",
        "Return both results: `(output, weights)`.",
        """
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = ops.matmul(query, w_query)[..., :, None, :], ops.matmul(key, w_key)[..., None, :, :]
    return ops.matmul(softmax(ops.sum(ops.tanh(q + k) * v, axis=-1)), value)
""",
    ),
    _mistake(
        "additive-no-tanh",
        "additive",
        "additive-weights",
        "There is no tanh in the score. Without it the query's part is the same for all keys and cancels in the softmax.",
        """
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = ops.matmul(query, w_query)[..., :, None, :], ops.matmul(key, w_key)[..., None, :, :]
    weights = softmax(ops.sum((q + k) * v, axis=-1))
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "additive-tanh-of-each",
        "additive",
        "additive-weights",
        "Query and key each have a tanh of their own. Add them first: they must meet inside one tanh.",
        """
def additive_attention(query, key, value, w_query, w_key, v):
    q = ops.tanh(ops.matmul(query, w_query))[..., :, None, :]
    k = ops.tanh(ops.matmul(key, w_key))[..., None, :, :]
    weights = softmax(ops.sum((q + k) * v, axis=-1))
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "additive-scaled",
        "additive",
        "additive-weights",
        "Additive scores are not divided by anything: tanh keeps them small.",
        """
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = ops.matmul(query, w_query)[..., :, None, :], ops.matmul(key, w_key)[..., None, :, :]
    weights = softmax(ops.sum(ops.tanh(q + k) * v, axis=-1) / len(v) ** 0.5)
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "additive-softmax-over-queries",
        "additive",
        "additive-weights",
        "The columns of the weights add up to 1. The softmax runs along the keys, so that each query's row does.",
        """
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = ops.matmul(query, w_query)[..., :, None, :], ops.matmul(key, w_key)[..., None, :, :]
    weights = softmax(ops.sum(ops.tanh(q + k) * v, axis=-1), axis=-2)
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "additive-multiplied",
        "additive",
        "additive-weights",
        "Inside the tanh the projected query and key are multiplied. They are added.",
        """
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = ops.matmul(query, w_query)[..., :, None, :], ops.matmul(key, w_key)[..., None, :, :]
    weights = softmax(ops.sum(ops.tanh(q * k) * v, axis=-1))
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "additive-mean-of-values",
        "additive",
        "additive-output",
        "The output is divided by the number of keys. The weights add up to 1 already: their sum of values is the average.",
        """
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = ops.matmul(query, w_query)[..., :, None, :], ops.matmul(key, w_key)[..., None, :, :]
    weights = softmax(ops.sum(ops.tanh(q + k) * v, axis=-1))
    return ops.mean(ops.expand_dims(weights, -1) * value[..., None, :, :], axis=-2), weights
""",
    ),
    _mistake(
        "additive-two-axes-only",
        "additive",
        "additive-batch additive-any-rank",
        "The new axes are counted from the front, so a batch gets in their way. Count them from the back.",
        """
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = np.matmul(query, w_query)[:, None], np.matmul(key, w_key)[None]
    weights = np.asarray(softmax(np.tanh(q + k) @ v))
    return weights @ value, weights
""",
    ),
    _mistake(
        "additive-three-axes-only",
        "additive",
        "additive-any-rank",
        "It works for exactly one leading dimension. Count the new axes from the back, then any number works, none included.",
        """
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = np.matmul(query, w_query)[:, :, None, :], np.matmul(key, w_key)[:, None, :, :]
    weights = np.asarray(softmax(np.tanh(q + k) @ v))
    return weights @ value, weights
""",
    ),
)

MISTAKES: tuple[Mistake, ...] = _SOFTMAX + _SCORES + _ATTENTION + _PROJECTIONS + _SCALE + _ADDITIVE
