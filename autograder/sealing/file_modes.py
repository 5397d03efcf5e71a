"""Keeps sealed processes from files by owners, groups and modes alone: for root in a container without namespaces and Landlock.

Every sealed process has a user of its own, and a group that only sealed processes have. Linux asks for a file's rights
the owner's first, else the group's, and only else everybody's. So a file that belongs to this group and gives it nothing
is closed to sealed processes, and to them alone: for everybody else nothing changes. That is how what everybody may
write to, and what a kernel must not see, is closed here. What everybody may read and nobody names stays readable.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from autograder.sealing.layers import SEALED_GROUP

SCRATCH_FOLDERS = ("/var/lib/autograder-scratch", "/run/autograder-scratch")
PRIVATE = ("/root", "/home", "/var/log")
# What is written to the first two is never read, a process without a terminal has no third, and each use of the last makes a pair of
# its own that no other user can open.
_HARMLESS = ("/dev/null", "/dev/full", "/dev/tty", "/dev/ptmx")
# File systems of Linux itself, which decides by itself who may change what.
_LINUX_OWN = frozenset(("proc", "sysfs", "cgroup", "cgroup2", "devpts", "securityfs", "debugfs", "tracefs", "bpf"))
_SEARCH_SECONDS = 120.0
_MAX_NAMED = 5  # paths in an error
_SCRATCH_NAME = re.compile(r"ag-(\d+)-.*")


def close_what_everybody_may_change(top: str = "/", needed: Sequence[str] = ()) -> None:
    """Close every file and folder that a sealed process could change. Only root can.

    Args:
        top: folder below which files and folders are looked for.
        needed: absolute paths that sealed processes must be able to read, e.g. the interpreter's.

    Raises:
        OSError: something stays open, can't be closed without taking rights from a group, or is needed.
    """
    found = list(_open_to_sealed_processes(top))
    for path in found:
        for needed_path in needed:
            if needed_path == path or _is_on_the_way(path, (needed_path,)):
                raise PermissionError(
                    f"everybody may write to {path}, and {needed_path}, which kernels need, lies there: move the course and "
                    "its environment to a folder that only you may write to"
                )
    for path in found:
        with suppress(FileNotFoundError):  # somebody else's temporary folder, gone since it was found
            close_to_sealed(path)
    left = list(_open_to_sealed_processes(top))
    if left:
        raise PermissionError(f"everybody may write to {', '.join(left[:_MAX_NAMED])}, and it can't be closed")


def hide(folders: Iterable[str], shown: Sequence[str]) -> None:
    """Close folders to sealed processes, all but the way to what they need.

    Args:
        folders: absolute paths of the folders to close; a path that doesn't exist is left out.
        shown: absolute paths that must stay readable, e.g. the interpreter's; a closed folder may hold some.

    Raises:
        OSError: one can't be closed without taking rights from a group.
    """
    for folder in folders:
        path = os.path.realpath(folder)
        if not os.path.exists(path) or path in shown:
            continue
        if _is_on_the_way(path, shown):
            close_to_sealed(path, is_passable=True)
            hide([entry.path for entry in os.scandir(path) if not entry.is_symlink()], shown)
        else:
            close_to_sealed(path)


def expect_hidden(folders: Iterable[str], shown: Sequence[str], user: int) -> None:
    """Check that a user's process can't get at folders. Only root can, in a process without threads.

    Args:
        folders: absolute paths of the folders that must be closed.
        shown: absolute paths that must stay readable, e.g. the interpreter's; a closed folder may hold some.
        user: the user's id, which is the group's id too.

    Raises:
        PermissionError: it can.
    """
    with _access_as(user):
        readable = list(_readable(folders, shown))
    if readable:
        raise PermissionError(f"{', '.join(readable[:_MAX_NAMED])} can be read by sealed processes")


def close_to_sealed(path: str, *, is_passable: bool = False) -> None:
    """Close a file or folder to sealed processes, and to nobody else. A device can still be read: `/dev/urandom` must be.

    Args:
        path: absolute path of a file or folder, which is no symbolic link.
        is_passable: whether what a folder holds stays reachable by name.

    Raises:
        OSError: its group has rights that everybody hasn't: they would be lost.
    """
    status = os.lstat(path)
    mode = stat.S_IMODE(status.st_mode)
    everybody, group = mode & 0o007, (mode & 0o070) >> 3
    if status.st_gid != SEALED_GROUP:
        if not everybody:
            return
        if status.st_gid != 0 and group & ~everybody:
            raise PermissionError(
                f"everybody has rights in {path}, and its group {status.st_gid} has more: run `chmod o= {path}`"
            )
        os.chown(path, -1, SEALED_GROUP, follow_symlinks=False)
    group_rights = 0o040 if stat.S_ISCHR(status.st_mode) else 0o010 if is_passable else 0
    wanted = mode & ~0o070 | group_rights
    if stat.S_IMODE(os.lstat(path).st_mode) != wanted:
        os.chmod(path, wanted)


def scratch_folder(folders: Sequence[str] = SCRATCH_FOLDERS) -> str:
    """Return the folder in which sealed processes get theirs, made if need be: nobody but root can list it.

    Args:
        folders: absolute paths, of which the first that can be used is taken.

    Raises:
        OSError: none can be used.
    """
    failures = []
    for folder in folders:
        try:
            os.makedirs(folder, mode=0o711, exist_ok=True)
            status = os.lstat(folder)
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != 0:
                raise PermissionError(f"{folder} is somebody else's")
            os.chmod(folder, 0o711)
        except OSError as error:
            failures.append(str(error))
        else:
            return folder
    raise OSError(f"no folder for sealed processes' files can be made: {'; '.join(failures)}")


def scratch_prefix() -> str:
    """Return how the names of this process's scratch folders begin."""
    return f"ag-{os.getpid()}-"


def abandoned_folders(folder: str) -> list[str]:
    """Return the paths of scratch folders whose graders are gone."""
    found = [(entry.path, _SCRATCH_NAME.fullmatch(entry.name)) for entry in os.scandir(folder)]
    return [path for path, name in found if name and not os.path.exists(f"/proc/{name[1]}")]


def _is_on_the_way(folder: str, shown: Iterable[str]) -> bool:
    """Whether a folder holds one of these paths."""
    return any(path.startswith(f"{folder.rstrip('/')}/") for path in shown)


def _readable(folders: Iterable[str], shown: Sequence[str]) -> Iterator[str]:
    """Yield what `hide` should have closed and the user of `_access_as` can still get at."""
    for folder in folders:
        path = os.path.realpath(folder)
        if not os.path.lexists(path) or path in shown:
            continue
        if _is_on_the_way(path, shown):
            if os.access(path, os.R_OK):
                yield path
            yield from _readable([entry.path for entry in os.scandir(path) if not entry.is_symlink()], shown)
        elif os.access(path, os.R_OK) or (os.path.isdir(path) and os.access(path, os.X_OK)):
            yield path


def _open_to_sealed_processes(top: str) -> Iterator[str]:
    """Yield what a sealed process could change, and nothing below a folder that it could."""
    linux_own = set(_mounted(_LINUX_OWN))
    until = time.monotonic() + _SEARCH_SECONDS
    folders = [top]
    with _access_as(SEALED_GROUP):
        while folders:
            folder = folders.pop()
            if time.monotonic() > until:
                raise TimeoutError(f"what everybody may write to could not be found in {_SEARCH_SECONDS:g} s")
            if not os.access(folder, os.X_OK):
                continue
            if os.access(folder, os.W_OK):
                yield folder
                continue
            try:
                entries = list(os.scandir(folder))
            except OSError:  # gone, or a file system that root may not read
                continue
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.path not in linux_own:
                        folders.append(entry.path)
                elif not entry.is_symlink() and entry.path not in _HARMLESS and os.access(entry.path, os.W_OK):
                    yield entry.path


def _mounted(kinds: frozenset[str]) -> Iterator[str]:
    """Yield where file systems of some kinds are mounted."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        if after.split(" ")[0] in kinds:
            yield re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), before.split(" ")[4])


@contextmanager
def _access_as(user: int) -> Generator[None]:
    """Let `os.access` answer for a sealed process of a user: it asks for the real ids, all else for the effective ones."""
    groups = os.getgroups()
    os.setgroups([SEALED_GROUP])
    os.setresgid(user, 0, 0)
    os.setresuid(user, 0, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)
        os.setgroups(groups)
