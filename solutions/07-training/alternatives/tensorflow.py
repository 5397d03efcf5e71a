# %% [markdown] backends="tensorflow"
# tf.* as in the best-known tutorial: rsqrt, boolean_mask, SparseCategoricalCrossentropy, a tf.function around the
# model


# %% task="warmup-schedule"
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


# %% task="teacher-forcing"
import tensorflow as tf

def teacher_forcing_pairs(target_ids):
    target_ids = tf.convert_to_tensor(target_ids)
    return target_ids[:, :-1], target_ids[:, 1:]


# %% task="masked-loss"
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


# %% task="masked-accuracy"
import tensorflow as tf

def masked_accuracy(labels, logits, pad_id=0):
    labels = tf.cast(labels, tf.int64)
    match = tf.cast(labels == tf.argmax(logits, axis=2), tf.float32)
    mask = tf.cast(labels != pad_id, tf.float32)
    return tf.math.divide_no_nan(tf.reduce_sum(match * mask), tf.reduce_sum(mask))


# %% task="greedy-decode"
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
