# %% mistake="split-reshape-only" task="split-heads" misses="split-values" of="solution"
# A reshape never moves a number: reshaping straight to (batch, num_heads, seq_len, head_dim) gives the first head the first tokens instead
# of the first features. Cut up the features, then bring the heads to the front.
# ko: reshape는 수를 옮기지 않습니다. 곧바로 (batch, num_heads, seq_len, head_dim)으로 reshape하면 첫 헤드가 첫 특징들이 아니라 첫 토큰들을
# ko: 받습니다. 먼저 특징을 자르고, 그다음 헤드를 앞으로 옮기세요.
# -     x = keras.ops.reshape(x, (batch, seq_len, num_heads, d_model // num_heads))
# -     return keras.ops.transpose(x, (0, 2, 1, 3))
# +     x = keras.ops.reshape(x, (batch, num_heads, seq_len, d_model // num_heads))
# +     return x


# %% mistake="split-heads-left-behind" task="split-heads" misses="split-shape" of="solution"
# The features are cut up, but the heads still come after the tokens. Two axes have to change places.
# ko: 특징은 잘랐지만 헤드가 아직 토큰 뒤에 있습니다. 두 축의 자리를 바꾸어야 합니다.
# - keras.ops.transpose(x, (0, 2, 1, 3))
# + x


# %% mistake="split-interleaved" task="split-heads" misses="split-one-token" of="solution"
# Each head got every num_heads-th feature. The features of a head are neighbours: when you cut up the last axis, the heads come before
# head_dim.
# ko: 헤드마다 특징을 num_heads 간격으로 가져갔습니다. 한 헤드의 특징은 서로 이웃합니다. 마지막 축을 자를 때 헤드의 축이 head_dim보다 먼저 옵니다.
# - (batch, seq_len, num_heads, d_model // num_heads)
# + (batch, seq_len, d_model // num_heads, num_heads)
# - (0, 2, 1, 3)
# + (0, 3, 1, 2)


# %% mistake="split-unchecked" task="split-heads" misses="split-bad-heads" of="solution"
# Check that num_heads divides d_model and raise a ValueError that names both, with their values.
# ko: d_model이 num_heads로 나누어떨어지는지 확인하고, 아니면 둘의 이름과 값을 적은 ValueError를 일으키세요.
# -     if d_model % num_heads:
# -         raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")


# %% mistake="split-assertion" task="split-heads" misses="split-bad-heads" of="solution"
# An assert raises an AssertionError and disappears when Python runs optimised. Raise a ValueError for a bad argument.
# ko: assert는 AssertionError를 일으키고, 파이썬을 최적화 모드로 실행하면 사라집니다. 잘못된 인수에는 ValueError를 일으키세요.
# -     if d_model % num_heads:
# -         raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
# +     assert d_model % num_heads == 0, f"num_heads={num_heads} must divide d_model={d_model}"


# %% mistake="split-one-head-apart" task="split-heads" misses="split-values" of="solution"
# With a single head the axis of the heads stands behind the tokens. It comes second, as always.
# ko: 헤드가 하나일 때 헤드 축이 토큰 뒤에 있습니다. 그때도 둘째 축이어야 합니다.
# -         raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
# +         raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
# +     if num_heads == 1:
# +         return keras.ops.expand_dims(x, 2)


# %% mistake="split-silent-error" task="split-heads" misses="split-bad-heads" of="solution"
# The error should name num_heads and d_model and the values received, so that its reader knows what to change.
# ko: 오류 메시지에 num_heads와 d_model의 이름과 받은 값을 적으세요. 그래야 읽는 사람이 무엇을 고칠지 압니다.
# - ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
# + ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}.")


# %% mistake="merge-reshape-only" task="merge-heads" misses="merge-values" of="solution"
# A reshape never moves a number: the rows now hold neighbouring tokens of one head. Bring the heads back beside their features before you
# join them.
# ko: reshape는 수를 옮기지 않습니다. 지금은 한 행에 한 헤드의 이웃한 토큰들이 들어 있습니다. 이어 붙이기 전에 헤드를 자기 특징 옆으로 옮기세요.
# -     x = keras.ops.transpose(x, (0, 2, 1, 3))


# %% mistake="merge-squeezes" task="merge-heads" misses="merge-values" of="solution"
# `squeeze` without an axis also removes the batch when it holds a single sequence.
# ko: 축을 정하지 않은 `squeeze`는 시퀀스가 하나뿐이면 배치 축까지 없앱니다.
# -     batch, num_heads, seq_len, head_dim = keras.ops.shape(x)
# +     batch, num_heads, seq_len, head_dim = keras.ops.shape(x)
# +     if num_heads == 1:
# +         return keras.ops.squeeze(x)


# %% mistake="merge-interleaved" task="merge-heads" misses="merge-one-token" of="solution"
# The features of the heads alternate. Each head's features stay together: before joining, the heads' axis comes right before head_dim.
# ko: 헤드마다 특징이 하나씩 번갈아 놓였습니다. 한 헤드의 특징은 모여 있어야 합니다. 이어 붙이기 전에 헤드의 축이 head_dim 바로 앞에 와야 합니다.
# - (0, 2, 1, 3)
# + (0, 2, 3, 1)


# %% mistake="merge-not-joined" task="merge-heads" misses="merge-shape" of="solution"
# The heads stand beside their features again, but the two axes are still apart: join them into d_model.
# ko: 헤드가 다시 자기 특징 옆에 있지만 두 축이 아직 따로입니다. 둘을 이어 d_model로 만드세요.
# - keras.ops.reshape(x, (batch, seq_len, num_heads * head_dim))
# + x


# %% mistake="merge-heads-averaged" task="merge-heads" misses="merge-shape"
# The heads are put side by side, not averaged or added up: num_heads * head_dim features come out.
# ko: 헤드는 평균하거나 더하는 것이 아니라 나란히 놓습니다. 특징은 num_heads * head_dim개가 됩니다.
def merge_heads(x):
    batch, num_heads, seq_len, head_dim = keras.ops.shape(x)
    return keras.ops.mean(x, axis=1)


# %% mistake="scaled-by-d-model" task="multi-head" misses="multi-head-weights" of="plain"
# The scores are too small by the root of num_heads: a head's dot product has head_dim terms, so it is divided by the root of head_dim, not
# of d_model.
# ko: 점수가 제 크기의 1/√num_heads밖에 되지 않습니다. 한 헤드의 내적은 항이 head_dim개이므로, d_model이 아니라 head_dim의 제곱근으로 나눕니다.
# - query.shape[-1]
# + (num_heads * query.shape[-1])


# %% mistake="unscaled" task="multi-head" misses="multi-head-weights" of="plain"
# The scores are not divided by the root of head_dim.
# ko: 점수를 head_dim의 제곱근으로 나누지 않은 결과입니다.
# - ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
# + ops.matmul(query, ops.swapaxes(key, -1, -2))


# %% mistake="scaled-without-root" task="multi-head" misses="multi-head-weights" of="plain"
# The scores are divided by head_dim itself: take its square root.
# ko: 점수를 head_dim 자체로 나눈 결과입니다. 제곱근으로 나누세요.
# - query.shape[-1] ** 0.5
# + query.shape[-1]


# %% mistake="softmax-over-queries" task="multi-head" misses="multi-head-distribution" of="plain"
# The softmax runs over the queries. Each query shares out its weight over the keys, the last axis.
# ko: 소프트맥스를 쿼리 축으로 계산했습니다. 쿼리마다 가중치를 마지막 축인 키에 나누어 줍니다.
# - axis=-1
# + axis=-2


# %% mistake="softmax-over-heads" task="multi-head" misses="multi-head-distribution" of="plain"
# The softmax runs over the heads. Each head has its own weights, which sum to 1 over the keys.
# ko: 소프트맥스를 헤드 축으로 계산했습니다. 헤드마다 자기 가중치가 있고, 키를 따라 더하면 1입니다.
# - axis=-1
# + axis=1


# %% mistake="heads-by-reshape-only" task="multi-head" misses="multi-head-weights multi-head-output" of="plain"
# The heads were made by a reshape alone: queries and keys of different tokens are mixed. Cut up the features, then bring the heads to the
# front.
# ko: reshape만으로 헤드를 만들어서 서로 다른 토큰의 쿼리와 키가 섞였습니다. 먼저 특징을 자르고, 그다음 헤드를 앞으로 옮기세요.
# - ops.transpose(ops.reshape(x, (batch, seq_len, num_heads, width // num_heads)), (0, 2, 1, 3))
# + ops.reshape(x, (batch, num_heads, seq_len, width // num_heads))


# %% mistake="heads-as-queries" task="multi-head" misses="multi-head-shapes" of="plain"
# The heads were not brought to the front, so each token's heads attend to each other instead of to other tokens.
# ko: 헤드를 앞으로 옮기지 않아서, 한 토큰의 헤드들이 다른 토큰이 아니라 서로를 봅니다.
# - ops.transpose(ops.reshape(x, (batch, seq_len, num_heads, width // num_heads)), (0, 2, 1, 3))
# + ops.reshape(x, (batch, seq_len, num_heads, width // num_heads))


# %% mistake="output-merged-by-reshape" task="multi-head" misses="multi-head-output" of="plain"
# The heads were joined by a reshape alone: each output row mixes several queries. Bring the heads back beside their features first.
# ko: reshape만으로 헤드를 이어 붙여서 출력의 한 행에 여러 쿼리가 섞입니다. 먼저 헤드를 자기 특징 옆으로 옮기세요.
# - ops.transpose(attended, (0, 2, 1, 3))
# + attended
# - batch, query_len, _, head_value_dim
# + batch, _, query_len, head_value_dim


# %% mistake="value-width-of-the-query" task="multi-head" misses="multi-head-value-dim" of="plain"
# The values were cut up with the width of the queries' heads. Values may have a width of their own.
# ko: 값을 쿼리의 헤드 너비로 잘랐습니다. 값의 너비는 따로 정해질 수 있습니다.
# -     ops = keras.ops
# +     ops = keras.ops
# +     head_dim = query.shape[-1] // num_heads
# - batch, seq_len, width
# + batch, seq_len, _
# - width // num_heads
# + head_dim


# %% mistake="scaled-by-value-width" task="multi-head" misses="multi-head-value-dim" of="plain"
# The scores are divided by the root of the width of the values: it is the width of a head's queries and keys that counts.
# ko: 점수를 값의 너비의 제곱근으로 나누었습니다. 한 헤드의 쿼리와 키의 너비로 정해야 합니다.
# - query.shape
# + value.shape


# %% mistake="mask-too-weak" task="multi-head" misses="multi-head-mask-high-scores" of="plain"
# What is taken off the hidden scores is too little: a score may be in the hundreds itself. Take a huge number, or -inf instead of the
# score.
# ko: 가릴 점수에서 빼는 수가 너무 작습니다. 점수 자체가 수백일 수도 있습니다. 아주 큰 수를 빼거나, 점수 대신 -inf를 쓰세요.
# - 1e9 * ops.cast(mask, scores.dtype)
# + 100 * ops.cast(mask, scores.dtype)


# %% mistake="mask-inverted" task="multi-head" misses="multi-head-mask" of="plain"
# The mask works the wrong way round: in the lecture's convention 1 hides and 0 keeps.
# ko: 마스크가 거꾸로 작동합니다. 강의의 규칙에서 1은 가리고 0은 남깁니다.
# - ops.cast(mask, scores.dtype)
# + (1 - ops.cast(mask, scores.dtype))


# %% mistake="mask-ignored" task="multi-head" misses="multi-head-mask" of="plain"
# The mask has no effect on the weights.
# ko: 마스크가 가중치에 아무 효과도 내지 않습니다.
# -     if mask is not None:
# -         scores = scores - 1e9 * ops.cast(mask, scores.dtype)


# %% mistake="mask-after-softmax" task="multi-head" misses="multi-head-mask" of="plain"
# The hidden weights were set to 0 after the softmax, so the others no longer sum to 1. Hide the scores before it.
# ko: 소프트맥스 뒤에 가릴 가중치를 0으로 만들어서 나머지의 합이 1이 아니게 되었습니다. 소프트맥스 전에 점수를 가리세요.
# -     scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
# +     scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
# +     weights = ops.softmax(scores, axis=-1)
# -         scores = scores - 1e9 * ops.cast(mask, scores.dtype)
# -     weights = ops.softmax(scores, axis=-1)
# +         weights = weights * (1 - ops.cast(mask, weights.dtype))


# %% mistake="mask-given-a-head-axis" task="multi-head" misses="multi-head-mask" of="plain"
# An axis for the heads was put into every mask. A mask (query_len, key_len) broadcasts as it is, and padding masks come with that axis.
# ko: 모든 마스크에 헤드의 축을 끼워 넣었습니다. 마스크 (query_len, key_len)은 그대로 브로드캐스트되고, 패딩 마스크에는 그 축이 이미 있습니다.
# - ops.cast(mask, scores.dtype)
# + ops.cast(mask, scores.dtype)[:, None]


# %% mistake="mask-per-head-keeps-its-axes" task="multi-head" misses="multi-head-mask-broadcast"
# A mask (batch, 1, …, key_len) doesn't fit the scores (batch, query_len, key_len) of one head: its second axis has to go, or all heads are
# masked at once.
# ko: 마스크 (batch, 1, …, key_len)은 한 헤드의 점수 (batch, query_len, key_len)에 맞지 않습니다. 둘째 축을 없애거나 모든 헤드를 한꺼번에 가리세요.
def multi_head_attention(query, key, value, num_heads, mask=None):
    outputs, weights = [], []
    for q, k, v in zip(*(np.split(x, num_heads, axis=-1) for x in (query, key, value))):
        output, head_weights = scaled_dot_product_attention(q, k, v, mask)
        outputs.append(output)
        weights.append(head_weights)
    return np.concatenate(outputs, axis=-1), np.stack(weights, axis=1)


# %% mistake="mask-not-in-the-output" task="multi-head" misses="multi-head-mask" of="plain"
# The output was made from the weights before the mask.
# ko: 출력을 마스크를 쓰기 전의 가중치로 만들었습니다.
# -     scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
# +     scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
# +     free = ops.softmax(scores, axis=-1)
# - ops.matmul(weights, value)
# + ops.matmul(free, value)


# %% mistake="layer-scaled-by-d-model" task="multi-head-layer" misses="layer-scores" of="plain"
# The scores are too small by the root of num_heads: divide by the root of head_dim, not of d_model.
# ko: 점수가 제 크기의 1/√num_heads밖에 되지 않습니다. d_model이 아니라 head_dim의 제곱근으로 나누세요.
# - self.head_dim**0.5
# + self.d_model**0.5


# %% mistake="layer-unscaled" task="multi-head-layer" misses="layer-scores" of="plain"
# The scores are not divided by the root of head_dim.
# ko: 점수를 head_dim의 제곱근으로 나누지 않은 결과입니다.
# - ops.matmul(query, ops.swapaxes(key, -1, -2)) / self.head_dim**0.5
# + ops.matmul(query, ops.swapaxes(key, -1, -2))


# %% mistake="layer-softmax-over-queries" task="multi-head-layer" misses="layer-distribution" of="plain"
# The softmax runs over the queries: it belongs along the keys, the last axis.
# ko: 소프트맥스를 쿼리 축으로 계산했습니다. 마지막 축인 키 축으로 계산해야 합니다.
# - axis=-1
# + axis=-2


# %% mistake="layer-relu-projections" task="multi-head-layer" misses="layer-value-path layer-scores" of="plain"
# The projections have an activation. They are linear: Dense without activation.
# ko: 투영에 활성화 함수가 있습니다. 투영은 선형입니다. 활성화 함수 없는 Dense를 쓰세요.
# - self.query_dense = keras.layers.Dense(d_model)
# + self.query_dense = keras.layers.Dense(d_model, activation="relu")
# - self.key_dense = keras.layers.Dense(d_model)
# + self.key_dense = keras.layers.Dense(d_model, activation="relu")
# - self.value_dense = keras.layers.Dense(d_model)
# + self.value_dense = keras.layers.Dense(d_model, activation="relu")


# %% mistake="layer-no-output-projection" task="multi-head-layer" misses="layer-value-and-output" of="plain"
# The merged heads never go through output_dense.
# ko: 합친 헤드가 output_dense를 거치지 않습니다.
# - self.output_dense(merged)
# + merged


# %% mistake="layer-output-projection-lost" task="multi-head-layer" misses="layer-value-path" of="plain"
# output_dense is called, but what it returns is thrown away: the merged heads come back unprojected.
# ko: output_dense를 호출하지만 그 결과를 버립니다. 합친 헤드가 투영되지 않은 채 나옵니다.
# -         output = self.output_dense(merged)
# +         self.output_dense(merged)
# +         output = merged


# %% mistake="layer-without-biases" task="multi-head-layer" misses="layer-query-and-key layer-value-and-output" of="plain"
# The Dense layers have no bias. The paper leaves it out, Keras and this task don't.
# ko: Dense 계층에 편향이 없습니다. 논문에는 없지만 케라스와 이 과제에는 있습니다.
# - self.query_dense = keras.layers.Dense(d_model)
# + self.query_dense = keras.layers.Dense(d_model, use_bias=False)
# - self.key_dense = keras.layers.Dense(d_model)
# + self.key_dense = keras.layers.Dense(d_model, use_bias=False)
# - self.value_dense = keras.layers.Dense(d_model)
# + self.value_dense = keras.layers.Dense(d_model, use_bias=False)
# - self.output_dense = keras.layers.Dense(d_model)
# + self.output_dense = keras.layers.Dense(d_model, use_bias=False)


# %% mistake="layer-shared-projection" task="multi-head-layer" misses="layer-query-and-key layer-value-and-output" of="plain"
# Queries, keys and values go through one Dense layer. Each has its own weights, even when all three are the same input.
# ko: 쿼리, 키, 값이 Dense 계층 하나를 함께 지납니다. 셋이 같은 입력이라도 가중치는 따로 있어야 합니다.
# - self.key_dense(key)
# + self.query_dense(key)
# - self.value_dense(value)
# + self.query_dense(value)


# %% mistake="layer-shared-query-and-key" task="multi-head-layer" misses="layer-query-and-key" of="plain"
# Queries and keys go through the same Dense layer. Each has its own weights, even when both are the same input.
# ko: 쿼리와 키가 같은 Dense 계층을 지납니다. 둘이 같은 입력이라도 가중치는 따로 있어야 합니다.
# - self.key_dense(key)
# + self.query_dense(key)


# %% mistake="layer-shared-by-values" task="multi-head-layer" misses="layer-value-and-output" of="plain"
# The values go through the Dense layer of the keys or the queries. They have weights of their own, even when all are the same input.
# ko: 값이 키나 쿼리의 Dense 계층을 지납니다. 모두 같은 입력이라도 값에는 자기 가중치가 있어야 합니다.
# - self.value_dense(value)
# + self.key_dense(value)


# %% mistake="layer-inputs-of-one-width" task="multi-head-layer" misses="layer-query-and-key" of="plain"
# Each Dense layer was built for the width of the query: keys and values may be wider or narrower.
# ko: Dense 계층을 모두 쿼리의 너비로 빌드했습니다. 키와 값은 더 넓거나 좁을 수 있습니다.
# -         self.output_dense = keras.layers.Dense(d_model)
# +         self.output_dense = keras.layers.Dense(d_model)
# +
# +     def build(self, query_shape, *others):
# +         for dense in (self.query_dense, self.key_dense, self.value_dense):
# +             dense.build(query_shape)
# +         self.output_dense.build((*query_shape[:-1], self.d_model))


# %% mistake="layer-keras-argument-order" task="multi-head-layer" misses="layer-query-and-key layer-value-and-output" of="plain"
# Keras's own layer takes (query, value, key). This one takes (query, key, value).
# ko: 케라스의 계층은 (query, value, key)를 받지만 이 계층은 (query, key, value)를 받습니다.
# - def call(self, query, key, value, mask=None, return_attention_scores=False):
# + def call(self, query, value, key, mask=None, return_attention_scores=False):


# %% mistake="layer-values-from-keys" task="multi-head-layer" misses="layer-value-and-output" of="plain"
# value_dense projects the keys. In self-attention nobody notices.
# ko: value_dense가 키를 투영합니다. 셀프 어텐션에서는 드러나지 않는 실수입니다.
# -         query = self.split(self.query_dense(query))
# +         query = self.split(self.query_dense(query))
# +         value = self.split(self.value_dense(key))
# -         value = self.split(self.value_dense(value))


# %% mistake="layer-merged-by-reshape" task="multi-head-layer" misses="layer-output" of="plain"
# The heads were joined by a reshape alone: each output row mixes several queries.
# ko: reshape만으로 헤드를 이어 붙여서 출력의 한 행에 여러 쿼리가 섞입니다.
# - ops.transpose(attended, (0, 2, 1, 3))
# + attended
# - batch, query_len, _, _
# + batch, _, query_len, _


# %% mistake="layer-numpy-inside" task="multi-head-layer" misses="layer-trains" of="plain" backends="tensorflow"
# NumPy is on the way from the projections to the output. No gradient passes through it, so these projections never learn: use keras.ops
# or tf.* in the layer.
# ko: 투영에서 출력에 이르는 길에 NumPy가 있습니다. 기울기는 NumPy를 통과하지 못하므로 그 투영은 학습되지 않습니다. 계층 안에서는 keras.ops나
# ko: tf.*를 쓰세요.
# - ops.matmul(weights, value)
# + np.matmul(weights, value)


# %% mistake="layer-scores-in-numpy" task="multi-head-layer" misses="layer-trains" of="plain" backends="tensorflow"
# The scores or weights are computed with NumPy, or their gradient is stopped: then query_dense and key_dense never learn.
# ko: 점수나 가중치를 NumPy로 계산했거나 기울기를 멈추었습니다. 그러면 query_dense와 key_dense는 학습되지 않습니다.
# - ops.matmul(query, ops.swapaxes(key, -1, -2)) / self.head_dim**0.5
# + ops.convert_to_tensor(np.matmul(query, np.swapaxes(key, -1, -2)) / np.float32(self.head_dim**0.5))


# %% mistake="layer-drops-weights" task="multi-head-layer" misses="layer-trains" of="plain"
# In training something is dropped, such as attention weights. This layer has no dropout: the output is the same in training and outside it.
# ko: 학습할 때 어텐션 가중치 같은 것의 일부를 버립니다. 이 계층에는 드롭아웃이 없어서, 학습할 때도 학습이 아닐 때도 출력이 같습니다.
# -         self.output_dense = keras.layers.Dense(d_model)
# +         self.output_dense = keras.layers.Dense(d_model)
# +         self.dropout = keras.layers.Dropout(0.1)
# - ops.matmul(weights, value)
# + ops.matmul(self.dropout(weights), value)


# %% mistake="layer-mask-ignored" task="multi-head-layer" misses="layer-mask" of="plain"
# The mask has no effect on the scores.
# ko: 마스크가 점수에 아무 효과도 내지 않습니다.
# -         if mask is not None:
# -             scores = scores - 1e9 * ops.cast(mask, scores.dtype)


# %% mistake="layer-mask-with-scores-only" task="multi-head-layer" misses="layer-mask" of="plain"
# The mask is used only where the scores are asked for. It holds for the output of every call.
# ko: 점수를 요청할 때만 마스크를 씁니다. 마스크는 모든 호출의 출력에 적용해야 합니다.
# - if mask is not None:
# + if mask is not None and return_attention_scores:


# %% mistake="layer-mask-not-in-training" task="multi-head-layer" misses="layer-mask" of="plain"
# In training the mask is left out. It holds there too: a model that sees hidden keys learns to use them.
# ko: 학습할 때 마스크를 빼놓습니다. 마스크는 학습할 때도 적용해야 합니다. 가린 키가 보이면 모델은 그것을 쓰도록 배웁니다.
# - def call(self, query, key, value, mask=None, return_attention_scores=False):
# + def call(self, query, key, value, mask=None, return_attention_scores=False, training=None):
# - if mask is not None:
# + if mask is not None and not training:


# %% mistake="layer-mask-kept" task="multi-head-layer" misses="layer-mask" of="plain"
# The mask of a call is kept in the layer and used again where none is given.
# ko: 호출에서 받은 마스크를 계층에 두었다가, 마스크를 받지 않은 호출에도 씁니다.
# -         if mask is not None:
# +         if mask is not None:
# +             self.last = (mask,)
# +         mask = getattr(self, 'last', (mask,))[0]
# +         if mask is not None:


# %% mistake="layer-mask-inverted" task="multi-head-layer" misses="layer-mask" of="plain"
# The mask works the wrong way round: 1 hides and 0 keeps, unlike Keras's attention_mask.
# ko: 마스크가 거꾸로 작동합니다. 케라스의 attention_mask와 달리 1은 가리고 0은 남깁니다.
# - ops.cast(mask, scores.dtype)
# + (1 - ops.cast(mask, scores.dtype))


# %% mistake="layer-mask-too-weak" task="multi-head-layer" misses="layer-mask" of="plain"
# What is taken off the hidden scores is too little: a score may be in the hundreds itself. Take a huge number, or -inf instead of the
# score.
# ko: 가릴 점수에서 빼는 수가 너무 작습니다. 점수 자체가 수백일 수도 있습니다. 아주 큰 수를 빼거나, 점수 대신 -inf를 쓰세요.
# - 1e9 * ops.cast(mask, scores.dtype)
# + 100 * ops.cast(mask, scores.dtype)


# %% mistake="layer-scores-not-returned" task="multi-head-layer" misses="layer-distribution" of="plain"
# return_attention_scores=True asks for the pair (output, attention weights).
# ko: return_attention_scores=True이면 (출력, 어텐션 가중치)의 쌍을 돌려주어야 합니다.
# - (output, weights) if return_attention_scores else output
# + output


# %% mistake="layer-always-a-pair" task="multi-head-layer" misses="layer-output" of="plain"
# Without return_attention_scores the layer returns the output alone.
# ko: return_attention_scores가 없으면 계층은 출력만 돌려줍니다.
# - (output, weights) if return_attention_scores else output
# + output, weights


# %% mistake="layer-built-in" task="multi-head-layer" misses="layer-builds" of="plain"
# The attention inside is a ready-made op. This task asks for your own.
# ko: 안에서 이미 만들어진 어텐션 연산을 썼습니다. 이 과제에서는 어텐션을 직접 만듭니다.
# -         attended = ops.matmul(weights, value)
# +         tokens_first = [ops.transpose(x, (0, 2, 1, 3)) for x in (query, key, value)]
# +         attended = ops.transpose(ops.dot_product_attention(*tokens_first), (0, 2, 1, 3))


# %% mistake="layer-config-without-heads" task="multi-head-layer" misses="layer-config" of="plain"
# get_config leaves an argument of the constructor out: from_config has to know them all.
# ko: get_config에 생성자의 인수가 빠져 있습니다. from_config는 모든 인수를 알아야 합니다.
# - {"d_model": self.d_model, "num_heads": self.num_heads}
# + {"d_model": self.d_model}


# %% mistake="layer-config-of-another-layer" task="multi-head-layer" misses="layer-config" of="plain"
# get_config saves another number of heads than the layer has.
# ko: get_config가 저장하는 헤드 수가 계층의 헤드 수와 다릅니다.
# - {"d_model": self.d_model, "num_heads": self.num_heads}
# + {"d_model": self.d_model, "num_heads": 1}


# %% mistake="layer-unchecked" task="multi-head-layer" misses="layer-bad-heads" of="plain"
# Check in the constructor that num_heads divides d_model and raise a ValueError that names both.
# ko: 생성자에서 d_model이 num_heads로 나누어떨어지는지 확인하고, 아니면 둘의 이름을 적은 ValueError를 일으키세요.
# -         if d_model % num_heads:
# -             raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")


# %% mistake="layer-error-without-d-model" task="multi-head-layer" misses="layer-bad-heads" of="plain"
# The error doesn't name both: its reader needs num_heads and d_model, each with its value.
# ko: 오류 메시지에 두 이름이 다 있지는 않습니다. 읽는 사람이 알 수 있게 num_heads와 d_model의 이름과 값을 모두 적으세요.
# - f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}."
# + f"num_heads={num_heads} must divide {d_model}."


# %% mistake="mask-in-the-output-of-the-first-sequence-only" task="multi-head" misses="multi-head-mask" of="plain"
# In all sequences but the first, the output was made from the weights before the mask.
# ko: 첫 시퀀스를 뺀 모든 시퀀스의 출력을 마스크를 쓰기 전의 가중치로 만들었습니다.
# -     scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
# +     scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
# +     free = ops.softmax(scores, axis=-1)
# - ops.matmul(weights, value)
# + ops.matmul(ops.concatenate([weights[:1], free[1:]]), value)


# %% mistake="wide-mask-not-in-the-output" task="multi-head" misses="multi-head-mask-broadcast" of="plain"
# Under a mask of four axes the output was made from the weights before the mask.
# ko: 축이 넷인 마스크를 쓸 때 출력을 마스크를 쓰기 전의 가중치로 만들었습니다.
# -     scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
# +     scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
# +     free = ops.softmax(scores, axis=-1)
# - ops.matmul(weights, value)
# + ops.matmul(free if mask is not None and len(mask.shape) == 4 else weights, value)


# %% mistake="layer-mask-not-in-the-output" task="multi-head-layer" misses="layer-mask" of="plain"
# The scores that are returned know the mask, the output doesn't: it was made from the weights before the mask.
# ko: 돌려준 점수에는 마스크가 쓰였지만 출력에는 쓰이지 않았습니다. 출력을 마스크를 쓰기 전의 가중치로 만들었습니다.
# -         scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / self.head_dim**0.5
# +         scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / self.head_dim**0.5
# +         free = ops.softmax(scores, axis=-1)
# - ops.matmul(weights, value)
# + ops.matmul(free, value)


# %% mistake="count-without-biases" task="parameter-count" misses="count-defaults count-all-given" of="solution"
# The biases are missing: each of the four projections has one number per output feature.
# ko: 편향이 빠졌습니다. 네 투영 모두 출력 특징마다 수가 하나씩 더 있습니다.
# - 2 * (input_dim + 1) * num_heads * key_dim
# + 2 * (input_dim * num_heads * key_dim)
# - (input_dim + 1) * num_heads * value_dim
# + input_dim * num_heads * value_dim
# - (num_heads * value_dim + 1) * output_dim
# + num_heads * value_dim * output_dim


# %% mistake="count-without-heads" task="parameter-count" misses="count-input-kernels count-defaults count-all-given" of="solution"
# key_dim and value_dim are the width of one head: the projections are num_heads times as wide.
# ko: key_dim과 value_dim은 헤드 하나의 너비입니다. 투영의 너비는 그 num_heads배입니다.
# - 2 * (input_dim + 1) * num_heads * key_dim
# + 2 * (input_dim * key_dim + key_dim)
# - (input_dim + 1) * num_heads * value_dim
# + input_dim * value_dim + value_dim
# - (num_heads * value_dim + 1) * output_dim
# + value_dim * output_dim + output_dim


# %% mistake="count-without-output" task="parameter-count" misses="count-defaults count-all-given" of="plain"
# The output projection is missing: the heads are mixed by a fourth dense layer.
# ko: 출력 투영이 빠졌습니다. 넷째 Dense 계층이 헤드들을 섞습니다.
# - query_and_key + value + output
# + query_and_key + value


# %% mistake="count-value-dim-ignored" task="parameter-count" misses="count-input-kernels count-all-given" of="plain"
# value_dim is not used: values may be wider or narrower than keys.
# ko: value_dim이 쓰이지 않았습니다. 값은 키보다 넓거나 좁을 수 있습니다.
# - key_dim if value_dim is None else value_dim
# + key_dim


# %% mistake="count-output-dim-ignored" task="parameter-count" misses="count-input-kernels count-all-given" of="plain"
# output_dim is not used: it is the width of the output projection.
# ko: output_dim이 쓰이지 않았습니다. 출력 투영의 너비입니다.
# - input_dim if output_dim is None else output_dim
# + input_dim


# %% mistake="count-output-kernel-from-key-dim" task="parameter-count" misses="count-all-given" of="plain"
# What goes into the output projection are the values of all heads, not the keys.
# ko: 출력 투영에 들어가는 것은 키가 아니라 모든 헤드의 값입니다.
# - num_heads * value_dim * output_dim
# + num_heads * key_dim * output_dim


# %% mistake="count-output-defaults-to-heads" task="parameter-count" misses="count-defaults" of="plain"
# Left out, output_dim is input_dim, not num_heads * key_dim: Keras projects back to the width of its input.
# ko: output_dim을 생략하면 num_heads * key_dim이 아니라 input_dim입니다. 케라스는 입력의 너비로 다시 투영합니다.
# - input_dim if output_dim is None else output_dim
# + num_heads * key_dim if output_dim is None else output_dim


# %% mistake="count-not-added-up" task="parameter-count" misses="count-is-a-number" of="plain"
# The parts are there, but one number is asked for: add them up.
# ko: 부분은 다 있지만 필요한 것은 수 하나입니다. 모두 더하세요.
# - query_and_key + value + output
# + query_and_key, value, output


# %% mistake="parity-without-biases" task="keras-parity" misses="parity-whole" of="plain"
# The kernels are right, but the biases stayed behind.
# ko: 커널은 맞지만 편향이 복사되지 않았습니다.
# - bias.reshape(num_heads, head_dim)
# + np.zeros((num_heads, head_dim))
# -     copied += [kernel, bias]
# +     copied += [kernel, np.zeros_like(bias)]


# %% mistake="parity-interleaved" task="keras-parity" misses="parity-value-path parity-scores" of="plain"
# The columns were dealt to the heads in turn. A head's columns are neighbours, so num_heads comes before key_dim in the reshape.
# ko: 열을 헤드에 번갈아 나누어 주었습니다. 한 헤드의 열은 서로 이웃하므로 reshape에서 num_heads가 key_dim보다 먼저 옵니다.
# - kernel.reshape(-1, num_heads, head_dim)
# + kernel.reshape(-1, head_dim, num_heads).transpose(0, 2, 1)


# %% mistake="parity-output-transposed" task="keras-parity" misses="parity-value-path" of="plain"
# The output kernel was transposed. Its rows are the merged heads already: they only have to be spelled out.
# ko: 출력의 커널을 전치했습니다. 그 행은 이미 합친 헤드의 순서이므로 헤드의 축만 따로 펼치면 됩니다.
# - kernel.reshape(num_heads, head_dim, -1)
# + kernel.T.reshape(num_heads, head_dim, -1)


# %% mistake="parity-query-key-swapped" task="keras-parity" misses="parity-scores" of="plain"
# Query and key weights changed places.
# ko: 쿼리와 키의 가중치가 서로 바뀌었습니다.
# - (layer.query_dense, layer.key_dense, layer.value_dense)
# + (layer.key_dense, layer.query_dense, layer.value_dense)


# %% mistake="parity-keras-call-order" task="keras-parity" misses="parity-value-path parity-scores" of="plain"
# Keras's layer is called with (query, value, key), but it keeps its weights in the order query, key, value, output.
# ko: 케라스의 계층은 (query, value, key)로 호출하지만 가중치는 쿼리, 키, 값, 출력 순서로 들어 있습니다.
# - (layer.query_dense, layer.key_dense, layer.value_dense)
# + (layer.query_dense, layer.value_dense, layer.key_dense)


# %% mistake="parity-not-reshaped" task="keras-parity" misses="parity-runs" of="plain"
# Keras keeps each kernel with its heads spelled out: (input, num_heads, key_dim). Reshape before you set it.
# ko: 케라스는 커널을 헤드의 축을 펼친 (input, num_heads, key_dim)으로 둡니다. 넣기 전에 reshape하세요.
# -         kernel = kernel.reshape(-1, num_heads, head_dim)
# -         bias = bias.reshape(num_heads, head_dim)


# %% mistake="parity-copied-backwards" task="keras-parity" misses="parity-runs" of="plain"
# The weights went from Keras's layer into yours: copy from your layer, not into it.
# ko: 가중치가 케라스의 계층에서 여러분의 계층으로 갔습니다. 여러분의 계층에 복사하지 말고 거기서 복사해 오세요.
# - keras_layer.set_weights(copied)
# + layer.set_weights([w.reshape(v.shape) for w, v in zip(keras_layer.get_weights(), layer.get_weights())])


# %% mistake="parity-layer-changed" task="keras-parity" misses="parity-whole" of="plain"
# Copy from your layer, not into it: its weights should stay as they are.
# ko: 여러분의 계층에 복사하지 말고 거기서 복사해 오세요. 여러분의 계층의 가중치는 그대로여야 합니다.
# -     keras_layer.set_weights(copied)
# +     keras_layer.set_weights(copied)
# +     layer.set_weights([0 * weight for weight in layer.get_weights()])


# %% mistake="parity-not-by-weights" task="keras-parity" misses="parity-whole"
# Keras's layer was made to call yours. Its own weights have to change, so that it computes the same by itself.
# ko: 케라스 계층이 여러분의 계층을 부르게 했습니다. 케라스 계층이 스스로 같은 것을 계산하도록 그 가중치를 바꾸어야 합니다.
def copy_weights_to_keras(layer, keras_layer):
    class Twin(type(keras_layer)):
        def __call__(self, query, value, key=None, return_attention_scores=False):
            return layer(query, key, value, return_attention_scores=return_attention_scores)

    keras_layer.__class__ = Twin
