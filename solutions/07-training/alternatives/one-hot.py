# %% [markdown]
# one-hot targets, a loss from Keras's own functions, targets of full length with padding while decoding


# %% task="warmup-schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        self.peak = (d_model * warmup_steps) ** -0.5
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        done = (ops.cast(step, "float32") + 1) / self.warmup_steps
        return self.peak * ops.where(done < 1, done, 1 / ops.sqrt(done))


# %% task="teacher-forcing"
def teacher_forcing_pairs(target_ids):
    length = np.shape(target_ids)[1]
    reads = ops.take(target_ids, ops.arange(length - 1), axis=1)
    asked = ops.take(target_ids, ops.arange(1, length), axis=1)
    return [reads, asked]


# %% task="masked-loss"
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    target = ops.one_hot(labels, logits.shape[-1])
    target = target * (1 - label_smoothing) + label_smoothing / logits.shape[-1]
    losses = keras.losses.categorical_crossentropy(target, ops.cast(logits, "float32"), from_logits=True)
    losses = ops.where(labels == pad_id, 0.0, losses)
    return ops.divide_no_nan(ops.sum(losses), ops.sum(ops.cast(labels != pad_id, "float32")))


# %% task="masked-accuracy"
def masked_accuracy(labels, logits, pad_id=0):
    labels = ops.cast(labels, "int32")
    kept = ops.cast(labels != pad_id, "float32")
    right = ops.where(ops.cast(ops.argmax(logits, axis=-1), "int32") == labels, kept, 0.0)
    return ops.divide_no_nan(ops.sum(right), ops.sum(kept))


# %% task="greedy-decode"
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
