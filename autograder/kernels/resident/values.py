"""Numbers, texts and arrays of any backend as what can be sent."""

import numpy as np

from autograder.kernels.resident import state, wire
from autograder.kernels.resident.errors import TEXT_LIMIT, NotNumbers


def to_array(value):
    """Return a plain ndarray of a list, scalar, NumPy array or tensor of any backend.

    Raises:
        NotNumbers: it is something else, or too large.
    """
    value = as_numpy(value)
    if getattr(value, "nbytes", 0) > state.LIMITS["answer_bytes"]:
        raise NotNumbers("too large")
    try:
        array = np.array(value, subok=False, copy=True)
        if array.dtype.kind == "O":  # np.frompyfunc leaves Python's own numbers in its arrays
            array = np.array(array.tolist())
    except (ValueError, TypeError, RuntimeError, MemoryError):
        raise NotNumbers(type(value).__name__) from None
    if array.dtype.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        array = array.astype(np.float32)
    if array.dtype.kind not in "fiubc":
        raise NotNumbers(type(value).__name__)
    if array.nbytes > state.LIMITS["answer_bytes"]:
        raise NotNumbers("too large")
    return array


def encode(value, depth=0):
    """Return a value as JSON and bytes.

    Raises:
        NotNumbers: it is something else, or too large.
    """
    if value is None:
        return {"kind": "plain", "value": None}
    if isinstance(value, (bool, np.bool_)):
        return {"kind": "plain", "value": bool(value)}
    if type(value) is int:
        if abs(value) >= 1 << 256:
            raise NotNumbers("too large")
        return {"kind": "plain", "value": value}
    if isinstance(value, float):
        return {"kind": "float", "value": float.hex(float.__float__(value))}
    if isinstance(value, str):
        return {"kind": "plain", "value": str(value)[:TEXT_LIMIT]}
    if isinstance(value, tuple) and depth < 3 and len(value) <= 16:
        return {"kind": "tuple", "parts": [encode(part, depth + 1) for part in value]}
    if isinstance(value, list) and depth < 3 and 0 < len(value) <= 16:
        try:
            array = to_array(value)
        except NotNumbers:
            return {"kind": "tuple", "parts": [encode(part, depth + 1) for part in value]}
    else:
        array = to_array(value)
    return wire.packed_array(array)


def is_tensor(value):
    """Whether a value is a tensor or variable of one of the backends."""
    return type(value).__module__.split(".")[0] in ("tensorflow", "jax", "jaxlib", "torch", "keras")


def as_numpy(value):
    """Return a value with the tensors in it as NumPy arrays."""
    if isinstance(value, (list, tuple)):
        return type(value)([as_numpy(part) for part in value]) if type(value) in (list, tuple) else value
    if is_tensor(value):
        import keras

        return keras.ops.convert_to_numpy(value)
    return value


def as_tensor(value):
    """Return an array as a tensor of the backend."""
    import keras

    return keras.ops.convert_to_tensor(value)
