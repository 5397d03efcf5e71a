# %% [markdown]
# attention and network written anew beside the model: weights (outputs, inputs), every num_heads-th feature to a head


# %% task="token-model"
class Linear(keras.layers.Layer):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = self.add_weight(shape=(out_features, in_features), initializer="he_uniform", name="weight")
        self.bias = self.add_weight(shape=(out_features,), initializer="zeros", name="bias")

    def call(self, x):
        return ops.matmul(x, ops.transpose(self.weight)) + self.bias

class Sublayer(keras.layers.Layer):
    def __init__(self, d_model, dropout, norm_first):
        super().__init__()
        self.norm, self.drop = keras.layers.LayerNormalization(epsilon=1e-6), keras.layers.Dropout(dropout)
        self.norm_first = norm_first

    def compute_mask(self, *args, **kwargs):
        return None

    def call(self, x, memory=None, hidden=None):
        y = self.norm(x) if self.norm_first else x
        y = x + self.drop(self.work(y, y if memory is None else memory, hidden))
        return y if self.norm_first else self.norm(y)

class Attend(Sublayer):
    def __init__(self, d_model, num_heads, dropout, norm_first):
        super().__init__(d_model, dropout, norm_first)
        self.q, self.k, self.v, self.o = (Linear(d_model, d_model) for _ in range(4))
        self.heads = num_heads

    def work(self, x, memory, hidden):
        def dealt(y):
            batch, length, width = ops.shape(y)
            return ops.transpose(ops.reshape(y, (batch, length, width // self.heads, self.heads)), (0, 3, 1, 2))

        q, k, v = dealt(self.q(x)), dealt(self.k(memory)), dealt(self.v(memory))
        scores = ops.matmul(q, ops.swapaxes(k, -1, -2)) / q.shape[-1] ** 0.5
        weights = ops.softmax(scores if hidden is None else scores - 1e9 * hidden)
        return self.o(ops.reshape(ops.transpose(ops.matmul(weights, v), (0, 2, 3, 1)), ops.shape(x)))

class Network(Sublayer):
    def __init__(self, d_model, ff_dim, dropout, norm_first):
        super().__init__(d_model, dropout, norm_first)
        self.first, self.second = Linear(d_model, ff_dim), Linear(ff_dim, d_model)

    def work(self, x, memory, hidden):
        return self.second(self.drop(ops.relu(self.first(x))))

class Translator(keras.Model):
    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights):
        super().__init__()
        self.tables = [TokenEmbedding(vocab_size, d_model, max_len, dropout) for _ in range(1 if tie_weights else 2)]

        def stack(attentions):
            steps = [Attend(d_model, num_heads, dropout, norm_first) for _ in range(attentions)]
            return [*steps, Network(d_model, ff_dim, dropout, norm_first)]

        self.encoder, self.decoder = [[stack(n) for _ in range(num_layers)] for n in (1, 2)]
        self.ends = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(2 if norm_first else 0)]
        self.generator = None if tie_weights else Linear(d_model, vocab_size)

    def call(self, inputs):
        source, target = inputs
        padding, hidden = create_padding_mask(source), create_decoder_mask(target)
        memory, x = self.tables[0](source), self.tables[-1](target)
        for attention, network in self.encoder:
            memory = network(attention(memory, hidden=padding))
        memory = self.ends[0](memory) if self.ends else memory
        for attention, cross, network in self.decoder:
            x = network(cross(attention(x, hidden=hidden), memory, hidden=padding))
        x = self.ends[1](x) if self.ends else x
        if self.generator is None:
            return ops.matmul(x, ops.transpose(self.tables[0].trainable_weights[0]))
        return self.generator(x)

def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    model = Translator(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
    model([np.ones((1, 3), "int32"), np.ones((1, 2), "int32")])
    return model
