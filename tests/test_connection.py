"""The worker's end of Jupyter's sockets, against libzmq's: what is said arrives, and nothing fills the worker's memory."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Coroutine, Iterator, Sequence
from pathlib import Path
from queue import Empty
from typing import Any

import psutil
import pytest
import zmq
from jupyter_client.session import DELIM, Session

from autograder.kernels.connection import MAX_PARTS, SMALL_BYTES, JupyterChannel, ZmtpSocket

CONTENT = 100_000
MESSAGE = [b"topic", DELIM, b"signature", b"header", b"parent", b"metadata", b"content"]
GREETING = b"\xff" + bytes(7) + b"\x01\x7f\x03\x00NULL" + bytes(48)
READY = b"\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x03PUB"


def within(seconds: float, coroutine: Coroutine[Any, Any, Any]) -> Any:
    async def wait() -> Any:
        return await asyncio.wait_for(coroutine, seconds)

    return asyncio.run(wait())


@pytest.fixture
def peer(tmp_path: Path) -> Iterator[tuple[zmq.Socket[bytes], ZmtpSocket]]:
    """Yields a publisher of libzmq's and a connection to it that hears everything."""
    context = zmq.Context()
    publisher = context.socket(zmq.XPUB)
    publisher.bind(f"ipc://{tmp_path}/s")
    connection = ZmtpSocket(f"{tmp_path}/s", "SUB", CONTENT)
    with pytest.raises(Empty):
        within(9, connection.receive(0.2))
    assert publisher.poll(5000) and publisher.recv() == b"\x01"
    yield publisher, connection
    connection.close()
    context.destroy(linger=0)


@pytest.fixture
def raw(tmp_path: Path) -> Iterator[tuple[socket.socket, ZmtpSocket]]:
    """Yields a peer that can send anything, greeted, and a connection to it."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{tmp_path}/s")
        listener.listen()
        connection = ZmtpSocket(f"{tmp_path}/s", "SUB", CONTENT)
        accepted, _ = listener.accept()
        accepted.sendall(GREETING + READY)
        with accepted:
            yield accepted, connection
        connection.close()


def receive(connection: ZmtpSocket) -> Sequence[bytes]:
    parts: Sequence[bytes] = within(9, connection.receive(5))
    return parts


def test_messages_arrive_in_order(peer: tuple[zmq.Socket[bytes], ZmtpSocket]) -> None:
    publisher, connection = peer
    messages = [[*MESSAGE[:6], str(number).encode() * number] for number in range(300)]
    for message in messages:
        publisher.send_multipart(message)
    assert [receive(connection) for _ in messages] == messages


def test_a_message_is_sent_to_a_peer_that_is_not_there_yet(tmp_path: Path) -> None:
    context = zmq.Context()
    router = context.socket(zmq.ROUTER)
    router.bind(f"ipc://{tmp_path}/s")
    connection = ZmtpSocket(f"{tmp_path}/s", "DEALER", CONTENT)
    connection.send_multipart([b"a", b"b" * 1_000_000])
    with pytest.raises(Empty):
        within(9, connection.receive(0.5))
    assert router.poll(5000)
    identity, *parts = router.recv_multipart()
    assert parts == [b"a", b"b" * 1_000_000]
    router.send_multipart([identity, b"back"])
    assert receive(connection) == [b"back"]
    connection.close()
    context.destroy(linger=0)


def test_of_a_content_too_large_everything_else_arrives(peer: tuple[zmq.Socket[bytes], ZmtpSocket]) -> None:
    publisher, connection = peer
    publisher.send_multipart([*MESSAGE[:6], b"c" * (CONTENT + 1), b"a buffer"])
    publisher.send_multipart(MESSAGE)
    assert receive(connection) == [*MESSAGE[:6], b"", b"a buffer"]
    assert connection.left_out == CONTENT + 1
    assert receive(connection) == MESSAGE


def test_other_parts_are_small_and_few(peer: tuple[zmq.Socket[bytes], ZmtpSocket]) -> None:
    publisher, connection = peer
    publisher.send_multipart([*MESSAGE[:3], b"h" * (SMALL_BYTES + 1), *MESSAGE[4:]])
    publisher.send_multipart(MESSAGE + [b"b"] * 5000)
    publisher.send_multipart(MESSAGE)
    assert receive(connection) == [*MESSAGE[:3], b"", *MESSAGE[4:]]
    assert receive(connection) == (MESSAGE + [b"b"] * 5000)[:MAX_PARTS]
    assert receive(connection) == MESSAGE
    assert connection.left_out == 0


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 1000, 10_000_000])
def test_a_message_without_an_end_fills_no_memory(raw: tuple[socket.socket, ZmtpSocket], size: int) -> None:
    accepted, connection = raw
    accepted.setblocking(False)
    frame = memoryview((b"\x03" + size.to_bytes(8, "big") + bytes(size)) * (30_000_000 // (size + 9)))
    before, sent = psutil.Process().memory_info().rss, 0
    while sent < len(frame):
        with pytest.raises(Empty):
            within(9, connection.receive(0.01))
        sent += _sent(accepted, frame[sent:])
    assert psutil.Process().memory_info().rss < before + 10_000_000


def _sent(accepted: socket.socket, content: memoryview) -> int:
    try:
        return accepted.send(content)
    except BlockingIOError:
        return 0


def test_nothing_is_read_while_nobody_asks(raw: tuple[socket.socket, ZmtpSocket]) -> None:
    accepted, connection = raw
    accepted.setblocking(False)
    with pytest.raises(BlockingIOError):
        for _ in range(100):
            accepted.sendall(b"\x00\xff" + bytes(255) + b"\x00\x01a" * 10_000)
    connection.drain(5)
    assert accepted.send(b"\x00") == 1


def test_a_peer_that_takes_nothing_holds_nobody_up(raw: tuple[socket.socket, ZmtpSocket]) -> None:
    _, connection = raw
    with pytest.raises(Empty):
        within(9, connection.receive(0.05))
    connection.send_multipart([b"x" * 20_000_000])
    with pytest.raises(Empty):
        within(9, connection.receive(0.05))


@pytest.mark.parametrize("said", [b"", b"\x06" + (1 << 40).to_bytes(8, "big")], ids=["goes", "a command of a terabyte"])
def test_a_peer_that_goes_or_speaks_otherwise_is_told(raw: tuple[socket.socket, ZmtpSocket], said: bytes) -> None:
    accepted, connection = raw
    accepted.sendall(said) if said else accepted.close()
    with pytest.raises(ConnectionError):
        receive(connection)


def test_reading_may_be_given_up_anywhere(raw: tuple[socket.socket, ZmtpSocket]) -> None:
    accepted, connection = raw
    whole = b"".join(bytes((0 if part is MESSAGE[-1] else 1, len(part))) + part for part in MESSAGE)
    for byte in whole[:-1]:
        accepted.sendall(bytes((byte,)))
        with pytest.raises(Empty):
            within(9, connection.receive(0.001))
    accepted.sendall(whole[-1:])
    assert receive(connection) == MESSAGE


@pytest.mark.parametrize(("kind", "content"), [("execute_reply", {"status": "ok"}), ("stream", {})])
def test_a_channel_tells_what_was_left_out(
    raw: tuple[socket.socket, ZmtpSocket], kind: str, content: dict[str, str]
) -> None:
    accepted, connection = raw
    session = Session()
    channel = JupyterChannel(connection, session)
    for text in ("a", "b" * CONTENT):
        message = session.msg(kind, {"text": text})
        parts = session.serialize(message)
        frames = [b"\x03" + len(part).to_bytes(8, "big") + part for part in parts]
        accepted.sendall(b"".join([*frames[:-1], b"\x02" + frames[-1][1:]]))
    first = within(9, channel.get_msg(5))
    assert (first["msg_type"], first["content"], first["left_out"]) == (kind, {"text": "a"}, 0)
    second = within(9, channel.get_msg(5))
    assert second["content"] == content and second["left_out"] > CONTENT
