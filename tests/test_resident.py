"""The part of the probe that lives in the student's kernel, asked directly."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from autograder.kernels.compiled import without_source
from autograder.kernels.resident import errors, repair, serving, state, values, weights


class Variable:
    def __init__(self) -> None:
        self.shape, self.value = (), 0.0

    def assign(self, value: float) -> None:
        self.value = value


class Layer:
    def __init__(self, **held: object) -> None:
        vars(self).update(held)

    @property
    def weights(self) -> list[Variable]:
        held = [*vars(self).values(), *vars(self).get("_modules", {}).values()]
        return [v for v in held if isinstance(v, Variable)] + [
            w for v in held if isinstance(v, Layer) for w in v.weights
        ]


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> Layer:
    made = Layer(scale=Variable(), inner=Layer(_kernel=Variable(), bias=Variable()))
    monkeypatch.setattr(state, "OBJECTS", {7: made})
    return made


def _assign(**values: float) -> None:
    sent = {path.replace("__", "."): {"kind": "plain", "value": value} for path, value in values.items()}
    weights.assign({"id": 7, "values": sent})


def test_weights_are_assigned_by_path(layer: Layer) -> None:
    _assign(scale=1.0, inner__kernel=2.0, inner__bias=3.0)
    assert [w.value for w in layer.weights] == [1.0, 2.0, 3.0]


def test_a_path_by_private_attributes_is_followed_too(layer: Layer) -> None:
    _assign(inner___kernel=4.0)
    assert layer.inner._kernel.value == 4.0


def test_layers_that_pytorch_keeps_apart_have_the_same_paths(layer: Layer) -> None:
    inner = vars(layer).pop("inner")
    vars(layer)["_modules"] = {"inner": inner}
    _assign(inner__kernel=2.0)
    assert inner._kernel.value == 2.0


def test_an_unknown_path_is_not_assigned(layer: Layer) -> None:
    with pytest.raises(errors.NotDefined, match="nothing"):
        _assign(nothing=1.0)


@pytest.mark.parametrize("own", [None, lambda x: [0.0]], ids=["none", "lists"])
def test_a_reference_gives_what_the_student_can_use(own: object, monkeypatch: pytest.MonkeyPatch) -> None:
    class Tensor:
        __module__ = "tensorflow"

    monkeypatch.setattr(values, "as_numpy", lambda x: np.ones(2) if isinstance(x, Tensor) else x)
    names = {"Tensor": Tensor} if own is None else {"Tensor": Tensor, "softmax": own}
    monkeypatch.setattr(state, "shell", SimpleNamespace(user_ns=names))
    code = without_source("def softmax(x):\n    return Tensor()\n")
    serving._replace({"names": ["softmax"], "code": code, "offered": {}, "imitate": True})
    answer = names["softmax"](np.zeros(2))
    assert isinstance(answer, np.ndarray if own is None else list)


def test_numbers_in_an_array_of_objects_are_numbers() -> None:
    rates = np.frompyfunc(lambda i: 0.5**i, 1, 1)(np.arange(3))
    assert rates.dtype == object
    assert values.to_array(rates).tolist() == [1.0, 0.5, 0.25]
    assert values.to_array(np.array([True, False], dtype=object)).dtype == bool


@pytest.mark.parametrize("entry", ["1.5", None, {}], ids=repr)
def test_other_objects_in_an_array_are_not(entry: object) -> None:
    with pytest.raises(errors.NotNumbers):
        values.to_array(np.array([0.5, entry], dtype=object))


def test_what_jax_compiled_is_forgotten_once_it_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[np.ndarray] = []
    monkeypatch.setitem(sys.modules, "jax", SimpleNamespace(clear_caches=compiled.clear))
    monkeypatch.setattr(state, "LIMITS", dict(state.LIMITS))
    monkeypatch.setattr(repair, "_MEMORY", dict(repair._MEMORY))
    repair.limit({"answer_bytes": 1, "memory_bytes": 256 << 20})
    compiled.append(np.ones(8 << 20, np.uint8))
    repair.forget_compiled()
    assert len(compiled) == 1
    compiled.append(np.ones(96 << 20, np.uint8))
    repair.forget_compiled()
    assert not compiled


def test_the_kernel_has_all_of_it_before_it_forgets_the_project() -> None:
    for path in sorted(Path(serving.__file__).parent.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and str(n.module).startswith("autograder")]
        assert all(str(n.module).startswith("autograder.kernels.resident") for n in found), path.name
        assert all(node in tree.body for node in found), path.name
        names = [alias.name for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names]
        assert not [name for name in names if name.startswith("autograder")], path.name
