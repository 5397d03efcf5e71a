"""Watches what a sealed process and its descendants use together, from outside."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Collection

import psutil

from autograder.sealing.held_memory import Process, held_bytes, processes_below
from autograder.sealing.sealed_process import Bounds

INTERVAL_SECONDS = 0.2
_SHORTEST_SECONDS = 0.01
_BYTES_A_SECOND = 2 << 30  # that one processor fills at most


def descendants(process: int) -> list[int]:
    """Return the ids of all processes below one."""
    try:
        return [child.pid for child in psutil.Process(process).children(recursive=True)]
    except psutil.Error:
        return []


def end_children(spared: Collection[int] = ()) -> None:
    """Kill and reap all children of this process but some, and what they fork meanwhile and leave to it, a subreaper.

    A process that forks and exits again and again can slip past a listing, but what has ended is listed until it is
    reaped here: an empty listing means that none is left. What has ended has nothing below it, and is many after a fork bomb.
    """
    while adopted := [child for child in psutil.Process().children() if child.pid not in spared]:
        running = [child.pid for child in adopted if _runs(child.pid)]
        to_kill = [process for child in running for process in (child, *descendants(child))]
        for number in (signal.SIGSTOP, signal.SIGKILL):  # what is stopped can't fork while others are killed
            for process in to_kill:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, number)
        for child in adopted:
            os.waitpid(child.pid, 0)


def _runs(child: int) -> bool:
    """Whether a child still runs. One whose main thread has ended may run on in another, and is called a zombie all the same."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


def exceeded_bound(
    inner: int,
    table: dict[int, Process],
    bounds: Bounds,
    scratch: str | None,
    *,
    counts_memory: bool,
) -> tuple[str, float]:
    """Return which bound sealed processes exceed, and when to look again.

    Args:
        inner: id of the process above the sealed ones.
        table: every process by id.
        bounds: bounds on what all sealed processes use together.
        scratch: the scratch folder to measure; None where the scratch file system has a size of its own.
        counts_memory: whether memory is counted here, because no memory cgroup bounds it.

    Returns:
        `memory`, `cpu`, `tasks` or `disk`, empty for none; and seconds in which no bound can be passed by more than a little.
    """
    above = table.get(inner)
    if above is None:
        return "", INTERVAL_SECONDS
    sealed = processes_below(inner, table)
    if sum(process.threads for process in sealed) > bounds.all_tasks:
        return "tasks", 0.0
    if above.seconds + sum(process.seconds for process in sealed) > bounds.cpu_seconds:
        return "cpu", 0.0
    seconds = INTERVAL_SECONDS
    if counts_memory:
        left = bounds.memory_bytes - held_bytes(inner, sealed, bounds.memory_bytes, namespaces=scratch is None)
        if left < 0:
            return "memory", 0.0
        processors = max(1, min(len(sealed), os.cpu_count() or 1))
        seconds = min(seconds, max(_SHORTEST_SECONDS, left / (processors * _BYTES_A_SECOND)))
    if scratch is not None and _is_full(scratch, bounds):
        return "disk", 0.0
    return "", seconds


def _is_full(scratch: str, bounds: Bounds) -> bool:
    size = count = 0
    for folder, _, names in os.walk(scratch):
        count += 1 + len(names)
        for name in names:
            try:
                size += os.lstat(os.path.join(folder, name)).st_blocks * 512
            except OSError:
                continue
        if size > bounds.disk_bytes or count > bounds.files:
            return True
    return False
