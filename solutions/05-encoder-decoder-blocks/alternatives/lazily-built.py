# %% [markdown]
# a dataclass for the numbers, sublayers made in `build`, a keras.Model of layers over time, Keras's attention op


# %% task="feed-forward"
class FeedForward(keras.Model):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.config = {"ff_dim": ff_dim, "d_model": d_model, "dropout": dropout}
        self.up = keras.layers.TimeDistributed(keras.layers.Dense(ff_dim))
        self.act = keras.layers.Activation("relu")
        self.drop = keras.layers.Dropout(dropout)
        self.down = keras.layers.TimeDistributed(keras.layers.Dense(d_model))

    def call(self, x, training=False):
        return self.down(self.act(self.drop(self.up(x), training=training)))

    def get_config(self):
        return {**super().get_config(), **self.config}


# %% task="encoder-block"
from dataclasses import asdict, dataclass

@dataclass
class BlockConfig:
    d_model: int
    num_heads: int
    ff_dim: int
    dropout: float = 0.1
    norm_first: bool = True

    def __post_init__(self):
        if self.d_model % self.num_heads != 0:
            raise ValueError(f"num_heads must divide d_model, got num_heads={self.num_heads}, d_model={self.d_model}")

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        self.cfg = BlockConfig(d_model, num_heads, ff_dim, dropout, norm_first)

    def build(self, input_shape):
        c = self.cfg
        self.ffn = FeedForward(c.ff_dim, c.d_model, c.dropout)
        self.ln = [keras.layers.LayerNormalization(axis=-1, epsilon=1e-6) for _ in range(2)]
        self.mha = keras.layers.MultiHeadAttention(c.num_heads, c.d_model // c.num_heads, output_shape=c.d_model)
        self.do = [keras.layers.Dropout(c.dropout) for _ in range(2)]
        super().build(input_shape)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None, training=None):
        if mask is not None:
            mask = ops.convert_to_tensor(mask)
            mask = 1.0 - ops.cast(mask[:, 0] if len(mask.shape) == 4 else mask[None], "float32")

        def attend(y):
            return self.mha(query=y, key=y, value=y, attention_mask=mask, training=training)

        for f, ln, do in zip((attend, self.ffn), self.ln, self.do):
            if self.cfg.norm_first:
                x = ops.add(x, do(f(ln(x)), training=training))
            else:
                x = ln(ops.add(x, do(f(x), training=training)))
        return x

    def get_config(self):
        return {**super().get_config(), **asdict(self.cfg)}
