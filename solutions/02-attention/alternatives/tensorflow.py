# %% [markdown] backends="tensorflow"
# tf.* as in tutorials: transpose_b, the width from tf.shape cast to float32, the mask added


# %% task="softmax"
import tensorflow as tf

def softmax(x, axis=-1):
    return tf.nn.softmax(x, axis=axis)


# %% task="attention-scores"
import tensorflow as tf

def attention_scores(query, key):
    matmul_qk = tf.matmul(query, key, transpose_b=True)
    dk = tf.cast(tf.shape(key)[-1], tf.float32)
    return matmul_qk / tf.math.sqrt(dk)


# %% task="scaled-dot-product"
import tensorflow as tf

def scaled_dot_product_attention(q, k, v, mask=None):
    matmul_qk = tf.matmul(q, k, transpose_b=True)
    dk = tf.cast(tf.shape(k)[-1], tf.float32)
    scaled_attention_logits = matmul_qk / tf.math.sqrt(dk)
    if mask is not None:
        scaled_attention_logits += (mask * -1e9)
    attention_weights = tf.nn.softmax(scaled_attention_logits, axis=-1)
    output = tf.matmul(attention_weights, v)
    return output, attention_weights


# %% task="projections"
import tensorflow as tf

def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    query = tf.tensordot(x_query, w_query, axes=1)
    key = tf.tensordot(x_key, w_key, axes=1)
    value = tf.tensordot(x_value, w_value, axes=1)
    return scaled_dot_product_attention(query, key, value)


# %% task="score-scale"
import tensorflow as tf

def score_std(key_dim, scaled):
    if scaled:
        return tf.constant(1.0)
    return tf.math.sqrt(tf.cast(key_dim, tf.float32))


# %% task="additive"
import tensorflow as tf

def additive_attention(query, key, value, w_query, w_key, v):
    q = tf.expand_dims(tf.tensordot(query, w_query, axes=1), -2)
    k = tf.expand_dims(tf.tensordot(key, w_key, axes=1), -3)
    score = tf.reduce_sum(v * tf.nn.tanh(q + k), axis=-1)
    attention_weights = tf.nn.softmax(score, axis=-1)
    context = tf.matmul(attention_weights, value)
    return context, attention_weights
