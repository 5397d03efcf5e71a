# %% [markdown]
# a fixed share of each sequence, as BERT's own code selects; whole-vocabulary noise; argpartition; preallocated
# caches


# %% task="mask-tokens"
def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    token_ids = np.asarray(token_ids)
    selected = np.zeros(token_ids.shape, dtype=bool)
    for row, ids in enumerate(token_ids):
        places = np.flatnonzero(ids)
        count = int(np.floor(rate * len(places) + rng.random()))
        selected[row, rng.permutation(places)[:count]] = True
    choice = rng.choice(["mask", "random", "same"], size=token_ids.shape, p=[0.8, 0.1, 0.1])
    inputs = np.where(selected & (choice == "mask"), mask_id, token_ids)
    noise = rng.integers(0, vocab_size, size=token_ids.shape)
    inputs = np.where(selected & (choice == "random"), noise, inputs)
    return inputs, token_ids.copy(), selected.astype("float32")


# %% task="pooling"
def masked_mean_pooling(x, token_ids, pad_id=0):
    hidden = np.broadcast_to((np.asarray(token_ids) == pad_id)[..., None], np.shape(x))
    return np.ma.masked_array(np.asarray(x), hidden).mean(axis=1).filled(0.0)


# %% task="sampling"
def sample(logits, rng, temperature=1.0, top_k=0, top_p=1.0):
    logits = np.array(logits, dtype=float)
    batch, size = logits.shape
    if temperature < 1e-6:
        return np.argmax(logits, axis=1)
    logits /= temperature
    if top_k and top_k < size:
        out = np.argpartition(-logits, top_k - 1, axis=1)[:, top_k:]
        np.put_along_axis(logits, out, -np.inf, axis=1)
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    if top_p:
        heavier = (p[:, None, :] > p[:, :, None]) * p[:, None, :]
        p = np.where(heavier.sum(axis=2) < top_p, p, 0)
        p /= p.sum(axis=1, keepdims=True)
    return np.array([rng.multinomial(1, row).argmax() for row in p])


# %% task="kv-cache"
def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    batch, _, d_model = np.shape(x)
    past = 0 if cache is None else cache[0].shape[2]
    both = np.empty((2, batch, num_heads, past + 1, d_model // num_heads), dtype=np.result_type(x, w_key))
    for new, w, old in zip(both, (w_key, w_value), (None, None) if cache is None else cache):
        if past:
            new[:, :, :-1] = old
        new[:, :, -1] = (x[:, 0] @ w).reshape(batch, num_heads, -1)
    query = (x[:, 0] @ w_query).reshape(batch, num_heads, 1, -1)
    scores = (query * both[0]).sum(-1) / np.sqrt(d_model // num_heads)
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    attended = (scores[..., None] * both[1]).sum(2) / scores.sum(-1)[..., None]
    return attended.reshape(batch, 1, d_model) @ w_output, tuple(both)
