"""Whether a task that lost its kernel is looked at again without the other tasks' cells."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from autograder.kernels.notebook_run import CellResult
from autograder.kernels.session import KernelSession
from autograder.proof.check import with_answers
from autograder.sources.course import Course
from autograder.submissions.evaluation import grade

pytestmark = pytest.mark.course

LOOP = "while True:\n    pass\n"
HANGS_LATER = """
import time


def streaming_softmax_attention(*arguments):
    return ModernBlock(*arguments)


get_ipython().events.register("pre_run_cell", lambda info: time.sleep(600))
"""


class CountingSession(KernelSession):
    """Counts how often the endless loop is run, in all kernels together."""

    loops = 0

    def run(self, code: str, seconds: float) -> CellResult:
        CountingSession.loops += code == LOOP
        return super().run(code, seconds)


@pytest.fixture
def loops_run(course: Course, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(CountingSession, "loops", 0)

    def loops_run(task: str) -> int:
        grading = course.grading_of("02-attention", "someone", shows="none")
        quick = dataclasses.replace(grading, limits=dataclasses.replace(grading.limits, cell_seconds=2.0))
        verdict = grade(quick, with_answers(quick.source, {task: LOOP}), kernels=CountingSession)
        assert verdict.tasks[task].points == 0 and verdict.points > 0
        return CountingSession.loops

    return loops_run


def test_a_loop_with_nothing_of_the_students_before_it_is_run_once(loops_run: Any) -> None:
    assert loops_run("softmax") == 1


def test_a_loop_that_another_cell_could_be_the_cause_of_is_run_again_without_it(loops_run: Any) -> None:
    assert loops_run("score-scale") == 2


def test_a_cell_that_is_blamed_for_what_a_later_one_did_is_looked_at_again(course: Course) -> None:
    """The locked cell behind both, which the second uses, never ends: neither cell took too long itself."""
    tasks = {"bpe-train", "streaming-softmax"}
    grading = course.grading_of("10-modern-transformer", "someone", shows="none", tasks=tasks)
    quick = dataclasses.replace(grading, limits=dataclasses.replace(grading.limits, cell_seconds=2.0))
    verdict = grade(quick, with_answers(quick.source, {"streaming-softmax": HANGS_LATER}))
    assert verdict.tasks["bpe-train"].is_full and verdict.tasks["streaming-softmax"].points == 0
