"""The part of the probe that lives in the student's kernel.

Its source is sent there and executed before the student's first cell; it can import nothing of ours and knows no
expected value. `answer` does one request: call a function, make a layer, call it, read or set its weights. Arrays
travel as base64 of `.npy` bytes without pickles. Nothing it says is trusted by the reader.
"""

import base64
import builtins
import contextlib
import importlib
import io
import json
import linecache
import sys

import numpy as np

_BUILTINS = vars(builtins)
_ORIGINAL_BUILTINS = dict(_BUILTINS)
_SHELL = None  # set by the installer: this kernel's IPython shell
_OBJECTS = {}
_TEXT_LIMIT = 2000
_BUILT_IN_LAYERS = (
    "MultiHeadAttention",
    "GroupQueryAttention",
    "GroupedQueryAttention",
    "Attention",
    "AdditiveAttention",
)
_BUILT_IN_OPS = (
    ("keras.src.backend.nn", "dot_product_attention"),
    ("keras.ops", "dot_product_attention"),
    ("keras.ops.nn", "dot_product_attention"),
    ("torch.nn.functional", "scaled_dot_product_attention"),
    ("torch.nn.functional", "multi_head_attention_forward"),
    ("jax.nn", "dot_product_attention"),
)


class BuiltInAttentionUsed(Exception):
    """A task that asks for attention from scratch reached a built-in one."""


class NotNumbers(Exception):
    """The result can't be sent as numbers."""


class NotDefined(Exception):
    """The student's notebook defines no such name."""


def answer(request):
    """Do one request (base64 of JSON) and return the reply (JSON, ASCII)."""
    _restore()
    try:
        request = json.loads(base64.b64decode(request))
        reply = {"ok": _OPERATIONS[request["do"]](request)}
    except BaseException as error:
        reply = {"error": _describe(error)}
    return json.dumps(reply)


def _restore():
    """Undo what honest slips change for everything that runs later."""
    _BUILTINS.update(_ORIGINAL_BUILTINS)
    np.seterr(all="warn")
    keras = sys.modules.get("keras")
    if keras is not None and hasattr(keras, "config"):
        if keras.config.floatx() != "float32":
            keras.config.set_floatx("float32")
        if keras.config.dtype_policy().name != "float32":
            keras.config.set_dtype_policy("float32")


def _describe(error):
    line = ""
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if "ipykernel_" in name or name.startswith("<ipython-input"):
            line = linecache.getline(name, trace.tb_lineno)
        trace = trace.tb_next
    try:
        text = str(error)
    except BaseException:
        text = ""
    return {
        "kinds": [kind.__name__ for kind in type(error).__mro__],
        "text": text[:_TEXT_LIMIT],
        "line": line.strip()[:300],
    }


def _resolve(name):
    namespace = _SHELL.user_ns
    if name.startswith("keras."):
        module, _, attribute = name.rpartition(".")
        return getattr(importlib.import_module(module), attribute)
    if name not in namespace:
        raise NotDefined(name)
    return namespace[name]


def _decode(value):
    kind = value["kind"]
    if kind == "array":
        return np.load(io.BytesIO(base64.b64decode(value["npy"])), allow_pickle=False)
    if kind in ("tuple", "list"):
        return (tuple if kind == "tuple" else list)(_decode(part) for part in value["parts"])
    if kind == "object":
        return _OBJECTS[value["id"]]
    return value["value"]


def _to_array(value):
    """Return a plain ndarray of a list, scalar, NumPy array or tensor of any backend."""
    if type(value).__module__.split(".")[0] in ("tensorflow", "jax", "jaxlib", "torch", "keras"):
        import keras

        value = keras.ops.convert_to_numpy(value)
    if getattr(value, "nbytes", 0) > _LIMITS["answer_bytes"]:
        raise NotNumbers("too large")
    try:
        array = np.array(value, subok=False, copy=True)
    except (ValueError, TypeError, MemoryError):
        raise NotNumbers(type(value).__name__) from None
    if array.dtype.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        array = array.astype(np.float32)
    if array.dtype.kind not in "fiubc":
        raise NotNumbers(type(value).__name__)
    if array.nbytes > _LIMITS["answer_bytes"]:
        raise NotNumbers("too large")
    return array


def _encode(value, depth=0):
    if value is None:
        return {"kind": "plain", "value": None}
    if isinstance(value, (bool, np.bool_)):
        return {"kind": "plain", "value": bool(value)}
    if type(value) is int:
        return {"kind": "plain", "value": value}
    if isinstance(value, float):
        return {"kind": "float", "value": float.hex(float.__float__(value))}
    if isinstance(value, str):
        return {"kind": "plain", "value": str(value)[:_TEXT_LIMIT]}
    if isinstance(value, tuple) and depth < 3 and len(value) <= 16:
        return {"kind": "tuple", "parts": [_encode(part, depth + 1) for part in value]}
    if isinstance(value, list) and depth < 3 and 0 < len(value) <= 16:
        try:
            array = _to_array(value)
        except NotNumbers:
            return {"kind": "tuple", "parts": [_encode(part, depth + 1) for part in value]}
    else:
        array = _to_array(value)
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return {"kind": "array", "npy": base64.b64encode(stream.getvalue()).decode()}


def _arguments(request):
    return [_decode(v) for v in request["args"]], {k: _decode(v) for k, v in request["kwargs"].items()}


@contextlib.contextmanager
def _without_built_in_attention(active):
    """Make every built-in attention layer and op raise while the block runs."""
    replaced = []

    def refuse(*args, **kwargs):
        raise BuiltInAttentionUsed

    if active:
        import keras

        places = [(getattr(keras.layers, name), "call") for name in _BUILT_IN_LAYERS if hasattr(keras.layers, name)]
        places += [
            (sys.modules[module], name) for module, name in _BUILT_IN_OPS if hasattr(sys.modules.get(module), name)
        ]
        torch = sys.modules.get("torch")
        if torch is not None:
            places.append((torch.nn.MultiheadAttention, "forward"))
        replaced = [(owner, name, vars(owner)[name]) for owner, name in places if name in vars(owner)]
    try:
        for owner, name, _ in replaced:
            setattr(owner, name, refuse)
        yield
    finally:
        for owner, name, original in replaced:
            setattr(owner, name, original)


def _ping(request):
    return "alive"


def _call(request):
    function = _resolve(request["name"])
    args, kwargs = _arguments(request)
    with _without_built_in_attention(request["from_scratch"]):
        return _encode(function(*args, **kwargs))


def _make(request):
    constructor = _resolve(request["name"])
    args, kwargs = _arguments(request)
    made = constructor(*args, **kwargs)
    return _keep(made)


def _keep(thing):
    number = len(_OBJECTS)
    _OBJECTS[number] = thing
    return number


def _invoke(request):
    layer = _OBJECTS[request["id"]]
    args, kwargs = _arguments(request)
    with _without_built_in_attention(request["from_scratch"]):
        return _encode(layer(*args, **kwargs))


def _clone(request):
    layer = _OBJECTS[request["id"]]
    return _keep(type(layer).from_config(layer.get_config()))


_KERAS_BOOKKEEPING = ("trainable_variables", "non_trainable", "tracker", "layers", "losses", "metrics")


def _weight_paths(layer):
    """Return (attribute path, variable) of every weight; `weights[i]` where no attribute leads to it."""
    paths = {}
    queue = [("", layer)]
    seen = set()
    while queue:
        prefix, thing = queue.pop(0)
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, (list, tuple)):
            children = [(f"{prefix}[{i}]", child) for i, child in enumerate(thing)]
        elif isinstance(thing, dict):
            children = [(f"{prefix}[{k!r}]", child) for k, child in thing.items()]
        elif hasattr(thing, "__dict__"):
            public = [(k.lstrip("_"), v) for k, v in vars(thing).items()]
            children = [(f"{prefix}.{k}" if prefix else k, v) for k, v in public]
        else:
            continue
        for path, child in children:
            kind = type(child)
            is_container = isinstance(child, (list, tuple, dict)) or any(
                base.__name__ == "Layer" for base in kind.__mro__
            )
            if any(base.__name__ in ("Variable", "KerasVariable") for base in kind.__mro__):
                paths.setdefault(id(child), path)
            elif is_container and not path.split(".")[-1].startswith(_KERAS_BOOKKEEPING):
                queue.append((path, child))
    return [(paths.get(id(w), f"weights[{i}]"), w) for i, w in enumerate(layer.weights)]


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


def _weights(request):
    layer = _OBJECTS[request["id"]]
    trainable = {id(w) for w in layer.trainable_weights}
    return [[path, [int(n) for n in w.shape], id(w) in trainable] for path, w in _weight_paths(layer)]


def _assign(request):
    layer = _OBJECTS[request["id"]]
    for path, value in request["values"].items():
        _variable(layer, path).assign(_decode(value))


def _read(request):
    return _encode(_to_array(_variable(_OBJECTS[request["id"]], request["path"])))


_LIMITS = {"answer_bytes": 50_000_000}


def _limit(request):
    _LIMITS["answer_bytes"] = int(request["answer_bytes"])


_OPERATIONS = {
    "ping": _ping,
    "limit": _limit,
    "call": _call,
    "make": _make,
    "invoke": _invoke,
    "clone": _clone,
    "weights": _weights,
    "assign": _assign,
    "read": _read,
}
