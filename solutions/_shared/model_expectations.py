"""What the graders of 06 and 09 ask of whole models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from autograder.base.errors import AnswerError
from autograder.base.text import Text
from autograder.grading import Array, Miss, expect_close, expect_that

from .dropout import STILL
from .influence import moves

__all__ = ["expect_one_of", "expect_rows_apart", "moves", "softmax", "still", "takes"]


def expect_one_of(
    answer: Any, right: Iterable[Array], what: Text, words: str, wrong: Callable[[], Mapping[str, Array]]
) -> None:
    """Miss unless the answer is close to one of several right ones; `wrong` gives known mistakes' results."""
    first = None
    for expected in right:
        first = expected if first is None else first
        try:
            expect_close(answer, expected, what, words)
            return
        except Miss:
            continue
    expect_close(answer, np.zeros(()) if first is None else first, what, words, wrong())


def takes(ask: Callable[[], object]) -> bool:
    """Whether a model gives anything: which lengths it takes is another line's."""
    try:
        ask()
    except (AnswerError, Miss):
        return False
    return True


def expect_rows_apart(ask: Callable[[list[int]], Array], together: Array) -> None:
    """Miss unless each of a batch's sequences alone gives what it gives among the others."""
    alone = np.concatenate([ask([row]) for row in range(len(together))])
    expect_that(
        bool(np.allclose(alone, together, rtol=STILL, atol=STILL)),
        Text(
            "A sequence has another output in a batch than alone.",
            "같은 시퀀스인데 배치에 있을 때와 혼자일 때 출력이 다릅니다.",
        ),
    )


def still(logits: Array, changed: Array) -> bool:
    """Whether logits stay when the vector of id 0 changes; a tied output gives id 0 itself another logit."""
    return np.allclose(logits[..., 1:], changed[..., 1:], rtol=STILL, atol=STILL)


def softmax(logits: Array) -> Array:
    """Return what a softmax over the vocabulary makes of logits."""
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True))
