"""Run a function with limits on its time and memory: in a fork of this process, which can be killed at any moment."""

from __future__ import annotations

import gc
import os
import resource
import select
import signal
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

CHUNK_BYTES = 1 << 20


def result_of_fork(make: Callable[[], str], seconds: float, memory_bytes: int) -> str | None:
    """Return the text that `make` returns in a fork of this process; None if it fails or takes too much time or memory.

    Args:
        make: the function; it must use nothing that another thread of this process may hold or change, such as a lock.
        seconds: how long `make` may take before the fork is killed.
        memory_bytes: how much memory `make` may take beyond what this process has.

    Raises:
        OSError: there is no process or pipe left.
    """
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks among threads: `make` waits for none of them
        try:
            child = os.fork()
        except OSError:
            os.close(reader)
            os.close(writer)
            raise
    if not child:
        os.close(reader)
        _work(make, writer, seconds, memory_bytes)
    os.close(writer)
    try:
        return _read(reader, time.monotonic() + seconds)
    finally:
        os.close(reader)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _work(make: Callable[[], str], writer: int, seconds: float, memory_bytes: int) -> None:
    """Write what `make` returns, with a mark at its end, and end this process."""
    try:
        gc.freeze()  # what the parent holds is shared with it until something writes to it
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.alarm(int(seconds) + 5)  # should the parent be gone
        taken = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = taken + memory_bytes
        if most == resource.RLIM_INFINITY or wanted < most:
            resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))
        content = make().encode("utf-8", "replace") + b"\n"
        view = memoryview(content)
        while view:
            view = view[os.write(writer, view[:CHUNK_BYTES]) :]
    finally:
        os._exit(0)  # nothing of the parent's is to be tidied up here


def _read(reader: int, until: float) -> str | None:
    """Return what is written up to the end, None if the mark is missing or the time is over."""
    parts: list[bytes] = []
    poll = select.poll()  # takes any descriptor; of `select` a server may have too many open
    poll.register(reader, select.POLLIN)
    while (left := until - time.monotonic()) > 0:
        if not poll.poll(1000 * left):
            return None
        part = os.read(reader, CHUNK_BYTES)
        if not part:
            content = b"".join(parts)
            return content[:-1].decode("utf-8") if content.endswith(b"\n") else None
        parts.append(part)
    return None
