"""What a grading asks: the questions that a solution's grading puts to each function and layer, and what none of them asks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from autograder.kernels.resident.wire import array_of
from autograder.proof.check import with_answers
from autograder.proof.quick import InProcess
from autograder.sources.catalogue import bare
from autograder.sources.course import Course
from autograder.sources.notebooks import SOLUTION_REGION, NotebookSource

LEFT_OUT = object()  # the value of an argument that a question doesn't give


class Array:
    """The value of an argument that is an array, a layer or a function: something, and nothing more is known of it."""


SOMETHING = Array()


@dataclass(frozen=True)
class Signature:
    """A function or method that a task's cell defines.

    Attributes:
        parameters: names in their order, without `self` and what begins with a star.
        defaults: parameter -> the default's value, where it is a constant.
    """

    parameters: tuple[str, ...]
    defaults: Mapping[str, object] = field(default_factory=dict)

    def bound(self, args: Sequence[object], kwargs: Mapping[str, object]) -> dict[str, object]:
        """Return parameter -> value of a call; `LEFT_OUT` where it says nothing."""
        given = dict(zip(self.parameters, args, strict=False)) | dict(kwargs)
        return {name: given.get(name, LEFT_OUT) for name in self.parameters}


@dataclass(frozen=True)
class Question:
    """One question of a grader's.

    Attributes:
        task, line: which rubric line asks.
        name: what is asked: a function, `Layer` that is made, `Layer.call` that is called.
        values: parameter -> value.
        training: what a layer's call says of training; None if nothing.
        made: of a layer's copy, the values that the layer was made with.
    """

    task: str
    line: str
    name: str
    values: Mapping[str, object] = field(default_factory=dict)
    training: object = None
    is_copy: bool = False


def signatures(source: NotebookSource) -> dict[str, dict[str, Signature]]:
    """Return task -> name -> signature of the functions and classes that the release gives students to write.

    A class has two: its constructor's under its name, and its call's under `Name.call`.
    """
    found: dict[str, dict[str, Signature]] = {}
    for task in source.points:
        own = found.setdefault(task, {})
        given = re.findall(r"^(?:def|class) (\w+)", SOLUTION_REGION.sub("", source.reference(task)), re.MULTILINE)
        for node in ast.parse(bare(source.reference(task))).body:
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.name not in given:
                continue
            if isinstance(node, ast.FunctionDef):
                own[node.name] = _signature(node.args)
            else:
                methods = {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
                own[node.name] = _signature(methods["__init__"].args) if "__init__" in methods else Signature(())
                if "call" in methods:
                    own[f"{node.name}.call"] = _signature(methods["call"].args)
    return found


def _signature(about: ast.arguments) -> Signature:
    names = [argument.arg for argument in (*about.posonlyargs, *about.args) if argument.arg != "self"]
    defaults: dict[str, object] = {}
    for name, node in zip(reversed(names), reversed(about.defaults), strict=False):
        if isinstance(node, ast.Constant):
            defaults[name] = node.value
    for argument, default in zip(about.kwonlyargs, about.kw_defaults, strict=True):
        names.append(argument.arg)
        if isinstance(default, ast.Constant):
            defaults[argument.arg] = default.value
    return Signature(tuple(names), defaults)


def questions(course: Course, assignment: str) -> list[Question]:
    """Grade an assignment's solution in this process, and return what was asked. What trains isn't asked.

    Raises:
        AssertionError: the solution lost points, so that not everything was asked.
    """
    source = course.source(assignment)
    listener = _Listener({name: s for of_task in signatures(source).values() for name, s in of_task.items()})
    # nothing here hangs, and tests run side by side
    limits = replace(course.limits_of(assignment), answer_seconds=300.0)
    here = InProcess(source, with_answers(source, {}), limits, listener.listen)
    results, _ = here.grade(f"questions\n{assignment}", set(source.points) - set(source.costly))
    lost = {line.id: line.text for result in results.values() for line in result.lines if line.status != "passed"}
    assert not lost, lost
    return listener.asked


class _Listener:
    def __init__(self, known: Mapping[str, Signature]) -> None:
        self._known = known
        self._objects: dict[int, tuple[str, Mapping[str, object]]] = {}  # number -> what it was made by, and of what
        self.asked: list[Question] = []

    def listen(self, task: str, line: str, request: Mapping[str, Any], reply: Mapping[str, Any]) -> None:
        """Note one question; see `InProcess`."""
        do = request["do"]
        if do in ("call", "make", "build"):
            name = request["name"]
            if name in self._known:
                values = self._known[name].bound(*_arguments(request))
                self.asked.append(Question(task, line, name, values))
                if "ok" in reply and do == "make":
                    self._objects[reply["ok"]] = name, values
        elif do in ("invoke", "clone") and request["id"] in self._objects:
            name, values = self._objects[request["id"]]
            if do == "clone":
                self.asked.append(Question(task, line, name, values, is_copy=True))
                if "ok" in reply:
                    self._objects[reply["ok"]] = name, values
            elif f"{name}.call" in self._known:
                args, kwargs = _arguments(request)
                values = self._known[f"{name}.call"].bound(args, kwargs)
                self.asked.append(Question(task, line, f"{name}.call", values, kwargs.get("training")))


def _arguments(request: Mapping[str, Any]) -> tuple[list[object], dict[str, object]]:
    return [_value(each) for each in request["args"]], {k: _value(each) for k, each in request["kwargs"].items()}


def _value(encoded: Mapping[str, Any]) -> object:
    if encoded["kind"] == "plain":
        return encoded["value"]
    if encoded["kind"] == "array":
        array = array_of(encoded)
        return array.item() if array.ndim == 0 else SOMETHING
    return SOMETHING


# ---- what isn't asked -----------------------------------------------------------------------------------------------


def unasked(known: Mapping[str, Signature], asked: Iterable[Question]) -> Iterator[str]:
    """Yield what no question asks, in words that a table can name.

    Args:
        known: name -> signature.
        asked: all questions about the texts.
    """
    by_name: dict[str, list[Question]] = {name: [] for name in known}
    for question in asked:
        if question.name in by_name:
            by_name[question.name].append(question)
    for name, signature in known.items():
        calls = [question for question in by_name[name] if not question.is_copy]
        copies = [question for question in by_name[name] if question.is_copy]
        if not calls:
            yield f"{name}: is never asked"
            continue
        yield from _orders(name, signature, calls, "")
        yield from _choices(name, signature, calls)
        if f"{name}.call" in known:
            if not any(question.training is True for question in by_name[f"{name}.call"]):
                yield f"{name}: is never called in training"
            if not copies:
                yield f"{name}: is never rebuilt from its config"
            yield from _orders(name, signature, copies, " of a copy")


def _orders(name: str, signature: Signature, calls: Iterable[Question], of: str) -> Iterator[str]:
    """Yield the pairs of whole numbers of which one is never the larger."""
    seen: dict[tuple[str, str], set[bool]] = {}
    for call in calls:
        sizes = [p for p in signature.parameters if type(call.values[p]) is int]
        for first, second in combinations(sizes, 2):
            one, other = call.values[first], call.values[second]
            assert isinstance(one, int) and isinstance(other, int)
            orders = seen.setdefault((first, second), set())
            if one != other and min(one, other) > 0:
                orders.add(one < other)
    for (first, second), orders in seen.items():
        if True not in orders:
            yield f"{name}: {first} < {second}{of}"
        if False not in orders:
            yield f"{name}: {first} > {second}{of}"


def _choices(name: str, signature: Signature, calls: Sequence[Question]) -> Iterator[str]:
    """Yield the values that an argument with a default never has: left out, another one, and both of True and False."""
    for parameter, default in signature.defaults.items():
        values = [call.values[parameter] for call in calls]
        had = [default if value is LEFT_OUT else value for value in values]
        if not any(value is LEFT_OUT for value in values):
            yield f"{name}: {parameter} left out"
        if isinstance(default, bool):
            yield from (f"{name}: {parameter}={flag}" for flag in (True, False) if not any(v is flag for v in had))
        elif not any(value is SOMETHING or value != default for value in had):
            yield f"{name}: {parameter} other than {default!r}"
