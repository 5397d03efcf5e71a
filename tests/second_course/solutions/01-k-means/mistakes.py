# %% mistake="not-squared" task="distances" misses="distances-values" of="solution"
# The distances aren't squared.
# - (differences**2).sum(axis=-1)
# + np.sqrt((differences**2).sum(axis=-1))

# %% mistake="absolute-differences" task="distances" misses="distances-values" of="solution"
# The absolute differences are added up, not their squares.
# - differences**2
# + np.abs(differences)

# %% mistake="centers-by-points" task="distances" misses="distances-shape" of="solution"
# The rows belong to the centers. A row for each point, a column for each center.
# - points[:, None, :] - centers[None, :, :]
# + centers[:, None, :] - points[None, :, :]

# %% mistake="farthest" task="nearest" misses="nearest-index" of="solution"
# It picks the farthest center.
# - argmin
# + argmax

# %% mistake="last-of-ties" task="nearest" misses="nearest-ties"
# Of two centers at the same distance it picks the last.
def nearest_center(points, centers):
    distances = squared_distances(points, centers)
    return distances.shape[1] - 1 - np.argmin(distances[:, ::-1], axis=1)

# %% mistake="lonely-to-zero" task="move" misses="move-lonely" of="solution"
# A center without points moves to the origin. It should stay.
# - centers.copy()
# + np.zeros_like(centers)
