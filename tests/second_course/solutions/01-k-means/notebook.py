# %% [markdown]
# # One step of k-means
#
# k-means groups points around `k` centers. One step assigns each point to its nearest center, then moves each center to the mean of its
# points. This notebook writes the step in three parts.
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `squared_distances`: from each point to each center | 4 |
# | 2 | `nearest_center`: which center is nearest | 3 |
# | 3 | `move_centers`: where the centers go | 5 |

# %% locked="setup"
import matplotlib.pyplot as plt
import numpy as np

# %% [markdown]
# ## Task 1: distances (4 points)


# %% task="distances"
def squared_distances(points, centers):
    """
    Return the squared Euclidean distance from each point to each center.

    points: (n, dim)
    centers: (k, dim)

    Returns: (n, k)
    """
    ### BEGIN SOLUTION
    differences = points[:, None, :] - centers[None, :, :]
    return (differences**2).sum(axis=-1)
    ### END SOLUTION


# %% grade="distances" points=4
assert np.allclose(squared_distances(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]])), [[25.0]]), "3² + 4² is 25."

# %% [markdown]
# ## Task 2: the nearest center (3 points)


# %% task="nearest" builds_on="distances"
def nearest_center(points, centers):
    """
    Return the index of each point's nearest center; of two at the same distance the first.

    Returns: (n,) whole numbers
    """
    ### BEGIN SOLUTION
    return np.argmin(squared_distances(points, centers), axis=1)
    ### END SOLUTION


# %% grade="nearest" points=3
assert list(nearest_center(np.array([[0.0], [9.0]]), np.array([[1.0], [8.0]]))) == [0, 1], (
    "0 is nearer to 1, 9 is nearer to 8."
)

# %% [markdown]
# ## Task 3: move the centers (5 points)


# %% task="move" builds_on="distances nearest"
def move_centers(points, centers):
    """
    Return each center's new place: the mean of the points that are nearest to it. A center without points stays.

    Returns: (k, dim)
    """
    ### BEGIN SOLUTION
    owners = nearest_center(points, centers)
    moved = centers.copy()
    for index in range(len(centers)):
        own = points[owners == index]
        if len(own):
            moved[index] = own.mean(axis=0)
    return moved
    ### END SOLUTION


# %% grade="move" points=5
assert np.allclose(move_centers(np.array([[0.0], [2.0]]), np.array([[0.0]])), [[1.0]]), "The mean of 0 and 2 is 1."

# %%
cloud = np.random.default_rng(0).normal(size=(60, 2))
plt.scatter(*cloud.T, c=nearest_center(cloud, cloud[:3]))
plt.show()
