"""The rubrics, mistakes and alternatives of every notebook, held against each other without grading anything."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.grading import runner as grading
from autograder.grading.naming import grader_files, has_record, staleness
from autograder.sources.course import Course
from autograder.sources.notebooks import read_source
from tests.nameable import nameable

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {path.parent.name: path.parent for path in sorted((ROOT / "solutions").glob("[0-9]*/notebook.py"))}
assignments = pytest.mark.parametrize("assignment", list(FOLDERS))


@assignments
def test_an_assignment_has_20_points(course: Course, assignment: str) -> None:
    assert sum(course.source(assignment).points.values()) == 20


@assignments
def test_rubric_lines_add_up_to_each_tasks_points(course: Course, assignment: str) -> None:
    totals = dict.fromkeys(course.source(assignment).points, 0.0)
    for line in course.source(assignment).rubric.values():
        totals[line.task] += line.points
    assert totals == course.source(assignment).points


@assignments
def test_each_line_has_a_test_and_each_test_a_line(course: Course, assignment: str) -> None:
    assert grading.unmatched(course.source(assignment).rubric, grading.tests_of(FOLDERS[assignment])) == ""


@assignments
def test_rubrics_are_in_the_notebooks_order(course: Course, assignment: str) -> None:
    lines = course.source(assignment).rubric.values()
    assert list(dict.fromkeys(line.task for line in lines)) == list(course.source(assignment).points)


@assignments
def test_every_rubric_line_is_missed_by_some_mistake(course: Course, assignment: str) -> None:
    missed = {line for mistake in grading.mistakes_of(FOLDERS[assignment]).values() for line in mistake.misses}
    assert set(course.source(assignment).rubric) - missed == set()


@assignments
def test_mistakes_name_tasks_and_lines_that_exist(course: Course, assignment: str) -> None:
    rubric = course.source(assignment).rubric
    for mistake in grading.mistakes_of(FOLDERS[assignment]).values():
        assert mistake.misses and all(rubric[line].task == mistake.task for line in mistake.misses), mistake.id
        ast.parse(mistake.code)


@assignments
def test_every_cell_and_file_of_the_catalogue_is_valid_python(assignment: str) -> None:
    for path in (FOLDERS[assignment] / "mistakes.py", *(FOLDERS[assignment] / "alternatives").glob("*.py")):
        ast.parse(path.read_text(encoding="utf-8"))
    for alternative in grading.alternatives_of(FOLDERS[assignment]).values():
        assert all(ast.parse(code) for code in alternative.cells.values()), alternative.id
    for variant in grading.variants_of(FOLDERS[assignment]).values():
        assert all(ast.parse(code) for code in variant.cells.values()), variant.id


RECORDED = [
    "01-positional-encoding",
    "02-attention",
    "03-multi-head-attention",
    "04-masks",
    "05-encoder-decoder-blocks",
    "06-transformer",
    "07-training",
    "08-debugging-clinic",
    "09-bert-and-gpt",
    "10-modern-transformer",
]
recorded = pytest.mark.parametrize("assignment", RECORDED)


def test_the_assignments_with_a_record_are_known() -> None:
    assert [name for name, folder in FOLDERS.items() if has_record(folder)] == RECORDED


@recorded
def test_a_record_is_of_todays_questions_and_mistakes_and_as_it_was_recorded(assignment: str) -> None:
    assert staleness(read_source(FOLDERS[assignment] / "notebook.py")) == ""


@recorded
def test_where_names_come_from_the_record_no_grader_holds_a_mistakes_id(assignment: str) -> None:
    known = set(grading.mistakes_of(FOLDERS[assignment]))
    others = ("mistakes.py", "notebook.py")
    files = [p for p in FOLDERS[assignment].glob("*.py") if p.name not in others and not p.name.startswith("test_")]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in files]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    strings = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    rubric = set(grading.tests_of(FOLDERS[assignment]))
    assert strings & (known - rubric) == set()


@recorded
def test_nearly_every_mistake_has_answers_that_are_its_own(assignment: str) -> None:
    source = read_source(FOLDERS[assignment] / "notebook.py")
    mistakes = grading.mistakes_of(source.folder)
    # trainings aren't recorded: some have a sentence, none must
    asked = [i for i, entry in mistakes.items() if entry.task not in source.costly or entry.sentence]
    named = [*nameable(source), *(i for i, entry in mistakes.items() if entry.sentence)]
    assert len(named) >= 0.93 * len(asked)


@assignments
def test_there_are_right_alternatives(assignment: str) -> None:
    assert len(grading.alternatives_of(FOLDERS[assignment])) >= 3


@assignments
def test_graders_expect_and_never_assert(assignment: str) -> None:
    files = [path for path in grader_files(FOLDERS[assignment]) if "def test_" in path.read_text(encoding="utf-8")]
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}
    assert files
    assert not [(path, node.lineno) for path in files for node in ast.walk(trees[path]) if isinstance(node, ast.Assert)]


@pytest.mark.slow
def test_no_file_names_a_machine_or_a_registry() -> None:
    forbidden = re.compile("|".join(("py" + "pi", "python" + "hosted", "npm" + "js", "/ro" + "ot/", "/wo" + "rk/")))
    for path in ROOT.rglob("*"):
        inside = path.relative_to(ROOT).parts
        is_text = path.suffix in (".py", ".md", ".toml", ".txt", "") and "__pycache__" not in inside
        if (
            is_text
            and path.is_file()
            and inside[0]
            in (
                "autograder",
                "solutions",
                "tests",
                "docs",
                "benchmarks",
                "README.md",
                "pyproject.toml",
                "run",
                ".ci",
                "constraints.txt",
            )
        ):
            assert not forbidden.search(path.read_text(encoding="utf-8")), path


def test_graders_import_no_framework():
    """Graders run in every worker: an import of TensorFlow would cost each of them seconds and 700 MB."""
    code = (
        "import sys; from pathlib import Path; from autograder.sources.modules import course_module\n"
        f"for folder in {[str(folder) for folder in FOLDERS.values()]}:\n"
        "    for name in ('graders', 'reference'):\n"
        "        course_module(Path(folder), name)\n"
        "print(sorted({'keras', 'tensorflow', 'jax', 'torch', 'matplotlib'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
