"""References that return the kinds of array that a student's own functions return."""

import numpy as np

from autograder.kernels.resident import values


def imitation_of(reference, own):
    """Return a function that computes what `reference` does and returns it in the kind of container that `own` returns."""

    def function(*args, **kwargs):
        result = reference(*args, **kwargs)
        try:
            model = own(*(_copy(a) for a in args), **{k: _copy(v) for k, v in kwargs.items()})
        except Exception:
            tensors = [a for a in (*args, *kwargs.values()) if values.is_tensor(a)]
            model = result if tensors else values.as_numpy(result)
        return _like(model, result)

    return function


def _copy(value):
    return value.copy() if isinstance(value, np.ndarray) else value


def _like(model, value):
    """Return `value` in the kind of container that `model` is."""
    if isinstance(value, tuple):
        same = isinstance(model, tuple) and len(model) == len(value)
        return tuple(_like(m, v) for m, v in zip(model, value, strict=True)) if same else value
    if isinstance(model, (np.ndarray, np.generic)):
        return np.asarray(values.as_numpy(value))
    if isinstance(model, (list, tuple)):
        return type(model)(np.asarray(values.as_numpy(value)).tolist())
    return values.as_tensor(value) if values.is_tensor(model) and not values.is_tensor(value) else value
