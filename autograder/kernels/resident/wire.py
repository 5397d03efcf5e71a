"""Messages on a descriptor.

A message is the size of its JSON header in 4 bytes (big endian), the header, and the bytes of its arrays, which stand in the header
as [start, size]. The grader packs its messages, and reads arrays, with the same functions.
"""

import json
import math
import os
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

HEADER_BYTES = 1 << 18  # of a reply, at most

# Kept here, because a student's code may replace the originals in their modules.
_loads, _dumps = json.loads, json.dumps
_read_bytes, _write_bytes = os.read, os.write
_array, _dtype, _product = np.ndarray, np.dtype, math.prod
_names_numbers = re.compile(r"[<>|][biufc]\d{1,2}").fullmatch  # another type's bytes may be addresses


def packed_array(array: np.ndarray) -> dict[str, Any]:
    """Return an array as a part of what `packed` takes.

    Raises:
        ValueError: it isn't one of numbers.
    """
    if not _names_numbers(array.dtype.str):
        raise ValueError(f"Arrays of numbers can be sent. Received: one of {array.dtype}.")
    return {"kind": "array", "dtype": array.dtype.str, "shape": list(array.shape), "bytes": array.tobytes()}


def array_of(part: Mapping[str, Any]) -> np.ndarray:
    """Return the array that an untrusted part of a message stands for; it may be written to.

    Raises:
        KeyError, TypeError, ValueError: it isn't an array of numbers, all of whose bytes are there.
    """
    dtype, shape, content = part["dtype"], part["shape"], part["bytes"]
    if not (isinstance(dtype, str) and _names_numbers(dtype) and isinstance(content, (bytes, memoryview))):
        raise ValueError("no array of numbers")
    if not (isinstance(shape, list) and all(type(size) is int and size >= 0 for size in shape)):
        raise ValueError("no shape")
    kind = _dtype(dtype)
    if len(content) != kind.itemsize * _product(shape):
        raise ValueError("not all of its bytes, or too many")
    return _array(shape, kind, content).copy()


def packed(content: Mapping[str, Any]) -> bytes:
    """Return a message of plain data and of bytes."""
    parts, size = [], 0

    def placed(part):
        nonlocal size
        if not isinstance(part, bytes):
            raise TypeError(f"A message holds plain data and bytes. Received: {type(part).__name__}.")
        start, size = size, size + len(part)
        parts.append(part)
        return [start, len(part)]

    header = _dumps(content, default=placed).encode()
    return b"".join([len(header).to_bytes(4, "big"), header, *parts])


def unpacked(message):
    """Return what a message holds, with the bytes in it where they belong."""
    message = memoryview(message)
    size = 4 + int.from_bytes(message[:4], "big")

    def with_bytes(found):
        if found.get("kind") == "array":
            start, length = found["bytes"]
            found["bytes"] = message[size + start : size + start + length]
        return found

    return _loads(bytes(message[4:size]), object_hook=with_bytes)


def send(channel, message):
    """Write a message with its length."""
    left = memoryview(len(message).to_bytes(4, "big") + message)
    while left:
        left = left[_write_bytes(channel, left) :]


def receive(channel):
    """Return the next message.

    Raises:
        EOFError: the other end is closed.
    """
    return _exactly(channel, int.from_bytes(_exactly(channel, 4), "big"))


def _exactly(channel, size):
    parts = []
    while size:
        part = _read_bytes(channel, min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
