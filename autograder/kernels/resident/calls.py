"""Calls between two kernels: proxies of the other one's functions, and what it calls back. The wire is told of in the package."""

import os

from autograder.kernels.resident import state, values, wire
from autograder.kernels.resident.errors import NotNumbers, describe, error_of

_PROXIES = []  # for as long as the kernel lives: a student's code may tell them apart by their `id`
_process = os.getpid  # kept here, because a student's code may replace it in its module


def proxy(function):
    """Return a function that calls the other kernel's of that number; what that is made of isn't here."""

    def component(*args, **kwargs):
        passed = {}
        try:
            content = {
                "args": [_pack(a, passed) for a in args],
                "kwargs": {k: _pack(v, passed) for k, v in kwargs.items()},
            }
        except NotNumbers as error:
            kind = ValueError if str(error) == "too large" else TypeError
            raise kind(f"This takes arrays, tensors, numbers, texts and functions. Received: {error}.") from None
        call = b"W%08x" % function + wire.packed(content)
        if len(call) > state.LIMITS["answer_bytes"]:
            raise ValueError(f"This takes at most {state.LIMITS['answer_bytes']} bytes of numbers at once.")
        state.PASSED_FUNCTIONS.update(passed)
        try:
            result = converse(call)
        finally:
            for number in passed:
                state.PASSED_FUNCTIONS.pop(number, None)
        if "error" in result:
            raise error_of(result["error"])
        return decode(result["ok"])

    _PROXIES.append(component)
    return component


def converse(message):
    """Send a call to the other kernel and return its result; do what is called back in between."""
    while True:
        with state.CHANNEL_LOCK:
            if state.CURRENT.get("process") != _process():
                raise RuntimeError(
                    "This can be called only while a question is answered, in the process that was asked."
                )
            wire.send(state.CURRENT["channel"], message)
            received = wire.receive(state.CURRENT["channel"])
        if received[:1] == b"D":
            return wire.unpacked(received[1:])
        message = answer_call(received)


def answer_call(message):
    """Call a function for a proxy of the other kernel and return the reply."""
    number, passed = message[1:9], None
    try:
        if message[:1] != b"A":
            raise RuntimeError("This can't be asked while a proxy waits.")
        function, content = int(message[9:17], 16), wire.unpacked(message[17:])
        passed = state.PASSED_FUNCTIONS.get(function)
        args, kwargs = arguments(content)
        own = state.OBJECTS[function] if passed is None else passed
        result = {"ok": _pack(own(*args, **kwargs), state.OBJECTS)}
    except BaseException as error:
        result = {"error": describe(error)}
        if passed is not None:
            result["error"]["ticket"] = ticket = state.random_bytes(8).hex()
            state.RAISED[ticket] = error
    return b"R" + number + wire.packed(result)


def _pack(value, functions):
    """Encode a value for the other kernel: tensors are tensors again there, and what is put into `functions` can be called."""
    if callable(value):
        number = state.new_number()
        functions[number] = value
        return {"kind": "callable", "id": number}
    if isinstance(value, (tuple, list)) and (isinstance(value, tuple) or any(map(callable, value))):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {"kind": kind, "parts": [_pack(part, functions) for part in value]}
    if isinstance(value, float):
        return {"kind": "plain", "value": float(value)}
    encoded = values.encode(value)
    return {**encoded, "is_tensor": True} if values.is_tensor(value) else encoded


def decode(value):
    """Return what an encoded value stands for: arrays, proxies and kept objects included."""
    kind = value["kind"]
    if kind == "array":
        array = wire.array_of(value)
        return values.as_tensor(array) if value.get("is_tensor") else array
    if kind == "callable":
        return proxy(value["id"])
    if kind in ("tuple", "list"):
        return (tuple if kind == "tuple" else list)(decode(part) for part in value["parts"])
    if kind == "object":
        return state.OBJECTS[value["id"]]
    return value["value"]


def arguments(request):
    """Return a request's positional and named arguments."""
    return [decode(v) for v in request["args"]], {k: decode(v) for k, v in request["kwargs"].items()}
