# %% [markdown]
# # Positional encoding: telling a Transformer where each word stands
#
# A recurrent network reads a sentence word by word, so it knows the order from the start. Attention reads all words at once,
# and for that very reason has no idea of their order. The Transformer's answer is simple: to every word's vector it **adds
# a vector that stands for the position**. This notebook builds these vectors and finds out why they look as they do.
#
# ![You are here: the positions that are added to the embeddings, below the first encoder and decoder block.](../_shared/diagrams/model-01.svg)
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `angle_rates`: how fast each pair of columns turns | 2 |
# | 2 | `positional_encoding`: the sinusoidal table | 4 |
# | 3 | `dot_products_at_offset`: rows a fixed distance apart | 2 |
# | 4 | `offset_dot_product`: what those dot products all equal | 2 |
# | 5 | `shift_matrix`: moving along the sequence is a rotation | 3 |
# | 6 | `PositionalEncoding`: the Keras layer | 4 |
# | 7 | `LearnedPositionalEmbedding`: let training choose the table | 3 |
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each one holds public checks that say in a
# sentence what is wrong. The points come from other inputs after you hand in, in steps: half a task right is worth something,
# and a mistake in one task costs nothing in a later one. Every other cell that isn't locked is yours to play with.
#
# **Which library?** NumPy, `keras.ops` and `tf.*` all count the same. (For `tf.*`, write `import tensorflow as tf` in your cell. In the `call` of a layer
# NumPy earns its points too, but nothing learns through it.)
#
# **Words for shapes.** `batch` sequences of `seq_len` vectors of width `dim`; a table has `max_len` rows, one for each position,
# and positions count from 0. We write $p$ for a position, $k$ for an offset (a distance between positions), $i$ for a pair of
# columns, and $d$ in formulas for `dim`.
#
# <!-- ko -->
# # 위치 인코딩: 트랜스포머에게 단어의 자리를 알려 주기
#
# 순환 신경망은 문장을 한 단어씩 읽으므로 처음부터 순서를 압니다. 어텐션(attention)은 모든 단어를 한꺼번에 읽고,
# 바로 그 때문에 순서를 전혀 모릅니다. 트랜스포머(Transformer)의 해결책은 간단합니다. 단어 벡터마다
# **위치를 나타내는 벡터를 더합니다.** 이 노트북에서는 그 벡터, 곧 위치 인코딩(positional encoding)을 만들고
# 왜 그런 모양인지 알아봅니다.
#
# ![지금 여기: 첫 인코더 블록과 디코더 블록 아래, 임베딩에 위치를 더하는 곳.](../_shared/diagrams/model-01.svg)
#
# | 과제 | 작성할 것 | 배점 |
# |---|---|---|
# | 1 | `angle_rates`: 열의 쌍마다 얼마나 빨리 도는가 | 2 |
# | 2 | `positional_encoding`: 사인과 코사인으로 된 표 | 4 |
# | 3 | `dot_products_at_offset`: 일정한 거리만큼 떨어진 행들의 내적 | 2 |
# | 4 | `offset_dot_product`: 그 내적들이 모두 같아지는 값 | 2 |
# | 5 | `shift_matrix`: 시퀀스를 따라 움직이면 회전한다 | 3 |
# | 6 | `PositionalEncoding`: 케라스 계층 | 4 |
# | 7 | `LearnedPositionalEmbedding`: 표를 학습에 맡기기 | 3 |
#
# **진행 방법.** `# YOUR CODE HERE`라고 적힌 셀을 채우세요. 바로 아래 셀의 공개 검사가 무엇이 틀렸는지 문장으로 알려 줍니다. 점수는
# 제출한 뒤 다른 입력으로 단계별로 매깁니다. 과제를 절반만 맞혀도 그만큼 점수를 받고, 한 과제에서 틀려도 뒤 과제의 점수는 깎이지
# 않습니다. 잠기지 않은 나머지 셀은 마음껏 바꾸며 실험하세요.
#
# **어떤 라이브러리로?** NumPy, `keras.ops`, `tf.*` 모두 똑같이 인정합니다. (`tf.*`를 쓰려면 여러분의 셀에 `import tensorflow as tf`를 적으세요. 계층의
# `call`에서 NumPy를 써도 점수는 받지만, 기울기가 NumPy를 통과하지 못해 학습은 되지 않습니다.)
#
# **모양을 나타내는 말.** 너비 `dim`인 벡터가 `seq_len`개 이어진 시퀀스가 `batch`개 있습니다. 표에는 위치마다 한 행씩
# `max_len`개의 행이 있고, 위치는 0부터 셉니다. 위치는 $p$, 거리(offset, 두 위치의 간격)는 $k$, 열의 쌍은 $i$로 쓰고, 식에서는 `dim`을 $d$로 씁니다.

# %% locked="setup" include="quiet_keras.py"
import warnings

import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops

to_numpy = ops.convert_to_numpy  # a tensor of any backend as a NumPy array
# ko: to_numpy = ops.convert_to_numpy  # 어느 백엔드의 텐서든 NumPy 배열로
VALUE = "value"
# ko: VALUE = "값 (value)"


def heat_map(values, title, xlabel, ylabel, ax=None, limit=None, label=VALUE):
    """Draw a matrix as colours, blue for negative and red for positive numbers."""
    # ko: """행렬을 색으로 그립니다. 음수는 파란색, 양수는 빨간색입니다."""
    values = to_numpy(values)
    limit = limit or np.abs(values).max()
    ax = ax or plt.subplots(figsize=(7, 3.6))[1]
    image = ax.imshow(values, cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto", interpolation="nearest")
    ax.set(title=title, xlabel=xlabel, ylabel=ylabel)
    ax.figure.colorbar(image, ax=ax, label=label)
    return ax


def _check_sizes(check, config):
    """The config of a layer with max_len 6 and dim 4 doesn't hold them in each other's place."""
    # ko: """max_len이 6, dim이 4인 계층의 config에서 두 값의 자리가 바뀌지 않았습니다."""
    if not hasattr(config, "get"):
        cause = " Is the `return` missing, or is it what `update` of a dictionary returned? That is None." if config is None else ""
        # ko: cause = " `return`이 빠졌거나, 딕셔너리의 `update`가 돌려준 것을 그대로 돌려주지 않았나요? `update`는 None을 돌려줍니다." if config is None else ""
        check._fail(f"`get_config` returned {'None' if config is None else f'a {type(config).__name__}'}, not a dictionary.{cause}")
        # ko: check._fail(f"`get_config`가 딕셔너리가 아니라 {'None' if config is None else type(config).__name__}을(를) 돌려주었습니다.{cause}")
    check.true(
        (config.get("max_len"), config.get("dim")) != (4, 6),
        "the config has each size in its place",
        # ko: "config에서 크기마다 제자리에 있다",
        "in what get_config returns max_len and dim have changed places.",
        # ko: "get_config가 돌려주는 설정에서 max_len과 dim의 자리가 바뀌었습니다.",
    )


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## Why positions at all
#
# *The dog bit a man* and *a man bit the dog* hold the same words. A mechanism that treats a sentence as a bag of words
# can't tell them apart, and self-attention is such a mechanism: shuffle its inputs, and the outputs are shuffled in the same way
# and otherwise unchanged. (The next notebook builds attention properly. Here three lines of it are enough.)
#
# <!-- ko -->
# ## 왜 위치가 필요한가
#
# 영어의 *the dog bit a man*(개가 사람을 물었다)과 *a man bit the dog*(사람이 개를 물었다)는 같은 단어로 이루어져 있습니다.
# 문장을 단어 주머니(bag of words)로 다루는 방법은 둘을 구별하지 못합니다. 셀프 어텐션(self-attention)이 바로 그렇습니다.
# 입력을 뒤섞으면 출력도 똑같이 뒤섞일 뿐 달라지는 것이 없습니다.
# (어텐션은 다음 노트북에서 제대로 만듭니다. 여기서는 세 줄이면 됩니다.)


# %%
@demonstrate
def _demo():
    global _bare_self_attention, _words
    def _bare_self_attention(x):
        """Return, for each row of x, an average of all rows weighted by similarity."""
        # ko: """x의 행마다, 서로 닮은 정도를 가중치로 모든 행을 평균한 벡터를 돌려줍니다."""
        weights = np.exp(x @ x.T)
        return weights / weights.sum(axis=-1, keepdims=True) @ x

    rng = np.random.default_rng(0)
    _words = dict(zip(["the", "dog", "bit", "a", "man"], rng.normal(0, 0.5, (5, 8)), strict=True))
    one = _bare_self_attention(np.stack([_words[w] for w in ["the", "dog", "bit", "a", "man"]]))
    two = _bare_self_attention(np.stack([_words[w] for w in ["a", "man", "bit", "the", "dog"]]))
    print("'bit' in the first sentence: ", one[2].round(3))
    # ko: print("첫째 문장의 'bit':", one[2].round(3))
    print("'bit' in the second sentence:", two[2].round(3))
    # ko: print("둘째 문장의 'bit':", two[2].round(3))

# %% [markdown]
# The same vector for *bit*, whoever bites. So order must come in with the inputs: position $p$ gets a vector, its **code**, which is
# added to the word's. What should such codes be like?
#
# ### Four conditions, and three schemes that fail
#
# 1. **Unique**: every position has its own code.
# 2. **Even**: neighbours are equally far apart, wherever they are and however long the sequence is.
# 3. **Open-ended**: the code of a position exists for longer sequences than those seen so far, and stays what it was.
# 4. **Bounded and fixed**: the values stay within limits that fit the word vectors, and the same position always gets the same code.
#
# | scheme | unique | even | open-ended | bounded, fixed |
# |---|---|---|---|---|
# | count: $0, 1, 2, \dots$ | ✓ | ✓ | ✓ | ✗ position 500 drowns the word |
# | scale to $0 \dots 1$: $p / (n - 1)$ in $n$ words | ✓ | ✗ a step is $1/4$ in 5 words, $1/19$ in 20 | ✗ the codes change with $n$ | ✗ same position, other code |
# | binary digits of $p$ | ✓ | ✗ one step flips anything from one bit to all | ✗ $b$ bits end at $2^b$ | ✓ |
#
# <!-- ko -->
# 누가 물든 *bit*의 벡터는 같습니다. 그러므로 순서는 입력과 함께 들어와야 합니다. 위치 $p$마다 벡터를 하나 정해 단어 벡터에
# 더합니다. 이 벡터를 그 위치의 **코드**(code)라고 부릅시다. 코드는 어떤 조건을 갖추어야 할까요?
#
# ### 네 가지 조건과 실패하는 세 가지 방법
#
# 1. **유일함**: 위치마다 코드가 다르다.
# 2. **균일함**: 어디에 있든, 시퀀스가 얼마나 길든 이웃한 두 코드가 똑같이 떨어져 있다.
# 3. **열려 있음**: 지금까지 본 것보다 긴 시퀀스에도 코드가 있고, 이미 있던 코드는 그대로다.
# 4. **제한되고 고정됨**: 값이 단어 벡터에 어울리는 범위에 머물고, 같은 위치의 코드는 언제나 같다.
#
# | 방법 | 유일함 | 균일함 | 열려 있음 | 제한, 고정 |
# |---|---|---|---|---|
# | 번호 매기기: $0, 1, 2, \dots$ | ✓ | ✓ | ✓ | ✗ 위치 500에서는 단어가 묻힌다 |
# | $0 \dots 1$로 맞추기: 단어 $n$개이면 $p / (n - 1)$ | ✓ | ✗ 한 걸음이 5단어에서는 $1/4$, 20단어에서는 $1/19$ | ✗ $n$에 따라 바뀐다 | ✗ 같은 위치, 다른 코드 |
# | $p$의 이진수 | ✓ | ✗ 한 걸음에 바뀌는 비트가 하나에서 모두까지다 | ✗ $b$비트는 $2^b$에서 끝난다 | ✓ |

# %%
@demonstrate
def _demo():
    fig, (counting, scaled, binary) = plt.subplots(1, 3, figsize=(12, 3.2), layout="constrained")
    counting.plot(np.arange(40), "o-", markersize=3)
    counting.axhspan(-2, 2, color="tab:orange", alpha=0.4, label="values of word vectors")
    # ko: counting.axhspan(-2, 2, color="tab:orange", alpha=0.4, label="단어 벡터의 값 범위 (word vectors)")
    counting.set(title="counting: unbounded", xlabel="position", ylabel="code")
    # ko: counting.set(title="번호: 끝없이 커진다 (counting)", xlabel="위치 (position)", ylabel="코드 (code)")
    counting.legend()

    for length in (5, 20):
        scaled.plot(np.arange(length), np.arange(length) / (length - 1), "o-", markersize=3, label=f"{length} words")
        # ko: scaled.plot(np.arange(length), np.arange(length) / (length - 1), "o-", markersize=3, label=f"{length}단어 ({length} words)")
    scaled.set(title="scaled: one position, two codes", xlabel="position", ylabel="code")
    # ko: scaled.set(title="맞추기: 한 위치에 두 코드 (scaled)", xlabel="위치 (position)", ylabel="코드 (code)")
    scaled.legend()

    bits = np.arange(16)[:, np.newaxis] // 2 ** np.arange(4) % 2
    jumps = np.linalg.norm(np.diff(bits, axis=0), axis=1)
    binary.bar(np.arange(15), jumps)
    binary.set_xticks(np.arange(0, 15, 2))
    binary.set(title="binary: steps of different size", xlabel="from position", ylabel="distance to the next code")
    # ko: binary.set(title="이진수: 걸음이 고르지 않다 (binary)", xlabel="출발 위치 (from)", ylabel="다음 코드까지의 거리 (distance)")
    plt.show()

# %% [markdown]
# The binary digits fail, but look at *how* they encode a number: the last digit changes at every step, the next one at every
# second, the next at every fourth. Fast digits tell neighbours apart, slow digits say roughly where we are. What fails
# are the jumps, and that $b$ digits end at $2^b$. Replace each digit by something that goes back and forth **smoothly**, a clock hand that
# turns for ever, and all four conditions can be met.
#
# ## Task 1: angle rates (2 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# Take `dim // 2` clock hands. Hand $i$ turns by a fixed angle from one position to the next, its **rate**
#
# $$\omega_i = \text{base}^{-2i/\text{dim}}, \qquad i = 0, 1, \dots, \tfrac{\text{dim}}{2} - 1, \qquad \text{base} = 10000,$$
#
# in radians per position (Vaswani et al. 2017, section 3.5, where it stands as $pos / 10000^{2i/d_{model}}$). Hand 0 turns by one
# radian a step (anticlockwise, as angles are counted) and comes round every $2\pi \approx 6.3$ positions. Each following hand is slower by one and the same factor, and
# the last needs $10000^{1-2/\text{dim}} \cdot 2\pi$ positions to come round, nearly $10000 \cdot 2\pi$ in a wide table.
#
# ![Clock hands of three pairs at positions 0 to 5: the first turns by one radian a step, each following one more slowly.](../_shared/diagrams/clock-hands.svg)
#
# Every hand becomes **two** columns of the table, a sine and a cosine: both coordinates of its tip. One alone would not do, since
# $\sin$ takes each value twice a turn. That is where the 2 in $2i/\text{dim}$ comes from: **$i$ counts pairs**, and $2i$ is the column
# where pair $i$ begins. It is also why `dim` must be even.
#
# **Example** with `dim=4`: two pairs, $\omega_0 = 10000^{0} = 1$ and $\omega_1 = 10000^{-2/4} = 0.01$.
#
# | quantity | shape |
# |---|---|
# | $i$ | `(dim // 2,)` |
# | result | `(dim // 2,)` |
#
# <details><summary>Hint 1: Which number counts the pairs, and which the columns?</summary>
#
# `np.arange(dim // 2)` counts pairs. Pair $i$ begins in column $2i$, and the exponent is the number of that column, divided by `dim`, with a minus sign.
#
# </details>
#
# <details><summary>Hint 2: An exponent for an array</summary>
#
# A number to the power of an array is an array: `2.0 ** np.array([0, 1, 2])` is `[1, 2, 4]`.
#
# </details>
#
# <!-- ko -->
# 이진수는 실패했지만, 수를 *어떻게* 나타내는지 보세요. 마지막 자리는 한 걸음마다, 그 앞자리는 두 걸음마다, 그 앞은 네 걸음마다
# 바뀝니다. 빠른 자리는 이웃을 구별하고 느린 자리는 대략 어디쯤인지 말해 줍니다. 문제는 갑자기 바뀐다는 점과
# $b$자리가 $2^b$에서 끝난다는 점입니다. 자리마다 **매끄럽게** 오가며 끝없이 도는 시곗바늘을 두면 네 조건을 모두 만족할 수 있습니다.
#
# ## 과제 1: 각도 변화율 (angle rates, 2점)
#
# *난이도 1/5, 10분쯤.*
#
# 시곗바늘 `dim // 2`개를 둡니다. 바늘 $i$는 위치가 하나 늘 때마다 일정한 각도만큼 돕니다. 이 각도가 **변화율**입니다.
#
# $$\omega_i = \text{base}^{-2i/\text{dim}}, \qquad i = 0, 1, \dots, \tfrac{\text{dim}}{2} - 1, \qquad \text{base} = 10000$$
#
# 단위는 위치 하나당 라디안입니다(Vaswani et al. 2017, 3.5절에는 $pos / 10000^{2i/d_{model}}$로 나옵니다). 바늘 0은 한 걸음에 1라디안씩
# (각도를 재는 방향, 곧 시계 반대 방향으로) 돌아 $2\pi \approx 6.3$ 위치마다 한 바퀴를 돕니다. 다음 바늘로 갈수록 같은 비율로 느려지고, 마지막 바늘이 한 바퀴 도는 데는
# $10000^{1-2/\text{dim}} \cdot 2\pi$ 위치가 필요합니다. 표가 넓으면 $10000 \cdot 2\pi$에 가깝습니다.
#
# ![위치 0부터 5까지 세 쌍의 시곗바늘 셋. 첫 바늘은 한 걸음에 1라디안씩 돌고, 뒤의 바늘일수록 느립니다.](../_shared/diagrams/clock-hands.svg)
#
# 바늘 하나는 표에서 **두** 열, 사인과 코사인이 됩니다. 바늘 끝의 두 좌표입니다. 하나로는 부족합니다. $\sin$은 한 바퀴에 같은 값을
# 두 번 지나기 때문입니다. $2i/\text{dim}$의 2가 여기서 나옵니다. **$i$는 쌍을 세고**, $2i$는 쌍 $i$가 시작하는 열입니다.
# `dim`이 짝수여야 하는 까닭이기도 합니다.
#
# **예.** `dim=4`이면 두 쌍이 있고 $\omega_0 = 10000^{0} = 1$, $\omega_1 = 10000^{-2/4} = 0.01$입니다.
#
# | 양 | 모양 |
# |---|---|
# | $i$ | `(dim // 2,)` |
# | 결과 | `(dim // 2,)` |
#
# <details><summary>힌트 1: 쌍을 세는 수와 열을 세는 수는 각각 무엇일까요?</summary>
#
# `np.arange(dim // 2)`는 쌍을 셉니다. 쌍 $i$는 열 $2i$에서 시작하고, 지수는 그 열 번호를 `dim`으로 나눈 값에 음의 부호를 붙인 수입니다.
#
# </details>
#
# <details><summary>힌트 2: 지수가 배열일 때</summary>
#
# 수를 배열만큼 거듭제곱하면 배열이 됩니다. `2.0 ** np.array([0, 1, 2])`는 `[1, 2, 4]`입니다.
#
# </details>


# %% task="angle-rates"
def angle_rates(dim, base=10000.0):
    """
    Return the angle by which each pair of columns turns from one position to the next.
    # ko: 위치가 하나 늘 때 열의 쌍마다 도는 각도를 돌려줍니다.

    Args:
    # ko: 인수:
        dim: the number of columns of the table, even and positive.
        # ko: dim: 표의 열 수. 짝수이고 양수입니다.
        base: the number whose powers the rates are.
        # ko: base: 변화율은 이 수의 거듭제곱입니다.

    Returns:
    # ko: 반환값:
        (dim // 2,), entry i is base ** (-2 i / dim).
        # ko: (dim // 2,), i번 값은 base ** (-2 i / dim)입니다.

    Raises:
    # ko: 예외:
        ValueError: if dim is odd or not positive. Its text names `dim` and the value received.
        # ko: ValueError: dim이 홀수이거나 양수가 아닐 때. 오류 메시지에 `dim`과 받은 값을 적습니다.
    """
    ### BEGIN SOLUTION
    if dim <= 0 or dim % 2 != 0:
        raise ValueError(f"dim must be even and positive. Received: dim={dim}.")
    i = np.arange(dim // 2)
    return base ** (-2 * i / dim)
    ### END SOLUTION


# %% grade="angle-rates" points=2
@checking("angle_rates")
def _check(check):
    check.shape(angle_rates(6), (3,), "(dim // 2,)", "There is one rate for each pair of columns.")
    # ko: check.shape(angle_rates(6), (3,), "(dim // 2,)", "열의 쌍마다 변화율이 하나입니다.")
    check.close(
        angle_rates(6),
        [1.0, 0.04641589, 0.00215443],
        "the rates for dim=6",
        # ko: "dim=6의 변화율",
        hints={
            "the exponent is i / dim. Each pair is two columns wide: where is the 2?": [1.0, 0.21544347, 0.04641589],
            # ko: "지수가 i / dim입니다. 한 쌍은 두 열을 차지합니다. 2는 어디에 있나요?": [1.0, 0.21544347, 0.04641589],
            "the exponent is 4i / dim. Does `i` go in steps of 2 already, and is multiplied by 2 once more? Or is it divided by half of dim?": [1.0, 0.00215443, 4.6416e-06],
            # ko: "지수가 4i / dim입니다. `i`가 이미 2씩 늘어나는데 2를 또 곱하지 않았나요? 아니면 dim의 절반으로 나누지 않았나요?": [1.0, 0.00215443, 4.6416e-06],
            "the rates grow instead of falling. Look at the sign of the exponent.": [1.0, 21.5443469, 464.158883],
            # ko: "변화율이 줄지 않고 커집니다. 지수의 부호를 보세요.": [1.0, 21.5443469, 464.158883],
            "nearly nothing comes out. Is the whole exponent in brackets? `**` comes before `*` and `/`.": [0.0, 0.0, 0.0],
            # ko: "거의 0이 나옵니다. 지수 전체를 괄호로 묶었나요? `**`는 `*`와 `/`보다 먼저 계산됩니다.": [0.0, 0.0, 0.0],
            "powers of ten are right for dim=8 only. Use the formula.": [1.0, 0.1, 0.01],
            # ko: "10의 거듭제곱은 dim=8일 때만 맞습니다. 식을 쓰세요.": [1.0, 0.1, 0.01],
        },
        tolerance=1e-5,
    )
    check.close(angle_rates(4), [1.0, 0.01], "the rates for dim=4")
    # ko: check.close(angle_rates(4), [1.0, 0.01], "dim=4의 변화율")
    check.close(
        angle_rates(4, base=100.0),
        [1.0, 0.1],
        "the rates for dim=4, base=100",
        # ko: "dim=4, base=100의 변화율",
        hints={
            "10000 is used whatever `base` is.": [1.0, 0.01],
            # ko: "`base`와 상관없이 10000을 쓰고 있습니다.": [1.0, 0.01],
        },
    )
    check.raises_value_error(angle_rates, dim=5, naming=("dim", 5))
    check.raises_value_error(angle_rates, dim=0, naming=("dim", 0))
    check.raises_value_error(angle_rates, dim=-2, naming=("dim", -2))
    if isinstance(angle_rates(6), list | tuple):
        check.note("it returns a list or a tuple. `3 * rates` is then the list three times over, not three times each rate: return an array.")
        # ko: check.note("리스트나 튜플을 돌려줍니다. 그러면 `3 * rates`는 변화율마다 3을 곱한 것이 아니라 리스트를 세 번 이어 붙인 것입니다. 배열을 돌려주세요.")
_check

# %% [markdown]
# On the left, for `dim=8`, the sine of each of the four hands: how high its tip stands as the positions go by. On the right, how many positions each of the 32 hands of a table of width 64 needs
# for one turn: from 6 to more than 40 000, in equal steps on a logarithmic scale.
#
# <!-- ko -->
# 왼쪽 그림은 `dim=8`일 때 네 바늘의 사인, 곧 위치가 늘어남에 따라 바늘 끝이 얼마나 높이 있는지를 그린 것입니다. 오른쪽은 너비 64인 표의 바늘 32개가 각각 한 바퀴 도는 데 필요한 위치 수입니다.
# 6에서 4만이 넘는 수까지, 로그 눈금에서 같은 간격으로 늘어섭니다.

# %%
@demonstrate
def _demo():
    fig, (hands, periods) = plt.subplots(1, 2, figsize=(12, 3.4), layout="constrained")
    positions = np.linspace(0, 60, 601)
    for i, rate in enumerate(to_numpy(angle_rates(8))):
        hands.plot(positions, np.sin(positions * rate), label=f"i={i}, rate {rate:g}")
        # ko: hands.plot(positions, np.sin(positions * rate), label=f"i={i}, 변화율 (rate) {rate:g}")
    hands.set(title="sines of the four pairs, dim=8", xlabel="position", ylabel="sin(position × rate)")
    # ko: hands.set(title="네 쌍의 사인 (sines), dim=8", xlabel="위치 (position)", ylabel="sin(위치 × 변화율)")
    hands.set_ylim(-1.1, 2.1)
    hands.legend(loc="upper left", ncols=2)
    periods.semilogy(2 * np.pi / to_numpy(angle_rates(64)), "o")
    periods.set(title="positions for one turn, dim=64", xlabel="pair i", ylabel="2π / rate")
    # ko: periods.set(title="한 바퀴 도는 데 필요한 위치 수 (one turn), dim=64", xlabel="쌍 (pair) i", ylabel="2π / 변화율 (rate)")
    plt.show()

# %% [markdown]
# ## Task 2: the sinusoidal table (4 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# Row $p$ of the table holds the tips of all hands after $p$ steps, sine and cosine **interleaved**:
#
# $$\text{PE}[p, 2i] = \sin(p\,\omega_i), \qquad \text{PE}[p, 2i + 1] = \cos(p\,\omega_i).$$
#
# | column | 0 | 1 | 2 | 3 | … |
# |---|---|---|---|---|---|
# | pair $i$ | 0 | 0 | 1 | 1 | … |
# | holds | $\sin(p\,\omega_0)$ | $\cos(p\,\omega_0)$ | $\sin(p\,\omega_1)$ | $\cos(p\,\omega_1)$ | … |
#
# **Example** with `max_len=6, dim=4`. Row 0 has angle 0 everywhere: `0, 1, 0, 1`. Row 1 has the angles 1 and 0.01:
# `0.84147098, 0.54030231, 0.00999983, 0.99995000`. Row 5 has the angles 5 and 0.05:
# `-0.95892427, 0.28366219, 0.04997917, 0.99875026`.
#
# | quantity | shape |
# |---|---|
# | positions, as a column | `(max_len, 1)` |
# | rates | `(dim // 2,)` |
# | angles: position times rate | `(max_len, dim // 2)` |
# | result | `(max_len, dim)` |
#
# <details><summary>Hint 1: How do all positions meet all rates at once?</summary>
#
# A column of shape `(max_len, 1)` times a row of shape `(dim // 2,)` broadcasts to `(max_len, dim // 2)`.
#
# </details>
#
# <details><summary>Hint 2: How do sines and cosines alternate?</summary>
#
# A slice with a step picks every second column: `a[:, 0::2]` and `a[:, 1::2]`. You can also assign to such slices.
#
# </details>
#
# <!-- ko -->
# ## 과제 2: 사인과 코사인으로 된 표 (4점)
#
# *난이도 2/5, 20분쯤.*
#
# 표의 $p$번 행에는 $p$걸음 뒤 모든 바늘 끝의 좌표가 들어갑니다. 사인과 코사인을 **번갈아**(interleaved) 놓습니다.
#
# $$\text{PE}[p, 2i] = \sin(p\,\omega_i), \qquad \text{PE}[p, 2i + 1] = \cos(p\,\omega_i)$$
#
# | 열 | 0 | 1 | 2 | 3 | … |
# |---|---|---|---|---|---|
# | 쌍 $i$ | 0 | 0 | 1 | 1 | … |
# | 값 | $\sin(p\,\omega_0)$ | $\cos(p\,\omega_0)$ | $\sin(p\,\omega_1)$ | $\cos(p\,\omega_1)$ | … |
#
# **예.** `max_len=6, dim=4`. 0번 행은 각도가 모두 0이므로 `0, 1, 0, 1`입니다. 1번 행의 각도는 1과 0.01이므로
# `0.84147098, 0.54030231, 0.00999983, 0.99995000`입니다. 5번 행의 각도는 5와 0.05이므로
# `-0.95892427, 0.28366219, 0.04997917, 0.99875026`입니다.
#
# | 양 | 모양 |
# |---|---|
# | 위치, 세로로 | `(max_len, 1)` |
# | 변화율 | `(dim // 2,)` |
# | 각도: 위치 곱하기 변화율 | `(max_len, dim // 2)` |
# | 결과 | `(max_len, dim)` |
#
# <details><summary>힌트 1: 모든 위치와 모든 변화율을 한꺼번에 곱하려면?</summary>
#
# 모양 `(max_len, 1)`인 열과 모양 `(dim // 2,)`인 행을 곱하면 `(max_len, dim // 2)`로 브로드캐스트됩니다.
#
# </details>
#
# <details><summary>힌트 2: 사인과 코사인을 번갈아 놓으려면?</summary>
#
# 간격이 있는 슬라이스는 열을 하나씩 건너뛰며 고릅니다. `a[:, 0::2]`와 `a[:, 1::2]`입니다. 이런 슬라이스에 값을 넣을 수도 있습니다.
#
# </details>


# %% task="sinusoidal-table" builds_on="angle-rates"
def positional_encoding(max_len, dim, base=10000.0):
    """
    Return the sinusoidal table of Vaswani et al. (2017), one row for each position.
    # ko: Vaswani et al. (2017)의 위치 인코딩 표를 돌려줍니다. 위치마다 한 행입니다.

    Args:
    # ko: 인수:
        max_len: the number of positions, counted from 0.
        # ko: max_len: 위치의 수. 위치는 0부터 셉니다.
        dim: the number of columns, even and positive.
        # ko: dim: 열의 수. 짝수이고 양수입니다.
        base: handed on to `angle_rates`.
        # ko: base: `angle_rates`에 넘깁니다.

    Returns:
    # ko: 반환값:
        (max_len, dim), float32 or float64: sines in the even columns 0, 2, …, cosines in the odd columns 1, 3, …
        # ko: (max_len, dim), 실수(float32나 float64): 짝수 열 0, 2, …에는 사인, 홀수 열 1, 3, …에는 코사인.
    """
    ### BEGIN SOLUTION
    positions = np.arange(max_len)[:, np.newaxis]  # (max_len, 1)
    angles = positions * angle_rates(dim, base)  # (max_len, dim // 2)
    table = np.zeros((max_len, dim))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table
    ### END SOLUTION


# %% grade="sinusoidal-table" points=4
@checking("positional_encoding")
def _check(check):
    interleaved = np.array(
        [
            [0, 1, 0, 1],
            [0.84147098, 0.54030231, 0.00999983, 0.99995],
            [0.90929743, -0.41614684, 0.01999867, 0.99980001],
            [0.14112001, -0.9899925, 0.0299955, 0.99955003],
            [-0.7568025, -0.65364362, 0.03998933, 0.99920011],
            [-0.95892427, 0.28366219, 0.04997917, 0.99875026],
            [-0.2794155, 0.96017029, 0.05996401, 0.99820054],
        ]
    )
    own_angles = np.array(
        [
            [0, 1, 0, 1],
            [0.84147098, 0.99500417, 0.00999983, 0.9999995],
            [0.90929743, 0.98006658, 0.01999867, 0.999998],
            [0.14112001, 0.95533649, 0.0299955, 0.9999955],
            [-0.7568025, 0.92106099, 0.03998933, 0.999992],
            [-0.95892427, 0.87758256, 0.04997917, 0.9999875],
        ]
    )
    angles = np.outer(np.arange(6), [1, 1e-2, 1e-4, 1e-6])
    by_column = np.where([True, False, True, False], np.sin(angles), np.cos(angles))
    fast, slow = np.outer(np.arange(6), [1, 1e-4]).T
    twice_two = np.stack([np.sin(fast), np.cos(fast), np.sin(slow), np.cos(slow)], axis=1)
    check.shape(positional_encoding(6, 4), (6, 4), "(max_len, dim)")
    check.close(
        positional_encoding(6, 4),
        interleaved[:6],
        "the table for max_len=6, dim=4",
        # ko: "max_len=6, dim=4의 표",
        hints={
            "all sines stand on the left and all cosines on the right. They should alternate.": interleaved[:6, [0, 2, 1, 3]],
            # ko: "왼쪽에 사인, 오른쪽에 코사인을 모았습니다. 번갈아 놓아야 합니다.": interleaved[:6, [0, 2, 1, 3]],
            "sine and cosine are swapped. Column 0 is the sine.": interleaved[:6, [1, 0, 3, 2]],
            # ko: "사인과 코사인이 바뀌었습니다. 0번 열이 사인입니다.": interleaved[:6, [1, 0, 3, 2]],
            "there are sines in the odd columns too. Cosines belong there.": interleaved[:6, [0, 0, 2, 2]],
            # ko: "홀수 열에도 사인이 있습니다. 거기에는 코사인이 들어갑니다.": interleaved[:6, [0, 0, 2, 2]],
            "positions should count from 0, yours from 1.": interleaved[1:],
            # ko: "위치는 0부터 세는데 1부터 셌습니다.": interleaved[1:],
            "every column has an angle of its own. A sine and its cosine share one.": own_angles,
            # ko: "열마다 각도가 다릅니다. 사인과 그 짝인 코사인은 각도가 같습니다.": own_angles,
            "you took the formula's i for the column number. It counts pairs.": by_column,
            # ko: "식의 i를 열 번호로 읽었습니다. i는 쌍을 셉니다.": by_column,
            "the table holds whole numbers, which cut the sines off: make it of floats.": np.trunc(interleaved[:6]),
            # ko: "표가 정수로 되어 있어 사인 값이 잘립니다. 실수로 된 표를 만드세요.": np.trunc(interleaved[:6]),
            "the exponent is 4i / dim. Does `i` go in steps of 2 already, and is multiplied by 2 once more?": twice_two,
            # ko: "지수가 4i / dim입니다. `i`가 이미 2씩 늘어나는데 2를 또 곱하지 않았나요?": twice_two,
            "the slow hands don't turn, as if their rates had been cut off to whole numbers. TensorFlow does that where a tensor of integers meets NumPy's floats: make the positions floats (`dtype=\"float32\"`).": interleaved[:6] * [1, 1, 0, 0] + [0, 0, 0, 1],
            # ko: "느린 바늘이 돌지 않습니다. 변화율이 정수로 잘린 것 같습니다. 텐서플로는 정수 텐서에 NumPy의 실수 배열을 곱할 때 그렇게 합니다. 위치를 실수로 만드세요(`dtype=\"float32\"`).": interleaved[:6] * [1, 1, 0, 0] + [0, 0, 0, 1],
            "a sine and its cosine have different angles. There is one angle for each pair of columns. Is every second one left out, or is the whole row of angles repeated (`np.tile`: a, b, a, b) where each angle is wanted twice (`np.repeat`: a, a, b, b)?": interleaved[:6, [0, 3, 0, 3]],
            # ko: "한 쌍의 사인과 코사인에 서로 다른 각도를 썼습니다. 두 열마다 각도가 하나입니다. 각도를 하나씩 걸러 썼거나, 각도마다 두 번씩(`np.repeat`) 써야 하는데 전체를 두 번(`np.tile`) 늘어놓지 않았나요?": interleaved[:6, [0, 3, 0, 3]],
        },
    )
    check.close(positional_encoding(6, 4)[1], [0.84147098, 0.54030231, 0.00999983, 0.99995000], "row 1", tolerance=1e-6)
    # ko: check.close(positional_encoding(6, 4)[1], [0.84147098, 0.54030231, 0.00999983, 0.99995000], "1번 행", tolerance=1e-6)
    check.close(
        positional_encoding(2, 4, base=100.0)[1],
        [0.84147098, 0.54030231, 0.09983342, 0.99500417],
        "row 1 for base=100",
        # ko: "base=100일 때의 1번 행",
        hints={
            "`base` has no effect. Is it handed on to `angle_rates`, and does that use it (task 1)?": interleaved[1],
            # ko: "`base`를 바꾸어도 그대로입니다. `angle_rates`에 넘겼나요? `angle_rates`에서는 그것을 쓰나요(과제 1)?": interleaved[1],
        },
    )
    check.close(
        positional_encoding(3, 6)[2],
        [0.90929743, -0.41614684, 0.09269852, 0.99569422, 0.00430886, 0.99999072],
        "row 2 for dim=6",
        # ko: "dim=6일 때의 2번 행",
        otherwise="for dim=4 it is right. What in it holds for that width alone: the order of the columns, or a number that should be computed from `dim`?",
        # ko: otherwise="dim=4일 때는 맞습니다. 열의 순서나 `dim`으로 계산해야 할 수처럼, 그 너비에서만 맞는 것이 있지 않나요?",
    )
_check

# %% [markdown]
# Here is the table as colours. Go through the columns from left to right: the first ones change from row to row, the last ones hardly
# at all: the clock hands from fast to slow, the smooth version of the binary digits.
#
# <!-- ko -->
# 표를 색으로 그려 봅시다. 열을 왼쪽부터 차례로 보세요. 앞쪽 열은 행마다 바뀌고 뒤쪽 열은 거의 바뀌지 않습니다.
# 빠른 바늘에서 느린 바늘로, 이진수를 매끄럽게 만든 모습입니다.

# %%
@demonstrate
def _demo():
    fig, (whole, digits) = plt.subplots(1, 2, figsize=(12, 4), layout="constrained", width_ratios=[3, 1])
    heat_map(positional_encoding(100, 64), "positional encoding, max_len=100, dim=64", "column", "position", whole)
    # ko: heat_map(positional_encoding(100, 64), "위치 인코딩 (positional encoding), max_len=100, dim=64", "열 (column)", "위치 (position)", whole)
    heat_map(np.arange(16)[:, np.newaxis] // 2 ** np.arange(4) % 2, "binary digits, last one first", "digit", "number", digits)
    # ko: heat_map(np.arange(16)[:, np.newaxis] // 2 ** np.arange(4) % 2, "이진수, 끝자리부터 (binary)", "자리 (digit)", "수 (number)", digits)
    plt.show()

# %% [markdown]
# > **Does this hold?** *"In a table with `dim=8` the angles of the columns are $p/1,\ p/10,\ p/100,\ p/1000$ and so on"*: one angle for
# > each **column**, as the formula reads if one takes $i$ for the column. Your table can decide. By what angle does each of columns 0 to 7
# > turn from one position to the next? (In even columns the arc sine gives an angle back, in odd ones the arc cosine. The cosine of a
# > tiny angle rounds to 1, so the cell reads the pairs in rows 1, 10, 100 and 1000 and divides by the position.)
#
# <!-- ko -->
# > **정말 그럴까?** *"`dim=8`인 표에서 열들의 각도는 $p/1,\ p/10,\ p/100,\ p/1000$ 하는 식으로 이어진다."* **열**마다 각도가 하나씩이라는
# > 말입니다. 식의 $i$를 열 번호로 읽으면 이렇게 됩니다. 여러분의 표로 판정할 수 있습니다. 위치가 하나 늘 때 0번부터 7번 열까지의 각도는 각각
# > 얼마나 늘어날까요? (짝수 열에서는 아크사인, 홀수 열에서는 아크코사인으로 각도를 되찾습니다. 아주 작은 각도의 코사인은 반올림하면
# > 1이 되므로, 아래 셀은 쌍마다 1, 10, 100, 1000번 행을 읽고 위치로 나눕니다.)

# %%
@demonstrate
def _demo():
    table = to_numpy(positional_encoding(1001, 8))
    print("column  angle in your table  one for each column")
    # ko: print("열  여러분의 표의 각도  열마다 하나일 때")
    for column in range(8):
        position = 10 ** (column // 2)
        value = table[position, column]
        angle = np.arcsin(value) if column % 2 == 0 else np.arccos(value)
        print(f"{column}       {angle / position:<19.6f}  {10.0**-column:g}")

# %% [markdown]
# > **What is right.** The four numbers are the rates of four **pairs**, and only for `dim=8`, where the factor
# > $10000^{-2/8}$ happens to be $1/10$. Columns 0 and 1 *both* use $p/1$, columns 2 and 3 both use $p/10$. **A sine and its cosine share
# > their angle.** That is not a detail: everything in the next three tasks rests on it.
#
# ### Interleaved or concatenated?
#
# The paper interleaves sine and cosine. Some well-known implementations put all sines in the left half and all cosines in the
# right one. That is the same table with its columns in another order. Dot products don't care, and neither does a network that is
# trained from scratch: its word vectors (*embeddings*) and weights settle in the order they find. But a table of one kind with
# weights trained for the other is noise. In this course: **interleaved**.
#
# <!-- ko -->
# > **맞는 설명.** 네 수는 네 **쌍**의 변화율입니다. 그것도 비율 $10000^{-2/8}$이 마침 $1/10$이 되는 `dim=8`에서만 그렇습니다.
# > 0번과 1번 열은 *둘 다* $p/1$, 2번과 3번 열은 둘 다 $p/10$을 씁니다. **사인과 그 짝인 코사인은 각도를 함께 씁니다.**
# > 사소한 차이가 아닙니다. 다음 세 과제는 모두 이 사실을 바탕으로 합니다.
#
# ### 번갈아 놓기와 이어 붙이기
#
# 논문은 사인과 코사인을 번갈아 놓습니다. 잘 알려진 구현 가운데는 왼쪽 절반에 사인, 오른쪽 절반에 코사인을 모아 이어 붙이는
# (concatenated) 것도 있습니다. 열의 순서만 다를 뿐 같은 표입니다. 내적은 그대로이고, 처음부터 학습하는 신경망에도 차이가 없습니다.
# 단어 벡터(임베딩, embedding)와 가중치가 주어진 순서에 맞춰 자리 잡기 때문입니다. 그러나 한쪽으로 학습한 가중치에 다른 쪽 표를 쓰면 잡음이 됩니다.
# 이 과정에서는 **번갈아 놓습니다.**

# %%
@demonstrate
def _demo():
    table = to_numpy(positional_encoding(50, 16))
    concatenated = np.hstack([table[:, 0::2], table[:, 1::2]])
    print("same dot products:", np.allclose(table @ table.T, concatenated @ concatenated.T))
    # ko: print("내적이 같은가:", np.allclose(table @ table.T, concatenated @ concatenated.T))
    print("same table:       ", np.allclose(table, concatenated))
    # ko: print("표가 같은가:  ", np.allclose(table, concatenated))

# %% [markdown]
# ## Task 3: dot products of rows (2 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# Attention compares vectors by dot products. So what does attention see of two positions? Take the rows that are
# $k$ apart, for *every* place where there are two such rows:
#
# $$\text{dots}[p] = \text{PE}[p] \cdot \text{PE}[p + k], \qquad p = 0, 1, \dots, \text{max\_len} - k - 1.$$
#
# **Example** with the table of 6 rows and 4 columns: five pairs of rows are one apart, and all five dot products are
# 1.540252. Four pairs are two apart, all with 0.583653. A coincidence?
#
# | quantity | shape |
# |---|---|
# | `pe` | `(max_len, dim)` |
# | result | `(max_len - offset,)` |
#
# Your function must work on **any** table: we shall need it for tables that are wrong. Offset 0 is allowed and pairs each
# row with itself. (Beware of `pe[:-offset]` then.)
#
# <details><summary>Hint 1: How many pairs of rows are there?</summary>
#
# As many as `max_len - offset`. The first partners are that many rows from the top.
#
# </details>
#
# <details><summary>Hint 2: Two slices</summary>
#
# The second partners begin at row `offset`. Multiply both slices entry by entry. Along which axis do you add?
#
# </details>
#
# <!-- ko -->
# ## 과제 3: 행들의 내적 (2점)
#
# *난이도 1/5, 10분쯤.*
#
# 어텐션은 벡터를 내적으로 비교합니다. 그렇다면 어텐션에는 두 위치가 어떻게 보일까요? $k$만큼 떨어진 두 행을
# 그런 행이 있는 *모든* 곳에서 골라 내적합니다.
#
# $$\text{dots}[p] = \text{PE}[p] \cdot \text{PE}[p + k], \qquad p = 0, 1, \dots, \text{max\_len} - k - 1$$
#
# **예.** 6행 4열인 표에서 하나 떨어진 행은 다섯 쌍이고 내적은 다섯 모두 1.540252입니다. 둘 떨어진 행은 네 쌍이고
# 모두 0.583653입니다. 우연일까요?
#
# | 양 | 모양 |
# |---|---|
# | `pe` | `(max_len, dim)` |
# | 결과 | `(max_len - offset,)` |
#
# 여러분의 함수는 **어떤** 표에서든 작동해야 합니다. 틀린 표를 살펴볼 때도 쓰기 때문입니다. 거리 0도 허용되며 각 행을 자기 자신과
# 내적합니다. (이때 `pe[:-offset]`은 조심하세요.)
#
# <details><summary>힌트 1: 행의 쌍은 몇 개인가요?</summary>
#
# `max_len - offset`개입니다. 쌍의 첫째 행은 표의 앞쪽 그만큼입니다.
#
# </details>
#
# <details><summary>힌트 2: 두 슬라이스</summary>
#
# 쌍의 둘째 행은 `offset`번 행부터입니다. 두 슬라이스를 원소마다 곱하세요. 어느 축을 따라 더할까요?
#
# </details>


# %% task="dot-products"
def dot_products_at_offset(pe, offset):
    """
    Return the dot product of every row with the row `offset` further down.
    # ko: 모든 행에 대해 `offset`만큼 아래에 있는 행과의 내적을 돌려줍니다.

    Args:
    # ko: 인수:
        pe: (max_len, dim), any table.
        # ko: pe: (max_len, dim), 어떤 표든 됩니다.
        offset: a whole number, 0 <= offset < max_len.
        # ko: offset: 정수, 0 <= offset < max_len.

    Returns:
    # ko: 반환값:
        (max_len - offset,), entry p is pe[p] . pe[p + offset].
        # ko: (max_len - offset,), p번 값은 pe[p]와 pe[p + offset]의 내적입니다.
    """
    ### BEGIN SOLUTION
    count = len(pe) - offset
    return np.sum(pe[:count] * pe[offset:], axis=-1)
    ### END SOLUTION


# %% grade="dot-products" points=2
@checking("dot_products_at_offset")
def _check(check):
    small = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])
    check.shape(
        dot_products_at_offset(small, 1),
        (3,),
        "(max_len - offset,)",
        otherwise="It is one number for each row and its partner, the row `offset` further down: the sum of their products, not all rows together and not every row with every other.",
        # ko: otherwise="행과 그 짝(`offset`만큼 아래의 행)마다 수 하나, 곧 원소끼리 곱한 것의 합입니다. 모든 행을 합치거나 서로 곱하지 않습니다.",
    )
    check.close(
        dot_products_at_offset(small, 1),
        [1 * 3 + 2 * 4, 3 * 5 + 4 * 6, 5 * 7 + 6 * 8],
        "offset 1 in a table of 4 rows",
        # ko: "4행짜리 표에서 거리 1",
        hints={
            "you took the mean of the products. A dot product is their sum.": [5.5, 19.5, 41.5],
            # ko: "곱들의 평균을 냈습니다. 내적은 곱들의 합입니다.": [5.5, 19.5, 41.5],
            "every row meets row 0. It should meet the row `offset` further down.": [11.0, 17.0, 23.0],
            # ko: "모든 행이 0번 행과 만납니다. `offset`만큼 아래의 행과 만나야 합니다.": [11.0, 17.0, 23.0],
        },
    )
    check.close(dot_products_at_offset(small, 2), [17.0, 53.0], "offset 2")
    # ko: check.close(dot_products_at_offset(small, 2), [17.0, 53.0], "거리 2")
    check.close(dot_products_at_offset(small, 0), [5.0, 25.0, 61.0, 113.0], "offset 0")
    # ko: check.close(dot_products_at_offset(small, 0), [5.0, 25.0, 61.0, 113.0], "거리 0")
    turns = np.exp(1j * np.outer(np.arange(6), [1.0, 0.01]))  # the tips of the hands: cosine + i sine
    # ko: turns = np.exp(1j * np.outer(np.arange(6), [1.0, 0.01]))  # 바늘 끝: 코사인 + i 사인
    sinusoidal = turns.view(float)[:, [1, 0, 3, 2]]
    check.close(dot_products_at_offset(sinusoidal, 1), [1.540252306284805] * 5, "the sinusoidal table, offset 1")
    # ko: check.close(dot_products_at_offset(sinusoidal, 1), [1.540252306284805] * 5, "사인과 코사인으로 된 표, 거리 1")
_check

# %% [markdown]
# All pairs of positions at once: the matrix of all dot products. Along each diagonal the offset is the same, and so is the colour.
#
# <!-- ko -->
# 모든 위치의 쌍을 한꺼번에 봅시다. 모든 내적을 모은 행렬입니다. 대각선을 따라가면 거리가 같고, 색도 같습니다.

# %%
@demonstrate
def _demo():
    table = to_numpy(positional_encoding(60, 32))
    ax = plt.subplots(figsize=(5, 4), layout="constrained")[1]
    heat_map(table @ table.T, "PE[p] · PE[q], dim=32", "position q", "position p", ax, label="dot product")
    # ko: heat_map(table @ table.T, "PE[p] · PE[q], dim=32", "위치 (position) q", "위치 (position) p", ax, label="내적 (dot product)")
    plt.show()

# %% [markdown]
# > **Does this hold?** *"Sine and cosine need not share an angle, as long as every column has one."* Then column $j$ gets the angle
# > $p / 10000^{j/d}$, again with the sine in the even columns and the cosine in the odd ones: code that is quickly written, and has been
# > published. It looks like the same table. Does the dot product
# > of two rows still depend on their distance alone? Guess, then measure it: with 56 positions and `dim=16`, how much do the dot products at
# > offset 5 differ?
#
# <!-- ko -->
# > **정말 그럴까?** *"열마다 각도가 있기만 하면 사인과 코사인이 같은 각도를 쓸 필요는 없다."* 그러면 $j$번 열의 각도는 $p / 10000^{j/d}$이고,
# > 이번에도 짝수 열에는 사인, 홀수 열에는 코사인을 씁니다. 무심코 작성하기 쉽고, 실제로 공개된 코드에도 있습니다. 같은 표처럼
# > 보입니다. 두 행의 내적은 여전히 거리에 따라서만 달라질까요? 짐작해 본 다음 재 봅시다.
# > 위치가 56개이고 `dim=16`일 때 거리 5인 내적들은 서로 얼마나 다를까요?

# %%
@demonstrate
def _demo():
    max_len, dim = 56, 16
    column = np.arange(dim)
    own_angles = np.arange(max_len)[:, np.newaxis] * 10000.0 ** (-column / dim)
    tables = {
        "angle shared by the pair": positional_encoding(max_len, dim),
        # ko: "쌍이 함께 쓰는 각도 (shared)": positional_encoding(max_len, dim),
        "angle of every column's own": np.where(column % 2 == 0, np.sin(own_angles), np.cos(own_angles)),
        # ko: "열마다 다른 각도 (own)": np.where(column % 2 == 0, np.sin(own_angles), np.cos(own_angles)),
    }
    fig, axes = plt.subplots(1, 2, figsize=(12, 3), layout="constrained", sharey=True)
    for ax, (name, pe) in zip(axes, tables.items(), strict=True):
        for offset in (0, 5):
            dots = to_numpy(dot_products_at_offset(to_numpy(pe), offset))
            ax.plot(dots, "o-", markersize=3, label=f"offset {offset}")
            # ko: ax.plot(dots, "o-", markersize=3, label=f"거리 (offset) {offset}")
            print(f"{name}, offset {offset}: from {dots.min():.2f} to {dots.max():.2f}, spread {np.ptp(dots):.3g}")
            # ko: print(f"{name}, 거리 {offset}: {dots.min():.2f}에서 {dots.max():.2f}까지, 차이 {np.ptp(dots):.3g}")
        ax.set(title=name, xlabel="position p", ylabel="PE[p] · PE[p + offset]", ylim=(0, 12))
        # ko: ax.set(title=name, xlabel="위치 (position) p", ylabel="PE[p] · PE[p + offset]", ylim=(0, 12))
        ax.legend()
    plt.show()

# %% [markdown]
# > **What is right.** With the paper's exponent $2\lfloor j/2 \rfloor / d$ the spread is nothing but rounding, about $10^{-15}$ in float64 and
# > $10^{-6}$ in float32. With $j/d$ it is 3.49, and a row times itself ranges from 6.4 to 10.6 instead of being $d/2 = 8$ everywhere. The two tables look alike as
# > heat maps, and networks train with either. What is lost is a property that makes this table useful,
# > its **invariance**: the dot product depends on the distance alone, wherever the two positions are.
#
# ## Task 4: the invariance, in closed form (2 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# Why are the dot products at one offset all equal? A pair of columns contributes
#
# $$\sin(p\,\omega_i)\sin((p + k)\,\omega_i) + \cos(p\,\omega_i)\cos((p + k)\,\omega_i),$$
#
# and $p$ stands in all four factors. Yet it drops out. **This step is yours, on paper:** one of the addition formulas
#
# $$\begin{aligned}
# \sin(\alpha \pm \beta) &= \sin\alpha\cos\beta \pm \cos\alpha\sin\beta \\
# \cos(\alpha \pm \beta) &= \cos\alpha\cos\beta \mp \sin\alpha\sin\beta
# \end{aligned}$$
#
# turns the sum of two products into a single term. Which one, with which $\alpha$ and $\beta$, and what has become of $p$? Write down what is left of a
# pair, then add up the pairs: that is what your function returns. No table is needed any more.
#
# **Example** with `dim=4`: 1.540252 at $k = 1$ and 0.583653 at $k = 2$, the numbers of task 3.
#
# | quantity | shape |
# |---|---|
# | angles $k\,\omega_i$ | `(dim // 2,)` |
# | result | one number |
#
# <details><summary>Hint 1: Which formula has a sine times a sine and a cosine times a cosine?</summary>
#
# That of $\cos(\alpha \pm \beta)$. In ours there is a plus between the products: look at the sign $\mp$.
#
# </details>
#
# <details><summary>Hint 2: What are the two angles?</summary>
#
# $\alpha = (p + k)\,\omega_i$ and $\beta = p\,\omega_i$. Their difference holds no $p$ any more.
#
# </details>
#
# <details><summary>Hint 3: What is left of a pair once the position has dropped out?</summary>
#
# One cosine, of the offset times the pair's rate.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** 논문의 지수 $2\lfloor j/2 \rfloor / d$를 쓰면 차이는 반올림 오차뿐입니다(float64에서는 $10^{-15}$, float32에서는 $10^{-6}$쯤). $j/d$를 쓰면 3.49이고,
# > 행과 자기 자신의 내적도 늘 $d/2 = 8$인 것이 아니라 6.4에서 10.6까지 오갑니다. 색으로 그리면 두 표가 비슷해 보이고 어느 쪽으로도 학습은
# > 됩니다. 그러나 이 표가 쓸모 있는 까닭 가운데 하나, 곧 내적이 위치와 상관없이 거리만으로 정해지는 **불변성**을 잃습니다.
#
# ## 과제 4: 불변성을 식으로 (2점)
#
# *난이도 2/5, 20분쯤.*
#
# 거리가 같으면 왜 내적이 모두 같을까요? 한 쌍의 열이 내적에 보태는 값은
#
# $$\sin(p\,\omega_i)\sin((p + k)\,\omega_i) + \cos(p\,\omega_i)\cos((p + k)\,\omega_i)$$
#
# 입니다. 네 함수의 각도에 모두 $p$가 있는데도 $p$는 사라집니다. **이 단계는 종이에 직접 유도해 보세요.** 다음 덧셈 정리 가운데 하나를 쓰면
#
# $$\begin{aligned}
# \sin(\alpha \pm \beta) &= \sin\alpha\cos\beta \pm \cos\alpha\sin\beta \\
# \cos(\alpha \pm \beta) &= \cos\alpha\cos\beta \mp \sin\alpha\sin\beta
# \end{aligned}$$
#
# 두 곱의 합이 항 하나로 줄어듭니다. 어느 식을 쓰고 $\alpha$와 $\beta$는 무엇일까요? $p$는 어떻게 되었나요? 한 쌍에 무엇이 남는지 적은 다음 쌍들을 모두
# 더하세요. 그 합이 여러분의 함수가 돌려줄 값입니다. 이제 표는 필요 없습니다.
#
# **예.** `dim=4`이면 $k = 1$일 때 1.540252, $k = 2$일 때 0.583653입니다. 과제 3에서 본 수입니다.
#
# | 양 | 모양 |
# |---|---|
# | 각도 $k\,\omega_i$ | `(dim // 2,)` |
# | 결과 | 수 하나 |
#
# <details><summary>힌트 1: 사인끼리의 곱과 코사인끼리의 곱이 나오는 식은?</summary>
#
# $\cos(\alpha \pm \beta)$의 식입니다. 우리 식에서는 두 곱 사이가 더하기입니다. 부호 $\mp$를 잘 보세요.
#
# </details>
#
# <details><summary>힌트 2: 두 각도는 무엇일까요?</summary>
#
# $\alpha = (p + k)\,\omega_i$, $\beta = p\,\omega_i$입니다. 둘의 차에는 $p$가 없습니다.
#
# </details>
#
# <details><summary>힌트 3: 위치가 사라지고 나면 한 쌍에 무엇이 남을까요?</summary>
#
# 코사인 하나입니다. 거리에 그 쌍의 변화율을 곱한 각도의 코사인입니다.
#
# </details>


# %% task="invariance" builds_on="angle-rates sinusoidal-table dot-products"
def offset_dot_product(offset, dim, base=10000.0):
    """
    Return the dot product of any two rows of the sinusoidal table that are `offset` apart.
    # ko: 위치 인코딩 표에서 `offset`만큼 떨어진 두 행의 내적을 돌려줍니다.

    Args:
    # ko: 인수:
        offset: a whole number, 0 or more.
        # ko: offset: 0 이상의 정수.
        dim: the number of columns of the table, even and positive.
        # ko: dim: 표의 열 수. 짝수이고 양수입니다.
        base: handed on to `angle_rates`.
        # ko: base: `angle_rates`에 넘깁니다.

    Returns:
    # ko: 반환값:
        One number.
        # ko: 수 하나.
    """
    ### BEGIN SOLUTION
    return float(np.sum(np.cos(offset * angle_rates(dim, base))))
    ### END SOLUTION


# %% grade="invariance" points=2
@checking("offset_dot_product")
def _check(check):
    check.shape(offset_dot_product(1, 4), (), "one number", "Is a sum over the pairs missing, or does it keep its axis?")
    # ko: check.shape(offset_dot_product(1, 4), (), "결과(수 하나)", "쌍에 대한 합이 빠졌거나, 합을 구한 축이 남아 있지 않나요?")
    check.close(
        offset_dot_product(1, 4),
        1.540252306284805,
        "offset 1, dim=4",
        # ko: "거리 1, dim=4",
        hints={
            "this is twice the dot product. Each pair gives one cosine.": 2 * 1.540252306284805,
            # ko: "내적의 두 배입니다. 쌍마다 코사인이 하나입니다.": 2 * 1.540252306284805,
            "this is the sum of sines. Look at the addition formula again.": np.sin(1.0) + np.sin(0.01),
            # ko: "사인의 합입니다. 덧셈 정리를 다시 보세요.": np.sin(1.0) + np.sin(0.01),
            "this is half of it: the mean over the pairs, or divided by √dim. A dot product is the sum itself.": 1.540252306284805 / 2,
            # ko: "절반입니다. 쌍들의 평균이거나 √dim으로 나눈 값입니다. 내적은 합 그대로입니다.": 1.540252306284805 / 2,
        },
    )
    unused = {"this is what offset 1 gives. Is `offset` used?": 1.540252306284805}
    # ko: unused = {"거리 1일 때의 값입니다. `offset`을 썼나요?": 1.540252306284805}
    check.close(offset_dot_product(2, 4), 0.5836531701194354, "offset 2, dim=4", hints=unused)
    # ko: check.close(offset_dot_product(2, 4), 0.5836531701194354, "거리 2, dim=4", hints=unused)
    check.close(offset_dot_product(0, 6), 3.0, "offset 0, dim=6: half of dim")
    # ko: check.close(offset_dot_product(0, 6), 3.0, "거리 0, dim=6: dim의 절반")
    check.close(
        offset_dot_product(1, 4, base=100.0),
        np.cos(1.0) + np.cos(0.1),
        "offset 1, dim=4, base=100",
        # ko: "거리 1, dim=4, base=100",
        hints={
            "`base` has no effect. Is it handed on to `angle_rates`, and does that use it (task 1)?": 1.540252306284805,
            # ko: "`base`를 바꾸어도 그대로입니다. `angle_rates`에 넘겼나요? `angle_rates`에서는 그것을 쓰나요(과제 1)?": 1.540252306284805,
        },
    )
_check

# %% [markdown]
# So the position drops out, in one line:
#
# $$\text{PE}[p] \cdot \text{PE}[p + k] = \sum_{i} \cos\big((p + k)\,\omega_i - p\,\omega_i\big) = \sum_{i=0}^{d/2 - 1} \cos(k\,\omega_i).$$
#
# Without the shared angle nothing would cancel. At $k = 0$ every cosine is 1: each row times itself is $d/2$, so all rows have the
# same length $\sqrt{d/2}$ (the fourth condition). And the distance between two rows, $\lVert a - b \rVert^2 = d - 2\,a \cdot b$,
# depends on $k$ alone as well: **neighbours are equally far apart everywhere** (the second condition).
#
# > **Does this hold?** *"The dot product falls as two positions move apart."* One reads so in many explanations of this table. Always, mostly
# > or hardly ever? Guess how often in 60 steps it grows, then look at the curve and at the count above it.
#
# <!-- ko -->
# 위치가 사라지는 과정을 한 줄로 쓰면 다음과 같습니다.
#
# $$\text{PE}[p] \cdot \text{PE}[p + k] = \sum_{i} \cos\big((p + k)\,\omega_i - p\,\omega_i\big) = \sum_{i=0}^{d/2 - 1} \cos(k\,\omega_i)$$
#
# 각도를 함께 쓰지 않았다면 아무것도 사라지지 않았을 것입니다. $k = 0$이면 코사인은 모두 1이므로 행과 자기 자신의 내적은 $d/2$,
# 곧 모든 행의 길이가 $\sqrt{d/2}$로 같습니다(넷째 조건). 두 행 벡터 사이의 거리도 $\lVert a - b \rVert^2 = d - 2\,a \cdot b$이므로 $k$만으로
# 정해집니다. **이웃은 어디서나 똑같이 떨어져 있습니다**(둘째 조건).
#
# > **정말 그럴까?** *"두 위치가 멀어질수록 내적은 작아진다."* 이 표를 설명하는 글에서 자주 볼 수 있는 말입니다. 언제나 그럴까요, 대체로
# > 그럴까요, 거의 그렇지 않을까요? 60걸음 가운데 몇 번이나 내적이 커질지 짐작해 본 다음 아래의 곡선과 그 위의 개수를 보세요.

# %%
@demonstrate
def _demo():
    fig, ax = plt.subplots(figsize=(8, 3.2), layout="constrained")
    for dim in (16, 64, 256):
        curve = np.array([float(to_numpy(offset_dot_product(k, dim))) for k in range(61)])
        ax.plot(curve / (dim / 2), label=f"dim={dim}")
        print(f"dim={dim}: grows from one offset to the next {np.sum(np.diff(curve) > 0)} times in 60")
        # ko: print(f"dim={dim}: 60번 가운데 {np.sum(np.diff(curve) > 0)}번은 거리가 늘 때 내적이 커집니다")
    ax.set(title="dot product as a share of offset 0", xlabel="offset k", ylabel="dot product / (dim / 2)")
    # ko: ax.set(title="거리 0의 내적을 1로 볼 때 (dot product)", xlabel="거리 (offset) k", ylabel="내적 (dot product) / (dim / 2)")
    ax.legend()
    plt.show()

# %% [markdown]
# > **What is right.** It holds as a tendency: close positions are more alike than distant ones. But a sum of cosines wobbles, and
# > in a narrow table the dot product grows at many of these 60 steps (at half of them for `dim=16`), for `dim=256` at few. It also can't see direction: $\cos(k\,\omega) = \cos(-k\,\omega)$, the word before
# > and the word after look equally far. Attention can still tell them apart, because it compares not the rows themselves but two
# > *learned* projections of them: one row's **query** (the row times a learned matrix) with another row's **key** (times a second one). What
# > such a projection can do is the next task.
#
# ## Task 5: moving along is turning (3 points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# The authors chose sinusoids because "for any fixed offset $k$, $PE_{pos+k}$ can be represented as a linear function of $PE_{pos}$"
# (Vaswani et al. 2017, section 3.5). One matrix $M_k$ carries **every** row to the row $k$ further down:
#
# $$\text{PE}[p + k] = M_k\,\text{PE}[p] \quad\text{for every } p.$$
#
# What is that good for? The dot product $(M_k\,\text{PE}[p]) \cdot \text{PE}[q] = \text{PE}[p + k] \cdot \text{PE}[q]$ is largest for $q = p + k$. So
# a *head* (one attention with projections of its own, notebook 03) that has $M_k$ in the projection of its queries looks $k$ words ahead,
# everywhere in the sentence, and with $M_{-k} = M_k^\top$ it looks $k$ words back.
# To find it, take one pair, turn its hand on by the angle $\theta = k\,\omega_i$, and apply the addition formulas:
#
# $$\begin{aligned}
# \sin(p\,\omega_i + \theta) &= \phantom{-}\cos\theta \,\sin(p\,\omega_i) + \sin\theta \,\cos(p\,\omega_i) \\
# \cos(p\,\omega_i + \theta) &= -\sin\theta \,\sin(p\,\omega_i) + \cos\theta \,\cos(p\,\omega_i)
# \end{aligned}$$
#
# Read the four coefficients as a 2×2 block that acts on the column $(\sin, \cos)$. Mind the order: the rotation matrix of
# your geometry book acts on (cosine, sine), this block on (sine, cosine). All blocks along the diagonal, zeros elsewhere, is $M_k$.
#
# **Example** with `offset=1, dim=4`:
#
# $$M_1 = \begin{pmatrix}
# 0.5403 & 0.8415 & 0 & 0 \\
# -0.8415 & 0.5403 & 0 & 0 \\
# 0 & 0 & 0.99995 & 0.0100 \\
# 0 & 0 & -0.0100 & 0.99995
# \end{pmatrix}$$
#
# | quantity | shape |
# |---|---|
# | angles $k\,\omega_i$ | `(dim // 2,)` |
# | result | `(dim, dim)` |
#
# <details><summary>Hint 1: Which four numbers does one pair need?</summary>
#
# Write the two formulas as a 2×2 block times the column (sine, cosine). The rows of the block are the two formulas.
#
# </details>
#
# <details><summary>Hint 2: How do blocks come onto a diagonal?</summary>
#
# Begin with zeros. Pair $i$ has rows and columns $2i$ and $2i + 1$: a loop over the pairs, or four assignments with arrays of indices.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** 경향으로는 맞습니다. 가까운 위치가 먼 위치보다 서로 닮았습니다. 그러나 코사인의 합은 출렁이므로 좁은 표에서는 멀어지는데도 내적이
# > 커지는 곳이 많습니다(이 60걸음 가운데 `dim=16`에서는 절반, `dim=256`에서는 조금). 내적은 방향도 구별하지 못합니다. $\cos(k\,\omega) = \cos(-k\,\omega)$이므로 앞 단어와 뒤 단어가 똑같이 멀어 보입니다.
# > 그래도 어텐션은 둘을 구별할 수 있습니다. 행 자체가 아니라 *학습된* 두 투영을 비교하기 때문입니다. 한 행의 **쿼리**(query, 행에 학습된 행렬을 곱한 것)와 다른 행의 **키**(key, 또 다른 행렬을 곱한 것)를 견줍니다. 그런 투영이 무엇을 할 수 있는지가
# > 다음 과제입니다.
#
# ## 과제 5: 움직임은 회전이다 (3점)
#
# *난이도 3/5, 40분쯤.*
#
# 저자들이 사인과 코사인을 고른 이유는 "고정된 어떤 거리 $k$에 대해서도 $PE_{pos+k}$를 $PE_{pos}$의 선형 함수로 나타낼 수 있기"
# 때문입니다(Vaswani et al. 2017, 3.5절). 행렬 $M_k$ 하나가 **모든** 행을 $k$만큼 아래의 행으로 옮깁니다.
#
# $$\text{PE}[p + k] = M_k\,\text{PE}[p] \quad (\text{모든 } p)$$
#
# 어디에 쓸까요? 내적 $(M_k\,\text{PE}[p]) \cdot \text{PE}[q] = \text{PE}[p + k] \cdot \text{PE}[q]$는 $q = p + k$일 때 가장 큽니다. 그래서 쿼리의
# 투영에 $M_k$를 담은 *헤드*(자기 투영을 가진 어텐션 하나, 3번 노트북)는 문장 어디에서나 $k$단어 뒤를 보고, $M_{-k} = M_k^\top$를 담으면
# $k$단어 앞을 봅니다. 이 행렬을 찾으려면 한 쌍을 골라
# 바늘을 각도 $\theta = k\,\omega_i$만큼 더 돌리고 덧셈 정리를 씁니다.
#
# $$\begin{aligned}
# \sin(p\,\omega_i + \theta) &= \phantom{-}\cos\theta \,\sin(p\,\omega_i) + \sin\theta \,\cos(p\,\omega_i) \\
# \cos(p\,\omega_i + \theta) &= -\sin\theta \,\sin(p\,\omega_i) + \cos\theta \,\cos(p\,\omega_i)
# \end{aligned}$$
#
# 네 계수를 열벡터 $(\sin, \cos)$에 작용하는 2×2 블록으로 읽으세요. 순서를 조심하세요. 기하 책의 회전 행렬은 (코사인, 사인)에 작용하지만 이 블록은
# (사인, 코사인)에 작용합니다. 모든 블록을 대각선을 따라 놓고 나머지를 0으로 채운 것이 이동 행렬(shift matrix) $M_k$입니다.
#
# **예.** `offset=1, dim=4`이면
#
# $$M_1 = \begin{pmatrix}
# 0.5403 & 0.8415 & 0 & 0 \\
# -0.8415 & 0.5403 & 0 & 0 \\
# 0 & 0 & 0.99995 & 0.0100 \\
# 0 & 0 & -0.0100 & 0.99995
# \end{pmatrix}$$
#
# | 양 | 모양 |
# |---|---|
# | 각도 $k\,\omega_i$ | `(dim // 2,)` |
# | 결과 | `(dim, dim)` |
#
# <details><summary>힌트 1: 쌍 하나에 필요한 네 수는 무엇일까요?</summary>
#
# 두 식을 2×2 블록과 열벡터 (사인, 코사인)의 곱으로 쓰세요. 블록의 두 행이 두 식입니다.
#
# </details>
#
# <details><summary>힌트 2: 블록을 대각선에 놓으려면?</summary>
#
# 0으로 채운 행렬에서 시작하세요. 쌍 $i$의 행과 열은 $2i$와 $2i + 1$입니다. 쌍을 도는 반복문이나, 인덱스 배열로 네 번 대입하면 됩니다.
#
# </details>


# %% task="shift-matrix" builds_on="angle-rates sinusoidal-table dot-products invariance"
def shift_matrix(offset, dim, base=10000.0):
    """
    Return the matrix M with pe[p + offset] == M @ pe[p] for every position p of the sinusoidal table.
    # ko: 위치 인코딩 표의 모든 위치 p에서 pe[p + offset] == M @ pe[p]인 행렬 M을 돌려줍니다.

    Args:
    # ko: 인수:
        offset: a whole number, 0 or more.
        # ko: offset: 0 이상의 정수.
        dim: the number of columns of the table, even and positive.
        # ko: dim: 표의 열 수. 짝수이고 양수입니다.
        base: handed on to `angle_rates`.
        # ko: base: `angle_rates`에 넘깁니다.

    Returns:
    # ko: 반환값:
        (dim, dim), with one 2x2 block for each pair along the diagonal and zeros elsewhere.
        # ko: (dim, dim), 대각선을 따라 쌍마다 2x2 블록이 하나씩 있고 나머지는 0입니다.
    """
    ### BEGIN SOLUTION
    angles = offset * angle_rates(dim, base)
    # where the pairs begin, and their second columns
    # ko: # 쌍이 시작하는 열과 그 둘째 열
    even = np.arange(0, dim, 2)
    odd = even + 1
    matrix = np.zeros((dim, dim))
    matrix[even, even] = np.cos(angles)
    matrix[even, odd] = np.sin(angles)
    matrix[odd, even] = -np.sin(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
    ### END SOLUTION


# %% grade="shift-matrix" points=3
@checking("shift_matrix")
def _check(check):
    (c0, c1), (s0, s1) = np.cos([1.0, 0.01]), np.sin([1.0, 0.01])
    forwards = np.array([[c0, s0, 0, 0], [-s0, c0, 0, 0], [0, 0, c1, s1], [0, 0, -s1, c1]])
    exchanged = np.array([[s0, c0, 0, 0], [-c0, s0, 0, 0], [0, 0, s1, c1], [0, 0, -c1, s1]])
    by_halves = np.array([[c0, 0, s0, 0], [0, c1, 0, s1], [-s0, 0, c0, 0], [0, -s1, 0, c1]])
    everywhere = np.tile([[c0, s0, c1, s1], [-s0, c0, -s1, c1]], (2, 1))
    check.shape(shift_matrix(1, 4), (4, 4), "(dim, dim)")
    whole = _as_array(shift_matrix(1, 4)).dtype.kind in "iu"
    check.close(
        shift_matrix(1, 4),
        forwards,
        "offset 1, dim=4",
        # ko: "거리 1, dim=4",
        hints={
            "it turns backwards. In a pair the sine comes first: check the signs of the sines. Or does it fit `pe[p] @ M`? Here it is `M @ pe[p]`.": forwards.T,
            # ko: "거꾸로 돌립니다. 쌍에서는 사인이 먼저입니다. 사인의 부호를 확인하세요. 아니면 `pe[p] @ M`에 맞는 행렬이 아닌가요? 여기서는 `M @ pe[p]`입니다.": forwards.T,
            "one of the two sines of a block has a minus: look at the two formulas again.": np.abs(forwards),
            # ko: "블록의 두 사인 가운데 하나에는 음의 부호가 있습니다. 두 식을 다시 보세요.": np.abs(forwards),
            "sines and cosines have changed places. Each formula names the sine's coefficient first, then the cosine's.": exchanged,
            # ko: "사인과 코사인의 자리가 바뀌었습니다. 두 식 모두 앞의 계수가 사인에, 뒤의 계수가 코사인에 곱해집니다.": exchanged,
            "this fits a table with all sines on the left. Here each pair stands together.": by_halves,
            # ko: "사인을 모두 왼쪽에 둔 표의 행렬입니다. 여기서는 쌍이 나란히 있습니다.": by_halves,
            "all blocks are filled, where only those on the diagonal should be: the others stay 0.": everywhere,
            # ko: "대각선의 블록만 채워야 하는데 모든 블록을 채웠습니다. 나머지는 0으로 두세요.": everywhere,
        },
        otherwise="the matrix holds whole numbers, which cut sines and cosines off: make it of floats." if whole else "",
        # ko: otherwise="행렬이 정수로 되어 있어 사인과 코사인 값이 잘립니다. 실수로 된 행렬을 만드세요." if whole else "",
    )
    check.close(shift_matrix(0, 6), np.eye(6), "offset 0 changes nothing")
    # ko: check.close(shift_matrix(0, 6), np.eye(6), "거리 0은 아무것도 바꾸지 않는다")
    elsewhere = _as_array(shift_matrix(2, 12)).astype(float) * (1 - np.kron(np.eye(6), np.ones((2, 2))))
    place = divmod(int(np.abs(elsewhere).argmax()), 12)  # of what is farthest from 0
    # ko: place = divmod(int(np.abs(elsewhere).argmax()), 12)  # 0에서 가장 먼 값의 자리
    check.true(
        np.abs(elsewhere[place]) < 1e-4,
        "dim=12: zeros outside the blocks",
        # ko: "dim=12: 블록 밖은 0",
        f"offset 2, dim=12: entry {list(place)} is {elsewhere[place]:.4f}. It lies outside the blocks and should be 0: the block of each pair should be filled by the formulas, and nothing else.",
        # ko: f"거리 2, dim=12: {list(place)} 자리의 값은 블록 밖에 있으므로 0이어야 하는데 {elsewhere[place]:.4f}입니다. 쌍마다 블록만 식으로 채우고 나머지는 0으로 두세요.",
    )
    turns = np.exp(1j * np.outer(np.arange(9), [1.0, 0.21544347, 0.04641589]))  # the tips of the hands: cosine + i sine
    # ko: turns = np.exp(1j * np.outer(np.arange(9), [1.0, 0.21544347, 0.04641589]))  # 바늘 끝: 코사인 + i 사인
    rows = turns.view(float)[:, [1, 0, 3, 2, 5, 4]]
    moved = rows[:6] @ to_numpy(shift_matrix(3, 6, base=100.0)).T
    other_base = (turns[:6] * np.exp(3j * np.array([1.0, 0.04641589, 0.00215443]))).view(float)[:, [1, 0, 3, 2, 5, 4]]
    check.close(
        moved,
        rows[3:],
        "rows 0 to 5 moved by 3, dim=6, base=100",
        # ko: "0번부터 5번까지의 행을 3만큼 옮기기, dim=6, base=100",
        hints={
            "`base` has no effect. Is it handed on to `angle_rates`, and does that use it (task 1)?": other_base,
            # ko: "`base`를 바꾸어도 그대로입니다. `angle_rates`에 넘겼나요? `angle_rates`에서는 그것을 쓰나요(과제 1)?": other_base,
        },
    )
_check

# %% [markdown]
# The two on the left: the first two pairs of row 2 for `dim=8`, moved on by $k = 0, 1, 2, 3$ with the matrix. Each pair stays on its circle, the fast one
# turns far, the slow one hardly. Right: the matrix for $k = 3$.
#
# <!-- ko -->
# 왼쪽 두 그림은 `dim=8`인 표에서 2번 행의 처음 두 쌍을 행렬로 $k = 0, 1, 2, 3$만큼 옮긴 것입니다. 쌍마다 자기 원 위에 머물며, 빠른 쌍은 많이 돌고
# 느린 쌍은 조금만 돕니다. 오른쪽 그림은 $k = 3$일 때의 행렬입니다.

# %%
@demonstrate
def _demo():
    fig, axes = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained", width_ratios=[1, 1, 1.2])
    row = to_numpy(positional_encoding(3, 8))[2]
    circle = np.linspace(0, 2 * np.pi, 200)
    for pair, ax in enumerate(axes[:2]):
        ax.plot(np.cos(circle), np.sin(circle), color="lightgrey")
        for k in range(4):
            sine, cosine = (to_numpy(shift_matrix(k, 8)) @ row)[2 * pair : 2 * pair + 2]
            ax.annotate("", (cosine, sine), (0, 0), arrowprops={"arrowstyle": "->", "color": f"C{k}", "lw": 2})
            ax.plot([], [], color=f"C{k}", label=f"k={k}")
        ax.set(title=f"pair {pair} of row 2, moved by k", xlabel="cosine", ylabel="sine", aspect="equal")
        # ko: ax.set(title=f"2번 행의 쌍 (pair) {pair}, k만큼 이동", xlabel="코사인 (cosine)", ylabel="사인 (sine)", aspect="equal")
        ax.legend(loc="lower right" if pair == 0 else "lower left", fontsize=8)
    heat_map(shift_matrix(3, 8), "shift matrix, k=3", "column", "row", axes[2])
    # ko: heat_map(shift_matrix(3, 8), "이동 행렬 (shift matrix), k=3", "열 (column)", "행 (row)", axes[2])
    plt.show()

# %% [markdown]
# ## ★ Turn instead of adding (optional, no points)
#
# *Difficulty 3 of 5, about 20 minutes.*
#
# Adding a table is not the only way to say where a word stands. *Rotary* encodings (RoPE, Su et al. 2021) are what most of today's models
# use: they add nothing. They **turn** each query and each key by the angles of its position, just as your matrix turns a row of the table. Write
# `_rotate`: row $p$ of `x` comes back turned by $p$ steps. You have everything for it, and it takes a line or two.
#
# Before you run the folded cell below it, guess: what happens to the length of a vector that is turned? And which of the two positions does
# the dot product of a turned query with a turned key still know: both, one, or only how far apart they are, and on which side? (In notebook 10 you build
# this encoding in earnest, without a matrix.)
#
# <details><summary>Hint 1: What turns row p?</summary>
#
# `shift_matrix(p, dim)` carries any vector $p$ steps on, whether it comes from the table or not. Here each row has a matrix of its own.
#
# </details>
#
# <!-- ko -->
# ## ★ 더하는 대신 돌리기 (선택, 점수 없음)
#
# *난이도 3/5, 20분쯤.*
#
# 단어가 어디에 있는지 알리려고 꼭 표를 더할 필요는 없습니다. 오늘날의 모델은 대부분 *회전* 위치 인코딩(RoPE, Su et al. 2021)을 씁니다. 아무것도
# 더하지 않고, 쿼리와 키를 그 위치의 각도만큼 **돌립니다.** 여러분의 행렬이 표의 행을 돌리는 것과 똑같습니다. `_rotate`를 작성하세요. `x`의 $p$번 행을
# $p$걸음만큼 회전시켜 돌려줍니다. 필요한 것은 이미 다 있고, 한두 줄이면 됩니다.
#
# 아래의 접힌 셀을 실행하기 전에 짐작해 보세요. 돌린 벡터의 길이는 어떻게 될까요? 돌린 쿼리와 돌린 키의 내적에는 두 위치 가운데 무엇이
# 남을까요? 둘 다일까요, 하나일까요, 어느 쪽으로 얼마나 떨어져 있는지뿐일까요? (10번 노트북에서 행렬 없이 이 인코딩을 제대로 만듭니다.)
#
# <details><summary>힌트 1: p번 행을 돌리는 것은 무엇일까요?</summary>
#
# `shift_matrix(p, dim)`은 어떤 벡터든, 표에서 온 것이든 아니든 $p$걸음만큼 옮깁니다. 여기서는 행마다 행렬이 다릅니다.
#
# </details>


# %%
def _rotate(x):
    """
    Turn each row of x by its position.
    # ko: x의 행마다 그 위치만큼 돌립니다.

    Args:
    # ko: 인수:
        x: (seq_len, dim), queries or keys, dim even.
        # ko: x: (seq_len, dim), 쿼리나 키. dim은 짝수입니다.

    Returns:
    # ko: 반환값:
        (seq_len, dim), row p is row p of x with pair i (columns 2i and 2i + 1) turned by the angle p * angle_rates(dim)[i], in the direction of `shift_matrix`.
        # ko: (seq_len, dim), p번 행은 x의 p번 행에서 쌍 i(2i열과 2i + 1열)를 `shift_matrix`와 같은 방향으로 각도 p * angle_rates(dim)[i]만큼 돌린 것입니다.
    """
    raise NotImplementedError()  # your line here
    # ko: raise NotImplementedError()  # 여기에 여러분의 코드를


# %% folded=true
@demonstrate
def _demo():
    rng = np.random.default_rng(11)
    query, key = rng.standard_normal((2, 8))
    turned = _rotate(np.zeros((12, 8)))
    shape = None if turned is None else np.shape(turned)
    if shape != (12, 8):
        print(f"✗ `_rotate` should return the shape (12, 8) for an `x` of that shape. It returned {shape}.")
        # ko: print(f"✗ 모양 (12, 8)인 `x`를 넣으면 `_rotate`의 결과도 (12, 8)이어야 합니다. 지금은 {shape}입니다.")
        return
    queries, keys = (to_numpy(_rotate(np.tile(vector, (12, 1)))) for vector in (query, key))
    dots, table = queries @ keys.T, to_numpy(positional_encoding(12, 8))
    by_offset = [np.diagonal(dots, offset) for offset in range(-11, 12)]
    findings = {
        "row 0 stays as it is": np.allclose(queries[0], query, atol=1e-4),
        # ko: "0번 행은 그대로다": np.allclose(queries[0], query, atol=1e-4),
        "the others change": np.abs(queries[1:] - query).max(axis=-1).min() > 1e-2,
        # ko: "나머지 행은 달라진다": np.abs(queries[1:] - query).max(axis=-1).min() > 1e-2,
        "they turn forwards, in the pairs of the table, as its rows do": np.allclose(to_numpy(_rotate(np.tile(table[0], (12, 1)))), table, atol=1e-4),
        # ko: "표의 행처럼 같은 쌍에서 앞으로 돈다": np.allclose(to_numpy(_rotate(np.tile(table[0], (12, 1)))), table, atol=1e-4),
        "every vector keeps its length": np.allclose(np.linalg.norm(queries, axis=-1), np.linalg.norm(query), atol=1e-4),
        # ko: "모든 벡터의 길이는 그대로다": np.allclose(np.linalg.norm(queries, axis=-1), np.linalg.norm(query), atol=1e-4),
        "the dot products depend on the offset alone": max(np.ptp(equal) for equal in by_offset) < 1e-3,
        # ko: "내적은 거리만으로 정해진다": max(np.ptp(equal) for equal in by_offset) < 1e-3,
        "and before is not behind: offsets k and -k differ": abs(by_offset[10][0] - by_offset[12][0]) > 1e-2,
        # ko: "앞과 뒤는 다르다: 거리 k와 -k의 내적이 다르다": abs(by_offset[10][0] - by_offset[12][0]) > 1e-2,
    }
    for words, holds in findings.items():
        print("✓" if holds else "✗", words)

# %% [markdown]
# ## Task 6: the layer (4 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# Now the table goes to work. A Keras layer adds its first `seq_len` rows to every sequence of the batch:
#
# $$\text{output}[b, p, :] = \text{inputs}[b, p, :] + \text{PE}[p, :].$$
#
# **Example.** `PositionalEncoding(max_len=6, dim=4)` called with zeros of shape `(2, 3, 4)` returns rows 0, 1, 2 of the table, twice.
#
# | quantity | shape |
# |---|---|
# | `inputs` | `(batch, seq_len, dim)` |
# | rows of the table | `(seq_len, dim)`, broadcast over the batch |
# | output | `(batch, seq_len, dim)` |
#
# Four things make it a good citizen among layers:
#
# - **Shorter sequences** get the first rows; the length may differ from call to call. Where a model leaves it open, `inputs.shape[1]` is
#   `None`: compare a length only if it is known.
# - **Longer sequences** than the table have no rows to add: a `ValueError` that says so beats an error from deep inside.
# - **No weights.** Nothing here is learned, so nothing should be saved or counted: compute the table in `__init__` and keep it as a plain
#   array. Whatever floats come in, Keras casts them to the layer's dtype (float32 unless you choose another) before `call` gets them; NumPy's float64 must not leak into the
#   output.
# - **`get_config`** returns every argument of `__init__` on top of what `super().get_config()` gives, so that a saved model can be loaded.
#
# <details><summary>Hint 1: What belongs in __init__, what in call?</summary>
#
# The table doesn't depend on the inputs, so it is made once. `call` picks as many rows as the inputs have positions.
#
# </details>
#
# <details><summary>Hint 2: Where does float64 come from?</summary>
#
# From NumPy's sines. Turn the table into a tensor of the inputs' dtype before you add it.
#
# </details>
#
# <details><summary>Hint 3: How many rows, if the length is open?</summary>
#
# `ops.shape(inputs)[1]` is the length in any case, even while `inputs.shape[1]` is still `None`. A tensor can be sliced by it, a NumPy array
# can't: turn the table into a tensor first.
#
# </details>
#
# <!-- ko -->
# ## 과제 6: 계층으로 만들기 (4점)
#
# *난이도 2/5, 20분쯤.*
#
# 이제 표를 쓸 차례입니다. 케라스 계층이 표의 앞쪽 `seq_len`개 행을 배치의 모든 시퀀스에 더합니다.
#
# $$\text{output}[b, p, :] = \text{inputs}[b, p, :] + \text{PE}[p, :]$$
#
# **예.** `PositionalEncoding(max_len=6, dim=4)`를 모양 `(2, 3, 4)`인 0 배열로 호출하면 표의 0, 1, 2번 행이 두 번 나옵니다.
#
# | 양 | 모양 |
# |---|---|
# | `inputs` | `(batch, seq_len, dim)` |
# | 표의 행 | `(seq_len, dim)`, 배치로 브로드캐스트 |
# | 출력 | `(batch, seq_len, dim)` |
#
# 좋은 계층이 되려면 네 가지를 지켜야 합니다.
#
# - **짧은 시퀀스**에는 앞쪽 행을 더합니다. 길이는 호출할 때마다 다를 수 있습니다. 모델이 길이를 정해 두지 않으면 `inputs.shape[1]`은
#   `None`입니다. 길이를 알 때만 비교하세요.
# - 표보다 **긴 시퀀스**에는 더할 행이 없습니다. 깊은 곳에서 나는 오류보다 이를 알리는 `ValueError`가 낫습니다.
# - **가중치가 없습니다.** 학습하는 값이 없으니 저장할 것도, 파라미터로 셀 것도 없습니다. 표를 `__init__`에서 계산해 보통의 배열로 두세요. 케라스는 실수 입력을
#   계층의 dtype(따로 정하지 않으면 float32)으로 바꾸어 `call`에 넘깁니다. NumPy의 float64가 출력으로 새어 나오면 안 됩니다.
# - `get_config`는 `super().get_config()`가 주는 것에 `__init__`의 모든 인수를 더해 돌려줍니다. 그래야 저장한 모델을 다시 불러올 수
#   있습니다.
#
# <details><summary>힌트 1: __init__에 둘 것과 call에 둘 것은?</summary>
#
# 표는 입력에 따라 달라지지 않으므로 한 번만 만듭니다. `call`에서는 입력의 위치 수만큼 행을 고릅니다.
#
# </details>
#
# <details><summary>힌트 2: float64는 어디에서 올까요?</summary>
#
# NumPy의 사인에서 옵니다. 더하기 전에 표를 입력과 dtype이 같은 텐서로 바꾸세요.
#
# </details>
#
# <details><summary>힌트 3: 길이가 정해지지 않았을 때 몇 행을 고를까요?</summary>
#
# `inputs.shape[1]`이 아직 `None`이어도 `ops.shape(inputs)[1]`은 언제나 길이를 알려 줍니다. 이것으로 텐서는 자를 수 있지만 NumPy 배열은 자를 수
# 없으므로, 먼저 표를 텐서로 바꾸세요.
#
# </details>


# %% task="positional-layer" builds_on="angle-rates sinusoidal-table"
class PositionalEncoding(keras.layers.Layer):
    """
    Add the sinusoidal table's first rows to sequences, and do nothing else: there is no dropout.
    # ko: 시퀀스에 위치 인코딩 표의 앞쪽 행을 더하기만 합니다. 드롭아웃은 없습니다.

    Args:
    # ko: 인수:
        max_len: length of the longest sequence.
        # ko: max_len: 가장 긴 시퀀스의 길이.
        dim: width of the vectors, even and positive.
        # ko: dim: 벡터의 너비. 짝수이고 양수입니다.

    Call arguments:
    # ko: 호출 인수:
        inputs: (batch, seq_len, dim), seq_len <= max_len.
        # ko: inputs: (batch, seq_len, dim), seq_len <= max_len.

    Returns:
    # ko: 반환값:
        (batch, seq_len, dim), in the dtype that the inputs have in `call`.
        # ko: (batch, seq_len, dim), `call`이 받은 입력과 같은 dtype.

    Raises:
    # ko: 예외:
        ValueError: if seq_len > max_len. Its text names `seq_len` and the length received.
        # ko: ValueError: seq_len > max_len일 때. 오류 메시지에 `seq_len`과 받은 길이를 적습니다.
    """

    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len = max_len
        self.dim = dim
        ### BEGIN SOLUTION
        # a plain array: no weight
        # ko: # 보통의 배열이므로 가중치가 아닙니다
        self.table = positional_encoding(max_len, dim)
        ### END SOLUTION

    def call(self, inputs):
        ### BEGIN SOLUTION
        seq_len = inputs.shape[1]
        if seq_len is not None and seq_len > self.max_len:
            raise ValueError(f"seq_len must be at most max_len={self.max_len}. Received: seq_len={seq_len}.")
        table = ops.convert_to_tensor(self.table, dtype=inputs.dtype)
        return inputs + table[: ops.shape(inputs)[1]]
        ### END SOLUTION

    def compute_output_shape(self, input_shape):
        return input_shape

    def get_config(self):
        ### BEGIN SOLUTION
        return {**super().get_config(), "max_len": self.max_len, "dim": self.dim}
        ### END SOLUTION


# %% grade="positional-layer" points=4
@checking("PositionalEncoding")
def _check(check):
    turns = np.exp(1j * np.outer(np.arange(6), [1.0, 0.01]))  # the tips of the hands: cosine + i sine
    # ko: turns = np.exp(1j * np.outer(np.arange(6), [1.0, 0.01]))  # 바늘 끝: 코사인 + i 사인
    rows = turns.view(float)[:, [1, 0, 3, 2]]
    layer = PositionalEncoding(max_len=6, dim=4)
    ones = np.ones((2, 3, 4), "float32")
    check.shape(layer(ones), (2, 3, 4), "(batch, seq_len, dim)")
    check.true(not layer.weights, "no weights", "the layer has weights. Keep the table as a plain array.")
    # ko: check.true(not layer.weights, "가중치 없음", "계층에 가중치가 있습니다. 표를 보통의 배열로 두세요.")
    check.close(layer(np.zeros((2, 6, 4), "float32")), np.stack([rows, rows]), "zeros in, the table out")
    # ko: check.close(layer(np.zeros((2, 6, 4), "float32")), np.stack([rows, rows]), "0을 넣으면 표가 나온다")
    check.close(
        layer(ones),
        1 + np.stack([rows[:3], rows[:3]]),
        "three ones in, first three rows added",
        # ko: "길이 3인 1을 넣으면 앞쪽 세 행이 더해진다",
        hints={
            "the inputs are lost, only the table comes out.": np.stack([rows[:3], rows[:3]]),
            # ko: "입력이 사라지고 표만 나옵니다.": np.stack([rows[:3], rows[:3]]),
            "the last rows were added. Positions begin at 0.": 1 + np.stack([rows[3:], rows[3:]]),
            # ko: "뒤쪽 행을 더했습니다. 위치는 0에서 시작합니다.": 1 + np.stack([rows[3:], rows[3:]]),
        },
    )
    dtype = keras.backend.standardize_dtype(layer(ones).dtype)
    check.true(dtype == "float32", "float32 out", f"the output is {dtype}, the inputs are float32. Does that come from the table, from an array that NumPy makes in `call`, as by `np.zeros`, or do you cast the inputs to the dtype of one of these? Give the table and such arrays the dtype of the inputs.")
    # ko: check.true(dtype == "float32", "float32 출력", f"입력은 float32인데 출력이 {dtype}입니다. 표 때문인가요, `call`에서 (`np.zeros`처럼) NumPy로 만든 배열 때문인가요, 아니면 입력을 이들의 dtype으로 바꾸었나요? 표와 그런 배열을 입력의 dtype으로 만드세요.")
    check.raises_value_error(lambda seq_len: layer(np.zeros((2, seq_len, 4), "float32")), seq_len=7, naming=("seq_len", 7))
    config = layer.get_config()
    _check_sizes(check, config)
    copy = PositionalEncoding.from_config(config)
    check.close(copy(ones), 1 + np.stack([rows[:3], rows[:3]]), "the same after get_config and from_config")
    # ko: check.close(copy(ones), 1 + np.stack([rows[:3], rows[:3]]), "get_config와 from_config 뒤에도 같다")
    check.close(
        layer(ones, training=True),
        1 + np.stack([rows[:3], rows[:3]]),
        "the same in training",
        # ko: "학습할 때도 같다",
        otherwise="In training something else comes out. Leave dropout away, and all else that depends on `training`.",
        # ko: otherwise="학습할 때는 출력이 달라집니다. 드롭아웃이나 `training`에 따라 달라지는 부분을 빼세요.",
    )
    check.notes_config(PositionalEncoding, max_len=6, dim=4)
    check.notes_dtype(PositionalEncoding(max_len=6, dim=4, dtype="float16"), ones)
    check.notes_open_length(layer, ones)
_check

# %% [markdown]
# With positions added, the two sentences from the beginning are no longer the same to attention:
#
# <!-- ko -->
# 위치를 더하고 나면 처음의 두 문장이 어텐션에도 달라 보입니다.

# %%
@demonstrate
def _demo():
    place = PositionalEncoding(max_len=16, dim=8)
    one = np.stack([_words[w] for w in ["the", "dog", "bit", "a", "man"]])
    two = np.stack([_words[w] for w in ["a", "man", "bit", "the", "dog"]])
    placed = ops.convert_to_numpy(place(np.stack([one, two])))
    print("'bit' in the first sentence: ", _bare_self_attention(placed[0])[2].round(3))
    # ko: print("첫째 문장의 'bit':", _bare_self_attention(placed[0])[2].round(3))
    print("'bit' in the second sentence:", _bare_self_attention(placed[1])[2].round(3))
    # ko: print("둘째 문장의 'bit':", _bare_self_attention(placed[1])[2].round(3))

# %% [markdown]
# > **Does this hold?** *"Once a word's vector and a position's are added up, nobody can tell them apart again. Appending would be safer."*
# > Appending makes every later matrix wider. Is it needed? Take 20 words with random vectors at each of 30 positions, 600 sums, and let two
# > matrices try, one to give the word's vector back and one the position's (the best ones, by least squares). How often is the nearest word the right one,
# > how often the nearest position? Guess for 8 columns and for 64.
#
# <!-- ko -->
# > **정말 그럴까?** *"단어의 벡터와 위치의 벡터를 더하고 나면 다시는 둘을 가려낼 수 없다. 이어 붙이는 편이 안전하다."* 이어 붙이면 뒤의 모든 행렬이
# > 넓어집니다. 꼭 그래야 할까요? 무작위 벡터로 나타낸 단어 20개를 위치 30곳에 하나씩 놓아 합 600개를 만들고, 행렬 둘에 맡겨 봅시다.
# > 하나는 단어의 벡터를, 하나는 위치의 벡터를 되찾습니다(둘 다 최소제곱법으로 구한 가장 좋은 행렬입니다). 가장 가까운 단어가 맞는 단어인
# > 비율, 가장 가까운 위치가 맞는 위치인 비율은 얼마나 될까요? 8열과 64열에서 각각 짐작해 보세요.

# %%
@demonstrate
def _demo():
    rng = np.random.default_rng(12)
    lines = ["columns  right words  right positions"]
    # ko: lines = ["열 수  맞힌 단어  맞힌 위치"]
    for dim in (8, 16, 32, 64):
        vectors = rng.standard_normal((20, dim))
        sums = ops.convert_to_numpy(PositionalEncoding(max_len=30, dim=dim)(np.repeat(vectors[:, None], 30, axis=1).astype("float32")))
        table = (sums - vectors[:, None]).mean(axis=0)
        parts = {"word": np.repeat(vectors[:, None], 30, axis=1), "position": np.broadcast_to(table, sums.shape)}
        right = []
        for (part, wanted), known in zip(parts.items(), (vectors, table), strict=True):
            matrix = np.linalg.lstsq(sums.reshape(600, dim), wanted.reshape(600, dim), rcond=1e-6)[0]
            found = sums @ matrix
            nearest = np.linalg.norm(found[..., None, :] - known, axis=-1).argmin(axis=-1)
            right.append(np.mean(nearest == (np.arange(20)[:, None] if part == "word" else np.arange(30))))
        lines.append(f"{dim:<8} {right[0]:<12.0%} {right[1]:.0%}")
    print("\n".join(lines))

# %% [markdown]
# > **What is right.** 8 columns are not enough for both: nearly all words come back, most positions don't. With four hands there are rows that are easily taken for one another: after a turn of the first hand, 6 positions on, the row is 0.66 away, nearer than that of the next position (0.96), and what the matrix for positions leaves of a word's vector is longer than 0.66 for 13 of the 20 words. In many columns there is room: words and positions settle in different
# > directions, and a projection picks out either. Attention has such projections (notebook 02), and real embeddings have hundreds of columns, which
# > training arranges better than chance does. And adding makes no later matrix wider.
#
# > **Does this hold?** *"The table needs a row for every word, so it is as long as the **vocabulary**:
# > `PositionalEncoding(vocab_size, dim)`."* It runs. How large is the table for 32 000 words and width 512, and how many of its rows can a
# > sequence of at most 200 tokens (words or parts of words) ever use?
#
# <!-- ko -->
# > **맞는 설명.** 8열로는 둘 다 담기에 모자랍니다. 단어는 거의 다 되찾지만 위치는 대부분 되찾지 못합니다. 바늘이 넷뿐이면 혼동하기 쉬운 행이 많기 때문입니다. 첫 바늘이 한 바퀴 돈 6칸 뒤의 행은 벡터 사이의 거리가 0.66으로, 바로 다음 위치의 행(0.96)보다도 가깝습니다. 위치를 되찾는 행렬을 곱한 뒤에도 남은 단어의 흔적은 단어 20개 가운데 13개에서 길이가 0.66을 넘습니다. 열이 많으면 자리가 넉넉해서 단어와 위치가 서로 다른 방향에 자리 잡고, 투영이 어느 쪽이든
# > 골라냅니다. 어텐션에는 그런 투영이 있습니다(2번 노트북). 실제 임베딩은 열이 수백 개이고, 학습이 무작위보다 더 잘 배치합니다. 게다가
# > 더해도 뒤의 행렬은 넓어지지 않습니다.
#
# > **정말 그럴까?** *"표에는 단어마다 한 행이 필요하므로 길이를 **어휘의 크기**로 둔다. `PositionalEncoding(vocab_size, dim)`처럼."*
# > 실행은 됩니다. 단어가 32,000개이고 너비가 512이면 표는 얼마나 클까요? 길이가 200 토큰(단어나 단어의 조각)을 넘지 않는 시퀀스가 그 가운데 몇 행이나
# > 쓸 수 있을까요?

# %%
@demonstrate
def _demo():
    vocab_size, max_len, dim = 32_000, 200, 512
    lengths = {"as long as the vocabulary": vocab_size, "as long as the longest sequence": max_len}
    # ko: lengths = {"어휘의 크기만큼": vocab_size, "가장 긴 시퀀스만큼": max_len}
    for name, length in lengths.items():
        print(f"{name}: {length * dim * 4 / 1e6:.1f} MB in float32, {min(length, max_len) / length:.1%} of the rows in use")
        # ko: print(f"{name}: float32로 {length * dim * 4 / 1e6:.1f} MB, 쓰이는 행 {min(length, max_len) / length:.1%}")

# %% [markdown]
# > **What is right.** Positions and words are counted separately: the table needs one row for each *position*, so it is as long as the
# > longest sequence. The vocabulary sets the length of the *word* table. Too many rows waste memory here; with a **learned** table
# > (next) they would be parameters that no gradient ever reaches.
#
# ## Task 7: learned positions (3 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# Why not let training choose the table? Replace it by one trainable matrix $T$ of the same shape (Gehring et al. 2017):
#
# $$\text{output}[b, p, :] = \text{inputs}[b, p, :] + T[p, :].$$
#
# | quantity | shape |
# |---|---|
# | `inputs` | `(batch, seq_len, dim)` |
# | table $T$, the only weight | `(max_len, dim)` |
# | output | `(batch, seq_len, dim)` |
#
# **Example.** With $T$ set to `[[0, 1], [2, 3], [4, 5]]`, zeros of shape `(1, 2, 2)` become `[[[0, 1], [2, 3]]]`.
#
# | | sinusoidal | learned |
# |---|---|---|
# | parameters | 0 | `max_len * dim` |
# | positions beyond those in training | the formula gives a row, though the network has never met it | up to `max_len` a row of noise, then none |
# | structure (invariance, shift matrix) | built in | must be learned, if useful |
# | used by | the original Transformer | BERT, GPT-2 |
#
# In the comparison of Vaswani et al. the two came out almost alike: 25.8 BLEU (a score of translations; more is better) with sinusoids, 25.7 with learned positions (table 3, row E).
# Weights come from `self.add_weight(...)` or from a sublayer such as `keras.layers.Embedding`, which is called on the positions
# 0, 1, 2, …, not on the inputs. (Call an Embedding's `build(None)` in `__init__` as well: then a saved model can be loaded.) The table must have `max_len` rows from the
# start, however short the first sequence is, and it begins with small random numbers.
#
# <details><summary>Hint 1: What differs from task 6?</summary>
#
# The table is a weight, so it is added in `__init__` with its full shape, and Keras counts and saves it. The rest is as before.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** 위치와 단어는 따로 셉니다. 표에는 *위치*마다 한 행이 필요하므로 길이는 가장 긴 시퀀스만큼이면 됩니다. 어휘의 크기는
# > *단어* 표의 길이를 정합니다. 여기서는 남는 행이 메모리를 낭비할 뿐이지만, 다음에 나올 **학습되는** 표라면 기울기가 결코 닿지
# > 않는 파라미터가 됩니다.
#
# ## 과제 7: 학습되는 위치 (learned positions, 3점)
#
# *난이도 2/5, 20분쯤.*
#
# 표를 학습에 맡기면 어떨까요? 표를 같은 모양의 학습되는 행렬 $T$로 바꿉니다(Gehring et al. 2017).
#
# $$\text{output}[b, p, :] = \text{inputs}[b, p, :] + T[p, :]$$
#
# | 양 | 모양 |
# |---|---|
# | `inputs` | `(batch, seq_len, dim)` |
# | 표 $T$, 하나뿐인 가중치 | `(max_len, dim)` |
# | 출력 | `(batch, seq_len, dim)` |
#
# **예.** $T$가 `[[0, 1], [2, 3], [4, 5]]`이면 모양 `(1, 2, 2)`인 0 배열은 `[[[0, 1], [2, 3]]]`이 됩니다.
#
# | | 사인과 코사인 | 학습 |
# |---|---|---|
# | 파라미터 | 0 | `max_len * dim` |
# | 학습 때보다 먼 위치 | 식으로 행을 구할 수 있지만 신경망이 만난 적은 없다 | `max_len`까지는 학습되지 않은 무작위 행이 있고, 그다음은 없다 |
# | 구조(불변성, 이동 행렬) | 처음부터 있다 | 쓸모가 있다면 배워야 한다 |
# | 쓰는 모델 | 최초의 트랜스포머 | BERT, GPT-2 |
#
# Vaswani et al.의 비교에서 둘은 거의 같았습니다. 사인과 코사인은 25.8 BLEU(번역을 평가하는 점수, 높을수록 좋음), 학습되는 위치는 25.7 BLEU였습니다(표 3의 E행). 가중치는
# `self.add_weight(...)`나 `keras.layers.Embedding` 같은 하위 계층으로 만듭니다. `Embedding`은 입력이 아니라 위치 0, 1, 2, …로
# 호출합니다. (`Embedding`을 쓰면 `__init__`에서 그 `build(None)`도 호출하세요. 그래야 저장한 모델을 불러올 수 있습니다.) 첫 시퀀스가 아무리 짧아도 표에는 처음부터
# `max_len`개의 행이 있어야 하고, 작은 무작위 수로 시작합니다.
#
# <details><summary>힌트 1: 과제 6과 무엇이 다를까요?</summary>
#
# 표가 가중치이므로 `__init__`에서 전체 모양으로 만들고, 케라스가 그것을 세고 저장합니다. 나머지는 그대로입니다.
#
# </details>


# %% task="learned-layer" builds_on="angle-rates sinusoidal-table positional-layer"
class LearnedPositionalEmbedding(keras.layers.Layer):
    """
    Add the first rows of a trainable table to sequences, and do nothing else: there is no dropout.
    # ko: 시퀀스에 학습되는 표의 앞쪽 행을 더하기만 합니다. 드롭아웃은 없습니다.

    Args:
    # ko: 인수:
        max_len: length of the longest sequence, the number of rows of the table.
        # ko: max_len: 가장 긴 시퀀스의 길이, 곧 표의 행 수.
        dim: width of the vectors, the number of columns of the table.
        # ko: dim: 벡터의 너비, 곧 표의 열 수.

    Call arguments:
    # ko: 호출 인수:
        inputs: (batch, seq_len, dim), seq_len <= max_len.
        # ko: inputs: (batch, seq_len, dim), seq_len <= max_len.

    Returns:
    # ko: 반환값:
        (batch, seq_len, dim).
        # ko: (batch, seq_len, dim).

    Raises:
    # ko: 예외:
        ValueError: if seq_len > max_len. Its text names `seq_len` and the length received.
        # ko: ValueError: seq_len > max_len일 때. 오류 메시지에 `seq_len`과 받은 길이를 적습니다.
    """

    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len = max_len
        self.dim = dim
        ### BEGIN SOLUTION
        self.table = self.add_weight(name="table", shape=(max_len, dim), initializer=keras.initializers.RandomNormal(stddev=0.02))
        ### END SOLUTION

    def call(self, inputs):
        ### BEGIN SOLUTION
        seq_len = inputs.shape[1]
        if seq_len is not None and seq_len > self.max_len:
            raise ValueError(f"seq_len must be at most max_len={self.max_len}. Received: seq_len={seq_len}.")
        table = ops.convert_to_tensor(self.table)
        return inputs + table[: ops.shape(inputs)[1]]
        ### END SOLUTION

    def compute_output_shape(self, input_shape):
        return input_shape

    def get_config(self):
        ### BEGIN SOLUTION
        return {**super().get_config(), "max_len": self.max_len, "dim": self.dim}
        ### END SOLUTION


# %% grade="learned-layer" points=3
@checking("LearnedPositionalEmbedding")
def _check(check):
    layer = LearnedPositionalEmbedding(max_len=6, dim=4)
    zeros, inputs = np.zeros((2, 3, 4), "float32"), np.linspace(-1, 2, 24, dtype="float32").reshape(2, 3, 4)
    check.shape(layer(zeros), (2, 3, 4), "(batch, seq_len, dim)")
    shapes = [tuple(weight.shape) for weight in layer.trainable_weights]
    none = "The table is a weight, but none that a training changes: is it made with `trainable=False`, or the layer set so?"
    # ko: none = "표가 가중치이기는 하지만 학습으로 바뀌지 않습니다. 표나 계층을 `trainable=False`로 두지 않았나요?"
    if not layer.weights:
        none = "Keras knows of the weights that `add_weight` makes and of those of a sublayer that is kept in `self`, not of an array or a bare `tf.Variable`, nor of a layer that is made in `call`."
        # ko: none = "케라스는 `add_weight`로 만든 가중치와 `self`에 둔 하위 계층의 가중치를 압니다. 배열이나 그냥 `tf.Variable`, `call`에서 만든 계층은 모릅니다."
    cause = {
        (): none,
        ((3, 4),): "The table has max_len rows from the start, not as many as the first inputs have positions.",
        # ko: ((3, 4),): "표에는 처음부터 max_len개의 행이 있어야 합니다. 처음 들어온 입력의 길이만큼이 아닙니다.",
    }.get(tuple(shapes), "")
    check.true(
        shapes == [(6, 4)],
        "one trainable (max_len, dim) table",
        # ko: "학습되는 (max_len, dim) 표 하나",
        f"the trainable weights have the shapes {shapes}, not [(6, 4)]. {cause}".rstrip(),
        # ko: f"학습되는 가중치의 모양이 [(6, 4)]가 아니라 {shapes}입니다. {cause}".rstrip(),
    )
    check.shape(layer(np.zeros((2, 6, 4), "float32")), (2, 6, 4), "(batch, max_len, dim)")
    start = _as_array(layer.trainable_weights[0])
    if np.ptp(start) == 0 or np.abs(start).max() >= 1:
        check.note("the table should begin with small random numbers, such as those of the initializer `RandomNormal(stddev=0.02)`.")
        # ko: check.note("표는 작은 무작위 수로 시작해야 합니다. 초기화 `RandomNormal(stddev=0.02)` 같은 것을 쓰세요.")
    numbers = np.arange(24, dtype="float32").reshape(6, 4)
    layer.trainable_weights[0].assign(numbers)
    check.close(
        layer(inputs),
        inputs + numbers[:3],
        "the first three rows added to every sequence",
        # ko: "모든 시퀀스에 더한 앞쪽 세 행",
        hints={
            "the inputs are lost, only the table comes out.": np.stack([numbers[:3], numbers[:3]]),
            # ko: "입력이 사라지고 표만 나옵니다.": np.stack([numbers[:3], numbers[:3]]),
            "the last rows were added. Positions begin at 0.": inputs + numbers[3:],
            # ko: "뒤쪽 행을 더했습니다. 위치는 0에서 시작합니다.": inputs + numbers[3:],
        },
    )
    check.raises_value_error(lambda seq_len: layer(np.zeros((2, seq_len, 4), "float32")), seq_len=7, naming=("seq_len", 7))
    config = layer.get_config()
    _check_sizes(check, config)
    copy = LearnedPositionalEmbedding.from_config(config)
    check.shape(copy(zeros), (2, 3, 4), "(batch, seq_len, dim) of the layer made from the config")
    # ko: check.shape(copy(zeros), (2, 3, 4), "config로 만든 계층의 (batch, seq_len, dim)")
    check.close(
        layer(inputs, training=True),
        inputs + numbers[:3],
        "the same in training",
        # ko: "학습할 때도 같다",
        otherwise="In training something else comes out. Leave dropout away, and all else that depends on `training`.",
        # ko: otherwise="학습할 때는 출력이 달라집니다. 드롭아웃이나 `training`에 따라 달라지는 부분을 빼세요.",
    )
    check.notes_config(LearnedPositionalEmbedding, max_len=6, dim=4)
    loaded = LearnedPositionalEmbedding.from_config(layer.get_config())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loaded.build_from_config(layer.get_build_config())  # what Keras does before it loads the weights
        # ko: loaded.build_from_config(layer.get_build_config())  # 케라스가 가중치를 불러오기 전에 하는 일
    if len(loaded.weights) != len(layer.weights):
        check.note("a saved model can't be loaded: the table has to be there before the first call. (See the text on `build(None)`.)")
        # ko: check.note("저장한 모델을 불러올 수 없습니다. 처음 호출하기 전에 표가 있어야 합니다(`build(None)`에 관한 설명을 보세요).")
    check.notes_open_length(layer, inputs)
    check.learns(layer, layer, inputs, {"the table": layer.trainable_weights[0]}, required=False)
    # ko: check.learns(layer, layer, inputs, {"표": layer.trainable_weights[0]}, required=False)
_check

# %% [markdown]
# A learned table begins as noise. In the picture on the right there is the main diagonal, where each row meets itself; there are no other diagonals, and no neighbours that are alike. Whatever structure it needs must come from the data, and rows that no
# training sequence is long enough to reach stay noise for ever.
#
# <!-- ko -->
# 학습되는 표는 잡음에서 시작합니다. 아래 오른쪽 그림에서 눈에 띄는 것은 자기 자신과의 유사도인 주대각선뿐이고, 나란한 띠도 서로 닮은 이웃도 없습니다. 필요한 구조는 모두 데이터에서 배워야 하고,
# 학습 시퀀스가 닿지 못하는 행은 영원히 잡음으로 남습니다.

# %%
@demonstrate
def _demo():
    fresh = LearnedPositionalEmbedding(max_len=40, dim=64)
    noise = ops.convert_to_numpy(fresh(np.zeros((1, 40, 64), "float32")))[0]
    waves = to_numpy(positional_encoding(40, 64))
    fig, axes = plt.subplots(1, 2, figsize=(11, 3.8), layout="constrained")
    tables = {"sinusoidal": waves, "learned, before training": noise}
    # ko: tables = {"사인과 코사인 (sinusoidal)": waves, "학습되는 표, 학습 전 (learned)": noise}
    for ax, (name, table) in zip(axes, tables.items(), strict=True):
        unit = table / np.linalg.norm(table, axis=1, keepdims=True)
        heat_map(unit @ unit.T, name, "position", "position", ax, limit=1, label="cosine similarity")
        # ko: heat_map(unit @ unit.T, name, "위치 (position)", "위치 (position)", ax, limit=1, label="코사인 유사도 (similarity)")
    plt.show()
    print(f"parameters: sinusoidal 0, learned {fresh.count_params()}; BERT's table: {512 * 768}")
    # ko: print(f"파라미터: 사인과 코사인 0개, 학습 {fresh.count_params()}개, BERT의 표 {512 * 768}개")

# %% [markdown]
# ## What you have now
#
# | condition | how the sinusoidal table meets it |
# |---|---|
# | unique | even the first hand, at whole positions, never returns to the same place ($2\pi$ is irrational), and the slow ones keep distant positions clearly apart |
# | even | the dot product and the distance of two rows depend on their offset alone (tasks 3 and 4) |
# | open-ended | the formula has no last row, and `max_len` only says how many are computed |
# | bounded, fixed | every number lies between -1 and 1, every row has length $\sqrt{d/2}$ |
#
# And moving along the sequence is a rotation, the same everywhere (task 5). The even steps, the equal lengths and the rotation rest on one
# decision: **the two columns of a pair share their angle.**
#
# **Next.** The layer tells attention where each vector stands. The next notebook builds attention itself: queries, keys, values, and the
# softmax that turns their dot products into weights. In notebook 06 you meet your layer again, behind a token embedding.
#
# **References.** Vaswani et al. (2017), *Attention Is All You Need*. Gehring et al. (2017), *Convolutional Sequence to Sequence Learning*.
# Devlin et al. (2019), *BERT*. Su et al. (2021), *RoFormer: Enhanced Transformer with Rotary Position Embedding*.
#
# <!-- ko -->
# ## 지금까지 만든 것
#
# | 조건 | 사인과 코사인의 표는 어떻게 만족하는가 |
# |---|---|
# | 유일함 | 첫 바늘만 해도 정수 위치에서는 같은 자리로 돌아오지 않고($2\pi$는 무리수), 느린 바늘들이 먼 위치를 뚜렷이 구별한다 |
# | 균일함 | 두 행 벡터의 내적과 둘 사이의 거리는 위치의 간격만으로 정해진다(과제 3과 4) |
# | 열려 있음 | 식에는 마지막 행이 없고, `max_len`은 몇 행을 계산할지만 정한다 |
# | 제한되고 고정됨 | 모든 수가 -1과 1 사이에 있고 모든 행의 길이가 $\sqrt{d/2}$이다 |
#
# 그리고 시퀀스를 따라 움직이면 어디서나 똑같이 회전합니다(과제 5). 이웃한 행 벡터 사이의 균일한 거리, 모든 행의 같은 길이, 그리고 이 회전은 한 가지 결정에서 나옵니다.
# **쌍을 이루는 두 열은 각도를 함께 씁니다.**
#
# **다음.** 이 계층은 벡터마다 어디에 있는지를 어텐션에 알려 줍니다. 다음 노트북에서는 어텐션 자체를 만듭니다. 쿼리(query), 키(key), 값(value),
# 그리고 내적을 가중치로 바꾸는 소프트맥스(softmax)입니다. 여러분의 계층은 6번 노트북에서 토큰 임베딩 뒤에 다시 나옵니다.
#
# **참고 문헌.** Vaswani et al. (2017), *Attention Is All You Need*. Gehring et al. (2017), *Convolutional Sequence to Sequence Learning*.
# Devlin et al. (2019), *BERT*. Su et al. (2021), *RoFormer: Enhanced Transformer with Rotary Position Embedding*.
