"""When a submission is graded more than once: the second looks at a task, and what the machine fails at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from autograder import evaluation, grading
from autograder.checking import with_answers
from autograder.course import Course
from autograder.evaluation import Verdict, grade_submission
from autograder.grading import LineResult, TaskResult

ASSIGNMENT = "02-attention"
Look = Callable[[], Mapping[str, str]]


@pytest.fixture
def graded(course: Course, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Verdict]:
    """Grades a submission whose every look comes to what it is told: task -> status of its lines, else passed."""

    def grade(*looks: Mapping[str, str]) -> Verdict:
        left = list(looks)
        rubric = grading.rubric_of("scaled_dot_product_attention")

        def result(slug: str, maximum: float, status: str) -> TaskResult:
            fault = "MachineError: no disk" if status == "ungraded" else ""
            lines = [LineResult(i, line, status, fault=fault) for i, line in rubric.items() if line.task == slug]
            return TaskResult(slug, maximum, tuple(lines))

        def run_graders(_: str, points: Mapping[str, float], *rest: Any) -> dict[str, TaskResult]:
            look, tasks = left.pop(0), rest[-1] or points
            return {slug: result(slug, points[slug], look.get(slug, "passed")) for slug in points if slug in tasks}

        def run(*_: Any) -> Any:
            made = {"execute": lambda: None, "ask": None, "generation": 0, "results": {}, "stopped": {}}
            return nullcontext(SimpleNamespace(**made))

        monkeypatch.setattr(grading, "run_graders", run_graders)
        monkeypatch.setattr(evaluation._Attempt, "run", run)
        submission = with_answers(course.source(ASSIGNMENT), {"softmax": "def softmax(x):\n    return x\n"})
        verdict = grade_submission(course, submission, "someone", shows="none")
        assert not left
        return verdict

    return grade


FIRST = {"softmax": "missed", "scaled-dot-product": "missed"}


def test_what_the_machine_fails_at_when_it_looks_again_is_tried_again(graded: Callable[..., Verdict]) -> None:
    verdict = graded(FIRST, {"scaled-dot-product": "ungraded"}, FIRST, {})
    assert verdict.tasks["scaled-dot-product"].is_full and not verdict.fault
    assert verdict.tasks["softmax"].points == 0


def test_what_the_machine_fails_at_twice_is_ungraded(graded: Callable[..., Verdict]) -> None:
    failing = FIRST, {"scaled-dot-product": "ungraded"}
    verdict = graded(*failing, *failing)
    assert verdict.tasks["scaled-dot-product"].points is None and "no disk" in verdict.fault
