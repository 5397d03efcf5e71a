"""Run a command with the rights that a container's root has by default, on a kernel without Landlock.

A program: `python plain_container.py COMMAND …`, for root. Missing are the capabilities that Docker leaves out, new
namespaces, mounts, and Landlock's system calls. The file system is the machine's.
"""

from __future__ import annotations

import errno
import os
import sys

from autograder.sealing import linux
from autograder.sealing import syscall_filter as bpf

# CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID, SETPCAP, NET_BIND_SERVICE, NET_RAW, SYS_CHROOT, MKNOD, AUDIT_WRITE and SETFCAP:
# Docker's documentation, "Runtime privilege and Linux capabilities".
DEFAULT_CAPABILITIES = frozenset((0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31))
FORBIDDEN = ("unshare", "setns", "mount", "umount2", "pivot_root", "open_tree", "move_mount", "mount_setattr", "fsopen")
LANDLOCK_CALLS = (444, 445, 446)  # of every architecture


def filter_program() -> bytes:
    """Return a filter under which namespaces and mounts are forbidden and Landlock doesn't exist."""
    program = [bpf._load(bpf._NUMBER)]
    for number in LANDLOCK_CALLS:
        program += [bpf._jump(bpf._JUMP_IF_EQUAL, number, 0, 1), bpf._return(bpf._ERROR | errno.ENOSYS)]
    for name in FORBIDDEN:
        program += bpf._for_call(name, [bpf._return(bpf._ERROR | errno.EPERM)])
    program += bpf._for_call("clone3", [bpf._return(bpf._ERROR | errno.ENOSYS)])
    forbidden_flags = [
        bpf._load(bpf._ARGUMENT_0),
        bpf._jump(bpf._JUMP_IF_ANY_BIT, bpf._NAMESPACE_FLAGS, 0, 1),
        bpf._return(bpf._ERROR | errno.EPERM),
        bpf._return(bpf._ALLOW),
    ]
    program += bpf._for_call("clone", forbidden_flags)
    return b"".join([*program, bpf._return(bpf._ALLOW)])


def become_plain() -> None:
    """Give up what a container's root doesn't have, for this process and all that it starts."""
    linux.set_syscall_filter(filter_program())
    for number in range(64):
        if number not in DEFAULT_CAPABILITIES:
            try:
                linux.prctl(linux.PR_CAPBSET_DROP, number)
            except OSError as error:
                if error.errno != errno.EINVAL:
                    raise
                break


if __name__ == "__main__":
    become_plain()
    os.execvp(sys.argv[1], sys.argv[1:])
