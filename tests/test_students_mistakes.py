"""What the public checks say of mistakes that students made or would make: a sentence that helps, never a raw error."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import types
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from parts import wanted_part
from running import run_cell

from autograder.kernels import quick_keras
from autograder.sources.notebooks import SourceCell, read_source

ROOT = Path(__file__).resolve().parent.parent
LOSS = """
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    log_probabilities = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
    of_label = ops.take_along_axis(log_probabilities, labels[..., None], axis=-1)[..., 0]
    spread = label_smoothing * ops.mean(log_probabilities, axis=-1) if label_smoothing else 0.0
    kept = ops.cast(ops.not_equal(labels, pad_id), "float32")
    return ops.sum((-(1 - label_smoothing) * of_label - spread) * kept) / ops.maximum(ops.sum(kept), 1.0)
"""
GREEDY = """
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids, ended = np.full((len(source_ids), 1), bos_id), np.zeros(len(source_ids), bool)
    while ids.shape[1] < max_len and not ended.all():
        said = np.where(ended, 0, to_numpy(model([source_ids, ids]))[:, -1].argmax(-1))
        ids, ended = np.concatenate([ids, said[:, None]], axis=1), ended | (said == eos_id)
    return ids
"""
SCHEDULE = """
class WarmupSchedule(WarmupSchedule):
    def {}
"""
SWAPPED = """
BEING_GRADED = False
%s
def train(train_source, train_target, vocab_size, max_len, seed):
    model = build_transformer(vocab_size, max_len, 1, 8, 2, 16, dropout=0.0)
    model.compile("adam", %s)
    reads, labels = teacher_forcing_pairs(train_target[:32])
    model.fit([reads, train_source[:32]], labels, verbose=0)
"""
# a pre-norm block of the student's own: what `call` does follows
ENCODER = """
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        if not self.norm_first:
            return super().call(x, mask=mask)
"""
DECODER = """
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        if not self.norm_first:
            return super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        n0, n1, n2 = self.norms
        own = self.self_attention(n0(x), n0(x), n0(x), mask=self_mask)
        cross = self.cross_attention(n1(x + own), memory, memory, mask=memory_mask)
        y = STEPS
        return y + self.dropouts[2](self.feed_forward(n2(x + own + cross)))
"""
# a post-norm decoder block of the student's own, with letters for the sublayers' sums
POST_NORM_DECODER = """
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        if self.norm_first:
            return super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        (n0, n1, n2), (d0, d1, d2) = self.norms, self.dropouts
        y = n0(x + d0(self.self_attention(x, x, x, mask=self_mask)))
        z = n1(y + d1(self.cross_attention(y, memory, memory, mask=memory_mask)))
        return n2(z + d2(self.feed_forward(z)))
"""
# learned positions that come from Keras's Embedding, called on what follows
POSITIONS_BY_EMBEDDING = """
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len, self.dim, self.emb = max_len, dim, keras.layers.Embedding(max_len, dim)
        self.emb.build(None)

    def call(self, inputs):
        n = inputs.shape[1]
        if n is not None and n > self.max_len:
            raise ValueError(f"seq_len={n} is more than max_len={self.max_len}")
        return inputs + self.emb(%s)

    def get_config(self):
        return {**super().get_config(), "max_len": self.max_len, "dim": self.dim}
"""
# a pre-norm decoder block in the same letters
PRE_NORM_DECODER = """
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        if not self.norm_first:
            return super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        (n0, n1, n2), (d0, d1, d2) = self.norms, self.dropouts
        n = n0(x)
        y = x + d0(self.self_attention(n, n, n, mask=self_mask))
        z = y + d1(self.cross_attention(n1(y), memory, memory, mask=memory_mask))
        return z + d2(self.feed_forward(n2(z)))
"""
# (assignment, cell of the check, text that runs before it or edits of the solution's cell, words that the check has to say)
Edits = list[tuple[str, str]]
# An attention of the student's own, as it may be carried over from notebook 03.
OWN_ATTENTION = """
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model, self.num_heads, self.head_dim = d_model, num_heads, d_model // num_heads
        self.projections = [keras.layers.Dense(d_model) for _ in range(4)]

    def build(self, *shapes):
        for projection in self.projections:
            projection.build((None, None, self.d_model))

    def call(self, query, key, value, mask=None):
        def heads(dense, x):
            x = dense(x)
            return ops.transpose(ops.reshape(x, (*ops.shape(x)[:2], self.num_heads, self.head_dim)), (0, 2, 1, 3))

        query, key, value = map(heads, self.projections, (query, key, value))
        scores = ops.einsum("bhqd,bhkd->bhqk", query, key) / self.head_dim**0.5
        if mask is not None:
            scores = %(masked)s
        attended = ops.transpose(ops.einsum("bhqk,bhkd->bhqd", %(weights)s, value), (0, 2, 1, 3))
        return self.projections[3](ops.reshape(attended, (*ops.shape(attended)[:2], self.d_model)))
"""
SOFTMAX = "ops.softmax(scores)"
# The line that makes the encoder block's attention, and what stands there for Keras's.
OF_OURS = "self.attention = MultiHeadAttention(d_model, num_heads)"
KERAS_ATTENTION = "self.attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)"
NEGATED = "self.attention(normed, normed, normed, attention_mask=%s)"
UNWRITTEN_ATTENTION = """
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        raise NotImplementedError()


class %s(%s):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        keras.layers.Layer.__init__(self, **kwargs)
        self.attention = MultiHeadAttention(%s)
"""
WIDE_HEADS = """
class EncoderBlock(EncoderBlock):
    def __init__(self, d_model, num_heads, *args):
        super().__init__(d_model, num_heads, *args)
        self.attention = keras.layers.MultiHeadAttention(num_heads, d_model)
class DecoderBlock(DecoderBlock):
    def __init__(self, d_model, num_heads, *args):
        super().__init__(d_model, num_heads, *args)
        self.self_attention = keras.layers.MultiHeadAttention(num_heads, d_model)
        self.memory_attention = keras.layers.MultiHeadAttention(num_heads, d_model)
"""
MISTAKES: dict[str, tuple[str, str, str | Edits, list[str]]] = {
    **{
        f"05, {task}: {words}": ("05", f"grade-{task}", edits, [said])
        for task, words, edits, said in (
            (
                "encoder-block",
                "a mask for the network",
                [("self.feed_forward(self.norm_2(x))", "self.feed_forward(self.norm_2(x), mask=mask)")],
                "The layer that is called here takes no `mask`",
            ),
            (
                "decoder-block",
                "a mask for the network",
                [("            self.feed_forward,", "            lambda y: self.feed_forward(y, mask=self_mask),")],
                "The layer that is called here takes no `mask`",
            ),
            (
                "encoder-block",
                "a mask for a normalisation",
                [("self.feed_forward(self.norm_2(x))", "self.feed_forward(self.norm_2(x, mask=mask))")],
                "a normalisation works on each token by itself",
            ),
            (
                "encoder-block",
                "Keras's attention with the mask's name of ours",
                [(OF_OURS, KERAS_ATTENTION)],
                "calls its mask `attention_mask`",
            ),
            (
                "encoder-block",
                "not, without asking for None",
                [
                    (OF_OURS, KERAS_ATTENTION),
                    ("self.attention(normed, normed, normed, mask=mask)", NEGATED % "not mask"),
                ],
                "Python's `not` gives one truth value",
            ),
            (
                "encoder-block",
                "not, where there is a mask",
                [
                    (OF_OURS, KERAS_ATTENTION),
                    (
                        "self.attention(normed, normed, normed, mask=mask)",
                        NEGATED % "None if mask is None else not mask",
                    ),
                    (
                        "return x + self.dropout_2(self.feed_forward(self.norm_2(x)))\n        x = self.norm_1(x + ",
                        "return x + self.dropout_2(self.feed_forward(self.norm_2(x)))\n        mask = None\n        x = self.norm_1(x + ",
                    ),
                    ("self.attention(x, x, x, mask=mask)", "self.attention(x, x, x)"),
                ],
                "Python's `not` gives one truth value",
            ),
            (
                "decoder-block",
                "the memory as the query",
                [
                    (
                        "self.cross_attention(y, memory, memory, mask=memory_mask)",
                        "self.cross_attention(memory, y, y, mask=memory_mask)",
                    )
                ],
                "as if the queries came from the memory",
            ),
            *(
                (
                    f"{kind}-block",
                    "the sizes of the network exchanged",
                    [("FeedForward(ff_dim, d_model, dropout)", "FeedForward(d_model, ff_dim, dropout)")],
                    "`FeedForward` takes ff_dim first, then d_model",
                )
                for kind in ("encoder", "decoder")
            ),
            (
                "feed-forward",
                "its sizes exchanged",
                [
                    ('Dense(ff_dim, activation="relu")', 'Dense(d_model, activation="relu")'),
                    (
                        "self.output_dense = keras.layers.Dense(d_model)",
                        "self.output_dense = keras.layers.Dense(ff_dim)",
                    ),
                ],
                "The first dense layer has ff_dim units, the second d_model.",
            ),
            (
                "encoder-block",
                "a layer without self",
                [("self.feed_forward(self.norm_2(x))", "feed_forward(self.norm_2(x))")],
                "`feed_forward` is an attribute of the object: write `self.feed_forward`.",
            ),
            (
                "encoder-block",
                "a setting without self",
                [("if self.norm_first:", "if norm_first:")],
                "`norm_first` is an attribute of the object: write `self.norm_first`.",
            ),
            (
                "feed-forward",
                "a layer of Keras without its library",
                [("self.output_dense = keras.layers.Dense(", "self.output_dense = Dense(")],
                "If you mean Keras's layer, write `keras.layers.Dense`",
            ),
            *(
                (
                    "encoder-block",
                    f"a normalisation of ({words})",
                    [
                        (
                            "self.norm_1 = keras.layers.LayerNormalization(epsilon=1e-6)",
                            f"self.norm_1 = keras.layers.LayerNormalization({words})",
                        )
                    ],
                    "The first argument of `LayerNormalization` is its axis",
                )
                for words in ("1e-6", "d_model", "d_model, epsilon=1e-6")
            ),
            (
                "layer-norm",
                "a root of Python's own",
                "import math\n"
                "def layer_norm(x, gamma, beta, epsilon=1e-6):\n"
                "    centred = x - ops.mean(x, axis=-1, keepdims=True)\n"
                "    variance = ops.var(x, axis=-1, keepdims=True)\n"
                "    return gamma * centred / math.sqrt(variance + epsilon) + beta\n",
                "such as `ops.sqrt` for `math.sqrt`",
            ),
            *(
                ("block-parameters", f"counted with {wrong}", [(right, wrong)], said)
                for right, wrong, said in (
                    ("+ 2 * norm", "+ 2 * norm - d_model", "12 are missing: one bias of the attention"),
                    ("+ 2 * norm", "+ 2 * norm - 3 * d_model", "36 are missing"),
                    ("+ 2 * norm", "+ 2 * norm - ff_dim", "64 are missing: the bias"),
                    ("+ 2 * norm", "+ 2 * norm - d_model * d_model", "144 are missing: the matrix"),
                    ("norm = 2 * d_model", "norm = 2", "γ and β have `d_model` numbers each"),
                    ("ff_dim + ff_dim * d_model", "d_model + ff_dim * d_model", "52 are missing"),
                    ("ff_dim * d_model + d_model", "ff_dim * d_model + ff_dim", "52 too many"),
                    (
                        "2 * attention + feed_forward + 3 *",
                        "2 * attention + 2 * feed_forward + 4 *",
                        "twice the encoder",
                    ),
                    ("+ 2 * norm", "+ 3 * norm", "24 too many"),
                    ("return attention + feed_forward", "return feed_forward", "the attention is missing"),
                    ("return attention + feed_forward", "return attention", "the feed-forward network is missing"),
                    ("return attention +", "return num_heads * attention +", "was counted for each head"),
                    ("return attention +", "return attention // num_heads +", "one head of the attention was counted"),
                    (
                        "return attention +",
                        "return 3 * (d_model + 1) * num_heads * d_model + (num_heads * d_model + 1) * d_model +",
                        "counted with d_model features each",
                    ),
                    ("+ ff_dim + ff_dim * d_model + d_model", "+ ff_dim", "the second of the feed-forward network's"),
                    ("d_model * ff_dim + ff_dim + ff_dim", "ff_dim", "the first of the feed-forward network's"),
                    ("d_model * ff_dim + ff_dim + ff_dim", "ff_dim + ff_dim", "or its matrix, is missing"),
                    ("feed_forward + 3 * norm", "feed_forward", "all three normalisations are missing"),
                    ("feed_forward + 3 * norm", "feed_forward + norm", "48 are missing: two of the three"),
                    ("2 * attention +", "7 * attention // 4 +", "the second attention has four dense layers too"),
                    ("2 * attention +", "3 * attention +", "624 too many"),
                    ("2 * attention + feed_forward", "2 * attention + 2 * feed_forward", "1612 too many"),
                    ("2 * attention + feed_forward", "2 * attention", "the feed-forward network is missing"),
                    ("norm = 2 * d_model", "norm = 2 * d_model + 4 - num_heads", "is another one than with 4 heads"),
                    ("norm = 2 * d_model", "norm = 24", "does a size stand in yours as a number?"),
                )
            ),
        )
    },
    **{
        f"05, {task}: Keras's arguments for an attention of one's own that isn't written": (
            "05",
            f"grade-{task}-block",
            UNWRITTEN_ATTENTION % (kind, kind, "num_heads=num_heads, key_dim=d_model // num_heads"),
            ["Keras's, which takes `num_heads` and `key_dim`, is `keras.layers.MultiHeadAttention`"],
        )
        for task, kind in (("encoder", "EncoderBlock"), ("decoder", "DecoderBlock"))
    },
    **{
        f"05, {part}: in post-norm dropout on its {words} alone": (
            "05",
            f"grade-{task}",
            [
                (
                    f"self.{name} = MultiHeadAttention(d_model, num_heads)",
                    f"self._{name} = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout={weights})\n"
                    f"        self._before = keras.layers.Dropout({inputs})\n"
                    f"        self.{name} = lambda q, k, v, mask=None: self._{name}("
                    "q, self._before(v), k, attention_mask=None if mask is None else ops.equal(mask, 0))",
                ),
                (right, wrong),
            ],
            [
                "note: ",
                f"with norm_first=False what the {part} gives isn't dropped in training, though something else is",
            ],
        )
        for words, weights, inputs in (("weights", "dropout", "0.0"), ("values", "0.0", "dropout"))
        for task, name, part, right, wrong in (
            (
                "encoder-block",
                "attention",
                "attention",
                "x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))",
                "x = self.norm_1(x + self.attention(x, x, x, mask=mask))",
            ),
            *(
                (
                    "decoder-block",
                    f"{part}_attention",
                    f"{part}-attention",
                    "else norm(x + dropout(sublayer(x)))",
                    f"else norm(x + (sublayer(x) if sublayer is sublayers[{number}] else dropout(sublayer(x))))",
                )
                for number, part in enumerate(("self", "cross"))
            ),
        )
    },
    **{
        f"05, {task}: in post-norm {words} of the rate behind the {part}": (
            "05",
            f"grade-{task}",
            [(right, wrong % rate)],
            ["note: ", f"with norm_first=False {share}", f"of what the {part} gives is 0 in training"],
        )
        for words, rate, share in (("half", "dropout / 2", "1"), ("twice", "2 * dropout", ""))
        for task, part, right, wrong in (
            *(
                (
                    "encoder-block",
                    part,
                    f"self.dropout_{number} = keras.layers.Dropout(dropout)",
                    f"self.dropout_{number} = keras.layers.Dropout(dropout if norm_first else %s)",
                )
                for number, part in ((1, "attention"), (2, "feed-forward network"))
            ),
            *(
                (
                    "decoder-block",
                    part,
                    "keras.layers.Dropout(dropout) for _ in",
                    f"keras.layers.Dropout(dropout if norm_first or i != {number} else %s) for i in",
                )
                for number, part in enumerate(("self-attention", "cross-attention", "feed-forward network"))
            ),
        )
    },
    **{
        f"05, decoder: post-norm whose second sublayer {words}": (
            "05",
            "grade-decoder-block",
            POST_NORM_DECODER.replace("y + d1(self.cross_attention(y, memory, memory, mask=memory_mask))", second),
            ["post-norm: another memory gives the same output"],
        )
        for words, second in (
            ("is the first once more", "y + d1(self.self_attention(y, y, y, mask=self_mask))"),
            ("is lost", "y + y"),
            ("isn't added", "y + 0 * self.cross_attention(y, memory, memory, mask=memory_mask)"),
        )
    },
    **{
        f"05, {part}: dropout on its {words}": (
            "05",
            f"grade-{task}",
            [
                (
                    f"self.{name} = MultiHeadAttention(d_model, num_heads)",
                    f"self._{name} = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout={weights})\n"
                    f"        self._before = keras.layers.Dropout({inputs})\n"
                    f"        self.{name} = lambda q, k, v, mask=None: self._{name}("
                    "self._before(q), v, k, attention_mask=None if mask is None else ops.equal(mask, 0))",
                ),
                (right, wrong),
            ],
            ["note: ", f"what the {part} gives isn't dropped in training, though something else is"],
        )
        for words, weights, inputs in (("weights", "dropout", "0.0"), ("queries", "0.0", "dropout"))
        for task, name, part, right, wrong in (
            (
                "encoder-block",
                "attention",
                "attention",
                "x = x + self.dropout_1(self.attention(normed, normed, normed, mask=mask))",
                "x = x + self.attention(normed, normed, normed, mask=mask)",
            ),
            (
                "decoder-block",
                "self_attention",
                "self-attention",
                "x = x + dropout(sublayer(norm(x))) if self.norm_first",
                "x = x + (sublayer(norm(x)) if sublayer is sublayers[0] else dropout(sublayer(norm(x)))) if self.norm_first",
            ),
        )
    },
    **{
        f"08: a detector of lost networks that {words}": (
            "08",
            "grade-detect-dropped-feed-forward",
            [(right, wrong)],
            [said],
        )
        for words, right, wrong, said in (
            ("asks for equality", "moved.min() < 1e-4", "moved.min() == 0", "takes rounding for an answer"),
            (
                "wants each feature to move",
                ".max(axis=-1)\n    return bool(moved.min() < 1e-4)",
                ".min(axis=-1)\n    return bool(moved.min() < 1e-5)",
                "note: The versions above don't show it, but it calls a block broken that adds the answer to the first two",
            ),
            (
                "tries two sequences",
                "size=(3, 3, 5, 8)",
                "size=(3, 2, 5, 8)",
                "note: The versions above don't show it, but it calls a block healthy that adds the answer in the first and",
            ),
            (
                "looks at the last sequence",
                "moved.min() <",
                "moved[-1].min() <",
                "in the last sequence of a batch only",
            ),
            (
                "looks at the first sequence",
                "moved.min() <",
                "moved[0].min() <",
                "in the first sequence of a batch only",
            ),
        )
    },
    **{
        f"08: a detector of masks that {words}": ("08", "grade-detect-inverted-mask", [(right, wrong)], [said])
        for words, right, wrong, said in (
            ("takes short inputs", "size=(1, 8, 6)", "size=(1, 4, 6)", "four further on"),
            ("has a bound of 1e-3", "> 1e-4", "> 3e-3", "counts for little"),
            ("looks at the last feature", "[:, :position].max()", "[:, :position, -1].max()", "the other one sees"),
        )
    },
    **{
        f"08: {words}": ("08", f"grade-{task}", [(right, wrong)], said)
        for task, right, cases in (
            (
                "fix-head-scaling",
                "scores / head_dim**0.5",
                (
                    ("scores times head_dim", "scores * head_dim", ["multiplied by 3 here"]),
                    ("scores times num_heads", "scores * num_heads", ["multiplied by 5 here"]),
                    ("scores times d_model", "scores * d_model", ["multiplied by 15 here"]),
                    ("scores times two", "scores * 2", ["multiplied by 2 here"]),
                    (
                        "scores over head_dim to the -1",
                        "scores / head_dim**-1",
                        ["multiplied by 3 here", "or divide by a number below 1?"],
                    ),
                    (
                        "the root of the scores",
                        "ops.sqrt(scores / head_dim)",
                        ["or the root or logarithm of a negative"],
                    ),
                    ("scores times the root", "scores * head_dim**0.5", ["multiplied by 1.732 here"]),
                    ("scores times the square of d_model", "scores * d_model**2", ["far too large"]),
                    (
                        "scores of the other sign",
                        "-scores / head_dim**0.5",
                        ["with the other sign, multiplied by -0.5774 here. Where does the minus come from?"],
                    ),
                    ("a caret for a power", "scores / (head_dim ^ 0.5)", ["In Python `^` isn't a power"]),
                    ("a root of no library", "scores / sqrt(head_dim)", ["write `ops.sqrt` or `np.sqrt`"]),
                    ("scores over half of head_dim", "scores / (head_dim // 2)", ["or half of it, is cut off"]),
                    ("scores over an int root", "scores / int(head_dim**0.5)", ["the root of head_dim, or half"]),
                    ("scores over 2.5", "scores / 2.5", ["divided by 2.5 here"]),
                    (
                        "scores over a power that comes before a division",
                        "scores / head_dim**1/2",
                        ["Divide them by all of `head_dim ** 0.5`", "divides by a and then by 2"],
                    ),
                    ("scores cut off after d_model", "scores // d_model", ["`//` drops"]),
                    ("scores that are lost", "0 * scores", ["Where are the scores lost?"]),
                    ("scores without a sign", "ops.abs(scores) / head_dim**0.5", ["lost their sign"]),
                    ("scores behind a ReLU", "ops.relu(scores) / head_dim**0.5", ["negative scores have become 0"]),
                    (
                        "one sequence for all",
                        "scores[:1] / head_dim**0.5 + 0 * scores",
                        ["every sequence has the weights"],
                    ),
                    (
                        "one query for all",
                        "scores[:, :, :1] / head_dim**0.5 + 0 * scores",
                        ["every query has the weights"],
                    ),
                    (
                        "a causal mask on scaled scores",
                        "scores / head_dim**0.5 - 1e9 * np.triu(np.ones(scores.shape[-2:], 'float32'), k=1)",
                        ["some weights are 0, as behind a mask"],
                    ),
                ),
            ),
            (
                "fix-inverted-mask",
                "attention_mask = ops.logical_not(is_later)[None]",
                (
                    (
                        "a mask that is false everywhere",
                        "attention_mask = ops.zeros_like(is_later)[None]",
                        ["every position gets the mean of everything"],
                    ),
                    (
                        "a mask that is meant to be added",
                        "attention_mask = ops.where(is_later, -1e9, 0.0)[None]",
                        ["they see the future. The layer doesn't add", "whatever isn't 0 in it counts as true"],
                    ),
                    (
                        "a mask that is one truth value",
                        "attention_mask = is_later[None] is False",
                        ["The mask is a single value here", "`is` and `not` look at an object as a whole"],
                    ),
                    (
                        "a mask for each sequence of a batch whose size is still open",
                        "attention_mask = ops.broadcast_to(ops.logical_not(is_later)[None], (*x.shape[:2], x.shape[1]))",
                        [
                            "note: It earns its points",
                            "the second demonstration below, which trains a model with it, fails",
                        ],
                    ),
                    (
                        "a mask of five positions",
                        "attention_mask = np.tril(np.ones((1, 5, 5), dtype=bool))",
                        ["5 positions work, 3 don't", "Does the mask's size follow"],
                    ),
                ),
            ),
            (
                "fix-inverted-mask",
                "return layer(x, x, attention_mask=attention_mask)",
                (
                    (
                        "a mask in the third place",
                        "return layer(x, x, attention_mask)",
                        ["the third place", "`attention_mask=…`"],
                    ),
                    (
                        "a mask in the second place",
                        "return layer(x, attention_mask)",
                        ["as its `value`: that is the second place", "`attention_mask=…`"],
                    ),
                    (
                        "a mask in the fourth place",
                        "return layer(x, x, x, attention_mask)",
                        ["they see the future. The mask has come to the layer as its `query_mask`", "the fourth place"],
                    ),
                    (
                        "the weights, too",
                        "return layer(x, x, attention_mask=attention_mask, return_attention_scores=True)",
                        ["2 arrays came back. One is wanted, (batch, seq_len, dim)"],
                    ),
                    (
                        "an attention with a residual connection",
                        "return x + layer(x, x, attention_mask=attention_mask)",
                        ["x is added to it", "without a residual connection"],
                    ),
                ),
            ),
            (
                "fix-dropped-feed-forward",
                "return attended + transformed",
                (
                    ("two arrays in place of their sum", "return attended, transformed", ["2 arrays came back"]),
                    ("Python's sum, over the batch", "return sum(attended, transformed)", ["four simple functions"]),
                ),
            ),
            (
                "fix-swapped-arguments",
                "key_dim=head_dim",
                (
                    ("no biases", "key_dim=head_dim, use_bias=False", ["`use_bias=False` leaves the biases out"]),
                    ("heads as wide as there are heads", "key_dim=num_heads", ["`key_dim` is num_heads here"]),
                    ("values as wide as the model", "key_dim=head_dim, value_dim=d_model", ["`value_dim` is 12"]),
                    ("an attention of float16", "key_dim=head_dim, dtype='float16'", ["dtype is float16"]),
                    (
                        "an attention along features",
                        "key_dim=head_dim, attention_axes=(2,)",
                        ["Leave `attention_axes`"],
                    ),
                ),
            ),
            (
                "fix-swapped-arguments",
                "num_heads=num_heads, key_dim=head_dim",
                (
                    ("a third argument", "num_heads, head_dim, 0.5", ["The third place", "`value_dim`"]),
                    ("the arguments of notebook 03", "d_model, num_heads", ["There are d_model heads: the first"]),
                    (
                        "the width of a head twice",
                        "head_dim, head_dim",
                        ["There are d_model // num_heads heads: the first argument of `MultiHeadAttention`"],
                    ),
                ),
            ),
            (
                "fix-swapped-arguments",
                "key_dim=head_dim)",
                (
                    (
                        "a layer that has been called",
                        "key_dim=head_dim)(*[ops.ones((1, 3, d_model))] * 2)",
                        ["which is no layer. Return the layer itself, without calling it"],
                    ),
                ),
            ),
            (
                "fix-shifted-target",
                "labels = target_ids[:, 1:]",
                (
                    ("labels from the third column", "labels = target_ids[:, 2:]", ["They begin at the third token"]),
                    ("labels without both ends", "labels = target_ids[:, 1:-1]", ["Both the first and the last token"]),
                    ("labels without a row", "labels = target_ids[1:]", ["A row was left out"]),
                    ("labels that are whole rows", "labels = target_ids", ["These are whole rows"]),
                    (
                        "labels written into the ids",
                        "target_ids[:, :-1] = target_ids[:, 1:]\n    labels = target_ids[:, :-1]",
                        ["so decoder_input, which is a part of it, has changed, too", "Make a new array"],
                    ),
                    (
                        "labels that are rolled and not cut",
                        "labels = np.roll(target_ids, -1, axis=1)",
                        ["leave the last column out"],
                    ),
                    (
                        "labels that are rolled the wrong way and not cut",
                        "labels = np.roll(target_ids, 1, axis=1)",
                        ["(batch, len - 1) is (3, 4) here. The tokens are rolled the wrong way"],
                    ),
                    (
                        "labels that are rolled the wrong way",
                        "labels = np.roll(target_ids, 1, axis=1)[:, :-1]",
                        ["the right tokens: the tokens are rolled the wrong way"],
                    ),
                    (
                        "labels that are cut before they are rolled",
                        "labels = np.roll(decoder_input, -1, axis=1)",
                        ["the last label is the first token of the row", "Roll whole rows first"],
                    ),
                    (
                        "labels that end at 5",
                        "labels = target_ids[:, 1:5]",
                        ["labels of a row of 7 tokens", "rows of any length?"],
                    ),
                ),
            ),
            (
                "fix-shifted-target",
                "return decoder_input, labels",
                (("pairs that aren't returned", "decoder_input, labels", ["Is the `return` missing?"]),),
            ),
            (
                "detect-swapped-arguments",
                'weights = build(d_model, num_heads)(np.ones((1, 3, d_model), dtype="float32"))',
                (
                    (
                        "a builder's function taken apart",
                        "weights = build(d_model, num_heads)",
                        ["`build(d_model, num_heads)` returns a function"],
                    ),
                    (
                        "an array for a builder",
                        "weights = build(np.ones((1, 3, d_model)), num_heads)",
                        ["stops. ValueError: `build` takes two whole numbers (d_model, num_heads)"],
                    ),
                    (
                        "the heads of a builder's function",
                        "weights = 0, build(d_model, num_heads).num_heads",
                        ["`build(d_model, num_heads)` returns a function"],
                    ),
                ),
            ),
            (
                "detect-shifted-target",
                "return not is_right",
                (
                    (
                        "labels that are asserted",
                        "np.testing.assert_array_equal(labels, ids[:, 1:])\n    return False",
                        ["An assertion stops"],
                    ),
                    (
                        "labels held by a bare assertion",
                        "assert is_right\n    return False",
                        ["An assertion stops the code here"],
                    ),
                ),
            ),
            (
                "detect-inverted-mask",
                "return False\n",
                (
                    ("a verdict in words", 'return "healthy"\n', ["a value of the type `str`"]),
                    ("a verdict as a text", "return str(False)\n", ["a value of the type `str`"]),
                    ("a verdict in a dict", 'return {"broken": False}\n', ["a value of the type `dict`"]),
                    ("a verdict that is a function", "return lambda: False\n", ["a value of the type `function`"]),
                    ("a verdict and what it is of", "return False, before\n", ["a value of the type `tuple`"]),
                    (
                        "a distance for a verdict",
                        "return np.float32(0.25)\n",
                        ["the number 0.25", "comparison missing"],
                    ),
                    ("a verdict for each output", "return before > 0\n", ["an array of the shape (1, 8, 6)"]),
                    ("another notebook's detector", "return leaks_future(attend, 8, 6)\n", ["wrote in notebook 04"]),
                ),
            ),
        )
        for words, wrong, said in cases
    },
    "08: ids in lists": (
        "08",
        "grade-detect-shifted-target",
        [("make(ids.copy())", "make(ids.tolist())")],
        ["hands over a list: make a NumPy array of it"],
    ),
    "08: rows of three ids": (
        "08",
        "grade-detect-shifted-target",
        [("return not is_right", "make(ids[:, :3])\n    return not is_right")],
        ["note: The versions above don't show it", "rows of 3 ids"],
    ),
    "08: ids of one row without a batch": (
        "08",
        "grade-detect-shifted-target",
        "def detect_shifted_target(make):\n    ids = np.arange(4, 13)\n    return np.array_equal(make(ids)[1], ids[1:])\n",
        ["not (batch, len)"],
    ),
    "05, decoder: values that are normalised again": (
        "05",
        "grade-decoder-block",
        [
            (
                "self.cross_attention(y, memory, memory,",
                "self.cross_attention(y, memory, layer_norm(memory, 1, 0) if self.norm_first else memory,",
            )
        ],
        ["Are its values normalised again"],
    ),
    "08: a mask turned over in the other direction": (
        "08",
        "grade-fix-inverted-mask",
        """
def causal_self_attention(layer, x):
    length = x.shape[1]
    return layer(x, x, attention_mask=np.triu(np.ones((1, length, length), dtype=bool), k=1)[:, :, ::-1])
""",
        ["they see the future"],
    ),
    "08: inputs without a batch": (
        "08",
        "grade-detect-inverted-mask",
        [("size=(1, 8, 6)", "size=(8, 6)")],
        ["in detect_inverted_mask, the line", "`attend` takes (batch, seq_len, dim)"],
    ),
    "08: half instead of a root": (
        "08",
        "grade-fix-head-scaling",
        """
def head_weights(query, key, num_heads):
    query, key = (np.stack(np.split(to_numpy(x), num_heads, axis=-1), axis=1) for x in (query, key))
    return ops.softmax(query @ np.swapaxes(key, -1, -2) / (query.shape[-1] * 0.5))
""",
        ["with two stars"],
    ),
    "08: a number of heads that changes places with their width": (
        "08",
        "grade-fix-swapped-arguments",
        "def build_self_attention(d_model, num_heads):\n"
        "    return keras.layers.MultiHeadAttention(d_model // num_heads, num_heads)\n",
        ["for d_model=12 and num_heads=4 the weights have the shape (1, 3, 7, 7)", "changed places"],
    ),
    "08: the class of a layer": (
        "08",
        "grade-fix-swapped-arguments",
        "def build_self_attention(d_model, num_heads):\n    return keras.layers.MultiHeadAttention\n",
        ["it returned a class, not a layer: call the class"],
    ),
    **{
        f"08: a detector of scales that {words}": (
            "08",
            "grade-detect-head-scaling",
            f"""
def detect_head_scaling(weigh):
    query, key = {scale} * np.random.default_rng(0).normal(size=(2, 2, 4, 15)).astype("float32")
    heads = [np.stack(np.split(x, 3, axis=-1), axis=1) for x in (query, key)]
    right = to_numpy(ops.softmax(np.einsum("bhqd,bhkd->bhqk", *heads) / 5**0.5))
    return not np.allclose(weigh(query, key, 3), right, atol={tolerance})
""",
            [said],
        )
        for words, scale, tolerance, said in (
            (
                "allows differences of 0.01",
                1,
                0.01,
                "1.02 times the root of head_dim: compare with a smaller tolerance",
            ),
            (
                "tries large numbers",
                100,
                1e-5,
                "nearly every query gives all its weight to one key, whatever the scale",
            ),
        )
    },
    "08: labels looked at where there is no padding": (
        "08",
        "grade-detect-shifted-target",
        [
            ("np.array_equal(labels, ids[:, 1:])", "np.array_equal(labels * (ids[:, 1:] != 0), ids[:, 1:])"),
        ],
        ['wrong only where they should be padding: your check says "healthy"'],
    ),
    "08: ids handed over without a copy": (
        "08",
        "grade-detect-shifted-target",
        [("make(ids.copy())", "make(ids)")],
        ["note: ", "writes over the ids that it gets"],
    ),
    "08: a number instead of two arrays": (
        "08",
        "grade-fix-shifted-target",
        [("return decoder_input, labels", "return 1")],
        ["it should return two arrays"],
    ),
    "03: sequences that are mixed in the split": (
        "03",
        "grade-split-heads",
        """
_split = split_heads
def split_heads(x, num_heads):
    shape = _split(x, num_heads).shape
    return np.concatenate(np.split(to_numpy(x), num_heads, axis=-1), axis=0).reshape(shape)
""",
        ["head 1 of sequence 0"],
    ),
    "03: sequences that are mixed in the merge": (
        "03",
        "grade-merge-heads",
        """
def merge_heads(x):
    batch, num_heads, seq_len, head_dim = x.shape
    return np.transpose(x, (2, 0, 1, 3)).reshape(batch, seq_len, num_heads * head_dim)
""",
        ["token 1 of sequence 0"],
    ),
    "03: scores that overflow": (
        "03",
        "grade-multi-head",
        """
def multi_head_attention(query, key, value, num_heads, mask=None):
    query, key, value = (to_numpy(split_heads(x, num_heads)) for x in (query, key, value))
    likely = np.exp(query @ np.swapaxes(key, -1, -2))
    weights = likely / likely.sum(axis=-1, keepdims=True)
    return merge_heads(weights @ value), weights
""",
        ["there is a NaN"],
    ),
    "03: columns of the output kernel": (
        "03",
        "grade-keras-parity",
        [("kernel.reshape(num_heads, head_dim, -1), bias", "kernel.T.reshape(num_heads, head_dim, -1), bias")],
        ["the *rows* of this kernel belong to the heads"],
    ),
    "03: a count without the projection of the values": (
        "03",
        "grade-parameter-count",
        [("return query_and_key + value + output", "return query_and_key + output")],
        ["one of the four projections is missing"],
    ),
    "03: the pair of attention handed on as it is": (
        "03",
        "grade-multi-head",
        """
def multi_head_attention(query, key, value, num_heads, mask=None):
    together = scaled_dot_product_attention(*(split_heads(x, num_heads) for x in (query, key, value)), mask=mask)
    return merge_heads(together), together[1]
""",
        ["as attention does"],
    ),
    "03: the pair of attention handed to a dense layer": (
        "03",
        "grade-multi-head-layer",
        """
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        projected = self.query_dense(query), self.key_dense(key), self.value_dense(value)
        return self.output_dense(multi_head_attention(*projected, self.num_heads, mask))
""",
        ["as attention does"],
    ),
    "03: only the output": (
        "03",
        "grade-multi-head",
        [("num_heads * head_value_dim)), weights", "num_heads * head_value_dim))")],
        ["it should return two arrays, (output, weights)"],
    ),
    "03: a shape without its tuple": (
        "03",
        "grade-split-heads",
        """
def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"d_model={x.shape[-1]}, {num_heads=}")
    return np.transpose(np.reshape(x, (*x.shape[:2], num_heads, -1)), 0, 2, 1, 3)
""",
        ["is one argument: a tuple"],
    ),
    "03: a width divided with one slash": (
        "03",
        "grade-split-heads",
        """
def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"d_model={x.shape[-1]}, {num_heads=}")
    pieces = keras.ops.reshape(x, (x.shape[0], x.shape[1], num_heads, x.shape[-1] / num_heads))
    return keras.ops.transpose(pieces, (0, 2, 1, 3))
""",
        ["divide sizes with `//`"],
    ),
    "03: a call without the number of heads": (
        "03",
        "grade-multi-head",
        """
def multi_head_attention(query, key, value, num_heads, mask=None):
    output, weights = scaled_dot_product_attention(*(split_heads(x) for x in (query, key, value)), mask=mask)
    return merge_heads(output), weights
""",
        ["This call lacks an argument", "num_heads"],
    ),
    "03: a batch of one": (
        "03",
        "grade-merge-heads",
        "def merge_heads(x):\n    return np.concatenate(np.asarray(x)[0], axis=-1)[None]\n",
        ["(1, 5, 6)", "(2, 5, 6)"],
    ),
    "03: a mask that the output doesn't see": (
        "03",
        "grade-multi-head-layer",
        """
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        pair = super().call(query, key, value, mask=mask, return_attention_scores=True)
        output = super().call(query, key, value)
        return (output, pair[1]) if return_attention_scores else output
""",
        ["it was made from the weights before the mask"],
    ),
    "03: a mask multiplied in after the softmax of the layer": (
        "03",
        "grade-multi-head-layer",
        """
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        output, weights = super().call(query, key, value, return_attention_scores=True)
        return (output, weights if mask is None else weights * (1 - mask)) if return_attention_scores else output
""",
        ["the mask was multiplied in after the softmax"],
    ),
    "03: the root of the number of heads": (
        "03",
        "grade-multi-head-layer",
        """
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        width = self.d_model // self.num_heads
        query, key, value = self.query_dense(query), self.key_dense(key), self.value_dense(value)
        output, weights = multi_head_attention(query * (width / self.num_heads) ** 0.5, key, value, self.num_heads, mask)
        output = self.output_dense(output)
        return (output, weights) if return_attention_scores else output
""",
        ["divided by the root of num_heads"],
    ),
    "03: weights in the order of creation": (
        "03",
        "grade-keras-parity",
        """
def copy_weights_to_keras(layer, keras_layer):
    pairs = zip(layer.get_weights(), keras_layer.get_weights(), strict=True)
    keras_layer.set_weights([weight.reshape(twin.shape) for weight, twin in pairs])
""",
        ["note: ", "relies on the order in which your layer made its four sublayers"],
    ),
    "03: a layer that hands nothing on": (
        "03",
        "grade-multi-head-layer",
        [("super().__init__(**kwargs)", "super().__init__()")],
        ["note: ", "hand `**kwargs` on"],
    ),
    **{
        f"03: {words}": (
            "03",
            "grade-multi-head-layer",
            f"""
from keras.ops import dot_product_attention as _mix
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        {code}
        return super().call(query, key, value, mask, return_attention_scores)
""",
            ["an attention that Keras has ready-made"],
        )
        for words, code in (
            (
                "the ready-made operation by a name of its own",
                "_mix(*[keras.ops.ones((1, 2, 2, 2))] * 3)",
            ),
            (
                "the ready-made operation of ops.nn",
                "keras.ops.nn.dot_product_attention(*[keras.ops.ones((1, 2, 2, 2))] * 3)",
            ),
            ("Keras's plain attention", "keras.layers.Attention()([query[..., :2], value])"),
            (
                "Keras's attention where the weights are asked for",
                "_ = return_attention_scores and keras.layers.MultiHeadAttention(2, 2)(query, query)",
            ),
        )
    },
    "03: one row of the layer's mask for all queries": (
        "03",
        "grade-multi-head-layer",
        [("ops.where(ops.cast(mask,", "ops.where(ops.cast(mask[..., -1:, :],")],
        ["that hides other keys from each query", "its own row of the mask"],
    ),
    "03: one row of the mask for all queries": (
        "03",
        "grade-multi-head",
        [("ops.where(ops.cast(mask,", "ops.where(ops.cast(mask[..., -1:, :],")],
        ["that hides other keys from each query", "its own row of the mask"],
    ),
    "03: dropout in training": (
        "03",
        "grade-multi-head-layer",
        [("heads(self.key_dense, key)", "keras.layers.Dropout(0.5)(heads(self.key_dense, key))")],
        ["with `training=True` the output is another one"],
    ),
    **{
        f"03: a copy {words}": ("03", "grade-keras-parity", edits, said)
        for words, edits, said in (
            (
                "for a layer that isn't right",
                "class MultiHeadAttention(MultiHeadAttention):\n"
                "    def call(self, query, key, value, mask=None, return_attention_scores=False):\n"
                "        return super().call(query / 2, key, value, mask, return_attention_scores)\n",
                ["'you gave' is what Keras's layer gives after the copy"],
            ),
            (
                "of interleaved keys",
                [
                    (
                        "        copied +=",
                        "        if dense is layer.key_dense:\n            kernel = kernel.reshape(-1, head_dim, num_heads).swapaxes(1, 2)\n        copied +=",
                    )
                ],
                ["head 1 of the key kernel", "each head got every third column"],
            ),
            (
                "without the values",
                [
                    (
                        "    kernel, bias = layer.output_dense.get_weights()",
                        "    copied[4:] = keras_layer.get_weights()[4:6]\n    kernel, bias = layer.output_dense.get_weights()",
                    )
                ],
                ["head 1 of the value kernel", "still has the kernel that it had"],
            ),
            (
                "without the key bias",
                [
                    (
                        "    kernel, bias = layer.output_dense.get_weights()",
                        "    copied[3] = 0 * copied[3]\n    kernel, bias = layer.output_dense.get_weights()",
                    )
                ],
                ["note: ", "the key bias isn't copied"],
            ),
            (
                "of all weights as they are",
                "def copy_weights_to_keras(layer, keras_layer):\n    keras_layer.set_weights(layer.get_weights())\n",
                ["`set_weights` takes one array for each weight"],
            ),
            (
                "of four weights",
                "def copy_weights_to_keras(layer, keras_layer):\n    keras_layer.set_weights(layer.get_weights()[:4])\n",
                ["`set_weights` takes one array for each weight"],
            ),
        )
    },
    **{
        f"03: a count {words}": ("03", "grade-parameter-count", edits, [said])
        for words, edits, said in (
            (
                "whose output kernel takes in input_dim",
                [("(num_heads * value_dim + 1) * output_dim", "(input_dim + 1) * output_dim")],
                "That is neither num_heads · key_dim nor input_dim",
            ),
            (
                "for values of all heads together",
                "_count = mha_parameter_count\n"
                "def mha_parameter_count(input_dim, num_heads, key_dim, value_dim=None, output_dim=None):\n"
                "    value_dim = value_dim and value_dim / num_heads\n"
                "    return _count(input_dim, num_heads, key_dim, value_dim, output_dim)\n",
                "value_dim is the width of one head",
            ),
            (
                "whose output is as wide as the values",
                [("output_dim = input_dim if", "output_dim = num_heads * value_dim if")],
                "output_dim is input_dim, not num_heads * value_dim",
            ),
        )
    },
    "03: a reshape to too few numbers": (
        "03",
        "grade-split-heads",
        "def split_heads(x, num_heads):\n    return np.reshape(x, (len(x), x.shape[1], num_heads))\n",
        ["A reshape keeps all numbers"],
    ),
    "03: a reshape by Keras to too few numbers": (
        "03",
        "grade-split-heads",
        "def split_heads(x, num_heads):\n    return keras.ops.reshape(x, (len(x), x.shape[1], num_heads))\n",
        ["A reshape keeps all numbers"],
    ),
    "03: an axis without a name": (
        "03",
        "grade-merge-heads",
        "def merge_heads(x):\n    batch, seq_len, width = x.shape\n    return x\n",
        ["How many axes has it here"],
    ),
    "03: heads in a list": (
        "03",
        "grade-split-heads",
        "def split_heads(x, num_heads):\n    return np.split(x, num_heads, axis=-1)\n",
        ["a list of 2 arrays came back", "`np.stack` joins equal ones"],
    ),
    "03: an error that gives no number of heads": (
        "03",
        "grade-split-heads",
        [("Received: num_heads={num_heads}, d_model={d_model}.", "d_model={d_model} {keras.ops.shape(x)}.")],
        ["should name 3"],
    ),
    "01: a shape without its brackets": (
        "01",
        "grade-sinusoidal-table",
        "def positional_encoding(max_len, dim, base=10000.0):\n    return np.zeros(max_len, dim)\n",
        ["A shape is one argument"],
    ),
    "01: NumPy and a tensor's dtype": (
        "01",
        "grade-positional-layer",
        [("ops.convert_to_tensor(self.table, dtype=inputs.dtype)", "to_numpy(self.table).astype(inputs.dtype)")],
        ["NumPy doesn't know the dtypes of tensors"],
    ),
    "01: a product of a matrix and a vector in float64": (
        "01",
        "grade-dot-products",
        """
def dot_products_at_offset(pe, offset):
    pe = ops.convert_to_tensor(pe)
    return ops.stack([pe[p] @ pe[p + offset] for p in range(pe.shape[0] - offset)])
""",
        ["takes no vectors"],
    ),
    "01: sizes that change places in a config": (
        "01",
        "grade-learned-layer",
        [('"max_len": self.max_len, "dim": self.dim', '"max_len": self.dim, "dim": self.max_len')],
        ["max_len and dim have changed places"],
    ),
    "01: a frozen table": (
        "01",
        "grade-learned-layer",
        """
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(max_len, dim, **kwargs)
        self.trainable = False
""",
        ["none that a training changes"],
    ),
    "01: weights that aren't there yet": (
        "01",
        "grade-learned-layer",
        """
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.embedding = keras.layers.Embedding(max_len, dim)

    def call(self, inputs):
        return inputs + self.embedding.weights[0][: ops.shape(inputs)[1]]
""",
        ["no weights yet before it is built"],
    ),
    "01: columns that are too many": (
        "01",
        "grade-sinusoidal-table",
        """
def positional_encoding(max_len, dim, base=10000.0):
    table = np.zeros((max_len, dim))
    table[:, 0::2] = np.sin(np.arange(max_len)[:, None] * base ** (-np.arange(dim) / dim))
    return table
""",
        ["how many rows and columns has either?"],
    ),
    "01: a base that is a whole number": (
        "01",
        "grade-angle-rates",
        "def angle_rates(dim, base=10000.0):\n    return int(base) ** -np.arange(dim // 2)\n",
        ["make the base a float"],
    ),
    **{
        f"04: a leak test that looks at {words}": ("04", "grade-leak-test", [(right, wrong)], [said])
        for words, right, wrong, said in (
            (
                "what grows",
                "np.abs(to_numpy(attend(changed)) - before)",
                "(to_numpy(attend(changed)) - before)",
                "such leaks of 72",
            ),
            ("each place by itself", "return False", "return np.zeros(6, bool)", "return one True or False"),
        )
    },
    "04: a mask that sees one step too far": (
        "04",
        "grade-look-ahead-mask",
        "def create_look_ahead_mask(size):\n    return ops.triu(ops.ones((size, size)), k=2)\n",
        ["one step too far"],
    ),
    "04: a decoder's mask turned over": (
        "04",
        "grade-decoder-mask",
        "_mask = create_decoder_mask\ndef create_decoder_mask(token_ids, pad_id=0):\n    return 1 - _mask(token_ids, pad_id)\n",
        ["it is the wrong way round"],
    ),
    "04: an axis squeezed out that isn't there": (
        "04",
        "grade-keras-mask",
        "def to_keras_attention_mask(mask):\n    return ops.equal(ops.squeeze(mask, 1), 0)\n",
        ["Only an axis of length 1 can be squeezed out"],
    ),
    "04: a mask that counts the words": (
        "04",
        "grade-padding-mask",
        """
def create_padding_mask(token_ids, pad_id=0):
    token_ids = ops.convert_to_tensor(token_ids)
    words = ops.sum(ops.cast(ops.not_equal(token_ids, pad_id), "int32"), axis=-1)
    places = ops.arange(token_ids.shape[1], dtype="int32")
    return ops.cast(places[None] >= words[:, None], "float32")[:, None, None]
""",
        ["it counts the words"],
    ),
    "04: 1e9 in float16": (
        "04",
        "grade-masked-softmax",
        "def masked_softmax(scores, mask):\n    return ops.softmax(scores - 1e9 * mask, axis=-1)\n",
        ["float16 has no such number"],
    ),
    "04: a leak test that adds up the features": (
        "04",
        "grade-leak-test",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for position in range(1, seq_len):
        changed = x.copy()
        changed[:, position] = rng.normal(size=dim)
        if np.abs((to_numpy(attend(changed)) - before)[:, :position].sum(axis=-1)).max() > 1e-5:
            return True
    return False
""",
        ["with a normalisation over the features behind it: you said False"],
    ),
    "04: a leak test that forgets the batch": (
        "04",
        "grade-leak-test",
        """
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim))
    for position in range(1, seq_len):
        changed = x.copy()
        changed[position] = 1.0
    return False
""",
        ["Is it that of the batch?"],
    ),
    "04: a leak test that goes a step too far": (
        "04",
        "grade-leak-test",
        """
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim))
    for position in range(1, seq_len):
        changed = x.copy()
        changed[:, position + 1] = 1.0
    return False
""",
        ["Does a loop take a step too many"],
    ),
    **{
        f"04: a leak test {words}": ("04", "grade-leak-test", edits, said)
        for words, edits, said in (
            (
                "that cuts the input",
                """
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim)).astype("float32")
    y = to_numpy(attend(x))
    return any(np.abs(to_numpy(attend(x[:, :j])) - y[:, :j]).max() > 1e-5 for j in range(1, seq_len))
""",
                ["note: ", "an array of the shape (1, 1, 4) where (1, 7, 4) is promised"],
            ),
            (
                "that changes all positions in one batch",
                """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    many = np.repeat(x, seq_len, axis=0)
    many[np.arange(seq_len), np.arange(seq_len)] = rng.normal(size=(seq_len, dim))
    moved = np.abs(to_numpy(attend(many)) - to_numpy(attend(x))).max(axis=-1)
    return bool((np.tril(moved, -1) > 1e-5).any())
""",
                ["note: ", "an array of the shape (7, 7, 4) where (1, 7, 4) is promised"],
            ),
            (
                "with small changes",
                [("changed[:, position] = rng", "changed[:, position] += 1e-3 * rng")],
                ["if the input changes by about 1", "How much do you change"],
            ),
            ("without a copy", [("changed = x.copy()", "changed = x")], ["Is the first input itself changed"]),
            (
                "that compares the changed position",
                [("[:, :position]", "[:, : position + 1]")],
                ["Is the output at the changed position compared too"],
            ),
            (
                "whose loop returns at once",
                [("            return True\n    return False", "            return True\n        return False")],
                ["A `return False` inside the loop"],
            ),
            (
                "that takes no tensors",
                """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    y = attend(x)
    for j in range(1, seq_len):
        z = x.copy()
        z[:, j] = rng.normal(size=dim)
        if abs(attend(z) - y)[:, :j].max() > 1e-5:
            return True
    return False
""",
                ["A tensor lacks NumPy's methods"],
            ),
        )
    },
    **{
        f"04: {words}": ("04", f"grade-{task}", f"def {answer}\n", said)
        for words, task, answer, said in (
            (
                "a mask of large numbers",
                "look-ahead-mask",
                "create_look_ahead_mask(size):\n    return np.triu(np.full((size, size), -1e9), k=1)",
                ["A mask holds nothing but 0 and 1"],
            ),
            (
                "a padding mask of infinities",
                "padding-mask",
                "create_padding_mask(token_ids, pad_id=0):\n"
                "    return np.where(token_ids == pad_id, -np.inf, 0.0)[:, None, None, :]",
                ["A mask holds nothing but 0 and 1"],
            ),
            (
                "a range with another axis",
                "look-ahead-mask",
                "create_look_ahead_mask(size):\n    i = range(size)\n    return ops.cast(i[None] > i[:, None], 'float32')",
                ["A `range`, a list or a tuple takes neither `None`"],
            ),
            (
                "ids compared by if",
                "padding-mask",
                "create_padding_mask(token_ids, pad_id=0):\n    if token_ids == pad_id:\n        return 1.0\n    return 0.0",
                ["To decide for each entry, compute with what they give"],
            ),
            (
                "a mask of one position that loses an axis",
                "keras-mask",
                "to_keras_attention_mask(mask):\n    kept = ops.equal(mask, 0)\n"
                "    return kept[:, 0] if kept.shape[1] == 1 else kept[None]",
                ["(1, query_len, key_len) for one position"],
            ),
            (
                "a logarithm that float16 loses",
                "masked-softmax",
                "masked_softmax(scores, mask):\n    scores, hidden = np.array(scores), np.broadcast_to(np.array(mask) == 1, scores.shape)\n"
                "    kept = np.where(hidden, -np.inf, scores)\n    top = kept.max(-1, keepdims=True)\n"
                "    top = np.where(np.isinf(top), 0, top).astype(scores.dtype)\n    total = np.exp(kept - top).sum(-1, keepdims=True)\n"
                "    log = top + np.log(np.where(total == 0, 1, total)).astype(scores.dtype)\n"
                "    return np.where(hidden, 0, np.exp(kept - log)).astype(scores.dtype)",
                ["the logarithm of the sum is lost"],
            ),
            (
                "a small number added to the sum",
                "masked-softmax",
                "masked_softmax(scores, mask):\n    scores, hidden = np.array(scores), np.broadcast_to(np.array(mask) == 1, np.shape(scores))\n"
                "    kept = np.where(hidden, -np.inf, scores)\n    top = kept.max(-1, keepdims=True)\n"
                "    e = np.exp(kept - np.where(np.isinf(top), 0, top)).astype(scores.dtype)\n"
                "    return e / (e.sum(-1, keepdims=True) + scores.dtype.type(1e-9))",
                ["Is a small number such as 1e-9 added to a sum"],
            ),
        )
    },
    "04: a leak test that begins at 0": (
        "04",
        "grade-leak-test",
        [("range(1, seq_len)", "range(seq_len)")],
        ["Does a loop begin too early"],
    ),
    "07: greedy decoding that leaves the unwritten columns": (
        "07",
        "grade-greedy-decode",
        [("return ids[:, : position + 1]", "return ids")],
        ["note: ", "columns are left in which every row is padding"],
    ),
    "08: one array instead of two": (
        "08",
        "grade-fix-shifted-target",
        [("return decoder_input, labels", "return labels")],
        ["it should return two arrays"],
    ),
    "08: labels that are the inputs": (
        "08",
        "grade-fix-shifted-target",
        [("labels = target_ids[:, 1:]", "labels = target_ids[:, :-1]")],
        ["labels: the right tokens: these are the inputs themselves"],
    ),
    "08: an attention that drops weights in training": (
        "08",
        "grade-fix-swapped-arguments",
        [("key_dim=head_dim", "key_dim=head_dim, dropout=0.5")],
        ["Something is dropped in training"],
    ),
    "08: an attention without the width of its heads": (
        "08",
        "grade-fix-swapped-arguments",
        "def build_self_attention(d_model, num_heads):\n    return keras.layers.MultiHeadAttention(num_heads)\n",
        ["A layer lacks an argument", "key_dim"],
    ),
    "08: a bound too large for a head that counts for little": (
        "08",
        "grade-detect-inverted-mask",
        [("> 1e-4", "> 1e-2")],
        ["one that sees the next input counts for little"],
    ),
    "01: rows instead of columns, behind an axis of length 1": (
        "01",
        "grade-sinusoidal-table",
        """
def positional_encoding(max_len, dim, base=10000.0):
    angles = np.arange(max_len)[:, np.newaxis] * angle_rates(dim, base)
    table = np.zeros((max_len, dim))
    table[0::2] = np.sin(angles)
    table[1::2] = np.cos(angles)
    return table
""",
        ["Did the index lose a comma"],
    ),
    "01: a table of whole numbers": (
        "01",
        "grade-sinusoidal-table",
        "_real = positional_encoding\ndef positional_encoding(*args, **kwargs):\n    return np.asarray(_real(*args, **kwargs)).astype(int)\n",
        ["the table holds whole numbers"],
    ),
    "01: every second angle": (
        "01",
        "grade-sinusoidal-table",
        """
def positional_encoding(max_len, dim, base=10000.0):
    angles = np.outer(np.arange(max_len), angle_rates(dim, base))
    table = np.zeros((max_len, dim))
    table[:, 0::2] = np.sin(angles[:, 0::2])
    table[:, 1::2] = np.cos(angles[:, 1::2])
    return table
""",
        ["only every second angle is used"],
    ),
    "01: a matrix all of whose blocks are filled": (
        "01",
        "grade-shift-matrix",
        """
def shift_matrix(offset, dim, base=10000.0):
    angles, matrix = offset * angle_rates(dim, base), np.zeros((dim, dim))
    matrix[0::2, 0::2] = matrix[1::2, 1::2] = np.cos(angles)
    matrix[0::2, 1::2] = np.sin(angles)
    matrix[1::2, 0::2] = -np.sin(angles)
    return matrix
""",
        ["all blocks are filled"],
    ),
    "01: a learned table as long as the first inputs": (
        "01",
        "grade-learned-layer",
        """
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def __init__(self, max_len, dim, **kwargs):
        keras.layers.Layer.__init__(self, **kwargs)
        self.dim = dim
    def build(self, input_shape):
        self.table = self.add_weight(shape=(input_shape[1], self.dim), initializer="uniform")
        self.built = True
    def call(self, inputs):
        return inputs + self.table[: ops.shape(inputs)[1]]
""",
        ["[(3, 4)]", "max_len rows from the start"],
    ),
    "01: a variable of TensorFlow's own": (
        "01",
        "grade-learned-layer",
        """
import tensorflow as tf
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def __init__(self, max_len, dim, **kwargs):
        keras.layers.Layer.__init__(self, **kwargs)
        self.rows = tf.Variable(tf.random.normal((max_len, dim)))
    def build(self, input_shape):
        self.built = True
    def call(self, inputs):
        return inputs + self.rows[: inputs.shape[1]]
""",
        ["or a bare `tf.Variable`"],
    ),
    "09: a cache whose softmax overflows": (
        "09",
        "grade-kv-cache",
        """
def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    batch, _, d_model = x.shape
    query, key, value = ((x @ w).reshape(batch, 1, num_heads, -1).transpose(0, 2, 1, 3) for w in (w_query, w_key, w_value))
    if cache is not None:
        key, value = (np.concatenate([old, new], axis=2) for old, new in zip(cache, (key, value)))
    shares = np.exp(query @ key.transpose(0, 1, 3, 2) / np.sqrt(query.shape[-1]))
    merged = (shares / shares.sum(axis=-1, keepdims=True) @ value).transpose(0, 2, 1, 3).reshape(batch, 1, d_model)
    return merged @ w_output, (key, value)
""",
        ["note: ", "large scores become NaN"],
    ),
    "01: products that are complex numbers": (
        "01",
        "grade-dot-products",
        """
_real = dot_products_at_offset
def dot_products_at_offset(pe, offset):
    return np.asarray(_real(pe, offset)).astype(complex)
""",
        ["note: ", "the numbers are complex"],
    ),
    "06: an embedding that drops outside training": (
        "06",
        "grade-token-embedding",
        [("(self.positions(x), training=training)", "(self.positions(x), training=True)")],
        ["Something is dropped outside training"],
    ),
    "06: sines in one half, cosines in the other": (
        "06",
        "grade-token-embedding",
        """
_scaled = TokenEmbedding
class TokenEmbedding(_scaled):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        table = self.positions.table
        self.positions.table = np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)
""",
        ["the sines stand in one half"],
    ),
    "06: a look-ahead mask of fixed length": (
        "06",
        "grade-continuous-model",
        [("create_look_ahead_mask(ops.shape(target)[1])", "create_look_ahead_mask(6)")],
        ["a target of 3 vectors fails"],
    ),
    "06: the networks' biases not counted": (
        "06",
        "grade-model-parameters",
        "_right = transformer_parameter_count\ndef transformer_parameter_count(*args, **kwargs):\n    return _right(*args, **kwargs) - 80\n",
        ["The biases of the feed-forward networks"],
    ),
    "09: top_k=0 taken at its word": (
        "09",
        "grade-sampling",
        """
_right = sample
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    if top_k == 0:
        return np.array([rng.choice(np.arange(4)[:top_k]) for _ in logits])
    return _right(logits, rng, temperature=temperature, top_k=top_k, top_p=top_p)
""",
        ["0 for `top_k` and 1.0 for `top_p` keep all tokens"],
    ),
    "06: a softmax behind tied logits": (
        "06",
        "grade-token-model",
        [("return ops.matmul(x, ops.transpose(", "return ops.softmax(x @ ops.transpose(")],
        ["tied: the outputs add up to 1"],
    ),
    "a step that isn't cast": (
        "07",
        "grade-warmup-schedule",
        SCHEDULE.format(
            "__call__(self, step):\n        return 0.125 * ops.minimum(1 / ops.sqrt(step + 1), (step + 1) * 1e-3)"
        ),
        ["Cast `step`"],
    ),
    "a schedule that float() reads": (
        "07",
        "grade-warmup-schedule",
        SCHEDULE.format(
            "__call__(self, step):\n        n = float(step) + 1\n        return self.d_model**-0.5 * min(n**-0.5, n * self.warmup_steps**-1.5)"
        ),
        ["Compute with `ops`"],
    ),
    "07: what the model takes for padding, left out": (
        "07",
        "grade-masked-accuracy",
        [("ops.not_equal(labels, pad_id)", "ops.not_equal(ops.argmax(logits, axis=-1), pad_id)")],
        ["Leave out where the *label* is padding"],
    ),
    "07: a step that isn't cast before a float is added": (
        "07",
        "grade-warmup-schedule",
        [('ops.cast(step, "float32") + 1.0', "step + 1.0")],
        [
            "note: ",
            "a step that is a whole-number tensor fails",
            "in WarmupSchedule.__call__, the line `number = step + 1.0`",
        ],
    ),
    "07: Python's min of two rates": (
        "07",
        "grade-warmup-schedule",
        [("ops.minimum(number", "min(number")],
        ["There `step` has no value yet", "as a Python `bool` is not allowed."],
    ),
    "07: a rate that asks if": (
        "07",
        "grade-warmup-schedule",
        [
            (
                "        return self.d_model**-0.5 * ops.minimum(number**-0.5,",
                "        if number > self.warmup_steps:\n            return self.d_model**-0.5 * number**-0.5\n"
                "        return self.d_model**-0.5 * (",
            )
        ],
        ["There `step` has no value yet", "as a Python `bool` is not allowed."],
    ),
    "07: a step that NumPy reads": (
        "07",
        "grade-warmup-schedule",
        [('ops.cast(step, "float32") + 1.0', "np.float32(step) + 1.0")],
        ["There `step` has no value yet, and `float`, `min`, `if` and NumPy can't read it. Compute with `ops`."],
    ),
    "07: ops.min of two rates": (
        "07",
        "grade-warmup-schedule",
        [("ops.minimum(number", "ops.min(number")],
        ["`ops.maximum` takes the larger of two arrays, entry by entry, `ops.minimum` the smaller."],
    ),
    "07: a training that moved nothing": (
        "07",
        "grade-trained-model",
        """
BEING_GRADED = False
_trained = build_transformer(len(TOKENS), MAX_LEN, 1, 8, 2, 16)
_test_source, _test_target = to_pairs(draw_numbers(20, seed=1))
""",
        ["train: only ", "Did the loss fall at all?", "`warmup_target`"],
    ),
    "07: a schedule without self": (
        "07",
        "grade-warmup-schedule",
        [("self.d_model**-0.5", "d_model**-0.5")],
        ["`d_model` is an attribute of the object: write `self.d_model`."],
    ),
    **{
        f"07: a model that gets {words}": (
            "07",
            "grade-greedy-decode",
            GREEDY.replace("model([source_ids, ids])", f"model({inputs})"),
            ["greedy_decode: give the model one argument, a list of two arrays: `model([source_ids, ids])`."],
        )
        for words, inputs in (
            ("two arguments", "source_ids, ids"),
            ("two lists", "source_ids.tolist(), ids.tolist()"),
            ("the ids alone", "ids"),
            ("a list of the ids alone", "[ids]"),
            ("a dictionary", "{'source_ids': source_ids, 'target_ids': ids}"),
        )
    },
    "07: a model that is asked for `predict_on_batch` in any case": (
        "07",
        "grade-greedy-decode",
        [("model.predict_on_batch if isinstance(model, keras.Model) else model", "model.predict_on_batch")],
        ["the model of this check is a function without `predict_on_batch`"],
    ),
    "07: labels without the axis to pick along": (
        "07",
        "grade-masked-loss",
        [("labels[..., None], axis=-1)[..., 0]", "labels, axis=-1)")],
        ["These arrays need equally many axes. `x[..., None]`"],
    ),
    "07: new ids that aren't a column": (
        "07",
        "grade-greedy-decode",
        GREEDY.replace("said[:, None]]", "said]"),
        ["These arrays need equally many axes. `x[..., None]`"],
    ),
    "07: losses times truth values": (
        "07",
        "grade-masked-loss",
        [
            ('ops.cast(ops.not_equal(labels, pad_id), "float32")', "ops.not_equal(labels, pad_id)"),
            ("ops.maximum(ops.sum(kept), 1.0)", "ops.maximum(ops.sum(kept), 1)"),
        ],
        ["multiplies by truth values become truth values"],
    ),
    **{
        f"07: a smoothing {words}": ("07", "grade-masked-loss", [(right, wrong)], [f"label smoothing: {said}"])
        for words, right, wrong, said in (
            (
                "that is added to log-probabilities",
                "- label_smoothing * ops",
                "+ label_smoothing * ops",
                "the second term has the wrong sign",
            ),
            (
                "on top of the whole loss",
                "-(1 - label_smoothing) * of_label",
                "-of_label",
                "the first term lacks its factor 1 - ε",
            ),
            (
                "by the model's own probabilities",
                "ops.mean(log_probabilities, axis=-1)",
                "ops.sum(ops.exp(log_probabilities) * log_probabilities, axis=-1)",
                "the second term weighs by the model's own probabilities",
            ),
        )
    },
    "07: padding among the right words": (
        "07",
        "grade-masked-accuracy",
        [("ops.sum(right * kept)", "ops.sum(right)")],
        ["the padding is counted above the fraction line, but not below"],
    ),
    "07: the one largest logit of all": (
        "07",
        "grade-masked-accuracy",
        [("ops.argmax(logits, axis=-1)", "ops.argmax(logits)")],
        ["Does `ops.argmax` get its axis?"],
    ),
    "07: greedy decoding that reads an unwritten column": (
        "07",
        "grade-greedy-decode",
        [("[:, position - 1]", "[:, -1]")],
        ["the first word is 15", "the last position that is *written*"],
    ),
    **{
        f"07: rows that {words}": (
            "07",
            "grade-greedy-decode",
            GREEDY.replace("ended | (said == eos_id)", ended)
            .replace("said = np.where(ended, 0, ", "new = (")
            .replace(
                "ids, ended = np.concatenate([ids, said",
                "said = np.where(ended, 0, new)\n        ids, ended = np.concatenate([ids, said",
            ),
            said,
        )
        for words, ended, said in (
            (
                "are awake again one padding after their EOS",
                "said == eos_id",
                ["it gets one padding and then speaks again. What has ended stays ended"],
            ),
            (
                "have ended only while the model says so",
                "new == eos_id",
                ["a row that had ended speaks again. What has ended stays ended"],
            ),
        )
    },
    **{
        f"07: a schedule counted from 0 whose first rate is {rate}": (
            "07",
            "grade-warmup-schedule",
            [
                ('ops.cast(step, "float32") + 1.0', 'ops.cast(step, "float32")'),
                ("self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)", formula),
            ],
            [f"the first update (step 0) has the rate {rate}, and it should be positive. Do you count from 1?"],
        )
        for rate, formula in (
            ("0", "self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)"),
            (
                "nan",
                "(self.d_model * number) ** -0.5 * ops.minimum(1.0, (number / self.warmup_steps) ** 1.5)",
            ),
        )
    },
    "07: greedy decoding that returns nothing": (
        "07",
        "grade-greedy-decode",
        "def greedy_decode(model, source_ids, bos_id, eos_id, max_len):\n    pass\n",
        ["it returned None"],
    ),
    "07: a softmax behind the logits of the model that is brought along": (
        "07",
        "code-01",
        """
_build = build_transformer
def build_transformer(*args, **kwargs):
    model = _build(*args, **kwargs)
    return keras.Model(model.inputs, ops.softmax(model.outputs[0]))
""",
        ["leave the softmax out"],
    ),
    "a config that lacks an argument": (
        "07",
        "grade-warmup-schedule",
        SCHEDULE.format("get_config(self):\n        return {'d_model': self.d_model}"),
        ["get_config"],
    ),
    "02: a sum over all rows": (
        "02",
        "grade-softmax",
        [("ops.sum(exponentials, axis=axis, keepdims=True)", "ops.sum(exponentials)")],
        ["all rows together add up to 1"],
    ),
    "02: the largest score of a row, whatever the axis": (
        "02",
        "grade-softmax",
        [("ops.max(x, axis=axis, keepdims=True)", "ops.max(x, axis=-1, keepdims=True)")],
        ["Both run along `axis`"],
    ),
    "02: a sum that keeps no axis, below a maximum that does": (
        "02",
        "grade-softmax",
        [
            (
                "    return exponentials / ops.sum(exponentials, axis=axis, keepdims=True)",
                "    return exponentials / ops.sum(exponentials, axis=axis)",
            ),
        ],
        ["`keepdims=True` keeps it with length 1"],
    ),
    "02: a sum that keeps no axis, where a line above turns something": (
        "02",
        "grade-softmax",
        """
def softmax(x, axis=-1):
    columns = np.array(x).T
    exponentials = np.exp(np.array(x) - columns.max())
    return exponentials / exponentials.sum(axis=axis)
""",
        ["`keepdims=True` keeps it with length 1"],
    ),
    "02: axes counted as if there were always a batch": (
        "02",
        "grade-additive",
        [
            (
                "ops.expand_dims(ops.matmul(query, w_query), -2)",
                "np.asarray(ops.matmul(query, w_query))[:, :, None, :]",
            ),
            ("ops.expand_dims(ops.matmul(key, w_key), -3)", "np.asarray(ops.matmul(key, w_key))[:, None, :, :]"),
        ],
        ["More axes are asked for than there are"],
    ),
    "02: a vector that is turned": (
        "02",
        "grade-additive",
        [("ops.sum(ops.multiply(hidden, v), axis=-1)", "v.T @ np.asarray(hidden)")],
        ["the last axis of the left one and the last but one of the right one"],
    ),
    "02: a hidden key of minus infinity, multiplied": (
        "02",
        "grade-scaled-dot-product",
        [('ops.where(ops.cast(mask, "bool"), -1e9, scores)', "scores + mask * -np.inf")],
        ["such as `mask * -np.inf` where the mask is 0"],
    ),
    "02: scores multiplied by the mask": (
        "02",
        "grade-scaled-dot-product",
        [('ops.where(ops.cast(mask, "bool"), -1e9, scores)', "scores * mask * -1e9")],
        ["their scores are lost, for example in a product with the mask"],
    ),
    "02: the width of the input": (
        "02",
        "grade-projections",
        [
            (
                "return scaled_dot_product_attention(query, key, value)",
                "weights = softmax(ops.matmul(query, ops.swapaxes(key, -1, -2)) / x_query.shape[-1] ** 0.5)\n"
                "    return ops.matmul(weights, value), weights",
            )
        ],
        ["It is key_dim that counts"],
    ),
    "02: scaled twice": (
        "02",
        "grade-projections",
        [("attention(query, key, value)", "attention(query / query.shape[-1] ** 0.5, key, value)")],
        ["divided twice"],
    ),
    "02: values not projected": (
        "02",
        "grade-projections",
        [("ops.matmul(x_value, w_value)", "x_value")],
        ["projected with w_value?"],
    ),
    "02: a variance divided by the root": (
        "02",
        "grade-score-scale",
        [("return std / key_dim**0.5 if scaled else std", "return (key_dim / key_dim**0.5) ** 0.5 if scaled else std")],
        ["divided by c squared"],
    ),
    "02: the axes of length 1 swapped": (
        "02",
        "grade-additive",
        [
            ("ops.expand_dims(ops.matmul(query, w_query), -2)", "ops.expand_dims(ops.matmul(query, w_query), -3)"),
            ("ops.expand_dims(ops.matmul(key, w_key), -3)", "ops.expand_dims(ops.matmul(key, w_key), -2)"),
        ],
        ["Have the two axes of length 1 changed places"],
    ),
    **{
        f"05, {words}": ("05", check, [edit], [said])
        for check, words, edit, said in (
            (
                "grade-layer-norm",
                "layer_norm: squares that are only added up",
                ("variance = ops.mean(ops.square(centred)", "variance = ops.sum(ops.square(centred)"),
                "the squares were added up, but not divided by d",
            ),
            (
                "grade-layer-norm",
                "layer_norm: squares of what isn't centred",
                ("variance = ops.mean(ops.square(centred)", "variance = ops.mean(ops.square(x)"),
                "the mean of the squares of x was taken",
            ),
            (
                "grade-layer-norm",
                "layer_norm: four features",
                (
                    "ops.mean(ops.square(centred), axis=-1, keepdims=True)",
                    "ops.sum(centred**2, axis=-1, keepdims=True) / 4",
                ),
                "Does a number of features stand in your code",
            ),
            (
                "grade-layer-norm",
                "layer_norm: epsilon as the least variance",
                ("variance + epsilon", "ops.maximum(variance, epsilon)"),
                "It is added to the variance, whatever the variance is.",
            ),
            (
                "grade-feed-forward",
                "feed-forward: half of the rate",
                ("keras.layers.Dropout(dropout)", "keras.layers.Dropout(dropout / 2)"),
                "of 2000 tokens in training, and should be in about 30% of them",
            ),
            (
                "grade-feed-forward",
                "feed-forward: the share that stays as the rate",
                ("keras.layers.Dropout(dropout)", "keras.layers.Dropout(1 - dropout if dropout else 0)"),
                "of 2000 tokens in training, and should be in about 30% of them",
            ),
            (
                "grade-feed-forward",
                "feed-forward: a rate of its own",
                ("keras.layers.Dropout(dropout)", "keras.layers.Dropout(0.5 if dropout else 0)"),
                "of 2000 tokens in training, and should be in about 30% of them",
            ),
            (
                "grade-feed-forward",
                "feed-forward: a size as a number",
                ("keras.layers.Dense(ff_dim,", "keras.layers.Dense(20,"),
                "Does a size stand in the layer as a number?",
            ),
            (
                "grade-feed-forward",
                "feed-forward: the features as a number",
                ("keras.layers.Dense(d_model)", "keras.layers.Dense(6)"),
                "(batch, seq_len, d_model) for d_model 3 and ff_dim 5",
            ),
            (
                "grade-layer-norm",
                "layer_norm: Keras's epsilon",
                ("epsilon=1e-6):", "epsilon=1e-3):"),
                "the default of epsilon is 1e-3 here",
            ),
            (
                "grade-layer-norm",
                "layer_norm: an epsilon of 1e-5",
                ("epsilon=1e-6):", "epsilon=1e-5):"),
                "the default of epsilon is 1e-5 here",
            ),
            (
                "grade-layer-norm",
                "layer_norm: a mean in whole numbers",
                ("ops.mean(x, axis=-1, keepdims=True)", "ops.floor(ops.mean(x, axis=-1, keepdims=True))"),
                "the mean was rounded to a whole number",
            ),
            (
                "grade-feed-forward",
                "feed-forward: a dropout that multiplies by noise",
                ("keras.layers.Dropout(dropout)", "keras.layers.GaussianDropout(dropout)"),
                "a hidden unit is 0 in 0% of 2000 tokens",
            ),
            (
                "grade-feed-forward",
                "feed-forward: whole tokens dropped",
                ("keras.layers.Dropout(dropout)", "keras.layers.Dropout(dropout, noise_shape=(None, None, 1))"),
                "or all hidden units of a token are dropped at once",
            ),
            (
                "grade-feed-forward",
                "feed-forward: the same units dropped in all sequences",
                ("keras.layers.Dropout(dropout)", "keras.layers.Dropout(dropout, noise_shape=(1, None, None))"),
                "all sequences of a batch lose the same units",
            ),
            (
                "grade-feed-forward",
                "feed-forward: gelu",
                ('activation="relu"', 'activation="gelu"'),
                "the activation function between the two layers is GELU",
            ),
            (
                "grade-feed-forward",
                "feed-forward: silu",
                ('activation="relu"', 'activation="silu"'),
                "Is the activation function between the two layers ReLU",
            ),
            (
                "grade-feed-forward",
                "feed-forward: a residual",
                ("return self.output_dense(", "return x + self.output_dense("),
                "The residual isn't part of this network",
            ),
            (
                "grade-feed-forward",
                "feed-forward: a layer that is made of a tensor",
                ("self.dropout(self.hidden(x))", "keras.layers.Dropout(self.hidden(x))"),
                "Here a tensor stands where a setting belongs.",
            ),
        )
    },
    "05, feed-forward: a dropout that can't be compiled while the batch is open": (
        "05",
        "grade-feed-forward",
        """
class FeedForward(FeedForward):
    def call(self, x, training=False):
        hidden = self.hidden(x)
        if training and self.rate:
            hidden = hidden * (np.random.rand(*hidden.shape) > self.rate) / (1 - self.rate)
        return self.output_dense(hidden)
""",
        ["note: ", "it fails where `fit` compiles it"],
    ),
    **{
        f"05, encoder: {words}": ("05", "grade-encoder-block", edits, [said])
        for words, edits, said in (
            (
                "one head",
                [("MultiHeadAttention(d_model, num_heads)", "MultiHeadAttention(d_model, 1)")],
                "one head gives what four heads give",
            ),
            (
                "a dropout of half the rate behind the network",
                [
                    (
                        "self.dropout_2 = keras.layers.Dropout(dropout)",
                        "self.dropout_2 = keras.layers.Dropout(dropout / 2)",
                    )
                ],
                "of what the feed-forward network gives is 0 in training, and about 30% should be",
            ),
            (
                "a size as a number",
                [("FeedForward(ff_dim, d_model, dropout)", "FeedForward(64, d_model, dropout)")],
                "Does a size stand in the block as a number?",
            ),
            *(
                (
                    f"post-norm {words}",
                    [("return self.norm_2(x + self.dropout_2(self.feed_forward(x)))", wrong)],
                    said,
                )
                for words, wrong, said in (
                    ("without return", "self.norm_2(x + self.dropout_2(self.feed_forward(x)))", "it returned None"),
                    (
                        "that always drops",
                        "return self.norm_2(x + self.dropout_2(self.feed_forward(x), training=True))",
                        "post-norm: nothing is dropped outside training",
                    ),
                )
            ),
            (
                "post-norm that normalises first",
                [
                    (
                        "x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))",
                        "x = self.norm_1(x)\n        x = x + self.dropout_1(self.attention(x, x, x, mask=mask))",
                    )
                ],
                "is x normalised before the attention reads it",
            ),
            (
                "post-norm that hides the future by itself",
                [
                    (
                        "x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))",
                        "mask = np.triu(np.ones((x.shape[1],) * 2), 1) if mask is None else mask\n"
                        "        x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))",
                    )
                ],
                "post-norm: without a mask the last token has no effect on the first",
            ),
            (
                "another name for the mask",
                [
                    (
                        "def call(self, x, mask=None):",
                        "def call(self, x, attention_mask=None):\n        mask = attention_mask",
                    )
                ],
                "Compare the call with what the function takes.",
            ),
            *(
                (
                    f"a network of {words}",
                    [
                        (
                            "self.feed_forward = FeedForward(ff_dim, d_model, dropout)",
                            f"self.feed_forward = keras.Sequential([keras.layers.Dense(ff_dim, {inner!r}), "
                            f"keras.layers.Dropout(dropout), keras.layers.Dense(d_model, {outer!r})])",
                        )
                    ],
                    said,
                )
                for words, inner, outer, said in (
                    ("gelu", "gelu", None, "is no ReLU: max(0, x)"),
                    ("a ReLU at its end", None, "relu", "nothing that the feed-forward network adds is below 0"),
                )
            ),
        )
    },
    **{
        f"05, encoder: {words} of the rate behind the attention": (
            "05",
            "grade-encoder-block",
            [("self.dropout_1 = keras.layers.Dropout(dropout)", f"self.dropout_1 = keras.layers.Dropout({rate})")],
            ["EncoderBlock: ", "of what the attention gives is 0 in training, and about 30% should be"],
        )
        for words, rate in (("half", "dropout / 2"), ("twice", "2 * dropout"))
    },
    **{
        f"05, {task}: weights that come with what {words} attention gives": (
            "05",
            f"grade-{task}-block",
            [(right, right.replace(")", ", return_attention_scores=True)"))],
            ["Some functions return a pair, as attention does"],
        )
        for task, words, right in (
            ("encoder", "the", "self.attention(normed, normed, normed, mask=mask)"),
            ("decoder", "the second", "self.cross_attention(y, memory, memory, mask=memory_mask)"),
        )
    },
    **{
        f"05, encoder: two dropouts behind the {part}": (
            "05",
            "grade-encoder-block",
            [(f"{dropout}({right})", f"{dropout}({dropout}({right}))")],
            ["note: ", f"of what the {part} gives is 0 in training, and about 30% should be"],
        )
        for part, dropout, right in (
            ("attention", "self.dropout_1", "self.attention(normed, normed, normed, mask=mask)"),
            ("feed-forward network", "self.dropout_2", "self.feed_forward(self.norm_2(x))"),
        )
    },
    **{
        f"05, {task}: a network that {words}": (
            "05",
            f"grade-{task}-block",
            edits,
            [said, "made in `__init__` and called?"],
        )
        for task, said, words, edits in (
            *(
                ("encoder", "it has 672 parameters, but 2284 are right", words, edits)
                for words, edits in (
                    (
                        "isn't called",
                        [("self.feed_forward(self.norm_2(x))", "self.norm_2(x)"), ("self.feed_forward(x)", "x")],
                    ),
                    (
                        "is made in each call",
                        [
                            (f"self.feed_forward({x})", f"FeedForward(64, x.shape[-1])({x})")
                            for x in ("self.norm_2(x)", "x")
                        ],
                    ),
                )
            ),
            *(
                ("decoder", "it has 1320 parameters, but 2932 are right", words, [edit])
                for words, edit in (
                    ("isn't called", ("            self.feed_forward,", "            lambda y: y,")),
                    (
                        "is made in each call",
                        (
                            "= FeedForward(ff_dim, d_model, dropout)",
                            "= lambda y: FeedForward(ff_dim, d_model, dropout)(y)",
                        ),
                    ),
                )
            ),
        )
    },
    **{
        f"05, decoder: post-norm {words}": (
            "05",
            "grade-decoder-block",
            "class DecoderBlock(DecoderBlock):\n"
            "    def call(self, x, memory, self_mask=None, memory_mask=None):\n"
            "        y = super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)\n"
            f"        return y if self.norm_first else {wrong}\n",
            [said],
        )
        for words, wrong, said in (
            ("without return", "None", "it returned None"),
            ("that always drops", "self.norms[2](self.dropouts[2](y, training=True))", "post-norm: nothing is dropped"),
        )
    },
    "05, encoder: heads and their width exchanged": (
        "05",
        "grade-encoder-block",
        """
class EncoderBlock(EncoderBlock):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(d_model, num_heads, ff_dim, dropout, norm_first, **kwargs)
        self.within = keras.layers.MultiHeadAttention(d_model // num_heads, num_heads)
        self.attention = lambda q, k, v, mask=None: self.within(q, v, k, attention_mask=None if mask is None else ops.equal(mask, 0))
""",
        ["Keras's attention has 3 heads"],
    ),
    "05, decoder: what the target holds added to the memory": (
        "05",
        "grade-decoder-block",
        [
            (
                "self.cross_attention(y, memory, memory,",
                "self.cross_attention(y, memory + y[:, :1], memory + y[:, :1],",
            )
        ],
        ["Is something of the target added to the memory?"],
    ),
    "05, decoder: masks in the other order": (
        "05",
        "grade-decoder-block",
        [("self_mask=None, memory_mask=None", "memory_mask=None, self_mask=None")],
        ["If it is the mask that doesn't fit"],
    ),
    "05, decoder: post-norm whose second normalisation comes first": (
        "05",
        "grade-decoder-block",
        """
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        if self.norm_first:
            return super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        x = self.norms[0](x + self.dropouts[0](self.self_attention(x, x, x, mask=self_mask)))
        y = self.norms[1](x)
        x = y + self.dropouts[1](self.cross_attention(y, memory, memory, mask=memory_mask))
        return self.norms[2](x + self.dropouts[2](self.feed_forward(x)))
""",
        ["reads a second sum that isn't normalised"],
    ),
    "05: a count that is a text": (
        "05",
        "grade-block-parameters",
        [("return attention + feed_forward + 2 * norm", "return str(attention + feed_forward + 2 * norm)")],
        ["it returned a text, not a number"],
    ),
    "05, layer_norm: ^ for a power": (
        "05",
        "grade-layer-norm",
        [("ops.square(centred)", "centred ^ 2")],
        ["In Python `^` isn't a power"],
    ),
    "05, encoder: arrays that are to be added, one after the other": (
        "05",
        "grade-encoder-block",
        [
            (
                "return x + self.dropout_2(self.feed_forward(self.norm_2(x)))",
                "return keras.layers.Add()(x, self.feed_forward(self.norm_2(x)))",
            )
        ],
        ["take them as one list: `Add()([a, b])`"],
    ),
    "05, encoder: arrays that are to be added, given to the function that adds": (
        "05",
        "grade-encoder-block",
        [
            (
                "return x + self.dropout_2(self.feed_forward(self.norm_2(x)))",
                "return keras.layers.add(x, self.feed_forward(self.norm_2(x)))",
            )
        ],
        ["take them as one list: `Add()([a, b])`"],
    ),
    "05, encoder: the network before the attention": (
        "05",
        "grade-encoder-block",
        [
            (
                """            normed = self.norm_1(x)
            x = x + self.dropout_1(self.attention(normed, normed, normed, mask=mask))
            return x + self.dropout_2(self.feed_forward(self.norm_2(x)))""",
                """            x = x + self.dropout_2(self.feed_forward(self.norm_2(x)))
            normed = self.norm_1(x)
            return x + self.dropout_1(self.attention(normed, normed, normed, mask=mask))""",
            )
        ],
        ["nothing reads the network"],
    ),
    "05, encoder: the network before the attention in post-norm": (
        "05",
        "grade-encoder-block",
        [
            (
                """        x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))
        return self.norm_2(x + self.dropout_2(self.feed_forward(x)))""",
                """        x = self.norm_1(x + self.dropout_2(self.feed_forward(x)))
        return self.norm_2(x + self.dropout_1(self.attention(x, x, x, mask=mask)))""",
            )
        ],
        ["reads tokens that no normalisation has seen"],
    ),
    "05, decoder: the network first in post-norm": (
        "05",
        "grade-decoder-block",
        """
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        if self.norm_first:
            return super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        x = self.norms[0](x + self.dropouts[2](self.feed_forward(x)))
        x = self.norms[1](x + self.dropouts[0](self.self_attention(x, x, x, mask=self_mask)))
        return self.norms[2](x + self.dropouts[1](self.cross_attention(x, memory, memory, mask=memory_mask)))
""",
        ["reads tokens that no normalisation has seen"],
    ),
    "05, encoder: normalised tokens added besides": (
        "05",
        "grade-encoder-block",
        [("x = x + self.dropout_1(self.attention(normed,", "x = x + normed + self.dropout_1(self.attention(normed,")],
        ["Something besides what the sublayers give is added"],
    ),
    **{
        f"05, {task}: a mask times infinity": (
            "05",
            f"grade-{task}-block",
            OWN_ATTENTION % {"masked": "scores + ops.cast(mask, 'float32') * -np.inf", "weights": SOFTMAX},
            ["there is a NaN", "such as `mask * -np.inf`"],
        )
        for task in ("encoder", "decoder")
    },
    **{
        f"05, {task}: a softmax that overflows": (
            "05",
            f"grade-{task}-block",
            OWN_ATTENTION
            % {
                "masked": "ops.where(ops.cast(mask, 'bool'), -1e9, scores)",
                "weights": "ops.exp(scores) / ops.sum(ops.exp(scores), axis=-1, keepdims=True)",
            },
            ["post-norm, larger tokens: there is a NaN", "Does the softmax take off the maximum?"],
        )
        for task in ("encoder", "decoder")
    },
    "05, encoder: a sublayer that takes nothing": (
        "05",
        "grade-encoder-block",
        [
            (
                "self.feed_forward = FeedForward(ff_dim, d_model, dropout)",
                "self.feed_forward = lambda: FeedForward(ff_dim, d_model, dropout)",
            )
        ],
        ["Compare the call with what the function takes."],
    ),
    "05: a mean over the batch too": (
        "05",
        "grade-layer-norm",
        """
def layer_norm(x, gamma, beta, epsilon=1e-6):
    mean = np.mean(x, axis=(0, -1), keepdims=True)
    variance = np.var(x, axis=(0, -1), keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + epsilon) + beta
""",
        ["over the batch too"],
    ),
    "05: a mean over batch and tokens": (
        "05",
        "grade-layer-norm",
        """
def layer_norm(x, gamma, beta, epsilon=1e-6):
    mean, variance = np.mean(x, axis=(0, 1), keepdims=True), np.var(x, axis=(0, 1), keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + epsilon) + beta
""",
        ["over batch and tokens"],
    ),
    "05: a mean over all but the batch": (
        "05",
        "grade-layer-norm",
        """
def layer_norm(x, gamma, beta, epsilon=1e-6):
    axes = tuple(range(1, x.ndim))
    x = x - np.mean(x, axis=axes, keepdims=True)
    return gamma * x / np.sqrt(np.mean(x**2, axis=axes, keepdims=True) + epsilon) + beta
""",
        ["over a whole sequence"],
    ),
    "05: epsilon squared": (
        "05",
        "grade-layer-norm",
        """
def layer_norm(x, gamma, beta, epsilon=1e-6):
    mean, variance = np.mean(x, axis=-1, keepdims=True), np.var(x, axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + epsilon**2) + beta
""",
        ["epsilon was squared"],
    ),
    "07: source and target change places": (
        "07",
        "grade-greedy-decode",
        [("logits_of([source_ids, ids])", "logits_of([ids, source_ids])")],
        ["behind the end of an axis", "arguments out of order"],
    ),
    "02: the units not summed": (
        "02",
        "grade-additive",
        [("ops.sum(ops.multiply(hidden, v), axis=-1)", "ops.multiply(hidden, v)")],
        ["the units, the last axis, are summed up"],
    ),
    "02: every query meets one key": (
        "02",
        "grade-additive",
        [
            ("ops.expand_dims(ops.matmul(query, w_query), -2)", "ops.matmul(query, w_query)"),
            ("ops.expand_dims(ops.matmul(key, w_key), -3)", "ops.matmul(key, w_key)"),
        ],
        ["Every query has to meet every key inside the tanh"],
    ),
    "02: a product of query and key": (
        "02",
        "grade-additive",
        [("ops.tanh(projected_query + projected_key)", "ops.tanh(projected_query * projected_key)")],
        ["They are added"],
    ),
    "02: the tanh of the score": (
        "02",
        "grade-additive",
        [
            ("ops.tanh(projected_query + projected_key)", "projected_query + projected_key"),
            (
                "softmax(ops.sum(ops.multiply(hidden, v), axis=-1))",
                "softmax(ops.tanh(ops.sum(ops.multiply(hidden, v), axis=-1)))",
            ),
        ],
        ["before `v`"],
    ),
    "02: additive scores instead of weights": (
        "02",
        "grade-additive",
        [
            (
                "weights = softmax(ops.sum(ops.multiply(hidden, v), axis=-1))",
                "weights = ops.sum(ops.multiply(hidden, v), axis=-1)",
            )
        ],
        ["these are the scores themselves"],
    ),
    "a schedule's config with super": (
        "07",
        "grade-warmup-schedule",
        [('return {"d_model": self.d_model,', 'return {**super().get_config(), "d_model": self.d_model,')],
        ["without `super()`"],
    ),
    "a pair of which one row is shorter": (
        "07",
        "grade-teacher-forcing",
        "def teacher_forcing_pairs(target_ids):\n    return target_ids, target_ids[:, 1:]\n",
        ["decoder_input", "(2, 5)"],
    ),
    "a ready-made loss of probabilities": (
        "07",
        "grade-masked-loss",
        [
            ('log_probabilities = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)', ""),
            (
                "of_label = ops.take_along_axis(log_probabilities, labels[..., None], axis=-1)[..., 0]",
                "of_label = -keras.losses.sparse_categorical_crossentropy(labels, logits)",
            ),
            ("label_smoothing * ops.mean(log_probabilities, axis=-1)", "0"),
        ],
        ["from_logits=True"],
    ),
    "a smoothed share that is a sum": (
        "07",
        "grade-masked-loss",
        [("ops.mean(log_probabilities, axis=-1)", "ops.sum(log_probabilities, axis=-1)")],
        ["the share ε is not divided by the number of tokens"],
    ),
    "the best position of each word": (
        "07",
        "grade-masked-accuracy",
        [("ops.argmax(logits, axis=-1)", "ops.argmax(logits, axis=1)")],
        ["along the positions"],
    ),
    "rows that end where they like": (
        "07",
        "grade-greedy-decode",
        [
            (
                "            return ids[:, : position + 1]",
                "            return [row[: 1 + int((row != 0).sum())] for row in ids]",
            )
        ],
        ["fill the shorter ones up"],
    ),
    **{
        f"07: {words}": (
            "07",
            "code-01",
            f"""
_build_transformer = build_transformer
def build_transformer(*args, **kwargs):
    model = _build_transformer(*args, **kwargs)
    for layer in model.layers:
        if type(layer).__name__ == "NotPadding":
            layer.call = lambda ids: {mask}[:, None, :]
    return model
""",
            ["Look at the padding mask"],
        )
        for words, mask in (
            ("a padding mask upside down", "ops.equal(ids, 0)"),
            ("no padding mask", "ops.not_equal(ids, -1)"),
        )
    },
    "a loss of NumPy": (
        "07",
        "grade-masked-loss",
        LOSS.replace("ops.cast(labels, ", "np.asarray(labels).astype("),
        ["note", "keras.ops"],
    ),
    "07: words of all positions": (
        "07",
        "grade-greedy-decode",
        """
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids, ended = np.full((len(source_ids), 1), bos_id), np.zeros(len(source_ids), bool)
    for _ in range(max_len - 1):
        said = np.where(ended, 0, to_numpy(model([source_ids, ids])).argmax(-1))
        ids = np.append(ids, said, axis=1)
        ended |= said == eos_id
    return ids
""",
        ["has more axes, or longer ones, than the array that it is written into", "as by `[:, -1]`"],
    ),
    "an accuracy of NumPy": (
        "07",
        "grade-masked-accuracy",
        "def masked_accuracy(labels, logits, pad_id=0):\n    labels = np.asarray(labels)\n    kept = labels != pad_id\n"
        "    return ((np.asarray(logits).argmax(-1) == labels) & kept).sum() / max(kept.sum(), 1)\n",
        ["note", "keras.ops"],
    ),
    "0 / 0 where all is padding": (
        "07",
        "grade-masked-loss",
        LOSS.replace("ops.maximum(ops.sum(kept), 1.0)", "ops.sum(kept)"),
        ["0 / 0"],
    ),
    "the logarithm of a softmax": (
        "07",
        "grade-masked-loss",
        LOSS.replace(
            'ops.log_softmax(ops.cast(logits, "float32"), axis=-1)', 'ops.log(ops.softmax(ops.cast(logits, "float32")))'
        ),
        ["ops.log_softmax"],
    ),
    "rows that go on after EOS": (
        "07",
        "grade-greedy-decode",
        GREEDY.replace("np.where(ended, 0, ", "(").replace("argmax(-1))", "argmax(-1))"),
        ["padding (0)"],
    ),
    "decoding that never stops": (
        "07",
        "grade-greedy-decode",
        GREEDY.replace(" and not ended.all()", ""),
        ["stop as soon as"],
    ),
    "truth values subtracted": (
        "08",
        "grade-fix-inverted-mask",
        "def causal_self_attention(layer, x):\n    places = ops.arange(x.shape[1])\n"
        "    is_later = places[None, :] > places[:, None]\n    return layer(x, x, attention_mask=(1 - is_later)[None])\n",
        ["truth values"],
    ),
    "the last input changed by 1": (
        "08",
        "grade-detect-inverted-mask",
        "def detect_inverted_mask(attend):\n    x = np.random.default_rng(0).normal(size=(1, 8, 6)).astype('float32')\n    changed = x.copy()\n"
        "    changed[:, -1] += 1\n    return np.abs(to_numpy(attend(changed)) - to_numpy(attend(x)))[:, :-1].max() > 1e-4\n",
        ['your check says "healthy", but it is broken'],
    ),
    "scales tried with four features a head": (
        "08",
        "grade-detect-head-scaling",
        [("((3, 5), (5, 3))", "((2, 4), (9, 4))")],
        ["rounded", 'your check says "healthy", but it is broken'],
    ),
    "zeros against ones": (
        "08",
        "grade-detect-dropped-feed-forward",
        [("(first, second)]", "(0 * first, 0 * first + 1)]")],
        ["normalises at the end", 'your check says "broken", but it is healthy'],
    ),
    "is it called?": (
        "08",
        "grade-detect-dropped-feed-forward",
        "def detect_dropped_feed_forward(block):\n    calls = []\n    block(np.ones((1, 3, 8), 'float32'), lambda h: calls.append(1) or h)\n    return not calls\n",
        ["forgets the answer", 'your check says "healthy", but it is broken'],
    ),
    "masking in one draw": (
        "09",
        "grade-mask-tokens",
        [("fate = rng.random(token_ids.shape)", "fate = rng.random()")],
        ["for each token by itself"],
    ),
    "80, 20 and 0 %": ("09", "grade-mask-tokens", [("fate < 0.9", "fate < 1.0")], ["reads as itself, not about 0.1"]),
    "top-p without the token that reaches p": (
        "09",
        "grade-sampling",
        [("chances[before >= top_p] = 0.0", "chances[:, 1:][np.cumsum(chances, axis=-1)[:, 1:] > top_p] = 0.0")],
        ["0.5 alone doesn't reach 0.6"],
    ),
    "one random number for all rows": (
        "09",
        "grade-sampling",
        [("rng.random((len(logits), 1))", "rng.random()")],
        ["every row needs its own"],
    ),
    "a cache without the scale": (
        "09",
        "grade-kv-cache",
        [(" / np.sqrt(query.shape[-1])", "")],
        ["not divided by the root of head_dim"],
    ),
    "a cache with the root of d_model": (
        "09",
        "grade-kv-cache",
        [("np.sqrt(query.shape[-1])", "np.sqrt(d_model)")],
        ["root of d_model"],
    ),
    "a cache the wrong way round": (
        "09",
        "grade-kv-cache",
        [("[cache[0], keys]", "[keys, cache[0]]")],
        ["in front of the old ones"],
    ),
    "09: blocks of one head, whatever num_heads is": (
        "09",
        "grade-encoder-only",
        [("EncoderBlock(d_model, num_heads, ff_dim, dropout)", "EncoderBlock(d_model, 1, ff_dim, dropout)")],
        ["one head gives the same logits as two"],
    ),
    "09: positions that are learned unless told otherwise": (
        "09",
        "grade-encoder-only",
        [("dropout=0.1, learned_positions=False", "dropout=0.1, learned_positions=True")],
        ["without learned_positions=True too"],
    ),
    "09: any arguments, handed on without learned_positions": (
        "09",
        "grade-decoder-only",
        """
_build = build_decoder_lm
def build_decoder_lm(*args, **kwargs):
    kwargs.pop("learned_positions", None)
    return _build(*args, **kwargs)
""",
        ["72 more parameters, but there are 0 more"],
    ),
    "05: post-norm, the attention isn't dropped": (
        "05",
        "grade-encoder-block",
        [
            (
                "x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))",
                "x = self.norm_1(x + self.attention(x, x, x, mask=mask))",
            )
        ],
        ["nothing of what the attention gives is dropped"],
    ),
    "05: post-norm, the network isn't dropped": (
        "05",
        "grade-encoder-block",
        [
            (
                "return self.norm_2(x + self.dropout_2(self.feed_forward(x)))",
                "return self.norm_2(x + self.feed_forward(x))",
            )
        ],
        ["with norm_first=False nothing of what the feed-forward network gives is dropped"],
    ),
    "05: post-norm, the network reads the x that came in": (
        "05",
        "grade-encoder-block",
        [
            (
                "x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))",
                "y = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))",
            ),
            (
                "return self.norm_2(x + self.dropout_2(self.feed_forward(x)))",
                "return self.norm_2(y + self.dropout_2(self.feed_forward(x)))",
            ),
        ],
        ["each later one reads what the normalisation before it gave"],
    ),
    "05: post-norm, the attention reads normalised tokens": (
        "05",
        "grade-encoder-block",
        [
            (
                "x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))",
                "y = self.norm_1(x)\n        x = self.norm_1(x + self.dropout_1(self.attention(y, y, y, mask=mask)))",
            )
        ],
        ["The first sublayer reads the x that came in"],
    ),
    "05: post-norm, the network reads what is normalised twice": (
        "05",
        "grade-encoder-block",
        [
            (
                "self.norm_2(x + self.dropout_2(self.feed_forward(x)))",
                "self.norm_2(x + self.dropout_2(self.feed_forward(self.norm_2(x))))",
            )
        ],
        ["it shows where γ isn't 1", "normalised once too often: on its way"],
    ),
    "05: post-norm, the cross-attention reads what is normalised twice": (
        "05",
        "grade-decoder-block",
        POST_NORM_DECODER.replace("cross_attention(y", "cross_attention(n1(y)"),
        ["it shows where γ isn't 1"],
    ),
    "05: the memory comes back, too": (
        "05",
        "grade-decoder-block",
        """
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, **masks):
        return super().call(x, memory, **masks), memory
""",
        ["2 arrays came back"],
    ),
    "05: Keras's attention with the target's keys": (
        "05",
        "grade-decoder-block",
        [
            (
                "self.cross_attention = MultiHeadAttention(d_model, num_heads)",
                "self.cross_attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)",
            ),
            ("self.cross_attention(y, memory, memory, mask=memory_mask)", "self.cross_attention(y, memory, y)"),
        ],
        ["takes (query, value, key), in this order"],
    ),
    "05: a condition turned round": (
        "05",
        "grade-encoder-block",
        [("if d_model % num_heads:", "if not d_model % num_heads:")],
        ["This is a `raise` of your own code", "condition turned round"],
    ),
    "05: post-norm, the self-attention isn't dropped": (
        "05",
        "grade-decoder-block",
        POST_NORM_DECODER.replace("d0(", "("),
        ["nothing of what the self-attention gives is dropped"],
    ),
    "05: post-norm, the cross-attention isn't dropped": (
        "05",
        "grade-decoder-block",
        POST_NORM_DECODER.replace("d1(", "("),
        ["with norm_first=False nothing of what the cross-attention gives is dropped"],
    ),
    "05: post-norm, the decoder's network isn't dropped": (
        "05",
        "grade-decoder-block",
        POST_NORM_DECODER.replace("d2(", "("),
        ["with norm_first=False nothing of what the feed-forward network gives is dropped"],
    ),
    "05: post-norm, queries of the memory from the x that came in": (
        "05",
        "grade-decoder-block",
        POST_NORM_DECODER.replace("cross_attention(y", "cross_attention(x"),
        ["each later one reads what the normalisation before it gave"],
    ),
    "05: post-norm, the decoder's network reads the x that came in": (
        "05",
        "grade-decoder-block",
        POST_NORM_DECODER.replace("feed_forward(z)", "feed_forward(x)"),
        ["each later one reads what the normalisation before it gave"],
    ),
    **{
        f"05, decoder: {words}": ("05", "grade-decoder-block", block.replace(right, wrong), [said])
        for block, words, right, wrong, said in (
            *(
                (PRE_NORM_DECODER, words, "self.self_attention(n, n, n, mask=self_mask)", wrong, said)
                for words, wrong, said in (
                    (
                        "a norm behind the self-attention instead of before it",
                        "n0(self.self_attention(x, x, x, mask=self_mask))",
                        "Does the self-attention get normalised tokens, as queries, keys and values?",
                    ),
                    (
                        "queries of the self-attention that aren't normalised",
                        "self.self_attention(x, n, n, mask=self_mask)",
                        "Does the self-attention get normalised tokens, as queries, keys and values?",
                    ),
                    (
                        "keys of the self-attention that aren't normalised",
                        "self.self_attention(n, x, n, mask=self_mask)",
                        "Does the self-attention get normalised tokens, as queries, keys and values?",
                    ),
                    (
                        "a norm behind the self-attention, too",
                        "n0(self.self_attention(n, n, n, mask=self_mask))",
                        "Does something normalise what the self-attention gives?",
                    ),
                )
            ),
            (
                PRE_NORM_DECODER,
                "queries of the cross-attention that aren't normalised alone",
                "cross_attention(n1(y)",
                "cross_attention(y + n1(y)",
                "Do both attentions get the normalised tokens",
            ),
            *(
                (
                    PRE_NORM_DECODER,
                    f"a norm behind the cross-attention{words}",
                    "self.cross_attention(n1(y), memory, memory, mask=memory_mask)",
                    f"n1(self.cross_attention({query}, memory, memory, mask=memory_mask))",
                    "or is what the cross-attention gives?",
                )
                for words, query in ((" instead of before it", "y"), (", too", "n1(y)"))
            ),
            *(
                (
                    PRE_NORM_DECODER,
                    f"a norm behind the network{words}",
                    "self.feed_forward(n2(z))",
                    f"n2(self.feed_forward({read}))",
                    "Is what it gives normalised",
                )
                for words, read in ((" instead of before it", "z"), (", too", "n2(z)"))
            ),
            (
                POST_NORM_DECODER,
                "post-norm, a norm before the self-attention's sum, too",
                "self.self_attention(x, x, x, mask=self_mask)",
                "n0(self.self_attention(x, x, x, mask=self_mask))",
                "Or is what one of them gives normalised before its sum?",
            ),
            (
                POST_NORM_DECODER,
                "post-norm, a norm before the cross-attention's sum, too",
                "self.cross_attention(y, memory, memory, mask=memory_mask)",
                "n1(self.cross_attention(y, memory, memory, mask=memory_mask))",
                "Or is the cross-attention's output normalised before its sum?",
            ),
            (
                POST_NORM_DECODER,
                "post-norm, a norm before the network's sum, too",
                "self.feed_forward(z)",
                "n2(self.feed_forward(z))",
                "or between a sublayer and its sum?",
            ),
        )
    },
    **{
        f"05, encoder: {words}": ("05", "grade-encoder-block", [(right, wrong)], [said])
        for words, right, wrong, said in (
            (
                "a norm behind the attention, too",
                "self.attention(normed, normed, normed, mask=mask)",
                "self.norm_1(self.attention(normed, normed, normed, mask=mask))",
                "Does something normalise what the attention gives?",
            ),
            (
                "a norm behind the network instead of before it",
                "self.feed_forward(self.norm_2(x))",
                "self.norm_2(self.feed_forward(x))",
                "Is what it gives normalised",
            ),
            (
                "a norm behind the network, too",
                "self.feed_forward(self.norm_2(x))",
                "self.norm_2(self.feed_forward(self.norm_2(x)))",
                "Is what it gives normalised",
            ),
            (
                "post-norm, a norm before the attention's sum, too",
                "self.attention(x, x, x, mask=mask)",
                "self.norm_1(self.attention(x, x, x, mask=mask))",
                "Or is what one of them gives normalised before its sum?",
            ),
            (
                "post-norm, a norm before the network's sum, too",
                "self.feed_forward(x)",
                "self.norm_2(self.feed_forward(x))",
                "or between a sublayer and its sum?",
            ),
            (
                "post-norm, a norm before the attention's sum instead of behind it",
                "x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))",
                "x = x + self.norm_1(self.dropout_1(self.attention(x, x, x, mask=mask)))",
                "where epsilon decides: Does each normalisation stand behind its sum",
            ),
        )
    },
    "05, encoder: a mask that is a number where there is none": (
        "05",
        "grade-encoder-block",
        [
            (OF_OURS, KERAS_ATTENTION),
            ("self.attention(normed, normed, normed, mask=mask)", NEGATED % "1 - (mask or 0)"),
        ],
        ["Is it a single number where there is no mask? Hand on `None` there."],
    ),
    **{
        f"05, feed-forward: {words}": ("05", "grade-feed-forward", [(right, wrong)], [said])
        for words, right, wrong, said in (
            (
                "a layer's class for the activation",
                'activation="relu"',
                "activation=keras.layers.ReLU",
                "An activation is a name or a function",
            ),
            (
                "a layer that isn't called",
                "self.dropout(self.hidden(x))",
                "self.dropout(self.hidden)",
                "A layer itself is handed over",
            ),
            (
                "layers that are made in each call",
                "self.output_dense(self.dropout(self.hidden(x)))",
                'keras.layers.Dense(6)(self.dropout(keras.layers.Dense(20, activation="relu")(x)))',
                "Are both dense layers made in `__init__` and called?",
            ),
        )
    },
    "05: post-norm, the decoder's network reads the first sum": (
        "05",
        "grade-decoder-block",
        POST_NORM_DECODER.replace("feed_forward(z)", "feed_forward(y)"),
        ["The feed-forward network reads what the second normalisation gave"],
    ),
    "a decoder that sees padding": (
        "09",
        "grade-decoder-only",
        [("create_decoder_mask(token_ids)", "create_decoder_mask(ops.ones_like(token_ids))")],
        ["padding in front", "reaches the tokens behind it"],
    ),
    "a decoder mask of NumPy": (
        "09",
        "grade-decoder-only",
        [("create_decoder_mask(token_ids)", "np.asarray(create_decoder_mask(np.asarray(token_ids)))")],
        ["note", "keras.ops"],
    ),
    "an encoder that hides only what follows": (
        "09",
        "grade-encoder-only",
        [
            (
                "create_padding_mask(token_ids)",
                "create_padding_mask(ops.flip(ops.cumsum(ops.flip(ops.cast(token_ids, 'int32'), axis=1), axis=1), axis=1))",
            )
        ],
        ["padding in front", "reaches the tokens behind it"],
    ),
    "a carried-over block that ignores its mask": (
        "09",
        "code-01",
        "class EncoderBlock(EncoderBlock):\n    def call(self, x, mask=None, training=None):\n        return super().call(x, mask=None, training=training)\n",
        ["read its answers"],
    ),
    "a carried-over stub": (
        "09",
        "code-01",
        "def create_decoder_mask(token_ids, pad_id=0):\n    raise NotImplementedError()\n",
        ["note", "still a stub"],
    ),
    "all axes turned around, in TensorFlow": (
        "02",
        "grade-attention-scores",
        "def attention_scores(query, key):\n    import tensorflow as tf\n    return tf.matmul(query, tf.transpose(key)) / key.shape[-1] ** 0.5\n",
        ["reverse *all* axes"],
    ),
    "an axis in the wrong place, in TensorFlow": (
        "02",
        "grade-additive",
        [("ops.matmul(query, w_query), -2)", "ops.matmul(query, w_query), -3)")],
        ["new axes of length 1"],
    ),
    "a block whose mask is turned over": (
        "05",
        "grade-encoder-block",
        """
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return super().call(x, mask=None if mask is None else 1 - ops.convert_to_tensor(mask))
""",
        ["a mask (2, 1, 1, 5): a token that it hides (1) changes the others"],
    ),
    "a length that the error doesn't name": (
        "01",
        "grade-positional-layer",
        [("must be at most max_len={self.max_len}. Received: seq_len={seq_len}.", "is too long")],
        ["should name 7"],
    ),
    "a rate of its own in a block": (
        "05",
        "grade-encoder-block",
        [("self.dropout_1 = keras.layers.Dropout(dropout)", "self.dropout_1 = keras.layers.Dropout(0.1)")],
        ["with dropout 0.0 nothing is dropped", "the argument `dropout`"],
    ),
    "a feed-forward network that is thrown away": (
        "05",
        "grade-decoder-block",
        [("            self.feed_forward,\n", "            lambda x: 0 * self.feed_forward(x),\n")],
        ["Is what their layer computes used?"],
    ),
    "a config without norm_first": (
        "05",
        "grade-encoder-block",
        [('            "norm_first": norm_first,\n', "")],
        ["Does get_config return `norm_first`?"],
    ),
    "a root that is rounded": (
        "08",
        "grade-fix-head-scaling",
        [("head_dim**0.5", "round(head_dim**0.5)")],
        ["five heads of three features", "rounded"],
    ),
    "the first sequence's mask for all": (
        "03",
        "grade-multi-head",
        [("ops.cast(mask,", "ops.cast(mask[:1] if ops.ndim(mask) > 2 else mask,")],
        ["the first sequence's mask hides keys of the second one"],
    ),
    "an activation behind the keys": (
        "03",
        "grade-multi-head-layer",
        [("heads(self.key_dense, key)", "ops.relu(heads(self.key_dense, key))")],
        ["`key_dense` has an activation"],
    ),
    "queries and keys that change places": (
        "03",
        "grade-multi-head-layer",
        [
            ("heads(self.query_dense, query)", "heads(self.key_dense, query)"),
            (", heads(self.key_dense, key)", ", heads(self.query_dense, key)"),
        ],
        ["queries go through `key_dense`"],
    ),
    "a dropout that nobody asked for": (
        "03",
        "grade-multi-head-layer",
        [("heads(self.key_dense, key)", "keras.layers.Dropout(0.5)(heads(self.key_dense, key))")],
        ["with `training=True` the output is another one. Leave the dropout out"],
    ),
    "a config with the width of a head": (
        "03",
        "grade-multi-head-layer",
        [('"num_heads": self.num_heads', '"num_heads": self.d_model // self.num_heads')],
        ["3 heads"],
    ),
    "an error that comes from NumPy": (
        "03",
        "grade-split-heads",
        "def split_heads(x, num_heads):\n    x = np.asarray(x)\n"
        "    return x.reshape(*x.shape[:2], num_heads, x.shape[2] // num_heads).swapaxes(1, 2)\n",
        ["is not your own", "num_heads and 3 and d_model and 4"],
    ),
    "a softmax behind the logits": (
        "09",
        "grade-encoder-only",
        [("self.output_dense(self.norm(x))", "ops.softmax(self.output_dense(self.norm(x)))")],
        ["add up to 1: leave the softmax out"],
    ),
    "no normalisation behind the last block": (
        "09",
        "grade-encoder-only",
        [("self.output_dense(self.norm(x))", "self.output_dense(x + 0 * self.norm(x))")],
        ["is there a normalisation behind the last block?"],
    ),
    "a softmax behind the logits of the whole model": (
        "06",
        "grade-token-model",
        [("return self.output_dense(x)", "return ops.softmax(self.output_dense(x))")],
        ["add up to 1: leave the softmax out"],
    ),
    "attention's biases not counted": (
        "05",
        "grade-block-parameters",
        [("4 * (d_model * d_model + d_model)", "4 * d_model * d_model")],
        ["48 are missing", "biases"],
    ),
    "normalisations without beta": (
        "05",
        "grade-block-parameters",
        [("norm = 2 * d_model", "norm = d_model")],
        ["24 are missing", "β"],
    ),
    "a dropout that is always on": (
        "05",
        "grade-feed-forward",
        [("self.dropout(self.hidden(x))", "self.dropout(self.hidden(x), training=True)")],
        ["nothing is dropped outside training"],
    ),
    "a dropout that comes last": (
        "05",
        "grade-feed-forward",
        [("self.output_dense(self.dropout(self.hidden(x)))", "self.dropout(self.output_dense(self.hidden(x)))")],
        ["exactly 0"],
    ),
    "a feed-forward's config without dropout": (
        "05",
        "grade-feed-forward",
        [(', "dropout": self.rate}', "}")],
        ["get_config return `dropout`"],
    ),
    "an encoder's config without dropout": (
        "05",
        "grade-encoder-block",
        [('            "dropout": dropout,\n', "")],
        ["get_config return `dropout`"],
    ),
    "a decoder's config without dropout": (
        "05",
        "grade-decoder-block",
        [('            "dropout": dropout,\n', "")],
        ["get_config return `dropout`"],
    ),
    "Keras's epsilon in one normalisation": (
        "05",
        "grade-encoder-block",
        [
            (
                "self.norm_1 = keras.layers.LayerNormalization(epsilon=1e-6)",
                "self.norm_1 = keras.layers.LayerNormalization()",
            )
        ],
        ["Is epsilon 1e-6"],
    ),
    "Keras's epsilon in the decoder": (
        "05",
        "grade-decoder-block",
        [("LayerNormalization(epsilon=1e-6)", "LayerNormalization()")],
        ["Is epsilon 1e-6"],
    ),
    "a memory that is normalised": (
        "05",
        "grade-decoder-block",
        [
            (
                "self.cross_attention(y, memory, memory,",
                "self.cross_attention(y, self.norms[1](memory), self.norms[1](memory),",
            )
        ],
        ["normalised again"],
    ),
    "a decoder that masks by itself": (
        "05",
        "grade-decoder-block",
        [
            (
                "self.self_attention(y, y, y, mask=self_mask)",
                "self.self_attention(y, y, y, mask=np.triu(np.ones((y.shape[1], y.shape[1])), 1) if self_mask is None else self_mask)",
            )
        ],
        ["use_causal_mask"],
    ),
    "ids up to vocab_size": (
        "09",
        "grade-mask-tokens",
        [
            (
                "rng.integers(UNK + 1, vocab_size - 1, token_ids.shape)",
                "rng.integers(UNK + 1, vocab_size, token_ids.shape, endpoint=True)",
            ),
            ("np.where(random_tokens == mask_id, vocab_size - 1, random_tokens)", "random_tokens"),
        ],
        ["the id 20 is in `inputs`"],
    ),
    "a masking that doesn't use rng": (
        "09",
        "grade-mask-tokens",
        [("fate = rng.random(token_ids.shape)", "fate = np.random.random(token_ids.shape)")],
        ["everything random has to come from `rng`"],
    ),
    "the same number of selected tokens in each row": (
        "09",
        "grade-mask-tokens",
        [
            (
                "selected = (rng.random(token_ids.shape) < rate) & (token_ids != PAD)",
                "tickets = np.where(token_ids != PAD, rng.random(token_ids.shape), 2.0)\n    selected = (tickets.argsort(axis=1).argsort(axis=1) < np.round(rate * (token_ids != PAD).sum(axis=1, keepdims=True))) & (token_ids != PAD)",
            )
        ],
        ["in each of 500 rows of five tokens exactly 2"],
    ),
    "no dropout in the encoder": (
        "09",
        "grade-encoder-only",
        [
            ("embedding(vocab_size, d_model, max_len, dropout)", "embedding(vocab_size, d_model, max_len, 0.0)"),
            ("EncoderBlock(d_model, num_heads, ff_dim, dropout)", "EncoderBlock(d_model, num_heads, ff_dim, 0.0)"),
        ],
        ["`training=True` changes nothing"],
    ),
    "heads as wide as the model": (
        "09",
        "grade-encoder-only",
        [
            (
                "EncoderBlock(d_model, num_heads, ff_dim, dropout) for",
                "WideBlock(d_model, num_heads, ff_dim, dropout) for",
            ),
            (
                "class EncoderLM(keras.Model):",
                "class WideBlock(EncoderBlock):\n    def __init__(self, d_model, num_heads, *rest):\n        super().__init__(d_model, num_heads, *rest)\n        self.attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model)\n\n\nclass EncoderLM(keras.Model):",
            ),
        ],
        ["adds 812 parameters, not 532"],
    ),
    "one block twice": (
        "09",
        "grade-encoder-only",
        [
            (
                "[EncoderBlock(d_model, num_heads, ff_dim, dropout) for _ in range(num_layers)]",
                "[EncoderBlock(d_model, num_heads, ff_dim, dropout)] * num_layers",
            )
        ],
        ["each with weights of its own, and are they all called?"],
    ),
    "appended padding that is seen": (
        "09",
        "grade-encoder-only",
        [("return create_padding_mask(token_ids)", "return create_padding_mask(ops.ones_like(token_ids))")],
        ["Padding that is appended moves the logits"],
    ),
    "a decoder without learned positions": (
        "09",
        "grade-decoder-only",
        [("ff_dim, dropout, learned_positions)\n    model(", "ff_dim, dropout, False)\n    model(")],
        ["there are 0 more"],
    ),
    "a decoder without the last normalisation": (
        "09",
        "grade-decoder-only",
        [
            (
                "        return create_decoder_mask(token_ids)",
                "        return create_decoder_mask(token_ids)\n\n    def call(self, token_ids):\n        x = self.embed(token_ids)\n        for block in self.blocks:\n            x = block(x, mask=self.hidden(token_ids))\n        return self.output_dense(x + 0 * self.norm(x))",
            )
        ],
        ["is there a normalisation behind the last block?"],
    ),
    "a decoder mask that hides the position itself": (
        "09",
        "grade-decoder-only",
        [
            (
                "return create_decoder_mask(token_ids)",
                "return ops.maximum(create_decoder_mask(token_ids), ops.eye(token_ids.shape[1])[None, None])",
            )
        ],
        ["hide positions from themselves?"],
    ),
    "learned positions on top of sinusoidal ones": (
        "09",
        "grade-decoder-only",
        [
            (
                "        return create_decoder_mask(token_ids)",
                "        return create_decoder_mask(token_ids)\n\n    def call(self, token_ids):\n        places = np.arange(token_ids.shape[1])[:, None] + 0.5 * np.arange(8)\n        x = self.embed(token_ids) + ops.convert_to_tensor(np.sin(places).astype('float32'))\n        for block in self.blocks:\n            x = block(x, mask=self.hidden(token_ids))\n        return self.output_dense(self.norm(x))",
            )
        ],
        ["still knows the order"],
    ),
    "a mean over the tokens of the whole batch": (
        "09",
        "grade-pooling",
        [("ops.maximum(ops.sum(kept, axis=1), 1.0)", "ops.maximum(ops.sum(kept), 1.0)")],
        ["tokens of the whole batch"],
    ),
    "padding in the count": (
        "09",
        "grade-pooling",
        [("ops.maximum(ops.sum(kept, axis=1), 1.0)", "x.shape[1]")],
        ["not out of the count"],
    ),
    "a pooling that takes 0 for padding": (
        "09",
        "grade-pooling",
        [("ops.convert_to_tensor(token_ids), pad_id)", "ops.convert_to_tensor(token_ids), 0)")],
        ["is the argument used?"],
    ),
    "ranks instead of ids": (
        "09",
        "grade-sampling",
        [("np.take_along_axis(order, rank, axis=-1)[:, 0]", "rank[:, 0]")],
        ["it returns ranks, the likeliest first"],
    ),
    "sampling without rng": (
        "09",
        "grade-sampling",
        [("rng.random((len(logits), 1))", "np.random.random((len(logits), 1))")],
        ["everything random has to come from `rng`"],
    ),
    "logits that overflow": (
        "09",
        "grade-sampling",
        [("np.exp(ranked - ranked[:, :1])", "np.exp(ranked)")],
        ["so large a number overflows"],
    ),
    "top-p before the temperature": (
        "09",
        "grade-sampling",
        [
            (
                "/ temperature\n    chances = np.exp(ranked - ranked[:, :1])",
                "\n    chances = np.exp(ranked - ranked[:, :1])",
            ),
            ("    reached = np.cumsum", "    chances = chances ** (1 / temperature)\n    reached = np.cumsum"),
        ],
        ["The temperature comes first"],
    ),
    "top-p before top-k": (
        "09",
        "grade-sampling",
        [
            ("    if top_k:\n        chances[:, top_k:] = 0.0\n", ""),
            ("    reached = np.cumsum", "    if top_k:\n        chances[:, top_k:] = 0.0\n    reached = np.cumsum"),
        ],
        ["0.625 reaches 0.6"],
    ),
    "the first row's top-k for all": (
        "09",
        "grade-sampling",
        [
            (
                "    if top_k:\n        chances[:, top_k:] = 0.0\n",
                "    if top_k:\n        chances[logits[np.arange(len(logits))[:, None], order] < np.sort(logits[0])[-top_k]] = 0.0\n        chances[chances.sum(axis=-1) == 0, 0] = 1.0\n",
            )
        ],
        ["its own order and its own threshold"],
    ),
    "the first row's top-p for all": (
        "09",
        "grade-sampling",
        [("chances[before >= top_p] = 0.0", "chances[:, before[0] >= top_p] = 0.0")],
        ["its own order and its own threshold"],
    ),
    "a cache whose keys are changed": (
        "09",
        "grade-kv-cache",
        [("    if cache is not None:\n", "    if cache is not None:\n        cache[0][:] = cache[0] / 2\n")],
        ["it changed the cache that it was given"],
    ),
    "a cache without the old values": (
        "09",
        "grade-kv-cache",
        [("np.concatenate([cache[1], values], axis=2)", "np.concatenate([0 * cache[1], values], axis=2)")],
        ["The keys are right, and so is the first step"],
    ),
    **{
        f"07: {name}": ("07", f"grade-{cell}", [(right, wrong)], [words])
        for name, cell, right, wrong, words in [
            ("d_model 64", "warmup-schedule", "return self.d_model**", "return 64**", "rates of d_model 64"),
            ("a config of 100", "warmup-schedule", ": self.warmup_steps}", ": 100}", "schedule was made with"),
            ("rows of six", "teacher-forcing", "target_ids[:, 1:]", "target_ids[:, 1:6]", "is (3, 7) here"),
            ("a loss without id 0", "masked-loss", "ops.not_equal(labels, pad_id)", "labels != 0", "equals `pad_id`"),
            ("a loss above pad_id", "masked-loss", "ops.not_equal(labels, pad_id)", "labels > pad_id", "above 3"),
            (
                "an accuracy without id 0",
                "masked-accuracy",
                "ops.not_equal(labels, pad_id)",
                "labels != 0",
                "equals `pad_id`",
            ),
            (
                "an accuracy above pad_id",
                "masked-accuracy",
                "ops.not_equal(labels, pad_id)",
                "labels > pad_id",
                "above 3",
            ),
            (
                "the last token",
                "greedy-decode",
                "ids]))[:, position - 1]",
                "ids[:, position - 1 : position]]))[:, -1]",
                "*all* ids so far",
            ),
            ("the logits of padding", "greedy-decode", "[:, position - 1]", "[:, -1]", "is *written*"),
            (
                "an end in one column",
                "greedy-decode",
                "has_ended.all()",
                "(ids[:, position] == eos_id).all()",
                "took 19 calls",
            ),
            ("EOS 2", "greedy-decode", "== eos_id", "== 2", "argument `eos_id`"),
            ("BOS 1", "greedy-decode", "ids[:, 0] = bos_id", "ids[:, 0] = 1", "argument `bos_id`"),
        ]
    },
    "norm_first that doesn't reach the blocks": (
        "06",
        "grade-token-model",
        [
            (
                "block = (d_model, num_heads, ff_dim, dropout, norm_first)",
                "block = (d_model, num_heads, ff_dim, dropout)",
            )
        ],
        ["does `norm_first` reach the blocks"],
    ),
    **{
        f"{number}: {name}": (number, f"grade-{task}", f"def {answer}\n", [words])
        for number, name, task, answer, words in [
            (
                "04",
                "a constant that isn't below every score",
                "masked-softmax",
                "masked_softmax(s, m):\n    e = ops.softmax(ops.where(ops.cast(m, 'bool'), ops.cast(-1e4, s.dtype), s))\n"
                "    return e * (1 - ops.cast(m, e.dtype))",
                "lower than *every* score",
            ),
            (
                "04",
                "a sum that float16 takes for 0",
                "masked-softmax",
                "masked_softmax(s, m):\n    s, m = to_numpy(s), to_numpy(m)\n    k = np.where(m == 1, -np.inf, s)\n"
                "    top = np.where(np.isinf(k.max(-1, keepdims=True)), 0, k.max(-1, keepdims=True))\n"
                "    e = np.exp(k - top).astype(s.dtype)\n"
                "    return e / (e.sum(-1, keepdims=True) + s.dtype.type(1e-9))",
                "a row wholly hidden",
            ),
            (
                "04",
                "a padding mask that isn't flipped",
                "keras-mask",
                "to_keras_attention_mask(mask):\n    mask = to_numpy(mask)\n    if mask.ndim == 2:\n        return (mask == 0)[None]\n"
                "    return mask[:, 0] == 1 if mask.shape[2] == 1 else mask[:, 0] == 0",
                "two padding masks",
            ),
            (
                "04",
                "a bound far above rounding",
                "leak-test",
                "leaks_future(attend, n, d):\n    x = np.random.default_rng(0).normal(size=(1, n, d))\n    right = to_numpy(attend(x))\n"
                "    for j in range(1, n):\n        y = x.copy()\n        y[:, j] = np.random.default_rng(j).normal(size=(1, d))\n"
                "        if np.abs(to_numpy(attend(y))[:, :j] - right[:, :j]).max() > 5e-3:\n            return True\n    return False",
                "A weak leak at one place",
            ),
            (
                "08",
                "one that looks whether the first input is seen",
                "detect-inverted-mask",
                "detect_inverted_mask(attend):\n    x = np.random.default_rng(0).normal(size=(1, 6, 8))\n    y = x.copy()\n    y[:, 0] = x[:, 3]\n"
                "    return not np.abs(to_numpy(attend(y)) - to_numpy(attend(x)))[:, 1:].max() > 1e-4",
                'two heads, one of which sees what comes later: your check says "healthy"',
            ),
            (
                "08",
                "numbers that aren't ids",
                "detect-shifted-target",
                "detect_shifted_target(make):\n    ids = np.random.default_rng(0).normal(size=(2, 6))\n    inputs, labels = make(ids)\n"
                "    return not (np.array_equal(inputs, ids[:, :-1]) and np.array_equal(labels, ids[:, 1:]))",
                "whole numbers from 0 to 999",
            ),
            (
                "08",
                "inputs held against labels alone",
                "detect-shifted-target",
                "detect_shifted_target(make):\n    ids = np.random.default_rng(0).integers(3, 999, (4, 9))\n    inputs, labels = make(ids)\n"
                "    return not np.array_equal(inputs[:, 1:], labels[:, :-1])",
                'both shifted, the labels by one more: your check says "healthy"',
            ),
            (
                "08",
                "an array in place of an answer",
                "detect-shifted-target",
                "detect_shifted_target(make):\n    ids = np.random.default_rng(0).integers(3, 999, (4, 9))\n    inputs, labels = make(ids)\n"
                "    return labels != ids[:, 1:]",
                "return one True or False",
            ),
        ]
    },
    **{
        f"06: {name}": ("06", f"grade-{task}", [(right, wrong)], [words])
        for name, task, right, wrong, words in [
            (
                "dropout before the positions",
                "token-embedding",
                "self.dropout(self.positions(x), training=training)",
                "self.positions(self.dropout(x, training=training))",
                "the dropout comes last",
            ),
            ("a fixed rate", "token-embedding", "Dropout(dropout)", "Dropout(0.1)", "dropout 0.0"),
            (
                "a config without the rate",
                "token-embedding",
                ', "dropout": self.rate}',
                "}",
                "The config lacks `dropout`",
            ),
            (
                "a config with another rate",
                "token-embedding",
                '"dropout": self.rate}',
                '"dropout": 0.1}',
                "a layer made again from its config drops",
            ),
            (
                "the source in place of the memory",
                "continuous-model",
                "x = block(x, memory, self_mask",
                "x = block(x, self.positions(source), self_mask",
                "whatever these weights are",
            ),
            (
                "post-norm blocks in the lecture's model",
                "continuous-model",
                "DecoderBlock(dim, num_heads, ff_dim, dropout)",
                "DecoderBlock(dim, num_heads, ff_dim, dropout, norm_first=False)",
                "post-norm",
            ),
            (
                "a post-norm encoder in the lecture's model",
                "continuous-model",
                "[EncoderBlock(dim, num_heads, ff_dim, dropout)",
                "[EncoderBlock(dim, num_heads, ff_dim, dropout, norm_first=False)",
                "with a source 100 000 times as large the memory is no larger",
            ),
            (
                "a softmax at the end",
                "continuous-model",
                "keras.layers.Dense(dim)",
                'keras.layers.Dense(dim, activation="softmax")',
                "the Dense at the end must have no activation",
            ),
            (
                "attention over memory that is causal",
                "continuous-model",
                "block(x, memory, self_mask=look_ahead_mask)",
                "block(x, memory, look_ahead_mask, create_look_ahead_mask(9)[: ops.shape(x)[1], : ops.shape(memory)[1]])",
                "an output doesn't see all of the memory",
            ),
            (
                "attention over memory that is causal and hides padding",
                "token-model",
                "memory_mask=source_mask)",
                "memory_mask=ops.maximum(source_mask, create_look_ahead_mask(9)[: ops.shape(x)[1], : ops.shape(memory)[1]]))",
                "if attention over memory has a look-ahead mask",
            ),
            (
                "logits times a number",
                "token-model",
                "return self.output_dense(x)\n",
                "return self.output_dense(x) * 8**0.5\n",
                "are the logits multiplied by a number too many?",
            ),
            (
                "a causal encoder of vectors",
                "continuous-model",
                "memory = block(memory)",
                "memory = block(memory, mask=create_look_ahead_mask(ops.shape(source)[1])[None, None])",
                "only the decoder is causal",
            ),
            (
                "a causal encoder",
                "token-model",
                "memory = block(memory, mask=source_mask)",
                "memory = block(memory, mask=create_decoder_mask(source_ids))",
                "padding alone, not the future",
            ),
            (
                "an encoder that stays pre-norm",
                "token-model",
                "self.encoder = [EncoderBlock(*block)",
                "self.encoder = [EncoderBlock(*block[:4])",
                "does `norm_first` reach the encoder's blocks",
            ),
            (
                "tied with pre-norm blocks only",
                "token-model",
                "block = (d_model",
                "tie_weights = tie_weights and norm_first; block = (d_model",
                "tie_weights=True and norm_first=False",
            ),
            (
                "blocks with their own rate",
                "token-model",
                "block = (d_model, num_heads, ff_dim, dropout, norm_first)",
                "block = (d_model, num_heads, ff_dim, 0.1, norm_first)",
                "dropout 0.0",
            ),
            (
                "tied logits divided by the root",
                "token-model",
                "self.embed_target.embedding.embeddings)))",
                "self.embed_target.embedding.embeddings))) / 8**0.5",
                "a factor too many",
            ),
            (
                "logits beside the memory",
                "token-model",
                "return self.output_dense(x)\n",
                "return self.output_dense(x), memory\n",
                "the logits alone",
            ),
            (
                "an embedding added once more",
                "token-embedding",
                "return self.dropout(self.positions(x)",
                "return self.dropout(x + self.positions(x)",
                "or it is added once more",
            ),
            (
                "an embedding added with the root and without it",
                "token-embedding",
                "self.positions(x)",
                "x + self.positions(self.embedding(token_ids))",
                "once with the root and once without it",
            ),
            (
                "positions of ids",
                "token-embedding",
                "self.positions(x)",
                "x + self.positions(token_ids)",
                "`PositionalEncoding` is called on ids",
            ),
            (
                "a look-ahead mask over memory",
                "continuous-model",
                "self_mask=look_ahead_mask",
                "self_mask=look_ahead_mask, memory_mask=look_ahead_mask",
                "does attention over memory get the look-ahead mask?",
            ),
            (
                "positions before each block",
                "continuous-model",
                "memory = block(memory)",
                "memory = block(self.positions(memory))",
                "adding the positions once more",
            ),
            (
                "one decoder block twice",
                "token-model",
                "[DecoderBlock(*block) for _ in range(num_layers)]",
                "[DecoderBlock(*block)] * num_layers",
                "only one decoder block",
            ),
            (
                "one encoder block twice",
                "token-model",
                "[EncoderBlock(*block) for _ in range(num_layers)]",
                "[EncoderBlock(*block)] * num_layers",
                "only one encoder block",
            ),
            (
                "the encoder's normalisation inside the loop",
                "token-model",
                "        if self.encoder_norm is not None:\n            memory = self.encoder_norm(memory)\n",
                "            memory = memory if self.encoder_norm is None else self.encoder_norm(memory)\n",
                "in the encoder a block gets something else",
            ),
            (
                "the decoder's normalisation inside the loop",
                "token-model",
                "        if self.decoder_norm is not None:\n            x = self.decoder_norm(x)\n",
                "            x = x if self.decoder_norm is None else self.decoder_norm(x)\n",
                "in the decoder a block gets something else",
            ),
            (
                "a second root",
                "token-model",
                "memory = self.embed_source(source_ids)",
                "memory = self.embed_source(source_ids) * 8**0.5",
                "such as a second root",
            ),
            (
                "an encoder without a mask",
                "token-model",
                "block(memory, mask=source_mask)",
                "block(memory)",
                "the encoder's output changes already",
            ),
            (
                "attention over memory without a mask",
                "token-model",
                ", memory_mask=source_mask",
                "",
                "so look at the attention over memory",
            ),
            (
                "networks whose last bias isn't counted",
                "model-parameters",
                "(ff_dim * d_model + d_model)",
                "ff_dim * d_model",
                "or the bias of Dense(d_model) in each feed-forward",
            ),
            (
                "an output without its kernel",
                "model-parameters",
                "3 * table + vocab_size",
                "2 * table + vocab_size",
                "One of the three matrices of the vocabulary's size is missing",
            ),
            (
                "normalisations of one vector",
                "model-parameters",
                "norm = 2 * d_model",
                "norm = d_model",
                "does each normalisation have γ *and* β",
            ),
            (
                "two matrices though they are tied",
                "model-parameters",
                "table if tie_weights",
                "2 * table if tie_weights",
                "two matrices of the vocabulary's size",
            ),
            (
                "a count that is never tied",
                "model-parameters",
                "table if tie_weights else 3 * table + vocab_size",
                "3 * table + vocab_size",
                "is `tie_weights` used?",
            ),
            (
                "a count with a half",
                "model-parameters",
                "+ 2 * norm + vocabulary",
                "+ 2 * norm + vocabulary + 0.5",
                "whole number",
            ),
        ]
    },
    **{
        f"06: {name}": ("06", f"grade-{task}", answer, words)
        for name, task, answer, words in [
            (
                "a count beside a model that isn't written",
                "model-parameters",
                "def build_transformer(*args, **kwargs):\n    raise NotImplementedError\n",
                [
                    "note: The model of task 3 (untied) can't be built yet, so",
                    "note: The model of task 3 (tied) can't be built yet, so",
                ],
            ),
            (
                "a count beside a model that has too few",
                "model-parameters",
                "_build = build_transformer\ndef build_transformer(*args, **kwargs):\n    return _build(*args, **kwargs, norm_first=False)\n",
                [
                    "note: Your own model (untied) has 1643 parameters, not 1675 or 1664",
                    "note: Your own model (tied) has 1456 parameters, not 1488 or 1499",
                ],
            ),
            (
                "a residual that is missing",
                "continuous-model",
                """
class DecoderBlock(DecoderBlock):
    def _residual(self, i, x, sublayer, training):
        return sublayer(self.norms[i](x)) if i == 2 else super()._residual(i, x, sublayer, training)
""",
                ["in the decoder a residual connection (`x + …`) is missing, or"],
            ),
            (
                "no feed-forward",
                "continuous-model",
                """
class EncoderBlock(EncoderBlock):
    def _residual(self, i, x, sublayer, training):
        return x if i == 1 else super()._residual(i, x, sublayer, training)
class DecoderBlock(DecoderBlock):
    def _residual(self, i, x, sublayer, training):
        return x if i == 2 else super()._residual(i, x, sublayer, training)
""",
                ["In none of the blocks is the feed-forward used."],
            ),
            ("heads as wide as the vectors", "continuous-model", WIDE_HEADS, ["Each head is `dim` wide"]),
            ("heads as wide as the model", "token-model", WIDE_HEADS, ["Each head is `d_model` wide"]),
        ]
    },
    "a piece that counts once": (
        "10",
        "grade-bpe-train",
        """
_solved = train_bpe
def train_bpe(text, num_merges):
    split = globals()["split_into_pieces"]
    globals()["split_into_pieces"] = lambda text: sorted(set(split(text)))
    try:
        return _solved(text, num_merges)
    finally:
        globals()["split_into_pieces"] = split
""",
        ["a piece counts as often as the text holds it"],
    ),
    "odd features that stop inside": (
        "10",
        "grade-rotary",
        [("if head_dim % 2 != 0", "if False")],
        ["should raise a ValueError, but InvalidArgumentError came"],
    ),
    "the layout of halves inside the layer": (
        "10",
        "grade-grouped-attention",
        """
class GroupedQueryAttention(GroupedQueryAttention):
    def call(self, x, cache=None):
        turn = globals()["rotary"]
        globals()["rotary"] = lambda y, positions: turn(y, positions, interleaved=False)
        try:
            return super().call(x, cache)
        finally:
            globals()["rotary"] = turn
""",
        ["in the layout of halves"],
    ),
    "10: positions that aren't cast": (
        "10",
        "grade-rotary",
        [('ops.cast(positions, "float32")[:, None] * rates', "positions[:, None] * rates")],
        ["note", "cast `positions` to float32"],
    ),
    "a grouped config that lacks an argument": (
        "10",
        "grade-grouped-attention",
        """
class GroupedQueryAttention(GroupedQueryAttention):
    def get_config(self):
        return {name: value for name, value in super().get_config().items() if name != "num_kv_heads"}
""",
        ["every argument of `__init__` has to be in it"],
    ),
    "a name that nobody has defined, inside a layer": (
        "10",
        "grade-swiglu",
        """
class SwiGLU(SwiGLU):
    def call(self, x):
        return self.down(silu(self.gate(x)) * self.up(x))
""",
        ["Nothing has this name yet"],
    ),
    "a softmax that takes off the mean": (
        "02",
        "grade-softmax",
        """
def softmax(x, axis=-1):
    weights = np.exp(x - np.mean(x, axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)
""",
        ["softmax([[0, 0, 5000]]): there is a NaN"],
    ),
    "a softmax that fills an array of the scores' dtype": (
        "02",
        "grade-softmax",
        """
def softmax(x, axis=-1):
    weights = np.empty_like(x)
    weights[...] = keras.activations.softmax(ops.convert_to_tensor(x, dtype="float64"), axis=axis)
    return weights
""",
        ["softmax of integers"],
    ),
    "a hidden score that isn't low enough": (
        "02",
        "grade-scaled-dot-product",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = ops.where(ops.cast(mask, "bool"), -100.0, scores)
    weights = softmax(scores)
    return ops.matmul(weights, value), weights
""",
        ["A hidden score has to be far lower"],
    ),
    "projections of two axes": (
        "02",
        "grade-projections",
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return scaled_dot_product_attention(
        np.einsum("li,ik->lk", x_query, w_query), np.einsum("li,ik->lk", x_key, w_key), np.einsum("li,ik->lk", x_value, w_value)
    )
""",
        ["more dimensions than subscripts"],
    ),
    "a root that is cut off": (
        "02",
        "grade-score-scale",
        "def score_std(key_dim, scaled):\n    return 1.0 if scaled else int(key_dim**0.5)",
        ["the root of 10 is no whole number"],
    ),
    "additive scores without w_query": (
        "02",
        "grade-additive",
        [("ops.matmul(query, w_query)", "ops.convert_to_tensor(query)")],
        ["stops (shapes: "],
    ),
    "a matrix from the wrong side": (
        "02",
        "grade-projections",
        [("ops.matmul(x_query, w_query)", "ops.matmul(w_query, x_query)")],
        ["in a matrix product: the last axis of the left one"],
    ),
    "queries through an activation": (
        "03",
        "grade-multi-head-layer",
        [
            (
                "self.query_dense = keras.layers.Dense(d_model)",
                'self.query_dense = keras.layers.Dense(d_model, activation="relu")',
            )
        ],
        ["`query_dense` has an activation"],
    ),
    "an attention that Keras has ready-made": (
        "03",
        "grade-multi-head-layer",
        [
            (
                "        return (output, weights)",
                "        ops.dot_product_attention(*[ops.ones((1, 2, 2, 2))] * 3)\n        return (output, weights)",
            )
        ],
        ["an attention that Keras has ready-made"],
    ),
    "a config without Keras's own part": (
        "03",
        "grade-multi-head-layer",
        [("{**super().get_config(), ", "{")],
        ["a copy forgets name and dtype"],
    ),
    "a table that NumPy adds": (
        "01",
        "grade-learned-layer",
        """
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def call(self, inputs):
        if inputs.shape[1] > self.max_len:
            raise ValueError(f"seq_len={inputs.shape[1]} is more than max_len={self.max_len}")
        return inputs + np.asarray(self.table)[: inputs.shape[1]]
""",
        ["a model of sequences of any length fails", "it can't be trained. A gradient passes neither through NumPy"],
    ),
    "a table of NumPy, cut by a tensor": (
        "01",
        "grade-positional-layer",
        """
class PositionalEncoding(PositionalEncoding):
    def call(self, inputs):
        if inputs.shape[1] is not None and inputs.shape[1] > self.max_len:
            raise ValueError(f"seq_len={inputs.shape[1]} is more than max_len={self.max_len}")
        return super().call(inputs) + 0 * np.zeros((self.max_len, self.dim), "float32")[: keras.ops.shape(inputs)[1]]
""",
        ["a model of sequences of any length fails", "A tensor can't say where a NumPy array is cut"],
    ),
    "an embedding of vectors": (
        "01",
        "grade-learned-layer",
        """
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.emb = keras.layers.Embedding(max_len, dim)

    def call(self, inputs):
        return inputs + self.emb(inputs)
""",
        ["Is an embedding called on vectors?"],
    ),
    "a table of float32 alone": (
        "01",
        "grade-positional-layer",
        [
            (
                "ops.convert_to_tensor(self.table, dtype=inputs.dtype)",
                'ops.convert_to_tensor(self.table, dtype="float32")',
            )
        ],
        ["a float16 layer fails"],
    ),
    "positions with a dropout": (
        "01",
        "grade-positional-layer",
        """
class PositionalEncoding(PositionalEncoding):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(max_len, dim, **kwargs)
        self.dropout = keras.layers.Dropout(0.5)

    def call(self, inputs):
        return self.dropout(super().call(inputs))
""",
        ["Leave dropout away"],
    ),
    "the formula's i as a column": (
        "01",
        "grade-sinusoidal-table",
        """
def positional_encoding(max_len, dim, base=10000.0):
    angles = np.arange(max_len)[:, None] * base ** (-2 * np.arange(dim) / dim)
    return np.where(np.arange(dim) % 2 == 0, np.sin(angles), np.cos(angles))
""",
        ["you took the formula's i for the column number"],
    ),
    "a dropout on the sum": (
        "05",
        "grade-encoder-block",
        [
            (
                "return x + self.dropout_2(self.feed_forward(self.norm_2(x)))",
                "return self.dropout_2(x + self.feed_forward(self.norm_2(x)))",
            )
        ],
        ["before the sum, and not to the sum"],
    ),
    "a residual from the first input": (
        "05",
        "grade-encoder-block",
        ENCODER
        + """
        normed = self.norm_1(x)
        h = x + self.dropout_1(self.attention(normed, normed, normed, mask=mask))
        return x + self.dropout_2(self.feed_forward(self.norm_2(h)))
""",
        ["what the attention adds is lost"],
    ),
    "a mask of three axes alone": (
        "05",
        "grade-encoder-block",
        """
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return super().call(x, mask=None if mask is None else ops.convert_to_tensor(mask)[:, 0][:, None])
""",
        ["a mask (5, 5): a token that it hides (1) changes the others"],
    ),
    "masks in pre-norm alone": (
        "05",
        "grade-encoder-block",
        """
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return super().call(x, mask=mask if self.norm_first else None)
""",
        ["post-norm, a mask (2, 1, 1, 5): a token that it hides (1) changes the others"],
    ),
    "a post-norm decoder that throws its network away": (
        "05",
        "grade-decoder-block",
        [
            (
                "else norm(x + dropout(sublayer(x)))",
                "else norm(x + 0 * sublayer(x) if norm is self.norms[2] else x + dropout(sublayer(x)))",
            )
        ],
        ["whatever these weights are"],
    ),
    "a dropout before the first layer": (
        "05",
        "grade-feed-forward",
        [("self.dropout(self.hidden(x))", "self.hidden(self.dropout(x))")],
        ["dropout stands before the first layer"],
    ),
    "ties by the left part alone": (
        "10",
        "grade-bpe-train",
        [("(counts[pair], pair)", "(counts[pair], pair[0])")],
        ["you compare the left parts alone"],
    ),
    "ties by the joined bytes": (
        "10",
        "grade-bpe-train",
        [("(counts[pair], pair)", "(counts[pair], pair[0] + pair[1])")],
        ["you compare the joined bytes"],
    ),
    "ties by the right part first": (
        "10",
        "grade-bpe-train",
        [("(counts[pair], pair)", "(counts[pair], pair[::-1])")],
        ["you compare the right parts first"],
    ),
    "an output that isn't corrected": (
        "10",
        "grade-streaming-softmax",
        [("output = output * shrink + weights", "output = output + weights")],
        ["the sum is corrected when the maximum grows, but the output isn't"],
    ),
    "a softmax whose gradient is NaN": (
        "04",
        "grade-masked-softmax",
        """
def masked_softmax(scores, mask):
    scores = ops.convert_to_tensor(scores)
    hidden = ops.broadcast_to(ops.cast(mask, "bool"), ops.shape(scores))
    largest = ops.max(ops.where(hidden, -np.inf, scores), axis=-1, keepdims=True)
    largest = ops.where(ops.isinf(largest), ops.zeros_like(largest), largest)
    likelihoods = ops.where(hidden, ops.zeros_like(scores), ops.exp(scores - largest))
    total = ops.sum(likelihoods, axis=-1, keepdims=True)
    return likelihoods / ops.where(total == 0, ops.ones_like(total), total)
""",
        ["its gradient is NaN next to a large hidden score"],
    ),
    "a softmax that computes in float32": (
        "04",
        "grade-masked-softmax",
        """
def masked_softmax(scores, mask):
    dtype = to_numpy(scores).dtype
    hidden, scores = np.broadcast_to(to_numpy(mask) == 1, np.shape(scores)), to_numpy(scores).astype("float32")
    largest = np.where(hidden, -np.inf, scores).max(axis=-1, keepdims=True)
    likelihoods = np.where(hidden, 0, np.exp(np.where(hidden, 0, scores - np.where(np.isinf(largest), 0, largest))))
    total = likelihoods.sum(axis=-1, keepdims=True)
    return (likelihoods / np.where(total == 0, 1, total)).astype(dtype)
""",
        ["in float64 the weights of", "no gradient passes through it"],
    ),
    "a leak test with too high a threshold": (
        "04",
        "grade-leak-test",
        [("1e-5", "1e-3")],
        ["such leaks of 72"],
    ),
    "a leak test of the last feature alone": (
        "04",
        "grade-leak-test",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before, moved = to_numpy(attend(x)), 0.0
    for position in range(1, seq_len):
        changed = x.copy()
        changed[:, position] = rng.normal(size=dim)
        moved = max(moved, np.abs(to_numpy(attend(changed)) - before)[:, :position, 2:].max())
    return moved > 1e-5
""",
        ["you found ", "such leaks of 72"],
    ),
    "a temperature that divides in place": (
        "09",
        "grade-sampling",
        """
_sample = sample
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    if temperature:
        logits /= temperature
    return _sample(logits, rng, 1.0 if temperature else 0, top_k, top_p)
""",
        [],
    ),
    "a generator of its own": (
        "09",
        "grade-sampling",
        """
_sample = sample
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    return _sample(logits, np.random.default_rng(0), temperature, top_k, top_p)
""",
        ["`rng` isn't used"],
    ),
    "a top_k of 0 that keeps nothing": (
        "09",
        "grade-sampling",
        """
_sample = sample
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    return _sample(logits, rng, temperature, 1 if top_k == 0 else top_k, top_p)
""",
        ["0 for `top_k` and 1.0 for `top_p` keep all tokens"],
    ),
    "one random token for all": (
        "09",
        "grade-mask-tokens",
        [("rng.integers(UNK + 1, vocab_size - 1, token_ids.shape)", "rng.integers(UNK + 1, vocab_size - 1)")],
        ["draw one for each place"],
    ),
    "one fate for a row": (
        "09",
        "grade-mask-tokens",
        [("fate = rng.random(token_ids.shape)", "fate = rng.random((len(token_ids), 1))")],
        ["draw for each token by itself"],
    ),
    "a mask that is taken for the last id": (
        "09",
        "grade-mask-tokens",
        [("np.where(random_tokens == mask_id, vocab_size - 1, random_tokens)", "random_tokens")],
        ["the mask's id needn't be the last one"],
    ),
    "a repaired mask that hides each position from itself": (
        "08",
        "grade-fix-inverted-mask",
        [("ops.logical_not(is_later)[None]", "(positions[None, :] < positions[:, None])[None]")],
        ["Does each position see itself, too?"],
    ),
    "a layer that reads an open length": (
        "03",
        "grade-multi-head-layer",
        [("batch, seq_len, width = ops.shape(x)", "batch, seq_len, width = x.shape")],
        ["a model of sequences of any length fails", "A length that is still open"],
    ),
    "a learned table of zeros": (
        "01",
        "grade-learned-layer",
        [("keras.initializers.RandomNormal(stddev=0.02)", '"zeros"')],
        ["should begin with small random numbers"],
    ),
    "an embedding that isn't built": (
        "01",
        "grade-learned-layer",
        """
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len, self.dim, self.table = max_len, dim, keras.layers.Embedding(max_len, dim)

    def call(self, inputs):
        if inputs.shape[1] is not None and inputs.shape[1] > self.max_len:
            raise ValueError(f"seq_len={inputs.shape[1]} is more than max_len={self.max_len}")
        return inputs + self.table(ops.arange(ops.shape(inputs)[1]))

    def get_config(self):
        return {**super().get_config(), "max_len": self.max_len, "dim": self.dim}
""",
        ["a saved model can't be loaded"],
    ),
    "a table that is as long as the sequences may be, and not one row more": (
        "01",
        "grade-learned-layer",
        [("seq_len > self.max_len:", "seq_len >= self.max_len:")],
        ["seq_len must be at most"],
    ),
    "a shift by least squares": (
        "01",
        "grade-shift-matrix",
        """
def shift_matrix(offset, dim, base=10000.0):
    table = positional_encoding(30 + offset, dim, base)
    return np.linalg.lstsq(table[:30], table[offset:], rcond=None)[0].T
""",
        ["the block of each pair should be filled by the formulas"],
    ),
    "a float16 layer that answers in float32": (
        "01",
        "grade-positional-layer",
        [
            ("dtype=inputs.dtype)", 'dtype="float32")'),
            ("return inputs + table", 'return ops.cast(inputs, "float32") + table'),
        ],
        ["a float16 layer answers in float32"],
    ),
    "a length that a model fixes while it is open": (
        "01",
        "grade-positional-layer",
        """
class PositionalEncoding(PositionalEncoding):
    def call(self, inputs):
        if inputs.shape[1] is not None and inputs.shape[1] > self.max_len:
            raise ValueError(f"seq_len={inputs.shape[1]} is more than max_len={self.max_len}")
        return inputs + ops.cast(self.table[: inputs.shape[1]], inputs.dtype)
""",
        ["took a length while it was still open"],
    ),
    "a softmax that knows two axes only": (
        "02",
        "grade-softmax",
        """
_softmax = softmax
def softmax(x, axis=-1):
    return np.asarray(_softmax(np.asarray(x).T)).T if axis == 0 else _softmax(x)
""",
        ["along axis 1"],
    ),
    "the first query's mask for all": (
        "02",
        "grade-scaled-dot-product",
        [('ops.cast(mask, "bool")', 'ops.cast(mask[..., :1, :], "bool")')],
        ["Does each query get its own row of the mask?"],
    ),
    "a hidden score that is 100 lower": (
        "02",
        "grade-scaled-dot-product",
        [('scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)', "scores = scores - 100.0 * mask")],
        ["A hidden score has to be far lower"],
    ),
    "a mask after the softmax": (
        "02",
        "grade-scaled-dot-product",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    weights = np.asarray(softmax(attention_scores(query, key)))
    if mask is not None:
        weights = weights * (1 - mask)
        weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights
""",
        ["Let the mask act before the softmax"],
    ),
    "an additive score without v": (
        "02",
        "grade-additive",
        [("ops.multiply(hidden, v)", "hidden")],
        ["`v` is missing"],
    ),
    "queries and keys that meet without new axes": (
        "02",
        "grade-additive",
        """
def additive_attention(query, key, value, w_query, w_key, v):
    hidden = ops.tanh(ops.matmul(query, w_query) + ops.matmul(key, w_key))
    weights = softmax(ops.sum(hidden * v, axis=-1))
    return ops.matmul(weights, value), weights
""",
        ["Every query has to meet every key"],
    ),
    "queries and keys that meet in one line": (
        "02",
        "grade-additive",
        """
def additive_attention(query, key, value, w_query, w_key, v):
    scores = np.sum(v * np.tanh(query @ w_query + key @ w_key), axis=-1)
    weights = softmax(scores)
    return ops.matmul(weights, value), weights
""",
        ["Every query has to meet every key"],
    ),
    "a tensor that is assigned to": (
        "02",
        "grade-scaled-dot-product",
        [
            ("scores = attention_scores(query, key)", "scores = ops.convert_to_tensor(attention_scores(query, key))"),
            ('scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)', "scores[mask == 1] = -1e9"),
        ],
        ["A tensor's entries can't be assigned to"],
    ),
    "axes counted from the front": (
        "02",
        "grade-additive",
        [
            (
                "hidden = ops.tanh(projected_query + projected_key)",
                "hidden = np.tanh((np.asarray(query) @ w_query)[:, None] + (np.asarray(key) @ w_key)[None])",
            )
        ],
        ["count axes from the back"],
    ),
    "two masks joined by a bar": (
        "04",
        "grade-decoder-mask",
        """
def create_decoder_mask(token_ids, pad_id=0):
    return create_padding_mask(token_ids, pad_id) | create_look_ahead_mask(token_ids.shape[1])
""",
        ["`ops.maximum`"],
    ),
    "two masks joined by ops.max": (
        "04",
        "grade-decoder-mask",
        """
def create_decoder_mask(token_ids, pad_id=0):
    padding, later = create_padding_mask(token_ids, pad_id), create_look_ahead_mask(token_ids.shape[1])
    return ops.max(padding, later)
""",
        ["is an axis"],
    ),
    "the mean of what moves": (
        "04",
        "grade-leak-test",
        [("if moved.max() > 1e-5", "if moved.mean() > 1e-5")],
        ["and not at a mean?"],
    ),
    "rounding near 0 taken for a leak": (
        "04",
        "grade-leak-test",
        [("if moved.max() > 1e-5", "if moved.max() > 1e-7")],
        ["leaks"],
    ),
    "two masks joined by Python's or": (
        "04",
        "grade-decoder-mask",
        """
def create_decoder_mask(token_ids, pad_id=0):
    return create_padding_mask(token_ids, pad_id) or create_look_ahead_mask(token_ids.shape[1])
""",
        ["want one truth value"],
    ),
    "a tensor that is asked for NumPy's astype": (
        "04",
        "grade-padding-mask",
        """
def create_padding_mask(token_ids, pad_id=0):
    return (token_ids == pad_id).astype("float32")[:, None, None, :]
""",
        ["A tensor lacks NumPy's methods"],
    ),
    "a gradient that stops at a dtype": (
        "04",
        "grade-masked-softmax",
        """
_masked_softmax = masked_softmax
def masked_softmax(scores, mask):
    np.finfo(str(np.dtype(scores.dtype)))
    return _masked_softmax(scores, mask)
""",
        ["it fails in training"],
    ),
    "leaks looked for from zeros": (
        "04",
        "grade-leak-test",
        [('x = rng.normal(size=(1, seq_len, dim)).astype("float32")', 'x = np.zeros((1, seq_len, dim), "float32")')],
        ["multiplied with the next input: you said False"],
    ),
    "leaks looked for from the third input on": (
        "04",
        "grade-leak-test",
        [("range(1, seq_len)", "range(2, seq_len)")],
        ["only the first output sees the second input"],
    ),
    "leaks looked for in the first eight inputs": (
        "04",
        "grade-leak-test",
        [("    rng = np.random.default_rng(0)\n", "    rng, seq_len = np.random.default_rng(0), min(seq_len, 8)\n")],
        ["far back among 40 inputs"],
    ),
    "a block whose attention is dropped nowhere": (
        "05",
        "grade-encoder-block",
        [
            ("self.dropout_1 = keras.layers.Dropout(dropout)", "self.dropout_1 = keras.layers.Dropout(0.0)"),
        ],
        ["nothing of what the attention gives is dropped"],
    ),
    "a network that reads bare tokens": (
        "05",
        "grade-encoder-block",
        ENCODER
        + """
        y = self.norm_1(x)
        x = x + self.dropout_1(self.attention(y, y, y, mask=mask))
        return x + self.dropout_2(self.feed_forward(x + self.norm_2(x)))
""",
        ["Does the feed-forward network get the normalised tokens?"],
    ),
    "the tokens added once more": (
        "05",
        "grade-encoder-block",
        ENCODER
        + """
        y = self.norm_1(x)
        z = x + self.dropout_1(self.attention(y, y, y, mask=mask))
        self.dropout_2(self.feed_forward(self.norm_2(z)))
        return z + x
""",
        ["twice the input comes out"],
    ),
    "a dropout behind post-norm": (
        "05",
        "grade-encoder-block",
        """
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return super().call(x, mask=mask) if self.norm_first else self.dropout_1(super().call(x, mask=mask))
""",
        ["not to the sum or to what is normalised"],
    ),
    "a config without super": (
        "05",
        "grade-encoder-block",
        [("return {**super().get_config(), **self.arguments}", "return self.arguments")],
        ["a copy forgets name and dtype"],
    ),
    "a mask turned by ~": (
        "05",
        "grade-encoder-block",
        """
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return super().call(x, mask=None if mask is None else ~ops.convert_to_tensor(mask))
""",
        ["`~` turns truth values"],
    ),
    **{
        f"05, decoder: {words}": ("05", "grade-decoder-block", DECODER.replace("STEPS", steps), [said])
        for words, steps, said in (
            (
                "the first sum is lost",
                "x + self.cross_attention(n1(x + own), memory, memory, mask=memory_mask)",
                "what the self-attention adds is lost",
            ),
            ("the second sum is lost", "(x + own) + 0 * cross", "what the cross-attention adds is lost"),
            (
                "bare keys and values",
                "x + self.self_attention(n0(x), x, x, mask=self_mask) + cross",
                "Does the self-attention get normalised tokens, as queries, keys and values?",
            ),
            (
                "queries of the tokens that came in",
                "x + own + self.cross_attention(n1(x), memory, memory, mask=memory_mask)",
                "not from the x that came in",
            ),
        )
    },
    "05, decoder: the memory first": (
        "05",
        "grade-decoder-block",
        [
            (
                "for sublayer, norm, dropout in zip(sublayers,",
                "for sublayer, norm, dropout in zip((sublayers[1], sublayers[0], sublayers[2]),",
            )
        ],
        ["Does the self-attention come first, the memory after it?"],
    ),
    "05: an encoder that masks by itself": (
        "05",
        "grade-encoder-block",
        """
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        later = np.triu(np.ones((x.shape[1], x.shape[1]), "float32"), 1)
        return super().call(x, mask=later if mask is None else np.maximum(later, to_numpy(mask)))
""",
        ["Does the block mask by itself"],
    ),
    "05: a network that reads the first input": (
        "05",
        "grade-encoder-block",
        ENCODER
        + """
        y = self.norm_1(x)
        return x + self.dropout_1(self.attention(y, y, y, mask=mask)) + self.dropout_2(self.feed_forward(self.norm_2(x)))
""",
        ["it should read the first sum"],
    ),
    "05: a network that reads the attention alone": (
        "05",
        "grade-encoder-block",
        ENCODER
        + """
        y = self.norm_1(x)
        a = self.dropout_1(self.attention(y, y, y, mask=mask))
        return x + a + self.dropout_2(self.feed_forward(self.norm_2(a)))
""",
        ["not the attention's output alone"],
    ),
    **{
        f"05: {words}, with Keras's attention": (
            "05",
            "grade-encoder-block",
            [
                (
                    "self.attention = MultiHeadAttention(d_model, num_heads)",
                    "self.keras_attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)\n"
                    "        self.attention = lambda q, k, v, mask=None: self.keras_attention("
                    "q, v, k, attention_mask=None if mask is None else ops.equal(mask, 0))",
                ),
                (right, wrong),
            ],
            [said],
        )
        for words, right, wrong, said in (
            (
                "a network without dropout behind it",
                "return x + self.dropout_2(self.feed_forward(self.norm_2(x)))",
                "return x + self.feed_forward(self.norm_2(x))",
                "nothing of what the feed-forward network gives is dropped",
            ),
            (
                "dense layers without a ReLU",
                "self.feed_forward = FeedForward(ff_dim, d_model, dropout)",
                "self.feed_forward = keras.Sequential([keras.layers.Dense(ff_dim), keras.layers.Dense(d_model)])",
                "it lacks the ReLU between its two dense layers",
            ),
        )
    },
    "05: one normalisation twice in post-norm": (
        "05",
        "grade-encoder-block",
        [
            (
                "return self.norm_2(x + self.dropout_2(self.feed_forward(x)))",
                "return self.norm_1(x + self.dropout_2(self.feed_forward(x)))",
            )
        ],
        ["a γ and a β of its own"],
    ),
    "05: masks that change places": (
        "05",
        "grade-decoder-block",
        [
            ("self.self_attention(y, y, y, mask=self_mask)", "self.self_attention(y, y, y, mask=memory_mask)"),
            (
                "self.cross_attention(y, memory, memory, mask=memory_mask)",
                "self.cross_attention(y, memory, memory, mask=self_mask)",
            ),
        ],
        ["have they changed places?"],
    ),
    "05: normalised over the tokens": (
        "05",
        "grade-layer-norm",
        "def layer_norm(x, gamma, beta, epsilon=1e-6):\n"
        "    axis = -2 if np.ndim(x) > 2 else -1\n"
        "    mean, var = np.mean(x, axis, keepdims=True), np.var(x, axis, keepdims=True)\n"
        "    return gamma * (x - mean) / np.sqrt(var + epsilon) + beta\n",
        ["the features of each token, the last axis"],
    ),
    "05: a count without the network's biases": (
        "05",
        "grade-block-parameters",
        [("d_model * ff_dim + ff_dim + ff_dim * d_model + d_model", "2 * d_model * ff_dim")],
        ["76 are missing"],
    ),
    "05: a network without dropout behind it": (
        "05",
        "grade-encoder-block",
        [
            (
                "return x + self.dropout_2(self.feed_forward(self.norm_2(x)))",
                "return x + self.feed_forward(self.norm_2(x))",
            )
        ],
        ["nothing of what the feed-forward network gives is dropped"],
    ),
    **{
        f"05: dense layers without a ReLU, {task}": (
            "05",
            f"grade-{task}",
            [
                (
                    "self.feed_forward = FeedForward(ff_dim, d_model, dropout)",
                    "self.feed_forward = keras.Sequential([keras.layers.Dense(ff_dim), keras.layers.Dense(d_model)])",
                )
            ],
            ["it lacks the ReLU between its two dense layers"],
        )
        for task in ("encoder-block", "decoder-block")
    },
    "05, decoder: keys that are normalised again": (
        "05",
        "grade-decoder-block",
        [("self.cross_attention(y, memory, memory,", "self.cross_attention(y, layer_norm(memory, 1, 0), memory,")],
        ["its keys are normalised again"],
    ),
    "05, decoder: a network that reads the first sum": (
        "05",
        "grade-decoder-block",
        DECODER.replace("STEPS", "x + own + cross").replace("n2(x + own + cross)", "n2(x + own)"),
        ["it should read the second sum"],
    ),
    "05, decoder: the network before the cross-attention": (
        "05",
        "grade-decoder-block",
        """
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        if not self.norm_first:
            return super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        n0, n1, n2 = self.norms
        x = x + self.dropouts[0](self.self_attention(n0(x), n0(x), n0(x), mask=self_mask))
        x = x + self.dropouts[2](self.feed_forward(n2(x)))
        return x + self.dropouts[1](self.cross_attention(n1(x), memory, memory, mask=memory_mask))
""",
        ["The network is the last sublayer"],
    ),
    "05: a network that drops no hidden units": (
        "05",
        "grade-encoder-block",
        [("FeedForward(ff_dim, d_model, dropout)", "FeedForward(ff_dim, d_model, 0.0)")],
        ["no hidden unit of the feed-forward network is dropped"],
    ),
    "05, decoder: a network that drops no hidden units": (
        "05",
        "grade-decoder-block",
        [("FeedForward(ff_dim, d_model, dropout)", "FeedForward(ff_dim, d_model, 0.0)")],
        ["no hidden unit of the feed-forward network is dropped"],
    ),
    **{
        f"05, decoder: sublayer {number} without dropout": (
            "05",
            "grade-decoder-block",
            [("keras.layers.Dropout(dropout) for _ in", f"keras.layers.Dropout(dropout * (i != {number})) for i in")],
            [said],
        )
        for number, said in enumerate(
            (
                "nothing of what the self-attention gives is dropped",
                "nothing of what the cross-attention gives is dropped",
                "nothing of what the feed-forward network gives is dropped",
            )
        )
    },
    "05, decoder: dropouts behind post-norm": (
        "05",
        "grade-decoder-block",
        [("else norm(x + dropout(sublayer(x)))", "else dropout(norm(x + sublayer(x)))")],
        ["not to the sum or to what is normalised"],
    ),
    "05, decoder: a look-ahead mask of two axes only": (
        "05",
        "grade-decoder-block",
        [
            (
                "self.self_attention(y, y, y, mask=self_mask)",
                "self.self_attention(y, y, y, mask=None if self_mask is None else self_mask[None, None])",
            )
        ],
        ["DecoderBlock"],
    ),
    "06: fewer words than positions": (
        "06",
        "grade-token-embedding",
        [("PositionalEncoding(max_len, d_model)", "PositionalEncoding(vocab_size, d_model)")],
        ["a row for each position"],
    ),
    "06: an embedding dropped twice": (
        "06",
        "grade-token-embedding",
        """
class TokenEmbedding(TokenEmbedding):
    def call(self, token_ids, training=None):
        return self.dropout(super().call(token_ids, training=training), training=training)
""",
        ["Is something dropped twice?"],
    ),
    "06: a ReLU at the end": (
        "06",
        "grade-continuous-model",
        [("keras.layers.Dense(dim)", 'keras.layers.Dense(dim, activation="relu")')],
        ["the Dense at the end must have no activation"],
    ),
    "06: heads and width swapped": (
        "06",
        "grade-continuous-model",
        """
class EncoderBlock(EncoderBlock):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True):
        super().__init__(d_model, num_heads, ff_dim, dropout, norm_first)
        self.attention = keras.layers.MultiHeadAttention(d_model // num_heads, num_heads)
""",
        ["`num_heads` and `key_dim` have changed places"],
    ),
    "06: embeddings that drop nothing": (
        "06",
        "grade-token-model",
        [
            (
                "self.embed_source = TokenEmbedding(vocab_size, d_model, max_len, dropout)",
                "self.embed_source = TokenEmbedding(vocab_size, d_model, max_len, 0.0)",
            ),
            (
                "self.embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)",
                "self.embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, 0.0)",
            ),
        ],
        ["not the embeddings"],
    ),
    "06: a bias that the model has and the count hasn't": (
        "06",
        "grade-model-parameters",
        [("3 * table + vocab_size", "3 * table")],
        ["count its output's bias as it is"],
    ),
    "07: a smoothing that counts the padding": (
        "07",
        "grade-masked-loss",
        [("label_smoothing * ops.mean(log_probabilities, axis=-1)", "label_smoothing * ops.mean(log_probabilities)")],
        ["the smoothed part counts the padding too"],
    ),
    "07: a last column that is never written": (
        "07",
        "grade-greedy-decode",
        [("range(1, max_len)", "range(1, max_len - 1)")],
        ["the last column is written too"],
    ),
    "07: an EOS that becomes padding": (
        "07",
        "grade-greedy-decode",
        """
_greedy_decode = greedy_decode
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids = _greedy_decode(model, source_ids, bos_id, eos_id, max_len)
    return np.where(np.logical_and(ids == eos_id, np.arange(ids.shape[1]) < 4), 0, ids)
""",
        ["its EOS is missing"],
    ),
    "08: one sequence looked at": (
        "08",
        "grade-detect-shifted-target",
        """
def detect_shifted_target(make):
    ids = np.array([[1, 5, 6, 7, 2]])
    read, asked = make(ids)
    return bool((to_numpy(read) != ids[:, :-1]).any() or (to_numpy(asked) != ids[:, 1:]).any())
""",
        ['in the first sequence only: your check says "healthy"'],
    ),
    "04: NumPy's max of two masks": (
        "04",
        "grade-decoder-mask",
        """
def create_decoder_mask(token_ids, pad_id=0):
    return np.max(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(token_ids.shape[1]))
""",
        ["`ops.maximum` takes the larger of two arrays"],
    ),
    "04: ops.max of two masks": (
        "04",
        "grade-decoder-mask",
        """
def create_decoder_mask(token_ids, pad_id=0):
    return ops.max(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(token_ids.shape[1]))
""",
        ["`ops.maximum` takes the larger of two arrays"],
    ),
    "04: Python's max of two masks": (
        "04",
        "grade-decoder-mask",
        """
def create_decoder_mask(token_ids, pad_id=0):
    return max(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(token_ids.shape[1]))
""",
        ["`ops.maximum` take each entry by itself"],
    ),
    "04: a shape without its tuple": (
        "04",
        "grade-look-ahead-mask",
        """
def create_look_ahead_mask(size):
    return ops.triu(ops.ones(size), 1)
""",
        ["Is a shape handed over whole"],
    ),
    "04: a shape for a length": (
        "04",
        "grade-decoder-mask",
        """
def create_look_ahead_mask(size):
    return ops.cast(ops.arange(size)[None, :] > ops.arange(size)[:, None], "float32")

def create_decoder_mask(token_ids, pad_id=0):
    return ops.maximum(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(token_ids.shape))
""",
        ["such as a whole shape, stand where one is wanted"],
    ),
    "04: scores that are written into": (
        "04",
        "grade-masked-softmax",
        """
_softmax = masked_softmax
def masked_softmax(scores, mask):
    answer = _softmax(scores, mask)
    if isinstance(scores, np.ndarray) and scores.flags.writeable:
        scores[np.broadcast_to(mask, scores.shape) == 1] = -10
    return answer
""",
        ["it writes over its argument `scores`"],
    ),
    "04: a leak test that begins at the first input": (
        "04",
        "grade-leak-test",
        """
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x.copy()))
    for place in range(seq_len):
        changed = x.copy()
        changed[:, place] += 1
        if np.abs(to_numpy(attend(changed)) - before)[:, :place].max() > 1e-6:
            return True
    return False
""",
        ["The largest (or smallest) of nothing is asked for"],
    ),
    "06: half of d_model": (
        "06",
        "grade-token-embedding",
        [("self.d_model**0.5", "self.d_model**1 / 2")],
        ["this is d_model / 2"],
    ),
    "06: a table as long as the source": (
        "06",
        "grade-continuous-model",
        """
_build = build_continuous_transformer
class Places(keras.layers.Layer):
    def __init__(self, length, dim):
        super().__init__()
        self.table = np.zeros((1, length, dim), "float32")

    def call(self, x):
        return x + keras.ops.convert_to_tensor(self.table)[:, : keras.ops.shape(x)[1]]

def build_continuous_transformer(timesteps, dim, *args, **kwargs):
    inner = _build(timesteps, dim, *args, **kwargs)
    source, target = keras.Input((None, dim)), keras.Input((None, dim))
    return keras.Model([source, target], inner([source, Places(timesteps, dim)(target)]))
""",
        ["a target of 9 vectors fails", "such as a table of positions or a mask"],
    ),
    "06: a padding mask turned over": (
        "06",
        "grade-token-model",
        [
            (
                "source_mask, target_mask = create_padding_mask(source_ids), create_decoder_mask(target_ids)",
                "source_mask, target_mask = 1 - create_padding_mask(source_ids), create_decoder_mask(target_ids)",
            ),
        ],
        ["another first token of the source, and the logits are the same"],
    ),
    "06: training by position": (
        "06",
        "grade-token-model",
        [("memory = block(memory, mask=source_mask)", "memory = block(memory, source_mask, False)")],
        ["take arrays by position and everything else by its name"],
    ),
    "08: a look at the first output alone": (
        "08",
        "grade-detect-inverted-mask",
        [("range(1, x.shape[1])", "range(1, 2)")],
        ["the input two further on"],
    ),
    "08: what moves little counts as still": (
        "08",
        "grade-detect-inverted-mask",
        [("> 1e-4", "> 0.1")],
        ["two heads, of which the one that sees the next input counts for little"],
    ),
    "08: the answer at the first position alone": (
        "08",
        "grade-detect-dropped-feed-forward",
        [("moved.min()", "moved[:, 0].min()")],
        ["one that adds the answer at the first position only"],
    ),
    "08: a small share taken for none": (
        "08",
        "grade-detect-dropped-feed-forward",
        [("< 1e-4", "< 0.05")],
        ["a block that adds a small share of the answer"],
    ),
    "08: the first and the last head alone": (
        "08",
        "grade-detect-head-scaling",
        [("range(num_heads)", "(0, 2)")],
        ["the root of d_model in the second head"],
    ),
    "08: the first label alone": (
        "08",
        "grade-detect-shifted-target",
        [("np.array_equal(labels, ids[:, 1:])", "np.array_equal(labels[:, 0], ids[:, 1])")],
        ["labels that are shifted at the first position only"],
    ),
    "08: outputs compared exactly": (
        "08",
        "grade-detect-inverted-mask",
        [("- before)[:, :position].max() > 1e-4", "- before)[:, :position].max() > 0")],
        ['rounded: your check says "broken"'],
    ),
    "08: a network that returns nothing": (
        "08",
        "grade-detect-dropped-feed-forward",
        [("lambda h, answer=answer: answer", "lambda h, answer=answer: None")],
        ["Is its `return` missing?"],
    ),
    "08: scores divided by the root of key_len": (
        "08",
        "grade-fix-head-scaling",
        [("scores = scores / head_dim**0.5", "scores = scores / key.shape[1] ** 0.5")],
        ["the root of key_len"],
    ),
    "08: a root of num_heads before the quotient": (
        "08",
        "grade-fix-head-scaling",
        [("head_dim**0.5", "(d_model // num_heads ** 0.5)")],
        ["Python does `**` before `//`"],
    ),
    "08: the right divisor, but cut off to whole numbers": (
        "08",
        "grade-fix-head-scaling",
        [("scores / head_dim**0.5", "scores // head_dim**0.5")],
        ["cut off to whole numbers: `//` drops"],
    ),
    "08: a division behind the softmax": (
        "08",
        "grade-fix-head-scaling",
        [("ops.softmax(scores, axis=-1)", "ops.softmax(scores, axis=-1) / 2")],
        ["divide nothing behind it"],
    ),
    "08: scores divided twice": (
        "08",
        "grade-fix-head-scaling",
        [("scores = scores / head", "scores = scores / d_model ** 0.5\n    scores = scores / head")],
        ["or are they divided twice, by the roots of d_model and of head_dim?"],
    ),
    "08: pairs in the wrong order": (
        "08",
        "grade-fix-shifted-target",
        [("return decoder_input, labels", "return labels, decoder_input")],
        ["decoder_input: the right tokens: these are the labels. The input comes first"],
    ),
    "08: pairs that are written into what came": (
        "08",
        "grade-fix-shifted-target",
        [
            (
                "labels = target_ids[:, 1:]",
                "target_ids[:, :-1] = target_ids[:, 1:].copy()\n    labels = target_ids[:, 1:]",
            )
        ],
        ["decoder_input: `target_ids` has been written over"],
    ),
    "08: a mask in the key's place": (
        "08",
        "grade-fix-inverted-mask",
        [("attention_mask=attention_mask", "key=attention_mask")],
        ["the mask has come to the layer as its `key`"],
    ),
    "08: networks that answer with what they get and with its opposite": (
        "08",
        "grade-detect-dropped-feed-forward",
        [
            (
                "lambda h, answer=answer: answer)) for answer in (first, second)",
                "lambda h, sign=sign: sign * h)) for sign in (1, -1)",
            )
        ],
        ["adds half of the answer and normalises"],
    ),
    "08: ids that repeat": (
        "08",
        "grade-detect-shifted-target",
        """
def detect_shifted_target(make):
    ids = np.array([[1, 5, 5, 5, 2], [1, 5, 5, 2, 0], [1, 5, 2, 0, 0]])
    inputs, labels = make(ids.copy())
    return not (np.array_equal(to_numpy(inputs), ids[:, :-1]) and np.array_equal(to_numpy(labels), ids[:, 1:]))
""",
        ["are ids repeated there"],
    ),
    "08: a pair where the weights are wanted": (
        "08",
        "grade-detect-swapped-arguments",
        """
def detect_swapped_arguments(build):
    return to_numpy(build(12, 2)(np.ones((1, 4, 12)))).shape[1] != 2
""",
        ["did a pair go in"],
    ),
    "08: what moves by rounding": (
        "08",
        "grade-detect-inverted-mask",
        [("- before)[:, :position].max() > 1e-4", "- before)[:, :position].max() > 2e-7")],
        ["note: ", "move by 8e-7"],
    ),
    "08: a width that the heads don't divide": (
        "08",
        "grade-detect-swapped-arguments",
        [("((12, 2), (12, 6))", "((10, 4), (12, 6))")],
        ["d_model has to be a multiple of num_heads"],
    ),
    "08: a width that is too large": (
        "08",
        "grade-detect-swapped-arguments",
        [("((12, 2), (12, 6))", "((96, 2), (12, 6))")],
        ["note: ", "a d_model of 96"],
    ),
    "08: a quotient cut off to whole numbers": (
        "08",
        "grade-fix-head-scaling",
        [("scores / head_dim**0.5", "scores / d_model // num_heads")],
        ["cut off to whole numbers: `//` drops"],
    ),
    "08: a divisor that coincides with a size for one number of heads": (
        "08",
        "grade-fix-head-scaling",
        [("head_dim**0.5", "int(d_model ** 0.5)")],
        ["divided by 3 here"],
    ),
    "08: a divisor that doesn't follow from the sizes": (
        "08",
        "grade-fix-head-scaling",
        [("head_dim**0.5", "1.7320508")],
        ["the root of 3 here, too"],
    ),
    "08: scales that are compared at equal sizes": (
        "08",
        "grade-detect-head-scaling",
        [("((3, 5), (5, 3))", "((5, 5),)"), ("(2, 1, 4, num_heads", "(2, 5, 5, num_heads")],
        ["the root of num_heads: your check says"],
    ),
    "08: scales that are compared at an equal length": (
        "08",
        "grade-detect-head-scaling",
        [("((3, 5), (5, 3))", "((3, 5),)"), ("(2, 1, 4, num_heads", "(2, 1, 5, num_heads")],
        ["note: This task has no such version, but one that divides by the root of query_len or of key_len"],
    ),
    **{
        f"08: scales with {words} heads than features": (
            "08",
            "grade-detect-head-scaling",
            [("((3, 5), (5, 3))", sizes)],
            ["note: The versions above don't show it", f"the root of the {pick} one of num_heads and head_dim"],
        )
        for words, sizes, pick in (("fewer", "((3, 5), (2, 7))", "larger"), ("more", "((5, 3), (7, 2))", "smaller"))
    },
    **{
        f"08: {task} detected at {words}": (
            "08",
            f"grade-detect-{task}",
            [(right, wrong)],
            said,
        )
        for task, words, right, wrong, said in (
            ("inverted-mask", "dim 2", "size=(1, 8, 6)", "size=(1, 8, 2)", ["note: ", "it tries a dim of 2"]),
            (
                "inverted-mask",
                "dim 1",
                "size=(1, 8, 6)",
                "size=(1, 8, 1)",
                ["Look at its inputs, too: it tries a dim of 1"],
            ),
            (
                "inverted-mask",
                "positions",
                "x = rng.normal(size=(1, 8, 6))",
                "x = np.arange(48).reshape(1, 8, 6)",
                ["note: ", "it tries numbers up to 47"],
            ),
            (
                "inverted-mask",
                "large numbers",
                "changed[:, position] = rng.normal(size=x.shape[2])",
                "changed[:, :] = 50",
                ['your check says "broken"', "Look at its inputs, too: it tries numbers up to 50"],
            ),
            (
                "dropped-feed-forward",
                "dim 2",
                "size=(3, 3, 5, 8)",
                "size=(3, 3, 5, 2)",
                ['your check says "broken", but it is healthy', "Look at its inputs, too: it tries a dim of 2"],
            ),
            (
                "dropped-feed-forward",
                "answers of float64",
                "answer=answer: answer)",
                'answer=answer: answer.astype("float64"))',
                ["note: ", "gets float32 from a block and answers in float64"],
            ),
        )
    },
    "08: two positions that are both ends": (
        "08",
        "grade-detect-dropped-feed-forward",
        [("size=(3, 3, 5, 8)", "size=(3, 3, 2, 8)")],
        ["at the first and the last position only"],
    ),
    "08: labels that are None": (
        "08",
        "grade-fix-shifted-target",
        [("return decoder_input, labels", "return decoder_input, None")],
        ["labels is None"],
    ),
    "08: Python's not": (
        "08",
        "grade-fix-inverted-mask",
        [("ops.logical_not(is_later)[None]", "not is_later[None]")],
        ["want one truth value"],
    ),
    "08: a mask that is turned over in the wrong shape": (
        "08",
        "grade-fix-inverted-mask",
        [("ops.logical_not(is_later)[None]", "ops.logical_not(is_later[1:])[None]")],
        ["(shapes: x (2, 5, 4), attention_mask (1, 4, 5))"],
    ),
    "09: whole rows selected": (
        "09",
        "grade-mask-tokens",
        [("(rng.random(token_ids.shape) < rate)", "(rng.random((len(token_ids), 1)) < rate)")],
        ["select each token by itself"],
    ),
    "09: a generator made inside": (
        "09",
        "grade-mask-tokens",
        [("token_ids = np.asarray(token_ids)", "token_ids, rng = np.asarray(token_ids), np.random.default_rng(0)")],
        ["is `rng` used, or one that is made inside?"],
    ),
    "09: one random token for a row": (
        "09",
        "grade-mask-tokens",
        [("vocab_size - 1, token_ids.shape)", "vocab_size - 1, (len(token_ids), 1))")],
        ["all random tokens of a row are the same"],
    ),
    "09: learned embeddings that drop nothing": (
        "09",
        "grade-encoder-only",
        [
            (
                "return self.dropout(self.positions(self.embedding(token_ids)), training=training)",
                "return self.positions(self.embedding(token_ids))",
            )
        ],
        ["learned positions: in training only the blocks drop something"],
    ),
    "09: logits cut off at 0": (
        "09",
        "grade-encoder-only",
        [("keras.layers.Dense(vocab_size)", 'keras.layers.Dense(vocab_size, activation="relu")')],
        ["the output layer has no activation"],
    ),
    "09: the first vectors averaged": (
        "09",
        "grade-pooling",
        """
def masked_mean_pooling(x, token_ids, pad_id=0):
    counts = (np.asarray(token_ids) != pad_id).sum(axis=1)
    return np.stack([row[:n].mean(axis=0) if n else 0 * row[0] for row, n in zip(np.asarray(x), counts)])
""",
        ["padding may stand anywhere"],
    ),
    "09: a decoder that hides itself": (
        "09",
        "grade-decoder-only",
        [
            (
                "return create_decoder_mask(token_ids)",
                "return ops.maximum(create_decoder_mask(token_ids), np.eye(token_ids.shape[1], dtype='float32'))",
            )
        ],
        ["Does the mask hide positions from themselves?"],
    ),
    "09: a dart that is not scaled": (
        "09",
        "grade-sampling",
        [
            ("rng.random((len(logits), 1)) * reached[:, -1:]", "rng.random((len(logits), 1))"),
            (
                "rank = (reached <= dart).sum(axis=-1, keepdims=True)",
                "rank = np.minimum((reached <= dart).sum(axis=-1, keepdims=True), (chances > 0).sum(axis=-1, keepdims=True) - 1)",
            ),
        ],
        ["make what is left sum to 1 again"],
    ),
    "09: a normalisation in front of the blocks": (
        "09",
        "grade-encoder-only",
        [
            ("x = self.embed(token_ids)\n", "x = self.norm(self.embed(token_ids))\n"),
            ("self.output_dense(self.norm(x))", "self.output_dense(x)"),
        ],
        ["is there a normalisation behind the last block?"],
    ),
    "09: blocks that drop nothing": (
        "09",
        "grade-encoder-only",
        [("EncoderBlock(d_model, num_heads, ff_dim, dropout)", "EncoderBlock(d_model, num_heads, ff_dim, 0.0)")],
        ["only the embeddings are dropped"],
    ),
    "09: an output in place of the model": (
        "09",
        "grade-encoder-only",
        [("    return model\n", "    return model(np.ones((1, max_len), 'int32'))\n")],
        ["it should return the model"],
    ),
    "10: one merge where none is asked for": (
        "10",
        "grade-bpe-train",
        [("while len(merges) < num_merges:", "while len(merges) < max(num_merges, 1):")],
        ["none if none are asked for"],
    ),
    "a decoder block for each encoder block": (
        "06",
        "grade-continuous-model",
        [
            ("        memory = self.positions(source)\n", "        memory, memories = self.positions(source), []\n"),
            (
                "            memory = block(memory)\n",
                "            memory = block(memory)\n            memories.append(memory)\n",
            ),
            ("for block in self.decoder:", "for block, memory in zip(self.decoder, memories):"),
        ],
        ["is it an earlier block's output"],
    ),
    "the encoder's normalisation in front of its blocks": (
        "06",
        "grade-token-model",
        [
            (
                "        for block in self.encoder:\n            memory = block(memory, mask=source_mask)\n        if self.encoder_norm is not None:\n"
                "            memory = self.encoder_norm(memory)\n",
                "        if self.encoder_norm is not None:\n            memory = self.encoder_norm(memory)\n        for block in self.encoder:\n"
                "            memory = block(memory, mask=source_mask)\n",
            )
        ],
        ["stand in front of the blocks?"],
    ),
    "a decoder block for each encoder block, with norm_first=False": (
        "06",
        "grade-token-model",
        [
            (
                "        memory = self.embed_source(source_ids)\n",
                "        memory, memories = self.embed_source(source_ids), []\n",
            ),
            (
                "            memory = block(memory, mask=source_mask)\n",
                "            memory = block(memory, mask=source_mask)\n            memories.append(memory)\n",
            ),
            (
                "            memory = self.encoder_norm(memory)\n",
                "            memories = [self.encoder_norm(memory)] * len(memories)\n",
            ),
            ("for block in self.decoder:", "for block, memory in zip(self.decoder, memories):"),
        ],
        ["with norm_first=False a decoder block's memory isn't what the last"],
    ),
    "a target without positions": (
        "06",
        "grade-token-model",
        [("x = self.embed_target(target_ids)", "x = self.embed_target.embedding(target_ids) * 8**0.5")],
        ["are there positions in the target's embeddings?"],
    ),
    "a normalisation after the decoder alone": (
        "06",
        "grade-continuous-model",
        [
            (
                "        super().__init__()\n",
                "        super().__init__()\n        self.norm = keras.layers.LayerNormalization(epsilon=1e-6)\n",
            ),
            ("self.output_dense(x)", "self.output_dense(self.norm(x))"),
        ],
        ["after one of the stacks"],
    ),
    "a count without an output": (
        "06",
        "grade-model-parameters",
        [("3 * table + vocab_size", "2 * table")],
        ["There is no output layer"],
    ),
    "09: a number between 0 and 1 though less is left": (
        "09",
        "grade-sampling",
        [
            ("    chances /= chances.sum(axis=-1, keepdims=True)\n    if top_p", "    if top_p"),
            (
                "chances = np.exp(ranked - ranked[:, :1])\n",
                "chances = np.exp(ranked - ranked[:, :1])\n    chances /= chances.sum(axis=-1, keepdims=True)\n",
            ),
            (" * reached[:, -1:]", ""),
        ],
        ["with top_k=2 a token behind the last one", "Scale that number to the sum"],
    ),
    "09: a helper that was left behind": (
        "09",
        "code-01",
        """
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return FeedForwardOfMine()(super().call(x, mask=mask))
""",
        ["FeedForwardOfMine is used and isn't there"],
    ),
    "an answer that is written over the scores": (
        "04",
        "grade-masked-softmax",
        """
_softmax = masked_softmax
def masked_softmax(scores, mask):
    out = np.asarray(scores)
    out[...] = _softmax(np.array(scores), mask)
    return out
""",
        ["A tensor's own numbers can't be written over"],
    ),
    "01: a product of two tables of rows": (
        "01",
        "grade-dot-products",
        """
def dot_products_at_offset(pe, offset):
    return np.dot(pe[: len(pe) - offset], pe[offset:])
""",
        ["in a matrix product"],
    ),
    "01: a loop over all rows": (
        "01",
        "grade-dot-products",
        """
def dot_products_at_offset(pe, offset):
    return np.array([pe[p] @ pe[p + offset] for p in range(len(pe))])
""",
        ["does a loop take a step too many?"],
    ),
    "08: weights that have to be equal to the last digit": (
        "08",
        "grade-detect-head-scaling",
        """
def detect_head_scaling(weigh):
    query, key = np.random.default_rng(0).normal(size=(2, 2, 4, 15))
    scores = np.einsum("bqhf,bkhf->bhqk", query.reshape(2, 4, 3, 5), key.reshape(2, 4, 3, 5)) / 5**0.5
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return not np.array_equal(weigh(query, key, 3), exponentials / exponentials.sum(axis=-1, keepdims=True))
""",
        ["it is healthy"],
    ),
    "08: rows that are all padded": (
        "08",
        "grade-detect-shifted-target",
        """
def detect_shifted_target(make):
    ids = np.array([[1, 5, 6, 7, 2, 0], [1, 8, 9, 2, 0, 0]])
    inputs, labels = make(ids.copy())
    return not (np.array_equal(inputs, ids[:, :-1]) and np.array_equal(labels, ids[:, 1:]))
""",
        ["only where there is padding", "healthy"],
    ),
    "08: the last row alone": (
        "08",
        "grade-detect-shifted-target",
        """
def detect_shifted_target(make):
    ids = np.array([[1, 5, 6, 7, 2, 0], [1, 8, 9, 2, 0, 0], [1, 11, 12, 13, 14, 2]])
    inputs, labels = make(ids.copy())
    return not (np.array_equal(inputs[-1], ids[-1, :-1]) and np.array_equal(labels[-1], ids[-1, 1:]))
""",
        ["your check says"],
    ),
    "08: labels but for the last": (
        "08",
        "grade-detect-shifted-target",
        """
def detect_shifted_target(make):
    ids = np.array([[1, 5, 6, 7, 2, 0], [1, 8, 9, 2, 0, 0], [1, 11, 12, 13, 14, 2]])
    inputs, labels = make(ids.copy())
    return not (np.array_equal(inputs, ids[:, :-1]) and np.array_equal(labels[:, :-1], ids[:, 1:-1]))
""",
        ["at all positions but the last"],
    ),
    "09: temperature 0 that other knobs undo": (
        "09",
        "grade-sampling",
        """
_sample = sample
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0 and (top_k or top_p):
        temperature = 1.0
    return _sample(logits, rng, temperature, top_k, top_p)
""",
        ["whatever the other knobs say, here top_k=3"],
    ),
    "01: a 2 that is taken twice": (
        "01",
        "grade-angle-rates",
        """
_rates = angle_rates
def angle_rates(dim, base=10000.0):
    return _rates(dim, base) ** 2
""",
        ["multiplied by 2 once more?"],
    ),
    **{
        f"01: an embedding called on {positions}": (
            "01",
            "grade-learned-layer",
            POSITIONS_BY_EMBEDDING % positions,
            ["An array is wanted here", "`ops.arange(length)`"],
        )
        for positions in ("range(n)", "inputs=list(range(n))", "n", "inputs=n")
    },
    "02: projections, scores divided by key_dim": (
        "02",
        "grade-projections",
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    q, k, v = x_query @ w_query, x_key @ w_key, x_value @ w_value; w = softmax(q @ np.swapaxes(k, -1, -2) / k.shape[-1]); return w @ v, w
""",
        ["or by key_dim instead of its root"],
    ),
    "02: projections, on scores that task 2 divides by key_dim": (
        "02",
        "grade-projections",
        """
def attention_scores(query, key):
    return ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1]
""",
        ["or in task 2 or 3?"],
    ),
    "02: the visible scores replaced by 0": (
        "02",
        "grade-scaled-dot-product",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = ops.where(mask == 1, -1e9, 0.0)
    w = softmax(scores)
    return ops.matmul(w, value), w
""",
        ["The mask changes the hidden scores only"],
    ),
    "02: weights masked and divided by their sum and a little": (
        "02",
        "grade-scaled-dot-product",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    w = softmax(attention_scores(query, key))
    if mask is not None:
        w = w * (1 - mask); w = w / (ops.sum(w, axis=-1, keepdims=True) + 1e-9)
    return w @ value, w
""",
        ["nothing is left for the visible keys"],
    ),
    "01: rates that TensorFlow cuts off": (
        "01",
        "grade-sinusoidal-table",
        """
def positional_encoding(max_len, dim, base=10000.0):
    a = ops.arange(max_len)[:, None] * np.asarray(angle_rates(dim, base))
    return ops.reshape(ops.stack([ops.sin(ops.cast(a,"float32")), ops.cos(ops.cast(a,"float32"))], axis=-1), (max_len, dim))
""",
        ["the slow hands don't turn"],
    ),
    "01: a table with 4i / dim": (
        "01",
        "grade-sinusoidal-table",
        """
def positional_encoding(max_len, dim, base=10000.0):
    pe = np.zeros((max_len, dim))
    for p in range(max_len):
        for i in range(0, dim, 2):
            pe[p, i] = np.sin(p / base ** (2 * i / dim))
            pe[p, i + 1] = np.cos(p / base ** (2 * i / dim))
    return pe
""",
        ["the exponent is 4i / dim"],
    ),
    "01: a config that update returns": (
        "01",
        "grade-positional-layer",
        """
class PositionalEncoding(PositionalEncoding):
    def get_config(self):
        return super().get_config().update({"max_len": self.max_len, "dim": self.dim})
""",
        ["`get_config` returned None"],
    ),
    "01: the learned layer's config that update returns": (
        "01",
        "grade-learned-layer",
        """
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def get_config(self):
        return super().get_config().update({"max_len": self.max_len, "dim": self.dim})
""",
        ["`get_config` returned None"],
    ),
    "01: a pair's angle read at its column": (
        "01",
        "grade-shift-matrix",
        """
def shift_matrix(offset, dim, base=10000.0):
    a = offset * angle_rates(dim, base)
    c, s, M = np.cos(a), np.sin(a), np.zeros((dim, dim))
    for i in range(0, dim, 2):
        M[i:i+2, i:i+2] = [[c[i], s[i]], [-s[i], c[i]]]
    return M
""",
        ["one entry for each pair"],
    ),
    "01: a shift for rows": (
        "01",
        "grade-shift-matrix",
        """
def shift_matrix(offset, dim, base=10000.0):
    pe = positional_encoding(offset + 3 * dim, dim, base)
    n = 3 * dim
    return np.linalg.lstsq(pe[:n], pe[offset:], rcond=None)[0]
""",
        ["Or does it fit `pe[p] @ M`?"],
    ),
    "01: positions left out in training": (
        "01",
        "grade-positional-layer",
        """
class PositionalEncoding(PositionalEncoding):
    def call(self, inputs, training=None):
        if training:
            return inputs
        return super().call(inputs)
""",
        ["all else that depends on `training`"],
    ),
    "01: learned positions left out in training": (
        "01",
        "grade-learned-layer",
        """
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def call(self, inputs, training=None):
        if training:
            return inputs
        return super().call(inputs)
""",
        ["all else that depends on `training`"],
    ),
    "01: a weight that is made an array of NumPy": (
        "01",
        "grade-learned-layer",
        """
class LearnedPositionalEmbedding(LearnedPositionalEmbedding):
    def call(self, inputs):
        n = inputs.shape[1]
        if n is not None and n > self.max_len:
            raise ValueError(f"seq_len={n} is more than max_len={self.max_len}")
        return inputs + ops.convert_to_numpy(self.table)[:n]
""",
        ["a tensor that has no value yet"],
    ),
    "01: a weight's shape as two arguments": (
        "01",
        "grade-learned-layer",
        """
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.table = self.add_weight(max_len, dim)
    def call(self, inputs):
        return inputs + self.table[:inputs.shape[1]]
""",
        ["a shape as one tuple"],
    ),
    "02: weights of the scores' dtype": (
        "02",
        "grade-softmax",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)
""",
        ["Does the result get the dtype of `x`?"],
    ),
    "02: a softmax along axis 1": (
        "02",
        "grade-scaled-dot-product",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
    w = softmax(scores, axis=1)
    return ops.matmul(w, value), w
""",
        ["the softmax runs along axis 1"],
    ),
    "02: the root of the number of queries": (
        "02",
        "grade-scaled-dot-product",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-2])
    if mask is not None:
        scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
    w = softmax(scores)
    return ops.matmul(w, value), w
""",
        ["that of the number of queries is 1 here"],
    ),
    "02: the root of value_dim": (
        "02",
        "grade-projections",
        """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    q, k, v = x_query @ w_query, x_key @ w_key, x_value @ w_value; w = softmax(q @ np.swapaxes(k, -1, -2) / v.shape[-1] ** 0.5); return w @ v, w
""",
        ["that of value_dim is 1 here"],
    ),
    "02: the root of the batch": (
        "02",
        "grade-attention-scores",
        """
def attention_scores(query, key):
    return ops.matmul(query, ops.swapaxes(key, -1, -2)) / np.sqrt(query.shape[0])
""",
        ["You took axis 0"],
    ),
    "02: attention without a return": (
        "02",
        "grade-scaled-dot-product",
        """def scaled_dot_product_attention(query, key, value, mask=None):
    softmax(attention_scores(query, key))
""",
        ["it returned None"],
    ),
    "02: projections without a return": (
        "02",
        "grade-projections",
        """def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    pass
""",
        ["it returned None"],
    ),
    "02: additive attention without a return": (
        "02",
        "grade-additive",
        """def additive_attention(query, key, value, w_query, w_key, v):
    pass
""",
        ["it returned None"],
    ),
    "02: projections, the results exchanged": (
        "02",
        "grade-projections",
        """
_p = projected_attention
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    return _p(x_query, x_key, x_value, w_query, w_key, w_value)[::-1]
""",
        ["the second result, weights"],
    ),
    "02: additive attention, the results exchanged": (
        "02",
        "grade-additive",
        """
_a = additive_attention
def additive_attention(*a):
    return _a(*a)[::-1]
""",
        ["the second result, weights"],
    ),
    "02: exponentials without their sum": (
        "02",
        "grade-softmax",
        """
def softmax(x, axis=-1):
    return np.exp(x - np.max(x, axis=axis, keepdims=True))
""",
        ["not divided by their sum"],
    ),
    "02: a softmax that takes off the smallest": (
        "02",
        "grade-softmax",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.min(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
        ["not its mean or its smallest"],
    ),
    "02: scores times the mask": (
        "02",
        "grade-scaled-dot-product",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores * mask
    w = softmax(scores)
    return ops.matmul(w, value), w
""",
        ["the score of each visible key has become 0"],
    ),
    "02: weights with the low number": (
        "02",
        "grade-scaled-dot-product",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    w = softmax(attention_scores(query, key))
    if mask is not None:
        w = ops.where(ops.cast(mask, "bool"), -1e9, w)
    return ops.matmul(w, value), w
""",
        ["the low number stands among the weights"],
    ),
    "02: two softmaxes": (
        "02",
        "grade-scaled-dot-product",
        """
_softmax = softmax
def softmax(x, axis=-1):
    return _softmax(_softmax(x, axis), axis)
""",
        ["the softmax is taken twice"],
    ),
    "02: additive attention as scaled dot products": (
        "02",
        "grade-additive",
        """
def additive_attention(query, key, value, w_query, w_key, v):
    return scaled_dot_product_attention(query @ w_query, key @ w_key, value)
""",
        ["the scaled dot products of the two projections"],
    ),
    "02: additive attention without the keys": (
        "02",
        "grade-additive",
        """
def additive_attention(query, key, value, w_query, w_key, v):
    hidden = ops.tanh(ops.expand_dims(query @ w_query, -2) + 0 * ops.expand_dims(key @ w_key, -3))
    weights = softmax(ops.sum(hidden * v, axis=-1))
    return ops.matmul(weights, value), weights
""",
        ["Is the key in the score?"],
    ),
    "01: rates in a list": (
        "01",
        "grade-angle-rates",
        """
_rates = angle_rates
def angle_rates(dim, base=10000.0):
    return list(_rates(dim, base))
""",
        ["note: ", "it returns a list"],
    ),
    "01: every row with every other": (
        "01",
        "grade-dot-products",
        """
def dot_products_at_offset(pe, offset):
    return np.inner(pe[: len(pe) - offset], pe[offset:])
""",
        ["not every row with every other"],
    ),
    "05: the third sublayer is added to what came in": (
        "05",
        "grade-decoder-block",
        [
            (
                "            x = x + dropout(sublayer(norm(x))) if self.norm_first else norm(x + dropout(sublayer(x)))",
                "            came_in = x if sublayer is sublayers[0] else came_in\n"
                "            start = came_in if sublayer is sublayers[2] else x\n"
                "            x = start + dropout(sublayer(norm(x))) if self.norm_first else norm(x + dropout(sublayer(x)))",
            )
        ],
        ["the third sublayer is to be added to what the second gave"],
    ),
    "05: a cross-attention that masks by itself": (
        "05",
        "grade-decoder-block",
        [
            (
                "mask=memory_mask)",
                "mask=np.triu(np.ones((x.shape[1], memory.shape[1]), 'float32'), 1) if memory_mask is None else memory_mask)",
            )
        ],
        ["Does the second attention mask by itself"],
    ),
    "05: a dropout in front, too": (
        "05",
        "grade-feed-forward",
        [("self.hidden(x)", "self.hidden(self.dropout(x))")],
        ["is something dropped before the first layer"],
    ),
    "05: a mask in the fourth place": (
        "05",
        "grade-encoder-block",
        """
class EncoderBlock(EncoderBlock):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.attention_of_keras = keras.layers.MultiHeadAttention(4, 3)

    def call(self, x, mask=None):
        return self.attention_of_keras(x, x, x, mask)
""",
        ["takes a mask by name"],
    ),
    "05: weights of the cross-attention are dropped, not what it gives": (
        "05",
        "grade-decoder-block",
        [
            (
                "x = x + dropout(sublayer(norm(x)))",
                "x = x + (self.after_memory if sublayer is sublayers[1] else dropout)(sublayer(norm(x)))",
            ),
            (
                "self.dropouts = [",
                "self.after_memory, self.before_memory = keras.layers.Identity(), keras.layers.Dropout(dropout)\n        self.dropouts = [",
            ),
            (
                "self.cross_attention(y, memory, memory",
                "self.cross_attention(y, self.before_memory(memory), self.before_memory(memory)",
            ),
        ],
        ["note: ", "what the cross-attention gives isn't dropped"],
    ),
    "05: a dropout that doesn't divide": (
        "05",
        "grade-feed-forward",
        [
            (
                "self.dropout(self.hidden(x))",
                "self.dropout(self.hidden(x)) * (1 - self.rate if training else 1)",
            ),
            ("def call(self, x):", "def call(self, x, training=None):"),
        ],
        ["divided by `1 - dropout`"],
    ),
    "05: a dropout that all tokens share": (
        "05",
        "grade-feed-forward",
        [("keras.layers.Dropout(dropout)", "keras.layers.SpatialDropout1D(dropout)")],
        ["all tokens of a sequence lose the same units"],
    ),
    "05: gamma for beta": (
        "05",
        "grade-layer-norm",
        "_right = layer_norm\ndef layer_norm(x, gamma, beta, epsilon=1e-6):\n    return _right(x, beta, gamma, epsilon)\n",
        ["gamma and beta have changed places"],
    ),
    "05: a mask with an axis too many": (
        "05",
        "grade-encoder-block",
        """
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return super().call(x, mask=None if mask is None else mask[:, None])
""",
        ["an axis too many or too few"],
    ),
    "05: counts of one size": (
        "05",
        "grade-block-parameters",
        """
_right = block_parameter_count
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    _right(kind, d_model, num_heads, ff_dim)
    return 2284 if kind == "encoder" else 2932
""",
        ["d_model 8, 2 heads, ff_dim 20"],
    ),
    "05: a count that is a float": (
        "05",
        "grade-block-parameters",
        """
_right = block_parameter_count
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    return _right(kind, d_model, num_heads, ff_dim) / 1
""",
        ["note: ", "it returns a float"],
    ),
    "08: pairs of which the first is a copy, and the labels are written over what came": (
        "08",
        "grade-fix-shifted-target",
        """
def make_pairs(target_ids):
    decoder_input = target_ids[:, :-1].copy()
    target_ids[:, :-1] = target_ids[:, 1:]
    return decoder_input, target_ids[:, :-1]
""",
        ["note: It earns its points", "it writes over an array that it gets"],
    ),
    "08: sums written into x": (
        "08",
        "grade-fix-dropped-feed-forward",
        """
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    x += attend(norm_1(x))
    x += feed_forward(norm_2(x))
    return x
""",
        ["note: It earns its points", "it writes over an array that it gets"],
    ),
    "08: queries written over": (
        "08",
        "grade-fix-head-scaling",
        """
def head_weights(query, key, num_heads):
    query /= (query.shape[-1] // num_heads) ** 0.5
    heads = [np.stack(np.split(x, num_heads, axis=-1), axis=1) for x in (query, key)]
    return ops.softmax(np.einsum("bhqd,bhkd->bhqk", *heads))
""",
        ["note: It earns its points", "it writes over an array that it gets"],
    ),
    **{
        f"08: a verdict inside {words}": (
            "08",
            "grade-detect-shifted-target",
            f"_verdict = detect_shifted_target\ndef detect_shifted_target(make):\n    return {verdict}\n",
            ["note: A True or False inside an array or a list counts, but return it by itself"],
        )
        for words, verdict in (
            ("an array of one", "np.array([_verdict(make)])"),
            ("an array of one row of one", "np.array([[float(_verdict(make))]])"),
            ("a list", "[_verdict(make)]"),
            ("a tensor of one", "ops.convert_to_tensor([_verdict(make)])"),
        )
    },
    **{
        f"08: a verdict that is {words}": (
            "08",
            "grade-detect-shifted-target",
            f"_verdict = detect_shifted_target\ndef detect_shifted_target(make):\n    return {verdict}\n",
            [said],
        )
        for words, verdict, said in (
            ("a tuple", "(_verdict(make),)", "of the type `tuple`"),
            ("an empty list", "[]", "an array of the shape (0,)"),
            ("two in a list", "[_verdict(make)] * 2", "an array of the shape (2,)"),
            ("a text in a list", "[str(_verdict(make))]", "of the type `list`"),
            ("rows of different lengths", "[[True], [True, False]]", "of the type `list`"),
            ("a number in an array", "np.array([0.3])", "it returned the number 0.3"),
        )
    },
    **{
        f"08: {words}": ("08", f"grade-{task}", code, [answer, *said])
        for words, task, code, answer, said in (
            (
                "a first answer kept as a default",
                "detect-inverted-mask",
                "_verdict = detect_inverted_mask\n"
                "def detect_inverted_mask(attend, kept=[]):\n"
                "    if not kept:\n        kept.append(_verdict(attend))\n    return kept[0]\n",
                "an average of what comes later: your check says",
                ["answers without calling the function", "keep an answer from an earlier call"],
            ),
            (
                "a first answer kept in the notebook",
                "detect-shifted-target",
                "_verdict, _kept = detect_shifted_target, {}\n"
                "def detect_shifted_target(make):\n"
                "    if 'answer' not in _kept:\n        _kept['answer'] = _verdict(make)\n    return _kept['answer']\n",
                "labels that are the inputs: your check says",
                ["answers without calling the function"],
            ),
            (
                "a comparison of arrays",
                "detect-shifted-target",
                "def detect_shifted_target(make):\n"
                "    ids = np.arange(1, 11).reshape(2, 5)\n"
                "    return make(ids) != (ids[:, :-1], ids[:, 1:])\n",
                "`np.array_equal(a, b)` says whether two arrays",
                [],
            ),
            (
                "an answer taken apart",
                "detect-inverted-mask",
                "def detect_inverted_mask(attend):\n"
                "    output, weights = attend(np.ones((3, 8, 6), 'float32'))\n    return False\n",
                "taken apart into more or fewer names",
                ["along its first axis"],
            ),
            (
                "a constant",
                "detect-swapped-arguments",
                "def detect_swapped_arguments(build):\n    return False\n",
                "a builder that swaps: your check says",
                ["does it always say the same"],
            ),
        )
    },
    **{
        f"08, a block: {words}": (
            "08",
            "grade-fix-dropped-feed-forward",
            "def connect_block(x, attend, feed_forward, norm_1, norm_2):\n"
            f"    h = {first}\n    y = {second}\n    return {result}\n",
            [said],
        )
        for words, first, second, result, said in (
            ("attention lost", "x", "h + feed_forward(norm_2(h))", "y", "the attention's answer is lost"),
            ("no sum behind attention", "attend(norm_1(x))", "h + feed_forward(norm_2(h))", "y", "attention has no"),
            ("no sums", "attend(norm_1(x))", "feed_forward(norm_2(h))", "y", "neither sublayer has a residual"),
            (
                "a first sum with what is normalised",
                "norm_1(x) + attend(norm_1(x))",
                "h + feed_forward(norm_2(h))",
                "y",
                "around attention starts behind `norm_1`",
            ),
            (
                "a second sum with what is normalised",
                "x + attend(norm_1(x))",
                "norm_2(h) + feed_forward(norm_2(h))",
                "y",
                "around the feed-forward network starts behind `norm_2`",
            ),
            (
                "both sums with what is normalised",
                "norm_1(x) + attend(norm_1(x))",
                "norm_2(h) + feed_forward(norm_2(h))",
                "y",
                "both residual connections start behind",
            ),
            ("attention of x", "x + attend(x)", "h + feed_forward(norm_2(h))", "y", "attention reads x as it is"),
            ("no second normalisation", "x + attend(norm_1(x))", "h + feed_forward(h)", "y", "reads the sum as it is"),
            ("no normalisation", "x + attend(x)", "h + feed_forward(h)", "y", "both normalisations are missing"),
            (
                "the first normalisation twice",
                "x + attend(norm_1(x))",
                "h + feed_forward(norm_1(h))",
                "y",
                "`norm_1` is used twice",
            ),
            (
                "the second normalisation twice",
                "x + attend(norm_2(x))",
                "h + feed_forward(norm_2(h))",
                "y",
                "`norm_2` is used twice",
            ),
            (
                "normalisations in the wrong order",
                "x + attend(norm_2(x))",
                "h + feed_forward(norm_1(h))",
                "y",
                "have changed places",
            ),
            ("post-norm", "norm_1(x + attend(x))", "norm_2(h + feed_forward(h))", "y", "as in a post-norm block"),
            (
                "a first sum that is normalised",
                "norm_1(x + attend(x))",
                "h + feed_forward(norm_2(h))",
                "y",
                "the sum behind attention is normalised",
            ),
            (
                "a second sum that is normalised",
                "x + attend(norm_1(x))",
                "norm_2(h + feed_forward(h))",
                "y",
                "the sum behind the feed-forward network is normalised",
            ),
            (
                "answers that are normalised",
                "x + norm_1(attend(x))",
                "h + norm_2(feed_forward(h))",
                "y",
                "what the sublayers answer is normalised",
            ),
            (
                "the first normalisation at the end",
                "x + attend(norm_1(x))",
                "h + feed_forward(norm_2(h))",
                "norm_1(y)",
                "once more, by `norm_1`",
            ),
            (
                "the second normalisation at the end",
                "x + attend(norm_1(x))",
                "h + feed_forward(norm_2(h))",
                "norm_2(y)",
                "once more, by `norm_2`",
            ),
            (
                "a network that reads x",
                "x + attend(norm_1(x))",
                "h + feed_forward(norm_2(x))",
                "y",
                "the feed-forward network reads x, not",
            ),
            (
                "a network that reads attention alone",
                "attend(norm_1(x))",
                "x + h + feed_forward(norm_2(h))",
                "y",
                "reads the attention's answer alone",
            ),
            (
                "the network first",
                "x + feed_forward(norm_1(x))",
                "h + attend(norm_2(h))",
                "y",
                "the feed-forward network comes first",
            ),
        )
    },
    **{
        f"08: weights of an attention that {words}": (
            "08",
            "grade-fix-swapped-arguments",
            [("key_dim=head_dim", f"key_dim=head_dim, {option}")],
            [said],
        )
        for words, option, said in (
            ("begin as zeros", 'kernel_initializer="zeros"', "Kernels begin with random numbers"),
            ("begin as ones", 'kernel_initializer="ones"', "Kernels begin with random numbers"),
            ("begin with biases of 1", 'bias_initializer="ones"', "biases as 0"),
            ("are frozen", "trainable=False", "8 of the layer's 8 weights are never trained"),
        )
    },
    "08: a mask of two sequences": (
        "08",
        "grade-fix-inverted-mask",
        [("ops.logical_not(is_later)[None]", "ops.stack([ops.logical_not(is_later)] * 2)")],
        ["two sequences work, one doesn't", "attention_mask (2, 5, 5)). InvalidArgumentError"],  # and no cause
    ),
    "08: heads of two sequences": (
        "08",
        "grade-fix-head-scaling",
        [
            ("ops.reshape(query, (batch, -1", "ops.reshape(query, (2, -1"),
            ("ops.reshape(key, (batch, -1", "ops.reshape(key, (2, -1"),
        ],
        ["two sequences work, one doesn't. Does the size of the batch follow"],
    ),
    "08: a table of ten ids": (
        "08",
        "grade-fix-shifted-target",
        "def make_pairs(target_ids):\n    ids = np.arange(10)[target_ids]\n    return ids[:, :-1], ids[:, 1:]\n",
        ["3 rows of 5 ids up to 9 work, a row of 7 ids up to 999 doesn't"],
    ),
    "08: labels of one byte": (
        "08",
        "grade-fix-shifted-target",
        [("labels = target_ids[:, 1:]", 'labels = target_ids[:, 1:].astype("uint8")')],
        ["Does it work for ids of any size?"],
    ),
    "08: a residual that is added twice": (
        "08",
        "grade-fix-dropped-feed-forward",
        [("return attended + transformed", "return x + attended + transformed")],
        ["x is added once more"],
    ),
    "08: heads as wide as the model": (
        "08",
        "grade-fix-swapped-arguments",
        [("key_dim=head_dim", "key_dim=d_model")],
        ["Each head is as wide as the model"],
    ),
    "09: an axis that a mask lacks": (
        "09",
        "grade-pooling",
        [("x.dtype)[..., None]", "x.dtype)")],
        ["`kept` lacks the last axis of `x`"],
    ),
    "10: one sink, however many there should be": (
        "10",
        "grade-window-mask",
        [("(j < sinks)", "(j < min(sinks, 1))")],
        ["there is only one sink"],
    ),
    "10: a maximum that begins at 0": (
        "10",
        "grade-streaming-softmax",
        [("-np.inf, dtype)  # running maximum", "0.0, dtype)  # running maximum")],
        ["Does the maximum begin at 0?"],
    ),
    "10: hidden scores that are large and negative": (
        "10",
        "grade-streaming-softmax",
        [("== 1, -np.inf, scores)", "== 1, -1e9, scores)")],
        ["not a large negative number"],
    ),
    "10: a rotary that turns backwards": (
        "10",
        "grade-grouped-attention",
        """
_rotary = rotary
def rotary(x, positions, base=10000.0, interleaved=True):
    return _rotary(x, -ops.cast(positions, "float32"), base, interleaved)
""",
        ["mend task 3"],
    ),
    **{
        f"09: no residual connection around sublayer {i} of {number}": (
            "09",
            f"grade-{number}",
            f"""
class EncoderBlock(EncoderBlock):
    def _residual(self, i, x, sublayer, training):
        y = self.dropouts[i](sublayer(self.norms[i](x)), training=training)
        return y if i == {i} else x + y
""",
            ["the embeddings don't reach the output", "a residual connection"],
        )
        for i, number in enumerate(("encoder-only", "decoder-only"))
    },
    **{
        f"09: a count that lacks an axis, {answer}": (
            "09",
            "grade-pooling",
            f"""
def masked_mean_pooling(x, token_ids, pad_id=0):
    m = (np.asarray(token_ids) != pad_id).astype("float32")
    return {answer}
""",
            ["One of the two shapes lacks the last axis of the other", "keepdims=True"],
        )
        for answer in (
            "(x * m[..., None]).sum(1) / np.maximum(m.sum(1), 1)",
            "ops.sum(x * m[..., None], 1) / ops.maximum(ops.sum(m, 1), 1)",
        )
    },
    **{
        f"09: max for maximum, {argument}": (
            "09",
            "grade-pooling",
            f"""
def masked_mean_pooling(x, token_ids, pad_id=0):
    m = (np.asarray(token_ids) != pad_id).astype("float32")
    return ops.sum(x * m[..., None], 1) / {function}({argument}, 1)
""",
            ["The second argument of `max` is an axis"],
        )
        for function, argument in (
            ("ops.max", "ops.sum(m, 1)"),
            ("ops.max", "ops.sum(m, 1, keepdims=True)"),
            ("np.max", "m.sum(1)"),
            ("np.max", "np.sum(m, 1, keepdims=True)"),
        )
    },
    "09: a mask that isn't cast": (
        "09",
        "grade-pooling",
        """
def masked_mean_pooling(x, token_ids, pad_id=0):
    kept = ops.not_equal(token_ids, pad_id)[..., None]
    return ops.sum(x * kept, 1) / ops.maximum(ops.sum(kept, 1), 1)
""",
        ["the vectors have become true and false like the mask"],
    ),
    "09: one selection for all rows": (
        "09",
        "grade-mask-tokens",
        [("(rng.random(token_ids.shape) < rate)", "(rng.random(token_ids.shape[1]) < rate / 2)")],
        ["each token of each row drawn by itself"],
    ),
    "09: special tokens are never selected": (
        "09",
        "grade-mask-tokens",
        [("(token_ids != PAD)", "(token_ids > EOS)")],
        ["`<bos>` and `<eos>` are tokens, too."],
    ),
    "09: only the masks are called selected": (
        "09",
        "grade-mask-tokens",
        [
            (
                "np.where(selected, token_ids, PAD), selected\n",
                "np.where(selected, token_ids, PAD), selected & (instead == mask_id)\n",
            )
        ],
        ["`inputs` changes where `selected` is False"],
    ),
    "09: one block, however many there should be": (
        "09",
        "grade-encoder-only",
        [("for _ in range(num_layers)]", "for _ in range(1)]")],
        ["are num_layers blocks made"],
    ),
    "09: a block too many": (
        "09",
        "grade-encoder-only",
        [("for _ in range(num_layers)]", "for _ in range(num_layers + 1)]")],
        ["is there a block too many?"],
    ),
    "09: a decoder without learned positions": (
        "09",
        "grade-decoder-only",
        """
_build = build_decoder_lm
def build_decoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1):
    return _build(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout)
""",
        ["note: It earns its points as it is, but", "the argument `learned_positions`"],
    ),
    **{
        f"09: temperature 0 that divides by 0, {zero}": (
            "09",
            "grade-sampling",
            f"""
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    logits = np.asarray(logits)
    if {zero}:
        return logits.argmax(-1)
    with np.errstate(all="ignore"):
        x = (logits - logits.max(-1, keepdims=True)) / temperature
        chances = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    return np.array([rng.choice(len(p), p=p) for p in chances])
""",
            ["Do you divide by 0?\n(Your code stops here: ValueError: Probabilities contain NaN)"],
        )
        for zero in ("False", "temperature == 0 and top_k is None")
    },
    "09: probabilities that are cut and not made to sum to 1": (
        "09",
        "grade-sampling",
        """
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return logits.argmax(-1)
    x = (logits - logits.max(-1, keepdims=True)) / temperature
    chances = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    if top_k:
        chances = np.where(chances >= np.sort(chances)[:, -top_k, None], chances, 0.0)
    return np.array([rng.choice(len(p), p=p) for p in chances])
""",
        ["divide what is left by its sum"],
    ),
    "10: queries turned before heads and positions change places": (
        "10",
        "grade-grouped-attention",
        [
            (
                "query = rotary(self._split(self.query_dense(x)), positions)",
                "split = ops.reshape(self.query_dense(x), (-1, seq_len, self.num_heads, self.head_dim))\n        query = ops.transpose(rotary(split, positions), (0, 2, 1, 3))",
            )
        ],
        ["`rotary` is given x (2, 5, 6, 4) and positions (5,)", "not of the heads"],
    ),
    "10: positions from past_len to seq_len": (
        "10",
        "grade-grouped-attention",
        [("positions = past_len + ops.arange(seq_len)", "positions = ops.arange(past_len, seq_len)")],
        ["positions (0,)", "from past_len to past_len + seq_len - 1"],
    ),
    "10: new keys in front of the old ones": (
        "10",
        "grade-grouped-attention",
        [("[cache[0], keys]", "[keys, cache[0]]")],
        ["the new keys stand in front"],
    ),
    "10: new values in front of the old ones": (
        "10",
        "grade-grouped-attention",
        [("[cache[1], values]", "[values, cache[1]]")],
        ["do the cache's values stand in front of the new ones?"],
    ),
    "10: positions that don't go on behind the cache": (
        "10",
        "grade-grouped-attention",
        [("positions = past_len + ops", "positions = 0 * past_len + ops")],
        ["Do the positions of `rotary` go on behind the cache"],
    ),
    "10: scores divided by head_dim": (
        "10",
        "grade-grouped-attention",
        [("/ self.head_dim**0.5", "/ self.head_dim")],
        ["divided by head_dim, not by its root"],
    ),
    "10: a look-ahead mask times -inf": (
        "10",
        "grade-grouped-attention",
        [("ops.where(ahead, ops.cast(-1e9, scores.dtype), scores)", 'scores + -np.inf * ops.cast(ahead, "float32")')],
        ["such as `mask * -np.inf`"],
    ),
    "10: a sum of 0 divided by": (
        "10",
        "grade-streaming-softmax",
        [("output / np.where(total == 0, 1, total)", "output / total")],
        ["Where the sum is 0, divide by 1."],
    ),
    "10: NaNs made zeros": (
        "10",
        "grade-streaming-softmax",
        [
            ("output / np.where(total == 0, 1, total)", "np.nan_to_num(output / total)"),
            ("safe = np.where(np.isinf(new_largest), 0, new_largest)", "safe = new_largest"),
        ],
        ["While a row has seen nothing"],
    ),
    "10: a maximum of the block alone": (
        "10",
        "grade-streaming-softmax",
        [("np.maximum(largest, scores.max(axis=-1, keepdims=True))", "scores.max(axis=-1, keepdims=True)")],
        ["the larger of the old one and the block's"],
    ),
    "10: one maximum for all queries": (
        "10",
        "grade-streaming-softmax",
        [("scores.max(axis=-1, keepdims=True)", "scores.max()")],
        ["has each query its own?"],
    ),
    "10: a mask that isn't cut": (
        "10",
        "grade-streaming-softmax",
        [("[..., block] == 1", "== 1")],
        ["is the mask cut to the block"],
    ),
    "10: a mask cut along its second axis": (
        "10",
        "grade-streaming-softmax",
        [("[..., block] == 1", "[:, block] == 1")],
        ["with a mask (2, 1, 1, 7)", "along its *last* axis"],
    ),
    "10: a sum that isn't corrected": (
        "10",
        "grade-streaming-softmax",
        [("total * shrink", "total")],
        ["but the sum isn't"],
    ),
    "10: each token decoded by itself": (
        "10",
        "grade-bpe-encode",
        [
            (
                'b"".join(tokens[int(i)] for i in ids).decode(errors="replace")',
                '"".join(tokens[int(i)].decode(errors="replace") for i in ids)',
            )
        ],
        ["join the bytes of all tokens first"],
    ),
    "10: tokens in place of ids": (
        "10",
        "grade-bpe-encode",
        [("encoded += [ids[token] for token in tokens]", "encoded += tokens")],
        ["a list of ints, and it returned [b'low'"],
    ),
    "10: a list for each piece": (
        "10",
        "grade-bpe-encode",
        [("encoded += [ids[token] for token in tokens]", "encoded.append([ids[token] for token in tokens])")],
        ["a list of ints, and it returned [[257]"],
    ),
    "10: a scale that begins at 0": (
        "10",
        "grade-rms-norm",
        [('initializer="ones"', 'initializer="zeros"')],
        ["does the scale begin at 1?"],
    ),
    "10: a scale that begins at random": (
        "10",
        "grade-rms-norm",
        [(', initializer="ones"', "")],
        ["Is the scale 1 at first?"],
    ),
    "10: -inf where 1 hides": (
        "10",
        "grade-window-mask",
        """
_windowed = create_window_mask
def create_window_mask(*sizes, **options):
    return np.where(to_numpy(_windowed(*sizes, **options)) == 1, -np.inf, 0.0)
""",
        ["marked by 1, not by -∞"],
    ),
    "10: float64 for float32": (
        "10",
        "grade-rotary",
        """
_turned = rotary
def rotary(x, *more, **options):
    answer = _turned(x, *more, **options)
    return ops.cast(answer, "float64") if str(x.dtype) == "float32" else answer
""",
        ["note: It earns its points as it is, but float32 goes in, and float64 comes out"],
    ),
    **{
        f"10: {name} merge first": (
            "10",
            "grade-bpe-encode",
            [
                (
                    "pair = min(present, key=ranks.get)",
                    f"pair = min(present, key=lambda pair: ({sign}len(pair[0] + pair[1]), ranks[pair]))",
                )
            ],
            ["in the order in which they were learnt, not by length", given],
        )
        for name, sign, given in (("the longest", "-", "[258, 100]"), ("the shortest", "", "[256, 258]"))
    },
}
CHECKS = sorted({(number, check) for number, check, _, _ in MISTAKES.values()} | {("07", "code-01")})
if (
    os.environ.get("KERAS_BACKEND") == "jax"
):  # it compiles each operation for each shape: `.ci/run` takes another third each day
    part, parts = wanted_part()
    CHECKS = CHECKS[part - 1 :: parts]
# (assignment, cell of the check, an unusual answer that is right by the text)
RIGHT: dict[str, tuple[str, str, str]] = {
    "05, feed-forward: a kernel that begins as zeros": (
        "05",
        "grade-feed-forward",
        """
class FeedForward(FeedForward):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(ff_dim, d_model, dropout, **kwargs)
        self.output_dense = keras.layers.Dense(d_model, kernel_initializer="zeros")
""",
    ),
    **{
        f"05: an attention that hides by -1e4, {task}": (
            "05",
            f"grade-{task}-block",
            OWN_ATTENTION % {"masked": "scores + ops.cast(mask, 'float32') * -1e4", "weights": SOFTMAX},
        )
        for task in ("encoder", "decoder")
    },
    **{
        f"05: a network whose kernels are one vector, {task}": (
            "05",
            f"grade-{task}-block",
            """
class FeedForward(FeedForward):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        keras.layers.Layer.__init__(self, **kwargs)
        self.sizes, self.dropout = (d_model, ff_dim), keras.layers.Dropout(dropout)

    def build(self, shape):
        size = self.sizes[0] * self.sizes[1]
        self.kernels = self.add_weight(shape=(2 * size,), initializer=keras.initializers.RandomNormal(stddev=0.2))
        self.hidden_bias = self.add_weight(shape=(self.sizes[1],), initializer="zeros")
        self.bias = self.add_weight(shape=(self.sizes[0],), initializer="zeros")

    def call(self, x):
        size = self.sizes[0] * self.sizes[1]
        first, second = (ops.reshape(k, s) for k, s in ((self.kernels[:size], self.sizes), (self.kernels[size:], self.sizes[::-1])))
        return self.dropout(ops.relu(x @ first + self.hidden_bias)) @ second + self.bias
""",
        )
        for task in ("encoder", "decoder")
    },
    **{
        f"05, {task}: an attention whose biases begin with other numbers than 0": (
            "05",
            f"grade-{task}",
            """
class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for dense in (self.query_dense, self.key_dense, self.value_dense, self.output_dense):
            dense.bias_initializer = keras.initializers.RandomUniform(-0.5, 0.5)
""",
        )
        for task in ("encoder-block", "decoder-block")
    },
    **{
        f"05: attention that begins with {begin}, {task}": (
            "05",
            f"grade-{task}-block",
            f"""
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attend = keras.layers.MultiHeadAttention(
            num_heads, d_model // num_heads, kernel_initializer=keras.initializers.{begin}
        )

    def call(self, query, key, value, mask=None):
        return self.attend(query, value, key, attention_mask=None if mask is None else ops.equal(mask, 0))
""",
        )
        for task in ("encoder", "decoder")
        for begin in ("RandomUniform()", "RandomNormal(stddev=0.02)", "RandomNormal(stddev=1.0)")
    },
    "05, decoder: post-norm with one kernel for keys and values": (
        "05",
        "grade-decoder-block",
        """
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.heads, self.width = num_heads, d_model
        self.q, self.kv, self.out = [keras.layers.Dense(n) for n in (d_model, 2 * d_model, d_model)]

    def call(self, query, key, value, mask=None):
        def split(x):
            return ops.reshape(x, (-1, x.shape[1], self.heads, self.width // self.heads))

        q, k, v = map(split, (self.q(query), *ops.split(self.kv(key), 2, axis=-1)))
        scores = ops.einsum("bqhd,bkhd->bhqk", q, k) / (self.width // self.heads) ** 0.5
        if mask is not None:
            scores = scores - 1e9 * ops.cast(mask, scores.dtype)
        attended = ops.einsum("bhqk,bkhd->bqhd", ops.softmax(scores), v)
        return self.out(ops.reshape(attended, (-1, query.shape[1], self.width)))
""",
    ),
    "05, feed-forward: one position after the other": (
        "05",
        "grade-feed-forward",
        """
class FeedForward(FeedForward):
    def call(self, x):
        tokens = [self.output_dense(self.dropout(self.hidden(x[:, i]))) for i in range(x.shape[1])]
        return ops.stack(tokens, axis=1)
""",
    ),
    "05, feed-forward: distributed over time": (
        "05",
        "grade-feed-forward",
        """
class FeedForward(FeedForward):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.hidden = keras.layers.TimeDistributed(self.hidden)
        self.output_dense = keras.layers.TimeDistributed(self.output_dense)
""",
    ),
    **{
        f"05: an attention whose biases begin as ones, {task}": (
            "05",
            f"grade-{task}-block",
            """
class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(d_model, num_heads, **kwargs)
        for dense in (self.query_dense, self.key_dense, self.value_dense, self.output_dense):
            dense.bias_initializer = keras.initializers.Ones()
""",
        )
        for task in ("encoder", "decoder")
    },
    "05: a network whose last kernel begins as zeros": (
        "05",
        "grade-encoder-block",
        """
class FeedForward(FeedForward):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.output_dense.kernel_initializer = keras.initializers.Zeros()
""",
    ),
    **{
        f"08: a verdict that is {words}": (
            "08",
            "grade-detect-shifted-target",
            f"_verdict = detect_shifted_target\ndef detect_shifted_target(make):\n    return {verdict}\n",
        )
        for words, verdict in (
            ("0 or 1", "int(_verdict(make))"),
            ("one of NumPy's", "np.bool_(_verdict(make))"),
            ("an array without axes", "np.array(_verdict(make))"),
            ("a tensor", "ops.convert_to_tensor(_verdict(make))"),
            ("a float tensor", 'ops.cast(_verdict(make), "float32")'),
        )
    },
    **{
        f"08: an attention with {words}": (
            "08",
            "grade-fix-swapped-arguments",
            "def build_self_attention(d_model, num_heads):\n"
            f"    return keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, kernel_initializer={kernel})\n",
        )
        for words, kernel in (("another random kernel", '"he_normal"'), ("small kernels", '"random_uniform"'))
    },
    "08: ids that can't be written over": (
        "08",
        "grade-detect-shifted-target",
        """
_with_any_ids = detect_shifted_target
def detect_shifted_target(make):
    def reads(ids):
        ids.setflags(write=False)
        return make(ids)

    return _with_any_ids(reads)
""",
    ),
    "08: arguments by name": (
        "08",
        "grade-detect-head-scaling",
        """
_by_place = detect_head_scaling
def detect_head_scaling(weigh):
    return _by_place(lambda query, key, num_heads: weigh(query=query, key=key, num_heads=num_heads))
""",
    ),
    **{
        f"04: {words} of bfloat16": ("04", check, code)
        for words, check, code in (
            (
                "a padding mask",
                "grade-padding-mask",
                "def create_padding_mask(token_ids, pad_id=0):\n"
                '    return ops.cast(ops.equal(token_ids, pad_id), "bfloat16")[:, None, None]\n',
            ),
            (
                "a look-ahead mask",
                "grade-look-ahead-mask",
                "def create_look_ahead_mask(size):\n"
                '    return ops.cast(ops.triu(ops.ones((size, size)), k=1), "bfloat16")\n',
            ),
        )
    },
    "09: a mask of float32 beside the vectors": (
        "09",
        "grade-pooling",
        """
def masked_mean_pooling(x, token_ids, pad_id=0):
    is_token = ops.cast(ops.not_equal(token_ids, pad_id), "float32")[..., None]
    return ops.sum(ops.multiply(x, is_token), axis=1) / ops.maximum(ops.sum(is_token, axis=1), 1.0)
""",
    ),
    "08: large queries, too": (
        "08",
        "grade-detect-head-scaling",
        """
def detect_head_scaling(weigh):
    def is_off(query, key, *sizes):
        scores = np.einsum("bqhf,bkhf->bhqk", query.reshape(2, 4, *sizes), key.reshape(2, 4, *sizes)) / sizes[1] ** 0.5
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return not np.allclose(weigh(query, key, sizes[0]), powers / powers.sum(axis=-1, keepdims=True), atol=1e-6)

    rng = np.random.default_rng(0)
    large = is_off(*rng.normal(0, 30, size=(2, 2, 4, 15)), 5, 3)
    return is_off(*rng.normal(size=(2, 2, 4, 15)), 3, 5) or large
""",
    ),
    **{
        f"09: an output that shares the embedding's table, {kind}": (
            "09",
            f"grade-{kind}-only",
            f"""
class EncoderLM(EncoderLM):
    def __init__(self, vocab_size, *args, **kwargs):
        super().__init__(vocab_size, *args, **kwargs)
        del self.output_dense
        self.bias = self.add_weight(shape=(vocab_size,), initializer="zeros")

    def call(self, token_ids):
        mask, x = create_{mask}_mask(token_ids), self.embed(token_ids)
        for block in self.blocks:
            x = block(x, mask=mask)
        return self.norm(x) @ ops.transpose(self.embed.embedding.embeddings) + self.bias

DecoderLM = EncoderLM
""",
        )
        for kind, mask in (("encoder", "padding"), ("decoder", "decoder"))
    },
    "a softmax in place": (
        "02",
        "grade-softmax",
        """
def softmax(x, axis=-1):
    if x.dtype.kind == "i":
        x = x.astype("float32")
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x
""",
    ),
    "a mask that is changed in place": (
        "02",
        "grade-scaled-dot-product",
        """
_attention = scaled_dot_product_attention
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = np.asarray(attention_scores(query, key))
    if mask is not None:
        mask *= -1e9
        scores = scores + mask
    weights = softmax(scores)
    return ops.matmul(weights, value), weights
""",
    ),
}


class Notebook:
    """A notebook whose tasks are solved, in which answers are exchanged and checked one at a time."""

    def __init__(self, number: str) -> None:
        path = next((ROOT / "solutions").glob(f"{number}-*")) / "notebook.py"
        self.cells: dict[str, SourceCell] = {cell.id: cell for cell in read_source(path).cells}
        self.names: dict[str, Any] = types.ModuleType("notebook").__dict__
        for cell in self.cells.values():
            if cell.role in ("locked", "carry-over", "task") or cell.id == "grade-detect-inverted-mask":
                self.run(cell.texts["en"])

    def run(self, code: str) -> None:
        with redirect_stdout(io.StringIO()):
            run_cell(code, self.names)

    def said(self, check: str, answer: str) -> str:
        """Return what a check says of an answer: its sentence if it fails, its notes if it holds."""
        kept = dict(self.names)
        try:
            self.run(answer)
            self.run(self.cells[check].texts["en"])
            return "".join(f"note: {note}" for note in self.names["_check"].notes)
        except AssertionError as failed:
            return str(failed)
        finally:
            self.names.clear()
            self.names.update(kept)


@cache
def notebook(number: str) -> Notebook:
    return Notebook(number)


@pytest.fixture(autouse=True)
def _as_if_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")  # no trainings


@pytest.fixture
def _quick(_quick_keras_installed: None) -> Iterator[None]:
    with quick_keras.quick():
        yield


@pytest.mark.slow
@pytest.mark.usefixtures("_quick")  # a third of the time; what Keras itself gives, the solutions' checks below see
@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_check_says_what_helps(mistake: str) -> None:
    number, check, answer, words = MISTAKES[mistake]
    one = notebook(number)
    if not isinstance(answer, str):
        edits, answer = answer, one.cells[check.replace("grade-", "task-")].texts["en"]
        for right, wrong in edits:
            assert answer.count(right) == 1
            answer = answer.replace(right, wrong)
    said = one.said(check, answer)
    assert [word for word in words if word not in said] == [], said
    assert "not written yet" not in said


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["EncoderBlock", "DecoderBlock"])
def test_an_attention_that_is_not_written_may_have_been_meant_to_be_keras(kind: str) -> None:
    code = UNWRITTEN_ATTENTION % (kind, kind, "d_model, num_heads")
    said = notebook("05").said(f"grade-{kind.removesuffix('Block').lower()}-block", code)
    assert said.startswith(f"{kind} uses MultiHeadAttention.__init__, which is not written yet"), said
    assert said.endswith("If you mean Keras's own, write `keras.layers.MultiHeadAttention`."), said


@pytest.mark.slow
def test_a_copy_for_a_layer_that_is_not_written_asks_for_it() -> None:
    said = notebook("03").said("grade-keras-parity", UNWRITTEN_ATTENTION.split("\n\n\nclass")[0])
    assert said.startswith("copy_weights_to_keras: this check needs your layer of task 4"), said
    assert "keras.layers" not in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "settings"),
    [
        ("", "masked_loss"),
        ("def any_loss(labels, logits):\n    return ops.mean(logits)\n", "any_loss, metrics=[masked_accuracy]"),
    ],
    ids=["07: in the loss", "07: in the accuracy"],
)
def test_a_decoder_that_reads_the_source_is_told(code: str, settings: str) -> None:
    said = notebook("07").said("code-08", SWAPPED % (code, settings))
    assert said.startswith("train: the logits have 23 columns") and "Are source and decoder input in this order" in said


TRAIN = """
BEING_GRADED = False
def train(train_source, train_target, vocab_size, max_len, seed):
    model = build_transformer(vocab_size, max_len, 1, 8, 2, 16, dropout=0.0)
    model.compile("adam", loss=masked_loss, metrics=[masked_accuracy])
    reads, labels = teacher_forcing_pairs(train_target[:32])
    model.fit([train_source[:32], reads], labels, verbose=0)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("[train_source[:32], reads]", "train_source[:32]", "the model takes two arrays in one list"),
        ("loss=masked_loss", 'loss="masked_loss"', "give `compile` the functions themselves, without quotes"),
        ("[masked_accuracy]", '["masked_accuracy"]', "give `compile` the functions themselves, without quotes"),
        ('model.compile("adam", ', "dict(", "before `fit` the model has to be compiled"),
        ("(vocab_size, max_len, 1", "(max_len, vocab_size, 1", "get `vocab_size` first, then `max_len`?"),
    ],
    ids=[
        f"07: {words}" for words in ("one input", "a loss by name", "a metric by name", "no compile", "sizes swapped")
    ],
)
def test_what_stops_a_training_is_told(right: str, wrong: str, words: str) -> None:
    assert TRAIN.count(right) == 1
    said = notebook("07").said("code-08", TRAIN.replace(right, wrong))
    assert said.startswith("train: ") and words in said


@pytest.mark.slow
def test_where_one_row_was_decoded_one_row_is_ticked() -> None:
    one = notebook("07")
    one.run(one.cells["grade-greedy-decode"].texts["en"])
    assert "with one row only, it stops as soon as that row has ended" in one.names["_check"].passed


@pytest.mark.slow
def test_the_parameters_of_a_right_model_without_an_output_bias_are_told() -> None:
    one = notebook("06")
    answer = one.cells["task-token-model"].texts["en"]
    one.run(answer.replace("keras.layers.Dense(vocab_size)", "keras.layers.Dense(vocab_size, use_bias=False)"))
    one.run(one.cells["grade-token-model"].texts["en"])
    assert "3032 parameters for these sizes" in one.names["_check"].passed
    one.run(answer)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "check"), CHECKS)
def test_the_check_holds_for_the_solution(number: str, check: str) -> None:
    assert notebook(number).said(check, "") == ""


@pytest.mark.slow
@pytest.mark.parametrize("answer", RIGHT)
def test_the_check_refuses_no_unusual_right_answer(answer: str) -> None:
    number, check, code = RIGHT[answer]
    assert notebook(number).said(check, code) == ""


OWN_BLOCKS = {
    "other names": (
        "MyEncoder, MyDecoder = EncoderBlock, DecoderBlock\ndel EncoderBlock, DecoderBlock\n",
        [("EncoderBlock", "MyEncoder"), ("DecoderBlock", "MyDecoder")],
    ),
    "another keyword": (
        """
class DecoderBlock(DecoderBlock):
    def call(self, x, encoded, **masks):
        return super().call(x, encoded, **masks)
""",
        [("block(x, memory,", "block(x, encoded=memory,")],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("blocks", OWN_BLOCKS)
def test_the_blocks_of_06_may_be_the_students_own(blocks: str) -> None:
    one, (code, edits) = notebook("06"), OWN_BLOCKS[blocks]
    answer = one.cells["task-token-model"].texts["en"]
    for old, new in edits:
        assert old in answer
        answer = answer.replace(old, new)
    assert one.said("grade-token-model", code + answer) == ""


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_on_other_backends_too(backend: str) -> None:
    """Each check holds for the solution where tensors aren't TensorFlow's."""
    if find_spec(backend) is None:
        pytest.skip(f"{backend} isn't installed")
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env |= {
        "KERAS_BACKEND": backend,
        "XLA_FLAGS": "--xla_backend_optimization_level=0",
    }  # what runs once isn't worth optimizing
    command = sys.executable, "-m", "pytest", "-q", __file__, "-k", "holds_for_the_solution"
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout[-3000:]
