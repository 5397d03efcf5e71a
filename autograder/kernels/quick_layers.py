"""Keras's own plain layers where `quick_keras` is on: called inside another layer, they go straight to their `call`.

`Layer.__call__` prepares for every case: inputs of other kinds, masks, a layer that isn't built, compiled functions. For a dense
layer of this size that costs more than the layer. Where nothing of it applies, because a built layer gets one eager float32
tensor without a mask, it is left out. Whatever else comes, and whatever raises, goes through `Layer.__call__`, so errors are Keras's.
"""

from collections.abc import Callable
from typing import Any

DECLINED = object()


def plain_call() -> Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]:
    """Return what calls a layer: (layer, positional arguments, keyword arguments) -> its outputs, or `DECLINED`.

    Raises:
        ImportError, AttributeError: this isn't the Keras or TensorFlow that is known here.
    """
    import tensorflow as tf
    from keras.src import layers
    from keras.src.backend.common.global_state import get_global_attribute
    from keras.src.backend.common.masking import get_keras_mask
    from keras.src.dtype_policies.dtype_policy import DTypePolicy

    eager, float32, is_eager = tf.__internal__.EagerTensor, tf.float32, tf.executing_eagerly
    dropout = layers.Dropout
    plain = frozenset([dropout, layers.Dense, layers.EinsumDense, layers.LayerNormalization])
    scopes = ("stateless_scope", "autocast_scope", "distribution")
    _ = layers.Layer._assert_input_compatibility, layers.Layer._clear_losses  # what else is relied on

    def is_plain(layer, inputs):
        policy = layer._dtype_policy
        return (
            type(inputs) is eager
            and inputs.dtype is float32
            and layer.built
            and type(policy) is DTypePolicy
            and policy._compute_dtype == policy._variable_dtype == "float32"
            and layer.autocast
            and layer.activity_regularizer is None
            and not layer._remat_mode
            and layer._call_context_args == {"training"}
            and not any(get_global_attribute(scope) is not None for scope in scopes)
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
