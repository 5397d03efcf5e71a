# %% [markdown]
# negative slices with a branch for 0, halves interleaved at the end, a recursion for the shift


# %% task="angle-rates"
def angle_rates(dim, base=10000.0):
    if dim <= 0:
        raise ValueError(f"dim must be positive. Received: dim={dim}.")
    if dim % 2:
        raise ValueError(f"dim must be even. Received: dim={dim}.")
    return np.power(1.0 / base, np.linspace(0, 1, dim // 2, endpoint=False))


# %% task="sinusoidal-table"
def positional_encoding(max_len, dim, base=10000.0):
    angles = np.einsum("p,i->pi", np.arange(max_len), angle_rates(dim, base))
    halves = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    return halves.reshape(max_len, 2, dim // 2).transpose(0, 2, 1).reshape(max_len, dim)


# %% task="dot-products"
def dot_products_at_offset(pe, offset):
    first = pe[:-offset] if offset > 0 else pe
    return (first * pe[offset:]).sum(axis=1)


# %% task="shift-matrix"
def shift_matrix(offset, dim, base=10000.0):
    rates = angle_rates(dim, base)
    one_step = np.zeros((dim, dim))
    for i, rate in enumerate(rates):
        one_step[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(rate), np.sin(rate)], [-np.sin(rate), np.cos(rate)]]
    return np.linalg.matrix_power(one_step, offset)
