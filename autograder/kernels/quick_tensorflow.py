"""TensorFlow's part of `quick_keras`: the operations that models of this size spend most of their time in, without detours.

Keras prepares every operand for every kind of tensor, and TensorFlow's Python wrappers do it again: a product of two small
matrices takes a millisecond, of which the product itself is a twentieth. Where all operands are eager float32 tensors, or weights
that hold such, and no gradient is recorded, the operation that Keras would arrive at is called at once. In every other case, and
whenever that fails, Keras's own function is called, so errors are Keras's too. Random numbers are the same ones, too.

A variable's name is left out of its handle, in the cells of a notebook as well: TensorFlow looks for an operation's kernel by all
of its attributes, so with a new name each variable costs a new kernel, which is four fifths of what making it costs.
"""

import functools
import inspect
from collections.abc import Callable

import numpy as np

from autograder.kernels.quick_layers import DECLINED

MAX_CONSTANTS = 1000


def install(is_on: Callable[[], bool]) -> None:
    """Put the quick operations before Keras's.

    Args:
        is_on: tells whether the quick operations are to be used now.

    Raises:
        ImportError, AttributeError: this isn't the Keras or TensorFlow that is known here.
    """
    import tensorflow as tf
    from keras.src import backend
    from keras.src.backend.common.global_state import get_global_attribute
    from keras.src.backend.tensorflow import core, nn, numpy, random
    from keras.src.ops import nn as ops_nn
    from keras.src.random.seed_generator import SeedGenerator
    from tensorflow.python.eager import record
    from tensorflow.python.framework import tensor_util
    from tensorflow.python.ops import (
        gen_array_ops,
        gen_linalg_ops,
        gen_math_ops,
        gen_nn_ops,
        random_ops_util,
        resource_variable_ops,
    )
    from tensorflow.python.ops import gen_resource_variable_ops as variables
    from tensorflow.python.ops import gen_stateless_random_ops_v2 as stateless

    eager, variable = tf.__internal__.EagerTensor, core.Variable
    float32, int32, int64, bool_ = tf.float32, tf.int32, tf.int64, tf.bool
    kinds, resource = (backend.Variable, variable), resource_variable_ops.ResourceVariable
    records, is_eager, large_negative = record.could_possibly_record, tf.executing_eagerly, nn._get_large_negative
    random_algorithm = random_ops_util.convert_alg_to_int("auto_select")
    constants: dict[object, object] = {}
    _without_handle_names(variables, is_eager)
    _with_quick_type_check(tensor_util)

    def constant(value, dtype):
        """Return the eager tensor of a number or of a tuple of some, made once."""
        key = value, dtype
        if key not in constants:
            if len(constants) >= MAX_CONSTANTS:
                constants.clear()
            constants[key] = tf.constant(value, dtype)
        return constants[key]

    def operand(value):
        """Return an eager float32 tensor, None where this isn't one nor holds one."""
        kind = type(value)
        if issubclass(kind, variable) and value._dtype == "float32" and value._value is not None:
            return variables.read_variable_op(value._value.handle, float32)
        return value if kind is eager and value.dtype is float32 else None

    def holds(value, dtype):
        """Whether this is a weight with a variable of such numbers in it."""
        return type(value) in kinds and value._dtype == dtype and type(value._value) is resource

    def replace(module, quick):
        original = getattr(module, quick.__name__)

        @functools.wraps(original)
        def function(*args, **kwargs):
            if is_on() and is_eager() and not records():
                plain = (
                    get_global_attribute("stateless_scope") is None and get_global_attribute("autocast_scope") is None
                )
                try:
                    result = quick(*args, **kwargs) if plain else DECLINED
                except Exception:  # whatever is wrong, Keras says it
                    result = DECLINED
                if result is not DECLINED:
                    return result
            return original(*args, **kwargs)

        setattr(module, quick.__name__, function)

    def matmul(x1, x2):
        a, b = operand(x1), operand(x2)
        if a is None or b is None:
            return DECLINED
        rows, columns = a._shape_tuple(), b._shape_tuple()
        if len(rows) < 2 or len(columns) < 2 or rows[-1] != columns[-2]:
            return DECLINED
        if len(rows) == len(columns) == 2:
            return gen_math_ops.mat_mul(a, b)
        if len(columns) == 2:
            product = gen_math_ops.mat_mul(gen_array_ops.reshape(a, constant((-1, rows[-1]), int32)), b)
            return gen_array_ops.reshape(product, constant((*rows[:-1], columns[-1]), int32))
        return gen_math_ops.batch_mat_mul_v2(a, b) if rows[:-2] == columns[:-2] else DECLINED

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
            return DECLINED
        return gen_linalg_ops.einsum(inputs, subscripts)

    def binary(name, operation):
        def quick(x1, x2):
            a = x1 if type(x1) in (int, float) else operand(x1)
            b = x2 if type(x2) in (int, float) else operand(x2)
            if a is None or b is None or eager not in (type(a), type(b)):
                return DECLINED
            return operation(a, b)

        quick.__name__ = name
        return quick

    def _layer_normalization(x, gamma=None, beta=None, axis=-1, epsilon=None, rms_scaling=False):
        x = operand(x)
        if x is None or rms_scaling or epsilon is None:
            return DECLINED
        shape = x._shape_tuple()
        if (axis if isinstance(axis, int) else list(axis)) not in (-1, len(shape) - 1, [-1], [len(shape) - 1]):
            return DECLINED
        parts = [None if part is None else operand(part) for part in (gamma, beta)]
        for part, tensor in zip((gamma, beta), parts, strict=True):
            if part is not None and (tensor is None or tensor._shape_tuple() != shape[-1:]):
                return DECLINED
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
            return DECLINED
        queries, keys = query._shape_tuple(), key._shape_tuple()
        if (
            len(queries) != 4
            or queries[2] != keys[2]
            or not (mask is None or type(mask) is eager and mask.dtype is bool_)
        ):
            return DECLINED
        logits = gen_math_ops.mul(gen_linalg_ops.einsum([query, key], "BTNH,BSNH->BNTS"), scale)
        if is_causal:
            seen = tf.constant(np.tri(queries[1], keys[1], dtype=bool))
            mask = seen if mask is None else gen_math_ops.logical_and(mask, seen)
        if mask is not None:
            if any(
                size not in (1, of)
                for size, of in zip(mask._shape_tuple()[::-1], logits._shape_tuple()[::-1], strict=False)
            ):
                return DECLINED
            logits = gen_math_ops.select_v2(mask, logits, large_negative(logits.dtype))
        return gen_linalg_ops.einsum([gen_nn_ops.softmax(logits), value], "BNTS,BSNH->BTNH")

    def dropout(inputs, rate, noise_shape=None, seed=None):
        inputs = operand(inputs)
        if inputs is None or noise_shape is not None or type(rate) is not float or not 0 < rate < 1:
            return DECLINED
        if type(seed) is not SeedGenerator or not holds(seed.state, "int64"):
            return DECLINED
        seed = gen_math_ops.floor_mod(seed.next(), constant(tf.int32.max - 1, int64))
        key, counter = stateless.stateless_random_get_key_counter(gen_math_ops.cast(seed, int32))
        shape = constant(inputs._shape_tuple(), int32)
        numbers = stateless.stateless_random_uniform_v2(shape, key, counter, random_algorithm, dtype=float32)
        scaled = gen_math_ops.mul(inputs, constant(1 / (1 - rate), float32))
        is_kept = gen_math_ops.greater_equal(numbers, constant(rate, float32))
        return gen_math_ops.select_v2(is_kept, scaled, constant(0.0, float32))

    def take(x, indices, axis=None):
        x = operand(x)
        if x is None or axis != 0 or type(indices) is not eager or indices.dtype not in (int32, int64):
            return DECLINED
        if indices.numpy().min(initial=0) < 0:  # Keras counts these from the end
            return DECLINED
        return gen_array_ops.gather_v2(x, indices, constant(0, int32))

    def next(self, ordered=True):
        if not ordered or not holds(self.state, "int64"):
            return DECLINED
        handle = self.state._value.handle
        seed = variables.read_variable_op(handle, int64)
        variables.assign_variable_op(handle, gen_math_ops.add_v2(seed, constant((0, 1), int64)))
        return seed

    def assign(self, value):
        if type(value) is not np.ndarray or value.dtype != np.float32 or not holds(self, "float32"):
            return DECLINED
        if value.shape != self._shape:
            return DECLINED
        value = tf.constant(value)
        variables.assign_variable_op(self._value.handle, value)
        return value

    for module, quick in (
        (variable, assign),
        (SeedGenerator, next),
        (random, dropout),
        (numpy, matmul),
        (numpy, einsum),
        (numpy, take),
        (numpy, binary("add", gen_math_ops.add_v2)),
        (numpy, binary("subtract", gen_math_ops.sub)),
        (numpy, binary("multiply", gen_math_ops.mul)),
        (ops_nn, _layer_normalization),
        (nn, dot_product_attention),
    ):
        replace(module, quick)


def _without_handle_names(variables, is_eager):
    """Leave the names out of the handles of eager variables; a handle's name is told only when the variable is gone already."""
    with_name = variables.var_handle_op
    if "debug_name" not in inspect.signature(with_name).parameters:
        return

    @functools.wraps(with_name)
    def var_handle_op(dtype, shape, container="", shared_name="", debug_name="", allowed_devices=(), name=None):
        debug_name = "" if is_eager() else debug_name
        return with_name(dtype, shape, container, shared_name, debug_name, list(allowed_devices), name)

    variables.var_handle_op = var_handle_op


class _TensorLike(type):
    """What `typing` says of instances of `IsTensorLike`, a protocol of one method, in a hundredth of the time."""

    def __instancecheck__(cls, instance):
        return getattr(instance, "is_tensor_like", None) is not None


def _with_quick_type_check(tensor_util):
    """Let TensorFlow tell quickly that something is no tensor, in the cells of a notebook as well; it gives the same answer."""
    native, tensor, like = tensor_util.tf_type_classes
    if like is tensor_util.IsTensorLike:
        tensor_util.tf_type_classes = native, tensor, _TensorLike("IsTensorLike", (), {})
