"""Known wrong answers of 02-attention/scaled_dot_product_attention."""

from __future__ import annotations

from autograder.mistakes import Mistake
from autograder.text import Text

__all__ = ["MISTAKES"]


def _mistake(id: str, task: str, fails: str, hint: Text, code: str) -> Mistake:
    return Mistake(id, task, hint, code.strip("\n") + "\n", frozenset(fails.split()))


_SOFTMAX = (
    _mistake(
        "softmax-without-keepdims",
        "softmax",
        "softmax-shape",
        Text(
            "The sum along an axis has one dimension less than x, so it doesn't line up with x. Keep that dimension, with length 1.",
            "축을 따라 더한 합은 x보다 차원이 하나 적어서 x와 줄이 맞지 않습니다. 그 차원을 길이 1로 남기세요.",
        ),
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
        Text(
            "All weights together add up to 1, but they should do so along `axis`, row by row.",
            "모든 가중치를 더한 합이 1입니다. `axis`를 따라, 곧 행마다 합이 1이어야 합니다.",
        ),
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
        Text(
            "Without an `axis` the weights should add up to 1 along the last axis, not along the first.",
            "`axis`를 주지 않으면 첫 축이 아니라 마지막 축을 따라 가중치의 합이 1이어야 합니다.",
        ),
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
        Text(
            "Dividing the scores by their sum is not enough: the exponential comes first and makes every weight positive.",
            "점수를 합으로 나누는 것만으로는 부족합니다. 먼저 지수 함수를 적용해야 모든 가중치가 양수가 됩니다.",
        ),
        """
def softmax(x, axis=-1):
    return x / np.sum(x, axis=axis, keepdims=True)
""",
    ),
    _mistake(
        "softmax-axis-ignored",
        "softmax",
        "softmax-axis",
        Text(
            "The weights add up to 1 along the last axis whatever `axis` says. Is it used in every maximum and sum?",
            "`axis`가 무엇이든 마지막 축을 따라 가중치의 합이 1입니다. 최댓값과 합을 구하는 곳마다 `axis`를 썼나요?",
        ),
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
        Text(
            "The exponential of a few thousand is infinite, of minus a few thousand 0. Shift the scores first: it changes no weight.",
            "지수 함수의 값이 수천에서는 무한대, -수천에서는 0이 됩니다. 먼저 점수에서 같은 수를 빼세요. 가중치는 하나도 달라지지 않습니다.",
        ),
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
        Text(
            "Clipping the scores avoids the overflow but makes large scores equal, and with them their weights. Shift them instead.",
            "점수를 잘라 내면 오버플로는 피하지만, 큰 점수가 모두 같아지고 가중치도 같아집니다. 자르지 말고 같은 수를 빼세요.",
        ),
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
        Text(
            "Shifted by the mean of its row, the largest score of a wide row is still far above 0, and its exponential infinite. Which shift leaves none above 0?",
            "점수에서 행의 평균을 빼더라도, 점수 차이가 큰 행에서는 가장 큰 점수가 여전히 0보다 훨씬 커서 지수 함수의 값이 무한대가 됩니다. 무엇을 빼면 0보다 큰 점수가 남지 않을까요?",
        ),
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
        Text(
            "Shifted by the smallest of its row, the largest score of a wide row is still far above 0, and its exponential infinite. Which shift leaves none above 0?",
            "점수에서 행의 최솟값을 빼더라도, 점수 차이가 큰 행에서는 가장 큰 점수가 여전히 0보다 훨씬 커서 지수 함수의 값이 무한대가 됩니다. 무엇을 빼면 0보다 큰 점수가 남지 않을까요?",
        ),
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
        Text(
            "Shifted by the first of its row, the largest score of a wide row is still far above 0, and its exponential infinite. Which shift leaves none above 0?",
            "점수에서 행의 첫 점수를 빼더라도, 점수 차이가 큰 행에서는 가장 큰 점수가 여전히 0보다 훨씬 커서 지수 함수의 값이 무한대가 됩니다. 무엇을 빼면 0보다 큰 점수가 남지 않을까요?",
        ),
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
        Text(
            "Shifted by the mean of the whole array, the largest score of a wide row is still far above 0, and its exponential infinite. Which shift leaves none above 0?",
            "점수에서 배열 전체의 평균을 빼더라도, 점수 차이가 큰 행에서는 가장 큰 점수가 여전히 0보다 훨씬 커서 지수 함수의 값이 무한대가 됩니다. 무엇을 빼면 0보다 큰 점수가 남지 않을까요?",
        ),
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
        Text(
            "You shift every row by the largest score of the whole array. A row far below it vanishes: each row needs its own shift.",
            "모든 행에서 배열 전체의 최댓값을 빼고 있습니다. 그보다 훨씬 낮은 행은 사라집니다. 행마다 빼는 수가 달라야 합니다.",
        ),
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
        Text(
            "For integer scores the weights were stored as integers: all below 1 became 0. Of which type is your result array?",
            "점수가 정수이면 가중치도 정수로 저장되어 1보다 작은 가중치가 모두 0이 되었습니다. 결과 배열은 어떤 자료형인가요?",
        ),
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
        Text(
            "Rows are for queries and columns for keys: (query_len, key_len).",
            "행은 쿼리, 열은 키입니다: (query_len, key_len).",
        ),
        """
def attention_scores(query, key):
    return np.matmul(key, np.swapaxes(query, -1, -2)) / np.sqrt(key.shape[-1])
""",
    ),
    _mistake(
        "scores-cosine",
        "attention-scores",
        "scores-products",
        Text(
            "These are cosines: the lengths of queries and keys are divided out. Only the square root of key_dim should be.",
            "코사인을 구했습니다. 쿼리와 키의 길이로 나누었기 때문입니다. key_dim의 제곱근으로만 나누세요.",
        ),
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
        Text(
            "These are weights already. The scores are what goes into the softmax.",
            "이것은 이미 가중치입니다. 점수는 소프트맥스에 들어가는 것입니다.",
        ),
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
        Text(
            "These are the bare dot products. The division by the square root of key_dim is missing.",
            "나누지 않은 내적입니다. key_dim의 제곱근으로 나누는 것이 빠졌습니다.",
        ),
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2))
""",
    ),
    _mistake(
        "scores-over-key-dim",
        "attention-scores",
        "scores-scale",
        Text(
            "The scores are divided by key_dim. It should be its square root.",
            "점수를 key_dim으로 나누었습니다. 그 제곱근으로 나누어야 합니다.",
        ),
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / query.shape[-1]
""",
    ),
    _mistake(
        "scores-over-root-of-key-len",
        "attention-scores",
        "scores-scale",
        Text(
            "The scores are divided by the square root of the number of keys. key_dim is the width of a key, its last dimension.",
            "점수를 키 개수의 제곱근으로 나누었습니다. key_dim은 키의 너비, 곧 마지막 차원입니다.",
        ),
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(key.shape[-2])
""",
    ),
    _mistake(
        "scores-over-root-of-query-len",
        "attention-scores",
        "scores-scale",
        Text(
            "The scores are divided by the square root of the number of queries. key_dim is their width, the last dimension.",
            "점수를 쿼리 개수의 제곱근으로 나누었습니다. key_dim은 쿼리의 너비, 곧 마지막 차원입니다.",
        ),
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(query.shape[-2])
""",
    ),
    _mistake(
        "scores-root-of-axis-zero",
        "attention-scores",
        "scores-scale",
        Text(
            "The scores are divided by the square root of the first dimension: the queries, or the batch. key_dim is the last one.",
            "점수를 첫 차원(쿼리의 수나 배치의 크기)의 제곱근으로 나누었습니다. key_dim은 마지막 차원입니다.",
        ),
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(query.shape[0])
""",
    ),
    _mistake(
        "scores-whole-root",
        "attention-scores",
        "scores-scale",
        Text(
            "The square root of key_dim is seldom a whole number: here it was cut off to one.",
            "key_dim의 제곱근이 정수인 일은 드뭅니다. 소수점 아래를 잘라 냈습니다.",
        ),
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / int(query.shape[-1] ** 0.5)
""",
    ),
    _mistake(
        "scores-root-of-axis-one",
        "attention-scores",
        "scores-batch scores-heads",
        Text(
            "key_dim is the last dimension. Axis 1, counted from the front, is the last only when there are no leading dimensions.",
            "key_dim은 마지막 차원입니다. 앞에서부터 센 축 1은 앞쪽 차원이 없을 때만 마지막 차원입니다.",
        ),
        """
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(query.shape[1])
""",
    ),
    _mistake(
        "scores-transposed-whole",
        "attention-scores",
        "scores-batch scores-heads",
        Text(
            "`.T` turns all dimensions round, the leading ones too. Only the last two of the keys should change places.",
            "`.T`는 앞쪽 차원까지 모든 차원의 순서를 뒤집습니다. 키의 마지막 두 차원만 맞바꾸세요.",
        ),
        """
def attention_scores(query, key):
    return query @ key.T / np.sqrt(query.shape[-1])
""",
    ),
    _mistake(
        "scores-three-axes-only",
        "attention-scores",
        "scores-heads",
        Text(
            "One leading dimension works, more do not. Count the axes from the back, then their number doesn't matter.",
            "앞쪽 차원이 하나일 때는 되지만 더 많으면 안 됩니다. 축을 뒤에서부터 세면 개수와 상관없게 됩니다.",
        ),
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
        Text("Return both results: `(output, weights)`.", "결과 두 개를 모두 돌려주세요: `(output, weights)`."),
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
        Text(
            "Both results are there, but in the other order: first the output, then the weights.",
            "결과 두 개가 다 있지만 순서가 다릅니다. 출력이 먼저이고 가중치가 다음입니다.",
        ),
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
        Text(
            "The columns of the weights add up to 1. The softmax runs along the keys, so that each query's row does.",
            "가중치의 열마다 합이 1입니다. 소프트맥스를 키를 따라 계산해야 쿼리의 행마다 합이 1이 됩니다.",
        ),
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
        Text(
            "The scores are divided by the square root of key_dim twice: attention_scores does it already.",
            "점수를 key_dim의 제곱근으로 두 번 나누었습니다. attention_scores가 이미 나눕니다.",
        ),
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
        Text(
            "These are the weights of the bare dot products. Divide by the square root of key_dim, or use attention_scores.",
            "나누지 않은 내적으로 구한 가중치입니다. key_dim의 제곱근으로 나누거나 attention_scores를 쓰세요.",
        ),
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
        Text(
            "These are the scores. The softmax that makes weights of them is missing.",
            "이것은 점수입니다. 점수를 가중치로 바꾸는 소프트맥스가 빠졌습니다.",
        ),
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
        Text(
            "The output is divided by the number of keys. The weights add up to 1 already: their sum of values is the average.",
            "출력을 키의 개수로 나누었습니다. 가중치의 합이 이미 1이므로, 가중치를 곱한 값들의 합이 곧 평균입니다.",
        ),
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
        Text(
            "The mask is the wrong way round: here 1 hides and 0 keeps. (Keras's attention_mask is the opposite.)",
            "마스크가 거꾸로입니다. 여기서는 1이 가리고 0이 남깁니다. (케라스의 attention_mask는 반대입니다.)",
        ),
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
        Text("The weights are the same with and without a mask.", "마스크가 있든 없든 가중치가 같습니다."),
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
        Text(
            "A hidden score is set to 0, and the exponential of 0 is 1: the key still gets weight. How low must it be for weight 0?",
            "가려진 점수를 0으로 두었는데, 0의 지수 함수 값은 1이므로 그 키는 여전히 가중치를 받습니다. 가중치가 0이 되려면 점수가 얼마나 낮아야 할까요?",
        ),
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
        Text(
            "A hidden score is lowered by too little: if it was far above the others, the key still gets weight. Scores have no bound.",
            "가릴 점수를 너무 조금 낮추었습니다. 그 점수가 다른 점수보다 훨씬 높았다면 여전히 가중치를 받습니다. 점수에는 한계가 없습니다.",
        ),
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
        Text(
            "Hidden scores are all set to a number that is not low enough: kept scores may lie below it. Scores have no bound.",
            "가린 점수를 모두 한 수로 두었는데 그 수가 충분히 낮지 않습니다. 남은 점수가 그보다 낮을 수도 있습니다. 점수에는 한계가 없습니다.",
        ),
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
        "attention-mask-of-three-axes-ignored",
        "scaled-dot-product",
        "attention-mask-broadcast",
        Text(
            "Only masks of two or four axes hide anything. Any that broadcasts to the scores should.",
            "축이 두 개나 네 개인 마스크만 가립니다. 점수로 브로드캐스트되는 마스크는 모두 가려야 합니다.",
        ),
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None and np.ndim(mask) in (2, 4):
        scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
    weights = softmax(scores)
    return ops.matmul(weights, value), weights
""",
    ),
    _mistake(
        "attention-mask-after-softmax",
        "scaled-dot-product",
        "attention-mask-kept",
        Text(
            "The hidden weights are 0, but the others don't add up to 1 any more. Hide before the softmax.",
            "가려진 가중치는 0이지만 나머지의 합이 더는 1이 아닙니다. 소프트맥스 앞에서 가리세요.",
        ),
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
        Text(
            "The weights are masked, but the output is that without a mask. Compute it after masking.",
            "가중치에는 마스크를 썼지만 출력은 마스크가 없을 때의 것입니다. 마스크를 쓴 다음에 출력을 계산하세요.",
        ),
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
        Text(
            "The softmax runs along axis 1, which is the keys only as long as there are no leading dimensions. Count from the back.",
            "소프트맥스를 축 1을 따라 계산하는데, 축 1은 앞쪽 차원이 없을 때만 키의 축입니다. 뒤에서부터 세세요.",
        ),
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
        Text(
            "Indexing with the mask needs it in the full shape of the scores. A mask such as (batch, 1, 1, key_len) must broadcast.",
            "마스크로 인덱싱하려면 마스크가 점수와 똑같은 모양이어야 합니다. (batch, 1, 1, key_len) 같은 마스크는 브로드캐스트되어야 합니다.",
        ),
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
        Text("Return both results: `(output, weights)`.", "결과 두 개를 모두 돌려주세요: `(output, weights)`."),
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
        Text(
            "Rows of the inputs are positions, so the matrix stands on the right and is not transposed: x @ w.",
            "입력의 행이 위치이므로 행렬은 전치하지 않고 오른쪽에 둡니다: x @ w.",
        ),
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return scaled_dot_product_attention(x_query @ w_query.T, x_key @ w_key.T, x_value @ w_value.T)
""",
    ),
    _mistake(
        "projected-matrices-swapped",
        "projections",
        "projected-weights",
        Text(
            "w_query and w_key, or query and key in the call, have changed places: w_query projects what asks, w_key what is asked.",
            "w_query와 w_key, 또는 호출할 때의 쿼리와 키가 바뀌었습니다. w_query는 묻는 쪽을, w_key는 질문을 받는 쪽을 투영합니다.",
        ),
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
        Text(
            "The keys are projected with w_query, so Q = K and the scores are symmetric. Each input has a matrix of its own.",
            "키를 w_query로 투영해서 Q = K가 되고 점수가 대칭입니다. 입력마다 자기 행렬이 있습니다.",
        ),
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
        Text(
            "The weights come from the inputs themselves. Queries and keys are projected before they are compared.",
            "가중치를 입력 그대로 구했습니다. 쿼리와 키를 투영한 다음에 비교하세요.",
        ),
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return scaled_dot_product_attention(x_query, x_key, ops.matmul(x_value, w_value))
""",
    ),
    _mistake(
        "projected-values-bare",
        "projections",
        "projected-output",
        Text(
            "The weights are right, but they average x_value itself. Values are projected too, with w_value.",
            "가중치는 맞지만 x_value 자체를 평균했습니다. 값도 w_value로 투영하세요.",
        ),
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return scaled_dot_product_attention(ops.matmul(x_query, w_query), ops.matmul(x_key, w_key), x_value)
""",
    ),
    _mistake(
        "projected-self-only",
        "projections",
        "projected-cross projected-sources",
        Text(
            "Queries, keys and values are all made from x_query. That is self-attention only: each has its own input.",
            "쿼리, 키, 값을 모두 x_query로 만들었습니다. 그러면 셀프 어텐션만 됩니다. 저마다 자기 입력이 있습니다.",
        ),
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
        Text(
            "The values are made from x_key. They have an input of their own, x_value, even if it is often the same.",
            "값을 x_key로 만들었습니다. 둘이 같은 때가 많더라도 값에는 자기 입력 x_value가 있습니다.",
        ),
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
        Text(
            "`.T` turns the batch round too. Use your scaled_dot_product_attention, or swap only the last two dimensions.",
            "`.T`는 배치까지 뒤집습니다. 여러분의 scaled_dot_product_attention을 쓰거나 마지막 두 차원만 맞바꾸세요.",
        ),
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
        Text("The number is printed but not returned.", "수를 출력하기만 하고 돌려주지 않습니다."),
        """
def score_std(key_dim, scaled):
    print(1.0 if scaled else key_dim**0.5)
""",
    ),
    _mistake(
        "score-std-variance",
        "score-scale",
        "score-std-unscaled",
        Text(
            "That is the variance. The standard deviation is its square root.",
            "이것은 분산입니다. 표준편차는 그 제곱근입니다.",
        ),
        """
def score_std(key_dim, scaled):
    return 1.0 if scaled else float(key_dim)
""",
    ),
    _mistake(
        "score-std-factor",
        "score-scale",
        "score-std-scaled",
        Text(
            "That is the factor by which scaling multiplies, not the standard deviation of what comes out.",
            "이것은 스케일링할 때 곱하는 수이지, 그 결과의 표준편차가 아닙니다.",
        ),
        """
def score_std(key_dim, scaled):
    return 1 / key_dim**0.5 if scaled else key_dim**0.5
""",
    ),
    _mistake(
        "score-std-inverted",
        "score-scale",
        "score-std-unscaled score-std-scaled",
        Text(
            "The two cases are swapped: `scaled=True` is the score divided by the square root of key_dim.",
            "두 경우가 바뀌었습니다. `scaled=True`가 key_dim의 제곱근으로 나눈 점수입니다.",
        ),
        """
def score_std(key_dim, scaled):
    return key_dim**0.5 if scaled else 1.0
""",
    ),
    _mistake(
        "score-std-scale-ignored",
        "score-scale",
        "score-std-scaled",
        Text(
            "The answer is the same with and without scaling: `scaled` has no effect.",
            "스케일링하든 하지 않든 답이 같습니다. `scaled`가 쓰이지 않습니다.",
        ),
        """
def score_std(key_dim, scaled):
    return key_dim**0.5
""",
    ),
    _mistake(
        "score-std-divided-twice",
        "score-scale",
        "score-std-unscaled score-std-scaled",
        Text(
            "Both are too small by the square root of key_dim: 1 is the answer after one division, and for the bare dot product there is none.",
            "둘 다 key_dim의 제곱근만큼 작습니다. 1은 한 번 나누었을 때의 답이고, 나누지 않은 내적은 한 번도 나누지 않습니다.",
        ),
        """
def score_std(key_dim, scaled):
    return 1 / key_dim**0.5 if scaled else 1.0
""",
    ),
    _mistake(
        "score-std-rounded",
        "score-scale",
        "score-std-unscaled",
        Text(
            "Return the number as it is: nothing should cut off its decimals.",
            "수를 그대로 돌려주세요. 소수점 아래를 잘라 내면 안 됩니다.",
        ),
        """
def score_std(key_dim, scaled):
    return 1 if scaled else int(key_dim**0.5)
""",
    ),
    _mistake(
        "score-std-measured",
        "score-scale",
        "score-std-unscaled score-std-scaled",
        Text(
            "Samples give an estimate, different each time. Compute the variance of the sum instead: it is exact, without samples.",
            "표본에서는 매번 달라지는 어림값이 나옵니다. 그 대신 합의 분산을 계산하세요. 표본 없이 정확한 값이 나옵니다.",
        ),
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
        Text("Return both results: `(output, weights)`.", "결과 두 개를 모두 돌려주세요: `(output, weights)`."),
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
        Text(
            "There is no tanh in the score. Without it the query's part is the same for all keys and cancels in the softmax.",
            "점수에 tanh가 없습니다. tanh가 없으면 쿼리의 몫이 모든 키에서 같아서 소프트맥스에서 사라집니다.",
        ),
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
        Text(
            "Query and key each have a tanh of their own. Add them first: they must meet inside one tanh.",
            "쿼리와 키에 tanh를 따로따로 적용했습니다. 먼저 더하세요. 둘은 한 tanh 안에서 만나야 합니다.",
        ),
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
        Text(
            "Additive scores are not divided by anything: tanh keeps them small.",
            "가산 점수는 아무것으로도 나누지 않습니다. tanh가 점수를 작게 유지합니다.",
        ),
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
        Text(
            "The columns of the weights add up to 1. The softmax runs along the keys, so that each query's row does.",
            "가중치의 열마다 합이 1입니다. 소프트맥스를 키를 따라 계산해야 쿼리의 행마다 합이 1이 됩니다.",
        ),
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
        Text(
            "Inside the tanh the projected query and key are multiplied. They are added.",
            "tanh 안에서 투영한 쿼리와 키를 곱했습니다. 더해야 합니다.",
        ),
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
        Text(
            "The output is divided by the number of keys. The weights add up to 1 already: their sum of values is the average.",
            "출력을 키의 개수로 나누었습니다. 가중치의 합이 이미 1이므로, 가중치를 곱한 값들의 합이 곧 평균입니다.",
        ),
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
        Text(
            "The new axes are counted from the front, so a batch gets in their way. Count them from the back.",
            "새 축의 자리를 앞에서부터 세어서 배치와 부딪힙니다. 뒤에서부터 세세요.",
        ),
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
        Text(
            "It works for exactly one leading dimension. Count the new axes from the back, then any number works, none included.",
            "앞쪽 차원이 꼭 하나일 때만 됩니다. 새 축의 자리를 뒤에서부터 세면 몇 개든, 없어도 됩니다.",
        ),
        """
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = np.matmul(query, w_query)[:, :, None, :], np.matmul(key, w_key)[:, None, :, :]
    weights = np.asarray(softmax(np.tanh(q + k) @ v))
    return weights @ value, weights
""",
    ),
)

MISTAKES: tuple[Mistake, ...] = _SOFTMAX + _SCORES + _ATTENTION + _PROJECTIONS + _SCALE + _ADDITIVE
