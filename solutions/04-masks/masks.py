# %% [markdown]
# # Masks, and how to test them
#
# Attention looks at everything. Sometimes it must not: a batch is filled up with padding that means nothing, and a
# decoder that is trained on whole sentences must not read the word it is about to write. A **mask** says what is hidden.
# It is a small array of zeros and ones, and the easiest thing in a Transformer to get wrong *without noticing*: the
# shapes fit, the loss falls, and the model is useless. So this notebook ends with a test that finds out.
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `create_padding_mask`: hide what only fills up the batch | 3 |
# | 2 | `create_look_ahead_mask`: hide the future | 3 |
# | 3 | `create_decoder_mask`: both at once | 4 |
# | 4 | `masked_softmax`: weights under any mask, in any precision | 4 |
# | 5 | `to_keras_attention_mask`: from our convention to Keras's | 3 |
# | 6 | `leaks_future`: a test that catches a layer reading ahead | 3 |
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each one holds public checks. Points come
# from other inputs after you hand in, in steps. A mistake in one task does not cost you the points of a later one.
# NumPy, `keras.ops` and `tf.*` all count the same.
#
# **The convention of this course**, from the lecture it grew out of:
#
# > A mask is an array of floats. **1 hides, 0 keeps.**
#
# Half of the world does it the other way round (Keras: `True` may be attended). There is no right one, but there is a
# right one *for each function*, and task 5 is about the flip between them.
#
# **Words for shapes.** `query_len` positions that ask, `key_len` positions that are looked at; `seq_len` where they are
# the same. Scores and weights are `(batch, num_heads, query_len, key_len)`, and every mask has to broadcast to that.

# %% locked="setup"
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")

import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

to_numpy = ops.convert_to_numpy
KEPT, HIDDEN = "#f4efe4", "#3d4a5c"


def show_mask(mask, ax, title="", rows=None, columns=None):
    """Draw a mask (query_len, key_len): dark squares are hidden (1), light ones kept (0)."""
    mask = to_numpy(mask).astype(float)
    ax.imshow(mask, cmap=ListedColormap([KEPT, HIDDEN]), vmin=0, vmax=1)
    _grid(ax, mask.shape, title, rows, columns)
    for (i, j), number in np.ndenumerate(mask):
        ax.text(j, i, f"{number:g}", ha="center", va="center", fontsize=8, color=KEPT if number else HIDDEN)


def show_weights(weights, ax, title="", rows=None, columns=None, mask=None):
    """Draw attention weights (query_len, key_len); what `mask` hides is dark, as in `show_mask`."""
    weights = to_numpy(weights).astype(float)
    hidden = np.broadcast_to(0 if mask is None else to_numpy(mask), weights.shape) == 1
    ax.set_facecolor(HIDDEN)
    image = ax.imshow(np.ma.masked_where(hidden, weights), cmap="YlOrBr", vmin=0, vmax=1)
    _grid(ax, weights.shape, title, rows, columns)
    for (i, j), weight in np.ndenumerate(weights):
        colour = KEPT if hidden[i, j] or weight > 0.6 else "black"
        ax.text(j, i, f"{weight:.2f}".replace("0.00", "0"), ha="center", va="center", fontsize=7, color=colour)
    return image


def _grid(ax, shape, title, rows, columns):
    ax.set(title=title, xlabel="keys", ylabel="queries")
    ax.set_yticks(range(shape[0]), rows if rows is not None else range(shape[0]))
    ax.set_xticks(range(shape[1]), columns if columns is not None else range(shape[1]), rotation=45 if columns else 0)


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## Task 1: the padding mask (3 points)
#
# Sentences of a batch have different lengths, an array has not. Shorter sentences are filled up with the id 0, called
# `<pad>`. Nobody must learn anything from it, so its columns are hidden as **keys** from every query:
#
# | | shape | |
# |---|---|---|
# | `token_ids` | `(batch, seq_len)` | integers |
# | mask | `(batch, 1, 1, seq_len)` | 1.0 at padding |
# | scores | `(batch, num_heads, query_len, key_len)` | |
#
# The two axes of length 1 are there for broadcasting: *the same for every head* and *the same for every query*. With ids
#
# $$\begin{pmatrix} 7&6&0&0&1 \\ 1&2&3&0&0 \\ 0&0&0&4&5 \end{pmatrix} \quad\longrightarrow\quad
#   \begin{pmatrix} 0&0&1&1&0 \\ 0&0&0&1&1 \\ 1&1&1&0&0 \end{pmatrix} \text{ of shape } (3, 1, 1, 5).$$
#
# Some libraries put the padding in front, and another vocabulary may give padding another id. So look at the ids
# themselves, and at `pad_id`.


# %% task="padding-mask"
def create_padding_mask(token_ids, pad_id=0):
    """Say which tokens are padding.

    Args:
        token_ids: (batch, seq_len), integers.
        pad_id: the id of padding.

    Returns:
        Floats (batch, 1, 1, seq_len): 1.0 where a token is padding, 0.0 elsewhere.
    """
    ### BEGIN SOLUTION
    is_padding = ops.equal(ops.convert_to_tensor(token_ids), pad_id)
    return ops.cast(is_padding, "float32")[:, None, None, :]
    ### END SOLUTION


# %% grade="padding-mask" points=3
with checking("create_padding_mask") as check:
    ids = np.array([[7, 6, 0, 0, 1], [1, 2, 3, 0, 0], [0, 0, 0, 4, 5]])
    padding = create_padding_mask(ids)
    check.shape(padding, (3, 1, 1, 5), "(batch, 1, 1, seq_len)")
    expected = np.array([[0, 0, 1, 1, 0], [0, 0, 0, 1, 1], [1, 1, 1, 0, 0]])[:, None, None, :]
    check.close(
        padding,
        expected,
        "the mask of the example",
        hints={"it is the wrong way round: 1 hides, so 1 belongs to the padding.": 1 - expected},
    )
    check.close(
        create_padding_mask(np.array([[0, 5, 9, 9]]), pad_id=9),
        [[[[0, 0, 1, 1]]]],
        "padding with the id 9",
        hints={"it hides the id 0, but `pad_id` is 9 here.": [[[[1, 0, 0, 0]]]]},
    )
    kind = to_numpy(padding).dtype.kind
    check.true(kind == "f", "floats", "the mask should be floats, 1.0 and 0.0, not booleans or integers.")
check

# %% [markdown]
# A picture of a batch: on the left the tokens, on the right the mask's rows. The Korean numbers are those that you will
# translate in notebook 07 (삼백이십일 is 321).

# %%
sentences = [["삼", "백", "이", "십", "일"], ["이", "만", "오"], ["구"], ["칠", "천", "육", "백"]]
romanised = {"삼": "sam", "백": "baek", "이": "i", "십": "sip", "일": "il", "만": "man", "오": "o", "구": "gu"}
romanised |= {"칠": "chil", "천": "cheon", "육": "yuk"}
vocabulary = {"<pad>": 0} | {syllable: number for number, syllable in enumerate(sorted(romanised), start=4)}
batch_ids = np.zeros((4, 5), dtype="int32")
for row, sentence in enumerate(sentences):
    batch_ids[row, : len(sentence)] = [vocabulary[syllable] for syllable in sentence]
names = {number: romanised.get(syllable, "<pad>") for syllable, number in vocabulary.items()}

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3), layout="constrained")
left.imshow(batch_ids == 0, cmap=ListedColormap([KEPT, HIDDEN]))
for (i, j), number in np.ndenumerate(batch_ids):
    left.text(j, i, f"{names[number]}\n{number}", ha="center", va="center", fontsize=8, color="black" if number else KEPT)
left.set(title="token ids (batch, seq_len)", xlabel="position", ylabel="sentence", xticks=range(5), yticks=range(4))
show_mask(to_numpy(create_padding_mask(batch_ids))[:, 0, 0], right, "padding mask without its axes of length 1")
right.set(xlabel="key", ylabel="sentence")
plt.show()

# %% [markdown]
# > **Does this hold?** *"A mask of shape `(batch, seq_len)` broadcasts by itself, the extra axes are cosmetic."*
# >
# > It doesn't hold. Broadcasting aligns from the right: `(batch, seq_len)` meets `(query_len, key_len)`, so sentence 0's
# > padding is hidden from *query* 0 of every sentence, sentence 1's from query 1, and so on. If `batch` is not `query_len`
# > there is an error, and you are lucky. If it is, there is none. The cell takes four sentences of four tokens and counts.

# %%
four = np.array([[5, 6, 7, 8], [5, 6, 0, 0], [5, 0, 0, 0], [5, 6, 7, 0]])
flat = (four == 0).astype("float32")  # (batch, seq_len): no axes for heads and queries
right_one = np.broadcast_to(flat[:, None, None, :], (4, 2, 4, 4))
wrong_one = np.broadcast_to(flat, (4, 2, 4, 4))
print("hidden squares that should be kept:", int(((wrong_one == 1) & (right_one == 0))[:, 0].sum()), "of 64")
print("kept squares that should be hidden:", int(((wrong_one == 0) & (right_one == 1))[:, 0].sum()), "of 64")

# %% [markdown]
# ## Task 2: the look-ahead mask (3 points)
#
# A decoder writes one word after another: when it writes word $i + 1$ it has words $0, \dots, i$. In training we have the
# whole sentence and want to learn from all positions at once. So we run them all together and hide from each what it
# would not have had yet (Vaswani et al. 2017, section 3.2.3):
#
# $$M_{ij} = \begin{cases} 1 & j > i \text{ (the future)} \\ 0 & j \le i \end{cases}
# \qquad\qquad
# M = \begin{pmatrix} 0&1&1&1 \\ 0&0&1&1 \\ 0&0&0&1 \\ 0&0&0&0 \end{pmatrix}$$
#
# Row $i$ is query $i$, column $j$ is key $j$. The diagonal is **kept**: input $i$ is a word that is already there, and
# output $i$ is the guess at the next one.


# %% task="look-ahead-mask"
def create_look_ahead_mask(size):
    """Hide from each position everything after it.

    Args:
        size: number of positions, at least 1.

    Returns:
        Floats (size, size): 1.0 strictly above the diagonal, 0.0 on it and below.
    """
    ### BEGIN SOLUTION
    positions = ops.arange(size)
    return ops.cast(positions[None, :] > positions[:, None], "float32")
    ### END SOLUTION


# %% grade="look-ahead-mask" points=3
with checking("create_look_ahead_mask") as check:
    ahead = create_look_ahead_mask(4)
    check.shape(ahead, (4, 4), "(size, size)")
    triangle = np.array([[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]])
    check.close(
        ahead,
        triangle,
        "the mask of four positions",
        hints={
            "the past is hidden and the future kept: rows are queries, columns keys.": triangle.T,
            "it says who may be seen. Here 1 hides.": 1 - triangle,
            "a position doesn't see itself: keep the diagonal.": triangle + np.eye(4),
        },
    )
    check.shape(create_look_ahead_mask(1), (1, 1), "(size, size)")
    check.close(create_look_ahead_mask(1), [[0]], "the mask of one position")
    kind = to_numpy(ahead).dtype.kind
    check.true(kind == "f", "floats", "the mask should be floats, 1.0 and 0.0, not booleans or integers.")
check

# %% [markdown]
# > **Does this hold?** *"A causal mask shows each position the positions before it, without the diagonal: if a position saw
# > itself, it would only copy."* Notes on a popular course say so.
# >
# > It doesn't hold. The decoder's input is shifted: at position $i$ it reads word $i$ and is asked for word $i + 1$. Hiding
# > word $i$ takes away the *latest* word, the most useful one, and leaves query 0 with nothing at all: a row that is wholly
# > hidden. What becomes of such a row is a story of its own (task 4).

# %%
figure, axes = plt.subplots(1, 2, figsize=(8.6, 3.6), layout="constrained")
show_mask(create_look_ahead_mask(5), axes[0], "look-ahead mask")
show_mask(np.triu(np.ones((5, 5)), k=0), axes[1], "diagonal hidden: row 0 sees nothing")
plt.show()

# %% [markdown]
# ## Task 3: the decoder's mask (4 points)
#
# A decoder's input is padded *and* must not look ahead. A key is hidden if **either** mask hides it:
#
# $$M_{b,i,j} = \max\left(P_{b,j},\; L_{ij}\right)$$
#
# | | shape |
# |---|---|
# | `token_ids` | `(batch, seq_len)` |
# | padding mask | `(batch, 1, 1, seq_len)` |
# | look-ahead mask | `(seq_len, seq_len)` |
# | decoder mask | `(batch, 1, seq_len, seq_len)` |
#
# For the ids $(5, 6, 0, 0)$ the padding mask is $(0, 0, 1, 1)$ and
#
# $$M = \begin{pmatrix} 0&1&1&1 \\ 0&0&1&1 \\ 0&0&1&1 \\ 0&0&1&1 \end{pmatrix}.$$
#
# Look at the last two rows: the *queries* of the padding are not hidden. They compute something that nobody will use (the
# loss leaves those positions out), and so no row is empty as long as a sentence begins with a word.


# %% task="decoder-mask"
def create_decoder_mask(token_ids, pad_id=0):
    """Hide the future and the padding.

    Args:
        token_ids: (batch, seq_len), integers.
        pad_id: the id of padding.

    Returns:
        Floats (batch, 1, seq_len, seq_len): 1.0 where the key is later than the query or is padding, 0.0 elsewhere.
    """
    ### BEGIN SOLUTION
    padding = create_padding_mask(token_ids, pad_id)
    ahead = create_look_ahead_mask(padding.shape[-1])
    return ops.maximum(padding, ahead)
    ### END SOLUTION


# %% grade="decoder-mask" points=4
with checking("create_decoder_mask") as check:
    short = np.array([[5, 6, 0, 0], [5, 6, 7, 8]])
    decoder = create_decoder_mask(short)
    check.shape(decoder, (2, 1, 4, 4), "(batch, 1, seq_len, seq_len)")
    ahead = np.triu(np.ones((4, 4)), k=1)
    padded = np.broadcast_to([0, 0, 1, 1], (4, 4))
    check.close(
        decoder,
        np.stack([np.maximum(ahead, padded), ahead])[:, None],
        "the masks of (5, 6, 0, 0) and (5, 6, 7, 8)",
        hints={
            "where both masks hide there is a 2. A mask holds 0 and 1.": np.stack([ahead + padded, ahead])[:, None],
            "only what both masks hide is hidden. Either is enough.": np.stack([ahead * padded, 0 * ahead])[:, None],
            "the padding is not hidden.": np.stack([ahead, ahead])[:, None],
            "the future is not hidden.": np.stack([padded, 0 * ahead])[:, None],
            "the padding's queries are hidden too: their rows should be like the others.": np.stack(
                [np.maximum(np.maximum(ahead, padded), padded.T), ahead]
            )[:, None],
        },
    )
check

# %% [markdown]
# The three masks of two sentences, side by side. The third is where the first two overlap with "or".

# %%
pair = np.array([[4, 9, 7, 5, 6], [8, 5, 0, 0, 0]])
figure, axes = plt.subplots(2, 3, figsize=(11, 6.6), layout="constrained")
for row, ids in enumerate(pair):
    labels = [f"<pad> {i}" if number == 0 else f"word {i}" for i, number in enumerate(ids)]
    padding = np.broadcast_to(to_numpy(create_padding_mask(ids[None]))[0, 0], (5, 5))
    show_mask(padding, axes[row, 0], f"sentence {row}: padding", labels, labels)
    show_mask(create_look_ahead_mask(5), axes[row, 1], "look-ahead", labels, labels)
    show_mask(create_decoder_mask(ids[None])[0, 0], axes[row, 2], "decoder: either", labels, labels)
patches = [Patch(facecolor=KEPT, edgecolor=HIDDEN, label="0: kept"), Patch(color=HIDDEN, label="1: hidden")]
figure.legend(handles=patches, loc="outside lower center", ncols=2)
plt.show()

# %% [markdown]
# > **Does this hold?** *"To combine two masks, add them."* With scores that are pushed down by `mask * -1e9` a 2 hides as
# > well as a 1, so this works, for a while.
# >
# > It doesn't hold once somebody flips the mask. `1 - 2` is `-1`, and as a boolean that is `True`: what *both* masks
# > hide would be exactly what Keras may attend. Use the maximum, or a logical *or*.

# %%
summed = np.array([0.0, 1.0, 1.0, 2.0])  # kept, hidden, hidden, hidden by both masks
print("1 - mask:           ", 1 - summed)
print("as Keras reads that:", (1 - summed).astype(bool))

# %% [markdown]
# ## Task 4: the softmax under a mask (4 points)
#
# Weights under a mask are a softmax over the kept entries, and 0 elsewhere:
#
# $$w_{ij} = \frac{k_{ij}\, e^{s_{ij}}}{\sum_{l} k_{il}\, e^{s_{il}}}, \qquad k = 1 - M$$
#
# The usual code is one line, `softmax(scores - 1e9 * mask)`: hidden scores are pushed so far down that their exponential
# is 0. Four things can go wrong with it:
#
# 1. **float16 has no 1e9.** Its largest number is 65504; `-1e9` becomes $-\infty$. For a *kept* entry the mask is 0, and
#    $0 \cdot (-\infty)$ is **NaN**. Everything is lost, not just the hidden entries. Mixed precision, which makes
#    training fast on an accelerator, computes in float16 or bfloat16.
# 2. **A smaller constant** such as `-1e4` fits, but is no longer far below *every* score.
# 3. **A wholly hidden row.** All its scores are pushed down by the same amount, and a softmax doesn't notice a constant: in
#    float64 the weights are those *without* the mask. In float32 $s - 10^9$ is exactly $-10^9$ for every ordinary $s$, so
#    they are **uniform**. Either way the padding is averaged as if it were text. With $-\infty$ they are $0/0$ = NaN,
#    which then spreads through the whole model.
# 4. **Hiding after the softmax** (multiplying weights by 0) leaves rows that don't add up to 1; dividing by their sum
#    afterwards divides 0 by 0 when a hidden score was so large that it took all the weight.
#
# The cell shows 1 to 3.


# %%
def usual_softmax(scores, mask, constant):
    lowered = scores + mask * scores.dtype.type(constant)
    exponentials = np.exp(lowered - lowered.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


three_scores = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
three_mask = np.array([[0.0, 0.0, 1.0], [1.0, 1.0, 1.0]])
with np.errstate(all="ignore"):
    for kind in ("float64", "float32", "float16"):
        for constant in (-1e9, -1e4, -np.inf):
            answer = usual_softmax(three_scores.astype(kind), three_mask.astype(kind), constant)
            rows = "   ".join(str(row.round(3)) for row in answer.astype("float64"))
            print(f"{kind}, {constant:6g}: one hidden, all hidden: {rows}")

# %% [markdown]
# What you will write has none of these faults. The weights of a wholly hidden row are **all zeros**: a query that may see
# nothing gets nothing. Decide by `where` instead of arithmetic, take the maximum of the *kept* scores, and mind the
# division. In numbers, for scores $(1, 2, 3)$ with the last one hidden: $e^{1-2} + e^{2-2} = 1.3679$, so the weights are
# $(0.2689, 0.7311, 0)$.


# %% task="masked-softmax"
def masked_softmax(scores, mask):
    """Turn scores into weights over the keys that the mask keeps.

    Right for finite scores of any size, hidden ones too, in float16, float32 and float64.

    Args:
        scores: (..., query_len, key_len), floats.
        mask: floats, the same type as the scores; broadcasts to the scores. 1 hides, 0 keeps.

    Returns:
        Weights: the shape and the type of the scores. Hidden entries are exactly 0; each row adds up to 1, but a row whose
        keys are all hidden is all zeros.
    """
    ### BEGIN SOLUTION
    scores = ops.convert_to_tensor(scores)
    hidden = ops.cast(mask, "bool")
    largest = ops.max(ops.where(hidden, -np.inf, scores), axis=-1, keepdims=True)
    largest = ops.where(ops.isfinite(largest), largest, 0.0)  # of a row without kept scores
    # the inner `where` comes first: the exponential of a large hidden score would be infinite
    exponentials = ops.where(hidden, 0.0, ops.exp(ops.where(hidden, 0.0, scores - largest)))
    total = ops.sum(exponentials, axis=-1, keepdims=True)
    return ops.cast(exponentials / ops.where(total == 0.0, 1.0, total), scores.dtype)
    ### END SOLUTION


# %% grade="masked-softmax" points=4
with checking("masked_softmax") as check:
    scores = np.array([[1, 2, 3], [3, 3, 3]], dtype="float32")
    mask = np.array([[0, 0, 1], [0, 1, 0]], dtype="float32")
    weights = masked_softmax(scores, mask)
    check.shape(weights, (2, 3), "(query_len, key_len)")
    expected = np.array([[0.26894142, 0.73105858, 0], [0.5, 0, 0.5]])
    check.close(
        weights,
        expected,
        "(1, 2, 3) with the last hidden, (3, 3, 3) with the second hidden",
        hints={
            "that is the softmax without the mask.": [[0.09003057, 0.24472847, 0.66524096], [1 / 3] * 3],
            "only what should be hidden is seen: 1 hides, 0 keeps.": [[0, 0, 1], [0, 1, 0]],
            "a score of 0 hides nothing, because exp(0) is 1.": [
                [0.24472847, 0.66524096, 0.09003057],
                [0.48785564, 0.02428872, 0.48785564],
            ],
            "the rows no longer add up to 1: the kept entries share the whole weight.": [
                [0.09003057, 0.24472847, 0],
                [1 / 3, 0, 1 / 3],
            ],
        },
    )
    check.true(
        bool((to_numpy(weights)[mask == 1] == 0).all()),
        "hidden entries are exactly 0",
        "a hidden entry is small, but not exactly 0.",
    )
    half = masked_softmax(scores.astype("float16"), mask.astype("float16"))
    check.close(half, expected, "the same in float16", tolerance=2e-3)
    kind = str(to_numpy(half).dtype)
    check.true(kind == "float16", "float16 scores give float16 weights", f"scores in float16 gave weights in {kind}.")
    nothing_seen = masked_softmax(scores, np.array([[1, 1, 1], [0, 0, 0]], dtype="float32"))
    check.close(
        nothing_seen,
        [[0, 0, 0], [1 / 3, 1 / 3, 1 / 3]],
        "the first row wholly hidden",
        hints={"the wholly hidden row has uniform weights. It should be all zeros.": np.full((2, 3), 1 / 3)},
    )
    loud = np.array([[900, 1, 2]], dtype="float32")
    check.close(
        masked_softmax(loud, np.array([[1, 0, 0]], dtype="float32")),
        [[0, 0.26894142, 0.73105858]],
        "(900, 1, 2) with the first hidden",
        hints={
            "next to a large hidden score the others got nothing. Whose maximum do you subtract?": [[0, 0, 0]],
        },
    )
check

# %% [markdown]
# ### The weights under each mask
#
# The same random scores of one sentence with two words of padding, five times. Compare the rows: a row is a mixture of
# what is left, and adds up to 1 each time. The last picture is what comes of confusing the lecture's convention with
# Keras's: each query sees its future and the padding, and nothing else.

# %%
sentence = np.array([[4, 9, 7, 5, 0, 0]])
labels = ["three", "hundred", "twenty", "one", "<pad>", "<pad>"]
scores = np.random.default_rng(2).normal(size=(6, 6)).astype("float32")
decoder = to_numpy(create_decoder_mask(sentence))[0, 0]
views = {
    "no mask": np.zeros((6, 6)),
    "padding mask": np.broadcast_to(to_numpy(create_padding_mask(sentence))[0, 0], (6, 6)),
    "look-ahead mask": to_numpy(create_look_ahead_mask(6)),
    "decoder mask": decoder,
    "decoder mask, upside down": 1 - decoder,
}
figure, axes = plt.subplots(2, 5, figsize=(19, 7.4), layout="constrained")
for column, (name, mask) in enumerate(views.items()):
    mask = mask.astype("float32")
    show_mask(mask, axes[0, column], name, labels, labels)
    image = show_weights(masked_softmax(scores, mask), axes[1, column], "weights", labels, labels, mask)
figure.colorbar(image, ax=axes[1], label="weight", shrink=0.8)
plt.show()

# %% [markdown]
# > **Does this hold?** *"-1e9 is as good as minus infinity."* One often reads so.
# >
# > It holds in float32 and float64 for rows that keep something. It doesn't hold in float16 ($0 \cdot \infty$), and not on
# > a wholly hidden row. The cell draws the weights of a row of which the first $n$ of 8 keys are hidden: look at $n = 8$.

# %%
row = np.random.default_rng(3).normal(size=8)
masks_of_n = np.array([[1.0] * n + [0.0] * (8 - n) for n in range(9)])
versions = {
    "-1e9, float32": ("float32", lambda s, m: usual_softmax(s, m, -1e9)),
    "-1e9, float16": ("float16", lambda s, m: usual_softmax(s, m, -1e9)),
    "-inf by where": ("float32", lambda s, m: usual_softmax(np.where(m == 1, -np.inf, s), 0 * m, 0)),
    "yours, float16": ("float16", masked_softmax),
}
figure, axes = plt.subplots(1, 4, figsize=(15, 4), layout="constrained")
for ax, (name, (kind, function)) in zip(axes, versions.items(), strict=True):
    with np.errstate(all="ignore"):
        weights = function(np.tile(row, (9, 1)).astype(kind), masks_of_n.astype(kind))
    colours = plt.get_cmap("YlOrBr").with_extremes(bad="crimson")
    image = ax.imshow(np.ma.masked_invalid(to_numpy(weights).astype(float)), cmap=colours, vmin=0, vmax=1)
    ax.set(title=f"{name} (red: NaN)", xlabel="key", xticks=range(8), yticks=range(9))
axes[0].set_ylabel("hidden keys, from the left")
figure.colorbar(image, ax=axes, label="weight", shrink=0.8)
plt.show()

# %% [markdown]
# ## Task 5: the other convention (3 points)
#
# `keras.layers.MultiHeadAttention` takes an `attention_mask`, and there **`True` (or 1) may be attended**. It also has no
# axis for the heads; Keras puts it in.
#
# | | ours | for Keras |
# |---|---|---|
# | meaning of 1 | hidden | may be attended |
# | type | float | boolean |
# | padding mask | `(batch, 1, 1, key_len)` | `(batch, 1, key_len)` |
# | decoder mask | `(batch, 1, query_len, key_len)` | `(batch, query_len, key_len)` |
# | look-ahead mask | `(query_len, key_len)` | `(1, query_len, key_len)` |
#
# Other libraries: `torch.nn.MultiheadAttention` hides where a boolean mask is `True` (ours), while
# `torch.nn.functional.scaled_dot_product_attention` attends where it is `True` (Keras's): two conventions in one library.
# Hugging Face's `attention_mask` has 1 for tokens and 0 for padding. Always look it up.


# %% task="keras-mask"
def to_keras_attention_mask(mask):
    """Turn a mask of this course (1 hides) into Keras's `attention_mask` (True may be attended).

    Args:
        mask: floats, (batch, 1, query_len or 1, key_len) or (query_len, key_len).

    Returns:
        Booleans, (batch, query_len or 1, key_len) or (1, query_len, key_len).
    """
    ### BEGIN SOLUTION
    may_attend = ops.equal(ops.convert_to_tensor(mask), 0)
    if len(may_attend.shape) == 4:
        return ops.squeeze(may_attend, axis=1)
    return ops.expand_dims(may_attend, axis=0)
    ### END SOLUTION


# %% grade="keras-mask" points=3
with checking("to_keras_attention_mask") as check:
    triangle = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]], dtype="float32")
    four_axes = np.stack([triangle, np.maximum(triangle, [0, 0, 1])])[:, None]
    flipped = to_keras_attention_mask(four_axes)
    check.shape(flipped, (2, 3, 3), "(batch, query_len, key_len)")
    check.close(
        flipped,
        1 - four_axes[:, 0],
        "two decoder masks",
        hints={"the shape is right, but the mask isn't flipped.": four_axes[:, 0]},
    )
    kind = str(to_numpy(flipped).dtype)
    check.true(kind == "bool", "booleans", f"the mask should be boolean, but it is {kind}.")
    padding = np.array([[0, 0, 1], [0, 1, 1]], dtype="float32")[:, None, None, :]
    check.shape(to_keras_attention_mask(padding), (2, 1, 3), "(batch, 1, key_len)")
    check.shape(to_keras_attention_mask(triangle), (1, 3, 3), "(1, query_len, key_len)")
    check.close(to_keras_attention_mask(triangle), [1 - triangle], "a look-ahead mask")
check

# %% [markdown]
# > **Does this hold?** A widely copied Keras notebook builds a look-ahead mask with 1 above the diagonal and hands it to
# > `attention_mask`. *"The decoder's self-attention is now causal."*
# >
# > It doesn't hold: it is the opposite. Each query sees its future and nothing else. In training nothing looks wrong.
# > Measured on a copy task with that decoder: the mean squared error with the right previous words given is 0.00008, nearly perfect;
# > when the model has to go on from its own words it is 1.04 and the correlation with the target 0.005: it has learned
# > to read the answer in its input. With the mask flipped it is 0.00008 both ways.
# >
# > The cell draws what Keras's layer does with both.

# %%
keras.utils.set_random_seed(0)
attention = keras.layers.MultiHeadAttention(num_heads=1, key_dim=6)
x = np.random.default_rng(5).normal(size=(1, 5, 6)).astype("float32")
ahead = to_numpy(create_look_ahead_mask(5))
handed_over = {"look-ahead mask as it is": ahead[None].astype(bool), "flipped": to_keras_attention_mask(ahead)}
figure, axes = plt.subplots(1, 2, figsize=(8.6, 3.8), layout="constrained")
for ax, (name, mask) in zip(axes, handed_over.items(), strict=True):
    _, weights = attention(x, x, attention_mask=mask, return_attention_scores=True)
    image = show_weights(weights[0, 0], ax, f"Keras with the {name}" if "as it is" in name else "Keras with it flipped")
figure.colorbar(image, ax=axes, label="weight", shrink=0.8)
plt.show()

# %% [markdown]
# On the left the last query may see nothing, and its weights are all zeros, like yours. Don't rely on it. The same layer,
# the same input, but not asked for its weights, takes a faster way through its code, and there such a row is a mean of
# *all* values. Measured with Keras 3.15 on TensorFlow, JAX and PyTorch; the next cell shows it with yours. It matters
# nowhere as long as each query keeps a key, which is one more reason to look at the diagonal.

# %%
with_weights, _ = attention(x, x, attention_mask=ahead[None].astype(bool), return_attention_scores=True)
without_weights = attention(x, x, attention_mask=ahead[None].astype(bool))
difference = np.abs(to_numpy(with_weights) - to_numpy(without_weights)).max(axis=(0, 2))
print("the same layer with and without return_attention_scores, difference of each row:", difference.round(4))

# %% [markdown]
# ## Task 6: a test for leaks (3 points)
#
# A decoder that reads ahead looks *better* in training than a right one. A table of measurements (a small Transformer that
# translates Korean numbers into English words, notebook 07): share of held-out numbers that are wholly right,
#
# | look-ahead mask | previous words given | on its own words |
# |---|---|---|
# | right | 1.000 | 1.000 |
# | none | 1.000 | **0.000** |
# | upside down | 1.000 | **0.000** |
# | one step too far | 1.000 | **0.740** |
#
# The column that one watches in training shows nothing. So test the layer itself. The definition is short: a layer is
# **causal** if no output depends on a later input. And dependence can be tried out:
#
# > change the later inputs, and see whether an earlier output moves.
#
# $$\text{leak from } j \text{ to } i < j: \qquad \texttt{attend}(x)_i \ne \texttt{attend}(x')_i
#   \quad \text{although } x'_k = x_k \text{ for all } k \ne j$$
#
# You get the layer as a black box, `attend`, and return `True` if it leaks. Think of a picture with a row for each output
# and a column for each input: an entry above the diagonal is a leak. It may be **any** of them.
#
# - It may be one entry only: a position that sees *one* step too far, only the last one, only one feature.
# - Or it may be everywhere and small: a mean over all positions, taken before a perfectly causal attention.
# - It may appear in long inputs only: test with the `seq_len` that you are told.
# - A normalisation over the features swallows some changes: adding 1 to *every* feature changes nothing behind it. So
#   does multiplying by 2.
# - float32 rounds. In a right layer an earlier output may move by up to a millionth (1e-6) because of rounding; that is
#   no leak. Each leak moves some earlier output by more than 1e-4 if you change the later inputs by about 1, at random.


# %% task="leak-test"
def leaks_future(attend, seq_len, dim):
    """Find out whether any output depends on a later input.

    Args:
        attend: a callable. Takes an array (1, seq_len, dim) of floats of size about 1 and returns another of that shape, as a
            NumPy array or as a tensor. It gives the same for the same input.
        seq_len: number of positions, at least 2.
        dim: number of features.

    Returns:
        True if some output, at any position, changes with some input at a later position; False if none does, but for
        rounding (below 1e-6).
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim)).astype("float32")
    before = to_numpy(attend(x))
    for position in range(1, seq_len):
        changed = x.copy()
        changed[:, position] = rng.normal(size=dim)
        moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
        if moved.max() > 1e-5:
            return True
    return False
    ### END SOLUTION


# %% grade="leak-test" points=3
def sees(hidden, seen_weight=1.0):
    """A layer that averages every input that the mask (1 hides) doesn't hide."""

    def attend(x):
        kept = seen_weight * (1.0 - hidden)
        return np.einsum("ij,bjd->bid", kept / kept.sum(axis=1, keepdims=True), np.tanh(np.asarray(x, dtype="float64")))

    return attend


def after_layer_norm(attend):
    """The same layer behind a normalisation over the features."""

    def normalised(x):
        x = np.asarray(x, dtype="float64")
        return attend((x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-6))

    return normalised


with checking("leaks_future") as check:
    future = np.triu(np.ones((7, 7)), k=1)
    one_step = np.triu(np.ones((7, 7)), k=2)
    one_place = future.copy()
    one_place[1, 4] = 0
    verdicts = {
        "a causal average": (sees(future), False),
        "an average of everything": (sees(np.zeros((7, 7))), True),
        "an average that sees one step too far": (sees(one_step), True),
        "a causal average but for one entry": (sees(one_place), True),
        "a causal average after a normalisation over the features": (after_layer_norm(sees(future)), False),
        "one step too far after a normalisation over the features": (after_layer_norm(sees(one_step)), True),
    }
    for words, (attend, leaks) in verdicts.items():
        verdict = leaks_future(attend, 7, 4)
        check.true(verdict is not None, "an answer", "it returned None. Is the `return` missing?")
        check.true(
            bool(verdict) == leaks,
            f"{words}: {leaks}",
            f"{words}: you said {bool(verdict)}, but it {'leaks' if leaks else 'does not leak'}.",
        )
check

# %% [markdown]
# ### What leaks look like
#
# How far does output $i$ move when input $j$ changes? Everything above the red line is a leak. The first is causal
# attention; the second sees one step too far; the third is right but for one entry; in the fourth, causal attention
# comes after a normalisation over *time*, whose mean carries a little of every input to every output. Finally Keras's
# own layer, with the mask of the lecture and with the mask flipped. Does your test see what you see?

# %%
length, width = 8, 4
rng = np.random.default_rng(6)
w_query, w_key, w_value = rng.normal(size=(3, width, width)) / width**0.5


def attention_under(hidden, over_time=False):
    def attend(x):
        x = np.asarray(x, dtype="float64")
        inner = (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True) if over_time else x
        scores = inner @ w_query @ np.swapaxes(inner @ w_key, 1, 2) / width**0.5
        return x + to_numpy(masked_softmax(scores, hidden[None])) @ inner @ w_value

    return attend


keras.utils.set_random_seed(0)
keras_attention = keras.layers.MultiHeadAttention(num_heads=2, key_dim=4)
future, one_entry = np.triu(np.ones((8, 8)), k=1), np.triu(np.ones((8, 8)), k=1)
one_entry[2, 5] = 0
gallery = {
    "causal": attention_under(future),
    "one step too far": attention_under(np.triu(np.ones((8, 8)), k=2)),
    "one entry": attention_under(one_entry),
    "normalised over time": attention_under(future, over_time=True),
    "Keras, lecture's mask": lambda x: keras_attention(x, x, attention_mask=future[None].astype(bool)),
    "Keras, flipped mask": lambda x: keras_attention(x, x, attention_mask=to_keras_attention_mask(future)),
}
start = rng.normal(size=(1, length, width)).astype("float32")
figure, axes = plt.subplots(2, 3, figsize=(12, 7.6), layout="constrained")
for ax, (name, attend) in zip(axes.flat, gallery.items(), strict=True):
    before = to_numpy(attend(start))
    moved = np.zeros((length, length))
    for j in range(length):
        changed = start.copy()
        changed[:, j] += rng.normal(size=width)
        moved[:, j] = np.abs(to_numpy(attend(changed)) - before)[0].max(axis=-1)
    image = ax.imshow(np.log10(moved + 1e-9), cmap="magma", vmin=-7, vmax=1)
    corners = np.repeat(np.arange(length + 1), 2)
    ax.plot(corners[:-2] + 0.5, corners[1:-1] - 0.5, color="red")
    ax.set(
        title=f"{name}\nleaks_future says {leaks_future(attend, length, width)}",
        xlabel="changed input",
        ylabel="output",
        xlim=(-0.5, 7.5),
        ylim=(7.5, -0.5),
    )
figure.colorbar(image, ax=axes, label="log10 of how far it moves", shrink=0.8)
plt.show()

# %% [markdown]
# > **Does this hold?** *"Put NaN into the future: if a NaN comes out in the past, the layer leaks."* A clever test that
# > is found in code reviews.
# >
# > It doesn't hold for attention: a hidden key has weight 0, and $0 \cdot \text{NaN}$ is NaN. A perfectly causal layer
# > would fail. A second one: *"it is enough to change the last input"*: the third picture above leaks from input 5 to
# > output 2, and a test that changes only the last one says it's fine.

# %%
poisoned = start.copy()
poisoned[:, -1] = np.nan
with np.errstate(all="ignore"):
    print("causal attention, last input NaN; NaN in the first output:", bool(np.isnan(gallery["causal"](poisoned)[0, 0]).any()))
changed = start.copy()
changed[:, -1] += 1.0 + rng.normal(size=width)
moved = np.abs(gallery["one entry"](changed) - gallery["one entry"](start))[0, :-1].max()
print("one leaking entry, last input changed; earlier outputs move by:", moved)

# %% [markdown]
# ## What you have now
#
# - A padding mask hides columns, for every head and query; a look-ahead mask hides what is strictly above the diagonal; a
#   decoder needs *either*.
# - 1 hides here, `True` attends in Keras. A mask without its convention is half a mask.
# - A constant is not minus infinity: float16 and wholly hidden rows tell the difference.
# - Training curves don't show leaks. A test by perturbation does, if it looks everywhere.
#
# Keep `leaks_future`. In notebook 05 you build the decoder block, and it is the first thing to ask of it.
#
# **References.** Vaswani et al. 2017, *Attention Is All You Need*, section 3.2.3. Micikevicius et al. 2018, *Mixed Precision
# Training* (what float16 can hold). Ba, Kiros and Hinton 2016, *Layer Normalization* (why it is over the features, not over
# time).
