"""Mutants of right answers: what the operators make, which are drawn, which may survive, and that the command tells the others."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.base.errors import CourseError
from autograder.commands.cli import app
from autograder.grading.runner import LineResult, TaskResult
from autograder.proof.mutants import Mutant, mutants_of, mutants_of_cell, sampled
from autograder.proof.mutate import judged, mutate, tallies_of
from autograder.proof.survivors import FILE_NAME, CleanRun, digest, entry_of, read_accepted, write_clean
from autograder.sources.course import Course, load_course

ROOT = Path(__file__).resolve().parent.parent
ASSIGNMENTS = sorted(path.parent.name for path in (ROOT / "solutions").glob("[0-9]*/notebook.py"))
SECOND = Path(__file__).with_name("second_course")
SECOND_ASSIGNMENT = "01-k-means"


@cache
def all_mutants(course_root: Path, assignment: str) -> tuple[Mutant, ...]:
    """Return an assignment's mutants, made once."""
    return tuple(mutants_of(load_course(course_root).source(assignment)))


def changed(code: str, operator: str) -> set[str]:
    """Return the lines that an operator puts into a cell."""
    found = [mutant.diff for mutant in mutants_of_cell("a-task", code) if mutant.operator == operator]
    return {line[2:] for diff in found for line in diff.splitlines() if line.startswith("+ ")}


# --- operators -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operator", "line", "others"),
    [
        ("arithmetic", "x = a + b", {"x = a - b"}),
        ("arithmetic", "a //= b", {"a *= b", "a %= b"}),
        ("operand-drop", "x = a / b", {"x = a", "x = b"}),
        ("operand-swap", "x = a - b", {"x = b - a"}),
        ("operand-drop", "x = a and b", {"x = a", "x = b"}),
        ("unary-drop", "x = -a", {"x = a"}),
        ("comparison", "x = a < 2", {"x = a <= 2", "x = a > 2"}),
        ("boolean", "x = a or b", {"x = a and b"}),
        ("boolean", "x = f(a, keepdims=True)", {"x = f(a, keepdims=False)"}),
        ("int-constant", "x = a[2]", {"x = a[3]", "x = a[1]"}),
        ("float-constant", "x = 0.5", {"x = 5.0", "x = 0.05", "x = -0.5"}),
        ("float-constant", "x = 0.0", {"x = 1.0"}),
        ("axis", "x = f(a, axis=-1)", {"x = f(a, axis=-2)", "x = f(a, axis=0)", "x = f(a, axis=1)"}),
        ("argument-swap", "x = f(a, 2)", {"x = f(2, a)"}),
        ("argument-drop", "x = f(a, 2)", {"x = f(a)"}),
        ("keyword-drop", "x = f(axis=0)", {"x = f()"}),
        ("call-drop", "x = np.exp(a)", {"x = a"}),
        ("twin-function", "x = np.sin(a)", {"x = np.cos(a)"}),
        ("element-drop", "x = (a, b)", {"x = (a,)", "x = (b,)"}),
        ("element-swap", "x = [a, b]", {"x = [b, a]"}),
        ("element-drop", "x = {'a': a, 'b': b}", {"x = {'a': a}", "x = {'b': b}"}),
        ("slice-bound-drop", "x = a[1:b]", {"x = a[:b]", "x = a[1:]"}),
        ("slice-bound-add", "x = a[:b]", {"x = a[1:b]"}),
        ("index-drop", "x = a[0]", {"x = a"}),
        ("variable", "x = a", {"x = b"}),
        ("branch", "x = a if b else 0", {"x = a", "x = 0"}),
        ("statement-drop", "a = a + b", {"pass"}),
        ("statement-drop", "f(a)", {"pass"}),
        ("string", "x = f(a, 'relu')", {"x = f(a, 'relux')"}),
    ],
)
def test_an_operator_changes_one_place(operator: str, line: str, others: set[str]) -> None:
    made = changed(f"def f(a, b):\n    {line}\n", operator)
    assert made == others or (operator == "variable" and others < made)


def test_a_return_loses_a_part() -> None:
    assert changed("def f(a, b):\n    return a, b\n", "return-part") == {"return a", "return b"}
    assert changed("def f(a, b):\n    return int(a)\n", "return-part") == {"return a"}


def test_a_branch_is_taken_or_not() -> None:
    (taken, left) = [
        m.code
        for m in mutants_of_cell("t", "def f(a):\n    if a:\n        a = 1\n    return a")
        if m.operator == "branch"
    ]
    assert taken == "def f(a):\n    a = 1\n    return a\n"
    assert left == "def f(a):\n    pass\n    return a\n"


def test_a_default_and_what_an_error_says_are_changed() -> None:
    code = "def f(a, rate=0.1, flag=True):\n    raise ValueError(f'a must be small. Received: {a}.')\n"
    assert "def f(a, rate=1.0, flag=True):" in changed(code, "default")
    assert "def f(a, rate=0.1, flag=False):" in changed(code, "default")
    assert changed(code, "message") == {
        "raise ValueError(f'?{a}.')",
        "raise ValueError(f'a must be small. Received: ?.')",
    }
    assert changed(code, "exception") == {"raise TypeError(f'a must be small. Received: {a}.')"}


def test_attributes_of_the_same_object_stand_in_for_each_other() -> None:
    code = "class A:\n    def __init__(self, a, b):\n        self.a = a\n        self.b = b\n    def get(self):\n        return self.a\n"
    assert changed(code, "attribute") == {"return self.b"}


@pytest.mark.parametrize(
    "line", ["x = f(a, dtype='float32')", "x = a.astype('int32')", "'A docstring.'", "x = np.maximum(a, b)"]
)
def test_what_tells_nothing_is_left_out(line: str) -> None:
    made = mutants_of_cell("t", f"def f(a, b):\n    {line}\n    return 1\n")
    assert not [m.diff for m in made if m.operator in ("string", "argument-swap", "message")]
    assert not [m.diff for m in made if "docstring" in m.diff]


def test_comments_marks_and_docstrings_are_no_part_of_a_mutant() -> None:
    code = 'def f(a):\n    """Two."""\n    ### BEGIN SOLUTION\n    return a + 2  # two\n    ### END SOLUTION\n'
    assert {m.code for m in mutants_of_cell("t", code) if m.operator == "arithmetic"} == {
        "def f(a):\n    return a - 2\n"
    }


@pytest.mark.parametrize(
    "assignment", [a if a[:2] in ("01", "02", "04") else pytest.param(a, marks=pytest.mark.slow) for a in ASSIGNMENTS]
)
def test_every_mutant_is_a_python_cell_of_its_own(course: Course, assignment: str) -> None:
    mutants = all_mutants(course.root, assignment)
    assert len(mutants) > 200
    assert len({m.id for m in mutants}) == len({(m.task, m.code) for m in mutants}) == len(mutants)
    assert not {m.task for m in mutants} & set(course.source(assignment).costly)


# --- samples ---------------------------------------------------------------------------------------------------------


def test_an_id_depends_on_its_own_lines_alone() -> None:
    one = mutants_of_cell("t", "def f(a):\n    b = 2\n    return a + b\n")
    other = mutants_of_cell("t", "def f(a):\n    b = 3\n    return a + b\n")
    same = {m.id for m in one if "return" in m.diff}
    assert same and same == {m.id for m in other if "return" in m.diff}
    assert not {m.id for m in one if "return" not in m.diff} & {m.id for m in other}
    assert not same & {m.id for m in mutants_of_cell("u", "def f(a):\n    b = 2\n    return a + b\n")}
    twice = mutants_of_cell("t", "def f(a):\n    a = a + 1\n    a = a + 1\n    return a\n")
    assert len({m.id for m in twice}) == len(twice)


def test_a_sample_is_fair_to_tasks_and_operators_and_the_same_each_time(course: Course) -> None:
    mutants = mutants_of(course.source("04-masks"))
    drawn = sampled(mutants, 60, 0)
    assert {m.id for m in drawn} == {m.id for m in sampled(mutants[::-1], 60, 0)}
    assert drawn == sampled(mutants, 90, 0)[:60]
    assert {m.id for m in drawn} != {m.id for m in sampled(mutants, 60, 1)}
    tasks = [m.task for m in drawn]
    assert {tasks.count(task) for task in tasks} == {len(drawn) // len(set(tasks))}
    operators = {m.operator for m in mutants if m.task == "decoder-mask"}
    of_one = [m.operator for m in drawn if m.task == "decoder-mask"]
    assert set(of_one[: len(operators)]) == operators and len(of_one) > len(operators)
    assert len(sampled(mutants, 0, 0)) == len(mutants)


# --- verdicts and accepted survivors ---------------------------------------------------------------------------------

MUTANT = Mutant("0123abcd", "t", "arithmetic", "- return a + b\n+ return a - b", "def f(a, b):\n    return a - b\n")


def test_what_lost_points_is_killed(course: Course) -> None:
    rubric = course.source("04-masks").rubric
    lines = {name: line for name, line in rubric.items() if line.task == "padding-mask"}

    def result(**statuses: str) -> TaskResult:
        return TaskResult(
            "padding-mask",
            3,
            tuple(
                LineResult(name, line, statuses.get(name.replace("-", "_"), "passed"), kind="wrong")
                for name, line in lines.items()
            ),
        )

    assert judged(MUTANT, result()).state == "survived"
    last = list(lines)[-1]
    killed = judged(MUTANT, result(**{last.replace("-", "_"): "missed"}))
    assert (killed.state, killed.missed, killed.is_silent) == ("killed", (last,), True)
    assert judged(MUTANT, result(**{last.replace("-", "_"): "ungraded"})).state == "ungraded"


def test_an_entry_needs_its_kind_and_reason(tmp_path: Path) -> None:
    assert read_accepted(tmp_path).survivors == {}
    path = tmp_path / FILE_NAME
    path.write_text(entry_of(MUTANT), encoding="utf-8")
    with pytest.raises(CourseError, match="kind is one of"):
        read_accepted(tmp_path)
    text = entry_of(MUTANT).replace('kind = ""', 'kind = "equivalent"')
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match="reason"):
        read_accepted(tmp_path)
    text = text.replace('reason = ""', 'reason = "The same."')
    path.write_text(text, encoding="utf-8")
    (survivor,) = read_accepted(tmp_path).survivors.values()
    assert (survivor.id, survivor.diff) == (MUTANT.id, MUTANT.diff)
    path.write_text(text + text, encoding="utf-8")
    with pytest.raises(CourseError, match="twice"):
        read_accepted(tmp_path)


def test_a_clean_run_is_remembered_beside_the_entries(tmp_path: Path) -> None:
    text = entry_of(MUTANT).replace('kind = ""', 'kind = "minor"').replace('reason = ""', 'reason = "So."')
    (tmp_path / FILE_NAME).write_text(f"# Ours.\n\n{text}", encoding="utf-8")
    for run in (CleanRun("aa", 0, 60), CleanRun("bb", 1, 0)):
        write_clean(tmp_path, run)
        found = read_accepted(tmp_path)
        assert found.clean == run and list(found.survivors) == [MUTANT.id]
    assert (tmp_path / FILE_NAME).read_text(encoding="utf-8").startswith("# Ours.\n\nclean = {")


def test_a_run_covers_what_it_has_graded() -> None:
    run = CleanRun("aa", 0, 60)
    assert run.covers(CleanRun("aa", 0, 60)) and run.covers(CleanRun("aa", 0, 20))
    assert not run.covers(CleanRun("aa", 0, 61)) and not run.covers(CleanRun("aa", 0, 0))
    assert not run.covers(CleanRun("aa", 1, 60)) and not run.covers(CleanRun("bb", 0, 60))
    assert CleanRun("aa", 0, 0).covers(CleanRun("aa", 7, 60))


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_accepted_survivors_are_still_made(course: Course, assignment: str) -> None:
    survivors = read_accepted(course.source(assignment).folder).survivors.values()
    mutants = {m.id: m for m in all_mutants(course.root, assignment)} if survivors else {}
    for survivor in survivors:
        assert survivor.id in mutants, f"{survivor.id} of {assignment} isn't made any more: leave it out"
        assert (survivor.task, survivor.diff) == (mutants[survivor.id].task, mutants[survivor.id].diff)


def test_what_is_unchanged_is_left_out(course: Course, tmp_path: Path) -> None:
    folder = tmp_path / "course"
    shutil.copytree(SECOND, folder, ignore=shutil.ignore_patterns("__pycache__"))
    second = load_course(folder)
    ((tally, drawn),) = tallies_of(second, [SECOND_ASSIGNMENT], 5, 0, only_changed=True).values()
    assert len(drawn) == 5 and not tally.covered
    write_clean(second.source(SECOND_ASSIGNMENT).folder, tally.run)
    ((tally, drawn),) = tallies_of(second, [SECOND_ASSIGNMENT], 5, 0, only_changed=True).values()
    assert tally.covered and not drawn
    ((tally, drawn),) = tallies_of(second, [SECOND_ASSIGNMENT], 5, 0).values()
    assert len(drawn) == 5
    graders = folder / "solutions" / SECOND_ASSIGNMENT / "graders.py"
    graders.write_text(graders.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    ((tally, drawn),) = tallies_of(load_course(folder), [SECOND_ASSIGNMENT], 5, 0, only_changed=True).values()
    assert len(drawn) == 5 and not tally.covered
    assert digest(second.source(SECOND_ASSIGNMENT)) == tally.run.of


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_hole_in_a_grader_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a grader that looks at shapes alone most mutants survive; in ours none of the sample but accepted ones."""
    folder = tmp_path / "course"
    shutil.copytree(SECOND, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(folder)
    command = ["mutate", SECOND_ASSIGNMENT, "--sample", "6", "--workers", "1", "--json"]
    sound = CliRunner().invoke(app, command)
    record = json.loads(sound.stdout)["assignments"][0]
    assert len(record["results"]) == 6 and not [r for r in record["results"] if r["state"] == "ungraded"]
    survived = {r["id"] for r in record["results"] if r["state"] == "survived"}
    assert sound.exit_code == bool(survived)

    path = folder / "solutions" / SECOND_ASSIGNMENT / "graders.py"
    text = path.read_text(encoding="utf-8")
    assert "def test_nearest_index(" in text
    path.write_text(text + "\n\nexpect_close = lambda *_, **__: None\n", encoding="utf-8")
    holed = CliRunner().invoke(app, command)
    now = json.loads(holed.stdout)["assignments"][0]
    assert holed.exit_code == 1 and {r["id"] for r in now["results"] if r["state"] == "survived"} > survived
    assert "[[survivor]]" in holed.stderr


@pytest.mark.slow
def test_no_mutant_of_a_sample_survives_unaccepted(course: Course) -> None:
    """A sample of one cheap assignment each time; all of them: `autograder mutate` by hand, before a release."""
    ((tally, drawn),) = tallies_of(course, ["04-masks"], 24, 0).values()
    tally.results = mutate(course, {"04-masks": drawn})["04-masks"]
    assert [r.mutant.diff for r in tally.new] == [] and [r.fault for r in tally.of("ungraded")] == []
    assert [(r.name, r.doubt) for r in tally.doubted] == []
    assert len(tally.results) == 24 and len(tally.of("killed")) > 16
