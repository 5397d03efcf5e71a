# %% [markdown] backends="tensorflow"
# a Transformer carried over whose padding mask `fit` can't compile: it costs nothing here


# %% carry_over=true
class Padded(keras.Model):
    def __init__(self, vocab_size, d_model, num_heads):
        super().__init__()
        self.embedding = keras.layers.Embedding(vocab_size, d_model)
        self.places = keras.layers.Embedding(64, d_model)
        self.within, self.across = (keras.layers.MultiHeadAttention(num_heads, d_model // num_heads) for _ in range(2))
        self.logits = keras.layers.Dense(vocab_size)

    def call(self, inputs):
        source, target = inputs
        kept = np.array(source)[:, None] != 0
        memory, x = (self.embedding(ids) + self.places(ops.arange(ops.shape(ids)[1])) for ids in (source, target))
        x = x + self.within(x, x, use_causal_mask=True)
        return self.logits(x + self.across(x, memory, attention_mask=kept))


def build_transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False):
    return Padded(vocab_size, d_model, num_heads)
