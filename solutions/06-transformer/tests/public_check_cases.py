# %% check="grade-token-embedding" answer="an embedding that drops outside training"
# says: is `training=True` written into the code
# - (self.positions(x), training=training)
# + (self.positions(x), training=True)


# %% check="grade-token-embedding" answer="an embedding made in call"
# says: or is a layer with weights made in `call`?
# - self.embedding(token_ids)
# + keras.layers.Embedding(self.vocab_size, self.d_model)(token_ids)


# %% check="grade-token-embedding" answer="positions added twice"
# says: or they are added twice
# - self.positions(x)
# + self.positions(self.positions(x))


# %% check="grade-token-embedding" answer="sines in one half, cosines in the other"
# says: the sines stand in one half
_scaled = TokenEmbedding
class TokenEmbedding(_scaled):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        table = self.positions.table
        self.positions.table = np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)


# %% check="grade-token-embedding" answer="dropout before the positions"
# says: the dropout comes last
# - self.dropout(self.positions(x), training=training)
# + self.positions(self.dropout(x, training=training))


# %% check="grade-token-embedding" answer="a fixed rate"
# says: dropout 0.0
# - Dropout(dropout)
# + Dropout(0.1)


# %% check="grade-token-embedding" answer="a config without the rate"
# says: The config lacks `dropout`
# - , "dropout": self.rate}
# + }


# %% check="grade-token-embedding" answer="a config with another rate"
# says: a layer made again from its config drops
# - "dropout": self.rate}
# + "dropout": 0.1}


# %% check="grade-token-embedding" answer="an embedding added once more"
# says: or it is added once more
# - return self.dropout(self.positions(x)
# + return self.dropout(x + self.positions(x)


# %% check="grade-token-embedding" answer="an embedding added with the root and without it"
# says: once with the root and once without it
# - self.positions(x)
# + x + self.positions(self.embedding(token_ids))


# %% check="grade-token-embedding" answer="positions of ids"
# says: `PositionalEncoding` is called on ids
# - self.positions(x)
# + x + self.positions(token_ids)


# %% check="grade-token-embedding" answer="fewer words than positions"
# says: a row for each position
# - PositionalEncoding(max_len, d_model)
# + PositionalEncoding(vocab_size, d_model)


# %% check="grade-token-embedding" answer="an embedding dropped twice"
# says: Is something dropped twice?
class TokenEmbedding(TokenEmbedding):
    def call(self, token_ids, training=None):
        return self.dropout(super().call(token_ids, training=training), training=training)


# %% check="grade-token-embedding" answer="half of d_model"
# says: this is d_model / 2
# - self.d_model**0.5
# + self.d_model**1 / 2


# %% check="grade-token-embedding" answer="positions that return their table alone"
# says: Does `PositionalEncoding` return its table alone?
class PositionalEncoding(PositionalEncoding):
    def call(self, inputs):
        return ops.convert_to_tensor(self.table)[: ops.shape(inputs)[1]]


# %% check="grade-token-embedding" answer="a root without its decimals"
# says: and times 3.46 for d_model 12
# - self.d_model**0.5
# + int(self.d_model**0.5)


# %% check="grade-token-embedding" answer="a dropout made in call"
# notes: Make it in `__init__`, and only call it in `call`.
# - self.dropout(self.positions(x), training=training)
# + keras.layers.Dropout(self.rate)(self.positions(x), training=training)


# %% check="grade-continuous-model" answer="a look-ahead mask of fixed length"
# says: a target of 3 vectors fails
# - create_look_ahead_mask(ops.shape(target)[1])
# + create_look_ahead_mask(6)


# %% check="grade-continuous-model" answer="the source in place of the memory"
# says: whatever these weights are
# - x = block(x, memory, self_mask
# + x = block(x, self.positions(source), self_mask


# %% check="grade-continuous-model" answer="post-norm blocks in the lecture's model"
# says: post-norm
# - DecoderBlock(dim, num_heads, ff_dim, dropout)
# + DecoderBlock(dim, num_heads, ff_dim, dropout, norm_first=False)


# %% check="grade-continuous-model" answer="a post-norm encoder in the lecture's model"
# says: with a source 100 000 times as large the outputs are no larger
# - [EncoderBlock(dim, num_heads, ff_dim, dropout)
# + [EncoderBlock(dim, num_heads, ff_dim, dropout, norm_first=False)


# %% check="grade-continuous-model" answer="a softmax at the end"
# says: the Dense at the end must have no activation
# - keras.layers.Dense(dim)
# + keras.layers.Dense(dim, activation="softmax")


# %% check="grade-continuous-model" answer="attention over memory that is causal"
# says: an output doesn't see all of the memory
# - block(x, memory, self_mask=look_ahead_mask)
# + block(x, memory, look_ahead_mask, create_look_ahead_mask(9)[: ops.shape(x)[1], : ops.shape(memory)[1]])


# %% check="grade-continuous-model" answer="a causal encoder of vectors"
# says: Only the decoder is causal
# - memory = block(memory)
# + memory = block(memory, mask=create_look_ahead_mask(ops.shape(source)[1])[None, None])


# %% check="grade-continuous-model" answer="a look-ahead mask over memory"
# says: Does attention over memory get the look-ahead mask?
# - self_mask=look_ahead_mask
# + self_mask=look_ahead_mask, memory_mask=look_ahead_mask


# %% check="grade-continuous-model" answer="positions before each block"
# says: adding the positions once more
# - memory = block(memory)
# + memory = block(self.positions(memory))


# %% check="grade-continuous-model" answer="a residual that is missing"
# says: in the decoder a residual connection (`x + …`) is missing or
class DecoderBlock(DecoderBlock):
    def _residual(self, i, x, sublayer, training):
        return sublayer(self.norms[i](x)) if i == 2 else super()._residual(i, x, sublayer, training)


# %% check="grade-continuous-model" answer="no feed-forward"
# says: In none of the blocks is the feed-forward used.
class EncoderBlock(EncoderBlock):
    def _residual(self, i, x, sublayer, training):
        return x if i == 1 else super()._residual(i, x, sublayer, training)
class DecoderBlock(DecoderBlock):
    def _residual(self, i, x, sublayer, training):
        return x if i == 2 else super()._residual(i, x, sublayer, training)


# %% check="grade-continuous-model" answer="heads as wide as the vectors"
# says: Each head is `dim` wide
class EncoderBlock(EncoderBlock):
    def __init__(self, d_model, num_heads, *args):
        super().__init__(d_model, num_heads, *args)
        self.attention = keras.layers.MultiHeadAttention(num_heads, d_model)
class DecoderBlock(DecoderBlock):
    def __init__(self, d_model, num_heads, *args):
        super().__init__(d_model, num_heads, *args)
        self.self_attention = keras.layers.MultiHeadAttention(num_heads, d_model)
        self.memory_attention = keras.layers.MultiHeadAttention(num_heads, d_model)


# %% check="grade-continuous-model" answer="a ReLU at the end"
# says: the Dense at the end must have no activation
# - keras.layers.Dense(dim)
# + keras.layers.Dense(dim, activation="relu")


# %% check="grade-continuous-model" answer="heads and width swapped"
# says: `num_heads` and `key_dim` have changed places
class EncoderBlock(EncoderBlock):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True):
        super().__init__(d_model, num_heads, ff_dim, dropout, norm_first)
        self.attention = keras.layers.MultiHeadAttention(d_model // num_heads, num_heads)


# %% check="grade-continuous-model" answer="one head as wide as the vectors"
# says: (num_heads, key_dim) is (1, 12), not (4, 3)
class DecoderBlock(DecoderBlock):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True):
        super().__init__(d_model, num_heads, ff_dim, dropout, norm_first)
        self.memory_attention = keras.layers.MultiHeadAttention(1, d_model)


# %% check="grade-continuous-model" answer="an attention layer of other sizes that is never called" right=true
class EncoderBlock(EncoderBlock):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True):
        super().__init__(d_model, num_heads, ff_dim, dropout, norm_first)
        self.tried = keras.layers.MultiHeadAttention(1, d_model)


# %% check="grade-continuous-model" answer="a mask made while the length is open"
# says: (inside a layer's `call`, `keras.ops.shape(x)` gives it;
def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    memory, target = source, x = keras.Input((timesteps, dim)), keras.Input((None, dim))
    for _ in range(num_encoder_blocks):
        memory = EncoderBlock(dim, num_heads, ff_dim, dropout)(memory)
    mask = create_look_ahead_mask(target.shape[1])
    for _ in range(num_decoder_blocks):
        x = DecoderBlock(dim, num_heads, ff_dim, dropout)(x, memory, self_mask=mask)
    return keras.Model([source, target], keras.layers.Dense(dim)(x))


# %% check="grade-continuous-model" answer="a table as long as the source"
# says: a target of 9 vectors fails
# says: such as a table of positions or a mask
_build = build_continuous_transformer
class Places(keras.layers.Layer):
    def __init__(self, length, dim):
        super().__init__()
        self.table = np.zeros((1, length, dim), "float32")

    def call(self, x):
        return x + keras.ops.convert_to_tensor(self.table)[:, : keras.ops.shape(x)[1]]

def build_continuous_transformer(timesteps, dim, *args, **kwargs):
    inner = _build(timesteps, dim, *args, **kwargs)
    source, target = keras.Input((None, dim)), keras.Input((None, dim))
    return keras.Model([source, target], inner([source, Places(timesteps, dim)(target)]))


# %% check="grade-continuous-model" answer="a decoder block for each encoder block"
# says: is it an earlier block's output
# -         memory = self.positions(source)
# +         memory, memories = self.positions(source), []
# -             memory = block(memory)
# +             memory = block(memory)
# +             memories.append(memory)
# - for block in self.decoder:
# + for block, memory in zip(self.decoder, memories):


# %% check="grade-continuous-model" answer="a normalisation after the decoder alone"
# says: after one of the stacks
# -         super().__init__()
# +         super().__init__()
# +         self.norm = keras.layers.LayerNormalization(epsilon=1e-6)
# - self.output_dense(x)
# + self.output_dense(self.norm(x))


# %% check="grade-continuous-model" answer="a model that isn't called"
# notes: the model has no weights yet when you return it
# - model([example, example])  # now it has its weights


# %% check="grade-continuous-model" answer="a class for a model"
# says: Make a model of it, with brackets
# -     return model
# +     return ContinuousTransformer


# %% check="grade-continuous-model" answer="a call that returns nothing"
# says: the model's `call` returned None
# - return self.output_dense(x)
# + self.output_dense(x)


# %% check="grade-continuous-model" answer="target and memory exchanged"
# says: have target and memory changed places in a decoder block?
# says: (InvalidArgumentError:
# - block(x, memory, self_mask
# + block(memory, x, self_mask


# %% check="grade-continuous-model" answer="encoder blocks made in call"
# says: or is a layer with weights made in `call`?
# - for block in self.encoder:
# + for block in [EncoderBlock(12, 4, 64, 0.0) for _ in self.encoder]:


# %% check="grade-continuous-model" answer="blocks of Keras's layers alone" right=true
def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    def attention(x, memory, **options):
        return keras.layers.MultiHeadAttention(num_heads, dim // num_heads)(x, memory, **options)

    def norm(x):
        return keras.layers.LayerNormalization(epsilon=1e-6)(x)

    def drop(x):
        return keras.layers.Dropout(dropout)(x)

    def network(x):
        return keras.layers.Dense(dim)(drop(keras.layers.Dense(ff_dim, activation="relu")(norm(x))))

    source, target = keras.Input((timesteps, dim)), keras.Input((None, dim))
    memory, x = source, target
    for _ in range(num_encoder_blocks):
        h = norm(memory)
        memory = memory + drop(attention(h, h))
        memory = memory + drop(network(memory))
    for _ in range(num_decoder_blocks):
        h = norm(x)
        x = x + drop(attention(h, h, use_causal_mask=True))
        x = x + drop(attention(norm(x), memory))
        x = x + drop(network(x))
    return keras.Model([source, target], keras.layers.Dense(dim)(x))


# %% check="grade-continuous-model" answer="a memory normalised in each block" of="blocks of Keras's layers alone"
# says: or one of the memory in each decoder block?
# - attention(norm(x), memory)
# + attention(norm(x), norm(memory))


# %% check="grade-continuous-model" answer="a block's normalisation for the memory too"
# says: something is normalised after it (post-norm), such as the memory
class DecoderBlock(DecoderBlock):
    def call(self, x, memory, self_mask=None, memory_mask=None, training=None):
        return super().call(x, self.norms[1](memory), self_mask, memory_mask, training)


# %% check="grade-continuous-model" answer="feed-forward networks without their last bias" of="blocks of Keras's layers alone"
# says: or the bias of Dense(dim) in each feed-forward?
# - return keras.layers.Dense(dim)(drop
# + return keras.layers.Dense(dim, use_bias=False)(drop


# %% check="grade-continuous-model" answer="an encoder that adds to the normalised vectors" of="blocks of Keras's layers alone"
# says: or adds to the normalised x
# - memory = memory + drop(attention(h, h))
# + memory = h + drop(attention(h, h))


# %% check="grade-continuous-model" answer="no residual round the encoder's attention" of="blocks of Keras's layers alone"
# says: in the encoder a residual connection (`x + …`) is missing
# - memory = memory + drop(attention(h, h))
# + memory = drop(attention(h, h))


# %% check="grade-continuous-model" answer="a post-norm encoder of Keras's layers" of="blocks of Keras's layers alone"
# says: something is normalised after it (post-norm)
# -         h = norm(memory)
# -         memory = memory + drop(attention(h, h))
# +         memory = norm(memory + drop(attention(memory, memory)))


# %% check="grade-continuous-model" answer="a causal encoder of Keras's layers" of="blocks of Keras's layers alone"
# says: has the encoder a look-ahead mask?
# - memory = memory + drop(attention(h, h))
# + memory = memory + drop(attention(h, h, use_causal_mask=True))


# %% check="grade-continuous-model" answer="networks without a ReLU" of="blocks of Keras's layers alone"
# says: is its ReLU missing
# - , activation="relu"


# %% check="grade-continuous-model" answer="dropout inside the networks alone" of="blocks of Keras's layers alone"
# says: each sublayer's output is dropped before the sum
# -         x = x + drop(attention(h, h, use_causal_mask=True))
# -         x = x + drop(attention(norm(x), memory))
# -         x = x + drop(network(x))
# +         x = x + attention(h, h, use_causal_mask=True)
# +         x = x + attention(norm(x), memory)
# +         x = x + network(x)


# %% check="grade-continuous-model" answer="positions for the target alone"
# says: one input gets positions and the other doesn't
# - memory = self.positions(source)
# + memory = source


# %% check="grade-continuous-model" answer="positions added to a scaled source"
# says: positions added once only, to the vectors as they are?
# - memory = self.positions(source)
# + memory = self.positions(source * 12**0.5)


# %% check="grade-continuous-model" answer="blocks that drop outside training"
# says: is `training=True` written into the code
# - self_mask=look_ahead_mask
# + self_mask=look_ahead_mask, training=True


# %% check="grade-continuous-model" answer="blocks that drop never"
# says: do `dropout` and `training` reach the blocks?
# - memory = block(memory)
# + memory = block(memory, training=False)
# - self_mask=look_ahead_mask
# + self_mask=look_ahead_mask, training=False


# %% check="grade-continuous-model" answer="decoder blocks without the rate"
# says: does `dropout` reach the decoder blocks?
# - DecoderBlock(dim, num_heads, ff_dim, dropout)
# + DecoderBlock(dim, num_heads, ff_dim)


# %% check="grade-continuous-model" answer="an output made in call"
# says: or is a layer with weights made in `call`?
# - self.output_dense(x)
# + keras.layers.Dense(self.output_dense.units)(x)


# %% check="grade-continuous-model" answer="an encoder that nothing comes of" of="blocks of Keras's layers alone"
# says: do the decoder blocks get what they give as memory?
# - attention(norm(x), memory)
# + attention(norm(x), source)


# %% check="grade-continuous-model" answer="decoder blocks side by side" of="blocks of Keras's layers alone"
# says: or the second doesn't get what the first one gave
# -         h = norm(x)
# -         x = x + drop(attention(h, h, use_causal_mask=True))
# +         h = norm(target)
# +         x = target + drop(attention(h, h, use_causal_mask=True))


# %% check="grade-continuous-model" answer="a decoder that adds to the normalised vectors" of="blocks of Keras's layers alone"
# says: in the decoder a residual connection (`x + …`) is missing or adds to the normalised x
# - x = x + drop(attention(h, h, use_causal_mask=True))
# + x = h + drop(attention(h, h, use_causal_mask=True))

# %% check="grade-token-model" answer="a softmax behind tied logits"
# says: tied: the outputs add up to 1
# - return ops.matmul(x, ops.transpose(
# + return ops.softmax(x @ ops.transpose(


# %% check="grade-token-model" answer="a softmax behind the logits of the whole model"
# says: add up to 1: leave the softmax out
# - return self.output_dense(x)
# + return ops.softmax(self.output_dense(x))


# %% check="grade-token-model" answer="norm_first that doesn't reach the blocks"
# says: does `norm_first` reach the blocks
# - block = (d_model, num_heads, ff_dim, dropout, norm_first)
# + block = (d_model, num_heads, ff_dim, dropout)


# %% check="grade-token-model" answer="attention over memory that is causal and hides padding"
# says: if attention over memory has a look-ahead mask
# - memory_mask=source_mask)
# + memory_mask=ops.maximum(source_mask, create_look_ahead_mask(9)[: ops.shape(x)[1], : ops.shape(memory)[1]]))


# %% check="grade-token-model" answer="logits times a number"
# says: are the logits multiplied by a number too many?
# -             return self.output_dense(x)
# +             return self.output_dense(x) * 8**0.5


# %% check="grade-token-model" answer="a causal encoder"
# says: padding alone, not the future
# - memory = block(memory, mask=source_mask)
# + memory = block(memory, mask=create_decoder_mask(source_ids))


# %% check="grade-token-model" answer="an encoder that stays pre-norm"
# says: does `norm_first` reach the encoder's blocks
# - self.encoder = [EncoderBlock(*block)
# + self.encoder = [EncoderBlock(*block[:4])


# %% check="grade-token-model" answer="tied with pre-norm blocks only"
# says: tie_weights=True and norm_first=False
# - block = (d_model
# + tie_weights = tie_weights and norm_first; block = (d_model


# %% check="grade-token-model" answer="blocks with their own rate"
# says: dropout 0.0
# - block = (d_model, num_heads, ff_dim, dropout, norm_first)
# + block = (d_model, num_heads, ff_dim, 0.1, norm_first)


# %% check="grade-token-model" answer="tied logits divided by the root"
# says: a factor too many
# - self.embed_target.embedding.embeddings)))
# + self.embed_target.embedding.embeddings))) / 8**0.5


# %% check="grade-token-model" answer="logits beside the memory"
# says: the logits alone
# -             return self.output_dense(x)
# +             return self.output_dense(x), memory


# %% check="grade-token-model" answer="one decoder block twice"
# says: it should have 3043 (3032 without a bias at the output). There is only one decoder block
# - [DecoderBlock(*block) for _ in range(num_layers)]
# + [DecoderBlock(*block)] * num_layers


# %% check="grade-token-model" answer="one encoder block twice"
# says: only one encoder block
# - [EncoderBlock(*block) for _ in range(num_layers)]
# + [EncoderBlock(*block)] * num_layers


# %% check="grade-token-model" answer="the encoder's normalisation inside the loop"
# says: in the encoder a block gets something else
# -         if self.encoder_norm is not None:
# -             memory = self.encoder_norm(memory)
# +             memory = memory if self.encoder_norm is None else self.encoder_norm(memory)


# %% check="grade-token-model" answer="the decoder's normalisation inside the loop"
# says: in the decoder a block gets something else
# -         if self.decoder_norm is not None:
# -             x = self.decoder_norm(x)
# +             x = x if self.decoder_norm is None else self.decoder_norm(x)


# %% check="grade-token-model" answer="a second root"
# says: such as a second root
# - memory = self.embed_source(source_ids)
# + memory = self.embed_source(source_ids) * 8**0.5


# %% check="grade-token-model" answer="an encoder without a mask"
# says: the encoder's output changes already
# - block(memory, mask=source_mask)
# + block(memory)


# %% check="grade-token-model" answer="attention over memory without a mask"
# says: so look at the attention over memory
# - , memory_mask=source_mask


# %% check="grade-token-model" answer="heads as wide as the model"
# says: Each head is `d_model` wide
class EncoderBlock(EncoderBlock):
    def __init__(self, d_model, num_heads, *args):
        super().__init__(d_model, num_heads, *args)
        self.attention = keras.layers.MultiHeadAttention(num_heads, d_model)
class DecoderBlock(DecoderBlock):
    def __init__(self, d_model, num_heads, *args):
        super().__init__(d_model, num_heads, *args)
        self.self_attention = keras.layers.MultiHeadAttention(num_heads, d_model)
        self.memory_attention = keras.layers.MultiHeadAttention(num_heads, d_model)


# %% check="grade-token-model" answer="embeddings that drop nothing"
# says: not the embeddings
# - self.embed_source = TokenEmbedding(vocab_size, d_model, max_len, dropout)
# + self.embed_source = TokenEmbedding(vocab_size, d_model, max_len, 0.0)
# - self.embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
# + self.embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, 0.0)


# %% check="grade-token-model" answer="a padding mask turned over"
# says: another first token of the source, and the logits are the same
# - source_mask, target_mask = create_padding_mask(source_ids), create_decoder_mask(target_ids)
# + source_mask, target_mask = 1 - create_padding_mask(source_ids), create_decoder_mask(target_ids)


# %% check="grade-token-model" answer="training by position"
# says: take arrays by position and everything else by its name
# - memory = block(memory, mask=source_mask)
# + memory = block(memory, source_mask, False)


# %% check="grade-token-model" answer="the encoder's normalisation in front of its blocks"
# says: stand in front of the blocks?
# -         for block in self.encoder:
# -             memory = block(memory, mask=source_mask)
# -         if self.encoder_norm is not None:
# -             memory = self.encoder_norm(memory)
# +         if self.encoder_norm is not None:
# +             memory = self.encoder_norm(memory)
# +         for block in self.encoder:
# +             memory = block(memory, mask=source_mask)


# %% check="grade-token-model" answer="a decoder block for each encoder block, with norm_first=False"
# says: with norm_first=False a decoder block's memory isn't what the last
# -         memory = self.embed_source(source_ids)
# +         memory, memories = self.embed_source(source_ids), []
# -             memory = block(memory, mask=source_mask)
# +             memory = block(memory, mask=source_mask)
# +             memories.append(memory)
# -             memory = self.encoder_norm(memory)
# +             memories = [self.encoder_norm(memory)] * len(memories)
# - for block in self.decoder:
# + for block, memory in zip(self.decoder, memories):


# %% check="grade-token-model" answer="one head as wide as the model"
# says: (num_heads, key_dim) is (1, 8), not (2, 4)
# - block = (d_model, num_heads
# + block = (d_model, 1


# %% check="grade-token-model" answer="the decoder's normalisation in front of its blocks"
# says: or is the stack's normalisation done here
# -         for block in self.decoder:
# +         x = x if self.decoder_norm is None else self.decoder_norm(x)
# +         for block in self.decoder:
# -         if self.decoder_norm is not None:
# -             x = self.decoder_norm(x)
# +


# %% check="grade-token-model" answer="a last normalisation in a post-norm decoder alone"
# says: it should have 3011 (3000 without a bias at the output)
# - self.decoder_norm = keras.layers.LayerNormalization(epsilon=1e-6) if norm_first else None
# + self.decoder_norm = keras.layers.LayerNormalization(epsilon=1e-6)


# %% check="grade-token-model" answer="no look-ahead mask"
# says: an output moves when a later target token changes
# - create_decoder_mask(target_ids)
# + create_padding_mask(target_ids)


# %% check="grade-token-model" answer="what comes out moved on by one position"
# says: an output doesn't move with the target token at its own position
# -         if self.output_dense is not None:
# +         x = ops.pad(x[:, :-1], [[0, 0], [1, 0], [0, 0]])
# +         if self.output_dense is not None:


# %% check="grade-token-model" answer="an embedding of the target without the root"
# says: the embedding, and nothing else, multiplied by √d_model
# - x = self.embed_target(target_ids)
# + x = self.embed_target.positions(self.embed_target.embedding(target_ids))


# %% check="grade-token-model" answer="blocks that drop nothing"
# says: not the blocks: does `dropout` reach
# - block = (d_model, num_heads, ff_dim, dropout, norm_first)
# + block = (d_model, num_heads, ff_dim, 0.0, norm_first)


# %% check="grade-token-model" answer="a target without positions"
# says: are there positions in the target's embeddings?
# - x = self.embed_target(target_ids)
# + x = self.embed_target.embedding(target_ids) * 8**0.5


# %% check="grade-token-model" answer="a model that isn't called"
# notes: the model has no weights yet when you return it
# - model([example, example])  # now it has its weights


# %% check="grade-token-model" answer="one normalisation in each encoder block"
# says: one in each encoder block or in each decoder block (or one serves twice)
class EncoderBlock(EncoderBlock):
    def __init__(self, *args):
        super().__init__(*args)
        self.norms = self.norms[:1] * 2


# %% check="grade-token-model" answer="a memory normalised in each block"
# says: or one of the memory in each decoder block?
class DecoderBlock(DecoderBlock):
    def __init__(self, *args):
        super().__init__(*args)
        self.of_memory = keras.layers.LayerNormalization(epsilon=1e-6)

    def call(self, x, memory, self_mask=None, memory_mask=None, training=None):
        return super().call(x, self.of_memory(memory), self_mask, memory_mask, training)


# %% check="grade-token-model" answer="target and memory exchanged"
# says: or two sequences, have they changed places?
# - block(x, memory, self_mask
# + block(memory, x, self_mask


# %% check="grade-token-model" answer="networks without a ReLU"
# says: is its ReLU missing
class EncoderBlock(EncoderBlock):
    def __init__(self, *args):
        super().__init__(*args)
        self.feed_forward.layers[0].activation = keras.activations.linear


# %% check="grade-token-model" answer="a causal encoder of one's own"
# says: its mask hides padding alone, not the future
_of_keras = EncoderBlock
class OwnEncoder(_of_keras):
    def call(self, x, mask=None, training=None):
        return super().call(x, ops.maximum(mask, create_look_ahead_mask(ops.shape(x)[1])), training)
def EncoderBlock(*args):
    return OwnEncoder(*args)


# %% check="grade-token-model" answer="a stack's normalisation inside the loop over blocks of one's own"
# says: does a stack's normalisation stand inside the loop over its blocks
_own_block, _in_order = EncoderBlock, Transformer
def EncoderBlock(*args):
    return _own_block(*args)
class Transformer(_in_order):
    def __init__(self, *args):
        super().__init__(*args)
        if self.encoder_norm is not None:
            self.blocks, self.last_norm, self.encoder_norm = self.encoder, self.encoder_norm, None
            self.encoder = [lambda x, mask, block=block: self.last_norm(block(x, mask=mask)) for block in self.blocks]


# %% check="grade-token-model" answer="embeddings that drop outside training"
# says: is `training=True` written into the code
# - self.embed_source(source_ids)
# + self.embed_source(source_ids, training=True)


# %% check="grade-token-model" answer="an output that is always tied"
# says: and the output is a layer with a kernel of its own
# - self.output_dense = None if tie_weights else keras.layers.Dense(vocab_size)
# + self.output_dense = None


# %% check="grade-token-model" answer="an output made in call"
# says: or is a layer with weights made in `call`?
# - return self.output_dense(x)
# + return keras.layers.Dense(self.output_dense.units)(x)


# %% check="grade-token-model" answer="tied logits that aren't multiplied"
# says: the shape is (2, 5, 8), but with tie_weights=True: (batch, target_len, vocab_size) is (2, 5, 11)
# - return ops.matmul(x, ops.transpose(ops.convert_to_tensor(self.embed_target.embedding.embeddings)))
# + return x


# %% check="grade-token-model" answer="blocks that are always post-norm"
# says: with norm_first=True and embeddings 100 000 times as large
# - block = (d_model, num_heads, ff_dim, dropout, norm_first)
# + block = (d_model, num_heads, ff_dim, dropout, False)


# %% check="grade-token-model" answer="blocks that drop never"
# says: do `dropout` and `training` reach the embeddings and the blocks?
# - model = Transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout,
# + model = Transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, 0.0,


# %% check="grade-model-parameters" answer="the networks' biases not counted"
# says: The biases of the feed-forward networks
_right = transformer_parameter_count
def transformer_parameter_count(*args, **kwargs):
    return _right(*args, **kwargs) - 80


# %% check="grade-model-parameters" answer="networks whose last bias isn't counted"
# says: or the bias of Dense(d_model) in each feed-forward
# - (ff_dim * d_model + d_model)
# + ff_dim * d_model


# %% check="grade-model-parameters" answer="an output without its kernel"
# says: One of the three matrices of the vocabulary's size is missing
# - 3 * table + vocab_size
# + 2 * table + vocab_size


# %% check="grade-model-parameters" answer="normalisations of one vector"
# says: does each normalisation have γ *and* β
# - norm = 2 * d_model
# + norm = d_model


# %% check="grade-model-parameters" answer="two matrices though they are tied"
# says: two matrices of the vocabulary's size
# - table if tie_weights
# + 2 * table if tie_weights


# %% check="grade-model-parameters" answer="a count that is never tied"
# says: is `tie_weights` used?
# - table if tie_weights else 3 * table + vocab_size
# + 3 * table + vocab_size


# %% check="grade-model-parameters" answer="a count with a half"
# says: whole number
# - + 2 * norm + vocabulary
# + + 2 * norm + vocabulary + 0.5


# %% check="grade-model-parameters" answer="a count beside a model that isn't written"
# notes: The model of task 3 (untied) can't be built yet, so
# notes: The model of task 3 (tied) can't be built yet, so
def build_transformer(*args, **kwargs):
    raise NotImplementedError


# %% check="grade-model-parameters" answer="a count beside a model that has too few"
# notes: Your own model (untied) has 1643 parameters, not 1675 or 1664
# notes: Your own model (tied) has 1456 parameters, not 1488 or 1499
_build = build_transformer
def build_transformer(*args, **kwargs):
    return _build(*args, **kwargs, norm_first=False)


# %% check="grade-model-parameters" answer="a bias that the model has and the count hasn't"
# says: count its output's bias as it is
# - 3 * table + vocab_size
# + 3 * table


# %% check="grade-model-parameters" answer="a count without an output"
# says: There is no output layer
# - 3 * table + vocab_size
# + 2 * table


# %% check="grade-model-parameters" answer="no biases but the output's"
# says: The biases of attention and of the feed-forward networks are missing
_right = transformer_parameter_count
def transformer_parameter_count(*args, **kwargs):
    return _right(*args, **kwargs) - 272


# %% check="grade-model-parameters" answer="the stacks' normalisations counted for each layer"
# says: Those after the stacks are there once, not once for each layer
# - (encoder_block + decoder_block) + 2 * norm
# + (encoder_block + decoder_block + 2 * norm)


# %% check="grade-model-parameters" answer="a count with a comma behind it"
# says: Does the `return` line hold a comma?
# - + 2 * norm + vocabulary
# + + 2 * norm + vocabulary,


# %% check="grade-model-parameters" answer="one normalisation in each encoder block"
# says: one in each encoder block or in each decoder block
# - feed_forward + 2 * norm
# + feed_forward + norm


# %% check="grade-model-parameters" answer="a count beside a model that isn't called" right=true
def build_transformer(*args, dropout=0.1, norm_first=True, tie_weights=False):
    return Transformer(*args, dropout, norm_first, tie_weights)


# %% check="grade-model-parameters" answer="a condition turned round"
# says: is the condition turned round?
# - if tie_weights else
# + if not tie_weights else


# %% check="grade-model-parameters" answer="encoder blocks not multiplied"
# says: are both kinds of blocks multiplied by num_layers?
# - num_layers * (encoder_block + decoder_block)
# + encoder_block + num_layers * decoder_block


# %% check="grade-model-parameters" answer="three kernels in each attention"
# says: as much as a kernel and a bias too few in each attention
# - attention = 4 *
# + attention = 3 *


# %% check="grade-model-parameters" answer="a comma in the tied count alone"
# says: with tie_weights=True the count isn't a whole number
# says: Does the `return` line hold a comma?
# - + 2 * norm + vocabulary
# + + 2 * norm + vocabulary if not tie_weights else (table,)


# %% check="grade-model-parameters" answer="the networks' biases as wide as the model"
# says: a bias counted with the width of the other
# - d_model * ff_dim + ff_dim)
# + d_model * ff_dim + d_model)


# %% check="grade-model-parameters" answer="three biases in each attention"
# says: or one bias in each attention
# - attention = 4 * (d_model * d_model + d_model)
# + attention = 4 * d_model * d_model + 3 * d_model


# %% check="grade-model-parameters" answer="blocks not multiplied"
# says: are both kinds of blocks multiplied by num_layers?
# - num_layers * (encoder_block + decoder_block)
# + encoder_block + decoder_block
