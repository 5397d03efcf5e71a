"""Both ends of the connection to a warm process, without one: late replies, and kernels that are gone."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograder.base.errors import MachineError
from autograder.kernels import warm, warm_process
from autograder.kernels.session import KernelSession
from autograder.kernels.warm import WarmConnection
from autograder.kernels.warm_process import KernelServer
from autograder.sealing import sealed_process
from autograder.sealing.layers import no_layers
from autograder.sources.course import Limits


@contextmanager
def a_server(folder: Path) -> Iterator[tuple[WarmConnection, socket.socket]]:
    """Yield a connection and its other end, which has greeted and does nothing by itself."""
    address = str(folder / "s")
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        listener.listen()
        ends: list[socket.socket] = []

        def greet() -> None:
            ends.append(listener.accept()[0])
            ends[0].send(json.dumps({"layers": no_layers().to_json(), "threads": 1}).encode())

        greeting = threading.Thread(target=greet)
        greeting.start()
        connection = WarmConnection(address)
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

        def fail(number: int, has_ended: bool) -> str:
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

        def kill(self, *, has_ended: bool) -> None:
            raise KeyError("reason")

    session: Any = KernelSession(Limits(), "tensorflow")
    session._folder = str(tmp_path / "scratch")
    session._child = Child()
    (tmp_path / "scratch").mkdir()
    session.close()
    assert not (tmp_path / "scratch").exists() and session.reason == "KeyError: 'reason'"


def test_a_report_that_is_no_json_is_passed_over_and_a_long_one_keeps_its_form() -> None:
    reading, writing = os.pipe()
    os.write(writing, b'{"error": "cut off\n')
    sealed_process._write_report(writing, {"error": "\U0001f600" * 10_000})
    os.close(writing)
    kernel = warm_process._Kernel(-1, -1, reading, None)  # type: ignore[arg-type]
    warm_process._read_report(kernel)
    assert kernel.reason == "not sealed: " + "\U0001f600" * 300


@pytest.mark.course
def test_too_many_files_beside_a_notebook_leave_the_next_kernel_alone() -> None:
    few = replace(Limits(), disk_files=100)
    crowd = {f"a-file-with-a-name-{number:05}": b"" for number in range(300)}
    with pytest.raises(MachineError, match="could be started"), KernelSession(few, "tensorflow", crowd):
        pass
    with KernelSession(few, "tensorflow") as session:
        assert session.run("1", 20).exit == "ok"


@pytest.mark.course
@pytest.mark.parametrize("without", ["", "namespaces"])
def test_processes_of_one_kernel_keep_no_other_from_starting(without: str) -> None:
    """As its own user or in its own namespace, a kernel's processes count for it alone."""
    program = (
        "from dataclasses import replace\n"
        "from autograder.sources.course import Limits\n"
        "from autograder.kernels.session import KernelSession\n"
        "few = replace(Limits(), tasks=40)\n"
        "bomb = '''import os, time\nfor _ in range(200):\n    try:\n        if os.fork() == 0:\n"
        "            time.sleep(600)\n            os._exit(0)\n    except OSError:\n        break'''\n"
        "with KernelSession(few, 'tensorflow') as first:\n"
        "    first.run(bomb, 20)\n"
        "    for _ in range(2):\n"
        "        with KernelSession(few, 'tensorflow') as second:\n"
        "            print(second.run('1', 20).exit)\n"
    )
    environment = {**os.environ, "AUTOGRADER_SEAL_WITHOUT": without}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.stdout.split() == ["ok", "ok"], done.stderr


def test_the_folder_of_a_killed_warm_process_is_swept_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead, _ = warm._locked_folder()
    alive, lock = warm._locked_folder()
    os.close(_)
    (tmp_path / "ag-warm-link").symlink_to(tmp_path)
    warm._sweep()
    assert not os.path.exists(dead) and os.path.isdir(alive) and (tmp_path / "ag-warm-link").is_symlink()
    os.close(lock)


def test_a_folder_that_another_process_sweeps_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made: list[str] = []

    def make_folder(prefix: str) -> str:
        made.append(str(tmp_path / f"{prefix}{len(made)}"))
        os.mkdir(made[-1])
        if len(made) == 1:
            warm._sweep()
        return made[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", make_folder)
    folder, lock = warm._locked_folder()
    assert folder == made[1] and os.listdir(tmp_path) == [os.path.basename(folder)]
    os.close(lock)


@pytest.mark.course
@pytest.mark.parametrize("backend", ["tensorflow", "jax", "torch"])
def test_what_a_layer_of_keras_imports_late_is_imported_before_the_fork(backend: str) -> None:
    if importlib.util.find_spec(backend) is None:
        pytest.skip(f"{backend} is not installed")
    program = (
        "import sys\n"
        "from autograder.kernels.warm_process import preload\n"
        f"preload({backend!r})\n"
        "import keras\n"
        "before = set(sys.modules)\n"
        "keras.layers.Dense(3).get_config()\n"
        "print(len(set(sys.modules) - before))\n"
    )
    environment = {**os.environ, "KERAS_BACKEND": backend}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.stdout.split() == ["0"], done.stderr


@pytest.mark.course
def test_a_warm_process_that_still_imports_ends_at_once() -> None:
    process = warm.WarmProcess("tensorflow")
    process.close()
    assert process._process.returncode == -signal.SIGTERM
    assert not os.path.exists(process._folder)


@pytest.mark.course
def test_a_warm_process_that_is_ready_ends_only_with_its_owner() -> None:
    """SIGTERM, which `close` sends too, must leave it the time to end its kernels."""
    process = warm.WarmProcess("tensorflow")
    connection = WarmConnection(process.address)
    process._process.terminate()
    again = WarmConnection(process.address)
    assert process.is_alive
    for each in (connection, again, process):
        each.close()
    assert process._process.returncode == 0
