"""Kill a class's grading at random moments and start it again: is a submission lost, or graded otherwise?

    python -m benchmarks.kills                          # 50 kills of the command and of its workers, on SQLite
    python -m benchmarks.kills --database postgresql    # and of the database's server, on one of its own
    python -m benchmarks.kills --kills 200 --seed 7

After each kill every student has either no points or exactly the right ones, and who had points keeps them. A run that
was stopped is started again until it ends by itself; then everybody has the right points.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import nbformat
import psutil

from autograder.gradebook.scores import scores
from autograder.sources.course import Course, load_course
from autograder.sources.notebooks import NOTEBOOK_KEY
from benchmarks import cheap
from benchmarks.postgresql import Server, server
from benchmarks.starter import Command, Starter, starter
from benchmarks.throughput import table

ROOT = Path(__file__).resolve().parent.parent
STUDENTS = [f"s{number:02d}" for number in range(12)]
SECONDS = 0.05
VICTIMS = ("command", "worker", "database")
AWAY_SECONDS = 3.0
RUN_SECONDS = 240.0
STARTS = 20

Points = dict[str, dict[str, float | None]]


@dataclass
class Kill:
    """One kill and what came of it.

    Attributes:
        victim: of `VICTIMS`.
        seconds: after the start of the run.
        before: submissions that were finished when it happened.
        status: of the run, None if it was the victim.
        wrong: what should never be: `lost`, `half` (some points of a student), `changed`, each with the student.
        starts: how many more it took until the class was graded; 0 if this run did it.
    """

    victim: str
    seconds: float
    before: int
    status: int | None
    wrong: list[str] = field(default_factory=list)
    starts: int = 0


class Siege:
    """A class that is graded while something of its grading is killed."""

    def __init__(
        self, course: Course, folder: Path, start: Starter, random_source: random.Random, host: Server | None = None
    ) -> None:
        """Build the class, not graded.

        Args:
            course: the course whose sources are copied.
            folder: empty.
            start: starts the commands.
            random_source: random numbers that decide what is killed, and when.
            host: host of the gradebook's database; without one the gradebook is a file.
        """
        self._start = start
        self._random = random_source
        self._server = host
        self._log = folder / "log"
        made = cheap.make_cheap_course(course, folder / "course", arguments=f"seconds={SECONDS}")
        cheap.hand_in(made, STUDENTS)
        shutil.copy(made.root / "gradebook.db", folder / "empty.db")
        self._empty = folder / "empty.db"
        self._course = made
        if host is not None:
            host.run("CREATE DATABASE empty")
            cheap.register(made, host.url("empty"))
        self._right = cheap.expected(made, STUDENTS)
        self._duration = 1.0

    def kills(
        self, number: int, victims: Sequence[str], tell: Callable[[Kill], None] = lambda kill: None
    ) -> list[Kill]:
        """Kill so many times, and have the class graded to its end after each run that was stopped."""
        done: list[Kill] = []
        self._fresh()
        self._finish(is_whole=True)
        while len(done) < number:
            self._fresh()
            graded: Points = {}
            for _ in range(STARTS):
                kill, graded = self._one(victims, graded)
                done.append(kill)
                if kill.status == 0 or self._random.random() < 0.3 or len(done) == number:
                    break
                tell(kill)
            last = done[-1]
            if last.status != 0:
                last.starts = self._finish()
            last.wrong += self._compared(graded, is_over=True)
            tell(last)
        return done

    def _one(self, victims: Sequence[str], graded: Points) -> tuple[Kill, Points]:
        """Run, kill something at a random moment, and see how everybody stands."""
        victim = self._random.choice(victims)
        command = self._command()
        began = time.monotonic()
        status = self._wait(command)
        kill = Kill(victim, time.monotonic() - began, self._finished(), status)
        if status is None:
            kill.status = self._kill(victim, command)
        kill.wrong = self._compared(graded)
        return kill, self._points()

    def _wait(self, command: Command) -> int | None:
        """Wait for a random moment of a run, or return its status if it ends before.

        Every fourth is drawn by the clock and so mostly falls into the beginning, the others by how many are finished,
        which comes out right on a machine that is slower now than it was.
        """
        if self._random.random() < 0.25:
            return command.wait(self._random.uniform(0.0, 0.9 * self._duration))
        enough = self._random.randrange(len(STUDENTS))
        latest = time.monotonic() + RUN_SECONDS
        while self._finished() < enough and time.monotonic() < latest:
            status = command.wait(0.02)
            if status is not None:
                return status
        return command.wait(self._random.uniform(0.0, self._duration / len(STUDENTS)))

    def _kill(self, victim: str, command: Command) -> int | None:
        """Kill a victim and return the run's status, None if it was the run itself."""
        if victim == "command":
            with suppress(ProcessLookupError):
                os.kill(command.pid, signal.SIGKILL)
            command.wait()
            return None
        if victim == "worker":
            workers = _workers(command.pid)
            if workers:
                with suppress(psutil.NoSuchProcess):
                    self._random.choice(workers).kill()
        elif self._server is not None:
            self._server.stop()
            time.sleep(self._random.uniform(0.0, AWAY_SECONDS))
            self._server.start()
        return command.wait(RUN_SECONDS)

    def _finish(self, *, is_whole: bool = False) -> int:
        """Start the command until it ends well; return how often. A whole class tells how long a run takes."""
        for starts in range(1, STARTS):
            began = time.monotonic()
            if self._command().wait(RUN_SECONDS) == 0:
                if starts == 1 and is_whole:
                    self._duration = time.monotonic() - began
                return starts
        raise AssertionError(f"The class was not graded in {STARTS} starts:\n{self._log.read_text()[-3000:]}")

    def _compared(self, graded: Points, *, is_over: bool = False) -> list[str]:
        """Return what is wrong with the gradebook, and at the end with the autograded folder."""
        now = self._points()
        wrong = []
        for student in STUDENTS:
            points = set(now.get(student, {"": None}).values())
            if now.get(student) != self._right[student] and (is_over or points != {None}):
                wrong.append(("lost " if points == {None} else "half " if None in points else "otherwise ") + student)
            if None not in graded.get(student, {"": None}).values() and now[student] != graded[student]:
                wrong.append(f"changed {student}")
            if is_over and not self._is_complete(student):
                wrong.append(f"no notebook {student}")
        return wrong

    def _finished(self) -> int:
        """Return how many notebooks are in the autograded folder and may no longer be written."""
        paths = (self._course.root / "autograded").glob("*/*/*.ipynb")
        return sum(not path.stat().st_mode & 0o222 for path in paths)

    def _is_complete(self, student: str) -> bool:
        name = f"{self._course.source(cheap.ASSIGNMENT).name}.ipynb"
        path = self._course.root / "autograded" / student / cheap.ASSIGNMENT / name
        if not path.exists():
            return False
        told = nbformat.read(path, as_version=4).metadata[NOTEBOOK_KEY]["result"]["tasks"]
        return {slug: task["points"] for slug, task in told.items()} == self._right[student]

    def _points(self) -> Points:
        url = self._url()
        rows = scores(replace(self._course, database_url=url) if url else self._course, cheap.ASSIGNMENT)
        return {row.student: row.points for row in rows}

    def _fresh(self) -> None:
        for name in ("autograded", ".verdicts"):
            shutil.rmtree(self._course.root / name, ignore_errors=True)
        if self._server is not None:
            self._server.copy("empty", "graded")
        else:
            for rest in self._course.root.glob("gradebook.db*"):
                rest.unlink()
            shutil.copy(self._empty, self._course.root / "gradebook.db")

    def _url(self) -> str:
        return self._server.url("graded") if self._server is not None else ""

    def _command(self) -> Command:
        environment = cheap.course_environment(self._url())
        return self._start.start(["autograde", cheap.ASSIGNMENT], self._course.root, environment, self._log)


def _workers(pid: int) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return [child for child in psutil.Process(pid).children() if "spawn_main" in " ".join(child.cmdline())]
    return []


def main() -> None:
    """Read the arguments, kill, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kills", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kills", type=int, default=50, help="how many (50)")
    parser.add_argument("--seed", type=int, default=0, help="of victims and moments (0)")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kills-")))
        host = stack.enter_context(server()) if chosen.database == "postgresql" else None
        start = stack.enter_context(starter())
        siege = Siege(load_course(ROOT), folder, start, random.Random(chosen.seed), host)
        victims = VICTIMS if host else VICTIMS[:2]
        rows = list(_told(siege, chosen.kills, victims))
    print(table(("victim", "kills", "of these in mid-run", "starts again", "wrong"), rows))
    if any(row[-1] != "0" for row in rows):
        raise SystemExit(1)


def _told(siege: Siege, number: int, victims: Sequence[str]) -> Iterator[list[str]]:
    """Kill, print a line about each, and yield a row about each kind of victim."""
    count = iter(range(1, number + 1))

    def tell(kill: Kill) -> None:
        end = {None: "ended", 0: "graded the class"}.get(kill.status, f"gave up ({kill.status})")
        again = f", {kill.starts} more starts" if kill.starts else ""
        wrong = "; ".join(kill.wrong) or "nothing wrong"
        print(
            f"{next(count):3}. {kill.victim} killed after {kill.seconds:.2f} s; {kill.before} of {len(STUDENTS)} finished; "
            f"the run {end}{again}; {wrong}",
            flush=True,
        )

    done = siege.kills(number, victims, tell)
    for victim in victims:
        kills = [kill for kill in done if kill.victim == victim]
        yield [
            victim,
            str(len(kills)),
            str(sum(0 < kill.before < len(STUDENTS) or kill.status != 0 for kill in kills)),
            str(sum(kill.starts for kill in kills)),
            str(sum(len(kill.wrong) for kill in kills)),
        ]


if __name__ == "__main__":
    sys.exit(main())
