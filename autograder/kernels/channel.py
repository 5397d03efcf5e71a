"""The grader's end of the probe's channel: one question, one reply, each within its deadline."""

from __future__ import annotations

import json
import select
import socket
import time
from collections.abc import Callable, Mapping
from typing import Any

INTERRUPT_SECONDS = 3.0
_HEADER_BYTES = 1 << 20


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

    def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Put a question to the resident and return its reply, an untrusted JSON object.

        Raises:
            Unanswered: no reply in time, the kernel ended, or the reply isn't one.
        """
        self._number += 1
        question = json.dumps({**request, "number": self._number}).encode()
        deadline = time.monotonic() + seconds
        try:
            self._send(len(question).to_bytes(4, "big") + question, deadline)
            reply = self._receive(deadline)
        except TimeoutError:
            self._end_the_wait()
            raise Unanswered("timeout") from None
        try:
            content = json.loads(reply)
        except (ValueError, RecursionError):
            raise Unanswered("garbled") from None
        if not isinstance(content, dict) or content.pop("number", None) != self._number:
            raise Unanswered("garbled")
        return content

    def _end_the_wait(self) -> None:
        """Interrupt the answer and read what comes, so that the next question gets its own reply."""
        try:
            self._interrupt()
            self._receive(time.monotonic() + INTERRUPT_SECONDS)
        except (TimeoutError, Unanswered):
            pass  # whoever asks next finds out

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
