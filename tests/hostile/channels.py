"""Ways to leave bits in one sealed kernel that another reads. A program: `python -P channels.py`, prints JSON.

For each way a *writer* is told secret bits and a *reader* says what it found; the answer is how many bits arrived of how
many. Reading nothing at all counts as not arrived; by chance half of them are right. `prepare` runs in a reader first.
"""

import json
import os
import random
import sys
import sysconfig
from dataclasses import dataclass, replace
from textwrap import dedent

BITS = 64
FILE_BYTES = 8192
CELL_SECONDS = 60.0
SETUP = """
import ctypes, fcntl, mmap, os, resource, struct, sys

FILES = {files!r}
libc = ctypes.CDLL(None, use_errno=True)
kept = []


def opened(path, flags=os.O_RDONLY):
    kept.append(os.open(path, flags))
    return kept[-1]


def mapped(path):
    descriptor = os.open(path, os.O_RDONLY)
    libc.mmap.restype = ctypes.c_void_p
    address = libc.mmap(None, ctypes.c_size_t({size}), 1, mmap.MAP_SHARED, descriptor, ctypes.c_long(0))
    os.close(descriptor)
    return address


def each(what, count=len(FILES)):
    found = []
    for index in range(count):
        try:
            found.append(what(index))
        except OSError:
            found.append(None)
    return found


def cool(index):
    descriptor = os.open(FILES[index], os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def warm(index):
    with open(FILES[index], "rb", 0) as file:
        while file.read(1 << 20):
            pass
"""
COOLING = """
for index, bit in enumerate(SECRET):
    cool(index)
    if bit:
        warm(index)
"""


@dataclass(frozen=True)
class Way:
    """A way from one kernel to another.

    Attributes:
        name: for the report.
        write: code with the list `SECRET`.
        read: code whose `FOUND` is the list of bits, None where it failed.
        prepare: what the reader does before the writer.
        living: the writer is alive while the reader reads.
        bits: how many it carries.
    """

    name: str
    write: str
    read: str
    prepare: str = ""
    living: bool = False
    bits: int = BITS


WAYS = [
    Way(
        "page cache, advice and RWF_NOWAIT",
        COOLING,
        """
        def look(index):
            try:
                return int(os.preadv(opened(FILES[index]), [bytearray(16)], 0, os.RWF_NOWAIT) == 16)
            except BlockingIOError:
                return 0

        FOUND = each(look)
        """,
    ),
    Way(
        "page cache, advice and mincore",
        COOLING,
        """
        def look(index):
            one = ctypes.create_string_buffer(8)
            if libc.mincore(ctypes.c_void_p(mapped(FILES[index])), ctypes.c_size_t(4096), one):
                raise OSError
            return one.raw[0] & 1

        FOUND = each(look)
        """,
    ),
    Way(
        "page cache, advice and cachestat",
        COOLING,
        """
        def look(index):
            pages = ctypes.create_string_buffer(40)
            everything = struct.pack("QQ", 0, 0)
            if libc.syscall(451, opened(FILES[index]), everything, pages, 0):
                raise OSError
            return int(struct.unpack_from("Q", pages.raw)[0] > 0)

        FOUND = each(look)
        """,
    ),
    Way(
        "page cache, cooled by advice, told by major faults",
        COOLING,
        """
        def look(index):
            before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
            ctypes.c_ubyte.from_address(mapped(FILES[index])).value
            return int(resource.getrusage(resource.RUSAGE_SELF).ru_majflt == before)

        FOUND = each(look)
        """,
    ),
    Way(
        "page cache, paged out, told by major faults",
        """
        for index, bit in enumerate(SECRET):
            if not bit:
                address = mapped(FILES[index])
                ctypes.c_ubyte.from_address(address).value
                libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(8192), 21)
        """,
        """
        def look(index):
            before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
            ctypes.c_ubyte.from_address(mapped(FILES[index])).value
            return int(resource.getrusage(resource.RUSAGE_SELF).ru_majflt == before)

        FOUND = each(look)
        """,
    ),
    Way(
        "write hints of files",
        "each(lambda i: fcntl.fcntl(opened(FILES[i]), 1036, struct.pack('Q', 2 + SECRET[i])))",
        """
        FOUND = each(lambda i: struct.unpack("Q", fcntl.fcntl(opened(FILES[i]), 1035, bytes(8)))[0] - 2)
        """,
    ),
    Way(
        "flags of files",
        """
        def mark(index):
            file = opened(FILES[index])
            flags = struct.unpack("I", fcntl.ioctl(file, 0x80086601, bytes(8))[:4])[0]
            flags = flags | 0x40 if SECRET[index] else flags & ~0x40
            fcntl.ioctl(file, 0x40086602, struct.pack("Q", flags))

        each(mark)
        """,
        """
        FOUND = each(lambda i: fcntl.ioctl(opened(FILES[i]), 0x80086601, bytes(8))[0] >> 6 & 1)
        """,
    ),
    Way(
        "times of devices",
        """
        for bit, name in zip(SECRET, ("null", "zero", "full", "random")):
            try:
                os.utime("/dev/" + name) if bit else None
            except OSError:
                pass
        """,
        """
        import time

        FOUND = [int(time.time() - os.stat("/dev/" + n).st_mtime < 30) for n in ("null", "zero", "full", "random")]
        """,
        bits=4,
    ),
    Way(
        "locks of files",
        "each(lambda i: SECRET[i] and fcntl.flock(opened(FILES[i]), fcntl.LOCK_EX))",
        """
        def look(index):
            try:
                fcntl.flock(opened(FILES[index]), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return 1
            return 0

        FOUND = each(look)
        """,
        living=True,
    ),
    Way(
        "record locks of files",
        "each(lambda i: SECRET[i] and fcntl.lockf(opened(FILES[i]), fcntl.LOCK_SH))",
        """
        def look(index):
            asked = struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0)
            return int(struct.unpack_from("h", fcntl.fcntl(opened(FILES[index]), fcntl.F_GETLK, asked))[0] == 0)

        FOUND = each(look)
        """,
        living=True,
    ),
    Way(
        "leases of files",
        "each(lambda i: SECRET[i] and opened(FILES[i]))",
        """
        def look(index):
            try:
                fcntl.fcntl(opened(FILES[index]), 1024, fcntl.F_WRLCK)
            except BlockingIOError:
                return 1
            return 0

        FOUND = each(look)
        """,
        living=True,
    ),
    Way(
        "notices of opened files",
        "each(lambda i: SECRET[i] and opened(FILES[i]))",
        """
        FOUND = [None] * len(FILES)
        try:
            notices = os.read(watching, 1 << 16)
            FOUND = [0] * len(FILES)
        except OSError:
            notices = b""
        for at in range(0, len(notices), 16):
            FOUND[watched.index(struct.unpack_from("i", notices, at)[0])] = 1
        """,
        prepare="""
        watching = libc.inotify_init1(os.O_NONBLOCK)
        watched = [libc.inotify_add_watch(watching, path.encode(), 0x20) for path in FILES]
        """,
        living=True,
    ),
]
# Everything in /proc but processes: the same at any time, in any kernel.
MACHINE = """
import hashlib, os

SEEN = {}
for folder, folders, names in os.walk("/proc"):
    if folder == "/proc":
        folders[:] = [n for n in folders if not n.isdigit() and not os.path.islink("/proc/" + n)]
    for name in names:
        path = os.path.join(folder, name)
        if not os.path.islink(path):
            try:
                SEEN[path] = hashlib.sha1(open(path, "rb").read(1 << 20)).hexdigest()
            except OSError:
                pass
for path in ("/proc/stat", "/proc/meminfo", "/proc/loadavg", "/proc/uptime", "/proc/vmstat"):
    try:
        SEEN[path] = hashlib.sha1(open(path, "rb").read()).hexdigest()
    except OSError:
        pass
print("@", SEEN)
"""


def shared_files() -> list[str]:
    """Return files that every kernel may read and hardly any does."""
    found = []
    for folder, folders, names in os.walk(os.path.join(sysconfig.get_path("purelib"), "tensorflow", "include")):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.getsize(path) >= FILE_BYTES:
                found.append(path)
            if len(found) == BITS:
                return found
    raise FileNotFoundError(f"{BITS} files of {FILE_BYTES} bytes. Received: {len(found)}.")


def told(session, code: str) -> str:
    """Run a cell and return what it printed."""
    result = session.run(code, CELL_SECONDS)
    return "".join(output.get("text", "") for output in result.outputs)


def main() -> None:
    """Try every way, and print how many bits arrived."""
    from autograder.kernels.session import KernelSession
    from autograder.sources.course import Limits

    files = shared_files()
    setup = SETUP.format(files=files, size=FILE_BYTES)
    limits = replace(Limits(), disk_files=2000)
    only = sys.argv[1:]
    arrived = {}

    def session() -> KernelSession:
        return KernelSession(limits, "tensorflow", accepted=("memory",))

    with session() as first, session() as second:
        for kernel in (first, second):
            told(kernel, setup)
        for way in [way for way in WAYS if not only or way.name in only]:
            for path in files:  # a file that was cold would be warmed by the first who reads it
                with open(path, "rb") as file:
                    file.read()
            secret = [random.getrandbits(1) if way.bits == BITS else 1 for _ in range(way.bits)]
            told(second, dedent(way.prepare))
            writing = f"SECRET = {secret}\n{dedent(way.write)}"
            if way.living:
                told(first, writing)
                found = told(second, f"{dedent(way.read)}\nprint('@', FOUND)")
            else:
                with session() as writer:
                    told(writer, setup + writing)
                found = told(second, f"{dedent(way.read)}\nprint('@', FOUND)")
            for kernel in (first, second):
                told(kernel, "for descriptor in kept:\n    os.close(descriptor)\nkept.clear()")
            said = found.rpartition("@")[2].strip()
            bits = json.loads(said.replace("None", "null")) if said.startswith("[") else []
            arrived[way.name] = [sum(a == b for a, b in zip(bits, secret, strict=False)), way.bits]
        seen = [told(kernel, MACHINE).rpartition("@")[2] for kernel in (first, second)]
        with session() as third:
            seen.append(told(third, MACHINE).rpartition("@")[2])
    shown = [json.loads(text.replace("'", '"')) for text in seen]
    changing = [path for path in shown[0] if any(other.get(path) != shown[0][path] for other in shown)]
    print(json.dumps({"arrived": arrived, "changing": changing}))


if __name__ == "__main__":
    main()
