# %% [markdown]
# # Multi-head attention
#
# One attention layer gives each position *one* set of weights, so one kind of answer. A word may want several at
# once: its verb, its article, the word before it. Vaswani et al. (2017, section 3.2.2) therefore run several small
# attentions side by side on slices of the features and put the results together again. These are the **heads**.
#
# ![You are here: the same three attentions, each now with several heads.](../_shared/diagrams/model-03.svg)
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `split_heads`: deal the features out to the heads | 3 |
# | 2 | `merge_heads`: put the heads side by side again | 2 |
# | 3 | `multi_head_attention`: attend with every head at once | 4 |
# | 4 | `MultiHeadAttention`: the Keras layer with its four projections | 5 |
# | 5 | `mha_parameter_count`: how many parameters Keras's layer has | 3 |
# | 6 | `copy_weights_to_keras`: prove your layer right with Keras's | 3 |
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each
# one holds public checks. Points come from other inputs after you hand in, in steps, so half a task is worth something. A mistake
# in one task does not cost you the points of a later one. In the functions NumPy, `keras.ops` and `tf.*` all count the same; in the layer use
# `keras.ops` or `tf.*`, so that it can be trained.
#
# | name | meaning |
# |---|---|
# | `batch` | sequences in a batch |
# | `query_len`, `key_len` | tokens that ask, tokens that are looked at (`seq_len` when they are the same) |
# | `d_model` | features of a token inside the attention |
# | `num_heads` | number of heads |
# | `head_dim` | features of one head: `d_model // num_heads` |
# | `value_dim` | features of the values, all heads together, where they differ from `d_model`. (In task 5 Keras uses the same name for the features of *one* head.) |
#
# **Masks** are as before: 1 hides, 0 keeps.
#
# <!-- ko -->
# # 멀티 헤드 어텐션
#
# 어텐션(attention) 계층 하나는 위치마다 가중치(weight)를 *한 벌*만 줍니다. 그러니 대답도 한 가지입니다. 그런데 한
# 단어에 여러 대답이 한꺼번에 필요할 수 있습니다. 그 단어에 걸리는 동사나 관사, 바로 앞 단어 같은 것입니다. 그래서 Vaswani et
# al. (2017, 3.2.2절)은 특징(feature)을 조각으로 나누어 작은 어텐션 여러 개를 나란히 계산하고 그 결과를 다시 합칩니다.
# 이 작은 어텐션이 **헤드**(head)이고, 전체가 멀티 헤드 어텐션(multi-head attention)입니다.
#
# ![지금 여기: 같은 어텐션 세 곳에 이제 헤드가 여러 개 있습니다.](../_shared/diagrams/model-03.svg)
#
# | 과제 | 작성할 것 | 배점 |
# |---|---|---|
# | 1 | `split_heads`: 특징을 헤드에 나누어 주기 | 3 |
# | 2 | `merge_heads`: 헤드를 다시 나란히 놓기 | 2 |
# | 3 | `multi_head_attention`: 모든 헤드의 어텐션을 한꺼번에 계산하기 | 4 |
# | 4 | `MultiHeadAttention`: 투영(projection) 네 개를 붙인 케라스(Keras) 계층(layer) | 5 |
# | 5 | `mha_parameter_count`: 케라스의 계층의 파라미터 수 | 3 |
# | 6 | `copy_weights_to_keras`: 여러분의 계층이 올바른지 케라스의 계층으로 확인하기 | 3 |
#
# **진행 방법.** `# YOUR CODE HERE`라고 적힌 셀을 채우세요. 바로 아래 셀에
# 공개 검사가 있습니다. 점수는 제출한 뒤 다른 입력으로 단계별로 매기므로 과제를 절반만 맞혀도 그만큼 받습니다. 한 과제에서 틀려도 뒤 과제의 점수는 깎이지
# 않습니다. 함수에서는 NumPy, `keras.ops`, `tf.*` 모두 똑같이 인정합니다. 계층에서는 학습할 수 있도록 `keras.ops`나
# `tf.*`를 쓰세요.
#
# | 이름 | 뜻 |
# |---|---|
# | `batch` | 배치(batch)에 든 시퀀스(sequence)의 수 |
# | `query_len`, `key_len` | 묻는 토큰(token), 곧 쿼리(query)의 수와 물음을 받는 토큰, 곧 키(key)의 수 (둘이 같으면 `seq_len`) |
# | `d_model` | 어텐션 안에서 토큰 하나의 특징 수 |
# | `num_heads` | 헤드의 수 |
# | `head_dim` | 헤드 하나의 특징 수: `d_model // num_heads` |
# | `value_dim` | 값(value)의 특징 수(모든 헤드를 합한 것). `d_model`과 다를 때 쓰는 이름. 과제 5에 나오는 케라스의 계층은 헤드 하나의 특징 수를 이렇게 부른다 |
#
# **마스크**(mask)는 지금까지와 같습니다. 1은 가리고 0은 남깁니다.

# %% locked="setup" include="quiet_keras.py"
import keras
import matplotlib.pyplot as plt
import numpy as np

np.set_printoptions(precision=4, suppress=True)
to_numpy = keras.ops.convert_to_numpy


def show_weights(ax, weights, title, vmax=1.0):
    """Draw attention weights (query_len, key_len), one row a query, with the number in each square."""
    # ko: """어텐션 가중치 (query_len, key_len)를 그립니다. 쿼리마다 한 행이고, 칸마다 수를 적습니다."""
    weights = to_numpy(weights)
    image = ax.imshow(weights, cmap="Blues", vmin=0.0, vmax=vmax)
    for (row, column), weight in np.ndenumerate(weights):
        colour = "white" if weight > 0.6 * vmax else "black"
        ax.text(column, row, f"{weight:.2f}", ha="center", va="center", fontsize=7, color=colour)
    ax.set(xticks=range(weights.shape[1]), yticks=range(weights.shape[0]))
    ax.set(title=title, xlabel="key", ylabel="query")
    # ko: ax.set(title=title, xlabel="키 (key)", ylabel="쿼리 (query)")
    return image


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## What you bring along
#
# Paste `softmax`, `attention_scores` and `scaled_dot_product_attention` from the notebook on attention. You may use
# them below, or not (the cell behind them and the one that prints the shapes in task 3 need them); a mistake in them costs nothing here, it has been counted there (the cell behind them tells you,
# and the public checks of tasks 3, 4 and 6 may show it too). If yours compute with NumPy and you want to use them in the layer of task 4, rewrite them with `keras.ops` now: no gradient passes through NumPy. The same holds for
# whatever your layer calls of tasks 1 to 3.
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{\text{key\_dim}}}\right) V$$
#
# They allow any leading dimensions. That is the trick of this whole notebook: if the heads become a *leading* dimension,
# the attention you already have works for all heads at once.
#
# <!-- ko -->
# ## 앞에서 만든 코드
#
# 어텐션 노트북에서 만든 `softmax`, `attention_scores`, `scaled_dot_product_attention`을 붙여 넣으세요. 아래에서 써도
# 되고 쓰지 않아도 됩니다(붙여 넣는 셀 바로 다음 셀과 과제 3에서 모양을 출력하는 셀에는 필요합니다). 여기에 잘못이 있어도 이 노트북의 점수는 깎이지 않습니다. 그 노트북에서 이미 채점했기
# 때문입니다(붙여 넣는 셀 바로 다음 셀이 알려 주고, 과제 3, 4, 6의 공개 검사에도 드러날 수 있습니다). NumPy로 작성한 코드를 과제 4의 계층에서 쓰려면 지금 `keras.ops`로 고쳐 쓰세요. 기울기(gradient)는
# NumPy를 통과하지 못합니다. 계층에서 부르는 과제 1부터 3까지의 함수도 마찬가지입니다.
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{\text{key\_dim}}}\right) V$$
#
# 이 함수들은 앞쪽에 차원이 몇 개 더 있어도 작동합니다. 이 노트북의 비결이 바로 여기에 있습니다. 헤드를 *앞쪽*
# 차원으로 옮기면, 이미 만들어 둔 어텐션이 모든 헤드를 한꺼번에 계산합니다.


# %% carry_over=true
def softmax(x, axis=-1):
    """
    Exponentials along `axis`, divided by their sum; right for large scores too.
    # ko: `axis`를 따라 지수 함수값을 그 합으로 나눈 값을 돌려줍니다. 점수가 커도 올바릅니다.

    Args:
    # ko: 인수:
        x: numbers of any shape.
        # ko: x: 수의 배열. 모양은 무엇이든 됩니다.
        axis: along this axis the result sums to 1.
        # ko: axis: 결과를 이 축을 따라 더하면 1입니다.

    Returns:
    # ko: 반환값:
        The shape of x.
        # ko: x와 같은 모양.
    """
    ### BEGIN SOLUTION
    x = keras.ops.convert_to_tensor(x)
    exponentials = keras.ops.exp(x - keras.ops.max(x, axis=axis, keepdims=True))
    return exponentials / keras.ops.sum(exponentials, axis=axis, keepdims=True)
    ### END SOLUTION


def attention_scores(query, key):
    """
    Dot products of queries with keys, divided by the square root of key_dim.
    # ko: 쿼리와 키의 내적을 key_dim의 제곱근으로 나눈 값을 돌려줍니다.

    Args:
    # ko: 인수:
        query: (..., query_len, key_dim).
        key: (..., key_len, key_dim).

    Returns:
    # ko: 반환값:
        (..., query_len, key_len).
    """
    ### BEGIN SOLUTION
    query, key = keras.ops.convert_to_tensor(query), keras.ops.convert_to_tensor(key)
    return keras.ops.matmul(query, keras.ops.swapaxes(key, -1, -2)) / key.shape[-1] ** 0.5
    ### END SOLUTION


def scaled_dot_product_attention(query, key, value, mask=None):
    """
    Average the values by how well each query matches each key.
    # ko: 쿼리가 키마다 얼마나 잘 맞는지에 따라 값들을 가중 평균합니다.

    Args:
    # ko: 인수:
        query: (..., query_len, key_dim).
        key: (..., key_len, key_dim).
        value: (..., key_len, value_dim).
        mask: broadcasts to (..., query_len, key_len); 1 hides, 0 keeps.
        # ko: mask: (..., query_len, key_len)으로 브로드캐스트됩니다. 1은 가리고 0은 남깁니다.

    Returns:
    # ko: 반환값:
        output (..., query_len, value_dim), weights (..., query_len, key_len).
        # ko: 출력 (..., query_len, value_dim), 가중치 (..., query_len, key_len).
    """
    ### BEGIN SOLUTION
    scores = attention_scores(query, key)
    if mask is not None:
        scores = keras.ops.where(keras.ops.cast(mask, "bool"), -1e9, scores)
    weights = softmax(scores, axis=-1)
    return keras.ops.matmul(weights, keras.ops.convert_to_tensor(value)), weights
    ### END SOLUTION


# %%
# One head, as a reminder: the example of notebook 02 gives [[550, 5.5], [10, 0], [5.5, 0]]. Does what you pasted hold for heads as well?
# ko: # 복습으로 헤드 하나: 2번 노트북의 예제에서는 [[550, 5.5], [10, 0], [5.5, 0]]이 나옵니다. 붙여 넣은 코드는 헤드에서도 맞을까요?
@demonstrate
def _demo():
    one_query = np.array([[0, 0, 10], [0, 10, 0], [10, 10, 0]], dtype="float32")
    one_key = np.array([[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]], dtype="float32")
    one_value = np.array([[1, 0], [10, 0], [100, 5], [1000, 6]], dtype="float32")
    one_output, one_weights = scaled_dot_product_attention(one_query, one_key, one_value)
    print(to_numpy(one_output))
    print(to_numpy(one_weights))
    hide_last = np.array([0, 0, 0, 1], dtype="float32").reshape(1, 1, 1, 4)
    heads = [np.tile(x, (2, 5, 1, 1)) for x in (one_query, one_key, one_value)]
    masked, _ = scaled_dot_product_attention(*heads, mask=hide_last)
    loud = np.full((2, 1), 1000, dtype="float32")
    _, of_loud = scaled_dot_product_attention(loud, loud, loud)
    three = np.eye(3, 4, dtype="float32")  # three keys of four features
    # ko: three = np.eye(3, 4, dtype="float32")  # 특징이 4개인 키 3개
    _, of_small = scaled_dot_product_attention(2 * three[:1], three, three)
    findings = {
        "the example of notebook 02": np.allclose(to_numpy(one_output), [[550, 5.5], [10, 0], [5.5, 0]], atol=1e-3),
        # ko: "2번 노트북의 예제": np.allclose(to_numpy(one_output), [[550, 5.5], [10, 0], [5.5, 0]], atol=1e-3),
        "2 sequences of 5 heads under a mask that hides the last key": np.allclose(to_numpy(masked), np.tile([[100, 5], [10, 0], [5.5, 0]], (2, 5, 1, 1)), atol=1e-3),
        # ko: "마지막 키를 가리는 마스크를 쓴, 시퀀스 2개의 헤드 5개": np.allclose(to_numpy(masked), np.tile([[100, 5], [10, 0], [5.5, 0]], (2, 5, 1, 1)), atol=1e-3),
        "scores of a million": np.allclose(to_numpy(of_loud), 0.5),
        # ko: "백만쯤 되는 점수": np.allclose(to_numpy(of_loud), 0.5),
        "small scores, divided by the root of key_dim": np.allclose(to_numpy(of_small), np.array([[np.e, 1, 1]]) / (np.e + 2), atol=1e-3),
        # ko: "key_dim의 제곱근으로 나눈 작은 점수": np.allclose(to_numpy(of_small), np.array([[np.e, 1, 1]]) / (np.e + 2), atol=1e-3),
    }
    for words, holds in findings.items():
        print("✓" if holds else "✗", words)

# %% [markdown]
# ## The whole road, by shapes
#
# Multi-head attention is eight small steps. Splitting (2) and merging (7) are new, and do no arithmetic: they move
# numbers about. The mask (4) you know, but now it has to reach every head. New as well are the dense layers of steps 1 and 8: such a layer
# multiplies its input by a matrix that it learns, its kernel, and adds a vector that it learns, its bias.
#
# | step | what | shape | 128 sequences, 32 tokens, `d_model` 200, 5 heads |
# |---|---|---|---|
# | 1 project | three dense layers | (batch, len, d_model) | (128, 32, 200) |
# | **2 split** | **deal the features to the heads** | **(batch, num_heads, len, head_dim)** | **(128, 5, 32, 40)** |
# | 3 scores | query · key / √head_dim | (batch, num_heads, query_len, key_len) | (128, 5, 32, 32) |
# | **4 mask** | **the same mask for every head** | (batch, num_heads, query_len, key_len) | (128, 5, 32, 32) |
# | 5 weights | softmax over the keys | (batch, num_heads, query_len, key_len) | (128, 5, 32, 32) |
# | 6 weighted values | weights · values | (batch, num_heads, query_len, head_dim) | (128, 5, 32, 40) |
# | **7 merge** | **heads side by side** | **(batch, query_len, d_model)** | **(128, 32, 200)** |
# | 8 project | one dense layer mixes the heads | (batch, query_len, d_model) | (128, 32, 200) |
#
# ![The columns of a matrix are dealt to three heads, each attends by itself, and the results are put side by side again.](../_shared/diagrams/heads.svg)
#
# Come back to this table whenever a shape surprises you. At the end of task 3 a cell prints every row of it, with
# your own functions.
#
# ## Task 1: split into heads (3 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# Head $h$ gets `head_dim` **neighbouring** features of every token: $x[b, t, h \cdot \text{head\_dim} : (h+1) \cdot
# \text{head\_dim}]$.
#
# | | shape | for 2 heads, one sequence of 3 tokens with 4 features |
# |---|---|---|
# | x | (batch, seq_len, d_model) | (1, 3, 4) |
# | cut each token's features into pieces | (batch, seq_len, num_heads, head_dim) | (1, 3, 2, 2) |
# | bring the heads to the front | (batch, num_heads, seq_len, head_dim) | (1, 2, 3, 2) |
#
# ```
# token 0:  [ 0  1 | 2  3 ]        head 0: [[0 1], [4 5], [ 8  9]]
# token 1:  [ 4  5 | 6  7 ]   ->   head 1: [[2 3], [6 7], [10 11]]
# token 2:  [ 8  9 |10 11 ]
# ```
#
# The pieces must be equally wide, so `num_heads` has to divide `d_model`. If it doesn't, say so: raise a `ValueError` that
# names both, `d_model` and `num_heads`, and gives their values.
#
# <details><summary>Hint 1: Why is one reshape not enough?</summary>
#
# A reshape never changes the order of the numbers. In `x` all heads of token 0 come first; in the result all tokens of head 0 come
# first. So axes have to change places somewhere.
#
# </details>
#
# <details><summary>Hint 2: Two steps</summary>
#
# First cut the last axis alone: (batch, seq_len, num_heads, head_dim). Then transpose: the axes in their new order are a tuple, in
# which axis 2 (the heads) comes before axis 1 (the tokens).
#
# </details>
#
# <details><summary>Hint 3: The error</summary>
#
# Look at the remainder `d_model % num_heads` before you reshape. An f-string writes a name and its value at once: `f"{num_heads=}"`.
#
# </details>
#
# <!-- ko -->
# ## 모양(shape)으로 보는 전체 과정
#
# 멀티 헤드 어텐션은 작은 단계 여덟 개로 이루어집니다. 나누기(2)와 합치기(7)는 새롭지만 계산은 하지 않고 수의 자리만
# 옮깁니다. 마스크(4)는 이미 알지만 이제 모든 헤드에 닿아야 합니다. 1단계와 8단계의 `Dense` 계층도 새로 나옵니다. 입력에 학습된 행렬(커널)을 곱하고 학습된
# 벡터(편향)를 더하는 계층입니다.
#
# | 단계 | 하는 일 | 모양 | 시퀀스 128개, 토큰 32개, `d_model` 200, 헤드 5개 |
# |---|---|---|---|
# | 1 투영 | `Dense` 계층 세 개 | (batch, len, d_model) | (128, 32, 200) |
# | **2 나누기** | **특징을 헤드에 나누어 준다** | **(batch, num_heads, len, head_dim)** | **(128, 5, 32, 40)** |
# | 3 점수(score) | 쿼리 · 키 / √head_dim | (batch, num_heads, query_len, key_len) | (128, 5, 32, 32) |
# | **4 마스크** | **모든 헤드에 같은 마스크** | (batch, num_heads, query_len, key_len) | (128, 5, 32, 32) |
# | 5 가중치 | 키를 따라 소프트맥스(softmax) | (batch, num_heads, query_len, key_len) | (128, 5, 32, 32) |
# | 6 가중 평균한 값 | 가중치 · 값 | (batch, num_heads, query_len, head_dim) | (128, 5, 32, 40) |
# | **7 합치기** | **헤드를 나란히 놓는다** | **(batch, query_len, d_model)** | **(128, 32, 200)** |
# | 8 투영 | `Dense` 계층 하나가 헤드들을 섞는다 | (batch, query_len, d_model) | (128, 32, 200) |
#
# ![행렬의 열을 세 헤드에 나누어 주고, 헤드마다 따로 어텐션을 한 다음, 그 결과를 다시 나란히 놓습니다.](../_shared/diagrams/heads.svg)
#
# 모양이 예상과 다를 때마다 이 표로 돌아오세요. 과제 3 끝의 한 셀이 여러분의 함수를 써서 이 표의 모든 행을 출력합니다.
#
# ## 과제 1: 헤드로 나누기 (3점)
#
# *난이도 2/5, 20분쯤.*
#
# 헤드 $h$는 모든 토큰에서 **이웃한** 특징 `head_dim`개를 가져갑니다. 곧
# $x[b, t, h \cdot \text{head\_dim} : (h+1) \cdot \text{head\_dim}]$입니다.
#
# | | 모양 | 헤드 2개, 특징이 4개인 토큰 3개로 된 시퀀스 하나 |
# |---|---|---|
# | x | (batch, seq_len, d_model) | (1, 3, 4) |
# | 토큰마다 특징을 조각으로 자른다 | (batch, seq_len, num_heads, head_dim) | (1, 3, 2, 2) |
# | 헤드를 앞으로 옮긴다 | (batch, num_heads, seq_len, head_dim) | (1, 2, 3, 2) |
#
# ```
# 토큰 0:  [ 0  1 | 2  3 ]        헤드 0: [[0 1], [4 5], [ 8  9]]
# 토큰 1:  [ 4  5 | 6  7 ]   ->   헤드 1: [[2 3], [6 7], [10 11]]
# 토큰 2:  [ 8  9 |10 11 ]
# ```
#
# 조각의 너비는 모두 같아야 하므로 `d_model`은 `num_heads`로 나누어떨어져야 합니다. 그렇지 않으면 알려 주어야 합니다.
# `d_model`과 `num_heads`의 이름과 값을 모두 적은 `ValueError`를 일으키세요.
#
# <details><summary>힌트 1: 왜 reshape 한 번으로는 안 될까요?</summary>
#
# reshape는 수의 순서를 바꾸지 않습니다. `x`에서는 토큰 0의 모든 헤드가 먼저 나오고, 결과에서는 헤드 0의 모든 토큰이 먼저 나와야
# 합니다. 그러니 어디선가 축의 자리가 바뀌어야 합니다.
#
# </details>
#
# <details><summary>힌트 2: 두 단계</summary>
#
# 먼저 마지막 축만 자릅니다: (batch, seq_len, num_heads, head_dim). 그다음 전치합니다. 축의 새 순서를 튜플로 적되 축 2(헤드)를 축
# 1(토큰)보다 앞에 두세요.
#
# </details>
#
# <details><summary>힌트 3: 오류</summary>
#
# reshape하기 전에 나머지 `d_model % num_heads`를 보세요. f-문자열은 이름과 값을 함께 적어 줍니다: `f"{num_heads=}"`.
#
# </details>


# %% task="split-heads"
def split_heads(x, num_heads):
    """
    Deal out the features of every token to the heads.
    # ko: 모든 토큰의 특징을 헤드에 나누어 줍니다.

    Args:
    # ko: 인수:
        x: (batch, seq_len, d_model).
        num_heads: number of heads; must divide d_model.
        # ko: num_heads: 헤드의 수. d_model이 이 수로 나누어떨어져야 합니다.

    Returns:
    # ko: 반환값:
        (batch, num_heads, seq_len, head_dim) with head_dim = d_model // num_heads.
        # ko: (batch, num_heads, seq_len, head_dim). 여기서 head_dim = d_model // num_heads입니다.

    Raises:
    # ko: 예외:
        ValueError: num_heads does not divide d_model. The text names both and their values.
        # ko: ValueError: d_model이 num_heads로 나누어떨어지지 않을 때. 오류 메시지에 두 이름과 값을 적습니다.
    """
    ### BEGIN SOLUTION
    batch, seq_len, d_model = keras.ops.shape(x)
    if d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
    x = keras.ops.reshape(x, (batch, seq_len, num_heads, d_model // num_heads))
    return keras.ops.transpose(x, (0, 2, 1, 3))
    ### END SOLUTION


# %% grade="split-heads" points=3
@checking("split_heads")
def _check(check):
    tokens = np.arange(12.0).reshape(1, 3, 4)
    halves = split_heads(tokens, 2)
    check.shape(halves, (1, 2, 3, 2), "(batch, num_heads, seq_len, head_dim)")
    check.close(
        halves,
        [[[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]]],
        "two heads of three tokens",
        # ko: "토큰 3개를 나눈 헤드 2개",
        hints={
            "the shape is right, but a reshape alone goes through the numbers in order, "
            # ko: "모양은 맞지만, reshape만 하면 수를 차례대로 읽으므로 "
            "so head 0 got all of token 0 and half of token 1. "
            # ko: "헤드 0이 토큰 0의 전부와 토큰 1의 절반을 가져갑니다. "
            "Cut up the features first, then swap two axes.": tokens.reshape(1, 2, 3, 2),
            # ko: "먼저 특징을 자르고 나서 두 축을 바꾸세요.": tokens.reshape(1, 2, 3, 2),
            "each head got every second feature. A head's features are neighbours: "
            # ko: "헤드마다 특징을 하나씩 건너뛰며 가져갔습니다. 한 헤드의 특징은 서로 이웃합니다. "
            "in (…, num_heads, head_dim) the heads come first.": [[[[0, 2], [4, 6], [8, 10]], [[1, 3], [5, 7], [9, 11]]]],
            # ko: "(…, num_heads, head_dim)에서는 헤드가 먼저입니다.": [[[[0, 2], [4, 6], [8, 10]], [[1, 3], [5, 7], [9, 11]]]],
        },
    )
    two_sequences = 100.0 * np.arange(2)[:, None, None] + 10.0 * np.arange(5)[:, None] + np.arange(6)
    thirds = split_heads(two_sequences, 3)
    check.shape(thirds, (2, 3, 5, 2), "three heads of two sequences of five tokens")
    # ko: check.shape(thirds, (2, 3, 5, 2), "토큰 5개짜리 시퀀스 둘을 나눈 헤드 셋")
    for sequence, head in ((1, 2), (0, 1), (1, 0)):
        features = 100 * sequence + 10 * np.arange(5)[:, None] + [2 * head, 2 * head + 1]
        check.close(to_numpy(thirds)[sequence, head], features, f"head {head} of sequence {sequence}")
        # ko: check.close(to_numpy(thirds)[sequence, head], features, f"시퀀스 {sequence}의 헤드 {head}")
    check.raises_value_error(split_heads, np.zeros((1, 5, 4)), 3, naming=("num_heads", 3, "d_model", 4))
_check

# %% [markdown]
# > **Does this hold?** *"To split the heads, reshape `(batch, seq_len, d_model)` to `(batch, num_heads, seq_len,
# > head_dim)`."* A great deal of published code does just that. It runs, the shape is right, even a model trained
# > with it learns.
# >
# > The next cell colours every number by the **token** it belongs to, above with your split, below with a reshape alone. Before you run it: 4 tokens
# > of 6 features, 2 heads. Which tokens will head 0 see after a reshape alone?
#
# <!-- ko -->
# > **정말 그럴까?** *"헤드로 나누려면 `(batch, seq_len, d_model)`을 `(batch, num_heads, seq_len, head_dim)`으로
# > reshape하면 된다."* 공개된 코드의 상당수가 바로 이렇게 합니다. 실행되고, 모양도 맞고, 이렇게
# > 학습(training)한 모델(model)도 무언가를 배우기는 합니다.
# >
# > 다음 셀은 각 수를 그 수가 속한 **토큰**의 색으로 칠합니다. 위는 여러분의 함수로 나눈 결과, 아래는 reshape만 한 결과입니다. 실행하기 전에 생각해
# > 보세요. 특징이 6개인 토큰 4개를 헤드 2개로 나눕니다. reshape만 하면 헤드 0은 어느 토큰을 보게 될까요?

# %%
@demonstrate
def _demo():
    def show_tokens(ax, numbers, title):
        """Draw numbers `token.feature` (rows, columns), coloured by token."""
        # ko: """수 `토큰.특징`의 표 (행, 열)를 토큰마다 다른 색으로 그립니다."""
        ax.imshow(np.floor(numbers), cmap="Set2", vmin=0, vmax=7)
        for (row, column), number in np.ndenumerate(numbers):
            ax.text(column, row, f"{number:.1f}", ha="center", va="center", fontsize=9)
        ax.set(xticks=range(numbers.shape[1]), yticks=range(numbers.shape[0]))
        ax.set(title=title, xlabel="feature", ylabel="row")
        # ko: ax.set(title=title, xlabel="특징 (feature)", ylabel="행 (row)")

    sentence = np.arange(4.0)[:, None] + np.arange(6) / 10  # number 2.5 is feature 5 of token 2
    # ko: sentence = np.arange(4.0)[:, None] + np.arange(6) / 10  # 2.5는 토큰 2의 특징 5
    dealt = to_numpy(split_heads(sentence[None], 2))[0]
    only_reshaped = sentence.reshape(2, 4, 3)

    figure, axes = plt.subplots(2, 3, figsize=(9, 5.2), width_ratios=(2, 1, 1), layout="constrained")
    show_tokens(axes[0, 0], sentence, "x: token.feature")
    # ko: show_tokens(axes[0, 0], sentence, "x: 토큰.특징 (token.feature)")
    show_tokens(axes[1, 0], sentence, "x: token.feature")
    # ko: show_tokens(axes[1, 0], sentence, "x: 토큰.특징 (token.feature)")
    for head in range(2):
        show_tokens(axes[0, 1 + head], dealt[head], f"split_heads: head {head}")
        # ko: show_tokens(axes[0, 1 + head], dealt[head], f"split_heads: 헤드 {head}")
        show_tokens(axes[1, 1 + head], only_reshaped[head], f"reshape alone: head {head}")
        # ko: show_tokens(axes[1, 1 + head], only_reshaped[head], f"reshape만: 헤드 {head}")
    figure.suptitle("Which numbers end up in which head? One colour a token")
    # ko: figure.suptitle("어느 수가 어느 헤드(head)로 가는가? 토큰(token)마다 한 색")
    plt.show()

# %% [markdown]
# > **What is right.** A reshape never moves a number: it reads them in order and cuts the row anew. In a real split every head sees every token,
# > one a row. After a reshape alone the first head sees only the first tokens: rows are pieces of tokens, and "attending to position
# > 2" means something else in each head. A look-ahead mask, which hides later tokens, then hides the wrong things.
#
# > **Does this hold?** *"Use 5 heads with 128 features"*, the default of a class that has been copied many times. What does your function make of it?
#
# <!-- ko -->
# > **맞는 설명.** reshape는 수를 옮기지 않습니다. 수를 차례대로 읽어 행을 새로 자를 뿐입니다. 제대로 나누면 모든 헤드가 모든 토큰을 한 행에 하나씩
# > 봅니다. reshape만 하면 첫 헤드는 앞쪽 토큰만 봅니다. 행은 토큰의 조각이 되고, "위치 2를 본다"는 말의 뜻이 헤드마다 달라집니다. 그러면
# > 룩어헤드 마스크(look-ahead mask, 뒤의 토큰을 가리는 마스크)는 엉뚱한 곳을 가립니다.
#
# > **정말 그럴까?** *"특징 128개에 헤드 5개를 쓴다."* 널리 복사되어 쓰이는 어느 클래스의 기본값입니다. 여러분의 함수는 뭐라고 할까요?

# %%
@demonstrate
def _demo():
    try:
        shape = np.shape(split_heads(np.zeros((1, 2, 128)), 5))
        print(f"No error: the heads have the shape {shape}. How many of the 128 features are there still?")
        # ko: print(f"오류가 없습니다. 헤드의 모양은 {shape}입니다. 특징 128개 가운데 몇 개가 남았나요?")
    except ValueError as error:
        print("ValueError:", error)

# %% [markdown]
# > **What is right.** 128 / 5 = 25.6: there is no such split, and your function says so at once, in words. Without the check, code that writes
# > `head_dim = d_model // num_heads` gets 25, and either loses 3 features without a word or fails in some reshape that doesn't say why.
#
# ## Task 2: merge the heads (2 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# The way back. Undo the two steps of the split in the opposite order: bring the heads back beside their features, then
# join them.
#
# | | shape |
# |---|---|
# | x | (batch, num_heads, seq_len, head_dim) |
# | heads beside their features | (batch, seq_len, num_heads, head_dim) |
# | joined | (batch, seq_len, d_model) with d_model = num_heads · head_dim |
#
# Again a reshape alone would have the right shape and the wrong numbers in it.
#
# <details><summary>Hint 1: In which order?</summary>
#
# Backwards: what was done last is undone first. Swapping axes 1 and 2 is undone by swapping them once more. Only then are a token's
# heads neighbours, and the reshape may join them.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** 128 / 5 = 25.6이므로 그렇게 나눌 수는 없습니다. 여러분의 함수는 그 사실을 곧바로 문장으로 알려 줍니다. 이 검사가 없으면
# > `head_dim = d_model // num_heads`라고 쓴 코드는 25를 얻고, 특징 3개를 잃거나 곧이어 reshape에서 까닭을 알 수 없는
# > 오류를 냅니다.
#
# ## 과제 2: 헤드 합치기 (2점)
#
# *난이도 1/5, 10분쯤.*
#
# 돌아오는 길입니다. 나눌 때의 두 단계를 거꾸로 되돌립니다. 헤드 축을 다시 특징 축 바로 앞으로 옮긴 다음 이어 붙입니다.
#
# | | 모양 |
# |---|---|
# | x | (batch, num_heads, seq_len, head_dim) |
# | 헤드 축을 특징 축 바로 앞으로 | (batch, seq_len, num_heads, head_dim) |
# | 이어 붙이면 | (batch, seq_len, d_model), d_model = num_heads · head_dim |
#
# 이번에도 reshape만 하면 모양은 맞지만 들어 있는 수가 틀립니다.
#
# <details><summary>힌트 1: 어떤 순서로 되돌릴까요?</summary>
#
# 거꾸로 합니다. 마지막에 한 일을 먼저 되돌리세요. 축 1과 2를 맞바꾸었으면 한 번 더 맞바꾸면 됩니다. 그래야 한 토큰의 헤드들이
# 이웃하고, reshape로 이어 붙일 수 있습니다.
#
# </details>


# %% task="merge-heads"
def merge_heads(x):
    """
    Put the heads of every token side by side again: the inverse of `split_heads`.
    # ko: 모든 토큰의 헤드를 다시 나란히 놓습니다. `split_heads`의 역연산입니다.

    Args:
    # ko: 인수:
        x: (batch, num_heads, seq_len, head_dim).

    Returns:
    # ko: 반환값:
        (batch, seq_len, num_heads * head_dim).
    """
    ### BEGIN SOLUTION
    batch, num_heads, seq_len, head_dim = keras.ops.shape(x)
    x = keras.ops.transpose(x, (0, 2, 1, 3))
    return keras.ops.reshape(x, (batch, seq_len, num_heads * head_dim))
    ### END SOLUTION


# %% grade="merge-heads" points=2
@checking("merge_heads")
def _check(check):
    two_heads = np.array([[[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]]], dtype=float)
    merged = merge_heads(two_heads)
    check.shape(merged, (1, 3, 4), "(batch, seq_len, d_model)")
    check.close(
        merged,
        np.arange(12.0).reshape(1, 3, 4),
        "two heads of three tokens, merged",
        # ko: "토큰 3개의 헤드 2개를 합친 것",
        hints={
            "the shape is right, but a reshape alone puts two tokens of head 0 into one row. Bring the heads back beside "
            # ko: "모양은 맞지만, reshape만 하면 헤드 0의 두 토큰이 한 행에 들어갑니다. "
            "their features first.": two_heads.reshape(1, 3, 4),
            # ko: "먼저 헤드 축을 특징 축 바로 앞으로 옮기세요.": two_heads.reshape(1, 3, 4),
            "the features of the heads alternate. Each head's features stay together: the heads' axis comes before "
            # ko: "헤드들의 특징이 번갈아 놓였습니다. 한 헤드의 특징은 모여 있어야 합니다. "
            "head_dim.": [[[0, 2, 1, 3], [4, 6, 5, 7], [8, 10, 9, 11]]],
            # ko: "헤드의 축이 head_dim 앞에 옵니다.": [[[0, 2, 1, 3], [4, 6, 5, 7], [8, 10, 9, 11]]],
        },
    )
    of_five = merge_heads(np.arange(2 * 3 * 5 * 2.0).reshape(2, 3, 5, 2))
    check.shape(of_five, (2, 5, 6), "(batch, seq_len, d_model) of 2 sequences of 5 tokens, 3 heads of 2 features,")
    # ko: check.shape(of_five, (2, 5, 6), "토큰 5개짜리 시퀀스 2개, 너비 2인 헤드 3개를 합친 (batch, seq_len, d_model)")
    for sequence, token in ((1, 4), (0, 1), (1, 0)):
        features = 30 * sequence + 2 * token + np.array([0, 1, 10, 11, 20, 21])
        check.close(to_numpy(of_five)[sequence, token], features, f"token {token} of sequence {sequence}, of three heads")
        # ko: check.close(to_numpy(of_five)[sequence, token], features, f"헤드 3개를 합친 시퀀스 {sequence}의 토큰 {token}")
_check

# %%
# There and back again, with every number of heads that divides 12.
# ko: # 12의 약수인 모든 헤드 수로 나누었다가 다시 합치기
@demonstrate
def _demo():
    features = np.random.default_rng(0).normal(size=(2, 5, 12)).astype("float32")
    for heads in (1, 2, 3, 4, 6, 12):
        back = to_numpy(merge_heads(split_heads(features, heads)))
        print(f"{heads:2d} heads of {12 // heads:2d}: unchanged = {np.array_equal(back, features)}")
        # ko: print(f"너비가 {12 // heads:2d}인 헤드 {heads:2d}개: 그대로인가 = {np.array_equal(back, features)}")

# %% [markdown]
# ## Task 3: attend with every head (4 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# Now the pieces come together. For each head $h$, with $Q_h, K_h, V_h$ its slices,
#
# $$A_h = \mathrm{softmax}\!\left(\frac{Q_h K_h^\top}{\sqrt{\text{head\_dim}}}\right), \qquad
# \text{output} = \mathrm{Concat}(A_0 V_0, \dots, A_{H-1} V_{H-1}).$$
#
# | | shape |
# |---|---|
# | query, key | (batch, query_len, d_model), (batch, key_len, d_model) |
# | value | (batch, key_len, value_dim): its width is its own, but the heads must divide it too |
# | weights | (batch, num_heads, query_len, key_len) |
# | output | (batch, query_len, value_dim) |
#
# No loop over heads is needed: with the heads as a leading dimension, matrix products run over all of them.
#
# **An example** has two heads, each of two features in Q and K and of one column of V:
#
# $$Q = \begin{bmatrix} 0&0&10&10\\ 0&10&0&0\\ 10&10&0&0 \end{bmatrix}\quad
# K = \begin{bmatrix} 10&0&0&0\\ 0&10&0&10\\ 0&0&10&0\\ 0&0&10&0 \end{bmatrix}\quad
# V = \begin{bmatrix} 1&0\\ 10&0\\ 100&5\\ 1000&6 \end{bmatrix}$$
#
# Take query 0. In head 0 it is $(0, 0)$: every dot product is 0, every key gets ¼, and the output is the plain mean
# $(1 + 10 + 100 + 1000) / 4 = 277.75$. In head 1 it is $(10, 10)$: its dot product with keys 1, 2 and 3 is 100, with
# key 0 it is 0, so the three share the weight and the output is $(0 + 5 + 6) / 3 = 3.667$. One query, two answers: that
# is what heads are for.
#
# **The mask** arrives in one of these shapes; all of them have to reach *every* head:
#
# | mask | meaning |
# |---|---|
# | (query_len, key_len) | the same for all sequences, e.g. look-ahead: later tokens are hidden |
# | (batch, 1, 1, key_len) | hidden keys of each sequence, e.g. padding: what only fills up a batch is hidden |
# | (batch, 1, query_len, key_len) | both together |
#
# <details><summary>Hint 1: What do you have already?</summary>
#
# `split_heads` for query, key and value, `scaled_dot_product_attention` for all heads at once (the heads are one more leading
# dimension), `merge_heads` for the output. The weights keep their axis of heads.
#
# </details>
#
# <details><summary>Hint 2: Does the mask need another shape?</summary>
#
# No: counted from the back, (query_len, key_len), (batch, 1, 1, key_len) and (batch, 1, query_len, key_len) all broadcast to (batch,
# num_heads, query_len, key_len). Hand it on as it is.
#
# </details>
#
# <!-- ko -->
# ## 과제 3: 모든 헤드로 어텐션 계산하기 (4점)
#
# *난이도 1/5, 10분쯤.*
#
# 이제 조각들을 모읍니다. 헤드 $h$마다 그 헤드의 조각을 $Q_h, K_h, V_h$라고 하면
#
# $$A_h = \mathrm{softmax}\!\left(\frac{Q_h K_h^\top}{\sqrt{\text{head\_dim}}}\right), \qquad
# \text{output} = \mathrm{Concat}(A_0 V_0, \dots, A_{H-1} V_{H-1})$$
#
# 입니다.
#
# | | 모양 |
# |---|---|
# | 쿼리, 키 | (batch, query_len, d_model), (batch, key_len, d_model) |
# | 값 | (batch, key_len, value_dim): 너비가 달라도 되지만, 역시 헤드 수로 나누어떨어져야 한다 |
# | 가중치 | (batch, num_heads, query_len, key_len) |
# | 출력 | (batch, query_len, value_dim) |
#
# 헤드를 도는 반복문은 필요 없습니다. 헤드가 앞쪽 차원이면 행렬 곱이 모든 헤드에서 한꺼번에 이루어집니다.
#
# **예.** 헤드가 두 개이고, 헤드마다 Q와 K에서는 특징이 두 개, V에서는 열 하나가 있습니다.
#
# $$Q = \begin{bmatrix} 0&0&10&10\\ 0&10&0&0\\ 10&10&0&0 \end{bmatrix}\quad
# K = \begin{bmatrix} 10&0&0&0\\ 0&10&0&10\\ 0&0&10&0\\ 0&0&10&0 \end{bmatrix}\quad
# V = \begin{bmatrix} 1&0\\ 10&0\\ 100&5\\ 1000&6 \end{bmatrix}$$
#
# 쿼리 0을 봅시다. 헤드 0에서는 $(0, 0)$입니다. 내적이 모두 0이어서 모든 키가 ¼씩 받으므로, 출력은 단순한 평균
# $(1 + 10 + 100 + 1000) / 4 = 277.75$입니다. 헤드 1에서는 $(10, 10)$입니다. 키 1, 2, 3과의 내적은 100, 키 0과의
# 내적은 0이므로 이 셋이 가중치를 나누어 갖고, 출력은 $(0 + 5 + 6) / 3 = 3.667$입니다. 쿼리는 하나인데 답은 둘입니다.
# 헤드를 여러 개 두는 까닭이 이것입니다.
#
# **마스크**의 모양은 여러 가지이지만 모두 가중치의 모양으로 브로드캐스트됩니다. 예를 들면 다음과 같습니다. 어느 것이든 *모든* 헤드에 적용되어야 합니다.
#
# | 마스크 | 뜻 |
# |---|---|
# | (query_len, key_len) | 모든 시퀀스에 같은 마스크. 예: 뒤의 토큰을 가리는 룩어헤드 마스크 |
# | (batch, 1, 1, key_len) | 시퀀스마다 가릴 키. 예: 길이를 맞추려고 채운 자리를 가리는 패딩 마스크(padding mask) |
# | (batch, 1, query_len, key_len) | 둘을 함께 |
#
# <details><summary>힌트 1: 이미 있는 함수는?</summary>
#
# query, key, value에는 `split_heads`, 모든 헤드의 어텐션에는 `scaled_dot_product_attention`(헤드는 앞쪽 차원이 하나 더 있는
# 셈입니다), 출력에는 `merge_heads`를 쓰세요. 가중치는 헤드의 축을 그대로 둡니다.
#
# </details>
#
# <details><summary>힌트 2: 마스크의 모양을 바꾸어야 할까요?</summary>
#
# 아닙니다. 뒤에서부터 맞춰 보면 (query_len, key_len), (batch, 1, 1, key_len), (batch, 1, query_len, key_len) 모두 (batch, num_heads,
# query_len, key_len)으로 브로드캐스트됩니다. 받은 그대로 넘기세요.
#
# </details>


# %% task="multi-head" builds_on="carry-over split-heads merge-heads"
def multi_head_attention(query, key, value, num_heads, mask=None):
    """
    Attend with `num_heads` heads side by side, without projections.
    # ko: 나란한 헤드 `num_heads`개로 어텐션을 계산합니다. 투영은 없습니다.

    You may use `split_heads`, `merge_heads` and `scaled_dot_product_attention` from above.
    # ko: 위의 `split_heads`, `merge_heads`, `scaled_dot_product_attention`을 써도 됩니다.

    Args:
    # ko: 인수:
        query: (batch, query_len, d_model).
        key: (batch, key_len, d_model).
        value: (batch, key_len, value_dim).
        num_heads: number of heads; divides d_model and value_dim.
        # ko: num_heads: 헤드의 수. d_model과 value_dim은 이 수로 나누어떨어집니다.
        mask: broadcasts to the weights; 1 hides, 0 keeps. For example (query_len, key_len), (batch, 1, 1, key_len) or
        # ko: mask: 가중치의 모양으로 브로드캐스트됩니다. 1은 가리고 0은 남깁니다. 예: (query_len, key_len),
            (batch, 1, query_len, key_len).
            # ko: (batch, 1, 1, key_len), (batch, 1, query_len, key_len) 모양.

    Returns:
    # ko: 반환값:
        output (batch, query_len, value_dim), weights (batch, num_heads, query_len, key_len).
        # ko: 출력 (batch, query_len, value_dim), 가중치 (batch, num_heads, query_len, key_len).
    """
    ### BEGIN SOLUTION
    ops = keras.ops

    def heads(x):
        batch, seq_len, width = ops.shape(x)
        return ops.transpose(ops.reshape(x, (batch, seq_len, num_heads, width // num_heads)), (0, 2, 1, 3))

    query, key, value = heads(query), heads(key), heads(value)
    # (batch, num_heads, query_len, key_len)
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
    weights = ops.softmax(scores, axis=-1)
    # (batch, num_heads, query_len, width of a head's values) -> (batch, query_len, value_dim)
    attended = ops.transpose(ops.matmul(weights, value), (0, 2, 1, 3))
    batch, query_len, _, head_value_dim = ops.shape(attended)
    return ops.reshape(attended, (batch, query_len, num_heads * head_value_dim)), weights
    ### END SOLUTION


# %% grade="multi-head" points=4
@checking("multi_head_attention")
def _check(check):
    query = np.array([[[0, 0, 10, 10], [0, 10, 0, 0], [10, 10, 0, 0]]], dtype="float32")
    key = np.array([[[10, 0, 0, 0], [0, 10, 0, 10], [0, 0, 10, 0], [0, 0, 10, 0]]], dtype="float32")
    value = np.array([[[1, 0], [10, 0], [100, 5], [1000, 6]]], dtype="float32")
    returned = multi_head_attention(query, key, value, 2)
    is_pair = isinstance(returned, (tuple, list)) and len(returned) == 2
    check.true(is_pair, "a pair (output, weights)", "it should return two arrays, (output, weights).")
    # ko: check.true(is_pair, "(출력, 가중치)의 쌍", "배열 두 개 (출력, 가중치)를 돌려주어야 합니다.")
    output, weights = returned
    check.shape(weights, (1, 2, 3, 4), "(batch, num_heads, query_len, key_len) of the weights")
    # ko: check.shape(weights, (1, 2, 3, 4), "가중치 (batch, num_heads, query_len, key_len)")
    check.shape(output, (1, 3, 2), "the output (batch, query_len, value_dim)")
    # ko: check.shape(output, (1, 3, 2), "출력 (batch, query_len, value_dim)")
    check.true(
        np.isnan(to_numpy(weights)).any() or np.allclose(to_numpy(weights).sum(axis=-1), 1, atol=1e-4),
        "the weights of each query sum to 1",
        # ko: "쿼리마다 가중치의 합은 1",
        "the weights of a query should sum to 1 over the keys, the last axis. Is there a softmax, and along which axis?",
        # ko: "한 쿼리의 가중치를 마지막 축인 키를 따라 더하면 1이어야 합니다. 소프트맥스를 계산했나요? 어느 축으로 계산했나요?",
    )
    quarter = [0.25, 0.25, 0.25, 0.25]
    first_head, second_head = [quarter, [0, 1, 0, 0], [0.5, 0.5, 0, 0]], [[0, 1 / 3, 1 / 3, 1 / 3], quarter, quarter]
    check.close(weights, [[first_head, second_head]], "the weights of the example")
    # ko: check.close(weights, [[first_head, second_head]], "예시의 가중치")
    columns = np.array([[277.75, 10, 5.5], [11 / 3, 2.75, 2.75]])
    check.close(
        output,
        [columns.T],
        "the output of the example",
        # ko: "예시의 출력",
        hints={
            "the heads were merged by a reshape alone: each row mixes queries of one head.": [columns.reshape(3, 2)],
            # ko: "reshape만으로 헤드를 합쳤습니다. 한 헤드의 여러 쿼리가 한 행에 섞입니다.": [columns.reshape(3, 2)],
        },
        otherwise="Are the values split and the heads merged as in tasks 1 and 2? A head's values are value_dim // num_heads wide.",
        # ko: otherwise="과제 1과 2에서처럼 값을 나누고 헤드를 합쳤나요? 한 헤드의 값의 너비는 value_dim // num_heads입니다.",
    )
    of_wide = np.array([[[6, 7, 10, 11], [4, 5, 8, 9], [2, 3, 8, 9]]])
    check.close(
        multi_head_attention(query, key, np.arange(16, dtype="float32").reshape(1, 4, 4), 2)[0],
        of_wide,
        "the output for values of four features",
        # ko: "특징이 4개인 값의 출력",
        hints={
            "the features of the heads alternate. In the output each head's features stay together.": of_wide[..., [0, 2, 1, 3]],
            # ko: "헤드들의 특징이 번갈아 놓였습니다. 출력에서 한 헤드의 특징은 모여 있어야 합니다.": of_wide[..., [0, 2, 1, 3]],
            "each head got every second feature of the values. A head's features are neighbours.": of_wide + [0, 1, -1, 0],
            # ko: "헤드마다 값의 특징을 하나씩 건너뛰며 가져갔습니다. 한 헤드의 특징은 서로 이웃합니다.": of_wide + [0, 1, -1, 0],
        },
        otherwise="Are the values split and the heads merged as in tasks 1 and 2?",
        # ko: otherwise="과제 1과 2에서처럼 값을 나누고 헤드를 합쳤나요?",
    )
    # two heads of three features, scores small enough to see the scale: before it, a head scores 2 against 0
    # ko: # 특징이 3개인 헤드 2개. 점수가 작아서 스케일링이 드러납니다. 나누기 전에는 헤드마다 점수가 2와 0입니다.
    small_query = np.array([[[1, 1, 0, 2, 0, 0]]], dtype="float32")
    small_key = np.array([[[1, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0]]], dtype="float32")
    _, small_weights = multi_head_attention(small_query, small_key, np.ones((1, 2, 2), dtype="float32"), 2)

    def pair(score):
        share = 1 / (1 + np.exp(-score))
        return [[[[share, 1 - share]], [[1 - share, share]]]]

    check.close(
        small_weights,
        pair(2 / np.sqrt(3)),
        "weights of small scores",
        # ko: "작은 점수의 가중치",
        hints={
            "the scores were divided by the root of d_model. "
            # ko: "점수를 d_model의 제곱근으로 나누었습니다. "
            "Each head's dot product has head_dim terms.": pair(2 / np.sqrt(6)),
            # ko: "한 헤드의 내적은 항이 head_dim개입니다.": pair(2 / np.sqrt(6)),
            "the scores were not divided by the root of head_dim.": pair(2),
            # ko: "점수를 head_dim의 제곱근으로 나누지 않았습니다.": pair(2),
            "the scores were divided by head_dim, not by its root. Or by that root twice? `attention_scores` divides already.": pair(2 / 3),
            # ko: "점수를 head_dim의 제곱근이 아니라 head_dim으로 나누었습니다. 제곱근으로 두 번 나누지는 않았나요? `attention_scores`가 이미 나눕니다.": pair(2 / 3),
            "both keys got the same weight. Is something hidden although there is no mask?": pair(0),
            # ko: "두 키의 가중치가 같습니다. 마스크가 없는데도 무언가를 가리지 않나요?": pair(0),
        },
        otherwise="By what are the scores divided? It should be the root of head_dim, which is 3 here.",
        # ko: otherwise="점수를 무엇으로 나누었나요? head_dim의 제곱근으로 나누어야 하고, 여기서 head_dim은 3입니다.",
    )
    hide_last = np.array([0, 0, 0, 1], dtype="float32").reshape(1, 1, 1, 4)
    third, half = [1 / 3, 1 / 3, 1 / 3, 0], [0, 0.5, 0.5, 0]
    hidden = [[[third, [0, 1, 0, 0], [0.5, 0.5, 0, 0]], [half, third, third]]]
    free = np.array([[first_head, second_head]])
    wrong = {
        "the mask has no effect.": free,
        # ko: "마스크가 아무 효과도 내지 않습니다.": free,
        "only the hidden key is left: here 1 hides and 0 keeps.": np.ones_like(free) * hide_last,
        # ko: "가려야 할 키만 남았습니다. 여기서 1은 가리고 0은 남깁니다.": np.ones_like(free) * hide_last,
        "the mask was multiplied in after the softmax, so the rows no longer sum to 1.": (1 - hide_last) * free,
        # ko: "소프트맥스 뒤에 마스크를 곱해서 행의 합이 1이 아니게 되었습니다.": (1 - hide_last) * free,
        "the hidden key got the score 0, and a score of 0 still gets weight: a hidden score has to be very negative.": [[first_head, [half, quarter, quarter]]],
        # ko: "가려진 키의 점수가 0이 되었는데, 점수가 0이어도 가중치를 받습니다. 가릴 점수는 아주 큰 음수여야 합니다.": [[first_head, [half, quarter, quarter]]],
    }
    when = "Does the mask work before the softmax, and is a hidden score very negative?"
    # ko: when = "마스크를 소프트맥스보다 먼저 쓰나요? 가려진 점수는 아주 큰 음수인가요?"
    for mask, words in ((hide_last, "(batch, 1, 1, key_len)"), (np.repeat(hide_last[0, 0], 3, axis=0), "(query_len, key_len)")):
        masked_output, masked = multi_head_attention(query, key, value, 2, mask=mask)
        check.close(masked, hidden, f"weights under a mask {words}", hints=wrong, otherwise=when)
        # ko: check.close(masked, hidden, f"마스크 {words}을 쓴 가중치", hints=wrong, otherwise=when)
        check.close(
            masked_output,
            [[[37, 2.5], [10, 5 / 3], [5.5, 5 / 3]]],
            f"output under a mask {words}",
            # ko: f"마스크 {words}을 쓴 출력",
            hints={"it was made from the weights before the mask.": [columns.T]},
            # ko: hints={"마스크를 쓰기 전의 가중치로 만들었습니다.": [columns.T]},
        )
    first, two = [1, 0, 0, 0], [0.5, 0.5, 0, 0]
    check.close(
        multi_head_attention(query, key, value, 2, mask=np.triu(np.ones((3, 4), dtype="float32"), k=1))[1],
        [[[first, [0, 1, 0, 0], two], [first, two, third]]],
        "weights under a mask (query_len, key_len) that hides other keys from each query",
        # ko: "쿼리마다 다른 키를 가리는 마스크 (query_len, key_len)을 쓴 가중치",
        otherwise="Does every query get its own row of the mask?",
        # ko: otherwise="쿼리마다 마스크에서 그 쿼리의 행을 쓰나요?",
    )
    twice = [np.repeat(x, 2, axis=0) for x in (query, key, value)]
    of_each = np.stack([np.repeat(hide_last[0], 3, axis=1), np.zeros((1, 3, 4), dtype="float32")])
    check.close(
        multi_head_attention(*twice, 2, mask=of_each)[1],
        np.concatenate([hidden, free]),
        "weights of two sequences, each under its own mask (batch, 1, query_len, key_len)",
        # ko: "시퀀스 둘에 각자의 마스크 (batch, 1, query_len, key_len)을 쓴 가중치",
        hints={
            "the first sequence's mask hides keys of the second one.": np.concatenate([hidden, hidden]),
            # ko: "첫째 시퀀스의 마스크가 둘째 시퀀스의 키까지 가립니다.": np.concatenate([hidden, hidden]),
            "the masks have no effect.": np.concatenate([free, free]),
            # ko: "마스크가 아무 효과도 내지 않습니다.": np.concatenate([free, free]),
            "the masks of the sequences were used for the heads: keep the mask's axis of length 1.": [[hidden[0][0], second_head]] * 2,
            # ko: "시퀀스의 마스크가 헤드의 마스크로 쓰였습니다. 마스크의 길이 1인 축을 그대로 두세요.": [[hidden[0][0], second_head]] * 2,
        },
    )
_check

# %%
# One picture per head: the example.
# ko: # 헤드마다 그림 하나: 위의 예
@demonstrate
def _demo():
    example_query = np.array([[[0, 0, 10, 10], [0, 10, 0, 0], [10, 10, 0, 0]]], dtype="float32")
    example_key = np.array([[[10, 0, 0, 0], [0, 10, 0, 10], [0, 0, 10, 0], [0, 0, 10, 0]]], dtype="float32")
    example_value = np.array([[[1, 0], [10, 0], [100, 5], [1000, 6]]], dtype="float32")
    example_output, example_weights = map(to_numpy, multi_head_attention(example_query, example_key, example_value, 2))
    print("weights", example_weights[0].shape, "output", example_output[0].shape)
    # ko: print("가중치", example_weights[0].shape, "출력", example_output[0].shape)
    print(example_output[0])

    figure, axes = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
    for head, ax in enumerate(axes):
        image = show_weights(ax, example_weights[0, head], f"head {head}")
        # ko: image = show_weights(ax, example_weights[0, head], f"헤드 (head) {head}")
    figure.colorbar(image, ax=axes, label="attention weight")
    # ko: figure.colorbar(image, ax=axes, label="어텐션 가중치 (weight)")
    figure.suptitle("The same queries look at different keys in each head")
    # ko: figure.suptitle("같은 쿼리(query)가 헤드마다 다른 키(key)를 본다")
    plt.show()


# %%
# Every row of the table above, with your own functions.
# ko: # '모양으로 보는 전체 과정' 표의 모든 행을 여러분의 함수를 써서 출력합니다.
@demonstrate
def _demo():
    def print_shapes(batch, query_len, key_len, d_model, num_heads):
        """Walk through multi-head attention on zeros and print each tensor's shape."""
        # ko: """0으로 채운 입력으로 멀티 헤드 어텐션의 단계를 따라가며 텐서마다 모양을 출력합니다."""
        projection = np.zeros((d_model, d_model), dtype="float32")
        x_query, x_memory = (np.zeros((batch, n, d_model), dtype="float32") for n in (query_len, key_len))
        projected = [x @ projection for x in (x_query, x_memory, x_memory)]
        print(f"1 project          query {projected[0].shape}  key {projected[1].shape}  value {projected[2].shape}")
        # ko: print(f"1 투영            쿼리 {projected[0].shape}  키 {projected[1].shape}  값 {projected[2].shape}")
        split = [to_numpy(split_heads(x, num_heads)) for x in projected]
        print(f"2 split            query {split[0].shape}  key {split[1].shape}  value {split[2].shape}")
        # ko: print(f"2 나누기          쿼리 {split[0].shape}  키 {split[1].shape}  값 {split[2].shape}")
        scores = to_numpy(attention_scores(split[0], split[1]))
        print(f"3 scores           {scores.shape}")
        # ko: print(f"3 점수            {scores.shape}")
        padding_mask = np.zeros((batch, 1, 1, key_len), dtype="float32")
        mask_shape = np.broadcast_shapes(padding_mask.shape, scores.shape)
        print(f"4 mask             {padding_mask.shape} broadcasts to {mask_shape}")
        # ko: print(f"4 마스크          {padding_mask.shape}, 브로드캐스트하면 {mask_shape}")
        shares = to_numpy(softmax(scores - 1e9 * padding_mask))
        print(f"5 weights          {shares.shape}")
        # ko: print(f"5 가중치          {shares.shape}")
        attended = shares @ split[2]
        print(f"6 weighted values  {attended.shape}")
        # ko: print(f"6 가중 평균한 값  {attended.shape}")
        joined = to_numpy(merge_heads(attended))
        print(f"7 merge            {joined.shape}")
        # ko: print(f"7 합치기          {joined.shape}")
        print(f"8 project          {(joined @ projection).shape}")
        # ko: print(f"8 투영            {(joined @ projection).shape}")

    print_shapes(batch=128, query_len=32, key_len=32, d_model=200, num_heads=5)
    print("\nqueries from one sequence, keys and values from a longer one:")
    # ko: print("\n쿼리는 한 시퀀스에서, 키와 값은 더 긴 시퀀스에서 올 때:")
    print_shapes(batch=2, query_len=5, key_len=7, d_model=12, num_heads=3)

# %% [markdown]
# > **Does this hold?** *"The scores are divided by the root of the feature dimension, $\sqrt{d_{model}}$"*, also after the split into heads.
# >
# > The cell takes 8 heads of 8 features and divides by $\sqrt{\text{head\_dim}}$ and by $\sqrt{d_{model}}$. By which factor do the scores differ, and
# > in which of the two pictures will the weights be flatter?
#
# <!-- ko -->
# > **정말 그럴까?** *"점수는 특징 차원의 제곱근 $\sqrt{d_{model}}$로 나눈다."* 헤드로 나눈 뒤에도 그럴까요?
# >
# > 아래 셀은 특징이 8개인 헤드 8개의 점수를 $\sqrt{\text{head\_dim}}$으로도, $\sqrt{d_{model}}$로도 나눕니다. 점수는 몇 배나 다를까요? 두 그림 가운데
# > 어느 쪽의 가중치가 더 고르게 퍼질까요?

# %%
@demonstrate
def _demo():
    rng = np.random.default_rng(3)
    wide_query, wide_key = rng.normal(size=(2, 4, 12, 64)).astype("float32")
    _, right = multi_head_attention(wide_query, wide_key, wide_key, 8)
    # a factor on the query is a factor on its scores: sqrt(d_model) in place of sqrt(head_dim)
    # ko: # 쿼리를 나누면 점수도 그만큼 나누어집니다: sqrt(head_dim) 대신 sqrt(d_model)로 나눈 셈입니다.
    _, flat = multi_head_attention(wide_query / 8**0.5, wide_key, wide_key, 8)
    right, flat = to_numpy(right), to_numpy(flat)

    figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
    for ax, some_weights, label in ((axes[0], right, r"$\sqrt{head\_dim}$"), (axes[1], flat, r"$\sqrt{d\_model}$")):
    # ko: for ax, some_weights, label in ((axes[0], right, "√head_dim"), (axes[1], flat, "√d_model")):
        image = ax.imshow(some_weights[0, 0], cmap="Blues", vmin=0, vmax=0.6)
        ax.set(title=f"one head, scores / {label}", xlabel="key", ylabel="query")
        # ko: ax.set(title=f"헤드 하나, 점수 / {label}", xlabel="키 (key)", ylabel="쿼리 (query)")
        axes[2].plot(np.sort(some_weights)[..., ::-1].mean(axis=(0, 1, 2)), "o-", label=label)
    figure.colorbar(image, ax=axes[1], label="attention weight")
    # ko: figure.colorbar(image, ax=axes[1], label="어텐션 가중치 (weight)")
    axes[2].axhline(1 / 12, color="grey", linestyle=":", label="uniform")
    # ko: axes[2].axhline(1 / 12, color="grey", linestyle=":", label="균등 (uniform)")
    axes[2].set(title="mean weight of the keys", ylabel="attention weight")
    # ko: axes[2].set(title="키의 평균 가중치 (mean weight)", ylabel="어텐션 가중치 (weight)")
    axes[2].set_xlabel("keys of a query, from best to worst")
    # ko: axes[2].set_xlabel("한 쿼리의 키, 가중치가 큰 것부터 (keys)")
    axes[2].legend()
    plt.show()
    for some_weights, name in ((right, "head_dim"), (flat, "d_model")):
        print(f"divided by the root of {name}: the largest weight of a query is {some_weights.max(axis=-1).mean():.3f} on average")
        # ko: print(f"{name}의 제곱근으로 나눌 때: 쿼리마다 가장 큰 가중치의 평균은 {some_weights.max(axis=-1).mean():.3f}")

# %% [markdown]
# > **What is right.** A head's dot product has `head_dim` terms, so with independent features of mean 0 and variance 1 its standard deviation is
# > $\sqrt{\text{head\_dim}}$. Dividing by $\sqrt{d_{model}}$ makes the scores smaller by $\sqrt{\text{num\_heads}}$ (here
# > $\sqrt{8} \approx 2.8$) than they should be, and the weights too flat. A model trained that way learns an easy task about as well, because its projections can grow to
# > make up for it: **training success doesn't show this mistake, comparing values does.**
#
# ## Task 4: the layer (5 points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# What can be learned is in the projections. Before the split, three dense layers turn the inputs into queries, keys and
# values; after the merge a fourth mixes what the heads found:
#
# $$\mathrm{MultiHead}(X_q, X_k, X_v) = \mathrm{Concat}(\text{head}_0, \dots, \text{head}_{H-1})\, W^O + b^O$$
#
# $$\text{head}_h = \mathrm{Attention}(X_q W^Q_h + b^Q_h,\; X_k W^K_h + b^K_h,\; X_v W^V_h + b^V_h)$$
#
# $W^Q_h$ is simply block $h$, counted from 0, of the columns of one matrix $W^Q$: projecting once and splitting the result is the same
# as projecting for every head by itself. The paper has no biases $b$; Keras's layer has them, and so does yours.
#
# | sublayer | takes | gives | kernel | bias |
# |---|---|---|---|---|
# | `query_dense` | query (batch, query_len, query_input) | (batch, query_len, d_model) | (query_input, d_model) | (d_model,) |
# | `key_dense` | key (batch, key_len, key_input) | (batch, key_len, d_model) | (key_input, d_model) | (d_model,) |
# | `value_dense` | value (batch, key_len, value_input) | (batch, key_len, d_model) | (value_input, d_model) | (d_model,) |
# | `output_dense` | merged heads (batch, query_len, d_model) | (batch, query_len, d_model) | (d_model, d_model) | (d_model,) |
#
# The inputs need not be as wide as `d_model`, nor as wide as each other: a `Dense` layer sees the width of its input
# when it is first called. As in task 1, `num_heads` has to divide `d_model`: if it doesn't, raise that `ValueError` in `__init__`.
# And write it **from scratch**: no `keras.layers.MultiHeadAttention` and no other ready-made attention inside. Your layer must not carry an activation or a dropout either. In which order you create the four is your own business.
#
# `get_config` says how to make the layer again, as a saved model is loaded: it returns the constructor's arguments on top of what `super().get_config()` gives.
#
# <details><summary>Hint 1: What is made where?</summary>
#
# The four `keras.layers.Dense` are made once, in `__init__`, and become attributes: so Keras finds their weights. `call` only uses
# them; a layer made in `call` would have new weights at each call.
#
# </details>
#
# <details><summary>Hint 2: What does call do?</summary>
#
# The eight steps of the table under "The whole road, by shapes". `multi_head_attention` of task 3 is steps 2 to 7: three projections go in, its output goes
# through `output_dense`.
#
# </details>
#
# <details><summary>Hint 3: When a model is built from it</summary>
#
# While Keras builds a model the length may be open, and `x.shape[1]` is `None`. `keras.ops.shape(x)` and a -1 in a reshape work there, too.
# NumPy doesn't: use `keras.ops`.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** 한 헤드의 내적은 항이 `head_dim`개이므로, 특징들이 독립이고 평균이 0, 분산이 1이면 내적의 표준편차는
# > $\sqrt{\text{head\_dim}}$입니다. $\sqrt{d_{model}}$로 나누면 점수가 제 크기의 $1/\sqrt{\text{num\_heads}}$(여기서는 $1/\sqrt{8}$, 2.8분의 1쯤)로 줄고
# > 가중치는 너무 고르게 퍼집니다. 이렇게 학습한 모델도 쉬운 과제에서는 비슷한 성능을 냅니다. 투영이 커지면서 모자란 만큼을 메울 수 있기 때문입니다.
# > **학습이 잘되는지를 보아서는 이 잘못을 알 수 없고, 값을 비교해야 알 수 있습니다.**
#
# ## 과제 4: 계층으로 만들기 (5점)
#
# *난이도 3/5, 40분쯤.*
#
# 학습은 투영에서 이루어집니다. 나누기 전에 `Dense` 계층 세 개가 입력을 쿼리, 키, 값으로 바꾸고, 합친 뒤에 넷째
# 계층이 헤드들의 결과를 섞습니다.
#
# $$\mathrm{MultiHead}(X_q, X_k, X_v) = \mathrm{Concat}(\text{head}_0, \dots, \text{head}_{H-1})\, W^O + b^O$$
#
# $$\text{head}_h = \mathrm{Attention}(X_q W^Q_h + b^Q_h,\; X_k W^K_h + b^K_h,\; X_v W^V_h + b^V_h)$$
#
# $W^Q_h$는 행렬 $W^Q$ 하나의 열을 블록으로 나눌 때 (0부터 세어) $h$번 블록일 뿐입니다. 한 번에 투영해서 그 결과를 나누어도 헤드마다 따로
# 투영한 결과와 같습니다. 논문에는 편향(bias) $b$가 없지만 케라스의 계층에는 있고, 여러분의 계층에도 있어야 합니다.
#
# | 하위 계층 | 입력 | 출력 | 커널(kernel) | 편향 |
# |---|---|---|---|---|
# | `query_dense` | 쿼리 (batch, query_len, query_input) | (batch, query_len, d_model) | (query_input, d_model) | (d_model,) |
# | `key_dense` | 키 (batch, key_len, key_input) | (batch, key_len, d_model) | (key_input, d_model) | (d_model,) |
# | `value_dense` | 값 (batch, key_len, value_input) | (batch, key_len, d_model) | (value_input, d_model) | (d_model,) |
# | `output_dense` | 합친 헤드 (batch, query_len, d_model) | (batch, query_len, d_model) | (d_model, d_model) | (d_model,) |
#
# 입력의 너비는 `d_model`과 같지 않아도 되고 서로 같지 않아도 됩니다. `Dense` 계층은 처음 호출될 때 입력의 너비를 알게
# 됩니다. 과제 1에서처럼 `d_model`은 `num_heads`로 나누어떨어져야 합니다. 그렇지 않으면 `__init__`에서 같은 `ValueError`를 일으키세요.
# 그리고 **밑바닥부터** 작성하세요. 안에서 `keras.layers.MultiHeadAttention`이나 미리 만들어진 어텐션 연산을
# 쓰면 안 됩니다. 활성화 함수(activation)나 드롭아웃(dropout)을 넣어서도 안 됩니다. 네 계층을 어떤 순서로 만드는지는
# 여러분의 자유입니다.
#
# `get_config`는 저장한 모델을 불러올 때처럼 계층을 다시 만드는 데 필요한 값을 알려 줍니다. `super().get_config()`가 주는 것에 생성자의 인수를 더해 돌려줍니다.
#
# <details><summary>힌트 1: 무엇을 어디에서 만들까요?</summary>
#
# `keras.layers.Dense` 네 개는 `__init__`에서 한 번만 만들어 속성에 둡니다. 그래야 케라스가 그 가중치를 찾습니다. `call`에서는 쓰기만
# 합니다. `call`에서 계층을 만들면 부를 때마다 가중치가 새로 생깁니다.
#
# </details>
#
# <details><summary>힌트 2: call은 무엇을 할까요?</summary>
#
# ‘모양으로 보는 전체 과정’에 있는 표의 여덟 단계입니다. 과제 3의 `multi_head_attention`이 2번부터 7번 단계까지입니다. 세 투영을 넣고, 그 출력을 `output_dense`에
# 통과시키세요.
#
# </details>
#
# <details><summary>힌트 3: 모델에 넣을 때</summary>
#
# 케라스가 모델을 만드는 동안에는 길이가 정해지지 않아 `x.shape[1]`이 `None`일 수 있습니다. `keras.ops.shape(x)`나 reshape의 -1은 그때도
# 됩니다. NumPy는 안 되므로 `keras.ops`를 쓰세요.
#
# </details>


# %% task="multi-head-layer" builds_on="carry-over split-heads merge-heads multi-head" from_scratch=true
class MultiHeadAttention(keras.layers.Layer):
    """
    Multi-head attention from scratch (Vaswani et al. 2017, section 3.2.2).
    # ko: 밑바닥부터 만든 멀티 헤드 어텐션 (Vaswani et al. 2017, 3.2.2절).

    Args:
    # ko: 인수:
        d_model: width of the projected queries, keys and values together over all heads, and of the output.
        # ko: d_model: 투영한 쿼리, 키, 값의 너비(모든 헤드를 합친 것)이자 출력의 너비.
        num_heads: number of heads.
        # ko: num_heads: 헤드의 수.

    Attributes:
    # ko: 속성:
        num_heads: as given.
        # ko: num_heads: 받은 그대로.
        query_dense, key_dense, value_dense, output_dense: `keras.layers.Dense`
        # ko: query_dense, key_dense, value_dense, output_dense: 출력의 너비가 d_model인
            with bias, to d_model, no activation.
            # ko: `keras.layers.Dense`. 편향이 있고 활성화 함수는 없습니다.

    Raises:
    # ko: 예외:
        ValueError: num_heads does not divide d_model. The text names both and their values.
        # ko: ValueError: d_model이 num_heads로 나누어떨어지지 않을 때. 오류 메시지에 두 이름과 값을 적습니다.
    """

    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
        self.d_model = d_model
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.query_dense = keras.layers.Dense(d_model)
        self.key_dense = keras.layers.Dense(d_model)
        self.value_dense = keras.layers.Dense(d_model)
        self.output_dense = keras.layers.Dense(d_model)
        ### END SOLUTION

    def compute_mask(self, query, previous_mask=None):
        """
        Given: tell Keras that no mask goes on to the next layer.
        # ko: 주어진 코드: 다음 계층으로 넘길 마스크가 없다고 케라스에 알립니다.

        Keras takes an argument called `mask` for a mask of its own, and would warn that this layer doesn't hand it on. It isn't meant to.
        # ko: 케라스는 이름이 `mask`인 인수를 자기 마스크로 여겨, 다음 계층에 넘기지 않는다고 경고합니다. 여기서는 넘기지 않는 것이 맞습니다.
        """
        return None

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        """
        Project, attend with every head, project back.
        # ko: 투영하고, 모든 헤드로 어텐션을 계산하고, 다시 투영합니다.

        Args:
        # ko: 인수:
            query: (batch, query_len, query_input).
            key: (batch, key_len, key_input).
            value: (batch, key_len, value_input).
            mask: broadcasts to (batch, num_heads, query_len, key_len); 1 hides, 0 keeps.
            # ko: mask: (batch, num_heads, query_len, key_len)으로 브로드캐스트됩니다. 1은 가리고 0은 남깁니다.
            return_attention_scores: return the attention weights too.
            # ko: return_attention_scores: 어텐션 가중치도 돌려줄지 여부.

        Returns:
        # ko: 반환값:
            output (batch, query_len, d_model), or with return_attention_scores the pair output,
            # ko: 출력 (batch, query_len, d_model). return_attention_scores가 참이면 그 출력과
            weights (batch, num_heads, query_len, key_len).
            # ko: 가중치 (batch, num_heads, query_len, key_len)의 쌍.
        """
        ### BEGIN SOLUTION
        ops = keras.ops

        def heads(dense, x):
            batch, seq_len, width = ops.shape(x)
            tokens = ops.reshape(x, (-1, width))  # one plain matrix product for all: quicker, on JAX by a fifth
            return ops.reshape(dense(tokens), (batch, seq_len, self.num_heads, self.head_dim))

        query, key, value = heads(self.query_dense, query), heads(self.key_dense, key), heads(self.value_dense, value)
        # b batch, h heads, q queries, k keys, d features of a head: einsum spares the transposes
        scores = ops.einsum("bqhd,bkhd->bhqk", query, key) / self.head_dim**0.5
        if mask is not None:
            scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
        weights = ops.softmax(scores, axis=-1)
        attended = ops.einsum("bhqk,bkhd->bqhd", weights, value)
        batch, query_len, _, _ = ops.shape(attended)
        output = self.output_dense(ops.reshape(attended, (-1, self.d_model)))
        output = ops.reshape(output, (batch, query_len, self.d_model))
        return (output, weights) if return_attention_scores else output
        ### END SOLUTION

    def get_config(self):
        """Return the arguments that make this layer again."""
        # ko: """이 계층을 다시 만드는 데 필요한 인수를 돌려줍니다."""
        ### BEGIN SOLUTION
        return {**super().get_config(), "d_model": self.d_model, "num_heads": self.num_heads}
        ### END SOLUTION


# %% grade="multi-head-layer" points=5
@checking("MultiHeadAttention")
def _check(check):
    import contextlib
    from unittest import mock

    query = np.array([[[0, 0, 10, 10], [0, 10, 0, 0], [10, 10, 0, 0]]], dtype="float32")
    key = np.array([[[10, 0, 0, 0], [0, 10, 0, 10], [0, 0, 10, 0], [0, 0, 10, 0]]], dtype="float32")
    value = np.array([[[1, 0], [10, 0], [100, 5], [1000, 6]]], dtype="float32")
    layer = MultiHeadAttention(d_model=4, num_heads=2)
    output = layer(query, key, value)
    alone = not isinstance(output, (tuple, list))
    check.true(
        alone,
        "the output alone",
        # ko: "출력만 돌려준다",
        "it returned a pair, but return_attention_scores is False unless asked for.",
        # ko: "쌍을 돌려주었습니다. 따로 요청하지 않으면 return_attention_scores는 False입니다.",
    )
    check.shape(output, (1, 3, 4), "the output (batch, query_len, d_model)")
    # ko: check.shape(output, (1, 3, 4), "출력 (batch, query_len, d_model)")
    for name, width in (("query_dense", 4), ("key_dense", 4), ("value_dense", 2), ("output_dense", 4)):
        dense = getattr(layer, name, None)
        is_dense = isinstance(dense, keras.layers.Dense)
        check.true(is_dense, f"`{name}` is a Dense layer", f"there is no Dense sublayer `{name}`.")
        # ko: check.true(is_dense, f"`{name}`는 Dense 계층", f"Dense 하위 계층 `{name}`가 없습니다.")
        check.true(dense.built, f"`{name}` is used", f"`{name}` was never called.")
        # ko: check.true(dense.built, f"`{name}`를 쓴다", f"`{name}`를 한 번도 호출하지 않았습니다.")
        check.true(dense.use_bias, f"`{name}` has a bias", f"`{name}` has no bias.")
        # ko: check.true(dense.use_bias, f"`{name}`에 편향이 있다", f"`{name}`에 편향이 없습니다.")
        whole = "It takes whole tokens, before the split or after the merge, and gives d_model features."
        # ko: whole = "이 계층은 나누기 전이나 합친 뒤의 온전한 토큰을 받아 특징 d_model개를 냅니다."
        check.shape(dense.kernel, (width, 4), f"the kernel of {name}", otherwise=whole)
        # ko: check.shape(dense.kernel, (width, 4), f"{name}의 커널", otherwise=whole)
    count = len(layer.weights)
    check.true(count == 8, "eight weights", f"the layer has {count} weights, four Dense layers have 8.")
    # ko: check.true(count == 8, "가중치 8개", f"계층의 가중치가 {count}개입니다. Dense 계층 넷이면 8개입니다.")

    # The example again: queries and keys pass unchanged,
    # ko: # 다시 위의 예: 쿼리와 키는 그대로 지나가고,
    # value column 0 goes (negative) to head 0, column 1 to head 1.
    # ko: # 값의 0번 열은 (부호를 바꾸어) 헤드 0으로, 1번 열은 헤드 1로 갑니다.
    passing = {
        "query_dense": (np.eye(4), np.zeros(4)),
        "key_dense": (np.eye(4), np.zeros(4)),
        "value_dense": ([[-1, 0, 0, 0], [0, 0, 1, 0]], np.zeros(4)),
        "output_dense": (np.eye(4)[[0, 2, 1, 3]], [0, 0, 1, 2]),
    }
    for name, (kernel, bias) in passing.items():
        getattr(layer, name).kernel.assign(np.asarray(kernel, dtype="float32"))
        getattr(layer, name).bias.assign(np.asarray(bias, dtype="float32"))
    pair_returned = layer(query, key, value, return_attention_scores=True)
    is_pair = isinstance(pair_returned, (tuple, list)) and len(pair_returned) == 2
    check.true(
        is_pair,
        "(output, weights) if asked for",
        # ko: "요청하면 (출력, 가중치)",
        "with return_attention_scores=True it should return (output, weights).",
        # ko: "return_attention_scores=True이면 (출력, 가중치)를 돌려주어야 합니다.",
    )
    output, weights = pair_returned
    check.shape(weights, (1, 2, 3, 4), "(batch, num_heads, query_len, key_len) of the weights")
    # ko: check.shape(weights, (1, 2, 3, 4), "가중치 (batch, num_heads, query_len, key_len)")
    check.true(
        np.isnan(to_numpy(weights)).any() or np.allclose(to_numpy(weights).sum(axis=-1), 1, atol=1e-4),
        "the weights of each query sum to 1",
        # ko: "쿼리마다 가중치의 합은 1",
        "the weights of a query should sum to 1 over the keys, the last axis. Is there a softmax, and along which axis?",
        # ko: "한 쿼리의 가중치를 마지막 축인 키를 따라 더하면 1이어야 합니다. 소프트맥스를 계산했나요? 어느 축으로 계산했나요?",
    )
    quarter = [0.25, 0.25, 0.25, 0.25]
    first_head, second_head = [quarter, [0, 1, 0, 0], [0.5, 0.5, 0, 0]], [[0, 1 / 3, 1 / 3, 1 / 3], quarter, quarter]
    little = 1 / (1 + np.exp(10 / np.sqrt(2)))
    exchanged = [[[quarter, quarter, [1, 0, 0, 0]], [[0, 0, little, 1 - little], quarter, quarter]]]
    check.close(
        weights,
        [[first_head, second_head]],
        "the weights of the example from the layer",
        # ko: "계층으로 구한 예시의 가중치",
        hints={
            "keys and values have changed places. The order is query, key, value; only Keras's own layer takes the value before the key.": exchanged,
            # ko: "키와 값의 자리가 바뀌었습니다. 순서는 query, key, value입니다. 값을 키보다 먼저 받는 것은 케라스의 계층뿐입니다.": exchanged,
        },
        otherwise="Are the heads split as in task 1, and are the projections linear, without an activation?",
        # ko: otherwise="과제 1에서처럼 헤드를 나누었나요? 투영은 활성화 함수 없이 선형인가요?",
    )
    merged_heads = np.array([[-277.75, 0, 11 / 3, 0], [-10, 0, 2.75, 0], [-5.5, 0, 2.75, 0]])
    by_reshape = np.stack([merged_heads[:, :2], merged_heads[:, 2:]]).reshape(3, 4)

    def projected(x):
        return x[None, :, [0, 2, 1, 3]] + [0, 0, 1, 2]

    check.close(
        output,
        projected(merged_heads),
        "the output of the example from the layer",
        # ko: "계층으로 구한 예시의 출력",
        hints={
            "the merged heads never went through `output_dense`.": merged_heads[None],
            # ko: "합친 헤드가 `output_dense`를 거치지 않았습니다.": merged_heads[None],
            "the bias of `output_dense` is not used.": projected(merged_heads) - [0, 0, 1, 2],
            # ko: "`output_dense`의 편향이 쓰이지 않았습니다.": projected(merged_heads) - [0, 0, 1, 2],
            "a projection has an activation: all four are linear.": projected(np.maximum(merged_heads, 0)),
            # ko: "투영에 활성화 함수가 있습니다. 네 투영은 모두 선형입니다.": projected(np.maximum(merged_heads, 0)),
            "the heads were merged by a reshape alone: each row mixes queries of one head.": projected(by_reshape),
            # ko: "reshape만으로 헤드를 합쳤습니다. 한 헤드의 여러 쿼리가 한 행에 섞입니다.": projected(by_reshape),
        },
        otherwise="Are the heads merged as in task 2, is each projection linear, without an activation, and is nothing else added to the output?",
        # ko: otherwise="과제 2에서처럼 헤드를 합쳤나요? 투영은 모두 활성화 함수 없이 선형인가요? 출력에 다른 것을 더하지는 않았나요?",
    )
    check.close(layer(query, key, value), output, "the same output without return_attention_scores")
    # ko: check.close(layer(query, key, value), output, "return_attention_scores 없이도 같은 출력")

    small_query = np.array([[[1, 1, 2, 0]]], dtype="float32")
    small_key = np.array([[[1, 1, 0, 0], [0, 0, 1, 0]]], dtype="float32")
    _, small_weights = layer(small_query, small_key, np.ones((1, 2, 2), dtype="float32"), return_attention_scores=True)

    def pair(score):
        return [1 / (1 + np.exp(-score)), 1 / (1 + np.exp(score))]

    check.close(
        to_numpy(small_weights)[0, 0, 0],
        pair(2 / np.sqrt(2)),
        "weights of small scores",
        # ko: "작은 점수의 가중치",
        hints={
            "the scores were divided by 2: is that head_dim, the root of d_model, or the root of head_dim twice? "
            # ko: "점수를 2로 나누었습니다. head_dim인가요, d_model의 제곱근인가요, 아니면 head_dim의 제곱근으로 두 번 나누었나요? "
            "It should be the root of head_dim, once.": pair(1),
            # ko: "head_dim의 제곱근으로 한 번만 나누어야 합니다.": pair(1),
            "the scores were not divided by the root of head_dim.": pair(2),
            # ko: "점수를 head_dim의 제곱근으로 나누지 않았습니다.": pair(2),
        },
    )
    hide_last = np.array([0, 0, 0, 1], dtype="float32").reshape(1, 1, 1, 4)
    masked_output, masked = layer(query, key, value, mask=hide_last, return_attention_scores=True)
    third, half = [1 / 3, 1 / 3, 1 / 3, 0], [0, 0.5, 0.5, 0]
    check.close(
        masked,
        [[[third, [0, 1, 0, 0], [0.5, 0.5, 0, 0]], [half, third, third]]],
        "weights under a mask",
        # ko: "마스크를 쓴 가중치",
        hints={
            "the mask has no effect.": [[first_head, second_head]],
            # ko: "마스크가 아무 효과도 내지 않습니다.": [[first_head, second_head]],
            "only the hidden key is left: "
            # ko: "가려야 할 키만 남았습니다. "
            "here 1 hides and 0 keeps.": np.ones((1, 2, 3, 4)) * hide_last,
            # ko: "여기서 1은 가리고 0은 남깁니다.": np.ones((1, 2, 3, 4)) * hide_last,
            "the mask was multiplied in after the softmax, so the rows no longer sum to 1.": (1 - hide_last) * [[first_head, second_head]],
            # ko: "소프트맥스 뒤에 마스크를 곱해서 행의 합이 1이 아니게 되었습니다.": (1 - hide_last) * [[first_head, second_head]],
            "the hidden key got the score 0, and a score of 0 still gets weight: a hidden score has to be very negative.": [[first_head, [half, quarter, quarter]]],
            # ko: "가려진 키의 점수가 0이 되었는데, 점수가 0이어도 가중치를 받습니다. 가릴 점수는 아주 큰 음수여야 합니다.": [[first_head, [half, quarter, quarter]]],
        },
        otherwise="Does the mask work before the softmax, and is a hidden score very negative?",
        # ko: otherwise="마스크를 소프트맥스보다 먼저 쓰나요? 가려진 점수는 아주 큰 음수인가요?",
    )
    masked_heads = np.array([[-37, 0, 2.5, 0], [-10, 0, 5 / 3, 0], [-5.5, 0, 5 / 3, 0]])
    made_before = {"it was made from the weights before the mask.": output}
    # ko: made_before = {"마스크를 쓰기 전의 가중치로 만들었습니다.": output}
    check.close(masked_output, projected(masked_heads), "output under a mask", hints=made_before)
    # ko: check.close(masked_output, projected(masked_heads), "마스크를 쓴 출력", hints=made_before)
    check.close(layer(query, key, value, mask=hide_last), masked_output, "the same output under a mask without return_attention_scores")
    # ko: check.close(layer(query, key, value, mask=hide_last), masked_output, "마스크를 쓰고 return_attention_scores 없이도 같은 출력")
    _, masked = layer(query, key, value, mask=np.triu(np.ones((3, 4), dtype="float32"), k=1), return_attention_scores=True)
    first, two = [1, 0, 0, 0], [0.5, 0.5, 0, 0]
    check.close(
        masked,
        [[[first, [0, 1, 0, 0], two], [first, two, third]]],
        "weights under a mask (query_len, key_len) that hides other keys from each query",
        # ko: "쿼리마다 다른 키를 가리는 마스크 (query_len, key_len)을 쓴 가중치",
        otherwise="Does every query get its own row of the mask?",
        # ko: otherwise="쿼리마다 마스크에서 그 쿼리의 행을 쓰나요?",
    )
    twice = [np.repeat(x, 2, axis=0) for x in (query, key, value)]
    _, masked = layer(*twice, mask=np.concatenate([hide_last, 0 * hide_last]), return_attention_scores=True)
    check.close(
        to_numpy(masked)[1],
        [first_head, second_head],
        "weights of the second of two sequences, of which the mask hides nothing",
        # ko: "마스크가 아무것도 가리지 않는, 두 시퀀스 가운데 둘째의 가중치",
        hints={
            "the masks of the sequences were used for the heads: keep the mask's axis of length 1.": [[third, *first_head[1:]], second_head],
            # ko: "시퀀스의 마스크가 헤드의 마스크로 쓰였습니다. 마스크의 길이 1인 축을 그대로 두세요.": [[third, *first_head[1:]], second_head],
        },
        otherwise="Is the first sequence's mask used for both?",
        # ko: otherwise="첫째 시퀀스의 마스크를 둘 모두에 쓰나요?",
    )
    in_training = [to_numpy(layer(query, key, value, training=True)) for _ in range(5)]  # what is dropped may be without effect in one
    # ko: in_training = [to_numpy(layer(query, key, value, training=True)) for _ in range(5)]  # 한 번으로는 드롭아웃의 영향이 없을 수도 있습니다
    check.close(
        max(in_training, key=lambda one: np.abs(one - to_numpy(output)).max()),
        output,
        "the same output in training",
        # ko: "학습할 때도 같은 출력",
        otherwise="with `training=True` the output is another one. Leave the dropout out (or whatever else depends on `training`).",
        # ko: otherwise="`training=True`이면 출력이 달라집니다. 드롭아웃을(또는 `training`에 따라 달라지는 다른 것을) 빼세요.",
    )
    turned = np.eye(4, dtype="float32")
    turned[:2, :2] = [[0, -2], [0, 0]]  # the keys' feature 0 becomes feature 1, times -2
    # ko: turned[:2, :2] = [[0, -2], [0, 0]]  # 키의 0번 특징이 -2배가 되어 1번 특징으로 갑니다
    layer.key_dense.kernel.assign(turned)
    one_two = np.array([[[1, 2, 0, 0]]], dtype="float32")
    _, small_weights = layer(one_two, small_key, np.ones((1, 2, 2), dtype="float32"), return_attention_scores=True)
    check.close(
        to_numpy(small_weights)[0, 0, 0],
        pair(-4 / np.sqrt(2)),
        "weights of keys that `key_dense` makes negative",
        # ko: "`key_dense`를 거쳐 음수가 된 키의 가중치",
        hints={
            "`key_dense` has an activation: all four projections are linear.": pair(0),
            # ko: "`key_dense`에 활성화 함수가 있습니다. 네 투영은 모두 선형입니다.": pair(0),
            "queries go through `key_dense` and keys through `query_dense`.": pair(-2 / np.sqrt(2)),
            # ko: "쿼리가 `key_dense`를, 키가 `query_dense`를 거칩니다.": pair(-2 / np.sqrt(2)),
        },
    )
    layer.key_dense.kernel.assign(np.eye(4, dtype="float32"))
    layer.query_dense.kernel.assign(-np.eye(4, dtype="float32"))
    _, small_weights = layer(small_query, small_key, np.ones((1, 2, 2), dtype="float32"), return_attention_scores=True)
    check.close(
        to_numpy(small_weights)[0, 0, 0],
        pair(-2 / np.sqrt(2)),
        "weights of queries that `query_dense` makes negative",
        # ko: "`query_dense`를 거쳐 음수가 된 쿼리의 가중치",
        hints={
            "`query_dense` has an activation: all four projections are linear.": pair(0),
            # ko: "`query_dense`에 활성화 함수가 있습니다. 네 투영은 모두 선형입니다.": pair(0),
        },
    )
    ready_made = [getattr(keras.layers, name) for name in ("MultiHeadAttention", "GroupQueryAttention", "Attention")]
    places = [*((kind, "call") for kind in ready_made), (keras.src.backend.nn, "dot_product_attention")]  # what every name of the operation ends in
    # ko: places = [*((kind, "call") for kind in ready_made), (keras.src.backend.nn, "dot_product_attention")]  # 그 연산은 어떤 이름으로 불러도 여기로 옵니다
    with contextlib.ExitStack() as stack:
        watched = [stack.enter_context(mock.patch.object(*place, autospec=True, side_effect=getattr(*place))) for place in places]
        layer(query, key, value)
        layer(query, key, value, return_attention_scores=True)
    check.true(
        not any(one.called for one in watched),
        "no attention that Keras has ready-made",
        # ko: "케라스에 이미 만들어져 있는 어텐션을 쓰지 않는다",
        "it calls an attention that Keras has ready-made. Here you make it yourself; a ready-made one earns nothing.",
        # ko: "케라스에 이미 만들어져 있는 어텐션을 호출합니다. 여기서는 직접 만드세요. 이미 만들어진 것을 쓰면 점수가 없습니다.",
    )
    kernels = {f"the kernel of {name}": getattr(layer, name).kernel for name in passing}
    # ko: kernels = {f"{name}의 커널": getattr(layer, name).kernel for name in passing}
    some_tokens = np.random.default_rng(0).normal(size=(2, 3, 4)).astype("float32")
    look_ahead = np.triu(np.ones((3, 3), dtype="float32"), k=1)
    check.learns(layer, lambda x: layer(x, x, x[..., :2]), some_tokens, kernels)
    check.learns(layer, lambda x: layer(x, x, x[..., :2], mask=look_ahead), some_tokens, kernels, required=False, where="under a mask ")
    # ko: check.learns(layer, lambda x: layer(x, x, x[..., :2], mask=look_ahead), some_tokens, kernels, required=False, where="마스크를 쓰면 ")
    if getattr(layer, "num_heads", None) != 2:
        check.note("the text promises an attribute `num_heads`, which task 6 may need.")
        # ko: check.note("설명에 적힌 속성 `num_heads`가 없습니다. 과제 6에서 필요할 수 있습니다.")
    copy = MultiHeadAttention.from_config(MultiHeadAttention(d_model=6, num_heads=3).get_config())
    check.notes_config(MultiHeadAttention, d_model=6, num_heads=3)
    check.notes_open_length(lambda x: layer(x, x, x[..., :2]), some_tokens)
    copied_output, copied_weights = copy(query, key, np.ones((1, 4, 5), dtype="float32"), return_attention_scores=True)
    check.shape(copied_output, (1, 3, 6), "the output of a layer made from the config of one with d_model 6")
    # ko: check.shape(copied_output, (1, 3, 6), "d_model이 6인 계층의 config로 만든 계층의 출력")
    check.shape(copied_weights, (1, 3, 3, 4), "(batch, num_heads, query_len, key_len) of a layer made from the config of one with 3 heads")
    # ko: check.shape(copied_weights, (1, 3, 3, 4), "헤드가 3개인 계층의 config로 만든 계층의 가중치")
    for dense in (copy.query_dense, copy.key_dense):
        dense.kernel.assign(np.eye(4, 6, dtype="float32"))
        dense.bias.assign(np.zeros(6, dtype="float32"))

    def of_four(score):
        return np.repeat(pair(score), 2) / 2  # each of the two keys is there twice
        # ko: return np.repeat(pair(score), 2) / 2  # 두 키가 두 번씩 있습니다

    _, small_weights = copy(small_query, np.repeat(small_key, 2, axis=1), np.ones((1, 4, 5), dtype="float32"), return_attention_scores=True)
    check.close(
        to_numpy(small_weights)[0, 0, 0],
        of_four(2 / np.sqrt(2)),
        "weights of small scores with 3 heads of 2 features",
        # ko: "너비 2인 헤드 3개일 때 작은 점수의 가중치",
        hints={
            "the scores were divided by the root of num_heads. It should be the root of head_dim.": of_four(2 / np.sqrt(3)),
            # ko: "점수를 num_heads의 제곱근으로 나누었습니다. head_dim의 제곱근이어야 합니다.": of_four(2 / np.sqrt(3)),
            "the scores were divided by the root of d_model. It should be the root of head_dim.": of_four(2 / np.sqrt(6)),
            # ko: "점수를 d_model의 제곱근으로 나누었습니다. head_dim의 제곱근이어야 합니다.": of_four(2 / np.sqrt(6)),
            "the scores were divided by the root of key_len. It should be the root of head_dim.": of_four(2 / np.sqrt(4)),
            # ko: "점수를 key_len의 제곱근으로 나누었습니다. head_dim의 제곱근이어야 합니다.": of_four(2 / np.sqrt(4)),
        },
        otherwise="By what are the scores divided? It should be the root of head_dim, which is 2 here.",
        # ko: otherwise="점수를 무엇으로 나누었나요? head_dim의 제곱근으로 나누어야 하고, 여기서 head_dim은 2입니다.",
    )
    check.raises_value_error(MultiHeadAttention, d_model=10, num_heads=4, naming=("num_heads", 4, "d_model", 10))
_check

# %% folded=true
# Four heads of an untrained layer under a look-ahead mask:
# ko: # 룩어헤드 마스크를 쓴, 학습하지 않은 계층의 헤드 네 개:
# each has its own view, none sees a later key.
# ko: # 헤드마다 보는 곳이 다르고, 어느 헤드도 뒤의 키를 보지 못합니다.
@demonstrate
def _demo():
    keras.utils.set_random_seed(1)
    untrained = MultiHeadAttention(d_model=12, num_heads=4)
    some_sequence = np.random.default_rng(1).normal(size=(1, 6, 12)).astype("float32")
    look_ahead_mask = np.triu(np.ones((6, 6), dtype="float32"), k=1)
    _, untrained_weights = untrained(some_sequence, some_sequence, some_sequence, mask=look_ahead_mask, return_attention_scores=True)

    figure, axes = plt.subplots(2, 2, figsize=(8, 7), layout="constrained")
    for head, ax in enumerate(axes.flat):
        image = show_weights(ax, to_numpy(untrained_weights)[0, head], f"head {head}")
        # ko: image = show_weights(ax, to_numpy(untrained_weights)[0, head], f"헤드 (head) {head}")
    figure.colorbar(image, ax=axes, label="attention weight")
    # ko: figure.colorbar(image, ax=axes, label="어텐션 가중치 (weight)")
    figure.suptitle("An untrained layer under a look-ahead mask")
    # ko: figure.suptitle("룩어헤드 마스크(look-ahead mask)를 쓴, 학습하지 않은 계층")
    plt.show()

# %% [markdown]
# ## Task 5: count the parameters (3 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# `keras.layers.MultiHeadAttention(num_heads, key_dim, value_dim=None, …, output_shape=None)` is a little more general
# than your layer: `key_dim` and `value_dim` are the width of **one head**, so nothing has to be divisible, and the
# output may have any width.
#
# For self-attention on an input of `input_dim` features:
#
# | projection | from | to | kernel | bias |
# |---|---|---|---|---|
# | query | input_dim | num_heads · key_dim | input_dim · num_heads · key_dim | num_heads · key_dim |
# | key | input_dim | num_heads · key_dim | … | … |
# | value | input_dim | num_heads · value_dim | … | … |
# | output | num_heads · value_dim | output_dim | … | … |
#
# Left out, `value_dim` is `key_dim` and `output_dim` is `input_dim`. Three cases:
#
# | input | heads | key_dim | value_dim | output | parameters |
# |---|---|---|---|---|---|
# | 24 | 8 | 3 | | | 3 · (24 · 24 + 24) + (24 · 24 + 24) = 1800 + 600 = **2400** |
# | 24 | 8 | 3 | 4 | 32 | **3056** |
# | 12 | 4 | 3 | | | **624** |
#
# <details><summary>Hint 1: How many numbers has one projection?</summary>
#
# From $n$ to $m$ features: $n \cdot m$ in the kernel and $m$ in the bias. Here $m$ counts all heads together.
#
# </details>
#
# <details><summary>Hint 2: What about the two that may be left out?</summary>
#
# Replace them first, each by its default if it `is None`. Then the four rows of the table add up without any case.
#
# </details>
#
# <!-- ko -->
# ## 과제 5: 파라미터 수 세기 (3점)
#
# *난이도 1/5, 10분쯤.*
#
# `keras.layers.MultiHeadAttention(num_heads, key_dim, value_dim=None, …, output_shape=None)`은 여러분의 계층보다 조금 더
# 일반적입니다. `key_dim`과 `value_dim`은 **헤드 하나**의 너비이므로 나누어떨어질 필요가 없고, 출력의 너비는
# 무엇이든 됩니다.
#
# 특징이 `input_dim`개인 입력에 셀프 어텐션(self-attention)을 할 때는 다음과 같습니다.
#
# | 투영 | 들어가는 너비 | 나오는 너비 | 커널 | 편향 |
# |---|---|---|---|---|
# | 쿼리 | input_dim | num_heads · key_dim | input_dim · num_heads · key_dim | num_heads · key_dim |
# | 키 | input_dim | num_heads · key_dim | … | … |
# | 값 | input_dim | num_heads · value_dim | … | … |
# | 출력 | num_heads · value_dim | output_dim | … | … |
#
# 생략하면 `value_dim`은 `key_dim`과 같고 `output_dim`은 `input_dim`과 같습니다. 세 가지 경우를 봅시다.
#
# | 입력 | 헤드 | key_dim | value_dim | 출력 | 파라미터 |
# |---|---|---|---|---|---|
# | 24 | 8 | 3 | | | 3 · (24 · 24 + 24) + (24 · 24 + 24) = 1800 + 600 = **2400** |
# | 24 | 8 | 3 | 4 | 32 | **3056** |
# | 12 | 4 | 3 | | | **624** |
#
# <details><summary>힌트 1: 투영 하나에는 수가 몇 개일까요?</summary>
#
# 특징 $n$개에서 $m$개로 가면 커널에 $n \cdot m$개, 편향에 $m$개입니다. 여기서 $m$은 모든 헤드를 합한 수입니다.
#
# </details>
#
# <details><summary>힌트 2: 생략할 수 있는 두 인수는?</summary>
#
# 먼저 기본값으로 바꾸세요. 각각 `is None`일 때만 바꿉니다. 그러면 경우를 나누지 않고 표의 네 줄을 더하면 됩니다.
#
# </details>


# %% task="parameter-count"
def mha_parameter_count(input_dim, num_heads, key_dim, value_dim=None, output_dim=None):
    """
    Count the parameters of `keras.layers.MultiHeadAttention` for self-attention, biases included.
    # ko: 셀프 어텐션을 하는 `keras.layers.MultiHeadAttention`의 파라미터 수를 편향까지 셉니다.

    Args:
    # ko: 인수:
        input_dim: features of a token of the input, which is query, key and value.
        # ko: input_dim: 입력 토큰 하나의 특징 수. 이 입력이 쿼리이자 키이자 값입니다.
        num_heads: number of heads.
        # ko: num_heads: 헤드의 수.
        key_dim: width of the queries and keys of one head.
        # ko: key_dim: 헤드 하나의 쿼리와 키의 너비.
        value_dim: width of the values of one head; key_dim if None.
        # ko: value_dim: 헤드 하나의 값의 너비. None이면 key_dim입니다.
        output_dim: width of the output; input_dim if None.
        # ko: output_dim: 출력의 너비. None이면 input_dim입니다.

    Returns:
    # ko: 반환값:
        The number of parameters, an int.
        # ko: 파라미터의 수, 정수 하나.
    """
    ### BEGIN SOLUTION
    value_dim = key_dim if value_dim is None else value_dim
    output_dim = input_dim if output_dim is None else output_dim
    query_and_key = 2 * (input_dim + 1) * num_heads * key_dim
    value = (input_dim + 1) * num_heads * value_dim
    output = (num_heads * value_dim + 1) * output_dim
    return query_and_key + value + output
    ### END SOLUTION


# %% grade="parameter-count" points=3
@checking("mha_parameter_count")
def _check(check):
    check.close(
        mha_parameter_count(24, 8, 3),
        2400,
        "input 24, 8 heads, key_dim 3",
        # ko: "입력 24, 헤드 8개, key_dim 3",
        hints={
            "the biases are missing: each of the four projections has one.": 4 * 24 * 24,
            # ko: "편향이 빠졌습니다. 네 투영에 모두 편향이 있습니다.": 4 * 24 * 24,
            "one of the four projections is missing.": 1800,
            # ko: "투영 네 개 가운데 하나가 빠졌습니다.": 1800,
            "one of the four biases is missing.": 2376,
            # ko: "편향 네 개 가운데 하나가 빠졌습니다.": 2376,
            "num_heads is missing: key_dim is the width of one head.": 321,
            # ko: "num_heads가 빠졌습니다. key_dim은 헤드 하나의 너비입니다.": 321,
            "one projection gives 3 features instead of 24. Is num_heads missing there, or is output_dim not input_dim when it is left out?": 1875,
            # ko: "한 투영이 특징을 24개가 아니라 3개 냅니다. 거기에 num_heads가 빠졌나요? 아니면 output_dim을 생략했을 때 input_dim으로 두지 않았나요?": 1875,
            "in the output projection num_heads is missing: value_dim is the width of one head.": 1896,
            # ko: "출력 투영에서 num_heads가 빠졌습니다. value_dim은 헤드 하나의 너비입니다.": 1896,
            "num_heads is missing in the projection of the values and in that of the output: value_dim is the width of one head.": 1371,
            # ko: "값의 투영과 출력의 투영에서 num_heads가 빠졌습니다. value_dim은 헤드 하나의 너비입니다.": 1371,
            "three biases have 3 numbers each: a bias has a number for each feature that its projection gives, of all heads together.": 2337,
            # ko: "편향 셋의 성분이 3개씩입니다. 편향의 성분 수는 그 투영이 내는 특징의 수이고, 모든 헤드를 합한 수입니다.": 2337,
        },
    )
    check.close(
        mha_parameter_count(24, 8, 3, value_dim=4, output_dim=32),
        3056,
        "value_dim 4, output 32",
        # ko: "value_dim 4, 출력 32",
        hints={
            "value_dim was not used.": 2600,
            # ko: "value_dim을 쓰지 않았습니다.": 2600,
            "neither value_dim nor output_dim was used.": 2400,
            # ko: "value_dim도 output_dim도 쓰지 않았습니다.": 2400,
            "in the projection of the values value_dim was not used.": 2856,
            # ko: "값의 투영에서 value_dim을 쓰지 않았습니다.": 2856,
            "output_dim was not used.": 2792,
            # ko: "output_dim을 쓰지 않았습니다.": 2792,
            "the output kernel has num_heads · value_dim rows, for the values of all heads, and output_dim columns. One of the two is too few here.": 2800,
            # ko: "출력 커널은 모든 헤드의 값을 받으므로 행이 num_heads · value_dim개이고, 열은 output_dim개입니다. 여기서는 둘 가운데 하나가 모자랍니다.": 2800,
            "the bias of the output is as wide as the output.": 3048,
            # ko: "출력 편향의 너비는 출력의 너비와 같습니다.": 3048,
            "value_dim is the width of one head.": 1460,
            # ko: "value_dim은 헤드 하나의 너비입니다.": 1460,
        },
    )
    of_values = {
        "left out, output_dim is input_dim, not num_heads * value_dim.": 3056,
        # ko: "output_dim을 생략하면 num_heads * value_dim이 아니라 input_dim입니다.": 3056,
        "the bias of the output is as wide as the output, not as the values of all heads.": 2800,
        # ko: "출력 편향의 너비는 모든 헤드의 값을 합한 너비가 아니라 출력의 너비와 같습니다.": 2800,
    }
    check.close(mha_parameter_count(24, 8, 3, value_dim=4), 2792, "value_dim 4 alone", hints=of_values)
    # ko: check.close(mha_parameter_count(24, 8, 3, value_dim=4), 2792, "value_dim 4만", hints=of_values)
    check.close(mha_parameter_count(24, 8, 3, output_dim=32), 2600, "output 32 alone")
    # ko: check.close(mha_parameter_count(24, 8, 3, output_dim=32), 2600, "출력 32만")
    check.close(mha_parameter_count(12, 4, 3), 624, "input 12, 4 heads, key_dim 3")
    # ko: check.close(mha_parameter_count(12, 4, 3), 624, "입력 12, 헤드 4개, key_dim 3")
    check.close(
        mha_parameter_count(10, 4, 3),
        526,
        "input 10, 4 heads, key_dim 3",
        # ko: "입력 10, 헤드 4개, key_dim 3",
        hints={"left out, output_dim is input_dim, not num_heads * key_dim.": 552},
        # ko: hints={"output_dim을 생략하면 num_heads * key_dim이 아니라 input_dim입니다.": 552},
    )
_check

# %%
# Where the parameters are, and whether Keras agrees.
# ko: # 파라미터는 어디에 있고, 케라스가 센 수와 같은가
@demonstrate
def _demo():
    cases = [dict(input_dim=24, num_heads=8, key_dim=3), dict(input_dim=24, num_heads=8, key_dim=3, value_dim=4, output_dim=32)]
    cases.append(dict(input_dim=12, num_heads=4, key_dim=3))
    figure, ax = plt.subplots(figsize=(8, 2.8), layout="constrained")
    colours = plt.get_cmap("Set2").colors
    for row, sizes in enumerate(cases):
        keras_layer = keras.layers.MultiHeadAttention(
            sizes["num_heads"], sizes["key_dim"], value_dim=sizes.get("value_dim"), output_shape=sizes.get("output_dim")
        )
        sequence = (1, 2, sizes["input_dim"])
        keras_layer.build(sequence, sequence)
        print(f"{sizes}: you {mha_parameter_count(**sizes)}, Keras {keras_layer.count_params()}")
        # ko: print(f"{sizes}: 여러분 {mha_parameter_count(**sizes)}, 케라스 {keras_layer.count_params()}")
        start = 0
        for part, name in enumerate(("query", "key", "value", "output")):
        # ko: for part, name in enumerate(("쿼리 (query)", "키 (key)", "값 (value)", "출력 (output)")):
            width = sum(int(np.prod(weight.shape)) for weight in keras_layer.weights[2 * part : 2 * part + 2])
            ax.barh(row, width, left=start, color=colours[part], edgecolor="white", label=name if row == 0 else None)
            ax.text(start + width / 2, row, width, ha="center", va="center", fontsize=8 if width > 200 else 6)
            start += width
    ax.set(title="Parameters of multi-head attention", xlabel="parameters", yticks=range(3))
    # ko: ax.set(title="멀티 헤드 어텐션의 파라미터", xlabel="파라미터 수 (parameters)", yticks=range(3))
    ax.set_yticklabels(["24 in, 8 heads of 3", "value_dim 4, 32 out", "12 in, 4 heads of 3"])
    # ko: ax.set_yticklabels(["입력 24, 너비 3인 헤드 8개", "value_dim 4, 출력 32", "입력 12, 너비 3인 헤드 4개"])
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    plt.show()

# %% [markdown]
# > **Does this hold?** *"The parameter count is what it should be, so the layer is built right."*
# >
# > Somebody wanted 4 heads of 3 and wrote the two numbers in each other's place: 3 heads of 4. The cell makes both layers and writes the very same
# > numbers, in the same order, into their weights. Will the counts differ? And the outputs?
#
# <!-- ko -->
# > **정말 그럴까?** *"파라미터 수가 맞으니 계층을 제대로 만들었다."*
# >
# > 너비 3인 헤드 4개를 만들려다가 두 수의 자리를 바꾸어 너비 4인 헤드 3개를 만들었다고 합시다. 아래 셀은 두 계층을 만들고 그 가중치에
# > 똑같은 수를 똑같은 순서로 넣습니다. 파라미터 수는 다를까요? 출력은 다를까요?

# %%
@demonstrate
def _demo():
    sequence = np.random.default_rng(2).normal(size=(1, 6, 12)).astype("float32")
    outputs = []
    for num_heads, key_dim in ((4, 3), (3, 4)):
        attention = keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)
        attention(sequence, sequence)
        numbers = np.random.default_rng(3)
        for weight in attention.weights:
            weight.assign(numbers.normal(0, 0.4, weight.shape))
        outputs.append(to_numpy(attention(sequence, sequence)))
        print(f"{num_heads} heads of {key_dim}: {attention.count_params()} parameters")
        # ko: print(f"너비 {key_dim}인 헤드 {num_heads}개: 파라미터 {attention.count_params()}개")
    print(f"the same numbers in both, yet the outputs differ by up to {np.abs(outputs[0] - outputs[1]).max():.2f}")
    # ko: print(f"둘 다 똑같은 수인데, 출력은 최대 {np.abs(outputs[0] - outputs[1]).max():.2f}만큼 다릅니다")

# %% [markdown]
# > **What is right.** When the values are as wide as the keys, `num_heads` and `key_dim` enter the count by their product alone: 624 parameters either way, and another
# > function. Named arguments (`num_heads=4, key_dim=3`) prevent it; a count can't find it.
#
# ## Task 6: the same function as Keras (3 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# The strongest proof that your layer is right: give `keras.layers.MultiHeadAttention` **your** weights and compare.
# Its parameters are yours with the heads spelled out, because it keeps each kernel already split:
#
# | weight | your shape | Keras's shape |
# |---|---|---|
# | query, key kernel | (input, d_model) | (input, num_heads, key_dim) |
# | query, key bias | (d_model,) | (num_heads, key_dim) |
# | value kernel, bias | (input, d_model), (d_model,) | (input, num_heads, value_dim), (num_heads, value_dim) |
# | output kernel | (d_model, d_model) | (num_heads, value_dim, output) |
# | output bias | (d_model,) | (output,) |
#
# Think about which of your columns belong to head 0: which axis of Keras's kernel counts heads, and which comes after
# it? The weights of a built Keras layer come as query kernel, query bias, key kernel, key bias, then those of the value
# and of the output. `[w.path for w in keras_layer.weights]` shows it; `get_weights()`, `set_weights([...])` and
# `weight.assign(...)` read and write them.
#
# Mind the order of the **inputs**: Keras's layer is called as `(query, value, key)`, yours as `(query, key, value)`.
# And Keras's `attention_mask` means the opposite of our mask: there 1 *may* be attended to. The notebook on masks
# returns to that.
#
# <details><summary>Hint 1: Which of your columns belong to head 0?</summary>
#
# The first `head_dim` ones, as in `split_heads`. So a row of your kernel, cut into `num_heads` pieces of `head_dim`, is a row of
# Keras's: a reshape, and nothing to transpose. The biases likewise.
#
# </details>
#
# <details><summary>Hint 2: And the output's kernel?</summary>
#
# It takes merged heads, so its *rows* belong to heads: there the first axis is cut.
#
# </details>
#
# <details><summary>Hint 3: Which weight goes where?</summary>
#
# `dense.get_weights()` gives kernel and bias of one `Dense`. Ask the four by their names (the order in which you created them says
# nothing) and collect eight arrays in Keras's order: query, key, value, output. `set_weights` takes the list.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** 값의 너비가 키와 같으면 `num_heads`와 `key_dim`은 둘의 곱으로만 파라미터 수에 들어갑니다. 어느 쪽이든 624개이지만 계산하는 함수는
# > 다릅니다. 인수에 이름을 붙이면(`num_heads=4, key_dim=3`) 막을 수 있지만, 개수를 세어서는 찾아낼 수 없습니다.
#
# ## 과제 6: 케라스와 같은 함수 (3점)
#
# *난이도 2/5, 20분쯤.*
#
# 계층이 올바름을 가장 확실히 보이려면 `keras.layers.MultiHeadAttention`에 **여러분의** 가중치를 주고 비교하세요.
# 케라스는 커널을 처음부터 헤드로 나누어 둡니다. 그래서 여러분의 파라미터에서 헤드의 축을 따로
# 펼치면 케라스의 파라미터가 됩니다.
#
# | 가중치 | 여러분의 모양 | 케라스의 모양 |
# |---|---|---|
# | 쿼리, 키의 커널 | (input, d_model) | (input, num_heads, key_dim) |
# | 쿼리, 키의 편향 | (d_model,) | (num_heads, key_dim) |
# | 값의 커널, 편향 | (input, d_model), (d_model,) | (input, num_heads, value_dim), (num_heads, value_dim) |
# | 출력의 커널 | (d_model, d_model) | (num_heads, value_dim, output) |
# | 출력의 편향 | (d_model,) | (output,) |
#
# 여러분이 만든 커널의 열 가운데 어느 것이 헤드 0에 속하는지 생각해 보세요. 케라스 커널의 어느 축(axis)이 헤드를 세고, 그 뒤에는
# 어느 축이 오나요? 빌드된(built) 케라스 계층의 가중치는 쿼리의 커널, 쿼리의 편향, 키의 커널, 키의 편향, 이어서 값과
# 출력의 커널과 편향 순서로 나옵니다. `[w.path for w in keras_layer.weights]`로 볼 수 있고, `get_weights()`,
# `set_weights([...])`, `weight.assign(...)`으로 읽고 씁니다.
#
# **입력**의 순서를 조심하세요. 케라스의 계층은 `(query, value, key)` 순서로, 여러분의 계층은 `(query, key, value)`
# 순서로 호출합니다. 또 케라스의 `attention_mask`는 우리의 마스크와 뜻이 반대입니다. 거기서 1은 보아도 *된다*는
# 뜻입니다. 이 이야기는 마스크 노트북에서 다시 합니다.
#
# <details><summary>힌트 1: 헤드 0의 열은 어느 것일까요?</summary>
#
# `split_heads`에서처럼 처음 `head_dim`개입니다. 그러니 여러분의 커널의 한 행을 `head_dim`개씩 `num_heads`조각으로 자르면 그대로
# 케라스 커널의 한 행입니다. reshape만 하면 되고 전치는 필요 없습니다. 편향도 같습니다.
#
# </details>
#
# <details><summary>힌트 2: 출력의 커널은?</summary>
#
# 합친 헤드를 받으므로 *행*이 헤드에 속합니다. 여기서는 첫 축을 자릅니다.
#
# </details>
#
# <details><summary>힌트 3: 어느 가중치를 어디에 넣을까요?</summary>
#
# `dense.get_weights()`는 `Dense` 하나의 커널과 편향을 줍니다. 네 계층을 이름으로 부르고(만든 순서는 믿을 수 없습니다), 배열 여덟 개를
# 케라스의 순서인 query, key, value, output으로 모으세요. 그 리스트를 `set_weights`가 받습니다.
#
# </details>


# %% task="keras-parity" builds_on="carry-over split-heads merge-heads multi-head multi-head-layer"
def copy_weights_to_keras(layer, keras_layer):
    """
    Copy the weights of your layer so that Keras's computes the same function.
    # ko: 여러분이 만든 계층의 가중치를 복사해, 케라스의 계층이 같은 함수를 계산하게 합니다.

    Args:
    # ko: 인수:
        layer: your `MultiHeadAttention(d_model, num_heads)`, built (called once).
        # ko: layer: 한 번 호출해 빌드한, 여러분의 `MultiHeadAttention(d_model, num_heads)`.
        keras_layer: a `keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)`, built by a call
        # ko: keras_layer: `keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)`. 너비가 같은
            with inputs of the same widths, the query's being d_model. Its weights are overwritten; those of `layer` stay.
            # ko: 입력으로 호출해 빌드한 것이고, 쿼리의 너비는 d_model입니다. 이 계층의 가중치는 덮어쓰고, `layer`의 가중치는 그대로 둡니다.
    """
    ### BEGIN SOLUTION
    _, num_heads, head_dim = keras_layer.weights[0].shape
    copied = []
    for dense in (layer.query_dense, layer.key_dense, layer.value_dense):
        kernel, bias = dense.get_weights()
        # a head's columns are neighbours, so a reshape is all it takes
        copied += [kernel.reshape(-1, num_heads, head_dim), bias.reshape(num_heads, head_dim)]
    kernel, bias = layer.output_dense.get_weights()
    keras_layer.set_weights([*copied, kernel.reshape(num_heads, head_dim, -1), bias])
    ### END SOLUTION


# %% grade="keras-parity" points=3
@checking("copy_weights_to_keras")
def _check(check):
    rng = np.random.default_rng(6)
    x_query, x_key, x_value = (rng.normal(size=shape).astype("float32") for shape in ((2, 3, 6), (2, 5, 7), (2, 5, 4)))
    try:
        layer = MultiHeadAttention(d_model=6, num_heads=3)
        layer(x_query, x_key, x_value)
    except NotImplementedError as error:
        needed = "this check needs your layer of task 4, and `MultiHeadAttention`, or a function that it calls, is not written yet."
        # ko: needed = "이 검사에는 과제 4의 계층이 필요한데, `MultiHeadAttention`이나 그것이 부르는 함수가 아직 작성되지 않았습니다."
        check.true(not _is_stub(error), "", needed)
        raise
    try:
        for name, width in (("query_dense", 6), ("key_dense", 7), ("value_dense", 4), ("output_dense", 6)):
            getattr(layer, name).kernel.assign(rng.normal(size=(width, 6)).astype("float32"))
            getattr(layer, name).bias.assign(rng.normal(size=6).astype("float32"))
    except (AttributeError, ValueError):  # no such sublayer, never called, without a bias, or of another width
    # ko: except (AttributeError, ValueError):  # 그런 하위 계층이 없거나, 호출된 적이 없거나, 편향이 없거나, 너비가 다릅니다
        check.true(False, "", "this check needs a layer that passes the checks of task 4. What do they say of yours?")
        # ko: check.true(False, "", "이 검사에는 과제 4의 공개 검사를 통과하는 계층이 필요합니다. 그 검사를 먼저 실행해 보세요.")
    before = [np.array(weight) for weight in layer.get_weights()]
    keras_layer = keras.layers.MultiHeadAttention(num_heads=3, key_dim=2)
    keras_layer(x_query, x_value, x_key)
    old = [np.array(weight) for weight in keras_layer.get_weights()]
    copy_weights_to_keras(layer, keras_layer)
    after = [np.array(weight) for weight in layer.get_weights()]
    unchanged = all(np.array_equal(old, new) for old, new in zip(before, after, strict=True))
    check.true(
        unchanged,
        "your layer's weights stay",
        # ko: "여러분이 만든 계층의 가중치는 그대로",
        "your layer's weights changed: copy from it, not into it.",
        # ko: "여러분이 만든 계층의 가중치가 바뀌었습니다. 거기에 복사하지 말고 거기서 복사해 오세요.",
    )
    received = [np.asarray(weight) for weight in keras_layer.get_weights()]

    def compare(place, weight, words, part, other="", axis=0):
        """Compare one head's part of a weight: head 1, or a wrong one if there is any. `part` is what the heads share out, along `axis`."""
        # ko: """가중치에서 헤드 하나의 몫을 비교합니다. 헤드 1을 보되, 틀린 헤드가 있으면 그 헤드를 봅니다. `part`는 `axis`를 따라 헤드에 나누어 주는 것입니다."""
        own = to_numpy(weight)
        pieces = [np.take(own, (2 * head, 2 * head + 1), axis) for head in range(3)]
        wrong = [head for head in (1, 0, 2) if not np.allclose(np.take(received[place], head, axis), pieces[head], atol=1e-4)]
        head = [*wrong, 1][0]
        check.close(
            np.take(received[place], head, axis),
            pieces[head],
            f"head {head} of the {words}",
            # ko: f"{words}의 헤드 {head}",
            hints={
                f"each head got every third {part}: it should get neighbours.": np.take(own, range(head, 6, 3), axis),
                # ko: f"헤드마다 {part}을 두 개씩 건너뛰며 가져갔습니다. 이웃한 {part}을 가져가야 합니다.": np.take(own, range(head, 6, 3), axis),
                f"the {other}s were cut: the *{part}s* of this kernel belong to the heads.": np.take(own.T, (2 * head, 2 * head + 1), axis),
                # ko: f"{other}을 잘랐습니다. 이 커널에서는 *{part}*이 헤드에 속합니다.": np.take(own.T, (2 * head, 2 * head + 1), axis),
                f"Keras's layer still has the {words} that it had: write yours into it.": np.take(old[place], head, axis),
                # ko: f"케라스의 계층에 원래 있던 {words}이 그대로 있습니다. 거기에 여러분의 것을 넣으세요.": np.take(old[place], head, axis),
            },
            otherwise=f"It should get the {part}s {2 * head} and {2 * head + 1} of yours.",
            # ko: otherwise=f"여러분의 {2 * head}번과 {2 * head + 1}번 {part}을 가져가야 합니다.",
        )

    compare(0, layer.query_dense.kernel, "query kernel", "column", "row", axis=1)
    # ko: compare(0, layer.query_dense.kernel, "쿼리 커널", "열", "행", axis=1)
    compare(1, layer.query_dense.bias, "query bias", "number")
    # ko: compare(1, layer.query_dense.bias, "쿼리 편향", "성분")
    compare(2, layer.key_dense.kernel, "key kernel", "column", "row", axis=1)
    # ko: compare(2, layer.key_dense.kernel, "키 커널", "열", "행", axis=1)
    compare(4, layer.value_dense.kernel, "value kernel", "column", "row", axis=1)
    # ko: compare(4, layer.value_dense.kernel, "값 커널", "열", "행", axis=1)
    compare(5, layer.value_dense.bias, "value bias", "number")
    # ko: compare(5, layer.value_dense.bias, "값 편향", "성분")
    if not np.allclose(received[3][1], to_numpy(layer.key_dense.bias)[2:4]):
        check.note("the key bias isn't copied as it should be. It adds the same to all scores of a query, so no weight shows it; copy it all the same.")
        # ko: check.note("키의 편향이 제대로 복사되지 않았습니다. 한 쿼리의 모든 점수에 같은 수를 더할 뿐이어서 가중치에는 드러나지 않지만, 그래도 올바로 복사하세요.")
    compare(6, layer.output_dense.kernel, "output kernel", "row", "column")
    # ko: compare(6, layer.output_dense.kernel, "출력 커널", "행", "열")
    check.close(received[7], to_numpy(layer.output_dense.bias), "the output bias", hints={"it was not copied.": np.zeros(6)})
    # ko: check.close(received[7], to_numpy(layer.output_dense.bias), "출력의 편향", hints={"복사하지 않았습니다.": np.zeros(6)})
    output, scores = layer(x_query, x_key, x_value, return_attention_scores=True)
    keras_output, keras_scores = keras_layer(x_query, x_value, x_key, return_attention_scores=True)
    which = "below, 'you gave' is what Keras's layer gives after the copy, 'expected' what your own layer gives. Does your layer pass its own checks (task 4)?"
    # ko: which = "아래에서 '여러분의 값'은 복사한 뒤 케라스의 계층이 낸 값이고, '기대한 값'은 여러분의 계층이 낸 값입니다. 여러분의 계층은 자기 공개 검사(과제 4)를 통과하나요?"
    check.close(keras_scores, scores, "the same attention weights from both layers", otherwise=which)
    # ko: check.close(keras_scores, scores, "두 계층의 같은 어텐션 가중치", otherwise=which)
    check.close(keras_output, output, "the same output from both layers", otherwise=which)
    # ko: check.close(keras_output, output, "두 계층의 같은 출력", otherwise=which)

    from unittest import mock

    def other_order(name):
        in_order = getattr(type(layer), name).fget
        return mock.patch.object(type(layer), name, property(lambda self: in_order(self)[2:] + in_order(self)[:2]))

    with other_order("weights"), other_order("trainable_weights"), other_order("variables"):
        try:
            copy_weights_to_keras(layer, keras_layer)
            by_name = all(np.array_equal(old, new) for old, new in zip(received, keras_layer.get_weights(), strict=True))
        except ValueError:  # the shapes don't fit any more
        # ko: except ValueError:  # 모양이 더는 맞지 않습니다
            by_name = False
    if not by_name:
        check.note("it relies on the order in which your layer made its four sublayers. Ask them by their names.")
        # ko: check.note("여러분의 계층이 하위 계층 네 개를 만든 순서에 기대고 있습니다. 이름으로 부르세요.")
_check

# %%
# A whole batch of outputs, number by number: your layer against Keras's.
# ko: # 배치 전체의 출력을 수 하나하나 비교: 여러분의 계층과 케라스의 계층
@demonstrate
def _demo():
    keras.utils.set_random_seed(4)
    mine, twin = MultiHeadAttention(d_model=24, num_heads=8), keras.layers.MultiHeadAttention(num_heads=8, key_dim=3)
    batch_of_sequences = np.random.default_rng(4).normal(size=(4, 10, 24)).astype("float32")
    mine(batch_of_sequences, batch_of_sequences, batch_of_sequences)
    untouched = to_numpy(twin(batch_of_sequences, batch_of_sequences))
    copy_weights_to_keras(mine, twin)
    own = to_numpy(mine(batch_of_sequences, batch_of_sequences, batch_of_sequences))
    same = to_numpy(twin(batch_of_sequences, batch_of_sequences))

    figure, axes = plt.subplots(1, 2, figsize=(8, 3.6), sharex=True, sharey=True, layout="constrained")
    for ax, theirs, title in ((axes[0], untouched, "before the copy"), (axes[1], same, "after the copy")):
    # ko: for ax, theirs, title in ((axes[0], untouched, "복사하기 전 (before)"), (axes[1], same, "복사한 뒤 (after)")):
        ax.plot(own.ravel(), theirs.ravel(), ".", markersize=3)
        ax.axline((0, 0), slope=1, color="grey", linewidth=0.8)
        ax.set(title=title, xlabel="your layer's output", ylabel="Keras's output")
        # ko: ax.set(title=title, xlabel="여러분이 만든 계층의 출력 (yours)", ylabel="케라스의 출력 (Keras)")
    plt.show()
    print(f"largest difference after the copy: {np.abs(own - same).max():.1e}")
    # ko: print(f"복사한 뒤 가장 큰 차이: {np.abs(own - same).max():.1e}")

# %% [markdown]
# ## What do heads learn? A copying exercise
#
# A small experiment, to look into trained heads: sequences of 6 random tokens with 12 features,
# attention with 4 heads of 3, then a dense layer back to 12 features: 624 + 156 = 780 parameters. The model shall
# give back its input, so a head does best if every token looks at **itself**: ones on the diagonal.
#
# There are no positions in it. A token can find itself only by what it is: its query must match its own key better
# than all others.
#
# <!-- ko -->
# ## 헤드는 무엇을 배우는가? 입력을 베끼는 실험
#
# 작은 실험으로 학습한 헤드 속을 들여다봅시다. 특징이 12개인 무작위 토큰 6개의 시퀀스에 너비 3인 헤드
# 4개로 어텐션을 하고, `Dense` 계층으로 다시 특징 12개를 만듭니다. 파라미터는 624 + 156 = 780개입니다. 모델은 입력을
# 그대로 되돌려 주어야 하므로, 어느 헤드든 토큰이 **자기 자신**만 보는 것이 가장 좋습니다. 곧 대각선이 1인
# 가중치 행렬입니다.
#
# 여기에는 위치 정보가 없습니다. 토큰은 자기가 무엇인지만 가지고 자신을 찾아야 합니다. 자기 쿼리가 다른 어떤 키보다
# 자기 키와 잘 맞아야 합니다.

# %%
@demonstrate
def _demo():
    num_heads, key_dim = 4, 3  # try 1 and 12
    # ko: num_heads, key_dim = 4, 3  # 1과 12로도 해 보세요
    keras.utils.set_random_seed(0)
    tokens_in = keras.Input((6, 12))
    self_attention = keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)
    tokens_out = keras.layers.Dense(12)(self_attention(tokens_in, tokens_in))
    copier = keras.Model(tokens_in, tokens_out)
    print("parameters:", copier.count_params())
    # ko: print("파라미터 수:", copier.count_params())

    rng = np.random.default_rng(0)
    sequences = rng.standard_normal((300 * 128, 6, 12)).astype("float32")
    copier.compile(optimizer=keras.optimizers.Adam(1e-2), loss="mse", jit_compile=False)
    copier.fit(sequences, sequences, batch_size=128, epochs=1, verbose=0)  # 300 updates, each sequence seen once
    # ko: copier.fit(sequences, sequences, batch_size=128, epochs=1, verbose=0)  # 업데이트 300번, 시퀀스마다 한 번씩만 봅니다

    new_sequences = rng.standard_normal((64, 6, 12)).astype("float32")
    copies = to_numpy(copier(new_sequences))
    _, learned = self_attention(new_sequences, new_sequences, return_attention_scores=True)
    learned = to_numpy(learned)
    error, nothing = np.mean((copies - new_sequences) ** 2), np.mean(new_sequences**2)
    print(f"mean squared error on new sequences: {error:.3f} (giving back zeros: {nothing:.3f})")
    # ko: print(f"새 시퀀스의 평균 제곱 오차: {error:.3f} (0만 돌려주면 {nothing:.3f})")
    on_itself = learned.diagonal(axis1=2, axis2=3).mean(axis=(0, 2))
    print("weight on itself, by head:", on_itself, f"(uniform: {1 / 6:.3f})")
    # ko: print("헤드마다 자기 자신에 주는 가중치:", on_itself, f"(균등하면 {1 / 6:.3f})")

    figure, axes = plt.subplots(num_heads, 2, figsize=(7, 3.1 * num_heads), layout="constrained", squeeze=False)
    for head in range(num_heads):
        show_weights(axes[head, 0], learned[0, head], f"head {head}, one sequence")
        # ko: show_weights(axes[head, 0], learned[0, head], f"헤드 {head}, 시퀀스 하나 (one)")
        image = show_weights(axes[head, 1], learned[:, head].mean(axis=0), f"head {head}, mean of 64")
        # ko: image = show_weights(axes[head, 1], learned[:, head].mean(axis=0), f"헤드 {head}, 64개의 평균 (mean)")
    figure.colorbar(image, ax=axes, label="attention weight", shrink=0.5)
    # ko: figure.colorbar(image, ax=axes, label="어텐션 가중치 (weight)", shrink=0.5)
    figure.suptitle("Does a trained head look for the token itself?")
    # ko: figure.suptitle("학습한 헤드는 자기 토큰을 찾을까?")
    plt.show()

# %% [markdown]
# On average (right) the diagonal stands out, and the model gives back most of its input. It is not perfect, and the
# heads are why: with 3 features for queries and keys, a head compares tokens in only 3 directions out of 12. Tokens that
# happen to lie near each other there are mixed up, as in many rows of the single sequence (left).
#
# Try `num_heads, key_dim = 1, 12`. The parameter count stays **780**, but the error falls to about a tenth: one wide
# head recognises a token far better than four narrow ones. More heads are not better in themselves. They buy several
# *different* looks at a sequence at the price of a coarser comparison in each; for language that is a good bargain,
# for copying it isn't.
#
# ## ★ Two heads by hand (optional, no points)
#
# *Difficulty 4 of 5, about 60 minutes.*
#
# Heads that a human understands, without any training. Each token has 12 features: 6 say where it stands (one-hot) and 6 what it is. Take your layer with
# `d_model=12` and two heads, and write numbers into its weights so that **head 0 looks one token back and head 1 one token ahead**. The output shall hold,
# at each position, in its first 6 features what the token before it is, in its last 6 what the token behind it is. At the two ends a head may look wherever it likes.
#
# What must a query ask, and what must a key answer? (In notebook 02 one-hot words looked for their successors. Now it is positions, and there are two heads.)
#
# <details><summary>Hint 1: Which columns of the projections belong to which head?</summary>
#
# In those of the queries, keys and values, columns 0 to 5 to head 0, 6 to 11 to head 1; rows 0 to 5 read where a token stands, rows 6 to 11 what it is. In the
# output projection the *rows* belong to the heads.
#
# </details>
#
# <details><summary>Hint 2: Keys, values, output</summary>
#
# For both heads a key says where its token stands and a value what it is: two identities side by side, in the rows that read the one and the other. The output
# projection has nothing left to change: make it the identity.
#
# </details>
#
# <details><summary>Hint 3: Queries</summary>
#
# In head 0 the query of position $p$ should fit the key of position $p - 1$, in head 1 that of $p + 1$: the identity with its ones moved by one column, to
# either side. `np.eye` has an argument for that. Make them large, so that the choice is clear.
#
# </details>
#
# <!-- ko -->
# 평균을 보면(오른쪽) 대각선이 두드러지고, 모델은 입력의 대부분을 되돌려 줍니다. 완벽하지는 않은데, 그 까닭은 헤드에
# 있습니다. 쿼리와 키의 특징이 3개이면 헤드는 12개 방향 가운데 3개 방향에서만 토큰을 비교합니다. 거기서 우연히 가까이
# 있는 토큰들은 서로 섞입니다. 시퀀스 하나를 그린 그림(왼쪽)의 여러 행이 그렇습니다.
#
# `num_heads, key_dim = 1, 12`로도 해 보세요. 파라미터 수는 그대로 **780**이지만 오차는 10분의 1쯤으로 떨어집니다.
# 넓은 헤드 하나가 좁은 헤드 넷보다 토큰을 훨씬 잘 알아봅니다. 헤드가 많다고 해서 그 자체로 더 좋은 것은 아닙니다.
# 헤드를 늘리면 시퀀스를 여러 가지로 *다르게* 볼 수 있지만, 그 대신 하나하나의 비교가 거칠어집니다. 언어에서는
# 이득이지만 베끼기에서는 그렇지 않습니다.
#
# ## ★ 손으로 만드는 두 헤드 (선택, 점수 없음)
#
# *난이도 4/5, 60분쯤.*
#
# 학습하지 않고도 사람이 이해할 수 있는 헤드를 만들어 봅시다. 토큰마다 특징이 12개 있습니다. 6개는 어디에 있는지(원핫), 6개는 무엇인지를 나타냅니다.
# `d_model=12`이고 헤드가 둘인 여러분의 계층을 써서, **헤드 0은 바로 앞 토큰($p - 1$)을, 헤드 1은 바로 뒤 토큰($p + 1$)을 보도록** 가중치에 수를 넣으세요. 출력에는 위치마다 앞
# 토큰이 무엇인지(처음 특징 6개)와 뒤 토큰이 무엇인지(나머지 6개)가 담겨야 합니다. 양 끝에서 볼 토큰이 없는 헤드는 어디를 보아도 됩니다.
#
# 쿼리는 무엇을 물어야 하고 키는 무엇을 답해야 할까요? (2번 노트북에서는 원핫 단어가 다음 단어를 찾았습니다. 이번에는 위치이고, 헤드가 둘입니다.)
#
# <details><summary>힌트 1: 투영의 어느 열이 어느 헤드의 것일까요?</summary>
#
# 쿼리, 키, 값의 투영에서는 0번부터 5번 열까지가 헤드 0, 6번부터 11번 열까지가 헤드 1의 것입니다. 0번부터 5번 행까지는 토큰이 어디에 있는지를, 6번부터 11번
# 행까지는 무엇인지를 읽습니다. 출력의 투영에서는 *행*이 헤드에 속합니다.
#
# </details>
#
# <details><summary>힌트 2: 키, 값, 출력</summary>
#
# 두 헤드 모두 키는 토큰이 어디에 있는지를, 값은 무엇인지를 말합니다. 각각을 읽는 행에 단위행렬 둘을 나란히 놓으면 됩니다. 출력의 투영은 더 바꿀
# 것이 없으니 단위행렬로 두세요.
#
# </details>
#
# <details><summary>힌트 3: 쿼리</summary>
#
# 위치 $p$의 쿼리는 헤드 0에서는 위치 $p - 1$의 키와, 헤드 1에서는 $p + 1$의 키와 맞아야 합니다. 1을 한 열씩 양쪽으로 옮긴 단위행렬입니다. `np.eye`에
# 그런 인수가 있습니다. 선택이 뚜렷하도록 큰 수를 쓰세요.
#
# </details>


# %%
def _set_two_heads(layer):
    """
    Write weights into the layer with which head 0 looks one token back and head 1 one token ahead.
    # ko: 헤드 0은 바로 앞 토큰을, 헤드 1은 바로 뒤 토큰을 보게 하는 가중치를 계층에 넣습니다.

    Args:
    # ko: 인수:
        layer: your `MultiHeadAttention(d_model=12, num_heads=2)`, called once on tokens of 12 features.
        # ko: layer: 특징이 12개인 토큰으로 한 번 호출한, 여러분의 `MultiHeadAttention(d_model=12, num_heads=2)`.
    """
    raise NotImplementedError()  # your lines here: layer.query_dense.set_weights([kernel, bias]), …
    # ko: raise NotImplementedError()  # 여기에 여러분의 코드를: layer.query_dense.set_weights([kernel, bias]), …


# %% folded=true
@demonstrate
def _demo():
    words = np.random.default_rng(7).permutation(6)
    what = np.eye(6)[words]
    sentence = np.concatenate([np.eye(6), what], axis=-1)[None].astype("float32")
    layer = MultiHeadAttention(d_model=12, num_heads=2)
    layer(sentence, sentence, sentence)
    _set_two_heads(layer)
    output, weights = map(to_numpy, layer(sentence, sentence, sentence, return_attention_scores=True))
    findings = {
        "head 0 looks one token back": np.allclose(weights[0, 0, 1:, :-1], np.eye(5), atol=0.05),
        # ko: "헤드 0은 바로 앞 토큰을 본다": np.allclose(weights[0, 0, 1:, :-1], np.eye(5), atol=0.05),
        "head 1 looks one token ahead": np.allclose(weights[0, 1, :-1, 1:], np.eye(5), atol=0.05),
        # ko: "헤드 1은 바로 뒤 토큰을 본다": np.allclose(weights[0, 1, :-1, 1:], np.eye(5), atol=0.05),
        "the first 6 features say what stands before": np.allclose(output[0, 1:, :6], what[:-1], atol=0.1),
        # ko: "처음 특징 6개는 앞 토큰이 무엇인지 말한다": np.allclose(output[0, 1:, :6], what[:-1], atol=0.1),
        "the last 6 features say what stands behind": np.allclose(output[0, :-1, 6:], what[1:], atol=0.1),
        # ko: "나머지 특징 6개는 뒤 토큰이 무엇인지 말한다": np.allclose(output[0, :-1, 6:], what[1:], atol=0.1),
    }
    for name, holds in findings.items():
        print("✓" if holds else "✗", name)
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
    for head, ax in enumerate(axes):
        show_weights(ax, weights[0, head], f"head {head}")
        # ko: show_weights(ax, weights[0, head], f"헤드 (head) {head}")
    plt.show()

# %% [markdown]
# ## What you have now
#
# | idea | remember |
# |---|---|
# | heads | neighbouring features: reshape, **then** transpose; merging goes the other way round |
# | attention | unchanged: the heads are one more leading dimension |
# | scale | the root of `head_dim`, not of `d_model` |
# | mask | broadcast to (batch, num_heads, query_len, key_len), the same for every head |
# | layer | three projections in, one out; only they have parameters |
# | checking | shapes, parameter counts, training success all overlook mistakes; comparing values doesn't |
#
# **Next**: masks. Padding, look-ahead, both at once, and the moment when your convention meets Keras's opposite one.
#
# ### References
#
# - Vaswani et al., *Attention Is All You Need*, 2017, sections 3.2.1 (scaling) and 3.2.2 (multi-head attention).
# - Michel, Levy and Neubig, *Are Sixteen Heads Really Better than One?*, 2019: many heads of trained models can be removed.
# - Voita et al., *Analyzing Multi-Head Self-Attention*, 2019: what the heads that matter look at.
#
# <!-- ko -->
# ## 지금까지 만든 것
#
# | 개념 | 기억할 것 |
# |---|---|
# | 헤드 | 이웃한 특징: reshape를 **먼저**, transpose를 나중에. 합칠 때는 거꾸로 |
# | 어텐션 | 그대로: 헤드는 앞쪽 차원이 하나 늘어난 것일 뿐 |
# | 스케일링 | `d_model`이 아니라 `head_dim`의 제곱근 |
# | 마스크 | (batch, num_heads, query_len, key_len)으로 브로드캐스트, 모든 헤드에 같은 것 |
# | 계층 | 들어갈 때 투영 셋, 나올 때 하나. 파라미터는 투영에만 있다 |
# | 확인 | 모양, 파라미터 수, 학습의 성공은 모두 잘못을 놓치지만 값의 비교는 놓치지 않는다 |
#
# **다음**: 마스크. 패딩 마스크와 룩어헤드 마스크, 그리고 둘을 함께 쓰는 법을 다룹니다. 우리의 규약과 반대인
# 케라스의 규약도 만납니다.
#
# ### 참고 문헌
#
# - Vaswani et al., *Attention Is All You Need*, 2017, 3.2.1절(스케일링)과 3.2.2절(멀티 헤드 어텐션).
# - Michel, Levy and Neubig, *Are Sixteen Heads Really Better than One?*, 2019: 학습한 모델의 헤드는 많이 없애도 된다.
# - Voita et al., *Analyzing Multi-Head Self-Attention*, 2019: 중요한 헤드는 무엇을 보는가.
