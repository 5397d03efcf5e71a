# %% [markdown]
# normalisations multiply by one plus a weight that begins as zeros; ids select columns of the output's kernel


# %% task="encoder-only"
class Norm(keras.layers.Layer):
    def build(self, shape):
        self.gain, self.shift = (self.add_weight(shape=(shape[-1],), initializer="zeros") for _ in range(2))

    def call(self, x):
        x = x - ops.mean(x, axis=-1, keepdims=True)
        return x / ops.sqrt(ops.mean(x * x, axis=-1, keepdims=True) + 1e-6) * (1 + self.gain) + self.shift


class SinePositions(keras.layers.Layer):
    def call(self, x):
        d = x.shape[-1]
        angles = np.arange(512)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
        table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(512, d).astype("float32")
        return x + ops.convert_to_tensor(table)[: ops.shape(x)[1]]


class OneMatrix(keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions, mask_of):
        super().__init__()
        self.mask_of, self.d_model = mask_of, d_model
        self.to_logits = keras.layers.Dense(vocab_size)
        self.to_logits.build((None, d_model))
        self.positions = LearnedPositionalEmbedding(max_len, d_model) if learned_positions else SinePositions()
        self.dropout = keras.layers.Dropout(dropout)
        self.blocks = [EncoderBlock(d_model, num_heads, ff_dim, dropout) for _ in range(num_layers)]
        for block in self.blocks:
            block.norms = [Norm(), Norm()]
        self.end = Norm()

    def call(self, ids, training=None):
        rows = ops.take(ops.transpose(self.to_logits.kernel), ids, axis=0)
        x = self.dropout(self.positions(rows * self.d_model**0.5), training=training)
        for block in self.blocks:
            x = block(x, mask=self.mask_of(ids))
        return self.to_logits(self.end(x))


def build_encoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    return OneMatrix(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions, create_padding_mask)


# %% task="decoder-only"
def build_decoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    return OneMatrix(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions, create_decoder_mask)
