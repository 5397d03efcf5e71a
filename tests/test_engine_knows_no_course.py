"""The engine holds nothing of one course: a second one, of another subject, is built, released, graded and reported by it."""

from __future__ import annotations

import ast
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "autograder"
SECOND = Path(__file__).with_name("second_course")
ASSIGNMENT, NOTEBOOK = "01-k-means", "k_means.ipynb"
# Words of this project's course. Docstrings may show them as examples; code may not depend on them.
OF_THE_COURSE = re.compile(
    r"transformer|attention|softmax|positional.?enc|sinusoid|multi.?head|(?<!json)decoder|encoder.?block|look.?ahead.?mask"
    r"|teacher.?forcing|greedy|bert|k.?v.?cache|feed.?forward|layer.?norm",
    re.IGNORECASE,
)
OF_LIBRARIES = re.compile(
    r"(input|ast|token)_?transformers?\w*|TransformerManager|inputtransformer2|_TRANSFORMERS|\btransformers\b"
)

# Functions of Keras and TensorFlow that a module replaces have the names that these libraries give them.
OF_REPLACED = {
    "quick_layers.py": re.compile(r"^LayerNormalization$"),
    "quick_tensorflow.py": re.compile(
        r"^(_layer_normalization|dot_product_attention|flash_attention|attn_logits_soft_cap|softmax)$"
    ),
}


def words_of(path: Path) -> Iterator[str]:
    """Yield the names and the strings of a module, docstrings left out; of another file all of its text."""
    if path.suffix != ".py":
        yield path.read_text(encoding="utf-8")
        return
    text = path.read_text(encoding="utf-8")
    documentation = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                documentation.add(first.value.lineno)
    with open(path, "rb") as file:
        for token in tokenize.tokenize(file.readline):
            is_text = token.type in (tokenize.NAME, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1))
            if is_text and token.start[0] not in documentation:
                yield token.string


def course_words(path: Path) -> list[str]:
    replaced = OF_REPLACED.get(path.name, re.compile(r"(?!)"))
    found = [OF_LIBRARIES.sub("", word) for word in words_of(path) if not replaced.match(word)]
    return [match[0] for word in found for match in OF_THE_COURSE.finditer(word)]


ENGINE_FILES = [
    path for path in sorted(ENGINE.rglob("*")) if path.suffix in (".py", ".html", ".j2", ".md") and path.stat().st_size
]


@pytest.mark.parametrize("path", ENGINE_FILES, ids=lambda path: str(path.relative_to(ENGINE)))
def test_the_engine_names_nothing_of_a_course(path: Path) -> None:
    assert course_words(path) == []


def test_the_words_would_be_found(tmp_path: Path) -> None:
    path = tmp_path / "engine.py"
    path.write_text(
        '"""Docstrings may say attention."""\nlayer = keras.layers.MultiHeadAttention\ntext = f"a softmax of {x}"\n'
    )
    assert sorted(word.lower() for word in course_words(path)) == ["attention", "multihead", "softmax"]


def run(course: Path, *command: str) -> str:
    """Run a command of the environment in the course's folder; return what it printed."""
    program = Path(sys.executable).with_name(command[0])
    environment = {name: value for name, value in os.environ.items() if name != "AUTOGRADER_DB_URL"}
    environment["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(
        [str(program), *command[1:]], cwd=course, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def answered(released: Path, slug: str, code: str) -> nbformat.NotebookNode:
    notebook = nbformat.read(released, as_version=4)
    next(cell for cell in notebook.cells if cell.id == f"task-{slug}").source = code
    return notebook


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The second course, built."""
    folder = tmp_path_factory.mktemp("second") / "course"
    shutil.copytree(SECOND, folder, ignore=shutil.ignore_patterns("__pycache__"))
    run(folder, "autograder", "build")
    return folder


@pytest.mark.course
def test_another_course_is_proven(second: Path) -> None:
    proof = json.loads(run(second, "autograder", "check", "--json", "--quiet"))
    assert proof["proven"]
    (tally,) = proof["assignments"]
    assert tally["mistakes"] == {"good": 6, "of": 6} and tally["alternatives"] == {"good": 2, "of": 2}


@pytest.mark.course
def test_another_course_is_released_graded_reported_and_walked_through_feedback(second: Path) -> None:
    run(second, "autograder", "release")
    released = second / "assignments" / "en" / ASSIGNMENT / NOTEBOOK
    wrong = (
        "def nearest_center(points, centers):\n    distances = squared_distances(points, centers)\n"
        "    return distances.shape[1] - 1 - np.argmin(distances[:, ::-1], axis=1)\n"
    )
    right = "def squared_distances(points, centers):\n    return ((points[:, None] - centers) ** 2).sum(-1)\n"
    for student, slug, code in (("ada", "distances", right), ("bob", "nearest", wrong)):
        path = second / "submitted" / student / ASSIGNMENT / NOTEBOOK
        path.parent.mkdir(parents=True)
        nbformat.write(answered(released, slug, code), path)
    run(second, "nbgrader", "autograde", ASSIGNMENT)
    run(second, "nbgrader", "generate_feedback", ASSIGNMENT)
    (report,) = json.loads(run(second, "autograder", "report", ASSIGNMENT, "--json", "--quiet"))
    points = {entry["student"]: entry["points"] for entry in report["submissions"]}
    assert points["ada"] == {"distances": 4, "nearest": 0, "move": 0}
    assert points["bob"] == {"distances": 0, "nearest": 2, "move": 0}  # graded beside a right task 1
    page = (second / "feedback" / "bob" / ASSIGNMENT / NOTEBOOK.replace(".ipynb", ".html")).read_text(encoding="utf-8")
    assert "the index of the nearest center" in page and "it isn't the first" in html.unescape(page)


@pytest.mark.course
def test_a_new_course_is_green_from_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "Statistics I"
    run(tmp_path, "autograder", "new", str(folder))
    run(folder, "autograder", "build")
    proof = json.loads(run(folder, "autograder", "check", "--json", "--quiet"))
    assert proof["proven"] and 'id="statistics-i"' in (folder / "course_config.py").read_text(encoding="utf-8")
    assert (folder / ".gitignore").is_file()
    out = run(folder, "autograder", "demo", "01-first-steps")
    points = {line.split()[0]: line.split()[-1] for line in out.splitlines() if line.strip()}
    assert {student: points[student] for student in ("right-english", "syntax-error", "untouched")} == {
        "right-english": "3",
        "syntax-error": "0",
        "untouched": "0",
    }
    assert "half-done" not in points and "two-mistakes" not in points
    (page,) = re.findall(r"demo-class/feedback/.*html", out)
    assert (folder / page).is_file()


def test_a_new_course_never_overwrites(tmp_path: Path) -> None:
    from autograder.base.errors import CourseError
    from autograder.commands.new_course import make_course

    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(CourseError, match="must be new or empty"):
        make_course(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
