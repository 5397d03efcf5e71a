# %% mistake="rates-exponent-i-over-dim" task="angle-rates" misses="rates-values" of="solution"
# The exponent is half of what it should be. i counts pairs, each two columns wide: hence the 2 in 2 i / dim.
# ko: 지수가 절반밖에 되지 않습니다. i는 두 열짜리 쌍을 셉니다. 2 i / dim의 2가 여기서 나옵니다.
# - -2 * i
# + -i


# %% mistake="rates-exponent-ends-at-one" task="angle-rates" misses="rates-values" of="solution"
# The exponent reaches 1 in the last pair, so the last rate is 1 / base. 2 i / dim stays below 1: divide by dim.
# ko: 마지막 쌍에서 지수가 1이 되어 마지막 변화율이 1 / base입니다. 2 i / dim은 1보다 작습니다. dim으로 나누세요.
# - -2 * i / dim
# + -i / max(dim // 2 - 1, 1)


# %% mistake="rates-inverted" task="angle-rates" misses="rates-fall" of="solution"
# The rates grow instead of falling: is the exponent's sign right, or did you return the divisors?
# ko: 변화율이 줄지 않고 커집니다. 지수의 부호가 맞나요? 나누는 수를 그대로 돌려주지는 않았나요?
# - -2 * i
# + 2 * i


# %% mistake="rates-powers-of-ten" task="angle-rates" misses="rates-values" of="solution"
# The rates 1, 1/10, 1/100, … are right for dim=8 only. How far they fall at each step depends on dim.
# ko: 1, 1/10, 1/100, …은 dim=8일 때만 맞는 변화율입니다. 한 쌍마다 얼마나 줄어드는지는 dim에 따라 다릅니다.
# - base ** (-2 * i / dim)
# + 10.0 ** -i


# %% mistake="rates-base-ignored" task="angle-rates" misses="rates-base" of="solution"
# 10000 is written into the formula: use the argument `base`.
# ko: 식에 10000이 그대로 들어 있습니다. 인수 `base`를 쓰세요.
# - base ** (-2 * i / dim)
# + 10000.0 ** (-2 * i / dim)


# %% mistake="rates-for-every-column" task="angle-rates" misses="rates-shape" of="solution"
# There is one rate for each pair of columns, dim // 2 in all, not one for each column.
# ko: 변화율은 열마다가 아니라 열의 쌍마다 하나씩, 모두 dim // 2개입니다.
# - np.arange(dim // 2)
# + np.arange(dim) // 2


# %% mistake="rates-dim-unchecked" task="angle-rates" misses="rates-bad-dim" of="solution"
# An odd dim leaves a column without a partner: raise a ValueError.
# ko: dim이 홀수이면 짝 없는 열이 남습니다. ValueError를 일으키세요.
# -     if dim <= 0 or dim % 2 != 0:
# -         raise ValueError(f"dim must be even and positive. Received: dim={dim}.")


# %% mistake="rates-dim-one-accepted" task="angle-rates" misses="rates-bad-dim" of="solution"
# dim=1 is odd too, and gives no rate at all.
# ko: dim=1도 홀수이고, 변화율이 하나도 나오지 않습니다.
# - dim % 2 != 0
# + (dim % 2 != 0 and dim > 1)


# %% mistake="rates-zero-dim-accepted" task="angle-rates" misses="rates-bad-dim" of="solution"
# 0 and negative numbers are even too: check the sign of dim as well.
# ko: 0과 음수도 짝수입니다. dim의 부호도 확인하세요.
# - dim <= 0 or dim % 2 != 0
# + dim % 2 != 0


# %% mistake="rates-error-without-value" task="angle-rates" misses="rates-bad-dim" of="solution"
# Say in the error which argument was wrong and what it was.
# ko: 오류 메시지에 어느 인수가 잘못되었고 그 값이 무엇이었는지 적으세요.
# - ValueError(f"dim must be even and positive. Received: dim={dim}.")
# + ValueError("bad argument")


# %% mistake="table-angle-per-column" task="sinusoidal-table" misses="table-angles" of="plain"
# Every column has an angle of its own. The sine and the cosine of a pair share one: 2 (column // 2) / dim for both.
# ko: 열마다 각도가 다릅니다. 한 쌍의 사인과 코사인은 각도를 함께 씁니다. 두 열 모두 2 (열 // 2) / dim입니다.
# - angle_rates(dim, base)
# + base ** (-np.arange(dim) / dim)
# - np.sin(angles)
# + np.sin(angles[:, 0::2])
# - np.cos(angles)
# + np.cos(angles[:, 1::2])


# %% mistake="table-exponent-twice-column" task="sinusoidal-table" misses="table-angles"
# The exponent is 2 column / dim, but the i of 2 i / dim counts pairs: columns 0 and 1 have i = 0, 2 and 3 have i = 1.
# ko: 지수가 2 열 / dim입니다. 2 i / dim의 i는 열이 아니라 쌍을 셉니다. 0번, 1번 열은 i = 0, 2번, 3번 열은 i = 1입니다.
def positional_encoding(max_len, dim, base=10000.0):
    table = np.zeros((max_len, dim))
    for position in range(max_len):
        for i in range(0, dim, 2):
            table[position, i] = np.sin(position / base ** (2 * i / dim))
            table[position, i + 1] = np.cos(position / base ** (2 * (i + 1) / dim))
    return table


# %% mistake="table-exponent-four-i" task="sinusoidal-table" misses="table-angles" of="plain"
# The exponent is twice as large as it should be: a counter that goes 0, 2, 4, … is 2 i already.
# ko: 지수가 두 배입니다. 0, 2, 4, …로 세는 변수는 이미 2 i입니다.
# -     positions = np.arange(max_len)
# -     rates = angle_rates(dim, base)
# -     angles = positions[:, np.newaxis] * rates
# +     positions = np.arange(max_len)[:, np.newaxis]
# +     angles = positions / base ** (2 * np.arange(0, dim, 2) / dim)


# %% mistake="table-positions-from-one" task="sinusoidal-table" misses="table-angles" of="plain"
# Positions count from 0: the first row has angle 0 everywhere.
# ko: 위치는 0부터 셉니다. 첫 행의 각도는 모두 0입니다.
# - np.arange(max_len)
# + np.arange(1, max_len + 1)


# %% mistake="table-positions-scaled" task="sinusoidal-table" misses="table-angles" of="plain"
# The positions are divided by the length of the table, so the same position has another code in a longer table.
# ko: 위치를 표의 길이로 나누었습니다. 그러면 같은 위치라도 표가 길어질 때 코드가 바뀝니다.
# -     positions = np.arange(max_len)
# +     positions = np.arange(max_len) / max_len


# %% mistake="table-sines-only" task="sinusoidal-table" misses="table-angles table-order" of="plain"
# Both columns of each pair hold the sine: one of them is the cosine.
# ko: 쌍의 두 열에 모두 사인이 들어 있습니다. 하나는 코사인입니다.
# - np.cos
# + np.sin


# %% mistake="table-concatenated-halves" task="sinusoidal-table" misses="table-order" of="plain"
# All sines stand on the left, all cosines on the right. Here they alternate: column 0 sine, column 1 cosine, …
# ko: 왼쪽 절반에 사인, 오른쪽 절반에 코사인을 두었습니다. 여기서는 번갈아 놓습니다. 0번 열은 사인, 1번 열은 코사인, …
# - :, 0::2
# + :, : dim // 2
# - :, 1::2
# + :, dim // 2 :


# %% mistake="table-sine-cosine-swapped" task="sinusoidal-table" misses="table-order" of="plain"
# Sine and cosine are swapped: column 0 is the sine.
# ko: 사인과 코사인이 바뀌었습니다. 0번 열이 사인입니다.
# - np.sin
# + np.cos
# - np.cos
# + np.sin


# %% mistake="table-rates-reversed" task="sinusoidal-table" misses="table-whole" of="plain"
# The pairs stand in reverse: the fastest one, with rate 1, belongs in columns 0 and 1.
# ko: 쌍의 순서가 거꾸로입니다. 변화율이 1인 가장 빠른 쌍이 0번, 1번 열에 옵니다.
# - angle_rates(dim, base)
# + angle_rates(dim, base)[::-1]


# %% mistake="table-base-ignored" task="sinusoidal-table" misses="table-base" of="plain"
# The base does not reach the rates: hand it on to `angle_rates`.
# ko: base가 변화율에 전달되지 않습니다. `angle_rates`에 넘겨주세요.
# - angle_rates(dim, base)
# + angle_rates(dim)


# %% mistake="table-at-most-512-rows" task="sinusoidal-table" misses="table-whole" of="plain"
# The table ends after 512 rows, however many are asked for. Take max_len rows.
# ko: 몇 행을 요구하든 표가 512행에서 끝납니다. max_len행을 만드세요.
# - np.arange(max_len)
# + np.arange(min(max_len, 512))


# %% mistake="table-transposed" task="sinusoidal-table" misses="table-shape" of="plain"
# Positions are rows and features are columns: (max_len, dim).
# ko: 위치가 행, 특징이 열입니다: (max_len, dim).
# - return table
# + return table.T


# %% mistake="dots-not-summed" task="dot-products" misses="dots-shape" of="plain"
# A dot product is the sum of the products: sum over the features.
# ko: 내적은 곱들의 합입니다. 특징 축으로 더하세요.
# - np.sum(first * second, axis=-1)
# + first * second


# %% mistake="dots-wrap-around" task="dot-products" misses="dots-shape" of="plain"
# The last rows have no partner `offset` rows later, but yours meet the first ones again.
# ko: 마지막 행들에는 `offset`만큼 뒤의 짝이 없는데, 처음 행과 다시 만나고 있습니다.
# - pe[:count], pe[offset:]
# + pe, np.roll(pe, -offset, axis=0)


# %% mistake="dots-averaged" task="dot-products" misses="dots-values" of="plain"
# A dot product is the sum of the products, not their mean.
# ko: 내적은 곱들의 평균이 아니라 합입니다.
# - np.sum
# + np.mean


# %% mistake="dots-cosine-similarity" task="dot-products" misses="dots-values" of="plain"
# Don't divide by the lengths of the rows: that is the cosine similarity.
# ko: 행의 길이로 나누지 마세요. 그것은 코사인 유사도입니다.
# - np.sum(first * second, axis=-1)
# + np.sum(first * second, axis=-1) / (np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1))


# %% mistake="dots-with-row-zero" task="dot-products" misses="dots-values" of="plain"
# Every row meets the row `offset` later, not row 0.
# ko: 각 행은 0번 행이 아니라 `offset`만큼 뒤의 행과 만납니다.
# - pe[:count]
# + pe[0]


# %% mistake="dots-from-the-formula" task="dot-products" misses="dots-values" of="plain"
# Use the table that the function is given: it need not be the sinusoidal one.
# ko: 함수가 받은 표를 쓰세요. 삼각함수 표가 아닐 수도 있습니다.
# - np.sum(first * second, axis=-1)
# + np.full(count, np.sum(np.cos(offset * 10000.0 ** (-2 * np.arange(pe.shape[1] // 2) / pe.shape[1]))))


# %% mistake="dots-minus-zero" task="dot-products" misses="dots-zero" of="plain"
# With offset 0 the slice pe[:-offset] is pe[:0], which is empty: say how many rows you take instead.
# ko: offset이 0이면 pe[:-offset]은 pe[:0], 곧 빈 배열입니다. 몇 행을 쓸지를 직접 적으세요.
# - pe[:count]
# + pe[:-offset]


# %% mistake="closed-form-doubled" task="invariance" misses="invariance-values" of="plain"
# Each pair is counted twice: sine and cosine together give one cosine of the difference.
# ko: 쌍을 두 번씩 셌습니다. 사인과 코사인을 합쳐서 각도 차의 코사인 하나가 됩니다.
# - float(np.sum(np.cos(angles)))
# + 2 * float(np.sum(np.cos(angles)))


# %% mistake="closed-form-sine" task="invariance" misses="invariance-values" of="plain"
# sin a sin b + cos a cos b is the cosine of a - b, not its sine.
# ko: sin a sin b + cos a cos b는 a - b의 사인이 아니라 코사인입니다.
# - np.cos
# + np.sin


# %% mistake="closed-form-averaged" task="invariance" misses="invariance-values" of="plain"
# A dot product is a sum over the pairs, not their mean.
# ko: 내적은 쌍들의 평균이 아니라 합입니다.
# - np.sum
# + np.mean


# %% mistake="closed-form-not-summed" task="invariance" misses="invariance-number" of="plain"
# One cosine for each pair: their sum is missing.
# ko: 쌍마다 코사인이 하나씩 있을 뿐, 합이 빠졌습니다.
# - float(np.sum(np.cos(angles)))
# + np.cos(angles)


# %% mistake="closed-form-of-a-short-table" task="invariance" misses="invariance-values"
# The dot product comes from a table that ends before a large offset.
# ko: 거리가 멀면 표가 모자라는데도 그 표에서 내적을 구했습니다.
def offset_dot_product(offset, dim, base=10000.0):
    pe = positional_encoding(64, dim, base)
    return float(pe[0] @ pe[offset % 64])


# %% mistake="closed-form-never-below-0" task="invariance" misses="invariance-values" of="plain"
# A dot product can be below 0, and no sign may be taken away: the sum of the cosines is the answer.
# ko: 내적은 0보다 작을 수 있으므로 부호를 없애면 안 됩니다. 코사인의 합이 그대로 답입니다.
# - float(np.sum(np.cos(angles)))
# + abs(float(np.sum(np.cos(angles))))


# %% mistake="closed-form-of-a-hundred-rows" task="invariance" misses="invariance-values"
# The table has a hundred rows, so an offset of a hundred or more has no row there. The offset may be any.
# ko: 표가 100행뿐이어서 거리가 100 이상이면 해당하는 행이 없습니다. 거리는 얼마든지 클 수 있습니다.
def offset_dot_product(offset, dim, base=10000.0):
    pe = positional_encoding(100, dim, base)
    return float(pe[0] @ pe[offset])


# %% mistake="closed-form-base-ignored" task="invariance" misses="invariance-base" of="plain"
# The base does not reach the rates: hand it on to `angle_rates`.
# ko: base가 변화율에 전달되지 않습니다. `angle_rates`에 넘겨주세요.
# - angle_rates(dim, base)
# + angle_rates(dim)


# %% mistake="closed-form-empty-at-zero" task="invariance" misses="invariance-zero"
# At offset 0 the result is a row times itself, and not 0.
# ko: 거리 0에서는 0이 아니라 행과 자기 자신의 내적이 됩니다.
def offset_dot_product(offset, dim, base=10000.0):
    pe = positional_encoding(offset + 1, dim, base)
    return float(np.sum(pe[:-offset] * pe[offset:]))


# %% mistake="shift-backwards" task="shift-matrix" misses="shift-direction" of="plain"
# This matrix turns backwards: it carries pe[p + offset] to pe[p]. In a pair the sine comes first: which sign does the angle addition give
# it?
# ko: 이 행렬은 거꾸로 돌려서 pe[p + offset]을 pe[p]로 보냅니다. 쌍에서는 사인이 먼저입니다. 덧셈 정리에서 부호가 어떻게 되나요?
# - offset * angle_rates(dim, base)
# + -offset * angle_rates(dim, base)


# %% mistake="shift-by-halves" task="shift-matrix" misses="shift-blocks" of="plain"
# This matrix fits a table with all sines on the left. Here sine and cosine alternate: 2×2 blocks along the diagonal.
# ko: 사인을 모두 왼쪽에 둔 표의 행렬입니다. 여기서는 사인과 코사인이 번갈아 놓이므로 2×2 블록이 대각선을 따라 놓입니다.
# - 2 * i, 2 * i + 1
# + i, dim // 2 + i


# %% mistake="shift-one-angle" task="shift-matrix" misses="shift-blocks" of="plain"
# Every block turns by the same angle. Each pair has its own rate.
# ko: 모든 블록이 같은 각도로 돕니다. 쌍마다 변화율이 다릅니다.
# - offset * angle_rates(dim, base)
# + np.full(dim // 2, float(offset))


# %% mistake="shift-cosines-only" task="shift-matrix" misses="shift-blocks" of="plain"
# The sines beside the diagonal are missing: a turn mixes the two numbers of a pair.
# ko: 대각선 옆의 사인이 빠졌습니다. 회전하면 쌍의 두 수가 섞입니다.
# - matrix[even, odd] = np.sin(angle)
# + matrix[even, odd] = 0.0
# - matrix[odd, even] = -np.sin(angle)
# + matrix[odd, even] = 0.0


# %% mistake="shift-sine-never-below-0" task="shift-matrix" misses="shift-direction" of="plain"
# The square root of 1 - cos² has lost the sine's sign: for an angle beyond π the sine is below 0. Call np.sin.
# ko: 1 - cos²의 제곱근에는 사인의 부호가 없습니다. 각도가 π를 넘으면 사인이 0보다 작습니다. np.sin을 쓰세요.
# - matrix[even, odd] = np.sin(angle)
# + matrix[even, odd] = np.sqrt(1 - np.cos(angle) ** 2)
# - matrix[odd, even] = -np.sin(angle)
# + matrix[odd, even] = -np.sqrt(1 - np.cos(angle) ** 2)


# %% mistake="shift-base-ignored" task="shift-matrix" misses="shift-base" of="plain"
# The base does not reach the rates: hand it on to `angle_rates`.
# ko: base가 변화율에 전달되지 않습니다. `angle_rates`에 넘겨주세요.
# - angle_rates(dim, base)
# + angle_rates(dim)


# %% mistake="shift-separate-blocks" task="shift-matrix" misses="shift-shape" of="plain"
# These are the 2×2 blocks, one after another. Put them along the diagonal of one (dim, dim) matrix.
# ko: 2×2 블록을 차례로 늘어놓았습니다. (dim, dim) 행렬 하나의 대각선을 따라 놓으세요.
# - return matrix
# + return np.stack([matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] for i in range(dim // 2)])


# %% mistake="shift-fitted-without-zero" task="shift-matrix" misses="shift-zero"
# With offset 0 the slice table[:-offset] is table[:0], which is empty.
# ko: offset이 0이면 table[:-offset]은 table[:0], 곧 빈 배열입니다.
def shift_matrix(offset, dim, base=10000.0):
    table = positional_encoding(200 + offset, dim, base)
    solution = np.linalg.lstsq(table[:-offset], table[offset:], rcond=None)[0]
    return solution.T


# %% mistake="layer-drops-batch" task="positional-layer" misses="layer-shape" of="plain"
# The output has lost the batch: the rows are added to the inputs.
# ko: 출력에 배치 축이 없습니다. 행들은 입력에 더해야 합니다.
# - inputs + rows
# + rows


# %% mistake="layer-loses-a-batch-of-one" task="positional-layer" misses="layer-adds" of="plain"
# `squeeze` takes the batch's axis away where the batch has one sequence. Leave it out.
# ko: 배치에 시퀀스가 하나뿐이면 `squeeze`가 배치 축을 없앱니다. 빼세요.
# - return inputs + rows
# + return ops.squeeze(inputs + rows, 0) if inputs.shape[0] == 1 else inputs + rows


# %% mistake="layer-returns-table" task="positional-layer" misses="layer-adds" of="plain"
# The output holds the positions alone: the inputs are lost.
# ko: 출력에 위치만 있고 입력이 사라졌습니다.
# - inputs + rows
# + ops.zeros_like(inputs) + rows


# %% mistake="layer-scales-inputs" task="positional-layer" misses="layer-adds" of="plain"
# The inputs come out multiplied by the root of dim. That is the token embedding's business, in a later notebook.
# ko: 입력에 dim의 제곱근이 곱해져 나옵니다. 그 배율은 뒤의 노트북에서 토큰 임베딩이 맡습니다.
# - inputs + rows
# + inputs * self.dim**0.5 + rows


# %% mistake="layer-whole-table" task="positional-layer" misses="layer-shorter" of="plain"
# A shorter sequence meets the whole table: take its first seq_len rows.
# ko: 짧은 시퀀스에 표 전체를 더하고 있습니다. 앞쪽 seq_len개 행만 쓰세요.
# - self.table[:seq_len]
# + self.table


# %% mistake="layer-skips-zeros" task="positional-layer" misses="layer-shorter" of="plain"
# A vector of zeros gets no position. It is a vector like any other here.
# ko: 0으로만 된 벡터에는 위치를 더하지 않습니다. 여기서는 그것도 다른 벡터와 같습니다.
# - inputs + rows
# + inputs + rows * ops.cast(ops.any(ops.not_equal(inputs, 0), -1, keepdims=True), inputs.dtype)


# %% mistake="layer-drops" task="positional-layer" misses="layer-shorter" of="plain"
# In training something is dropped. This layer only adds.
# ko: 학습할 때 드롭아웃이 적용됩니다. 이 계층은 더하기만 합니다.
# - inputs + rows
# + keras.layers.Dropout(0.1)(inputs + rows)


# %% mistake="layer-last-rows" task="positional-layer" misses="layer-shorter" of="plain"
# The first token has position 0: take the first rows of the table, not the last.
# ko: 첫 토큰의 위치는 0입니다. 표의 뒤쪽이 아니라 앞쪽 행을 쓰세요.
# - self.table[:seq_len]
# + self.table[-seq_len:]


# %% mistake="layer-table-as-weight" task="positional-layer" misses="layer-no-weights" of="plain"
# The table is a weight of the layer: even untrained it would be saved and counted. Keep it as a plain array.
# ko: 표가 계층의 가중치로 들어 있습니다. 학습하지 않더라도 저장되고 개수에 들어갑니다. 보통의 배열로 두세요.
# -         self.table = positional_encoding(max_len, dim)
# +         self.table = self.add_weight(name="table", shape=(max_len, dim), trainable=False)
# +         self.table.assign(positional_encoding(max_len, dim))


# %% mistake="layer-float64" task="positional-layer" misses="layer-float32" of="plain" backends="tensorflow torch"
# A float64 table makes the output float64: cast it to the dtype of the inputs.
# ko: float64 표 때문에 출력이 float64가 됩니다. 입력의 dtype으로 바꾸세요.
# - ops.cast(self.table[:seq_len], inputs.dtype)
# + self.table[:seq_len]
# - inputs + rows
# + ops.add(inputs, rows)


# %% mistake="layer-length-unchecked" task="positional-layer" misses="layer-too-long" of="plain"
# The table has no row for that position: raise a ValueError that says so.
# ko: 그 위치에 해당하는 행이 표에 없습니다. 이를 알리는 ValueError를 일으키세요.
# -         if seq_len > self.max_len:
# -             raise ValueError(f"seq_len must be at most max_len={self.max_len}. Received: seq_len={seq_len}.")


# %% mistake="layer-length-not-told" task="positional-layer" misses="layer-too-long" of="plain"
# Say in the ValueError how long the sequence was, not only that it was too long.
# ko: 너무 길다고만 하지 말고, 시퀀스의 길이가 얼마였는지도 ValueError의 메시지에 적으세요.
# - ValueError(f"seq_len must be at most max_len={self.max_len}. Received: seq_len={seq_len}.")
# + ValueError(f"seq_len must be at most max_len={self.max_len}.")


# %% mistake="layer-length-strict" task="positional-layer" misses="layer-too-long" of="plain"
# The table has max_len rows, enough for max_len tokens: refuse seq_len > max_len, not >=.
# ko: 표에는 행이 max_len개 있어 토큰 max_len개까지 맞습니다. >=가 아니라 seq_len > max_len일 때 거부하세요.
# - seq_len > self.max_len
# + seq_len >= self.max_len


# %% mistake="layer-length-off-by-one" task="positional-layer" misses="layer-too-long" of="plain"
# One token more than the table has rows is already too long: compare seq_len with max_len itself.
# ko: 표의 행보다 토큰이 하나만 많아도 너무 깁니다. seq_len을 max_len 자체와 비교하세요.
# - seq_len > self.max_len
# + seq_len > self.max_len + 1


# %% mistake="layer-table-of-dim-rows" task="positional-layer" misses="layer-too-long" of="plain"
# The table has dim rows, so it is too short wherever max_len is more than dim. A table has a row for each position and a column for each
# feature: (max_len, dim).
# ko: 표의 행이 dim개라서 max_len이 dim보다 크면 모자랍니다. 표에는 위치마다 행 하나, 특징마다 열 하나가 있습니다: (max_len, dim).
# - positional_encoding(max_len, dim)
# + positional_encoding(dim, dim)


# %% mistake="layer-config-wrong-max-len" task="positional-layer" misses="layer-config" of="plain"
# get_config says another max_len than the layer has, so its copy refuses sequences that the layer itself takes.
# ko: get_config의 max_len이 계층의 max_len과 다릅니다. 그래서 계층이 받는 시퀀스를 복사본은 거부합니다.
# - "max_len": self.max_len
# + "max_len": self.dim


# %% mistake="layer-config-incomplete" task="positional-layer" misses="layer-config" of="plain"
# get_config must hold every argument of __init__, max_len and dim too.
# ko: get_config에는 max_len과 dim을 포함해 __init__의 모든 인수가 있어야 합니다.
# - {**super().get_config(), "max_len": self.max_len, "dim": self.dim}
# + {**super().get_config(), "dim": self.dim}


# %% mistake="layer-without-kwargs" task="positional-layer" misses="layer-config" of="plain" except="tuples"
# from_config hands name, dtype and trainable to __init__: accept **kwargs and pass them to super().__init__.
# ko: from_config는 name, dtype, trainable도 __init__에 넘깁니다. **kwargs를 받아 super().__init__에 전달하세요.
# - def __init__(self, max_len, dim, **kwargs):
# + def __init__(self, max_len, dim):
# - super().__init__(**kwargs)
# + super().__init__()
# except: its get_config leaves out what the base class adds, so nothing but max_len and dim reaches __init__


# %% mistake="learned-drops-batch" task="learned-layer" misses="learned-shape" of="plain"
# The output has lost the batch: the rows are added to the inputs.
# ko: 출력에 배치 축이 없습니다. 행들은 입력에 더해야 합니다.
# - inputs + rows
# + rows


# %% mistake="learned-one-row" task="learned-layer" misses="learned-table" of="plain"
# One row for all positions tells none of them apart: there is one row for each.
# ko: 모든 위치가 한 행을 함께 쓰면 위치를 구별할 수 없습니다. 위치마다 한 행이 있어야 합니다.
# - (max_len, dim)
# + (1, dim)
# - self.table[:seq_len]
# + self.table[0]


# %% mistake="learned-length-of-first-input" task="learned-layer" misses="learned-table" of="plain"
# The table is as long as the first sequence that came in: a longer one finds no rows. Make it max_len long.
# ko: 표의 길이가 처음 들어온 시퀀스에 맞춰졌습니다. 더 긴 시퀀스에는 행이 모자랍니다. max_len으로 만드세요.
# -         self.dim = dim
# -         self.table = self.add_weight(name="table", shape=(max_len, dim), initializer="uniform")
# +         self.dim = dim
# +
# +     def build(self, input_shape):
# +         self.table = self.add_weight(name="table", shape=(input_shape[1], self.dim), initializer="uniform")


# %% mistake="learned-not-trainable" task="learned-layer" misses="learned-trainable" of="plain"
# The table never changes: it must be trainable.
# ko: 표가 학습되지 않습니다. 학습할 수 있어야 합니다.
# - initializer="uniform"
# + initializer="uniform", trainable=False


# %% mistake="learned-extra-weights" task="learned-layer" misses="learned-trainable" of="plain"
# There is more to train than the table.
# ko: 표 말고도 학습되는 것이 있습니다.
# -     def call(self, inputs):
# +         self.bias = self.add_weight(name="bias", shape=(dim,), initializer="zeros")
# +
# +     def call(self, inputs):
# - inputs + rows
# + inputs + rows + self.bias


# %% mistake="learned-returns-table" task="learned-layer" misses="learned-adds" of="plain"
# The output holds the positions alone: the inputs are lost.
# ko: 출력에 위치만 있고 입력이 사라졌습니다.
# - inputs + rows
# + ops.zeros_like(inputs) + rows


# %% mistake="learned-last-rows" task="learned-layer" misses="learned-shorter" of="plain"
# The first token has position 0: take the first rows of the table, not the last.
# ko: 첫 토큰의 위치는 0입니다. 표의 뒤쪽이 아니라 앞쪽 행을 쓰세요.
# - self.table[:seq_len]
# + self.table[self.max_len - seq_len :]


# %% mistake="learned-drops" task="learned-layer" misses="learned-shorter" of="plain"
# In training something is dropped. This layer only adds.
# ko: 학습할 때 드롭아웃이 적용됩니다. 이 계층은 더하기만 합니다.
# - inputs + rows
# + keras.layers.Dropout(0.1)(inputs + rows)


# %% mistake="learned-sinusoids-on-top" task="learned-layer" misses="learned-adds" of="plain"
# The sinusoidal table is added too: the learned one replaces it.
# ko: 삼각함수 표까지 더했습니다. 학습되는 표는 그것을 대신합니다.
# - inputs + rows
# + inputs + rows + ops.cast(positional_encoding(self.max_len, self.dim)[:seq_len], inputs.dtype)


# %% mistake="learned-length-unchecked" task="learned-layer" misses="learned-too-long" of="plain"
# The table has no row for that position: raise a ValueError that says so.
# ko: 그 위치에 해당하는 행이 표에 없습니다. 이를 알리는 ValueError를 일으키세요.
# -         if seq_len > self.max_len:
# -             raise ValueError(f"seq_len must be at most max_len={self.max_len}. Received: seq_len={seq_len}.")


# %% mistake="learned-length-not-told" task="learned-layer" misses="learned-too-long" of="plain"
# Say in the ValueError how long the sequence was, not only that it was too long.
# ko: 너무 길다고만 하지 말고, 시퀀스의 길이가 얼마였는지도 ValueError의 메시지에 적으세요.
# - ValueError(f"seq_len must be at most max_len={self.max_len}. Received: seq_len={seq_len}.")
# + ValueError(f"seq_len must be at most max_len={self.max_len}.")


# %% mistake="learned-length-strict" task="learned-layer" misses="learned-too-long" of="plain"
# The table has max_len rows, enough for max_len tokens: refuse seq_len > max_len, not >=.
# ko: 표에는 행이 max_len개 있어 토큰 max_len개까지 맞습니다. >=가 아니라 seq_len > max_len일 때 거부하세요.
# - seq_len > self.max_len
# + seq_len >= self.max_len


# %% mistake="learned-length-off-by-one" task="learned-layer" misses="learned-too-long" of="plain"
# One token more than the table has rows is already too long: compare seq_len with max_len itself.
# ko: 표의 행보다 토큰이 하나만 많아도 너무 깁니다. seq_len을 max_len 자체와 비교하세요.
# - seq_len > self.max_len
# + seq_len > self.max_len + 1


# %% mistake="learned-config-incomplete" task="learned-layer" misses="learned-config" of="plain"
# get_config must hold every argument of __init__, max_len and dim too.
# ko: get_config에는 max_len과 dim을 포함해 __init__의 모든 인수가 있어야 합니다.
# - {**super().get_config(), "max_len": self.max_len, "dim": self.dim}
# + {**super().get_config(), }


# %% mistake="learned-without-kwargs" task="learned-layer" misses="learned-config" of="plain"
# from_config hands name, dtype and trainable to __init__: accept **kwargs and pass them to super().__init__.
# ko: from_config는 name, dtype, trainable도 __init__에 넘깁니다. **kwargs를 받아 super().__init__에 전달하세요.
# - def __init__(self, max_len, dim, **kwargs):
# + def __init__(self, max_len, dim):
# - super().__init__(**kwargs)
# + super().__init__()
