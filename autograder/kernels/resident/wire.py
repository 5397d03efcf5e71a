"""Messages: JSON after its length in 4 bytes (big endian), and the bytes in it, on a descriptor."""

import json
import os

# Kept here, because a student's code may replace the originals in their modules.
_loads, _dumps = json.loads, json.dumps
_read_bytes, _write_bytes = os.read, os.write


def packed(content):
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


def unpacked(message):
    """Return what a message holds, with the bytes in it where they belong."""
    message = memoryview(message)
    size = 4 + int.from_bytes(message[:4], "big")

    def with_bytes(found):
        if found.get("kind") == "array":
            start, length = found["npy"]
            found["npy"] = message[size + start : size + start + length]
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
