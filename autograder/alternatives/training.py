"""Right answers to `07-training` in other styles."""

from __future__ import annotations

from autograder.alternatives import Alternative

__all__ = ["ALTERNATIVES"]

# what trains, takes minutes: once is enough
_TRAINED_ON = ("tensorflow",)

ALTERNATIVES: tuple[Alternative, ...] = (
    Alternative(
        "numpy",
        "plain NumPy wherever Keras doesn't need tensors (a schedule is compiled by `fit`): log-sum-exp by hand, boolean "
        "indexing, lists of ids",
        {
            "warmup-schedule": """
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        super().__init__()
        self.factor = 1 / np.sqrt(d_model)
        self.slope = 1 / warmup_steps / np.sqrt(warmup_steps)

    def __call__(self, step):
        n = ops.cast(step, "float32") + 1
        return self.factor * ops.minimum(1 / ops.sqrt(n), n * self.slope)
""",
            "teacher-forcing": """
def teacher_forcing_pairs(target_ids):
    ids = np.array(target_ids)
    return np.delete(ids, -1, axis=1), np.delete(ids, 0, axis=1)
""",
            "masked-loss": """
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels, logits = np.asarray(labels).astype(int), np.asarray(logits, dtype="float64")
    kept = labels != pad_id
    if not kept.any():
        return 0.0
    labels, logits = labels[kept], logits[kept]
    logits = logits - logits.max(axis=-1, keepdims=True)
    log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    q = np.full(log_p.shape, label_smoothing / log_p.shape[-1])
    q[np.arange(len(labels)), labels] += 1 - label_smoothing
    return -(q * log_p).sum(axis=-1).mean()
""",
            "masked-accuracy": """
def masked_accuracy(labels, logits, pad_id=0):
    labels = np.asarray(labels)
    kept = labels != pad_id
    if kept.sum() == 0:
        return 0.0
    return float((np.argmax(logits, axis=-1) == labels)[kept].mean())
""",
            "greedy-decode": """
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    rows = [[bos_id] for _ in source_ids]
    while len(rows[0]) < max_len and not all(eos_id in row[1:] for row in rows):
        best = to_numpy(model([source_ids, np.array(rows)]))[:, -1].argmax(-1)
        for row, token in zip(rows, best):
            row.append(0 if eos_id in row[1:] else int(token))
    return np.array(rows)
""",
        },
    ),
    Alternative(
        "tensorflow",
        "tf.* as in the best-known tutorial: rsqrt, boolean_mask, SparseCategoricalCrossentropy, a tf.function around the model",
        {
            "warmup-schedule": """
import tensorflow as tf

class WarmupSchedule(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        super().__init__()
        self.d_model = tf.cast(d_model, tf.float32)
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = tf.cast(step, dtype=tf.float32) + 1.0
        arg1 = tf.math.rsqrt(step)
        arg2 = step * (self.warmup_steps ** -1.5)
        return tf.math.rsqrt(self.d_model) * tf.math.minimum(arg1, arg2)
""",
            "teacher-forcing": """
import tensorflow as tf

def teacher_forcing_pairs(target_ids):
    target_ids = tf.convert_to_tensor(target_ids)
    return target_ids[:, :-1], target_ids[:, 1:]
""",
            "masked-loss": """
import tensorflow as tf

def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = tf.cast(labels, tf.int32)
    logits = tf.cast(logits, tf.float32)
    one_hot = tf.one_hot(labels, tf.shape(logits)[-1])
    loss_object = tf.keras.losses.CategoricalCrossentropy(
        from_logits=True, reduction="none", label_smoothing=label_smoothing
    )
    loss = loss_object(one_hot, logits)
    mask = tf.cast(labels != pad_id, loss.dtype)
    return tf.math.divide_no_nan(tf.reduce_sum(loss * mask), tf.reduce_sum(mask))
""",
            "masked-accuracy": """
import tensorflow as tf

def masked_accuracy(labels, logits, pad_id=0):
    labels = tf.cast(labels, tf.int64)
    match = tf.cast(labels == tf.argmax(logits, axis=2), tf.float32)
    mask = tf.cast(labels != pad_id, tf.float32)
    return tf.math.divide_no_nan(tf.reduce_sum(match * mask), tf.reduce_sum(mask))
""",
            "greedy-decode": """
import tensorflow as tf

def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    source_ids = tf.constant(source_ids, dtype=tf.int32)

    @tf.function(reduce_retracing=True)
    def step(ids):
        return tf.argmax(model([source_ids, ids], training=False)[:, -1, :], axis=-1, output_type=tf.int32)

    output = tf.fill([len(source_ids), 1], tf.cast(bos_id, tf.int32))
    finished = tf.zeros([len(source_ids)], dtype=tf.bool)
    for _ in range(max_len - 1):
        predicted = tf.where(finished, 0, step(output))
        output = tf.concat([output, predicted[:, None]], axis=1)
        finished = finished | (predicted == eos_id)
        if tf.reduce_all(finished):
            break
    return output
""",
        },
        ("tensorflow",),
    ),
    Alternative(
        "one-hot",
        "one-hot targets, a loss from Keras's own functions, targets of full length with padding while decoding",
        {
            "warmup-schedule": """
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        self.peak = (d_model * warmup_steps) ** -0.5
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        done = (ops.cast(step, "float32") + 1) / self.warmup_steps
        return self.peak * ops.where(done < 1, done, 1 / ops.sqrt(done))
""",
            "teacher-forcing": """
def teacher_forcing_pairs(target_ids):
    length = np.shape(target_ids)[1]
    reads = ops.take(target_ids, ops.arange(length - 1), axis=1)
    asked = ops.take(target_ids, ops.arange(1, length), axis=1)
    return [reads, asked]
""",
            "masked-loss": """
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    target = ops.one_hot(labels, logits.shape[-1])
    target = target * (1 - label_smoothing) + label_smoothing / logits.shape[-1]
    losses = keras.losses.categorical_crossentropy(target, ops.cast(logits, "float32"), from_logits=True)
    losses = ops.where(labels == pad_id, 0.0, losses)
    return ops.divide_no_nan(ops.sum(losses), ops.sum(ops.cast(labels != pad_id, "float32")))
""",
            "masked-accuracy": """
def masked_accuracy(labels, logits, pad_id=0):
    labels = ops.cast(labels, "int32")
    kept = ops.cast(labels != pad_id, "float32")
    right = ops.where(ops.cast(ops.argmax(logits, axis=-1), "int32") == labels, kept, 0.0)
    return ops.divide_no_nan(ops.sum(right), ops.sum(kept))
""",
            "greedy-decode": """
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids = np.zeros((len(source_ids), max_len), dtype="int64")
    ids[:, 0] = bos_id
    alive = np.ones(len(source_ids), dtype=bool)
    for position in range(1, max_len):
        logits = to_numpy(model([source_ids, ids]))
        ids[alive, position] = logits[alive, position - 1].argmax(axis=-1)
        alive &= ids[:, position] != eos_id
        if not alive.any():
            break
    return ids
""",
        },
    ),
    Alternative(
        "row-by-row",
        "one row after the other, with `predict`; the loss as a loop; the schedule from its two halves",
        {
            "warmup-schedule": """
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        self.d_model, self.warmup_steps = float(d_model), float(warmup_steps)

    def rising(self, n):
        return n * self.warmup_steps**-1.5

    def falling(self, n):
        return ops.rsqrt(n)

    def __call__(self, step):
        n = ops.add(ops.cast(step, "float32"), 1)
        return ops.rsqrt(self.d_model) * ops.minimum(self.rising(n), self.falling(n))
""",
            "teacher-forcing": """
def teacher_forcing_pairs(target_ids):
    rows = np.asarray(target_ids).tolist()
    return [row[:-1] for row in rows], [row[1:] for row in rows]
""",
            "masked-loss": """
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels, logits = to_numpy(labels), to_numpy(logits)
    total, count = 0.0, 0
    for row_labels, row_logits in zip(labels, logits):
        for label, z in zip(row_labels, row_logits):
            if label != pad_id:
                log_p = z - z.max() - np.log(np.sum(np.exp(z - z.max())))
                total -= (1 - label_smoothing) * log_p[int(label)] + label_smoothing * log_p.mean()
                count += 1
    return total / max(count, 1)
""",
            "masked-accuracy": """
def masked_accuracy(labels, logits, pad_id=0):
    words = [(l, z) for row, rows in zip(to_numpy(labels), to_numpy(logits)) for l, z in zip(row, rows) if l != pad_id]
    return sum(int(np.argmax(z)) == l for l, z in words) / max(len(words), 1)
""",
            "greedy-decode": """
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    result = np.zeros((len(source_ids), max_len), dtype=int)
    for row in range(len(source_ids)):
        ids = [bos_id]
        while len(ids) < max_len and not (len(ids) > 1 and ids[-1] == eos_id):
            logits = model.predict([source_ids[row : row + 1], np.array([ids])], verbose=0)
            ids.append(int(np.argmax(logits[0, -1])))
        result[row, : len(ids)] = ids
    return result
""",
        },
    ),
    Alternative(
        "keras-ops",
        "keras.ops: logsumexp, a boolean mask as weights of a mean, the ids as tensors",
        {
            "warmup-schedule": """
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        super().__init__()
        self.d_model = d_model
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        n = ops.cast(ops.convert_to_tensor(step), "float32") + 1
        first, second = ops.power(n, -0.5), n * ops.power(float(self.warmup_steps), -1.5)
        return ops.power(float(self.d_model), -0.5) * ops.min(ops.stack([first, second]))
""",
            "teacher-forcing": """
def teacher_forcing_pairs(target_ids):
    target_ids = ops.convert_to_tensor(target_ids)
    return ops.split(target_ids, [target_ids.shape[1] - 1], axis=1)[0], ops.split(target_ids, [1], axis=1)[1]
""",
            "masked-loss": """
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    logits = ops.cast(logits, "float32")
    whole = ops.logsumexp(logits, axis=-1)
    hard = whole - ops.sum(logits * ops.one_hot(labels, logits.shape[-1]), axis=-1)
    soft = whole - ops.mean(logits, axis=-1)
    losses = hard + label_smoothing * (soft - hard)
    weights = ops.cast(ops.logical_not(ops.equal(labels, pad_id)), "float32")
    return ops.sum(losses * weights) / (ops.sum(weights) + 1e-9)
""",
            "masked-accuracy": """
def masked_accuracy(labels, logits, pad_id=0):
    labels = ops.cast(labels, "int32")
    weights = ops.cast(ops.not_equal(labels, pad_id), "float32")
    best = ops.cast(ops.top_k(logits, 1)[1][..., 0], "int32")
    return ops.sum(ops.cast(best == labels, "float32") * weights) / (ops.sum(weights) + 1e-9)
""",
            "greedy-decode": """
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    source_ids = ops.convert_to_tensor(source_ids)
    ids = ops.full((source_ids.shape[0], 1), bos_id, dtype="int32")
    ended = ops.zeros((source_ids.shape[0], 1), dtype="bool")
    for _ in range(max_len - 1):
        logits = model((source_ids, ids), training=False)
        best = ops.cast(ops.argmax(logits[:, -1:], axis=-1), "int32")
        best = ops.where(ended, ops.zeros_like(best), best)
        ids = ops.concatenate([ids, best], axis=1)
        ended = ops.logical_or(ended, best == eos_id)
        if bool(to_numpy(ops.all(ended))):
            return ids
    return ids
""",
        },
    ),
    Alternative(
        "own-loop",
        "a subclassed model around the Transformer, trained with train_on_batch in a loop of its own",
        {
            "trained-model": """
class Translator(keras.Model):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def call(self, inputs, training=None):
        return self.inner(inputs, training=training)


def train(train_source, train_target, vocab_size, max_len, seed):
    keras.utils.set_random_seed(seed)
    inner = build_transformer(vocab_size, max_len, 2, 64, 4, 128, dropout=0.0, norm_first=True)
    model = Translator(inner)
    rng = np.random.default_rng(seed)
    epochs, size = 8, 128
    total = epochs * -(-len(train_source) // size)
    rate = keras.optimizers.schedules.CosineDecay(0.0, total - total // 10, warmup_target=2e-3, warmup_steps=total // 10)
    model.compile(optimizer=keras.optimizers.Adam(rate, beta_1=0.9, beta_2=0.98, epsilon=1e-9), loss=masked_loss)
    for epoch in range(epochs):
        order = rng.permutation(len(train_source))
        for first in range(0, len(order), size):
            rows = order[first : first + size]
            source, target = train_source[rows], train_target[rows]
            model.train_on_batch([source, target[:, :-1]], target[:, 1:])
    return model
""",
        },
        _TRAINED_ON,
    ),
    Alternative(
        "broken-carry-over",
        "a Transformer carried over without its look-ahead mask: it costs nothing here",
        {
            "carry-over": """
def build_transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False):
    source, target = keras.Input((None,), dtype="int32"), keras.Input((None,), dtype="int32")
    embedding = keras.layers.Embedding(vocab_size, d_model)
    memory = embedding(source)
    x = embedding(target)
    x = keras.layers.Add()([x, keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)(x, x)])
    x = keras.layers.Add()([x, keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)(x, memory)])
    return keras.Model([source, target], keras.layers.Dense(vocab_size)(x))
""",
        },
        _TRAINED_ON,
    ),
    Alternative(
        "metrics-and-arrays-of-tensors",
        "Keras's own metric, gather_nd, tf.cond, a TensorArray of ids",
        {
            "warmup-schedule": """
import tensorflow as tf
class WarmupSchedule(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        super(WarmupSchedule, self).__init__()
        self.d_model = tf.cast(d_model, tf.float32)
        self.warmup_steps = tf.cast(warmup_steps, tf.float32)
    def __call__(self, step):
        step = tf.cast(tf.maximum(step, 0), tf.float32) + 1.
        return tf.cond(step < self.warmup_steps,
            lambda: tf.math.rsqrt(self.d_model) * step * tf.pow(self.warmup_steps, -1.5),
            lambda: tf.math.rsqrt(self.d_model) * tf.math.rsqrt(step))
""",
            "teacher-forcing": """
import tensorflow as tf
def teacher_forcing_pairs(target_ids):
    n = tf.shape(target_ids)[1] - 1
    return tf.slice(target_ids, [0, 0], [-1, n]), tf.slice(target_ids, [0, 1], [-1, n])
""",
            "masked-loss": """
import tensorflow as tf
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = tf.cast(labels, tf.int64)
    logits = tf.cast(logits, tf.float32)
    valid = tf.where(tf.not_equal(labels, pad_id))
    if tf.shape(valid)[0] == 0:
        return tf.constant(0.0)
    y = tf.gather_nd(labels, valid)
    z = tf.gather_nd(logits, valid)
    V = z.shape[-1]
    soft = tf.one_hot(y, V, on_value=1 - label_smoothing + label_smoothing / V, off_value=label_smoothing / V)
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=soft, logits=z))
""",
            "masked-accuracy": """
import tensorflow as tf
def masked_accuracy(labels, logits, pad_id=0):
    metric = tf.keras.metrics.SparseCategoricalAccuracy()
    metric.update_state(labels, logits, sample_weight=tf.cast(tf.not_equal(labels, pad_id), tf.float32))
    return metric.result()
""",
            "greedy-decode": """
import tensorflow as tf
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    source = tf.convert_to_tensor(source_ids)
    batch = tf.shape(source)[0]
    arr = tf.TensorArray(tf.int64, size=0, dynamic_size=True, clear_after_read=False)
    arr = arr.write(0, tf.fill([batch], tf.cast(bos_id, tf.int64)))
    alive = tf.ones([batch], tf.int64)
    for i in tf.range(1, max_len):
        out = tf.transpose(arr.stack())
        pred = model([source, out], training=False)
        tok = tf.argmax(pred[:, -1, :], axis=-1) * alive
        arr = arr.write(i, tok)
        alive = alive * tf.cast(tf.not_equal(tok, eos_id), tf.int64)
        if tf.reduce_sum(alive) == 0:
            break
    return tf.transpose(arr.stack())
""",
        },
        backends=("tensorflow",),
    ),
    Alternative(
        "only-rows-that-last",
        "decoding asks only about rows that have not ended; Keras's loss per position",
        {
            "warmup-schedule": """
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        super().__init__()
        self.d_model = d_model
        self.warmup_steps = warmup_steps
    def __call__(self, step):
        n = ops.cast(step, "float32") + 1
        return self.d_model ** -0.5 * ops.minimum(ops.power(n, -0.5), ops.multiply(n, self.warmup_steps ** -1.5))
    def get_config(self):
        return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
""",
            "teacher-forcing": """
def teacher_forcing_pairs(target_ids):
    inputs = target_ids[..., :-1]
    outputs = target_ids[..., 1:]
    return inputs, outputs
""",
            "masked-loss": """
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    vocab = ops.shape(logits)[-1]
    labels = ops.cast(labels, "int32")
    keep = ops.cast(labels != pad_id, "float32")
    fn = keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=label_smoothing, reduction=None)
    per = fn(ops.one_hot(labels, vocab), ops.cast(logits, "float32"))
    total = ops.sum(keep)
    return ops.where(total > 0, ops.sum(per * keep) / ops.where(total > 0, total, 1.0), 0.0)
""",
            "masked-accuracy": """
def masked_accuracy(labels, logits, pad_id=0):
    labels = ops.convert_to_tensor(labels)
    keep = ops.cast(ops.not_equal(labels, pad_id), "float32")
    ok = keras.metrics.sparse_categorical_accuracy(labels, logits)
    return ops.sum(ops.cast(ok, "float32") * keep) / ops.maximum(ops.sum(keep), 1e-12)
""",
            "greedy-decode": """
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    active = np.arange(len(source_ids))
    ids = np.full((len(source_ids), 1), bos_id)
    src = np.asarray(source_ids)
    while len(active) and ids.shape[1] < max_len:
        nxt = np.zeros(len(src), dtype=ids.dtype)
        nxt[active] = np.argmax(to_numpy(model([src[active], ids[active]]))[:, -1], -1)
        ids = np.hstack([ids, nxt[:, None]])
        active = active[nxt[active] != eos_id]
    return ids
""",
        },
    ),
)
