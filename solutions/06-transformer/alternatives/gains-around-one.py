# %% [markdown]
# normalisations multiply by one plus a weight that begins as zeros; tied, ids select columns of the output's kernel


# %% task="token-model"
class Norm(keras.layers.Layer):
    def build(self, shape):
        self.gain, self.shift = (self.add_weight(shape=(shape[-1],), initializer="zeros") for _ in range(2))

    def call(self, x):
        x = x - ops.mean(x, axis=-1, keepdims=True)
        return x / ops.sqrt(ops.mean(x * x, axis=-1, keepdims=True) + 1e-6) * (1 + self.gain) + self.shift


class ColumnEmbedding(keras.layers.Layer):
    def __init__(self, vocab_size, d_model, max_len, dropout):
        super().__init__()
        self.d_model = d_model
        self.to_logits = keras.layers.Dense(vocab_size)
        self.positions, self.dropout = PositionalEncoding(max_len, d_model), keras.layers.Dropout(dropout)

    def build(self, shape):
        self.to_logits.build((None, self.d_model))

    def call(self, ids, training=None):
        rows = ops.take(ops.transpose(self.to_logits.kernel), ids, axis=0)
        return self.dropout(self.positions(rows * self.d_model**0.5), training=training)


class Stacks(keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights):
        super().__init__()
        sizes = (vocab_size, d_model, max_len, dropout)
        self.tie_weights = tie_weights
        self.sources = ColumnEmbedding(*sizes) if tie_weights else TokenEmbedding(*sizes)
        self.targets = self.sources if tie_weights else TokenEmbedding(*sizes)
        self.encoder = [EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first) for _ in range(num_layers)]
        self.decoder = [DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first) for _ in range(num_layers)]
        for block in self.encoder + self.decoder:
            block.norms = [Norm() for _ in block.norms]
        self.ends = [Norm(), Norm()] if norm_first else []
        self.logits = None if tie_weights else keras.layers.Dense(vocab_size)

    def call(self, inputs):
        source, target = inputs
        hidden, memory, x = create_padding_mask(source), self.sources(source), self.targets(target)
        for block in self.encoder:
            memory = block(memory, mask=hidden)
        memory = self.ends[0](memory) if self.ends else memory
        for block in self.decoder:
            x = block(x, memory, self_mask=create_decoder_mask(target), memory_mask=hidden)
        x = self.ends[1](x) if self.ends else x
        return self.sources.to_logits(x) if self.tie_weights else self.logits(x)


def build_transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False):
    return Stacks(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
