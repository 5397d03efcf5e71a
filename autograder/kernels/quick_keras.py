"""Makes Keras quicker while a question is answered or a released cell is shown. What comes out is what Keras gives; only work
that nobody sees is left out.

- Keras finds out what a layer without a `build` of its own consists of by a rehearsal: before the first call it makes that call
  with symbolic tensors, and so does every layer inside it. The call itself makes the same weights, in the same order and under the
  same names, so the rehearsal can be left out. That is half of what a model of this size costs.
- A first value of a weight is drawn by the framework's own operations, some milliseconds each. NumPy draws it from the same
  distribution, by the same seed, in microseconds; nearly always a grader sets another one at once. Cells draw them as ever: what
  they print and plot may be made of them.

It lives in the student's kernel; cells that define something run without it. TensorFlow's part is `quick_tensorflow`,
`quick_layers`, `quick_making` and `quick_training`.
"""

import contextlib
import sys
from collections.abc import Generator

import numpy as np

from autograder.kernels import quick_layers, quick_making, quick_tensorflow, quick_training

_STATE = {"is_answering": False, "is_showing": False}
_OWN_STATE = ("_layers", "_trainable_variables", "_non_trainable_variables", "_seed_generators")


@contextlib.contextmanager
def quick() -> Generator[None]:
    """Leave out what nobody sees, while the block runs."""
    _STATE["is_answering"] = True
    try:
        yield
    finally:
        _STATE["is_answering"] = False


def show(is_on: bool) -> None:
    """Leave it out in the cells that follow, too, or no longer."""
    _STATE["is_showing"] = is_on


def _is_on() -> bool:
    return _STATE["is_answering"] or _STATE["is_showing"]


def install() -> None:
    """Put itself between Keras and its layers; without effect outside `quick` and `show`, and in a Keras that it doesn't know."""
    try:
        from keras.src import backend, utils
        from keras.src.backend.common.keras_tensor import any_symbolic_tensors
        from keras.src.backend.common.stateless_scope import in_stateless_scope
        from keras.src.initializers import random_initializers
        from keras.src.layers import layer as module

        parts = module.Layer, module.get_shapes_dict, module.might_have_unbuilt_state, utils.is_default
        is_traced = _TRACED[backend.backend()]()
        quick_calls = ()
        if backend.backend() == "tensorflow":
            quick_tensorflow.install(_is_on)
            quick_calls = quick_layers.plain_call(), quick_layers.eager_call()
            quick_layers.call_in_sequence(_is_on)
            quick_making.install(_is_on)
            quick_training.install(_is_on)
    except (ImportError, AttributeError, KeyError):
        return
    layer_class, shapes_of, might_have_unbuilt_state, is_default = parts
    unrehearsed = {}  # id of a layer in its first call -> how much state it had, what `build` is given, `CallSpec.eager`
    maybe_build, call = layer_class._maybe_build, layer_class.__call__

    def says_its_shape(layer):
        """Whether a symbolic call doesn't call `call`, because the layer tells what comes out."""
        is_own = type(layer).compute_output_spec is not layer_class.compute_output_spec
        return is_own or not is_default(layer.compute_output_shape)

    def _maybe_build(self, call_spec):
        if (
            not _is_on()
            or self.built
            or not is_default(self.build)
            or not might_have_unbuilt_state(self)
            or (not in_stateless_scope() and is_traced(call_spec.arguments_dict))
            or (says_its_shape(self) and any_symbolic_tensors(tuple(call_spec.arguments_dict.values())))
        ):
            return maybe_build(self, call_spec)
        shape = next(iter(shapes_of(call_spec).values()), None)
        unrehearsed[id(self)] = _size_of_state(self), shape, call_spec.eager
        return None

    def build(layer, shape):
        with layer._open_name_scope():
            layer.build(shape)

    def __call__(self, *args, **kwargs):
        if not _is_on():
            return call(self, *args, **kwargs)
        for quick_call in quick_calls:
            if (outputs := quick_call(self, args, kwargs)) is not quick_layers.DECLINED:
                return outputs
        try:
            outputs = call(self, *args, **kwargs)
        except BaseException as error:
            _, shape, is_eager = unrehearsed.pop(id(self), (None, None, True))
            if not is_eager and isinstance(error, Exception):  # after a rehearsal that fails Keras builds what it can
                build(self, shape)
            raise
        if id(self) not in unrehearsed:
            return outputs
        size, shape, _ = unrehearsed.pop(id(self))
        has_grown = _size_of_state(self) != size
        build(self, shape)
        # a layer that makes its parts in its call has made them in what stands for the rehearsal: this is the call
        return call(self, *args, **kwargs) if has_grown else outputs

    layer_class._maybe_build, layer_class.__call__ = _maybe_build, __call__
    random_initializers.random = _QuickRandom(random_initializers.random, backend)


def _size_of_state(layer):
    return [len(getattr(layer, name, ())) for name in _OWN_STATE]


def _traced_by_tensorflow():
    """Return what tells whether the arguments of a call belong to a function that is being compiled."""
    executes_eagerly = sys.modules["tensorflow"].executing_eagerly
    return lambda arguments: not executes_eagerly()


def _traced_by_jax():
    from keras.src import tree

    tracer = sys.modules["jax"].core.Tracer
    return lambda arguments: any(isinstance(leaf, tracer) for leaf in tree.flatten(arguments))


def _never_traced():
    return lambda arguments: False


_TRACED = {"tensorflow": _traced_by_tensorflow, "jax": _traced_by_jax, "torch": _never_traced}


class _QuickRandom:
    """Keras's random numbers, but for those of a plain seed, which NumPy draws while a question is answered."""

    def __init__(self, original, backend):
        self._original = original
        self._backend = backend

    def __getattr__(self, name):
        return getattr(self._original, name)

    def _drawn(self, name, draw, shape, dtype, seed, **options):
        if not _STATE["is_answering"] or type(seed) is not int or not all(type(size) is int for size in shape):
            return getattr(self._original, name)(shape, dtype=dtype, seed=seed, **options)
        numbers = draw(np.random.default_rng(abs(seed)), shape)
        return self._backend.convert_to_tensor(numbers.astype(np.float32), dtype=dtype or self._backend.floatx())

    def uniform(self, shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
        return self._drawn(
            "uniform", lambda rng, s: rng.uniform(minval, maxval, s), shape, dtype, seed, minval=minval, maxval=maxval
        )

    def normal(self, shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
        return self._drawn(
            "normal", lambda rng, s: rng.normal(mean, stddev, s), shape, dtype, seed, mean=mean, stddev=stddev
        )

    def truncated_normal(self, shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
        def draw(rng, s):
            numbers = rng.standard_normal(s)
            while (outside := np.abs(numbers) > 2).any():
                numbers = np.where(outside, rng.standard_normal(s), numbers)
            return mean + stddev * numbers

        return self._drawn("truncated_normal", draw, shape, dtype, seed, mean=mean, stddev=stddev)
