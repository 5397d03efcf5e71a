# %% [markdown]
# subclasses of keras.Model, called once by the builder; names and order of their own; the count asks a model


# %% task="continuous-model"
class LectureTransformer(keras.Model):
    def __init__(self, dim, num_heads, ff_dim, encoders, decoders, dropout):
        super().__init__()
        self.head = keras.layers.Dense(dim)
        self.down = [DecoderBlock(dim, num_heads, ff_dim, dropout) for _ in range(decoders)]
        self.up = [EncoderBlock(dim, num_heads, ff_dim, dropout) for _ in range(encoders)]
        self.positions = PositionalEncoding(500, dim)

    def call(self, inputs, training=None):
        source, target = inputs
        memory, x = self.positions(source), self.positions(target)
        for block in self.up:
            memory = block(memory, training=training)
        mask = create_look_ahead_mask(ops.shape(target)[1])
        for block in self.down:
            x = block(x, memory, self_mask=mask, training=training)
        return self.head(x)


def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    model = LectureTransformer(dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout)
    model([np.zeros((1, timesteps, dim), "float32"), np.zeros((1, 3, dim), "float32")])
    return model


# %% task="token-model"
class Transformer(keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights):
        super().__init__()
        self.tie_weights = tie_weights
        self.out = None if tie_weights else keras.layers.Dense(vocab_size, name="generator")
        self.decoder = [DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first) for _ in range(num_layers)]
        self.encoder = [EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first) for _ in range(num_layers)]
        self.tgt = TokenEmbedding(vocab_size, d_model, max_len, dropout)
        self.src = self.tgt if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
        self.ends = [keras.layers.LayerNormalization(epsilon=1e-5) for _ in range(2)] if norm_first else [lambda x: x] * 2

    def call(self, inputs):
        source_ids, target_ids = inputs
        source_mask = create_padding_mask(source_ids)
        memory = self.src(source_ids)
        for block in self.encoder:
            memory = block(memory, mask=source_mask)
        memory = self.ends[0](memory)
        y = self.tgt(target_ids)
        for block in self.decoder:
            y = block(y, memory, self_mask=create_decoder_mask(target_ids), memory_mask=source_mask)
        y = self.ends[1](y)
        if self.tie_weights:
            return ops.matmul(y, ops.transpose(self.tgt.embedding.embeddings))
        return self.out(y)


def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    model = Transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
    model([np.ones((1, 3), "int32"), np.ones((1, 2), "int32")])
    return model


# %% task="model-parameters"
def transformer_parameter_count(vocab_size, num_layers, d_model, num_heads, ff_dim, tie_weights=False):
    return build_transformer(
        vocab_size, 4, num_layers, d_model, num_heads, ff_dim, tie_weights=tie_weights
    ).count_params()
