"""Landlock by its three system calls: what a process, and all that it starts, may still do to files, sockets and signals.

Figures: `include/uapi/linux/landlock.h` and `Documentation/userspace-api/landlock.rst` of Linux, ABI 1 (Linux 5.13) to 11
(Linux 7.3). ABI 8 and 11 only add ways to restrict a process that has threads or may still gain privileges: a sealed one has
just been forked, and has given them up.
"""

from __future__ import annotations

import ctypes
import enum
import os

from autograder.sealing import linux

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # of every architecture
_VERSION = 1 << 0
_PATH_BENEATH = 1
# Denied accesses are no events for the machine's audit log, which a student's code could fill with them.
_LOG_SAME_EXEC_OFF, _LOG_SUBDOMAINS_OFF = 1 << 0, 1 << 2
_LOGGING_ABI = 7


class Files(enum.IntFlag):
    """Rights on files and folders."""

    EXECUTE = 1 << 0
    WRITE_FILE = 1 << 1
    READ_FILE = 1 << 2
    READ_DIR = 1 << 3
    REMOVE_DIR = 1 << 4
    REMOVE_FILE = 1 << 5
    MAKE_CHAR = 1 << 6
    MAKE_DIR = 1 << 7
    MAKE_REG = 1 << 8
    MAKE_SOCK = 1 << 9
    MAKE_FIFO = 1 << 10
    MAKE_BLOCK = 1 << 11
    MAKE_SYM = 1 << 12
    REFER = 1 << 13  # link and rename into another folder
    TRUNCATE = 1 << 14
    IOCTL_DEV = 1 << 15
    RESOLVE_UNIX = 1 << 16  # connect to a socket by its path


class Ports(enum.IntFlag):
    """Rights on ports of TCP and UDP."""

    BIND_TCP = 1 << 0
    CONNECT_TCP = 1 << 1
    BIND_UDP = 1 << 2
    CONNECT_SEND_UDP = 1 << 3


class Scopes(enum.IntFlag):
    """What can't leave the restricted processes."""

    ABSTRACT_UNIX_SOCKET = 1 << 0
    SIGNAL = 1 << 1


# A file itself can have these rights; the others are a folder's, and what lies in a folder has its rights too.
OF_A_FILE = Files.EXECUTE | Files.WRITE_FILE | Files.READ_FILE | Files.TRUNCATE | Files.IOCTL_DEV | Files.RESOLVE_UNIX
# Each ABI has what the ones below it have: the first ABI -> what came with it.
_FILES = {1: Files((1 << 13) - 1), 2: Files.REFER, 3: Files.TRUNCATE, 5: Files.IOCTL_DEV, 9: Files.RESOLVE_UNIX}
_PORTS = {4: Ports.BIND_TCP | Ports.CONNECT_TCP, 10: Ports.BIND_UDP | Ports.CONNECT_SEND_UDP}
_SCOPES = {6: Scopes.ABSTRACT_UNIX_SOCKET | Scopes.SIGNAL}


def files_of(abi: int) -> Files:
    """Return the rights on files and folders that an ABI controls."""
    return Files(sum(rights for first, rights in _FILES.items() if first <= abi))


def ports_of(abi: int) -> Ports:
    """Return the rights on ports that an ABI controls."""
    return Ports(sum(rights for first, rights in _PORTS.items() if first <= abi))


def scopes_of(abi: int) -> Scopes:
    """Return the scopes that an ABI knows."""
    return Scopes(sum(scopes for first, scopes in _SCOPES.items() if first <= abi))


class _RulesetAttributes(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("ports", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("rights", ctypes.c_uint64), ("folder", ctypes.c_int32)]


def abi_version() -> int:
    """Return the newest ABI that this kernel has.

    Raises:
        OSError: it has no Landlock, or was started without.
    """
    return linux.system_call("landlock_create_ruleset", _CREATE_RULESET, None, 0, _VERSION)


class Ruleset:
    """Rights to take from this process, but where a rule leaves them. To be used in a `with` statement.

    Args:
        abi: version of Landlock whose rights are used: `abi_version()`, or an older one. Rights that only newer versions
            know stay allowed.
        no_network: whether the rights on ports are taken as well, and signals and abstract sockets stay inside.

    Raises:
        OSError: this kernel has no Landlock.
    """

    def __init__(self, abi: int, *, no_network: bool = False) -> None:
        self.abi = abi
        self.files = files_of(abi)
        ports, scopes = (ports_of(abi), scopes_of(abi)) if no_network else (0, 0)
        attributes = _RulesetAttributes(self.files, ports, scopes)
        # a kernel refuses bits that it doesn't know, but takes a longer structure that ends in zeros
        self._ruleset = linux.system_call(
            "landlock_create_ruleset", _CREATE_RULESET, ctypes.byref(attributes), ctypes.sizeof(attributes), 0
        )

    def __enter__(self) -> Ruleset:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._ruleset)

    def allow(self, path: str, rights: Files) -> None:
        """Leave rights on a file, or on a folder and everything in it; those that it can't have are left out.

        Args:
            path: an existing file or folder.
            rights: the rights to leave.

        Raises:
            OSError: it can't be opened.
        """
        allowed = rights & self.files
        if not os.path.isdir(path):
            allowed &= OF_A_FILE
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rule = _PathBeneath(allowed, descriptor)
            linux.system_call("landlock_add_rule", _ADD_RULE, self._ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
        finally:
            os.close(descriptor)

    def restrict(self) -> None:
        """Take the rights from this thread and all that it starts, for good. `no_new_privs` must be set.

        Raises:
            OSError: it isn't set, or the process is restricted sixteen times already.
        """
        flags = _LOG_SAME_EXEC_OFF | _LOG_SUBDOMAINS_OFF if self.abi >= _LOGGING_ABI else 0
        linux.system_call("landlock_restrict_self", _RESTRICT_SELF, self._ruleset, flags)
