"""The attentions that a leak test is asked about, each with whether it leaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw


@dataclass(frozen=True)
class LeakCase:
    """One callable for the leak test.

    Attributes:
        what: what it is, a noun phrase.
        make: name of its maker in `attends`.
        args: of the maker.
        seq_len: that the student's function is told.
        dim: that it is told.
        leaks: whether it does.
    """

    what: Text
    make: str
    args: tuple[Any, ...]
    seq_len: int
    dim: int
    leaks: bool


def _projections(draw: Draw, dim: int) -> Array:
    """Draw projections for queries, keys and values that leave no weight very small: each leak can be seen."""
    projections = draw.normal(3, dim, dim, scale=dim**-0.5)
    projections[:2] *= 0.5
    return projections


def _hidden(size: int, diagonal: int = 1) -> Array:
    return np.triu(np.ones((size, size)), k=diagonal)


def alike(shares: Array, dim: int) -> Array:
    """Return shares (size, size) for every feature: (size, size, dim)."""
    return np.repeat(shares[:, :, None], dim, axis=2)


def running_mean(size: int) -> Array:
    """Return weights (size, size) by which each position is the mean of all up to itself."""
    return np.tril(np.ones((size, size))) / np.arange(1, size + 1)[:, None]


UNDER_LOOK_AHEAD = Text("attention under a look-ahead mask", "룩어헤드 마스크를 쓴 어텐션")


def plain_cases(draw: Draw) -> list[LeakCase]:
    """Return what a leak test meets first: no mask, an inverted mask, averages, layers of one position."""
    seq_len, dim = draw.integer(6, 9), draw.integer(3, 5)
    projections, one = _projections(draw, dim), draw.normal(dim, dim, scale=dim**-0.5)
    sees_later = np.tril(np.ones((seq_len, seq_len)))
    everywhere = np.full((seq_len, seq_len), 1 / seq_len)

    def case(what: Text, make: str, leaks: bool, *args: Any) -> LeakCase:
        return LeakCase(what, make, args, seq_len, dim, leaks)

    return [
        case(UNDER_LOOK_AHEAD, "attention", False, _hidden(seq_len), projections),
        case(
            Text("attention without a mask", "마스크가 없는 어텐션"),
            "attention",
            True,
            _hidden(seq_len, seq_len),
            projections,
        ),
        case(
            Text("causal attention in tensors", "텐서로 계산하는 인과적 어텐션"),
            "attention",
            False,
            _hidden(seq_len),
            projections,
            "nothing",
            "keras",
        ),
        case(
            Text("attention under an inverted mask", "거꾸로 된 마스크를 쓴 어텐션"),
            "attention",
            True,
            sees_later,
            projections,
            "nothing",
            "keras",
        ),
        case(
            Text("the mean of everything so far", "지금까지의 모든 입력의 평균"),
            "mixture",
            False,
            alike(running_mean(seq_len), dim),
            one,
        ),
        case(Text("the mean of everything", "모든 입력의 평균"), "mixture", True, alike(everywhere, dim), one),
        case(
            Text("a dense layer at each position", "위치마다 적용한 Dense 계층"),
            "mixture",
            False,
            alike(np.eye(seq_len), dim),
            one,
            "keras",
        ),
        case(
            Text("a shift that looks back", "바로 앞 입력을 내놓는 이동"),
            "mixture",
            False,
            alike(np.eye(seq_len, k=-1), dim),
            one,
        ),
    ]


def one_step_cases(draw: Draw) -> list[LeakCase]:
    """Return leaks of a single step, in attention, in a moving average, through a gate."""
    seq_len, dim = draw.integer(6, 9), draw.integer(3, 5)
    projections, one = _projections(draw, dim), draw.normal(dim, dim, scale=dim**-0.5)
    back, ahead = np.eye(seq_len) + np.eye(seq_len, k=-1), np.eye(seq_len) + np.eye(seq_len, k=1)

    def case(what: Text, make: str, leaks: bool, *args: Any) -> LeakCase:
        return LeakCase(what, make, args, seq_len, dim, leaks)

    return [
        case(UNDER_LOOK_AHEAD, "attention", False, _hidden(seq_len), projections),
        case(
            Text("attention that sees one step too far", "한 걸음 더 멀리 보는 어텐션"),
            "attention",
            True,
            _hidden(seq_len, 2),
            projections,
        ),
        case(
            Text("an average with the input before", "바로 앞 입력과의 평균"),
            "mixture",
            False,
            alike(back / 2, dim),
            one,
        ),
        case(
            Text("an average with the next input", "바로 다음 입력과의 평균"),
            "mixture",
            True,
            alike(ahead / 2, dim),
            one,
        ),
        case(
            Text("a gate that the input before opens", "바로 앞 입력이 여는 게이트"),
            "product",
            False,
            alike(np.eye(seq_len, k=-1), dim),
            one,
        ),
        case(
            Text("a gate that the next input opens", "바로 다음 입력이 여는 게이트"),
            "product",
            True,
            alike(np.eye(seq_len, k=1), dim),
            one,
        ),
    ]


def one_place_cases(draw: Draw) -> list[LeakCase]:
    """Return leaks from one input to one output: the last ones, early ones, around the end, of one feature."""
    # of fewer features a column of the projection may by chance be near 0
    seq_len, dim = draw.integer(9, 12), draw.integer(4, 6)
    projections, one = _projections(draw, dim), draw.normal(dim, dim, scale=dim**-0.5)
    last = _hidden(seq_len)
    last[-2, -1] = 0
    early = _hidden(seq_len)
    early[1, 3] = 0  # both before the middle, so that one cut there shows nothing
    late = _hidden(seq_len)
    late[-4, -2] = 0
    first = _hidden(seq_len)
    first[0, 1] = 0
    back = np.eye(seq_len, k=-1)
    around = back.copy()
    around[0, -1] = 1  # what `numpy.roll` does
    causal = alike(running_mean(seq_len), dim)
    feature = causal.copy()
    # four inputs: fewer may by chance be changed to what looks the same after the projection
    outputs, inputs = [1, 2, 3, 4], [5, 3, 6, 7]
    feature[outputs, inputs, draw.integer(1, dim - 2)] = 0.5  # neither the first feature nor the last
    of_first, of_last = causal.copy(), causal.copy()
    of_first[outputs, inputs, 0] = of_last[outputs, inputs, -1] = 0.5
    without_first, twice = one.copy(), one.copy()
    without_first[0] = 0
    twice[:, 1] = twice[:, 0]
    opposite = causal.copy()
    opposite[outputs, inputs, 0], opposite[outputs, inputs, 1] = 0.5, -0.5

    def case(what: Text, make: str, leaks: bool, *args: Any) -> LeakCase:
        return LeakCase(what, make, args, seq_len, dim, leaks)

    return [
        case(UNDER_LOOK_AHEAD, "attention", False, _hidden(seq_len), projections),
        case(
            Text("attention in which one output sees the last input", "출력 하나가 맨 끝 입력을 보는 어텐션"),
            "attention",
            True,
            last,
            projections,
        ),
        case(
            Text("attention in which one early output sees too far", "앞쪽 출력 하나가 너무 멀리 보는 어텐션"),
            "attention",
            True,
            early,
            projections,
        ),
        case(
            Text("attention in which one late output sees too far", "뒤쪽 출력 하나가 너무 멀리 보는 어텐션"),
            "attention",
            True,
            late,
            projections,
        ),
        case(
            Text("attention in which the first output sees the second input", "첫 출력이 둘째 입력을 보는 어텐션"),
            "attention",
            True,
            first,
            projections,
        ),
        case(Text("a shift that looks back", "바로 앞 입력을 내놓는 이동"), "mixture", False, alike(back, dim), one),
        case(
            Text("a shift that goes around the end", "맨 끝 입력이 맨 앞으로 돌아오는 이동"),
            "mixture",
            True,
            alike(around, dim),
            one,
        ),
        case(
            Text("a running mean of each feature", "특징마다 지금까지의 평균"), "mixture", False, causal, one, "keras"
        ),
        case(
            Text(
                "a running mean with one feature of four inputs too many",
                "특징 하나에 입력 네 개가 더 섞인 지금까지의 평균",
            ),
            "mixture",
            True,
            feature,
            one,
            "keras",
        ),
        *(
            case(
                Text(
                    f"a running mean with the {en} feature of four inputs too many",
                    f"{ko} 특징에 입력 네 개가 더 섞인 지금까지의 평균",
                ),
                "mixture",
                True,
                shares,
                one,
            )
            for shares, en, ko in ((of_first, "first", "첫"), (of_last, "last", "마지막"))
        ),
        case(
            Text("a running mean without the first feature", "첫 특징을 뺀 지금까지의 평균"),
            "mixture",
            False,
            causal,
            without_first,
        ),
        case(
            Text(
                "a running mean that sees ahead, but not at the first feature",
                "앞을 보지만 첫 특징은 보지 않는 지금까지의 평균",
            ),
            "mixture",
            True,
            feature,
            without_first,
        ),
        case(
            Text("a running mean with one feature twice", "한 특징이 두 번 들어간 지금까지의 평균"),
            "mixture",
            False,
            causal,
            twice,
        ),
        case(
            Text(
                "a running mean that sees ahead with opposite signs in two features",
                "두 특징에서 서로 반대 부호로 앞을 보는 지금까지의 평균",
            ),
            "mixture",
            True,
            opposite,
            twice,
        ),
    ]


def long_cases(draw: Draw) -> list[LeakCase]:
    """Return attention whose mask ends too early: it leaks for long inputs only."""
    limit, dim = draw.integer(17, 20), draw.integer(3, 5)
    long, short, most = limit + draw.integer(4, 8), draw.integer(5, 8), 40
    projections = _projections(draw, dim)
    rows, columns = _hidden(most), _hidden(most)
    rows[limit:] = 0
    columns[:, limit:] = 0
    return [
        LeakCase(
            Text("causal attention over long inputs", "긴 입력에 대한 인과적 어텐션"),
            "attention",
            (_hidden(most), projections),
            long,
            dim,
            False,
        ),
        LeakCase(
            Text("attention whose late outputs have no mask", "뒤쪽 출력에 마스크가 없는 어텐션"),
            "attention",
            (rows, projections),
            long,
            dim,
            True,
        ),
        LeakCase(
            Text("attention whose late inputs have no mask", "뒤쪽 입력에 마스크가 없는 어텐션"),
            "attention",
            (columns, projections),
            long,
            dim,
            True,
        ),
        LeakCase(
            Text(
                "the same over inputs for which the mask is long enough",
                "마스크가 모자라지 않는 짧은 입력에 대한 같은 어텐션",
            ),
            "attention",
            (rows, projections),
            short,
            dim,
            False,
        ),
    ]


def normalised_cases(draw: Draw) -> list[LeakCase]:
    """Return attention after a normalisation: over the features, over time, over the time so far; more features than positions."""
    seq_len, dim = draw.integer(5, 7), draw.integer(8, 9)
    projections = _projections(draw, dim)
    causal = _hidden(seq_len)

    def case(what: Text, leaks: bool, *args: Any) -> LeakCase:
        return LeakCase(what, "attention", (args[0], projections, args[1]), seq_len, dim, leaks)

    return [
        case(
            Text("causal attention after a normalisation over the features", "특징들에 대한 정규화 뒤의 인과적 어텐션"),
            False,
            causal,
            "features",
        ),
        case(
            Text(
                "causal attention after a normalisation over all positions",
                "모든 위치에 대한 정규화 뒤의 인과적 어텐션",
            ),
            True,
            causal,
            "time",
        ),
        case(
            Text(
                "causal attention after a normalisation over the positions so far",
                "지금까지의 위치들에 대한 정규화 뒤의 인과적 어텐션",
            ),
            False,
            causal,
            "so far",
        ),
        case(
            Text(
                "attention without a mask after a normalisation over the features",
                "특징들에 대한 정규화 뒤의, 마스크가 없는 어텐션",
            ),
            True,
            0 * causal,
            "features",
        ),
    ]


WEAK = 4.5e-4  # what the task promises, 1e-4, and a margin: an input changed by 1 changes its projection less


def size_cases(draw: Draw) -> list[LeakCase]:
    """Return a weak leak, and a layer in float32 whose rounding reaches every output."""
    # of fewer numbers, in one draw of thirty (of eight features: of ten thousand) none is rounded to another one when later inputs change
    seq_len, dim = draw.integer(10, 12), draw.integer(12, 13)
    one = draw.normal(dim, dim, scale=dim**-0.5)
    taps = np.zeros(2 * seq_len - 1)
    taps[seq_len - 1 :] = draw.uniform(0.2, 0.9, seq_len) / np.arange(1, seq_len + 1)
    weak_taps = taps.copy()
    weak_taps[seq_len - 4] = WEAK  # the input three steps later
    mean = alike(running_mean(seq_len), dim)
    weak = mean.copy()
    weak[[0, 1, 2], [-1, -2, -3]] = WEAK

    def case(what: Text, make: str, leaks: bool, *args: Any) -> LeakCase:
        return LeakCase(what, make, args, seq_len, dim, leaks)

    return [
        case(
            Text("a causal layer whose outputs float32 rounds", "출력을 float32로 반올림하는 인과적 계층"),
            "convolution",
            False,
            taps,
            one,
        ),
        case(
            Text("a weak leak under the rounding of float32", "float32의 반올림 속에 있는 약한 누수"),
            "convolution",
            True,
            weak_taps,
            one,
        ),
        case(Text("a running mean", "지금까지의 평균"), "mixture", False, mean, one),
        case(Text("a weak leak in a few places", "몇 곳에 있는 약한 누수"), "mixture", True, weak, one),
    ]
