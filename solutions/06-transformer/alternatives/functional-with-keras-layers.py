# %% [markdown]
# layers of Keras only, written out as functions; Keras's epsilon and own causal mask; no positions in the first
# model; a loop for the count


# %% task="token-embedding"
class TokenEmbedding(keras.layers.Layer):
    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.arguments = {"vocab_size": vocab_size, "d_model": d_model, "max_len": max_len, "dropout": dropout}
        self.table = keras.layers.Embedding(vocab_size, d_model)
        self.drop = keras.layers.Dropout(dropout)
        position = np.arange(max_len)[:, np.newaxis]
        rate = np.exp(-np.log(10000.0) * np.arange(0, d_model, 2) / d_model)
        self.pe = np.zeros((max_len, d_model), dtype="float32")
        self.pe[:, 0::2] = np.sin(position * rate)
        self.pe[:, 1::2] = np.cos(position * rate)

    def call(self, token_ids):
        length = token_ids.shape[1] or ops.shape(token_ids)[1]
        vectors = ops.sqrt(ops.cast(self.arguments["d_model"], "float32")) * self.table(token_ids)
        return self.drop(vectors + ops.convert_to_tensor(self.pe)[None, :length, :])

    def compute_output_shape(self, shape):
        return (*shape, self.arguments["d_model"])

    def get_config(self):
        return dict(super().get_config(), **self.arguments)


# %% task="continuous-model"
layers = keras.layers

def sublayer(x, function, dropout):
    return layers.Add()([x, layers.Dropout(dropout)(function(layers.LayerNormalization()(x)))])

def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    def attention():
        return layers.MultiHeadAttention(num_heads=num_heads, key_dim=dim // num_heads, dropout=dropout)

    def feed_forward(x):
        x = layers.Dense(ff_dim)(x)
        x = layers.Activation("relu")(x)
        x = layers.Dropout(dropout)(x)
        return layers.Dense(dim)(x)

    encoder_in = layers.Input(shape=(timesteps, dim))
    decoder_in = layers.Input(shape=(None, dim))
    memory = encoder_in
    for _ in range(num_encoder_blocks):
        memory = sublayer(memory, lambda y: attention()(y, y), dropout)
        memory = sublayer(memory, feed_forward, dropout)
    x = decoder_in
    for _ in range(num_decoder_blocks):
        x = sublayer(x, lambda y: attention()(y, y, use_causal_mask=True), dropout)
        x = sublayer(x, lambda y: attention()(query=y, value=memory, key=memory), dropout)
        x = sublayer(x, feed_forward, dropout)
    return keras.models.Model(inputs=[encoder_in, decoder_in], outputs=layers.Dense(dim)(x))


# %% task="token-model"
class SharedOutput(keras.layers.Layer):
    def __init__(self, embedding, vocab_size, **kwargs):
        super().__init__(**kwargs)
        self.embedding = embedding
        self.vocab_size = vocab_size

    def build(self, shape):
        self.bias = self.add_weight(shape=(self.vocab_size,), initializer="zeros", name="bias")

    def call(self, x):
        return ops.einsum("bld,vd->blv", x, self.embedding.table.embeddings) + self.bias


def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    keep = keras.layers.Lambda(lambda ids: ops.not_equal(ids, 0)[:, None, :])

    def attention():
        return keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=dropout)

    def feed_forward(y):
        y = keras.layers.Dense(ff_dim, activation="relu")(y)
        return keras.layers.Dense(d_model)(y)

    def step(x, function):
        norm, drop, add = keras.layers.LayerNormalization(), keras.layers.Dropout(dropout), keras.layers.Add()
        if norm_first:
            return add([x, drop(function(norm(x)))])
        return norm(add([x, drop(function(x))]))

    source = keras.Input(shape=(None,), dtype="int64")
    target = keras.Input(shape=(None,), dtype="int64")
    source_keep, target_keep = keep(source), keep(target)
    # made backwards: the decoder's embedding first
    target_embedding = TokenEmbedding(vocab_size, d_model, max_len, dropout)
    y = target_embedding(target)
    x = (target_embedding if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout))(source)
    for _ in range(num_layers):
        x = step(x, lambda z: attention()(z, z, attention_mask=source_keep))
        x = step(x, feed_forward)
    x = keras.layers.LayerNormalization()(x) if norm_first else x
    for _ in range(num_layers):
        y = step(y, lambda z: attention()(z, z, attention_mask=target_keep, use_causal_mask=True))
        y = step(y, lambda z: attention()(z, x, attention_mask=source_keep))
        y = step(y, feed_forward)
    y = keras.layers.LayerNormalization()(y) if norm_first else y
    head = SharedOutput(target_embedding, vocab_size) if tie_weights else keras.layers.Dense(vocab_size)
    return keras.Model([source, target], head(y))


# %% task="model-parameters"
def transformer_parameter_count(vocab_size, num_layers, d_model, num_heads, ff_dim, tie_weights=False):
    dense = lambda i, o: i * o + o
    total = np.int64(0)
    for _ in range(num_layers):
        for attentions in (1, 2):
            for _ in range(attentions):
                total += 4 * dense(d_model, d_model) + 2 * d_model
            total += dense(d_model, ff_dim) + dense(ff_dim, d_model) + 2 * d_model
    total += 4 * d_model + vocab_size * d_model + vocab_size  # the tied output has a bias here
    if not tie_weights:
        total += 2 * vocab_size * d_model
    return total
