# %% [markdown]
# math and nested lists, no arrays


# %% task="angle-rates"
import math

def angle_rates(dim, base=10000.0):
    if dim < 1 or dim % 2 != 0:
        raise ValueError("dim: " + str(dim))
    return [math.pow(base, -2 * i / dim) for i in range(dim // 2)]


# %% task="sinusoidal-table"
import math

def positional_encoding(max_len, dim, base=10000.0):
    table = []
    for p in range(max_len):
        row = []
        for j in range(dim):
            angle = p / base ** (2 * (j // 2) / dim)
            row.append(math.sin(angle) if j % 2 == 0 else math.cos(angle))
        table.append(row)
    return table


# %% task="dot-products"
def dot_products_at_offset(pe, offset):
    return [sum(a * b for a, b in zip(pe[p], pe[p + offset])) for p in range(len(pe) - offset)]


# %% task="invariance"
import math

def offset_dot_product(offset, dim, base=10000.0):
    return sum(math.cos(offset * base ** (-2 * i / dim)) for i in range(dim // 2))


# %% task="shift-matrix"
import math

def shift_matrix(offset, dim, base=10000.0):
    rows = [[0.0] * dim for _ in range(dim)]
    for i in range(dim // 2):
        angle = offset * base ** (-2 * i / dim)
        rows[2 * i][2 * i] = rows[2 * i + 1][2 * i + 1] = math.cos(angle)
        rows[2 * i][2 * i + 1], rows[2 * i + 1][2 * i] = math.sin(angle), -math.sin(angle)
    return rows
