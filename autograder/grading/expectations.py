"""What a hidden grader expects of an answer: each function returns what was asked for, or raises `Miss` with a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from autograder.base.errors import AnswerError, AnswerRaised
from autograder.base.text import Text
from autograder.grading.rubric import Array, Miss

# facts: float32 right variants differ from the float64 oracle by at most 1.1e-5, wrong ones by 1.6e-3 or more.
TOLERANCE = 1e-4
PATTERN_SIZE = 40  # rows or columns of the largest picture of right and wrong entries


NO_RETURN = Text("It returned None. Is the `return` missing?", "None을 돌려주었습니다. `return`이 빠지지 않았나요?")


def expect_that(condition: bool | np.bool_, text: Text) -> None:
    """Miss with `text` unless `condition` holds."""
    if not condition:
        raise Miss(text)


def expect_unchanged(before: Array, after: Array, text: Text, tolerance: float = 1e-5) -> None:
    """Miss with `text` if an answer changed by more than `tolerance`, plus 1e-5 of its size, anywhere."""
    expect_that(np.allclose(before, after, atol=tolerance), text)


def expect_changed(before: Array, after: Array, text: Text, tolerance: float = 1e-5) -> None:
    """Miss with `text` if an answer changed by at most `tolerance`, plus 1e-5 of its size, everywhere."""
    expect_that(not np.allclose(before, after, atol=tolerance), text)


def expect_tuple(answer: Any, length: int, words: str | Text) -> tuple[Any, ...]:
    """Return `answer` if it is a tuple of `length` parts, described by `words` such as `(output, weights)`."""
    if not isinstance(answer, tuple) or len(answer) != length:
        what = f"a tuple of {len(answer)}" if isinstance(answer, tuple) else _kind(answer)
        ko = f"길이 {len(answer)}의 튜플" if isinstance(answer, tuple) else _kind(answer)
        words = _as_text(words)
        raise Miss(
            Text(
                f"It should return {words.en}, but it returned {what}.",
                f"{words.ko}을(를) 돌려주어야 하는데 {ko}을(를) 돌려주었습니다.",
            )
        )
    return answer


def expect_array(answer: Any, words: str | Text) -> NDArray[Any]:
    """Return `answer` as one array of real numbers, of any shape and in its own type; `words` describe its shape."""
    words = _as_text(words)
    expect_that(answer is not None, NO_RETURN)
    if isinstance(answer, tuple):
        answer = _stacked(answer)
    if isinstance(answer, (str, tuple)):
        kind = _kind(answer)
        raise Miss(
            Text(
                f"It should return one array {words.en}, but it returned {kind}.",
                f"배열 {words.ko} 하나를 돌려주어야 하는데 {kind}을(를) 돌려주었습니다.",
            )
        )
    array = np.asarray(answer)
    if array.dtype.kind not in "fiub":
        raise Miss(
            Text(
                f"It should return real numbers, not {array.dtype}.",
                f"{array.dtype}이 아니라 실수를 돌려주어야 합니다.",
            )
        )
    return array


def shape_of(answer: Any) -> tuple[int, ...] | None:
    """Return the shape of an answer that is one array of real numbers, None for anything else."""
    try:
        return expect_array(answer, "").shape
    except Miss:
        return None


def number_of(answer: Any) -> float | None:
    """Return an answer that is one real number (a Python number or an array with one element), None for anything else."""
    if isinstance(answer, tuple):
        return None
    try:
        array = expect_array(answer, "")
    except Miss:
        return None
    return float(array.reshape(())) if array.size == 1 else None


def is_close(answer: Any, expected: ArrayLike, tolerance: float = TOLERANCE) -> bool:
    """Return whether an answer is an array of the shape and the values that `expect_close` would take."""
    expected = np.asarray(expected, dtype=np.float64)
    return shape_of(answer) == expected.shape and bool(_near(np.asarray(answer, np.float64), expected, tolerance).all())


def expect_shape(answer: Any, shape: Sequence[int], words: str | Text) -> Array:
    """Return `answer` as a float64 array of exactly `shape`, which reads `words` such as `(batch, d_model)`.

    Booleans and integers pass as numbers; NaN and infinity pass here and miss in `expect_close`.
    """
    words = _as_text(words)
    array = expect_array(answer, words)
    if array.shape != tuple(shape):
        raise Miss(
            Text(
                f"The shape is {array.shape}, but {words.en} is {tuple(shape)} here.",
                f"모양이 {array.shape}입니다. 여기서 {words.ko}은(는) {tuple(shape)}이어야 합니다.",
            )
        )
    return array.astype(np.float64)


def expect_close(
    answer: Any,
    expected: ArrayLike,
    what: Text,
    words: str | Text = "",
    tolerance: float = TOLERANCE,
) -> None:
    """Miss unless `answer` has the shape of `expected` and differs by at most `tolerance * (1 + |expected|)`.

    Args:
        answer: what the student's code returned.
        expected: the oracle's float64 result.
        what: the quantity, as the subject of a sentence: "the attention weights".
        words: the expected shape in words, for the message about a wrong shape; default: the quantity.
        tolerance: relative and absolute bound.
    """
    expected = np.asarray(expected, dtype=np.float64)
    got = expect_shape(answer, expected.shape, words or what)
    right = _near(got, expected, tolerance)
    if right.all():
        return
    if np.isnan(got).any():
        raise Miss(
            Text(
                f"There is a NaN in {what.en}. Did something overflow, or divide 0 by 0?",
                f"{what.ko or what.en}에 NaN이 있습니다. 오버플로나 0 나누기 0이 일어나지 않았나요?",
            )
        )
    if right.ndim == 0:
        raise Miss(Text(f"Wrong value: {what.en}.", f"{what.ko or what.en}의 값이 틀렸습니다."), _pattern(right))
    where_en, where_ko = _where(right)
    raise Miss(
        Text(f"Wrong values in {what.en}: {where_en}.", f"{what.ko or what.en}의 값이 틀렸습니다: {where_ko}."),
        _pattern(right),
    )


def expect_truth_value(answer: Any) -> bool:
    """Return `answer` if it is one truth value, or 1 or 0."""
    expect_that(
        answer is not None,
        Text(
            "It returned None. Is the `return` missing, or only inside the loop?",
            "None을 돌려주었습니다. `return`이 없거나 반복문 안에만 있지 않나요?",
        ),
    )
    value = number_of(answer)
    expect_that(
        value in (0, 1),
        Text("It should return one truth value, True or False.", "True나 False 하나를 돌려주어야 합니다."),
    )
    return bool(value)


def expect_whole_number(answer: Any) -> float:
    """Return `answer` if it is one whole number."""
    expect_that(answer is not None, NO_RETURN)
    number = number_of(answer)
    text = Text("It should return one whole number.", "정수 하나를 돌려주어야 합니다.")
    if number is None or not number.is_integer():
        raise Miss(text)
    return number


def expect_number(answer: Any, expected: float, what: Text, tolerance: float = TOLERANCE) -> None:
    """Miss unless `answer` is one number (a Python number or an array with one element) close to `expected`."""
    if not isinstance(answer, (tuple, str)) and answer is not None:
        array = np.asarray(answer)
        answer = array.reshape(()) if array.size == 1 else array
    expect_close(answer, expected, what, Text("one number", "수 하나"), tolerance)


def expect_raises_value_error(
    call: Callable[[], Any],
    names: Sequence[str],
    values: Sequence[object],
    *,
    names_all: bool = False,
) -> None:
    """Miss unless `call` makes the student's code raise a ValueError that tells what was wrong.

    Args:
        call: calls the probe.
        names: argument names, one of which the text must contain.
        values: received values, one of which the text must contain.
        names_all: the text must contain all of the names and values.
    """
    try:
        call()
    except AnswerRaised as error:
        if "NotImplementedError" in error.kinds:
            raise  # a stub is unwritten, not wrong
        if "ValueError" not in error.kinds:
            raise Miss(
                Text("A ValueError was expected here.", "여기서는 ValueError가 나와야 합니다.") + error.text
            ) from None
        told = error.raw.partition("\n\nArguments received by ")[0]  # what follows is Keras's, and may hold the value
        some = all if names_all else any
        if not some(name in told for name in names) or not some(str(value) in told for value in values):
            wanted = (" and " if names_all else " or ").join(f"`{name}`" for name in names)
            if "broadcast" in told.lower():  # NumPy's and JAX's own, where nothing was checked
                raise Miss(
                    Text(
                        f"The operation itself failed. Check before it and raise a ValueError that names {wanted} and the "
                        "value received.",
                        f"연산 자체에서 오류가 났습니다. 그 전에 검사해서 {wanted}와 받은 값을 메시지에 적은 ValueError를 일으키세요.",
                    )
                ) from None
            raise Miss(
                Text(
                    f"The text of the ValueError should name {wanted} and the value received.",
                    f"ValueError의 메시지에 {wanted}와 받은 값이 들어 있어야 합니다.",
                )
            ) from None
        return
    except AnswerError:
        raise
    raise Miss(Text("A bad argument should raise a ValueError.", "잘못된 인수에는 ValueError를 일으켜야 합니다."))


def _as_text(words: str | Text) -> Text:
    """Return words that read the same in every language, such as a shape's, as a text."""
    text = Text(words, words) if isinstance(words, str) else words
    return text if text.ko else Text(text.en, text.en)


def _near(got: Array, expected: Array, tolerance: float) -> NDArray[np.bool_]:
    """Return which entries of two arrays of one shape differ by at most `tolerance * (1 + |expected|)`."""
    # subtracting equal infinities gives NaN: compare them first
    with np.errstate(invalid="ignore"):
        within = np.isfinite(expected) & (np.abs(got - expected) <= tolerance * (1 + np.abs(expected)))
    return (got == expected) | within


def _stacked(answer: tuple[Any, ...]) -> Any:
    """Return a tuple of numbers or of equal arrays as one array, as `numpy.asarray` reads it; others unchanged."""
    try:
        array = np.asarray(answer)
    except ValueError:
        return answer
    return array if array.dtype.kind in "fiub" else answer


def _kind(answer: Any) -> str:
    return "None" if answer is None else type(answer).__name__


def _pattern(right: NDArray[np.bool_]) -> tuple[str, ...]:
    """Return the last two axes of a comparison as rows of `1` and `0`; an entry is right if it is so in every slice.

    It says where an answer is wrong and nothing about what it should be.
    """
    if right.ndim < 2:
        return ()
    slices = np.asarray(right.reshape(-1, *right.shape[-2:]).all(axis=0))
    if not slices.any() or max(slices.shape) > PATTERN_SIZE or min(slices.shape) < 2:
        return ()
    return tuple("".join("1" if entry else "0" for entry in row) for row in slices)


def _where(right: NDArray[np.bool_]) -> tuple[str, str]:
    """Describe which entries of an array differ, in English and Korean, without telling any value."""
    wrong = ~right
    if wrong.all():
        return "all of them differ", "모두 다릅니다"
    last = ("columns", "열") if right.ndim > 1 else ("entries", "원소")
    for axis, (en, ko) in ((-1, last), (-2, ("rows", "행"))):
        if right.ndim < -axis:
            continue
        others = tuple(i for i in range(right.ndim) if i != right.ndim + axis)
        hit = np.flatnonzero(wrong.any(axis=others))
        if len(hit) < right.shape[axis]:
            listed = ", ".join(str(i) for i in hit[:8]) + (", …" if len(hit) > 8 else "")
            return f"only {en} {listed} (counted from 0) differ", f"(0부터 세어) {ko} {listed}만 다릅니다"
    return f"{int(wrong.sum())} of {wrong.size} differ", f"{wrong.size}개 가운데 {int(wrong.sum())}개가 다릅니다"
