# %% [markdown] backends="tensorflow"
# Keras's own metric, gather_nd, tf.cond, a TensorArray of ids


# %% task="warmup-schedule"
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


# %% task="teacher-forcing"
import tensorflow as tf
def teacher_forcing_pairs(target_ids):
    n = tf.shape(target_ids)[1] - 1
    return tf.slice(target_ids, [0, 0], [-1, n]), tf.slice(target_ids, [0, 1], [-1, n])


# %% task="masked-loss"
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


# %% task="masked-accuracy"
import tensorflow as tf
def masked_accuracy(labels, logits, pad_id=0):
    metric = tf.keras.metrics.SparseCategoricalAccuracy()
    metric.update_state(labels, logits, sample_weight=tf.cast(tf.not_equal(labels, pad_id), tf.float32))
    return metric.result()


# %% task="greedy-decode"
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
