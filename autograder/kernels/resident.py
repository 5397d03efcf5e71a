"""The part of the probe that lives in the student's kernel.

It imports nothing of ours and knows no expected value. `answer` does one request: call a function, make a layer or have a
model built, call it, read or set its weights, define something to hand to the student's functions. Requests and replies are
JSON objects after their length in 4 bytes (big endian), see `_packed`, arrays `.npy` bytes without pickles. Nothing it says is
trusted by the reader.

A function of another kernel is called through a proxy. Instead of the reply a wish goes out, and its answer comes back; what was
passed to the function is called back in between. The grader passes these on without reading them: a letter, eight hexadecimal
digits of whom it is for, and a packed message.

    W<function>              call a function of the other kernel          kernel -> grader
    A<question><function>    call a function of this kernel               grader -> kernel
    R<question>              what that gave                               kernel -> grader
    D                        what the wish gave                           grader -> kernel
"""

import builtins
import contextlib
import ctypes
import gc
import importlib
import io
import json
import linecache
import marshal
import math
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

_BUILTINS = vars(builtins)
_ORIGINAL_BUILTINS = dict(_BUILTINS)
_SHELL = None  # set by `install`: this kernel's IPython shell
_QUICK = contextlib.nullcontext  # set by `install`: in what each question is answered
_SHOW = bool  # set by `install`: is told whether what follows is only shown
_TRANSFORMERS = {}  # its lists of code transformers, as they were before the student's first cell
_EXECUTION_METHODS = {
    "kernel": ("dispatch_shell", "execute_request", "do_execute", "send_response"),
    "shell": ("run_cell", "_run_cell", "run_cell_async", "run_ast_nodes", "run_code", "transform_cell"),
}
_STREAMS = {}
_EXECUTION = {}  # those methods as they were before the student's first cell
_NOT_REMEMBERED = ("In", "Out", "exit", "quit")
_REMEMBERED = {}  # what the notebook's locked cells defined
_OBJECTS = {}
_PATHS = {}  # id of one of these layers -> its weights and the paths to them, see `_weight_paths`
_OPEN = {}  # while a question is answered: the channel that it came through, and this process
_PROXIES = []  # for as long as the kernel lives: a student's code may tell them apart by their `id`
_LENT = {}  # number -> a function that the other kernel may call back
_RAISED = {}  # ticket -> what such a function raised
_TURN = threading.Lock()  # between what is sent and what comes back nobody else speaks
# Kept here, because a student's code may replace the originals in their modules.
_loads, _dumps = json.loads, json.dumps
_random_bytes, _process = os.urandom, os.getpid
_load, _save, _load_code = np.load, np.save, marshal.loads
_read_bytes, _write_bytes = os.read, os.write
_set_handler, _on_interrupt = signal.signal, signal.default_int_handler
_TEXT_LIMIT = 2000
_HEADER_BYTES = 1 << 18  # a reply's JSON; the reader takes no more
_RECURSION_LIMIT = sys.getrecursionlimit()


class ForbiddenReached(Exception):
    """A task that asks for something from scratch reached one that is there already."""


class NotNumbers(Exception):
    """The result can't be sent as numbers."""


class NotDefined(Exception):
    """The student's notebook defines no such name."""


class NotModel(Exception):
    """A function that should return a model returned something else."""


class RaisedElsewhere(Exception):
    """What the other kernel called back raised; `ticket` is how that kernel finds it again."""

    def __init__(self, text, ticket):
        super().__init__(text)
        self.ticket = ticket


def install(shell: Any, quick: Callable = contextlib.nullcontext, show: Callable = bool) -> None:
    """Take possession of a fresh kernel, before the student's first cell.

    Args:
        shell: this kernel's IPython shell.
        quick: makes a context in which each question is answered.
        show: is told whether the cells that follow are only shown.
    """
    global _SHELL, _QUICK, _SHOW
    _SHELL, _QUICK, _SHOW = shell, quick, show
    _EXECUTION.update(_execution())
    _STREAMS.update(stdout=sys.stdout, stderr=sys.stderr)
    shell.events.register("post_run_cell", _mend_streams)
    _TRANSFORMERS["ast_transformers"] = list(shell.ast_transformers)
    for name in ("input_transformers_cleanup", "input_transformers_post"):
        _TRANSFORMERS[name] = list(getattr(shell, name))


def _mend_streams(*_):
    """Put back the kernel's streams where a cell has left something that isn't one: the kernel itself needs them."""
    for name, stream in _STREAMS.items():
        if not callable(getattr(getattr(sys, name), "flush", None)):
            setattr(sys, name, stream)


def _execution():
    """Return what a cell's way through kernel and shell is made of."""
    owners = {"kernel": getattr(_SHELL, "kernel", None), "shell": _SHELL}
    return {
        (owner, name): getattr(getattr(owners[owner], name, None), "__func__", None)
        for owner, names in _EXECUTION_METHODS.items()
        for name in names
    }


def serve(channel):
    """Read one request from a descriptor, do it and write the reply; an interrupt ends what it calls.

    Raises:
        EOFError: the other end is closed.
    """
    request = _receive(channel)
    streams = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = _NOWHERE
    try:
        _set_handler(signal.SIGINT, _on_interrupt)
        _OPEN.update(channel=channel, process=_process())
        reply = answer(request)
        with _TURN:  # a thread of the student's may be speaking
            _OPEN.clear()
    except KeyboardInterrupt as error:
        reply = _packed({"error": _describe(error)})
    finally:
        _set_handler(signal.SIGINT, signal.SIG_IGN)
        _OPEN.clear()
        _RAISED.clear()
        sys.stdout, sys.stderr = streams
    _send(channel, reply)


def _receive(channel):
    return _exactly(channel, int.from_bytes(_exactly(channel, 4), "big"))


def _send(channel, message):
    left = memoryview(len(message).to_bytes(4, "big") + message)
    while left:
        left = left[_write_bytes(channel, left) :]


def _exactly(channel, size):
    parts = []
    while size:
        part = _read_bytes(channel, min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _packed(content):
    """Return a message: the size of its JSON in 4 bytes, the JSON, and the bytes in it, for which it has [start, size]."""
    parts, size = [], 0

    def placed(part):
        nonlocal size
        if not isinstance(part, bytes):
            raise TypeError(type(part).__name__)
        start, size = size, size + len(part)
        parts.append(part)
        return [start, len(part)]

    header = _dumps(content, default=placed).encode()
    return b"".join([len(header).to_bytes(4, "big"), header, *parts])


def _unpacked(message):
    """Return what a message holds, with the bytes in it where they belong."""
    message = memoryview(message)
    size = 4 + int.from_bytes(message[:4], "big")

    def with_bytes(found):
        if found.get("kind") == "array":
            start, length = found["npy"]
            found["npy"] = message[size + start : size + start + length]
        return found

    return _loads(bytes(message[4:size]), object_hook=with_bytes)


class _Nowhere(io.TextIOBase):
    """Swallows what answers print: nobody reads it."""

    def write(self, text):
        return len(text)


_NOWHERE = _Nowhere()


def answer(request: bytes) -> bytes:
    """Do one request (bytes) and return the reply (bytes)."""
    number = -1
    _restore()
    try:
        _forget_compiled()
        if request[:1] == b"A":
            with _QUICK():
                return _called(request)
        request = _unpacked(request)
        number = request.get("number")
        with _QUICK():
            reply = _packed({"number": number, "ok": _OPERATIONS[request["do"]](request)})
        if int.from_bytes(reply[:4], "big") > _HEADER_BYTES or len(reply) > _LIMITS["answer_bytes"] + _HEADER_BYTES:
            raise NotNumbers("too large")
        return reply
    except BaseException as error:
        return _packed({"number": number, "error": _describe(error)})


def _proxy(function):
    """Return a function that calls the other kernel's of that number; what that is made of isn't here."""

    def component(*args, **kwargs):
        lent = {}
        try:
            content = {"args": [_pack(a, lent) for a in args], "kwargs": {k: _pack(v, lent) for k, v in kwargs.items()}}
        except NotNumbers as error:
            kind = ValueError if str(error) == "too large" else TypeError
            raise kind(f"This takes arrays, tensors, numbers, texts and functions. Received: {error}.") from None
        wish = b"W%08x" % function + _packed(content)
        if len(wish) > _LIMITS["answer_bytes"]:
            raise ValueError(f"This takes at most {_LIMITS['answer_bytes']} bytes of numbers at once.")
        _LENT.update(lent)
        try:
            given = _converse(wish)
        finally:
            for number in lent:
                _LENT.pop(number, None)
        if "error" in given:
            raise _error_of(given["error"])
        return _decode(given["ok"])

    _PROXIES.append(component)
    return component


def _converse(message):
    """Send a wish and return what it gave; do what is called back in between."""
    while True:
        with _TURN:
            if _OPEN.get("process") != _process():
                raise RuntimeError(
                    "This can be called only while a question is answered, in the process that was asked."
                )
            _send(_OPEN["channel"], message)
            received = _receive(_OPEN["channel"])
        if received[:1] == b"D":
            return _unpacked(received[1:])
        message = _called(received)


def _called(message):
    """Call a function for a proxy of the other kernel and return the reply."""
    number, lent = message[1:9], None
    try:
        if message[:1] != b"A":
            raise RuntimeError("This can't be asked while a proxy waits.")
        function, content = int(message[9:17], 16), _unpacked(message[17:])
        lent = _LENT.get(function)
        args, kwargs = _arguments(content)
        called = _OBJECTS[function] if lent is None else lent
        given = {"ok": _pack(called(*args, **kwargs), _OBJECTS)}
    except BaseException as error:
        given = {"error": _describe(error)}
        if lent is not None:
            given["error"]["ticket"] = ticket = _random_bytes(8).hex()
            _RAISED[ticket] = error
    return b"R" + number + _packed(given)


def _error_of(error):
    """Return the exception that a call through a proxy raised, the very one if it came from here."""
    ticket, text = error.get("ticket"), error["text"]
    if ticket in _RAISED:
        return _RAISED.pop(ticket)
    if ticket:
        return RaisedElsewhere(text, ticket)
    for kind in map(_ORIGINAL_BUILTINS.get, error["kinds"]):
        try:
            if isinstance(kind, type) and issubclass(kind, BaseException):
                return kind(text)
        except TypeError:  # one that takes more than a text
            continue
    return RuntimeError(text)


def _pack(value, lent):
    """Encode a value for the other kernel: tensors are tensors again there, and functions, kept in `lent`, can be called."""
    if callable(value):
        number = _number()
        lent[number] = value
        return {"kind": "callable", "id": number}
    if isinstance(value, (tuple, list)) and (isinstance(value, tuple) or any(map(callable, value))):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {"kind": kind, "parts": [_pack(part, lent) for part in value]}
    if isinstance(value, float):
        return {"kind": "plain", "value": float(value)}
    encoded = _encode(value)
    return {**encoded, "is_tensor": True} if _is_tensor(value) else encoded


def _restore():
    """Undo what slips and tricks change for everything that runs later."""
    _BUILTINS.update(_ORIGINAL_BUILTINS)
    for name, transformers in _TRANSFORMERS.items():
        getattr(_SHELL, name)[:] = transformers
    for name, value in _REMEMBERED.items():
        _SHELL.user_ns.setdefault(name, value)
    np.seterr(all="warn")
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
    warnings.filters[:] = [known for known in warnings.filters if known[0] != "error"]
    keras = sys.modules.get("keras")
    if keras is not None and hasattr(keras, "config"):
        if keras.config.floatx() != "float32":
            keras.config.set_floatx("float32")
        if keras.config.dtype_policy().name != "float32":
            keras.config.set_dtype_policy("float32")


def _forget_compiled():
    """Free what JAX has compiled once it is large: JAX keeps above a megabyte for each operation and shape it met."""
    jax = sys.modules.get("jax")
    if jax is None or _anonymous_bytes() - _MEMORY["before"] < _LIMITS["memory_bytes"] // 4:
        return
    jax.clear_caches()
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # what was freed lies between what is still used
    _MEMORY["before"] = _anonymous_bytes()


def _anonymous_bytes():
    """Return the memory that this process has of its own, 0 where it isn't told."""
    try:
        with open("/proc/self/statm") as statm:
            _, resident, shared, *_ = map(int, statm.read().split())
    except OSError:
        return 0
    return (resident - shared) * os.sysconf("SC_PAGESIZE")


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
    described = {
        "kinds": [kind.__name__ for kind in type(error).__mro__],
        "text": text[:_TEXT_LIMIT],
        "line": line.strip()[:300],
    }
    return {**described, "ticket": error.ticket} if isinstance(error, RaisedElsewhere) else described


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
        array = _load(io.BytesIO(value["npy"]), allow_pickle=False)
        return _as_tensor(array) if value.get("is_tensor") else array
    if kind == "callable":
        return _proxy(value["id"])
    if kind in ("tuple", "list"):
        return (tuple if kind == "tuple" else list)(_decode(part) for part in value["parts"])
    if kind == "object":
        return _OBJECTS[value["id"]]
    return value["value"]


def _to_array(value):
    """Return a plain ndarray of a list, scalar, NumPy array or tensor of any backend."""
    value = _as_numpy(value)
    if getattr(value, "nbytes", 0) > _LIMITS["answer_bytes"]:
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
    if array.nbytes > _LIMITS["answer_bytes"]:
        raise NotNumbers("too large")
    return array


def _encode(value, depth=0):
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
    _save(stream, array, allow_pickle=False)
    return {"kind": "array", "npy": stream.getvalue()}


def _arguments(request):
    return [_decode(v) for v in request["args"]], {k: _decode(v) for k, v in request["kwargs"].items()}


@contextlib.contextmanager
def _without(places):
    """Make functions and methods, `module:name` or `module:Class.name`, raise while the block runs."""
    replaced = []

    def refuse(*args, **kwargs):
        raise ForbiddenReached

    for place in places:
        module, _, path = place.partition(":")
        *owners, name = path.split(".")
        owner = sys.modules.get(module)
        for part in owners:
            owner = getattr(owner, part, None)
        if owner is not None and name in vars(owner):
            replaced.append((owner, name, vars(owner)[name]))
    try:
        for owner, name, _ in replaced:
            setattr(owner, name, refuse)
        yield
    finally:
        for owner, name, original in replaced:
            setattr(owner, name, original)


def _replace(request):
    """Put references in the place of the student's names: compiled code that runs here, or proxies.

    With `imitate` the references' functions return the kinds of array that the student's own return: a later answer that is
    right with the student's own NumPy arrays (`scores[hidden] = -1e9`) must not fail because a reference returns tensors.
    Where there is no function of the student's, because its cell failed, arrays give arrays.
    """
    namespace = _SHELL.user_ns
    students = {name: namespace.get(name) for name in request["names"]}
    if "code" in request:
        exec(_load_code(bytes.fromhex(request["code"])), namespace)
    namespace.update({name: _proxy(number) for name, number in request["offered"].items()})
    for name, own in students.items() if request["imitate"] else ():
        reference = namespace[name]
        if not isinstance(reference, type) and (own is None or callable(own) and not isinstance(own, type)):
            namespace[name] = _imitation(reference, own)


def _imitation(reference, own):
    def function(*args, **kwargs):
        result = reference(*args, **kwargs)
        try:
            model = own(*(_copy(a) for a in args), **{k: _copy(v) for k, v in kwargs.items()})
        except Exception:
            tensors = [a for a in (*args, *kwargs.values()) if _is_tensor(a)]
            model = result if tensors else _as_numpy(result)
        return _like(model, result)

    return function


def _copy(value):
    return value.copy() if isinstance(value, np.ndarray) else value


def _is_tensor(value):
    return type(value).__module__.split(".")[0] in ("tensorflow", "jax", "jaxlib", "torch", "keras")


def _as_numpy(value):
    if isinstance(value, (list, tuple)):
        return type(value)([_as_numpy(part) for part in value]) if type(value) in (list, tuple) else value
    if _is_tensor(value):
        import keras

        return keras.ops.convert_to_numpy(value)
    return value


def _like(model, value):
    """Return `value` in the kind of container that `model` is."""
    if isinstance(value, tuple):
        same = isinstance(model, tuple) and len(model) == len(value)
        return tuple(_like(m, v) for m, v in zip(model, value, strict=True)) if same else value
    if isinstance(model, (np.ndarray, np.generic)):
        return np.asarray(_as_numpy(value))
    if isinstance(model, (list, tuple)):
        return type(model)(np.asarray(_as_numpy(value)).tolist())
    return _as_tensor(value) if _is_tensor(model) and not _is_tensor(value) else value


def _as_tensor(value):
    import keras

    return keras.ops.convert_to_tensor(value)


def _ping(request):
    """Tell whether the kernel is fit to be asked, and how many cells it has run."""
    state = "alive"
    exec(compile("import json", "<probe>", "exec"), {})  # an audit hook may forbid even this
    keras = sys.modules.get("keras")
    if getattr(_SHELL, "exit_now", False):
        state = "ending"
    elif "keras" in _REMEMBERED and keras is not _REMEMBERED["keras"]:
        state = "without keras"
    elif _execution() != _EXECUTION:
        state = "spoilt"
    return [state, _SHELL.execution_count]


def _remember(request):
    """Remember what the locked cells defined: a `%reset` must not cost the later tasks."""
    _REMEMBERED.update(
        {k: v for k, v in _SHELL.user_ns.items() if type(k) is str and k[:1] != "_" and k not in _NOT_REMEMBERED}
    )


def _show(request):
    """From now on cells are only shown."""
    _SHOW(True)


def _call(request):
    function = _resolve(request["name"])
    args, kwargs = _arguments(request)
    return _encode(function(*args, **kwargs))


def _make(request):
    constructor = _resolve(request["name"])
    args, kwargs = _arguments(request)
    made = constructor(*args, **kwargs)
    return _keep(made)


def _build(request):
    """Call a function that returns a model, and keep the model."""
    function = _resolve(request["name"])
    args, kwargs = _arguments(request)
    made = function(*args, **kwargs)
    if isinstance(made, type) or not callable(made) or not hasattr(made, "weights"):
        raise NotModel(type(made).__name__)
    return _keep(made)


def _define(request):
    """Execute a grader's code in a namespace of its own and keep what one of its functions returns."""
    namespace = {"__name__": "given"}
    exec(_load_code(bytes.fromhex(request["code"])), namespace)
    args, kwargs = _arguments(request)
    return _keep(namespace[request["name"]](*args, **kwargs))


def _keep(thing):
    number = _number()
    _OBJECTS[number] = thing
    return number


def _number():
    """Return a number for something that is kept; it tells nothing about how many there are."""
    return int.from_bytes(_random_bytes(4), "big")


def _invoke(request):
    layer = _OBJECTS[request["id"]]
    args, kwargs = _arguments(request)
    with _without(request.get("forbidden", ())):
        return _encode(layer(*args, **kwargs))


def _clone(request):
    layer = _OBJECTS[request["id"]]
    return _keep(type(layer).from_config(layer.get_config()))


_KERAS_BOOKKEEPING = ("trainable_variables", "non_trainable", "tracker", "layers", "losses", "metrics")


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
        if isinstance(thing, (list, tuple)):
            children = [(f"{prefix}[{i}]", child) for i, child in enumerate(thing)]
        elif isinstance(thing, dict):
            children = [(f"{prefix}[{k!r}]", child) for k, child in thing.items()]
        elif hasattr(thing, "__dict__"):
            attributes = dict(vars(thing))
            inner = attributes.pop("_modules", None)  # where PyTorch keeps the layers among a layer's attributes
            attributes.update(inner if isinstance(inner, dict) else {})
            public = [(k.lstrip("_"), v) for k, v in attributes.items()]
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
    return [(paths.get(id(w), f"weights[{i}]"), w) for i, w in enumerate(weights)]


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


def _distinct_weights(layer):
    return list({id(weight): weight for weight in layer.weights}.values())


def _values(request):
    """Return [name, shape, trainable] of every weight, each variable once, and all values in one row."""
    layer = _OBJECTS[request["id"]]
    weights = _distinct_weights(layer)
    trainable = {id(w) for w in layer.trainable_weights}
    rows = [[str(getattr(w, "path", ""))[-100:], [int(n) for n in w.shape], id(w) in trainable] for w in weights]
    values = [np.ravel(_to_array(w)).astype(np.float64) for w in weights]
    return [rows, _encode(np.concatenate(values) if values else np.zeros(0))]


def _set_values(request):
    """Set every weight from all values in one row."""
    row, start = _decode(request["values"]), 0
    for weight in _distinct_weights(_OBJECTS[request["id"]]):
        shape = tuple(weight.shape)
        size = math.prod(shape)
        weight.assign(row[start : start + size].reshape(shape))
        start += size


def _assign(request):
    layer = _OBJECTS[request["id"]]
    known = dict(_weight_paths(layer))
    for path, value in request["values"].items():
        variable = known[path] if path in known else _variable(layer, path)
        variable.assign(_decode(value))


def _read(request):
    return _encode(_to_array(_variable(_OBJECTS[request["id"]], request["path"])))


_LIMITS = {"answer_bytes": 50_000_000, "memory_bytes": 2 << 30}
_MEMORY = {"before": 0}  # bytes of this process when nothing that JAX compiled was kept


def _limit(request):
    _LIMITS.update({name: int(request[name]) for name in _LIMITS})
    _MEMORY["before"] = _anonymous_bytes()


_OPERATIONS = {
    "ping": _ping,
    "remember": _remember,
    "limit": _limit,
    "show": _show,
    "call": _call,
    "make": _make,
    "build": _build,
    "define": _define,
    "replace": _replace,
    "invoke": _invoke,
    "clone": _clone,
    "weights": _weights,
    "assign": _assign,
    "read": _read,
    "values": _values,
    "set_values": _set_values,
}
