"""Layers that compute in a narrow type.

The text of this module is executed in the student's kernel (`Probe.define`). Keras is imported by the function: the grader imports this module, in a
process without TensorFlow.
"""


def like(layer, policy):
    """Return a new layer of the same class under a dtype policy, whether its constructor takes one or not."""
    import keras

    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy(policy)
    try:
        return type(layer)()
    finally:
        keras.config.set_dtype_policy(before)
