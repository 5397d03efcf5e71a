"""The seal: which layer gives what, and that none of its guarantees can be broken from inside."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import landlockpy
import psutil
import pytest

from autograder import doctor
from autograder.course import Course
from autograder.errors import CourseError, SealError
from autograder.gradebook.steps import note_what_was_done_without
from autograder.intake import blank
from autograder.kernels.warm import require
from autograder.notebooks import NOTEBOOK_KEY
from autograder.sealing import linux
from autograder.sealing.filesystem import _without
from autograder.sealing.layers import GUARANTEES, LAYERS, Layers
from autograder.sealing.syscall_filter import _METADATA, number_of, syscall_filter
from autograder.sealing.watch import end_children

ROOT = Path(__file__).resolve().parent.parent
EVERYTHING = Layers(namespaces=True, landlock=7, seccomp=True, own_user=True, reasons={})
NOTHING = Layers(namespaces=False, landlock=0, seccomp=False, own_user=False, reasons={"namespaces": "denied"})
AN_ORDINARY_USER = 12345


# ---------------------------------------------------------------------------------------------------------------- layers
@pytest.mark.parametrize(
    ("layers", "missing"),
    [
        (EVERYTHING, []),
        (Layers(True, 0, False, False, {}), []),
        (Layers(False, 7, True, False, {}), []),
        (Layers(False, 1, True, False, {}), []),
        (Layers(False, 7, False, True, {}), ["fs-write", "net", "processes"]),
        (Layers(False, 0, True, True, {}), ["fs-read", "fs-write", "processes"]),
        (NOTHING, ["fs-read", "fs-write", "net", "processes"]),
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
    assert "unsafe_allow_missing=('fs-write', 'net', 'processes')" in told


def test_a_landlock_that_leaves_truncation_alone_is_helped() -> None:
    told = [Layers(False, abi, True, False, {}).guarantees()["fs-write"] for abi in (2, 3)]
    assert told == ["Landlock, seccomp for metadata and truncation", "Landlock, seccomp for metadata"]


def test_what_is_done_without_is_not_missing() -> None:
    require(NOTHING, ["fs-read", "fs-write", "net", "processes"])
    require(EVERYTHING, [])


def test_a_graded_notebook_tells_what_was_done_without(course: Course) -> None:
    notebook = blank(course.source("01-positional-encoding")).notebook()
    note_what_was_done_without(notebook, course)
    assert "done_without" not in notebook.metadata[NOTEBOOK_KEY]
    note_what_was_done_without(notebook, replace(course, unsafe_allow_missing=("net",)))
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


@pytest.mark.parametrize(
    ("attempt", "options", "answer"),
    [
        (lambda: socket.socket(socket.AF_UNIX), {}, "done"),
        (lambda: socket.socketpair(), {}, "done"),
        (lambda: socket.socket(socket.AF_INET), {}, "Address family not supported by protocol"),
        (lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW), {}, "Address family not supported by protocol"),
        (lambda: linux.unshare(linux.CLONE_NEWUSER), {}, "Operation not permitted"),
        (lambda: linux.mount("none", "/tmp", "tmpfs"), {}, "Operation not permitted"),
        (lambda: os.memfd_create("x"), {}, "Operation not permitted"),
        (lambda: os.kill(os.getppid(), 0), {}, "done"),
        (lambda: os.kill(os.getppid(), 0), {"guards_signals": True}, "Operation not permitted"),
        (lambda: os.kill(-1, signal.SIGCONT), {"guards_signals": True}, "Operation not permitted"),
        (lambda: os.kill(os.getpid(), 0), {"guards_signals": True}, "done"),
        (lambda: os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0)), {}, "done"),
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
    if landlockpy.abi_version() < 2:
        pytest.skip("no Landlock here")
    file, own = tmp_path / "file", tmp_path / "own"
    own.mkdir()

    def restrict() -> None:
        """Allow what a seal allows, with the rights of Landlock's ABI 2."""
        with landlockpy.Ruleset(handled_fs=landlockpy.fs_for_abi(2)) as ruleset:
            ruleset.allow_path("/", landlockpy.AccessFS.READ_FILE | landlockpy.AccessFS.READ_DIR)
            ruleset.allow_path(own, landlockpy.fs_for_abi(2))
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
def diagnose(tmp_path: Path, without: str, user: int | None) -> tuple[int, str]:
    """Return exit status and output of `autograder doctor`, run with layers switched off and as another user."""
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
        "command": [sys.executable, "-c", "from autograder.cli import main; main()", "doctor"],
        "cwd": str(ROOT),
        "env": environment,
        "seconds": 240,
        "uid": user,
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
@pytest.mark.parametrize("without", ["", "namespaces", "namespaces,own-user", "landlock"])
@pytest.mark.parametrize("user", [None, pytest.param(AN_ORDINARY_USER, marks=needs_root)])
def test_no_guarantee_can_be_broken_from_inside(tmp_path: Path, without: str, user: int | None) -> None:
    status, said = diagnose(tmp_path, without, user)
    held = re.findall(r"^([\w-]+) .* held *$", said, re.MULTILINE)
    assert status == 0 and held == list(GUARANTEES), said


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
        end_children({spared})
        left = psutil.Process().children(recursive=True)
        os.kill(spared, signal.SIGKILL)
        os._exit(len(left))
    assert os.waitstatus_to_exitcode(os.waitpid(parent, 0)[1]) == 1


@pytest.mark.course
@pytest.mark.parametrize("without", ["", "namespaces"])
def test_the_end_of_a_warm_process_ends_its_kernels(without: str) -> None:
    program = (
        "import os, psutil\n"
        "from autograder.course import Limits\n"
        "from autograder.kernels.session import KernelSession\n"
        "from autograder.kernels.warm import warm_server\n"
        "with KernelSession(Limits(), 'tensorflow') as session:\n"
        "    session.run('import os, time\\nif os.fork() == 0:\\n    os.setsid()\\n    time.sleep(600)', 20)\n"
        "    before = psutil.Process().children(recursive=True)\n"
        "    warm_server('tensorflow').close()\n"
        "    left = psutil.wait_procs(before, 5)[1]\n"
        "    print(len(before) >= 4, [p.pid for p in left], flush=True)\n"
        "    os._exit(0)\n"
    )
    environment = {**os.environ, "AUTOGRADER_SEAL_WITHOUT": without}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split("\n")[0] == "True []", done.stderr


@pytest.mark.course
def test_a_machine_without_layers_is_told_so(tmp_path: Path) -> None:
    status, said = diagnose(tmp_path, "namespaces,landlock", None)
    assert status == 1 and "no layer gives it" in said and "lsm=" in said


@pytest.mark.course
@pytest.mark.parametrize("guarantee", ["fs-read", "fs-write", "net"])
def test_the_attempts_succeed_where_nothing_seals(
    course: Course, guarantee: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `doctor` tries can be seen to fail: on a machine without any layer."""
    program = (
        "import sys\nfrom pathlib import Path\nfrom autograder import doctor\nfrom autograder.course import load_course\n"
        f"print(doctor.ATTACKS[{guarantee!r}](load_course(Path({str(ROOT)!r}))))"
    )
    monkeypatch.setenv("AUTOGRADER_SEAL_WITHOUT", ",".join(LAYERS))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert re.search("read|wrote|connected|changed|removed", done.stdout), done.stderr


def test_every_guarantee_is_tried() -> None:
    assert set(doctor.ATTACKS) == set(GUARANTEES)
