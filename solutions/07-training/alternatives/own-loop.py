# %% [markdown] backends="tensorflow"
# a subclassed model around the Transformer, trained with train_on_batch in a loop of its own


# %% task="trained-model"
class Translator(keras.Model):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def call(self, inputs, training=None):
        return self.inner(inputs, training=training)


def train(train_source, train_target, vocab_size, max_len, seed):
    keras.utils.set_random_seed(seed)
    inner = build_transformer(vocab_size, max_len, 2, 64, 4, 128, dropout=0.0, norm_first=True)
    model = Translator(inner)
    rng = np.random.default_rng(seed)
    epochs, size = 8, 128
    total = epochs * -(-len(train_source) // size)
    rate = keras.optimizers.schedules.CosineDecay(0.0, total - total // 10, warmup_target=2e-3, warmup_steps=total // 10)
    model.compile(optimizer=keras.optimizers.Adam(rate, beta_1=0.9, beta_2=0.98, epsilon=1e-9), loss=masked_loss)
    for epoch in range(epochs):
        order = rng.permutation(len(train_source))
        for first in range(0, len(order), size):
            rows = order[first : first + size]
            source, target = train_source[rows], train_target[rows]
            model.train_on_batch([source, target[:, :-1]], target[:, 1:])
    return model
