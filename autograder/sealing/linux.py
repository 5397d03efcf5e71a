"""The system calls of a seal that Python has no function for. Each raises `OSError` with what was tried."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import socket
import struct
from collections.abc import Generator
from contextlib import contextmanager

ARCHITECTURE = platform.machine()
SUPPORTED_ARCHITECTURES = ("x86_64", "aarch64")

CLONE_NEWNS = 0x0002_0000
CLONE_NEWCGROUP = 0x0200_0000
CLONE_NEWUTS = 0x0400_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1 << 5, 1 << 12, 1 << 14, 1 << 18
MNT_DETACH = 2
_MOUNT_ATTR_RDONLY, _MOUNT_ATTR_NOSUID, _MOUNT_ATTR_NODEV = 1, 2, 4
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP = 1, 4, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 36, 38, 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION_3 = 0x2008_0522

_SYS_MOUNT_SETATTR = 442
_SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_SYS_CAPSET = {"x86_64": 126, "aarch64": 91}
_SYS_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SECCOMP_SET_MODE_FILTER, _SECCOMP_FILTER_FLAG_TSYNC = 1, 1
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, call: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{call}: {os.strerror(number)}")
    return result


def system_call(name: str, number: int, *arguments: object) -> int:
    """Make a system call that the C library has no function for.

    Args:
        name: the system call's name, for the error.
        number: the system call's number on this architecture.
        arguments: integers and pointers.

    Raises:
        OSError: it failed.
    """
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *words), name)


def prctl(option: int, *arguments: int) -> None:
    """Set an attribute of this process or thread."""
    words = [ctypes.c_ulong(a) for a in (*arguments, 0, 0, 0, 0)[:4]]
    _checked(_libc.prctl(option, *words), f"prctl({option})")


def unshare(flags: int) -> None:
    """Move this process (for CLONE_NEWPID: its next child) into new namespaces."""
    _checked(_libc.unshare(flags), f"unshare({flags:#x})")


def enter_user_namespace() -> None:
    """Move into a new user namespace with full capabilities there and the same user and group ids."""
    uid, gid = os.geteuid(), os.getegid()
    unshare(CLONE_NEWUSER)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        descriptor = os.open(f"/proc/self/{name}", os.O_WRONLY)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)


def mount(source: str, target: str, kind: str | None = None, flags: int = 0, options: str | None = None) -> None:
    """Mount a file system, or with MS_BIND show a folder or file in a second place."""
    words = [word.encode() if word is not None else None for word in (source, target, kind)]
    data = options.encode() if options is not None else None
    _checked(_libc.mount(*words, ctypes.c_ulong(flags), data), f"mount({source} -> {target}, {kind})")


def make_read_only(target: str, *, recursive: bool = True, devices: bool = False) -> None:
    """Make a mount read-only, without set-uid programs, and without devices unless they are wanted."""
    refused = _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID | (0 if devices else _MOUNT_ATTR_NODEV)
    attributes = struct.pack("QQQQ", refused, 0, 0, 0)
    buffer = ctypes.create_string_buffer(attributes, len(attributes))
    flags = _AT_RECURSIVE if recursive else 0
    path = ctypes.c_char_p(target.encode())
    system_call(f"mount_setattr({target})", _SYS_MOUNT_SETATTR, _AT_FDCWD, path, flags, buffer, len(attributes))


def pivot_root(new_root: str) -> None:
    """Make a mount the root of this mount namespace and let go of the old one."""
    os.chdir(new_root)
    here = ctypes.c_char_p(b".")
    system_call("pivot_root", _SYS_PIVOT_ROOT[ARCHITECTURE], here, here)
    _checked(_libc.umount2(b".", MNT_DETACH), "umount2(old root)")
    os.chdir("/")


def bring_loopback_up() -> None:
    """Switch on `lo`, the only interface of a new network namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = bytearray(struct.pack("16sh22x", b"lo", 0))
        fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request)
        flags = struct.unpack_from("h", request, 16)[0] | _IFF_UP
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", flags))


def set_host_name(name: str) -> None:
    """Name this UTS namespace's host."""
    _checked(_libc.sethostname(name.encode(), len(name)), "sethostname")


@contextmanager
def files_as(user: int, group: int) -> Generator[None]:
    """Let this thread open files as a user and a group would. Only root can.

    Args:
        user: user id.
        group: group id.
    """
    before = _libc.setfsgid(group), _libc.setfsuid(user)
    try:
        yield
    finally:
        _libc.setfsuid(before[1])
        _libc.setfsgid(before[0])


def prefer_out_of_memory() -> None:
    """Let the kernel end this process and what it starts before any other when memory runs out."""
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


def drop_capabilities_of_programs() -> None:
    """Let no program that this process starts have a capability. Only root may, so call it before a change of user."""
    for number in range(64):
        try:
            prctl(PR_CAPBSET_DROP, number)
        except OSError as error:
            if error.errno == errno.EINVAL:  # past the last capability that the kernel knows
                break
            if error.errno != errno.EPERM:  # without CAP_SETPCAP there is nothing to inherit either
                raise


def drop_capabilities() -> None:
    """Give up every capability."""
    prctl(PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = ctypes.create_string_buffer(struct.pack("Ii", _CAPABILITY_VERSION_3, 0))
    none = ctypes.create_string_buffer(struct.pack("6I", *[0] * 6))
    system_call("capset", _SYS_CAPSET[ARCHITECTURE], header, none)


class _FilterProgram(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def set_syscall_filter(program: bytes) -> None:
    """Put every thread of this process under a seccomp filter, classic BPF of 8 bytes an instruction."""
    buffer = ctypes.create_string_buffer(program, len(program))
    structure = _FilterProgram(len(program) // 8, ctypes.addressof(buffer))
    number = _SYS_SECCOMP[ARCHITECTURE]
    system_call("seccomp", number, _SECCOMP_SET_MODE_FILTER, _SECCOMP_FILTER_FLAG_TSYNC, ctypes.byref(structure))
