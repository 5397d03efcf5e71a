"""Reference for 07-training: schedule, teacher forcing, loss, accuracy, decoding and the numbers to be translated.

The two number systems are spelled here by recursion on the number. The notebook spells them from the digits, and
`tests/test_oracle_training.py` reads both back by rules of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "BOS",
    "EOS",
    "MAX_LEN",
    "PAD",
    "SOURCE_LEN",
    "TARGET_LEN",
    "VOCABULARY",
    "cross_entropy",
    "draw_numbers",
    "english_words",
    "exact_match",
    "greedy_decode",
    "korean_syllables",
    "learning_rate",
    "masked_accuracy",
    "masked_loss",
    "number_pairs",
    "teacher_forcing_pairs",
]

Array = NDArray[np.float64]
Ids = NDArray[np.int64]

PAD, BOS, EOS = 0, 1, 2

_DIGITS = "일이삼사오육칠팔구"
_SMALL_UNITS = ((1000, "천"), (100, "백"), (10, "십"))
_GREAT_UNITS = ((10**8, "억"), (10**4, "만"))
_UNITS = tuple(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
_TEENS = tuple(
    ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
)
_TENS = tuple(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"])
_THOUSANDS = ((10**9, "billion"), (10**6, "million"), (10**3, "thousand"))

# The notebook's token ids. Weights that are handed in meet these; who trains meets them shuffled (`graders/training.py`).
VOCABULARY = dict(
    zip(
        ("<pad>", "<bos>", "<eos>", "<unk>", *_DIGITS, *"십백천만억")
        + (*_UNITS, *_TEENS, *_TENS, "hundred", "thousand", "million", "billion"),
        range(49),
        strict=True,
    )
)
DIGIT_COUNT = 12  # of the longest numbers
SOURCE_LEN, TARGET_LEN = 23, 21
MAX_LEN = 24


def learning_rate(step: ArrayLike, d_model: int, warmup_steps: int) -> Array:
    """Return the learning rate of an update, counted from 0 as Keras does.

    References:
        Vaswani et al. 2017, "Attention Is All You Need", section 5.3, equation 3, whose step_num is `step + 1`.
    """
    number = np.asarray(step, dtype=np.float64) + 1
    rising = number / warmup_steps**1.5
    return np.where(number < warmup_steps, rising, 1 / np.sqrt(number)) / np.sqrt(d_model)


def teacher_forcing_pairs(target_ids: ArrayLike) -> tuple[Ids, Ids]:
    """Return what the decoder reads and what it is asked for, each (batch, len - 1).

    Args:
        target_ids: (batch, len), each row beginning with BOS.
    """
    ids = np.asarray(target_ids, dtype=np.int64)
    positions = np.arange(ids.shape[1] - 1)
    return np.take(ids, positions, axis=1), np.take(ids, positions + 1, axis=1)


def cross_entropy(labels: ArrayLike, logits: ArrayLike, label_smoothing: float = 0.0) -> Array:
    """Return the cross-entropy of each position against the smoothed target: (batch, len).

    The target is (1 - label_smoothing) for the label plus label_smoothing / vocab_size for every token.

    References:
        Szegedy et al. 2016, "Rethinking the Inception Architecture", section 7; Vaswani et al. 2017, section 5.4.
    """
    ids, scores = np.asarray(labels, dtype=np.int64), np.asarray(logits, dtype=np.float64)
    target = np.eye(scores.shape[-1])[ids] * (1 - label_smoothing) + label_smoothing / scores.shape[-1]
    with np.errstate(under="ignore"):
        log_probabilities = scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True)
    return -np.einsum("...v,...v->...", target, log_probabilities)


def masked_loss(labels: ArrayLike, logits: ArrayLike, label_smoothing: float = 0.0, pad_id: int = 0) -> float:
    """Return the mean cross-entropy over the positions that are not padding; 0 if there is none.

    Args:
        labels: (batch, len)
        logits: (batch, len, vocab_size)
        label_smoothing: share of the target that is spread over the whole vocabulary.
        pad_id: label of padding.
    """
    kept = np.asarray(labels) != pad_id
    losses = cross_entropy(labels, logits, label_smoothing)[kept]
    return float(losses.mean()) if losses.size else 0.0


def masked_accuracy(labels: ArrayLike, logits: ArrayLike, pad_id: int = 0) -> float:
    """Return the share of the positions that are not padding whose largest logit is the label's; 0 if there is none."""
    ids = np.asarray(labels)
    right = [
        np.argmax(scores) == label
        for label, scores in zip(ids.reshape(-1), np.reshape(logits, (ids.size, -1)), strict=True)
        if label != pad_id
    ]
    return float(np.mean(right)) if right else 0.0


def greedy_decode(
    next_logits: Callable[[int, Sequence[int]], ArrayLike], batch: int, bos_id: int, eos_id: int, max_len: int
) -> Ids:
    """Return each row's greedy sequence: (batch, the longest row), zeros after a row's EOS.

    Args:
        next_logits: gives the logits (vocab_size,) that follow a prefix of ids in a row.
        batch: number of rows.
        bos_id, eos_id: first id, and the id that ends a row.
        max_len: number of ids at which a row ends in any case.
    """
    rows = []
    for row in range(batch):
        ids = [bos_id]
        while len(ids) < max_len and ids[1:][-1:] != [eos_id]:
            ids.append(int(np.argmax(next_logits(row, ids))))
        rows.append(ids)
    longest = max(map(len, rows))
    return np.array([ids + [PAD] * (longest - len(ids)) for ids in rows])


def exact_match(predicted: ArrayLike, target: ArrayLike) -> float:
    """Return the share of rows that agree with the target up to its EOS, EOS included.

    Args:
        predicted, target: (batch, any length), beginning with BOS.
    """
    right = [_until_eos(p) == _until_eos(t) for p, t in zip(np.asarray(predicted), np.asarray(target), strict=True)]
    return float(np.mean(right))


def _until_eos(row: Ids) -> list[int]:
    ids = [int(i) for i in row]
    return ids[: ids.index(EOS) + 1] if EOS in ids else ids


# --- the numbers -----------------------------------------------------------------------------------------------------


def korean_syllables(number: int) -> list[str]:
    """Return the Sino-Korean reading of a number from 1 to 10^12 - 1, by syllable.

    A 1 is silent before 십, 백 and 천, and before 만 at the head of the number.
    """
    for unit, name in _GREAT_UNITS:
        if number >= unit:
            many, rest = divmod(number, unit)
            head = [] if many == 1 and name == "만" else _below_ten_thousand(many)
            return [*head, name, *_after(rest, unit)]
    return _below_ten_thousand(number)


def _after(rest: int, unit: int) -> list[str]:
    """Return the reading of what follows a great unit: there, 일만 keeps its 일."""
    if unit == 10**8 and rest // 10**4 == 1:
        return ["일", "만", *_below_ten_thousand(rest % 10**4)]
    return korean_syllables(rest) if rest else []


def _below_ten_thousand(number: int) -> list[str]:
    for unit, name in _SMALL_UNITS:
        if number >= unit:
            many, rest = divmod(number, unit)
            return ([] if many == 1 else [_DIGITS[many - 1]]) + [name, *_below_ten_thousand(rest)]
    return [_DIGITS[number - 1]] if number else []


def english_words(number: int) -> list[str]:
    """Return the English words of a number from 1 to 10^12 - 1, without hyphens and without "and"."""
    for unit, name in _THOUSANDS:
        if number >= unit:
            return [*english_words(number // unit), name, *english_words(number % unit)]
    if number >= 100:
        return [_UNITS[number // 100 - 1], "hundred", *english_words(number % 100)]
    if number >= 20:
        return [_TENS[number // 10 - 2], *english_words(number % 10)]
    if number >= 10:
        return [_TEENS[number - 10]]
    return [_UNITS[number - 1]] if number else []


def draw_numbers(rng: np.random.Generator, count: int, digit_count: int = DIGIT_COUNT) -> list[int]:
    """Return different numbers in random order: the count of digits drawn evenly, many zeros in 30 percent.

    Args:
        rng: generator that the numbers are drawn with.
        count: how many numbers to draw; must be less than 10^digit_count.
        digit_count: number of digits of the longest numbers.
    """
    numbers: dict[int, None] = {}
    while len(numbers) < count:
        size = 2 * count
        digits = rng.integers(0, 10, (size, digit_count))
        thinned = rng.random((size, 1)) < 0.3
        digits[thinned & (rng.random(digits.shape) < 0.5)] = 0
        digits[:, 0] = rng.integers(1, 10, size)
        for row, length in zip(digits, rng.integers(1, digit_count + 1, size), strict=True):
            numbers.setdefault(int("".join(map(str, row[:length]))))
            if len(numbers) == count:
                break
    return list(numbers)


def number_pairs(numbers: Sequence[int]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return token ids of the Korean readings and of the English words between BOS and EOS, both padded with 0.

    Returns:
        source (count, SOURCE_LEN), target (count, TARGET_LEN).
    """
    source = np.zeros((len(numbers), SOURCE_LEN), dtype=np.int32)
    target = np.zeros((len(numbers), TARGET_LEN), dtype=np.int32)
    for row, number in enumerate(numbers):
        korean = [VOCABULARY[syllable] for syllable in korean_syllables(number)]
        english = [BOS, *(VOCABULARY[word] for word in english_words(number)), EOS]
        source[row, : len(korean)] = korean
        target[row, : len(english)] = english
    return source, target
