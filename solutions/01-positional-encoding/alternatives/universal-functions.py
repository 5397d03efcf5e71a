# %% [markdown]
# np.frompyfunc, which leaves Python's numbers in arrays of objects


# %% task="angle-rates"
def angle_rates(dim, base=10000.0):
    if dim <= 0 or dim % 2:
        raise ValueError(f"dim must be even and positive. Received: dim={dim}")
    return np.frompyfunc(lambda i: base ** (-2 * i / dim), 1, 1)(np.arange(dim // 2))


# %% task="sinusoidal-table"
def positional_encoding(max_len, dim, base=10000.0):
    import math

    angles = np.multiply.outer(np.arange(max_len), angle_rates(dim, base))
    table = np.empty((max_len, dim), dtype=object)
    table[:, 0::2], table[:, 1::2] = np.frompyfunc(math.sin, 1, 1)(angles), np.frompyfunc(math.cos, 1, 1)(angles)
    return table
