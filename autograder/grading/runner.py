"""From a live kernel to points: runs the hidden pytest graders and keeps what became of each rubric line.

Scoring fails closed: a line earns its points only if its test passed and every line that it needs did. A grader that
fails by itself, or a machine that does, leaves the task ungraded.
"""

from __future__ import annotations

import importlib
import math
import os
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autograder.errors import AnswerError, AnswerRaised, MachineError
from autograder.mistakes import Mistake
from autograder.probe import KernelProbe
from autograder.rubric import Draw, Miss, RubricLine
from autograder.text import Text

GRADERS = Path(__file__).with_name("graders")
PYTEST_OPTIONS = (
    *("-c", os.devnull, "--import-mode=importlib", "--disable-plugin-autoload", "--capture=no"),
    *(
        word
        # the last two collect garbage many times over at the end of each session
        for name in (
            *("terminal", "cacheprovider", "logging", "warnings", "doctest", "junitxml", "pastebin", "debugging"),
            *("unraisableexception", "threadexception"),
        )
        for word in ("-p", f"no:{name}")
    ),
)


@dataclass(frozen=True)
class LineResult:
    """What became of one rubric line.

    Attributes:
        id: of the line.
        line: its task, points, title and needs.
        status: `passed`, `missed`, `blocked` (a line it needs was not earned) or `ungraded`.
        text: why it was missed, for the student.
        mistake: id of the recognised mistake.
        unwritten: the answer was still the stub.
        followed: earned after a predecessor had been replaced by a right one.
        fault: what failed in the grader or the machine, for the instructor.
        raised: the answer raised, hung or couldn't be read, instead of being a wrong one.
        pattern: which entries of a wrong answer are right, see `rubric.Miss`.
    """

    id: str
    line: RubricLine
    status: str
    text: Text | None = None
    mistake: str | None = None
    unwritten: bool = False
    followed: bool = False
    fault: str = ""
    raised: bool = False
    pattern: tuple[str, ...] = ()


@dataclass(frozen=True)
class TaskResult:
    """The lines of one task and what they add up to."""

    slug: str
    max_points: float
    lines: tuple[LineResult, ...]

    @property
    def points(self) -> float | None:
        """Points earned, or None if the task is ungraded."""
        if not self.lines or any(line.status == "ungraded" for line in self.lines):
            return None
        earned = sum(line.line.points for line in self.lines if line.status == "passed")
        if not math.isfinite(earned) or not 0 <= earned <= self.max_points:
            return None
        return earned

    @property
    def is_full(self) -> bool:
        """Whether every point was earned."""
        return self.points == self.max_points


def grader_module(notebook: str) -> ModuleType:
    """Return the grader module of a notebook, imported plainly, for its constants."""
    return importlib.import_module(f"autograder.graders.{notebook}")


@cache
def rubric_of(notebook: str) -> dict[str, RubricLine]:
    """Return line id -> rubric line, in order, of a notebook's graders."""
    tests = vars(grader_module(notebook)).items()
    return {line_id(name): test.rubric_line for name, test in tests if hasattr(test, "rubric_line")}


@cache
def mistakes_of(notebook: str) -> dict[str, Mistake]:
    """Return mistake id -> entry of a notebook's catalogue."""
    entries: Iterable[Mistake] = importlib.import_module(f"autograder.mistakes.{notebook}").MISTAKES
    return {entry.id: entry for entry in entries}


def builds_on(notebook: str) -> Mapping[str, tuple[str, ...]]:
    """Return task -> tasks (or `carry-over`) whose functions its answer may call."""
    table: Mapping[str, tuple[str, ...]] = grader_module(notebook).BUILDS_ON
    return table


def costly_tasks(notebook: str) -> Mapping[str, str]:
    """Return task -> line that judges the carried-over work, for tasks whose grading takes minutes: trainings."""
    table: Mapping[str, str] = getattr(grader_module(notebook), "COSTLY", {})
    return table


def line_id(test_name: str) -> str:
    """Return the rubric line id of a test name: `test_last_axis` is `last-axis`."""
    return test_name.removeprefix("test_").replace("_", "-")


def run_graders(
    notebook: str,
    points: Mapping[str, float],
    probe_of: Callable[[str], KernelProbe],
    seed: str,
    tasks: Iterable[str] | None = None,
) -> dict[str, TaskResult]:
    """Run the hidden graders of a notebook.

    Args:
        notebook: its name.
        points: task slug -> points that its rubric must add up to.
        probe_of: returns a fresh probe for a task.
        seed: what the random inputs depend on.
        tasks: run these only (default: all).

    Returns:
        Task slug -> result, in the order of `points`.
    """
    wanted = list(points) if tasks is None else [slug for slug in points if slug in set(tasks)]
    run = _GraderRun(set(wanted), probe_of, seed, mistakes_of(notebook))
    with _nothing_of_the_instructors_pytest(), _silence():
        pytest.main([*PYTEST_OPTIONS, f"--rootdir={GRADERS}", str(GRADERS / f"{notebook}.py")], plugins=[run])
    if run.interrupted:
        raise KeyboardInterrupt
    results: dict[str, TaskResult] = {}
    for slug in wanted:
        lines = []
        for identity, line in rubric_of(notebook).items():
            if line.task == slug:
                lines.append(
                    run.results.get(identity) or LineResult(identity, line, "ungraded", fault="its grader did not run")
                )
        if sum(line.line.points for line in lines) != points[slug]:
            lines = [
                replace(line, status="ungraded", fault=f"the rubric does not add up to {points[slug]:g} points")
                for line in lines
            ]
        results[slug] = TaskResult(slug, points[slug], tuple(lines))
    return results


@contextmanager
def _nothing_of_the_instructors_pytest() -> Generator[None]:
    """Keep options that the environment holds for other tests away from the graders."""
    kept = {name: os.environ.pop(name) for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS") if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)


@contextmanager
def _silence() -> Generator[None]:
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        yield


def ungraded(notebook: str, points: Mapping[str, float], fault: str) -> dict[str, TaskResult]:
    """Return results in which nothing is graded, because of `fault`."""
    return _uniform(notebook, points, lambda identity, line: LineResult(identity, line, "ungraded", fault=fault))


def refused(notebook: str, points: Mapping[str, float], text: Text) -> dict[str, TaskResult]:
    """Return results in which every task earns nothing, because of what `text` says of the submitted file."""
    return _uniform(notebook, points, lambda identity, line: LineResult(identity, line, "missed", text=text))


def _uniform(
    notebook: str, points: Mapping[str, float], result: Callable[[str, RubricLine], LineResult]
) -> dict[str, TaskResult]:
    rubric = rubric_of(notebook).items()
    return {
        slug: TaskResult(slug, points[slug], tuple(result(i, line) for i, line in rubric if line.task == slug))
        for slug in points
    }


@dataclass
class _GraderRun:
    """A pytest plugin: hands tests their fixtures, holds back lines whose needs are unmet, records every outcome."""

    wanted: set[str]
    probe_of: Callable[[str], KernelProbe]
    seed: str
    mistakes: Mapping[str, Mistake]
    results: dict[str, LineResult] = field(default_factory=dict)
    _probes: dict[str, KernelProbe] = field(default_factory=dict)
    _machine: str = ""
    interrupted: bool = False

    def pytest_addoption(self, parser: pytest.Parser) -> None:
        # the terminal's option, whose plugin is off; pytest would look up the source around every miss, for nobody
        parser.addoption("--tb", dest="tbstyle", default="native")

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        # pytest's own interruptions, after an error while collecting, are subclasses
        self.interrupted = type(excinfo.value) is KeyboardInterrupt

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if _rubric_line(item) is not None and _rubric_line(item).task in self.wanted]

    @pytest.fixture
    def probe(self, request: pytest.FixtureRequest) -> KernelProbe:
        task = _rubric_line(request.node).task
        if task not in self._probes:
            self._probes[task] = self.probe_of(task)
        return self._probes[task]

    @pytest.fixture
    def draw(self, request: pytest.FixtureRequest) -> Draw:
        return Draw(self.seed, _rubric_line(request.node).task, line_id(request.node.name))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        identity, line = line_id(item.name), _rubric_line(item)
        if self._machine:
            self.results[identity] = LineResult(identity, line, "ungraded", fault=self._machine)
            return True
        unmet = [need for need in line.needs if need not in self.results or self.results[need].status != "passed"]
        if unmet:
            blocker = self.results.get(unmet[0])
            status = "ungraded" if blocker is None or blocker.status == "ungraded" else "blocked"
            self.results[identity] = LineResult(
                identity, line, status, fault="a line it needs is ungraded" if status == "ungraded" else ""
            )
            return True
        return None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[Any]) -> Any:
        identity, line = line_id(item.name), _rubric_line(item)
        error = call.excinfo.value if call.excinfo else None
        if error is not None:
            self.results[identity] = self._failed(identity, line, error)
        elif call.when == "call":
            self.results[identity] = LineResult(identity, line, "passed")
        return (yield)

    def _failed(self, identity: str, line: RubricLine, error: BaseException) -> LineResult:
        if isinstance(error, Miss):
            text, mistake = error.text, error.mistake
            if mistake not in self.mistakes:  # names that a grader keeps another from being given by
                mistake = None
            if mistake is not None:
                text = text + self.mistakes[mistake].hint
            return LineResult(identity, line, "missed", text, mistake, pattern=error.pattern)
        if isinstance(error, AnswerError):
            unwritten = isinstance(error, AnswerRaised) and "NotImplementedError" in error.kinds
            return LineResult(identity, line, "missed", error.text, unwritten=unwritten, raised=True)
        if isinstance(error, MachineError):
            self._machine = str(error)
        return LineResult(identity, line, "ungraded", fault=f"{type(error).__name__}: {error}")


def _rubric_line(item: Any) -> Any:
    return getattr(getattr(item, "function", None), "rubric_line", None)


def follow_through_plan(
    notebook: str, results: Mapping[str, TaskResult], references: Collection[str] = (), stubs: Collection[str] = ()
) -> dict[frozenset[str], set[str]]:
    """Return which tasks deserve another look, and with which predecessors replaced by right ones.

    A task is looked at again if it misses points and was written at all, with everything that it builds on replaced:
    also what earned its points, for no rubric sees every flaw, and carried-over work has none. A costly task is looked
    at again only if something that it builds on is known to be wrong.

    Args:
        notebook: its name.
        results: of the first look.
        references: tasks (or `carry-over`) whose cells are the references already.
        stubs: tasks whose own cells say that they aren't written; others may call one that isn't.

    Returns:
        Set of predecessors (task slugs or `carry-over`) -> tasks.
    """
    plan: dict[frozenset[str], set[str]] = {}
    costly = costly_tasks(notebook)
    for slug, result in results.items():
        if result.points is None or result.is_full or (slug in stubs and _is_unwritten(result)):
            continue
        before = frozenset(predecessors(notebook, slug)) - set(references)
        if slug in costly and not _has_wrong(before, results, result, costly[slug]):
            continue
        if before:
            plan.setdefault(before, set()).add(slug)
    return plan


def better(first: TaskResult, again: TaskResult) -> TaskResult:
    """Return the grading of a task with more points, the first of two equal ones.

    A second one that stayed ungraded counts too: what a task would have earned that isn't full nobody knows.
    """
    if first.points is None or first.is_full:
        return first
    return again if again.points is None or again.points > first.points else first


def _has_wrong(before: Iterable[str], results: Mapping[str, TaskResult], result: TaskResult, carried: str) -> bool:
    """Whether one of the tasks `before` lost points, or the line that judges the carried-over work was missed."""
    missed = any(line.id == carried and line.status == "missed" for line in result.lines)
    return missed or any(slug in results and not results[slug].is_full for slug in before)


def with_follow_through(first: TaskResult, again: TaskResult) -> TaskResult:
    """Return the better of two gradings of a task, its newly earned lines marked as followed."""
    best = better(first, again)
    if best is first or best.points is None:
        return best
    earned_before = {line.id for line in first.lines if line.status == "passed"}
    lines = tuple(
        replace(line, followed=line.status == "passed" and line.id not in earned_before) for line in again.lines
    )
    return replace(again, lines=lines)


def _is_unwritten(result: TaskResult) -> bool:
    missed = [line for line in result.lines if line.status == "missed"]
    return bool(missed) and all(line.unwritten for line in missed)


def predecessors(notebook: str, slug: str) -> set[str]:
    """Return everything that a task's answer may call, directly or not: task slugs and `carry-over`."""
    table = builds_on(notebook)
    found: set[str] = set()
    queue = list(table.get(slug, ()))
    while queue:
        before = queue.pop()
        if before not in found:
            found.add(before)
            queue.extend(table.get(before, ()))
    return found
