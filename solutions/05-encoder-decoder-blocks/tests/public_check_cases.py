# %% check="grade-layer-norm" answer="a root of Python's own"
# says: such as `ops.sqrt` for `math.sqrt`
import math
def layer_norm(x, gamma, beta, epsilon=1e-6):
    centred = x - ops.mean(x, axis=-1, keepdims=True)
    variance = ops.var(x, axis=-1, keepdims=True)
    return gamma * centred / math.sqrt(variance + epsilon) + beta


# %% check="grade-layer-norm" answer="layer_norm: squares that are only added up"
# says: the squares were added up, but not divided by d
# - variance = ops.mean(ops.square(centred)
# + variance = ops.sum(ops.square(centred)


# %% check="grade-layer-norm" answer="layer_norm: squares of what isn't centred"
# says: the mean of the squares of x was taken
# - variance = ops.mean(ops.square(centred)
# + variance = ops.mean(ops.square(x)


# %% check="grade-layer-norm" answer="layer_norm: squares that are not averaged"
# says: each feature was divided by its own size
# - variance = ops.mean(ops.square(centred), axis=-1, keepdims=True)
# + variance = ops.square(centred)


# %% check="grade-layer-norm" answer="layer_norm: four features"
# says: Does a number of features stand in your code
# - ops.mean(ops.square(centred), axis=-1, keepdims=True)
# + ops.sum(centred**2, axis=-1, keepdims=True) / 4


# %% check="grade-layer-norm" answer="layer_norm: epsilon as the least variance"
# says: It is added to the variance, whatever the variance is.
# - variance + epsilon
# + ops.maximum(variance, epsilon)


# %% check="grade-layer-norm" answer="layer_norm: Keras's epsilon"
# says: the default of epsilon is 1e-3 here
# - epsilon=1e-6):
# + epsilon=1e-3):


# %% check="grade-layer-norm" answer="layer_norm: an epsilon of 1e-5"
# says: the default of epsilon is 1e-5 here
# - epsilon=1e-6):
# + epsilon=1e-5):


# %% check="grade-layer-norm" answer="layer_norm: a mean in whole numbers"
# says: the mean was rounded to a whole number
# - ops.mean(x, axis=-1, keepdims=True)
# + ops.floor(ops.mean(x, axis=-1, keepdims=True))


# %% check="grade-layer-norm" answer="layer_norm: ^ for a power"
# says: In Python `^` isn't a power
# - ops.square(centred)
# + centred ^ 2


# %% check="grade-layer-norm" answer="a mean over the batch too"
# says: over the batch too
def layer_norm(x, gamma, beta, epsilon=1e-6):
    mean = np.mean(x, axis=(0, -1), keepdims=True)
    variance = np.var(x, axis=(0, -1), keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + epsilon) + beta


# %% check="grade-layer-norm" answer="a mean over batch and tokens"
# says: over batch and tokens
def layer_norm(x, gamma, beta, epsilon=1e-6):
    mean, variance = np.mean(x, axis=(0, 1), keepdims=True), np.var(x, axis=(0, 1), keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + epsilon) + beta


# %% check="grade-layer-norm" answer="a mean over all but the batch"
# says: over a whole sequence
def layer_norm(x, gamma, beta, epsilon=1e-6):
    axes = tuple(range(1, x.ndim))
    x = x - np.mean(x, axis=axes, keepdims=True)
    return gamma * x / np.sqrt(np.mean(x**2, axis=axes, keepdims=True) + epsilon) + beta


# %% check="grade-layer-norm" answer="epsilon squared"
# says: epsilon was squared
def layer_norm(x, gamma, beta, epsilon=1e-6):
    mean, variance = np.mean(x, axis=-1, keepdims=True), np.var(x, axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + epsilon**2) + beta


# %% check="grade-layer-norm" answer="normalised over the tokens"
# says: the features of each token, the last axis
def layer_norm(x, gamma, beta, epsilon=1e-6):
    axis = -2 if np.ndim(x) > 2 else -1
    mean, var = np.mean(x, axis, keepdims=True), np.var(x, axis, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + epsilon) + beta


# %% check="grade-layer-norm" answer="gamma for beta"
# says: gamma and beta have changed places
_right = layer_norm
def layer_norm(x, gamma, beta, epsilon=1e-6):
    return _right(x, beta, gamma, epsilon)


# %% check="grade-layer-norm" answer="layer_norm: a name of TensorFlow's"
# says: This module has no function of that name
# - centred = x - ops.mean(x, axis=-1, keepdims=True)
# + centred = x - ops.reduce_mean(x, axis=-1, keepdims=True)


# %% check="grade-feed-forward" answer="its sizes exchanged"
# says: The first dense layer has ff_dim units, the second d_model.
# - Dense(ff_dim, activation="relu")
# + Dense(d_model, activation="relu")
# - self.output_dense = keras.layers.Dense(d_model)
# + self.output_dense = keras.layers.Dense(ff_dim)


# %% check="grade-feed-forward" answer="a layer of Keras without its library"
# says: If you mean Keras's layer, write `keras.layers.Dense`
# - self.output_dense = keras.layers.Dense(
# + self.output_dense = Dense(


# %% check="grade-feed-forward" answer="one name for the dropout and its rate"
# says: Does one attribute get both a layer and its rate?
# -         self.output_dense = keras.layers.Dense(d_model)
# +         self.output_dense = keras.layers.Dense(d_model)
# +         self.dropout = dropout
# - "dropout": self.rate
# + "dropout": self.dropout


# %% check="grade-feed-forward" answer="a layer under another name than in __init__"
# says: Nothing has made `self.dropout` before.
# - self.dropout = keras.layers.Dropout(dropout)
# + self.drop = keras.layers.Dropout(dropout)


# %% check="grade-feed-forward" answer="one dense layer called twice"
# says: Is the same layer called in two places
# - self.output_dense(self.dropout(self.hidden(x)))
# + self.hidden(self.dropout(self.hidden(x)))


# %% check="grade-feed-forward" answer="half of the rate"
# says: of 2000 tokens in training, and should be in about 30% of them
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(dropout / 2)


# %% check="grade-feed-forward" answer="the share that stays as the rate"
# says: of 2000 tokens in training, and should be in about 30% of them
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(1 - dropout if dropout else 0)


# %% check="grade-feed-forward" answer="a rate of its own"
# says: of 2000 tokens in training, and should be in about 30% of them
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(0.5 if dropout else 0)


# %% check="grade-feed-forward" answer="a size as a number"
# says: Does a size stand in the layer as a number?
# - keras.layers.Dense(ff_dim,
# + keras.layers.Dense(20,


# %% check="grade-feed-forward" answer="the features as a number"
# says: (batch, seq_len, d_model) for d_model 3 and ff_dim 5
# - keras.layers.Dense(d_model)
# + keras.layers.Dense(6)


# %% check="grade-feed-forward" answer="a dropout that multiplies by noise"
# says: a hidden unit is 0 in 0% of 2000 tokens
# - keras.layers.Dropout(dropout)
# + keras.layers.GaussianDropout(dropout)


# %% check="grade-feed-forward" answer="whole tokens dropped"
# says: or all hidden units of a token are dropped at once
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(dropout, noise_shape=(None, None, 1))


# %% check="grade-feed-forward" answer="the same units dropped in all sequences"
# says: all sequences of a batch lose the same units
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(dropout, noise_shape=(1, None, None))


# %% check="grade-feed-forward" answer="gelu"
# says: the activation function between the two layers is GELU
# - activation="relu"
# + activation="gelu"


# %% check="grade-feed-forward" answer="silu"
# says: Is the activation function between the two layers ReLU
# - activation="relu"
# + activation="silu"


# %% check="grade-feed-forward" answer="a residual"
# says: The residual isn't part of this network
# - return self.output_dense(
# + return x + self.output_dense(


# %% check="grade-feed-forward" answer="a layer that is made of a tensor"
# says: Here a tensor stands where a setting belongs.
# - self.dropout(self.hidden(x))
# + keras.layers.Dropout(self.hidden(x))


# %% check="grade-feed-forward" answer="a dropout that can't be compiled while the batch is open"
# notes: it fails where `fit` compiles it
class FeedForward(FeedForward):
    def call(self, x, training=False):
        hidden = self.hidden(x)
        if training and self.rate:
            hidden = hidden * (np.random.rand(*hidden.shape) > self.rate) / (1 - self.rate)
        return self.output_dense(hidden)


# %% check="grade-feed-forward" answer="a layer's class for the activation"
# says: An activation is a name or a function
# - activation="relu"
# + activation=keras.layers.ReLU


# %% check="grade-feed-forward" answer="a layer that isn't called"
# says: A layer itself is handed over
# - self.dropout(self.hidden(x))
# + self.dropout(self.hidden)


# %% check="grade-feed-forward" answer="layers that are made in each call"
# says: Are both dense layers made in `__init__` and called?
# - self.output_dense(self.dropout(self.hidden(x)))
# + keras.layers.Dense(6)(self.dropout(keras.layers.Dense(20, activation="relu")(x)))


# %% check="grade-feed-forward" answer="a dropout that is always on"
# says: nothing is dropped outside training
# - self.dropout(self.hidden(x))
# + self.dropout(self.hidden(x), training=True)


# %% check="grade-feed-forward" answer="a dropout that comes last"
# says: exactly 0. Put nothing behind the second layer
# - self.output_dense(self.dropout(self.hidden(x)))
# + self.dropout(self.output_dense(self.hidden(x)))


# %% check="grade-feed-forward" answer="a feed-forward's config without dropout"
# says: get_config return `dropout`
# - , "dropout": self.rate}
# + }


# %% check="grade-feed-forward" answer="a dropout before the first layer"
# says: dropout stands before the first layer
# - self.dropout(self.hidden(x))
# + self.hidden(self.dropout(x))


# %% check="grade-feed-forward" answer="a dropout in front, too"
# says: is something dropped before the first layer
# - self.hidden(x)
# + self.hidden(self.dropout(x))


# %% check="grade-feed-forward" answer="a dropout that doesn't divide"
# says: divided by `1 - dropout`
# - self.dropout(self.hidden(x))
# + self.dropout(self.hidden(x)) * (1 - self.rate if training else 1)
# - def call(self, x):
# + def call(self, x, training=None):


# %% check="grade-feed-forward" answer="a dropout that all tokens share"
# says: all tokens of a sequence lose the same units
# - keras.layers.Dropout(dropout)
# + keras.layers.SpatialDropout1D(dropout)


# %% check="grade-feed-forward" answer="a kernel that begins as zeros" right=true
class FeedForward(FeedForward):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(ff_dim, d_model, dropout, **kwargs)
        self.output_dense = keras.layers.Dense(d_model, kernel_initializer="zeros")


# %% check="grade-feed-forward" answer="one position after the other" right=true
class FeedForward(FeedForward):
    def call(self, x):
        tokens = [self.output_dense(self.dropout(self.hidden(x[:, i]))) for i in range(x.shape[1])]
        return ops.stack(tokens, axis=1)


# %% check="grade-feed-forward" answer="distributed over time" right=true
class FeedForward(FeedForward):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.hidden = keras.layers.TimeDistributed(self.hidden)
        self.output_dense = keras.layers.TimeDistributed(self.output_dense)


# %% check="grade-feed-forward" answer="a dropout that is made in each call"
# notes: it fails where `fit` compiles it
# notes: is made in `call`, anew at each call
# - self.output_dense(self.dropout(self.hidden(x)))
# + self.output_dense(keras.layers.Dropout(self.rate)(self.hidden(x)))


# %% check="grade-feed-forward" answer="another name for the rate"
# says: Keep the names and the order of the arguments
# - dropout=0.1, **kwargs):
# + rate=0.1, **kwargs):
# - self.rate = dropout
# + self.rate = dropout = rate


# %% check="grade-encoder-block" answer="a mask for the network"
# says: The layer that is called here takes no `mask`
# - self.feed_forward(self.norm_2(x))
# + self.feed_forward(self.norm_2(x), mask=mask)


# %% check="grade-encoder-block" answer="a mask for a normalisation"
# says: a normalisation works on each token by itself
# - self.feed_forward(self.norm_2(x))
# + self.feed_forward(self.norm_2(x, mask=mask))


# %% check="grade-encoder-block" answer="Keras's attention with the mask's name of ours"
# says: calls its mask `attention_mask`
# - self.attention = MultiHeadAttention(d_model, num_heads)
# + self.attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)


# %% check="grade-encoder-block" answer="not, without asking for None"
# says: Python's `not` gives one truth value
# - self.attention = MultiHeadAttention(d_model, num_heads)
# + self.attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)
# - self.attention(normed, normed, normed, mask=mask)
# + self.attention(normed, normed, normed, attention_mask=not mask)


# %% check="grade-encoder-block" answer="not, where there is a mask"
# says: Python's `not` gives one truth value
# - self.attention = MultiHeadAttention(d_model, num_heads)
# + self.attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)
# - self.attention(normed, normed, normed, mask=mask)
# + self.attention(normed, normed, normed, attention_mask=None if mask is None else not mask)
# - self.attention(x, x, x, mask=mask)
# + self.attention(x, x, x)


# %% check="grade-encoder-block" answer="the sizes of the network exchanged"
# says: `FeedForward` takes ff_dim first, then d_model
# - FeedForward(ff_dim, d_model, dropout)
# + FeedForward(d_model, ff_dim, dropout)


# %% check="grade-encoder-block" answer="a layer without self"
# says: `feed_forward` is an attribute of the object: write `self.feed_forward`.
# - self.feed_forward(self.norm_2(x))
# + feed_forward(self.norm_2(x))


# %% check="grade-encoder-block" answer="a setting without self"
# says: `norm_first` is an attribute of the object: write `self.norm_first`.
# - if self.norm_first:
# + if norm_first:


# %% check="grade-encoder-block" answer="a normalisation of (1e-6)"
# says: The first argument of `LayerNormalization` is its axis
# - self.norm_1 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm_1 = keras.layers.LayerNormalization(1e-6)


# %% check="grade-encoder-block" answer="a normalisation of (d_model)"
# says: The first argument of `LayerNormalization` is its axis
# - self.norm_1 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm_1 = keras.layers.LayerNormalization(d_model)


# %% check="grade-encoder-block" answer="a normalisation of (d_model, epsilon=1e-6)"
# says: The first argument of `LayerNormalization` is its axis
# - self.norm_1 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm_1 = keras.layers.LayerNormalization(d_model, epsilon=1e-6)


# %% check="grade-encoder-block" answer="encoder: Keras's arguments for an attention of one's own that isn't written"
# says: Keras's, which takes `num_heads` and `key_dim`, is `keras.layers.MultiHeadAttention`
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        raise NotImplementedError()


class EncoderBlock(EncoderBlock):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        keras.layers.Layer.__init__(self, **kwargs)
        self.attention = MultiHeadAttention(num_heads=num_heads, key_dim=d_model // num_heads)


# %% check="grade-encoder-block" answer="attention: in post-norm dropout on its weights alone"
# notes: with norm_first=False what the attention gives isn't dropped in training, though something else is
# -         self.attention = MultiHeadAttention(d_model, num_heads)
# +         self._attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=dropout)
# +         self._before = keras.layers.Dropout(0.0)
# +         self.attention = lambda q, k, v, mask=None: self._attention(q, self._before(v), k, attention_mask=None if mask is None else ops.equal(mask, 0))
# - x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))
# + x = self.norm_1(x + self.attention(x, x, x, mask=mask))


# %% check="grade-encoder-block" answer="attention: in post-norm dropout on its values alone"
# notes: with norm_first=False what the attention gives isn't dropped in training, though something else is
# -         self.attention = MultiHeadAttention(d_model, num_heads)
# +         self._attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=0.0)
# +         self._before = keras.layers.Dropout(dropout)
# +         self.attention = lambda q, k, v, mask=None: self._attention(q, self._before(v), k, attention_mask=None if mask is None else ops.equal(mask, 0))
# - x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))
# + x = self.norm_1(x + self.attention(x, x, x, mask=mask))


# %% check="grade-encoder-block" answer="in post-norm half of the rate behind the attention"
# notes: with norm_first=False 1
# notes: of what the attention gives is 0 in training
# - self.dropout_1 = keras.layers.Dropout(dropout)
# + self.dropout_1 = keras.layers.Dropout(dropout if norm_first else dropout / 2)


# %% check="grade-encoder-block" answer="in post-norm half of the rate behind the feed-forward network"
# notes: with norm_first=False 1
# notes: of what the feed-forward network gives is 0 in training
# - self.dropout_2 = keras.layers.Dropout(dropout)
# + self.dropout_2 = keras.layers.Dropout(dropout if norm_first else dropout / 2)


# %% check="grade-encoder-block" answer="in post-norm twice of the rate behind the attention"
# notes: with norm_first=False
# notes: of what the attention gives is 0 in training
# - self.dropout_1 = keras.layers.Dropout(dropout)
# + self.dropout_1 = keras.layers.Dropout(dropout if norm_first else 2 * dropout)


# %% check="grade-encoder-block" answer="in post-norm twice of the rate behind the feed-forward network"
# notes: with norm_first=False
# notes: of what the feed-forward network gives is 0 in training
# - self.dropout_2 = keras.layers.Dropout(dropout)
# + self.dropout_2 = keras.layers.Dropout(dropout if norm_first else 2 * dropout)


# %% check="grade-encoder-block" answer="attention: dropout on its weights"
# notes: It may cost points: what the attention gives isn't dropped in training, though something else is
# -         self.attention = MultiHeadAttention(d_model, num_heads)
# +         self._attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=dropout)
# +         self._before = keras.layers.Dropout(0.0)
# +         self.attention = lambda q, k, v, mask=None: self._attention(self._before(q), v, k, attention_mask=None if mask is None else ops.equal(mask, 0))
# - x = x + self.dropout_1(self.attention(normed, normed, normed, mask=mask))
# + x = x + self.attention(normed, normed, normed, mask=mask)


# %% check="grade-encoder-block" answer="attention: dropout on its queries"
# notes: It may cost points: what the attention gives isn't dropped in training, though something else is
# -         self.attention = MultiHeadAttention(d_model, num_heads)
# +         self._attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=0.0)
# +         self._before = keras.layers.Dropout(dropout)
# +         self.attention = lambda q, k, v, mask=None: self._attention(self._before(q), v, k, attention_mask=None if mask is None else ops.equal(mask, 0))
# - x = x + self.dropout_1(self.attention(normed, normed, normed, mask=mask))
# + x = x + self.attention(normed, normed, normed, mask=mask)


# %% check="grade-encoder-block" answer="encoder: one head"
# says: one head gives what four heads give
# - MultiHeadAttention(d_model, num_heads)
# + MultiHeadAttention(d_model, 1)


# %% check="grade-encoder-block" answer="encoder: a dropout of half the rate behind the network"
# says: of what the feed-forward network gives is 0 in training, and about 30% should be
# - self.dropout_2 = keras.layers.Dropout(dropout)
# + self.dropout_2 = keras.layers.Dropout(dropout / 2)


# %% check="grade-encoder-block" answer="encoder: a size as a number"
# says: Does a size stand in the block as a number?
# - FeedForward(ff_dim, d_model, dropout)
# + FeedForward(64, d_model, dropout)


# %% check="grade-encoder-block" answer="encoder: post-norm without return"
# says: it returned None
# - return self.norm_2(x + self.dropout_2(self.feed_forward(x)))
# + self.norm_2(x + self.dropout_2(self.feed_forward(x)))


# %% check="grade-encoder-block" answer="encoder: post-norm that always drops"
# says: post-norm: nothing is dropped outside training
# - return self.norm_2(x + self.dropout_2(self.feed_forward(x)))
# + return self.norm_2(x + self.dropout_2(self.feed_forward(x), training=True))


# %% check="grade-encoder-block" answer="encoder: post-norm that normalises first"
# says: is x normalised before the attention reads it
# -         x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))
# +         x = self.norm_1(x)
# +         x = x + self.dropout_1(self.attention(x, x, x, mask=mask))


# %% check="grade-encoder-block" answer="encoder: post-norm that hides the future by itself"
# says: post-norm: without a mask the last token has no effect on the first
# -         x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))
# +         mask = np.triu(np.ones((x.shape[1],) * 2), 1) if mask is None else mask
# +         x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))


# %% check="grade-encoder-block" answer="encoder: another name for the mask"
# says: Compare the call with what the function takes.
# -     def call(self, x, mask=None):
# +     def call(self, x, attention_mask=None):
# +         mask = attention_mask


# %% check="grade-encoder-block" answer="encoder: a network of gelu"
# says: is no ReLU: max(0, x)
# - self.feed_forward = FeedForward(ff_dim, d_model, dropout)
# + self.feed_forward = keras.Sequential([keras.layers.Dense(ff_dim, 'gelu'), keras.layers.Dropout(dropout), keras.layers.Dense(d_model, None)])


# %% check="grade-encoder-block" answer="encoder: a network of a ReLU at its end"
# says: nothing that the feed-forward network adds is below 0
# - self.feed_forward = FeedForward(ff_dim, d_model, dropout)
# + self.feed_forward = keras.Sequential([keras.layers.Dense(ff_dim, None), keras.layers.Dropout(dropout), keras.layers.Dense(d_model, 'relu')])


# %% check="grade-encoder-block" answer="encoder: half of the rate behind the attention"
# says: EncoderBlock:
# says: of what the attention gives is 0 in training, and about 30% should be
# - self.dropout_1 = keras.layers.Dropout(dropout)
# + self.dropout_1 = keras.layers.Dropout(dropout / 2)


# %% check="grade-encoder-block" answer="encoder: twice of the rate behind the attention"
# says: EncoderBlock:
# says: of what the attention gives is 0 in training, and about 30% should be
# - self.dropout_1 = keras.layers.Dropout(dropout)
# + self.dropout_1 = keras.layers.Dropout(2 * dropout)


# %% check="grade-encoder-block" answer="encoder: weights that come with what the attention gives"
# says: Some functions return a pair, as attention does
# - self.attention(normed, normed, normed, mask=mask)
# + self.attention(normed, normed, normed, mask=mask, return_attention_scores=True)


# %% check="grade-encoder-block" answer="encoder: two dropouts behind the attention"
# notes: of what the attention gives is 0 in training, and about 30% should be
# - self.dropout_1(self.attention(normed, normed, normed, mask=mask))
# + self.dropout_1(self.dropout_1(self.attention(normed, normed, normed, mask=mask)))


# %% check="grade-encoder-block" answer="encoder: two dropouts behind the feed-forward network"
# notes: of what the feed-forward network gives is 0 in training, and about 30% should be
# - self.dropout_2(self.feed_forward(self.norm_2(x)))
# + self.dropout_2(self.dropout_2(self.feed_forward(self.norm_2(x))))


# %% check="grade-encoder-block" answer="encoder: a network that isn't called"
# says: it has 672 parameters, but 2284 are right
# says: made in `__init__` and called?
# - self.feed_forward(self.norm_2(x))
# + self.norm_2(x)
# - self.feed_forward(x)
# + x


# %% check="grade-encoder-block" answer="encoder: a network that is made in each call"
# says: it has 672 parameters, but 2284 are right
# says: made in `__init__` and called?
# - self.feed_forward(self.norm_2(x))
# + FeedForward(64, x.shape[-1])(self.norm_2(x))
# - self.feed_forward(x)
# + FeedForward(64, x.shape[-1])(x)


# %% check="grade-encoder-block" answer="encoder: heads and their width exchanged"
# says: Keras's attention has 3 heads
class EncoderBlock(EncoderBlock):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(d_model, num_heads, ff_dim, dropout, norm_first, **kwargs)
        self.within = keras.layers.MultiHeadAttention(d_model // num_heads, num_heads)
        self.attention = lambda q, k, v, mask=None: self.within(q, v, k, attention_mask=None if mask is None else ops.equal(mask, 0))


# %% check="grade-encoder-block" answer="encoder: arrays that are to be added, one after the other"
# says: take them as one list: `Add()([a, b])`
# - return x + self.dropout_2(self.feed_forward(self.norm_2(x)))
# + return keras.layers.Add()(x, self.feed_forward(self.norm_2(x)))


# %% check="grade-encoder-block" answer="encoder: arrays that are to be added, given to the function that adds"
# says: take them as one list: `Add()([a, b])`
# - return x + self.dropout_2(self.feed_forward(self.norm_2(x)))
# + return keras.layers.add(x, self.feed_forward(self.norm_2(x)))


# %% check="grade-encoder-block" answer="encoder: the network before the attention"
# says: nothing reads the network
# -             normed = self.norm_1(x)
# -             x = x + self.dropout_1(self.attention(normed, normed, normed, mask=mask))
# -             return x + self.dropout_2(self.feed_forward(self.norm_2(x)))
# +             x = x + self.dropout_2(self.feed_forward(self.norm_2(x)))
# +             normed = self.norm_1(x)
# +             return x + self.dropout_1(self.attention(normed, normed, normed, mask=mask))


# %% check="grade-encoder-block" answer="encoder: the network before the attention in post-norm"
# says: reads tokens that no normalisation has seen
# -         x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))
# -         return self.norm_2(x + self.dropout_2(self.feed_forward(x)))
# +         x = self.norm_1(x + self.dropout_2(self.feed_forward(x)))
# +         return self.norm_2(x + self.dropout_1(self.attention(x, x, x, mask=mask)))


# %% check="grade-encoder-block" answer="encoder: normalised tokens added besides"
# says: Something besides what the sublayers give is added
# - x = x + self.dropout_1(self.attention(normed,
# + x = x + normed + self.dropout_1(self.attention(normed,


# %% check="grade-encoder-block" answer="encoder: a mask times infinity"
# says: there is a NaN
# says: such as `mask * -np.inf`
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model, self.num_heads, self.head_dim = d_model, num_heads, d_model // num_heads
        self.projections = [keras.layers.Dense(d_model) for _ in range(4)]

    def build(self, *shapes):
        for projection in self.projections:
            projection.build((None, None, self.d_model))

    def call(self, query, key, value, mask=None):
        def heads(dense, x):
            x = dense(x)
            return ops.transpose(ops.reshape(x, (*ops.shape(x)[:2], self.num_heads, self.head_dim)), (0, 2, 1, 3))

        query, key, value = map(heads, self.projections, (query, key, value))
        scores = ops.einsum("bhqd,bhkd->bhqk", query, key) / self.head_dim**0.5
        if mask is not None:
            scores = scores + ops.cast(mask, 'float32') * -np.inf
        attended = ops.transpose(ops.einsum("bhqk,bhkd->bhqd", ops.softmax(scores), value), (0, 2, 1, 3))
        return self.projections[3](ops.reshape(attended, (*ops.shape(attended)[:2], self.d_model)))


# %% check="grade-encoder-block" answer="encoder: a softmax that overflows" of="encoder: a mask times infinity"
# says: post-norm, larger tokens: there is a NaN
# says: Does the softmax take off the maximum?
# -             scores = scores + ops.cast(mask, 'float32') * -np.inf
# -         attended = ops.transpose(ops.einsum("bhqk,bhkd->bhqd", ops.softmax(scores), value), (0, 2, 1, 3))
# +             scores = ops.where(ops.cast(mask, 'bool'), -1e9, scores)
# +         attended = ops.transpose(ops.einsum("bhqk,bhkd->bhqd", ops.exp(scores) / ops.sum(ops.exp(scores), axis=-1, keepdims=True), value), (0, 2, 1, 3))


# %% check="grade-encoder-block" answer="encoder: a sublayer that takes nothing"
# says: Compare the call with what the function takes.
# - self.feed_forward = FeedForward(ff_dim, d_model, dropout)
# + self.feed_forward = lambda: FeedForward(ff_dim, d_model, dropout)


# %% check="grade-encoder-block" answer="post-norm, the attention isn't dropped"
# says: nothing of what the attention gives is dropped
# - x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))
# + x = self.norm_1(x + self.attention(x, x, x, mask=mask))


# %% check="grade-encoder-block" answer="post-norm, the network isn't dropped"
# says: with norm_first=False nothing of what the feed-forward network gives is dropped
# - return self.norm_2(x + self.dropout_2(self.feed_forward(x)))
# + return self.norm_2(x + self.feed_forward(x))


# %% check="grade-encoder-block" answer="post-norm, the network reads the x that came in"
# says: each later one reads what the normalisation before it gave
# - x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))
# + y = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))
# - return self.norm_2(x + self.dropout_2(self.feed_forward(x)))
# + return self.norm_2(y + self.dropout_2(self.feed_forward(x)))


# %% check="grade-encoder-block" answer="post-norm, the attention reads normalised tokens"
# says: The first sublayer reads the x that came in
# -         x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))
# +         y = self.norm_1(x)
# +         x = self.norm_1(x + self.dropout_1(self.attention(y, y, y, mask=mask)))


# %% check="grade-encoder-block" answer="post-norm, the network reads what is normalised twice"
# says: it shows where γ isn't 1
# says: normalised once too often: on its way
# - self.norm_2(x + self.dropout_2(self.feed_forward(x)))
# + self.norm_2(x + self.dropout_2(self.feed_forward(self.norm_2(x))))


# %% check="grade-encoder-block" answer="a condition turned round"
# says: This is a `raise` of your own code
# says: condition turned round
# - if d_model % num_heads:
# + if not d_model % num_heads:


# %% check="grade-encoder-block" answer="encoder: a norm behind the attention, too"
# says: Does something normalise what the attention gives?
# - self.attention(normed, normed, normed, mask=mask)
# + self.norm_1(self.attention(normed, normed, normed, mask=mask))


# %% check="grade-encoder-block" answer="encoder: a norm behind the network instead of before it"
# says: Is what it gives normalised
# - self.feed_forward(self.norm_2(x))
# + self.norm_2(self.feed_forward(x))


# %% check="grade-encoder-block" answer="encoder: a norm behind the network, too"
# says: Is what it gives normalised
# - self.feed_forward(self.norm_2(x))
# + self.norm_2(self.feed_forward(self.norm_2(x)))


# %% check="grade-encoder-block" answer="encoder: post-norm, a norm before the attention's sum, too"
# says: Or is what one of them gives normalised before its sum?
# - self.attention(x, x, x, mask=mask)
# + self.norm_1(self.attention(x, x, x, mask=mask))


# %% check="grade-encoder-block" answer="encoder: post-norm, a norm before the network's sum, too"
# says: or between a sublayer and its sum?
# - self.feed_forward(x)
# + self.norm_2(self.feed_forward(x))


# %% check="grade-encoder-block" answer="encoder: post-norm, a norm before the attention's sum instead of behind it"
# says: where epsilon decides: Does each normalisation stand behind its sum
# - x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))
# + x = x + self.norm_1(self.dropout_1(self.attention(x, x, x, mask=mask)))


# %% check="grade-encoder-block" answer="encoder: a mask that is a number where there is none"
# says: Is it a single number where there is no mask? Hand on `None` there.
# - self.attention = MultiHeadAttention(d_model, num_heads)
# + self.attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)
# - self.attention(normed, normed, normed, mask=mask)
# + self.attention(normed, normed, normed, attention_mask=1 - (mask or 0))


# %% check="grade-encoder-block" answer="a block whose mask is turned over"
# says: a mask (2, 1, 1, 5): a token that it hides (1) changes the others
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return super().call(x, mask=None if mask is None else 1 - ops.convert_to_tensor(mask))


# %% check="grade-encoder-block" answer="a rate of its own in a block"
# says: with dropout 0.0 nothing is dropped
# says: the argument `dropout` everywhere, in the feed-forward network too?
# - self.dropout_1 = keras.layers.Dropout(dropout)
# + self.dropout_1 = keras.layers.Dropout(0.1)


# %% check="grade-encoder-block" answer="a config without norm_first"
# says: Does get_config return `norm_first`?
# -             "norm_first": norm_first,


# %% check="grade-encoder-block" answer="an encoder's config without dropout"
# says: get_config return `dropout`
# -             "dropout": dropout,


# %% check="grade-encoder-block" answer="Keras's epsilon in one normalisation"
# says: Is epsilon 1e-6
# - self.norm_1 = keras.layers.LayerNormalization(epsilon=1e-6)
# + self.norm_1 = keras.layers.LayerNormalization()


# %% check="grade-encoder-block" answer="a dropout on the sum"
# says: before the sum, and not to the sum
# - return x + self.dropout_2(self.feed_forward(self.norm_2(x)))
# + return self.dropout_2(x + self.feed_forward(self.norm_2(x)))


# %% check="grade-encoder-block" answer="a residual from the first input"
# says: what the attention adds is lost
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        if not self.norm_first:
            return super().call(x, mask=mask)

        normed = self.norm_1(x)
        h = x + self.dropout_1(self.attention(normed, normed, normed, mask=mask))
        return x + self.dropout_2(self.feed_forward(self.norm_2(h)))


# %% check="grade-encoder-block" answer="a mask of three axes alone"
# says: a mask (5, 5): a token that it hides (1) changes the others
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return super().call(x, mask=None if mask is None else ops.convert_to_tensor(mask)[:, 0][:, None])


# %% check="grade-encoder-block" answer="masks in pre-norm alone"
# says: post-norm, a mask (2, 1, 1, 5): a token that it hides (1) changes the others
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return super().call(x, mask=mask if self.norm_first else None)


# %% check="grade-encoder-block" answer="a block whose attention is dropped nowhere"
# says: nothing of what the attention gives is dropped
# - self.dropout_1 = keras.layers.Dropout(dropout)
# + self.dropout_1 = keras.layers.Dropout(0.0)


# %% check="grade-encoder-block" answer="an attention whose keys and values are bare"
# says: Does the attention get normalised tokens, as queries, keys and values?
# - self.attention(normed, normed, normed, mask=mask)
# + self.attention(normed, x, x, mask=mask)


# %% check="grade-encoder-block" answer="an attention that hides by -1, encoder"
# says: does it make hidden scores small enough
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None):
        def heads(dense, x):
            return ops.reshape(dense(x), (*ops.shape(x)[:2], self.num_heads, self.head_dim))

        query, key, value = heads(self.query_dense, query), heads(self.key_dense, key), heads(self.value_dense, value)
        scores = ops.einsum("bqhd,bkhd->bhqk", query, key) / self.head_dim**0.5
        if mask is not None:
            scores = scores - ops.cast(mask, "float32")
        attended = ops.einsum("bhqk,bkhd->bqhd", ops.softmax(scores), value)
        return self.output_dense(ops.reshape(attended, (*ops.shape(attended)[:2], self.d_model)))


# %% check="grade-encoder-block" answer="a network that reads bare tokens"
# says: Does the feed-forward network get the normalised tokens?
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        if not self.norm_first:
            return super().call(x, mask=mask)

        y = self.norm_1(x)
        x = x + self.dropout_1(self.attention(y, y, y, mask=mask))
        return x + self.dropout_2(self.feed_forward(x + self.norm_2(x)))


# %% check="grade-encoder-block" answer="the tokens added once more"
# says: twice the input comes out
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        if not self.norm_first:
            return super().call(x, mask=mask)

        y = self.norm_1(x)
        z = x + self.dropout_1(self.attention(y, y, y, mask=mask))
        self.dropout_2(self.feed_forward(self.norm_2(z)))
        return z + x


# %% check="grade-encoder-block" answer="a dropout behind post-norm"
# says: not to the sum or to what is normalised
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return super().call(x, mask=mask) if self.norm_first else self.dropout_1(super().call(x, mask=mask))


# %% check="grade-encoder-block" answer="a config without super"
# notes: a copy forgets name and dtype
# - return {**super().get_config(), **self.arguments}
# + return self.arguments


# %% check="grade-encoder-block" answer="a mask turned by ~"
# says: `~` turns truth values
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return super().call(x, mask=None if mask is None else ~ops.convert_to_tensor(mask))


# %% check="grade-encoder-block" answer="an encoder that masks by itself"
# says: Does the block mask by itself
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        later = np.triu(np.ones((x.shape[1], x.shape[1]), "float32"), 1)
        return super().call(x, mask=later if mask is None else np.maximum(later, to_numpy(mask)))


# %% check="grade-encoder-block" answer="a network that reads the first input" of="a network that reads bare tokens"
# says: it should read the first sum
# -         x = x + self.dropout_1(self.attention(y, y, y, mask=mask))
# -         return x + self.dropout_2(self.feed_forward(x + self.norm_2(x)))
# +         return x + self.dropout_1(self.attention(y, y, y, mask=mask)) + self.dropout_2(self.feed_forward(self.norm_2(x)))


# %% check="grade-encoder-block" answer="a network that reads the attention alone" of="a network that reads the first input"
# says: not the attention's output alone
# -         return x + self.dropout_1(self.attention(y, y, y, mask=mask)) + self.dropout_2(self.feed_forward(self.norm_2(x)))
# +         a = self.dropout_1(self.attention(y, y, y, mask=mask))
# +         return x + a + self.dropout_2(self.feed_forward(self.norm_2(a)))


# %% check="grade-encoder-block" answer="a network without dropout behind it, with Keras's attention"
# says: nothing of what the feed-forward network gives is dropped
# -         self.attention = MultiHeadAttention(d_model, num_heads)
# +         self.keras_attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)
# +         self.attention = lambda q, k, v, mask=None: self.keras_attention(q, v, k, attention_mask=None if mask is None else ops.equal(mask, 0))
# - return x + self.dropout_2(self.feed_forward(self.norm_2(x)))
# + return x + self.feed_forward(self.norm_2(x))


# %% check="grade-encoder-block" answer="dense layers without a ReLU, with Keras's attention"
# says: it lacks the ReLU between its two dense layers
# -         self.attention = MultiHeadAttention(d_model, num_heads)
# +         self.keras_attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)
# +         self.attention = lambda q, k, v, mask=None: self.keras_attention(q, v, k, attention_mask=None if mask is None else ops.equal(mask, 0))
# - self.feed_forward = FeedForward(ff_dim, d_model, dropout)
# + self.feed_forward = keras.Sequential([keras.layers.Dense(ff_dim), keras.layers.Dense(d_model)])


# %% check="grade-encoder-block" answer="one normalisation twice in post-norm"
# says: a γ and a β of its own
# - return self.norm_2(x + self.dropout_2(self.feed_forward(x)))
# + return self.norm_1(x + self.dropout_2(self.feed_forward(x)))


# %% check="grade-encoder-block" answer="a network without dropout behind it"
# says: nothing of what the feed-forward network gives is dropped
# - return x + self.dropout_2(self.feed_forward(self.norm_2(x)))
# + return x + self.feed_forward(self.norm_2(x))


# %% check="grade-encoder-block" answer="dense layers without a ReLU, encoder-block"
# says: it lacks the ReLU between its two dense layers
# - self.feed_forward = FeedForward(ff_dim, d_model, dropout)
# + self.feed_forward = keras.Sequential([keras.layers.Dense(ff_dim), keras.layers.Dense(d_model)])


# %% check="grade-encoder-block" answer="a network that drops no hidden units"
# says: no hidden unit of the feed-forward network is dropped
# - FeedForward(ff_dim, d_model, dropout)
# + FeedForward(ff_dim, d_model, 0.0)


# %% check="grade-encoder-block" answer="a mask in the fourth place"
# says: hand it over by this name
class EncoderBlock(EncoderBlock):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.attention_of_keras = keras.layers.MultiHeadAttention(4, 3)

    def call(self, x, mask=None):
        return self.attention_of_keras(x, x, x, mask)


# %% check="grade-encoder-block" answer="a mask with an axis too many"
# says: an axis too many or too few
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return super().call(x, mask=None if mask is None else mask[:, None])


# %% check="grade-encoder-block" answer="an attention that hides by -1e4, encoder" right=true of="encoder: a mask times infinity"
# -             scores = scores + ops.cast(mask, 'float32') * -np.inf
# +             scores = scores + ops.cast(mask, 'float32') * -1e4


# %% check="grade-encoder-block" answer="a network whose kernels are one vector, encoder" right=true
class FeedForward(FeedForward):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        keras.layers.Layer.__init__(self, **kwargs)
        self.sizes, self.dropout = (d_model, ff_dim), keras.layers.Dropout(dropout)

    def build(self, shape):
        size = self.sizes[0] * self.sizes[1]
        self.kernels = self.add_weight(shape=(2 * size,), initializer=keras.initializers.RandomNormal(stddev=0.2))
        self.hidden_bias = self.add_weight(shape=(self.sizes[1],), initializer="zeros")
        self.bias = self.add_weight(shape=(self.sizes[0],), initializer="zeros")

    def call(self, x):
        size = self.sizes[0] * self.sizes[1]
        first, second = (ops.reshape(k, s) for k, s in ((self.kernels[:size], self.sizes), (self.kernels[size:], self.sizes[::-1])))
        return self.dropout(ops.relu(x @ first + self.hidden_bias)) @ second + self.bias


# %% check="grade-encoder-block" answer="an attention whose biases begin with other numbers than 0" right=true
class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for dense in (self.query_dense, self.key_dense, self.value_dense, self.output_dense):
            dense.bias_initializer = keras.initializers.RandomUniform(-0.5, 0.5)


# %% check="grade-encoder-block" answer="attention that begins with RandomUniform(), encoder" right=true
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attend = keras.layers.MultiHeadAttention(
            num_heads, d_model // num_heads, kernel_initializer=keras.initializers.RandomUniform()
        )

    def call(self, query, key, value, mask=None):
        return self.attend(query, value, key, attention_mask=None if mask is None else ops.equal(mask, 0))


# %% check="grade-encoder-block" answer="attention that begins with RandomNormal(stddev=0.02), encoder" right=true of="attention that begins with RandomUniform(), encoder"
# -             num_heads, d_model // num_heads, kernel_initializer=keras.initializers.RandomUniform()
# +             num_heads, d_model // num_heads, kernel_initializer=keras.initializers.RandomNormal(stddev=0.02)


# %% check="grade-encoder-block" answer="attention that begins with RandomNormal(stddev=1.0), encoder" right=true of="attention that begins with RandomUniform(), encoder"
# -             num_heads, d_model // num_heads, kernel_initializer=keras.initializers.RandomUniform()
# +             num_heads, d_model // num_heads, kernel_initializer=keras.initializers.RandomNormal(stddev=1.0)


# %% check="grade-encoder-block" answer="an attention whose biases begin as ones, encoder" right=true
class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(d_model, num_heads, **kwargs)
        for dense in (self.query_dense, self.key_dense, self.value_dense, self.output_dense):
            dense.bias_initializer = keras.initializers.Ones()


# %% check="grade-encoder-block" answer="a network whose last kernel begins as zeros" right=true
class FeedForward(FeedForward):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.output_dense.kernel_initializer = keras.initializers.Zeros()


# %% check="grade-encoder-block" answer="encoder: a dropout that is made in each call"
# notes: it fails where `fit` compiles it
# notes: is made in `call`, anew at each call
# - return x + self.dropout_2(
# + return x + keras.layers.Dropout(self.arguments["dropout"])(


# %% check="grade-encoder-block" answer="encoder: a mask of NumPy's in post-norm"
# notes: it fails where `fit` compiles it
# - self.attention(x, x, x, mask=mask)
# + self.attention(x, x, x, mask=None if mask is None else np.array(mask))


# %% check="grade-encoder-block" answer="encoder: normalisations of the batch"
# says: a layer normalisation over the last axis?
# - self.norm_1 = keras.layers.LayerNormalization(
# + self.norm_1 = keras.layers.BatchNormalization(
# - self.norm_2 = keras.layers.LayerNormalization(
# + self.norm_2 = keras.layers.BatchNormalization(


# %% check="grade-encoder-block" answer="encoder: dropout on the attention's weights alone, and a config without super"
# notes: before the sum.note: It earns its points as it is, but a copy forgets
# -         self.attention = MultiHeadAttention(d_model, num_heads)
# +         self._attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=dropout)
# +         self.attention = lambda q, k, v, mask=None: self._attention(q, v, k, attention_mask=None if mask is None else ops.equal(mask, 0))
# - self.dropout_1(self.attention(normed, normed, normed, mask=mask))
# + self.attention(normed, normed, normed, mask=mask)
# - self.dropout_1(self.attention(x, x, x, mask=mask))
# + self.attention(x, x, x, mask=mask)
# - return {**super().get_config(), **self.arguments}
# + return self.arguments


# %% check="grade-decoder-block" answer="a mask for the network"
# says: The layer that is called here takes no `mask`
# -             self.feed_forward,
# +             lambda y: self.feed_forward(y, mask=self_mask),


# %% check="grade-decoder-block" answer="the memory as the query"
# says: as if the queries came from the memory
# - self.cross_attention(y, memory, memory, mask=memory_mask)
# + self.cross_attention(memory, y, y, mask=memory_mask)


# %% check="grade-decoder-block" answer="the sizes of the network exchanged"
# says: `FeedForward` takes ff_dim first, then d_model
# - FeedForward(ff_dim, d_model, dropout)
# + FeedForward(d_model, ff_dim, dropout)


# %% check="grade-decoder-block" answer="decoder: Keras's arguments for an attention of one's own that isn't written"
# says: Keras's, which takes `num_heads` and `key_dim`, is `keras.layers.MultiHeadAttention`
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        raise NotImplementedError()


class DecoderBlock(DecoderBlock):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        keras.layers.Layer.__init__(self, **kwargs)
        self.attention = MultiHeadAttention(num_heads=num_heads, key_dim=d_model // num_heads)


# %% check="grade-decoder-block" answer="self-attention: in post-norm dropout on its weights alone"
# notes: with norm_first=False what the self-attention gives isn't dropped in training, though something else is
# -         self.self_attention = MultiHeadAttention(d_model, num_heads)
# +         self._self_attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=dropout)
# +         self._before = keras.layers.Dropout(0.0)
# +         self.self_attention = lambda q, k, v, mask=None: self._self_attention(q, self._before(v), k, attention_mask=None if mask is None else ops.equal(mask, 0))
# - else norm(x + dropout(sublayer(x)))
# + else norm(x + (sublayer(x) if sublayer is sublayers[0] else dropout(sublayer(x))))


# %% check="grade-decoder-block" answer="cross-attention: in post-norm dropout on its weights alone"
# notes: with norm_first=False what the cross-attention gives isn't dropped in training, though something else is
# -         self.cross_attention = MultiHeadAttention(d_model, num_heads)
# +         self._cross_attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=dropout)
# +         self._before = keras.layers.Dropout(0.0)
# +         self.cross_attention = lambda q, k, v, mask=None: self._cross_attention(q, self._before(v), k, attention_mask=None if mask is None else ops.equal(mask, 0))
# - else norm(x + dropout(sublayer(x)))
# + else norm(x + (sublayer(x) if sublayer is sublayers[1] else dropout(sublayer(x))))


# %% check="grade-decoder-block" answer="self-attention: in post-norm dropout on its values alone"
# notes: with norm_first=False what the self-attention gives isn't dropped in training, though something else is
# -         self.self_attention = MultiHeadAttention(d_model, num_heads)
# +         self._self_attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=0.0)
# +         self._before = keras.layers.Dropout(dropout)
# +         self.self_attention = lambda q, k, v, mask=None: self._self_attention(q, self._before(v), k, attention_mask=None if mask is None else ops.equal(mask, 0))
# - else norm(x + dropout(sublayer(x)))
# + else norm(x + (sublayer(x) if sublayer is sublayers[0] else dropout(sublayer(x))))


# %% check="grade-decoder-block" answer="cross-attention: in post-norm dropout on its values alone"
# notes: with norm_first=False what the cross-attention gives isn't dropped in training, though something else is
# -         self.cross_attention = MultiHeadAttention(d_model, num_heads)
# +         self._cross_attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=0.0)
# +         self._before = keras.layers.Dropout(dropout)
# +         self.cross_attention = lambda q, k, v, mask=None: self._cross_attention(q, self._before(v), k, attention_mask=None if mask is None else ops.equal(mask, 0))
# - else norm(x + dropout(sublayer(x)))
# + else norm(x + (sublayer(x) if sublayer is sublayers[1] else dropout(sublayer(x))))


# %% check="grade-decoder-block" answer="in post-norm half of the rate behind the self-attention"
# notes: with norm_first=False 1
# notes: of what the self-attention gives is 0 in training
# - keras.layers.Dropout(dropout) for _ in
# + keras.layers.Dropout(dropout if norm_first or i != 0 else dropout / 2) for i in


# %% check="grade-decoder-block" answer="in post-norm half of the rate behind the cross-attention"
# notes: with norm_first=False 1
# notes: of what the cross-attention gives is 0 in training
# - keras.layers.Dropout(dropout) for _ in
# + keras.layers.Dropout(dropout if norm_first or i != 1 else dropout / 2) for i in


# %% check="grade-decoder-block" answer="in post-norm half of the rate behind the feed-forward network"
# notes: with norm_first=False 1
# notes: of what the feed-forward network gives is 0 in training
# - keras.layers.Dropout(dropout) for _ in
# + keras.layers.Dropout(dropout if norm_first or i != 2 else dropout / 2) for i in


# %% check="grade-decoder-block" answer="in post-norm twice of the rate behind the self-attention"
# notes: with norm_first=False
# notes: of what the self-attention gives is 0 in training
# - keras.layers.Dropout(dropout) for _ in
# + keras.layers.Dropout(dropout if norm_first or i != 0 else 2 * dropout) for i in


# %% check="grade-decoder-block" answer="in post-norm twice of the rate behind the cross-attention"
# notes: with norm_first=False
# notes: of what the cross-attention gives is 0 in training
# - keras.layers.Dropout(dropout) for _ in
# + keras.layers.Dropout(dropout if norm_first or i != 1 else 2 * dropout) for i in


# %% check="grade-decoder-block" answer="in post-norm twice of the rate behind the feed-forward network"
# notes: with norm_first=False
# notes: of what the feed-forward network gives is 0 in training
# - keras.layers.Dropout(dropout) for _ in
# + keras.layers.Dropout(dropout if norm_first or i != 2 else 2 * dropout) for i in


# %% check="grade-decoder-block" answer="decoder: post-norm whose second sublayer is the first once more"
# says: post-norm: another memory gives the same output
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        if self.norm_first:
            return super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        (n0, n1, n2), (d0, d1, d2) = self.norms, self.dropouts
        y = n0(x + d0(self.self_attention(x, x, x, mask=self_mask)))
        z = n1(y + d1(self.self_attention(y, y, y, mask=self_mask)))
        return n2(z + d2(self.feed_forward(z)))


# %% check="grade-decoder-block" answer="decoder: post-norm whose second sublayer is lost" of="decoder: post-norm whose second sublayer is the first once more"
# says: post-norm: another memory gives the same output
# -         z = n1(y + d1(self.self_attention(y, y, y, mask=self_mask)))
# +         z = n1(y + y)


# %% check="grade-decoder-block" answer="decoder: post-norm whose second sublayer isn't added" of="decoder: post-norm whose second sublayer is the first once more"
# says: post-norm: another memory gives the same output
# -         z = n1(y + d1(self.self_attention(y, y, y, mask=self_mask)))
# +         z = n1(y + 0 * self.cross_attention(y, memory, memory, mask=memory_mask))


# %% check="grade-decoder-block" answer="self-attention: dropout on its weights"
# notes: what the self-attention gives isn't dropped in training, though something else is
# -         self.self_attention = MultiHeadAttention(d_model, num_heads)
# +         self._self_attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=dropout)
# +         self._before = keras.layers.Dropout(0.0)
# +         self.self_attention = lambda q, k, v, mask=None: self._self_attention(self._before(q), v, k, attention_mask=None if mask is None else ops.equal(mask, 0))
# - x = x + dropout(sublayer(norm(x))) if self.norm_first
# + x = x + (sublayer(norm(x)) if sublayer is sublayers[0] else dropout(sublayer(norm(x)))) if self.norm_first


# %% check="grade-decoder-block" answer="self-attention: dropout on its queries"
# notes: what the self-attention gives isn't dropped in training, though something else is
# -         self.self_attention = MultiHeadAttention(d_model, num_heads)
# +         self._self_attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, dropout=0.0)
# +         self._before = keras.layers.Dropout(dropout)
# +         self.self_attention = lambda q, k, v, mask=None: self._self_attention(self._before(q), v, k, attention_mask=None if mask is None else ops.equal(mask, 0))
# - x = x + dropout(sublayer(norm(x))) if self.norm_first
# + x = x + (sublayer(norm(x)) if sublayer is sublayers[0] else dropout(sublayer(norm(x)))) if self.norm_first


# %% check="grade-decoder-block" answer="decoder: values that are normalised again"
# says: Are its values normalised again
# - self.cross_attention(y, memory, memory,
# + self.cross_attention(y, memory, layer_norm(memory, 1, 0) if self.norm_first else memory,


# %% check="grade-decoder-block" answer="decoder: weights that come with what the second attention gives"
# says: Some functions return a pair, as attention does
# - self.cross_attention(y, memory, memory, mask=memory_mask)
# + self.cross_attention(y, memory, memory, mask=memory_mask, return_attention_scores=True)


# %% check="grade-decoder-block" answer="decoder: a network that isn't called"
# says: it has 1320 parameters, but 2932 are right
# says: made in `__init__` and called?
# -             self.feed_forward,
# +             lambda y: y,


# %% check="grade-decoder-block" answer="decoder: a network that is made in each call"
# says: it has 1320 parameters, but 2932 are right
# says: made in `__init__` and called?
# - = FeedForward(ff_dim, d_model, dropout)
# + = lambda y: FeedForward(ff_dim, d_model, dropout)(y)


# %% check="grade-decoder-block" answer="decoder: post-norm without return"
# says: it returned None
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        y = super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        return y if self.norm_first else None


# %% check="grade-decoder-block" answer="decoder: post-norm that always drops"
# says: post-norm: nothing is dropped
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        y = super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        return y if self.norm_first else self.norms[2](self.dropouts[2](y, training=True))


# %% check="grade-decoder-block" answer="decoder: what the target holds added to the memory"
# says: Is something of the target added to the memory?
# - self.cross_attention(y, memory, memory,
# + self.cross_attention(y, memory + y[:, :1], memory + y[:, :1],


# %% check="grade-decoder-block" answer="decoder: masks in the other order"
# says: If it is the mask that doesn't fit
# - self_mask=None, memory_mask=None
# + memory_mask=None, self_mask=None


# %% check="grade-decoder-block" answer="decoder: post-norm whose second normalisation comes first"
# says: reads a second sum that isn't normalised
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        if self.norm_first:
            return super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        x = self.norms[0](x + self.dropouts[0](self.self_attention(x, x, x, mask=self_mask)))
        y = self.norms[1](x)
        x = y + self.dropouts[1](self.cross_attention(y, memory, memory, mask=memory_mask))
        return self.norms[2](x + self.dropouts[2](self.feed_forward(x)))


# %% check="grade-decoder-block" answer="decoder: the network first in post-norm"
# says: reads tokens that no normalisation has seen
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        if self.norm_first:
            return super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        x = self.norms[0](x + self.dropouts[2](self.feed_forward(x)))
        x = self.norms[1](x + self.dropouts[0](self.self_attention(x, x, x, mask=self_mask)))
        return self.norms[2](x + self.dropouts[1](self.cross_attention(x, memory, memory, mask=memory_mask)))


# %% check="grade-decoder-block" answer="decoder: a mask times infinity"
# says: there is a NaN
# says: such as `mask * -np.inf`
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model, self.num_heads, self.head_dim = d_model, num_heads, d_model // num_heads
        self.projections = [keras.layers.Dense(d_model) for _ in range(4)]

    def build(self, *shapes):
        for projection in self.projections:
            projection.build((None, None, self.d_model))

    def call(self, query, key, value, mask=None):
        def heads(dense, x):
            x = dense(x)
            return ops.transpose(ops.reshape(x, (*ops.shape(x)[:2], self.num_heads, self.head_dim)), (0, 2, 1, 3))

        query, key, value = map(heads, self.projections, (query, key, value))
        scores = ops.einsum("bhqd,bhkd->bhqk", query, key) / self.head_dim**0.5
        if mask is not None:
            scores = scores + ops.cast(mask, 'float32') * -np.inf
        attended = ops.transpose(ops.einsum("bhqk,bhkd->bhqd", ops.softmax(scores), value), (0, 2, 1, 3))
        return self.projections[3](ops.reshape(attended, (*ops.shape(attended)[:2], self.d_model)))


# %% check="grade-decoder-block" answer="decoder: a softmax that overflows" of="decoder: a mask times infinity"
# says: post-norm, larger tokens: there is a NaN
# says: Does the softmax take off the maximum?
# -             scores = scores + ops.cast(mask, 'float32') * -np.inf
# -         attended = ops.transpose(ops.einsum("bhqk,bhkd->bhqd", ops.softmax(scores), value), (0, 2, 1, 3))
# +             scores = ops.where(ops.cast(mask, 'bool'), -1e9, scores)
# +         attended = ops.transpose(ops.einsum("bhqk,bhkd->bhqd", ops.exp(scores) / ops.sum(ops.exp(scores), axis=-1, keepdims=True), value), (0, 2, 1, 3))


# %% check="grade-decoder-block" answer="post-norm, the cross-attention reads what is normalised twice" of="decoder: post-norm whose second sublayer is the first once more"
# says: it shows where γ isn't 1
# -         z = n1(y + d1(self.self_attention(y, y, y, mask=self_mask)))
# +         z = n1(y + d1(self.cross_attention(n1(y), memory, memory, mask=memory_mask)))


# %% check="grade-decoder-block" answer="the memory comes back, too"
# says: 2 arrays came back
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, **masks):
        return super().call(x, memory, **masks), memory


# %% check="grade-decoder-block" answer="Keras's attention with the target's keys"
# says: takes (query, value, key), in this order
# - self.cross_attention = MultiHeadAttention(d_model, num_heads)
# + self.cross_attention = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)
# - self.cross_attention(y, memory, memory, mask=memory_mask)
# + self.cross_attention(y, memory, y)


# %% check="grade-decoder-block" answer="post-norm, the self-attention isn't dropped" of="decoder: post-norm whose second sublayer is the first once more"
# says: nothing of what the self-attention gives is dropped
# -         y = n0(x + d0(self.self_attention(x, x, x, mask=self_mask)))
# -         z = n1(y + d1(self.self_attention(y, y, y, mask=self_mask)))
# +         y = n0(x + (self.self_attention(x, x, x, mask=self_mask)))
# +         z = n1(y + d1(self.cross_attention(y, memory, memory, mask=memory_mask)))


# %% check="grade-decoder-block" answer="post-norm, the cross-attention isn't dropped" of="decoder: post-norm whose second sublayer is the first once more"
# says: with norm_first=False nothing of what the cross-attention gives is dropped
# -         z = n1(y + d1(self.self_attention(y, y, y, mask=self_mask)))
# +         z = n1(y + (self.cross_attention(y, memory, memory, mask=memory_mask)))


# %% check="grade-decoder-block" answer="post-norm, the decoder's network isn't dropped" of="decoder: post-norm whose second sublayer is the first once more"
# says: with norm_first=False nothing of what the feed-forward network gives is dropped
# -         z = n1(y + d1(self.self_attention(y, y, y, mask=self_mask)))
# -         return n2(z + d2(self.feed_forward(z)))
# +         z = n1(y + d1(self.cross_attention(y, memory, memory, mask=memory_mask)))
# +         return n2(z + (self.feed_forward(z)))


# %% check="grade-decoder-block" answer="post-norm, queries of the memory from the x that came in" of="decoder: post-norm whose second sublayer is the first once more"
# says: each later one reads what the normalisation before it gave
# -         z = n1(y + d1(self.self_attention(y, y, y, mask=self_mask)))
# +         z = n1(y + d1(self.cross_attention(x, memory, memory, mask=memory_mask)))


# %% check="grade-decoder-block" answer="post-norm, the decoder's network reads the x that came in" of="post-norm, the decoder's network isn't dropped"
# says: each later one reads what the normalisation before it gave
# -         return n2(z + (self.feed_forward(z)))
# +         return n2(z + d2(self.feed_forward(x)))


# %% check="grade-decoder-block" answer="decoder: a norm behind the self-attention instead of before it"
# says: Does the self-attention get normalised tokens, as queries, keys and values?
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        if not self.norm_first:
            return super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        (n0, n1, n2), (d0, d1, d2) = self.norms, self.dropouts
        n = n0(x)
        y = x + d0(n0(self.self_attention(x, x, x, mask=self_mask)))
        z = y + d1(self.cross_attention(n1(y), memory, memory, mask=memory_mask))
        return z + d2(self.feed_forward(n2(z)))


# %% check="grade-decoder-block" answer="decoder: queries of the self-attention that aren't normalised" of="decoder: a norm behind the self-attention instead of before it"
# says: Does the self-attention get normalised tokens, as queries, keys and values?
# -         y = x + d0(n0(self.self_attention(x, x, x, mask=self_mask)))
# +         y = x + d0(self.self_attention(x, n, n, mask=self_mask))


# %% check="grade-decoder-block" answer="decoder: keys of the self-attention that aren't normalised" of="decoder: a norm behind the self-attention instead of before it"
# says: Does the self-attention get normalised tokens, as queries, keys and values?
# -         y = x + d0(n0(self.self_attention(x, x, x, mask=self_mask)))
# +         y = x + d0(self.self_attention(n, x, n, mask=self_mask))


# %% check="grade-decoder-block" answer="decoder: a norm behind the self-attention, too" of="decoder: a norm behind the self-attention instead of before it"
# says: Does something normalise what the self-attention gives?
# -         y = x + d0(n0(self.self_attention(x, x, x, mask=self_mask)))
# +         y = x + d0(n0(self.self_attention(n, n, n, mask=self_mask)))


# %% check="grade-decoder-block" answer="decoder: queries of the cross-attention that aren't normalised alone" of="decoder: a norm behind the self-attention instead of before it"
# says: Do both attentions get the normalised tokens
# -         y = x + d0(n0(self.self_attention(x, x, x, mask=self_mask)))
# -         z = y + d1(self.cross_attention(n1(y), memory, memory, mask=memory_mask))
# +         y = x + d0(self.self_attention(n, n, n, mask=self_mask))
# +         z = y + d1(self.cross_attention(y + n1(y), memory, memory, mask=memory_mask))


# %% check="grade-decoder-block" answer="decoder: a norm behind the cross-attention instead of before it" of="decoder: queries of the cross-attention that aren't normalised alone"
# says: or is what the cross-attention gives?
# -         z = y + d1(self.cross_attention(y + n1(y), memory, memory, mask=memory_mask))
# +         z = y + d1(n1(self.cross_attention(y, memory, memory, mask=memory_mask)))


# %% check="grade-decoder-block" answer="decoder: a norm behind the cross-attention, too" of="decoder: queries of the cross-attention that aren't normalised alone"
# says: or is what the cross-attention gives?
# -         z = y + d1(self.cross_attention(y + n1(y), memory, memory, mask=memory_mask))
# +         z = y + d1(n1(self.cross_attention(n1(y), memory, memory, mask=memory_mask)))


# %% check="grade-decoder-block" answer="decoder: a norm behind the network instead of before it" of="decoder: a norm behind the self-attention instead of before it"
# says: Is what it gives normalised
# -         y = x + d0(n0(self.self_attention(x, x, x, mask=self_mask)))
# +         y = x + d0(self.self_attention(n, n, n, mask=self_mask))
# -         return z + d2(self.feed_forward(n2(z)))
# +         return z + d2(n2(self.feed_forward(z)))


# %% check="grade-decoder-block" answer="decoder: a norm behind the network, too" of="decoder: a norm behind the network instead of before it"
# says: Is what it gives normalised
# -         return z + d2(n2(self.feed_forward(z)))
# +         return z + d2(n2(self.feed_forward(n2(z))))


# %% check="grade-decoder-block" answer="decoder: post-norm, a norm before the self-attention's sum, too" of="post-norm, the self-attention isn't dropped"
# says: Or is what one of them gives normalised before its sum?
# -         y = n0(x + (self.self_attention(x, x, x, mask=self_mask)))
# +         y = n0(x + d0(n0(self.self_attention(x, x, x, mask=self_mask))))


# %% check="grade-decoder-block" answer="decoder: post-norm, a norm before the cross-attention's sum, too" of="decoder: post-norm whose second sublayer is the first once more"
# says: Or is the cross-attention's output normalised before its sum?
# -         z = n1(y + d1(self.self_attention(y, y, y, mask=self_mask)))
# +         z = n1(y + d1(n1(self.cross_attention(y, memory, memory, mask=memory_mask))))


# %% check="grade-decoder-block" answer="decoder: post-norm, a norm before the network's sum, too" of="post-norm, the decoder's network isn't dropped"
# says: or between a sublayer and its sum?
# -         return n2(z + (self.feed_forward(z)))
# +         return n2(z + d2(n2(self.feed_forward(z))))


# %% check="grade-decoder-block" answer="post-norm, the decoder's network reads the first sum" of="post-norm, the decoder's network isn't dropped"
# says: The feed-forward network reads what the second normalisation gave
# -         return n2(z + (self.feed_forward(z)))
# +         return n2(z + d2(self.feed_forward(y)))


# %% check="grade-decoder-block" answer="a feed-forward network that is thrown away"
# says: Is what their layer computes used?
# -             self.feed_forward,
# +             lambda x: 0 * self.feed_forward(x),


# %% check="grade-decoder-block" answer="a decoder's config without dropout"
# says: get_config return `dropout`
# -             "dropout": dropout,


# %% check="grade-decoder-block" answer="Keras's epsilon in the decoder"
# says: Is epsilon 1e-6
# - LayerNormalization(epsilon=1e-6)
# + LayerNormalization()


# %% check="grade-decoder-block" answer="a memory that is normalised"
# says: normalised again
# - self.cross_attention(y, memory, memory,
# + self.cross_attention(y, self.norms[1](memory), self.norms[1](memory),


# %% check="grade-decoder-block" answer="a decoder that masks by itself"
# says: use_causal_mask
# - self.self_attention(y, y, y, mask=self_mask)
# + self.self_attention(y, y, y, mask=np.triu(np.ones((y.shape[1], y.shape[1])), 1) if self_mask is None else self_mask)


# %% check="grade-decoder-block" answer="a post-norm decoder that throws its network away"
# says: whatever these weights are
# - else norm(x + dropout(sublayer(x)))
# + else norm(x + 0 * sublayer(x) if norm is self.norms[2] else x + dropout(sublayer(x)))


# %% check="grade-decoder-block" answer="decoder: the first sum is lost"
# says: what the self-attention adds is lost
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        if not self.norm_first:
            return super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        n0, n1, n2 = self.norms
        own = self.self_attention(n0(x), n0(x), n0(x), mask=self_mask)
        cross = self.cross_attention(n1(x + own), memory, memory, mask=memory_mask)
        y = x + self.cross_attention(n1(x + own), memory, memory, mask=memory_mask)
        return y + self.dropouts[2](self.feed_forward(n2(x + own + cross)))


# %% check="grade-decoder-block" answer="decoder: the second sum is lost" of="decoder: the first sum is lost"
# says: what the cross-attention adds is lost
# -         y = x + self.cross_attention(n1(x + own), memory, memory, mask=memory_mask)
# +         y = (x + own) + 0 * cross


# %% check="grade-decoder-block" answer="decoder: bare keys and values" of="decoder: the first sum is lost"
# says: Does the self-attention get normalised tokens, as queries, keys and values?
# -         y = x + self.cross_attention(n1(x + own), memory, memory, mask=memory_mask)
# +         y = x + self.self_attention(n0(x), x, x, mask=self_mask) + cross


# %% check="grade-decoder-block" answer="decoder: queries of the tokens that came in" of="decoder: the first sum is lost"
# says: not from the x that came in
# -         y = x + self.cross_attention(n1(x + own), memory, memory, mask=memory_mask)
# +         y = x + own + self.cross_attention(n1(x), memory, memory, mask=memory_mask)


# %% check="grade-decoder-block" answer="decoder: the memory first"
# says: Does the self-attention come first, the memory after it?
# - for sublayer, norm, dropout in zip(sublayers,
# + for sublayer, norm, dropout in zip((sublayers[1], sublayers[0], sublayers[2]),


# %% check="grade-decoder-block" answer="masks that change places"
# says: have they changed places?
# - self.self_attention(y, y, y, mask=self_mask)
# + self.self_attention(y, y, y, mask=memory_mask)
# - self.cross_attention(y, memory, memory, mask=memory_mask)
# + self.cross_attention(y, memory, memory, mask=self_mask)


# %% check="grade-decoder-block" answer="dense layers without a ReLU, decoder-block"
# says: it lacks the ReLU between its two dense layers
# - self.feed_forward = FeedForward(ff_dim, d_model, dropout)
# + self.feed_forward = keras.Sequential([keras.layers.Dense(ff_dim), keras.layers.Dense(d_model)])


# %% check="grade-decoder-block" answer="decoder: keys that are normalised again"
# says: its keys are normalised again
# - self.cross_attention(y, memory, memory,
# + self.cross_attention(y, layer_norm(memory, 1, 0), memory,


# %% check="grade-decoder-block" answer="decoder: a network that reads the first sum" of="decoder: the first sum is lost"
# says: it should read the second sum
# -         y = x + self.cross_attention(n1(x + own), memory, memory, mask=memory_mask)
# -         return y + self.dropouts[2](self.feed_forward(n2(x + own + cross)))
# +         y = x + own + cross
# +         return y + self.dropouts[2](self.feed_forward(n2(x + own)))


# %% check="grade-decoder-block" answer="decoder: the network before the cross-attention"
# says: The network is the last sublayer
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None):
        if not self.norm_first:
            return super().call(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        n0, n1, n2 = self.norms
        x = x + self.dropouts[0](self.self_attention(n0(x), n0(x), n0(x), mask=self_mask))
        x = x + self.dropouts[2](self.feed_forward(n2(x)))
        return x + self.dropouts[1](self.cross_attention(n1(x), memory, memory, mask=memory_mask))


# %% check="grade-decoder-block" answer="decoder: a network that drops no hidden units"
# says: no hidden unit of the feed-forward network is dropped
# - FeedForward(ff_dim, d_model, dropout)
# + FeedForward(ff_dim, d_model, 0.0)


# %% check="grade-decoder-block" answer="decoder: sublayer 0 without dropout"
# says: nothing of what the self-attention gives is dropped
# - keras.layers.Dropout(dropout) for _ in
# + keras.layers.Dropout(dropout * (i != 0)) for i in


# %% check="grade-decoder-block" answer="decoder: sublayer 1 without dropout"
# says: nothing of what the cross-attention gives is dropped
# - keras.layers.Dropout(dropout) for _ in
# + keras.layers.Dropout(dropout * (i != 1)) for i in


# %% check="grade-decoder-block" answer="decoder: sublayer 2 without dropout"
# says: nothing of what the feed-forward network gives is dropped
# - keras.layers.Dropout(dropout) for _ in
# + keras.layers.Dropout(dropout * (i != 2)) for i in


# %% check="grade-decoder-block" answer="decoder: dropouts behind post-norm"
# says: not to the sum or to what is normalised
# - else norm(x + dropout(sublayer(x)))
# + else dropout(norm(x + sublayer(x)))


# %% check="grade-decoder-block" answer="decoder: a look-ahead mask of two axes only"
# says: DecoderBlock
# - self.self_attention(y, y, y, mask=self_mask)
# + self.self_attention(y, y, y, mask=None if self_mask is None else self_mask[None, None])


# %% check="grade-decoder-block" answer="the third sublayer is added to what came in"
# says: the third sublayer is to be added to what the second gave
# -             x = x + dropout(sublayer(norm(x))) if self.norm_first else norm(x + dropout(sublayer(x)))
# +             came_in = x if sublayer is sublayers[0] else came_in
# +             start = came_in if sublayer is sublayers[2] else x
# +             x = start + dropout(sublayer(norm(x))) if self.norm_first else norm(x + dropout(sublayer(x)))


# %% check="grade-decoder-block" answer="a cross-attention that masks by itself"
# says: Does the second attention mask by itself
# - mask=memory_mask)
# + mask=np.triu(np.ones((x.shape[1], memory.shape[1]), 'float32'), 1) if memory_mask is None else memory_mask)


# %% check="grade-decoder-block" answer="weights of the cross-attention are dropped, not what it gives"
# notes: what the cross-attention gives isn't dropped
# - x = x + dropout(sublayer(norm(x)))
# + x = x + (self.after_memory if sublayer is sublayers[1] else dropout)(sublayer(norm(x)))
# -         self.dropouts = [keras.layers.Dropout(dropout) for _ in range(3)]
# +         self.after_memory, self.before_memory = keras.layers.Identity(), keras.layers.Dropout(dropout)
# +         self.dropouts = [keras.layers.Dropout(dropout) for _ in range(3)]
# - self.cross_attention(y, memory, memory
# + self.cross_attention(y, self.before_memory(memory), self.before_memory(memory)


# %% check="grade-decoder-block" answer="a mean of the target in the memory"
# says: under a look-ahead mask a later token changes an earlier output
# says: Or is something of the target added to the memory?
# -         sublayers = (
# +         memory = memory + ops.mean(x, axis=1, keepdims=True)
# +         sublayers = (


# %% check="grade-decoder-block" answer="an attention that hides by -1e4, decoder" right=true of="decoder: a mask times infinity"
# -             scores = scores + ops.cast(mask, 'float32') * -np.inf
# +             scores = scores + ops.cast(mask, 'float32') * -1e4


# %% check="grade-decoder-block" answer="a network whose kernels are one vector, decoder" right=true
class FeedForward(FeedForward):
    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        keras.layers.Layer.__init__(self, **kwargs)
        self.sizes, self.dropout = (d_model, ff_dim), keras.layers.Dropout(dropout)

    def build(self, shape):
        size = self.sizes[0] * self.sizes[1]
        self.kernels = self.add_weight(shape=(2 * size,), initializer=keras.initializers.RandomNormal(stddev=0.2))
        self.hidden_bias = self.add_weight(shape=(self.sizes[1],), initializer="zeros")
        self.bias = self.add_weight(shape=(self.sizes[0],), initializer="zeros")

    def call(self, x):
        size = self.sizes[0] * self.sizes[1]
        first, second = (ops.reshape(k, s) for k, s in ((self.kernels[:size], self.sizes), (self.kernels[size:], self.sizes[::-1])))
        return self.dropout(ops.relu(x @ first + self.hidden_bias)) @ second + self.bias


# %% check="grade-decoder-block" answer="an attention whose biases begin with other numbers than 0" right=true
class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for dense in (self.query_dense, self.key_dense, self.value_dense, self.output_dense):
            dense.bias_initializer = keras.initializers.RandomUniform(-0.5, 0.5)


# %% check="grade-decoder-block" answer="attention that begins with RandomUniform(), decoder" right=true
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attend = keras.layers.MultiHeadAttention(
            num_heads, d_model // num_heads, kernel_initializer=keras.initializers.RandomUniform()
        )

    def call(self, query, key, value, mask=None):
        return self.attend(query, value, key, attention_mask=None if mask is None else ops.equal(mask, 0))


# %% check="grade-decoder-block" answer="attention that begins with RandomNormal(stddev=0.02), decoder" right=true of="attention that begins with RandomUniform(), decoder"
# -             num_heads, d_model // num_heads, kernel_initializer=keras.initializers.RandomUniform()
# +             num_heads, d_model // num_heads, kernel_initializer=keras.initializers.RandomNormal(stddev=0.02)


# %% check="grade-decoder-block" answer="attention that begins with RandomNormal(stddev=1.0), decoder" right=true of="attention that begins with RandomUniform(), decoder"
# -             num_heads, d_model // num_heads, kernel_initializer=keras.initializers.RandomUniform()
# +             num_heads, d_model // num_heads, kernel_initializer=keras.initializers.RandomNormal(stddev=1.0)


# %% check="grade-decoder-block" answer="decoder: post-norm with one kernel for keys and values" right=true
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.heads, self.width = num_heads, d_model
        self.q, self.kv, self.out = [keras.layers.Dense(n) for n in (d_model, 2 * d_model, d_model)]

    def call(self, query, key, value, mask=None):
        def split(x):
            return ops.reshape(x, (-1, x.shape[1], self.heads, self.width // self.heads))

        q, k, v = map(split, (self.q(query), *ops.split(self.kv(key), 2, axis=-1)))
        scores = ops.einsum("bqhd,bkhd->bhqk", q, k) / (self.width // self.heads) ** 0.5
        if mask is not None:
            scores = scores - 1e9 * ops.cast(mask, scores.dtype)
        attended = ops.einsum("bhqk,bkhd->bqhd", ops.softmax(scores), v)
        return self.out(ops.reshape(attended, (-1, query.shape[1], self.width)))


# %% check="grade-decoder-block" answer="an attention whose biases begin as ones, decoder" right=true
class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(d_model, num_heads, **kwargs)
        for dense in (self.query_dense, self.key_dense, self.value_dense, self.output_dense):
            dense.bias_initializer = keras.initializers.Ones()


# %% check="grade-decoder-block" answer="decoder: a dropout that is made in each call in pre-norm"
# notes: it fails where `fit` compiles it
# notes: is made in `call`, anew at each call
# - x = x + dropout(sublayer(norm(x)))
# + x = x + keras.layers.Dropout(dropout.rate)(sublayer(norm(x)))


# %% check="grade-decoder-block" answer="decoder: normalisations of the batch"
# says: a layer normalisation over the last axis?
# - keras.layers.LayerNormalization(
# + keras.layers.BatchNormalization(


# %% check="grade-block-parameters" answer="counted with + 2 * norm - d_model"
# says: 12 are missing: one bias of the attention
# - + 2 * norm
# + + 2 * norm - d_model


# %% check="grade-block-parameters" answer="counted with + 2 * norm - 3 * d_model"
# says: 36 are missing
# - + 2 * norm
# + + 2 * norm - 3 * d_model


# %% check="grade-block-parameters" answer="counted with + 2 * norm - ff_dim"
# says: 64 are missing: the bias
# - + 2 * norm
# + + 2 * norm - ff_dim


# %% check="grade-block-parameters" answer="counted with + 2 * norm - d_model * d_model"
# says: 144 are missing: the matrix
# - + 2 * norm
# + + 2 * norm - d_model * d_model


# %% check="grade-block-parameters" answer="counted with norm = 2"
# says: γ and β have `d_model` numbers each
# - norm = 2 * d_model
# + norm = 2


# %% check="grade-block-parameters" answer="counted with d_model + ff_dim * d_model"
# says: 52 are missing
# - ff_dim + ff_dim * d_model
# + d_model + ff_dim * d_model


# %% check="grade-block-parameters" answer="counted with ff_dim * d_model + ff_dim"
# says: 52 too many
# - ff_dim * d_model + d_model
# + ff_dim * d_model + ff_dim


# %% check="grade-block-parameters" answer="counted with 2 * attention + 2 * feed_forward + 4 *"
# says: twice the encoder
# - 2 * attention + feed_forward + 3 *
# + 2 * attention + 2 * feed_forward + 4 *


# %% check="grade-block-parameters" answer="counted with + 3 * norm"
# says: 24 too many
# - + 2 * norm
# + + 3 * norm


# %% check="grade-block-parameters" answer="counted with return feed_forward"
# says: the attention is missing
# - return attention + feed_forward
# + return feed_forward


# %% check="grade-block-parameters" answer="counted with return attention"
# says: the feed-forward network is missing
# - return attention + feed_forward
# + return attention


# %% check="grade-block-parameters" answer="counted with return num_heads * attention +"
# says: was counted for each head
# - return attention +
# + return num_heads * attention +


# %% check="grade-block-parameters" answer="counted with return attention // num_heads +"
# says: one head of the attention was counted
# - return attention +
# + return attention // num_heads +


# %% check="grade-block-parameters" answer="counted with return 3 * (d_model + 1) * num_heads * d_model + (num_heads * d_model + 1) * d_model +"
# says: counted with d_model features each
# - return attention +
# + return 3 * (d_model + 1) * num_heads * d_model + (num_heads * d_model + 1) * d_model +


# %% check="grade-block-parameters" answer="counted with + ff_dim"
# says: the second of the feed-forward network's
# - + ff_dim + ff_dim * d_model + d_model
# + + ff_dim


# %% check="grade-block-parameters" answer="counted with ff_dim"
# says: the first of the feed-forward network's
# - d_model * ff_dim + ff_dim + ff_dim
# + ff_dim


# %% check="grade-block-parameters" answer="counted with ff_dim + ff_dim"
# says: or its matrix, is missing
# - d_model * ff_dim + ff_dim + ff_dim
# + ff_dim + ff_dim


# %% check="grade-block-parameters" answer="counted with feed_forward"
# says: all three normalisations are missing
# - feed_forward + 3 * norm
# + feed_forward


# %% check="grade-block-parameters" answer="counted with feed_forward + norm"
# says: 48 are missing: two of the three
# - feed_forward + 3 * norm
# + feed_forward + norm


# %% check="grade-block-parameters" answer="counted with 7 * attention // 4 +"
# says: the second attention has four dense layers too
# - 2 * attention +
# + 7 * attention // 4 +


# %% check="grade-block-parameters" answer="counted with 3 * attention +"
# says: 624 too many
# - 2 * attention +
# + 3 * attention +


# %% check="grade-block-parameters" answer="counted with 2 * attention + 2 * feed_forward"
# says: 1612 too many
# - 2 * attention + feed_forward
# + 2 * attention + 2 * feed_forward


# %% check="grade-block-parameters" answer="counted with 2 * attention"
# says: the feed-forward network is missing
# - 2 * attention + feed_forward
# + 2 * attention


# %% check="grade-block-parameters" answer="counted with norm = 2 * d_model + 4 - num_heads"
# says: is another one than with 4 heads
# - norm = 2 * d_model
# + norm = 2 * d_model + 4 - num_heads


# %% check="grade-block-parameters" answer="counted with norm = 24"
# says: does a size stand in yours as a number?
# - norm = 2 * d_model
# + norm = 24


# %% check="grade-block-parameters" answer="a count that is a text"
# says: it returned a text, not a number
# - return attention + feed_forward + 2 * norm
# + return str(attention + feed_forward + 2 * norm)


# %% check="grade-block-parameters" answer="attention's biases not counted"
# says: 48 are missing
# says: biases
# - 4 * (d_model * d_model + d_model)
# + 4 * d_model * d_model


# %% check="grade-block-parameters" answer="normalisations without beta"
# says: 24 are missing
# says: β
# - norm = 2 * d_model
# + norm = d_model


# %% check="grade-block-parameters" answer="a count without the network's biases"
# says: 76 are missing
# - d_model * ff_dim + ff_dim + ff_dim * d_model + d_model
# + 2 * d_model * ff_dim


# %% check="grade-block-parameters" answer="counts of one size"
# says: d_model 8, 2 heads, ff_dim 20
_right = block_parameter_count
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    _right(kind, d_model, num_heads, ff_dim)
    return 2284 if kind == "encoder" else 2932


# %% check="grade-block-parameters" answer="a count that is a float"
# notes: it returns a float
_right = block_parameter_count
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    return _right(kind, d_model, num_heads, ff_dim) / 1


# %% check="grade-block-parameters" answer="encoder and decoder exchanged"
# says: that is the decoder block
# - if kind == "encoder":
# + if kind == "decoder":
