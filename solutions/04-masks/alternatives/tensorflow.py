# %% [markdown] backends="tensorflow"
# tf.* throughout, as in the best-known tutorial: band_part, tf.maximum, a softmax times what is kept


# %% task="padding-mask"
import tensorflow as tf

def create_padding_mask(token_ids, pad_id=0):
    seq = tf.cast(tf.math.equal(token_ids, pad_id), tf.float32)
    return seq[:, tf.newaxis, tf.newaxis, :]


# %% task="look-ahead-mask"
import tensorflow as tf

def create_look_ahead_mask(size):
    mask = 1 - tf.linalg.band_part(tf.ones((size, size)), -1, 0)
    return mask


# %% task="decoder-mask"
import tensorflow as tf

def create_decoder_mask(token_ids, pad_id=0):
    look_ahead_mask = create_look_ahead_mask(tf.shape(token_ids)[1])
    dec_target_padding_mask = create_padding_mask(token_ids, pad_id)
    return tf.maximum(dec_target_padding_mask, look_ahead_mask)


# %% task="masked-softmax"
import tensorflow as tf

def masked_softmax(scores, mask):
    scores = tf.convert_to_tensor(scores)
    mask = tf.cast(mask, scores.dtype)
    weights = tf.nn.softmax(tf.where(mask == 1, scores.dtype.min, scores), axis=-1)
    return weights * (1 - mask)


# %% task="keras-mask"
import tensorflow as tf

def to_keras_attention_mask(mask):
    mask = tf.logical_not(tf.cast(mask, tf.bool))
    if mask.shape.rank == 4:
        return tf.squeeze(mask, axis=[1])
    return mask[tf.newaxis, ...]


# %% task="leak-test"
import tensorflow as tf

def leaks_future(attend, seq_len, dim):
    x = tf.random.normal((1, seq_len, dim))
    y = tf.cast(attend(x), tf.float32)
    for t in range(1, seq_len):
        x_changed = tf.concat([x[:, :t], tf.random.normal((1, seq_len - t, dim))], axis=1)
        y_changed = tf.cast(attend(x_changed), tf.float32)
        if tf.reduce_max(tf.abs(y_changed[:, :t] - y[:, :t])) > 1e-5:
            return True
    return False
