"""Weights beside a notebook: loaded by the student's code in the kernel alone, and harmless whatever they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.grading.runner import TaskResult
from autograder.proof.check import with_answers
from autograder.sources.course import Course
from autograder.submissions.evaluation import grade
from autograder.submissions.files_beside import read_files

pytestmark = pytest.mark.course

ASSIGNMENT = "07-training"
NAME = "training.weights.h5"
LOADS = f"""
def train(train_source, train_target, vocab_size, max_len, seed):
    source, target = keras.Input((None,), dtype="int32"), keras.Input((None,), dtype="int32")
    x = keras.layers.Embedding(vocab_size, 4)(target)
    model = keras.Model([source, target], keras.layers.Dense(vocab_size)(x))
    model.load_weights("{NAME}")
    return model
"""


def weights(path: Path, width: int = 4) -> bytes:
    """Return the file of weights of such a model."""
    import keras

    source, target = keras.Input((None,), dtype="int32"), keras.Input((None,), dtype="int32")
    x = keras.layers.Embedding(49, width)(target)
    keras.Model([source, target], keras.layers.Dense(49)(x)).save_weights(path / NAME)
    return (path / NAME).read_bytes()


def graded(course: Course, files: dict[str, bytes]) -> TaskResult:
    own = {**course.limits_by_assignment[ASSIGNMENT], "training_pairs": 50, "training_seconds": 30}
    course = replace(course, limits_by_assignment={ASSIGNMENT: own})
    submission = with_answers(course.source(ASSIGNMENT), {"trained-model": LOADS})
    submission.files = files
    verdict = grade(
        course.grading_of(submission.source.assignment, "weights", shows="none", tasks={"trained-model"}), submission
    )
    return verdict.tasks["trained-model"]


def test_weights_that_were_handed_in_are_loaded(course: Course, tmp_path: Path) -> None:
    lines = {line.id: line.status for line in graded(course, {NAME: weights(tmp_path)}).lines}
    assert (lines["train-model"], lines["train-logits"], lines["match-50"]) == ("passed", "passed", "missed")


@pytest.mark.parametrize("kind", ["another architecture", "cut off", "no weights", "missing"])
def test_unfit_weights_cost_the_training_and_say_why(course: Course, tmp_path: Path, kind: str) -> None:
    whole = weights(tmp_path, width=8 if kind == "another architecture" else 4)
    content = {"cut off": whole[: len(whole) // 2], "no weights": b"PK\x03\x04" + bytes(5000)}.get(kind, whole)
    result = graded(course, {} if kind == "missing" else {NAME: content})
    (line,) = [line for line in result.lines if line.id == "train-model"]
    assert result.points == 0 and line.status == "missed" and line.text is not None
    assert "Weights have to be handed in as `training.weights.h5`" in line.text.en


def test_a_huge_file_does_not_travel(course: Course, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"\0" * 21_000_000)
    files, (note,) = read_files(tmp_path, course.limits_of(ASSIGNMENT).notebook_bytes)
    assert files == {} and f"`{NAME}` (21.0 MB)" in note.en
