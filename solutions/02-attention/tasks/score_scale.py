"""Hidden tests of the task `score-scale`."""

from __future__ import annotations

import math

import numpy as np

from autograder.base.text import Text
from autograder.grading import NO_RETURN, TOLERANCE, Draw, Miss, Probe, expect_number, expect_that, number_of

UNSCALED_STD = Text("the standard deviation without scaling", "스케일링하지 않을 때의 표준편차")
SCALED_STD = Text("the standard deviation with scaling", "스케일링할 때의 표준편차")


def _std(probe: Probe, key_dim: int, scaled: bool) -> float:
    answer = probe.call("score_std", key_dim, scaled)
    expect_that(answer is not None, NO_RETURN)
    number = number_of(answer)
    text = Text(
        "score_std should return one number, the same kind of answer for scaled and not scaled.",
        "score_std는 스케일링하든 하지 않든 수 하나를 돌려주어야 합니다.",
    )
    if number is None or not np.isfinite(number):
        raise Miss(text)
    return number


def _near(answer: float, right: float) -> bool:
    return abs(answer - right) <= TOLERANCE * (1 + right)


def _is_rounded(answer: float, right: float) -> bool:
    roundings = [math.floor(right), math.ceil(right), *(round(right, digits) for digits in range(4))]
    return any(abs(answer - rounded) <= 1e-6 * right for rounded in roundings)


def _expect_exact(answer: float, right: float, what: Text) -> None:
    """Miss as `expect_number` does, and ask of a near answer whether it is an estimate from samples."""
    if not _near(answer, right):
        expect_that(
            abs(answer - right) > 0.1 * right,
            Text(
                f"Near, but {what.en} has an exact value. Was it measured on samples, or rounded on the way?",
                f"비슷하지만, {what.ko}에는 정확한 값이 있습니다. 표본에서 재거나 도중에 반올림하지 않았나요?",
            ),
        )
    expect_number(answer, right, what)


def _widths(draw: Draw, count: int, low: int = 5, high: int = 200) -> list[int]:
    """Draw different widths whose root is no whole number, in ascending order."""
    options = [n for n in range(low, high + 1) if math.isqrt(n) ** 2 != n]
    return sorted(int(n) for n in draw.rng.choice(options, size=count, replace=False))


def test_score_std_number(probe: Probe, draw: Draw) -> None:
    for scaled in (False, True):
        _std(probe, draw.integer(5, 200), scaled)


def test_score_std_unscaled(probe: Probe, draw: Draw) -> None:
    answers = {key_dim: _std(probe, key_dim, False) for key_dim in _widths(draw, 6)}
    expect_that(
        any(
            _near(answer, key_dim**0.5) or not _is_rounded(answer, key_dim**0.5) for key_dim, answer in answers.items()
        ),
        Text(
            f"Near, but {UNSCALED_STD.en} has an exact value. Was it rounded?",
            f"비슷하지만, {UNSCALED_STD.ko}에는 정확한 값이 있습니다. 반올림하지 않았나요?",
        ),
    )
    for key_dim, answer in answers.items():
        _expect_exact(answer, key_dim**0.5, UNSCALED_STD)


def test_score_std_scaled(probe: Probe, draw: Draw) -> None:
    # far apart: rounded roots differ too; several, since what a million samples give is near by chance once in five times
    small, large = _widths(draw, 3, 5, 60), _widths(draw, 3, 260, 900)
    expect_that(
        any(_std(probe, small[0], scaled) != _std(probe, large[0], scaled) for scaled in (False, True)),
        Text(
            "The same number for every key_dim, scaled or not, explains nothing: first find the value without scaling.",
            "key_dim이 무엇이든, 스케일링하든 하지 않든 같은 수로는 아무것도 설명하지 못합니다. 스케일링하지 않을 때의 값을 먼저 구하세요.",
        ),
    )
    for key_dim in (*small, *large):
        _expect_exact(_std(probe, key_dim, True), 1.0, SCALED_STD)
