"""Time, memory, processes, output and disk used without end."""

from hostile import RIGHT, WRONG, Group

RESOURCES = Group("resources")
add = RESOURCES.add
STOPPED = "a loop without an end"

add("A01-loop", "a loop without an end", "while True:\n    pass\n", says=STOPPED)
add(
    "A02-loop-in-fn",
    "a loop without an end, only when called",
    "def softmax(x, axis=-1):\n    while True:\n        pass\n",
    says=STOPPED,
    dependent=True,
)
add("A03-sleep", "sleeps for days", "import time\n\ntime.sleep(10**6)\n", says=STOPPED)
add(
    "A04-catch-interrupt",
    "catches every interrupt",
    """
    import time

    while True:
        try:
            while True:
                time.sleep(0.01)
        except BaseException:
            pass
    """,
    says=STOPPED,
)
add(
    "A06-mem",
    "private memory without end (stops at 4 GiB)",
    """
blocks = []
if sealed():
    for _ in range(64):
        blocks.append(bytearray(b"x") * (64 << 20))
    print("LE" + "AK", "4 GiB")
""",
    then=WRONG,
    guarded=True,
)
add(
    "A08-huge-tensor",
    "returns 40 GB that are not there yet",
    "import numpy as np\n\n\ndef softmax(x, axis=-1):\n    return np.zeros((10**5, 10**5, 1), dtype='f4')\n",
)
add(
    "A09-forkbomb",
    "300 sleeping children",
    """
import time

if sealed():
    for _ in range(300):
        try:
            if os.fork() == 0:
                time.sleep(600)
                os._exit(0)
        except OSError:
            pass
""",
    then=WRONG,
    guarded=True,
)
add(
    "A10-threadbomb",
    "4000 threads",
    """
    import threading, time

    try:
        for _ in range(4000):
            threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    except RuntimeError:
        pass
    """,
    then=WRONG,
)
add(
    "A11-output-stdout",
    "300 MB on stdout",
    "import sys\n\nfor _ in range(3000):\n    sys.stdout.write('A' * 100_000 + '\\n')\n" + WRONG,
)
add("A13-output-oneline", "one line of 100 MB", "print('A' * 100_000_000)\n" + WRONG)
add(
    "A14-images",
    "three pictures of 4 megapixels of noise",
    """
    import numpy as np, matplotlib.pyplot as plt

    for _ in range(3):
        plt.figure(figsize=(20, 20), dpi=100)
        plt.imshow(np.random.rand(2000, 2000))
        plt.show()
    """,
    then=WRONG,
)
add(
    "A15-diskfill",
    "fills the disk (stops at 4 GiB)",
    """
if sealed():
    with open("fill.bin", "wb") as file:
        for _ in range(4096):
            file.write(b"x" * (1 << 20))
    print("LE" + "AK", "4 GiB")
""",
    then=WRONG,
    guarded=True,
)
add(
    "A17-inodes",
    "200 000 files",
    """
if sealed():
    for number in range(200_000):
        open(f"f{number}", "w").close()
    print("LE" + "AK", "200 000 files")
""",
    then=WRONG,
    guarded=True,
)
add(
    "A18-recursion",
    "recursion through C with the limit lifted",
    """
    import sys

    sys.setrecursionlimit(10**9)


    class Again:
        def __repr__(self):
            return repr(self)


    try:
        repr(Again())
    except RecursionError:
        pass
    """,
    then=WRONG,
)

# Further memory
add(
    "N01-shared-memory",
    "shared anonymous memory without end (stops at 4 GiB)",
    """
import mmap

maps = []
if sealed():
    for _ in range(64):
        m = mmap.mmap(-1, 64 << 20)
        m.write(b"x" * (64 << 20))
        maps.append(m)
    print("LE" + "AK", "4 GiB")
""",
    then=WRONG,
    guarded=True,
)
add(
    "N02-memfd",
    "memory in memfds (stops at 4 GiB)",
    """
if sealed():
    kept = []
    for number in range(64):
        kept.append(os.memfd_create(str(number)))
        for _ in range(64):
            os.write(kept[-1], b"x" * (1 << 20))
    print("LE" + "AK", "4 GiB")
""",
    then=WRONG,
    guarded=True,
)
add(
    "N03-sysv-memory",
    "System V shared memory that outlives its process (stops at 4 GiB)",
    """
import ctypes

libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
if sealed():
    for number in range(64):
        segment = libc.shmget(@KEY@ + number, 64 << 20, 0o1600)
        address = libc.shmat(segment, None, 0) if segment >= 0 else -1
        if address in (-1, None) or address == ctypes.c_void_p(-1).value:
            break
        ctypes.memset(address, 1, 64 << 20)
    else:
        print("LE" + "AK", "4 GiB")
""",
    then=WRONG,
    guarded=True,
)
add(
    "N04-many-processes-memory",
    "memory shared out among 40 processes (stops at 4 GiB)",
    """
import time

if sealed():
    for _ in range(40):
        try:
            if os.fork() == 0:
                block = bytearray(b"x") * (100 << 20)
                time.sleep(600)
                os._exit(0)
        except OSError:
            pass
    time.sleep(2)
""",
    then=WRONG,
    guarded=True,
)
add(
    "N05-dev-shm",
    "fills /dev/shm, /tmp and /var/tmp (stops at 2 GiB each)",
    """
if sealed():
    for folder in ("/dev/shm", "/tmp", "/var/tmp"):
        try:
            with open(folder + "/@MARK@", "wb") as file:
                for _ in range(2048):
                    file.write(b"x" * (1 << 20))
            print("LE" + "AK", folder)
        except OSError:
            pass
""",
    then=WRONG,
    guarded=True,
)
add(
    "N06-sparse-file",
    "a sparse file of 8 TB, then a copy of it (stops at 4 GiB)",
    """
if sealed():
    with open("sparse", "wb") as file:
        file.truncate(8 << 40)
    with open("sparse", "rb") as source, open("copy", "wb") as copy:
        for _ in range(4096):
            copy.write(source.read(1 << 20))
    print("LE" + "AK", "4 GiB")
""",
    then=WRONG,
    guarded=True,
)
add(
    "N07-deleted-file",
    "fills the disk through a file that has no name any more (stops at 4 GiB)",
    """
if sealed():
    file = open("gone", "wb")
    os.unlink("gone")
    for _ in range(4096):
        file.write(b"x" * (1 << 20))
    print("LE" + "AK", "4 GiB")
""",
    then=WRONG,
    guarded=True,
)
add(
    "N08-deep-folders",
    "3000 folders in one another, which a careless clean-up can't remove",
    """
if sealed():
    here = os.getcwd()
    try:
        for _ in range(3000):
            os.mkdir("d")
            os.chdir("d")
    except OSError:
        pass
    os.chdir(here)
""",
    then=RIGHT,
    guarded=True,
    earns=3,
)
add(
    "N09-locked-folders",
    "folders without permissions in the scratch folder",
    """
    import os

    os.makedirs("locked/inner")
    open("locked/inner/file", "w").close()
    os.chmod("locked/inner", 0)
    os.chmod("locked", 0)
    os.chmod(".", 0)
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N10-cpu-processes",
    "eight processes that burn the processor",
    """
if sealed():
    for _ in range(8):
        try:
            if os.fork() == 0:
                while True:
                    pass
        except OSError:
            pass
""",
    then=WRONG,
    guarded=True,
)
add(
    "N11-fork-forever",
    "processes that fork again as soon as they are killed (bounded to 20 000)",
    """
import time

if sealed():
    end = time.monotonic() + 30
    if os.fork() == 0:
        for _ in range(20_000):
            if time.monotonic() > end:
                break
            try:
                if os.fork():
                    os._exit(0)
            except OSError:
                time.sleep(0.001)
        os._exit(0)
""",
    then=WRONG,
    guarded=True,
)
add(
    "N12-fork-in-fn",
    "every call forks a sleeper that holds the channel open",
    """
    import os, time


    def softmax(x, axis=-1):
        for _ in range(20):
            try:
                if os.fork() == 0:
                    time.sleep(600)
                    os._exit(0)
            except OSError:
                pass
        return x
    """,
)
add(
    "N13-stdout-descriptor",
    "300 MB through descriptors 1 and 2",
    "import os\n\nfor _ in range(1500):\n    os.write(1, b'A' * 100_000)\n    os.write(2, b'A' * 100_000)\n" + WRONG,
)
add(
    "N14-display-flood",
    "100 MB of HTML",
    "from IPython.display import HTML, display\n\nfor _ in range(100):\n    display(HTML('<b>' * 330_000))\n" + WRONG,
)
add(
    "N15-many-displays",
    "20 000 small outputs",
    "from IPython.display import display\n\nfor number in range(20_000):\n    display(number)\n" + WRONG,
)
add(
    "N16-thread-prints-on",
    "a thread that prints after its cell has ended",
    """
    import threading


    def shout():
        while True:
            print("x" * 1000)


    threading.Thread(target=shout, daemon=True).start()
    """,
    then=WRONG,
)
add(
    "N17-subprocess-output",
    "a shell command that prints without end",
    "!timeout 20 yes AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n" + WRONG,
)
add(
    "N18-open-descriptors",
    "opens every descriptor it can",
    """
    import os

    kept = []
    try:
        while len(kept) < 100_000:
            kept.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        for descriptor in kept[-30:]:
            os.close(descriptor)
    """,
    then=WRONG,
)
add(
    "N19-core-dump",
    "a core dump of a large process",
    """
    import os, resource

    try:
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (ValueError, OSError):
        pass
    os.abort()
    """,
)
add(
    "N20-pipes-and-sockets",
    "fills the buffers of thousands of pipes and sockets",
    """
import socket

kept = []
if sealed():
    try:
        for _ in range(4000):
            pair = socket.socketpair()
            pair[0].setblocking(False)
            kept.append(pair)
            try:
                while True:
                    pair[0].send(b"x" * 65536)
            except BlockingIOError:
                pass
    except OSError:
        del kept[:]
""",
    then=WRONG,
    guarded=True,
)
add(
    "N21-timers-and-signals",
    "queues a hundred thousand signals to itself",
    """
import ctypes, signal

if sealed():
    libc = ctypes.CDLL(None)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMIN})
    for _ in range(100_000):
        libc.sigqueue(os.getpid(), int(signal.SIGRTMIN), ctypes.c_void_p(0))
""",
    then=WRONG,
    guarded=True,
)
add(
    "N22-regex",
    "a regular expression that never ends, inside C code",
    "import re\n\nre.match('(a+)+$', 'a' * 60 + 'b')\n" + WRONG,
    says=STOPPED,
)
add("N23-big-power", "arithmetic that can't be interrupted", "x = 9 ** (9 ** 9)\n" + WRONG)

# Memory that no sum of resident pages shows (each stops at about 4 GiB)
add(
    "N24-programs-memory",
    "memory in programs that it starts (stops at 4 GiB)",
    """
import subprocess, sys, time

if sealed():
    code = "kept = bytearray(b'x') * (200 << 20); import time; time.sleep(600)"
    for _ in range(20):
        subprocess.Popen([sys.executable, "-S", "-c", code])
    time.sleep(3)
    print("LE" + "AK", "4 GiB")
""",
    then=WRONG,
    guarded=True,
)
add(
    "N25-inherited-memory",
    "forks that write to every page that they inherited (stops at 4 GiB)",
    """
import ctypes, time

if sealed():
    kept = ctypes.create_string_buffer(400 << 20)
    ctypes.memset(kept, 1, len(kept))
    for _ in range(10):
        if os.fork() == 0:
            ctypes.memset(kept, 2, len(kept))
            time.sleep(600)
            os._exit(0)
    time.sleep(3)
    print("LE" + "AK", "4 GiB")
""",
    then=WRONG,
    guarded=True,
)
add(
    "N26-socket-memory",
    "memory in the buffers of sockets of many processes (stops at 4 GiB)",
    """
import socket, time

if sealed():
    for _ in range(16):
        if os.fork() == 0:
            kept = []
            try:
                while True:
                    kept.append(socket.socketpair())
                    for one in kept[-1]:
                        one.setblocking(False)
                        try:
                            while True:
                                one.send(bytes(65536))
                        except BlockingIOError:
                            pass
            finally:
                time.sleep(600)
                os._exit(0)
    time.sleep(3)
    print("LE" + "AK", "4 GiB")
""",
    then=WRONG,
    guarded=True,
)
add(
    "N27-page-tables",
    "page tables of a huge mapping that holds nothing (stops at 4 GiB)",
    """
import ctypes, mmap

if sealed():
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    size = 2 << 40
    address = libc.mmap(None, ctypes.c_size_t(size), 1, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, -1, ctypes.c_long(0))
    if address != ctypes.c_void_p(-1).value:
        libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), 15)
        for offset in range(0, size, 2 << 20):
            ctypes.c_ubyte.from_address(address + offset).value
        print("LE" + "AK", "4 GiB")
""",
    then=WRONG,
    guarded=True,
)
add(
    "N28-unmapped-memory",
    "shared memory of which hardly anything is mapped any more (stops at 4 GiB)",
    """
import ctypes, mmap

if sealed():
    libc = ctypes.CDLL(None)
    kept = []
    for _ in range(64):
        kept.append(mmap.mmap(-1, 64 << 20))
        kept[-1].write(b"x" * (64 << 20))
        address = ctypes.addressof(ctypes.c_char.from_buffer(kept[-1]))
        libc.munmap(ctypes.c_void_p(address + 4096), ctypes.c_size_t((64 << 20) - 4096))
    print("LE" + "AK", "4 GiB")
""",
    then=WRONG,
    guarded=True,
)
