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


def _mistake(id: str, task: str, hint: Text, fails: set[str], right: str, *edits: tuple[str, str]) -> Mistake:
    return Mistake(id, task, hint, _with(right, *edits), frozenset(fails))


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
        Text(
            "A reshape never moves a number: reshaping straight to (batch, num_heads, seq_len, head_dim) gives the first head the "
            "first tokens instead of the first features. Cut up the features, then bring the heads to the front.",
            "reshape는 수를 옮기지 않습니다. 곧바로 (batch, num_heads, seq_len, head_dim)으로 reshape하면 "
            "첫 헤드가 첫 특징들이 아니라 첫 토큰들을 받습니다. 먼저 특징을 자르고, 그다음 헤드를 앞으로 옮기세요.",
        ),
        {"split-values"},
        SPLIT,
        ("(batch, seq_len, num_heads, d_model // num_heads)", "(batch, num_heads, seq_len, d_model // num_heads)"),
        ("    return keras.ops.transpose(x, (0, 2, 1, 3))", "    return x"),
    ),
    _mistake(
        "split-heads-left-behind",
        "split-heads",
        Text(
            "The features are cut up, but the heads still come after the tokens. Two axes have to change places.",
            "특징은 잘랐지만 헤드가 아직 토큰 뒤에 있습니다. 두 축의 자리를 바꾸어야 합니다.",
        ),
        {"split-shape"},
        SPLIT,
        ("    return keras.ops.transpose(x, (0, 2, 1, 3))", "    return x"),
    ),
    _mistake(
        "split-interleaved",
        "split-heads",
        Text(
            "Each head got every num_heads-th feature. The features of a head are neighbours: when you cut up the last axis, the "
            "heads come before head_dim.",
            "헤드마다 특징을 num_heads 간격으로 가져갔습니다. 한 헤드의 특징은 서로 이웃합니다. "
            "마지막 축을 자를 때 헤드의 축이 head_dim보다 먼저 옵니다.",
        ),
        {"split-one-token"},
        SPLIT,
        ("num_heads, d_model // num_heads))", "d_model // num_heads, num_heads))"),
        ("(0, 2, 1, 3)", "(0, 3, 1, 2)"),
    ),
    _mistake(
        "split-unchecked",
        "split-heads",
        Text(
            "Check that num_heads divides d_model and raise a ValueError that names both, with their values.",
            "d_model이 num_heads로 나누어떨어지는지 확인하고, 아니면 둘의 이름과 값을 적은 ValueError를 일으키세요.",
        ),
        {"split-bad-heads"},
        SPLIT,
        (SPLIT_CHECK, ""),
    ),
    _mistake(
        "split-assertion",
        "split-heads",
        Text(
            "An assert raises an AssertionError and disappears when Python runs optimised. Raise a ValueError for a bad argument.",
            "assert는 AssertionError를 일으키고, 파이썬을 최적화 모드로 실행하면 사라집니다. "
            "잘못된 인수에는 ValueError를 일으키세요.",
        ),
        {"split-bad-heads"},
        SPLIT,
        (SPLIT_CHECK, '    assert d_model % num_heads == 0, f"num_heads={num_heads} must divide d_model={d_model}"\n'),
    ),
    _mistake(
        "split-one-head-apart",
        "split-heads",
        Text(
            "With a single head the axis of the heads stands behind the tokens. It comes second, as always.",
            "헤드가 하나일 때 헤드 축이 토큰 뒤에 있습니다. 그때도 둘째 축이어야 합니다.",
        ),
        {"split-values"},
        SPLIT,
        (
            "    x = keras.ops.reshape",
            "    if num_heads == 1:\n        return keras.ops.expand_dims(x, 2)\n    x = keras.ops.reshape",
        ),
    ),
    _mistake(
        "split-silent-error",
        "split-heads",
        Text(
            "The error should name num_heads and d_model and the values received, so that its reader knows what to change.",
            "오류 메시지에 num_heads와 d_model의 이름과 받은 값을 적으세요. 그래야 읽는 사람이 무엇을 고칠지 압니다.",
        ),
        {"split-bad-heads"},
        SPLIT,
        ('f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}."', '"not divisible"'),
    ),
)

_MERGE_MISTAKES = (
    _mistake(
        "merge-reshape-only",
        "merge-heads",
        Text(
            "A reshape never moves a number: the rows now hold neighbouring tokens of one head. Bring the heads back beside their "
            "features before you join them.",
            "reshape는 수를 옮기지 않습니다. 지금은 한 행에 한 헤드의 이웃한 토큰들이 들어 있습니다. "
            "이어 붙이기 전에 헤드를 자기 특징 옆으로 옮기세요.",
        ),
        {"merge-values"},
        MERGE,
        ("    x = keras.ops.transpose(x, (0, 2, 1, 3))\n", ""),
    ),
    _mistake(
        "merge-squeezes",
        "merge-heads",
        Text(
            "`squeeze` without an axis also removes the batch when it holds a single sequence.",
            "축을 정하지 않은 `squeeze`는 시퀀스가 하나뿐이면 배치 축까지 없앱니다.",
        ),
        {"merge-values"},
        MERGE,
        (
            "    x = keras.ops.transpose",
            "    if num_heads == 1:\n        return keras.ops.squeeze(x)\n    x = keras.ops.transpose",
        ),
    ),
    _mistake(
        "merge-interleaved",
        "merge-heads",
        Text(
            "The features of the heads alternate. Each head's features stay together: before joining, the heads' axis comes right before head_dim.",
            "헤드마다 특징이 하나씩 번갈아 놓였습니다. 한 헤드의 특징은 모여 있어야 합니다. "
            "이어 붙이기 전에 헤드의 축이 head_dim 바로 앞에 와야 합니다.",
        ),
        {"merge-one-token"},
        MERGE,
        ("(0, 2, 1, 3)", "(0, 2, 3, 1)"),
    ),
    _mistake(
        "merge-not-joined",
        "merge-heads",
        Text(
            "The heads stand beside their features again, but the two axes are still apart: join them into d_model.",
            "헤드가 다시 자기 특징 옆에 있지만 두 축이 아직 따로입니다. 둘을 이어 d_model로 만드세요.",
        ),
        {"merge-shape"},
        MERGE,
        ("    return keras.ops.reshape(x, (batch, seq_len, num_heads * head_dim))", "    return x"),
    ),
    _mistake(
        "merge-heads-averaged",
        "merge-heads",
        Text(
            "The heads are put side by side, not averaged or added up: num_heads * head_dim features come out.",
            "헤드는 평균하거나 더하는 것이 아니라 나란히 놓습니다. 특징은 num_heads * head_dim개가 됩니다.",
        ),
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
        Text(
            "The scores are too small by the root of num_heads: a head's dot product has head_dim terms, so it is divided by the root "
            "of head_dim, not of d_model.",
            "점수가 제 크기의 1/√num_heads밖에 되지 않습니다. 한 헤드의 내적은 항이 head_dim개이므로, "
            "d_model이 아니라 head_dim의 제곱근으로 나눕니다.",
        ),
        {"multi-head-weights"},
        MULTI,
        ("query.shape[-1] ** 0.5", "(num_heads * query.shape[-1]) ** 0.5"),
    ),
    _mistake(
        "unscaled",
        "multi-head",
        Text(
            "The scores are not divided by the root of head_dim.",
            "점수를 head_dim의 제곱근으로 나누지 않은 결과입니다.",
        ),
        {"multi-head-weights"},
        MULTI,
        (" / query.shape[-1] ** 0.5", ""),
    ),
    _mistake(
        "scaled-without-root",
        "multi-head",
        Text(
            "The scores are divided by head_dim itself: take its square root.",
            "점수를 head_dim 자체로 나눈 결과입니다. 제곱근으로 나누세요.",
        ),
        {"multi-head-weights"},
        MULTI,
        ("query.shape[-1] ** 0.5", "query.shape[-1]"),
    ),
    _mistake(
        "softmax-over-queries",
        "multi-head",
        Text(
            "The softmax runs over the queries. Each query shares out its weight over the keys, the last axis.",
            "소프트맥스를 쿼리 축으로 계산했습니다. 쿼리마다 가중치를 마지막 축인 키에 나누어 줍니다.",
        ),
        {"multi-head-distribution"},
        MULTI,
        ("axis=-1)\n    attended", "axis=-2)\n    attended"),
    ),
    _mistake(
        "softmax-over-heads",
        "multi-head",
        Text(
            "The softmax runs over the heads. Each head has its own weights, which sum to 1 over the keys.",
            "소프트맥스를 헤드 축으로 계산했습니다. 헤드마다 자기 가중치가 있고, 키를 따라 더하면 1입니다.",
        ),
        {"multi-head-distribution"},
        MULTI,
        ("axis=-1)\n    attended", "axis=1)\n    attended"),
    ),
    _mistake(
        "heads-by-reshape-only",
        "multi-head",
        Text(
            "The heads were made by a reshape alone: queries and keys of different tokens are mixed. Cut up the features, then bring the "
            "heads to the front.",
            "reshape만으로 헤드를 만들어서 서로 다른 토큰의 쿼리와 키가 섞였습니다. "
            "먼저 특징을 자르고, 그다음 헤드를 앞으로 옮기세요.",
        ),
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
        Text(
            "The heads were not brought to the front, so each token's heads attend to each other instead of to other tokens.",
            "헤드를 앞으로 옮기지 않아서, 한 토큰의 헤드들이 다른 토큰이 아니라 서로를 봅니다.",
        ),
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
        Text(
            "The heads were joined by a reshape alone: each output row mixes several queries. Bring the heads back beside their features first.",
            "reshape만으로 헤드를 이어 붙여서 출력의 한 행에 여러 쿼리가 섞입니다. "
            "먼저 헤드를 자기 특징 옆으로 옮기세요.",
        ),
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
        Text(
            "The values were cut up with the width of the queries' heads. Values may have a width of their own.",
            "값을 쿼리의 헤드 너비로 잘랐습니다. 값의 너비는 따로 정해질 수 있습니다.",
        ),
        {"multi-head-value-dim"},
        MULTI,
        ("    ops = keras.ops\n", "    ops = keras.ops\n    head_dim = query.shape[-1] // num_heads\n"),
        ("batch, seq_len, width = ops.shape(x)", "batch, seq_len, _ = ops.shape(x)"),
        ("num_heads, width // num_heads", "num_heads, head_dim"),
    ),
    _mistake(
        "scaled-by-value-width",
        "multi-head",
        Text(
            "The scores are divided by the root of the width of the values: it is the width of a head's queries and keys that counts.",
            "점수를 값의 너비의 제곱근으로 나누었습니다. 한 헤드의 쿼리와 키의 너비로 정해야 합니다.",
        ),
        {"multi-head-value-dim"},
        MULTI,
        ("query.shape[-1] ** 0.5", "value.shape[-1] ** 0.5"),
    ),
    _mistake(
        "mask-too-weak",
        "multi-head",
        Text(
            "What is taken off the hidden scores is too little: a score may be in the hundreds itself. Take a huge number, or -inf instead "
            "of the score.",
            "가릴 점수에서 빼는 수가 너무 작습니다. 점수 자체가 수백일 수도 있습니다. "
            "아주 큰 수를 빼거나, 점수 대신 -inf를 쓰세요.",
        ),
        {"multi-head-mask-high-scores"},
        MULTI,
        ("1e9", "100"),
    ),
    _mistake(
        "mask-inverted",
        "multi-head",
        Text(
            "The mask works the wrong way round: in the lecture's convention 1 hides and 0 keeps.",
            "마스크가 거꾸로 작동합니다. 강의의 규칙에서 1은 가리고 0은 남깁니다.",
        ),
        {"multi-head-mask"},
        MULTI,
        ("ops.cast(mask, scores.dtype)", "(1 - ops.cast(mask, scores.dtype))"),
    ),
    _mistake(
        "mask-ignored",
        "multi-head",
        Text(
            "The mask has no effect on the weights.",
            "마스크가 가중치에 아무 효과도 내지 않습니다.",
        ),
        {"multi-head-mask"},
        MULTI,
        ("    if mask is not None:\n" + MULTI_MASK, ""),
    ),
    _mistake(
        "mask-after-softmax",
        "multi-head",
        Text(
            "The hidden weights were set to 0 after the softmax, so the others no longer sum to 1. Hide the scores before it.",
            "소프트맥스 뒤에 가릴 가중치를 0으로 만들어서 나머지의 합이 1이 아니게 되었습니다. "
            "소프트맥스 전에 점수를 가리세요.",
        ),
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
        Text(
            "An axis for the heads was put into every mask. A mask (query_len, key_len) broadcasts as it is, and padding masks come with that axis.",
            "모든 마스크에 헤드의 축을 끼워 넣었습니다. 마스크 (query_len, key_len)은 그대로 브로드캐스트되고, "
            "패딩 마스크에는 그 축이 이미 있습니다.",
        ),
        {"multi-head-mask"},
        MULTI,
        ("ops.cast(mask, scores.dtype)", "ops.cast(mask, scores.dtype)[:, None]"),
    ),
    _mistake(
        "mask-per-head-keeps-its-axes",
        "multi-head",
        Text(
            "A mask (batch, 1, …, key_len) doesn't fit the scores (batch, query_len, key_len) of one head: its second axis has to go, or "
            "all heads are masked at once.",
            "마스크 (batch, 1, …, key_len)은 한 헤드의 점수 (batch, query_len, key_len)에 맞지 않습니다. "
            "둘째 축을 없애거나 모든 헤드를 한꺼번에 가리세요.",
        ),
        {"multi-head-mask-broadcast"},
        MULTI_LOOP,
    ),
    _mistake(
        "mask-not-in-the-output",
        "multi-head",
        Text(
            "The output was made from the weights before the mask.",
            "출력을 마스크를 쓰기 전의 가중치로 만들었습니다.",
        ),
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
        Text(
            "The scores are too small by the root of num_heads: divide by the root of head_dim, not of d_model.",
            "점수가 제 크기의 1/√num_heads밖에 되지 않습니다. d_model이 아니라 head_dim의 제곱근으로 나누세요.",
        ),
        {"layer-scores"},
        LAYER,
        ("self.head_dim**0.5", "self.d_model**0.5"),
    ),
    _mistake(
        "layer-unscaled",
        "multi-head-layer",
        Text(
            "The scores are not divided by the root of head_dim.",
            "점수를 head_dim의 제곱근으로 나누지 않은 결과입니다.",
        ),
        {"layer-scores"},
        LAYER,
        (" / self.head_dim**0.5", ""),
    ),
    _mistake(
        "layer-softmax-over-queries",
        "multi-head-layer",
        Text(
            "The softmax runs over the queries: it belongs along the keys, the last axis.",
            "소프트맥스를 쿼리 축으로 계산했습니다. 마지막 축인 키 축으로 계산해야 합니다.",
        ),
        {"layer-distribution"},
        LAYER,
        ("softmax(scores, axis=-1)", "softmax(scores, axis=-2)"),
    ),
    _mistake(
        "layer-relu-projections",
        "multi-head-layer",
        Text(
            "The projections have an activation. They are linear: Dense without activation.",
            "투영에 활성화 함수가 있습니다. 투영은 선형입니다. 활성화 함수 없는 Dense를 쓰세요.",
        ),
        {"layer-value-path", "layer-scores"},
        LAYER,
        *[_dense(name, 'activation="relu"') for name in FOUR_NAMES[:3]],
    ),
    _mistake(
        "layer-no-output-projection",
        "multi-head-layer",
        Text(
            "The merged heads never go through output_dense.",
            "합친 헤드가 output_dense를 거치지 않습니다.",
        ),
        {"layer-value-and-output"},
        LAYER,
        ("self.output_dense(merged)", "merged"),
    ),
    _mistake(
        "layer-output-projection-lost",
        "multi-head-layer",
        Text(
            "output_dense is called, but what it returns is thrown away: the merged heads come back unprojected.",
            "output_dense를 호출하지만 그 결과를 버립니다. 합친 헤드가 투영되지 않은 채 나옵니다.",
        ),
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
        Text(
            "The Dense layers have no bias. The paper leaves it out, Keras and this task don't.",
            "Dense 계층에 편향이 없습니다. 논문에는 없지만 케라스와 이 과제에는 있습니다.",
        ),
        {"layer-query-and-key", "layer-value-and-output"},
        LAYER,
        *[_dense(name, "use_bias=False") for name in FOUR_NAMES],
    ),
    _mistake(
        "layer-shared-projection",
        "multi-head-layer",
        Text(
            "Queries, keys and values go through one Dense layer. Each has its own weights, even when all three are the same input.",
            "쿼리, 키, 값이 Dense 계층 하나를 함께 지납니다. 셋이 같은 입력이라도 저마다 자기 가중치가 있어야 합니다.",
        ),
        {"layer-query-and-key", "layer-value-and-output"},
        LAYER,
        ("self.split(self.key_dense(key))", "self.split(self.query_dense(key))"),
        ("self.split(self.value_dense(value))", "self.split(self.query_dense(value))"),
    ),
    _mistake(
        "layer-shared-query-and-key",
        "multi-head-layer",
        Text(
            "Queries and keys go through the same Dense layer. Each has its own weights, even when both are the same input.",
            "쿼리와 키가 같은 Dense 계층을 지납니다. 둘이 같은 입력이라도 저마다 자기 가중치가 있어야 합니다.",
        ),
        {"layer-query-and-key"},
        LAYER,
        ("self.split(self.key_dense(key))", "self.split(self.query_dense(key))"),
    ),
    _mistake(
        "layer-shared-by-values",
        "multi-head-layer",
        Text(
            "The values go through the Dense layer of the keys or the queries. They have weights of their own, even when all are the same input.",
            "값이 키나 쿼리의 Dense 계층을 지납니다. 모두 같은 입력이라도 값에는 자기 가중치가 있어야 합니다.",
        ),
        {"layer-value-and-output"},
        LAYER,
        ("self.split(self.value_dense(value))", "self.split(self.key_dense(value))"),
    ),
    _mistake(
        "layer-inputs-of-one-width",
        "multi-head-layer",
        Text(
            "Each Dense layer was built for the width of the query: keys and values may be wider or narrower.",
            "Dense 계층을 모두 쿼리의 너비로 빌드했습니다. 키와 값은 더 넓거나 좁을 수 있습니다.",
        ),
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
        Text(
            "Keras's own layer takes (query, value, key). This one takes (query, key, value).",
            "케라스의 계층은 (query, value, key)를 받지만 이 계층은 (query, key, value)를 받습니다.",
        ),
        {"layer-query-and-key", "layer-value-and-output"},
        LAYER,
        ("def call(self, query, key, value,", "def call(self, query, value, key,"),
    ),
    _mistake(
        "layer-values-from-keys",
        "multi-head-layer",
        Text(
            "value_dense projects the keys. In self-attention nobody notices.",
            "value_dense가 키를 투영합니다. 셀프 어텐션에서는 드러나지 않는 실수입니다.",
        ),
        {"layer-value-and-output"},
        LAYER,
        ("self.value_dense(value)", "self.value_dense(key)"),
        ("        key = self.split(self.key_dense(key))\n        value", "        value"),
        ("        scores = ops.matmul", "        key = self.split(self.key_dense(key))\n        scores = ops.matmul"),
    ),
    _mistake(
        "layer-merged-by-reshape",
        "multi-head-layer",
        Text(
            "The heads were joined by a reshape alone: each output row mixes several queries.",
            "reshape만으로 헤드를 이어 붙여서 출력의 한 행에 여러 쿼리가 섞입니다.",
        ),
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
        Text(
            "The mask has no effect on the scores.",
            "마스크가 점수에 아무 효과도 내지 않습니다.",
        ),
        {"layer-mask"},
        LAYER,
        ("        if mask is not None:\n" + LAYER_MASK, ""),
    ),
    _mistake(
        "layer-mask-kept",
        "multi-head-layer",
        Text(
            "The mask of a call is kept in the layer and used again where none is given.",
            "호출에서 받은 마스크를 계층에 두었다가, 마스크를 받지 않은 호출에도 씁니다.",
        ),
        {"layer-mask"},
        LAYER,
        (
            "        if mask is not None:\n",
            "        if mask is not None:\n            self.last = (mask,)\n"
            "        mask = getattr(self, 'last', (mask,))[0]\n        if mask is not None:\n",
        ),
    ),
    _mistake(
        "layer-mask-inverted",
        "multi-head-layer",
        Text(
            "The mask works the wrong way round: 1 hides and 0 keeps, unlike Keras's attention_mask.",
            "마스크가 거꾸로 작동합니다. 케라스의 attention_mask와 달리 1은 가리고 0은 남깁니다.",
        ),
        {"layer-mask"},
        LAYER,
        ("ops.cast(mask, scores.dtype)", "(1 - ops.cast(mask, scores.dtype))"),
    ),
    _mistake(
        "layer-mask-too-weak",
        "multi-head-layer",
        Text(
            "What is taken off the hidden scores is too little: a score may be in the hundreds itself. Take a huge number, or -inf instead "
            "of the score.",
            "가릴 점수에서 빼는 수가 너무 작습니다. 점수 자체가 수백일 수도 있습니다. "
            "아주 큰 수를 빼거나, 점수 대신 -inf를 쓰세요.",
        ),
        {"layer-mask"},
        LAYER,
        ("1e9", "100"),
    ),
    _mistake(
        "layer-scores-not-returned",
        "multi-head-layer",
        Text(
            "return_attention_scores=True asks for the pair (output, attention weights).",
            "return_attention_scores=True이면 (출력, 어텐션 가중치)의 쌍을 돌려주어야 합니다.",
        ),
        {"layer-distribution"},
        LAYER,
        ("return (output, weights) if return_attention_scores else output", "return output"),
    ),
    _mistake(
        "layer-always-a-pair",
        "multi-head-layer",
        Text(
            "Without return_attention_scores the layer returns the output alone.",
            "return_attention_scores가 없으면 계층은 출력만 돌려줍니다.",
        ),
        {"layer-output"},
        LAYER,
        ("return (output, weights) if return_attention_scores else output", "return output, weights"),
    ),
    _mistake(
        "layer-built-in",
        "multi-head-layer",
        Text(
            "The attention inside is a ready-made op. This task asks for your own.",
            "안에서 이미 만들어진 어텐션 연산을 썼습니다. 이 과제에서는 어텐션을 직접 만듭니다.",
        ),
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
        Text(
            "get_config leaves an argument of the constructor out: from_config has to know them all.",
            "get_config에 생성자의 인수가 빠져 있습니다. from_config는 모든 인수를 알아야 합니다.",
        ),
        {"layer-config"},
        LAYER,
        ('{"d_model": self.d_model, "num_heads": self.num_heads}', '{"d_model": self.d_model}'),
    ),
    _mistake(
        "layer-config-of-another-layer",
        "multi-head-layer",
        Text(
            "get_config saves another number of heads than the layer has.",
            "get_config가 저장하는 헤드 수가 계층의 헤드 수와 다릅니다.",
        ),
        {"layer-config"},
        LAYER,
        ('"num_heads": self.num_heads}', '"num_heads": 1}'),
    ),
    _mistake(
        "layer-unchecked",
        "multi-head-layer",
        Text(
            "Check in the constructor that num_heads divides d_model and raise a ValueError that names both.",
            "생성자에서 d_model이 num_heads로 나누어떨어지는지 확인하고, "
            "아니면 둘의 이름을 적은 ValueError를 일으키세요.",
        ),
        {"layer-bad-heads"},
        LAYER,
        (LAYER_CHECK, ""),
    ),
)

_COUNT_MISTAKES = (
    _mistake(
        "count-without-biases",
        "parameter-count",
        Text(
            "The biases are missing: each of the four projections has one number per output feature.",
            "편향이 빠졌습니다. 네 투영 모두 출력 특징마다 수가 하나씩 더 있습니다.",
        ),
        {"count-defaults", "count-all-given"},
        COUNT,
        (" + num_heads * key_dim)", ")"),
        (" + num_heads * value_dim\n", "\n"),
        (" + output_dim\n", "\n"),
    ),
    _mistake(
        "count-without-heads",
        "parameter-count",
        Text(
            "key_dim and value_dim are the width of one head: the projections are num_heads times as wide.",
            "key_dim과 value_dim은 헤드 하나의 너비입니다. 투영의 너비는 그 num_heads배입니다.",
        ),
        {"count-input-kernels", "count-defaults", "count-all-given"},
        COUNT,
        ("(input_dim * num_heads * key_dim + num_heads * key_dim)", "(input_dim * key_dim + key_dim)"),
        ("input_dim * num_heads * value_dim + num_heads * value_dim", "input_dim * value_dim + value_dim"),
        ("num_heads * value_dim * output_dim", "value_dim * output_dim"),
    ),
    _mistake(
        "count-without-output",
        "parameter-count",
        Text(
            "The output projection is missing: the heads are mixed by a fourth dense layer.",
            "출력 투영이 빠졌습니다. 넷째 Dense 계층이 헤드들을 섞습니다.",
        ),
        {"count-defaults", "count-all-given"},
        COUNT,
        ("return query_and_key + value + output", "return query_and_key + value"),
    ),
    _mistake(
        "count-value-dim-ignored",
        "parameter-count",
        Text(
            "value_dim is not used: values may be wider or narrower than keys.",
            "value_dim이 쓰이지 않았습니다. 값은 키보다 넓거나 좁을 수 있습니다.",
        ),
        {"count-input-kernels", "count-all-given"},
        COUNT,
        ("value_dim = key_dim if value_dim is None else value_dim", "value_dim = key_dim"),
    ),
    _mistake(
        "count-output-dim-ignored",
        "parameter-count",
        Text(
            "output_dim is not used: it is the width of the output projection.",
            "output_dim이 쓰이지 않았습니다. 출력 투영의 너비입니다.",
        ),
        {"count-input-kernels", "count-all-given"},
        COUNT,
        ("output_dim = input_dim if output_dim is None else output_dim", "output_dim = input_dim"),
    ),
    _mistake(
        "count-output-kernel-from-key-dim",
        "parameter-count",
        Text(
            "What goes into the output projection are the values of all heads, not the keys.",
            "출력 투영에 들어가는 것은 키가 아니라 모든 헤드의 값입니다.",
        ),
        {"count-all-given"},
        COUNT,
        ("num_heads * value_dim * output_dim", "num_heads * key_dim * output_dim"),
    ),
    _mistake(
        "count-output-defaults-to-heads",
        "parameter-count",
        Text(
            "Left out, output_dim is input_dim, not num_heads * key_dim: Keras projects back to the width of its input.",
            "output_dim을 생략하면 num_heads * key_dim이 아니라 input_dim입니다. "
            "케라스는 입력의 너비로 다시 투영합니다.",
        ),
        {"count-defaults"},
        COUNT,
        ("output_dim = input_dim if", "output_dim = num_heads * key_dim if"),
    ),
    _mistake(
        "count-not-added-up",
        "parameter-count",
        Text(
            "The parts are there, but one number is asked for: add them up.",
            "부분은 다 있지만 필요한 것은 수 하나입니다. 모두 더하세요.",
        ),
        {"count-is-a-number"},
        COUNT,
        ("return query_and_key + value + output", "return query_and_key, value, output"),
    ),
)

_PARITY_MISTAKES = (
    _mistake(
        "parity-without-biases",
        "keras-parity",
        Text(
            "The kernels are right, but the biases stayed behind.",
            "커널은 맞지만 편향이 복사되지 않았습니다.",
        ),
        {"parity-whole"},
        PARITY,
        ("bias = bias.reshape(num_heads, head_dim)", "bias = np.zeros((num_heads, head_dim))"),
        ("copied += [kernel, bias]\n    keras_layer", "copied += [kernel, np.zeros_like(bias)]\n    keras_layer"),
    ),
    _mistake(
        "parity-interleaved",
        "keras-parity",
        Text(
            "The columns were dealt to the heads in turn. A head's columns are neighbours, so num_heads comes before key_dim in the reshape.",
            "열을 헤드에 번갈아 나누어 주었습니다. "
            "한 헤드의 열은 서로 이웃하므로 reshape에서 num_heads가 key_dim보다 먼저 옵니다.",
        ),
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
        Text(
            "The output kernel was transposed. Its rows are the merged heads already: they only have to be spelled out.",
            "출력의 커널을 전치했습니다. 그 행은 이미 합친 헤드의 순서이므로 헤드의 축만 따로 펼치면 됩니다.",
        ),
        {"parity-value-path"},
        PARITY,
        ("kernel = kernel.reshape(num_heads, head_dim, -1)", "kernel = kernel.T.reshape(num_heads, head_dim, -1)"),
    ),
    _mistake(
        "parity-query-key-swapped",
        "keras-parity",
        Text(
            "Query and key weights changed places.",
            "쿼리와 키의 가중치가 서로 바뀌었습니다.",
        ),
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
        Text(
            "Keras's layer is called with (query, value, key), but it keeps its weights in the order query, key, value, output.",
            "케라스의 계층은 (query, value, key)로 호출하지만 가중치는 쿼리, 키, 값, 출력 순서로 들어 있습니다.",
        ),
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
        Text(
            "Keras keeps each kernel with its heads spelled out: (input, num_heads, key_dim). Reshape before you set it.",
            "케라스는 커널을 헤드의 축을 펼친 (input, num_heads, key_dim)으로 둡니다. 넣기 전에 reshape하세요.",
        ),
        {"parity-runs"},
        PARITY,
        ("        kernel = kernel.reshape(-1, num_heads, head_dim)\n", ""),
        ("        bias = bias.reshape(num_heads, head_dim)\n", ""),
    ),
    _mistake(
        "parity-copied-backwards",
        "keras-parity",
        Text(
            "The weights went from Keras's layer into yours: copy from your layer, not into it.",
            "가중치가 케라스의 계층에서 여러분의 계층으로 갔습니다. "
            "여러분의 계층에 복사하지 말고 거기서 복사해 오세요.",
        ),
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
        Text(
            "Copy from your layer, not into it: its weights should stay as they are.",
            "여러분의 계층에 복사하지 말고 거기서 복사해 오세요. 여러분의 계층의 가중치는 그대로여야 합니다.",
        ),
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
