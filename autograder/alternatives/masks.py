"""Right answers to `04-masks` in other styles."""

from __future__ import annotations

from autograder.alternatives import Alternative

__all__ = ["ALTERNATIVES"]

ALTERNATIVES: tuple[Alternative, ...] = (
    Alternative(
        "numpy",
        "plain NumPy, -inf with np.where, zeros put back for wholly hidden rows, np.allclose with its defaults",
        {
            "padding-mask": """
def create_padding_mask(token_ids, pad_id=0):
    mask = np.where(np.asarray(token_ids) == pad_id, 1.0, 0.0)
    return mask[:, np.newaxis, np.newaxis, :]
""",
            "look-ahead-mask": """
def create_look_ahead_mask(size):
    return np.triu(np.ones((size, size)), k=1)
""",
            "decoder-mask": """
def create_decoder_mask(token_ids, pad_id=0):
    return np.maximum(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(np.shape(token_ids)[1]))
""",
            "masked-softmax": """
def masked_softmax(scores, mask):
    with np.errstate(invalid="ignore"):
        lowered = np.where(mask == 1, -np.inf, scores)
        e = np.exp(lowered - lowered.max(axis=-1, keepdims=True))
        return np.nan_to_num(e / e.sum(axis=-1, keepdims=True))
""",
            "keras-mask": """
def to_keras_attention_mask(mask):
    mask = np.logical_not(np.asarray(mask).astype(bool))
    if mask.ndim == 2:
        return mask[np.newaxis]
    return mask[:, 0]
""",
            "leak-test": """
def leaks_future(attend, seq_len, dim):
    x = np.random.randn(1, seq_len, dim)
    original = np.asarray(attend(x))
    for t in range(seq_len - 1):
        x2 = np.array(x)
        x2[:, t + 1:] = np.random.randn(1, seq_len - t - 1, dim)
        if not np.allclose(original[:, :t + 1], np.asarray(attend(x2))[:, :t + 1]):
            return True
    return False
""",
        },
    ),
    Alternative(
        "tensorflow",
        "tf.* throughout, as in the best-known tutorial: band_part, tf.maximum, a softmax times what is kept",
        {
            "padding-mask": """
import tensorflow as tf

def create_padding_mask(token_ids, pad_id=0):
    seq = tf.cast(tf.math.equal(token_ids, pad_id), tf.float32)
    return seq[:, tf.newaxis, tf.newaxis, :]
""",
            "look-ahead-mask": """
import tensorflow as tf

def create_look_ahead_mask(size):
    mask = 1 - tf.linalg.band_part(tf.ones((size, size)), -1, 0)
    return mask
""",
            "decoder-mask": """
import tensorflow as tf

def create_decoder_mask(token_ids, pad_id=0):
    look_ahead_mask = create_look_ahead_mask(tf.shape(token_ids)[1])
    dec_target_padding_mask = create_padding_mask(token_ids, pad_id)
    return tf.maximum(dec_target_padding_mask, look_ahead_mask)
""",
            "masked-softmax": """
import tensorflow as tf

def masked_softmax(scores, mask):
    scores = tf.convert_to_tensor(scores)
    mask = tf.cast(mask, scores.dtype)
    weights = tf.nn.softmax(tf.where(mask == 1, scores.dtype.min, scores), axis=-1)
    return weights * (1 - mask)
""",
            "keras-mask": """
import tensorflow as tf

def to_keras_attention_mask(mask):
    mask = tf.logical_not(tf.cast(mask, tf.bool))
    if mask.shape.rank == 4:
        return tf.squeeze(mask, axis=[1])
    return mask[tf.newaxis, ...]
""",
            "leak-test": """
import tensorflow as tf

def leaks_future(attend, seq_len, dim):
    x = tf.random.normal((1, seq_len, dim))
    y = tf.cast(attend(x), tf.float32)
    for t in range(1, seq_len):
        x_changed = tf.concat([x[:, :t], tf.random.normal((1, seq_len - t, dim))], axis=1)
        y_changed = tf.cast(attend(x_changed), tf.float32)
        if tf.reduce_max(tf.abs(y_changed[:, :t] - y[:, :t])) > 1e-5:
            return True
    return False
""",
        },
        ("tensorflow",),
    ),
    Alternative(
        "loops",
        "Python loops and nested lists, the leak test entry by entry with NumPy booleans as answers",
        {
            "padding-mask": """
def create_padding_mask(token_ids, pad_id=0):
    return [[[[1.0 if token == pad_id else 0.0 for token in sequence]]] for sequence in np.asarray(token_ids)]
""",
            "look-ahead-mask": """
def create_look_ahead_mask(size):
    return [[1.0 if j > i else 0.0 for j in range(size)] for i in range(size)]
""",
            "decoder-mask": """
def create_decoder_mask(token_ids, pad_id=0):
    batch, seq_len = np.shape(token_ids)
    mask = np.zeros((batch, 1, seq_len, seq_len))
    for b in range(batch):
        for i in range(seq_len):
            for j in range(seq_len):
                if j > i or token_ids[b][j] == pad_id:
                    mask[b, 0, i, j] = 1
    return mask
""",
            "masked-softmax": """
def masked_softmax(scores, mask):
    scores = np.asarray(scores)
    mask = np.broadcast_to(mask, scores.shape)
    weights = np.zeros_like(scores)
    for row in np.ndindex(*scores.shape[:-1]):
        kept = mask[row] == 0
        if kept.any():
            e = np.exp(scores[row][kept] - scores[row][kept].max())
            weights[row][kept] = e / e.sum()
    return weights
""",
            "keras-mask": """
def to_keras_attention_mask(mask):
    mask = np.asarray(mask)
    if len(mask.shape) == 4:
        batch, _, queries, keys = mask.shape
        return mask.reshape(batch, queries, keys) < 0.5
    return np.array([mask < 0.5])
""",
            "leak-test": """
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(1, seq_len, dim))
    y = ops.convert_to_numpy(attend(x))
    leaks = np.zeros((seq_len, seq_len), dtype=bool)
    for j in range(seq_len):
        for f in range(dim):
            moved = x.copy()
            moved[0, j, f] += 1.0
            distance = np.abs(ops.convert_to_numpy(attend(moved)) - y)[0].max(axis=-1)
            leaks[:, j] |= distance > 1e-5
    return np.triu(leaks, k=1).any()
""",
        },
    ),
    Alternative(
        "keras-ops",
        "keras.ops: triu, logical_or, the lowest number of the type; the later inputs negated",
        {
            "padding-mask": """
def create_padding_mask(token_ids, pad_id=0):
    mask = ops.cast(ops.equal(token_ids, pad_id), "float32")
    return ops.expand_dims(ops.expand_dims(mask, 1), 1)
""",
            "look-ahead-mask": """
def create_look_ahead_mask(size):
    return ops.triu(ops.ones((size, size)), k=1)
""",
            "decoder-mask": """
def create_decoder_mask(token_ids, pad_id=0):
    token_ids = ops.convert_to_tensor(token_ids)
    seq_len = ops.shape(token_ids)[1]
    steps = ops.arange(seq_len)
    future = steps[None, :] > steps[:, None]
    either = ops.logical_or(ops.equal(token_ids, pad_id)[:, None, :], future[None])
    return ops.cast(either[:, None], "float32")
""",
            "masked-softmax": """
def masked_softmax(scores, mask):
    scores = ops.convert_to_tensor(scores)
    dtype = keras.backend.standardize_dtype(scores.dtype)
    hidden = ops.cast(mask, "bool")
    lowest = float(np.finfo(dtype).min)
    weights = ops.softmax(ops.where(hidden, ops.cast(lowest, dtype), scores), axis=-1)
    return ops.where(hidden, ops.zeros_like(weights), weights)
""",
            "keras-mask": """
def to_keras_attention_mask(mask):
    mask = ops.cast(mask, "bool")
    mask = ops.logical_not(mask)
    return mask[:, 0, :, :] if len(mask.shape) == 4 else mask[None, :, :]
""",
            "leak-test": """
def leaks_future(attend, seq_len, dim):
    x = keras.random.normal((1, seq_len, dim), seed=3)
    y = ops.convert_to_numpy(attend(x))
    for t in range(1, seq_len):
        x2 = ops.concatenate([x[:, :t], -x[:, t:]], axis=1)
        y2 = ops.convert_to_numpy(attend(x2))
        if np.max(np.abs(y2[:, :t] - y[:, :t])) > 1e-5:
            return True
    return False
""",
        },
    ),
    Alternative(
        "compute-in-float64",
        "the softmax in float64 and cast back, masks by comparison of index grids, leaks by a table of influence",
        {
            "padding-mask": """
def create_padding_mask(token_ids, pad_id=0):
    token_ids = np.array(token_ids)
    return np.equal(token_ids, pad_id).astype(np.float32).reshape(token_ids.shape[0], 1, 1, token_ids.shape[1])
""",
            "look-ahead-mask": """
def create_look_ahead_mask(size):
    rows, columns = np.indices((size, size))
    return (columns > rows).astype("float32")
""",
            "decoder-mask": """
def create_decoder_mask(token_ids, pad_id=0):
    padding, future = create_padding_mask(token_ids, pad_id), create_look_ahead_mask(len(token_ids[0]))
    return np.clip(padding + future, 0, 1)
""",
            "masked-softmax": """
def masked_softmax(scores, mask):
    s = np.array(scores, dtype=np.float64)
    keep = 1.0 - np.array(mask, dtype=np.float64) * np.ones_like(s)
    s = s * keep + -1e9 * (1 - keep)
    e = np.exp(s - s.max(axis=-1, keepdims=True)) * keep
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0).astype(scores.dtype)
""",
            "keras-mask": """
def to_keras_attention_mask(mask):
    mask = np.asarray(mask)
    keras_mask = (1 - mask).astype(bool)
    if keras_mask.ndim == 2:
        keras_mask = np.expand_dims(keras_mask, 0)
    else:
        keras_mask = np.squeeze(keras_mask, axis=1)
    return keras_mask
""",
            "leak-test": """
def influence(attend, seq_len, dim):
    rng = np.random.RandomState(42)
    x = rng.standard_normal((1, seq_len, dim)).astype("float32")
    y = to_numpy(attend(x.copy()))
    table = np.zeros((seq_len, seq_len))
    for j in range(seq_len):
        z = x.copy()
        z[0, j] += rng.standard_normal(dim) * 3
        table[:, j] = np.abs(to_numpy(attend(z)) - y).max(axis=(0, 2))
    return table

def leaks_future(attend, seq_len, dim):
    table = influence(attend, seq_len, dim)
    return int((table[np.triu_indices(seq_len, 1)] > 2e-6).any())
""",
        },
    ),
    Alternative(
        "helpers-and-prefixes",
        "helpers in the cells; the leak test compares the outputs of a prefix with those of the whole",
        {
            "padding-mask": """
def is_padding(token_ids, pad_id):
    return 1 - np.minimum(1, np.abs(np.asarray(token_ids) - pad_id))

def create_padding_mask(token_ids, pad_id=0):
    return is_padding(token_ids, pad_id).astype("float64")[:, None, None]
""",
            "look-ahead-mask": """
def create_look_ahead_mask(size):
    return 1.0 - np.tri(size)
""",
            "decoder-mask": """
def create_decoder_mask(token_ids, pad_id=0):
    look_ahead = np.asarray(create_look_ahead_mask(np.asarray(token_ids).shape[-1]))
    padding = np.asarray(create_padding_mask(token_ids, pad_id))
    return 1.0 - (1.0 - look_ahead) * (1.0 - padding)
""",
            "masked-softmax": """
def masked_softmax(scores, mask):
    hidden = np.broadcast_to(np.asarray(mask, dtype=bool), np.shape(scores))
    scores = np.ma.masked_array(np.asarray(scores), hidden)
    e = np.ma.exp(scores - scores.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)).filled(0).astype(scores.dtype)
""",
            "leak-test": """
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(7).uniform(-2, 2, size=(1, seq_len, dim))
    whole = to_numpy(attend(x))
    for t in range(1, seq_len):
        if np.abs(to_numpy(attend(x[:, :t])) - whole[:, :t]).max() > 1e-5:
            return np.bool_(True)
    return np.bool_(False)
""",
        },
    ),
    Alternative(
        "rows-and-reshapes",
        "sequence_mask and arithmetic or, a mask row by row, scipy's softmax, one reshape for both shapes, cuts from the end",
        {
            "padding-mask": """
def create_padding_mask(token_ids, pad_id=0):
    hidden = np.isin(token_ids, [pad_id])
    return np.expand_dims(hidden, axis=(1, 2)).astype(np.float16)
""",
            "look-ahead-mask": """
def create_look_ahead_mask(size):
    mask = np.zeros([size] * 2)
    for i in range(size):
        mask[i, i + 1:] = 1
    return ops.convert_to_tensor(mask, dtype="float32")
""",
            "decoder-mask": """
def create_decoder_mask(token_ids, pad_id=0):
    p = np.array(create_padding_mask(token_ids=token_ids, pad_id=pad_id))
    l = np.array(create_look_ahead_mask(size=p.shape[3]))
    return p + l - p * l
""",
            "masked-softmax": """
from scipy.special import softmax

def masked_softmax(scores, mask):
    scores = np.asarray(scores)
    with np.errstate(all="ignore"):
        weights = softmax(np.where(np.asarray(mask) > 0.5, -np.inf, scores).astype(np.float64), axis=-1)
    return np.nan_to_num(weights, nan=0.0).astype(scores.dtype)
""",
            "keras-mask": """
def to_keras_attention_mask(mask):
    mask = np.asarray(mask)
    return mask.reshape((-1,) + mask.shape[-2:]) == 0
""",
            "leak-test": """
def leaks_future(attend, seq_len, dim):
    rng = np.random.RandomState(1)
    x = rng.randn(1, seq_len, dim)
    out = to_numpy(attend(x))
    for cut in reversed(range(1, seq_len)):
        other = np.concatenate([x[:, :cut], rng.randn(1, seq_len - cut, dim)], axis=1)
        try:  # a later input at the next output is enough: every cut is tried
            np.testing.assert_allclose(to_numpy(attend(other))[:, cut - 1], out[:, cut - 1], rtol=0, atol=1e-4)
        except AssertionError:
            return True
    return False
""",
        },
    ),
    Alternative(
        "where-arguments",
        "NumPy's own `where=` arguments, log-sum-exp's kin; later inputs set to zero; any head hides",
        {
            "look-ahead-mask": """
def create_look_ahead_mask(size: int) -> np.ndarray:
    return np.fromfunction(lambda query, key: key > query, (size, size)).astype(float)
""",
            "decoder-mask": """
def create_decoder_mask(token_ids, pad_id=0):
    masks = []
    for sentence in np.asarray(token_ids):
        future = np.triu(np.ones((len(sentence),) * 2), 1)
        future[:, sentence == pad_id] = 1
        masks.append(future[None])
    return np.stack(masks)
""",
            "masked-softmax": """
def masked_softmax(scores, mask):
    keep = np.broadcast_to(np.asarray(mask) == 0, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=keep, initial=np.finfo(scores.dtype).min)
    e = np.zeros_like(scores)
    np.exp(scores - top, out=e, where=keep)
    total = np.sum(e, axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total != 0)
""",
            "keras-mask": """
def to_keras_attention_mask(mask):
    hidden = ops.cast(mask, "bool")
    if ops.ndim(hidden) == 2:
        hidden = hidden[None, None]
    return ops.logical_not(ops.any(hidden, axis=1))
""",
            "leak-test": """
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(3).normal(size=(1, seq_len, dim))
    full, worst = to_numpy(attend(x)), 0.0
    for t in range(1, seq_len):
        past = x * (np.arange(seq_len) < t)[None, :, None]
        worst = max(worst, float(np.abs(to_numpy(attend(past)) - full)[:, :t].max()))
    return worst > 1e-6
""",
        },
    ),
    Alternative(
        "torch",
        "torch.* throughout: masked_fill, nan_to_num, torch tensors into the callable",
        {
            "padding-mask": """
import torch

def create_padding_mask(token_ids, pad_id=0):
    return (torch.as_tensor(token_ids) == pad_id).float().unsqueeze(1).unsqueeze(2)
""",
            "look-ahead-mask": """
import torch

def create_look_ahead_mask(size):
    return torch.triu(torch.ones(size, size), diagonal=1)
""",
            "decoder-mask": """
import torch

def create_decoder_mask(token_ids, pad_id=0):
    padding = create_padding_mask(token_ids, pad_id)
    return torch.maximum(padding, create_look_ahead_mask(padding.shape[-1]))
""",
            "masked-softmax": """
import torch

def masked_softmax(scores, mask):
    scores, mask = torch.as_tensor(scores), torch.as_tensor(mask)
    lowered = scores.masked_fill(mask.bool(), float("-inf"))
    return torch.nan_to_num(torch.softmax(lowered, dim=-1))
""",
            "keras-mask": """
import torch

def to_keras_attention_mask(mask):
    mask = ~torch.as_tensor(mask).bool()
    return mask.squeeze(1) if mask.dim() == 4 else mask.unsqueeze(0)
""",
            "leak-test": """
import torch

def leaks_future(attend, seq_len, dim):
    torch.manual_seed(0)
    x = torch.randn(1, seq_len, dim)
    before = torch.as_tensor(attend(x))
    for t in range(1, seq_len):
        changed = x.clone()
        changed[:, t:] = torch.randn(1, seq_len - t, dim)
        if not torch.allclose(torch.as_tensor(attend(changed))[:, :t], before[:, :t], atol=1e-5):
            return True
    return False
""",
        },
        ("torch",),
    ),
)
