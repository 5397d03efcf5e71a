"""`autograder check --quick`: entries that compute with NumPy alone, graded in this process."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.base.errors import CourseError
from autograder.commands.cli import app
from autograder.grading.runner import mistakes_of
from autograder.proof import quick
from autograder.proof.check import Case, with_answers
from autograder.proof.quick import check_quickly, quick_cases
from autograder.sources.course import Course, load_course
from autograder.sources.notebooks import NotebookSource
from autograder.submissions.submission import Submission

SECOND = Path(__file__).resolve().parent / "second_course"
ASSIGNMENT = "01-k-means"


@pytest.fixture
def second(tmp_path: Path) -> Path:
    """Returns a copy of the second course, whose cells import NumPy only."""
    folder = tmp_path / "course"
    shutil.copytree(SECOND, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_every_entry_comes_out_as_it_must(second: Path) -> None:
    course = load_course(second)
    (tally,) = check_quickly(course, [ASSIGNMENT])
    assert [(r.case.id, r.failed) for r in tally.results if r.failed] == []
    assert len(tally.of("mistake")) >= 6 and len(tally.of("alternative")) >= 2


def test_an_entry_that_says_the_wrong_lines_fails(second: Path) -> None:
    path = second / "solutions" / ASSIGNMENT / "mistakes.py"
    text = path.read_text(encoding="utf-8")
    header = 'mistake="farthest" task="nearest" misses="nearest-index"'
    assert header in text
    path.write_text(text.replace(header, header.replace("nearest-index", "nearest-ties")), encoding="utf-8")
    (tally,) = check_quickly(load_course(second), [ASSIGNMENT], "mistake:farthest")
    assert "does not miss nearest-ties" in tally.results[0].failed
    assert "also misses nearest-index" in tally.results[0].failed


def test_an_endless_loop_is_stopped_and_costs_its_lines(second: Path) -> None:
    code = next((second / "solutions" / ASSIGNMENT / "alternatives").glob("*.py"))
    text = code.read_text(encoding="utf-8")
    head, _, body = text.partition("def ")
    signature, _, rest = body.partition("\n")
    code.write_text(f"{head}def {signature}\n    while True:\n        pass\n{rest}", encoding="utf-8")
    course = load_course(second)
    impatient = replace(course, limits=replace(course.limits, answer_seconds=0.3))
    (tally,) = check_quickly(impatient, [ASSIGNMENT], f"alternative:{code.stem}")
    assert "Stopped after 0.3 s" in tally.results[0].failed


def test_a_verdict_that_is_luck_is_found_by_many_draws(second: Path) -> None:
    path = second / "solutions" / ASSIGNMENT / "graders.py"
    text = path.read_text(encoding="utf-8")
    values = '    """Every distance."""\n'
    assert values in text
    unlucky = '    expect_that(draw.integer(0, 9) < 9, Text("What was drawn is unlucky."))\n'
    path.write_text(text.replace(values, values + unlucky), encoding="utf-8")
    course = load_course(second)
    (once,) = check_quickly(course, [ASSIGNMENT], "solution:,mistake:farthest")
    assert [r.case.kind for r in once.results] == ["mistake"]
    (often,) = check_quickly(course, [ASSIGNMENT], "solution:,mistake:farthest", draws=60)
    solution, farthest = often.results
    found = re.fullmatch(r"distances-values missed: What was drawn is unlucky\. \((\d+) of 60 draws\)", solution.failed)
    assert found and 1 <= int(found[1]) < 30
    assert solution.case == Case(ASSIGNMENT, "solution", "en")
    assert not farthest.failed  # another task's


def test_draws_are_for_the_quick_check_alone(second: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(second)
    result = CliRunner().invoke(app, ["check", "--draws", "20"])
    assert isinstance(result.exception, CourseError) and "Add --quick" in str(result.exception)


@pytest.mark.parametrize("options", [["--quick"], ["--only", "solution:en"]], ids=["quick", "in kernels"])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("graders.py", r"must have a file graders\.py\. Received: no .*graders\.py\. Write it"),
        ("rubric.md", "no line for the test"),
    ],
    ids=["without graders", "without a line"],
)
def test_an_assignment_that_is_incomplete_is_told_in_one_sentence(
    second: Path, monkeypatch: pytest.MonkeyPatch, name: str, said: str, options: list[str]
) -> None:
    path = second / "solutions" / ASSIGNMENT / name
    rest = [line for line in path.read_text(encoding="utf-8").splitlines(True) if "| distances-shape |" not in line]
    path.unlink() if name == "graders.py" else path.write_text(
        "".join(rest).replace("distances-shape", ""), encoding="utf-8"
    )
    monkeypatch.chdir(second)
    result = CliRunner().invoke(app, ["check", *options])
    assert isinstance(result.exception, CourseError) and re.search(said, str(result.exception))


def test_entries_that_name_a_framework_are_left_out(course: Course) -> None:
    quick = {case.id for case in quick_cases(course, "06-transformer") if case.kind == "alternative"}
    assert not quick  # all of them make layers
    assert {case.id for case in quick_cases(course, "02-attention") if case.kind == "alternative"} >= {
        "numpy",
        "boolean-mask",
    }


def test_it_is_no_proof(second: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(second)
    result = CliRunner().invoke(app, ["check", "--quick", "--record", str(tmp_path / "record.json")])
    assert result.exit_code != 0 and not (tmp_path / "record.json").exists()


NARROW = """

def _narrow(function):
    def computing(*args, **kwargs):
        narrow = lambda x: x.astype(np.float32) if isinstance(x, np.ndarray) and x.dtype == np.float64 else x
        return function(*map(narrow, args), **{name: narrow(x) for name, x in kwargs.items()})
    return computing

"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("assignment", "entries", "least"),
    [("01-positional-encoding", 20, 20), ("02-attention", 35, 33), ("04-masks", 35, 30)],
)
def test_a_mistake_has_its_name_in_float32_too(
    course: Course, assignment: str, entries: int, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every mistake that computes with NumPy, its arguments made float32 first, and so all that comes of them."""
    source = course.source(assignment)
    known = mistakes_of(source.folder)

    def in_float32(source: NotebookSource, case: Case) -> tuple[Submission, str]:
        mistake = known[case.id]
        names = [name for name in source.defined_names[f"task-{mistake.task}"] if f"def {name}(" in mistake.code]
        code = mistake.code + NARROW + "\n".join(f"{name} = _narrow({name})" for name in names) + "\n"
        return with_answers(source, {mistake.task: code}), "none"

    monkeypatch.setattr(quick, "submission_of", in_float32)
    results = [quick.run_quickly(course, case) for case in quick_cases(course, assignment, "mistake:")]
    assert [r.case.id for r in results if r.misnamed] == []
    same_lines = [r for r in results if "miss" not in r.failed]
    assert len(same_lines) >= entries and sum(r.named for r in same_lines) >= least
