"""Known wrong answers of `09-bert-and-gpt`: each is a right cell with one edit, or a cell of its own."""

from __future__ import annotations

from autograder.mistakes import Mistake
from autograder.text import Text

__all__ = ["MISTAKES"]

MASKING = """
def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    token_ids = np.asarray(token_ids)
    selected = rng.random(token_ids.shape) < rate
    selected = selected & (token_ids != 0)
    labels = np.where(selected, token_ids, 0)
    fate = rng.random(token_ids.shape)
    inputs = token_ids.copy()
    hide = selected & (fate < 0.8)
    swap = selected & (fate >= 0.8) & (fate < 0.9)
    inputs[hide] = mask_id
    inputs[swap] = rng.integers(4, vocab_size, token_ids.shape)[swap]
    return inputs, labels, selected
"""

MODEL = """
class Positions(keras.layers.Layer):
    def __init__(self, max_len, d_model):
        super().__init__()
        angles = np.arange(max_len + 1)[:, None] * 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
        self.table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(max_len + 1, d_model).astype("float32")

    def call(self, x):
        return x + ops.convert_to_tensor(self.table)[: ops.shape(x)[1]]


class LanguageModel(keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions):
        super().__init__()
        self.scale = d_model**0.5
        self.embedding = keras.layers.Embedding(vocab_size, d_model)
        self.positions = LearnedPositionalEmbedding(max_len, d_model) if learned_positions else Positions(max_len, d_model)
        self.drop = keras.layers.Dropout(dropout)
        self.attentions = [keras.layers.MultiHeadAttention(num_heads, d_model // num_heads) for _ in range(num_layers)]
        self.inner = [keras.layers.Dense(ff_dim, activation="relu") for _ in range(num_layers)]
        self.outer = [keras.layers.Dense(d_model) for _ in range(num_layers)]
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(2 * num_layers + 1)]
        self.head = keras.layers.Dense(vocab_size)

    def call(self, ids, training=None):
        length = ops.shape(ids)[1]
        keep = ops.not_equal(ids, 0)[:, None, :]
        keep = ops.broadcast_to(keep, (ops.shape(ids)[0], length, length))
        @CAUSAL
        x = self.embedding(ids) * self.scale
        x = self.positions(x)
        x = self.drop(x, training=training)
        for i in range(len(self.attentions)):
            y = self.norms[2 * i](x)
            y = self.attentions[i](y, y, attention_mask=keep)
            x = x + self.drop(y, training=training)
            y = self.norms[2 * i + 1](x)
            y = self.outer[i](self.inner[i](y))
            x = x + self.drop(y, training=training)
        x = self.norms[-1](x)
        return self.head(x)


def @NAME(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    model = LanguageModel(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions)
    model(np.ones((1, max_len), "int32"))
    return model
"""
ENCODER = MODEL.replace("@NAME", "build_encoder_lm").replace("        @CAUSAL\n", "")
DECODER = MODEL.replace("@NAME", "build_decoder_lm").replace(
    "@CAUSAL",
    "position = ops.arange(length)\n"
    "        past = position[None, :] <= position[:, None]\n"
    "        keep = ops.logical_and(keep, past[None])",
)

POOLING = """
def masked_mean_pooling(x, token_ids, pad_id=0):
    kept = ops.cast(ops.not_equal(token_ids, pad_id), "float32")[..., None]
    x = ops.cast(x, "float32")
    total = ops.sum(x * kept, axis=1)
    count = ops.sum(kept, axis=1)
    return total / ops.maximum(count, 1.0)
"""

SAMPLING = """
def softmax_of(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    logits = np.asarray(logits, dtype="float64")
    if temperature == 0:
        return logits.argmax(axis=-1)
    logits = logits / temperature
    if top_k:
        kth = np.sort(logits, axis=-1)[:, -top_k][:, None]
        logits = np.where(logits >= kth, logits, -np.inf)
    chances = softmax_of(logits)
    if top_p is not None and top_p < 1:
        order = np.argsort(-chances, axis=-1)
        ranked = np.take_along_axis(chances, order, axis=-1)
        before = np.cumsum(ranked, axis=-1) - ranked
        ranked = np.where(before < top_p, ranked, 0)
        np.put_along_axis(chances, order, ranked, axis=-1)
        chances = chances / chances.sum(axis=-1, keepdims=True)
    edges = np.cumsum(chances, axis=-1)
    dart = rng.random((len(logits), 1)) * edges[:, -1:]
    return (edges <= dart).sum(axis=-1)
"""

CACHE = """
def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    batch, _, d_model = x.shape
    head_dim = d_model // num_heads
    split = lambda y: y.reshape(batch, 1, num_heads, head_dim).transpose(0, 2, 1, 3)
    query = split(x @ w_query)
    key = split(x @ w_key)
    value = split(x @ w_value)
    keys, values = key, value
    if cache is not None:
        keys = np.concatenate([cache[0], key], axis=2)
        values = np.concatenate([cache[1], value], axis=2)
    scores = query @ keys.transpose(0, 1, 3, 2)
    scores = scores / np.sqrt(head_dim)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    output = weights @ values
    output = output.transpose(0, 2, 1, 3).reshape(batch, 1, d_model)
    output = output @ w_output
    return output, (keys, values)
"""


def _with(code: str, *edits: tuple[str, str]) -> str:
    """Return `code` with each text replaced, which must occur exactly once."""
    for right, wrong in edits:
        if code.count(right) != 1:
            raise ValueError(f"The text must occur once. Received: {right!r}, {code.count(right)} times.")
        code = code.replace(right, wrong)
    return code.strip() + "\n"


def _mistake(id: str, task: str, fails: str, hint: Text, code: str, *edits: tuple[str, str]) -> Mistake:
    return Mistake(id, task, hint, _with(code, *edits), frozenset(fails.split()))


def _mask(id: str, fails: str, hint: Text, *edits: tuple[str, str]) -> Mistake:
    return _mistake(f"mask-{id}", "mask-tokens", fails, hint, MASKING, *edits)


def _models(id: str, fails: str, hint: Text, *edits: tuple[str, str]) -> tuple[Mistake, ...]:
    """Return a mistake in both models; `fails` names lines without the model's name."""
    return tuple(
        _mistake(
            f"{kind}-{id}", f"{kind}-only", " ".join(f"{kind}-{line}" for line in fails.split()), hint, code, *edits
        )
        for kind, code in (("encoder", ENCODER), ("decoder", DECODER))
    )


def _pool(id: str, fails: str, hint: Text, *edits: tuple[str, str]) -> Mistake:
    return _mistake(f"pooling-{id}", "pooling", fails, hint, POOLING, *edits)


def _sample(id: str, fails: str, hint: Text, *edits: tuple[str, str]) -> Mistake:
    return _mistake(f"sample-{id}", "sampling", fails, hint, SAMPLING, *edits)


def _cache(id: str, fails: str, hint: Text, *edits: tuple[str, str]) -> Mistake:
    return _mistake(f"cache-{id}", "kv-cache", fails, hint, CACHE, *edits)


SELECT = "    selected = rng.random(token_ids.shape) < rate\n"
HIDE = "    hide = selected & (fate < 0.8)\n"
SWAP = "    swap = selected & (fate >= 0.8) & (fate < 0.9)\n"
RANDOM = "rng.integers(4, vocab_size, token_ids.shape)[swap]"

_MASK_MISTAKES = (
    _mask(
        "inputs-alone",
        "mask-shape",
        Text(
            "Only the inputs are returned; labels and selected belong to the answer.",
            "inputs만 돌려주었습니다. labels와 selected도 함께 돌려주세요.",
        ),
        ("    return inputs, labels, selected\n", "    return inputs\n"),
    ),
    _mask(
        "order-exchanged",
        "mask-shape",
        Text("The order is inputs, labels, selected.", "순서는 inputs, labels, selected입니다."),
        ("    return inputs, labels, selected\n", "    return inputs, selected, labels\n"),
    ),
    _mask(
        "rate-ignored",
        "mask-rate",
        Text("The rate is always 15 %, whatever `rate` says.", "`rate`가 무엇이든 언제나 15%를 고릅니다."),
        ("< rate\n", "< 0.15\n"),
    ),
    _mask(
        "rate-inverted",
        "mask-rate",
        Text(
            "All but the given share of the tokens is selected: the comparison is the wrong way round.",
            "받은 비율만 빼고 모두 골랐습니다. 비교가 거꾸로입니다.",
        ),
        ("< rate\n", "> rate\n"),
    ),
    _mask(
        "selected-means-hidden",
        "mask-rate mask-shares mask-random mask-untouched",
        Text(
            "`selected` holds only the tokens that became the mask. The exchanged and the kept ones are selected as well.",
            "`selected`에 마스크가 된 토큰만 있습니다. 바꾼 토큰과 그대로 둔 토큰도 고른 것입니다.",
        ),
        ("    return inputs, labels, selected\n", "    return inputs, labels, hide\n"),
    ),
    _mask(
        "selected-means-changed",
        "mask-rate mask-shares",
        Text(
            "`selected` leaves out the tokens that were selected and kept. The model is asked about them, too.",
            "`selected`에 골랐지만 그대로 둔 토큰이 빠졌습니다. 그 토큰에 대해서도 모델에게 묻습니다.",
        ),
        ("    return inputs, labels, selected\n", "    return inputs, labels, hide | swap\n"),
    ),
    _mask(
        "selects-padding",
        "mask-padding",
        Text(
            "Padding is selected like any token. There is nothing to be learned from it.",
            "패딩도 여느 토큰처럼 골랐습니다. 패딩에서는 배울 것이 없습니다.",
        ),
        ("    selected = selected & (token_ids != 0)\n", ""),
    ),
    _mask(
        "hides-padding",
        "mask-padding",
        Text(
            "Padding isn't selected, yet it is exchanged in `inputs`.",
            "패딩을 고르지는 않았지만 `inputs`에서 바꾸었습니다.",
        ),
        (
            "    selected = selected & (token_ids != 0)\n",
            "    chosen = selected\n    selected = selected & (token_ids != 0)\n",
        ),
        (HIDE, "    hide = chosen & (fate < 0.8)\n"),
        (SWAP, "    swap = chosen & (fate >= 0.8) & (fate < 0.9)\n"),
    ),
    _mask(
        "same-places-in-every-row",
        "mask-independent",
        Text(
            "One row of random numbers serves the whole batch: the same places are hidden in every sequence.",
            "난수 한 행을 배치 전체에 썼습니다. 모든 시퀀스에서 같은 자리를 고르게 됩니다.",
        ),
        ("rng.random(token_ids.shape) < rate\n", "rng.random(token_ids.shape[1]) < rate\n"),
    ),
    _mask(
        "whole-sequences",
        "mask-independent",
        Text(
            "One random number serves a whole sequence: all of its tokens are selected, or none.",
            "난수 하나를 시퀀스 전체에 썼습니다. 토큰을 모두 고르거나 하나도 고르지 않게 됩니다.",
        ),
        ("rng.random(token_ids.shape) < rate\n", "rng.random((len(token_ids), 1)) < rate\n"),
    ),
    _mask(
        "skips-a-place",
        "mask-independent",
        Text(
            "The first or the last place of every sequence is never selected. Only padding is left out.",
            "시퀀스마다 첫 자리나 마지막 자리를 결코 고르지 않습니다. 빼는 것은 패딩뿐입니다.",
        ),
        ("rng.random(token_ids.shape) < rate\n", "rng.random(token_ids.shape) < rate\n    selected[:, 0] = False\n"),
    ),
    _mask(
        "selection-inverted",
        "mask-rate mask-padding mask-labels mask-shares mask-random mask-untouched",
        Text(
            "`selected` is True where a token is not selected.",
            "`selected`가 고르지 않은 자리에서 True입니다.",
        ),
        ("    return inputs, labels, selected\n", "    return inputs, labels, ~selected\n"),
    ),
    _mask(
        "squeezed",
        "mask-labels",
        Text(
            "`squeeze` without an axis also removes the batch when it holds a single sequence.",
            "축을 정하지 않은 `squeeze`는 시퀀스가 하나뿐이면 배치 축까지 없앱니다.",
        ),
        (
            "    return inputs, labels, selected\n",
            "    return inputs.squeeze(), labels.squeeze(), selected.squeeze()\n",
        ),
    ),
    _mask(
        "spans",
        "mask-independent",
        Text(
            "Tokens are selected in pairs of neighbours; each is to be selected by itself.",
            "이웃한 토큰을 둘씩 묶어 골랐습니다. 하나하나 따로 골라야 합니다.",
        ),
        (
            SELECT,
            "    half = rng.random((len(token_ids), (token_ids.shape[1] + 1) // 2)) < rate\n"
            "    selected = np.repeat(half, 2, axis=1)[:, : token_ids.shape[1]]\n",
        ),
    ),
    _mask(
        "labels-are-inputs",
        "mask-labels",
        Text(
            "The labels hold what the model reads: was the array exchanged before the labels were taken from it?",
            "라벨에 모델이 읽는 것이 들어 있습니다. 라벨을 만들기 전에 배열을 바꾸지 않았나요?",
        ),
        ("    return inputs, labels, selected\n", "    return inputs, inputs, selected\n"),
    ),
    _mask(
        "labels-inverted",
        "mask-labels",
        Text(
            "The labels are there where nothing is selected, and missing where something is.",
            "고르지 않은 곳에 라벨이 있고 고른 곳에는 없습니다.",
        ),
        ("np.where(selected, token_ids, 0)", "np.where(selected, 0, token_ids)"),
    ),
    _mask(
        "labels-are-the-selection",
        "mask-labels",
        Text(
            "The labels are ones and zeros; they should be the original ids.", "라벨이 1과 0입니다. 원래 ID여야 합니다."
        ),
        ("np.where(selected, token_ids, 0)", "selected.astype(int)"),
    ),
    _mask(
        "all-hidden",
        "mask-shares mask-random",
        Text(
            "Every selected token becomes the mask; 10 % are to be exchanged and 10 % kept.",
            "고른 토큰이 모두 마스크가 됩니다. 10%는 바꾸고 10%는 그대로 두어야 합니다.",
        ),
        (HIDE, "    hide = selected\n"),
        (SWAP, "    swap = selected & (fate > 2)\n"),
    ),
    _mask(
        "none-kept",
        "mask-shares",
        Text(
            "All of the remaining 20 % are exchanged; half of them are to stay.",
            "남은 20%를 모두 바꾸었습니다. 그 절반은 그대로 두어야 합니다.",
        ),
        (SWAP, "    swap = selected & (fate >= 0.8)\n"),
    ),
    _mask(
        "none-exchanged",
        "mask-shares mask-random",
        Text(
            "All of the remaining 20 % are kept; half of them are to be exchanged for random tokens.",
            "남은 20%를 모두 그대로 두었습니다. 그 절반은 무작위 토큰으로 바꾸어야 합니다.",
        ),
        (SWAP, "    swap = selected & (fate > 2)\n"),
    ),
    _mask(
        "a-tenth-of-the-rest",
        "mask-shares",
        Text(
            "A tenth of the tokens that aren't hidden is exchanged: of these it should be half, 10 % of all selected ones.",
            "가리지 않은 토큰의 10분의 1을 바꾸었습니다. 그 절반, 곧 고른 토큰 전체의 10%여야 합니다.",
        ),
        (SWAP, "    swap = selected & ~hide & (rng.random(token_ids.shape) < 0.1)\n"),
    ),
    _mask(
        "shares-exchanged",
        "mask-shares",
        Text(
            "80 % are exchanged for random tokens and 10 % hidden: it is the other way round.",
            "80%를 무작위 토큰으로 바꾸고 10%를 가렸습니다. 거꾸로입니다.",
        ),
        (HIDE, "    hide = selected & (fate >= 0.8) & (fate < 0.9)\n"),
        (SWAP, "    swap = selected & (fate < 0.8)\n"),
    ),
    _mask(
        "hides-a-tenth",
        "mask-shares",
        Text(
            "Only 10 % are hidden and 80 % kept: it is the other way round.",
            "10%만 가리고 80%를 그대로 두었습니다. 거꾸로입니다.",
        ),
        (HIDE, "    hide = selected & (fate < 0.1)\n"),
        (SWAP, "    swap = selected & (fate >= 0.9)\n"),
    ),
    _mask(
        "draws-again",
        "mask-shares",
        Text(
            "Whether to exchange is drawn anew with a chance of 90 %: one draw with the borders 0.8 and 0.9 gives the right shares.",
            "바꿀지를 90%의 확률로 새로 뽑았습니다. 한 번 뽑아 0.8과 0.9를 경계로 삼으면 됩니다.",
        ),
        (SWAP, "    swap = selected & ~hide & (rng.random(token_ids.shape) < 0.9)\n"),
    ),
    _mask(
        "one-fate-a-sequence",
        "mask-shares",
        Text(
            "Whether a token is hidden, exchanged or kept is drawn once for a whole sequence.",
            "가릴지 바꿀지 그대로 둘지를 시퀀스마다 한 번만 뽑았습니다.",
        ),
        (
            "    fate = rng.random(token_ids.shape)\n",
            "    fate = rng.random((len(token_ids), 1)) + np.zeros(token_ids.shape)\n",
        ),
    ),
    _mask(
        "one-random-token",
        "mask-random",
        Text(
            "One random token is drawn for all that are exchanged; each needs its own.",
            "바꿀 토큰 모두에 무작위 토큰 하나를 썼습니다. 저마다 따로 뽑아야 합니다.",
        ),
        (RANDOM, "rng.integers(4, vocab_size)"),
    ),
    _mask(
        "random-beyond-the-vocabulary",
        "mask-random",
        Text(
            "A random token may be `vocab_size` itself. The last id is vocab_size - 1.",
            "무작위 토큰이 `vocab_size`일 수도 있습니다. 마지막 ID는 vocab_size - 1입니다.",
        ),
        (RANDOM, "rng.integers(4, vocab_size, token_ids.shape, endpoint=True)[swap]"),
    ),
    _mask(
        "random-below-ten",
        "mask-random",
        Text(
            "The random tokens come from the first ids only, not from the whole vocabulary.",
            "무작위 토큰이 앞쪽 ID에서만 나옵니다. 어휘 전체에서 뽑아야 합니다.",
        ),
        (RANDOM, "rng.integers(0, 10, token_ids.shape)[swap]"),
    ),
    _mask(
        "random-from-the-batch",
        "mask-random",
        Text(
            "The random tokens are taken from the batch; they should come from the whole vocabulary.",
            "무작위 토큰을 배치 안에서 골랐습니다. 어휘 전체에서 뽑아야 합니다.",
        ),
        (RANDOM, "rng.permutation(token_ids[token_ids != 0])[: swap.sum()]"),
    ),
    _mask(
        "random-special",
        "mask-random",
        Text(
            "Tokens are exchanged for special ids only, such as <unk>; they should become random tokens of the vocabulary.",
            "토큰을 <unk> 같은 특수 ID로만 바꾸었습니다. 어휘에서 무작위로 뽑은 토큰이어야 합니다.",
        ),
        (RANDOM, "rng.integers(1, 4, token_ids.shape)[swap]"),
    ),
    _mask(
        "in-place",
        "mask-untouched",
        Text(
            "The array that came in is changed itself. Work on a copy.",
            "받은 배열 자체를 바꾸었습니다. 복사해서 쓰세요.",
        ),
        ("    inputs = token_ids.copy()\n", "    inputs = token_ids\n"),
    ),
    _mask(
        "random-everywhere",
        "mask-untouched mask-padding",
        Text(
            "The 10 % that are exchanged are taken from all tokens, not from the selected ones.",
            "바꿀 10%를 고른 토큰이 아니라 모든 토큰에서 뽑았습니다.",
        ),
        (SWAP, "    swap = (fate >= 0.8) & (fate < 0.9)\n"),
    ),
    _mask(
        "global-random",
        "mask-generator",
        Text(
            "Something random comes from NumPy's global generator (`np.random.…`) instead of `rng`.",
            "무작위의 일부가 `rng`가 아니라 NumPy의 전역 생성기(`np.random.…`)에서 나옵니다.",
        ),
        ("    fate = rng.random(token_ids.shape)\n", "    fate = np.random.random(token_ids.shape)\n"),
    ),
    _mask(
        "own-generator",
        "mask-generator",
        Text(
            "A generator of your own takes the place of `rng`: every call draws the same.",
            "`rng` 대신 따로 만든 생성기를 썼습니다. 호출할 때마다 같은 것을 뽑습니다.",
        ),
        (
            "    token_ids = np.asarray(token_ids)\n",
            "    token_ids = np.asarray(token_ids)\n    rng = np.random.default_rng(0)\n",
        ),
    ),
)

KEEP = "        keep = ops.not_equal(ids, 0)[:, None, :]\n"
SCALED = "        x = self.embedding(ids) * self.scale\n"
ADD = "        x = self.positions(x)\n"
ATTEND = "            y = self.attentions[i](y, y, attention_mask=keep)\n"
LAST = "        x = self.norms[-1](x)\n"
DROP = "        x = self.drop(x, training=training)\n"

_MODEL_MISTAKES = (
    *_models(
        "without-output",
        "builds",
        Text(
            "The model ends in vectors of d_model features; a Dense(vocab_size) turns them into logits.",
            "모델이 특징 d_model개짜리 벡터로 끝납니다. Dense(vocab_size)가 그것을 로짓으로 바꿉니다.",
        ),
        ("        return self.head(x)\n", "        return x\n"),
    ),
    *_models(
        "one-position-only",
        "builds",
        Text(
            "Only one position has logits; every position says something.",
            "한 위치의 로짓만 있습니다. 모든 위치가 무언가를 말해야 합니다.",
        ),
        ("        return self.head(x)\n", "        return self.head(x)[:, -1]\n"),
    ),
    _mistake(
        "encoder-fixed-length",
        "encoder-only",
        "encoder-lengths encoder-padding",
        Text(
            "All rows of the table of positions are added, whatever the length: take the first seq_len of them.",
            "길이와 상관없이 위치의 표에 있는 행을 모두 더했습니다. 앞쪽 seq_len개만 쓰세요.",
        ),
        ENCODER,
        ("ops.convert_to_tensor(self.table)[: ops.shape(x)[1]]", "ops.convert_to_tensor(self.table)[:-1]"),
    ),
    _mistake(
        "decoder-fixed-length",
        "decoder-only",
        "decoder-lengths",
        Text(
            "All rows of the table of positions are added, whatever the length: take the first seq_len of them.",
            "길이와 상관없이 위치의 표에 있는 행을 모두 더했습니다. 앞쪽 seq_len개만 쓰세요.",
        ),
        DECODER,
        ("ops.convert_to_tensor(self.table)[: ops.shape(x)[1]]", "ops.convert_to_tensor(self.table)[:-1]"),
    ),
    *_models(
        "without-positions",
        "positions",
        Text(
            "No positions are added: the model can't tell the order of the tokens.",
            "위치를 더하지 않았습니다. 모델이 토큰의 순서를 알 수 없습니다.",
        ),
        (ADD, "        x = self.positions(x) if isinstance(self.positions, LearnedPositionalEmbedding) else x\n"),
    ),
    *_models(
        "learned-positions-ignored",
        "positions",
        Text(
            "`learned_positions` changes nothing: with True there should be a trainable table (max_len, d_model).",
            "`learned_positions`를 주어도 달라지는 것이 없습니다. True이면 학습되는 표 (max_len, d_model)이 있어야 합니다.",
        ),
        (
            "self.positions = LearnedPositionalEmbedding(max_len, d_model) if learned_positions else Positions(max_len, d_model)",
            "self.positions = Positions(max_len, d_model)",
        ),
    ),
    *_models(
        "softmax",
        "values",
        Text(
            "The model ends in a softmax; the loss expects logits.",
            "모델이 소프트맥스로 끝납니다. 손실은 로짓을 받습니다.",
        ),
        ("keras.layers.Dense(vocab_size)", 'keras.layers.Dense(vocab_size, activation="softmax")'),
    ),
    *_models(
        "without-last-norm",
        "values",
        Text(
            "Pre-norm blocks leave an unnormalised sum: a normalisation belongs after the last block.",
            "사전 정규화 블록이 내놓는 것은 정규화되지 않은 합입니다. 마지막 블록 뒤에 정규화가 하나 더 있어야 합니다.",
        ),
        (LAST, ""),
        ("range(2 * num_layers + 1)", "range(2 * num_layers)"),
    ),
    *_models(
        "one-block-for-all",
        "count",
        Text(
            "One block is used over and over instead of num_layers blocks with weights of their own.",
            "가중치가 저마다 다른 num_layers개의 블록 대신 블록 하나를 거듭 썼습니다.",
        ),
        (
            "for _ in range(num_layers)]\n        self.inner",
            "for _ in range(1)] * num_layers\n        self.inner",
        ),
        (
            'self.inner = [keras.layers.Dense(ff_dim, activation="relu") for _ in range(num_layers)]',
            'self.inner = [keras.layers.Dense(ff_dim, activation="relu")] * num_layers',
        ),
        (
            "self.outer = [keras.layers.Dense(d_model) for _ in range(num_layers)]",
            "self.outer = [keras.layers.Dense(d_model)] * num_layers",
        ),
        ("for _ in range(2 * num_layers + 1)]", "for _ in range(3)]"),
        ("self.norms[2 * i](x)", "self.norms[0](x)"),
        ("self.norms[2 * i + 1](x)", "self.norms[1](x)"),
    ),
    *_models(
        "ff-dim-ignored",
        "count",
        Text(
            "The feed-forward networks are 4 * d_model wide, whatever ff_dim says.",
            "ff_dim과 상관없이 피드포워드 신경망의 안쪽 너비가 4 * d_model입니다.",
        ),
        ('keras.layers.Dense(ff_dim, activation="relu")', 'keras.layers.Dense(4 * d_model, activation="relu")'),
    ),
    *_models(
        "without-feed-forward",
        "count",
        Text("The blocks have no feed-forward network.", "블록에 피드포워드 신경망이 없습니다."),
        (
            "            y = self.norms[2 * i + 1](x)\n            y = self.outer[i](self.inner[i](y))\n            x = x + self.drop(y, training=training)\n",
            "",
        ),
        ("range(2 * num_layers + 1)", "range(2 * num_layers)"),
        ("self.norms[2 * i](x)", "self.norms[i](x)"),
        (LAST, "        x = self.norms[len(self.attentions)](x)\n"),
    ),
    *_models(
        "wide-heads",
        "count",
        Text(
            "Every head is d_model wide: key_dim is the width of one head, d_model // num_heads.",
            "헤드마다 너비가 d_model입니다. key_dim은 헤드 하나의 너비인 d_model // num_heads입니다.",
        ),
        ("MultiHeadAttention(num_heads, d_model // num_heads)", "MultiHeadAttention(num_heads, d_model)"),
    ),
    *_models(
        "one-head",
        "values",
        Text(
            "The attentions have one head, whatever num_heads says.", "num_heads와 상관없이 어텐션의 헤드가 하나입니다."
        ),
        ("MultiHeadAttention(num_heads, d_model // num_heads)", "MultiHeadAttention(1, d_model)"),
    ),
    *_models(
        "heads-and-width-exchanged",
        "values",
        Text(
            "The number of heads and the width of a head are exchanged.", "헤드의 수와 헤드 하나의 너비가 바뀌었습니다."
        ),
        ("MultiHeadAttention(num_heads, d_model // num_heads)", "MultiHeadAttention(d_model // num_heads, num_heads)"),
    ),
    *_models(
        "positions-twice",
        "values",
        Text("The positions are added twice.", "위치를 두 번 더했습니다."),
        (ADD, ADD + ADD),
    ),
    *_models(
        "positions-scaled",
        "values",
        Text(
            "The positions are multiplied by the root of d_model as well: multiply the embedding first, then add them.",
            "위치에도 d_model의 제곱근을 곱했습니다. 먼저 임베딩에 곱하고 그다음에 위치를 더하세요.",
        ),
        (SCALED + ADD, "        x = self.positions(self.embedding(ids)) * self.scale\n"),
    ),
    *_models(
        "positions-from-1",
        "values",
        Text(
            "The positions begin at 1. The first token gets row 0 of the table.",
            "위치가 1에서 시작합니다. 첫 토큰은 표의 0번 행을 받습니다.",
        ),
        (
            "ops.convert_to_tensor(self.table)[: ops.shape(x)[1]]",
            "ops.convert_to_tensor(self.table[1:])[: ops.shape(x)[1]]",
        ),
    ),
    *_models(
        "first-block-only",
        "values",
        Text(
            "Each block gets the embeddings instead of what the block before it gave: only one of them counts.",
            "블록이 앞 블록의 출력이 아니라 임베딩을 받습니다. 블록 하나만 쓰인 셈입니다.",
        ),
        (
            "        for i in range(len(self.attentions)):\n",
            "        embedded = x\n        for i in reversed(range(len(self.attentions))):\n            x = embedded\n",
        ),
    ),
    *_models(
        "embedding-scaled-twice",
        "values",
        Text(
            "The embedding is multiplied by d_model, its root twice.",
            "임베딩에 d_model을 곱했습니다. 제곱근을 두 번 곱한 셈입니다.",
        ),
        ("self.embedding(ids) * self.scale", "self.embedding(ids) * self.scale**2"),
    ),
    *_models(
        "dropout-always",
        "dropout",
        Text("Dropout is at work outside training as well.", "학습 때가 아닌데도 드롭아웃이 일어납니다."),
        (DROP + "        for", "        x = self.drop(x, training=True)\n        for"),
    ),
    *_models(
        "without-dropout",
        "dropout",
        Text("`dropout` is never used.", "`dropout`을 쓰지 않았습니다."),
        ("keras.layers.Dropout(dropout)", "keras.layers.Dropout(0.0)"),
    ),
    *_models(
        "dropout-fixed",
        "dropout",
        Text(
            "The dropout rate is fixed, whatever `dropout` says.",
            "`dropout`과 상관없이 드롭아웃 비율이 고정되어 있습니다.",
        ),
        ("keras.layers.Dropout(dropout)", "keras.layers.Dropout(0.1)"),
    ),
    *_models(
        "no-padding-mask",
        "padding",
        Text("Padding isn't hidden at all.", "패딩을 전혀 가리지 않았습니다."),
        (KEEP, "        keep = ops.not_equal(ids, -1)[:, None, :]\n"),
    ),
    _mistake(
        "encoder-padding-mask-inverted",
        "encoder-only",
        "encoder-padding encoder-values",
        Text(
            "The padding mask is upside down: Keras's attention_mask says what may be attended to.",
            "패딩 마스크가 뒤집혔습니다. 케라스의 attention_mask는 보아도 되는 것을 알려 줍니다.",
        ),
        ENCODER,
        (KEEP, "        keep = ops.equal(ids, 0)[:, None, :]\n"),
    ),
    _mistake(
        "decoder-padding-mask-inverted",
        "decoder-only",
        "decoder-causal decoder-padding",
        Text(
            "The padding mask is upside down: Keras's attention_mask says what may be attended to.",
            "패딩 마스크가 뒤집혔습니다. 케라스의 attention_mask는 보아도 되는 것을 알려 줍니다.",
        ),
        DECODER,
        (KEEP, "        keep = ops.equal(ids, 0)[:, None, :]\n"),
    ),
    *_models(
        "padding-mask-on-queries",
        "padding",
        Text(
            "The mask hides padding as queries (rows). It must hide padding as keys (columns), from every query.",
            "마스크가 패딩을 쿼리(행)로서 가립니다. 모든 쿼리에게서 키(열)로서 가려야 합니다.",
        ),
        (KEEP, "        keep = ops.not_equal(ids, 0)[:, :, None]\n"),
    ),
    *_models(
        "with-memory-attention",
        "count",
        Text(
            "There is an attention over memory in the blocks: without an encoder beside it there is nothing to look at.",
            "블록에 메모리를 보는 교차 어텐션이 있습니다. 옆에 인코더가 없으니 볼 것이 없습니다.",
        ),
        (
            "        self.head =",
            "        self.crosses = [keras.layers.MultiHeadAttention(num_heads, d_model // num_heads) for _ in range(num_layers)]\n        self.cross_norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(num_layers)]\n        self.head =",
        ),
        (
            "            y = self.norms[2 * i + 1](x)\n",
            "            y = self.cross_norms[i](x)\n            x = x + self.crosses[i](y, y, attention_mask=keep)\n            y = self.norms[2 * i + 1](x)\n",
        ),
    ),
    _mistake(
        "encoder-causal",
        "encoder-only",
        "encoder-both-sides",
        Text(
            "No position sees a later token: that is a decoder. BERT looks at both sides.",
            "어느 위치도 뒤의 토큰을 보지 못합니다. 그것은 디코더입니다. BERT는 양쪽을 봅니다.",
        ),
        ENCODER,
        (ATTEND, "            y = self.attentions[i](y, y, attention_mask=keep, use_causal_mask=True)\n"),
    ),
    _mistake(
        "encoder-no-attention",
        "encoder-only",
        "encoder-both-sides",
        Text(
            "No position sees another one: does what the attention gives reach the output?",
            "어느 위치도 다른 위치를 보지 못합니다. 어텐션의 결과가 출력에 이르나요?",
        ),
        ENCODER,
        (
            ATTEND,
            "            y = self.attentions[i](y[:, :0], y[:, :0]) if False else 0 * self.attentions[i](y, y, attention_mask=keep)\n",
        ),
    ),
    _mistake(
        "decoder-no-attention",
        "decoder-only",
        "decoder-causal",
        Text(
            "No position sees another one: does what the attention gives reach the output?",
            "어느 위치도 다른 위치를 보지 못합니다. 어텐션의 결과가 출력에 이르나요?",
        ),
        DECODER,
        (ATTEND, "            y = 0 * self.attentions[i](y, y, attention_mask=keep)\n"),
    ),
    _mistake(
        "decoder-no-look-ahead-mask",
        "decoder-only",
        "decoder-causal",
        Text(
            "Nothing hides the future: this is the encoder. Each position may see itself and what is before it.",
            "미래를 가리는 것이 없습니다. 이것은 인코더입니다. 위치마다 자기 자신과 앞의 것만 보아야 합니다.",
        ),
        DECODER,
        ("        keep = ops.logical_and(keep, past[None])\n", ""),
    ),
    _mistake(
        "decoder-look-ahead-inverted",
        "decoder-only",
        "decoder-causal decoder-padding",
        Text(
            "The look-ahead mask is upside down: it hides the past. In Keras's attention_mask 1 may be attended to.",
            "룩어헤드 마스크가 뒤집혀 과거를 가립니다. 케라스의 attention_mask에서는 1인 곳을 볼 수 있습니다.",
        ),
        DECODER,
        ("position[None, :] <= position[:, None]", "position[None, :] > position[:, None]"),
    ),
    _mistake(
        "decoder-look-ahead-transposed",
        "decoder-only",
        "decoder-causal",
        Text(
            "Rows and columns of the look-ahead mask are exchanged: each position sees itself and its future.",
            "룩어헤드 마스크의 행과 열이 바뀌었습니다. 위치마다 자기 자신과 미래를 봅니다.",
        ),
        DECODER,
        ("position[None, :] <= position[:, None]", "position[None, :] >= position[:, None]"),
    ),
    _mistake(
        "decoder-look-ahead-one-step-late",
        "decoder-only",
        "decoder-causal",
        Text(
            "The look-ahead mask lets one later step through: every token can read its own answer.",
            "룩어헤드 마스크가 한 칸 뒤까지 보여 줍니다. 모든 토큰이 자기 답을 읽을 수 있습니다.",
        ),
        DECODER,
        ("position[None, :] <= position[:, None]", "position[None, :] <= position[:, None] + 1"),
    ),
    _mistake(
        "decoder-hides-itself",
        "decoder-only",
        "decoder-causal decoder-padding",
        Text(
            "The look-ahead mask hides each position from itself, too. Each may see itself.",
            "룩어헤드 마스크가 자기 자신까지 가립니다. 위치마다 자기 자신은 보아야 합니다.",
        ),
        DECODER,
        ("position[None, :] <= position[:, None]", "position[None, :] < position[:, None]"),
    ),
)

_POOLING_MISTAKES = (
    _pool(
        "over-features",
        "pooling-shape",
        Text(
            "The mean is taken over the features; it is taken over the positions, axis 1.",
            "특징에 대해 평균했습니다. 위치, 곧 1번 축에 대해 평균해야 합니다.",
        ),
        ("ops.sum(x * kept, axis=1)", "ops.sum(x * kept, axis=2)"),
        ("ops.sum(kept, axis=1)", "ops.sum(kept, axis=1) + 0 * kept[:, :, 0]"),
    ),
    _pool(
        "over-batch",
        "pooling-shape",
        Text(
            "The mean is taken over the batch; it is taken over the positions, axis 1.",
            "배치에 대해 평균했습니다. 위치, 곧 1번 축에 대해 평균해야 합니다.",
        ),
        ("ops.sum(x * kept, axis=1)", "ops.sum(x * kept, axis=0)"),
        ("ops.sum(kept, axis=1)", "ops.sum(kept, axis=0)"),
    ),
    _pool(
        "keeps-the-axis",
        "pooling-shape",
        Text("The axis of positions is still there, with length 1.", "위치의 축이 길이 1로 남아 있습니다."),
        ("ops.sum(x * kept, axis=1)", "ops.sum(x * kept, axis=1, keepdims=True)"),
        ("ops.sum(kept, axis=1)", "ops.sum(kept, axis=1, keepdims=True)"),
    ),
    _pool(
        "not-summed",
        "pooling-shape",
        Text("The padding is set to 0, but nothing is averaged.", "패딩을 0으로 만들었지만 평균하지 않았습니다."),
        ("    return total / ops.maximum(count, 1.0)\n", "    return x * kept\n"),
    ),
    _pool(
        "counts-padding",
        "pooling-mean pooling-pad-id pooling-empty",
        Text("This is the mean over everything, padding included.", "패딩까지 모두 평균한 값입니다."),
        ("    return total / ops.maximum(count, 1.0)\n", "    return ops.mean(x, axis=1)\n"),
    ),
    _pool(
        "divides-by-length",
        "pooling-mean pooling-pad-id",
        Text(
            "The sum leaves the padding out, but it is divided by seq_len instead of the number of tokens.",
            "합에서는 패딩을 뺐지만 토큰의 수가 아니라 seq_len으로 나누었습니다.",
        ),
        ("ops.maximum(count, 1.0)", "ops.shape(x)[1]"),
    ),
    _pool(
        "sum",
        "pooling-mean pooling-pad-id",
        Text(
            "This is the sum of the tokens' vectors; divide by their number.",
            "토큰 벡터의 합입니다. 토큰의 수로 나누세요.",
        ),
        ("total / ops.maximum(count, 1.0)", "total"),
    ),
    _pool(
        "mask-inverted",
        "pooling-mean pooling-pad-id pooling-empty",
        Text("The mask is upside down: this is the mean of the padding.", "마스크가 뒤집혔습니다. 패딩의 평균입니다."),
        ("ops.not_equal", "ops.equal"),
    ),
    _pool(
        "max",
        "pooling-mean pooling-pad-id pooling-empty",
        Text("This is the largest value of each feature, not the mean.", "특징마다의 평균이 아니라 최댓값입니다."),
        ("    return total / ops.maximum(count, 1.0)\n", "    return ops.max(x - 1e9 * (1 - kept), axis=1)\n"),
    ),
    _pool(
        "max-with-padding",
        "pooling-mean pooling-pad-id pooling-empty",
        Text(
            "This is the largest value of each feature, padding included; it should be the tokens' mean.",
            "패딩까지 넣은 특징마다의 최댓값입니다. 토큰의 평균이어야 합니다.",
        ),
        ("    return total / ops.maximum(count, 1.0)\n", "    return ops.max(x, axis=1)\n"),
    ),
    _pool(
        "first-position",
        "pooling-mean pooling-pad-id pooling-empty",
        Text("This is the vector of the first position, not a mean.", "평균이 아니라 첫 위치의 벡터입니다."),
        ("    return total / ops.maximum(count, 1.0)\n", "    return x[:, 0]\n"),
    ),
    _pool(
        "root-of-count",
        "pooling-mean pooling-pad-id",
        Text(
            "The sum is divided by the root of the number of tokens instead of the number.",
            "합을 토큰의 수가 아니라 그 제곱근으로 나누었습니다.",
        ),
        ("ops.maximum(count, 1.0)", "ops.sqrt(ops.maximum(count, 1.0))"),
    ),
    _pool(
        "padding-at-the-end",
        "pooling-mean pooling-pad-id",
        Text(
            "It averages the first positions, as many as there are tokens. Padding may stand anywhere.",
            "토큰의 수만큼 앞쪽 위치를 평균했습니다. 패딩은 어디에나 있을 수 있습니다.",
        ),
        (
            "    total = ops.sum(x * kept, axis=1)\n",
            '    front = ops.cast(ops.arange(ops.shape(x)[1])[None, :] < ops.cast(ops.sum(kept, axis=(1, 2))[:, None], "int32"), "float32")\n    total = ops.sum(x * front[..., None], axis=1)\n',
        ),
    ),
    _pool(
        "whole-batch",
        "pooling-mean pooling-pad-id",
        Text("All sequences of the batch are averaged together.", "배치의 모든 시퀀스를 한꺼번에 평균했습니다."),
        (
            "    return total / ops.maximum(count, 1.0)\n",
            "    return ops.sum(total, axis=0, keepdims=True) / ops.sum(count) * ops.cast(count > 0, 'float32')\n",
        ),
    ),
    _pool(
        "mean-count",
        "pooling-mean pooling-pad-id",
        Text(
            "All sequences are divided by the same number, the mean number of tokens.",
            "모든 시퀀스를 같은 수, 곧 토큰 수의 평균으로 나누었습니다.",
        ),
        ("ops.maximum(count, 1.0)", "ops.mean(count)"),
    ),
    _pool(
        "sum-of-everything",
        "pooling-mean pooling-pad-id pooling-empty",
        Text(
            "The sum holds the padding; only the count leaves it out.",
            "합에 패딩이 들어 있습니다. 개수에서만 뺐습니다.",
        ),
        ("x * kept", "x"),
    ),
    _pool(
        "pad-id-ignored",
        "pooling-pad-id",
        Text("It always leaves out id 0; look at `pad_id`.", "언제나 ID 0을 뺐습니다. `pad_id`를 보세요."),
        ("ops.not_equal(token_ids, pad_id)", "ops.not_equal(token_ids, 0)"),
    ),
    _pool(
        "zero-too",
        "pooling-pad-id",
        Text("It leaves out id 0 besides `pad_id`.", "`pad_id`뿐 아니라 ID 0도 뺐습니다."),
        (
            "ops.not_equal(token_ids, pad_id)",
            "ops.logical_and(ops.not_equal(token_ids, pad_id), ops.not_equal(token_ids, 0))",
        ),
    ),
    _pool(
        "empty-nan",
        "pooling-empty",
        Text("Where all is padding, 0 is divided by 0: a NaN.", "모두 패딩이면 0을 0으로 나누어 NaN이 됩니다."),
        ("ops.maximum(count, 1.0)", "count"),
    ),
    _pool(
        "empty-mean",
        "pooling-empty",
        Text(
            "Where all is padding, the padding is averaged; there should be zeros.",
            "모두 패딩일 때 패딩을 평균했습니다. 0이어야 합니다.",
        ),
        (
            "    return total / ops.maximum(count, 1.0)\n",
            "    return ops.where(count > 0, total / ops.maximum(count, 1.0), ops.mean(x, axis=1))\n",
        ),
    ),
    _pool(
        "empty-spoils-all",
        "pooling-empty",
        Text(
            "If one sequence is all padding, every sequence of the batch gets zeros.",
            "한 시퀀스가 모두 패딩이면 배치의 모든 시퀀스가 0이 됩니다.",
        ),
        (
            "    return total / ops.maximum(count, 1.0)\n",
            "    return total / ops.maximum(count, 1.0) * float(ops.min(count) > 0)\n",
        ),
    ),
    _pool(
        "squeezed",
        "pooling-empty",
        Text(
            "`squeeze` without an axis also removes the batch when it holds a single sequence.",
            "축을 정하지 않은 `squeeze`는 시퀀스가 하나뿐이면 배치 축까지 없앱니다.",
        ),
        (
            "    return total / ops.maximum(count, 1.0)\n",
            "    return ops.squeeze(total / ops.maximum(count, 1.0))\n",
        ),
    ),
)

TEMPERATURE = "    logits = logits / temperature\n"
KTH = "        kth = np.sort(logits, axis=-1)[:, -top_k][:, None]\n"
NUCLEUS = "        ranked = np.where(before < top_p, ranked, 0)\n"

_SAMPLING_MISTAKES = (
    _sample(
        "probabilities",
        "sample-shape",
        Text(
            "The probabilities are returned; draw a token from them.", "확률을 돌려주었습니다. 거기서 토큰을 뽑으세요."
        ),
        ("    return (edges <= dart).sum(axis=-1)\n", "    return chances\n"),
    ),
    _sample(
        "keeps-the-axis",
        "sample-shape",
        Text(
            "The answer has an axis of length 1 too many: one id a row is (batch,).",
            "길이 1인 축이 하나 남았습니다. 행마다 ID 하나이므로 (batch,)입니다.",
        ),
        ("    return (edges <= dart).sum(axis=-1)\n", "    return (edges <= dart).sum(axis=-1, keepdims=True)\n"),
    ),
    _sample(
        "one-row",
        "sample-shape",
        Text(
            "Only one row is drawn from; every row of the batch needs a token.",
            "한 행에서만 뽑았습니다. 배치의 모든 행에서 뽑아야 합니다.",
        ),
        ("    return (edges <= dart).sum(axis=-1)\n", "    return (edges <= dart).sum(axis=-1)[0]\n"),
    ),
    _sample(
        "always-greedy",
        "sample-frequencies",
        Text(
            "The likeliest token is always taken; nothing is drawn.",
            "언제나 가장 그럴듯한 토큰을 골랐습니다. 뽑지 않았습니다.",
        ),
        ("    return (edges <= dart).sum(axis=-1)\n", "    return chances.argmax(axis=-1)\n"),
    ),
    _sample(
        "uniform",
        "sample-frequencies",
        Text(
            "All tokens are equally likely to be drawn, whatever their logits.",
            "로짓과 상관없이 모든 토큰이 똑같이 자주 뽑힙니다.",
        ),
        (
            "    chances = softmax_of(logits)\n",
            "    chances = (softmax_of(logits) > 0) / (softmax_of(logits) > 0).sum(axis=-1, keepdims=True)\n",
        ),
    ),
    _sample(
        "softmax-over-batch",
        "sample-frequencies",
        Text(
            "The softmax goes over the batch instead of the vocabulary.",
            "소프트맥스를 어휘가 아니라 배치에 대해 계산했습니다.",
        ),
        ("    chances = softmax_of(logits)\n", "    chances = softmax_of(logits.T).T\n"),
    ),
    _sample(
        "from-logits",
        "sample-frequencies",
        Text(
            "Shifted logits serve as probabilities; they need a softmax.",
            "옮긴 로짓을 확률로 썼습니다. 소프트맥스가 있어야 합니다.",
        ),
        (
            "    chances = softmax_of(logits)\n",
            "    chances = np.maximum(logits - logits.min(axis=-1, keepdims=True), 0)\n    chances = chances / chances.sum(axis=-1, keepdims=True)\n",
        ),
    ),
    _sample(
        "first-row-for-all",
        "sample-frequencies",
        Text("All rows are drawn from the first row's distribution.", "모든 행을 첫 행의 분포에서 뽑았습니다."),
        (
            "    chances = softmax_of(logits)\n",
            "    chances = np.repeat(softmax_of(logits)[:1], len(logits), axis=0)\n",
        ),
    ),
    _sample(
        "one-draw-for-all",
        "sample-frequencies",
        Text(
            "One random number serves all rows of the batch; each row needs its own.",
            "배치의 모든 행에 난수 하나를 썼습니다. 행마다 따로 뽑아야 합니다.",
        ),
        ("rng.random((len(logits), 1))", "rng.random()"),
    ),
    _sample(
        "spread-over-the-batch",
        "sample-frequencies",
        Text(
            "The random numbers rise from the first row to the last; each row needs one of its own.",
            "난수가 첫 행에서 마지막 행으로 갈수록 커집니다. 행마다 따로 뽑아야 합니다.",
        ),
        (
            "rng.random((len(logits), 1))",
            "((np.arange(len(logits)) + rng.random(len(logits))) / len(logits))[:, None]",
        ),
    ),
    _sample(
        "squeezed",
        "sample-greedy",
        Text(
            "`squeeze` without an axis also removes the batch when it holds a single row.",
            "축을 정하지 않은 `squeeze`는 행이 하나뿐이면 배치 축까지 없앱니다.",
        ),
        ("return (edges <= dart).sum(axis=-1)\n", "return (edges <= dart).sum(axis=-1).squeeze()\n"),
    ),
    _sample(
        "overflow-across-rows",
        "sample-large",
        Text(
            "The largest logit of the whole batch is subtracted; rows with much smaller ones underflow to 0 / 0.",
            "배치 전체에서 가장 큰 로짓을 뺐습니다. 로짓이 훨씬 작은 행에서는 언더플로로 0 나누기 0이 됩니다.",
        ),
        ("np.exp(x - x.max(axis=-1, keepdims=True))", "np.exp(x - x.max())"),
    ),
    _sample(
        "global-random",
        "sample-frequencies",
        Text(
            "The draw comes from NumPy's global generator (`np.random.…`) instead of `rng`.",
            "`rng`가 아니라 NumPy의 전역 생성기(`np.random.…`)로 뽑았습니다.",
        ),
        ("rng.random((len(logits), 1))", "np.random.random((len(logits), 1))"),
    ),
    _sample(
        "own-generator",
        "sample-frequencies",
        Text(
            "A generator of your own takes the place of `rng`: every call draws the same.",
            "`rng` 대신 따로 만든 생성기를 썼습니다. 호출할 때마다 같은 것을 뽑습니다.",
        ),
        ("rng.random((len(logits), 1))", "np.random.default_rng(0).random((len(logits), 1))"),
    ),
    _sample(
        "overflow",
        "sample-large",
        Text(
            "The exponential of a large logit overflows: subtract each row's largest logit first.",
            "큰 로짓의 지수 함수가 오버플로합니다. 먼저 행마다 가장 큰 로짓을 빼세요.",
        ),
        ("np.exp(x - x.max(axis=-1, keepdims=True))", "np.exp(x)"),
    ),
    _sample(
        "temperature-multiplied",
        "sample-temperature",
        Text(
            "The logits are multiplied by the temperature instead of divided.", "로짓을 온도로 나누지 않고 곱했습니다."
        ),
        ("logits / temperature", "logits * temperature"),
    ),
    _sample(
        "temperature-ignored",
        "sample-temperature",
        Text("`temperature` changes nothing but at 0.", "0일 때 말고는 `temperature`가 아무것도 바꾸지 않습니다."),
        (TEMPERATURE, ""),
    ),
    _sample(
        "temperature-on-probabilities",
        "sample-temperature",
        Text(
            "The probabilities are divided by the temperature, and softmaxed again; divide the logits.",
            "확률을 온도로 나누고 소프트맥스를 한 번 더 했습니다. 로짓을 나누세요.",
        ),
        (TEMPERATURE, "    logits = logits if temperature == 1 else softmax_of(logits) / temperature\n"),
    ),
    _sample(
        "temperature-squared",
        "sample-temperature",
        Text("The logits are divided by the temperature twice.", "로짓을 온도로 두 번 나누었습니다."),
        (TEMPERATURE, TEMPERATURE + TEMPERATURE),
    ),
    _sample(
        "divides-by-zero",
        "sample-greedy",
        Text(
            "Temperature 0 divides by 0. It is the limit in which the largest logit is taken.",
            "온도 0에서 0으로 나누게 됩니다. 가장 큰 로짓을 고르는 극한입니다.",
        ),
        ("    if temperature == 0:\n        return logits.argmax(axis=-1)\n", ""),
    ),
    _sample(
        "zero-ignored",
        "sample-greedy",
        Text(
            "Temperature 0 is taken for no temperature at all: it should take the largest logit.",
            "온도 0을 온도가 없는 것으로 여겼습니다. 가장 큰 로짓을 골라야 합니다.",
        ),
        ("        return logits.argmax(axis=-1)\n", "        temperature = 1.0\n"),
    ),
    _sample(
        "zero-smallest",
        "sample-greedy",
        Text(
            "Temperature 0 takes the smallest logit; it should take the largest.",
            "온도 0에서 가장 작은 로짓을 골랐습니다. 가장 큰 것이어야 합니다.",
        ),
        ("logits.argmax(axis=-1)", "logits.argmin(axis=-1)"),
    ),
    _sample(
        "top-k-ignored",
        "sample-top-k",
        Text("`top_k` changes nothing.", "`top_k`가 아무것도 바꾸지 않습니다."),
        ("    if top_k:\n", "    if False:\n"),
    ),
    _sample(
        "top-k-one-more",
        "sample-top-k",
        Text("top_k keeps one token too many.", "top_k가 토큰을 하나 더 남깁니다."),
        ("[:, -top_k]", "[:, -top_k - 1]"),
    ),
    _sample(
        "top-k-one-less",
        "sample-top-k",
        Text(
            "top_k keeps one token too few: the k-th is one of them.",
            "top_k가 토큰을 하나 덜 남깁니다. k번째도 남겨야 합니다.",
        ),
        (
            "        logits = np.where(logits >= kth, logits, -np.inf)\n",
            "        logits = np.where(logits > kth, logits, -np.inf) if top_k > 1 else np.where(logits >= kth, logits, -np.inf)\n",
        ),
    ),
    _sample(
        "top-k-smallest",
        "sample-top-k",
        Text("top_k keeps the least likely tokens.", "top_k가 가장 그럴듯하지 않은 토큰을 남깁니다."),
        (KTH, "        kth = np.sort(logits, axis=-1)[:, top_k - 1][:, None]\n"),
        ("logits >= kth", "logits <= kth"),
    ),
    _sample(
        "top-k-evenly",
        "sample-top-k",
        Text(
            "The kept tokens are drawn evenly; they keep their proportions.",
            "남긴 토큰을 고르게 뽑았습니다. 남은 확률의 비율대로 뽑아야 합니다.",
        ),
        ("np.where(logits >= kth, logits, -np.inf)", "np.where(logits >= kth, 0.0, -np.inf)"),
    ),
    _sample(
        "top-k-first-ids",
        "sample-top-k",
        Text(
            "top_k keeps the first k ids instead of the k likeliest.",
            "top_k가 가장 그럴듯한 k개가 아니라 앞쪽 ID k개를 남깁니다.",
        ),
        ("logits >= kth", "np.arange(logits.shape[1]) < top_k"),
    ),
    _sample(
        "top-k-zeroed-logits",
        "sample-top-k",
        Text(
            "The logits that are left out become 0, which is a logit like any other: they need -infinity.",
            "뺄 로짓을 0으로 만들었습니다. 0도 여느 로짓과 같습니다. 음의 무한대여야 합니다.",
        ),
        ("np.where(logits >= kth, logits, -np.inf)", "np.where(logits >= kth, logits, 0.0)"),
    ),
    _sample(
        "top-k-drops",
        "sample-top-k",
        Text(
            "top_k leaves out the likeliest tokens instead of keeping them.",
            "top_k가 가장 그럴듯한 토큰을 남기지 않고 뺐습니다.",
        ),
        (KTH, "        kth = np.sort(logits, axis=-1)[:, -top_k][:, None]\n"),
        ("logits >= kth", "logits < kth"),
    ),
    _sample(
        "top-p-ignored",
        "sample-top-p",
        Text("`top_p` changes nothing.", "`top_p`가 아무것도 바꾸지 않습니다."),
        ("    if top_p is not None and top_p < 1:\n", "    if False:\n"),
    ),
    _sample(
        "top-p-stops-before",
        "sample-top-p",
        Text(
            "The token that reaches top_p is left out: what is kept adds up to less than top_p, or there is nothing left.",
            "top_p에 이르게 하는 토큰을 뺐습니다. 남은 확률의 합이 top_p보다 작거나 남은 것이 없습니다.",
        ),
        (NUCLEUS, "        ranked = np.where(before + ranked <= top_p, ranked, 0)\n        ranked[:, 0] += 1e-12\n"),
    ),
    _sample(
        "top-p-one-more",
        "sample-top-p",
        Text(
            "top_p keeps one token too many: it stops with the token that reaches it.",
            "top_p가 토큰을 하나 더 남깁니다. top_p에 이르게 하는 토큰에서 멈춥니다.",
        ),
        (
            NUCLEUS,
            "        one_on = np.concatenate([np.zeros((len(before), 1)), before[:, :-1]], axis=-1)\n        ranked = np.where(one_on < top_p, ranked, 0)\n",
        ),
    ),
    _sample(
        "top-p-as-threshold",
        "sample-top-p",
        Text(
            "Each token's own probability is compared with 1 - top_p; what has to reach top_p is the sum of the likeliest.",
            "토큰마다의 확률을 1 - top_p와 비교했습니다. top_p에 이르러야 하는 것은 큰 것부터 더한 합입니다.",
        ),
        (
            NUCLEUS,
            "        ranked = np.where((ranked >= 1 - top_p) | (before == 0), ranked, 0)\n",
        ),
    ),
    _sample(
        "top-p-evenly",
        "sample-top-p",
        Text(
            "The kept tokens are drawn evenly; they keep their proportions.",
            "남긴 토큰을 고르게 뽑았습니다. 남은 확률의 비율대로 뽑아야 합니다.",
        ),
        (NUCLEUS, "        ranked = np.where(before < top_p, 1.0, 0)\n"),
    ),
    _sample(
        "top-p-smallest",
        "sample-top-p",
        Text(
            "top_p adds up the least likely tokens first; begin with the likeliest.",
            "top_p가 가장 그럴듯하지 않은 토큰부터 더합니다. 가장 그럴듯한 것부터 더하세요.",
        ),
        ("np.argsort(-chances, axis=-1)", "np.argsort(chances, axis=-1)"),
    ),
    _sample(
        "top-p-drops",
        "sample-top-p",
        Text(
            "top_p leaves out the likeliest tokens instead of keeping them.",
            "top_p가 가장 그럴듯한 토큰을 남기지 않고 뺐습니다.",
        ),
        ("np.where(before < top_p, ranked, 0)", "np.where(before >= top_p, ranked, 0)"),
    ),
    _sample(
        "temperature-last",
        "sample-together",
        Text(
            "top-p looks at the probabilities without the temperature. The temperature comes first.",
            "top-p가 온도를 적용하기 전의 확률을 봅니다. 온도가 먼저입니다.",
        ),
        (
            "        before = np.cumsum(ranked, axis=-1) - ranked\n",
            "        plain = ranked**temperature / (ranked**temperature).sum(axis=-1, keepdims=True)\n        before = np.cumsum(plain, axis=-1) - plain\n",
        ),
    ),
    _sample(
        "temperature-forgotten-in-top-p",
        "sample-together",
        Text("With top_p the temperature is forgotten.", "top_p를 쓰면 온도가 잊힙니다."),
        (
            "    chances = softmax_of(logits)\n",
            "    chances = softmax_of(logits if top_p is None or top_p == 1 else logits * temperature)\n",
        ),
    ),
    _sample(
        "top-p-forgotten",
        "sample-together",
        Text(
            "With top_k, top_p is forgotten: both may be given.",
            "top_k를 쓰면 top_p가 잊힙니다. 둘을 함께 줄 수도 있습니다.",
        ),
        ("    if top_p is not None and top_p < 1:\n", "    if top_p is not None and top_p < 1 and not top_k:\n"),
    ),
    _sample(
        "top-p-before-top-k",
        "sample-together",
        Text(
            "top-p is taken of the whole distribution; it is taken of what top-k left, made to sum to 1 again.",
            "top-p를 분포 전체에서 골랐습니다. top-k가 남긴 것의 합을 1로 다시 맞춘 뒤에 골라야 합니다.",
        ),
        (
            "    if top_k:\n        kth = np.sort(logits, axis=-1)[:, -top_k][:, None]\n        logits = np.where(logits >= kth, logits, -np.inf)\n    chances = softmax_of(logits)\n",
            "    chances = softmax_of(logits)\n    kth = np.sort(chances, axis=-1)[:, -(top_k or 1)][:, None] if top_k else 0\n",
        ),
        (
            "    edges = np.cumsum(chances, axis=-1)\n",
            "    chances = np.where(chances >= kth, chances, 0)\n    edges = np.cumsum(chances, axis=-1)\n",
        ),
    ),
)

JOIN = """        keys = np.concatenate([cache[0], key], axis=2)
        values = np.concatenate([cache[1], value], axis=2)
"""
RETURN = "    return output, (keys, values)\n"
MERGE = "output.transpose(0, 2, 1, 3).reshape(batch, 1, d_model)"

_CACHE_MISTAKES = (
    _cache(
        "output-alone",
        "cache-shapes",
        Text(
            "Only the output is returned; the new cache belongs to the answer.",
            "출력만 돌려주었습니다. 새 캐시도 함께 돌려주세요.",
        ),
        (RETURN, "    return output\n"),
    ),
    _cache(
        "order-exchanged",
        "cache-shapes",
        Text("The output comes first, then the cache.", "출력이 먼저이고 캐시가 그다음입니다."),
        (RETURN, "    return (keys, values), output\n"),
    ),
    _cache(
        "holds-inputs",
        "cache-shapes",
        Text(
            "The cache holds inputs, which have to be projected again at every step. Keep keys and values.",
            "캐시에 입력을 두었습니다. 걸음마다 다시 투영해야 합니다. 키와 값을 남겨 두세요.",
        ),
        (
            RETURN,
            "    past = x if cache is None else np.concatenate([cache[0], x], axis=1)\n    return output, (past, past)\n",
        ),
        (
            "    if cache is not None:\n" + JOIN,
            "    if cache is not None:\n        whole = np.concatenate([cache[0], x], axis=1)\n        wide = lambda y: y.reshape(batch, -1, num_heads, head_dim).transpose(0, 2, 1, 3)\n        keys, values = wide(whole @ w_key), wide(whole @ w_value)\n",
        ),
    ),
    _cache(
        "replaced",
        "cache-shapes",
        Text(
            "The new cache holds the newest position alone: the earlier ones are lost.",
            "새 캐시에 새 위치만 있습니다. 앞의 위치가 사라집니다.",
        ),
        (RETURN, "    return output, (key, value)\n"),
    ),
    _cache(
        "heads-last",
        "cache-shapes",
        Text(
            "In the cache the heads come after the positions; it should be (batch, num_heads, past_len, head_dim).",
            "캐시에서 헤드가 위치 뒤에 있습니다. (batch, num_heads, past_len, head_dim)이어야 합니다.",
        ),
        (
            JOIN,
            "        keys = np.concatenate([cache[0].transpose(0, 2, 1, 3), key], axis=2)\n        values = np.concatenate([cache[1].transpose(0, 2, 1, 3), value], axis=2)\n",
        ),
        (RETURN, "    return output, (keys.transpose(0, 2, 1, 3), values.transpose(0, 2, 1, 3))\n"),
    ),
    _cache(
        "joined-along-features",
        "cache-shapes",
        Text(
            "Old and new keys are joined along the features; join them along the positions, axis 2.",
            "앞의 키와 새 키를 특징 축으로 이었습니다. 위치의 축인 2번 축으로 이으세요.",
        ),
        (
            JOIN,
            "        keys = np.concatenate([cache[0], key], axis=-1)\n        values = np.concatenate([cache[1], value], axis=-1)\n",
        ),
        (
            "    scores = query @ keys.transpose(0, 1, 3, 2)\n",
            "    scores = query @ keys[..., :head_dim].transpose(0, 1, 3, 2)\n",
        ),
        ("    output = weights @ values\n", "    output = weights @ values[..., :head_dim]\n"),
    ),
    _cache(
        "joined-along-heads",
        "cache-shapes",
        Text(
            "Old and new keys are joined along the heads; join them along the positions, axis 2.",
            "앞의 키와 새 키를 헤드의 축으로 이었습니다. 위치의 축인 2번 축으로 이으세요.",
        ),
        (
            JOIN,
            "        keys = np.concatenate([cache[0], key], axis=1)\n        values = np.concatenate([cache[1], value], axis=1)\n",
        ),
        (
            "    scores = query @ keys.transpose(0, 1, 3, 2)\n",
            "    scores = query @ keys[:, :num_heads].transpose(0, 1, 3, 2)\n",
        ),
        ("    output = weights @ values\n", "    output = weights @ values[:, :num_heads]\n"),
    ),
    _cache(
        "heads-not-merged",
        "cache-shapes",
        Text("The heads of the output aren't merged.", "출력의 헤드를 합치지 않았습니다."),
        ("    output = output.transpose(0, 2, 1, 3).reshape(batch, 1, d_model)\n    output = output @ w_output\n", ""),
    ),
    _cache(
        "without-output-projection",
        "cache-first",
        Text("`w_output` isn't used.", "`w_output`을 쓰지 않았습니다."),
        ("    output = output @ w_output\n", ""),
    ),
    _cache(
        "output-transposed",
        "cache-first",
        Text("`w_output` is transposed.", "`w_output`을 전치했습니다."),
        ("output @ w_output", "output @ w_output.T"),
    ),
    _cache(
        "keys-as-values",
        "cache-first cache-contents",
        Text("The values are made with `w_key`.", "값을 `w_key`로 만들었습니다."),
        ("split(x @ w_value)", "split(x @ w_key)"),
    ),
    _cache(
        "values-not-projected",
        "cache-first cache-contents",
        Text(
            "The values aren't projected: `w_value` isn't used.",
            "값을 투영하지 않았습니다. `w_value`를 쓰지 않았습니다.",
        ),
        ("split(x @ w_value)", "split(x)"),
    ),
    _cache(
        "residual-added",
        "cache-first",
        Text(
            "The input is added to the output; the residual connection is the block's.",
            "출력에 입력을 더했습니다. 잔차 연결은 블록이 할 일입니다.",
        ),
        ("output @ w_output", "x + output @ w_output"),
    ),
    _cache(
        "heads-merged-interleaved",
        "cache-first",
        Text(
            "The heads are merged feature by feature: transpose to (batch, 1, num_heads, head_dim) before the reshape.",
            "헤드를 특징마다 번갈아 합쳤습니다. reshape하기 전에 (batch, 1, num_heads, head_dim)이 되게 축을 바꾸세요.",
        ),
        (MERGE, "output.transpose(0, 2, 3, 1).reshape(batch, 1, d_model)"),
    ),
    _cache(
        "newest-first",
        "cache-contents",
        Text(
            "The newest position is put in front of the earlier ones; the cache is in order.",
            "새 위치를 앞의 위치들보다 앞에 놓았습니다. 캐시는 차례대로입니다.",
        ),
        ("[cache[0], key]", "[key, cache[0]]"),
        ("[cache[1], value]", "[value, cache[1]]"),
    ),
    _cache(
        "keys-and-values-exchanged",
        "cache-contents",
        Text(
            "The cache is (values, keys); it should be (keys, values).",
            "캐시가 (values, keys)입니다. (keys, values)여야 합니다.",
        ),
        ("[cache[0], key]", "[cache[1], key]"),
        ("[cache[1], value]", "[cache[0], value]"),
        (RETURN, "    return output, (values, keys)\n"),
    ),
    _cache(
        "heads-interleaved",
        "cache-contents cache-first",
        Text(
            "The features are dealt out to the heads in turns; head h has the features h * head_dim to (h + 1) * head_dim - 1.",
            "특징을 헤드에 번갈아 나누었습니다. 헤드 h의 특징은 h * head_dim부터 (h + 1) * head_dim - 1까지입니다.",
        ),
        (
            "y.reshape(batch, 1, num_heads, head_dim).transpose(0, 2, 1, 3)",
            "y.reshape(batch, 1, head_dim, num_heads).transpose(0, 3, 1, 2)",
        ),
    ),
    _cache(
        "keys-not-projected",
        "cache-contents cache-outputs",
        Text("The keys aren't projected: `w_key` isn't used.", "키를 투영하지 않았습니다. `w_key`를 쓰지 않았습니다."),
        ("split(x @ w_key)", "split(x)"),
    ),
    _cache(
        "queries-as-keys",
        "cache-contents cache-outputs",
        Text("The keys are made with `w_query`.", "키를 `w_query`로 만들었습니다."),
        ("split(x @ w_key)", "split(x @ w_query)"),
    ),
    _cache(
        "keeps-scaled-keys",
        "cache-contents",
        Text(
            "The cache holds keys that are divided by the root of head_dim already; keep the keys as they are.",
            "head_dim의 제곱근으로 이미 나눈 키를 캐시에 두었습니다. 키를 그대로 두세요.",
        ),
        ("split(x @ w_key)", "split(x @ w_key) / np.sqrt(head_dim)"),
        ("    scores = scores / np.sqrt(head_dim)\n", ""),
    ),
    _cache(
        "unscaled",
        "cache-outputs",
        Text("The scores aren't divided by the root of head_dim.", "점수를 head_dim의 제곱근으로 나누지 않았습니다."),
        ("    scores = scores / np.sqrt(head_dim)\n", ""),
    ),
    _cache(
        "scaled-by-d-model",
        "cache-outputs",
        Text(
            "The scores are divided by the root of d_model; it is the root of head_dim.",
            "점수를 d_model의 제곱근으로 나누었습니다. head_dim의 제곱근이어야 합니다.",
        ),
        ("np.sqrt(head_dim)", "np.sqrt(d_model)"),
    ),
    _cache(
        "divided-by-head-dim",
        "cache-outputs",
        Text(
            "The scores are divided by head_dim itself, not by its root.",
            "점수를 head_dim의 제곱근이 아니라 head_dim 자체로 나누었습니다.",
        ),
        ("np.sqrt(head_dim)", "head_dim"),
    ),
    _cache(
        "unused",
        "cache-outputs",
        Text(
            "The query sees the newest position alone; it has to see all that the cache holds.",
            "쿼리가 새 위치만 봅니다. 캐시에 있는 것을 모두 보아야 합니다.",
        ),
        ("    scores = query @ keys.transpose(0, 1, 3, 2)\n", "    scores = query @ key.transpose(0, 1, 3, 2)\n"),
        ("    output = weights @ values\n", "    output = weights @ value\n"),
    ),
    _cache(
        "without-the-newest",
        "cache-outputs",
        Text(
            "The query sees only the earlier positions; it sees itself, too.",
            "쿼리가 앞의 위치만 봅니다. 자기 자신도 보아야 합니다.",
        ),
        (
            "    scores = query @ keys.transpose(0, 1, 3, 2)\n",
            "    past = (keys, values) if cache is None else cache\n    scores = query @ past[0].transpose(0, 1, 3, 2)\n",
        ),
        ("    output = weights @ values\n", "    output = weights @ past[1]\n"),
    ),
    _cache(
        "one-head",
        "cache-outputs",
        Text(
            "The heads aren't kept apart: one softmax over the scores of all of them.",
            "헤드를 나누지 않았습니다. 모든 헤드를 합친 점수에 소프트맥스를 한 번 했습니다.",
        ),
        (
            "    scores = scores / np.sqrt(head_dim)\n",
            "    scores = scores.sum(axis=1, keepdims=True) / np.sqrt(d_model) + 0 * scores\n",
        ),
    ),
    _cache(
        "mean-of-values",
        "cache-outputs",
        Text(
            "All positions get the same weight: the softmax of the scores is missing.",
            "모든 위치의 가중치가 같습니다. 점수의 소프트맥스가 빠졌습니다.",
        ),
        ("    scores = scores / np.sqrt(head_dim)\n", "    scores = 0 * scores\n"),
    ),
    _cache(
        "last-position-only",
        "cache-outputs",
        Text("Only the newest position and the one before it are seen.", "새 위치와 바로 앞의 위치만 봅니다."),
        (
            "    scores = query @ keys.transpose(0, 1, 3, 2)\n",
            "    scores = query @ keys[:, :, -2:].transpose(0, 1, 3, 2)\n",
        ),
        ("    output = weights @ values\n", "    output = weights @ values[:, :, -2:]\n"),
    ),
    _cache(
        "forgets",
        "cache-long",
        Text(
            "The oldest positions are forgotten when the sequence gets long.",
            "시퀀스가 길어지면 가장 오래된 위치를 잊습니다.",
        ),
        (
            "    scores = query @ keys.transpose(0, 1, 3, 2)\n",
            "    scores = query @ keys[:, :, -16:].transpose(0, 1, 3, 2)\n",
        ),
        ("    output = weights @ values\n", "    output = weights @ values[:, :, -16:]\n"),
    ),
    _cache(
        "own-memory",
        "cache-long",
        Text(
            "The cache is kept outside the function. Two sequences that take turns get each other's.",
            "캐시를 함수 밖에 두었습니다. 두 시퀀스를 번갈아 계산하면 서로의 캐시를 쓰게 됩니다.",
        ),
        ("    if cache is not None:\n", "    cache = None if cache is None else LAST[0]\n    if cache is not None:\n"),
        ("def cached_attention_step(", "LAST = [None]\n\n\ndef cached_attention_step("),
        ("    return output, (keys, values)\n", "    LAST[0] = keys, values\n    return output, LAST[0]\n"),
    ),
)

MISTAKES: tuple[Mistake, ...] = (
    *_MASK_MISTAKES,
    *_MODEL_MISTAKES,
    *_POOLING_MISTAKES,
    *_SAMPLING_MISTAKES,
    *_CACHE_MISTAKES,
)
