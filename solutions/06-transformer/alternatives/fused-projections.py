# %% [markdown]
# one kernel for query, key and value; weights of the layers' own; a reversible embedding; post-norm with last norms


# %% task="token-embedding"
class TokenEmbedding(keras.layers.Layer):
    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.vocab_size, self.d_model, self.max_len, self.dropout = vocab_size, d_model, max_len, dropout
        self.seeds = keras.random.SeedGenerator(7)

    def build(self, shape=None):
        self.weight = self.add_weight(
            shape=(self.vocab_size, self.d_model), initializer=keras.initializers.RandomNormal(stddev=self.d_model**-0.5)
        )

    def call(self, ids, training=False):
        half = 1 / 10000 ** (ops.arange(0, self.d_model, 2, dtype="float32") / self.d_model)
        angles = ops.arange(ops.shape(ids)[1], dtype="float32")[:, None] * half
        table = ops.reshape(ops.stack([ops.sin(angles), ops.cos(angles)], axis=-1), (-1, self.d_model))
        x = ops.take(self.weight, ids, axis=0) * np.sqrt(self.d_model).astype("float32") + table
        return keras.random.dropout(x, self.dropout, seed=self.seeds) if training and self.dropout else x

    def logits(self, x):
        return ops.matmul(x, ops.transpose(self.weight))

    def get_config(self):
        names = ("vocab_size", "d_model", "max_len", "dropout")
        return {**super().get_config(), **{name: getattr(self, name) for name in names}}


# %% task="continuous-model"
class Fused(keras.layers.Layer):
    def __init__(self, dim, heads, **kwargs):
        super().__init__(**kwargs)
        self.dim, self.heads = dim, heads

    def build(self, shape=None):
        d = self.dim
        self.w = self.add_weight(shape=(d, 3 * d), initializer="glorot_uniform")
        self.b = self.add_weight(shape=(3 * d,), initializer="zeros")
        self.wo = self.add_weight(shape=(d, d), initializer="glorot_uniform")
        self.bo = self.add_weight(shape=(d,), initializer="zeros")
        self.built = True

    def compute_mask(self, *args, **kwargs):
        return None

    def call(self, x, memory, may_attend=None):
        d, h = self.dim, self.heads
        q = ops.matmul(x, self.w[:, :d]) + self.b[:d]
        k = ops.matmul(memory, self.w[:, d : 2 * d]) + self.b[d : 2 * d]
        v = ops.matmul(memory, self.w[:, 2 * d :]) + self.b[2 * d :]
        outputs = []
        for i in range(h):
            part = slice(i * (d // h), (i + 1) * (d // h))
            scores = ops.einsum("bqe,bke->bqk", q[..., part], k[..., part]) * (d // h) ** -0.5
            if may_attend is not None:
                scores = ops.where(may_attend, scores, -1e9)
            outputs.append(ops.einsum("bqk,bke->bqe", ops.softmax(scores), v[..., part]))
        return ops.matmul(ops.concatenate(outputs, axis=-1), self.wo) + self.bo

class Layers(keras.layers.Layer):
    def __init__(self, dim, heads, ff_dim, rate, cross, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        self.norm_first = norm_first
        self.mlp = keras.Sequential([keras.layers.Dense(ff_dim), keras.layers.ReLU(), keras.layers.Dense(dim)])
        self.attend = [Fused(dim, heads) for _ in range(1 + cross)]
        self.norm = [keras.layers.LayerNormalization(epsilon=1e-5) for _ in range(2 + cross)]
        self.drop = keras.layers.Dropout(rate)

    def compute_mask(self, *args, **kwargs):
        return None

    def call(self, x, memory=None, own=None, other=None, training=None):
        steps = [lambda y: self.attend[0](y, y, own)]
        if memory is not None:
            steps.append(lambda y: self.attend[1](y, memory, other))
        for norm, step in zip(self.norm, steps + [self.mlp]):
            if self.norm_first:
                x = x + self.drop(step(norm(x)), training=training)
            else:
                x = norm(x + self.drop(step(x), training=training))
        return x

class Causal(keras.layers.Layer):
    def call(self, x):
        i = ops.arange(ops.shape(x)[1])
        return (i[:, None] >= i[None, :])[None]

def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    a, b = keras.Input((timesteps, dim)), keras.Input((None, dim))
    memory = PositionalEncoding(timesteps, dim)(a)
    for _ in range(num_encoder_blocks):
        memory = Layers(dim, num_heads, ff_dim, dropout, 0)(memory)
    x = PositionalEncoding(1000, dim)(b)
    for _ in range(num_decoder_blocks):
        x = Layers(dim, num_heads, ff_dim, dropout, 1)(x, memory, own=Causal()(b))
    return keras.Model((a, b), keras.layers.Dense(dim)(x))


# %% task="token-model"
class Seq2Seq(keras.Model):
    def __init__(self, vocab_size, max_len, layers, d, h, f, rate, norm_first, tied):
        super().__init__()
        self.left = TokenEmbedding(vocab_size, d, max_len, rate)
        self.right = self.left if tied else TokenEmbedding(vocab_size, d, max_len, rate)
        self.enc = [Layers(d, h, f, rate, 0, norm_first) for _ in range(layers)]
        self.dec = [Layers(d, h, f, rate, 1, norm_first) for _ in range(layers)]
        self.end = [keras.layers.LayerNormalization(epsilon=1e-5), keras.layers.LayerNormalization(epsilon=1e-5)]
        if not tied:
            self.to_vocabulary = keras.layers.Dense(vocab_size, use_bias=False)
        self.tied = tied

    def call(self, inputs, training=None):
        source, target = inputs[0], inputs[1]
        seen = ops.not_equal(source, 0)[:, None, :]
        memory = self.left(source, training=training)
        for layer in self.enc:
            memory = layer(memory, own=seen, training=training)
        memory = self.end[0](memory)
        i = ops.arange(ops.shape(target)[1])
        own = ops.logical_and((i[:, None] >= i[None, :])[None], ops.not_equal(target, 0)[:, None, :])
        y = self.right(target, training=training)
        for layer in self.dec:
            y = layer(y, memory, own=own, other=seen, training=training)
        y = self.end[1](y)
        return self.left.logits(y) if self.tied else self.to_vocabulary(y)

def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    model = Seq2Seq(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
    model([ops.ones((1, 2), "int32"), ops.ones((1, 2), "int32")])
    return model


# %% task="model-parameters"
def transformer_parameter_count(vocab_size, num_layers, d_model, num_heads, ff_dim, tie_weights=False):
    kernels = num_layers * (12 * d_model**2 + 4 * d_model * ff_dim)
    vectors = num_layers * (12 * d_model + 2 * (ff_dim + d_model) + 10 * d_model) + 4 * d_model
    return kernels + vectors + (1 if tie_weights else 3) * vocab_size * d_model
