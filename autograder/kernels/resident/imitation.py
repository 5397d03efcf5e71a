"""References that return the kinds of array that a student's own functions return."""

import numpy as np

from autograder.kernels.resident import values


def imitation_of(reference, own):
    """Return a function that computes what `reference` does and returns it in the kind of container that `own` returns."""

    def function(*args, **kwargs):
        result = reference(*args, **kwargs)
        try:
            example = own(*(_copy(a) for a in args), **{k: _copy(v) for k, v in kwargs.items()})
        except Exception:
            tensors = [a for a in (*args, *kwargs.values()) if values.is_tensor(a)]
            example = result if tensors else values.as_numpy(result)
        return _like(example, result)

    return function


def _copy(value):
    return value.copy() if isinstance(value, np.ndarray) else value


def _like(example, value):
    """Return `value` in the kind of container that `example` is."""
    if isinstance(value, tuple):
        same = isinstance(example, tuple) and len(example) == len(value)
        return tuple(_like(m, v) for m, v in zip(example, value, strict=True)) if same else value
    if isinstance(example, (np.ndarray, np.generic)):
        return np.asarray(values.as_numpy(value))
    if isinstance(example, (list, tuple)):
        return type(example)(np.asarray(values.as_numpy(value)).tolist())
    return values.as_tensor(value) if values.is_tensor(example) and not values.is_tensor(value) else value
