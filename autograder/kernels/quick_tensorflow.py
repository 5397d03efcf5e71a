"""TensorFlow's part of `quick_keras`: the operations that models of this size spend most of their time in, without detours.

Keras prepares every operand for every kind of tensor, and TensorFlow's Python wrappers do it again: a product of two small
matrices takes a millisecond, of which the product itself is a twentieth. Where all operands are eager float32 tensors, or weights
that hold such, and no gradient is recorded, the operation that Keras would arrive at is called at once. In every other case, and
whenever that fails, Keras's own function is called, so errors are Keras's too.

A training's first step makes the optimizer's variables, so TensorFlow traces it twice, and the initial values stay in the graph as
conditions. They are zeros: where the step and the optimizer are Keras's, the variables are made before, and one tracing does.
"""

import functools
from collections.abc import Callable

import numpy as np

_DECLINED = object()


def install(is_answering: Callable[[], bool]) -> None:
    """Put the quick operations before Keras's.

    Args:
        is_answering: tells whether a question is being answered.

    Raises:
        ImportError, AttributeError: this isn't the Keras or TensorFlow that is known here.
    """
    import tensorflow as tf
    from keras.src.backend.common.global_state import get_global_attribute
    from keras.src.backend.tensorflow import core, nn, numpy, trainer
    from keras.src.ops import nn as ops_nn
    from tensorflow.python.eager import record
    from tensorflow.python.ops import gen_array_ops, gen_linalg_ops, gen_math_ops, gen_nn_ops
    from tensorflow.python.ops import gen_resource_variable_ops as variables

    eager, variable, float32, bool_ = tf.__internal__.EagerTensor, core.Variable, tf.float32, tf.bool
    records, is_eager, large_negative = record.could_possibly_record, tf.executing_eagerly, nn._get_large_negative

    def operand(value):
        """Return an eager float32 tensor, None where this isn't one nor holds one."""
        kind = type(value)
        if issubclass(kind, variable) and value._dtype == "float32" and value._value is not None:
            return variables.read_variable_op(value._value.handle, float32)
        return value if kind is eager and value.dtype is float32 else None

    def replace(module, quick):
        original = getattr(module, quick.__name__)

        @functools.wraps(original)
        def function(*args, **kwargs):
            if is_answering() and is_eager() and not records():
                plain = (
                    get_global_attribute("stateless_scope") is None and get_global_attribute("autocast_scope") is None
                )
                try:
                    result = quick(*args, **kwargs) if plain else _DECLINED
                except Exception:  # whatever is wrong, Keras says it
                    result = _DECLINED
                if result is not _DECLINED:
                    return result
            return original(*args, **kwargs)

        setattr(module, quick.__name__, function)

    def matmul(x1, x2):
        a, b = operand(x1), operand(x2)
        if a is None or b is None:
            return _DECLINED
        rows, columns = a._shape_tuple(), b._shape_tuple()
        if len(rows) < 2 or len(columns) < 2 or rows[-1] != columns[-2]:
            return _DECLINED
        if len(rows) == len(columns) == 2:
            return gen_math_ops.mat_mul(a, b)
        if len(columns) == 2:
            product = gen_math_ops.mat_mul(gen_array_ops.reshape(a, [-1, rows[-1]]), b)
            return gen_array_ops.reshape(product, [*rows[:-1], columns[-1]])
        return gen_math_ops.batch_mat_mul_v2(a, b) if rows[:-2] == columns[:-2] else _DECLINED

    def einsum(subscripts, *operands, **kwargs):
        inputs = [operand(each) for each in operands]
        letters = subscripts.replace("->", "").replace(",", "")
        if (
            kwargs
            or len(inputs) != 2
            or "->" not in subscripts
            or not letters.isalpha()
            or any(x is None for x in inputs)
        ):
            return _DECLINED
        return gen_linalg_ops.einsum(inputs, subscripts)

    def binary(name, operation):
        def quick(x1, x2):
            a = x1 if type(x1) in (int, float) else operand(x1)
            b = x2 if type(x2) in (int, float) else operand(x2)
            if a is None or b is None or eager not in (type(a), type(b)):
                return _DECLINED
            return operation(a, b)

        quick.__name__ = name
        return quick

    def _layer_normalization(x, gamma=None, beta=None, axis=-1, epsilon=None, rms_scaling=False):
        x = operand(x)
        if x is None or rms_scaling or epsilon is None:
            return _DECLINED
        shape = x._shape_tuple()
        if (axis if isinstance(axis, int) else list(axis)) not in (-1, len(shape) - 1, [-1], [len(shape) - 1]):
            return _DECLINED
        parts = [None if part is None else operand(part) for part in (gamma, beta)]
        for part, one in zip((gamma, beta), parts, strict=True):
            if part is not None and (one is None or one._shape_tuple() != shape[-1:]):
                return _DECLINED
        gamma, beta = parts
        mean = gen_math_ops.mean(x, -1, True)
        variance = gen_math_ops.mean(gen_math_ops.squared_difference(x, mean), -1, True)
        scale = gen_math_ops.rsqrt(gen_math_ops.add_v2(variance, epsilon))
        scale = scale if gamma is None else gen_math_ops.mul(scale, gamma)
        shift = gen_math_ops.mul(gen_math_ops.neg(mean), scale)
        shift = shift if beta is None else gen_math_ops.add_v2(shift, beta)
        return gen_math_ops.add_v2(gen_math_ops.mul(x, scale), shift)

    def dot_product_attention(
        query,
        key,
        value,
        bias=None,
        mask=None,
        scale=None,
        is_causal=False,
        flash_attention=None,
        attn_logits_soft_cap=None,
    ):
        query, key, value = operand(query), operand(key), operand(value)
        if query is None or key is None or value is None or scale is None or bias is not None or flash_attention:
            return _DECLINED
        queries, keys = query._shape_tuple(), key._shape_tuple()
        if (
            len(queries) != 4
            or queries[2] != keys[2]
            or not (mask is None or type(mask) is eager and mask.dtype is bool_)
        ):
            return _DECLINED
        logits = gen_math_ops.mul(gen_linalg_ops.einsum([query, key], "BTNH,BSNH->BNTS"), scale)
        if is_causal:
            seen = tf.constant(np.tri(queries[1], keys[1], dtype=bool))
            mask = seen if mask is None else gen_math_ops.logical_and(mask, seen)
        if mask is not None:
            if any(
                size not in (1, of)
                for size, of in zip(mask._shape_tuple()[::-1], logits._shape_tuple()[::-1], strict=False)
            ):
                return _DECLINED
            logits = gen_math_ops.select_v2(mask, logits, large_negative(logits.dtype))
        return gen_linalg_ops.einsum([gen_nn_ops.softmax(logits), value], "BNTS,BSNH->BTNH")

    for module, quick in (
        (numpy, matmul),
        (numpy, einsum),
        (numpy, binary("add", gen_math_ops.add_v2)),
        (numpy, binary("subtract", gen_math_ops.sub)),
        (numpy, binary("multiply", gen_math_ops.mul)),
        (ops_nn, _layer_normalization),
        (nn, dot_product_attention),
    ):
        replace(module, quick)

    fitted = trainer.TensorFlowTrainer
    train_step, make_train_function = fitted.train_step, fitted.make_train_function

    @functools.wraps(make_train_function)
    def with_an_optimizer(self, force=False):
        optimizer = self.optimizer
        is_kerass = type(self).train_step is train_step and type(optimizer).__module__.startswith("keras.src.")
        if is_answering() and is_eager() and is_kerass and self.built and not optimizer.built:
            optimizer.build(self.trainable_variables)
        return make_train_function(self, force)

    fitted.make_train_function = with_an_optimizer
