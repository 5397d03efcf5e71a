# %% mistake="padding-flat" task="padding-mask" misses="padding-shape"
# Without axes for heads and queries, (batch, seq_len) would be read as (query_len, key_len).
# ko: 헤드와 쿼리의 축이 없으면 (batch, seq_len)이 (query_len, key_len)으로 읽힙니다.
def create_padding_mask(token_ids, pad_id=0):
    return (np.asarray(token_ids) == pad_id).astype("float32")


# %% mistake="padding-one-axis" task="padding-mask" misses="padding-shape" of="plain"
# There is one axis of length 1, but two are needed: one for the heads, one for the queries.
# ko: 길이 1인 축이 하나 있지만 둘이 필요합니다. 하나는 헤드, 하나는 쿼리의 축입니다.
# - :, None, None, :
# + :, np.newaxis, :


# %% mistake="padding-queries" task="padding-mask" misses="padding-shape" of="plain"
# The last axis of the mask is that of the keys. This one hides queries.
# ko: 마스크의 마지막 축은 키의 축입니다. 이 마스크는 쿼리를 가립니다.
# - :, None, None, :
# + :, None, :, None


# %% mistake="padding-inverted" task="padding-mask" misses="padding-values" of="plain"
# The mask is the wrong way round: in this course 1 hides, so 1 belongs to the padding.
# ko: 마스크가 거꾸로입니다. 이 과정에서는 1이 가리므로 패딩이 1이어야 합니다.
# - np.asarray(token_ids) == pad_id
# + np.asarray(token_ids) != pad_id


# %% mistake="padding-minus-infinity" task="padding-mask" misses="padding-values"
# A mask of minus infinity is meant to be added to scores. Here a mask says only what is hidden: 1.
# ko: 마이너스 무한대로 된 마스크는 점수에 더하려고 만든 것입니다. 여기서 마스크는 무엇을 가릴지만 1로 나타냅니다.
def create_padding_mask(token_ids, pad_id=0):
    return np.where(np.asarray(token_ids) == pad_id, -np.inf, 0.0)[:, None, None, :]


# %% mistake="padding-first-sequence" task="padding-mask" misses="padding-values"
# Every sequence has the mask of the first one.
# ko: 모든 시퀀스의 마스크가 첫 시퀀스의 것입니다.
def create_padding_mask(token_ids, pad_id=0):
    ids = np.asarray(token_ids)
    mask = (ids[0] == pad_id).astype("float32")
    return np.tile(mask, (len(ids), 1))[:, None, None, :]


# %% mistake="padding-by-length" task="padding-mask" misses="padding-anywhere"
# You count tokens and take it that the padding comes last. It may stand in front as well.
# ko: 토큰의 수를 세어, 패딩이 끝에 온다고 보고 있습니다. 패딩은 앞에 있을 수도 있습니다.
def create_padding_mask(token_ids, pad_id=0):
    ids = np.asarray(token_ids)
    lengths = (ids != pad_id).sum(axis=1)
    return (np.arange(ids.shape[1])[None, :] >= lengths[:, None]).astype("float32")[:, None, None, :]


# %% mistake="padding-id-ignored" task="padding-mask" misses="padding-other-id"
# The id 0 is hidden whatever `pad_id` says.
# ko: `pad_id`가 무엇이든 id 0을 가리고 있습니다.
def create_padding_mask(token_ids, pad_id=0):
    return ops.cast(ops.equal(token_ids, 0), "float32")[:, None, None, :]


# %% mistake="padding-booleans" task="padding-mask" misses="padding-floats"
# A comparison gives booleans. Turn them into floats.
# ko: 비교하면 불리언이 나옵니다. 실수로 바꾸세요.
def create_padding_mask(token_ids, pad_id=0):
    return (np.asarray(token_ids) == pad_id)[:, None, None, :]


# %% mistake="padding-other-number" task="padding-mask" misses="padding-floats"
# Padding is marked with another number than 1. What a mask is multiplied with is for its user to say.
# ko: 패딩을 1이 아닌 다른 수로 표시했습니다. 마스크에 무엇을 곱할지는 마스크를 쓰는 쪽에서 정합니다.
def create_padding_mask(token_ids, pad_id=0):
    return ops.cast(ops.equal(token_ids, pad_id), "float32")[:, None, None, :] * 1e9


# %% mistake="padding-squeezed" task="padding-mask" misses="padding-anywhere"
# `squeeze` without an axis also removes the batch when it holds a single sequence.
# ko: 축을 정하지 않은 `squeeze`는 시퀀스가 하나뿐이면 배치 축까지 없앱니다.
def create_padding_mask(token_ids, pad_id=0):
    mask = np.squeeze(np.asarray(token_ids) == pad_id).astype("float32")
    return mask[:, None, None, :]


# %% mistake="padding-shown-in-empty-sentences" task="padding-mask" misses="padding-anywhere" of="plain"
# The padding of a sentence that is nothing but padding isn't hidden. The mask has 1 wherever a token is padding.
# ko: 패딩뿐인 문장의 패딩을 가리지 않습니다. 마스크는 토큰이 패딩인 곳 어디서나 1입니다.
# - return (np.asarray(token_ids) == pad_id).astype("float32")[:, None, None, :]
# + is_padding = np.asarray(token_ids) == pad_id
# +     return (is_padding & ~is_padding.all(axis=1, keepdims=True)).astype("float32")[:, None, None, :]


# %% mistake="ahead-three-axes" task="look-ahead-mask" misses="ahead-shape" of="plain"
# The mask is the same for every sequence: two axes are enough, broadcasting does the rest.
# ko: 이 마스크는 모든 시퀀스에서 같습니다. 축은 둘이면 되고 나머지는 브로드캐스트가 맡습니다.
# - (size, size)
# + (1, size, size)


# %% mistake="ahead-past-hidden" task="look-ahead-mask" misses="ahead-sides"
# The past is hidden and the future kept: the mask is transposed. Rows are queries, columns keys.
# ko: 과거를 가리고 미래를 남겼습니다. 마스크가 전치되었습니다. 행이 쿼리, 열이 키입니다.
def create_look_ahead_mask(size):
    return np.tril(np.ones((size, size)), k=-1)


# %% mistake="ahead-says-who-is-seen" task="look-ahead-mask" misses="ahead-sides"
# Ones where a position may look is the other convention. Here 1 hides.
# ko: 보아도 되는 곳에 1을 쓰는 것은 다른 규약입니다. 여기서는 1이 가립니다.
def create_look_ahead_mask(size):
    return np.tril(np.ones((size, size)))


# %% mistake="ahead-two-steps" task="look-ahead-mask" misses="ahead-sides" of="plain"
# Each position sees one step too far: the diagonal next to the main one is kept.
# ko: 모든 위치가 한 걸음 더 멀리 봅니다. 주대각선 바로 위의 대각선이 남아 있습니다.
# - k=1
# + k=2


# %% mistake="ahead-minus-infinity" task="look-ahead-mask" misses="ahead-sides"
# A mask of minus infinity is meant to be added to scores. Here a mask says only what is hidden: 1.
# ko: 마이너스 무한대로 된 마스크는 점수에 더하려고 만든 것입니다. 여기서 마스크는 무엇을 가릴지만 1로 나타냅니다.
def create_look_ahead_mask(size):
    return np.triu(np.full((size, size), -np.inf), k=1)


# %% mistake="ahead-with-diagonal" task="look-ahead-mask" misses="ahead-diagonal"
# The diagonal is hidden too. Input i is a word that is already there: output i is the guess at the next one.
# ko: 대각선까지 가렸습니다. 입력 i는 이미 있는 단어이고, 출력 i는 그다음 단어를 추측한 것입니다.
def create_look_ahead_mask(size):
    return np.triu(np.ones((size, size)))


# %% mistake="ahead-table-too-small" task="look-ahead-mask" misses="ahead-sizes"
# Beyond a fixed number of positions nothing is hidden.
# ko: 위치가 일정한 수를 넘으면 그 뒤로는 아무것도 가리지 않습니다.
def create_look_ahead_mask(size):
    mask = np.zeros((size, size))
    for i in range(min(size, 32)):
        for j in range(i + 1, min(size, 32)):
            mask[i, j] = 1.0
    return mask


# %% mistake="ahead-integers" task="look-ahead-mask" misses="ahead-floats" of="plain"
# The mask holds integers. Turn them into floats.
# ko: 마스크에 정수가 들어 있습니다. 실수로 바꾸세요.
# - np.ones((size, size))
# + np.ones((size, size), dtype=int)


# %% mistake="ahead-one-position" task="look-ahead-mask" misses="ahead-sizes" of="plain"
# With a single position that position is hidden from itself.
# ko: 위치가 하나뿐일 때 그 위치가 자기 자신에게 가려집니다.
# - k=1
# + k=min(1, size - 1)


# %% mistake="ahead-other-number" task="look-ahead-mask" misses="ahead-floats"
# What is hidden is marked with other numbers than 1.
# ko: 가리는 곳에 1이 아닌 다른 수가 있습니다.
def create_look_ahead_mask(size):
    return np.triu(np.ones((size, size)), k=1) + np.triu(np.ones((size, size)), k=2)


# %% mistake="decoder-look-ahead-only" task="decoder-mask" misses="decoder-shape"
# The look-ahead mask alone has no batch, because it knows nothing of the padding.
# ko: 룩어헤드 마스크만으로는 배치 축이 없습니다. 패딩에 대해 아무것도 모르기 때문입니다.
def create_decoder_mask(token_ids, pad_id=0):
    return create_look_ahead_mask(np.shape(token_ids)[1])


# %% mistake="decoder-padding-forgotten" task="decoder-mask" misses="decoder-padding"
# Only the future is hidden.
# ko: 미래만 가렸습니다.
def create_decoder_mask(token_ids, pad_id=0):
    batch, seq_len = np.shape(token_ids)
    return np.tile(np.triu(np.ones((seq_len, seq_len)), k=1), (batch, 1, 1, 1))


# %% mistake="decoder-future-forgotten" task="decoder-mask" misses="decoder-future"
# Only the padding is hidden.
# ko: 패딩만 가렸습니다.
def create_decoder_mask(token_ids, pad_id=0):
    batch, seq_len = np.shape(token_ids)
    padding = (np.asarray(token_ids) == pad_id).astype(float)[:, None, None, :]
    return np.tile(padding, (1, 1, seq_len, 1))


# %% mistake="decoder-keeps-what-one-keeps" task="decoder-mask" misses="decoder-future decoder-padding" of="plain"
# Only what both masks hide is hidden. Either is enough.
# ko: 두 마스크가 모두 가리는 곳만 가렸습니다. 하나라도 가리면 가려야 합니다.
# - np.maximum
# + ops.minimum


# %% mistake="decoder-inverted" task="decoder-mask" misses="decoder-future decoder-padding"
# The mask is the wrong way round: it says who may be seen, but 1 hides.
# ko: 마스크가 거꾸로입니다. 보아도 되는 곳에 1이 있는데, 여기서는 1이 가립니다.
def create_decoder_mask(token_ids, pad_id=0):
    ids = np.asarray(token_ids)
    past = np.tril(np.ones((ids.shape[1], ids.shape[1])))
    return (ids != pad_id)[:, None, None, :] * past


# %% mistake="decoder-hides-queries" task="decoder-mask" misses="decoder-padding"
# The rows of the padding are hidden too. Padding is hidden as a key; its queries see what others see.
# ko: 패딩의 행까지 가렸습니다. 패딩은 키로서 가립니다. 패딩의 쿼리는 다른 쿼리와 똑같이 봅니다.
def create_decoder_mask(token_ids, pad_id=0):
    padding = (np.asarray(token_ids) == pad_id).astype(float)
    ahead = np.triu(np.ones((padding.shape[1], padding.shape[1])), k=1)
    return np.maximum(np.maximum(padding[:, None, None, :], padding[:, None, :, None]), ahead)


# %% mistake="decoder-twos" task="decoder-mask" misses="decoder-ones"
# Where both masks hide there is a 2: they were added. Flipped by `1 - mask` that is -1, which is true.
# ko: 두 마스크가 모두 가리는 곳에 2가 있습니다. 둘을 더한 결과입니다. `1 - mask`로 뒤집으면 -1이 되고, 이것은 참입니다.
def create_decoder_mask(token_ids, pad_id=0):
    return create_padding_mask(token_ids, pad_id) + create_look_ahead_mask(np.shape(token_ids)[1])


# %% mistake="decoder-booleans" task="decoder-mask" misses="decoder-ones"
# A logical or gives booleans. Turn them into floats.
# ko: 논리합(or)의 결과는 불리언입니다. 실수로 바꾸세요.
def create_decoder_mask(token_ids, pad_id=0):
    ids = np.asarray(token_ids)
    ahead = np.triu(np.ones((ids.shape[1], ids.shape[1])), k=1).astype(bool)
    return (ids == pad_id)[:, None, None, :] | ahead


# %% mistake="decoder-id-ignored" task="decoder-mask" misses="decoder-other-id"
# The id 0 is hidden whatever `pad_id` says. Is it passed on?
# ko: `pad_id`가 무엇이든 id 0을 가리고 있습니다. `pad_id`를 넘겨주고 있나요?
def create_decoder_mask(token_ids, pad_id=0):
    return ops.maximum(create_padding_mask(token_ids), create_look_ahead_mask(np.shape(token_ids)[1]))


# %% mistake="decoder-batch-joined" task="decoder-mask" misses="decoder-own-padding"
# What is padding in one sequence is hidden in all of them.
# ko: 한 시퀀스에서 패딩인 곳을 모든 시퀀스에서 가렸습니다.
def create_decoder_mask(token_ids, pad_id=0):
    ids = np.asarray(token_ids)
    padding = (ids == pad_id).any(axis=0).astype(float)
    mask = np.maximum(padding[None, :], np.triu(np.ones((ids.shape[1], ids.shape[1])), k=1))
    return np.tile(mask, (len(ids), 1, 1, 1))


# %% mistake="decoder-exclusive-or" task="decoder-mask" misses="decoder-padding"
# What both masks hide is seen again: an exclusive or. Where both hide, hide too.
# ko: 두 마스크가 모두 가리는 곳이 다시 보입니다. 배타적 논리합(exclusive or)이기 때문입니다. 둘 다 가리는 곳도 가리세요.
def create_decoder_mask(token_ids, pad_id=0):
    return ops.abs(create_padding_mask(token_ids, pad_id) - create_look_ahead_mask(np.shape(token_ids)[1]))


# %% mistake="decoder-empty-rows-opened" task="decoder-mask" misses="decoder-padding"
# Where a query would see nothing, everything is shown to it, the future and the padding too.
# ko: 아무것도 보지 못하게 될 쿼리에게 미래와 패딩까지 모두 보여 줍니다.
def create_decoder_mask(token_ids, pad_id=0):
    padding = (np.asarray(token_ids) == pad_id)[:, None, None, :]
    mask = np.maximum(padding, np.triu(np.ones((padding.shape[-1], padding.shape[-1])), k=1))
    mask[mask.all(axis=-1)] = 0.0
    return mask


# %% mistake="softmax-without-keepdims" task="masked-softmax" misses="softmax-shape"
# The sum along the keys has one dimension less than the scores. Keep it, with length 1.
# ko: 키를 따라 더한 합은 점수보다 차원이 하나 적습니다. 그 축을 길이 1로 남기세요.
def masked_softmax(scores, mask):
    e = np.where(mask == 1, 0.0, np.exp(scores))
    return e / np.sum(e, axis=-1)


# %% mistake="softmax-mask-forgotten" task="masked-softmax" misses="softmax-values"
# These are the weights without the mask.
# ko: 마스크를 쓰지 않은 가중치입니다.
def masked_softmax(scores, mask):
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


# %% mistake="softmax-mask-inverted" task="masked-softmax" misses="softmax-values"
# The hidden keys share the weight: the mask is read the other way round. 1 hides.
# ko: 가려진 키들이 가중치를 나누어 갖습니다. 마스크를 거꾸로 읽었습니다. 1은 가립니다.
def masked_softmax(scores, mask):
    kept = np.broadcast_to(mask, np.shape(scores)) == 1
    e = np.where(kept, np.exp(scores - np.max(np.where(kept, scores, -1e4), axis=-1, keepdims=True)), 0)
    return e / np.maximum(np.sum(e, axis=-1, keepdims=True), 1e-7)


# %% mistake="softmax-hides-after" task="masked-softmax" misses="softmax-values"
# The rows don't add up to 1: hidden entries were set to 0 after the softmax. The others share the whole weight.
# ko: 행의 합이 1이 아닙니다. 소프트맥스 뒤에 가려진 원소를 0으로 만든 결과입니다. 나머지 원소들이 가중치 전체를 나누어 가져야 합니다.
def masked_softmax(scores, mask):
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True) * (1 - mask)


# %% mistake="softmax-zero-score" task="masked-softmax" misses="softmax-values"
# Multiplying a score by 0 hides nothing: exp(0) is 1.
# ko: 점수에 0을 곱해서는 가려지지 않습니다. exp(0)은 1입니다.
def masked_softmax(scores, mask):
    e = np.exp(scores * (1 - mask))
    return e / np.sum(e, axis=-1, keepdims=True)


# %% mistake="softmax-constant-30" task="masked-softmax" misses="softmax-exactly-zero softmax-hidden-far-above softmax-half"
# A small constant leaves a little weight on hidden keys, and much if their scores are large.
# ko: 작은 상수를 쓰면 가려진 키에 가중치가 조금 남고, 그 점수가 크면 많이 남습니다.
def masked_softmax(scores, mask):
    lowered = np.where(mask == 1, scores - 30, scores)
    e = np.exp(lowered - np.max(lowered, axis=-1, keepdims=True))
    e = np.where(np.all(mask == 1, axis=-1, keepdims=True), 0, e)
    total = np.sum(e, axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


# %% mistake="softmax-same-shape-only" task="masked-softmax" misses="softmax-broadcast"
# The mask picks entries by index, which needs a mask of the scores' shape. Broadcast it first, or use `where`.
# ko: 마스크를 인덱스로 써서 원소를 고르려면 모양이 점수와 같아야 합니다. 먼저 브로드캐스트하거나 `where`를 쓰세요.
def masked_softmax(scores, mask):
    scores = np.array(scores)
    hidden = np.asarray(mask) == 1
    low = scores.copy()
    low[hidden] = -np.inf
    top = np.max(low, axis=-1, keepdims=True)
    top[np.isinf(top)] = 0
    low = low - top
    e = np.exp(low)
    total = np.sum(e, axis=-1, keepdims=True)
    total[total == 0] = 1
    return e / total


# %% mistake="softmax-largest-of-all" task="masked-softmax" misses="softmax-hidden-far-above softmax-half"
# Whose maximum do you subtract? A large hidden score makes all kept exponentials 0.
# ko: 무엇의 최댓값을 빼고 있나요? 가려진 점수가 크면 남긴 원소의 지수함수 값이 모두 0이 됩니다.
def masked_softmax(scores, mask):
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True)) * (1 - mask)
    total = np.sum(e, axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total).astype(scores.dtype)


# %% mistake="softmax-minus-1e9" task="masked-softmax" misses="softmax-empty-rows softmax-half"
# With all scores of a row lowered by the same constant, their softmax is the same as before. And float16 has no 1e9.
# ko: 한 행의 점수를 모두 같은 상수만큼 내리면 소프트맥스는 전과 같습니다. 게다가 float16에는 1e9가 없습니다.
def masked_softmax(scores, mask):
    scores = ops.convert_to_tensor(scores)
    mask = ops.cast(mask, scores.dtype)
    return ops.softmax(scores + mask * ops.cast(-1e9, scores.dtype), axis=-1)


# %% mistake="softmax-where-1e9" task="masked-softmax" misses="softmax-empty-rows"
# In a wholly hidden row all scores are replaced by the same number, so the weights are uniform. They should be 0.
# ko: 모두 가려진 행에서는 점수가 모두 같은 수로 바뀌어 가중치가 균등해집니다. 0이어야 합니다.
def masked_softmax(scores, mask):
    low = np.where(mask == 1, np.finfo(scores.dtype).min, scores)
    e = np.exp(low - np.max(low, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


# %% mistake="softmax-nan" task="masked-softmax" misses="softmax-empty-rows"
# Of a wholly hidden row nothing is left to divide by: minus infinity less itself, or 0/0, is NaN.
# ko: 모두 가려진 행에는 나눌 것이 남지 않습니다. 마이너스 무한대에서 자기 자신을 빼거나 0을 0으로 나누면 NaN이 됩니다.
def masked_softmax(scores, mask):
    low = np.where(mask == 1, -np.inf, scores)
    e = np.exp(low - np.max(low, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


# %% mistake="softmax-empty-rows-only-1e9" task="masked-softmax" misses="softmax-half"
# A constant such as -1e9 is minus infinity in float16, and 0 times infinity is NaN for the kept entries.
# ko: -1e9 같은 상수는 float16에서 마이너스 무한대이고, 남긴 원소에서는 0 곱하기 무한대라서 NaN이 됩니다.
def masked_softmax(scores, mask):
    low = scores + mask * np.asarray(-1e9, dtype=scores.dtype)
    e = np.exp(low - np.max(low, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True) * (1 - mask)


# %% mistake="softmax-constant-1e4" task="masked-softmax" misses="softmax-half"
# A constant that fits into float16 isn't far below every score of float16.
# ko: float16에 들어가는 상수는 float16의 모든 점수보다 훨씬 아래에 있지는 못합니다.
def masked_softmax(scores, mask):
    scores = ops.convert_to_tensor(scores)
    mask = ops.cast(mask, scores.dtype)
    return ops.softmax(scores - 1e4 * mask, axis=-1) * (1 - mask)


# %% mistake="softmax-tiny-epsilon" task="masked-softmax" misses="softmax-half"
# In float16 a constant such as 1e-9 is 0.
# ko: 1e-9 같은 상수는 float16에서 0입니다.
def masked_softmax(scores, mask):
    hidden = np.broadcast_to(mask, scores.shape) == 1
    top = np.max(np.where(hidden, np.finfo(scores.dtype).min, scores), axis=-1, keepdims=True)
    e = np.where(hidden, 0, np.exp(np.where(hidden, 0, scores - top)))
    return e / (np.sum(e, axis=-1, keepdims=True) + np.asarray(1e-9, dtype=scores.dtype))


# %% mistake="softmax-returns-float32" task="masked-softmax" misses="softmax-type"
# The weights are in float32 whatever the scores are.
# ko: 점수의 자료형이 무엇이든 가중치가 float32입니다.
def masked_softmax(scores, mask):
    scores, hidden = np.asarray(scores, dtype="float32"), np.asarray(mask) == 1
    top = np.max(np.where(hidden, np.float32(-3e38), scores), axis=-1, keepdims=True)
    e = np.where(hidden, 0, np.exp(np.where(hidden, 0, scores - top)))
    total = np.sum(e, axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total).astype("float32")


# %% mistake="softmax-largest-of-all-rows" task="masked-softmax" misses="softmax-hidden-far-above"
# The largest score of the whole array is subtracted. In a row far below it nothing is left: each row has its own.
# ko: 배열 전체에서 가장 큰 점수를 뺐습니다. 그보다 훨씬 낮은 행에는 아무것도 남지 않습니다. 행마다 자기 최댓값을 빼세요.
def masked_softmax(scores, mask):
    keep = np.broadcast_to(mask, scores.shape) == 0
    e = np.where(keep, np.exp(np.where(keep, scores - scores[keep].max(), 0)), 0)
    total = np.sum(e, axis=-1, keepdims=True)
    return (e / np.where(total == 0, 1, total)).astype(scores.dtype)


# %% mistake="softmax-four-axes-only" task="masked-softmax" misses="softmax-broadcast"
# It works for scores of four axes only. Any leading axes are allowed, or none.
# ko: 축이 네 개인 점수일 때만 작동합니다. 앞의 축은 몇 개든, 없어도 되어야 합니다.
def masked_softmax(scores, mask):
    batch, num_heads, query_len, key_len = scores.shape
    hidden = np.broadcast_to(mask, scores.shape) == 1
    top = np.max(np.where(hidden, np.finfo(scores.dtype).min, scores), axis=-1, keepdims=True)
    e = np.where(hidden, 0, np.exp(np.where(hidden, 0, scores - top)))
    total = np.sum(e, axis=-1, keepdims=True)
    return (e / np.where(total == 0, 1, total)).astype(scores.dtype)


# %% mistake="softmax-constant-3e4" task="masked-softmax" misses="softmax-half"
# A constant that fits into float16 isn't far below every score of float16.
# ko: float16에 들어가는 상수라고 해서 float16의 모든 점수보다 훨씬 낮은 것은 아닙니다.
def masked_softmax(scores, mask):
    large = 3e4 if scores.dtype == np.float16 else 1e9
    scores = ops.convert_to_tensor(scores)
    mask = ops.cast(mask, scores.dtype)
    return ops.softmax(scores - large * mask, axis=-1) * (1 - mask)


# %% mistake="softmax-one-maximum-for-all-heads" task="masked-softmax" misses="softmax-hidden-far-above" of="plain"
# One maximum is taken off the scores of all heads. Where a head's scores lie far below another's, its exponentials all become 0.
# ko: 모든 헤드의 점수에서 최댓값 하나를 뺍니다. 어떤 헤드의 점수가 다른 헤드보다 훨씬 낮으면 그 헤드의 지수는 모두 0이 됩니다.
# - np.max(lowered, axis=-1, keepdims=True)
# + np.max(lowered, axis=(1, -1) if lowered.ndim == 4 else -1, keepdims=True)


# %% mistake="keras-keeps-heads" task="keras-mask" misses="keras-shape"
# The axis of the heads is still there. Keras puts it in itself.
# ko: 헤드의 축이 아직 있습니다. 그 축은 케라스가 직접 넣습니다.
def to_keras_attention_mask(mask):
    return np.asarray(mask) == 0


# %% mistake="keras-not-flipped" task="keras-mask" misses="keras-flip" of="plain"
# The mask has Keras's shape but still our meaning: in Keras True may be attended.
# ko: 모양은 케라스의 것인데 뜻은 아직 이 과정의 것입니다. 케라스에서는 True인 곳을 보아도 됩니다.
# - np.asarray(mask) == 0
# + np.asarray(mask).astype(bool)


# %% mistake="keras-flips-booleans-late" task="keras-mask" misses="keras-booleans" of="plain"
# Floats 1 and 0 are not booleans. Not every function reads them alike.
# ko: 실수 1과 0은 불리언이 아닙니다. 모든 함수가 둘을 똑같이 읽지는 않습니다.
# - np.asarray(mask) == 0
# + 1.0 - np.asarray(mask)


# %% mistake="keras-squeezed" task="keras-mask" misses="keras-padding keras-square"
# `squeeze` without an axis removes every axis of length 1, also the batch and the queries. Name the axis.
# ko: 축을 적지 않은 `squeeze`는 길이가 1인 축을 배치와 쿼리의 축까지 모두 없앱니다. 축을 적으세요.
def to_keras_attention_mask(mask):
    return np.squeeze(np.asarray(mask)) == 0


# %% mistake="keras-queries-squeezed" task="keras-mask" misses="keras-padding" of="plain"
# The axis of length 1 for the queries is gone: Keras needs it.
# ko: 길이가 1인 쿼리의 축이 없어졌습니다. 케라스에는 그 축이 필요합니다.
# -     return mask[:, 0] if mask.ndim == 4 else mask[None]
# +     if mask.ndim == 2:
# +         return mask[None]
# +     return mask[:, 0, 0] if mask.shape[2] == 1 else mask[:, 0]


# %% mistake="keras-batch-of-one-squeezed" task="keras-mask" misses="keras-padding" of="plain"
# For a batch of one sequence an axis is missing.
# ko: 시퀀스가 하나뿐인 배치에서 축이 하나 모자랍니다.
# -     return mask[:, 0] if mask.ndim == 4 else mask[None]
# +     if mask.ndim == 2:
# +         return mask[None]
# +     mask = mask[:, 0]
# +     return mask[0] if len(mask) == 1 else mask


# %% mistake="keras-two-axes-unchanged" task="keras-mask" misses="keras-square" of="plain"
# A mask without a batch needs an axis for it, of length 1.
# ko: 배치가 없는 마스크에는 길이가 1인 배치 축이 필요합니다.
# - mask[None]
# + mask


# %% mistake="keras-two-axes-floats" task="keras-mask" misses="keras-booleans" of="rows-and-reshapes"
# A mask of two axes comes back as floats 1 and 0, not as booleans.
# ko: 축이 둘인 마스크가 불리언이 아니라 실수 1과 0으로 나옵니다.
# - mask.reshape((-1,) + mask.shape[-2:]) == 0
# + mask[:, 0] == 0 if mask.ndim == 4 else 1 - mask[None]


# %% mistake="keras-empty-rows-opened" task="keras-mask" misses="keras-padding"
# Where everything is hidden, everything may be attended. That nothing is seen is for the softmax to deal with.
# ko: 모두 가려진 행에서는 모두 볼 수 있게 했습니다. 아무것도 보지 못하는 행은 소프트맥스가 처리할 일입니다.
def to_keras_attention_mask(mask):
    keep = np.asarray(mask) == 0
    keep = keep[:, 0] if keep.ndim == 4 else keep[None]
    return keep | ~keep.any(axis=-1, keepdims=True)


# %% mistake="leak-no-return" task="leak-test" misses="leak-answer"
# Every way through the function needs a `return`, also the one on which no leak was found.
# ko: 함수의 모든 갈래에 `return`이 있어야 합니다. 누수를 찾지 못한 갈래도 마찬가지입니다.
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] = np.random.default_rng(t).normal(size=(1, seq_len - t, dim))
        if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-5:
            return True


# %% mistake="leak-returns-distances" task="leak-test" misses="leak-answer"
# The distances are right, but the question is whether there is a leak: True or False.
# ko: 거리는 맞지만, 물은 것은 누수가 있는지입니다. 답은 True나 False입니다.
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    moved = []
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] = rng.normal(size=(1, seq_len - t, dim))
        moved.append(np.abs(to_numpy(attend(changed)) - before)[:, :t].max())
    return np.array(moved) > 1e-5


# %% mistake="leak-always" task="leak-test" misses="leak-plain leak-one-step leak-one-place leak-long leak-normalised leak-size"
# It says that everything leaks.
# ko: 모든 것이 샌다고 답합니다.
def leaks_future(attend, seq_len, dim):
    return True


# %% mistake="leak-never" task="leak-test" misses="leak-plain leak-one-step leak-one-place leak-long leak-normalised leak-size"
# It says that nothing leaks.
# ko: 아무것도 새지 않는다고 답합니다.
def leaks_future(attend, seq_len, dim):
    return False


# %% mistake="leak-compares-changed-position" task="leak-test" misses="leak-plain leak-one-step leak-one-place leak-long leak-normalised leak-size" of="solution"
# The changed position itself is compared too. It may move: only those before it may not.
# ko: 바꾼 위치 자체도 비교하고 있습니다. 그 위치는 움직여도 됩니다. 그보다 앞의 위치만 움직이면 안 됩니다.
# - rng.normal(size=(1, seq_len, dim)).astype("float32")
# + rng.normal(size=(1, seq_len, dim))
# - for position in range(1, seq_len):
# + for t in range(1, seq_len):
# -         changed[:, position] = rng.normal(size=dim)
# -         moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
# -         if moved.max() > 1e-5:
# +         changed[:, t] = rng.normal(size=dim)
# +         if np.abs(to_numpy(attend(changed)) - before)[:, : t + 1].max() > 1e-5:


# %% mistake="leak-nan" task="leak-test" misses="leak-plain leak-one-step leak-one-place leak-long leak-normalised leak-size"
# 0 times NaN is NaN: it comes out of causal layers too.
# ko: 0 곱하기 NaN은 NaN이므로 인과적 계층에서도 나옵니다.
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] = np.nan
        if np.isnan(to_numpy(attend(changed))[:, :t]).any():
            return True
    return False


# %% mistake="leak-not-the-second-input" task="leak-test" misses="leak-one-place" of="solution"
# The changes begin with the third input. The first output may see the second.
# ko: 셋째 입력부터 바꿉니다. 첫 출력이 둘째 입력을 볼 수도 있습니다.
# - rng.normal(size=(1, seq_len, dim)).astype("float32")
# + rng.normal(size=(1, seq_len, dim))
# - range(1, seq_len)
# + range(2, seq_len)
# -         moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
# -         if moved.max() > 1e-5:
# +         if np.abs(to_numpy(attend(changed)) - before)[:, :position].max() > 1e-5:


# %% mistake="leak-last-input-only" task="leak-test" misses="leak-one-place"
# Only the last input is changed. A leak may come from any.
# ko: 마지막 입력만 바꿉니다. 누수는 어느 입력에서든 생길 수 있습니다.
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    changed = x.copy()
    changed[:, -1] = rng.normal(size=dim)
    moved = np.abs(to_numpy(attend(changed)) - to_numpy(attend(x)))[:, :-1]
    return bool(moved.max() > 1e-5)


# %% mistake="leak-first-output-only" task="leak-test" misses="leak-one-place leak-long"
# Only the first output is watched. A leak may show at any.
# ko: 첫 출력만 봅니다. 누수는 어느 출력에서든 나타날 수 있습니다.
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    changed = x.copy()
    changed[:, 1:] = rng.normal(size=(1, seq_len - 1, dim))
    moved = np.abs(to_numpy(attend(changed)) - to_numpy(attend(x)))[:, 0]
    return bool(moved.max() > 1e-5)


# %% mistake="leak-one-cut" task="leak-test" misses="leak-one-place leak-long"
# One cut in the middle shows only leaks across it. Each position has its own future.
# ko: 가운데에서 한 번만 나누면 그 경계를 넘는 누수만 보입니다. 위치마다 자기의 미래가 있습니다.
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    half = seq_len // 2
    x = rng.normal(size=(1, seq_len, dim))
    changed = x.copy()
    changed[:, half:] = rng.normal(size=(1, seq_len - half, dim))
    moved = np.abs(to_numpy(attend(changed)) - to_numpy(attend(x)))[:, :half]
    return bool(moved.max() > 1e-5)


# %% mistake="leak-one-feature" task="leak-test" misses="leak-one-place" of="solution"
# Only the first feature is watched.
# ko: 첫째 특징만 봅니다.
# - rng.normal(size=(1, seq_len, dim)).astype("float32")
# + rng.normal(size=(1, seq_len, dim))
# - for position in range(1, seq_len):
# + for t in range(1, seq_len):
# - changed[:, position] = rng.normal(size=dim)
# + changed[:, t:] = rng.normal(size=(1, seq_len - t, dim))
# - moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
# + after = to_numpy(attend(changed))
# - moved.max
# + np.abs(after - before)[0, :t, 0].max


# %% mistake="leak-not-the-next-step" task="leak-test" misses="leak-one-step leak-one-place" of="solution"
# The position just before the changed one is not compared: a leak of one step goes there.
# ko: 바꾼 위치의 바로 앞 위치를 비교하지 않습니다. 한 걸음짜리 누수는 거기로 갑니다.
# - rng.normal(size=(1, seq_len, dim)).astype("float32")
# + rng.normal(size=(1, seq_len, dim))
# - for position in range(1, seq_len):
# + for t in range(2, seq_len):
# -         changed[:, position] = rng.normal(size=dim)
# -         moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
# -         if moved.max() > 1e-5:
# +         changed[:, t] = rng.normal(size=dim)
# +         if np.abs(to_numpy(attend(changed)) - before)[:, : t - 1].max() > 1e-5:


# %% mistake="leak-starts-from-zeros" task="leak-test" misses="leak-one-step" of="solution"
# All inputs are 0 at first. Where inputs are multiplied with each other, nothing can be seen then.
# ko: 처음 입력이 모두 0입니다. 입력끼리 곱하는 계층에서는 그러면 아무것도 보이지 않습니다.
# - rng.normal(size=(1, seq_len, dim)).astype("float32")
# + np.zeros((1, seq_len, dim))
# - for position in range(1, seq_len):
# + for t in range(1, seq_len):
# -         changed[:, position] = rng.normal(size=dim)
# -         moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
# -         if moved.max() > 1e-5:
# +         changed[:, t] = rng.normal(size=dim)
# +         if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-5:


# %% mistake="leak-own-length" task="leak-test" misses="leak-long" of="solution"
# The length is the test's own. Some leaks show at `seq_len` only.
# ko: 검사할 길이를 마음대로 정했습니다. 주어진 `seq_len`에서만 나타나는 누수도 있습니다.
# -     x = rng.normal(size=(1, seq_len, dim)).astype("float32")
# +     seq_len = min(seq_len, 12)
# +     x = rng.normal(size=(1, seq_len, dim))
# - for position in range(1, seq_len):
# + for t in range(1, seq_len):
# -         changed[:, position] = rng.normal(size=dim)
# -         moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
# -         if moved.max() > 1e-5:
# +         changed[:, t:] = rng.normal(size=(1, seq_len - t, dim))
# +         if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-5:


# %% mistake="leak-adds-a-constant" task="leak-test" misses="leak-normalised"
# The same number is added to every feature. A normalisation over the features takes it away again.
# ko: 모든 특징에 같은 수를 더합니다. 특징들에 대한 정규화가 그것을 도로 없앱니다.
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] += 1.0
        if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-5:
            return True
    return False


# %% mistake="leak-scales" task="leak-test" misses="leak-normalised"
# The later inputs are only scaled. A normalisation over the features takes that away again.
# ko: 뒤의 입력에 같은 수를 곱하기만 합니다. 특징들에 대한 정규화가 그것을 도로 없앱니다.
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t] *= 2.0
        if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-5:
            return True
    return False


# %% mistake="leak-shuffles" task="leak-test" misses="leak-plain leak-one-place leak-long leak-normalised" of="solution"
# The later inputs are only put into another order. Attention and averages don't notice that.
# ko: 뒤의 입력을 순서만 바꿉니다. 어텐션과 평균은 그것을 알아채지 못합니다.
# - rng.normal(size=(1, seq_len, dim)).astype("float32")
# + rng.normal(size=(1, seq_len, dim))
# - for position in range(1, seq_len):
# + for t in range(1, seq_len):
# -         changed[:, position] = rng.normal(size=dim)
# -         moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
# -         if moved.max() > 1e-5:
# +         changed[:, t:] = changed[:, t:][:, ::-1]
# +         if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-5:


# %% mistake="leak-exactly-equal" task="leak-test" misses="leak-size" of="solution"
# Outputs are compared exactly. In float32 rounding moves them a little without any leak.
# ko: 출력이 정확히 같은지 비교합니다. float32에서는 누수가 없어도 반올림 때문에 출력이 조금 움직입니다.
# - rng.normal(size=(1, seq_len, dim)).astype("float32")
# + rng.normal(size=(1, seq_len, dim))
# - for position in range(1, seq_len):
# + for t in range(1, seq_len):
# -         changed[:, position] = rng.normal(size=dim)
# -         moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
# -         if moved.max() > 1e-5:
# +         changed[:, t:] = rng.normal(size=(1, seq_len - t, dim))
# +         if not np.array_equal(to_numpy(attend(changed))[:, :t], before[:, :t]):


# %% mistake="leak-threshold-below-rounding" task="leak-test" misses="leak-size" of="solution"
# A threshold below the rounding of float32 finds leaks everywhere.
# ko: 문턱값이 float32의 반올림보다 작으면 어디서나 누수가 나옵니다.
# - rng.normal(size=(1, seq_len, dim)).astype("float32")
# + rng.normal(size=(1, seq_len, dim))
# - for position in range(1, seq_len):
# + for t in range(1, seq_len):
# -         changed[:, position] = rng.normal(size=dim)
# -         moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
# -         if moved.max() > 1e-5:
# +         changed[:, t:] = rng.normal(size=(1, seq_len - t, dim))
# +         if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-9:


# %% mistake="leak-coarse" task="leak-test" misses="leak-size" of="solution"
# The threshold is too high for a weak leak.
# ko: 문턱값이 약한 누수를 찾기에는 너무 큽니다.
# - rng.normal(size=(1, seq_len, dim)).astype("float32")
# + rng.normal(size=(1, seq_len, dim))
# - for position in range(1, seq_len):
# + for t in range(1, seq_len):
# -         changed[:, position] = rng.normal(size=dim)
# -         moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
# -         if moved.max() > 1e-5:
# +         changed[:, t:] = rng.normal(size=(1, seq_len - t, dim))
# +         if not np.allclose(to_numpy(attend(changed))[:, :t], before[:, :t], atol=2e-3):


# %% mistake="leak-changes-the-first-feature" task="leak-test" misses="leak-one-place" of="solution"
# Only the first feature of an input is changed. A leak may come from any feature.
# ko: 입력의 첫 특징만 바꿉니다. 누수는 어느 특징에서든 생길 수 있습니다.
# - rng.normal(size=(1, seq_len, dim)).astype("float32")
# + rng.normal(size=(1, seq_len, dim))
# -         changed[:, position] = rng.normal(size=dim)
# -         moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
# -         if moved.max() > 1e-5:
# +         changed[:, position, 0] += 1.0
# +         if np.abs(to_numpy(attend(changed)) - before)[:, :position].max() > 1e-5:


# %% mistake="leak-compares-sums" task="leak-test" misses="leak-one-place" of="solution"
# The features are added up before they are compared. Changes of opposite signs cancel.
# ko: 특징을 더한 뒤에 비교합니다. 부호가 반대인 변화는 서로 지워집니다.
# - rng.normal(size=(1, seq_len, dim)).astype("float32")
# + rng.normal(size=(1, seq_len, dim))
# - to_numpy(attend(x))
# + to_numpy(attend(x)).sum(axis=-1)
# -         moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
# -         if moved.max() > 1e-5:
# +         if np.abs(to_numpy(attend(changed)).sum(axis=-1) - before)[:, :position].max() > 1e-5:
