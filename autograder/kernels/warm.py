"""Kernels forked from a warm process: ready in a fraction of the time that importing TensorFlow takes, and sealed."""

from __future__ import annotations

import array
import atexit
import contextlib
import fcntl
import importlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from autograder.base.errors import MachineError, SealError
from autograder.base.folders import remove_folder
from autograder.sealing.layers import GUARANTEES, HOW_TO_GET, Layers, is_supported_system
from autograder.sealing.sealed_process import Bounds

PROGRAM = "autograder.kernels.warm_process"
PASSED_VARIABLES = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH")
READY_SECONDS = 180.0
ANSWER_SECONDS = 20.0
END_SECONDS = 30.0  # on a busy machine many processes of many kernels are to end
WITHOUT_VARIABLE = "AUTOGRADER_SEAL_WITHOUT"
_FOLDER_PREFIX = "ag-warm-"
_PORTS = ("shell", "iopub", "stdin", "control")


class WarmProcess:
    """A process that has imported what notebooks import, and forks kernels; ended by `close` or with this process.

    Attributes:
        address: path of the Unix socket at which graders reach it.
    """

    def __init__(self, backend: str) -> None:
        if not is_supported_system():
            raise SealError(f"Students' code can't be sealed off on this system. {HOW_TO_GET}")
        _sweep()
        self._folder, self._lock = _locked_folder()
        self.address = os.path.join(self._folder, "s")
        self._control, control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(self.address)
        listener.listen(128)
        for cached in _matplotlib_font_caches():
            shutil.copy(cached, self._folder)
        environment = {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}
        # one BLAS thread: a process with threads can't be forked safely
        environment |= {
            "HOME": self._folder,
            "MPLCONFIGDIR": self._folder,
            "KERAS_BACKEND": backend,
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",  # Matplotlib reads it when it is imported
            "OPENBLAS_NUM_THREADS": "1",
            "TF_CPP_MIN_LOG_LEVEL": "3",
            "TF_ENABLE_ONEDNN_OPTS": "0",  # it looks at each eager operation: classes take up to 1.16 of the time
            "CUDA_VISIBLE_DEVICES": "",
        }
        without = [word for word in os.environ.get(WITHOUT_VARIABLE, "").split(",") if word]
        with control, listener:
            passed = (control.fileno(), listener.fileno(), self._lock)  # the lock lasts until both have ended
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", PROGRAM, *map(str, passed[:2]), json.dumps(without)],
                pass_fds=passed,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
                cwd="/",
                start_new_session=True,
            )

    @property
    def is_alive(self) -> bool:
        """Whether kernels can be forked."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the warm process, which first ends its kernels; at once if it is still importing."""
        self._control.close()
        self._process.terminate()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        remove_folder(self._folder)
        os.close(self._lock)


class WarmConnection:
    """A grader's connection to a warm process, which has forked a server for this connection.

    Attributes:
        layers: what the machine offers to seal with.
        threads: number of threads of the warm process; with more than one its forks aren't safe.
    """

    def __init__(self, address: str) -> None:
        self._lock = threading.Lock()
        self._requests = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._socket.connect(address)
        except OSError as error:
            self._socket.close()
            raise MachineError(f"The warm process could not be reached: {error}") from error
        greeting = _receive(self._socket, READY_SECONDS)
        self.layers, self.threads = Layers(**greeting["layers"]), int(greeting["threads"])

    def fork(self, launch: KernelLaunch, connection: Mapping[str, Any], listening: Sequence[int]) -> ForkedKernel:
        """Return a fresh sealed kernel.

        Args:
            launch: what the kernel needs besides its connection.
            connection: ip, ports, key and signature scheme, as in a Jupyter connection file.
            listening: descriptors of the listening shell, iopub, stdin and control sockets.
        """
        request = {
            "do": "fork",
            "folder": launch.folder,
            "connection": dict(connection),
            "ports": [connection[f"{name}_port"] for name in _PORTS],
            "environment": dict(launch.environment),
            "bounds": asdict(launch.bounds),
            "hidden": list(launch.hidden),
        }
        reply = self.request(request, [launch.channel.fileno(), *listening])
        return ForkedKernel(self, int(reply["number"]), int(reply["pid"]))

    def request(self, request: Mapping[str, Any], descriptors: Sequence[int] = ()) -> dict[str, Any]:
        """Send a request and return the reply.

        Raises:
            MachineError: no reply, or the request failed.
        """
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        with self._lock:
            self._requests += 1
            try:
                self._socket.sendmsg([json.dumps({**request, "request": self._requests}).encode()], rights)
            except OSError as error:
                raise MachineError(f"The warm process could not be reached: {error}") from error
            reply = _receive(self._socket, ANSWER_SECONDS, self._requests)
        if "error" in reply:
            raise MachineError(f"The warm process could not {request['do']} a kernel: {reply['error']}")
        return reply

    def close(self) -> None:
        """Let go of the server, which ends its kernels."""
        self._socket.close()


class ForkedKernel:
    """A forked kernel with the part of `subprocess.Popen` that jupyter_client uses; it is another process's child."""

    stdin = stdout = stderr = None

    def __init__(self, connection: WarmConnection, number: int, pid: int) -> None:
        self.pid = pid
        self.reason = ""
        self._connection = connection
        self._number = number
        self._is_over = False
        try:
            self._pidfd = os.pidfd_open(pid)
        except ProcessLookupError:
            self._pidfd = -1

    def fileno(self) -> int:
        """Return a descriptor that is readable once the kernel and everything that it started have ended."""
        return self._pidfd

    def poll(self) -> int | None:
        """Return None while the kernel runs."""
        if self._pidfd < 0 or select.select([self._pidfd], [], [], 0)[0]:
            return -signal.SIGKILL
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Return once nothing of the kernel is left."""
        self.kill()
        return -signal.SIGKILL

    def interrupt(self) -> None:
        """Send SIGINT to the kernel's own process."""
        if not self._is_over:
            self._connection.request({"do": "interrupt", "number": self._number})

    def pause(self) -> str:
        """Stop the kernel until `resume`; return a bound of which it has used a good part, such as `memory`, empty for none.

        Raises:
            MachineError: the warm process gave no answer.
        """
        return str(self._connection.request({"do": "pause", "number": self._number})["used_up"])

    def resume(self) -> None:
        """Let the kernel go on.

        Raises:
            MachineError: the warm process gave no answer.
        """
        self._connection.request({"do": "resume", "number": self._number})

    def send_signal(self, number: int) -> None:
        """Interrupt the kernel by SIGINT; any other signal ends it."""
        if number == signal.SIGINT:
            self.interrupt()
        elif number:
            self.kill()

    def kill(self, *, has_ended: bool = False) -> None:
        """End the kernel with everything that it started; `reason` then tells how it had ended by itself before.

        Args:
            has_ended: whether the kernel seems to have ended by itself, so that the reason may still be on the way.
        """
        if not self._is_over:
            self._is_over = True
            try:
                request = {"do": "end", "number": self._number, "has_ended": has_ended}
                self.reason = str(self._connection.request(request)["reason"])
            finally:
                if self._pidfd >= 0:
                    os.close(self._pidfd)
                    self._pidfd = -1

    terminate = kill


@dataclass(frozen=True)
class KernelLaunch:
    """What a kernel needs besides its connection; travels through jupyter_client to `WarmProvisioner`.

    Attributes:
        connection: the warm process that forks the kernel.
        folder: private folder with `work`, the kernel's files, and an empty `root`.
        environment: environment variables, without those of folders that depend on the seal.
        bounds: how much memory, processor time, disk and how many processes the kernel may use.
        hidden: folders that the kernel must not see.
        channel: the kernel's end of the probe's channel, closed by the provisioner once it is passed on.
    """

    connection: WarmConnection
    folder: str
    environment: Mapping[str, str]
    bounds: Bounds
    hidden: Sequence[str]
    channel: socket.socket


class WarmProvisioner(LocalProvisioner):
    """A jupyter_client provisioner whose kernels are forked from a warm process and sealed.

    The grader binds the kernel's sockets, so that a student's code can't put its own in their place.
    """

    parent: Any

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Fork instead of starting `cmd`."""
        manager = self.parent
        connection = {f"{name}_port": getattr(manager, f"{name}_port") for name in _PORTS}
        connection |= {"ip": manager.ip, "signature_scheme": manager.session.signature_scheme}
        connection["key"] = manager.session.key.decode()
        launch: KernelLaunch = kwargs["launch"]
        listening = [_listening(f"{manager.ip}-{connection[f'{name}_port']}") for name in _PORTS]
        try:
            self.process = launch.connection.fork(launch, connection, [each.fileno() for each in listening])
        finally:
            for passed in (launch.channel, *listening):
                passed.close()
        self.pid, self.pgid = self.process.pid, None
        return self.connection_info


def _locked_folder() -> tuple[str, int]:
    """Make a folder that is in use for as long as somebody has the descriptor open."""
    while True:
        folder = tempfile.mkdtemp(prefix=_FOLDER_PREFIX)
        # where one of these fails, another process's sweep was faster
        try:
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            if os.path.isdir(folder):
                return folder, lock
        os.close(lock)


def _sweep() -> None:
    """Remove the folders of warm processes that were killed together with their owners."""
    place = tempfile.gettempdir()
    for name in os.listdir(place):
        if name.startswith(_FOLDER_PREFIX):
            with contextlib.suppress(OSError):
                folder = os.path.join(place, name)
                lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
                try:
                    if os.fstat(lock).st_uid == os.geteuid():
                        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        remove_folder(folder)
                finally:
                    os.close(lock)


_start_lock = threading.Lock()
_addresses: dict[str, str] = {}
_warm_processes: dict[tuple[int, str], WarmProcess] = {}
_connections: dict[tuple[int, str], WarmConnection] = {}


def use_warm_process_at(backend: str, address: str) -> None:
    """Let this process's kernels come from a warm process that another process owns.

    Args:
        backend: Keras backend of the warm process.
        address: path of the warm process's Unix socket.
    """
    _addresses[backend] = address


def own_warm_process(backend: str) -> WarmProcess:
    """Return this process's own warm process for a backend, a new one if it ended."""
    key = (os.getpid(), backend)
    with _start_lock:
        if key not in _warm_processes or not _warm_processes[key].is_alive:
            _warm_processes[key] = WarmProcess(backend)
        return _warm_processes[key]


def start_ahead(backend: str) -> None:
    """Start this process's warm process, unless it uses another's: it imports while this process gets the rest ready.

    Whatever prevents that is told once a kernel is needed.
    """
    if backend not in _addresses:
        with contextlib.suppress(SealError, OSError):
            own_warm_process(backend)


def warm_connection(backend: str, accepted: Collection[str] = ()) -> WarmConnection:
    """Return this process's connection to a warm process: to its own, or to the one that `use_warm_process_at` named.

    Args:
        backend: Keras backend.
        accepted: guarantees that are knowingly done without.

    Raises:
        SealError: a guarantee is given by no layer of this machine.
        MachineError: the warm process did not get ready.
    """
    key = (os.getpid(), backend)
    if key not in _connections:
        _connections[key] = WarmConnection(_addresses.get(backend) or own_warm_process(backend).address)
        if _connections[key].layers.file_modes:  # what this process writes while students' code runs isn't for them
            os.umask(0o077)
    require(_connections[key].layers, accepted)
    return _connections[key]


def forget_connection(backend: str, failed: WarmConnection | None = None) -> None:
    """Let the next kernel of this process come from a new connection: the old one failed.

    Args:
        backend: Keras backend.
        failed: the connection that failed, None for whichever is in use; another one stays in use.
    """
    connection = _connections.get((os.getpid(), backend))
    if connection is not None and failed in (None, connection):
        del _connections[os.getpid(), backend]
        connection.close()


def require(layers: Layers, accepted: Collection[str]) -> None:
    """Refuse a machine on which a guarantee has no layer.

    Args:
        layers: what the machine offers to seal with.
        accepted: guarantees that are knowingly done without.

    Raises:
        SealError: a guarantee is missing; the text says which, why, how to get it and how to do without.
    """
    missing = layers.missing(accepted)
    if missing:
        guarantees = "; ".join(f"{name} ({GUARANTEES[name]})" for name in missing)
        reasons = "; ".join(f"{layer}: {reason}" for layer, reason in layers.reasons.items())
        raise SealError(
            f"Students' code can't be sealed off on this machine. Missing: {guarantees}. Why: {reasons}. {HOW_TO_GET} To grade "
            f"all the same, knowingly, name what you do without in course_config.py: "
            f"unsafe_allow_missing={tuple(missing)!r}."
        )


def close_all() -> None:
    """End this process's warm processes and kernels."""
    for connections in (_connections, _warm_processes):
        for key in [key for key in connections if key[0] == os.getpid()]:
            connections.pop(key).close()


atexit.register(close_all)


def _listening(path: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(16)
    return listener


def _receive(connection: socket.socket, seconds: float, request: int | None = None) -> dict[str, Any]:
    """Return the greeting, or the reply to the request of this number; replies to earlier ones came too late."""
    deadline = time.monotonic() + seconds
    while True:
        connection.settimeout(max(0.0, deadline - time.monotonic()))
        try:
            message = connection.recv(1 << 16)
        except OSError as error:
            raise MachineError(f"The warm process did not answer within {seconds:g} s: {error}") from error
        if not message:
            raise MachineError("The warm process ended while it imported or forked.")
        reply: dict[str, Any] = json.loads(message)
        if reply.pop("request", None) == request:
            return reply


@cache
def _matplotlib_font_caches() -> tuple[str, ...]:
    """Return Matplotlib's font list files, made if need be: without them the warm process would search the fonts."""
    import matplotlib

    importlib.import_module("matplotlib.font_manager")  # writes the list

    return tuple(str(path) for path in Path(matplotlib.get_cachedir()).glob("fontlist-*.json"))
