from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import Course, load_course

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def course() -> Course:
    """This repository's course."""
    return load_course(ROOT)
