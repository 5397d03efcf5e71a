# %% [markdown]
# one statement a step in keras.ops, decoding in NumPy


# %% task="teacher-forcing"
def teacher_forcing_pairs(target_ids):
    return target_ids[:, :-1], target_ids[:, 1:]


# %% task="masked-loss"
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    log_p = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
    of_label = ops.take_along_axis(log_p, labels[..., None], axis=-1)[..., 0]
    kept = ops.cast(labels != pad_id, "float32")

    losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)


# %% task="masked-accuracy"
def masked_accuracy(labels, logits, pad_id=0):
    labels = ops.cast(labels, "int32")
    right = ops.cast(ops.cast(ops.argmax(logits, axis=-1), "int32") == labels, "float32")
    kept = ops.cast(labels != pad_id, "float32")
    return ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)


# %% task="greedy-decode"
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids = np.full((len(source_ids), 1), bos_id)
    ended = np.zeros(len(source_ids), dtype=bool)
    while ids.shape[1] < max_len and not ended.all():
        logits = to_numpy(model([source_ids, ids]))
        following = logits[:, -1].argmax(axis=-1)
        following = np.where(ended, 0, following)
        ids = np.concatenate([ids, following[:, None]], axis=1)
        ended |= following == eos_id
    return ids
