"""What every layer of the course is asked: does it drop in training only, does it survive its config?"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from autograder.base.errors import AnswerError, AnswerRaised
from autograder.base.text import Text
from autograder.grading import (
    Array,
    Layer,
    Miss,
    expect_array,
    expect_changed,
    expect_close,
    expect_unchanged,
    is_close,
)

__all__ = [
    "CONFIG_QUESTION",
    "COPY_OUTPUT",
    "DROPS_AT_RATE_0",
    "copy_by_config",
    "errors_of_a_copy",
    "expect_drops_in_training_only",
    "expect_same_from_config",
    "share_together",
]

Answer = TypeVar("Answer")

CONFIG_QUESTION = Text(
    "In `from_config(get_config())`: does get_config hold every argument under its own name?",
    "`from_config(get_config())`에서: get_config에 모든 인수가 제 이름으로 들어 있나요?",
)
COPY_OUTPUT = Text("the output of the layer made from the config", "config로 만든 계층의 출력")

DROPS_AT_RATE_0 = Text(
    "With dropout=0.0 a call in training gives something else than one outside training.",
    "dropout=0.0인데 학습할 때의 결과와 학습이 아닐 때의 결과가 다릅니다.",
)


def expect_drops_in_training_only(ask: Callable[..., Array]) -> None:
    """Miss unless a layer's answer is the same in each call outside training, and another in training.

    Args:
        ask: (options) -> output of the layer, which was made with a rate above 0.
    """
    quiet = ask(training=False)
    text = Text(
        "With training=False something is dropped: two calls differ.",
        "training=False인데 드롭아웃이 작동합니다. 두 번 호출한 결과가 서로 다릅니다.",
    )
    expect_unchanged(quiet, ask(training=False), text)
    text = Text(
        "A call that says nothing of training drops something.",
        "training을 주지 않고 호출했는데 드롭아웃이 작동합니다.",
    )
    expect_unchanged(quiet, ask(), text)
    text = Text(
        "training=True changes nothing: there is no dropout.",
        "training=True여도 달라지는 것이 없습니다. 드롭아웃이 없습니다.",
    )
    expect_changed(quiet, ask(training=True), text)


@contextlib.contextmanager
def errors_of_a_copy() -> Generator[None]:
    """Turn an error of a layer that is made from a config into a miss that asks about `get_config`, unless it isn't written yet."""
    try:
        yield
    except AnswerError as error:
        if isinstance(error, AnswerRaised) and "NotImplementedError" in error.kinds:
            raise
        raise Miss(CONFIG_QUESTION + error.text) from None


def copy_by_config(
    layer: Layer, assign: Callable[[Layer], object], ask: Callable[[Layer], Answer]
) -> tuple[Layer, Answer]:
    """Return a layer made from another one's config, and what it answers once it has been given weights.

    Args:
        layer: the layer whose config is taken.
        assign: (copy) -> anything; gives weights to the copy, which is built by then.
        ask: (copy) -> its answer; called once to build it, and again with the weights.

    Raises:
        Miss: the copy can't be made, given weights or asked.
        AnswerRaised: some of this isn't written yet.
    """
    with errors_of_a_copy():
        copy = layer.clone()
        ask(copy)
        assign(copy)
        return copy, ask(copy)


def expect_same_from_config(layer: Layer, values: Mapping[str, Array], *inputs: Array) -> None:
    """Miss unless the copy of a layer from its config, given its weights, computes the same.

    Args:
        layer: a layer made with a dropout of 0, with weights assigned.
        values: path -> value of each weight.
        inputs: what the layer is called on.
    """
    copy, got = copy_by_config(layer, lambda copy: copy.assign(values), lambda copy: copy(*inputs))
    # against the layer itself, not the oracle: wrong values have cost their points already
    own = expect_array(layer(*inputs), Text("the output", "출력"))
    expect_close(got, own, COPY_OUTPUT)
    if is_close(layer(*inputs, training=True), own, 1e-5):
        text = Text(
            "The layer made from the config drops, though the dropout of the first one is 0.",
            "처음 계층의 dropout은 0인데 config로 만든 계층에서는 드롭아웃이 작동합니다.",
        )
        expect_unchanged(got, copy(*inputs, training=True), text)


def share_together(dropped: NDArray[np.bool_], axis: int) -> float:
    """Return how many of what is dropped anywhere along the axis is dropped all along it: 1 if drawn once for all."""
    return float(dropped.all(axis=axis).sum() / max(dropped.any(axis=axis).sum(), 1))
