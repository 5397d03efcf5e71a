"""A release by itself: its public checks need no network and no program of ours, so a learner without a class has them too."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from autograder.commands.demo import fill
from autograder.sources.course import Course

ROOT = Path(__file__).resolve().parent.parent
RELEASES = sorted((ROOT / "assignments").rglob("*.ipynb"))
# Colab's own module is looked for, never needed.
PROVIDED = {*sys.stdlib_module_names, "IPython", "keras", "matplotlib", "numpy", "scipy", "tensorflow", "jax", "torch"}
ASSIGNMENT = "02-attention"

# Runs the cells of a notebook in a plain IPython shell, with neither our package nor nbgrader nor a socket.
ALONE = """
import json, socket, sys

def refused(*args, **kwargs):
    raise OSError("there is no network")

sys.modules["autograder"] = sys.modules["nbgrader"] = None
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refused
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

shell, told = InteractiveShell(), {}
for name, code in json.load(open(sys.argv[1])):
    with capture_output() as captured:
        result = shell.run_cell(code)
    error = result.error_before_exec or result.error_in_exec
    told[name] = captured.stdout + "".join(str(o) for o in captured.outputs), error and f"{type(error).__name__}: {error}"
print("told:" + json.dumps(told))
"""


def imported(code: str) -> set[str]:
    """Return the top modules that code imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or ".").partition(".")[0])
    return found


@pytest.mark.parametrize("path", RELEASES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_release_imports_what_everybody_can_install(path: Path) -> None:
    cells = nbformat.read(path, as_version=4).cells
    assert set().union(*(imported(cell.source) for cell in cells if cell.cell_type == "code")) <= PROVIDED


def run_alone(notebook: nbformat.NotebookNode, folder: Path) -> dict[str, tuple[str, str | None]]:
    """Return cell id -> (what it printed, the error that it raised)."""
    cells = [(cell.id, "".join(cell.source)) for cell in notebook.cells if cell.cell_type == "code"]
    (folder / "cells.json").write_text(json.dumps(cells))
    (folder / "alone.py").write_text(ALONE)
    done = subprocess.run(
        [sys.executable, "-P", "alone.py", "cells.json"], cwd=folder, capture_output=True, text=True, check=False
    )
    told = [line for line in done.stdout.splitlines() if line.startswith("told:")]
    assert told, done.stdout + done.stderr
    answer: dict[str, tuple[str, str | None]] = json.loads(told[-1].removeprefix("told:"))
    return answer


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_public_checks_tell_a_learner_what_is_right_and_what_is_wrong(
    course: Course, tmp_path: Path, language: str
) -> None:
    source = course.source(ASSIGNMENT)
    release = nbformat.read(ROOT / "assignments" / language / ASSIGNMENT / f"{source.name}.ipynb", as_version=4)
    answers = {slug: source.reference(slug) for slug in source.points}
    wrong = "def score_std(key_dim, scaled):\n    return 1.0 * key_dim\n"
    told = run_alone(fill(release, {**answers, "score-scale": wrong}), tmp_path)
    for slug in source.points:
        printed, error = told[f"grade-{slug}"]
        if slug == "score-scale":
            assert error is not None and error.startswith("CheckFailed: score_std: "), error
        else:
            assert error is None and "✓" in printed, (slug, printed, error)
