"""Workers, keys, kept verdicts, grading ahead and progress, without a notebook being run."""

from __future__ import annotations

import dataclasses
import errno
import gc
import io
import logging
import os
import pickle
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import ModuleType
from typing import Any

import psutil
import pytest
from pebble.pool.base_pool import PoolStatus

from autograder.base.errors import CourseError, MachineError, SealError
from autograder.base.text import Text
from autograder.grading.runner import refused, ungraded
from autograder.scheduling import class_grading as ahead_module
from autograder.scheduling import fingerprint
from autograder.scheduling.cache import VerdictCache
from autograder.scheduling.class_grading import WINDOW, GradingAhead, SubmissionId
from autograder.scheduling.fingerprint import verdict_key
from autograder.scheduling.jobs import Job
from autograder.scheduling.pool import WorkerPool
from autograder.scheduling.pool_base import Outcome, Ticket
from autograder.scheduling.progress import ClassProgress, pace_text
from autograder.sources.course import Course
from autograder.sources.grading import Grading
from autograder.sources.notebooks import NotebookSource, render
from autograder.submissions.submission import Submission, repair
from autograder.submissions.verdicts import Verdict, pack, unpack

pytestmark = pytest.mark.slow

NOT_COMPILED = shutil.ignore_patterns("__pycache__")  # other tests write there meanwhile
ASSIGNMENT = "02-attention"
LONG = 120.0


# ----------------------------------------------------------------------------------------------------------- workers
# The functions that workers call; they import this module.
def double(number: int) -> int:
    return 2 * number


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(marker: str) -> str:
    if os.path.exists(marker):
        return "survived"
    Path(marker).touch()
    die()
    return "unreachable"


def hang(marker: str) -> None:
    with open(marker, "a") as file:
        file.write("tried\n")
    time.sleep(1000)


def raise_odd_error() -> None:
    class Odd(Exception):
        """Can't be pickled: its class can't be found again."""

    raise Odd("strange")


def refuse_machine(error: type[Exception]) -> None:
    raise error("no layer")


def fail_as_a_machine() -> None:
    raise MachineError("No disk.")


def leave() -> None:
    raise SystemExit(3)


def loaded(*names: str) -> list[str]:
    return [name for name in names if name in sys.modules]


def interrupt_self() -> str:
    os.kill(os.getpid(), signal.SIGINT)
    return "heard nothing"


def a_child_of(worker_command: str) -> str:
    """Return how a process started by a worker treats Ctrl-C."""
    done = subprocess.run([sys.executable, "-c", worker_command], capture_output=True, text=True)
    return done.stdout.strip()


def temporary_file() -> str:
    return tempfile.mkstemp()[1]


def finish(pool: WorkerPool, *tickets: Ticket) -> list[Outcome]:
    while any(ticket.outcome is None for ticket in tickets):
        pool.wait()
    return [ticket.outcome for ticket in tickets if ticket.outcome is not None]


def workers_of(pool: WorkerPool) -> list[psutil.Process]:
    """Return a pool's processes, each of which has answered."""
    pids: set[int] = set()
    while len(pids) < pool.workers:
        pids |= {outcome.value for outcome in finish(pool, *[pool.submit(os.getpid, seconds=LONG) for _ in range(4)])}
    return [psutil.Process(pid) for pid in pids]


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(2) as made:
        yield made


def test_calls_come_back_with_their_values(pool: WorkerPool) -> None:
    tickets = [pool.submit(double, number, seconds=LONG) for number in range(5)]
    assert [outcome.value for outcome in finish(pool, *tickets)] == [0, 2, 4, 6, 8]


def test_a_call_whose_worker_is_killed_is_tried_once_more(pool: WorkerPool, tmp_path: Path) -> None:
    [outcome] = finish(pool, pool.submit(die_once, str(tmp_path / "died"), seconds=LONG))
    assert outcome == Outcome("survived")


def test_a_worker_that_dies_twice_costs_only_its_own_call(pool: WorkerPool) -> None:
    tickets = [pool.submit(double, 1, seconds=LONG), pool.submit(die, seconds=LONG)]
    tickets += [pool.submit(double, number, seconds=LONG) for number in (2, 3)]
    right, died, *rest = finish(pool, *tickets)
    assert died.fault == "A worker process died (exit code -9)." and died.value is None
    assert [right.value] + [outcome.value for outcome in rest] == [2, 4, 6]


def test_a_worker_that_hangs_twice_costs_only_its_own_call(pool: WorkerPool, tmp_path: Path) -> None:
    tickets = [pool.submit(hang, str(tmp_path / "tries"), seconds=0.5), pool.submit(double, 2, seconds=LONG)]
    hung, right = finish(pool, *tickets)
    assert hung.fault == "A worker process gave no answer within 0.5 s."
    assert right.value == 4
    assert (tmp_path / "tries").read_text() == "tried\n" * 2


def test_idle_workers_that_are_killed_are_replaced() -> None:
    with WorkerPool(2) as pool:
        for worker in workers_of(pool):
            worker.kill()  # not waited for: that is the pool's to do
        assert finish(pool, *[pool.submit(double, n, seconds=LONG) for n in (4, 5)]) == [Outcome(8), Outcome(10)]


class ImpatientPool(WorkerPool):
    """Takes workers for stuck at once, but only the first time: new ones need time to start."""

    def _begin(self, ticket: Ticket, avoid: str) -> None:
        self.stall_seconds = LONG if ticket.tries > 1 else self.stall_seconds
        super()._begin(ticket, avoid)


@pytest.mark.parametrize("is_broken", [False, True], ids=["locked-out", "forgotten"])
def test_a_call_that_no_worker_takes_is_given_to_new_ones(is_broken: bool) -> None:
    with ImpatientPool(2) as pool:
        for worker in workers_of(pool):
            worker.suspend()
        pool.stall_seconds = LONG if is_broken else 0.5
        ticket = pool.submit(double, 4, seconds=LONG)
        if is_broken:
            pool._processes._context.status = PoolStatus.ERROR
        assert finish(pool, ticket) == [Outcome(8)]


@pytest.mark.parametrize(
    ("function", "fault"),
    [(raise_odd_error, "Odd: strange"), (leave, "SystemExit: 3")],
    ids=["odd-error", "system-exit"],
)
def test_whatever_a_call_raises_is_told(pool: WorkerPool, function: Callable[[], object], fault: str) -> None:
    bad, good = finish(pool, pool.submit(function, seconds=LONG), pool.submit(double, 1, seconds=LONG))
    assert fault in bad.fault and good == Outcome(2)


def test_what_the_machine_failed_at_is_told_as_it_is(pool: WorkerPool) -> None:
    assert finish(pool, pool.submit(fail_as_a_machine, seconds=LONG)) == [Outcome(fault="No disk.")]


@pytest.mark.parametrize("error", [SealError, CourseError])
def test_what_every_call_would_meet_ends_the_class(error: type[Exception]) -> None:
    with WorkerPool(1) as pool:
        pool.submit(refuse_machine, error, seconds=LONG)
        with pytest.raises(error, match="no layer"):
            pool.wait()


def test_workers_import_neither_nbgrader_nor_what_takes_long(pool: WorkerPool) -> None:
    names = ("autograder.submissions.evaluation", "nbgrader", "sqlalchemy", "tensorflow", "lark")
    [outcome] = finish(pool, pool.submit(loaded, *names, seconds=LONG))
    assert outcome.value == ["autograder.submissions.evaluation"]


def test_workers_collect_garbage_once_they_are_called(pool: WorkerPool) -> None:
    [outcome] = finish(pool, pool.submit(gc.isenabled, seconds=LONG))
    assert outcome.value is True


def test_workers_dont_run_the_commands_main_module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    command = ModuleType("__main__")
    command.__file__ = str(tmp_path / "command.py")
    (tmp_path / "command.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.setitem(sys.modules, "__main__", command)
    with WorkerPool(1) as pool:
        assert finish(pool, pool.submit(double, 1, seconds=LONG)) == [Outcome(2)]
    assert not (tmp_path / "ran").exists() and sys.modules["__main__"] is command


def test_ctrl_c_is_not_the_workers_but_their_childrens(pool: WorkerPool) -> None:
    ask = "import signal; print(signal.getsignal(signal.SIGINT), signal.SIGINT in signal.pthread_sigmask(0, []))"
    tickets = pool.submit(interrupt_self, seconds=LONG), pool.submit(a_child_of, ask, seconds=LONG)
    heard, child = finish(pool, *tickets)
    assert heard.value == "heard nothing"
    assert "default_int_handler" in child.value and child.value.endswith("False")


def test_nothing_is_left_of_a_pool_that_is_left_in_the_middle(tmp_path: Path) -> None:
    with WorkerPool(2) as pool:
        workers = workers_of(pool)
        [file] = finish(pool, pool.submit(temporary_file, seconds=LONG))
        pool.submit(hang, str(tmp_path / "tries"), seconds=LONG)
        while not (tmp_path / "tries").exists():
            time.sleep(0.01)
        assert os.path.exists(file.value)
    assert not any(worker.is_running() for worker in workers)
    assert not os.path.exists(os.path.dirname(file.value))


def test_workers_end_with_a_parent_that_is_killed_and_tidy_up(tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    program = (
        "import psutil, test_scheduling as t\n"
        "pool = t.WorkerPool(1)\n"
        f"pool.submit(t.hang, {str(tmp_path / 'tries')!r}, seconds=600)\n"
        f"while not t.os.path.exists({str(tmp_path / 'tries')!r}): t.time.sleep(0.01)\n"
        "print(*[child.pid for child in psutil.Process().children(recursive=True)], flush=True)\n"
        "t.time.sleep(1000)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent,
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
    ) as parent:
        assert parent.stdout is not None
        children = [psutil.Process(int(word)) for word in parent.stdout.readline().split()]
        assert len(list((tmp_path / "temporary").iterdir())) == 1
        parent.kill()
    assert children
    _, left = psutil.wait_procs(children, timeout=60)
    assert left == [] and list((tmp_path / "temporary").iterdir()) == []


# -------------------------------------------------------------------------------------------------------------- keys
@pytest.fixture
def source(course: Course) -> NotebookSource:
    return course.source(ASSIGNMENT)


def a_submission(source: NotebookSource, answer: str = "x = 1", language: str = "en") -> Submission:
    notebook = render(source, language)
    next(cell for cell in notebook.cells if cell.id == "task-softmax").source = answer
    for cell in notebook.cells:
        cell.metadata["claimed"] = [cell.id]
    return repair(notebook, source)


def a_job(course: Course, student: str, answer: str = "x = 1") -> Job:
    return Job.of(course.grading_of(ASSIGNMENT, student), a_submission(course.source(ASSIGNMENT), answer))


def key_of(course: Course, submission: Submission, student: str) -> str:
    return verdict_key(course.grading_of(ASSIGNMENT, student), submission)


def test_a_key_is_the_same_for_the_same_submission(course: Course, source: NotebookSource) -> None:
    keys = {key_of(course, a_submission(source), "mary") for _ in range(2)}
    assert len(keys) == 1 and len(keys.pop()) == 64


def test_a_key_outlives_the_notebooks_way_through_nbgrader(course: Course, source: NotebookSource) -> None:
    first = a_submission(source)
    first.notes, first.files = [Text("A copy.", "복사본.")], {"data.csv": b"1,2"}
    job = Job.of(course.grading_of(ASSIGNMENT, "mary"), first)
    assert verdict_key(job.grading, job.submission()) == key_of(course, first, "mary")


def test_a_grading_that_was_sent_elsewhere_gives_the_same_key(course: Course) -> None:
    changed = dataclasses.replace(
        course, limits_by_assignment={ASSIGNMENT: {"cell_seconds": 31}}, shows="none", unsafe_allow_missing=("net",)
    )
    job = a_job(changed, "mary")
    there = pickle.loads(pickle.dumps(job))
    assert there == job and there.grading is not job.grading
    assert verdict_key(there.grading, there.submission()) == verdict_key(job.grading, job.submission())


def test_a_grading_is_placed_as_it_was_whatever_becomes_of_the_course(course: Course, tmp_path: Path) -> None:
    shutil.copytree(course.root / "solutions", tmp_path / "solutions", ignore=NOT_COMPILED)
    copy = dataclasses.replace(course, root=tmp_path)
    grading = copy.grading_of(ASSIGNMENT, "mary")
    before = (copy.source(ASSIGNMENT).folder / "graders.py").read_bytes()
    (tmp_path / "solutions" / ASSIGNMENT / "graders.py").write_text("raise RuntimeError\n")
    later = copy.grading_of(ASSIGNMENT, "paul").placed()
    assert later.source.folder == grading.placed().source.folder != copy.source(ASSIGNMENT).folder
    assert (later.source.folder / "graders.py").read_bytes() == before
    assert later.source.rubric == course.source(ASSIGNMENT).rubric
    hidden = [folder for folder in later.hidden if later.source.folder.is_relative_to(folder)]
    assert hidden and str(tmp_path) in later.hidden
    assert stat.S_IMODE(os.stat(hidden[0]).st_mode) == 0o700
    anew = dataclasses.replace(copy)  # as the next command would read it
    assert anew.grading_of(ASSIGNMENT, "mary") != grading


def test_files_that_could_not_all_be_written_are_not_graded_by(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(course.root / "solutions", tmp_path / "solutions", ignore=NOT_COMPILED)
    (tmp_path / "solutions" / "_shared" / "own.md").write_text("No other course has this.")
    grading = dataclasses.replace(course, root=tmp_path).grading_of(ASSIGNMENT, "mary")
    write = Path.write_bytes

    def fails_at_the_rubric(path: Path, content: bytes) -> int:
        if path.name == "rubric.md":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, content)

    with monkeypatch.context() as patch, pytest.raises(MachineError, match="No space left"):
        patch.setattr(Path, "write_bytes", fails_at_the_rubric)
        grading.placed()
    folder = grading.placed().source.folder
    assert (folder / "rubric.md").read_bytes() == (tmp_path / "solutions" / ASSIGNMENT / "rubric.md").read_bytes()


def test_where_the_course_lies_changes_no_key(course: Course, source: NotebookSource, tmp_path: Path) -> None:
    (tmp_path / "solutions").symlink_to(course.root / "solutions")
    elsewhere = dataclasses.replace(course, root=tmp_path)
    submission = a_submission(source)
    assert key_of(elsewhere, submission, "mary") == key_of(course, submission, "mary")


def test_what_a_grading_says_of_itself_tells_no_secret(course: Course) -> None:
    said = repr(a_job(dataclasses.replace(course, secret="a secret of this term"), "mary"))
    assert "a secret" not in said and "def test_" not in said and "mary" in said


def _with(submission: Submission, **changes: Any) -> Submission:
    return dataclasses.replace(submission, **changes)


def _moved(submission: Submission, change: Callable[[list[Any]], object]) -> Submission:
    change(submission.cells)
    return submission


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda s: _moved(s, lambda cells: cells[3].update(source=cells[3].source + " ")), id="a-blank"),
        pytest.param(lambda s: _moved(s, lambda cells: cells[0].update(id="other")), id="a-cells-id"),
        pytest.param(lambda s: _moved(s, lambda cells: cells[0].update(cell_type="raw")), id="a-cells-type"),
        pytest.param(lambda s: _moved(s, lambda cells: cells.reverse()), id="the-order"),
        pytest.param(lambda s: _moved(s, lambda cells: cells.pop()), id="a-cell-less"),
        pytest.param(lambda s: _with(s, language="ko"), id="the-language"),
        pytest.param(lambda s: _with(s, notes=[Text("Doubled.")]), id="a-note"),
        pytest.param(lambda s: _with(s, files={"data.csv": b"1"}), id="a-file"),
    ],
)
def test_a_key_changes_with_the_submission(
    course: Course, source: NotebookSource, change: Callable[[Submission], Submission]
) -> None:
    before = key_of(course, a_submission(source), "mary")
    assert key_of(course, change(a_submission(source)), "mary") != before


def test_a_key_changes_with_a_files_content(course: Course, source: NotebookSource) -> None:
    files = [{"data.csv": content} for content in (b"1", b"2")]
    assert len({key_of(course, _with(a_submission(source), files=each), "mary") for each in files}) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"secret": "another secret of the term"},
        {"backend": "jax"},
        {"limits_by_assignment": {ASSIGNMENT: {"cell_seconds": 31}}},
        {"unsafe_allow_missing": ("net",)},
        {"shows": "none"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_key_changes_with_the_course(course: Course, source: NotebookSource, change: dict[str, Any]) -> None:
    submission = a_submission(source)
    changed = dataclasses.replace(course, **change)
    assert key_of(changed, submission, "mary") != key_of(course, submission, "mary")


def test_a_key_changes_with_the_student(course: Course, source: NotebookSource) -> None:
    submission = a_submission(source)
    assert key_of(course, submission, "mary") != key_of(course, submission, "paul")


@pytest.mark.parametrize(
    ("backend", "libraries"), [("", set()), ("tensorflow", set()), ("jax", {"jax", "jaxlib"}), ("torch", {"torch"})]
)
def test_the_versions_to_compare_are_those_of_the_backend(
    monkeypatch: pytest.MonkeyPatch, backend: str, libraries: set[str]
) -> None:
    monkeypatch.setattr(fingerprint, "version", lambda name: f"{name} 1")
    always = {"autograder's sources", "Python", "machine", *fingerprint.DECISIVE}
    assert set(fingerprint.versions(backend)) == always | libraries


def test_a_library_that_is_not_installed_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(fingerprint, "version", version)
    assert fingerprint.versions("jax")["jax"] == "missing"


@pytest.mark.parametrize(
    "change",
    [
        {"limits_by_assignment": {"01-positional-encoding": {"cell_seconds": 31}}},
        {"workers": 7},
        {"database_url": "sqlite:///elsewhere.db"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_doesnt_concern_a_verdict_changes_no_key(
    course: Course, source: NotebookSource, change: dict[str, Any]
) -> None:
    changed = dataclasses.replace(course, **change)
    submission = a_submission(source)
    assert key_of(changed, submission, "mary") == key_of(course, submission, "mary")


@pytest.mark.parametrize(
    ("name", "counts"),
    [("notebook.py", True), ("tasks/angle_rates.py", True), ("tests/test_reference.py", False)],
)
def test_a_key_changes_with_the_assignments_files_but_its_tests(
    course: Course, source: NotebookSource, tmp_path: Path, name: str, counts: bool
) -> None:
    copies = []
    for text in ("", "\n# remark\n"):
        folder = tmp_path / f"copy{len(copies)}" / "solutions" / ASSIGNMENT
        for each in (ASSIGNMENT, "_shared"):
            shutil.copytree(course.root / "solutions" / each, folder.parent / each, ignore=NOT_COMPILED)
        with open(folder / name, "a", encoding="utf-8") as file:
            file.write(text)
        copies.append(
            dataclasses.replace(course, root=folder.parents[1], english_only=(), bonus=(), limits_by_assignment={})
        )
    first, second = (key_of(copy, a_submission(source), "mary") for copy in copies)
    assert (first != second) == counts


@pytest.mark.parametrize("place", ["kernels/softmax.py", "kernels/deep/er.py", "probe.py"])
def test_a_key_changes_with_the_packages_source(
    monkeypatch: pytest.MonkeyPatch, course: Course, source: NotebookSource, tmp_path: Path, place: str
) -> None:
    monkeypatch.setattr(fingerprint, "PACKAGE", tmp_path)
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    keys = []
    for text in ("a = 1\n", "a = 2\n"):
        path.write_text(text)
        fingerprint._programs.cache_clear()
        keys.append(key_of(course, a_submission(source), "mary"))
    fingerprint._programs.cache_clear()
    assert keys[0] != keys[1]


def test_a_key_changes_with_an_installed_version(
    monkeypatch: pytest.MonkeyPatch, course: Course, source: NotebookSource
) -> None:
    keys = []
    for found in ([], list(fingerprint.distributions())):
        monkeypatch.setattr(fingerprint, "distributions", lambda found=found: found)
        fingerprint._programs.cache_clear()
        keys.append(key_of(course, a_submission(source), "mary"))
    fingerprint._programs.cache_clear()
    assert keys[0] != keys[1]


# ------------------------------------------------------------------------------------------------------------- cache
def a_verdict(course: Course, student: str = "mary", points: str = "refused") -> Verdict:
    source = course.source(ASSIGNMENT)
    tasks = ungraded(source, "no disk") if points == "ungraded" else refused(source, Text(points))
    return Verdict(ASSIGNMENT, source.name, student, "en", tasks, fault="no disk" if points == "ungraded" else "")


@pytest.fixture
def cache(tmp_path: Path) -> VerdictCache:
    return VerdictCache(tmp_path)


def test_a_kept_verdict_comes_back_under_its_key_only(cache: VerdictCache, course: Course) -> None:
    verdict = a_verdict(course)
    cache.write(ASSIGNMENT, "mary", pack("key", verdict))
    assert cache.read(ASSIGNMENT, "mary", "key") == verdict
    assert cache.read(ASSIGNMENT, "mary", "other") is None
    assert cache.read(ASSIGNMENT, "paul", "key") is None


def test_a_newer_verdict_takes_the_olders_place(cache: VerdictCache, course: Course) -> None:
    for key in ("old", "new"):
        cache.write(ASSIGNMENT, "mary", pack(key, a_verdict(course)))
    assert cache.read(ASSIGNMENT, "mary", "old") is None
    assert len(list(cache.path(ASSIGNMENT, "mary").parent.iterdir())) == 1


def test_an_ungraded_verdict_is_never_handed_out(cache: VerdictCache, course: Course) -> None:
    cache.write(ASSIGNMENT, "mary", pack("key", a_verdict(course, points="ungraded")))
    assert cache.read(ASSIGNMENT, "mary", "key") is None


@pytest.mark.parametrize(
    "damage", ["cut-off", "garbled", "empty", "text", "another-students", "link", "folder", "pipe"]
)
def test_a_damaged_file_is_ignored_and_written_again(
    cache: VerdictCache, course: Course, damage: str, tmp_path: Path
) -> None:
    packed = pack("key", a_verdict(course))
    cache.write(ASSIGNMENT, "mary", packed)
    path = cache.path(ASSIGNMENT, "mary")
    content = {
        "cut-off": packed[: len(packed) // 2],
        "garbled": packed[:100] + b"garbled" + packed[107:],
        "empty": b"",
        "text": b"20 points",
        "another-students": pack("key", a_verdict(course, "paul")),
    }.get(damage)
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    elif damage == "link":
        (tmp_path / "target").write_bytes(packed)
        path.symlink_to(tmp_path / "target")
    elif damage == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    assert cache.read(ASSIGNMENT, "mary", "key") is None
    if damage != "folder":  # nothing but a person puts one there
        cache.write(ASSIGNMENT, "mary", packed)
        assert cache.read(ASSIGNMENT, "mary", "key") == a_verdict(course)


@pytest.mark.parametrize("student", ["..", "../../etc/passwd", "a/b", "x" * 300, "학생", "\udcff", " ", "-rf", "a\nb"])
def test_odd_student_ids_stay_in_the_folder(cache: VerdictCache, course: Course, student: str, tmp_path: Path) -> None:
    cache.write(ASSIGNMENT, student, pack("key", a_verdict(course, student)))
    assert cache.read(ASSIGNMENT, student, "key") is not None
    assert [path.parent for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / ".verdicts" / ASSIGNMENT]


def test_only_the_owner_can_read_kept_verdicts(cache: VerdictCache, course: Course, tmp_path: Path) -> None:
    (tmp_path / ".verdicts").mkdir(mode=0o755)
    before = os.umask(0)
    try:
        cache.write(ASSIGNMENT, "mary", pack("key", a_verdict(course)))
    finally:
        os.umask(before)
    path = cache.path(ASSIGNMENT, "mary")
    assert [stat.S_IMODE(p.stat().st_mode) for p in (path, path.parent, path.parent.parent)] == [0o600, 0o700, 0o700]


def test_a_full_disk_leaves_the_old_verdict_and_no_rest(
    monkeypatch: pytest.MonkeyPatch, cache: VerdictCache, course: Course
) -> None:
    cache.write(ASSIGNMENT, "mary", pack("old", a_verdict(course)))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        cache.write(ASSIGNMENT, "mary", pack("new", a_verdict(course)))
    assert cache.read(ASSIGNMENT, "mary", "old") is not None
    assert len(list(cache.path(ASSIGNMENT, "mary").parent.iterdir())) == 1


# ----------------------------------------------------------------------------------------------------- grading ahead
class FakePool:
    """Takes the place of `WorkerPool`: finishes calls in this process, one at a time.

    Attributes:
        outcomes: student -> what becomes of the call instead of a verdict.
        stale: students of whom something else is graded.
        ungraded: students whose verdict leaves tasks ungraded.
        next: which of the waiting calls is finished next: -1 the last, 0 the first.
        late: students whose verdict was there, but not yet taken, when the class ended.
    """

    made: list[FakePool] = []
    outcomes: dict[str, Outcome] = {}
    ungraded: set[str] = set()
    next = -1
    late: list[str] = []

    def __init__(self, workers: int, backend: str) -> None:
        self.workers = workers
        self.calls: list[str] = []
        self.waiting: list[Ticket] = []
        self.most = 0
        self.is_closed = False
        FakePool.made.append(self)

    @property
    def unfinished(self) -> int:
        return len(self.waiting)

    def submit(self, function: Callable[..., Any], *arguments: Any, seconds: float) -> Ticket:
        ticket = Ticket(function, arguments, seconds)
        self.calls.append(arguments[0].grading.student)
        self.waiting.append(ticket)
        self.most = max(self.most, len(self.waiting))
        return ticket

    def wait(self) -> list[Ticket]:
        ticket = self.waiting.pop(self.next)
        job, key = ticket.arguments
        student = job.grading.student
        points = "ungraded" if student in self.ungraded else "by a worker"
        value = pack(key, a_verdict(self.course, student, points))
        ticket.outcome = self.outcomes.get(student, Outcome(value))
        if ticket.outcome.fatal_error:
            raise SealError(ticket.outcome.fault)
        return [ticket]

    def finished(self) -> list[Ticket]:
        done = self.wait() if self.waiting else []
        self.late += [ticket.arguments[0].grading.student for ticket in done]
        return done

    def close(self) -> None:
        self.is_closed = True


@dataclasses.dataclass
class FakeClass:
    """A class of which each student's answer is a text, graded by `FakePool`."""

    course: Course
    answers: dict[str, str]
    graded: list[str] = dataclasses.field(default_factory=list)
    warnings: list[str] = dataclasses.field(default_factory=list)

    def job(self, student: str) -> Job:
        return a_job(self.course, student, self.answers[student])

    def read(self, place: SubmissionId) -> Job | None:
        return None if self.answers[place.student] == "damaged" else self.job(place.student)

    def ahead(self, workers: int = 2, use_stored: bool = True) -> GradingAhead:
        return GradingAhead(
            self.course,
            [SubmissionId(ASSIGNMENT, student) for student in self.answers],
            self.read,
            workers=workers,
            use_stored=use_stored,
            on_graded=lambda place: self.graded.append(place.student),
            warn=self.warnings.append,
        )

    def said(self, verdict: Verdict) -> str:
        line = next(iter(verdict.tasks.values())).lines[0]
        return line.text.en if line.text else line.fault


@pytest.fixture
def make_class(monkeypatch: pytest.MonkeyPatch, course: Course, tmp_path: Path) -> Callable[..., FakeClass]:
    (tmp_path / "solutions").symlink_to(course.root / "solutions")
    copy = dataclasses.replace(course, root=tmp_path)
    FakePool.made, FakePool.outcomes, FakePool.ungraded, FakePool.late = [], {}, set(), []
    FakePool.next, FakePool.course = -1, copy  # type: ignore[attr-defined]
    monkeypatch.setattr(ahead_module, "WorkerPool", FakePool)

    def make(*students: str, **answers: str) -> FakeClass:
        return FakeClass(copy, {**dict.fromkeys(students, "x = 1"), **answers})

    return make


STUDENTS = [f"s{number:02}" for number in range(12)]


def test_verdicts_are_handed_over_in_the_order_in_which_they_are_asked_for(
    make_class: Callable[..., FakeClass],
) -> None:
    made = make_class(*STUDENTS)
    with made.ahead() as ahead:
        handed = [ahead.verdict(made.job(student)).verdict for student in STUDENTS]
    assert [verdict.student for verdict in handed] == STUDENTS
    assert {made.said(verdict) for verdict in handed} == {"by a worker"}
    assert sorted(FakePool.made[0].calls) == STUDENTS and FakePool.made[0].is_closed
    assert set(made.graded) == set(STUDENTS)


def test_no_more_is_queued_than_the_workers_can_soon_take(make_class: Callable[..., FakeClass]) -> None:
    made = make_class(*STUDENTS)
    with made.ahead(workers=2) as ahead:
        for student in STUDENTS:
            ahead.verdict(made.job(student))
    assert FakePool.made[0].most <= 5


def test_no_more_is_read_ahead_than_the_window(
    monkeypatch: pytest.MonkeyPatch, make_class: Callable[..., FakeClass]
) -> None:
    monkeypatch.setattr(ahead_module, "WINDOW", 3)
    monkeypatch.setattr(ahead_module, "QUEUED_PER_WORKER", 0)  # many workers have a wider one
    made = make_class(**dict.fromkeys(STUDENTS, "damaged"))
    read: list[str] = []
    monkeypatch.setattr(made, "read", lambda place: read.append(place.student))
    with made.ahead():
        assert read == STUDENTS[:3]
    assert WINDOW > 3


def test_a_single_submission_goes_to_a_worker_too(make_class: Callable[..., FakeClass]) -> None:
    made = make_class("mary")
    with made.ahead() as ahead:
        assert made.said(ahead.verdict(made.job("mary")).verdict) == "by a worker"
    assert [pool.workers for pool in FakePool.made] == [1]


def test_what_changed_since_it_was_read_ahead_is_graded_anew(make_class: Callable[..., FakeClass]) -> None:
    made = make_class("mary", "paul")
    with made.ahead() as ahead:
        made.answers["mary"] = "x = 2"
        ahead.verdict(made.job("mary"))
    assert FakePool.made[0].calls.count("mary") == 2


def test_submissions_that_nobody_asks_for_or_that_come_unforeseen_do_no_harm(
    make_class: Callable[..., FakeClass],
) -> None:
    made = make_class("mary", "paul", "peter")
    stranger = a_job(made.course, "stranger")
    with made.ahead() as ahead:
        handed = [ahead.verdict(job).verdict for job in (made.job("paul"), stranger, made.job("peter"))]
    assert [verdict.student for verdict in handed] == ["paul", "stranger", "peter"]


def test_a_submission_asked_for_before_its_turn_is_graded_once(make_class: Callable[..., FakeClass]) -> None:
    made = make_class(*STUDENTS)
    FakePool.next = 0
    with made.ahead(workers=1) as ahead:
        for student in STUDENTS[5:]:
            ahead.verdict(made.job(student))
    assert sorted(FakePool.made[0].calls) == [*STUDENTS[:2], *STUDENTS[5:]]


def test_a_partly_ungraded_verdict_is_handed_over_but_not_kept(make_class: Callable[..., FakeClass]) -> None:
    made = make_class("mary", "paul")
    FakePool.ungraded = {"mary"}
    with made.ahead() as ahead:
        handed = {student: ahead.verdict(made.job(student)).verdict for student in made.answers}
    assert handed["mary"].ungraded and not handed["paul"].ungraded
    kept = VerdictCache(made.course.root)
    assert [kept.path(ASSIGNMENT, student).exists() for student in made.answers] == [False, True]


def test_an_unreadable_submission_is_left_to_nbgraders_own_turn(make_class: Callable[..., FakeClass]) -> None:
    made = make_class("mary", "paul", peter="damaged")
    with made.ahead() as ahead:
        ahead.verdict(made.job("mary"))
    assert "peter" not in FakePool.made[0].calls


def test_a_submission_that_cant_be_read_ahead_stops_nobody(make_class: Callable[..., FakeClass]) -> None:
    made = make_class("mary", "paul", "peter")
    read = made.read
    made.read = lambda place: {}[0] if place.student == "mary" else read(place)  # type: ignore[method-assign]
    with made.ahead() as ahead:
        handed = [ahead.verdict(made.job(student)).verdict for student in made.answers]
    assert [verdict.student for verdict in handed] == list(made.answers)


def test_a_failure_of_the_machine_leaves_one_submission_ungraded(make_class: Callable[..., FakeClass]) -> None:
    made = make_class("mary", "paul")
    FakePool.outcomes = {"mary": Outcome(fault="A worker process died (exit code -9).")}
    with made.ahead() as ahead:
        failed, right = (ahead.verdict(made.job(student)).verdict for student in ("mary", "paul"))
    assert failed.fault == "A worker process died (exit code -9)."
    assert failed.ungraded == list(failed.tasks) and right.ungraded == []
    assert VerdictCache(made.course.root).path(ASSIGNMENT, "paul").exists()
    assert not VerdictCache(made.course.root).path(ASSIGNMENT, "mary").exists()


def test_a_machine_that_can_grade_nothing_ends_the_class(make_class: Callable[..., FakeClass]) -> None:
    made = make_class("mary", "paul")
    FakePool.outcomes = {"paul": Outcome(fault="no layer", fatal_error="SealError")}
    with pytest.raises(SealError, match="no layer"), made.ahead() as ahead:
        ahead.verdict(made.job("mary"))
    assert FakePool.made[0].is_closed


def test_an_unchanged_submission_is_not_graded_again(make_class: Callable[..., FakeClass]) -> None:
    made = make_class(*STUDENTS)
    for times in (1, 2):
        with made.ahead() as ahead:
            handed = [ahead.verdict(made.job(student)) for student in STUDENTS]
        assert len(FakePool.made) == 1
        assert [each.is_stored for each in handed] == [times == 2] * len(STUDENTS)
        assert [made.said(each.verdict) for each in handed] == ["by a worker"] * len(STUDENTS)


def test_only_what_changed_is_graded_again(make_class: Callable[..., FakeClass]) -> None:
    made = make_class("mary", "paul", "peter")
    for answer in ("x = 1", "x = 2"):
        made.answers["paul"] = answer
        with made.ahead() as ahead:
            for student in made.answers:
                ahead.verdict(made.job(student))
    assert FakePool.made[1].calls == ["paul"]


def test_force_grades_again_and_keeps_the_newer_verdict(make_class: Callable[..., FakeClass]) -> None:
    made = make_class("mary", "paul")
    for use_stored in (True, False):
        with made.ahead(use_stored=use_stored) as ahead:
            handed = [ahead.verdict(made.job(student)) for student in made.answers]
        assert not any(each.is_stored for each in handed)
        VerdictCache(made.course.root).path(ASSIGNMENT, "mary").unlink()
        with made.ahead() as ahead:
            ahead.verdict(made.job("paul"))
    assert [len(pool.calls) for pool in FakePool.made] == [2, 1, 2, 1]


def test_what_was_graded_ahead_before_an_interruption_is_kept(make_class: Callable[..., FakeClass]) -> None:
    made = make_class(*STUDENTS)
    FakePool.next = 0
    with pytest.raises(KeyboardInterrupt), made.ahead() as ahead:
        ahead.verdict(made.job(STUDENTS[1]))
        raise KeyboardInterrupt
    assert FakePool.late == [STUDENTS[2]] and FakePool.made[0].is_closed
    with made.ahead() as ahead:
        assert [s for s in STUDENTS if ahead.verdict(made.job(s)).is_stored] == STUDENTS[:3]


@pytest.mark.parametrize("students", [("mary",), ("mary", "paul")], ids=["here", "by-a-worker"])
def test_a_full_disk_loses_no_verdict_but_is_told(
    monkeypatch: pytest.MonkeyPatch, make_class: Callable[..., FakeClass], students: tuple[str, ...]
) -> None:
    made = make_class(*students)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(VerdictCache, "write", full)
    with made.ahead() as ahead:
        assert ahead.verdict(made.job("mary")).verdict.ungraded == []
    assert any(line.startswith("mary: ") and "No space left" in line for line in made.warnings)


def test_a_worker_hands_a_wholly_ungraded_submission_back_to_be_tried_elsewhere(
    monkeypatch: pytest.MonkeyPatch, course: Course
) -> None:
    from autograder.scheduling import jobs

    tries: list[int] = []

    def grade(grading: Grading, submission: Submission, *, tries: int, kept: list[int] = tries) -> Verdict:
        kept.append(tries)
        return a_verdict(course, grading.student, "ungraded")

    monkeypatch.setattr(jobs, "grade", grade)
    with pytest.raises(MachineError, match="no disk"):
        jobs.run_job(a_job(course, "mary"), "its-key")
    assert tries == [1]
    monkeypatch.setattr(jobs, "grade", lambda grading, submission, tries: a_verdict(course, grading.student))
    key, verdict = unpack(jobs.run_job(a_job(course, "mary"), "its-key"))
    assert verdict.student == "mary" and key == "its-key"


# ---------------------------------------------------------------------------------------------------------- progress
@pytest.mark.parametrize(
    ("finished", "total", "seconds", "text"),
    [
        (12, 32, 16.0, "45 a minute, 0:27 left"),
        (0, 32, 5.0, "0 a minute, 0:00 left"),
        (32, 32, 64.0, "30 a minute, 0:00 left"),
        (1, 200, 10.0, "6 a minute, 33:10 left"),
        (1, 2, 0.0, "60000 a minute, 0:00 left"),
    ],
)
def test_the_pace_says_the_rate_and_the_time_left(finished: int, total: int, seconds: float, text: str) -> None:
    assert pace_text(finished, total, seconds) == text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@contextmanager
def log_on(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO) -> Iterator[logging.Logger]:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    logger = logging.getLogger("test_progress")
    handler = logging.StreamHandler(stream)
    logger.addHandler(handler)
    logger.propagate = False
    yield logger
    logger.removeHandler(handler)


def test_a_log_says_how_far_the_class_is(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    with log_on(monkeypatch, stream) as logger, ClassProgress("grading", 32, logger) as progress:
        logger.error("mary%s", progress.after(12))
    assert stream.getvalue().startswith("mary (12/32, ")
    assert stream.getvalue().endswith(" left)\n") and "\x1b" not in stream.getvalue()


def test_a_log_of_one_submission_says_nothing_of_the_class(monkeypatch: pytest.MonkeyPatch) -> None:
    with log_on(monkeypatch, io.StringIO()) as logger, ClassProgress("grading", 1, logger) as progress:
        assert progress.after(1) == ""


def test_a_bar_stays_below_the_log_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    with log_on(monkeypatch, stream) as logger:
        with ClassProgress("grading", 4, logger) as progress:
            progress.finish("mary")
            progress.finish("mary")
            progress.finish("paul")
            logger.error("a log line")
            assert progress.after(2) == "" and progress.finished == 2
        logger.error("after it")
        assert sys.stderr is stream
    said = stream.getvalue()
    assert "2/4" in said and "3/4" not in said and " a minute, " in said
    above, _, below = said.partition("a log line\n")
    # the bar was erased before the line and drawn again after it
    assert above.endswith("\x1b[2K") and "2/4" in below and below.endswith("after it\n")
