# %% [markdown]
# written out with layers of Keras in functions, in the lecture's way


# %% task="continuous-model"
def residual(x, y, dropout):
    return keras.layers.Add()([x, keras.layers.Dropout(dropout)(y)])


def normed(x):
    return keras.layers.LayerNormalization(epsilon=1e-6)(x)


def feed_forward(x, ff_dim, dim):
    return keras.layers.Dense(dim)(keras.layers.Dense(ff_dim, activation="relu")(x))


def encoder(x, num_heads, key_dim, ff_dim, dropout):
    y = normed(x)
    y = keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)(y, y)
    res = residual(x, y, dropout)
    y = feed_forward(normed(res), ff_dim, x.shape[-1])
    return residual(res, y, dropout)


def decoder(x, memory, num_heads, key_dim, ff_dim, dropout):
    y = normed(x)
    y = keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)(y, y, use_causal_mask=True)
    res = residual(x, y, dropout)
    y = keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)(normed(res), memory)
    res = residual(res, y, dropout)
    y = feed_forward(normed(res), ff_dim, x.shape[-1])
    return residual(res, y, dropout)


def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    source = keras.Input((timesteps, dim))
    target = keras.Input((None, dim))
    x = source
    for _ in range(num_encoder_blocks):
        x = encoder(x, num_heads, dim // num_heads, ff_dim, dropout)
    memory = x
    x = target
    for _ in range(num_decoder_blocks):
        x = decoder(x, memory, num_heads, dim // num_heads, ff_dim, dropout)
    return keras.Model([source, target], keras.layers.Dense(dim)(x))
