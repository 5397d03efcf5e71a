"""The weights of Keras's layers: found by attribute path, read and set."""

import math

import numpy as np

from autograder.kernels.resident import state
from autograder.kernels.resident.calls import decode
from autograder.kernels.resident.errors import NotDefined
from autograder.kernels.resident.values import encode, to_array

_PATHS = {}  # id of one of these layers -> its weights and the paths to them, see `_weight_paths`
_KERAS_BOOKKEEPING = ("trainable_variables", "non_trainable", "tracker", "layers", "losses", "metrics")


def paths(request):
    """Return [path, shape, trainable] of every weight."""
    layer = state.OBJECTS[request["id"]]
    trainable = {id(w) for w in layer.trainable_weights}
    return [[path, [int(n) for n in w.shape], id(w) in trainable] for path, w in _weight_paths(layer)]


def values(request):
    """Return [name, shape, trainable] of every weight, each variable once, and all values in one row."""
    layer = state.OBJECTS[request["id"]]
    weights = _distinct_weights(layer)
    trainable = {id(w) for w in layer.trainable_weights}
    rows = [[str(getattr(w, "path", ""))[-100:], [int(n) for n in w.shape], id(w) in trainable] for w in weights]
    found = [np.ravel(to_array(w)).astype(np.float64) for w in weights]
    return [rows, encode(np.concatenate(found) if found else np.zeros(0))]


def set_values(request):
    """Set every weight from all values in one row."""
    row, start = decode(request["values"]), 0
    for weight in _distinct_weights(state.OBJECTS[request["id"]]):
        shape = tuple(weight.shape)
        size = math.prod(shape)
        weight.assign(row[start : start + size].reshape(shape))
        start += size


def assign(request):
    """Set some weights by their paths."""
    layer = state.OBJECTS[request["id"]]
    known = dict(_weight_paths(layer))
    for path, value in request["values"].items():
        variable = known[path] if path in known else _variable(layer, path)
        variable.assign(decode(value))


def read(request):
    """Return one weight's values."""
    return encode(to_array(_variable(state.OBJECTS[request["id"]], request["path"])))


def _weight_paths(layer):
    """Return (attribute path, variable) of every weight; `weights[i]` where no attribute leads to it."""
    weights = layer.weights
    known = _PATHS.get(id(layer))
    if known is None or [id(w) for _, w in known] != [id(w) for w in weights]:
        known = _PATHS[id(layer)] = _found_paths(layer, weights)
    return known


def _found_paths(layer, weights):
    paths = {}
    queue = [("", layer)]
    seen = set()
    while queue:
        prefix, thing = queue.pop(0)
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        for path, child in _children(prefix, thing):
            kind = type(child)
            is_container = isinstance(child, (list, tuple, dict)) or any(
                base.__name__ == "Layer" for base in kind.__mro__
            )
            if any(base.__name__ in ("Variable", "KerasVariable") for base in kind.__mro__):
                paths.setdefault(id(child), path)
            elif is_container and not path.split(".")[-1].startswith(_KERAS_BOOKKEEPING):
                queue.append((path, child))
    return [(paths.get(id(w), f"weights[{i}]"), w) for i, w in enumerate(weights)]


def _children(prefix, thing):
    """Return (attribute path, object) of what a container or an object holds."""
    if isinstance(thing, (list, tuple)):
        return [(f"{prefix}[{i}]", child) for i, child in enumerate(thing)]
    if isinstance(thing, dict):
        return [(f"{prefix}[{k!r}]", child) for k, child in thing.items()]
    attributes = dict(getattr(thing, "__dict__", ()))
    inner = attributes.pop("_modules", None)  # where PyTorch keeps the layers among a layer's attributes
    attributes.update(inner if isinstance(inner, dict) else {})
    public = [(k.lstrip("_"), v) for k, v in attributes.items()]
    return [(f"{prefix}.{k}" if prefix else k, v) for k, v in public]


def _variable(layer, path):
    for known, variable in _weight_paths(layer):
        if known == path:
            return variable
    thing = layer
    for part in path.split("."):
        if not hasattr(thing, part):
            raise NotDefined(path)
        thing = getattr(thing, part)
    return thing


def _distinct_weights(layer):
    return list({id(weight): weight for weight in layer.weights}.values())
