"""The seal: which layer gives what, and that none of its guarantees can be broken from inside."""

from __future__ import annotations

import contextlib
import fcntl
import json
import mmap
import os
import re
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from hostile.processes import HEADLESS
from test_landlock import abi_here

from autograder.base.errors import CourseError, SealError
from autograder.commands import doctor
from autograder.gradebook.preprocessors import record_missing_guarantees
from autograder.kernels.warm import require
from autograder.sealing import held_memory, landlock, linux, memory_group, users, watch
from autograder.sealing.filesystem import _without
from autograder.sealing.layers import FIRST_USER, GUARANTEES, LAYERS, USERS, WEAKER, Layers
from autograder.sealing.syscall_filter import _METADATA, number_of, syscall_filter
from autograder.sources.course import Course
from autograder.sources.notebooks import NOTEBOOK_KEY
from autograder.submissions.submission import blank

ROOT = Path(__file__).resolve().parent.parent
EVERYTHING = Layers(namespaces=True, landlock=7, seccomp=True, own_user=True, reasons={})
NOTHING = Layers(namespaces=False, landlock=0, seccomp=False, own_user=False, reasons={"namespaces": "denied"})
AN_ORDINARY_USER = 12345


# ---------------------------------------------------------------------------------------------------------------- layers
@pytest.mark.parametrize(
    ("layers", "missing"),
    [
        (EVERYTHING, []),
        (Layers(True, 0, True, False, {}), []),
        (Layers(True, 0, False, False, {}), ["memory"]),
        (Layers(True, 0, False, False, {}, "/sys/fs/cgroup/memory"), []),
        (Layers(False, 7, True, False, {}), []),
        (Layers(False, 1, True, False, {}), []),
        (Layers(False, 7, False, True, {}), ["fs-write", "net", "processes", "memory"]),
        (Layers(False, 0, True, True, {}), ["fs-read", "fs-write", "processes"]),
        (Layers(False, 0, True, True, {}, file_modes="/scratch"), []),
        (Layers(False, 0, True, False, {}, file_modes="/scratch"), ["fs-read", "fs-write", "processes"]),
        (Layers(False, 0, False, True, {}, "/groups", "/scratch"), ["fs-read", "fs-write", "net", "processes"]),
        (NOTHING, ["fs-read", "fs-write", "net", "processes", "memory"]),
    ],
)
def test_each_guarantee_needs_a_layer(layers: Layers, missing: list[str]) -> None:
    assert layers.missing() == missing
    assert set(layers.guarantees()) == set(GUARANTEES)


def test_a_machine_without_a_layer_is_refused_with_a_way_out() -> None:
    with pytest.raises(SealError) as refusal:
        require(NOTHING, ["fs-read"])
    told = str(refusal.value)
    assert "net (no network" in told and "namespaces: denied" in told and "user.max_user_namespaces" in told
    assert "unsafe_allow_missing=('fs-write', 'net', 'processes', 'memory')" in told


def test_what_file_modes_give_has_names_of_its_own() -> None:
    by_modes = Layers(False, 0, True, True, {}, file_modes="/scratch")
    names = {guarantee: by_modes.promise(guarantee)[0] for guarantee in GUARANTEES}
    assert {guarantee: name for guarantee, name in names.items() if guarantee != name} == {
        "fs-read": "fs-read-by-mode",
        "fs-write": "fs-write-by-mode",
        "processes": "processes-by-user",
    }
    assert all(EVERYTHING.promise(guarantee) == (guarantee, GUARANTEES[guarantee]) for guarantee in GUARANTEES)


def test_a_landlock_that_leaves_truncation_alone_is_helped() -> None:
    told = [Layers(False, abi, True, False, {}).guarantees()["fs-write"] for abi in (2, 3)]
    assert told == ["Landlock, seccomp for metadata and truncation", "Landlock, seccomp for metadata"]


def test_what_is_done_without_is_not_missing() -> None:
    require(NOTHING, ["fs-read", "fs-write", "net", "processes", "memory"])
    require(EVERYTHING, [])


def test_a_graded_notebook_tells_what_was_done_without(course: Course) -> None:
    notebook = blank(course.source("01-positional-encoding")).notebook()
    record_missing_guarantees(notebook, course)
    assert "done_without" not in notebook.metadata[NOTEBOOK_KEY]
    record_missing_guarantees(notebook, replace(course, unsafe_allow_missing=("net",)))
    assert notebook.metadata[NOTEBOOK_KEY]["done_without"] == ["net"]


def test_a_guarantee_must_be_spelled_right(course: Course) -> None:
    with pytest.raises(CourseError, match="unsafe_allow_missing may name fs-read"):
        replace(course, unsafe_allow_missing=("network",))


def test_a_hidden_folder_is_left_out_of_a_readable_one(tmp_path: Path) -> None:
    for name in ("site/numpy", "site/autograder/graders", "site/keras"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "site/six.py").write_text("")
    left = set(_without([str(tmp_path)], [str(tmp_path / "site/autograder")]))
    assert left == {str(tmp_path / "site" / name) for name in ("numpy", "keras", "six.py")}


# --------------------------------------------------------------------------------------------------------- system calls
def in_a_filtered_process(attempt: Callable[[], object], **options: bool) -> str:
    """Return `done` or the name of the error that an attempt meets under the filter."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        answer = "done"
        try:
            linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
            chosen = {"guards_metadata": False, "guards_signals": False, **options}
            linux.set_syscall_filter(syscall_filter((socket.AF_UNIX,), **chosen))
            attempt()
        except OSError as error:
            answer = os.strerror(error.errno or 0)
        finally:
            os.write(writing, answer.encode())
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as answers:
        return answers.read()


def called(name: str, *arguments: int) -> None:
    """Make a system call by name."""
    linux.system_call(name, number_of(name) or 0, *arguments)


def advise(advice: int) -> None:
    """Give advice on this file."""
    os.posix_fadvise(os.open(__file__, os.O_RDONLY), 0, 0, advice)


NOT_SUPPORTED = "Operation not supported"


@pytest.mark.parametrize(
    ("attempt", "options", "answer"),
    [
        (lambda: socket.socket(socket.AF_UNIX), {}, "done"),
        (lambda: socket.socketpair(), {}, "done"),
        (lambda: socket.socket(socket.AF_INET), {}, "Address family not supported by protocol"),
        (lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW), {}, "Address family not supported by protocol"),
        (lambda: linux.unshare(linux.CLONE_NEWUSER), {}, "Operation not permitted"),
        (lambda: called("clone", 0x1_0000, 0, 0, 0, 0), {}, "Operation not permitted"),  # a thread with its own files
        (
            lambda: called("clone", 0x1_0400, 0, 0, 0, 0),
            {},
            "Invalid argument",
        ),  # a thread, but Linux asks for more flags
        (lambda: called("close_range", 900, 900, 2), {}, "Invalid argument"),
        (lambda: called("close_range", 900, 900, 6), {}, "Invalid argument"),
        (lambda: called("close_range", 900, 900, 0), {}, "done"),
        (lambda: linux.mount("none", "/tmp", "tmpfs"), {}, "Operation not permitted"),
        (lambda: os.memfd_create("x"), {}, "Operation not permitted"),
        (lambda: os.kill(os.getppid(), 0), {}, "done"),
        (lambda: os.kill(os.getppid(), 0), {"guards_signals": True}, "Operation not permitted"),
        (lambda: os.kill(-1, signal.SIGCONT), {"guards_signals": True}, "Operation not permitted"),
        (lambda: os.kill(os.getpid(), 0), {"guards_signals": True}, "done"),
        (lambda: os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0)), {}, "done"),
        (lambda: advise(os.POSIX_FADV_DONTNEED), {}, "done"),
        (lambda: os.preadv(os.open(__file__, os.O_RDONLY), [bytearray(1)], 0, 0), {}, "done"),
        (lambda: os.preadv(os.open(__file__, os.O_RDONLY), [bytearray(1)], 0, os.RWF_NOWAIT), {}, NOT_SUPPORTED),
        (lambda: called("cachestat", 0, 0, 0, 0), {}, "Function not implemented"),
        (lambda: called("mincore", 0, 0, 0), {}, "Function not implemented"),
        (lambda: called("io_setup", 1, 0), {}, "Function not implemented"),
        (lambda: called("openat2", 0, 0, 0, 0), {}, "Function not implemented"),
        (lambda: called("vmsplice", 0, 0, 0, 0), {}, "Function not implemented"),
        (lambda: called("inotify_init1", 0), {}, "Function not implemented"),
        (lambda: fcntl.flock(os.open(__file__, os.O_RDONLY), fcntl.LOCK_EX), {}, "done"),
        (lambda: fcntl.fcntl(0, fcntl.F_NOTIFY, 0), {}, "Invalid argument"),
        (lambda: fcntl.fcntl(os.open(__file__, os.O_RDONLY), 1035, bytes(8)), {}, "Invalid argument"),
        (
            lambda: fcntl.ioctl(os.open(__file__, os.O_RDONLY), 0x80086601, bytes(8)),
            {},
            "Inappropriate ioctl for device",
        ),
        (lambda: mmap.mmap(-1, 4096), {}, "done"),
        (lambda: mmap.mmap(-1, 4096), {"guards_shared_memory": True}, "Operation not permitted"),
        (lambda: mmap.mmap(-1, 4096, mmap.MAP_PRIVATE), {"guards_shared_memory": True}, "done"),
        (lambda: mmap.mmap(-1, 4096).madvise(mmap.MADV_WILLNEED), {}, "done"),
        (lambda: mmap.mmap(-1, 4096).madvise(21), {}, "Invalid argument"),
        (lambda: os.statvfs("/"), {}, "done"),
        (lambda: os.statvfs("/"), {"guards_metadata": True}, "Function not implemented"),
        (lambda: os.waitpid(os.fork() or os._exit(0), 0), {}, "done"),  # type: ignore[func-returns-value]
    ],
)
def test_the_filter_lets_through_what_it_should(
    attempt: Callable[[], object], options: dict[str, bool], answer: str
) -> None:
    assert in_a_filtered_process(attempt, **options) == answer


def test_changes_of_metadata_seem_to_succeed_and_change_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    file.chmod(0o600)

    def change() -> None:
        os.chmod(file, 0o777)
        os.utime(file, (0, 0))

    before = file.stat()
    assert in_a_filtered_process(change, guards_metadata=True) == "done"
    assert (file.stat().st_mode, file.stat().st_mtime) == (before.st_mode, before.st_mtime)
    assert in_a_filtered_process(change) == "done"
    assert (file.stat().st_mode & 0o777, file.stat().st_mtime) == (0o777, 0)


@pytest.mark.parametrize("flags", [None, os.O_RDONLY, os.O_RDWR, os.O_ACCMODE])
def test_the_filter_keeps_files_from_being_emptied_where_landlock_does_not(tmp_path: Path, flags: int | None) -> None:
    if abi_here() < 2:
        pytest.skip("no Landlock here")
    file, own = tmp_path / "file", tmp_path / "own"
    own.mkdir()

    def restrict() -> None:
        """Allow what a seal allows, with the rights of Landlock's ABI 2."""
        with landlock.Ruleset(2) as ruleset:
            ruleset.allow("/", landlock.Files.READ_FILE | landlock.Files.READ_DIR)
            ruleset.allow(str(own), landlock.files_of(2))
            ruleset.restrict()

    def empty() -> None:
        restrict()
        (own / "new").write_text("x")
        (own / "new").write_text("")
        if flags is None:
            os.truncate(file, 0)
        else:
            os.open(file, flags | os.O_TRUNC)

    for options, left in ({"guards_truncation": True}, "text"), ({}, "text" if flags == os.O_RDWR else ""):
        file.write_text("text")
        answer = in_a_filtered_process(empty, **options)
        assert (answer, file.read_text()) == ("done" if left == "" else "Permission denied", left)


def test_the_numbers_are_this_kernels() -> None:
    """Against the C headers' own table, where there is one."""
    headers = [p for p in Path("/usr/include").rglob("unistd_64.h") if "x86" in str(p) or "asm" in str(p)]
    if linux.ARCHITECTURE != "x86_64" or not headers:
        pytest.skip("no header with x86_64's system calls: Debian's linux-libc-dev has it")
    known = dict(re.findall(r"#define __NR_(\w+) (\d+)", headers[0].read_text()))
    compared = [name for name in _METADATA if name in known]
    assert len(compared) >= 12
    from autograder.sealing import syscall_filter as module

    for name in module._NUMBERS:
        if name in known:
            assert number_of(name) == int(known[name]), name


# ------------------------------------------------------------------------------------------------------------ the whole
def diagnose(tmp_path: Path, without: str, user: int | None, *, opens: bool = False) -> tuple[int, str]:
    """Return exit status and output of `autograder doctor`; see `supervised`."""
    doctor_command = [sys.executable, "-c", "from autograder.commands.cli import main; main()", "doctor"]
    return supervised(tmp_path, doctor_command, without, user, opens=opens)


def supervised(
    tmp_path: Path, command: list[str], without: str, user: int | None, *, opens: bool = False
) -> tuple[int, str]:
    """Return exit status and output of a command, run with layers switched off and as another user.

    Args:
        tmp_path: where the command's home lies.
        command: words.
        without: layers, joined by commas.
        user: id of the user to run as; None for this process's own.
        opens: let every user reach the interpreter where root runs the command.
    """
    home = tmp_path / "home"
    home.mkdir()
    if user is not None:
        os.chown(home, user, user)
        for folder in (tmp_path, *list(tmp_path.parents)[:2]):
            folder.chmod(folder.stat().st_mode | 0o011)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(home),
        "AUTOGRADER_SECRET": "s" * 20,
        "AUTOGRADER_SEAL_WITHOUT": without,
        "COLUMNS": "200",
    }
    request = {
        "command": command,
        "cwd": str(ROOT),
        "env": environment,
        "seconds": 240,
        "uid": user,
        "opens": opens,
        "reach": str(ROOT),
    }
    asked = tmp_path / "request.json"
    asked.write_text(json.dumps(request))
    supervisor = ROOT / "tests" / "hostile" / "supervise.py"
    done = subprocess.run([sys.executable, str(supervisor), str(asked)], capture_output=True, text=True, check=True)
    reply = json.loads(done.stdout)
    assert not reply["processes"] and not reply["mounts"]
    return reply["status"], reply["said"]


needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")


@pytest.mark.course
@pytest.mark.parametrize("without", ["", "memory-group", "namespaces", "namespaces,own-user,memory-group", "landlock"])
@pytest.mark.parametrize("user", [None, pytest.param(AN_ORDINARY_USER, marks=needs_root)])
def test_no_guarantee_can_be_broken_from_inside(tmp_path: Path, without: str, user: int | None) -> None:
    status, said = diagnose(tmp_path, without, user)
    held = re.findall(r"^([\w-]+) .* held *$", said, re.MULTILINE)
    assert status == 0 and held == list(GUARANTEES), said


@pytest.mark.course
@needs_root
@pytest.mark.parametrize("without", ["namespaces,landlock", "namespaces,landlock,memory-group"])
def test_no_guarantee_of_file_modes_can_be_broken_from_inside(tmp_path: Path, without: str) -> None:
    status, said = diagnose(tmp_path, without, None, opens=True)
    held = re.findall(r"^([\w-]+) .* held *$", said, re.MULTILINE)
    assert status == 0 and held == [WEAKER.get(name, (name,))[0] for name in GUARANTEES], said


@pytest.mark.course
@needs_root
def test_a_plain_containers_root_can_grade(tmp_path: Path) -> None:
    """Nothing is switched off by name here: the system itself refuses namespaces and mounts, and knows no Landlock."""
    plain = [sys.executable, "-P", str(ROOT / "tests" / "hostile" / "plain_container.py")]
    command = [*plain, sys.executable, "-c", "from autograder.commands.cli import main; main()", "doctor"]
    status, said = supervised(tmp_path, command, "memory-group", None, opens=True)
    held = re.findall(r"^([\w-]+) .* held *$", said, re.MULTILINE)
    assert status == 0 and held == [WEAKER.get(name, (name,))[0] for name in GUARANTEES], said
    assert "namespaces: not here: [Errno 1] unshare" in said and "landlock: not here: [Errno 38]" in said


# -------------------------------------------------------------------------------------------------------------- memory
def test_every_process_is_listed_with_its_parent_and_sizes() -> None:
    table = held_memory.processes()
    own = table[os.getpid()]
    assert own.parent == os.getppid() and own.virtual_bytes > own.resident_bytes > 1 << 20
    assert own in held_memory.processes_below(own.parent, table)


def test_the_machines_own_files_are_not_a_process_that_has_no_root_yet() -> None:
    assert held_memory._scratch_bytes(os.getpid()) == 0


def held_by(attack: Callable[[], object]) -> int:
    """Return what a process below this one holds after an attack, counted exactly, in bytes."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        kept = attack()
        os.write(writing, b"x")
        time.sleep(600 if kept is not None else 0)
    os.read(reading, 1)
    try:
        table = held_memory.processes()
        return held_memory.held_bytes(child, [table[child]], 0, namespaces=False)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def full_sockets() -> list[tuple[socket.socket, socket.socket]]:
    pairs = [socket.socketpair() for _ in range(100)]
    for pair in pairs:
        for one in pair:
            one.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    one.send(bytes(65536))
    return pairs


@pytest.mark.parametrize(
    ("attack", "least"), [(lambda: bytearray(b"x") * (64 << 20), 64 << 20), (full_sockets, 40 << 20)]
)
def test_what_a_process_holds_is_counted(
    attack: Callable[[], object], least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        held_memory,
        "_own_bytes",
        lambda one, with_files: held_memory._sizes(f"/proc/{one.thread}/smaps_rollup")["Pss_Anon"],
    )
    assert held_by(attack) - held_by(lambda: ()) >= least


@contextlib.contextmanager
def without_its_main_thread(lines: str) -> Iterator[int]:
    """Yield the id of a child in which another thread runs these lines after the main one has ended."""
    program = f"""{HEADLESS}
def work():
    while open("/proc/self/stat").read().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.01)
{textwrap.indent(lines, "    ")}
    print(flush=True)
    time.sleep(600)
threading.Thread(target=work).start()
end_this_thread()
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert child.stdout is not None
    try:
        child.stdout.readline()
        yield child.pid
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def test_what_a_process_holds_whose_main_thread_has_ended_is_counted() -> None:
    lines = "block = bytearray(b'x') * (64 << 20)\nimport socket\npairs = [socket.socketpair() for _ in range(100)]"
    with without_its_main_thread(lines) as child:
        process = held_memory.processes()[child]
        assert process.id == child != process.thread and process.threads > 1
        assert held_memory._own_bytes(process, with_files=True) >= 64 << 20
        assert held_memory._own_sockets([process]) >= 200 * held_memory._socket_bytes()


def test_what_has_ended_and_is_not_reaped_holds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Linux gives it to root, so that another user's grading can't list what it has open."""
    child = os.fork() or os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    process = held_memory.processes()[child]

    def is_roots(path: str) -> list[str]:
        raise PermissionError(path)

    monkeypatch.setattr(os, "listdir", is_roots)
    assert held_memory.held_bytes(child, [process], 0, namespaces=False) == 0
    os.waitpid(child, 0)
    assert held_memory._descriptors(os.getpid()) >= 3


def test_a_process_that_hides_its_memory_is_taken_for_private(monkeypatch: pytest.MonkeyPatch) -> None:
    process = held_memory.Process(1, 1, 0, 0.0, 1, 100, 70)
    for error, held in ((PermissionError, 70), (ProcessLookupError, 0)):

        def hide(path: str, error: type[OSError] = error) -> str:
            raise error(path)

        monkeypatch.setattr(held_memory, "_read", hide)
        assert held_memory._own_bytes(process, with_files=True) == held


def test_memory_groups_are_looked_for_where_the_controller_is(tmp_path: Path) -> None:
    def look(cgroup: str, mountinfo: str) -> list[str]:
        (tmp_path / "self").mkdir(exist_ok=True)
        (tmp_path / "self/cgroup").write_text(cgroup)
        (tmp_path / "self/mountinfo").write_text(mountinfo)
        return memory_group.parents(str(tmp_path))

    first = "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    assert look("4:memory:/a/b\n0::/\n", first) == ["/sys/fs/cgroup/memory/a/b"]
    assert look("4:cpu:/a/b\n0::/\n", first) == []
    tree = tmp_path / "tree"
    (tree / "user/app/own").mkdir(parents=True)
    for folder, controllers in ((tree, "cpu memory pids"), (tree / "user", "memory"), (tree / "user/app", "pids")):
        (folder / "cgroup.subtree_control").write_text(controllers)
    second = f"35 31 0:32 / {tree} rw - cgroup2 cgroup2 rw\n"
    assert look("0::/user/app/own\n", second) == [f"{tree}/user", str(tree)]
    assert look("0::/../outside\n", second) == [str(tree)]


def test_a_group_of_a_killed_process_is_swept(tmp_path: Path) -> None:
    for name in ("autograder-999999999-1", f"autograder-{os.getpid()}-1", "other"):
        (tmp_path / name).mkdir()
    memory_group.sweep(str(tmp_path))
    assert sorted(os.listdir(tmp_path)) == [f"autograder-{os.getpid()}-1", "other"]


# --------------------------------------------------------------------------------------------------------------- users
def test_no_two_living_kernels_have_the_same_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "_living_users", lambda: {FIRST_USER + 7})
    folders = (str(tmp_path / "users"),)
    (five, held), (six, _), (eight, _) = (users.claim_user(5, folders) for _ in range(3))
    assert (five, six, eight) == (5, 6, 8)  # 7 has living processes
    os.close(held)
    assert users.claim_user(5, folders)[0] == 5


def test_users_that_are_all_taken_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "_living_users", lambda: set(range(FIRST_USER, FIRST_USER + USERS)))
    with pytest.raises(OSError, match="All 183 users for students' kernels are taken"):
        users.claim_user(0, (str(tmp_path / "users"),))


def test_a_folder_for_claims_that_is_somebody_elses_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o777)
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(OSError, match="No folder can hold what tells taken users.*somebody else's"):
        users.claim_user(0, (str(tmp_path / "open"), str(tmp_path / "link")))


def test_a_child_that_forks_and_goes_again_and_again_is_ended() -> None:
    parent = os.fork()
    if parent == 0:
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        spared = os.fork()
        if spared == 0:
            time.sleep(600)
        if os.fork() == 0:
            while os.fork() == 0:
                pass
            os._exit(0)
        watch.end_children({spared})
        left = psutil.Process().children(recursive=True)
        os.kill(spared, signal.SIGKILL)
        os._exit(len(left))
    assert os.waitstatus_to_exitcode(os.waitpid(parent, 0)[1]) == 1


def test_a_child_whose_main_thread_has_ended_is_ended() -> None:
    with without_its_main_thread("") as child:
        watch.end_children({other.pid for other in psutil.Process().children()} - {child})
        with pytest.raises(ChildProcessError):
            os.waitpid(child, os.WNOHANG)


def test_nothing_is_looked_for_below_what_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A listing of all processes for each of a fork bomb's 30 000 would take hours."""
    looked = []
    monkeypatch.setattr(watch, "descendants", lambda process: looked.append(process) or [])
    parent = os.fork()
    if parent == 0:
        ended = [os.fork() or os._exit(0) for _ in range(20)]
        for child in ended:
            os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        watch.end_children()
        os._exit(len(looked) + len(psutil.Process().children()))
    assert os.waitstatus_to_exitcode(os.waitpid(parent, 0)[1]) == 0


@pytest.mark.course
@pytest.mark.parametrize("without", ["", "namespaces"])
@pytest.mark.parametrize("killed", ["pass", "server._process.kill()"], ids=["closed", "killed"])
def test_the_end_of_a_warm_process_ends_its_kernels(without: str, killed: str) -> None:
    program = (
        "import os, psutil\n"
        "from autograder.sources.course import Limits\n"
        "from autograder.kernels.session import KernelSession\n"
        "from autograder.kernels.warm import _warm_processes, own_warm_process\n"
        "with KernelSession(Limits(), 'tensorflow') as session:\n"
        "    session.run('import os, time\\nif os.fork() == 0:\\n    os.setsid()\\n    time.sleep(600)', 20)\n"
        "    before = psutil.Process().children(recursive=True)\n"
        "    server = own_warm_process('tensorflow')\n"
        f"    {killed}\n"
        "    server.close()\n"
        "    left = psutil.wait_procs(before, 5)[1]\n"
        "    print(len(before) >= 4, [p.pid for p in left], flush=True)\n"
        "    os._exit(0)\n"
    )
    environment = {**os.environ, "AUTOGRADER_SEAL_WITHOUT": without}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split("\n")[0] == "True []", done.stderr


@pytest.mark.course
@pytest.mark.parametrize(
    ("without", "user"),
    [
        ("namespaces,landlock,file-modes", None),
        pytest.param("namespaces,landlock", AN_ORDINARY_USER, marks=needs_root),
    ],
)
def test_a_machine_without_layers_is_told_so(tmp_path: Path, without: str, user: int | None) -> None:
    status, said = diagnose(tmp_path, without, user)
    assert status == 1 and "no layer gives it" in said and "lsm=" in said


@pytest.mark.course
@pytest.mark.parametrize("guarantee", ["fs-read", "fs-write", "net"])
def test_the_attempts_succeed_where_nothing_seals(
    course: Course, guarantee: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `doctor` tries can be seen to fail: on a machine without any layer."""
    program = (
        "import sys\nfrom pathlib import Path\nfrom autograder.commands import doctor\nfrom autograder.sources.course import load_course\n"
        f"print(doctor.ATTACKS[{guarantee!r}](load_course(Path({str(ROOT)!r}))))"
    )
    monkeypatch.setenv("AUTOGRADER_SEAL_WITHOUT", ",".join(LAYERS))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert re.search("read|wrote|connected|changed|removed", done.stdout), done.stderr


def test_every_guarantee_is_tried() -> None:
    assert set(doctor.ATTACKS) == set(GUARANTEES)
