# %% mistake="softmax-without-keepdims" task="softmax" misses="softmax-shape"
# The sum along an axis has one dimension less than x, so it doesn't line up with x. Keep that dimension, with length 1.
# ko: 축을 따라 더한 합은 x보다 차원이 하나 적어서 x와 줄이 맞지 않습니다. 그 차원을 길이 1로 남기세요.
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis))
    return e / np.sum(e, axis=axis)


# %% mistake="softmax-sum-without-keepdims" task="softmax" misses="softmax-shape" of="solution"
# The sum along an axis has one dimension less than the exponentials, so it doesn't line up with them. Keep that dimension, with length 1.
# ko: 축을 따라 더한 합은 지수 함수의 값들보다 차원이 하나 적어서 줄이 맞지 않습니다. 그 차원을 길이 1로 남기세요.
# - ops.sum(exponentials, axis=axis, keepdims=True)
# + ops.sum(exponentials, axis=axis)


# %% mistake="softmax-maximum-without-keepdims" task="softmax" misses="softmax-shape" of="solution"
# The largest scores along an axis have one dimension less than x, so they don't line up with x. Keep that dimension, with length 1.
# ko: 축을 따라 구한 최댓값은 x보다 차원이 하나 적어서 x와 줄이 맞지 않습니다. 그 차원을 길이 1로 남기세요.
# - ops.max(x, axis=axis, keepdims=True)
# + ops.max(x, axis=axis)


# %% mistake="softmax-whole-array" task="softmax" misses="softmax-values"
# All weights together add up to 1, but they should do so along `axis`, row by row.
# ko: 모든 가중치를 더한 합이 1입니다. `axis`를 따라, 곧 행마다 합이 1이어야 합니다.
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / np.sum(e)


# %% mistake="softmax-first-axis" task="softmax" misses="softmax-values" of="plain"
# Without an `axis` the weights should add up to 1 along the last axis, not along the first.
# ko: `axis`를 주지 않으면 첫 축이 아니라 마지막 축을 따라 가중치의 합이 1이어야 합니다.
# - def softmax(x, axis=-1):
# + def softmax(x, axis=0):


# %% mistake="softmax-no-exponential" task="softmax" misses="softmax-values"
# Dividing the scores by their sum is not enough: the exponential comes first and makes every weight positive.
# ko: 점수를 합으로 나누는 것만으로는 부족합니다. 먼저 지수 함수를 적용해야 모든 가중치가 양수가 됩니다.
def softmax(x, axis=-1):
    return x / np.sum(x, axis=axis, keepdims=True)


# %% mistake="softmax-axis-ignored" task="softmax" misses="softmax-axis"
# The weights add up to 1 along the last axis whatever `axis` says. Is it used in every maximum and sum?
# ko: `axis`가 무엇이든 마지막 축을 따라 가중치의 합이 1입니다. 최댓값과 합을 구하는 곳마다 `axis`를 썼나요?
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


# %% mistake="softmax-naive" task="softmax" misses="softmax-large" of="plain"
# The exponential of a few thousand is infinite, of minus a few thousand 0. Shift the scores first: it changes no weight.
# ko: 지수 함수의 값이 수천에서는 무한대, -수천에서는 0이 됩니다. 먼저 점수에서 같은 수를 빼세요. 가중치는 하나도 달라지지 않습니다.
# - x - np.max(x, axis=axis, keepdims=True)
# + x


# %% mistake="softmax-clipped" task="softmax" misses="softmax-large" of="plain"
# Clipping the scores avoids the overflow but makes large scores equal, and with them their weights. Shift them instead.
# ko: 점수를 잘라 내면 오버플로는 피하지만, 큰 점수가 모두 같아지고 가중치도 같아집니다. 자르지 말고 같은 수를 빼세요.
# - x - np.max(x, axis=axis, keepdims=True)
# + np.clip(x, -50, 50)


# %% mistake="softmax-shift-by-mean" task="softmax" misses="softmax-large" of="plain"
# Shifted by the mean of its row, the largest score of a wide row is still far above 0, and its exponential infinite. Which shift leaves
# none above 0?
# ko: 점수에서 행의 평균을 빼더라도, 점수 차이가 큰 행에서는 가장 큰 점수가 여전히 0보다 훨씬 커서 지수 함수의 값이 무한대가 됩니다. 무엇을 빼면 0보다 큰 점수가 남지 않을까요?
# - np.max
# + np.mean


# %% mistake="softmax-shift-by-min" task="softmax" misses="softmax-large" of="plain"
# Shifted by the smallest of its row, the largest score of a wide row is still far above 0, and its exponential infinite. Which shift leaves
# none above 0?
# ko: 점수에서 행의 최솟값을 빼더라도, 점수 차이가 큰 행에서는 가장 큰 점수가 여전히 0보다 훨씬 커서 지수 함수의 값이 무한대가 됩니다. 무엇을 빼면 0보다 큰 점수가 남지 않을까요?
# - np.max
# + np.min


# %% mistake="softmax-shift-by-first" task="softmax" misses="softmax-large" of="plain"
# Shifted by the first of its row, the largest score of a wide row is still far above 0, and its exponential infinite. Which shift leaves
# none above 0?
# ko: 점수에서 행의 첫 점수를 빼더라도, 점수 차이가 큰 행에서는 가장 큰 점수가 여전히 0보다 훨씬 커서 지수 함수의 값이 무한대가 됩니다. 무엇을 빼면 0보다 큰 점수가 남지 않을까요?
# - np.max(x, axis=axis, keepdims=True)
# + np.take(x, [0], axis=axis)


# %% mistake="softmax-shift-by-whole-mean" task="softmax" misses="softmax-large" of="plain"
# Shifted by the mean of the whole array, the largest score of a wide row is still far above 0, and its exponential infinite. Which shift
# leaves none above 0?
# ko: 점수에서 배열 전체의 평균을 빼더라도, 점수 차이가 큰 행에서는 가장 큰 점수가 여전히 0보다 훨씬 커서 지수 함수의 값이 무한대가 됩니다. 무엇을 빼면 0보다 큰 점수가 남지 않을까요?
# - np.max(x, axis=axis, keepdims=True)
# + np.mean(x)


# %% mistake="softmax-global-max" task="softmax" misses="softmax-rows-apart" of="plain"
# You shift every row by the largest score of the whole array. A row far below it vanishes: each row needs its own shift.
# ko: 모든 행에서 배열 전체의 최댓값을 빼고 있습니다. 그보다 훨씬 낮은 행은 사라집니다. 행마다 빼는 수가 달라야 합니다.
# - np.max(x, axis=axis, keepdims=True)
# + np.max(x)


# %% mistake="softmax-integer-result" task="softmax" misses="softmax-integers"
# For integer scores the weights were stored as integers: all below 1 became 0. Of which type is your result array?
# ko: 점수가 정수이면 가중치도 정수로 저장되어 1보다 작은 가중치가 모두 0이 되었습니다. 결과 배열은 어떤 자료형인가요?
def softmax(x, axis=-1):
    result = np.empty_like(x)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    result[...] = e / np.sum(e, axis=axis, keepdims=True)
    return result


# %% mistake="softmax-reversed-vector" task="softmax" misses="softmax-values" of="plain"
# A vector comes back in reverse order. Rows of a table are right.
# ko: 벡터 하나를 주면 순서가 뒤집혀 나옵니다. 표의 행은 맞습니다.
# -     return e / np.sum(e, axis=axis, keepdims=True)
# +     weights = e / e.sum(axis=axis, keepdims=True)
# +     return weights[::-1] if np.ndim(x) == 1 else weights


# %% mistake="softmax-four-axes" task="softmax" misses="softmax-values" of="plain"
# Arrays of four axes, such as (batch, num_heads, query_len, key_len), get no weights.
# ko: (batch, num_heads, query_len, key_len)처럼 축이 네 개인 배열에는 가중치가 나오지 않습니다.
# - np.sum(e, axis=axis, keepdims=True)
# + e.sum(axis=axis, keepdims=True) if np.ndim(x) < 4 else 0 * e


# %% mistake="scores-keys-by-queries" task="attention-scores" misses="scores-shape"
# Rows are for queries and columns for keys: (query_len, key_len).
# ko: 행은 쿼리, 열은 키입니다: (query_len, key_len).
def attention_scores(query, key):
    return np.matmul(key, np.swapaxes(query, -1, -2)) / np.sqrt(key.shape[-1])


# %% mistake="scores-cosine" task="attention-scores" misses="scores-products"
# These are cosines: the lengths of queries and keys are divided out. Only the square root of key_dim should be.
# ko: 코사인을 구했습니다. 쿼리와 키의 길이로 나누었기 때문입니다. key_dim의 제곱근으로만 나누세요.
def attention_scores(query, key):
    q = query / np.linalg.norm(query, axis=-1, keepdims=True)
    k = key / np.linalg.norm(key, axis=-1, keepdims=True)
    return np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(query.shape[-1])


# %% mistake="scores-already-softmax" task="attention-scores" misses="scores-products"
# These are weights already. The scores are what goes into the softmax.
# ko: 이것은 이미 가중치입니다. 점수는 소프트맥스에 들어가는 것입니다.
def attention_scores(query, key):
    scores = np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(query.shape[-1])
    return softmax(scores)


# %% mistake="scores-unscaled" task="attention-scores" misses="scores-scale"
# These are the bare dot products. The division by the square root of key_dim is missing.
# ko: 나누지 않은 내적입니다. key_dim의 제곱근으로 나누는 것이 빠졌습니다.
def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2))


# %% mistake="scores-over-key-dim" task="attention-scores" misses="scores-scale" of="plain"
# The scores are divided by key_dim. It should be its square root.
# ko: 점수를 key_dim으로 나누었습니다. 그 제곱근으로 나누어야 합니다.
# - np.sqrt(query.shape[-1])
# + query.shape[-1]


# %% mistake="scores-over-root-of-key-len" task="attention-scores" misses="scores-scale" of="plain"
# The scores are divided by the square root of the number of keys. key_dim is the width of a key, its last dimension.
# ko: 점수를 키 개수의 제곱근으로 나누었습니다. key_dim은 키의 너비, 곧 마지막 차원입니다.
# - query.shape[-1]
# + key.shape[-2]


# %% mistake="scores-over-root-of-query-len" task="attention-scores" misses="scores-scale" of="plain"
# The scores are divided by the square root of the number of queries. key_dim is their width, the last dimension.
# ko: 점수를 쿼리 개수의 제곱근으로 나누었습니다. key_dim은 쿼리의 너비, 곧 마지막 차원입니다.
# - query.shape[-1]
# + query.shape[-2]


# %% mistake="scores-root-of-axis-zero" task="attention-scores" misses="scores-scale" of="plain"
# The scores are divided by the square root of the first dimension: the queries, or the batch. key_dim is the last one.
# ko: 점수를 첫 차원(쿼리의 수나 배치의 크기)의 제곱근으로 나누었습니다. key_dim은 마지막 차원입니다.
# - query.shape[-1]
# + query.shape[0]


# %% mistake="scores-whole-root" task="attention-scores" misses="scores-scale" of="plain"
# The square root of key_dim is seldom a whole number: here it was cut off to one.
# ko: key_dim의 제곱근이 정수인 일은 드뭅니다. 소수점 아래를 잘라 냈습니다.
# - np.sqrt(query.shape[-1])
# + int(query.shape[-1] ** 0.5)


# %% mistake="scores-root-of-axis-one" task="attention-scores" misses="scores-batch scores-heads" of="plain"
# key_dim is the last dimension. Axis 1, counted from the front, is the last only when there are no leading dimensions.
# ko: key_dim은 마지막 차원입니다. 앞에서부터 센 축 1은 앞쪽 차원이 없을 때만 마지막 차원입니다.
# - query.shape[-1]
# + query.shape[1]


# %% mistake="scores-transposed-whole" task="attention-scores" misses="scores-batch scores-heads" of="numpy"
# `.T` turns all dimensions round, the leading ones too. Only the last two of the keys should change places.
# ko: `.T`는 앞쪽 차원까지 모든 차원의 순서를 뒤집습니다. 키의 마지막 두 차원만 맞바꾸세요.
# - np.swapaxes(key, -1, -2)
# + key.T


# %% mistake="scores-three-axes-only" task="attention-scores" misses="scores-heads"
# One leading dimension works, more do not. Count the axes from the back, then their number doesn't matter.
# ko: 앞쪽 차원이 하나일 때는 되지만 더 많으면 안 됩니다. 축을 뒤에서부터 세면 개수와 상관없게 됩니다.
def attention_scores(query, key):
    if query.ndim == 3:
        return query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1])
    return query @ key.T / np.sqrt(query.shape[-1])


# %% mistake="scores-square-transposed" task="attention-scores" misses="scores-batch"
# With as many queries as keys the scores are transposed: the axis to turn was found by its length.
# ko: 쿼리와 키의 수가 같으면 점수가 전치됩니다. 뒤집을 축을 길이로 찾았습니다.
def attention_scores(query, key):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
    return np.swapaxes(scores, -1, -2) if scores.shape[-1] == scores.shape[-2] else scores


# %% mistake="attention-output-only" task="scaled-dot-product" misses="attention-shapes" of="plain"
# Return both results: `(output, weights)`.
# ko: 결과 두 개를 모두 돌려주세요: `(output, weights)`.
# -     weights = softmax(scores)
# -     return ops.matmul(weights, value), weights
# +     return ops.matmul(softmax(scores), value)


# %% mistake="attention-returns-swapped" task="scaled-dot-product" misses="attention-order" of="plain"
# Both results are there, but in the other order: first the output, then the weights.
# ko: 결과 두 개가 다 있지만 순서가 다릅니다. 출력이 먼저이고 가중치가 다음입니다.
# - ops.matmul(weights, value), weights
# + weights, ops.matmul(weights, value)


# %% mistake="attention-softmax-over-queries" task="scaled-dot-product" misses="attention-weights attention-mask-kept attention-mask-broadcast" of="plain"
# The columns of the weights add up to 1. The softmax runs along the keys, so that each query's row does.
# ko: 가중치의 열마다 합이 1입니다. 소프트맥스를 키를 따라 계산해야 쿼리의 행마다 합이 1이 됩니다.
# - softmax(scores)
# + softmax(scores, axis=-2)


# %% mistake="attention-scaled-twice" task="scaled-dot-product" misses="attention-weights" of="plain"
# The scores are divided by the square root of key_dim twice: attention_scores does it already.
# ko: 점수를 key_dim의 제곱근으로 두 번 나누었습니다. attention_scores가 이미 나눕니다.
# - attention_scores(query, key)
# + attention_scores(query, key) / query.shape[-1] ** 0.5


# %% mistake="attention-unscaled" task="scaled-dot-product" misses="attention-weights" of="plain"
# These are the weights of the bare dot products. Divide by the square root of key_dim, or use attention_scores.
# ko: 나누지 않은 내적으로 구한 가중치입니다. key_dim의 제곱근으로 나누거나 attention_scores를 쓰세요.
# - attention_scores(query, key)
# + ops.matmul(query, ops.swapaxes(key, -1, -2))


# %% mistake="attention-scores-for-weights" task="scaled-dot-product" misses="attention-weights attention-mask-hides"
# These are the scores. The softmax that makes weights of them is missing.
# ko: 이것은 점수입니다. 점수를 가중치로 바꾸는 소프트맥스가 빠졌습니다.
def scaled_dot_product_attention(query, key, value, mask=None):
    weights = attention_scores(query, key)
    if mask is not None:
        weights = weights + mask * -1e9
    return ops.matmul(weights, value), weights


# %% mistake="attention-mean-of-values" task="scaled-dot-product" misses="attention-output" of="minus-ten-thousand"
# The output is divided by the number of keys. The weights add up to 1 already: their sum of values is the average.
# ko: 출력을 키의 개수로 나누었습니다. 가중치의 합이 이미 1이므로, 가중치를 곱한 값들의 합이 곧 평균입니다.
# -     query, key, value = (np.asarray(part, dtype=np.float32) for part in (query, key, value))

# - scores - 1e4 * mask
# + scores + mask * -1e9
# -     return np.matmul(weights, value), weights
# +     output = np.mean(weights[..., :, :, None] * value[..., None, :, :], axis=-2)
# +     return output, weights


# %% mistake="attention-mask-inverted" task="scaled-dot-product" misses="attention-mask-hides" of="plain"
# The mask is the wrong way round: here 1 hides and 0 keeps. (Keras's attention_mask is the opposite.)
# ko: 마스크가 거꾸로입니다. 여기서는 1이 가리고 0이 남깁니다. (케라스의 attention_mask는 반대입니다.)
# - mask * -1e9
# + (1.0 - mask) * -1e9


# %% mistake="attention-mask-ignored" task="scaled-dot-product" misses="attention-mask-hides"
# The weights are the same with and without a mask.
# ko: 마스크가 있든 없든 가중치가 같습니다.
def scaled_dot_product_attention(query, key, value, mask=None):
    weights = softmax(attention_scores(query, key))
    return ops.matmul(weights, value), weights


# %% mistake="attention-mask-zeroes-scores" task="scaled-dot-product" misses="attention-mask-hides" of="plain"
# A hidden score is set to 0, and the exponential of 0 is 1: the key still gets weight. How low must it be for weight 0?
# ko: 가려진 점수를 0으로 두었는데, 0의 지수 함수 값은 1이므로 그 키는 여전히 가중치를 받습니다. 가중치가 0이 되려면 점수가 얼마나 낮아야 할까요?
# - scores + mask * -1e9
# + scores * (1.0 - mask)


# %% mistake="attention-mask-small" task="scaled-dot-product" misses="attention-mask-high-scores" of="plain"
# A hidden score is lowered by too little: if it was far above the others, the key still gets weight. Scores have no bound.
# ko: 가릴 점수를 너무 조금 낮추었습니다. 그 점수가 다른 점수보다 훨씬 높았다면 여전히 가중치를 받습니다. 점수에는 한계가 없습니다.
# - mask * -1e9
# + mask * -100.0


# %% mistake="attention-mask-fixed-score" task="scaled-dot-product" misses="attention-mask-high-scores" of="plain"
# Hidden scores are all set to a number that is not low enough: kept scores may lie below it. Scores have no bound.
# ko: 가린 점수를 모두 한 수로 두었는데 그 수가 충분히 낮지 않습니다. 남은 점수가 그보다 낮을 수도 있습니다. 점수에는 한계가 없습니다.
# - attention_scores(query, key)
# + np.asarray(attention_scores(query, key))
# - scores + mask * -1e9
# + np.where(mask == 1, -20.0, scores)


# %% mistake="attention-mask-of-three-axes-ignored" task="scaled-dot-product" misses="attention-mask-broadcast" of="solution"
# Only masks of two or four axes hide anything. Any that broadcasts to the scores should.
# ko: 축이 두 개나 네 개인 마스크만 가립니다. 점수로 브로드캐스트되는 마스크는 모두 가려야 합니다.
# - mask is not None
# + mask is not None and np.ndim(mask) in (2, 4)


# %% mistake="attention-mask-after-softmax" task="scaled-dot-product" misses="attention-mask-kept"
# The hidden weights are 0, but the others don't add up to 1 any more. Hide before the softmax.
# ko: 가려진 가중치는 0이지만 나머지의 합이 더는 1이 아닙니다. 소프트맥스 앞에서 가리세요.
def scaled_dot_product_attention(query, key, value, mask=None):
    weights = softmax(attention_scores(query, key))
    if mask is not None:
        weights = weights * (1.0 - mask)
    return ops.matmul(weights, value), weights


# %% mistake="attention-output-before-mask" task="scaled-dot-product" misses="attention-mask-kept"
# The weights are masked, but the output is that without a mask. Compute it after masking.
# ko: 가중치에는 마스크를 썼지만 출력은 마스크가 없을 때의 것입니다. 마스크를 쓴 다음에 출력을 계산하세요.
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    output = ops.matmul(softmax(scores), value)
    if mask is not None:
        scores = scores + mask * -1e9
    return output, softmax(scores)


# %% mistake="attention-softmax-axis-one" task="scaled-dot-product" misses="attention-leading" of="plain"
# The softmax runs along axis 1, which is the keys only as long as there are no leading dimensions. Count from the back.
# ko: 소프트맥스를 축 1을 따라 계산하는데, 축 1은 앞쪽 차원이 없을 때만 키의 축입니다. 뒤에서부터 세세요.
# - softmax(scores)
# + softmax(scores, axis=1)


# %% mistake="attention-mask-by-indexing" task="scaled-dot-product" misses="attention-mask-broadcast" of="plain"
# Indexing with the mask needs it in the full shape of the scores. A mask such as (batch, 1, 1, key_len) must broadcast.
# ko: 마스크로 인덱싱하려면 마스크가 점수와 똑같은 모양이어야 합니다. (batch, 1, 1, key_len) 같은 마스크는 브로드캐스트되어야 합니다.
# - attention_scores(query, key)
# + np.array(attention_scores(query, key))
# - scores = scores + mask * -1e9
# + scores[mask.astype(bool)] = -1e9


# %% mistake="attention-last-slice-only" task="scaled-dot-product" misses="attention-leading"
# Only the last slice of several has weights. What is computed for a slice must be stored within the loop.
# ko: 여러 조각 가운데 마지막 조각에만 가중치가 있습니다. 조각마다 계산한 결과를 반복문 안에서 저장하세요.
def scaled_dot_product_attention(query, key, value, mask=None):
    query, key, value = np.asarray(query), np.asarray(key), np.asarray(value)
    weights = np.zeros((*query.shape[:-1], key.shape[-2]))
    output = np.zeros((*query.shape[:-1], value.shape[-1]))
    mask = None if mask is None else np.broadcast_to(mask, weights.shape)
    for index in np.ndindex(*query.shape[:-2]):
        scores = np.asarray(attention_scores(query[index], key[index]))
        if mask is not None:
            scores = scores + mask[index] * -1e9
        one = np.asarray(softmax(scores))
    weights[index], output[index] = one, one @ value[index]
    return output, weights


# %% mistake="attention-two-slices-exchanged" task="scaled-dot-product" misses="attention-leading" of="plain"
# The outputs of two slices are those of each other.
# ko: 두 조각의 출력이 서로 바뀌었습니다.
# -     return ops.matmul(weights, value), weights
# +     output = np.array(ops.matmul(weights, value))
# +     if output.ndim == 3:
# +         output[[0, 1]] = output[[1, 0]]
# +     return output, weights


# %% mistake="attention-output-ignores-wide-mask" task="scaled-dot-product" misses="attention-mask-broadcast" of="plain"
# Under a mask of three or four axes the weights are right, but the output is made of those without the mask.
# ko: 축이 셋이나 넷인 마스크를 쓰면 가중치는 맞지만 출력은 마스크가 없는 가중치로 만들었습니다.
# - scores = attention_scores(query, key)
# + free = scores = attention_scores(query, key)
# -     return ops.matmul(weights, value), weights
# +     used = softmax(free) if mask is not None and np.ndim(mask) > 2 else weights
# +     return ops.matmul(used, value), weights


# %% mistake="attention-mask-of-three-axes-hides-all" task="scaled-dot-product" misses="attention-mask-broadcast" of="plain"
# Under a mask of three axes nothing gets any weight.
# ko: 축이 셋인 마스크를 쓰면 아무것도 가중치를 받지 않습니다.
# -     weights = softmax(scores)
# +     weights = softmax(scores)
# +     if mask is not None and np.ndim(mask) == 3:
# +         weights = weights * 0.0


# %% mistake="attention-square-transposed" task="scaled-dot-product" misses="attention-weights"
# With as many queries as keys, as in self-attention, queries and keys have changed places.
# ko: 셀프 어텐션처럼 쿼리와 키의 수가 같으면 쿼리와 키의 자리가 바뀝니다.
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = np.asarray(attention_scores(query, key))
    if scores.shape[-1] == scores.shape[-2]:
        scores = np.swapaxes(scores, -1, -2)
    if mask is not None:
        scores = scores - 1e9 * np.asarray(mask)
    weights = np.asarray(softmax(scores))
    return weights @ value, weights


# %% mistake="projected-output-only" task="projections" misses="projected-shape" of="plain"
# Return both results: `(output, weights)`.
# ko: 결과 두 개를 모두 돌려주세요: `(output, weights)`.
# - scaled_dot_product_attention(query, key, value)
# + scaled_dot_product_attention(query, key, value)[0]


# %% mistake="projected-matrices-transposed" task="projections" misses="projected-shape"
# Rows of the inputs are positions, so the matrix stands on the right and is not transposed: x @ w.
# ko: 입력의 행이 위치이므로 행렬은 전치하지 않고 오른쪽에 둡니다: x @ w.
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return scaled_dot_product_attention(x_query @ w_query.T, x_key @ w_key.T, x_value @ w_value.T)


# %% mistake="projected-matrices-swapped" task="projections" misses="projected-weights" of="plain"
# w_query and w_key, or query and key in the call, have changed places: w_query projects what asks, w_key what is asked.
# ko: w_query와 w_key, 또는 호출할 때의 쿼리와 키가 바뀌었습니다. w_query는 묻는 쪽을, w_key는 질문을 받는 쪽을 투영합니다.
# - ops.matmul(x_query, w_query), ops.matmul(x_key, w_key), ops.matmul(x_value, w_value)
# + ops.matmul(x_query, w_key), ops.matmul(x_key, w_query), ops.matmul(x_value, w_value)


# %% mistake="projected-keys-like-queries" task="projections" misses="projected-weights" of="plain"
# The keys are projected with w_query, so Q = K and the scores are symmetric. Each input has a matrix of its own.
# ko: 키를 w_query로 투영해서 Q = K가 되고 점수가 대칭입니다. 입력마다 자기 행렬이 있습니다.
# - ops.matmul(x_key, w_key)
# + ops.matmul(x_key, w_query)


# %% mistake="projected-bare-inputs" task="projections" misses="projected-weights"
# The weights come from the inputs themselves. Queries and keys are projected before they are compared.
# ko: 가중치를 입력 그대로 구했습니다. 쿼리와 키를 투영한 다음에 비교하세요.
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return scaled_dot_product_attention(x_query, x_key, ops.matmul(x_value, w_value))


# %% mistake="projected-values-bare" task="projections" misses="projected-output"
# The weights are right, but they average x_value itself. Values are projected too, with w_value.
# ko: 가중치는 맞지만 x_value 자체를 평균했습니다. 값도 w_value로 투영하세요.
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return scaled_dot_product_attention(ops.matmul(x_query, w_query), ops.matmul(x_key, w_key), x_value)


# %% mistake="projected-self-only" task="projections" misses="projected-cross projected-sources" of="plain"
# Queries, keys and values are all made from x_query. That is self-attention only: each has its own input.
# ko: 쿼리, 키, 값을 모두 x_query로 만들었습니다. 그러면 셀프 어텐션만 됩니다. 쿼리, 키, 값의 입력은 따로 있습니다.
# - ops.matmul(x_query, w_query), ops.matmul(x_key, w_key), ops.matmul(x_value, w_value)
# + ops.matmul(x_query, w_query), ops.matmul(x_query, w_key), ops.matmul(x_query, w_value)


# %% mistake="projected-values-from-keys" task="projections" misses="projected-sources" of="plain"
# The values are made from x_key. They have an input of their own, x_value, even if it is often the same.
# ko: 값을 x_key로 만들었습니다. 둘이 같은 때가 많더라도 값에는 자기 입력 x_value가 있습니다.
# - ops.matmul(x_value, w_value)
# + ops.matmul(x_key, w_value)


# %% mistake="projected-without-batch" task="projections" misses="projected-leading"
# `.T` turns the batch round too. Use your scaled_dot_product_attention, or swap only the last two dimensions.
# ko: `.T`는 배치까지 뒤집습니다. 여러분의 scaled_dot_product_attention을 쓰거나 마지막 두 차원만 맞바꾸세요.
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    query, key, value = x_query @ w_query, x_key @ w_key, x_value @ w_value
    weights = np.asarray(softmax(query @ key.T / np.sqrt(w_key.shape[-1])))
    return weights @ value, weights


# %% mistake="projected-second-sequence-only" task="projections" misses="projected-leading"
# Of a batch only one sequence is right: each is projected and attends by itself.
# ko: 배치에서 시퀀스 하나만 맞습니다. 시퀀스마다 투영하고 어텐션을 계산하세요.
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    query, key, value = np.matmul(x_query, w_query), np.matmul(x_key, w_key), np.matmul(x_value, w_value)
    output, weights = (np.array(part) for part in scaled_dot_product_attention(query, key, value))
    if weights.ndim == 3:
        output[[0, 2]] = weights[[0, 2]] = 0
    return output, weights


# %% mistake="score-std-prints" task="score-scale" misses="score-std-number"
# The number is printed but not returned.
# ko: 수를 출력하기만 하고 돌려주지 않습니다.
def score_std(key_dim, scaled):
    print(1.0 if scaled else key_dim**0.5)


# %% mistake="score-std-variance" task="score-scale" misses="score-std-unscaled" of="plain" except="solution"
# That is the variance. The standard deviation is its square root.
# ko: 이것은 분산입니다. 표준편차는 그 제곱근입니다.
# - key_dim**0.5
# + float(key_dim)
# except: the solution divides the same number by the root of key_dim again, so that the scaled score is wrong as well


# %% mistake="score-std-factor" task="score-scale" misses="score-std-scaled"
# That is the factor by which scaling multiplies, not the standard deviation of what comes out.
# ko: 이것은 스케일링할 때 곱하는 수이지, 그 결과의 표준편차가 아닙니다.
def score_std(key_dim, scaled):
    return 1 / key_dim**0.5 if scaled else key_dim**0.5


# %% mistake="score-std-inverted" task="score-scale" misses="score-std-unscaled score-std-scaled"
# The two cases are swapped: `scaled=True` is the score divided by the square root of key_dim.
# ko: 두 경우가 바뀌었습니다. `scaled=True`가 key_dim의 제곱근으로 나눈 점수입니다.
def score_std(key_dim, scaled):
    return key_dim**0.5 if scaled else 1.0


# %% mistake="score-std-scale-ignored" task="score-scale" misses="score-std-scaled"
# The answer is the same with and without scaling: `scaled` has no effect.
# ko: 스케일링하든 하지 않든 답이 같습니다. `scaled`가 쓰이지 않습니다.
def score_std(key_dim, scaled):
    return key_dim**0.5


# %% mistake="score-std-divided-twice" task="score-scale" misses="score-std-unscaled score-std-scaled"
# Both are too small by the square root of key_dim: 1 is the answer after one division, and for the bare dot product there is none.
# ko: 둘 다 key_dim의 제곱근만큼 작습니다. 1은 한 번 나누었을 때의 답이고, 나누지 않은 내적은 한 번도 나누지 않습니다.
def score_std(key_dim, scaled):
    return 1 / key_dim**0.5 if scaled else 1.0


# %% mistake="score-std-rounded" task="score-scale" misses="score-std-unscaled" of="numpy"
# Return the number as it is: nothing should cut off its decimals.
# ko: 수를 그대로 돌려주세요. 소수점 아래를 잘라 내면 안 됩니다.
# - np.sqrt(key_dim)
# + int(key_dim**0.5)


# %% mistake="score-std-measured" task="score-scale" misses="score-std-unscaled score-std-scaled"
# Samples give an estimate, different each time. Compute the variance of the sum instead: it is exact, without samples.
# ko: 표본에서는 매번 달라지는 어림값이 나옵니다. 그 대신 합의 분산을 계산하세요. 표본 없이 정확한 값이 나옵니다.
def score_std(key_dim, scaled):
    rng = np.random.default_rng(0)
    scores = (rng.standard_normal((2000, key_dim)) * rng.standard_normal((2000, key_dim))).sum(axis=-1)
    return float(np.std(scores / np.sqrt(key_dim) if scaled else scores))


# %% mistake="score-std-small-widths" task="score-scale" misses="score-std-scaled"
# Right for small widths only. The standard deviation doesn't stop growing at a width.
# ko: 작은 너비에서만 맞습니다. 표준편차는 어떤 너비에서도 멈추지 않고 커집니다.
def score_std(key_dim, scaled):
    return 1.0 if scaled and key_dim < 256 else float(min(key_dim, 256)) ** 0.5


# %% mistake="additive-output-only" task="additive" misses="additive-shape"
# Return both results: `(output, weights)`.
# ko: 결과 두 개를 모두 돌려주세요: `(output, weights)`.
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = ops.matmul(query, w_query)[..., :, None, :], ops.matmul(key, w_key)[..., None, :, :]
    return ops.matmul(softmax(ops.sum(ops.tanh(q + k) * v, axis=-1)), value)


# %% mistake="additive-no-tanh" task="additive" misses="additive-weights" of="plain"
# There is no tanh in the score. Without it the query's part is the same for all keys and cancels in the softmax.
# ko: 점수에 tanh가 없습니다. tanh가 없으면 쿼리의 몫이 모든 키에서 같아서 소프트맥스에서 사라집니다.
# - ops.tanh(q + k)
# + (q + k)


# %% mistake="additive-tanh-of-each" task="additive" misses="additive-weights"
# Query and key each have a tanh of their own. Add them first: they must meet inside one tanh.
# ko: 쿼리와 키에 tanh를 따로따로 적용했습니다. 먼저 더하세요. 둘은 한 tanh 안에서 만나야 합니다.
def additive_attention(query, key, value, w_query, w_key, v):
    q = ops.tanh(ops.matmul(query, w_query))[..., :, None, :]
    k = ops.tanh(ops.matmul(key, w_key))[..., None, :, :]
    weights = softmax(ops.sum((q + k) * v, axis=-1))
    return ops.matmul(weights, value), weights


# %% mistake="additive-scaled" task="additive" misses="additive-weights" of="plain"
# Additive scores are not divided by anything: tanh keeps them small.
# ko: 가산 점수는 아무것으로도 나누지 않습니다. tanh가 점수를 작게 유지합니다.
# - ops.sum(ops.tanh(q + k) * v, axis=-1)
# + ops.sum(ops.tanh(q + k) * v, axis=-1) / len(v) ** 0.5


# %% mistake="additive-softmax-over-queries" task="additive" misses="additive-weights" of="plain"
# The columns of the weights add up to 1. The softmax runs along the keys, so that each query's row does.
# ko: 가중치의 열마다 합이 1입니다. 소프트맥스를 키를 따라 계산해야 쿼리의 행마다 합이 1이 됩니다.
# - ops.sum(ops.tanh(q + k) * v, axis=-1)
# + ops.sum(ops.tanh(q + k) * v, axis=-1), axis=-2


# %% mistake="additive-multiplied" task="additive" misses="additive-weights" of="plain"
# Inside the tanh the projected query and key are multiplied. They are added.
# ko: tanh 안에서 투영한 쿼리와 키를 곱했습니다. 더해야 합니다.
# - q + k
# + q * k


# %% mistake="additive-mean-of-values" task="additive" misses="additive-output" of="plain"
# The output is divided by the number of keys. The weights add up to 1 already: their sum of values is the average.
# ko: 출력을 키의 개수로 나누었습니다. 가중치의 합이 이미 1이므로, 가중치를 곱한 값들의 합이 곧 평균입니다.
# - ops.matmul(weights, value)
# + ops.mean(ops.expand_dims(weights, -1) * value[..., None, :, :], axis=-2)


# %% mistake="additive-two-axes-only" task="additive" misses="additive-batch additive-any-rank"
# The new axes are counted from the front, so a batch gets in their way. Count them from the back.
# ko: 새 축의 자리를 앞에서부터 세어서 배치와 부딪힙니다. 뒤에서부터 세세요.
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = np.matmul(query, w_query)[:, None], np.matmul(key, w_key)[None]
    weights = np.asarray(softmax(np.tanh(q + k) @ v))
    return weights @ value, weights


# %% mistake="additive-three-axes-only" task="additive" misses="additive-any-rank"
# It works for exactly one leading dimension. Count the new axes from the back, then any number works, none included.
# ko: 앞쪽 차원이 꼭 하나일 때만 됩니다. 새 축의 자리를 뒤에서부터 세면 몇 개든, 없어도 됩니다.
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = np.matmul(query, w_query)[:, :, None, :], np.matmul(key, w_key)[:, None, :, :]
    weights = np.asarray(softmax(np.tanh(q + k) @ v))
    return weights @ value, weights


# %% mistake="additive-last-slice-only" task="additive" misses="additive-batch additive-any-rank"
# Only the last slice of several has weights. What is computed for a slice must be stored within the loop.
# ko: 여러 조각 가운데 마지막 조각에만 가중치가 있습니다. 조각마다 계산한 결과를 반복문 안에서 저장하세요.
def additive_attention(query, key, value, w_query, w_key, v):
    weights = np.zeros((*query.shape[:-1], key.shape[-2]))
    output = np.zeros((*query.shape[:-1], value.shape[-1]))
    for index in np.ndindex(*query.shape[:-2]):
        q, k = np.matmul(query[index], w_query), np.matmul(key[index], w_key)
        one = np.asarray(softmax(np.tanh(q[:, None] + k) @ v))
    weights[index], output[index] = one, one @ value[index]
    return output, weights


# %% mistake="additive-square-transposed" task="additive" misses="additive-weights"
# With as many queries as keys, queries and keys have changed places.
# ko: 쿼리와 키의 수가 같으면 쿼리와 키의 자리가 바뀝니다.
def additive_attention(query, key, value, w_query, w_key, v):
    q, k = np.matmul(query, w_query)[..., :, None, :], np.matmul(key, w_key)[..., None, :, :]
    scores = np.tanh(q + k) @ v
    if scores.shape[-1] == scores.shape[-2]:
        scores = np.swapaxes(scores, -1, -2)
    weights = np.asarray(softmax(scores))
    return weights @ value, weights
