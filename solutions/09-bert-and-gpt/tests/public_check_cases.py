# %% check="code-01" answer="a carried-over block that ignores its mask"
# says: read its answers
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None, training=None):
        return super().call(x, mask=None, training=training)


# %% check="code-01" answer="a carried-over stub"
# notes: still a stub
def create_decoder_mask(token_ids, pad_id=0):
    raise NotImplementedError()


# %% check="code-01" answer="a helper that was left behind"
# says: FeedForwardOfMine is used and isn't there
class EncoderBlock(EncoderBlock):
    def call(self, x, mask=None):
        return FeedForwardOfMine()(super().call(x, mask=mask))


# %% check="grade-mask-tokens" answer="masking in one draw"
# says: for each token by itself
# - fate = rng.random(token_ids.shape)
# + fate = rng.random()


# %% check="grade-mask-tokens" answer="80, 20 and 0 %"
# says: reads as itself, not about 0.1
# - fate < 0.9
# + fate < 1.0


# %% check="grade-mask-tokens" answer="ids up to vocab_size"
# says: the id 20 is in `inputs`
# - rng.integers(UNK + 1, vocab_size - 1, token_ids.shape)
# + rng.integers(UNK + 1, vocab_size, token_ids.shape, endpoint=True)
# - np.where(random_tokens == mask_id, vocab_size - 1, random_tokens)
# + random_tokens


# %% check="grade-mask-tokens" answer="a masking that doesn't use rng"
# says: everything random has to come from `rng`
# - fate = rng.random(token_ids.shape)
# + fate = np.random.random(token_ids.shape)


# %% check="grade-mask-tokens" answer="the same number of selected tokens in each row"
# notes: in each of 500 rows of five tokens exactly 2
# -     selected = (rng.random(token_ids.shape) < rate) & (token_ids != PAD)
# +     tickets = np.where(token_ids != PAD, rng.random(token_ids.shape), 2.0)
# +     selected = (tickets.argsort(axis=1).argsort(axis=1) < np.round(rate * (token_ids != PAD).sum(axis=1, keepdims=True))) & (token_ids != PAD)


# %% check="grade-mask-tokens" answer="one random token for all"
# says: draw one for each place
# - rng.integers(UNK + 1, vocab_size - 1, token_ids.shape)
# + rng.integers(UNK + 1, vocab_size - 1)


# %% check="grade-mask-tokens" answer="one fate for a row"
# says: draw for each token by itself
# - fate = rng.random(token_ids.shape)
# + fate = rng.random((len(token_ids), 1))


# %% check="grade-mask-tokens" answer="a mask that is taken for the last id"
# says: the mask's id needn't be the last one
# - np.where(random_tokens == mask_id, vocab_size - 1, random_tokens)
# + random_tokens


# %% check="grade-mask-tokens" answer="whole rows selected"
# says: select each token by itself
# - (rng.random(token_ids.shape) < rate)
# + (rng.random((len(token_ids), 1)) < rate)


# %% check="grade-mask-tokens" answer="a generator made inside"
# says: is `rng` used, or one that is made inside?
# - token_ids = np.asarray(token_ids)
# + token_ids, rng = np.asarray(token_ids), np.random.default_rng(0)


# %% check="grade-mask-tokens" answer="one random token for a row"
# says: all random tokens of a row are the same
# - vocab_size - 1, token_ids.shape)
# + vocab_size - 1, (len(token_ids), 1))


# %% check="grade-mask-tokens" answer="one selection for all rows"
# says: each token of each row drawn by itself
# - (rng.random(token_ids.shape) < rate)
# + (rng.random(token_ids.shape[1]) < rate / 2)


# %% check="grade-mask-tokens" answer="special tokens are never selected"
# says: `<bos>` and `<eos>` are tokens, too.
# - (token_ids != PAD)
# + (token_ids > EOS)


# %% check="grade-mask-tokens" answer="only the masks are called selected"
# says: `inputs` changes where `selected` is False
# -     return np.where(selected, instead, token_ids), np.where(selected, token_ids, PAD), selected
# +     return np.where(selected, instead, token_ids), np.where(selected, token_ids, PAD), selected & (instead == mask_id)


# %% check="grade-mask-tokens" answer="one number of selected tokens, in the same places of all rows"
# says: in (nearly) all rows the same places are selected
# -     selected = (rng.random(token_ids.shape) < rate) & (token_ids != PAD)
# +     selected = np.zeros(token_ids.shape, bool)
# +     selected[:, rng.choice(token_ids.shape[1], max(1, round(rate * token_ids.shape[1])), replace=False)] = True
# +     selected &= token_ids != PAD


# %% check="grade-mask-tokens" answer="comparisons without brackets"
# says: put each comparison in brackets of its own
# - (rng.random(token_ids.shape) < rate) & (token_ids != PAD)
# + rng.random(token_ids.shape) < rate & token_ids != PAD


# %% check="grade-mask-tokens" answer="comparisons of whole numbers without brackets"
# says: put each comparison in brackets of its own
# - (rng.random(token_ids.shape) < rate) & (token_ids != PAD)
# + rng.integers(0, 100, token_ids.shape) < 15 & token_ids != PAD


# %% check="grade-mask-tokens" answer="selected above the rate"
# says: at rate 0.25 a share of 0.7
# says: the wrong way round
# - < rate
# + > rate


# %% check="grade-mask-tokens" answer="no return, masks"
# says: it returned None. Is the `return` missing?
# -     return np.where(selected, instead, token_ids), np.where(selected, token_ids, PAD), selected
# +     np.where(selected, instead, token_ids)


# %% check="grade-mask-tokens" answer="selected before labels"
# says: Is the order (inputs, labels, selected)?
# - np.where(selected, token_ids, PAD), selected
# + selected, np.where(selected, token_ids, PAD)


# %% check="grade-mask-tokens" answer="random ids that are fractions"
# says: ids are whole numbers
# - rng.integers(UNK + 1, vocab_size - 1, token_ids.shape)
# + rng.random(token_ids.shape) * vocab_size


# %% check="grade-mask-tokens" answer="masks written into a copy"
# says: as `a[b][c] = …` does
# -     instead = np.where(fate < 0.8, mask_id, np.where(fate < 0.9, random_tokens, token_ids))
# +     instead = np.where((fate >= 0.8) & (fate < 0.9), random_tokens, token_ids)
# +     instead[selected][fate[selected] < 0.8] = mask_id


# %% check="grade-mask-tokens" answer="the last id in place of mask_id"
# says: is the argument `mask_id` used?
# - np.where(fate < 0.8, mask_id,
# + np.where(fate < 0.8, vocab_size - 1,


# %% check="grade-mask-tokens" answer="one draw that selects and decides"
# says: a share of 1.00 of the selected tokens reads as the mask
# says: by a draw of its own
# -     selected = (rng.random(token_ids.shape) < rate) & (token_ids != PAD)
# -     fate = rng.random(token_ids.shape)
# +     fate = rng.random(token_ids.shape)
# +     selected = (fate < rate) & (token_ids != PAD)


# %% check="grade-mask-tokens" answer="a new draw for the second comparison"
# says: reads as itself, not about 0.1
# says: Are 0.8 and 0.9 compared with the same number?
# - fate < 0.9
# + rng.random(token_ids.shape) < 0.9


# %% check="grade-mask-tokens" answer="the choices of where the wrong way round"
# says: `inputs` changes where `selected` is False. Are the choices of a `where` the wrong way round
# - np.where(selected, instead, token_ids)
# + np.where(selected, token_ids, instead)


# %% check="grade-encoder-only" answer="a feed-forward network without an activation, encoder"
# says: is there a ReLU (or GELU) behind that layer?
class EncoderBlock(EncoderBlock):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, **kwargs):
        super().__init__(d_model, num_heads, ff_dim, dropout, **kwargs)
        self.feed_forward = keras.Sequential([keras.layers.Dense(ff_dim), keras.layers.Dropout(dropout), keras.layers.Dense(d_model)])


# %% check="grade-encoder-only" answer="post-norm blocks with GELU" right=true
class EncoderBlock(EncoderBlock):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, **kwargs):
        super().__init__(d_model, num_heads, ff_dim, dropout, norm_first=False, **kwargs)
        layers = keras.layers.Dense(ff_dim, activation="gelu"), keras.layers.Dropout(dropout), keras.layers.Dense(d_model)
        self.feed_forward = keras.Sequential(list(layers))


# %% check="grade-encoder-only" answer="blocks of one head, whatever num_heads is"
# says: one head gives the same logits as two
# - EncoderBlock(d_model, num_heads, ff_dim, dropout)
# + EncoderBlock(d_model, 1, ff_dim, dropout)


# %% check="grade-encoder-only" answer="positions that are learned unless told otherwise"
# says: without learned_positions=True too
# - dropout=0.1, learned_positions=False
# + dropout=0.1, learned_positions=True


# %% check="grade-encoder-only" answer="an encoder that hides only what follows"
# says: padding in front
# says: reaches the tokens behind it
# - create_padding_mask(token_ids)
# + create_padding_mask(ops.flip(ops.cumsum(ops.flip(ops.cast(token_ids, 'int32'), axis=1), axis=1), axis=1))


# %% check="grade-encoder-only" answer="a softmax behind the logits"
# says: add up to 1: leave the softmax out
# - self.output_dense(self.norm(x))
# + ops.softmax(self.output_dense(self.norm(x)))


# %% check="grade-encoder-only" answer="no normalisation behind the last block"
# says: is there a normalisation behind the last block?
# - self.output_dense(self.norm(x))
# + self.output_dense(x + 0 * self.norm(x))


# %% check="grade-encoder-only" answer="no dropout in the encoder"
# says: `training=True` changes nothing
# - embedding(vocab_size, d_model, max_len, dropout)
# + embedding(vocab_size, d_model, max_len, 0.0)
# - EncoderBlock(d_model, num_heads, ff_dim, dropout)
# + EncoderBlock(d_model, num_heads, ff_dim, 0.0)


# %% check="grade-encoder-only" answer="heads as wide as the model"
# says: adds 812 parameters, not 532
# - EncoderBlock(d_model, num_heads, ff_dim, dropout) for
# + WideBlock(d_model, num_heads, ff_dim, dropout) for
# - class EncoderLM(keras.Model):
# + class WideBlock(EncoderBlock):
# +     def __init__(self, d_model, num_heads, *rest):
# +         super().__init__(d_model, num_heads, *rest)
# +         self.attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model)
# +
# +
# + class EncoderLM(keras.Model):


# %% check="grade-encoder-only" answer="one block twice"
# says: each with weights of its own, and are they all called?
# - [EncoderBlock(d_model, num_heads, ff_dim, dropout) for _ in range(num_layers)]
# + [EncoderBlock(d_model, num_heads, ff_dim, dropout)] * num_layers


# %% check="grade-encoder-only" answer="appended padding that is seen"
# says: Padding that is appended moves the logits
# - return create_padding_mask(token_ids)
# + return create_padding_mask(ops.ones_like(token_ids))


# %% check="grade-encoder-only" answer="learned embeddings that drop nothing"
# says: learned positions: in training only the blocks drop something
# - return self.dropout(self.positions(self.embedding(token_ids)), training=training)
# + return self.positions(self.embedding(token_ids))


# %% check="grade-encoder-only" answer="logits cut off at 0"
# says: the output layer has no activation
# - keras.layers.Dense(vocab_size)
# + keras.layers.Dense(vocab_size, activation="relu")


# %% check="grade-encoder-only" answer="a normalisation in front of the blocks"
# says: is there a normalisation behind the last block?
# -         x = self.embed(token_ids)
# +         x = self.norm(self.embed(token_ids))
# - self.output_dense(self.norm(x))
# + self.output_dense(x)


# %% check="grade-encoder-only" answer="blocks that drop nothing"
# says: only the embeddings are dropped
# - EncoderBlock(d_model, num_heads, ff_dim, dropout)
# + EncoderBlock(d_model, num_heads, ff_dim, 0.0)


# %% check="grade-encoder-only" answer="an output in place of the model"
# says: it should return the model
# -     return model
# +     return model(np.ones((1, max_len), 'int32'))


# %% check="grade-encoder-only" answer="no residual connection around sublayer 0 of encoder-only"
# says: the embeddings don't reach the output
# says: a residual connection
class EncoderBlock(EncoderBlock):
    def _residual(self, i, x, sublayer, training):
        y = self.dropouts[i](sublayer(self.norms[i](x)), training=training)
        return y if i == 0 else x + y


# %% check="grade-encoder-only" answer="one block, however many there should be"
# says: are num_layers blocks made
# - for _ in range(num_layers)]
# + for _ in range(1)]


# %% check="grade-encoder-only" answer="a block too many"
# says: is there a block too many?
# - for _ in range(num_layers)]
# + for _ in range(num_layers + 1)]


# %% check="grade-encoder-only" answer="an output that shares the embedding's table, encoder" right=true
class EncoderLM(EncoderLM):
    def __init__(self, vocab_size, *args, **kwargs):
        super().__init__(vocab_size, *args, **kwargs)
        del self.output_dense
        self.bias = self.add_weight(shape=(vocab_size,), initializer="zeros")

    def call(self, token_ids):
        mask, x = create_padding_mask(token_ids), self.embed(token_ids)
        for block in self.blocks:
            x = block(x, mask=mask)
        return self.norm(x) @ ops.transpose(self.embed.embedding.embeddings) + self.bias

DecoderLM = EncoderLM


# %% check="grade-encoder-only" answer="every block gets the embeddings, encoder"
# says: where the second gets what the first gives: the output stays the same whatever these weights are
# - x = block(x, mask=mask)
# + y = block(x, mask=mask)
# - self.norm(x))
# + self.norm(y))


# %% check="grade-encoder-only" answer="a class in place of the model"
# says: it should return the model, not its output or its class
# -     return model
# +     return EncoderLM


# %% check="grade-encoder-only" answer="a method without self"
# says: the first argument of a method is `self`
# - def hidden(self, token_ids):
# + def hidden(token_ids):


# %% check="grade-encoder-only" answer="a normalisation of the logits"
# says: comes before the output layer
# - self.output_dense(self.norm(x))
# + self.norm(self.output_dense(x))


# %% check="grade-encoder-only" answer="a normalisation in the loop"
# says: Does your loop put one more normalisation or residual connection around each block
# - x = block(x, mask=mask)
# + x = self.norm(block(x, mask=mask))
# - self.output_dense(self.norm(x))
# + self.output_dense(x)


# %% check="grade-encoder-only" answer="a residual connection around each block"
# says: Does your loop put one more normalisation or residual connection around each block
# - x = block(x, mask=mask)
# + x = x + block(x, mask=mask)


# %% check="grade-encoder-only" answer="post-norm blocks below a last normalisation" right=true
# - EncoderBlock(d_model, num_heads, ff_dim, dropout)
# + EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first=False)
# - keras.layers.LayerNormalization(epsilon=1e-6)
# + keras.layers.LayerNormalization()


# %% check="grade-encoder-only" answer="an output layer made in call"
# says: or is a layer made inside `call`
# - self.output_dense(self.norm(x))
# + keras.layers.Dense(11)(self.norm(x))


# %% check="grade-encoder-only" answer="a normalisation made in call"
# notes: is made in `call`, anew at each call
# - self.output_dense(self.norm(x))
# + self.output_dense(keras.layers.LayerNormalization()(x))


# %% check="grade-encoder-only" answer="a mask that is 1 at tokens"
# says: Is it hidden? A mask of notebook 04 is 1 at padding and 0 at tokens
# - return create_padding_mask(token_ids)
# + return 1 - create_padding_mask(token_ids)


# %% check="grade-encoder-only" answer="sizes that change places"
# says: `d_model` and `num_layers`
# - EncoderLM(vocab_size, max_len, num_layers, d_model,
# + EncoderLM(vocab_size, max_len, d_model, num_layers,


# %% check="grade-decoder-only" answer="any arguments, handed on without learned_positions"
# says: 72 more parameters, but there are 0 more
_build = build_decoder_lm
def build_decoder_lm(*args, **kwargs):
    kwargs.pop("learned_positions", None)
    return _build(*args, **kwargs)


# %% check="grade-decoder-only" answer="a decoder that sees padding"
# says: padding in front
# says: reaches the tokens behind it
# - create_decoder_mask(token_ids)
# + create_decoder_mask(ops.ones_like(token_ids))


# %% check="grade-decoder-only" answer="a decoder mask of NumPy"
# notes: keras.ops
# - create_decoder_mask(token_ids)
# + np.asarray(create_decoder_mask(np.asarray(token_ids)))


# %% check="grade-decoder-only" answer="a decoder without learned positions"
# says: there are 0 more
# -     model = DecoderLM(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions)
# -     model(np.ones((1, max_len), "int32"))
# +     model = DecoderLM(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, False)
# +     model(np.ones((1, max_len), "int32"))


# %% check="grade-decoder-only" answer="a decoder without the last normalisation"
# says: is there a normalisation behind the last block?
# -         return create_decoder_mask(token_ids)
# +         return create_decoder_mask(token_ids)
# +
# +     def call(self, token_ids):
# +         x = self.embed(token_ids)
# +         for block in self.blocks:
# +             x = block(x, mask=self.hidden(token_ids))
# +         return self.output_dense(x + 0 * self.norm(x))


# %% check="grade-decoder-only" answer="a decoder mask that hides the position itself"
# says: hide positions from themselves?
# - return create_decoder_mask(token_ids)
# + return ops.maximum(create_decoder_mask(token_ids), ops.eye(token_ids.shape[1])[None, None])


# %% check="grade-decoder-only" answer="learned positions on top of sinusoidal ones"
# says: still knows the order
# -         return create_decoder_mask(token_ids)
# +         return create_decoder_mask(token_ids)
# +
# +     def call(self, token_ids):
# +         places = np.arange(token_ids.shape[1])[:, None] + 0.5 * np.arange(8)
# +         x = self.embed(token_ids) + ops.convert_to_tensor(np.sin(places).astype('float32'))
# +         for block in self.blocks:
# +             x = block(x, mask=self.hidden(token_ids))
# +         return self.output_dense(self.norm(x))


# %% check="grade-decoder-only" answer="a decoder that hides itself"
# says: Does the mask hide positions from themselves?
# - return create_decoder_mask(token_ids)
# + return ops.maximum(create_decoder_mask(token_ids), np.eye(token_ids.shape[1], dtype='float32'))


# %% check="grade-decoder-only" answer="no residual connection around sublayer 1 of decoder-only"
# says: the embeddings don't reach the output
# says: a residual connection
class EncoderBlock(EncoderBlock):
    def _residual(self, i, x, sublayer, training):
        y = self.dropouts[i](sublayer(self.norms[i](x)), training=training)
        return y if i == 1 else x + y


# %% check="grade-decoder-only" answer="a function without the argument for learned positions"
# notes: It earns its points as it is, but
# notes: the argument `learned_positions`
_build = build_decoder_lm
def build_decoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1):
    return _build(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout)


# %% check="grade-decoder-only" answer="an output that shares the embedding's table, decoder" right=true
class EncoderLM(EncoderLM):
    def __init__(self, vocab_size, *args, **kwargs):
        super().__init__(vocab_size, *args, **kwargs)
        del self.output_dense
        self.bias = self.add_weight(shape=(vocab_size,), initializer="zeros")

    def call(self, token_ids):
        mask, x = create_decoder_mask(token_ids), self.embed(token_ids)
        for block in self.blocks:
            x = block(x, mask=mask)
        return self.norm(x) @ ops.transpose(self.embed.embedding.embeddings) + self.bias

DecoderLM = EncoderLM


# %% check="grade-decoder-only" answer="a feed-forward network without an activation, decoder"
# says: is there a ReLU (or GELU) behind that layer?
class EncoderBlock(EncoderBlock):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, **kwargs):
        super().__init__(d_model, num_heads, ff_dim, dropout, **kwargs)
        self.feed_forward = keras.Sequential([keras.layers.Dense(ff_dim), keras.layers.Dropout(dropout), keras.layers.Dense(d_model)])


# %% check="grade-decoder-only" answer="every block gets the embeddings, decoder"
# says: where the second gets what the first gives: the output stays the same whatever these weights are
# -         return create_decoder_mask(token_ids)
# +         return create_decoder_mask(token_ids)
# +
# +     def call(self, token_ids):
# +         x = self.embed(token_ids)
# +         for block in self.blocks:
# +             y = block(x, mask=self.hidden(token_ids))
# +         return self.output_dense(self.norm(y))


# %% check="grade-decoder-only" answer="a method that is never called"
# says: or is what makes the mask never called?
# - def hidden(self, token_ids):
# + def hiden(self, token_ids):


# %% check="grade-decoder-only" answer="a mask made outside a layer"
# says: is it asked for outside a layer
def build_decoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False):
    ids = keras.Input((None,), dtype="int32")
    n = ops.shape(ids)[1]
    ahead = ops.arange(n)[None, :] > ops.arange(n)[:, None]
    x = TokenEmbedding(vocab_size, d_model, max_len, dropout)(ids)
    return keras.Model(ids, EncoderBlock(d_model, num_heads, ff_dim, dropout)(x, mask=ahead))


# %% check="grade-decoder-only" answer="a mask that is 1 at what may be seen"
# says: a position sees a later token. Does the mask hide where the key comes later
# - create_decoder_mask(token_ids)
# + 1 - create_decoder_mask(token_ids)


# %% check="grade-decoder-only" answer="a look-ahead mask that begins one place too late"
# says: a position sees a later token. Does the mask hide where the key comes later
# - create_decoder_mask(token_ids)
# + ops.maximum(create_padding_mask(token_ids), ops.triu(ops.ones((token_ids.shape[1], token_ids.shape[1])), 2))


# %% check="grade-decoder-only" answer="a mask without a return"
# says: without a `return`
# - return create_decoder_mask(token_ids)
# + create_decoder_mask(token_ids)


# %% check="grade-pooling" answer="a mean over the tokens of the whole batch"
# says: tokens of the whole batch
# - ops.maximum(ops.sum(kept, axis=1), 1.0)
# + ops.maximum(ops.sum(kept), 1.0)


# %% check="grade-pooling" answer="padding in the count"
# says: not out of the count
# - ops.maximum(ops.sum(kept, axis=1), 1.0)
# + x.shape[1]


# %% check="grade-pooling" answer="a pooling that takes 0 for padding"
# says: is the argument used?
# - ops.convert_to_tensor(token_ids), pad_id)
# + ops.convert_to_tensor(token_ids), 0)


# %% check="grade-pooling" answer="the first vectors averaged"
# says: padding may stand anywhere
def masked_mean_pooling(x, token_ids, pad_id=0):
    counts = (np.asarray(token_ids) != pad_id).sum(axis=1)
    return np.stack([row[:n].mean(axis=0) if n else 0 * row[0] for row, n in zip(np.asarray(x), counts)])


# %% check="grade-pooling" answer="an axis that a mask lacks"
# says: The shape of `kept` is that of `x` without the last axis
# - x.dtype)[..., None]
# + x.dtype)


# %% check="grade-pooling" answer="a count that lacks an axis, (x * m[..., None]).sum(1) / np.maximum(m.sum(1), 1)"
# says: One of the two shapes is the other without its last axis
# says: keepdims=True
def masked_mean_pooling(x, token_ids, pad_id=0):
    m = (np.asarray(token_ids) != pad_id).astype("float32")
    return (x * m[..., None]).sum(1) / np.maximum(m.sum(1), 1)


# %% check="grade-pooling" answer="a count that lacks an axis, ops.sum(x * m[..., None], 1) / ops.maximum(ops.sum(m, 1), 1)"
# says: One of the two shapes is the other without its last axis
# says: keepdims=True
def masked_mean_pooling(x, token_ids, pad_id=0):
    m = (np.asarray(token_ids) != pad_id).astype("float32")
    return ops.sum(x * m[..., None], 1) / ops.maximum(ops.sum(m, 1), 1)


# %% check="grade-pooling" answer="max for maximum, ops.sum(m, 1)"
# says: The second argument of `max` is an axis
def masked_mean_pooling(x, token_ids, pad_id=0):
    m = (np.asarray(token_ids) != pad_id).astype("float32")
    return ops.sum(x * m[..., None], 1) / ops.max(ops.sum(m, 1), 1)


# %% check="grade-pooling" answer="max for maximum, ops.sum(m, 1, keepdims=True)"
# says: The second argument of `max` is an axis
def masked_mean_pooling(x, token_ids, pad_id=0):
    m = (np.asarray(token_ids) != pad_id).astype("float32")
    return ops.sum(x * m[..., None], 1) / ops.max(ops.sum(m, 1, keepdims=True), 1)


# %% check="grade-pooling" answer="max for maximum, m.sum(1)"
# says: The second argument of `max` is an axis
def masked_mean_pooling(x, token_ids, pad_id=0):
    m = (np.asarray(token_ids) != pad_id).astype("float32")
    return ops.sum(x * m[..., None], 1) / np.max(m.sum(1), 1)


# %% check="grade-pooling" answer="max for maximum, np.sum(m, 1, keepdims=True)"
# says: The second argument of `max` is an axis
def masked_mean_pooling(x, token_ids, pad_id=0):
    m = (np.asarray(token_ids) != pad_id).astype("float32")
    return ops.sum(x * m[..., None], 1) / np.max(np.sum(m, 1, keepdims=True), 1)


# %% check="grade-pooling" answer="a mask that isn't cast"
# says: the vectors have become true and false like the mask
def masked_mean_pooling(x, token_ids, pad_id=0):
    kept = ops.not_equal(token_ids, pad_id)[..., None]
    return ops.sum(x * kept, 1) / ops.maximum(ops.sum(kept, 1), 1)


# %% check="grade-pooling" answer="a mask of float32 beside the vectors" right=true
def masked_mean_pooling(x, token_ids, pad_id=0):
    is_token = ops.cast(ops.not_equal(token_ids, pad_id), "float32")[..., None]
    return ops.sum(ops.multiply(x, is_token), axis=1) / ops.maximum(ops.sum(is_token, axis=1), 1.0)


# %% check="grade-pooling" answer="the mask of attention, called m"
# says: (shapes: x (3, 4, 2), m (3, 1, 1, 4)). Look here first: Two arrays don't fit together. Axes are compared from the last one
def masked_mean_pooling(x, token_ids, pad_id=0):
    m = 1 - create_padding_mask(token_ids, pad_id)
    return ops.sum(x * m, axis=1) / ops.sum(m, axis=1)


# %% check="grade-pooling" answer="the mask of attention, called mask"
# says: A mask that vectors (batch, seq_len, dim) are multiplied by is (batch, seq_len, 1)
def masked_mean_pooling(x, token_ids, pad_id=0):
    mask = create_padding_mask(token_ids, pad_id)
    x = x * (1 - mask)
    return ops.sum(x, axis=1) / ops.sum(1 - mask, axis=1)


# %% check="grade-pooling" answer="a number for a row without tokens"
# says: or a number beside them
def masked_mean_pooling(x, token_ids, pad_id=0):
    return np.array([row[ids != pad_id].mean(axis=0) if (ids != pad_id).any() else 0 for row, ids in zip(x, token_ids)])


# %% check="grade-sampling" answer="top_k=0 taken at its word"
# says: 0 for `top_k` and 1.0 for `top_p` keep all tokens
_right = sample
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    if top_k == 0:
        return np.array([rng.choice(np.arange(4)[:top_k]) for _ in logits])
    return _right(logits, rng, temperature=temperature, top_k=top_k, top_p=top_p)


# %% check="grade-sampling" answer="top-p without the token that reaches p"
# says: 0.5 alone doesn't reach 0.6
# - chances[before >= top_p] = 0.0
# + chances[:, 1:][np.cumsum(chances, axis=-1)[:, 1:] > top_p] = 0.0


# %% check="grade-sampling" answer="one random number for all rows"
# says: where every row needs its own
# - rng.random((len(logits), 1))
# + rng.random()


# %% check="grade-sampling" answer="ranks instead of ids"
# says: it returns ranks, the likeliest first
# - np.take_along_axis(order, rank, axis=-1)[:, 0]
# + rank[:, 0]


# %% check="grade-sampling" answer="sampling without rng"
# says: everything random has to come from `rng`
# - rng.random((len(logits), 1))
# + np.random.random((len(logits), 1))


# %% check="grade-sampling" answer="logits that overflow"
# says: so large a number overflows
# - np.exp(ranked - ranked[:, :1])
# + np.exp(ranked)


# %% check="grade-sampling" answer="top-p before the temperature"
# says: The temperature comes first
# -     ranked = np.take_along_axis(logits, order, axis=-1) / temperature
# -     chances = np.exp(ranked - ranked[:, :1])
# +     ranked = np.take_along_axis(logits, order, axis=-1)
# +     chances = np.exp(ranked - ranked[:, :1])
# -     reached = np.cumsum(chances, axis=-1)
# +     chances = chances ** (1 / temperature)
# +     reached = np.cumsum(chances, axis=-1)


# %% check="grade-sampling" answer="top-p before top-k"
# says: 0.625 reaches 0.6
# -     if top_k:
# -         chances[:, top_k:] = 0.0

# -     reached = np.cumsum(chances, axis=-1)
# +     if top_k:
# +         chances[:, top_k:] = 0.0
# +     reached = np.cumsum(chances, axis=-1)


# %% check="grade-sampling" answer="the first row's top-k for all"
# says: its own order and its own threshold
# -     if top_k:
# -         chances[:, top_k:] = 0.0
# +     if top_k:
# +         chances[logits[np.arange(len(logits))[:, None], order] < np.sort(logits[0])[-top_k]] = 0.0
# +         chances[chances.sum(axis=-1) == 0, 0] = 1.0


# %% check="grade-sampling" answer="the first row's top-p for all"
# says: its own order and its own threshold
# - chances[before >= top_p] = 0.0
# + chances[:, before[0] >= top_p] = 0.0


# %% check="grade-sampling" answer="a temperature that divides in place" right=true
_sample = sample
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    if temperature:
        logits /= temperature
    return _sample(logits, rng, 1.0 if temperature else 0, top_k, top_p)


# %% check="grade-sampling" answer="a generator of its own"
# says: `rng` isn't used
_sample = sample
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    return _sample(logits, np.random.default_rng(0), temperature, top_k, top_p)


# %% check="grade-sampling" answer="a top_k of 0 that keeps nothing"
# says: 0 for `top_k` and 1.0 for `top_p` keep all tokens
_sample = sample
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    return _sample(logits, rng, temperature, 1 if top_k == 0 else top_k, top_p)


# %% check="grade-sampling" answer="a dart that is not scaled"
# says: or without making what is left sum to 1 again?
# - rng.random((len(logits), 1)) * reached[:, -1:]
# + rng.random((len(logits), 1))
# - rank = (reached <= dart).sum(axis=-1, keepdims=True)
# + rank = np.minimum((reached <= dart).sum(axis=-1, keepdims=True), (chances > 0).sum(axis=-1, keepdims=True) - 1)


# %% check="grade-sampling" answer="a number between 0 and 1 though less is left"
# says: with top_k=2 a token behind the last one
# says: Scale that number to the sum
# -     chances /= chances.sum(axis=-1, keepdims=True)
# -     if top_p is not None and top_p < 1:
# +     if top_p is not None and top_p < 1:
# -     chances = np.exp(ranked - ranked[:, :1])
# +     chances = np.exp(ranked - ranked[:, :1])
# +     chances /= chances.sum(axis=-1, keepdims=True)
# -     dart = rng.random((len(logits), 1)) * reached[:, -1:]
# +     dart = rng.random((len(logits), 1))


# %% check="grade-sampling" answer="temperature 0 that other knobs undo"
# says: whatever the other knobs say, here top_k=3
_sample = sample
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0 and (top_k or top_p):
        temperature = 1.0
    return _sample(logits, rng, temperature, top_k, top_p)


# %% check="grade-sampling" answer="temperature 0 that divides by 0, False"
# says: Do you divide by 0,
# says: (Your code stops here: ValueError: Probabilities contain NaN)
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    logits = np.asarray(logits)
    if False:
        return logits.argmax(-1)
    with np.errstate(all="ignore"):
        x = (logits - logits.max(-1, keepdims=True)) / temperature
        chances = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    return np.array([rng.choice(len(p), p=p) for p in chances])


# %% check="grade-sampling" answer="temperature 0 that divides by 0, temperature == 0 and top_k is None" of="temperature 0 that divides by 0, False"
# says: Do you divide by 0?
# says: (Your code stops here: ValueError: Probabilities contain NaN)
# -     if False:
# +     if temperature == 0 and top_k is None:


# %% check="grade-sampling" answer="probabilities that are cut and not made to sum to 1"
# says: divide what is left by its sum
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return logits.argmax(-1)
    x = (logits - logits.max(-1, keepdims=True)) / temperature
    chances = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    if top_k:
        chances = np.where(chances >= np.sort(chances)[:, -top_k, None], chances, 0.0)
    return np.array([rng.choice(len(p), p=p) for p in chances])


# %% check="grade-sampling" answer="rows cut by top_k instead of columns"
# says: the line `return np.take_along_axis(np.argsort(-logits), rank[:, None], axis=-1)[:, 0]` stops (shapes: logits (4000, 4), rank (2,))
# says: Two arrays don't fit together. Axes are compared from the last one
_right = sample
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0 or not top_k:
        return _right(logits, rng, temperature)
    z = -np.sort(-logits)
    z = z[:top_k]
    p = np.exp(z) / np.exp(z).sum(-1, keepdims=True)
    rank = (p.cumsum(-1) < rng.random((len(p), 1))).sum(-1)
    return np.take_along_axis(np.argsort(-logits), rank[:, None], axis=-1)[:, 0]


# %% check="grade-sampling" answer="a slice that ends elsewhere in each row" of="rows cut by top_k instead of columns"
# says: A slice begins and ends at one number for all rows
# -     if temperature == 0 or not top_k:
# +     if temperature == 0 or not top_p:
# -     z = z[:top_k]
# +     n = (np.cumsum(np.exp(z), -1) < top_p).sum(-1) + 1
# +     z = z[:, :n]


# %% check="grade-sampling" answer="a list that is indexed with an array"
# says: An array stands where one whole number is wanted
_right = sample
def sample(logits, rng, **options):
    return list(range(4))[_right(logits, rng, **options)]


# %% check="grade-sampling" answer="one largest logit for all rows"
# says: subtract from each row its own largest logit first
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    with np.errstate(all="ignore"):
        p = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum(-1, keepdims=True)
    return (p.cumsum(-1) < rng.random((len(p), 1))).sum(-1)


# %% check="grade-sampling" answer="logits that are drawn, not ids"
# says: came back, and ids are 0, 1, 2 and 3 here
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    return np.array([rng.choice(row, p=np.exp(row)) for row in logits])


# %% check="grade-sampling" answer="ids that are floats"
# notes: The text asks for integers
_right = sample
def sample(*arguments, **options):
    return _right(*arguments, **options).astype("float64")


# %% check="grade-sampling" answer="the largest logit of all rows at temperature 0"
# says: gives the token of its own largest logit, here 1 and 2 in turns
# - logits.argmax(axis=-1)
# + logits.argmax()


# %% check="grade-sampling" answer="the first row's largest logit at temperature 0"
# says: gives the token of its own largest logit, here 1 and 2 in turns
# - logits.argmax(axis=-1)
# + logits[0].argmax()


# %% check="grade-sampling" answer="the rows of the largest logits at temperature 0"
# says: look along another axis
# - logits.argmax(axis=-1)
# + logits.argmax(axis=0)


# %% check="grade-sampling" answer="an axis that stays at temperature 0"
# says: the shape is (4000, 1), but (batch,) at temperature 0 is (4000,) here
# - logits.argmax(axis=-1)
# + logits.argmax(axis=-1, keepdims=True)


# %% check="grade-sampling" answer="top-p that keeps probabilities of at least p"
# says: nothing may be left
# -         before = np.cumsum(chances, axis=-1) - chances
# -         chances[before >= top_p] = 0.0
# +         chances[chances < top_p] = 0.0


# %% check="grade-sampling" answer="what is kept drawn evenly"
# says: Are they drawn evenly
# - chances[:, top_k:] = 0.0
# + chances[:, :top_k], chances[:, top_k:] = 1.0, 0.0


# %% check="grade-sampling" answer="the shares of the tokens that top_k leaves out"
# says: with the probabilities of other tokens
# - chances[:, top_k:] = 0.0
# + chances[:, :top_k], chances[:, top_k:] = chances[:, -top_k:], 0.0


# %% check="grade-sampling" answer="a comparison that always gives the first rank"
# says: Or is it compared the wrong way round
# - (reached <= dart).sum(axis=-1, keepdims=True)
# + np.argmax(dart > reached, axis=-1)[:, None]


# %% check="grade-sampling" answer="probabilities that are flattened"
# says: as often as the softmax over its row's logits says
# - np.exp(ranked - ranked[:, :1])
# + np.exp(ranked - ranked[:, :1]) ** 0.5


# %% check="grade-sampling" answer="the running sums that lie above counted"
# says: is a comparison the wrong way round
# - (reached <= dart)
# + (reached >= dart)


# %% check="grade-sampling" answer="top_k tokens that are left out"
# says: with top_k=3 the tokens [1] are drawn, not the 3 likeliest, [1, 2, 3]
# - chances[:, top_k:] = 0.0
# + chances[:, -top_k:] = 0.0


# %% check="grade-sampling" answer="ids that are cut and probabilities that are not"
# says: with top_k=2 a token behind the last one is looked up. Are ids and probabilities both cut to the kept ones?
# - chances[:, top_k:] = 0.0
# + order = order[:, :top_k]


# %% check="grade-sampling" answer="sums of what doesn't sum to 1"
# says: 0.5 alone doesn't reach 0.6
# says: Do the probabilities sum to 1 when they are added up?
# -     chances /= chances.sum(axis=-1, keepdims=True)
# +     pass


# %% check="grade-kv-cache" answer="a cache whose softmax overflows"
# notes: large scores become NaN
def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    batch, _, d_model = x.shape
    query, key, value = ((x @ w).reshape(batch, 1, num_heads, -1).transpose(0, 2, 1, 3) for w in (w_query, w_key, w_value))
    if cache is not None:
        key, value = (np.concatenate([old, new], axis=2) for old, new in zip(cache, (key, value)))
    shares = np.exp(query @ key.transpose(0, 1, 3, 2) / np.sqrt(query.shape[-1]))
    merged = (shares / shares.sum(axis=-1, keepdims=True) @ value).transpose(0, 2, 1, 3).reshape(batch, 1, d_model)
    return merged @ w_output, (key, value)


# %% check="grade-kv-cache" answer="a cache without the scale"
# says: not divided by the root of head_dim
# -     scores = query @ keys.transpose(0, 1, 3, 2) / np.sqrt(query.shape[-1])  # (batch, num_heads, 1, past_len + 1)
# +     scores = query @ keys.transpose(0, 1, 3, 2)  # (batch, num_heads, 1, past_len + 1)


# %% check="grade-kv-cache" answer="a cache with the root of d_model"
# says: root of d_model
# - np.sqrt(query.shape[-1])
# + np.sqrt(d_model)


# %% check="grade-kv-cache" answer="a cache the wrong way round"
# says: in front of the old ones
# - [cache[0], keys]
# + [keys, cache[0]]


# %% check="grade-kv-cache" answer="a cache whose keys are changed"
# says: it changed the cache that it was given
# -     if cache is not None:
# +     if cache is not None:
# +         cache[0][:] = cache[0] / 2


# %% check="grade-kv-cache" answer="a cache without the old values"
# says: The keys are right, and so is the first step
# - np.concatenate([cache[1], values], axis=2)
# + np.concatenate([0 * cache[1], values], axis=2)


# %% check="grade-kv-cache" answer="a list of the output and the cache" right=true
_right = cached_attention_step
def cached_attention_step(*arguments):
    return list(_right(*arguments))


# %% check="grade-kv-cache" answer="no case for the first position"
# says: such as a mask or a cache that may be None
# - if cache is not None:
# + if True:


# %% check="grade-kv-cache" answer="a concatenation without a list"
# says: What is joined goes in as one list
# - np.concatenate([cache[0], keys], axis=2)
# + np.concatenate(cache[0], keys)


# %% check="grade-kv-cache" answer="a concatenation with an axis and without a list"
# says: What is joined goes in as one list
# - np.concatenate([cache[0], keys], axis=2)
# + np.concatenate(cache[0], keys, axis=2)


# %% check="grade-kv-cache" answer="a concatenation of tensors without a list"
# says: What is joined goes in as one list
# - np.concatenate([cache[0], keys], axis=2)
# + ops.concatenate(cache[0], keys)


# %% check="grade-kv-cache" answer="a cache whose part is assigned to"
# says: A tuple's parts can't be assigned to
# - keys, values = np.concatenate([cache[0], keys], axis=2)
# + cache[0] = np.concatenate([cache[0], keys], axis=2)
# +         keys, values = cache[0]


# %% check="grade-kv-cache" answer="a cache that is joined along the heads"
# says: Were arrays joined along another axis than that of the positions
# - np.concatenate([cache[0], keys], axis=2)
# + np.concatenate([cache[0], keys], axis=1)


# %% check="grade-kv-cache" answer="a cache that is joined along the batch"
# says: Were arrays joined along another axis than that of the positions
# - np.concatenate([cache[0], keys], axis=2)
# + np.concatenate([cache[0], keys], axis=0)


# %% check="grade-kv-cache" answer="values before keys"
# says: these are the values
# - return merged @ w_output, (keys, values)
# + return merged @ w_output, (values, keys)


# %% check="grade-kv-cache" answer="a look-ahead mask of one row"
# says: without a mask
# - scores = query @ keys.transpose(0, 1, 3, 2) / np.sqrt(query.shape[-1])
# + scores = query @ keys.transpose(0, 1, 3, 2) / np.sqrt(query.shape[-1]) - 1e9 * np.triu(np.ones((1, keys.shape[2])), 1)


# %% check="grade-encoder-only" answer="an output layer that a functional model doesn't call"
# says: A layer itself is handed over where what it gives belongs
def build_encoder_lm(vocab_size, max_len, num_layers, d_model, num_heads, dff, dropout=0.1):
    ids = keras.Input((None,), dtype="int32")
    x = keras.layers.Embedding(vocab_size, d_model)(ids)
    return keras.Model(ids, keras.layers.Dense(vocab_size))


# %% check="grade-encoder-only" answer="an output layer that begins with zeros" right=true
# - keras.layers.Dense(vocab_size)
# + keras.layers.Dense(vocab_size, kernel_initializer="zeros")
