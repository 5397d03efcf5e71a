"""TensorFlow's part of `quick_keras` for trainings: a step of `fit` is traced once, its graph is two fifths as large, its products are quick.

- Keras makes the variables of an optimizer, and those of metrics, while it traces the first step. TensorFlow then traces the step once
  more, and the initial values stay in the graph as conditions. They are zeros: where the step and the optimizer are Keras's and all
  layers are built, the variables are made before, and one tracing does.
- More than half of what is traced is Adam, whose step Keras writes down anew for each weight: 37 operations a weight. TensorFlow has
  one operation for it, with the same formula.
- TensorFlow multiplies (batch, length, features) by (features, units) row of the batch by row, and adds up the gradients of all rows
  in the end. The same product of all positions at once is one matrix product, and several times as fast.
- The end of an epoch ends the thread that tunes the input's buffers. On a busy machine TensorFlow waits for it, up to half a second
  each time. Arrays in memory need no tuning.

What a training computes is the same but for the order in which floats are added up.
"""

import functools
from collections.abc import Callable

# what Keras's `Adam.update_step` names, in the order in which it does
ADAM_NAMES = (
    "ops cast dtype iterations power beta_1 beta_2 _momentums _get_variable_index _velocities sqrt assign_add multiply subtract square "
    "amsgrad _velocity_hats assign maximum assign_sub divide add epsilon"
)


def install(is_on: Callable[[], bool]) -> None:
    """Put itself before Keras's trainer and Adam.

    Args:
        is_on: tells whether the quick way is to be taken now.

    Raises:
        ImportError, AttributeError: this isn't the Keras or TensorFlow that is known here.
    """
    _make_variables_before(is_on)
    _quicken_adam(is_on)
    _multiply_at_once(is_on)
    _leave_input_untuned(is_on)


def _make_variables_before(is_on):
    import tensorflow as tf
    from keras.src import tree
    from keras.src.backend.tensorflow.trainer import TensorFlowTrainer
    from keras.src.models import Functional, Sequential

    train_step, make_train_function = TensorFlowTrainer.train_step, TensorFlowTrainer.make_train_function

    def has_all_variables(model):
        """Whether no layer is left that makes its variables in the first step; a model of a class of its own may say that it is built."""
        return isinstance(model, (Functional, Sequential)) and all(layer.built for layer in model._flatten_layers())

    def build_metrics(model):
        """Build the metrics of a model with one output, unless their kind depends on the labels, as that of `"accuracy"` does."""
        metrics = model._compile_metrics
        if metrics is None or metrics.built or type(model) not in (Functional, Sequential) or len(model.outputs) != 1:
            return
        wanted = tree.flatten((metrics._user_metrics, metrics._user_weighted_metrics))
        if not any(isinstance(metric, str) for metric in wanted):
            metrics.build(model.outputs[0], model.outputs[0])

    @functools.wraps(make_train_function)
    def with_all_variables(self, force=False):
        optimizer = self.optimizer
        is_keras_own = type(self).train_step is train_step and type(optimizer).__module__.startswith("keras.src.")
        if is_on() and tf.executing_eagerly() and is_keras_own and has_all_variables(self):
            if not optimizer.built:
                optimizer.build(self.trainable_variables)
            build_metrics(self)
        return make_train_function(self, force)

    TensorFlowTrainer.make_train_function = with_all_variables


def _quicken_adam(is_on):
    import tensorflow as tf
    from keras.src import backend, ops
    from keras.src.backend.tensorflow.optimizer import TFOptimizer
    from keras.src.optimizers import Adam

    update_step, update_all = Adam.update_step, TFOptimizer._backend_update_step
    float32 = tf.float32
    if " ".join(update_step.__code__.co_names) != ADAM_NAMES:  # another Keras, in which a step may be another one
        return

    def is_plain(optimizer):
        is_keras_own = (
            type(optimizer).__module__.startswith("keras.src.") and type(optimizer).update_step is update_step
        )
        return is_keras_own and not optimizer.amsgrad and not tf.distribute.has_strategy()

    @functools.wraps(update_all)
    def quick_update(self, grads, trainable_variables, learning_rate):
        if tf.executing_eagerly() or not is_on() or not is_plain(self):
            return update_all(self, grads, trainable_variables, learning_rate)
        dense, rest = [], []
        for gradient, variable in zip(grads, trainable_variables, strict=True):
            is_plain_pair = isinstance(gradient, tf.Tensor) and isinstance(variable, backend.Variable)
            is_dense = is_plain_pair and gradient.dtype == variable.value.dtype == float32
            (dense if is_dense else rest).append((gradient, variable))
        if not dense:
            return update_all(self, grads, trainable_variables, learning_rate)
        if rest:  # such as the rows of an embedding
            update_all(self, *map(list, zip(*rest, strict=True)), learning_rate)
        step = ops.cast(self.iterations + 1, "float32")
        settings = {
            "beta1_power": ops.power(ops.cast(self.beta_1, "float32"), step),
            "beta2_power": ops.power(ops.cast(self.beta_2, "float32"), step),
            "lr": ops.cast(learning_rate, "float32"),
            "beta1": tf.constant(self.beta_1, float32),
            "beta2": tf.constant(self.beta_2, float32),
            "epsilon": tf.constant(self.epsilon, float32),
        }
        for gradient, variable in dense:
            index = self._get_variable_index(variable)
            m, v = self._momentums[index].value.handle, self._velocities[index].value.handle
            tf.raw_ops.ResourceApplyAdam(var=variable.value.handle, m=m, v=v, grad=gradient, **settings)
        return None

    TFOptimizer._backend_update_step = quick_update


def _multiply_at_once(is_on):
    import tensorflow as tf
    from tensorflow.python.ops import gen_math_ops as maths

    by_row = maths.batch_mat_mul_v2

    @functools.wraps(by_row)
    def at_once(x, y, adj_x=False, adj_y=False, *args, **kwargs):
        if tf.executing_eagerly() or not is_on() or adj_x or adj_y or not (is_tensor(x) and is_tensor(y)):
            return by_row(x, y, adj_x, adj_y, *args, **kwargs)
        *positions, features = x.shape if x.shape.rank else (None,)
        is_matrix = y.shape.rank == 2 and y.shape.is_fully_defined() and features == y.shape[0]
        if not is_matrix or len(positions) < 2 or positions.count(None) > 1 or 0 in (*positions, *y.shape):
            return by_row(x, y, adj_x, adj_y, *args, **kwargs)
        products = maths.mat_mul(tf.reshape(x, (-1, features)), y)
        return tf.reshape(products, [-1 if size is None else size for size in (*positions, y.shape[1])])

    def is_tensor(operand):
        return isinstance(operand, tf.Tensor) and operand.dtype == tf.float32

    maths.batch_mat_mul_v2 = at_once


def _leave_input_untuned(is_on):
    import tensorflow as tf
    from keras.src.backend.tensorflow.trainer import TFEpochIterator

    get_iterator = TFEpochIterator._get_iterator

    @functools.wraps(get_iterator)
    def untuned(self):
        dataset = get_iterator(self)
        if not is_on() or not isinstance(dataset, tf.data.Dataset):
            return dataset
        options = tf.data.Options()
        options.autotune.enabled = False
        return dataset.with_options(options)

    TFEpochIterator._get_iterator = untuned
