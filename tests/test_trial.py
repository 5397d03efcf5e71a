"""A trial that fails leaves nothing behind: neither in the probe nor, in real kernels, in the kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from autograder.base.errors import AnswerError, AnswerTimeout, KernelGone
from autograder.base.text import Text
from autograder.grading.rubric import Miss
from autograder.kernels.notebook_run import NotebookRun, RunCell
from autograder.kernels.probe import KernelProbe
from autograder.sources.course import Limits

HUNG = AnswerTimeout(Text("It hung.", "멈췄습니다."))
LIMITS = Limits(
    start_seconds=90, cell_seconds=3, answer_seconds=3, training_seconds=40, submission_seconds=120, restarts=1
)
COUNTS = """\
import time
calls = []


def train(seconds):
    calls.append(seconds)
    time.sleep(seconds)
    return len


def count():
    return len(calls)
"""


class Kernels:
    """Answers every request with 7 or, while `error` is set, with that; counts how often it was renewed."""

    def __init__(self) -> None:
        self.requests: list[Mapping[str, Any]] = []
        self.renewed = 0
        self.error: AnswerError | None = None
        self.probe = KernelProbe(self.ask, lambda: self.renewed, "", renew=self.renew)

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        self.requests.append(request)
        if self.error:
            raise self.error
        return {"ok": 7}

    def renew(self) -> None:
        self.renewed += 1
        self.error = None


def test_a_trial_that_finds_something_is_kept_with_its_kernel() -> None:
    kernels = Kernels()
    model = kernels.probe.trial(lambda: kernels.probe.train("train", 1), 0.25)
    assert model is not None and kernels.renewed == 0
    model.check_alive()
    assert [request["training_share"] for request in kernels.requests] == [0.25]
    kernels.probe.train("train", 1)
    assert kernels.requests[-1]["training_share"] == 1


def _misses() -> None:
    raise Miss(Text("Wrong.", "틀렸습니다."))


@pytest.mark.parametrize("find", [lambda: None, _misses], ids=["finds nothing", "misses"])
def test_after_a_trial_that_fails_a_fresh_kernel_is_asked(find: Callable[[], None]) -> None:
    kernels = Kernels()
    made = []

    def make() -> None:
        made.append(kernels.probe.train("train", 1))
        find()

    assert kernels.probe.trial(make, 0.25) is None
    assert kernels.renewed == 1 and not kernels.probe.has_read
    with pytest.raises(KernelGone):
        made[0].check_alive()
    kernels.probe.train("train", 1)
    assert kernels.requests[-1]["training_share"] == 1


def test_a_trial_that_hangs_loses_no_kernel() -> None:
    kernels = Kernels()
    kernels.error = HUNG
    assert kernels.probe.trial(lambda: kernels.probe.train("train", 1), 0.25) is None
    assert kernels.probe.lost is None and kernels.renewed == 1
    kernels.probe.train("train", 1)


def test_a_kernel_that_was_lost_before_is_not_given_back_by_a_trial() -> None:
    kernels = Kernels()
    kernels.probe.lost = HUNG
    assert kernels.probe.trial(lambda: kernels.probe.train("train", 1), 0.25) is None
    assert kernels.probe.lost is HUNG and kernels.renewed == 0 and not kernels.requests


def test_what_is_the_graders_fault_ends_a_trial_and_everything_else() -> None:
    kernels = Kernels()
    with pytest.raises(ZeroDivisionError):
        kernels.probe.trial(lambda: 1 // 0, 0.25)
    kernels.probe.train("train", 1)
    assert kernels.requests[-1]["training_share"] == 1


def test_without_a_second_kernel_there_is_no_trial() -> None:
    kernels = Kernels()
    kernels.probe = KernelProbe(kernels.ask, lambda: 0, "")
    assert kernels.probe.trial(lambda: 1, 0.25) is None
    assert not kernels.requests


@pytest.mark.course
def test_a_failed_trial_leaves_nothing_in_the_kernel_and_is_no_restart() -> None:
    with NotebookRun([RunCell("cell-0", COUNTS, True, True, 3.0)], LIMITS, "tensorflow") as run:
        run.execute()
        for _ in range(3):  # more than the kernels that the student's code may end
            probe = KernelProbe(run.ask, lambda: run.generation, "", renew=run.renew)
            assert probe.call("count") == 0
            made: list[Any] = []
            assert probe.trial(partial(_train_and_find_nothing, probe, made), 0.05) is None
            with pytest.raises(KernelGone):
                made[0].check_alive()
            assert probe.call("count") == 0
        probe.train("train", 0)
        assert probe.call("count") == 1


def _train_and_find_nothing(probe: KernelProbe, made: list[Any]) -> None:
    made.append(probe.train("train", 0))
    assert probe.call("count") == 1


@pytest.mark.course
def test_a_training_in_a_trial_has_its_share_of_the_time() -> None:
    with NotebookRun([RunCell("cell-0", COUNTS, True, True, 3.0)], LIMITS, "tensorflow") as run:
        run.execute()
        probe = KernelProbe(run.ask, lambda: run.generation, "", renew=run.renew)
        assert probe.trial(lambda: probe.train("train", 60), 0.05) is None
        assert probe.train("train", 3)([1, 2]) == 2
