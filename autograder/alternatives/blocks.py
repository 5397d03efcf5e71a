"""Right answers to `05-encoder-decoder-blocks` in other styles."""

from __future__ import annotations

from autograder.alternatives import Alternative

__all__ = ["ALTERNATIVES"]

CHECK = """
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} can't be shared by num_heads={num_heads}")"""

CONFIG = """
    def get_config(self):
        return super().get_config() | self.given
"""

ALTERNATIVES: tuple[Alternative, ...] = (
    Alternative(
        "all-by-hand",
        "the student's own attention of notebook 03, the normalisation a layer around the function of task 1",
        {
            "layer-norm": """
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
""",
            "encoder-block": f"""
class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
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
{CONFIG}""",
            "decoder-block": f"""
class DecoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
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
{CONFIG}""",
            "block-parameters": """
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    if kind not in {"encoder", "decoder"}:
        raise ValueError(f"no such kind of block: {kind}")
    if d_model % num_heads != 0:
        raise ValueError("num_heads (%d) must divide d_model (%d)" % (num_heads, d_model))
    block = (EncoderBlock if kind == "encoder" else DecoderBlock)(d_model, num_heads, ff_dim)
    x = np.zeros((1, 2, d_model), dtype="float32")
    block(x) if kind == "encoder" else block(x, x)
    return block.count_params()
""",
        },
    ),
    Alternative(
        "raw-weights",
        "every kernel and vector a weight of the block itself, in an order of its own",
        {
            "layer-norm": """
def layer_norm(x, gamma, beta, epsilon=1e-6):
    x = np.asarray(x)
    d = x - x.mean(-1, keepdims=True)
    return gamma * d / np.sqrt((d * d).mean(-1, keepdims=True) + epsilon) + beta
""",
            "encoder-block": f"""
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
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.w1, self.c1 = self.add_weight(shape=(d_model, ff_dim)), self.add_weight(shape=(ff_dim,), initializer="zeros")
        self.w2, self.c2 = self.add_weight(shape=(ff_dim, d_model)), self.add_weight(shape=(d_model,), initializer="zeros")
        for name in ("o", "v", "k", "q"):
            setattr(self, f"w{{name}}", self.add_weight(shape=(d_model, d_model)))
        for name in ("o", "v", "k", "q"):
            setattr(self, f"b{{name}}", self.add_weight(shape=(d_model,), initializer="zeros"))
        self.gamma_1 = self.add_weight(shape=(d_model,), initializer="ones")
        self.beta_1 = self.add_weight(shape=(d_model,), initializer="zeros")
        self.gamma_2 = self.add_weight(shape=(d_model,), initializer="ones")
        self.beta_2 = self.add_weight(shape=(d_model,), initializer="zeros")
        self.drop = keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        p = {{name: getattr(self, name) for name in ("wq", "wk", "wv", "wo", "bq", "bk", "bv", "bo")}}
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
{CONFIG}""",
        },
    ),
    Alternative(
        "tensorflow-tutorial",
        "tf.* and tf.keras as in the TensorFlow tutorial, a Sequential inside, sublayers called `mha1`, `layernorm1`",
        {
            "layer-norm": """
import tensorflow as tf

def layer_norm(x, gamma, beta, epsilon=1e-6):
    mean, variance = tf.nn.moments(tf.convert_to_tensor(x), axes=[-1], keepdims=True)
    return tf.nn.batch_normalization(x, mean, variance, beta, gamma, epsilon)
""",
            "feed-forward": """
class FeedForward(tf.keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim, self.d_model, self.dropout = ff_dim, d_model, dropout
        self.seq = tf.keras.Sequential([
            tf.keras.layers.Dense(ff_dim, activation="relu"),
            tf.keras.layers.Dropout(dropout),
            tf.keras.layers.Dense(d_model),
        ])

    def call(self, x):
        return self.seq(x)

    def get_config(self):
        config = super().get_config()
        config.update(ff_dim=self.ff_dim, d_model=self.d_model, dropout=self.dropout)
        return config
""",
            "encoder-block": f"""
class EncoderBlock(tf.keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.norm_first = norm_first
        self.layernorm1 = tf.keras.layers.LayerNormalization(epsilon=1e-6)
        self.layernorm2 = tf.keras.layers.LayerNormalization(epsilon=1e-6)
        self.mha = tf.keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=d_model // num_heads, dropout=dropout)
        self.ffn = FeedForward(ff_dim, d_model, dropout)
        self.add = tf.keras.layers.Add()
        self.dropout1 = tf.keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None, training=None):
        attention_mask = None if mask is None else tf.logical_not(tf.cast(mask, tf.bool))
        if self.norm_first:
            y = self.layernorm1(x)
            x = self.add([x, self.mha(query=y, value=y, key=y, attention_mask=attention_mask, training=training)])
            return self.add([x, self.dropout1(self.ffn(self.layernorm2(x)), training=training)])
        y = self.mha(query=x, value=x, key=x, attention_mask=attention_mask, training=training)
        x = self.layernorm1(self.add([x, y]))
        return self.layernorm2(self.add([x, self.dropout1(self.ffn(x), training=training)]))
{CONFIG}""",
        },
        backends=("tensorflow",),
    ),
    Alternative(
        "other-order",
        "a convolution as feed-forward, sublayers made in reverse, the attention's own dropout, masks made boolean first",
        {
            "feed-forward": """
class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.numbers = (ff_dim, d_model, dropout)
        self.last = keras.layers.Conv1D(d_model, 1)
        self.between = keras.layers.Dropout(dropout)
        self.relu = keras.layers.ReLU()
        self.first = keras.layers.Conv1D(ff_dim, kernel_size=1)

    def call(self, x, training=None):
        return self.last(self.between(self.relu(self.first(x)), training=training))

    def get_config(self):
        return super().get_config() | dict(zip(("ff_dim", "d_model", "dropout"), self.numbers))
""",
            "decoder-block": f"""
class DecoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        make = lambda: keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=dropout)
        self.c = keras.layers.LayerNormalization(epsilon=1e-6)
        self.b = keras.layers.LayerNormalization(epsilon=1e-6)
        self.a = keras.layers.LayerNormalization(epsilon=1e-6)
        self.ff = FeedForward(ff_dim, d_model, dropout)
        self.look = make()
        self.talk = make()
        self.drop = keras.layers.Dropout(dropout)

    def call(self, x, memory, self_mask=None, memory_mask=None, training=None):
        flip = lambda mask: None if mask is None else keras.ops.logical_not(keras.ops.cast(mask, "bool"))
        own, other = flip(self_mask), flip(memory_mask)
        talk = lambda y: self.talk(y, y, attention_mask=own, training=training)
        look = lambda y: self.look(y, memory, attention_mask=other, training=training)
        work = lambda y: self.ff(y, training=training)
        for norm, sublayer in ((self.a, talk), (self.b, look), (self.c, work)):
            if self.given["norm_first"]:
                x = keras.ops.add(x, self.drop(sublayer(norm(x)), training=training))
            else:
                x = norm(keras.ops.add(x, self.drop(sublayer(x), training=training)))
        return x
{CONFIG}""",
            "block-parameters": """
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    n = {"encoder": 1, "decoder": 2}.get(kind)
    if n is None:
        raise ValueError(f"kind: {kind!r}")
    if d_model % num_heads:
        raise ValueError(f"d_model: {d_model}")
    return np.int64(n * 4 * d_model * (d_model + 1) + (2 * d_model + 1) * ff_dim + d_model + (n + 1) * 2 * d_model)
""",
        },
    ),
    Alternative(
        "one-kernel-for-all",
        "query, key and value in one dense layer, as GPT-2 has it; key and value of the memory in one",
        {
            "encoder-block": f"""
class SelfAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.c_attn = keras.layers.Dense(3 * d_model)
        self.c_proj = keras.layers.Dense(d_model)

    def call(self, x, hidden=None):
        q, k, v = keras.ops.split(self.c_attn(x), 3, axis=-1)
        return self.c_proj(attend_with(q, k, v, self.num_heads, hidden))

def attend_with(q, k, v, num_heads, hidden):
    def split(z):
        b, n, d = keras.ops.shape(z)
        return keras.ops.reshape(z, (b, n, num_heads, d // num_heads))
    q, k, v = split(q), split(k), split(v)
    scores = keras.ops.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
    if hidden is not None:
        scores = keras.ops.where(keras.ops.cast(hidden, "bool"), -1e9, scores)
    y = keras.ops.einsum("bhqk,bkhd->bqhd", keras.ops.softmax(scores), v)
    b, n, h, d = keras.ops.shape(y)
    return keras.ops.reshape(y, (b, n, h * d))

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.ln_1 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.attn = SelfAttention(d_model, num_heads)
        self.ln_2 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.mlp = FeedForward(ff_dim, d_model, dropout)
        self.resid_drop = keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        if self.given["norm_first"]:
            x = x + self.resid_drop(self.attn(self.ln_1(x), mask))
            return x + self.resid_drop(self.mlp(self.ln_2(x)))
        x = self.ln_1(x + self.resid_drop(self.attn(x, mask)))
        return self.ln_2(x + self.resid_drop(self.mlp(x)))
{CONFIG}""",
            "decoder-block": f"""
class CrossAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.q = keras.layers.Dense(d_model)
        self.kv = keras.layers.Dense(2 * d_model)
        self.proj = keras.layers.Dense(d_model)

    def call(self, x, memory, hidden=None):
        k, v = keras.ops.split(self.kv(memory), 2, axis=-1)
        return self.proj(attend_with(self.q(x), k, v, self.num_heads, hidden))

class DecoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.norm = {{n: keras.layers.LayerNormalization(epsilon=1e-6) for n in ("own", "other", "work")}}
        self.own = SelfAttention(d_model, num_heads)
        self.other = CrossAttention(d_model, num_heads)
        self.work = FeedForward(ff_dim, d_model, dropout)
        self.drop = keras.layers.Dropout(dropout)

    def call(self, x, memory, self_mask=None, memory_mask=None):
        steps = {{
            "own": lambda y: self.own(y, self_mask),
            "other": lambda y: self.other(y, memory, memory_mask),
            "work": lambda y: self.work(y),
        }}
        for name, step in steps.items():
            norm = self.norm[name]
            x = x + self.drop(step(norm(x))) if self.given["norm_first"] else norm(x + self.drop(step(x)))
        return x
{CONFIG}""",
        },
    ),
    Alternative(
        "einsum-heads-first",
        "kernels with the heads in front, einsum throughout, a residual wrapper, no word in any name",
        {
            "encoder-block": f"""
class Att(keras.layers.Layer):
    def __init__(self, d, h, **kwargs):
        super().__init__(**kwargs)
        s = d // h
        self.u = [self.add_weight(shape=(h, d, s)) for _ in range(3)]
        self.t = [self.add_weight(shape=(h, s), initializer="zeros") for _ in range(3)]
        self.u4 = self.add_weight(shape=(h, s, d))
        self.t4 = self.add_weight(shape=(d,), initializer="zeros")

    def call(self, x, m, hidden=None):
        parts = [keras.ops.einsum("bnd,hds->bhns", z, u) + t[:, None] for z, u, t in zip((m, x, m), self.u, self.t)]
        v, q, k = parts
        scores = keras.ops.einsum("bhqs,bhks->bhqk", q, k) / k.shape[-1] ** 0.5
        if hidden is not None:
            scores = scores - 1e9 * keras.ops.cast(hidden, "float32")
        return keras.ops.einsum("bhqk,bhks,hsd->bqd", keras.ops.softmax(scores), v, self.u4) + self.t4

class Around(keras.layers.Layer):
    def __init__(self, inner, rate, first, **kwargs):
        super().__init__(**kwargs)
        self.inner, self.first = inner, first
        self.n = keras.layers.LayerNormalization(epsilon=1e-6)
        self.d = keras.layers.Dropout(rate)

    def call(self, x, *more):
        if self.first:
            return x + self.d(self.inner(self.n(x), *more))
        return self.n(x + self.d(self.inner(x, *more)))

class Self(Att):
    def call(self, x, hidden=None):
        return super().call(x, x, hidden)

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.one = Around(Self(d_model, num_heads), dropout, norm_first)
        self.two = Around(FeedForward(ff_dim, d_model, dropout), dropout, norm_first)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        return self.two(self.one(x, mask))
{CONFIG}""",
            "decoder-block": f"""
class DecoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.three = Around(FeedForward(ff_dim, d_model, dropout), dropout, norm_first)
        self.two = Around(Att(d_model, num_heads), dropout, norm_first)
        self.one = Around(Self(d_model, num_heads), dropout, norm_first)

    def call(self, x, memory, self_mask=None, memory_mask=None):
        return self.three(self.two(self.one(x, self_mask), memory, memory_mask))
{CONFIG}""",
        },
    ),
    Alternative(
        "subclass-and-lists",
        "the decoder block inherits from the encoder block; projections in a list, dealt to the heads in turn",
        {
            "encoder-block": f"""
class Heads(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.parts = [keras.layers.Dense(d_model) for _ in range(4)]

    def call(self, x, memory, mask=None):
        def deal(z):  # every num_heads-th feature to a head
            b, n, d = keras.ops.shape(z)
            return keras.ops.transpose(keras.ops.reshape(z, (b, n, d // self.num_heads, self.num_heads)), (0, 3, 1, 2))
        to_output, to_key, to_query, to_value = self.parts
        q, k, v = deal(to_query(x)), deal(to_key(memory)), deal(to_value(memory))
        scores = keras.ops.matmul(q, keras.ops.swapaxes(k, -1, -2)) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores - 1e9 * keras.ops.cast(mask, scores.dtype)
        y = keras.ops.transpose(keras.ops.matmul(keras.ops.softmax(scores), v), (0, 2, 3, 1))
        b, n, d, h = keras.ops.shape(y)
        return to_output(keras.ops.reshape(y, (b, n, d * h)))

class EncoderBlock(keras.layers.Layer):
    sublayers = 2

    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.steps = [Heads(d_model, num_heads) for _ in range(self.sublayers - 1)] + [FeedForward(ff_dim, d_model, dropout)]
        self.drops = [keras.layers.Dropout(dropout) for _ in self.steps]
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in self.steps]

    def compute_mask(self, x, previous_mask=None):
        return None

    def around(self, i, x, *more):
        if self.given["norm_first"]:
            y = self.norms[i](x)
            return x + self.drops[i](self.steps[i](y, *(y if m is x else m for m in more)))
        return self.norms[i](x + self.drops[i](self.steps[i](x, *more)))

    def call(self, x, mask=None):
        return self.around(1, self.around(0, x, x, mask))
{CONFIG}""",
            "decoder-block": """
class DecoderBlock(EncoderBlock):
    sublayers = 3

    def call(self, x, memory, self_mask=None, memory_mask=None):
        x = self.around(0, x, x, self_mask)
        x = self.around(1, x, memory, memory_mask)
        return self.around(2, x)
""",
        },
    ),
    Alternative(
        "functional-inside",
        "the block builds a functional model for what needs no mask, and Keras's layer gets integer masks",
        {
            "feed-forward": """
class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.made_of = {"ff_dim": ff_dim, "d_model": d_model, "dropout": dropout}
        inputs = keras.Input((None, d_model))
        hidden = keras.layers.Dropout(dropout)(keras.layers.Dense(ff_dim, "relu")(inputs))
        self.model = keras.Model(inputs, keras.layers.Dense(d_model)(hidden))

    def call(self, x):
        return self.model(x)

    def get_config(self):
        return {**super().get_config(), **self.made_of}
""",
            "encoder-block": f"""
class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        x = keras.Input((None, d_model))
        norm, drop = keras.layers.LayerNormalization(epsilon=1e-6), keras.layers.Dropout(dropout)
        work = FeedForward(ff_dim, d_model, dropout)
        y = keras.layers.Add()([x, drop(work(norm(x)))]) if norm_first else norm(keras.layers.Add()([x, drop(work(x))]))
        self.second = keras.Model(x, y)
        self.norm = keras.layers.LayerNormalization(epsilon=1e-6)
        self.first = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)
        self.drop = keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        if mask is not None:
            mask = 1 - keras.ops.cast(mask, "int32")
        if self.given["norm_first"]:
            y = self.norm(x)
            return self.second(x + self.drop(self.first(y, y, attention_mask=mask)))
        return self.second(self.norm(x + self.drop(self.first(x, x, attention_mask=mask))))
{CONFIG}""",
        },
    ),
    Alternative(
        "a-layer-a-head",
        "a list of heads, each with three dense layers of its own, as in widely read code; weights added in `build`",
        {
            "layer-norm": """
def layer_norm(x, gamma, beta, epsilon=1e-6):
    x = ops.convert_to_tensor(x)
    return ops.layer_normalization(x, ops.cast(gamma, x.dtype), ops.cast(beta, x.dtype), axis=-1, epsilon=epsilon)
""",
            "feed-forward": """
class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim: int, d_model: int, dropout: float = 0.1, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim, self.d_model, self.dropout = ff_dim, d_model, dropout
        self.seeds = keras.random.SeedGenerator(1)

    def build(self, input_shape):
        self.w1 = self.add_weight(shape=(input_shape[-1], self.ff_dim), initializer="glorot_uniform", name="w1")
        self.b1 = self.add_weight(shape=(self.ff_dim,), initializer="zeros", name="b1")
        self.w2 = self.add_weight(shape=(self.ff_dim, self.d_model), initializer="glorot_uniform", name="w2")
        self.b2 = self.add_weight(shape=(self.d_model,), initializer="zeros", name="b2")

    def call(self, x, training=None):
        h = ops.maximum(0.0, ops.einsum("btd,df->btf", x, self.w1) + self.b1)
        if training and self.dropout > 0:
            h = keras.random.dropout(h, self.dropout, seed=self.seeds)
        return ops.matmul(h, self.w2) + self.b2

    def get_config(self):
        return {**super().get_config(), "ff_dim": self.ff_dim, "d_model": self.d_model, "dropout": self.dropout}
""",
            "encoder-block": f"""
class Head(keras.layers.Layer):
    def __init__(self, head_size, **kwargs):
        super().__init__(**kwargs)
        self.key = keras.layers.Dense(head_size)
        self.query = keras.layers.Dense(head_size)
        self.value = keras.layers.Dense(head_size)
        self.scale = head_size**-0.5

    def call(self, x, memory, mask=None):
        wei = ops.matmul(self.query(x), ops.transpose(self.key(memory), (0, 2, 1))) * self.scale
        if mask is not None:
            wei = ops.where(ops.cast(mask, "bool"), -1e9, wei)
        return ops.matmul(ops.softmax(wei, axis=-1), self.value(memory))

class Heads(keras.layers.Layer):
    def __init__(self, num_heads, d_model, **kwargs):
        super().__init__(**kwargs)
        self.heads = [Head(d_model // num_heads) for _ in range(num_heads)]
        self.proj = keras.layers.Dense(d_model)

    def call(self, x, memory, mask=None):
        if mask is not None and len(mask.shape) == 4:
            mask = mask[:, 0]
        return self.proj(ops.concatenate([h(x, memory, mask) for h in self.heads], axis=-1))

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.sa = Heads(num_heads, d_model)
        self.ffwd = FeedForward(ff_dim, d_model, dropout)
        self.ln1 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.ln2 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.drop = keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        if self.given["norm_first"]:
            y = self.ln1(x)
            x = x + self.drop(self.sa(y, y, mask))
            return x + self.drop(self.ffwd(self.ln2(x)))
        x = self.ln1(x + self.drop(self.sa(x, x, mask)))
        return self.ln2(x + self.drop(self.ffwd(x)))
{CONFIG}""",
            "decoder-block": f"""
class DecoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.ca = Heads(num_heads, d_model)
        self.sa = Heads(num_heads, d_model)
        self.ffwd = FeedForward(ff_dim, d_model, dropout)
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(3)]
        self.drop = keras.layers.Dropout(dropout)

    def call(self, x, memory, self_mask=None, memory_mask=None):
        steps = [lambda y: self.sa(y, y, self_mask), lambda y: self.ca(y, memory, memory_mask), self.ffwd]
        for step, norm in zip(steps, self.norms):
            x = x + self.drop(step(norm(x))) if self.given["norm_first"] else norm(x + self.drop(step(x)))
        return x
{CONFIG}""",
            "block-parameters": """
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    if kind not in {"encoder", "decoder"}:
        raise ValueError(f"unknown kind {kind!r}")
    if d_model % num_heads != 0:
        raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
    x = np.zeros((1, 2, d_model), dtype="float32")
    block = {"encoder": EncoderBlock, "decoder": DecoderBlock}[kind](d_model, num_heads, ff_dim)
    block(*[x] * (1 if kind == "encoder" else 2))
    return block.count_params()
""",
        },
    ),
    Alternative(
        "lazily-built",
        "a dataclass for the numbers, sublayers made in `build`, a keras.Model of layers over time, Keras's attention op",
        {
            "feed-forward": """
class FeedForward(keras.Model):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.config = {"ff_dim": ff_dim, "d_model": d_model, "dropout": dropout}
        self.up = keras.layers.TimeDistributed(keras.layers.Dense(ff_dim))
        self.act = keras.layers.Activation("relu")
        self.drop = keras.layers.Dropout(dropout)
        self.down = keras.layers.TimeDistributed(keras.layers.Dense(d_model))

    def call(self, x, training=False):
        return self.down(self.act(self.drop(self.up(x), training=training)))

    def get_config(self):
        return {**super().get_config(), **self.config}
""",
            "encoder-block": """
from dataclasses import asdict, dataclass

@dataclass
class BlockConfig:
    d_model: int
    num_heads: int
    ff_dim: int
    dropout: float = 0.1
    norm_first: bool = True

    def __post_init__(self):
        if self.d_model % self.num_heads != 0:
            raise ValueError(f"num_heads must divide d_model, got num_heads={self.num_heads}, d_model={self.d_model}")

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        self.cfg = BlockConfig(d_model, num_heads, ff_dim, dropout, norm_first)

    def build(self, input_shape):
        c = self.cfg
        self.ffn = FeedForward(c.ff_dim, c.d_model, c.dropout)
        self.ln = [keras.layers.LayerNormalization(axis=-1, epsilon=1e-6) for _ in range(2)]
        self.mha = keras.layers.MultiHeadAttention(c.num_heads, c.d_model // c.num_heads, output_shape=c.d_model)
        self.do = [keras.layers.Dropout(c.dropout) for _ in range(2)]
        super().build(input_shape)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None, training=None):
        if mask is not None:
            mask = ops.convert_to_tensor(mask)
            mask = 1.0 - ops.cast(mask[:, 0] if len(mask.shape) == 4 else mask[None], "float32")

        def attend(y):
            return self.mha(query=y, key=y, value=y, attention_mask=mask, training=training)

        for f, ln, do in zip((attend, self.ffn), self.ln, self.do):
            if self.cfg.norm_first:
                x = ops.add(x, do(f(ln(x)), training=training))
            else:
                x = ln(ops.add(x, do(f(x), training=training)))
        return x

    def get_config(self):
        return {**super().get_config(), **asdict(self.cfg)}
""",
        },
    ),
    Alternative(
        "as-in-pytorch",
        "weights (outputs, inputs) with one for queries, keys and values, vectors with axes of 1, the network's weights side by side",
        {
            "feed-forward": """
class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim, self.d_model, self.dropout = ff_dim, d_model, dropout
        self.drop = keras.layers.Dropout(dropout)
        self.weight1 = self.add_weight(shape=(ff_dim, d_model), initializer="he_uniform", name="weight1")
        self.bias1 = self.add_weight(shape=(1, ff_dim), initializer="zeros", name="bias1")
        self.weight2 = self.add_weight(shape=(d_model, ff_dim), initializer="he_uniform", name="weight2")
        self.bias2 = self.add_weight(shape=(1, d_model), initializer="zeros", name="bias2")

    def call(self, x, training=None):
        hidden = ops.relu(ops.matmul(x, ops.transpose(self.weight1)) + self.bias1)
        return ops.matmul(self.drop(hidden, training=training), ops.transpose(self.weight2)) + self.bias2

    def get_config(self):
        return {**super().get_config(), "ff_dim": self.ff_dim, "d_model": self.d_model, "dropout": self.dropout}
""",
            "encoder-block": f"""
class Attend(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.width, self.heads = d_model, num_heads
        self.in_proj_weight = self.add_weight(shape=(3 * d_model, d_model), initializer="glorot_uniform")
        self.in_proj_bias = self.add_weight(shape=(3 * d_model,), initializer="zeros")
        self.out_proj_weight = self.add_weight(shape=(d_model, d_model), initializer="glorot_uniform")
        self.out_proj_bias = self.add_weight(shape=(d_model,), initializer="zeros")

    def compute_mask(self, *args, **kwargs):
        return None

    def call(self, x, memory, mask=None):
        weights, biases = ops.split(self.in_proj_weight, 3), ops.split(self.in_proj_bias, 3)

        def part(i, y):
            y = ops.matmul(y, ops.transpose(weights[i])) + biases[i]
            return ops.swapaxes(ops.reshape(y, (*ops.shape(y)[:2], self.heads, self.width // self.heads)), 1, 2)

        q, k, v = part(0, x), part(1, memory), part(2, memory)
        scores = ops.matmul(q, ops.swapaxes(k, -1, -2)) / (self.width // self.heads) ** 0.5
        if mask is not None:
            scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
        y = ops.swapaxes(ops.matmul(ops.softmax(scores), v), 1, 2)
        return ops.matmul(ops.reshape(y, (*ops.shape(y)[:2], self.width)), ops.transpose(self.out_proj_weight)) + self.out_proj_bias

class LayerNorm(keras.layers.Layer):
    def build(self, shape):
        self.weight = self.add_weight(shape=(1, 1, shape[-1]), initializer="ones", name="weight")
        self.bias = self.add_weight(shape=(1, 1, shape[-1]), initializer="zeros", name="bias")

    def call(self, x):
        mean, variance = ops.moments(x, axes=-1, keepdims=True)
        return (x - mean) / ops.sqrt(variance + 1e-6) * self.weight + self.bias

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.self_attn, self.network = Attend(d_model, num_heads), FeedForward(ff_dim, d_model, dropout)
        self.norm1, self.norm2 = LayerNorm(), LayerNorm()
        self.dropout1, self.dropout2 = keras.layers.Dropout(dropout), keras.layers.Dropout(dropout)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None, training=None):
        if self.given["norm_first"]:
            y = self.norm1(x)
            x = x + self.dropout1(self.self_attn(y, y, mask), training=training)
            return x + self.dropout2(self.network(self.norm2(x), training=training), training=training)
        x = self.norm1(x + self.dropout1(self.self_attn(x, x, mask), training=training))
        return self.norm2(x + self.dropout2(self.network(x, training=training), training=training))
{CONFIG}""",
        },
    ),
    Alternative(
        "one-weight-a-head-dealt",
        "one dense layer for queries, keys and values, of which each head takes its three parts side by side",
        {
            "encoder-block": f"""
class Mix(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.width, self.heads = d_model, num_heads
        self.qkv_proj, self.o_proj = keras.layers.Dense(3 * d_model), keras.layers.Dense(d_model)

    def compute_mask(self, *args, **kwargs):
        return None

    def call(self, x, mask=None):
        y = self.qkv_proj(x)
        y = ops.transpose(ops.reshape(y, (*ops.shape(x)[:2], self.heads, 3 * self.width // self.heads)), (0, 2, 1, 3))
        q, k, v = ops.split(y, 3, axis=-1)
        scores = ops.einsum("bhqd,bhkd->bhqk", q, k) / (self.width // self.heads) ** 0.5
        if mask is not None:
            scores = ops.where(ops.equal(mask, 1), -9e15, scores)
        y = ops.einsum("bhqk,bhkd->bqhd", ops.softmax(scores), v)
        return self.o_proj(ops.reshape(y, ops.shape(x)))

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.steps = [Mix(d_model, num_heads), FeedForward(ff_dim, d_model, dropout)]
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in self.steps]
        self.drops = [keras.layers.Dropout(dropout) for _ in self.steps]

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        for i, (step, norm, drop) in enumerate(zip(self.steps, self.norms, self.drops)):
            more = {{"mask": mask}} if i == 0 else {{}}
            x = x + drop(step(norm(x), **more)) if self.given["norm_first"] else norm(x + drop(step(x, **more)))
        return x
{CONFIG}""",
        },
    ),
    Alternative(
        "stacked-weights",
        "the kernels of all attentions in one weight, their biases, the scales and shifts and both kernels of the network likewise",
        {
            "feed-forward": """
class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.given = dict(ff_dim=ff_dim, d_model=d_model, dropout=dropout)
        self.kernels = self.add_weight(shape=(2, d_model, ff_dim), name="kernels")  # the second one turned
        self.b1 = self.add_weight(shape=(ff_dim,), initializer="zeros", name="b1")
        self.b2 = self.add_weight(shape=(d_model,), initializer="zeros", name="b2")
        self.drop = keras.layers.Dropout(dropout)

    def call(self, x):
        hidden = self.drop(ops.relu(ops.matmul(x, self.kernels[0]) + self.b1))
        return ops.matmul(hidden, ops.transpose(self.kernels[1])) + self.b2

    def get_config(self):
        return super().get_config() | self.given
""",
            "encoder-block": f"""
class Stacked(keras.layers.Layer):
    attentions = 1

    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        count, start = self.attentions, keras.initializers.RandomNormal(stddev=d_model**-0.5)
        self.W = self.add_weight(shape=(count, 4, d_model, d_model), initializer=start, name="W")
        self.b = self.add_weight(shape=(count, 4, d_model), initializer="zeros", name="b")
        self.norms = self.add_weight(shape=(count + 1, 2, d_model), initializer=self.one_and_zero, name="norms")
        self.network = FeedForward(ff_dim, d_model, dropout)
        self.drop = keras.layers.Dropout(dropout)

    @staticmethod
    def one_and_zero(shape, dtype=None):
        return ops.stack([ops.ones(shape[::2]), ops.zeros(shape[::2])], axis=1)

    def norm(self, i, x):
        x = x - ops.mean(x, axis=-1, keepdims=True)
        return self.norms[i, 0] * x / ops.sqrt(ops.mean(x * x, axis=-1, keepdims=True) + 1e-6) + self.norms[i, 1]

    def heads(self, x):
        return ops.swapaxes(ops.reshape(x, (*ops.shape(x)[:2], self.given["num_heads"], -1)), 1, 2)

    def attend(self, i, x, memory, hidden):
        inputs = (x, memory, memory)
        q, k, v = (self.heads(ops.matmul(y, self.W[i, j]) + self.b[i, j]) for j, y in enumerate(inputs))
        scores = ops.matmul(q, ops.swapaxes(k, 2, 3)) / q.shape[-1] ** 0.5
        if hidden is not None:
            scores = scores - 1e9 * ops.cast(hidden, scores.dtype)
        y = ops.swapaxes(ops.matmul(ops.softmax(scores), v), 1, 2)
        return ops.matmul(ops.reshape(y, ops.shape(x)), self.W[i, 3]) + self.b[i, 3]

    def join(self, x, *steps):
        for i, step in enumerate((*steps, self.network)):
            if self.given["norm_first"]:
                x = x + self.drop(step(self.norm(i, x)))
            else:
                x = self.norm(i, x + self.drop(step(x)))
        return x
{CONFIG}
class EncoderBlock(Stacked):
    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        return self.join(x, lambda y: self.attend(0, y, y, mask))
""",
            "decoder-block": """
class DecoderBlock(Stacked):
    attentions = 2

    def call(self, x, memory, self_mask=None, memory_mask=None):
        return self.join(
            x, lambda y: self.attend(0, y, y, self_mask), lambda y: self.attend(1, y, memory, memory_mask)
        )
""",
        },
    ),
    Alternative(
        "bias-as-a-row",
        "each bias is the last row of its kernel, key and value share one; all weights of both attentions are the block's own; "
        "normalisations keep the difference of their scale from 1",
        {
            "feed-forward": """
def affine(x, M):
    return ops.matmul(x, M[:-1]) + M[-1]

class FeedForward(keras.layers.Layer):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.given = dict(ff_dim=ff_dim, d_model=d_model, dropout=dropout)
        self.M1 = self.add_weight(shape=(d_model + 1, ff_dim), name="M1")
        self.M2 = self.add_weight(shape=(ff_dim + 1, d_model), name="M2")
        self.drop = keras.layers.Dropout(dropout)

    def call(self, x):
        return affine(self.drop(ops.relu(affine(x, self.M1))), self.M2)

    def get_config(self):
        return super().get_config() | self.given
""",
            "encoder-block": f"""
class Lifted(keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(shape=shape[-1:], initializer="zeros", name="scale")
        self.shift = self.add_weight(shape=shape[-1:], initializer="zeros", name="shift")

    def call(self, x):
        x = x - ops.mean(x, axis=-1, keepdims=True)
        return (1 + self.scale) * x / ops.sqrt(ops.mean(x * x, axis=-1, keepdims=True) + 1e-6) + self.shift

class EncoderBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):{CHECK}
        super().__init__(**kwargs)
        self.given = dict(d_model=d_model, num_heads=num_heads, ff_dim=ff_dim, dropout=dropout, norm_first=norm_first)
        self.own = self.add_attention("q", "kv", "o")
        self.network, self.drop = FeedForward(ff_dim, d_model, dropout), keras.layers.Dropout(dropout)
        self.norm_1, self.norm_2 = Lifted(), Lifted()

    def add_attention(self, *names):
        d_model = self.given["d_model"]
        widths = (d_model, 2 * d_model, d_model)
        return [self.add_weight(shape=(d_model + 1, n), name=name) for name, n in zip(names, widths)]

    def attend(self, matrices, x, memory, hidden):
        q, kv, o = matrices
        parts = (affine(x, q), *ops.split(affine(memory, kv), 2, axis=-1))
        q, k, v = (ops.reshape(y, (*ops.shape(y)[:2], self.given["num_heads"], -1)) for y in parts)
        scores = ops.einsum("bqhn,bkhn->bhqk", q, k) / q.shape[-1] ** 0.5
        if hidden is not None:
            scores = scores + ops.cast(hidden, "float32") * -1e9
        return affine(ops.reshape(ops.einsum("bhqk,bkhn->bqhn", ops.softmax(scores), v), ops.shape(x)), o)

    def join(self, x, norm, step):
        return x + self.drop(step(norm(x))) if self.given["norm_first"] else norm(x + self.drop(step(x)))

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        x = self.join(x, self.norm_1, lambda y: self.attend(self.own, y, y, mask))
        return self.join(x, self.norm_2, self.network)
{CONFIG}""",
            "decoder-block": """
class DecoderBlock(EncoderBlock):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.other, self.norm_3 = self.add_attention("to_q", "to_kv", "to_o"), Lifted()

    def call(self, x, memory, self_mask=None, memory_mask=None):
        x = self.join(x, self.norm_1, lambda y: self.attend(self.own, y, y, self_mask))
        x = self.join(x, self.norm_3, lambda y: self.attend(self.other, y, memory, memory_mask))
        return self.join(x, self.norm_2, self.network)
""",
        },
    ),
)
