"""Calls of layers where `quick_keras` is on.

`Layer.__call__` prepares for every case: inputs of other kinds, masks, a layer that isn't built, compiled functions. For a layer
of this size that costs more than the layer. Two shorter ways go round it:

- `plain_call`: Keras's own plain layers, called inside another layer, go straight to their `call`. Whatever raises is done again by
  `Layer.__call__`, so errors are Keras's.
- `eager_call`: a built layer of any class that gets eager tensors, numbers and `None` is called as `Layer.__call__` does it, without
  looking for what such arguments don't hold. It isn't done again: what a student's `call` does may count.

Whatever else comes goes through `Layer.__call__`.
"""

import functools
import inspect
from collections.abc import Callable, Collection
from typing import Any

DECLINED = object()
MAX_SIGNATURES = 1000


def plain_call() -> Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]:
    """Return what calls a layer: (layer, positional arguments, keyword arguments) -> its outputs, or `DECLINED`.

    Raises:
        ImportError, AttributeError: this isn't the Keras or TensorFlow that is known here.
    """
    import tensorflow as tf
    from keras.src import layers
    from keras.src.backend.common.global_state import get_global_attribute
    from keras.src.backend.common.masking import get_keras_mask

    eager, float32, is_eager = tf.__internal__.EagerTensor, tf.float32, tf.executing_eagerly
    dropout = layers.Dropout
    plain = frozenset([dropout, layers.Dense, layers.EinsumDense, layers.LayerNormalization])
    is_float32 = _computes_in_float32()
    _ = layers.Layer._assert_input_compatibility, layers.Layer._clear_losses  # what else is relied on

    def is_plain(layer, inputs):
        return (
            type(inputs) is eager
            and inputs.dtype is float32
            and is_float32(layer)
            and get_keras_mask(inputs) is None
            and is_eager()
        )

    def call(layer, args, kwargs):
        kind = type(layer)
        if kind not in plain or len(args) != 1 or (kwargs and (kind is not dropout or list(kwargs) != ["training"])):
            return DECLINED
        context = get_global_attribute("current_call_ctx")
        try:
            if context is None or not is_plain(layer, args[0]):
                return DECLINED
            layer._assert_input_compatibility(args[0])
            if kind is not dropout:
                return layer.call(args[0])
            training = kwargs["training"] if kwargs else getattr(context, "training", None)
            if training is None and not kwargs:
                training = False
            context.training = training  # it holds for the layers that are called after this one, too
            return layer.call(args[0], training=training)
        except Exception:  # whatever is wrong, Keras says it
            return DECLINED

    return call


def eager_call() -> Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]:
    """Return what calls a layer: (layer, positional arguments, keyword arguments) -> its outputs, or `DECLINED`.

    Raises:
        ImportError, AttributeError: this isn't the Keras or TensorFlow that is known here.
    """
    import tensorflow as tf
    from keras.src.backend.common.masking import get_keras_mask
    from keras.src.layers.layer import Layer
    from keras.src.utils.traceback_utils import (
        filter_traceback,
        inject_argument_info_in_traceback,
        is_traceback_filtering_enabled,
    )

    eager, is_eager = tf.__internal__.EagerTensor, tf.executing_eagerly
    taken = frozenset([tf.float32, tf.int32, tf.int64, tf.bool])
    numbers = frozenset([type(None), bool, int, float])
    is_float32 = _computes_in_float32()
    _ = Layer._get_call_context, Layer._maybe_reset_call_context, Layer._open_name_scope, Layer._set_mask_metadata
    _ = Layer._assert_input_compatibility, Layer.supports_masking, Layer.input_dtype

    def is_taken(value):
        """Whether `Layer.__call__` hands a tensor on as it is, and it has no mask."""
        return type(value) is eager and value.dtype in taken and get_keras_mask(value) is None

    @filter_traceback
    def called(layer, args, kwargs):
        if not layer._called:
            layer._called = True
        layer._assert_input_compatibility(args[0])
        context, parameters = layer._get_call_context(), layer._call_signature.parameters
        if "training" in kwargs:
            training = kwargs["training"] if "training" in parameters else kwargs.pop("training")
        else:  # what holds for the layer around it, or the default
            training = context.get_value("training")
            if training is None and "training" in parameters:
                training = parameters["training"].default
        context.set_value("training", training)
        if training is not None and "training" in parameters:
            kwargs["training"] = training
        try:
            with layer._open_name_scope():
                name = f"{type(layer).__name__}.call()"
                outputs = inject_argument_info_in_traceback(layer.call, object_name=name)(*args, **kwargs)
            if layer.supports_masking:
                layer._set_mask_metadata(args[0], outputs, None)
        finally:
            layer._maybe_reset_call_context()
        return outputs

    def call(layer, args, kwargs):
        signature = getattr(layer, "_call_signature", None)
        if (
            not args
            or signature is None
            or not is_taken(args[0])
            or not all(each is None or is_taken(each) for each in args)
            or not all(type(each) in numbers or is_taken(each) for each in kwargs.values())
            or not _fits_signature(signature, len(args), kwargs.keys())
            or kwargs.get("mask") is not None  # where the layer doesn't support masks Keras warns
            or not is_float32(layer)
            or layer.input_dtype != "float32"
            or getattr(layer, "quantization_mode", None) is not None
            or not is_traceback_filtering_enabled()
            or not is_eager()
        ):
            return DECLINED
        return called(layer, args, dict(kwargs))

    return call


def call_in_sequence(is_on: Callable[[], bool]) -> None:
    """Let a `Sequential` call its layers one after the other, instead of through the graph that it has made of them.

    Args:
        is_on: tells whether that is to be done now.

    Raises:
        ImportError, AttributeError: this isn't the Keras or TensorFlow that is known here.
    """
    import tensorflow as tf
    from keras.src.backend.common.masking import get_keras_mask
    from keras.src.models import Sequential

    eager, float32 = tf.__internal__.EagerTensor, tf.float32
    through_graph = Sequential.call

    @functools.wraps(through_graph)
    def call(self, inputs, training=None, mask=None, **kwargs):
        graph = self._functional
        if (
            not is_on()
            or not graph
            or kwargs
            or mask is not None
            or type(inputs) is not eager
            or inputs.dtype is not float32
            or len(graph.inputs) != 1
            or graph.inputs[0].dtype != "float32"
            or len(graph.inputs[0].shape) != len(inputs.shape)
            or get_keras_mask(inputs) is not None
        ):
            return through_graph(self, inputs, training=training, mask=mask, **kwargs)
        for layer in self.layers:
            tells_it = training is not None and layer._call_has_training_arg
            inputs = layer(inputs, training=training) if tells_it else layer(inputs)
        return inputs

    Sequential.call = call


def _computes_in_float32() -> Callable[[Any], bool]:
    """Return what tells whether a layer is built and computes in float32 alone, in no scope that changes what it does."""
    from keras.src.backend.common.global_state import get_global_attribute
    from keras.src.dtype_policies.dtype_policy import DTypePolicy

    scopes = ("stateless_scope", "autocast_scope", "distribution")

    def is_float32(layer):
        policy = layer._dtype_policy
        return (
            layer.built
            and type(policy) is DTypePolicy
            and policy._compute_dtype == policy._variable_dtype == "float32"
            and layer.activity_regularizer is None
            and not layer._remat_mode
            and layer._call_context_args == {"training"}
            and not any(get_global_attribute(scope) is not None for scope in scopes)
        )

    return is_float32


_POSITIONS: dict[int, tuple[inspect.Signature, list[str], frozenset[str], frozenset[str]]] = {}


def _fits_signature(signature: inspect.Signature, count: int, names: Collection[str]) -> bool:
    """Whether arguments fit the signature of a layer's `call`; a keyword argument `training` always does.

    Args:
        signature: signature of the layer's `call`.
        count: number of positional arguments.
        names: names of the keyword arguments.
    """
    if id(signature) not in _POSITIONS:
        if len(_POSITIONS) >= MAX_SIGNATURES:
            _POSITIONS.clear()
        parameters = signature.parameters.values()
        positions = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
        others = frozenset(each.name for each in parameters if each.kind is each.KEYWORD_ONLY)
        needed = frozenset(each.name for each in parameters if each.default is each.empty) & {*positions, *others}
        if any(each.kind is each.POSITIONAL_ONLY for each in parameters):
            positions, others, needed = [], frozenset(), frozenset()
        _POSITIONS[id(signature)] = signature, positions, others, needed
    _, positions, others, needed = _POSITIONS[id(signature)]
    by_position, left = positions[:count], {*positions[count:], *others}
    return (
        count <= len(positions)
        and "training" not in by_position
        and all(name in left or name == "training" for name in names)
        and all(name in names for name in needed & left)
    )
