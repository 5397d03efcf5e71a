# %% [markdown]
# the layer inherits its attention from a base class and keeps the Dense sublayers under private names too


# %% task="multi-head-layer"
class _Attention(keras.layers.Layer):
    def attend(self, query, key, value, mask):
        logits = keras.ops.einsum("...qd,...kd->...qk", query, key) / keras.ops.sqrt(float(query.shape[-1]))
        if mask is not None:
            logits += -1e9 * mask
        weights = keras.activations.softmax(logits, axis=-1)
        return keras.ops.einsum("...qk,...kd->...qd", weights, value), weights


class MultiHeadAttention(_Attention):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.size, remainder = divmod(d_model, num_heads)
        if remainder:
            raise ValueError(f"`num_heads` must divide `d_model`. Received: d_model={d_model}, num_heads={num_heads}")
        self.config = {"d_model": d_model, "num_heads": num_heads}
        self.projections = [keras.layers.Dense(d_model, name=name) for name in ("query", "key", "value", "output")]
        self.query_dense, self.key_dense, self.value_dense, self.output_dense = self.projections

    def heads(self, x):
        return keras.ops.moveaxis(keras.ops.reshape(x, (*x.shape[:-1], -1, self.size)), -2, -3)

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        projected = [self.heads(dense(x)) for dense, x in zip(self.projections, (query, key, value))]
        attended, weights = self.attend(*projected, mask)
        merged = keras.ops.moveaxis(attended, -3, -2)
        output = self.output_dense(keras.ops.reshape(merged, (*merged.shape[:-2], self.config["d_model"])))
        if not return_attention_scores:
            return output
        return [output, weights]

    def get_config(self):
        return {**super().get_config(), **self.config}


# %% task="keras-parity"
def copy_weights_to_keras(layer, keras_layer):
    layers = {"query": layer.query_dense, "key": layer.key_dense, "value": layer.value_dense, "attention_output": layer.output_dense}
    for weight in keras_layer.weights:
        owner, kind = weight.path.split("/")[-2:]
        source = layers[owner].kernel if kind == "kernel" else layers[owner].bias
        weight.assign(np.reshape(keras.ops.convert_to_numpy(source), weight.shape))
    return True
