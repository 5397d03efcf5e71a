# %% [markdown]
# # Encoder and decoder blocks
#
# Attention moves information between positions. A Transformer needs three more things to become a network that can be
# stacked: something that computes *at* each position (a feed-forward network), something that keeps numbers in a range in
# which learning works (layer normalisation), and a way around every sublayer, so that depth doesn't hurt (residual
# connections). Put together they make a **block**. A Transformer is a pile of them.
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `layer_norm`: mean 0, variance 1 for each token | 3 |
# | 2 | `FeedForward`: two dense layers at each position | 3 |
# | 3 | `EncoderBlock`: self-attention and feed-forward | 5 |
# | 4 | `DecoderBlock`: the same with attention over the encoder's output | 6 |
# | 5 | `block_parameter_count`: what is in them, on paper | 3 |
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each one holds public checks. Points come
# from other inputs after you hand in, in steps. A mistake in one task does not cost you the points of a later one. How you name
# your sublayers and in which order you create them is your own business. NumPy, `keras.ops` and `tf.*` all count the same.
#
# | name | meaning |
# |---|---|
# | `batch` | sequences in a batch |
# | `seq_len` | tokens of the sequence that a block works on (`target_len` in a decoder) |
# | `memory_len` | tokens of the encoder's output, which the decoder attends to |
# | `d_model` | features of a token, the same before and after every block |
# | `num_heads`, `head_dim` | heads, and features of one head: `d_model // num_heads` |
# | `ff_dim` | hidden units of the feed-forward network |
#
# **Masks** follow the lecture: 1 hides, 0 keeps.

# %% locked="setup"
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")

import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops
from matplotlib.colors import ListedColormap

to_numpy = ops.convert_to_numpy


def influence(function, inputs, size=1.0, seed=0):
    """Return how far each output position moves when an input position changes: (output_len, input_len).

    Args:
        function: takes (batch, input_len, features), returns (batch, output_len, features).
        inputs: (input_len, features).
        size: how much a feature is changed by, about.
        seed: of the random changes.
    """
    length, features = inputs.shape
    changed = np.repeat(inputs[None], length + 1, axis=0).astype("float32")  # the last one stays as it is
    steps = size * np.random.default_rng(seed).normal(size=(length, features))
    changed[np.arange(length), np.arange(length)] += steps.astype("float32")
    outputs = to_numpy(function(changed))
    return np.abs(outputs[:-1] - outputs[-1]).max(axis=-1).T


def show_influence(moved, ax, title, xlabel, ylabel):
    """Draw an influence matrix: bright where an output depends on an input, black where it doesn't at all."""
    image = ax.imshow(np.log10(moved + 1e-9), cmap="magma", vmin=-5.5, vmax=1)
    ax.set(title=title, xlabel=xlabel, ylabel=ylabel, xticks=range(moved.shape[1]), yticks=range(moved.shape[0]))
    return image


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## What you bring along
#
# Inside a block you may use `keras.layers.MultiHeadAttention`. If you would rather use your own layer of notebook 03,
# paste it here; then the whole block is your own work. A mistake in it costs nothing in this notebook.
#
# If you use Keras's layer, remember the three things in which it differs from yours:
#
# | | yours | Keras's |
# |---|---|---|
# | size | `d_model` over all heads | `key_dim` of **one** head: `d_model // num_heads` |
# | arguments | `(query, key, value)` | `(query, value, key=value)` |
# | mask | `mask`, 1 hides | `attention_mask`, `True` **may** be attended |


# %% carry_over=true
class MultiHeadAttention(keras.layers.Layer):
    """Multi-head attention from scratch (Vaswani et al. 2017, section 3.2.2), if you want to use your own.

    Args:
        d_model: width over all heads, and of the output.
        num_heads: number of heads.
    """

    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
        self.d_model = d_model
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.query_dense = keras.layers.Dense(d_model)
        self.key_dense = keras.layers.Dense(d_model)
        self.value_dense = keras.layers.Dense(d_model)
        self.output_dense = keras.layers.Dense(d_model)
        ### END SOLUTION

    def compute_mask(self, query, previous_mask=None):
        """Given: no mask goes on to the next layer."""
        return None

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        """Project, attend with every head, project back.

        Args:
            query: (batch, query_len, query_input).
            key: (batch, key_len, key_input).
            value: (batch, key_len, value_input).
            mask: broadcasts to (batch, num_heads, query_len, key_len); 1 hides, 0 keeps.
            return_attention_scores: return the attention weights too.

        Returns:
            output (batch, query_len, d_model), or with return_attention_scores the pair output,
            weights (batch, num_heads, query_len, key_len).
        """

        ### BEGIN SOLUTION
        def heads(x):
            batch, seq_len, _ = ops.shape(x)
            return ops.transpose(ops.reshape(x, (batch, seq_len, self.num_heads, self.head_dim)), (0, 2, 1, 3))

        query, key, value = heads(self.query_dense(query)), heads(self.key_dense(key)), heads(self.value_dense(value))
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / self.head_dim**0.5
        if mask is not None:
            scores = scores - 1e9 * ops.cast(mask, scores.dtype)
        weights = ops.softmax(scores, axis=-1)
        attended = ops.transpose(ops.matmul(weights, value), (0, 2, 1, 3))
        batch, query_len, _, _ = ops.shape(attended)
        output = self.output_dense(ops.reshape(attended, (batch, query_len, self.d_model)))
        return (output, weights) if return_attention_scores else output
        ### END SOLUTION

    def get_config(self):
        """Return the arguments that make this layer again."""
        ### BEGIN SOLUTION
        return {**super().get_config(), "d_model": self.d_model, "num_heads": self.num_heads}
        ### END SOLUTION


# %% [markdown]
# ## Task 1: layer normalisation (3 points)
#
# Every token is brought to mean 0 and variance 1 **over its own features**, then stretched and shifted by two learned vectors
# (Ba, Kiros and Hinton 2016, equation 4, with the $\epsilon$ of every implementation):
#
# $$\mu = \frac{1}{d}\sum_{i=1}^{d} x_i \qquad \sigma^2 = \frac{1}{d}\sum_{i=1}^{d} (x_i - \mu)^2 \qquad
# y_i = \gamma_i\,\frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta_i$$
#
# | | shape |
# |---|---|
# | x | (..., features): any leading dimensions, usually (batch, seq_len, d_model) |
# | μ, σ² | (..., 1): one number a token |
# | γ, β | (features,): the same for all tokens |
# | result | the shape of x |
#
# Three details that decide whether the numbers are right:
#
# - the variance is the **population's**: divided by $d$, not by $d - 1$;
# - $\epsilon$ stands **inside** the root. It keeps a token whose features are all equal from becoming 0 / 0;
# - only the **last axis** is averaged. Nothing passes from one token to another.
#
# For one token of four features, γ = 1 and β = 0: $x = (1, 2, 3, 6)$ has μ = 3 and σ² = (4 + 1 + 0 + 9) / 4 = 3.5, so
# $y = (-2, -1, 0, 3) / \sqrt{3.5} = (-1.069, -0.5345, 0, 1.6036)$.


# %% task="layer-norm"
def layer_norm(x, gamma, beta, epsilon=1e-6):
    """Normalise every token over its features, then scale and shift them.

    Args:
        x: (..., features).
        gamma: (features,), the scale.
        beta: (features,), the shift.
        epsilon: added to the variance, under the root.

    Returns:
        The shape of x.
    """
    ### BEGIN SOLUTION
    x = ops.convert_to_tensor(x)
    gamma, beta = ops.cast(gamma, x.dtype), ops.cast(beta, x.dtype)
    centred = x - ops.mean(x, axis=-1, keepdims=True)
    variance = ops.mean(ops.square(centred), axis=-1, keepdims=True)
    return gamma * centred / ops.sqrt(variance + epsilon) + beta
    ### END SOLUTION


# %% grade="layer-norm" points=3
with checking("layer_norm") as check:
    token = np.array([[1.0, 2.0, 3.0, 6.0]])
    ones, zeros = np.ones(4), np.zeros(4)
    by_hand = np.array([[-2.0, -1.0, 0.0, 3.0]]) / np.sqrt(3.5)
    normalised = layer_norm(token, ones, zeros)
    check.shape(normalised, (1, 4), "(..., features)")
    check.close(
        normalised,
        by_hand,
        "the token (1, 2, 3, 6)",
        hints={
            "the variance was divided by d - 1; it should be divided by d.": np.array([[-2.0, -1.0, 0.0, 3.0]])
            / np.sqrt(14 / 3),
            "it was divided by the variance, not by its root.": np.array([[-2.0, -1.0, 0.0, 3.0]]) / 3.5,
            "the features are not centred: the mean is to be taken off.": token / np.sqrt(3.5),
            "all zeros: the mean was taken along the wrong axis.": np.zeros((1, 4)),
        },
    )
    gamma, beta = np.array([1.0, 2.0, 3.0, 4.0]), np.array([10.0, 20.0, 30.0, 40.0])
    check.close(
        layer_norm(token, gamma, beta),
        gamma * by_hand + beta,
        "scaled by gamma and shifted by beta",
        hints={
            "gamma has no effect.": by_hand + beta,
            "beta has no effect.": gamma * by_hand,
            "the order is: scale by gamma, then add beta.": gamma * (by_hand + beta),
        },
    )
    two_tokens = np.array([[[1.0, 2.0, 3.0, 6.0], [10.0, 20.0, 30.0, 60.0]]])
    whole = (two_tokens - two_tokens.mean()) / two_tokens.std()
    check.close(
        layer_norm(two_tokens, ones, zeros),
        np.stack([by_hand, by_hand], axis=1),
        "two tokens, one ten times the other: the same result",
        hints={"mean and variance were taken over the whole array. Each token has its own.": whole},
    )
    check.close(
        layer_norm(token, ones, zeros, epsilon=1.0),
        np.array([[-2.0, -1.0, 0.0, 3.0]]) / np.sqrt(4.5),
        "epsilon 1",
        hints={
            "epsilon was added to the standard deviation. It stands under the root.": by_hand
            * np.sqrt(3.5)
            / (np.sqrt(3.5) + 1),
            "epsilon has no effect.": by_hand,
        },
    )
    check.close(layer_norm(np.full((1, 4), 7.0), ones, beta), [beta], "equal features give beta, not NaN")
check

# %%
# Three tokens of very different size and position, before and after.
rng = np.random.default_rng(0)
three_tokens = rng.normal(size=(3, 256)) * [[0.3], [2.0], [1.0]] + [[2.0], [-1.0], [6.0]]
after = to_numpy(layer_norm(three_tokens, np.ones(256), np.zeros(256)))
figure, axes = plt.subplots(1, 2, figsize=(10, 3), sharey=True, layout="constrained")
for ax, tokens, title in ((axes[0], three_tokens, "three tokens"), (axes[1], after, "after layer_norm")):
    for number, features in enumerate(tokens):
        ax.hist(
            features,
            bins=np.linspace(-8, 10, 73),
            alpha=0.6,
            label=f"token {number}: {features.mean().round(1) + 0:.1f} ± {features.std():.1f}",
        )
    ax.set(title=title, xlabel="value of a feature", ylabel="features")
    ax.legend(loc="upper left", fontsize=8)
plt.show()

# %% [markdown]
# > **Does this hold?** *"`keras.layers.LayerNormalization()` computes this."*
# >
# > Nearly. Its default ε is **1e-3**, a thousand times that of the paper's code (1e-6). For features of size 1 you see it in
# > the third digit; for small features, say an embedding table that starts at 0.02, it is a different function. So
# > write `LayerNormalization(epsilon=1e-6)`. The same goes for copied code: a widely read one divides by
# > `x.std() + eps` where `std` is the *sample's*: two differences at once. The cell compares them all.

# %%
sizes = np.logspace(-3, 1, 41)
some_token = rng.normal(size=(1, 8))
right = np.stack([to_numpy(layer_norm(size * some_token, np.ones(8), np.zeros(8)))[0] for size in sizes])
others = {"epsilon 1e-3 (Keras's default)": [], "sample variance, epsilon added to it": []}
for size in sizes:
    centred = size * (some_token - some_token.mean())
    others["epsilon 1e-3 (Keras's default)"].append((centred / np.sqrt((centred**2).mean() + 1e-3))[0])
    others["sample variance, epsilon added to it"].append((centred / (centred.std(ddof=1) + 1e-6))[0])
figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
for name, wrong in others.items():
    ax.loglog(sizes, np.abs(np.stack(wrong) - right).max(axis=1), label=name)
ax.axhline(1e-4, color="grey", linestyle=":", label="what float32 can't explain any more")
ax.set(title="How far from the right value?", xlabel="size of the features", ylabel="largest difference")
ax.legend(fontsize=8)
plt.show()

# %% [markdown]
# ## Task 2: the feed-forward network (3 points)
#
# Between two attentions each token is worked on by itself, all with the same two dense layers (Vaswani et al. 2017,
# section 3.3):
#
# $$\mathrm{FFN}(x) = \max(0,\; x W_1 + b_1)\, W_2 + b_2$$
#
# | step | shape |
# |---|---|
# | x | (batch, seq_len, d_model) |
# | dense with ReLU | (batch, seq_len, ff_dim) |
# | **dropout** | (batch, seq_len, ff_dim) |
# | dense, no activation | (batch, seq_len, d_model) |
#
# The hidden layer is wide (four times `d_model` in the paper), so most of a block's parameters are here. Without the ReLU
# the two layers would be one.
#
# **Dropout** works in training only: each hidden unit is set to 0 with probability `dropout`, and the others are divided by
# `1 - dropout`, so that the mean stays. `keras.layers.Dropout` does both, and knows from Keras whether it is training: call
# your layer with `training=True` and every layer inside learns of it.


# %% task="feed-forward"
class FeedForward(keras.layers.Layer):
    """Dense with ReLU, dropout, dense: at each position by itself (Vaswani et al. 2017, section 3.3).

    Args:
        ff_dim: hidden units.
        d_model: features of the output.
        dropout: share of the hidden units that are set to 0 in training.
    """

    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        self.ff_dim = ff_dim
        self.d_model = d_model
        self.rate = dropout
        self.hidden = keras.layers.Dense(ff_dim, activation="relu")
        self.dropout = keras.layers.Dropout(dropout)
        self.output_dense = keras.layers.Dense(d_model)
        ### END SOLUTION

    def call(self, x):
        """Work on every token.

        Args:
            x: (batch, seq_len, d_model).

        Returns:
            (batch, seq_len, d_model).
        """
        ### BEGIN SOLUTION
        return self.output_dense(self.dropout(self.hidden(x)))
        ### END SOLUTION

    def get_config(self):
        """Return the arguments that make this layer again."""
        ### BEGIN SOLUTION
        return {**super().get_config(), "ff_dim": self.ff_dim, "d_model": self.d_model, "dropout": self.rate}
        ### END SOLUTION


# %% grade="feed-forward" points=3
with checking("FeedForward") as check:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(2, 5, 6)).astype("float32")
    layer = FeedForward(ff_dim=20, d_model=6, dropout=0.5)
    output = layer(x)
    check.shape(output, (2, 5, 6), "(batch, seq_len, d_model)")
    count = layer.count_params()
    check.true(
        count == 6 * 20 + 20 + 20 * 6 + 6,
        "two dense layers with biases: 266 parameters",
        f"it has {count} parameters; 6 to 20 and 20 to 6 with biases are 266.",
    )
    check.close(layer(x[:, 2:3]), to_numpy(output)[:, 2:3], "a token's result doesn't depend on the others")
    check.close(layer(x, training=False), output, "nothing is dropped outside training")
    dropped = to_numpy(layer(x, training=True))
    check.true(
        not np.allclose(dropped, output),
        "something is dropped in training",
        "training=True changes nothing: is there a dropout?",
    )
    for weight in layer.weights:
        weight.assign(0.3 * rng.normal(size=weight.shape) + 0.1)
    by_shape = {tuple(n for n in w.shape if n > 1): to_numpy(w).squeeze() for w in layer.weights}
    kernel_1, bias_1, kernel_2, bias_2 = (by_shape[shape] for shape in ((6, 20), (20,), (20, 6), (6,)))
    inner = x @ kernel_1 + bias_1
    check.close(
        layer(x),
        np.maximum(inner, 0) @ kernel_2 + bias_2,
        "max(0, x W1 + b1) W2 + b2",
        hints={
            "there is no ReLU between the two layers.": inner @ kernel_2 + bias_2,
            "the ReLU comes last. It stands between the two layers.": np.maximum(inner @ kernel_2 + bias_2, 0),
            "there are two ReLUs. The second layer has none.": np.maximum(np.maximum(inner, 0) @ kernel_2 + bias_2, 0),
        },
    )
    copy = FeedForward.from_config(layer.get_config())
    check.shape(copy(x), (2, 5, 6), "the output of the layer made from the config")
check

# %%
# What the hidden units do: about half are off for each token, and training switches off some more.
keras.utils.set_random_seed(2)
feed_forward = FeedForward(ff_dim=32, d_model=8, dropout=0.3)
sentence = np.random.default_rng(2).normal(size=(1, 6, 8)).astype("float32")
feed_forward(sentence)
first_kernel = next(to_numpy(w) for w in feed_forward.weights if tuple(w.shape)[-2:] == (8, 32)).reshape(8, 32)
hidden_units = np.maximum(sentence[0] @ first_kernel, 0)
kept = np.random.default_rng(3).uniform(size=hidden_units.shape) >= 0.3
figure, axes = plt.subplots(2, 1, figsize=(9, 4.2), sharex=True, layout="constrained")
for ax, units, title in (
    (axes[0], hidden_units, "hidden units after the ReLU"),
    (axes[1], hidden_units * kept / 0.7, "the same in training, 30% dropped, the others divided by 0.7"),
):
    image = ax.imshow(np.ma.masked_equal(units, 0), cmap="YlOrBr", vmin=0, vmax=3, aspect="auto")
    ax.set_facecolor("#3d4a5c")
    ax.set(title=f"{title}: {np.mean(units == 0):.0%} are 0", ylabel="token")
axes[1].set_xlabel("hidden unit (dark: off)")
figure.colorbar(image, ax=axes, label="value")
plt.show()
outputs = np.concatenate([to_numpy(feed_forward(np.repeat(sentence, 500, axis=0), training=True)) for _ in range(4)])
print("output of token 0, feature 0, without dropout:", float(to_numpy(feed_forward(sentence))[0, 0, 0]))
print(
    "mean over 2000 drops:                          ",
    float(outputs[:, 0, 0].mean()),
    "±",
    float(outputs[:, 0, 0].std() / 2000**0.5),
)

# %% [markdown]
# ## Task 3: the encoder block (5 points)
#
# Two sublayers, each with a **residual connection** around it: what a sublayer computes is *added* to what came in. Where the
# normalisation stands has two answers:
#
# ```
#   norm_first=True  (pre-norm)                     norm_first=False  (post-norm)
#
#   x ──┬───────────────────────────┐               x ──┬──────────────────┐
#       └ norm ─ attention ─ dropout ─ + ─┐             └ attention ─ dropout ─ + ─ norm ─┐
#   ┌─────────────────────────────────────┘         ┌─────────────────────────────────────┘
#   ├───────────────────────────────┐               ├──────────────────────┐
#   └── norm ─ feed-forward ─ dropout ─ + ─ out     └── feed-forward ─ dropout ─ + ─ norm ─ out
# ```
#
# | | self-attention | feed-forward |
# |---|---|---|
# | pre-norm, the lecture's | $x \leftarrow x + D(\mathrm{Att}(N_1(x)))$ | $x \leftarrow x + D(\mathrm{FFN}(N_2(x)))$ |
# | post-norm, the paper's | $x \leftarrow N_1(x + D(\mathrm{Att}(x)))$ | $x \leftarrow N_2(x + D(\mathrm{FFN}(x)))$ |
#
# $N_1, N_2$: two layer normalisations, each with its own γ and β and ε = 1e-6. $D$: dropout. $\mathrm{Att}(x)$ is
# self-attention: queries, keys and values all come from the same tensor, in pre-norm the *normalised* one. The residual is
# what came in **before** the normalisation.
#
# **The mask** arrives in the lecture's convention (1 hides) as `(batch, 1, 1, seq_len)`, `(seq_len, seq_len)` or
# `(batch, 1, seq_len, seq_len)`. Keras's `attention_mask` means the opposite. Flip it. (Keras's layer takes two to four
# axes and broadcasts by itself.)
#
# Two methods are given or half given. `compute_mask` tells Keras that no mask goes on to the next layer, for Keras takes
# every argument `mask` for one of its own. `get_config` makes the block savable.


# %% task="encoder-block"
class EncoderBlock(keras.layers.Layer):
    """Self-attention and feed-forward, each with dropout, residual and normalisation (Vaswani et al. 2017, section 3.1).

    Args:
        d_model: features of a token.
        num_heads: heads of the attention, each of d_model // num_heads features.
        ff_dim: hidden units of the feed-forward network.
        dropout: rate, in training, on what each sublayer adds and inside the feed-forward network.
        norm_first: normalise what goes into a sublayer (pre-norm), or the sum behind it (post-norm).

    Raises:
        ValueError: num_heads does not divide d_model. The text names both and their values.
    """

    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
        self.arguments = {
            "d_model": d_model,
            "num_heads": num_heads,
            "ff_dim": ff_dim,
            "dropout": dropout,
            "norm_first": norm_first,
        }
        self.norm_first = norm_first
        self.attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.feed_forward = FeedForward(ff_dim, d_model, dropout)
        self.norm_1 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.norm_2 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.dropout_1 = keras.layers.Dropout(dropout)
        self.dropout_2 = keras.layers.Dropout(dropout)
        ### END SOLUTION

    def compute_mask(self, x, previous_mask=None):
        """Given: tell Keras that no mask goes on to the next layer."""
        return None

    def call(self, x, mask=None):
        """Attend to the sequence itself, then work on each token.

        Args:
            x: (batch, seq_len, d_model).
            mask: None, (batch, 1, 1, seq_len), (seq_len, seq_len) or (batch, 1, seq_len, seq_len); 1 hides, 0 keeps.

        Returns:
            (batch, seq_len, d_model).
        """
        ### BEGIN SOLUTION
        may_attend = None if mask is None else ops.equal(mask, 0)
        if self.norm_first:
            normed = self.norm_1(x)
            x = x + self.dropout_1(self.attention(normed, normed, attention_mask=may_attend))
            return x + self.dropout_2(self.feed_forward(self.norm_2(x)))
        x = self.norm_1(x + self.dropout_1(self.attention(x, x, attention_mask=may_attend)))
        return self.norm_2(x + self.dropout_2(self.feed_forward(x)))
        ### END SOLUTION

    def get_config(self):
        """Return the arguments that make this layer again."""
        ### BEGIN SOLUTION
        return {**super().get_config(), **self.arguments}
        ### END SOLUTION


# %% grade="encoder-block" points=5
with checking("EncoderBlock") as check:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(2, 5, 12)).astype("float32")
    block = EncoderBlock(d_model=12, num_heads=4, ff_dim=64)
    output = block(x)
    check.shape(output, (2, 5, 12), "(batch, seq_len, d_model)")
    count = block.count_params()
    check.true(
        count == 2284,
        "2284 parameters for d_model 12, 4 heads, ff_dim 64",
        f"it has {count} parameters, but 2284 are right for d_model 12, 4 heads, ff_dim 64: attention 624, feed-forward 1612, "
        "two normalisations of 24. (With Keras's attention: is key_dim d_model // num_heads?)",
    )
    check.close(block(x, training=False), output, "nothing is dropped outside training")
    check.true(
        not np.allclose(to_numpy(block(x, training=True)), output),
        "something is dropped in training",
        "training=True changes nothing: is there a dropout?",
    )
    paper = EncoderBlock(d_model=12, num_heads=4, ff_dim=64, norm_first=False)
    paper_output = to_numpy(paper(5 * x + 3))
    check.close(
        paper_output.mean(axis=-1), np.zeros((2, 5)), "post-norm: each token leaves with mean 0", tolerance=1e-3
    )
    check.close(
        paper_output.var(axis=-1), np.ones((2, 5)), "post-norm: each token leaves with variance 1", tolerance=1e-3
    )
    pre_output = to_numpy(block(x + 100))
    check.true(
        bool((pre_output.mean(axis=-1) > 50).all()),
        "pre-norm: what comes in goes through",
        "with norm_first=True the input (about 100) is lost: is there a residual around both sublayers, and no norm behind them?",
    )
    for layer in (block, EncoderBlock.from_config(block.get_config())):
        layer(x)
        layer.set_weights([np.zeros(w.shape) for w in layer.weights])
        check.close(layer(x), x, "pre-norm with all weights 0 gives back its input: only the residuals are left")
    fresh = EncoderBlock(d_model=12, num_heads=4, ff_dim=64)
    hide_last = np.array([0, 0, 0, 0, 1], dtype="float32").reshape(1, 1, 1, 5)
    changed = x.copy()
    changed[:, 4] += 1.0 + rng.normal(size=12).astype("float32")
    before, after = to_numpy(fresh(x, mask=hide_last))[:, :4], to_numpy(fresh(changed, mask=hide_last))[:, :4]
    check.close(after, before, "what the mask hides (1) changes no other token")
    changed = x.copy()
    changed[:, 0] += 1.0 + rng.normal(size=12).astype("float32")
    after = to_numpy(fresh(changed, mask=hide_last))[:, :4]
    check.true(
        not np.allclose(after[:, 1:], before[:, 1:], atol=1e-5),
        "what the mask keeps (0) changes the other tokens",
        "a token that the mask keeps (0) has no effect on the others: is the mask the right way round?",
    )
    check.raises_value_error(EncoderBlock, d_model=10, num_heads=4, ff_dim=8, naming=("num_heads", 4))
check

# %%
# Which output depends on which input? Bright squares show it, for three masks.
keras.utils.set_random_seed(4)
block = EncoderBlock(d_model=16, num_heads=4, ff_dim=32)
tokens = np.random.default_rng(4).normal(size=(6, 16))
padding_mask = np.array([0, 0, 0, 0, 1, 1], dtype="float32").reshape(1, 1, 1, 6)
look_ahead_mask = np.triu(np.ones((6, 6), dtype="float32"), k=1)
three_masks = {"no mask": None, "padding mask": padding_mask, "look-ahead mask": look_ahead_mask}
figure, axes = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
for ax, (title, mask) in zip(axes, three_masks.items(), strict=True):
    moved = influence(lambda x, mask=mask: block(x, mask=mask), tokens)
    image = show_influence(moved, ax, title, "changed input", "output")
figure.colorbar(image, ax=axes, label="log10 of how far it moves")
plt.show()

# %% [markdown]
# The diagonal stays bright under the padding mask: a hidden token still comes through its own residual. Hiding works on
# *keys*; what becomes of the padded positions themselves nobody looks at.
#
# ### Pre-norm or post-norm?
#
# The paper normalises after each sum. Almost everyone now normalises before each sublayer. The cell piles up 16 fresh blocks
# both ways, puts noise in at the bottom and looks at two things: how large the tokens are after each block, and how much of
# the input is still in them (the cosine between the two).

# %%
keras.utils.set_random_seed(5)
stream = np.random.default_rng(5).normal(size=(1, 10, 32)).astype("float32")
figure, axes = plt.subplots(1, 2, figsize=(10, 3.2), layout="constrained")
for norm_first, name in ((True, "pre-norm"), (False, "post-norm")):
    x, sizes, cosines = stream, [], []
    for _ in range(16):
        x = to_numpy(EncoderBlock(d_model=32, num_heads=4, ff_dim=64, norm_first=norm_first)(x))
        sizes.append(np.sqrt((x**2).mean()))
        cosines.append((x * stream).sum() / np.sqrt((x**2).sum() * (stream**2).sum()))
    axes[0].plot(range(1, 17), sizes, "o-", markersize=3, label=name)
    axes[1].plot(range(1, 17), cosines, "o-", markersize=3, label=name)
axes[0].set(title="size of the tokens (root mean square)", xlabel="block", ylim=(0, None))
axes[1].set(title="cosine with the input", xlabel="block", ylim=(-0.2, 1))
axes[0].legend()
plt.show()

# %% [markdown]
# With pre-norm there is a straight road from top to bottom, on which nothing but additions happens. The sum grows with
# depth (so a pre-norm *model* ends with one more normalisation, in notebook 06), and gradients come down the same
# road undamped. With post-norm every block rescales the sum, so the input fades; such models need a warm-up of the learning
# rate to train at all when they are deep (Xiong et al. 2020).
#
# > **Does this hold?** *"`key_dim=d_model`: the keys have d_model features."* Found in many Keras examples.
# >
# > `key_dim` is the width of **one head**. With 4 heads the attention is then four times as wide as in the paper, and has
# > four times its parameters. It trains, it even trains well, it's just not the model that you describe. The count tells:

# %%
for key_dim in (12 // 4, 12):
    attention = keras.layers.MultiHeadAttention(num_heads=4, key_dim=key_dim)
    attention(np.zeros((1, 2, 12)), np.zeros((1, 2, 12)))
    print(f"d_model 12, 4 heads, key_dim {key_dim:2d}: {attention.count_params()} parameters")

# %% [markdown]
# ## Task 4: the decoder block (6 points)
#
# The decoder writes the target. Its block has **three** sublayers, each with residual, dropout and a normalisation of its own:
#
# | sublayer | queries from | keys and values from | mask |
# |---|---|---|---|
# | 1 self-attention | the target | the target | `self_mask`: look-ahead and the target's padding |
# | 2 cross-attention | the target | `memory`, the encoder's output | `memory_mask`: the source's padding |
# | 3 feed-forward | the target, each token by itself | | |
#
# Pre-norm: $x \leftarrow x + D(\mathrm{Att}_1(N_1(x)))$, then $x \leftarrow x + D(\mathrm{Att}_2(N_2(x), \text{memory}))$, then
# $x \leftarrow x + D(\mathrm{FFN}(N_3(x)))$. Post-norm as in the encoder, with the norm behind each sum.
#
# | | shape |
# |---|---|
# | x | (batch, target_len, d_model) |
# | memory | (batch, memory_len, d_model), of any length |
# | self_mask | None, (target_len, target_len), (batch, 1, 1, target_len) or (batch, 1, target_len, target_len) |
# | memory_mask | None, (batch, 1, 1, memory_len), (target_len, memory_len) or (batch, 1, target_len, memory_len) |
# | result | (batch, target_len, d_model) |
#
# The two attentions are two layers with weights of their own. The memory comes as it is: it isn't normalised again here (the
# encoder has done that) and nothing is added to it.


# %% task="decoder-block"
class DecoderBlock(keras.layers.Layer):
    """Self-attention, attention over memory, feed-forward (Vaswani et al. 2017, section 3.1).

    Args:
        d_model: features of a token.
        num_heads: heads of both attentions, each of d_model // num_heads features.
        ff_dim: hidden units of the feed-forward network.
        dropout: rate, in training, on what each sublayer adds and inside the feed-forward network.
        norm_first: normalise what goes into a sublayer (pre-norm), or the sum behind it (post-norm).

    Raises:
        ValueError: num_heads does not divide d_model. The text names both and their values.
    """

    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
        self.arguments = {
            "d_model": d_model,
            "num_heads": num_heads,
            "ff_dim": ff_dim,
            "dropout": dropout,
            "norm_first": norm_first,
        }
        self.norm_first = norm_first
        self.self_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.cross_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.feed_forward = FeedForward(ff_dim, d_model, dropout)
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(3)]
        self.dropouts = [keras.layers.Dropout(dropout) for _ in range(3)]
        ### END SOLUTION

    def call(self, x, memory, self_mask=None, memory_mask=None):
        """Attend to the target so far, then to the memory, then work on each token.

        Args:
            x: (batch, target_len, d_model).
            memory: (batch, memory_len, d_model).
            self_mask: broadcasts to (batch, num_heads, target_len, target_len); 1 hides, 0 keeps.
            memory_mask: broadcasts to (batch, num_heads, target_len, memory_len); 1 hides, 0 keeps.

        Returns:
            (batch, target_len, d_model).
        """
        ### BEGIN SOLUTION
        self_may = None if self_mask is None else ops.equal(self_mask, 0)
        memory_may = None if memory_mask is None else ops.equal(memory_mask, 0)
        sublayers = (
            lambda y: self.self_attention(y, y, attention_mask=self_may),
            lambda y: self.cross_attention(y, memory, attention_mask=memory_may),
            self.feed_forward,
        )
        for sublayer, norm, dropout in zip(sublayers, self.norms, self.dropouts, strict=True):
            x = x + dropout(sublayer(norm(x))) if self.norm_first else norm(x + dropout(sublayer(x)))
        return x
        ### END SOLUTION

    def get_config(self):
        """Return the arguments that make this layer again."""
        ### BEGIN SOLUTION
        return {**super().get_config(), **self.arguments}
        ### END SOLUTION


# %% grade="decoder-block" points=6
with checking("DecoderBlock") as check:
    rng = np.random.default_rng(6)
    x = rng.normal(size=(2, 4, 12)).astype("float32")
    memory = rng.normal(size=(2, 7, 12)).astype("float32")
    block = DecoderBlock(d_model=12, num_heads=4, ff_dim=64)
    output = block(x, memory)
    check.shape(output, (2, 4, 12), "(batch, target_len, d_model)")
    count = block.count_params()
    check.true(
        count == 2932,
        "2932 parameters for d_model 12, 4 heads, ff_dim 64",
        f"it has {count} parameters, but 2932 are right for d_model 12, 4 heads, ff_dim 64: two attentions of 624, feed-forward "
        "1612, three normalisations of 24.",
    )
    check.true(
        not np.allclose(to_numpy(block(x, memory[:, ::-1] * 2)), output, atol=1e-5),
        "the output depends on the memory",
        "another memory gives the same output: does the second attention take its keys and values from it?",
    )
    check.close(block(x, memory, training=False), output, "nothing is dropped outside training")
    check.true(
        not np.allclose(to_numpy(block(x, memory, training=True)), output),
        "something is dropped in training",
        "training=True changes nothing: is there a dropout?",
    )
    look_ahead = np.triu(np.ones((4, 4), dtype="float32"), k=1)
    hide_end = np.array([0, 0, 0, 0, 0, 1, 1], dtype="float32").reshape(1, 1, 1, 7)
    before = to_numpy(block(x, memory, self_mask=look_ahead, memory_mask=hide_end))
    later = x.copy()
    later[:, 3] += 1.0 + rng.normal(size=12).astype("float32")
    after = to_numpy(block(later, memory, self_mask=look_ahead, memory_mask=hide_end))
    check.close(after[:, :3], before[:, :3], "under a look-ahead mask a later token changes no earlier output")
    earlier = x.copy()
    earlier[:, 0] += 1.0 + rng.normal(size=12).astype("float32")
    after = to_numpy(block(earlier, memory, self_mask=look_ahead, memory_mask=hide_end))
    check.true(
        not np.allclose(after[:, 3], before[:, 3], atol=1e-5),
        "an earlier token changes a later output",
        "under a look-ahead mask an earlier token changes no later output: is the mask the right way round?",
    )
    hidden = memory.copy()
    hidden[:, 5:] += 1.0
    after = to_numpy(block(x, hidden, self_mask=look_ahead, memory_mask=hide_end))
    check.close(after, before, "what memory_mask hides (1) has no effect")
    paper = DecoderBlock(d_model=12, num_heads=4, ff_dim=64, norm_first=False)
    paper_output = to_numpy(paper(5 * x + 3, memory))
    check.close(
        paper_output.var(axis=-1), np.ones((2, 4)), "post-norm: each token leaves with variance 1", tolerance=1e-3
    )
    for layer in (block, DecoderBlock.from_config(block.get_config())):
        layer(x, memory)
        layer.set_weights([np.zeros(w.shape) for w in layer.weights])
        check.close(
            layer(x, memory), x, "pre-norm with all weights 0 gives back its input: only the residuals are left"
        )
    check.raises_value_error(DecoderBlock, d_model=10, num_heads=4, ff_dim=8, naming=("num_heads", 4))
check

# %%
# What a decoder block's outputs depend on: the target so far, and the source without its padding.
keras.utils.set_random_seed(7)
block = DecoderBlock(d_model=16, num_heads=4, ff_dim=32)
rng = np.random.default_rng(7)
target, source = rng.normal(size=(5, 16)), rng.normal(size=(8, 16))
ahead = np.triu(np.ones((5, 5), dtype="float32"), k=1)
source_padding = np.array([0, 0, 0, 0, 0, 0, 1, 1], dtype="float32").reshape(1, 1, 1, 8)
masks = dict(self_mask=ahead, memory_mask=source_padding)
many_sources = lambda x: np.repeat(source[None], len(x), axis=0).astype("float32")
many_targets = lambda m: np.repeat(target[None], len(m), axis=0).astype("float32")
figure, axes = plt.subplots(1, 2, figsize=(10, 3.6), width_ratios=(5, 8), layout="constrained")
on_target = influence(lambda x: block(x, many_sources(x), **masks), target)
on_source = influence(lambda m: block(many_targets(m), m, **masks), source)
show_influence(on_target, axes[0], "on the target", "changed target token", "output")
image = show_influence(on_source, axes[1], "on the memory", "changed memory token", "output")
figure.colorbar(image, ax=axes, label="log10 of how far it moves")
plt.show()

# %% [markdown]
# > **Does this hold?** The decoder of the lecture notebook that this course grew out of ends with
# >
# > ```python
# > res = x + res                     # after the cross-attention
# > x = LayerNormalization()(res)
# > ff = Dense(ff_dim, activation="relu")(x)
# > ff = Dense(dim)(ff)
# > return x + res
# > ```
# >
# > *"The decoder block has a feed-forward network."* Look at the last line: it returns `x + res`, not `ff + res`. The network is
# > computed and thrown away; it never learns. Nothing fails. Trained on a translation task such a decoder reaches 0.999, as
# > good as the right one. Two things see it: the count of the parameters that the model is connected to (7316 instead of
# > 10588 in the lecture's model, two encoder and two decoder blocks), and a comparison of values. The hidden checks do both.
#
# ## Task 5: count the parameters (3 points)
#
# | part | parameters |
# |---|---|
# | dense layer from $n$ to $m$ features | $n m + m$ |
# | attention: four of them, `d_model` to `d_model` | … |
# | feed-forward: `d_model` to `ff_dim` and back | … |
# | one layer normalisation: γ and β | … |
#
# Which of them, and how often, are in an encoder block and in a decoder block? The number of heads changes nothing in the
# count, but it must divide `d_model`: say so if it doesn't.


# %% task="block-parameters"
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    """Count the parameters of a block, biases included: what `count_params()` of the built block returns.

    Args:
        kind: "encoder" or "decoder".
        d_model: features of a token.
        num_heads: heads; must divide d_model.
        ff_dim: hidden units of the feed-forward network.

    Returns:
        The number of parameters, an int.

    Raises:
        ValueError: an unknown kind, or num_heads does not divide d_model. The text names the argument and its value.
    """
    ### BEGIN SOLUTION
    if kind not in ("encoder", "decoder"):
        raise ValueError(f'kind must be "encoder" or "decoder". Received: kind={kind!r}.')
    if d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
    attention = 4 * (d_model * d_model + d_model)
    feed_forward = d_model * ff_dim + ff_dim + ff_dim * d_model + d_model
    norm = 2 * d_model
    if kind == "encoder":
        return attention + feed_forward + 2 * norm
    return 2 * attention + feed_forward + 3 * norm
    ### END SOLUTION


# %% grade="block-parameters" points=3
with checking("block_parameter_count") as check:
    check.close(
        block_parameter_count("encoder", 12, 4, 64),
        2284,
        "encoder block, d_model 12, 4 heads, ff_dim 64",
        hints={
            "the biases of the dense layers are missing.": 2284 - 4 * 12 - 64 - 12,
            "the normalisations are missing.": 2284 - 48,
            "one normalisation is missing: there are two.": 2284 - 24,
        },
    )
    check.close(
        block_parameter_count("decoder", 12, 4, 64),
        2932,
        "decoder block, d_model 12, 4 heads, ff_dim 64",
        hints={
            "that is the encoder block. A decoder block has one more attention, and its normalisation.": 2284,
            "the third normalisation is missing.": 2932 - 24,
        },
    )
    check.close(block_parameter_count("encoder", 12, 3, 64), 2284, "the number of heads changes nothing")
    check.raises_value_error(block_parameter_count, "both", 12, 4, 64, naming=("kind", "both"))
    check.raises_value_error(block_parameter_count, "encoder", 12, 5, 64, naming=("num_heads", 5))
check

# %%
# Where are the parameters? And the lecture's model: two encoder blocks, two decoder blocks and a dense layer at the end.
figure, ax = plt.subplots(figsize=(9, 2.8), layout="constrained")
colours = plt.get_cmap("Set2").colors
labels = []
for row, (kind, d_model, num_heads, ff_dim) in enumerate(
    (("encoder", 12, 4, 64), ("decoder", 12, 4, 64), ("encoder", 512, 8, 2048), ("decoder", 512, 8, 2048))
):
    total = block_parameter_count(kind, d_model, num_heads, ff_dim)
    attentions = (1 if kind == "encoder" else 2) * 4 * (d_model + 1) * d_model
    norms = (2 if kind == "encoder" else 3) * 2 * d_model
    start = 0
    parts = {"attention": attentions, "feed-forward": total - attentions - norms, "normalisation": norms}
    for colour, (name, part) in zip(colours, parts.items(), strict=False):
        ax.barh(row, part / total, left=start, color=colour, edgecolor="white", label=name if row == 0 else None)
        start += part / total
    labels.append(f"{kind}, d_model {d_model}: {total:,}")
ax.set(title="Where the parameters are", xlabel="share", xlim=(0, 1), yticks=range(4), yticklabels=labels)
ax.invert_yaxis()
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()
lecture = (
    2 * block_parameter_count("encoder", 12, 4, 64) + 2 * block_parameter_count("decoder", 12, 4, 64) + 12 * 12 + 12
)
print("the lecture's model:", lecture, "parameters")

# %% [markdown]
# ## What you have now
#
# | idea | remember |
# |---|---|
# | layer normalisation | each token by itself, population variance, ε = 1e-6 under the root |
# | feed-forward | each token by itself; where most of the parameters are |
# | residual | what came in, before any normalisation, plus what the sublayer makes of it |
# | pre-norm, post-norm | before the sublayer, or behind the sum; two different functions with the same parameters |
# | masks | 1 hides here; Keras wants the opposite |
# | cross-attention | queries from the target, keys and values from the memory, whose length is its own |
# | checking | a block that throws its feed-forward away trains as well: compare values, count parameters |
#
# **Next**: embeddings, positions, a pile of these blocks, and the whole Transformer.
#
# ### References
#
# - Vaswani et al., *Attention Is All You Need*, 2017, sections 3.1 (blocks), 3.3 (feed-forward) and 5.4 (dropout).
# - Ba, Kiros and Hinton, *Layer Normalization*, 2016, section 3.
# - He et al., *Deep Residual Learning for Image Recognition*, 2015: why there is a way around.
# - Xiong et al., *On Layer Normalization in the Transformer Architecture*, 2020: pre-norm against post-norm.
