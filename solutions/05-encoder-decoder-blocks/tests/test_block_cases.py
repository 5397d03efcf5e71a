"""Blocks are right under whichever reading of their weights gives their answer."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from autograder.grading import Draw, Weight

from .. import block_cases
from ..weight_parts import Sizes, parts_of
from ..weight_roles import all_readings, drawn_values

SIZES = Sizes(6, 3, 11)


def weights_of(kind: str) -> list[Weight]:
    """Return a block's weights, whose names tell nothing."""
    squares = [(6, 6), (6,)] * (4 if kind == "encoder" else 8)
    norms = [(6,), (6,)] * len(block_cases.ROLES[kind].norms)
    shapes = [*squares, *norms, (6, 11), (11,), (11, 6), (6,)]
    return [Weight(f"weights[{i}]", shape, True) for i, shape in enumerate(shapes)]


def block_of(kind: str, norm_first: bool) -> SimpleNamespace:
    draw, weights = Draw(f"{kind} {norm_first}"), weights_of(kind)
    values, roles = drawn_values(draw, weights, SIZES), block_cases.ROLES[kind]
    inputs = [draw.normal(4, 5, 6), draw.normal(4, 7, 6)][: 1 if kind == "encoder" else 2]

    def readings():
        return all_readings(parts_of(weights, SIZES), values, roles)

    return SimpleNamespace(kind=kind, norm_first=norm_first, roles=roles, sizes=SIZES, inputs=inputs, readings=readings)


@pytest.mark.parametrize("norm_first", [True, False], ids=["pre-norm", "post-norm"])
@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_a_block_is_right_under_any_reading(kind, norm_first):
    block, epsilon = block_of(kind, norm_first), block_cases.EPSILONS[-1]
    readings = list(block.readings())
    assert len(readings) > 2 * block_cases.READINGS_AT_ONCE or kind == "encoder"
    for weights in readings[1 :: len(readings) // 2]:
        answer = block_cases.right_answer(block, weights, epsilons=(epsilon,) * len(block.roles.norms))
        assert block_cases.is_right(block, answer, block_cases.EPSILONS)
        assert not block_cases.is_right(block, answer, (1e-1,))


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_a_block_is_wrong_where_one_number_is(kind):
    block = block_of(kind, norm_first=True)
    answer = block_cases.right_answer(block, list(block.readings())[-1])
    for place in ((0, 0, 0), (-1, -1, -1)):
        wrong = answer.copy()
        wrong[place] += 0.01
        assert not block_cases.is_right(block, wrong, block_cases.EPSILONS)


def test_epsilons_may_be_mixed_where_the_reading_is_the_likeliest():
    block = block_of("decoder", norm_first=True)
    answer = block_cases.right_answer(block, next(block.readings()), epsilons=(1e-3, 1e-6, 1e-5))
    assert block_cases.is_right(block, answer, block_cases.EPSILONS)
    assert not block_cases.is_right(block, answer, (1e-5, 1e-6))


def test_all_readings_are_computed_as_each_alone():
    block = block_of("decoder", norm_first=False)
    some = list(block.readings())[:200]
    for weights in some[::37]:
        answer = block_cases.right_answer(block, weights)
        likely = list(block_cases._likely(block, answer, some, [(block_cases.EPSILONS[0],) * 3]))
        assert len(likely) == 1 and likely[0][0] is weights
    together = block_cases.right_answer(block, block_cases.stacked(some))
    for weights, answer in zip(some, together, strict=True):
        np.testing.assert_allclose(answer, block_cases.right_answer(block, weights), rtol=1e-9, atol=1e-9)
