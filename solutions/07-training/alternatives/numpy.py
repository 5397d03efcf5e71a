# %% [markdown]
# plain NumPy wherever Keras doesn't need tensors (a schedule is compiled by `fit`): log-sum-exp by hand, boolean
# indexing, lists of ids


# %% task="warmup-schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        super().__init__()
        self.factor = 1 / np.sqrt(d_model)
        self.slope = 1 / warmup_steps / np.sqrt(warmup_steps)

    def __call__(self, step):
        n = ops.cast(step, "float32") + 1
        return self.factor * ops.minimum(1 / ops.sqrt(n), n * self.slope)


# %% task="teacher-forcing"
def teacher_forcing_pairs(target_ids):
    ids = np.array(target_ids)
    return np.delete(ids, -1, axis=1), np.delete(ids, 0, axis=1)


# %% task="masked-loss"
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


# %% task="masked-accuracy"
def masked_accuracy(labels, logits, pad_id=0):
    labels = np.asarray(labels)
    kept = labels != pad_id
    if kept.sum() == 0:
        return 0.0
    return float((np.argmax(logits, axis=-1) == labels)[kept].mean())


# %% task="greedy-decode"
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    rows = [[bos_id] for _ in source_ids]
    while len(rows[0]) < max_len and not all(eos_id in row[1:] for row in rows):
        best = to_numpy(model([source_ids, np.array(rows)]))[:, -1].argmax(-1)
        for row, token in zip(rows, best):
            row.append(0 if eos_id in row[1:] else int(token))
    return np.array(rows)
