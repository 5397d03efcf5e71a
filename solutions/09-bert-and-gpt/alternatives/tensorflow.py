# %% [markdown] backends="tensorflow"
# tf.* on the TensorFlow backend


# %% task="mask-tokens"
import tensorflow as tf

def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    ids = tf.cast(token_ids, tf.int64)
    selected = tf.constant(rng.random(token_ids.shape)) < rate
    selected &= ids != 0
    kind = tf.constant(rng.choice(3, size=token_ids.shape, p=[0.8, 0.1, 0.1]))
    noise = tf.constant(rng.integers(1, vocab_size, size=token_ids.shape))
    inputs = tf.where(selected & (kind == 0), tf.constant(mask_id, tf.int64), ids)
    inputs = tf.where(selected & (kind == 1), noise, inputs)
    return inputs, tf.where(selected, ids, 0), selected


# %% task="pooling"
import tensorflow as tf

def masked_mean_pooling(x, token_ids, pad_id=0):
    x = tf.convert_to_tensor(x)
    kept = tf.cast(tf.not_equal(token_ids, pad_id), x.dtype)
    return tf.math.divide_no_nan(tf.reduce_sum(x * kept[..., None], 1), tf.reduce_sum(kept, 1, keepdims=True))


# %% task="sampling"
import tensorflow as tf

def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    logits = tf.convert_to_tensor(logits)
    if temperature == 0.0:
        return tf.argmax(logits, axis=-1)
    logits = logits / temperature
    size = logits.shape[-1]
    values, order = tf.math.top_k(logits, k=top_k or size)
    p = tf.nn.softmax(values)
    if top_p is not None and top_p < 1.0:
        p = tf.where(tf.cumsum(p, axis=-1, exclusive=True) < top_p, p, tf.zeros_like(p))
        p /= tf.reduce_sum(p, -1, keepdims=True)
    u = tf.constant(rng.random((logits.shape[0], 1)), p.dtype)
    place = tf.reduce_sum(tf.cast(tf.cumsum(p, axis=-1) <= u, tf.int32), -1)
    place = tf.minimum(place, tf.reduce_sum(tf.cast(p > 0, tf.int32), -1) - 1)
    return tf.gather(order, place, batch_dims=1)


# %% task="kv-cache"
import tensorflow as tf

def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    x = tf.convert_to_tensor(x)
    split = lambda w: tf.transpose(tf.reshape(x @ w, (x.shape[0], 1, num_heads, -1)), (0, 2, 1, 3))
    q, k, v = map(split, (w_query, w_key, w_value))
    if cache is not None:
        k, v = (tf.concat([tf.cast(old, new.dtype), new], 2) for old, new in zip(cache, (k, v)))
    a = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / tf.cast(q.shape[-1], q.dtype) ** 0.5)
    y = tf.reshape(tf.transpose(a @ v, (0, 2, 1, 3)), x.shape)
    return y @ w_output, (k, v)
