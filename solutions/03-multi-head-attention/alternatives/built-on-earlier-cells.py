# %% [markdown]
# the function uses the earlier cells and the carried-over attention, the layer uses the function


# %% task="multi-head"
def multi_head_attention(query, key, value, num_heads, mask=None):
    query, key, value = split_heads(query, num_heads), split_heads(key, num_heads), split_heads(value, num_heads)
    output, weights = scaled_dot_product_attention(query, key, value, mask)
    return merge_heads(output), weights


# %% task="multi-head-layer"
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
        self.d_model, self.num_heads = d_model, num_heads
        for name in ("query", "key", "value", "output"):
            setattr(self, f"{name}_dense", keras.layers.Dense(d_model))

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        query, key, value = self.query_dense(query), self.key_dense(key), self.value_dense(value)
        output, weights = multi_head_attention(query, key, value, self.num_heads, mask)
        output = self.output_dense(output)
        if return_attention_scores:
            return output, weights
        return output

    def get_config(self):
        config = super().get_config()
        config["d_model"] = self.d_model
        config["num_heads"] = self.num_heads
        return config


# %% task="keras-parity"
def copy_weights_to_keras(layer, keras_layer):
    pairs = zip(layer.get_weights(), keras_layer.get_weights())
    keras_layer.set_weights([mine.reshape(theirs.shape) for mine, theirs in pairs])
