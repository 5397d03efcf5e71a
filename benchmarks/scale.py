"""What grading costs beside the grading itself, and how it grows: submissions, workers, a cluster, ten thousand.

    python -m benchmarks.scale                       # the engine's overhead; classes of 100, 300, 1000; the model
    python -m benchmarks.scale --sizes 50,100 --calls 100
    python -m benchmarks.scale --cluster --workers 1,2

The submissions are real notebooks that go the whole way (nbgrader, intake, a worker, the verdict, the gradebook, the
autograded folder), except that what would happen in a kernel takes no time (`cheap.py`).
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from autograder.commands.demo import released, to_bytes
from autograder.scheduling.cluster import ClusterPool
from autograder.scheduling.jobs import Job
from autograder.scheduling.pool import WorkerPool
from autograder.scheduling.pool_base import Pool
from autograder.sources.course import Course, load_course
from autograder.submissions.notebook_file import parse_notebook
from autograder.submissions.submission import repair
from autograder.submissions.verdicts import pack
from benchmarks import cheap
from benchmarks.measuring import BenchmarkError, Cost, measure
from benchmarks.throughput import machine, machine_text, mib, say, spread, table

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 3
MODEL_WORKERS = (1, 2, 4, 8, 16, 32, 64, 128)
MODEL_SIZE = 10_000


@dataclass(frozen=True)
class Grown:
    """A class of some size, graded.

    Attributes:
        size: submissions.
        cost: of the command.
        database, verdicts, autograded: bytes that it left there.
    """

    size: int
    cost: Cost
    database: int
    verdicts: int
    autograded: int


def overhead(course: Course, calls: int, workers: Sequence[int], *, on_cluster: bool) -> list[list[str]]:
    """Return a row for each number of workers: milliseconds that a submission takes through them, there and back."""
    source = course.source(cheap.ASSIGNMENT)
    submission = repair(parse_notebook(to_bytes(released(course, source, "en"))), source)
    job = Job.of(course.grading_of(cheap.ASSIGNMENT, "someone"), submission)
    answer = pack("key", cheap.cheap_verdict(submission, "someone"))
    rows = []
    for number in workers:
        with _pool(number, on_cluster=on_cluster) as pool:
            _echo(pool, 2 * number, number, job.notebook, answer)  # until every worker is there
            seconds = [_echo(pool, calls, number, job.notebook, answer) for _ in range(ROUNDS)]
        rows.append(
            [
                "Dask, loopback" if on_cluster else "this machine",
                str(number),
                spread([1000 * each / calls for each in seconds]),
                f"{calls / statistics.median(seconds):.0f}",
            ]
        )
    return rows


def _echo(pool: Pool, calls: int, workers: int, content: bytes, answer: bytes) -> float:
    """Return the seconds of some calls, with as many at once as `GradingAhead` has."""
    began, left = time.monotonic(), calls
    while left or pool.unfinished:
        while left and pool.unfinished < 2 * workers:
            pool.submit(cheap.echo, content, answer, seconds=60.0)
            left -= 1
        for ticket in pool.wait():
            if ticket.outcome is None or ticket.outcome.value != answer:
                raise BenchmarkError(f"A call did not come back with its value: {ticket.outcome}")
    return time.monotonic() - began


@contextmanager
def _pool(workers: int, *, on_cluster: bool) -> Iterator[Pool]:
    if not on_cluster:
        with WorkerPool(workers) as pool:
            yield pool
        return
    with _cluster(workers) as address, ClusterPool(address) as connected:
        yield connected


@contextmanager
def _cluster(workers: int) -> Iterator[str]:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1", silence_logs=60
    ) as made:
        yield made.scheduler_address


def grow(course: Course, sizes: Sequence[int], memory_seconds: float, scheduler: str = "") -> list[Grown]:
    """Grade classes of growing size, each from an empty gradebook.

    Args:
        course: built, graded cheaply, with an empty gradebook.
        sizes: ascending.
        memory_seconds: between two looks at the memory.
        scheduler: address of a cluster's scheduler, if the classes are graded there.
    """
    empty = (course.root / "gradebook.db").read_bytes()
    done = []
    for before, size in zip([0, *sizes], sizes, strict=False):
        cheap.hand_in(course, [f"s{number:05d}" for number in range(before, size)])
        (course.root / "gradebook.db").write_bytes(empty)
        for folder in ("autograded", ".verdicts"):
            if (course.root / folder).exists():
                _remove(course.root / folder)
        say(f"grading {size}")
        command = [sys.executable, "-m", "nbgrader", "autograde", cheap.ASSIGNMENT]
        command += [f"--SubmissionExporter.scheduler={scheduler}"] if scheduler else []
        cost = measure(command, course.root, cheap.course_environment(), memory_seconds=memory_seconds)
        parts = (_bytes(course.root / name) for name in ("gradebook.db", ".verdicts", "autograded"))
        done.append(Grown(size, cost, *parts))
    return done


def growth_table(grown: Sequence[Grown]) -> str:
    """Return one line a size."""
    rows = [
        [
            str(one.size),
            f"{one.cost.wall:.1f}",
            f"{1000 * one.cost.wall / one.size:.0f}",
            f"{1000 * one.cost.cpu / one.size:.0f}",
            mib(one.cost.peak_pss),
            f"{one.database / one.size / 1024:.1f}",
            f"{one.verdicts / one.size / 1024:.1f}",
            f"{one.autograded / one.size / 1024:.0f}",
            str(len(one.cost.left_files) + len(one.cost.left_processes)),
        ]
        for one in grown
    ]
    headings = (
        *(
            "class",
            "s",
            "ms a submission",
            "CPU ms a submission",
            "peak memory (PSS), MiB",
            "database, KiB a submission",
        ),
        *("kept verdicts, KiB a submission", "graded notebooks, KiB a submission", "left behind"),
    )
    return table(headings, rows)


def model_table(grown: Sequence[Grown], grading_seconds: float) -> str:
    """Return the model of ten thousand submissions at some numbers of workers.

    The command itself takes what a submission takes when grading is free, one after another; workers share the
    rest. The longer of the two is the class's time.
    """
    first, last = grown[0], grown[-1]
    if first.size == last.size:
        each, start = last.cost.wall / last.size, 0.0
    else:
        each = (last.cost.wall - first.cost.wall) / (last.size - first.size)
        start = max(0.0, first.cost.wall - first.size * each)
    rows = []
    for workers in MODEL_WORKERS:
        wall = start + MODEL_SIZE * max(each, grading_seconds / workers)
        limit = "the workers" if grading_seconds / workers > each else "the command"
        rows.append([str(workers), f"{wall / 60:.0f}", f"{60 * MODEL_SIZE / wall:.0f}", limit])
    gigabytes = MODEL_SIZE * (last.database + last.verdicts + last.autograded) / last.size / 2**30
    text = (
        f"\n\n{MODEL_SIZE} submissions of {grading_seconds:g} CPU seconds each: {MODEL_SIZE * grading_seconds / 3600:.1f} CPU "
        f"hours for the workers, {MODEL_SIZE * each / 60:.0f} minutes for the command ({1000 * each:.0f} ms a submission), "
        f"{gigabytes:.1f} GiB of disk, of which the database is {MODEL_SIZE * last.database / last.size / 2**20:.0f} MiB. "
        f"More than {grading_seconds / each:.0f} workers gain nothing for one command; give each assignment, or each part "
        "of the students (`--student 'a*'`), a command of its own on a database server."
    )
    return table(("workers", "minutes", "submissions a minute", "limited by"), rows) + text


def _bytes(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


def _remove(folder: Path) -> None:
    from nbgrader.utils import rmtree

    rmtree(str(folder))


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--calls", type=int, default=300, help="no-op gradings a round (300)")
    parser.add_argument("--workers", default="1,2,4", help="numbers of workers (1,2,4)")
    parser.add_argument("--sizes", default="100,300,1000", help="of the classes, ascending; empty: none")
    parser.add_argument("--cluster", action="store_true", help="also on a Dask cluster on this machine")
    parser.add_argument(
        "--grading-seconds", type=float, default=1.36, help="CPU seconds of a real grading, for the model"
    )
    parser.add_argument("--memory-seconds", type=float, default=1.0, help="between two looks at the memory (1)")
    chosen = parser.parse_args()
    workers = [int(number) for number in chosen.workers.split(",")]
    sizes = [int(size) for size in chosen.sizes.split(",") if size]
    print(machine_text(machine()), flush=True)
    with tempfile.TemporaryDirectory(prefix="scale-") as folder:
        say("building the course")
        course = cheap.make_cheap_course(
            load_course(ROOT), Path(folder, "course"), workers=len(os.sched_getaffinity(0))
        )
        rows = overhead(course, chosen.calls, workers, on_cluster=False)
        if chosen.cluster:
            rows += overhead(course, chosen.calls, workers, on_cluster=True)
        headings = ("workers on", "workers", "ms a submission", "submissions a second")
        print("\n### A grading that does nothing\n\n" + table(headings, rows), flush=True)
        if not sizes:
            return
        grown = grow(course, sizes, chosen.memory_seconds)
        print("\n### Growing classes, nothing to execute\n\n" + growth_table(grown), flush=True)
        print("\n### Model\n\n" + model_table(grown, chosen.grading_seconds), flush=True)


if __name__ == "__main__":
    main()
