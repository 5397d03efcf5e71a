"""Users of sealed processes of a grader that runs as root: each living one has its own, whoever forked it.

Linux counts processes by user: two sealed ones with the same could take each other's. Which are taken is told by locks
on files in a folder that only root may change; a lock ends with whoever holds it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat

from autograder.sealing.layers import FIRST_USER, USERS

FOLDERS = ("/run/autograder-users", "/var/tmp/autograder-users")


def claim_user(start: int, folders: tuple[str, ...] = FOLDERS) -> tuple[int, int]:
    """Take a user that no living sealed process has.

    Args:
        start: index at which the search begins.
        folders: where the locks may lie; the first usable folder is taken.

    Returns:
        Its index, and the descriptor that holds the claim until it is closed.

    Raises:
        OSError: none is left, or no folder can be used.
    """
    folder = _folder(folders)
    try:
        busy = _living_users()
        for step in range(USERS):
            index = (start + step) % USERS
            lock = os.open(str(FIRST_USER + index), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=folder)
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if FIRST_USER + index not in busy:
                    return index, lock
            os.close(lock)
    finally:
        os.close(folder)
    raise OSError(f"All {USERS} users for students' kernels are taken. Received: users from {FIRST_USER}.")


def _folder(folders: tuple[str, ...]) -> int:
    failures = []
    for path in folders:
        try:
            with contextlib.suppress(FileExistsError):
                os.mkdir(path, 0o700)
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            found = os.fstat(descriptor)
            if found.st_uid == os.geteuid() and not stat.S_IMODE(found.st_mode) & 0o077:
                return descriptor
            os.close(descriptor)
            failures.append(f"{path} is somebody else's")
        except OSError as error:
            failures.append(str(error))
    raise OSError(f"No folder can hold what tells taken users. Received: {'; '.join(failures)}.")


def _living_users() -> set[int]:
    """Return whom processes belong to: a grader that was killed may have left some for a moment."""
    found = set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                found.add(os.stat(f"/proc/{name}").st_uid)
    return found
