# %% mistake="encoder-last-positions" task="encoder-only" misses="encoder-padding encoder-values" of="plain"
# Sequences shorter than max_len get the last positions of the table added, not the first.
# ko: max_len보다 짧은 시퀀스에 표의 앞쪽이 아니라 뒤쪽 위치를 더했습니다.
# - ops.convert_to_tensor(self.table)[: ops.shape(x)[1]]
# + ops.convert_to_tensor(self.table)[len(self.table) - 1 - ops.shape(x)[1] : -1]


# %% mistake="decoder-last-positions" task="decoder-only" misses="decoder-values" of="plain-decoder"
# Sequences shorter than max_len get the last positions of the table added, not the first.
# ko: max_len보다 짧은 시퀀스에 표의 앞쪽이 아니라 뒤쪽 위치를 더했습니다.
# - ops.convert_to_tensor(self.table)[: ops.shape(x)[1]]
# + ops.convert_to_tensor(self.table)[len(self.table) - 1 - ops.shape(x)[1] : -1]


# %% mistake="pooling-empty-spoils-the-first" task="pooling" misses="pooling-empty" of="plain"
# If one sequence is all padding, the first of the batch gets zeros too.
# ko: 한 시퀀스가 모두 패딩이면 배치의 첫 시퀀스도 0이 됩니다.
# -     return total / ops.maximum(count, 1.0)
# +     first = np.arange(len(x))[:, None] == 0
# +     return total / ops.maximum(count, 1.0) * (1.0 - first * float(ops.min(count) == 0))


# %% mistake="pooling-single-summed" task="pooling" misses="pooling-empty" of="plain"
# A single sequence gets the sum instead of the mean.
# ko: 시퀀스가 하나뿐이면 평균이 아니라 합이 됩니다.
# - ops.maximum(count, 1.0)
# + (ops.maximum(count, 1.0) if len(x) > 1 else 1.0)


# %% mistake="sample-top-p-of-the-first-row" task="sampling" misses="sample-top-p" of="plain"
# How many tokens top_p keeps is found for the first row and taken for all. Each row keeps its own.
# ko: top_p로 남길 토큰의 수를 첫 행에서 정해 모든 행에 썼습니다. 행마다 따로 정해야 합니다.
# - np.where(before < top_p, ranked, 0)
# + np.where((before < top_p)[:1], ranked, 0)


# %% mistake="sample-single-row-first-id" task="sampling" misses="sample-greedy" of="plain"
# A single row at temperature 0 doesn't give the id of its largest logit.
# ko: 행이 하나뿐이면 온도 0에서 가장 큰 로짓의 ID가 나오지 않습니다.
# - logits.argmax(axis=-1)
# + logits.argmax(axis=-1) if len(logits) > 1 else logits.argmin(axis=-1)


# %% mistake="mask-one-in-each-sequence" task="mask-tokens" misses="mask-rate" of="plain"
# Every sequence gets a selected token. Each token is drawn by itself, so a sequence may have none.
# ko: 시퀀스마다 토큰을 적어도 하나 고릅니다. 토큰마다 따로 뽑으므로 하나도 고르지 않은 시퀀스가 있어도 됩니다.
# -     labels = np.where(selected, token_ids, 0)
# +     selected[~selected.any(axis=1), 0] = True
# +     labels = np.where(selected, token_ids, 0)


# %% mistake="mask-inputs-alone" task="mask-tokens" misses="mask-shape" of="plain"
# Only the inputs are returned; labels and selected belong to the answer.
# ko: inputs만 돌려주었습니다. labels와 selected도 함께 돌려주세요.
# - inputs, labels, selected
# + inputs


# %% mistake="mask-order-exchanged" task="mask-tokens" misses="mask-shape" of="plain"
# The order is inputs, labels, selected.
# ko: 순서는 inputs, labels, selected입니다.
# - inputs, labels, selected
# + inputs, selected, labels


# %% mistake="mask-rate-ignored" task="mask-tokens" misses="mask-rate" of="plain"
# The rate is always 15 %, whatever `rate` says.
# ko: `rate`가 무엇이든 언제나 15%를 고릅니다.
# - rng.random(token_ids.shape) < rate
# + rng.random(token_ids.shape) < 0.15


# %% mistake="mask-rate-inverted" task="mask-tokens" misses="mask-rate" of="plain"
# All but the given share of the tokens is selected: the comparison is the wrong way round.
# ko: 받은 비율만 빼고 모두 골랐습니다. 비교가 거꾸로입니다.
# - rng.random(token_ids.shape) < rate
# + rng.random(token_ids.shape) > rate


# %% mistake="mask-selected-means-hidden" task="mask-tokens" misses="mask-rate mask-shares mask-random mask-untouched" of="plain"
# `selected` holds only the tokens that became the mask. The exchanged and the kept ones are selected as well.
# ko: `selected`에 마스크가 된 토큰만 있습니다. 바꾼 토큰과 그대로 둔 토큰도 고른 것입니다.
# - inputs, labels, selected
# + inputs, labels, hide


# %% mistake="mask-selected-means-changed" task="mask-tokens" misses="mask-rate mask-shares" of="plain"
# `selected` leaves out the tokens that were selected and kept. The model is asked about them, too.
# ko: `selected`에 골랐지만 그대로 둔 토큰이 빠졌습니다. 그 토큰에 대해서도 모델에게 묻습니다.
# - inputs, labels, selected
# + inputs, labels, hide | swap


# %% mistake="mask-selects-padding" task="mask-tokens" misses="mask-padding" of="plain"
# Padding is selected like any token. There is nothing to be learned from it.
# ko: 패딩도 여느 토큰처럼 골랐습니다. 패딩에서는 배울 것이 없습니다.
# -     selected = selected & (token_ids != 0)


# %% mistake="mask-hides-padding" task="mask-tokens" misses="mask-padding" of="plain"
# Padding isn't selected, yet it is exchanged in `inputs`.
# ko: 패딩을 고르지는 않았지만 `inputs`에서 바꾸었습니다.
# -     selected = rng.random(token_ids.shape) < rate
# +     selected = rng.random(token_ids.shape) < rate
# +     chosen = selected
# - selected & (fate < 0.8)
# + chosen & (fate < 0.8)
# - selected & (fate >= 0.8)
# + chosen & (fate >= 0.8)


# %% mistake="mask-same-places-in-every-row" task="mask-tokens" misses="mask-independent" of="plain"
# One row of random numbers serves the whole batch: the same places are hidden in every sequence.
# ko: 난수 한 행을 배치 전체에 썼습니다. 모든 시퀀스에서 같은 자리를 고르게 됩니다.
# - rng.random(token_ids.shape) < rate
# + rng.random(token_ids.shape[1]) < rate


# %% mistake="mask-whole-sequences" task="mask-tokens" misses="mask-independent" of="plain"
# One random number serves a whole sequence: all of its tokens are selected, or none.
# ko: 난수 하나를 시퀀스 전체에 썼습니다. 토큰을 모두 고르거나 하나도 고르지 않게 됩니다.
# - rng.random(token_ids.shape) < rate
# + rng.random((len(token_ids), 1)) < rate


# %% mistake="mask-skips-a-place" task="mask-tokens" misses="mask-independent" of="plain"
# The first or the last place of every sequence is never selected. Only padding is left out.
# ko: 시퀀스마다 첫 자리나 마지막 자리를 결코 고르지 않습니다. 빼는 것은 패딩뿐입니다.
# -     selected = rng.random(token_ids.shape) < rate
# +     selected = rng.random(token_ids.shape) < rate
# +     selected[:, 0] = False


# %% mistake="mask-protects-special-tokens" task="mask-tokens" misses="mask-independent" of="plain"
# `<bos>` and `<eos>` are never selected. Only padding isn't.
# ko: `<bos>`와 `<eos>`를 고르지 않습니다. 고르지 않을 것은 패딩뿐입니다.
# - token_ids != 0
# + token_ids > 2


# %% mistake="mask-selection-inverted" task="mask-tokens" misses="mask-rate mask-padding mask-labels mask-shares mask-random mask-untouched" of="plain"
# `selected` is True where a token is not selected.
# ko: `selected`가 고르지 않은 자리에서 True입니다.
# - inputs, labels, selected
# + inputs, labels, ~selected


# %% mistake="mask-squeezed" task="mask-tokens" misses="mask-labels" of="plain"
# `squeeze` without an axis also removes the batch when it holds a single sequence.
# ko: 축을 정하지 않은 `squeeze`는 시퀀스가 하나뿐이면 배치 축까지 없앱니다.
# - inputs, labels, selected
# + inputs.squeeze(), labels.squeeze(), selected.squeeze()


# %% mistake="mask-spans" task="mask-tokens" misses="mask-independent" of="plain"
# Tokens are selected in pairs of neighbours; each is to be selected by itself.
# ko: 이웃한 토큰을 둘씩 묶어 골랐습니다. 하나하나 따로 골라야 합니다.
# -     selected = rng.random(token_ids.shape) < rate
# +     half = rng.random((len(token_ids), (token_ids.shape[1] + 1) // 2)) < rate
# +     selected = np.repeat(half, 2, axis=1)[:, : token_ids.shape[1]]


# %% mistake="mask-labels-are-inputs" task="mask-tokens" misses="mask-labels" of="plain"
# The labels hold what the model reads: was the array exchanged before the labels were taken from it?
# ko: 라벨에 모델이 읽는 것이 들어 있습니다. 라벨을 만들기 전에 배열을 바꾸지 않았나요?
# - inputs, labels, selected
# + inputs, inputs, selected


# %% mistake="mask-labels-inverted" task="mask-tokens" misses="mask-labels" of="plain"
# The labels are there where nothing is selected, and missing where something is.
# ko: 고르지 않은 곳에 라벨이 있고 고른 곳에는 없습니다.
# - np.where(selected, token_ids, 0)
# + np.where(selected, 0, token_ids)


# %% mistake="mask-labels-are-the-selection" task="mask-tokens" misses="mask-labels" of="plain"
# The labels are ones and zeros; they should be the original ids.
# ko: 라벨이 1과 0입니다. 원래 ID여야 합니다.
# - np.where(selected, token_ids, 0)
# + selected.astype(int)


# %% mistake="mask-all-hidden" task="mask-tokens" misses="mask-shares mask-random" of="plain"
# Every selected token becomes the mask; 10 % are to be exchanged and 10 % kept.
# ko: 고른 토큰이 모두 마스크가 됩니다. 10%는 바꾸고 10%는 그대로 두어야 합니다.
# - selected & (fate < 0.8)
# + selected
# - selected & (fate >= 0.8) & (fate < 0.9)
# + selected & (fate > 2)


# %% mistake="mask-none-kept" task="mask-tokens" misses="mask-shares" of="plain"
# All of the remaining 20 % are exchanged; half of them are to stay.
# ko: 남은 20%를 모두 바꾸었습니다. 그 절반은 그대로 두어야 합니다.
# - selected & (fate >= 0.8) & (fate < 0.9)
# + selected & (fate >= 0.8)


# %% mistake="mask-none-exchanged" task="mask-tokens" misses="mask-shares mask-random" of="plain"
# All of the remaining 20 % are kept; half of them are to be exchanged for random tokens.
# ko: 남은 20%를 모두 그대로 두었습니다. 그 절반은 무작위 토큰으로 바꾸어야 합니다.
# - selected & (fate >= 0.8) & (fate < 0.9)
# + selected & (fate > 2)


# %% mistake="mask-a-tenth-of-the-rest" task="mask-tokens" misses="mask-shares" of="plain"
# A tenth of the tokens that aren't hidden is exchanged: of these it should be half, 10 % of all selected ones.
# ko: 가리지 않은 토큰의 10분의 1을 바꾸었습니다. 그 절반, 곧 고른 토큰 전체의 10%여야 합니다.
# - selected & (fate >= 0.8) & (fate < 0.9)
# + selected & ~hide & (rng.random(token_ids.shape) < 0.1)


# %% mistake="mask-shares-exchanged" task="mask-tokens" misses="mask-shares" of="plain"
# 80 % are exchanged for random tokens and 10 % hidden: it is the other way round.
# ko: 80%를 무작위 토큰으로 바꾸고 10%를 가렸습니다. 거꾸로입니다.
# - fate < 0.8
# + fate >= 0.8) & (fate < 0.9
# - selected & (fate >= 0.8) & (fate < 0.9)
# + selected & (fate < 0.8)


# %% mistake="mask-hides-a-tenth" task="mask-tokens" misses="mask-shares" of="plain"
# Only 10 % are hidden and 80 % kept: it is the other way round.
# ko: 10%만 가리고 80%를 그대로 두었습니다. 거꾸로입니다.
# - fate < 0.8
# + fate < 0.1
# - selected & (fate >= 0.8) & (fate < 0.9)
# + selected & (fate >= 0.9)


# %% mistake="mask-draws-again" task="mask-tokens" misses="mask-shares" of="plain"
# Whether to exchange is drawn anew with a chance of 90 %: one draw with the borders 0.8 and 0.9 gives the right shares.
# ko: 바꿀지를 90%의 확률로 새로 뽑았습니다. 한 번 뽑아 0.8과 0.9를 경계로 삼으면 됩니다.
# - selected & (fate >= 0.8) & (fate < 0.9)
# + selected & ~hide & (rng.random(token_ids.shape) < 0.9)


# %% mistake="mask-one-fate-a-sequence" task="mask-tokens" misses="mask-shares" of="plain"
# Whether a token is hidden, exchanged or kept is drawn once for a whole sequence.
# ko: 가릴지 바꿀지 그대로 둘지를 시퀀스마다 한 번만 뽑았습니다.
# - fate = rng.random(token_ids.shape)
# + fate = rng.random((len(token_ids), 1)) + np.zeros(token_ids.shape)


# %% mistake="mask-one-random-token" task="mask-tokens" misses="mask-random" of="plain"
# One random token is drawn for all that are exchanged; each needs its own.
# ko: 바꿀 토큰 모두에 무작위 토큰 하나를 썼습니다. 저마다 따로 뽑아야 합니다.
# - rng.integers(4, vocab_size, token_ids.shape)[swap]
# + rng.integers(4, vocab_size)


# %% mistake="mask-random-beyond-the-vocabulary" task="mask-tokens" misses="mask-random" of="plain"
# A random token may be `vocab_size` itself. The last id is vocab_size - 1.
# ko: 무작위 토큰이 `vocab_size`일 수도 있습니다. 마지막 ID는 vocab_size - 1입니다.
# - rng.integers(4, vocab_size, token_ids.shape)
# + rng.integers(4, vocab_size, token_ids.shape, endpoint=True)


# %% mistake="mask-random-below-ten" task="mask-tokens" misses="mask-random" of="plain"
# The random tokens come from the first ids only, not from the whole vocabulary.
# ko: 무작위 토큰이 앞쪽 ID에서만 나옵니다. 어휘 전체에서 뽑아야 합니다.
# - rng.integers(4, vocab_size, token_ids.shape)
# + rng.integers(0, 10, token_ids.shape)


# %% mistake="mask-random-never-the-last" task="mask-tokens" misses="mask-random" of="plain"
# The last id of the vocabulary is never drawn: the upper end of `rng.integers` is left out already.
# ko: 어휘의 마지막 ID가 한 번도 뽑히지 않습니다. `rng.integers`의 위쪽 끝은 이미 포함되지 않습니다.
# - rng.integers(4, vocab_size, token_ids.shape)
# + rng.integers(4, vocab_size - 1, token_ids.shape)


# %% mistake="mask-random-from-the-batch" task="mask-tokens" misses="mask-random" of="plain"
# The random tokens are taken from the batch; they should come from the whole vocabulary.
# ko: 무작위 토큰을 배치 안에서 골랐습니다. 어휘 전체에서 뽑아야 합니다.
# - rng.integers(4, vocab_size, token_ids.shape)[swap]
# + rng.permutation(token_ids[token_ids != 0])[: swap.sum()]


# %% mistake="mask-random-special" task="mask-tokens" misses="mask-random" of="plain"
# Tokens are exchanged for special ids only, such as <unk>; they should become random tokens of the vocabulary.
# ko: 토큰을 <unk> 같은 특수 ID로만 바꾸었습니다. 어휘에서 무작위로 뽑은 토큰이어야 합니다.
# - rng.integers(4, vocab_size, token_ids.shape)
# + rng.integers(1, 4, token_ids.shape)


# %% mistake="mask-in-place" task="mask-tokens" misses="mask-untouched" of="plain"
# The array that came in is changed itself. Work on a copy.
# ko: 받은 배열 자체를 바꾸었습니다. 복사해서 쓰세요.
# - token_ids.copy()
# + token_ids


# %% mistake="mask-random-everywhere" task="mask-tokens" misses="mask-padding mask-untouched" of="plain"
# The 10 % that are exchanged are taken from all tokens, not from the selected ones.
# ko: 바꿀 10%를 고른 토큰이 아니라 모든 토큰에서 뽑았습니다.
# - selected & (fate >= 0.8)
# + (fate >= 0.8)


# %% mistake="mask-global-random" task="mask-tokens" misses="mask-generator" of="plain"
# Something random comes from NumPy's global generator (`np.random.…`) instead of `rng`.
# ko: 무작위의 일부가 `rng`가 아니라 NumPy의 전역 생성기(`np.random.…`)에서 나옵니다.
# - fate = rng.random(token_ids.shape)
# + fate = np.random.random(token_ids.shape)


# %% mistake="mask-own-generator" task="mask-tokens" misses="mask-generator" of="plain"
# A generator of your own takes the place of `rng`: every call draws the same.
# ko: `rng` 대신 따로 만든 생성기를 썼습니다. 호출할 때마다 같은 것을 뽑습니다.
# -     token_ids = np.asarray(token_ids)
# +     token_ids = np.asarray(token_ids)
# +     rng = np.random.default_rng(0)


# %% mistake="encoder-without-output" task="encoder-only" misses="encoder-builds" of="plain"
# The model ends in vectors of d_model features; a Dense(vocab_size) turns them into logits.
# ko: 모델이 특징 d_model개짜리 벡터로 끝납니다. Dense(vocab_size)가 그것을 로짓으로 바꿉니다.
# - self.head(x)
# + x


# %% mistake="decoder-without-output" task="decoder-only" misses="decoder-builds" of="plain-decoder"
# The model ends in vectors of d_model features; a Dense(vocab_size) turns them into logits.
# ko: 모델이 특징 d_model개짜리 벡터로 끝납니다. Dense(vocab_size)가 그것을 로짓으로 바꿉니다.
# - self.head(x)
# + x


# %% mistake="encoder-one-position-only" task="encoder-only" misses="encoder-builds" of="plain"
# Only one position has logits; every position says something.
# ko: 한 위치의 로짓만 있습니다. 모든 위치가 무언가를 말해야 합니다.
# - self.head(x)
# + self.head(x)[:, -1]


# %% mistake="decoder-one-position-only" task="decoder-only" misses="decoder-builds" of="plain-decoder"
# Only one position has logits; every position says something.
# ko: 한 위치의 로짓만 있습니다. 모든 위치가 무언가를 말해야 합니다.
# - self.head(x)
# + self.head(x)[:, -1]


# %% mistake="encoder-fixed-length" task="encoder-only" misses="encoder-lengths encoder-padding" of="plain"
# All rows of the table of positions are added, whatever the length: take the first seq_len of them.
# ko: 길이와 상관없이 위치의 표에 있는 행을 모두 더했습니다. 앞쪽 seq_len개만 쓰세요.
# - ops.convert_to_tensor(self.table)[: ops.shape(x)[1]]
# + ops.convert_to_tensor(self.table)[:-1]


# %% mistake="decoder-fixed-length" task="decoder-only" misses="decoder-lengths" of="plain-decoder"
# All rows of the table of positions are added, whatever the length: take the first seq_len of them.
# ko: 길이와 상관없이 위치의 표에 있는 행을 모두 더했습니다. 앞쪽 seq_len개만 쓰세요.
# - ops.convert_to_tensor(self.table)[: ops.shape(x)[1]]
# + ops.convert_to_tensor(self.table)[:-1]


# %% mistake="encoder-without-positions" task="encoder-only" misses="encoder-positions" of="plain"
# No positions are added: the model can't tell the order of the tokens.
# ko: 위치를 더하지 않았습니다. 모델이 토큰의 순서를 알 수 없습니다.
# - self.positions(x)
# + self.positions(x) if isinstance(self.positions, LearnedPositionalEmbedding) else x


# %% mistake="decoder-without-positions" task="decoder-only" misses="decoder-positions" of="plain-decoder"
# No positions are added: the model can't tell the order of the tokens.
# ko: 위치를 더하지 않았습니다. 모델이 토큰의 순서를 알 수 없습니다.
# - self.positions(x)
# + self.positions(x) if isinstance(self.positions, LearnedPositionalEmbedding) else x


# %% mistake="encoder-learned-positions-ignored" task="encoder-only" misses="encoder-positions" of="plain"
# `learned_positions` changes nothing: with True there should be a trainable table (max_len, d_model).
# ko: `learned_positions`를 주어도 달라지는 것이 없습니다. True이면 학습되는 표 (max_len, d_model)이 있어야 합니다.
# - LearnedPositionalEmbedding(max_len, d_model) if learned_positions else Positions(max_len, d_model)
# + Positions(max_len, d_model)


# %% mistake="encoder-always-learned-positions" task="encoder-only" misses="encoder-positions" of="plain"
# The positions are learned by default. Without learned_positions=True they are the sinusoidal ones.
# ko: 기본값이 학습되는 위치입니다. learned_positions=True가 아니면 사인과 코사인의 위치를 씁니다.
# - dropout=0.1, learned_positions=False
# + dropout=0.1, learned_positions=True


# %% mistake="encoder-learned-positions-alone" task="encoder-only" misses="encoder-positions" of="plain"
# With learned positions the tokens' embeddings are lost: add the positions to them.
# ko: 위치를 학습할 때 토큰의 임베딩이 사라집니다. 위치를 임베딩에 더하세요.
# -         x = self.positions(x)
# +         x = self.positions(0 * x if isinstance(self.positions, LearnedPositionalEmbedding) else x)


# %% mistake="encoder-learned-positions-not-added" task="encoder-only" misses="encoder-positions" of="plain"
# The learned positions are computed, but what comes of it isn't used.
# ko: 학습되는 위치를 계산하고는 그 결과를 쓰지 않았습니다.
# -         x = self.positions(x)
# +         placed = self.positions(x)
# +         x = x if isinstance(self.positions, LearnedPositionalEmbedding) else placed


# %% mistake="encoder-learned-positions-unmasked" task="encoder-only" misses="encoder-positions" of="plain"
# With learned positions padding isn't hidden: the mask has nothing to do with the kind of positions.
# ko: 위치를 학습할 때 패딩을 가리지 않습니다. 마스크는 위치의 종류와 상관이 없습니다.
# -         keep = ops.broadcast_to(keep, (ops.shape(ids)[0], length, length))
# +         keep = ops.broadcast_to(keep, (ops.shape(ids)[0], length, length))
# +         if isinstance(self.positions, LearnedPositionalEmbedding):
# +             keep = ops.ones_like(keep)


# %% mistake="decoder-learned-positions-ignored" task="decoder-only" misses="decoder-positions" of="plain-decoder"
# `learned_positions` changes nothing: with True there should be a trainable table (max_len, d_model).
# ko: `learned_positions`를 주어도 달라지는 것이 없습니다. True이면 학습되는 표 (max_len, d_model)이 있어야 합니다.
# - LearnedPositionalEmbedding(max_len, d_model) if learned_positions else Positions(max_len, d_model)
# + Positions(max_len, d_model)


# %% mistake="decoder-always-learned-positions" task="decoder-only" misses="decoder-positions" of="plain-decoder"
# The positions are learned by default. Without learned_positions=True they are the sinusoidal ones.
# ko: 기본값이 학습되는 위치입니다. learned_positions=True가 아니면 사인과 코사인의 위치를 씁니다.
# - dropout=0.1, learned_positions=False
# + dropout=0.1, learned_positions=True


# %% mistake="decoder-learned-positions-alone" task="decoder-only" misses="decoder-positions" of="plain-decoder"
# With learned positions the tokens' embeddings are lost: add the positions to them.
# ko: 위치를 학습할 때 토큰의 임베딩이 사라집니다. 위치를 임베딩에 더하세요.
# -         x = self.positions(x)
# +         x = self.positions(0 * x if isinstance(self.positions, LearnedPositionalEmbedding) else x)


# %% mistake="decoder-learned-positions-not-added" task="decoder-only" misses="decoder-positions" of="plain-decoder"
# The learned positions are computed, but what comes of it isn't used.
# ko: 학습되는 위치를 계산하고는 그 결과를 쓰지 않았습니다.
# -         x = self.positions(x)
# +         placed = self.positions(x)
# +         x = x if isinstance(self.positions, LearnedPositionalEmbedding) else placed


# %% mistake="decoder-learned-positions-unmasked" task="decoder-only" misses="decoder-positions" of="plain-decoder"
# With learned positions padding isn't hidden: the mask has nothing to do with the kind of positions.
# ko: 위치를 학습할 때 패딩을 가리지 않습니다. 마스크는 위치의 종류와 상관이 없습니다.
# -         keep = ops.not_equal(ids, 0)[:, None, :]
# +         keep = ops.not_equal(ids, 0)[:, None, :]
# +         if isinstance(self.positions, LearnedPositionalEmbedding):
# +             keep = ops.ones_like(keep)


# %% mistake="encoder-softmax" task="encoder-only" misses="encoder-values" of="plain"
# The model ends in a softmax; the loss expects logits.
# ko: 모델이 소프트맥스로 끝납니다. 손실은 로짓을 받습니다.
# - keras.layers.Dense(vocab_size)
# + keras.layers.Dense(vocab_size, activation="softmax")


# %% mistake="decoder-softmax" task="decoder-only" misses="decoder-values" of="plain-decoder"
# The model ends in a softmax; the loss expects logits.
# ko: 모델이 소프트맥스로 끝납니다. 손실은 로짓을 받습니다.
# - keras.layers.Dense(vocab_size)
# + keras.layers.Dense(vocab_size, activation="softmax")


# %% mistake="encoder-without-last-norm" task="encoder-only" misses="encoder-values" of="plain"
# Pre-norm blocks leave an unnormalised sum: a normalisation belongs after the last block.
# ko: 사전 정규화 블록이 내놓는 것은 정규화되지 않은 합입니다. 마지막 블록 뒤에 정규화가 하나 더 있어야 합니다.
# - 2 * num_layers + 1
# + 2 * num_layers
# -         x = self.norms[-1](x)


# %% mistake="decoder-without-last-norm" task="decoder-only" misses="decoder-values" of="plain-decoder"
# Pre-norm blocks leave an unnormalised sum: a normalisation belongs after the last block.
# ko: 사전 정규화 블록이 내놓는 것은 정규화되지 않은 합입니다. 마지막 블록 뒤에 정규화가 하나 더 있어야 합니다.
# - 2 * num_layers + 1
# + 2 * num_layers
# -         x = self.norms[-1](x)


# %% mistake="encoder-one-block-for-all" task="encoder-only" misses="encoder-count" of="plain"
# One block is used over and over instead of num_layers blocks with weights of their own.
# ko: 가중치가 저마다 다른 num_layers개의 블록 대신 블록 하나를 거듭 썼습니다.
# - [keras.layers.MultiHeadAttention(num_heads, d_model // num_heads) for _ in range(num_layers)]
# + [keras.layers.MultiHeadAttention(num_heads, d_model // num_heads) for _ in range(1)] * num_layers
# - [keras.layers.Dense(ff_dim, activation="relu") for _ in range(num_layers)]
# + [keras.layers.Dense(ff_dim, activation="relu")] * num_layers
# - [keras.layers.Dense(d_model) for _ in range(num_layers)]
# + [keras.layers.Dense(d_model)] * num_layers
# - 2 * num_layers + 1
# + 3
# - self.norms[2 * i]
# + self.norms[0]
# - 2 * i + 1
# + 1


# %% mistake="decoder-one-block-for-all" task="decoder-only" misses="decoder-count" of="plain-decoder"
# One block is used over and over instead of num_layers blocks with weights of their own.
# ko: 가중치가 저마다 다른 num_layers개의 블록 대신 블록 하나를 거듭 썼습니다.
# - [keras.layers.MultiHeadAttention(num_heads, d_model // num_heads) for _ in range(num_layers)]
# + [keras.layers.MultiHeadAttention(num_heads, d_model // num_heads) for _ in range(1)] * num_layers
# - [keras.layers.Dense(ff_dim, activation="relu") for _ in range(num_layers)]
# + [keras.layers.Dense(ff_dim, activation="relu")] * num_layers
# - [keras.layers.Dense(d_model) for _ in range(num_layers)]
# + [keras.layers.Dense(d_model)] * num_layers
# - 2 * num_layers + 1
# + 3
# - self.norms[2 * i]
# + self.norms[0]
# - 2 * i + 1
# + 1


# %% mistake="encoder-ff-dim-ignored" task="encoder-only" misses="encoder-count" of="plain"
# The feed-forward networks are 4 * d_model wide, whatever ff_dim says.
# ko: ff_dim과 상관없이 피드포워드 신경망의 안쪽 너비가 4 * d_model입니다.
# - keras.layers.Dense(ff_dim, activation="relu")
# + keras.layers.Dense(4 * d_model, activation="relu")


# %% mistake="decoder-ff-dim-ignored" task="decoder-only" misses="decoder-count" of="plain-decoder"
# The feed-forward networks are 4 * d_model wide, whatever ff_dim says.
# ko: ff_dim과 상관없이 피드포워드 신경망의 안쪽 너비가 4 * d_model입니다.
# - keras.layers.Dense(ff_dim, activation="relu")
# + keras.layers.Dense(4 * d_model, activation="relu")


# %% mistake="encoder-without-feed-forward" task="encoder-only" misses="encoder-count" of="plain"
# The blocks have no feed-forward network.
# ko: 블록에 피드포워드 신경망이 없습니다.
# - 2 * num_layers + 1
# + 2 * num_layers
# - self.norms[2 * i]
# + self.norms[i]
# -             y = self.norms[2 * i + 1](x)
# -             y = self.outer[i](self.inner[i](y))
# -             x = x + self.drop(y, training=training)
# -         x = self.norms[-1](x)
# +         x = self.norms[len(self.attentions)](x)


# %% mistake="decoder-without-feed-forward" task="decoder-only" misses="decoder-count" of="plain-decoder"
# The blocks have no feed-forward network.
# ko: 블록에 피드포워드 신경망이 없습니다.
# - 2 * num_layers + 1
# + 2 * num_layers
# - self.norms[2 * i]
# + self.norms[i]
# -             y = self.norms[2 * i + 1](x)
# -             y = self.outer[i](self.inner[i](y))
# -             x = x + self.drop(y, training=training)
# -         x = self.norms[-1](x)
# +         x = self.norms[len(self.attentions)](x)


# %% mistake="encoder-wide-heads" task="encoder-only" misses="encoder-count" of="plain"
# Every head is d_model wide: key_dim is the width of one head, d_model // num_heads.
# ko: 헤드마다 너비가 d_model입니다. key_dim은 헤드 하나의 너비인 d_model // num_heads입니다.
# - d_model // num_heads
# + d_model


# %% mistake="decoder-wide-heads" task="decoder-only" misses="decoder-count" of="plain-decoder"
# Every head is d_model wide: key_dim is the width of one head, d_model // num_heads.
# ko: 헤드마다 너비가 d_model입니다. key_dim은 헤드 하나의 너비인 d_model // num_heads입니다.
# - d_model // num_heads
# + d_model


# %% mistake="encoder-one-head" task="encoder-only" misses="encoder-values" of="plain"
# The attentions have one head, whatever num_heads says.
# ko: num_heads와 상관없이 어텐션의 헤드가 하나입니다.
# - keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)
# + keras.layers.MultiHeadAttention(1, d_model)


# %% mistake="decoder-one-head" task="decoder-only" misses="decoder-values" of="plain-decoder"
# The attentions have one head, whatever num_heads says.
# ko: num_heads와 상관없이 어텐션의 헤드가 하나입니다.
# - keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)
# + keras.layers.MultiHeadAttention(1, d_model)


# %% mistake="encoder-heads-and-width-exchanged" task="encoder-only" misses="encoder-values" of="plain"
# The number of heads and the width of a head are exchanged.
# ko: 헤드의 수와 헤드 하나의 너비가 바뀌었습니다.
# - keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)
# + keras.layers.MultiHeadAttention(d_model // num_heads, num_heads)


# %% mistake="decoder-heads-and-width-exchanged" task="decoder-only" misses="decoder-values" of="plain-decoder"
# The number of heads and the width of a head are exchanged.
# ko: 헤드의 수와 헤드 하나의 너비가 바뀌었습니다.
# - keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)
# + keras.layers.MultiHeadAttention(d_model // num_heads, num_heads)


# %% mistake="encoder-positions-twice" task="encoder-only" misses="encoder-values" of="plain"
# The positions are added twice.
# ko: 위치를 두 번 더했습니다.
# -         x = self.positions(x)
# +         x = self.positions(x)
# +         x = self.positions(x)


# %% mistake="decoder-positions-twice" task="decoder-only" misses="decoder-values" of="plain-decoder"
# The positions are added twice.
# ko: 위치를 두 번 더했습니다.
# -         x = self.positions(x)
# +         x = self.positions(x)
# +         x = self.positions(x)


# %% mistake="encoder-positions-scaled" task="encoder-only" misses="encoder-values" of="plain"
# The positions are multiplied by the root of d_model as well: multiply the embedding first, then add them.
# ko: 위치에도 d_model의 제곱근을 곱했습니다. 먼저 임베딩에 곱하고 그다음에 위치를 더하세요.
# -         x = self.embedding(ids) * self.scale
# -         x = self.positions(x)
# +         x = self.positions(self.embedding(ids)) * self.scale


# %% mistake="decoder-positions-scaled" task="decoder-only" misses="decoder-values" of="plain-decoder"
# The positions are multiplied by the root of d_model as well: multiply the embedding first, then add them.
# ko: 위치에도 d_model의 제곱근을 곱했습니다. 먼저 임베딩에 곱하고 그다음에 위치를 더하세요.
# -         x = self.embedding(ids) * self.scale
# -         x = self.positions(x)
# +         x = self.positions(self.embedding(ids)) * self.scale


# %% mistake="encoder-positions-from-1" task="encoder-only" misses="encoder-values" of="plain"
# The positions begin at 1. The first token gets row 0 of the table.
# ko: 위치가 1에서 시작합니다. 첫 토큰은 표의 0번 행을 받습니다.
# - ops.convert_to_tensor(self.table)
# + ops.convert_to_tensor(self.table[1:])


# %% mistake="decoder-positions-from-1" task="decoder-only" misses="decoder-values" of="plain-decoder"
# The positions begin at 1. The first token gets row 0 of the table.
# ko: 위치가 1에서 시작합니다. 첫 토큰은 표의 0번 행을 받습니다.
# - ops.convert_to_tensor(self.table)
# + ops.convert_to_tensor(self.table[1:])


# %% mistake="encoder-first-block-only" task="encoder-only" misses="encoder-values" of="plain"
# Each block gets the embeddings instead of what the block before it gave: only one of them counts.
# ko: 블록이 앞 블록의 출력이 아니라 임베딩을 받습니다. 블록 하나만 쓰인 셈입니다.
# -         for i in range(len(self.attentions)):
# +         embedded = x
# +         for i in reversed(range(len(self.attentions))):
# +             x = embedded


# %% mistake="decoder-first-block-only" task="decoder-only" misses="decoder-values" of="plain-decoder"
# Each block gets the embeddings instead of what the block before it gave: only one of them counts.
# ko: 블록이 앞 블록의 출력이 아니라 임베딩을 받습니다. 블록 하나만 쓰인 셈입니다.
# -         for i in range(len(self.attentions)):
# +         embedded = x
# +         for i in reversed(range(len(self.attentions))):
# +             x = embedded


# %% mistake="encoder-embedding-scaled-twice" task="encoder-only" misses="encoder-values" of="plain"
# The embedding is multiplied by d_model, its root twice.
# ko: 임베딩에 d_model을 곱했습니다. 제곱근을 두 번 곱한 셈입니다.
# - self.embedding(ids) * self.scale
# + self.embedding(ids) * self.scale**2


# %% mistake="decoder-embedding-scaled-twice" task="decoder-only" misses="decoder-values" of="plain-decoder"
# The embedding is multiplied by d_model, its root twice.
# ko: 임베딩에 d_model을 곱했습니다. 제곱근을 두 번 곱한 셈입니다.
# - self.embedding(ids) * self.scale
# + self.embedding(ids) * self.scale**2


# %% mistake="encoder-dropout-always" task="encoder-only" misses="encoder-dropout" of="plain"
# Dropout is at work outside training as well.
# ko: 학습 때가 아닌데도 드롭아웃이 일어납니다.
# - self.drop(x, training=training)
# + self.drop(x, training=True)


# %% mistake="decoder-dropout-always" task="decoder-only" misses="decoder-dropout" of="plain-decoder"
# Dropout is at work outside training as well.
# ko: 학습 때가 아닌데도 드롭아웃이 일어납니다.
# - self.drop(x, training=training)
# + self.drop(x, training=True)


# %% mistake="encoder-without-dropout" task="encoder-only" misses="encoder-dropout" of="plain"
# `dropout` is never used.
# ko: `dropout`을 쓰지 않았습니다.
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(0.0)


# %% mistake="decoder-without-dropout" task="decoder-only" misses="decoder-dropout" of="plain-decoder"
# `dropout` is never used.
# ko: `dropout`을 쓰지 않았습니다.
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(0.0)


# %% mistake="encoder-share-that-stays" task="encoder-only" misses="encoder-dropout" of="plain"
# `dropout` is the share that is dropped, not the share that stays.
# ko: `dropout`은 남기는 비율이 아니라 버리는 비율입니다.
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(1 - dropout)


# %% mistake="encoder-dropout-fixed" task="encoder-only" misses="encoder-dropout" of="plain"
# The dropout rate is fixed, whatever `dropout` says.
# ko: `dropout`과 상관없이 드롭아웃 비율이 고정되어 있습니다.
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(0.1)


# %% mistake="encoder-other-default-rate" task="encoder-only" misses="encoder-dropout" of="plain"
# The default of `dropout` is another than 0.1.
# ko: `dropout`의 기본값이 0.1이 아닙니다.
# - ff_dim, dropout=0.1, learned_positions
# + ff_dim, dropout=0.2, learned_positions


# %% mistake="encoder-learned-positions-not-dropped" task="encoder-only" misses="encoder-dropout" of="plain"
# With learned positions the sum of embedding and positions isn't dropped in training.
# ko: 위치를 학습할 때는 임베딩과 위치의 합에 드롭아웃이 일어나지 않습니다.
# - self.drop(x, training=training)
# + x if isinstance(self.positions, LearnedPositionalEmbedding) else self.drop(x, training=training)


# %% mistake="encoder-blocks-without-dropout" task="encoder-only" misses="encoder-dropout" of="plain"
# `dropout` reaches the embeddings, but not the blocks.
# ko: `dropout`이 임베딩에는 전달되지만 블록에는 전달되지 않습니다.
# - x = self.drop(x, training=training)
# + x, training = self.drop(x, training=training), False


# %% mistake="encoder-learned-positions-dropped-always" task="encoder-only" misses="encoder-positions encoder-dropout" of="plain"
# With learned positions dropout is at work outside training as well.
# ko: 위치를 학습할 때는 학습 때가 아닌데도 드롭아웃이 일어납니다.
# - self.drop(x, training=training)
# + self.drop(x, training=True if isinstance(self.positions, LearnedPositionalEmbedding) else training)


# %% mistake="decoder-share-that-stays" task="decoder-only" misses="decoder-dropout" of="plain-decoder"
# `dropout` is the share that is dropped, not the share that stays.
# ko: `dropout`은 남기는 비율이 아니라 버리는 비율입니다.
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(1 - dropout)


# %% mistake="decoder-dropout-fixed" task="decoder-only" misses="decoder-dropout" of="plain-decoder"
# The dropout rate is fixed, whatever `dropout` says.
# ko: `dropout`과 상관없이 드롭아웃 비율이 고정되어 있습니다.
# - keras.layers.Dropout(dropout)
# + keras.layers.Dropout(0.1)


# %% mistake="decoder-other-default-rate" task="decoder-only" misses="decoder-dropout" of="plain-decoder"
# The default of `dropout` is another than 0.1.
# ko: `dropout`의 기본값이 0.1이 아닙니다.
# - ff_dim, dropout=0.1, learned_positions
# + ff_dim, dropout=0.2, learned_positions


# %% mistake="decoder-learned-positions-not-dropped" task="decoder-only" misses="decoder-dropout" of="plain-decoder"
# With learned positions the sum of embedding and positions isn't dropped in training.
# ko: 위치를 학습할 때는 임베딩과 위치의 합에 드롭아웃이 일어나지 않습니다.
# - self.drop(x, training=training)
# + x if isinstance(self.positions, LearnedPositionalEmbedding) else self.drop(x, training=training)


# %% mistake="encoder-no-padding-mask" task="encoder-only" misses="encoder-padding" of="plain"
# Padding isn't hidden at all.
# ko: 패딩을 전혀 가리지 않았습니다.
# - ops.not_equal(ids, 0)
# + ops.not_equal(ids, -1)


# %% mistake="decoder-no-padding-mask" task="decoder-only" misses="decoder-padding" of="plain-decoder"
# Padding isn't hidden at all.
# ko: 패딩을 전혀 가리지 않았습니다.
# - ops.not_equal(ids, 0)
# + ops.not_equal(ids, -1)


# %% mistake="decoder-padding-zeroed" task="decoder-only" misses="decoder-padding" of="plain-decoder"
# The embeddings of padding are set to 0, but its places are still looked at. A mask hides a place, zeros don't.
# ko: 패딩의 임베딩을 0으로 만들었지만 그 자리는 여전히 보입니다. 자리를 가리는 것은 마스크이지 0이 아닙니다.
# - ops.not_equal(ids, 0)[:, None, :]
# + ops.ones_like(ids, dtype="bool")[:, None, :]
# - self.embedding(ids) * self.scale
# + self.embedding(ids) * self.scale * ops.cast(ops.not_equal(ids, 0), "float32")[..., None]


# %% mistake="encoder-padding-mask-inverted" task="encoder-only" misses="encoder-padding encoder-values" of="plain"
# The padding mask is upside down: Keras's attention_mask says what may be attended to.
# ko: 패딩 마스크가 뒤집혔습니다. 케라스의 attention_mask는 보아도 되는 것을 알려 줍니다.
# - ops.not_equal
# + ops.equal


# %% mistake="decoder-padding-mask-inverted" task="decoder-only" misses="decoder-causal decoder-padding" of="plain-decoder"
# The padding mask is upside down: Keras's attention_mask says what may be attended to.
# ko: 패딩 마스크가 뒤집혔습니다. 케라스의 attention_mask는 보아도 되는 것을 알려 줍니다.
# - ops.not_equal
# + ops.equal


# %% mistake="encoder-padding-mask-on-queries" task="encoder-only" misses="encoder-padding" of="plain"
# The mask hides padding as queries (rows). It must hide padding as keys (columns), from every query.
# ko: 마스크가 패딩을 쿼리(행)로서 가립니다. 모든 쿼리에게서 키(열)로서 가려야 합니다.
# - :, None, :
# + :, :, None


# %% mistake="decoder-padding-mask-on-queries" task="decoder-only" misses="decoder-padding" of="plain-decoder"
# The mask hides padding as queries (rows). It must hide padding as keys (columns), from every query.
# ko: 마스크가 패딩을 쿼리(행)로서 가립니다. 모든 쿼리에게서 키(열)로서 가려야 합니다.
# - :, None, :
# + :, :, None


# %% mistake="encoder-with-memory-attention" task="encoder-only" misses="encoder-count" of="plain"
# There is an attention over memory in the blocks: without an encoder beside it there is nothing to look at.
# ko: 블록에 메모리를 보는 교차 어텐션이 있습니다. 옆에 인코더가 없으니 볼 것이 없습니다.
# -         self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(2 * num_layers + 1)]
# +         self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(2 * num_layers + 1)]
# +         self.crosses = [keras.layers.MultiHeadAttention(num_heads, d_model // num_heads) for _ in range(num_layers)]
# +         self.cross_norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(num_layers)]
# -             y = self.norms[2 * i + 1](x)
# +             y = self.cross_norms[i](x)
# +             x = x + self.crosses[i](y, y, attention_mask=keep)
# +             y = self.norms[2 * i + 1](x)


# %% mistake="decoder-with-memory-attention" task="decoder-only" misses="decoder-count" of="plain-decoder"
# There is an attention over memory in the blocks: without an encoder beside it there is nothing to look at.
# ko: 블록에 메모리를 보는 교차 어텐션이 있습니다. 옆에 인코더가 없으니 볼 것이 없습니다.
# -         self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(2 * num_layers + 1)]
# +         self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(2 * num_layers + 1)]
# +         self.crosses = [keras.layers.MultiHeadAttention(num_heads, d_model // num_heads) for _ in range(num_layers)]
# +         self.cross_norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(num_layers)]
# -             y = self.norms[2 * i + 1](x)
# +             y = self.cross_norms[i](x)
# +             x = x + self.crosses[i](y, y, attention_mask=keep)
# +             y = self.norms[2 * i + 1](x)


# %% mistake="encoder-causal" task="encoder-only" misses="encoder-both-sides" of="plain"
# No position sees a later token: that is a decoder. BERT looks at both sides.
# ko: 어느 위치도 뒤의 토큰을 보지 못합니다. 그것은 디코더입니다. BERT는 양쪽을 봅니다.
# - attention_mask=keep
# + attention_mask=keep, use_causal_mask=True


# %% mistake="encoder-no-attention" task="encoder-only" misses="encoder-both-sides" of="plain"
# No position sees another one: does what the attention gives reach the output?
# ko: 어느 위치도 다른 위치를 보지 못합니다. 어텐션의 결과가 출력에 이르나요?
# - self.attentions[i](y, y, attention_mask=keep)
# + self.attentions[i](y[:, :0], y[:, :0]) if False else 0 * self.attentions[i](y, y, attention_mask=keep)


# %% mistake="decoder-no-attention" task="decoder-only" misses="decoder-causal" of="plain-decoder"
# No position sees another one: does what the attention gives reach the output?
# ko: 어느 위치도 다른 위치를 보지 못합니다. 어텐션의 결과가 출력에 이르나요?
# - self.attentions[i]
# + 0 * self.attentions[i]


# %% mistake="decoder-no-look-ahead-mask" task="decoder-only" misses="decoder-causal" of="plain-decoder"
# Nothing hides the future: this is the encoder. Each position may see itself and what is before it.
# ko: 미래를 가리는 것이 없습니다. 이것은 인코더입니다. 위치마다 자기 자신과 앞의 것만 보아야 합니다.
# -         keep = ops.logical_and(keep, past[None])


# %% mistake="decoder-look-ahead-inverted" task="decoder-only" misses="decoder-causal decoder-padding" of="plain-decoder"
# The look-ahead mask is upside down: it hides the past. In Keras's attention_mask 1 may be attended to.
# ko: 룩어헤드 마스크가 뒤집혀 과거를 가립니다. 케라스의 attention_mask에서는 1인 곳을 볼 수 있습니다.
# - position[None, :] <= position[:, None]
# + position[None, :] > position[:, None]


# %% mistake="decoder-look-ahead-transposed" task="decoder-only" misses="decoder-causal" of="plain-decoder"
# Rows and columns of the look-ahead mask are exchanged: each position sees itself and its future.
# ko: 룩어헤드 마스크의 행과 열이 바뀌었습니다. 위치마다 자기 자신과 미래를 봅니다.
# - position[None, :] <= position[:, None]
# + position[None, :] >= position[:, None]


# %% mistake="decoder-look-ahead-one-step-late" task="decoder-only" misses="decoder-causal" of="plain-decoder"
# The look-ahead mask lets one later step through: every token can read its own answer.
# ko: 룩어헤드 마스크가 한 칸 뒤까지 보여 줍니다. 모든 토큰이 자기 답을 읽을 수 있습니다.
# - position[:, None]
# + position[:, None] + 1


# %% mistake="decoder-hides-itself" task="decoder-only" misses="decoder-causal decoder-padding" of="plain-decoder"
# The look-ahead mask hides each position from itself, too. Each may see itself.
# ko: 룩어헤드 마스크가 자기 자신까지 가립니다. 위치마다 자기 자신은 보아야 합니다.
# - position[None, :] <= position[:, None]
# + position[None, :] < position[:, None]


# %% mistake="pooling-over-features" task="pooling" misses="pooling-shape" of="plain"
# The mean is taken over the features; it is taken over the positions, axis 1.
# ko: 특징에 대해 평균했습니다. 위치, 곧 1번 축에 대해 평균해야 합니다.
# - ops.sum(x * kept, axis=1)
# + ops.sum(x * kept, axis=2)
# - ops.sum(kept, axis=1)
# + ops.sum(kept, axis=1) + 0 * kept[:, :, 0]


# %% mistake="pooling-over-batch" task="pooling" misses="pooling-shape" of="plain"
# The mean is taken over the batch; it is taken over the positions, axis 1.
# ko: 배치에 대해 평균했습니다. 위치, 곧 1번 축에 대해 평균해야 합니다.
# - ops.sum(x * kept, axis=1)
# + ops.sum(x * kept, axis=0)
# - ops.sum(kept, axis=1)
# + ops.sum(kept, axis=0)


# %% mistake="pooling-keeps-the-axis" task="pooling" misses="pooling-shape" of="plain"
# The axis of positions is still there, with length 1.
# ko: 위치의 축이 길이 1로 남아 있습니다.
# - ops.sum(x * kept, axis=1)
# + ops.sum(x * kept, axis=1, keepdims=True)
# - ops.sum(kept, axis=1)
# + ops.sum(kept, axis=1, keepdims=True)


# %% mistake="pooling-not-summed" task="pooling" misses="pooling-shape" of="plain"
# The padding is set to 0, but nothing is averaged.
# ko: 패딩을 0으로 만들었지만 평균하지 않았습니다.
# - total / ops.maximum(count, 1.0)
# + x * kept


# %% mistake="pooling-counts-two-at-least" task="pooling" misses="pooling-mean pooling-pad-id" of="plain"
# The sum is divided by at least 2, which halves a sequence of one token. Only a count of 0 needs help.
# ko: 합을 2 이상으로 나누므로 토큰이 하나인 시퀀스의 값이 절반이 됩니다. 개수가 0일 때만 따로 다루면 됩니다.
# - ops.maximum(count, 1.0)
# + ops.maximum(count, 2.0)


# %% mistake="pooling-counts-padding" task="pooling" misses="pooling-mean pooling-pad-id pooling-empty" of="plain"
# This is the mean over everything, padding included.
# ko: 패딩까지 모두 평균한 값입니다.
# - total / ops.maximum(count, 1.0)
# + ops.mean(x, axis=1)


# %% mistake="pooling-divides-by-length" task="pooling" misses="pooling-mean pooling-pad-id" of="plain"
# The sum leaves the padding out, but it is divided by seq_len instead of the number of tokens.
# ko: 합에서는 패딩을 뺐지만 토큰의 수가 아니라 seq_len으로 나누었습니다.
# - ops.maximum(count, 1.0)
# + ops.shape(x)[1]


# %% mistake="pooling-sum" task="pooling" misses="pooling-mean pooling-pad-id" of="plain"
# This is the sum of the tokens' vectors; divide by their number.
# ko: 토큰 벡터의 합입니다. 토큰의 수로 나누세요.
# - total / ops.maximum(count, 1.0)
# + total


# %% mistake="pooling-mask-inverted" task="pooling" misses="pooling-mean pooling-pad-id pooling-empty" of="plain"
# The mask is upside down: this is the mean of the padding.
# ko: 마스크가 뒤집혔습니다. 패딩의 평균입니다.
# - ops.not_equal
# + ops.equal


# %% mistake="pooling-max" task="pooling" misses="pooling-mean pooling-pad-id pooling-empty" of="plain"
# This is the largest value of each feature, not the mean.
# ko: 특징마다의 평균이 아니라 최댓값입니다.
# - total / ops.maximum(count, 1.0)
# + ops.max(x - 1e9 * (1 - kept), axis=1)


# %% mistake="pooling-max-with-padding" task="pooling" misses="pooling-mean pooling-pad-id pooling-empty" of="plain"
# This is the largest value of each feature, padding included; it should be the tokens' mean.
# ko: 패딩까지 넣은 특징마다의 최댓값입니다. 토큰의 평균이어야 합니다.
# - total / ops.maximum(count, 1.0)
# + ops.max(x, axis=1)


# %% mistake="pooling-first-position" task="pooling" misses="pooling-mean pooling-pad-id pooling-empty" of="plain"
# This is the vector of the first position, not a mean.
# ko: 평균이 아니라 첫 위치의 벡터입니다.
# - total / ops.maximum(count, 1.0)
# + x[:, 0]


# %% mistake="pooling-root-of-count" task="pooling" misses="pooling-mean pooling-pad-id" of="plain"
# The sum is divided by the root of the number of tokens instead of the number.
# ko: 합을 토큰의 수가 아니라 그 제곱근으로 나누었습니다.
# - ops.maximum(count, 1.0)
# + ops.sqrt(ops.maximum(count, 1.0))


# %% mistake="pooling-padding-at-the-end" task="pooling" misses="pooling-mean pooling-pad-id" of="plain"
# It averages the first positions, as many as there are tokens. Padding may stand anywhere.
# ko: 토큰의 수만큼 앞쪽 위치를 평균했습니다. 패딩은 어디에나 있을 수 있습니다.
# -     total = ops.sum(x * kept, axis=1)
# +     front = ops.cast(ops.arange(ops.shape(x)[1])[None, :] < ops.cast(ops.sum(kept, axis=(1, 2))[:, None], "int32"), "float32")
# +     total = ops.sum(x * front[..., None], axis=1)


# %% mistake="pooling-whole-batch" task="pooling" misses="pooling-mean pooling-pad-id" of="plain"
# All sequences of the batch are averaged together.
# ko: 배치의 모든 시퀀스를 한꺼번에 평균했습니다.
# - total / ops.maximum(count, 1.0)
# + ops.sum(total, axis=0, keepdims=True) / ops.sum(count) * ops.cast(count > 0, 'float32')


# %% mistake="pooling-mean-count" task="pooling" misses="pooling-mean pooling-pad-id" of="plain"
# All sequences are divided by the same number, the mean number of tokens.
# ko: 모든 시퀀스를 같은 수, 곧 토큰 수의 평균으로 나누었습니다.
# - ops.maximum(count, 1.0)
# + ops.mean(count)


# %% mistake="pooling-sum-of-everything" task="pooling" misses="pooling-mean pooling-pad-id pooling-empty" of="plain"
# The sum holds the padding; only the count leaves it out.
# ko: 합에 패딩이 들어 있습니다. 개수에서만 뺐습니다.
# - x * kept
# + x


# %% mistake="pooling-pad-id-ignored" task="pooling" misses="pooling-pad-id" of="plain"
# It always leaves out id 0; look at `pad_id`.
# ko: 언제나 ID 0을 뺐습니다. `pad_id`를 보세요.
# - ops.not_equal(token_ids, pad_id)
# + ops.not_equal(token_ids, 0)


# %% mistake="pooling-zero-too" task="pooling" misses="pooling-pad-id" of="plain"
# It leaves out id 0 besides `pad_id`.
# ko: `pad_id`뿐 아니라 ID 0도 뺐습니다.
# - ops.not_equal(token_ids, pad_id)
# + ops.logical_and(ops.not_equal(token_ids, pad_id), ops.not_equal(token_ids, 0))


# %% mistake="pooling-empty-nan" task="pooling" misses="pooling-empty" of="plain"
# Where all is padding, 0 is divided by 0: a NaN.
# ko: 모두 패딩이면 0을 0으로 나누어 NaN이 됩니다.
# - ops.maximum(count, 1.0)
# + count


# %% mistake="pooling-empty-mean" task="pooling" misses="pooling-empty" of="plain"
# Where all is padding, the padding is averaged; there should be zeros.
# ko: 모두 패딩일 때 패딩을 평균했습니다. 0이어야 합니다.
# - total / ops.maximum(count, 1.0)
# + ops.where(count > 0, total / ops.maximum(count, 1.0), ops.mean(x, axis=1))


# %% mistake="pooling-empty-spoils-all" task="pooling" misses="pooling-empty" of="plain"
# If one sequence is all padding, every sequence of the batch gets zeros.
# ko: 한 시퀀스가 모두 패딩이면 배치의 모든 시퀀스가 0이 됩니다.
# - ops.maximum(count, 1.0)
# + ops.maximum(count, 1.0) * float(ops.min(count) > 0)


# %% mistake="pooling-squeezed" task="pooling" misses="pooling-empty" of="plain"
# `squeeze` without an axis also removes the batch when it holds a single sequence.
# ko: 축을 정하지 않은 `squeeze`는 시퀀스가 하나뿐이면 배치 축까지 없앱니다.
# - total / ops.maximum(count, 1.0)
# + ops.squeeze(total / ops.maximum(count, 1.0))


# %% mistake="sample-probabilities" task="sampling" misses="sample-shape" of="plain"
# The probabilities are returned; draw a token from them.
# ko: 확률을 돌려주었습니다. 거기서 토큰을 뽑으세요.
# - (edges <= dart).sum(axis=-1)
# + chances


# %% mistake="sample-keeps-the-axis" task="sampling" misses="sample-shape" of="plain"
# The answer has an axis of length 1 too many: one id a row is (batch,).
# ko: 길이 1인 축이 하나 남았습니다. 행마다 ID 하나이므로 (batch,)입니다.
# - (edges <= dart).sum(axis=-1)
# + (edges <= dart).sum(axis=-1, keepdims=True)


# %% mistake="sample-one-row" task="sampling" misses="sample-shape" of="plain"
# Only one row is drawn from; every row of the batch needs a token.
# ko: 한 행에서만 뽑았습니다. 배치의 모든 행에서 뽑아야 합니다.
# - (edges <= dart).sum(axis=-1)
# + (edges <= dart).sum(axis=-1)[0]


# %% mistake="sample-always-greedy" task="sampling" misses="sample-frequencies" of="plain"
# The likeliest token is always taken; nothing is drawn.
# ko: 언제나 가장 그럴듯한 토큰을 골랐습니다. 뽑지 않았습니다.
# - (edges <= dart).sum
# + chances.argmax


# %% mistake="sample-uniform" task="sampling" misses="sample-frequencies" of="plain"
# All tokens are equally likely to be drawn, whatever their logits.
# ko: 로짓과 상관없이 모든 토큰이 똑같이 자주 뽑힙니다.
# - softmax_of(logits)
# + (softmax_of(logits) > 0) / (softmax_of(logits) > 0).sum(axis=-1, keepdims=True)


# %% mistake="sample-softmax-over-batch" task="sampling" misses="sample-frequencies" of="plain"
# The softmax goes over the batch instead of the vocabulary.
# ko: 소프트맥스를 어휘가 아니라 배치에 대해 계산했습니다.
# - softmax_of(logits)
# + softmax_of(logits.T).T


# %% mistake="sample-from-logits" task="sampling" misses="sample-frequencies" of="plain"
# Shifted logits serve as probabilities; they need a softmax.
# ko: 옮긴 로짓을 확률로 썼습니다. 소프트맥스가 있어야 합니다.
# -     chances = softmax_of(logits)
# +     chances = np.maximum(logits - logits.min(axis=-1, keepdims=True), 0)
# +     chances = chances / chances.sum(axis=-1, keepdims=True)


# %% mistake="sample-softmax-twice" task="sampling" misses="sample-frequencies" of="plain"
# The softmax is taken twice: probabilities are taken for logits.
# ko: 소프트맥스를 두 번 했습니다. 확률을 로짓으로 여겼습니다.
# - chances = softmax_of(logits)
# + chances = softmax_of(softmax_of(logits))


# %% mistake="sample-first-row-for-all" task="sampling" misses="sample-frequencies" of="plain"
# All rows are drawn from the first row's distribution.
# ko: 모든 행을 첫 행의 분포에서 뽑았습니다.
# - softmax_of(logits)
# + np.repeat(softmax_of(logits)[:1], len(logits), axis=0)


# %% mistake="sample-one-draw-for-all" task="sampling" misses="sample-frequencies" of="plain"
# One random number serves all rows of the batch; each row needs its own.
# ko: 배치의 모든 행에 난수 하나를 썼습니다. 행마다 따로 뽑아야 합니다.
# - rng.random((len(logits), 1))
# + rng.random()


# %% mistake="sample-spread-over-the-batch" task="sampling" misses="sample-frequencies" of="plain"
# The random numbers rise from the first row to the last; each row needs one of its own.
# ko: 난수가 첫 행에서 마지막 행으로 갈수록 커집니다. 행마다 따로 뽑아야 합니다.
# - rng.random((len(logits), 1))
# + ((np.arange(len(logits)) + rng.random(len(logits))) / len(logits))[:, None]


# %% mistake="sample-squeezed" task="sampling" misses="sample-greedy" of="plain"
# `squeeze` without an axis also removes the batch when it holds a single row.
# ko: 축을 정하지 않은 `squeeze`는 행이 하나뿐이면 배치 축까지 없앱니다.
# - (edges <= dart).sum(axis=-1)
# + (edges <= dart).sum(axis=-1).squeeze()


# %% mistake="sample-overflow-across-rows" task="sampling" misses="sample-large" of="plain"
# The largest logit of the whole batch is subtracted; rows with much smaller ones underflow to 0 / 0.
# ko: 배치 전체에서 가장 큰 로짓을 뺐습니다. 로짓이 훨씬 작은 행에서는 언더플로로 0 나누기 0이 됩니다.
# - x.max(axis=-1, keepdims=True)
# + x.max()


# %% mistake="sample-global-random" task="sampling" misses="sample-frequencies" of="plain"
# The draw comes from NumPy's global generator (`np.random.…`) instead of `rng`.
# ko: `rng`가 아니라 NumPy의 전역 생성기(`np.random.…`)로 뽑았습니다.
# - rng.random
# + np.random.random


# %% mistake="sample-own-generator" task="sampling" misses="sample-frequencies" of="plain"
# A generator of your own takes the place of `rng`: every call draws the same.
# ko: `rng` 대신 따로 만든 생성기를 썼습니다. 호출할 때마다 같은 것을 뽑습니다.
# - rng.random
# + np.random.default_rng(0).random


# %% mistake="sample-overflow" task="sampling" misses="sample-large" of="plain"
# The exponential of a large logit overflows: subtract each row's largest logit first.
# ko: 큰 로짓의 지수 함수가 오버플로합니다. 먼저 행마다 가장 큰 로짓을 빼세요.
# - x - x.max(axis=-1, keepdims=True)
# + x


# %% mistake="sample-temperature-multiplied" task="sampling" misses="sample-temperature" of="plain"
# The logits are multiplied by the temperature instead of divided.
# ko: 로짓을 온도로 나누지 않고 곱했습니다.
# - logits / temperature
# + logits * temperature


# %% mistake="sample-temperature-ignored" task="sampling" misses="sample-temperature" of="plain"
# `temperature` changes nothing but at 0.
# ko: 0일 때 말고는 `temperature`가 아무것도 바꾸지 않습니다.
# -     logits = logits / temperature


# %% mistake="sample-temperature-on-probabilities" task="sampling" misses="sample-temperature" of="plain"
# The probabilities are divided by the temperature, and softmaxed again; divide the logits.
# ko: 확률을 온도로 나누고 소프트맥스를 한 번 더 했습니다. 로짓을 나누세요.
# - logits / temperature
# + logits if temperature == 1 else softmax_of(logits) / temperature


# %% mistake="sample-temperature-squared" task="sampling" misses="sample-temperature" of="plain"
# The logits are divided by the temperature twice.
# ko: 로짓을 온도로 두 번 나누었습니다.
# -         return logits.argmax(axis=-1)
# +         return logits.argmax(axis=-1)
# +     logits = logits / temperature


# %% mistake="sample-divides-by-zero" task="sampling" misses="sample-greedy" of="plain"
# Temperature 0 divides by 0. It is the limit in which the largest logit is taken.
# ko: 온도 0에서 0으로 나누게 됩니다. 가장 큰 로짓을 고르는 극한입니다.
# -     if temperature == 0:
# -         return logits.argmax(axis=-1)


# %% mistake="sample-zero-ignored" task="sampling" misses="sample-greedy" of="plain"
# Temperature 0 is taken for no temperature at all: it should take the largest logit.
# ko: 온도 0을 온도가 없는 것으로 여겼습니다. 가장 큰 로짓을 골라야 합니다.
# - return logits.argmax(axis=-1)
# + temperature = 1.0


# %% mistake="sample-zero-smallest" task="sampling" misses="sample-greedy" of="plain"
# Temperature 0 takes the smallest logit; it should take the largest.
# ko: 온도 0에서 가장 작은 로짓을 골랐습니다. 가장 큰 것이어야 합니다.
# - logits.argmax
# + logits.argmin


# %% mistake="sample-top-k-ignored" task="sampling" misses="sample-top-k" of="plain"
# `top_k` changes nothing.
# ko: `top_k`가 아무것도 바꾸지 않습니다.
# - if top_k:
# + if False:


# %% mistake="sample-top-k-one-more" task="sampling" misses="sample-top-k" of="plain"
# top_k keeps one token too many.
# ko: top_k가 토큰을 하나 더 남깁니다.
# - :, -top_k
# + :, -top_k - 1


# %% mistake="sample-top-k-one-less" task="sampling" misses="sample-top-k" of="plain"
# top_k keeps one token too few: the k-th is one of them.
# ko: top_k가 토큰을 하나 덜 남깁니다. k번째도 남겨야 합니다.
# - logits >= kth
# + logits > kth, logits, -np.inf) if top_k > 1 else np.where(logits >= kth


# %% mistake="sample-top-k-smallest" task="sampling" misses="sample-top-k" of="plain"
# top_k keeps the least likely tokens.
# ko: top_k가 가장 그럴듯하지 않은 토큰을 남깁니다.
# - :, -top_k
# + :, top_k - 1
# - logits >= kth
# + logits <= kth


# %% mistake="sample-top-k-evenly" task="sampling" misses="sample-top-k" of="plain"
# The kept tokens are drawn evenly; they keep their proportions.
# ko: 남긴 토큰을 고르게 뽑았습니다. 남은 확률의 비율대로 뽑아야 합니다.
# - np.where(logits >= kth, logits, -np.inf)
# + np.where(logits >= kth, 0.0, -np.inf)


# %% mistake="sample-top-k-first-ids" task="sampling" misses="sample-top-k" of="plain"
# top_k keeps the first k ids instead of the k likeliest.
# ko: top_k가 가장 그럴듯한 k개가 아니라 앞쪽 ID k개를 남깁니다.
# - logits >= kth
# + np.arange(logits.shape[1]) < top_k


# %% mistake="sample-top-k-zeroed-logits" task="sampling" misses="sample-top-k" of="plain"
# The logits that are left out become 0, which is a logit like any other: they need -infinity.
# ko: 뺄 로짓을 0으로 만들었습니다. 0도 여느 로짓과 같습니다. 음의 무한대여야 합니다.
# - np.where(logits >= kth, logits, -np.inf)
# + np.where(logits >= kth, logits, 0.0)


# %% mistake="sample-top-k-drops" task="sampling" misses="sample-top-k" of="plain"
# top_k leaves out the likeliest tokens instead of keeping them.
# ko: top_k가 가장 그럴듯한 토큰을 남기지 않고 뺐습니다.
# - logits >= kth
# + logits < kth


# %% mistake="sample-top-p-ignored" task="sampling" misses="sample-top-p" of="plain"
# `top_p` changes nothing.
# ko: `top_p`가 아무것도 바꾸지 않습니다.
# - top_p is not None and top_p < 1
# + False


# %% mistake="sample-top-p-stops-before" task="sampling" misses="sample-top-p" of="plain"
# The token that reaches top_p is left out: what is kept adds up to less than top_p, or there is nothing left.
# ko: top_p에 이르게 하는 토큰을 뺐습니다. 남은 확률의 합이 top_p보다 작거나 남은 것이 없습니다.
# -         ranked = np.where(before < top_p, ranked, 0)
# +         ranked = np.where(before + ranked <= top_p, ranked, 0)
# +         ranked[:, 0] += 1e-12


# %% mistake="sample-top-p-one-more" task="sampling" misses="sample-top-p" of="plain"
# top_p keeps one token too many: it stops with the token that reaches it.
# ko: top_p가 토큰을 하나 더 남깁니다. top_p에 이르게 하는 토큰에서 멈춥니다.
# -         ranked = np.where(before < top_p, ranked, 0)
# +         one_on = np.concatenate([np.zeros((len(before), 1)), before[:, :-1]], axis=-1)
# +         ranked = np.where(one_on < top_p, ranked, 0)


# %% mistake="sample-top-p-as-threshold" task="sampling" misses="sample-top-p" of="plain"
# Each token's own probability is compared with 1 - top_p; what has to reach top_p is the sum of the likeliest.
# ko: 토큰마다의 확률을 1 - top_p와 비교했습니다. top_p에 이르러야 하는 것은 큰 것부터 더한 합입니다.
# - before < top_p
# + (ranked >= 1 - top_p) | (before == 0)


# %% mistake="sample-top-p-without-sum" task="sampling" misses="sample-top-p" of="plain"
# top_p adds up what doesn't sum to 1: divide by the sum first, then the likeliest add up to probabilities.
# ko: top_p가 합이 1이 아닌 것을 더합니다. 먼저 합으로 나누어야 큰 것부터 더한 값이 확률이 됩니다.
# - ranked = np.take_along_axis(chances, order, axis=-1)
# + ranked = np.take_along_axis(chances, order, axis=-1)
# +         ranked = ranked / ranked[:, :1]


# %% mistake="sample-top-p-evenly" task="sampling" misses="sample-top-p" of="plain"
# The kept tokens are drawn evenly; they keep their proportions.
# ko: 남긴 토큰을 고르게 뽑았습니다. 남은 확률의 비율대로 뽑아야 합니다.
# - np.where(before < top_p, ranked, 0)
# + np.where(before < top_p, 1.0, 0)


# %% mistake="sample-top-p-smallest" task="sampling" misses="sample-top-p" of="plain"
# top_p adds up the least likely tokens first; begin with the likeliest.
# ko: top_p가 가장 그럴듯하지 않은 토큰부터 더합니다. 가장 그럴듯한 것부터 더하세요.
# - np.argsort(-chances, axis=-1)
# + np.argsort(chances, axis=-1)


# %% mistake="sample-top-p-drops" task="sampling" misses="sample-top-p" of="plain"
# top_p leaves out the likeliest tokens instead of keeping them.
# ko: top_p가 가장 그럴듯한 토큰을 남기지 않고 뺐습니다.
# - before < top_p
# + before >= top_p


# %% mistake="sample-temperature-last" task="sampling" misses="sample-together" of="plain"
# top-p looks at the probabilities without the temperature. The temperature comes first.
# ko: top-p가 온도를 적용하기 전의 확률을 봅니다. 온도가 먼저입니다.
# -         before = np.cumsum(ranked, axis=-1) - ranked
# +         plain = ranked**temperature / (ranked**temperature).sum(axis=-1, keepdims=True)
# +         before = np.cumsum(plain, axis=-1) - plain


# %% mistake="sample-temperature-forgotten-in-top-p" task="sampling" misses="sample-together" of="plain"
# With top_p the temperature is forgotten.
# ko: top_p를 쓰면 온도가 잊힙니다.
# - softmax_of(logits)
# + softmax_of(logits if top_p is None or top_p == 1 else logits * temperature)


# %% mistake="sample-top-p-forgotten" task="sampling" misses="sample-together" of="plain"
# With top_k, top_p is forgotten: both may be given.
# ko: top_k를 쓰면 top_p가 잊힙니다. 둘을 함께 줄 수도 있습니다.
# - top_p < 1
# + top_p < 1 and not top_k


# %% mistake="sample-top-p-before-top-k" task="sampling" misses="sample-together" of="plain"
# top-p is taken of the whole distribution; it is taken of what top-k left, made to sum to 1 again.
# ko: top-p를 분포 전체에서 골랐습니다. top-k가 남긴 것의 합을 1로 다시 맞춘 뒤에 골라야 합니다.
# -     if top_k:
# -         kth = np.sort(logits, axis=-1)[:, -top_k][:, None]
# -         logits = np.where(logits >= kth, logits, -np.inf)

# -     chances = softmax_of(logits)
# +     chances = softmax_of(logits)
# +     kth = np.sort(chances, axis=-1)[:, -(top_k or 1)][:, None] if top_k else 0
# -         chances = chances / chances.sum(axis=-1, keepdims=True)
# +         chances = chances / chances.sum(axis=-1, keepdims=True)
# +     chances = np.where(chances >= kth, chances, 0)


# %% mistake="cache-output-alone" task="kv-cache" misses="cache-shapes" of="plain"
# Only the output is returned; the new cache belongs to the answer.
# ko: 출력만 돌려주었습니다. 새 캐시도 함께 돌려주세요.
# - output, (keys, values)
# + output


# %% mistake="cache-order-exchanged" task="kv-cache" misses="cache-shapes" of="plain"
# The output comes first, then the cache.
# ko: 출력이 먼저이고 캐시가 그다음입니다.
# - output, (keys, values)
# + (keys, values), output


# %% mistake="cache-holds-inputs" task="kv-cache" misses="cache-shapes" of="plain"
# The cache holds inputs, which have to be projected again at every step. Keep keys and values.
# ko: 캐시에 입력을 두었습니다. 걸음마다 다시 투영해야 합니다. 키와 값을 남겨 두세요.
# -         keys = np.concatenate([cache[0], key], axis=2)
# -         values = np.concatenate([cache[1], value], axis=2)
# +         whole = np.concatenate([cache[0], x], axis=1)
# +         wide = lambda y: y.reshape(batch, -1, num_heads, head_dim).transpose(0, 2, 1, 3)
# +         keys, values = wide(whole @ w_key), wide(whole @ w_value)
# -     return output, (keys, values)
# +     past = x if cache is None else np.concatenate([cache[0], x], axis=1)
# +     return output, (past, past)


# %% mistake="cache-replaced" task="kv-cache" misses="cache-shapes" of="plain"
# The new cache holds the newest position alone: the earlier ones are lost.
# ko: 새 캐시에 새 위치만 있습니다. 앞의 위치가 사라집니다.
# - (keys, values)
# + (key, value)


# %% mistake="cache-heads-last" task="kv-cache" misses="cache-shapes" of="plain"
# In the cache the heads come after the positions; it should be (batch, num_heads, past_len, head_dim).
# ko: 캐시에서 헤드가 위치 뒤에 있습니다. (batch, num_heads, past_len, head_dim)이어야 합니다.
# - cache[0]
# + cache[0].transpose(0, 2, 1, 3)
# - cache[1]
# + cache[1].transpose(0, 2, 1, 3)
# - (keys, values)
# + (keys.transpose(0, 2, 1, 3), values.transpose(0, 2, 1, 3))


# %% mistake="cache-joined-along-features" task="kv-cache" misses="cache-shapes" of="plain"
# Old and new keys are joined along the features; join them along the positions, axis 2.
# ko: 앞의 키와 새 키를 특징 축으로 이었습니다. 위치의 축인 2번 축으로 이으세요.
# - np.concatenate([cache[0], key], axis=2)
# + np.concatenate([cache[0], key], axis=-1)
# - np.concatenate([cache[1], value], axis=2)
# + np.concatenate([cache[1], value], axis=-1)
# - keys.transpose
# + keys[..., :head_dim].transpose
# - weights @ values
# + weights @ values[..., :head_dim]


# %% mistake="cache-joined-along-heads" task="kv-cache" misses="cache-shapes" of="plain"
# Old and new keys are joined along the heads; join them along the positions, axis 2.
# ko: 앞의 키와 새 키를 헤드의 축으로 이었습니다. 위치의 축인 2번 축으로 이으세요.
# - np.concatenate([cache[0], key], axis=2)
# + np.concatenate([cache[0], key], axis=1)
# - np.concatenate([cache[1], value], axis=2)
# + np.concatenate([cache[1], value], axis=1)
# - keys.transpose
# + keys[:, :num_heads].transpose
# - weights @ values
# + weights @ values[:, :num_heads]


# %% mistake="cache-heads-not-merged" task="kv-cache" misses="cache-shapes" of="plain"
# The heads of the output aren't merged.
# ko: 출력의 헤드를 합치지 않았습니다.
# -     output = output.transpose(0, 2, 1, 3).reshape(batch, 1, d_model)
# -     output = output @ w_output


# %% mistake="cache-without-output-projection" task="kv-cache" misses="cache-first" of="plain"
# `w_output` isn't used.
# ko: `w_output`을 쓰지 않았습니다.
# -     output = output @ w_output


# %% mistake="cache-output-transposed" task="kv-cache" misses="cache-first" of="plain"
# `w_output` is transposed.
# ko: `w_output`을 전치했습니다.
# - output @ w_output
# + output @ w_output.T


# %% mistake="cache-keys-as-values" task="kv-cache" misses="cache-first cache-contents" of="plain"
# The values are made with `w_key`.
# ko: 값을 `w_key`로 만들었습니다.
# - x @ w_value
# + x @ w_key


# %% mistake="cache-values-not-projected" task="kv-cache" misses="cache-first cache-contents" of="plain"
# The values aren't projected: `w_value` isn't used.
# ko: 값을 투영하지 않았습니다. `w_value`를 쓰지 않았습니다.
# - x @ w_value
# + x


# %% mistake="cache-residual-added" task="kv-cache" misses="cache-first" of="plain"
# The input is added to the output; the residual connection is the block's.
# ko: 출력에 입력을 더했습니다. 잔차 연결은 블록이 할 일입니다.
# - output @ w_output
# + x + output @ w_output


# %% mistake="cache-heads-merged-interleaved" task="kv-cache" misses="cache-first" of="plain"
# The heads are merged feature by feature: transpose to (batch, 1, num_heads, head_dim) before the reshape.
# ko: 헤드를 특징마다 번갈아 합쳤습니다. reshape하기 전에 (batch, 1, num_heads, head_dim)이 되게 축을 바꾸세요.
# - output.transpose(0, 2, 1, 3)
# + output.transpose(0, 2, 3, 1)


# %% mistake="cache-newest-first" task="kv-cache" misses="cache-contents" of="plain"
# The newest position is put in front of the earlier ones; the cache is in order.
# ko: 새 위치를 앞의 위치들보다 앞에 놓았습니다. 캐시는 차례대로입니다.
# - [cache[0], key]
# + [key, cache[0]]
# - [cache[1], value]
# + [value, cache[1]]


# %% mistake="cache-keys-and-values-exchanged" task="kv-cache" misses="cache-contents" of="plain"
# The cache is (values, keys); it should be (keys, values).
# ko: 캐시가 (values, keys)입니다. (keys, values)여야 합니다.
# - cache[0]
# + cache[1]
# - cache[1]
# + cache[0]
# - (keys, values)
# + (values, keys)


# %% mistake="cache-heads-interleaved" task="kv-cache" misses="cache-first cache-contents" of="plain"
# The features are dealt out to the heads in turns; head h has the features h * head_dim to (h + 1) * head_dim - 1.
# ko: 특징을 헤드에 번갈아 나누었습니다. 헤드 h의 특징은 h * head_dim부터 (h + 1) * head_dim - 1까지입니다.
# - y.reshape(batch, 1, num_heads, head_dim).transpose(0, 2, 1, 3)
# + y.reshape(batch, 1, head_dim, num_heads).transpose(0, 3, 1, 2)


# %% mistake="cache-keys-not-projected" task="kv-cache" misses="cache-contents cache-outputs" of="plain"
# The keys aren't projected: `w_key` isn't used.
# ko: 키를 투영하지 않았습니다. `w_key`를 쓰지 않았습니다.
# - x @ w_key
# + x


# %% mistake="cache-queries-as-keys" task="kv-cache" misses="cache-contents cache-outputs" of="plain"
# The keys are made with `w_query`.
# ko: 키를 `w_query`로 만들었습니다.
# - x @ w_key
# + x @ w_query


# %% mistake="cache-keeps-scaled-keys" task="kv-cache" misses="cache-contents" of="plain"
# The cache holds keys that are divided by the root of head_dim already; keep the keys as they are.
# ko: head_dim의 제곱근으로 이미 나눈 키를 캐시에 두었습니다. 키를 그대로 두세요.
# - split(x @ w_key)
# + split(x @ w_key) / np.sqrt(head_dim)
# -     scores = scores / np.sqrt(head_dim)


# %% mistake="cache-unscaled" task="kv-cache" misses="cache-outputs" of="plain"
# The scores aren't divided by the root of head_dim.
# ko: 점수를 head_dim의 제곱근으로 나누지 않았습니다.
# -     scores = scores / np.sqrt(head_dim)


# %% mistake="cache-scaled-by-d-model" task="kv-cache" misses="cache-outputs" of="plain"
# The scores are divided by the root of d_model; it is the root of head_dim.
# ko: 점수를 d_model의 제곱근으로 나누었습니다. head_dim의 제곱근이어야 합니다.
# - np.sqrt(head_dim)
# + np.sqrt(d_model)


# %% mistake="cache-divided-by-head-dim" task="kv-cache" misses="cache-outputs" of="plain"
# The scores are divided by head_dim itself, not by its root.
# ko: 점수를 head_dim의 제곱근이 아니라 head_dim 자체로 나누었습니다.
# - np.sqrt(head_dim)
# + head_dim


# %% mistake="cache-unused" task="kv-cache" misses="cache-outputs" of="plain"
# The query sees the newest position alone; it has to see all that the cache holds.
# ko: 쿼리가 새 위치만 봅니다. 캐시에 있는 것을 모두 보아야 합니다.
# - keys.transpose
# + key.transpose
# - weights @ values
# + weights @ value


# %% mistake="cache-without-the-newest" task="kv-cache" misses="cache-outputs" of="plain"
# The query sees only the earlier positions; it sees itself, too.
# ko: 쿼리가 앞의 위치만 봅니다. 자기 자신도 보아야 합니다.
# -     scores = query @ keys.transpose(0, 1, 3, 2)
# +     past = (keys, values) if cache is None else cache
# +     scores = query @ past[0].transpose(0, 1, 3, 2)
# - weights @ values
# + weights @ past[1]


# %% mistake="cache-one-head" task="kv-cache" misses="cache-outputs" of="plain"
# The heads aren't kept apart: one softmax over the scores of all of them.
# ko: 헤드를 나누지 않았습니다. 모든 헤드를 합친 점수에 소프트맥스를 한 번 했습니다.
# - scores / np.sqrt(head_dim)
# + scores.sum(axis=1, keepdims=True) / np.sqrt(d_model) + 0 * scores


# %% mistake="cache-mean-of-values" task="kv-cache" misses="cache-outputs" of="plain"
# All positions get the same weight: the softmax of the scores is missing.
# ko: 모든 위치의 가중치가 같습니다. 점수의 소프트맥스가 빠졌습니다.
# - scores / np.sqrt(head_dim)
# + 0 * scores


# %% mistake="cache-last-position-only" task="kv-cache" misses="cache-outputs" of="plain"
# Only the newest position and the one before it are seen.
# ko: 새 위치와 바로 앞의 위치만 봅니다.
# - keys.transpose
# + keys[:, :, -2:].transpose
# - weights @ values
# + weights @ values[:, :, -2:]


# %% mistake="cache-forgets" task="kv-cache" misses="cache-long" of="plain"
# The oldest positions are forgotten when the sequence gets long.
# ko: 시퀀스가 길어지면 가장 오래된 위치를 잊습니다.
# - keys.transpose
# + keys[:, :, -16:].transpose
# - weights @ values
# + weights @ values[:, :, -16:]


# %% mistake="cache-emptied" task="kv-cache" misses="cache-long" of="plain"
# The step writes into the cache that it was given. Whoever goes on from it a second time finds something else.
# ko: 받은 캐시에 값을 씁니다. 그 캐시에서 다시 이어 가려는 쪽은 다른 값을 보게 됩니다.
# -     return output, (keys, values)
# +     if cache is not None:
# +         cache[0][...] = 0
# +     return output, (keys, values)


# %% mistake="cache-own-memory" task="kv-cache" misses="cache-long" of="plain"
# The cache is kept outside the function. Two sequences that take turns get each other's.
# ko: 캐시를 함수 밖에 두었습니다. 두 시퀀스를 번갈아 계산하면 서로의 캐시를 쓰게 됩니다.
# - def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
# + LAST = [None]
# +
# +
# + def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
# -     keys, values = key, value
# +     keys, values = key, value
# +     cache = None if cache is None else LAST[0]
# -     return output, (keys, values)
# +     LAST[0] = keys, values
# +     return output, LAST[0]
