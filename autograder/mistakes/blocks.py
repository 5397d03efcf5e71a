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


def _mistake(id: str, task: str, hint: str, fails: set[str], right: str, *edits: tuple[str, str]) -> Mistake:
    return Mistake(id, task, Text(hint), _with(right, *edits), frozenset(fails))


_NORM_MISTAKES = (
    _mistake(
        "norm-over-tokens",
        "layer-norm",
        "Mean and variance were taken over the tokens of a sequence. Each token is normalised over its own features: the last axis.",
        {"norm-values"},
        NORM,
        ("axis=-1", "axis=-2"),
    ),
    _mistake(
        "norm-over-batch",
        "layer-norm",
        "Mean and variance were taken over the batch: that is batch normalisation. Each token is normalised over its own features.",
        {"norm-values"},
        NORM,
        ("axis=-1", "axis=0"),
    ),
    _mistake(
        "norm-over-everything",
        "layer-norm",
        "One mean and one variance were taken for the whole array. Each token has its own: axis=-1, keepdims=True.",
        {"norm-values"},
        NORM,
        ("(x, axis=-1, keepdims=True)", "(x)"),
    ),
    _mistake(
        "norm-over-sequence",
        "layer-norm",
        "Mean and variance were taken over all tokens of a sequence together. Each token has its own.",
        {"norm-values"},
        NORM,
        ("axis=-1", "axis=(1, 2)"),
    ),
    _mistake(
        "norm-sample-variance",
        "layer-norm",
        "The variance was divided by d - 1, as for a sample. Layer normalisation divides by d. (`torch.std` and `ddof=1` divide by d - 1.)",
        {"norm-values"},
        NORM,
        ("np.var(x, axis=-1, keepdims=True)", "np.var(x, axis=-1, ddof=1, keepdims=True)"),
    ),
    _mistake(
        "norm-without-root",
        "layer-norm",
        "It was divided by the variance. Divide by its square root.",
        {"norm-values"},
        NORM,
        ("np.sqrt(variance + epsilon)", "(variance + epsilon)"),
    ),
    _mistake(
        "norm-not-centred",
        "layer-norm",
        "The mean is not taken off.",
        {"norm-values"},
        NORM,
        ("(x - mean)", "x"),
    ),
    _mistake(
        "norm-root-mean-square",
        "layer-norm",
        "That is the root-mean-square normalisation of later models. Here the mean is taken off first.",
        {"norm-values"},
        NORM,
        ("(x - mean)", "x"),
        ("np.var(x, axis=-1", "np.mean(np.square(x), axis=-1"),
    ),
    _mistake(
        "norm-only-centred",
        "layer-norm",
        "The mean is taken off, but nothing is divided by the standard deviation.",
        {"norm-values"},
        NORM,
        (" / np.sqrt(variance + epsilon)", ""),
    ),
    _mistake(
        "norm-absolute-deviation",
        "layer-norm",
        "It was divided by the mean absolute deviation. The variance is the mean of the squares.",
        {"norm-values"},
        NORM,
        ("np.var(x, axis=-1, keepdims=True)", "np.mean(np.abs(x - mean), axis=-1, keepdims=True)"),
        ("np.sqrt(variance + epsilon)", "(variance + epsilon)"),
    ),
    _mistake(
        "norm-epsilon-outside",
        "layer-norm",
        "Epsilon was added to the standard deviation. It belongs under the root, added to the variance.",
        {"norm-epsilon"},
        NORM,
        ("np.sqrt(variance + epsilon)", "(np.sqrt(variance) + epsilon)"),
    ),
    _mistake(
        "norm-epsilon-ignored",
        "layer-norm",
        "The argument epsilon has no effect.",
        {"norm-epsilon"},
        NORM,
        ("variance + epsilon", "variance + 1e-6"),
    ),
    _mistake(
        "norm-epsilon-squared",
        "layer-norm",
        "Epsilon was squared before it was added to the variance.",
        {"norm-epsilon"},
        NORM,
        ("variance + epsilon", "variance + epsilon**2"),
    ),
    _mistake(
        "norm-epsilon-default",
        "layer-norm",
        "The default of epsilon is 1e-6. 1e-3 is that of keras.layers.LayerNormalization.",
        {"norm-epsilon"},
        NORM,
        ("epsilon=1e-6", "epsilon=1e-3"),
    ),
    _mistake(
        "norm-no-epsilon",
        "layer-norm",
        "Without epsilon a token whose features are all equal is 0 / 0.",
        {"norm-epsilon", "norm-constant-token"},
        NORM,
        ("variance + epsilon", "variance"),
    ),
    _mistake(
        "norm-gamma-ignored",
        "layer-norm",
        "gamma has no effect: it scales each feature.",
        {"norm-gamma-beta", "norm-leading-dimensions"},
        NORM,
        ("gamma * normalised", "normalised"),
    ),
    _mistake(
        "norm-beta-ignored",
        "layer-norm",
        "beta has no effect: it is added at the end.",
        {"norm-gamma-beta", "norm-constant-token", "norm-leading-dimensions"},
        NORM,
        (" + beta", ""),
    ),
    _mistake(
        "norm-both-ignored",
        "layer-norm",
        "gamma and beta have no effect.",
        {"norm-gamma-beta", "norm-constant-token", "norm-leading-dimensions"},
        NORM,
        ("gamma * normalised + beta", "normalised"),
    ),
    _mistake(
        "norm-shifted-first",
        "layer-norm",
        "beta was added before gamma scaled the sum. Scale first, then shift.",
        {"norm-gamma-beta", "norm-constant-token", "norm-leading-dimensions"},
        NORM,
        ("gamma * normalised + beta", "gamma * (normalised + beta)"),
    ),
    _mistake(
        "norm-roles-swapped",
        "layer-norm",
        "gamma and beta have each other's role: gamma scales, beta shifts.",
        # with gamma 1 and beta 0 in each other's place every token becomes 1: nothing else can be looked at
        {"norm-values", "norm-gamma-beta", "norm-constant-token"},
        NORM,
        ("gamma * normalised + beta", "beta * normalised + gamma"),
    ),
    _mistake(
        "norm-three-axes-only",
        "layer-norm",
        "It works for (batch, seq_len, features) only. Any leading dimensions are allowed.",
        {"norm-leading-dimensions"},
        NORM,
        ("    mean =", "    batch, seq_len, features = np.shape(x)\n    mean ="),
    ),
    _mistake(
        "norm-first-token",
        "layer-norm",
        "Only one token comes back: is an axis lost on the way?",
        {"norm-shape"},
        NORM,
        ("return gamma * normalised + beta", "return (gamma * normalised + beta)[:, 0]"),
    ),
)

_FEED_FORWARD_MISTAKES = (
    _mistake(
        "ff-swapped-widths",
        "feed-forward",
        "ff_dim and d_model have changed places: the output should be as wide as d_model.",
        {"ff-builds"},
        FEED_FORWARD,
        ('Dense(ff_dim, activation="relu")', 'Dense(d_model, activation="relu")'),
        ("self.outer = keras.layers.Dense(d_model)", "self.outer = keras.layers.Dense(ff_dim)"),
    ),
    _mistake(
        "ff-without-biases",
        "feed-forward",
        "The dense layers have no biases.",
        {"ff-weights"},
        FEED_FORWARD,
        ('activation="relu")', 'activation="relu", use_bias=False)'),
        ("Dense(d_model)", "Dense(d_model, use_bias=False)"),
    ),
    _mistake(
        "ff-with-norm",
        "feed-forward",
        "There is a layer normalisation in the feed-forward network. It belongs to the block.",
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
        "There is no ReLU between the two dense layers: together they are then one dense layer.",
        {"ff-values"},
        FEED_FORWARD,
        (', activation="relu"', ""),
    ),
    _mistake(
        "ff-relu-last",
        "feed-forward",
        "The ReLU comes after the second dense layer. It stands between the two.",
        {"ff-values"},
        FEED_FORWARD,
        (', activation="relu"', ""),
        ("Dense(d_model)", 'Dense(d_model, activation="relu")'),
    ),
    _mistake(
        "ff-two-relus",
        "feed-forward",
        "Both dense layers have a ReLU. The second has no activation: its result may be negative.",
        {"ff-values"},
        FEED_FORWARD,
        ("Dense(d_model)", 'Dense(d_model, activation="relu")'),
    ),
    _mistake(
        "ff-gelu",
        "feed-forward",
        "The activation is GELU, as in later models. Here it is ReLU.",
        {"ff-values"},
        FEED_FORWARD,
        ('"relu"', '"gelu"'),
    ),
    _mistake(
        "ff-gelu-tanh",
        "feed-forward",
        "The activation is GELU, as in later models. Here it is ReLU.",
        {"ff-values"},
        FEED_FORWARD,
        ('"relu"', "lambda x: keras.activations.gelu(x, approximate=True)"),
    ),
    _mistake(
        "ff-sigmoid",
        "feed-forward",
        "The activation is a sigmoid. Here it is ReLU.",
        {"ff-values"},
        FEED_FORWARD,
        ('"relu"', '"sigmoid"'),
    ),
    _mistake(
        "ff-tanh",
        "feed-forward",
        "The activation is tanh. Here it is ReLU.",
        {"ff-values"},
        FEED_FORWARD,
        ('"relu"', '"tanh"'),
    ),
    _mistake(
        "ff-relu-before",
        "feed-forward",
        "The ReLU is applied to the input. It stands between the two dense layers.",
        {"ff-values"},
        FEED_FORWARD,
        (', activation="relu"', ""),
        ("self.inner(x)", "self.inner(keras.ops.relu(x))"),
    ),
    _mistake(
        "ff-residual",
        "feed-forward",
        "The input is added to the output. The residual connection belongs to the block, not to the feed-forward network.",
        {"ff-values", "ff-dropout-place"},
        FEED_FORWARD,
        ("return self.outer(hidden)", "return x + self.outer(hidden)"),
    ),
    _mistake(
        "ff-never-drops",
        "feed-forward",
        "There is no dropout in training.",
        {"ff-dropout-inference"},
        FEED_FORWARD,
        ("        hidden = self.dropout(hidden)\n", ""),
    ),
    _mistake(
        "ff-always-drops",
        "feed-forward",
        "Something is dropped outside training too. Leave it to Keras: don't pass training=True to the dropout yourself.",
        {"ff-dropout-inference"},
        FEED_FORWARD,
        ("self.dropout(hidden)", "self.dropout(hidden, training=True)"),
    ),
    _mistake(
        "ff-drops-output",
        "feed-forward",
        "The dropout comes after the second dense layer. Here it stands between the two.",
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
        "The dropout comes before the first dense layer. Here it stands between the two.",
        {"ff-dropout-place"},
        FEED_FORWARD,
        ("        hidden = self.dropout(hidden)\n", ""),
        ("self.inner(x)", "self.inner(self.dropout(x))"),
    ),
    _mistake(
        "ff-rate-fixed",
        "feed-forward",
        "The rate is always 0.1, whatever is given.",
        {"ff-dropout-place"},
        FEED_FORWARD,
        ("Dropout(dropout)", "Dropout(0.1)"),
    ),
    _mistake(
        "ff-rate-as-keep",
        "feed-forward",
        "The rate is the share that is dropped, not the share that is kept.",
        {"ff-dropout-place"},
        FEED_FORWARD,
        ("Dropout(dropout)", "Dropout(1 - dropout if dropout else 0.0)"),
    ),
    _mistake(
        "ff-not-rescaled",
        "feed-forward",
        "What is kept in training should be divided by 1 - dropout: keras.layers.Dropout does that.",
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
        "get_config has to return the constructor's arguments, under their own names.",
        {"ff-config"},
        FEED_FORWARD,
        ('        config.update({"ff_dim": self.ff_dim, "d_model": self.d_model, "dropout": self.rate})\n', ""),
    ),
    _mistake(
        "ff-config-without-dropout",
        "feed-forward",
        "The rate is missing in get_config, so the copy has the default's.",
        {"ff-config"},
        FEED_FORWARD,
        (', "dropout": self.rate', ""),
    ),
)


def _both(
    name: str,
    hint: str,
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
        "One normalisation is used in several places. Each has a gamma and a beta of its own.",
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
        "There is one normalisation too many: with pre-norm the last one belongs to the model, not to the block.",
        {"weights", "one-token", "values"},
        (
            "        self.dropout1 =",
            "        self.last_norm = keras.layers.LayerNormalization(epsilon=1e-6)\n        self.dropout1 =",
        ),
        ("            return x + f", "            return self.last_norm(x + f)"),
    ),
    *_both(
        "key-dim-too-wide",
        "key_dim is the width of one head: d_model // num_heads.",
        {"weights"},
        ("key_dim=d_model // num_heads", "key_dim=d_model"),
    ),
    *_both(
        "head-dim-of-1",
        "key_dim is the width of one head: d_model // num_heads.",
        {"weights"},
        ("key_dim=d_model // num_heads", "key_dim=1"),
    ),
    *_both(
        "attention-without-biases",
        "The attention's projections have no biases.",
        {"weights"},
        ("key_dim=d_model // num_heads", "key_dim=d_model // num_heads, use_bias=False"),
    ),
    *_both(
        "no-feed-forward",
        "The block has no feed-forward network.",
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
        "What comes in is not added to what a sublayer computes: the residual connections are missing.",
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
        "What goes into the feed-forward network is not added to what comes out of it.",
        PRE_VALUES,
        ("            return x + f", "            return f"),
    ),
    *_both(
        "residual-of-the-norm",
        "The residual is what came in before the normalisation, not after it.",
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
        "The normalisation is applied to what the sublayer computes, before it is added. Post-norm normalises the sum.",
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
        "The residual is added twice.",
        PRE_VALUES,
        ("            return x + f", "            return x + (x + f)"),
    ),
    *_both(
        "feed-forward-dropped",
        "The feed-forward network is computed and thrown away: what it returns never reaches the output.",
        PRE_VALUES,
        ("            return x + f", "            return x"),
    ),
    *_both(
        "lectures-end",
        "The feed-forward network is computed and thrown away: the block returns its input and its normalised input.",
        PRE_VALUES,
        ("            return x + f", "            return y + x"),
    ),
    *_both(
        "first-residual-only",
        "Each sublayer's output is added to the block's own input. It should be added to what the sublayer before it left.",
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
        "All places use the first normalisation, though others were made.",
        PRE_VALUES,
        ("            y = self.norm2(x)", "            self.norm2(x)\n            y = self.norm1(x)"),
        decoder=(
            ("            y = self.norm2(x)", "            self.norm2(x)\n            y = self.norm1(x)"),
            ("            y = self.norm3(x)", "            self.norm3(x)\n            y = self.norm1(x)"),
        ),
    ),
    *_both(
        "first-norm-only",
        "Only the first sublayer gets normalised input. With pre-norm each of them does.",
        PRE_VALUES,
        ("            y = self.norm2(x)", "            self.norm2(x)\n            y = x"),
        decoder=(
            ("            y = self.norm2(x)", "            self.norm2(x)\n            y = x"),
            ("            y = self.norm3(x)", "            self.norm3(x)\n            y = x"),
        ),
    ),
    *_both(
        "normed-twice",
        "Both the input of a sublayer and the sum behind it are normalised. It is one or the other.",
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
        "norm_first has no effect: the sum is normalised either way.",
        PRE_VALUES,
        ("if self.norm_first:", "if False:"),
    ),
    *_both(
        "always-pre-norm",
        "norm_first has no effect: a sublayer's input is normalised either way.",
        {"post-norm"},
        ("if self.norm_first:", "if True:"),
    ),
    *_both(
        "norm-first-inverted",
        "norm_first is the wrong way round: True normalises what goes into a sublayer.",
        VALUES,
        ("if self.norm_first:", "if not self.norm_first:"),
    ),
    *_both(
        "epsilon",
        "The normalisations have Keras's default epsilon of 1e-3. Write LayerNormalization(epsilon=1e-6).",
        {"epsilon"},
        ("LayerNormalization(epsilon=1e-6)", "LayerNormalization()"),
    ),
    *_both(
        "norm-of-the-batch",
        "That is batch normalisation. Layer normalisation takes each token by itself.",
        {*VALUES, "weights", "dropout"},
        ("LayerNormalization(epsilon=1e-6)", "BatchNormalization(epsilon=1e-6)"),
    ),
    *_both(
        "always-drops",
        "Something is dropped outside training too. Leave it to Keras: don't pass training=True to the dropout yourself.",
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
        "Nothing is dropped in training.",
        {"dropout"},
        ("Dropout(dropout)", "Dropout(0.0)"),
        ("FeedForward(ff_dim, d_model, dropout)", "FeedForward(ff_dim, d_model, 0.0)"),
    ),
    *_both(
        "no-attention-dropout",
        "What the attention adds is never dropped in training.",
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
        "What the feed-forward network adds is never dropped in training.",
        {"dropout-places"},
        ("self.dropout2(self.feed_forward(y))", "self.feed_forward(y)"),
        ("FeedForward(ff_dim, d_model, dropout)", "FeedForward(ff_dim, d_model, 0.0)"),
        decoder=(
            ("self.dropout3(self.feed_forward(y))", "self.feed_forward(y)"),
            ("FeedForward(ff_dim, d_model, dropout)", "FeedForward(ff_dim, d_model, 0.0)"),
        ),
    ),
    *_both(
        "residual-dropped",
        "The sum is dropped, and the residual with it. Dropout belongs on what the sublayer adds, before the sum.",
        {"dropout-places"},
        ("            return x + f", "            return self.dropout2(x + f)"),
    ),
    *_both(
        "rate-fixed",
        "The dropout's rate is always 0.1, whatever is given.",
        {"dropout"},
        ("Dropout(dropout)", "Dropout(0.1)"),
    ),
    *_both(
        "not-rescaled",
        "What is kept in training should be divided by 1 - dropout: keras.layers.Dropout does that.",
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
        "get_config has to return the constructor's arguments, under their own names.",
        {"config"},
        ('        config.update({"d_model": self.d_model, "num_heads": self.num_heads, "ff_dim": self.ff_dim})\n', ""),
    ),
    *_both(
        "config-without-dropout",
        "The rate is missing in get_config, so the copy has the default's.",
        {"config"},
        ('"dropout": self.rate, ', ""),
    ),
    *_both(
        "config-without-norm-first",
        "norm_first is missing in get_config, so the copy has the default's.",
        {"config"},
        (', "norm_first": self.norm_first', ""),
    ),
    *_both(
        "heads-unchecked",
        "Check that num_heads divides d_model and raise a ValueError that names both, with their values.",
        {"bad-heads"},
        (
            '        if d_model % num_heads:\n            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")\n',
            "",
        ),
    ),
)

_ENCODER_MISTAKES = (
    _mistake(
        "encoder-returns-a-pair",
        "encoder-block",
        "The block returns one tensor, not a pair with the attention weights.",
        {"encoder-builds"},
        ENCODER,
        ("            return x + f", "            return x + f, a"),
        ("        return self.norm2(x + f)", "        return self.norm2(x + f), a"),
    ),
    _mistake(
        "encoder-no-attention-residual",
        "encoder-block",
        "What goes into the attention is not added to what comes out of it.",
        {"encoder-one-token", "encoder-values"},
        ENCODER,
        ("x = x + a", "x = a"),
    ),
    _mistake(
        "encoder-query-not-normed",
        "encoder-block",
        "Keys and values come from another tensor than the queries. In self-attention all three are the same, normalised, tensor.",
        {"encoder-values"},
        ENCODER,
        ("self.attention(y, y, attention_mask=mask)", "self.attention(x, y, attention_mask=mask)"),
    ),
    _mistake(
        "encoder-mask-inverted",
        "encoder-block",
        "The mask is handed to Keras as it is. In the lecture's masks 1 hides; in Keras's attention_mask 1 may be attended.",
        {"encoder-mask"},
        ENCODER,
        ("            mask = 1 - mask", "            mask = 1 * mask"),
    ),
    _mistake(
        "encoder-mask-ignored",
        "encoder-block",
        "The mask has no effect.",
        {"encoder-mask"},
        ENCODER,
        ("self.attention(y, y, attention_mask=mask)", "self.attention(y, y)"),
    ),
    _mistake(
        "encoder-mask-ignored-in-post-norm",
        "encoder-block",
        "With norm_first=False the mask has no effect.",
        {"encoder-mask-broadcast"},
        ENCODER,
        ("self.attention(x, x, attention_mask=mask)", "self.attention(x, x)"),
    ),
    _mistake(
        "encoder-mask-of-the-first-row",
        "encoder-block",
        "Only the first query's row of the mask is used, for all queries. Each query has a row of its own.",
        {"encoder-mask"},
        ENCODER,
        ("            mask = 1 - mask", "            mask = 1 - mask[..., :1, :]"),
    ),
    _mistake(
        "encoder-mask-of-the-first-sequence",
        "encoder-block",
        "All sequences get the first one's mask.",
        {"encoder-mask-broadcast"},
        ENCODER,
        ("            mask = 1 - mask", "            mask = 1 - (mask[:1] if len(mask.shape) == 4 else mask)"),
    ),
    _mistake(
        "encoder-always-causal",
        "encoder-block",
        "The encoder hides later tokens by itself. It sees everything that the mask doesn't hide.",
        {"encoder-values", "encoder-post-norm", "encoder-mask"},
        ENCODER,
        ("attention_mask=mask)", "attention_mask=mask, use_causal_mask=True)"),
    ),
)

_DECODER_MISTAKES = (
    _mistake(
        "decoder-of-memory-length",
        "decoder-block",
        "The output is as long as the memory: the queries of the second attention come from the target.",
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
        "One attention does both jobs. Self-attention and cross-attention are two layers with weights of their own.",
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
        "The memory has no effect: the second attention takes its keys and values from it, not from the target.",
        {"decoder-memory", "decoder-values", "decoder-one-token", "decoder-post-norm", "decoder-self-mask"},
        DECODER,
        ("self.cross_attention(y, memory, attention_mask=memory_mask)", "self.cross_attention(y, y)"),
        ("self.cross_attention(x, memory, attention_mask=memory_mask)", "self.cross_attention(x, x)"),
    ),
    _mistake(
        "decoder-cross-twice",
        "decoder-block",
        "Both attentions look at the memory. The first one is self-attention.",
        {"decoder-memory", "decoder-values", "decoder-one-token", "decoder-self-mask"},
        DECODER,
        ("self.self_attention(y, y, attention_mask=self_mask)", "self.self_attention(y, memory)"),
    ),
    _mistake(
        "decoder-memory-normed",
        "decoder-block",
        "The memory is normalised by the block. It comes as it is; only the target's side is normalised.",
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
        "The attention over the memory comes before self-attention. It is the other way round.",
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
        "The attention over the memory has no residual connection.",
        {"decoder-values", "decoder-one-token"},
        DECODER,
        ("x = x + c", "x = c"),
    ),
    _mistake(
        "decoder-self-mask-inverted",
        "decoder-block",
        "self_mask is handed to Keras as it is. In the lecture's masks 1 hides; in Keras's attention_mask 1 may be attended.",
        {"decoder-self-mask"},
        DECODER,
        ("            self_mask = 1 - self_mask", "            self_mask = 1 * self_mask"),
    ),
    _mistake(
        "decoder-self-mask-ignored",
        "decoder-block",
        "self_mask has no effect.",
        {"decoder-self-mask"},
        DECODER,
        ("self.self_attention(y, y, attention_mask=self_mask)", "self.self_attention(y, y)"),
    ),
    _mistake(
        "decoder-always-causal",
        "decoder-block",
        "The block hides later tokens by itself. What is hidden is for the caller to say, by self_mask.",
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
        "memory_mask is handed to Keras as it is. In the lecture's masks 1 hides; in Keras's attention_mask 1 may be attended.",
        {"decoder-memory-mask"},
        DECODER,
        ("            memory_mask = 1 - memory_mask", "            memory_mask = 1 * memory_mask"),
    ),
    _mistake(
        "decoder-memory-mask-ignored",
        "decoder-block",
        "memory_mask has no effect.",
        {"decoder-memory-mask"},
        DECODER,
        ("self.cross_attention(y, memory, attention_mask=memory_mask)", "self.cross_attention(y, memory)"),
    ),
    _mistake(
        "decoder-self-mask-ignored-in-post-norm",
        "decoder-block",
        "With norm_first=False self_mask has no effect.",
        {"decoder-self-mask"},
        DECODER,
        ("self.self_attention(x, x, attention_mask=self_mask)", "self.self_attention(x, x)"),
    ),
    _mistake(
        "decoder-memory-mask-ignored-in-post-norm",
        "decoder-block",
        "With norm_first=False memory_mask has no effect.",
        {"decoder-memory-mask"},
        DECODER,
        ("self.cross_attention(x, memory, attention_mask=memory_mask)", "self.cross_attention(x, memory)"),
    ),
    _mistake(
        "decoder-masks-swapped",
        "decoder-block",
        "The masks have changed places: self_mask belongs to self-attention, memory_mask to the attention over the memory.",
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
        "count-not-a-number",
        "block-parameters",
        "It returns the parts. Add them up.",
        {"count-is-a-number"},
        COUNT,
        ("return attention + network + 2 * norm", "return attention, network, 2 * norm"),
    ),
    _mistake(
        "count-without-biases",
        "block-parameters",
        "The biases of the dense layers are missing: those of the attention's projections and of the feed-forward network.",
        {"count-encoder", "count-decoder"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "4 * d_model * d_model"),
        ("d_model * ff_dim + ff_dim + ff_dim * d_model + d_model", "2 * d_model * ff_dim"),
    ),
    _mistake(
        "count-without-attention-biases",
        "block-parameters",
        "The biases of the attention's four projections are missing.",
        {"count-encoder", "count-decoder"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "4 * d_model * d_model"),
    ),
    _mistake(
        "count-without-network-biases",
        "block-parameters",
        "The biases of the feed-forward network are missing.",
        {"count-encoder", "count-decoder"},
        COUNT,
        ("d_model * ff_dim + ff_dim + ff_dim * d_model + d_model", "2 * d_model * ff_dim"),
    ),
    _mistake(
        "count-without-norms",
        "block-parameters",
        "The normalisations are missing: each has a gamma and a beta.",
        {"count-encoder", "count-decoder"},
        COUNT,
        ("norm = 2 * d_model", "norm = 0"),
    ),
    _mistake(
        "count-one-norm",
        "block-parameters",
        "Only one normalisation is counted. Each sublayer has one.",
        {"count-encoder", "count-decoder"},
        COUNT,
        ("2 * norm", "norm"),
        ("3 * norm", "norm"),
    ),
    _mistake(
        "count-norm-without-beta",
        "block-parameters",
        "A normalisation has two vectors, gamma and beta.",
        {"count-encoder", "count-decoder"},
        COUNT,
        ("norm = 2 * d_model", "norm = d_model"),
    ),
    _mistake(
        "count-a-norm-too-many",
        "block-parameters",
        "There is one normalisation too many: one belongs to each sublayer, none to the end of a block.",
        {"count-encoder", "count-decoder"},
        COUNT,
        ("3 * norm", "4 * norm"),
        ("2 * norm", "3 * norm"),
    ),
    _mistake(
        "count-without-output-projection",
        "block-parameters",
        "An attention has four projections: query, key, value and output.",
        {"count-encoder", "count-decoder"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "3 * (d_model * d_model + d_model)"),
    ),
    _mistake(
        "count-key-dim-too-wide",
        "block-parameters",
        "That is an attention whose every head is d_model wide. A head has d_model // num_heads features.",
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
        "The attention is counted once for each head. The heads share d_model among them.",
        {"count-encoder", "count-decoder"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "4 * num_heads * (d_model * d_model + d_model)"),
    ),
    _mistake(
        "count-decoder-as-encoder",
        "block-parameters",
        "That is the encoder block. A decoder block has one more attention and one more normalisation.",
        {"count-decoder"},
        COUNT,
        ("return 2 * attention + network + 3 * norm", "return attention + network + 2 * norm"),
    ),
    _mistake(
        "count-one-attention",
        "block-parameters",
        "A decoder block has two attentions.",
        {"count-decoder"},
        COUNT,
        ("return 2 * attention", "return attention"),
    ),
    _mistake(
        "count-two-norms",
        "block-parameters",
        "A decoder block has three normalisations.",
        {"count-decoder"},
        COUNT,
        ("3 * norm", "2 * norm"),
    ),
    _mistake(
        "count-any-kind",
        "block-parameters",
        "A kind that is neither encoder nor decoder should raise a ValueError that names it.",
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
        "A KeyError is no ValueError. Check the kind yourself.",
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
        "A number of heads that doesn't divide d_model should raise a ValueError that names both.",
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
