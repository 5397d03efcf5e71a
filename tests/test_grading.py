"""From grader modules to points, with small made-up graders: what earns, what misses, what stays ungraded."""

from __future__ import annotations

import importlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.base.errors import AnswerMissing, AnswerRaised, CourseError, MachineError
from autograder.base.text import Text
from autograder.grading.follow_through import (
    about_carried_work,
    follow_through_plan,
    with_earned_before,
    with_follow_through,
)
from autograder.grading.runner import (
    LineResult,
    TaskResult,
    line_id,
    refused,
    run_graders,
    ungraded,
)
from autograder.sources.notebooks import NotebookSource, SourceCell
from autograder.sources.rubric_table import RubricLine

FOLDER = Path("01-made-up")  # of which only made-up parts are asked for
HEADER = """\
import sys

import pytest

from autograder.base.errors import GraderError, MachineError
from autograder.grading import Miss, expect_that
from autograder.base.text import Text

MISSED = Text("It is wrong.", "틀렸습니다.")
"""
DRAWN = "raise Miss(Text(str(draw.integer(0, 10**12))))"
numbers = itertools.count()
Grade = Callable[..., dict[str, TaskResult]]


@dataclass(frozen=True)
class Line:
    """A made-up rubric line: its task, its row in the table, and the text of its test."""

    task: str
    row: str
    test: str


def _line(
    name: str,
    body: str,
    task: str = "first",
    points: float = 1,
    needs: tuple[str, ...] = (),
    parameters: str = "probe, draw",
) -> Line:
    row = f"| {line_id(name)} | {points} | a line | 한 항목 | {' '.join(needs)} |\n"
    return Line(task, row, f"\n\ndef test_{name}({parameters}):\n    {body}\n")


def _table(lines: Sequence[Line]) -> str:
    """Return the text of a rubric of these lines."""
    head = "\n\n| line | points | English | Korean | after |\n|---|--:|---|---|---|\n"
    tasks = dict.fromkeys(line.task for line in lines)
    return "".join(f"## {task}{head}{''.join(line.row for line in lines if line.task == task)}\n" for task in tasks)


def _source(folder: Path, points: Mapping[str, float], tasks: Sequence[SourceCell] = ()) -> NotebookSource:
    """Return the source of a notebook with tasks of these points and, if something is to be said of them, these cells."""
    grades = [SourceCell("grade", f"grade-{slug}", {}, slug, worth) for slug, worth in points.items()]
    return NotebookSource(folder.name, "made_up", (*tasks, *grades), folder)


def _probe_of(task: str) -> SimpleNamespace:
    return SimpleNamespace(task=task, call=lambda *_: 1.0, has_read=False, measurements={}, missed=set())


@pytest.fixture(scope="module")
def grade(tmp_path_factory: pytest.TempPathFactory) -> Grade:
    """Return a function that writes a grader module and a rubric of the given lines and runs it.

    A text instead of a line goes into the module alone; `rows` are the rubric's lines if they are others than the module's.
    """
    solutions = tmp_path_factory.mktemp("solutions")

    def run(
        *lines: Line | str,
        points: Mapping[str, float],
        probe_of: Callable[[str], object] = _probe_of,
        seed: str = "seed",
        tasks: set[str] | None = None,
        rows: Sequence[Line] | None = None,
    ) -> dict[str, TaskResult]:
        folder = solutions / f"{next(numbers):02d}-made-up"
        folder.mkdir()
        texts = [line.test if isinstance(line, Line) else line for line in lines]
        (folder / "graders.py").write_text(HEADER + "".join(texts), encoding="utf-8")
        rows = [line for line in lines if isinstance(line, Line)] if rows is None else rows
        (folder / "rubric.md").write_text(_table(rows), encoding="utf-8")
        importlib.invalidate_caches()
        return run_graders(_source(folder, points), probe_of, seed, tasks)

    return run


# One grader module with a task for each of these, graded once: task -> lines of (body, numbers of the lines it needs).
MISSES, FINE, FAULTY = "raise Miss(MISSED)", "pass", "1 / 0"
TASKS: dict[str, list[tuple[str, tuple[int, ...]]]] = {
    "passed": [(FINE, ())],
    "half": [(FINE, ()), (MISSES, ())],
    "blocked": [(MISSES, ()), (FINE, (0,))],
    "blocked-faulty": [(MISSES, ()), (FAULTY, (0,))],
    "blocked-chain": [(MISSES, ()), (FINE, (0,)), (FINE, (1,))],
    "unblocked": [(FINE, ()), (FINE, (0,))],
    "one-of-two": [(MISSES, ()), (FINE, ()), (FINE, (1, 0))],
    "two-of-two": [(MISSES, ()), (MISSES, ()), (FINE, (1, 0))],
    "needs-ungraded": [(FAULTY, ()), (FINE, (0,))],
    "assert": [("assert False", ())],
    "assertion-error": [("raise AssertionError('expected 3.14')", ())],
    "division": [(FAULTY, ())],
    "grader-error": [("raise GraderError('wrong argument')", ())],
    "system-exit": [("raise SystemExit(0)", ())],
    "skip": [("pytest.skip()", ())],
    "xfail": [("pytest.xfail()", ())],
    "fail": [("pytest.fail()", ())],
    "draws": [(DRAWN, ()), (DRAWN, ())],
    "prints": [("print('hidden'); print('hidden', file=sys.stderr)", ())],
    "stub": [("probe.call()", ())],
    "raises": [("probe.call()", ())],
    "missing": [("probe.call()", ())],
    "adds-up-to-less": [(FINE, ()), (FINE, ())],
    "adds-up-to-more": [(FINE, ()), (FINE, ())],
    "maximum-nan": [(FINE, ())],
}
ODD_POINTS = {"adds-up-to-less": 3, "adds-up-to-more": 1.5, "maximum-nan": float("nan")}
OTHER_TASKS = ("bad-teardown", "no-fixture", "without-lines", "last")
FRAGILE = """

@pytest.fixture
def fragile():
    yield
    1 / 0
"""
BAD_FIXTURES = (
    _line("bad_teardown", FINE, "bad-teardown", parameters="fragile"),
    _line("no_fixture", FINE, "no-fixture", parameters="no_such_fixture"),
)
ANSWERS = {
    "stub": AnswerRaised(Text("Not written yet."), ("NotImplementedError", "RuntimeError")),
    "raises": AnswerRaised(Text("Your code raised ValueError."), ("ValueError", "Exception")),
    "missing": AnswerMissing(Text("`softmax` is not defined.")),
}


def _answering(task: str) -> SimpleNamespace:
    def call() -> None:
        raise ANSWERS[task]

    return SimpleNamespace(call=call, has_read=False, measurements={}, missed=set())


def _lines_of(task: str) -> Iterator[Line]:
    name = task.replace("-", "_")
    for number, (body, needs) in enumerate(TASKS[task]):
        yield _line(f"{name}_{number}", body, task, needs=tuple(f"{task}-{need}" for need in needs))


@pytest.fixture(scope="module")
def graded(grade: Grade) -> dict[str, TaskResult]:
    """Return what became of every task of `TASKS`, graded in one run."""
    lines = [line for task in TASKS for line in _lines_of(task)]
    points = {task: len(lines) for task, lines in TASKS.items()} | ODD_POINTS | dict.fromkeys(OTHER_TASKS, 1)
    return grade(FRAGILE, *lines, *BAD_FIXTURES, _line("last", FINE, "last"), points=points, probe_of=_answering)


def _states(result: TaskResult) -> list[str]:
    return [line.status for line in result.lines]


# --- lines -----------------------------------------------------------------------------------------------------------


def test_a_line_id_is_the_test_name_in_words():
    assert line_id("test_last_axis") == "last-axis"


def test_a_passed_line_earns_its_points(graded):
    assert graded["passed"].points == 1


def test_a_missed_line_earns_nothing(graded):
    assert graded["half"].points == 1


def test_a_missed_line_tells_why(graded):
    line = graded["half"].lines[1]
    assert (line.status, line.text, line.mistake) == ("missed", Text("It is wrong.", "틀렸습니다."), None)


def test_what_a_line_measures_is_of_its_task(grade):
    def probe_of(task):
        measurements = {}
        return SimpleNamespace(
            has_read=True,
            measurements=measurements,
            missed=set(),
            report=lambda name: measurements.update({name: task}),
        )

    lines = [_line("a", "probe.report('one')"), _line("b", FINE), _line("c", FINE, task="second")]
    results = grade(*lines, points={"first": 2, "second": 1}, probe_of=probe_of)
    assert (results["first"].measurements, results["second"].measurements) == (("first",), ())


def test_tasks_come_in_the_order_of_their_points(graded):
    assert list(graded) == [*TASKS, *OTHER_TASKS]


def test_lines_come_in_the_order_of_the_rubric(graded):
    assert [line.id for line in graded["blocked-chain"].lines] == [f"blocked-chain-{i}" for i in range(3)]


def test_lines_are_asked_in_the_order_of_the_rubric_whatever_the_modules_is(grade):
    asked = []
    lines = [_line(name, f"probe.call('{name}')") for name in ("a", "b", "c")]
    probe = SimpleNamespace(call=asked.append, has_read=False, measurements={}, missed=set())
    result = grade(*lines, points={"first": 3}, probe_of=lambda task: probe, rows=[lines[i] for i in (2, 0, 1)])[
        "first"
    ]
    assert asked == [line.id for line in result.lines] == ["c", "a", "b"]


def test_a_task_without_lines_is_ungraded(graded):
    assert (graded["without-lines"].lines, graded["without-lines"].points) == ((), None)


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (("a", "b", "c"), r"no test for the line `c`"),
        (("a",), r"no line for the test `test_b`"),
        (("a", "c"), r"no test for the line `c`; no line for the test `test_b`"),
    ],
    ids=["line without a test", "test without a line", "both"],
)
def test_nothing_is_graded_where_rubric_and_graders_do_not_fit(grade, rows, fault):
    lines = {name: _line(name, FINE, name) for name in ("a", "b", "c")}
    points = dict.fromkeys(rows, 1)
    results = grade(lines["a"], lines["b"], points=points, rows=[lines[name] for name in rows])
    for result in results.values():
        (line,) = result.lines
        assert line.status == "ungraded" and f"Received: {fault}. Add what is missing" in line.fault


def test_a_malformed_rubric_stops_the_grading(grade):
    with pytest.raises(CourseError, match="`after` must name earlier lines"):
        grade(_line("a", FINE, needs=("b",)), _line("b", FINE), points={"first": 2})


# --- needs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "states"),
    [
        ("blocked", ["missed", "blocked"]),
        ("blocked-faulty", ["missed", "blocked"]),
        ("blocked-chain", ["missed", "blocked", "blocked"]),
        ("unblocked", ["passed", "passed"]),
        ("one-of-two", ["missed", "passed", "blocked"]),
        ("two-of-two", ["missed", "missed", "blocked"]),
        ("needs-ungraded", ["ungraded", "ungraded"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_line_is_tried_only_if_what_it_needs_was_earned(graded, task, states):
    assert _states(graded[task]) == states


def test_a_blocked_line_earns_nothing(graded):
    assert graded["blocked"].points == 0


# --- faults of graders and machines ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "task",
    [
        *("assert", "assertion-error", "division", "grader-error", "system-exit", "skip", "xfail", "fail"),
        *("bad-teardown", "no-fixture", "without-lines", "needs-ungraded"),
        *("adds-up-to-less", "adds-up-to-more", "maximum-nan"),
    ],
)
def test_a_fault_of_a_grader_leaves_its_task_ungraded(graded, task):
    assert graded[task].points is None


def test_a_fault_of_a_grader_costs_no_later_task(graded):
    assert graded["last"].points == 1


@pytest.mark.parametrize(
    ("task", "fault"),
    [
        ("division", "ZeroDivisionError: division by zero"),
        ("grader-error", "GraderError: wrong argument"),
        ("adds-up-to-less", "the rubric does not add up to 3 points"),
    ],
    ids=["division", "grader error", "sum"],
)
def test_a_fault_of_a_grader_is_told_to_the_instructor(graded, task, fault):
    assert graded[task].lines[0].fault == fault


def test_a_line_that_needs_an_ungraded_one_says_so(graded):
    assert graded["needs-ungraded"].lines[1].fault == "a line it needs is ungraded"


def test_a_fault_of_a_grader_is_not_told_to_the_student(graded):
    assert graded["assertion-error"].lines[0].text is None


def test_a_grader_module_that_cannot_be_collected_leaves_everything_ungraded(grade):
    (line,) = grade(_line("a", FINE), "\n1 / 0\n", points={"first": 1})["first"].lines
    assert (line.status, line.fault) == ("ungraded", "its grader did not run")


@pytest.mark.parametrize("options", ["-x --collect-only", "-n 2"], ids=["known", "unknown to the graders' pytest"])
def test_the_instructors_pytest_options_do_not_matter(grade, monkeypatch, options):
    monkeypatch.setenv("PYTEST_ADDOPTS", options)
    assert grade(_line("a", MISSES), _line("b", FINE), points={"first": 2})["first"].points == 1


def test_a_conftest_above_the_assignment_is_not_read(grade, tmp_path_factory):
    conftest = tmp_path_factory.getbasetemp() / "conftest.py"
    conftest.write_text("raise SystemExit(1)")
    try:
        assert grade(_line("a", FINE), points={"first": 1})["first"].points == 1
    finally:
        conftest.unlink()


def test_a_failing_machine_leaves_the_rest_ungraded(grade):
    lines = _line("a", FINE, "a"), _line("b", "raise MachineError('no disk')", "b"), _line("c", FINE, "c")
    results = grade(*lines, points={"a": 1, "b": 1, "c": 1})
    assert {
        slug: [(line.status, line.fault, line.kind) for line in result.lines] for slug, result in results.items()
    } == {
        "a": [("passed", "", "")],
        "b": [("ungraded", "no disk", "machine")],
        "c": [("ungraded", "no disk", "machine")],
    }


def test_after_a_failing_machine_no_line_is_run(grade):
    asked = []

    def probe_of(task: str) -> object:
        asked.append(task)
        raise MachineError("no kernel")

    grade(_line("a", FINE, "a"), _line("b", FINE, "b"), points={"a": 1, "b": 1}, probe_of=probe_of)
    assert asked == ["a"]


def test_only_the_wanted_tasks_are_run(grade):
    results = grade(_line("a", FINE, "a"), _line("b", FAULTY, "b"), points={"a": 1, "b": 1}, tasks={"a"})
    assert {slug: _states(result) for slug, result in results.items()} == {"a": ["passed"]}


# --- probes and draws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ANSWERS)
def test_an_answer_error_is_a_miss_with_its_text(graded, task):
    (line,) = graded[task].lines
    assert (line.status, line.text) == ("missed", ANSWERS[task].text)


@pytest.mark.parametrize(("task", "unwritten"), [("stub", True), ("raises", False), ("missing", False)])
def test_only_a_stub_is_unwritten(graded, task, unwritten):
    assert graded[task].lines[0].unwritten is unwritten


def test_the_lines_of_a_task_share_its_probe(grade):
    asked = []
    lines = _line("a", FINE, "a"), _line("b", FINE, "a"), _line("c", FINE, "c")
    grade(*lines, points={"a": 2, "c": 1}, probe_of=lambda task: asked.append(task) or _probe_of(task))
    assert asked == ["a", "c"]


def _drawn(result: TaskResult) -> list[str]:
    return [line.text.en for line in result.lines if line.text is not None]


def test_draws_differ_between_lines(graded):
    first, second = _drawn(graded["draws"])
    assert first != second


def test_draws_of_a_task_depend_neither_on_the_tasks_before_nor_on_the_run(graded, grade):
    again = grade(*_lines_of("draws"), points={"draws": 2})
    assert _drawn(again["draws"]) == _drawn(graded["draws"])


def test_draws_differ_for_another_seed(graded, grade):
    other = grade(*_lines_of("draws"), points={"draws": 2}, seed="another")
    assert not set(_drawn(other["draws"])) & set(_drawn(graded["draws"]))


def test_graders_print_nothing(grade, capfd):
    grade(*_lines_of("prints"), points={"prints": 1})
    assert capfd.readouterr() == ("", "")


# --- points ----------------------------------------------------------------------------------------------------------


def _result(slug: str, *statuses: str, points: float = 1, maximum: float | None = None, **marks: bool) -> TaskResult:
    lines = tuple(
        LineResult(f"{slug}-{i}", RubricLine(slug, points, Text("a line")), status, **marks)
        for i, status in enumerate(statuses)
    )
    return TaskResult(slug, len(statuses) * points if maximum is None else maximum, lines)


@pytest.mark.parametrize(
    ("statuses", "points"),
    [
        (("passed", "passed"), 2),
        (("passed", "missed"), 1),
        (("passed", "blocked"), 1),
        (("missed", "blocked"), 0),
        (("passed", "ungraded"), None),
        (("passed", "earned"), 1),
        ((), None),
    ],
    ids=["all", "missed", "blocked", "none", "ungraded", "unknown status", "no lines"],
)
def test_points_are_those_of_the_passed_lines(statuses, points):
    assert _result("a", *statuses).points == points


@pytest.mark.parametrize(
    ("points", "maximum"),
    [(2, 1), (-1, 1), (float("nan"), 1), (float("inf"), 1), (1, float("nan")), (float("inf"), float("inf"))],
    ids=["above the maximum", "negative", "nan", "infinite", "maximum nan", "both infinite"],
)
def test_points_that_are_no_score_leave_the_task_ungraded(points, maximum):
    assert _result("a", "passed", points=points, maximum=maximum).points is None


@given(
    st.lists(st.tuples(st.sampled_from(["passed", "missed", "blocked", "ungraded"]), st.floats()), max_size=5),
    st.floats(),
)
def test_points_are_finite_and_within_their_bounds_or_none(lines, maximum):
    made = tuple(
        LineResult(str(i), RubricLine("a", points, Text("a line")), status) for i, (status, points) in enumerate(lines)
    )
    points = TaskResult("a", maximum, made).points
    assert points is None or (math.isfinite(points) and 0 <= points <= maximum)


@pytest.mark.parametrize(
    ("statuses", "full"),
    [(("passed",), True), (("passed", "missed"), False), (("ungraded",), False)],
    ids=["full", "part", "ungraded"],
)
def test_a_task_is_full_if_every_point_was_earned(statuses, full):
    assert _result("a", *statuses).is_full is full


# --- without a run ---------------------------------------------------------------------------------------------------


@pytest.fixture
def small_source(tmp_path: Path) -> NotebookSource:
    """Return the source of two tasks with three rubric lines."""
    lines = [_line("a", FINE), _line("b", FINE), _line("c", FINE, "other")]
    (tmp_path / "rubric.md").write_text(_table(lines), encoding="utf-8")
    return _source(tmp_path, {"first": 2, "other": 1})


def test_ungraded_leaves_every_task_without_points(small_source):
    results = ungraded(small_source, "no kernel")
    assert [result.points for result in results.values()] == [None, None]


def test_ungraded_tells_its_fault_on_every_line(small_source):
    results = ungraded(small_source, "no kernel")
    assert {line.fault for result in results.values() for line in result.lines} == {"no kernel"}


def test_refused_gives_every_task_zero(small_source):
    results = refused(small_source, Text("damaged"))
    assert [result.points for result in results.values()] == [0, 0]


def test_refused_tells_its_text_on_every_line(small_source):
    results = refused(small_source, Text("damaged"))
    assert {line.text for result in results.values() for line in result.lines} == {Text("damaged")}


# --- follow-through --------------------------------------------------------------------------------------------------

BUILDS_ON = {
    "a": (),
    "b": ("a",),
    "twin": ("a",),
    "c": ("b",),
    "d": ("carry-over", "a"),
    "e": ("c", "d"),
    "ring": ("other-ring",),
    "other-ring": ("ring",),
}


def _course(**costly: str) -> NotebookSource:
    """Return the source of tasks that build on one another as in `BUILDS_ON`; of a costly one its line that judges these."""
    cells = [
        SourceCell("task", f"task-{slug}", {}, slug, builds_on=before, costly=costly.get(slug, ""))
        for slug, before in BUILDS_ON.items()
    ]
    return _source(FOLDER, {}, cells)


@pytest.mark.parametrize(
    ("slug", "before"),
    [
        ("a", set()),
        ("b", {"a"}),
        ("c", {"a", "b"}),
        ("d", {"carry-over", "a"}),
        ("e", {"a", "b", "c", "d", "carry-over"}),
        ("unlisted", set()),
        ("ring", {"ring", "other-ring"}),
    ],
)
def test_predecessors_are_everything_that_an_answer_may_call(slug, before):
    assert _course().predecessors(slug) == before


def _plan(**states: TaskResult) -> dict[frozenset[str], set[str]]:
    return follow_through_plan(_course(d="d-1"), states, stubs={"b"})


FULL, PART, NONE, LOST = ("passed",), ("passed", "missed"), ("missed",), ("ungraded",)


@pytest.mark.parametrize("statuses", [FULL, PART, NONE, LOST], ids=["full", "part", "none", "ungraded"])
def test_a_predecessor_is_replaced_whatever_it_earned(statuses):
    assert _plan(a=_result("a", *statuses), b=_result("b", *NONE))[frozenset({"a"})] == {"b"}


def test_a_task_that_builds_on_nothing_is_not_looked_at_again():
    assert _plan(a=_result("a", *PART)) == {}


@pytest.mark.parametrize("statuses", [FULL, LOST], ids=["full", "ungraded"])
def test_a_task_that_is_full_or_ungraded_is_not_looked_at_again(statuses):
    assert _plan(a=_result("a", *NONE), b=_result("b", *statuses)) == {}


def test_an_unwritten_task_is_not_looked_at_again():
    assert _plan(a=_result("a", *NONE), b=_result("b", "missed", "blocked", unwritten=True)) == {}


def test_a_task_of_which_only_some_lines_are_unwritten_is_looked_at_again():
    lines = (*_result("b", *NONE, unwritten=True).lines, *_result("b", *NONE).lines)
    assert _plan(b=TaskResult("b", 2, lines)) == {frozenset({"a"}): {"b"}}


def test_carried_over_work_and_predecessors_of_predecessors_are_replaced_too():
    assert _plan(e=_result("e", *PART)) == {frozenset({"a", "b", "c", "d", "carry-over"}): {"e"}}


def test_tasks_with_the_same_predecessors_share_a_run():
    assert _plan(b=_result("b", *NONE), twin=_result("twin", *PART), c=_result("c", *NONE)) == {
        frozenset({"a"}): {"b", "twin"},
        frozenset({"a", "b"}): {"c"},
    }


# `d`, which builds on `a` and carried-over work, is a costly task; its line `d-1` judges the latter.


def test_a_costly_task_is_not_looked_at_again_for_nothing():
    assert _plan(a=_result("a", *FULL), d=_result("d", "missed", "passed")) == {}


@pytest.mark.parametrize(
    ("before", "own"),
    [(PART, ("missed", "passed")), (FULL, ("missed", "missed"))],
    ids=["a task before it lost points", "the carried-over work is wrong"],
)
def test_a_costly_task_is_looked_at_again_where_something_before_it_is_wrong(before, own):
    plan = _plan(a=_result("a", *before), d=_result("d", *own))
    assert plan == {frozenset({"a", "carry-over"}): {"d"}}


def test_a_better_second_grading_counts():
    assert with_follow_through(_result("b", "missed", "missed"), _result("b", "passed", "missed")).points == 1


def test_all_lines_earned_the_second_time_are_marked():
    better = with_follow_through(_result("b", "passed", "missed", "missed"), _result("b", "passed", "passed", "missed"))
    assert [line.followed for line in better.lines] == [True, True, False]


def test_a_line_that_raises_with_other_peoples_work_alone_stays_earned():
    first = _result("b", "passed", "missed", "passed", "missed", "passed")
    again = _result("b", "missed", "missed", "blocked", "passed", "missed")
    raising = tuple(replace(line, raised=line.id in ("b-0", "b-1")) for line in again.lines)
    merged = with_earned_before(first, replace(again, lines=raising))
    assert [line.status for line in merged.lines] == ["passed", "missed", "passed", "passed", "missed"]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (("passed", "missed"), ("missed", "missed")),
        (("passed", "missed"), ("missed", "passed")),
        (("passed", "passed"), ("ungraded", "passed")),
        (("ungraded", "passed"), ("passed", "passed")),
    ],
    ids=["worse", "as many points", "first full, second ungraded", "first ungraded"],
)
def test_a_second_grading_that_is_no_better_changes_nothing(first, again):
    before = _result("b", *first)
    assert with_follow_through(before, _result("b", *again)) is before


def test_a_second_grading_that_a_grader_failed_at_leaves_the_task_ungraded():
    again = _result("b", "ungraded", "passed")
    assert with_follow_through(_result("b", "passed", "missed"), again) is again


def test_control_c_in_a_grader_ends_the_run(grade):
    with pytest.raises(KeyboardInterrupt):
        grade(_line("a", "raise KeyboardInterrupt"), points={"first": 1})


def test_a_predecessor_that_is_the_reference_itself_is_not_replaced():
    states = {"a": _result("a", *FULL), "b": _result("b", *NONE)}
    assert follow_through_plan(_course(), states, {"a"}) == {}


FOLLOWED = {"followed": True}


@pytest.mark.parametrize(
    ("states", "references", "named"),
    [
        ({"a": _result("a", *FULL), "d": _result("d", *FULL, **FOLLOWED)}, (), "`d`"),
        ({"a": _result("a", *FULL, **FOLLOWED), "d": _result("d", *FULL, **FOLLOWED)}, (), "`d`"),
        ({"a": _result("a", *PART), "d": _result("d", *FULL, **FOLLOWED)}, (), ""),
        ({"a": _result("a", *FULL), "d": _result("d", *FULL, **FOLLOWED)}, {"carry-over"}, ""),
        ({"a": _result("a", *FULL), "d": _result("d", *FULL)}, (), ""),
        ({"a": _result("a", *FULL), "b": _result("b", *FULL, **FOLLOWED)}, (), ""),
    ],
    ids=["shown", "two-tasks", "a-task-is-to-blame", "the-reference", "its-own-work", "builds-on-a-task-alone"],
)
def test_a_student_is_told_of_wrong_carried_work(states, references, named):
    note = about_carried_work(_course(), states, lambda: "carry-over" in references)
    assert (named in note.en and named in note.ko) if named else note is None


def test_a_written_task_that_calls_an_unwritten_one_is_looked_at_again():
    states = {"a": _result("a", *NONE, unwritten=True), "b": _result("b", *NONE, unwritten=True)}
    assert follow_through_plan(_course(), states, stubs={"a"}) == {frozenset({"a"}): {"b"}}


# --- graders that fail at an answer -----------------------------------------------------------------------------------


def _that_has_read(task: str) -> SimpleNamespace:
    return SimpleNamespace(task=task, call=lambda *_: 1.0, has_read=True, measurements={}, missed=set())


@pytest.mark.parametrize(
    "raised", ["1 / 0", "1e200**2.0", "int('x')", "raise MemoryError", "raise RecursionError", "[].index(1)"]
)
def test_a_grader_that_fails_at_an_answer_counts_it_as_missed_and_says_so_to_the_instructor(
    grade: Grade, raised: str
) -> None:
    result = grade(_line("a", raised), _line("b", "pass"), points={"first": 2}, probe_of=_that_has_read)["first"]
    line = result.lines[0]
    assert (result.points, line.status, line.raised) == (1, "missed", True)
    assert line.text is not None and line.text.en.startswith("This can't be judged") and line.text.ko
    assert "Error" in line.fault and "Error" not in line.text.en


@pytest.mark.parametrize(
    "raised", ["raise KeyError('a')", "assert False", "None.x", "raise TypeError", "raise OSError"]
)
def test_a_slip_in_a_grader_leaves_its_task_ungraded_whatever_was_read(grade: Grade, raised: str) -> None:
    result = grade(_line("a", raised), points={"first": 1}, probe_of=_that_has_read)["first"]
    assert (result.points, result.lines[0].status) == (None, "ungraded")


def test_a_grader_that_fails_before_there_is_an_answer_leaves_its_task_ungraded(grade: Grade) -> None:
    assert grade(_line("a", "1 / 0"), points={"first": 1})["first"].points is None
