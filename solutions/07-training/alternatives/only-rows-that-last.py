# %% [markdown]
# decoding asks only about rows that have not ended; Keras's loss per position


# %% task="warmup-schedule"
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


# %% task="teacher-forcing"
def teacher_forcing_pairs(target_ids):
    inputs = target_ids[..., :-1]
    outputs = target_ids[..., 1:]
    return inputs, outputs


# %% task="masked-loss"
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    vocab = ops.shape(logits)[-1]
    labels = ops.cast(labels, "int32")
    keep = ops.cast(labels != pad_id, "float32")
    fn = keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=label_smoothing, reduction=None)
    per = fn(ops.one_hot(labels, vocab), ops.cast(logits, "float32"))
    total = ops.sum(keep)
    return ops.where(total > 0, ops.sum(per * keep) / ops.where(total > 0, total, 1.0), 0.0)


# %% task="masked-accuracy"
def masked_accuracy(labels, logits, pad_id=0):
    labels = ops.convert_to_tensor(labels)
    keep = ops.cast(ops.not_equal(labels, pad_id), "float32")
    ok = keras.metrics.sparse_categorical_accuracy(labels, logits)
    return ops.sum(ops.cast(ok, "float32") * keep) / ops.maximum(ops.sum(keep), 1e-12)


# %% task="greedy-decode"
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
