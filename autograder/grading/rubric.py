"""What a hidden grader is handed and may raise: the probe that it questions, what it draws its inputs from, a miss."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from autograder.base.errors import AnswerError
from autograder.base.text import Text

Array = NDArray[np.float64]
Value = TypeVar("Value")
Item = TypeVar("Item")


class Miss(Exception):
    """An expectation that the student's answer does not meet.

    Attributes:
        text: what is wrong, without hidden inputs or expected numbers.
        pattern: which entries are right, a row a string of `1` (right) and `0`; empty if a picture would say nothing more.
    """

    def __init__(self, text: Text, pattern: tuple[str, ...] = ()) -> None:
        super().__init__(text.en)
        self.text = text
        self.pattern = pattern


@dataclass(frozen=True)
class Forbidden:
    """What a student's code may not reach in a task that asks for it from scratch.

    Attributes:
        places: functions and methods that raise while such a layer is called, as `module:name` or `module:Class.name`. A module
            that isn't imported, and a name that it lacks, are passed over.
        text: what the student reads whose code reached one of them.
        inner_names: names that code needs to take hold of one beforehand; the class report flags them in every cell.
        outer_names: further names that have no business in the task's own cell; the class report flags them there.
    """

    places: tuple[str, ...]
    text: Text
    inner_names: frozenset[str] = frozenset()
    outer_names: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Measurement:
    """Something measured of a student's work, for a leaderboard. No points depend on it.

    Attributes:
        name: what was measured, with its unit.
        value: a finite number.
        lower_is_better: whether the lowest value leads.
    """

    name: Text
    value: float
    lower_is_better: bool = False


@dataclass(frozen=True)
class Weight:
    """One weight of a student's layer: its attribute path (`query_dense.kernel`), shape and trainability."""

    path: str
    shape: tuple[int, ...]
    trainable: bool


class KernelObject(Protocol):
    """An object in the student's kernel, to be passed to the probe's methods; see `Probe.define` and `Probe.train`."""

    number: int

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it, if it is callable, with floats as float32. Returns what `Probe.call` returns.

        Raises:
            AnswerError: it raised, hung, ended the kernel or returned no numbers, or the kernel has been replaced.
        """
        ...


class Layer(Protocol):
    """A layer that lives in the student's kernel."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the layer; the first call builds it. Returns what `Probe.call` returns."""
        ...

    def weights(self) -> list[Weight]:
        """Return the layer's weights in creation order."""
        ...

    def assign(self, values: Mapping[str, ArrayLike]) -> None:
        """Set weights by attribute path."""
        ...

    def read(self, path: str) -> Array:
        """Return the value of the weight at an attribute path."""
        ...

    def values(self) -> list[tuple[Weight, Array]]:
        """Return every weight with its value, each variable once; their paths are Keras's own, not attribute paths."""
        ...

    def set_values(self, values: Sequence[ArrayLike]) -> None:
        """Set every weight, in the order of `values()`."""
        ...

    def clone(self) -> Layer:
        """Return `type(layer).from_config(layer.get_config())`, a new layer without this one's weights."""
        ...


class Probe(Protocol):
    """The way from a grader to the student's code.

    Attributes:
        training_pairs: how many pairs a training gets.
    """

    training_pairs: int

    def call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call the student's function `name` with copies of the arguments.

        Arguments are arrays, numbers, strings, None, tuples or lists of these, `Layer`s and what `define` gave.
        Arrays keep their type; a call with float64 arrays that raises is tried again with the same numbers in float32.

        Returns:
            A plain ndarray, bool, int, float, str or None, or a tuple of these.

        Raises:
            AnswerError: there is no such function, or it raised, hung, ended the kernel or returned no numbers.
        """
        ...

    def tell_apart(self, ask: Callable[[], object]) -> None:
        """Put a question whose answer only tells known mistakes apart: `ask` calls the probe or a layer.

        It is put in practice only, where nothing is graded: whatever comes of it costs nothing.
        """
        ...

    def report(self, measurement: Measurement) -> None:
        """Say something measured of the student's work, for a leaderboard; of the same name the last counts. It must tell nothing hidden."""
        ...

    def once(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return what `make` returned when a line of this task first asked for `key`.

        Layers and models cost most of the time that grading takes: a task's lines share them. What raised is not kept.
        """
        ...

    def build(self, name: str, *args: Any, **kwargs: Any) -> Layer:
        """Call the student's function `name`, which returns a model, and keep the model.

        Raises:
            AnswerError: as for `call`, or it returned nothing that is called and has weights.
        """
        ...

    def define(self, source: str, name: str, *args: Any, **kwargs: Any) -> KernelObject:
        """Make something in the student's kernel that can't be sent as data, such as a callable.

        `source` is executed in a namespace of its own, where the student's names don't exist; then its function `name` is
        called with copies of the arguments, and what it returns is kept, to be called or passed to `call`. The student's code can
        read all of it: neither the source nor the arguments may hold an expected value.

        Raises:
            GraderError: the source or the function raised.
            AnswerError: the kernel has ended.
        """
        ...

    def offer(self, source: str, name: str, *args: Any, **kwargs: Any) -> KernelObject:
        """Make a function that the student's code can call and can't look into, as `define` does, in a kernel of its own.

        The student's code gets a proxy. Arrays, tensors, numbers, strings, tuples and lists go through it either way, up to the
        size of an answer, and functions, which become proxies on the other side; what a function of the student's raises
        goes through unchanged.

        Raises:
            AnswerError: the student's kernel was lost to this task before.
            GraderError: the source or the function raised.
            MachineError: there is no kernel for it.
        """
        ...

    def train(self, name: str, *args: Any, **kwargs: Any) -> KernelObject:
        """Call the student's function `name`, which may take as long as a training, and keep what it returns.

        Raises:
            AnswerError: there is no such function, or it raised, ended the kernel or took too long.
        """
        ...

    def trial(self, make: Callable[[], Value | None], training_share: float) -> Value | None:
        """Return what `make` found out about the student's code, or None if it failed, which counts for nothing.

        It fails if it returns None or raises an `AnswerError` or a `Miss`. What is asked after that is asked as if there had been
        no trial: in a fresh kernel, in which only the notebook's cells have run and nothing made before is alive. Where the task
        has lost its kernel already there is no trial. Where the task will be looked at again with right work before it, what comes
        after a trial that returns None may be put off: then this ends the task for now.

        Args:
            make: asks the student's code.
            training_share: which share of a training's time limit a training in the trial gets.
        """
        ...

    def layer(self, name: str, *args: Any, forbidden: Forbidden | None = None, **kwargs: Any) -> Layer:
        """Construct the layer class `name` of the student's notebook, or `keras.…` by its dotted name.

        Calling the layer must not reach what is `forbidden`.

        Raises:
            AnswerError: as for `call`.
        """
        ...


class Draw:
    """Random inputs that repeat for the same submission and differ between submissions.

    Every float is exactly representable in float32, so an answer computed in either precision saw the same input.
    """

    def __init__(self, *seed: str) -> None:
        digest = hashlib.sha256("\0".join(seed).encode()).digest()
        self.rng = np.random.default_rng(np.frombuffer(digest, dtype=np.uint32))

    def normal(self, *shape: int, scale: float = 1.0) -> Array:
        """Return `shape` standard normals times `scale`."""
        return (self.rng.standard_normal(shape) * scale).astype(np.float32).astype(np.float64)

    def uniform(self, low: float, high: float, *shape: int) -> Array:
        """Return `shape` uniform numbers in [low, high)."""
        below = np.nextafter(np.float32(high), np.float32(low))  # rounding to float32 must not reach `high`
        return np.minimum(self.rng.uniform(low, high, shape).astype(np.float32), below).astype(np.float64)

    def integer(self, low: int, high: int) -> int:
        """Return one integer in [low, high]."""
        return int(self.rng.integers(low, high + 1))

    def integers(self, low: int, high: int, *shape: int) -> NDArray[np.int64]:
        """Return `shape` integers in [low, high]."""
        return self.rng.integers(low, high + 1, shape)

    def distinct(self, count: int, low: int, high: int) -> list[int]:
        """Return `count` different integers in [low, high]: sizes that can't stand in for one another."""
        return [int(n) for n in self.rng.choice(np.arange(low, high + 1), size=count, replace=False)]

    def choice(self, options: Sequence[Any]) -> Any:
        """Return one of `options`."""
        return options[int(self.rng.integers(len(options)))]


# Asked one after another, so many questions have orders enough that none is guessed.
MANY_QUESTIONS = 6


def in_drawn_order(draw: Draw, ask: Callable[[Item], Value], items: Sequence[Item]) -> Iterator[Value]:
    """Ask about all items in a drawn order, few ones several times, then yield the answers in the given order.

    Which item it is can't be told by counting. Where `ask` raised, its exception is raised in its turn.
    """
    repeats = -(-MANY_QUESTIONS // len(items))
    outcomes: list[list[Value | AnswerError | Miss]] = [[] for _ in items]
    for place in draw.distinct(repeats * len(items), 0, repeats * len(items) - 1):
        index = place % len(items)
        try:
            outcomes[index].append(ask(items[index]))
        except (AnswerError, Miss) as error:
            outcomes[index].append(error)
    for outcome in itertools.chain(*outcomes):
        if isinstance(outcome, (AnswerError, Miss)):
            raise outcome
        yield outcome
