"""The grader's end of the probe's channel: one question, one reply, each within its deadline.

A message is the size of its JSON header in 4 bytes, the header, and the bytes of its arrays, which stand in the header as
[start, size]. So a reply that is nothing but JSON can't grow to gigabytes when it is read, and arrays travel as they are.

While a kernel works on its reply it may have wishes, functions of another kernel to be called: see `kernels.proxies`.
"""

from __future__ import annotations

import contextlib
import json
import re
import select
import socket
import time
from collections.abc import Callable, Mapping
from typing import Any

INTERRUPT_SECONDS = 3.0
HEADER_BYTES = 1 << 18  # of a reply; `resident.serving` has the same

Reply = dict[str, Any]
# Calls the function of a number with what a kernel wishes, within some seconds, and returns what it gave, both unread. Any
# exception ends the question, `TimeoutError` because its time is up.
Serve = Callable[[int, bytes, float], bytes]
_WISH = re.compile(rb"W([0-9a-f]{8})(.*)", re.DOTALL)


def packed(content: Mapping[str, Any]) -> bytes:
    """Return a message of plain data and of bytes."""
    parts: list[bytes] = []

    def placed(part: Any) -> list[int]:
        if not isinstance(part, bytes):
            raise TypeError(f"A message holds plain data and bytes. Received: {type(part).__name__}.")
        start = sum(map(len, parts))
        parts.append(part)
        return [start, len(part)]

    header = json.dumps(content, default=placed).encode()
    return b"".join((len(header).to_bytes(4, "big"), header, *parts))


def unpacked(message: bytes) -> Any:
    """Return what an untrusted message holds: JSON in which an array's `npy` is the bytes that it stands for.

    Raises:
        ValueError: it isn't a message.
    """
    size = int.from_bytes(message[:4], "big")
    if size > min(HEADER_BYTES, len(message) - 4):
        raise ValueError("the header is too large")
    arrays = memoryview(message)[4 + size :]
    left = len(arrays)

    def with_bytes(found: dict[str, Any]) -> dict[str, Any]:
        nonlocal left
        if found.get("kind") == "array":
            start, length = _place(found.get("npy"))
            left -= length  # many arrays of the same bytes would be much more than was sent
            found["npy"] = arrays[start : start + length] if left >= 0 else None
        return found

    try:
        return json.loads(message[4 : 4 + size], object_hook=with_bytes)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _place(told: Any) -> tuple[int, int]:
    """Return where bytes begin, and how many they are; none if that isn't told."""
    if isinstance(told, list) and len(told) == 2 and all(type(n) is int and n >= 0 for n in told):
        return told[0], told[1]
    return 0, 0


# What a kernel is told that has a wish when its time is up.
_STOPPED = b"D" + packed({"error": {"kinds": ["KeyboardInterrupt"], "text": ""}})


class Unanswered(Exception):
    """The kernel gave no answer to a question.

    Attributes:
        reason: `timeout`, `died` or `garbled`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ProbeChannel:
    """Asks the resident of one kernel over a socket.

    Args:
        connection: the grader's end.
        ended: descriptor that is readable once the kernel has ended.
        interrupt: interrupts what the kernel is doing.
        answer_bytes: size of all arrays of a reply together; a larger reply isn't read.
    """

    def __init__(self, connection: socket.socket, ended: int, interrupt: Callable[[], None], answer_bytes: int) -> None:
        self._connection = connection
        self._ended = ended
        self._interrupt = interrupt
        self._reply_bytes = answer_bytes + HEADER_BYTES
        self._number = 0
        self._is_lost = False
        connection.setblocking(False)

    def ask(self, request: Mapping[str, Any], seconds: float, serve: Serve | None = None) -> Reply:
        """Put a question to the resident and return its reply, an untrusted JSON object with arrays as bytes.

        Args:
            request: the question.
            seconds: how long the reply may take, with everything that the kernel wishes before.
            serve: does what the kernel wishes; None: a wish counts as no reply.

        Raises:
            Unanswered: no reply in time, the kernel ended, or the reply isn't one.
        """
        self._number += 1
        number = self._number
        reply = self._converse(packed({**request, "number": number}), seconds, serve)
        try:
            content = unpacked(reply)
        except ValueError:
            raise Unanswered("garbled") from None
        if not isinstance(content, dict) or content.pop("number", None) != number:
            raise Unanswered("garbled")
        return content

    def apply(self, function: int, content: bytes, seconds: float, serve: Serve) -> bytes:
        """Call a function of the kernel with what another kernel wishes, and return what it gave.

        Raises:
            Unanswered: as `ask`.
        """
        self._number += 1
        number = b"%08x" % self._number
        reply = self._converse(b"A" + number + b"%08x" % function + content, seconds, serve)
        if reply[:9] != b"R" + number:
            raise Unanswered("garbled")
        return reply[9:]

    def _converse(self, message: bytes, seconds: float, serve: Serve | None) -> bytes:
        """Send a message and return the reply; fulfil wishes in between."""
        if self._is_lost:
            raise Unanswered("timeout")
        deadline = time.monotonic() + seconds
        try:
            self._send(message, deadline)
            reply = self._receive(deadline)
            while serve is not None and (wish := _WISH.fullmatch(reply)):
                given = self._served(serve, int(wish[1], 16), wish[2], deadline)
                self._send(b"D" + given, deadline)
                reply = self._receive(deadline)
        except TimeoutError:
            self._interrupt()
            self._end_the_wait()
            raise Unanswered("timeout") from None
        return reply

    def _served(self, serve: Serve, function: int, content: bytes, deadline: float) -> bytes:
        try:
            return serve(function, content, deadline - time.monotonic())
        except BaseException as error:
            with contextlib.suppress(TimeoutError, Unanswered):
                self._send(_STOPPED, time.monotonic() + INTERRUPT_SECONDS)
            self._end_the_wait()
            if isinstance(error, TimeoutError):
                raise Unanswered("timeout") from None
            raise

    def _end_the_wait(self) -> None:
        """Read the reply of a kernel that was interrupted or told to stop, so that the next question gets its own.

        If there is none, nothing can be asked any more.
        """
        if self._is_lost:
            return
        deadline = time.monotonic() + INTERRUPT_SECONDS
        try:
            while _WISH.match(self._receive(deadline)):
                self._send(_STOPPED, deadline)
        except (TimeoutError, Unanswered):
            self._is_lost = True

    def _send(self, message: bytes, deadline: float) -> None:
        left = memoryview(len(message).to_bytes(4, "big") + message)
        while left:
            self._wait(deadline, writing=True)
            try:
                left = left[self._connection.send(left) :]
            except BlockingIOError:
                continue
            except OSError:
                raise Unanswered("died") from None

    def _receive(self, deadline: float) -> bytes:
        size = int.from_bytes(self._exactly(4, deadline), "big")
        if size > self._reply_bytes:
            raise Unanswered("garbled")
        return self._exactly(size, deadline)

    def _exactly(self, size: int, deadline: float) -> bytes:
        parts: list[bytes] = []
        while size:
            self._wait(deadline, writing=False)
            try:
                part = self._connection.recv(min(size, 1 << 20))
            except BlockingIOError:
                continue
            except OSError:
                raise Unanswered("died") from None
            if not part:
                raise Unanswered("died")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _wait(self, deadline: float, *, writing: bool) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        own = self._connection.fileno()
        readable, writable, _ = select.select(
            [self._ended] if writing else [self._ended, own], [own] if writing else [], [], left
        )
        if readable == [self._ended] and not writable:
            raise Unanswered("died")

    def close(self) -> None:
        """Close the grader's end."""
        self._connection.close()
