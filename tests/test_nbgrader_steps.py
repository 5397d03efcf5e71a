"""What the steps of nbgrader's in `autograder watch` take from its configuration."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

COURSE = Path(__file__).resolve().parent / "second_course"
STEPS = """
from pathlib import Path
from autograder.gradebook.nbgrader_steps import NbgraderSteps
from autograder.sources.course import load_course
steps = NbgraderSteps(load_course(Path.cwd()))
print(steps.exchange, steps.checks_owner)
"""


@pytest.mark.slow
def test_options_that_no_step_has_are_warned_of(tmp_path: Path) -> None:
    """In a process of its own: nbgrader's applications change the logging of the process that they are made in."""
    shutil.copytree(COURSE, tmp_path, dirs_exist_ok=True)
    with (tmp_path / "nbgrader_config.py").open("a") as config:
        config.write(
            "c = get_config()\nc.Exchange.root = '/right'\nc.Exchange.rooot = '/wrong'\nc.Autograde.tiemout = 3\n"
        )
    done = subprocess.run(
        [sys.executable, "-c", STEPS], cwd=tmp_path, capture_output=True, text=True, timeout=100, check=True
    )
    assert done.stdout == "/right True\n"
    assert "`rooot` not recognized by `ExchangeCollect`.  Did you mean `root`?" in done.stderr
    assert "`tiemout` not recognized by `Autograde`" in done.stderr
