"""A training that a trial doesn't decide waits for what comes of it with right work before it, and costs no verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.base.errors import PutOff
from autograder.base.text import Text
from autograder.grading import runner as grading
from autograder.grading.rubric import Miss
from autograder.grading.runner import LineResult, TaskResult, mistakes_of
from autograder.kernels.probe import HOPELESS, KernelProbe
from autograder.proof.check import with_answers
from autograder.sources.course import Course
from autograder.sources.notebooks import SOLUTION_REGION, NotebookSource
from autograder.submissions import evaluation
from autograder.submissions.cells import can_be_offered
from autograder.submissions.verdicts import Verdict

ASSIGNMENT, BEFORE, TRAINING = "07-training", "masked-loss", "trained-model"
CARRIED = "train-carried"
Look = tuple[str, float]  # what the training's lines come to, and how much before it is wrong


def a_probe(wrong_before: float) -> tuple[KernelProbe, list[None]]:
    renewed: list[None] = []
    return KernelProbe(
        lambda _: {"ok": 7}, lambda: 0, "", renew=lambda: renewed.append(None), wrong_before=lambda: wrong_before
    ), renewed


def test_where_a_trial_finds_nothing_the_training_is_put_off() -> None:
    probe, renewed = a_probe(0.1)
    with pytest.raises(PutOff):
        probe.trial(lambda: None, 0.25)
    assert probe.was_put_off and probe.lost is None and not renewed


@pytest.mark.parametrize("wrong", [HOPELESS, 1.0])
def test_where_much_before_it_is_wrong_there_is_no_trial(wrong: float) -> None:
    probe, renewed = a_probe(wrong)
    with pytest.raises(PutOff):
        probe.trial(lambda: pytest.fail("a trial"), 0.25)
    assert probe.was_put_off and probe.lost is None and not renewed


def test_where_nothing_before_it_is_wrong_a_fresh_kernel_goes_on() -> None:
    probe, renewed = a_probe(0.0)
    assert probe.trial(lambda: None, 0.25) is None
    assert not probe.was_put_off and len(renewed) == 1


def test_a_trial_that_found_something_puts_nothing_off() -> None:
    probe, _ = a_probe(0.1)
    assert probe.trial(lambda: 7, 0.25) == 7
    assert not probe.was_put_off


def test_what_raised_in_a_trial_is_not_put_off() -> None:
    def raising() -> None:
        raise Miss(Text("It has no loss.", "손실이 없습니다."))

    probe, renewed = a_probe(0.1)
    assert probe.trial(raising, 0.25) is None
    assert not probe.was_put_off and len(renewed) == 1


@pytest.fixture
def graded(course: Course, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Verdict, list[Look]]]:
    """Grades a submission whose task before the training comes to `before`; its training comes to one of `looks` after the other.

    `carried` is the id of a line that is missed before the training in the first look.
    """

    def grade(
        before: str, *looks: str, carried: str = "", answers: Mapping[str, str] | None = None
    ) -> tuple[Verdict, list[Look]]:
        rubric, left, seen = course.source(ASSIGNMENT).rubric, list(looks), []

        def result(slug: str, points: float, status: str) -> TaskResult:
            lines = [LineResult(i, line, status) for i, line in rubric.items() if line.task == slug]
            return TaskResult(slug, points, tuple(lines))

        def run_graders(
            source: NotebookSource, probe_of: Any, seed: str, tasks: Any, lines: Any
        ) -> dict[str, TaskResult]:
            results = {}
            for slug in tasks:
                probe, status = probe_of(slug), before if slug == BEFORE else "passed"
                if slug == TRAINING:
                    probe.missed.update([carried] if not seen else [])
                    seen.append((status := left.pop(0), wrong := probe._wrong_before()))
                    probe.was_put_off = bool(wrong) and status == "missed"
                results[slug] = result(slug, source.points[slug], status)
            return results

        def run(*_: Any) -> Any:
            names = "ask", "renew", "host"
            made: dict[str, Any] = {**dict.fromkeys(names), "generation": 0, "results": {}, "stopped": {}}
            return nullcontext(SimpleNamespace(**made, **dict.fromkeys(("execute", "close"), lambda: None)))

        monkeypatch.setattr(grading, "run_graders", run_graders)
        monkeypatch.setattr(evaluation._Attempt, "run", run)
        monkeypatch.setattr(evaluation._Attempt, "explain", lambda *_: None)
        wrong = {BEFORE: "def masked_loss(*a, **k):\n    return 0.0\n"}
        submission = with_answers(course.source(ASSIGNMENT), {**wrong, **(answers or {})})
        verdict = evaluation.grade(course.grading_of(ASSIGNMENT, "someone", shows="none"), submission)
        assert not left
        return verdict, seen

    return grade


def test_right_work_before_it_saves_the_whole_training(graded: Callable[..., Any]) -> None:
    verdict, looks = graded("missed", "missed", "passed")
    assert looks == [("missed", 1.0), ("passed", 0.0)]
    assert verdict.tasks[TRAINING].is_full and all(line.followed for line in verdict.tasks[TRAINING].lines)


@pytest.mark.parametrize(("last", "is_full"), [("passed", True), ("missed", False)])
def test_what_is_not_saved_is_trained_as_it_was_handed_in(graded: Callable[..., Any], last: str, is_full: bool) -> None:
    verdict, looks = graded("missed", "missed", "missed", last)
    assert looks == [("missed", 1.0), ("missed", 0.0), (last, 0.0)]
    assert verdict.tasks[TRAINING].is_full == is_full
    assert not any(line.followed for line in verdict.tasks[TRAINING].lines)


def test_with_full_points_before_it_a_training_is_not_put_off(graded: Callable[..., Any]) -> None:
    # it is looked at again, for the line of the carried-over work is missed with all others
    _, looks = graded("passed", "missed", "missed")
    assert looks == [("missed", 0.0), ("missed", 0.0)]


def test_with_wrong_carried_work_it_is_put_off_too(graded: Callable[..., Any]) -> None:
    verdict, looks = graded("passed", "missed", "passed", carried=CARRIED)
    assert looks == [("missed", 1.0), ("passed", 0.0)]
    assert verdict.tasks[TRAINING].is_full


def test_a_stub_is_not_put_off(graded: Callable[..., Any], course: Course) -> None:
    # it raises at once
    text = course.source(ASSIGNMENT).known_cells[f"task-{TRAINING}"].texts["en"]
    stub = SOLUTION_REGION.sub("    raise NotImplementedError()", text)
    _, looks = graded("missed", "missed", "missed", answers={TRAINING: stub})
    assert looks == [("missed", 0.0), ("missed", 0.0)]


def test_a_training_that_its_trial_decides_is_looked_at_once(graded: Callable[..., Any]) -> None:
    verdict, looks = graded("missed", "passed")
    assert looks == [("passed", 1.0)]
    assert verdict.tasks[TRAINING].is_full


def test_what_trains_is_given_the_references_themselves(course: Course) -> None:
    """A proxy takes arrays: a loss that `fit` compiles can't be one."""
    source = course.source(ASSIGNMENT)
    assert all(source.defines_functions_only(f"task-{slug}") for slug in (BEFORE, TRAINING))
    assert not can_be_offered(source, {BEFORE}, {TRAINING})


@pytest.mark.slow
def test_a_wrong_loss_costs_no_point_of_the_training(course: Course) -> None:
    """In real kernels: the trial with the wrong loss finds nothing, the one with the right loss decides."""
    source = course.source(ASSIGNMENT)
    wrong = mistakes_of(source.folder)["loss-sign"]
    how = course.grading_of(ASSIGNMENT, "someone", shows="none", tasks={BEFORE, TRAINING})
    verdict = evaluation.grade(how, with_answers(source, {BEFORE: wrong.code}))
    assert not verdict.tasks[BEFORE].is_full
    assert verdict.tasks[TRAINING].is_full and all(line.followed for line in verdict.tasks[TRAINING].lines)
