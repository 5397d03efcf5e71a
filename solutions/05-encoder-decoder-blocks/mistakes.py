# %% mistake="norm-over-tokens" task="layer-norm" misses="norm-values" of="plain"
# Mean and variance were taken over the tokens of a sequence. Each token is normalised over its own features: the last axis.
# ko: 평균과 분산을 한 시퀀스의 토큰들에 걸쳐 구했습니다. 토큰마다 자기 특징들, 곧 마지막 축으로 정규화하세요.
# - np.mean(x, axis=-1, keepdims=True)
# + np.mean(x, axis=-2, keepdims=True)
# - np.var(x, axis=-1, keepdims=True)
# + np.var(x, axis=-2, keepdims=True)


# %% mistake="norm-over-batch" task="layer-norm" misses="norm-values" of="plain"
# Mean and variance were taken over the batch: that is batch normalisation. Each token is normalised over its own features.
# ko: 평균과 분산을 배치에 걸쳐 구했습니다. 그것은 배치 정규화(batch normalisation)입니다. 토큰마다 자기 특징들로 정규화하세요.
# - np.mean(x, axis=-1, keepdims=True)
# + np.mean(x, axis=0, keepdims=True)
# - np.var(x, axis=-1, keepdims=True)
# + np.var(x, axis=0, keepdims=True)


# %% mistake="norm-over-everything" task="layer-norm" misses="norm-values" of="plain"
# One mean and one variance were taken for the whole array. Each token has its own: axis=-1, keepdims=True.
# ko: 배열 전체에서 평균 하나와 분산 하나를 구했습니다. 토큰마다 따로 구해야 합니다: axis=-1, keepdims=True.
# - np.mean(x, axis=-1, keepdims=True)
# + np.mean(x)
# - np.var(x, axis=-1, keepdims=True)
# + np.var(x)


# %% mistake="norm-over-sequence" task="layer-norm" misses="norm-values" of="plain"
# Mean and variance were taken over all tokens of a sequence together. Each token has its own.
# ko: 평균과 분산을 한 시퀀스의 모든 토큰에서 한꺼번에 구했습니다. 토큰마다 따로 구해야 합니다.
# - np.mean(x, axis=-1, keepdims=True)
# + np.mean(x, axis=(1, 2), keepdims=True)
# - np.var(x, axis=-1, keepdims=True)
# + np.var(x, axis=(1, 2), keepdims=True)


# %% mistake="norm-sample-variance" task="layer-norm" misses="norm-values" of="plain"
# The variance was divided by d - 1, as for a sample. Layer normalisation divides by d. (`torch.std` and `ddof=1` divide by d - 1.)
# ko: 분산을 구할 때 표본분산처럼 d - 1로 나누었습니다. 계층 정규화는 d로 나눕니다. (`torch.std`와 `ddof=1`은 d - 1로 나눕니다.)
# - np.var(x, axis=-1, keepdims=True)
# + np.var(x, axis=-1, ddof=1, keepdims=True)


# %% mistake="norm-without-root" task="layer-norm" misses="norm-values" of="plain"
# It was divided by the variance. Divide by its square root.
# ko: 분산으로 나누었습니다. 분산의 제곱근으로 나누세요.
# - np.sqrt(variance + epsilon)
# + (variance + epsilon)


# %% mistake="norm-not-centred" task="layer-norm" misses="norm-values" of="plain"
# The mean is not taken off.
# ko: 평균을 빼지 않았습니다.
# - (x - mean) / np.sqrt(variance + epsilon)
# + x / np.sqrt(variance + epsilon)


# %% mistake="norm-root-mean-square" task="layer-norm" misses="norm-values" of="plain"
# That is the root-mean-square normalisation of later models. Here the mean is taken off first.
# ko: 뒤에 나온 모델들이 쓰는 RMS 정규화(root-mean-square normalisation)입니다. 여기서는 먼저 평균을 뺍니다.
# - np.var(x, axis=-1, keepdims=True)
# + np.mean(np.square(x), axis=-1, keepdims=True)
# - (x - mean) / np.sqrt(variance + epsilon)
# + x / np.sqrt(variance + epsilon)


# %% mistake="norm-only-centred" task="layer-norm" misses="norm-values" of="plain"
# The mean is taken off, but nothing is divided by the standard deviation.
# ko: 평균은 뺐지만 표준편차로 나누지 않았습니다.
# - (x - mean) / np.sqrt(variance + epsilon)
# + (x - mean)


# %% mistake="norm-absolute-deviation" task="layer-norm" misses="norm-values" of="plain"
# It was divided by the mean absolute deviation. The variance is the mean of the squares.
# ko: 평균절대편차로 나누었습니다. 분산은 편차 제곱의 평균입니다.
# - np.var(x, axis=-1, keepdims=True)
# + np.mean(np.abs(x - mean), axis=-1, keepdims=True)
# - np.sqrt(variance + epsilon)
# + (variance + epsilon)


# %% mistake="norm-epsilon-outside" task="layer-norm" misses="norm-epsilon" of="plain"
# Epsilon was added to the standard deviation. It belongs under the root, added to the variance.
# ko: epsilon을 표준편차에 더했습니다. 제곱근 안에서 분산에 더해야 합니다.
# - np.sqrt(variance + epsilon)
# + (np.sqrt(variance) + epsilon)


# %% mistake="norm-epsilon-ignored" task="layer-norm" misses="norm-epsilon" of="plain"
# The argument epsilon has no effect.
# ko: 인수 epsilon이 쓰이지 않았습니다.
# - variance + epsilon
# + variance + 1e-6


# %% mistake="norm-epsilon-squared" task="layer-norm" misses="norm-epsilon" of="plain"
# Epsilon was squared before it was added to the variance.
# ko: epsilon을 제곱해서 분산에 더했습니다.
# - variance + epsilon
# + variance + epsilon**2


# %% mistake="norm-epsilon-default" task="layer-norm" misses="norm-epsilon" of="plain"
# The default of epsilon is 1e-6. 1e-3 is that of keras.layers.LayerNormalization.
# ko: epsilon의 기본값은 1e-6입니다. 1e-3은 keras.layers.LayerNormalization의 기본값입니다.
# - def layer_norm(x, gamma, beta, epsilon=1e-6):
# + def layer_norm(x, gamma, beta, epsilon=1e-3):


# %% mistake="norm-no-epsilon" task="layer-norm" misses="norm-epsilon norm-constant-token" of="plain"
# Without epsilon a token whose features are all equal is 0 / 0.
# ko: epsilon이 없으면 특징이 모두 같은 토큰은 0 / 0이 됩니다.
# - variance + epsilon
# + variance


# %% mistake="norm-gamma-ignored" task="layer-norm" misses="norm-gamma-beta norm-leading-dimensions" of="plain"
# gamma has no effect: it scales each feature.
# ko: gamma가 쓰이지 않았습니다. gamma는 특징마다 곱하는 수입니다.
# - gamma * normalised
# + normalised


# %% mistake="norm-beta-ignored" task="layer-norm" misses="norm-gamma-beta norm-constant-token norm-leading-dimensions" of="plain"
# beta has no effect: it is added at the end.
# ko: beta가 쓰이지 않았습니다. beta는 끝에 더하는 수입니다.
# - gamma * normalised + beta
# + gamma * normalised


# %% mistake="norm-both-ignored" task="layer-norm" misses="norm-gamma-beta norm-constant-token norm-leading-dimensions" of="plain"
# gamma and beta have no effect.
# ko: gamma와 beta가 쓰이지 않았습니다.
# - gamma * normalised + beta
# + normalised


# %% mistake="norm-shifted-first" task="layer-norm" misses="norm-gamma-beta norm-constant-token norm-leading-dimensions" of="plain"
# beta was added before gamma scaled the sum. Scale first, then shift.
# ko: gamma를 곱하기 전에 beta를 더했습니다. 먼저 곱하고 나서 더하세요.
# - gamma * normalised + beta
# + gamma * (normalised + beta)


# %% mistake="norm-roles-swapped" task="layer-norm" misses="norm-values norm-gamma-beta norm-constant-token" of="plain"
# gamma and beta have each other's role: gamma scales, beta shifts.
# ko: gamma와 beta의 역할이 서로 바뀌었습니다. gamma는 곱하고 beta는 더합니다.
# - gamma * normalised + beta
# + beta * normalised + gamma


# %% mistake="norm-three-axes-only" task="layer-norm" misses="norm-leading-dimensions" of="plain"
# It works for (batch, seq_len, features) only. Any leading dimensions are allowed.
# ko: (batch, seq_len, features)일 때만 작동합니다. 앞의 차원은 어떤 것이든 받을 수 있어야 합니다.
# - def layer_norm(x, gamma, beta, epsilon=1e-6):
# + def layer_norm(x, gamma, beta, epsilon=1e-6):
# +     batch, seq_len, features = np.shape(x)


# %% mistake="norm-first-token" task="layer-norm" misses="norm-shape" of="plain"
# Only one token comes back: is an axis lost on the way?
# ko: 토큰이 하나만 나옵니다. 중간에 축이 사라지지 않았나요?
# - gamma * normalised + beta
# + (gamma * normalised + beta)[:, 0]


# %% mistake="norm-constant-token-spoils-all" task="layer-norm" misses="norm-constant-token" of="plain"
# One token whose features are all equal makes every token beta. Only that one is.
# ko: 특징이 모두 같은 토큰이 하나 있으면 모든 토큰이 beta가 됩니다. 그 토큰만 beta여야 합니다.
# - (x - mean) / np.sqrt(variance + epsilon)
# + (x - mean) * float(np.min(variance) > 0) / np.sqrt(variance + epsilon)


# %% mistake="ff-swapped-widths" task="feed-forward" misses="ff-builds" of="plain"
# ff_dim and d_model have changed places: the output should be as wide as d_model.
# ko: ff_dim과 d_model의 자리가 바뀌었습니다. 출력의 너비는 d_model이어야 합니다.
# - keras.layers.Dense(ff_dim, activation="relu")
# + keras.layers.Dense(d_model, activation="relu")
# - keras.layers.Dense(d_model)
# + keras.layers.Dense(ff_dim)


# %% mistake="ff-without-biases" task="feed-forward" misses="ff-weights" of="plain"
# The dense layers have no biases.
# ko: 완전 연결 계층에 편향이 없습니다.
# - activation="relu"
# + activation="relu", use_bias=False
# - keras.layers.Dense(d_model)
# + keras.layers.Dense(d_model, use_bias=False)


# %% mistake="ff-with-norm" task="feed-forward" misses="ff-weights ff-values ff-dropout-place" of="plain"
# There is a layer normalisation in the feed-forward network. It belongs to the block.
# ko: 피드포워드 신경망 안에 계층 정규화가 있습니다. 정규화는 블록이 맡습니다.
# -         self.outer = keras.layers.Dense(d_model)
# +         self.outer = keras.layers.Dense(d_model)
# +         self.norm = keras.layers.LayerNormalization(epsilon=1e-6)
# - self.inner(x)
# + self.inner(self.norm(x))


# %% mistake="ff-no-relu" task="feed-forward" misses="ff-values" of="plain"
# There is no ReLU between the two dense layers: together they are then one dense layer.
# ko: 두 완전 연결 계층 사이에 ReLU가 없습니다. 그러면 둘을 합쳐도 완전 연결 계층 하나와 같습니다.
# - keras.layers.Dense(ff_dim, activation="relu")
# + keras.layers.Dense(ff_dim)


# %% mistake="ff-relu-last" task="feed-forward" misses="ff-values" of="plain"
# The ReLU comes after the second dense layer. It stands between the two.
# ko: ReLU가 둘째 완전 연결 계층 뒤에 있습니다. 두 계층 사이에 있어야 합니다.
# - keras.layers.Dense(ff_dim, activation="relu")
# + keras.layers.Dense(ff_dim)
# - keras.layers.Dense(d_model)
# + keras.layers.Dense(d_model, activation="relu")


# %% mistake="ff-two-relus" task="feed-forward" misses="ff-values" of="plain"
# Both dense layers have a ReLU. The second has no activation: its result may be negative.
# ko: 두 완전 연결 계층에 모두 ReLU가 있습니다. 둘째 계층에는 활성화 함수가 없습니다. 결과가 음수여도 됩니다.
# - keras.layers.Dense(d_model)
# + keras.layers.Dense(d_model, activation="relu")


# %% mistake="ff-gelu" task="feed-forward" misses="ff-values" of="plain"
# The activation is GELU, as in later models. Here it is ReLU.
# ko: 활성화 함수가 뒤에 나온 모델들이 쓰는 GELU입니다. 여기서는 ReLU입니다.
# - activation="relu"
# + activation="gelu"


# %% mistake="ff-gelu-tanh" task="feed-forward" misses="ff-values" of="plain"
# The activation is GELU, as in later models. Here it is ReLU.
# ko: 활성화 함수가 뒤에 나온 모델들이 쓰는 GELU입니다. 여기서는 ReLU입니다.
# - activation="relu"
# + activation=lambda x: keras.activations.gelu(x, approximate=True)


# %% mistake="ff-sigmoid" task="feed-forward" misses="ff-values" of="plain"
# The activation is a sigmoid. Here it is ReLU.
# ko: 활성화 함수가 시그모이드입니다. 여기서는 ReLU입니다.
# - activation="relu"
# + activation="sigmoid"


# %% mistake="ff-tanh" task="feed-forward" misses="ff-values" of="plain"
# The activation is tanh. Here it is ReLU.
# ko: 활성화 함수가 tanh입니다. 여기서는 ReLU입니다.
# - activation="relu"
# + activation="tanh"


# %% mistake="ff-relu-before" task="feed-forward" misses="ff-values" of="plain"
# The ReLU is applied to the input. It stands between the two dense layers.
# ko: ReLU를 입력에 적용했습니다. 두 완전 연결 계층 사이에 있어야 합니다.
# - keras.layers.Dense(ff_dim, activation="relu")
# + keras.layers.Dense(ff_dim)
# - self.inner(x)
# + self.inner(keras.ops.relu(x))


# %% mistake="ff-residual" task="feed-forward" misses="ff-values ff-dropout-place" of="plain"
# The input is added to the output. The residual connection belongs to the block, not to the feed-forward network.
# ko: 출력에 입력을 더했습니다. 잔차 연결은 피드포워드 신경망이 아니라 블록이 맡습니다.
# - self.outer(hidden)
# + x + self.outer(hidden)


# %% mistake="ff-never-drops" task="feed-forward" misses="ff-dropout-inference" of="plain"
# There is no dropout in training.
# ko: 학습할 때 드롭아웃이 없습니다.
# -         hidden = self.dropout(hidden)


# %% mistake="ff-always-drops" task="feed-forward" misses="ff-dropout-inference" of="plain"
# Something is dropped outside training too. Leave it to Keras: don't pass training=True to the dropout yourself.
# ko: 학습이 아닐 때도 드롭아웃이 작동합니다. 케라스에 맡기세요. 드롭아웃에 training=True를 직접 넘기지 마세요.
# - self.dropout(hidden)
# + self.dropout(hidden, training=True)


# %% mistake="ff-drops-output" task="feed-forward" misses="ff-dropout-place" of="plain"
# The dropout comes after the second dense layer. Here it stands between the two.
# ko: 드롭아웃이 둘째 완전 연결 계층 뒤에 있습니다. 여기서는 두 계층 사이에 있어야 합니다.
# -         hidden = self.dropout(hidden)
# -         return self.outer(hidden)
# +         return self.dropout(self.outer(hidden))


# %% mistake="ff-drops-input" task="feed-forward" misses="ff-dropout-place" of="plain"
# The dropout comes before the first dense layer. Here it stands between the two.
# ko: 드롭아웃이 첫째 완전 연결 계층 앞에 있습니다. 여기서는 두 계층 사이에 있어야 합니다.
# -         hidden = self.inner(x)
# -         hidden = self.dropout(hidden)
# +         hidden = self.inner(self.dropout(x))


# %% mistake="ff-rate-fixed" task="feed-forward" misses="ff-dropout-place" of="plain"
# The rate is always 0.1, whatever is given.
# ko: 어떤 비율을 주든 늘 0.1입니다.
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(0.1)


# %% mistake="ff-rate-as-keep" task="feed-forward" misses="ff-dropout-place" of="plain"
# The rate is the share that is dropped, not the share that is kept.
# ko: 비율은 남기는 비율이 아니라 0으로 만드는 비율입니다.
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(1 - dropout if dropout else 0.0)


# %% mistake="ff-not-rescaled" task="feed-forward" misses="ff-dropout-place" of="plain"
# What is kept in training should be divided by 1 - dropout: keras.layers.Dropout does that.
# ko: 학습할 때 남은 값은 1 - dropout으로 나누어야 합니다. keras.layers.Dropout이 그렇게 합니다.
# - self.dropout(hidden)
# + hidden * keras.ops.cast(self.dropout(keras.ops.ones_like(hidden)) > 0, hidden.dtype)


# %% mistake="ff-no-config" task="feed-forward" misses="ff-config" of="plain"
# get_config has to return the constructor's arguments, under their own names.
# ko: get_config는 생성자의 인수를 제 이름으로 모두 돌려주어야 합니다.
# -         config.update({"ff_dim": self.ff_dim, "d_model": self.d_model, "dropout": self.rate})


# %% mistake="ff-config-without-dropout" task="feed-forward" misses="ff-config" of="plain"
# get_config doesn't hold the rate that was given, so the copy has another one.
# ko: get_config에 받은 드롭아웃 비율이 들어 있지 않아서 복사본의 비율이 달라집니다.
# - {"ff_dim": self.ff_dim, "d_model": self.d_model, "dropout": self.rate}
# + {"ff_dim": self.ff_dim, "d_model": self.d_model}


# %% mistake="ff-relu6" task="feed-forward" misses="ff-values" of="plain"
# The activation is ReLU6, which cuts everything above 6 off. A ReLU has no upper end.
# ko: 활성화 함수가 6보다 큰 값을 잘라 내는 ReLU6입니다. ReLU에는 위쪽 한계가 없습니다.
# - activation="relu"
# + activation="relu6"


# %% mistake="ff-same-units-dropped" task="feed-forward" misses="ff-dropout-place" of="plain"
# A fixed seed drops the same hidden units in every call. Use a SeedGenerator, or keras.layers.Dropout.
# ko: 시드를 고정하면 호출마다 같은 은닉 유닛에 드롭아웃이 적용됩니다. SeedGenerator나 keras.layers.Dropout을 쓰세요.
# - def call(self, x):
# + def call(self, x, training=None):
# - self.dropout(hidden)
# + keras.random.dropout(hidden, self.rate, seed=42) if training else hidden


# %% mistake="ff-drops-for-all-tokens" task="feed-forward" misses="ff-dropout-place" of="plain"
# SpatialDropout1D drops a hidden unit for all tokens of a sequence at once. Each token has a draw of its own.
# ko: SpatialDropout1D는 은닉 유닛 하나를 시퀀스의 모든 토큰에서 한꺼번에 0으로 만듭니다. 토큰마다 따로 정해야 합니다.
# - keras.layers.Dropout
# + keras.layers.SpatialDropout1D


# %% mistake="ff-zero-rate-replaced" task="feed-forward" misses="ff-dropout-place" of="plain"
# `dropout or 0.1` makes 0.1 of a rate of 0, for 0 counts as false.
# ko: 0은 거짓으로 취급되므로 `dropout or 0.1`은 비율 0을 0.1로 바꿉니다.
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(dropout or 0.1)


# %% mistake="ff-other-default-rate" task="feed-forward" misses="ff-dropout-place" of="plain"
# The default of `dropout` is another than 0.1.
# ko: `dropout`의 기본값이 0.1이 아닙니다.
# - def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
# + def __init__(self, ff_dim, d_model, dropout=0.5, **kwargs):


# %% mistake="ff-drops-whole-tokens" task="feed-forward" misses="ff-dropout-place" of="plain"
# `noise_shape` makes one decision for all hidden units of a token. Leave it out.
# ko: `noise_shape` 때문에 한 토큰의 모든 은닉 유닛이 함께 결정됩니다. 빼세요.
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(dropout, noise_shape=(None, None, 1))


# %% mistake="ff-arguments-swapped" task="feed-forward" misses="ff-weights" of="plain"
# The constructor takes `d_model` before `ff_dim`. `ff_dim` comes first.
# ko: 생성자가 `d_model`을 `ff_dim`보다 먼저 받습니다. `ff_dim`이 먼저입니다.
# - def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
# + def __init__(self, d_model, ff_dim, dropout=0.1, **kwargs):


# %% mistake="encoder-one-norm" task="encoder-block" misses="encoder-weights" of="plain"
# One normalisation is used in several places. Each has a gamma and a beta of its own.
# ko: 정규화 하나를 여러 곳에 썼습니다. 곳마다 자기 gamma와 beta가 있는 정규화를 쓰세요.
# -         self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)

# - self.norm2(x)
# + self.norm1(x)
# - self.norm2(x + f)
# + self.norm1(x + f)


# %% mistake="decoder-one-norm" task="decoder-block" misses="decoder-weights" of="plain"
# One normalisation is used in several places. Each has a gamma and a beta of its own.
# ko: 정규화 하나를 여러 곳에 썼습니다. 곳마다 자기 gamma와 beta가 있는 정규화를 쓰세요.
# -         self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
# -         self.norm3 = keras.layers.LayerNormalization(epsilon=1e-6)

# - self.norm2(x)
# + self.norm1(x)
# - self.norm3(x)
# + self.norm1(x)
# - self.norm2(x + c)
# + self.norm1(x + c)
# - self.norm3(x + f)
# + self.norm1(x + f)


# %% mistake="encoder-a-norm-too-many" task="encoder-block" misses="encoder-weights encoder-one-token encoder-values" of="plain"
# There is one normalisation too many: with pre-norm the last one belongs to the model, not to the block.
# ko: 정규화가 하나 많습니다. 사전 정규화에서 마지막 정규화는 블록이 아니라 모델이 맡습니다.
# -         self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
# +         self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
# +         self.last_norm = keras.layers.LayerNormalization(epsilon=1e-6)
# - return x + f
# + return self.last_norm(x + f)


# %% mistake="decoder-a-norm-too-many" task="decoder-block" misses="decoder-weights decoder-one-token decoder-values" of="plain"
# There is one normalisation too many: with pre-norm the last one belongs to the model, not to the block.
# ko: 정규화가 하나 많습니다. 사전 정규화에서 마지막 정규화는 블록이 아니라 모델이 맡습니다.
# -         self.norm3 = keras.layers.LayerNormalization(epsilon=1e-6)
# +         self.norm3 = keras.layers.LayerNormalization(epsilon=1e-6)
# +         self.last_norm = keras.layers.LayerNormalization(epsilon=1e-6)
# - return x + f
# + return self.last_norm(x + f)


# %% mistake="encoder-key-dim-too-wide" task="encoder-block" misses="encoder-weights" of="plain"
# key_dim is the width of one head: d_model // num_heads.
# ko: key_dim은 헤드 하나의 너비입니다: d_model // num_heads.
# - d_model // num_heads
# + d_model


# %% mistake="decoder-key-dim-too-wide" task="decoder-block" misses="decoder-weights" of="plain"
# key_dim is the width of one head: d_model // num_heads.
# ko: key_dim은 헤드 하나의 너비입니다: d_model // num_heads.
# - self.self_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
# + self.self_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model)
# - self.cross_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
# + self.cross_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model)


# %% mistake="encoder-head-dim-of-1" task="encoder-block" misses="encoder-weights" of="plain"
# key_dim is the width of one head: d_model // num_heads.
# ko: key_dim은 헤드 하나의 너비입니다: d_model // num_heads.
# - d_model // num_heads
# + 1


# %% mistake="decoder-head-dim-of-1" task="decoder-block" misses="decoder-weights" of="plain"
# key_dim is the width of one head: d_model // num_heads.
# ko: key_dim은 헤드 하나의 너비입니다: d_model // num_heads.
# - self.self_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
# + self.self_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=1)
# - self.cross_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
# + self.cross_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=1)


# %% mistake="encoder-attention-without-biases" task="encoder-block" misses="encoder-weights" of="plain"
# The attention's projections have no biases.
# ko: 어텐션의 투영에 편향이 없습니다.
# - d_model // num_heads
# + d_model // num_heads, use_bias=False


# %% mistake="decoder-attention-without-biases" task="decoder-block" misses="decoder-weights" of="plain"
# The attention's projections have no biases.
# ko: 어텐션의 투영에 편향이 없습니다.
# - self.self_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
# + self.self_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads, use_bias=False)
# - self.cross_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
# + self.cross_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads, use_bias=False)


# %% mistake="encoder-no-feed-forward" task="encoder-block" misses="encoder-weights encoder-one-token encoder-values encoder-post-norm" of="plain"
# The block has no feed-forward network.
# ko: 블록에 피드포워드 신경망이 없습니다.
# -             y = self.norm2(x)
# -             f = self.dropout2(self.feed_forward(y))
# -             return x + f
# +             return self.norm2(x)
# -         f = self.dropout2(self.feed_forward(x))
# -         return self.norm2(x + f)
# +         return self.norm2(x)


# %% mistake="decoder-no-feed-forward" task="decoder-block" misses="decoder-weights decoder-one-token decoder-values decoder-post-norm" of="plain"
# The block has no feed-forward network.
# ko: 블록에 피드포워드 신경망이 없습니다.
# -             y = self.norm3(x)
# -             f = self.dropout3(self.feed_forward(y))
# -             return x + f
# +             return self.norm3(x)
# -         f = self.dropout3(self.feed_forward(x))
# -         return self.norm3(x + f)
# +         return self.norm3(x)


# %% mistake="encoder-no-residual" task="encoder-block" misses="encoder-one-token encoder-values encoder-post-norm" of="plain"
# What comes in is not added to what a sublayer computes: the residual connections are missing.
# ko: 하위 계층의 출력에 그 입력을 더하지 않았습니다. 잔차 연결이 빠졌습니다.
# - x = x + a
# + x = a
# - return x + f
# + return f
# - self.norm1(x + a)
# + self.norm1(a)
# - self.norm2(x + f)
# + self.norm2(f)


# %% mistake="decoder-no-residual" task="decoder-block" misses="decoder-one-token decoder-values decoder-post-norm" of="plain"
# What comes in is not added to what a sublayer computes: the residual connections are missing.
# ko: 하위 계층의 출력에 그 입력을 더하지 않았습니다. 잔차 연결이 빠졌습니다.
# - x = x + a
# + x = a
# - x = x + c
# + x = c
# - return x + f
# + return f
# - self.norm1(x + a)
# + self.norm1(a)
# - self.norm2(x + c)
# + self.norm2(c)
# - self.norm3(x + f)
# + self.norm3(f)


# %% mistake="encoder-no-feed-forward-residual" task="encoder-block" misses="encoder-one-token encoder-values" of="plain"
# The feed-forward network has no residual connection: add what came in before the normalisation.
# ko: 피드포워드 신경망에 잔차 연결이 없습니다. 정규화하기 전의 입력을 더하세요.
# - return x + f
# + return f


# %% mistake="decoder-no-feed-forward-residual" task="decoder-block" misses="decoder-one-token decoder-values" of="plain"
# The feed-forward network has no residual connection: add what came in before the normalisation.
# ko: 피드포워드 신경망에 잔차 연결이 없습니다. 정규화하기 전의 입력을 더하세요.
# - return x + f
# + return f


# %% mistake="encoder-residual-of-the-norm" task="encoder-block" misses="encoder-one-token encoder-values" of="plain"
# The residual is what came in before the normalisation, not after it.
# ko: 잔차는 정규화한 뒤의 값이 아니라 정규화하기 전의 입력입니다.
# - x = x + a
# + x = y + a
# - return x + f
# + return y + f


# %% mistake="decoder-residual-of-the-norm" task="decoder-block" misses="decoder-one-token decoder-values" of="plain"
# The residual is what came in before the normalisation, not after it.
# ko: 잔차는 정규화한 뒤의 값이 아니라 정규화하기 전의 입력입니다.
# - x = x + a
# + x = y + a
# - x = x + c
# + x = y + c
# - return x + f
# + return y + f


# %% mistake="encoder-norm-of-the-sublayer" task="encoder-block" misses="encoder-post-norm" of="plain"
# The normalisation is applied to what the sublayer computes, before it is added. Post-norm normalises the sum.
# ko: 하위 계층의 출력을 더하기 전에 정규화했습니다. 사후 정규화는 더한 합을 정규화합니다.
# - self.norm1(x + a)
# + x + self.norm1(a)
# - self.norm2(x + f)
# + x + self.norm2(f)


# %% mistake="decoder-norm-of-the-sublayer" task="decoder-block" misses="decoder-post-norm" of="plain"
# The normalisation is applied to what the sublayer computes, before it is added. Post-norm normalises the sum.
# ko: 하위 계층의 출력을 더하기 전에 정규화했습니다. 사후 정규화는 더한 합을 정규화합니다.
# - self.norm1(x + a)
# + x + self.norm1(a)
# - self.norm2(x + c)
# + x + self.norm2(c)
# - self.norm3(x + f)
# + x + self.norm3(f)


# %% mistake="encoder-doubled-last-residual" task="encoder-block" misses="encoder-one-token encoder-values" of="plain"
# The residual is added twice.
# ko: 잔차를 두 번 더했습니다.
# - return x + f
# + return x + (x + f)


# %% mistake="decoder-doubled-last-residual" task="decoder-block" misses="decoder-one-token decoder-values" of="plain"
# The residual is added twice.
# ko: 잔차를 두 번 더했습니다.
# - return x + f
# + return x + (x + f)


# %% mistake="encoder-feed-forward-dropped" task="encoder-block" misses="encoder-one-token encoder-values" of="plain"
# The feed-forward network is computed and thrown away: what it returns never reaches the output.
# ko: 피드포워드 신경망을 계산해 놓고 버렸습니다. 그 결과가 출력에 이르지 않습니다.
# - return x + f
# + return x


# %% mistake="decoder-feed-forward-dropped" task="decoder-block" misses="decoder-one-token decoder-values" of="plain"
# The feed-forward network is computed and thrown away: what it returns never reaches the output.
# ko: 피드포워드 신경망을 계산해 놓고 버렸습니다. 그 결과가 출력에 이르지 않습니다.
# - return x + f
# + return x


# %% mistake="encoder-lectures-end" task="encoder-block" misses="encoder-one-token encoder-values" of="plain"
# The feed-forward network is computed and thrown away: the block returns its input and its normalised input.
# ko: 피드포워드 신경망을 계산해 놓고 버렸습니다. 블록이 돌려주는 것은 그 입력과 정규화한 입력의 합입니다.
# - return x + f
# + return y + x


# %% mistake="decoder-lectures-end" task="decoder-block" misses="decoder-one-token decoder-values" of="plain"
# The feed-forward network is computed and thrown away: the block returns its input and its normalised input.
# ko: 피드포워드 신경망을 계산해 놓고 버렸습니다. 블록이 돌려주는 것은 그 입력과 정규화한 입력의 합입니다.
# - return x + f
# + return y + x


# %% mistake="encoder-first-residual-only" task="encoder-block" misses="encoder-one-token encoder-values" of="plain"
# Each sublayer's output is added to the block's own input. It should be added to what the sublayer before it left.
# ko: 하위 계층의 출력을 매번 블록 자체의 입력에 더했습니다. 앞의 하위 계층이 남긴 것에 더해야 합니다.
# - x = x + a
# + block_input, x = x, x + a
# - return x + f
# + return block_input + f


# %% mistake="decoder-first-residual-only" task="decoder-block" misses="decoder-one-token decoder-values" of="plain"
# Each sublayer's output is added to the block's own input. It should be added to what the sublayer before it left.
# ko: 하위 계층의 출력을 매번 블록 자체의 입력에 더했습니다. 앞의 하위 계층이 남긴 것에 더해야 합니다.
# - x = x + a
# + block_input, x = x, x + a
# - x = x + c
# + x = block_input + c
# - return x + f
# + return block_input + f


# %% mistake="encoder-one-norm-used" task="encoder-block" misses="encoder-one-token encoder-values" of="plain"
# All places use the first normalisation, though others were made.
# ko: 다른 정규화도 만들었지만 모든 곳에서 첫째 정규화를 썼습니다.
# -             y = self.norm2(x)
# +             self.norm2(x)
# +             y = self.norm1(x)


# %% mistake="decoder-one-norm-used" task="decoder-block" misses="decoder-one-token decoder-values" of="plain"
# All places use the first normalisation, though others were made.
# ko: 다른 정규화도 만들었지만 모든 곳에서 첫째 정규화를 썼습니다.
# -             y = self.norm2(x)
# +             self.norm2(x)
# +             y = self.norm1(x)
# -             y = self.norm3(x)
# +             self.norm3(x)
# +             y = self.norm1(x)


# %% mistake="encoder-first-norm-only" task="encoder-block" misses="encoder-one-token encoder-values" of="plain"
# Only the first sublayer gets normalised input. With pre-norm each of them does.
# ko: 첫째 하위 계층만 정규화된 입력을 받습니다. 사전 정규화에서는 하위 계층마다 받아야 합니다.
# -             y = self.norm2(x)
# +             self.norm2(x)
# +             y = x


# %% mistake="decoder-first-norm-only" task="decoder-block" misses="decoder-one-token decoder-values" of="plain"
# Only the first sublayer gets normalised input. With pre-norm each of them does.
# ko: 첫째 하위 계층만 정규화된 입력을 받습니다. 사전 정규화에서는 하위 계층마다 받아야 합니다.
# -             y = self.norm2(x)
# +             self.norm2(x)
# +             y = x
# -             y = self.norm3(x)
# +             self.norm3(x)
# +             y = x


# %% mistake="encoder-normed-twice" task="encoder-block" misses="encoder-one-token encoder-values" of="plain"
# Both the input of a sublayer and the sum behind it are normalised. It is one or the other.
# ko: 하위 계층의 입력과 그 뒤의 합을 모두 정규화했습니다. 둘 가운데 하나만 정규화하세요.
# - x = x + a
# + x = self.norm1(x + a)
# - return x + f
# + return self.norm2(x + f)


# %% mistake="decoder-normed-twice" task="decoder-block" misses="decoder-one-token decoder-values" of="plain"
# Both the input of a sublayer and the sum behind it are normalised. It is one or the other.
# ko: 하위 계층의 입력과 그 뒤의 합을 모두 정규화했습니다. 둘 가운데 하나만 정규화하세요.
# - x = x + a
# + x = self.norm1(x + a)
# - x = x + c
# + x = self.norm2(x + c)
# - return x + f
# + return self.norm3(x + f)


# %% mistake="encoder-always-post-norm" task="encoder-block" misses="encoder-one-token encoder-values" of="plain"
# norm_first has no effect: the sum is normalised either way.
# ko: norm_first가 쓰이지 않았습니다. 어느 쪽이든 합을 정규화합니다.
# - if self.norm_first:
# + if False:


# %% mistake="decoder-always-post-norm" task="decoder-block" misses="decoder-one-token decoder-values" of="plain"
# norm_first has no effect: the sum is normalised either way.
# ko: norm_first가 쓰이지 않았습니다. 어느 쪽이든 합을 정규화합니다.
# - if self.norm_first:
# + if False:


# %% mistake="encoder-always-pre-norm" task="encoder-block" misses="encoder-post-norm" of="plain"
# norm_first has no effect: a sublayer's input is normalised either way.
# ko: norm_first가 쓰이지 않았습니다. 어느 쪽이든 하위 계층의 입력을 정규화합니다.
# - if self.norm_first:
# + if True:


# %% mistake="decoder-always-pre-norm" task="decoder-block" misses="decoder-post-norm" of="plain"
# norm_first has no effect: a sublayer's input is normalised either way.
# ko: norm_first가 쓰이지 않았습니다. 어느 쪽이든 하위 계층의 입력을 정규화합니다.
# - if self.norm_first:
# + if True:


# %% mistake="encoder-norm-first-inverted" task="encoder-block" misses="encoder-one-token encoder-values encoder-post-norm" of="plain"
# norm_first is the wrong way round: True normalises what goes into a sublayer.
# ko: norm_first가 거꾸로입니다. True이면 하위 계층에 들어가는 것을 정규화합니다.
# - if self.norm_first:
# + if not self.norm_first:


# %% mistake="decoder-norm-first-inverted" task="decoder-block" misses="decoder-one-token decoder-values decoder-post-norm" of="plain"
# norm_first is the wrong way round: True normalises what goes into a sublayer.
# ko: norm_first가 거꾸로입니다. True이면 하위 계층에 들어가는 것을 정규화합니다.
# - if self.norm_first:
# + if not self.norm_first:


# %% mistake="encoder-epsilon" task="encoder-block" misses="encoder-epsilon" of="plain"
# The normalisations have Keras's default epsilon of 1e-3. Write LayerNormalization(epsilon=1e-6).
# ko: 정규화의 epsilon이 케라스의 기본값인 1e-3입니다. LayerNormalization(epsilon=1e-6)이라고 쓰세요.
# - self.norm1 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm1 = keras.layers.LayerNormalization()
# - self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm2 = keras.layers.LayerNormalization()


# %% mistake="decoder-epsilon" task="decoder-block" misses="decoder-epsilon" of="plain"
# The normalisations have Keras's default epsilon of 1e-3. Write LayerNormalization(epsilon=1e-6).
# ko: 정규화의 epsilon이 케라스의 기본값인 1e-3입니다. LayerNormalization(epsilon=1e-6)이라고 쓰세요.
# - self.norm1 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm1 = keras.layers.LayerNormalization()
# - self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm2 = keras.layers.LayerNormalization()
# - self.norm3 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm3 = keras.layers.LayerNormalization()


# %% mistake="encoder-epsilon-of-pytorch" task="encoder-block" misses="encoder-epsilon" of="plain"
# The second normalisation has PyTorch's default epsilon of 1e-5. Each of them has 1e-6.
# ko: 둘째 정규화의 epsilon이 PyTorch의 기본값인 1e-5입니다. 정규화마다 1e-6이어야 합니다.
# - self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm2 = keras.layers.LayerNormalization(epsilon=1e-5)


# %% mistake="encoder-epsilon-of-one-norm" task="encoder-block" misses="encoder-epsilon" of="plain"
# One of the normalisations has Keras's own epsilon, 1e-3. Each of them needs `epsilon=1e-6`.
# ko: 정규화 하나의 epsilon이 케라스의 기본값인 1e-3입니다. 정규화마다 `epsilon=1e-6`을 넣으세요.
# -         self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
# +         self.norm2 = keras.layers.LayerNormalization()


# %% mistake="decoder-epsilon-of-one-norm" task="decoder-block" misses="decoder-epsilon" of="plain"
# One of the normalisations has Keras's own epsilon, 1e-3. Each of them needs `epsilon=1e-6`.
# ko: 정규화 하나의 epsilon이 케라스의 기본값인 1e-3입니다. 정규화마다 `epsilon=1e-6`을 넣으세요.
# -         self.norm3 = keras.layers.LayerNormalization(epsilon=1e-6)
# +         self.norm3 = keras.layers.LayerNormalization()


# %% mistake="decoder-epsilon-of-pytorch" task="decoder-block" misses="decoder-epsilon" of="plain"
# The last normalisation has PyTorch's default epsilon of 1e-5. Each of them has 1e-6.
# ko: 마지막 정규화의 epsilon이 PyTorch의 기본값인 1e-5입니다. 정규화마다 1e-6이어야 합니다.
# - self.norm3 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm3 = keras.layers.LayerNormalization(epsilon=1e-5)


# %% mistake="decoder-epsilon-before-cross-attention" task="decoder-block" misses="decoder-epsilon" of="plain"
# The normalisation before the cross-attention has an epsilon of 1e-5. Each of them has 1e-6.
# ko: 크로스 어텐션 앞 정규화의 epsilon이 1e-5입니다. 정규화마다 1e-6이어야 합니다.
# - self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm2 = keras.layers.LayerNormalization(epsilon=1e-5)


# %% mistake="encoder-norm-of-the-batch" task="encoder-block" misses="encoder-weights encoder-one-token encoder-values encoder-post-norm encoder-dropout" of="plain"
# That is batch normalisation. Layer normalisation takes each token by itself.
# ko: 배치 정규화(batch normalisation)입니다. 계층 정규화는 토큰을 하나씩 따로 정규화합니다.
# - self.norm1 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm1 = keras.layers.BatchNormalization(epsilon=1e-6)
# - self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm2 = keras.layers.BatchNormalization(epsilon=1e-6)


# %% mistake="decoder-norm-of-the-batch" task="decoder-block" misses="decoder-weights decoder-one-token decoder-values decoder-post-norm decoder-dropout" of="plain"
# That is batch normalisation. Layer normalisation takes each token by itself.
# ko: 배치 정규화(batch normalisation)입니다. 계층 정규화는 토큰을 하나씩 따로 정규화합니다.
# - self.norm1 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm1 = keras.layers.BatchNormalization(epsilon=1e-6)
# - self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm2 = keras.layers.BatchNormalization(epsilon=1e-6)
# - self.norm3 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm3 = keras.layers.BatchNormalization(epsilon=1e-6)


# %% mistake="encoder-always-drops" task="encoder-block" misses="encoder-dropout" of="plain"
# Something is dropped outside training too. Leave it to Keras: don't pass training=True to the dropout yourself.
# ko: 학습이 아닐 때도 드롭아웃이 작동합니다. 케라스에 맡기세요. 드롭아웃에 training=True를 직접 넘기지 마세요.
# - self.dropout1(self.attention(y, y, attention_mask=mask))
# + self.dropout1.call(self.attention(y, y, attention_mask=mask), training=True)
# - self.dropout1(self.attention(x, x, attention_mask=mask))
# + self.dropout1.call(self.attention(x, x, attention_mask=mask), training=True)


# %% mistake="decoder-always-drops" task="decoder-block" misses="decoder-dropout" of="plain"
# Something is dropped outside training too. Leave it to Keras: don't pass training=True to the dropout yourself.
# ko: 학습이 아닐 때도 드롭아웃이 작동합니다. 케라스에 맡기세요. 드롭아웃에 training=True를 직접 넘기지 마세요.
# - self.dropout2(self.cross_attention(y, memory, attention_mask=memory_mask))
# + self.dropout2.call(self.cross_attention(y, memory, attention_mask=memory_mask), training=True)
# - self.dropout2(self.cross_attention(x, memory, attention_mask=memory_mask))
# + self.dropout2.call(self.cross_attention(x, memory, attention_mask=memory_mask), training=True)


# %% mistake="encoder-never-drops" task="encoder-block" misses="encoder-dropout" of="plain"
# Nothing is dropped in training.
# ko: 학습할 때 드롭아웃이 전혀 작동하지 않습니다.
# - FeedForward(ff_dim, d_model, dropout)
# + FeedForward(ff_dim, d_model, 0.0)
# - self.dropout1 = keras.layers.Dropout(dropout)
# + self.dropout1 = keras.layers.Dropout(0.0)
# - self.dropout2 = keras.layers.Dropout(dropout)
# + self.dropout2 = keras.layers.Dropout(0.0)


# %% mistake="decoder-never-drops" task="decoder-block" misses="decoder-dropout" of="plain"
# Nothing is dropped in training.
# ko: 학습할 때 드롭아웃이 전혀 작동하지 않습니다.
# - FeedForward(ff_dim, d_model, dropout)
# + FeedForward(ff_dim, d_model, 0.0)
# - self.dropout1 = keras.layers.Dropout(dropout)
# + self.dropout1 = keras.layers.Dropout(0.0)
# - self.dropout2 = keras.layers.Dropout(dropout)
# + self.dropout2 = keras.layers.Dropout(0.0)
# - self.dropout3 = keras.layers.Dropout(dropout)
# + self.dropout3 = keras.layers.Dropout(0.0)


# %% mistake="encoder-no-attention-dropout" task="encoder-block" misses="encoder-dropout-places" of="plain"
# What the attention adds is never dropped in training.
# ko: 학습할 때 어텐션이 더하는 것에 드롭아웃이 적용되지 않습니다.
# - self.dropout1(self.attention(y, y, attention_mask=mask))
# + self.attention(y, y, attention_mask=mask)


# %% mistake="decoder-no-attention-dropout" task="decoder-block" misses="decoder-dropout-places" of="plain"
# What the attention adds is never dropped in training.
# ko: 학습할 때 어텐션이 더하는 것에 드롭아웃이 적용되지 않습니다.
# - self.dropout1(self.self_attention(y, y, attention_mask=self_mask))
# + self.self_attention(y, y, attention_mask=self_mask)
# - self.dropout2(self.cross_attention(y, memory, attention_mask=memory_mask))
# + self.cross_attention(y, memory, attention_mask=memory_mask)


# %% mistake="encoder-no-feed-forward-dropout" task="encoder-block" misses="encoder-dropout-places" of="plain"
# What the feed-forward network adds is never dropped in training.
# ko: 학습할 때 피드포워드 신경망이 더하는 것에 드롭아웃이 적용되지 않습니다.
# - FeedForward(ff_dim, d_model, dropout)
# + FeedForward(ff_dim, d_model, 0.0)
# - self.dropout2(self.feed_forward(y))
# + self.feed_forward(y)


# %% mistake="decoder-no-feed-forward-dropout" task="decoder-block" misses="decoder-dropout-places" of="plain"
# What the feed-forward network adds is never dropped in training.
# ko: 학습할 때 피드포워드 신경망이 더하는 것에 드롭아웃이 적용되지 않습니다.
# - FeedForward(ff_dim, d_model, dropout)
# + FeedForward(ff_dim, d_model, 0.0)
# - self.dropout3(self.feed_forward(y))
# + self.feed_forward(y)


# %% mistake="encoder-no-dropout-behind-feed-forward" task="encoder-block" misses="encoder-dropout-places" of="plain"
# The hidden units of the feed-forward network are dropped, but not what it adds: another dropout belongs behind it.
# ko: 피드포워드 신경망의 은닉 유닛에는 드롭아웃이 있지만 신경망이 더하는 것에는 없습니다. 그 뒤에도 드롭아웃이 있어야 합니다.
# - self.dropout2(self.feed_forward(y))
# + self.feed_forward(y)


# %% mistake="decoder-no-dropout-behind-feed-forward" task="decoder-block" misses="decoder-dropout-places" of="plain"
# The hidden units of the feed-forward network are dropped, but not what it adds: another dropout belongs behind it.
# ko: 피드포워드 신경망의 은닉 유닛에는 드롭아웃이 있지만 신경망이 더하는 것에는 없습니다. 그 뒤에도 드롭아웃이 있어야 합니다.
# - self.dropout3(self.feed_forward(y))
# + self.feed_forward(y)


# %% mistake="encoder-no-dropout-inside-feed-forward" task="encoder-block" misses="encoder-dropout-places" of="plain"
# The feed-forward network of the block is made without the rate: between its two dense layers nothing is dropped.
# ko: 블록의 피드포워드 신경망에 비율을 주지 않아, 두 완전 연결 계층 사이에서 드롭아웃이 작동하지 않습니다.
# - FeedForward(ff_dim, d_model, dropout)
# + FeedForward(ff_dim, d_model, 0.0)


# %% mistake="decoder-no-dropout-inside-feed-forward" task="decoder-block" misses="decoder-dropout-places" of="plain"
# The feed-forward network of the block is made without the rate: between its two dense layers nothing is dropped.
# ko: 블록의 피드포워드 신경망에 비율을 주지 않아, 두 완전 연결 계층 사이에서 드롭아웃이 작동하지 않습니다.
# - FeedForward(ff_dim, d_model, dropout)
# + FeedForward(ff_dim, d_model, 0.0)


# %% mistake="encoder-residual-dropped" task="encoder-block" misses="encoder-dropout-places" of="plain"
# The sum is dropped, and the residual with it. Dropout belongs on what the sublayer adds, before the sum.
# ko: 합에 드롭아웃을 적용해 잔차의 일부까지 0이 됩니다. 드롭아웃은 더하기 전에, 하위 계층이 더하는 것에 적용하세요.
# - return x + f
# + return self.dropout2(x + f)


# %% mistake="decoder-residual-dropped" task="decoder-block" misses="decoder-dropout-places" of="plain"
# The sum is dropped, and the residual with it. Dropout belongs on what the sublayer adds, before the sum.
# ko: 합에 드롭아웃을 적용해 잔차의 일부까지 0이 됩니다. 드롭아웃은 더하기 전에, 하위 계층이 더하는 것에 적용하세요.
# - return x + f
# + return self.dropout2(x + f)


# %% mistake="encoder-rate-fixed" task="encoder-block" misses="encoder-dropout" of="plain"
# The dropout's rate is always 0.1, whatever is given.
# ko: 어떤 비율을 주든 드롭아웃의 비율이 늘 0.1입니다.
# - self.dropout1 = keras.layers.Dropout(dropout)
# + self.dropout1 = keras.layers.Dropout(0.1)
# - self.dropout2 = keras.layers.Dropout(dropout)
# + self.dropout2 = keras.layers.Dropout(0.1)


# %% mistake="decoder-rate-fixed" task="decoder-block" misses="decoder-dropout" of="plain"
# The dropout's rate is always 0.1, whatever is given.
# ko: 어떤 비율을 주든 드롭아웃의 비율이 늘 0.1입니다.
# - self.dropout1 = keras.layers.Dropout(dropout)
# + self.dropout1 = keras.layers.Dropout(0.1)
# - self.dropout2 = keras.layers.Dropout(dropout)
# + self.dropout2 = keras.layers.Dropout(0.1)
# - self.dropout3 = keras.layers.Dropout(dropout)
# + self.dropout3 = keras.layers.Dropout(0.1)


# %% mistake="encoder-not-rescaled" task="encoder-block" misses="encoder-dropout-places" of="plain"
# What is kept in training should be divided by 1 - dropout: keras.layers.Dropout does that.
# ko: 학습할 때 남은 값은 1 - dropout으로 나누어야 합니다. keras.layers.Dropout이 그렇게 합니다.
# -             f = self.dropout2(self.feed_forward(y))
# +             f = self.feed_forward(y)
# +             f = f * keras.ops.cast(self.dropout2(keras.ops.ones_like(f)) > 0, f.dtype)


# %% mistake="decoder-not-rescaled" task="decoder-block" misses="decoder-dropout-places" of="plain"
# What is kept in training should be divided by 1 - dropout: keras.layers.Dropout does that.
# ko: 학습할 때 남은 값은 1 - dropout으로 나누어야 합니다. keras.layers.Dropout이 그렇게 합니다.
# -             f = self.dropout3(self.feed_forward(y))
# +             f = self.feed_forward(y)
# +             f = f * keras.ops.cast(self.dropout3(keras.ops.ones_like(f)) > 0, f.dtype)


# %% mistake="encoder-drops-for-all-tokens" task="encoder-block" misses="encoder-dropout-places" of="plain"
# SpatialDropout1D drops a feature for all tokens of a sequence at once. Each number is a matter of chance by itself.
# ko: SpatialDropout1D는 특성 하나를 시퀀스의 모든 토큰에서 한꺼번에 0으로 만듭니다. 값마다 따로 무작위로 정해야 합니다.
# - self.dropout2 = keras.layers.Dropout(dropout)
# + self.dropout2 = keras.layers.SpatialDropout1D(dropout)


# %% mistake="decoder-same-dropped-in-each-call" task="decoder-block" misses="decoder-dropout-places" of="plain"
# A fixed seed drops the same of what the feed-forward network adds in every call. Use a SeedGenerator, or keras.layers.Dropout.
# ko: 시드를 고정하면 피드포워드 신경망이 더하는 것에서 호출마다 같은 값이 0이 됩니다. SeedGenerator나 keras.layers.Dropout을 쓰세요.
# - def call(self, x, memory, self_mask=None, memory_mask=None):
# + def call(self, x, memory, self_mask=None, memory_mask=None, training=None):
# -             f = self.dropout3(self.feed_forward(y))
# +             f = self.feed_forward(y)
# +             f = keras.random.dropout(f, self.rate, seed=7) if training and self.rate else f


# %% mistake="encoder-no-config" task="encoder-block" misses="encoder-config" of="plain"
# get_config has to return the constructor's arguments, under their own names.
# ko: get_config는 생성자의 인수를 제 이름으로 모두 돌려주어야 합니다.
# -         config.update({"d_model": self.d_model, "num_heads": self.num_heads, "ff_dim": self.ff_dim})


# %% mistake="decoder-no-config" task="decoder-block" misses="decoder-config" of="plain"
# get_config has to return the constructor's arguments, under their own names.
# ko: get_config는 생성자의 인수를 제 이름으로 모두 돌려주어야 합니다.
# -         config.update({"d_model": self.d_model, "num_heads": self.num_heads, "ff_dim": self.ff_dim})


# %% mistake="encoder-config-without-dropout" task="encoder-block" misses="encoder-config" of="plain"
# get_config doesn't hold the rate that was given, so the copy has another one.
# ko: get_config에 받은 드롭아웃 비율이 들어 있지 않아서 복사본의 비율이 달라집니다.
# - {"dropout": self.rate, "norm_first": self.norm_first}
# + {"norm_first": self.norm_first}


# %% mistake="decoder-config-without-dropout" task="decoder-block" misses="decoder-config" of="plain"
# get_config doesn't hold the rate that was given, so the copy has another one.
# ko: get_config에 받은 드롭아웃 비율이 들어 있지 않아서 복사본의 비율이 달라집니다.
# - {"dropout": self.rate, "norm_first": self.norm_first}
# + {"norm_first": self.norm_first}


# %% mistake="encoder-config-without-norm-first" task="encoder-block" misses="encoder-config" of="plain"
# get_config doesn't hold the norm_first that was given, so the copy has another one.
# ko: get_config에 받은 norm_first가 들어 있지 않아서 복사본의 norm_first가 달라집니다.
# - {"dropout": self.rate, "norm_first": self.norm_first}
# + {"dropout": self.rate}


# %% mistake="decoder-config-without-norm-first" task="decoder-block" misses="decoder-config" of="plain"
# get_config doesn't hold the norm_first that was given, so the copy has another one.
# ko: get_config에 받은 norm_first가 들어 있지 않아서 복사본의 norm_first가 달라집니다.
# - {"dropout": self.rate, "norm_first": self.norm_first}
# + {"dropout": self.rate}


# %% mistake="encoder-heads-unchecked" task="encoder-block" misses="encoder-bad-heads" of="plain"
# Check that num_heads divides d_model and raise a ValueError that names both, with their values.
# ko: d_model이 num_heads로 나누어떨어지는지 확인하고, 아니면 둘의 이름과 값을 밝히는 ValueError를 일으키세요.
# -         if d_model % num_heads:
# -             raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")


# %% mistake="decoder-heads-unchecked" task="decoder-block" misses="decoder-bad-heads" of="plain"
# Check that num_heads divides d_model and raise a ValueError that names both, with their values.
# ko: d_model이 num_heads로 나누어떨어지는지 확인하고, 아니면 둘의 이름과 값을 밝히는 ValueError를 일으키세요.
# -         if d_model % num_heads:
# -             raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")


# %% mistake="encoder-error-without-width" task="encoder-block" misses="encoder-bad-heads" of="plain"
# The ValueError says num_heads alone. It should name both num_heads and d_model, with their values.
# ko: ValueError가 num_heads만 밝힙니다. num_heads와 d_model 둘의 이름과 값을 모두 밝히세요.
# - num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.
# + num_heads must divide the width. Received: num_heads={num_heads}.


# %% mistake="decoder-error-without-values" task="decoder-block" misses="decoder-bad-heads" of="plain"
# The ValueError doesn't say both values received. It should name both num_heads and d_model, with their values.
# ko: ValueError가 받은 값 둘을 다 밝히지는 않습니다. num_heads와 d_model 둘의 이름과 값을 모두 밝히세요.
# - num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.
# + num_heads must divide d_model.


# %% mistake="encoder-returns-a-pair" task="encoder-block" misses="encoder-builds" of="plain"
# The block returns one tensor, not a pair with the attention weights.
# ko: 블록은 텐서 하나를 돌려줍니다. 어텐션 가중치와의 쌍이 아닙니다.
# - return x + f
# + return x + f, a
# - self.norm2(x + f)
# + self.norm2(x + f), a


# %% mistake="encoder-no-attention-residual" task="encoder-block" misses="encoder-one-token encoder-values" of="plain"
# The attention has no residual connection: add what came in before the normalisation.
# ko: 어텐션에 잔차 연결이 없습니다. 정규화하기 전의 입력을 더하세요.
# - x = x + a
# + x = a


# %% mistake="encoder-query-not-normed" task="encoder-block" misses="encoder-values" of="plain"
# Keys and values come from another tensor than the queries. In self-attention all three are the same, normalised, tensor.
# ko: 키와 값이 쿼리와 다른 텐서에서 나옵니다. 셀프 어텐션에서는 셋이 모두 정규화된 같은 텐서에서 나옵니다.
# - self.attention(y, y, attention_mask=mask)
# + self.attention(x, y, attention_mask=mask)


# %% mistake="encoder-mask-inverted" task="encoder-block" misses="encoder-mask" of="plain"
# The mask is handed to Keras as it is. In the lecture's masks 1 hides; in Keras's attention_mask 1 may be attended.
# ko: 마스크를 케라스에 그대로 넘겼습니다. 강의의 마스크에서는 1이 가리지만, 케라스의 attention_mask에서 1은 볼 수 있다는 뜻입니다.
# - 1 - mask
# + 1 * mask


# %% mistake="encoder-mask-ignored" task="encoder-block" misses="encoder-mask" of="plain"
# The mask has no effect.
# ko: 마스크가 쓰이지 않았습니다.
# - self.attention(y, y, attention_mask=mask)
# + self.attention(y, y)


# %% mistake="encoder-mask-ignored-in-post-norm" task="encoder-block" misses="encoder-mask-broadcast" of="plain"
# With norm_first=False the mask has no effect.
# ko: norm_first=False일 때 마스크가 쓰이지 않았습니다.
# - self.attention(x, x, attention_mask=mask)
# + self.attention(x, x)


# %% mistake="encoder-mask-of-four-axes-ignored-in-post-norm" task="encoder-block" misses="encoder-mask-broadcast" of="plain"
# With norm_first=False a mask of four axes has no effect.
# ko: norm_first=False일 때 축이 네 개인 마스크가 쓰이지 않았습니다.
# - self.attention(x, x, attention_mask=mask)
# + self.attention(x, x, attention_mask=mask if mask is None or len(mask.shape) == 2 else None)


# %% mistake="encoder-dropout-halved-behind-feed-forward" task="encoder-block" misses="encoder-dropout-places" of="plain"
# The dropout behind the feed-forward network has another rate than the one that was given.
# ko: 피드포워드 신경망 뒤의 드롭아웃 비율이 주어진 것과 다릅니다.
# - self.dropout2 = keras.layers.Dropout(dropout)
# + self.dropout2 = keras.layers.Dropout(dropout / 2)


# %% mistake="encoder-dropout-fixed-behind-attention" task="encoder-block" misses="encoder-dropout-places" of="plain"
# The dropout behind the attention has another rate than the one that was given.
# ko: 어텐션 뒤의 드롭아웃 비율이 주어진 것과 다릅니다.
# - self.dropout1 = keras.layers.Dropout(dropout)
# + self.dropout1 = keras.layers.Dropout(0.1 if dropout else 0.0)


# %% mistake="decoder-cross-attention-not-dropped" task="decoder-block" misses="decoder-dropout-places" of="plain"
# Behind the attention over the memory there is no dropout.
# ko: 메모리에 대한 어텐션 뒤에 드롭아웃이 없습니다.
# - self.dropout2 = keras.layers.Dropout(dropout)
# + self.dropout2 = keras.layers.Dropout(0.0)


# %% mistake="decoder-never-drops-in-post-norm" task="decoder-block" misses="decoder-dropout" of="plain"
# With norm_first=False nothing is dropped in training.
# ko: norm_first=False이면 학습할 때도 드롭아웃이 작동하지 않습니다.
# - self.dropout1(self.self_attention(x, x, attention_mask=self_mask))
# + self.self_attention(x, x, attention_mask=self_mask)
# - self.dropout2(self.cross_attention(x, memory, attention_mask=memory_mask))
# + self.cross_attention(x, memory, attention_mask=memory_mask)
# - self.dropout3(self.feed_forward(x))
# + self.feed_forward(x, training=False)


# %% mistake="decoder-default-without-dropout" task="decoder-block" misses="decoder-dropout" of="plain"
# The default of `dropout` is 0 instead of 0.1.
# ko: `dropout`의 기본값이 0.1이 아니라 0입니다.
# - def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
# + def __init__(self, d_model, num_heads, ff_dim, dropout=0.0, norm_first=True, **kwargs):


# %% mistake="decoder-other-default-rate" task="decoder-block" misses="decoder-dropout-places" of="plain"
# The default of `dropout` is another than 0.1.
# ko: `dropout`의 기본값이 0.1이 아닙니다.
# - def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
# + def __init__(self, d_model, num_heads, ff_dim, dropout=0.2, norm_first=True, **kwargs):


# %% mistake="decoder-a-dropout-missing-in-post-norm" task="decoder-block" misses="decoder-dropout-places" of="plain"
# With norm_first=False a sublayer has lost its dropout.
# ko: norm_first=False일 때 드롭아웃이 빠진 하위 계층이 있습니다.
# - self.dropout2(self.cross_attention(x, memory, attention_mask=memory_mask))
# + self.cross_attention(x, memory, attention_mask=memory_mask)


# %% mistake="decoder-residual-dropped-in-post-norm" task="decoder-block" misses="decoder-dropout-places" of="plain"
# With norm_first=False the dropout is on the sum. It belongs on what the sublayer adds.
# ko: norm_first=False일 때 드롭아웃이 합에 적용됩니다. 하위 계층이 더하는 것에 적용하세요.
# - self.dropout1(self.self_attention(x, x, attention_mask=self_mask))
# + self.self_attention(x, x, attention_mask=self_mask)
# - self.norm1(x + a)
# + self.norm1(self.dropout1(x + a))


# %% mistake="ff-gaussian-noise" task="feed-forward" misses="ff-dropout-place" of="plain"
# GaussianDropout multiplies with noise and drops nothing. Dropout sets units to 0.
# ko: GaussianDropout은 잡음을 곱할 뿐 아무것도 0으로 만들지 않습니다. Dropout은 유닛을 0으로 만듭니다.
# - keras.layers.Dropout
# + keras.layers.GaussianDropout


# %% mistake="count-attention-of-one-head-smaller" task="block-parameters" misses="count-encoder count-decoder" of="plain"
# An attention with one head has projections and biases too: heads share the width, whatever their number.
# ko: 헤드가 하나인 어텐션에도 투영과 편향이 있습니다. 헤드가 몇 개든 너비를 나누어 가질 뿐입니다.
# - 4 * (d_model * d_model + d_model)
# + (4 * (d_model * d_model + d_model) if num_heads > 1 else 2 * d_model * d_model)


# %% mistake="encoder-mask-of-the-first-row" task="encoder-block" misses="encoder-mask" of="plain"
# Only the first query's row of the mask is used, for all queries. Each query has a row of its own.
# ko: 마스크에서 첫 쿼리의 행만 모든 쿼리에 쓰였습니다. 쿼리마다 자기 행이 있습니다.
# - 1 - mask
# + 1 - mask[..., :1, :]


# %% mistake="encoder-mask-of-the-first-sequence" task="encoder-block" misses="encoder-mask-broadcast" of="plain"
# All sequences get the first one's mask.
# ko: 모든 시퀀스에 첫 시퀀스의 마스크가 쓰였습니다.
# - 1 - mask
# + 1 - (mask[:1] if len(mask.shape) == 4 else mask)


# %% mistake="encoder-always-causal" task="encoder-block" misses="encoder-values encoder-post-norm encoder-mask" of="plain"
# The encoder hides later tokens by itself. It sees everything that the mask doesn't hide.
# ko: 인코더가 스스로 뒤의 토큰을 가립니다. 인코더는 마스크가 가리지 않은 것을 모두 봅니다.
# - self.attention(y, y, attention_mask=mask)
# + self.attention(y, y, attention_mask=mask, use_causal_mask=True)
# - self.attention(x, x, attention_mask=mask)
# + self.attention(x, x, attention_mask=mask, use_causal_mask=True)


# %% mistake="encoder-never-drops-in-post-norm" task="encoder-block" misses="encoder-dropout" of="plain"
# With norm_first=False nothing is dropped in training.
# ko: norm_first=False이면 학습할 때도 드롭아웃이 작동하지 않습니다.
# - self.dropout1(self.attention(x, x, attention_mask=mask))
# + self.attention(x, x, attention_mask=mask)
# - self.dropout2(self.feed_forward(x))
# + self.feed_forward(x, training=False)


# %% mistake="encoder-default-without-dropout" task="encoder-block" misses="encoder-dropout" of="plain"
# The default of `dropout` is 0 instead of 0.1.
# ko: `dropout`의 기본값이 0.1이 아니라 0입니다.
# - def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
# + def __init__(self, d_model, num_heads, ff_dim, dropout=0.0, norm_first=True, **kwargs):


# %% mistake="encoder-other-default-rate" task="encoder-block" misses="encoder-dropout-places" of="plain"
# The default of `dropout` is another than 0.1.
# ko: `dropout`의 기본값이 0.1이 아닙니다.
# - def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
# + def __init__(self, d_model, num_heads, ff_dim, dropout=0.2, norm_first=True, **kwargs):


# %% mistake="encoder-a-dropout-missing-in-post-norm" task="encoder-block" misses="encoder-dropout-places" of="plain"
# With norm_first=False a sublayer has lost its dropout.
# ko: norm_first=False일 때 드롭아웃이 빠진 하위 계층이 있습니다.
# - self.dropout1(self.attention(x, x, attention_mask=mask))
# + self.attention(x, x, attention_mask=mask)


# %% mistake="encoder-residual-dropped-in-post-norm" task="encoder-block" misses="encoder-dropout-places" of="plain"
# With norm_first=False the dropout is on the sum. It belongs on what the sublayer adds.
# ko: norm_first=False일 때 드롭아웃이 합에 적용됩니다. 하위 계층이 더하는 것에 적용하세요.
# - self.dropout1(self.attention(x, x, attention_mask=mask))
# + self.attention(x, x, attention_mask=mask)
# - self.norm1(x + a)
# + self.norm1(self.dropout1(x + a))


# %% mistake="encoder-heads-of-even-width" task="encoder-block" misses="encoder-bad-heads" of="plain"
# It is checked whether d_model is even. The question is whether num_heads divides it.
# ko: d_model이 짝수인지 확인하고 있습니다. 확인할 것은 num_heads로 나누어떨어지는지입니다.
# - d_model % num_heads
# + d_model % 2


# %% mistake="decoder-masks-by-elif" task="decoder-block" misses="decoder-memory-mask" of="plain"
# If both masks are given, only self_mask is flipped: that is `elif` where two `if` are needed.
# ko: 두 마스크를 함께 주면 self_mask만 뒤집힙니다. `if`가 둘 있어야 할 곳에 `elif`를 썼습니다.
# - if memory_mask is not None:
# + elif memory_mask is not None:


# %% mistake="decoder-of-memory-length" task="decoder-block" misses="decoder-builds" of="plain"
# The output is as long as the memory: the queries of the second attention come from the target.
# ko: 출력의 길이가 메모리와 같습니다. 둘째 어텐션의 쿼리는 타깃에서 나와야 합니다.
# - self.cross_attention(y, memory, attention_mask=memory_mask)
# + self.cross_attention(memory, y, attention_mask=memory_mask)
# - x = x + c
# + x = c


# %% mistake="decoder-one-attention" task="decoder-block" misses="decoder-weights" of="plain"
# One attention does both jobs. Self-attention and cross-attention are two layers with weights of their own.
# ko: 어텐션 하나가 두 가지 일을 합니다. 셀프 어텐션과 교차 어텐션은 가중치를 공유하지 않는 별개의 두 계층입니다.
# -         self.cross_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)

# - self.cross_attention(y, memory, attention_mask=memory_mask)
# + self.self_attention(y, memory, attention_mask=memory_mask)
# - self.cross_attention(x, memory, attention_mask=memory_mask)
# + self.self_attention(x, memory, attention_mask=memory_mask)


# %% mistake="decoder-memory-ignored" task="decoder-block" misses="decoder-memory decoder-one-token decoder-values decoder-post-norm decoder-self-mask" of="plain"
# The memory has no effect: the second attention takes its keys and values from it, not from the target.
# ko: 메모리가 쓰이지 않았습니다. 둘째 어텐션의 키와 값은 타깃이 아니라 메모리에서 가져옵니다.
# - self.cross_attention(y, memory, attention_mask=memory_mask)
# + self.cross_attention(y, y)
# - self.cross_attention(x, memory, attention_mask=memory_mask)
# + self.cross_attention(x, x)


# %% mistake="decoder-cross-twice" task="decoder-block" misses="decoder-memory decoder-one-token decoder-values decoder-self-mask" of="plain"
# Both attentions look at the memory. The first one is self-attention.
# ko: 두 어텐션이 모두 메모리를 봅니다. 첫째는 셀프 어텐션입니다.
# - self.self_attention(y, y, attention_mask=self_mask)
# + self.self_attention(y, memory)


# %% mistake="decoder-memory-normed" task="decoder-block" misses="decoder-one-token decoder-values" of="plain"
# The memory is normalised by the block. It comes as it is; only the target's side is normalised.
# ko: 블록이 메모리를 정규화했습니다. 메모리는 그대로 쓰고 타깃 쪽만 정규화하세요.
# - self.cross_attention(y, memory, attention_mask=memory_mask)
# + self.cross_attention(y, self.norm2(memory), attention_mask=memory_mask)


# %% mistake="decoder-cross-first" task="decoder-block" misses="decoder-one-token decoder-values decoder-memory-mask" of="plain"
# The attention over the memory comes before self-attention. It is the other way round.
# ko: 메모리에 대한 어텐션이 셀프 어텐션보다 먼저 나옵니다. 순서를 바꾸세요.
# -         if self.norm_first:
# +         if self.norm_first:
# +             y = self.norm2(x)
# +             c = self.dropout2(self.cross_attention(y, memory, attention_mask=memory_mask))
# +             x = x + c
# -             y = self.norm2(x)
# -             c = self.dropout2(self.cross_attention(y, memory, attention_mask=memory_mask))
# -             x = x + c


# %% mistake="decoder-no-cross-residual" task="decoder-block" misses="decoder-one-token decoder-values" of="plain"
# The attention over the memory has no residual connection.
# ko: 메모리에 대한 어텐션에 잔차 연결이 없습니다.
# - x = x + c
# + x = c


# %% mistake="decoder-self-mask-inverted" task="decoder-block" misses="decoder-self-mask" of="plain"
# self_mask is handed to Keras as it is. In the lecture's masks 1 hides; in Keras's attention_mask 1 may be attended.
# ko: self_mask를 케라스에 그대로 넘겼습니다. 강의의 마스크에서는 1이 가리지만, 케라스의 attention_mask에서 1은 볼 수 있다는 뜻입니다.
# - 1 - self_mask
# + 1 * self_mask


# %% mistake="decoder-self-mask-ignored" task="decoder-block" misses="decoder-self-mask" of="plain"
# self_mask has no effect.
# ko: self_mask가 쓰이지 않았습니다.
# - self.self_attention(y, y, attention_mask=self_mask)
# + self.self_attention(y, y)


# %% mistake="decoder-always-causal" task="decoder-block" misses="decoder-memory decoder-values decoder-self-mask" of="plain"
# The block hides later tokens by itself. What is hidden is for the caller to say, by self_mask.
# ko: 블록이 스스로 뒤의 토큰을 가립니다. 무엇을 가릴지는 호출하는 쪽이 self_mask로 정합니다.
# - self.self_attention(y, y, attention_mask=self_mask)
# + self.self_attention(y, y, attention_mask=self_mask, use_causal_mask=True)


# %% mistake="decoder-memory-mask-inverted" task="decoder-block" misses="decoder-memory-mask" of="plain"
# memory_mask is handed to Keras as it is. In the lecture's masks 1 hides; in Keras's attention_mask 1 may be attended.
# ko: memory_mask를 케라스에 그대로 넘겼습니다. 강의의 마스크에서는 1이 가리지만, 케라스의 attention_mask에서 1은 볼 수 있다는 뜻입니다.
# - 1 - memory_mask
# + 1 * memory_mask


# %% mistake="decoder-memory-mask-ignored" task="decoder-block" misses="decoder-memory-mask" of="plain"
# memory_mask has no effect.
# ko: memory_mask가 쓰이지 않았습니다.
# - self.cross_attention(y, memory, attention_mask=memory_mask)
# + self.cross_attention(y, memory)


# %% mistake="decoder-self-mask-ignored-in-post-norm" task="decoder-block" misses="decoder-self-mask" of="plain"
# With norm_first=False self_mask has no effect.
# ko: norm_first=False일 때 self_mask가 쓰이지 않았습니다.
# - self.self_attention(x, x, attention_mask=self_mask)
# + self.self_attention(x, x)


# %% mistake="decoder-memory-mask-ignored-in-post-norm" task="decoder-block" misses="decoder-memory-mask" of="plain"
# With norm_first=False memory_mask has no effect.
# ko: norm_first=False일 때 memory_mask가 쓰이지 않았습니다.
# - self.cross_attention(x, memory, attention_mask=memory_mask)
# + self.cross_attention(x, memory)


# %% mistake="decoder-masks-swapped" task="decoder-block" misses="decoder-self-mask decoder-memory-mask" of="plain"
# The masks have changed places: self_mask belongs to self-attention, memory_mask to the attention over the memory.
# ko: 두 마스크의 자리가 바뀌었습니다. self_mask는 셀프 어텐션에, memory_mask는 메모리에 대한 어텐션에 씁니다.
# - self.self_attention(y, y, attention_mask=self_mask)
# + self.self_attention(y, y, attention_mask=memory_mask)
# - self.cross_attention(y, memory, attention_mask=memory_mask)
# + self.cross_attention(y, memory, attention_mask=self_mask)


# %% mistake="count-kinds-in-one-string" task="block-parameters" misses="count-bad-kind" of="plain"
# Two strings without a comma between them are one, and `in` then asks whether the kind is a part of it.
# ko: 쉼표 없이 나란히 쓴 두 문자열은 하나가 되고, `in`은 kind가 그 일부인지를 묻게 됩니다.
# - ("encoder", "decoder")
# + ("encoder" "decoder")


# %% mistake="count-kind-by-beginning" task="block-parameters" misses="count-bad-kind" of="plain"
# Every kind that begins alike is taken. Compare the whole word.
# ko: 앞부분만 같으면 어떤 kind든 받아들입니다. 낱말 전체를 비교하세요.
# - kind not in ("encoder", "decoder")
# + not kind.startswith(("enc", "dec"))
# - kind == "encoder"
# + kind.startswith("enc")


# %% mistake="count-not-a-number" task="block-parameters" misses="count-is-a-number" of="plain"
# It returns the parts. Add them up.
# ko: 부분들을 따로 돌려주었습니다. 모두 더하세요.
# - attention + network + 2 * norm
# + attention, network, 2 * norm


# %% mistake="count-without-biases" task="block-parameters" misses="count-encoder count-decoder" of="plain"
# The biases of the dense layers are missing: those of the attention's projections and of the feed-forward network.
# ko: 완전 연결 계층의 편향이 빠졌습니다. 어텐션의 투영에도, 피드포워드 신경망에도 편향이 있습니다.
# - 4 * (d_model * d_model + d_model)
# + 4 * d_model * d_model
# - d_model * ff_dim + ff_dim + ff_dim * d_model + d_model
# + 2 * d_model * ff_dim


# %% mistake="count-without-attention-biases" task="block-parameters" misses="count-encoder count-decoder" of="plain"
# The biases of the attention's four projections are missing.
# ko: 어텐션의 네 투영에 있는 편향이 빠졌습니다.
# - 4 * (d_model * d_model + d_model)
# + 4 * d_model * d_model


# %% mistake="count-without-network-biases" task="block-parameters" misses="count-encoder count-decoder" of="plain"
# The biases of the feed-forward network are missing.
# ko: 피드포워드 신경망의 편향이 빠졌습니다.
# - d_model * ff_dim + ff_dim + ff_dim * d_model + d_model
# + 2 * d_model * ff_dim


# %% mistake="count-without-norms" task="block-parameters" misses="count-encoder count-decoder" of="plain"
# The normalisations are missing: each has a gamma and a beta.
# ko: 정규화가 빠졌습니다. 정규화마다 gamma와 beta가 있습니다.
# - 2 * d_model
# + 0


# %% mistake="count-one-norm" task="block-parameters" misses="count-encoder count-decoder" of="plain"
# Only one normalisation is counted. Each sublayer has one.
# ko: 정규화를 하나만 세었습니다. 하위 계층마다 하나씩 있습니다.
# - 2 * norm
# + norm
# - 3 * norm
# + norm


# %% mistake="count-norm-without-beta" task="block-parameters" misses="count-encoder count-decoder" of="plain"
# A normalisation has two vectors, gamma and beta.
# ko: 정규화 하나에는 벡터가 둘, gamma와 beta가 있습니다.
# - 2 * d_model
# + d_model


# %% mistake="count-a-norm-too-many" task="block-parameters" misses="count-encoder count-decoder" of="plain"
# There is one normalisation too many: one belongs to each sublayer, none to the end of a block.
# ko: 정규화가 하나 많습니다. 하위 계층마다 하나씩이고, 블록의 끝에는 없습니다.
# - 2 * norm
# + 3 * norm
# - 3 * norm
# + 4 * norm


# %% mistake="count-without-output-projection" task="block-parameters" misses="count-encoder count-decoder" of="plain"
# An attention has four projections: query, key, value and output.
# ko: 어텐션의 투영은 쿼리, 키, 값, 출력의 네 개입니다.
# - 4 * (d_model * d_model + d_model)
# + 3 * (d_model * d_model + d_model)


# %% mistake="count-key-dim-too-wide" task="block-parameters" misses="count-encoder count-decoder" of="plain"
# That is an attention whose every head is d_model wide. A head has d_model // num_heads features.
# ko: 헤드마다 너비가 d_model인 어텐션의 수입니다. 헤드 하나의 특징은 d_model // num_heads개입니다.
# -     attention = 4 * (d_model * d_model + d_model)
# +     wide = num_heads * d_model
# +     attention = 3 * (d_model + 1) * wide + (wide + 1) * d_model


# %% mistake="count-times-heads" task="block-parameters" misses="count-encoder count-decoder" of="plain"
# The attention is counted once for each head. The heads share d_model among them.
# ko: 어텐션을 헤드의 수만큼 여러 번 세었습니다. 헤드들은 d_model을 나누어 가집니다.
# - 4 * (d_model * d_model + d_model)
# + 4 * num_heads * (d_model * d_model + d_model)


# %% mistake="count-decoder-as-encoder" task="block-parameters" misses="count-decoder" of="plain"
# That is the encoder block. A decoder block has one more attention and one more normalisation.
# ko: 인코더 블록의 수입니다. 디코더 블록에는 어텐션과 정규화가 하나씩 더 있습니다.
# - 2 * attention + network + 3 * norm
# + attention + network + 2 * norm


# %% mistake="count-one-attention" task="block-parameters" misses="count-decoder" of="plain"
# A decoder block has two attentions.
# ko: 디코더 블록에는 어텐션이 두 개 있습니다.
# - 2 * attention
# + attention


# %% mistake="count-two-norms" task="block-parameters" misses="count-decoder" of="plain"
# A decoder block has three normalisations.
# ko: 디코더 블록에는 정규화가 세 개 있습니다.
# - 3 * norm
# + 2 * norm


# %% mistake="count-any-kind" task="block-parameters" misses="count-bad-kind" of="plain"
# A kind that is neither encoder nor decoder should raise a ValueError that names it.
# ko: kind가 encoder도 decoder도 아니면 그 값을 밝히는 ValueError를 일으켜야 합니다.
# -     if kind not in ("encoder", "decoder"):
# -         raise ValueError(f"kind must be encoder or decoder, not kind={kind}")


# %% mistake="count-key-error" task="block-parameters" misses="count-bad-kind" of="plain"
# A KeyError is no ValueError. Check the kind yourself.
# ko: KeyError는 ValueError가 아닙니다. kind를 직접 확인하세요.
# - ValueError(f"kind must be encoder or decoder, not kind={kind}")
# + KeyError(kind)


# %% mistake="count-any-heads" task="block-parameters" misses="count-bad-heads" of="plain"
# A number of heads that doesn't divide d_model should raise a ValueError that names both.
# ko: d_model이 헤드의 수로 나누어떨어지지 않으면 둘의 이름을 밝히는 ValueError를 일으켜야 합니다.
# -     if d_model % num_heads:
# -         raise ValueError(f"num_heads={num_heads} does not divide d_model={d_model}")


# %% mistake="ff-drops-inputs-too" task="feed-forward" misses="ff-dropout-place" of="plain"
# There are two dropouts: one before the first dense layer, and one between the two. Only the second belongs here.
# ko: 드롭아웃이 두 번 있습니다. 첫째 완전 연결 계층 앞에 하나, 두 계층 사이에 하나입니다. 여기에는 두 계층 사이의 것만 있어야 합니다.
# - self.inner(x)
# + self.inner(self.dropout(x))


# %% mistake="encoder-drops-what-goes-in" task="encoder-block" misses="encoder-dropout-places" of="plain"
# What goes into each sublayer is dropped. Dropout belongs on what the sublayer adds.
# ko: 하위 계층마다 입력에 드롭아웃이 적용됩니다. 드롭아웃은 하위 계층이 더하는 것에 적용하세요.
# - y = self.norm1(x)
# + y = self.dropout1(self.norm1(x))
# - self.dropout1(self.attention(y, y, attention_mask=mask))
# + self.attention(y, y, attention_mask=mask)
# - y = self.norm2(x)
# + y = self.dropout2(self.norm2(x))
# - self.dropout2(self.feed_forward(y))
# + self.feed_forward(y)


# %% mistake="decoder-drops-what-goes-in" task="decoder-block" misses="decoder-dropout-places" of="plain"
# What goes into each sublayer is dropped. Dropout belongs on what the sublayer adds.
# ko: 하위 계층마다 입력에 드롭아웃이 적용됩니다. 드롭아웃은 하위 계층이 더하는 것에 적용하세요.
# - y = self.norm1(x)
# + y = self.dropout1(self.norm1(x))
# - self.dropout1(self.self_attention(y, y, attention_mask=self_mask))
# + self.self_attention(y, y, attention_mask=self_mask)
# - y = self.norm2(x)
# + y = self.dropout2(self.norm2(x))
# - self.dropout2(self.cross_attention(y, memory, attention_mask=memory_mask))
# + self.cross_attention(y, memory, attention_mask=memory_mask)
# - y = self.norm3(x)
# + y = self.dropout3(self.norm3(x))
# - self.dropout3(self.feed_forward(y))
# + self.feed_forward(y)
