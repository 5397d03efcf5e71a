"""What goes on where nbgrader, JupyterLab and nbconvert can't be imported: docs/without-nbgrader.md."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RELEASED = "assignments/en/02-attention/scaled_dot_product_attention.ipynb"
# Python imports it by itself at its start.
TAKEN_AWAY = """\
import sys

class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("nbgrader", "jupyterlab", "jupyter_server", "notebook", "nbconvert", "sqlalchemy", "alembic"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Gone())
"""


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment whose Pythons have none of them."""
    folder = tmp_path_factory.mktemp("gone")
    (folder / "sitecustomize.py").write_text(TAKEN_AWAY)
    return {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200"}


def run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from autograder.commands.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_they_are_gone(without: dict[str, str]) -> None:
    done = run(without, "build", "02-attention")
    assert done.returncode != 0 and "No module named 'nbgrader" in done.stderr


@pytest.mark.course
def test_a_notebook_is_graded(without: dict[str, str]) -> None:
    done = run(without, "grade", "--json", RELEASED)
    assert done.returncode == 0, done.stderr
    assert [each["assignment"] for each in json.loads(done.stdout)] == ["02-attention"]


@pytest.mark.course
def test_a_platform_gets_its_file(without: dict[str, str], tmp_path: Path) -> None:
    written = tmp_path / "results.json"
    done = run(without, "grade", RELEASED, "--format", "gradescope", "--output", str(written))
    assert done.returncode == 0, done.stderr
    assert json.loads(written.read_text(encoding="utf-8"))["tests"]


@pytest.mark.course
def test_an_assignment_is_proved(without: dict[str, str]) -> None:
    done = run(without, "check", "02-attention", "--only", "solution:")
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_downloads_are_sorted(without: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "downloaded" / "ada").mkdir(parents=True)
    notebook = tmp_path / "downloaded" / "ada" / Path(RELEASED).name
    notebook.write_bytes((ROOT / RELEASED).read_bytes())
    shutil.copy(ROOT / "course_config.py", tmp_path)
    (tmp_path / "solutions").symlink_to(ROOT / "solutions")
    command = [sys.executable, "-c", "from autograder.commands.cli import main; main()"]
    command += ["collect", "02-attention", str(tmp_path / "downloaded")]
    done = subprocess.run(command, cwd=tmp_path, env=without, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert list((tmp_path / "submitted").rglob("*.ipynb"))
