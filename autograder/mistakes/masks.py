"""Known wrong answers of 04-masks/masks."""

from __future__ import annotations

from autograder.mistakes import Mistake
from autograder.text import Text

__all__ = ["MISTAKES"]


def _mistake(id: str, task: str, fails: str, hint: str, code: str) -> Mistake:
    return Mistake(id, task, Text(hint), code.strip("\n") + "\n", frozenset(fails.split()))


_PADDING = (
    _mistake(
        "padding-flat",
        "padding-mask",
        "padding-shape",
        "Without axes for heads and queries, (batch, seq_len) would be read as (query_len, key_len).",
        """
def create_padding_mask(token_ids, pad_id=0):
    return (np.asarray(token_ids) == pad_id).astype("float32")
""",
    ),
    _mistake(
        "padding-one-axis",
        "padding-mask",
        "padding-shape",
        "There is one axis of length 1, but two are needed: one for the heads, one for the queries.",
        """
def create_padding_mask(token_ids, pad_id=0):
    return (np.asarray(token_ids) == pad_id).astype("float32")[:, np.newaxis, :]
""",
    ),
    _mistake(
        "padding-queries",
        "padding-mask",
        "padding-shape",
        "The last axis of the mask is that of the keys. This one hides queries.",
        """
def create_padding_mask(token_ids, pad_id=0):
    return (np.asarray(token_ids) == pad_id).astype("float32")[:, None, :, None]
""",
    ),
    _mistake(
        "padding-inverted",
        "padding-mask",
        "padding-values",
        "The mask is the wrong way round: in this course 1 hides, so 1 belongs to the padding.",
        """
def create_padding_mask(token_ids, pad_id=0):
    return (np.asarray(token_ids) != pad_id).astype("float32")[:, None, None, :]
""",
    ),
    _mistake(
        "padding-minus-infinity",
        "padding-mask",
        "padding-values",
        "A mask of minus infinity is meant to be added to scores. Here a mask says only what is hidden: 1.",
        """
def create_padding_mask(token_ids, pad_id=0):
    return np.where(np.asarray(token_ids) == pad_id, -np.inf, 0.0)[:, None, None, :]
""",
    ),
    _mistake(
        "padding-first-sequence",
        "padding-mask",
        "padding-values",
        "Every sequence has the mask of the first one.",
        """
def create_padding_mask(token_ids, pad_id=0):
    ids = np.asarray(token_ids)
    mask = (ids[0] == pad_id).astype("float32")
    return np.tile(mask, (len(ids), 1))[:, None, None, :]
""",
    ),
    _mistake(
        "padding-by-length",
        "padding-mask",
        "padding-anywhere",
        "You count tokens and take it that the padding comes last. It may stand in front as well.",
        """
def create_padding_mask(token_ids, pad_id=0):
    ids = np.asarray(token_ids)
    lengths = (ids != pad_id).sum(axis=1)
    return (np.arange(ids.shape[1])[None, :] >= lengths[:, None]).astype("float32")[:, None, None, :]
""",
    ),
    _mistake(
        "padding-id-ignored",
        "padding-mask",
        "padding-other-id",
        "The id 0 is hidden whatever `pad_id` says.",
        """
def create_padding_mask(token_ids, pad_id=0):
    return ops.cast(ops.equal(token_ids, 0), "float32")[:, None, None, :]
""",
    ),
    _mistake(
        "padding-booleans",
        "padding-mask",
        "padding-floats",
        "A comparison gives booleans. Turn them into floats.",
        """
def create_padding_mask(token_ids, pad_id=0):
    return (np.asarray(token_ids) == pad_id)[:, None, None, :]
""",
    ),
)

_AHEAD = (
    _mistake(
        "ahead-three-axes",
        "look-ahead-mask",
        "ahead-shape",
        "The mask is the same for every sequence: two axes are enough, broadcasting does the rest.",
        """
def create_look_ahead_mask(size):
    return np.triu(np.ones((1, size, size)), k=1)
""",
    ),
    _mistake(
        "ahead-past-hidden",
        "look-ahead-mask",
        "ahead-sides",
        "The past is hidden and the future kept: the mask is transposed. Rows are queries, columns keys.",
        """
def create_look_ahead_mask(size):
    return np.tril(np.ones((size, size)), k=-1)
""",
    ),
    _mistake(
        "ahead-says-who-is-seen",
        "look-ahead-mask",
        "ahead-sides",
        "Ones where a position may look is the other convention. Here 1 hides.",
        """
def create_look_ahead_mask(size):
    return np.tril(np.ones((size, size)))
""",
    ),
    _mistake(
        "ahead-two-steps",
        "look-ahead-mask",
        "ahead-sides",
        "Each position sees one step too far: the diagonal next to the main one is kept.",
        """
def create_look_ahead_mask(size):
    return np.triu(np.ones((size, size)), k=2)
""",
    ),
    _mistake(
        "ahead-minus-infinity",
        "look-ahead-mask",
        "ahead-sides",
        "A mask of minus infinity is meant to be added to scores. Here a mask says only what is hidden: 1.",
        """
def create_look_ahead_mask(size):
    return np.triu(np.full((size, size), -np.inf), k=1)
""",
    ),
    _mistake(
        "ahead-with-diagonal",
        "look-ahead-mask",
        "ahead-diagonal",
        "The diagonal is hidden too. Input i is a word that is already there: output i is the guess at the next one.",
        """
def create_look_ahead_mask(size):
    return np.triu(np.ones((size, size)))
""",
    ),
    _mistake(
        "ahead-table-too-small",
        "look-ahead-mask",
        "ahead-sizes",
        "Beyond a fixed number of positions nothing is hidden.",
        """
def create_look_ahead_mask(size):
    mask = np.zeros((size, size))
    for i in range(min(size, 32)):
        for j in range(i + 1, min(size, 32)):
            mask[i, j] = 1.0
    return mask
""",
    ),
    _mistake(
        "ahead-integers",
        "look-ahead-mask",
        "ahead-floats",
        "The mask holds integers. Turn them into floats.",
        """
def create_look_ahead_mask(size):
    return np.triu(np.ones((size, size), dtype=int), k=1)
""",
    ),
)

_DECODER = (
    _mistake(
        "decoder-look-ahead-only",
        "decoder-mask",
        "decoder-shape",
        "The look-ahead mask alone has no batch, because it knows nothing of the padding.",
        """
def create_decoder_mask(token_ids, pad_id=0):
    return create_look_ahead_mask(np.shape(token_ids)[1])
""",
    ),
    _mistake(
        "decoder-padding-forgotten",
        "decoder-mask",
        "decoder-padding",
        "Only the future is hidden.",
        """
def create_decoder_mask(token_ids, pad_id=0):
    batch, seq_len = np.shape(token_ids)
    return np.tile(np.triu(np.ones((seq_len, seq_len)), k=1), (batch, 1, 1, 1))
""",
    ),
    _mistake(
        "decoder-future-forgotten",
        "decoder-mask",
        "decoder-future",
        "Only the padding is hidden.",
        """
def create_decoder_mask(token_ids, pad_id=0):
    batch, seq_len = np.shape(token_ids)
    padding = (np.asarray(token_ids) == pad_id).astype(float)[:, None, None, :]
    return np.tile(padding, (1, 1, seq_len, 1))
""",
    ),
    _mistake(
        "decoder-keeps-what-one-keeps",
        "decoder-mask",
        "decoder-future decoder-padding",
        "Only what both masks hide is hidden. Either is enough.",
        """
def create_decoder_mask(token_ids, pad_id=0):
    return ops.minimum(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(np.shape(token_ids)[1]))
""",
    ),
    _mistake(
        "decoder-inverted",
        "decoder-mask",
        "decoder-future decoder-padding",
        "The mask is the wrong way round: it says who may be seen, but 1 hides.",
        """
def create_decoder_mask(token_ids, pad_id=0):
    ids = np.asarray(token_ids)
    past = np.tril(np.ones((ids.shape[1], ids.shape[1])))
    return (ids != pad_id)[:, None, None, :] * past
""",
    ),
    _mistake(
        "decoder-hides-queries",
        "decoder-mask",
        "decoder-padding",
        "The rows of the padding are hidden too. Padding is hidden as a key; its queries see what others see.",
        """
def create_decoder_mask(token_ids, pad_id=0):
    padding = (np.asarray(token_ids) == pad_id).astype(float)
    ahead = np.triu(np.ones((padding.shape[1], padding.shape[1])), k=1)
    return np.maximum(np.maximum(padding[:, None, None, :], padding[:, None, :, None]), ahead)
""",
    ),
    _mistake(
        "decoder-twos",
        "decoder-mask",
        "decoder-ones",
        "Where both masks hide there is a 2: they were added. Flipped by `1 - mask` that is -1, which is true.",
        """
def create_decoder_mask(token_ids, pad_id=0):
    return create_padding_mask(token_ids, pad_id) + create_look_ahead_mask(np.shape(token_ids)[1])
""",
    ),
    _mistake(
        "decoder-booleans",
        "decoder-mask",
        "decoder-ones",
        "A logical or gives booleans. Turn them into floats.",
        """
def create_decoder_mask(token_ids, pad_id=0):
    ids = np.asarray(token_ids)
    ahead = np.triu(np.ones((ids.shape[1], ids.shape[1])), k=1).astype(bool)
    return (ids == pad_id)[:, None, None, :] | ahead
""",
    ),
    _mistake(
        "decoder-id-ignored",
        "decoder-mask",
        "decoder-other-id",
        "The id 0 is hidden whatever `pad_id` says. Is it passed on?",
        """
def create_decoder_mask(token_ids, pad_id=0):
    return ops.maximum(create_padding_mask(token_ids), create_look_ahead_mask(np.shape(token_ids)[1]))
""",
    ),
    _mistake(
        "decoder-batch-joined",
        "decoder-mask",
        "decoder-own-padding",
        "What is padding in one sequence is hidden in all of them.",
        """
def create_decoder_mask(token_ids, pad_id=0):
    ids = np.asarray(token_ids)
    padding = (ids == pad_id).any(axis=0).astype(float)
    mask = np.maximum(padding[None, :], np.triu(np.ones((ids.shape[1], ids.shape[1])), k=1))
    return np.tile(mask, (len(ids), 1, 1, 1))
""",
    ),
)

_SOFTMAX = (
    _mistake(
        "softmax-without-keepdims",
        "masked-softmax",
        "softmax-shape",
        "The sum along the keys has one dimension less than the scores. Keep it, with length 1.",
        """
def masked_softmax(scores, mask):
    e = np.where(mask == 1, 0.0, np.exp(scores))
    return e / np.sum(e, axis=-1)
""",
    ),
    _mistake(
        "softmax-mask-forgotten",
        "masked-softmax",
        "softmax-values",
        "These are the weights without the mask.",
        """
def masked_softmax(scores, mask):
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
""",
    ),
    _mistake(
        "softmax-mask-inverted",
        "masked-softmax",
        "softmax-values",
        "The hidden keys share the weight: the mask is read the other way round. 1 hides.",
        """
def masked_softmax(scores, mask):
    kept = np.broadcast_to(mask, np.shape(scores)) == 1
    e = np.where(kept, np.exp(scores - np.max(np.where(kept, scores, -1e4), axis=-1, keepdims=True)), 0)
    return e / np.maximum(np.sum(e, axis=-1, keepdims=True), 1e-7)
""",
    ),
    _mistake(
        "softmax-hides-after",
        "masked-softmax",
        "softmax-values",
        "The rows don't add up to 1: hidden entries were set to 0 after the softmax. The others share the whole weight.",
        """
def masked_softmax(scores, mask):
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True) * (1 - mask)
""",
    ),
    _mistake(
        "softmax-zero-score",
        "masked-softmax",
        "softmax-values",
        "Multiplying a score by 0 hides nothing: exp(0) is 1.",
        """
def masked_softmax(scores, mask):
    e = np.exp(scores * (1 - mask))
    return e / np.sum(e, axis=-1, keepdims=True)
""",
    ),
    _mistake(
        "softmax-constant-30",
        "masked-softmax",
        "softmax-exactly-zero softmax-hidden-far-above softmax-half",
        "A small constant leaves a little weight on hidden keys, and much if their scores are large.",
        """
def masked_softmax(scores, mask):
    lowered = np.where(mask == 1, scores - 30, scores)
    e = np.exp(lowered - np.max(lowered, axis=-1, keepdims=True))
    e = np.where(np.all(mask == 1, axis=-1, keepdims=True), 0, e)
    total = np.sum(e, axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)
""",
    ),
    _mistake(
        "softmax-same-shape-only",
        "masked-softmax",
        "softmax-broadcast",
        "The mask picks entries by index, which needs a mask of the scores' shape. Broadcast it first, or use `where`.",
        """
def masked_softmax(scores, mask):
    scores = np.array(scores)
    hidden = np.asarray(mask) == 1
    low = scores.copy()
    low[hidden] = -np.inf
    top = np.max(low, axis=-1, keepdims=True)
    top[np.isinf(top)] = 0
    low = low - top
    e = np.exp(low)
    total = np.sum(e, axis=-1, keepdims=True)
    total[total == 0] = 1
    return e / total
""",
    ),
    _mistake(
        "softmax-largest-of-all",
        "masked-softmax",
        "softmax-hidden-far-above softmax-half",
        "Whose maximum do you subtract? A large hidden score makes all kept exponentials 0.",
        """
def masked_softmax(scores, mask):
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True)) * (1 - mask)
    total = np.sum(e, axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total).astype(scores.dtype)
""",
    ),
    _mistake(
        "softmax-minus-1e9",
        "masked-softmax",
        "softmax-empty-rows softmax-half",
        "With all scores of a row lowered by the same constant, their softmax is the same as before. And float16 has no 1e9.",
        """
def masked_softmax(scores, mask):
    scores = ops.convert_to_tensor(scores)
    mask = ops.cast(mask, scores.dtype)
    return ops.softmax(scores + mask * ops.cast(-1e9, scores.dtype), axis=-1)
""",
    ),
    _mistake(
        "softmax-where-1e9",
        "masked-softmax",
        "softmax-empty-rows",
        "In a wholly hidden row all scores are replaced by the same number, so the weights are uniform. They should be 0.",
        """
def masked_softmax(scores, mask):
    low = np.where(mask == 1, np.finfo(scores.dtype).min, scores)
    e = np.exp(low - np.max(low, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
""",
    ),
    _mistake(
        "softmax-nan",
        "masked-softmax",
        "softmax-empty-rows",
        "Minus infinity in every entry of a row gives 0/0.",
        """
def masked_softmax(scores, mask):
    low = np.where(mask == 1, -np.inf, scores)
    e = np.exp(low - np.max(low, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
""",
    ),
    _mistake(
        "softmax-empty-rows-only-1e9",
        "masked-softmax",
        "softmax-half",
        "-1e9 is minus infinity in float16, and 0 times infinity is NaN for the kept entries.",
        """
def masked_softmax(scores, mask):
    low = scores + mask * np.asarray(-1e9, dtype=scores.dtype)
    e = np.exp(low - np.max(low, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True) * (1 - mask)
""",
    ),
    _mistake(
        "softmax-constant-1e4",
        "masked-softmax",
        "softmax-half",
        "A constant that fits into float16 isn't far below every score of float16.",
        """
def masked_softmax(scores, mask):
    scores = ops.convert_to_tensor(scores)
    mask = ops.cast(mask, scores.dtype)
    return ops.softmax(scores - 1e4 * mask, axis=-1) * (1 - mask)
""",
    ),
    _mistake(
        "softmax-tiny-epsilon",
        "masked-softmax",
        "softmax-half",
        "In float16 a constant such as 1e-9 is 0.",
        """
def masked_softmax(scores, mask):
    hidden = np.broadcast_to(mask, scores.shape) == 1
    top = np.max(np.where(hidden, np.finfo(scores.dtype).min, scores), axis=-1, keepdims=True)
    e = np.where(hidden, 0, np.exp(np.where(hidden, 0, scores - top)))
    return e / (np.sum(e, axis=-1, keepdims=True) + np.asarray(1e-9, dtype=scores.dtype))
""",
    ),
    _mistake(
        "softmax-returns-float32",
        "masked-softmax",
        "softmax-type",
        "The weights are in float32 whatever the scores are.",
        """
def masked_softmax(scores, mask):
    scores, hidden = np.asarray(scores, dtype="float32"), np.asarray(mask) == 1
    top = np.max(np.where(hidden, np.float32(-3e38), scores), axis=-1, keepdims=True)
    e = np.where(hidden, 0, np.exp(np.where(hidden, 0, scores - top)))
    total = np.sum(e, axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total).astype("float32")
""",
    ),
)

_KERAS = (
    _mistake(
        "keras-keeps-heads",
        "keras-mask",
        "keras-shape",
        "The axis of the heads is still there. Keras puts it in itself.",
        """
def to_keras_attention_mask(mask):
    return np.asarray(mask) == 0
""",
    ),
    _mistake(
        "keras-not-flipped",
        "keras-mask",
        "keras-flip",
        "The mask has Keras's shape but still our meaning: in Keras True may be attended.",
        """
def to_keras_attention_mask(mask):
    mask = np.asarray(mask).astype(bool)
    return mask[:, 0] if mask.ndim == 4 else mask[None]
""",
    ),
    _mistake(
        "keras-flips-booleans-late",
        "keras-mask",
        "keras-booleans",
        "Floats 1 and 0 are not booleans. Not every function reads them alike.",
        """
def to_keras_attention_mask(mask):
    mask = 1.0 - np.asarray(mask)
    return mask[:, 0] if mask.ndim == 4 else mask[None]
""",
    ),
    _mistake(
        "keras-squeezed",
        "keras-mask",
        "keras-padding keras-square",
        "`squeeze` without an axis removes every axis of length 1, also the batch and the queries. Name the axis.",
        """
def to_keras_attention_mask(mask):
    return np.squeeze(np.asarray(mask)) == 0
""",
    ),
    _mistake(
        "keras-queries-squeezed",
        "keras-mask",
        "keras-padding",
        "The axis of length 1 for the queries is gone: Keras needs it.",
        """
def to_keras_attention_mask(mask):
    mask = np.asarray(mask) == 0
    if mask.ndim == 2:
        return mask[None]
    return mask[:, 0, 0] if mask.shape[2] == 1 else mask[:, 0]
""",
    ),
    _mistake(
        "keras-batch-of-one-squeezed",
        "keras-mask",
        "keras-padding",
        "For a batch of one sequence an axis is missing.",
        """
def to_keras_attention_mask(mask):
    mask = np.asarray(mask) == 0
    if mask.ndim == 2:
        return mask[None]
    mask = mask[:, 0]
    return mask[0] if len(mask) == 1 else mask
""",
    ),
    _mistake(
        "keras-two-axes-unchanged",
        "keras-mask",
        "keras-square",
        "A mask without a batch needs an axis for it, of length 1.",
        """
def to_keras_attention_mask(mask):
    mask = np.asarray(mask) == 0
    return mask[:, 0] if mask.ndim == 4 else mask
""",
    ),
)

_ALL_LEAKS = "leak-plain leak-one-step leak-one-place leak-long leak-normalised leak-size"

_LEAKS = (
    _mistake(
        "leak-no-return",
        "leak-test",
        "leak-answer",
        "Every way through the function needs a `return`, also the one on which no leak was found.",
        """
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] = np.random.default_rng(t).normal(size=(1, seq_len - t, dim))
        if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-5:
            return True
""",
    ),
    _mistake(
        "leak-returns-distances",
        "leak-test",
        "leak-answer",
        "The distances are right, but the question is whether there is a leak: True or False.",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    moved = []
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] = rng.normal(size=(1, seq_len - t, dim))
        moved.append(np.abs(to_numpy(attend(changed)) - before)[:, :t].max())
    return np.array(moved) > 1e-5
""",
    ),
    _mistake(
        "leak-always",
        "leak-test",
        _ALL_LEAKS,
        "It says that everything leaks.",
        """
def leaks_future(attend, seq_len, dim):
    return True
""",
    ),
    _mistake(
        "leak-never",
        "leak-test",
        _ALL_LEAKS,
        "It says that nothing leaks.",
        """
def leaks_future(attend, seq_len, dim):
    return False
""",
    ),
    _mistake(
        "leak-compares-changed-position",
        "leak-test",
        _ALL_LEAKS,
        "The changed position itself is compared too. It may move: only those before it may not.",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t] = rng.normal(size=dim)
        if np.abs(to_numpy(attend(changed)) - before)[:, : t + 1].max() > 1e-5:
            return True
    return False
""",
    ),
    _mistake(
        "leak-nan",
        "leak-test",
        _ALL_LEAKS,
        "0 times NaN is NaN: it comes out of causal layers too.",
        """
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] = np.nan
        if np.isnan(to_numpy(attend(changed))[:, :t]).any():
            return True
    return False
""",
    ),
    _mistake(
        "leak-last-input-only",
        "leak-test",
        "leak-one-place",
        "Only the last input is changed. A leak may come from any.",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    changed = x.copy()
    changed[:, -1] = rng.normal(size=dim)
    moved = np.abs(to_numpy(attend(changed)) - to_numpy(attend(x)))[:, :-1]
    return bool(moved.max() > 1e-5)
""",
    ),
    _mistake(
        "leak-first-output-only",
        "leak-test",
        "leak-one-place leak-long",
        "Only the first output is watched. A leak may show at any.",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    changed = x.copy()
    changed[:, 1:] = rng.normal(size=(1, seq_len - 1, dim))
    moved = np.abs(to_numpy(attend(changed)) - to_numpy(attend(x)))[:, 0]
    return bool(moved.max() > 1e-5)
""",
    ),
    _mistake(
        "leak-one-cut",
        "leak-test",
        "leak-one-place leak-long",
        "One cut in the middle shows only leaks across it. Each position has its own future.",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    half = seq_len // 2
    x = rng.normal(size=(1, seq_len, dim))
    changed = x.copy()
    changed[:, half:] = rng.normal(size=(1, seq_len - half, dim))
    moved = np.abs(to_numpy(attend(changed)) - to_numpy(attend(x)))[:, :half]
    return bool(moved.max() > 1e-5)
""",
    ),
    _mistake(
        "leak-one-feature",
        "leak-test",
        "leak-one-place",
        "Only the first feature is watched.",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] = rng.normal(size=(1, seq_len - t, dim))
        after = to_numpy(attend(changed))
        if np.abs(after - before)[0, :t, 0].max() > 1e-5:
            return True
    return False
""",
    ),
    _mistake(
        "leak-not-the-next-step",
        "leak-test",
        "leak-one-step leak-one-place",
        "The position just before the changed one is not compared: a leak of one step goes there.",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(2, seq_len):
        changed = x.copy()
        changed[:, t] = rng.normal(size=dim)
        if np.abs(to_numpy(attend(changed)) - before)[:, : t - 1].max() > 1e-5:
            return True
    return False
""",
    ),
    _mistake(
        "leak-starts-from-zeros",
        "leak-test",
        "leak-one-step",
        "All inputs are 0 at first. Where inputs are multiplied with each other, nothing can be seen then.",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = np.zeros((1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t] = rng.normal(size=dim)
        if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-5:
            return True
    return False
""",
    ),
    _mistake(
        "leak-own-length",
        "leak-test",
        "leak-long",
        "The length is the test's own. Some leaks show at `seq_len` only.",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    seq_len = min(seq_len, 12)
    x = rng.normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] = rng.normal(size=(1, seq_len - t, dim))
        if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-5:
            return True
    return False
""",
    ),
    _mistake(
        "leak-adds-a-constant",
        "leak-test",
        "leak-normalised",
        "The same number is added to every feature. A normalisation over the features takes it away again.",
        """
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] += 1.0
        if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-5:
            return True
    return False
""",
    ),
    _mistake(
        "leak-scales",
        "leak-test",
        "leak-normalised",
        "The later inputs are only scaled. A normalisation over the features takes that away again.",
        """
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t] *= 2.0
        if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-5:
            return True
    return False
""",
    ),
    _mistake(
        "leak-shuffles",
        "leak-test",
        "leak-plain leak-one-place leak-long leak-normalised",
        "The later inputs are only put into another order. Attention and averages don't notice that.",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] = changed[:, t:][:, ::-1]
        if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-5:
            return True
    return False
""",
    ),
    _mistake(
        "leak-exactly-equal",
        "leak-test",
        "leak-size",
        "Outputs are compared exactly. In float32 rounding moves them a little without any leak.",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] = rng.normal(size=(1, seq_len - t, dim))
        if not np.array_equal(to_numpy(attend(changed))[:, :t], before[:, :t]):
            return True
    return False
""",
    ),
    _mistake(
        "leak-threshold-below-rounding",
        "leak-test",
        "leak-size",
        "A threshold below the rounding of float32 finds leaks everywhere.",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] = rng.normal(size=(1, seq_len - t, dim))
        if np.abs(to_numpy(attend(changed)) - before)[:, :t].max() > 1e-9:
            return True
    return False
""",
    ),
    _mistake(
        "leak-coarse",
        "leak-test",
        "leak-size",
        "The threshold is too high for a weak leak.",
        """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for t in range(1, seq_len):
        changed = x.copy()
        changed[:, t:] = rng.normal(size=(1, seq_len - t, dim))
        if not np.allclose(to_numpy(attend(changed))[:, :t], before[:, :t], atol=2e-3):
            return True
    return False
""",
    ),
)

MISTAKES: tuple[Mistake, ...] = (*_PADDING, *_AHEAD, *_DECODER, *_SOFTMAX, *_KERAS, *_LEAKS)
