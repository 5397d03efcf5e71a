"""What is told of an exception that a student's code raised: sentences that can't carry hidden inputs."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from autograder.base.errors import AnswerError, AnswerMissing, AnswerRaised, AnswerUnreadable
from autograder.base.text import Text

MAX_RAW = 2000  # characters of an exception's text that are looked at
MAX_CODE = 2_000_000  # characters of a notebook of which a line or a name is looked for
IDENTIFIER = r"[A-Za-z_][A-Za-z_0-9.]{0,60}"
SIZE = r"\d{1,3}"
SHAPE = rf"[\[(](?:{SIZE}(?:, ?{SIZE}){{0,3}},?)?[\])]"
NAME = r"[A-Za-z_][A-Za-z_0-9]*"
# Most digits that an exception's text may have to be shown: two shapes such as (128, 8, 100, 100) and (128, 1, 1, 100) have 18.
MAX_DIGITS = 20
# A notebook with more different names, or lines, has none of them shown: a table of them could be made to carry numbers.
MAX_QUOTED = 10_000
# A string, closed or not, with the letters before it; a comment; a name.
LEXEME = re.compile(
    rf"""
    (?P<prefix>[A-Za-z]{{0,2}})
    (?: '''[\s\S]*?(?:'''|\Z) | \"\"\"[\s\S]*?(?:\"\"\"|\Z) | '(?:\\[\s\S]|[^'\\\n])*'? | "(?:\\[\s\S]|[^"\\\n])*"? )
    | \#[^\n]*
    | (?P<name>{NAME})
    """,
    re.VERBOSE,
)
# Exception texts that are shown: fixed sentences of Python and NumPy with names or small sizes in them, nothing else. The
# names must be known or occur in the code of the student's own notebook. Any other text may carry hidden inputs.
SHOWN_TEXTS = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        rf"name '({IDENTIFIER})' is not defined",
        rf"No module named '({IDENTIFIER})'",
        rf"cannot access local variable '({IDENTIFIER})' where it is not associated with a value",
        rf"module '({IDENTIFIER})' has no attribute '({IDENTIFIER})'",
        rf"'({IDENTIFIER})' object has no attribute '({IDENTIFIER})'",
        rf"'({IDENTIFIER})' object is not (?:callable|iterable|subscriptable)",
        rf"({IDENTIFIER})\(\) takes (?:from \d to )?\d positional arguments? but \d (?:was|were) given",
        rf"({IDENTIFIER})\(\) missing \d required (?:positional|keyword-only) arguments?: '({IDENTIFIER})'(?: and '({IDENTIFIER})')?",
        rf"({IDENTIFIER})\(\) got an unexpected keyword argument '({IDENTIFIER})'",
        rf"operands could not be broadcast together with shapes {SHAPE} {SHAPE} ?",
        rf"shapes {SHAPE} and {SHAPE} not aligned: {SIZE} \(dim \d\) != {SIZE} \(dim \d\)",
        r"matmul: Input operand [01] has a mismatch in its core dimension \d, with gufunc signature "
        rf"\(n\?,k\),\(k,m\?\)->\(n\?,m\?\) \(size {SIZE} is different from {SIZE}\)",
        rf"cannot reshape array of size \d{{1,4}} into shape {SHAPE}",
        r"axes don't match array",
        r"(?:float |integer )?division (?:or modulo )?by zero",
        rf"unsupported operand type\(s\) for [-+*/@%<>=&|]{{1,3}}: '({IDENTIFIER})' and '({IDENTIFIER})'",
        r"maximum recursion depth exceeded(?: in comparison| while calling a Python object)?",
    )
)
# Shown alone, without the sizes, if the text has more than `MAX_DIGITS` digits.
BEGINNINGS = (
    "operands could not be broadcast together",
    "matmul: Input operand 0 has a mismatch in its core dimension",
    "matmul: Input operand 1 has a mismatch in its core dimension",
    "cannot reshape array",
)
# Words of such sentences that come from libraries, not from the notebook.
LIBRARY_NAMES = frozenset(
    ("numpy.ndarray", "NoneType", "list", "tuple", "dict", "int", "float", "str", "bool", "function", "generator")
    + ("numpy", "keras", "tensorflow", "keras.ops", "keras.layers", "builtin_function_or_method")
    + ("EagerTensor", "tensorflow.python.framework.ops.EagerTensor", "Tensor", "KerasTensor")
)
# Class names that don't occur in Python itself but mean something to students.
LIBRARY_ERRORS = frozenset(("InvalidArgumentError", "LinAlgError", "AxisError", "OperatorNotAllowedInGraphError"))

_FORBIDDEN = Text(
    "It uses something that is there already; this task asks for it from scratch.",
    "이미 있는 것을 사용했습니다. 이 과제에서는 직접 구현해야 합니다.",
)
NOT_WRITTEN = Text("Not written yet.", "아직 작성되지 않았습니다.")
NOT_NUMBERS = Text(
    "What it returned can't be read as numbers: return a NumPy array or a tensor.",
    "돌려준 것을 숫자로 읽을 수 없습니다. NumPy 배열이나 텐서를 돌려주세요.",
)
TOO_LARGE = Text("What it returned is far too large.", "돌려준 것이 지나치게 큽니다.")


class ErrorQuoter:
    """Explains what a submission's code raised.

    Args:
        code: all code of the submitted notebook: what a sentence may quote.
        unfinished: name -> class and text of the exception that ended the cell which should have defined the name.
    """

    def __init__(self, code: str, unfinished: Mapping[str, tuple[str, str]]) -> None:
        self._code = code if len(code) <= MAX_CODE else ""
        self._unfinished = unfinished

    def explain(self, error: Any, asked: str) -> AnswerError:
        """Turn an untrusted error description into a sentence that can't carry hidden data.

        Args:
            error: what the kernel sent: names of the exception's classes, the exception's text, the line of code that raised.
            asked: name of the function or class that was called.
        """
        if not isinstance(error, dict):
            return AnswerUnreadable(NOT_NUMBERS)
        classes = error.get("kinds")
        if not isinstance(classes, (list, tuple)):
            return AnswerUnreadable(NOT_NUMBERS)
        kinds = tuple(kind for kind in classes if isinstance(kind, str) and re.fullmatch(IDENTIFIER, kind))
        raw = str(error.get("text", ""))[:MAX_RAW]
        if "NotDefined" in kinds:
            return AnswerMissing(self._missing(asked))
        if "NotNumbers" in kinds:
            return AnswerUnreadable(TOO_LARGE if raw == "too large" else NOT_NUMBERS)
        if "NotModel" in kinds:
            returned = "None" if raw == "NoneType" else raw if hasattr(builtins, raw) else "something else"
            return AnswerUnreadable(
                Text(
                    f"`{asked}` should return a model that can be called, a `keras.Model`, but it returned {returned}.",
                    f"`{asked}`은(는) 호출할 수 있는 모델(`keras.Model`)을 돌려주어야 하는데 {returned}을(를) 돌려주었습니다.",
                )
            )
        if "ForbiddenReached" in kinds:
            return AnswerRaised(_FORBIDDEN, kinds, raw)
        line = str(error.get("line", ""))
        if "NotImplementedError" in kinds and line.startswith("raise NotImplementedError"):
            return AnswerRaised(NOT_WRITTEN, kinds, raw)
        kind = self._shown_kind(kinds)
        english, korean = f"Your code raised {kind}", f"여러분의 코드가 {kind}을(를) 일으켰습니다"
        if not line.startswith("raise") and (shown := self._shown_text(raw)) is not None:
            english, korean = f"{english}: {shown}", f"{korean}: {shown}"
        if line and line in self._lines:
            english, korean = f"{english} (at `{line}`)", f"{korean} (`{line}`에서)"
        return AnswerRaised(Text(english + ".", korean + "."), kinds, raw, line.startswith(("raise ", "assert ")))

    def _missing(self, asked: str) -> Text:
        """Say why a name may not be defined."""
        english, korean = f"`{asked}` is not defined", f"`{asked}`이(가) 정의되지 않았습니다"
        if asked not in self._unfinished:
            return Text(
                f"{english}: is the name spelled as in the task, and did its cell run without an error?",
                f"{korean}. 이름이 과제와 같고, 그 셀이 오류 없이 실행되었나요?",
            )
        kind, raw = self._unfinished[asked]
        error = self._shown_kind([kind])
        if (shown := self._shown_text(raw[:MAX_RAW])) is not None:
            error = f"{error}: {shown}"
        text = Text(f"{english}: its cell stopped with {error}.", f"{korean}. 그 셀이 {error}(으)로 멈췄습니다.")
        if kind == "ModuleNotFoundError":
            text += Text("It isn't installed where this is graded.", "채점하는 환경에는 이 라이브러리가 없습니다.")
        return text

    def _shown_kind(self, kinds: Sequence[str]) -> str:
        """Return the first of an exception's classes whose name gives nothing away."""
        known = (k for k in kinds if self._is_own(k) or k in LIBRARY_ERRORS or hasattr(builtins, k))
        return next(known, "an exception")

    def _shown_text(self, raw: str) -> str | None:
        for pattern in SHOWN_TEXTS:
            match = pattern.fullmatch(raw)
            if (
                match
                and all(name in LIBRARY_NAMES or self._is_own(name) for name in match.groups() if name)
                and (match.groups() or sum(character.isdigit() for character in raw) <= MAX_DIGITS)
            ):
                return raw
        return next((beginning for beginning in BEGINNINGS if raw.startswith(beginning)), None)

    @cached_property
    def _lines(self) -> frozenset[str]:
        return _few(line[0].strip() for line in re.finditer(r"[^\n]+", self._code))

    @cached_property
    def _names(self) -> frozenset[str]:
        return _few(_names_of(self._code))

    def _is_own(self, name: str) -> bool:
        """Whether every part of a dotted name is a name in the notebook's code."""
        return all(part in self._names for part in name.split("."))


def _names_of(code: str) -> Iterator[str]:
    """Yield the names in code, those in f-strings included; damaged code has names too."""
    for found in LEXEME.finditer(code):
        if found["name"]:
            yield found["name"]
        elif "f" in (found["prefix"] or "").lower():
            yield from re.findall(NAME, found[0])


def _few(texts: Iterable[str]) -> frozenset[str]:
    """Return the different texts, none if there are more than `MAX_QUOTED`."""
    few: set[str] = set()
    for text in texts:
        few.add(text)
        if len(few) > MAX_QUOTED:
            return frozenset()
    return frozenset(few)
