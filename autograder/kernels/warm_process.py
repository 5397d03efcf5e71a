"""The program of a warm process: imports what every notebook imports, then forks sealed kernels.

Run as `python -P -m autograder.kernels.warm_process CONTROL LISTENER`, two descriptors: the end of CONTROL ends this
process and all its kernels; every connection to LISTENER gets a fork of this process of its own, which serves one
grader. Messages are JSON objects over SOCK_SEQPACKET:

    (greeting)            {"layers": …, "threads": …}
    {"do": "fork", …}     with descriptors: a kernel; {"number": n, "pid": …}
    {"do": "interrupt"}   SIGINT for kernel `number`; {}
    {"do": "pause"}       stops kernel `number`, which isn't watched then; {"used_up": …} names a bound of which it has used a good part
    {"do": "resume"}      lets it go on; {}
    {"do": "end", …}      kills kernel `number` with all its descendants; {"reason": …} tells how it had ended before, for
                          which it waits a moment if `has_ended` says that it seems to have

A reply repeats its request's number, `request`: who has given up waiting for one doesn't take it for the next.

It only imports: a process that has run one TensorFlow operation has thread pools, and its forks hang. It holds
nothing of the course: no grader, no secret, no other student's data.
"""

import array
import contextlib
import gc
import importlib
import importlib.util
import json
import os
import select
import signal
import socket
import sys
import time
from dataclasses import dataclass, replace
from typing import Any

from autograder.base.imports import as_if_not_installed
from autograder.kernels import quick_keras
from autograder.sealing import linux
from autograder.sealing.filesystem import remember_the_machine
from autograder.sealing.held_memory import processes
from autograder.sealing.layers import Layers, detect_layers
from autograder.sealing.memory_group import MemoryGroup
from autograder.sealing.sealed_process import Bounds, Seal, run_sealed
from autograder.sealing.users import claim_user
from autograder.sealing.watch import INTERVAL_SECONDS, descendants, end_children, exceeded_bound

PRELOADED = (
    *("numpy", "matplotlib", "matplotlib.figure", "matplotlib.pyplot", "matplotlib.backends.backend_agg"),
    *("ipykernel.ipkernel", "ipykernel.zmqshell", "ipykernel.debugger", "ipykernel.jsonutil", "comm", "psutil"),
    *("IPython.core.magics", "IPython.core.completer", "IPython.core.completerlib", "IPython.core.pylabtools"),
    *("IPython.core.debugger", "IPython.core.logger", "IPython.core.oinspect", "IPython.extensions.storemagic"),
    *("tornado.platform.asyncio", "zmq.utils.garbage"),
    "autograder.kernels.kernel_process",
)
MESSAGE_BYTES = 1 << 20
REASON_SECONDS = 0.5  # until a kernel that has ended by itself has told how
GOOD_PART = 4  # a kernel that has used a quarter of a bound has used a good part of it


def preload(backend: str) -> None:
    """Import the usual modules; a module that is missing or broken is the kernel's affair."""
    # Keras's `get_config` imports TensorFlow on every backend, where it is installed: seconds in each kernel
    also = ("tensorflow",) if importlib.util.find_spec("tensorflow") else ()
    # TensorFlow imports JAX, half a second, for a converter that nothing here uses
    with contextlib.nullcontext() if backend == "jax" else as_if_not_installed("jax"):
        for name in (*PRELOADED, backend, "keras", *also):
            try:
                importlib.import_module(name)
            except Exception as error:  # noqa: BLE001  (a broken module may raise anything)
                print(f"warm process: {name} could not be imported: {error}", file=sys.stderr)
    quick_keras.install()
    _draw()
    if backend == "tensorflow":
        with contextlib.suppress(Exception):  # by names that TensorFlow may change; without it kernels are only slower
            _make_tables()


def _draw() -> None:
    """Draw one picture, as far from pyplot's state as can be: the first one costs fonts, colours and encoders."""
    import io

    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    figure.colorbar(axes.imshow([[0.0, 1.0]]))
    axes.plot([0, 1])
    axes.set_title("first")
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")


def _make_tables() -> None:
    """Make the tables of operations and kernels that TensorFlow otherwise makes for its first tensor, in 20 ms, in each kernel."""
    kernels: Any = importlib.import_module("tensorflow.python.framework.kernels")
    op_def_registry: Any = importlib.import_module("tensorflow.python.framework.op_def_registry")
    op_def_registry.get("a name that is unknown")  # the first one makes a list of all operations
    kernels.get_registered_kernels_for_op("MatMul")


def serve(control: socket.socket, listener: socket.socket, layers: Layers) -> None:
    """Fork a server per connection, until CONTROL ends; return once every server has ended its kernels."""
    for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    remember_the_machine()
    sys.modules["autograder.kernels.kernel_process"].choose_forgotten()
    gc.freeze()  # no collection over the preloaded objects: the children would copy their pages
    threads = len(os.listdir("/proc/self/task"))
    greeting = json.dumps({"layers": layers.to_json(), "threads": threads}).encode()
    while True:
        ready, _, _ = select.select([control, listener], [], [])
        if control in ready:
            break
        grader, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # it outlives this process until it has ended its kernels
            grader.send(greeting)
            KernelServer(grader, control, layers).serve()
            os._exit(0)
        grader.close()
    with contextlib.suppress(ChildProcessError):
        os.wait()  # as SIGCHLD is ignored, it returns when there is no child any more


@dataclass
class _Kernel:
    """A forked kernel: its processes, and what is known of its end.

    Attributes:
        outer: id of the outermost process, a child of this one.
        ended: descriptor that is readable once `outer` has ended.
        report: descriptor of the pipe through which `run_sealed` reports; -1 once it is closed.
        seal: how the kernel is sealed.
        inner: id of the process whose death ends all the others; 0 until it is reported.
        reason: how the kernel has ended; empty while that isn't known.
        unread: the beginning of a report whose end hasn't come yet.
        is_paused: whether the kernel's processes are stopped.
        claim: descriptor that holds the kernel's own user; -1 where it has none.
    """

    outer: int
    ended: int
    report: int
    seal: Seal
    inner: int = 0
    reason: str = ""
    unread: bytes = b""
    is_paused: bool = False
    claim: int = -1

    @property
    def scratch(self) -> str | None:
        """The folder in which its files count against its bounds; None where a namespace holds them."""
        return None if self.seal.layers.namespaces else self.seal.home


class KernelServer:
    """Forks, watches and ends the kernels of one grader."""

    def __init__(self, grader: socket.socket, control: socket.socket, layers: Layers) -> None:
        self._grader = grader
        self._control = control
        self._layers = layers
        self._kernels: dict[int, _Kernel] = {}
        self._count = 0
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)  # a kernel's init is adopted when its parent is killed

    def serve(self) -> None:
        """Do what the grader asks, until it or CONTROL goes; then end every kernel."""
        watch_at = 0.0
        while True:
            reports = [kernel.report for kernel in self._kernels.values() if kernel.report >= 0]
            running = [kernel for kernel in self._kernels.values() if not (kernel.reason or kernel.is_paused)]
            ready, _, _ = select.select(
                [self._grader.fileno(), self._control.fileno(), *reports],
                [],
                [],
                max(0.0, min(INTERVAL_SECONDS, watch_at - time.monotonic())) if running else None,
            )
            if self._control.fileno() in ready:
                break
            for kernel in self._kernels.values():
                if kernel.report in ready:
                    _read_report(kernel)
            if running and time.monotonic() >= watch_at:
                watch_at = time.monotonic() + self._watch(running)
            if self._grader.fileno() in ready and not self._answer():
                break
        for number in list(self._kernels):
            self._end(number)

    def _answer(self) -> bool:
        """Do the grader's next request; return whether the grader is still there."""
        reply: dict[str, Any] = {}
        try:
            message, descriptors = _receive(self._grader)
            if not message:
                return False
            request = json.loads(message)
            reply["request"] = request["request"]
            if request["do"] == "fork":
                reply |= self._fork(request, descriptors)
            elif request["do"] == "interrupt":
                self._interrupt(request["number"])
            elif request["do"] == "pause":
                reply["used_up"] = self._pause(request["number"])
            elif request["do"] == "resume":
                self._set_paused(request["number"], False)
            elif request["do"] == "end":
                reply["reason"] = self._end(request["number"], bool(request.get("has_ended")))
            self._grader.send(json.dumps(reply).encode())
        except OSError as error:
            return _send_failure(self._grader, {**reply, "error": str(error)})
        return True

    def _fork(self, request: dict[str, Any], descriptors: list[int]) -> dict[str, int]:
        self._count += 1
        bounds, layers = Bounds(**request["bounds"]), self._layers
        user, claim = claim_user(os.getpid() + self._count) if layers.own_user else (0, -1)
        try:
            group = MemoryGroup(layers.memory_group, self._count, bounds.memory_bytes) if layers.memory_group else None
        except OSError:
            os.close(claim) if claim >= 0 else None
            raise
        seal = Seal(layers, bounds, request["folder"], tuple(request["hidden"]), user, group)
        reading, writing = os.pipe()
        outer = os.fork()
        if outer == 0:
            channel, *listening = descriptors
            sockets = dict(zip(request["ports"], listening, strict=True))
            connection = request["connection"]

            def main() -> None:
                from autograder.kernels.kernel_process import become_kernel

                become_kernel(connection, sockets, channel)

            run_sealed(seal, _environment(seal, request["environment"]), descriptors, writing, main)
        os.close(writing)
        for descriptor in descriptors:
            os.close(descriptor)
        self._kernels[self._count] = _Kernel(outer, os.pidfd_open(outer), reading, seal, claim=claim)
        return {"number": self._count, "pid": outer}

    def _interrupt(self, number: int) -> None:
        kernel = self._kernels[number]
        below = descendants(kernel.inner) if kernel.inner else []
        if below and not kernel.reason:
            with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                os.kill(below[0], signal.SIGINT)

    def _pause(self, number: int) -> str:
        """Stop a kernel until it is resumed; return a bound of which it has used a good part, empty for none."""
        self._set_paused(number, True)
        kernel = self._kernels[number]
        bounds = kernel.seal.bounds
        part = replace(
            bounds, memory_bytes=bounds.memory_bytes // GOOD_PART, cpu_seconds=bounds.cpu_seconds / GOOD_PART
        )
        return exceeded_bound(kernel.inner, processes(), part, kernel.scratch, counts_memory=True)[0]

    def _set_paused(self, number: int, is_paused: bool) -> None:
        """Stop all processes of a kernel, or let them go on."""
        kernel = self._kernels[number]
        kernel.is_paused = is_paused
        for process in descendants(kernel.inner) if kernel.inner and not kernel.reason else ():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGSTOP if is_paused else signal.SIGCONT)

    def _watch(self, running: list[_Kernel]) -> float:
        """End kernels that exceed a bound; return the seconds until the next look."""
        table = processes()
        soonest = INTERVAL_SECONDS
        for kernel in running:
            if kernel.inner:
                seal = kernel.seal
                counts_memory = seal.memory_group is None
                reason, seconds = exceeded_bound(
                    kernel.inner, table, seal.bounds, kernel.scratch, counts_memory=counts_memory
                )
                if seal.memory_group is not None and seal.memory_group.has_killed():
                    reason = "memory"
                if reason and not kernel.reason:
                    kernel.reason = reason
                    self._kill(kernel)
                else:
                    soonest = min(soonest, seconds)
        return soonest

    def _end(self, number: int, has_ended: bool = False) -> str:
        kernel = self._kernels.pop(number)
        _read_report(kernel)
        if has_ended and not kernel.reason and kernel.report >= 0:
            select.select([kernel.report], [], [], REASON_SECONDS)
            _read_report(kernel)
        self._kill(kernel)
        _reap_until_ended(kernel.ended)
        os.close(kernel.ended)
        if kernel.report >= 0:
            os.close(kernel.report)
        if kernel.seal.memory_group is not None:
            if kernel.seal.memory_group.has_killed():
                kernel.reason = "memory"
            kernel.seal.memory_group.remove()
        if kernel.claim >= 0:
            os.close(kernel.claim)
        return kernel.reason

    def _kill(self, kernel: _Kernel) -> None:
        """Kill a kernel's processes: with its init, or, without a process namespace, as what its reaper's death leaves."""
        if not _is_readable(kernel.ended):  # else the number may be another process's by now
            with contextlib.suppress(ProcessLookupError):
                os.kill(kernel.inner or kernel.outer, signal.SIGKILL)
        if not kernel.seal.layers.namespaces:
            select.select([kernel.ended], [], [])
            end_children({kernel.outer, *(other.outer for other in self._kernels.values())})


def _is_readable(descriptor: int) -> bool:
    return bool(select.select([descriptor], [], [], 0)[0])


def _environment(seal: Seal, variables: dict[str, str]) -> dict[str, str]:
    """Return environment variables with those of folders, which depend on the seal."""
    home = seal.home
    return {
        **variables,
        "HOME": home,
        "TMPDIR": seal.temporary,
        "IPYTHONDIR": f"{home}/.ipython",
        "MPLCONFIGDIR": f"{home}/.config/matplotlib",
        "KERAS_HOME": f"{home}/.keras",
    }


def _read_report(kernel: _Kernel) -> None:
    while kernel.report >= 0 and _is_readable(kernel.report):
        part = os.read(kernel.report, 4096)
        if not part:
            os.close(kernel.report)
            kernel.report = -1
        kernel.unread += part
    *lines, kernel.unread = kernel.unread.split(b"\n")
    for line in lines:
        try:
            report = json.loads(line)
        except ValueError:
            continue
        kernel.inner = report.get("inner", kernel.inner)
        if "status" in report and not kernel.reason:
            kernel.reason = _reason_of(report["status"])
        if "error" in report:
            kernel.reason = f"not sealed: {report['error']}"


def _reason_of(status: int) -> str:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return "cpu" if number == signal.SIGXCPU else f"signal {signal.Signals(number).name}"
    return f"exit {os.WEXITSTATUS(status)}"


def _reap_until_ended(descriptor: int) -> None:
    """Wait until the child behind a descriptor has ended, if it hasn't been reaped with another one, and reap all others that have."""
    with contextlib.suppress(ChildProcessError):
        os.waitid(os.P_PIDFD, descriptor, os.WEXITED)
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _receive(connection: socket.socket) -> tuple[bytes, list[int]]:
    size = array.array("i").itemsize
    message, extra, _, _ = connection.recvmsg(MESSAGE_BYTES, socket.CMSG_SPACE(8 * size))
    descriptors = array.array("i")
    for level, kind, data in extra:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            descriptors.frombytes(data[: len(data) - len(data) % size])
    return message, list(descriptors)


def _send_failure(connection: socket.socket, failure: dict[str, Any]) -> bool:
    """Send a grader why its request failed; return whether the grader is still there."""
    try:
        connection.send(json.dumps(failure).encode())
    except OSError:
        return False
    return True


def main() -> None:
    """Look what the machine offers, import, then serve until the owner goes; SIGTERM ends it only while it imports."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # what it tries it also tidies up
    control, listener = (socket.socket(fileno=int(word)) for word in sys.argv[1:3])
    without = json.loads(sys.argv[3])
    layers = detect_layers(without)  # before anything could have started a thread
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    gc.disable()  # collections are a fifth of what the imports take, and find nothing
    preload(os.environ.get("KERAS_BACKEND", "tensorflow"))
    serve(control, listener, layers)
    os._exit(0)  # no teardown of what was imported: a quarter of a second


if __name__ == "__main__":
    main()
