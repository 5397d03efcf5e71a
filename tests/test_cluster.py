"""Grading on a Dask cluster: two workers on this machine, which die, hang, come too late or have other versions."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from autograder.base.errors import CourseError, SealError
from autograder.gradebook.scores import scores
from autograder.scheduling import cluster as cluster_module
from autograder.scheduling.cluster import ClusterPool
from autograder.scheduling.fingerprint import verdict_key, versions
from autograder.scheduling.jobs import Job, run_job
from autograder.scheduling.pool_base import Outcome, Ticket
from autograder.sources.course import Course
from autograder.submissions.evaluation import grade
from autograder.submissions.verdicts import pack, unpack
from benchmarks import cheap

distributed = pytest.importorskip("distributed", reason="The extra `cluster` is missing.")
pytestmark = pytest.mark.cluster
LONG = 120.0


# What the cluster's workers call; they import this module.
def double(number: int) -> int:
    return 2 * number


def own_processes() -> tuple[int, int]:
    """Return the process that runs this and the Dask worker that started it."""
    return os.getpid(), os.getppid()


def die_once(marker: str) -> str:
    if os.path.exists(marker):
        return "survived"
    Path(marker).touch()
    os.kill(os.getpid(), signal.SIGKILL)
    return "unreachable"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def kill_worker_once(marker: str) -> str:
    """End the Dask worker itself, as a machine that loses its power does."""
    if os.path.exists(marker):
        return "survived"
    Path(marker).touch()
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(LONG)
    return "unreachable"


def kill_worker(marker: str) -> None:
    with open(marker, "a") as file:
        file.write("tried\n")
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(LONG)


def hang() -> None:
    time.sleep(1000)


def refuse(error: type[Exception]) -> None:
    raise error("no layer")


def finish(pool: ClusterPool, *tickets: Ticket) -> list[Outcome]:
    while any(ticket.outcome is None for ticket in tickets):
        pool.wait()
    return [ticket.outcome for ticket in tickets if ticket.outcome is not None]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", host="127.0.0.1", silence_logs=60
    ) as made:
        yield made


@pytest.fixture
def pool(cluster: Any) -> Iterator[ClusterPool]:
    with distributed.Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)  # those that a test ended are replaced
    with ClusterPool(cluster.scheduler_address) as made:
        yield made


def test_calls_come_back_with_their_values_from_both_workers(pool: ClusterPool) -> None:
    assert pool.workers == 2
    tickets = [pool.submit(double, number, seconds=LONG) for number in range(5)]
    assert [outcome.value for outcome in finish(pool, *tickets)] == [0, 2, 4, 6, 8] and pool.unfinished == 0
    asked = finish(pool, *[pool.submit(own_processes, seconds=LONG) for _ in range(20)])
    assert len({outcome.value[1] for outcome in asked}) == 2


def test_a_call_that_kills_its_process_is_tried_once_more(pool: ClusterPool, tmp_path: Path) -> None:
    assert finish(pool, pool.submit(die_once, str(tmp_path / "died"), seconds=LONG)) == [Outcome("survived")]


def test_a_call_that_kills_its_process_twice_costs_only_itself(pool: ClusterPool) -> None:
    died, right = finish(pool, pool.submit(die, seconds=LONG), pool.submit(double, 2, seconds=LONG))
    assert died.fault == "A worker process died (exit code -9)." and right == Outcome(4)


def test_a_call_that_hangs_is_ended(pool: ClusterPool) -> None:
    hung, right = finish(pool, pool.submit(hang, seconds=0.5), pool.submit(double, 2, seconds=LONG))
    assert hung.fault == "A worker process gave no answer within 0.5 s." and right == Outcome(4)


def test_a_lost_workers_call_is_tried_on_another(pool: ClusterPool, tmp_path: Path) -> None:
    lost, right = finish(
        pool,
        pool.submit(kill_worker_once, str(tmp_path / "died"), seconds=LONG),
        pool.submit(double, 2, seconds=LONG),
    )
    assert (lost, right) == (Outcome("survived"), Outcome(4))


def test_a_call_that_kills_two_workers_is_set_aside(pool: ClusterPool, tmp_path: Path) -> None:
    tickets = [pool.submit(kill_worker, str(tmp_path / "tries"), seconds=LONG)]
    tickets += [pool.submit(double, number, seconds=LONG) for number in range(4)]
    died, *rest = finish(pool, *tickets)
    assert died.fault.startswith("Workers died while they graded it: tcp://") and died.fault.count("tcp://") == 2
    assert [outcome.value for outcome in rest] == [0, 2, 4, 6]
    assert (tmp_path / "tries").read_text().count("tried") in (2, 3)  # Dask may have begun it again meanwhile


@pytest.mark.parametrize("error", [SealError, CourseError])
def test_what_every_call_would_meet_ends_the_class(pool: ClusterPool, error: type[Exception]) -> None:
    pool.submit(refuse, error, seconds=LONG)
    with pytest.raises(error, match=r"tcp://127\.0\.0\.1:\d+: no layer"):
        pool.wait()


def test_an_unreachable_scheduler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 0.5)
    with pytest.raises(CourseError, match=r"must be reachable\. Received: scheduler='tcp://127\.0\.0\.1:9'"):
        ClusterPool("tcp://127.0.0.1:9")


def test_a_worker_with_another_version_is_refused(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "versions", lambda backend: {**versions(backend), "numpy": "1.26.0"})
    with pytest.raises(CourseError, match=r"same versions.*numpy is \S+ there and 1\.26\.0 here"):
        ClusterPool(cluster.scheduler_address)


def test_a_worker_with_another_version_that_comes_later_is_refused(pool: ClusterPool) -> None:
    pool._expected = {**versions(), "keras": "2.0.0"}
    pool.submit(double, 1, seconds=LONG)
    with pytest.raises(CourseError, match=r"keras is \S+ there and 2\.0\.0 here"):
        pool.wait()


def test_a_scheduler_that_ends_stops_the_run() -> None:
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0", host="127.0.0.1", silence_logs=60
    ) as made:
        pool = ClusterPool(made.scheduler_address)
        pool.submit(hang, seconds=LONG)
    with pytest.raises(CourseError, match="must be reachable.*what was graded is kept"), pool:
        pool.wait()


def test_nothing_is_left_of_workers_that_end(tmp_path: Path) -> None:
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0", host="127.0.0.1", silence_logs=60
    ) as made:
        with ClusterPool(made.scheduler_address) as pool:
            [outcome] = finish(pool, pool.submit(own_processes, seconds=LONG))
        process = psutil.Process(outcome.value[0])
        assert process.is_running()  # warm for the next run
    psutil.wait_procs([process], timeout=20)
    assert not process.is_running()


# ------------------------------------------------------------------------------------------------------------ verdicts
@pytest.mark.course
def test_a_verdict_from_the_cluster_is_the_local_one(pool: ClusterPool, cluster: Any, course: Course) -> None:
    from autograder.sources.notebooks import render
    from autograder.submissions.submission import repair

    source = course.source("02-attention")
    notebook = render(source, "ko")
    for cell in notebook.cells:
        slug = cell.id.removeprefix("task-")
        if slug in ("softmax", "attention-scores") and cell.id.startswith("task-"):
            cell.source = (
                source.reference(slug) if slug == "softmax" else "def attention_scores(query, key):\n    return 1 / 0\n"
            )
        cell.metadata["claimed"] = [cell.id]
    submission = repair(notebook, source)
    submission.files = {"data.csv": b"1,2"}
    job = Job.of(course.grading_of("02-attention", "mary"), submission)
    key = verdict_key(job.grading, job.submission())
    with ClusterPool(cluster.scheduler_address, course.backend) as graders:
        [outcome] = finish(graders, graders.submit(run_job, job, key, seconds=LONG))
    found, remote = unpack(outcome.value)
    _, local = unpack(pack(key, grade(job.grading, job.submission())))
    assert found == key and replace(remote, seconds=local.seconds) == local and 0 < local.points < 20


STUDENTS = [f"s{number}" for number in range(12)]


@pytest.fixture(scope="module")
def built(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    made = cheap.make_cheap_course(course, tmp_path_factory.mktemp("course"))
    cheap.hand_in(made, STUDENTS)
    return made


def autograde(course: Course, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "autograde", cheap.ASSIGNMENT, *arguments],
        cwd=course.root,
        env=cheap.course_environment(),
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stderr


@pytest.mark.course
def test_nbgrader_grades_a_class_on_the_cluster_as_here(
    pool: ClusterPool, cluster: Any, built: Course, tmp_path: Path
) -> None:
    cheap.configure(
        built.root,
        "course = dataclasses.replace(course, languages=('en',))\n",
        f"kill={{'s3': {str(tmp_path / 'once')!r}, 's5': ''}}",
    )
    failed, said = autograde(built, f"--SubmissionExporter.scheduler={cluster.scheduler_address}")
    right = cheap.expected(built, STUDENTS)
    points = {row.student: row.points for row in scores(built, cheap.ASSIGNMENT)}
    assert failed == 1 and "ungraded 1 (s5: A worker process died (exit code 9).)" in said, said[-2000:]
    assert set(points.pop("s5").values()) == {None} and (tmp_path / "once").exists()
    assert points == {student: right[student] for student in STUDENTS if student != "s5"}
    # here again, from nothing: the same rows
    cheap.configure(built.root, "course = dataclasses.replace(course, languages=('en',))\n")
    for folder in ("autograded", ".verdicts"):
        shutil.rmtree(built.root / folder)
    assert autograde(built)[0] == 0
    assert {row.student: row.points for row in scores(built, cheap.ASSIGNMENT)} == right


@pytest.mark.course
@pytest.mark.parametrize(
    ("scheduler", "said"),
    [("tcp://127.0.0.1:9", "The cluster's scheduler must be reachable"), ("cluster", "scheduler must be 'local' or")],
)
def test_nbgrader_says_in_a_sentence_that_there_is_no_cluster(built: Course, scheduler: str, said: str) -> None:
    cheap.configure(built.root, "from autograder.scheduling import cluster\ncluster.CONNECT_SECONDS = 0.5\n")
    code, log = autograde(built, f"--SubmissionExporter.scheduler={scheduler}", "--force", "--student", "s1")
    assert code == 1 and said in log and "Traceback" not in log
