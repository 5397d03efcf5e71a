"""A memory cgroup for each sealed process: the kernel itself counts every page, table and buffer, and sets the bound.

Made below the grader's own cgroup (v1), or beside it where the memory controller is delegated to the grader (v2).
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from pathlib import Path

from autograder.sealing import linux

_NAME = "autograder-{process}-{number}"
_OURS = re.compile(r"autograder-(\d+)-\d+")
_PROBED_BYTES = 16 << 20
_TCP_BYTES = 64 << 20
_REMOVING_SECONDS = 2.0


class MemoryGroup:
    """The cgroup of one sealed process and everything that it starts.

    Args:
        parent: cgroup folder in which the group is made.
        number: a number that no other group of this process has.
        limit_bytes: limit of all memory charged to the group: what the sealed processes and their files in memory take beyond
            what is shared with the process that they were forked from.
    """

    def __init__(self, parent: str, number: int, limit_bytes: int) -> None:
        self.folder = os.path.join(parent, _NAME.format(process=os.getpid(), number=number))
        os.mkdir(self.folder)
        try:
            self._bound(limit_bytes)
        except OSError:
            self.remove()
            raise

    def _bound(self, limit_bytes: int) -> None:
        if self._has("memory.max"):
            self._write("memory.max", limit_bytes)
            optional = (("memory.swap.max", 0), ("memory.oom.group", 1))
        else:
            self._write("memory.limit_in_bytes", limit_bytes)
            optional = (
                ("memory.memsw.limit_in_bytes", limit_bytes),
                ("memory.kmem.tcp.limit_in_bytes", min(_TCP_BYTES, limit_bytes)),
            )
        for name, value in optional:
            if self._has(name):
                self._write(name, value)

    def enter(self) -> None:
        """Move this process here, and so all that it will start."""
        self._write("cgroup.procs", 0)

    def has_killed(self) -> bool:
        """Whether a process was killed because the limit was reached."""
        name = "memory.events" if self._has("memory.events") else "memory.oom_control"
        with contextlib.suppress(OSError):
            words = Path(self.folder, name).read_text().split()
            return int(dict(zip(words[::2], words[1::2], strict=False)).get("oom_kill", 0)) > 0
        return False

    def remove(self) -> None:
        """Remove the group once its processes have ended; what is left goes when the next warm process starts."""
        deadline = time.monotonic() + _REMOVING_SECONDS
        while True:
            with contextlib.suppress(OSError):  # processes are left in it, or it is gone
                os.rmdir(self.folder)
            if not os.path.exists(self.folder) or time.monotonic() > deadline:
                return
            time.sleep(0.01)

    def _has(self, name: str) -> bool:
        return os.path.exists(os.path.join(self.folder, name))

    def _write(self, name: str, value: int) -> None:
        Path(self.folder, name).write_text(str(value))


def parents(proc: str = "/proc") -> list[str]:
    """Return the cgroup folders in which this process might make groups of its own, the best first."""
    own: dict[str, str] = {}  # controllers -> path
    mounts: list[tuple[str, str, str, list[str]]] = []  # kind, mount point, root, options
    with contextlib.suppress(OSError):
        for line in Path(proc, "self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            own[controllers] = path
        for line in Path(proc, "self/mountinfo").read_text().splitlines():
            before, _, after = line.partition(" - ")
            kind, _, options = after.split(" ")[:3]
            root, mount_point = before.split(" ")[3:5]
            mounts.append((kind, mount_point, root, options.split(",")))
    found: list[str] = []
    for kind, mount_point, root, flags in mounts:
        if kind == "cgroup" and "memory" in flags:
            found += [
                _group_folder(mount_point, root, path) for names, path in own.items() if "memory" in names.split(",")
            ]
        elif kind == "cgroup2" and "" in own:
            folder = _group_folder(mount_point, root, own[""])
            while folder.startswith(mount_point):
                with contextlib.suppress(OSError):
                    if "memory" in Path(folder, "cgroup.subtree_control").read_text().split():
                        found.append(folder)
                folder = os.path.dirname(folder)
    return found


def _group_folder(mount_point: str, root: str, path: str) -> str:
    """Return the folder of the cgroup `path` where the cgroup `root` is mounted, or the mount point if it lies elsewhere."""
    relative = os.path.relpath(path, root)
    return mount_point if relative == "." or relative.startswith("..") else os.path.join(mount_point, relative)


def attempt(parent: str) -> None:
    """Make a group, let a process reach its limit, and see it killed.

    Raises:
        OSError: a step is refused, or the limit doesn't hold.
    """
    if "nokmem" in Path("/proc/cmdline").read_text():
        raise OSError("the kernel was started with cgroup.memory=nokmem")
    group = MemoryGroup(parent, 0, _PROBED_BYTES)
    try:
        child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException):
                group.enter()
                linux.prefer_out_of_memory()
                filled = bytearray(b"x") * (2 * _PROBED_BYTES)
                os._exit(len(filled) & 1)
            os._exit(1)
        status = os.waitpid(child, 0)[1]
        if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL and group.has_killed()):
            raise OSError(f"a group in {parent} doesn't bound memory")
    finally:
        group.remove()


def sweep(parent: str) -> None:
    """Remove empty groups of processes that have been killed."""
    with contextlib.suppress(OSError):
        for name in os.listdir(parent):
            match = _OURS.fullmatch(name)
            if match and not os.path.exists(f"/proc/{match[1]}"):
                with contextlib.suppress(OSError):  # one that isn't empty stays
                    os.rmdir(os.path.join(parent, name))
