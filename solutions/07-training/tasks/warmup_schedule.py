"""Hidden tests of the task `warmup-schedule`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.base.errors import AnswerRaised
from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
    Layer,
    Miss,
    Probe,
    expect_close,
    expect_number,
    expect_shape,
    expect_that,
    number_of,
)

from .. import reference as oracle
from .trained_model import HELD_OUT

# late in a long schedule the difference of one step is smaller than this, any other mistake is larger
ONE_STEP = 3e-3


def _rates(probe: Probe, schedule: Layer, steps: Sequence[int]) -> Array:
    probe.tell_apart(lambda: probe.define(HELD_OUT, "logarithms", schedule)(list(steps)))
    return np.array([expect_number_of(schedule(step)) for step in steps])


def expect_number_of(answer: Any) -> float:
    """Return the one number that the schedule gave."""
    text = Text(
        "The schedule returned None. Is the `return` missing?",
        "스케줄이 None을 돌려주었습니다. `return`이 빠지지 않았나요?",
    )
    expect_that(answer is not None, text)
    number = number_of(answer)
    text = Text(
        "Calling the schedule with a step should return one number, the learning rate.",
        "스케줄을 step으로 호출하면 수 하나, 곧 학습률을 돌려주어야 합니다.",
    )
    if number is None:
        raise Miss(text)
    return number


def _schedule(probe: Probe, draw: Draw) -> tuple[Layer, int, int]:
    d_model, warmup_steps = draw.integer(60, 700), draw.integer(1500, 3500)
    return probe.layer("WarmupSchedule", d_model, warmup_steps=warmup_steps), d_model, warmup_steps


def _expect_curve(probe: Probe, draw: Draw, multiples: tuple[float, ...], what: Text) -> None:
    """Miss unless the rates at some multiples of the warm-up, relative to that at its end, are right."""
    schedule, d_model, warmup_steps = _schedule(probe, draw)
    at = [int(multiple * warmup_steps) - 1 for multiple in (*multiples, 1.0)]
    got, right = _rates(probe, schedule, at), oracle.learning_rate(at, d_model, warmup_steps)
    text = Text("A learning rate is 0 or not a finite number.", "0이거나 유한하지 않은 학습률이 있습니다.")
    expect_that((np.isfinite(got) & (got != 0)).all(), text)
    expect_close(got[:-1] / got[-1], right[:-1] / right[-1], what, tolerance=ONE_STEP)


def test_schedule_number(probe: Probe, draw: Draw) -> None:
    schedule, _, _ = _schedule(probe, draw)
    expect_number_of(schedule(draw.integer(100, 900)))


def test_schedule_warmup(probe: Probe, draw: Draw) -> None:
    what = Text(
        "the learning rates of the warm-up, relative to its end", "웜업이 끝날 때를 기준으로 한 웜업 동안의 학습률"
    )
    _expect_curve(probe, draw, (0.31, 0.52, 0.77, 0.95), what)


def test_schedule_decay(probe: Probe, draw: Draw) -> None:
    what = Text(
        "the learning rates after the warm-up, relative to its end", "웜업이 끝날 때를 기준으로 한 웜업 뒤의 학습률"
    )
    _expect_curve(probe, draw, (1.3, 2.1, 4.2, 17.0), what)


def test_schedule_size(probe: Probe, draw: Draw) -> None:
    what = Text("the learning rate, relative to the right one", "올바른 학습률에 대한 여러분의 학습률의 비")
    for narrowest, widest in ((60, 250), (300, 700)):  # one width alone may be the one that someone's rate is made for
        d_model, warmup = draw.integer(narrowest, widest), draw.integer(1500, 3500)
        schedule = probe.layer("WarmupSchedule", d_model, warmup_steps=warmup)
        [rate] = _rates(probe, schedule, [3 * warmup])
        expect_number(rate / float(oracle.learning_rate(3 * warmup, d_model, warmup)), 1.0, what, tolerance=ONE_STEP)
    _expect_right_config(probe, schedule, warmup)
    d_model = draw.integer(60, 700)
    text = Text(
        "Without warmup_steps the learning rate isn't that of a warm-up of 4000 steps.",
        "warmup_steps를 주지 않았을 때의 학습률이 웜업 4000 step일 때의 학습률이 아닙니다.",
    )
    for step in (2999, 20_000):  # the earlier one knows the warm-up
        expect_that(abs(_ratio(probe.layer("WarmupSchedule", d_model), step, d_model, 4000) - 1) < ONE_STEP, text)


def _ratio(schedule: Layer, step: int, d_model: int, warmup: int) -> float:
    """Return the rate at a step, divided by the right one."""
    return expect_number_of(schedule(step)) / float(oracle.learning_rate(step, d_model, warmup))


def _expect_right_config(probe: Probe, schedule: Layer, warmup: int) -> None:
    """Miss if the schedule has a config that makes another one, or an unwritten one; a schedule without any is right too."""
    try:
        copy = schedule.clone()
    except AnswerRaised as error:
        if {"NotImplementedError", "AttributeError"} & set(error.kinds):
            if not probe.define(HELD_OUT, "has_own_config", schedule)():
                return
            raise
        text = Text(
            "In `from_config(get_config())`: does get_config hold both arguments under their own names?",
            "`from_config(get_config())`에서: get_config에 두 인수가 모두 제 이름으로 들어 있나요?",
        )
        raise Miss(text + error.text) from None
    text = Text(
        "`from_config(get_config())` makes another schedule.",
        "`from_config(get_config())`로 다른 스케줄이 만들어집니다.",
    )
    # against the schedule itself, not the oracle: wrong or coarse rates cost their own lines
    for step in (warmup // 3, 3 * warmup):
        expect_that(abs(expect_number_of(copy(step)) / expect_number_of(schedule(step)) - 1) < ONE_STEP, text)


def test_schedule_first_step(probe: Probe, draw: Draw) -> None:
    warmup = draw.integer(20, 60)
    schedule = probe.layer("WarmupSchedule", draw.integer(60, 700), warmup_steps=warmup)
    # relative to a late step: the size is asked by `schedule-size`
    steps = [0, 1, 5, warmup - 2, warmup - 1, warmup, warmup + 2, 4000 * warmup]
    got, right = _rates(probe, schedule, steps), oracle.learning_rate(steps, 100, warmup)
    text = Text(
        "The learning rate of an early step is not finite: 0 to a negative power?",
        "처음 몇 step의 학습률이 유한하지 않습니다. 0의 음수 제곱을 계산하지 않았나요?",
    )
    expect_that(np.isfinite(got).all(), text)
    what = Text(
        "the rates of the first steps and around the end of a short warm-up",
        "처음 몇 step과 짧은 웜업이 끝날 무렵의 학습률",
    )
    expect_close(got[:-1] / got[-1], right[:-1] / right[-1], what, tolerance=ONE_STEP)
    warmup = draw.integer(2500, 3500)  # here the first rates are tiny
    schedule = probe.layer("WarmupSchedule", draw.integer(300, 700), warmup_steps=warmup)
    steps = [0, 1, 4, 3 * warmup]
    got, right = _rates(probe, schedule, steps), oracle.learning_rate(steps, 100, warmup)
    what = Text("the rates of the first steps of a long warm-up", "긴 웜업의 처음 몇 step의 학습률")
    expect_close(got[:-1] / got[-1], right[:-1] / right[-1], what, tolerance=ONE_STEP)


def test_schedule_in_optimizer(probe: Probe, draw: Draw) -> None:
    schedule = probe.layer("WarmupSchedule", draw.integer(60, 90), warmup_steps=draw.integer(3, 5))
    count = 9
    try:
        answer = probe.define(HELD_OUT, "moves", schedule)(count)
    except AnswerRaised as error:
        raise _unusable(probe, schedule, error) from None
    moved = expect_shape(answer, (count,), Text("the moves", "움직인 거리"))
    rates = _rates(probe, schedule, range(count))
    what = Text("the learning rates as an optimizer gets them", "옵티마이저가 받는 학습률")
    expect_close(moved / rates[-1], rates / rates[-1], what, tolerance=1e-3)


def _unusable(probe: Probe, schedule: Layer, error: AnswerRaised) -> Miss:
    """Return the miss of a schedule that no optimizer can use, or none in compiled code."""
    try:
        probe.define(HELD_OUT, "moves", schedule, compiled=False)(1)
    except AnswerRaised:
        text = Text(
            "A Keras optimizer can't use the schedule. Is it a keras.optimizers.schedules.LearningRateSchedule, and "
            "does it take the step as a whole-number tensor?",
            "케라스 옵티마이저가 이 스케줄을 쓰지 못합니다. keras.optimizers.schedules.LearningRateSchedule을 상속했나요? "
            "step을 정수 텐서로 받아도 계산할 수 있나요?",
        )
        return Miss(text + error.text)
    text = Text(
        "`fit` compiles what an optimizer does, and there the schedule fails: the step is a tensor without a value yet. "
        "Compute with keras.ops instead of Python's or NumPy's numbers.",
        "`fit`은 옵티마이저의 계산을 컴파일하는데, 거기서 스케줄이 실패합니다. 그때 step은 아직 값이 없는 텐서입니다. 파이썬이나 "
        "NumPy의 수 대신 keras.ops로 계산하세요.",
    )
    return Miss(text + error.text)
