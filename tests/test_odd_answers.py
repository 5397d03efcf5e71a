"""Whatever a student's code returns, a grader says what it makes of it: no answer may leave its task ungraded."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.base.errors import AnswerError
from autograder.grading import Draw, Measurement, Miss, Weight
from autograder.grading import runner as grading

FOLDERS = [
    path.parent for path in sorted((Path(__file__).resolve().parent.parent / "solutions").glob("[0-9]*/notebook.py"))
]
ODD = {
    "None": None,
    "a truth value": True,
    "a number beyond every type": 2**200,
    "a number whose square is beyond every type": 1e200,
    "a negative one": -1e200,
    "infinity": float("inf"),
    "NaN": float("nan"),
    "text": "hello",
    "an empty tuple": (),
    "a tuple of one": (np.ones(3),),
    "a tuple of unequal arrays": (np.ones((2, 3)), np.ones((4, 5))),
    "a tuple of texts": ("a", "b"),
    "a tuple of Nones": (None, None),
    "an array and None": (np.ones(3), None),
    "tuples within tuples": ((1, 2), (3, (4, np.ones(2)))),
    "an empty array": np.zeros((0, 3)),
    "complex numbers": np.ones((2, 3), complex),
    "truth values": np.ones((2, 3), bool),
    "an array without axes": np.array(2.0),
    "NaNs": np.full((2, 3), np.nan),
    "infinities in float16": np.full((2, 3), np.inf, np.float16),
    "numbers near the largest": np.full((2, 3), 1e308),
    "four axes": np.ones((1, 2, 3, 4)),
    "16 axes": np.ones((1,) * 16),
    "the smallest integers": np.full((3, 4), np.iinfo(np.int64).min),
}


class OddLayer:
    """A layer that gives the same answer to everything."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.answer

    def weights(self) -> list[Weight]:
        return [Weight("a.kernel", (2, 3), True), Weight("a.bias", (3,), True)]

    def values(self) -> list[tuple[Weight, np.ndarray]]:
        return [(weight, np.zeros(weight.shape)) for weight in self.weights()]

    def read(self, path: str) -> np.ndarray:
        return np.zeros(3)

    def assign(self, values: Any) -> None: ...

    def set_values(self, values: Any) -> None: ...

    def clone(self) -> OddLayer:
        return self


class OddProbe:
    """A probe of a submission whose code gives the same answer to everything."""

    training_pairs = 50

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.made: dict[Hashable, Any] = {}

    def call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        return self.answer

    def layer(self, name: str, *args: Any, **kwargs: Any) -> OddLayer:
        return OddLayer(self.answer)

    build = train = layer

    def define(self, source: str, name: str, *args: Any, **kwargs: Any) -> OddLayer:
        return OddLayer(self.answer)

    offer = define

    def tell_apart(self, ask: Callable[[], object]) -> None:
        with contextlib.suppress(AnswerError, Miss):
            ask()

    def report(self, measurement: Measurement) -> None: ...

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]

    def trial(self, make: Callable[[], Any], training_share: float) -> Any:
        return make()


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_no_answer_is_a_graders_mistake(folder: Path, kind: str) -> None:
    tests = grading.tests_of(folder)
    assert tests
    for name, test in tests.items():  # also those that an earlier line would hold back
        try:
            test(OddProbe(ODD[kind]), Draw("a student", name))
        except (Miss, AnswerError):
            continue
