# %% [markdown]
# loops over places and rows, rng.choice, Python lists; a list as cache; -100 as the label of what isn't asked


# %% task="mask-tokens"
def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    inputs = np.array(token_ids)
    labels = np.full(inputs.shape, -100)
    selected = np.zeros(inputs.shape, dtype=bool)
    for i in range(inputs.shape[0]):
        for j in range(inputs.shape[1]):
            if token_ids[i, j] == 0 or rng.random() > rate:
                continue
            selected[i, j] = True
            labels[i, j] = token_ids[i, j]
            u = rng.random()
            if u < 0.8:
                inputs[i, j] = mask_id
            elif u < 0.9:
                inputs[i, j] = rng.integers(vocab_size)
    return inputs, labels, selected


# %% task="pooling"
def masked_mean_pooling(x, token_ids, pad_id=0):
    pooled = []
    for vectors, ids in zip(np.asarray(x), np.asarray(token_ids)):
        kept = [vector for vector, token in zip(vectors, ids) if token != pad_id]
        pooled.append(np.mean(kept, axis=0) if kept else np.zeros(vectors.shape[-1]))
    return pooled


# %% task="sampling"
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    tokens = []
    for row in np.asarray(logits, dtype=np.float64):
        if temperature == 0:
            tokens.append(int(np.argmax(row)))
            continue
        order = np.argsort(row)[::-1]
        if top_k:
            order = order[:top_k]
        p = np.exp((row[order] - row[order[0]]) / temperature)
        p = p / p.sum()
        if top_p is not None and top_p < 1.0:
            count = int(np.searchsorted(np.cumsum(p), top_p)) + 1
            order, p = order[:count], p[:count] / p[:count].sum()
        tokens.append(int(rng.choice(order, p=p)))
    return np.array(tokens)


# %% task="kv-cache"
def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    q, k, v = x[:, 0] @ w_query, x[:, 0] @ w_key, x[:, 0] @ w_value
    batch, d_model = q.shape
    n = d_model // num_heads
    k, v = k.reshape(batch, num_heads, 1, n), v.reshape(batch, num_heads, 1, n)
    cache = [k, v] if cache is None else [np.append(old, new, axis=2) for old, new in zip(cache, (k, v))]
    out = np.zeros((batch, d_model))
    for b in range(batch):
        for h in range(num_heads):
            s = cache[0][b, h] @ q[b, h * n : (h + 1) * n] / n**0.5
            s = np.exp(s - s.max())
            out[b, h * n : (h + 1) * n] = s / s.sum() @ cache[1][b, h]
    return (out @ w_output)[:, None], cache
