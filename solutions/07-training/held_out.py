"""What decodes held-out numbers with a student's trained model, and uses their schedule, in the kernel.

The text of this module is executed in the student's kernel (`Probe.define`). It is given sources, never targets.
Keras is imported by the functions: the grader imports this module for its constants, in a process without TensorFlow.
"""

import numpy as np

# what became of a decoding, beside the ids
FINE, OTHER_SHAPE, NOT_FINITE = 0, 1, 2
# what came of a training
MODEL, NOTHING, HISTORY, SOMETHING = 0, 1, 2, 3


def kind_of(thing):
    """Return a function that says what `thing` is."""
    import keras

    if thing is None:
        return lambda: NOTHING
    kinds = {MODEL: keras.Model, HISTORY: keras.callbacks.History}
    return lambda: next((kind for kind, made in kinds.items() if isinstance(thing, made)), SOMETHING)


def has_weights():
    """Return a function that says whether weights were handed in beside the notebook."""
    import pathlib

    there = pathlib.Path("training.weights.h5").exists()
    return lambda: there


def is_schedule(thing):
    """Return a function that says whether `thing` is a learning rate schedule of Keras."""
    import keras

    return lambda: isinstance(thing, keras.optimizers.schedules.LearningRateSchedule)


def has_own_config(schedule):
    """Return a function that says whether the class of a schedule defines `get_config` itself."""
    return lambda: any(
        "get_config" in vars(kind) for kind in type(schedule).__mro__ if not kind.__module__.startswith("keras.")
    )


def compiled(model):
    """Return a function that calls `model` with inputs that have no values yet, as `fit` does where it compiles; it returns True."""
    import keras

    def call(source, target):
        inputs = [keras.ops.convert_to_tensor(ids) for ids in (source, target)]
        if keras.backend.backend() == "tensorflow":
            import tensorflow

            tensorflow.function(lambda *ids: model(list(ids)), autograph=False).get_concrete_function(*inputs)
        elif keras.backend.backend() == "jax":
            import jax

            jax.eval_shape(lambda *ids: model(list(ids)), *inputs)
        return True

    return call


def updates(model):
    """Return a function that says how many updates the optimizer of `model` has made; -1 if that can't be found out."""
    made = getattr(getattr(model, "optimizer", None), "iterations", None)
    return lambda: -1 if made is None else int(made)


def rate_left(model):
    """Return a function that says which share of its highest learning rate the schedule of `model` has left; 1 without a schedule."""
    import keras

    def share():
        optimizer = getattr(model, "optimizer", None)
        schedule = getattr(optimizer, "_learning_rate", None)
        if not isinstance(schedule, keras.optimizers.schedules.LearningRateSchedule):
            return 1.0
        last = max(int(optimizer.iterations) - 1, 0)
        rates = [float(schedule(step)) for step in (*range(0, last, 10), last)]
        return rates[-1] / max(rates)

    return share


def size(model):
    """Return a function that says how many numbers the weights of `model` hold that a training changes."""
    return lambda: sum(int(np.prod(weight.shape)) for weight in model.trainable_weights)


def decoder(model, vocab_size, bos_id, eos_id):
    """Return a function that decodes greedily: sources (batch, source_len) and a length -> (problem, ids (batch, length)).

    The model always sees targets of the length that it was trained with, later ids being padding: it may not care.
    """
    import keras

    def decode(source_ids, length):
        batch = len(source_ids)
        ids = np.zeros((batch, length), dtype="int32")
        ids[:, 0] = bos_id
        ended = np.zeros(batch, dtype=bool)
        for position in range(length - 1):
            logits = model([source_ids, ids[:, : length - 1]], training=False)
            logits = np.asarray(keras.ops.convert_to_numpy(logits))
            if logits.shape != (batch, length - 1, vocab_size):
                return OTHER_SHAPE, np.array(logits.shape, dtype="int64")
            if not np.isfinite(logits[:, position].astype("float32")).all():
                return NOT_FINITE, ids
            best = logits[:, position].argmax(axis=-1)
            ids[:, position + 1] = np.where(ended, 0, best)
            ended |= best == eos_id
            if ended.all():
                break
        return FINE, ids

    return decode


def unmoved(model, seed):
    """Return a function (source_ids, said_ids) -> the share of the said ids that a model says with shuffled weights too.

    The weights are the model's, or, if what it says doesn't move with these, all that are alive: a model may hold another one
    where Keras doesn't look. They are put back.
    """
    import gc

    import keras

    def again(source_ids, said_ids, variables):
        rng = np.random.default_rng(seed)
        kept = [(variable, np.array(keras.ops.convert_to_numpy(variable))) for variable in variables]
        asked, label = said_ids[:, :-1], said_ids[:, 1:]
        try:
            for variable, value in kept:
                variable.assign(rng.permutation(value.ravel()).reshape(value.shape))
            logits = np.asarray(keras.ops.convert_to_numpy(model([source_ids, asked], training=False)))
            tokens = label != 0
            return float((logits.argmax(axis=-1) == label)[tokens].mean()) if tokens.any() else 0.0
        except Exception:  # noqa: BLE001  (shuffled weights may make no sense to it)
            return 0.0
        finally:
            for variable, value in kept:
                variable.assign(value)

    def measure(source_ids, said_ids):
        share = again(source_ids, said_ids, model.weights)
        if share > 0.9:
            alive = [thing for thing in gc.get_objects() if isinstance(thing, keras.Variable)]
            share = again(source_ids, said_ids, [v for v in alive if str(v.dtype).startswith(("float", "bfloat"))])
        return share

    return measure


def moves(schedule, compiled=True):
    """Return a function that tells how far a weight with gradient 1 moves in each of `count` updates of an optimizer."""
    import keras

    def move(count):
        one = np.ones((1, 1), dtype="float32")
        weight = keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
        model = keras.Sequential([keras.Input((1,)), weight])
        model.compile(keras.optimizers.SGD(schedule), lambda labels, outputs: outputs, run_eagerly=not compiled)
        places = [0.0]
        for _ in range(count):
            model.train_on_batch(one, one)
            places.append(keras.ops.convert_to_numpy(weight.kernel).item())
        return -np.diff(places)

    return move


def logarithms(schedule):
    """Return a function that gives the logarithms of the learning rates at some steps: small rates differ in them."""
    import keras

    return lambda steps: np.log([keras.ops.convert_to_numpy(schedule(step)).item() for step in steps])
