# %% [markdown]
# a helper for the length check, the learned layer as a subclass, dropout-free sublayers, add as a layer


# %% task="positional-layer"
def checked_length(layer, inputs):
    seq_len = inputs.shape[1]
    if seq_len is not None and seq_len > layer.max_len:
        raise ValueError(f"seq_len is {seq_len}, the table has {layer.max_len} rows")
    return seq_len

class PositionalEncoding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        self.max_len = max_len
        self.dim = dim
        super().__init__(**kwargs)
        self.add = keras.layers.Add()

    def rows(self, inputs):
        return ops.convert_to_tensor(positional_encoding(self.max_len, self.dim)[: checked_length(self, inputs)], dtype="float32")

    def call(self, inputs, training=None):
        return self.add([inputs, ops.broadcast_to(self.rows(inputs), ops.shape(inputs))])

    def get_config(self):
        return dict(super().get_config(), max_len=self.max_len, dim=self.dim)


# %% task="learned-layer"
class LearnedPositionalEmbedding(PositionalEncoding):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(max_len, dim, **kwargs)
        self.learned = keras.layers.Embedding(max_len, dim, name="learned")

    def rows(self, inputs):
        return self.learned(np.arange(checked_length(self, inputs)))
