"""The committed student releases: what they must hold, and what must never reach them."""

from __future__ import annotations

import ast
import filecmp
import re
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.base.errors import CourseError
from autograder.commands import demo
from autograder.gradebook.database import open_gradebook
from autograder.gradebook.handout import pack
from autograder.gradebook.release import build, check_source
from autograder.sources.course import Course, load_course
from autograder.sources.translations import RECORD

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parent.parent
ASSIGNMENTS = sorted(path.parent.name for path in (ROOT / "solutions").glob("[0-9]*/notebook.py"))
HIDDEN_FILES = ("graders.py", "tasks/*.py", "reference.py", "mistakes.py", "alternatives/*.py")
REGION = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.DOTALL)
BOILERPLATE = {"super().__init__(**kwargs)", "def call(self, inputs):", "def __init__("}  # also in given parts
# Shorter lines (`return x`) are no one's secret.
TELLING = 40


@pytest.fixture(scope="module")
def rebuilt(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A copy of the course, built from its sources alone."""
    copy = load_course(demo.copy_course(course, tmp_path_factory.mktemp("rebuilt")))
    build(copy)
    return copy


def released(root: Path, assignment: str, language: str) -> Path:
    return next((root / "assignments" / language / assignment).glob("*.ipynb"))


def telling_lines(code: str) -> set[str]:
    return {line.strip() for line in code.split("\n") if len(line.strip()) >= TELLING}


def said_in_comments(code: str) -> str:
    """Return the text of whole-line comments: in the catalogues they hold hints, in two languages, and edits of cells."""
    return "\n".join(re.findall(r"^# (?:ko: |[-+] )?(.*)$", code, re.MULTILINE))


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_committed_release_is_what_its_source_builds(rebuilt: Course, assignment: str, language: str) -> None:
    assert filecmp.cmp(
        released(ROOT, assignment, language), released(rebuilt.root, assignment, language), shallow=False
    )


def test_building_again_writes_the_same_bytes(rebuilt: Course, tmp_path: Path) -> None:
    shutil.copytree(rebuilt.root / "assignments", tmp_path / "before")
    build(rebuilt)
    for assignment in ASSIGNMENTS:
        before = released_in(tmp_path / "before" / "en", assignment)
        assert filecmp.cmp(before, released(rebuilt.root, assignment, "en"), shallow=False)


def released_in(folder: Path, assignment: str) -> Path:
    return next((folder / assignment).glob("*.ipynb"))


def test_building_registers_every_assignment(rebuilt: Course) -> None:
    with open_gradebook(rebuilt) as gradebook:
        assert {assignment.name for assignment in gradebook.assignments} == set(ASSIGNMENTS)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_both_languages_hold_the_same_cells_and_the_same_code(assignment: str) -> None:
    english, korean = (nbformat.read(released(ROOT, assignment, lang), as_version=4) for lang in ("en", "ko"))
    assert [cell.id for cell in english.cells] == [cell.id for cell in korean.cells]
    for one, other in zip(english.cells, korean.cells, strict=True):
        if one.cell_type == "code":
            assert shape_of(one.source) == shape_of(other.source), one.id


def shape_of(code: str) -> str:
    """Return the code without comments and with every string emptied: what must not differ between languages."""

    class Emptied(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.Constant:
            return ast.Constant("") if isinstance(node.value, str) else node

        def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
            return ast.Constant("")

    return ast.dump(Emptied().visit(ast.parse(code)))


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_no_solution_line_is_released(course: Course, assignment: str, language: str) -> None:
    path = released(ROOT, assignment, language)
    stubs = "\n".join(
        cell.source for cell in nbformat.read(path, as_version=4).cells if cell.id.startswith(("task-", "carry-over"))
    )
    source = course.source(assignment)
    for task in source.defined_names:
        code = source.known_cells[task].texts[language]
        for region in REGION.findall(code):
            lines = {line.strip() for line in region.split("\n") if len(line.strip()) >= 12} - BOILERPLATE
            assert not {line for line in lines if line in stubs}, task
    assert "SOLUTION" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", HIDDEN_FILES)
def test_no_line_of_the_hidden_files_is_released(name: str) -> None:
    hidden: set[str] = set()
    found = list((ROOT / "solutions").glob(f"[0-9]*/{name}"))
    assert len(found) >= len(ASSIGNMENTS)
    for path in (*found, *(ROOT / "solutions" / "_shared").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        hidden |= telling_lines(text) | telling_lines(said_in_comments(text))
    for path in (ROOT / "assignments").rglob("*.ipynb"):
        code = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
        code += "\n" + said_in_comments(code)
        # a task's own signature is public, wherever it is written again
        leaked = {
            line
            for line in hidden & telling_lines(code)
            if not line.startswith(("def ", "class ", "@", "from ", "import "))
        }
        allowed = stub_lines(path)
        assert not leaked - allowed, path.name


def stub_lines(path: Path) -> set[str]:
    """Return the lines of the stubs, which the catalogues' whole-cell answers repeat."""
    cells = nbformat.read(path, as_version=4).cells
    return telling_lines("\n".join(cell.source for cell in cells if cell.id.startswith(("task-", "carry-over"))))


@pytest.mark.parametrize(
    "path", sorted((ROOT / "assignments").rglob("*.ipynb")), ids=lambda p: f"{p.parts[-3]}-{p.stem}"
)
def test_a_release_is_a_valid_notebook_that_imports_nothing_of_ours(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert not cell.outputs and cell.execution_count is None
            assert not re.search(r"^\s*(?:from|import) autograder", cell.source, re.MULTILINE)


def test_nothing_but_notebooks_their_requirements_and_their_font_is_released() -> None:
    files = [
        path for path in (ROOT / "assignments").rglob("*") if path.is_file() and ".ipynb_checkpoints" not in path.parts
    ]
    assert {path.name for path in files if path.suffix != ".ipynb"} == {
        "requirements.txt",
        "NanumGothic.ttf",
        "OFL.txt",
    }


def test_what_lies_beside_a_staged_notebook_is_not_released(rebuilt: Course) -> None:
    assignment = next(iter(rebuilt.source_paths))
    stray = rebuilt.staging / "en" / assignment / "weights.h5"
    stray.write_bytes(b"left by a run")
    build(rebuilt, [assignment])
    assert not list((rebuilt.root / "assignments").rglob("*.h5"))


@pytest.fixture(scope="module")
def zips(rebuilt: Course) -> dict[str, Path]:
    """Language -> what students of one assignment get."""
    shutil.copytree(ROOT / "docs", rebuilt.root / "docs")
    shutil.copy(ROOT / "assignments" / "requirements.txt", rebuilt.root / "assignments")
    shutil.copytree(ROOT / "assignments" / "fonts", rebuilt.root / "assignments" / "fonts")
    # opened and solved where it lies, as instructors do
    with released(rebuilt.root, "02-attention", "en").open("a", encoding="utf-8") as file:
        file.write("SOLUTION")
    return {path.stem[-2:]: path for path in pack(rebuilt, ["02-attention"], rebuilt.root / "releases")}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_students_get_notebooks_requirements_font_and_guide_and_nothing_else(
    zips: dict[str, Path], language: str
) -> None:
    notebook = "02-attention/scaled_dot_product_attention.ipynb"
    top = f"transformer-{language}/"
    with zipfile.ZipFile(zips[language]) as archive:
        contents = {info.filename.removeprefix(top): archive.read(info) for info in archive.infolist()}
    fonts = {name: contents.pop(name) for name in ("fonts/NanumGothic.ttf", "fonts/OFL.txt")}
    assert all(text == (ROOT / "assignments" / name).read_bytes() for name, text in fonts.items())
    assert sorted(contents) == [notebook, "AGENTS.md", "README.md", "glossary.md", "requirements.txt"]
    assert contents[notebook] == (ROOT / "assignments" / language / notebook).read_bytes()
    guide = contents["README.md"].decode()
    links = re.findall(r"\]\(([^)]+)\)", guide)
    assert set(links) <= set(contents), links
    assert (re.search("[가-힣]{3}", guide) is not None) == (language == "ko")
    everything = b"\n".join(contents.values()).decode()
    assert not re.search(
        r"SOLUTION|/(home|root|tmp)/|course_secret|autograder\.modules|(graders|reference|mistakes|alternatives)\.py",
        everything,
    )


def test_packing_again_writes_the_same_bytes(zips: dict[str, Path], rebuilt: Course, tmp_path: Path) -> None:
    again = pack(rebuilt, ["02-attention"], tmp_path)
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in zips.values()]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["transformer-en.zip", "transformer-ko.zip"]


def test_a_course_without_the_guide_is_told_so(zips: dict[str, Path], rebuilt: Course, tmp_path: Path) -> None:
    (rebuilt.root / "docs" / "students.md").rename(tmp_path / "students.md")
    with pytest.raises(CourseError, match=r"must be in the course.*students\.md: No such file"):
        pack(rebuilt, ["02-attention"], tmp_path)


def test_code_to_repair_is_released_as_it_is_broken() -> None:
    path = released(ROOT, "08-debugging-clinic", "en")
    stub = next(c for c in nbformat.read(path, as_version=4).cells if c.id == "task-fix-dropped-feed-forward").source
    assert stub.endswith("    # YOUR CODE HERE\n    return x + attended")
    assert "# broken" not in path.read_text(encoding="utf-8")


def test_tasks_that_change_under_submissions_are_explained(rebuilt: Course) -> None:
    name = rebuilt.source("02-attention").name
    with Gradebook(rebuilt.database_url, rebuilt.id) as gradebook:
        gradebook.add_grade_cell("grade-dropped", name, "02-attention", max_score=1, cell_type="code")
        gradebook.add_student("ada")
        gradebook.add_submission("02-attention", "ada")
    source, record = rebuilt.root / "solutions" / "02-attention" / "notebook.py", rebuilt.root / "solutions" / RECORD
    source.write_text(source.read_text().replace("Attention", "Our attention", 1).replace("어텐션", "우리 어텐션", 1))
    record.write_text("".join(line for line in record.read_text().splitlines(True) if "02-attention" not in line))
    folders = (rebuilt.root / "assignments", rebuilt.staging)

    def contents() -> dict[Path, bytes]:
        return {path: path.read_bytes() for folder in folders for path in folder.rglob("*.ipynb")} | {
            record: record.read_bytes()
        }

    before = contents()
    with pytest.raises(
        CourseError, match=r"no submissions to an assignment whose tasks change\. Received: 02-attention"
    ):
        build(load_course(rebuilt.root), ["02-attention"])
    assert contents() == before
    assert sorted(path.name for path in rebuilt.staging.iterdir()) == sorted(rebuilt.languages)


def test_points_that_do_not_add_up_are_told_on_both_sides(course: Course) -> None:
    source = course.source("01-positional-encoding")
    cells = tuple(replace(c, points=3.0) if c.id == "grade-invariance" else c for c in source.cells)
    said = r"Received: invariance with lines of 2 and a cell of 3 points in 01-.*01-positional-encoding/rubric\.md\.$"
    with pytest.raises(CourseError, match=said):
        check_source(course, replace(source, cells=cells))
