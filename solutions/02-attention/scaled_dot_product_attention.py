# %% [markdown]
# # Scaled dot-product attention
#
# A sequence model has to let one position use what stands at another. Attention does this with a weighted average: a
# **query** is compared with every **key**, the comparisons become weights, and the weights average the **values**. This
# notebook builds that average from its smallest piece, the softmax, up to the equation on which the Transformer rests:
#
# $$\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `softmax`: scores into weights, without overflow | 3 |
# | 2 | `attention_scores`: every query against every key | 3 |
# | 3 | `scaled_dot_product_attention`: weights, output, mask | 6 |
# | 4 | `projected_attention`: learned projections, self- and cross-attention | 3 |
# | 5 | `score_std`: why the square root | 2 |
# | 6 | `additive_attention`: the older sibling | 3 |
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each one holds public checks that tell
# you in a sentence what is wrong. Points come from other inputs after you hand in, in steps, so half a task is worth
# something. A mistake in one task does not cost you the points of a later one.
#
# **Which library?** NumPy, `keras.ops` and `tf.*` all count the same. Your functions are called with NumPy arrays and may
# return arrays or tensors.
#
# **Words for shapes.** `query_len` queries of width `key_dim`, `key_len` keys of the same width, and `key_len` values of
# width `value_dim`. The three dots in `(..., query_len, key_dim)` stand for any number of leading dimensions, none
# included: `()`, `(batch,)`, `(batch, num_heads)`.

# %% locked="setup"
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")

import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops


def show_weights(weights, queries=None, keys=None, title="", ax=None, mask=None):
    """Draw attention weights (query_len, key_len) as a heat map: a row for every query, a column for every key.

    Cells that `mask` (1 hides) hides are grey.
    """
    weights = np.asarray(weights)
    hidden = np.broadcast_to(0 if mask is None else mask, weights.shape) == 1
    rows, columns = weights.shape
    ax = ax or plt.subplots(figsize=(1.5 + 0.6 * columns, 1.2 + 0.5 * rows))[1]
    ax.set_facecolor("lightgrey")
    image = ax.imshow(np.ma.masked_where(hidden, weights), cmap="viridis", vmin=0, vmax=1)
    ax.set_yticks(range(rows), queries if queries is not None else [f"q{i}" for i in range(rows)])
    ax.set_xticks(range(columns), keys if keys is not None else [f"k{j}" for j in range(columns)], rotation=45)
    for (i, j), weight in np.ndenumerate(weights):
        dark = weight > 0.6 or hidden[i, j]
        ax.text(j, i, f"{weight:.2f}", ha="center", va="center", fontsize=8, color="black" if dark else "white")
    ax.set(title=title, xlabel="keys", ylabel="queries")
    ax.figure.colorbar(image, ax=ax, label="weight", shrink=0.8)
    return ax


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## From one vector to all of them
#
# Before 2015 a translation model read a sentence with a recurrent network,
#
# $$h_t = f(h_{t-1}, x_t), \qquad t = 1, \dots, n,$$
#
# and handed **one** vector, the last state $h_n$, to the decoder (Cho et al. 2014; Sutskever et al. 2014). Everything the
# decoder will ever know about the sentence must be in those few hundred numbers, however long the sentence is. That is
# the **bottleneck**. It has two sides: a fixed number of numbers, and a long way (one step of $f$ per word) between the
# first word and the place where it is needed.
#
# How bad is it? Take the friendliest case: a linear recurrence $h_t = 0.97\,A\,h_{t-1} + B\,x_t$ with an orthogonal
# $A$, a state of 32 numbers with a little noise on it, and inputs of 4 independent numbers each. The best possible
# linear decoder is known in closed form, so nothing has to be trained. The cell plots how much of each input it can get
# back.

# %%
state_dim, input_dim, noise = 32, 4, 0.05
rng = np.random.default_rng(0)
rotation = np.linalg.qr(rng.standard_normal((state_dim, state_dim)))[0]
inject = rng.standard_normal((state_dim, input_dim)) / np.sqrt(state_dim)
lengths = range(1, 33)
recovered = {"first input": [], "last input": [], "mean of all": []}
for length in lengths:
    # the last state is `memory @ all inputs`
    steps = [np.linalg.matrix_power(0.97 * rotation, length - 1 - t) @ inject for t in range(length)]
    memory = np.concatenate(steps, axis=1)
    decoder = memory.T @ np.linalg.inv(memory @ memory.T + noise**2 * np.eye(state_dim))
    share = np.diag(decoder @ memory).reshape(length, input_dim).mean(axis=1)
    recovered["first input"].append(share[0])
    recovered["last input"].append(share[-1])
    recovered["mean of all"].append(share.mean())

fig, ax = plt.subplots(figsize=(7, 3.2))
for name, values in recovered.items():
    ax.plot(lengths, values, label=name)
ax.axvline(state_dim / input_dim, color="grey", linestyle=":", label="32 numbers = 8 inputs of 4")
ax.set(xlabel="inputs read before the state is handed over", ylabel="share of variance recovered", ylim=(0, 1.05))
ax.set_title("One fixed vector: what is left of each input")
ax.legend()
plt.show()

# %% [markdown]
# Up to eight inputs all is well, then 32 numbers are not enough, and it is the *beginning* of the sequence that goes.
# A clever, trained, nonlinear network chooses better what to forget, but forget it must.
#
# **Bahdanau, Cho and Bengio (2015)** removed the bottleneck: keep *all* encoder states $h_1, \dots, h_n$ and let the
# decoder build a fresh summary at every step $i$, from its own state $s_{i-1}$:
#
# $$e_{ij} = \operatorname{score}(s_{i-1}, h_j), \qquad
#   \alpha_{ij} = \frac{\exp e_{ij}}{\sum_{k} \exp e_{ik}}, \qquad
#   c_i = \sum_j \alpha_{ij} h_j .$$
#
# Nothing is picked outright, so everything is differentiable, and the weights $\alpha$ are learned along with the rest.
# In today's words $s_{i-1}$ is the **query** and the $h_j$ are both **keys** (what is compared) and **values** (what is
# averaged). What has changed since then is mostly the score:
#
# | name | score of query $q$ and key $k$ | learned in the score | widths | from |
# |---|---|---|---|---|
# | additive | $v^\top \tanh(W_q q + W_k k)$ | $W_q, W_k, v$ | may differ | Bahdanau et al. 2015 |
# | dot | $q^\top k$ | nothing | equal | Luong et al. 2015 |
# | general | $q^\top W k$ | $W$ | may differ | Luong et al. 2015 |
# | scaled dot | $q^\top k / \sqrt{d_k}$ | nothing (projections come before it) | equal | Vaswani et al. 2017 |
#
# A dot product is one matrix multiplication for all pairs at once, which is what hardware does best. It is also
# unbounded: it grows with the length of the vectors, while the tanh of the additive score saturates. The cell makes one
# key longer and longer (and turns it round, left of 0) and plots the four scores.

# %%
rng = np.random.default_rng(1)
width = 16
query = rng.standard_normal(width)
key = 0.3 * query + 0.3 * rng.standard_normal(width)  # a key that fits the query somewhat
w_query, w_key = rng.standard_normal((2, width, width)) / np.sqrt(width)
w_general = 0.7 * np.eye(width) + 0.1 * rng.standard_normal((width, width))
v = key @ w_key  # as if training had made the additive score like this key
stretch = np.linspace(-6, 6, 161)
additive = np.tanh(query @ w_query + stretch[:, None] * (key @ w_key)) @ v

fig, ax = plt.subplots(figsize=(7, 3.4))
ax.plot(stretch, additive, label="additive")
ax.plot(stretch, stretch * (query @ key), label="dot")
ax.plot(stretch, stretch * (query @ w_general @ key), label="general")
ax.plot(stretch, stretch * (query @ key) / np.sqrt(width), label="scaled dot")
ax.axhline(np.abs(v).sum(), color="grey", linestyle=":", label="bound of the additive score")
ax.axhline(-np.abs(v).sum(), color="grey", linestyle=":")
ax.set(xlabel="stretch of the key", ylabel="score", title="Four ways to score the same query and key")
ax.legend(fontsize=8)
plt.show()

# %% [markdown]
# You will write the last row first (tasks 1 to 3), learn why its square root is there (task 5) and end with the first row
# (task 6).
#
# ## Task 1: softmax, from scores to weights (3 points)
#
# The softmax turns any real scores $x_1, \dots, x_n$ into weights that are positive and add up to 1:
#
# $$\operatorname{softmax}(x)_i = \frac{e^{x_i}}{\sum_j e^{x_j}}$$
#
# | | shape |
# |---|---|
# | `x` | any, for example `(query_len, key_len)` |
# | `axis` | the axis along which the weights add up to 1 |
# | result | the shape of `x` |
#
# Worked out for $x = (1, 2, 3)$: $e^x = (2.718, 7.389, 20.086)$, their sum is $30.193$, so the weights are
# $(0.0900, 0.2447, 0.6652)$.
#
# Now the trap. Numbers end: in float32 $e^{89}$ is already infinite, and $\infty/\infty$ is NaN. At the other end
# $e^{-104}$ is 0, and $0/0$ is NaN as well. The cell shows both. The way out is a property of the softmax itself: for
# any constant $c$
#
# $$\frac{e^{x_i - c}}{\sum_j e^{x_j - c}} = \frac{e^{-c} e^{x_i}}{e^{-c} \sum_j e^{x_j}} = \operatorname{softmax}(x)_i ,$$
#
# so you are free to choose a $c$ that keeps every exponential harmless. Which one? Remember that different rows may
# need different ones.

# %%
with np.errstate(all="ignore"):
    for scores in ([1.0, 2.0, 3.0], [1001.0, 1002.0, 1003.0], [-1003.0, -1002.0, -1001.0]):
        exponentials = np.exp(np.array(scores, dtype="float32"))
        print(f"{scores}  exp: {exponentials}  divided by their sum: {exponentials / exponentials.sum()}")


# %% task="softmax"
def softmax(x, axis=-1):
    """Turn scores into positive weights that add up to 1 along an axis.

    Right for scores of any size: in the thousands, positive or negative, and for rows that lie thousands apart.

    Args:
        x: scores of any shape, floats or integers.
        axis: the axis along which the weights add up to 1, counted from the front or (negative) from the back.

    Returns:
        Weights, the shape of `x`.
    """
    ### BEGIN SOLUTION
    x = ops.convert_to_tensor(x)
    # the largest score becomes 0: no exponential exceeds 1 and no sum is below 1
    exponentials = ops.exp(x - ops.max(x, axis=axis, keepdims=True))
    return exponentials / ops.sum(exponentials, axis=axis, keepdims=True)
    ### END SOLUTION


# %% grade="softmax" points=3
with checking("softmax") as check:
    grid = np.array([[1, 2, 3], [0, 0, 5]], dtype="float32")
    weights = softmax(grid)
    check.shape(weights, (2, 3), "(rows, columns)")
    check.close(
        weights,
        [[0.09003057, 0.24472847, 0.66524096], [0.00664835, 0.00664835, 0.98670329]],
        "softmax([[1, 2, 3], [0, 0, 5]])",
        hints={
            "the whole table adds up to 1, but every row should. Sum along `axis`.": [
                [0.01505089, 0.04091256, 0.11121188],
                [0.00553691, 0.00553691, 0.82175083],
            ],
            "the columns add up to 1. Without `axis`, the last one is meant.": [
                [0.73105858, 0.88079708, 0.11920292],
                [0.26894142, 0.11920292, 0.88079708],
            ],
        },
    )
    check.close(
        softmax(grid, axis=0),
        [[0.73105858, 0.88079708, 0.11920292], [0.26894142, 0.11920292, 0.88079708]],
        "the same along axis 0",
        hints={
            "the rows add up to 1: `axis` has no effect.": [
                [0.09003057, 0.24472847, 0.66524096],
                [0.00664835, 0.00664835, 0.98670329],
            ]
        },
    )
    far_apart = np.array([[1001, 1002, 1003], [-1003, -1002, -1001]], dtype="float32")
    check.close(
        softmax(far_apart),
        [[0.09003057, 0.24472847, 0.66524096]] * 2,
        "softmax([[1001, 1002, 1003], [-1003, -1002, -1001]])",
    )
check

# %% [markdown]
# A picture of what the softmax does to the *size* of the scores. The same five scores are multiplied by a factor: near
# 0 all weights are alike, for a large factor the biggest takes everything. Only differences count, so adding a constant
# to all five would change nothing. Keep this in mind for task 5.

# %%
five_scores = np.array([1.0, 0.6, 0.2, -0.3, -1.0], dtype="float32")
factors = np.geomspace(0.05, 50, 60).astype("float32")
by_factor = np.asarray(softmax(factors[:, None] * five_scores))
fig, ax = plt.subplots(figsize=(7, 3))
for index, score in enumerate(five_scores):
    ax.plot(factors, by_factor[:, index], label=f"score {score:.1f}")
ax.set(xscale="log", xlabel="factor", ylabel="weight", title="The softmax of scores times a factor")
ax.legend(fontsize=8)
plt.show()


# %% [markdown]
# ## Task 2: every query against every key (3 points)
#
# A dot product says how well two vectors agree in direction, weighted with their lengths. All of them at once are one
# product of matrices, divided by the square root of the width:
#
# $$S = \frac{Q K^\top}{\sqrt{d_k}}, \qquad S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_k}}$$
#
# | | shape |
# |---|---|
# | `query` | `(..., query_len, key_dim)` |
# | `key` | `(..., key_len, key_dim)` |
# | scores | `(..., query_len, key_len)` |
#
# Row $i$ holds query $i$ against all keys. `key_dim` is the number of *columns* of `query` and `key`, nothing else. In
# front of the last two dimensions there may be any others (`...`), and each of their slices is a problem of its own:
# transpose the last two, leave the rest alone.
#
# An example that comes back in task 3, three queries and four keys of width 3:
#
# $$Q = \begin{pmatrix} 0&0&10 \\ 0&10&0 \\ 10&10&0 \end{pmatrix}, \quad
#   K = \begin{pmatrix} 10&0&0 \\ 0&10&0 \\ 0&0&10 \\ 0&0&10 \end{pmatrix}, \quad
#   Q K^\top = \begin{pmatrix} 0&0&100&100 \\ 0&100&0&0 \\ 100&100&0&0 \end{pmatrix}, \quad
#   S = \frac{Q K^\top}{\sqrt 3} = \begin{pmatrix} 0&0&57.74&57.74 \\ 0&57.74&0&0 \\ 57.74&57.74&0&0 \end{pmatrix}$$


# %% task="attention-scores"
def attention_scores(query, key):
    """Score every query against every key: their dot products divided by the square root of `key_dim`.

    Args:
        query: (..., query_len, key_dim), with any number of leading dimensions, none included.
        key: (..., key_len, key_dim), with the same leading dimensions.

    Returns:
        Scores (..., query_len, key_len).
    """
    ### BEGIN SOLUTION
    key_dim = query.shape[-1]
    products = ops.matmul(query, ops.swapaxes(key, -1, -2))  # (..., query_len, key_len)
    return ops.divide(products, key_dim**0.5)
    ### END SOLUTION


# %% grade="attention-scores" points=3
Q = np.array([[0, 0, 10], [0, 10, 0], [10, 10, 0]], dtype="float32")
K = np.array([[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]], dtype="float32")
with checking("attention_scores") as check:
    scores = attention_scores(Q, K)
    check.shape(scores, (3, 4), "(query_len, key_len)")
    pattern = np.array([[0, 0, 1, 1], [0, 1, 0, 0], [1, 1, 0, 0]], dtype="float32")
    check.close(
        scores,
        57.73502692 * pattern,
        "the scores of the example",
        hints={
            "these are the bare dot products. Divide by the square root of key_dim.": 100 * pattern,
            "you divided by key_dim. Divide by its square root.": 100 / 3 * pattern,
            "you divided by the square root of a length. key_dim is the number of columns.": 100 / 2 * pattern,
        },
    )
    batch = np.stack([Q, 2 * Q]), np.stack([K, K])
    check.shape(attention_scores(*batch), (2, 3, 4), "(batch, query_len, key_len)")
    check.close(attention_scores(*batch)[1], 115.47005384 * pattern, "the second slice of a batch, with queries twice as long")
    deep = np.ones((5, 2, 3, 4), dtype="float32"), np.ones((5, 2, 6, 4), dtype="float32")
    deep_scores = attention_scores(*deep)
    check.shape(deep_scores, (5, 2, 3, 6), "(batch, num_heads, query_len, key_len)")
    check.close(
        deep_scores[4, 1],
        np.full((3, 6), 2.0),
        "ones of width 4 with two leading dimensions (4 / sqrt(4) = 2)",
        hints={
            "key_dim is the last dimension, counted from the back. You took axis 1.": np.full((3, 6), 4 / np.sqrt(2)),
            "key_dim is the last dimension. You took the number of queries.": np.full((3, 6), 4 / np.sqrt(3)),
        },
    )
check

# %% [markdown]
# ## Task 3: scaled dot-product attention (6 points)
#
# A Python dictionary looks a query up among its keys and returns the value of the one that is *equal*. Attention is the
# same look-up made soft: every key answers to the degree that it *fits*, and the values are mixed in that proportion.
#
# $$W = \operatorname{softmax}(S) \text{ along the keys}, \qquad O = W V$$
#
# | | shape |
# |---|---|
# | `query` | `(..., query_len, key_dim)` |
# | `key` | `(..., key_len, key_dim)` |
# | `value` | `(..., key_len, value_dim)` |
# | `mask` | broadcasts to `(..., query_len, key_len)` |
# | `weights` | `(..., query_len, key_len)`, every row adds up to 1 |
# | `output` | `(..., query_len, value_dim)` |
#
# Keys and values come in pairs, so there are equally many; their widths may differ. Queries are on their own:
# `query_len` may be anything.
#
# **The example, continued.** Take the scores above and
#
# $$V = \begin{pmatrix} 1&0 \\ 10&0 \\ 100&5 \\ 1000&6 \end{pmatrix}.$$
#
# The first query has two equal best keys and all others 57.74 behind. $e^{-57.74} \approx 10^{-25}$ is nothing, so the
# weights and the output are
#
# $$W = \begin{pmatrix} 0&0&\tfrac12&\tfrac12 \\ 0&1&0&0 \\ \tfrac12&\tfrac12&0&0 \end{pmatrix}, \qquad
#   O = W V = \begin{pmatrix} 550&5.5 \\ 10&0 \\ 5.5&0 \end{pmatrix}.$$
#
# Query 0 gets half of value 2 and half of value 3, query 1 all of value 1, query 2 half of value 0 and half of value 1.
# (The gaps are so large that the weights would look the same without the square root. Don't let that example check your
# scaling.)
#
# **The mask.** Some keys must not be seen: padding, or words that are not written yet. This course writes masks as a
# float array,
#
# > **1 hides, 0 keeps.**
#
# A hidden key gets weight 0 *and the others share the whole weight*: each row still adds up to 1. That is why a mask
# acts on the scores, before the softmax. Push hidden scores so far down that their exponential is 0. The mask need not
# have the shape of the scores: `(1, key_len)` hides the same keys from every query, and `(batch, 1, 1, key_len)` does
# so for each sequence of a batch in all heads. Broadcasting does this by itself unless you index with the mask. You may
# take it that no row is hidden wholly; notebook 04 looks into that.


# %% task="scaled-dot-product"
def scaled_dot_product_attention(query, key, value, mask=None):
    """Average the values with the weights that each query gives to the keys.

    Args:
        query: (..., query_len, key_dim)
        key: (..., key_len, key_dim)
        value: (..., key_len, value_dim)
        mask: None, or a float array that broadcasts to (..., query_len, key_len): 1 hides a key from a query, 0 keeps it.
            No query has all its keys hidden.

    Returns:
        A tuple (output, weights):
        output: (..., query_len, value_dim)
        weights: (..., query_len, key_len), positive or 0, every row adds up to 1.
    """
    ### BEGIN SOLUTION
    scores = attention_scores(query, key)
    if mask is not None:
        scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
    weights = softmax(scores)
    return ops.matmul(weights, value), weights
    ### END SOLUTION


# %% grade="scaled-dot-product" points=6
V = np.array([[1, 0], [10, 0], [100, 5], [1000, 6]], dtype="float32")
with checking("scaled_dot_product_attention") as check:
    answer = scaled_dot_product_attention(Q, K, V)
    check.true(
        isinstance(answer, tuple) and len(answer) == 2,
        "two results",
        "return a tuple of two, (output, weights): `return output, weights`.",
    )
    output, weights = answer
    check.shape(output, (3, 2), "the first result, output (query_len, value_dim),")
    check.shape(weights, (3, 4), "the second result, weights (query_len, key_len),")
    expected = np.array([[0, 0, 0.5, 0.5], [0, 1, 0, 0], [0.5, 0.5, 0, 0]])
    check.close(
        weights,
        expected,
        "the weights of the example",
        hints={
            "every column adds up to 1. The softmax runs along the keys, the last axis.": [
                [0, 0, 1, 1],
                [0, 0.5, 0, 0],
                [1, 0.5, 0, 0],
            ],
            "these are the scores. Put them through the softmax.": 57.73502692 * pattern,
        },
    )
    check.close(output, [[550, 5.5], [10, 0], [5.5, 0]], "the output of the example")

    # smaller numbers, where the scaling shows
    one_query = np.array([[1, 0]], dtype="float32")
    three_keys = np.array([[1, 0], [0, 1], [1, 1]], dtype="float32")
    check.close(
        scaled_dot_product_attention(one_query, three_keys, np.eye(3, dtype="float32"))[1],
        [[0.40111209, 0.19777581, 0.40111209]],
        "the weights of one query (1, 0) for the keys (1, 0), (0, 1), (1, 1)",
        hints={
            "these are weights without the division by the square root of key_dim.": [[0.42231880, 0.15536240, 0.42231880]],
            "the scores were divided twice. Does attention_scores divide already?": [[0.38365173, 0.23269654, 0.38365173]],
        },
    )

    hide_first = np.array([[1, 0, 0]], dtype="float32")
    check.close(
        scaled_dot_product_attention(one_query, three_keys, np.eye(3, dtype="float32"), mask=hide_first)[1],
        [[0, 0.33023845, 0.66976155]],
        "the same with the first key hidden",
        hints={
            "a score of 0 hides nothing, because exp(0) is 1. It must be far below all others.": [
                [0.24825508, 0.24825508, 0.50348984]
            ],
        },
    )

    # hide the last key, whose value is (1000, 6), from every query
    mask = np.array([[0, 0, 0, 1]], dtype="float32")
    output, weights = scaled_dot_product_attention(Q, K, V, mask=mask)
    check.close(
        weights,
        [[0, 0, 1, 0], [0, 1, 0, 0], [0.5, 0.5, 0, 0]],
        "the weights with the last key hidden",
        hints={
            "they are the same as without a mask.": expected,
            "only the hidden key is seen: the mask is the wrong way round. 1 hides, 0 keeps.": [[0, 0, 0, 1]] * 3,
            "the first row no longer adds up to 1. Hide before the softmax, not after it.": expected * [1, 1, 1, 0],
        },
    )
    check.close(
        output,
        [[100, 5], [10, 0], [5.5, 0]],
        "the output with the last key hidden",
        hints={"the weights are right, but the output was computed without the mask.": [[550, 5.5], [10, 0], [5.5, 0]]},
    )
    heads = [np.broadcast_to(x, (2, 5, *x.shape)).copy() for x in (Q, K, V)]
    padding = np.zeros((2, 1, 1, 4), dtype="float32")
    padding[1, ..., 3] = 1
    check.close(
        scaled_dot_product_attention(*heads, mask=padding)[0][:, 4],
        [[[550, 5.5], [10, 0], [5.5, 0]], [[100, 5], [10, 0], [5.5, 0]]],
        "a mask (batch, 1, 1, key_len) that hides the last key of the second sequence",
    )
check

# %% [markdown]
# ### The example as a picture
#
# Left the scores, in the middle the weights, right the output: row by row the values, mixed with the weights.

# %%
output, weights = (np.asarray(part) for part in scaled_dot_product_attention(Q, K, V))
fig, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.2), layout="constrained", width_ratios=(1, 1, 0.75))
image = left.imshow(np.asarray(attention_scores(Q, K)), cmap="magma")
left.set(title="scores", xlabel="keys", ylabel="queries")
left.set_xticks(range(4), [f"k{j}" for j in range(4)])
left.set_yticks(range(3), [f"q{i}" for i in range(3)])
fig.colorbar(image, ax=left, label="score", shrink=0.8)
show_weights(weights, title="weights", ax=middle)
image = right.imshow(np.log10(1 + output), cmap="cividis", aspect="auto")
for (i, j), number in np.ndenumerate(output):
    right.text(j, i, f"{number:.1f}", ha="center", va="center", color="black" if number > 100 else "white")
right.set(title="output", xlabel="columns of the values", ylabel="queries")
right.set_xticks(range(2))
right.set_yticks(range(3), [f"q{i}" for i in range(3)])
fig.colorbar(image, ax=right, label="log10(1 + output)", shrink=0.8)
plt.show()

# %% [markdown]
# ### Attention as alignment
#
# Where Bahdanau's paper shows its weights, one sees words find their translation. Nothing is trained here: the word
# vectors are made by hand (one direction for each of four meanings, a little noise), to show what the weights *would*
# say if training had found such vectors. French puts the adjective after the noun, so the bright cells cross.

# %%
rng = np.random.default_rng(3)
meanings = {"article": 0, "colour": 1, "animal": 2, "resting": 3}
english = {"the": "article", "black": "colour", "cat": "animal", "sleeps": "resting"}
french = {"le": "article", "chat": "animal", "noir": "colour", "dort": "resting"}


def word_vectors(words):
    hot = np.eye(len(meanings))[[meanings[meaning] for meaning in words.values()]]
    return (2.6 * hot + 0.4 * rng.standard_normal(hot.shape)).astype("float32")


french_vectors = word_vectors(french)
_, alignment = scaled_dot_product_attention(word_vectors(english), french_vectors, french_vectors)
show_weights(alignment, list(english), list(french), "English queries, French keys")
plt.show()

# %% [markdown]
# ### Two masks
#
# The same seven (random) vectors attend to themselves three times. The **padding mask** hides what only fills up the
# batch: whole columns. The **look-ahead mask** hides the future: everything strictly above the diagonal, so that each
# word sees itself and what came before. The kept weights grow, because each row still adds up to 1. Which weights of the
# last row does the look-ahead mask change, and why?

# %%
words = ["the", "cat", "sat", "on", "it", "<pad>", "<pad>"]
x = np.random.default_rng(4).standard_normal((len(words), 6)).astype("float32")
padding_mask = np.array([[word == "<pad>" for word in words]], dtype="float32")  # (1, key_len)
look_ahead_mask = np.triu(np.ones((len(words), len(words)), dtype="float32"), k=1)  # (query_len, key_len)
masks = {"no mask": np.zeros((1, 1), dtype="float32"), "padding mask": padding_mask, "look-ahead mask": look_ahead_mask}
fig, axes = plt.subplots(1, 3, figsize=(15, 4), layout="constrained")
for ax, (name, mask) in zip(axes, masks.items(), strict=True):
    show_weights(scaled_dot_product_attention(x, x, x, mask=mask)[1], words, words, f"{name} (grey: hidden)", ax, mask)
plt.show()

# %% [markdown]
# > **Does this hold?** *A widely read lecture makes its look-ahead mask with 1 above the diagonal and hands it to Keras
# > as `attention_mask`.*
# >
# > Keras reads masks the other way round: in the `attention_mask` of `keras.layers.MultiHeadAttention` **True (or 1)
# > means "may attend"**. The cell hands over the mask as it is and flipped. Look at which words "the" can see.
#
# What's right: `attention_mask = (mask == 0)`. Handed over unflipped, each word sees *only* its future, and the last
# word has all its keys hidden: what becomes of such a row differs between libraries and versions (zeros, an even mix,
# NaN). No error is raised, and training even looks excellent, because each word may read its answer. Notebook 04 comes
# back to this.

# %%
keras_attention = keras.layers.MultiHeadAttention(num_heads=1, key_dim=6, seed=0)
_, unflipped = keras_attention(x[None], x[None], attention_mask=look_ahead_mask[None].astype(bool), return_attention_scores=True)
_, flipped = keras_attention(x[None], x[None], attention_mask=(look_ahead_mask == 0)[None], return_attention_scores=True)
fig, axes = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
show_weights(ops.convert_to_numpy(unflipped)[0, 0], words, words, "Keras, mask as it is: the future", ax=axes[0])
show_weights(ops.convert_to_numpy(flipped)[0, 0], words, words, "Keras, mask flipped: the past", ax=axes[1])
plt.show()


# %% [markdown]
# ## Task 4: learned projections (3 points)
#
# The equation of task 3 has nothing to learn. What is learned are three matrices that make queries, keys and values
# from the sequences:
#
# $$Q = X_q W_q, \qquad K = X_k W_k, \qquad V = X_v W_v, \qquad O = \operatorname{Attention}(Q, K, V)$$
#
# | | shape | | shape |
# |---|---|---|---|
# | `x_query` | `(..., query_len, query_input)` | `w_query` | `(query_input, key_dim)` |
# | `x_key` | `(..., key_len, key_input)` | `w_key` | `(key_input, key_dim)` |
# | `x_value` | `(..., key_len, value_input)` | `w_value` | `(value_input, value_dim)` |
# | `output` | `(..., query_len, value_dim)` | `weights` | `(..., query_len, key_len)` |
#
# Three inputs may have three widths: each matrix has as many rows as *its own* input has columns. Only the widths
# *after* the projection have to agree, and only those of queries and keys.
#
# - **Self-attention:** one sequence plays all three parts, `x_query = x_key = x_value`.
# - **Cross-attention:** `x_query` is one sequence (the translation so far), `x_key = x_value` another (the sentence to
#   translate).
# - The general case, three different sequences, is rarer but costs nothing.
#
# The projections also say *what* to compare. Take one-hot words 0, 1, 2, $W_k$ the identity and $W_q$ the matrix that
# sends 0 to 1, 1 to 2, 2 to 0: now each word looks for its *successor*, though no word resembles its successor at all.


# %% task="projections"
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    """Project three inputs to queries, keys and values, then attend (no mask, no biases).

    Self-attention is the call with the same sequence three times, cross-attention the one with `x_key` the same as `x_value`.

    Args:
        x_query: (..., query_len, query_input)
        x_key: (..., key_len, key_input)
        x_value: (..., key_len, value_input)
        w_query: (query_input, key_dim)
        w_key: (key_input, key_dim)
        w_value: (value_input, value_dim)

    Returns:
        A tuple (output, weights):
        output: (..., query_len, value_dim)
        weights: (..., query_len, key_len)
    """
    ### BEGIN SOLUTION
    query = ops.matmul(x_query, w_query)  # (..., query_len, key_dim)
    key = ops.matmul(x_key, w_key)  # (..., key_len, key_dim)
    value = ops.matmul(x_value, w_value)  # (..., key_len, value_dim)
    return scaled_dot_product_attention(query, key, value)
    ### END SOLUTION


# %% grade="projections" points=3
with checking("projected_attention") as check:
    # self-attention: two words of width 3, key_dim 4, value_dim 1; the values are 4 and 3
    x_self = np.array([[1, 0, 1], [0, 2, 1]], dtype="float32")
    wq = np.array([[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]], dtype="float32")
    wk = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1]], dtype="float32")
    wv = np.array([[3], [1], [1]], dtype="float32")
    answer = projected_attention(x_self, x_self, x_self, wq, wk, wv)
    check.true(
        isinstance(answer, tuple) and len(answer) == 2,
        "two results",
        "return a tuple of two, (output, weights).",
    )
    output, weights = answer
    check.shape(weights, (2, 2), "weights (query_len, key_len)")
    check.close(
        weights,
        [[0.26894142, 0.73105858], [0.73105858, 0.26894142]],
        "the weights of self-attention",
        hints={
            "w_query and w_key have changed places.": [[0.37754067, 0.62245933], [0.81757448, 0.18242552]],
            "the keys were projected with w_query too. Q is not K.": [[0.73105858, 0.26894142], [0.11920292, 0.88079708]],
            "these are the weights of the bare inputs. Project queries and keys first.": [
                [0.64045748, 0.35954252],
                [0.09034735, 0.90965265],
            ],
        },
    )
    check.close(output, [[3.26894142], [3.73105858]], "the output of self-attention")

    # cross-attention: one query of width 2, three keys of width 3, three values of width 4; key_dim 2, value_dim 5
    x_query = np.array([[1, 2]], dtype="float32")
    x_key = np.eye(3, dtype="float32")
    x_value = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]], dtype="float32")
    wq = np.eye(2, dtype="float32")
    wk = np.array([[1, 0], [0, 1], [1, -1]], dtype="float32")
    wv = np.array([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 2]], dtype="float32")
    output, weights = projected_attention(x_query, x_key, x_value, wq, wk, wv)
    check.close(weights, [[0.30569525, 0.61998512, 0.07431963]], "the weights for three inputs of three widths")
    check.close(output, [[0.30569525, 0.61998512, 0.07431963, 1, 2]], "the output for three inputs of three widths")
check

# %% [markdown]
# > **Does this hold?** *A widely read lecture says: "in self-attention, Q = K".*
# >
# > If it did, $S = QK^\top/\sqrt{d_k}$ would be symmetric: word $i$ would need word $j$ exactly as much as $j$ needs
# > $i$. The cell computes scores of one sequence with itself, once with two different matrices and once with one matrix
# > in both roles.
#
# What's right: the *inputs* are equal, the projections are not. $W_q \ne W_k$, so $Q \ne K$, and the scores are not
# symmetric. "it" can ask for a noun without every noun asking for "it".

# %%
rng = np.random.default_rng(6)
words = ["the", "cat", "sat", "on", "it"]
x = rng.standard_normal((5, 6)).astype("float32")
w_q, w_k = rng.standard_normal((2, 6, 4)).astype("float32") / 2
fig, axes = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
for ax, other, name in zip(axes, (w_k, w_q), ("two matrices", "one matrix for both"), strict=True):
    scores = np.asarray(attention_scores(x @ w_q, x @ other))
    limit = np.abs(scores).max()
    image = ax.imshow(scores, cmap="RdBu", vmin=-limit, vmax=limit)
    ax.set(title=f"{name}: asymmetry {np.abs(scores - scores.T).max():.2f}", xlabel="keys", ylabel="queries")
    ax.set_xticks(range(5), words)
    ax.set_yticks(range(5), words)
    fig.colorbar(image, ax=ax, label="score")
plt.show()

# %% [markdown]
# > **Does this hold?** *The same lecture's table of shapes gives the matrix of the values as* $W_v$: `(d_model_q,
# > val_dim)`, *with* `d_model_q` *the width of the queries' input.*
# >
# > In self-attention nobody can tell: there is one width. The cell tries the table in cross-attention, where the
# > sentence being read is 7 wide and the one being written 5.
#
# What's right: $W_v$ multiplies the *values'* input, so it is `(d_model_v, val_dim)`, in the notation above
# `(value_input, value_dim)`. A formula that is only ever tried with equal sizes can be wrong unnoticed. That is why the
# grader's sizes are all different, and why yours should be when you test.

# %%
written, read = np.ones((3, 5), dtype="float32"), np.ones((4, 7), dtype="float32")
for name, rows in (("(d_model_q, val_dim)", 5), ("(d_model_v, val_dim)", 7)):
    try:
        print(f"W_v {name} = ({rows}, 2): values {(read @ np.ones((rows, 2))).shape}")
    except ValueError:
        print(f"W_v {name} = ({rows}, 2): does not fit an input {read.shape}")

# %% [markdown]
# And the promise about successors: one-hot words, $W_k$ the identity, $W_q$ a shift (times 8, so that the choice is
# clear). No training, but it shows what projections are for.

# %%
one_hot = np.eye(5, dtype="float32")
_, weights = projected_attention(one_hot, one_hot, one_hot, 8 * np.roll(one_hot, 1, axis=1), one_hot, one_hot)
show_weights(weights, [f"word {i}" for i in range(5)], [f"word {i}" for i in range(5)], "each word looks for its successor")
plt.show()


# %% [markdown]
# ## Task 5: why the square root (2 points)
#
# Why is the score divided by $\sqrt{d_k}$, not by nothing and not by $d_k$? Suppose that all components of $q$ and $k$
# are independent with mean 0 and variance 1, which is about what normalised layers deliver. The score without scaling
# is a sum,
#
# $$q \cdot k = \sum_{i=1}^{d_k} q_i k_i .$$
#
# Three facts are all you need (Vaswani et al. 2017, footnote 4): for independent variables with mean 0,
# $\operatorname{Var}(q_i k_i) = \operatorname{Var}(q_i) \operatorname{Var}(k_i)$; variances of independent terms add;
# dividing by $c$ divides the variance by $c^2$. Work out the standard deviation, with and without scaling. No random
# numbers are needed: the answer is exact.
#
# | | |
# |---|---|
# | `key_dim` | a positive integer |
# | `scaled` | whether the score is divided by the square root of `key_dim` |
# | result | one number |


# %% task="score-scale"
def score_std(key_dim, scaled):
    """Return the standard deviation of one score between a query and a key of independent standard normals.

    The exact value for these random variables, not an estimate from samples.

    Args:
        key_dim: the width of query and key.
        scaled: True if the score is the dot product divided by the square root of `key_dim`, False for the bare dot product.

    Returns:
        One float.
    """
    ### BEGIN SOLUTION
    # the variance of a product of independent standard normals is 1, and key_dim of them add up
    std = float(key_dim) ** 0.5
    return std / key_dim**0.5 if scaled else std
    ### END SOLUTION


# %% grade="score-scale" points=2
with checking("score_std") as check:
    check.close(
        score_std(64, scaled=False),
        8.0,
        "64 components, not scaled",
        hints={
            "that is the variance. The standard deviation is its square root.": 64.0,
            "that is the answer for the scaled score. Are the two cases swapped?": 1.0,
        },
    )
    check.close(
        score_std(64, scaled=True),
        1.0,
        "64 components, scaled",
        hints={
            "that is the factor 1 / sqrt(key_dim), or a score divided by key_dim. What does the factor multiply?": 1 / 8,
            "that is the answer without scaling. Are the two cases swapped?": 8.0,
        },
    )
check

# %% [markdown]
# ### Measured: the spread of the scores, and what it does to the softmax
#
# Left: the standard deviation of 4000 random scores for widths from 2 to 1024, and your formula. Middle: the largest of
# 16 weights. Without scaling the softmax becomes a hard choice as the width grows; divided by $d_k$ it stops choosing.
# Right: the reason why a hard choice is bad. The derivative of the softmax is
#
# $$\frac{\partial w_i}{\partial s_j} = w_i (\delta_{ij} - w_j),$$
#
# and its trace $\sum_i w_i (1 - w_i)$ goes to 0 when one weight goes to 1. Nothing flows back, so nothing is learned.

# %%
rng = np.random.default_rng(7)
widths = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
scalings = {"not scaled": lambda d: 1.0, "/ sqrt(key_dim)": np.sqrt, "/ key_dim": float}
spread, largest, gradient = ({name: [] for name in scalings} for _ in range(3))
for d in widths:
    products = np.einsum("nd,nkd->nk", rng.standard_normal((250, d)), rng.standard_normal((250, 16, d)))
    for name, divisor in scalings.items():
        scores = products / divisor(d)
        weights = np.asarray(softmax(scores.astype("float32")))
        spread[name].append(scores.std())
        largest[name].append(weights.max(axis=-1).mean())
        gradient[name].append((weights * (1 - weights)).sum(axis=-1).mean())

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(14, 3.6), layout="constrained")
for ax, measured in zip((left, middle, right), (spread, largest, gradient), strict=True):
    for name, values in measured.items():
        ax.plot(widths, values, "o-", markersize=4, label=f"measured, {name}")
    ax.set(xscale="log", xlabel="key_dim")
left.plot(widths, [score_std(d, False) for d in widths], "k--", label="score_std(key_dim, False)")
left.plot(widths, [score_std(d, True) for d in widths], "k:", label="score_std(key_dim, True)")
left.set(yscale="log", ylabel="standard deviation of a score", title="Spread of the scores")
middle.axhline(1 / 16, color="grey", linestyle=":", label="all 16 alike")
middle.set(ylabel="mean of the largest weight", title="How hard the choice is", ylim=(0, 1.05))
right.set(ylabel="mean of $\\sum_i w_i (1 - w_i)$", title="What is left of the gradient", ylim=(0, 1.05))
left.legend(fontsize=8)
middle.legend(fontsize=8)
plt.show()

# %% [markdown]
# > **Does this hold?** *Published code divides by the wrong width, or by* `key_dim` *itself, and its authors find that
# > "it works as well".*
# >
# > The cell counts how many of 16 keys a query *really* uses: the exponential of the entropy of its weights, 1 for a
# > hard choice, 16 for an even mix.
#
# What's right: it is not the same function, and the difference grows with the width. Divided by $d_k$, the standard
# deviation is $1/\sqrt{d_k}$, so at the start every query averages everything and attention selects nothing. That a
# model trains nevertheless (on our translation task of notebook 07 both no scaling and a wrong scaling reach 0.999
# exact match) only says that on an easy task $W_q$ and $W_k$ grow or shrink to make up for it. Success in training does
# not prove that the code is right: a test with known numbers does.

# %%
rng = np.random.default_rng(8)
print("keys really used, of 16")
print(f"{'key_dim':>8}" + "".join(f"{name:>18}" for name in scalings))
for d in (4, 64, 1024):
    products = np.einsum("nd,nkd->nk", rng.standard_normal((250, d)), rng.standard_normal((250, 16, d)))
    row = []
    for divisor in scalings.values():
        weights = np.asarray(softmax((products / divisor(d)).astype("float32")), dtype="float64")
        row.append(np.exp(-(weights * np.log(weights + 1e-300)).sum(axis=-1)).mean())
    print(f"{d:>8}" + "".join(f"{used:>18.1f}" for used in row))


# %% [markdown]
# ## Task 6: additive attention (3 points)
#
# Back to the first row of the table. Bahdanau's score is a small network with one hidden layer that looks at query and
# key *together*:
#
# $$e_{ij} = v^\top \tanh(W_q^\top q_i + W_k^\top k_j), \qquad
#   W = \operatorname{softmax}(e) \text{ along the keys}, \qquad O = W V$$
#
# In the row convention of this notebook, `query @ w_query` and `key @ w_key`. The projections bring both to the same
# number of `units`, so queries and keys may have different widths, and there is no scaling: tanh keeps every score
# between $-\sum_u |v_u|$ and $\sum_u |v_u|$.
#
# | | shape | | shape |
# |---|---|---|---|
# | `query` | `(..., query_len, query_dim)` | `w_query` | `(query_dim, units)` |
# | `key` | `(..., key_len, key_dim)` | `w_key` | `(key_dim, units)` |
# | `value` | `(..., key_len, value_dim)` | `v` | `(units,)` |
# | `output` | `(..., query_len, value_dim)` | `weights` | `(..., query_len, key_len)` |
#
# Every query meets every key *inside* the tanh, so in between there is an array `(..., query_len, key_len, units)`.
# Think about where the two projected arrays need a dimension of length 1 to broadcast to it, counted from the back, so
# that leading dimensions don't matter.
#
# One pair by hand: $q = (1, 0)$, $k = (0, 1, 0)$, $W_q$ the identity, $W_k$ with rows $(1,0), (0,1), (-1,0)$, $v = (1,
# 2)$: the hidden layer is $\tanh((1,0) + (0,1)) = (0.7616, 0.7616)$ and the score $0.7616 + 2 \cdot 0.7616 = 2.2848$.


# %% task="additive"
def additive_attention(query, key, value, w_query, w_key, v):
    """Attend with Bahdanau's score `v . tanh(query w_query + key w_key)`, not scaled.

    Args:
        query: (..., query_len, query_dim), with any number of leading dimensions, none included.
        key: (..., key_len, key_dim)
        value: (..., key_len, value_dim)
        w_query: (query_dim, units)
        w_key: (key_dim, units)
        v: (units,)

    Returns:
        A tuple (output, weights):
        output: (..., query_len, value_dim)
        weights: (..., query_len, key_len), every row adds up to 1.
    """
    ### BEGIN SOLUTION
    projected_query = ops.expand_dims(ops.matmul(query, w_query), -2)  # (..., query_len, 1, units)
    projected_key = ops.expand_dims(ops.matmul(key, w_key), -3)  # (..., 1, key_len, units)
    hidden = ops.tanh(projected_query + projected_key)  # (..., query_len, key_len, units)
    weights = softmax(ops.sum(ops.multiply(hidden, v), axis=-1))
    return ops.matmul(weights, value), weights
    ### END SOLUTION


# %% grade="additive" points=3
with checking("additive_attention") as check:
    # query_len 2, query_dim 2, key_len 4, key_dim 3, value_dim 1, units 2
    query = np.eye(2, dtype="float32")
    key = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype="float32")
    value = np.array([[1], [2], [3], [4]], dtype="float32")
    wq = np.eye(2, dtype="float32")
    wk = np.array([[1, 0], [0, 1], [-1, 0]], dtype="float32")
    v = np.array([1, 2], dtype="float32")
    answer = additive_attention(query, key, value, wq, wk, v)
    check.true(
        isinstance(answer, tuple) and len(answer) == 2,
        "two results",
        "return a tuple of two, (output, weights).",
    )
    output, weights = answer
    check.shape(weights, (2, 4), "weights (query_len, key_len)")
    check.close(
        weights,
        [[0.11269065, 0.42216717, 0.04297501, 0.42216717], [0.38197938, 0.26737156, 0.08327749, 0.26737156]],
        "the weights",
        hints={
            "there is no tanh in these.": [[0.15216302, 0.41362198, 0.02059303, 0.41362198]] * 2,
            "tanh of the sum, not the sum of two tanh.": [[0.18177221, 0.38929930, 0.03962919, 0.38929930]] * 2,
            "additive scores are not scaled.": [
                [0.15163755, 0.38583425, 0.07669394, 0.38583425],
                [0.34545819, 0.26843998, 0.11766185, 0.26843998],
            ],
            "every column adds up to 1. The softmax runs along the keys, the last axis.": [
                [0.21069273, 0.58824798, 0.31830026, 0.58824798],
                [0.78930727, 0.41175202, 0.68169974, 0.41175202],
            ],
        },
    )
    check.close(
        output,
        [[2.77461869], [2.23604124]],
        "the output",
        hints={"that is the mean over the keys. The weights already add up to 1, so sum.": [[0.69365467], [0.55901031]]},
    )
    batch = [np.stack([part, 2 * part, part]) for part in (query, key, value)]
    check.shape(additive_attention(*batch, wq, wk, v)[1], (3, 2, 4), "weights (batch, query_len, key_len)")
    check.close(additive_attention(*batch, wq, wk, v)[0][2], [[2.77461869], [2.23604124]], "the last slice of a batch")
check

# %% [markdown]
# ### What the tanh is for
#
# Leave it out, and the score is $v^\top W_q^\top q_i + v^\top W_k^\top k_j$: a number that depends on the query alone
# plus one that depends on the key alone. The first is the same for all keys, and adding a constant to a row changes
# nothing in its softmax. **Every query would get the same weights**: no look-up at all. The hidden layer must be *bent*
# for query and key to meet. The dot product needs no tanh, because there they meet in a product.
#
# The cell shows it: with queries of ordinary size, and with tiny ones, where tanh is almost a straight line.

# %%
rng = np.random.default_rng(9)
query, key = rng.standard_normal((4, 5)).astype("float32"), rng.standard_normal((6, 3)).astype("float32")
wq, wk = rng.standard_normal((5, 8)).astype("float32"), rng.standard_normal((3, 8)).astype("float32")
v = rng.standard_normal(8).astype("float32")
_, bent = additive_attention(query, key, key, wq, wk, v)
_, straight = additive_attention(query / 100, key / 100, key, wq, wk, 100 * v)
fig, axes = plt.subplots(1, 2, figsize=(11, 3.4), layout="constrained")
show_weights(bent, title="tanh bends: a row for every query", ax=axes[0])
show_weights(straight, title="tanh almost straight: the same rows", ax=axes[1])
plt.show()

# %% [markdown]
# ### What it costs
#
# Both scores need a number of multiplications that grows with `query_len * key_len * width`. But the dot product runs
# as one matrix product that never stores more than the scores, while additive attention builds an array `width` times
# as large in between, and a tanh of each entry. Vaswani et al. (2017, section 3.2.1) give this as their reason; they
# also note that *without* scaling, dot products do worse than additive attention at large widths. With task 5 you know
# why.

# %%
print(f"{'sequence':>9}{'scores':>12}{'additive, in between':>24}   (float32, width 64, one head, one sequence)")
for length in (128, 512, 2048):
    scores_mib, between_mib = (length**2 * width * 4 / 2**20 for width in (1, 64))
    print(f"{length:>9}{scores_mib:>8.2f} MiB{between_mib:>20.0f} MiB")

# %% [markdown]
# ## What you have now
#
# - **Softmax** makes weights out of scores; subtract each row's largest score first.
# - **Scores** compare all queries with all keys, divided by $\sqrt{d_k}$ so that their spread stays 1 at any width and
#   the softmax neither hardens nor flattens.
# - **The mask** acts before the softmax. Here 1 hides and 0 keeps; Keras's `attention_mask` says the opposite.
# - **The output** is a weighted average of values: `(query_len, key_len)` times `(key_len, value_dim)`.
# - **Projections** decide what is compared and what is passed on. One sequence in all roles is self-attention, two are
#   cross-attention.
# - **Additive attention** came first and asks a small network instead of a dot product.
#
# One thing attention does not see at all is *order*: shuffle keys and values together, and the output stays the same.
# That is why notebook 01 added positions to the inputs.
#
# **Next:** one set of weights per query means that a word can look for one thing at a time. Notebook 03 runs several
# small attentions side by side: multi-head attention.
#
# ### References
#
# - K. Cho et al. (2014). *Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine Translation.* EMNLP.
# - I. Sutskever, O. Vinyals, Q. V. Le (2014). *Sequence to Sequence Learning with Neural Networks.* NeurIPS.
# - D. Bahdanau, K. Cho, Y. Bengio (2015). *Neural Machine Translation by Jointly Learning to Align and Translate.* ICLR.
# - M.-T. Luong, H. Pham, C. D. Manning (2015). *Effective Approaches to Attention-based Neural Machine Translation.* EMNLP.
# - A. Vaswani et al. (2017). *Attention Is All You Need.* NeurIPS.
