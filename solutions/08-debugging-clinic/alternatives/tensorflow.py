# %% [markdown] backends="tensorflow"
# in tf.*


# %% task="fix-inverted-mask"
import tensorflow as tf


def causal_self_attention(layer, x):
    x = tf.cast(x, tf.float32)
    n = tf.shape(x)[1]
    return layer(x, x, attention_mask=tf.linalg.band_part(tf.ones((1, n, n), dtype=tf.bool), -1, 0))


# %% task="fix-dropped-feed-forward"
import tensorflow as tf


def connect_block(x, attend, feed_forward, norm_1, norm_2):
    x = tf.cast(x, tf.float32)
    h = x + tf.cast(attend(norm_1(x)), tf.float32)
    return h + tf.cast(feed_forward(norm_2(h)), tf.float32)


# %% task="detect-dropped-feed-forward"
import tensorflow as tf


def detect_dropped_feed_forward(block):
    x = tf.random.stateless_normal((3, 6, 8), seed=(1, 2))
    answers = tf.random.stateless_normal((2, 3, 6, 8), seed=(3, 4))
    first, second = (tf.cast(block(x.numpy(), lambda h, a=a: a), tf.float32) for a in tf.unstack(answers))
    return tf.reduce_min(tf.reduce_max(tf.abs(first - second), axis=-1)) < 1e-5


# %% task="fix-head-scaling"
import tensorflow as tf


def head_weights(query, key, num_heads):
    q = tf.stack(tf.split(tf.cast(query, tf.float32), num_heads, axis=-1), axis=1)
    k = tf.stack(tf.split(tf.cast(key, tf.float32), num_heads, axis=-1), axis=1)
    return tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / tf.sqrt(tf.cast(tf.shape(k)[-1], tf.float32)))


# %% task="fix-shifted-target"
import tensorflow as tf


def make_pairs(target_ids):
    ids = tf.convert_to_tensor(target_ids)
    return ids[:, :-1], tf.roll(ids, shift=-1, axis=1)[:, :-1]


# %% task="detect-shifted-target"
import tensorflow as tf


def detect_shifted_target(make):
    ids = tf.reshape(tf.range(4, 44), (4, 10)).numpy()
    ids[:, 0] = 1
    ids[1, 6:] = ids[2, 4:] = 0
    read, asked = make(ids)
    wrong = tf.logical_or(tf.not_equal(read, ids[:, :-1]), tf.not_equal(asked, ids[:, 1:]))
    return tf.reduce_any(wrong)
