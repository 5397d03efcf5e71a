"""What students get after the due date: the solutions and the rubric, and nothing of the graders."""

from __future__ import annotations

import json
import shutil
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from typer.testing import CliRunner

from autograder.base.errors import CourseError
from autograder.commands import cli
from autograder.gradebook import solutions
from autograder.gradebook.solutions import pack_solutions, solved_notebook, withheld
from autograder.grading import runner
from autograder.grading.naming import grader_files
from autograder.grading.runner import mistakes_of
from autograder.sources.course import Course
from autograder.sources.notebooks import HANGUL
from autograder.sources.pictures import with_pictures

DUE = datetime(2026, 11, 3, 15, tzinfo=UTC)
FIRST, SECOND, THIRD = "01-positional-encoding", "02-attention", "03-multi-head-attention"


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook: making one takes nbgrader seconds."""
    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    with Gradebook(f"sqlite:///{path}") as gradebook:
        gradebook.add_assignment(FIRST, duedate="2026-11-03 15:00:00 UTC")
        gradebook.add_assignment(SECOND, duedate="2126-11-03 15:00:00 UTC")
        gradebook.add_assignment(THIRD)
    return path


@pytest.fixture
def term(course: Course, dated: Path, tmp_path: Path) -> Course:
    """A course of three assignments, the first due, the second due later, the third without a date."""
    (tmp_path / "solutions").mkdir()
    for name in (FIRST, SECOND, THIRD, "_shared", "translations.txt"):
        (tmp_path / "solutions" / name).symlink_to(course.root / "solutions" / name)
    shutil.copy(dated, tmp_path)
    return Course(id="c", root=tmp_path, secret="0123456789abcdef", database_url=f"sqlite:///{tmp_path}/gradebook.db")


def names_in(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


@pytest.mark.parametrize(("hours", "is_held"), [(-1, True), (0, False), (1, False)])
def test_solutions_wait_for_the_due_date(term: Course, hours: int, is_held: bool) -> None:
    held = withheld(term, [FIRST], DUE + timedelta(hours=hours))
    assert [(each.assignment, each.due) for each in held] == [(FIRST, DUE)] * is_held


def test_solutions_wait_for_whoever_has_an_extension(term: Course, tmp_path: Path) -> None:
    assert pack_solutions(term, [FIRST], tmp_path / "out")
    (tmp_path / "extensions.csv").write_text(f"student,assignment,until\nada,{FIRST},2126-01-01 12:00\n")
    with pytest.raises(CourseError, match="01-positional-encoding, due 2126-01-01"):
        pack_solutions(term, [FIRST], tmp_path / "other")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ([SECOND], "02-attention, due 2126-11-03 15:00:00 UTC"),
        ([FIRST, SECOND], "02-attention, due 2126"),
        ([THIRD], "03-multi-head-attention, which has no due date in the gradebook"),
    ],
)
def test_an_assignment_that_was_named_before_its_due_date_stops_everything(
    term: Course, tmp_path: Path, named: list[str], says: str
) -> None:
    with pytest.raises(CourseError, match=says):
        pack_solutions(term, named, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_without_a_name_those_are_packed_that_are_due(
    term: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    zips = pack_solutions(term, [], tmp_path / "out", said.append)
    assert [path.name for path in zips] == ["c-solutions-en.zip", "c-solutions-ko.zip"]
    for path, language in zip(zips, ("en", "ko"), strict=True):
        assert names_in(path) == [f"c-solutions-{language}/{FIRST}/positional_encoding_solved.ipynb"]
    assert [line.split(",")[0] for line in said if line.startswith("left out")] == [
        f"left out {SECOND}",
        f"left out {THIRD}",
    ]
    before = [path.read_bytes() for path in zips]
    assert [path.read_bytes() for path in pack_solutions(term, [FIRST], tmp_path / "out")] == before
    with Gradebook(term.database_url) as gradebook:
        gradebook.update_or_create_assignment(FIRST, duedate="2126-11-03 15:00:00 UTC")
    with pytest.raises(CourseError, match="nobody may hand in any more"):
        pack_solutions(term, [], tmp_path / "out")


def test_an_explicit_option_overrides_the_date(term: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "load_course", lambda: term)
    arguments = ["release", "--solutions", SECOND, "--folder", str(tmp_path / "out")]
    refused = CliRunner().invoke(cli.app, arguments)
    assert isinstance(refused.exception, CourseError) and "--early" in str(refused.exception)
    assert CliRunner().invoke(cli.app, [*arguments, "--early"]).exit_code == 0
    assert "c-solutions-ko" in names_in(tmp_path / "out" / "c-solutions-ko.zip")[0]
    alone = CliRunner().invoke(cli.app, ["release", "--early"])
    assert isinstance(alone.exception, CourseError)


def assignments() -> list[str]:
    root = Path(__file__).resolve().parent.parent / "solutions"
    return sorted(path.parent.name for path in root.glob("[0-9]*/notebook.py"))


def is_telling(line: str) -> bool:
    """Whether a line is code, not a shape in a docstring."""
    return len(line) > 20 and not line.startswith("(")


@pytest.mark.parametrize("assignment", assignments())
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_solved_notebook_holds_no_grader_and_no_hidden_input(course: Course, assignment: str, language: str) -> None:
    source = course.source(assignment)
    known = {
        cell.id: with_pictures(cell.texts[language], source.folder, language).splitlines() for cell in source.cells
    }
    cells = solved_notebook(source, language).cells
    rubrics = [cell for cell in cells if cell.id not in known]
    for cell in cells:  # the released text and the solution, or a rubric
        assert cell in rubrics or set(cell.source.splitlines()) <= {"", *known[cell.id]}
    assert [cell.id for cell in rubrics] == [f"rubric-{slug}" for slug in source.points]
    text = "\n".join(cell.source for cell in rubrics)
    for file in grader_files(source.folder):
        lines = {line.strip() for line in file.read_text(encoding="utf-8").splitlines()}
        assert not [line for line in lines if is_telling(line) and line in text]
    codes = [line.strip() for mistake in mistakes_of(source.folder).values() for line in mistake.code.splitlines()]
    assert not [line for line in codes if is_telling(line) and line in text]
    for word in ("draw.", "probe.", "oracle.", "autograder", course.secret, *map(runner.test_name, source.rubric)):
        assert word not in text
    assert not [mistake for mistake in mistakes_of(source.folder) if mistake in text.split()]


@pytest.mark.parametrize("assignment", assignments())
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_solved_notebook_is_whole_and_says_why_each_line_is_there(
    course: Course, assignment: str, language: str
) -> None:
    source = course.source(assignment)
    notebook = solved_notebook(source, language)
    nbformat.validate(notebook)
    cells = {cell.id: cell for cell in notebook.cells}
    assert len(cells) == len(notebook.cells)
    assert "nbgrader" not in json.dumps([cell.metadata for cell in notebook.cells])
    answers = "\n".join(cell.source for cell in notebook.cells if cell.id.startswith("task-"))
    for trace in ("SOLUTION", "YOUR CODE HERE", "NotImplementedError()", "# broken:"):
        assert trace not in answers
    for slug in source.points:
        compile(cells[f"task-{slug}"].source, slug, "exec")
        text = cells[f"rubric-{slug}"].source
        for identity, line in source.rubric.items():
            if line.task == slug:
                (said,) = [part for part in text.split("\n- ") if f"**{line.title.in_language(language)}**" in part]
                hints = {
                    m.hint.in_language(language) for m in mistakes_of(source.folder).values() if identity in m.misses
                }
                shown = [hint for hint in hints if f"  - {hint}" in said]
                assert len(shown) == min(len(hints), solutions.MAX_HINTS) > 0
        assert bool(HANGUL.search(text)) is (language == "ko")
