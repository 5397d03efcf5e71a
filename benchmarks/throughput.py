"""Grade one class with stock nbgrader and with this course's, in turns, and compare.

    python -m benchmarks.throughput                                     # 01, 02, 03 as released, and a heavy notebook
    python -m benchmarks.throughput --assignment 02-attention --size 32
    python -m benchmarks.throughput --sizes 8,32,64,256                 # ours alone, growing: is cost linear, memory flat?

See `benchmarks/README.md` for what is measured and how.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import autograder
from autograder.commands.demo import Student
from autograder.sources.course import load_course
from benchmarks.classes import HEAVY_ASSIGNMENT, Class, environment, make_class
from benchmarks.measuring import BenchmarkError, Cost, measure, wait_for_quiet

HEAVY = "heavy"
VERSIONS = ("nbgrader", "tensorflow", "keras", "numpy", "matplotlib", "ipykernel")
NBGRADER = [sys.executable, "-m", "nbgrader"]
ROOT = Path(__file__).resolve().parent.parent
CORES = len(os.sched_getaffinity(0))


@dataclass
class Round:
    """One turn: stock nbgrader graded some of the class, we graded all of it, and cells ran bare.

    Attributes:
        stock_each: seconds of each submission with stock nbgrader.
        stock_start: seconds until its first submission.
        stock: cost of its run.
        ours: cost of our run.
        ours_all: the same with every cell executed, as stock does.
        compute: wall and CPU seconds of the cells of each submission that stock graded.
        needed: the same of the cells that grades depend on.
    """

    stock_each: list[float]
    stock_start: float
    stock: Cost
    ours: Cost
    ours_all: Cost
    compute: list[dict[str, Any]]
    needed: list[dict[str, Any]]


@dataclass
class Comparison:
    """A class's rounds."""

    graded: Class
    size: int
    rounds: list[Round] = field(default_factory=list)
    stock_memory: Cost = field(default_factory=Cost)
    ours_memory: Cost = field(default_factory=Cost)

    def stock_wall(self, rounds: Sequence[Round]) -> float:
        """Return the seconds that stock nbgrader takes for the whole class, started once."""
        each = [seconds for r in rounds for seconds in r.stock_each]
        return statistics.mean(each) * self.size + statistics.median(r.stock_start for r in rounds)

    def ratios(self, which: str = "ours") -> list[float]:
        """Return, for each round, how many times as many submissions a minute we grade."""
        return [self.stock_wall([r]) / getattr(r, which).wall for r in self.rounds]

    def bare(self, which: str = "compute", clock: str = "wall") -> list[float]:
        """Return the seconds of each submission's bare cells."""
        return [c[clock] for r in self.rounds for c in getattr(r, which)]

    def beyond(self, which: str = "ours") -> list[float]:
        """Return, for each round, our CPU seconds over those of the bare cells: what grading adds."""
        mean = statistics.mean(self.bare("compute", "cpu"))
        return [getattr(r, which).cpu / self.size / mean for r in self.rounds]

    def over_limit(self, which: str = "ours") -> list[float]:
        """Return, for each round, our wall seconds times the cores over the CPU seconds of the bare cells."""
        mean = statistics.mean(self.bare("compute", "cpu"))
        return [getattr(r, which).wall * CORES / self.size / mean for r in self.rounds]


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.throughput", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--assignment", action="append", help=f"a light notebook, or {HEAVY!r}; default: all")
    parser.add_argument("--size", type=int, default=32, help="submissions of the class (32)")
    parser.add_argument("--rounds", type=int, default=4, help="turns (4)")
    parser.add_argument("--chunk", type=int, default=0, help="submissions for stock nbgrader a turn; 0: size / rounds")
    parser.add_argument("--right", action="store_true", help="a class without mistakes: nothing is followed through")
    parser.add_argument("--sizes", default="", help="e.g. 8,32,64,256: grade growing classes, ours alone")
    parser.add_argument("--memory-seconds", type=float, default=0.5, help="between two looks at the memory (0.5)")
    parser.add_argument("--no-memory", action="store_true", help="leave out the runs that look at the memory")
    parser.add_argument("--wait", type=float, default=0, help="before each turn, at most this long for an idle machine")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    chosen = parser.parse_args()
    course = load_course(ROOT)
    names = chosen.assignment or [*course.source_paths, HEAVY]
    for name in names:
        if name != HEAVY and name not in course.source_paths:
            parser.error(f"--assignment must be one of {', '.join([*course.source_paths, HEAVY])}. Received: {name!r}.")
    sizes = [int(size) for size in chosen.sizes.split(",") if size]
    size = max([chosen.size, *sizes]) if sizes else chosen.size
    record: dict[str, Any] = {"machine": machine(), "classes": []}
    print(machine_text(record["machine"]), flush=True)
    comparisons = []
    for name in names:
        with tempfile.TemporaryDirectory(prefix="benchmark-course-") as folder:
            is_heavy = name == HEAVY
            say(f"building {name} and {size} submissions")
            graded = make_class(
                course,
                Path(folder),
                HEAVY_ASSIGNMENT if is_heavy else name,
                size,
                is_heavy=is_heavy,
                is_right=chosen.right,
            )
            grade_ours(graded, 2)  # the first run of a program reads it from the disk
            if sizes:
                grown = [(n, grade_ours(graded, n, memory_seconds=chosen.memory_seconds)) for n in sizes]
                print(f"\n### {graded.name}\n\n" + growth_table(grown), flush=True)
                record["classes"].append(
                    {"class": graded.name, "grown": [{"size": n, **cost.record()} for n, cost in grown]}
                )
                continue
            chunk = chosen.chunk or max(1, chosen.size // chosen.rounds)
            comparison = compare(graded, chosen.size, chosen.rounds, chunk, chosen.wait)
            if not chosen.no_memory:
                comparison.stock_memory = grade_stock(graded, graded.students[:2], chosen.memory_seconds)
                comparison.ours_memory = grade_ours(graded, chosen.size, memory_seconds=chosen.memory_seconds)
            comparisons.append(comparison)
            print(f"\n### {graded.name}, class of {comparison.size}\n\n" + comparison_table(comparison), flush=True)
            record["classes"].append(comparison_record(comparison))
    if len(comparisons) > 1:
        print("\n### All\n\n" + summary_table(comparisons), flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def compare(graded: Class, size: int, rounds: int, chunk: int, wait: float = 0.0) -> Comparison:
    """Grade a class in turns: stock some of it, we all of it, and its cells bare; the machine's mood hits all alike.

    Args:
        graded: the class.
        size: how many submissions of the class are graded.
        rounds: turns.
        chunk: submissions for stock nbgrader a turn.
        wait: seconds before a turn, at most, for a machine that does nothing else.
    """
    comparison = Comparison(graded, size)
    for number in range(rounds):
        some = [graded.students[(number * chunk + i) % size] for i in range(chunk)]
        turn = f"{graded.name}, turn {number + 1} of {rounds}"
        wait_for_quiet(wait)
        say(f"{turn}: stock grades {chunk}")
        stock = grade_stock(graded, some)
        starts = starts_of(stock, some)
        say(f"{turn}: we grade {size}")
        ours = grade_ours(graded, size)
        say(f"{turn}: we grade {size} and execute every cell")
        ours_all = grade_ours(graded, size, "all")
        say(f"{turn}: the cells of {chunk} alone")
        comparison.rounds.append(
            Round(
                [later - earlier for earlier, later in zip(starts, [*starts[1:], stock.wall], strict=True)],
                starts[0],
                stock,
                ours,
                ours_all,
                run_bare([graded.cells(student) for student in some]),
                run_bare([graded.cells(student, only_needed=True) for student in some]),
            )
        )
    return comparison


def run_bare(notebooks: Sequence[list[str]]) -> list[dict[str, Any]]:
    """Return the seconds of each notebook's cells in a warm process."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.compute"],
        input="".join(json.dumps(cells) + "\n" for cells in notebooks),
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise BenchmarkError(done.stderr[-3000:])
    return [json.loads(line) for line in done.stdout.splitlines()]


def grade_ours(graded: Class, size: int, shows: str = "", memory_seconds: float = 0.0) -> Cost:
    """Grade the first `size` submissions of a class with this course's nbgrader; `shows` as the course's."""
    root = graded.hand_in_to_us(size, shows)
    command = [*NBGRADER, "autograde", graded.assignment, "--force"]
    return measure(command, root, environment(), memory_seconds=memory_seconds)


def grade_stock(graded: Class, students: list[Student], memory_seconds: float = 0.0) -> Cost:
    """Grade some submissions with stock nbgrader."""
    root = graded.hand_in_to_stock(students)
    return measure([*NBGRADER, "autograde", graded.assignment], root, environment(), memory_seconds=memory_seconds)


def starts_of(cost: Cost, students: Sequence[Student]) -> list[float]:
    """Return when nbgrader began each submission: it names the student in its first line about each."""
    return [next(seconds for seconds, line in cost.lines if student.id in line) for student in students]


# ----------------------------------------------------------------------------------------------------------------------
def comparison_table(comparison: Comparison) -> str:
    """Return a class's table: stock nbgrader, ours and the bare cells side by side."""
    rounds, size = comparison.rounds, comparison.size
    stock_each = [seconds for r in rounds for seconds in r.stock_each]
    stock_wall = comparison.stock_wall(rounds)
    ours = {which: [getattr(r, which) for r in rounds] for which in ("ours", "ours_all")}
    bare = {which: comparison.bare(which) for which in ("compute", "needed")}
    stock_memory, ours_memory = comparison.stock_memory, comparison.ours_memory

    def of_ours(figure: Callable[[Cost], float]) -> list[str]:
        return [spread([figure(cost) for cost in costs]) for costs in ours.values()]

    rows = [
        ["class, s", f"{stock_wall:.0f} ¹", *of_ours(lambda cost: cost.wall), "", ""],
        [
            "of that, before the first submission, s",
            spread([r.stock_start for r in rounds]),
            *of_ours(lambda cost: starts_of(cost, comparison.graded.students[:1])[0]),
            "",
            "",
        ],
        ["a submission, s", spread(stock_each), *of_ours(lambda cost: cost.wall / size), *map(spread, bare.values())],
        [
            "submissions a minute",
            f"{60 * size / stock_wall:.1f}",
            *of_ours(lambda cost: 60 * size / cost.wall),
            *(f"{60 * CORES / statistics.mean(seconds):.0f} on {CORES} cores" for seconds in bare.values()),
        ],
        [
            "CPU a submission, s",
            spread([r.stock.cpu / len(r.stock_each) for r in rounds]),
            *of_ours(lambda cost: cost.cpu / size),
            *(spread(comparison.bare(which, "cpu")) for which in bare),
        ],
        ["peak memory (PSS), MiB ²", mib(stock_memory.peak_pss), mib(ours_memory.peak_pss), "", "", ""],
        ["peak memory (RSS), MiB ²", mib(stock_memory.peak_rss), mib(ours_memory.peak_rss), "", "", ""],
        ["largest kernel's own memory, MiB ²", "", mib(ours_memory.private), "", "", ""],
        [
            "others' share of the machine",
            spread([share_of_others(r.stock) for r in rounds], "%"),
            *(spread([share_of_others(cost) for cost in costs], "%") for costs in ours.values()),
            "",
            "",
        ],
        ["left behind", left([r.stock for r in rounds]), *(left(costs) for costs in ours.values()), "", ""],
    ]
    headings = ("", "stock nbgrader", "ours", "ours, every cell", "every cell bare", "needed cells bare")
    return (
        table(headings, rows)
        + f"\n\n**{spread(comparison.ratios())} times stock's submissions a minute; "
        + f"{spread(comparison.ratios('ours_all'))} times with every cell executed.**\n"
        + f"Wall time x {CORES} cores over the bare cells' CPU seconds: ours {spread(comparison.over_limit())}, with every "
        + f"cell {spread(comparison.over_limit('ours_all'))}.\nCPU over the bare cells' CPU: ours "
        + f"{spread(comparison.beyond())}, with every cell {spread(comparison.beyond('ours_all'))}. "
        + f"Medians of {len(rounds)} turns (least–most).\n\n"
        + "¹ mean of the submissions, plus one start. ² of runs of their own: 2 submissions with stock, all with ours."
    )


def summary_table(comparisons: Sequence[Comparison]) -> str:
    """Return one line a class."""
    rows = [
        [
            f"`{c.graded.name}`",
            f"{60 * c.size / c.stock_wall(c.rounds):.1f}",
            f"{60 * c.size / statistics.median(r.ours.wall for r in c.rounds):.1f}",
            spread(c.ratios()),
            spread(c.ratios("ours_all")),
            f"{statistics.mean(c.bare()):.2f}",
            spread(c.over_limit()),
            spread(c.over_limit("ours_all")),
        ]
        for c in comparisons
    ]
    headings = (
        *("class", "stock, a minute", "ours, a minute", "ratio", "ratio, every cell", "cells bare, s"),
        *("ours / bare", "ours, every cell / bare"),
    )
    return table(headings, rows)


def share_of_others(cost: Cost) -> float:
    """Return the share of the machine that was busy with something else meanwhile."""
    return cost.others_cpu / (cost.wall * (os.cpu_count() or 1))


def growth_table(grown: Sequence[tuple[int, Cost]]) -> str:
    """Return one line a size."""
    rows = [
        (
            str(size),
            f"{cost.wall:.1f}",
            f"{cost.wall / size:.2f}",
            f"{60 * size / cost.wall:.1f}",
            f"{cost.cpu / size:.2f}",
            mib(cost.peak_pss),
            mib(cost.private),
            str(cost.most_processes),
            f"{share_of_others(cost):.0%}",
            left([cost]),
        )
        for size, cost in grown
    ]
    headings = (
        *("submissions", "wall, s", "wall each, s", "a minute", "CPU each, s", "peak PSS, MiB"),
        *("largest kernel's own, MiB", "processes at once", "others' share", "left behind"),
    )
    return table(headings, rows)


def comparison_record(comparison: Comparison) -> dict[str, Any]:
    """Return a class's figures for JSON."""
    return {
        "class": comparison.graded.name,
        "size": comparison.size,
        "stock_wall": comparison.stock_wall(comparison.rounds),
        "ratios": comparison.ratios(),
        "stock_memory": comparison.stock_memory.record(),
        "ours_memory": comparison.ours_memory.record(),
        "rounds": [
            {
                "stock": r.stock.record(),
                "stock_each": r.stock_each,
                "stock_start": r.stock_start,
                "ours": r.ours.record(),
                "ours_all": r.ours_all.record(),
                "compute": r.compute,
                "needed": r.needed,
            }
            for r in comparison.rounds
        ],
    }


def machine() -> dict[str, Any]:
    """Return what the figures depend on."""
    cpu = next((line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), "")
    memory = next(int(line.split()[1]) for line in _lines("/proc/meminfo") if line.startswith("MemTotal"))
    return {
        "cpu": cpu or platform.machine(),
        "cores": os.cpu_count(),
        "memory_gib": round(memory / (1 << 20), 1),
        "kernel": platform.release(),
        "user": "root" if os.geteuid() == 0 else "ordinary",
        "load": os.getloadavg()[0],
        "versions": {
            "python": platform.python_version(),
            "transformer-course": autograder_version(),
            **{name: importlib.metadata.version(name) for name in VERSIONS},
        },
    }


def autograder_version() -> str:
    """Return the commit of the measured package if it is a checkout, else its version."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=Path(autograder.__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or importlib.metadata.version("transformer-course")


def machine_text(about: dict[str, Any]) -> str:
    """Return the machine in one line."""
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    return (
        f"{about['cpu']}, {about['cores']} cores, {about['memory_gib']} GiB, Linux {about['kernel']}, {about['user']} user, "
        f"load {about['load']:.2f} before; {versions}"
    )


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


def spread(values: Sequence[float], unit: str = "") -> str:
    """Return median (least–most)."""
    form = ".0%" if unit == "%" else ".1f" if statistics.median(values) >= 10 else ".2f"
    middle, least, most = (f"{value:{form}}" for value in (statistics.median(values), min(values), max(values)))
    return middle if len(values) == 1 else f"{middle} ({least}–{most})"


def mib(value: float) -> str:
    """Return a size in MiB; nothing if it wasn't measured."""
    return f"{value:.0f}" if value else ""


def left(costs: Sequence[Cost]) -> str:
    """Return what runs left behind."""
    things = [thing for cost in costs for thing in (*cost.left_processes, *cost.left_files)]
    return "nothing" if not things else f"{len(things)}: {', '.join(sorted(set(things))[:4])}"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a markdown table."""
    lines: list[Sequence[str]] = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


say: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True)  # noqa: E731

if __name__ == "__main__":
    main()
