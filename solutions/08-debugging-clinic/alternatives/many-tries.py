# %% [markdown]
# checks that try many random inputs in one batch


# %% task="detect-inverted-mask"
def detect_inverted_mask(attend):
    rng = np.random.default_rng(41)
    length, dim = 6, 4
    x = np.repeat(rng.normal(size=(1, length, dim)), length, axis=0)
    for j in range(1, length):
        x[j, j] = rng.normal(size=dim)
    y = to_numpy(attend(x))
    return bool(max(np.abs(y[j, :j] - y[0, :j]).max() for j in range(1, length)) > 1e-5)


# %% task="detect-dropped-feed-forward"
def detect_dropped_feed_forward(block):
    rng = np.random.default_rng(42)
    moved = 0.0
    x = rng.normal(size=(3, 4, 5))
    outputs = [to_numpy(block(x, lambda h: rng.uniform(-3, 3, size=h.shape))) for _ in range(5)]
    return bool(np.ptp(np.stack(outputs), axis=0).max(axis=-1).min() < 1e-3)


# %% task="detect-head-scaling"
def detect_head_scaling(weigh):
    # estimate each head's divisor from the logarithms of its weights
    rng = np.random.default_rng(43)
    for num_heads, width in ((2, 3), (5, 2), (3, 7)):
        q, k = rng.normal(size=(2, 1, 8, num_heads, width))
        w = np.log(to_numpy(weigh(q.reshape(1, 8, -1), k.reshape(1, 8, -1), num_heads)).astype("float64"))
        for head in range(num_heads):
            scores = q[0, :, head] @ k[0, :, head].T
            centred = scores - scores.mean(axis=1, keepdims=True)
            logs = w[0, head] - w[0, head].mean(axis=1, keepdims=True)
            divisor = (centred**2).sum() / (centred * logs).sum()
            if abs(divisor / width**0.5 - 1) > 1e-2:
                return True
    return False
