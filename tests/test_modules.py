"""An assignment's own modules: what keeps them from being imported is told to their author."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.base.errors import CourseError
from autograder.commands.new_course import make_course
from autograder.grading.runner import tests_of as hidden_tests_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of an assignment whose tests of one task lie in `tasks/`."""
    make_course(tmp_path / "statistics")
    made = tmp_path / "statistics" / "solutions" / "01-first-steps"
    (made / "tasks").mkdir()
    shutil.move(made / "graders.py", made / "tasks" / "average.py")
    text = (made / "tasks" / "average.py").read_text(encoding="utf-8")
    (made / "tasks" / "average.py").write_text(text.replace("from . import", "from .. import"), encoding="utf-8")
    (made / "graders.py").write_text('"""Hidden tests."""\n\nfrom .tasks.average import *\n', encoding="utf-8")
    return made


def test_hidden_tests_are_found_by_their_lines(folder: Path) -> None:
    assert list(hidden_tests_of(folder)) == ["average-shape", "average-values", "average-whole"]


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ("graders.py", r"must have a file graders\.py\. Received: no .*01-first-steps/graders\.py"),
        (
            "reference.py",
            r"cannot import name 'reference' .*, in .*tasks/average\.py, line \d+: 'from \.\. import reference'",
        ),
        (
            "tasks",
            r"No module named '01-first-steps\.tasks', in .*graders\.py, line 3: 'from \.tasks\.average import \*'",
        ),
    ],
)
def test_a_file_that_is_missing_is_told(folder: Path, lost: str, said: str) -> None:
    (folder / lost).rename(folder.parent / "elsewhere")
    with pytest.raises(CourseError, match=said):
        hidden_tests_of(folder)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("x = (", r"SyntaxError: '\(' was never closed, in .*reference\.py, line 1: 'x = \('"),
        ("x = 1 / 0", r"ZeroDivisionError: division by zero, in .*reference\.py, line 1: 'x = 1 / 0'"),
    ],
)
def test_a_module_that_is_wrong_is_told_with_its_line(folder: Path, line: str, said: str) -> None:
    (folder / "reference.py").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(CourseError, match=said):
        hidden_tests_of(folder)
