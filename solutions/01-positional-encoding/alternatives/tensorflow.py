# %% [markdown] backends="tensorflow"
# tf.* throughout, as older tutorials write it


# %% task="angle-rates"
import tensorflow as tf

def angle_rates(dim, base=10000.0):
    if dim <= 0 or dim % 2:
        raise ValueError(f"dim={dim} is not a positive even number")
    i = tf.range(dim // 2, dtype=tf.float32)
    return 1 / tf.pow(base, 2 * i / tf.cast(dim, tf.float32))


# %% task="sinusoidal-table"
import tensorflow as tf

def positional_encoding(max_len, dim, base=10000.0):
    pos = tf.cast(tf.range(max_len)[:, tf.newaxis], tf.float32)
    angle_rads = pos * tf.cast(angle_rates(dim, base), tf.float32)[tf.newaxis, :]
    sines, cosines = tf.math.sin(angle_rads), tf.math.cos(angle_rads)
    return tf.reshape(tf.concat([sines[..., tf.newaxis], cosines[..., tf.newaxis]], axis=-1), (max_len, dim))


# %% task="dot-products"
import tensorflow as tf

def dot_products_at_offset(pe, offset):
    pe = tf.cast(pe, tf.float32)
    similarity = tf.matmul(pe, pe, transpose_b=True)
    return tf.linalg.diag_part(similarity, k=offset)


# %% task="invariance"
import tensorflow as tf

def offset_dot_product(offset, dim, base=10000.0):
    angles = tf.cast(offset, tf.float32) * tf.cast(angle_rates(dim, base), tf.float32)
    return float(tf.reduce_sum(tf.cos(angles)))


# %% task="shift-matrix"
import tensorflow as tf

def shift_matrix(offset, dim, base=10000.0):
    blocks = []
    for rate in np.asarray(angle_rates(dim, base)):
        c, s = tf.cos(offset * float(rate)), tf.sin(offset * float(rate))
        blocks.append(tf.linalg.LinearOperatorFullMatrix([[c, s], [-s, c]]))
    return tf.linalg.LinearOperatorBlockDiag(blocks).to_dense()


# %% task="positional-layer"
import tensorflow as tf

class PositionalEncoding(tf.keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super(PositionalEncoding, self).__init__(**kwargs)
        self.max_len = max_len
        self.dim = dim
        self.pos_encoding = tf.cast(positional_encoding(max_len, dim)[tf.newaxis, ...], tf.float32)

    def call(self, inputs):
        seq_len = tf.shape(inputs)[1]
        if seq_len > self.max_len:
            raise ValueError(f"seq_len={seq_len} does not fit into max_len={self.max_len}")
        return inputs + self.pos_encoding[:, :seq_len, :]

    def get_config(self):
        config = super().get_config()
        config.update({"max_len": self.max_len, "dim": self.dim})
        return config


# %% task="learned-layer"
import tensorflow as tf

class LearnedPositionalEmbedding(tf.keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len = max_len
        self.dim = dim
        self.pos_emb = tf.keras.layers.Embedding(input_dim=max_len, output_dim=dim)

    def call(self, x):
        seq_len = x.shape[-2]
        if seq_len > self.max_len:
            raise ValueError(f"Sequence of seq_len {seq_len} > {self.max_len}")
        positions = tf.range(start=0, limit=tf.shape(x)[-2], delta=1)
        return x + self.pos_emb(positions)

    def get_config(self):
        config = super().get_config()
        config.update({"max_len": self.max_len, "dim": self.dim})
        return config
