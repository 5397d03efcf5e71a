# %% [markdown]
# checks with NaN as the answer, NumPy's default tolerance, unseeded inputs, votes, the largest sizes


# %% task="detect-inverted-mask"
def detect_inverted_mask(attend):
    np.random.seed(0)
    x1 = np.random.randn(1, 10, 16)
    for t in range(1, 10):
        x2 = x1.copy()
        x2[:, t:, :] = np.random.randn(1, 10 - t, 16)
        y1, y2 = to_numpy(attend(x1)), to_numpy(attend(x2))
        if not np.allclose(y1[:, :t], y2[:, :t]):
            return True
    return False


# %% task="detect-dropped-feed-forward"
def detect_dropped_feed_forward(block):
    # what the answer reaches turns into NaN
    x = np.random.default_rng(0).normal(size=(3, 6, 8))
    y = np.asarray(to_numpy(block(x, lambda h: np.full(h.shape, np.nan))))
    return bool((~np.isnan(y).any(axis=-1)).any())


# %% task="detect-swapped-arguments"
def detect_swapped_arguments(build):
    sizes = [(64, num_heads) for num_heads in (1, 2, 4, 16, 32, 64)]
    return any(build(d_model, n)(np.ones((1, 1, d_model)))[1].shape[1] != n for d_model, n in sizes)


# %% task="detect-head-scaling"
def detect_head_scaling(weigh):
    # one query and a key that meet in one feature of each head, and a key of zeros
    for num_heads, width in ((2, 6), (7, 3)):
        query, keys = np.zeros((1, 1, num_heads * width)), np.zeros((1, 2, num_heads * width))
        query[0, 0, ::width] = keys[0, 0, ::width] = 1.0
        weights = np.array(to_numpy(weigh(query, keys, num_heads)), dtype="float64")[0, :, 0]
        divisor = 1.0 / (np.log(weights[:, 0]) - np.log(weights[:, 1]))
        if not np.allclose(divisor, np.sqrt(width), rtol=1e-3):
            return True
    return False


# %% task="fix-shifted-target"
import collections

Pair = collections.namedtuple("Pair", "decoder_input labels")


def make_pairs(target_ids):
    return Pair(np.delete(target_ids, -1, axis=1), np.delete(target_ids, 0, axis=1))


# %% task="detect-shifted-target"
def detect_shifted_target(make):
    ids = np.array([[1, 101, 102, 103, 104, 2], [1, 201, 202, 2, 0, 0]])
    try:
        read, asked = make(ids)
        np.testing.assert_array_equal(to_numpy(read), ids[:, :-1])
        np.testing.assert_array_equal(to_numpy(asked), ids[:, 1:])
    except AssertionError:
        return True
    return False
