# %% mistake="embedding-concatenated" task="token-embedding" misses="embedding-builds" of="plain"
# The positions are added to the embedding, feature by feature, not put beside it: the width stays d_model.
# ko: 위치는 임베딩 옆에 붙이는 것이 아니라 특징마다 더합니다. 너비는 d_model 그대로입니다.
# - self.positions(x)
# + ops.concatenate([x, self.positions(0 * x)], axis=-1)


# %% mistake="embedding-unscaled" task="token-embedding" misses="embedding-scale" of="plain"
# The embedding isn't multiplied by the square root of d_model (section 3.4 of the paper).
# ko: 임베딩에 d_model의 제곱근을 곱하지 않았습니다(논문 3.4절).
# -         x = x * self.d_model**0.5


# %% mistake="embedding-scaled-by-d-model" task="token-embedding" misses="embedding-scale" of="plain"
# The embedding is multiplied by d_model; the factor is its square root.
# ko: 임베딩에 d_model을 곱했습니다. 곱할 것은 그 제곱근입니다.
# - self.d_model**0.5
# + self.d_model


# %% mistake="embedding-divided" task="token-embedding" misses="embedding-scale" of="plain"
# The embedding is divided by the square root of d_model. Dividing is for attention scores; here you multiply.
# ko: 임베딩을 d_model의 제곱근으로 나누었습니다. 나누는 것은 어텐션 점수이고, 여기서는 곱합니다.
# - x * self.d_model**0.5
# + x / self.d_model**0.5


# %% mistake="embedding-scaled-afterwards" task="token-embedding" misses="embedding-positions" of="plain"
# The positions are multiplied as well: multiply the embedding first, then add the positions.
# ko: 위치에도 곱했습니다. 먼저 임베딩에 곱하고 그다음에 위치를 더하세요.
# -         x = self.embedding(token_ids)
# +         x = self.embedding(token_ids)
# +         x = self.positions(x)
# -         x = self.positions(x)


# %% mistake="embedding-without-positions" task="token-embedding" misses="embedding-positions" of="plain"
# No positions are added: the same token gets the same vector everywhere, and attention can't tell order.
# ko: 위치를 더하지 않았습니다. 같은 토큰이 어디서나 같은 벡터가 되어 어텐션이 순서를 알 수 없습니다.
# -         x = self.positions(x)


# %% mistake="embedding-positions-from-1" task="token-embedding" misses="embedding-positions" of="plain"
# The positions begin at 1. The first token gets row 0 of the table.
# ko: 위치가 1에서 시작합니다. 첫 토큰은 표의 0번 행을 받습니다.
# - PositionalEncoding(max_len, d_model)
# + PositionalEncoding(max_len + 1, d_model)
# - self.positions(x)
# + x + self.positions(ops.pad(0 * x, [[0, 0], [1, 0], [0, 0]]))[:, 1:]


# %% mistake="embedding-positions-in-halves" task="token-embedding" misses="embedding-positions" of="plain"
# All sines stand in the first half of the features and all cosines in the second. In this course, as in the paper, they alternate: sine in
# the even columns, cosine in the odd ones.
# ko: 특징의 앞 절반에 사인, 뒤 절반에 코사인을 모았습니다. 이 과정에서는 논문처럼 번갈아 놓습니다. 짝수 열이 사인, 홀수 열이 코사인입니다.
# -         x = self.positions(x)
# +         angles = np.arange(self.max_len)[:, None] / 10000 ** (np.arange(0, self.d_model, 2) / self.d_model)
# +         table = np.concatenate([np.sin(angles), np.cos(angles)], axis=-1).astype('float32')
# +         x = x + ops.convert_to_tensor(table)[: ops.shape(x)[1]]


# %% mistake="embedding-positions-not-cut" task="token-embedding" misses="embedding-positions" of="plain"
# The whole table of max_len rows is added: a shorter sequence needs the first seq_len rows only.
# ko: max_len개 행인 표 전체를 더했습니다. 짧은 시퀀스에는 앞쪽 seq_len개 행만 더하세요.
# - self.positions(x)
# + x + self.positions(ops.zeros((1, self.max_len, self.d_model)))


# %% mistake="embedding-positions-for-each-word" task="token-embedding" misses="embedding-positions" of="plain"
# The table of positions has vocab_size rows: it needs one for each position, max_len, however many words there are.
# ko: 위치의 표가 vocab_size행입니다. 단어가 몇 개든 위치마다 한 행, 곧 max_len행이 있어야 합니다.
# - self.positions = PositionalEncoding(max_len, d_model)
# + self.positions = PositionalEncoding(vocab_size, d_model)


# %% mistake="embedding-learned-positions" task="token-embedding" misses="embedding-table embedding-positions" of="plain"
# The positions are learned here, a second table of weights. Asked for are the sinusoidal ones, which have none.
# ko: 위치를 학습하는 둘째 가중치 표로 만들었습니다. 여기서 쓸 것은 사인과 코사인의 위치 인코딩이고, 거기에는 가중치가 없습니다.
# - PositionalEncoding(max_len, d_model)
# + keras.layers.Embedding(max_len, d_model)
# - self.positions(x)
# + x + self.positions(ops.arange(ops.shape(token_ids)[1]))


# %% mistake="embedding-frozen-table" task="token-embedding" misses="embedding-table" of="plain"
# The table isn't trainable: then no token ever learns what it means.
# ko: 표가 학습되지 않습니다. 그러면 어느 토큰도 자기 뜻을 배우지 못합니다.
# - keras.layers.Embedding(vocab_size, d_model)
# + keras.layers.Embedding(vocab_size, d_model, trainable=False)


# %% mistake="embedding-no-dropout" task="token-embedding" misses="embedding-dropout" of="plain"
# The sum isn't dropped in training (section 5.4 of the paper).
# ko: 학습 때 합에 드롭아웃이 일어나지 않습니다(논문 5.4절).
# - self.dropout(x, training=training)
# + x


# %% mistake="embedding-dropout-always" task="token-embedding" misses="embedding-dropout" of="plain"
# It drops outside training too. Let Keras pass `training` on, or pass on what `call` gets.
# ko: 학습 때가 아닌데도 드롭아웃이 일어납니다. `training`은 케라스가 전하게 두거나, `call`이 받은 것을 그대로 전하세요.
# - training=training
# + training=True


# %% mistake="embedding-dropout-before-positions" task="token-embedding" misses="embedding-dropout" of="plain"
# Dropout comes before the positions are added, or sets nothing to 0. It belongs on the sum of both.
# ko: 위치를 더하기 전에 드롭아웃을 했거나, 0이 되는 것이 없습니다. 드롭아웃은 둘의 합에 합니다.
# -         x = self.positions(x)
# -         return self.dropout(x, training=training)
# +         return self.positions(self.dropout(x, training=training))


# %% mistake="embedding-rate-0-ignored" task="token-embedding" misses="embedding-dropout" of="plain"
# A rate of 0 becomes the default: `dropout or 0.1` takes 0.0 for nothing. Use the rate as it comes.
# ko: 비율이 0이면 기본값이 됩니다. `dropout or 0.1`은 0.0을 없는 값으로 봅니다. 받은 비율을 그대로 쓰세요.
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(dropout or 0.1)


# %% mistake="embedding-64-rows" task="token-embedding" misses="embedding-positions" of="plain"
# The table of positions has 64 rows whatever `max_len` is. Longer sequences need as many rows as `max_len` says.
# ko: `max_len`과 상관없이 위치의 표가 64행입니다. 더 긴 시퀀스에는 `max_len`만큼의 행이 필요합니다.
# - PositionalEncoding(max_len, d_model)
# + PositionalEncoding(64, d_model)


# %% mistake="embedding-share-that-stays" task="token-embedding" misses="embedding-dropout" of="plain"
# `dropout` is the share that is dropped, not the share that stays.
# ko: `dropout`은 남기는 비율이 아니라 버리는 비율입니다.
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(1 - dropout)


# %% mistake="embedding-dropout-fixed" task="token-embedding" misses="embedding-dropout" of="plain"
# The rate is 0.1 whatever is asked for: use the argument `dropout`.
# ko: 무엇을 받든 비율이 0.1입니다. 인수 `dropout`을 쓰세요.
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(0.1)


# %% mistake="embedding-config-without-dropout" task="token-embedding" misses="embedding-config" of="plain"
# get_config leaves the dropout rate out, so a copy has the default rate.
# ko: get_config에 드롭아웃 비율이 빠져 있어 복사본이 기본 비율을 씁니다.
# - config.update(vocab_size=self.vocab_size, d_model=self.d_model, max_len=self.max_len, dropout=self.rate)
# + config.update(vocab_size=self.vocab_size, d_model=self.d_model, max_len=self.max_len)


# %% mistake="embedding-config-other-max-len" task="token-embedding" misses="embedding-config" of="plain"
# get_config gives a max_len that isn't the layer's own.
# ko: get_config의 max_len이 그 계층의 max_len이 아닙니다.
# - max_len=self.max_len
# + max_len=512


# %% mistake="embedding-config-empty" task="token-embedding" misses="embedding-config" of="plain"
# get_config must hold every argument of __init__ under its own name.
# ko: get_config에는 __init__의 모든 인수가 제 이름으로 들어 있어야 합니다.
# -         config.update(vocab_size=self.vocab_size, d_model=self.d_model, max_len=self.max_len, dropout=self.rate)


# %% mistake="embedding-dropout-in-one-piece" task="token-embedding" misses="embedding-dropout" of="plain"
# Several entries are dropped at once, for example a feature of a whole sequence. Dropout draws each entry by itself.
# ko: 시퀀스의 특징 하나처럼 여러 원소를 한꺼번에 0으로 만듭니다. 드롭아웃은 원소마다 따로 뽑습니다.
# - keras.layers.Dropout
# + keras.layers.SpatialDropout1D


# %% mistake="embedding-positions-of-words" task="token-embedding" misses="embedding-scale" of="plain"
# Positions are counted without the padding. They count every token.
# ko: 패딩을 빼고 위치를 셉니다. 위치는 모든 토큰을 셉니다.
# -         x = self.positions(x)
# +         table = self.positions(ops.zeros((1, self.max_len, self.d_model)))[0]
# +         at = ops.cumsum(ops.cast(ops.not_equal(token_ids, 0), "int32"), axis=1) - 1
# +         x = x + ops.take(table, ops.maximum(at, 0), axis=0)


# %% mistake="embedding-dropout-same-each-time" task="token-embedding" misses="embedding-dropout" of="plain"
# With a fixed seed every call drops the same entries.
# ko: 시드를 고정하면 호출마다 같은 원소가 0이 됩니다.
# - self.dropout(x, training=training)
# + keras.random.dropout(x, self.rate, seed=1) if training else x


# %% mistake="embedding-other-default-rate" task="token-embedding" misses="embedding-dropout" of="plain"
# The default of `dropout` is another than 0.1.
# ko: `dropout`의 기본값이 0.1이 아닙니다.
# - def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
# + def __init__(self, vocab_size, d_model, max_len, dropout=0.0, **kwargs):


# %% mistake="continuous-nothing-returned" task="continuous-model" misses="continuous-builds" of="plain"
# The function must return the keras.Model.
# ko: 함수가 keras.Model을 돌려주어야 합니다.
# - return keras.Model([source, target], output)
# + model = keras.Model([source, target], output)


# %% mistake="continuous-64-rows" task="continuous-model" misses="continuous-lengths" of="plain"
# The table of positions has 64 rows, so that longer targets fail. Targets may have any length.
# ko: 위치의 표가 64행뿐이어서 더 긴 타깃에서 실패합니다. 타깃의 길이는 얼마든지 될 수 있습니다.
# - PositionalEncoding(256, dim)
# + PositionalEncoding(64, dim)


# %% mistake="continuous-zeros-hidden" task="continuous-model" misses="continuous-values" of="plain"
# Steps of the source that are all zeros are hidden as if they were padding. Here nothing is padding.
# ko: 모두 0인 소스의 자리를 패딩처럼 가렸습니다. 여기에는 패딩이 없습니다.
# -     x = positions(source)
# +     hidden = keras.layers.Lambda(lambda s: ops.cast(ops.all(ops.equal(s, 0), axis=-1), "float32")[:, None, None])(source)
# +     x = positions(source)
# - EncoderBlock(dim, num_heads, ff_dim, dropout)(x)
# + EncoderBlock(dim, num_heads, ff_dim, dropout)(x, mask=hidden)


# %% mistake="continuous-fixed-length" task="continuous-model" misses="continuous-lengths" of="plain"
# The target's length is fixed to `timesteps`. Give its Input the length None.
# ko: 타깃의 길이가 `timesteps`로 고정되어 있습니다. Input의 길이를 None으로 두세요.
# - (None, dim)
# + (timesteps, dim)


# %% mistake="continuous-decoder-without-feed-forward" task="continuous-model" misses="continuous-count" of="lectures-functions"
# The decoder's feed-forward isn't part of the output: the block returns what went into it, as the lecture's does (7316 parameters instead
# of 10588). Add the feed-forward's result to the residual and return that.
# ko: 디코더의 피드포워드 신경망이 출력에 들어 있지 않습니다. 강의의 것처럼 블록이 거기에 들어간 값을 그대로 돌려줍니다(파라미터 10588개가 아니라 7316개). 피드포워드의 결과를 잔차에
# ko: 더해 돌려주세요.
# -     res = residual(res, y, dropout)
# -     y = feed_forward(normed(res), ff_dim, x.shape[-1])
# -     return residual(res, y, dropout)
# +     res = residual(res, y, dropout)
# +     y = feed_forward(normed(res), ff_dim, x.shape[-1])
# +     return res


# %% mistake="continuous-last-norms" task="continuous-model" misses="continuous-count" of="plain"
# There is a normalisation after each stack. The token model has them; the lecture's model hasn't.
# ko: 스택마다 뒤에 정규화가 있습니다. 토큰 모델에는 있지만 강의의 모델에는 없습니다.
# - memory = x
# + memory = keras.layers.LayerNormalization()(x)
# - keras.layers.Dense(dim)(x)
# + keras.layers.Dense(dim)(keras.layers.LayerNormalization()(x))


# %% mistake="continuous-last-norm" task="continuous-model" misses="continuous-count" of="plain"
# There is a normalisation after one of the stacks. The lecture's model has none.
# ko: 한 스택 뒤에 정규화가 있습니다. 강의의 모델에는 없습니다.
# - keras.layers.Dense(dim)(x)
# + keras.layers.Dense(dim)(keras.layers.LayerNormalization()(x))


# %% mistake="continuous-without-output" task="continuous-model" misses="continuous-count" of="plain"
# The Dense(dim) after the last decoder block is missing.
# ko: 마지막 디코더 블록 뒤의 Dense(dim)가 빠졌습니다.
# - keras.layers.Dense(dim)(x)
# + x


# %% mistake="continuous-one-block-for-all" task="continuous-model" misses="continuous-count" of="plain"
# One block is called several times. Each block needs weights of its own: make it inside the loop.
# ko: 블록 하나를 여러 번 호출했습니다. 블록마다 자기 가중치가 있어야 합니다. 반복문 안에서 만드세요.
# -     after_blocks = [x]
# +     after_blocks = [x]
# +     encoder_block = EncoderBlock(dim, num_heads, ff_dim, dropout)
# - EncoderBlock(dim, num_heads, ff_dim, dropout)
# + encoder_block


# %% mistake="continuous-memory-of-the-first-block" task="continuous-model" misses="continuous-count" of="plain"
# The decoder looks at the output of the first encoder block. The memory is the output of the last one.
# ko: 디코더가 첫 인코더 블록의 출력을 봅니다. 메모리는 마지막 블록의 출력입니다.
# - memory = x
# + memory = after_blocks[1]


# %% mistake="continuous-blocks-exchanged" task="continuous-model" misses="continuous-count" of="plain"
# The numbers of encoder and decoder blocks have changed places.
# ko: 인코더 블록의 수와 디코더 블록의 수가 서로 바뀌었습니다.
# - for _ in range(num_encoder_blocks):
# + for i in range(num_decoder_blocks):
# - for _ in range(num_decoder_blocks):
# + for j in range(num_encoder_blocks):


# %% mistake="continuous-encoder-bypassed" task="continuous-model" misses="continuous-count" of="plain"
# The decoder looks at the source itself. The memory is the output of the last encoder block.
# ko: 디코더가 소스 자체를 봅니다. 메모리는 마지막 인코더 블록의 출력입니다.
# - memory = x
# + memory = after_blocks[0]


# %% mistake="continuous-ff-dim-ignored" task="continuous-model" misses="continuous-count" of="plain"
# The feed-forward is 4 * dim wide inside, whatever ff_dim says.
# ko: ff_dim이 무엇이든 피드포워드 신경망의 안쪽 너비가 4 * dim입니다.
# - EncoderBlock(dim, num_heads, ff_dim, dropout)
# + EncoderBlock(dim, num_heads, 4 * dim, dropout)
# - DecoderBlock(dim, num_heads, ff_dim, dropout)
# + DecoderBlock(dim, num_heads, 4 * dim, dropout)


# %% mistake="continuous-wide-heads" task="continuous-model" misses="continuous-count" of="lectures-functions"
# Each head is as wide as the whole model: key_dim is the width of one head, dim // num_heads.
# ko: 헤드 하나가 모델 전체만큼 넓습니다. key_dim은 헤드 하나의 너비, 곧 dim // num_heads입니다.
# - encoder(x, num_heads, dim // num_heads, ff_dim, dropout)
# + encoder(x, num_heads, dim, ff_dim, dropout)
# - decoder(x, memory, num_heads, dim // num_heads, ff_dim, dropout)
# + decoder(x, memory, num_heads, dim, ff_dim, dropout)


# %% mistake="continuous-look-ahead-missing" task="continuous-model" misses="continuous-causal" of="plain"
# The decoder's self-attention gets no look-ahead mask.
# ko: 디코더의 셀프 어텐션에 룩어헤드 마스크를 전하지 않았습니다.
# - DecoderBlock(dim, num_heads, ff_dim, dropout)(x, memory, self_mask=mask)
# + DecoderBlock(dim, num_heads, ff_dim, dropout)(x, memory)


# %% mistake="continuous-look-ahead-inverted" task="continuous-model" misses="continuous-causal" of="plain"
# The look-ahead mask is upside down: each position sees its future and not its past. Keras's attention_mask is True where one may look, the
# mask of this course is 1 where one may not.
# ko: 룩어헤드 마스크가 뒤집혔습니다. 위치마다 미래를 보고 과거를 보지 못합니다. 케라스의 attention_mask는 볼 수 있는 곳이 True이고, 이 과정의 마스크는 볼 수 없는 곳이
# ko: 1입니다.
# - create_look_ahead_mask(ops.shape(x)[1])
# + 1 - create_look_ahead_mask(ops.shape(x)[1])


# %% mistake="continuous-look-ahead-one-step-late" task="continuous-model" misses="continuous-causal" of="plain"
# The mask lets each position see one step ahead. What is strictly above the diagonal is hidden.
# ko: 마스크가 한 걸음 앞의 미래까지 보여 줍니다. 대각선보다 위쪽은 모두 가려야 합니다.
# - create_look_ahead_mask(ops.shape(x)[1])
# + ops.triu(ops.ones((ops.shape(x)[1], ops.shape(x)[1])), k=2)


# %% mistake="continuous-diagonal-hidden" task="continuous-model" misses="continuous-causal" of="plain"
# The mask hides the diagonal too. Each position may see itself; without that the first one sees nothing at all.
# ko: 마스크가 대각선까지 가립니다. 위치마다 자기 자신은 볼 수 있습니다. 그러지 않으면 첫 위치는 아무것도 보지 못합니다.
# - create_look_ahead_mask(ops.shape(x)[1])
# + ops.triu(ops.ones((ops.shape(x)[1], ops.shape(x)[1])), k=0)


# %% mistake="continuous-memory-unused" task="continuous-model" misses="continuous-count continuous-memory" of="plain"
# The second attention of the decoder looks at the target again: hand the encoder's output to it.
# ko: 디코더의 둘째 어텐션이 다시 타깃을 봅니다. 인코더의 출력을 전하세요.
# - DecoderBlock(dim, num_heads, ff_dim, dropout)(x, memory, self_mask=mask)
# + DecoderBlock(dim, num_heads, ff_dim, dropout)(x, x, self_mask=mask, memory_mask=mask)


# %% mistake="continuous-memory-of-the-last-step" task="continuous-model" misses="continuous-values" of="plain"
# The decoder sees the encoder's last step only, as in a recurrent network. It should attend to all of them.
# ko: 디코더가 순환 신경망에서처럼 인코더의 마지막 자리만 봅니다. 모든 자리를 보아야 합니다.
# - memory = x
# + memory = x[:, -1:]


# %% mistake="continuous-decoder-fed-with-the-source" task="continuous-model" misses="continuous-lengths continuous-causal" of="plain"
# The decoder starts from the source instead of the target.
# ko: 디코더가 타깃이 아니라 소스에서 시작합니다.
# - keras.layers.Lambda(lambda x: create_look_ahead_mask(ops.shape(x)[1]))(target)
# + keras.layers.Lambda(lambda x: create_look_ahead_mask(ops.shape(x)[1]))(source)
# - positions(target)
# + positions(source)


# %% mistake="continuous-post-norm" task="continuous-model" misses="continuous-values" of="plain"
# These are post-norm blocks. The lecture's are pre-norm: normalise what goes into each sublayer.
# ko: 사후 정규화 블록입니다. 강의의 블록은 사전 정규화입니다. 각 하위 계층에 들어가는 것을 정규화하세요.
# - EncoderBlock(dim, num_heads, ff_dim, dropout)
# + EncoderBlock(dim, num_heads, ff_dim, dropout, norm_first=False)
# - DecoderBlock(dim, num_heads, ff_dim, dropout)
# + DecoderBlock(dim, num_heads, ff_dim, dropout, norm_first=False)


# %% mistake="continuous-one-head" task="continuous-model" misses="continuous-values" of="plain"
# There is one head, whatever num_heads says.
# ko: num_heads가 무엇이든 헤드가 하나입니다.
# - EncoderBlock(dim, num_heads, ff_dim, dropout)
# + EncoderBlock(dim, 1, ff_dim, dropout)
# - DecoderBlock(dim, num_heads, ff_dim, dropout)
# + DecoderBlock(dim, 1, ff_dim, dropout)


# %% mistake="continuous-heads-and-width-exchanged" task="continuous-model" misses="continuous-values" of="lectures-functions"
# The number of heads and the width of a head have changed places, as in the lecture: 3 heads of 4 instead of 4 of 3. No count shows it.
# Name the arguments: num_heads=…, key_dim=….
# ko: 헤드의 수와 헤드의 너비가 서로 바뀌었습니다. 강의의 모델도 그래서 너비 3인 헤드 4개가 아니라 너비 4인 헤드 3개였습니다. 파라미터 수로는 드러나지 않습니다. num_heads=…,
# ko: key_dim=…처럼 인수의 이름을 쓰세요.
# - encoder(x, num_heads, dim // num_heads, ff_dim, dropout)
# + encoder(x, dim // num_heads, num_heads, ff_dim, dropout)
# - decoder(x, memory, num_heads, dim // num_heads, ff_dim, dropout)
# + decoder(x, memory, dim // num_heads, num_heads, ff_dim, dropout)


# %% mistake="continuous-causal-encoder" task="continuous-model" misses="continuous-values" of="lectures-functions"
# The encoder is causal too. It may look at the whole source; only the decoder's self-attention is masked.
# ko: 인코더까지 인과적입니다. 인코더는 소스 전체를 보아도 됩니다. 디코더의 셀프 어텐션에만 마스크를 씁니다.
# - keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)(y, y)
# + keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)(y, y, use_causal_mask=True)


# %% mistake="continuous-causal-memory" task="continuous-model" misses="continuous-values" of="lectures-functions"
# The attention over memory is masked as if it were causal. Each target may look at the whole source.
# ko: 교차 어텐션에 인과적인 마스크를 썼습니다. 타깃의 모든 자리가 소스 전체를 보아도 됩니다.
# - keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)(normed(res), memory)
# + keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)(normed(res), memory, use_causal_mask=True)


# %% mistake="continuous-relu-output" task="continuous-model" misses="continuous-values" of="plain"
# The last Dense has an activation, so the output can't be negative. It has none.
# ko: 마지막 Dense에 활성화 함수가 있어 출력이 음수가 될 수 없습니다. 활성화 함수를 빼세요.
# - keras.layers.Dense(dim)
# + keras.layers.Dense(dim, activation='relu')


# %% mistake="continuous-feed-forward-without-residual" task="continuous-model" misses="continuous-values" of="lectures-functions"
# The decoder's feed-forward has no residual: add its result to what went in before the normalisation.
# ko: 디코더의 피드포워드 신경망에 잔차 연결이 없습니다. 그 결과를 정규화하기 전의 입력에 더하세요.
# -     res = residual(res, y, dropout)
# -     y = feed_forward(normed(res), ff_dim, x.shape[-1])
# -     return residual(res, y, dropout)
# +     res = residual(res, y, dropout)
# +     y = feed_forward(normed(res), ff_dim, x.shape[-1])
# +     return keras.layers.Dropout(dropout)(y)


# %% mistake="continuous-dropout-always" task="continuous-model" misses="continuous-dropout" of="plain"
# It drops outside training too: don't pass training=True inside the model.
# ko: 학습 때가 아닌데도 드롭아웃이 일어납니다. 모델 안에서 training=True를 주지 마세요.
# - keras.layers.Dense(dim)(x)
# + keras.layers.Dense(dim)(keras.layers.Dropout(dropout)(x, training=True))


# %% mistake="continuous-without-dropout" task="continuous-model" misses="continuous-dropout" of="plain"
# The argument `dropout` doesn't reach the blocks: nothing is dropped.
# ko: 인수 `dropout`이 블록에 전달되지 않아 드롭아웃이 일어나지 않습니다.
# - EncoderBlock(dim, num_heads, ff_dim, dropout)
# + EncoderBlock(dim, num_heads, ff_dim, 0.0)
# - DecoderBlock(dim, num_heads, ff_dim, dropout)
# + DecoderBlock(dim, num_heads, ff_dim, 0.0)


# %% mistake="continuous-dropout-fixed" task="continuous-model" misses="continuous-dropout" of="plain"
# The argument `dropout` doesn't reach all blocks: some drop at the default rate.
# ko: 인수 `dropout`이 전달되지 않는 블록이 있습니다. 그 블록은 기본 비율을 씁니다.
# - DecoderBlock(dim, num_heads, ff_dim, dropout)
# + DecoderBlock(dim, num_heads, ff_dim)


# %% mistake="continuous-memory-not-dropped" task="continuous-model" misses="continuous-dropout" of="lectures-functions"
# The attention over the memory has no dropout; every sublayer's output is dropped before it is added.
# ko: 교차 어텐션에 드롭아웃이 없습니다. 모든 하위 계층의 출력은 더하기 전에 드롭아웃을 거칩니다.
# - res = residual(res, y, dropout)
# + res = keras.layers.Add()([res, y])


# %% mistake="continuous-self-attention-not-dropped" task="continuous-model" misses="continuous-dropout" of="lectures-functions"
# The decoder's self-attention has no dropout; every sublayer's output is dropped before it is added.
# ko: 디코더의 셀프 어텐션에 드롭아웃이 없습니다. 모든 하위 계층의 출력은 더하기 전에 드롭아웃을 거칩니다.
# -     y = keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)(y, y, use_causal_mask=True)
# -     res = residual(x, y, dropout)
# +     y = keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)(y, y, use_causal_mask=True)
# +     res = keras.layers.Add()([x, y])


# %% mistake="continuous-feed-forward-not-dropped" task="continuous-model" misses="continuous-dropout" of="lectures-functions"
# The decoder's feed-forward network has no dropout; every sublayer's output is dropped before it is added.
# ko: 디코더의 피드포워드 신경망에 드롭아웃이 없습니다. 모든 하위 계층의 출력은 더하기 전에 드롭아웃을 거칩니다.
# -     res = residual(res, y, dropout)
# -     y = feed_forward(normed(res), ff_dim, x.shape[-1])
# -     return residual(res, y, dropout)
# +     res = residual(res, y, dropout)
# +     y = feed_forward(normed(res), ff_dim, x.shape[-1])
# +     return keras.layers.Add()([res, y])


# %% mistake="continuous-encoder-without-dropout" task="continuous-model" misses="continuous-dropout" of="plain"
# The argument `dropout` doesn't reach the encoder blocks: nothing is dropped there.
# ko: 인수 `dropout`이 인코더 블록에 전달되지 않아 그곳에서는 드롭아웃이 일어나지 않습니다.
# - EncoderBlock(dim, num_heads, ff_dim, dropout)
# + EncoderBlock(dim, num_heads, ff_dim, 0.0)


# %% mistake="continuous-decoder-without-dropout" task="continuous-model" misses="continuous-dropout" of="plain"
# The argument `dropout` doesn't reach the decoder blocks: nothing is dropped there.
# ko: 인수 `dropout`이 디코더 블록에 전달되지 않아 그곳에서는 드롭아웃이 일어나지 않습니다.
# - DecoderBlock(dim, num_heads, ff_dim, dropout)
# + DecoderBlock(dim, num_heads, ff_dim, 0.0)


# %% mistake="continuous-other-default-rate" task="continuous-model" misses="continuous-dropout" of="plain"
# The default of `dropout` is another than 0.1.
# ko: `dropout`의 기본값이 0.1이 아닙니다.
# - num_decoder_blocks, dropout=0.1
# + num_decoder_blocks, dropout=0.2


# %% mistake="continuous-one-decoder-block-for-all" task="continuous-model" misses="continuous-count" of="plain"
# One decoder block is called several times. Each block needs weights of its own: make it inside the loop.
# ko: 디코더 블록 하나를 여러 번 호출합니다. 블록마다 가중치가 따로 있어야 합니다. 반복문 안에서 만드세요.
# -     x = positions(target)
# +     x = positions(target)
# +     shared = DecoderBlock(dim, num_heads, ff_dim, dropout)
# - DecoderBlock(dim, num_heads, ff_dim, dropout)
# + shared


# %% mistake="continuous-look-ahead-in-one-block" task="continuous-model" misses="continuous-causal" of="plain"
# Only the first decoder block gets the look-ahead mask. Every one needs it.
# ko: 첫 디코더 블록에만 룩어헤드 마스크를 전했습니다. 모든 블록에 필요합니다.
# - for _ in range(num_decoder_blocks):
# + for i in range(num_decoder_blocks):
# - self_mask=mask
# + self_mask=mask if i == 0 else None


# %% mistake="continuous-memory-in-the-last-block-only" task="continuous-model" misses="continuous-values" of="plain"
# Only the last decoder block looks at the memory, the others at the source itself.
# ko: 마지막 디코더 블록만 메모리를 보고, 나머지는 소스 자체를 봅니다.
# - for _ in range(num_decoder_blocks):
# + for i in range(num_decoder_blocks):
# - DecoderBlock(dim, num_heads, ff_dim, dropout)(x, memory, self_mask=mask)
# + DecoderBlock(dim, num_heads, ff_dim, dropout)(x, memory if i == num_decoder_blocks - 1 else source, self_mask=mask)


# %% mistake="continuous-positions-too-short" task="continuous-model" misses="continuous-lengths" of="plain"
# The positions end at twice the number of timesteps. The target may have any length.
# ko: 위치 인코딩이 timesteps의 두 배에서 끝납니다. 타깃은 어떤 길이든 될 수 있습니다.
# - PositionalEncoding(256, dim)
# + PositionalEncoding(2 * timesteps, dim)


# %% mistake="token-output-missing" task="token-model" misses="token-builds" of="plain"
# The last layer is missing: a Dense(vocab_size) turns d_model features into one score for each token.
# ko: 마지막 계층이 빠졌습니다. Dense(vocab_size)가 d_model개의 특징을 토큰마다의 점수로 바꿉니다.
# - keras.layers.Dense(vocab_size)(x)
# + x


# %% mistake="token-fixed-length" task="token-model" misses="token-lengths token-source-padding" of="plain"
# The lengths are fixed to max_len: give both Inputs the length None.
# ko: 길이가 max_len으로 고정되어 있습니다. 두 Input의 길이를 None으로 두세요.
# - source_ids = keras.Input((None,), dtype="int32")
# + source_ids = keras.Input((max_len,), dtype="int32")
# - target_ids = keras.Input((None,), dtype="int32")
# + target_ids = keras.Input((max_len,), dtype="int32")


# %% mistake="token-without-last-norms" task="token-model" misses="token-count" of="plain"
# The normalisations after the two stacks are missing: a pre-norm stack ends in an unnormalised sum.
# ko: 두 스택 뒤의 정규화가 빠졌습니다. 사전 정규화 스택에서 나오는 것은 정규화되지 않은 합입니다.
# -     if norm_first:
# -         x = keras.layers.LayerNormalization(epsilon=1e-6)(x)

# -     if norm_first:
# -         x = keras.layers.LayerNormalization(epsilon=1e-6, name="last")(x)


# %% mistake="token-without-encoder-norm" task="token-model" misses="token-count" of="plain"
# One of the two stacks has no normalisation after it. With pre-norm blocks each ends in one.
# ko: 두 스택 가운데 하나의 뒤에 정규화가 없습니다. 사전 정규화 블록의 스택은 둘 다 정규화로 끝납니다.
# -     if norm_first:
# -         x = keras.layers.LayerNormalization(epsilon=1e-6)(x)


# %% mistake="token-one-embedding" task="token-model" misses="token-count" of="plain"
# Source and target share an embedding though tie_weights is False: untied each has its own.
# ko: tie_weights가 False인데 소스와 타깃이 임베딩을 함께 씁니다. 공유하지 않을 때는 임베딩이 따로 있어야 합니다.
# - embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
# + embed_source


# %% mistake="token-always-tied" task="token-model" misses="token-count" of="plain"
# The weights are tied though tie_weights is False.
# ko: tie_weights가 False인데 가중치를 공유합니다.
# - embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
# + embed_source
# -     if tie_weights:
# -         logits = Tied(embed_target.embedding)(x)
# -     else:
# -         logits = keras.layers.Dense(vocab_size)(x)
# +     logits = Tied(embed_target.embedding)(x)


# %% mistake="token-one-layer" task="token-model" misses="token-count" of="plain"
# There is one encoder and one decoder block, or one is called again and again. There should be num_layers of each, with weights of their
# own.
# ko: 인코더 블록과 디코더 블록이 하나씩이거나, 하나를 되풀이해 호출했습니다. 자기 가중치가 있는 블록이 num_layers개씩 있어야 합니다.
# -     x = embed_source(source_ids)
# +     x = embed_source(source_ids)
# +     encoder_block = EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# - EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# + encoder_block
# -     x = embed_target(target_ids)
# +     x = embed_target(target_ids)
# +     block = DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# -         block = DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)


# %% mistake="token-ff-dim-ignored" task="token-model" misses="token-count" of="plain"
# The feed-forward is 4 * d_model wide inside, whatever ff_dim says.
# ko: ff_dim이 무엇이든 피드포워드 신경망의 안쪽 너비가 4 * d_model입니다.
# - EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# + EncoderBlock(d_model, num_heads, 4 * d_model, dropout, norm_first)
# - DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# + DecoderBlock(d_model, num_heads, 4 * d_model, dropout, norm_first)


# %% mistake="token-encoder-bypassed" task="token-model" misses="token-count token-post-norm" of="plain"
# The decoder looks at the source's embeddings. The memory is what comes out of the last encoder block.
# ko: 디코더가 소스의 임베딩을 봅니다. 메모리는 마지막 인코더 블록에서 나오는 것입니다.
# - x = EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x, mask=source_mask)
# + encoded = EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x, mask=source_mask)


# %% mistake="token-learned-positions" task="token-model" misses="token-count"
# The positions are learned: two more tables of weights. TokenEmbedding adds the sinusoidal ones, which have none.
# ko: 위치를 학습하느라 가중치 표가 두 개 더 있습니다. TokenEmbedding은 사인과 코사인의 위치 인코딩을 더하며, 거기에는 가중치가 없습니다.
class Tied(keras.layers.Layer):
    def __init__(self, table, **kwargs):
        super().__init__(**kwargs)
        self.table = table

    def call(self, x):
        return ops.matmul(x, ops.transpose(self.table.embeddings))


class Learned(keras.layers.Layer):
    def __init__(self, max_len, d_model, **kwargs):
        super().__init__(**kwargs)
        self.table = keras.layers.Embedding(max_len, d_model)

    def call(self, x):
        return x + self.table(ops.arange(ops.shape(x)[1]))


def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    source_ids = keras.Input((None,), dtype="int32")
    target_ids = keras.Input((None,), dtype="int32")
    source_mask = keras.layers.Lambda(create_padding_mask)(source_ids)
    target_mask = keras.layers.Lambda(create_decoder_mask)(target_ids)
    embed_source = TokenEmbedding(vocab_size, d_model, max_len, dropout)
    embed_target = embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
    y = Learned(max_len, d_model)(keras.layers.Embedding(vocab_size, d_model)(source_ids))
    x = embed_source(source_ids) if tie_weights else y
    for _ in range(num_layers):
        x = EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x, mask=source_mask)
    if norm_first:
        x = keras.layers.LayerNormalization(epsilon=1e-6)(x)
    memory = x
    y = Learned(max_len, d_model)(keras.layers.Embedding(vocab_size, d_model)(target_ids))
    x = embed_target(target_ids) if tie_weights else y
    for i in range(num_layers):
        block = DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
        x = block(x, memory, self_mask=target_mask, memory_mask=source_mask)
    if norm_first:
        x = keras.layers.LayerNormalization(epsilon=1e-6, name="last")(x)
    if tie_weights:
        logits = Tied(embed_target.embedding)(x)
    else:
        logits = keras.layers.Dense(vocab_size)(x)
    return keras.Model([source_ids, target_ids], logits)


# %% mistake="token-no-look-ahead" task="token-model" misses="token-causal" of="plain"
# The decoder's self-attention hides the target's padding, but not the future.
# ko: 디코더의 셀프 어텐션이 타깃의 패딩은 가리지만 미래는 가리지 않습니다.
# - keras.layers.Lambda(create_decoder_mask)
# + keras.layers.Lambda(create_padding_mask)


# %% mistake="token-look-ahead-inverted" task="token-model" misses="token-causal token-target-padding" of="plain"
# The look-ahead mask is upside down: each position sees its future and not its past. In the masks of this course 1 hides, in Keras's
# attention_mask True may be attended.
# ko: 룩어헤드 마스크가 뒤집혔습니다. 위치마다 미래를 보고 과거를 보지 못합니다. 이 과정의 마스크에서는 1이 가리고, 케라스의 attention_mask에서는 True인 곳을 볼 수
# ko: 있습니다.
# -     target_mask = keras.layers.Lambda(create_decoder_mask)(target_ids)
# +     target_mask = keras.layers.Lambda(
# +         lambda ids: ops.maximum(create_padding_mask(ids), 1 - create_look_ahead_mask(ops.shape(ids)[1])))(target_ids)


# %% mistake="token-look-ahead-one-step-late" task="token-model" misses="token-causal" of="plain"
# The mask lets each position see one step ahead. What is strictly above the diagonal is hidden.
# ko: 마스크가 한 걸음 앞의 미래까지 보여 줍니다. 대각선보다 위쪽은 모두 가려야 합니다.
# -     target_mask = keras.layers.Lambda(create_decoder_mask)(target_ids)
# +     target_mask = keras.layers.Lambda(
# +         lambda ids: ops.maximum(create_padding_mask(ids), ops.triu(ops.ones((ops.shape(ids)[1],) * 2), k=2)))(target_ids)


# %% mistake="token-look-ahead-in-the-first-block" task="token-model" misses="token-causal token-target-padding" of="plain"
# Only the first decoder block gets the look-ahead mask. Every one needs it: one that doesn't have it lets everything through.
# ko: 첫 디코더 블록에만 룩어헤드 마스크를 전했습니다. 모든 블록에 필요합니다. 하나라도 없으면 그리로 모두 새어 나갑니다.
# - self_mask=target_mask
# + self_mask=target_mask if i == 0 else None


# %% mistake="token-look-ahead-in-the-last-block" task="token-model" misses="token-causal token-target-padding" of="plain"
# Only the last decoder block gets the look-ahead mask. Every one needs it: one that doesn't have it lets everything through.
# ko: 마지막 디코더 블록에만 룩어헤드 마스크를 전했습니다. 모든 블록에 필요합니다. 하나라도 없으면 그리로 모두 새어 나갑니다.
# - self_mask=target_mask
# + self_mask=target_mask if i == num_layers - 1 else None


# %% mistake="token-memory-unused" task="token-model" misses="token-count token-source" of="plain"
# The second attention of the decoder looks at the target again: hand the encoder's output to it.
# ko: 디코더의 둘째 어텐션이 다시 타깃을 봅니다. 인코더의 출력을 전하세요.
# - block(x, memory, self_mask=target_mask, memory_mask=source_mask)
# + block(x, x, self_mask=target_mask, memory_mask=target_mask)


# %% mistake="token-source-without-positions" task="token-model" misses="token-source" of="plain"
# The source gets no positions, so the encoder can't know the order of its tokens.
# ko: 소스에 위치를 더하지 않아 인코더가 토큰의 순서를 알 수 없습니다.
# -     x = embed_source(source_ids)
# +     x = embed_source(source_ids)
# +     x = x - PositionalEncoding(max_len, d_model)(ops.zeros_like(x))


# %% mistake="token-no-source-mask" task="token-model" misses="token-source-padding" of="plain"
# The source's padding isn't hidden anywhere. Hand its mask to the encoder blocks and to the attention over memory.
# ko: 소스의 패딩을 어디서도 가리지 않았습니다. 그 마스크를 인코더 블록과 교차 어텐션에 전하세요.
# - EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x, mask=source_mask)
# + EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x)
# - block(x, memory, self_mask=target_mask, memory_mask=source_mask)
# + block(x, memory, self_mask=target_mask)


# %% mistake="token-no-encoder-mask" task="token-model" misses="token-source-padding" of="plain"
# In the encoder the source's padding isn't hidden.
# ko: 인코더에서 소스의 패딩을 가리지 않았습니다.
# - EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x, mask=source_mask)
# + EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x)


# %% mistake="token-no-memory-mask" task="token-model" misses="token-source-padding" of="plain"
# In the attention over memory the source's padding isn't hidden: it needs the source's mask as well.
# ko: 교차 어텐션에서 소스의 패딩을 가리지 않았습니다. 여기에도 소스의 마스크가 필요합니다.
# - block(x, memory, self_mask=target_mask, memory_mask=source_mask)
# + block(x, memory, self_mask=target_mask)


# %% mistake="token-target-mask-on-memory" task="token-model" misses="token-lengths token-source-padding" of="plain"
# The attention over memory gets the target's padding mask. Its keys are the source's positions: it needs the source's.
# ko: 교차 어텐션에 타깃의 패딩 마스크를 전했습니다. 그 키는 소스의 위치들이므로 소스의 마스크가 필요합니다.
# -     x = embed_target(target_ids)
# +     x = embed_target(target_ids)
# +     padding_mask = keras.layers.Lambda(create_padding_mask)(target_ids)
# - memory_mask=source_mask
# + memory_mask=padding_mask


# %% mistake="token-source-mask-inverted" task="token-model" misses="token-source-padding token-values token-post-norm" of="plain"
# The source's mask is upside down: only padding is looked at. 1 hides here, True attends in Keras.
# ko: 소스의 마스크가 뒤집혀 패딩만 봅니다. 여기서는 1이 가리고, 케라스에서는 True인 곳을 봅니다.
# - keras.layers.Lambda(create_padding_mask)
# + keras.layers.Lambda(lambda ids: 1 - create_padding_mask(ids))


# %% mistake="token-mask-for-queries" task="token-model" misses="token-source-padding" of="plain"
# The encoder's mask stands on the queries' axis. It belongs on the keys': (batch, 1, 1, seq_len).
# ko: 인코더의 마스크가 쿼리의 축에 놓여 있습니다. 키의 축에 놓으세요: (batch, 1, 1, seq_len).
# - mask=source_mask
# + mask=keras.layers.Permute((1, 3, 2))(source_mask)


# %% mistake="token-no-target-mask" task="token-model" misses="token-target-padding" of="plain"
# The decoder's self-attention hides the future, but not the target's padding.
# ko: 디코더의 셀프 어텐션이 미래는 가리지만 타깃의 패딩은 가리지 않습니다.
# - keras.layers.Lambda(create_decoder_mask)
# + keras.layers.Lambda(lambda ids: create_look_ahead_mask(ops.shape(ids)[1]))


# %% mistake="token-target-padding-zeroed" task="token-model" misses="token-target-padding" of="plain"
# The embeddings of the target's padding are set to 0, but its places are still looked at. A mask hides a place, zeros don't.
# ko: 타깃에 있는 패딩의 임베딩을 0으로 만들었지만 그 자리는 여전히 보입니다. 자리를 가리는 것은 마스크이지 0이 아닙니다.
# - keras.layers.Lambda(create_decoder_mask)
# + keras.layers.Lambda(lambda ids: create_look_ahead_mask(ops.shape(ids)[1]))
# -     x = embed_target(target_ids)
# +     here = keras.layers.Lambda(lambda ids: ops.cast(ops.not_equal(ids, 0), "float32")[..., None])(target_ids)
# +     x = embed_target(target_ids)
# +     x = here * x + (1.0 - here) * PositionalEncoding(max_len, d_model)(0.0 * x)


# %% mistake="token-softmax" task="token-model" misses="token-values token-post-norm token-tied" of="plain"
# The model returns probabilities. Leave the softmax out: asked for are the logits, the loss does the rest.
# ko: 모델이 확률을 돌려줍니다. 소프트맥스를 빼세요. 돌려줄 것은 로짓이고, 나머지는 손실이 합니다.
# -         logits = keras.layers.Dense(vocab_size)(x)
# +         logits = keras.layers.Dense(vocab_size)(x)
# +     logits = keras.layers.Softmax()(logits)


# %% mistake="token-one-head" task="token-model" misses="token-values token-post-norm" of="plain"
# There is one head, whatever num_heads says.
# ko: num_heads가 무엇이든 헤드가 하나입니다.
# - EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# + EncoderBlock(d_model, 1, ff_dim, dropout, norm_first)
# - DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# + DecoderBlock(d_model, 1, ff_dim, dropout, norm_first)


# %% mistake="token-heads-and-width-exchanged" task="token-model" misses="token-values token-post-norm" of="plain"
# The number of heads and the width of a head have changed places: the count stays, the function doesn't.
# ko: 헤드의 수와 헤드의 너비가 서로 바뀌었습니다. 파라미터 수는 같아도 계산은 다릅니다.
# - EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# + EncoderBlock(d_model, d_model // num_heads, ff_dim, dropout, norm_first)
# - DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# + DecoderBlock(d_model, d_model // num_heads, ff_dim, dropout, norm_first)


# %% mistake="token-causal-encoder" task="token-model" misses="token-values token-post-norm" of="plain"
# The encoder is causal too. It may look at the whole source; only the decoder's self-attention hides the future.
# ko: 인코더까지 인과적입니다. 인코더는 소스 전체를 보아도 됩니다. 미래는 디코더의 셀프 어텐션만 가립니다.
# -     source_mask = keras.layers.Lambda(create_padding_mask)(source_ids)
# +     source_mask = keras.layers.Lambda(create_padding_mask)(source_ids)
# +     causal_mask = keras.layers.Lambda(create_decoder_mask)(source_ids)
# - mask=source_mask
# + mask=causal_mask


# %% mistake="token-positions-twice" task="token-model" misses="token-values token-post-norm" of="plain"
# The positions are added twice: TokenEmbedding has done it already.
# ko: 위치를 두 번 더했습니다. TokenEmbedding이 이미 더했습니다.
# - embed_source(source_ids)
# + PositionalEncoding(max_len, d_model)(embed_source(source_ids))
# - embed_target(target_ids)
# + PositionalEncoding(max_len, d_model)(embed_target(target_ids))


# %% mistake="token-embedding-unscaled" task="token-model" misses="token-values" of="plain"
# The embeddings aren't multiplied by the square root of d_model: use your TokenEmbedding.
# ko: 임베딩에 d_model의 제곱근을 곱하지 않았습니다. 여러분의 TokenEmbedding을 쓰세요.
# - embed_source(source_ids)
# + PositionalEncoding(max_len, d_model)(keras.layers.Embedding(vocab_size, d_model)(source_ids)) if not tie_weights else embed_source(source_ids)
# - embed_target(target_ids)
# + PositionalEncoding(max_len, d_model)(keras.layers.Embedding(vocab_size, d_model)(target_ids)) if not tie_weights else embed_target(target_ids)


# %% mistake="token-always-post-norm" task="token-model" misses="token-values" of="plain"
# The blocks are post-norm though norm_first is True: hand norm_first on to them.
# ko: norm_first가 True인데 블록이 사후 정규화입니다. norm_first를 블록에 전하세요.
# - EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# + EncoderBlock(d_model, num_heads, ff_dim, dropout, False)
# - DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# + DecoderBlock(d_model, num_heads, ff_dim, dropout, False)


# %% mistake="token-norm-first-ignored" task="token-model" misses="token-post-norm"
# The blocks are pre-norm though norm_first is False: hand norm_first on to them.
# ko: norm_first가 False인데 블록이 사전 정규화입니다. norm_first를 블록에 전하세요.
class Tied(keras.layers.Layer):
    def __init__(self, table, **kwargs):
        super().__init__(**kwargs)
        self.table = table

    def call(self, x):
        return ops.matmul(x, ops.transpose(self.table.embeddings))


def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    source_ids = keras.Input((None,), dtype="int32")
    target_ids = keras.Input((None,), dtype="int32")
    source_mask = keras.layers.Lambda(create_padding_mask)(source_ids)
    target_mask = keras.layers.Lambda(create_decoder_mask)(target_ids)
    embed_source = TokenEmbedding(vocab_size, d_model, max_len, dropout)
    embed_target = embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
    x = embed_source(source_ids)
    for _ in range(num_layers):
        x = EncoderBlock(d_model, num_heads, ff_dim, dropout)(x, mask=source_mask)
    memory = keras.layers.LayerNormalization(epsilon=1e-6)(x)
    x = embed_target(target_ids)
    for i in range(num_layers):
        block = DecoderBlock(d_model, num_heads, ff_dim, dropout)
        x = block(x, memory, self_mask=target_mask, memory_mask=source_mask)
    x = keras.layers.LayerNormalization(epsilon=1e-6)(x)
    if tie_weights:
        logits = Tied(embed_target.embedding)(x)
    else:
        logits = keras.layers.Dense(vocab_size)(x)
    return keras.Model([source_ids, target_ids], logits)


# %% mistake="token-tie-ignored" task="token-model" misses="token-tied" of="plain"
# tie_weights changes nothing: there are still three matrices.
# ko: tie_weights가 아무것도 바꾸지 않습니다. 여전히 행렬이 셋입니다.
# - embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
# + TokenEmbedding(vocab_size, d_model, max_len, dropout)
# -     if tie_weights:
# -         logits = Tied(embed_target.embedding)(x)
# -     else:
# -         logits = keras.layers.Dense(vocab_size)(x)
# +     logits = keras.layers.Dense(vocab_size)(x)


# %% mistake="token-tied-embeddings-only" task="token-model" misses="token-tied" of="plain"
# Source and target share their matrix, but the output has a kernel of its own. It should be x times the matrix, transposed.
# ko: 소스와 타깃은 행렬을 함께 쓰지만 출력에 자기 커널이 있습니다. 출력은 x에 그 행렬의 전치를 곱한 것이어야 합니다.
# -     if tie_weights:
# -         logits = Tied(embed_target.embedding)(x)
# -     else:
# -         logits = keras.layers.Dense(vocab_size)(x)
# +     logits = keras.layers.Dense(vocab_size)(x)


# %% mistake="token-tied-output-only" task="token-model" misses="token-tied" of="plain"
# The output uses the target's matrix, but the source has another one. All three should be one.
# ko: 출력은 타깃의 행렬을 쓰지만 소스에 다른 행렬이 있습니다. 셋이 모두 하나여야 합니다.
# - embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
# + TokenEmbedding(vocab_size, d_model, max_len, dropout)


# %% mistake="token-tied-copy" task="token-model" misses="token-tied" of="plain"
# The output's kernel begins as a copy of the embedding matrix, and in training they part. Use the same variable.
# ko: 출력의 커널이 임베딩 행렬의 복사본으로 시작해 학습하면서 달라집니다. 같은 변수를 쓰세요.
# -         logits = Tied(embed_target.embedding)(x)
# +         output = keras.layers.Dense(vocab_size)
# +         logits = output(x)
# +         output.kernel.assign(ops.transpose(embed_target.embedding.embeddings))


# %% mistake="token-tie-unwritten" task="token-model" misses="token-tied" of="plain"
# With tie_weights=True the function raises.
# ko: tie_weights=True이면 함수가 예외를 일으킵니다.
# - logits = Tied(embed_target.embedding)(x)
# + raise ValueError("tie_weights is not supported")


# %% mistake="token-dropout-always" task="token-model" misses="token-dropout" of="plain"
# It drops outside training too: don't pass training=True inside the model.
# ko: 학습 때가 아닌데도 드롭아웃이 일어납니다. 모델 안에서 training=True를 주지 마세요.
# -     x = embed_target(target_ids)
# +     x = embed_target(target_ids)
# +     x = keras.layers.Dropout(dropout)(x, training=True)


# %% mistake="token-without-dropout" task="token-model" misses="token-dropout" of="plain"
# The argument `dropout` reaches neither the embeddings nor the blocks: nothing is dropped in training.
# ko: 인수 `dropout`이 임베딩에도 블록에도 전달되지 않아 학습 때 드롭아웃이 일어나지 않습니다.
# -     source_ids = keras.Input((None,), dtype="int32")
# +     dropout = 0.0
# +     source_ids = keras.Input((None,), dtype="int32")


# %% mistake="token-dropout-fixed" task="token-model" misses="token-dropout" of="plain"
# The argument `dropout` doesn't reach every part: something drops at the default rate.
# ko: 인수 `dropout`이 전달되지 않는 곳이 있습니다. 그곳은 기본 비율을 씁니다.
# - EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# + EncoderBlock(d_model, num_heads, ff_dim, norm_first=norm_first)


# %% mistake="token-embedding-not-dropped" task="token-model" misses="token-dropout" of="plain"
# The argument `dropout` reaches the blocks, but the embeddings aren't dropped (section 5.4 of the paper).
# ko: 인수 `dropout`이 블록에는 전달되지만 임베딩에는 드롭아웃이 없습니다(논문 5.4절).
# - embed_source = TokenEmbedding(vocab_size, d_model, max_len, dropout)
# + embed_source = TokenEmbedding(vocab_size, d_model, max_len, 0.0)
# - embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
# + embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, 0.0)


# %% mistake="token-encoder-without-dropout" task="token-model" misses="token-dropout" of="plain"
# The argument `dropout` reaches the embeddings and the decoder's blocks, but not the encoder's.
# ko: 인수 `dropout`이 임베딩과 디코더 블록에는 전달되지만 인코더 블록에는 전달되지 않습니다.
# - EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# + EncoderBlock(d_model, num_heads, ff_dim, 0.0, norm_first)


# %% mistake="token-decoder-without-dropout" task="token-model" misses="token-dropout" of="plain"
# The argument `dropout` reaches the embeddings and the encoder's blocks, but not the decoder's.
# ko: 인수 `dropout`이 임베딩과 인코더 블록에는 전달되지만 디코더 블록에는 전달되지 않습니다.
# - DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
# + DecoderBlock(d_model, num_heads, ff_dim, 0.0, norm_first)


# %% mistake="token-logits-dropped" task="token-model" misses="token-dropout" of="plain"
# A dropout stands behind the output: in training the logits of some tokens become 0.
# ko: 출력 뒤에 드롭아웃이 있어서, 학습 때 일부 토큰의 로짓이 0이 됩니다.
# - Tied(embed_target.embedding)(x)
# + keras.layers.Dropout(dropout)(Tied(embed_target.embedding)(x))
# - keras.layers.Dense(vocab_size)(x)
# + keras.layers.Dropout(dropout)(keras.layers.Dense(vocab_size)(x))


# %% mistake="token-other-default-rate" task="token-model" misses="token-dropout" of="plain"
# The default of `dropout` is another than 0.1.
# ko: `dropout`의 기본값이 0.1이 아닙니다.
# - ff_dim, dropout=0.1, norm_first
# + ff_dim, dropout=0.0, norm_first


# %% mistake="token-padding-seen-in-post-norm" task="token-model" misses="token-source-padding" of="plain"
# The mask of the source's padding is handed on by the pre-norm model alone.
# ko: 소스의 패딩 마스크를 사전 정규화 모델에서만 전했습니다.
# - mask=source_mask
# + mask=source_mask if norm_first else None


# %% mistake="token-tied-without-last-norms" task="token-model" misses="token-tied" of="plain"
# With tie_weights=True the normalisations after the two stacks are missing.
# ko: tie_weights=True이면 두 스택 뒤의 정규화가 빠집니다.
# -         x = EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x, mask=source_mask)
# -     if norm_first:
# +         x = EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x, mask=source_mask)
# +     if norm_first and not tie_weights:
# -         x = block(x, memory, self_mask=target_mask, memory_mask=source_mask)
# -     if norm_first:
# +         x = block(x, memory, self_mask=target_mask, memory_mask=source_mask)
# +     if norm_first and not tie_weights:


# %% mistake="continuous-positions-from-the-end" task="continuous-model" misses="continuous-values" of="plain"
# Targets of another length than `timesteps` don't get the positions 0, 1, 2, … added.
# ko: 길이가 `timesteps`와 다른 타깃에 위치 0, 1, 2, …가 더해지지 않습니다.
# -     x = positions(target)
# +     table = PositionalEncoding(1024, dim)(np.zeros((1, 1024, dim), 'float32'))
# +     late = lambda x: x + table[:, 100 + timesteps - ops.shape(x)[1] :][:, : ops.shape(x)[1]]
# +     early = lambda x: x + table[:, : ops.shape(x)[1]]
# +     choose = lambda x: early(x) if ops.shape(x)[1] == timesteps else late(x)
# +     x = keras.layers.Lambda(choose, output_shape=(None, dim))(target)


# %% mistake="token-last-positions" task="token-model" misses="token-values token-post-norm" of="plain"
# Sequences shorter than max_len get the last positions of the table added, not the first.
# ko: max_len보다 짧은 시퀀스에 표의 앞쪽이 아니라 뒤쪽 위치를 더했습니다.
# -     x = embed_target(target_ids)
# +     positions = PositionalEncoding(max_len, d_model)(np.zeros((1, max_len, d_model), 'float32'))
# +     shift = lambda x: x + positions[:, max_len - ops.shape(x)[1] :] - positions[:, : ops.shape(x)[1]]
# +     x = keras.layers.Lambda(shift, output_shape=(None, d_model))(embed_target(target_ids))


# %% mistake="parameters-in-thousands" task="model-parameters" misses="parameters-are-a-number" of="plain"
# Return the whole number itself, an int.
# ko: 정수(int) 자체를 돌려주세요.
# - num_layers * (encoder + decoder) + 2 * norm + vocabulary
# + f'{num_layers * (encoder + decoder) + 2 * norm + vocabulary:,}'


# %% mistake="parameters-without-biases" task="model-parameters" misses="parameters-of-a-layer" of="plain"
# The biases of the attentions and of the feed-forward are missing.
# ko: 어텐션과 피드포워드 신경망의 편향이 빠졌습니다.
# - 4 * (d_model * d_model + d_model)
# + 4 * d_model * d_model
# - (d_model * ff_dim + ff_dim) + (ff_dim * d_model + d_model)
# + 2 * d_model * ff_dim


# %% mistake="parameters-without-norms" task="model-parameters" misses="parameters-of-a-layer" of="plain"
# The normalisations in the blocks are missing: each has a gain and a shift of d_model numbers.
# ko: 블록 안의 정규화가 빠졌습니다. 정규화마다 길이 d_model인 배율과 이동이 있습니다.
# - attention + feed_forward + 2 * norm
# + attention + feed_forward
# - 2 * attention + feed_forward + 3 * norm
# + 2 * attention + feed_forward


# %% mistake="parameters-gamma-only" task="model-parameters" misses="parameters-of-a-layer" of="plain"
# A normalisation has two vectors, the gain and the shift; only one is counted.
# ko: 정규화에는 배율과 이동, 두 벡터가 있는데 하나만 셌습니다.
# - 2 * d_model
# + d_model


# %% mistake="parameters-encoder-only" task="model-parameters" misses="parameters-of-a-layer" of="plain"
# Only the encoder's blocks grow with num_layers. There are as many decoder blocks.
# ko: num_layers에 따라 인코더 블록만 늘어납니다. 디코더 블록도 같은 수만큼 있습니다.
# - num_layers * (encoder + decoder)
# + num_layers * encoder + decoder


# %% mistake="parameters-decoder-only" task="model-parameters" misses="parameters-of-a-layer" of="plain"
# Only the decoder's blocks grow with num_layers. There are as many encoder blocks.
# ko: num_layers에 따라 디코더 블록만 늘어납니다. 인코더 블록도 같은 수만큼 있습니다.
# - num_layers * (encoder + decoder)
# + encoder + num_layers * decoder


# %% mistake="parameters-two-encoders" task="model-parameters" misses="parameters-of-a-layer" of="plain"
# The decoder block is counted as an encoder block. It has a second attention and a third normalisation.
# ko: 디코더 블록을 인코더 블록처럼 셌습니다. 디코더 블록에는 둘째 어텐션과 셋째 정규화가 있습니다.
# - num_layers * (encoder + decoder)
# + num_layers * 2 * encoder


# %% mistake="parameters-one-norm-too-few" task="model-parameters" misses="parameters-of-a-layer" of="plain"
# Each layer lacks 2 * d_model numbers, as many as a normalisation has. An encoder block has two and a
# decoder block three, one for each sublayer.
# ko: 층마다 수가 2 * d_model개 모자랍니다. 정규화 하나에 있는 만큼입니다. 정규화는 하위 계층마다 하나씩,
# ko: 인코더 블록에 둘, 디코더 블록에 셋 있습니다.
# - 3 * norm
# + 2 * norm


# %% mistake="parameters-without-attention-output" task="model-parameters" misses="parameters-of-a-layer" of="plain"
# An attention has four projections: query, key, value and the one that mixes the heads at its end.
# ko: 어텐션의 투영은 넷입니다. 쿼리, 키, 값, 그리고 끝에서 헤드들을 섞는 투영입니다.
# - 4 * (d_model * d_model + d_model)
# + 3 * (d_model * d_model + d_model)


# %% mistake="parameters-heads-multiplied" task="model-parameters" misses="parameters-of-a-layer" of="plain"
# The heads share d_model between them: more heads are narrower, and the count stays.
# ko: 헤드들은 d_model을 나누어 씁니다. 헤드가 늘면 하나하나가 좁아질 뿐 개수는 그대로입니다.
# - 4 * (d_model * d_model + d_model)
# + num_heads * 4 * (d_model * d_model + d_model)


# %% mistake="parameters-one-embedding" task="model-parameters" misses="parameters-of-a-token" of="plain"
# Untied, source and target have an embedding each: the vocabulary is there three times, with the output.
# ko: 공유하지 않으면 소스와 타깃에 임베딩이 하나씩 있습니다. 출력까지 어휘가 세 번 나옵니다.
# - 2 * table
# + table


# %% mistake="parameters-without-output-bias" task="model-parameters" misses="parameters-of-a-token" of="plain"
# The output Dense has a bias, one number for each token.
# ko: 출력 Dense에는 편향이 있습니다. 토큰마다 수 하나입니다.
# - 2 * table + (table + vocab_size)
# + 3 * table


# %% mistake="parameters-without-output" task="model-parameters" misses="parameters-of-a-token" of="plain"
# The output Dense(vocab_size) is missing.
# ko: 출력 Dense(vocab_size)가 빠졌습니다.
# - 2 * table + (table + vocab_size)
# + 2 * table


# %% mistake="parameters-always-tied" task="model-parameters" misses="parameters-of-a-token" of="plain"
# It counts one matrix of the vocabulary's size even where the weights aren't tied.
# ko: 가중치를 공유하지 않을 때도 어휘 크기의 행렬을 하나만 셉니다.
# - 2 * table + (table + vocab_size)
# + table


# %% mistake="parameters-tie-ignored" task="model-parameters" misses="parameters-tied" of="plain"
# tie_weights changes nothing in the count: then there is one matrix instead of three.
# ko: tie_weights가 개수를 바꾸지 않습니다. 공유할 때는 행렬이 셋이 아니라 하나입니다.
# -     if tie_weights:
# -         vocabulary = table
# -     else:
# -         vocabulary = 2 * table + (table + vocab_size)
# +     vocabulary = 2 * table + (table + vocab_size)


# %% mistake="parameters-tied-embeddings-only" task="model-parameters" misses="parameters-tied" of="plain"
# Tied, the output uses the embedding matrix too: it has no kernel of its own.
# ko: 공유하면 출력도 임베딩 행렬을 씁니다. 출력에 자기 커널은 없습니다.
# - vocabulary = table
# + vocabulary = table + (table + vocab_size)


# %% mistake="parameters-tied-output-only" task="model-parameters" misses="parameters-tied" of="plain"
# Tied, there is one matrix for source, target and output, not two.
# ko: 공유하면 소스, 타깃, 출력에 행렬이 둘이 아니라 하나입니다.
# - vocabulary = table
# + vocabulary = 2 * table


# %% mistake="parameters-without-last-norms" task="model-parameters" misses="parameters-whole" of="plain"
# The normalisations after the two stacks are missing.
# ko: 두 스택 뒤의 정규화가 빠졌습니다.
# - num_layers * (encoder + decoder) + 2 * norm + vocabulary
# + num_layers * (encoder + decoder) + vocabulary


# %% mistake="parameters-one-last-norm" task="model-parameters" misses="parameters-whole" of="plain"
# There is a normalisation after each of the two stacks, the encoder's and the decoder's.
# ko: 정규화는 인코더와 디코더, 두 스택의 뒤에 하나씩 있습니다.
# - num_layers * (encoder + decoder) + 2 * norm
# + num_layers * (encoder + decoder) + norm
