"""Right answers to 08-debugging-clinic in other styles."""

from __future__ import annotations

from autograder.alternatives import Alternative

__all__ = ["ALTERNATIVES"]

ALTERNATIVES: tuple[Alternative, ...] = (
    Alternative(
        "numpy",
        "everything in NumPy, masks as floats",
        {
            "fix-inverted-mask": """
def causal_self_attention(layer, x):
    n = x.shape[1]
    return to_numpy(layer(x, x, attention_mask=np.tril(np.ones((1, n, n)))))
""",
            "detect-inverted-mask": """
def detect_inverted_mask(attend):
    rng = np.random.default_rng(11)
    x = rng.standard_normal((2, 9, 5))
    y = x.copy()
    for cut in range(1, 9):
        y[:, cut:] = rng.standard_normal((2, 9 - cut, 5))
        early = [np.asarray(to_numpy(attend(z)))[:, :cut] for z in (x, y)]
        y = x.copy()
        if not np.allclose(*early, atol=1e-5, rtol=0):
            return np.bool_(True)
    return np.bool_(False)
""",
            "fix-dropped-feed-forward": """
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    y = np.array(x, dtype="float64")
    y += np.asarray(to_numpy(attend(norm_1(y))))
    return y + np.asarray(to_numpy(feed_forward(norm_2(y))))
""",
            "detect-dropped-feed-forward": """
def detect_dropped_feed_forward(block):
    rng = np.random.default_rng(12)
    x = rng.standard_normal((4, 7, 6)).astype("float32")
    quiet = np.asarray(to_numpy(block(x, np.zeros_like)), dtype="float64")
    loud = np.asarray(to_numpy(block(x, lambda h: rng.standard_normal(h.shape))), dtype="float64")
    return int((np.linalg.norm(quiet - loud, axis=-1) < 1e-4).any())
""",
            "detect-swapped-arguments": """
def detect_swapped_arguments(build):
    def heads(d_model, num_heads):
        return np.asarray(to_numpy(build(d_model, num_heads)(np.zeros((1, 2, d_model)))[1])).shape[1]

    return any(heads(n * w, n) != n for n in range(1, 5) for w in range(1, 5))
""",
            "fix-head-scaling": """
def head_weights(query, key, num_heads):
    query, key = np.asarray(query), np.asarray(key)
    q, k = (np.stack(np.split(x, num_heads, axis=-1), axis=1) for x in (query, key))
    scores = np.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
""",
            "fix-shifted-target": """
def make_pairs(target_ids):
    ids = np.asarray(target_ids)
    return ids[:, :-1].copy(), ids[:, 1:].copy()
""",
            "detect-shifted-target": """
def detect_shifted_target(make):
    rng = np.random.default_rng(13)
    ids = np.stack([rng.permutation(np.arange(4, 1000))[:12] for _ in range(6)])
    ids[:, 0] = 1
    ids[::2, 7:] = 0
    ids[::2, 6] = 2
    ids[1::2, -1] = 2
    read, asked = (np.asarray(to_numpy(part)) for part in make(ids))
    return bool((read != ids[:, :-1]).any() or (asked != ids[:, 1:]).any())
""",
        },
    ),
    Alternative(
        "keras-options",
        "use_causal_mask, Keras's Add, keyword arguments in another order",
        {
            "fix-inverted-mask": """
def causal_self_attention(layer, x):
    return layer(query=x, value=x, key=x, use_causal_mask=True)
""",
            "fix-dropped-feed-forward": """
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = keras.layers.Add()([x, attend(norm_1(x))])
    return keras.layers.Add()([attended, feed_forward(norm_2(attended))])
""",
            "fix-swapped-arguments": """
def build_self_attention(d_model, num_heads):
    assert d_model % num_heads == 0
    return keras.layers.MultiHeadAttention(
        key_dim=d_model // num_heads, num_heads=num_heads, value_dim=d_model // num_heads, name="attention"
    )
""",
            "fix-head-scaling": """
def head_weights(query, key, num_heads):
    def heads(x):
        x = ops.convert_to_tensor(x)
        x = ops.reshape(x, (x.shape[0], x.shape[1], num_heads, x.shape[2] // num_heads))
        return ops.transpose(x, (0, 2, 1, 3))

    q, k = heads(query), heads(key)
    q = q / ops.sqrt(ops.cast(q.shape[-1], q.dtype))
    return keras.activations.softmax(ops.matmul(q, ops.transpose(k, (0, 1, 3, 2))))
""",
            "fix-shifted-target": """
def make_pairs(target_ids):
    ids = ops.cast(ops.convert_to_tensor(target_ids), "int32")
    return ids[:, : ids.shape[1] - 1], ids[:, 1:]
""",
        },
    ),
    Alternative(
        "tensorflow",
        "in tf.*",
        {
            "fix-inverted-mask": """
import tensorflow as tf


def causal_self_attention(layer, x):
    x = tf.cast(x, tf.float32)
    n = tf.shape(x)[1]
    return layer(x, x, attention_mask=tf.linalg.band_part(tf.ones((1, n, n), dtype=tf.bool), -1, 0))
""",
            "fix-dropped-feed-forward": """
import tensorflow as tf


def connect_block(x, attend, feed_forward, norm_1, norm_2):
    x = tf.cast(x, tf.float32)
    h = x + tf.cast(attend(norm_1(x)), tf.float32)
    return h + tf.cast(feed_forward(norm_2(h)), tf.float32)
""",
            "detect-dropped-feed-forward": """
import tensorflow as tf


def detect_dropped_feed_forward(block):
    x = tf.random.stateless_normal((3, 6, 8), seed=(1, 2))
    answers = tf.random.stateless_normal((2, 3, 6, 8), seed=(3, 4))
    first, second = (tf.cast(block(x.numpy(), lambda h, a=a: a), tf.float32) for a in tf.unstack(answers))
    return tf.reduce_min(tf.reduce_max(tf.abs(first - second), axis=-1)) < 1e-5
""",
            "fix-head-scaling": """
import tensorflow as tf


def head_weights(query, key, num_heads):
    q = tf.stack(tf.split(tf.cast(query, tf.float32), num_heads, axis=-1), axis=1)
    k = tf.stack(tf.split(tf.cast(key, tf.float32), num_heads, axis=-1), axis=1)
    return tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / tf.sqrt(tf.cast(tf.shape(k)[-1], tf.float32)))
""",
            "fix-shifted-target": """
import tensorflow as tf


def make_pairs(target_ids):
    ids = tf.convert_to_tensor(target_ids)
    return ids[:, :-1], tf.roll(ids, shift=-1, axis=1)[:, :-1]
""",
            "detect-shifted-target": """
import tensorflow as tf


def detect_shifted_target(make):
    ids = tf.reshape(tf.range(4, 44), (4, 10)).numpy()
    ids[:, 0] = 1
    ids[1, 6:] = ids[2, 4:] = 0
    read, asked = make(ids)
    wrong = tf.logical_or(tf.not_equal(read, ids[:, :-1]), tf.not_equal(asked, ids[:, 1:]))
    return tf.reduce_any(wrong)
""",
        },
        backends=("tensorflow",),
    ),
    Alternative(
        "prefix-by-prefix",
        "no mask at all: each position attends over the inputs up to it; loops and lists",
        {
            "fix-inverted-mask": """
def causal_self_attention(layer, x):
    rows = [layer(x[:, i : i + 1], x[:, : i + 1]) for i in range(x.shape[1])]
    return ops.concatenate(rows, axis=1)
""",
            "detect-inverted-mask": """
def detect_inverted_mask(attend):
    # the outputs of a causal layer don't change when the sequence goes on
    x = np.random.default_rng(21).normal(size=(1, 10, 8)).astype("float32")
    whole = to_numpy(attend(x))
    for length in range(2, 10):
        part = to_numpy(attend(x[:, :length]))
        if np.abs(part - whole[:, :length]).max() > 1e-4:
            return True
    return False
""",
            "fix-shifted-target": """
def make_pairs(target_ids):
    rows = [[int(i) for i in row] for row in target_ids]
    return [row[:-1] for row in rows], [row[1:] for row in rows]
""",
            "detect-shifted-target": """
def detect_shifted_target(make):
    rows = [[1, 11, 12, 13, 14, 15, 2], [1, 21, 22, 2, 0, 0, 0], [1, 31, 32, 33, 34, 2, 0], [1, 41, 42, 43, 44, 45, 2]]
    inputs, labels = make(np.array(rows))
    for row, read, asked in zip(rows, to_numpy(inputs).tolist(), to_numpy(labels).tolist()):
        for position in range(len(row) - 1):
            if read[position] != row[position] or asked[position] != row[position + 1]:
                return True
    return False
""",
            "fix-head-scaling": """
def head_weights(query, key, num_heads):
    width = query.shape[-1] // num_heads
    heads = []
    for head in range(num_heads):
        part = slice(head * width, head * width + width)
        q, k = ops.convert_to_tensor(query[..., part]), ops.convert_to_tensor(key[..., part])
        heads.append(ops.softmax(ops.einsum("bqd,bkd->bqk", q, k) * width**-0.5))
    return ops.stack(heads, axis=1)
""",
            "detect-swapped-arguments": """
def detect_swapped_arguments(build):
    wrong = []
    for num_heads, width in [(2, 7), (7, 2), (3, 5), (5, 3), (1, 6), (6, 1)]:
        output, weights = build(num_heads * width, num_heads)(np.ones((2, 4, num_heads * width), dtype="float32"))
        wrong.append(tuple(weights.shape) != (2, num_heads, 4, 4))
    return max(wrong)
""",
        },
    ),
    Alternative(
        "checks-by-own-repairs",
        "checks that compare with the repaired functions, in tensors",
        {
            "detect-head-scaling": """
def detect_head_scaling(weigh):
    rng = np.random.default_rng(31)
    for num_heads, width in ((2, 7), (4, 3), (3, 6)):
        query = rng.normal(size=(2, 5, num_heads * width)).astype("float32")
        key = rng.normal(size=(2, 8, num_heads * width)).astype("float32")
        same = ops.isclose(weigh(query, key, num_heads), head_weights(query, key, num_heads), rtol=1e-3, atol=1e-4)
        if not to_numpy(ops.all(same)):
            return True
    return False
""",
            "detect-shifted-target": """
def detect_shifted_target(make):
    ids = np.random.default_rng(32).permutation(np.arange(4, 84)).reshape(8, 10)
    ids[2:5, 6:] = 0
    return not all(np.array_equal(to_numpy(a), to_numpy(b)) for a, b in zip(make(ids), make_pairs(ids)))
""",
            "detect-swapped-arguments": """
def detect_swapped_arguments(build):
    found = False
    for sizes in ((15, 3), (15, 5)):
        x = np.random.default_rng(33).normal(size=(1, 4, 15)).astype("float32")
        mine = build_self_attention(*sizes)(x, x, return_attention_scores=True)[1]
        found = found or tuple(build(*sizes)(x)[1].shape) != tuple(mine.shape)
    return found
""",
            "detect-dropped-feed-forward": """
def detect_dropped_feed_forward(block):
    rng = np.random.default_rng(34)
    x = rng.normal(size=(2, 9, 4))
    weights = rng.normal(size=(2, 4, 4))
    ys = [ops.cast(block(x, lambda h, w=w: ops.tanh(ops.matmul(h, w))), "float32") for w in weights]
    return ops.any(ops.max(ops.abs(ys[0] - ys[1]), axis=-1) < 2e-5)
""",
        },
    ),
    Alternative(
        "many-tries",
        "checks that try many random inputs in one batch",
        {
            "detect-inverted-mask": """
def detect_inverted_mask(attend):
    rng = np.random.default_rng(41)
    length, dim = 6, 4
    x = np.repeat(rng.normal(size=(1, length, dim)), length, axis=0)
    for j in range(1, length):
        x[j, j] = rng.normal(size=dim)
    y = to_numpy(attend(x))
    return bool(max(np.abs(y[j, :j] - y[0, :j]).max() for j in range(1, length)) > 1e-5)
""",
            "detect-dropped-feed-forward": """
def detect_dropped_feed_forward(block):
    rng = np.random.default_rng(42)
    moved = 0.0
    x = rng.normal(size=(3, 4, 5))
    outputs = [to_numpy(block(x, lambda h: rng.uniform(-3, 3, size=h.shape))) for _ in range(5)]
    return bool(np.ptp(np.stack(outputs), axis=0).max(axis=-1).min() < 1e-3)
""",
            "detect-head-scaling": """
def detect_head_scaling(weigh):
    # estimate each head's divisor from the logarithms of its weights
    rng = np.random.default_rng(43)
    for num_heads, width in ((2, 3), (5, 2), (3, 7)):
        q, k = rng.normal(size=(2, 1, 8, num_heads, width))
        w = np.log(to_numpy(weigh(q.reshape(1, 8, -1), k.reshape(1, 8, -1), num_heads)).astype("float64"))
        for head in range(num_heads):
            scores = q[0, :, head] @ k[0, :, head].T
            centred = scores - scores.mean(axis=1, keepdims=True)
            logs = w[0, head] - w[0, head].mean(axis=1, keepdims=True)
            divisor = (centred**2).sum() / (centred * logs).sum()
            if abs(divisor / width**0.5 - 1) > 1e-2:
                return True
    return False
""",
        },
    ),
    Alternative(
        "classes-and-closures",
        "checks written with classes and nested functions",
        {
            "detect-inverted-mask": """
class Influence:
    def __init__(self, attend, length=7, dim=5):
        self.attend, self.rng = attend, np.random.default_rng(51)
        self.x = self.rng.normal(size=(1, length, dim))
        self.y = self.of(self.x)

    def of(self, x):
        return np.array(to_numpy(self.attend(x)), dtype="float64")

    def row(self, j):
        x = np.array(self.x)
        x[0, j] += self.rng.normal(size=x.shape[-1])
        return np.abs(self.of(x) - self.y)[0].max(axis=-1)

    def matrix(self):
        return np.stack([self.row(j) for j in range(self.x.shape[1])], axis=1)


def detect_inverted_mask(attend):
    return float(np.triu(Influence(attend).matrix(), k=1).max() > 3e-5)
""",
            "detect-head-scaling": """
def detect_head_scaling(weigh):
    def logistic(z):
        return 1 / (1 + np.exp(-z))

    # two keys, one of them zero: a weight is the logistic function of a scaled score
    num_heads, width = 4, 6
    query = np.ones((1, 1, num_heads * width), dtype="float32")
    key = np.stack([query[:, 0], 0 * query[:, 0]], axis=1)
    weights = to_numpy(weigh(query, key, num_heads))
    return not np.allclose(weights[0, :, 0, 0], logistic(width / np.sqrt(width)), atol=1e-3)
""",
            "detect-swapped-arguments": """
def detect_swapped_arguments(build):
    def is_wrong(num_heads, width):
        attend = build(d_model=num_heads * width, num_heads=num_heads)
        _, weights = attend(np.zeros((3, 5, num_heads * width)))
        return len(to_numpy(weights)[0]) != num_heads

    return is_wrong(2, 3) or is_wrong(3, 2)
""",
        },
    ),
    Alternative(
        "boolean-masks-and-subclass",
        "a mask by arange in NumPy, a subclass of Keras's layer, fourth roots, one array of two",
        {
            "fix-inverted-mask": """
def causal_self_attention(layer, x):
    i = np.arange(x.shape[1])
    allowed = np.broadcast_to(i[:, None] >= i, (x.shape[0], x.shape[1], x.shape[1]))
    return layer(x, value=x, attention_mask=allowed)
""",
            "fix-dropped-feed-forward": """
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    for sublayer, norm in ((attend, norm_1), (feed_forward, norm_2)):
        x = x + to_numpy(sublayer(norm(x)))
    return x
""",
            "fix-swapped-arguments": """
class SelfAttention(keras.layers.MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(num_heads, d_model // num_heads)


def build_self_attention(d_model, num_heads):
    return SelfAttention(d_model, num_heads)
""",
            "fix-head-scaling": """
def head_weights(query, key, num_heads):
    root = (query.shape[-1] // num_heads) ** 0.25
    q, k = (
        ops.stack(ops.split(ops.convert_to_tensor(x) / root, num_heads, axis=-1), axis=1) for x in (query, key)
    )
    return ops.exp(ops.log_softmax(ops.matmul(q, ops.swapaxes(k, -1, -2)), axis=-1))
""",
            "fix-shifted-target": """
def make_pairs(target_ids):
    windows = np.lib.stride_tricks.sliding_window_view(np.asarray(target_ids), 2, axis=1)
    return np.moveaxis(windows, -1, 0)
""",
        },
    ),
    Alternative(
        "taint-and-defaults",
        "checks with NaN as the answer, NumPy's default tolerance, unseeded inputs, votes, the largest sizes",
        {
            "detect-inverted-mask": """
def detect_inverted_mask(attend):
    np.random.seed(0)
    x1 = np.random.randn(1, 10, 16)
    for t in range(1, 10):
        x2 = x1.copy()
        x2[:, t:, :] = np.random.randn(1, 10 - t, 16)
        y1, y2 = to_numpy(attend(x1)), to_numpy(attend(x2))
        if not np.allclose(y1[:, :t], y2[:, :t]):
            return True
    return False
""",
            "detect-dropped-feed-forward": """
def detect_dropped_feed_forward(block):
    # what the answer reaches turns into NaN
    x = np.random.default_rng(0).normal(size=(3, 6, 8))
    y = np.asarray(to_numpy(block(x, lambda h: np.full(h.shape, np.nan))))
    return bool((~np.isnan(y).any(axis=-1)).any())
""",
            "detect-swapped-arguments": """
def detect_swapped_arguments(build):
    sizes = [(64, num_heads) for num_heads in (1, 2, 4, 16, 32, 64)]
    return any(build(d_model, n)(np.ones((1, 1, d_model)))[1].shape[1] != n for d_model, n in sizes)
""",
            "detect-head-scaling": """
def detect_head_scaling(weigh):
    # one query and a key that meet in one feature of each head, and a key of zeros
    for num_heads, width in ((2, 6), (7, 3)):
        query, keys = np.zeros((1, 1, num_heads * width)), np.zeros((1, 2, num_heads * width))
        query[0, 0, ::width] = keys[0, 0, ::width] = 1.0
        weights = np.array(to_numpy(weigh(query, keys, num_heads)), dtype="float64")[0, :, 0]
        divisor = 1.0 / (np.log(weights[:, 0]) - np.log(weights[:, 1]))
        if not np.allclose(divisor, np.sqrt(width), rtol=1e-3):
            return True
    return False
""",
            "detect-shifted-target": """
def detect_shifted_target(make):
    ids = np.array([[1, 101, 102, 103, 104, 2], [1, 201, 202, 2, 0, 0]])
    try:
        read, asked = make(ids)
        np.testing.assert_array_equal(to_numpy(read), ids[:, :-1])
        np.testing.assert_array_equal(to_numpy(asked), ids[:, 1:])
    except AssertionError:
        return True
    return False
""",
            "fix-shifted-target": """
import collections

Pair = collections.namedtuple("Pair", "decoder_input labels")


def make_pairs(target_ids):
    return Pair(np.delete(target_ids, -1, axis=1), np.delete(target_ids, 0, axis=1))
""",
        },
    ),
)
