"""nbgrader's own Validate, which students press, with the releases."""

from __future__ import annotations

import subprocess
from pathlib import Path

import nbformat
import pytest

from autograder.sources.course import Course
from autograder.sources.notebooks import render

pytestmark = pytest.mark.course


def validate(folder: Path, notebook: nbformat.NotebookNode) -> str:
    """Return what `nbgrader validate` says of a notebook in a folder without a course."""
    path = folder / "notebook.ipynb"
    nbformat.write(notebook, path)
    done = subprocess.run(["nbgrader", "validate", path.name], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


# one whose first float16 operation makes TensorFlow talk, one that would train for minutes
@pytest.mark.parametrize(("assignment", "language"), [("04-masks", "ko"), ("07-training", "en")])
def test_a_right_notebook_passes_without_remarks(
    course: Course, tmp_path: Path, assignment: str, language: str
) -> None:
    said = validate(tmp_path, render(course.source(assignment), language))
    assert "Success! Your notebook passes all the tests." in said
    assert "Cell output is" not in said


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_untouched_release_is_told_what_is_missing(course: Course, tmp_path: Path, language: str) -> None:
    path = course.root / "assignments" / language / "02-attention" / "scaled_dot_product_attention.ipynb"
    said = validate(tmp_path, nbformat.read(path, as_version=4))
    assert "VALIDATION FAILED ON 6 CELL(S)!" in said
    assert {"en": "softmax is not written yet", "ko": "softmax은(는) 아직 작성되지 않았습니다"}[language] in said
