"""A term: a class for every assignment, graded by stock nbgrader and by this course's in turns, and what that makes of 300 students.

    python -m benchmarks.term                                # all assignments, classes of 32: hours, nearly all of them stock's
    python -m benchmarks.term --students 4 --stock 2         # a quick look
    python -m benchmarks.term --assignment 06-transformer

Half of each class makes a mistake of the catalogue, half of it is written in Korean, see `benchmarks/README.md`. Stock executes
every training of 07 in full and grades nothing in time, so it is left out there unless `--trainings` is given.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from autograder.sources.course import Course, load_course
from benchmarks.classes import Class, make_class
from benchmarks.measuring import BenchmarkError, Cost
from benchmarks.throughput import (
    ROOT,
    grade_ours,
    grade_stock,
    left,
    machine,
    machine_text,
    say,
    share_of_others,
    spread,
    starts_of,
    table,
)

COHORT = 300


@dataclass
class Grader:
    """What one system took for the submissions that it was given, turn by turn.

    Attributes:
        starts: seconds until the first submission of each turn.
        each: seconds a submission of each turn, without the start.
        cpu: CPU seconds a submission of each turn, with the start.
        others: shares of the machine that was busy with something else.
    """

    starts: list[float] = field(default_factory=list)
    each: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)

    def add(self, cost: Cost, start: float, count: int) -> None:
        """Add a turn of `count` submissions, the first of which was begun after `start` seconds."""
        self.starts.append(start)
        self.each.append((cost.wall - start) / count)
        self.cpu.append(cost.cpu / count)
        self.others.append(share_of_others(cost))

    def seconds(self, count: int) -> float:
        """Return the seconds that `count` submissions take, started once; of no turn 0."""
        return statistics.median(self.starts) + count * statistics.mean(self.each) if self.each else 0.0


@dataclass
class Assignment:
    """An assignment's class and what both systems took for it; `stock` is empty where it was left out."""

    name: str
    students: int
    ours: Grader = field(default_factory=Grader)
    stock: Grader = field(default_factory=Grader)
    left: str = "nothing"

    @property
    def ratio(self) -> float:
        """How many times stock's submissions a minute we grade, in a class of this size; 0 if stock was left out."""
        return self.stock.seconds(self.students) / self.ours.seconds(self.students)


def main() -> None:
    """Read the arguments, measure, print."""
    course = load_course(ROOT)
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.term", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--assignment", action="append", choices=list(course.source_paths), help="default: all")
    parser.add_argument("--students", type=int, default=32, help="submissions of each class (32)")
    parser.add_argument("--stock", type=int, default=8, help="how many of them stock nbgrader grades a turn (8)")
    parser.add_argument("--turns", type=int, default=1, help="of each system with each class (1)")
    parser.add_argument("--trainings", action="store_true", help="stock also grades assignments that train: hours")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    chosen = parser.parse_args()
    if min(chosen.students, chosen.stock, chosen.turns) < 1:
        parser.error("--students, --stock and --turns must be at least 1.")
    about = machine()
    print(machine_text(about), flush=True)
    measured: list[Assignment] = []
    failures: list[str] = []
    for name in chosen.assignment or list(course.source_paths):
        has_stock = chosen.trainings or not course.source(name).costly
        try:
            measured.append(
                assignment_of(course, name, chosen.students, chosen.turns, chosen.stock if has_stock else 0)
            )
        except BenchmarkError as failed:
            failures.append(f"{name} was not measured: {failed}")
            say(failures[-1])
            continue
        print("\n" + term_table(measured), flush=True)
        if chosen.json:
            record = {"machine": about, "assignments": [asdict(each) for each in measured]}
            chosen.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    if failures:
        raise SystemExit("\n".join(failures))


def assignment_of(course: Course, name: str, students: int, turns: int, of_stock: int) -> Assignment:
    """Build a class and let both systems grade it in turns.

    Args:
        course: the course that the assignment belongs to.
        name: the assignment's id.
        students: how many submissions the class has; our system grades all of them each turn.
        turns: how many turns each system has.
        of_stock: submissions that stock grades each turn, the next ones of the class each time; 0: none.
    """
    measured = Assignment(name, students)
    costs: list[Cost] = []
    with tempfile.TemporaryDirectory(prefix="benchmark-term-") as folder:
        say(f"building {name} and {students} submissions")
        graded = make_class(course, Path(folder), name, students)
        grade_ours(graded, 1)  # the first run of a program reads it from the disk
        for turn in range(turns):
            if of_stock:
                some = [graded.students[(turn * of_stock + n) % students] for n in range(min(of_stock, students))]
                say(f"{name}, turn {turn + 1} of {turns}: stock grades {len(some)}")
                costs.append(grade_stock(graded, some))
                measured.stock.add(costs[-1], starts_of(costs[-1], some)[0], len(some))
            say(f"{name}, turn {turn + 1} of {turns}: we grade {students}")
            costs.append(grade_ours(graded, students))
            measured.ours.add(costs[-1], _first_of(graded, costs[-1]), students)
    measured.left = left(costs)
    return measured


def _first_of(graded: Class, cost: Cost) -> float:
    return starts_of(cost, graded.students[:1])[0]


def term_table(measured: Sequence[Assignment]) -> str:
    """Return one line an assignment, and the sums for a cohort."""
    rows = [
        [
            f"`{each.name}`",
            _a_minute(each.stock, each.students),
            _a_minute(each.ours, each.students),
            f"{each.ratio:.1f}" if each.stock.each else "",
            spread(each.stock.cpu) if each.stock.each else "",
            spread(each.ours.cpu),
            _minutes(each.stock.seconds(COHORT)),
            _minutes(each.ours.seconds(COHORT)),
            spread([*each.stock.others, *each.ours.others], "%"),
            each.left,
        ]
        for each in measured
    ]
    both = [each for each in measured if each.stock.each]
    if both:
        stock, ours = (sum(grader.seconds(COHORT) for grader in graders) for graders in _columns(both))
        rows.append(["both graded", "", "", f"{stock / ours:.1f}", "", "", _minutes(stock), _minutes(ours), "", ""])
    if len(both) < len(measured):
        alone = sum(each.ours.seconds(COHORT) for each in measured)
        rows.append(["all", "", "", "", "", "", "", _minutes(alone), "", ""])
    headings = (
        f"class of {measured[0].students}",
        *("stock, a minute", "ours, a minute", "ratio", "stock, CPU s each", "ours, CPU s each"),
        *(f"stock, min for {COHORT}", f"ours, min for {COHORT}", "others' share", "left behind"),
    )
    return table(headings, rows)


def _columns(measured: Sequence[Assignment]) -> tuple[list[Grader], list[Grader]]:
    return [each.stock for each in measured], [each.ours for each in measured]


def _a_minute(grader: Grader, count: int) -> str:
    return f"{60 * count / grader.seconds(count):.1f}" if grader.each else ""


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f}" if seconds else ""


if __name__ == "__main__":
    main()
