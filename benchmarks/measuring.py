"""What a command costs with every process that it starts: seconds, CPU seconds, memory, and what it leaves behind.

Kernels end up as children of other processes than the one that started them, and some are never waited for. So this
process adopts all orphans below it (`PR_SET_CHILD_SUBREAPER`) and reads `/proc` while the command runs.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

PR_SET_CHILD_SUBREAPER = 36
CPU_SECONDS = 0.05  # between two looks at the processes' CPU times
TICKS = os.sysconf("SC_CLK_TCK")
GRACE_SECONDS = 2.0
QUIET_SECONDS, QUIET_SHARE = 5.0, 0.05


class BenchmarkError(Exception):
    """A measured command did not do what was to be measured."""


@dataclass
class Cost:
    """What one command cost.

    Attributes:
        wall: seconds.
        cpu: user and system seconds of the command and every process below it.
        others_cpu: seconds that the rest of the machine was busy meanwhile, and that a hypervisor took away.
        peak_rss, peak_pss: MiB, summed over the processes at the same moment; shared pages count once per process in the
            first, once in all in the second. 0 if memory wasn't looked at.
        private: MiB of the largest process that was forked from a warm one: what it shares with no other process.
        most_processes: at the same moment.
        left_processes: names of those that still lived 2 s after the command.
        left_files: what it left in the temporary folder and in `/dev/shm`, and mounts.
        lines: seconds since the start, and text, of each line it printed.
    """

    wall: float = 0.0
    cpu: float = 0.0
    others_cpu: float = 0.0
    peak_rss: float = 0.0
    peak_pss: float = 0.0
    private: float = 0.0
    most_processes: int = 0
    left_processes: list[str] = field(default_factory=list)
    left_files: list[str] = field(default_factory=list)
    lines: list[tuple[float, str]] = field(default_factory=list)

    def record(self) -> dict[str, Any]:
        """Return it for JSON, without the lines."""
        told = asdict(self)
        del told["lines"]
        return told


def measure(
    command: list[str],
    cwd: Path,
    environment: Mapping[str, str],
    *,
    memory_seconds: float = 0.0,
    tell: Callable[[str], None] = lambda line: None,
) -> Cost:
    """Run a command to its end and return what it cost.

    Args:
        command: the command's name and arguments.
        cwd: working folder.
        environment: the command's environment; `TMPDIR` becomes a folder for this command alone.
        memory_seconds: between two looks at the processes' memory; 0 for none. A look at a process that holds TensorFlow takes
            about 10 ms, so a run whose time counts should not be looked at.
        tell: called with each line of the command's output.

    Raises:
        BenchmarkError: it failed; its last lines are in the message.
    """
    _adopt_orphans()
    before = _things_outside()
    cost = Cost()
    with tempfile.TemporaryDirectory(prefix="benchmark-", ignore_cleanup_errors=True) as temporary:
        status = _run(command, cwd, {**environment, "TMPDIR": temporary}, memory_seconds, tell, cost)
        cost.left_files = sorted(os.listdir(temporary)) + _what_stays(before)
    if status:
        said = "\n".join(line for _, line in cost.lines[-15:])
        raise BenchmarkError(f"`{' '.join(command)}` ended with exit status {status}:\n{said}")
    return cost


def _run(
    command: list[str],
    cwd: Path,
    environment: Mapping[str, str],
    memory_seconds: float,
    tell: Callable[[str], None],
    cost: Cost,
) -> int:
    """Run a command, fill in what it cost and return its exit status."""
    waited, machine = _waited_cpu(), _machine_cpu()
    began = time.monotonic()
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        watcher = _Watcher(process.pid, memory_seconds)
        watcher.start()
        try:
            assert process.stdout is not None
            for line in process.stdout:
                cost.lines.append((time.monotonic() - began, line.rstrip()))
                tell(line.rstrip())
            process.wait()
        except BaseException:
            process.terminate()
            raise
        finally:
            watcher.stop()
    cost.wall = time.monotonic() - began
    cost.left_processes = _end_what_is_left()
    # those that were waited for are known exactly, the others from the last look at each
    cost.cpu = max(watcher.cpu(), _waited_cpu() - waited)
    cost.others_cpu = max(0.0, _machine_cpu() - machine - cost.cpu)
    cost.peak_rss, cost.peak_pss, cost.private = watcher.peak_rss, watcher.peak_pss, watcher.private
    cost.most_processes = watcher.most_processes
    return process.returncode


class _Watcher:
    """Looks at a process and all below it until told to stop."""

    def __init__(self, root: int, memory_seconds: float) -> None:
        self.peak_rss = self.peak_pss = self.private = 0.0
        self.most_processes = 0
        self._root = root
        self._memory_seconds = memory_seconds
        self._cpu: dict[tuple[int, str], float] = {}  # (pid, start time) -> seconds at the last look
        self._foreign: set[int] = set()  # lived before; not ours
        self._programs: dict[int, bytes] = {}
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        self._foreign = set(_pids()) - {self._root}
        self._thread.start()

    def stop(self) -> None:
        self._done.set()
        self._thread.join()

    def cpu(self) -> float:
        """Return the CPU seconds seen."""
        return sum(self._cpu.values())

    def _watch(self) -> None:
        memory_at = time.monotonic() + self._memory_seconds
        while not self._done.wait(CPU_SECONDS):
            parents = self._look_at_cpu()
            self.most_processes = max(self.most_processes, len(parents))
            if self._memory_seconds and time.monotonic() >= memory_at:
                self._look_at_memory(parents)
                memory_at = time.monotonic() + self._memory_seconds

    def _look_at_cpu(self) -> dict[int, int]:
        """Return pid -> parent's pid of the processes of the tree."""
        stats: dict[int, list[str]] = {}
        running = _pids()
        self._foreign.intersection_update(running)
        for pid in running:
            if pid not in self._foreign:
                with contextlib.suppress(OSError):
                    stats[pid] = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(") ")[2].split()
        parents = {pid: int(stat[1]) for pid, stat in stats.items()}
        ours = {pid: parent for pid, parent in parents.items() if _leads_to(pid, {self._root, os.getpid()}, parents)}
        for pid in ours:
            stat = stats[pid]
            self._cpu[pid, stat[19]] = (int(stat[11]) + int(stat[12])) / TICKS
        return ours

    def _look_at_memory(self, parents: Mapping[int, int]) -> None:
        rss = pss = 0.0
        programs = {pid: self._program(pid) for pid in parents}
        for pid, parent in parents.items():
            memory = _memory(pid)
            rss += memory.get("Rss", 0.0)
            pss += memory.get("Pss", 0.0)
            if parent in programs and programs[pid] and programs[pid] == programs[parent]:
                self.private = max(self.private, memory.get("Private_Clean", 0.0) + memory.get("Private_Dirty", 0.0))
        self.peak_rss, self.peak_pss = max(self.peak_rss, rss), max(self.peak_pss, pss)

    def _program(self, pid: int) -> bytes:
        """Return a process's command line: a fork that runs no other program has its parent's."""
        with contextlib.suppress(OSError):
            return Path(f"/proc/{pid}/cmdline").read_bytes()
        return b""


def _memory(pid: int) -> dict[str, float]:
    """Return a process's memory in MiB, as far as the kernel lets us see it."""
    found: dict[str, float] = {}
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
            name, _, rest = line.partition(":")
            found[name] = int(rest.split()[0]) / 1024
    return found


def _leads_to(pid: int, roots: set[int], parents: Mapping[int, int]) -> bool:
    while pid not in roots:
        if pid not in parents:
            return False
        pid = parents[pid]
    return True


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _waited_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _machine_cpu() -> float:
    """Return the seconds in which a processor of the machine was busy, or taken away by a hypervisor."""
    user, nice, system, _, _, irq, softirq, steal = map(int, Path("/proc/stat").read_text().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / TICKS


def wait_for_quiet(seconds: float) -> None:
    """Return once the machine has been idle for a while, at the latest after some seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        busy, began = _machine_cpu(), time.monotonic()
        time.sleep(QUIET_SECONDS)
        if _machine_cpu() - busy < QUIET_SHARE * (os.cpu_count() or 1) * (time.monotonic() - began):
            return


def _adopt_orphans() -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def _end_what_is_left() -> list[str]:
    """Reap adopted orphans; end those that live on after a grace, and return their names."""
    deadline = time.monotonic() + GRACE_SECONDS
    left: list[str] = []
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return left
        if pid:
            continue
        if time.monotonic() > deadline:
            for child in _children():
                with contextlib.suppress(OSError):
                    left.append(Path(f"/proc/{child}/comm").read_text().strip())
                    os.kill(child, signal.SIGKILL)
            deadline = time.monotonic() + GRACE_SECONDS
        time.sleep(0.02)


def _children() -> list[int]:
    found = []
    for pid in _pids():
        with contextlib.suppress(OSError):
            if int(Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(") ")[2].split()[1]) == os.getpid():
                found.append(pid)
    return found


def _what_stays(before: set[str]) -> list[str]:
    """Return what is new outside the temporary folder and still there after a grace: others come and go."""
    deadline = time.monotonic() + GRACE_SECONDS
    new = _things_outside() - before
    while new and time.monotonic() < deadline:
        time.sleep(0.1)
        new &= _things_outside()
    return sorted(new)


def _things_outside() -> set[str]:
    shared = {f"/dev/shm/{name}" for name in os.listdir("/dev/shm")} if os.path.isdir("/dev/shm") else set()
    mounts = {line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()}
    return shared | {f"mount {mount}" for mount in mounts}
