"""The seccomp filter of a sealed process: which system calls fail, and how.

A filter is classic BPF (`linux/filter.h`) over `struct seccomp_data`: the call's number at offset 0, the architecture
at 4, the low words of the arguments from 16 on in steps of 8.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
from collections.abc import Iterable, Mapping

from autograder.sealing import linux

_LOAD, _AND, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _JUMP_IF_ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
_NUMBER, _ARCHITECTURE, _ARGUMENT_0, _ARGUMENT_1, _ARGUMENT_2, _ARGUMENT_3, _ARGUMENT_5 = 0, 4, 16, 24, 32, 40, 56
_AUDIT_ARCHITECTURE = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_X32_CALLS = 0x4000_0000
_NAMESPACE_FLAGS = (
    linux.CLONE_NEWNS
    | linux.CLONE_NEWCGROUP
    | linux.CLONE_NEWUTS
    | linux.CLONE_NEWIPC
    | linux.CLONE_NEWUSER
    | linux.CLONE_NEWPID
    | linux.CLONE_NEWNET
)
_CLONE_FILES, _CLONE_THREAD, _CLOSE_RANGE_UNSHARE, _CLOSE_RANGE_CLOEXEC = 0x400, 0x1_0000, 2, 4
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
# The second byte of the requests that change a file's flags or read its place on the disk: fs, xfs, its version, btrfs.
_FILE_REQUESTS = (0x6600, 0x5800, 0x7600, 0x9400)
_F_SETLK, _F_SETLKW, _F_OFD_SETLK, _F_OFD_SETLKW = 6, 7, 37, 38
_F_SETLEASE, _F_GETLEASE, _F_NOTIFY, _F_WRITE_HINTS = 1024, 1025, 1026, (1035, 1036, 1037, 1038)
_MADV_WILLNEED, _MADV_COLD, _MADV_PAGEOUT, _MADV_COLLAPSE = 3, 20, 21, 25
_MAP_SHARED, _MAP_ANONYMOUS = 0x01, 0x20

# Name -> number on x86_64 and aarch64 (arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h);
# None where the architecture has no such call.
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
    "prlimit64": (302, 261),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # namespaces and mounts
    "clone": (56, 220),
    "clone3": (435, 435),
    "close_range": (436, 436),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # the kernel itself
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "iopl": (172, None),
    "ioperm": (173, None),
    "vhangup": (153, 58),
    "lookup_dcookie": (212, 18),
    "fanotify_init": (300, 262),
    # memory that no limit counts
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    # sockets and terminals
    "socket": (41, 198),
    "socketpair": (53, 199),
    "ioctl": (16, 29),
    # what of a file lies in memory, and what a file shows to others who have it open
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    "sync_file_range": (277, 84),
    "mincore": (27, 232),
    "cachestat": (451, 451),
    "preadv2": (327, 286),
    "pwritev2": (328, 287),
    "io_setup": (206, 0),
    "madvise": (28, 233),
    "flock": (73, 32),
    "fcntl": (72, 25),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "ustat": (136, None),
    # memory that no process need show
    "vmsplice": (278, 75),
    "mmap": (9, 222),
    # a file's length, which Landlock leaves alone before its ABI 3
    "truncate": (76, 45),
    "open": (2, None),
    "openat": (257, 56),
    "openat2": (437, 437),
    # a file's metadata, which Landlock leaves alone
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
}

_FORBIDDEN = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd"),
    *("setpriority", "ioprio_set", "move_pages", "migrate_pages"),
    *("unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "fsopen", "fsconfig", "fsmount", "fspick"),
    *("open_tree", "move_mount", "mount_setattr", "name_to_handle_at", "open_by_handle_at"),
    *("bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("add_key", "request_key", "keyctl", "kexec_load", "kexec_file_load", "init_module", "finit_module"),
    *("delete_module", "acct", "swapon", "swapoff", "reboot", "settimeofday", "clock_settime", "adjtimex"),
    *("clock_adjtime", "sethostname", "setdomainname", "quotactl", "quotactl_fd", "syslog", "iopl", "ioperm"),
    *("vhangup", "lookup_dcookie", "fanotify_init", "memfd_create", "memfd_secret", "shmget", "semget", "msgget"),
    *("mq_open", "mbind", "set_mempolicy"),
)
# As on a kernel without them. What is in the page cache, or who opens a file, would tell of other sealed processes.
_ABSENT = ("mincore", "cachestat", "openat2", "io_setup", "inotify_init", "inotify_init1", "vmsplice")
# ZeroMQ aborts when it may not set its threads' priority, and much honest code gives advice or locks a file in passing:
# these seem to succeed. Advice could cool shared files, and locks on them could be seen by other sealed processes.
_PRETENDED = (
    *("sched_setscheduler", "sched_setparam", "sched_setattr"),
    *("fadvise64", "readahead", "sync_file_range", "flock"),
)
_FREE_SPACE = ("statfs", "fstatfs", "ustat")
_METADATA = (
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchown", "fchownat"),
    *("setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr", "fremovexattr"),
    *("removexattrat", "file_setattr", "utime", "utimes", "futimesat", "utimensat"),
)
# In a network namespace of its own a process may have sockets; anywhere else only pairs that lead nowhere.
OWN_NETWORK = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)


def number_of(name: str) -> int | None:
    """Return a system call's number on this architecture, None if it has no such call."""
    return _NUMBERS[name][linux.SUPPORTED_ARCHITECTURES.index(linux.ARCHITECTURE)]


def syscall_filter(
    families: Iterable[int],
    *,
    guards_metadata: bool,
    guards_signals: bool,
    guards_truncation: bool = False,
    guards_shared_memory: bool = False,
) -> bytes:
    """Return the filter program of a sealed process.

    Args:
        families: address families that `socket` may have.
        guards_metadata: whether modes, owners, times and extended attributes stay as they are: calls that change them seem to succeed, for
            much honest code sets a mode in passing. How much of a disk is free, which others may share, isn't told.
        guards_signals: whether signals reach this process alone; the filter must be made in the process that is sealed.
        guards_truncation: whether only who opens a file for writing, which Landlock controls, can empty it.
        guards_shared_memory: whether anonymous memory can't be shared: unmapped parts of shared memory stay, in no
            process's size.
    """
    program = [
        _load(_ARCHITECTURE),
        _jump(_JUMP_IF_EQUAL, _AUDIT_ARCHITECTURE[linux.ARCHITECTURE], 1, 0),
        _return(_KILL),
        _load(_NUMBER),
    ]
    if linux.ARCHITECTURE == "x86_64":
        program += [_jump(_JUMP_IF_AT_LEAST, _X32_CALLS, 0, 1), _return(_KILL)]
    for name in _FORBIDDEN:
        program += _for_call(name, [_return(_ERROR | errno.EPERM)])
    for name in _ABSENT:
        program += _for_call(name, [_return(_ERROR | errno.ENOSYS)])
    for name in _PRETENDED:
        program += _for_call(name, [_return(_ERROR)])
    for name in ("preadv2", "pwritev2"):  # a flag tells what would have to be read from the disk
        program += _for_call(name, _allowing_only(_ARGUMENT_5, [0], errno.EOPNOTSUPP))
    locks = (_F_SETLK, _F_SETLKW, _F_OFD_SETLK, _F_OFD_SETLKW)
    shown_to_others = (_F_SETLEASE, _F_GETLEASE, _F_NOTIFY, *_F_WRITE_HINTS)
    program += _for_call(
        "fcntl", _refusing(_ARGUMENT_1, {**dict.fromkeys(locks, 0), **dict.fromkeys(shown_to_others, errno.EINVAL)})
    )
    cooling_advice = dict.fromkeys((_MADV_COLD, _MADV_PAGEOUT, _MADV_COLLAPSE), errno.EINVAL)
    program += _for_call("madvise", _refusing(_ARGUMENT_2, {_MADV_WILLNEED: 0, **cooling_advice}))
    if guards_shared_memory:
        program += _for_call("mmap", _all_but_shared_anonymous(_ARGUMENT_3))
    # the flags of clone3 lie in memory, out of a filter's reach; without it the C library calls clone
    program += _for_call("clone3", [_return(_ERROR | errno.ENOSYS)])
    program += _for_call(
        "clone",
        [
            _load(_ARGUMENT_0),
            _jump(_JUMP_IF_ANY_BIT, _NAMESPACE_FLAGS, 2, 0),
            _jump(_JUMP_IF_ANY_BIT, _CLONE_THREAD, 0, 2),
            _jump(_JUMP_IF_ANY_BIT, _CLONE_FILES, 1, 0),
            _return(_ERROR | errno.EPERM),
            _return(_ALLOW),
        ],
    )
    # a thread with open files of its own could hide them: what a process has open is asked of one thread
    own_files = (_CLOSE_RANGE_UNSHARE, _CLOSE_RANGE_UNSHARE | _CLOSE_RANGE_CLOEXEC)
    program += _for_call("close_range", _refusing(_ARGUMENT_2, dict.fromkeys(own_files, errno.EINVAL)))
    program += _for_call("socket", _allowing_only(_ARGUMENT_0, sorted(families), errno.EAFNOSUPPORT))
    program += _for_call("socketpair", _allowing_only(_ARGUMENT_0, [socket.AF_UNIX], errno.EAFNOSUPPORT))
    program += _for_call("prlimit64", _allowing_only(_ARGUMENT_0, [0], errno.EPERM))
    program += _for_call("ioctl", _ioctl_body())
    if guards_metadata:
        for name in (*_METADATA, "sched_setaffinity"):
            program += _for_call(name, [_return(_ERROR)])
        for name in _FREE_SPACE:
            program += _for_call(name, [_return(_ERROR | errno.ENOSYS)])
    if guards_signals:
        for name in ("tkill", "rt_sigqueueinfo", "pidfd_send_signal"):
            program += _for_call(name, [_return(_ERROR | errno.EPERM)])
        for name in ("kill", "tgkill", "rt_tgsigqueueinfo"):
            program += _for_call(name, _allowing_only(_ARGUMENT_0, [os.getpid()], errno.EPERM))
    if guards_truncation:
        program += _for_call("truncate", [_return(_ERROR | errno.EACCES)])
        program += _for_call("open", _writing_if_truncating(_ARGUMENT_1))
        program += _for_call("openat", _writing_if_truncating(_ARGUMENT_2))
    program.append(_return(_ALLOW))
    return b"".join(program)


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value & 0xFFFF_FFFF)


def _load(offset: int) -> bytes:
    return _instruction(_LOAD, offset)


def _jump(code: int, value: int, if_true: int, if_false: int) -> bytes:
    return _instruction(code, value, if_true, if_false)


def _return(action: int) -> bytes:
    return _instruction(_RETURN, action)


def _for_call(name: str, body: list[bytes]) -> list[bytes]:
    """Return instructions that run `body`, which must return, for one system call and skip it for others."""
    number = number_of(name)
    return [] if number is None else [_jump(_JUMP_IF_EQUAL, number, 0, len(body)), *body]


def _allowing_only(argument: int, allowed: list[int], error: int) -> list[bytes]:
    """Return a body that allows a call whose argument has one of these values."""
    tests = [_jump(_JUMP_IF_EQUAL, value, len(allowed) - index, 0) for index, value in enumerate(allowed)]
    return [_load(argument), *tests, _return(_ERROR | error), _return(_ALLOW)]


def _refusing(argument: int, errors: Mapping[int, int]) -> list[bytes]:
    """Return a body that ends a call with an error, 0 for pretended success, by the value of its argument."""
    body = [_load(argument)]
    for value, error in errors.items():
        body += [_jump(_JUMP_IF_EQUAL, value, 0, 1), _return(_ERROR | error)]
    return [*body, _return(_ALLOW)]


def _ioctl_body() -> list[bytes]:
    """Return a body for `ioctl`: nothing is typed into a terminal, no flag or place of a file is told or changed."""
    *body, _ = _refusing(_ARGUMENT_1, dict.fromkeys((_TIOCSTI, _TIOCLINUX), errno.EPERM))
    *kinds, allowed = _refusing(_ARGUMENT_1, dict.fromkeys(_FILE_REQUESTS, errno.ENOTTY))
    return [*body, kinds[0], _instruction(_AND, 0xFF00), *kinds[1:], allowed]


def _all_but_shared_anonymous(flags: int) -> list[bytes]:
    return [
        _load(flags),
        _jump(_JUMP_IF_ANY_BIT, _MAP_ANONYMOUS, 0, 2),
        _jump(_JUMP_IF_ANY_BIT, _MAP_SHARED, 0, 1),
        _return(_ERROR | errno.EPERM),
        _return(_ALLOW),
    ]


def _writing_if_truncating(flags: int) -> list[bytes]:
    """Return a body that refuses to truncate what isn't opened for writing; access mode 3 is neither."""
    return [
        _load(flags),
        _jump(_JUMP_IF_ANY_BIT, os.O_TRUNC, 0, 3),
        _instruction(_AND, os.O_ACCMODE),
        _jump(_JUMP_IF_EQUAL, os.O_WRONLY, 1, 0),
        _jump(_JUMP_IF_EQUAL, os.O_RDWR, 0, 1),
        _return(_ALLOW),
        _return(_ERROR | errno.EACCES),
    ]
