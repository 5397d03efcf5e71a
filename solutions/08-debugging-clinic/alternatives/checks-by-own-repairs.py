# %% [markdown]
# checks that compare with the repaired functions, in tensors


# %% task="detect-dropped-feed-forward"
def detect_dropped_feed_forward(block):
    rng = np.random.default_rng(34)
    x = rng.normal(size=(2, 9, 4))
    weights = rng.normal(size=(2, 4, 4))
    ys = [ops.cast(block(x, lambda h, w=w: ops.tanh(ops.matmul(h, w))), "float32") for w in weights]
    return ops.any(ops.max(ops.abs(ys[0] - ys[1]), axis=-1) < 2e-5)


# %% task="detect-swapped-arguments"
def detect_swapped_arguments(build):
    found = False
    for sizes in ((15, 3), (15, 5)):
        x = np.random.default_rng(33).normal(size=(1, 4, 15)).astype("float32")
        mine = build_self_attention(*sizes)(x, x, return_attention_scores=True)[1]
        found = found or tuple(build(*sizes)(x)[1].shape) != tuple(mine.shape)
    return found


# %% task="detect-head-scaling"
def detect_head_scaling(weigh):
    rng = np.random.default_rng(31)
    for num_heads, width in ((2, 7), (4, 3), (3, 6)):
        query = rng.normal(size=(2, 5, num_heads * width)).astype("float32")
        key = rng.normal(size=(2, 8, num_heads * width)).astype("float32")
        same = ops.isclose(weigh(query, key, num_heads), head_weights(query, key, num_heads), rtol=1e-3, atol=1e-4)
        if not to_numpy(ops.all(same)):
            return True
    return False


# %% task="detect-shifted-target"
def detect_shifted_target(make):
    ids = np.random.default_rng(32).permutation(np.arange(4, 84)).reshape(8, 10)
    ids[2:5, 6:] = 0
    return not all(np.array_equal(to_numpy(a), to_numpy(b)) for a, b in zip(make(ids), make_pairs(ids)))
