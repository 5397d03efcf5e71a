# %% [markdown]
# keras.ops: logsumexp, a boolean mask as weights of a mean, the ids as tensors


# %% task="warmup-schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        super().__init__()
        self.d_model = d_model
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        n = ops.cast(ops.convert_to_tensor(step), "float32") + 1
        first, second = ops.power(n, -0.5), n * ops.power(float(self.warmup_steps), -1.5)
        return ops.power(float(self.d_model), -0.5) * ops.min(ops.stack([first, second]))


# %% task="teacher-forcing"
def teacher_forcing_pairs(target_ids):
    target_ids = ops.convert_to_tensor(target_ids)
    return ops.split(target_ids, [target_ids.shape[1] - 1], axis=1)[0], ops.split(target_ids, [1], axis=1)[1]


# %% task="masked-loss"
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    logits = ops.cast(logits, "float32")
    whole = ops.logsumexp(logits, axis=-1)
    hard = whole - ops.sum(logits * ops.one_hot(labels, logits.shape[-1]), axis=-1)
    soft = whole - ops.mean(logits, axis=-1)
    losses = hard + label_smoothing * (soft - hard)
    weights = ops.cast(ops.logical_not(ops.equal(labels, pad_id)), "float32")
    return ops.sum(losses * weights) / (ops.sum(weights) + 1e-9)


# %% task="masked-accuracy"
def masked_accuracy(labels, logits, pad_id=0):
    labels = ops.cast(labels, "int32")
    weights = ops.cast(ops.not_equal(labels, pad_id), "float32")
    best = ops.cast(ops.top_k(logits, 1)[1][..., 0], "int32")
    return ops.sum(ops.cast(best == labels, "float32") * weights) / (ops.sum(weights) + 1e-9)


# %% task="greedy-decode"
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
