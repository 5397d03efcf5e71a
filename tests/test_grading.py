"""From grader modules to points, with small made-up graders: what earns, what misses, what stays ungraded."""

from __future__ import annotations

import importlib.util
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder import grading
from autograder.errors import AnswerMissing, AnswerRaised, MachineError
from autograder.grading import (
    LineResult,
    TaskResult,
    follow_through_plan,
    line_id,
    predecessors,
    refused,
    run_graders,
    ungraded,
    with_follow_through,
)
from autograder.mistakes import Mistake
from autograder.rubric import RubricLine
from autograder.text import Text

HINT = Text("Look at the axis.", "축을 보세요.")
HEADER = """\
import sys

import pytest

from autograder.errors import GraderError, MachineError
from autograder.rubric import Miss, expect_that, rubric
from autograder.text import Text

BUILDS_ON = {}
MISSED = Text("It is wrong.", "틀렸습니다.")
"""
DRAWN = "raise Miss(Text(str(draw.integer(0, 10**12))))"
numbers = itertools.count()
Grade = Callable[..., dict[str, TaskResult]]


def _line(name: str, body: str, task: str = "first", points: float = 1, needs: tuple[str, ...] = ()) -> str:
    return (
        f'\n\n@rubric("{task}", {points}, Text("a line"), needs={needs})\ndef test_{name}(probe, draw):\n    {body}\n'
    )


def _probe_of(task: str) -> SimpleNamespace:
    return SimpleNamespace(task=task, call=lambda *_: 1.0)


@pytest.fixture(scope="module")
def grade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grade]:
    """Return a function that writes a grader module of the given lines and runs it."""
    folder = tmp_path_factory.mktemp("graders")

    def module_of(notebook: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"plain_{notebook}", folder / f"{notebook}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def run(
        *lines: str,
        points: Mapping[str, float],
        probe_of: Callable[[str], object] = _probe_of,
        seed: str = "seed",
        tasks: set[str] | None = None,
    ) -> dict[str, TaskResult]:
        notebook = f"made_up_{next(numbers)}"
        (folder / f"{notebook}.py").write_text(HEADER + "".join(lines), encoding="utf-8")
        return run_graders(notebook, points, probe_of, seed, tasks)

    mistake = Mistake("wrong-axis", "first", HINT, "", frozenset())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grading, "GRADERS", folder)
        patch.setattr(grading, "grader_module", module_of)
        patch.setattr(grading, "mistakes_of", lambda notebook: {mistake.id: mistake})
        yield run


# One grader module with a task for each of these, graded once: task -> lines of (body, numbers of the lines it needs).
MISSES, FINE, FAULTY = "raise Miss(MISSED)", "pass", "1 / 0"
TASKS: dict[str, list[tuple[str, tuple[int, ...]]]] = {
    "passed": [(FINE, ())],
    "half": [(FINE, ()), (MISSES, ())],
    "hinted": [("raise Miss(MISSED, 'wrong-axis')", ())],
    "unheard-of": [("raise Miss(MISSED, 'unheard-of')", ())],
    "blocked": [(MISSES, ()), (FINE, (0,))],
    "blocked-faulty": [(MISSES, ()), (FAULTY, (0,))],
    "blocked-chain": [(MISSES, ()), (FINE, (0,)), (FINE, (1,))],
    "unblocked": [(FINE, ()), (FINE, (0,))],
    "one-of-two": [(MISSES, ()), (FINE, ()), (FINE, (1, 0))],
    "two-of-two": [(MISSES, ()), (MISSES, ()), (FINE, (1, 0))],
    "needs-later": [(FINE, (1,)), (FINE, ())],
    "needs-nothing-known": [(FINE, (7,))],
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
OTHER_TASKS = ("bad-teardown", "no-fixture", "without-rubric", "last")
BAD_FIXTURES = """

@pytest.fixture
def fragile():
    yield
    1 / 0

@rubric("bad-teardown", 1, Text("a line"))
def test_bad_teardown(fragile):
    pass

@rubric("no-fixture", 1, Text("a line"))
def test_no_fixture(no_such_fixture):
    pass

def test_without_rubric():
    pass
"""
ANSWERS = {
    "stub": AnswerRaised(Text("Not written yet."), ("NotImplementedError", "RuntimeError")),
    "raises": AnswerRaised(Text("Your code raised ValueError."), ("ValueError", "Exception")),
    "missing": AnswerMissing(Text("`softmax` is not defined.")),
}


def _answering(task: str) -> SimpleNamespace:
    def call() -> None:
        raise ANSWERS[task]

    return SimpleNamespace(call=call)


def _lines_of(task: str) -> Iterator[str]:
    name = task.replace("-", "_")
    for number, (body, needs) in enumerate(TASKS[task]):
        yield _line(f"{name}_{number}", body, task, needs=tuple(f"{task}-{need}" for need in needs))


@pytest.fixture(scope="module")
def graded(grade: Grade) -> dict[str, TaskResult]:
    """Return what became of every task of `TASKS`, graded in one run."""
    lines = [line for task in TASKS for line in _lines_of(task)]
    points = {task: len(lines) for task, lines in TASKS.items()} | ODD_POINTS | dict.fromkeys(OTHER_TASKS, 1)
    return grade(*lines, BAD_FIXTURES, _line("last", FINE, "last"), points=points, probe_of=_answering)


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


def test_a_named_mistake_adds_its_hint(graded):
    (line,) = graded["hinted"].lines
    assert line.text == Text("It is wrong. Look at the axis.", "틀렸습니다. 축을 보세요.")


def test_a_named_mistake_is_kept(graded):
    assert graded["hinted"].lines[0].mistake == "wrong-axis"


def test_a_mistake_that_is_not_in_the_catalogue_adds_nothing(graded):
    assert graded["unheard-of"].lines[0].text == Text("It is wrong.", "틀렸습니다.")


def test_tasks_come_in_the_order_of_their_points(graded):
    assert list(graded) == [*TASKS, *OTHER_TASKS]


def test_lines_come_in_the_order_of_the_module(graded):
    assert [line.id for line in graded["blocked-chain"].lines] == [f"blocked-chain-{i}" for i in range(3)]


def test_a_test_without_rubric_line_gives_no_line(graded):
    assert graded["without-rubric"].lines == ()


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
        ("needs-later", ["ungraded", "passed"]),
        ("needs-nothing-known", ["ungraded"]),
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
        *("bad-teardown", "no-fixture", "without-rubric", "needs-nothing-known"),
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
        ("needs-nothing-known", "a line it needs is ungraded"),
        ("adds-up-to-less", "the rubric does not add up to 3 points"),
    ],
    ids=["division", "grader error", "unknown need", "sum"],
)
def test_a_fault_of_a_grader_is_told_to_the_instructor(graded, task, fault):
    assert graded[task].lines[0].fault == fault


def test_a_fault_of_a_grader_is_not_told_to_the_student(graded):
    assert graded["assertion-error"].lines[0].text is None


def test_a_grader_module_that_cannot_be_collected_leaves_everything_ungraded(grade, monkeypatch):
    rubric = {"a": RubricLine("first", 1, Text("a line"))}
    monkeypatch.setattr(grading, "rubric_of", lambda notebook: rubric)
    (line,) = grade(_line("a", FINE), "\n1 / 0\n", points={"first": 1})["first"].lines
    assert (line.status, line.fault) == ("ungraded", "its grader did not run")


@pytest.mark.parametrize("options", ["-x --collect-only", "-n 2"], ids=["known", "unknown to the graders' pytest"])
def test_the_instructors_pytest_options_do_not_matter(grade, monkeypatch, options):
    monkeypatch.setenv("PYTEST_ADDOPTS", options)
    assert grade(_line("a", MISSES), _line("b", FINE), points={"first": 2})["first"].points == 1


def test_a_failing_machine_leaves_the_rest_ungraded(grade):
    lines = _line("a", FINE, "a"), _line("b", "raise MachineError('no disk')", "b"), _line("c", FINE, "c")
    results = grade(*lines, points={"a": 1, "b": 1, "c": 1})
    assert {slug: [(line.status, line.fault) for line in result.lines] for slug, result in results.items()} == {
        "a": [("passed", "")],
        "b": [("ungraded", "MachineError: no disk")],
        "c": [("ungraded", "no disk")],
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

RUBRIC = {name: RubricLine(task, 1, Text(name)) for name, task in (("a", "first"), ("b", "first"), ("c", "other"))}


@pytest.fixture
def made_up_rubric(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grading, "rubric_of", lambda notebook: RUBRIC)


@pytest.mark.usefixtures("made_up_rubric")
def test_ungraded_leaves_every_task_without_points():
    results = ungraded("notebook", {"first": 2, "other": 1}, "no kernel")
    assert [result.points for result in results.values()] == [None, None]


@pytest.mark.usefixtures("made_up_rubric")
def test_ungraded_tells_its_fault_on_every_line():
    results = ungraded("notebook", {"first": 2, "other": 1}, "no kernel")
    assert {line.fault for result in results.values() for line in result.lines} == {"no kernel"}


@pytest.mark.usefixtures("made_up_rubric")
def test_refused_gives_every_task_zero():
    results = refused("notebook", {"first": 2, "other": 1}, Text("damaged"))
    assert [result.points for result in results.values()] == [0, 0]


@pytest.mark.usefixtures("made_up_rubric")
def test_refused_tells_its_text_on_every_line():
    results = refused("notebook", {"first": 2, "other": 1}, Text("damaged"))
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


@pytest.fixture
def small_course(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the notebook's tasks build on one another as in `BUILDS_ON`."""
    monkeypatch.setattr(grading, "grader_module", lambda notebook: SimpleNamespace(BUILDS_ON=BUILDS_ON))


@pytest.mark.usefixtures("small_course")
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
    assert predecessors("notebook", slug) == before


def _plan(**states: TaskResult) -> dict[frozenset[str], set[str]]:
    return follow_through_plan("notebook", states, stubs={"b"})


FULL, PART, NONE, LOST = ("passed",), ("passed", "missed"), ("missed",), ("ungraded",)


@pytest.mark.usefixtures("small_course")
@pytest.mark.parametrize("statuses", [FULL, PART, NONE, LOST], ids=["full", "part", "none", "ungraded"])
def test_a_predecessor_is_replaced_whatever_it_earned(statuses):
    assert _plan(a=_result("a", *statuses), b=_result("b", *NONE))[frozenset({"a"})] == {"b"}


@pytest.mark.usefixtures("small_course")
def test_a_task_that_builds_on_nothing_is_not_looked_at_again():
    assert _plan(a=_result("a", *PART)) == {}


@pytest.mark.usefixtures("small_course")
@pytest.mark.parametrize("statuses", [FULL, LOST], ids=["full", "ungraded"])
def test_a_task_that_is_full_or_ungraded_is_not_looked_at_again(statuses):
    assert _plan(a=_result("a", *NONE), b=_result("b", *statuses)) == {}


@pytest.mark.usefixtures("small_course")
def test_an_unwritten_task_is_not_looked_at_again():
    assert _plan(a=_result("a", *NONE), b=_result("b", "missed", "blocked", unwritten=True)) == {}


@pytest.mark.usefixtures("small_course")
def test_a_task_of_which_only_some_lines_are_unwritten_is_looked_at_again():
    lines = (*_result("b", *NONE, unwritten=True).lines, *_result("b", *NONE).lines)
    assert _plan(b=TaskResult("b", 2, lines)) == {frozenset({"a"}): {"b"}}


@pytest.mark.usefixtures("small_course")
def test_carried_over_work_and_predecessors_of_predecessors_are_replaced_too():
    assert _plan(e=_result("e", *PART)) == {frozenset({"a", "b", "c", "d", "carry-over"}): {"e"}}


@pytest.mark.usefixtures("small_course")
def test_tasks_with_the_same_predecessors_share_a_run():
    assert _plan(b=_result("b", *NONE), twin=_result("twin", *PART), c=_result("c", *NONE)) == {
        frozenset({"a"}): {"b", "twin"},
        frozenset({"a", "b"}): {"c"},
    }


@pytest.fixture
def costly_course(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `d`, which builds on `a` and carried-over work, a costly task; its line `d-1` judges the latter."""
    module = SimpleNamespace(BUILDS_ON=BUILDS_ON, COSTLY={"d": "d-1"})
    monkeypatch.setattr(grading, "grader_module", lambda notebook: module)


@pytest.mark.usefixtures("costly_course")
def test_a_costly_task_is_not_looked_at_again_for_nothing():
    assert _plan(a=_result("a", *FULL), d=_result("d", "missed", "passed")) == {}


@pytest.mark.usefixtures("costly_course")
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


def test_lines_earned_only_the_second_time_are_marked():
    better = with_follow_through(_result("b", "passed", "missed", "missed"), _result("b", "passed", "passed", "missed"))
    assert [line.followed for line in better.lines] == [False, True, False]


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


@pytest.mark.usefixtures("small_course")
def test_a_predecessor_that_is_the_reference_itself_is_not_replaced():
    states = {"a": _result("a", *FULL), "b": _result("b", *NONE)}
    assert follow_through_plan("notebook", states, {"a"}) == {}


@pytest.mark.usefixtures("small_course")
def test_a_written_task_that_calls_an_unwritten_one_is_looked_at_again():
    states = {"a": _result("a", *NONE, unwritten=True), "b": _result("b", *NONE, unwritten=True)}
    assert follow_through_plan("notebook", states, stubs={"a"}) == {frozenset({"a"}): {"b"}}
