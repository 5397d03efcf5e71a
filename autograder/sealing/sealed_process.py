"""Turns a fresh fork into a sealed process.

`run_sealed` is called in the fork. With namespaces it becomes three processes: one that waits in the old process
namespace, the init of the new one, which only reaps, and the sealed process itself. Without, two: a reaper that adopts
orphans, and the sealed process. The end of the first is the end of them all.
"""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import NoReturn

from autograder.sealing import file_modes, filesystem, linux
from autograder.sealing.held_memory import DESCRIPTORS
from autograder.sealing.layers import FIRST_USER, SEALED_GROUP, USERS, Layers
from autograder.sealing.memory_group import MemoryGroup
from autograder.sealing.syscall_filter import OWN_NETWORK, syscall_filter

_TASKS_PER_CORE = 8  # TensorFlow starts threads for each core
# Libraries reserve far more address space than they use, but a page table is a 512th of what it maps.
_RESERVED_BYTES, _RESERVED_BYTES_PER_CORE = 64 << 30, 1 << 30
_REPORT_CHARACTERS = 300  # up to 12 bytes each in JSON; what a pipe takes in one piece is 4096


@dataclass(frozen=True)
class Bounds:
    """What a sealed process and everything it starts may use together.

    Attributes:
        memory_bytes: memory beyond what the sealed process shares with the process that it was forked from.
        cpu_seconds: processor time.
        tasks: number of processes and threads, besides those that libraries start for each core.
        disk_bytes: size of all files in the scratch folder.
        files: number of files and folders in the scratch folder.
    """

    memory_bytes: int
    cpu_seconds: float
    tasks: int
    disk_bytes: int
    files: int

    @property
    def all_tasks(self) -> int:
        """The bound on processes and threads on a machine of this many cores."""
        return self.tasks + _TASKS_PER_CORE * (os.cpu_count() or 1)


@dataclass(frozen=True)
class Seal:
    """How a process is sealed.

    Attributes:
        layers: the layers to use.
        bounds: the bounds to set.
        folder: private folder outside the seal: `root` in it is an empty mount point, `work` holds the process's files.
        hidden: folders that must not be readable although they lie in a readable one.
        user: index of the sealed process's own user, counted from `FIRST_USER`; without effect where it gets none.
        memory_group: cgroup that bounds the memory; None where there are no such groups.
    """

    layers: Layers
    bounds: Bounds
    folder: str
    hidden: tuple[str, ...]
    user: int = 0
    memory_group: MemoryGroup | None = None

    @property
    def home(self) -> str:
        """The sealed process's home and working folder, as it sees it."""
        return filesystem.HOME if self.layers.namespaces else f"{self.folder}/work"

    @property
    def temporary(self) -> str:
        """The sealed process's folder for temporary files, as it sees it."""
        return "/tmp" if self.layers.namespaces else self.home

    @property
    def owner(self) -> tuple[int, int]:
        """The user and group ids of the sealed process."""
        number = FIRST_USER + self.user % USERS
        return (number, number) if self.layers.own_user else (os.getuid(), os.getgid())


def run_sealed(
    seal: Seal, environment: Mapping[str, str], passed: Collection[int], report: int, main: Callable[[], object]
) -> NoReturn:
    """Seal this process off, run a function in it and end.

    Args:
        seal: how the process is sealed.
        environment: all environment variables of the sealed process.
        passed: descriptors that stay open in the sealed process.
        report: descriptor to which JSON objects are written, one a line: {"inner": process id} of the process whose
            death ends all sealed processes, then {"status": wait status} or {"error": text}.
        main: the function to run.
    """
    try:
        os.setsid()
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
        linux.prefer_out_of_memory()
        if seal.memory_group is not None:
            seal.memory_group.enter()
        _reset_signals()
        _leave_descriptors(passed, report)
        os.environ.clear()
        os.environ.update(environment)
        if seal.layers.namespaces:
            _enter_namespaces(seal)
            inner = os.fork()
            if inner:
                _write_report(report, {"inner": inner})
                _close_all_but(())
                os.waitpid(inner, 0)
                os._exit(0)
            linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
            _enter_root(seal)
        else:
            linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
            _prepare_work(seal)
            _write_report(report, {"inner": os.getpid()})
        linux.prctl(linux.PR_SET_DUMPABLE, 0)
        sealed = os.fork()
        if sealed == 0:
            _confine(seal)
            os.close(report)
            _run(main)
        _close_all_but((report,))
        _write_report(report, {"status": _reap(sealed)})
        if not seal.layers.namespaces:
            from autograder.sealing.watch import end_children

            end_children()  # the sealed process's orphans are this one's
        os._exit(0)
    except BaseException as error:  # noqa: BLE001  (reported to the outside, where it is the machine's failure)
        _write_report(report, {"error": f"{type(error).__name__}: {error}"})
        os._exit(97)


def _write_report(report: int, message: Mapping[str, object]) -> None:
    """Write a message in one piece; a longer one than a pipe takes so loses the end of its texts, not of its JSON."""
    short = {key: value[:_REPORT_CHARACTERS] if isinstance(value, str) else value for key, value in message.items()}
    os.write(report, json.dumps(short).encode() + b"\n")


def _reset_signals() -> None:
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    # as Python itself has them: a full disk and a closed pipe are errors, not ends
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def _leave_descriptors(passed: Collection[int], report: int) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nowhere, standard)
    _close_all_but((*passed, report))


def _close_all_but(kept: Collection[int]) -> None:
    low = 3
    for descriptor in sorted(kept):
        os.closerange(low, descriptor)
        low = descriptor + 1
    os.closerange(low, _highest_descriptor() + 1)


def _highest_descriptor() -> int:
    try:
        return max((int(name) for name in os.listdir("/proc/self/fd")), default=2)
    except OSError:
        return 1 << 16


def _enter_namespaces(seal: Seal) -> None:
    if os.geteuid() != 0:
        linux.enter_user_namespace()
    linux.unshare(
        linux.CLONE_NEWNS
        | linux.CLONE_NEWPID
        | linux.CLONE_NEWNET
        | linux.CLONE_NEWIPC
        | linux.CLONE_NEWUTS
        | linux.CLONE_NEWCGROUP
    )
    linux.bring_loopback_up()
    root = f"{seal.folder}/root"
    bounds = seal.bounds
    readable = filesystem.readable_paths()
    filesystem.build_root(root, readable, seal.hidden, disk_bytes=bounds.disk_bytes, files=bounds.files)
    filesystem.fill_root(root, f"{seal.folder}/work", *seal.owner)


def _enter_root(seal: Seal) -> None:
    root = f"{seal.folder}/root"
    filesystem.mount_processes(root)
    linux.pivot_root(root)
    linux.make_read_only("/", recursive=False)
    linux.mount("root", "/", None, linux.MS_REMOUNT | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV)
    linux.set_host_name("notebook")


def _prepare_work(seal: Seal) -> None:
    if seal.layers.own_user:
        os.chmod(seal.folder, 0o711)
        filesystem.change_owner(seal.home, *seal.owner)
        os.chmod(seal.home, 0o700)
    if seal.layers.file_modes:
        closed = (*seal.hidden, *file_modes.PRIVATE)
        shown = filesystem.readable_paths()
        file_modes.hide(closed, shown)
        file_modes.expect_hidden(closed, shown, seal.owner[0])


def _confine(seal: Seal) -> None:
    """Give up every right that the sealed process doesn't need, the last one for good."""
    os.setsid()
    user, group = seal.owner
    linux.drop_capabilities_of_programs()
    if seal.layers.own_user:
        os.setgroups([SEALED_GROUP] if seal.layers.file_modes else [])
        os.setresgid(group, group, group)
        os.setresuid(user, user, user)
    linux.drop_capabilities()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    linux.prctl(linux.PR_SET_DUMPABLE, 1)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of user has cleared it
    os.chdir(seal.home)
    _set_limits(seal)
    if seal.layers.landlock:
        # not /dev/zero: a writable mapping of it is memory that no process need show
        scratch = (seal.home, "/dev/null", "/dev/full")
        if seal.layers.namespaces:  # the root holds only what was put there
            writable = (*scratch, "/tmp", "/dev/shm", "/dev/pts", "/dev/ptmx")
            filesystem.restrict_by_landlock(("/",), (), writable, no_network=False)
        else:
            readable = (*filesystem.readable_paths(), *filesystem.machine_paths())
            filesystem.restrict_by_landlock(readable, seal.hidden, scratch, no_network=True)
    if seal.layers.seccomp:
        program = syscall_filter(
            OWN_NETWORK if seal.layers.namespaces else (),
            guards_metadata=not seal.layers.namespaces,
            guards_signals=not (seal.layers.namespaces or seal.layers.scopes_signals),
            guards_truncation=not (seal.layers.namespaces or seal.layers.controls_truncation),
            guards_shared_memory=not seal.layers.memory_group,
        )
        linux.set_syscall_filter(program)


def _set_limits(seal: Seal) -> None:
    bounds = seal.bounds
    tasks = bounds.all_tasks if seal.layers.namespaces or seal.layers.own_user else resource.RLIM_INFINITY
    for name, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, int(bounds.cpu_seconds) + 1),
        (resource.RLIMIT_DATA, bounds.memory_bytes),
        (resource.RLIMIT_FSIZE, bounds.disk_bytes),
        (resource.RLIMIT_AS, bounds.memory_bytes + _RESERVED_BYTES + _RESERVED_BYTES_PER_CORE * (os.cpu_count() or 1)),
        (resource.RLIMIT_NOFILE, DESCRIPTORS),
        (resource.RLIMIT_NPROC, tasks),
        (resource.RLIMIT_MEMLOCK, 64 << 20),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, 1024),
    ):
        hard = resource.getrlimit(name)[1]
        if hard != resource.RLIM_INFINITY and (value == resource.RLIM_INFINITY or value > hard):
            value = hard
        resource.setrlimit(name, (value, value))


def _run(main: Callable[[], object]) -> NoReturn:
    status = 0
    try:
        main()
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1 if error.code else 0
    except BaseException:  # noqa: BLE001  (whatever ends it ends only this process)
        status = 1
    os._exit(status & 0xFF)  # no teardown of what was imported


def _reap(sealed: int) -> int:
    """Reap every process that ends until the sealed one does; return its wait status."""
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == sealed:
            return status
