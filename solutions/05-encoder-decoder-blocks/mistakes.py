"""Known wrong answers of `05-encoder-decoder-blocks`: each is a right cell with one edit."""

from __future__ import annotations

from autograder.mistakes import Mistake
from autograder.text import Text

__all__ = ["MISTAKES"]

NORM = """
def layer_norm(x, gamma, beta, epsilon=1e-6):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    normalised = (x - mean) / np.sqrt(variance + epsilon)
    return gamma * normalised + beta
"""

FEED_FORWARD = """
class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim = ff_dim
        self.d_model = d_model
        self.rate = dropout
        self.inner = keras.layers.Dense(ff_dim, activation="relu")
        self.outer = keras.layers.Dense(d_model)
        self.dropout = keras.layers.Dropout(dropout)

    def call(self, x):
        hidden = self.inner(x)
        hidden = self.dropout(hidden)
        return self.outer(hidden)

    def get_config(self):
        config = super().get_config()
        config.update({"ff_dim": self.ff_dim, "d_model": self.d_model, "dropout": self.rate})
        return config
"""

ENCODER = """
class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
        self.d_model, self.num_heads, self.ff_dim = d_model, num_heads, ff_dim
        self.rate = dropout
        self.norm_first = norm_first
        self.attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.feed_forward = FeedForward(ff_dim, d_model, dropout)
        self.norm1 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.dropout1 = keras.layers.Dropout(dropout)
        self.dropout2 = keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        if mask is not None:
            mask = 1 - mask
        if self.norm_first:
            y = self.norm1(x)
            a = self.dropout1(self.attention(y, y, attention_mask=mask))
            x = x + a
            y = self.norm2(x)
            f = self.dropout2(self.feed_forward(y))
            return x + f
        a = self.dropout1(self.attention(x, x, attention_mask=mask))
        x = self.norm1(x + a)
        f = self.dropout2(self.feed_forward(x))
        return self.norm2(x + f)

    def get_config(self):
        config = super().get_config()
        config.update({"d_model": self.d_model, "num_heads": self.num_heads, "ff_dim": self.ff_dim})
        config.update({"dropout": self.rate, "norm_first": self.norm_first})
        return config
"""

DECODER = """
class DecoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
        self.d_model, self.num_heads, self.ff_dim = d_model, num_heads, ff_dim
        self.rate = dropout
        self.norm_first = norm_first
        self.self_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.cross_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.feed_forward = FeedForward(ff_dim, d_model, dropout)
        self.norm1 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.norm3 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.dropout1 = keras.layers.Dropout(dropout)
        self.dropout2 = keras.layers.Dropout(dropout)
        self.dropout3 = keras.layers.Dropout(dropout)

    def call(self, x, memory, self_mask=None, memory_mask=None):
        if self_mask is not None:
            self_mask = 1 - self_mask
        if memory_mask is not None:
            memory_mask = 1 - memory_mask
        if self.norm_first:
            y = self.norm1(x)
            a = self.dropout1(self.self_attention(y, y, attention_mask=self_mask))
            x = x + a
            y = self.norm2(x)
            c = self.dropout2(self.cross_attention(y, memory, attention_mask=memory_mask))
            x = x + c
            y = self.norm3(x)
            f = self.dropout3(self.feed_forward(y))
            return x + f
        a = self.dropout1(self.self_attention(x, x, attention_mask=self_mask))
        x = self.norm1(x + a)
        c = self.dropout2(self.cross_attention(x, memory, attention_mask=memory_mask))
        x = self.norm2(x + c)
        f = self.dropout3(self.feed_forward(x))
        return self.norm3(x + f)

    def get_config(self):
        config = super().get_config()
        config.update({"d_model": self.d_model, "num_heads": self.num_heads, "ff_dim": self.ff_dim})
        config.update({"dropout": self.rate, "norm_first": self.norm_first})
        return config
"""

COUNT = """
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    if kind not in ("encoder", "decoder"):
        raise ValueError(f"kind must be encoder or decoder, not kind={kind}")
    if d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} does not divide d_model={d_model}")
    attention = 4 * (d_model * d_model + d_model)
    network = d_model * ff_dim + ff_dim + ff_dim * d_model + d_model
    norm = 2 * d_model
    if kind == "encoder":
        return attention + network + 2 * norm
    return 2 * attention + network + 3 * norm
"""


def _with(code: str, *edits: tuple[str, str]) -> str:
    """Return `code` with each text replaced everywhere; each must occur."""
    for right, wrong in edits:
        if right not in code:
            raise ValueError(f"The text must occur. Received: {right!r}.")
        code = code.replace(right, wrong)
    return code.strip() + "\n"


def _mistake(id: str, task: str, hint: Text, fails: set[str], right: str, *edits: tuple[str, str]) -> Mistake:
    return Mistake(id, task, hint, _with(right, *edits), frozenset(fails))


_NORM_MISTAKES = (
    _mistake(
        "norm-over-tokens",
        "layer-norm",
        Text(
            "Mean and variance were taken over the tokens of a sequence. Each token is normalised over its own features: the last axis.",
            "평균과 분산을 한 시퀀스의 토큰들에 걸쳐 구했습니다. 토큰마다 자기 특징들, 곧 마지막 축으로 정규화하세요.",
        ),
        {"norm-values"},
        NORM,
        ("axis=-1", "axis=-2"),
    ),
    _mistake(
        "norm-over-batch",
        "layer-norm",
        Text(
            "Mean and variance were taken over the batch: that is batch normalisation. Each token is normalised over its own features.",
            "평균과 분산을 배치에 걸쳐 구했습니다. 그것은 배치 정규화(batch normalisation)입니다. 토큰마다 자기 특징들로 정규화하세요.",
        ),
        {"norm-values"},
        NORM,
        ("axis=-1", "axis=0"),
    ),
    _mistake(
        "norm-over-everything",
        "layer-norm",
        Text(
            "One mean and one variance were taken for the whole array. Each token has its own: axis=-1, keepdims=True.",
            "배열 전체에서 평균 하나와 분산 하나를 구했습니다. 토큰마다 따로 구해야 합니다: axis=-1, keepdims=True.",
        ),
        {"norm-values"},
        NORM,
        ("(x, axis=-1, keepdims=True)", "(x)"),
    ),
    _mistake(
        "norm-over-sequence",
        "layer-norm",
        Text(
            "Mean and variance were taken over all tokens of a sequence together. Each token has its own.",
            "평균과 분산을 한 시퀀스의 모든 토큰에서 한꺼번에 구했습니다. 토큰마다 따로 구해야 합니다.",
        ),
        {"norm-values"},
        NORM,
        ("axis=-1", "axis=(1, 2)"),
    ),
    _mistake(
        "norm-sample-variance",
        "layer-norm",
        Text(
            "The variance was divided by d - 1, as for a sample. Layer normalisation divides by d. (`torch.std` and `ddof=1` divide by d - 1.)",
            "분산을 구할 때 표본분산처럼 d - 1로 나누었습니다. 계층 정규화는 d로 나눕니다. (`torch.std`와 `ddof=1`은 d - 1로 나눕니다.)",
        ),
        {"norm-values"},
        NORM,
        ("np.var(x, axis=-1, keepdims=True)", "np.var(x, axis=-1, ddof=1, keepdims=True)"),
    ),
    _mistake(
        "norm-without-root",
        "layer-norm",
        Text(
            "It was divided by the variance. Divide by its square root.",
            "분산으로 나누었습니다. 분산의 제곱근으로 나누세요.",
        ),
        {"norm-values"},
        NORM,
        ("np.sqrt(variance + epsilon)", "(variance + epsilon)"),
    ),
    _mistake(
        "norm-not-centred",
        "layer-norm",
        Text("The mean is not taken off.", "평균을 빼지 않았습니다."),
        {"norm-values"},
        NORM,
        ("(x - mean)", "x"),
    ),
    _mistake(
        "norm-root-mean-square",
        "layer-norm",
        Text(
            "That is the root-mean-square normalisation of later models. Here the mean is taken off first.",
            "뒤에 나온 모델들이 쓰는 RMS 정규화(root-mean-square normalisation)입니다. 여기서는 먼저 평균을 뺍니다.",
        ),
        {"norm-values"},
        NORM,
        ("(x - mean)", "x"),
        ("np.var(x, axis=-1", "np.mean(np.square(x), axis=-1"),
    ),
    _mistake(
        "norm-only-centred",
        "layer-norm",
        Text(
            "The mean is taken off, but nothing is divided by the standard deviation.",
            "평균은 뺐지만 표준편차로 나누지 않았습니다.",
        ),
        {"norm-values"},
        NORM,
        (" / np.sqrt(variance + epsilon)", ""),
    ),
    _mistake(
        "norm-absolute-deviation",
        "layer-norm",
        Text(
            "It was divided by the mean absolute deviation. The variance is the mean of the squares.",
            "평균절대편차로 나누었습니다. 분산은 편차 제곱의 평균입니다.",
        ),
        {"norm-values"},
        NORM,
        ("np.var(x, axis=-1, keepdims=True)", "np.mean(np.abs(x - mean), axis=-1, keepdims=True)"),
        ("np.sqrt(variance + epsilon)", "(variance + epsilon)"),
    ),
    _mistake(
        "norm-epsilon-outside",
        "layer-norm",
        Text(
            "Epsilon was added to the standard deviation. It belongs under the root, added to the variance.",
            "epsilon을 표준편차에 더했습니다. 제곱근 안에서 분산에 더해야 합니다.",
        ),
        {"norm-epsilon"},
        NORM,
        ("np.sqrt(variance + epsilon)", "(np.sqrt(variance) + epsilon)"),
    ),
    _mistake(
        "norm-epsilon-ignored",
        "layer-norm",
        Text("The argument epsilon has no effect.", "인수 epsilon이 쓰이지 않았습니다."),
        {"norm-epsilon"},
        NORM,
        ("variance + epsilon", "variance + 1e-6"),
    ),
    _mistake(
        "norm-epsilon-squared",
        "layer-norm",
        Text("Epsilon was squared before it was added to the variance.", "epsilon을 제곱해서 분산에 더했습니다."),
        {"norm-epsilon"},
        NORM,
        ("variance + epsilon", "variance + epsilon**2"),
    ),
    _mistake(
        "norm-epsilon-default",
        "layer-norm",
        Text(
            "The default of epsilon is 1e-6. 1e-3 is that of keras.layers.LayerNormalization.",
            "epsilon의 기본값은 1e-6입니다. 1e-3은 keras.layers.LayerNormalization의 기본값입니다.",
        ),
        {"norm-epsilon"},
        NORM,
        ("epsilon=1e-6", "epsilon=1e-3"),
    ),
    _mistake(
        "norm-no-epsilon",
        "layer-norm",
        Text(
            "Without epsilon a token whose features are all equal is 0 / 0.",
            "epsilon이 없으면 특징이 모두 같은 토큰은 0 / 0이 됩니다.",
        ),
        {"norm-epsilon", "norm-constant-token"},
        NORM,
        ("variance + epsilon", "variance"),
    ),
    _mistake(
        "norm-gamma-ignored",
        "layer-norm",
        Text(
            "gamma has no effect: it scales each feature.",
            "gamma가 쓰이지 않았습니다. gamma는 특징마다 곱하는 수입니다.",
        ),
        {"norm-gamma-beta", "norm-leading-dimensions"},
        NORM,
        ("gamma * normalised", "normalised"),
    ),
    _mistake(
        "norm-beta-ignored",
        "layer-norm",
        Text("beta has no effect: it is added at the end.", "beta가 쓰이지 않았습니다. beta는 끝에 더하는 수입니다."),
        {"norm-gamma-beta", "norm-constant-token", "norm-leading-dimensions"},
        NORM,
        (" + beta", ""),
    ),
    _mistake(
        "norm-both-ignored",
        "layer-norm",
        Text("gamma and beta have no effect.", "gamma와 beta가 쓰이지 않았습니다."),
        {"norm-gamma-beta", "norm-constant-token", "norm-leading-dimensions"},
        NORM,
        ("gamma * normalised + beta", "normalised"),
    ),
    _mistake(
        "norm-shifted-first",
        "layer-norm",
        Text(
            "beta was added before gamma scaled the sum. Scale first, then shift.",
            "gamma를 곱하기 전에 beta를 더했습니다. 먼저 곱하고 나서 더하세요.",
        ),
        {"norm-gamma-beta", "norm-constant-token", "norm-leading-dimensions"},
        NORM,
        ("gamma * normalised + beta", "gamma * (normalised + beta)"),
    ),
    _mistake(
        "norm-roles-swapped",
        "layer-norm",
        Text(
            "gamma and beta have each other's role: gamma scales, beta shifts.",
            "gamma와 beta의 역할이 서로 바뀌었습니다. gamma는 곱하고 beta는 더합니다.",
        ),
        # with gamma 1 and beta 0 in each other's place every token becomes 1: nothing else can be looked at
        {"norm-values", "norm-gamma-beta", "norm-constant-token"},
        NORM,
        ("gamma * normalised + beta", "beta * normalised + gamma"),
    ),
    _mistake(
        "norm-three-axes-only",
        "layer-norm",
        Text(
            "It works for (batch, seq_len, features) only. Any leading dimensions are allowed.",
            "(batch, seq_len, features)일 때만 작동합니다. 앞의 차원은 어떤 것이든 받을 수 있어야 합니다.",
        ),
        {"norm-leading-dimensions"},
        NORM,
        ("    mean =", "    batch, seq_len, features = np.shape(x)\n    mean ="),
    ),
    _mistake(
        "norm-first-token",
        "layer-norm",
        Text(
            "Only one token comes back: is an axis lost on the way?",
            "토큰이 하나만 나옵니다. 중간에 축이 사라지지 않았나요?",
        ),
        {"norm-shape"},
        NORM,
        ("return gamma * normalised + beta", "return (gamma * normalised + beta)[:, 0]"),
    ),
)

_FEED_FORWARD_MISTAKES: tuple[Mistake, ...] = (
    _mistake(
        "ff-swapped-widths",
        "feed-forward",
        Text(
            "ff_dim and d_model have changed places: the output should be as wide as d_model.",
            "ff_dim과 d_model의 자리가 바뀌었습니다. 출력의 너비는 d_model이어야 합니다.",
        ),
        {"ff-builds"},
        FEED_FORWARD,
        ('Dense(ff_dim, activation="relu")', 'Dense(d_model, activation="relu")'),
        ("self.outer = keras.layers.Dense(d_model)", "self.outer = keras.layers.Dense(ff_dim)"),
    ),
    _mistake(
        "ff-without-biases",
        "feed-forward",
        Text("The dense layers have no biases.", "완전 연결 계층에 편향이 없습니다."),
        {"ff-weights"},
        FEED_FORWARD,
        ('activation="relu")', 'activation="relu", use_bias=False)'),
        ("Dense(d_model)", "Dense(d_model, use_bias=False)"),
    ),
    _mistake(
        "ff-with-norm",
        "feed-forward",
        Text(
            "There is a layer normalisation in the feed-forward network. It belongs to the block.",
            "피드포워드 신경망 안에 계층 정규화가 있습니다. 정규화는 블록이 맡습니다.",
        ),
        {"ff-weights", "ff-values", "ff-dropout-place"},
        FEED_FORWARD,
        (
            "        self.dropout =",
            "        self.norm = keras.layers.LayerNormalization(epsilon=1e-6)\n        self.dropout =",
        ),
        ("self.inner(x)", "self.inner(self.norm(x))"),
    ),
    _mistake(
        "ff-no-relu",
        "feed-forward",
        Text(
            "There is no ReLU between the two dense layers: together they are then one dense layer.",
            "두 완전 연결 계층 사이에 ReLU가 없습니다. 그러면 둘을 합쳐도 완전 연결 계층 하나와 같습니다.",
        ),
        {"ff-values"},
        FEED_FORWARD,
        (', activation="relu"', ""),
    ),
    _mistake(
        "ff-relu-last",
        "feed-forward",
        Text(
            "The ReLU comes after the second dense layer. It stands between the two.",
            "ReLU가 둘째 완전 연결 계층 뒤에 있습니다. 두 계층 사이에 있어야 합니다.",
        ),
        {"ff-values"},
        FEED_FORWARD,
        (', activation="relu"', ""),
        ("Dense(d_model)", 'Dense(d_model, activation="relu")'),
    ),
    _mistake(
        "ff-two-relus",
        "feed-forward",
        Text(
            "Both dense layers have a ReLU. The second has no activation: its result may be negative.",
            "두 완전 연결 계층에 모두 ReLU가 있습니다. 둘째 계층에는 활성화 함수가 없습니다. 결과가 음수여도 됩니다.",
        ),
        {"ff-values"},
        FEED_FORWARD,
        ("Dense(d_model)", 'Dense(d_model, activation="relu")'),
    ),
    _mistake(
        "ff-gelu",
        "feed-forward",
        Text(
            "The activation is GELU, as in later models. Here it is ReLU.",
            "활성화 함수가 뒤에 나온 모델들이 쓰는 GELU입니다. 여기서는 ReLU입니다.",
        ),
        {"ff-values"},
        FEED_FORWARD,
        ('"relu"', '"gelu"'),
    ),
    _mistake(
        "ff-gelu-tanh",
        "feed-forward",
        Text(
            "The activation is GELU, as in later models. Here it is ReLU.",
            "활성화 함수가 뒤에 나온 모델들이 쓰는 GELU입니다. 여기서는 ReLU입니다.",
        ),
        {"ff-values"},
        FEED_FORWARD,
        ('"relu"', "lambda x: keras.activations.gelu(x, approximate=True)"),
    ),
    _mistake(
        "ff-sigmoid",
        "feed-forward",
        Text("The activation is a sigmoid. Here it is ReLU.", "활성화 함수가 시그모이드입니다. 여기서는 ReLU입니다."),
        {"ff-values"},
        FEED_FORWARD,
        ('"relu"', '"sigmoid"'),
    ),
    _mistake(
        "ff-tanh",
        "feed-forward",
        Text("The activation is tanh. Here it is ReLU.", "활성화 함수가 tanh입니다. 여기서는 ReLU입니다."),
        {"ff-values"},
        FEED_FORWARD,
        ('"relu"', '"tanh"'),
    ),
    _mistake(
        "ff-relu-before",
        "feed-forward",
        Text(
            "The ReLU is applied to the input. It stands between the two dense layers.",
            "ReLU를 입력에 적용했습니다. 두 완전 연결 계층 사이에 있어야 합니다.",
        ),
        {"ff-values"},
        FEED_FORWARD,
        (', activation="relu"', ""),
        ("self.inner(x)", "self.inner(keras.ops.relu(x))"),
    ),
    _mistake(
        "ff-residual",
        "feed-forward",
        Text(
            "The input is added to the output. The residual connection belongs to the block, not to the feed-forward network.",
            "출력에 입력을 더했습니다. 잔차 연결은 피드포워드 신경망이 아니라 블록이 맡습니다.",
        ),
        {"ff-values", "ff-dropout-place"},
        FEED_FORWARD,
        ("return self.outer(hidden)", "return x + self.outer(hidden)"),
    ),
    _mistake(
        "ff-never-drops",
        "feed-forward",
        Text("There is no dropout in training.", "학습할 때 드롭아웃이 없습니다."),
        {"ff-dropout-inference"},
        FEED_FORWARD,
        ("        hidden = self.dropout(hidden)\n", ""),
    ),
    _mistake(
        "ff-always-drops",
        "feed-forward",
        Text(
            "Something is dropped outside training too. Leave it to Keras: don't pass training=True to the dropout yourself.",
            "학습이 아닐 때도 드롭아웃이 작동합니다. 케라스에 맡기세요. 드롭아웃에 training=True를 직접 넘기지 마세요.",
        ),
        {"ff-dropout-inference"},
        FEED_FORWARD,
        ("self.dropout(hidden)", "self.dropout(hidden, training=True)"),
    ),
    _mistake(
        "ff-drops-output",
        "feed-forward",
        Text(
            "The dropout comes after the second dense layer. Here it stands between the two.",
            "드롭아웃이 둘째 완전 연결 계층 뒤에 있습니다. 여기서는 두 계층 사이에 있어야 합니다.",
        ),
        {"ff-dropout-place"},
        FEED_FORWARD,
        (
            "        hidden = self.dropout(hidden)\n        return self.outer(hidden)",
            "        return self.dropout(self.outer(hidden))",
        ),
    ),
    _mistake(
        "ff-drops-input",
        "feed-forward",
        Text(
            "The dropout comes before the first dense layer. Here it stands between the two.",
            "드롭아웃이 첫째 완전 연결 계층 앞에 있습니다. 여기서는 두 계층 사이에 있어야 합니다.",
        ),
        {"ff-dropout-place"},
        FEED_FORWARD,
        ("        hidden = self.dropout(hidden)\n", ""),
        ("self.inner(x)", "self.inner(self.dropout(x))"),
    ),
    _mistake(
        "ff-rate-fixed",
        "feed-forward",
        Text("The rate is always 0.1, whatever is given.", "어떤 비율을 주든 늘 0.1입니다."),
        {"ff-dropout-place"},
        FEED_FORWARD,
        ("Dropout(dropout)", "Dropout(0.1)"),
    ),
    _mistake(
        "ff-rate-as-keep",
        "feed-forward",
        Text(
            "The rate is the share that is dropped, not the share that is kept.",
            "비율은 남기는 비율이 아니라 0으로 만드는 비율입니다.",
        ),
        {"ff-dropout-place"},
        FEED_FORWARD,
        ("Dropout(dropout)", "Dropout(1 - dropout if dropout else 0.0)"),
    ),
    _mistake(
        "ff-not-rescaled",
        "feed-forward",
        Text(
            "What is kept in training should be divided by 1 - dropout: keras.layers.Dropout does that.",
            "학습할 때 남은 값은 1 - dropout으로 나누어야 합니다. keras.layers.Dropout이 그렇게 합니다.",
        ),
        {"ff-dropout-place"},
        FEED_FORWARD,
        (
            "hidden = self.dropout(hidden)",
            "hidden = hidden * keras.ops.cast(self.dropout(keras.ops.ones_like(hidden)) > 0, hidden.dtype)",
        ),
    ),
    _mistake(
        "ff-no-config",
        "feed-forward",
        Text(
            "get_config has to return the constructor's arguments, under their own names.",
            "get_config는 생성자의 인수를 제 이름으로 모두 돌려주어야 합니다.",
        ),
        {"ff-config"},
        FEED_FORWARD,
        ('        config.update({"ff_dim": self.ff_dim, "d_model": self.d_model, "dropout": self.rate})\n', ""),
    ),
    _mistake(
        "ff-config-without-dropout",
        "feed-forward",
        Text(
            "The rate is missing in get_config, so the copy has the default's.",
            "get_config에 드롭아웃 비율이 없어서 복사본의 비율이 기본값이 됩니다.",
        ),
        {"ff-config"},
        FEED_FORWARD,
        (', "dropout": self.rate', ""),
    ),
    _mistake(
        "ff-relu6",
        "feed-forward",
        Text(
            "The activation is ReLU6, which cuts everything above 6 off. A ReLU has no upper end.",
            "활성화 함수가 6보다 큰 값을 잘라 내는 ReLU6입니다. ReLU에는 위쪽 한계가 없습니다.",
        ),
        {"ff-values"},
        FEED_FORWARD,
        ('"relu"', '"relu6"'),
    ),
    _mistake(
        "ff-same-units-dropped",
        "feed-forward",
        Text(
            "A fixed seed drops the same hidden units in every call. Use a SeedGenerator, or keras.layers.Dropout.",
            "시드를 고정하면 호출마다 같은 은닉 유닛에 드롭아웃이 적용됩니다. SeedGenerator나 keras.layers.Dropout을 쓰세요.",
        ),
        {"ff-dropout-place"},
        FEED_FORWARD,
        ("    def call(self, x):", "    def call(self, x, training=None):"),
        (
            "hidden = self.dropout(hidden)",
            "hidden = keras.random.dropout(hidden, self.rate, seed=42) if training else hidden",
        ),
    ),
    _mistake(
        "ff-drops-for-all-tokens",
        "feed-forward",
        Text(
            "SpatialDropout1D drops a hidden unit for all tokens of a sequence at once. Each token has a draw of its own.",
            "SpatialDropout1D는 은닉 유닛 하나를 시퀀스의 모든 토큰에서 한꺼번에 0으로 만듭니다. 토큰마다 따로 정해야 합니다.",
        ),
        {"ff-dropout-place"},
        FEED_FORWARD,
        ("layers.Dropout(", "layers.SpatialDropout1D("),
    ),
    _mistake(
        "ff-zero-rate-replaced",
        "feed-forward",
        Text(
            "`dropout or 0.1` makes 0.1 of a rate of 0, for 0 counts as false.",
            "0은 거짓으로 취급되므로 `dropout or 0.1`은 비율 0을 0.1로 바꿉니다.",
        ),
        {"ff-dropout-place"},
        FEED_FORWARD,
        ("Dropout(dropout)", "Dropout(dropout or 0.1)"),
    ),
    _mistake(
        "ff-other-default-rate",
        "feed-forward",
        Text(
            "The default of `dropout` is another than 0.1.",
            "`dropout`의 기본값이 0.1이 아닙니다.",
        ),
        {"ff-dropout-place"},
        FEED_FORWARD,
        ("dropout=0.1", "dropout=0.5"),
    ),
    _mistake(
        "ff-drops-whole-tokens",
        "feed-forward",
        Text(
            "`noise_shape` makes one decision for all hidden units of a token. Leave it out.",
            "`noise_shape` 때문에 한 토큰의 모든 은닉 유닛이 함께 결정됩니다. 빼세요.",
        ),
        {"ff-dropout-place"},
        FEED_FORWARD,
        ("Dropout(dropout)", "Dropout(dropout, noise_shape=(None, None, 1))"),
    ),
    _mistake(
        "ff-arguments-swapped",
        "feed-forward",
        Text(
            "The constructor takes `d_model` before `ff_dim`. `ff_dim` comes first.",
            "생성자가 `d_model`을 `ff_dim`보다 먼저 받습니다. `ff_dim`이 먼저입니다.",
        ),
        {"ff-weights"},
        FEED_FORWARD,
        ("self, ff_dim, d_model", "self, d_model, ff_dim"),
    ),
)


def _both(
    name: str,
    hint: Text,
    fails: set[str],
    *edits: tuple[str, str],
    decoder: tuple[tuple[str, str], ...] = (),
    also: set[str] | None = None,
) -> tuple[Mistake, Mistake]:
    """Return the mistake in the encoder block and in the decoder block.

    Args:
        name: the id without `encoder-` or `decoder-`.
        hint: what it is.
        fails: lines without `encoder-` or `decoder-`.
        edits: of the encoder, and of the decoder where `decoder` gives no others.
        decoder: edits of the decoder.
        also: further lines of the decoder.
    """
    return (
        _mistake(f"encoder-{name}", "encoder-block", hint, {f"encoder-{f}" for f in fails}, ENCODER, *edits),
        _mistake(
            f"decoder-{name}",
            "decoder-block",
            hint,
            {f"decoder-{f}" for f in fails | (also or set())},
            DECODER,
            *(decoder or edits),
        ),
    )


VALUES = {"one-token", "values", "post-norm"}
PRE_VALUES = {"one-token", "values"}

_BLOCK_MISTAKES = (
    *_both(
        "one-norm",
        Text(
            "One normalisation is used in several places. Each has a gamma and a beta of its own.",
            "정규화 하나를 여러 곳에 썼습니다. 곳마다 자기 gamma와 beta가 있는 정규화를 쓰세요.",
        ),
        {"weights"},
        ("        self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)\n", ""),
        ("self.norm2(", "self.norm1("),
        decoder=(
            ("        self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)\n", ""),
            ("        self.norm3 = keras.layers.LayerNormalization(epsilon=1e-6)\n", ""),
            ("self.norm2(", "self.norm1("),
            ("self.norm3(", "self.norm1("),
        ),
    ),
    *_both(
        "a-norm-too-many",
        Text(
            "There is one normalisation too many: with pre-norm the last one belongs to the model, not to the block.",
            "정규화가 하나 많습니다. 사전 정규화에서 마지막 정규화는 블록이 아니라 모델이 맡습니다.",
        ),
        {"weights", "one-token", "values"},
        (
            "        self.dropout1 =",
            "        self.last_norm = keras.layers.LayerNormalization(epsilon=1e-6)\n        self.dropout1 =",
        ),
        ("            return x + f", "            return self.last_norm(x + f)"),
    ),
    *_both(
        "key-dim-too-wide",
        Text(
            "key_dim is the width of one head: d_model // num_heads.",
            "key_dim은 헤드 하나의 너비입니다: d_model // num_heads.",
        ),
        {"weights"},
        ("key_dim=d_model // num_heads", "key_dim=d_model"),
    ),
    *_both(
        "head-dim-of-1",
        Text(
            "key_dim is the width of one head: d_model // num_heads.",
            "key_dim은 헤드 하나의 너비입니다: d_model // num_heads.",
        ),
        {"weights"},
        ("key_dim=d_model // num_heads", "key_dim=1"),
    ),
    *_both(
        "attention-without-biases",
        Text("The attention's projections have no biases.", "어텐션의 투영에 편향이 없습니다."),
        {"weights"},
        ("key_dim=d_model // num_heads", "key_dim=d_model // num_heads, use_bias=False"),
    ),
    *_both(
        "no-feed-forward",
        Text("The block has no feed-forward network.", "블록에 피드포워드 신경망이 없습니다."),
        {"weights", "one-token", "values", "post-norm"},
        (
            "            y = self.norm2(x)\n            f = self.dropout2(self.feed_forward(y))\n            return x + f",
            "            return self.norm2(x)",
        ),
        (
            "        f = self.dropout2(self.feed_forward(x))\n        return self.norm2(x + f)",
            "        return self.norm2(x)",
        ),
        decoder=(
            (
                "            y = self.norm3(x)\n            f = self.dropout3(self.feed_forward(y))\n            return x + f",
                "            return self.norm3(x)",
            ),
            (
                "        f = self.dropout3(self.feed_forward(x))\n        return self.norm3(x + f)",
                "        return self.norm3(x)",
            ),
        ),
    ),
    *_both(
        "no-residual",
        Text(
            "What comes in is not added to what a sublayer computes: the residual connections are missing.",
            "들어온 것을 하위 계층이 계산한 것에 더하지 않았습니다. 잔차 연결이 빠졌습니다.",
        ),
        VALUES,
        ("x = x + a", "x = a"),
        ("return x + f", "return f"),
        ("x = self.norm1(x + a)", "x = self.norm1(a)"),
        ("return self.norm2(x + f)", "return self.norm2(f)"),
        decoder=(
            ("x = x + a", "x = a"),
            ("x = x + c", "x = c"),
            ("return x + f", "return f"),
            ("x = self.norm1(x + a)", "x = self.norm1(a)"),
            ("x = self.norm2(x + c)", "x = self.norm2(c)"),
            ("return self.norm3(x + f)", "return self.norm3(f)"),
        ),
    ),
    *_both(
        "no-feed-forward-residual",
        Text(
            "The feed-forward network has no residual connection: add what came in before the normalisation.",
            "피드포워드 신경망에 잔차 연결이 없습니다. 정규화하기 전에 들어온 것을 더하세요.",
        ),
        PRE_VALUES,
        ("            return x + f", "            return f"),
    ),
    *_both(
        "residual-of-the-norm",
        Text(
            "The residual is what came in before the normalisation, not after it.",
            "잔차는 정규화한 뒤의 것이 아니라 정규화하기 전에 들어온 것입니다.",
        ),
        PRE_VALUES,
        ("x = x + a", "x = y + a"),
        ("            return x + f", "            return y + f"),
        decoder=(
            ("x = x + a", "x = y + a"),
            ("x = x + c", "x = y + c"),
            ("            return x + f", "            return y + f"),
        ),
    ),
    *_both(
        "norm-of-the-sublayer",
        Text(
            "The normalisation is applied to what the sublayer computes, before it is added. Post-norm normalises the sum.",
            "하위 계층이 계산한 것을 더하기 전에 정규화했습니다. 사후 정규화는 더한 합을 정규화합니다.",
        ),
        {"post-norm"},
        ("x = self.norm1(x + a)", "x = x + self.norm1(a)"),
        ("return self.norm2(x + f)", "return x + self.norm2(f)"),
        decoder=(
            ("x = self.norm1(x + a)", "x = x + self.norm1(a)"),
            ("x = self.norm2(x + c)", "x = x + self.norm2(c)"),
            ("return self.norm3(x + f)", "return x + self.norm3(f)"),
        ),
    ),
    *_both(
        "doubled-last-residual",
        Text("The residual is added twice.", "잔차를 두 번 더했습니다."),
        PRE_VALUES,
        ("            return x + f", "            return x + (x + f)"),
    ),
    *_both(
        "feed-forward-dropped",
        Text(
            "The feed-forward network is computed and thrown away: what it returns never reaches the output.",
            "피드포워드 신경망을 계산해 놓고 버렸습니다. 그 결과가 출력에 이르지 않습니다.",
        ),
        PRE_VALUES,
        ("            return x + f", "            return x"),
    ),
    *_both(
        "lectures-end",
        Text(
            "The feed-forward network is computed and thrown away: the block returns its input and its normalised input.",
            "피드포워드 신경망을 계산해 놓고 버렸습니다. 블록이 돌려주는 것은 그 입력과 정규화한 입력의 합입니다.",
        ),
        PRE_VALUES,
        ("            return x + f", "            return y + x"),
    ),
    *_both(
        "first-residual-only",
        Text(
            "Each sublayer's output is added to the block's own input. It should be added to what the sublayer before it left.",
            "하위 계층의 출력을 매번 블록 자체의 입력에 더했습니다. 앞의 하위 계층이 남긴 것에 더해야 합니다.",
        ),
        PRE_VALUES,
        ("            x = x + a", "            block_input, x = x, x + a"),
        ("            return x + f", "            return block_input + f"),
        decoder=(
            ("            x = x + a", "            block_input, x = x, x + a"),
            ("x = x + c", "x = block_input + c"),
            ("            return x + f", "            return block_input + f"),
        ),
    ),
    *_both(
        "one-norm-used",
        Text(
            "All places use the first normalisation, though others were made.",
            "다른 정규화도 만들었지만 모든 곳에서 첫째 정규화를 썼습니다.",
        ),
        PRE_VALUES,
        ("            y = self.norm2(x)", "            self.norm2(x)\n            y = self.norm1(x)"),
        decoder=(
            ("            y = self.norm2(x)", "            self.norm2(x)\n            y = self.norm1(x)"),
            ("            y = self.norm3(x)", "            self.norm3(x)\n            y = self.norm1(x)"),
        ),
    ),
    *_both(
        "first-norm-only",
        Text(
            "Only the first sublayer gets normalised input. With pre-norm each of them does.",
            "첫째 하위 계층만 정규화된 입력을 받습니다. 사전 정규화에서는 하위 계층마다 받아야 합니다.",
        ),
        PRE_VALUES,
        ("            y = self.norm2(x)", "            self.norm2(x)\n            y = x"),
        decoder=(
            ("            y = self.norm2(x)", "            self.norm2(x)\n            y = x"),
            ("            y = self.norm3(x)", "            self.norm3(x)\n            y = x"),
        ),
    ),
    *_both(
        "normed-twice",
        Text(
            "Both the input of a sublayer and the sum behind it are normalised. It is one or the other.",
            "하위 계층의 입력과 그 뒤의 합을 모두 정규화했습니다. 둘 가운데 하나만 정규화하세요.",
        ),
        PRE_VALUES,
        ("x = x + a", "x = self.norm1(x + a)"),
        ("            return x + f", "            return self.norm2(x + f)"),
        decoder=(
            ("x = x + a", "x = self.norm1(x + a)"),
            ("x = x + c", "x = self.norm2(x + c)"),
            ("            return x + f", "            return self.norm3(x + f)"),
        ),
    ),
    *_both(
        "always-post-norm",
        Text(
            "norm_first has no effect: the sum is normalised either way.",
            "norm_first가 쓰이지 않았습니다. 어느 쪽이든 합을 정규화합니다.",
        ),
        PRE_VALUES,
        ("if self.norm_first:", "if False:"),
    ),
    *_both(
        "always-pre-norm",
        Text(
            "norm_first has no effect: a sublayer's input is normalised either way.",
            "norm_first가 쓰이지 않았습니다. 어느 쪽이든 하위 계층의 입력을 정규화합니다.",
        ),
        {"post-norm"},
        ("if self.norm_first:", "if True:"),
    ),
    *_both(
        "norm-first-inverted",
        Text(
            "norm_first is the wrong way round: True normalises what goes into a sublayer.",
            "norm_first가 거꾸로입니다. True이면 하위 계층에 들어가는 것을 정규화합니다.",
        ),
        VALUES,
        ("if self.norm_first:", "if not self.norm_first:"),
    ),
    *_both(
        "epsilon",
        Text(
            "The normalisations have Keras's default epsilon of 1e-3. Write LayerNormalization(epsilon=1e-6).",
            "정규화의 epsilon이 케라스의 기본값인 1e-3입니다. LayerNormalization(epsilon=1e-6)이라고 쓰세요.",
        ),
        {"epsilon"},
        ("LayerNormalization(epsilon=1e-6)", "LayerNormalization()"),
    ),
    *_both(
        "norm-of-the-batch",
        Text(
            "That is batch normalisation. Layer normalisation takes each token by itself.",
            "배치 정규화(batch normalisation)입니다. 계층 정규화는 토큰을 하나씩 따로 정규화합니다.",
        ),
        {*VALUES, "weights", "dropout"},
        ("LayerNormalization(epsilon=1e-6)", "BatchNormalization(epsilon=1e-6)"),
    ),
    *_both(
        "always-drops",
        Text(
            "Something is dropped outside training too. Leave it to Keras: don't pass training=True to the dropout yourself.",
            "학습이 아닐 때도 드롭아웃이 작동합니다. 케라스에 맡기세요. 드롭아웃에 training=True를 직접 넘기지 마세요.",
        ),
        {"dropout"},
        ("self.dropout1(self.", "self.dropout1.call(self."),
        ("attention_mask=mask))", "attention_mask=mask), training=True)"),
        decoder=(
            ("self.dropout2(self.", "self.dropout2.call(self."),
            ("attention_mask=memory_mask))", "attention_mask=memory_mask), training=True)"),
        ),
    ),
    *_both(
        "never-drops",
        Text("Nothing is dropped in training.", "학습할 때 드롭아웃이 전혀 작동하지 않습니다."),
        {"dropout"},
        ("Dropout(dropout)", "Dropout(0.0)"),
        ("FeedForward(ff_dim, d_model, dropout)", "FeedForward(ff_dim, d_model, 0.0)"),
    ),
    *_both(
        "no-attention-dropout",
        Text(
            "What the attention adds is never dropped in training.",
            "학습할 때 어텐션이 더하는 것에 드롭아웃이 적용되지 않습니다.",
        ),
        {"dropout-places"},
        ("self.dropout1(self.attention(y, y, attention_mask=mask))", "self.attention(y, y, attention_mask=mask)"),
        decoder=(
            (
                "self.dropout1(self.self_attention(y, y, attention_mask=self_mask))",
                "self.self_attention(y, y, attention_mask=self_mask)",
            ),
            (
                "self.dropout2(self.cross_attention(y, memory, attention_mask=memory_mask))",
                "self.cross_attention(y, memory, attention_mask=memory_mask)",
            ),
        ),
    ),
    *_both(
        "no-feed-forward-dropout",
        Text(
            "What the feed-forward network adds is never dropped in training.",
            "학습할 때 피드포워드 신경망이 더하는 것에 드롭아웃이 적용되지 않습니다.",
        ),
        {"dropout-places"},
        ("self.dropout2(self.feed_forward(y))", "self.feed_forward(y)"),
        ("FeedForward(ff_dim, d_model, dropout)", "FeedForward(ff_dim, d_model, 0.0)"),
        decoder=(
            ("self.dropout3(self.feed_forward(y))", "self.feed_forward(y)"),
            ("FeedForward(ff_dim, d_model, dropout)", "FeedForward(ff_dim, d_model, 0.0)"),
        ),
    ),
    *_both(
        "no-dropout-behind-feed-forward",
        Text(
            "The hidden units of the feed-forward network are dropped, but not what it adds: another dropout belongs behind it.",
            "피드포워드 신경망의 은닉 유닛에는 드롭아웃이 있지만 신경망이 더하는 것에는 없습니다. 그 뒤에도 드롭아웃이 있어야 합니다.",
        ),
        {"dropout-places"},
        ("self.dropout2(self.feed_forward(y))", "self.feed_forward(y)"),
        decoder=(("self.dropout3(self.feed_forward(y))", "self.feed_forward(y)"),),
    ),
    *_both(
        "no-dropout-inside-feed-forward",
        Text(
            "The feed-forward network of the block is made without the rate: between its two dense layers nothing is dropped.",
            "블록의 피드포워드 신경망에 비율을 주지 않아, 두 완전 연결 계층 사이에서 드롭아웃이 작동하지 않습니다.",
        ),
        {"dropout-places"},
        ("FeedForward(ff_dim, d_model, dropout)", "FeedForward(ff_dim, d_model, 0.0)"),
    ),
    *_both(
        "residual-dropped",
        Text(
            "The sum is dropped, and the residual with it. Dropout belongs on what the sublayer adds, before the sum.",
            "합에 드롭아웃을 적용해 잔차의 일부까지 0이 됩니다. 드롭아웃은 더하기 전에, 하위 계층이 더하는 것에 적용하세요.",
        ),
        {"dropout-places"},
        ("            return x + f", "            return self.dropout2(x + f)"),
    ),
    *_both(
        "rate-fixed",
        Text(
            "The dropout's rate is always 0.1, whatever is given.", "어떤 비율을 주든 드롭아웃의 비율이 늘 0.1입니다."
        ),
        {"dropout"},
        ("Dropout(dropout)", "Dropout(0.1)"),
    ),
    *_both(
        "not-rescaled",
        Text(
            "What is kept in training should be divided by 1 - dropout: keras.layers.Dropout does that.",
            "학습할 때 남은 값은 1 - dropout으로 나누어야 합니다. keras.layers.Dropout이 그렇게 합니다.",
        ),
        {"dropout-places"},
        (
            "            f = self.dropout2(self.feed_forward(y))",
            "            f = self.feed_forward(y)\n            f = f * keras.ops.cast(self.dropout2(keras.ops.ones_like(f)) > 0, f.dtype)",
        ),
        decoder=(
            (
                "            f = self.dropout3(self.feed_forward(y))",
                "            f = self.feed_forward(y)\n            f = f * keras.ops.cast(self.dropout3(keras.ops.ones_like(f)) > 0, f.dtype)",
            ),
        ),
    ),
    *_both(
        "no-config",
        Text(
            "get_config has to return the constructor's arguments, under their own names.",
            "get_config는 생성자의 인수를 제 이름으로 모두 돌려주어야 합니다.",
        ),
        {"config"},
        ('        config.update({"d_model": self.d_model, "num_heads": self.num_heads, "ff_dim": self.ff_dim})\n', ""),
    ),
    *_both(
        "config-without-dropout",
        Text(
            "The rate is missing in get_config, so the copy has the default's.",
            "get_config에 드롭아웃 비율이 없어서 복사본의 비율이 기본값이 됩니다.",
        ),
        {"config"},
        ('"dropout": self.rate, ', ""),
    ),
    *_both(
        "config-without-norm-first",
        Text(
            "norm_first is missing in get_config, so the copy has the default's.",
            "get_config에 norm_first가 없어서 복사본의 norm_first가 기본값이 됩니다.",
        ),
        {"config"},
        (', "norm_first": self.norm_first', ""),
    ),
    *_both(
        "heads-unchecked",
        Text(
            "Check that num_heads divides d_model and raise a ValueError that names both, with their values.",
            "d_model이 num_heads로 나누어떨어지는지 확인하고, 아니면 둘의 이름과 값을 밝히는 ValueError를 일으키세요.",
        ),
        {"bad-heads"},
        (
            '        if d_model % num_heads:\n            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")\n',
            "",
        ),
    ),
)

_ENCODER_MISTAKES: tuple[Mistake, ...] = (
    _mistake(
        "encoder-returns-a-pair",
        "encoder-block",
        Text(
            "The block returns one tensor, not a pair with the attention weights.",
            "블록은 텐서 하나를 돌려줍니다. 어텐션 가중치와의 쌍이 아닙니다.",
        ),
        {"encoder-builds"},
        ENCODER,
        ("            return x + f", "            return x + f, a"),
        ("        return self.norm2(x + f)", "        return self.norm2(x + f), a"),
    ),
    _mistake(
        "encoder-no-attention-residual",
        "encoder-block",
        Text(
            "The attention has no residual connection: add what came in before the normalisation.",
            "어텐션에 잔차 연결이 없습니다. 정규화하기 전에 들어온 것을 더하세요.",
        ),
        {"encoder-one-token", "encoder-values"},
        ENCODER,
        ("x = x + a", "x = a"),
    ),
    _mistake(
        "encoder-query-not-normed",
        "encoder-block",
        Text(
            "Keys and values come from another tensor than the queries. In self-attention all three are the same, normalised, tensor.",
            "키와 값이 쿼리와 다른 텐서에서 나옵니다. 셀프 어텐션에서는 셋이 모두 정규화된 같은 텐서에서 나옵니다.",
        ),
        {"encoder-values"},
        ENCODER,
        ("self.attention(y, y, attention_mask=mask)", "self.attention(x, y, attention_mask=mask)"),
    ),
    _mistake(
        "encoder-mask-inverted",
        "encoder-block",
        Text(
            "The mask is handed to Keras as it is. In the lecture's masks 1 hides; in Keras's attention_mask 1 may be attended.",
            "마스크를 케라스에 그대로 넘겼습니다. 강의의 마스크에서는 1이 가리지만, 케라스의 attention_mask에서 1은 볼 수 있다는 뜻입니다.",
        ),
        {"encoder-mask"},
        ENCODER,
        ("            mask = 1 - mask", "            mask = 1 * mask"),
    ),
    _mistake(
        "encoder-mask-ignored",
        "encoder-block",
        Text("The mask has no effect.", "마스크가 쓰이지 않았습니다."),
        {"encoder-mask"},
        ENCODER,
        ("self.attention(y, y, attention_mask=mask)", "self.attention(y, y)"),
    ),
    _mistake(
        "encoder-mask-ignored-in-post-norm",
        "encoder-block",
        Text("With norm_first=False the mask has no effect.", "norm_first=False일 때 마스크가 쓰이지 않았습니다."),
        {"encoder-mask-broadcast"},
        ENCODER,
        ("self.attention(x, x, attention_mask=mask)", "self.attention(x, x)"),
    ),
    _mistake(
        "encoder-mask-of-four-axes-ignored-in-post-norm",
        "encoder-block",
        Text(
            "With norm_first=False a mask of four axes has no effect.",
            "norm_first=False일 때 축이 네 개인 마스크가 쓰이지 않았습니다.",
        ),
        {"encoder-mask-broadcast"},
        ENCODER,
        (
            "self.attention(x, x, attention_mask=mask)",
            "self.attention(x, x, attention_mask=mask if mask is None or len(mask.shape) == 2 else None)",
        ),
    ),
    _mistake(
        "encoder-dropout-halved-behind-feed-forward",
        "encoder-block",
        Text(
            "The dropout behind the feed-forward network has another rate than the one that was given.",
            "피드포워드 신경망 뒤의 드롭아웃 비율이 주어진 것과 다릅니다.",
        ),
        {"encoder-dropout-places"},
        ENCODER,
        ("self.dropout2 = keras.layers.Dropout(dropout)", "self.dropout2 = keras.layers.Dropout(dropout / 2)"),
    ),
    _mistake(
        "encoder-dropout-fixed-behind-attention",
        "encoder-block",
        Text(
            "The dropout behind the attention has another rate than the one that was given.",
            "어텐션 뒤의 드롭아웃 비율이 주어진 것과 다릅니다.",
        ),
        {"encoder-dropout-places"},
        ENCODER,
        (
            "self.dropout1 = keras.layers.Dropout(dropout)",
            "self.dropout1 = keras.layers.Dropout(0.1 if dropout else 0.0)",
        ),
    ),
    _mistake(
        "decoder-cross-attention-not-dropped",
        "decoder-block",
        Text(
            "Behind the attention over the memory there is no dropout.",
            "메모리에 대한 어텐션 뒤에 드롭아웃이 없습니다.",
        ),
        {"decoder-dropout-places"},
        DECODER,
        ("self.dropout2 = keras.layers.Dropout(dropout)", "self.dropout2 = keras.layers.Dropout(0.0)"),
    ),
    _mistake(
        "decoder-never-drops-in-post-norm",
        "decoder-block",
        Text(
            "With norm_first=False nothing is dropped in training.",
            "norm_first=False이면 학습할 때도 드롭아웃이 작동하지 않습니다.",
        ),
        {"decoder-dropout"},
        DECODER,
        (
            "self.dropout1(self.self_attention(x, x, attention_mask=self_mask))",
            "self.self_attention(x, x, attention_mask=self_mask)",
        ),
        (
            "self.dropout2(self.cross_attention(x, memory, attention_mask=memory_mask))",
            "self.cross_attention(x, memory, attention_mask=memory_mask)",
        ),
        ("self.dropout3(self.feed_forward(x))", "self.feed_forward(x, training=False)"),
    ),
    _mistake(
        "decoder-default-without-dropout",
        "decoder-block",
        Text(
            "The default of `dropout` is 0 instead of 0.1.",
            "`dropout`의 기본값이 0.1이 아니라 0입니다.",
        ),
        {"decoder-dropout"},
        DECODER,
        ("dropout=0.1", "dropout=0.0"),
    ),
    _mistake(
        "decoder-a-dropout-missing-in-post-norm",
        "decoder-block",
        Text(
            "With norm_first=False a sublayer has lost its dropout.",
            "norm_first=False일 때 드롭아웃이 빠진 하위 계층이 있습니다.",
        ),
        {"decoder-dropout-places"},
        DECODER,
        (
            "self.dropout2(self.cross_attention(x, memory, attention_mask=memory_mask))",
            "self.cross_attention(x, memory, attention_mask=memory_mask)",
        ),
    ),
    _mistake(
        "decoder-residual-dropped-in-post-norm",
        "decoder-block",
        Text(
            "With norm_first=False the dropout is on the sum. It belongs on what the sublayer adds.",
            "norm_first=False일 때 드롭아웃이 합에 적용됩니다. 하위 계층이 더하는 것에 적용하세요.",
        ),
        {"decoder-dropout-places"},
        DECODER,
        (
            "a = self.dropout1(self.self_attention(x, x, attention_mask=self_mask))\n        x = self.norm1(x + a)",
            "a = self.self_attention(x, x, attention_mask=self_mask)\n        x = self.norm1(self.dropout1(x + a))",
        ),
    ),
    _mistake(
        "ff-gaussian-noise",
        "feed-forward",
        Text(
            "GaussianDropout multiplies with noise and drops nothing. Dropout sets units to 0.",
            "GaussianDropout은 잡음을 곱할 뿐 아무것도 0으로 만들지 않습니다. Dropout은 유닛을 0으로 만듭니다.",
        ),
        {"ff-dropout-place"},
        FEED_FORWARD,
        ("keras.layers.Dropout(dropout)", "keras.layers.GaussianDropout(dropout)"),
    ),
    _mistake(
        "count-attention-of-one-head-smaller",
        "block-parameters",
        Text(
            "An attention with one head has projections and biases too: heads share the width, whatever their number.",
            "헤드가 하나인 어텐션에도 투영과 편향이 있습니다. 헤드가 몇 개든 너비를 나누어 가질 뿐입니다.",
        ),
        {"count-encoder", "count-decoder"},
        COUNT,
        (
            "4 * (d_model * d_model + d_model)",
            "(4 * (d_model * d_model + d_model) if num_heads > 1 else 2 * d_model * d_model)",
        ),
    ),
    _mistake(
        "encoder-mask-of-the-first-row",
        "encoder-block",
        Text(
            "Only the first query's row of the mask is used, for all queries. Each query has a row of its own.",
            "마스크에서 첫 쿼리의 행만 모든 쿼리에 쓰였습니다. 쿼리마다 자기 행이 있습니다.",
        ),
        {"encoder-mask"},
        ENCODER,
        ("            mask = 1 - mask", "            mask = 1 - mask[..., :1, :]"),
    ),
    _mistake(
        "encoder-mask-of-the-first-sequence",
        "encoder-block",
        Text("All sequences get the first one's mask.", "모든 시퀀스에 첫 시퀀스의 마스크가 쓰였습니다."),
        {"encoder-mask-broadcast"},
        ENCODER,
        ("            mask = 1 - mask", "            mask = 1 - (mask[:1] if len(mask.shape) == 4 else mask)"),
    ),
    _mistake(
        "encoder-always-causal",
        "encoder-block",
        Text(
            "The encoder hides later tokens by itself. It sees everything that the mask doesn't hide.",
            "인코더가 스스로 뒤의 토큰을 가립니다. 인코더는 마스크가 가리지 않은 것을 모두 봅니다.",
        ),
        {"encoder-values", "encoder-post-norm", "encoder-mask"},
        ENCODER,
        ("attention_mask=mask)", "attention_mask=mask, use_causal_mask=True)"),
    ),
    _mistake(
        "encoder-never-drops-in-post-norm",
        "encoder-block",
        Text(
            "With norm_first=False nothing is dropped in training.",
            "norm_first=False이면 학습할 때도 드롭아웃이 작동하지 않습니다.",
        ),
        {"encoder-dropout"},
        ENCODER,
        ("self.dropout1(self.attention(x, x, attention_mask=mask))", "self.attention(x, x, attention_mask=mask)"),
        ("self.dropout2(self.feed_forward(x))", "self.feed_forward(x, training=False)"),
    ),
    _mistake(
        "encoder-default-without-dropout",
        "encoder-block",
        Text(
            "The default of `dropout` is 0 instead of 0.1.",
            "`dropout`의 기본값이 0.1이 아니라 0입니다.",
        ),
        {"encoder-dropout"},
        ENCODER,
        ("dropout=0.1", "dropout=0.0"),
    ),
    _mistake(
        "encoder-a-dropout-missing-in-post-norm",
        "encoder-block",
        Text(
            "With norm_first=False a sublayer has lost its dropout.",
            "norm_first=False일 때 드롭아웃이 빠진 하위 계층이 있습니다.",
        ),
        {"encoder-dropout-places"},
        ENCODER,
        ("self.dropout1(self.attention(x, x, attention_mask=mask))", "self.attention(x, x, attention_mask=mask)"),
    ),
    _mistake(
        "encoder-residual-dropped-in-post-norm",
        "encoder-block",
        Text(
            "With norm_first=False the dropout is on the sum. It belongs on what the sublayer adds.",
            "norm_first=False일 때 드롭아웃이 합에 적용됩니다. 하위 계층이 더하는 것에 적용하세요.",
        ),
        {"encoder-dropout-places"},
        ENCODER,
        (
            "a = self.dropout1(self.attention(x, x, attention_mask=mask))\n        x = self.norm1(x + a)",
            "a = self.attention(x, x, attention_mask=mask)\n        x = self.norm1(self.dropout1(x + a))",
        ),
    ),
    _mistake(
        "encoder-heads-of-even-width",
        "encoder-block",
        Text(
            "It is checked whether d_model is even. The question is whether num_heads divides it.",
            "d_model이 짝수인지 확인하고 있습니다. 확인할 것은 num_heads로 나누어떨어지는지입니다.",
        ),
        {"encoder-bad-heads"},
        ENCODER,
        ("if d_model % num_heads:", "if d_model % 2:"),
    ),
)

_DECODER_MISTAKES = (
    _mistake(
        "decoder-masks-by-elif",
        "decoder-block",
        Text(
            "If both masks are given, only self_mask is flipped: that is `elif` where two `if` are needed.",
            "두 마스크를 함께 주면 self_mask만 뒤집힙니다. `if`가 둘 있어야 할 곳에 `elif`를 썼습니다.",
        ),
        {"decoder-memory-mask"},
        DECODER,
        ("        if memory_mask is not None:", "        elif memory_mask is not None:"),
    ),
    _mistake(
        "decoder-of-memory-length",
        "decoder-block",
        Text(
            "The output is as long as the memory: the queries of the second attention come from the target.",
            "출력의 길이가 메모리와 같습니다. 둘째 어텐션의 쿼리는 타깃에서 나와야 합니다.",
        ),
        {"decoder-builds"},
        DECODER,
        (
            "self.cross_attention(y, memory, attention_mask=memory_mask)",
            "self.cross_attention(memory, y, attention_mask=memory_mask)",
        ),
        ("x = x + c", "x = c"),
    ),
    _mistake(
        "decoder-one-attention",
        "decoder-block",
        Text(
            "One attention does both jobs. Self-attention and cross-attention are two layers with weights of their own.",
            "어텐션 하나가 두 가지 일을 합니다. 셀프 어텐션과 교차 어텐션은 저마다 자기 가중치가 있는 두 계층입니다.",
        ),
        {"decoder-weights"},
        DECODER,
        (
            "        self.cross_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)\n",
            "",
        ),
        ("self.cross_attention(", "self.self_attention("),
    ),
    _mistake(
        "decoder-memory-ignored",
        "decoder-block",
        Text(
            "The memory has no effect: the second attention takes its keys and values from it, not from the target.",
            "메모리가 쓰이지 않았습니다. 둘째 어텐션의 키와 값은 타깃이 아니라 메모리에서 가져옵니다.",
        ),
        {"decoder-memory", "decoder-values", "decoder-one-token", "decoder-post-norm", "decoder-self-mask"},
        DECODER,
        ("self.cross_attention(y, memory, attention_mask=memory_mask)", "self.cross_attention(y, y)"),
        ("self.cross_attention(x, memory, attention_mask=memory_mask)", "self.cross_attention(x, x)"),
    ),
    _mistake(
        "decoder-cross-twice",
        "decoder-block",
        Text(
            "Both attentions look at the memory. The first one is self-attention.",
            "두 어텐션이 모두 메모리를 봅니다. 첫째는 셀프 어텐션입니다.",
        ),
        {"decoder-memory", "decoder-values", "decoder-one-token", "decoder-self-mask"},
        DECODER,
        ("self.self_attention(y, y, attention_mask=self_mask)", "self.self_attention(y, memory)"),
    ),
    _mistake(
        "decoder-memory-normed",
        "decoder-block",
        Text(
            "The memory is normalised by the block. It comes as it is; only the target's side is normalised.",
            "블록이 메모리를 정규화했습니다. 메모리는 그대로 쓰고 타깃 쪽만 정규화하세요.",
        ),
        {"decoder-values", "decoder-one-token"},
        DECODER,
        (
            "self.cross_attention(y, memory, attention_mask",
            "self.cross_attention(y, self.norm2(memory), attention_mask",
        ),
    ),
    _mistake(
        "decoder-cross-first",
        "decoder-block",
        Text(
            "The attention over the memory comes before self-attention. It is the other way round.",
            "메모리에 대한 어텐션이 셀프 어텐션보다 먼저 나옵니다. 순서를 바꾸세요.",
        ),
        {"decoder-values", "decoder-one-token", "decoder-memory-mask"},
        DECODER,
        (
            """            y = self.norm1(x)
            a = self.dropout1(self.self_attention(y, y, attention_mask=self_mask))
            x = x + a
            y = self.norm2(x)
            c = self.dropout2(self.cross_attention(y, memory, attention_mask=memory_mask))
            x = x + c
""",
            """            y = self.norm2(x)
            c = self.dropout2(self.cross_attention(y, memory, attention_mask=memory_mask))
            x = x + c
            y = self.norm1(x)
            a = self.dropout1(self.self_attention(y, y, attention_mask=self_mask))
            x = x + a
""",
        ),
    ),
    _mistake(
        "decoder-no-cross-residual",
        "decoder-block",
        Text(
            "The attention over the memory has no residual connection.", "메모리에 대한 어텐션에 잔차 연결이 없습니다."
        ),
        {"decoder-values", "decoder-one-token"},
        DECODER,
        ("x = x + c", "x = c"),
    ),
    _mistake(
        "decoder-self-mask-inverted",
        "decoder-block",
        Text(
            "self_mask is handed to Keras as it is. In the lecture's masks 1 hides; in Keras's attention_mask 1 may be attended.",
            "self_mask를 케라스에 그대로 넘겼습니다. 강의의 마스크에서는 1이 가리지만, 케라스의 attention_mask에서 1은 볼 수 있다는 뜻입니다.",
        ),
        {"decoder-self-mask"},
        DECODER,
        ("            self_mask = 1 - self_mask", "            self_mask = 1 * self_mask"),
    ),
    _mistake(
        "decoder-self-mask-ignored",
        "decoder-block",
        Text("self_mask has no effect.", "self_mask가 쓰이지 않았습니다."),
        {"decoder-self-mask"},
        DECODER,
        ("self.self_attention(y, y, attention_mask=self_mask)", "self.self_attention(y, y)"),
    ),
    _mistake(
        "decoder-always-causal",
        "decoder-block",
        Text(
            "The block hides later tokens by itself. What is hidden is for the caller to say, by self_mask.",
            "블록이 스스로 뒤의 토큰을 가립니다. 무엇을 가릴지는 호출하는 쪽이 self_mask로 정합니다.",
        ),
        {"decoder-memory", "decoder-values", "decoder-self-mask"},
        DECODER,
        (
            "self.self_attention(y, y, attention_mask=self_mask)",
            "self.self_attention(y, y, attention_mask=self_mask, use_causal_mask=True)",
        ),
    ),
    _mistake(
        "decoder-memory-mask-inverted",
        "decoder-block",
        Text(
            "memory_mask is handed to Keras as it is. In the lecture's masks 1 hides; in Keras's attention_mask 1 may be attended.",
            "memory_mask를 케라스에 그대로 넘겼습니다. 강의의 마스크에서는 1이 가리지만, 케라스의 attention_mask에서 1은 볼 수 있다는 뜻입니다.",
        ),
        {"decoder-memory-mask"},
        DECODER,
        ("            memory_mask = 1 - memory_mask", "            memory_mask = 1 * memory_mask"),
    ),
    _mistake(
        "decoder-memory-mask-ignored",
        "decoder-block",
        Text("memory_mask has no effect.", "memory_mask가 쓰이지 않았습니다."),
        {"decoder-memory-mask"},
        DECODER,
        ("self.cross_attention(y, memory, attention_mask=memory_mask)", "self.cross_attention(y, memory)"),
    ),
    _mistake(
        "decoder-self-mask-ignored-in-post-norm",
        "decoder-block",
        Text("With norm_first=False self_mask has no effect.", "norm_first=False일 때 self_mask가 쓰이지 않았습니다."),
        {"decoder-self-mask"},
        DECODER,
        ("self.self_attention(x, x, attention_mask=self_mask)", "self.self_attention(x, x)"),
    ),
    _mistake(
        "decoder-memory-mask-ignored-in-post-norm",
        "decoder-block",
        Text(
            "With norm_first=False memory_mask has no effect.", "norm_first=False일 때 memory_mask가 쓰이지 않았습니다."
        ),
        {"decoder-memory-mask"},
        DECODER,
        ("self.cross_attention(x, memory, attention_mask=memory_mask)", "self.cross_attention(x, memory)"),
    ),
    _mistake(
        "decoder-masks-swapped",
        "decoder-block",
        Text(
            "The masks have changed places: self_mask belongs to self-attention, memory_mask to the attention over the memory.",
            "두 마스크의 자리가 바뀌었습니다. self_mask는 셀프 어텐션에, memory_mask는 메모리에 대한 어텐션에 씁니다.",
        ),
        {"decoder-self-mask", "decoder-memory-mask"},
        DECODER,
        (
            "self.self_attention(y, y, attention_mask=self_mask)",
            "self.self_attention(y, y, attention_mask=memory_mask)",
        ),
        (
            "self.cross_attention(y, memory, attention_mask=memory_mask)",
            "self.cross_attention(y, memory, attention_mask=self_mask)",
        ),
    ),
)

_COUNT_MISTAKES = (
    _mistake(
        "count-kinds-in-one-string",
        "block-parameters",
        Text(
            "Two strings without a comma between them are one, and `in` then asks whether the kind is a part of it.",
            "쉼표 없이 나란히 쓴 두 문자열은 하나가 되고, `in`은 kind가 그 일부인지를 묻게 됩니다.",
        ),
        {"count-bad-kind"},
        COUNT,
        ('("encoder", "decoder")', '("encoder" "decoder")'),
    ),
    _mistake(
        "count-kind-by-beginning",
        "block-parameters",
        Text(
            "Every kind that begins alike is taken. Compare the whole word.",
            "앞부분만 같으면 어떤 kind든 받아들입니다. 낱말 전체를 비교하세요.",
        ),
        {"count-bad-kind"},
        COUNT,
        ('kind not in ("encoder", "decoder")', 'not kind.startswith(("enc", "dec"))'),
        ('kind == "encoder"', 'kind.startswith("enc")'),
    ),
    _mistake(
        "count-not-a-number",
        "block-parameters",
        Text("It returns the parts. Add them up.", "부분들을 따로 돌려주었습니다. 모두 더하세요."),
        {"count-is-a-number"},
        COUNT,
        ("return attention + network + 2 * norm", "return attention, network, 2 * norm"),
    ),
    _mistake(
        "count-without-biases",
        "block-parameters",
        Text(
            "The biases of the dense layers are missing: those of the attention's projections and of the feed-forward network.",
            "완전 연결 계층의 편향이 빠졌습니다. 어텐션의 투영에도, 피드포워드 신경망에도 편향이 있습니다.",
        ),
        {"count-encoder", "count-decoder"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "4 * d_model * d_model"),
        ("d_model * ff_dim + ff_dim + ff_dim * d_model + d_model", "2 * d_model * ff_dim"),
    ),
    _mistake(
        "count-without-attention-biases",
        "block-parameters",
        Text(
            "The biases of the attention's four projections are missing.", "어텐션의 네 투영에 있는 편향이 빠졌습니다."
        ),
        {"count-encoder", "count-decoder"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "4 * d_model * d_model"),
    ),
    _mistake(
        "count-without-network-biases",
        "block-parameters",
        Text("The biases of the feed-forward network are missing.", "피드포워드 신경망의 편향이 빠졌습니다."),
        {"count-encoder", "count-decoder"},
        COUNT,
        ("d_model * ff_dim + ff_dim + ff_dim * d_model + d_model", "2 * d_model * ff_dim"),
    ),
    _mistake(
        "count-without-norms",
        "block-parameters",
        Text(
            "The normalisations are missing: each has a gamma and a beta.",
            "정규화가 빠졌습니다. 정규화마다 gamma와 beta가 있습니다.",
        ),
        {"count-encoder", "count-decoder"},
        COUNT,
        ("norm = 2 * d_model", "norm = 0"),
    ),
    _mistake(
        "count-one-norm",
        "block-parameters",
        Text(
            "Only one normalisation is counted. Each sublayer has one.",
            "정규화를 하나만 세었습니다. 하위 계층마다 하나씩 있습니다.",
        ),
        {"count-encoder", "count-decoder"},
        COUNT,
        ("2 * norm", "norm"),
        ("3 * norm", "norm"),
    ),
    _mistake(
        "count-norm-without-beta",
        "block-parameters",
        Text("A normalisation has two vectors, gamma and beta.", "정규화 하나에는 벡터가 둘, gamma와 beta가 있습니다."),
        {"count-encoder", "count-decoder"},
        COUNT,
        ("norm = 2 * d_model", "norm = d_model"),
    ),
    _mistake(
        "count-a-norm-too-many",
        "block-parameters",
        Text(
            "There is one normalisation too many: one belongs to each sublayer, none to the end of a block.",
            "정규화가 하나 많습니다. 하위 계층마다 하나씩이고, 블록의 끝에는 없습니다.",
        ),
        {"count-encoder", "count-decoder"},
        COUNT,
        ("3 * norm", "4 * norm"),
        ("2 * norm", "3 * norm"),
    ),
    _mistake(
        "count-without-output-projection",
        "block-parameters",
        Text(
            "An attention has four projections: query, key, value and output.",
            "어텐션의 투영은 쿼리, 키, 값, 출력의 네 개입니다.",
        ),
        {"count-encoder", "count-decoder"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "3 * (d_model * d_model + d_model)"),
    ),
    _mistake(
        "count-key-dim-too-wide",
        "block-parameters",
        Text(
            "That is an attention whose every head is d_model wide. A head has d_model // num_heads features.",
            "헤드마다 너비가 d_model인 어텐션의 수입니다. 헤드 하나의 특징은 d_model // num_heads개입니다.",
        ),
        {"count-encoder", "count-decoder"},
        COUNT,
        (
            "attention = 4 * (d_model * d_model + d_model)",
            "wide = num_heads * d_model\n    attention = 3 * (d_model + 1) * wide + (wide + 1) * d_model",
        ),
    ),
    _mistake(
        "count-times-heads",
        "block-parameters",
        Text(
            "The attention is counted once for each head. The heads share d_model among them.",
            "어텐션을 헤드의 수만큼 여러 번 세었습니다. 헤드들은 d_model을 나누어 가집니다.",
        ),
        {"count-encoder", "count-decoder"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "4 * num_heads * (d_model * d_model + d_model)"),
    ),
    _mistake(
        "count-decoder-as-encoder",
        "block-parameters",
        Text(
            "That is the encoder block. A decoder block has one more attention and one more normalisation.",
            "인코더 블록의 수입니다. 디코더 블록에는 어텐션과 정규화가 하나씩 더 있습니다.",
        ),
        {"count-decoder"},
        COUNT,
        ("return 2 * attention + network + 3 * norm", "return attention + network + 2 * norm"),
    ),
    _mistake(
        "count-one-attention",
        "block-parameters",
        Text("A decoder block has two attentions.", "디코더 블록에는 어텐션이 두 개 있습니다."),
        {"count-decoder"},
        COUNT,
        ("return 2 * attention", "return attention"),
    ),
    _mistake(
        "count-two-norms",
        "block-parameters",
        Text("A decoder block has three normalisations.", "디코더 블록에는 정규화가 세 개 있습니다."),
        {"count-decoder"},
        COUNT,
        ("3 * norm", "2 * norm"),
    ),
    _mistake(
        "count-any-kind",
        "block-parameters",
        Text(
            "A kind that is neither encoder nor decoder should raise a ValueError that names it.",
            "kind가 encoder도 decoder도 아니면 그 값을 밝히는 ValueError를 일으켜야 합니다.",
        ),
        {"count-bad-kind"},
        COUNT,
        (
            '    if kind not in ("encoder", "decoder"):\n        raise ValueError(f"kind must be encoder or decoder, not kind={kind}")\n',
            "",
        ),
    ),
    _mistake(
        "count-key-error",
        "block-parameters",
        Text(
            "A KeyError is no ValueError. Check the kind yourself.",
            "KeyError는 ValueError가 아닙니다. kind를 직접 확인하세요.",
        ),
        {"count-bad-kind"},
        COUNT,
        (
            '        raise ValueError(f"kind must be encoder or decoder, not kind={kind}")',
            "        raise KeyError(kind)",
        ),
    ),
    _mistake(
        "count-any-heads",
        "block-parameters",
        Text(
            "A number of heads that doesn't divide d_model should raise a ValueError that names both.",
            "d_model이 헤드의 수로 나누어떨어지지 않으면 둘의 이름을 밝히는 ValueError를 일으켜야 합니다.",
        ),
        {"count-bad-heads"},
        COUNT,
        (
            '    if d_model % num_heads:\n        raise ValueError(f"num_heads={num_heads} does not divide d_model={d_model}")\n',
            "",
        ),
    ),
)

MISTAKES: tuple[Mistake, ...] = (
    *_NORM_MISTAKES,
    *_FEED_FORWARD_MISTAKES,
    *_BLOCK_MISTAKES,
    *_ENCODER_MISTAKES,
    *_DECODER_MISTAKES,
    *_COUNT_MISTAKES,
)
