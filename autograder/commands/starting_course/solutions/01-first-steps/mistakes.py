# %% mistake="divides-by-all" task="moving-average" misses="average-values average-whole"
# Each sum is divided by the length of the whole series. Divide it by the number of values in the window.
def moving_average(values, width):
    windows = np.lib.stride_tricks.sliding_window_view(np.asarray(values), width)
    return windows.sum(axis=-1) / len(values)
