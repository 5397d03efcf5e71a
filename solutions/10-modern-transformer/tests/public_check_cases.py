# %% check="grade-bpe-train" answer="a piece that counts once"
# says: a piece counts as often as the text holds it
_solved = train_bpe
def train_bpe(text, num_merges):
    split = globals()["split_into_pieces"]
    globals()["split_into_pieces"] = lambda text: sorted(set(split(text)))
    try:
        return _solved(text, num_merges)
    finally:
        globals()["split_into_pieces"] = split


# %% check="grade-bpe-train" answer="ties by the left part alone"
# says: you compare the left parts alone
# - (counts[pair], pair)
# + (counts[pair], pair[0])


# %% check="grade-bpe-train" answer="ties by the joined bytes"
# says: you compare the joined bytes
# - (counts[pair], pair)
# + (counts[pair], pair[0] + pair[1])


# %% check="grade-bpe-train" answer="ties by the right part first"
# says: you compare the right parts first
# - (counts[pair], pair)
# + (counts[pair], pair[::-1])


# %% check="grade-bpe-train" answer="spaces that are lost"
# says: the spaces in front of the words are lost
# - split_into_pieces(text)
# + text.split()


# %% check="grade-bpe-train" answer="one merge where none is asked for"
# says: none if none are asked for
# - while len(merges) < num_merges:
# + while len(merges) < max(num_merges, 1):


# %% check="grade-bpe-encode" answer="each token decoded by itself"
# says: join the bytes of all tokens first
# - b"".join(tokens[int(i)] for i in ids).decode(errors="replace")
# + "".join(tokens[int(i)].decode(errors="replace") for i in ids)


# %% check="grade-bpe-encode" answer="letters for bytes"
# says: `chr(b)` is a letter
# - [bytes([byte]) for byte in range(256)] + [
# + [chr(byte).encode() for byte in range(256)] + [


# %% check="grade-bpe-encode" answer="decoded as Latin letters"
# says: bytes are decoded as UTF-8
# - .decode(errors="replace")
# + .decode("latin-1")


# %% check="grade-bpe-encode" answer="spaces that are lost"
# says: the space in front of `lower` is lost
# - split_into_pieces(text)
# + text.split()


# %% check="grade-bpe-encode" answer="spaces by themselves"
# says: the space in front of `lower` is by itself
# - split_into_pieces(text)
# + re.findall(r"\s|\S+", text)


# %% check="grade-bpe-encode" answer="tokens in place of ids"
# says: a list of ints, and it returned [b'low'
# - encoded += [ids[token] for token in tokens]
# + encoded += tokens


# %% check="grade-bpe-encode" answer="a list for each piece"
# says: a list of ints, and it returned [[257]
# - encoded += [ids[token] for token in tokens]
# + encoded.append([ids[token] for token in tokens])


# %% check="grade-bpe-encode" answer="the longest merge first"
# says: in the order in which they were learnt, not by length
# says: [258, 100]
# - pair = min(present, key=ranks.get)
# + pair = min(present, key=lambda pair: (-len(pair[0] + pair[1]), ranks[pair]))


# %% check="grade-bpe-encode" answer="the shortest merge first"
# says: in the order in which they were learnt, not by length
# says: [256, 258]
# - pair = min(present, key=ranks.get)
# + pair = min(present, key=lambda pair: (len(pair[0] + pair[1]), ranks[pair]))


# %% check="grade-rotary" answer="odd features that stop inside"
# says: should raise a ValueError, but InvalidArgumentError came
# - if head_dim % 2 != 0
# + if False


# %% check="grade-rotary" answer="positions that aren't cast"
# notes: cast `positions` to float32
# - ops.cast(positions, "float32")[:, None] * rates
# + positions[:, None] * rates


# %% check="grade-rotary" answer="float64 for float32"
# notes: It earns its points as it is, but float32 goes in, and float64 comes out
_turned = rotary
def rotary(x, *more, **options):
    answer = _turned(x, *more, **options)
    return ops.cast(answer, "float64") if str(x.dtype) == "float32" else answer


# %% check="grade-rms-norm" answer="a scale that begins at 0"
# says: does the scale begin at 1?
# - initializer="ones"
# + initializer="zeros"


# %% check="grade-rms-norm" answer="a scale that begins at random"
# says: Is the scale 1 at first?
# - , initializer="ones"


# %% check="grade-rms-norm" answer="the variance"
# says: you divide by the root of the variance
# - ops.mean(ops.square(x), axis=-1, keepdims=True)
# + ops.var(x, axis=-1, keepdims=True)


# %% check="grade-rms-norm" answer="a mean along another axis"
# says: Do you square, average along the last axis
# - ops.mean(ops.square(x), axis=-1, keepdims=True)
# + ops.mean(ops.square(x), axis=1, keepdims=True)


# %% check="grade-rms-norm" answer="a shape that is a number"
# says: `shape=(length,)` with one axis
# - (input_shape[-1],)
# + input_shape[-1]


# %% check="grade-rms-norm" answer="a config without epsilon"
# says: Is `epsilon` in the config?
# - {**super().get_config(), "epsilon": self.epsilon}
# + super().get_config()


# %% check="grade-swiglu" answer="a name that nobody has defined, inside a layer"
# says: Nothing has this name yet
class SwiGLU(SwiGLU):
    def call(self, x):
        return self.down(silu(self.gate(x)) * self.up(x))


# %% check="grade-grouped-attention" answer="the layout of halves inside the layer"
# says: in the layout of halves
class GroupedQueryAttention(GroupedQueryAttention):
    def call(self, x, cache=None):
        turn = globals()["rotary"]
        globals()["rotary"] = lambda y, positions: turn(y, positions, interleaved=False)
        try:
            return super().call(x, cache)
        finally:
            globals()["rotary"] = turn


# %% check="grade-grouped-attention" answer="a grouped config that lacks an argument"
# says: every argument of `__init__` has to be in it
class GroupedQueryAttention(GroupedQueryAttention):
    def get_config(self):
        return {name: value for name, value in super().get_config().items() if name != "num_kv_heads"}


# %% check="grade-grouped-attention" answer="a rotary that turns backwards"
# says: mend task 3
_rotary = rotary
def rotary(x, positions, base=10000.0, interleaved=True):
    return _rotary(x, -ops.cast(positions, "float32"), base, interleaved)


# %% check="grade-grouped-attention" answer="a rotary that cuts its rates to whole numbers"
# says: see the ⚠ of task 3
_rotary = rotary
def rotary(x, positions, base=10000.0, interleaved=True):
    if isinstance(positions, np.ndarray):
        return _rotary(x, positions, base, interleaved)
    rates = np.array(base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1]), "int32")
    angles = ops.cast(positions[:, None] * rates, x.dtype)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], ops.cos(angles), ops.sin(angles)
    return ops.reshape(ops.stack([a * cos - b * sin, a * sin + b * cos], axis=-1), x.shape)


# %% check="grade-grouped-attention" answer="queries and keys turned before they are split"
# says: the rates are those of head_dim, not of d_model
# - rotary(self._split(self.query_dense(x)), positions)
# + self._split(rotary(self.query_dense(x), positions))
# - rotary(self._split(self.key_dense(x)), positions)
# + self._split(rotary(self.key_dense(x), positions))


# %% check="grade-grouped-attention" answer="positions that don't see themselves"
# says: a position doesn't see itself
# - > positions[:, None]
# + >= positions[:, None]


# %% check="grade-grouped-attention" answer="a mask without past_len"
# says: with a cache it stops
# says: a column for each key, past_len + seq_len of them. Here: in GroupedQueryAttention.call, the line `weights
# says: Two arrays don't fit together.
# - ops.arange(past_len + seq_len) > positions[:, None]
# + ops.arange(seq_len) > ops.arange(seq_len)[:, None]


# %% check="grade-grouped-attention" answer="queries turned before heads and positions change places"
# says: `rotary` is given x (2, 5, 6, 4) and positions (5,)
# says: not of the heads
# -         query = rotary(self._split(self.query_dense(x)), positions)  # (batch, num_heads, seq_len, head_dim)
# +         split = ops.reshape(self.query_dense(x), (-1, seq_len, self.num_heads, self.head_dim))
# +         query = ops.transpose(rotary(split, positions), (0, 2, 1, 3))  # (batch, num_heads, seq_len, head_dim)


# %% check="grade-grouped-attention" answer="positions from past_len to seq_len"
# says: positions (0,)
# says: from past_len to past_len + seq_len - 1
# - positions = past_len + ops.arange(seq_len)
# + positions = ops.arange(past_len, seq_len)


# %% check="grade-grouped-attention" answer="new keys in front of the old ones"
# says: the new keys stand in front
# - [cache[0], keys]
# + [keys, cache[0]]


# %% check="grade-grouped-attention" answer="new values in front of the old ones"
# says: do the cache's values stand in front of the new ones?
# - [cache[1], values]
# + [values, cache[1]]


# %% check="grade-grouped-attention" answer="positions that don't go on behind the cache"
# says: Do the positions of `rotary` go on behind the cache
# - positions = past_len + ops
# + positions = 0 * past_len + ops


# %% check="grade-grouped-attention" answer="scores divided by head_dim"
# says: divided by head_dim, not by its root
# - / self.head_dim**0.5
# + / self.head_dim


# %% check="grade-grouped-attention" answer="a look-ahead mask times -inf"
# says: such as `mask * -np.inf`
# - ops.where(ahead, ops.cast(-1e9, scores.dtype), scores)
# + scores + -np.inf * ops.cast(ahead, "float32")


# %% check="grade-window-mask" answer="one sink, however many there should be"
# says: there is only one sink
# - (j < sinks)
# + (j < min(sinks, 1))


# %% check="grade-window-mask" answer="-inf where 1 hides"
# says: marked by 1, not by -∞
_windowed = create_window_mask
def create_window_mask(*sizes, **options):
    return np.where(to_numpy(_windowed(*sizes, **options)) == 1, -np.inf, 0.0)


# %% check="grade-window-mask" answer="-1e9 where 1 hides"
# says: not by a large negative number
# - (~seen).astype("float32")
# + np.where(seen, 0.0, -1e9)


# %% check="grade-streaming-softmax" answer="an output that isn't corrected"
# says: the sum is corrected when the maximum grows, but the output isn't
# - output = output * shrink + weights
# + output = output + weights


# %% check="grade-streaming-softmax" answer="an output divided after each block"
# says: and the next block is added to that
# - weights @ value[..., block, :]
# + weights @ value[..., block, :]
# +         output = output / np.where(total == 0, 1, total)
# - return output / np.where(total == 0, 1, total)
# + return output


# %% check="grade-streaming-softmax" answer="an output divided after each block and at the end"
# says: and once more at the end
# - output = output * shrink + weights @ value[..., block, :]
# + output = (output * shrink + weights @ value[..., block, :]) / np.where(total == 0, 1, total)


# %% check="grade-streaming-softmax" answer="a maximum that begins at 0"
# says: Does the maximum begin at 0?
# - -np.inf, dtype)  # running maximum
# + 0.0, dtype)  # running maximum


# %% check="grade-streaming-softmax" answer="hidden scores that are large and negative"
# says: not a large negative number
# - == 1, -np.inf, scores)
# + == 1, -1e9, scores)


# %% check="grade-streaming-softmax" answer="a sum of 0 divided by"
# says: Where the sum is 0, divide by 1.
# - output / np.where(total == 0, 1, total)
# + output / total


# %% check="grade-streaming-softmax" answer="NaNs made zeros"
# says: While a row has seen nothing
# - output / np.where(total == 0, 1, total)
# + np.nan_to_num(output / total)
# - safe = np.where(np.isinf(new_largest), 0, new_largest)
# + safe = new_largest


# %% check="grade-streaming-softmax" answer="a maximum of the block alone"
# says: the larger of the old one and the block's
# - np.maximum(largest, scores.max(axis=-1, keepdims=True))
# + scores.max(axis=-1, keepdims=True)


# %% check="grade-streaming-softmax" answer="one maximum for all queries"
# says: has each query its own?
# - scores.max(axis=-1, keepdims=True)
# + scores.max()


# %% check="grade-streaming-softmax" answer="a mask that isn't cut"
# says: is the mask cut to the block
# - [..., block] == 1
# + == 1


# %% check="grade-streaming-softmax" answer="a mask cut along its second axis"
# says: with a mask (2, 1, 1, 7)
# says: along its *last* axis
# - [..., block] == 1
# + [:, block] == 1


# %% check="grade-streaming-softmax" answer="a sum that isn't corrected"
# says: but the sum isn't
# - total * shrink
# + total


# %% check="grade-bpe-train" answer="zero bytes for a byte"
# says: `bytes(5)` is five zeros
# - [bytes([byte]) for byte in piece.encode()]
# + [bytes(byte) for byte in piece.encode()]


# %% check="grade-bpe-encode" answer="a list of texts for a text"
# says: bpe_decode should return one str, and it returned ['low', ' low', 'er']
# - b"".join(tokens[int(i)] for i in ids).decode(errors="replace")
# + [tokens[int(i)].decode(errors="replace") for i in ids]


# %% check="grade-bpe-encode" answer="bytes that are joined and not decoded"
# says: bpe_decode should return one str, and it returned b'low lower'
# - .decode(errors="replace")


# %% check="grade-bpe-encode" answer="the leftmost merge first"
# says: `bc` was learnt first
# - pair = min(present, key=ranks.get)
# + pair = next(pair for pair in pairwise(tokens) if pair in present)


# %% check="grade-rotary" answer="b computed from the new a"
# says: b is computed from the new a
# - a, b = a * cos - b * sin, a * sin + b * cos
# + a = a * cos - b * sin
# +     b = a * sin + b * cos


# %% check="grade-rotary" answer="a positive exponent"
# says: is the minus in the exponent missing?
# - (-np.arange(0, head_dim, 2) / head_dim)
# + (np.arange(0, head_dim, 2) / head_dim)


# %% check="grade-rotary" answer="no rates"
# says: where are the rates?
# - [:, None] * rates
# + [:, None] * ops.ones_like(rates)


# %% check="grade-rotary" answer="sine for cosine"
# says: sine and cosine have changed places
# - cos, sin = ops
# + sin, cos = ops


# %% check="grade-rotary" answer="a half that is no whole number"
# says: divide sizes with `//`
# - (x[..., : head_dim // 2], x[..., head_dim // 2 :])
# + (x[..., : head_dim / 2], x[..., head_dim / 2 :])


# %% check="grade-rms-norm" answer="an initializer that is a number"
# says: an initializer by its name
# - initializer="ones"
# + initializer=1


# %% check="grade-rms-norm" answer="a scale that is no weight"
# says: Is `scale` made by `self.add_weight`
# - self.add_weight(name="scale", shape=(input_shape[-1],), initializer="ones")
# + ops.ones((input_shape[-1],))


# %% check="grade-rms-norm" answer="a build without self"
# says: Only a method has `self`
# - def build(self, input_shape):
# + def build(input_shape):


# %% check="grade-swiglu" answer="a down that is built for its outputs"
# says: that of its `build` or first call
# - self.down.build((*input_shape[:-1], self.ff_dim))
# + self.down.build(input_shape)


# %% check="grade-swiglu" answer="silu of a layer"
# says: A layer itself is handed over
# - ops.silu(self.gate(inputs))
# + ops.silu(self.gate)


# %% check="grade-grouped-attention" answer="keys and values that aren't repeated"
# says: 6 heads with one of 3: (2, 6, 5, 4) and (2, 3, 4, 5). Repeat each key head
# - query = ops.reshape(query, (-1, self.num_kv_heads, group, seq_len, self.head_dim))
# + batch = ops.shape(x)[0]
# - [:, :, None] / self.head_dim**0.5
# + / self.head_dim**0.5
# - values[:, :, None]
# + values


# %% check="grade-grouped-attention" answer="values that aren't repeated"
# says: `heads = weights @ values
# says: 6 heads with one of 3: (2, 6, 5, 5) and (2, 3, 5, 4)
# - query = ops.reshape(query, (-1, self.num_kv_heads, group, seq_len, self.head_dim))
# + batch = ops.shape(x)[0]
# - ops.swapaxes(keys, -2, -1)[:, :, None]
# + ops.swapaxes(ops.repeat(keys, group, axis=1), -2, -1)
# - values[:, :, None]
# + values


# %% check="grade-grouped-attention" answer="keys without an axis for the group"
# says: 5 axes with one of 4
# says: keys and values one of length 1 in its place
# - ops.swapaxes(keys, -2, -1)[:, :, None]
# + ops.swapaxes(keys, -2, -1)


# %% check="grade-grouped-attention" answer="a group that is a float, for repeat"
# says: divide sizes with `//`
# - group = self.num_heads // self.num_kv_heads
# + group = self.num_heads / self.num_kv_heads
# - query = ops.reshape(query, (-1, self.num_kv_heads, group, seq_len, self.head_dim))
# + batch = ops.shape(x)[0]
# - ops.swapaxes(keys, -2, -1)[:, :, None]
# + ops.swapaxes(ops.repeat(keys, group, axis=1), -2, -1)


# %% check="grade-grouped-attention" answer="repeat with its arguments exchanged"
# says: An array stands where one whole number is wanted
# - query = ops.reshape(query, (-1, self.num_kv_heads, group, seq_len, self.head_dim))
# + batch = ops.shape(x)[0]
# - ops.swapaxes(keys, -2, -1)[:, :, None]
# + ops.swapaxes(ops.repeat(group, keys, axis=1), -2, -1)


# %% check="grade-grouped-attention" answer="a cache that is joined along the heads"
# says: along the axis of the positions?
# - keys, values = ops.concatenate([cache[0], keys], axis=2), ops.concatenate([cache[1], values], axis=2)
# + keys, values = ops.concatenate([cache[0], keys], axis=1), ops.concatenate([cache[1], values], axis=1)


# %% check="grade-grouped-attention" answer="queries that aren't turned"
# says: queries aren't turned
# - query = rotary(self._split(self.query_dense(x)), positions)
# + query = self._split(self.query_dense(x))


# %% check="grade-grouped-attention" answer="a look-ahead mask turned round"
# says: the mask is turned round
# - > positions[:, None]
# + <= positions[:, None]


# %% check="grade-grouped-attention" answer="hidden scores of 0"
# says: hidden scores are 0
# - ops.cast(-1e9, scores.dtype)
# + ops.cast(0, scores.dtype)


# %% check="grade-grouped-attention" answer="a softmax along the queries"
# says: the softmax runs along the queries
# - ops.cast(-1e9, scores.dtype), scores))
# + ops.cast(-1e9, scores.dtype), scores), axis=-2)


# %% check="grade-streaming-softmax" answer="max for maximum, with keepdims inside"
# says: The second argument of `max`, `sum` and their like is an axis
# - np.maximum(largest, scores.max(axis=-1, keepdims=True))
# + np.max(largest, scores.max(axis=-1, keepdims=True))


# %% check="grade-streaming-softmax" answer="all scores at once"
# says: compute these inside of the loop
# -     for start in range(0, key.shape[-2], block_size):
# +     every = query @ np.swapaxes(key, -2, -1) / np.sqrt(query.shape[-1])
# +     for start in range(0, key.shape[-2], block_size):
# - query @ np.swapaxes(key[..., block, :], -2, -1) / np.sqrt(query.shape[-1])
# + every[..., block]


# %% check="grade-bpe-encode" answer="a pair looked up in the list of merges"
# says: `pair = min(present, key=lambda pair: merges[pair])` stops. TypeError: list indices must be integers or slices, not tuple
# - pair = min(present, key=ranks.get)
# + pair = min(present, key=lambda pair: merges[pair])


# %% check="grade-rotary" answer="a head_dim of another axis"
# says: does it look at another axis or another value than it should
# - head_dim = x.shape[-1]
# + head_dim = x.shape[-2]


# %% check="grade-grouped-attention" answer="scores times the root"
# says: divided by the root of head_dim?
# - / self.head_dim**0.5
# + * self.num_heads**0.5


# %% check="grade-grouped-attention" answer="a mean of the keys"
# says: and do its weights average the values?
# - weights @ values[:, :, None]
# + weights @ keys[:, :, None]


# %% check="grade-grouped-attention" answer="queries and keys exchanged"
# says: Are the scores the dot products of queries (rows) and keys (columns)
# - scores = query @ ops.swapaxes(keys, -2, -1)[:, :, None] / self.head_dim**0.5
# + scores = keys[:, :, None] @ ops.swapaxes(query, -2, -1) / self.head_dim**0.5


# %% check="grade-grouped-attention" answer="a call without return"
# says: it returned None. Is the `return` missing?
# - return self.output_dense(merged), (keys, values)
# + self.output_dense(merged), (keys, values)


# %% check="grade-streaming-softmax" answer="keys cut along the first axis"
# says: are keys and values cut along the axis of the keys, the last but one
# - key[..., block, :]
# + key[block]
# - value[..., block, :]
# + value[block]


# %% check="grade-streaming-softmax" answer="keys cut along the second axis"
# says: are keys and values cut along the axis of the keys, the last but one
# - key[..., block, :]
# + key[:, block]
# - value[..., block, :]
# + value[:, block]


# %% check="grade-streaming-softmax" answer="keys counted and cut along the first axis"
# says: Are keys and values cut along the last axis but one
# - range(0, key.shape[-2], block_size)
# + range(0, len(key), block_size)
# - key[..., block, :]
# + key[block]
# - value[..., block, :]
# + value[block]


# %% check="grade-streaming-softmax" answer="blocks that end at block_size"
# says: is a block of keys empty
# - slice(start, start + block_size)
# + slice(start, block_size)


# %% check="grade-streaming-softmax" answer="an empty block at the end"
# says: with keys (4, 1) and blocks of 2 it stops: is a block of keys empty, as it begins behind the last key
# - range(0, key.shape[-2], block_size)
# + range(0, key.shape[-2] + 1, block_size)


# %% check="grade-streaming-softmax" answer="scores divided by key_dim"
# says: are the scores divided by the root of key_dim
# - / np.sqrt(query.shape[-1])
# + / query.shape[-1]


# %% check="grade-streaming-softmax" answer="a return inside of the loop"
# says: with m, s and o of the table in the text
# -         largest = new_largest
# -     return output / np.where(total == 0, 1, total)
# +         return output / np.where(total == 0, 1, total)


# %% check="grade-rotary" answer="a plus in both lines"
# says: which of its two lines has a minus?
# - a, b = a * cos - b * sin, a * sin + b * cos
# + a, b = a * cos + b * sin, a * sin + b * cos


# %% check="grade-bpe-train" answer="a merge of the first place alone"
# says: only where it first stands in a piece
# - pieces = [(merge_pair(tokens, best), count) for tokens, count in pieces]
# + for tokens, _ in pieces:
# +             for place, pair in enumerate(pairwise(tokens)):
# +                 if pair == best:
# +                     tokens[place : place + 2] = [pair[0] + pair[1]]
# +                     break


# %% check="grade-window-mask" answer="rows that are sinks"
# says: is it the column that counts
# - (j < sinks)
# + (i < sinks)
