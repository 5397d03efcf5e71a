"""One submission from a file to its answer: by the command, which starts everything for it, and in a warm worker.

    python -m benchmarks.single                                    # all assignments but 07, the solution and a mistake
    python -m benchmarks.single 02-attention 06-transformer --cores 0.5 --gigabytes 1.5

`--cores` and `--gigabytes` bound the command by cgroups, which take root (`benchmarks.container` has a service's rights too). The
memory is then what the cgroup counted at most, files in memory included; otherwise it isn't measured.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from autograder.commands import demo
from autograder.grading.runner import mistakes_of
from autograder.kernels.warm import close_all
from autograder.sources.course import Course, load_course
from autograder.submissions.evaluation import grade_file
from benchmarks.classes import environment
from benchmarks.container import GIBIBYTE, bounded, peak_bytes
from benchmarks.measuring import Cost, measure
from benchmarks.throughput import ROOT, machine, machine_text, mib, say, share_of_others, spread, table

COMMAND = (sys.executable, "-c", "from autograder.commands.cli import main; main()", "grade", "--quiet")
HEADINGS = (
    "submission",
    "command, s",
    "command, CPU s",
    "others' share",
    "at most, MiB",
    "warm worker, s",
    "warm worker, points",
)


@dataclass(frozen=True)
class Notebook:
    """A submission in a file.

    Attributes:
        assignment: whose.
        kind: `solution`, or the id of a known mistake.
        path: where it lies.
    """

    assignment: str
    kind: str
    path: Path


def notebooks_of(course: Course, assignment: str, folder: Path) -> list[Notebook]:
    """Write the solution, and the solution with the first known mistake of its middle task.

    Args:
        course: the course whose sources and configuration are used.
        assignment: id of the assignment, e.g. `01-first-steps`.
        folder: where the files are written.
    """
    source = course.source(assignment)
    solution = {
        cell.slug or cell.role: source.reference(cell.slug or cell.role)
        for cell in source.cells
        if cell.role in ("task", "carry-over")
    }
    tasks = list(source.points)
    task = tasks[len(tasks) // 2]
    mistake = next(entry for entry in mistakes_of(source.folder).values() if entry.task == task)
    written = []
    for kind, answers in (("solution", {}), (mistake.id, {task: mistake.code})):
        path = folder / kind / f"{source.name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(
            demo.to_bytes(demo.fill(demo.released(course, source, course.languages[0]), {**solution, **answers}))
        )
        written.append(Notebook(assignment, kind, path))
    return written


def by_command(notebook: Notebook, groups: tuple[str, ...]) -> Cost:
    """Return what the command cost.

    Args:
        notebook: the notebook that the command grades.
        groups: cgroup folders in which the command runs.
    """
    arguments = [*COMMAND, "--assignment", notebook.assignment, str(notebook.path)]
    if groups:
        enter = " && ".join(f"echo 0 > {group}/cgroup.procs" for group in groups)
        arguments = ["sh", "-c", f'{enter} && exec "$0" "$@"', *arguments]
    return measure(arguments, ROOT, environment())


def by_warm_worker(course: Course, notebook: Notebook) -> tuple[float, float]:
    """Return the seconds from the file to its verdict where the warm process is there, and the points."""
    began = time.perf_counter()
    _, verdict = grade_file(course, notebook.assignment, notebook.path, "someone")
    return time.perf_counter() - began, verdict.points


def row_of(course: Course, notebook: Notebook, chosen: argparse.Namespace) -> list[str]:
    """Grade a notebook in both ways and return its row."""
    costs, seconds, points = [], [], 0.0
    peak = 0
    for _ in range(chosen.turns):
        with ExitStack() as stack:
            bounds = bounded(int(chosen.gigabytes * GIBIBYTE), chosen.cores) if chosen.cores else None
            groups = stack.enter_context(bounds) if bounds else ()
            costs.append(by_command(notebook, groups))
            peak = max(peak, peak_bytes(groups))
        if not chosen.cores:
            by_warm_worker(course, notebook)  # until its first question a worker reads the graders and the records
            took, points = by_warm_worker(course, notebook)
            seconds.append(took)
    close_all()
    return [
        f"`{notebook.assignment}`, {notebook.kind}",
        spread([cost.wall for cost in costs]),
        spread([cost.cpu for cost in costs]),
        f"{statistics.median(map(share_of_others, costs)):.0%}",
        mib(peak / 2**20),
        spread(seconds) if seconds else "",
        f"{points:g}" if seconds else "",
    ]


def main() -> None:
    """Print a row a submission."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assignments", nargs="*", help="default: all but those that train")
    parser.add_argument("--turns", type=int, default=1, help="of each submission (1)")
    parser.add_argument(
        "--cores", type=float, default=0.0, help="bound the command to so many; the warm worker is left out"
    )
    parser.add_argument("--gigabytes", type=float, default=1.5, help="and to so much memory (1.5)")
    chosen = parser.parse_args()
    if chosen.cores and os.geteuid():
        parser.error("--cores needs root, which may make cgroups.")
    course = load_course(ROOT)
    print(machine_text(machine()), flush=True)
    rows = []
    with tempfile.TemporaryDirectory(prefix="benchmark-single-") as folder:
        for assignment in chosen.assignments or [
            name for name in course.source_paths if not course.source(name).costly
        ]:
            for notebook in notebooks_of(course, assignment, Path(folder, assignment)):
                say(f"{assignment}, {notebook.kind}")
                rows.append(row_of(course, notebook, chosen))
    print("\n" + table(HEADINGS, rows))


if __name__ == "__main__":
    main()
