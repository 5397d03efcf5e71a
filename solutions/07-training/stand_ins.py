"""A stand-in for a trained model in the greedy-decoding task of 07-training.

The text of this module is executed in the student's kernel (`Probe.define`): it imports NumPy and the installed Keras and
holds no answer, only tables. The logits at a position follow from a state, which follows from the whole source row and
from every target id up to that position, through random tables: another prefix, another path.
"""

import numpy as np


def start_states(source_ids, state_count):
    """Return the state of each row before any target id: (batch,)."""
    source_ids = np.asarray(source_ids).astype("int64")
    return (source_ids * np.arange(1, source_ids.shape[1] + 1)).sum(axis=1) % state_count


def chain(transitions, logits):
    """Return the model.

    Args:
        transitions: (states, vocab_size), the state after an id.
        logits: (states, vocab_size), what is said of the next id in each state.
    """
    return Chain(transitions, logits)


class Chain:
    """Called like a Keras model, with `[source_ids, target_ids]`."""

    def __init__(self, transitions, logits):
        self.transitions = transitions
        self.table = logits.astype("float32")
        self.asked = 0

    def __call__(self, inputs=None, training=None, mask=None):
        """Return the logits (batch, target_len, vocab_size) as a tensor, or without inputs the number of rows asked so far."""
        if inputs is None:
            return self.asked
        import keras

        source_ids, target_ids = inputs
        if keras.backend.backend() == "tensorflow":
            import tensorflow as tf  # within a `tf.function` too

            source_ids, target_ids = (tf.cast(tf.convert_to_tensor(ids), tf.int64) for ids in (source_ids, target_ids))
            made = tf.numpy_function(lambda *ids: self._say(ids, training), [source_ids, target_ids], tf.float32)
            made.set_shape((*target_ids.shape, self.table.shape[1]))
            return made
        return keras.ops.convert_to_tensor(self._say([_as_numpy(source_ids), _as_numpy(target_ids)], training))

    def _say(self, inputs, training):
        """Return the logits; in training a model drops, and says something else."""
        made = self.predict(inputs)
        return made[..., ::-1] if training else made

    def predict(self, inputs, *args, **kwargs):
        """Return the logits (batch, target_len, vocab_size) as an array."""
        source_ids, target_ids = (_as_numpy(ids).astype("int64") for ids in inputs)
        self.asked += len(target_ids)
        states = start_states(source_ids, len(self.table))
        made = np.zeros((*target_ids.shape, self.table.shape[1]), dtype="float32")
        for position in range(target_ids.shape[1]):
            states = self.transitions[states, target_ids[:, position]]
            made[:, position] = self.table[states]
        return made

    predict_on_batch = predict


def _as_numpy(ids):
    if isinstance(ids, np.ndarray):
        return ids
    import keras  # in the student's kernel only: the grader calls this with arrays

    return np.asarray(keras.ops.convert_to_numpy(ids))
