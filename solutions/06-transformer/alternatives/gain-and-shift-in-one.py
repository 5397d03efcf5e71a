# %% [markdown]
# a normalisation's gain and shift are the rows of one weight


# %% task="token-model"
class Norm(keras.layers.Layer):
    def build(self, shape):
        first = np.stack([np.ones(shape[-1]), np.zeros(shape[-1])]).astype("float32")
        self.both = self.add_weight(shape=first.shape, initializer=lambda *_, **__: ops.convert_to_tensor(first))

    def call(self, x):
        x = x - ops.mean(x, axis=-1, keepdims=True)
        return x / ops.sqrt(ops.mean(x * x, axis=-1, keepdims=True) + 1e-6) * self.both[0] + self.both[1]


class Stacks(keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights):
        super().__init__()
        self.sources = TokenEmbedding(vocab_size, d_model, max_len, dropout)
        self.targets = self.sources if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
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
        if self.logits is not None:
            return self.logits(x)
        (table,) = self.sources.trainable_weights
        return x @ ops.transpose(ops.convert_to_tensor(table))


def build_transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False):
    return Stacks(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
