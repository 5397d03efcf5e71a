"""The grader's end of the probe's channel: one question, one reply, each within its deadline.

`resident.wire` says what a message is. A reply that is nothing but JSON can't grow to gigabytes when it is read, and arrays travel
as they are.

While a kernel works on its reply it may call functions of another kernel: see `kernels.proxies`.
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

from autograder.kernels.resident.wire import HEADER_BYTES, packed

INTERRUPT_SECONDS = 3.0

Reply = dict[str, Any]
# Passes a kernel's call on to another kernel: (number of the function, packed arguments, seconds that it may take) -> packed result.
# Neither arguments nor result are read by the grader. Any exception ends the question, `TimeoutError` because its time is up.
Relay = Callable[[int, bytes, float], bytes]
_REMOTE_CALL = re.compile(rb"W([0-9a-f]{8})(.*)", re.DOTALL)


def unpacked(message: bytes) -> Any:
    """Return what an untrusted message holds: JSON in which an array's `bytes` are these bytes.

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
            start, length = _place(found.get("bytes"))
            left -= length  # many arrays of the same bytes would be much more than was sent
            found["bytes"] = arrays[start : start + length] if left >= 0 else None
        return found

    try:
        return json.loads(message[4 : 4 + size], object_hook=with_bytes)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _place(value: Any) -> tuple[int, int]:
    """Return [start, size] of an array's bytes in a message, each 0 if the value is something else."""
    if isinstance(value, list) and len(value) == 2 and all(type(n) is int and n >= 0 for n in value):
        return value[0], value[1]
    return 0, 0


# What a kernel gets that waits for another one when its time is up.
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

    def ask(self, request: Mapping[str, Any], seconds: float, relay: Relay | None = None) -> Reply:
        """Put a question to the resident and return its reply, an untrusted JSON object with arrays as bytes.

        Args:
            request: the question.
            seconds: how long the reply may take, with all calls of functions of another kernel.
            relay: passes these calls on to the other kernel; None if there is none, and a call then counts as no reply.

        Raises:
            Unanswered: no reply in time, the kernel ended, or the reply isn't one.
        """
        self._number += 1
        number = self._number
        reply = self._converse(packed({**request, "number": number}), seconds, relay)
        try:
            content = unpacked(reply)
        except ValueError:
            raise Unanswered("garbled") from None
        if not isinstance(content, dict) or content.pop("number", None) != number:
            raise Unanswered("garbled")
        return content

    def apply(self, function: int, content: bytes, seconds: float, relay: Relay) -> bytes:
        """Call a function of this kernel for another kernel and return the packed result.

        Args:
            function: number of the function.
            content: packed arguments, which aren't read.
            seconds: how long the call may take.
            relay: passes on what this kernel calls of the other one meanwhile.

        Raises:
            Unanswered: as `ask`.
        """
        self._number += 1
        number = b"%08x" % self._number
        reply = self._converse(b"A" + number + b"%08x" % function + content, seconds, relay)
        if reply[:9] != b"R" + number:
            raise Unanswered("garbled")
        return reply[9:]

    def _converse(self, message: bytes, seconds: float, relay: Relay | None) -> bytes:
        """Send a message and return the reply; relay the kernel's calls of another one in between."""
        if self._is_lost:
            raise Unanswered("timeout")
        deadline = time.monotonic() + seconds
        try:
            self._send(message, deadline)
            reply = self._receive(deadline)
            while relay is not None and (call := _REMOTE_CALL.fullmatch(reply)):
                result = self._relayed(relay, int(call[1], 16), call[2], deadline)
                self._send(b"D" + result, deadline)
                reply = self._receive(deadline)
        except TimeoutError:
            self._interrupt()
            self._end_the_wait()
            raise Unanswered("timeout") from None
        return reply

    def _relayed(self, relay: Relay, function: int, content: bytes, deadline: float) -> bytes:
        try:
            return relay(function, content, deadline - time.monotonic())
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
            while _REMOTE_CALL.match(self._receive(deadline)):
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
