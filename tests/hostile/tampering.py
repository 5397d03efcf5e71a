"""Changing what must not change."""

from hostile import GUARD, RIGHT, WRONG, Group
from hostile.notebook import first

TAMPERING = Group("tampering")
add = TAMPERING.add
PLANT = (
    GUARD
    + '''

def plant(path, content="# @MARK@\\n"):
    """Write a new file that must not be writable."""
    path = os.path.expanduser(path)
    if os.path.exists(path):
        return
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "x") as file:
            file.write(content)
    except OSError:
        pass

'''
)

add(
    "D01-write-db",
    "gives itself points in the gradebook",
    """
    import os, sqlite3

    for root in ("@COURSE@", os.path.abspath(os.path.join(os.getcwd(), "..", "..", ".."))):
        for name in (f"file:{root}/gradebook.db?mode=rw", f"file:{root}/gradebook.db?mode=rw&nolock=1"):
            try:
                base = sqlite3.connect(name, uri=True, timeout=1)
                base.execute("update grade set manual_score = 3")
                base.commit()
                print("LE" + "AK", "gradebook written")
            except sqlite3.Error:
                pass
    """,
    then=WRONG,
)
add(
    "D02-drop-db",
    "deletes the gradebook",
    """
    import os

    for root in ("@COURSE@", os.path.join(os.getcwd(), "..", "..", "..")):
        for name in ("gradebook.db", "gradebook.db-journal", "gradebook.db-wal", ".course_secret"):
            try:
                os.remove(os.path.join(root, name))
                print("LE" + "AK", "deleted", name)
            except OSError:
                pass
    """,
    then=WRONG,
)
add(
    "D03-rm-course",
    "deletes the other submissions and the sources",
    """
    import os, shutil

    for root in ("@COURSE@", os.path.abspath(os.path.join(os.getcwd(), "..", "..", ".."))):
        for folder in ("source", "staging", "submitted", "autograded", "feedback", ".verdicts"):
            try:
                names = os.listdir(os.path.join(root, folder))
            except OSError:
                continue
            for name in names:
                if name != "@STUDENT@":
                    shutil.rmtree(os.path.join(root, folder, name), ignore_errors=True)
    """,
    then=WRONG,
)
add(
    "D05-site-packages",
    "plants start-up code for the next student's kernel",
    PLANT
    + """
import pwd, site, sys, sysconfig

homes = ["~", pwd.getpwuid(os.getuid()).pw_dir] if os.getuid() in {p.pw_uid for p in pwd.getpwall()} else ["~"]
for home in [*homes, "/root", "@COURSE@/../home"]:
    plant(f"{home}/.ipython/profile_default/startup/@MARK@.py")
for folder in {*site.getsitepackages(), site.getusersitepackages(), sysconfig.get_path("stdlib"), *sys.path}:
    plant(f"{folder}/@MARK@.py")
    plant(f"{folder}/@MARK@.pth")
""",
    then=WRONG,
)
add(
    "D06-ipython-config",
    "plants configuration that the grader would load",
    PLANT
    + """
for folder in ("~", "/root", "@COURSE@/../home", "/usr/local/etc", "/etc"):
    for name in (".jupyter", "jupyter", ".config/matplotlib", ".keras", ".local/share/jupyter"):
        plant(f"{folder}/{name}/@MARK@.py")
plant("@COURSE@/@MARK@.py")
plant("@OUTSIDE@/@MARK@.py")
""",
    then=WRONG,
)
add(
    "N70-write-everywhere",
    "writes wherever it can",
    PLANT
    + """
for folder, names, _ in os.walk("/"):
    if folder.startswith(("/proc", "/sys", os.getcwd())):
        names.clear()
        continue
    if folder.count("/") > 3:
        names.clear()
    plant(folder + "/@MARK@")
plant("@COURSE@/solutions/@MARK@")
plant("@COURSE@/submitted/@MARK@")
""",
    then=RIGHT,
    earns=3,
)
add(
    "N71-change-in-place",
    "changes modules of the interpreter in place (and back at once)",
    """
    import json, shutil, sys

    import numpy

    paths = (json.__file__, numpy.__file__, sys.executable, shutil.which("sh"), "@COURSE@/course_config.py")
    for path in paths if sealed() else ():
        for action in (
            lambda p: os.close(os.open(p, os.O_WRONLY)),
            lambda p: os.truncate(p, os.stat(p).st_size),
            lambda p: os.utime(p, (1, 1)),
            lambda p: os.chmod(p, os.stat(p).st_mode & 0o777),
            lambda p: os.chown(p, os.stat(p).st_uid, os.stat(p).st_gid),
            lambda p: os.setxattr(p, "user.mark", b"1"),
        ):
            try:
                before = os.stat(path).st_mtime
                action(path)
                if os.stat(path).st_mtime != before:
                    print("LE" + "AK", "time changed", path)
            except OSError:
                pass
        try:
            os.close(os.open(path, os.O_WRONLY))
            print("LE" + "AK", "writable", path)
        except OSError:
            pass
    """,
    then=RIGHT,
    guarded=True,
    earns=3,
)
add(
    "N72-metadata-outside",
    "changes times, rights, owners and attributes outside",
    """
    import ctypes, os

    libc = ctypes.CDLL(None)
    for path in ("@OUTSIDE@", "@OUTSIDE@/canary", "@COURSE@", "@COURSE@/gradebook.db", "@COURSE@/submitted"):
        for action in (
            lambda p: os.utime(p, (1, 1)),
            lambda p: os.chmod(p, 0o777),
            lambda p: os.chmod(p, 0),
            lambda p: os.chown(p, 12345, 12345),
            lambda p: os.setxattr(p, "user.mark", b"1"),
            lambda p: os.utime(os.open(p, os.O_PATH), (1, 1)),
            lambda p: libc.syscall(452, -100, p.encode(), 0o777, 0),  # fchmodat2
        ):
            try:
                action(path)
            except OSError:
                pass
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N73-rename-and-remove",
    "renames, replaces and removes outside",
    """
    import os

    for action in (
        lambda: os.rename("@OUTSIDE@/canary", "@OUTSIDE@/moved"),
        lambda: os.unlink("@OUTSIDE@/canary"),
        lambda: os.mkdir("@OUTSIDE@/folder"),
        lambda: os.mkfifo("@OUTSIDE@/pipe"),
        lambda: os.symlink("/etc", "@OUTSIDE@/link"),
        lambda: os.link("@OUTSIDE@/canary", "@OUTSIDE@/hard"),
        lambda: os.link("@OUTSIDE@/canary", "hard"),
        lambda: open("hard", "a").write("x"),
        lambda: os.truncate("@OUTSIDE@/canary", 0),
        lambda: os.rename("@COURSE@/submitted", "@COURSE@/stolen"),
        lambda: os.rmdir("@OUTSIDE@"),
    ):
        try:
            action()
        except OSError:
            pass
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N74-link-in-scratch",
    "leaves links in its folder for the clean-up to follow",
    """
    import os

    for top in (".", os.environ.get("TMPDIR", "/tmp")):
        for name, target in (("outside", "@OUTSIDE@"), ("course", "@COURSE@"), ("root", "/")):
            try:
                os.symlink(target, os.path.join(top, name))
            except OSError:
                pass
    try:
        os.rename("../work", "../elsewhere")
        os.symlink("@OUTSIDE@", "../work")
    except OSError:
        pass
    """,
    then=RIGHT,
    earns=3,
)
add(
    "ME28-rm-scratch",
    "removes its own folder and the folder above",
    """
    if sealed():
        import shutil

        shutil.rmtree(os.getcwd(), ignore_errors=True)
        if "TMPDIR" in os.environ:
            shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)
    """,
    then=WRONG,
    guarded=True,
)
add(
    "N76-mounts",
    "makes namespaces and mounts",
    """
    if sealed():
        import ctypes, subprocess

        libc = ctypes.CDLL(None, use_errno=True)
        for flags in (0x10000000, 0x10020000, 0x20000, 0x40000000, 0x20000000, 0x7E020000):
            if os.fork() == 0:
                libc.unshare(flags)
                os.makedirs("mounted", exist_ok=True)
                for source, kind in (("none", "tmpfs"), ("proc", "proc"), ("sysfs", "sysfs"), ("/dev/vda", "ext4")):
                    libc.mount(source.encode(), b"mounted", kind.encode(), 0, None)
                libc.mount(b"/", b"mounted", None, 4096, None)
                if os.path.exists("mounted@OUTSIDE@/canary"):
                    print("LE" + "AK", "mounted")
                os._exit(0)
            os.wait()
        subprocess.run(["umount", "-a", "-l"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        libc.umount2(b"/proc", 2)
        libc.mount(None, b"/", None, 32, None)  # MS_REMOUNT: writable again
        try:
            open("/@MARK@", "x").close()
            print("LE" + "AK", "root written")
        except OSError:
            pass
    """,
    then=RIGHT,
    guarded=True,
    earns=3,
)
add(
    "N77-become-root",
    "tries to become another user and to regain capabilities",
    """
    import ctypes, os, struct, subprocess

    libc = ctypes.CDLL(None, use_errno=True)
    before = os.getresuid()
    for action in (lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0]), lambda: os.setresuid(1, 1, 1)):
        try:
            action()
        except OSError:
            pass
    header, wanted = struct.pack("Ii", 0x20080522, 0), struct.pack("6I", *[0xFFFFFFFF] * 6)
    if os.fork() == 0:
        if libc.capset(ctypes.create_string_buffer(header), ctypes.create_string_buffer(wanted)) == 0:
            print("LE" + "AK", "capabilities")
        os._exit(0)
    os.wait()
    for program in (["sudo", "-n", "id"], ["su", "-c", "id"], ["mount", "-t", "tmpfs", "none", "/mnt"], ["chroot", "/", "id"]):
        try:
            done = subprocess.run(program, capture_output=True, text=True, timeout=2, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            print("LE" + "AK", program, done.stdout)
    if os.getresuid() != before:
        print("LE" + "AK", "user changed", before, os.getresuid())
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N78-machine-settings",
    "changes the machine: host name, clock, kernel settings, devices, modules, swap",
    """
    import ctypes, os, platform, time

    libc = ctypes.CDLL(None, use_errno=True)
    for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/sys/kernel/mm/ksm/run", "/proc/sysrq-trigger",
                 "/sys/fs/cgroup/cgroup.procs", "/proc/self/oom_score_adj", "/dev/mem", "/dev/vda", "/dev/sda", "/dev/kmsg"):
        try:
            os.close(os.open(path, os.O_WRONLY))
        except OSError:
            continue
        if not path.startswith("/proc/self"):
            print("LE" + "AK", "writable", path)
    try:
        os.write(os.open("/proc/self/oom_score_adj", os.O_WRONLY), b"-1000")
        print("LE" + "AK", "never to be killed for memory")
    except OSError:
        pass
    now = time.clock_gettime(time.CLOCK_REALTIME)
    try:
        time.clock_settime(time.CLOCK_REALTIME, now)
        print("LE" + "AK", "clock set")
    except OSError:
        pass
    try:
        os.mknod("device", 0o060666, os.makedev(254, 0))
        print("LE" + "AK", "device made")
    except OSError:
        pass
    numbers = {"x86_64": (175, 321, 298, 425), "aarch64": (105, 280, 241, 425)}[platform.machine()]
    names = ("init_module", "bpf", "perf_event_open", "io_uring_setup")
    for name, number in zip(names, numbers):
        structure = ctypes.create_string_buffer(128)
        if name != "init_module" and libc.syscall(number, 8 if name == "io_uring_setup" else 0, structure, 72, -1, 0) >= 0:
            print("LE" + "AK", name)
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N79-next-students-cache",
    "poisons caches that the next student's kernel might read",
    PLANT
    + """
import glob, sys, tempfile

import matplotlib, numpy

for folder in {matplotlib.get_configdir(), matplotlib.get_cachedir(), matplotlib.get_data_path(), tempfile.gettempdir(), "/tmp"}:
    plant(folder + "/@MARK@")
for path in glob.glob(os.path.dirname(numpy.__file__) + "/__pycache__/*.pyc")[:3]:
    try:
        os.utime(path)
        os.rename(path, path + ".@MARK@")
        os.rename(path + ".@MARK@", path)
        print("LE" + "AK", "renamed", path)
    except OSError:
        pass
plant("~/.keras/@MARK@.json")
plant("~/.cache/@MARK@")
""",
    then=RIGHT,
    earns=3,
)
add(
    "N80-own-submission",
    "changes its own submission while it is graded",
    """
    import glob

    for path in glob.glob("@COURSE@/submitted/@STUDENT@/*/*") + glob.glob("@COURSE@/autograded/@STUDENT@/*/*"):
        open(path, "a").write(" ")
        print("LE" + "AK", path)
    open("scaled_dot_product_attention.ipynb", "w").write("{}")
    """,
    then=RIGHT,
    earns=3,
)
add(
    "N210-remember-exits",
    "a first cell that makes the kernel end itself when it is asked what the locked cells defined",
    RIGHT,
    earns=3,
    change=first(
        "import os, sys\n\nsys.modules['_probe_resident']._OPERATIONS['remember'] = lambda request: os._exit(0)"
    ),
)
add(
    "N211-remember-hangs-up",
    "a first cell that closes the probe's channel when it is asked what the locked cells defined",
    RIGHT,
    earns=3,
    change=first(
        "import os, sys\n\nresident = sys.modules['_probe_resident']\n"
        "resident._OPERATIONS['remember'] = lambda request: os.close(resident.state.CURRENT['channel'])"
    ),
)

# What its first cell leaves behind holds up the locked cells, the grader's own included
add(
    "N222-traced-frames",
    "a first cell after which every frame that isn't the notebook's raises",
    RIGHT,
    earns=3,
    change=first(
        "import sys\n\n\ndef trace(frame, event, arg):\n"
        "    if 'ipykernel_' not in frame.f_code.co_filename and frame.f_code.co_name != 'trace':\n"
        "        raise BaseException('no')\n    return trace\n\n\n"
        "get_ipython().events.register('post_run_cell', lambda *_: sys.settrace(trace))"
    ),
)
add(
    "N223-nothing-published",
    "a first cell after which the kernel publishes nothing",
    RIGHT,
    earns=3,
    change=first(
        "k = get_ipython().kernel\n"
        "get_ipython().events.register('post_execute', lambda: (k.iopub_thread.stop(), k.iopub_socket.close()))"
    ),
)
add(
    "N224-name-that-exits",
    "a first cell with a name whose own methods end the kernel",
    RIGHT,
    earns=3,
    change=first(
        "import os\n\n\nclass Name(str):\n    def startswith(self, *_):\n        os._exit(0)\n\n"
        "    __getitem__ = __eq__ = startswith\n    __hash__ = str.__hash__\n\n\nglobals()[Name('odd')] = 1"
    ),
)
