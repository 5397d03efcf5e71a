"""What can be said of the code without running it: style, types, and which module may import which."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    "command",
    ["ruff check .", "ruff format --check .", "mypy", "basedpyright", "lint-imports"],
    ids=lambda command: command,
)
def test_nothing_is_found(command: str) -> None:
    done = subprocess.run(command.split(), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
