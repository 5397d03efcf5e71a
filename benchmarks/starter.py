"""Starts `nbgrader` commands without its imports' seconds: each is a fork of one process that has imported it."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.classes import environment

READY = b"ready"


@dataclass
class Command:
    """A command that was started.

    Attributes:
        pid: its process, which leads a group of its own.
    """

    pid: int
    _socket: socket.socket
    _status: int | None = None

    def wait(self, seconds: float | None = None) -> int | None:
        """Return its exit status, negative if a signal ended it; None if it still runs after some seconds."""
        if self._status is not None:
            return self._status
        self._socket.settimeout(seconds)
        try:
            self._status = int(self._socket.recv(64))
        except TimeoutError:
            return None
        self._socket.close()
        return self._status


class Starter:
    """A process that has imported nbgrader and forks."""

    def __init__(self) -> None:
        own, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.starter", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env=environment(),
                cwd=Path(__file__).resolve().parent.parent,
            )
        self._socket = own
        if own.recv(64) != READY:
            raise RuntimeError("The starter could not import nbgrader: see above.")

    def start(self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], log: Path) -> Command:
        """Start `nbgrader ARGUMENTS` in a folder; what it says is added to a log."""
        mine, childs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        request = [list(arguments), str(folder), dict(environment), str(log)]
        with childs:
            socket.send_fds(self._socket, [json.dumps(request).encode()], [childs.fileno()])
        return Command(int(mine.recv(64)), mine)

    def close(self) -> None:
        """End it; commands that still run go on."""
        self._socket.close()
        self._process.wait()


@contextmanager
def starter() -> Iterator[Starter]:
    """Run a starter."""
    made = Starter()
    try:
        yield made
    finally:
        made.close()


def _serve(requests: socket.socket) -> None:
    import nbgrader.apps

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait for the commands
    requests.send(READY)
    while True:
        message, descriptors, _, _ = socket.recv_fds(requests, 1 << 17, 1)
        if not message:
            return
        if os.fork() == 0:
            requests.close()
            _run(nbgrader.apps.NbGraderApp, *json.loads(message), reply=socket.socket(fileno=descriptors[0]))
        os.close(descriptors[0])


def _run(
    app: Any, arguments: list[str], folder: str, environment: dict[str, str], log: str, reply: socket.socket
) -> None:
    """Fork the command, tell its process id, wait for it and tell its status; never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if pid:
        reply.send(str(pid).encode())
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with contextlib.suppress(OSError):
            reply.send(str(status).encode())
        os._exit(0)
    reply.close()
    os.setsid()
    said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for number in (1, 2):
        os.dup2(said, number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["nbgrader", *arguments]
    code: Any = 1
    try:
        app.launch_instance(arguments)
        code = 0
    except SystemExit as end:
        code = end.code or 0
    except BaseException:  # noqa: BLE001  (it is the end of a program: told, and nothing above may go on)
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        atexit._run_exitfuncs()  # they end warm processes
        os._exit(code if isinstance(code, int) else 1)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
