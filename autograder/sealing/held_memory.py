"""Counts the memory that sealed processes hold, from outside, where no memory cgroup does.

No single number of Linux's is right: resident pages are shared among forks, page tables and what lies in sockets and
pipes is in no process's resident size, files in memory may be mapped or not. So two counts: one that is cheap and never
too low, and, only when that looks too large, one that counts each page once.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from autograder.sealing import linux
from autograder.sealing.filesystem import SCRATCH

T = TypeVar("T")

PAGE_BYTES = os.sysconf("SC_PAGESIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
DESCRIPTORS = 1024  # of one process
_DESCRIPTOR_BYTES = 5 << 10  # half a pipe of two pages, and the kernel's own record of it
_MAPPING_BYTES = 400  # a vm_area_struct with its nodes in trees
_MAPPINGS = 1 << 16  # of one process, as vm.max_map_count has it unless an administrator changes it
_TABLE_SHARE = PAGE_BYTES // 8  # one entry of 8 bytes a page


@dataclass(frozen=True)
class Process:
    """A process as `/proc/PID/stat` shows it.

    Attributes:
        id: id of the process.
        thread: id of a thread by which Linux shows the process's memory and files: the main thread, or another one once the
            main thread has ended.
        parent: id of the parent process.
        seconds: processor time of the process and of its ended children.
        threads: number of threads.
        virtual_bytes: size of the address space; 0 once the process has ended.
        resident_bytes: size of the pages that lie in memory.
    """

    id: int
    thread: int
    parent: int
    seconds: float
    threads: int
    virtual_bytes: int
    resident_bytes: int


def processes() -> dict[int, Process]:
    """Return every process that can be seen, by id."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:  # a context for each process is slow, and this is done some times a second
                process = _process(int(name))
                if not process.virtual_bytes and process.threads > 1:
                    process = _by_another_thread(process)
                found[process.id] = process
            except (OSError, ValueError):  # it has ended
                continue
    return found


def _process(number: int) -> Process:
    file = os.open(f"/proc/{number}/stat", os.O_RDONLY | os.O_CLOEXEC)  # a Python file is slow too
    try:
        stat = os.read(file, 4096)
    finally:
        os.close(file)
    fields = stat[stat.rindex(b")") + 2 :].split(None, 22)  # from the third field of proc(5) on
    seconds = sum(int(word) for word in fields[11:15]) / _TICKS
    sizes = int(fields[20]), int(fields[21]) * PAGE_BYTES
    return Process(number, number, int(fields[1]), seconds, int(fields[17]), *sizes)


def _by_another_thread(process: Process) -> Process:
    """Return a process whose main thread has ended with the sizes that a thread shows which still runs, if any does."""
    for name in os.listdir(f"/proc/{process.id}/task"):
        with contextlib.suppress(OSError, ValueError):
            thread = _process(int(name))
            if thread.virtual_bytes:
                return replace(thread, id=process.id, seconds=process.seconds)
    return process


def processes_below(process: int, table: dict[int, Process]) -> list[Process]:
    """Return the descendants of a process.

    Args:
        process: id of the process.
        table: every process by id.
    """
    children: dict[int, list[Process]] = {}
    for each in table.values():
        children.setdefault(each.parent, []).append(each)
    found = list(children.get(process, ()))
    for descendant in found:
        found += children.get(descendant.id, ())
    return found


def held_bytes(inner: int, sealed: Sequence[Process], limit_bytes: int, *, namespaces: bool) -> int:
    """Return how much memory sealed processes hold, at most; exactly only if that could be above a limit.

    Args:
        inner: id of the process above the sealed ones, in the same namespaces.
        sealed: the processes.
        limit_bytes: how much memory the sealed processes may hold.
        namespaces: whether the sealed processes have a network and scratch file systems of their own.
    """
    descriptors = [_descriptors(process.thread) for process in sealed]
    sockets = _sockets_of_the_network(inner) if namespaces else sum(descriptors) * _socket_bytes()
    files = _scratch_bytes(inner) if namespaces else 0
    buffers = sum(descriptors) * _DESCRIPTOR_BYTES + files
    pages = sum(process.resident_bytes + process.virtual_bytes // _TABLE_SHARE for process in sealed)
    mappings = len(sealed) * _MAPPINGS * _MAPPING_BYTES
    if pages + buffers + sockets + mappings <= limit_bytes:
        return pages + buffers + sockets
    if not namespaces:
        sockets = _own_sockets(sealed)
    total = buffers + sockets
    for process in sealed:
        total += _own_bytes(process, with_files=not namespaces)
        if total > limit_bytes:
            break
    if total + mappings > limit_bytes >= total:
        for process in sealed:
            total += _mappings(process.thread) * _MAPPING_BYTES
            if total > limit_bytes:
                break
    return total


def _own_bytes(process: Process, *, with_files: bool) -> int:
    """Return a process's share of anonymous pages, with its page tables; with files, of those in memory too."""
    try:
        share = _as_its_user(process.thread, lambda: _sizes(f"/proc/{process.thread}/smaps_rollup"))
        tables = _sizes(f"/proc/{process.thread}/status").get("VmPTE", 0)
    except FileNotFoundError:
        return 0  # it has ended
    except OSError as error:
        # it has ended, or hides its memory map: take that for private
        return 0 if isinstance(error, ProcessLookupError) else process.resident_bytes
    if "Pss_Anon" in share:  # since Linux 5.9
        return share["Pss_Anon"] + tables + (share["Pss_Shmem"] if with_files else 0)
    return share.get("Pss", 0) + tables


def _sizes(path: str) -> dict[str, int]:
    """Return name -> bytes of a file's lines such as `VmPTE:  52 kB`."""
    found = {}
    for line in _read(path).splitlines():
        words = line.split()
        if len(words) == 3 and words[2] == "kB":
            found[words[0].rstrip(":")] = int(words[1]) << 10
    return found


def _mappings(thread: int) -> int:
    with contextlib.suppress(OSError):
        return _as_its_user(thread, lambda: Path(f"/proc/{thread}/maps").read_bytes().count(b"\n"))
    return 0


def _descriptors(thread: int) -> int:
    path = f"/proc/{thread}/fd"
    try:
        return os.stat(path).st_size or len(os.listdir(path))  # a size since Linux 6.2
    except PermissionError:
        return 0 if _has_ended(thread) else DESCRIPTORS
    except OSError:
        return 0


def _has_ended(thread: int) -> bool:
    """Whether a thread has ended or is about to: it has no memory any more, and Linux gives root what it still has open."""
    try:
        return _process(thread).virtual_bytes == 0
    except (OSError, ValueError):
        return True


def _sockets_of_the_network(process: int) -> int:
    """Return how much the sockets of a process's network namespace can hold."""
    unix = tcp = 0
    with contextlib.suppress(OSError):
        for line in _read(f"/proc/{process}/net/sockstat").splitlines():
            words = line.split()
            if words[0] == "sockets:":
                unix = int(words[2])
            elif words[0] == "TCP:":
                tcp = int(words[2])
    with contextlib.suppress(OSError):
        for line in _read(f"/proc/{process}/net/sockstat6").splitlines():
            words = line.split()
            if words[0] == "TCP6:":
                tcp += int(words[2])
    return unix * _socket_bytes() + tcp * _tcp_bytes()


def _own_sockets(sealed: Sequence[Process]) -> int:
    """Return how much the sockets can hold that processes have open, or that lie in the queue of another."""
    sockets: dict[str, int] = {}  # name -> sockets in its queue
    hidden = 0
    for process in sealed:
        try:
            sockets |= _as_its_user(process.thread, functools.partial(_open_sockets, process.thread))
        except OSError:
            hidden += 0 if _has_ended(process.thread) else _descriptors(process.thread)
    return (len(sockets) + sum(sockets.values()) + hidden) * _socket_bytes()


def _open_sockets(thread: int) -> dict[str, int]:
    """Return the sockets that a thread's process has open, each with how many lie in its queue.

    Raises:
        PermissionError: the process hides what it has open.
    """
    found = {}
    for name in os.listdir(f"/proc/{thread}/fd"):
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            target = os.readlink(f"/proc/{thread}/fd/{name}")
            if target.startswith("socket:"):
                found[target] = _queued(f"/proc/{thread}/fdinfo/{name}")
    return found


def _queued(path: str) -> int:
    with contextlib.suppress(OSError):
        for line in _read(path).splitlines():
            if line.startswith("scm_fds:"):
                return int(line.split()[1])
    return 0


def _as_its_user(thread: int, read: Callable[[], T]) -> T:
    """Read what Linux shows of a thread only to its own user or to a tracer, which a container's root is not.

    Raises:
        PermissionError: the process hides it from its user too.
    """
    try:
        return read()
    except PermissionError:
        if os.geteuid() != 0:
            raise
        owner = os.stat(f"/proc/{thread}")
        with linux.files_as(owner.st_uid, owner.st_gid):
            return read()


@cache
def _socket_bytes() -> int:
    """Return how much one socket's buffers can hold: twice what may be set, and one message beyond it."""
    largest = max(_setting(f"/proc/sys/net/core/{name}", 212_992) for name in ("wmem_max", "rmem_max"))
    return 3 * largest


@cache
def _tcp_bytes() -> int:
    return sum(_setting(f"/proc/sys/net/ipv4/{name}", 6 << 20) for name in ("tcp_rmem", "tcp_wmem"))


def _setting(path: str, otherwise: int) -> int:
    with contextlib.suppress(OSError):
        return int(_read(path).split()[-1])
    return otherwise


def _scratch_bytes(process: int) -> int:
    """Return what lies in the scratch file systems in a process's root, once it has taken one of its own."""
    root = f"/proc/{process}/root"
    total = 0
    with contextlib.suppress(OSError):
        if not os.path.samestat(os.stat(f"{root}/"), os.stat("/")):
            for path in SCRATCH:
                found = os.statvfs(f"{root}{path}")
                total += (found.f_blocks - found.f_bfree) * found.f_frsize
    return total


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()
