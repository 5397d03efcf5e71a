# %% [markdown]
# lists and loops

# %% task="distances"
def squared_distances(points, centers):
    return [[float(np.sum((p - c) ** 2)) for c in centers] for p in points]

# %% task="nearest"
def nearest_center(points, centers):
    return [row.index(min(row)) for row in squared_distances(points, centers)]

# %% task="move"
def move_centers(points, centers):
    owners = list(nearest_center(points, centers))
    moved = []
    for index, center in enumerate(centers):
        own = [point for point, owner in zip(points, owners) if owner == index]
        moved.append(np.mean(own, axis=0) if own else center)
    return np.array(moved)
