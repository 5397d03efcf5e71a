# %% mistake="mask-still-inverted" task="fix-inverted-mask" misses="mask-side mask-values" of="numpy"
# The mask is still upside down: Keras lets a query see where the mask is True.
# ko: 마스크가 아직 거꾸로입니다. 케라스는 마스크가 True인 곳을 보게 합니다.
# - to_numpy(layer(x, x, attention_mask=np.tril(np.ones((1, n, n)))))
# + layer(x, x, attention_mask=(np.triu(np.ones((n, n)), k=1))[None].astype(bool))


# %% mistake="mask-none" task="fix-inverted-mask" misses="mask-side mask-values" of="numpy"
# Every position sees every other: nothing is hidden.
# ko: 모든 위치가 서로를 봅니다. 가려진 것이 없습니다.
# - to_numpy(layer(x, x, attention_mask=np.tril(np.ones((1, n, n)))))
# + layer(x, x, attention_mask=(np.ones((n, n)))[None].astype(bool))


# %% mistake="mask-without-diagonal" task="fix-inverted-mask" misses="mask-side mask-values" of="numpy"
# A position doesn't see itself, so the first one sees nothing.
# ko: 위치가 자기 자신을 보지 못하므로 첫 위치는 볼 것이 없습니다.
# - to_numpy(layer(x, x, attention_mask=np.tril(np.ones((1, n, n)))))
# + layer(x, x, attention_mask=(np.tril(np.ones((n, n)), k=-1))[None].astype(bool))


# %% mistake="mask-transposed" task="fix-inverted-mask" misses="mask-side mask-values" of="numpy"
# Rows and columns are confused: rows of the mask are queries, columns keys.
# ko: 행과 열을 혼동했습니다. 마스크의 행은 쿼리, 열은 키입니다.
# - to_numpy(layer(x, x, attention_mask=np.tril(np.ones((1, n, n)))))
# + layer(x, x, attention_mask=(np.triu(np.ones((n, n))))[None].astype(bool))


# %% mistake="mask-diagonal-only" task="fix-inverted-mask" misses="mask-side mask-values" of="numpy"
# Each position sees itself and nothing else.
# ko: 위치마다 자기 자신밖에 보지 못합니다.
# - to_numpy(layer(x, x, attention_mask=np.tril(np.ones((1, n, n)))))
# + layer(x, x, attention_mask=(np.eye(n))[None].astype(bool))


# %% mistake="mask-one-step-too-far" task="fix-inverted-mask" misses="mask-side mask-values" of="numpy"
# Each position sees one step too far: the very token that it is asked for.
# ko: 위치마다 한 걸음 더 멀리 봅니다. 바로 맞혀야 할 토큰입니다.
# - to_numpy(layer(x, x, attention_mask=np.tril(np.ones((1, n, n)))))
# + layer(x, x, attention_mask=(np.tril(np.ones((n, n)), k=1))[None].astype(bool))


# %% mistake="mask-table-too-small" task="fix-inverted-mask" misses="mask-values" of="numpy"
# The mask has a fixed size; longer inputs don't fit.
# ko: 마스크의 크기가 정해져 있어 더 긴 입력에는 맞지 않습니다.
# - to_numpy(layer(x, x, attention_mask=np.tril(np.ones((1, n, n)))))
# + layer(x, x, attention_mask=(np.tril(np.ones((10, 10)))[:n, :n])[None].astype(bool))


# %% mistake="mask-table-of-twenty" task="fix-inverted-mask" misses="mask-values" of="numpy"
# The mask has a fixed size; longer inputs don't fit.
# ko: 마스크의 크기가 정해져 있어 더 긴 입력에는 맞지 않습니다.
# - to_numpy(layer(x, x, attention_mask=np.tril(np.ones((1, n, n)))))
# + layer(x, x, attention_mask=(np.tril(np.ones((20, 20)))[:n, :n])[None].astype(bool))


# %% mistake="mask-in-training" task="fix-inverted-mask" misses="mask-values"
# The layer is called with training=True: if it has a dropout, it always drops.
# ko: 계층을 training=True로 호출합니다. 드롭아웃이 있는 계층이라면 언제나 드롭아웃이 작동합니다.
def causal_self_attention(layer, x):
    return layer(x, x, use_causal_mask=True, training=True)


# %% mistake="mask-residual" task="fix-inverted-mask" misses="mask-values"
# The input is added to the layer's output. A residual connection belongs to the block, not here.
# ko: 계층의 출력에 입력을 더했습니다. 잔차 연결은 여기가 아니라 블록에서 합니다.
def causal_self_attention(layer, x):
    return ops.convert_to_tensor(x) + layer(x, x, use_causal_mask=True)


# %% mistake="mask-returns-mask" task="fix-inverted-mask" misses="mask-shape"
# It returns the mask instead of the layer's output.
# ko: 계층의 출력이 아니라 마스크를 돌려줍니다.
def causal_self_attention(layer, x):
    return np.tril(np.ones((x.shape[1], x.shape[1])))


# %% mistake="inverted-always" task="detect-inverted-mask" misses="inverted-plain inverted-near inverted-around"
# Your check says of every version that it is broken, of the right ones too. Does it look at the changed position's own output, too? That
# may move. Or does more change between the two calls than the input at one position?
# ko: 여러분의 검사는 올바른 것까지 모두 고장이라고 합니다. 바꾼 위치 자신의 출력까지 살피지는 않나요? 그것은 움직여도 됩니다. 아니면 두 번의
# ko: 호출 사이에 한 위치의 입력 말고 다른 것도 바뀌지 않나요?
def detect_inverted_mask(attend):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(1, 8, 6))
    before = to_numpy(attend(x))
    for t in range(1, 8):
        changed = x.copy()
        changed[:, t] = rng.normal(size=6)
        after = to_numpy(attend(changed))
        if np.abs(after - before)[:, : t + 1].max() > 1e-4:
            return True
    return False


# %% mistake="inverted-finds-nothing" task="detect-inverted-mask" misses="inverted-plain inverted-near inverted-around"
# Your check says of every version that it is healthy. What it looks at is the same in broken versions.
# ko: 여러분의 검사는 무엇이든 정상이라고 합니다. 검사가 살피는 것이 고장 난 것에서도 똑같기 때문입니다.
def detect_inverted_mask(attend):
    x = np.random.default_rng(1).normal(size=(2, 7, 6))
    return tuple(attend(x).shape) != x.shape


# %% mistake="inverted-no-return" task="detect-inverted-mask" misses="inverted-answer"
# Where nothing is found it returns None.
# ko: 아무것도 찾지 못하면 None을 돌려줍니다.
def detect_inverted_mask(attend):
    x = np.random.default_rng(1).normal(size=(1, 7, 6))
    for t in range(1, 7):
        changed = x.copy()
        changed[:, t] = -x[:, t] + 1
        if np.abs(to_numpy(attend(changed)) - to_numpy(attend(x)))[:, :t].max() > 1e-4:
            return True


# %% mistake="inverted-each-position" task="detect-inverted-mask" misses="inverted-answer"
# It returns many truth values. Put them together into one.
# ko: 참과 거짓을 여러 개 돌려줍니다. 하나로 합치세요.
def detect_inverted_mask(attend):
    x = np.random.default_rng(1).normal(size=(1, 7, 6))
    changed = np.concatenate([x[:, :4], -x[:, 4:]], axis=1)
    return np.abs(to_numpy(attend(changed)) - to_numpy(attend(x)))[0, :4].max(axis=-1) > 1e-4


# %% mistake="inverted-last-to-first" task="detect-inverted-mask" misses="inverted-near" of="inverted-always"
# Inputs and outputs that stand close together aren't looked at. Some versions see a few steps only.
# ko: 가까이 있는 입력과 출력은 살피지 않습니다. 몇 걸음만 보는 것도 있습니다.
# -     for t in range(1, 8):
# +     for t in [7]:
# -         if np.abs(after - before)[:, : t + 1].max() > 1e-4:
# +         if np.abs(after - before)[:, 0].max() > 1e-4:


# %% mistake="inverted-last-row-only" task="detect-inverted-mask" misses="inverted-plain inverted-near inverted-around" of="inverted-always"
# Only the last row is looked at: whether the last output depends on the first input.
# ko: 마지막 행만 살핍니다. 마지막 출력이 첫 입력에 의존하는지만 봅니다.
# -     for t in range(1, 8):
# +     for t in [0]:
# -         changed[:, t] = rng.normal(size=6)
# +         changed[:, 0] = rng.normal(size=6)
# -         if np.abs(after - before)[:, : t + 1].max() > 1e-4:
# +         if np.abs(after - before)[:, -1].max() < 1e-4:


# %% mistake="inverted-blind-to-the-past" task="detect-inverted-mask" misses="inverted-plain inverted-near inverted-around" of="inverted-always"
# It asks whether earlier inputs move nothing. With one head upside down the others still look back.
# ko: 앞의 입력이 아무것도 움직이지 않는지를 묻습니다. 헤드 하나만 거꾸로라면 나머지는 여전히 뒤돌아봅니다.
# -     for t in range(1, 8):
# +     for t in range(1, 6):
# -         if np.abs(after - before)[:, : t + 1].max() > 1e-4:
# +         if np.abs(after - before)[:, t + 1 :].max() < 1e-4:


# %% mistake="inverted-adds-a-constant" task="detect-inverted-mask" misses="inverted-around" of="inverted-always"
# The same number is added to every feature. A normalisation takes it away again.
# ko: 모든 특징에 같은 수를 더합니다. 정규화가 그것을 도로 없앱니다.
# -         changed[:, t] = rng.normal(size=6)
# +         changed[:, t] += 1.0
# -         if np.abs(after - before)[:, : t + 1].max() > 1e-4:
# +         if np.abs(after - before)[:, :t].max() > 1e-4:


# %% mistake="inverted-scales" task="detect-inverted-mask" misses="inverted-around" of="inverted-always"
# An input is only multiplied by a number, as by 2. A normalisation takes that away again.
# ko: 입력에 2 같은 수를 곱하기만 합니다. 정규화가 그것을 도로 없앱니다.
# -         changed[:, t] = rng.normal(size=6)
# +         changed[:, t] *= 0.1
# -         if np.abs(after - before)[:, : t + 1].max() > 1e-4:
# +         if np.abs(after - before)[:, :t].max() > 1e-4:


# %% mistake="inverted-exactly-equal" task="detect-inverted-mask" misses="inverted-around" of="inverted-always"
# Outputs are compared exactly. Rounding moves them a little.
# ko: 출력이 정확히 같은지 비교합니다. 반올림만으로도 조금 움직입니다.
# -         if np.abs(after - before)[:, : t + 1].max() > 1e-4:
# +         if not np.array_equal(after[:, :t], before[:, :t]):


# %% mistake="inverted-large-threshold" task="detect-inverted-mask" misses="inverted-around" of="inverted-always"
# The threshold is too high where attention adds little: what sees a later input moves by more than 1e-4, and right versions by less than 1e-5.
# ko: 어텐션이 조금만 더해지는 것을 보기에는 문턱값이 너무 큽니다. 뒤의 입력을 보는 것은 1e-4보다 많이 움직이고, 올바른 것은 1e-5보다 적게 움직입니다.
# -         if np.abs(after - before)[:, : t + 1].max() > 1e-4:
# +         if np.abs(after - before)[:, :t].max() > 1e-3:


# %% mistake="inverted-first-try-only" task="detect-inverted-mask" misses="inverted-near" of="inverted-always"
# Your check sees no more than one that looks at the first output and the input after it: does the loop end after its first turn, or have all
# outputs before an input to move? Some versions look further ahead, and at a few positions only.
# ko: 여러분의 검사는 첫 출력과 바로 다음 입력만 살피는 검사보다 더 보지 못합니다. 반복문이 첫 바퀴에서 끝나거나, 앞의 출력이 모두 움직여야
# ko: 고장이라고 하지 않나요? 더 뒤를, 그것도 몇 위치만 내다보는 것도 있습니다.
# -     for t in range(1, 8):
# +     for t in [1]:
# -         if np.abs(after - before)[:, : t + 1].max() > 1e-4:
# +         if np.abs(after - before)[:, :t].max() > 1e-4:


# %% mistake="inverted-shuffles-the-future" task="detect-inverted-mask" misses="inverted-plain inverted-near inverted-around" of="inverted-always"
# The later inputs only change places among themselves. Attention takes their weighted mean, which stays the same.
# ko: 뒤의 입력들이 저희끼리 자리만 바꿉니다. 어텐션은 그것들의 가중평균을 취하므로 결과가 그대로입니다.
# -         changed[:, t] = rng.normal(size=6)
# +         changed[:, t:] = changed[:, t:][:, ::-1]
# -         if np.abs(after - before)[:, : t + 1].max() > 1e-4:
# +         if np.abs(after - before)[:, :t].max() > 1e-4:


# %% mistake="inverted-first-feature-only" task="detect-inverted-mask" misses="inverted-near" of="inverted-always"
# Only the first feature of the outputs is looked at. A head may write others.
# ko: 출력의 첫 특징만 살핍니다. 다른 특징에 쓰는 헤드도 있습니다.
# -         if np.abs(after - before)[:, : t + 1].max() > 1e-4:
# +         if np.abs(after - before)[:, :t, 0].max() > 1e-4:


# %% mistake="inverted-changes-one-feature" task="detect-inverted-mask" misses="inverted-near" of="inverted-always"
# Only the first feature of an input is changed. A head may read others.
# ko: 입력의 첫 특징만 바꿉니다. 다른 특징을 읽는 헤드도 있습니다.
# -         changed[:, t] = rng.normal(size=6)
# +         changed[:, t, 0] = rng.normal()
# -         if np.abs(after - before)[:, : t + 1].max() > 1e-4:
# +         if np.abs(after - before)[:, :t].max() > 1e-4:


# %% mistake="inverted-neighbours-only" task="detect-inverted-mask" misses="inverted-near" of="inverted-always"
# Of each input only the output just before it is looked at. Some versions look ahead over their neighbour.
# ko: 입력마다 바로 앞의 출력만 살핍니다. 이웃을 건너뛰고 내다보는 것도 있습니다.
# -         if np.abs(after - before)[:, : t + 1].max() > 1e-4:
# +         if np.abs(after - before)[:, t - 1].max() > 1e-4:


# %% mistake="inverted-four-positions" task="detect-inverted-mask" misses="inverted-near" of="inverted-always"
# Four positions are too few: some versions look ahead by more steps.
# ko: 위치 네 개는 너무 적습니다. 더 뒤를 내다보는 것도 있습니다.
# -     x = rng.normal(size=(1, 8, 6))
# +     x = rng.normal(size=(1, 4, 6))
# -     for t in range(1, 8):
# +     for t in range(1, 4):
# -         if np.abs(after - before)[:, : t + 1].max() > 1e-4:
# +         if np.abs(after - before)[:, :t].max() > 1e-4:


# %% mistake="block-still-lost" task="fix-dropped-feed-forward" misses="block-reaches block-values"
# It still returns x plus what came after attention: the feed-forward network's answer is nowhere in it.
# ko: 아직도 x와 어텐션 뒤의 값을 더해 돌려줍니다. 피드포워드 신경망의 답은 어디에도 없습니다.
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = x + attend(norm_1(x))
    return x + attended


# %% mistake="block-attention-only" task="fix-dropped-feed-forward" misses="block-reaches block-values"
# The block ends after attention.
# ko: 블록이 어텐션에서 끝납니다.
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = x + attend(norm_1(x))
    return attended


# %% mistake="block-two-results" task="fix-dropped-feed-forward" misses="block-shape"
# Both sublayers' results are returned. The second is to be added to the first.
# ko: 두 하위 계층의 결과를 따로 돌려줍니다. 둘째를 첫째에 더해야 합니다.
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = x + attend(norm_1(x))
    return attended, feed_forward(norm_2(attended))


# %% mistake="block-residual-from-x" task="fix-dropped-feed-forward" misses="block-values"
# The second residual connection begins at x. What attention added is lost on the way.
# ko: 둘째 잔차 연결이 x에서 시작합니다. 어텐션이 더한 것이 사라집니다.
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = x + attend(norm_1(x))
    return x + feed_forward(norm_2(attended))


# %% mistake="block-no-residual" task="fix-dropped-feed-forward" misses="block-values"
# There is no residual connection around the feed-forward network.
# ko: 피드포워드 신경망을 건너는 잔차 연결이 없습니다.
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = x + attend(norm_1(x))
    return feed_forward(norm_2(attended))


# %% mistake="block-x-twice" task="fix-dropped-feed-forward" misses="block-values"
# x is added twice: it is in there already.
# ko: x를 두 번 더했습니다. 이미 들어 있습니다.
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = x + attend(norm_1(x))
    return x + attended + feed_forward(norm_2(attended))


# %% mistake="block-not-normalised" task="fix-dropped-feed-forward" misses="block-values"
# What goes into the feed-forward network isn't normalised.
# ko: 피드포워드 신경망에 들어가는 것을 정규화하지 않았습니다.
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = x + attend(norm_1(x))
    return attended + feed_forward(attended)


# %% mistake="block-first-norm-twice" task="fix-dropped-feed-forward" misses="block-values"
# norm_1 is used for both sublayers. The second one has its own, norm_2.
# ko: norm_1을 두 하위 계층에 모두 썼습니다. 둘째에는 따로 norm_2가 있습니다.
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = x + attend(norm_1(x))
    return attended + feed_forward(norm_1(attended))


# %% mistake="block-normalised-residual" task="fix-dropped-feed-forward" misses="block-values"
# The residual connection carries the normalised values. In a pre-norm block it goes around the normalisation.
# ko: 잔차 연결이 정규화한 값을 나릅니다. 사전 정규화 블록에서는 정규화도 건너갑니다.
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = x + attend(norm_1(x))
    return norm_2(attended) + feed_forward(norm_2(attended))


# %% mistake="block-beside" task="fix-dropped-feed-forward" misses="block-values"
# The feed-forward network reads x, not what came after attention.
# ko: 피드포워드 신경망이 어텐션 뒤의 값이 아니라 x를 읽습니다.
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = x + attend(norm_1(x))
    return attended + feed_forward(norm_2(x))


# %% mistake="block-post-norm" task="fix-dropped-feed-forward" misses="block-values"
# The second normalisation is at the end (post-norm). Here it belongs before the feed-forward network.
# ko: 둘째 정규화가 끝에 있습니다(사후 정규화). 여기서는 피드포워드 신경망 앞에 와야 합니다.
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = x + attend(norm_1(x))
    return norm_2(attended + feed_forward(attended))


# %% mistake="dropped-always" task="detect-dropped-feed-forward" misses="dropped-plain dropped-after dropped-partly"
# Your check says of every version that it is broken, of the right ones too.
# ko: 여러분의 검사는 올바른 것까지 모두 고장이라고 합니다.
def detect_dropped_feed_forward(block):
    return True


# %% mistake="dropped-finds-nothing" task="detect-dropped-feed-forward" misses="dropped-plain dropped-after dropped-partly"
# Your check says of every version that it is healthy. What it looks at is the same in broken versions.
# ko: 여러분의 검사는 무엇이든 정상이라고 합니다. 검사가 살피는 것이 고장 난 것에서도 똑같기 때문입니다.
def detect_dropped_feed_forward(block):
    x = np.random.default_rng(2).normal(size=(2, 5, 6))
    y = to_numpy(block(x, lambda h: h))
    return y.shape != x.shape or not np.isfinite(y).all()


# %% mistake="dropped-counts-calls" task="detect-dropped-feed-forward" misses="dropped-plain dropped-after dropped-partly"
# It watches whether the network is called. It can be called and its answer thrown away.
# ko: 신경망이 호출되는지만 봅니다. 호출하고 나서 답을 버릴 수도 있습니다.
def detect_dropped_feed_forward(block):
    calls = []

    def spy(h):
        calls.append(h)
        return h

    block(np.random.default_rng(2).normal(size=(2, 5, 6)), spy)
    return len(calls) == 0


# %% mistake="dropped-each-position" task="detect-dropped-feed-forward" misses="dropped-answer"
# It returns many truth values. Put them together into one.
# ko: 참과 거짓을 여러 개 돌려줍니다. 하나로 합치세요.
def detect_dropped_feed_forward(block):
    rng = np.random.default_rng(2)
    x, a, b = rng.normal(size=(3, 2, 6, 8))
    one = to_numpy(block(x, lambda h: a))
    other = to_numpy(block(x, lambda h: b))
    moved = np.abs(one - other).max(axis=-1)
    return moved < 1e-4


# %% mistake="dropped-constants" task="detect-dropped-feed-forward" misses="dropped-after dropped-partly"
# Only what all features share is looked at: the same difference in each, or a mean over them. A normalisation at the end takes it away.
# ko: 모든 특징에 공통된 것, 곧 어느 특징에서나 똑같은 차이나 특징들의 평균만 살핍니다. 끝에 오는 정규화가 그것을 없앱니다.
def detect_dropped_feed_forward(block):
    rng = np.random.default_rng(2)
    x, a, b = rng.normal(size=(3, 2, 6, 8))
    one = to_numpy(block(x, lambda h: 0 * h))
    other = to_numpy(block(x, lambda h: 0 * h + 1))
    moved = np.abs(one - other).max(axis=-1)
    return bool(moved.min() < 1e-4)


# %% mistake="dropped-stretches" task="detect-dropped-feed-forward" misses="dropped-after dropped-partly" of="dropped-constants"
# Both answers only stretch what the network got. A normalisation at the end takes that away.
# ko: 두 답 모두 신경망이 받은 것을 늘이기만 합니다. 끝에 오는 정규화가 그것을 없앱니다.
# -     one = to_numpy(block(x, lambda h: 0 * h))
# -     other = to_numpy(block(x, lambda h: 0 * h + 1))
# +     one = to_numpy(block(x, lambda h: h))
# +     other = to_numpy(block(x, lambda h: 2 * h))


# %% mistake="dropped-first-position-only" task="detect-dropped-feed-forward" misses="dropped-partly" of="dropped-each-position"
# Only the first position is looked at.
# ko: 첫 위치만 살핍니다.
# -     return moved < 1e-4
# +     return bool(moved[:, 0].min() < 1e-4)


# %% mistake="dropped-last-position-only" task="detect-dropped-feed-forward" misses="dropped-partly" of="dropped-each-position"
# Only the last position is looked at.
# ko: 마지막 위치만 살핍니다.
# -     return moved < 1e-4
# +     return bool(moved[:, -1].min() < 1e-4)


# %% mistake="dropped-anywhere" task="detect-dropped-feed-forward" misses="dropped-partly" of="dropped-each-position"
# It is content if any position moves. The answer may be lost at some positions only.
# ko: 한 위치라도 움직이면 정상이라고 합니다. 몇몇 위치에서만 답이 사라질 수도 있습니다.
# -     return moved < 1e-4
# +     return bool(moved.max() < 1e-4)


# %% mistake="dropped-ends-only" task="detect-dropped-feed-forward" misses="dropped-partly" of="dropped-each-position"
# Only the first and the last position are looked at.
# ko: 첫 위치와 마지막 위치만 살핍니다.
# -     return moved < 1e-4
# +     return bool(moved[:, [0, -1]].min() < 1e-4)


# %% mistake="dropped-any-sequence" task="detect-dropped-feed-forward" misses="dropped-partly" of="dropped-each-position"
# It is content with a position if it moves in one sequence of the batch. The answer may be lost in the others.
# ko: 배치의 시퀀스 하나에서만 움직여도 그 위치는 정상이라고 합니다. 다른 시퀀스에서는 답이 사라질 수 있습니다.
# -     return moved < 1e-4
# +     return bool(moved.max(axis=0).min() < 1e-4)


# %% mistake="dropped-one-sequence" task="detect-dropped-feed-forward" misses="dropped-partly" of="dropped-each-position"
# Only one sequence is looked at. Others may be treated otherwise.
# ko: 시퀀스 하나만 살핍니다. 다른 시퀀스는 다르게 다룰 수 있습니다.
# -     x, a, b = rng.normal(size=(3, 2, 6, 8))
# +     x, a, b = rng.normal(size=(3, 1, 6, 8))
# -     return moved < 1e-4
# +     return bool(moved.min() < 1e-4)


# %% mistake="dropped-coarse" task="detect-dropped-feed-forward" misses="dropped-partly" of="dropped-each-position"
# The threshold is too high for answers that count for little.
# ko: 조금만 반영되는 답을 보기에는 문턱값이 너무 큽니다.
# -     return moved < 1e-4
# +     return bool(moved.min() < 0.1)


# %% mistake="dropped-reversed" task="detect-dropped-feed-forward" misses="dropped-plain dropped-after dropped-partly" of="dropped-each-position"
# The verdict is the wrong way round: True means lost.
# ko: 판단이 거꾸로입니다. True는 사라졌다는 뜻입니다.
# -     return moved < 1e-4
# +     return bool(moved.min() > 1e-4)


# %% mistake="heads-still-swapped" task="fix-swapped-arguments" misses="heads-count heads-values" of="solution"
# The arguments are still swapped: the number of heads comes first.
# ko: 아직 인수의 자리가 바뀌어 있습니다. 헤드의 수가 먼저입니다.
# - keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=head_dim)
# + keras.layers.MultiHeadAttention(head_dim, num_heads)


# %% mistake="heads-one" task="fix-swapped-arguments" misses="heads-count heads-values" of="solution"
# There is one head as wide as the model.
# ko: 모델만큼 넓은 헤드가 하나뿐입니다.
# - keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=head_dim)
# + keras.layers.MultiHeadAttention(num_heads=1, key_dim=d_model)


# %% mistake="heads-d-model" task="fix-swapped-arguments" misses="heads-count heads-values" of="solution"
# There are d_model heads instead of num_heads.
# ko: 헤드가 num_heads개가 아니라 d_model개입니다.
# - num_heads=num_heads
# + num_heads=d_model


# %% mistake="heads-two" task="fix-swapped-arguments" misses="heads-count heads-values" of="solution"
# The number of heads is fixed instead of num_heads.
# ko: 헤드의 수가 num_heads가 아니라 고정되어 있습니다.
# - keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=head_dim)
# + keras.layers.MultiHeadAttention(num_heads=2, key_dim=d_model // 2)


# %% mistake="heads-full-width" task="fix-swapped-arguments" misses="heads-values" of="solution"
# Each head is as wide as the whole model: key_dim is the width of one head.
# ko: 헤드마다 모델 전체만큼 넓습니다. key_dim은 헤드 하나의 너비입니다.
# - key_dim=head_dim
# + key_dim=d_model


# %% mistake="heads-as-wide-as-many" task="fix-swapped-arguments" misses="heads-values" of="solution"
# num_heads is given for both arguments.
# ko: 두 인수에 모두 num_heads를 주었습니다.
# - keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=head_dim)
# + keras.layers.MultiHeadAttention(num_heads, num_heads)


# %% mistake="heads-without-bias" task="fix-swapped-arguments" misses="heads-values" of="solution"
# The layer has no biases; Keras's default has them.
# ko: 계층에 편향이 없습니다. 케라스의 기본값에는 있습니다.
# - keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=head_dim)
# + keras.layers.MultiHeadAttention(num_heads, head_dim, use_bias=False)


# %% mistake="heads-larger-number" task="fix-swapped-arguments" misses="heads-count heads-values" of="solution"
# The larger of the two numbers becomes the number of heads, whichever it is.
# ko: 둘 가운데 큰 수가 무엇이든 헤드의 수가 됩니다.
# - keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=head_dim)
# + keras.layers.MultiHeadAttention(max(num_heads, head_dim), min(num_heads, head_dim))


# %% mistake="heads-smaller-number" task="fix-swapped-arguments" misses="heads-count heads-values" of="solution"
# The smaller of the two numbers becomes the number of heads, whichever it is.
# ko: 둘 가운데 작은 수가 무엇이든 헤드의 수가 됩니다.
# - keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=head_dim)
# + keras.layers.MultiHeadAttention(min(num_heads, head_dim), max(num_heads, head_dim))


# %% mistake="heads-with-dropout" task="fix-swapped-arguments" misses="heads-values" of="solution"
# The layer drops weights in training; Keras's default is to drop nothing.
# ko: 학습할 때 계층이 가중치를 드롭아웃합니다. 케라스의 기본값은 드롭아웃하지 않는 것입니다.
# - keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=head_dim)
# + keras.layers.MultiHeadAttention(num_heads, head_dim, dropout=0.3)


# %% mistake="heads-zero-kernels" task="fix-swapped-arguments" misses="heads-values" of="solution"
# The kernels begin at 0; Keras's default draws them.
# ko: 커널이 0에서 시작합니다. 케라스의 기본값은 무작위입니다.
# - keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=head_dim)
# + keras.layers.MultiHeadAttention(num_heads, head_dim, kernel_initializer="zeros")


# %% mistake="heads-one-layer-for-all" task="fix-swapped-arguments" misses="heads-values"
# The same sizes give the same layer again, so that two blocks share its weights.
# ko: 크기가 같으면 같은 계층을 다시 돌려줍니다. 두 블록이 가중치를 함께 쓰게 됩니다.
from functools import lru_cache


@lru_cache
def build_self_attention(d_model, num_heads):
    return keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)


# %% mistake="heads-no-return" task="fix-swapped-arguments" misses="heads-shape"
# The layer is made, but not returned.
# ko: 계층을 만들고 돌려주지 않았습니다.
def build_self_attention(d_model, num_heads):
    keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)


# %% mistake="swapped-always" task="detect-swapped-arguments" misses="swapped-plain swapped-sometimes"
# Your check says of every version that it is broken, of the right ones too.
# ko: 여러분의 검사는 올바른 것까지 모두 고장이라고 합니다.
def detect_swapped_arguments(build):
    return True


# %% mistake="swapped-finds-nothing" task="detect-swapped-arguments" misses="swapped-plain swapped-sometimes"
# Your check says of every version that it is healthy. What it looks at is the same in broken versions. The output's shape and the number of
# parameters are no help, and neither are sizes with as many heads as features.
# ko: 여러분의 검사는 무엇이든 정상이라고 합니다. 검사가 살피는 것이 고장 난 것에서도 똑같기 때문입니다. 출력의 모양이나 파라미터 수로는 알 수 없고, 헤드의 수와 특징 수가 같은 크기로도
# ko: 알 수 없습니다.
def detect_swapped_arguments(build):
    for d_model, num_heads in ((64, 8), (16, 4), (36, 6)):
        x = np.ones((2, 5, d_model))
        output, weights = build(d_model, num_heads)(x)
        if output.shape != x.shape or weights.shape[1] != num_heads:
            return True
    return False


# %% mistake="swapped-no-return" task="detect-swapped-arguments" misses="swapped-answer"
# Where nothing is found it returns None.
# ko: 아무것도 찾지 못하면 None을 돌려줍니다.
def detect_swapped_arguments(build):
    for d_model, num_heads in ((12, 3), (12, 4)):
        if build(d_model, num_heads)(np.ones((1, 5, d_model)))[1].shape[1] != num_heads:
            return True


# %% mistake="swapped-few-heads-only" task="detect-swapped-arguments" misses="swapped-sometimes" of="solution"
# Only sizes with fewer heads than features in a head decide.
# ko: 헤드의 수가 헤드의 특징 수보다 적은 크기만으로 판단합니다.
# -     for d_model, num_heads in ((12, 2), (12, 6)):
# -         _, weights = build(d_model, num_heads)(np.ones((1, 3, d_model), dtype="float32"))
# +     for d_model, num_heads in ((12, 3), (64, 4)):
# +         x = np.ones((2, 5, d_model))
# +         output, weights = build(d_model, num_heads)(x)


# %% mistake="swapped-many-heads-only" task="detect-swapped-arguments" misses="swapped-sometimes" of="solution"
# Only sizes with more heads than features in a head decide.
# ko: 헤드의 수가 헤드의 특징 수보다 많은 크기만으로 판단합니다.
# -     for d_model, num_heads in ((12, 2), (12, 6)):
# -         _, weights = build(d_model, num_heads)(np.ones((1, 3, d_model), dtype="float32"))
# +     for d_model, num_heads in ((12, 4), (64, 16)):
# +         x = np.ones((2, 5, d_model))
# +         output, weights = build(d_model, num_heads)(x)


# %% mistake="swapped-reversed" task="detect-swapped-arguments" misses="swapped-plain swapped-sometimes" of="swapped-finds-nothing"
# Right builders are called broken: compare the number of heads with num_heads, not with the width of a head.
# ko: 올바른 것을 고장이라고 합니다. 헤드의 수는 헤드의 너비가 아니라 num_heads와 비교하세요.
# -     for d_model, num_heads in ((64, 8), (16, 4), (36, 6)):
# +     for d_model, num_heads in ((12, 3),):
# -         if output.shape != x.shape or weights.shape[1] != num_heads:
# +         if weights.shape[1] != d_model // num_heads:


# %% mistake="scale-still-d-model" task="fix-head-scaling" misses="scale-squares scale-any"
# The scores are still divided by the root of d_model. Only head_dim numbers are multiplied in each head.
# ko: 아직 d_model의 제곱근으로 나눕니다. 헤드마다 곱하는 수는 head_dim개뿐입니다.
def head_weights(query, key, num_heads):
    query, key = ops.convert_to_tensor(query), ops.convert_to_tensor(key)
    batch, _, d_model = query.shape
    head_dim = d_model // num_heads
    query_heads = ops.reshape(query, (batch, -1, num_heads, head_dim))
    key_heads = ops.reshape(key, (batch, -1, num_heads, head_dim))
    scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / d_model**0.5
    return ops.softmax(scores, axis=-1)


# %% mistake="scale-none" task="fix-head-scaling" misses="scale-squares scale-any" of="scale-still-d-model"
# The scores aren't divided at all.
# ko: 점수를 아예 나누지 않았습니다.
# -     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / d_model**0.5
# +     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads)


# %% mistake="scale-not-the-root" task="fix-head-scaling" misses="scale-squares scale-any" of="scale-still-d-model"
# The scores are divided by head_dim itself, not by its root.
# ko: head_dim의 제곱근이 아니라 head_dim으로 나누었습니다.
# -     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / d_model**0.5
# +     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / head_dim


# %% mistake="scale-num-heads" task="fix-head-scaling" misses="scale-squares scale-any" of="scale-still-d-model"
# The scores are divided by the root of num_heads. What counts is how wide a head is.
# ko: num_heads의 제곱근으로 나누었습니다. 중요한 것은 헤드의 너비입니다.
# -     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / d_model**0.5
# +     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / num_heads**0.5


# %% mistake="scale-rounded" task="fix-head-scaling" misses="scale-any" of="scale-still-d-model"
# The root is rounded to a whole number.
# ko: 제곱근을 정수로 반올림했습니다.
# -     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / d_model**0.5
# +     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / int(head_dim**0.5)


# %% mistake="scale-fixed" task="fix-head-scaling" misses="scale-any" of="scale-still-d-model"
# The divisor is a fixed number; it depends on head_dim.
# ko: 나누는 수가 고정되어 있습니다. head_dim에 따라 달라야 합니다.
# -     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / d_model**0.5
# +     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / 2.0


# %% mistake="scale-key-len" task="fix-head-scaling" misses="scale-squares scale-any" of="scale-still-d-model"
# The scores are divided by the root of the number of keys. Take the width of what is multiplied.
# ko: 키의 개수의 제곱근으로 나누었습니다. 곱하는 것의 너비를 쓰세요.
# -     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / d_model**0.5
# +     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / key.shape[1] ** 0.5


# %% mistake="scale-twice" task="fix-head-scaling" misses="scale-squares scale-any" of="scale-still-d-model"
# The scores are divided by the product of two roots, of d_model and of head_dim. `d_model / num_heads ** 0.5` gives this, too: `**` comes
# before `/`, so brackets are needed.
# ko: d_model의 제곱근과 head_dim의 제곱근을 곱한 값으로 나누었습니다. `d_model / num_heads ** 0.5`도 같은 값입니다. `**`를 `/`보다 먼저 계산하므로
# ko: 괄호가 필요합니다.
# -     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / d_model**0.5
# +     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / d_model**0.5 / head_dim**0.5


# %% mistake="scale-softmax-by-hand" task="fix-head-scaling" misses="scale-any" of="scale-still-d-model"
# The softmax is computed without subtracting the largest score of a row first: scores in the thousands overflow.
# ko: 행에서 가장 큰 점수를 먼저 빼지 않고 소프트맥스를 계산합니다. 점수가 수천이면 오버플로가 납니다.
# -     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / d_model**0.5
# -     return ops.softmax(scores, axis=-1)
# +     powers = ops.exp(ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / head_dim**0.5)
# +     return powers / ops.sum(powers, axis=-1, keepdims=True)


# %% mistake="scale-multiplied" task="fix-head-scaling" misses="scale-squares scale-any" of="scale-still-d-model"
# The scores are multiplied by the root instead of divided.
# ko: 제곱근으로 나누지 않고 곱했습니다.
# -     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / d_model**0.5
# +     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) * head_dim**0.5


# %% mistake="scale-after-softmax" task="fix-head-scaling" misses="scale-shape" of="scale-still-d-model"
# The division comes after the softmax, so the rows no longer add up to 1.
# ko: 소프트맥스 뒤에서 나누었습니다. 그래서 행의 합이 1이 아닙니다.
# -     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads) / d_model**0.5
# -     return ops.softmax(scores, axis=-1)
# +     scores = ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads)
# +     return ops.softmax(scores, axis=-1) / head_dim**0.5


# %% mistake="scaling-always" task="detect-head-scaling" misses="scaling-plain scaling-one-head scaling-otherwise"
# Your check says of every version that it is broken, of the right ones too.
# ko: 여러분의 검사는 올바른 것까지 모두 고장이라고 합니다.
def detect_head_scaling(weigh):
    return True


# %% mistake="scaling-finds-nothing" task="detect-head-scaling" misses="scaling-plain scaling-one-head scaling-otherwise"
# Your check says of every version that it is healthy. What it looks at is the same in broken versions.
# ko: 여러분의 검사는 무엇이든 정상이라고 합니다. 검사가 살피는 것이 고장 난 것에서도 똑같기 때문입니다.
def detect_head_scaling(weigh):
    rng = np.random.default_rng(3)
    num_heads, head_dim = 3, 5
    query, key = rng.normal(size=(2, 2, 6, num_heads * head_dim))
    weights = to_numpy(weigh(query, key, num_heads))

    def right(divisor):
        heads = [x.reshape(2, 6, num_heads, head_dim).transpose(0, 2, 1, 3) for x in (query, key)]
        scores = heads[0] @ heads[1].swapaxes(2, 3) / divisor
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)


# %% mistake="scaling-no-return" task="detect-head-scaling" misses="scaling-answer" of="scaling-finds-nothing"
# Where nothing is found it returns None.
# ko: 아무것도 찾지 못하면 None을 돌려줍니다.
# -     return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)
# +     if np.abs(weights - right(head_dim**0.5)).max() > 1e-3:
# +         return True


# %% mistake="scaling-each-head" task="detect-head-scaling" misses="scaling-answer" of="scaling-finds-nothing"
# It returns many truth values. Put them together into one.
# ko: 참과 거짓을 여러 개 돌려줍니다. 하나로 합치세요.
# -     return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)
# +     return np.abs(weights - right(head_dim**0.5)).max(axis=(0, 2, 3)) > 1e-3


# %% mistake="scaling-one-head" task="detect-head-scaling" misses="scaling-plain scaling-one-head" of="scaling-finds-nothing"
# There is one head only. Then d_model and head_dim are the same.
# ko: 헤드가 하나뿐입니다. 그러면 d_model과 head_dim이 같습니다.
# -     num_heads, head_dim = 3, 5
# +     num_heads, head_dim = 1, 15
# -     return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)
# +     return bool(np.abs(weights - right(head_dim**0.5)).max() > 1e-3)


# %% mistake="scaling-square-width" task="detect-head-scaling" misses="scaling-otherwise" of="scaling-finds-nothing"
# It doesn't see a root that was rounded. The width of a head must be no square number, the comparison close.
# ko: 반올림한 제곱근을 알아채지 못합니다. 헤드의 너비는 제곱수가 아니어야 하고 비교는 엄밀해야 합니다.
# -     num_heads, head_dim = 3, 5
# +     num_heads, head_dim = 3, 4
# -     return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)
# +     return bool(np.abs(weights - right(head_dim**0.5)).max() > 1e-3)


# %% mistake="scaling-as-many-heads-as-features" task="detect-head-scaling" misses="scaling-otherwise" of="scaling-finds-nothing"
# There are as many heads as features in a head. Then the root of num_heads looks right.
# ko: 헤드의 수와 헤드의 특징 수가 같습니다. 그러면 num_heads의 제곱근도 맞아 보입니다.
# -     num_heads, head_dim = 3, 5
# +     num_heads, head_dim = 5, 5
# -     return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)
# +     return bool(np.abs(weights - right(head_dim**0.5)).max() > 1e-3)


# %% mistake="scaling-first-head-only" task="detect-head-scaling" misses="scaling-one-head" of="scaling-finds-nothing"
# Not every head is looked at: a wrong last one isn't seen.
# ko: 모든 헤드를 살피지는 않습니다. 마지막 헤드가 틀린 것을 보지 못합니다.
# -     return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)
# +     return bool(np.abs(weights - right(head_dim**0.5))[:, 0].max() > 1e-3)


# %% mistake="scaling-last-head-only" task="detect-head-scaling" misses="scaling-one-head" of="scaling-finds-nothing"
# Not every head is looked at: it sees the last one only.
# ko: 모든 헤드를 살피지는 않습니다. 마지막 헤드만 봅니다.
# -     return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)
# +     return bool(np.abs(weights - right(head_dim**0.5))[:, -1].max() > 1e-3)


# %% mistake="scaling-outer-heads-only" task="detect-head-scaling" misses="scaling-one-head" of="scaling-finds-nothing"
# Not every head is looked at: a wrong one in the middle isn't seen.
# ko: 모든 헤드를 살피지는 않습니다. 가운데 헤드가 틀린 것을 보지 못합니다.
# -     return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)
# +     return bool(np.abs(weights - right(head_dim**0.5))[:, [0, -1]].max() > 1e-3)


# %% mistake="scaling-d-model-only" task="detect-head-scaling" misses="scaling-one-head scaling-otherwise" of="scaling-finds-nothing"
# It knows one wrong scale, the root of d_model in all heads. Compare with the right one instead.
# ko: 틀린 스케일 하나, 곧 모든 헤드에서 d_model의 제곱근인 것만 압니다. 올바른 것과 비교하세요.
# -     return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)
# +     return bool(np.allclose(weights, right((num_heads * head_dim) ** 0.5), atol=1e-4))


# %% mistake="scaling-wrong-reference" task="detect-head-scaling" misses="scaling-plain scaling-one-head scaling-otherwise" of="scaling-finds-nothing"
# The weights that it compares with are themselves divided by the root of d_model.
# ko: 비교의 기준으로 삼은 가중치를 d_model의 제곱근으로 나누었습니다.
# -     return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)
# +     return not np.allclose(weights, right((num_heads * head_dim) ** 0.5), atol=1e-4)


# %% mistake="scaling-exactly-equal" task="detect-head-scaling" misses="scaling-plain scaling-otherwise" of="scaling-finds-nothing"
# Weights are compared exactly. float32 rounds.
# ko: 가중치가 정확히 같은지 비교합니다. float32는 반올림합니다.
# -     return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)
# +     return not np.array_equal(weights, right(head_dim**0.5))


# %% mistake="scaling-largest-weight" task="detect-head-scaling" misses="scaling-otherwise" of="scaling-finds-nothing"
# It takes flat weights for wrong ones. Too large a scale is as wrong as too small a one.
# ko: 평평한 가중치만 틀린 것으로 봅니다. 점수가 너무 작아도, 너무 커도 틀린 것입니다.
# -     return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)
# +     return bool(weights.max(axis=-1).mean() < 0.95 * right(head_dim**0.5).max(axis=-1).mean())


# %% mistake="pairs-still-unshifted" task="fix-shifted-target" misses="pairs-labels" of="numpy"
# The labels are still what the decoder reads.
# ko: 라벨이 아직도 디코더가 읽는 것과 같습니다.
# - ids[:, :-1].copy(), ids[:, 1:].copy()
# + ids[:, :-1], ids[:, :-1]


# %% mistake="pairs-two-steps" task="fix-shifted-target" misses="pairs-labels" of="numpy"
# The labels are two steps ahead.
# ko: 라벨이 두 걸음 앞서 있습니다.
# - ids[:, :-1].copy(), ids[:, 1:].copy()
# + ids[:, :-1], np.pad(ids[:, 2:], ((0, 0), (0, 1)))


# %% mistake="pairs-rolled-back" task="fix-shifted-target" misses="pairs-labels" of="numpy"
# The labels are rolled the other way: they are past tokens.
# ko: 라벨을 반대로 굴려 지난 토큰이 되었습니다.
# - ids[:, :-1].copy(), ids[:, 1:].copy()
# + ids[:, :-1], np.roll(ids, 1, axis=1)[:, :-1]


# %% mistake="pairs-reversed" task="fix-shifted-target" misses="pairs-labels" of="numpy"
# The labels are reversed, not shifted.
# ko: 라벨을 밀지 않고 뒤집었습니다.
# - ids[:, :-1].copy(), ids[:, 1:].copy()
# + ids[:, :-1], ids[:, :0:-1]


# %% mistake="pairs-other-way" task="fix-shifted-target" misses="pairs-labels" of="numpy"
# Input and labels have changed places: the decoder would read the next token and be asked for this one.
# ko: 입력과 라벨이 뒤바뀌었습니다. 디코더가 다음 토큰을 읽고 지금 토큰을 맞히게 됩니다.
# - ids[:, :-1].copy(), ids[:, 1:].copy()
# + ids[:, 1:], ids[:, :-1]


# %% mistake="pairs-both-shifted" task="fix-shifted-target" misses="pairs-input" of="numpy"
# Both are shifted now, so that they are the same again.
# ko: 이제 둘 다 밀려 있어 다시 같아졌습니다.
# - ids[:, :-1].copy(), ids[:, 1:].copy()
# + ids[:, 1:], ids[:, 1:]


# %% mistake="pairs-without-eos" task="fix-shifted-target" misses="pairs-input" of="numpy"
# The end of each sentence is erased from the input. Only the last column is left out.
# ko: 입력에서 문장의 끝을 지웠습니다. 마지막 열만 빼면 됩니다.
# - ids[:, :-1].copy(), ids[:, 1:].copy()
# + np.where(ids == 2, 0, ids)[:, :-1], ids[:, 1:]


# %% mistake="pairs-whole-rows" task="fix-shifted-target" misses="pairs-shape" of="numpy"
# The rows are not cut: both have one column less than target_ids.
# ko: 행을 자르지 않았습니다. 둘 다 target_ids보다 열이 하나 적습니다.
# - ids[:, :-1].copy(), ids[:, 1:].copy()
# + ids, ids


# %% mistake="pairs-of-bytes" task="fix-shifted-target" misses="pairs-labels" of="numpy"
# Ids above 127 don't fit int8.
# ko: 127보다 큰 ID는 int8에 들어가지 않습니다.
# - ids[:, :-1].copy(), ids[:, 1:].copy()
# + ids[:, :-1].astype("int8"), ids[:, 1:].astype("int8")


# %% mistake="pairs-without-columns-of-padding" task="fix-shifted-target" misses="pairs-input"
# Columns that hold nothing but padding are cut off: the shapes should be (batch, len - 1) whatever the rows hold.
# ko: 패딩뿐인 열을 잘라 냅니다. 행에 무엇이 있든 모양은 (batch, len - 1)이어야 합니다.
def make_pairs(target_ids):
    ids = np.asarray(target_ids)
    length = int((ids != 0).any(axis=0).sum())
    return ids[:, : length - 1], ids[:, 1:length]


# %% mistake="pairs-labels-alone" task="fix-shifted-target" misses="pairs-shape" of="numpy"
# Only the labels are returned.
# ko: 라벨만 돌려주었습니다.
# - ids[:, :-1].copy(), ids[:, 1:].copy()
# + ids[:, 1:]


# %% mistake="shifted-always" task="detect-shifted-target" misses="shifted-plain shifted-otherwise shifted-partly"
# Your check says of every version that it is broken, of the right ones too.
# ko: 여러분의 검사는 올바른 것까지 모두 고장이라고 합니다.
def detect_shifted_target(make):
    return True


# %% mistake="shifted-finds-nothing" task="detect-shifted-target" misses="shifted-plain shifted-otherwise shifted-partly"
# Your check says of every version that it is healthy. What it looks at is the same in broken versions.
# ko: 여러분의 검사는 무엇이든 정상이라고 합니다. 검사가 살피는 것이 고장 난 것에서도 똑같기 때문입니다.
def detect_shifted_target(make):
    ids = np.arange(10, 46).reshape(4, 9)
    ids[2, 5:] = ids[3, 7:] = 0
    ids[2, 4] = ids[3, 6] = 2
    decoder_input, labels = [to_numpy(part) for part in make(ids)]
    return decoder_input.shape != labels.shape or labels.shape != (4, 8)


# %% mistake="shifted-each-position" task="detect-shifted-target" misses="shifted-answer" of="shifted-finds-nothing"
# It returns many truth values. Put them together into one.
# ko: 참과 거짓을 여러 개 돌려줍니다. 하나로 합치세요.
# -     return decoder_input.shape != labels.shape or labels.shape != (4, 8)
# +     return labels != ids[:, 1:]


# %% mistake="shifted-only-differ" task="detect-shifted-target" misses="shifted-otherwise shifted-partly" of="shifted-finds-nothing"
# That labels and inputs differ proves nothing: they may be shifted wrongly.
# ko: 라벨과 입력이 다르다는 것만으로는 아무것도 증명되지 않습니다. 잘못 밀렸을 수 있습니다.
# -     return decoder_input.shape != labels.shape or labels.shape != (4, 8)
# +     return bool((decoder_input == labels).all())


# %% mistake="shifted-first-sequence-only" task="detect-shifted-target" misses="shifted-partly" of="shifted-finds-nothing"
# Only the first sequence is looked at.
# ko: 첫 시퀀스만 살핍니다.
# -     return decoder_input.shape != labels.shape or labels.shape != (4, 8)
# +     return not (np.array_equal(labels[0], ids[0, 1:]) and np.array_equal(decoder_input[0], ids[0, :-1]))


# %% mistake="shifted-without-padding" task="detect-shifted-target" misses="shifted-partly"
# No sequence has padding. Those that have may be treated otherwise.
# ko: 패딩이 있는 시퀀스가 없습니다. 패딩이 있으면 다르게 다룰 수 있습니다.
def detect_shifted_target(make):
    ids = np.arange(10, 46).reshape(4, 9)
    ids[:, -1] = 2
    decoder_input, labels = [to_numpy(part) for part in make(ids)]
    return not (np.array_equal(labels, ids[:, 1:]) and np.array_equal(decoder_input, ids[:, :-1]))


# %% mistake="shifted-with-padding-only" task="detect-shifted-target" misses="shifted-partly"
# All sequences have padding. Those that have none may be treated otherwise.
# ko: 모든 시퀀스에 패딩이 있습니다. 패딩이 없으면 다르게 다룰 수 있습니다.
def detect_shifted_target(make):
    ids = np.array([[1, 11, 12, 13, 2, 0], [1, 21, 22, 2, 0, 0]])
    decoder_input, labels = [to_numpy(part) for part in make(ids)]
    return not (np.array_equal(labels, ids[:, 1:]) and np.array_equal(decoder_input, ids[:, :-1]))


# %% mistake="shifted-last-sequence-only" task="detect-shifted-target" misses="shifted-partly" of="shifted-finds-nothing"
# Only the last sequence is looked at.
# ko: 마지막 시퀀스만 살핍니다.
# -     return decoder_input.shape != labels.shape or labels.shape != (4, 8)
# +     return not (np.array_equal(labels[-1], ids[-1, 1:]) and np.array_equal(decoder_input[-1], ids[-1, :-1]))


# %% mistake="shifted-first-position-only" task="detect-shifted-target" misses="shifted-partly" of="shifted-finds-nothing"
# Only the first position is looked at.
# ko: 첫 위치만 살핍니다.
# -     return decoder_input.shape != labels.shape or labels.shape != (4, 8)
# +     return bool((labels[:, 0] != ids[:, 1]).any() or (decoder_input[:, 0] != ids[:, 0]).any())


# %% mistake="shifted-last-label-unseen" task="detect-shifted-target" misses="shifted-partly" of="shifted-finds-nothing"
# The last label isn't looked at.
# ko: 마지막 라벨을 살피지 않습니다.
# -     return decoder_input.shape != labels.shape or labels.shape != (4, 8)
# +     return not (np.array_equal(labels[:, :-1], ids[:, 1:-1]) and np.array_equal(decoder_input[:, :-1], ids[:, :-2]))


# %% mistake="shifted-first-label-unseen" task="detect-shifted-target" misses="shifted-partly" of="shifted-finds-nothing"
# The first label isn't looked at.
# ko: 첫 라벨을 살피지 않습니다.
# -     return decoder_input.shape != labels.shape or labels.shape != (4, 8)
# +     return not (np.array_equal(labels[:, 1:], ids[:, 2:]) and np.array_equal(decoder_input[:, 1:], ids[:, 1:-1]))


# %% mistake="shifted-padding-unseen" task="detect-shifted-target" misses="shifted-partly" of="shifted-finds-nothing"
# Labels that should be padding aren't looked at.
# ko: 패딩이어야 하는 라벨을 살피지 않습니다.
# -     return decoder_input.shape != labels.shape or labels.shape != (4, 8)
# +     words = ids[:, 1:] != 0
# +     return not (np.array_equal(labels[words], ids[:, 1:][words]) and np.array_equal(decoder_input, ids[:, :-1]))


# %% mistake="shifted-every-other-sequence" task="detect-shifted-target" misses="shifted-partly" of="shifted-finds-nothing"
# Only every other sequence is looked at.
# ko: 시퀀스를 하나 걸러 하나씩만 살핍니다.
# -     return decoder_input.shape != labels.shape or labels.shape != (4, 8)
# +     return not (np.array_equal(labels[::2], ids[::2, 1:]) and np.array_equal(decoder_input[::2], ids[::2, :-1]))


# %% mistake="shifted-rows-without-words" task="detect-shifted-target" misses="shifted-partly"
# The rows hold no words between <bos> and <eos>, or the same word again and again, so nothing shows if words are in the wrong places.
# ko: 행의 <bos>와 <eos> 사이에 단어가 없거나 같은 단어만 되풀이되어서, 단어의 자리가 틀려도 드러나지 않습니다.
def detect_shifted_target(make):
    ids = np.zeros((4, 9), dtype="int64")
    ids[:, 0] = 1
    ids[np.arange(4), (8, 4, 8, 6)] = 2
    decoder_input, labels = [to_numpy(part) for part in make(ids)]
    return not (np.array_equal(labels, ids[:, 1:]) and np.array_equal(decoder_input, ids[:, :-1]))


# %% mistake="shifted-one-word" task="detect-shifted-target" misses="shifted-partly"
# All words of the rows are the same, so nothing shows if they change places.
# ko: 행의 단어가 모두 같아서, 서로 자리를 바꾸어도 드러나지 않습니다.
def detect_shifted_target(make):
    ids = np.full((4, 9), 7)
    ids[:, 0], ids[:2, 8], ids[2:, 6], ids[2:, 7:] = 1, 2, 2, 0
    decoder_input, labels = [to_numpy(part) for part in make(ids)]
    return not (np.array_equal(labels, ids[:, 1:]) and np.array_equal(decoder_input, ids[:, :-1]))


# %% mistake="shifted-labels-only" task="detect-shifted-target" misses="shifted-plain" of="shifted-finds-nothing"
# Only the labels are looked at. If the input is shifted with them, they are the same again.
# ko: 라벨만 살핍니다. 입력도 함께 밀리면 둘은 다시 같아집니다.
# -     return decoder_input.shape != labels.shape or labels.shape != (4, 8)
# +     return not np.array_equal(labels, ids[:, 1:])


# %% mistake="shifted-input-only" task="detect-shifted-target" misses="shifted-plain shifted-otherwise shifted-partly" of="shifted-finds-nothing"
# Only the decoder's input is looked at.
# ko: 디코더의 입력만 살핍니다.
# -     return decoder_input.shape != labels.shape or labels.shape != (4, 8)
# +     return not np.array_equal(decoder_input, ids[:, :-1])


# %% mistake="shifted-relative-only" task="detect-shifted-target" misses="shifted-otherwise shifted-partly" of="shifted-finds-nothing"
# It compares the two with each other, not with the ids. Both may begin too late.
# ko: 둘을 서로 비교할 뿐 ID와는 비교하지 않습니다. 둘 다 너무 늦게 시작할 수 있습니다.
# -     return decoder_input.shape != labels.shape or labels.shape != (4, 8)
# +     return not np.array_equal(decoder_input[:, 1:], labels[:, :-1])


# %% mistake="shifted-reversed" task="detect-shifted-target" misses="shifted-plain shifted-otherwise shifted-partly" of="shifted-finds-nothing"
# The verdict is the wrong way round: True means broken.
# ko: 판단이 거꾸로입니다. True는 고장이라는 뜻입니다.
# -     return decoder_input.shape != labels.shape or labels.shape != (4, 8)
# +     return bool(np.array_equal(labels, ids[:, 1:]) and np.array_equal(decoder_input, ids[:, :-1]))
