"""The probe: carries a grader's questions into the student's kernel and only plain data back."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from autograder.base.errors import AnswerError, AnswerRaised, AnswerUnreadable, GraderError, KernelGone, PutOff
from autograder.base.text import Text
from autograder.grading.rubric import Forbidden, KernelObject, Layer, Measurement, Miss, Value, Weight
from autograder.grading.sketches import MAX_SKETCHES, InKernel, Sketch, noted, sketch
from autograder.kernels.compiled import without_source
from autograder.kernels.quoting import NOT_NUMBERS, TOO_LARGE, ErrorQuoter
from autograder.kernels.resident.wire import array_of, packed_array

Ask = Callable[[Mapping[str, Any]], dict[str, Any]]


class Host(Protocol):
    """What holds the functions that the student's code gets as proxies; see `kernels.proxies.ProxyHost`."""

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
# Of the arrays of one answer: an entry that came as a byte becomes eight when it is compared, several times over.
MAX_ENTRIES = 5_000_000
MAX_WEIGHTS = 500
# A trial is left out if a task before it lost this share of its points: its training seldom learns anything.
HOPELESS = 0.5
SHARED = InKernel()  # what came of an earlier line's question
MAX_PATH = 200


class KernelProbe:
    """Implements `rubric.Probe` for one task on a live kernel.

    Args:
        ask: sends one request to the kernel's resident and returns the resident's reply.
        generation: returns a number that changes when the kernel is replaced.
        code: all code of the submitted notebook: what an error message may quote.
        lost: the error with which every question is answered without asking the kernel; None while the kernel is asked. It is
            set as soon as the task has hung or ended its kernel.
        training_pairs: number of pairs that a training gets.
        unfinished: name -> class and text of the exception that ended the cell which should have defined the name.
        host: holds the functions that the student's code gets as proxies.
        renew: has the next question answered by a fresh kernel; None where there is only one kernel, and so no trial.
        keeps_answers: whether sketches of the answers are kept, in `answers`.
        wrong_before: returns how much of what the task builds on is known to be wrong, from 0 (nothing) to 1. Unless that is
            nothing, a trial that finds nothing ends the task, instead of going on to what takes long; from `HOPELESS` on
            the task ends without a trial.

    Attributes:
        has_read: whether the kernel has given an answer yet.
        line: id of the rubric line that asks now.
        answers: id of a line -> sketches of the answers that the line got, in the order of its questions.
        measurements: English name of a measurement -> the measurement, as the lines have measured it.
        was_put_off: whether a trial has ended the task.
        missed: ids of the lines that were missed.
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
        renew: Callable[[], None] | None = None,
        keeps_answers: bool = False,
        wrong_before: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._ask = ask
        self._generation = generation
        self.lost = lost
        self.training_pairs = training_pairs
        self._quoter = ErrorQuoter(code, unfinished or {})
        self._host = host
        self._renew = renew
        self._training_share = 1.0
        self._made: dict[Hashable, Any] = {}
        self.has_read = False
        self.line = ""
        self.answers: dict[str, list[Sketch]] = {}
        self.measurements: dict[str, Measurement] = {}
        self._keeps_answers = keeps_answers
        self._wrong_before = wrong_before
        self.was_put_off = False
        self.missed: set[str] = set()

    def note(self, answer: object) -> None:
        """See `sketches.AnswerNotes.note`."""
        if self._keeps_answers:
            of_line = self.answers.setdefault(self.line, [])
            of_line.append(sketch(answer) if len(of_line) < MAX_SKETCHES else ["unknown"])

    def report(self, measurement: Measurement) -> None:
        """See `rubric.Probe.report`."""
        if math.isfinite(measurement.value):
            self.measurements[measurement.name.en] = measurement

    def once(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """See `rubric.Probe.once`."""
        if key in self._made:
            self.note(SHARED)
        else:
            self._made[key] = make()
        made: Value = self._made[key]
        return made

    @noted
    def call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """See `rubric.Probe.call`."""
        request = {"do": "call", "name": name}
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

    def tell_apart(self, ask: Callable[[], object]) -> None:
        """See `rubric.Probe.tell_apart`."""
        if self._keeps_answers:
            with contextlib.suppress(AnswerError, Miss):
                ask()

    @noted
    def layer(self, name: str, *args: Any, forbidden: Forbidden | None = None, **kwargs: Any) -> Layer:
        """See `rubric.Probe.layer`."""
        number = self.request({"do": "make", "name": name, **self.encode_arguments(args, kwargs)})
        return RemoteLayer(self, self.object_id(number), forbidden)

    @noted
    def build(self, name: str, *args: Any, **kwargs: Any) -> Layer:
        """See `rubric.Probe.build`."""
        number = self.request({"do": "build", "name": name, **self.encode_arguments(args, kwargs)})
        return RemoteLayer(self, self.object_id(number))

    def define(self, source: str, name: str, *args: Any, **kwargs: Any) -> KernelObject:
        """See `rubric.Probe.define`."""
        code = without_source(source)
        plain = {"do": "define", "code": code, "name": name, **self.encode_arguments(args, kwargs)}
        try:
            number = self.request(plain)
        except AnswerRaised as error:
            # a kernel without the student's code tells whose fault it is; what the student's own objects do to it is theirs
            is_theirs = any(isinstance(value, RemoteObject) for value in (*args, *kwargs.values()))
            if is_theirs or (self._host is not None and "error" not in self._host.define(plain)):
                raise AnswerRaised(_SPOILT, error.kinds, error.raw) from None
            raise GraderError(f"The code given to the kernel raised. Received: {error.kinds}.") from None
        return RemoteObject(self, self.object_id(number))

    def offer(self, source: str, name: str, *args: Any, **kwargs: Any) -> KernelObject:
        """See `rubric.Probe.offer`."""
        if self._host is None:
            raise GraderError("Functions can be offered only where there is a kernel for them.")
        if self.lost is not None:
            raise self.lost
        request = {"do": "define", "code": without_source(source), "name": name, **self.encode_arguments(args, kwargs)}
        reply = self._host.define(request)
        if "error" in reply:
            raise GraderError(f"The code given to the kernel raised. Received: {reply['error'].get('kinds')}.")
        return OfferedFunction(self, self._host, self.object_id(reply.get("ok")))

    @noted
    def train(self, name: str, *args: Any, **kwargs: Any) -> KernelObject:
        """See `rubric.Probe.train`."""
        request = {"do": "make", "name": name, "training_share": self._training_share}
        return RemoteObject(self, self.object_id(self.request({**request, **self.encode_arguments(args, kwargs)})))

    def trial(self, make: Callable[[], Value | None], training_share: float) -> Value | None:
        """See `rubric.Probe.trial`."""
        if self._renew is None or self.lost is not None:
            return None
        wrong_before = self._wrong_before()
        if wrong_before >= HOPELESS:
            self._put_off()
        had_read, raised = self.has_read, False
        self._training_share = training_share
        try:
            found = make()
        except (AnswerError, Miss):
            found, raised = None, True
        finally:
            self._training_share = 1.0
        if found is None:
            self.lost, self.has_read = None, had_read
            if wrong_before and not raised:  # what raised is soon over, and its error is to be told
                self._put_off()
            self._renew()
        return found

    def _put_off(self) -> NoReturn:
        self.was_put_off = True
        raise PutOff

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
        self.has_read = True
        if "error" in reply:
            raise self._quoter.explain(reply["error"], str(request.get("name", "")))
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
        return packed_array(array)

    def decode(self, value: Any) -> Any:
        """Decode an untrusted reply into plain data."""
        decoded = self._decode(value, 0)
        if _entries(decoded) > MAX_ENTRIES:
            raise AnswerUnreadable(TOO_LARGE)
        return decoded

    def _decode(self, value: Any, depth: int) -> Any:
        try:
            kind = value["kind"]
            if kind == "plain" and (value["value"] is None or isinstance(value["value"], (bool, int, str))):
                if isinstance(value["value"], int) and abs(value["value"]) >= 1 << 256:
                    raise AnswerUnreadable(TOO_LARGE)
                return value["value"]
            if kind == "float":
                return float.fromhex(value["value"])
            if kind == "tuple" and depth < 4 and len(value["parts"]) <= 16:
                return tuple(self._decode(part, depth + 1) for part in value["parts"])
            if kind == "array":
                return self._array(value)
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError):
            pass
        raise AnswerUnreadable(NOT_NUMBERS)

    def _array(self, part: Mapping[str, Any]) -> NDArray[Any]:
        array = array_of(part)
        if not array.size and math.prod(size for size in array.shape if size) > MAX_EMPTY:
            raise AnswerUnreadable(TOO_LARGE)
        if array.ndim > MAX_DIMENSIONS:
            raise AnswerUnreadable(NOT_NUMBERS)
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
            raise AnswerUnreadable(NOT_NUMBERS)
        return value


class RemoteObject(InKernel):
    """Implements `rubric.KernelObject` for an object in the student's kernel."""

    kind = "object"

    def __init__(self, probe: KernelProbe, number: int) -> None:
        self._probe = self.notes = probe
        self.number = number
        self._born = self._generation()

    @noted
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """See `rubric.KernelObject.__call__`."""
        return self._probe.decode(self._ask({"do": "invoke", **self._probe.encode_arguments(args, kwargs, np.float32)}))

    def check_alive(self) -> None:
        """Raise `KernelGone` if the object's kernel has been replaced by another."""
        if self._generation() != self._born:
            raise KernelGone(KERNEL_ENDED)

    def _generation(self) -> int:
        return self._probe.generation()

    def _ask(self, request: Mapping[str, Any]) -> Any:
        self.check_alive()
        return self._probe.request({**request, "id": self.number})


class OfferedFunction(RemoteObject):
    """Implements `rubric.KernelObject` for a function that the student's kernel has only a proxy of."""

    kind = "callable"

    def __init__(self, probe: KernelProbe, host: Host, number: int) -> None:
        self._host = host
        super().__init__(probe, number)

    @noted
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """See `rubric.KernelObject.__call__`."""
        self.check_alive()
        encoded = self._probe.encode_arguments(args, kwargs, np.float32)
        reply = self._host.ask({"do": "invoke", "id": self.number, **encoded})
        if "error" in reply:
            raise AnswerUnreadable(NOT_NUMBERS)  # what it remembers is the student's doing
        return self._probe.decode(reply.get("ok"))

    def _generation(self) -> int:
        return self._host.generation


class RemoteLayer(RemoteObject):
    """Implements `rubric.Layer` for an object in the student's kernel."""

    def __init__(self, probe: KernelProbe, number: int, forbidden: Forbidden | None = None) -> None:
        super().__init__(probe, number)
        self._forbidden = forbidden

    @noted
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """See `rubric.Layer.__call__`; floats are sent as float32, the layers' own type."""
        request = {"do": "invoke", **self._probe.encode_arguments(args, kwargs, np.float32)}
        if self._forbidden is not None:
            request["forbidden"] = list(self._forbidden.places)
        try:
            return self._probe.decode(self._ask(request))
        except AnswerRaised as error:
            if self._forbidden is not None and "ForbiddenReached" in error.kinds:
                raise AnswerRaised(self._forbidden.text, error.kinds, error.raw) from None
            raise

    @noted
    def weights(self) -> list[Weight]:
        """See `rubric.Layer.weights`."""
        reply = self._ask({"do": "weights"})
        try:
            return _weights(reply)
        except (TypeError, ValueError):
            raise AnswerUnreadable(NOT_NUMBERS) from None

    @noted
    def assign(self, values: Mapping[str, ArrayLike]) -> None:
        """See `rubric.Layer.assign`."""
        self._ask(
            {
                "do": "assign",
                "values": {path: self._probe.encode(np.asarray(value), np.float32) for path, value in values.items()},
            }
        )

    @noted
    def read(self, path: str) -> NDArray[np.float64]:
        """See `rubric.Layer.read`."""
        value = self._probe.decode(self._ask({"do": "read", "path": path}))
        if not isinstance(value, np.ndarray) or value.dtype.kind == "c":
            raise AnswerUnreadable(NOT_NUMBERS)
        return value.astype(np.float64)

    @noted
    def values(self) -> list[tuple[Weight, NDArray[np.float64]]]:
        """See `rubric.Layer.values`."""
        reply = self._ask({"do": "values"})
        try:
            rows, encoded = reply
            weights = _weights(rows)
            sizes = [math.prod(weight.shape) for weight in weights]
            row = self._probe.decode(encoded)
            if row.shape != (sum(sizes),):
                raise ValueError("not one number for each entry")
            parts = np.split(row.astype(np.float64), np.cumsum(sizes)[:-1])
            return [(weight, part.reshape(weight.shape)) for weight, part in zip(weights, parts, strict=False)]
        except (TypeError, ValueError, OverflowError, AttributeError):
            raise AnswerUnreadable(NOT_NUMBERS) from None

    @noted
    def set_values(self, values: Sequence[ArrayLike]) -> None:
        """See `rubric.Layer.set_values`."""
        row = np.concatenate([np.ravel(np.asarray(value, dtype=np.float32)) for value in values])
        self._ask({"do": "set_values", "values": self._probe.encode(row)})

    @noted
    def clone(self) -> RemoteLayer:
        """See `rubric.Layer.clone`."""
        return RemoteLayer(self._probe, self._probe.object_id(self._ask({"do": "clone"})), self._forbidden)


_SPOILT = Text(
    "What this task is tried with can't be made in your kernel: something in the notebook has changed Python or its libraries.",
    "이 과제를 시험할 때 쓰는 것을 여러분의 커널에서 만들 수 없습니다. 노트북의 무언가가 파이썬이나 라이브러리를 바꿔 놓았습니다.",
)


def _entries(value: Any) -> int:
    """Return how many entries the arrays of an answer have together."""
    if isinstance(value, tuple):
        return sum(map(_entries, value))
    return value.size if isinstance(value, np.ndarray) else 0


def _weights(reply: Any) -> list[Weight]:
    """Return the weights of an untrusted list of [path, shape, trainable].

    Raises:
        TypeError, ValueError: they can't be a layer's, or are more than any task's.
    """
    if not isinstance(reply, list):  # slicing an object raises KeyError from Python 3.12 on
        raise TypeError("not a list of weights")
    rows: list[tuple[Any, Any, Any]] = reply[: MAX_WEIGHTS + 1]
    if any(not isinstance(path, str) for path, _, _ in rows):
        raise ValueError("not the path of a weight")
    weights = [Weight(path, tuple(shape), bool(trainable)) for path, shape, trainable in rows]
    for weight in weights:
        if len(weight.path) > MAX_PATH or len(weight.shape) > MAX_DIMENSIONS:
            raise ValueError("not the path or the shape of a weight")
        if any(type(size) is not int or size < 0 for size in weight.shape):
            raise ValueError("not the shape of a weight")
    if len(weights) > MAX_WEIGHTS or sum(math.prod(weight.shape) for weight in weights) > MAX_ENTRIES:
        raise ValueError("too many weights")
    return weights


def _holds_float64(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(_holds_float64(part) for part in value)
    if isinstance(value, Mapping):
        return any(_holds_float64(part) for part in value.values())
    return isinstance(value, np.ndarray) and value.dtype == np.float64
