# %% check="grade-fix-inverted-mask" answer="a mask that is false everywhere"
# says: every position gets the mean of everything
# - attention_mask = ops.logical_not(is_later)[None]
# + attention_mask = ops.zeros_like(is_later)[None]


# %% check="grade-fix-inverted-mask" answer="a mask that a command of the shell printed"
# says: In a notebook `!` begins a command of the shell
# - attention_mask = ops.logical_not(is_later)[None]
# + attention_mask = ["is_later[None]: command not found"]


# %% check="grade-fix-inverted-mask" answer="a mask that is meant to be added"
# says: they see the future. The mask holds numbers below 0. The layer doesn't add
# says: whatever isn't 0 in it counts as true
# - attention_mask = ops.logical_not(is_later)[None]
# + attention_mask = ops.where(is_later, -1e9, 0.0)[None]


# %% check="grade-fix-inverted-mask" answer="a mask that is one truth value"
# says: The mask is a single value here
# says: `is` and `not` look at an object as a whole
# - attention_mask = ops.logical_not(is_later)[None]
# + attention_mask = is_later[None] is False


# %% check="grade-fix-inverted-mask" answer="a mask for each sequence of a batch whose size is still open"
# notes: It earns its points
# notes: the second demonstration below, which trains a model with it, fails
# - attention_mask = ops.logical_not(is_later)[None]
# + attention_mask = ops.broadcast_to(ops.logical_not(is_later)[None], (*x.shape[:2], x.shape[1]))


# %% check="grade-fix-inverted-mask" answer="a mask of five positions"
# says: 5 positions work, 3 don't
# says: Does the mask's size follow
# - attention_mask = ops.logical_not(is_later)[None]
# + attention_mask = np.tril(np.ones((1, 5, 5), dtype=bool))


# %% check="grade-fix-inverted-mask" answer="a mask in the third place"
# says: the third place
# says: `attention_mask=…`
# - return layer(x, x, attention_mask=attention_mask)
# + return layer(x, x, attention_mask)


# %% check="grade-fix-inverted-mask" answer="a mask in the second place"
# says: as its `value`: that is the second place
# says: `attention_mask=…`
# - return layer(x, x, attention_mask=attention_mask)
# + return layer(x, attention_mask)


# %% check="grade-fix-inverted-mask" answer="a mask in the fourth place"
# says: they see the future. The mask has come to the layer as its `query_mask`
# says: the fourth place
# - return layer(x, x, attention_mask=attention_mask)
# + return layer(x, x, x, attention_mask)


# %% check="grade-fix-inverted-mask" answer="the weights, too"
# says: 2 arrays came back. One is wanted, (batch, seq_len, dim)
# - return layer(x, x, attention_mask=attention_mask)
# + return layer(x, x, attention_mask=attention_mask, return_attention_scores=True)


# %% check="grade-fix-inverted-mask" answer="an attention with a residual connection"
# says: x is added to it
# says: without a residual connection
# - return layer(x, x, attention_mask=attention_mask)
# + return x + layer(x, x, attention_mask=attention_mask)


# %% check="grade-fix-inverted-mask" answer="a mask turned over in the other direction"
# says: they see the future
def causal_self_attention(layer, x):
    length = x.shape[1]
    return layer(x, x, attention_mask=np.triu(np.ones((1, length, length), dtype=bool), k=1)[:, :, ::-1])


# %% check="grade-fix-inverted-mask" answer="truth values subtracted"
# says: truth values
def causal_self_attention(layer, x):
    places = ops.arange(x.shape[1])
    is_later = places[None, :] > places[:, None]
    return layer(x, x, attention_mask=(1 - is_later)[None])


# %% check="grade-fix-inverted-mask" answer="a repaired mask that hides each position from itself"
# says: Does each position see itself, too?
# - ops.logical_not(is_later)[None]
# + (positions[None, :] < positions[:, None])[None]


# %% check="grade-fix-inverted-mask" answer="a mask in the key's place"
# says: the mask has come to the layer as its `key`
# - attention_mask=attention_mask
# + key=attention_mask


# %% check="grade-fix-inverted-mask" answer="Python's not"
# says: Python's `not` gives one truth value, and the mask has one for each entry
# says: (ValueError:
# - ops.logical_not(is_later)[None]
# + not is_later[None]


# %% check="grade-fix-inverted-mask" answer="Python's not of the given mask"
# says: Python's `not` gives one truth value, and the mask has one for each entry. A function of `ops`
# - ops.logical_not(is_later)[None]
# + is_later[None]
# - attention_mask=attention_mask
# + attention_mask=not attention_mask


# %% check="grade-fix-inverted-mask" answer="a new axis in the middle"
# says: attention_mask (5, 1, 5)). Look here first: If it is the mask that doesn't fit
# says: the axes before these, if there are any, are those of the batch and the heads, or 1
# - ops.logical_not(is_later)[None]
# + ops.logical_not(is_later)[:, None]


# %% check="grade-fix-inverted-mask" answer="a layer of its own"
# says: asked twice with the same x, it gives different outputs. Is a new layer made in it
# - attention_mask = ops.logical_not(is_later)[None]
# + layer, attention_mask = keras.layers.MultiHeadAttention(2, 3), ops.logical_not(is_later)[None]


# %% check="grade-fix-inverted-mask" answer="a mask of whole numbers turned over by ~"
# says: they see the future. The mask holds numbers below 0
# - ops.logical_not(is_later)[None]
# + ~ops.cast(is_later, "int32")[None]


# %% check="grade-fix-inverted-mask" answer="a mask that is repeated for each sequence"
# notes: The size of the batch isn't known while a model is built
# - ops.logical_not(is_later)[None]
# + ops.tile(ops.logical_not(is_later)[None], (ops.shape(x)[0], 1, 1))


# %% check="grade-fix-inverted-mask" answer="a mask of NumPy's" right=true
# - ops.logical_not(is_later)[None]
# + np.tril(np.ones((1, x.shape[1], x.shape[1]), dtype=bool))


# %% check="grade-fix-inverted-mask" answer="truth values compared with 0"
# says: `is_later` holds truth values. On TensorFlow operators such as `-` or `== 0`
# says: (TypeError: Cannot convert 0 to EagerTensor of dtype bool)
# - ops.logical_not(is_later)[None]
# + (is_later == 0)[None]


# %% check="grade-fix-inverted-mask" answer="truth values with a minus"
# says: `is_later` holds truth values. On TensorFlow operators such as `-`
# says: (InvalidArgumentError: Value for attr 'T' of bool is not in the list
# - ops.logical_not(is_later)[None]
# + (-is_later)[None]


# %% check="grade-fix-inverted-mask" answer="truth values subtracted by a function of ops" right=true
# - ops.logical_not(is_later)[None]
# + ops.subtract(1, is_later)[None]


# %% check="grade-fix-inverted-mask" answer="a dtype that isn't there"
# says: The dtype of truth values is called `"bool"`
# says: (ValueError: Invalid dtype: boolean)
# - ops.logical_not(is_later)[None]
# + ops.cast(is_later, "boolean")[None]


# %% check="grade-fix-inverted-mask" answer="a function that isn't there"
# says: stops (shapes: is_later (5, 5)). AttributeError: module 'keras.ops' has no attribute 'boolean_mask'
# - ops.logical_not(is_later)[None]
# + ops.logical_not(ops.boolean_mask(is_later))


# %% check="grade-fix-inverted-mask" answer="a mask that is a text"
# says: Cast string to bool is not supported
# - attention_mask=attention_mask
# + attention_mask="causal"


# %% check="grade-fix-inverted-mask" answer="a mask that is turned over in the wrong shape"
# says: (shapes: x (2, 5, 4), attention_mask (1, 4, 5))
# - ops.logical_not(is_later)[None]
# + ops.logical_not(is_later[1:])[None]


# %% check="grade-fix-inverted-mask" answer="a mask of two sequences"
# says: two sequences work, one doesn't
# says: attention_mask (2, 5, 5)). InvalidArgumentError
# - ops.logical_not(is_later)[None]
# + ops.stack([ops.logical_not(is_later)] * 2)


# %% check="grade-detect-inverted-mask" answer="a detector of masks that takes short inputs"
# says: four further on
# - size=(1, 8, 6)
# + size=(1, 4, 6)


# %% check="grade-detect-inverted-mask" answer="a detector of masks that has a bound of 1e-3"
# says: counts for little
# - > 1e-4
# + > 3e-3


# %% check="grade-detect-inverted-mask" answer="a detector of masks that looks at the last feature"
# says: the other one sees
# - [:, :position].max()
# + [:, :position, -1].max()


# %% check="grade-detect-inverted-mask" answer="an impulse whose echo is compared with 0"
# says: then a matrix and a bias
# -     before = to_numpy(attend(x))
# +     before = 0.0
# - changed = x.copy()
# + changed = np.zeros_like(x)


# %% check="grade-detect-inverted-mask" answer="a verdict in words"
# says: a value of the type `str`
# -     return False
# +     return "healthy"


# %% check="grade-detect-inverted-mask" answer="a verdict as a text"
# says: a value of the type `str`
# -     return False
# +     return str(False)


# %% check="grade-detect-inverted-mask" answer="a verdict in a dict"
# says: a value of the type `dict`
# -     return False
# +     return {"broken": False}


# %% check="grade-detect-inverted-mask" answer="a verdict that is a function"
# says: a value of the type `function`
# -     return False
# +     return lambda: False


# %% check="grade-detect-inverted-mask" answer="a verdict and what it is of"
# says: a value of the type `tuple`
# -     return False
# +     return False, before


# %% check="grade-detect-inverted-mask" answer="a distance for a verdict"
# says: the number 0.25
# says: comparison missing
# -     return False
# +     return np.float32(0.25)


# %% check="grade-detect-inverted-mask" answer="a verdict for each output"
# says: an array of the shape (1, 8, 6)
# -     return False
# +     return before > 0


# %% check="grade-detect-inverted-mask" answer="another notebook's detector"
# says: wrote in notebook 04
# -     return False
# +     return leaks_future(attend, 8, 6)


# %% check="grade-detect-inverted-mask" answer="inputs without a batch"
# says: in detect_inverted_mask, the line
# says: `attend` takes (batch, seq_len, dim)
# - size=(1, 8, 6)
# + size=(8, 6)


# %% check="grade-detect-inverted-mask" answer="a bound too large for a head that counts for little"
# says: one that sees the next input counts for little
# - > 1e-4
# + > 1e-2


# %% check="grade-detect-inverted-mask" answer="the last input changed by 1"
# says: your check says "healthy", but it is broken
def detect_inverted_mask(attend):
    x = np.random.default_rng(0).normal(size=(1, 8, 6)).astype('float32')
    changed = x.copy()
    changed[:, -1] += 1
    return np.abs(to_numpy(attend(changed)) - to_numpy(attend(x)))[:, :-1].max() > 1e-4


# %% check="grade-detect-inverted-mask" answer="inputs that are changed without a copy"
# says: It has changed an array that it had handed over before. Is a `.copy()` missing?
# - changed = x.copy()
# + changed = x


# %% check="grade-detect-inverted-mask" answer="a tensor's method of an array"
# says: What comes here is an array, which has no `.numpy()`
# - to_numpy(attend(x))
# + attend(x).numpy()


# %% check="grade-detect-inverted-mask" answer="one that looks whether the first input is seen"
# says: two heads, one of which sees what comes later: your check says "healthy"
def detect_inverted_mask(attend):
    x = np.random.default_rng(0).normal(size=(1, 6, 8))
    y = x.copy()
    y[:, 0] = x[:, 3]
    return not np.abs(to_numpy(attend(y)) - to_numpy(attend(x)))[:, 1:].max() > 1e-4


# %% check="grade-detect-inverted-mask" answer="a look at the first output alone"
# says: the input two further on
# - range(1, x.shape[1])
# + range(1, 2)


# %% check="grade-detect-inverted-mask" answer="what moves little counts as still"
# says: two heads, of which the one that sees the next input counts for little
# - > 1e-4
# + > 0.1


# %% check="grade-detect-inverted-mask" answer="outputs compared exactly"
# says: rounded: your check says "broken"
# - - before)[:, :position].max() > 1e-4
# + - before)[:, :position].max() > 0


# %% check="grade-detect-inverted-mask" answer="what moves by rounding"
# notes: move by less than 1e-5
# - - before)[:, :position].max() > 1e-4
# + - before)[:, :position].max() > 2e-7


# %% check="grade-detect-inverted-mask" answer="outputs held equal with allclose as it is"
# notes: move by less than 1e-5, which is rounding
# - np.abs(to_numpy(attend(changed)) - before)[:, :position].max() > 1e-4
# + not np.allclose(to_numpy(attend(changed))[:, :position], before[:, :position])


# %% check="grade-detect-inverted-mask" answer="prefixes from one position on"
# notes: The versions above don't show it, but others may, and points come from others: it tries a seq_len of 1
def detect_inverted_mask(attend):
    x = np.random.default_rng(0).normal(size=(1, 8, 6))
    whole = to_numpy(attend(x))
    return any(np.abs(to_numpy(attend(x[:, :i])) - whole[:, :i]).max() > 1e-4 for i in range(1, 8))


# %% check="grade-detect-inverted-mask" answer="prefixes from two positions on" right=true
def detect_inverted_mask(attend):
    x = np.random.default_rng(0).normal(size=(1, 8, 6))
    whole = to_numpy(attend(x))
    return any(np.abs(to_numpy(attend(x[:, :i])) - whole[:, :i]).max() > 1e-4 for i in range(2, 8))


# %% check="grade-detect-inverted-mask" answer="inverted-mask detected at dim 2"
# notes: it tries a dim of 2
# - size=(1, 8, 6)
# + size=(1, 8, 2)


# %% check="grade-detect-inverted-mask" answer="inverted-mask detected at dim 1"
# says: Look at its inputs, too: it tries a dim of 1
# - size=(1, 8, 6)
# + size=(1, 8, 1)


# %% check="grade-detect-inverted-mask" answer="inverted-mask detected at positions"
# notes: it tries numbers up to 47
# - x = rng.normal(size=(1, 8, 6))
# + x = np.arange(48).reshape(1, 8, 6)


# %% check="grade-detect-inverted-mask" answer="inverted-mask detected at large numbers"
# says: your check says "broken"
# says: Look at its inputs, too: it tries numbers up to 50
# - changed[:, position] = rng.normal(size=x.shape[2])
# + changed[:, :] = 50


# %% check="grade-detect-inverted-mask" answer="a first answer kept as a default"
# says: an average of what comes later: your check says
# says: answers without calling the function
# says: keep an answer from an earlier call
_verdict = detect_inverted_mask
def detect_inverted_mask(attend, kept=[]):
    if not kept:
        kept.append(_verdict(attend))
    return kept[0]


# %% check="grade-detect-inverted-mask" answer="an answer taken apart"
# says: taken apart into more or fewer names
# says: along its first axis
def detect_inverted_mask(attend):
    output, weights = attend(np.ones((3, 8, 6), 'float32'))
    return False


# %% check="grade-fix-dropped-feed-forward" answer="two arrays in place of their sum"
# says: 2 arrays came back
# - return attended + transformed
# + return attended, transformed


# %% check="grade-fix-dropped-feed-forward" answer="Python's sum, over the batch"
# says: four simple functions
# - return attended + transformed
# + return sum(attended, transformed)


# %% check="grade-fix-dropped-feed-forward" answer="sums written into x"
# notes: It earns its points
# notes: it writes over an array that it gets
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    x += attend(norm_1(x))
    x += feed_forward(norm_2(x))
    return x


# %% check="grade-fix-dropped-feed-forward" answer="a block: attention lost"
# says: the attention's answer is lost
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x
    y = h + feed_forward(norm_2(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: no sum behind attention"
# says: attention has no
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = attend(norm_1(x))
    y = h + feed_forward(norm_2(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: no sums"
# says: neither sublayer has a residual
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = attend(norm_1(x))
    y = feed_forward(norm_2(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: a first sum with what is normalised"
# says: around attention starts behind `norm_1`
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = norm_1(x) + attend(norm_1(x))
    y = h + feed_forward(norm_2(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: a second sum with what is normalised"
# says: around the feed-forward network starts behind `norm_2`
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x + attend(norm_1(x))
    y = norm_2(h) + feed_forward(norm_2(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: both sums with what is normalised"
# says: both residual connections start behind
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = norm_1(x) + attend(norm_1(x))
    y = norm_2(h) + feed_forward(norm_2(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: attention of x"
# says: attention reads x as it is
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x + attend(x)
    y = h + feed_forward(norm_2(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: no second normalisation"
# says: reads the sum as it is
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x + attend(norm_1(x))
    y = h + feed_forward(h)
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: no normalisation"
# says: both normalisations are missing
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x + attend(x)
    y = h + feed_forward(h)
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: the first normalisation twice"
# says: `norm_1` is used twice
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x + attend(norm_1(x))
    y = h + feed_forward(norm_1(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: the second normalisation twice"
# says: `norm_2` is used twice
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x + attend(norm_2(x))
    y = h + feed_forward(norm_2(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: normalisations in the wrong order"
# says: have changed places
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x + attend(norm_2(x))
    y = h + feed_forward(norm_1(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: post-norm"
# says: as in a post-norm block
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = norm_1(x + attend(x))
    y = norm_2(h + feed_forward(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: a first sum that is normalised"
# says: the sum behind attention is normalised
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = norm_1(x + attend(x))
    y = h + feed_forward(norm_2(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: a second sum that is normalised"
# says: the sum behind the feed-forward network is normalised
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x + attend(norm_1(x))
    y = norm_2(h + feed_forward(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: answers that are normalised"
# says: what the sublayers answer is normalised
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x + norm_1(attend(x))
    y = h + norm_2(feed_forward(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: the first normalisation at the end"
# says: once more, by `norm_1`
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x + attend(norm_1(x))
    y = h + feed_forward(norm_2(h))
    return norm_1(y)


# %% check="grade-fix-dropped-feed-forward" answer="a block: the second normalisation at the end"
# says: once more, by `norm_2`
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x + attend(norm_1(x))
    y = h + feed_forward(norm_2(h))
    return norm_2(y)


# %% check="grade-fix-dropped-feed-forward" answer="a block: a network that reads x"
# says: the feed-forward network reads x, not
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x + attend(norm_1(x))
    y = h + feed_forward(norm_2(x))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: a network that reads attention alone"
# says: reads the attention's answer alone
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = attend(norm_1(x))
    y = x + h + feed_forward(norm_2(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a block: the network first"
# says: the feed-forward network comes first
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    h = x + feed_forward(norm_1(x))
    y = h + attend(norm_2(h))
    return y


# %% check="grade-fix-dropped-feed-forward" answer="a residual that is added twice"
# says: x is added once more
# - return attended + transformed
# + return x + attended + transformed


# %% check="grade-fix-dropped-feed-forward" answer="a product in place of a sum"
# says: the feed-forward network's answer is multiplied by what it should be added to
# - attended + transformed
# + attended * transformed


# %% check="grade-fix-dropped-feed-forward" answer="a difference in place of a sum"
# says: the feed-forward network's answer is subtracted
# - attended + transformed
# + attended - transformed


# %% check="grade-fix-dropped-feed-forward" answer="a sum over a list"
# notes: A list stands here, where one array is wanted: `ops.stack`
# - attended + transformed
# + ops.sum([attended, transformed], axis=0)


# %% check="grade-detect-dropped-feed-forward" answer="a bound of 1e-6, below what counts as the same"
# notes: it takes rounding for an answer that is there
# - moved.min() < 1e-4
# + moved.min() < 1e-6


# %% check="grade-detect-dropped-feed-forward" answer="a detector of lost networks that asks for equality"
# notes: takes rounding for an answer
# - moved.min() < 1e-4
# + moved.min() == 0


# %% check="grade-detect-dropped-feed-forward" answer="a detector of lost networks that wants each feature to move"
# notes: but others may, and points come from others: it calls a block broken that adds the answer to two of the features
# -     moved = np.abs(outputs[0] - outputs[1]).max(axis=-1)
# -     return bool(moved.min() < 1e-4)
# +     moved = np.abs(outputs[0] - outputs[1]).min(axis=-1)
# +     return bool(moved.min() < 1e-5)


# %% check="grade-detect-dropped-feed-forward" answer="a detector of lost networks that looks at the first feature"
# notes: it calls a block broken that adds the answer to two of the features
# -     moved = np.abs(outputs[0] - outputs[1]).max(axis=-1)
# -     return bool(moved.min() < 1e-4)
# +     return bool((np.abs(outputs[0] - outputs[1])[..., 0] < 3e-5).any())


# %% check="grade-detect-dropped-feed-forward" answer="a detector of lost networks that tries two sequences"
# notes: The versions above don't show it, but others may, and points come from others: it calls a block healthy that adds the answer in the first and
# - size=(3, 3, 5, 8)
# + size=(3, 2, 5, 8)


# %% check="grade-detect-dropped-feed-forward" answer="a detector of lost networks that looks at the last sequence"
# says: in the last sequence of a batch only
# - moved.min() <
# + moved[-1].min() <


# %% check="grade-detect-dropped-feed-forward" answer="a detector of lost networks that looks at the first sequence"
# says: in the first sequence of a batch only
# - moved.min() <
# + moved[0].min() <


# %% check="grade-detect-dropped-feed-forward" answer="zeros against ones"
# says: normalises at the end
# says: your check says "broken", but it is healthy
# - (first, second)]
# + (0 * first, 0 * first + 1)]


# %% check="grade-detect-dropped-feed-forward" answer="is it called?"
# says: forgets the answer
# says: your check says "healthy", but it is broken
def detect_dropped_feed_forward(block):
    calls = []
    block(np.ones((1, 3, 8), 'float32'), lambda h: calls.append(1) or h)
    return not calls


# %% check="grade-detect-dropped-feed-forward" answer="the answer at the first position alone"
# says: one that adds the answer at the first position only
# - moved.min()
# + moved[:, 0].min()


# %% check="grade-detect-dropped-feed-forward" answer="a small share taken for none"
# says: a block that adds a small share of the answer
# - < 1e-4
# + < 0.05


# %% check="grade-detect-dropped-feed-forward" answer="a bound a hundred times too large"
# notes: The versions above don't show it
# notes: it calls a block broken whose output moves by more than 1e-4 everywhere
# - < 1e-4
# + < 1e-2


# %% check="grade-detect-dropped-feed-forward" answer="a bound ten times too large"
# notes: more than 1e-4 everywhere: compare with a smaller tolerance
# - < 1e-4
# + < 1e-3


# %% check="grade-detect-dropped-feed-forward" answer="a bound of 2e-5" right=true
# - < 1e-4
# + < 2e-5


# %% check="grade-detect-dropped-feed-forward" answer="an array for a network"
# says: your check hands over a `ndarray` as feed_forward
# - lambda h, answer=answer: answer)
# + answer)


# %% check="grade-detect-dropped-feed-forward" answer="a network that returns nothing"
# says: Is its `return` missing?
# - lambda h, answer=answer: answer
# + lambda h, answer=answer: None


# %% check="grade-detect-dropped-feed-forward" answer="networks that answer with what they get and with its opposite"
# says: adds half of the answer and normalises
# - lambda h, answer=answer: answer)) for answer in (first, second)
# + lambda h, sign=sign: sign * h)) for sign in (1, -1)


# %% check="grade-detect-dropped-feed-forward" answer="dropped-feed-forward detected at dim 2"
# says: your check says "broken", but it is healthy
# says: Look at its inputs, too: it tries a dim of 2
# - size=(3, 3, 5, 8)
# + size=(3, 3, 5, 2)


# %% check="grade-detect-dropped-feed-forward" answer="dropped-feed-forward detected at answers of float64"
# notes: gets float32 from a block and answers in float64
# - answer=answer: answer)
# + answer=answer: answer.astype("float64"))


# %% check="grade-detect-dropped-feed-forward" answer="two positions that are both ends"
# says: at the first and the last position only
# - size=(3, 3, 5, 8)
# + size=(3, 3, 2, 8)


# %% check="grade-fix-swapped-arguments" answer="no biases"
# says: `use_bias=False` leaves the biases out
# - key_dim=head_dim
# + key_dim=head_dim, use_bias=False


# %% check="grade-fix-swapped-arguments" answer="heads as wide as there are heads"
# says: `key_dim` is num_heads here
# - key_dim=head_dim
# + key_dim=num_heads


# %% check="grade-fix-swapped-arguments" answer="values as wide as the model"
# says: `value_dim` is 12
# - key_dim=head_dim
# + key_dim=head_dim, value_dim=d_model


# %% check="grade-fix-swapped-arguments" answer="an attention of float16"
# says: dtype is float16
# - key_dim=head_dim
# + key_dim=head_dim, dtype='float16'


# %% check="grade-fix-swapped-arguments" answer="an attention along features"
# says: Leave `attention_axes`
# - key_dim=head_dim
# + key_dim=head_dim, attention_axes=(2,)


# %% check="grade-fix-swapped-arguments" answer="a third argument"
# says: The third place
# says: `value_dim`
# - num_heads=num_heads, key_dim=head_dim
# + num_heads, head_dim, 0.5


# %% check="grade-fix-swapped-arguments" answer="the arguments of notebook 03"
# says: There are d_model heads: the first
# - num_heads=num_heads, key_dim=head_dim
# + d_model, num_heads


# %% check="grade-fix-swapped-arguments" answer="the width of a head twice"
# says: There are d_model // num_heads heads: the first argument of `MultiHeadAttention`
# - num_heads=num_heads, key_dim=head_dim
# + head_dim, head_dim


# %% check="grade-fix-swapped-arguments" answer="a layer that has been called"
# says: which is no layer. Return the layer itself, without calling it
# - key_dim=head_dim)
# + key_dim=head_dim)(*[ops.ones((1, 3, d_model))] * 2)


# %% check="grade-fix-swapped-arguments" answer="a number of heads that changes places with their width"
# says: for d_model=12 and num_heads=4 the weights have the shape (1, 3, 7, 7)
# says: changed places
def build_self_attention(d_model, num_heads):
    return keras.layers.MultiHeadAttention(d_model // num_heads, num_heads)


# %% check="grade-fix-swapped-arguments" answer="the class of a layer"
# says: it returned a class, not a layer: call the class
def build_self_attention(d_model, num_heads):
    return keras.layers.MultiHeadAttention


# %% check="grade-fix-swapped-arguments" answer="an attention that drops weights in training"
# says: Something is dropped in training
# - key_dim=head_dim
# + key_dim=head_dim, dropout=0.5


# %% check="grade-fix-swapped-arguments" answer="an attention without the width of its heads"
# says: lacks an argument
# says: key_dim
def build_self_attention(d_model, num_heads):
    return keras.layers.MultiHeadAttention(num_heads)


# %% check="grade-fix-swapped-arguments" answer="weights of an attention that begin as zeros"
# says: Kernels begin with random numbers
# - key_dim=head_dim
# + key_dim=head_dim, kernel_initializer="zeros"


# %% check="grade-fix-swapped-arguments" answer="weights of an attention that begin as ones"
# says: Kernels begin with random numbers
# - key_dim=head_dim
# + key_dim=head_dim, kernel_initializer="ones"


# %% check="grade-fix-swapped-arguments" answer="weights of an attention that begin with biases of 1"
# says: biases as 0
# - key_dim=head_dim
# + key_dim=head_dim, bias_initializer="ones"


# %% check="grade-fix-swapped-arguments" answer="weights of an attention that are frozen"
# says: 8 of the layer's 8 weights are never trained
# - key_dim=head_dim
# + key_dim=head_dim, trainable=False


# %% check="grade-fix-swapped-arguments" answer="heads as wide as the model"
# says: Each head is as wide as the model
# - key_dim=head_dim
# + key_dim=d_model


# %% check="grade-fix-swapped-arguments" answer="an attention with another random kernel" right=true
def build_self_attention(d_model, num_heads):
    return keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, kernel_initializer="he_normal")


# %% check="grade-fix-swapped-arguments" answer="an attention with small kernels" right=true
def build_self_attention(d_model, num_heads):
    return keras.layers.MultiHeadAttention(num_heads, d_model // num_heads, kernel_initializer="random_uniform")


# %% check="grade-detect-swapped-arguments" answer="a builder's function taken apart"
# says: `build(d_model, num_heads)` returns a function
# - weights = build(d_model, num_heads)(np.ones((1, 3, d_model), dtype="float32"))
# + weights = build(d_model, num_heads)


# %% check="grade-detect-swapped-arguments" answer="an array for a builder"
# says: stops. ValueError: `build` takes two whole numbers (d_model, num_heads)
# - weights = build(d_model, num_heads)(np.ones((1, 3, d_model), dtype="float32"))
# + weights = build(np.ones((1, 3, d_model)), num_heads)


# %% check="grade-detect-swapped-arguments" answer="the heads of a builder's function"
# says: `build(d_model, num_heads)` returns a function
# - weights = build(d_model, num_heads)(np.ones((1, 3, d_model), dtype="float32"))
# + weights = 0, build(d_model, num_heads).num_heads


# %% check="grade-detect-swapped-arguments" answer="a pair where the weights are wanted"
# says: did a pair go in
def detect_swapped_arguments(build):
    return to_numpy(build(12, 2)(np.ones((1, 4, 12)))).shape[1] != 2


# %% check="grade-detect-swapped-arguments" answer="a width that the heads don't divide"
# says: d_model has to be a multiple of num_heads
# - ((12, 2), (12, 6))
# + ((10, 4), (12, 6))


# %% check="grade-detect-swapped-arguments" answer="a width that is too large"
# notes: a d_model of 96
# - ((12, 2), (12, 6))
# + ((96, 2), (12, 6))


# %% check="grade-detect-swapped-arguments" answer="a constant"
# says: a builder that swaps: your check says
# says: does it always say the same
def detect_swapped_arguments(build):
    return False


# %% check="grade-fix-head-scaling" answer="scores times head_dim"
# says: multiplied by 3 here
# - scores / head_dim**0.5
# + scores * head_dim


# %% check="grade-fix-head-scaling" answer="scores times num_heads"
# says: multiplied by 5 here
# - scores / head_dim**0.5
# + scores * num_heads


# %% check="grade-fix-head-scaling" answer="scores times d_model"
# says: multiplied by 15 here
# - scores / head_dim**0.5
# + scores * d_model


# %% check="grade-fix-head-scaling" answer="scores times two"
# says: multiplied by 2 here
# - scores / head_dim**0.5
# + scores * 2


# %% check="grade-fix-head-scaling" answer="scores over head_dim to the -1"
# says: multiplied by 3 here
# says: or divide by a number below 1?
# - scores / head_dim**0.5
# + scores / head_dim**-1


# %% check="grade-fix-head-scaling" answer="the root of the scores"
# says: or the root or logarithm of a negative
# - scores / head_dim**0.5
# + ops.sqrt(scores / head_dim)


# %% check="grade-fix-head-scaling" answer="scores over the square of head_dim"
# says: the scores are divided by the square of head_dim
# - head_dim**0.5
# + head_dim**2


# %% check="grade-fix-head-scaling" answer="a softmax of a softmax"
# says: a softmax is taken of a softmax
# - scores / head_dim**0.5
# + ops.softmax(scores / head_dim**0.5)


# %% check="grade-fix-head-scaling" answer="a softmax of NumPy's"
# says: This module has no function of that name
# - return ops.softmax
# + return np.softmax


# %% check="grade-fix-head-scaling" answer="a quotient without brackets"
# says: Divide with `/`, and put a quotient that you divide by in brackets
# - head_dim**0.5
# + d_model // num_heads**0.5


# %% check="grade-fix-head-scaling" answer="scores times the root"
# says: multiplied by 1.732 here
# - scores / head_dim**0.5
# + scores * head_dim**0.5


# %% check="grade-fix-head-scaling" answer="scores times the square of d_model"
# says: far too large
# - scores / head_dim**0.5
# + scores * d_model**2


# %% check="grade-fix-head-scaling" answer="scores of the other sign"
# says: with the other sign, multiplied by -0.5774 here. Where does the minus come from?
# - scores / head_dim**0.5
# + -scores / head_dim**0.5


# %% check="grade-fix-head-scaling" answer="a caret for a power"
# says: In Python `^` isn't a power
# - scores / head_dim**0.5
# + scores / (head_dim ^ 0.5)


# %% check="grade-fix-head-scaling" answer="a root of no library"
# says: write `ops.sqrt` or `np.sqrt`
# - scores / head_dim**0.5
# + scores / sqrt(head_dim)


# %% check="grade-fix-head-scaling" answer="scores over half of head_dim"
# says: or half of it, is cut off
# - scores / head_dim**0.5
# + scores / (head_dim // 2)


# %% check="grade-fix-head-scaling" answer="scores over an int root"
# says: the root of head_dim, or half
# - scores / head_dim**0.5
# + scores / int(head_dim**0.5)


# %% check="grade-fix-head-scaling" answer="scores over 2.5"
# says: divided by 2.5 here
# - scores / head_dim**0.5
# + scores / 2.5


# %% check="grade-fix-head-scaling" answer="scores over a power that comes before a division"
# says: Divide them by all of `head_dim ** 0.5`
# says: divides by a and then by 2
# - scores / head_dim**0.5
# + scores / head_dim**1/2


# %% check="grade-fix-head-scaling" answer="scores cut off after d_model"
# says: `//` drops
# - scores / head_dim**0.5
# + scores // d_model


# %% check="grade-fix-head-scaling" answer="scores that are lost"
# says: Where are the scores lost?
# - scores / head_dim**0.5
# + 0 * scores


# %% check="grade-fix-head-scaling" answer="scores without a sign"
# says: lost their sign
# - scores / head_dim**0.5
# + ops.abs(scores) / head_dim**0.5


# %% check="grade-fix-head-scaling" answer="scores behind a ReLU"
# says: negative scores have become 0
# - scores / head_dim**0.5
# + ops.relu(scores) / head_dim**0.5


# %% check="grade-fix-head-scaling" answer="one sequence for all"
# says: every sequence has the weights
# - scores / head_dim**0.5
# + scores[:1] / head_dim**0.5 + 0 * scores


# %% check="grade-fix-head-scaling" answer="one query for all"
# says: every query has the weights
# - scores / head_dim**0.5
# + scores[:, :, :1] / head_dim**0.5 + 0 * scores


# %% check="grade-fix-head-scaling" answer="a causal mask on scaled scores"
# says: some weights are 0, as behind a mask
# - scores / head_dim**0.5
# + scores / head_dim**0.5 - 1e9 * np.triu(np.ones(scores.shape[-2:], 'float32'), k=1)


# %% check="grade-fix-head-scaling" answer="half instead of a root"
# says: with two stars
def head_weights(query, key, num_heads):
    query, key = (np.stack(np.split(to_numpy(x), num_heads, axis=-1), axis=1) for x in (query, key))
    return ops.softmax(query @ np.swapaxes(key, -1, -2) / (query.shape[-1] * 0.5))


# %% check="grade-fix-head-scaling" answer="a root that is rounded"
# says: five heads of three features
# says: rounded
# - head_dim**0.5
# + round(head_dim**0.5)


# %% check="grade-fix-head-scaling" answer="scores divided by the root of key_len"
# says: the root of key_len
# - scores = scores / head_dim**0.5
# + scores = scores / key.shape[1] ** 0.5


# %% check="grade-fix-head-scaling" answer="a root of num_heads before the quotient"
# says: Python does `**` before `//`
# - head_dim**0.5
# + (d_model // num_heads ** 0.5)


# %% check="grade-fix-head-scaling" answer="scores divided by the root of query_len"
# says: the root of query_len
# - head_dim**0.5
# + query.shape[1] ** 0.5


# %% check="grade-fix-head-scaling" answer="scores divided by the root of half of d_model"
# says: the scores are divided by 2.646 here
# - head_dim**0.5
# + (d_model // 2) ** 0.5


# %% check="grade-fix-head-scaling" answer="the right divisor, but cut off to whole numbers"
# says: cut off to whole numbers: `//` drops
# - scores / head_dim**0.5
# + scores // head_dim**0.5


# %% check="grade-fix-head-scaling" answer="a division behind the softmax"
# says: divide nothing behind it
# - ops.softmax(scores, axis=-1)
# + ops.softmax(scores, axis=-1) / 2


# %% check="grade-fix-head-scaling" answer="scores divided twice"
# says: or are they divided twice, by the roots of d_model and of head_dim?
# -     scores = scores / head_dim**0.5
# +     scores = scores / d_model ** 0.5
# +     scores = scores / head_dim**0.5


# %% check="grade-fix-head-scaling" answer="a quotient cut off to whole numbers"
# says: cut off to whole numbers: `//` drops
# - scores / head_dim**0.5
# + scores / d_model // num_heads


# %% check="grade-fix-head-scaling" answer="a divisor that coincides with a size for one number of heads"
# says: divided by 3 here
# - head_dim**0.5
# + int(d_model ** 0.5)


# %% check="grade-fix-head-scaling" answer="a divisor that doesn't follow from the sizes"
# says: the root of 3 here, too
# - head_dim**0.5
# + 1.7320508


# %% check="grade-fix-head-scaling" answer="queries written over"
# notes: It earns its points
# notes: it writes over an array that it gets
def head_weights(query, key, num_heads):
    query /= (query.shape[-1] // num_heads) ** 0.5
    heads = [np.stack(np.split(x, num_heads, axis=-1), axis=1) for x in (query, key)]
    return ops.softmax(np.einsum("bhqd,bhkd->bhqk", *heads))


# %% check="grade-fix-head-scaling" answer="heads of two sequences"
# says: two sequences work, one doesn't. Does the size of the batch follow
# - ops.reshape(query, (batch, -1
# + ops.reshape(query, (2, -1
# - ops.reshape(key, (batch, -1
# + ops.reshape(key, (2, -1


# %% check="grade-detect-head-scaling" answer="a detector of scales that allows differences of 0.01"
# notes: 1.02 times the root of head_dim: compare with a smaller tolerance
def detect_head_scaling(weigh):
    query, key = 1 * np.random.default_rng(0).normal(size=(2, 2, 4, 15)).astype("float32")
    heads = [np.stack(np.split(x, 3, axis=-1), axis=1) for x in (query, key)]
    right = to_numpy(ops.softmax(np.einsum("bhqd,bhkd->bhqk", *heads) / 5**0.5))
    return not np.allclose(weigh(query, key, 3), right, atol=0.01)


# %% check="grade-detect-head-scaling" answer="a detector of scales that allows what NumPy allows"
# notes: whose weights are off by less than 1e-5, which is rounding
# - got = np.log(weights[:, :, 1:] / weights[:, :, :1])
# + got = weights
# - scores = query[0][:, features] @ key[0][:, features].T / head_dim**0.5
# + scores = np.exp(query[0][:, features].astype("float64") @ key[0][:, features].T / head_dim**0.5)
# - if not np.allclose(got[head], scores[:, 1:] - scores[:, :1], atol=1e-3):
# + if not np.allclose(got[head], scores / scores.sum(axis=-1, keepdims=True), rtol=1e-6, atol=1e-7):


# %% check="grade-detect-head-scaling" answer="a detector of scales that tries large numbers"
# says: nearly every query gives all its weight to one key, whatever the scale
def detect_head_scaling(weigh):
    query, key = 100 * np.random.default_rng(0).normal(size=(2, 2, 4, 15)).astype("float32")
    heads = [np.stack(np.split(x, 3, axis=-1), axis=1) for x in (query, key)]
    right = to_numpy(ops.softmax(np.einsum("bhqd,bhkd->bhqk", *heads) / 5**0.5))
    return not np.allclose(weigh(query, key, 3), right, atol=1e-05)


# %% check="grade-detect-head-scaling" answer="scales tried with four features a head"
# says: rounded
# says: your check says "healthy", but it is broken
# - ((3, 5), (5, 3))
# + ((2, 4), (9, 4))


# %% check="grade-detect-head-scaling" answer="the first and the last head alone"
# says: the root of d_model in the second head
# - range(num_heads)
# + (0, 2)


# %% check="grade-detect-head-scaling" answer="scales that are compared at equal sizes"
# says: the root of num_heads: your check says
# - ((3, 5), (5, 3))
# + ((5, 5),)
# - (2, 1, 4, num_heads
# + (2, 5, 5, num_heads


# %% check="grade-detect-head-scaling" answer="scales that are compared at an equal length"
# notes: This task has no such version, but one that divides by the root of query_len or of key_len
# - ((3, 5), (5, 3))
# + ((3, 5),)
# - (2, 1, 4, num_heads
# + (2, 1, 5, num_heads


# %% check="grade-detect-head-scaling" answer="scales with fewer heads than features"
# notes: The versions above don't show it
# notes: the root of the larger one of num_heads and head_dim
# - ((3, 5), (5, 3))
# + ((3, 5), (2, 7))


# %% check="grade-detect-head-scaling" answer="scales with more heads than features"
# notes: The versions above don't show it
# notes: the root of the smaller one of num_heads and head_dim
# - ((3, 5), (5, 3))
# + ((5, 3), (7, 2))


# %% check="grade-detect-head-scaling" answer="weights that have to be equal to the last digit"
# says: it is healthy
def detect_head_scaling(weigh):
    query, key = np.random.default_rng(0).normal(size=(2, 2, 4, 15))
    scores = np.einsum("bqhf,bkhf->bhqk", query.reshape(2, 4, 3, 5), key.reshape(2, 4, 3, 5)) / 5**0.5
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return not np.array_equal(weigh(query, key, 3), exponentials / exponentials.sum(axis=-1, keepdims=True))


# %% check="grade-detect-head-scaling" answer="arguments by name" right=true
_by_place = detect_head_scaling
def detect_head_scaling(weigh):
    return _by_place(lambda query, key, num_heads: weigh(query=query, key=key, num_heads=num_heads))


# %% check="grade-detect-head-scaling" answer="large queries, too" right=true
def detect_head_scaling(weigh):
    def is_off(query, key, *sizes):
        scores = np.einsum("bqhf,bkhf->bhqk", query.reshape(2, 4, *sizes), key.reshape(2, 4, *sizes)) / sizes[1] ** 0.5
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return not np.allclose(weigh(query, key, sizes[0]), powers / powers.sum(axis=-1, keepdims=True), atol=2e-5)

    rng = np.random.default_rng(0)
    large = is_off(*rng.normal(0, 30, size=(2, 2, 4, 15)), 5, 3)
    return is_off(*rng.normal(size=(2, 2, 4, 15)), 3, 5) or large


# %% check="grade-fix-shifted-target" answer="labels from the third column"
# says: They begin at the third token
# - labels = target_ids[:, 1:]
# + labels = target_ids[:, 2:]


# %% check="grade-fix-shifted-target" answer="labels without both ends"
# says: Both the first and the last token
# - labels = target_ids[:, 1:]
# + labels = target_ids[:, 1:-1]


# %% check="grade-fix-shifted-target" answer="ids one larger"
# says: these are the inputs, with 1 added to each id
# - target_ids[:, 1:]
# + target_ids[:, :-1] + 1


# %% check="grade-fix-shifted-target" answer="labels that end at the number of rows"
# says: They end too early
# - target_ids[:, 1:]
# + target_ids[:, 1 : len(target_ids)]


# %% check="grade-fix-shifted-target" answer="labels without a row"
# says: A row was left out
# - labels = target_ids[:, 1:]
# + labels = target_ids[1:]


# %% check="grade-fix-shifted-target" answer="labels that are whole rows"
# says: These are whole rows
# - labels = target_ids[:, 1:]
# + labels = target_ids


# %% check="grade-fix-shifted-target" answer="labels written into the ids"
# says: so decoder_input, which is a part of it, has changed, too
# says: Make a new array
# -     labels = target_ids[:, 1:]
# +     target_ids[:, :-1] = target_ids[:, 1:]
# +     labels = target_ids[:, :-1]


# %% check="grade-fix-shifted-target" answer="labels that are rolled and not cut"
# says: leave the last column out
# - labels = target_ids[:, 1:]
# + labels = np.roll(target_ids, -1, axis=1)


# %% check="grade-fix-shifted-target" answer="labels that are rolled the wrong way and not cut"
# says: (batch, len - 1) is (3, 4) here. The tokens are rolled the wrong way
# - labels = target_ids[:, 1:]
# + labels = np.roll(target_ids, 1, axis=1)


# %% check="grade-fix-shifted-target" answer="labels that are rolled the wrong way"
# says: the right tokens: the tokens are rolled the wrong way
# - labels = target_ids[:, 1:]
# + labels = np.roll(target_ids, 1, axis=1)[:, :-1]


# %% check="grade-fix-shifted-target" answer="labels that are cut before they are rolled"
# says: the last label is the first token of the row
# says: Roll whole rows first
# - labels = target_ids[:, 1:]
# + labels = np.roll(decoder_input, -1, axis=1)


# %% check="grade-fix-shifted-target" answer="labels that end at 5"
# says: labels of a row of 7 tokens
# says: rows of any length?
# - labels = target_ids[:, 1:]
# + labels = target_ids[:, 1:5]


# %% check="grade-fix-shifted-target" answer="pairs that aren't returned"
# says: Is the `return` missing?
# - return decoder_input, labels
# + decoder_input, labels


# %% check="grade-fix-shifted-target" answer="a number instead of two arrays"
# says: it should return two arrays
# - return decoder_input, labels
# + return 1


# %% check="grade-fix-shifted-target" answer="one array instead of two"
# says: it should return two arrays
# - return decoder_input, labels
# + return labels


# %% check="grade-fix-shifted-target" answer="labels that are the inputs"
# says: labels: the right tokens: these are the inputs themselves
# - labels = target_ids[:, 1:]
# + labels = target_ids[:, :-1]


# %% check="grade-fix-shifted-target" answer="pairs in the wrong order"
# says: decoder_input: the right tokens: these are the labels. The input comes first
# - return decoder_input, labels
# + return labels, decoder_input


# %% check="grade-fix-shifted-target" answer="pairs that are written into what came"
# says: decoder_input: `target_ids` has been written over
# -     labels = target_ids[:, 1:]
# +     target_ids[:, :-1] = target_ids[:, 1:].copy()
# +     labels = target_ids[:, 1:]


# %% check="grade-fix-shifted-target" answer="labels that are None"
# says: labels is None
# - return decoder_input, labels
# + return decoder_input, None


# %% check="grade-fix-shifted-target" answer="pairs of which the first is a copy, and the labels are written over what came"
# notes: It earns its points
# notes: it writes over an array that it gets
def make_pairs(target_ids):
    decoder_input = target_ids[:, :-1].copy()
    target_ids[:, :-1] = target_ids[:, 1:]
    return decoder_input, target_ids[:, :-1]


# %% check="grade-fix-shifted-target" answer="a table of ten ids"
# says: 3 rows of 5 ids up to 9 work, a row of 7 ids up to 999 doesn't
def make_pairs(target_ids):
    ids = np.arange(10)[target_ids]
    return ids[:, :-1], ids[:, 1:]


# %% check="grade-fix-shifted-target" answer="labels of one byte"
# says: Does it work for ids of any size?
# - labels = target_ids[:, 1:]
# + labels = target_ids[:, 1:].astype("uint8")


# %% check="grade-detect-shifted-target" answer="labels that are asserted"
# says: An assertion stops
# -     return not is_right
# +     np.testing.assert_array_equal(labels, ids[:, 1:])
# +     return False


# %% check="grade-detect-shifted-target" answer="labels held by a bare assertion"
# says: An assertion stops the code here
# -     return not is_right
# +     assert is_right
# +     return False


# %% check="grade-detect-shifted-target" answer="ids in lists"
# says: hands over a list: make a NumPy array of it
# - make(ids.copy())
# + make(ids.tolist())


# %% check="grade-detect-shifted-target" answer="rows of three ids"
# notes: The versions above don't show it
# notes: rows of 3 ids
# -     return not is_right
# +     make(ids[:, :3])
# +     return not is_right


# %% check="grade-detect-shifted-target" answer="ids of one row without a batch"
# says: not (batch, len)
def detect_shifted_target(make):
    ids = np.arange(4, 13)
    return np.array_equal(make(ids)[1], ids[1:])


# %% check="grade-detect-shifted-target" answer="labels looked at where there is no padding"
# says: wrong only where they should be padding: your check says "healthy"
# - np.array_equal(labels, ids[:, 1:])
# + np.array_equal(labels * (ids[:, 1:] != 0), ids[:, 1:])


# %% check="grade-detect-shifted-target" answer="ids handed over without a copy"
# notes: writes over the ids that it gets
# - make(ids.copy())
# + make(ids)


# %% check="grade-detect-shifted-target" answer="numbers that aren't ids"
# says: whole numbers from 0 to 999
def detect_shifted_target(make):
    ids = np.random.default_rng(0).normal(size=(2, 6))
    inputs, labels = make(ids)
    return not (np.array_equal(inputs, ids[:, :-1]) and np.array_equal(labels, ids[:, 1:]))


# %% check="grade-detect-shifted-target" answer="inputs held against labels alone"
# says: both shifted, the labels by one more: your check says "healthy"
def detect_shifted_target(make):
    ids = np.random.default_rng(0).integers(3, 999, (4, 9))
    inputs, labels = make(ids)
    return not np.array_equal(inputs[:, 1:], labels[:, :-1])


# %% check="grade-detect-shifted-target" answer="an array in place of an answer"
# says: return one True or False
def detect_shifted_target(make):
    ids = np.random.default_rng(0).integers(3, 999, (4, 9))
    inputs, labels = make(ids)
    return labels != ids[:, 1:]


# %% check="grade-detect-shifted-target" answer="one sequence looked at"
# says: in the first sequence only: your check says "healthy"
def detect_shifted_target(make):
    ids = np.array([[1, 5, 6, 7, 2]])
    read, asked = make(ids)
    return bool((to_numpy(read) != ids[:, :-1]).any() or (to_numpy(asked) != ids[:, 1:]).any())


# %% check="grade-detect-shifted-target" answer="the first label alone"
# says: labels that are shifted at the first position only
# - np.array_equal(labels, ids[:, 1:])
# + np.array_equal(labels[:, 0], ids[:, 1])


# %% check="grade-detect-shifted-target" answer="ids that repeat"
# says: are ids repeated there
def detect_shifted_target(make):
    ids = np.array([[1, 5, 5, 5, 2], [1, 5, 5, 2, 0], [1, 5, 2, 0, 0]])
    inputs, labels = make(ids.copy())
    return not (np.array_equal(to_numpy(inputs), ids[:, :-1]) and np.array_equal(to_numpy(labels), ids[:, 1:]))


# %% check="grade-detect-shifted-target" answer="random ids of which few are different"
# notes: The versions above don't show it
# notes: the same id twice in succession
def detect_shifted_target(make):
    ids = np.random.default_rng(4).integers(3, 20, size=(2, 9))
    ids[:, 0] = 1
    ids[0, -1] = 2
    ids[1, 5:] = [2, 0, 0, 0]
    inputs, labels = make(ids.copy())
    return not (np.array_equal(inputs, ids[:, :-1]) and np.array_equal(labels, ids[:, 1:]))


# %% check="grade-detect-shifted-target" answer="ids that repeat in one of two tries" right=true
_once = detect_shifted_target
def detect_shifted_target(make):
    ids = np.full((4, 9), 5)
    inputs, labels = make(ids.copy())
    return not (np.array_equal(inputs, ids[:, :-1]) and np.array_equal(labels, ids[:, 1:])) or _once(make)


# %% check="grade-detect-shifted-target" answer="rows that are all padded"
# says: only where there is padding
# says: healthy
def detect_shifted_target(make):
    ids = np.array([[1, 5, 6, 7, 2, 0], [1, 8, 9, 2, 0, 0]])
    inputs, labels = make(ids.copy())
    return not (np.array_equal(inputs, ids[:, :-1]) and np.array_equal(labels, ids[:, 1:]))


# %% check="grade-detect-shifted-target" answer="the last row alone"
# says: your check says
def detect_shifted_target(make):
    ids = np.array([[1, 5, 6, 7, 2, 0], [1, 8, 9, 2, 0, 0], [1, 11, 12, 13, 14, 2]])
    inputs, labels = make(ids.copy())
    return not (np.array_equal(inputs[-1], ids[-1, :-1]) and np.array_equal(labels[-1], ids[-1, 1:]))


# %% check="grade-detect-shifted-target" answer="labels but for the last"
# says: at all positions but the last
def detect_shifted_target(make):
    ids = np.array([[1, 5, 6, 7, 2, 0], [1, 8, 9, 2, 0, 0], [1, 11, 12, 13, 14, 2]])
    inputs, labels = make(ids.copy())
    return not (np.array_equal(inputs, ids[:, :-1]) and np.array_equal(labels[:, :-1], ids[:, 1:-1]))


# %% check="grade-detect-shifted-target" answer="a verdict inside an array of one"
# notes: A True or False inside an array or a list counts, but return it by itself
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return np.array([_verdict(make)])


# %% check="grade-detect-shifted-target" answer="a verdict inside an array of one row of one"
# notes: A True or False inside an array or a list counts, but return it by itself
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return np.array([[float(_verdict(make))]])


# %% check="grade-detect-shifted-target" answer="a verdict inside a list"
# notes: A True or False inside an array or a list counts, but return it by itself
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return [_verdict(make)]


# %% check="grade-detect-shifted-target" answer="a verdict inside a tensor of one"
# notes: A True or False inside an array or a list counts, but return it by itself
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return ops.convert_to_tensor([_verdict(make)])


# %% check="grade-detect-shifted-target" answer="a verdict that is a tuple"
# says: of the type `tuple`
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return (_verdict(make),)


# %% check="grade-detect-shifted-target" answer="a verdict that is an empty list"
# says: an array of the shape (0,)
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return []


# %% check="grade-detect-shifted-target" answer="a verdict that is two in a list"
# says: an array of the shape (2,)
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return [_verdict(make)] * 2


# %% check="grade-detect-shifted-target" answer="a verdict that is a text in a list"
# says: of the type `list`
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return [str(_verdict(make))]


# %% check="grade-detect-shifted-target" answer="a verdict that is rows of different lengths"
# says: of the type `list`
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return [[True], [True, False]]


# %% check="grade-detect-shifted-target" answer="a verdict that is a number in an array"
# says: it returned the number 0.3
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return np.array([0.3])


# %% check="grade-detect-shifted-target" answer="a first answer kept in the notebook"
# says: labels that are the inputs: your check says
# says: answers without calling the function
_verdict, _kept = detect_shifted_target, {}
def detect_shifted_target(make):
    if 'answer' not in _kept:
        _kept['answer'] = _verdict(make)
    return _kept['answer']


# %% check="grade-detect-shifted-target" answer="a comparison of arrays"
# says: `np.array_equal(a, b)` says whether two arrays
def detect_shifted_target(make):
    ids = np.arange(1, 11).reshape(2, 5)
    return make(ids) != (ids[:, :-1], ids[:, 1:])


# %% check="grade-detect-shifted-target" answer="a verdict that is 0 or 1" right=true
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return int(_verdict(make))


# %% check="grade-detect-shifted-target" answer="a verdict that is one of NumPy's" right=true
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return np.bool_(_verdict(make))


# %% check="grade-detect-shifted-target" answer="a verdict that is an array without axes" right=true
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return np.array(_verdict(make))


# %% check="grade-detect-shifted-target" answer="a verdict that is a tensor" right=true
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return ops.convert_to_tensor(_verdict(make))


# %% check="grade-detect-shifted-target" answer="a verdict that is a float tensor" right=true
_verdict = detect_shifted_target
def detect_shifted_target(make):
    return ops.cast(_verdict(make), "float32")


# %% check="grade-detect-shifted-target" answer="ids that can't be written over" right=true
_with_any_ids = detect_shifted_target
def detect_shifted_target(make):
    def reads(ids):
        ids.setflags(write=False)
        return make(ids)

    return _with_any_ids(reads)
