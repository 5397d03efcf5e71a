# %% check="grade-padding-mask" answer="a mask that counts the words"
# says: it counts the words
def create_padding_mask(token_ids, pad_id=0):
    token_ids = ops.convert_to_tensor(token_ids)
    words = ops.sum(ops.cast(ops.not_equal(token_ids, pad_id), "int32"), axis=-1)
    places = ops.arange(token_ids.shape[1], dtype="int32")
    return ops.cast(places[None] >= words[:, None], "float32")[:, None, None]


# %% check="grade-padding-mask" answer="a padding mask of infinities"
# says: It holds no other number
def create_padding_mask(token_ids, pad_id=0):
    return np.where(token_ids == pad_id, -np.inf, 0.0)[:, None, None, :]


# %% check="grade-padding-mask" answer="a padding mask that hides only the end"
# says: A mask is 1 at every padding, wherever that stands
def create_padding_mask(token_ids, pad_id=0):
    words_left = np.cumsum((np.asarray(token_ids) != pad_id)[:, ::-1], axis=1)[:, ::-1]
    return (words_left == 0).astype("float32")[:, None, None]


# %% check="grade-padding-mask" answer="ids compared by if"
# says: To decide for each entry, compute with what they give
def create_padding_mask(token_ids, pad_id=0):
    if token_ids == pad_id:
        return 1.0
    return 0.0


# %% check="grade-padding-mask" answer="a tensor that is asked for NumPy's astype"
# notes: A tensor lacks NumPy's methods
def create_padding_mask(token_ids, pad_id=0):
    return (token_ids == pad_id).astype("float32")[:, None, None, :]


# %% check="grade-padding-mask" answer="a padding mask of a batch whose length stays open"
# notes: A length that is still open (None) stands in a shape
def create_padding_mask(token_ids, pad_id=0):
    batch_size, seq_len = token_ids.shape
    return ops.reshape(ops.cast(token_ids == pad_id, "float32"), (batch_size, 1, 1, seq_len))


# %% check="grade-padding-mask" answer="a padding mask of bfloat16" right=true
def create_padding_mask(token_ids, pad_id=0):
    return ops.cast(ops.equal(token_ids, pad_id), "bfloat16")[:, None, None]


# %% check="grade-look-ahead-mask" answer="a mask that sees one step too far"
# says: one step too far
def create_look_ahead_mask(size):
    return ops.triu(ops.ones((size, size)), k=2)


# %% check="grade-look-ahead-mask" answer="a mask of large numbers"
# says: It holds no other number
def create_look_ahead_mask(size):
    return np.triu(np.full((size, size), -1e9), k=1)


# %% check="grade-look-ahead-mask" answer="a triangle that begins below the diagonal"
# says: the diagonal and what is right below it are hidden
def create_look_ahead_mask(size):
    return ops.triu(ops.ones((size, size)), k=-1)


# %% check="grade-look-ahead-mask" answer="a mask that shows nothing but the diagonal"
# says: A mask is 1 where the key comes after the query and 0 everywhere else
def create_look_ahead_mask(size):
    return 1 - ops.eye(size)


# %% check="grade-look-ahead-mask" answer="a range with another axis"
# says: A `range`, a list or a tuple takes neither `None`
def create_look_ahead_mask(size):
    i = range(size)
    return ops.cast(i[None] > i[:, None], 'float32')


# %% check="grade-look-ahead-mask" answer="a shape without its tuple"
# says: Is a shape handed over whole
def create_look_ahead_mask(size):
    return ops.triu(ops.ones(size), 1)


# %% check="grade-look-ahead-mask" answer="a triangle of always four positions"
# says: (size, size) for one position is (1, 1) here
def create_look_ahead_mask(size):
    return ops.triu(ops.ones((4, 4)), k=1)


# %% check="grade-look-ahead-mask" answer="a look-ahead mask of bfloat16" right=true
def create_look_ahead_mask(size):
    return ops.cast(ops.triu(ops.ones((size, size)), k=1), "bfloat16")


# %% check="grade-decoder-mask" answer="a decoder's mask turned over"
# says: it is the wrong way round
_mask = create_decoder_mask
def create_decoder_mask(token_ids, pad_id=0):
    return 1 - _mask(token_ids, pad_id)


# %% check="grade-decoder-mask" answer="two masks joined by a bar"
# says: `ops.maximum`
def create_decoder_mask(token_ids, pad_id=0):
    return create_padding_mask(token_ids, pad_id) | create_look_ahead_mask(token_ids.shape[1])


# %% check="grade-decoder-mask" answer="two masks joined by ops.max"
# says: is an axis
def create_decoder_mask(token_ids, pad_id=0):
    padding, later = create_padding_mask(token_ids, pad_id), create_look_ahead_mask(token_ids.shape[1])
    return ops.max(padding, later)


# %% check="grade-decoder-mask" answer="two masks joined by Python's or"
# says: want one truth value
def create_decoder_mask(token_ids, pad_id=0):
    return create_padding_mask(token_ids, pad_id) or create_look_ahead_mask(token_ids.shape[1])


# %% check="grade-decoder-mask" answer="two masks that are joined"
# says: Or should they be taken together entry by entry
def create_decoder_mask(token_ids, pad_id=0):
    return ops.concatenate([create_padding_mask(token_ids, pad_id), create_look_ahead_mask(token_ids.shape[1])], axis=0)


# %% check="grade-decoder-mask" answer="a decoder's mask of a triangle with the diagonal"
# says: the diagonal is hidden too: look at the mask of task 2
def create_look_ahead_mask(size):
    return ops.triu(ops.ones((size, size)))


# %% check="grade-decoder-mask" answer="a decoder's mask of a triangle of the past"
# says: the past is hidden and the future kept: look at the mask of task 2
def create_look_ahead_mask(size):
    return ops.tril(ops.ones((size, size)), k=-1)


# %% check="grade-decoder-mask" answer="a decoder's mask of a triangle that says who may be seen"
# says: the look-ahead mask of task 2 says who may be seen
def create_look_ahead_mask(size):
    return ops.tril(ops.ones((size, size)))


# %% check="grade-decoder-mask" answer="a padding mask of a batch whose length stays open"
# notes: it fails where `fit` compiles it: in create_padding_mask
# notes: The call came from `padding = create_padding_mask(token_ids, pad_id)` in create_decoder_mask
def create_padding_mask(token_ids, pad_id=0):
    batch_size, seq_len = token_ids.shape
    return ops.reshape(ops.cast(token_ids == pad_id, "float32"), (batch_size, 1, 1, seq_len))


# %% check="grade-decoder-mask" answer="NumPy's max of two masks"
# says: `ops.maximum` takes the larger of two arrays
def create_decoder_mask(token_ids, pad_id=0):
    return np.max(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(token_ids.shape[1]))


# %% check="grade-decoder-mask" answer="ops.max of two masks"
# says: `ops.maximum` takes the larger of two arrays
def create_decoder_mask(token_ids, pad_id=0):
    return ops.max(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(token_ids.shape[1]))


# %% check="grade-decoder-mask" answer="Python's max of two masks"
# says: `ops.maximum` take each entry by itself
def create_decoder_mask(token_ids, pad_id=0):
    return max(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(token_ids.shape[1]))


# %% check="grade-decoder-mask" answer="a shape for a length"
# says: such as a whole shape, stand where one is wanted
def create_look_ahead_mask(size):
    return ops.cast(ops.arange(size)[None, :] > ops.arange(size)[:, None], "float32")

def create_decoder_mask(token_ids, pad_id=0):
    return ops.maximum(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(token_ids.shape))


# %% check="grade-decoder-mask" answer="a square of always four positions"
# says: create_look_ahead_mask(4))` stops (shapes: token_ids (1, 5))
def create_decoder_mask(token_ids, pad_id=0):
    return ops.maximum(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(4))


# %% check="grade-decoder-mask" answer="a length that is None where it is open"
# notes: a model of sequences of any length fails
# notes: is a length not known yet
# notes: create_look_ahead_mask(token_ids.shape[1]))` in create_decoder_mask. Look here first: Something is None here
def create_decoder_mask(token_ids, pad_id=0):
    return ops.maximum(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(token_ids.shape[1]))


# %% check="grade-decoder-mask" answer="NumPy's triangle of an open length"
# notes: a model of sequences of any length fails: in create_look_ahead_mask
def create_look_ahead_mask(size):
    return np.triu(np.ones((size, size), "float32"), k=1)

def create_decoder_mask(token_ids, pad_id=0):
    return ops.maximum(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(ops.shape(token_ids)[1]))


# %% check="grade-decoder-mask" answer="the triangle of an open length" right=true
def create_look_ahead_mask(size):
    return ops.triu(ops.ones((size, size)), k=1)

def create_decoder_mask(token_ids, pad_id=0):
    return ops.maximum(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(ops.shape(token_ids)[1]))


# %% check="grade-decoder-mask" answer="tf's triangle of an open length" right=true
import tensorflow as tf

def create_decoder_mask(token_ids, pad_id=0):
    length = tf.shape(token_ids)[1]
    later = 1 - tf.linalg.band_part(tf.ones((length, length)), -1, 0)
    return tf.maximum(create_padding_mask(token_ids, pad_id), later)


# %% check="grade-masked-softmax" answer="1e9 in float16"
# says: float16 has no such number
def masked_softmax(scores, mask):
    return ops.softmax(scores - 1e9 * mask, axis=-1)


# %% check="grade-masked-softmax" answer="a logarithm that float16 loses"
# says: the logarithm of the sum is lost
def masked_softmax(scores, mask):
    scores, hidden = np.array(scores), np.broadcast_to(np.array(mask) == 1, scores.shape)
    kept = np.where(hidden, -np.inf, scores)
    top = kept.max(-1, keepdims=True)
    top = np.where(np.isinf(top), 0, top).astype(scores.dtype)
    total = np.exp(kept - top).sum(-1, keepdims=True)
    log = top + np.log(np.where(total == 0, 1, total)).astype(scores.dtype)
    return np.where(hidden, 0, np.exp(kept - log)).astype(scores.dtype)


# %% check="grade-masked-softmax" answer="a small number added to the sum"
# says: Is a small number such as 1e-9 added to a sum
def masked_softmax(scores, mask):
    scores, hidden = np.array(scores), np.broadcast_to(np.array(mask) == 1, np.shape(scores))
    kept = np.where(hidden, -np.inf, scores)
    top = kept.max(-1, keepdims=True)
    e = np.exp(kept - np.where(np.isinf(top), 0, top)).astype(scores.dtype)
    return e / (e.sum(-1, keepdims=True) + scores.dtype.type(1e-9))


# %% check="grade-masked-softmax" answer="a softmax over the queries"
# says: Each row by itself has to add up to 1: compute along the last axis
def masked_softmax(scores, mask):
    return ops.softmax(ops.where(mask == 1, -np.inf, scores), axis=-2)


# %% check="grade-masked-softmax" answer="a softmax over all entries"
# says: Each row by itself has to add up to 1: compute along the last axis
def masked_softmax(scores, mask):
    exponentials = np.exp(scores) * (1 - mask)
    return exponentials / exponentials.sum()


# %% check="grade-masked-softmax" answer="a constant that isn't below every score"
# says: lower than *every* score
def masked_softmax(s, m):
    e = ops.softmax(ops.where(ops.cast(m, 'bool'), ops.cast(-1e4, s.dtype), s))
    return e * (1 - ops.cast(m, e.dtype))


# %% check="grade-masked-softmax" answer="a subtracted constant that is no larger than a hidden score"
# notes: in float32 the weights of [1, 2, 1e+30] with the last hidden come out as [0.0, 0.0, 0.0], not [0.2689, 0.7311, 0]
# notes: no constant, put there or subtracted
def masked_softmax(scores, mask):
    return ops.softmax(scores - 65504 * mask, axis=-1) * (1 - mask)


# %% check="grade-masked-softmax" answer="a subtracted constant, the largest of its type"
# notes: in float16 the weights of [-6000, -6000, 60000]
def masked_softmax(scores, mask):
    return ops.softmax(scores - np.finfo(str(to_numpy(scores).dtype)).max * mask, axis=-1) * (1 - mask)


# %% check="grade-masked-softmax" answer="the lowest number of the type in place of a hidden score"
# notes: in float16 the weights of [-65504, -65504, 5]
def masked_softmax(scores, mask):
    lowest = np.finfo(str(to_numpy(scores).dtype)).min
    return ops.softmax(ops.where(ops.cast(mask, "bool"), lowest, scores), axis=-1) * (1 - mask)


# %% check="grade-masked-softmax" answer="-1e9 put in place of a hidden score"
# says: Or is there a constant such as -1e9?
def masked_softmax(scores, mask):
    return ops.softmax(ops.where(mask == 1, -1e9, scores), axis=-1) * (1 - mask)


# %% check="grade-masked-softmax" answer="a constant by which a hidden score is as low as a kept one"
# says: the hidden one came out as high as they are
def masked_softmax(scores, mask):
    return ops.softmax(scores - 6e4 * mask, axis=-1) * (1 - mask)


# %% check="grade-masked-softmax" answer="a sum that float16 takes for 0"
# says: a row wholly hidden
def masked_softmax(s, m):
    s, m = to_numpy(s), to_numpy(m)
    k = np.where(m == 1, -np.inf, s)
    top = np.where(np.isinf(k.max(-1, keepdims=True)), 0, k.max(-1, keepdims=True))
    e = np.exp(k - top).astype(s.dtype)
    return e / (e.sum(-1, keepdims=True) + s.dtype.type(1e-9))


# %% check="grade-masked-softmax" answer="a softmax whose gradient is NaN"
# notes: its gradient is NaN next to a large hidden score
def masked_softmax(scores, mask):
    scores = ops.convert_to_tensor(scores)
    hidden = ops.broadcast_to(ops.cast(mask, "bool"), ops.shape(scores))
    largest = ops.max(ops.where(hidden, -np.inf, scores), axis=-1, keepdims=True)
    largest = ops.where(ops.isinf(largest), ops.zeros_like(largest), largest)
    likelihoods = ops.where(hidden, ops.zeros_like(scores), ops.exp(scores - largest))
    total = ops.sum(likelihoods, axis=-1, keepdims=True)
    return likelihoods / ops.where(total == 0, ops.ones_like(total), total)


# %% check="grade-masked-softmax" answer="a softmax that computes in float32"
# notes: in float64 the weights of [100000000.0, 100000001.0, 5] with the last hidden come out as [0.5, 0.5, 0.0], not
# notes: no gradient passes through it
def masked_softmax(scores, mask):
    dtype = to_numpy(scores).dtype
    hidden, scores = np.broadcast_to(to_numpy(mask) == 1, np.shape(scores)), to_numpy(scores).astype("float32")
    largest = np.where(hidden, -np.inf, scores).max(axis=-1, keepdims=True)
    likelihoods = np.where(hidden, 0, np.exp(np.where(hidden, 0, scores - np.where(np.isinf(largest), 0, largest))))
    total = likelihoods.sum(axis=-1, keepdims=True)
    return (likelihoods / np.where(total == 0, 1, total)).astype(dtype)


# %% check="grade-masked-softmax" answer="a gradient that stops at a dtype"
# notes: it fails in training
_masked_softmax = masked_softmax
def masked_softmax(scores, mask):
    np.finfo(str(np.dtype(scores.dtype)))
    return _masked_softmax(scores, mask)


# %% check="grade-masked-softmax" answer="NumPy's row after row"
# notes: no gradient passes through it, as through anything that NumPy computes
def masked_softmax(scores, mask):
    hidden = np.broadcast_to(mask, scores.shape) == 1
    weights = np.where(hidden, np.finfo(scores.dtype).min, scores)
    for place in np.ndindex(scores.shape[:-1]):
        kept = scores[place][~hidden[place]]
        weights[place] = 0
        if len(kept) > 0:
            likelihoods = np.exp(kept - kept.max())
            weights[place][~hidden[place]] = likelihoods / likelihoods.sum()
    return weights


# %% check="grade-masked-softmax" answer="scores that are written into"
# notes: it writes over its argument `scores`
_softmax = masked_softmax
def masked_softmax(scores, mask):
    answer = _softmax(scores, mask)
    if isinstance(scores, np.ndarray) and scores.flags.writeable:
        scores[np.broadcast_to(mask, scores.shape) == 1] = -10
    return answer


# %% check="grade-masked-softmax" answer="an answer that is written over the scores"
# notes: A tensor's own numbers can't be written over
_softmax = masked_softmax
def masked_softmax(scores, mask):
    out = np.asarray(scores)
    out[...] = _softmax(np.array(scores), mask)
    return out


# %% check="grade-keras-mask" answer="an axis squeezed out that isn't there"
# says: Only an axis of length 1 can be squeezed out
def to_keras_attention_mask(mask):
    return ops.equal(ops.squeeze(mask, 1), 0)


# %% check="grade-keras-mask" answer="a mask of one position that loses an axis"
# says: (1, query_len, key_len) for one position
def to_keras_attention_mask(mask):
    kept = ops.equal(mask, 0)
    return kept[:, 0] if kept.shape[1] == 1 else kept[None]


# %% check="grade-keras-mask" answer="a mask of a batch whose length stays open"
# notes: A length that is still open (None) stands in a shape
def to_keras_attention_mask(mask):
    if len(mask.shape) == 4:
        return ops.reshape(mask == 0, (mask.shape[0], mask.shape[2], mask.shape[3]))
    return mask[None] == 0


# %% check="grade-keras-mask" answer="a padding mask that isn't flipped"
# says: two padding masks
def to_keras_attention_mask(mask):
    mask = to_numpy(mask)
    if mask.ndim == 2:
        return (mask == 0)[None]
    return mask[:, 0] == 1 if mask.shape[2] == 1 else mask[:, 0] == 0


# %% check="grade-leak-test" answer="a leak test that looks at what grows"
# says: such leaks of 72
# - np.abs(to_numpy(attend(changed)) - before)
# + (to_numpy(attend(changed)) - before)


# %% check="grade-leak-test" answer="a leak test that looks at each place by itself"
# says: return one True or False
# - return False
# + return np.zeros(6, bool)


# %% check="grade-leak-test" answer="a leak test that adds up the features"
# says: with a normalisation over the features behind it: you said False
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x))
    for position in range(1, seq_len):
        changed = x.copy()
        changed[:, position] = rng.normal(size=dim)
        if np.abs((to_numpy(attend(changed)) - before)[:, :position].sum(axis=-1)).max() > 1e-5:
            return True
    return False


# %% check="grade-leak-test" answer="a leak test that forgets the batch"
# says: Is it that of the batch?
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim))
    for position in range(1, seq_len):
        changed = x.copy()
        changed[position] = 1.0
    return False


# %% check="grade-leak-test" answer="a leak test that goes a step too far" of="a leak test that forgets the batch"
# says: Does a loop take a step too many
# -         changed[position] = 1.0
# +         changed[:, position + 1] = 1.0


# %% check="grade-leak-test" answer="a leak test that cuts the input"
# notes: an array of the shape (1, 1, 4) where (1, 7, 4) is promised
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim)).astype("float32")
    y = to_numpy(attend(x))
    return any(np.abs(to_numpy(attend(x[:, :j])) - y[:, :j]).max() > 1e-5 for j in range(1, seq_len))


# %% check="grade-leak-test" answer="a leak test that changes all positions in one batch"
# notes: an array of the shape (7, 7, 4) where (1, 7, 4) is promised
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    many = np.repeat(x, seq_len, axis=0)
    many[np.arange(seq_len), np.arange(seq_len)] = rng.normal(size=(seq_len, dim))
    moved = np.abs(to_numpy(attend(many)) - to_numpy(attend(x))).max(axis=-1)
    return bool((np.tril(moved, -1) > 1e-5).any())


# %% check="grade-leak-test" answer="a leak test that adds 1 to each feature"
# says: each of its features by *another* number?
# - changed[:, position] = rng.normal(size=dim)
# + changed[:, position] += 1


# %% check="grade-leak-test" answer="a leak test that compares a layer's outputs for one and the same input"
# says: change every position in a copy
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    for position in range(1, seq_len):
        changed = x
        changed[:, position] = rng.normal(size=dim)
        if np.abs(to_numpy(attend(changed)) - to_numpy(attend(x)))[:, :position].max() > 1e-5:
            return True
    return False


# %% check="grade-leak-test" answer="a leak test that puts NaN into the future"
# says: There is a NaN in the input
# - rng.normal(size=dim)
# + np.nan
# - np.abs(to_numpy(attend(changed)) - before)[:, :position]
# + np.isnan(to_numpy(attend(changed)))[:, :position]
# - moved.max() > 1e-5
# + moved.any()


# %% check="grade-leak-test" answer="a leak test that looks for a number larger than it in NaN"
# says: a comparison such as `>` is never true of a NaN
# - rng.normal(size=dim)
# + np.nan


# %% check="grade-leak-test" answer="np.allclose without not"
# says: so the answers are the wrong way round
# - np.abs(to_numpy(attend(changed)) - before)[:, :position]
# + to_numpy(attend(changed))[:, :position]
# - moved.max() > 1e-5
# + np.allclose(moved, before[:, :position], atol=1e-5)


# %% check="grade-leak-test" answer="True and False in each other's place"
# says: so the answers are the wrong way round
# -             return True
# -     return False
# +             return False
# +     return True


# %% check="grade-leak-test" answer="a leak test whose changed copy isn't used"
# says: `attend` never got a changed input: hand it the changed copy
# - attend(changed)
# + attend(x)


# %% check="grade-leak-test" answer="a bound of 1e5"
# says: is it a leak as soon as *one* of them has moved by more than about 1e-5
# - 1e-5
# + 1e5


# %% check="grade-leak-test" answer="np.allclose without atol"
# notes: of which one feature is 0 but for rounding
# - np.abs(to_numpy(attend(changed)) - before)[:, :position]
# + to_numpy(attend(changed))[:, :position]
# - moved.max() > 1e-5
# + not np.allclose(moved, before[:, :position])


# %% check="grade-leak-test" answer="np.allclose with atol" right=true
# - np.abs(to_numpy(attend(changed)) - before)[:, :position]
# + to_numpy(attend(changed))[:, :position]
# - moved.max() > 1e-5
# + not np.allclose(moved, before[:, :position], atol=1e-5)


# %% check="grade-leak-test" answer="a leak test with small changes"
# says: if the input changes by about 1
# says: How much do you change
# - changed[:, position] = rng
# + changed[:, position] += 1e-3 * rng


# %% check="grade-leak-test" answer="a leak test without a copy"
# says: Is the first input itself changed
# - changed = x.copy()
# + changed = x


# %% check="grade-leak-test" answer="a leak test that compares the changed position"
# says: Is the output at the changed position compared too
# - [:, :position]
# + [:, : position + 1]


# %% check="grade-leak-test" answer="a leak test whose loop returns at once"
# says: A `return False` inside the loop
# -             return True
# -     return False
# +             return True
# +         return False


# %% check="grade-leak-test" answer="a leak test that takes no tensors"
# says: A tensor lacks NumPy's methods
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    y = attend(x)
    for j in range(1, seq_len):
        z = x.copy()
        z[:, j] = rng.normal(size=dim)
        if abs(attend(z) - y)[:, :j].max() > 1e-5:
            return True
    return False


# %% check="grade-leak-test" answer="a leak test that begins at 0"
# says: Does a loop begin too early
# - range(1, seq_len)
# + range(seq_len)


# %% check="grade-leak-test" answer="a bound far above rounding"
# says: A weak leak at one place
def leaks_future(attend, n, d):
    x = np.random.default_rng(0).normal(size=(1, n, d))
    right = to_numpy(attend(x))
    for j in range(1, n):
        y = x.copy()
        y[:, j] = np.random.default_rng(j).normal(size=(1, d))
        if np.abs(to_numpy(attend(y))[:, :j] - right[:, :j]).max() > 5e-3:
            return True
    return False


# %% check="grade-leak-test" answer="a leak test with too high a threshold"
# says: such leaks of 72
# - 1e-5
# + 1e-3


# %% check="grade-leak-test" answer="a leak test of the last feature alone"
# says: you found
# says: such leaks of 72
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before, moved = to_numpy(attend(x)), 0.0
    for position in range(1, seq_len):
        changed = x.copy()
        changed[:, position] = rng.normal(size=dim)
        moved = max(moved, np.abs(to_numpy(attend(changed)) - before)[:, :position, 2:].max())
    return moved > 1e-5


# %% check="grade-leak-test" answer="the mean of what moves"
# says: to one of an earlier output, among 40 inputs: you found
# says: and not at a mean?
# - if moved.max() > 1e-5
# + if moved.mean() > 1e-5


# %% check="grade-leak-test" answer="rounding near 0 taken for a leak"
# says: leaks
# - if moved.max() > 1e-5
# + if moved.max() > 1e-7


# %% check="grade-leak-test" answer="leaks looked for from zeros"
# says: multiplied with the next input: you said False
# says: Do you begin with random numbers, not zeros
# - x = rng.normal(size=(1, seq_len, dim)).astype("float32")
# + x = np.zeros((1, seq_len, dim), "float32")


# %% check="grade-leak-test" answer="leaks looked for from the third input on"
# says: but for a weak leak from the second input to the first output
# - range(1, seq_len)
# + range(2, seq_len)


# %% check="grade-leak-test" answer="leaks looked for in the first eight inputs"
# says: far back among 40 inputs
# -     rng = np.random.default_rng(0)
# +     rng, seq_len = np.random.default_rng(0), min(seq_len, 8)


# %% check="grade-leak-test" answer="a leak test that begins at the first input"
# says: The largest (or smallest) of nothing is asked for
def leaks_future(attend, seq_len, dim):
    x = np.random.default_rng(0).normal(size=(1, seq_len, dim))
    before = to_numpy(attend(x.copy()))
    for place in range(seq_len):
        changed = x.copy()
        changed[:, place] += 1
        if np.abs(to_numpy(attend(changed)) - before)[:, :place].max() > 1e-6:
            return True
    return False


# %% check="grade-masked-softmax" answer="a softmax that is given the mask"
# says: `softmax` takes an axis there, not a mask
def masked_softmax(scores, mask):
    return ops.softmax(scores, mask)


# %% check="grade-leak-test" answer="a copy that keeps the changes of earlier rounds"
# says: does one copy hold the changes of earlier rounds
def leaks_future(attend, seq_len, dim):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim))
    before = keras.ops.convert_to_numpy(attend(x))
    changed = x.copy()
    for j in range(1, seq_len):
        changed[:, j] = rng.normal(size=dim)
        if np.abs(keras.ops.convert_to_numpy(attend(changed)) - before)[:, :j].max() > 1e-5:
            return True
    return False


# %% check="grade-decoder-mask" answer="a look-ahead mask that hides too late"
# says: each position sees one step too far
def create_look_ahead_mask(size):
    return ops.triu(ops.ones((size, size)), 2)
