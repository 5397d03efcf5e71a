"""A stand-in for a trained model in the greedy-decoding task of 07-training.

The text of this module is executed in two kernels. What decides is in one beside the student's (`Probe.offer`): the tables, and
the count of rows that were asked about. In the student's (`Probe.define`) is what is called like a Keras model.
The logits at a position follow from a state, which follows from the whole source row and
from every target id up to that position, through random tables: another prefix, another path.
"""

import numpy as np


def start_states(source_ids, state_count):
    """Return the state of each row before any target id: (batch,)."""
    source_ids = np.asarray(source_ids).astype("int64")
    return (source_ids * np.arange(1, source_ids.shape[1] + 1)).sum(axis=1) % state_count


def teller(transitions, logits):
    """Return a function (source_ids, target_ids, training) -> logits (batch, target_len, vocab_size), arrays.

    Called without ids it returns the number of rows asked about so far. In training a model drops, and says something else.

    Args:
        transitions: (states, vocab_size), the state after an id.
        logits: (states, vocab_size), what is said of the next id in each state.
    """
    table = logits.astype("float32")
    asked = [0]

    def tell(source_ids=None, target_ids=None, training=False):
        if source_ids is None:
            return asked[0]
        source_ids, target_ids = (np.asarray(ids).astype("int64") for ids in (source_ids, target_ids))
        asked[0] += len(target_ids)
        states = start_states(source_ids, len(table))
        made = np.zeros((*target_ids.shape, table.shape[1]), dtype="float32")
        for position in range(target_ids.shape[1]):
            states = transitions[states, target_ids[:, position]]
            made[:, position] = table[states]
        return made[..., ::-1] if training else made

    return tell


def chain(tell, vocab_size):
    """Return the model, given the proxy of a `teller`."""
    return Chain(tell, vocab_size)


def keras_chain(tell, vocab_size):
    """Return the model as a `keras.Model`, given the proxy of a `teller`."""
    import keras

    chain = Chain(tell, vocab_size)

    class KerasChain(keras.Model):
        def call(self, inputs, training=None):
            return chain(inputs, training)

    model = KerasChain()
    model.run_eagerly = True  # `predict` would compile what can't be
    return model


class Chain:
    """Called like a Keras model, with `[source_ids, target_ids]`."""

    def __init__(self, tell, vocab_size):
        self.tell = tell
        self.vocab_size = vocab_size

    def __call__(self, inputs, training=None, mask=None):
        """Return the logits (batch, target_len, vocab_size) as a tensor."""
        import keras

        source_ids, target_ids = inputs
        if keras.backend.backend() == "tensorflow":
            import tensorflow as tf  # within a `tf.function` too

            source_ids, target_ids = (tf.cast(tf.convert_to_tensor(ids), tf.int64) for ids in (source_ids, target_ids))
            made = tf.numpy_function(lambda *ids: self._say(ids, training), [source_ids, target_ids], tf.float32)
            made.set_shape((*target_ids.shape, self.vocab_size))
            return made
        return keras.ops.convert_to_tensor(self._say([_as_numpy(source_ids), _as_numpy(target_ids)], training))

    def _say(self, inputs, training):
        source_ids, target_ids = (_as_numpy(ids).astype("int64") for ids in inputs)
        return np.asarray(self.tell(source_ids, target_ids, bool(training)))

    def predict(self, inputs, *args, **kwargs):
        """Return the logits (batch, target_len, vocab_size) as an array."""
        return self._say(inputs, False)

    predict_on_batch = predict


def _as_numpy(ids):
    if isinstance(ids, np.ndarray):
        return ids
    import keras  # in the student's kernel only: the grader calls this with arrays

    return np.asarray(keras.ops.convert_to_numpy(ids))
