# %% [markdown]
# # First steps: a moving average
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `moving_average`: the mean of each window of a series | 3 |
#
# Fill in the cell that says `# YOUR CODE HERE`. The cell below it holds public checks. The points come from other inputs after you hand in.

# %% locked="setup"
import numpy as np

# %% [markdown]
# ## Task 1: moving average (3 points)
#
# A window of `width` values slides along a series, one step at a time. Return the mean of each window: a series of `n` values has
# `n - width + 1` of them.


# %% task="moving-average"
def moving_average(values, width):
    """
    Return the mean of each window of neighbouring values.

    values: (n,)
    width: how many values a window has, 1 to n

    Returns: (n - width + 1,)
    """
    ### BEGIN SOLUTION
    sums = np.cumsum(np.concatenate([[0.0], np.asarray(values, dtype=np.float64)]))
    return (sums[width:] - sums[:-width]) / width
    ### END SOLUTION


# %% grade="moving-average" points=3
assert np.allclose(moving_average([1.0, 3.0, 5.0], 2), [2.0, 4.0]), "The means of 1, 3 and of 3, 5 are 2 and 4."
