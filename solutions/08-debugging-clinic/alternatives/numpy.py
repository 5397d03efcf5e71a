# %% [markdown]
# everything in NumPy, masks as floats


# %% task="fix-inverted-mask"
def causal_self_attention(layer, x):
    n = x.shape[1]
    return to_numpy(layer(x, x, attention_mask=np.tril(np.ones((1, n, n)))))


# %% task="detect-inverted-mask"
def detect_inverted_mask(attend):
    rng = np.random.default_rng(11)
    x = rng.standard_normal((2, 9, 5))
    y = x.copy()
    for cut in range(1, 9):
        y[:, cut:] = rng.standard_normal((2, 9 - cut, 5))
        early = [np.asarray(to_numpy(attend(z)))[:, :cut] for z in (x, y)]
        y = x.copy()
        if not np.allclose(*early, atol=1e-5, rtol=0):
            return np.bool_(True)
    return np.bool_(False)


# %% task="fix-dropped-feed-forward"
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    y = np.array(x, dtype="float64")
    y += np.asarray(to_numpy(attend(norm_1(y))))
    return y + np.asarray(to_numpy(feed_forward(norm_2(y))))


# %% task="detect-dropped-feed-forward"
def detect_dropped_feed_forward(block):
    rng = np.random.default_rng(12)
    x = rng.standard_normal((4, 7, 6)).astype("float32")
    quiet = np.asarray(to_numpy(block(x, np.zeros_like)), dtype="float64")
    loud = np.asarray(to_numpy(block(x, lambda h: rng.standard_normal(h.shape))), dtype="float64")
    return int((np.linalg.norm(quiet - loud, axis=-1) < 1e-4).any())


# %% task="detect-swapped-arguments"
def detect_swapped_arguments(build):
    def heads(d_model, num_heads):
        return np.asarray(to_numpy(build(d_model, num_heads)(np.zeros((1, 2, d_model)))[1])).shape[1]

    return any(heads(n * w, n) != n for n in range(1, 5) for w in range(1, 5))


# %% task="fix-head-scaling"
def head_weights(query, key, num_heads):
    query, key = np.asarray(query), np.asarray(key)
    q, k = (np.stack(np.split(x, num_heads, axis=-1), axis=1) for x in (query, key))
    scores = np.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


# %% task="fix-shifted-target"
def make_pairs(target_ids):
    ids = np.asarray(target_ids)
    return ids[:, :-1].copy(), ids[:, 1:].copy()


# %% task="detect-shifted-target"
def detect_shifted_target(make):
    rng = np.random.default_rng(13)
    ids = np.stack([rng.permutation(np.arange(4, 1000))[:12] for _ in range(6)])
    ids[:, 0] = 1
    ids[::2, 7:] = 0
    ids[::2, 6] = 2
    ids[1::2, -1] = 2
    read, asked = (np.asarray(to_numpy(part)) for part in make(ids))
    return bool((read != ids[:, :-1]).any() or (asked != ids[:, 1:]).any())
