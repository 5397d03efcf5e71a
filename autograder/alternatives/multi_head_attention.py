"""Right answers to `03-multi-head-attention` in other styles."""

from __future__ import annotations

from autograder.alternatives import Alternative

__all__ = ["ALTERNATIVES"]

ALTERNATIVES: tuple[Alternative, ...] = (
    Alternative(
        "built-on-earlier-cells",
        "the function uses the earlier cells and the carried-over attention, the layer uses the function",
        {
            "multi-head": """
def multi_head_attention(query, key, value, num_heads, mask=None):
    query, key, value = split_heads(query, num_heads), split_heads(key, num_heads), split_heads(value, num_heads)
    output, weights = scaled_dot_product_attention(query, key, value, mask)
    return merge_heads(output), weights
""",
            "multi-head-layer": """
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
        self.d_model, self.num_heads = d_model, num_heads
        for name in ("query", "key", "value", "output"):
            setattr(self, f"{name}_dense", keras.layers.Dense(d_model))

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        query, key, value = self.query_dense(query), self.key_dense(key), self.value_dense(value)
        output, weights = multi_head_attention(query, key, value, self.num_heads, mask)
        output = self.output_dense(output)
        if return_attention_scores:
            return output, weights
        return output

    def get_config(self):
        config = super().get_config()
        config["d_model"] = self.d_model
        config["num_heads"] = self.num_heads
        return config
""",
            "keras-parity": """
def copy_weights_to_keras(layer, keras_layer):
    pairs = zip(layer.get_weights(), keras_layer.get_weights())
    keras_layer.set_weights([mine.reshape(theirs.shape) for mine, theirs in pairs])
""",
        },
    ),
    Alternative(
        "numpy",
        "plain NumPy, hidden scores replaced by -inf with np.where, results as float32",
        {
            "carry-over": """
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

def attention_scores(query, key):
    return np.matmul(query, np.swapaxes(key, -1, -2)) / np.sqrt(np.shape(key)[-1])

def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = np.where(np.asarray(mask) == 1, -np.inf, scores)
    weights = softmax(scores)
    return weights @ value, weights
""",
            "split-heads": """
def split_heads(x, num_heads):
    b, n, d = np.shape(x)
    if d % num_heads > 0:
        raise ValueError("d_model (%d) must be a multiple of num_heads (%d)" % (d, num_heads))
    return np.asarray(x).reshape(b, n, num_heads, -1).swapaxes(1, 2)
""",
            "merge-heads": """
def merge_heads(x):
    x = np.swapaxes(np.asarray(x), 1, 2)
    return x.reshape(*x.shape[:2], -1)
""",
            "multi-head": """
def multi_head_attention(query, key, value, num_heads, mask=None):
    q, k, v = [split_heads(np.asarray(t, dtype=np.float32), num_heads) for t in (query, key, value)]
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(np.asarray(mask).astype(bool), -np.inf, scores)
    weights = softmax(scores, axis=-1)
    return merge_heads(weights @ v).astype(np.float32), weights.astype(np.float32)
""",
            "parameter-count": """
def mha_parameter_count(input_dim, num_heads, key_dim, value_dim=None, output_dim=None):
    value_dim = value_dim or key_dim
    output_dim = output_dim or input_dim
    kernels = [(input_dim, num_heads, key_dim)] * 2 + [(input_dim, num_heads, value_dim), (num_heads, value_dim, output_dim)]
    biases = [(num_heads, key_dim)] * 2 + [(num_heads, value_dim), (output_dim,)]
    return np.sum([np.prod(shape) for shape in kernels + biases])
""",
        },
    ),
    Alternative(
        "tensorflow-tutorial",
        "tf.* throughout, as the TensorFlow tutorial's subclass has it",
        {
            "carry-over": """
import tensorflow as tf

def softmax(x, axis=-1):
    return tf.nn.softmax(x, axis=axis)

def attention_scores(q, k):
    matmul_qk = tf.matmul(q, k, transpose_b=True)
    dk = tf.cast(tf.shape(k)[-1], tf.float32)
    return matmul_qk / tf.math.sqrt(dk)

def scaled_dot_product_attention(q, k, v, mask=None):
    scaled_attention_logits = attention_scores(q, k)
    if mask is not None:
        scaled_attention_logits += (mask * -1e9)
    attention_weights = softmax(scaled_attention_logits, axis=-1)
    return tf.matmul(attention_weights, v), attention_weights
""",
            "split-heads": """
def split_heads(x, num_heads):
    batch_size = tf.shape(x)[0]
    d_model = x.shape[-1]
    if d_model % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} does not divide d_model={d_model}")
    x = tf.reshape(x, (batch_size, -1, num_heads, d_model // num_heads))
    return tf.transpose(x, perm=[0, 2, 1, 3])
""",
            "merge-heads": """
def merge_heads(x):
    x = tf.transpose(x, perm=[0, 2, 1, 3])
    return tf.reshape(x, (tf.shape(x)[0], -1, x.shape[2] * x.shape[3]))
""",
            "multi-head": """
def multi_head_attention(query, key, value, num_heads, mask=None):
    q = split_heads(query, num_heads)
    k = split_heads(key, num_heads)
    v = split_heads(value, num_heads)
    scaled_attention, attention_weights = scaled_dot_product_attention(q, k, v, mask)
    scaled_attention = tf.transpose(scaled_attention, perm=[0, 2, 1, 3])
    concat_attention = tf.reshape(scaled_attention, (tf.shape(q)[0], -1, value.shape[-1]))
    return concat_attention, attention_weights
""",
            "multi-head-layer": """
class MultiHeadAttention(tf.keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super(MultiHeadAttention, self).__init__(**kwargs)
        self.num_heads = num_heads
        self.d_model = d_model
        if self.d_model % self.num_heads != 0:
            raise ValueError("d_model=%d must be divisible by num_heads=%d" % (d_model, num_heads))
        self.depth = d_model // self.num_heads
        self.query_dense = tf.keras.layers.Dense(d_model)
        self.key_dense = tf.keras.layers.Dense(d_model)
        self.value_dense = tf.keras.layers.Dense(d_model)
        self.output_dense = tf.keras.layers.Dense(d_model)

    def split_heads(self, x, batch_size):
        x = tf.reshape(x, (batch_size, -1, self.num_heads, self.depth))
        return tf.transpose(x, perm=[0, 2, 1, 3])

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        batch_size = tf.shape(query)[0]
        q = self.split_heads(self.query_dense(query), batch_size)
        k = self.split_heads(self.key_dense(key), batch_size)
        v = self.split_heads(self.value_dense(value), batch_size)
        scaled_attention, attention_weights = scaled_dot_product_attention(q, k, v, mask)
        scaled_attention = tf.transpose(scaled_attention, perm=[0, 2, 1, 3])
        output = self.output_dense(tf.reshape(scaled_attention, (batch_size, -1, self.d_model)))
        if return_attention_scores:
            return output, attention_weights
        return output

    def get_config(self):
        config = super().get_config()
        config.update({"d_model": self.d_model, "num_heads": self.num_heads})
        return config
""",
            "keras-parity": """
def copy_weights_to_keras(layer, keras_layer):
    for name in ("query_dense", "key_dense", "value_dense", "output_dense"):
        mine, theirs = getattr(layer, name), getattr(keras_layer, "_" + name)
        theirs.kernel.assign(tf.reshape(mine.kernel, theirs.kernel.shape))
        theirs.bias.assign(tf.reshape(mine.bias, theirs.bias.shape))
""",
        },
        backends=("tensorflow",),
    ),
    Alternative(
        "einsum",
        "einsum does splitting, attending and merging in one; the layer multiplies by reshaped kernels itself",
        {
            "split-heads": """
def split_heads(x, num_heads):
    d_model = x.shape[-1]
    head_dim, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError(f"num_heads: {num_heads} heads can't share {d_model} features")
    pick = np.eye(d_model).reshape(d_model, num_heads, head_dim)
    return np.einsum("bsd,dhe->bhse", x, pick)
""",
            "merge-heads": """
def merge_heads(x):
    return np.concatenate([x[:, h] for h in range(x.shape[1])], axis=-1)
""",
            "multi-head": """
def multi_head_attention(query, key, value, num_heads, mask=None):
    q, k, v = (np.reshape(x, (*np.shape(x)[:2], num_heads, -1)) for x in (query, key, value))
    scores = np.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = np.ma.array(scores, mask=np.broadcast_to(mask, scores.shape) > 0).filled(-1e9)
    weights = keras.ops.softmax(scores, axis=-1)
    output = np.einsum("bhqk,bkhd->bqhd", np.asarray(weights), v)
    return output.reshape(*output.shape[:2], -1), weights
""",
            "multi-head-layer": """
class MultiHeadAttention(keras.Layer):
    def __init__(self, d_model, num_heads, name=None, **kwargs):
        if d_model % num_heads:
            raise ValueError(f"Bad `num_heads`: {num_heads} for `d_model`: {d_model}")
        super().__init__(name=name, **kwargs)
        self.width = d_model
        self.heads = num_heads

    def build(self, query_shape, key_shape, value_shape):
        make = lambda shape: self._made(keras.layers.Dense(self.width), shape)
        self.query_dense, self.key_dense, self.value_dense = map(make, (query_shape, key_shape, value_shape))
        self.output_dense = make((*query_shape[:-1], self.width))

    def _made(self, dense, shape):
        dense.build(shape)
        return dense

    def _project(self, dense, x):
        size = self.width // self.heads
        kernel = keras.ops.reshape(dense.kernel, (-1, self.heads, size))
        return keras.ops.einsum("bsi,ihd->bshd", x, kernel) + keras.ops.reshape(dense.bias, (self.heads, size))

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        q, k, v = self._project(self.query_dense, query), self._project(self.key_dense, key), self._project(self.value_dense, value)
        logits = keras.ops.einsum("bqhd,bkhd->bhqk", q * (self.heads / self.width) ** 0.5, k)
        if mask is not None:
            logits = keras.ops.where(keras.ops.cast(mask, "bool"), float("-inf"), logits)
        attention = keras.ops.softmax(logits)
        kernel = keras.ops.reshape(self.output_dense.kernel, (self.heads, -1, self.width))
        out = keras.ops.einsum("bhqk,bkhd,hdo->bqo", attention, v, kernel) + self.output_dense.bias
        return (out, attention) if return_attention_scores else out

    def get_config(self):
        return super().get_config() | {"d_model": self.width, "num_heads": self.heads}
""",
            "keras-parity": """
def copy_weights_to_keras(layer, keras_layer):
    dense = (layer.query_dense, layer.key_dense, layer.value_dense, layer.output_dense)
    mine = [weight for each in dense for weight in (each.kernel, each.bias)]
    for target, source in zip(keras_layer.weights, mine):
        target.assign(keras.ops.reshape(source, target.shape))
    return keras_layer
""",
        },
    ),
    Alternative(
        "loop-over-heads",
        "a Python loop over slices of the features, masks cut for each head, results as lists",
        {
            "split-heads": """
def split_heads(x, num_heads):
    x = np.array(x)
    if x.shape[2] % num_heads:
        raise ValueError("x has d_model = %s features, which num_heads = %s does not divide" % (x.shape[2], num_heads))
    size = x.shape[2] // num_heads
    return [[sequence[:, h * size : (h + 1) * size].tolist() for h in range(num_heads)] for sequence in x]
""",
            "merge-heads": """
def merge_heads(x):
    return [np.hstack(list(heads)).tolist() for heads in x]
""",
            "multi-head": """
def multi_head_attention(query, key, value, num_heads, mask=None):
    d_k = query.shape[-1] // num_heads
    d_v = value.shape[-1] // num_heads
    outputs, weights = [], []
    for h in range(num_heads):
        q, k = query[:, :, h * d_k : (h + 1) * d_k], key[:, :, h * d_k : (h + 1) * d_k]
        v = value[:, :, h * d_v : (h + 1) * d_v]
        head_mask = mask
        if mask is not None and np.ndim(mask) == 4:
            head_mask = mask[:, 0]
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(d_k)
        if head_mask is not None:
            scores = scores + head_mask * -1e9
        w = np.exp(scores - scores.max(-1, keepdims=True))
        w = w / w.sum(-1, keepdims=True)
        outputs.append(w @ v)
        weights.append(w)
    return np.concatenate(outputs, -1), np.stack(weights, 1)
""",
            "multi-head-layer": """
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model, got num_heads={num_heads} and d_model={d_model}")
        self.d_model = d_model
        self.num_heads = num_heads

    def build(self, *shapes, **named_shapes):
        self.query_dense = keras.layers.Dense(self.d_model, name="q")
        self.key_dense = keras.layers.Dense(self.d_model, name="k")
        self.value_dense = keras.layers.Dense(self.d_model, name="v")
        self.output_dense = keras.layers.Dense(self.d_model, name="o")
        self.built = True

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        q = keras.ops.split(self.query_dense(query), self.num_heads, axis=-1)
        k = keras.ops.split(self.key_dense(key), self.num_heads, axis=-1)
        v = keras.ops.split(self.value_dense(value), self.num_heads, axis=-1)
        outputs, weights = [], []
        for h in range(self.num_heads):
            scores = keras.ops.matmul(q[h], keras.ops.transpose(k[h], (0, 2, 1))) / np.sqrt(self.d_model // self.num_heads)
            if mask is not None:
                head_mask = keras.ops.squeeze(mask, 1) if len(mask.shape) == 4 else mask
                scores = scores + keras.ops.cast(head_mask, "float32") * -1e9
            weights.append(keras.ops.softmax(scores))
            outputs.append(keras.ops.matmul(weights[-1], v[h]))
        output = self.output_dense(keras.ops.concatenate(outputs, axis=-1))
        return (output, keras.ops.stack(weights, axis=1)) if return_attention_scores else output
""",
            "parameter-count": """
def mha_parameter_count(input_dim, num_heads, key_dim, value_dim=None, output_dim=None):
    layer = keras.layers.MultiHeadAttention(num_heads, key_dim, value_dim=value_dim, output_shape=output_dim)
    layer.build((1, 2, input_dim), (1, 2, input_dim))
    return layer.count_params()
""",
        },
    ),
    Alternative(
        "heads-in-the-batch",
        "heads folded into the batch axis, boolean masks, float32 casts, the layer with a helper function outside",
        {
            "split-heads": """
def split_heads(x, num_heads):
    x = keras.ops.cast(x, "float32")
    if x.shape[-1] % num_heads:
        raise ValueError(f"num_heads ({num_heads}) has to divide the {x.shape[-1]} features")
    return keras.ops.stack(keras.ops.split(x, num_heads, axis=-1), axis=1)
""",
            "merge-heads": """
def merge_heads(x):
    return keras.ops.concatenate(keras.ops.unstack(keras.ops.convert_to_tensor(x, "float32"), axis=1), axis=-1)
""",
            "multi-head": """
def _fold(x, num_heads):
    # (batch, len, width) -> (num_heads * batch, len, width / num_heads), head by head
    return keras.ops.concatenate(keras.ops.split(keras.ops.cast(x, "float32"), num_heads, axis=-1), axis=0)

def multi_head_attention(query, key, value, num_heads, mask=None):
    q, k, v = _fold(query, num_heads), _fold(key, num_heads), _fold(value, num_heads)
    scores = keras.ops.matmul(q, keras.ops.transpose(k, (0, 2, 1))) / np.sqrt(q.shape[-1]).astype("float32")
    batch = scores.shape[0] // num_heads
    scores = keras.ops.transpose(keras.ops.reshape(scores, (num_heads, batch, *scores.shape[1:])), (1, 0, 2, 3))
    if mask is not None:
        keep = keras.ops.logical_not(keras.ops.cast(mask, "bool"))
        scores = keras.ops.where(keep, scores, -1e9)
    weights = keras.ops.softmax(scores, axis=-1)
    folded = keras.ops.reshape(keras.ops.transpose(weights, (1, 0, 2, 3)), (num_heads * batch, *weights.shape[2:]))
    output = keras.ops.concatenate(keras.ops.split(keras.ops.matmul(folded, v), num_heads, axis=0), axis=-1)
    return output, weights
""",
            "multi-head-layer": """
def attend(q, k, v, keep):
    scores = keras.ops.matmul(q, keras.ops.transpose(k, (0, 1, 3, 2))) / keras.ops.sqrt(keras.ops.cast(q.shape[-1], q.dtype))
    if keep is not None:
        scores = keras.ops.where(keep, scores, keras.ops.full_like(scores, -1e9))
    weights = keras.ops.exp(scores - keras.ops.logsumexp(scores, axis=-1, keepdims=True))
    return keras.ops.matmul(weights, v), weights


@keras.saving.register_keras_serializable(package="student")
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.query_dense, self.key_dense = keras.layers.Dense(d_model), keras.layers.Dense(d_model)
        self.value_dense, self.output_dense = keras.layers.Dense(d_model), keras.layers.Dense(d_model)
        self.supports_masking = True
        self.cut = keras.layers.Reshape((-1, self.num_heads, self.head_dim))
        self.swap = keras.layers.Permute((2, 1, 3))
        self.join = keras.layers.Reshape((-1, d_model))

    def compute_mask(self, *args, **kwargs):
        return None

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        q, k, v = (self.swap(self.cut(dense(x))) for dense, x in ((self.query_dense, query), (self.key_dense, key), (self.value_dense, value)))
        keep = None if mask is None else keras.ops.equal(mask, 0)
        output, weights = attend(q, k, v, keep)
        output = self.output_dense(self.join(self.swap(output)))
        return (output, weights) if return_attention_scores else output

    def get_config(self):
        return dict(super().get_config(), d_model=self.num_heads * self.head_dim, num_heads=self.num_heads)
""",
            "keras-parity": """
def copy_weights_to_keras(layer, keras_layer):
    heads, size = keras_layer.num_heads, keras_layer.key_dim

    def cut(kernel):
        columns = [kernel[:, h * size : (h + 1) * size] for h in range(heads)]
        return np.stack(columns, axis=1)

    weights = []
    for dense in (layer.query_dense, layer.key_dense, layer.value_dense):
        kernel, bias = (keras.ops.convert_to_numpy(w) for w in (dense.kernel, dense.bias))
        weights.append(cut(kernel))
        weights.append(np.array(np.split(bias, heads)))
    weights.append(np.array(np.split(keras.ops.convert_to_numpy(layer.output_dense.kernel), heads, axis=0)))
    weights.append(layer.output_dense.bias.numpy())
    keras_layer.set_weights(weights)
""",
            "parameter-count": """
def mha_parameter_count(input_dim, num_heads, key_dim, value_dim=None, output_dim=None):
    def dense(inputs, units):
        return (inputs + 1) * units

    if value_dim is None:
        value_dim = key_dim
    if output_dim is None:
        output_dim = input_dim
    width = num_heads * value_dim
    return np.int64(2 * dense(input_dim, num_heads * key_dim) + dense(input_dim, width) + dense(width, output_dim))
""",
        },
    ),
    Alternative(
        "nothing-but-the-arguments",
        "a constructor without **kwargs and a config to match, masks by Keras's Softmax layer and by the lowest float",
        {
            "multi-head": """
def multi_head_attention(query, key, value, num_heads, mask=None):
    query, key, value = (split_heads(keras.ops.cast(x, "float32"), num_heads) for x in (query, key, value))
    scores = keras.ops.einsum("bhqd,bhkd->bhqk", query, key) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = keras.ops.where(keras.ops.cast(mask, "bool"), np.finfo("float32").min, scores)
    weights = keras.ops.softmax(scores, axis=-1)
    return merge_heads(keras.ops.matmul(weights, value)), weights
""",
            "multi-head-layer": """
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"num_heads={num_heads} must divide d_model={d_model}")
        self.d_model, self.num_heads = d_model, num_heads
        self.query_dense = keras.layers.Dense(d_model)
        self.key_dense = keras.layers.Dense(d_model)
        self.value_dense = keras.layers.Dense(d_model)
        self.output_dense = keras.layers.Dense(d_model)
        self.softmax = keras.layers.Softmax(axis=-1)

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        query = split_heads(self.query_dense(query), self.num_heads)
        key = split_heads(self.key_dense(key), self.num_heads)
        value = split_heads(self.value_dense(value), self.num_heads)
        scores = keras.ops.matmul(query, keras.ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
        # Keras's Softmax keeps where its mask is True
        keep = None if mask is None else keras.ops.broadcast_to(keras.ops.equal(mask, 0), scores.shape)
        weights = self.softmax(scores, mask=keep)
        output = self.output_dense(merge_heads(keras.ops.matmul(weights, value)))
        return (output, weights) if return_attention_scores else output

    def get_config(self):
        return {"d_model": self.d_model, "num_heads": self.num_heads}
""",
            "keras-parity": """
def copy_weights_to_keras(layer, keras_layer):
    for mine, theirs in zip(layer.weights, keras_layer.weights):
        theirs.assign(mine.numpy().reshape(theirs.shape))
""",
        },
    ),
    Alternative(
        "functions-inside-the-layer",
        "the layer inherits its attention from a base class and keeps the Dense sublayers under private names too",
        {
            "multi-head-layer": """
class _Attention(keras.layers.Layer):
    def attend(self, query, key, value, mask):
        logits = keras.ops.einsum("...qd,...kd->...qk", query, key) / keras.ops.sqrt(float(query.shape[-1]))
        if mask is not None:
            logits += -1e9 * mask
        weights = keras.activations.softmax(logits, axis=-1)
        return keras.ops.einsum("...qk,...kd->...qd", weights, value), weights


class MultiHeadAttention(_Attention):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.size, remainder = divmod(d_model, num_heads)
        if remainder:
            raise ValueError(f"`num_heads` must divide `d_model`. Received: d_model={d_model}, num_heads={num_heads}")
        self.config = {"d_model": d_model, "num_heads": num_heads}
        self.projections = [keras.layers.Dense(d_model, name=name) for name in ("query", "key", "value", "output")]
        self.query_dense, self.key_dense, self.value_dense, self.output_dense = self.projections

    def heads(self, x):
        return keras.ops.moveaxis(keras.ops.reshape(x, (*x.shape[:-1], -1, self.size)), -2, -3)

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        projected = [self.heads(dense(x)) for dense, x in zip(self.projections, (query, key, value))]
        attended, weights = self.attend(*projected, mask)
        merged = keras.ops.moveaxis(attended, -3, -2)
        output = self.output_dense(keras.ops.reshape(merged, (*merged.shape[:-2], self.config["d_model"])))
        if not return_attention_scores:
            return output
        return [output, weights]

    def get_config(self):
        return {**super().get_config(), **self.config}
""",
            "keras-parity": """
def copy_weights_to_keras(layer, keras_layer):
    layers = {"query": layer.query_dense, "key": layer.key_dense, "value": layer.value_dense, "attention_output": layer.output_dense}
    for weight in keras_layer.weights:
        owner, kind = weight.path.split("/")[-2:]
        source = layers[owner].kernel if kind == "kernel" else layers[owner].bias
        weight.assign(np.reshape(keras.ops.convert_to_numpy(source), weight.shape))
    return True
""",
        },
    ),
)
