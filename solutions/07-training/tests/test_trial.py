"""The trial of `trained-model`: it can spare the training with long numbers, and in every other case changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import pytest

from autograder.base.errors import AnswerTimeout
from autograder.base.text import Text
from autograder.grading import Draw, Measurement, Miss

from .. import held_out
from .. import reference as oracle
from ..tasks import trained_model

PAIRS = trained_model.TRIAL_PAIRS * trained_model.TRIAL_GAIN
HUNG = AnswerTimeout(Text("It hung.", "멈췄습니다."))


class Student:
    """A probe of a `train` of which one knows what comes of it.

    Attributes:
        shares: of held-out numbers that its model gets right: learnt from short numbers, from long ones.
        updates: that its optimizer tells of after the trial.
        size: how many numbers its weights hold.
        rate: share of the highest learning rate that is left in the end.
        unmoved: share of the model's words that stay when its weights are shuffled.
        word: id that the model says again and again.
        trained: what `train` was called with, in turn.
        asked: the held-out sources of each training.
    """

    def __init__(
        self,
        *shares: float,
        updates: int = 240,
        size: int = 180_000,
        rate: float = 0.0,
        unmoved: float = 0.0,
        weights: bool = False,
        word: int = 5,
    ) -> None:
        self.training_pairs = PAIRS
        self.shares = shares
        self.updates, self.size, self.rate, self.unmoved, self.weights = updates, size, rate, unmoved, weights
        self.word = word
        self.error: AnswerTimeout | None = None
        self.trained: list[tuple[Any, ...]] = []
        self.asked: list[list[np.ndarray]] = []
        self.made: dict[Hashable, Any] = {}
        self.measurements: dict[str, float] = {}
        self.renewed = 0

    @property
    def is_short(self) -> bool:
        return len(self.trained[-1][0]) < self.training_pairs

    def train(self, name: str, *args: Any) -> str:
        self.trained.append(args)
        self.asked.append([])
        if self.error is not None and self.is_short:
            raise self.error
        return "model"

    def report(self, measurement: Measurement) -> None:
        self.measurements[measurement.name.en] = measurement.value

    def trial(self, make: Callable[[], Any], training_share: float) -> Any:
        assert 0 < training_share < 1
        try:
            found = make()
        except (AnswerTimeout, Miss):
            found = None
        self.renewed += found is None
        return found

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]

    def define(self, source: str, name: str, *args: Any) -> Callable[..., Any]:
        def decode(source_ids: np.ndarray, length: int) -> tuple[int, np.ndarray]:
            self.asked[-1].append(source_ids)
            return held_out.FINE, np.full((len(source_ids), length), self.word)

        answers = {
            "has_weights": lambda: self.weights,
            "kind_of": lambda: held_out.MODEL,
            "updates": lambda: self.updates,
            "size": lambda: self.size,
            "rate_left": lambda: self.rate,
            "unmoved": lambda source_ids, said_ids: self.unmoved,
        }
        return decode if name == "decoder" else answers[name]


@pytest.fixture
def outcome(monkeypatch: pytest.MonkeyPatch) -> Callable[[Student], dict[str, str | None]]:
    """Return a function that grades a student: line -> nothing, or what it was missed by."""

    def grade(student: Student) -> dict[str, str | None]:
        monkeypatch.setattr(oracle, "exact_match", lambda predicted, target: student.shares[not student.is_short])
        lines = ["model", "logits", "weights", *(f"match_{share}" for share in (50, 80, 90, 95, 98))]
        told: dict[str, str | None] = {}
        for line in (f"{'train_' if line.isalpha() else ''}{line}" for line in lines):
            try:
                getattr(trained_model, f"test_{line}")(student, Draw("a student", "trained-model", "train-model"))
            except (AnswerTimeout, Miss) as error:
                told[line] = getattr(error, "mistake", None) or error.text.en
        return told

    return grade


def test_who_learns_short_numbers_quickly_has_earned_everything(outcome):
    student = Student(trained_model.TRIAL_MATCH, 0.0)
    assert outcome(student) == {}
    assert [len(source) for source, *_ in student.trained] == [trained_model.TRIAL_PAIRS] and not student.renewed
    assert student.measurements == {
        "Exact match (%)": round(100 * trained_model.TRIAL_MATCH, 1),
        "Weights": student.size,
    }


@pytest.mark.parametrize(
    "student",
    [
        lambda: Student(trained_model.TRIAL_MATCH - 0.002, 1.0),
        lambda: Student(1.0, 1.0, updates=trained_model.TRIAL_UPDATES + 1),
        lambda: Student(1.0, 1.0, updates=-1),
        lambda: Student(1.0, 1.0, size=trained_model.TRIAL_WEIGHTS - 1),
        lambda: Student(1.0, 1.0, rate=1.0),
        lambda: Student(1.0, 1.0, rate=-0.01),
        lambda: Student(1.0, 1.0, rate=float("nan")),
        lambda: Student(0.0, 1.0),
    ],
    ids=[
        "nearly",
        "by many updates",
        "nobody knows how",
        "with a small model",
        "at one rate",
        "at a negative rate",
        "at no rate",
        "nothing",
    ],
)
def test_who_learns_them_slowly_earns_everything_with_long_ones(outcome, student):
    student = student()
    assert outcome(student) == {}
    assert [len(source) for source, *_ in student.trained] == [
        trained_model.TRIAL_PAIRS,
        PAIRS,
    ] and student.renewed == 1


def test_after_a_failed_trial_only_the_long_numbers_count(outcome):
    student = Student(0.97, 0.85)
    assert list(outcome(student)) == ["match_90", "match_95", "match_98"]


def test_who_has_learnt_to_copy_is_asked_no_more(outcome):
    student = Student(0.0, 1.0, word=oracle.BOS)
    missed = outcome(student)
    assert missed["match_50"].endswith("It mostly says `<bos>` again.")
    assert len(student.trained) == 1 and not student.renewed


def test_who_says_bos_after_few_updates_may_learn_more(outcome):
    student = Student(0.0, 1.0, word=oracle.BOS, updates=trained_model.COPYING_UPDATES - 1)
    assert outcome(student) == {} and len(student.trained) == 2


def test_a_trial_that_hangs_is_no_loss(outcome):
    student = Student(1.0, 1.0)
    student.error = HUNG
    assert outcome(student) == {} and len(student.trained) == 2


def test_rules_in_place_of_weights_pass_no_trial(outcome):
    student = Student(1.0, 1.0, unmoved=0.95)
    missed = outcome(student)
    assert list(missed) == ["train_weights"] and missed["train_weights"].startswith("With its weights shuffled")
    assert len(student.trained) == 2


def test_there_is_no_trial_where_it_would_spare_nothing(outcome):
    student = Student(0.0, 1.0)
    student.training_pairs = PAIRS - 1
    assert outcome(student) == {}
    assert len(student.trained) == 1 and not student.renewed


def test_who_fits_with_weights_beside_the_notebook_has_a_trial_too(outcome):
    student = Student(trained_model.TRIAL_MATCH, 0.0)
    student.weights = True
    assert outcome(student) == {} and len(student.trained) == 1


def test_who_loads_weights_is_asked_about_words_that_they_know(outcome):
    loading, fitting = Student(1.0, 1.0, updates=0), Student(0.0, 1.0)
    loading.weights = True
    assert outcome(loading) == outcome(fitting) == {}
    (short, *_), (source, *_) = loading.trained
    (other_short, *_), (other_source, *_) = fitting.trained
    np.testing.assert_array_equal(short, other_short)  # words under other ids: nothing that the weights know
    numbers = oracle.draw_numbers(
        Draw("a student", "trained-model", "train-model").rng, PAIRS + trained_model.HELD_OUT_PAIRS
    )
    np.testing.assert_array_equal(source, oracle.number_pairs(numbers)[0][:PAIRS])
    assert (source != other_source).any()


def test_the_training_with_long_numbers_is_the_same_after_a_trial(outcome, monkeypatch):
    after, without = Student(0.5, 1.0), Student(0.5, 1.0)
    outcome(after)
    monkeypatch.setattr(trained_model, "TRIAL_PAIRS", PAIRS)
    outcome(without)
    (own,), own_asked = without.trained, without.asked[0]
    for ours, theirs in zip([*after.trained[1], *after.asked[1]], [*own, *own_asked], strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_trial_has_short_numbers_of_the_same_words(outcome):
    student = Student(0.5, 1.0)
    outcome(student)
    (source, target, vocab_size, max_len, _), (_, long_target, *others) = student.trained
    (held,) = student.asked[0]
    assert (source != oracle.PAD).sum(axis=1).max() == source.shape[1] == 7
    assert (target != oracle.PAD).sum(axis=1).max() == target.shape[1] == 8
    assert set(np.unique(target)) < set(np.unique(long_target))  # renamed alike; a thousand is the largest unit
    assert (vocab_size, max_len) == tuple(others[:2]) == (len(oracle.VOCABULARY), oracle.MAX_LEN)
    # asked with all the padding that long numbers have, of numbers that were not trained
    assert held.shape == (trained_model.TRIAL_HELD_OUT, oracle.SOURCE_LEN) and not held[:, 7:].any()
    assert not {tuple(row) for row in held[:, :7]} & {tuple(row) for row in source}
