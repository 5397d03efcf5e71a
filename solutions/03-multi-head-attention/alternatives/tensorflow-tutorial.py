# %% [markdown] backends="tensorflow"
# tf.* throughout, as the TensorFlow tutorial's subclass has it


# %% carry_over=true
import tensorflow as tf

def softmax(x, axis=-1):
    return tf.nn.softmax(x, axis=axis)

def attention_scores(q, k):
    matmul_qk = tf.matmul(q, k, transpose_b=True)
    dk = tf.cast(tf.shape(k)[-1], tf.float32)
    return matmul_qk / tf.math.sqrt(dk)

def scaled_dot_product_attention(q, k, v, mask=None):
    scaled_attention_logits = attention_scores(q, k)
    if mask is not None:
        scaled_attention_logits += (mask * -1e9)
    attention_weights = softmax(scaled_attention_logits, axis=-1)
    return tf.matmul(attention_weights, v), attention_weights


# %% task="split-heads"
def split_heads(x, num_heads):
    batch_size = tf.shape(x)[0]
    d_model = x.shape[-1]
    if d_model % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} does not divide d_model={d_model}")
    x = tf.reshape(x, (batch_size, -1, num_heads, d_model // num_heads))
    return tf.transpose(x, perm=[0, 2, 1, 3])


# %% task="merge-heads"
def merge_heads(x):
    x = tf.transpose(x, perm=[0, 2, 1, 3])
    return tf.reshape(x, (tf.shape(x)[0], -1, x.shape[2] * x.shape[3]))


# %% task="multi-head"
def multi_head_attention(query, key, value, num_heads, mask=None):
    q = split_heads(query, num_heads)
    k = split_heads(key, num_heads)
    v = split_heads(value, num_heads)
    scaled_attention, attention_weights = scaled_dot_product_attention(q, k, v, mask)
    scaled_attention = tf.transpose(scaled_attention, perm=[0, 2, 1, 3])
    concat_attention = tf.reshape(scaled_attention, (tf.shape(q)[0], -1, value.shape[-1]))
    return concat_attention, attention_weights


# %% task="multi-head-layer"
class MultiHeadAttention(tf.keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super(MultiHeadAttention, self).__init__(**kwargs)
        self.num_heads = num_heads
        self.d_model = d_model
        if self.d_model % self.num_heads != 0:
            raise ValueError("d_model=%d must be divisible by num_heads=%d" % (d_model, num_heads))
        self.depth = d_model // self.num_heads
        self.query_dense = tf.keras.layers.Dense(d_model)
        self.key_dense = tf.keras.layers.Dense(d_model)
        self.value_dense = tf.keras.layers.Dense(d_model)
        self.output_dense = tf.keras.layers.Dense(d_model)

    def split_heads(self, x, batch_size):
        x = tf.reshape(x, (batch_size, -1, self.num_heads, self.depth))
        return tf.transpose(x, perm=[0, 2, 1, 3])

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        batch_size = tf.shape(query)[0]
        q = self.split_heads(self.query_dense(query), batch_size)
        k = self.split_heads(self.key_dense(key), batch_size)
        v = self.split_heads(self.value_dense(value), batch_size)
        scaled_attention, attention_weights = scaled_dot_product_attention(q, k, v, mask)
        scaled_attention = tf.transpose(scaled_attention, perm=[0, 2, 1, 3])
        output = self.output_dense(tf.reshape(scaled_attention, (batch_size, -1, self.d_model)))
        if return_attention_scores:
            return output, attention_weights
        return output

    def get_config(self):
        config = super().get_config()
        config.update({"d_model": self.d_model, "num_heads": self.num_heads})
        return config


# %% task="keras-parity"
def copy_weights_to_keras(layer, keras_layer):
    for name in ("query_dense", "key_dense", "value_dense", "output_dense"):
        mine, theirs = getattr(layer, name), getattr(keras_layer, "_" + name)
        theirs.kernel.assign(tf.reshape(mine.kernel, theirs.kernel.shape))
        theirs.bias.assign(tf.reshape(mine.bias, theirs.bias.shape))
