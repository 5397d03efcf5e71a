"""When a submission is graded more than once: the second looks at a task, and what the machine fails at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.base.text import Text
from autograder.grading import runner as grading
from autograder.grading.runner import LineResult, TaskResult
from autograder.proof import check as checking
from autograder.proof.check import with_answers
from autograder.sources.course import Course
from autograder.sources.notebooks import NotebookSource
from autograder.sources.rubric_table import RubricLine
from autograder.submissions import evaluation
from autograder.submissions.seeds import seed_of
from autograder.submissions.verdicts import Verdict

ASSIGNMENT = "02-attention"
Look = Callable[[], Mapping[str, str]]


@pytest.fixture
def graded(course: Course, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Verdict]:
    """Grades a submission whose every look comes to what it is told: task -> status of its lines, else passed."""

    def grade(*looks: Mapping[str, str]) -> Verdict:
        left = list(looks)
        rubric = course.source(ASSIGNMENT).rubric

        def result(slug: str, maximum: float, status: str) -> TaskResult:
            why = {"fault": "no disk", "kind": "machine"} if status == "ungraded" else {}
            lines = [LineResult(i, line, status, **why) for i, line in rubric.items() if line.task == slug]
            return TaskResult(slug, maximum, tuple(lines))

        def run_graders(source: NotebookSource, *rest: Any) -> dict[str, TaskResult]:
            points = source.points
            look, tasks = left.pop(0), rest[2] or points
            return {slug: result(slug, points[slug], look.get(slug, "passed")) for slug in points if slug in tasks}

        def run(*_: Any) -> Any:
            made = {"ask": None, "generation": 0, "results": {}, "stopped": {}}
            return nullcontext(SimpleNamespace(**made, **dict.fromkeys(("execute", "close"), lambda: None)))

        monkeypatch.setattr(grading, "run_graders", run_graders)
        monkeypatch.setattr(evaluation._Attempt, "run", run)
        submission = with_answers(course.source(ASSIGNMENT), {"softmax": "def softmax(x):\n    return x\n"})
        verdict = evaluation.grade(course.grading_of(ASSIGNMENT, "someone", shows="none"), submission)
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


@pytest.mark.parametrize("case", [("solution", "en"), ("alternative", "one"), ("mistake", "softmax-without-keepdims")])
def test_a_check_fails_where_a_grader_failed_at_an_answer(
    course: Course, monkeypatch: pytest.MonkeyPatch, case: tuple[str, str]
) -> None:
    line = LineResult("a", RubricLine("softmax", 3, Text("a line")), "missed", Text("x"), fault="OverflowError: huge")
    tasks = {"softmax": TaskResult("softmax", 3, (line,))}
    verdict = Verdict(ASSIGNMENT, "scaled_dot_product_attention", "someone", "en", tasks)
    assert verdict.unjudged == ["a: OverflowError: huge"] and not verdict.ungraded
    monkeypatch.setattr(checking, "grade", lambda *_, **__: verdict)
    monkeypatch.setattr(checking, "submission_of", lambda *_: (None, "none"))
    monkeypatch.setattr(checking, "graded_tasks", lambda *_: None)
    result = checking.run_case(course, checking.Case(ASSIGNMENT, *case))
    assert result.failed == "a grader failed at it: a: OverflowError: huge"


def _seed(course: Course, student: str = "mary", answer: str = "x = 1", **files: bytes) -> str:
    submission = with_answers(course.source(ASSIGNMENT), {"softmax": answer})
    submission.files = {name.replace("_", "\udcff"): content for name, content in files.items()}
    return seed_of(course.grading_of(ASSIGNMENT, student), submission)


def test_the_same_submission_is_asked_the_same_questions_and_another_one_others(course: Course) -> None:
    seeds = [
        _seed(course),
        _seed(course, "joe"),
        _seed(course, answer="x = 1 "),
        _seed(course, a=b"bc"),
        _seed(course, ab=b"c"),
        _seed(course, odd_name=b""),
    ]
    assert len(set(seeds)) == len(seeds) and seeds[0] == _seed(course)
