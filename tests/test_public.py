"""`autograder release --public`: exactly what a public repository may hold, and nothing of the grading."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import nbformat
import pytest
from searching import found, squeezed

from autograder.base.errors import CourseError
from autograder.base.trees import SUMS
from autograder.commands import cli, demo
from autograder.gradebook.public import public_contents, write_public
from autograder.sources.course import Course, load_course
from autograder.sources.notebooks import SOLUTION_REGION

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("en", "ko")
HIDDEN_FILES = (
    "graders.py",
    "tasks/*.py",
    "reference.py",
    "mistakes.py",
    "alternatives/*.py",
    "rubric.md",
    "tests/test_*.py",
)
HIDDEN, ANSWER = 40, 20  # characters: shorter lines are no one's secret
EXAMPLE = ["01-positional-encoding", "02-attention"]


@pytest.fixture(scope="module")
def copied(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A copy of the course as an instructor has it in the middle of a term: with a secret, submissions and grades."""
    root = demo.copy_course(course, tmp_path_factory.mktemp("course"))
    shutil.copytree(ROOT / "docs", root / "docs")
    (root / "assignments").mkdir()
    shutil.copy(ROOT / "assignments" / "requirements.txt", root / "assignments")
    shutil.copytree(ROOT / "assignments" / "fonts", root / "assignments" / "fonts")
    for name in ("LICENSE", "LICENSE-prose.md", "README.md"):
        shutil.copy(ROOT / name, root)
    for name in ("submitted/ada/02-attention/x.ipynb", "feedback/ada.html", "grades.csv", "releases/gradescope.zip"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("of a student")
    return load_course(root)


@pytest.fixture(scope="module")
def published(copied: Course, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("public") / "fork"
    # opened and solved where it lies, as instructors do
    stray = copied.root / "assignments" / "en" / "02-attention" / "scaled_dot_product_attention.ipynb"
    stray.parent.mkdir(parents=True)
    stray.write_text("SOLUTION")
    write_public(copied, (), folder)
    return folder


def names_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_it_holds_these_files_and_no_other(published: Path, copied: Course) -> None:
    notebooks = {
        f"assignments/{language}/{assignment}/{name}.ipynb"
        for language in LANGUAGES
        for assignment, name in copied.notebook_names.items()
    }
    assert len(notebooks) == 2 * len(copied.source_paths) >= 20
    assert names_in(published) == notebooks | {
        *("README.md", "README.ko.md", "glossary.md", "AGENTS.md", "requirements.txt", "LICENSE", "LICENSE-prose.md"),
        *("assignments/fonts/NanumGothic.ttf", "assignments/fonts/OFL.txt", SUMS),
    }


def test_the_releases_are_built_anew_and_are_those_that_students_get(published: Path) -> None:
    for path in sorted((ROOT / "assignments").rglob("*.ipynb")):
        assert (published / path.relative_to(ROOT)).read_bytes() == path.read_bytes(), path.name


def test_no_solution_no_hidden_file_and_no_secret_is_in_it(published: Path, copied: Course) -> None:
    texts = {name: (published / name).read_text("utf-8") for name in names_in(published) if not name.endswith(".ttf")}
    code = {
        name: squeezed("\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells))
        for name, text in texts.items()
        if name.endswith(".ipynb")
    }
    everything = "\n".join([*code.values(), *(squeezed(text) for name, text in texts.items() if name not in code)])
    given: list[str] = []  # what students read anyway
    answers: set[str] = set()
    for assignment in copied.source_paths:
        for cell in copied.source(assignment).cells:
            for text in cell.texts.values():
                given.append(squeezed(SOLUTION_REGION.sub("", text)))
                answers.update(squeezed(line) for part in SOLUTION_REGION.findall(text) for line in part.splitlines())
    hidden = {
        squeezed(line)
        for name in HIDDEN_FILES
        for path in (ROOT / "solutions").glob(f"[0-9]*/{name}")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    secret = {line for line in answers if len(line) >= ANSWER} | {line for line in hidden if len(line) >= HIDDEN}
    # a task's own signature is public, wherever it is written again
    signatures = ("def", "class", "@", "from", "import")
    looked_for = {line for line in secret - found(secret, "\n".join(given), ANSWER) if not line.startswith(signatures)}
    assert len(looked_for) > 5000
    assert found(looked_for, everything, ANSWER) == set()
    assert copied.secret not in everything and "BEGINSOLUTION" not in everything
    assert "ofastudent" not in everything
    assert str(copied.root) not in "".join(texts.values())


def test_the_guide_leads_to_its_twin_and_to_nothing_that_is_missing(published: Path) -> None:
    for name, twin in (("README.md", "README.ko.md"), ("README.ko.md", "README.md")):
        text = (published / name).read_text(encoding="utf-8")
        links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]
        assert twin in links and all((published / link).is_file() for link in links), links
        assert (re.search("[가-힣]{3}", text.replace("한국어", "")) is not None) == (name == "README.ko.md")


def test_writing_again_changes_nothing_and_a_repository_stays_one(published: Path, copied: Course) -> None:
    (published / ".git").mkdir()
    (published / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    before = {name: (published / name).read_bytes() for name in names_in(published)}
    write_public(copied, EXAMPLE, published)
    fewer = names_in(published)
    assert (
        fewer < set(before)
        and ".git/HEAD" in fewer
        and not (published / "assignments/en/03-multi-head-attention").exists()
    )
    write_public(copied, (), published)
    assert {name: (published / name).read_bytes() for name in names_in(published)} == before


@pytest.mark.parametrize("name", ["solutions/02-attention/graders.py", "notes.txt"])
def test_a_folder_with_anything_else_is_refused_at_once_and_left_alone(
    copied: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("autograder.gradebook.public.build", lambda *_: pytest.fail("releases were built before"))
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(CourseError, match=f"must be new, empty, or as this command left it.*{name}"):
        write_public(copied, EXAMPLE, tmp_path)
    assert names_in(tmp_path) == {name}


def test_the_courses_own_folder_is_refused(copied: Course) -> None:
    with pytest.raises(CourseError, match="must be new, empty"):
        write_public(copied, EXAMPLE, copied.root)


def test_a_course_without_documents_publishes_its_releases(tmp_path: Path) -> None:
    folder = tmp_path / "course"
    shutil.copytree(Path(__file__).with_name("second_course"), folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert write_public(load_course(folder), (), tmp_path / "fork") == ["assignments/en/01-k-means/k_means.ipynb"]


def test_the_document_for_instructors_names_all_of_it(copied: Course, published: Path) -> None:
    """`docs/peers.md` says what may be public: the command writes that, and nothing that it keeps."""
    table = (ROOT / "docs" / "peers.md").read_text(encoding="utf-8").partition("## What may be public")[2]
    rows = [row for row in table.splitlines() if row.startswith("| `")]
    public = {
        name
        for row in rows
        if row.split("|")[2].strip().startswith("yes")
        for name in re.findall("`([^`]+)`", row.split("|")[1])
    }
    kept = {
        name
        for row in rows
        if row.split("|")[2].strip().startswith("no")
        for name in re.findall("`([^`]+)`", row.split("|")[1])
    }
    for name in public_contents(copied):
        assert any(name == each or (each.endswith("/") and name.startswith(each)) for each in public), name
        assert not any(name == each or (each.endswith("/") and name.startswith(each)) for each in kept), name
    assert {"solutions/", ".course_secret", "gradebook.db", "submitted/", "feedback/"} <= kept


def test_public_never_goes_with_solutions(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", ["autograder", "release", "--solutions", "--public", str(tmp_path / "fork")])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2 and "--public never goes with --solutions" in capsys.readouterr().err
    assert not (tmp_path / "fork").exists()
