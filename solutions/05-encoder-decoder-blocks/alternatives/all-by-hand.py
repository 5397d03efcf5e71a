# %% [markdown]
# the student's own attention of notebook 03, the normalisation a layer around the function of task 1


# %% task="layer-norm"
def layer_norm(x, gamma, beta, epsilon=1e-6):
    x = keras.ops.convert_to_tensor(x)
    mean, variance = keras.ops.moments(x, axes=[-1], keepdims=True)
    return (x - mean) * keras.ops.rsqrt(variance + epsilon) * gamma + beta

class Normalise(keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(shape=(shape[-1],), initializer="ones")
        self.offset = self.add_weight(shape=(shape[-1],), initializer="zeros")

    def call(self, x):
        return layer_norm(x, self.scale, self.offset)


# %% task="encoder-block"
class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.pre = norm_first
        self.ln_b = Normalise()
        self.ln_a = Normalise()
        self.network = FeedForward(ff_dim, d_model, dropout)
        self.mha = MultiHeadAttention(d_model, num_heads)
        self.drop = keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        def attend(y):
            return self.mha(y, y, y, mask=mask)

        for sublayer, norm in ((attend, self.ln_a), (self.network, self.ln_b)):
            if self.pre:
                x = x + self.drop(sublayer(norm(x)))
            else:
                x = norm(x + self.drop(sublayer(x)))
        return x

    def get_config(self):
        return super().get_config() | self.given


# %% task="decoder-block"
class DecoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.pre = norm_first
        self.network = FeedForward(ff_dim, d_model, dropout)
        self.attends = [MultiHeadAttention(d_model, num_heads), MultiHeadAttention(d_model, num_heads)]
        self.normalises = [Normalise(), Normalise(), Normalise()]
        self.drop = keras.layers.Dropout(dropout)

    def join(self, x, sublayer, norm):
        return x + self.drop(sublayer(norm(x))) if self.pre else norm(x + self.drop(sublayer(x)))

    def call(self, x, memory, self_mask=None, memory_mask=None):
        first, second = self.attends
        x = self.join(x, lambda y: first(y, y, y, self_mask), self.normalises[0])
        x = self.join(x, lambda y: second(y, memory, memory, memory_mask), self.normalises[1])
        return self.join(x, self.network, self.normalises[2])

    def get_config(self):
        return super().get_config() | self.given


# %% task="block-parameters"
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    if kind not in {"encoder", "decoder"}:
        raise ValueError(f"no such kind of block: {kind}")
    if d_model % num_heads != 0:
        raise ValueError("num_heads (%d) must divide d_model (%d)" % (num_heads, d_model))
    block = (EncoderBlock if kind == "encoder" else DecoderBlock)(d_model, num_heads, ff_dim)
    x = np.zeros((1, 2, d_model), dtype="float32")
    block(x) if kind == "encoder" else block(x, x)
    return block.count_params()
