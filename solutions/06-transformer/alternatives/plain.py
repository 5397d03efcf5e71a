# %% [markdown]
# one statement a step, models with the functional API


# %% task="token-embedding"
class TokenEmbedding(keras.layers.Layer):
    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.vocab_size, self.d_model, self.max_len, self.rate = vocab_size, d_model, max_len, dropout
        self.embedding = keras.layers.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(max_len, d_model)
        self.dropout = keras.layers.Dropout(dropout)

    def call(self, token_ids, training=None):
        x = self.embedding(token_ids)
        x = x * self.d_model**0.5
        x = self.positions(x)
        return self.dropout(x, training=training)

    def get_config(self):
        config = super().get_config()
        config.update(vocab_size=self.vocab_size, d_model=self.d_model, max_len=self.max_len, dropout=self.rate)
        return config


# %% task="continuous-model"
def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    source = keras.Input((timesteps, dim))
    target = keras.Input((None, dim))
    mask = keras.layers.Lambda(lambda x: create_look_ahead_mask(ops.shape(x)[1]))(target)
    positions = PositionalEncoding(256, dim)
    x = positions(source)
    after_blocks = [x]
    for _ in range(num_encoder_blocks):
        x = EncoderBlock(dim, num_heads, ff_dim, dropout)(x)
        after_blocks.append(x)
    memory = x
    x = positions(target)
    for _ in range(num_decoder_blocks):
        x = DecoderBlock(dim, num_heads, ff_dim, dropout)(x, memory, self_mask=mask)
    output = keras.layers.Dense(dim)(x)
    return keras.Model([source, target], output)


# %% task="token-model"
class Tied(keras.layers.Layer):
    def __init__(self, table, **kwargs):
        super().__init__(**kwargs)
        self.table = table

    def call(self, x):
        return ops.matmul(x, ops.transpose(self.table.embeddings))


def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    source_ids = keras.Input((None,), dtype="int32")
    target_ids = keras.Input((None,), dtype="int32")
    source_mask = keras.layers.Lambda(create_padding_mask)(source_ids)
    target_mask = keras.layers.Lambda(create_decoder_mask)(target_ids)
    embed_source = TokenEmbedding(vocab_size, d_model, max_len, dropout)
    embed_target = embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
    x = embed_source(source_ids)
    for _ in range(num_layers):
        x = EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x, mask=source_mask)
    if norm_first:
        x = keras.layers.LayerNormalization(epsilon=1e-6)(x)
    memory = x
    x = embed_target(target_ids)
    for i in range(num_layers):
        block = DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
        x = block(x, memory, self_mask=target_mask, memory_mask=source_mask)
    if norm_first:
        x = keras.layers.LayerNormalization(epsilon=1e-6, name="last")(x)
    if tie_weights:
        logits = Tied(embed_target.embedding)(x)
    else:
        logits = keras.layers.Dense(vocab_size)(x)
    return keras.Model([source_ids, target_ids], logits)


# %% task="model-parameters"
def transformer_parameter_count(vocab_size, num_layers, d_model, num_heads, ff_dim, tie_weights=False):
    attention = 4 * (d_model * d_model + d_model)
    feed_forward = (d_model * ff_dim + ff_dim) + (ff_dim * d_model + d_model)
    norm = 2 * d_model
    encoder = attention + feed_forward + 2 * norm
    decoder = 2 * attention + feed_forward + 3 * norm
    table = vocab_size * d_model
    if tie_weights:
        vocabulary = table
    else:
        vocabulary = 2 * table + (table + vocab_size)
    return num_layers * (encoder + decoder) + 2 * norm + vocabulary
