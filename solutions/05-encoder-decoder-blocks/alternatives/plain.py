# %% [markdown]
# one statement a step, with Keras's own attention


# %% task="layer-norm"
def layer_norm(x, gamma, beta, epsilon=1e-6):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    normalised = (x - mean) / np.sqrt(variance + epsilon)
    return gamma * normalised + beta


# %% task="feed-forward"
class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim = ff_dim
        self.d_model = d_model
        self.rate = dropout
        self.inner = keras.layers.Dense(ff_dim, activation="relu")
        self.outer = keras.layers.Dense(d_model)
        self.dropout = keras.layers.Dropout(dropout)

    def call(self, x):
        hidden = self.inner(x)
        hidden = self.dropout(hidden)
        return self.outer(hidden)

    def get_config(self):
        config = super().get_config()
        config.update({"ff_dim": self.ff_dim, "d_model": self.d_model, "dropout": self.rate})
        return config


# %% task="encoder-block"
class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
        self.d_model, self.num_heads, self.ff_dim = d_model, num_heads, ff_dim
        self.rate = dropout
        self.norm_first = norm_first
        self.attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.feed_forward = FeedForward(ff_dim, d_model, dropout)
        self.norm1 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.dropout1 = keras.layers.Dropout(dropout)
        self.dropout2 = keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        if mask is not None:
            mask = 1 - mask
        if self.norm_first:
            y = self.norm1(x)
            a = self.dropout1(self.attention(y, y, attention_mask=mask))
            x = x + a
            y = self.norm2(x)
            f = self.dropout2(self.feed_forward(y))
            return x + f
        a = self.dropout1(self.attention(x, x, attention_mask=mask))
        x = self.norm1(x + a)
        f = self.dropout2(self.feed_forward(x))
        return self.norm2(x + f)

    def get_config(self):
        config = super().get_config()
        config.update({"d_model": self.d_model, "num_heads": self.num_heads, "ff_dim": self.ff_dim})
        config.update({"dropout": self.rate, "norm_first": self.norm_first})
        return config


# %% task="decoder-block"
class DecoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
        self.d_model, self.num_heads, self.ff_dim = d_model, num_heads, ff_dim
        self.rate = dropout
        self.norm_first = norm_first
        self.self_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.cross_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.feed_forward = FeedForward(ff_dim, d_model, dropout)
        self.norm1 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.norm2 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.norm3 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.dropout1 = keras.layers.Dropout(dropout)
        self.dropout2 = keras.layers.Dropout(dropout)
        self.dropout3 = keras.layers.Dropout(dropout)

    def call(self, x, memory, self_mask=None, memory_mask=None):
        if self_mask is not None:
            self_mask = 1 - self_mask
        if memory_mask is not None:
            memory_mask = 1 - memory_mask
        if self.norm_first:
            y = self.norm1(x)
            a = self.dropout1(self.self_attention(y, y, attention_mask=self_mask))
            x = x + a
            y = self.norm2(x)
            c = self.dropout2(self.cross_attention(y, memory, attention_mask=memory_mask))
            x = x + c
            y = self.norm3(x)
            f = self.dropout3(self.feed_forward(y))
            return x + f
        a = self.dropout1(self.self_attention(x, x, attention_mask=self_mask))
        x = self.norm1(x + a)
        c = self.dropout2(self.cross_attention(x, memory, attention_mask=memory_mask))
        x = self.norm2(x + c)
        f = self.dropout3(self.feed_forward(x))
        return self.norm3(x + f)

    def get_config(self):
        config = super().get_config()
        config.update({"d_model": self.d_model, "num_heads": self.num_heads, "ff_dim": self.ff_dim})
        config.update({"dropout": self.rate, "norm_first": self.norm_first})
        return config


# %% task="block-parameters"
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    if kind not in ("encoder", "decoder"):
        raise ValueError(f"kind must be encoder or decoder, not kind={kind}")
    if d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} does not divide d_model={d_model}")
    attention = 4 * (d_model * d_model + d_model)
    network = d_model * ff_dim + ff_dim + ff_dim * d_model + d_model
    norm = 2 * d_model
    if kind == "encoder":
        return attention + network + 2 * norm
    return 2 * attention + network + 3 * norm
