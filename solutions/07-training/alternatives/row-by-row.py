# %% [markdown]
# one row after the other, with `predict`; the loss as a loop; the schedule from its two halves


# %% task="warmup-schedule"
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


# %% task="teacher-forcing"
def teacher_forcing_pairs(target_ids):
    rows = np.asarray(target_ids).tolist()
    return [row[:-1] for row in rows], [row[1:] for row in rows]


# %% task="masked-loss"
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


# %% task="masked-accuracy"
def masked_accuracy(labels, logits, pad_id=0):
    words = [(l, z) for row, rows in zip(to_numpy(labels), to_numpy(logits)) for l, z in zip(row, rows) if l != pad_id]
    return sum(int(np.argmax(z)) == l for l, z in words) / max(len(words), 1)


# %% task="greedy-decode"
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    result = np.zeros((len(source_ids), max_len), dtype=int)
    for row in range(len(source_ids)):
        ids = [bos_id]
        while len(ids) < max_len and not (len(ids) > 1 and ids[-1] == eos_id):
            logits = model.predict([source_ids[row : row + 1], np.array([ids])], verbose=0)
            ids.append(int(np.argmax(logits[0, -1])))
        result[row, : len(ids)] = ids
    return result
