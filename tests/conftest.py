from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.sources.course import Course, load_course
from benchmarks.starter import Starter, starter

ROOT = Path(__file__).resolve().parent.parent
os.environ.pop("AUTOGRADER_DB_URL", None)  # copies of the course would build into a real gradebook


@pytest.fixture(scope="session")
def course() -> Course:
    """This repository's course."""
    return load_course(ROOT)


@pytest.fixture(scope="session")
def _quick_keras_installed() -> None:
    """Puts the kernels' shorter ways of Keras into this process, where `quick_keras.quick()` then takes them."""
    from autograder.kernels import quick_keras

    quick_keras.install()


@pytest.fixture(scope="session")
def nbgrader_starter() -> Iterator[Starter]:
    """Starts nbgrader's commands without the seconds that importing it takes."""
    with starter() as made:
        yield made


@pytest.fixture(scope="module", autouse=True)
def real_grading() -> Iterator[None]:
    """Undoes what the configuration of a course that is graded cheaply has replaced in this process."""
    yield
    if "benchmarks.cheap" in sys.modules:
        sys.modules["benchmarks.cheap"].uninstall()
