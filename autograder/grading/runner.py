"""From a live kernel to points: runs the hidden pytest graders and keeps what became of each rubric line.

Scoring fails closed: a line earns its points only if its test passed and every line that it needs did. A grader that
fails by itself, or a machine that does, leaves the task ungraded.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import pytest

from autograder.base.errors import (
    AnswerError,
    AnswerMissing,
    AnswerRaised,
    AnswerTimeout,
    AnswerUnreadable,
    CourseError,
    KernelGone,
    MachineError,
)
from autograder.base.text import Text
from autograder.grading.rubric import Draw, Measurement, Miss, Probe
from autograder.sources.catalogue import (
    Alternative,
    Mistake,
    Variant,
    read_alternatives,
    read_mistakes,
    variants,
)
from autograder.sources.modules import course_module, module_or_sentence
from autograder.sources.notebooks import NotebookSource
from autograder.sources.rubric_table import RUBRIC_NAME, RubricLine

# What a grader raises when it computes with an answer that nobody thought of. Anything else is a slip in the grader.
_ANSWER_ERRORS = (ArithmeticError, ValueError, MemoryError, RecursionError)
_UNJUDGED = Text(
    "This can't be judged: computing with the answer failed. Are its numbers finite and of a sensible size?",
    "평가할 수 없습니다. 돌려준 값으로 계산할 수 없었습니다. 값이 유한하고 크기가 알맞은가요?",
)
MAX_FAULT = 1000
GRADERS = "graders"
PYTEST_OPTIONS = (
    *("-c", os.devnull, "--noconftest", "--import-mode=importlib", "--disable-plugin-autoload"),
    *(
        word
        # graders use nothing of them; to set up all takes two thirds of a session's start
        for name in (
            *("terminal", "cacheprovider", "logging", "warnings", "doctest", "junitxml", "pastebin", "debugging"),
            *("capture", "recwarn", "setuponly", "setupplan", "stepwise", "faulthandler", "unittest", "assertion"),
            *("legacypath", "tmpdir", "monkeypatch", "subtests", "unraisableexception", "threadexception"),
        )
        for word in ("-p", f"no:{name}")
    ),
)


class TaskProbe(Probe, Protocol):
    """The probe of one task.

    Attributes:
        has_read: whether an answer of the student's has been read.
        line: id of the rubric line whose test runs now; set before each test.
        measurements: English name of a measurement -> the measurement, of those that the task's tests have measured.
        missed: ids of the task's lines that were missed so far.
    """

    has_read: bool
    line: str
    measurements: dict[str, Measurement]
    missed: set[str]


@dataclass(frozen=True)
class LineResult:
    """What became of one rubric line.

    Attributes:
        id: id of the rubric line.
        line: the rubric line: its task, points, title and needs.
        status: `passed`, `missed`, `blocked` (a line it needs was not earned) or `ungraded`.
        text: why it was missed, for the student.
        mistake: id of the known mistake that was recognised; None if none was.
        unwritten: whether the answer was still the stub.
        followed: whether the line was earned after a task before this one had been replaced by right code.
        fault: what failed in the grader or the machine, for the instructor; of a missed line, how the grader failed at the
            answer.
        raised: whether the answer raised, hung or couldn't be read, instead of being a wrong one.
        pattern: which entries of a wrong answer are right, see `rubric.Miss`.
        kind: why it was missed: `wrong`, `raised`, `unwritten`, `missing` (no such name), `unreadable`,
            `unjudged` (the grader failed at the answer) or `stopped`; `machine` where the machine left it ungraded; else empty.
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
    kind: str = ""


@dataclass(frozen=True)
class TaskResult:
    """What became of one task.

    Attributes:
        slug: the task's slug.
        max_points: points of the task.
        lines: results of the task's rubric lines, in the order of the rubric.
        measurements: what the task's tests have measured, for a leaderboard.
    """

    slug: str
    max_points: float
    lines: tuple[LineResult, ...]
    measurements: tuple[Measurement, ...] = ()

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
    def raised(self) -> frozenset[str]:
        """Ids of the lines at which the answer raised, hung or couldn't be read."""
        return frozenset(line.id for line in self.lines if line.raised)

    @property
    def is_full(self) -> bool:
        """Whether every point was earned."""
        return self.points == self.max_points


def grader_module(folder: Path) -> ModuleType:
    """Return the grader module of an assignment's folder."""
    return course_module(folder, GRADERS)


@cache
def mistakes_of(folder: Path) -> dict[str, Mistake]:
    """Return mistake id -> entry of an assignment's catalogue."""
    return {entry.id: entry for entry in read_mistakes(folder / "mistakes.py")}


@cache
def alternatives_of(folder: Path) -> dict[str, Alternative]:
    """Return alternative id -> entry of an assignment's catalogue."""
    return {entry.id: entry for entry in read_alternatives(folder)}


@cache
def variants_of(folder: Path) -> dict[str, Variant]:
    """Return variant id -> a known mistake of an assignment, made in another style."""
    mistakes, alternatives = tuple(mistakes_of(folder).values()), tuple(alternatives_of(folder).values())
    return {variant.id: variant for variant in variants(mistakes, folder, alternatives)}


def tests_of(folder: Path) -> dict[str, Callable[..., object]]:
    """Return line id -> hidden test, in the order of an assignment's grader module.

    Raises:
        CourseError: the module is missing, or something in it is wrong.
    """
    tests = vars(module_or_sentence(folder, GRADERS)).items()
    return {line_id(name): test for name, test in tests if name.startswith("test_") and callable(test)}


def unmatched(rubric: Collection[str], tests: Collection[str]) -> str:
    """Return what is wrong where a rubric and its graders don't fit together, or nothing.

    Args:
        rubric: ids of the lines.
        tests: ids of the lines that the tests' names say.

    Returns:
        A sentence for the instructor; empty if each line has its test and each test its line.
    """
    parts = [
        f"{what} {', '.join(f'`{each}`' for each in found)}"
        for what, found in (
            ("no test for the line", [each for each in rubric if each not in tests]),
            ("no line for the test", [test_name(each) for each in tests if each not in rubric]),
        )
        if found
    ]
    return (
        f"Each line of {RUBRIC_NAME} must have a test in graders.py (defined there or imported), and each test a line. Received: {'; '.join(parts)}. "
        "Add what is missing, or rename one of the two."
        if parts
        else ""
    )


def require_tests(source: NotebookSource) -> None:
    """Refuse an assignment whose rubric and hidden tests don't fit together.

    Raises:
        CourseError: `graders.py` is missing or wrong, a line has no test or a test no line.
    """
    fault = unmatched(source.rubric, tests_of(source.folder))
    if fault:
        raise CourseError(f"{source.assignment}: {fault}")


def line_id(test_name: str) -> str:
    """Return the rubric line id of a test name: `test_last_axis` is `last-axis`."""
    return test_name.removeprefix("test_").replace("_", "-")


def test_name(identity: str) -> str:
    """Return the name of the test of a rubric line id: `last-axis` is `test_last_axis`."""
    return f"test_{identity.replace('-', '_')}"


def run_graders(
    source: NotebookSource,
    probe_of: Callable[[str], TaskProbe],
    seed: str,
    tasks: Iterable[str] | None = None,
    lines: Collection[str] | None = None,
) -> dict[str, TaskResult]:
    """Run the hidden graders of an assignment.

    Args:
        source: the source of the assignment's notebook, with the rubric and the points that each task's lines must add up to.
        probe_of: returns a fresh probe for a task.
        seed: what the random inputs depend on.
        tasks: slugs of the only tasks to run (default: all).
        lines: ids of the only lines to run, as if the lines they need had been earned (default: all). Other lines are ungraded.

    Returns:
        Task slug -> result, in the notebook's order. Nothing is graded if a line has no test or a test no line.

    Raises:
        CourseError: the rubric is malformed.
    """
    folder, points, rubric = source.folder, source.points, source.rubric
    wanted = list(points) if tasks is None else [slug for slug in points if slug in set(tasks)]
    run = _GraderRun(rubric, set(wanted), probe_of, seed, lines)
    with _without_pytest_environment(), _silence():
        # without the third option pytest would look at everything in the folders above, too
        arguments = [*PYTEST_OPTIONS, f"--rootdir={folder}", f"--confcutdir={folder}", str(folder / "graders.py")]
        pytest.main(arguments, plugins=[run])
    if run.interrupted:
        raise KeyboardInterrupt
    results: dict[str, TaskResult] = {}
    for slug in wanted:
        found = [
            run.results.get(identity) or LineResult(identity, line, "ungraded", fault=run.fault)
            for identity, line in rubric.items()
            if line.task == slug
        ]
        if sum(result.line.points for result in found) != points[slug]:
            found = [
                replace(result, status="ungraded", fault=f"the rubric does not add up to {points[slug]:g} points")
                for result in found
            ]
        results[slug] = TaskResult(slug, points[slug], tuple(found), run.measurements(slug))
    return results


@contextmanager
def _without_pytest_environment() -> Generator[None]:
    """Keep options that the environment holds for other tests away from the graders."""
    removed = {name: os.environ.pop(name) for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS") if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(removed)


@contextmanager
def _silence() -> Generator[None]:
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        yield


def ungraded(source: NotebookSource, fault: str) -> dict[str, TaskResult]:
    """Return results in which nothing is graded, because of `fault`."""
    return _uniform(source, lambda identity, line: LineResult(identity, line, "ungraded", fault=fault))


def refused(source: NotebookSource, text: Text) -> dict[str, TaskResult]:
    """Return results in which every task earns nothing, because of what `text` says of the submitted file."""
    return _uniform(source, lambda identity, line: LineResult(identity, line, "missed", text=text))


def _uniform(source: NotebookSource, result: Callable[[str, RubricLine], LineResult]) -> dict[str, TaskResult]:
    rubric = source.rubric.items()
    return {
        slug: TaskResult(slug, points, tuple(result(i, line) for i, line in rubric if line.task == slug))
        for slug, points in source.points.items()
    }


class _GraderModule(pytest.Module):
    """The graders as they are imported everywhere: pytest's own import wouldn't know their neighbours."""

    def _getobj(self) -> ModuleType:
        return grader_module(self.path.parent)


@dataclass(eq=False)  # pytest before 9.1 takes a plugin that can be hashed alone
class _GraderRun:
    """A pytest plugin: hands tests their fixtures, holds back lines whose needs are unmet, records every outcome.

    Attributes:
        rubric: line id -> rubric line, in the order in which the tests run.
        wanted: slugs of the tasks that are graded.
        probe_of: returns a fresh probe for a task.
        seed: what the random inputs depend on.
        lines: ids of the only lines to run, whatever they need; None means all.
        results: line id -> result, of the lines that were decided.
        fault: why lines without a result have none.
        interrupted: whether Ctrl-C ended the run.
    """

    rubric: Mapping[str, RubricLine]
    wanted: set[str]
    probe_of: Callable[[str], TaskProbe]
    seed: str
    lines: Collection[str] | None = None
    results: dict[str, LineResult] = field(default_factory=dict)
    fault: str = "its grader did not run"
    interrupted: bool = False
    _probes: dict[str, TaskProbe] = field(default_factory=dict)
    _machine_fault: str = ""  # nothing more is asked after it

    def measurements(self, task: str) -> tuple[Measurement, ...]:
        """Return what the lines of a task have measured."""
        return tuple(self._probes[task].measurements.values()) if task in self._probes else ()

    def pytest_addoption(self, parser: pytest.Parser) -> None:
        # the terminal's option, whose plugin is off; pytest would look up the source around every miss, for nobody
        parser.addoption("--tb", dest="tbstyle", default="native")

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        # pytest's own interruptions, after an error while collecting, are subclasses
        self.interrupted = type(excinfo.value) is KeyboardInterrupt

    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        if session.testsfailed:  # the module couldn't be collected
            return
        tests = {line_id(item.name): item for item in items}
        wrong = unmatched(self.rubric, tests)
        self.fault = wrong or self.fault
        items[:] = [
            tests[identity]
            for identity, line in self.rubric.items()
            if not wrong and line.task in self.wanted and (self.lines is None or identity in self.lines)
        ]

    def pytest_pycollect_makemodule(self, module_path: Path, parent: pytest.Collector) -> pytest.Module:
        return _GraderModule.from_parent(parent, path=module_path)

    @pytest.fixture
    def probe(self, request: pytest.FixtureRequest) -> TaskProbe:
        identity = line_id(request.node.name)
        task = self.rubric[identity].task
        if task not in self._probes:
            self._probes[task] = self.probe_of(task)
        self._probes[task].line = identity
        return self._probes[task]

    @pytest.fixture
    def draw(self, request: pytest.FixtureRequest) -> Draw:
        identity = line_id(request.node.name)
        return Draw(self.seed, self.rubric[identity].task, identity)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        identity = line_id(item.name)
        line = self.rubric[identity]
        if self._machine_fault:
            self.results[identity] = LineResult(identity, line, "ungraded", fault=self._machine_fault, kind="machine")
            return True
        unmet = [need for need in line.needs if need not in self.results or self.results[need].status != "passed"]
        if unmet and self.lines is None:
            blocker = self.results.get(unmet[0])
            status = "ungraded" if blocker is None or blocker.status == "ungraded" else "blocked"
            self.results[identity] = LineResult(
                identity, line, status, fault="a line it needs is ungraded" if status == "ungraded" else ""
            )
            return True
        return None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[Any]) -> Any:
        identity = line_id(item.name)
        line = self.rubric[identity]
        error = call.excinfo.value if call.excinfo else None
        if error is not None:
            self.results[identity] = self._failed(identity, line, error)
            if self.results[identity].status == "missed" and line.task in self._probes:
                self._probes[line.task].missed.add(identity)
        elif call.when == "call":
            self.results[identity] = LineResult(identity, line, "passed")
        return (yield)

    def _failed(self, identity: str, line: RubricLine, error: BaseException) -> LineResult:
        if isinstance(error, Miss):
            return LineResult(identity, line, "missed", error.text, pattern=error.pattern, kind="wrong")
        if isinstance(error, AnswerError):
            unwritten = isinstance(error, AnswerRaised) and "NotImplementedError" in error.kinds
            kind = (
                "unwritten"
                if unwritten
                else next((k for e, k in _KIND_OF_ERROR.items() if isinstance(error, e)), "raised")
            )
            return LineResult(identity, line, "missed", error.text, unwritten=unwritten, raised=True, kind=kind)
        if isinstance(error, MachineError):
            self._machine_fault = str(error)
            return LineResult(identity, line, "ungraded", fault=self._machine_fault, kind="machine")
        fault = f"{type(error).__name__}: {error}"[:MAX_FAULT]
        if isinstance(error, _ANSWER_ERRORS) and line.task in self._probes and self._probes[line.task].has_read:
            return LineResult(identity, line, "missed", _UNJUDGED, fault=fault, raised=True, kind="unjudged")
        return LineResult(identity, line, "ungraded", fault=fault)


_KIND_OF_ERROR: Mapping[type[AnswerError], str] = {
    AnswerMissing: "missing",
    AnswerUnreadable: "unreadable",
    AnswerTimeout: "stopped",
    KernelGone: "stopped",
}
