"""What the container that this process runs in may use, by its control groups."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.base.errors import MachineError
from autograder.platforms.bundle import Platform

_UNLIMITED = 1 << 60  # version 1 writes a number near 2**63 for no limit


def require_room(platform: Platform, root: Path = Path("/")) -> None:
    """Refuse a container that is too small to grade in.

    Args:
        platform: the memory and the cores that are needed.
        root: root of the file system; tests give another one.

    Raises:
        MachineError: what it has, what it needs, and where that is set.
    """
    has = memory_bytes(root)
    if has is not None and has < platform.memory_bytes:
        raise MachineError(
            f"The container must have {platform.memory_bytes / 2**30:.1f} GiB of memory. Received: {has / 2**30:.1f} GiB. Choose a larger one in the "
            "assignment's settings, then grade again."
        )
    cores = cpu_cores(root)
    if cores < platform.cores:
        raise MachineError(
            f"The container must have {platform.cores:g} processor cores. Received: {cores:g}. Choose a larger one in the assignment's settings, then "
            "grade again."
        )


def memory_bytes(root: Path = Path("/")) -> int | None:
    """Return how much memory the container may use, None if there is no limit."""
    for name in ("sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"):
        text = _text(root / name)
        if text.isdigit() and int(text) < _UNLIMITED:
            return int(text)
    return None


def cpu_cores(root: Path = Path("/")) -> float:
    """Return how many cores' time the container may use."""
    cores = float(len(os.sched_getaffinity(0)))
    quota, _, period = _text(root / "sys/fs/cgroup/cpu.max").partition(" ")
    if not period:
        quota, period = (_text(root / f"sys/fs/cgroup/cpu/cpu.cfs_{name}_us") for name in ("quota", "period"))
    if quota.isdigit() and period.isdigit() and int(period):
        cores = min(cores, int(quota) / int(period))
    return cores


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
