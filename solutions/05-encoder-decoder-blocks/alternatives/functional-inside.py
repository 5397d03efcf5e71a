# %% [markdown]
# the block builds a functional model for what needs no mask, and Keras's layer gets integer masks


# %% task="feed-forward"
class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.made_of = {"ff_dim": ff_dim, "d_model": d_model, "dropout": dropout}
        inputs = keras.Input((None, d_model))
        hidden = keras.layers.Dropout(dropout)(keras.layers.Dense(ff_dim, "relu")(inputs))
        self.model = keras.Model(inputs, keras.layers.Dense(d_model)(hidden))

    def call(self, x):
        return self.model(x)

    def get_config(self):
        return {**super().get_config(), **self.made_of}


# %% task="encoder-block"
class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        x = keras.Input((None, d_model))
        norm, drop = keras.layers.LayerNormalization(epsilon=1e-6), keras.layers.Dropout(dropout)
        work = FeedForward(ff_dim, d_model, dropout)
        y = keras.layers.Add()([x, drop(work(norm(x)))]) if norm_first else norm(keras.layers.Add()([x, drop(work(x))]))
        self.second = keras.Model(x, y)
        self.norm = keras.layers.LayerNormalization(epsilon=1e-6)
        self.first = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)
        self.drop = keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        if mask is not None:
            mask = 1 - keras.ops.cast(mask, "int32")
        if self.given["norm_first"]:
            y = self.norm(x)
            return self.second(x + self.drop(self.first(y, y, attention_mask=mask)))
        return self.second(self.norm(x + self.drop(self.first(x, x, attention_mask=mask))))

    def get_config(self):
        return super().get_config() | self.given
