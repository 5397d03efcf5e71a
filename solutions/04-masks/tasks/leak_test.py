"""Hidden tests of the task `leak-test`."""

from __future__ import annotations

import inspect

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Miss, Probe, expect_truth_value, in_drawn_order

from .. import leak_components as attends
from ..leak_cases import (
    UNDER_LOOK_AHEAD,
    WEAK,
    LeakCase,
    alike,
    long_cases,
    normalised_cases,
    one_place_cases,
    one_step_cases,
    plain_cases,
    running_mean,
    size_cases,
)

SOURCE = inspect.getsource(attends)


def _verdict(probe: Probe, case: LeakCase) -> bool:
    """Return the student's verdict on a callable."""
    attend = probe.offer(SOURCE, case.make, *case.args)
    answer = probe.call("leaks_future", attend, case.seq_len, case.dim)
    return expect_truth_value(answer)


LEAK_UNSEEN = Text("The leak was not seen", "누수를 찾지 못했습니다")
LEAK_INVENTED = Text("There is no leak, but one was reported", "누수가 없는데 있다고 했습니다")


def _ask_about_single_leaks(probe: Probe, draw: Draw) -> None:
    """Ask about leaks from one input to one output, of one feature, and weak ones: what is seen tells mistakes apart."""
    seq_len, dim = 7, 4
    one = draw.normal(dim, dim)
    alone = alike(np.eye(seq_len), dim)

    def leak(row: int, column: int, share: float, feature: int | slice = slice(None)) -> Array:
        shares = alone.copy() if share == 1 else np.zeros_like(alone)
        shares[row, column, feature] = share
        return shares

    places = np.transpose(np.triu_indices(seq_len, k=1))
    panel = [(alone, 0.0), (alike(running_mean(seq_len), dim), 0.0), (alike(np.eye(seq_len, k=-1), dim), 0.0)]
    panel += [(leak(row, column, 1), 0.0) for row, column in places]
    panel += [(leak(1, 3, 1, feature), 0.0) for feature in range(dim)]
    panel += [
        (leak(0, -1, share), offset) for share, offset in ((1e-30, 0.0), (1e-14, 4.0), (3e-8, 4.0), (WEAK / 3, 0.0))
    ]
    asked = [("mixture", (shares, one, "numpy", offset)) for shares, offset in panel]
    centred = one - one.mean(axis=0)  # the same number added to every feature changes nothing
    asked += [("mixture", (leak(1, 3, 1), centred)), ("previous", ())]
    for make, args in asked:
        _verdict(probe, LeakCase(UNDER_LOOK_AHEAD, make, args, seq_len, dim, False))


def _expect_verdicts(probe: Probe, draw: Draw, cases: list[LeakCase]) -> None:
    """Miss at the first wrong verdict."""
    probe.tell_apart(lambda: probe.once("single leaks", lambda: _ask_about_single_leaks(probe, draw)))

    def misjudged(case: LeakCase) -> LeakCase | None:
        return case if _verdict(probe, case) != case.leaks else None

    for case in in_drawn_order(draw, misjudged, cases):
        if case is not None:
            wrong = LEAK_UNSEEN if case.leaks else LEAK_INVENTED
            text = Text(f"{wrong.en}: {case.what.en}.", f"{wrong.ko}: {case.what.ko}.")
            raise Miss(text)


def test_leak_answer(probe: Probe, draw: Draw) -> None:
    for case in plain_cases(draw)[:2]:
        _verdict(probe, case)


def test_leak_plain(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, plain_cases(draw))


def test_leak_one_step(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, one_step_cases(draw))


def test_leak_one_place(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, one_place_cases(draw))


def test_leak_long(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, long_cases(draw))


def test_leak_normalised(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, normalised_cases(draw))


def test_leak_size(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, size_cases(draw))
