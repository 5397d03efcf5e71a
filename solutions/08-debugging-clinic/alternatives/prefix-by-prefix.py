# %% [markdown]
# no mask at all: each position attends over the inputs up to it; loops and lists


# %% task="fix-inverted-mask"
def causal_self_attention(layer, x):
    rows = [layer(x[:, i : i + 1], x[:, : i + 1]) for i in range(x.shape[1])]
    return ops.concatenate(rows, axis=1)


# %% task="detect-inverted-mask"
def detect_inverted_mask(attend):
    # the outputs of a causal layer don't change when the sequence goes on
    x = np.random.default_rng(21).normal(size=(1, 10, 8)).astype("float32")
    whole = to_numpy(attend(x))
    for length in range(2, 10):
        part = to_numpy(attend(x[:, :length]))
        if np.abs(part - whole[:, :length]).max() > 1e-4:
            return True
    return False


# %% task="detect-swapped-arguments"
def detect_swapped_arguments(build):
    wrong = []
    for num_heads, width in [(2, 7), (7, 2), (3, 5), (5, 3), (1, 6), (6, 1)]:
        output, weights = build(num_heads * width, num_heads)(np.ones((2, 4, num_heads * width), dtype="float32"))
        wrong.append(tuple(weights.shape) != (2, num_heads, 4, 4))
    return max(wrong)


# %% task="fix-head-scaling"
def head_weights(query, key, num_heads):
    width = query.shape[-1] // num_heads
    heads = []
    for head in range(num_heads):
        part = slice(head * width, head * width + width)
        q, k = ops.convert_to_tensor(query[..., part]), ops.convert_to_tensor(key[..., part])
        heads.append(ops.softmax(ops.einsum("bqd,bkd->bqk", q, k) * width**-0.5))
    return ops.stack(heads, axis=1)


# %% task="fix-shifted-target"
def make_pairs(target_ids):
    rows = [[int(i) for i in row] for row in target_ids]
    return [row[:-1] for row in rows], [row[1:] for row in rows]


# %% task="detect-shifted-target"
def detect_shifted_target(make):
    rows = [[1, 11, 12, 13, 14, 15, 2], [1, 21, 22, 2, 0, 0, 0], [1, 31, 32, 33, 34, 2, 0], [1, 41, 42, 43, 44, 45, 2]]
    inputs, labels = make(np.array(rows))
    for row, read, asked in zip(rows, to_numpy(inputs).tolist(), to_numpy(labels).tolist()):
        for position in range(len(row) - 1):
            if read[position] != row[position] or asked[position] != row[position + 1]:
                return True
    return False
