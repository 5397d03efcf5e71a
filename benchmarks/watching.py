"""`autograder watch`, measured and killed: how soon is feedback back, and is anything lost, graded or counted twice?

    python -m benchmarks.watching latency               # 02 handed in to feedback given back, the queue empty
    python -m benchmarks.watching class --students 40   # all at one moment
    python -m benchmarks.watching kills                 # 50 kills of the watch and its workers, cheap gradings, on SQLite
    python -m benchmarks.watching kills --database postgresql    # and of the database's server, on one of its own
    python -m benchmarks.watching copies                # two at once

While it is killed, students hand in again and again. At the end everybody must have the points of the last version, and a
page of feedback, and each version that was graded must count as one try.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from autograder.commands import demo
from autograder.gradebook.handins import BEYOND, FAILED, GIVEN, GRADED, GRADING, WAITING, Ledger, read_tries
from autograder.gradebook.scores import scores
from autograder.sources.course import Course, load_course
from autograder.watching.spool import content_of
from benchmarks import cheap
from benchmarks.classes import make_class
from benchmarks.postgresql import server
from benchmarks.throughput import table

ROOT = Path(__file__).resolve().parent.parent
STUDENTS = [f"s{number:02d}" for number in range(12)]
VICTIMS = ("watch", "worker", "database")
SECONDS = 0.2  # of a cheap grading
AWAY_SECONDS = 3.0
MOMENT_SECONDS = 30.0
WAIT_SECONDS = 400.0
WARM_SECONDS = 120.0


@dataclass
class Running:
    """A watch that was started as a fork of this process, which has imported all that it needs.

    Attributes:
        pid: its process, which leads a group of its own.
        log: its lines of JSON.
    """

    pid: int
    log: Path
    status: int | None = None

    def events(self) -> list[dict[str, Any]]:
        """Return what it has said."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]

    def is_over(self) -> bool:
        """Whether it has ended."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if pid else None
        return self.status is not None

    def kill(self, number: int = signal.SIGKILL) -> None:
        """End it and wait."""
        if not self.is_over():
            os.kill(self.pid, number)
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def workers(self) -> list[psutil.Process]:
        """Return its worker processes."""
        with suppress(psutil.NoSuchProcess):
            return [one for one in psutil.Process(self.pid).children() if "spawn_main" in " ".join(one.cmdline())]
        return []


def start(course: Course, assignment: str, inbox: Path, outbox: Path, log: Path, url: str = "") -> Running:
    """Start `autograder watch --json` on a course's folder."""
    pid = os.fork()
    if pid:
        return Running(pid, log)
    status = 1
    try:
        os.setsid()
        said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        for number in (1, 2):
            os.dup2(said, number)
        os.chdir(course.root)
        os.environ.clear()
        os.environ.update(cheap.course_environment(url))
        from autograder.commands.cli import app

        options = [assignment, "--from", str(inbox), "--feedback", str(outbox), "--json", "--port", "0"]
        app(["watch", *options], standalone_mode=False)
        status = 0
    except BaseException:  # noqa: BLE001  (it is the end of a program: told, and nothing above may go on)
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def hand_in(inbox: Path, assignment: str, student: str, files: dict[str, bytes]) -> None:
    """Put files into a student's folder, each whole at every moment."""
    folder = inbox / student / assignment
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        partial = folder / f".{name}.partial"
        partial.write_bytes(content)
        partial.rename(folder / name)


@contextmanager
def watched(course: Course, assignment: str, folder: Path, url: str = "") -> Iterator[tuple[Running, Path, Path]]:
    """Run a watch; yield it and its inbox and outbox."""
    inbox, outbox = folder / "inbox", folder / "outbox"
    for path in (inbox, outbox):
        path.mkdir(exist_ok=True)
    running = start(course, assignment, inbox, outbox, folder / "log", url)
    try:
        wait_for(running, lambda: any(one["event"] == "watching" for one in running.events()), WARM_SECONDS)
        yield running, inbox, outbox
    finally:
        running.kill(signal.SIGTERM)


def wait_for(running: Running, condition: Any, seconds: float = WAIT_SECONDS) -> None:
    """Wait until something is so.

    Raises:
        AssertionError: it isn't in time, or the watch has ended.
    """
    latest = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > latest or running.is_over():
            raise AssertionError(f"What was waited for didn't come:\n{running.log.read_text()[-4000:]}")
        time.sleep(0.05)


# ------------------------------------------------------------------------------------------------------------ how soon
def times(assignment: str, size: int, rounds: int) -> Iterator[tuple[float, float]]:
    """Hand in `size` submissions at one moment, `rounds` times, each by other students; yield the first's and last's seconds."""
    with tempfile.TemporaryDirectory(prefix="watching-") as name:
        made = make_class(load_course(ROOT), Path(name), assignment, size * rounds)
        with watched(made.course, assignment, Path(name)) as (running, inbox, outbox):
            for number in range(rounds):
                students = made.students[number * size : (number + 1) * size]
                began = time.monotonic()
                for student in students:
                    hand_in(inbox, assignment, student.id, dict(student.files))
                seconds: dict[str, float] = {}

                def is_back(seconds: dict[str, float], students: Sequence[demo.Student], began: float) -> bool:
                    for student in students:
                        if student.id not in seconds and list((outbox / student.id).glob("*/*.html")):
                            seconds[student.id] = time.monotonic() - began
                    return len(seconds) == len(students)

                wait_for(running, partial(is_back, seconds, students, began))
                yield min(seconds.values()), max(seconds.values())


# --------------------------------------------------------------------------------------------------------------- kills
@dataclass
class Siege:
    """A cheap class that is watched while something is killed.

    Attributes:
        course: built, in a folder of its own.
        folder: of inbox, outbox and log.
        random: of victims, moments and who hands in.
        url: of the database, empty for the course's own file.
        host: its server.
        sent: student -> versions that were handed in.
    """

    course: Course
    folder: Path
    random: random.Random
    url: str = ""
    host: Any = None
    sent: dict[str, list[str]] = field(default_factory=dict)

    def run(self, kills: int, victims: Sequence[str], tell: Any = print) -> tuple[Counter[str], list[str]]:
        """Kill so many times; return how often whom, and what is wrong at the end."""
        done: Counter[str] = Counter()
        inbox, outbox = self.folder / "inbox", self.folder / "outbox"
        for path in (inbox, outbox):
            path.mkdir(exist_ok=True)
        running = self._start(inbox, outbox)
        for number in range(kills):
            for student in self.random.sample(STUDENTS, self.random.randint(1, 4)):
                self._hand_in(inbox, student, f"{number}")
            self._wait_for_a_moment(running)
            victim = self.random.choice(list(victims))
            if victim == "worker" and not running.workers():
                victim = "watch"
            if victim == "watch":
                running.kill()
            elif victim == "worker":
                with suppress(psutil.NoSuchProcess):
                    self.random.choice(running.workers()).kill()
            else:
                self.host.stop()
                time.sleep(self.random.uniform(0.0, AWAY_SECONDS))
                self.host.start()
            done[victim] += 1
            if running.is_over():
                running = self._start(inbox, outbox)
            tell(f"{number + 1:3}. {victim} killed")
        for student in STUDENTS:
            self._hand_in(inbox, student, "last")
        try:
            wait_for(running, lambda: self._is_back(running, inbox))
        finally:
            running.kill(signal.SIGTERM)
        return done, self.wrong(outbox)

    def wrong(self, outbox: Path) -> list[str]:
        """Return what is wrong with the gradebook, the tries and the pages."""
        course = replace(self.course, database_url=self.url) if self.url else self.course
        source = course.source(cheap.ASSIGNMENT)
        now = {row.student: row.points for row in scores(course, cheap.ASSIGNMENT)}
        tries = read_tries(course)
        wrong: list[str] = []
        for student in STUDENTS:
            right = {v: _points(cheap.cheap_results(source, student, cheap.answer(v))) for v in self.sent[student]}
            if now.get(student) != right[self.sent[student][-1]]:
                wrong.append(f"otherwise {student}")
            own = tries.get((cheap.ASSIGNMENT, student), [])
            if len({one.content for one in own}) != len(own) or len(own) > len(self.sent[student]):
                wrong.append(f"counted twice {student}")
            given = [sum(points for points in each.values() if points) for each in right.values()]
            if any(one.points not in given for one in own):
                wrong.append(f"a try of nobody's {student}")
            page = outbox / student / cheap.ASSIGNMENT / f"{source.name}.html"
            written = course.root / "feedback" / student / cheap.ASSIGNMENT / page.name
            if not page.exists() or page.read_bytes() != written.read_bytes():
                wrong.append(f"no feedback {student}")
        return wrong

    def _is_back(self, running: Running, inbox: Path) -> bool:
        """Whether everybody's last version was given back, and nothing waits any more."""
        if running.is_over():
            return True
        ledger = Ledger(replace(self.course, database_url=self.url) if self.url else self.course)
        try:
            time.sleep(0.3)
            if ledger.in_state(WAITING, GRADING, GRADED, BEYOND, FAILED):
                return False
            given = {(one.student, one.content) for one in ledger.in_state(GIVEN)}
            return all((student, content_of(inbox / student / cheap.ASSIGNMENT)) in given for student in STUDENTS)
        finally:
            ledger.close()

    def _wait_for_a_moment(self, running: Running) -> None:
        """Wait for a random moment: every fourth by the clock, the others by what the watch has done since it began.

        The latter come out right on a machine that is slower now than it was.
        """
        if self.random.random() < 0.25:
            time.sleep(self.random.uniform(0.0, 4.0))
            return
        enough = len(running.events()) + self.random.randint(1, 10)
        latest = time.monotonic() + MOMENT_SECONDS
        while len(running.events()) < enough and time.monotonic() < latest and not running.is_over():
            time.sleep(0.02)
        time.sleep(self.random.uniform(0.0, 0.5))

    def _hand_in(self, inbox: Path, student: str, version: str) -> None:
        text = f"{student} {version}"
        self.sent.setdefault(student, []).append(text)
        hand_in(
            inbox,
            cheap.ASSIGNMENT,
            student,
            {f"{self.course.source(cheap.ASSIGNMENT).name}.ipynb": self._notebook(text)},
        )

    def _notebook(self, text: str) -> bytes:
        release = demo.released(self.course, self.course.source(cheap.ASSIGNMENT), "en")
        return demo.to_bytes(demo.fill(release, {cheap.SLUG: cheap.answer(text)}))

    def _start(self, inbox: Path, outbox: Path) -> Running:
        return start(self.course, cheap.ASSIGNMENT, inbox, outbox, self.folder / "log", self.url)


def _points(results: Any) -> dict[str, float | None]:
    return {slug: task.points for slug, task in results.items()}


def two_copies(course: Course, folder: Path) -> list[str]:
    """Let two watches run on one class; return what was graded or handed back otherwise than once."""
    inbox, outbox = folder / "inbox", folder / "outbox"
    for path in (inbox, outbox):
        path.mkdir()
    siege = Siege(course, folder, random.Random(0))
    for student in STUDENTS:
        siege._hand_in(inbox, student, "only")
    time.sleep(3.0)
    both = [start(course, cheap.ASSIGNMENT, inbox, outbox, folder / f"log-{number}") for number in range(2)]
    try:
        wait_for(both[0], lambda: all((outbox / student).exists() for student in STUDENTS))
        time.sleep(3.0)
    finally:
        for one in both:
            one.kill(signal.SIGTERM)
    events = [event for one in both for event in one.events()]
    wrong = siege.wrong(outbox)
    for kind in ("grading", "graded", "given"):
        counts = Counter(event["student"] for event in events if event["event"] == kind)
        wrong += [f"{kind} {counts[student]} times {student}" for student in STUDENTS if counts[student] != 1]
    return wrong


def main() -> None:
    """Read the arguments, measure or kill, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.watching", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", choices=("latency", "class", "kills", "copies"))
    parser.add_argument("--assignment", default="02-attention")
    parser.add_argument("--students", type=int, default=40, help="of the class (40)")
    parser.add_argument("--rounds", type=int, default=5, help="of the latency (5)")
    parser.add_argument("--kills", type=int, default=50, help="how many (50)")
    parser.add_argument("--seed", type=int, default=0, help="of victims and moments (0)")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    chosen = parser.parse_args()
    if chosen.what == "latency":
        for first, _ in times(chosen.assignment, 1, chosen.rounds):
            print(f"{chosen.assignment}: feedback back after {first:.1f} s", flush=True)
        return
    if chosen.what == "class":
        for first, last in times(chosen.assignment, chosen.students, 1):
            print(
                f"{chosen.assignment}: of {chosen.students} the first after {first:.1f} s, the last after {last:.1f} s"
            )
        return
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="watching-")))
        made = cheap.make_cheap_course(load_course(ROOT), folder / "course", arguments=f"seconds={SECONDS}")
        if chosen.what == "copies":
            wrong = two_copies(made, folder)
            print(
                f"two copies, {len(STUDENTS)} students: {'; '.join(wrong) or 'nothing graded, counted or given twice'}"
            )
        else:
            siege = Siege(made, folder, random.Random(chosen.seed))
            if chosen.database == "postgresql":
                siege.host = stack.enter_context(server())
                siege.host.run("CREATE DATABASE graded")
                siege.url = siege.host.url("graded")
                cheap.register(made, siege.url)
            victims = VICTIMS if siege.host else VICTIMS[:2]
            done, wrong = siege.run(chosen.kills, victims, lambda line: print(line, flush=True))
            handed = sum(len(versions) for versions in siege.sent.values())
            rows = [[victim, str(done[victim])] for victim in victims]
            print(table(("victim", "kills"), rows))
            print(f"{handed} versions handed in; wrong: {'; '.join(wrong) or 'nothing'}")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
