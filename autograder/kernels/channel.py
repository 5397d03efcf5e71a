"""The grader's end of the probe's channel: one question, one reply, each within its deadline.

While a kernel works on its reply it may want functions of another kernel called, one after another: see `kernels.proxies`.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import time
from collections.abc import Callable, Mapping
from typing import Any

INTERRUPT_SECONDS = 3.0
_HEADER_BYTES = 1 << 20
# What a kernel is told that wants something when its time is up.
_STOPPED = {"error": {"kinds": ["KeyboardInterrupt"], "text": ""}}

Reply = dict[str, Any]
# Does what a kernel wants (an untrusted object with `wants`) within some seconds, or raises `TimeoutError`; any exception ends
# the question.
Serve = Callable[[Mapping[str, Any], float], Mapping[str, Any]]


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
        connection.setblocking(False)

    def ask(self, request: Mapping[str, Any], seconds: float, serve: Serve | None = None) -> Reply:
        """Put a question to the resident and return its reply, an untrusted JSON object.

        Args:
            request: the question.
            seconds: until the reply must be there, with everything that the kernel wants before.
            serve: does what the kernel wants meanwhile; without it wanting anything is no reply.

        Raises:
            Unanswered: no reply in time, the kernel ended, or the reply isn't one.
        """
        self._number += 1
        number = self._number
        deadline = time.monotonic() + seconds
        try:
            self._send_object({**request, "number": number}, deadline)
            while True:
                content = self._receive_object(deadline)
                if serve is None or "wants" not in content:
                    break
                self._send_object(self._served(serve, content, deadline), deadline)
        except TimeoutError:
            self._end_the_wait(interrupts=True)
            raise Unanswered("timeout") from None
        if content.pop("number", None) != number:
            raise Unanswered("garbled")
        return content

    def _served(self, serve: Serve, content: Mapping[str, Any], deadline: float) -> Mapping[str, Any]:
        try:
            return serve(content, deadline - time.monotonic())
        except BaseException as error:
            with contextlib.suppress(TimeoutError, Unanswered):
                self._send_object(_STOPPED, time.monotonic() + INTERRUPT_SECONDS)
                self._end_the_wait(interrupts=False)
            if isinstance(error, TimeoutError):
                raise Unanswered("timeout") from None
            raise

    def _end_the_wait(self, *, interrupts: bool) -> None:
        """Read the reply that comes once the kernel is interrupted or told to stop, so that the next question gets its own."""
        deadline = time.monotonic() + INTERRUPT_SECONDS
        if interrupts:
            self._interrupt()
        try:
            while "wants" in self._receive_object(deadline):
                self._send_object(_STOPPED, deadline)
        except (TimeoutError, Unanswered):
            pass  # whoever asks next finds out

    def _send_object(self, content: Mapping[str, Any], deadline: float) -> None:
        message = json.dumps(content).encode()
        self._send(len(message).to_bytes(4, "big") + message, deadline)

    def _receive_object(self, deadline: float) -> Reply:
        try:
            content = json.loads(self._receive(deadline))
        except (ValueError, RecursionError):
            raise Unanswered("garbled") from None
        if not isinstance(content, dict):
            raise Unanswered("garbled")
        return content

    def _send(self, content: bytes, deadline: float) -> None:
        left = memoryview(content)
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
