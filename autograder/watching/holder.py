"""Names of the processes that hold a course's lease, and whether one of this machine has ended."""

from __future__ import annotations

import os
from pathlib import Path

import psutil


def process_name() -> str:
    """Return this process's name: machine, namespace of its process ids, id, and when it began."""
    return f"{_place()} {os.getpid()} {psutil.Process().create_time():.2f}"


def has_ended(holder: str) -> bool:
    """Whether a process that once was at this very place has certainly ended, so that its lease needn't run out."""
    place, _, own = holder.partition(" ")
    if place != _place():
        return False
    number, _, began = own.partition(" ")
    try:
        return f"{psutil.Process(int(number)).create_time():.2f}" != began
    except psutil.NoSuchProcess:
        return True
    except (ValueError, psutil.Error):
        return False


def _place() -> str:
    """Return what tells this machine since it was started, and a container on it, from all others."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{boot}-{os.stat('/proc/self/ns/pid').st_ino}"
