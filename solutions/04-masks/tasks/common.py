"""Token ids, and what the hidden tests of every task of 04 that makes a mask ask of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Miss, expect_close, expect_shape, expect_that

FLOATS = Text(
    "The mask should be an array of floats, 1.0 and 0.0: booleans and integers can't be multiplied with scores everywhere.",
    "마스크는 실수 1.0과 0.0의 배열이어야 합니다. 불리언이나 정수는 점수와 곱하지 못하는 라이브러리도 있습니다.",
)
OTHER_NUMBERS = Text("The mask holds other numbers than 0 and 1.", "마스크에 0과 1이 아닌 수가 있습니다.")


def token_ids(draw: Draw, batch: int, seq_len: int, pad_id: int = 0) -> np.ndarray:
    """Draw ids without `pad_id` and put 1 to seq_len - 3 padding ids at the end of each sequence, different numbers."""
    ids = draw.integers(1, 30, batch, seq_len)
    ids[ids == pad_id] = pad_id + 31
    for sequence, length in zip(ids, draw.distinct(batch, 1, seq_len - 3), strict=True):
        sequence[seq_len - length :] = pad_id
    return ids


# numbers of a large vocabulary, of which float16 doesn't know the next one
LARGE_IDS = (2048, 4096, 8192)


def _is_floats(answer: Any) -> bool:
    return isinstance(answer, np.ndarray) and answer.dtype.kind == "f"


def expect_ones(answer: Any) -> None:
    """Miss unless an answer whose places are right holds floats, 0 and 1 only."""
    expect_that(_is_floats(answer), FLOATS)
    expect_that(bool(np.isin(answer, (0, 1)).all()), OTHER_NUMBERS)


def expect_mask(answer: Any, expected: Array, what: Text, words: str) -> None:
    """Miss unless the answer hides where `expected` does, whatever number it hides with."""
    got = expect_shape(answer, expected.shape, words)
    if np.isneginf(got).any() and np.array_equal(np.isneginf(got), expected == 1):
        raise Miss(
            Text(
                f"{what.en.capitalize()} are hidden by minus infinity. Here a mask holds 1 there, and 0 elsewhere.",
                f"{what.ko}: 마이너스 무한대로 가렸습니다. 이 과정의 마스크는 가리는 곳에 1, 나머지에 0을 담습니다.",
            )
        )
    expect_close(np.where(got > 0.5, 1.0, np.where(np.abs(got) < 1e-6, 0.0, got)), expected, what, words)
