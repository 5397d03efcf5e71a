"""Callables for the leak test of 04-masks, each with all that decides whether it leaks in its arguments.

The text of this module is executed in a kernel beside the student's (`Probe.offer`): it imports NumPy, and Keras where
asked. Every callable takes (batch, length, dim) of any kind and returns a new array of that shape. Time runs along axis 1.
"""

import numpy as np


def attention(hidden, projections, before="nothing", library="numpy"):
    """Return self-attention under a mask, between residual connections.

    Args:
        hidden: (max_len, max_len), 1 where a row's position doesn't see the column's; cut to the length of the input.
        projections: (3, dim, dim) for queries, keys and values.
        before: what is done to the input first, a name in `normalised`.
        library: `numpy` in float64, or `keras`: `keras.ops` in float32.
    """
    if library == "keras":
        return _attention_in_keras(hidden, projections)

    def attend(x):
        x = np.array(x, dtype="float64")
        inner = normalised(x, before)
        query, key, value = (inner @ w for w in projections)
        scores = query @ np.swapaxes(key, 1, 2) / np.sqrt(x.shape[-1])
        scores = np.where(hidden[: x.shape[1], : x.shape[1]] == 1, -1e9, scores)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return x + weights @ value / weights.sum(axis=-1, keepdims=True)

    return attend


def _attention_in_keras(hidden, projections):
    from keras import ops

    hidden, projections = hidden.astype("float32"), projections.astype("float32")

    def attend(x):
        x = ops.cast(ops.convert_to_tensor(x), "float32")
        length, dim = x.shape[1], x.shape[2]
        query, key, value = (ops.matmul(x, w) for w in projections)
        scores = ops.matmul(query, ops.swapaxes(key, 1, 2)) / dim**0.5
        weights = ops.softmax(scores - 1e9 * hidden[:length, :length])
        return x + ops.matmul(weights, value)

    return attend


def normalised(x, how):
    """Return x with mean 0 and variance 1 over one of its axes, or over the positions up to each one."""
    if how == "nothing":
        return x
    if how == "so far":
        count = np.arange(1, x.shape[1] + 1)[:, None]
        mean = np.cumsum(x, axis=1) / count
        variance = np.maximum(np.cumsum(x**2, axis=1) / count - mean**2, 0)
    else:
        axis = {"time": 1, "features": 2}[how]
        mean, variance = x.mean(axis=axis, keepdims=True), x.var(axis=axis, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-6)


def mixture(shares, projection, library="numpy", offset=0.0):
    """Return a layer whose outputs are sums of projected inputs over time.

    Args:
        shares: (max_len, max_len, dim): what the row's output has of the column's input, feature by feature.
        projection: (dim, dim) of each position by itself, before the sum.
        library: `numpy` or `keras`: what the layer computes with and returns.
        offset: number that is added to every output in `numpy`.
    """

    def attend(x):
        x = np.array(x, dtype="float64")
        length = x.shape[1]
        return offset + np.einsum("ijd,bjd->bid", shares[:length, :length], np.tanh(x @ projection))

    def attend_in_keras(x):
        from keras import ops

        x = ops.cast(ops.convert_to_tensor(x), "float32")
        length = x.shape[1]
        narrow = shares[:length, :length].astype("float32")
        return ops.einsum("ijd,bjd->bid", narrow, ops.tanh(ops.matmul(x, projection.astype("float32"))))

    return attend_in_keras if library == "keras" else attend


def previous():
    """Return a layer that gives each input one step later, zeros first: nothing is computed with it."""

    def attend(x):
        x = np.array(x, dtype="float64")
        return np.concatenate([np.zeros_like(x[:, :1]), x[:, :-1]], axis=1)

    return attend


def product(shares, projection):
    """Return a gated layer: each input times a gate that is a sum over time, as `mixture` forms it."""
    gate = mixture(shares, projection)

    def attend(x):
        x = np.array(x, dtype="float64")
        return x * (1 + gate(x))

    return attend


def convolution(taps, projection):
    """Return a convolution over time by Fourier transform in float32: right up to rounding, which reaches every output.

    Args:
        taps: (2 * max_len - 1,), taps[max_len - 1 + k] multiplies the input k steps earlier, negative k later ones.
        projection: (dim, dim) of each position by itself, before the convolution.
    """
    max_len = (len(taps) + 1) // 2

    def attend(x):
        x = np.array(x, dtype="float32")
        length = x.shape[1]
        circle = np.zeros(2 * length, dtype="float32")
        circle[:length] = taps[max_len - 1 : max_len - 1 + length]
        circle[length + 1 :] = taps[max_len - length : max_len - 1]
        bounded = np.tanh(x @ projection.astype("float32"))
        spectrum = np.fft.rfft(bounded, n=2 * length, axis=1) * np.fft.rfft(circle)[:, None]
        # away from 0, where a bound relative to the output would be narrower than float32's rounding
        return 4 + np.fft.irfft(spectrum, n=2 * length, axis=1)[:, :length].astype("float32")

    return attend
