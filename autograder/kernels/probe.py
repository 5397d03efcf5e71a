"""The probe: carries a grader's questions into the student's kernel and only plain data back."""

from __future__ import annotations

import base64
import builtins
import io
import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from autograder.errors import AnswerError, AnswerMissing, AnswerRaised, AnswerUnreadable, GraderError, KernelGone
from autograder.rubric import Given, Layer, Made, Weight
from autograder.text import Text

Ask = Callable[[Mapping[str, Any]], dict[str, Any]]


class Host(Protocol):
    """See `kernels.proxies.ProxyHost`."""

    generation: int

    def define(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Have a function made and return the reply."""
        ...

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the reply to a question about what was made."""
        ...


MAX_DIMENSIONS = 16
KERNEL_ENDED = Text("The kernel ended while this task was evaluated.", "이 과제를 평가하는 동안 커널이 끝났습니다.")
# Sizes of an array without entries cost a student's code nothing, and messages show them: no more than an answer can have.
MAX_EMPTY = 50_000_000
IDENTIFIER = r"[A-Za-z_][A-Za-z_0-9.]{0,60}"
SIZE = r"\d{1,3}"
SHAPE = rf"[\[(](?:{SIZE}(?:, ?{SIZE}){{0,3}},?)?[\])]"
NAME = r"[A-Za-z_][A-Za-z_0-9]*"
# Of a sentence with sizes: shapes such as (128, 8, 100, 100) and (128, 1, 1, 100) take 18.
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
# What is shown of such a sentence whose sizes are too many.
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


class KernelProbe:
    """Implements `rubric.Probe` for one task on a live kernel.

    Args:
        ask: sends one request to the kernel's resident and returns its reply.
        generation: returns a number that changes when the kernel is replaced.
        code: all code of the submitted notebook: what an error message may quote.
        lost: why no question is worth asking; also set once the task has hung or ended its kernel.
        training_pairs: how many pairs a training gets.
        unfinished: name -> exception and its text that ended the cell which should have defined the name.
        host: of the functions that the student's code is given as proxies.
    """

    def __init__(
        self,
        ask: Ask,
        generation: Callable[[], int],
        code: str,
        lost: AnswerError | None = None,
        training_pairs: int = 0,
        unfinished: Mapping[str, tuple[str, str]] | None = None,
        host: Host | None = None,
    ) -> None:
        self._ask = ask
        self._generation = generation
        self._lines = _few(line.strip() for line in code.split("\n"))
        self._code = code
        self.lost = lost
        self.training_pairs = training_pairs
        self._unfinished = unfinished or {}
        self._host = host
        self._made: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """See `rubric.Probe.once`."""
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def call(self, name: str, *args: Any, from_scratch: bool = False, **kwargs: Any) -> Any:
        """See `rubric.Probe.call`."""
        request = {"do": "call", "name": name, "from_scratch": from_scratch}
        try:
            return self.decode(self.request({**request, **self.encode_arguments(args, kwargs)}))
        except AnswerRaised as error:
            # `tf.*` refuses to mix float64 inputs with float32 constants: the same numbers in float32 are as good
            narrow = self.encode_arguments(args, kwargs, np.float32)
            if not _holds_float64((args, kwargs)):
                raise
            try:
                return self.decode(self.request({**request, **narrow}))
            except AnswerRaised:
                raise error from None

    def layer(self, name: str, *args: Any, from_scratch: bool = False, **kwargs: Any) -> Layer:
        """See `rubric.Probe.layer`."""
        number = self.request({"do": "make", "name": name, **self.encode_arguments(args, kwargs)})
        return RemoteLayer(self, self.object_id(number), from_scratch)

    def build(self, name: str, *args: Any, **kwargs: Any) -> Layer:
        """See `rubric.Probe.build`."""
        number = self.request({"do": "build", "name": name, **self.encode_arguments(args, kwargs)})
        return RemoteLayer(self, self.object_id(number), from_scratch=False)

    def define(self, source: str, name: str, *args: Any, **kwargs: Any) -> Given:
        """See `rubric.Probe.define`."""
        try:
            request = {"do": "define", "source": source, "name": name}
            number = self.request({**request, **self.encode_arguments(args, kwargs)})
        except AnswerRaised as error:
            raise GraderError(f"The code given to the kernel raised. Received: {error.kinds}.") from None
        return RemoteObject(self, self.object_id(number))

    def offer(self, source: str, name: str, *args: Any, **kwargs: Any) -> Given:
        """See `rubric.Probe.offer`."""
        if self._host is None:
            raise GraderError("Functions can be offered only where there is a kernel for them.")
        if self.lost is not None:
            raise self.lost
        request = {"do": "define", "source": source, "name": name, **self.encode_arguments(args, kwargs)}
        reply = self._host.define(request)
        if "error" in reply:
            raise GraderError(f"The code given to the kernel raised. Received: {reply['error'].get('kinds')}.")
        return OfferedFunction(self, self._host, self.object_id(reply.get("ok")))

    def train(self, name: str, *args: Any, **kwargs: Any) -> Given:
        """See `rubric.Probe.train`."""
        request = {"do": "make", "name": name, "is_training": True, **self.encode_arguments(args, kwargs)}
        return RemoteObject(self, self.object_id(self.request(request)))

    # ---- what a RemoteObject uses -----------------------------------------------------------------------------------
    def request(self, request: Mapping[str, Any]) -> Any:
        """Send one request and return the reply's `ok`; a task that lost its kernel once isn't tried again."""
        if self.lost is not None:
            raise self.lost
        try:
            reply = self._ask(request)
        except AnswerError as error:
            self.lost = error
            raise
        if "error" in reply:
            raise self._explain(reply["error"], str(request.get("name", "")))
        return reply.get("ok")

    def generation(self) -> int:
        """Return the number of the kernel that answers now."""
        return self._generation()

    def encode(self, value: Any, float_type: type | None = None) -> dict[str, Any]:
        """Encode an argument for the resident."""
        if isinstance(value, RemoteObject):
            value.check_alive()
            return {"kind": value.kind, "id": value.number}
        if isinstance(value, (tuple, list)):
            return {"kind": type(value).__name__, "parts": [self.encode(part, float_type) for part in value]}
        if value is None or isinstance(value, (bool, int, float, str)):
            return {"kind": "plain", "value": value}
        if not isinstance(value, (np.ndarray, np.generic)):
            raise GraderError(
                f"A probe takes arrays, numbers, strings, None, tuples, lists and kept objects. Received: {type(value).__name__}."
            )
        array = np.asarray(value)
        if float_type is not None and array.dtype == np.float64:
            array = array.astype(float_type)
        stream = io.BytesIO()
        np.save(stream, array, allow_pickle=False)
        return {"kind": "array", "npy": base64.b64encode(stream.getvalue()).decode()}

    def decode(self, value: Any, depth: int = 0) -> Any:
        """Decode an untrusted reply into plain data."""
        try:
            kind = value["kind"]
            if kind == "plain" and (value["value"] is None or isinstance(value["value"], (bool, int, str))):
                return value["value"]
            if kind == "float":
                return float.fromhex(value["value"])
            if kind == "tuple" and depth < 4 and len(value["parts"]) <= 16:
                return tuple(self.decode(part, depth + 1) for part in value["parts"])
            if kind == "array":
                return self._array(base64.b64decode(value["npy"], validate=True))
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError):
            pass
        raise AnswerUnreadable(_NOT_NUMBERS)

    def _array(self, npy: bytes) -> NDArray[Any]:
        """Read `.npy` bytes, and only these: `numpy.load` would also open archives."""
        if not npy.startswith(b"\x93NUMPY"):
            raise AnswerUnreadable(_NOT_NUMBERS)
        try:
            array = np.load(io.BytesIO(npy), allow_pickle=False)
        except Exception:  # noqa: BLE001  (a forged header may make NumPy raise anything)
            raise AnswerUnreadable(_NOT_NUMBERS) from None
        if not array.size and math.prod(size for size in array.shape if size) > MAX_EMPTY:
            raise AnswerUnreadable(_TOO_LARGE)
        if array.ndim > MAX_DIMENSIONS or array.dtype.kind not in "fiubc":
            raise AnswerUnreadable(_NOT_NUMBERS)
        return array

    def encode_arguments(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], float_type: type | None = None
    ) -> dict[str, Any]:
        """Encode the arguments of a call, float64 arrays as `float_type` if one is given."""
        return {
            "args": [self.encode(value, float_type) for value in args],
            "kwargs": {name: self.encode(value, float_type) for name, value in kwargs.items()},
        }

    def object_id(self, value: Any) -> int:
        """Return the number by which the resident knows an object."""
        if not isinstance(value, int):
            raise AnswerUnreadable(_NOT_NUMBERS)
        return value

    def _explain(self, error: Any, asked: str) -> AnswerError:
        """Turn an untrusted error description into a sentence that can't carry hidden data."""
        if not isinstance(error, dict):
            return AnswerUnreadable(_NOT_NUMBERS)
        told = error.get("kinds")
        if not isinstance(told, (list, tuple)):
            return AnswerUnreadable(_NOT_NUMBERS)
        kinds = tuple(kind for kind in told if isinstance(kind, str) and re.fullmatch(IDENTIFIER, kind))
        raw = str(error.get("text", ""))
        if "NotDefined" in kinds:
            return AnswerMissing(self._missing(asked))
        if "NotNumbers" in kinds:
            return AnswerUnreadable(_TOO_LARGE if raw == "too large" else _NOT_NUMBERS)
        if "NotModel" in kinds:
            what = raw if raw == "NoneType" or hasattr(builtins, raw) else "something else"
            what = "None" if what == "NoneType" else what
            return AnswerUnreadable(
                Text(
                    f"`{asked}` should return a model that can be called, a `keras.Model`, but it returned {what}.",
                    f"`{asked}`은(는) 호출할 수 있는 모델(`keras.Model`)을 돌려주어야 하는데 {what}을(를) 돌려주었습니다.",
                )
            )
        if "BuiltInAttentionUsed" in kinds:
            return AnswerRaised(
                Text(
                    "It uses a built-in attention layer or op; this task asks for attention from scratch.",
                    "내장 어텐션 층이나 연산을 사용했습니다. 이 과제에서는 어텐션을 직접 구현해야 합니다.",
                ),
                kinds,
                raw,
            )
        line = str(error.get("line", ""))
        if "NotImplementedError" in kinds and line.startswith("raise NotImplementedError"):
            return AnswerRaised(Text("Not written yet.", "아직 작성되지 않았습니다."), kinds, raw)
        kind = self._told_kind(kinds)
        english, korean = f"Your code raised {kind}", f"여러분의 코드가 {kind}을(를) 일으켰습니다"
        if not line.startswith("raise") and (shown := self._shown_text(raw)) is not None:
            english, korean = f"{english}: {shown}", f"{korean}: {shown}"
        if line and line in self._lines:
            english, korean = f"{english} (at `{line}`)", f"{korean} (`{line}`에서)"
        return AnswerRaised(Text(english + ".", korean + "."), kinds, raw)

    def _missing(self, asked: str) -> Text:
        """Say why a name may not be defined."""
        english, korean = f"`{asked}` is not defined", f"`{asked}`이(가) 정의되지 않았습니다"
        if asked not in self._unfinished:
            return Text(
                f"{english}: is the name spelled as in the task, and did its cell run without an error?",
                f"{korean}. 이름이 과제와 같고, 그 셀이 오류 없이 실행되었나요?",
            )
        kind, raw = self._unfinished[asked]
        told = self._told_kind([kind])
        if (shown := self._shown_text(raw)) is not None:
            told = f"{told}: {shown}"
        text = Text(f"{english}: its cell stopped with {told}.", f"{korean}. 그 셀이 {told}(으)로 멈췄습니다.")
        if kind == "ModuleNotFoundError":
            text += Text("It isn't installed where this is graded.", "채점하는 환경에는 이 라이브러리가 없습니다.")
        return text

    def _told_kind(self, kinds: Sequence[str]) -> str:
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
    def _names(self) -> frozenset[str]:
        return _few(_names_of(self._code))

    def _is_own(self, name: str) -> bool:
        """Whether every part of a dotted name is a name in the notebook's code."""
        return all(part in self._names for part in name.split("."))


class RemoteObject:
    """Implements `rubric.Given` for an object in the student's kernel."""

    kind = "object"

    def __init__(self, probe: KernelProbe, number: int) -> None:
        self._probe = probe
        self.number = number
        self._born = self._generation()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """See `rubric.Given.__call__`."""
        self.check_alive()
        encoded = self._probe.encode_arguments(args, kwargs, np.float32)
        request = {"do": "invoke", "id": self.number, "from_scratch": False, **encoded}
        return self._probe.decode(self._probe.request(request))

    def check_alive(self) -> None:
        """Raise `KernelGone` if the object's kernel has been replaced by another."""
        if self._generation() != self._born:
            raise KernelGone(KERNEL_ENDED)

    def _generation(self) -> int:
        return self._probe.generation()


class OfferedFunction(RemoteObject):
    """Implements `rubric.Given` for a function that the student's kernel has only a proxy of."""

    kind = "callable"

    def __init__(self, probe: KernelProbe, host: Host, number: int) -> None:
        self._host = host
        super().__init__(probe, number)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """See `rubric.Given.__call__`."""
        self.check_alive()
        encoded = self._probe.encode_arguments(args, kwargs, np.float32)
        reply = self._host.ask({"do": "invoke", "id": self.number, "from_scratch": False, **encoded})
        if "error" in reply:
            raise AnswerUnreadable(_NOT_NUMBERS)  # what it remembers is the student's doing
        return self._probe.decode(reply.get("ok"))

    def _generation(self) -> int:
        return self._host.generation


class RemoteLayer(RemoteObject):
    """Implements `rubric.Layer` for an object in the student's kernel."""

    def __init__(self, probe: KernelProbe, number: int, from_scratch: bool) -> None:
        super().__init__(probe, number)
        self._from_scratch = from_scratch

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """See `rubric.Layer.__call__`; floats are sent as float32, the layers' own type."""
        encoded = self._probe.encode_arguments(args, kwargs, np.float32)
        return self._probe.decode(self._ask({"do": "invoke", "from_scratch": self._from_scratch, **encoded}))

    def weights(self) -> list[Weight]:
        """See `rubric.Layer.weights`."""
        reply = self._ask({"do": "weights"})
        try:
            return [
                Weight(str(path), tuple(int(n) for n in shape), bool(trainable)) for path, shape, trainable in reply
            ]
        except (TypeError, ValueError, OverflowError):
            raise AnswerUnreadable(_NOT_NUMBERS) from None

    def assign(self, values: Mapping[str, ArrayLike]) -> None:
        """See `rubric.Layer.assign`."""
        self._ask(
            {
                "do": "assign",
                "values": {path: self._probe.encode(np.asarray(value), np.float32) for path, value in values.items()},
            }
        )

    def read(self, path: str) -> NDArray[np.float64]:
        """See `rubric.Layer.read`."""
        value = self._probe.decode(self._ask({"do": "read", "path": path}))
        if not isinstance(value, np.ndarray) or value.dtype.kind == "c":
            raise AnswerUnreadable(_NOT_NUMBERS)
        return value.astype(np.float64)

    def values(self) -> list[tuple[Weight, NDArray[np.float64]]]:
        """See `rubric.Layer.values`."""
        reply = self._ask({"do": "values"})
        try:
            rows, encoded = reply
            weights = [Weight(str(path), tuple(int(n) for n in shape), bool(kind)) for path, shape, kind in rows]
            sizes = [int(np.prod(weight.shape)) for weight in weights]
            row = self._probe.decode(encoded)
            if row.shape != (sum(sizes),) or min(sizes, default=0) < 0:
                raise ValueError("not one number for each entry")
            parts = np.split(row.astype(np.float64), np.cumsum(sizes)[:-1])
            return [(weight, part.reshape(weight.shape)) for weight, part in zip(weights, parts, strict=False)]
        except (TypeError, ValueError, OverflowError, AttributeError):
            raise AnswerUnreadable(_NOT_NUMBERS) from None

    def set_values(self, values: Sequence[ArrayLike]) -> None:
        """See `rubric.Layer.set_values`."""
        row = np.concatenate([np.ravel(np.asarray(value, dtype=np.float32)) for value in values])
        self._ask({"do": "set_values", "values": self._probe.encode(row)})

    def clone(self) -> RemoteLayer:
        """See `rubric.Layer.clone`."""
        return RemoteLayer(self._probe, self._probe.object_id(self._ask({"do": "clone"})), self._from_scratch)

    def _ask(self, request: Mapping[str, Any]) -> Any:
        self.check_alive()
        return self._probe.request({**request, "id": self.number})


_NOT_NUMBERS = Text(
    "What it returned can't be read as numbers: return a NumPy array or a tensor.",
    "돌려준 것을 숫자로 읽을 수 없습니다. NumPy 배열이나 텐서를 돌려주세요.",
)
_TOO_LARGE = Text("What it returned is far too large.", "돌려준 것이 지나치게 큽니다.")


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


def _holds_float64(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(_holds_float64(part) for part in value)
    if isinstance(value, Mapping):
        return any(_holds_float64(part) for part in value.values())
    return isinstance(value, np.ndarray) and value.dtype == np.float64
