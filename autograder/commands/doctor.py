"""Looks whether this machine can grade: which layer gives each guarantee of the seal, and whether it holds.

Nothing is taken on trust: for every guarantee a sealed kernel tries to break it, and what happened is read outside.
"""

from __future__ import annotations

import dataclasses
import os
import socket
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

import autograder
from autograder.kernels.session import CellResult, KernelSession
from autograder.kernels.warm import warm_connection
from autograder.sealing import file_modes
from autograder.sealing.layers import GUARANTEES, Layers
from autograder.sources.course import Course, Limits

# Small bounds, so that reaching them takes no time.
BOUNDS = {"memory_bytes": 768 << 20, "tasks": 64, "disk_bytes": 16 << 20, "disk_files": 2000}
CELL_SECONDS = 30.0


@dataclass(frozen=True)
class Finding:
    """What was found about one guarantee.

    Attributes:
        guarantee: name of the guarantee.
        promise: (name, words) of what holds on this machine: the guarantee itself, or a weaker one.
        layer: the layer of the seal that gives the guarantee; empty if none does.
        broken: how a sealed kernel got around the guarantee; empty if it held.
        is_accepted: whether the course does without the guarantee.
    """

    guarantee: str
    promise: tuple[str, str]
    layer: str
    broken: str
    is_accepted: bool

    @property
    def is_good(self) -> bool:
        """Whether the guarantee is given, or knowingly done without."""
        return self.is_accepted or bool(self.layer and not self.broken)


@dataclass(frozen=True)
class Diagnosis:
    """What the machine offers, and what was found about each guarantee.

    Attributes:
        layers: the layers of the seal that this machine has.
        threads: number of threads of the warm process; with more than one its forks may hang.
        findings: one for each guarantee.
    """

    layers: Layers
    threads: int
    findings: tuple[Finding, ...]

    @property
    def is_good(self) -> bool:
        """Whether this machine can grade."""
        return all(finding.is_good for finding in self.findings)


def examine(course: Course) -> Diagnosis:
    """Try to break every guarantee on this machine, as far as there is a layer that gives it."""
    warm = warm_connection(course.backend, GUARANTEES)
    layers = warm.layers.guarantees()
    findings = []
    for guarantee, attack in ATTACKS.items():
        broken = attack(course) if layers[guarantee] else "no layer gives it"
        promise, is_accepted = warm.layers.promise(guarantee), guarantee in course.unsafe_allow_missing
        findings.append(Finding(guarantee, promise, layers[guarantee], broken, is_accepted))
    return Diagnosis(warm.layers, warm.threads, tuple(findings))


def _reading(course: Course) -> str:
    package = os.path.dirname(os.path.abspath(autograder.__file__))
    with _own_folder() as folder:
        paths = [str(folder / "own"), package, str(course.root), f"{course.root}/solutions"]
        paths += [f"{course.root}/course_config.py", str(Path.home()), "/etc/shadow", f"/proc/{os.getpid()}/environ"]
        paths += file_modes.SCRATCH_FOLDERS
        names = [path for path in paths if os.path.exists(path)]
        return _broken_by(
            course,
            f"""
            import os, sys
            shown = [sys.prefix, sys.base_prefix]  # the folders on the way there hold nothing else
            for path in {names!r}:
                try:
                    seen = set(os.listdir(path)) if os.path.isdir(path) else open(path, 'rb').read()
                except OSError:
                    continue
                if isinstance(seen, set):
                    seen -= {{os.path.relpath(own, path).split('/')[0] for own in shown}}
                if seen:
                    print('read', path)
            """,
        )


def _writing(course: Course) -> str:
    with _own_folder() as folder:
        own = folder / "own"
        before = own.stat()
        folders = [
            str(folder),
            str(course.root),
            sys.prefix,
            os.path.dirname(os.__file__),
            "/usr/local",
            "/etc",
            "/var/tmp",
        ]
        names = [os.path.join(path, f"autograder-doctor-{os.getpid()}") for path in folders]
        failed = _broken_by(
            course,
            f"""
            import os
            for name in {names!r}:
                try:
                    open(name, 'w').write('x')
                except OSError:
                    pass
            own = {str(own)!r}
            for change in (
                lambda: os.truncate(own, 0),
                lambda: os.open(own, os.O_RDONLY | os.O_TRUNC),
                lambda: os.open(own, os.O_ACCMODE | os.O_TRUNC),
                lambda: os.chmod(own, 0),
                lambda: os.utime(own, (0, 0)),
                lambda: os.remove(own),
            ):
                try:
                    change()
                except OSError:
                    pass
            """,
        )
        written = [name for name in names if os.path.exists(name)]  # a kernel may have a folder of that name of its own
        for name in written:
            os.remove(name)
        if written:
            return f"wrote into {', '.join(map(os.path.dirname, written))}"
        if not own.exists():
            return "removed a file"
        after = own.stat()
        if after.st_size != before.st_size:
            return "emptied a file"
        if (before.st_mode, before.st_mtime) != (after.st_mode, after.st_mtime):
            return "changed a file"
        return failed


def _networking(course: Course) -> str:
    with _own_folder() as folder, socket.socket() as tcp, socket.socket(socket.AF_UNIX) as path:
        abstract = socket.socket(socket.AF_UNIX)
        with abstract:
            tcp.bind(("127.0.0.1", 0))
            path.bind(str(folder / "socket"))
            os.chmod(folder / "socket", 0o777)
            abstract.bind(f"\0autograder-doctor-{os.getpid()}")
            for listening in (tcp, path, abstract):
                listening.listen()
                listening.setblocking(False)
            port, name = tcp.getsockname()[1], abstract.getsockname()
            _broken_by(
                course,
                f"""
                import socket
                for family, address in ((socket.AF_INET, ('127.0.0.1', {port})), (socket.AF_UNIX, {str(folder / "socket")!r}), (socket.AF_UNIX, {name!r})):
                    try:
                        socket.socket(family).connect(address)
                    except OSError:
                        pass
                """,
            )
            for what, listening in (("TCP", tcp), ("a socket's path", path), ("an abstract socket", abstract)):
                try:
                    listening.accept()[0].close()
                except BlockingIOError:
                    continue
                return f"connected through {what}"
    return ""


def _meddling(course: Course) -> str:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"]) as victim:
        broken = _broken_by(
            course,
            f"""
            import ctypes, os, signal
            for number in (signal.SIGTERM, signal.SIGKILL):
                for process in ({victim.pid}, -1):
                    try:
                        os.kill(process, number)
                    except OSError:
                        pass
            libc = ctypes.CDLL(None)
            if libc.ptrace(16, {victim.pid}, 0, 0) == 0:
                print('traced a process')
            try:
                open('/proc/{victim.pid}/mem', 'rb')
                print('opened the memory of a process')
            except OSError:
                pass
            """,
        )
        ended = victim.poll() is not None
        victim.kill()
    return "ended a process" if ended else broken


def _bounded(attack: str, wanted: str) -> Callable[[Course], str]:
    """Return an examination that a bound passes if it ends the kernel for this reason or makes the attack fail."""

    def examine_bound(course: Course) -> str:
        result, reason = _run(course, attack)
        if reason == wanted or (result.exit == "error" and not _printed(result)):
            return ""
        return _printed(result) or f"{result.exit} {reason}".strip()

    return examine_bound


def _each(*attempts: Callable[[Course], str]) -> Callable[[Course], str]:
    """Return an examination that tells the first success of several attempts to break one guarantee."""

    def examine_all(course: Course) -> str:
        return next((broken for attempt in attempts if (broken := attempt(course))), "")

    return examine_all


def _telling(course: Course) -> str:
    """Look whether one kernel can tell another something through files that both may read."""
    with _session(course) as first, _session(course) as second:
        first.run(
            textwrap.dedent(
                """
                import fcntl, os
                shared = open(os.__file__)
                os.posix_fadvise(shared.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
                fcntl.flock(shared, fcntl.LOCK_EX)
                """
            ),
            CELL_SECONDS,
        )
        result = second.run(
            textwrap.dedent(
                """
                import ctypes, fcntl, os
                shared = open(os.__file__)
                try:
                    fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    print('saw the lock of another kernel')
                try:
                    os.preadv(shared.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)
                    print('saw what another kernel had read')
                except BlockingIOError:
                    print('saw what no kernel had read')
                except OSError:
                    pass
                if ctypes.CDLL(None).inotify_init1(0) >= 0:
                    print('can see when another kernel opens a file')
                """
            ),
            CELL_SECONDS,
        )
    return _printed(result) or ("" if result.exit == "ok" else f"{result.exit} {second.reason}".strip())


def _visiting(course: Course) -> str:
    """Look whether one kernel can get at the files, the memory or the processes of another."""
    with _session(course) as first, _session(course) as second:
        own = first.run(
            "import os; open('answer', 'w').write('mine'); print(os.getpid(), os.getcwd(), sep=';')", CELL_SECONDS
        )
        process, _, folder = _printed(own).partition(";")
        if not folder:
            return f"could not be tried: {own.exit} {first.reason}".strip()
        result = second.run(
            textwrap.dedent(
                f"""
                import os, signal
                for attempt in (
                    lambda: open({f"{folder}/answer"!r}).read() == 'mine',
                    lambda: 'answer' in os.listdir({folder!r}),
                    lambda: os.getpid() != {process} and bool(open('/proc/{process}/environ').read()),
                    lambda: os.getpid() != {process} and bool(open('/proc/{process}/maps').read()),
                    lambda: os.getpid() != {process} and bool(os.listdir('/proc/{process}/cwd')),
                    lambda: os.getpid() != {process} and not os.kill({process}, signal.SIGKILL),
                ):
                    try:
                        if attempt():
                            print('reached another kernel')
                    except OSError:
                        pass
                """
            ),
            CELL_SECONDS,
        )
        survivor = first.run("print('alive')", CELL_SECONDS)
    if _printed(survivor) != "alive":
        return "ended another kernel"
    return _printed(result) or ("" if result.exit == "ok" else f"{result.exit} {second.reason}".strip())


def _surviving(course: Course) -> str:
    before = set(psutil.Process().children(recursive=True))
    _run(
        course,
        """
        import os, time
        for hops in (1, 10**9):  # far from its parents, and never long in one process
            if os.fork() == 0:
                os.setsid()
                for _ in range(hops):
                    if os.fork():
                        os._exit(0)
                time.sleep(600)
        """,
    )
    new = set(psutil.Process().children(recursive=True)) - before
    # a process whose main thread has ended is called a zombie, but its other threads may run on
    left = [p for p in new if p.status() != psutil.STATUS_ZOMBIE or p.num_threads() > 1]
    return f"left {len(left)} processes" if left else ""


# How a memory attack's processes tell the first one that they hold what they are to hold: on a busy machine that takes a while.
WAITING = """
import os, select, time
full, tell = os.pipe()
def wait_for(processes, text):
    until = time.monotonic() + 20
    while processes and select.select([full], [], [], max(0, until - time.monotonic()))[0]:
        processes -= len(os.read(full, processes))
    time.sleep(2)  # for what looks from time to time
    print(text if not processes else f'could not be tried: {processes} processes were not ready in 20 s')
"""
# Each holds more than the bound in a way that a simple count of resident pages misses.
MEMORY_ATTACKS = (
    """
    import mmap, time
    pages = []
    for _ in range(20):
        pages.append(mmap.mmap(-1, 64 << 20))
        pages[-1][:] = bytes(64 << 20)
    time.sleep(2)
    print('had 1280 MiB')
    """,
    """
    import subprocess, sys
    code = f'kept = bytearray(b"x") * (150 << 20); import os, time; os.write({tell}, b"1"); time.sleep(60)'
    for _ in range(8):
        subprocess.Popen([sys.executable, '-S', '-c', code], pass_fds=[tell])
    wait_for(8, 'had 1200 MiB in programs that it started')
    """,
    """
    import ctypes
    kept = ctypes.create_string_buffer(100 << 20)
    ctypes.memset(kept, 1, len(kept))
    for _ in range(10):
        if os.fork() == 0:
            ctypes.memset(kept, 2, len(kept))
            os.write(tell, b'1')
            time.sleep(60)
            os._exit(0)
    wait_for(10, 'had 1100 MiB in forks that wrote to inherited pages')
    """,
    """
    import socket
    for _ in range(8):
        if os.fork() == 0:
            kept = []
            try:
                for _ in range(400):
                    kept.append(socket.socketpair())
                    for one in kept[-1]:
                        one.setblocking(False)
                        try:
                            while True:
                                one.send(bytes(65536))
                        except BlockingIOError:
                            pass
                os.write(tell, b'1')
                time.sleep(60)
            finally:
                os._exit(0)
    wait_for(8, 'had 6400 full sockets')
    """,
    """
    import ctypes, mmap, time
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    size = 600 << 30
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
    address = libc.mmap(None, ctypes.c_size_t(size), mmap.PROT_READ, flags, -1, ctypes.c_long(0))
    if address == ctypes.c_void_p(-1).value:
        raise MemoryError
    libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), 15)  # MADV_NOHUGEPAGE
    for offset in range(0, size, 2 << 20):
        ctypes.c_ubyte.from_address(address + offset).value
    time.sleep(2)
    print('had 1200 MiB of page tables')
    """,
)
ATTACKS: dict[str, Callable[[Course], str]] = {
    "fs-read": _reading,
    "fs-write": _writing,
    "net": _networking,
    "processes": _each(_meddling, _visiting, _telling),
    "memory": _each(*(_bounded(WAITING + textwrap.dedent(attack), "memory") for attack in MEMORY_ATTACKS)),
    "tasks": _bounded(
        """
        import os, time
        for _ in range(64 + 16 * (os.cpu_count() or 1)):
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
        time.sleep(2)
        print('had all the processes it wanted')
        """,
        "tasks",
    ),
    "disk": _bounded(
        """
        for number in range(4):
            with open(str(number), 'wb') as file:
                file.write(bytes(8 << 20))
        import time
        time.sleep(2)
        print('wrote 32 MiB')
        """,
        "disk",
    ),
    "end": _surviving,
}


@contextmanager
def _own_folder() -> Generator[Path]:
    """A folder and a file in it that any user may read and change."""
    with tempfile.TemporaryDirectory(prefix="ag-doctor-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        (folder / "own").write_text("the instructor's")
        (folder / "own").chmod(0o666)
        yield folder


def _broken_by(course: Course, attack: str) -> str:
    """Run an attack in a sealed kernel and return what it says to have broken, or why it didn't end well; empty if it broke nothing."""
    result, reason = _run(course, attack)
    return _printed(result) or ("" if result.exit == "ok" else f"{result.exit} {reason}".strip())


def _run(course: Course, attack: str) -> tuple[CellResult, str]:
    with _session(course) as session:
        result = session.run(textwrap.dedent(attack), CELL_SECONDS)
    return result, session.reason


def _session(course: Course) -> KernelSession:
    limits = dataclasses.replace(Limits(), **BOUNDS)
    return KernelSession(limits, course.backend, hidden=(str(course.root),), accepted=tuple(GUARANTEES))


def _printed(result: CellResult) -> str:
    text = "".join(output.get("text", "") for output in result.outputs if output.get("name") == "stdout")
    return ", ".join(text.split("\n")).strip(", ")
