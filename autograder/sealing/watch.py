"""Watches what a sealed process and its descendants use together, from outside."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Collection

import psutil

from autograder.sealing.child import Bounds

INTERVAL_SECONDS = 0.2


def descendants(process: int) -> list[int]:
    """Return the ids of all processes below one."""
    try:
        return [child.pid for child in psutil.Process(process).children(recursive=True)]
    except psutil.Error:
        return []


def end_children(spared: Collection[int] = ()) -> None:
    """Kill and reap all children of this process but some, and what they fork meanwhile and leave to it, a subreaper.

    A process that forks and exits again and again can slip past a listing, but what has ended is listed until it is
    reaped here: an empty listing means that none is left.
    """
    while adopted := [child.pid for child in psutil.Process().children() if child.pid not in spared]:
        below = [process for child in adopted for process in (child, *descendants(child))]
        for number in (signal.SIGSTOP, signal.SIGKILL):  # what is stopped can't fork while others are killed
            for process in below:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, number)
        for child in adopted:
            os.waitpid(child, 0)


def exceeded(reaper: int, bounds: Bounds, scratch: str | None, shared_bytes: int) -> str:
    """Return which bound the processes below a reaper exceed: `memory`, `cpu`, `tasks`, `disk`, or empty for none.

    Args:
        reaper: process id above the sealed process.
        bounds: for their sum.
        scratch: folder to measure, None where its file system has a size of its own.
        shared_bytes: resident memory that each fork has in common with the process it was forked from.
    """
    try:
        above = psutil.Process(reaper)
        below = above.children(recursive=True)
    except psutil.Error:
        return ""
    tasks, seconds, apparent = 0, 0.0, 0
    for one in (above, *below):
        try:
            with one.oneshot():
                times = one.cpu_times()
                seconds += times.user + times.system + times.children_user + times.children_system
                if one is not above:
                    tasks += one.num_threads()
                    apparent += max(0, one.memory_info().rss - shared_bytes)
        except psutil.Error:
            continue
    if tasks > bounds.all_tasks:
        return "tasks"
    if seconds > bounds.cpu_seconds:
        return "cpu"
    # forks share pages among themselves: only when their sum looks too large is it worth counting each page once
    if apparent > bounds.memory_bytes and _proportional_bytes(below, shared_bytes) > bounds.memory_bytes:
        return "memory"
    if scratch is not None and _is_full(scratch, bounds):
        return "disk"
    return ""


def _proportional_bytes(processes: list[psutil.Process], shared_bytes: int) -> int:
    total = 0
    for process in processes:
        with contextlib.suppress(psutil.Error):  # it has ended
            total += _own_bytes(process, shared_bytes)
    return total


def _own_bytes(process: psutil.Process, shared_bytes: int) -> int:
    try:
        return int(process.memory_full_info().pss)
    except psutil.AccessDenied:  # it hides its memory map: take it for private
        return max(0, int(process.memory_info().rss) - shared_bytes)


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
