# %% [markdown]
# # Training: from Korean numbers to English words
#
# You have a Transformer that has learnt nothing. In this notebook it learns to translate: it reads a number as Koreans say
# it, syllable by syllable, and writes the English words.
#
# | | |
# |---|---|
# | source | 삼 백 이 십 일 (sam baek i sip il) |
# | target | three hundred twenty one |
#
# Why numbers? Korean counts in groups of four digits (만 is 10 000, 억 is 100 000 000), English in groups of three
# (thousand, million, billion). So nothing can be copied: 십이만 is *a hundred twenty thousand*, and the model has to find that
# out. There are as many examples as we like, and whether an answer is right can be checked exactly.
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `WarmupSchedule`: the learning rate of the paper | 3 |
# | 2 | `teacher_forcing_pairs`: what the decoder reads, what it is asked for | 2 |
# | 3 | `masked_loss`: cross-entropy without padding, smoothed labels | 4 |
# | 4 | `masked_accuracy` | 2 |
# | 5 | `greedy_decode`: let the model speak | 4 |
# | 6 | `train`: all together, on numbers that you don't know | 5 |
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each one holds public checks. Points come
# from other inputs after you hand in, in steps. A mistake in one task does not cost you the points of a later one.
# NumPy, `keras.ops` and `tf.*` all count the same.
#
# **Token ids.** `<pad>` 0, `<bos>` 1, `<eos>` 2, `<unk>` 3; then 14 syllables and 31 words: 49 in all. Sources are
# `(batch, source_len)`, targets `(batch, len)`; rows are filled up with 0.

# %% locked="setup"
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")

import time
import warnings
from pathlib import Path

import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops
from matplotlib import font_manager

to_numpy = ops.convert_to_numpy
PAD, BOS, EOS, UNK = 0, 1, 2, 3
# While the notebook is graded, its own training is left out: the grader trains on numbers of its own.
BEING_GRADED = os.environ.get("NBGRADER_EXECUTION") == "autograde"


def find_accelerator():
    """Return the accelerator that Keras will use, in words, and a precision that suits it."""
    backend = keras.backend.backend()
    if backend == "tensorflow":
        import tensorflow as tf

        devices = tf.config.list_physical_devices("GPU")
        if not devices:
            return "CPU", "float32"
        details = tf.config.experimental.get_device_details(devices[0])
        name, capability = details.get("device_name", "GPU"), details.get("compute_capability", (0, 0))
        return name, "mixed_bfloat16" if capability >= (8, 0) else "mixed_float16" if capability >= (7, 0) else "float32"
    if backend == "torch":
        import torch

        if torch.cuda.is_available():
            return torch.cuda.get_device_name(), "mixed_bfloat16" if torch.cuda.is_bf16_supported() else "mixed_float16"
        return ("Apple GPU (mps)", "float32") if torch.backends.mps.is_available() else ("CPU", "float32")
    import jax

    device = jax.devices()[0]
    return device.device_kind.upper(), "mixed_bfloat16" if device.platform in ("gpu", "tpu") else "float32"


accelerator, precision = ("CPU", "float32") if BEING_GRADED else find_accelerator()
print(f"Keras {keras.__version__} on {keras.backend.backend()} uses: {accelerator}. Training precision: {precision}.")


class Progress(keras.callbacks.Callback):
    """One line that shows how far a training is; keeps the loss and the accuracy of every update."""

    latest = None

    def on_train_begin(self, logs=None):
        Progress.latest = self
        self.began, self.updates, self.loss, self.accuracy = time.time(), 0, [], []

    def on_epoch_begin(self, epoch, logs=None):
        self.epoch, self.before = epoch, self.updates

    def on_train_batch_end(self, batch, logs=None):
        self.updates += 1
        count, steps = self.updates - self.before, self.params["steps"] or 1
        if count < steps:  # Keras tells means since the epoch began; the last batch is smaller and would count too much
            self.loss.append((count, float(logs["loss"])))
            self.accuracy.append((count, float(logs.get("masked_accuracy", np.nan))))
        total = self.params["epochs"] * steps
        if self.updates % 10 == 0 or self.updates == total:
            done, seconds = self.updates / total, time.time() - self.began
            bar = "█" * round(30 * done) + "░" * (30 - round(30 * done))
            left = seconds / done - seconds
            numbers = f"loss {logs['loss']:.4f}, accuracy {logs.get('masked_accuracy', np.nan):.4f}"
            print(f"\r{bar} epoch {self.epoch + 1}, {numbers}, {left:.0f} s left ", end="", flush=True)

    def on_train_end(self, logs=None):
        print(f"\ndone in {time.time() - self.began:.0f} s")

    @staticmethod
    def each(means):
        """Turn the means since the epoch began into the values of each update."""
        counts, values = np.array(means).T
        before = np.concatenate([[0], (counts * values)[:-1]])
        return counts * values - np.where(counts == 1, 0, before)


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## The numbers
#
# 일이삼사오육칠팔구 are the digits, 십백천 are 10, 100, 1000. Each group of four digits is read with these and followed by its
# unit: nothing, 만 ($10^4$), 억 ($10^8$). Zeros are not read. A 1 is silent before 십, 백, 천 (십 is 10, not 일십), and at the
# head of a number also before 만: 만 is 10 000, but 일억 is 100 000 000. Inside a number the 일 stays: 십억일만 is 1 000 010 000.
#
# The next cell draws numbers below $10^{12}$: every count of digits equally often, with many zeros in three of ten (that is
# where the rules are hard), and no number twice.

# %% locked="numbers"
SYLLABLES = list("일이삼사오육칠팔구십백천만억")
ROMANISED = dict(zip(SYLLABLES, ["il", "i", "sam", "sa", "o", "yuk", "chil", "pal", "gu", "sip", "baek", "cheon", "man", "eok"], strict=True))
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "billion"]
TOKENS = ["<pad>", "<bos>", "<eos>", "<unk>", *SYLLABLES, *WORDS]
IDS = {token: number for number, token in enumerate(TOKENS)}
SOURCE_LEN, TARGET_LEN, MAX_LEN = 23, 21, 24


def read_in_korean(number):
    """Return the syllables of a number from 1 to 10^12 - 1."""
    digits = f"{number:012d}"
    syllables = []
    for group, great_unit in ((digits[:4], "억"), (digits[4:8], "만"), (digits[8:], "")):
        read = []
        for digit, unit in zip(group, ("천", "백", "십", ""), strict=True):
            if digit != "0":
                read += [unit] if digit == "1" and unit else [SYLLABLES[int(digit) - 1], unit]
        if great_unit == "만" and not syllables and group == "0001":
            read = [""]
        if read:
            syllables += [syllable for syllable in (*read, great_unit) if syllable]
    return syllables


def read_in_english(number):
    """Return the words of a number from 1 to 10^12 - 1."""
    digits = f"{number:012d}"
    words = []
    for start, great_unit in zip((0, 3, 6, 9), ("billion", "million", "thousand", ""), strict=True):
        hundreds, rest = int(digits[start]), int(digits[start + 1 : start + 3])
        read = [WORDS[hundreds - 1], "hundred"] if hundreds else []
        if rest >= 20:
            read += [WORDS[17 + rest // 10]] + ([WORDS[rest % 10 - 1]] if rest % 10 else [])
        elif rest:
            read += [WORDS[rest - 1]]
        words += [*read, great_unit] if read and great_unit else read
    return words


def draw_numbers(count, seed):
    """Draw different numbers from 1 to 10^12 - 1."""
    rng = np.random.default_rng(seed)
    numbers = {}
    while len(numbers) < count:
        digits = rng.integers(0, 10, size=rng.integers(1, 13))
        if rng.random() < 0.3:
            digits = digits * rng.integers(0, 2, size=len(digits))
        digits[0] = rng.integers(1, 10)
        numbers[int("".join(map(str, digits)))] = True
    return list(numbers)


def to_pairs(numbers):
    """Return source ids (count, SOURCE_LEN) and target ids (count, TARGET_LEN) between <bos> and <eos>."""
    source = np.zeros((len(numbers), SOURCE_LEN), dtype="int32")
    target = np.zeros((len(numbers), TARGET_LEN), dtype="int32")
    for row, number in enumerate(numbers):
        syllables, words = read_in_korean(number), ["<bos>", *read_in_english(number), "<eos>"]
        source[row, : len(syllables)] = [IDS[syllable] for syllable in syllables]
        target[row, : len(words)] = [IDS[word] for word in words]
    return source, target


def to_text(ids):
    """Return the tokens of one row up to <eos>, without <bos> and padding, joined by spaces."""
    tokens = [TOKENS[int(i)] for i in ids]
    tokens = tokens[: tokens.index("<eos>")] if "<eos>" in tokens else tokens
    return " ".join(token for token in tokens if token not in ("<bos>", "<pad>"))


for number in (321, 10_000, 120_000, 100_000_000, 1_000_010_000):
    print(f"{number:>14,d}  {' '.join(read_in_korean(number)):14s}  {' '.join(read_in_english(number))}")

# %% [markdown]
# ## Your Transformer
#
# Paste `build_transformer` of notebook 06 into the next cell, with everything that it needs from 04 and 05 (classes and
# functions, but no imports of files). It carries no points, and if something is wrong with it, task 6 is tried once more
# with a right one. The interface is
#
# > `build_transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True,
# > tie_weights=False)`: a `keras.Model` from `[source_ids, target_ids]` to logits `(batch, target_len, vocab_size)`.


# %% carry_over=true
def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    """Build the Transformer of notebook 06.

    Args:
        vocab_size: tokens of the one vocabulary; id 0 is padding.
        max_len: positions of the longest sequence.
        num_layers: encoder blocks, and as many decoder blocks.
        d_model, num_heads, ff_dim, dropout, norm_first: of the blocks.
        tie_weights: share one embedding matrix between source, target and output.

    Returns:
        keras.Model: [source_ids (batch, source_len), target_ids (batch, target_len)] -> logits (batch, target_len,
        vocab_size).
    """
    ### BEGIN SOLUTION
    angles = np.arange(max_len)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(max_len, d_model).astype("float32")

    class Positions(keras.layers.Layer):
        def call(self, x):
            return x * d_model**0.5 + ops.cast(ops.convert_to_tensor(table)[: ops.shape(x)[1]], x.dtype)

    class TiedOutput(keras.layers.Layer):
        def call(self, x):
            return ops.matmul(x, ops.transpose(ops.cast(target_embedding.embeddings, x.dtype)))

    class NotPadding(keras.layers.Layer):
        def call(self, ids):
            return ops.not_equal(ids, 0)[:, None, :]

    def embedding():
        initializer = keras.initializers.RandomNormal(stddev=d_model**-0.5)
        return keras.layers.Embedding(vocab_size, d_model, embeddings_initializer=initializer)

    def norm(x):
        return keras.layers.LayerNormalization(epsilon=1e-6)(x)

    def dropped(x):
        return keras.layers.Dropout(dropout)(x) if dropout else x

    def residual(x, sublayer):
        if norm_first:
            return keras.layers.Add()([x, dropped(sublayer(norm(x)))])
        return norm(keras.layers.Add()([x, dropped(sublayer(x))]))

    def attention(mask, memory=None, causal=False):
        layer = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)

        def attend(x):
            return layer(x, x if memory is None else memory, attention_mask=mask, use_causal_mask=causal)

        return attend

    def feed_forward(x):
        return keras.layers.Dense(d_model)(dropped(keras.layers.Dense(ff_dim, activation="relu")(x)))

    source_ids, target_ids = (keras.Input((None,), dtype="int32", name=name) for name in ("source_ids", "target_ids"))
    source_mask, target_mask = NotPadding()(source_ids), NotPadding()(target_ids)
    target_embedding = embedding()
    source_embedding = target_embedding if tie_weights else embedding()

    x = dropped(Positions()(source_embedding(source_ids)))
    for _ in range(num_layers):
        x = residual(x, attention(source_mask))
        x = residual(x, feed_forward)
    memory = norm(x) if norm_first else x

    y = dropped(Positions()(target_embedding(target_ids)))
    for _ in range(num_layers):
        y = residual(y, attention(target_mask, causal=True))
        y = residual(y, attention(source_mask, memory))
        y = residual(y, feed_forward)
    y = norm(y) if norm_first else y
    logits = TiedOutput()(y) if tie_weights else keras.layers.Dense(vocab_size, dtype="float32")(y)
    return keras.Model([source_ids, target_ids], logits)
    ### END SOLUTION


# %%
example = build_transformer(len(TOKENS), MAX_LEN, num_layers=2, d_model=64, num_heads=4, ff_dim=128, dropout=0.0)
example_source, example_target = to_pairs([321, 120_000])
print(f"{example.count_params():,} parameters, logits {tuple(example([example_source, example_target]).shape)}")

# %% [markdown]
# ## Task 1: the learning rate (3 points)
#
# At the start the weights are random, and Adam's estimates of the gradients' size rest on few updates. A full step now can
# throw the model to where it doesn't come back from. So the learning rate begins small, rises for `warmup_steps` updates,
# and then falls. The paper's schedule (Vaswani et al. 2017, section 5.3, equation 3):
#
# $$\text{rate}(n) = \frac{1}{\sqrt{d_\text{model}}} \cdot \min\left(\frac{1}{\sqrt{n}},\; \frac{n}{w^{1.5}}\right),
# \qquad n = 1, 2, 3, \dots \text{ the number of the update}, \quad w = \texttt{warmup\_steps}$$
#
# The two terms meet at $n = w$, where the rate is highest: $1 / \sqrt{d_\text{model} \, w}$.
#
# Mind the counting. Keras calls a schedule with `step = 0` for the **first** update, so $n = \text{step} + 1$. With $n = 0$
# the first update would learn nothing (and $1/\sqrt{0}$ is infinite). `step` may be a Python number or a whole-number tensor.


# %% task="warmup-schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    """The learning rate of the paper: rises evenly, then falls with the root of the update's number."""

    def __init__(self, d_model, warmup_steps=4000):
        """Keep the sizes.

        Args:
            d_model: width of the model.
            warmup_steps: number of updates for which the rate rises.
        """
        ### BEGIN SOLUTION
        self.d_model = d_model
        self.warmup_steps = warmup_steps
        ### END SOLUTION

    def __call__(self, step):
        """Return the learning rate of one update.

        Args:
            step: number of updates before this one: 0 for the first.

        Returns:
            The learning rate, one number.
        """
        ### BEGIN SOLUTION
        number = ops.cast(step, "float32") + 1.0
        return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)
        ### END SOLUTION

    def get_config(self):
        ### BEGIN SOLUTION
        return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
        ### END SOLUTION


# %% grade="warmup-schedule" points=3
with checking("WarmupSchedule") as check:
    schedule = WarmupSchedule(64, warmup_steps=100)
    peak = (64 * 100) ** -0.5
    rates = np.array([float(to_numpy(schedule(step))) for step in (0, 49, 99, 399)])
    check.true(rates[0] > 0, "the first update learns", "the first update (step 0) has the rate 0: count from 1.")
    relative = np.array([0.01, 0.5, 1.0, 0.5])
    check.close(
        rates / peak,
        relative,
        "the rates of updates 1, 50, 100 and 400, relative to the highest",
        hints={
            "the factor with d_model is missing.": 8 * relative,
            "the larger of the two terms is taken. It is the smaller one.": [10.0, 2**0.5, 1.0, 4.0],
            "the step is counted from 0. Keras's step 0 is the first update.": [0.0, 0.49, 0.99, 0.5006],
        },
    )
check

# %%
updates = np.arange(0, 20_000, 40)
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.4), layout="constrained")
for d_model, warmup in ((512, 4000), (512, 8000), (256, 4000)):
    schedule = WarmupSchedule(d_model, warmup)
    rates = [float(to_numpy(schedule(int(step)))) for step in updates]
    left.plot(updates, rates, label=f"d_model {d_model}, warm-up {warmup}")
left.set(title="the paper's schedule", xlabel="update", ylabel="learning rate")
left.legend()
updates = np.arange(1256)
for warmup in (300, 4000):
    schedule = WarmupSchedule(64, warmup)
    right.plot(updates, [float(to_numpy(schedule(int(step)))) for step in updates], label=f"the paper's, warm-up {warmup}")
cosine = keras.optimizers.schedules.CosineDecay(0.0, 1131, warmup_target=2e-3, warmup_steps=125)
right.plot(updates, [float(to_numpy(cosine(int(step)))) for step in updates], label="warm-up, then half a cosine")
right.set(title="schedules for our 1256 updates", xlabel="update", ylabel="learning rate", yscale="log", ylim=(1e-7, 2e-2))
right.legend(loc="lower center")
plt.show()

# %% [markdown]
# > **Does this hold?** *"The warm-up is 4000 steps, as in the paper."*
# >
# > It doesn't hold for a training of a thousand updates: it would end inside the warm-up, before the rate was ever high. After
# > 942 updates on our task
# > the share of held-out numbers that come out wholly right was 0.950 with a warm-up of 4000, 0.971 to 0.986 with 300, and
# > 1.000 with a short warm-up followed by half a cosine down to 0. A warm-up is a share of the training (about 10 %), not a
# > number to be copied.
#
# ## Task 2: teacher forcing (2 points)
#
# The decoder writes one word after another. In training we don't wait for its words: at every position it gets the *right*
# earlier words, whatever it would have said, and is asked for the next one. All positions are trained at once; the look-ahead
# mask keeps each from seeing its answer. From one row of target ids come two:
#
# | | | | | | | |
# |---|---|---|---|---|---|---|
# | target | `<bos>` | three | hundred | one | `<eos>` | `<pad>` |
# | decoder input | `<bos>` | three | hundred | one | `<eos>` | |
# | labels | three | hundred | one | `<eos>` | `<pad>` | |
#
# Same rows, one step apart. In the decoder's input the last column is left out, in the labels the first one.


# %% task="teacher-forcing"
def teacher_forcing_pairs(target_ids):
    """Split target ids into what the decoder reads and what it is asked for.

    Args:
        target_ids: (batch, len), each row beginning with BOS.

    Returns:
        decoder_input (batch, len - 1), labels (batch, len - 1).
    """
    ### BEGIN SOLUTION
    return target_ids[:, :-1], target_ids[:, 1:]
    ### END SOLUTION


# %% grade="teacher-forcing" points=2
with checking("teacher_forcing_pairs") as check:
    ids = np.array([[1, 7, 8, 9, 2, 0], [1, 5, 2, 0, 0, 0]])
    pair = teacher_forcing_pairs(ids)
    check.true(
        isinstance(pair, (tuple, list)) and len(pair) == 2, "two results", "it should return (decoder_input, labels)."
    )
    check.shape(pair[0], (2, 5), "decoder_input (batch, len - 1)")
    check.shape(pair[1], (2, 5), "labels (batch, len - 1)")
    check.close(
        pair[0], ids[:, :5], "the decoder's input", hints={"these are the labels: BOS is cut off here.": ids[:, 1:]}
    )
    check.close(
        pair[1],
        ids[:, 1:],
        "the labels",
        hints={"label and input are the same: the model would only have to copy.": ids[:, :5]},
    )
check

# %%
shown = to_pairs([321, 7, 14_000, 900_001])[1][:, :9]
reads, asked = (to_numpy(part) for part in teacher_forcing_pairs(shown))
figure, axes = plt.subplots(1, 2, figsize=(13, 2.8), layout="constrained")
for ax, part, title in ((axes[0], reads, "the decoder reads"), (axes[1], asked, "and is asked for")):
    colours = np.where(part == PAD, 0, np.where(part <= UNK, 1, 2))
    ax.imshow(colours, cmap=plt.matplotlib.colors.ListedColormap(["#3d4a5c", "#e8c07d", "#f4efe4"]), vmin=0, vmax=2, aspect="auto")
    for (i, j), number in np.ndenumerate(part):
        ax.text(j, i, TOKENS[number], ha="center", va="center", fontsize=7, color="white" if number == PAD else "black")
    ax.set(title=title, xlabel="position", xticks=range(part.shape[1]), yticks=[])
plt.show()

# %% [markdown]
# > **Does this hold?** *"The model got 100 % of the words right in training, so it can translate."*
# >
# > It doesn't hold. With labels that aren't shifted the decoder is asked for the very word that it reads. It learns to copy,
# > quickly and perfectly: all words right in training, and not one number right when it has to speak by itself. The table at
# > the end of this notebook has more such mistakes.
#
# ## Task 3: the loss (4 points)
#
# At each position the model gives logits $z_1, \dots, z_V$ for the $V$ tokens of the vocabulary. The cross-entropy with the
# label $y$ is
#
# $$\ell = -\log \frac{e^{z_y}}{\sum_v e^{z_v}} = \log \sum_v e^{z_v} - z_y.$$
#
# **Padding.** Most targets are shorter than the longest one. Positions whose label is padding have nothing to learn from and
# are left out: the loss is the sum over the others, divided by *their* number. Not by the number of all positions, and not
# row by row: every word counts the same, whether its sentence is long or short. If there is nothing but padding, the loss is 0.
#
# **Label smoothing** (Szegedy et al. 2016; Vaswani et al. 2017 use $\varepsilon = 0.1$). Instead of all the probability on
# the label, the target spreads a share $\varepsilon$ evenly over the *whole* vocabulary, the label included:
#
# $$q_v = (1 - \varepsilon)\,[v = y] + \frac{\varepsilon}{V}, \qquad
# \ell = -\sum_v q_v \log p_v = (1 - \varepsilon)\,(-\log p_y) + \varepsilon \cdot \frac{1}{V}\sum_v (-\log p_v).$$
#
# **Large logits.** $e^{1000}$ is infinite in float32. Work with the *logarithm* of the softmax as one function
# (`ops.log_softmax`), or with a ready-made loss that is told that it gets logits.
#
# Keras hands labels to a loss as floats. Turn them into whole numbers before you pick with them.


# %% task="masked-loss"
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    """Average the cross-entropy over the positions that are not padding.

    Args:
        labels: (batch, len), token ids.
        logits: (batch, len, vocab_size).
        label_smoothing: share of the target that is spread evenly over the vocabulary.
        pad_id: label of padding.

    Returns:
        One number; 0 if everything is padding.
    """
    ### BEGIN SOLUTION
    labels = ops.cast(labels, "int32")
    log_probabilities = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
    of_label = ops.take_along_axis(log_probabilities, labels[..., None], axis=-1)[..., 0]
    losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_probabilities, axis=-1)
    kept = ops.cast(ops.not_equal(labels, pad_id), "float32")
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
    ### END SOLUTION


# %% grade="masked-loss" points=4
with checking("masked_loss") as check:
    labels = np.array([[1, 2, 0], [3, 0, 0]])
    logits = np.log(np.array([[[1, 5, 2, 2], [1, 1, 4, 4], [7, 1, 1, 1]], [[2, 3, 4, 1], [1, 1, 1, 7], [1, 7, 1, 1]]]) / 10.0)
    each = -np.log([0.5, 0.4, 0.7, 0.1, 0.1, 0.1])
    check.shape(masked_loss(labels, logits), (), "one number")
    check.close(
        masked_loss(labels, logits),
        (each[0] + each[1] + each[3]) / 3,
        "the loss of three words and three paddings",
        hints={
            "the padding is counted.": each.mean(),
            "it is divided by the number of all positions: only those that count may count.": each[[0, 1, 3]].sum() / 6,
            "each row is averaged by itself: every word counts the same.": ((each[0] + each[1]) / 2 + each[3]) / 2,
            "this is the sum; the mean is asked for.": each[[0, 1, 3]].sum(),
            "the sign is wrong: a loss is positive.": -each[[0, 1, 3]].mean(),
        },
    )
    one_label, one_row = np.array([[1]]), logits[:1, :1]
    spread = -np.log([0.1, 0.5, 0.2, 0.2])
    check.close(
        masked_loss(one_label, one_row, label_smoothing=0.2),
        0.8 * spread[1] + 0.2 * spread.mean(),
        "label smoothing",
        hints={
            "`label_smoothing` changes nothing.": spread[1],
            "the share is spread over the other tokens only. The label gets its part too.": 0.8 * spread[1]
            + 0.2 * spread[[0, 2, 3]].mean(),
        },
    )
    check.close(masked_loss(np.array([[1]]), np.array([[[2000.0, 1000.0]]])), 1000.0, "logits in the thousands")
check

# %%
sharp = np.zeros(12)
sharp[4] = 1
figure, axes = plt.subplots(1, 3, figsize=(12, 3), layout="constrained")
for ax, smoothing in zip(axes[:2], (0.0, 0.2), strict=True):
    ax.bar(range(12), (1 - smoothing) * sharp + smoothing / 12, color="#8a6d3b")
    ax.set(title=f"target, smoothing {smoothing:g}", xlabel="token", ylim=(0, 1.05))
confidence = np.linspace(-2, 14, 120)
for smoothing in (0.0, 0.1, 0.2):
    losses = [float(to_numpy(masked_loss(np.array([[4]]), (sharp * z)[None, None], smoothing))) for z in confidence]
    axes[2].plot(confidence, losses, label=f"smoothing {smoothing:g}")
axes[2].set(title="loss, as the label's logit grows", xlabel="how far the label's logit is above the others")
axes[2].legend()
plt.show()

# %% [markdown]
# Without smoothing, more certainty is always better. With smoothing there is a point beyond which it costs.
#
# > **Does this hold?** *"Label smoothing means using the model's own probabilities as the target."* A blog says so.
# >
# > It doesn't hold: the target is mixed with the **uniform** distribution, which knows nothing of the model. With the model's
# > own probabilities the second term would be its entropy, and the loss would *reward* certainty even more.
#
# ## Task 4: the accuracy (2 points)
#
# The loss is hard to read. How many words are right? A word is right if its logit is the largest; padding counts neither as
# right nor as wrong.


# %% task="masked-accuracy"
def masked_accuracy(labels, logits, pad_id=0):
    """Return the share of right tokens among those that are not padding.

    Args:
        labels: (batch, len), token ids.
        logits: (batch, len, vocab_size).
        pad_id: label of padding.

    Returns:
        One number from 0 to 1; 0 if everything is padding.
    """
    ### BEGIN SOLUTION
    labels = ops.cast(labels, "int32")
    right = ops.cast(ops.equal(ops.cast(ops.argmax(logits, axis=-1), "int32"), labels), "float32")
    kept = ops.cast(ops.not_equal(labels, pad_id), "float32")
    return ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
    ### END SOLUTION


# %% grade="masked-accuracy" points=2
with checking("masked_accuracy") as check:
    labels = np.array([[1, 2, 3, 0], [3, 1, 0, 0]])
    said = np.array([[1, 2, 1, 0], [3, 2, 0, 1]])
    check.shape(masked_accuracy(labels, np.eye(4)[said]), (), "one number")
    check.close(
        masked_accuracy(labels, np.eye(4)[said]),
        3 / 5,
        "three of five words",
        hints={
            "the padding is counted.": 5 / 8,
            "it is divided by the number of all positions.": 3 / 8,
            "this is the share of rows that are wholly right.": 0.0,
            "each row is averaged by itself: every word counts the same.": (2 / 3 + 1 / 2) / 2,
        },
    )
check

# %%
rng = np.random.default_rng(3)
lengths = rng.integers(2, 20, 200)
padded_labels = np.where(np.arange(20) < lengths[:, None], rng.integers(4, 49, (200, 20)), PAD)
figure, ax = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
shares = np.linspace(0, 1, 11)
for name, padding_right in (("padding left out", None), ("padding counted as right", True)):
    drawn = []
    for share in shares:
        said = np.where((rng.random(padded_labels.shape) < share) | (padded_labels == PAD), padded_labels, 1)
        one_hot = np.eye(49, dtype="float32")[said]
        drawn.append((said == padded_labels).mean() if padding_right else float(to_numpy(masked_accuracy(padded_labels, one_hot))))
    ax.plot(shares, drawn, marker="o", label=name)
ax.set(xlabel="share of words that are right", ylabel="accuracy", title="counted padding flatters")
ax.legend()
plt.show()

# %% [markdown]
# ## Task 5: greedy decoding (4 points)
#
# Now the model speaks. Nobody gives it the earlier words any more; it gets its own.
#
# 1. Every row begins with BOS.
# 2. Give the model the sources and *all* ids so far. Look at the logits of the **last** position.
# 3. The likeliest token of each row is appended.
# 4. A row that has said EOS has ended: from then on it gets padding (0), whatever the model says. Its EOS stays.
# 5. Stop as soon as every row has ended, or when the rows have `max_len` ids, BOS included.
#
# `model` is any callable: `model([source_ids, target_ids])` gives logits `(batch, target_len, vocab_size)`. The example in the
# public check is not a Transformer at all.


# %% task="greedy-decode"
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    """Let a model write, always taking the likeliest token.

    Args:
        model: a callable, `model([source_ids, target_ids])` -> logits (batch, target_len, vocab_size). The logits at a
            position don't depend on later target ids.
        source_ids: (batch, source_len).
        bos_id: first id of every row.
        eos_id: ends a row.
        max_len: number of ids, BOS included, at which rows end in any case.

    Returns:
        Ids (batch, at most max_len): BOS, tokens, EOS, then 0.
    """
    ### BEGIN SOLUTION
    batch = len(source_ids)
    ids = np.full((batch, 1), bos_id, dtype="int32")
    has_ended = np.zeros(batch, dtype=bool)
    while ids.shape[1] < max_len and not has_ended.all():
        logits = to_numpy(model([source_ids, ids]))[:, -1]
        following = np.where(has_ended, 0, logits.argmax(axis=-1)).astype("int32")
        ids = np.concatenate([ids, following[:, None]], axis=1)
        has_ended |= following == eos_id
    return ids
    ### END SOLUTION


# %% grade="greedy-decode" points=4
def countdown(inputs, training=None):
    """A model that counts down from the source's first id to 10, then says EOS."""
    source_ids, target_ids = (to_numpy(ids).astype(int) for ids in inputs)
    following = np.where(target_ids == BOS, source_ids[:, :1], np.where(target_ids > 10, target_ids - 1, EOS))
    return ops.convert_to_tensor(np.eye(20, dtype="float32")[following])


with checking("greedy_decode") as check:
    said = to_numpy(greedy_decode(countdown, np.array([[12, 0], [10, 0]]), BOS, EOS, 9))
    check.true(said.ndim == 2 and len(said) == 2, "ids (batch, n)", f"the shape is {said.shape}, but (batch, n) is (2, n).")
    check.true(bool((said[:, 0] == BOS).all()), "rows begin with BOS", "each row begins with BOS.")
    check.true(said.shape[1] <= 9, "at most max_len ids", "there are more than max_len ids.")
    check.true(said.shape[1] >= 5, "the longer row ends", "the longer row (12, 11, 10) is cut off: stop when *every* row has ended.")
    check.close(said[0, :5], [1, 12, 11, 10, 2], "a row that counts from 12 to 10")
    check.close(
        said[1, :5],
        [1, 10, 2, 0, 0],
        "a row that ends earlier: EOS, then padding",
        hints={"after EOS there should be padding (0).": [1, 10, 2, 2, 2]},
    )
    check.true(not said[:, 5:].any(), "nothing after the end", "after EOS only padding (0) may follow.")
    long = to_numpy(greedy_decode(countdown, np.array([[19, 0]]), BOS, EOS, 6))
    check.shape(long, (1, 6), "(batch, max_len)")
check

# %% [markdown]
# A picture of a decoding: a made-up model of 14 tokens, whose logits are drawn at random once. Each column is one step; the
# brightest token is taken and fed back.

# %%
rng = np.random.default_rng(106)
after = rng.normal(size=(14, 14)) * 2
after[:, [PAD, BOS]] = -6
after[:, EOS] = -4
after[9, EOS] = 5  # 9 is its last word


def memoryless(inputs, training=None):
    return ops.convert_to_tensor(after[to_numpy(inputs[1]).astype(int)].astype("float32"))


said = to_numpy(greedy_decode(memoryless, np.array([[5]]), BOS, EOS, 12))[0].astype(int)
columns = after[said[:-1]].T
shares = np.exp(columns - columns.max(axis=0)) / np.exp(columns - columns.max(axis=0)).sum(axis=0)
figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
image = ax.imshow(shares, cmap="YlOrBr", vmin=0, vmax=1, aspect="auto")
ax.plot(range(len(said) - 1), said[1:], "o", mfc="none", mec="black", ms=13)
ax.set(title=f"greedy path: {' '.join(map(str, said))}", xlabel="step", ylabel="token", xticks=range(len(said) - 1))
ax.set_yticks(range(14), ["<pad>", "<bos>", "<eos>", *map(str, range(3, 14))])
figure.colorbar(image, ax=ax, label="probability")
plt.show()

# %% [markdown]
# ## Task 6: training (5 points)
#
# All together. `train` gets pairs of ids and returns a trained Keras model, which takes `[source_ids, target_ids]` and gives
# logits. What works here, measured on two processor cores:
#
# | | |
# |---|---|
# | model | 2 + 2 blocks, `d_model` 64, 4 heads, `ff_dim` 128, no dropout |
# | optimizer | Adam, `beta_2` 0.98, `epsilon` 1e-9 |
# | learning rate | up to 2e-3 over the first 10 % of the updates, then half a cosine down to 0 |
# | length | 8 epochs in batches of 128 (with 6, one number in a hundred is wrong) |
#
# You may do otherwise. What counts is what comes out:
#
# > **Grading.** `train` is called with 20 000 pairs that you have not seen, made as above (same vocabulary, other numbers). It
# > may take **5 minutes on two processor cores**. Then 500 held-out numbers are decoded greedily. The share that comes out
# > wholly right gives the points: 0.50 → 1, 0.80 → 2, 0.90 → 3, 0.95 → 4, 0.98 → 5.
# >
# > **Weights handed in.** You may train on a faster machine and hand in the result: put the file `training.weights.h5` beside
# > the notebook (the cell below writes it) and let `train` load it instead of fitting:
# > `model.load_weights("training.weights.h5")`. The vocabulary is the same, so the weights fit. The file must be smaller than
# > 20 MB.
#
# In `model.fit`, `callbacks=[Progress()]` draws a progress bar and keeps the curves; `verbose=0` silences Keras's own.
# Give your loss and accuracy to `compile`: `loss=masked_loss, metrics=[masked_accuracy]`.


# %% task="trained-model"
def train(train_source, train_target, vocab_size, max_len, seed):
    """Train a Transformer to translate.

    Args:
        train_source: (count, source_len), token ids of Korean numbers, padded with 0.
        train_target: (count, len), BOS, ids of English words, EOS, padded with 0.
        vocab_size: size of the one vocabulary.
        max_len: at least the length of the longest sequence.
        seed: for what is random.

    Returns:
        The trained keras.Model: [source_ids, target_ids] -> logits (batch, target_len, vocab_size).
    """
    ### BEGIN SOLUTION
    keras.utils.set_random_seed(seed)
    model = build_transformer(vocab_size, max_len, num_layers=2, d_model=64, num_heads=4, ff_dim=128, dropout=0.0)
    epochs, batch_size = 8, 128
    updates = epochs * -(-len(train_source) // batch_size)
    warmup = updates // 10
    rate = keras.optimizers.schedules.CosineDecay(0.0, updates - warmup, warmup_target=2e-3, warmup_steps=warmup)
    optimizer = keras.optimizers.Adam(rate, beta_2=0.98, epsilon=1e-9)
    model.compile(optimizer, loss=masked_loss, metrics=[masked_accuracy])
    decoder_input, labels = teacher_forcing_pairs(train_target)
    model.fit(
        [train_source, decoder_input],
        labels,
        batch_size=batch_size,
        epochs=epochs,
        callbacks=[Progress()],
        verbose=0,
    )
    return model
    ### END SOLUTION


# %% [markdown]
# The next cell draws 21 000 numbers, trains on 20 000 and keeps the last 1000 for the test. On two processor cores it takes
# about two minutes. It writes the weights to `training.weights.h5`.

# %%
trained = None
if not BEING_GRADED:
    numbers = draw_numbers(21_000, seed=2017)
    source, target = to_pairs(numbers)
    test_numbers, test_source, test_target = numbers[20_000:], source[20_000:], target[20_000:]
    keras.config.set_dtype_policy(precision)
    trained = train(source[:20_000], target[:20_000], len(TOKENS), MAX_LEN, seed=1)
    keras.config.set_dtype_policy("float32")
    trained.save_weights("training.weights.h5")

# %% grade="trained-model" points=5
with checking("train") as check:
    if BEING_GRADED:
        check.true(callable(train), "train is there", "train is not a function.")
    else:
        check.true(trained is not None, "a model", "run the cell above first; it returned None.")
        check.true(isinstance(trained, keras.Model), "a Keras model", "train should return the trained Keras model.")
        said = to_numpy(greedy_decode(trained, test_source[:200], BOS, EOS, TARGET_LEN))
        exact = np.mean([to_text(row) == to_text(right) for row, right in zip(said, test_target, strict=False)])
        check.true(exact >= 0.5, f"{exact:.1%} of 200 held-out numbers", f"only {exact:.1%} of 200 held-out numbers are right.")
check

# %% [markdown]
# ### How it learnt
#
# Loss and accuracy of every update. Both look at words with the right earlier words given; the accuracy is close to 1 long
# before whole numbers come out right.

# %%
if trained is not None and Progress.latest is not None:
    curves = (("loss", Progress.each(Progress.latest.loss)), ("accuracy", Progress.each(Progress.latest.accuracy)))
    figure, axes = plt.subplots(1, 2, figsize=(11, 3.4), layout="constrained")
    for ax, (name, values) in zip(axes, curves, strict=True):
        smooth = np.convolve(values, np.ones(15) / 15, mode="valid")
        ax.plot(values, color="#d9c8a9", linewidth=0.8, label="one update")
        ax.plot(np.arange(len(smooth)) + 7, smooth, color="#8a4b08", label="mean of 15")
        ax.set(title=name, xlabel="update", yscale="log" if name == "loss" else "linear")
        ax.legend()
    plt.show()

# %%
if trained is not None:
    said = to_numpy(greedy_decode(trained, test_source, BOS, EOS, TARGET_LEN))
    said = np.pad(said, ((0, 0), (0, TARGET_LEN - said.shape[1])))
    is_right = np.array([to_text(row) == to_text(right) for row, right in zip(said, test_target, strict=True)])
    digit_count = np.array([len(str(number)) for number in test_numbers])
    print(f"{is_right.mean():.1%} of {len(is_right)} held-out numbers are wholly right.")
    for row in [*np.flatnonzero(~is_right)[:4], *np.flatnonzero(is_right)[:4]]:
        mark = "✓" if is_right[row] else "✗"
        print(f"{mark} {test_numbers[row]:>15,d}  {to_text(test_source[row])}  ->  {to_text(said[row])}")
    figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
    ax.bar(range(1, 13), [is_right[digit_count == n].mean() if (digit_count == n).any() else np.nan for n in range(1, 13)], color="#8a6d3b")
    ax.set(xlabel="digits", ylabel="share wholly right", title="held-out numbers", ylim=(0, 1.05), xticks=range(1, 13))
    plt.show()

# %% [markdown]
# ### Where the decoder looks
#
# In each cross-attention layer every English word distributes a weight of 1 over the Korean syllables. The next cell reads
# these weights off a trained model, if it is made of layers that can return them
# (`return_attention_scores=True`: Keras's layer and yours from notebook 03). *One hundred twenty thousand* has to look at 십,
# 이 and 만.

# %% locked="attention-maps"
HANGUL_FONTS = ("Noto Sans CJK KR", "Noto Sans KR", "NanumGothic", "Nanum Gothic", "Malgun Gothic", "AppleGothic")
HANGUL_FONTS += ("Apple SD Gothic Neo", "NanumBarunGothic", "UnDotum", "Baekmuk Gulim", "Noto Sans CJK JP", "Unifont")


def find_hangul_font():
    """Return the name of an installed font that has Hangul, or None."""
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in HANGUL_FONTS if name in installed), None)


def syllable_labels(ids):
    """Return labels for a row of source ids: Hangul with its romanisation, or the romanisation alone without a font."""
    syllables = [TOKENS[int(i)] for i in ids if i != PAD]
    if find_hangul_font() is None:
        return [ROMANISED[syllable] for syllable in syllables]
    return [f"{syllable}\n{ROMANISED[syllable]}" for syllable in syllables]


def all_layers(layer):
    """Return a layer and all layers inside it."""
    inner = getattr(layer, "_flatten_layers", None)
    return list(inner()) if inner else [layer]


def cross_attention_maps(model, source_ids, target_ids):
    """Return the weights of every cross-attention: arrays (batch, num_heads, target_len, source_len), in order.

    For the time of one call, every layer that can return its attention weights is made to, and they are kept.
    """
    maps, replaced = [], []
    shape = (target_ids.shape[1], source_ids.shape[1])

    def listening(call):
        def listen(self, *args, **kwargs):
            wants = kwargs.pop("return_attention_scores", False)
            output, weights = call(self, *args, return_attention_scores=True, **kwargs)
            if tuple(weights.shape[-2:]) == shape:
                maps.append(to_numpy(weights).astype("float32"))
            return (output, weights) if wants else output

        return listen

    kinds = {type(layer) for layer in all_layers(model)}
    try:
        for kind in kinds:
            if "return_attention_scores" in kind.call.__code__.co_varnames and kind is not type(model):
                replaced.append((kind, kind.call))
                kind.call = listening(kind.call)
        model([source_ids, target_ids])
    finally:
        for kind, call in replaced:
            kind.call = call
    return maps


# %%
if trained is not None:
    chosen_source, chosen_target = to_pairs([120_305])
    width = int((chosen_source != PAD).sum())
    chosen_source, chosen_target = chosen_source[:, :width], chosen_target[:, : int((chosen_target != PAD).sum())]
    reads, asked = (to_numpy(part) for part in teacher_forcing_pairs(chosen_target))
    maps = cross_attention_maps(trained, chosen_source, reads)
    font = find_hangul_font()
    with plt.rc_context({"font.family": [font, "DejaVu Sans"] if font else ["DejaVu Sans"]}):
        if maps:
            figure, axes = plt.subplots(len(maps), maps[0].shape[1], figsize=(14, 3.4 * len(maps)), layout="constrained", squeeze=False)
            for (layer, head), ax in np.ndenumerate(axes):
                image = ax.imshow(maps[layer][0, head], cmap="YlOrBr", vmin=0, vmax=1, aspect="auto")
                ax.set_title(f"block {layer + 1}, head {head + 1}", fontsize=9)
                ax.set_xticks(range(width), syllable_labels(chosen_source[0]), fontsize=8)
                ax.set_yticks(range(reads.shape[1]), [TOKENS[i] for i in asked[0]] if head == 0 else [], fontsize=8)
            axes[0, 0].set_ylabel("word to be written")
            figure.colorbar(image, ax=axes, label="attention weight", shrink=0.7)
            plt.show()
        else:
            print("None of this model's layers returns its attention weights.")

# %% [markdown]
# > **Does this hold?** *"The map shows why the model says what it says."*
# >
# > Only in part. A syllable's position in the encoder has already attended to the other syllables: what is read at 만 is not
# > only 만. Some heads look at a syllable that has nothing to do with the word, because there is nothing to fetch. A map shows
# > where something was fetched, not what.
#
# ## What training doesn't show
#
# You watched the loss and the accuracy *with the right earlier words given*. Here are mistakes that we put into the model or
# the training on purpose. Each row was trained to the end as above; the share of held-out numbers that are wholly right:
#
# | mistake | right words given | its own words | what finds it |
# |---|---|---|---|
# | none | 1.000 | 1.000 | |
# | no look-ahead mask | 1.000 | **0.000** | decoding; the leak test of notebook 04 |
# | look-ahead mask upside down | 1.000 | **0.000** | decoding; the leak test |
# | mask lets one later step through | 1.000 | **0.740** | decoding; the leak test |
# | target not shifted | 1.000 | **0.000** | decoding |
# | no positions | 0.065 | 0.065 | everything |
# | padding mask upside down | 0.000 | 0.000 | everything |
# | no padding mask | 1.000 | 1.000, **0.867** if padded further | padding the source further |
# | no feed-forward layer in the decoder | 0.999 | 0.999 | counting parameters, comparing values |
# | scores not scaled, or scaled by d_model | 0.999 | 0.999 | comparing values |
# | loss counts the padding | 1.000 | 1.000 | comparing values |
#
# Look at the column that you watch in training. Nine of eleven rows say that all is well. Half of those models can't
# translate a single number, and the others are right for a reason that ends when the task gets harder. So test the parts, as
# you did in all these notebooks, and let the model speak before you believe it.
#
# The next cell repeats the rows that live in *this* notebook, with your functions. Set the switch to `True`: it takes about
# three times as long as the training above. (A script of the course, `benchmarks/hidden_mistakes.py`, repeats all rows.)

# %%
RERUN = False  # True: train with each mistake again


def shares_right(model, source, target):
    """Return the shares of rows that are wholly right with the right words given, and on the model's own words."""
    reads, asked = target[:, :-1], target[:, 1:]
    given = to_numpy(model([source, reads])).argmax(axis=-1)
    said = to_numpy(greedy_decode(model, source, BOS, EOS, target.shape[1]))
    said = np.pad(said, ((0, 0), (0, target.shape[1] - said.shape[1])))
    return ((given == asked) | (asked == PAD)).all(axis=1).mean(), (said == target).all(axis=1).mean()


if RERUN and not BEING_GRADED:
    right_pairs, right_loss = teacher_forcing_pairs, masked_loss
    for mistake in ("none", "target not shifted", "loss counts the padding"):
        if mistake == "target not shifted":
            teacher_forcing_pairs = lambda ids: (ids[:, :-1], ids[:, :-1])
        if mistake == "loss counts the padding":
            masked_loss = lambda labels, logits: right_loss(labels, logits, pad_id=-1)
        wrong = train(source[:20_000], target[:20_000], len(TOKENS), MAX_LEN, seed=2)
        teacher_forcing_pairs, masked_loss = right_pairs, right_loss
        given, own = shares_right(wrong, test_source, test_target)
        if mistake == "target not shifted":
            reads = to_numpy(wrong([test_source, test_target[:, :-1]])).argmax(axis=-1)
            kept = test_target[:, :-1] != PAD
            given = ((reads == test_target[:, :-1]) | ~kept).all(axis=1).mean()  # it is right by its own labels
        print(f"{mistake:26s} right words given {given:.3f}, its own words {own:.3f}")

# %% [markdown]
# One row can be seen without any training: does *your* model mind when the source is padded further? With a padding mask the
# logits stay the same.

# %%
if trained is not None:
    further = np.pad(test_source[:50], ((0, 0), (0, MAX_LEN - test_source.shape[1])))
    reads = test_target[:50, :-1]
    moved = np.abs(to_numpy(trained([further, reads])).astype("float32") - to_numpy(trained([test_source[:50], reads])).astype("float32"))
    print(f"one more column of padding moves the logits by at most {moved.max():.1e}")

# %% [markdown]
# ## What you have now
#
# A Transformer of your own, which reads Korean numbers and writes English words, and the tools to see whether it can:
#
# - a learning rate that warms up and comes down, with the warm-up a share of the training;
# - labels one step ahead of the input, a loss and an accuracy that leave the padding out;
# - a decoder that lives on its own words, which is the only test that counts in the end;
# - a healthy distrust of curves.
#
# **References.** Vaswani et al. 2017, *Attention Is All You Need*, sections 5.3 and 5.4. Szegedy et al. 2016, *Rethinking the
# Inception Architecture for Computer Vision*, section 7 (label smoothing). Williams and Zipser 1989, *A Learning Algorithm for
# Continually Running Fully Recurrent Neural Networks* (teacher forcing). Loshchilov and Hutter 2017, *SGDR* (the cosine).
