"""Layers that are made and called on the shorter ways are what Keras makes of them, and errors are Keras's own."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.kernels import quick_keras, quick_making

pytestmark = pytest.mark.slow

LAYERS = '''
import keras
import numpy as np
from keras import layers, ops

counted = []


class Mixes(layers.Layer):
    """Tells by its answer what each of its arguments was."""

    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(3, kernel_initializer="ones")

    def call(self, x, other=None, mask=None, factor=1.0, *, shift=0, training=True):
        counted.append(type(x).__name__)
        y = self.dense(x) * factor + shift
        y = y if other is None else y + ops.cast(other, "float32")
        y = y if mask is None else ops.where(mask[..., None], y, 0.0)
        return y + (100.0 if training else 0.0 if training is None else -100.0)


class TakesAnything(layers.Layer):
    def call(self, x, *others, **named):
        return x + len(others) + 10 * len(named)


class TellsNoTraining(layers.Layer):
    def __init__(self):
        super().__init__()
        self.inner = Mixes()

    def call(self, x):
        return self.inner(x)


class HandsMasksOn(layers.Layer):
    def __init__(self):
        super().__init__()
        self.supports_masking = True

    def call(self, x):
        return x * 2.0


class FailsOnce(layers.Layer):
    """Would pass at its second try."""

    def __init__(self):
        super().__init__()
        self.tries = 0

    def call(self, x):
        self.tries += 1
        if self.tries == 3:
            raise KeyError("the third time")
        return x


class NeedsRank(layers.Layer):
    def __init__(self):
        super().__init__()
        self.input_spec = layers.InputSpec(ndim=3)

    def call(self, x):
        return x


def perceptron():
    return keras.Sequential([layers.Dense(4, "relu"), layers.Dropout(0.5, seed=1), layers.Dense(3)])


def with_a_mask():
    return keras.Sequential([layers.Embedding(5, 3, mask_zero=True), layers.LayerNormalization()])


def of_rank(*shape):
    return keras.Sequential([keras.Input(shape), layers.Dense(3)])


x = ops.convert_to_tensor(np.linspace(-1, 1, 12, dtype="float32").reshape(2, 2, 3))
ids = ops.convert_to_tensor(np.array([[1, 2], [4, 0]], "int32"))
seen = ops.convert_to_tensor(np.array([[True, False], [True, True]]))
'''
CALLS = (
    ("Mixes()", "layer(x)"),
    ("Mixes()", "layer(x, seen)"),
    ("Mixes()", "layer(x, None, seen)"),
    ("Mixes()", "layer(x, other=ids, mask=seen)"),
    ("Mixes()", "layer(x, mask=seen, training=False)"),
    ("Mixes()", "layer(x, factor=3, shift=2.0, training=None)"),
    ("Mixes()", "layer(x, None, None, 2.0)"),
    ("Mixes()", "layer(x, x, other=x)"),
    ("Mixes()", "layer(x, of='nothing')"),
    ("Mixes()", "layer()"),
    ("Mixes()", "layer([x, x])"),
    ("Mixes()", "layer(ops.cast(x, 'float16'))"),
    ("Mixes()", "layer(np.ones((2, 2, 3)))"),
    ("Mixes()", "layer(x[..., :2])"),
    ("TakesAnything()", "layer(x)"),
    ("TakesAnything()", "layer(x, x, named=x)"),
    ("TakesAnything()", "layer(x, training=True)"),
    ("TellsNoTraining()", "layer(x)"),
    ("TellsNoTraining()", "layer(x, training=False)"),
    ("HandsMasksOn()", "layer(x)"),
    ("HandsMasksOn()", "layer(with_a_mask()(ids))._keras_mask"),
    ("FailsOnce()", "[layer(x), layer.tries]"),
    ("FailsOnce()", "[layer(x), layer(x)]"),
    ("NeedsRank()", "layer(x)"),
    ("NeedsRank()", "layer(x[0])"),
    ("layers.MultiHeadAttention(2, 3)", "layer(x, x)"),
    ("layers.MultiHeadAttention(2, 3)", "layer(x, x, attention_mask=seen[:, None], return_attention_scores=True)"),
    ("layers.MultiHeadAttention(2, 3)", "layer(query=x, value=x, use_causal_mask=True)"),
    ("layers.Embedding(5, 3)", "layer(ids)"),
    ("layers.Embedding(5, 3)", "layer(ids - 1)"),
    ("layers.Embedding(5, 3)", "layer(ops.cast(ids, 'int64') - 5)"),
    ("layers.Embedding(5, 3)", "layer(x)"),
    ("layers.Embedding(5, 3)", "layer(ids[:0])"),
    ("perceptron()", "layer(x)"),
    ("perceptron()", "layer(x, training=True)"),
    ("perceptron()", "layer(ids)"),
    ("perceptron()", "layer(x[..., :2])"),
    ("with_a_mask()", "layer(ids)._keras_mask"),
    ("of_rank(2, 3)", "layer(x)"),
    ("of_rank(2, 1)", "layer(x[..., 0])"),
    ("of_rank(2)", "layer(x[..., :1])"),
    ("of_rank(2)", "layer(x)"),
)


@pytest.fixture(scope="module")
def defined() -> dict[str, Any]:
    quick_keras.install()
    names: dict[str, Any] = {}
    exec(LAYERS, names)
    return names


def both(told: Callable[[], object]) -> tuple[object, object]:
    """Return what is told as ever, and what on the shorter ways."""
    usual = told()
    with quick_keras.quick():
        return usual, told()


@pytest.mark.parametrize(("made", "called"), CALLS, ids=[": ".join(each) for each in CALLS])
def test_a_call_gives_what_it_gives_elsewhere(defined: dict[str, Any], made: str, called: str) -> None:
    import keras

    def told() -> object:
        keras.utils.clear_session()
        names = {**defined, "layer": eval(made, defined)}
        outcomes: list[object] = []
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            for turn in range(4):  # the first call makes the weights, the second finds a layer that is built
                if turn == 1:  # Keras rehearses the first call
                    defined["counted"].clear()
                try:
                    answer = eval(called, names)
                    parts = answer if isinstance(answer, (list, tuple)) else [answer]
                    outcomes.append(
                        [None if each is None else keras.ops.convert_to_numpy(each).tolist() for each in parts]
                    )
                except Exception as error:  # noqa: BLE001  (errors are compared too)
                    outcomes.append((type(error).__name__, str(error)))
                layer = names["layer"]
                if layer.built:
                    layer.set_weights(
                        [np.arange(w.size, dtype=float).reshape(w.shape) / 7 for w in layer.get_weights()]
                    )
        about_masks = [str(each.message) for each in warned if "mask" in str(each.message)]
        return outcomes[1:], len(defined["counted"]), about_masks

    usual, quickly = both(told)
    assert quickly[1:] == usual[1:]  # type: ignore[index]
    for one, other in zip(usual[0], quickly[0], strict=True):  # type: ignore[index]
        if isinstance(one, tuple):
            assert other == one
        else:
            assert all(_is_close(a, b) for a, b in zip(one, other, strict=True))


def _is_close(one: Any, other: Any) -> bool:
    return one is other if one is None or other is None else np.allclose(one, other, rtol=1e-5, atol=1e-6)


def test_a_call_that_raises_is_not_made_twice(defined: dict[str, Any]) -> None:
    layer, x = defined["FailsOnce"](), defined["x"]
    layer(x)
    with quick_keras.quick():
        layer(x)
        with pytest.raises(KeyError, match="FailsOnce.call"):
            layer(x)
    assert layer.tries == 3


def test_something_is_left_out_where_nothing_is_lost(defined: dict[str, Any]) -> None:
    """The cases above hold also where nothing is: this one tells which calls take the shorter way."""
    import keras

    if keras.backend.backend() != "tensorflow":
        pytest.skip("TensorFlow's part")
    from autograder.kernels import quick_layers

    call, x = quick_layers.eager_call(), defined["x"]
    layer = defined["Mixes"]()
    assert call(layer, (x,), {}) is quick_layers.DECLINED  # not built
    layer(x)
    assert call(layer, (x,), {"training": False}) is not quick_layers.DECLINED
    assert call(layer, (x, x), {"shift": 2}) is not quick_layers.DECLINED
    declined: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((), {}),
        ((np.ones((2, 2, 3)),), {}),
        (([x],), {}),
        ((x, x), {"other": x}),
        ((x,), {"nothing": x}),
        ((x,), {"mask": defined["seen"]}),
        ((x,), {"other": np.ones(3)}),
    ]
    for arguments, named in declined:
        assert call(layer, arguments, named) is quick_layers.DECLINED
    masked = keras.ops.convert_to_tensor(np.ones((2, 2, 3), np.float32))
    masked._keras_mask = defined["seen"]
    assert call(layer, (masked,), {}) is quick_layers.DECLINED
    half = keras.layers.Dense(3, dtype="mixed_float16")
    half(x)
    assert call(half, (x,), {}) is quick_layers.DECLINED


ATTRIBUTES = """
import keras
from keras import layers


class Holds(layers.Layer):
    default = 3

    def __init__(self):
        self.early = 1
        super().__init__()
        self.part, self.parts, self.number = layers.Dense(2), [layers.Dense(1)], 4
        self.default, self.default = None, 5
        self.size = 2
        self.weight = self.add_weight(shape=(2,), name="w")
        self.name_of_it, self.part_too = "a", layers.Dense(3)
        self.part_too = None
        self.trainable = False

    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, value):
        self._size = 10 * value


class Refuses(layers.Layer):
    __slots__ = ()

    def __setattr__(self, name, value):
        super().__setattr__(name, -1 if name == "number" else value)
"""


def test_attributes_are_kept_and_tracked_as_elsewhere(defined: dict[str, Any]) -> None:
    import keras

    names: dict[str, Any] = {}
    exec(ATTRIBUTES, names)

    def told() -> object:
        keras.utils.clear_session()
        layer, refuses = names["Holds"](), names["Refuses"]()
        refuses.number = 8
        layer.built = True
        keys = sorted(key for key in vars(layer) if not key.startswith("_"))
        parts = [part.name for part in layer._flatten_layers()]
        return keys, parts, layer.size, layer.default, layer.trainable, len(layer.weights), refuses.number, layer.number

    usual, quickly = both(told)
    assert quickly == usual


def test_a_signature_is_read_again_once_it_has_changed() -> None:
    from functools import wraps

    signatures = quick_making._Signatures(lambda: True)

    class Some:
        def plain(self, x: int, y: int = 1) -> None: ...

        @wraps(plain)
        def wrapped(self, *others: int) -> None: ...

    some = Some()
    for asked in (Some.plain, some.plain, Some.wrapped, some.wrapped, len, Some):
        assert signatures.signature(asked) == inspect.signature(asked)
    assert signatures.signature(some.plain) is signatures.signature(Some().plain)
    assert signatures.getfullargspec(Some.plain) == inspect.getfullargspec(Some.plain)
    Some.plain.__defaults__ = (7,)
    assert signatures.signature(some.plain) == inspect.signature(some.plain)
    assert signatures.signature(some.plain).parameters["y"].default == 7
    assert signatures.Parameter is inspect.Parameter


def test_what_is_a_tensor_stays_one(defined: dict[str, Any]) -> None:
    import keras

    if keras.backend.backend() != "tensorflow":
        pytest.skip("TensorFlow's part")
    import tensorflow as tf
    from tensorflow.python.framework import tensor_util

    class Says:
        def is_tensor_like(self) -> None: ...

    class Denies:
        is_tensor_like = None

    everything = (
        1,
        None,
        "a",
        [1],
        np.ones(2),
        defined["x"],
        tf.Variable(1.0),
        tf.sparse.from_dense([1.0]),
        Says(),
        Denies(),
    )
    usual = [isinstance(each, (*tensor_util.tf_type_classes[:2], tensor_util.IsTensorLike)) for each in everything]
    assert [tf.is_tensor(each) for each in everything] == usual
    assert usual.count(True) == 4
