# %% [markdown]
# the vector of id 0 is 0 before the positions are added, as PyTorch's padding_idx has it


# %% task="token-embedding"
class TokenEmbedding(keras.layers.Layer):
    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.vocab_size, self.d_model, self.max_len, self.rate = vocab_size, d_model, max_len, dropout
        self.embedding = keras.layers.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(max_len, d_model)
        self.drop = keras.layers.Dropout(dropout)

    def call(self, token_ids, training=None):
        is_token = ops.cast(ops.not_equal(token_ids, 0), "float32")
        x = self.embedding(token_ids) * ops.expand_dims(is_token, -1) * self.d_model**0.5
        return self.drop(self.positions(x), training=training)

    def compute_output_shape(self, shape):
        return (*shape, self.d_model)

    def get_config(self):
        own = {"vocab_size": self.vocab_size, "d_model": self.d_model, "max_len": self.max_len, "dropout": self.rate}
        return {**super().get_config(), **own}
