"""Which cases of `autograder check` include a task that takes minutes, and with which limits."""

from __future__ import annotations

import pytest

from autograder.proof.check import Case, graded_tasks, with_its_limits
from autograder.scheduling.jobs import job_seconds
from autograder.sources.course import Course, Limits

ASSIGNMENT = "07-training"


@pytest.mark.parametrize(
    ("kind", "identity", "is_graded"),
    [
        ("solution", "en", True),
        ("solution", "ko", False),
        ("release", "en", True),
        ("release", "ko", True),
        ("mistake", "train-one-epoch", True),
        ("mistake", "loss-sum", False),
        ("alternative", "own-loop", True),
        ("alternative", "broken-carry-over", True),
        ("alternative", "numpy", False),
    ],
)
def test_the_training_is_graded_where_the_case_is_about_it(
    course: Course, kind: str, identity: str, is_graded: bool
) -> None:
    tasks = graded_tasks(course, Case(ASSIGNMENT, kind, identity))
    assert ("trained-model" in tasks) == is_graded
    if kind != "mistake":
        assert tasks | {"trained-model"} == set(course.source(ASSIGNMENT).points)


@pytest.mark.parametrize(
    ("assignment", "identity", "tasks"),
    [
        (ASSIGNMENT, "loss-sum", {"masked-loss"}),
        (ASSIGNMENT, "train-one-epoch", {"trained-model"}),
        ("04-masks", "padding-inverted", {"padding-mask", "decoder-mask"}),
        ("03-multi-head-attention", "split-reshape-only", {"split-heads"}),
        ("03-multi-head-attention", "layer-unscaled", {"multi-head-layer", "keras-parity"}),
        ("05-encoder-decoder-blocks", "norm-over-batch", {"layer-norm"}),
        ("05-encoder-decoder-blocks", "ff-with-norm", {"feed-forward", "encoder-block", "decoder-block"}),
        ("06-transformer", "token-fixed-length", {"token-model", "model-parameters"}),
    ],
)
def test_a_mistake_is_graded_where_it_can_be_seen(
    course: Course, assignment: str, identity: str, tasks: set[str]
) -> None:
    assert graded_tasks(course, Case(assignment, "mistake", identity)) == tasks


def test_assignments_without_a_costly_task_are_graded_whole(course: Course) -> None:
    assert graded_tasks(course, Case("04-masks", "solution", "ko")) == set(course.source("04-masks").points)


def test_a_mistake_may_change_its_own_limits(course: Course) -> None:
    changed = with_its_limits(course, Case(ASSIGNMENT, "mistake", "train-one-epoch")).limits_of(ASSIGNMENT)
    own = course.limits_of(ASSIGNMENT)
    assert changed.training_pairs == 600 and changed.threads == own.threads
    assert own.training_pairs == 20_000


def test_a_case_without_changed_limits_has_the_courses(course: Course) -> None:
    assert with_its_limits(course, Case(ASSIGNMENT, "alternative", "own-loop")) is course


def test_a_worker_is_given_the_time_of_a_training() -> None:
    assert job_seconds(Limits(training_seconds=900)) == job_seconds(Limits(training_seconds=300)) + 600
