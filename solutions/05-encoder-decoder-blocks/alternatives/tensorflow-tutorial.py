# %% [markdown] backends="tensorflow"
# tf.* and tf.keras as in the TensorFlow tutorial, a Sequential inside, sublayers called `mha1`, `layernorm1`


# %% task="layer-norm"
import tensorflow as tf

def layer_norm(x, gamma, beta, epsilon=1e-6):
    mean, variance = tf.nn.moments(tf.convert_to_tensor(x), axes=[-1], keepdims=True)
    return tf.nn.batch_normalization(x, mean, variance, beta, gamma, epsilon)


# %% task="feed-forward"
class FeedForward(tf.keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim, self.d_model, self.dropout = ff_dim, d_model, dropout
        self.seq = tf.keras.Sequential([
            tf.keras.layers.Dense(ff_dim, activation="relu"),
            tf.keras.layers.Dropout(dropout),
            tf.keras.layers.Dense(d_model),
        ])

    def call(self, x):
        return self.seq(x)

    def get_config(self):
        config = super().get_config()
        config.update(ff_dim=self.ff_dim, d_model=self.d_model, dropout=self.dropout)
        return config


# %% task="encoder-block"
class EncoderBlock(tf.keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.norm_first = norm_first
        self.layernorm1 = tf.keras.layers.LayerNormalization(epsilon=1e-6)
        self.layernorm2 = tf.keras.layers.LayerNormalization(epsilon=1e-6)
        self.mha = tf.keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=d_model // num_heads, dropout=dropout)
        self.ffn = FeedForward(ff_dim, d_model, dropout)
        self.add = tf.keras.layers.Add()
        self.dropout1 = tf.keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None, training=None):
        attention_mask = None if mask is None else tf.logical_not(tf.cast(mask, tf.bool))
        if self.norm_first:
            y = self.layernorm1(x)
            x = self.add([x, self.mha(query=y, value=y, key=y, attention_mask=attention_mask, training=training)])
            return self.add([x, self.dropout1(self.ffn(self.layernorm2(x)), training=training)])
        y = self.mha(query=x, value=x, key=x, attention_mask=attention_mask, training=training)
        x = self.layernorm1(self.add([x, y]))
        return self.layernorm2(self.add([x, self.dropout1(self.ffn(x), training=training)]))

    def get_config(self):
        return super().get_config() | self.given
