"""Sketches: answers of a student's code to a grader's questions, short enough to be stored and rough enough to be compared.

A sketch holds only what JSON can hold. Sketches of different answers differ; sketches of answers that two frameworks or two
precisions compute from the same inputs are alike.
"""

from __future__ import annotations

import functools
import hashlib
import math
import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from autograder.base.errors import AnswerError, AnswerMissing, AnswerRaised, AnswerUnreadable
from autograder.grading.rubric import Weight

Sketch = list[Any]

DIGITS = 1e5  # numbers are kept as whole multiples of 1 / DIGITS
NEAR = 12  # of these multiples: what float32 and float64 of the same answer may differ by, 1e-4 as in `TOLERANCE`, and the rounding
APART = 10 * NEAR  # what is closer than this, and not near, can't be told apart safely
PROJECTIONS = 6
MAX_EXACT = PROJECTIONS  # arrays of no more entries are kept themselves
MAX_ENTRIES = 20_000  # of larger arrays kind and shape are kept alone, as of those that are chance
MAX_SKETCHES = 500  # of one line

Method = TypeVar("Method", bound=Callable[..., Any])


class InKernel:
    """An object that stays in a student's kernel: its sketch says only that there is one."""


class AnswerNotes(Protocol):
    """An object that stores a sketch of each answer that it is given; see `noted`."""

    def note(self, answer: object) -> None:
        """Store a sketch of an answer, or of the `AnswerError` that was raised instead of one."""
        ...


def sketch(answer: object) -> Sketch:
    """Return the sketch of an answer, as a probe returns it, or of the `AnswerError` that it raises."""
    if answer is None:
        return ["none"]
    if isinstance(answer, str):
        return ["text", _short_hash(answer)]
    if isinstance(answer, tuple):
        return ["tuple", *map(sketch, answer)]
    if isinstance(answer, list):  # a layer's weights, whose order is the student's
        return ["tuple", *sorted(map(sketch, answer))]
    if isinstance(answer, Weight):
        return ["weight", list(answer.shape), answer.trainable]
    if isinstance(answer, InKernel):
        return ["kept"]
    if isinstance(answer, AnswerError):
        return _sketch_of_error(answer)
    try:
        array = np.asarray(answer)
    except (ValueError, OverflowError):
        return ["unknown"]
    if array.dtype.kind not in "fiub":
        return ["unknown"]
    return _sketch_of_array(array)


def alike(first: Sequence[Sketch], second: Sequence[Sketch], within: int = NEAR) -> bool:
    """Return whether two sequences of sketches are of the same answers.

    Args:
        first: sketches of one code's answers, in the order of the questions.
        second: sketches of another code's answers to the same questions.
        within: by how many multiples of 1 / `DIGITS` the sketches' numbers may differ, `NEAR` or `APART`.
    """
    return len(first) == len(second) and all(_alike(a, b, within) for a, b in zip(first, second, strict=True))


def common(first: Sequence[Sketch], second: Sequence[Sketch]) -> list[Sketch]:
    """Return what two sequences of sketches agree on; they are of one code's answers, so differences between them are chance.

    Numbers that differ are left out: such a sketch is alike to any of the same kind and shape.
    """
    if len(first) != len(second):
        return [["unknown"]]
    return [_common(a, b) for a, b in zip(first, second, strict=True)]


def has_chance(sketches: Sequence[Sketch]) -> bool:
    """Return whether numbers were left out of some sketches because they are chance, see `common`."""
    return any(has_chance(each[1:]) if each[0] == "tuple" else each[0] == "array" and not each[3] for each in sketches)


def noted(method: Method) -> Method:
    """Decorate a method that returns an answer: each answer, or the `AnswerError` raised instead, is noted.

    The method belongs to an `AnswerNotes`, or to an object whose attribute `notes` is an `AnswerNotes`.
    """

    @functools.wraps(method)
    def noting(self: Any, *args: Any, **kwargs: Any) -> Any:
        notes: AnswerNotes = getattr(self, "notes", self)
        try:
            answer = method(self, *args, **kwargs)
        except AnswerError as error:
            notes.note(error)
            raise
        notes.note(answer)
        return answer

    return cast(Method, noting)


def _sketch_of_error(error: AnswerError) -> Sketch:
    if isinstance(error, AnswerRaised):
        text = "own" if error.is_own else _short_hash(_without_what_varies(error.raw))
        return ["raised", error.kinds[0] if error.kinds else "", text]
    if isinstance(error, (AnswerMissing, AnswerUnreadable)):
        return ["raised", type(error).__name__, ""]
    return ["unknown"]  # it hung or ended its kernel


def _without_what_varies(raw: str) -> str:
    """Return an exception's text without what differs from run to run, or from one student's names to another's."""
    raw = raw.partition("\n\nArguments received by ")[0]  # Keras's list of a method's parameters
    raw = re.sub(r"""(?<=layer )(["'])[^"']*\1""", "", raw)  # the name of a layer
    return re.sub(r"0x[0-9a-fA-F]+|(?<=_)\d+", "", raw)  # addresses, and the numbers that frameworks give their objects


def _sketch_of_array(array: NDArray[Any]) -> Sketch:
    """Return kind, shape, size and projections, and where it isn't finite."""
    # half precision is a type of its own, that of single and double is the framework's choice
    kind = "half" if array.dtype.kind == "f" and array.dtype.itemsize < 4 else array.dtype.kind.replace("u", "i")
    if array.size > MAX_ENTRIES:
        return ["array", kind, list(array.shape), [], ""]
    values = array.astype(np.float64).ravel()
    finite = np.isfinite(values)
    odd = ""
    if not finite.all():
        odd = _short_hash(np.where(np.isnan(values), 1, np.where(finite, 0, np.sign(values) + 3)).tobytes())
        values = np.where(finite, values, 0.0)
    with np.errstate(all="ignore"):
        size = float(np.sqrt(np.mean(values**2))) if values.size else 0.0
        numbers = values if values.size <= MAX_EXACT else _weights(values.size) @ values / math.sqrt(values.size)
        parts = numbers / (1 + size)
    if not math.isfinite(size) or not np.isfinite(parts).all():
        return ["unknown"]
    whole = [round(float(part) * DIGITS) for part in (math.log1p(size), *parts)]
    return ["array", kind, list(array.shape), whole, odd]


@functools.lru_cache(maxsize=32)
def _weights(size: int) -> NDArray[np.float64]:
    """Return (PROJECTIONS, size) numbers of mean square 1 without a pattern that an array could have."""
    steps = np.sqrt(np.array([2.0, 3.0, 5.0, 7.0, 11.0, 13.0]))[:, None] * np.arange(1, size + 1)
    return np.sqrt(2) * np.cos(2 * np.pi * steps)


def _alike(first: Sketch, second: Sketch, within: int) -> bool:
    if first[0] == "unknown" or first[0] != second[0] or len(first) != len(second):
        return False
    if first[0] == "tuple":
        return alike(first[1:], second[1:], within)
    if first[0] != "array":
        return first == second
    if first[1:3] != second[1:3]:
        return False
    if not first[3] or not second[3]:  # by chance
        return True
    return first[4] == second[4] and all(abs(a - b) <= within for a, b in zip(first[3], second[3], strict=True))


def _common(first: Sketch, second: Sketch) -> Sketch:
    if _alike(first, second, NEAR):
        return first
    if first[0] == second[0] == "tuple" and len(first) == len(second):
        return ["tuple", *common(first[1:], second[1:])]
    if first[0] == second[0] == "array" and first[1:3] == second[1:3]:
        return [*first[:3], [], ""]
    return ["unknown"]


def _short_hash(content: str | bytes) -> str:
    content = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return hashlib.sha256(content).hexdigest()[:10]
