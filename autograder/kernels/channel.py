"""The grader's end of the probe's channel: one question, one reply, each within its deadline.

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
_HEADER_BYTES = 1 << 20
# What a kernel is told that has a wish when its time is up.
_STOPPED = b'D{"error": {"kinds": ["KeyboardInterrupt"], "text": ""}}'

Reply = dict[str, Any]
# Calls the function of a number with what a kernel wishes, within some seconds, and returns what it gave, both unread. Any
# exception ends the question, `TimeoutError` because its time is up.
Serve = Callable[[int, bytes, float], bytes]
_WISH = re.compile(rb"W([0-9a-f]{8})(.*)", re.DOTALL)


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
        answer_bytes: a longer array isn't read.
    """

    def __init__(self, connection: socket.socket, ended: int, interrupt: Callable[[], None], answer_bytes: int) -> None:
        self._connection = connection
        self._ended = ended
        self._interrupt = interrupt
        self._reply_bytes = 2 * answer_bytes + _HEADER_BYTES  # base64, and the object around it
        self._number = 0
        self._is_lost = False
        connection.setblocking(False)

    def ask(self, request: Mapping[str, Any], seconds: float, serve: Serve | None = None) -> Reply:
        """Put a question to the resident and return its reply, an untrusted JSON object.

        Args:
            request: the question.
            seconds: until the reply must be there, with everything that the kernel wishes before.
            serve: does what the kernel wishes; without it a wish is no reply.

        Raises:
            Unanswered: no reply in time, the kernel ended, or the reply isn't one.
        """
        self._number += 1
        number = self._number
        reply = self._converse(json.dumps({**request, "number": number}).encode(), seconds, serve)
        try:
            content = json.loads(reply)
        except (ValueError, RecursionError):
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
