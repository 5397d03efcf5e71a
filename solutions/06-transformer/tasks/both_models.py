"""What both models of 06 are asked: numbers of parameters, causality."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Miss, expect_number, expect_that

from ..._shared.dropout import STILL, TRIES
from ..._shared.model_expectations import FilledModel
from ..._shared.uniform_weights import WeightLayout

PARAMETERS = Text("the number of parameters", "파라미터 수")
# Of the encoder's, the decoder's and the last norms: the paper's code and this course, PyTorch, Keras; parts may come from anywhere.
Epsilons = tuple[float, float, float]
_EPSILONS = (1e-6, 1e-5, 1e-3)
EPSILONS: list[Epsilons] = sorted(itertools.product(_EPSILONS, _EPSILONS, _EPSILONS), key=lambda each: len(set(each)))
USUAL = WeightLayout()


def readings(model: FilledModel) -> Iterator[tuple[Epsilons, WeightLayout]]:
    """Yield which epsilons and which ways of holding numbers are right, the likeliest first."""
    for layout in model.uniform.layouts(model.values):
        yield from ((each, layout) for each in EPSILONS if layout == USUAL or len(set(each)) == 1)


def expect_with_some_weights(expect: Callable[[], None], tries: int = TRIES) -> None:
    """Miss if `expect` misses several times, with models whose weights it draws anew: what is wrong is wrong with all.

    With the weights of one draw in ten thousand, an attention gives some position no weight that could be seen, or float32 is off by
    more than the tolerance.

    Args:
        expect: misses or returns; it makes its models itself.
        tries: how often `expect` may miss.
    """
    for tries_left in reversed(range(tries)):
        try:
            expect()
        except Miss:
            if not tries_left:
                raise
        else:
            return


def expect_causal(moved: Array) -> None:
    """Miss unless no output moves with a later input and each moves with its own.

    Args:
        moved: (output positions, input positions).
    """
    expect_that(
        not np.triu(moved > STILL, k=1).any(),
        Text(
            "An output changes when only a later target changes: the decoder isn't causal.",
            "뒤의 타깃만 바꾸었는데 출력이 달라집니다. 디코더가 인과적이지 않습니다.",
        ),
    )
    expect_that(
        bool((np.diagonal(moved) > STILL).all()),
        Text(
            "An output doesn't change with the target at its own position: each position sees itself.",
            "자기 자리의 타깃이 바뀌어도 그대로인 출력이 있습니다. 위치마다 자기 자신은 보아야 합니다.",
        ),
    )
    expect_that(
        bool((moved[-1] > 1e-5).all()),
        Text(
            "The last output doesn't change with every earlier target: too much is hidden.",
            "앞의 타깃 가운데 바뀌어도 마지막 출력이 그대로인 것이 있습니다. 너무 많이 가렸습니다.",
        ),
    )


def expect_parameters(model: FilledModel, right: int, what: Text = PARAMETERS) -> None:
    """Miss unless a model has so many parameters."""
    expect_number(model.count(), right, what, tolerance=0.0)
