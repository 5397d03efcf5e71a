# %% [markdown]
# the closed form and the shift matrix measured on the table itself, with earlier functions


# %% task="invariance"
def offset_dot_product(offset, dim, base=10000.0):
    table = positional_encoding(max_len=offset + 1, dim=dim, base=base)
    return dot_products_at_offset(table, offset).item()


# %% task="shift-matrix"
def shift_matrix(offset, dim, base=10000.0):
    table = positional_encoding(200 + offset, dim, base)
    before, after = table[:200], table[offset:]
    return np.linalg.lstsq(before, after, rcond=None)[0].T
