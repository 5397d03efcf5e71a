"""Runs in the student's kernel: one step of training of a layer."""


def step_of(layer):
    """Return a function that trains a layer one step.

    Args:
        layer: built; takes a query, a key and a value.

    Returns:
        A function of query, key, value and the output that is aimed at. It changes the layer's weights.
    """
    import keras

    class Model(keras.Model):
        def __init__(self):
            super().__init__()
            self.layer = layer

        def call(self, inputs):
            output = self.layer(*inputs)
            return output[0] if isinstance(output, (tuple, list)) else output

    model = Model()
    model.compile(keras.optimizers.SGD(0.1), "mean_squared_error", run_eagerly=True, jit_compile=False)
    return lambda query, key, value, target: model.train_on_batch((query, key, value), target)
