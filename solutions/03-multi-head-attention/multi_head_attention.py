# %% [markdown]
# # Multi-head attention
#
# One attention layer gives each position *one* set of weights, so one kind of answer. A word may want several at
# once: its verb, its article, the word before it. Vaswani et al. (2017, section 3.2.2) therefore run several small
# attentions side by side on slices of the features and put the results together again. These are the **heads**.
#
# In this notebook you
#
# 1. split features into heads and merge them back,
# 2. attend with every head at once and reproduce a lecture's two-head example,
# 3. wrap it in a Keras layer with its four projections,
# 4. count its parameters, and
# 5. prove your layer right by copying its weights into `keras.layers.MultiHeadAttention`.
#
# | name | meaning |
# |---|---|
# | `batch` | sequences in a batch |
# | `query_len`, `key_len` | tokens that ask, tokens that are looked at (`seq_len` when they are the same) |
# | `d_model` | features of a token inside the attention |
# | `num_heads` | number of heads |
# | `head_dim` | features of one head: `d_model // num_heads` |
# | `value_dim` | features of the values, when they differ from `d_model` |
#
# **Masks** follow the lecture as before: 1 hides, 0 keeps.
#
# Each task has a cell to fill in and a cell of public checks. The checks show small examples; your points come from
# other inputs after you hand in.

# %% locked="setup"
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")

import keras
import matplotlib.pyplot as plt
import numpy as np

np.set_printoptions(precision=4, suppress=True)
to_numpy = keras.ops.convert_to_numpy


def show_weights(ax, weights, title, vmax=1.0):
    """Draw attention weights (query_len, key_len), one row a query, with the number in each square."""
    weights = to_numpy(weights)
    image = ax.imshow(weights, cmap="Blues", vmin=0.0, vmax=vmax)
    for (row, column), weight in np.ndenumerate(weights):
        colour = "white" if weight > 0.6 * vmax else "black"
        ax.text(column, row, f"{weight:.2f}", ha="center", va="center", fontsize=7, color=colour)
    ax.set(title=title, xlabel="key", ylabel="query", xticks=range(weights.shape[1]), yticks=range(weights.shape[0]))
    return image


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## 0. What you bring along
#
# Paste `softmax`, `attention_scores` and `scaled_dot_product_attention` from the notebook on attention. You may use
# them below, or not; a mistake in them costs nothing here, it has been counted there.
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{\text{key\_dim}}}\right) V$$
#
# They allow any leading dimensions. That is the trick of this whole notebook: if the heads become a *leading* dimension,
# the attention you already have works for all heads at once.


# %% carry_over=true
def softmax(x, axis=-1):
    """Exponentials along `axis`, divided by their sum; right for large scores too.

    Args:
        x: numbers of any shape.
        axis: along this axis the result sums to 1.

    Returns:
        The shape of x.
    """
    ### BEGIN SOLUTION
    x = keras.ops.convert_to_tensor(x)
    exponentials = keras.ops.exp(x - keras.ops.max(x, axis=axis, keepdims=True))
    return exponentials / keras.ops.sum(exponentials, axis=axis, keepdims=True)
    ### END SOLUTION


def attention_scores(query, key):
    """Dot products of queries with keys, divided by the square root of key_dim.

    Args:
        query: (..., query_len, key_dim).
        key: (..., key_len, key_dim).

    Returns:
        (..., query_len, key_len).
    """
    ### BEGIN SOLUTION
    query, key = keras.ops.convert_to_tensor(query), keras.ops.convert_to_tensor(key)
    return keras.ops.matmul(query, keras.ops.swapaxes(key, -1, -2)) / key.shape[-1] ** 0.5
    ### END SOLUTION


def scaled_dot_product_attention(query, key, value, mask=None):
    """Average the values by how well each query matches each key.

    Args:
        query: (..., query_len, key_dim).
        key: (..., key_len, key_dim).
        value: (..., key_len, value_dim).
        mask: broadcasts to (..., query_len, key_len); 1 hides, 0 keeps.

    Returns:
        output (..., query_len, value_dim), weights (..., query_len, key_len).
    """
    ### BEGIN SOLUTION
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores - 1e9 * keras.ops.cast(mask, scores.dtype)
    weights = softmax(scores, axis=-1)
    return keras.ops.matmul(weights, keras.ops.convert_to_tensor(value)), weights
    ### END SOLUTION


# %%
# One head, as a reminder: the lecture's example gives [[550, 5.5], [10, 0], [5.5, 0]].
one_query = np.array([[0, 0, 10], [0, 10, 0], [10, 10, 0]], dtype="float32")
one_key = np.array([[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]], dtype="float32")
one_value = np.array([[1, 0], [10, 0], [100, 5], [1000, 6]], dtype="float32")
one_output, one_weights = scaled_dot_product_attention(one_query, one_key, one_value)
print(to_numpy(one_output))
print(to_numpy(one_weights))

# %% [markdown]
# ## The whole road, by shapes
#
# Multi-head attention is eight small steps. Only three of them are new, and none of those does arithmetic: they
# move numbers about.
#
# | step | what | shape | 128 sequences, 32 tokens, `d_model` 200, 5 heads |
# |---|---|---|---|
# | 1 project | three dense layers | (batch, len, d_model) | (128, 32, 200) |
# | **2 split** | **deal the features to the heads** | **(batch, num_heads, len, head_dim)** | **(128, 5, 32, 40)** |
# | 3 scores | query · key / √head_dim | (batch, num_heads, query_len, key_len) | (128, 5, 32, 32) |
# | **4 mask** | **the same mask for every head** | (batch, num_heads, query_len, key_len) | (128, 5, 32, 32) |
# | 5 weights | softmax over the keys | (batch, num_heads, query_len, key_len) | (128, 5, 32, 32) |
# | 6 weighted values | weights · values | (batch, num_heads, query_len, head_dim) | (128, 5, 32, 40) |
# | **7 merge** | **heads side by side** | **(batch, query_len, d_model)** | **(128, 32, 200)** |
# | 8 project | one dense layer mixes the heads | (batch, query_len, d_model) | (128, 32, 200) |
#
# Come back to this table whenever a shape surprises you. After task 3 a cell prints every row of it from your own code.
#
# ## 1. Split into heads
#
# Head $h$ gets `head_dim` **neighbouring** features of every token: $x[b, t, h \cdot \text{head\_dim} : (h+1) \cdot
# \text{head\_dim}]$.
#
# | | shape | for 2 heads, one sequence of 3 tokens with 4 features |
# |---|---|---|
# | x | (batch, seq_len, d_model) | (1, 3, 4) |
# | cut each token's features into pieces | (batch, seq_len, num_heads, head_dim) | (1, 3, 2, 2) |
# | bring the heads to the front | (batch, num_heads, seq_len, head_dim) | (1, 2, 3, 2) |
#
# ```
# token 0:  [ 0  1 | 2  3 ]        head 0: [[0 1], [4 5], [ 8  9]]
# token 1:  [ 4  5 | 6  7 ]   ->   head 1: [[2 3], [6 7], [10 11]]
# token 2:  [ 8  9 |10 11 ]
# ```
#
# The pieces must be equally wide, so `num_heads` has to divide `d_model`. If it doesn't, say so: raise a `ValueError` that
# names the arguments and the values received.


# %% task="split-heads"
def split_heads(x, num_heads):
    """Deal out the features of every token to the heads.

    Args:
        x: (batch, seq_len, d_model).
        num_heads: number of heads; must divide d_model.

    Returns:
        (batch, num_heads, seq_len, head_dim) with head_dim = d_model // num_heads.

    Raises:
        ValueError: num_heads does not divide d_model. The text names both and their values.
    """
    ### BEGIN SOLUTION
    batch, seq_len, d_model = keras.ops.shape(x)
    if d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
    x = keras.ops.reshape(x, (batch, seq_len, num_heads, d_model // num_heads))
    return keras.ops.transpose(x, (0, 2, 1, 3))
    ### END SOLUTION


# %% grade="split-heads" points=3
with checking("split_heads") as check:
    tokens = np.arange(12.0).reshape(1, 3, 4)
    halves = split_heads(tokens, 2)
    check.shape(halves, (1, 2, 3, 2), "(batch, num_heads, seq_len, head_dim)")
    check.close(
        halves,
        [[[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]]],
        "two heads of three tokens",
        hints={
            "the shape is right, but a reshape alone goes through the numbers in order, so head 0 got all of token 0 and half of "
            "token 1. Cut up the features first, then swap two axes.": tokens.reshape(1, 2, 3, 2),
            "each head got every second feature. A head's features are neighbours: in (…, num_heads, head_dim) the heads come "
            "first.": tokens.reshape(1, 3, 2, 2).transpose(0, 3, 1, 2),
        },
    )
    two_sequences = 100.0 * np.arange(2)[:, None, None] + 10.0 * np.arange(5)[:, None] + np.arange(6)
    last_head = to_numpy(split_heads(two_sequences, 3))[1, 2]
    check.close(last_head, 100 + 10 * np.arange(5)[:, None] + [4, 5], "the last head of sequence 1")
    check.raises_value_error(split_heads, np.zeros((1, 3, 4)), 3, naming=("num_heads", 3))
check

# %% [markdown]
# > **Does this hold?** *"To split the heads, reshape `(batch, seq_len, d_model)` to `(batch, num_heads, seq_len,
# > head_dim)`."* A great deal of published code does just that. It runs, the shape is right, even a model trained
# > with it learns.
# >
# > It doesn't hold. A reshape never moves a number: it reads them in order and cuts the row anew. The next cell
# > colours every number by the **token** it belongs to. In a real split every head sees every token, one a row. After
# > a reshape alone the first head sees only the first tokens: rows are pieces of tokens, and "attending to position
# > 2" means something else in each head. A look-ahead mask then hides the wrong things.

# %%
def show_tokens(ax, numbers, title):
    """Draw numbers `token.feature` (rows, columns), coloured by token."""
    ax.imshow(np.floor(numbers), cmap="Set2", vmin=0, vmax=7)
    for (row, column), number in np.ndenumerate(numbers):
        ax.text(column, row, f"{number:.1f}", ha="center", va="center", fontsize=9)
    ax.set(title=title, xticks=range(numbers.shape[1]), yticks=range(numbers.shape[0]), xlabel="feature", ylabel="row")


sentence = np.arange(4.0)[:, None] + np.arange(6) / 10  # number 2.5 is feature 5 of token 2
dealt = to_numpy(split_heads(sentence[None], 2))[0]
only_reshaped = sentence.reshape(2, 4, 3)

figure, axes = plt.subplots(2, 3, figsize=(9, 5.2), width_ratios=(2, 1, 1), layout="constrained")
show_tokens(axes[0, 0], sentence, "x: token.feature")
show_tokens(axes[1, 0], sentence, "x: token.feature")
for head in range(2):
    show_tokens(axes[0, 1 + head], dealt[head], f"split_heads: head {head}")
    show_tokens(axes[1, 1 + head], only_reshaped[head], f"reshape alone: head {head}")
figure.suptitle("Which numbers end up in which head? One colour a token")
plt.show()

# %% [markdown]
# > **Does this hold?** *"Use 5 heads with 128 features"*, the default of a widely copied tutorial class.
# > 128 / 5 = 25.6: there is no such split. Your function says so at once, and in words. Without the check, code that writes
# > `head_dim = d_model // num_heads` gets 25, loses 3 features and fails later in some reshape, or never.

# %%
try:
    split_heads(np.zeros((1, 2, 128)), 5)
except ValueError as error:
    print("ValueError:", error)

# %% [markdown]
# ## 2. Merge the heads
#
# The way back. Undo the two steps of the split in the opposite order: bring the heads back beside their features, then
# join them.
#
# | | shape |
# |---|---|
# | x | (batch, num_heads, seq_len, head_dim) |
# | heads beside their features | (batch, seq_len, num_heads, head_dim) |
# | joined | (batch, seq_len, d_model) with d_model = num_heads · head_dim |
#
# Again a reshape alone would have the right shape and the wrong numbers in it.


# %% task="merge-heads"
def merge_heads(x):
    """Put the heads of every token side by side again: the inverse of `split_heads`.

    Args:
        x: (batch, num_heads, seq_len, head_dim).

    Returns:
        (batch, seq_len, num_heads * head_dim).
    """
    ### BEGIN SOLUTION
    batch, num_heads, seq_len, head_dim = keras.ops.shape(x)
    x = keras.ops.transpose(x, (0, 2, 1, 3))
    return keras.ops.reshape(x, (batch, seq_len, num_heads * head_dim))
    ### END SOLUTION


# %% grade="merge-heads" points=2
with checking("merge_heads") as check:
    two_heads = np.array([[[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]]], dtype=float)
    merged = merge_heads(two_heads)
    check.shape(merged, (1, 3, 4), "(batch, seq_len, d_model)")
    check.close(
        merged,
        np.arange(12.0).reshape(1, 3, 4),
        "two heads of three tokens, merged",
        hints={
            "the shape is right, but a reshape alone puts two tokens of head 0 into one row. Bring the heads back beside "
            "their features first.": two_heads.reshape(1, 3, 4),
            "the features of the heads alternate. Each head's features stay together: the heads' axis comes before "
            "head_dim.": two_heads.transpose(0, 2, 3, 1).reshape(1, 3, 4),
        },
    )
    five_tokens = np.arange(2 * 3 * 5 * 2.0).reshape(2, 3, 5, 2)
    check.close(to_numpy(merge_heads(five_tokens))[1, 4], [38, 39, 48, 49, 58, 59], "the last token of three heads")
check

# %%
# There and back again, with every number of heads that divides 12.
features = np.random.default_rng(0).normal(size=(2, 5, 12)).astype("float32")
for heads in (1, 2, 3, 4, 6, 12):
    back = to_numpy(merge_heads(split_heads(features, heads)))
    print(f"{heads:2d} heads of {12 // heads:2d}: unchanged = {np.array_equal(back, features)}")

# %% [markdown]
# ## 3. Attend with every head
#
# Now the pieces come together. For each head $h$, with $Q_h, K_h, V_h$ its slices,
#
# $$W_h = \mathrm{softmax}\!\left(\frac{Q_h K_h^\top}{\sqrt{\text{head\_dim}}}\right), \qquad
# \text{output} = \mathrm{Concat}(W_1 V_1, \dots, W_H V_H).$$
#
# | | shape |
# |---|---|
# | query, key | (batch, query_len, d_model), (batch, key_len, d_model) |
# | value | (batch, key_len, value_dim): its width is its own, but the heads must divide it too |
# | weights | (batch, num_heads, query_len, key_len) |
# | output | (batch, query_len, value_dim) |
#
# No loop over heads is needed: with the heads as a leading dimension, matrix products run over all of them.
#
# **The lecture's example** has two heads of two features each:
#
# $$Q = \begin{bmatrix} 0&0&10&10\\ 0&10&0&0\\ 10&10&0&0 \end{bmatrix}\quad
# K = \begin{bmatrix} 10&0&0&0\\ 0&10&0&10\\ 0&0&10&0\\ 0&0&10&0 \end{bmatrix}\quad
# V = \begin{bmatrix} 1&0\\ 10&0\\ 100&5\\ 1000&6 \end{bmatrix}$$
#
# Take query 0. In head 0 it is $(0, 0)$: every dot product is 0, every key gets ¼, and the output is the plain mean
# $(1 + 10 + 100 + 1000) / 4 = 277.75$. In head 1 it is $(10, 10)$: keys 1, 2 and 3 score 100, key 0 scores 0, so
# the three share the weight and the output is $(0 + 5 + 6) / 3 = 3.667$. One query, two answers: that is what heads
# are for.
#
# **The mask** arrives in one of these shapes; all of them have to reach *every* head:
#
# | mask | meaning |
# |---|---|
# | (query_len, key_len) | the same for all sequences, e.g. look-ahead |
# | (batch, 1, 1, key_len) | hidden keys of each sequence, e.g. padding |
# | (batch, 1, query_len, key_len) | both together |


# %% task="multi-head"
def multi_head_attention(query, key, value, num_heads, mask=None):
    """Attend with `num_heads` heads side by side, without projections.

    You may use `split_heads`, `merge_heads` and `scaled_dot_product_attention` from above.

    Args:
        query: (batch, query_len, d_model).
        key: (batch, key_len, d_model).
        value: (batch, key_len, value_dim).
        num_heads: number of heads; divides d_model and value_dim.
        mask: broadcasts to the weights; 1 hides, 0 keeps. For example (query_len, key_len), (batch, 1, 1, key_len) or
            (batch, 1, query_len, key_len).

    Returns:
        output (batch, query_len, value_dim), weights (batch, num_heads, query_len, key_len).
    """
    ### BEGIN SOLUTION
    ops = keras.ops

    def heads(x):
        batch, seq_len, width = ops.shape(x)
        return ops.transpose(ops.reshape(x, (batch, seq_len, num_heads, width // num_heads)), (0, 2, 1, 3))

    query, key, value = heads(query), heads(key), heads(value)
    # (batch, num_heads, query_len, key_len)
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores - 1e9 * ops.cast(mask, scores.dtype)
    weights = ops.softmax(scores, axis=-1)
    # (batch, num_heads, query_len, width of a head's values) -> (batch, query_len, value_dim)
    attended = ops.transpose(ops.matmul(weights, value), (0, 2, 1, 3))
    batch, query_len, _, head_value_dim = ops.shape(attended)
    return ops.reshape(attended, (batch, query_len, num_heads * head_value_dim)), weights
    ### END SOLUTION


# %% grade="multi-head" points=4
with checking("multi_head_attention") as check:
    query = np.array([[[0, 0, 10, 10], [0, 10, 0, 0], [10, 10, 0, 0]]], dtype="float32")
    key = np.array([[[10, 0, 0, 0], [0, 10, 0, 10], [0, 0, 10, 0], [0, 0, 10, 0]]], dtype="float32")
    value = np.array([[[1, 0], [10, 0], [100, 5], [1000, 6]]], dtype="float32")
    output, weights = multi_head_attention(query, key, value, 2)
    check.shape(weights, (1, 2, 3, 4), "the weights (batch, num_heads, query_len, key_len)")
    check.shape(output, (1, 3, 2), "the output (batch, query_len, value_dim)")
    check.true(
        np.allclose(to_numpy(weights).sum(axis=-1), 1, atol=1e-4),
        "the weights of each query sum to 1",
        "the weights of a query should sum to 1 over the keys, the last axis. Along which axis is your softmax?",
    )
    quarter = [0.25, 0.25, 0.25, 0.25]
    first_head, second_head = [quarter, [0, 1, 0, 0], [0.5, 0.5, 0, 0]], [[0, 1 / 3, 1 / 3, 1 / 3], quarter, quarter]
    check.close(weights, [[first_head, second_head]], "the lecture's weights")
    columns = np.array([[277.75, 10, 5.5], [11 / 3, 2.75, 2.75]])
    check.close(
        output,
        [columns.T],
        "the lecture's output",
        hints={"the heads were merged by a reshape alone: each row mixes queries of one head.": [columns.reshape(3, 2)]},
    )
    # two heads of three features, scores small enough to see the scale: before it, a head scores 2 against 0
    small_query = np.array([[[1, 1, 0, 2, 0, 0]]], dtype="float32")
    small_key = np.array([[[1, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0]]], dtype="float32")
    _, small_weights = multi_head_attention(small_query, small_key, np.ones((1, 2, 2), dtype="float32"), 2)

    def pair(score):
        share = 1 / (1 + np.exp(-score))
        return [[[[share, 1 - share]], [[1 - share, share]]]]

    check.close(
        small_weights,
        pair(2 / np.sqrt(3)),
        "weights of small scores",
        hints={
            "the scores were divided by the root of d_model. Each head's dot product has head_dim terms.": pair(2 / np.sqrt(6)),
            "the scores were not divided by the root of head_dim.": pair(2),
            "the scores were divided by head_dim, not by its root.": pair(2 / 3),
        },
    )
    hide_last = np.array([0, 0, 0, 1], dtype="float32").reshape(1, 1, 1, 4)
    third, half = [1 / 3, 1 / 3, 1 / 3, 0], [0, 0.5, 0.5, 0]
    hidden = [[[third, [0, 1, 0, 0], [0.5, 0.5, 0, 0]], [half, third, third]]]
    free = np.array([[first_head, second_head]])
    wrong = {
        "the mask has no effect.": free,
        "only the hidden key is left: in the lecture's masks 1 hides and 0 keeps.": np.ones_like(free) * hide_last,
        "the mask was multiplied in after the softmax, so the rows no longer sum to 1.": (1 - hide_last) * free,
    }
    for mask, words in ((hide_last, "(batch, 1, 1, key_len)"), (np.repeat(hide_last[0, 0], 3, axis=0), "(query_len, key_len)")):
        masked_output, masked = multi_head_attention(query, key, value, 2, mask=mask)
        check.close(masked, hidden, f"weights under a mask {words}", hints=wrong)
        check.close(
            masked_output,
            [[[37, 2.5], [10, 5 / 3], [5.5, 5 / 3]]],
            f"output under a mask {words}",
            hints={"it was made from the weights before the mask.": [columns.T]},
        )
check

# %%
# One picture per head: the lecture's example.
lecture_query = np.array([[[0, 0, 10, 10], [0, 10, 0, 0], [10, 10, 0, 0]]], dtype="float32")
lecture_key = np.array([[[10, 0, 0, 0], [0, 10, 0, 10], [0, 0, 10, 0], [0, 0, 10, 0]]], dtype="float32")
lecture_value = np.array([[[1, 0], [10, 0], [100, 5], [1000, 6]]], dtype="float32")
lecture_output, lecture_weights = map(to_numpy, multi_head_attention(lecture_query, lecture_key, lecture_value, 2))
print("weights", lecture_weights[0].shape, "output", lecture_output[0].shape)
print(lecture_output[0])

figure, axes = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
for head, ax in enumerate(axes):
    image = show_weights(ax, lecture_weights[0, head], f"head {head}")
figure.colorbar(image, ax=axes, label="attention weight")
figure.suptitle("The same queries look at different keys in each head")
plt.show()


# %%
# Every tensor of the table above, from your own functions. The sizes are those of a PyTorch tutorial.
def print_shapes(batch, query_len, key_len, d_model, num_heads):
    """Walk through multi-head attention on zeros and print each tensor's shape."""
    projection = np.zeros((d_model, d_model), dtype="float32")
    x_query, x_memory = (np.zeros((batch, n, d_model), dtype="float32") for n in (query_len, key_len))
    projected = [x @ projection for x in (x_query, x_memory, x_memory)]
    print(f"1 project          query {projected[0].shape}  key {projected[1].shape}  value {projected[2].shape}")
    split = [to_numpy(split_heads(x, num_heads)) for x in projected]
    print(f"2 split            query {split[0].shape}  key {split[1].shape}  value {split[2].shape}")
    scores = to_numpy(attention_scores(split[0], split[1]))
    print(f"3 scores           {scores.shape}")
    padding_mask = np.zeros((batch, 1, 1, key_len), dtype="float32")
    print(f"4 mask             {padding_mask.shape} broadcasts to {np.broadcast_shapes(padding_mask.shape, scores.shape)}")
    shares = to_numpy(softmax(scores - 1e9 * padding_mask))
    print(f"5 weights          {shares.shape}")
    attended = shares @ split[2]
    print(f"6 weighted values  {attended.shape}")
    joined = to_numpy(merge_heads(attended))
    print(f"7 merge            {joined.shape}")
    print(f"8 project          {(joined @ projection).shape}")


print_shapes(batch=128, query_len=32, key_len=32, d_model=200, num_heads=5)
print("\nqueries from one sequence, keys and values from a longer one:")
print_shapes(batch=2, query_len=5, key_len=7, d_model=12, num_heads=3)

# %% [markdown]
# > **Does this hold?** *"Divide the scores by the root of the feature dimension"*, says a widely read tutorial, and
# > its code divides by $\sqrt{d_{model}}$ after the split into heads.
# >
# > A head's dot product has `head_dim` terms, so with independent features of variance 1 its standard deviation is
# > $\sqrt{\text{head\_dim}}$. Dividing by $\sqrt{d_{model}}$ makes the scores smaller by $\sqrt{\text{num\_heads}}$
# > than they should be, and the weights too flat. The cell below measures it with 8 heads of 8 features. A model
# > trained that way learns an easy task about as well, because its projections can grow to make up for it: **training
# > success doesn't show this mistake, comparing values does.**

# %%
rng = np.random.default_rng(3)
wide_query, wide_key = rng.normal(size=(2, 4, 12, 64)).astype("float32")
_, right = multi_head_attention(wide_query, wide_key, wide_key, 8)
# a factor on the query is a factor on its scores: sqrt(d_model) in place of sqrt(head_dim)
_, flat = multi_head_attention(wide_query / np.sqrt(8), wide_key, wide_key, 8)
right, flat = to_numpy(right), to_numpy(flat)

figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
for ax, some_weights, label in ((axes[0], right, r"$\sqrt{head\_dim}$"), (axes[1], flat, r"$\sqrt{d\_model}$")):
    image = ax.imshow(some_weights[0, 0], cmap="Blues", vmin=0, vmax=0.6)
    ax.set(title=f"one head, scores / {label}", xlabel="key", ylabel="query")
    axes[2].plot(np.sort(some_weights)[..., ::-1].mean(axis=(0, 1, 2)), "o-", label=label)
figure.colorbar(image, ax=axes[1], label="attention weight")
axes[2].axhline(1 / 12, color="grey", linestyle=":", label="uniform")
axes[2].set(title="mean weight of the keys", xlabel="keys of a query, from best to worst", ylabel="attention weight")
axes[2].legend()
plt.show()
for some_weights, name in ((right, "head_dim"), (flat, "d_model")):
    print(f"divided by the root of {name}: the largest weight of a query is {some_weights.max(axis=-1).mean():.3f} on average")

# %% [markdown]
# ## 4. The layer
#
# What can be learned is in the projections. Before the split, three dense layers turn the inputs into queries, keys and
# values; after the merge a fourth mixes what the heads found:
#
# $$\mathrm{MultiHead}(X_q, X_k, X_v) = \mathrm{Concat}(\text{head}_1, \dots, \text{head}_H)\, W^O + b^O$$
#
# $$\text{head}_h = \mathrm{Attention}(X_q W^Q_h + b^Q_h,\; X_k W^K_h + b^K_h,\; X_v W^V_h + b^V_h)$$
#
# $W^Q_h$ is simply the $h$-th block of columns of one matrix $W^Q$: projecting once and splitting the result is the same
# as projecting for every head by itself. The paper has no biases $b$; Keras's layer has them, and so does yours.
#
# | sublayer | takes | gives | kernel | bias |
# |---|---|---|---|---|
# | `query_dense` | query (batch, query_len, query_input) | (batch, query_len, d_model) | (query_input, d_model) | (d_model,) |
# | `key_dense` | key (batch, key_len, key_input) | (batch, key_len, d_model) | (key_input, d_model) | (d_model,) |
# | `value_dense` | value (batch, key_len, value_input) | (batch, key_len, d_model) | (value_input, d_model) | (d_model,) |
# | `output_dense` | merged heads (batch, query_len, d_model) | (batch, query_len, d_model) | (d_model, d_model) | (d_model,) |
#
# The inputs need not be as wide as `d_model`, nor as wide as each other: a `Dense` layer sees the width of its input
# when it is first called. And write it **from scratch**: no `keras.layers.MultiHeadAttention`, no fused attention op
# inside. Your layer must not carry an activation or a dropout either.
#
# `get_config` makes the layer savable: it returns the constructor's arguments on top of what `super().get_config()` gives.


# %% task="multi-head-layer"
class MultiHeadAttention(keras.layers.Layer):
    """Multi-head attention from scratch (Vaswani et al. 2017, section 3.2.2).

    Args:
        d_model: width of the projected queries, keys and values together over all heads, and of the output.
        num_heads: number of heads.

    Attributes:
        num_heads: as given.
        query_dense, key_dense, value_dense, output_dense: `keras.layers.Dense` with bias, to d_model, no activation.

    Raises:
        ValueError: num_heads does not divide d_model. The text names both and their values.
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
        """Given: tell Keras that no mask goes on to the next layer. (It takes every argument `mask` for one of its own.)"""
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
        ops = keras.ops

        def heads(x):
            batch, seq_len, _ = ops.shape(x)
            return ops.transpose(ops.reshape(x, (batch, seq_len, self.num_heads, self.head_dim)), (0, 2, 1, 3))

        query, key, value = heads(self.query_dense(query)), heads(self.key_dense(key)), heads(self.value_dense(value))
        # (batch, num_heads, query_len, key_len)
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


# %% grade="multi-head-layer" points=5
with checking("MultiHeadAttention") as check:
    query = np.array([[[0, 0, 10, 10], [0, 10, 0, 0], [10, 10, 0, 0]]], dtype="float32")
    key = np.array([[[10, 0, 0, 0], [0, 10, 0, 10], [0, 0, 10, 0], [0, 0, 10, 0]]], dtype="float32")
    value = np.array([[[1, 0], [10, 0], [100, 5], [1000, 6]]], dtype="float32")
    layer = MultiHeadAttention(d_model=4, num_heads=2)
    output = layer(query, key, value)
    alone = not isinstance(output, (tuple, list))
    check.true(alone, "the output alone", "it returned a pair, but return_attention_scores is False unless asked for.")
    check.shape(output, (1, 3, 4), "the output (batch, query_len, d_model)")
    for name, width in (("query_dense", 4), ("key_dense", 4), ("value_dense", 2), ("output_dense", 4)):
        dense = getattr(layer, name, None)
        check.true(isinstance(dense, keras.layers.Dense), f"`{name}` is a Dense layer", f"there is no Dense sublayer `{name}`.")
        check.true(dense.built, f"`{name}` is used", f"`{name}` was never called.")
        check.true(dense.use_bias, f"`{name}` has a bias", f"`{name}` has no bias.")
        check.shape(dense.kernel, (width, 4), f"the kernel of {name}")
    check.true(len(layer.weights) == 8, "eight weights", f"the layer has {len(layer.weights)} weights, four Dense layers have 8.")

    # The lecture's example again: queries and keys pass unchanged, value column 0 goes (negative) to head 0, column 1 to head 1.
    passing = {
        "query_dense": (np.eye(4), np.zeros(4)),
        "key_dense": (np.eye(4), np.zeros(4)),
        "value_dense": ([[-1, 0, 0, 0], [0, 0, 1, 0]], np.zeros(4)),
        "output_dense": (np.eye(4)[[0, 2, 1, 3]], [0, 0, 1, 2]),
    }
    for name, (kernel, bias) in passing.items():
        getattr(layer, name).kernel.assign(np.asarray(kernel, dtype="float32"))
        getattr(layer, name).bias.assign(np.asarray(bias, dtype="float32"))
    pair_returned = layer(query, key, value, return_attention_scores=True)
    is_pair = isinstance(pair_returned, (tuple, list)) and len(pair_returned) == 2
    check.true(is_pair, "(output, weights) if asked for", "with return_attention_scores=True it should return (output, weights).")
    output, weights = pair_returned
    check.shape(weights, (1, 2, 3, 4), "the weights (batch, num_heads, query_len, key_len)")
    check.true(
        np.allclose(to_numpy(weights).sum(axis=-1), 1, atol=1e-4),
        "the weights of each query sum to 1",
        "the weights of a query should sum to 1 over the keys, the last axis. Along which axis is your softmax?",
    )
    quarter = [0.25, 0.25, 0.25, 0.25]
    first_head, second_head = [quarter, [0, 1, 0, 0], [0.5, 0.5, 0, 0]], [[0, 1 / 3, 1 / 3, 1 / 3], quarter, quarter]
    check.close(weights, [[first_head, second_head]], "the lecture's weights from the layer")
    merged_heads = np.array([[-277.75, 0, 11 / 3, 0], [-10, 0, 2.75, 0], [-5.5, 0, 2.75, 0]])
    by_reshape = np.stack([merged_heads[:, :2], merged_heads[:, 2:]]).reshape(3, 4)

    def projected(x):
        return x[None, :, [0, 2, 1, 3]] + [0, 0, 1, 2]

    check.close(
        output,
        projected(merged_heads),
        "the lecture's output from the layer",
        hints={
            "the merged heads never went through `output_dense`.": merged_heads[None],
            "the bias of `output_dense` is not used.": projected(merged_heads) - [0, 0, 1, 2],
            "a projection has an activation: all four are linear.": projected(np.maximum(merged_heads, 0)),
            "the heads were merged by a reshape alone: each row mixes queries of one head.": projected(by_reshape),
        },
    )
    check.close(layer(query, key, value), output, "the same output without return_attention_scores")

    small_query = np.array([[[1, 1, 2, 0]]], dtype="float32")
    small_key = np.array([[[1, 1, 0, 0], [0, 0, 1, 0]]], dtype="float32")
    _, small_weights = layer(small_query, small_key, np.ones((1, 2, 2), dtype="float32"), return_attention_scores=True)

    def pair(score):
        return [1 / (1 + np.exp(-score)), 1 / (1 + np.exp(score))]

    check.close(
        to_numpy(small_weights)[0, 0, 0],
        pair(2 / np.sqrt(2)),
        "weights of small scores",
        hints={
            "the scores were divided by 2: is that head_dim, or the root of d_model? It should be the root of head_dim.": pair(1),
            "the scores were not divided by the root of head_dim.": pair(2),
        },
    )
    hide_last = np.array([0, 0, 0, 1], dtype="float32").reshape(1, 1, 1, 4)
    _, masked = layer(query, key, value, mask=hide_last, return_attention_scores=True)
    third, half = [1 / 3, 1 / 3, 1 / 3, 0], [0, 0.5, 0.5, 0]
    check.close(
        masked,
        [[[third, [0, 1, 0, 0], [0.5, 0.5, 0, 0]], [half, third, third]]],
        "weights under a mask",
        hints={
            "the mask has no effect.": [[first_head, second_head]],
            "only the hidden key is left: in the lecture's masks 1 hides and 0 keeps.": np.ones((1, 2, 3, 4)) * hide_last,
        },
    )
    copy = MultiHeadAttention.from_config(layer.get_config())
    _, copied_weights = copy(query, key, value, return_attention_scores=True)
    check.shape(copied_weights, (1, 2, 3, 4), "the weights of the layer made from the config")
    check.raises_value_error(MultiHeadAttention, d_model=10, num_heads=4, naming=("num_heads", 4))
check

# %%
# Four heads of an untrained layer under a look-ahead mask: each has its own view, none sees a later key.
keras.utils.set_random_seed(1)
untrained = MultiHeadAttention(d_model=12, num_heads=4)
some_sequence = np.random.default_rng(1).normal(size=(1, 6, 12)).astype("float32")
look_ahead_mask = np.triu(np.ones((6, 6), dtype="float32"), k=1)
_, untrained_weights = untrained(some_sequence, some_sequence, some_sequence, mask=look_ahead_mask, return_attention_scores=True)

figure, axes = plt.subplots(1, 4, figsize=(13, 3.4), layout="constrained")
for head, ax in enumerate(axes):
    image = show_weights(ax, to_numpy(untrained_weights)[0, head], f"head {head}")
figure.colorbar(image, ax=axes, label="attention weight")
figure.suptitle("An untrained layer under a look-ahead mask")
plt.show()

# %% [markdown]
# ## 5. Count the parameters
#
# `keras.layers.MultiHeadAttention(num_heads, key_dim, value_dim=None, output_shape=None)` is a little more general
# than your layer: `key_dim` and `value_dim` are the width of **one head**, so nothing has to be divisible, and the
# output may have any width.
#
# For self-attention on an input of `input_dim` features:
#
# | projection | from | to | kernel | bias |
# |---|---|---|---|---|
# | query | input_dim | num_heads · key_dim | input_dim · num_heads · key_dim | num_heads · key_dim |
# | key | input_dim | num_heads · key_dim | … | … |
# | value | input_dim | num_heads · value_dim | … | … |
# | output | num_heads · value_dim | output_dim | … | … |
#
# Left out, `value_dim` is `key_dim` and `output_dim` is `input_dim`. The lecture counts three cases:
#
# | input | heads | key_dim | value_dim | output | parameters |
# |---|---|---|---|---|---|
# | 24 | 8 | 3 | | | 3 · (24 · 24 + 24) + (24 · 24 + 24) = 1800 + 600 = **2400** |
# | 24 | 8 | 3 | 4 | 32 | **3056** |
# | 12 | 4 | 3 | | | **624** |


# %% task="parameter-count"
def mha_parameter_count(input_dim, num_heads, key_dim, value_dim=None, output_dim=None):
    """Count the parameters of `keras.layers.MultiHeadAttention` for self-attention, biases included.

    Args:
        input_dim: features of a token of the input, which is query, key and value.
        num_heads: number of heads.
        key_dim: width of the queries and keys of one head.
        value_dim: width of the values of one head; key_dim if None.
        output_dim: width of the output; input_dim if None.

    Returns:
        The number of parameters, an int.
    """
    ### BEGIN SOLUTION
    value_dim = key_dim if value_dim is None else value_dim
    output_dim = input_dim if output_dim is None else output_dim
    query_and_key = 2 * (input_dim + 1) * num_heads * key_dim
    value = (input_dim + 1) * num_heads * value_dim
    output = (num_heads * value_dim + 1) * output_dim
    return query_and_key + value + output
    ### END SOLUTION


# %% grade="parameter-count" points=3
with checking("mha_parameter_count") as check:
    check.close(
        mha_parameter_count(24, 8, 3),
        2400,
        "input 24, 8 heads, key_dim 3",
        hints={
            "the biases are missing: each of the four projections has one.": 4 * 24 * 24,
            "the output projection is missing.": 1800,
            "num_heads is missing: key_dim is the width of one head.": 3 * 25 * 3 + 4 * 24,
        },
    )
    check.close(
        mha_parameter_count(24, 8, 3, value_dim=4, output_dim=32),
        3056,
        "value_dim 4, output 32",
        hints={
            "value_dim was not used.": 3 * 25 * 24 + 25 * 32,
            "output_dim was not used.": 2 * 25 * 24 + 25 * 32 + 33 * 24,
            "the output kernel takes in the values of all heads, not the keys.": 2 * 25 * 24 + 25 * 32 + 25 * 32,
        },
    )
    check.close(mha_parameter_count(12, 4, 3), 624, "input 12, 4 heads, key_dim 3")
    check.close(
        mha_parameter_count(10, 4, 3),
        526,
        "input 10, 4 heads, key_dim 3",
        hints={"left out, output_dim is input_dim, not num_heads * key_dim.": 3 * 11 * 12 + 13 * 12},
    )
check

# %%
# Where the parameters are, and whether Keras agrees.
cases = [dict(input_dim=24, num_heads=8, key_dim=3), dict(input_dim=24, num_heads=8, key_dim=3, value_dim=4, output_dim=32)]
cases.append(dict(input_dim=12, num_heads=4, key_dim=3))
figure, ax = plt.subplots(figsize=(8, 2.8), layout="constrained")
colours = plt.get_cmap("Set2").colors
for row, sizes in enumerate(cases):
    keras_layer = keras.layers.MultiHeadAttention(
        sizes["num_heads"], sizes["key_dim"], value_dim=sizes.get("value_dim"), output_shape=sizes.get("output_dim")
    )
    sequence = np.zeros((1, 2, sizes["input_dim"]), dtype="float32")
    keras_layer(sequence, sequence)
    print(f"{sizes}: you {mha_parameter_count(**sizes)}, Keras {keras_layer.count_params()}")
    start = 0
    for part, name in enumerate(("query", "key", "value", "output")):
        width = sum(int(np.prod(weight.shape)) for weight in keras_layer.weights[2 * part : 2 * part + 2])
        ax.barh(row, width, left=start, color=colours[part], edgecolor="white", label=name if row == 0 else None)
        ax.text(start + width / 2, row, width, ha="center", va="center", fontsize=8 if width > 200 else 6)
        start += width
ax.set(title="Parameters of multi-head attention", xlabel="parameters", yticks=range(3))
ax.set_yticklabels(["24 in, 8 heads of 3", "value_dim 4, 32 out", "12 in, 4 heads of 3"])
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
# > **Does this hold?** *"The parameter count is what it should be, so the layer is built right."*
# >
# > Only `num_heads · key_dim` enters the count when the values are as wide as the keys. A lecture notebook calls its
# > block with `key_dim` and `num_heads` in each other's place and gets **3 heads of 4 where it wanted 4 heads of 3**:
# > 624 parameters either way. The very same numbers then compute a different function, as the next cell shows. Named
# > arguments (`num_heads=4, key_dim=3`) prevent it; a count can't find it.

# %%
keras.utils.set_random_seed(2)
sequence = np.random.default_rng(2).normal(size=(1, 6, 12)).astype("float32")
four_heads = keras.layers.MultiHeadAttention(num_heads=4, key_dim=3)
three_heads = keras.layers.MultiHeadAttention(num_heads=3, key_dim=4)
four_output, three_output = to_numpy(four_heads(sequence, sequence)), to_numpy(three_heads(sequence, sequence))
print("parameters:", four_heads.count_params(), three_heads.count_params())
three_heads.set_weights([w.reshape(v.shape) for w, v in zip(four_heads.get_weights(), three_heads.get_weights(), strict=True)])
three_output = to_numpy(three_heads(sequence, sequence))
print(f"the same 624 numbers in both, yet the outputs differ by up to {np.abs(four_output - three_output).max():.2f}")

# %% [markdown]
# ## 6. The same function as Keras
#
# The strongest proof that your layer is right: give `keras.layers.MultiHeadAttention` **your** weights and compare.
# Its parameters are yours with the heads spelled out, because it keeps each kernel already split:
#
# | weight | your shape | Keras's shape |
# |---|---|---|
# | query, key kernel | (input, d_model) | (input, num_heads, key_dim) |
# | query, key bias | (d_model,) | (num_heads, key_dim) |
# | value kernel, bias | (input, d_model), (d_model,) | (input, num_heads, value_dim), (num_heads, value_dim) |
# | output kernel | (d_model, d_model) | (num_heads, value_dim, output) |
# | output bias | (d_model,) | (output,) |
#
# Think about which of your columns belong to head 0: which axis of Keras's kernel counts heads, and which comes after
# it? The weights of a built Keras layer come in the order of the table: `[w.path for w in keras_layer.weights]` shows
# it; `get_weights()`, `set_weights([...])` and `weight.assign(...)` read and write them.
#
# Mind the order of the **inputs**: Keras's layer is called as `(query, value, key)`, yours as `(query, key, value)`.
# And Keras's `attention_mask` means the opposite of our mask: there 1 *may* be attended to. The notebook on masks
# returns to that.


# %% task="keras-parity"
def copy_weights_to_keras(layer, keras_layer):
    """Copy the weights of your layer so that Keras's computes the same function.

    Args:
        layer: your `MultiHeadAttention(d_model, num_heads)`, built (called once).
        keras_layer: a `keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)`, built by a call with inputs
            of the same widths. Its weights are overwritten; those of `layer` stay.
    """
    ### BEGIN SOLUTION
    _, num_heads, head_dim = keras_layer.weights[0].shape
    copied = []
    for dense in (layer.query_dense, layer.key_dense, layer.value_dense):
        kernel, bias = dense.get_weights()
        # a head's columns are neighbours, so a reshape is all it takes
        copied += [kernel.reshape(-1, num_heads, head_dim), bias.reshape(num_heads, head_dim)]
    kernel, bias = layer.output_dense.get_weights()
    keras_layer.set_weights([*copied, kernel.reshape(num_heads, head_dim, -1), bias])
    ### END SOLUTION


# %% grade="keras-parity" points=3
with checking("copy_weights_to_keras") as check:
    rng = np.random.default_rng(6)
    x_query, x_key, x_value = (rng.normal(size=shape).astype("float32") for shape in ((2, 3, 6), (2, 5, 7), (2, 5, 4)))
    layer = MultiHeadAttention(d_model=6, num_heads=3)
    layer(x_query, x_key, x_value)
    for name, width in (("query_dense", 6), ("key_dense", 7), ("value_dense", 4), ("output_dense", 6)):
        getattr(layer, name).kernel.assign(rng.normal(size=(width, 6)).astype("float32"))
        getattr(layer, name).bias.assign(rng.normal(size=6).astype("float32"))
    before = [np.array(weight) for weight in layer.get_weights()]
    keras_layer = keras.layers.MultiHeadAttention(num_heads=3, key_dim=2)
    keras_layer(x_query, x_value, x_key)
    copy_weights_to_keras(layer, keras_layer)
    after = [np.array(weight) for weight in layer.get_weights()]
    unchanged = all(np.array_equal(old, new) for old, new in zip(before, after, strict=True))
    check.true(unchanged, "your layer's weights stay", "your layer's weights changed: copy from it, not into it.")
    received = [np.asarray(weight) for weight in keras_layer.get_weights()]
    # head 1 has columns 2 and 3
    check.close(
        received[0][:, 1],
        before[0][:, 2:4],
        "head 1 of the query kernel",
        hints={"each head got every third column: it should get neighbours.": before[0][:, 1::3]},
    )
    not_copied = {"the bias was not copied.": np.zeros(2)}
    check.close(received[1][1], before[1][2:4], "head 1 of the query bias", hints=not_copied)
    output, scores = layer(x_query, x_key, x_value, return_attention_scores=True)
    keras_output, keras_scores = keras_layer(x_query, x_value, x_key, return_attention_scores=True)
    check.close(keras_scores, scores, "the same attention weights (if your layer's own checks hold)")
    check.close(keras_output, output, "the same output (if your layer's own checks hold)")
check

# %%
# A whole batch of outputs, number by number: your layer against Keras's.
keras.utils.set_random_seed(4)
mine, twin = MultiHeadAttention(d_model=24, num_heads=8), keras.layers.MultiHeadAttention(num_heads=8, key_dim=3)
batch_of_sequences = np.random.default_rng(4).normal(size=(4, 10, 24)).astype("float32")
mine(batch_of_sequences, batch_of_sequences, batch_of_sequences)
untouched = to_numpy(twin(batch_of_sequences, batch_of_sequences))
copy_weights_to_keras(mine, twin)
own = to_numpy(mine(batch_of_sequences, batch_of_sequences, batch_of_sequences))
same = to_numpy(twin(batch_of_sequences, batch_of_sequences))

figure, axes = plt.subplots(1, 2, figsize=(8, 3.6), sharex=True, sharey=True, layout="constrained")
for ax, theirs, title in ((axes[0], untouched, "before the copy"), (axes[1], same, "after the copy")):
    ax.plot(own.ravel(), theirs.ravel(), ".", markersize=3)
    ax.axline((0, 0), slope=1, color="grey", linewidth=0.8)
    ax.set(title=title, xlabel="your layer's output", ylabel="Keras's output")
plt.show()
print(f"largest difference after the copy: {np.abs(own - same).max():.1e}")

# %% [markdown]
# ## 7. What do heads learn? A copying exercise
#
# A small experiment of the lecture, to look into trained heads: sequences of 6 random tokens with 12 features,
# attention with 4 heads of 3, then a dense layer back to 12 features: 624 + 156 = 780 parameters. The model shall
# give back its input, so a head does best if every token looks at **itself**: ones on the diagonal.
#
# There are no positions in it. A token can find itself only by what it is: its query must match its own key better
# than all others.

# %%
num_heads, key_dim = 4, 3  # try 1 and 12
keras.utils.set_random_seed(0)
tokens_in = keras.Input((6, 12))
self_attention = keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)
tokens_out = keras.layers.Dense(12)(self_attention(tokens_in, tokens_in))
copier = keras.Model(tokens_in, tokens_out)
print("parameters:", copier.count_params())

rng = np.random.default_rng(0)
sequences = rng.standard_normal((300 * 128, 6, 12)).astype("float32")
copier.compile(optimizer=keras.optimizers.Adam(1e-2), loss="mse", jit_compile=False)
copier.fit(sequences, sequences, batch_size=128, epochs=1, verbose=0)  # 300 updates, each sequence seen once

new_sequences = rng.standard_normal((64, 6, 12)).astype("float32")
copies = to_numpy(copier(new_sequences))
_, learned = self_attention(new_sequences, new_sequences, return_attention_scores=True)
learned = to_numpy(learned)
error, nothing = np.mean((copies - new_sequences) ** 2), np.mean(new_sequences**2)
print(f"mean squared error on new sequences: {error:.3f} (giving back zeros: {nothing:.3f})")
print("weight on itself, by head:", learned.diagonal(axis1=2, axis2=3).mean(axis=(0, 2)), f"(uniform: {1 / 6:.3f})")

figure, axes = plt.subplots(2, num_heads, figsize=(3.25 * num_heads, 6.4), layout="constrained", squeeze=False)
for head in range(num_heads):
    show_weights(axes[0, head], learned[0, head], f"head {head}, one sequence")
    image = show_weights(axes[1, head], learned[:, head].mean(axis=0), f"head {head}, mean of 64")
figure.colorbar(image, ax=axes, label="attention weight")
figure.suptitle("A trained head looks for the token itself, and is sometimes taken in by a similar one")
plt.show()

# %% [markdown]
# On average (bottom row) the diagonal stands out, and the model gives back most of its input. It is not perfect, and the
# heads are why: with 3 features for queries and keys, a head compares tokens in only 3 directions out of 12. Tokens that
# happen to lie near each other there are mixed up, as in some rows of the single sequence (top).
#
# Try `num_heads, key_dim = 1, 12`. The parameter count stays **780**, but the error falls to about a tenth: one wide
# head recognises a token far better than four narrow ones. More heads are not better in themselves. They buy several
# *different* looks at a sequence at the price of a coarser comparison in each; for language that is a good bargain,
# for copying it isn't.
#
# ## Summary
#
# | idea | remember |
# |---|---|
# | heads | neighbouring features: reshape, **then** transpose; merging goes the other way round |
# | attention | unchanged: the heads are one more leading dimension |
# | scale | the root of `head_dim`, not of `d_model` |
# | mask | broadcast to (batch, num_heads, query_len, key_len), the same for every head |
# | layer | three projections in, one out; only they have parameters |
# | checking | shapes, parameter counts, training success all overlook mistakes; comparing values doesn't |
#
# **Next**: masks. Padding, look-ahead, both at once, and the moment when your convention meets Keras's opposite one.
#
# ### References
#
# - Vaswani et al., *Attention Is All You Need*, 2017, sections 3.2.1 (scaling) and 3.2.2 (multi-head attention).
# - Michel, Levy and Neubig, *Are Sixteen Heads Really Better than One?*, 2019: many heads of trained models can be removed.
# - Voita et al., *Analyzing Multi-Head Self-Attention*, 2019: what the heads that matter look at.
