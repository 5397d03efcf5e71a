"""Kernels forked from a warm process: ready in a fraction of the time that importing TensorFlow takes."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner

from autograder.errors import MachineError

PROGRAM = Path(__file__).with_name("warm_process.py")
PASSED_ON = ("PATH", "LANG", "LC_ALL", "HOME", "LD_LIBRARY_PATH")
READY_SECONDS = 180.0
FORK_SECONDS = 20.0


class WarmProcess:
    """One warm process of this process; made on first use, ended with it."""

    def __init__(self, backend: str) -> None:
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        # one BLAS thread: a process with threads can't be forked safely
        environment |= {
            "KERAS_BACKEND": backend,
            "OPENBLAS_NUM_THREADS": "1",
            "TF_CPP_MIN_LOG_LEVEL": "3",
            "CUDA_VISIBLE_DEVICES": "",
        }
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", str(PROGRAM), str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
                cwd="/",
                start_new_session=True,
            )
        self._receive(READY_SECONDS)

    @property
    def is_alive(self) -> bool:
        """Whether kernels can be forked."""
        return self._process.poll() is None

    def fork(self, connection_file: str, cwd: str, env: dict[str, str]) -> WarmChild:
        """Return a fresh kernel process."""
        with self._lock:
            self._socket.send(json.dumps({"connection_file": connection_file, "cwd": cwd, "env": env}).encode())
            return WarmChild(int(self._receive(FORK_SECONDS)["pid"]))

    def close(self) -> None:
        """End the warm process; its kernels die with it."""
        self._socket.close()
        self._process.kill()
        self._process.wait()

    def _receive(self, seconds: float) -> dict[str, Any]:
        self._socket.settimeout(seconds)
        try:
            message = self._socket.recv(1 << 16)
        except OSError as error:
            self.close()
            raise MachineError(f"The warm process did not answer within {seconds:g} s: {error}") from error
        if not message:
            self.close()
            raise MachineError("The warm process ended while it imported or forked.")
        reply: dict[str, Any] = json.loads(message)
        return reply


class WarmChild:
    """A forked kernel with the part of `subprocess.Popen` that jupyter_client uses; it is another process's child."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid
        try:
            self._pidfd = os.pidfd_open(pid)
        except ProcessLookupError:
            self._pidfd = -1

    def poll(self) -> int | None:
        """Return None while the process runs."""
        if self._pidfd < 0:
            return -signal.SIGKILL
        ended, _, _ = select.select([self._pidfd], [], [], 0)
        return -signal.SIGKILL if ended else None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and kill what is left of the process's group."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("kernel", timeout or 0.0)
            time.sleep(0.005)
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1
            with contextlib.suppress(OSError):  # the group may be gone with its leader
                os.killpg(self.pid, signal.SIGKILL)
        return -signal.SIGKILL

    def send_signal(self, number: int) -> None:
        """Send a signal to the process itself, if it still runs."""
        if self._pidfd >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, number)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)


class WarmProvisioner(LocalProvisioner):
    """A jupyter_client provisioner whose kernels are forked from the warm process of this process."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Fork instead of starting `cmd`, which is only read for its connection file."""
        env = dict(kwargs["env"])
        child = warm_process(env.get("KERAS_BACKEND", "tensorflow")).fork(
            cmd[cmd.index("-f") + 1], str(kwargs["cwd"]), env
        )
        self.process = child
        self.pid = self.pgid = child.pid
        return self.connection_info


_processes: dict[tuple[int, str], WarmProcess] = {}
_making = threading.Lock()


def warm_process(backend: str) -> WarmProcess:
    """Return this process's warm process for a backend, a new one if it ended."""
    key = (os.getpid(), backend)
    with _making:
        if key not in _processes or not _processes[key].is_alive:
            _processes[key] = WarmProcess(backend)
        return _processes[key]


@atexit.register
def _close_all() -> None:
    for (pid, _), process in _processes.items():
        if pid == os.getpid():
            process.close()
