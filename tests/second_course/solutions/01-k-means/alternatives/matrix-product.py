# %% [markdown]
# the square of a difference by a matrix product; means by sums over a table of owners

# %% task="distances"
def squared_distances(points, centers):
    return (points**2).sum(1)[:, None] - 2 * points @ centers.T + (centers**2).sum(1)

# %% task="nearest"
def nearest_center(points, centers):
    return np.argmin(((points[:, None] - centers) ** 2).sum(-1), axis=-1)

# %% task="move"
def move_centers(points, centers):
    table = np.eye(len(centers))[nearest_center(points, centers)]
    counts = table.sum(0)[:, None]
    return np.where(counts > 0, table.T @ points / np.maximum(counts, 1), centers)
