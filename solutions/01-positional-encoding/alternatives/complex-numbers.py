# %% [markdown]
# a pair as one complex number: shifts are multiplications


# %% task="sinusoidal-table"
def positional_encoding(max_len, dim, base=10000.0):
    turns = np.exp(1j * np.outer(np.arange(max_len), angle_rates(dim, base)))
    return np.dstack([turns.imag, turns.real]).reshape(max_len, dim)


# %% task="dot-products"
def dot_products_at_offset(pe, offset):
    return np.diagonal(pe @ pe.T, offset)


# %% task="invariance"
def offset_dot_product(offset, dim, base=10000.0):
    return np.exp(1j * offset * angle_rates(dim, base)).sum().real


# %% task="shift-matrix"
def shift_matrix(offset, dim, base=10000.0):
    unit = np.eye(dim)
    turns = np.exp(1j * offset * angle_rates(dim, base))
    moved = (unit[:, 1::2] + 1j * unit[:, 0::2]) * turns
    columns = np.empty((dim, dim))
    columns[:, 0::2], columns[:, 1::2] = moved.imag, moved.real
    return columns.T
