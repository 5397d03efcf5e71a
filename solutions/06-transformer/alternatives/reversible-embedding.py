# %% [markdown]
# keras.layers.ReversibleEmbedding where Keras has it; layers made in the opposite order; Keras's mask_zero


# %% task="token-model"
class Embed(keras.layers.Layer):
    def __init__(self, reversible, d_model, max_len, dropout):
        super().__init__()
        self.reversible, self.d_model = reversible, d_model
        self.positions, self.drop = PositionalEncoding(max_len, d_model), keras.layers.Dropout(dropout)

    def call(self, ids):
        return self.drop(self.positions(ops.multiply(self.reversible(ids), self.d_model**0.5)))

    def compute_output_shape(self, shape):
        return (*shape, self.d_model)

class Reverse(keras.layers.Layer):
    def __init__(self, reversible):
        super().__init__()
        self.reversible = reversible

    def call(self, x):
        return self.reversible(x, reverse=True)

def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    kind = getattr(keras.layers, "ReversibleEmbedding", None)
    if kind is None:
        class kind(keras.layers.Embedding):
            def call(self, x, reverse=False):
                return ops.matmul(x, ops.transpose(self.embeddings)) if reverse else super().call(x)
    decoders = [DecoderBlock(d_model, num_heads, ff_dim, dropout=dropout, norm_first=norm_first) for _ in range(num_layers)]
    encoders = [EncoderBlock(d_model, num_heads, ff_dim, dropout=dropout, norm_first=norm_first) for _ in range(num_layers)]
    shared = kind(vocab_size, d_model)
    source = keras.Input((None,), name="korean")
    target = keras.Input((None,), name="english")
    mask = keras.layers.Lambda(create_padding_mask)(source)
    ahead = keras.layers.Lambda(create_decoder_mask)(target)
    y = Embed(shared, d_model, max_len, dropout)(target)
    x = Embed(shared if tie_weights else keras.layers.Embedding(vocab_size, d_model), d_model, max_len, dropout)(source)
    for block in encoders:
        x = block(x, mask)
    if norm_first:
        x = keras.layers.LayerNormalization()(x)
    for block in decoders:
        y = block(y, x, ahead, mask)
    if norm_first:
        y = keras.layers.LayerNormalization()(y)
    last = Reverse(shared) if tie_weights else keras.layers.TimeDistributed(keras.layers.Dense(vocab_size))
    return keras.Model(inputs=[source, target], outputs=last(y))
