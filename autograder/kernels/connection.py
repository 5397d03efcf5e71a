"""The grader's end of a kernel's shell and iopub sockets: ZMTP 3.0, read only when it is asked for, within bounds.

libzmq reads on a thread of its own, as many parts of a message as come and of any size: a kernel could fill the grader's
memory with them while nobody looks. Here nothing is read ahead; what is left waits in the socket, and in the kernel.

A message is what Jupyter sends: addresses, `<IDS|MSG>`, signature, header, parent header, metadata, content, buffers. Of one
whose content is too large everything else is read: whoever waits for it goes on, and its bytes are counted.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable, Sequence
from queue import Empty
from typing import Any

from jupyter_client.session import DELIM, Session

SMALL_BYTES = 1 << 16  # of each part but the content
MAX_PARTS = 24  # that are kept of a message: addresses, the six parts of Jupyter's and some buffers
READ_BYTES = 1 << 16
# signature, version 3.0, mechanism, not as a server, filler
_GREETING = b"\xff" + bytes(7) + b"\x01\x7f" + b"\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
_MORE, _LONG, _COMMAND = 1, 2, 4
_CONTENT = 5  # the place of the content after the delimiter


class ZmtpSocket:
    """A ZMTP socket to one peer that listens at a path.

    Nothing that the peer sends makes it hold more than `content_bytes` and some small parts. Reading may be given up at any
    time, and goes on where it was.

    Args:
        path: where the peer's socket lies.
        kind: `SUB`, which subscribes to everything, or `DEALER`.
        content_bytes: largest content of a message; a larger content is dropped.

    Attributes:
        left_out: bytes of contents that weren't kept.
    """

    def __init__(self, path: str, kind: str, content_bytes: int) -> None:
        self.left_out = 0
        self._content_bytes = content_bytes
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.setblocking(False)
        self._unsent = bytearray(_GREETING)
        self._unread = bytearray()
        self._greeting_left = len(_GREETING)  # bytes of the peer's greeting that are still to come
        self._parts: list[bytes] = []
        self._skip_left = 0  # bytes of the present frame that are still to be thrown away
        self._delimiter = -1  # the place of the delimiter in the present message
        self._count = 0  # of the parts of the present message
        self._is_more = False
        ready = b"\x05READY" + _property("Socket-Type", kind) + _property("Identity", "")
        self._unsent += bytes((_COMMAND, len(ready))) + ready
        # what may be sent only once the peer is ready; a subscription to what begins with nothing
        self._after_ready: bytearray | None = bytearray(b"\x00\x01\x01" if kind == "SUB" else b"")
        try:
            self._socket.connect(path)
        except BaseException:
            self._socket.close()
            raise

    def send_multipart(self, parts: Sequence[Any], **_: Any) -> None:
        """Send a message, as far as the peer takes it now; the rest goes out while a message is waited for."""
        unsent = self._unsent if self._after_ready is None else self._after_ready
        for place, part in enumerate(parts, 1):
            content = bytes(part)
            more = _MORE if place < len(parts) else 0
            if len(content) < 256:
                unsent += bytes((more, len(content)))
            else:
                unsent += bytes((more | _LONG,)) + len(content).to_bytes(8, "big")
            unsent += content
        self._flush()

    async def receive(self, seconds: float | None) -> list[bytes]:
        """Return the next message.

        Raises:
            Empty: there is none in time.
            ConnectionError: the peer is gone, or doesn't speak ZMTP.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while True:
            message = self._next_message()
            if message is not None:
                return message
            self._flush()
            try:
                part = self._socket.recv(READ_BYTES)
            except BlockingIOError:
                await self._wait(deadline)
                continue
            if not part:
                raise ConnectionResetError("the kernel closed its socket")
            self._unread += part
            if deadline is not None and time.monotonic() > deadline:
                raise Empty  # a flood without an end
            await asyncio.sleep(0)

    def drain(self, seconds: float) -> None:
        """Throw away the messages that have come already, for so long at most."""
        self._flush()
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            while self._next_message() is not None:
                pass
            try:
                part = self._socket.recv(READ_BYTES)
            except OSError:
                return
            if not part:
                return
            self._unread += part

    def close(self, **_: Any) -> None:
        """Close the socket."""
        self._socket.close()
        self._unread.clear()
        self._parts.clear()

    # ------------------------------------------------------------------------------------------------------------------
    def _flush(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._unsent:
                del self._unsent[: self._socket.send(memoryview(self._unsent)[: 1 << 20])]

    async def _wait(self, deadline: float | None) -> None:
        """Return once there is something to read, or, if something is still to be sent, room for it."""
        loop, descriptor = asyncio.get_running_loop(), self._socket.fileno()
        ready = loop.create_future()

        def wake() -> None:
            if not ready.done():
                ready.set_result(None)

        loop.add_reader(descriptor, wake)
        if self._unsent:
            loop.add_writer(descriptor, wake)
        timer = loop.call_at(loop.time() + max(0.0, deadline - time.monotonic()), wake) if deadline else None
        try:
            await ready
        finally:
            loop.remove_reader(descriptor)
            loop.remove_writer(descriptor)
            if timer is not None:
                timer.cancel()
        if deadline is not None and time.monotonic() >= deadline:
            raise Empty

    def _next_message(self) -> list[bytes] | None:
        """Take the next message from what was read, None if that isn't whole yet."""
        while True:
            self._greeting_left -= self._throw_away(self._greeting_left)
            was_skipping = self._skip_left > 0
            self._skip_left -= self._throw_away(self._skip_left)
            if self._greeting_left or self._skip_left:
                return None
            if was_skipping and self._is_whole():
                return self._take_message()
            header = self._frame_header()
            if header is None:
                return None
            flags, start, size = header
            if flags & _COMMAND:
                if size > SMALL_BYTES:
                    raise ConnectionError("a command of ZMTP that is none")
                if len(self._unread) < start + size:
                    return None
                del self._unread[: start + size]
                if self._after_ready is not None:  # the peer is ready
                    self._unsent += self._after_ready
                    self._after_ready = None
                continue
            if size > self._bound():
                if self._part_index() == _CONTENT:
                    self.left_out += size
                del self._unread[:start]
                self._add(b"", flags)
                self._skip_left = size
                continue
            if len(self._unread) < start + size:
                return None
            part = bytes(memoryview(self._unread)[start : start + size])
            del self._unread[: start + size]
            self._add(part, flags)
            if self._is_whole():
                return self._take_message()

    def _throw_away(self, size: int) -> int:
        """Throw away up to so many bytes of what was read, and return how many."""
        taken = min(size, len(self._unread))
        del self._unread[:taken]
        return taken

    def _frame_header(self) -> tuple[int, int, int] | None:
        """Return flags, where the content starts, and its size."""
        if len(self._unread) < 2:
            return None
        flags = self._unread[0]
        if not flags & _LONG:
            return flags, 2, self._unread[1]
        if len(self._unread) < 9:
            return None
        return flags, 9, int.from_bytes(self._unread[1:9], "big")

    def _part_index(self) -> int:
        """Return the place of the next part after the delimiter, -1 before there is one."""
        return self._count - self._delimiter if self._delimiter >= 0 else -1

    def _bound(self) -> int:
        if self._count >= MAX_PARTS:
            return -1
        return self._content_bytes if self._part_index() == _CONTENT else SMALL_BYTES

    def _add(self, part: bytes, flags: int) -> None:
        if self._delimiter < 0 and part == DELIM:
            self._delimiter = self._count
        if self._count < MAX_PARTS:
            self._parts.append(part)
        self._count += 1
        self._is_more = bool(flags & _MORE)

    def _is_whole(self) -> bool:
        return self._count > 0 and not self._is_more

    def _take_message(self) -> list[bytes]:
        parts, self._parts, self._count, self._delimiter = self._parts, [], 0, -1
        return parts


def _property(name: str, value: str) -> bytes:
    return bytes((len(name),)) + name.encode() + len(value).to_bytes(4, "big") + value.encode()


class JupyterChannel:
    """What jupyter_client's clients send and get messages through.

    A message's signature isn't looked at: the student's code knows the key.
    """

    def __init__(self, connection: ZmtpSocket, session: Session, loop: Any = None) -> None:
        self.connection: ZmtpSocket | None = connection
        self.session = session

    async def get_msg(self, timeout: float | None = None) -> dict[str, Any]:
        """Return the next message, with `left_out`: bytes of its content if that was too large to be kept.

        The content is `{}` then, and of a reply that it went well.

        Raises:
            Empty: there is none in time.
            Exception: it isn't one of Jupyter's, or the kernel is gone.
        """
        connection = self.connection
        assert connection is not None
        before = connection.left_out
        parts = await connection.receive(timeout)
        message = _parsed(self.session.unpack, parts[parts.index(DELIM) + 2 :])
        message["left_out"] = connection.left_out - before
        if message["left_out"]:
            message["content"] = {"status": "ok"} if message["msg_type"].endswith("_reply") else {}
        return message

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        assert self.connection is not None
        sending: Any = self.connection  # of the socket only `send_multipart` is asked
        self.session.send(sending, message)

    def drain(self, seconds: float) -> None:
        """Throw away the messages that have come already, for so long at most."""
        assert self.connection is not None
        self.connection.drain(seconds)

    def is_alive(self) -> bool:
        """Whether it isn't closed."""
        return self.connection is not None

    def start(self) -> None:
        """Do nothing: it is open from the beginning."""

    def close(self) -> None:
        """Close it."""
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.close()

    stop = close


def _parsed(unpack: Callable[[bytes], Any], parts: Sequence[bytes]) -> dict[str, Any]:
    """Return a message of header, parent header, metadata and content, each JSON."""
    header, parent, metadata, content = (unpack(part) if part else {} for part in parts[:4])
    return {
        "header": header,
        "msg_id": header["msg_id"],
        "msg_type": header["msg_type"],
        "parent_header": parent,
        "metadata": metadata,
        "content": content,
        "buffers": [],
    }
