"""Ends, signals, descendants, and the kernel's own machinery."""

from hostile import INDEPENDENT, RIGHT, WRONG, Group

PROCESSES = Group("processes")
add = PROCESSES.add
STOPPED = "a loop without an end"
ENDED = "ended (the|its) kernel"

add("B01-os_exit", "os._exit in the cell", "import os\n\nos._exit(0)\n", says=ENDED)
add(
    "B02-os_exit-in-fn",
    "os._exit when called",
    "import os\n\n\ndef softmax(x, axis=-1):\n    os._exit(0)\n",
    says=ENDED,
    dependent=True,
)
add("B03-sys_exit", "sys.exit", "import sys\n\nsys.exit()\n")
add("B05-quit", "quit(): asks the kernel to end", "quit()\n")
add("B06-sigkill", "SIGKILL to itself", "import os, signal\n\nos.kill(os.getpid(), signal.SIGKILL)\n", says=ENDED)
add("B07-sigstop", "SIGSTOP to itself", "import os, signal\n\nos.kill(os.getpid(), signal.SIGSTOP)\n")
add(
    "B08-kill-parent",
    "SIGKILL to the parent process",
    """
    if sealed():
        import signal

        try:
            os.kill(os.getppid(), signal.SIGKILL)
        except OSError:
            pass
    """,
    then=WRONG,
    guarded=True,
)
add(
    "B09-kill-all",
    "SIGKILL to every process it may signal",
    """
    if sealed():
        import signal

        try:
            os.kill(-1, signal.SIGKILL)
        except OSError:
            pass
    """,
    then=WRONG,
    guarded=True,
)
add("B11-segv", "a segmentation fault", "import ctypes\n\nctypes.string_at(0)\n", says=ENDED)
add("B12-abort", "abort(), as a failed check inside TensorFlow does", "import os\n\nos.abort()\n", says=ENDED)
add(
    "B13-daemon",
    "a double-forked daemon of its own session that writes on",
    """
    import os, time

    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for _ in range(600):
                for folder in ("@COURSE@", "@OUTSIDE@", os.getcwd(), "/tmp"):
                    try:
                        open(folder + "/@MARK@", "a").write("x")
                    except OSError:
                        pass
                time.sleep(1)
        os._exit(0)
    """,
    then=WRONG,
)
add(
    "B14-unreaped",
    "ten children that have ended and for which nobody waits",
    "import os\n\nfor _ in range(10):\n    if os.fork() == 0:\n        os._exit(0)\n" + WRONG,
)
add(
    "B15-atexit",
    "a hanging exit handler",
    "import atexit, time\n\natexit.register(lambda: time.sleep(10**6))\n" + WRONG,
)

HEADLESS = """
import ctypes, os, threading, time


def end_this_thread():
    ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)


"""
add(
    "B16-headless",
    "a child whose main thread has ended, while another one sleeps",
    HEADLESS
    + """if os.fork() == 0:
    os.setsid()
    threading.Thread(target=time.sleep, args=(600,)).start()
    end_this_thread()
""",
    then=WRONG,
)
add(
    "B17-headless-mem",
    "four children of 512 MiB each, whose main threads have ended",
    HEADLESS
    + """def take(full):
    block = bytearray(b"x") * (512 << 20)
    os.write(full, b"x")
    time.sleep(600)


if sealed():
    reading, writing = os.pipe()
    for _ in range(4):
        if os.fork() == 0:
            threading.Thread(target=take, args=(writing,)).start()
            end_this_thread()
    os.close(writing)
    if len([os.read(reading, 1) for _ in range(4)]) == 4:
        print("LE" + "AK", "2 GiB")
""",
    then=WRONG,
    guarded=True,
)

# Ends in the middle of things
add("ME02-sysexit-in-fn", "sys.exit when called", "import sys\n\n\ndef softmax(x, axis=-1):\n    sys.exit(0)\n")
add("ME03-kbint-in-fn", "KeyboardInterrupt when called", "def softmax(x, axis=-1):\n    raise KeyboardInterrupt\n")
add("ME04-genexit", "GeneratorExit when called", "def softmax(x, axis=-1):\n    raise GeneratorExit\n")
add("ME05-recursion", "recursion without end when called", "def softmax(x, axis=-1):\n    return softmax(x, axis)\n")
add(
    "ME06-recursion-lifted",
    "recursion through C with the limit lifted, when called",
    """
    import sys

    sys.setrecursionlimit(10**9)


    class Again:
        def __repr__(self):
            return repr(self)


    def softmax(x, axis=-1):
        return repr(Again())
    """,
)
add(
    "ME07-quit-in-fn",
    "asks the kernel to end when called",
    "def softmax(x, axis=-1):\n    get_ipython().ask_exit()\n    return x\n",
)
add(
    "ME08-delayed-exit",
    "ends the kernel a moment after the cell",
    "import os, threading\n\nthreading.Timer(0.3, os._exit, (0,)).start()\n" + WRONG,
)
add(
    "ME09-delayed-exit-fn",
    "ends the kernel a moment after the call",
    """
    import os, threading


    def softmax(x, axis=-1):
        threading.Timer(0.05, os._exit, (0,)).start()
        return x
    """,
    dependent=True,
)
add(
    "N30-exit-in-later-cell",
    "ends the kernel while a later cell runs",
    "import os, threading\n\nthreading.Timer(1.0, os._exit, (0,)).start()\n" + RIGHT,
    earns=3,
)
add(
    "N31-exit-in-fifth-call",
    "ends the kernel at the fifth call only",
    """
    import os

    calls = 0


    def softmax(x, axis=-1):
        global calls
        calls += 1
        if calls == 5:
            os._exit(0)
        return x
    """,
)
add(
    "ME01-sigint-ignored",
    "ignores SIGINT and loops when called",
    """
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


    def softmax(x, axis=-1):
        while True:
            pass
    """,
    says=STOPPED,
)
add(
    "N32-all-signals-ignored",
    "ignores every signal that can be ignored and sleeps",
    """
    import signal, time

    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    time.sleep(10**6)
    """,
    says=STOPPED,
)
add(
    "ME10-sigint-storm",
    "sends itself SIGINT for ever",
    """
    import os, signal, threading, time


    def storm():
        while True:
            time.sleep(0.2)
            os.kill(os.getpid(), signal.SIGINT)


    threading.Thread(target=storm, daemon=True).start()
    """,
    then=WRONG,
)
add("ME11-alarm", "sets an alarm that ends the kernel", "import signal\n\nsignal.alarm(1)\n" + WRONG)
add(
    "ME12-sigstop-fn",
    "stops itself when called",
    "import os, signal\n\n\ndef softmax(x, axis=-1):\n    os.kill(os.getpid(), signal.SIGSTOP)\n",
)
add(
    "ME14-spin-thread",
    "a thread that burns the processor beside a right answer",
    """
    import threading


    def spin():
        while True:
            pass


    threading.Thread(target=spin, daemon=True).start()
    """,
    then=RIGHT,
    earns=3,
)
add("ME33-sigterm-self", "SIGTERM to itself", "import os, signal\n\nos.kill(os.getpid(), signal.SIGTERM)\n" + WRONG)
add(
    "ME34-later-kernels-hang",
    "behaves in the first kernel only and ends it at the twelfth call",
    """
    import os, time

    if os.path.exists("../flag") or os.path.exists("/tmp/@MARK@"):
        time.sleep(1000)
    for path in ("../flag", "/tmp/@MARK@"):
        try:
            open(path, "w").close()
        except OSError:
            pass
    calls = 0


    def softmax(x, axis=-1):
        global calls
        calls += 1
        if calls > 12:
            os._exit(0)
        return x
    """,
)

# The event loop, tasks and the kernel's sockets
add("ME15-loop-stop", "stops the kernel's event loop", "import asyncio\n\nasyncio.get_event_loop().stop()\n" + WRONG)
add("ME16-await-forever", "awaits for ever", "import asyncio\n\nawait asyncio.sleep(10**6)\n", says=STOPPED)
add(
    "ME17-task-forever",
    "a busy task beside a right answer",
    """
    import asyncio


    async def busy():
        while True:
            await asyncio.sleep(0)


    asyncio.ensure_future(busy())
    """,
    then=RIGHT,
    earns=3,
)
add(
    "ME18-task-block",
    "a task that blocks the event loop later",
    """
    import asyncio, time


    async def block():
        await asyncio.sleep(0.2)
        while True:
            time.sleep(0.01)


    asyncio.ensure_future(block())
    """,
    then=WRONG,
)
add("ME29-iopub-stop", "stops the thread that publishes", "get_ipython().kernel.iopub_thread.stop()\n" + WRONG)
add("ME30-iopub-close", "closes the socket that publishes", "get_ipython().kernel.iopub_socket.close()\n" + WRONG)
add(
    "ME32-shell-stream",
    "closes the socket that takes requests",
    """
    for name in ("shell_stream", "shell_socket"):
        stream = getattr(get_ipython().kernel, name, None)
        if stream is not None:
            stream.close()
    """,
    then=WRONG,
)
add("MD06-close-fds", "closes every descriptor", "import os\n\nos.closerange(0, 65536)\n" + WRONG)
add(
    "N33-junk-on-descriptors",
    "writes junk to every descriptor it holds",
    """
    import os

    for descriptor in range(3, 256):
        try:
            os.set_blocking(descriptor, False)
            os.write(descriptor, b"\\xff" * 4096)
        except (OSError, ValueError):
            pass
    """,
    then=WRONG,
)
add(
    "N34-drain-descriptors",
    "reads every descriptor empty in a thread, the grader's questions among them",
    """
    import os, threading


    def drain(descriptor):
        while True:
            try:
                os.read(descriptor, 65536)
            except OSError:
                return


    for descriptor in range(3, 64):
        threading.Thread(target=drain, args=(descriptor,), daemon=True).start()
    """,
    then=WRONG,
)
add(
    "N35-remove-sockets",
    "removes every socket file it can find and listens there itself",
    """
    import socket

    kept = []
    for top in (".", "..", os.environ.get("TMPDIR", "/tmp"), "/tmp") if sealed() else ():
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(".json") or "k-" in name or "sock" in name:
                    try:
                        os.unlink(path)
                        kept.append(socket.socket(socket.AF_UNIX))
                        kept[-1].bind(path)
                        kept[-1].listen()
                    except OSError:
                        pass
    """,
    then=WRONG,
    guarded=True,
)
add(
    "N36-dup-over-sockets",
    "puts /dev/null in the place of every socket",
    """
    import os, stat

    null = os.open("/dev/null", os.O_RDWR)
    for descriptor in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                os.dup2(null, descriptor)
        except OSError:
            pass
    """,
    then=WRONG,
)
add(
    "ME19-rlimit-nofile",
    "limits its own descriptors",
    "import resource\n\nresource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))\n" + WRONG,
)
add(
    "ME20-rlimit-cpu",
    "limits its own processor time",
    "import resource\n\nresource.setrlimit(resource.RLIMIT_CPU, (1, 1))\n" + WRONG,
)
add(
    "N37-raise-limits",
    "lifts its own limits",
    """
    import resource

    for name in dir(resource):
        if name.startswith("RLIMIT_"):
            kind = getattr(resource, name)
            soft, hard = resource.getrlimit(kind)
            bounded = name in ("RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_CORE") and hard != resource.RLIM_INFINITY
            try:
                resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            except (ValueError, OSError):
                continue
            if bounded:
                print("LE" + "AK", name, hard)
    """,
    then=RIGHT,
    earns=3,
)
add(
    "ME21-settrace",
    "a trace function that raises",
    "import sys\n\n\ndef trace(*_):\n    raise RuntimeError\n\n\nsys.settrace(trace)\n" + WRONG,
)
add(
    "ME22-audithook",
    "an audit hook that forbids compiling and importing",
    """
    import sys


    def hook(event, _):
        if event in ("compile", "exec", "import"):
            raise RuntimeError("audit")


    sys.addaudithook(hook)
    """,
    then=WRONG,
)

# Descendants
add(
    "ME23-popen-session",
    "a subprocess of its own session",
    "import subprocess\n\nsubprocess.Popen(['sleep', '300'], start_new_session=True)\n" + WRONG,
)
add("ME24-bang-bg", "a shell command in the background", "!sleep 300 &\n" + WRONG)
add(
    "ME25-bash-bg",
    "a cell magic in the background",
    "get_ipython().run_cell_magic('bash', '--bg', 'sleep 300')\n" + WRONG,
)
add(
    "N38-daemons-many",
    "thirty daemons of their own sessions that ignore every signal",
    """
    if sealed():
        import signal, time

        for _ in range(30):
            try:
                if os.fork() == 0:
                    os.setsid()
                    for number in range(1, 65):
                        try:
                            signal.signal(number, signal.SIG_IGN)
                        except (OSError, ValueError):
                            pass
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
    "N39-vfork-clone",
    "a child made by the raw system call, without its parent's knowledge",
    """
    if sealed():
        import ctypes, platform, time

        libc = ctypes.CDLL(None)
        number = {"x86_64": 56, "aarch64": 220}[platform.machine()]  # clone
        for flags in (0x8000 | 17, 0, 17):  # CLONE_PARENT: a sibling, not a child
            if libc.syscall(number, flags, 0, 0, 0, 0) == 0:
                time.sleep(600)
                os._exit(0)
    """,
    then=WRONG,
    guarded=True,
)
add(
    "N40-orphaned-grandchild-writes",
    "a grandchild that survives the cell and writes later",
    """
    import os, time

    if os.fork() == 0:
        if os.fork() == 0:
            time.sleep(1)
            os.write(1, b"SE" + b"EN by a grandchild")
            time.sleep(600)
        os._exit(0)
    """,
    then=RIGHT,
    earns=3,
)

# Signals, tracing and priority outside
add(
    "N41-signal-everyone",
    "signals every process number there is, one by one and by group",
    """
    if sealed():
        import signal

        me = os.getpid()
        for number in range(1, 50_000):
            if number in (me, os.getppid()) or os.path.exists(f"/proc/self/task/{number}"):
                continue
            for kill in (os.kill, os.killpg):
                try:
                    kill(number, signal.SIGCONT)
                except OSError:
                    pass
        try:
            os.kill(@PID@, signal.SIGTERM)
            print("LE" + "AK", "signalled")
        except OSError:
            pass
    """,
    then=RIGHT,
    guarded=True,
    earns=3,
)
add(
    "N42-ptrace",
    "traces its parent and a process outside, and reads their memory",
    """
    import ctypes, os

    libc = ctypes.CDLL(None, use_errno=True)
    for pid in (os.getppid(), 1, @PID@):
        if libc.ptrace(0x4206, pid, 0, 0) == 0 and pid != os.getpid():  # PTRACE_SEIZE
            print("LE" + "AK", "traced", pid)
        try:
            os.pidfd_open(pid) if pid == @PID@ and open(f"/proc/{pid}/comm").close() else None
            with open(f"/proc/{pid}/mem", "rb") as memory:
                memory.seek(0x10000)
                print("LE" + "AK", "memory of", pid)
        except (OSError, AttributeError):
            pass
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N43-priority",
    "takes the highest priority and pins everyone to one processor",
    """
    import os

    for action in (
        lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
        lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(99)),
        lambda: os.setpriority(os.PRIO_PROCESS, @PID@, 19),
        lambda: os.sched_setaffinity(@PID@, {0}),
    ):
        try:
            action()
        except OSError:
            pass
    if os.getpriority(os.PRIO_PROCESS, 0) < 0:
        print("LE" + "AK", "priority", os.getpriority(os.PRIO_PROCESS, 0))
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N44-pidfd-steal",
    "takes descriptors out of its ancestors through pidfd_getfd",
    """
    import ctypes, os

    libc = ctypes.CDLL(None, use_errno=True)
    for pid in (os.getppid(), 1, @PID@):
        pidfd = libc.syscall(434, pid, 0)
        for descriptor in range(64) if pidfd >= 0 and pid != os.getpid() else ():
            taken = libc.syscall(438, pidfd, descriptor, 0)
            if taken >= 0:
                print("LE" + "AK", "descriptor", descriptor, "of", pid)
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N45-in-score-scale",
    "ends its kernel in the last cell but one",
    "import os\n\nos._exit(1)\n",
    task="score-scale",
    says=ENDED,
)
add(
    "N46-only-last-task",
    "hangs in the last task's cell after a right definition",
    INDEPENDENT["additive"] + "\nimport time\ntime.sleep(10**6)\n",
    task="additive",
    says=STOPPED,
)
add(
    "N47-fills-the-quota",
    "a wrong answer whose calls leave as many processes as they may: the next kernels must start all the same",
    """
    import os, time


    def softmax(x, axis=-1):
        try:
            while True:
                if os.fork() == 0:
                    time.sleep(600)
                    os._exit(0)
        except OSError:
            pass
        return x
    """,
    dependent=True,
)
