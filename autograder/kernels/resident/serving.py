"""Questions put to a student's kernel and their answers: what the resident does, by name."""

import contextlib
import importlib
import io
import marshal
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from autograder.kernels.resident import calls, repair, state, weights, wire
from autograder.kernels.resident.calls import arguments
from autograder.kernels.resident.errors import ForbiddenReached, NotDefined, NotModel, NotNumbers, describe
from autograder.kernels.resident.imitation import imitation_of
from autograder.kernels.resident.values import encode

_QUICK = contextlib.nullcontext  # set by `install`: in what each question is answered
_SHOW = bool  # set by `install`: is told whether what follows is only shown
_NOT_REMEMBERED = ("In", "Out", "exit", "quit")
# Kept here, because a student's code may replace the originals in their modules.
_process, _load_code = os.getpid, marshal.loads
_set_handler, _on_interrupt = signal.signal, signal.default_int_handler


def install(shell: Any, quick: Callable = contextlib.nullcontext, show: Callable = bool) -> None:
    """Take possession of a fresh kernel, before the student's first cell.

    Args:
        shell: this kernel's IPython shell.
        quick: makes the context in which a question is answered.
        show: called with True once the cells that follow are only shown.
    """
    global _QUICK, _SHOW
    state.shell, _QUICK, _SHOW = shell, quick, show
    state.NAMESPACE.clear()
    state.NAMESPACE.update(shell.user_ns)
    repair.take_note()


def serve(channel):
    """Read one request from a descriptor, do it and write the reply; an interrupt ends what it calls.

    Raises:
        EOFError: the other end is closed.
    """
    request = wire.receive(channel)
    streams = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = _NOWHERE
    try:
        _set_handler(signal.SIGINT, _on_interrupt)
        state.CURRENT.update(channel=channel, process=_process())
        reply = answer(request)
        with state.CHANNEL_LOCK:  # a thread of the student's may be speaking
            state.CURRENT.clear()
    except KeyboardInterrupt as error:
        reply = wire.packed({"error": describe(error)})
    finally:
        _set_handler(signal.SIGINT, signal.SIG_IGN)
        state.CURRENT.clear()
        state.RAISED.clear()
        sys.stdout, sys.stderr = streams
    wire.send(channel, reply)


class _Nowhere(io.TextIOBase):
    """Swallows what answers print: nobody reads it."""

    def write(self, text):
        return len(text)


_NOWHERE = _Nowhere()


def answer(request: bytes) -> bytes:
    """Do one request (bytes) and return the reply (bytes)."""
    number = -1
    repair.restore()
    try:
        repair.forget_compiled()
        if request[:1] == b"A":
            with _QUICK():
                return calls.answer_call(request)
        request = wire.unpacked(request)
        number = request.get("number")
        with _QUICK():
            reply = wire.packed({"number": number, "ok": _OPERATIONS[request["do"]](request)})
        if (
            int.from_bytes(reply[:4], "big") > wire.HEADER_BYTES
            or len(reply) > state.LIMITS["answer_bytes"] + wire.HEADER_BYTES
        ):
            raise NotNumbers("too large")
        return reply
    except BaseException as error:
        return wire.packed({"number": number, "error": describe(error)})


def _resolve(name):
    namespace = state.shell.user_ns
    if name.startswith("keras."):
        module, _, attribute = name.rpartition(".")
        return getattr(importlib.import_module(module), attribute)
    if name not in namespace:
        raise NotDefined(name)
    return namespace[name]


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
    namespace = state.shell.user_ns
    students = {name: namespace.get(name) for name in request["names"]}
    if "code" in request:
        exec(_load_code(bytes.fromhex(request["code"])), namespace)
    namespace.update({name: calls.proxy(number) for name, number in request["offered"].items()})
    for name, own in students.items() if request["imitate"] else ():
        reference = namespace[name]
        if not isinstance(reference, type) and (own is None or callable(own) and not isinstance(own, type)):
            namespace[name] = imitation_of(reference, own)


def _ping(request):
    """Tell whether the kernel is fit to be asked, and how many cells it has run."""
    fitness = "alive"
    exec(compile("import json", "<probe>", "exec"), {})  # an audit hook may forbid even this
    keras = sys.modules.get("keras")
    if getattr(state.shell, "exit_now", False):
        fitness = "ending"
    elif "keras" in state.REMEMBERED and keras is not state.REMEMBERED["keras"]:
        fitness = "without keras"
    elif repair.is_spoilt():
        fitness = "spoilt"
    return [fitness, state.shell.execution_count]


def _remember(request):
    """Remember what the locked cells defined: a `%reset` must not cost the later tasks."""
    state.REMEMBERED.update(
        {k: v for k, v in state.shell.user_ns.items() if type(k) is str and k[:1] != "_" and k not in _NOT_REMEMBERED}
    )


def _forget(request):
    """Forget what cells defined and questions made, and what was remembered: other cells of the course's own follow."""
    namespace = state.shell.user_ns
    namespace.clear()
    namespace.update(state.NAMESPACE)
    for table in (state.OBJECTS, state.PASSED_FUNCTIONS, state.RAISED, state.REMEMBERED):
        table.clear()
    saving = getattr(sys.modules.get("keras"), "saving", None)
    if saving is not None:
        saving.get_custom_objects().clear()


def _show(request):
    """From now on cells are only shown."""
    _SHOW(True)


def _call(request):
    function = _resolve(request["name"])
    args, kwargs = arguments(request)
    return encode(function(*args, **kwargs))


def _make(request):
    constructor = _resolve(request["name"])
    args, kwargs = arguments(request)
    return state.keep(constructor(*args, **kwargs))


def _build(request):
    """Call a function that returns a model, and keep the model."""
    function = _resolve(request["name"])
    args, kwargs = arguments(request)
    model = function(*args, **kwargs)
    if isinstance(model, type) or not callable(model) or not hasattr(model, "weights"):
        raise NotModel(type(model).__name__)
    return state.keep(model)


def _define(request):
    """Execute a grader's code in a namespace of its own and keep what one of its functions returns."""
    namespace = {"__name__": "given"}
    exec(_load_code(bytes.fromhex(request["code"])), namespace)
    args, kwargs = arguments(request)
    return state.keep(namespace[request["name"]](*args, **kwargs))


def _invoke(request):
    layer = state.OBJECTS[request["id"]]
    args, kwargs = arguments(request)
    with _without(request.get("forbidden", ())):
        return encode(layer(*args, **kwargs))


def _clone(request):
    layer = state.OBJECTS[request["id"]]
    return state.keep(type(layer).from_config(layer.get_config()))


_OPERATIONS = {
    "ping": _ping,
    "remember": _remember,
    "limit": repair.limit,
    "forget": _forget,
    "show": _show,
    "call": _call,
    "make": _make,
    "build": _build,
    "define": _define,
    "replace": _replace,
    "invoke": _invoke,
    "clone": _clone,
    "weights": weights.paths,
    "assign": weights.assign,
    "read": weights.read,
    "values": weights.values,
    "set_values": weights.set_values,
}
