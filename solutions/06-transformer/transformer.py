# %% [markdown]
# # The Transformer
#
# Everything is there: positions (01), attention (02), heads (03), masks (04), blocks (05). Now you put it together,
# twice: first over sequences of vectors, the model of a lecture, and then over tokens, the model of the paper
# (Vaswani et al. 2017, figure 1).
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `TokenEmbedding`: from ids to vectors with positions | 4 |
# | 2 | `build_continuous_transformer`: the lecture's model, without its mistakes | 5 |
# | 3 | `build_transformer`: the model that translates in notebook 07 | 7 |
# | 4 | `transformer_parameter_count`: where the parameters are | 4 |
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each one holds public checks. Points
# come from other inputs after you hand in, in steps. How you build it is up to you: blocks of your own or
# `keras.layers`, a functional model or a subclass of `keras.Model`, any names, any order of creation. What counts is
# what the model computes and how many parameters it has.
#
# | name | meaning |
# |---|---|
# | `batch` | sequences in a batch |
# | `source_len`, `target_len` | length of the encoder's and of the decoder's sequences; they differ |
# | `d_model`, `num_heads`, `ff_dim` | width of the model, its heads, the width inside the feed-forward |
# | `vocab_size`, `max_len` | number of tokens, longest sequence |
# | memory | the encoder's output, `(batch, source_len, d_model)`: what the decoder looks at |
# | logits | scores of the next token before any softmax |
#
# Masks of this course: **1 hides, 0 keeps**. Keras's `attention_mask` is the other way round.

# %% locked="setup"
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")

import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops

np.set_printoptions(precision=4, suppress=True)
to_numpy = ops.convert_to_numpy


def with_random_weights(model, seed=0):
    """Give every weight of a model a random value, biases and normalisations too. A fresh model hides much behind zeros."""
    rng = np.random.default_rng(seed)
    for weight in model.weights:
        old = to_numpy(weight)
        noise = rng.normal(size=old.shape)
        weight.assign((old + 0.3 * noise if old.ndim < 2 else noise / old.shape[0] ** 0.5).astype("float32"))
    return model


def influence(model, source, target, changed, replacement):
    """Say how far each output position moves when one input position changes.

    Args:
        model: takes [source, target].
        source, target: one sequence each, (1, source_len, ...) and (1, target_len, ...).
        changed: "source" or "target".
        replacement: (1, its length, ...), what each position is changed to, one at a time.

    Returns:
        (target_len, length of the changed sequence).
    """
    inputs = {"source": source, "target": target}
    length = replacement.shape[1]
    rows = {name: np.repeat(value, length + 1, axis=0) for name, value in inputs.items()}
    for position in range(length):
        rows[changed][position, position] = replacement[0, position]
    outputs = to_numpy(model([rows["source"], rows["target"]]))
    return np.abs(outputs[:-1] - outputs[-1:]).max(axis=-1).T


def show_influence(moved, ax, title, columns="changed target position", rows="output position", labels=None):
    """Draw what `influence` gave; a cross marks what does not move at all."""
    image = ax.imshow(np.log10(moved + 1e-9), cmap="magma", vmin=-4, vmax=1, aspect="auto")
    for (i, j), move in np.ndenumerate(moved):
        if move < 1e-5:
            ax.text(j, i, "×", ha="center", va="center", color="white", fontsize=8)
    ax.set(title=title, xlabel=columns, ylabel=rows, yticks=range(moved.shape[0]))
    ax.set_xticks(range(moved.shape[1]), labels if labels is not None else range(moved.shape[1]))
    return image


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## 0. What you bring along
#
# Paste what you wrote in 01, 04 and 05 over these stubs: the positional encoding, the masks and the two blocks. You
# may use them below, or not, or bring others. A mistake in them costs nothing here: it has been counted there.
#
# In the blocks, `keras.layers.MultiHeadAttention` may do the attention, as in 05.


# %% carry_over=true
class PositionalEncoding(keras.layers.Layer):
    """Adds the sinusoidal table's first seq_len rows to (batch, seq_len, dim); notebook 01."""

    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        angles = np.arange(max_len)[:, None] * 10000.0 ** (-np.arange(0, dim, 2) / dim)
        self.table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(max_len, dim).astype("float32")
        ### END SOLUTION

    def call(self, inputs):
        ### BEGIN SOLUTION
        return inputs + ops.convert_to_tensor(self.table)[: ops.shape(inputs)[1]]
        ### END SOLUTION


def create_padding_mask(token_ids, pad_id=0):
    """Say which tokens are padding: (batch, seq_len) -> (batch, 1, 1, seq_len), 1 at padding; notebook 04."""
    ### BEGIN SOLUTION
    return ops.cast(ops.equal(token_ids, pad_id), "float32")[:, None, None, :]
    ### END SOLUTION


def create_look_ahead_mask(size):
    """Hide the future: (size, size), 1 strictly above the diagonal; notebook 04."""
    ### BEGIN SOLUTION
    positions = ops.arange(size)
    return ops.cast(positions[None, :] > positions[:, None], "float32")
    ### END SOLUTION


def create_decoder_mask(token_ids, pad_id=0):
    """Hide the future and the padding: (batch, seq_len) -> (batch, 1, seq_len, seq_len); notebook 04."""
    ### BEGIN SOLUTION
    return ops.maximum(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(ops.shape(token_ids)[1]))
    ### END SOLUTION


class EncoderBlock(keras.layers.Layer):
    """Self-attention and feed-forward, each with its residual; `call(x, mask=None)`, 1 hides; notebook 05."""

    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        self.norm_first = norm_first
        self.attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.feed_forward = keras.Sequential(
            [keras.layers.Dense(ff_dim, activation="relu"), keras.layers.Dropout(dropout), keras.layers.Dense(d_model)]
        )
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(2)]
        self.dropouts = [keras.layers.Dropout(dropout) for _ in range(2)]
        ### END SOLUTION

    def compute_mask(self, x, previous_mask=None):
        """Given: no mask of Keras's own goes on to the next layer."""
        return None

    def call(self, x, mask=None, training=None):
        ### BEGIN SOLUTION
        may_attend = None if mask is None else ops.equal(mask[:, 0], 0)  # Keras's convention
        x = self._residual(0, x, lambda y: self.attention(y, y, attention_mask=may_attend), training)
        return self._residual(1, x, lambda y: self.feed_forward(y, training=training), training)

    def _residual(self, i, x, sublayer, training):
        if self.norm_first:
            return x + self.dropouts[i](sublayer(self.norms[i](x)), training=training)
        return self.norms[i](x + self.dropouts[i](sublayer(x), training=training))
        ### END SOLUTION


class DecoderBlock(keras.layers.Layer):
    """Self-attention, attention over memory, feed-forward, each with its residual; notebook 05.

    `call(x, memory, self_mask=None, memory_mask=None)`; in the masks 1 hides.
    """

    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        self.norm_first = norm_first
        self.self_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.memory_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.feed_forward = keras.Sequential(
            [keras.layers.Dense(ff_dim, activation="relu"), keras.layers.Dropout(dropout), keras.layers.Dense(d_model)]
        )
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(3)]
        self.dropouts = [keras.layers.Dropout(dropout) for _ in range(3)]
        ### END SOLUTION

    def compute_mask(self, x, previous_mask=None):
        """Given: no mask of Keras's own goes on to the next layer."""
        return None

    def call(self, x, memory, self_mask=None, memory_mask=None, training=None):
        ### BEGIN SOLUTION
        own, other = (self._may_attend(mask) for mask in (self_mask, memory_mask))
        x = self._residual(0, x, lambda y: self.self_attention(y, y, attention_mask=own), training)
        x = self._residual(1, x, lambda y: self.memory_attention(y, memory, attention_mask=other), training)
        return self._residual(2, x, lambda y: self.feed_forward(y, training=training), training)

    def _may_attend(self, mask):
        if mask is None:
            return None
        return ops.equal(mask[:, 0] if len(mask.shape) == 4 else mask[None], 0)  # Keras's convention

    def _residual(self, i, x, sublayer, training):
        if self.norm_first:
            return x + self.dropouts[i](sublayer(self.norms[i](x)), training=training)
        return self.norms[i](x + self.dropouts[i](sublayer(x), training=training))
        ### END SOLUTION


# %% [markdown]
# ## Task 1: from ids to vectors (4 points)
#
# A token is a number that means nothing by itself: id 7 isn't "more" than id 3. So each id gets a row of a trained
# table, its **embedding**. The row says what the token is and not where it stands, so the position's row of the
# sinusoidal table is added. The paper does it in three steps (sections 3.4, 3.5 and 5.4):
#
# $$x_p = \mathrm{dropout}\bigl(\sqrt{d_\text{model}} \cdot E[\text{id}_p] + PE[p]\bigr)$$
#
# | step | shape |
# |---|---|
# | `token_ids` | `(batch, seq_len)` |
# | the rows of the table | `(batch, seq_len, d_model)` |
# | times $\sqrt{d_\text{model}}$ | the same |
# | plus the positions 0, 1, 2, … | the same: `(seq_len, d_model)` is broadcast over the batch |
# | dropout, in training only | the same |
#
# **Why the root?** Entries of the position table have a mean square of exactly ½ in every row. Embeddings start
# small: Keras draws them between -0.05 and 0.05, the paper's authors with a standard deviation of
# $d_\text{model}^{-1/2}$, because the same matrix is also the output projection (task 3). Times the root, tokens and
# positions are of about the same size. Only the embedding is multiplied, not the positions.


# %% task="token-embedding"
class TokenEmbedding(keras.layers.Layer):
    """Embedding times the square root of d_model, plus sinusoidal positions, then dropout.

    Args:
        vocab_size: number of token ids, 0 to vocab_size - 1.
        d_model: width of the embedding; even.
        max_len: longest sequence.
        dropout: rate of the dropout on the sum.

    The one trainable weight is the table (vocab_size, d_model).
    """

    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        self.vocab_size, self.d_model, self.max_len, self.rate = vocab_size, d_model, max_len, dropout
        self.embedding = keras.layers.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(max_len, d_model)
        self.dropout = keras.layers.Dropout(dropout)
        ### END SOLUTION

    def call(self, token_ids, training=None):
        """Embed tokens.

        Args:
            token_ids: (batch, seq_len), integers; seq_len is at most max_len.
            training: whether to drop.

        Returns:
            (batch, seq_len, d_model).
        """
        ### BEGIN SOLUTION
        x = self.embedding(token_ids) * self.d_model**0.5
        return self.dropout(self.positions(x), training=training)
        ### END SOLUTION

    def get_config(self):
        """Return the arguments that make this layer again."""
        ### BEGIN SOLUTION
        sizes = {"vocab_size": self.vocab_size, "d_model": self.d_model, "max_len": self.max_len}
        return {**super().get_config(), **sizes, "dropout": self.rate}
        ### END SOLUTION


# %% grade="token-embedding" points=4
with checking("TokenEmbedding") as check:
    keras.utils.set_random_seed(1)
    layer = TokenEmbedding(vocab_size=9, d_model=4, max_len=6, dropout=0.5)
    embedded = to_numpy(layer(np.array([[5, 3, 5], [8, 1, 2]])))
    check.shape(embedded, (2, 3, 4), "(batch, seq_len, d_model)")
    tables = [weight for weight in layer.trainable_weights if tuple(weight.shape) == (9, 4)]
    check.true(
        len(tables) == 1 and len(layer.trainable_weights) == 1,
        "one trainable weight, (vocab_size, d_model)",
        f"the trainable weights are {[tuple(w.shape) for w in layer.trainable_weights]}; there should be one, (9, 4).",
    )
    table = np.arange(36, dtype="float32").reshape(9, 4) / 10
    tables[0].assign(table)
    embedded = to_numpy(layer(np.array([[5, 3, 5], [8, 1, 2]])))
    check.close(
        embedded[0, 0] - embedded[1, 0],
        2 * (table[5] - table[8]),
        "two tokens at the same position differ by their embeddings, times 2 for d_model 4",
        hints={
            "the embedding isn't multiplied by the square root of d_model.": table[5] - table[8],
            "the embedding is multiplied by d_model instead of its root.": 4 * (table[5] - table[8]),
        },
    )
    row_2 = np.array([0.90929743 - 0, -0.41614684 - 1, 0.01999867 - 0, 0.99980001 - 1])
    check.close(
        embedded[0, 2] - embedded[0, 0],
        row_2,
        "the same token at positions 2 and 0 differs by rows 2 and 0 of the table",
        hints={
            "position makes no difference.": np.zeros(4),
            "the positions are multiplied as well: multiply first, then add them.": 2 * row_2,
        },
    )
    dropped = to_numpy(layer(np.array([[5, 3, 5], [8, 1, 2]]), training=True))
    check.true(not np.allclose(dropped, embedded), "dropout in training", "with training=True nothing was dropped.")
    again = TokenEmbedding.from_config(layer.get_config())
    check.shape(again(np.array([[1, 2]])), (1, 2, 4), "(batch, seq_len, d_model), from the config")
check

# %% [markdown]
# What the decoder of notebook 07 will see: the embedding, the positions and their sum. `hundred` occurs twice. On the
# left its two rows are equal, on the right they aren't: now attention can tell them apart.

# %%
keras.utils.set_random_seed(0)
words = ["three", "hundred", "twenty", "one", "thousand", "two", "hundred"]
shown_ids = np.array([[4, 5, 6, 7, 8, 9, 5]])
shown_layer = TokenEmbedding(vocab_size=10, d_model=32, max_len=16, dropout=0.0)
in_sum = to_numpy(shown_layer(shown_ids))[0]
fresh_table = to_numpy(shown_layer.trainable_weights[0])
shown_layer.trainable_weights[0].assign(np.random.default_rng(3).normal(size=fresh_table.shape) / 32**0.5)
in_sum = to_numpy(shown_layer(shown_ids))[0]
shown_layer.trainable_weights[0].assign(0 * fresh_table)
only_positions = to_numpy(shown_layer(shown_ids))[0]
figure, axes = plt.subplots(1, 3, figsize=(13, 3.2), sharey=True, layout="constrained")
for ax, (title, rows) in zip(
    axes,
    {"embedding × √d_model": in_sum - only_positions, "positions": only_positions, "their sum": in_sum}.items(),
    strict=True,
):
    image = ax.imshow(rows, cmap="RdBu", vmin=-2.5, vmax=2.5, aspect="auto")
    ax.set(title=title, xlabel="feature", yticks=range(len(words)), yticklabels=words)
figure.colorbar(image, ax=axes)
plt.show()

# %% [markdown]
# > **Does this hold?** *"The factor $\sqrt{d_\text{model}}$ is a detail: the table is trained anyway."*
# >
# > Not at the start. The cell compares the sizes of the two summands with Keras's first values for the table and with
# > the authors'. Unscaled, a token is a whisper beside its position. With Keras's values it stays small even when
# > scaled (and grows in training); with the authors', the root makes it as large as the positions or a little larger,
# > at any width.

# %%
widths = np.array([16, 64, 256, 1024])
starts = {"Keras: uniform ±0.05": np.full(4, 0.05 / 3**0.5), "authors: std 1/√d_model": widths**-0.5}
figure, axes = plt.subplots(1, 2, figsize=(9, 3), sharey=True, layout="constrained")
for ax, (title, size) in zip(axes, starts.items(), strict=True):
    ax.plot(widths, size, "o--", label="embedding")
    ax.plot(widths, size * widths**0.5, "o-", label="embedding × √d_model")
    ax.axhline(0.5**0.5, color="black", linewidth=1, label="positions")
    ax.set(title=title, xscale="log", yscale="log", xlabel="d_model", ylabel="root mean square")
    ax.set_xticks(widths, widths)
axes[1].legend(loc="lower left")
plt.show()

# %% [markdown]
# ## Task 2: the lecture's model (5 points)
#
# The first Transformer has no tokens: its inputs *are* vectors, and it gives vectors back, such as the samples of a
# signal. A lecture built it from **pre-norm** blocks:
#
# ```
#   source (batch, timesteps, dim)             target (batch, any length, dim)
#        |                                           |
#   [+ positions, if you like]                  [+ positions, if you like]
#        |                                           |
#   num_encoder_blocks x EncoderBlock           num_decoder_blocks x DecoderBlock, causal
#        |                                           |
#        +------ memory ---- to every decoder block -+
#                                                    |
#                                               Dense(dim)
#                                                    |
#                                               output (batch, that length, dim)
# ```
#
# - Each head is `dim // num_heads` wide. Feed-forward is Dense(`ff_dim`, ReLU), dropout, Dense(`dim`).
# - Pre-norm: each sublayer gets the normalised $x$ and adds to the plain one. An encoder block has two layer
#   normalisations, a decoder block three. The lecture has none after the last block, so **you don't add any here**.
# - The decoder is causal: output $t$ sees the targets $0 \dots t$, itself included, and the whole memory. Nothing is
#   padding here.
# - Each block has weights of its own. `dropout` goes to every block.
# - Positions have no weights, so they don't change the count. Add the sinusoidal ones to both inputs or leave them
#   out: both count as right (our solution adds them; without them the encoder can't know the order of its input).
#
# **The count.** For `dim` 12, 4 heads of 3, `ff_dim` 64 and 2 + 2 blocks the lecture's right model has **10588**
# parameters:
#
# | part | parameters |
# |---|---|
# | one attention | 4 · (12 · 12 + 12) = 624 |
# | one feed-forward | (12 · 64 + 64) + (64 · 12 + 12) = 832 + 780 = 1612 |
# | one normalisation | 2 · 12 = 24 |
# | encoder block | 624 + 1612 + 2 · 24 = 2284 |
# | decoder block | 2 · 624 + 1612 + 3 · 24 = 2932 |
# | output `Dense(12)` | 12 · 12 + 12 = 156 |
# | **whole** | 2 · 2284 + 2 · 2932 + 156 = **10588** |
#
# As it was printed the lecture's model had 7316. The 3272 that are missing are 2 · (1612 + 24): in both decoder
# blocks the feed-forward and its normalisation are computed and then not used (`return x + res` instead of `ff +
# res`), so Keras doesn't even count them. It had two more mistakes that no count shows: the look-ahead mask was
# upside down, and `num_heads` and `key_dim` had changed places.


# %% task="continuous-model"
def build_continuous_transformer(
    timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1
):
    """Build the lecture's encoder-decoder over sequences of vectors, causal in the decoder.

    Args:
        timesteps: length of the source.
        dim: features of source, target and output, and width of the model; num_heads divides it.
        num_heads: heads of each attention.
        ff_dim: width inside the feed-forward.
        num_encoder_blocks, num_decoder_blocks: number of blocks.
        dropout: rate in every block.

    Returns:
        A keras.Model: [source (batch, timesteps, dim), target (batch, any length, dim)] -> (batch, that length, dim).
    """
    ### BEGIN SOLUTION
    model = ContinuousTransformer(dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout)
    example = np.zeros((1, timesteps, dim), "float32")
    model([example, example])  # now it has its weights
    return model


class ContinuousTransformer(keras.Model):
    """See `build_continuous_transformer`."""

    def __init__(self, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout, max_len=512):
        super().__init__()
        self.positions = PositionalEncoding(max_len, dim)
        self.encoder = [EncoderBlock(dim, num_heads, ff_dim, dropout) for _ in range(num_encoder_blocks)]
        self.decoder = [DecoderBlock(dim, num_heads, ff_dim, dropout) for _ in range(num_decoder_blocks)]
        self.output_dense = keras.layers.Dense(dim)

    def call(self, inputs):
        source, target = inputs
        memory = self.positions(source)
        for block in self.encoder:
            memory = block(memory)
        x = self.positions(target)
        look_ahead_mask = create_look_ahead_mask(ops.shape(target)[1])
        for block in self.decoder:
            x = block(x, memory, self_mask=look_ahead_mask)
        return self.output_dense(x)
        ### END SOLUTION


# %% grade="continuous-model" points=5
with checking("build_continuous_transformer") as check:
    keras.utils.set_random_seed(2)
    rng = np.random.default_rng(2)
    lecture = build_continuous_transformer(6, 12, 4, 64, 2, 2)
    check.true(lecture is not None, "a model", "it returned None. Is the `return` missing?")
    source, target = (rng.normal(size=(2, length, 12)).astype("float32") for length in (6, 6))
    check.shape(lecture([source, target]), (2, 6, 12), "(batch, target_len, dim)")
    check.shape(lecture([source, target[:, :3]]), (2, 3, 12), "(batch, target_len, dim) for a shorter target")
    count = sum(int(np.prod(weight.shape)) for weight in lecture.trainable_weights)
    explained = {
        7316: "In the decoder blocks the feed-forward isn't used.",
        10636: "There is a normalisation after each stack: the lecture's model has none.",
        10432: "The Dense(dim) at the end is missing.",
        5294: "Only one encoder and one decoder block have weights of their own.",
    }
    check.true(
        count == 10588,
        "10588 parameters for the lecture's sizes",
        f"the model has {count} parameters for the lecture's sizes, not 10588. {explained.get(count, '')}",
    )
    with_random_weights(lecture)
    seen = influence(lecture, source[:1], target[:1], "target", rng.normal(size=(1, 6, 12)))
    leaks, sees_itself = seen[~np.tri(6, dtype=bool)].max() > 1e-4, (np.diagonal(seen) > 1e-4).all()
    check.true(
        not leaks, "no output sees a later target", "an output moves when a later target changes: it isn't causal."
    )
    check.true(
        sees_itself, "each output sees its own target", "an output doesn't move with the target at its own position."
    )
    memory_seen = influence(lecture, source[:1], target[:1], "source", rng.normal(size=(1, 6, 12)))
    check.true(
        (memory_seen > 1e-6).all(),
        "each output sees the whole source",
        "an output doesn't depend on all of the source.",
    )
check

# %% [markdown]
# Where are the parameters? And who sees whom? On the right, a cross means: moves by nothing at all. The triangle of
# crosses is the look-ahead mask, in a model with four blocks, weights at random.

# %%
keras.utils.set_random_seed(2)
pictured = with_random_weights(build_continuous_transformer(6, 12, 4, 64, 2, 2))
draws = np.random.default_rng(2).normal(size=(3, 1, 6, 12)).astype("float32")  # a source, a target, what they change to
by_target, by_source = (influence(pictured, draws[0], draws[1], changed, draws[2]) for changed in ("target", "source"))

parts = {"attention": 2 * 624 + 4 * 624, "feed-forward": 4 * 1612, "normalisation": 10 * 24, "output": 156}
figure, axes = plt.subplots(1, 3, figsize=(13, 3.6), width_ratios=(1.1, 1, 1), layout="constrained")
axes[0].barh(list(parts), list(parts.values()), color=plt.get_cmap("Set2").colors)
for row, number in enumerate(parts.values()):
    axes[0].text(number, row, f" {number} ({number / 10588:.0%})", va="center")
axes[0].set(title=f"your model: {pictured.count_params()} parameters", xlabel="of the 10588", xlim=(0, 9000))
axes[0].invert_yaxis()
show_influence(by_target, axes[1], "target to output")
image = show_influence(by_source, axes[2], "source to output", "changed source position")
figure.colorbar(image, ax=axes[2], label="log10 of how far it moves")
plt.show()

# %% [markdown]
# > **Does this hold?** *"10588 parameters and a falling loss: the model is right."*
# >
# > It doesn't hold. The lecture's model with its look-ahead mask upside down has 10588 parameters too, once the
# > feed-forward is connected. Measured on a copy task: with the right previous values given, its mean squared error
# > is 0.00008, *perfect*; when it has to go on from its own outputs it is 1.04, no better than nothing. Each position
# > reads the answer in the future. And 3 heads of 4 instead of 4 heads of 3 have the same count. The cell draws who
# > sees whom in one attention layer of Keras under the right mask, the lecture's, and one that is shifted by one
# > step.


# %%
def one_attention(may_attend):
    """A causal or not so causal model of one layer, as Keras makes it from a mask (True may attend)."""
    keras.utils.set_random_seed(4)
    layer = keras.layers.MultiHeadAttention(4, 3)
    return lambda inputs: layer(inputs[1], inputs[1], attention_mask=may_attend[None])


future = to_numpy(create_look_ahead_mask(6)) == 1
versions = {
    "look-ahead mask flipped: right": ~future,
    "not flipped: the lecture's": future,
    "one step too far": np.tri(6, k=1) == 1,
}
figure, axes = plt.subplots(1, 3, figsize=(13, 3.6), layout="constrained")
for ax, (title, may_attend) in zip(axes, versions.items(), strict=True):
    moved = influence(one_attention(may_attend), draws[0], draws[1], "target", draws[2])
    image = show_influence(moved, ax, title)
figure.colorbar(image, ax=axes, label="log10 of how far it moves")
plt.show()

# %% [markdown]
# ## Task 3: the Transformer (7 points)
#
# ```
#   source_ids (batch, source_len)                  target_ids (batch, target_len)
#        |                                                |
#   TokenEmbedding                                   TokenEmbedding
#        |                                                |
#   num_layers x EncoderBlock                        num_layers x DecoderBlock
#     hides: padding of the source                     self-attention hides: the future, padding of the target
#        |                                             attention over memory hides: padding of the source
#   LayerNormalization (pre-norm only)                    |
#        |                                           LayerNormalization (pre-norm only)
#        +---- memory ---- to every decoder block ----+   |
#                                                    Dense(vocab_size)
#                                                         |
#                                                    logits (batch, target_len, vocab_size)
# ```
#
# - **Padding** is id 0, wherever it stands, and is hidden in *every* attention over it: in the encoder, in the
#   decoder's self-attention, and, with the **source's** mask, in the attention over memory.
# - **Pre-norm** (`norm_first=True`): the blocks normalise what goes *into* each sublayer, so what comes out of a
#   stack is an unnormalised sum. Each stack therefore ends in a normalisation of its own. **Post-norm**, the paper's,
#   normalises after each residual; its stacks need nothing more.
# - **Logits**, no softmax at the end: the loss of notebook 07 does that.
# - **One vocabulary** for both languages, yet three matrices of that size: embedding of the source, embedding of the
#   target, kernel of the output. With `tie_weights=True` (section 3.4 of the paper) the three are **one and the
#   same**:
#
# $$\text{logits} = x \, E^\top \quad\text{with the table } E\ (\text{vocab\_size}, d_\text{model}) \text{ of the embeddings}$$
#
#   The same *variable*, not a copy: what one use learns the others know, and `model.weights` holds it once. The tied
#   output has no kernel of its own and, in this course, no bias (a bias of its own counts as right too); untied it is
#   `Dense(vocab_size)`, with a bias.
# - Sequences may have any length up to `max_len`, source and target different ones.
#
# > **A trap.** In a functional model (`keras.Input`, ...) keep arithmetic inside layers. `embedded * 8.0` or
# > `ops.matmul(x, table)` on symbolic tensors may fail or lose track of a variable, and a length that isn't known yet is
# > no number that every backend can slice or count by. In a `call` it works. A subclass of `keras.Model` has everything
# > in `call`; call it once before you return it, so that it has its weights.


# %% task="token-model"
def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    """Build the Transformer over tokens (Vaswani et al. 2017, figure 1); id 0 is padding.

    Args:
        vocab_size: number of token ids, the same for source and target.
        max_len: longest source and target.
        num_layers: number of encoder blocks, and of decoder blocks.
        d_model: width of the model; num_heads divides it.
        num_heads: heads of each attention.
        ff_dim: width inside the feed-forward.
        dropout: rate on the embeddings and in every block.
        norm_first: pre-norm blocks, and a normalisation after each stack; otherwise post-norm blocks.
        tie_weights: one matrix is the embedding of the source, that of the target and the output projection.

    Returns:
        A keras.Model: [source_ids (batch, source_len), target_ids (batch, target_len)]
        -> logits (batch, target_len, vocab_size).
    """
    ### BEGIN SOLUTION
    model = Transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
    example = np.ones((1, max_len), "int32")
    model([example, example])  # now it has its weights
    return model


class Transformer(keras.Model):
    """See `build_transformer`."""

    def __init__(
        self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights, **kwargs
    ):
        super().__init__(**kwargs)
        block = (d_model, num_heads, ff_dim, dropout, norm_first)
        self.embed_source = TokenEmbedding(vocab_size, d_model, max_len, dropout)
        self.encoder = [EncoderBlock(*block) for _ in range(num_layers)]
        self.embed_target = self.embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
        self.decoder = [DecoderBlock(*block) for _ in range(num_layers)]
        self.encoder_norm = keras.layers.LayerNormalization(epsilon=1e-6) if norm_first else None
        self.decoder_norm = keras.layers.LayerNormalization(epsilon=1e-6) if norm_first else None
        self.output_dense = None if tie_weights else keras.layers.Dense(vocab_size)

    def call(self, inputs):
        source_ids, target_ids = inputs
        source_mask, target_mask = create_padding_mask(source_ids), create_decoder_mask(target_ids)

        memory = self.embed_source(source_ids)
        for block in self.encoder:
            memory = block(memory, mask=source_mask)
        if self.encoder_norm is not None:
            memory = self.encoder_norm(memory)

        x = self.embed_target(target_ids)
        for block in self.decoder:
            x = block(x, memory, self_mask=target_mask, memory_mask=source_mask)
        if self.decoder_norm is not None:
            x = self.decoder_norm(x)

        if self.output_dense is not None:
            return self.output_dense(x)
        return ops.matmul(x, ops.transpose(ops.convert_to_tensor(self.embed_target.embedding.embeddings)))
        ### END SOLUTION


# %% grade="token-model" points=7
with checking("build_transformer") as check:
    keras.utils.set_random_seed(3)
    rng = np.random.default_rng(3)
    small = build_transformer(vocab_size=11, max_len=9, num_layers=2, d_model=8, num_heads=2, ff_dim=12)
    check.true(small is not None, "a model", "it returned None. Is the `return` missing?")
    source_ids = np.array([[5, 7, 3, 9, 4, 0, 0], [8, 3, 0, 0, 0, 0, 0]], dtype="int32")
    target_ids = np.array([[1, 6, 4, 8, 10], [1, 5, 0, 0, 0]], dtype="int32")
    check.shape(small([source_ids, target_ids]), (2, 5, 11), "(batch, target_len, vocab_size)")
    count = sum(int(np.prod(weight.shape)) for weight in small.trainable_weights)
    check.true(
        count in (3043, 3032),  # 3032 without a bias at the output
        "3043 parameters for these sizes",
        f"the model has {count} parameters for vocabulary 11, 2 + 2 blocks, d_model 8, 2 heads, ff_dim 12; it should have 3043.",
    )
    with_random_weights(small)
    logits = to_numpy(small([source_ids, target_ids]))
    sums = np.exp(logits).sum(axis=-1)
    check.true(not np.allclose(sums, 1, atol=1e-3), "logits", "the outputs add up to 1: leave the softmax out.")
    ids_to_try = np.full((1, 5), 2, dtype="int32")
    seen = influence(small, source_ids[:1], target_ids[:1], "target", ids_to_try)
    check.true(
        seen[~np.tri(5, dtype=bool)].max() < 1e-4 and (np.diagonal(seen) > 1e-4).all(),
        "the decoder is causal",
        "an output sees a later target token, or not its own.",
    )
    further = to_numpy(small([np.pad(source_ids, ((0, 0), (0, 2))), target_ids]))
    check.close(further[0], logits[0], "more padding of the source changes nothing")
    check.close(further[1, :2], logits[1, :2], "also for the sequence with the most padding")
    tied = build_transformer(11, 9, 1, 8, 2, 12, tie_weights=True)
    tied([source_ids, target_ids])
    matrices = [tuple(w.shape) for w in tied.trainable_weights if sorted(w.shape) == [8, 11]]
    check.true(
        len(matrices) == 1,
        "tied: one matrix of the vocabulary's size",
        f"with tie_weights=True there should be one matrix of the vocabulary's size, but there are {len(matrices)}: {matrices}.",
    )
check

# %% [markdown]
# The same question to the finished model: who sees whom? Two of the seven source tokens and the third target token
# are padding, so their columns are crosses (what comes out at padding itself doesn't matter and is left white), and
# no output sees the future.

# %%
pictured = with_random_weights(build_transformer(11, 9, 2, 8, 2, 12))
padded_source = np.array([[5, 7, 3, 9, 4, 0, 0]], dtype="int32")
padded_target = np.array([[1, 6, 0, 8, 10, 2]], dtype="int32")


def influence_of_embedding(model, source, target, changed):
    """Say how far each output moves when the input vector of one position changes; padding included.

    A padded position can't be changed by another id, which would be no padding. So id 0 gets another row of the table.
    """
    other = np.array(
        [[3 if token != 3 else 5 for token in (source if changed == "source" else target)[0]]], dtype="int32"
    )
    moved = influence(model, source, target, changed, other)
    tables = [weight for weight in model.weights if tuple(weight.shape) == (11, 8)]
    before = to_numpy(model([source, target]))[0]
    kept = [to_numpy(table) for table in tables]
    for table, values in zip(tables, kept, strict=True):
        table.assign(np.concatenate([values[:1] + 1, values[1:]]))
    after = to_numpy(model([source, target]))[0]
    for table, values in zip(tables, kept, strict=True):
        table.assign(values)
    sequence = (source if changed == "source" else target)[0]
    own_row = np.arange(len(target[0]))[:, None] == np.arange(len(sequence)) if changed == "target" else False
    by_padding = np.where(own_row | np.zeros(moved.shape, bool), np.nan, np.abs(after - before).max(axis=-1)[:, None])
    padded_rows = target[0] == 0
    by_padding[padded_rows] = np.nan
    moved[:, sequence == 0] = by_padding[:, sequence == 0]
    return moved


figure, axes = plt.subplots(1, 2, figsize=(11, 3.8), width_ratios=(7, 6), layout="constrained")
for ax, changed, ids in ((axes[0], "source", padded_source[0]), (axes[1], "target", padded_target[0])):
    moved = influence_of_embedding(pictured, padded_source, padded_target, changed)
    labels = ["pad" if token == 0 else str(token) for token in ids]
    image = show_influence(moved, ax, f"{changed} to logits", f"changed {changed} token (its id)", labels=labels)
    ax.set_yticks(range(6), ["pad" if token == 0 else str(token) for token in padded_target[0]])
figure.colorbar(image, ax=axes, label="log10 of how far it moves")
plt.show()

# %% [markdown]
# > **Does this hold?** *"Without its padding mask the model would not learn."*
# >
# > It would. Measured on the task of notebook 07 (d_model 64, 2 + 2 blocks, share of held-out numbers wholly right
# > when the model writes by itself):
# >
# > | mistake | exact | exact, sources padded further |
# > |---|---|---|
# > | none | 1.000 | 1.000 |
# > | no padding mask | 1.000 | **0.867** |
# > | no feed-forward in the decoder | **0.999** | |
# > | look-ahead mask missing or inverted | **0.000**, though 1.000 with the right words given | |
# >
# > A model without the mask learns to live with the padding that it was trained with. Then someone puts the same
# > sentence into another batch, with longer neighbours, and the translation changes. So test it: more padding, same
# > output.

# %% [markdown]
# ### Before training
#
# What does a fresh model say? An untied one nothing that has to do with its input: its logits are random numbers of
# about unit size, and the loss is a little above $\ln(\text{vocab\_size})$, by about half the variance of the logits.
# That number is worth remembering: if the first loss you see is far from it, something is wrong. A tied one has an
# opinion already, a wrong one: the token that goes in is still part of what comes out of the residual connections,
# and by $x E^\top$ it is most similar to itself. So it repeats its input, the diagonal below.

# %%
keras.utils.set_random_seed(6)
vocabulary = 24
every_id = np.arange(1, vocabulary, dtype="int32")[None]
figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for ax, tie in zip(axes, (False, True), strict=True):
    fresh = build_transformer(vocabulary, 32, 2, 64, 4, 128, tie_weights=tie)
    for weight in fresh.weights:
        if tuple(weight.shape) == (vocabulary, 64):  # embeddings of unit size, as they are in a trained model
            weight.assign(np.random.default_rng(0).normal(size=weight.shape) / 8)
    log_probabilities = to_numpy(ops.log_softmax(fresh([every_id, every_id])))[0]
    image = ax.imshow(log_probabilities, cmap="viridis", vmin=-6, vmax=0)
    loss = -log_probabilities[np.arange(22), every_id[0, 1:]].mean()
    ax.set(title=f"{'tied' if tie else 'untied'}: loss {loss:.2f} (ln {vocabulary} = {np.log(vocabulary):.2f})")
    ax.set(xlabel="id of the next token", ylabel="token that goes in (its position)")
figure.colorbar(image, ax=axes, label="log probability")
plt.show()

# %% [markdown]
# ## Task 4: where the parameters are (4 points)
#
# Count the **pre-norm** model of task 3 (`norm_first=True`) by arithmetic, with every bias and normalisation. It has
# to equal `model.count_params()`. What there is to count:
#
# | part | how many | each has |
# |---|---|---|
# | attention | one in an encoder block, two in a decoder block | four kernels `(d_model, d_model)` and four biases; `num_heads` changes nothing |
# | feed-forward | one in each block | Dense(`ff_dim`) and Dense(`d_model`), with biases |
# | normalisation | two in an encoder block, three in a decoder block, one after each stack | $\gamma$ and $\beta$ |
# | embedding | untied: one for the source, one for the target | the table; positions have no parameters |
# | output | untied: Dense(`vocab_size`), with its bias | |
# | tied | instead of both embeddings and the output | **one** table, and no output bias |
#
# If your own tied model has an output bias, or your untied one has none, count what your model has: then that is right.
# `max_len` and dropout have no parameters.


# %% task="model-parameters"
def transformer_parameter_count(vocab_size, num_layers, d_model, num_heads, ff_dim, tie_weights=False):
    """Count the parameters of `build_transformer(...)` with pre-norm blocks: its `count_params()`.

    Args:
        vocab_size: number of token ids, the same for source and target.
        num_layers: number of encoder blocks, and of decoder blocks.
        d_model, num_heads, ff_dim: sizes of the blocks.
        tie_weights: one matrix for both embeddings and the output, without an output bias.

    Returns:
        An int.
    """
    ### BEGIN SOLUTION
    attention = 4 * (d_model * d_model + d_model)
    feed_forward = (d_model * ff_dim + ff_dim) + (ff_dim * d_model + d_model)
    norm = 2 * d_model
    encoder_block = attention + feed_forward + 2 * norm
    decoder_block = 2 * attention + feed_forward + 3 * norm
    table = vocab_size * d_model
    vocabulary = table if tie_weights else 3 * table + vocab_size
    return num_layers * (encoder_block + decoder_block) + 2 * norm + vocabulary
    ### END SOLUTION


# %% grade="model-parameters" points=4
with checking("transformer_parameter_count") as check:
    untied = transformer_parameter_count(11, 2, 8, 2, 12)
    check.true(untied is not None, "a number", "it returned None. Is the `return` missing?")
    explained = {
        3043 - 32: "The normalisations after the two stacks are missing.",
        3043 - 88: "Only one of the two embeddings is there.",
        3043 - 6 * 32 - 4 * 20 - 11: "The biases are missing.",
    }
    check.true(
        int(untied) in (3043, 3032),
        "vocabulary 11, 2 + 2 blocks, d_model 8, 2 heads, ff_dim 12: 3043 (or 3032 without an output bias)",
        f"for vocabulary 11, 2 + 2 blocks, d_model 8, 2 heads and ff_dim 12 the count is {untied}, not 3043 (or 3032, if "
        f"your untied output has no bias). {explained.get(int(untied), '')}",
    )
    tied = transformer_parameter_count(11, 2, 8, 2, 12, tie_weights=True)
    check.true(
        int(tied) in (2856, 2867),
        "tied: 2856 (or 2867 with an output bias)",
        f"tied, the count is {tied}; it should be 2856, or 2867 if your tied output has a bias.",
    )
check

# %% [markdown]
# The share of each part for four models: the small one of notebook 07, two between, and the paper's "base" (tied; the
# paper says 65 million). The vocabulary of notebook 07 is tiny. In the others half of an untied model is vocabulary,
# and tying saves a third of all parameters. Attention and feed-forward grow with the square of the width, the
# vocabulary with the width.

# %%
sizes = {
    "notebook 07": (40, 2, 64, 4, 128),
    "small": (2000, 2, 128, 4, 512),
    "medium": (10000, 4, 256, 8, 1024),
    "paper, base": (37000, 6, 512, 8, 2048),
}
figure, axes = plt.subplots(1, 2, figsize=(12, 3.4), sharey=True, layout="constrained")
for ax, tie in zip(axes, (False, True), strict=True):
    for row, (vocabulary, depth, width, heads, inner) in enumerate(sizes.values()):
        total = transformer_parameter_count(vocabulary, depth, width, heads, inner, tie_weights=tie)
        shares = {
            "attention": 3 * depth * 4 * (width * width + width),
            "feed-forward": 2 * depth * (2 * width * inner + width + inner),
            "normalisation": (5 * depth + 2) * 2 * width,
        }
        shares["vocabulary"] = total - sum(shares.values())
        start = 0.0
        for colour, (part, number) in zip(plt.get_cmap("Set2").colors, shares.items(), strict=False):
            ax.barh(row, number / total, left=start, color=colour, label=part if row == 0 else None)
            if number / total > 0.06:
                ax.text(start + number / total / 2, row, f"{number / total:.0%}", ha="center", va="center", fontsize=8)
            start += number / total
        ax.text(1.01, row, f"{total:,}", va="center", fontsize=9)
    ax.set(title="tied" if tie else "untied", xlabel="share of the parameters", xlim=(0, 1.35), yticks=range(4))
    ax.set_yticklabels(sizes)
    ax.invert_yaxis() if not tie else None
figure.legend(*axes[0].get_legend_handles_labels(), ncols=4, loc="outside lower center", frameon=False)
plt.show()

# %% [markdown]
# > **Does this hold?** *"More heads, more parameters."* No: `num_heads` is an argument of the count, and the count
# > doesn't depend on it, because the heads share the same width between them.

# %%
for heads in (1, 2, 4, 8):
    print(f"{heads} heads: {transformer_parameter_count(40, 2, 64, heads, 128):,} parameters")

# %% [markdown]
# ## What you have now
#
# - A token becomes $\sqrt{d_\text{model}}\,E[\text{id}] + PE[p]$; only then come the blocks.
# - Three masks, two sources: the encoder and the attention over memory hide the *source's* padding, the decoder's
#   self-attention the *target's* padding and the future.
# - Pre-norm stacks end in a normalisation. The model ends in logits.
# - Tied means the same variable.
# - A count finds what is missing, not what is upside down. `influence` finds that.
#
# **Next**: training. This model, a dataset of Korean numbers and a few minutes.
#
# **References.** Vaswani et al. 2017, *Attention Is All You Need*: figure 1, sections 3.1 (blocks), 3.2.3 (masks),
# 3.4 (tying and the root). Press and Wolf 2017, *Using the Output Embedding to Improve Language Models* (tying).
# Xiong et al. 2020, *On Layer Normalization in the Transformer Architecture* (pre-norm, and why its stacks end in a
# normalisation).
