"""Known wrong answers of `03-multi-head-attention`: each is a right cell with one edit."""

from __future__ import annotations

from autograder.mistakes import Mistake
from autograder.text import Text

__all__ = ["MISTAKES"]

SPLIT = """
def split_heads(x, num_heads):
    batch, seq_len, d_model = keras.ops.shape(x)
    if d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
    x = keras.ops.reshape(x, (batch, seq_len, num_heads, d_model // num_heads))
    return keras.ops.transpose(x, (0, 2, 1, 3))
"""

MERGE = """
def merge_heads(x):
    batch, num_heads, seq_len, head_dim = keras.ops.shape(x)
    x = keras.ops.transpose(x, (0, 2, 1, 3))
    return keras.ops.reshape(x, (batch, seq_len, num_heads * head_dim))
"""

MULTI = """
def multi_head_attention(query, key, value, num_heads, mask=None):
    ops = keras.ops

    def heads(x):
        batch, seq_len, width = ops.shape(x)
        return ops.transpose(ops.reshape(x, (batch, seq_len, num_heads, width // num_heads)), (0, 2, 1, 3))

    query, key, value = heads(query), heads(key), heads(value)
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores - 1e9 * ops.cast(mask, scores.dtype)
    weights = ops.softmax(scores, axis=-1)
    attended = ops.matmul(weights, value)
    merged = ops.transpose(attended, (0, 2, 1, 3))
    batch, query_len, _, head_value_dim = ops.shape(merged)
    return ops.reshape(merged, (batch, query_len, num_heads * head_value_dim)), weights
"""

MULTI_LOOP = """
def multi_head_attention(query, key, value, num_heads, mask=None):
    outputs, weights = [], []
    for q, k, v in zip(*(np.split(x, num_heads, axis=-1) for x in (query, key, value))):
        output, head_weights = scaled_dot_product_attention(q, k, v, mask)
        outputs.append(output)
        weights.append(head_weights)
    return np.concatenate(outputs, axis=-1), np.stack(weights, axis=1)
"""

LAYER = """
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
        self.d_model = d_model
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.query_dense = keras.layers.Dense(d_model)
        self.key_dense = keras.layers.Dense(d_model)
        self.value_dense = keras.layers.Dense(d_model)
        self.output_dense = keras.layers.Dense(d_model)

    def compute_mask(self, query, previous_mask=None):
        return None

    def split(self, x):
        batch, seq_len, _ = keras.ops.shape(x)
        x = keras.ops.reshape(x, (batch, seq_len, self.num_heads, self.head_dim))
        return keras.ops.transpose(x, (0, 2, 1, 3))

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        ops = keras.ops
        query = self.split(self.query_dense(query))
        key = self.split(self.key_dense(key))
        value = self.split(self.value_dense(value))
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / self.head_dim**0.5
        if mask is not None:
            scores = scores - 1e9 * ops.cast(mask, scores.dtype)
        weights = ops.softmax(scores, axis=-1)
        attended = ops.matmul(weights, value)
        merged = ops.transpose(attended, (0, 2, 1, 3))
        batch, query_len, _, _ = ops.shape(merged)
        merged = ops.reshape(merged, (batch, query_len, self.d_model))
        output = self.output_dense(merged)
        return (output, weights) if return_attention_scores else output

    def get_config(self):
        config = super().get_config()
        config.update({"d_model": self.d_model, "num_heads": self.num_heads})
        return config
"""

COUNT = """
def mha_parameter_count(input_dim, num_heads, key_dim, value_dim=None, output_dim=None):
    value_dim = key_dim if value_dim is None else value_dim
    output_dim = input_dim if output_dim is None else output_dim
    query_and_key = 2 * (input_dim * num_heads * key_dim + num_heads * key_dim)
    value = input_dim * num_heads * value_dim + num_heads * value_dim
    output = num_heads * value_dim * output_dim + output_dim
    return query_and_key + value + output
"""

PARITY = """
def copy_weights_to_keras(layer, keras_layer):
    _, num_heads, head_dim = keras_layer.weights[0].shape
    copied = []
    for dense in (layer.query_dense, layer.key_dense, layer.value_dense):
        kernel, bias = dense.get_weights()
        kernel = kernel.reshape(-1, num_heads, head_dim)
        bias = bias.reshape(num_heads, head_dim)
        copied += [kernel, bias]
    kernel, bias = layer.output_dense.get_weights()
    kernel = kernel.reshape(num_heads, head_dim, -1)
    copied += [kernel, bias]
    keras_layer.set_weights(copied)
"""


def _with(code: str, *edits: tuple[str, str]) -> str:
    """Return `code` with each text replaced, which must occur exactly once."""
    for right, wrong in edits:
        if code.count(right) != 1:
            raise ValueError(f"The text must occur once. Received: {right!r}, {code.count(right)} times.")
        code = code.replace(right, wrong)
    return code.strip() + "\n"


def _mistake(id: str, task: str, hint: str, fails: set[str], right: str, *edits: tuple[str, str]) -> Mistake:
    return Mistake(id, task, Text(hint), _with(right, *edits), frozenset(fails))


def _dense(name: str, option: str) -> tuple[str, str]:
    """Return the edit that gives the Dense sublayer `name` another option."""
    return f"self.{name} = keras.layers.Dense(d_model)", f"self.{name} = keras.layers.Dense(d_model, {option})"


SPLIT_CHECK = """    if d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
"""
LAYER_CHECK = SPLIT_CHECK.replace("\n        ", "\n            ").replace("    if", "        if", 1)
MULTI_MASK = "        scores = scores - 1e9 * ops.cast(mask, scores.dtype)\n"
LAYER_MASK = "            scores = scores - 1e9 * ops.cast(mask, scores.dtype)\n"
FOUR_NAMES = ("query_dense", "key_dense", "value_dense", "output_dense")

_SPLIT_MISTAKES = (
    _mistake(
        "split-reshape-only",
        "split-heads",
        "A reshape never moves a number: reshaping straight to (batch, num_heads, seq_len, head_dim) gives the first head the "
        "first tokens instead of the first features. Cut up the features, then bring the heads to the front.",
        {"split-values"},
        SPLIT,
        ("(batch, seq_len, num_heads, d_model // num_heads)", "(batch, num_heads, seq_len, d_model // num_heads)"),
        ("    return keras.ops.transpose(x, (0, 2, 1, 3))", "    return x"),
    ),
    _mistake(
        "split-heads-left-behind",
        "split-heads",
        "The features are cut up, but the heads still come after the tokens. Two axes have to change places.",
        {"split-shape"},
        SPLIT,
        ("    return keras.ops.transpose(x, (0, 2, 1, 3))", "    return x"),
    ),
    _mistake(
        "split-interleaved",
        "split-heads",
        "Each head got every num_heads-th feature. The features of a head are neighbours: when you cut up the last axis, the "
        "heads come before head_dim.",
        {"split-one-token"},
        SPLIT,
        ("num_heads, d_model // num_heads))", "d_model // num_heads, num_heads))"),
        ("(0, 2, 1, 3)", "(0, 3, 1, 2)"),
    ),
    _mistake(
        "split-unchecked",
        "split-heads",
        "Check that num_heads divides d_model and raise a ValueError that names both, with their values.",
        {"split-bad-heads"},
        SPLIT,
        (SPLIT_CHECK, ""),
    ),
    _mistake(
        "split-assertion",
        "split-heads",
        "An assert raises an AssertionError and disappears when Python runs optimised. Raise a ValueError for a bad argument.",
        {"split-bad-heads"},
        SPLIT,
        (SPLIT_CHECK, '    assert d_model % num_heads == 0, f"num_heads={num_heads} must divide d_model={d_model}"\n'),
    ),
    _mistake(
        "split-silent-error",
        "split-heads",
        "The error should name num_heads and d_model and the values received, so that its reader knows what to change.",
        {"split-bad-heads"},
        SPLIT,
        ('f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}."', '"not divisible"'),
    ),
)

_MERGE_MISTAKES = (
    _mistake(
        "merge-reshape-only",
        "merge-heads",
        "A reshape never moves a number: the rows now hold neighbouring tokens of one head. Bring the heads back beside their "
        "features before you join them.",
        {"merge-values"},
        MERGE,
        ("    x = keras.ops.transpose(x, (0, 2, 1, 3))\n", ""),
    ),
    _mistake(
        "merge-interleaved",
        "merge-heads",
        "The features of the heads alternate. Each head's features stay together: before joining, the heads' axis comes right before head_dim.",
        {"merge-one-token"},
        MERGE,
        ("(0, 2, 1, 3)", "(0, 2, 3, 1)"),
    ),
    _mistake(
        "merge-not-joined",
        "merge-heads",
        "The heads stand beside their features again, but the two axes are still apart: join them into d_model.",
        {"merge-shape"},
        MERGE,
        ("    return keras.ops.reshape(x, (batch, seq_len, num_heads * head_dim))", "    return x"),
    ),
    _mistake(
        "merge-heads-averaged",
        "merge-heads",
        "The heads are put side by side, not averaged or added up: num_heads * head_dim features come out.",
        {"merge-shape"},
        MERGE,
        ("    x = keras.ops.transpose(x, (0, 2, 1, 3))\n", ""),
        (
            "    return keras.ops.reshape(x, (batch, seq_len, num_heads * head_dim))",
            "    return keras.ops.mean(x, axis=1)",
        ),
    ),
)

_MULTI_MISTAKES = (
    _mistake(
        "scaled-by-d-model",
        "multi-head",
        "The scores are too small by the root of num_heads: a head's dot product has head_dim terms, so it is divided by the root "
        "of head_dim, not of d_model.",
        {"multi-head-weights"},
        MULTI,
        ("query.shape[-1] ** 0.5", "(num_heads * query.shape[-1]) ** 0.5"),
    ),
    _mistake(
        "unscaled",
        "multi-head",
        "The scores are not divided by the root of head_dim.",
        {"multi-head-weights"},
        MULTI,
        (" / query.shape[-1] ** 0.5", ""),
    ),
    _mistake(
        "scaled-without-root",
        "multi-head",
        "The scores are divided by head_dim itself: take its square root.",
        {"multi-head-weights"},
        MULTI,
        ("query.shape[-1] ** 0.5", "query.shape[-1]"),
    ),
    _mistake(
        "softmax-over-queries",
        "multi-head",
        "The softmax runs over the queries. Each query shares out its weight over the keys, the last axis.",
        {"multi-head-distribution"},
        MULTI,
        ("axis=-1)\n    attended", "axis=-2)\n    attended"),
    ),
    _mistake(
        "softmax-over-heads",
        "multi-head",
        "The softmax runs over the heads. Each head has its own weights, which sum to 1 over the keys.",
        {"multi-head-distribution"},
        MULTI,
        ("axis=-1)\n    attended", "axis=1)\n    attended"),
    ),
    _mistake(
        "heads-by-reshape-only",
        "multi-head",
        "The heads were made by a reshape alone: queries and keys of different tokens are mixed. Cut up the features, then bring the "
        "heads to the front.",
        {"multi-head-weights", "multi-head-output"},
        MULTI,
        (
            "ops.transpose(ops.reshape(x, (batch, seq_len, num_heads, width // num_heads)), (0, 2, 1, 3))",
            "ops.reshape(x, (batch, num_heads, seq_len, width // num_heads))",
        ),
    ),
    _mistake(
        "heads-as-queries",
        "multi-head",
        "The heads were not brought to the front, so each token's heads attend to each other instead of to other tokens.",
        {"multi-head-shapes"},
        MULTI,
        (
            "ops.transpose(ops.reshape(x, (batch, seq_len, num_heads, width // num_heads)), (0, 2, 1, 3))",
            "ops.reshape(x, (batch, seq_len, num_heads, width // num_heads))",
        ),
    ),
    _mistake(
        "output-merged-by-reshape",
        "multi-head",
        "The heads were joined by a reshape alone: each output row mixes several queries. Bring the heads back beside their features first.",
        {"multi-head-output"},
        MULTI,
        (
            "merged = ops.transpose(attended, (0, 2, 1, 3))\n    batch, query_len, _, head_value_dim = ops.shape(merged)",
            "merged = attended\n    batch, _, query_len, head_value_dim = ops.shape(merged)",
        ),
    ),
    _mistake(
        "value-width-of-the-query",
        "multi-head",
        "The values were cut up with the width of the queries' heads. Values may have a width of their own.",
        {"multi-head-value-dim"},
        MULTI,
        ("    ops = keras.ops\n", "    ops = keras.ops\n    head_dim = query.shape[-1] // num_heads\n"),
        ("batch, seq_len, width = ops.shape(x)", "batch, seq_len, _ = ops.shape(x)"),
        ("num_heads, width // num_heads", "num_heads, head_dim"),
    ),
    _mistake(
        "scaled-by-value-width",
        "multi-head",
        "The scores are divided by the root of the width of the values: it is the width of a head's queries and keys that counts.",
        {"multi-head-value-dim"},
        MULTI,
        ("query.shape[-1] ** 0.5", "value.shape[-1] ** 0.5"),
    ),
    _mistake(
        "mask-too-weak",
        "multi-head",
        "What is taken off the hidden scores is too little: a score may be in the hundreds itself. Take a huge number, or -inf instead "
        "of the score.",
        {"multi-head-mask-high-scores"},
        MULTI,
        ("1e9", "100"),
    ),
    _mistake(
        "mask-inverted",
        "multi-head",
        "The mask works the wrong way round: in the lecture's convention 1 hides and 0 keeps.",
        {"multi-head-mask"},
        MULTI,
        ("ops.cast(mask, scores.dtype)", "(1 - ops.cast(mask, scores.dtype))"),
    ),
    _mistake(
        "mask-ignored",
        "multi-head",
        "The mask has no effect on the weights.",
        {"multi-head-mask"},
        MULTI,
        ("    if mask is not None:\n" + MULTI_MASK, ""),
    ),
    _mistake(
        "mask-after-softmax",
        "multi-head",
        "The hidden weights were set to 0 after the softmax, so the others no longer sum to 1. Hide the scores before it.",
        {"multi-head-mask"},
        MULTI,
        ("    if mask is not None:\n" + MULTI_MASK, ""),
        (
            "axis=-1)\n",
            "axis=-1)\n    if mask is not None:\n        weights = weights * (1 - ops.cast(mask, weights.dtype))\n",
        ),
    ),
    _mistake(
        "mask-given-a-head-axis",
        "multi-head",
        "An axis for the heads was put into every mask. A mask (query_len, key_len) broadcasts as it is, and padding masks come with that axis.",
        {"multi-head-mask"},
        MULTI,
        ("ops.cast(mask, scores.dtype)", "ops.cast(mask, scores.dtype)[:, None]"),
    ),
    _mistake(
        "mask-per-head-keeps-its-axes",
        "multi-head",
        "A mask (batch, 1, …, key_len) doesn't fit the scores (batch, query_len, key_len) of one head: its second axis has to go, or "
        "all heads are masked at once.",
        {"multi-head-mask-broadcast"},
        MULTI_LOOP,
    ),
    _mistake(
        "mask-not-in-the-output",
        "multi-head",
        "The output was made from the weights before the mask.",
        {"multi-head-mask"},
        MULTI,
        (
            "    if mask is not None:\n" + MULTI_MASK,
            "    free = ops.softmax(scores, axis=-1)\n    if mask is not None:\n" + MULTI_MASK,
        ),
        ("ops.matmul(weights, value)", "ops.matmul(free, value)"),
    ),
)

_LAYER_MISTAKES = (
    _mistake(
        "layer-scaled-by-d-model",
        "multi-head-layer",
        "The scores are too small by the root of num_heads: divide by the root of head_dim, not of d_model.",
        {"layer-scores"},
        LAYER,
        ("self.head_dim**0.5", "self.d_model**0.5"),
    ),
    _mistake(
        "layer-unscaled",
        "multi-head-layer",
        "The scores are not divided by the root of head_dim.",
        {"layer-scores"},
        LAYER,
        (" / self.head_dim**0.5", ""),
    ),
    _mistake(
        "layer-softmax-over-queries",
        "multi-head-layer",
        "The softmax runs over the queries: it belongs along the keys, the last axis.",
        {"layer-distribution"},
        LAYER,
        ("softmax(scores, axis=-1)", "softmax(scores, axis=-2)"),
    ),
    _mistake(
        "layer-relu-projections",
        "multi-head-layer",
        "The projections have an activation. They are linear: Dense without activation.",
        {"layer-value-path", "layer-scores"},
        LAYER,
        *[_dense(name, 'activation="relu"') for name in FOUR_NAMES[:3]],
    ),
    _mistake(
        "layer-no-output-projection",
        "multi-head-layer",
        "The merged heads never go through output_dense.",
        {"layer-value-and-output"},
        LAYER,
        ("self.output_dense(merged)", "merged"),
    ),
    _mistake(
        "layer-output-projection-lost",
        "multi-head-layer",
        "output_dense is called, but what it returns is thrown away: the merged heads come back unprojected.",
        {"layer-value-path"},
        LAYER,
        (
            "        output = self.output_dense(merged)\n",
            "        self.output_dense(merged)\n        output = merged\n",
        ),
    ),
    _mistake(
        "layer-without-biases",
        "multi-head-layer",
        "The Dense layers have no bias. The paper leaves it out, Keras and this task don't.",
        {"layer-query-and-key", "layer-value-and-output"},
        LAYER,
        *[_dense(name, "use_bias=False") for name in FOUR_NAMES],
    ),
    _mistake(
        "layer-shared-projection",
        "multi-head-layer",
        "Queries, keys and values go through one Dense layer. Each has its own weights, even when all three are the same input.",
        {"layer-query-and-key", "layer-value-and-output"},
        LAYER,
        ("self.split(self.key_dense(key))", "self.split(self.query_dense(key))"),
        ("self.split(self.value_dense(value))", "self.split(self.query_dense(value))"),
    ),
    _mistake(
        "layer-shared-query-and-key",
        "multi-head-layer",
        "Queries and keys go through the same Dense layer. Each has its own weights, even when both are the same input.",
        {"layer-query-and-key"},
        LAYER,
        ("self.split(self.key_dense(key))", "self.split(self.query_dense(key))"),
    ),
    _mistake(
        "layer-shared-by-values",
        "multi-head-layer",
        "The values go through the Dense layer of the keys or the queries. They have weights of their own, even when all are the same input.",
        {"layer-value-and-output"},
        LAYER,
        ("self.split(self.value_dense(value))", "self.split(self.key_dense(value))"),
    ),
    _mistake(
        "layer-inputs-of-one-width",
        "multi-head-layer",
        "Each Dense layer was built for the width of the query: keys and values may be wider or narrower.",
        {"layer-query-and-key"},
        LAYER,
        (
            "    def compute_mask",
            "    def build(self, query_shape, *others):\n"
            "        for dense in (self.query_dense, self.key_dense, self.value_dense):\n"
            "            dense.build(query_shape)\n"
            "        self.output_dense.build((*query_shape[:-1], self.d_model))\n\n"
            "    def compute_mask",
        ),
    ),
    _mistake(
        "layer-keras-argument-order",
        "multi-head-layer",
        "Keras's own layer takes (query, value, key). This one takes (query, key, value).",
        {"layer-query-and-key", "layer-value-and-output"},
        LAYER,
        ("def call(self, query, key, value,", "def call(self, query, value, key,"),
    ),
    _mistake(
        "layer-values-from-keys",
        "multi-head-layer",
        "value_dense projects the keys. In self-attention nobody notices.",
        {"layer-value-and-output"},
        LAYER,
        ("self.value_dense(value)", "self.value_dense(key)"),
        ("        key = self.split(self.key_dense(key))\n        value", "        value"),
        ("        scores = ops.matmul", "        key = self.split(self.key_dense(key))\n        scores = ops.matmul"),
    ),
    _mistake(
        "layer-merged-by-reshape",
        "multi-head-layer",
        "The heads were joined by a reshape alone: each output row mixes several queries.",
        {"layer-output"},
        LAYER,
        (
            "merged = ops.transpose(attended, (0, 2, 1, 3))\n        batch, query_len, _, _ = ops.shape(merged)",
            "merged = attended\n        batch, _, query_len, _ = ops.shape(merged)",
        ),
    ),
    _mistake(
        "layer-mask-ignored",
        "multi-head-layer",
        "The mask has no effect on the scores.",
        {"layer-mask"},
        LAYER,
        ("        if mask is not None:\n" + LAYER_MASK, ""),
    ),
    _mistake(
        "layer-mask-inverted",
        "multi-head-layer",
        "The mask works the wrong way round: 1 hides and 0 keeps, unlike Keras's attention_mask.",
        {"layer-mask"},
        LAYER,
        ("ops.cast(mask, scores.dtype)", "(1 - ops.cast(mask, scores.dtype))"),
    ),
    _mistake(
        "layer-mask-too-weak",
        "multi-head-layer",
        "What is taken off the hidden scores is too little: a score may be in the hundreds itself. Take a huge number, or -inf instead "
        "of the score.",
        {"layer-mask"},
        LAYER,
        ("1e9", "100"),
    ),
    _mistake(
        "layer-scores-not-returned",
        "multi-head-layer",
        "return_attention_scores=True asks for the pair (output, attention weights).",
        {"layer-distribution"},
        LAYER,
        ("return (output, weights) if return_attention_scores else output", "return output"),
    ),
    _mistake(
        "layer-always-a-pair",
        "multi-head-layer",
        "Without return_attention_scores the layer returns the output alone.",
        {"layer-output"},
        LAYER,
        ("return (output, weights) if return_attention_scores else output", "return output, weights"),
    ),
    _mistake(
        "layer-built-in",
        "multi-head-layer",
        "The attention inside is a ready-made op. This task asks for your own.",
        {"layer-builds"},
        LAYER,
        (
            "        attended = ops.matmul(weights, value)\n",
            "        tokens_first = [ops.transpose(x, (0, 2, 1, 3)) for x in (query, key, value)]\n"
            "        attended = ops.transpose(ops.dot_product_attention(*tokens_first), (0, 2, 1, 3))\n",
        ),
    ),
    _mistake(
        "layer-config-without-heads",
        "multi-head-layer",
        "get_config leaves an argument of the constructor out: from_config has to know them all.",
        {"layer-config"},
        LAYER,
        ('{"d_model": self.d_model, "num_heads": self.num_heads}', '{"d_model": self.d_model}'),
    ),
    _mistake(
        "layer-config-of-another-layer",
        "multi-head-layer",
        "get_config saves another number of heads than the layer has.",
        {"layer-config"},
        LAYER,
        ('"num_heads": self.num_heads}', '"num_heads": 1}'),
    ),
    _mistake(
        "layer-unchecked",
        "multi-head-layer",
        "Check in the constructor that num_heads divides d_model and raise a ValueError that names both.",
        {"layer-bad-heads"},
        LAYER,
        (LAYER_CHECK, ""),
    ),
)

_COUNT_MISTAKES = (
    _mistake(
        "count-without-biases",
        "parameter-count",
        "The biases are missing: each of the four projections has one number per output feature.",
        {"count-defaults", "count-all-given"},
        COUNT,
        (" + num_heads * key_dim)", ")"),
        (" + num_heads * value_dim\n", "\n"),
        (" + output_dim\n", "\n"),
    ),
    _mistake(
        "count-without-heads",
        "parameter-count",
        "key_dim and value_dim are the width of one head: the projections are num_heads times as wide.",
        {"count-input-kernels", "count-defaults", "count-all-given"},
        COUNT,
        ("(input_dim * num_heads * key_dim + num_heads * key_dim)", "(input_dim * key_dim + key_dim)"),
        ("input_dim * num_heads * value_dim + num_heads * value_dim", "input_dim * value_dim + value_dim"),
        ("num_heads * value_dim * output_dim", "value_dim * output_dim"),
    ),
    _mistake(
        "count-without-output",
        "parameter-count",
        "The output projection is missing: the heads are mixed by a fourth dense layer.",
        {"count-defaults", "count-all-given"},
        COUNT,
        ("return query_and_key + value + output", "return query_and_key + value"),
    ),
    _mistake(
        "count-value-dim-ignored",
        "parameter-count",
        "value_dim is not used: values may be wider or narrower than keys.",
        {"count-input-kernels", "count-all-given"},
        COUNT,
        ("value_dim = key_dim if value_dim is None else value_dim", "value_dim = key_dim"),
    ),
    _mistake(
        "count-output-dim-ignored",
        "parameter-count",
        "output_dim is not used: it is the width of the output projection.",
        {"count-input-kernels", "count-all-given"},
        COUNT,
        ("output_dim = input_dim if output_dim is None else output_dim", "output_dim = input_dim"),
    ),
    _mistake(
        "count-output-kernel-from-key-dim",
        "parameter-count",
        "What goes into the output projection are the values of all heads, not the keys.",
        {"count-all-given"},
        COUNT,
        ("num_heads * value_dim * output_dim", "num_heads * key_dim * output_dim"),
    ),
    _mistake(
        "count-output-defaults-to-heads",
        "parameter-count",
        "Left out, output_dim is input_dim, not num_heads * key_dim: Keras projects back to the width of its input.",
        {"count-defaults"},
        COUNT,
        ("output_dim = input_dim if", "output_dim = num_heads * key_dim if"),
    ),
    _mistake(
        "count-not-added-up",
        "parameter-count",
        "The parts are there, but one number is asked for: add them up.",
        {"count-is-a-number"},
        COUNT,
        ("return query_and_key + value + output", "return query_and_key, value, output"),
    ),
)

_PARITY_MISTAKES = (
    _mistake(
        "parity-without-biases",
        "keras-parity",
        "The kernels are right, but the biases stayed behind.",
        {"parity-whole"},
        PARITY,
        ("bias = bias.reshape(num_heads, head_dim)", "bias = np.zeros((num_heads, head_dim))"),
        ("copied += [kernel, bias]\n    keras_layer", "copied += [kernel, np.zeros_like(bias)]\n    keras_layer"),
    ),
    _mistake(
        "parity-interleaved",
        "keras-parity",
        "The columns were dealt to the heads in turn. A head's columns are neighbours, so num_heads comes before key_dim in the reshape.",
        {"parity-value-path", "parity-scores"},
        PARITY,
        (
            "kernel = kernel.reshape(-1, num_heads, head_dim)",
            "kernel = kernel.reshape(-1, head_dim, num_heads).transpose(0, 2, 1)",
        ),
    ),
    _mistake(
        "parity-output-transposed",
        "keras-parity",
        "The output kernel was transposed. Its rows are the merged heads already: they only have to be spelled out.",
        {"parity-value-path"},
        PARITY,
        ("kernel = kernel.reshape(num_heads, head_dim, -1)", "kernel = kernel.T.reshape(num_heads, head_dim, -1)"),
    ),
    _mistake(
        "parity-query-key-swapped",
        "keras-parity",
        "Query and key weights changed places.",
        {"parity-scores"},
        PARITY,
        (
            "(layer.query_dense, layer.key_dense, layer.value_dense)",
            "(layer.key_dense, layer.query_dense, layer.value_dense)",
        ),
    ),
    _mistake(
        "parity-keras-call-order",
        "keras-parity",
        "Keras's layer is called with (query, value, key), but it keeps its weights in the order query, key, value, output.",
        {"parity-value-path", "parity-scores"},
        PARITY,
        (
            "(layer.query_dense, layer.key_dense, layer.value_dense)",
            "(layer.query_dense, layer.value_dense, layer.key_dense)",
        ),
    ),
    _mistake(
        "parity-not-reshaped",
        "keras-parity",
        "Keras keeps each kernel with its heads spelled out: (input, num_heads, key_dim). Reshape before you set it.",
        {"parity-runs"},
        PARITY,
        ("        kernel = kernel.reshape(-1, num_heads, head_dim)\n", ""),
        ("        bias = bias.reshape(num_heads, head_dim)\n", ""),
    ),
    _mistake(
        "parity-copied-backwards",
        "keras-parity",
        "The weights went from Keras's layer into yours: copy from your layer, not into it.",
        {"parity-runs"},
        PARITY,
        (
            "    keras_layer.set_weights(copied)\n",
            "    layer.set_weights([w.reshape(v.shape) for w, v in zip(keras_layer.get_weights(), layer.get_weights())])\n",
        ),
    ),
    _mistake(
        "parity-layer-changed",
        "keras-parity",
        "Copy from your layer, not into it: its weights should stay as they are.",
        {"parity-whole"},
        PARITY,
        (
            "    keras_layer.set_weights(copied)\n",
            "    keras_layer.set_weights(copied)\n    layer.set_weights([0 * weight for weight in layer.get_weights()])\n",
        ),
    ),
)

MISTAKES: tuple[Mistake, ...] = (
    *_SPLIT_MISTAKES,
    *_MERGE_MISTAKES,
    *_MULTI_MISTAKES,
    *_LAYER_MISTAKES,
    *_COUNT_MISTAKES,
    *_PARITY_MISTAKES,
)
