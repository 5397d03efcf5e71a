"""Both ends of the connection to a warm process, without one: late replies, and kernels that are gone."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from autograder.course import Limits
from autograder.errors import MachineError
from autograder.kernels import warm, warm_process
from autograder.kernels.session import KernelSession
from autograder.kernels.warm import WarmProcess
from autograder.kernels.warm_process import KernelServer
from autograder.sealing import watch
from autograder.sealing.layers import none


@contextmanager
def a_server(folder: Path) -> Iterator[tuple[WarmProcess, socket.socket]]:
    """Yield a connection and its other end, which has greeted and does nothing by itself."""
    address = str(folder / "s")
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        listener.listen()
        ends: list[socket.socket] = []

        def greet() -> None:
            ends.append(listener.accept()[0])
            ends[0].send(json.dumps({"layers": none().to_json(), "threads": 1}).encode())

        greeting = threading.Thread(target=greet)
        greeting.start()
        connection = WarmProcess(address)
        greeting.join()
    yield connection, ends[0]
    connection.close()
    ends[0].close()


def reply(end: socket.socket, **content: object) -> None:
    """Answer the oldest request that waits."""
    end.send(json.dumps({"request": json.loads(end.recv(1 << 16))["request"], **content}).encode())


def test_a_reply_that_came_too_late_is_not_the_next_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "ANSWER_SECONDS", 0.1)
    with a_server(tmp_path) as (connection, end):
        with pytest.raises(MachineError, match=r"did not answer within 0\.1 s"):
            connection.request({"do": "interrupt", "number": 1})
        reply(end)
        answering = threading.Thread(target=reply, args=(end,), kwargs={"reason": "memory"})
        answering.start()
        assert connection.request({"do": "end", "number": 1}) == {"reason": "memory"}
        answering.join()


def test_a_request_that_fails_is_told_under_its_number() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        server = object.__new__(KernelServer)
        server._grader = theirs

        def fail(number: int) -> str:
            raise OSError("no such kernel")

        server._end = fail  # type: ignore[method-assign]
        ours.send(json.dumps({"do": "end", "number": 1, "request": 7}).encode())
        assert server._answer()
        assert json.loads(ours.recv(1 << 16)) == {"request": 7, "error": "no such kernel"}


def test_interrupting_a_kernel_that_has_just_ended_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = os.fork()
    if gone == 0:
        os._exit(0)
    os.waitpid(gone, 0)
    server: Any = object.__new__(KernelServer)
    server._kernels = {1: warm_process._Kernel(gone, -1, -1, None, inner=gone)}  # type: ignore[arg-type]
    monkeypatch.setattr(warm_process, "descendants", lambda process: [gone])
    server._interrupt(1)


def test_the_folder_goes_whatever_fails_at_the_end_of_a_kernel(tmp_path: Path) -> None:
    class Child:
        reason = ""

        def kill(self) -> None:
            raise KeyError("reason")

    session: Any = KernelSession(Limits(), "tensorflow")
    session._folder = str(tmp_path / "scratch")
    session._child = Child()
    (tmp_path / "scratch").mkdir()
    session.close()
    assert not (tmp_path / "scratch").exists() and session.reason == "KeyError: 'reason'"


class Hidden:
    """A process that hides its memory map; `ended` once that has been seen."""

    def __init__(self, *, ended: bool) -> None:
        self._ended = ended

    def memory_full_info(self) -> None:
        raise psutil.AccessDenied(1)

    def memory_info(self) -> Any:
        if self._ended:
            raise psutil.NoSuchProcess(1)
        return type("Info", (), {"rss": 70})()


def test_a_process_that_ends_while_its_memory_is_counted_counts_nothing() -> None:
    processes: Any = [Hidden(ended=True), Hidden(ended=False)]
    assert watch._proportional_bytes(processes, 50) == 20
