"""The longest proof of one case on JAX: in a process of its own, it leaves the other core to other tests."""

from __future__ import annotations

import importlib.util
from dataclasses import replace

import pytest
from parts import is_todays

from autograder.proof.check import Case, run_case
from autograder.sources.course import Course


@pytest.mark.course
@pytest.mark.skipif(not is_todays(0, 3), reason="it has its turn on another day")
def test_a_long_notebook_is_right_on_jax(course: Course) -> None:
    """JAX keeps what it compiled, and a solution of 05 makes it compile much: less than half the usual memory suffices."""
    if importlib.util.find_spec("jax") is None:
        pytest.skip("jax is not installed: EXTRAS=test,backends ./run tests installs it")
    limits = replace(course.limits, memory_bytes=7 << 27)
    on_jax = replace(course, backend="jax", limits=limits)
    result = run_case(on_jax, Case("05-encoder-decoder-blocks", "solution", "en"))
    assert result.failed == ""
