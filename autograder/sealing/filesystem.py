"""The file system of a sealed process: what it may read, and the scratch folders it may write."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from autograder.sealing import landlock, linux
from autograder.sealing.landlock import Files

HOME = "/home/student"
SCRATCH = (HOME, "/tmp", "/dev/shm")
_SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin")
_SETTINGS = ("/etc/ssl", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types", "/etc/alternatives")
_PROCESSOR = "/sys/devices/system/cpu"
_DEVICES = ("null", "zero", "full", "random", "urandom")
_READABLE_DEVICES = ("zero", "random", "urandom")
_SMALL = 64 << 20
# What the programs of a process ask /proc about the machine where the process has no /proc of its own: nothing that
# other processes change.
_PROC_FILES = ("/proc/self", "/proc/cpuinfo", "/proc/filesystems")
# Elsewhere these are shown as they were once: counters of the machine would tell of other sealed processes.
_MACHINE_FILES = (
    *("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "swaps", "uptime", "version"),
    *("sys/kernel/cap_last_cap", "sys/kernel/ngroups_max", "sys/kernel/osrelease", "sys/kernel/ostype"),
    *("sys/kernel/pid_max", "sys/kernel/threads-max", "sys/kernel/version", "sys/vm/overcommit_memory"),
    *("sys/vm/max_map_count", "sys/fs/file-max", "sys/fs/nr_open", "sys/fs/pipe-max-size", "sys/net/core/somaxconn"),
)
_machine_contents: dict[str, bytes] = {}
_NAME_FILES = ("/etc/passwd", "/etc/group", "/etc/hosts", "/etc/nsswitch.conf")


def readable_paths() -> tuple[str, ...]:
    """Return the folders that a Python process needs to read: the system's and the interpreter's own."""
    own = [sys.prefix, sys.base_prefix, sys.exec_prefix, *(path for path in sys.path if "site-packages" in path)]
    paths = [*_SYSTEM, *_SETTINGS, _PROCESSOR, *(os.path.realpath(path) for path in own), *own]
    return tuple(dict.fromkeys(path for path in paths if os.path.lexists(path)))


def build_root(root: str, readable: Sequence[str], hidden: Iterable[str], *, disk_bytes: int, files: int) -> None:
    """Mount a new root file system: the readable paths, a few devices, and scratch folders of fixed size.

    Args:
        root: an empty folder of this mount namespace, at which the new root is mounted.
        readable: files and folders that are shown read-only at their own paths.
        hidden: folders below the readable ones that appear empty.
        disk_bytes: size of the home folder; `/tmp` and `/dev/shm` have 64 MiB each.
        files: how many files and folders each scratch folder may hold.
    """
    linux.mount("none", "/", None, linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("root", root, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=4m,mode=755,nr_inodes=4000")
    # first, for the interpreter or the course may lie in /tmp
    for path, size in zip(SCRATCH, (disk_bytes, _SMALL, _SMALL), strict=True):
        os.makedirs(root + path)
        options = f"size={size},nr_inodes={files},mode=1777"
        linux.mount("scratch", root + path, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, options)
    _make_devices(f"{root}/dev")
    emptied = {path for path in hidden if os.path.isdir(path)}
    mounted: list[str] = []  # from the root downwards, so that a readable folder in a hidden one comes after it
    for path in sorted({*readable, *emptied}, key=lambda path: (path.count("/"), path)):
        parent = max((other for other in mounted if path == other or path.startswith(f"{other}/")), key=len, default="")
        if path in emptied:
            if parent and parent not in emptied:
                linux.mount("nothing", root + path, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=64k,mode=755")
                mounted.append(path)
        elif not parent or parent in emptied:
            _bind_read_only(path, root)
            if not os.path.islink(root + path):
                mounted.append(path)
    for path in emptied.intersection(mounted):
        linux.make_read_only(root + path, recursive=False)
    os.makedirs(f"{root}/proc")


def _bind_read_only(path: str, root: str) -> None:
    target = root + path
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(path) and path.count("/") == 1:  # /lib -> usr/lib
        os.symlink(os.readlink(path), target)
        return
    if os.path.isdir(path):
        os.makedirs(target, exist_ok=True)
    else:
        Path(target).touch()
    linux.mount(path, target, None, linux.MS_BIND | linux.MS_REC)
    linux.make_read_only(target)


def _make_devices(folder: str) -> None:
    for name in _DEVICES:
        Path(folder, name).touch()
        linux.mount(f"/dev/{name}", f"{folder}/{name}", None, linux.MS_BIND)
        # its times could be set by whoever may write to it; writing goes to the device, not to the file system
        linux.make_read_only(f"{folder}/{name}", recursive=False, devices=True)
    for name, target in (("fd", "self/fd"), ("stdin", "self/fd/0"), ("stdout", "self/fd/1"), ("stderr", "self/fd/2")):
        os.symlink(f"/proc/{target}", f"{folder}/{name}")
    os.makedirs(f"{folder}/pts")
    os.symlink("pts/ptmx", f"{folder}/ptmx")
    try:  # IPython's `!command` wants a terminal
        flags = linux.MS_NOSUID | linux.MS_NOEXEC
        linux.mount("devpts", f"{folder}/pts", "devpts", flags, "newinstance,ptmxmode=0666,mode=620,max=16")
    except OSError:
        pass


def remember_the_machine() -> None:
    """Read what `/proc` says of the machine, to be shown to every later sealed process alike."""
    if not _machine_contents:
        for name in _MACHINE_FILES:
            with contextlib.suppress(OSError):
                lines = Path("/proc", name).read_bytes().splitlines(keepends=True)
                _machine_contents[name] = b"".join(
                    line for line in lines if not line.startswith((b"intr ", b"softirq "))
                )


def mount_processes(root: str) -> None:
    """Mount the `/proc` of this process namespace in the new root: processes, and the machine as it once was."""
    remember_the_machine()
    proc = f"{root}/proc"
    for name, content in _machine_contents.items():
        Path(proc, name).parent.mkdir(parents=True, exist_ok=True)
        Path(proc, name).write_bytes(content)
    Path(proc, "nothing").touch()
    Path(proc, "none").mkdir()
    below = os.open(proc, os.O_PATH)
    try:
        linux.mount("proc", proc, "proc", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC)
        shown = f"/proc/self/fd/{below}"
        for entry in os.scandir(proc):
            if not entry.name.isdigit() and not entry.is_symlink():
                is_folder = entry.is_dir()
                known = os.path.exists(f"{shown}/{entry.name}")
                source = entry.name if known else "none" if is_folder else "nothing"
                linux.mount(f"{shown}/{source}", entry.path, None, linux.MS_BIND)
    finally:
        os.close(below)


def fill_root(root: str, work: str, user: int, group: int) -> None:
    """Write names for the user and the host, and copy the files of the folder `work`, into the new root.

    Args:
        root: folder at which the new root is mounted.
        work: folder outside the root, whose files go to the home folder.
        user: id of the user who owns the home folder.
        group: id of the group that owns the home folder.
    """
    Path(root, "etc").mkdir(exist_ok=True)
    for name, text in (
        ("passwd", f"student:x:{user}:{group}::{HOME}:/bin/sh\n"),
        ("group", f"student:x:{group}:\n"),
        ("hosts", "127.0.0.1 localhost\n::1 localhost\n"),
        ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
    ):
        Path(root, "etc", name).write_text(text)
    copied = shutil.copytree(work, root + HOME, symlinks=True, dirs_exist_ok=True)
    if user != os.geteuid():
        change_owner(copied, user, group)


def change_owner(top: str, user: int, group: int) -> None:
    """Give a folder and everything in it to a user and a group."""
    for folder, _, names in os.walk(top):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            os.chown(path, user, group, follow_symlinks=False)


def restrict_by_landlock(
    readable: Iterable[str], hidden: Sequence[str], writable: Iterable[str], *, no_network: bool
) -> None:
    """Let this process read and write these paths alone, below none of the hidden folders.

    Args:
        readable: files and folders that may be read.
        hidden: folders below the readable ones to leave out; what lies beside a hidden folder is allowed piece by piece.
        writable: the process's own folders.
        no_network: whether TCP and UDP, and signals and abstract sockets to the outside, are refused, as far as this Linux can.
    """
    with landlock.Ruleset(landlock.abi_version(), no_network=no_network) as ruleset:
        for path in _without(readable, hidden):
            ruleset.allow(path, Files.EXECUTE | Files.READ_FILE | Files.READ_DIR)
        for path in writable:
            if os.path.exists(path):
                ruleset.allow(path, ruleset.files)
        ruleset.restrict()


def machine_paths() -> tuple[str, ...]:
    """Return what a process without a root of its own may read besides `readable_paths`."""
    return tuple(
        path
        for path in (*_PROC_FILES, *_NAME_FILES, *(f"/dev/{name}" for name in _READABLE_DEVICES))
        if os.path.exists(path)
    )


def _without(paths: Iterable[str], hidden: Sequence[str]) -> Iterable[str]:
    for path in paths:
        if os.path.isdir(path) and any(other.startswith(f"{path}/") for other in hidden):
            yield from _without([e.path for e in os.scandir(path) if e.path not in hidden], hidden)
        elif os.path.exists(path):
            yield path
