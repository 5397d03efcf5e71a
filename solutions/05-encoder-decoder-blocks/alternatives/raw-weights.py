# %% [markdown]
# every kernel and vector a weight of the block itself, in an order of its own


# %% task="layer-norm"
def layer_norm(x, gamma, beta, epsilon=1e-6):
    x = np.asarray(x)
    d = x - x.mean(-1, keepdims=True)
    return gamma * d / np.sqrt((d * d).mean(-1, keepdims=True) + epsilon) + beta


# %% task="encoder-block"
def norm_of(x, g, b):
    d = x - keras.ops.mean(x, axis=-1, keepdims=True)
    return g * d / keras.ops.sqrt(keras.ops.mean(d * d, axis=-1, keepdims=True) + 1e-6) + b

def attention_of(q, kv, p, heads, mask):
    def split(z):
        b, n, d = keras.ops.shape(z)
        return keras.ops.transpose(keras.ops.reshape(z, (b, n, heads, d // heads)), (0, 2, 1, 3))
    q, k, v = split(q @ p["wq"] + p["bq"]), split(kv @ p["wk"] + p["bk"]), split(kv @ p["wv"] + p["bv"])
    s = keras.ops.matmul(q, keras.ops.transpose(k, (0, 1, 3, 2))) * q.shape[-1] ** -0.5
    if mask is not None:
        s = keras.ops.where(keras.ops.cast(mask, "bool"), -1e9, s)
    y = keras.ops.transpose(keras.ops.matmul(keras.ops.softmax(s), v), (0, 2, 1, 3))
    b, n, h, d = keras.ops.shape(y)
    return keras.ops.reshape(y, (b, n, h * d)) @ p["wo"] + p["bo"]

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.w1, self.c1 = self.add_weight(shape=(d_model, ff_dim)), self.add_weight(shape=(ff_dim,), initializer="zeros")
        self.w2, self.c2 = self.add_weight(shape=(ff_dim, d_model)), self.add_weight(shape=(d_model,), initializer="zeros")
        for name in ("o", "v", "k", "q"):
            setattr(self, f"w{name}", self.add_weight(shape=(d_model, d_model)))
        for name in ("o", "v", "k", "q"):
            setattr(self, f"b{name}", self.add_weight(shape=(d_model,), initializer="zeros"))
        self.gamma_1 = self.add_weight(shape=(d_model,), initializer="ones")
        self.beta_1 = self.add_weight(shape=(d_model,), initializer="zeros")
        self.gamma_2 = self.add_weight(shape=(d_model,), initializer="ones")
        self.beta_2 = self.add_weight(shape=(d_model,), initializer="zeros")
        self.drop = keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        p = {name: getattr(self, name) for name in ("wq", "wk", "wv", "wo", "bq", "bk", "bv", "bo")}
        heads = self.given["num_heads"]
        attend = lambda y: self.drop(attention_of(y, y, p, heads, mask))
        work = lambda y: self.drop(self.drop(keras.ops.relu(y @ self.w1 + self.c1)) @ self.w2 + self.c2)
        norm_1 = lambda y: norm_of(y, self.gamma_1, self.beta_1)
        norm_2 = lambda y: norm_of(y, self.gamma_2, self.beta_2)
        if self.given["norm_first"]:
            x = x + attend(norm_1(x))
            return x + work(norm_2(x))
        x = norm_1(x + attend(x))
        return norm_2(x + work(x))

    def get_config(self):
        return super().get_config() | self.given
