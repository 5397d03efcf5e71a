"""How a check of 08 is judged: components, broken and right, and the verdicts on them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.base.errors import AnswerRaised
from autograder.base.text import Text
from autograder.grading import Draw, Miss, Probe, expect_truth_value, in_drawn_order

from .. import components

SOURCE = inspect.getsource(components)
# Student's check -> the function in `components` that makes what it is asked about. In each task's tables something right is
# made as the broken ones are: nothing but what it computes tells it apart.
MAKES = {
    "detect_inverted_mask": "attention",
    "detect_dropped_feed_forward": "block",
    "detect_swapped_arguments": "heads",
    "detect_head_scaling": "weights",
    "detect_shifted_target": "pairs",
}
SEEDED = ("attention", "block", "heads")


@dataclass(frozen=True)
class Component:
    """What a check is asked about.

    Attributes:
        what: in words, for the message.
        is_broken: the right verdict.
        args: of the function that makes it.
        options: keyword arguments of that function, without the seed.
    """

    what: Text
    is_broken: bool
    args: tuple[Any, ...]
    options: Mapping[str, Any]


def right(en: str, ko: str, *args: Any, **options: Any) -> Component:
    """Return a component in which nothing is wrong."""
    return Component(Text(en, ko), False, args, options)


def broken(en: str, ko: str, *args: Any, **options: Any) -> Component:
    """Return a component that a check should report."""
    return Component(Text(en, ko), True, args, options)


def verdict(probe: Probe, function: str, component: Component, seed: int) -> bool:
    """Return what the student's check says of a component."""
    make = MAKES[function]
    seeds = {"seed": seed} if make in SEEDED else {}
    offered = probe.offer(SOURCE, make, *component.args, **component.options, **seeds)
    return expect_truth_value(probe.call(function, offered))


def drawn_seeds(draw: Draw, components: Sequence[Component]) -> list[int]:
    """Draw the seed of each component's projections."""
    return [draw.integer(1, 10**6) for _ in components]


def expect_verdicts(probe: Probe, draw: Draw, function: str, components: Sequence[Component]) -> None:
    """Miss at the first wrong verdict."""

    def wrong(asked: tuple[Component, int]) -> Text | None:
        component, seed = asked
        what = component.what
        try:
            said = verdict(probe, function, component, seed)
        except AnswerRaised as error:
            if "NotImplementedError" in error.kinds:
                raise
            return Text(f"{what.en}: {error.text.en}", f"{what.ko}: {error.text.ko}")
        if said == component.is_broken:
            return None
        unseen = Text("The mistake was not seen", "잘못을 찾지 못했습니다")
        invented = Text("There is no mistake, but one was reported", "잘못이 없는데 있다고 했습니다")
        told = unseen if component.is_broken else invented
        return Text(f"{told.en}: {what.en}.", f"{told.ko}: {what.ko}.")

    asked = list(zip(components, drawn_seeds(draw, components), strict=True))
    for text in in_drawn_order(draw, wrong, asked):
        if text is not None:
            raise Miss(text)


def expect_truth_values(probe: Probe, draw: Draw, function: str, components: Sequence[Component]) -> None:
    """Miss unless the check returns one truth value for each component."""
    for component, seed in zip(components, drawn_seeds(draw, components), strict=True):
        verdict(probe, function, component, seed)
