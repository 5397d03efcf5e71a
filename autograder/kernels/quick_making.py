"""Making layers on TensorFlow where `quick_keras` is on, without detours: a third of what a small model costs is to make its layers.

Keras looks at everything that is assigned to a layer's attributes, for layers and weights that it must keep track of, and it reads
the signatures of `__init__`, `build` and `call` anew for each layer. Plain values aren't looked at here, since they hold neither, and a
signature is read once. What comes out is the same.
"""

import inspect
import weakref
from collections.abc import Callable
from typing import Any

_PLAIN = frozenset([type(None), bool, int, float, str])
# attributes of functions whose signature isn't what their code says
_READ_OTHERWISE = frozenset(["__wrapped__", "__signature__"])


def install(is_on: Callable[[], bool]) -> None:
    """Put the shorter ways before Keras's.

    Args:
        is_on: tells whether the shorter ways are to be used now.

    Raises:
        ImportError, AttributeError: this isn't the Keras that is known here.
    """
    from keras.src.layers import layer as layers
    from keras.src.ops import operation as operations

    layer_class = layers.Layer
    set_attribute = layer_class.__setattr__

    def __setattr__(self, name, value):
        # where a class has the name, a property or a default, setting it may mean something
        if type(value) in _PLAIN and is_on() and "_tracker" in self.__dict__ and not hasattr(type(self), name):
            object.__setattr__(self, name, value)
        else:
            set_attribute(self, name, value)

    remembering = _Signatures(is_on)
    _ = layers.inspect.signature, operations.inspect.getfullargspec
    layers.inspect = operations.inspect = remembering
    layer_class.__setattr__ = __setattr__


class _Signatures:
    """The module `inspect`, which reads the signature of a plain function once."""

    def __init__(self, is_on: Callable[[], bool]) -> None:
        self._is_on = is_on
        self._known: weakref.WeakKeyDictionary[Any, dict[Any, Any]] = weakref.WeakKeyDictionary()

    def __getattr__(self, name: str) -> Any:
        return getattr(inspect, name)

    def signature(self, function: Any) -> inspect.Signature:
        """See `inspect.signature`."""
        within = function
        while set(getattr(within, "__dict__", ())) & _READ_OTHERWISE == {"__wrapped__"} and type(within) is _FUNCTION:
            within = within.__wrapped__
        is_bound = type(within) is _METHOD
        return self._read(inspect.signature, within.__func__ if is_bound else within, is_bound, function)

    def getfullargspec(self, function: Any) -> inspect.FullArgSpec:
        """See `inspect.getfullargspec`."""
        return self._read(inspect.getfullargspec, function, False, function)

    def _read(self, reader: Callable[[Any], Any], function: Any, is_bound: bool, asked: Any) -> Any:
        if type(function) is not _FUNCTION or _READ_OTHERWISE & function.__dict__.keys() or not self._is_on():
            return reader(asked)
        known = self._known.setdefault(function, {})
        key = reader, is_bound
        now = function.__code__, function.__defaults__, function.__kwdefaults__
        if key not in known or any(old is not new for old, new in zip(known[key][0], now, strict=True)):
            known[key] = now, reader(asked)
        return known[key][1]


_FUNCTION, _METHOD = type(install), type(_Signatures(bool).signature)
