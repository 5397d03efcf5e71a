# %% [markdown]
# each head has small dense layers of its own: weights that can't be placed by their shape


# %% task="continuous-model"
class Head(keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.q, self.k, self.v = (keras.layers.Dense(width) for _ in range(3))
        self.width = width

    def call(self, x, memory, hidden):
        scores = ops.matmul(self.q(x), ops.transpose(self.k(memory), (0, 2, 1))) / self.width**0.5
        hidden = ops.convert_to_tensor(hidden, dtype="float32")
        return ops.matmul(ops.softmax(scores - 1e9 * hidden, axis=-1), self.v(memory))

class Heads(keras.layers.Layer):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.parts = [Head(dim // num_heads) for _ in range(num_heads)]
        self.mix = keras.layers.Dense(dim)

    def call(self, x, memory, hidden):
        return self.mix(ops.concatenate([part(x, memory, hidden=hidden) for part in self.parts], axis=-1))

class Steps(keras.layers.Layer):
    def __init__(self, dim, num_heads, ff_dim, dropout, attentions, norm_first=True):
        super().__init__()
        self.heads = [Heads(dim, num_heads) for _ in range(attentions)]
        self.norms = [keras.layers.LayerNormalization() for _ in range(attentions + 1)]
        self.ff = [keras.layers.Dense(ff_dim, "relu"), keras.layers.Dense(dim)]
        self.drop = keras.layers.Dropout(dropout)
        self.norm_first = norm_first

    def call(self, x, memory=None, hidden=()):
        for i, norm in enumerate(self.norms):
            y = norm(x) if self.norm_first else x
            if i == 0:
                y = self.heads[0](y, y, hidden=hidden[0])
            elif i < len(self.heads):
                y = self.heads[1](y, memory, hidden=hidden[1])
            else:
                y = self.ff[1](self.ff[0](y))
            x = x + self.drop(y)
            x = x if self.norm_first else norm(x)
        return x

class Continuous(keras.Model):
    def __init__(self, dim, num_heads, ff_dim, encoders, decoders, dropout):
        super().__init__()
        self.enc = [Steps(dim, num_heads, ff_dim, dropout, 1) for _ in range(encoders)]
        self.dec = [Steps(dim, num_heads, ff_dim, dropout, 2) for _ in range(decoders)]
        self.out = keras.layers.Dense(dim)

    def call(self, inputs):
        memory, x = inputs
        for block in self.enc:
            memory = block(memory, hidden=[np.zeros((1, 1), "float32")])
        hidden = np.triu(np.ones((x.shape[1], x.shape[1]), "float32"), k=1)
        for block in self.dec:
            x = block(x, memory=memory, hidden=[hidden, np.zeros((1, 1), "float32")])
        return self.out(x)

def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    return Continuous(dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout)


# %% task="token-model"
class Words(keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights):
        super().__init__()
        sizes = (d_model, num_heads, ff_dim, dropout)
        self.tables = [TokenEmbedding(vocab_size, d_model, max_len, dropout) for _ in range(2 - tie_weights)]
        self.enc = [Steps(*sizes, 1, norm_first) for _ in range(num_layers)]
        self.dec = [Steps(*sizes, 2, norm_first) for _ in range(num_layers)]
        self.norms = [keras.layers.LayerNormalization() for _ in range(2)] if norm_first else []
        self.dense = [] if tie_weights else [keras.layers.Dense(vocab_size)]

    def call(self, inputs):
        source, target = inputs
        pad = [ops.cast(ops.equal(ids, 0), "float32")[:, None, :] for ids in inputs]
        memory = self.tables[0](source)
        for block in self.enc:
            memory = block(memory, hidden=[pad[0]])
        if self.norms:
            memory = self.norms[0](memory)
        ahead = np.triu(np.ones((target.shape[1], target.shape[1]), "float32"), k=1)
        x = self.tables[-1](target)
        for block in self.dec:
            x = block(x, memory=memory, hidden=[ops.maximum(ahead, pad[1]), pad[0]])
        if self.norms:
            x = self.norms[1](x)
        if self.dense:
            return self.dense[0](x)
        return ops.matmul(x, ops.transpose(self.tables[0].embedding.embeddings))

def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    return Words(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
