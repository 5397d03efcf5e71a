# %% [markdown] notebook="scaled_dot_product_attention"
# # Scaled dot-product attention
#
# A sequence model has to let one position use what stands at another. Attention does this with a weighted average: a
# **query** is compared with every **key**, the comparisons become weights, and the weights average the **values**. This
# notebook builds that average from its smallest piece, the softmax, up to the equation on which the Transformer rests:
#
# $$\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# ![You are here: the three attentions of the whole model, in the encoder block, in the decoder block, and from the decoder to the encoder's memory.](../_shared/diagrams/model-02.svg)
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `softmax`: scores into weights, without overflow | 3 |
# | 2 | `attention_scores`: every query against every key | 3 |
# | 3 | `scaled_dot_product_attention`: weights, output, mask | 6 |
# | 4 | `projected_attention`: learned projections, self- and cross-attention | 3 |
# | 5 | `score_std`: why the square root | 2 |
# | 6 | `additive_attention`: the older sibling | 3 |
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each one holds public checks that tell
# you in a sentence what is wrong. Points come from other inputs after you hand in, in steps, so half a task is worth
# something. A mistake in one task does not cost you the points of a later one.
#
# **Which library?** NumPy, `keras.ops` and `tf.*` all count the same. The checks hand over NumPy arrays, and your functions may return
# arrays or tensors. In tasks 3, 4 and 6, though, your own functions call one another, so that a tensor may come in. Write
# `np.max(x, …)` or `ops.max(x, …)`, which take both, instead of methods of arrays such as `x.max(…)`.
#
# **Words for shapes.** `query_len` queries of width `key_dim` ($d_k$ in the equation), `key_len` keys of the same width, and `key_len` values of
# width `value_dim`. The three dots in `(..., query_len, key_dim)` stand for any number of leading dimensions, none
# included: `()`, `(batch,)`, `(batch, num_heads)`. (A *head* is one of several attentions that run side by side; notebook 03 builds them.)
#
# <!-- ko -->
# # 스케일드 닷 프로덕트 어텐션
#
# 시퀀스 모델에서는 한 위치에서 다른 위치의 정보를 가져다 쓸 수 있어야 합니다. 어텐션(attention)은 이 일을 가중
# 평균으로 합니다. **쿼리**(query)를 모든 **키**(key)와 비교하고, 비교한 결과를 가중치(weight)로 바꾼 다음, 그 가중치로
# **값**(value)들을 평균합니다. 이 노트북에서는 가장 작은 조각인 소프트맥스(softmax)부터 시작해, 트랜스포머(Transformer)의
# 바탕이 되는 식, 곧 스케일드 닷 프로덕트 어텐션(scaled dot-product attention)까지 이 평균을 완성해 갑니다.
#
# $$\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# ![지금 여기: 전체 모델에 있는 세 어텐션. 인코더 블록의 것, 디코더 블록의 것, 디코더에서 인코더의 메모리를 보는 것.](../_shared/diagrams/model-02.svg)
#
# | 과제 | 작성할 것 | 배점 |
# |---|---|---|
# | 1 | `softmax`: 점수(score)를 가중치로, 오버플로 없이 | 3 |
# | 2 | `attention_scores`: 모든 쿼리와 모든 키의 점수 | 3 |
# | 3 | `scaled_dot_product_attention`: 가중치, 출력, 마스크(mask) | 6 |
# | 4 | `projected_attention`: 학습되는 투영(projection), 셀프 어텐션(self-attention)과 교차 어텐션(cross-attention) | 3 |
# | 5 | `score_std`: 왜 제곱근인가 | 2 |
# | 6 | `additive_attention`: 먼저 나온 방법, 가산 어텐션(additive attention) | 3 |
#
# **진행 방법.** `# YOUR CODE HERE`라고 적힌 셀을 채우세요. 바로 아래 셀의 공개 검사가 무엇이 틀렸는지 문장으로 알려
# 줍니다. 채점은 제출한 뒤 다른 입력으로 단계별로 하므로, 과제를 절반만 맞혀도 그만큼 인정받습니다. 한 과제에서 틀려도
# 뒤 과제의 점수는 깎이지 않습니다.
#
# **어떤 라이브러리로?** NumPy, `keras.ops`, `tf.*` 모두 똑같이 인정합니다. 검사는 NumPy 배열(array)을 넘기고, 여러분의 함수는
# 배열을 돌려주어도 되고 텐서(tensor)를 돌려주어도 됩니다. 그러나 과제 3, 4, 6에서는 여러분의 함수끼리 부르므로 텐서가 들어올 수도
# 있습니다. `x.max(…)` 같은 배열의 메서드 대신, 둘 다 받는 `np.max(x, …)`나 `ops.max(x, …)`를 쓰세요.
#
# **모양을 나타내는 말.** 너비 `key_dim`(식의 $d_k$)인 쿼리가 `query_len`개, 너비가 같은 키가 `key_len`개, 너비 `value_dim`인 값이
# `key_len`개 있습니다. `(..., query_len, key_dim)`의 점 세 개는 앞쪽 차원(leading dimensions)을 뜻합니다. 몇 개든 올 수
# 있고 없어도 됩니다. `()`, `(batch,)`, `(batch, num_heads)`가 그 예입니다. (*헤드*(head)는 나란히 계산하는 여러 어텐션 가운데 하나이며, 3번 노트북에서 만듭니다.)

# %% locked="setup" include="quiet_keras.py"
import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops

to_numpy = ops.convert_to_numpy  # a tensor of any backend as a NumPy array
# ko: to_numpy = ops.convert_to_numpy  # 어느 백엔드의 텐서든 NumPy 배열로


def show_weights(weights, queries=None, keys=None, title="", ax=None, mask=None):
    """
    Draw attention weights (query_len, key_len) as a heat map: a row for every query, a column for every key.
    # ko: 어텐션 가중치 (query_len, key_len)를 색으로 그립니다. 쿼리마다 한 행, 키마다 한 열입니다.

    Cells that `mask` (1 hides) hides are grey.
    # ko: `mask`(1이 가림)가 가리는 칸은 회색입니다.
    """
    weights = to_numpy(weights)
    hidden = np.broadcast_to(0 if mask is None else mask, weights.shape) == 1
    rows, columns = weights.shape
    ax = ax or plt.subplots(figsize=(1.5 + 0.6 * columns, 1.2 + 0.5 * rows))[1]
    ax.set_facecolor("lightgrey")
    image = ax.imshow(np.ma.masked_where(hidden, weights), cmap="viridis", vmin=0, vmax=1)
    ax.set_yticks(range(rows), queries if queries is not None else [f"q{i}" for i in range(rows)])
    ax.set_xticks(range(columns), keys if keys is not None else [f"k{j}" for j in range(columns)], rotation=45)
    for (i, j), weight in np.ndenumerate(weights):
        dark = weight > 0.6 or hidden[i, j]
        ax.text(j, i, f"{weight:.2f}", ha="center", va="center", fontsize=8, color="black" if dark else "white")
    ax.set(title=title, xlabel="keys", ylabel="queries")
    # ko: ax.set(title=title, xlabel="키 (keys)", ylabel="쿼리 (queries)")
    ax.figure.colorbar(image, ax=ax, label="weight", shrink=0.8)
    # ko: ax.figure.colorbar(image, ax=ax, label="가중치 (weight)", shrink=0.8)
    return ax


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## From one vector to all of them
#
# The neural translation models of 2014 read a sentence word by word and handed **one** vector, its last state, to the decoder (Cho et al. 2014;
# Sutskever et al. 2014). Everything the
# decoder would ever know about the sentence had to fit into it: a **bottleneck**. Bahdanau, Cho and Bengio (2015) removed it. They kept the
# states $h_1, \dots, h_n$ of *all* words and let the decoder average them anew at each step, with weights that say how well each of them
# fits what it needs just now.
#
# In today's words: what the decoder needs is the **query**, and the $h_j$ are both **keys** (what is compared) and **values** (what is averaged).
# Nothing is picked outright, so everything is differentiable, and what makes the weights can be learned. That is all there is to attention, and you build
# it now, from its smallest piece. (Bahdanau's own way to compare, and what the one vector loses, come back in task 6.)
#
# ## Task 1: softmax, from scores to weights (3 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# The softmax turns any real scores $x_1, \dots, x_n$ into weights that are positive (or 0 by rounding) and add up to 1:
#
# $$\operatorname{softmax}(x)_i = \frac{e^{x_i}}{\sum_j e^{x_j}}$$
#
# | | shape |
# |---|---|
# | `x` | any, for example `(query_len, key_len)` |
# | `axis` | the axis along which the weights add up to 1 |
# | result | the shape of `x` |
#
# Worked out for $x = (1, 2, 3)$: $e^x = (2.718, 7.389, 20.086)$, their sum is $30.193$, so the weights are
# $(0.0900, 0.2447, 0.6652)$.
#
# Now the trap. Floating-point numbers have a largest one: in float32 $e^{89}$ is already infinite, and $\infty/\infty$ is NaN. At the other end
# $e^{-104}$ is 0, and $0/0$ is NaN as well. The cell shows both. The way out is a property of the softmax itself: for
# any constant $c$
#
# $$\frac{e^{x_i - c}}{\sum_j e^{x_j - c}} = \frac{e^{-c} e^{x_i}}{e^{-c} \sum_j e^{x_j}} = \operatorname{softmax}(x)_i ,$$
#
# so you are free to choose a $c$ that keeps every exponential harmless. Which one? Remember that different rows may
# need different ones.
#
# <details><summary>Hint 1: Which c keeps every exponential at most 1?</summary>
#
# If the largest score becomes 0, every exponential lies between 0 and 1, and at least one of them is 1: neither $\infty/\infty$ nor
# $0/0$ can come of it. Each slice along `axis` has a largest score of its own.
#
# </details>
#
# <details><summary>Hint 2: How does a maximum stay subtractable?</summary>
#
# `ops.max(x, axis=axis)` loses an axis. Broadcasting then lines it up with other axes of `x` than you mean: mostly that is an error, but
# where the lengths happen to agree the numbers are wrong without one. With `keepdims=True` the axis stays, with length 1, and broadcasting
# does the rest. The sum in the denominator needs the same.
#
# </details>
#
# <!-- ko -->
# ## 벡터 하나에서 모든 벡터로
#
# 2014년의 신경망 번역 모델은 문장을 한 단어씩 읽고 마지막 상태인 벡터 **하나**만 디코더(decoder)에 넘겼습니다(Cho et al. 2014; Sutskever et al. 2014).
# 디코더가 그 문장에 대해 알아야 할
# 내용을 모두 이 벡터에 담아야 했습니다. 이것이 **병목**(bottleneck)입니다. Bahdanau, Cho, Bengio(2015)는 이 병목을 없앴습니다. *모든* 단어의
# 상태 $h_1, \dots, h_n$을 남겨 두고, 디코더가 단계마다 그것들을 새로 평균하게 했습니다. 가중치는 각 상태가 지금 얼마나 필요한지를
# 나타냅니다.
#
# 오늘날의 말로 하면 디코더가 지금 찾는 내용이 **쿼리**이고, $h_j$는 비교의 대상인 **키**이자 평균의 대상인 **값**입니다. 어느 하나를 딱 골라내지
# 않으므로 전체가 미분 가능하고, 가중치를 만드는 방법을 학습할 수 있습니다. 어텐션은 이것이 전부입니다. 이제 가장 작은 조각부터 직접 만들어 봅시다.
# (Bahdanau가 쿼리와 키를 비교한 방법, 그리고 벡터 하나로는 무엇을 잃는지는 과제 6에서 다룹니다.)
#
# ## 과제 1: 소프트맥스, 점수를 가중치로 (3점)
#
# *난이도 2/5, 20분쯤.*
#
# 소프트맥스는 어떤 실수 점수 $x_1, \dots, x_n$이든 양수이고(반올림하면 0일 수도 있습니다) 합이 1인 가중치로 바꿉니다.
#
# $$\operatorname{softmax}(x)_i = \frac{e^{x_i}}{\sum_j e^{x_j}}$$
#
# | | 모양 |
# |---|---|
# | `x` | 무엇이든. 예를 들어 `(query_len, key_len)` |
# | `axis` | 가중치의 합이 1이 되는 축(axis) |
# | 결과 | `x`와 같은 모양 |
#
# $x = (1, 2, 3)$으로 계산해 봅시다. $e^x = (2.718, 7.389, 20.086)$이고 합은 $30.193$이므로 가중치는
# $(0.0900, 0.2447, 0.6652)$입니다.
#
# 이제 함정을 봅시다. 컴퓨터가 나타낼 수 있는 수에는 한계가 있습니다. float32에서 $e^{89}$은 이미 무한대이고 $\infty/\infty$는 NaN입니다.
# 반대쪽 끝에서는 $e^{-104}$이 0이고 $0/0$도 NaN입니다. 아래 셀이 둘 다 보여 줍니다. 빠져나갈 길은 소프트맥스 자체의
# 성질에 있습니다. 어떤 상수 $c$에 대해서도
#
# $$\frac{e^{x_i - c}}{\sum_j e^{x_j - c}} = \frac{e^{-c} e^{x_i}}{e^{-c} \sum_j e^{x_j}} = \operatorname{softmax}(x)_i$$
#
# 이므로, 지수 함수의 값이 모두 안전한 크기가 되도록 $c$를 마음대로 골라도 됩니다. 어떤 $c$가 좋을까요? 행(row)마다 다른
# $c$가 필요할 수 있다는 점을 기억하세요.
#
# <details><summary>힌트 1: 어떤 c를 빼면 지수 함수의 값이 모두 1 이하일까요?</summary>
#
# 가장 큰 점수가 0이 되게 하면 지수 함수의 값은 모두 0과 1 사이에 있고 적어도 하나는 1입니다. 그러면 $\infty/\infty$도 $0/0$도 생기지
# 않습니다. 가장 큰 점수는 `axis`를 따라 자른 조각마다 다릅니다.
#
# </details>
#
# <details><summary>힌트 2: 최댓값을 뺄 수 있는 모양으로 남기려면?</summary>
#
# `ops.max(x, axis=axis)`를 하면 축 하나가 사라지고, 브로드캐스트는 그 결과를 `x`의 엉뚱한 축에 맞추려 합니다. 대개는 오류가 나지만, 마침
# 길이가 같으면 오류 없이 틀린 수가 나옵니다. `keepdims=True`를 주면 그 축이 길이 1로 남고, 나머지는 브로드캐스트가 맞춰 줍니다. 분모의 합도
# 마찬가지입니다.
#
# </details>

# %%
@demonstrate
def _demo():
    with np.errstate(all="ignore"):
        for scores in ([1.0, 2.0, 3.0], [1001.0, 1002.0, 1003.0], [-1003.0, -1002.0, -1001.0]):
            exponentials = np.exp(np.array(scores, dtype="float32"))
            print(f"{scores}  exp: {exponentials}  divided by their sum: {exponentials / exponentials.sum()}")
            # ko: print(f"{scores}  exp: {exponentials}  합으로 나누면: {exponentials / exponentials.sum()}")


# %% task="softmax"
def softmax(x, axis=-1):
    """
    Turn scores into positive weights that add up to 1 along an axis.
    # ko: 점수를, 양수이고 한 축을 따라 합이 1인 가중치로 바꿉니다.

    Right for scores of any size: in the thousands, positive or negative, and for rows that lie thousands apart.
    # ko: 점수의 크기가 어떻든 맞습니다. 점수가 수천이거나 -수천이어도, 행끼리 수천씩 떨어져 있어도 됩니다.

    Args:
    # ko: 인수:
        x: scores of any shape, floats; integers too, if the functions that you use take them.
        # ko: x: 점수. 모양은 무엇이든 되고 실수입니다. 사용하는 함수가 받는다면 정수도 됩니다.
        axis: the axis along which the weights add up to 1, counted from the front or (negative) from the back.
        # ko: axis: 가중치의 합이 1이 되는 축. 앞에서부터 세거나, 음수이면 뒤에서부터 셉니다.

    Returns:
    # ko: 반환값:
        Weights, the shape of `x`.
        # ko: 가중치, `x`와 같은 모양.
    """
    ### BEGIN SOLUTION
    x = ops.convert_to_tensor(x)
    # the largest score becomes 0: no exponential exceeds 1 and no sum is below 1
    exponentials = ops.exp(x - ops.max(x, axis=axis, keepdims=True))
    return exponentials / ops.sum(exponentials, axis=axis, keepdims=True)
    ### END SOLUTION


# %% grade="softmax" points=3
@checking("softmax")
def _check(check):
    grid = np.array([[1, 2, 3], [0, 0, 5]], dtype="float32")
    by_rows = [[0.09003057, 0.24472847, 0.66524096], [0.00664835, 0.00664835, 0.98670329]]
    by_columns = [[0.73105858, 0.88079708, 0.11920292], [0.26894142, 0.11920292, 0.88079708]]
    all_at_once = [[0.01505089, 0.04091256, 0.11121188], [0.00553691, 0.00553691, 0.82175083]]
    rows_at_once = [[0.0537751, 0.14617587, 0.39734721], [0.0026773, 0.0026773, 0.39734721]]
    exponentials = [[0.13533528, 0.36787944, 1.0], [0.00673795, 0.00673795, 1.0]]
    mixed_axes = [[0.95257413, 0.98201379, 0.5], [0.04742587, 0.01798621, 0.5]]
    weights = softmax(grid.copy())
    check.shape(weights, (2, 3), "(rows, columns)")
    # ko: check.shape(weights, (2, 3), "(행, 열)")
    check.close(
        weights,
        by_rows,
        "softmax([[1, 2, 3], [0, 0, 5]])",
        hints={
            "the whole table adds up to 1, but every row should. Sum along `axis`.": all_at_once,
            # ko: "표 전체의 합이 1입니다. 행마다 합이 1이어야 합니다. `axis`를 따라 더하세요.": all_at_once,
            "all rows together add up to 1, but every row should. Sum along `axis`.": rows_at_once,
            # ko: "모든 행을 합해서 1입니다. 행마다 합이 1이어야 합니다. `axis`를 따라 더하세요.": rows_at_once,
            "these don't add up to 1: the exponentials are not divided by their sum yet.": exponentials,
            # ko: "합이 1이 아닙니다. 지수 함수의 값을 그 합으로 나누지 않았습니다.": exponentials,
            "the columns add up to 1. Without `axis`, the last one is meant.": by_columns,
            # ko: "열마다 합이 1입니다. `axis`를 주지 않으면 마지막 축을 뜻합니다.": by_columns,
        },
    )
    check.close(
        softmax(grid.copy(), axis=0),
        by_columns,
        "the same along axis 0",
        # ko: "같은 점수를 축 0을 따라 계산한 가중치",
        hints={
            "the sum runs along `axis`, but what is taken off is the largest score of each row. Both run along `axis`.": mixed_axes,
            # ko: "`axis`를 따라 더했지만 뺀 것은 행마다의 최댓값입니다. 둘 다 `axis`를 따라야 합니다.": mixed_axes,
            "the rows add up to 1: `axis` has no effect.": by_rows,
            # ko: "행마다 합이 1입니다. `axis`가 쓰이지 않습니다.": by_rows,
        },
    )
    far_apart = np.array([[1001, 1002, 1003], [-1003, -1002, -1001]], dtype="float32")
    check.close(
        softmax(far_apart),
        [[0.09003057, 0.24472847, 0.66524096]] * 2,
        "softmax([[1001, 1002, 1003], [-1003, -1002, -1001]])",
        otherwise="Is each row's own largest score taken off?",
        # ko: otherwise="행마다 자기 최댓값을 뺐나요?",
    )
    check.close(
        softmax(np.array([[0, 0, 5000]], dtype="float32")),
        [[0, 0, 1]],
        "softmax([[0, 0, 5000]])",
        otherwise="Is the row's largest score taken off, not its mean or its smallest?",
        # ko: otherwise="평균이나 최솟값이 아니라 그 행의 최댓값을 뺐나요?",
    )
    integers = np.array([[1, 2, 3], [0, 0, 5]])
    check.notes_failure(lambda: softmax(integers.copy()), "integers make it fail")
    # ko: check.notes_failure(lambda: softmax(integers.copy()), "정수를 넣으면 실패합니다")
    if not check.notes:
        check.close(
            softmax(integers.copy()),
            by_rows,
            "softmax of integers",
            # ko: "정수의 softmax",
            hints={
                "all are 0. Does the result get the dtype of `x`? Whole numbers can't say what lies between 0 and 1.": np.zeros((2, 3)),
                # ko: "모두 0입니다. 결과의 dtype을 `x`와 같게 하지 않았나요? 0과 1 사이의 가중치는 정수로 나타낼 수 없습니다.": np.zeros((2, 3)),
            },
        )
    check.close(softmax(np.stack([grid, grid + 1])), [by_rows, by_rows], "softmax of three axes")
    # ko: check.close(softmax(np.stack([grid, grid + 1])), [by_rows, by_rows], "축이 셋인 배열의 softmax")
    for axis in (1, -2):
        check.close(
            softmax(np.stack([grid, grid + 1]), axis=axis),
            [by_columns, by_columns],
            f"softmax of three axes along axis {axis}",
            # ko: f"축이 셋인 배열의 `axis={axis}`로 계산한 softmax",
        )
_check

# %% [markdown]
# What the *size* of the scores does to the softmax, as a picture. The same five scores are multiplied by a factor: near
# 0 all weights are alike, for a large factor the biggest takes everything. Only differences count, so adding a constant
# to all five would change nothing. Keep this in mind for task 6.
#
# <!-- ko -->
# 점수의 *크기*에 따라 소프트맥스가 어떻게 달라지는지 그려 봅시다. 점수 다섯 개를 정해 두고 거기에 여러 배율(factor)을 곱합니다. 배율이
# 0에 가까우면 가중치가 모두 비슷하고, 배율이 크면 가장 큰 점수가 가중치를 모두 차지합니다. 차이만 중요하므로
# 다섯 점수에 같은 상수를 더해도 아무것도 달라지지 않습니다. 과제 6을 위해 기억해 두세요.

# %%
@demonstrate
def _demo():
    five_scores = np.array([1.0, 0.6, 0.2, -0.3, -1.0], dtype="float32")
    factors = np.geomspace(0.05, 50, 60).astype("float32")
    by_factor = to_numpy(softmax(factors[:, None] * five_scores))
    fig, ax = plt.subplots(figsize=(7, 3))
    for index, score in enumerate(five_scores):
        ax.plot(factors, by_factor[:, index], label=f"score {score:.1f}")
        # ko: ax.plot(factors, by_factor[:, index], label=f"점수 (score) {score:.1f}")
    ax.set(xscale="log", xlabel="factor", ylabel="weight", title="The softmax of scores times a factor")
    # ko: ax.set(xscale="log", xlabel="배율 (factor)", ylabel="가중치 (weight)", title="배율을 곱한 점수의 소프트맥스")
    ax.legend(fontsize=8)
    plt.show()


# %% [markdown]
# ## Task 2: every query against every key (3 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# A dot product says how well two vectors agree in direction, weighted with their lengths. All of them at once are one
# product of matrices, divided by the square root of the width:
#
# $$S = \frac{Q K^\top}{\sqrt{d_k}}, \qquad S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_k}}$$
#
# | | shape |
# |---|---|
# | `query` | `(..., query_len, key_dim)` |
# | `key` | `(..., key_len, key_dim)` |
# | scores | `(..., query_len, key_len)` |
#
# Row $i$ holds query $i$ against all keys. `key_dim` is the number of *columns* of `query` and `key`, nothing else. In
# front of the last two dimensions there may be any others (`...`), and each of their slices is a problem of its own:
# transpose the last two, leave the rest alone.
#
# An example that comes back in task 3, three queries and four keys of width 3:
#
# $$Q = \begin{pmatrix} 0&0&10 \\ 0&10&0 \\ 10&10&0 \end{pmatrix}, \quad
#   K = \begin{pmatrix} 10&0&0 \\ 0&10&0 \\ 0&0&10 \\ 0&0&10 \end{pmatrix}, \quad
#   Q K^\top = \begin{pmatrix} 0&0&100&100 \\ 0&100&0&0 \\ 100&100&0&0 \end{pmatrix}, \quad
#   S = \frac{Q K^\top}{\sqrt 3} = \begin{pmatrix} 0&0&57.74&57.74 \\ 0&57.74&0&0 \\ 57.74&57.74&0&0 \end{pmatrix}$$
#
# <details><summary>Hint 1: How do you transpose the last two axes only?</summary>
#
# `.T` reverses *all* axes. `ops.swapaxes` swaps two axes that you name; counted from the back, the last two are -1 and -2.
#
# </details>
#
# <details><summary>Hint 2: Where does the width come from?</summary>
#
# From the last axis, `query.shape[-1]`. One `ops.matmul` is enough for all slices: it multiplies the last two axes, (query_len,
# key_dim) by (key_dim, key_len), and leaves the others alone.
#
# </details>
#
# <!-- ko -->
# ## 과제 2: 모든 쿼리와 모든 키 (3점)
#
# *난이도 1/5, 10분쯤.*
#
# 내적은 두 벡터의 방향이 일치하는 정도(코사인)에 두 벡터의 길이를 곱한 값입니다. 내적 전부를 행렬 곱 하나로 한꺼번에 구하고
# 너비의 제곱근으로 나눕니다.
#
# $$S = \frac{Q K^\top}{\sqrt{d_k}}, \qquad S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_k}}$$
#
# | | 모양 |
# |---|---|
# | `query` | `(..., query_len, key_dim)` |
# | `key` | `(..., key_len, key_dim)` |
# | 점수 | `(..., query_len, key_len)` |
#
# $i$번 행에는 쿼리 $i$와 모든 키의 점수가 들어갑니다. `key_dim`은 `query`와 `key`의 *열*(column) 수이니, 다른 크기와
# 혼동하지 마세요. 마지막 두 차원 앞에는 다른 차원이 몇 개든 올 수 있고(`...`), 그 조각(slice) 하나하나를 따로 계산합니다.
# 키의 마지막 두 차원만 맞바꾸고(transpose) 나머지는 그대로 두세요.
#
# 과제 3에서 다시 나올 예입니다. 너비 3인 쿼리 세 개와 키 네 개입니다.
#
# $$Q = \begin{pmatrix} 0&0&10 \\ 0&10&0 \\ 10&10&0 \end{pmatrix}, \quad
#   K = \begin{pmatrix} 10&0&0 \\ 0&10&0 \\ 0&0&10 \\ 0&0&10 \end{pmatrix}, \quad
#   Q K^\top = \begin{pmatrix} 0&0&100&100 \\ 0&100&0&0 \\ 100&100&0&0 \end{pmatrix}, \quad
#   S = \frac{Q K^\top}{\sqrt 3} = \begin{pmatrix} 0&0&57.74&57.74 \\ 0&57.74&0&0 \\ 57.74&57.74&0&0 \end{pmatrix}$$
#
# <details><summary>힌트 1: 마지막 두 축만 바꾸려면?</summary>
#
# `.T`는 *모든* 축의 순서를 뒤집습니다. `ops.swapaxes`는 지정한 두 축만 맞바꿉니다. 뒤에서부터 세면 마지막 두 축은 -1과 -2입니다.
#
# </details>
#
# <details><summary>힌트 2: 너비는 어디에서 얻을까요?</summary>
#
# 마지막 축, 곧 `query.shape[-1]`입니다. `ops.matmul` 한 번이면 모든 조각이 계산됩니다. 마지막 두 축끼리, 곧 (query_len, key_dim)과
# (key_dim, key_len)을 곱하고 앞의 축은 그대로 둡니다.
#
# </details>


# %% task="attention-scores"
def attention_scores(query, key):
    """
    Score every query against every key: their dot products divided by the square root of `key_dim`.
    # ko: 모든 쿼리와 모든 키의 점수를 구합니다. 점수는 둘의 내적을 `key_dim`의 제곱근으로 나눈 값입니다.

    Args:
    # ko: 인수:
        query: (..., query_len, key_dim), with any number of leading dimensions, none included.
        # ko: query: (..., query_len, key_dim), 앞쪽 차원은 몇 개든 되고 없어도 됩니다.
        key: (..., key_len, key_dim), with the same leading dimensions.
        # ko: key: (..., key_len, key_dim), 앞쪽 차원은 query와 같습니다.

    Returns:
    # ko: 반환값:
        Scores (..., query_len, key_len).
        # ko: 점수 (..., query_len, key_len).
    """
    ### BEGIN SOLUTION
    key_dim = query.shape[-1]
    products = ops.matmul(query, ops.swapaxes(key, -1, -2))  # (..., query_len, key_len)
    return ops.divide(products, key_dim**0.5)
    ### END SOLUTION


# %% grade="attention-scores" points=3
@checking("attention_scores")
def _check(check):
    Q = np.array([[0, 0, 10], [0, 10, 0], [10, 10, 0]], dtype="float32")
    K = np.array([[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]], dtype="float32")
    scores = attention_scores(Q, K)
    check.shape(scores, (3, 4), "(query_len, key_len)")
    pattern = np.array([[0, 0, 1, 1], [0, 1, 0, 0], [1, 1, 0, 0]], dtype="float32")
    check.close(
        scores,
        57.73502692 * pattern,
        "the scores of the example",
        # ko: "예제의 점수",
        hints={
            "these are the bare dot products. Divide by the square root of key_dim.": 100 * pattern,
            # ko: "나누지 않은 내적입니다. key_dim의 제곱근으로 나누세요.": 100 * pattern,
            "in all you divided by 3, which is key_dim here. Divide by its square root, once. (To divide both query and key by the root is to divide by key_dim.)": 100 / 3 * pattern,
            # ko: "결국 3, 곧 여기의 key_dim으로 나누었습니다. 그 제곱근으로 한 번만 나누세요. (쿼리와 키를 둘 다 제곱근으로 나누어도 이렇게 됩니다.)": 100 / 3 * pattern,
            "you divided by the square root of 4, the number of keys (rows of `key`, columns of the scores). key_dim is the number of columns of `query` and `key`.": 100 / 2 * pattern,
            # ko: "키의 수(`key`의 행이나 점수의 열의 수)인 4의 제곱근으로 나누었습니다. key_dim은 `query`와 `key`의 열의 수입니다.": 100 / 2 * pattern,
            "you divided by 6. (`/ a ** 1/2` divides by `a` and by 2. A root is `a ** 0.5`.)": 100 / 6 * pattern,
            # ko: "6으로 나누었습니다. (`/ a ** 1/2`은 `a`로 나누고 다시 2로 나눕니다. 제곱근은 `a ** 0.5`입니다.)": 100 / 6 * pattern,
        },
    )
    batch = np.stack([Q, 2 * Q]), np.stack([K, K])
    check.shape(
        attention_scores(*batch),
        (2, 3, 4),
        "(batch, query_len, key_len)",
        otherwise="(`np.dot` takes every slice of the one with every slice of the other, `ops.matmul` each with its own.)",
        # ko: otherwise="(`np.dot`은 한쪽의 모든 조각을 다른 쪽의 모든 조각과 곱하고, `ops.matmul`은 같은 자리의 조각끼리 곱합니다.)",
    )
    check.close(
        attention_scores(*batch)[1],
        115.47005384 * pattern,
        "the second slice of a batch, with queries twice as long",
        # ko: "쿼리에 2를 곱한, 배치의 둘째 조각",
        hints={
            "key_dim is the last dimension, counted from the back. You took axis 0, the batch here.": 200 / np.sqrt(2) * pattern,
            # ko: "key_dim은 뒤에서부터 센 마지막 차원입니다. 축 0을 썼는데, 여기서는 배치입니다.": 200 / np.sqrt(2) * pattern,
        },
    )
    deep = np.ones((5, 2, 3, 4), dtype="float32"), np.ones((5, 2, 6, 4), dtype="float32")
    deep_scores = attention_scores(*deep)
    check.shape(deep_scores, (5, 2, 3, 6), "(batch, num_heads, query_len, key_len)")
    check.close(
        deep_scores[4, 1],
        np.full((3, 6), 2.0),
        "ones of width 4 with two leading dimensions (4 / sqrt(4) = 2)",
        # ko: "앞쪽 차원이 둘이고 너비가 4이며 모두 1일 때의 점수 (4 / sqrt(4) = 2)",
        hints={
            "key_dim is the last dimension, counted from the back. You took axis 1.": np.full((3, 6), 4 / np.sqrt(2)),
            # ko: "key_dim은 뒤에서부터 센 마지막 차원입니다. 축 1을 썼습니다.": np.full((3, 6), 4 / np.sqrt(2)),
            "key_dim is the last dimension, 4 here. You took 3, the number of queries.": np.full((3, 6), 4 / np.sqrt(3)),
            # ko: "key_dim은 마지막 차원이므로 여기서는 4입니다. 쿼리의 수인 3을 썼습니다.": np.full((3, 6), 4 / np.sqrt(3)),
        },
    )
_check

# %% [markdown]
# ## Task 3: scaled dot-product attention (6 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# A Python dictionary looks a query up among its keys and returns the value of the one that is *equal*. Attention is the
# same look-up made soft: every key answers to the degree that it *fits*, and the values are mixed in that proportion.
#
# ![On the left a dictionary: the query equals one key, and that key gives its value. On the right attention: every key gets a weight, and all values are mixed by these.](../_shared/diagrams/look-up.svg)
#
# $$W = \operatorname{softmax}(S) \text{ along the keys}, \qquad O = W V$$
#
# | | shape |
# |---|---|
# | `query` | `(..., query_len, key_dim)` |
# | `key` | `(..., key_len, key_dim)` |
# | `value` | `(..., key_len, value_dim)` |
# | `mask` | broadcasts to `(..., query_len, key_len)` |
# | `weights` | `(..., query_len, key_len)`, every row adds up to 1 |
# | `output` | `(..., query_len, value_dim)` |
#
# Keys and values come in pairs, so there are as many values as keys; their widths may differ. Queries are on their own:
# `query_len` may be anything.
#
# **The example, continued.** Take the scores above and
#
# $$V = \begin{pmatrix} 1&0 \\ 10&0 \\ 100&5 \\ 1000&6 \end{pmatrix}.$$
#
# The first query has two equal best keys and all others 57.74 behind. $e^{-57.74} \approx 10^{-25}$ is nothing, so the
# weights and the output are
#
# $$W = \begin{pmatrix} 0&0&\tfrac12&\tfrac12 \\ 0&1&0&0 \\ \tfrac12&\tfrac12&0&0 \end{pmatrix}, \qquad
#   O = W V = \begin{pmatrix} 550&5.5 \\ 10&0 \\ 5.5&0 \end{pmatrix}.$$
#
# Query 0 gets half of value 2 and half of value 3, query 1 all of value 1, query 2 half of value 0 and half of value 1.
# (The gaps are so large that the weights would look the same without the square root. Don't let that example check your
# scaling.)
#
# **The mask.** Some keys must not be seen: padding, which only fills up the shorter sequences of a batch, or words that are not written yet. This course writes masks as a
# float array,
#
# > **1 hides, 0 keeps.**
#
# A hidden key gets weight 0 *and the others share the whole weight*: each row still adds up to 1. That is why a mask
# acts on the scores, before the softmax. Push hidden scores so far down that their exponential is 0: $-10^9$ in their place, or $10^9$ subtracted from them, is far enough in
# float32 (notebook 04 finds out where that ends). The mask need not
# have the shape of the scores: `(1, key_len)` hides the same keys from every query, and `(batch, 1, 1, key_len)` does
# so for each sequence of a batch in all heads. Broadcasting does this by itself, but not if you index with the mask:
# `scores[mask == 1] = …` works only with NumPy arrays (a tensor of TensorFlow or JAX can't be assigned to) and a mask of exactly the scores' shape. No
# row will be hidden completely: you may rely on that until notebook 04.
#
# <details><summary>Hint 1: Where does the mask act?</summary>
#
# On the scores, before the softmax: then the kept weights of a row still add up to 1. `ops.where(condition, a, b)` broadcasts, as the
# mask has to; its condition is true or false: `mask == 1`, or the mask cast to `"bool"`.
#
# </details>
#
# <details><summary>Hint 2: The whole function in words</summary>
#
# Scores by task 2. If there is a mask, put a very negative number where it hides. Weights by task 1, along the keys, which are the
# last axis. Output: the weights times the values, one `ops.matmul`. Return both, the output first.
#
# </details>
#
# <!-- ko -->
# ## 과제 3: 스케일드 닷 프로덕트 어텐션 (6점)
#
# *난이도 2/5, 20분쯤.*
#
# 파이썬의 딕셔너리는 쿼리를 키들 가운데에서 찾아, 그와 *같은* 키의 값을 돌려줍니다. 어텐션은 이 찾기를 부드럽게
# 만듭니다. 키마다 쿼리와 *맞는* 만큼 응답하고, 값들은 그 비율로 섞입니다.
#
# ![왼쪽은 딕셔너리: 쿼리와 같은 키 하나가 자기 값을 줍니다. 오른쪽은 어텐션: 모든 키가 가중치를 받고, 그 가중치로 모든 값을 섞습니다.](../_shared/diagrams/look-up.svg)
#
# $$W = \operatorname{softmax}(S) \ (\text{키를 따라}), \qquad O = W V$$
#
# | | 모양 |
# |---|---|
# | `query` | `(..., query_len, key_dim)` |
# | `key` | `(..., key_len, key_dim)` |
# | `value` | `(..., key_len, value_dim)` |
# | `mask` | `(..., query_len, key_len)`으로 브로드캐스트(broadcast)된다 |
# | `weights` | `(..., query_len, key_len)`, 행마다 합이 1이다 |
# | `output` | `(..., query_len, value_dim)` |
#
# 키와 값은 쌍을 이루므로 개수가 같습니다. 너비는 달라도 됩니다. 쿼리는 그와 상관없으므로 `query_len`은 얼마여도 됩니다.
#
# **이어지는 예.** 위의 점수와 다음 값을 씁니다.
#
# $$V = \begin{pmatrix} 1&0 \\ 10&0 \\ 100&5 \\ 1000&6 \end{pmatrix}$$
#
# 첫 쿼리에는 점수가 똑같이 가장 높은 키가 둘 있고, 나머지 키의 점수는 모두 57.74만큼 낮습니다. $e^{-57.74} \approx 10^{-25}$은 없는
# 것이나 마찬가지이므로 가중치와 출력은 다음과 같습니다.
#
# $$W = \begin{pmatrix} 0&0&\tfrac12&\tfrac12 \\ 0&1&0&0 \\ \tfrac12&\tfrac12&0&0 \end{pmatrix}, \qquad
#   O = W V = \begin{pmatrix} 550&5.5 \\ 10&0 \\ 5.5&0 \end{pmatrix}$$
#
# 쿼리 0은 값 2의 절반과 값 3의 절반을, 쿼리 1은 값 1의 전부를, 쿼리 2는 값 0의 절반과 값 1의 절반을 받습니다. (차이가
# 워낙 커서 제곱근이 없어도 가중치는 똑같아 보입니다. 스케일링(scaling)이 맞는지는 이 예로 확인하지 마세요.)
#
# **마스크.** 보여서는 안 되는 키도 있습니다. 배치의 짧은 시퀀스에서 빈자리만 채우는 패딩(padding)이나 아직 쓰지 않은 단어가 그렇습니다. 이 과정에서는 마스크를
# float 배열로 씁니다.
#
# > **1은 가리고 0은 남깁니다.**
#
# 가려진 키의 가중치는 0이 되고, *남은 키들이 가중치 전부를 나누어 가집니다*. 행마다 합은 여전히 1입니다. 그래서
# 마스크는 소프트맥스 앞에서, 점수에 적용합니다. 가릴 점수를 지수 함수의 값이 0이 될 만큼 낮추세요. float32에서는 그 자리에 $-10^9$을 넣거나 $10^9$을 빼면
# 충분합니다(그것이 통하지 않는 곳은 4번 노트북에서 찾아봅니다). 마스크의 모양이
# 점수와 같을 필요는 없습니다. `(1, key_len)`은 모든 쿼리에 대해 같은 키를 가리고, `(batch, 1, 1, key_len)`은 배치(batch)의
# 시퀀스마다 모든 헤드(head)에서 그렇게 합니다. 브로드캐스트가 알아서 해 주지만, 마스크로 인덱싱(indexing)하면 그렇지
# 않습니다. `scores[mask == 1] = …`은 NumPy 배열에서(텐서플로와 JAX의 텐서에는 대입할 수 없습니다), 그것도 마스크의 모양이 점수와 똑같을 때만 됩니다.
# 모두 가려지는 행은 없다고 여겨도 됩니다. 그런 행은 4번 노트북에서 살펴봅니다.
#
# <details><summary>힌트 1: 마스크는 어디에 적용할까요?</summary>
#
# 소프트맥스 앞의 점수에 적용합니다. 그래야 남은 가중치의 합이 행마다 1입니다. `ops.where(조건, a, b)`는 마스크에 필요한
# 브로드캐스트를 해 줍니다. 조건은 참이나 거짓입니다. `mask == 1`이라고 쓰거나 마스크를 `"bool"`로 바꾸세요.
#
# </details>
#
# <details><summary>힌트 2: 함수 전체를 말로 하면</summary>
#
# 과제 2로 점수를 구합니다. 마스크가 있으면 가리는 자리에 아주 큰 음수를 넣습니다. 과제 1로 키 방향, 곧 마지막 축을 따라 가중치를
# 구합니다. 출력은 가중치와 값의 곱이고 `ops.matmul` 한 번이면 됩니다. 출력을 먼저 적어 둘 다 돌려주세요.
#
# </details>


# %% task="scaled-dot-product" builds_on="softmax attention-scores"
def scaled_dot_product_attention(query, key, value, mask=None):
    """
    Average the values with the weights that each query gives to the keys.
    # ko: 쿼리마다 키들에 주는 가중치로 값들을 평균합니다.

    Args:
    # ko: 인수:
        query: (..., query_len, key_dim)
        key: (..., key_len, key_dim)
        value: (..., key_len, value_dim)
        mask: None, or a float array that broadcasts to (..., query_len, key_len):
        # ko: mask: None이거나, (..., query_len, key_len)으로 브로드캐스트되는 float 배열.
            1 hides a key from a query, 0 keeps it. No query has all its keys hidden.
            # ko: 1은 키를 가리고 0은 남깁니다. 모든 키가 가려지는 쿼리는 없습니다.

    Returns:
    # ko: 반환값:
        A tuple (output, weights):
        # ko: 튜플 (output, weights):
        output: (..., query_len, value_dim)
        weights: (..., query_len, key_len), positive or 0, every row adds up to 1.
        # ko: weights: (..., query_len, key_len), 양수이거나 0이고 행마다 합이 1입니다.
    """
    ### BEGIN SOLUTION
    scores = attention_scores(query, key)
    if mask is not None:
        scores = ops.where(ops.cast(mask, "bool"), -1e9, scores)
    weights = softmax(scores)
    return ops.matmul(weights, value), weights
    ### END SOLUTION


# %% grade="scaled-dot-product" points=6
@checking("scaled_dot_product_attention")
def _check(check):
    Q = np.array([[0, 0, 10], [0, 10, 0], [10, 10, 0]], dtype="float32")
    K = np.array([[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]], dtype="float32")
    V = np.array([[1, 0], [10, 0], [100, 5], [1000, 6]], dtype="float32")
    pattern = np.array([[0, 0, 1, 1], [0, 1, 0, 0], [1, 1, 0, 0]], dtype="float32")
    answer = scaled_dot_product_attention(Q, K, V)
    check.pair(answer, "output, weights")
    output, weights = answer
    check.shape(output, (3, 2), "the first result, output (query_len, value_dim),")
    # ko: check.shape(output, (3, 2), "첫째 결과인 출력 (query_len, value_dim)")
    check.shape(weights, (3, 4), "the second result, weights (query_len, key_len),")
    # ko: check.shape(weights, (3, 4), "둘째 결과인 가중치 (query_len, key_len)")
    expected = np.array([[0, 0, 0.5, 0.5], [0, 1, 0, 0], [0.5, 0.5, 0, 0]])
    by_columns = np.array([[0, 0, 1, 1], [0, 0.5, 0, 0], [1, 0.5, 0, 0]])
    check.close(
        weights,
        expected,
        "the weights of the example",
        # ko: "예제의 가중치",
        hints={
            "every column adds up to 1. The softmax runs along the keys, the last axis.": by_columns,
            # ko: "열마다 합이 1입니다. 소프트맥스는 키, 곧 마지막 축을 따라 계산합니다.": by_columns,
            "the softmax is taken twice. Once is enough.": np.exp(expected) / np.exp(expected).sum(axis=-1, keepdims=True),
            # ko: "소프트맥스를 두 번 했습니다. 한 번이면 됩니다.": np.exp(expected) / np.exp(expected).sum(axis=-1, keepdims=True),
            "these are the scores. Put them through the softmax.": 57.73502692 * pattern,
            # ko: "이것은 점수입니다. 소프트맥스를 적용하세요.": 57.73502692 * pattern,
        },
    )
    check.close(output, [[550, 5.5], [10, 0], [5.5, 0]], "the output of the example")
    # ko: check.close(output, [[550, 5.5], [10, 0], [5.5, 0]], "예제의 출력")

    # smaller numbers, where the scaling shows
    # ko: # 스케일링이 드러나는 작은 수
    one_query = np.array([[1, 0]], dtype="float32")
    three_keys = np.array([[1, 0], [0, 1], [1, 1]], dtype="float32")
    unscaled, scaled_twice = [[0.42231880, 0.15536240, 0.42231880]], [[0.38365173, 0.23269654, 0.38365173]]
    check.close(
        scaled_dot_product_attention(one_query, three_keys, np.eye(3, dtype="float32"))[1],
        [[0.40111209, 0.19777581, 0.40111209]],
        "the weights of one query (1, 0) for the keys (1, 0), (0, 1), (1, 1)",
        # ko: "쿼리 (1, 0) 하나가 키 (1, 0), (0, 1), (1, 1)에 주는 가중치",
        hints={
            "these are weights without the division by the square root of key_dim (that of the number of queries is 1 here).": unscaled,
            # ko: "key_dim의 제곱근으로 나누지 않고 구한 가중치입니다(여기서 쿼리의 수의 제곱근은 1입니다).": unscaled,
            "the scores were divided twice, or by key_dim instead of its root. Does attention_scores divide already?": scaled_twice,
            # ko: "점수를 두 번 나누었거나 제곱근이 아니라 key_dim으로 나누었습니다. attention_scores가 이미 나누지 않나요?": scaled_twice,
        },
    )

    hide_first = np.array([[1, 0, 0]], dtype="float32")
    score_zero, visible_alike, hidden_left = [[0.24825508, 0.24825508, 0.50348984]], [[0, 0.5, 0.5]], [[0.50348984, 0.24825508, 0.24825508]]
    check.close(
        scaled_dot_product_attention(one_query, three_keys, np.eye(3, dtype="float32"), mask=hide_first.copy())[1],
        [[0, 0.33023845, 0.66976155]],
        "the same with the first key hidden",
        # ko: "같은 쿼리와 키에서 첫째 키를 가렸을 때의 가중치",
        hints={
            "a score of 0 hides nothing, because exp(0) is 1. It must be far below all others.": score_zero,
            # ko: "exp(0)은 1이므로 점수 0으로는 가려지지 않습니다. 다른 점수보다 훨씬 낮아야 합니다.": score_zero,
            "the hidden score is -1. In Python `^` isn't a power: write `-1e9`.": [[0.10832746, 0.29446456, 0.59720798]],
            # ko: "가린 점수가 -1입니다. 파이썬에서 `^`는 거듭제곱이 아닙니다. `-1e9`처럼 쓰세요.": [[0.10832746, 0.29446456, 0.59720798]],
            "they are the same as without a mask.": [[0.40111209, 0.19777581, 0.40111209]],
            # ko: "마스크가 없을 때와 같습니다.": [[0.40111209, 0.19777581, 0.40111209]],
            "only the hidden key is seen: the mask is the wrong way round, or the sign of what is added. 1 hides, 0 keeps.": hide_first,
            # ko: "가려져야 할 키만 보입니다. 마스크나 더하는 수의 부호가 거꾸로입니다. 1은 가리고 0은 남깁니다.": hide_first,
            "all that are visible get the same weight: their scores are lost, for example in a product with the mask. The mask changes the hidden scores only; leave the others as they are.": visible_alike,
            # ko: "보이는 키의 가중치가 모두 같습니다. 그 키들의 점수가 사라졌기 때문입니다(이를테면 마스크를 곱하면 그렇게 됩니다). 가리는 점수만 바꾸고 나머지는 그대로 두세요.": visible_alike,
            "the score of each visible key has become 0, and the hidden one stays as it was. Change the hidden scores only.": hidden_left,
            # ko: "보이는 키의 점수가 모두 0이 되고 가려진 키의 점수는 그대로 남았습니다. 가리는 점수만 바꾸세요.": hidden_left,
            "the low number stands among the weights. Put it into the scores, before the softmax.": [[-1e9, 0.19777581, 0.40111209]],
            # ko: "아주 큰 음수가 가중치에 들어 있습니다. 소프트맥스 앞의 점수에 넣으세요.": [[-1e9, 0.19777581, 0.40111209]],
            "the weights no longer add up to 1. Hide before the softmax, not after it.": [[0, 0.19777581, 0.40111209]],
            # ko: "가중치의 합이 1이 아닙니다. 소프트맥스 뒤가 아니라 앞에서 가리세요.": [[0, 0.19777581, 0.40111209]],
        },
    )
    far_keys = np.array([[-0.5, 0], [-1.4, 0], [-1.4, 1]], dtype="float32")
    far = scaled_dot_product_attention(2000 * one_query, far_keys, np.eye(3, dtype="float32"), mask=hide_first.copy())[1]
    if np.isnan(_as_array(far)).any():
        check.note("a hidden score of -707 among scores of -1980 makes it NaN. Let the mask act before the softmax, and let the softmax take off the largest score of each row.")
        # ko: check.note("어텐션 점수가 -1980인 키들 사이에서 -707인 키를 가리면 NaN이 됩니다. 소프트맥스 앞에서 가리고, 소프트맥스에서는 행마다 가장 큰 점수를 빼세요.")
    else:
        check.close(
            far,
            [[0, 0.5, 0.5]],
            "a hidden key with a score of -707 among scores of -1980",
            # ko: "점수가 -1980인 키들 사이에서 가려진, 점수 -707인 키",
            hints={
                "all weights are 0: nothing is left for the visible keys. Let the mask act before the softmax, and let the softmax take off the largest score of each row.": [[0, 0, 0]],
                # ko: "가중치가 모두 0입니다. 보이는 키에 남은 가중치가 없습니다. 소프트맥스 앞에서 가리고, 소프트맥스에서는 행마다 가장 큰 점수를 빼세요.": [[0, 0, 0]],
            },
            otherwise="A hidden score has to be far lower than any other may be.",
            # ko: otherwise="가린 점수는 다른 어떤 점수보다도 훨씬 낮아야 합니다.",
        )

    # hide the last key, whose value is (1000, 6), from every query
    # ko: # 값이 (1000, 6)인 마지막 키를 모든 쿼리에게 가립니다
    mask = np.array([[0, 0, 0, 1]], dtype="float32")
    output, weights = scaled_dot_product_attention(Q, K, V, mask=mask)
    check.close(
        weights,
        [[0, 0, 1, 0], [0, 1, 0, 0], [0.5, 0.5, 0, 0]],
        "the weights with the last key hidden",
        # ko: "마지막 키를 가렸을 때의 가중치",
    )
    check.close(
        output,
        [[100, 5], [10, 0], [5.5, 0]],
        "the output with the last key hidden",
        # ko: "마지막 키를 가렸을 때의 출력",
        hints={
            "the weights are right, but the output was computed without the mask.": [[550, 5.5], [10, 0], [5.5, 0]],
            # ko: "가중치는 맞지만 출력을 마스크 없이 계산했습니다.": [[550, 5.5], [10, 0], [5.5, 0]],
        },
    )
    check.close(
        scaled_dot_product_attention(Q, K, V, mask=np.triu(np.ones((3, 4), "float32"), k=1))[1],
        [[1, 0, 0, 0], [0, 1, 0, 0], [0.5, 0.5, 0, 0]],
        "the weights where the mask has a row of its own for each query",
        # ko: "마스크의 행이 쿼리마다 다를 때의 가중치",
        otherwise="Does each query get its own row of the mask?",
        # ko: otherwise="쿼리마다 마스크의 제 행을 쓰나요?",
    )
    heads = [np.broadcast_to(x, (2, 5, *x.shape)).copy() for x in (Q, K, V)]
    check.close(
        scaled_dot_product_attention(*heads)[0][1, 4],
        [[550, 5.5], [10, 0], [5.5, 0]],
        "the output with leading dimensions (2, 5)",
        # ko: "앞쪽 차원이 (2, 5)일 때의 출력",
        hints={
            "the softmax runs along axis 1, which has length 5 here. It runs along the keys, the last axis (-1).": np.tile([222.2, 2.2], (3, 1)),
            # ko: "소프트맥스를 축 1(여기서는 길이 5)을 따라 계산했습니다. 키, 곧 마지막 축(-1)을 따라 계산하세요.": np.tile([222.2, 2.2], (3, 1)),
        },
    )
    padding = np.zeros((2, 1, 1, 4), dtype="float32")
    padding[1, ..., 3] = 1
    check.close(
        scaled_dot_product_attention(*heads, mask=padding)[0][:, 4],
        [[[550, 5.5], [10, 0], [5.5, 0]], [[100, 5], [10, 0], [5.5, 0]]],
        "a mask (batch, 1, 1, key_len) that hides the last key of the second sequence",
        # ko: "둘째 시퀀스의 마지막 키를 가리는 마스크 (batch, 1, 1, key_len)를 쓴 출력",
    )
_check

# %% [markdown]
# ### The example as a picture
#
# Left the scores, in the middle the weights, right the output: row by row the values, mixed with the weights.
#
# <!-- ko -->
# ### 예를 그림으로
#
# 왼쪽은 점수, 가운데는 가중치, 오른쪽은 출력입니다. 출력의 행마다 값들이 가중치대로 섞여 있습니다.

# %%
@demonstrate
def _demo():
    Q = np.array([[0, 0, 10], [0, 10, 0], [10, 10, 0]], dtype="float32")
    K = np.array([[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]], dtype="float32")
    V = np.array([[1, 0], [10, 0], [100, 5], [1000, 6]], dtype="float32")
    output, weights = (to_numpy(part) for part in scaled_dot_product_attention(Q, K, V))
    fig, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.2), layout="constrained", width_ratios=(1, 1, 0.75))
    image = left.imshow(to_numpy(attention_scores(Q, K)), cmap="magma")
    left.set(title="scores", xlabel="keys", ylabel="queries")
    # ko: left.set(title="점수 (scores)", xlabel="키 (keys)", ylabel="쿼리 (queries)")
    left.set_xticks(range(4), [f"k{j}" for j in range(4)])
    left.set_yticks(range(3), [f"q{i}" for i in range(3)])
    fig.colorbar(image, ax=left, label="score", shrink=0.8)
    # ko: fig.colorbar(image, ax=left, label="점수 (score)", shrink=0.8)
    show_weights(weights, title="weights", ax=middle)
    # ko: show_weights(weights, title="가중치 (weights)", ax=middle)
    image = right.imshow(np.log10(1 + output), cmap="cividis", aspect="auto")
    for (i, j), number in np.ndenumerate(output):
        right.text(j, i, f"{number:.1f}", ha="center", va="center", color="black" if number > 100 else "white")
    right.set(title="output", xlabel="columns of the values", ylabel="queries")
    # ko: right.set(title="출력 (output)", xlabel="값의 열 (columns)", ylabel="쿼리 (queries)")
    right.set_xticks(range(2))
    right.set_yticks(range(3), [f"q{i}" for i in range(3)])
    fig.colorbar(image, ax=right, label="log10(1 + output)", shrink=0.8)
    # ko: fig.colorbar(image, ax=right, label="log10(1 + 출력)", shrink=0.8)
    plt.show()

# %% [markdown]
# ### Attention as alignment
#
# Where Bahdanau's paper shows its weights, one sees words find their translations. Nothing is trained here: the word
# vectors are made by hand (one direction for each of four meanings, a little noise), to show what the weights *would*
# say if training had found such vectors. French puts the adjective after the noun, so the bright cells cross.
#
# <!-- ko -->
# ### 정렬(alignment)로 보는 어텐션
#
# Bahdanau의 논문에 실린 가중치 그림을 보면 단어들이 자기 번역을 찾아갑니다. 여기서는 아무것도 학습하지 않습니다. 단어
# 벡터를 손으로 만들어(네 가지 뜻마다 방향 하나, 거기에 약간의 잡음), 학습으로 그런 벡터를 찾았다면 가중치가 *어땠을지*
# 보여 줄 뿐입니다. 프랑스어는 형용사를 명사 뒤에 두므로 밝은 칸이 엇갈립니다.

# %%
@demonstrate
def _demo():
    rng = np.random.default_rng(3)
    meanings = {"article": 0, "colour": 1, "animal": 2, "resting": 3}
    # ko: meanings = {"관사": 0, "색": 1, "동물": 2, "쉬는 것": 3}
    english = {"the": "article", "black": "colour", "cat": "animal", "sleeps": "resting"}
    # ko: english = {"the": "관사", "black": "색", "cat": "동물", "sleeps": "쉬는 것"}
    french = {"le": "article", "chat": "animal", "noir": "colour", "dort": "resting"}
    # ko: french = {"le": "관사", "chat": "동물", "noir": "색", "dort": "쉬는 것"}

    def word_vectors(words):
        hot = np.eye(len(meanings))[[meanings[meaning] for meaning in words.values()]]
        return (2.6 * hot + 0.4 * rng.standard_normal(hot.shape)).astype("float32")

    french_vectors = word_vectors(french)
    _, alignment = scaled_dot_product_attention(word_vectors(english), french_vectors, french_vectors)
    show_weights(alignment, list(english), list(french), "English queries, French keys")
    # ko: show_weights(alignment, list(english), list(french), "영어 쿼리, 프랑스어 키 (alignment)")
    plt.show()

# %% [markdown]
# ### Two masks
#
# The same seven (random) vectors attend to themselves three times. The **padding mask** hides what only fills up the
# batch: whole columns. The **look-ahead mask** hides the future: everything strictly above the diagonal, so that each
# word sees itself and what came before. The kept weights grow, because each row still adds up to 1. Which weights of the
# last row does the look-ahead mask change, and why?
#
# <!-- ko -->
# ### 두 가지 마스크
#
# 무작위로 만든 벡터 일곱 개로 셀프 어텐션(쿼리, 키, 값이 모두 같은 시퀀스)을 세 번 계산합니다. 벡터는 세 번 모두 같습니다. **패딩 마스크**(padding mask)는 배치의 빈자리를 채우는
# 토큰을 가립니다. 열을 통째로 가리는 셈입니다. **룩어헤드 마스크**(look-ahead mask)는 미래를 가립니다. 대각선보다 위를
# 모두 가려서, 단어마다 자기 자신과 그 앞에 온 단어만 보게 합니다. 행마다 합이 여전히 1이므로 남은 가중치는
# 커집니다. 룩어헤드 마스크는 마지막 행의 어떤 가중치를 바꿀까요? 왜 그럴까요?

# %% folded=true
@demonstrate
def _demo():
    words = ["the", "cat", "sat", "on", "it", "<pad>", "<pad>"]
    x = np.random.default_rng(4).standard_normal((len(words), 6)).astype("float32")
    padding_mask = np.array([[word == "<pad>" for word in words]], dtype="float32")  # (1, key_len)
    look_ahead_mask = np.triu(np.ones((len(words), len(words)), dtype="float32"), k=1)  # (query_len, key_len)
    masks = {
        "no mask": np.zeros((1, 1), dtype="float32"),
        # ko: "마스크 없음 (no mask)": np.zeros((1, 1), dtype="float32"),
        "padding mask (grey: hidden)": padding_mask,
        # ko: "패딩 마스크 (padding mask), 회색: 가려짐": padding_mask,
        "look-ahead mask (grey: hidden)": look_ahead_mask,
        # ko: "룩어헤드 마스크 (look-ahead mask), 회색: 가려짐": look_ahead_mask,
    }
    fig, axes = plt.subplots(2, 2, figsize=(9.6, 8.2), layout="constrained")
    axes[1, 1].axis("off")
    for ax, (name, mask) in zip(axes.flat, masks.items(), strict=False):
        _, weights = scaled_dot_product_attention(x, x, x, mask=mask)
        show_weights(weights, words, words, name, ax, mask)
    plt.show()

# %% [markdown]
# The look-ahead mask changes no weight of the last row: nothing comes after the last position, so nothing is hidden from it.
#
# (Keras reads masks the other way round: in the `attention_mask` of `keras.layers.MultiHeadAttention` **1 means "may attend"**. What comes of
# confusing the two is a story of its own, in notebook 04.)
#
# <!-- ko -->
# 룩어헤드 마스크는 마지막 행의 가중치를 하나도 바꾸지 않습니다. 마지막 자리 뒤에는 아무것도 없으므로 가릴 것도 없습니다.
#
# (케라스는 마스크를 반대로 읽습니다. `keras.layers.MultiHeadAttention`의 `attention_mask`에서 **1은 "보아도 된다"는 뜻**입니다. 둘을 혼동하면
# 어떤 일이 생기는지는 4번 노트북에서 따로 다룹니다.)


# %% [markdown]
# ## Task 4: learned projections (3 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# The equation of task 3 has nothing to learn. What is learned are three matrices that make queries, keys and values
# from the sequences:
#
# $$Q = X_q W_q, \qquad K = X_k W_k, \qquad V = X_v W_v, \qquad O = \operatorname{Attention}(Q, K, V)$$
#
# | | shape | | shape |
# |---|---|---|---|
# | `x_query` | `(..., query_len, query_input)` | `w_query` | `(query_input, key_dim)` |
# | `x_key` | `(..., key_len, key_input)` | `w_key` | `(key_input, key_dim)` |
# | `x_value` | `(..., key_len, value_input)` | `w_value` | `(value_input, value_dim)` |
# | `output` | `(..., query_len, value_dim)` | `weights` | `(..., query_len, key_len)` |
#
# Three inputs may have three widths: each matrix has as many rows as *its own* input has columns. Only the widths
# *after* the projection have to agree, and only those of queries and keys.
#
# - **Self-attention:** one sequence plays all three parts, `x_query = x_key = x_value`.
# - **Cross-attention:** `x_query` is one sequence (the translation so far), `x_key = x_value` another (the sentence to
#   translate).
# - The general case, three different sequences, is rarer but costs nothing.
#
# The projections also say *what* to compare: after this task you build one by hand. And when you test, let all sizes differ: a formula that is only
# ever tried with equal sizes can be wrong unnoticed. The grader's sizes all differ too.
#
# <details><summary>Hint 1: Which matrix belongs to which input?</summary>
#
# Each input is multiplied from the right by the matrix of its own name. Look at the widths: `x_key` has `key_input` columns, and only
# `w_key` has as many rows. What comes of the three products goes into task 3.
#
# </details>
#
# <!-- ko -->
# ## 과제 4: 학습되는 투영 (3점)
#
# *난이도 1/5, 10분쯤.*
#
# 과제 3의 식에는 학습하는 값이 없습니다. 시퀀스에서 쿼리, 키, 값을 만드는 세 행렬을 학습합니다.
#
# $$Q = X_q W_q, \qquad K = X_k W_k, \qquad V = X_v W_v, \qquad O = \operatorname{Attention}(Q, K, V)$$
#
# | | 모양 | | 모양 |
# |---|---|---|---|
# | `x_query` | `(..., query_len, query_input)` | `w_query` | `(query_input, key_dim)` |
# | `x_key` | `(..., key_len, key_input)` | `w_key` | `(key_input, key_dim)` |
# | `x_value` | `(..., key_len, value_input)` | `w_value` | `(value_input, value_dim)` |
# | `output` | `(..., query_len, value_dim)` | `weights` | `(..., query_len, key_len)` |
#
# 세 입력의 너비는 서로 달라도 됩니다. 행렬마다 행의 수가 *자기* 입력의 열 수와 같기 때문입니다. 투영한 *뒤*에 쿼리와 키의
# 너비만 서로 같으면 됩니다.
#
# - **셀프 어텐션**: 한 시퀀스가 세 역할을 모두 맡습니다. `x_query = x_key = x_value`입니다.
# - **교차 어텐션**: `x_query`는 한 시퀀스(지금까지 쓴 번역), `x_key = x_value`는 다른 시퀀스(번역할 문장)입니다.
# - 세 시퀀스가 모두 다른 경우는 드물고, 그때도 식은 그대로입니다.
#
# 투영은 *무엇을* 비교할지도 정합니다. 이 과제 다음에 그런 투영을 손으로 하나 만들어 봅니다. 그리고 시험할 때는 크기를 모두 다르게 하세요. 늘 같은
# 크기로만 시험한 식은 틀렸어도 드러나지 않습니다. 채점에 쓰는 크기가 서로 모두 다른 까닭이 이것입니다.
#
# <details><summary>힌트 1: 어느 입력에 어느 행렬을 곱할까요?</summary>
#
# 입력마다 이름이 같은 행렬을 오른쪽에서 곱합니다. 너비를 보세요. `x_key`의 열은 `key_input`개이고, 행의 개수가 그만큼인 행렬은
# `w_key`뿐입니다. 세 곱을 과제 3의 함수에 넘기면 됩니다.
#
# </details>


# %% task="projections" builds_on="softmax attention-scores scaled-dot-product"
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    """
    Project three inputs to queries, keys and values, then attend (no mask, no biases).
    # ko: 세 입력을 쿼리, 키, 값으로 투영한 다음 어텐션을 계산합니다(마스크와 편향은 없습니다).

    Self-attention is the call with the same sequence three times,
    # ko: 같은 시퀀스를 세 번 넘기면 셀프 어텐션이고,
    cross-attention the one with `x_key` the same as `x_value`.
    # ko: `x_key`와 `x_value`로 같은 것을 넘기면 교차 어텐션입니다.

    Args:
    # ko: 인수:
        x_query: (..., query_len, query_input)
        x_key: (..., key_len, key_input)
        x_value: (..., key_len, value_input)
        w_query: (query_input, key_dim)
        w_key: (key_input, key_dim)
        w_value: (value_input, value_dim)

    Returns:
    # ko: 반환값:
        A tuple (output, weights):
        # ko: 튜플 (output, weights):
        output: (..., query_len, value_dim)
        weights: (..., query_len, key_len)
    """
    ### BEGIN SOLUTION
    query = ops.matmul(x_query, w_query)  # (..., query_len, key_dim)
    key = ops.matmul(x_key, w_key)  # (..., key_len, key_dim)
    value = ops.matmul(x_value, w_value)  # (..., key_len, value_dim)
    return scaled_dot_product_attention(query, key, value)
    ### END SOLUTION


# %% grade="projections" points=3
@checking("projected_attention")
def _check(check):
    # self-attention: two words of width 3, key_dim 4, value_dim 1; the values are 4 and 3
    # ko: # 셀프 어텐션: 너비 3인 단어 두 개, key_dim 4, value_dim 1. 값은 4와 3입니다
    x_self = np.array([[1, 0, 1], [0, 2, 1]], dtype="float32")
    wq = np.array([[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]], dtype="float32")
    wk = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1]], dtype="float32")
    wv = np.array([[3], [1], [1]], dtype="float32")
    swapped = [[0.37754067, 0.62245933], [0.81757448, 0.18242552]]
    queries_twice = [[0.73105858, 0.26894142], [0.11920292, 0.88079708]]
    keys_twice = [[0.62245933, 0.37754067], [0.11920292, 0.88079708]]
    bare = [[0.64045748, 0.35954252], [0.09034735, 0.90965265]]
    unscaled, scaled_twice = [[0.11920292, 0.88079708], [0.88079708, 0.11920292]], [[0.37754067, 0.62245933], [0.62245933, 0.37754067]]
    scaled_by_input = [[0.23963156, 0.76036844], [0.76036844, 0.23963156]]
    answer = projected_attention(x_self, x_self, x_self, wq, wk, wv)
    check.pair(answer, "output, weights")
    output, weights = answer
    check.shape(weights, (2, 2), "the second result, weights (query_len, key_len),")
    # ko: check.shape(weights, (2, 2), "둘째 결과인 가중치 (query_len, key_len)")
    check.close(
        weights,
        [[0.26894142, 0.73105858], [0.73105858, 0.26894142]],
        "the weights of self-attention",
        # ko: "셀프 어텐션의 가중치",
        hints={
            "queries and keys have changed places: either w_query and w_key, or the arguments of scaled_dot_product_attention.": swapped,
            # ko: "쿼리와 키의 자리가 바뀌었습니다. w_query와 w_key가 바뀌었거나, scaled_dot_product_attention에 넘긴 인수의 순서가 바뀌었습니다.": swapped,
            "the keys were projected with w_query too. Q is not K.": queries_twice,
            # ko: "키도 w_query로 투영했습니다. Q와 K는 다릅니다.": queries_twice,
            "the queries were projected with w_key too. Q is not K.": keys_twice,
            # ko: "쿼리도 w_key로 투영했습니다. Q와 K는 다릅니다.": keys_twice,
            "these are the scores. Return the weights, their softmax.": [[1, 2], [1.5, 0.5]],
            # ko: "이것은 점수입니다. 점수의 소프트맥스인 가중치를 돌려주세요.": [[1, 2], [1.5, 0.5]],
            "these are the weights of the bare inputs. Project queries and keys first.": bare,
            # ko: "투영하지 않은 입력의 가중치입니다. 쿼리와 키를 먼저 투영하세요.": bare,
            "the scores are not divided by the square root of key_dim (that of value_dim is 1 here).": unscaled,
            # ko: "점수를 key_dim의 제곱근으로 나누지 않았습니다(여기서 value_dim의 제곱근은 1입니다).": unscaled,
            "the scores are divided twice, or by key_dim instead of its root. scaled_dot_product_attention should divide once: is the mistake here, or in task 2 or 3?": scaled_twice,
            # ko: "점수를 두 번 나누었거나 제곱근이 아니라 key_dim으로 나누었습니다. 나누는 일은 scaled_dot_product_attention에서 한 번만 합니다. 잘못이 여기에 있나요, 과제 2나 3에 있나요?": scaled_twice,
            "the root is that of the width of the input. It is key_dim that counts, the width after the projection.": scaled_by_input,
            # ko: "입력의 너비의 제곱근으로 나누었습니다. 투영한 뒤의 너비인 key_dim을 써야 합니다.": scaled_by_input,
        },
    )
    check.shape(output, (2, 1), "output (query_len, value_dim)", otherwise="Are the values projected with w_value?")
    # ko: check.shape(output, (2, 1), "출력 (query_len, value_dim)", otherwise="값을 w_value로 투영했나요?")
    check.close(output, [[3.26894142], [3.73105858]], "the output of self-attention")
    # ko: check.close(output, [[3.26894142], [3.73105858]], "셀프 어텐션의 출력")

    # three inputs: one query of width 2, three keys of width 3, three values of width 4; key_dim 2, value_dim 5
    # ko: # 서로 다른 세 입력: 너비 2인 쿼리 하나, 너비 3인 키 셋, 너비 4인 값 셋. key_dim 2, value_dim 5
    x_query = np.array([[1, 2]], dtype="float32")
    x_key = np.eye(3, dtype="float32")
    x_value = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]], dtype="float32")
    wq = np.eye(2, dtype="float32")
    wk = np.array([[1, 0], [0, 1], [1, -1]], dtype="float32")
    wv = np.array([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 2]], dtype="float32")
    output, weights = projected_attention(x_query, x_key, x_value, wq, wk, wv)
    check.close(weights, [[0.30569525, 0.61998512, 0.07431963]], "the weights for three inputs of three widths")
    # ko: check.close(weights, [[0.30569525, 0.61998512, 0.07431963]], "너비가 서로 다른 세 입력의 가중치")
    check.close(output, [[0.30569525, 0.61998512, 0.07431963, 1, 2]], "the output for three inputs of three widths")
    # ko: check.close(output, [[0.30569525, 0.61998512, 0.07431963, 1, 2]], "너비가 서로 다른 세 입력의 출력")
    batch = [np.stack([x, x]) for x in (x_query, x_key, x_value)]
    check.close(
        projected_attention(*batch, wq, wk, wv)[0][1],
        [[0.30569525, 0.61998512, 0.07431963, 1, 2]],
        "the same twice, as a batch",
        # ko: "같은 것을 두 번, 배치로",
    )
_check

# %% [markdown]
# > **Does this hold?** *"In self-attention queries and keys come from the same words, so Q = K."*
# >
# > If they were equal, $S = QK^\top/\sqrt{d_k}$ would be symmetric: word $i$ would score word $j$ exactly as $j$ scores
# > $i$. (The weights would still not be symmetric, because each row has a softmax of its own.) The cell computes scores of one sequence with itself, once with two different matrices and once with one matrix
# > in both roles. What do you expect to see in the two pictures?
#
# <!-- ko -->
# > **정말 그럴까?** *"셀프 어텐션에서는 쿼리와 키가 같은 단어에서 나오므로 Q = K이다."*
# >
# > 둘이 같다면 $S = QK^\top/\sqrt{d_k}$는 대칭행렬일 것입니다. 단어 $i$가 단어 $j$에 매기는 점수가 $j$가 $i$에 매기는
# > 점수와 똑같다는 말이 됩니다. (행마다 소프트맥스를 따로 하므로 가중치는 그래도 다릅니다.) 아래 셀은 한 시퀀스와 그 자신의 점수를 계산합니다. 한 번은 서로 다른 두 행렬을
# > 쓰고, 한 번은 한 행렬이 두 역할을 모두 맡습니다. 두 그림이 어떻게 보일까요?

# %%
@demonstrate
def _demo():
    rng = np.random.default_rng(6)
    words = ["the", "cat", "sat", "on", "it"]
    x = rng.standard_normal((5, 6)).astype("float32")
    w_q, w_k = rng.standard_normal((2, 6, 4)).astype("float32") / 2
    fig, axes = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
    for ax, other, name in zip(axes, (w_k, w_q), ("two matrices", "one matrix for both"), strict=True):
    # ko: for ax, other, name in zip(axes, (w_k, w_q), ("두 행렬 (two)", "두 역할에 한 행렬 (one)"), strict=True):
        scores = to_numpy(attention_scores(x @ w_q, x @ other))
        limit = np.abs(scores).max()
        image = ax.imshow(scores, cmap="RdBu", vmin=-limit, vmax=limit)
        asymmetry = np.abs(scores - scores.T).max()
        ax.set(title=f"{name}: asymmetry {asymmetry:.2f}", xlabel="keys", ylabel="queries")
        # ko: ax.set(title=f"{name}: 비대칭 (asymmetry) {asymmetry:.2f}", xlabel="키 (keys)", ylabel="쿼리 (queries)")
        ax.set_xticks(range(5), words)
        ax.set_yticks(range(5), words)
        fig.colorbar(image, ax=ax, label="score")
        # ko: fig.colorbar(image, ax=ax, label="점수 (score)")
    plt.show()

# %% [markdown]
# > **What is right.** The *inputs* are equal, the projections are not. $W_q \ne W_k$, so $Q \ne K$, and in general the scores are not
# > symmetric. "it" can ask for a noun without the noun asking for "it".
#
# ### Try it: a projection by hand (no points)
#
# Five one-hot words, number 0 to 4. $W_k$ and $W_v$ are the identity. **Build the $W_q$ with which each word looks for its *successor*** (and the last, word 4, looks for word 0),
# though no word resembles its successor at all. Each word's weight on its successor should be above 0.95, not just the largest of its row. Two questions to ask yourself first: what is a
# one-hot row times a matrix? And how large must the entries be, where scores are divided by $\sqrt 5$?
#
# <details><summary>Hint 1: What is a one-hot row times a matrix?</summary>
#
# Word $i$ picks row $i$ of the matrix. That row is its query, and it should fit the key of word $i + 1$, which is one-hot as well.
#
# </details>
#
# <details><summary>Hint 2: How large?</summary>
#
# With an entry $a$ the best score is $a / \sqrt 5$ and the other four are 0, so the weight is $e^{a/\sqrt 5} / (e^{a/\sqrt 5} + 4)$.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** *입력*은 같지만 투영은 같지 않습니다. $W_q \ne W_k$이므로 $Q \ne K$이고, 점수는 일반적으로 대칭이 아닙니다. 명사가
# > "it"을 찾지 않더라도 "it"은 명사를 찾을 수 있습니다.
#
# ### 해 보기: 손으로 만드는 투영 (배점 없음)
#
# 원핫(one-hot) 단어가 0번부터 4번까지 다섯 개 있습니다. $W_k$와 $W_v$는 단위행렬입니다. **단어마다 자기 *다음 단어*를 찾게 하는 $W_q$를
# 만드세요**(4번 단어는 0번을 찾습니다). 어느 단어도 다음 단어와 닮은 데가 전혀 없습니다. 그리고 가중치가 그 행에서 가장 큰 데 그치지 않고 0.95를
# 넘어야 합니다. 먼저 두 가지를 스스로에게 물어보세요. 원핫 행에 행렬을 곱하면 무엇이 될까요? 점수를 $\sqrt 5$로 나누니, 원소는 얼마나 커야 할까요?
#
# <details><summary>힌트 1: 원핫 행에 행렬을 곱하면?</summary>
#
# 단어 $i$는 행렬의 $i$번 행을 고릅니다. 그 행이 쿼리이고, 역시 원핫인 단어 $i + 1$의 키와 맞아야 합니다.
#
# </details>
#
# <details><summary>힌트 2: 얼마나 커야 할까요?</summary>
#
# 원소가 $a$이면 가장 좋은 점수는 $a / \sqrt 5$이고 나머지 넷은 0이므로 가중치는 $e^{a/\sqrt 5} / (e^{a/\sqrt 5} + 4)$입니다.
#
# </details>


# %%
def _successor_projection():
    """
    Return the W_q with which each of five one-hot words asks for the next one, and the last for the first.
    # ko: 원핫 단어 다섯 개가 저마다 다음 단어를 찾고 마지막은 첫 단어를 찾게 하는 W_q를 돌려줍니다.

    Returns:
    # ko: 반환값:
        (5, 5), floats.
        # ko: (5, 5), 실수.
    """
    raise NotImplementedError()  # your lines here
    # ko: raise NotImplementedError()  # 여기에 여러분의 코드를


# %% folded=true
@demonstrate
def _demo():
    one_hot = np.eye(5, dtype="float32")
    w_q = _successor_projection()
    if np.shape(w_q) != (5, 5):
        print("✗ it returned None: is the `return` missing?" if w_q is None else f"✗ the shape is {np.shape(w_q)}, expected (5, 5)")
        # ko: print("✗ None을 돌려주었습니다. `return`이 빠지지 않았나요?" if w_q is None else f"✗ 모양이 {np.shape(w_q)}입니다. (5, 5)여야 합니다.")
        return
    w_q = to_numpy(w_q).astype("float32")
    _, weights = projected_attention(one_hot, one_hot, one_hot, w_q, one_hot, one_hot)
    weights = to_numpy(weights)
    asked, given = weights.argmax(axis=-1), weights.max(axis=-1)
    lost = np.flatnonzero(np.isclose(given, weights.min(axis=-1), atol=1e-4))
    if len(lost):
        print("✗ these words look for nothing, every key gets the same score:", lost)
        # ko: print("✗ 모든 키의 점수가 같아 아무것도 찾지 않는 단어:", lost)
    elif (asked == [1, 2, 3, 4, 0]).all():
        print("✓ each word looks for its successor")
        # ko: print("✓ 단어마다 다음 단어를 찾는다")
    elif (asked == [4, 0, 1, 2, 3]).all():
        print("✗ each word looks for the word before it: rows and columns have changed places")
        # ko: print("✗ 단어마다 앞 단어를 찾습니다. 행과 열이 바뀌었습니다.")
    else:
        print("✗ the words look for", asked)
        # ko: print("✗ 단어들이 찾는 것:", asked)
    least = weights[range(5), [1, 2, 3, 4, 0]].min()
    print("✓" if least > 0.95 else "✗", f"the smallest weight on a successor is {least:.3f}")
    # ko: print("✓" if least > 0.95 else "✗", f"다음 단어에 준 가중치 가운데 가장 작은 것은 {least:.3f}이다")
    names = [f"word {i}" for i in range(5)]
    # ko: names = [f"단어 {i}" for i in range(5)]
    show_weights(weights, names, names, "which word looks for which?")
    # ko: show_weights(weights, names, names, "어느 단어가 어느 단어를 찾는가 (weights)")
    plt.show()


# %% [markdown]
# ## Task 5: why the square root (2 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# Why is the score divided by $\sqrt{d_k}$, not by nothing and not by $d_k$? Suppose that all components of $q$ and $k$
# are independent with mean 0 and variance 1, which is about what normalised layers (notebook 05) deliver. The score without scaling
# is a sum,
#
# $$q \cdot k = \sum_{i=1}^{d_k} q_i k_i .$$
#
# The argument is that of footnote 4 in Vaswani et al. 2017, and needs three facts: for independent variables with mean 0,
# $\operatorname{Var}(q_i k_i) = \operatorname{Var}(q_i) \operatorname{Var}(k_i)$; variances of independent terms add;
# dividing by $c$ divides the variance by $c^2$. Work out the standard deviation, with and without scaling. No random
# numbers are needed: the answer is exact.
#
# | | |
# |---|---|
# | `key_dim` | a positive integer |
# | `scaled` | whether the score is divided by the square root of `key_dim` |
# | result | one number |
#
# <details><summary>Hint 1: What is the variance of one product?</summary>
#
# Both factors are independent, with mean 0 and variance 1. The first of the three facts gives 1. How many such terms does the sum
# have?
#
# </details>
#
# <details><summary>Hint 2: From the variance to the standard deviation</summary>
#
# The standard deviation is the root of the variance. If a number is divided by $c$, so is its standard deviation: what is left of it
# if $c$ is the standard deviation itself?
#
# </details>
#
# <!-- ko -->
# ## 과제 5: 왜 제곱근인가 (2점)
#
# *난이도 1/5, 10분쯤.*
#
# 점수를 왜 $\sqrt{d_k}$로 나눌까요? 왜 그냥 두지도, $d_k$로 나누지도 않을까요? $q$와 $k$의 성분이 모두 서로 독립이고
# 평균이 0, 분산이 1이라고 합시다. 정규화를 거친 계층(layer)의 출력이 대략 그렇습니다(5번 노트북). 스케일링하지 않은 점수는 다음과
# 같은 합입니다.
#
# $$q \cdot k = \sum_{i=1}^{d_k} q_i k_i$$
#
# Vaswani et al. 2017의 각주 4와 같은 논증이며, 세 가지 사실이면 충분합니다. 평균이 0인 독립 변수에 대해
# $\operatorname{Var}(q_i k_i) = \operatorname{Var}(q_i) \operatorname{Var}(k_i)$입니다. 독립인 항들의 합의 분산은
# 각 분산의 합과 같습니다. $c$로 나누면 분산은 $c^2$으로 나뉩니다. 스케일링할 때와 하지 않을 때의 표준편차를 구하세요. 난수는 필요
# 없습니다. 답은 정확한 값입니다.
#
# | | |
# |---|---|
# | `key_dim` | 양의 정수 |
# | `scaled` | 점수를 `key_dim`의 제곱근으로 나누는가 |
# | 결과 | 수 하나 |
#
# <details><summary>힌트 1: 곱 하나의 분산은 얼마일까요?</summary>
#
# 두 인수는 서로 독립이고 평균은 0, 분산은 1입니다. 세 사실 가운데 첫째에서 1이 나옵니다. 합에는 이런 항이 몇 개 있나요?
#
# </details>
#
# <details><summary>힌트 2: 분산에서 표준편차로</summary>
#
# 표준편차는 분산의 제곱근입니다. 수를 $c$로 나누면 표준편차도 $c$로 나뉩니다. $c$가 바로 그 표준편차라면 얼마가 남을까요?
#
# </details>


# %% task="score-scale"
def score_std(key_dim, scaled):
    """
    Return the standard deviation of one score between a query and a key of independent standard normals.
    # ko: 쿼리와 키의 성분이 모두 서로 독립인 표준정규 확률변수일 때, 점수 하나의 표준편차를 돌려줍니다.

    The exact value for these random variables, not an estimate from samples.
    # ko: 표본으로 어림한 값이 아니라 식으로 구한 정확한 값입니다.

    Args:
    # ko: 인수:
        key_dim: the width of query and key.
        # ko: key_dim: 쿼리와 키의 너비.
        scaled: True if the score is the dot product divided by the square root of `key_dim`,
        # ko: scaled: 점수가 내적을 `key_dim`의 제곱근으로 나눈 값이면 True,
            False for the bare dot product.
            # ko: 나누지 않은 내적이면 False.

    Returns:
    # ko: 반환값:
        One float.
        # ko: 실수 하나.
    """
    ### BEGIN SOLUTION
    # the variance of a product of independent standard normals is 1, and key_dim of them add up
    std = float(key_dim) ** 0.5
    return std / key_dim**0.5 if scaled else std
    ### END SOLUTION


# %% grade="score-scale" points=2
@checking("score_std")
def _check(check):
    check.close(
        score_std(64, scaled=False),
        8.0,
        "64 components, not scaled",
        # ko: "성분 64개, 스케일링하지 않음",
        hints={
            "that is half of 64. (`a ** 1/2` is half of `a`. A root is `a ** 0.5`.)": 32.0,
            # ko: "이것은 64의 절반입니다. (`a ** 1/2`은 `a`의 절반입니다. 제곱근은 `a ** 0.5`입니다.)": 32.0,
            "that is the variance. The standard deviation is its square root.": 64.0,
            # ko: "이것은 분산입니다. 표준편차는 그 제곱근입니다.": 64.0,
            "can a sum of 64 such terms have the standard deviation of one term? Or are the two cases swapped?": 1.0,
            # ko: "이런 항 64개를 더한 합의 표준편차가 항 하나의 표준편차와 같을까요? 아니면 두 경우가 바뀌지 않았나요?": 1.0,
        },
        otherwise="How many terms has the sum, and what is the variance of one? (An exact value, not an estimate from samples.)",
        # ko: otherwise="합에는 항이 몇 개 있고 항 하나의 분산은 얼마인가요? (표본으로 어림한 값이 아니라 정확한 값입니다.)",
    )
    check.close(
        score_std(64, scaled=True),
        1.0,
        "64 components, scaled",
        # ko: "성분 64개, 스케일링함",
        hints={
            "that is the factor 1 / sqrt(key_dim), or the deviation of scores divided by key_dim. What does the factor multiply?": 0.125,
            # ko: "이것은 계수 1 / sqrt(key_dim)이거나 key_dim으로 나눈 점수의 표준편차입니다. 계수를 무엇에 곱하나요?": 0.125,
            "the variance is divided by the root alone. Where a number is divided by c, its variance is divided by c squared.": 64**0.25,
            # ko: "분산을 제곱근으로 한 번만 나누었습니다. 수를 c로 나누면 분산은 c의 제곱으로 나뉩니다.": 64**0.25,
            "that is the answer without scaling. Is `scaled` looked at?": 8.0,
            # ko: "이것은 스케일링하지 않은 답입니다. `scaled`를 보나요?": 8.0,
        },
    )
    check.close(
        score_std(10, scaled=False),
        3.16227766,
        "10 components, not scaled",
        # ko: "성분 10개, 스케일링하지 않음",
        hints={
            "the root of 10 is no whole number.": 3.0,
            # ko: "10의 제곱근은 정수가 아닙니다.": 3.0,
        },
    )
_check

# %% [markdown]
# ### Measured: the spread of the scores, and what it does to the softmax
#
# Left: the standard deviation of 4000 random scores for widths from 2 to 1024, and your formula. Middle: the largest of
# 16 weights, on average. Without scaling the softmax becomes a hard choice as the width grows; divided by $d_k$ it stops choosing.
# Right: the reason why a hard choice is bad. The derivative of the softmax is
#
# $$\frac{\partial w_i}{\partial s_j} = w_i (\delta_{ij} - w_j),$$
#
# where $\delta_{ij}$ is 1 if $i = j$ and else 0, and its trace $\sum_i w_i (1 - w_i)$ goes to 0 when one weight goes to 1. Then nothing flows back to the scores, and what
# produces them learns nothing. Without any scaling, the trace is below 0.01 for about three quarters of the queries at width 1024 and for about a quarter at width 64: these get no gradient that counts.
#
# The curve for division by $d_k$ is the highest one, and yet no reason to divide by $d_k$. The gradient goes on from the
# scores to queries and keys, and whatever divides the scores divides it there once more: $d_k$ makes it far smaller than $\sqrt{d_k}$ does. And
# the attention weights are then all alike.
#
# <!-- ko -->
# ### 재어 보기: 점수가 퍼진 정도, 그리고 소프트맥스에 미치는 영향
#
# 왼쪽은 너비 2부터 1024까지 무작위 점수 4000개의 표준편차와 여러분의 식입니다. 가운데 그림은 가중치 16개의
# 최댓값을 평균한 것입니다. 스케일링하지 않으면 너비가 커질수록 소프트맥스가 하나만 골라내고(hard choice), $d_k$로 나누면 아무것도
# 고르지 않게 됩니다. 오른쪽은 하나만 골라내면 왜 나쁜지 보여 줍니다. 소프트맥스의 도함수는
#
# $$\frac{\partial w_i}{\partial s_j} = w_i (\delta_{ij} - w_j)$$
#
# 이고($\delta_{ij}$는 $i = j$이면 1, 아니면 0), 그 대각합(trace) $\sum_i w_i (1 - w_i)$는 한 가중치가 1에 가까워지면 0에 가까워집니다. 그러면 점수로 거꾸로
# 흘러가는 기울기(gradient)가 거의 없어서, 점수를 만드는 쪽은 아무것도 배우지 못합니다. 나누지 않으면 이 대각합이 0.01보다 작은 쿼리가 너비 1024에서는 4분의 3쯤, 너비 64에서는 4분의 1쯤입니다. 이런 쿼리에는 기울기가 거의 닿지 않습니다.
#
# $d_k$로 나눌 때의 곡선이 가장 높지만, 그렇다고
# $d_k$로 나눌 이유는 되지 않습니다. 기울기는 점수에서 쿼리와 키로 가면서 같은 수로 한 번 더 나뉘는데, $\sqrt{d_k}$가 아니라
# $d_k$로 나뉘기 때문입니다. 게다가 그렇게 나누면 어텐션 가중치가 모두 비슷해집니다.

# %%
@demonstrate
def _demo():
    rng = np.random.default_rng(7)
    widths = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
    _scalings = {"not scaled": lambda d: 1.0, "/ sqrt(key_dim)": np.sqrt, "/ key_dim": float}
    # ko: _scalings = {"/ 1 (not scaled)": lambda d: 1.0, "/ sqrt(key_dim)": np.sqrt, "/ key_dim": float}
    spread, largest, gradient = ({name: [] for name in _scalings} for _ in range(3))
    for d in widths:
        products = np.einsum("nd,nkd->nk", rng.standard_normal((250, d)), rng.standard_normal((250, 16, d)))
        for name, divisor in _scalings.items():
            scores = products / divisor(d)
            weights = to_numpy(softmax(scores.astype("float32")))
            spread[name].append(scores.std())
            largest[name].append(weights.max(axis=-1).mean())
            gradient[name].append((weights * (1 - weights)).sum(axis=-1).mean())

    fig, (left, middle, right) = plt.subplots(1, 3, figsize=(14, 3.6), layout="constrained")
    for ax, measured in zip((left, middle, right), (spread, largest, gradient), strict=True):
        for name, values in measured.items():
            ax.plot(widths, values, "o-", markersize=4, label=f"measured, {name}")
            # ko: ax.plot(widths, values, "o-", markersize=4, label=f"측정 (measured), {name}")
        ax.set(xscale="log", xlabel="key_dim")
    left.plot(widths, [float(score_std(d, False)) for d in widths], "k--", label="score_std(key_dim, False)")
    left.plot(widths, [float(score_std(d, True)) for d in widths], "k:", label="score_std(key_dim, True)")
    left.set(yscale="log", ylabel="standard deviation of a score", title="Spread of the scores", ylim=(0.008, 60))
    # ko: left.set(yscale="log", ylabel="점수의 표준편차 (standard deviation)", title="점수가 퍼진 정도 (spread)", ylim=(0.008, 60))
    middle.axhline(1 / 16, color="grey", linestyle=":", label="all 16 alike")
    # ko: middle.axhline(1 / 16, color="grey", linestyle=":", label="16개가 모두 같음 (all alike)")
    middle.set(ylabel="mean of the largest weight", title="How hard the choice is", ylim=(0, 1.05))
    # ko: middle.set(ylabel="가장 큰 가중치의 평균 (largest)", title="하나만 골라내는 정도 (hard choice)", ylim=(0, 1.05))
    right.set(ylabel="mean of $\\sum_i w_i (1 - w_i)$", title="What is left of the gradient at the scores", ylim=(0, 1.05))
    # ko: right.set(ylabel="Σ w (1 − w)의 평균 (mean)", title="점수에 남은 기울기 (gradient)", ylim=(0, 1.05))
    left.legend(fontsize=7, loc="lower left")
    middle.legend(fontsize=8)
    right.legend(fontsize=8)
    plt.show()

# %% [markdown]
# > **Does this hold?** *"Whether one divides by the root of the width, by the width itself or not at all: the model trains each time, so it works as well."*
# >
# > The cell counts how many of 16 keys a query *really* uses: the exponential of the entropy of its weights, 1 for a
# > hard choice, 16 for an even mix. Guess the three numbers for `key_dim` 1024.
#
# <!-- ko -->
# > **정말 그럴까?** *"너비의 제곱근으로 나누든, 너비 자체로 나누든, 나누지 않든 모델은 학습된다. 그러니 아무래도 좋다."*
# >
# > 아래 셀은 쿼리 하나가 키 16개 가운데 *정말로* 몇 개를 쓰는지 셉니다. 가중치의 엔트로피(entropy)에 지수 함수를 적용한
# > 수로, 하나만 골라내면 1이고 고르게 섞으면 16입니다. `key_dim`이 1024일 때 세 수가 얼마일지 짐작해 보세요.

# %%
@demonstrate
def _demo():
    rng = np.random.default_rng(8)
    _scalings = {"not scaled": lambda d: 1.0, "/ sqrt(key_dim)": np.sqrt, "/ key_dim": float}
    # ko: _scalings = {"/ 1 (not scaled)": lambda d: 1.0, "/ sqrt(key_dim)": np.sqrt, "/ key_dim": float}
    lines = ["keys really used, of 16"]
    # ko: lines = ["키 16개 가운데 정말로 쓰이는 수 (keys really used)"]
    lines.append(f"{'key_dim':>8}" + "".join(f"{name:>18}" for name in _scalings))
    for d in (4, 64, 1024):
        products = np.einsum("nd,nkd->nk", rng.standard_normal((250, d)), rng.standard_normal((250, 16, d)))
        row = []
        for divisor in _scalings.values():
            weights = to_numpy(softmax((products / divisor(d)).astype("float32"))).astype("float64")
            row.append(np.exp(-(weights * np.log(weights + 1e-300)).sum(axis=-1)).mean())
        lines.append(f"{d:>8}" + "".join(f"{used:>18.1f}" for used in row))
    print(*lines, sep="\n")

# %% [markdown]
# > **What is right.** It is not the same function, and the difference grows with the width. Divided by $d_k$, the standard
# > deviation is $1/\sqrt{d_k}$, so at the start every query averages everything and attention selects nothing.
# > Models may train all the same. On the translation task of notebook 07 a model without scaling translates 999 sentences of 1000 without an error, and so does one that divides by
# > $\sqrt{d_\text{model}}$, the root of the model's whole width. (That model has four heads, each of a quarter of the width, so this root is twice the right one.) All this says is that on an easy task $W_q$
# > and $W_k$ grow or shrink to make up for it. Success in training does not prove that the code is right: a test with
# > known numbers does.
#
# <!-- ko -->
# > **맞는 설명.** 같은 함수가 아니며, 차이는 너비가 클수록 커집니다. $d_k$로 나누면 표준편차가 $1/\sqrt{d_k}$이므로, 처음에는
# > 모든 쿼리가 모든 것을 평균하고 어텐션은 아무것도 고르지 않습니다. 그래도 모델은 학습될 수 있습니다. 7번 노트북의 번역
# > 문제에서는 나누지 않아도, 모델 전체 너비의 제곱근인 $\sqrt{d_\text{model}}$로 나누어도 문장 1000개 가운데 999개를 완전히 맞게 번역합니다.
# > (거기서는 이 너비를 헤드 넷으로 나누므로, 그 제곱근은 올바른 수의 두 배입니다.) 이는 쉬운 문제에서는 $W_q$와 $W_k$가 커지거나 작아져서 이를 메워 준다는 뜻일 뿐입니다. 학습이 잘된다고 해서
# > 코드가 맞다고 증명된 것은 아닙니다. 답을 아는 수로 검사해야 합니다.


# %% [markdown]
# ## Task 6: additive attention (3 points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# What has changed since 2015 is mostly the score:
#
# | name | score of query $q$ and key $k$ | learned in the score | widths | from |
# |---|---|---|---|---|
# | additive | $v^\top \tanh(W_q^\top q + W_k^\top k)$ | $W_q, W_k, v$ | may differ | Bahdanau et al. 2015 |
# | dot | $q^\top k$ | nothing | equal | Luong et al. 2015 |
# | general | $q^\top W_g k$ | $W_g$ | may differ | Luong et al. 2015 |
# | scaled dot | $q^\top k / \sqrt{d_k}$ | nothing (projections come before it) | equal | Vaswani et al. 2017 |
#
# The last row you have written; now comes the first. Bahdanau's score is a small network with one hidden layer that looks at query and
# key *together*:
#
# $$e_{ij} = v^\top \tanh(W_q^\top q_i + W_k^\top k_j), \qquad
#   W = \operatorname{softmax}(e) \text{ along the keys}, \qquad O = W V$$
#
# In the row convention of this notebook, `query @ w_query` and `key @ w_key`. The projections bring both to the same
# number of `units`, so queries and keys may have different widths, and there is no scaling: tanh keeps every score
# between $-\sum_u |v_u|$ and $\sum_u |v_u|$.
#
# | | shape | | shape |
# |---|---|---|---|
# | `query` | `(..., query_len, query_dim)` | `w_query` | `(query_dim, units)` |
# | `key` | `(..., key_len, key_dim)` | `w_key` | `(key_dim, units)` |
# | `value` | `(..., key_len, value_dim)` | `v` | `(units,)` |
# | `output` | `(..., query_len, value_dim)` | `weights` | `(..., query_len, key_len)` |
#
# Every query meets every key *inside* the tanh, so in between there is an array `(..., query_len, key_len, units)`.
# Think about where the two projected arrays need a dimension of length 1 to broadcast to it, counted from the back, so
# that leading dimensions don't matter.
#
# One pair by hand: $q = (1, 0)$, $k = (0, 1, 0)$, $W_q$ the identity, $W_k$ with rows $(1,0), (0,1), (-1,0)$, $v = (1,
# 2)$: the hidden layer is $\tanh((1,0) + (0,1)) = (0.7616, 0.7616)$ and the score $0.7616 + 2 \cdot 0.7616 = 2.2848$.
#
# <details><summary>Hint 1: Which axis does each of the two lack?</summary>
#
# The hidden array ends in (query_len, key_len, units). The projected queries end in (query_len, units): they lack the axis of the
# keys, second from the back. The projected keys end in (key_len, units): they lack the axis of the queries, third from the back.
#
# </details>
#
# <details><summary>Hint 2: How does an axis come in?</summary>
#
# `ops.expand_dims(a, -2)` puts an axis of length 1 in front of the last one; with -3 it stands in front of the last two. The sum of
# the two arrays then has both axes by broadcasting.
#
# </details>
#
# <details><summary>Hint 3: From the hidden layer to the scores</summary>
#
# Multiply by `v` and add up over the units, the last axis. What remains has the shape (..., query_len, key_len). There is no scaling;
# the softmax runs along the keys.
#
# </details>
#
# <!-- ko -->
# ## 과제 6: 가산 어텐션 (3점)
#
# *난이도 3/5, 40분쯤.*
#
# 2015년 뒤로 주로 달라진 것은 점수를 구하는 방법입니다.
#
# | 이름 | 쿼리 $q$와 키 $k$의 점수 | 점수 안에서 학습되는 것 | 쿼리와 키의 너비 | 출처 |
# |---|---|---|---|---|
# | 가산(additive) | $v^\top \tanh(W_q^\top q + W_k^\top k)$ | $W_q, W_k, v$ | 달라도 된다 | Bahdanau et al. 2015 |
# | 내적(dot) | $q^\top k$ | 없음 | 같다 | Luong et al. 2015 |
# | 일반(general) | $q^\top W_g k$ | $W_g$ | 달라도 된다 | Luong et al. 2015 |
# | 스케일드 내적(scaled dot) | $q^\top k / \sqrt{d_k}$ | 없음(투영은 그 앞에 온다) | 같다 | Vaswani et al. 2017 |
#
# 마지막 행(스케일드 내적, 곧 스케일드 닷 프로덕트)은 이미 작성했고, 이제 첫 행 차례입니다. Bahdanau의 점수는 쿼리와 키를 *함께* 보는, 은닉층이 하나인 작은 신경망입니다.
#
# $$e_{ij} = v^\top \tanh(W_q^\top q_i + W_k^\top k_j), \qquad
#   W = \operatorname{softmax}(e) \ (\text{키를 따라}), \qquad O = W V$$
#
# 벡터를 행으로 두는 이 노트북의 방식으로는 `query @ w_query`와 `key @ w_key`입니다. 투영하면 둘 다 같은 수의
# 유닛(`units`)이 되므로 쿼리와 키의 너비가 달라도 됩니다. 스케일링은 하지 않습니다. tanh가 모든 점수를
# $-\sum_u |v_u|$와 $\sum_u |v_u|$ 사이에 붙들어 둡니다.
#
# | | 모양 | | 모양 |
# |---|---|---|---|
# | `query` | `(..., query_len, query_dim)` | `w_query` | `(query_dim, units)` |
# | `key` | `(..., key_len, key_dim)` | `w_key` | `(key_dim, units)` |
# | `value` | `(..., key_len, value_dim)` | `v` | `(units,)` |
# | `output` | `(..., query_len, value_dim)` | `weights` | `(..., query_len, key_len)` |
#
# 모든 쿼리가 모든 키를 tanh *안에서* 만나므로 중간에 모양이 `(..., query_len, key_len, units)`인 배열이 생깁니다.
# 투영한 두 배열이 그 모양으로 브로드캐스트되려면 길이가 1인 차원을 각각 어디에 넣어야 할까요? 앞쪽 차원이 몇 개든
# 상관없도록 뒤에서부터 세어 생각해 보세요.
#
# 한 쌍을 손으로 계산해 봅시다. $q = (1, 0)$, $k = (0, 1, 0)$, $W_q$는 단위행렬, $W_k$의 행은 $(1,0), (0,1), (-1,0)$,
# $v = (1, 2)$입니다. 은닉층은 $\tanh((1,0) + (0,1)) = (0.7616, 0.7616)$이고 점수는
# $0.7616 + 2 \cdot 0.7616 = 2.2848$입니다.
#
# <details><summary>힌트 1: 두 배열에는 각각 어느 축이 없을까요?</summary>
#
# 은닉층 배열은 (query_len, key_len, units)로 끝납니다. 투영한 쿼리는 (query_len, units)로 끝나므로 뒤에서 둘째인 키의 축이 없습니다.
# 투영한 키는 (key_len, units)로 끝나므로 뒤에서 셋째인 쿼리의 축이 없습니다.
#
# </details>
#
# <details><summary>힌트 2: 축을 끼워 넣으려면?</summary>
#
# `ops.expand_dims(a, -2)`는 마지막 축 바로 앞에 길이 1인 축을 넣습니다. -3이면 마지막 두 축의 앞에 들어갑니다. 그런 다음 두 배열을
# 더하면 브로드캐스트되어 두 축이 모두 생깁니다.
#
# </details>
#
# <details><summary>힌트 3: 은닉층에서 점수로</summary>
#
# `v`를 곱하고 마지막 축인 units를 따라 더합니다. 남는 모양은 (..., query_len, key_len)입니다. 스케일링은 없고, 소프트맥스는 키
# 방향으로 구합니다.
#
# </details>


# %% task="additive" builds_on="softmax"
def additive_attention(query, key, value, w_query, w_key, v):
    """
    Attend with Bahdanau's score `v . tanh(query w_query + key w_key)`, not scaled.
    # ko: 스케일링하지 않은 Bahdanau의 점수 `v . tanh(query w_query + key w_key)`로 어텐션을 계산합니다.

    Args:
    # ko: 인수:
        query: (..., query_len, query_dim), with any number of leading dimensions, none included.
        # ko: query: (..., query_len, query_dim), 앞쪽 차원은 몇 개든 되고 없어도 됩니다.
        key: (..., key_len, key_dim)
        value: (..., key_len, value_dim)
        w_query: (query_dim, units)
        w_key: (key_dim, units)
        v: (units,)

    Returns:
    # ko: 반환값:
        A tuple (output, weights):
        # ko: 튜플 (output, weights):
        output: (..., query_len, value_dim)
        weights: (..., query_len, key_len), every row adds up to 1.
        # ko: weights: (..., query_len, key_len), 행마다 합이 1입니다.
    """
    ### BEGIN SOLUTION
    projected_query = ops.expand_dims(ops.matmul(query, w_query), -2)  # (..., query_len, 1, units)
    projected_key = ops.expand_dims(ops.matmul(key, w_key), -3)  # (..., 1, key_len, units)
    hidden = ops.tanh(projected_query + projected_key)  # (..., query_len, key_len, units)
    weights = softmax(ops.sum(ops.multiply(hidden, v), axis=-1))
    return ops.matmul(weights, value), weights
    ### END SOLUTION


# %% grade="additive" points=3
@checking("additive_attention")
def _check(check):
    # two queries, two keys, two units: here swapped axes and a missing sum raise nothing; the first query and the second key are the pair of the text
    # ko: # 쿼리 둘, 키 둘, 유닛 둘: 축이 바뀌거나 합이 빠져도 예외가 나지 않는 크기입니다. 첫째 쿼리와 둘째 키가 위에서 손으로 계산한 쌍입니다
    wq = np.eye(2, dtype="float32")
    wk = np.array([[1, 0], [0, 1], [-1, 0]], dtype="float32")
    v = np.array([1, 2], dtype="float32")
    query = np.array([[1, 0], [0, 2]], dtype="float32")
    key = np.array([[1, 0, 0], [0, 1, 0]], dtype="float32")
    answer = additive_attention(query, key, np.eye(2, dtype="float32"), wq, wk, v)
    check.pair(answer, "output, weights")
    check.shape(
        answer[1],
        (2, 2),
        "weights (query_len, key_len)",
        # ko: "가중치 (query_len, key_len)",
        otherwise="Every query has to meet every key inside the tanh: new axes of length 1 do that (count them from the back). Then the units, the last axis, are summed up.",
        # ko: otherwise="tanh 안에서 모든 쿼리가 모든 키를 만나야 합니다. 길이가 1인 새 축을 두면 됩니다(축은 뒤에서부터 세세요). 그다음 마지막 축인 유닛을 따라 더합니다.",
    )
    turned = {
        "the weights have a row for each key instead of each query. Have the two axes of length 1 changed places?": [[0.15114846, 0.84885154], [0.57313976, 0.42686024]],
        # ko: "가중치의 행이 쿼리가 아니라 키입니다. 길이가 1인 두 축의 자리가 바뀌지 않았나요?": [[0.15114846, 0.84885154], [0.57313976, 0.42686024]],
        "the new axis of the queries stands at the end, behind the units. It belongs in front of them. Did you count the axes from the front, as if there were always a batch?": [[0.84885154, 0.15114846], [0.1929509, 0.8070491]],
        # ko: "쿼리의 새 축이 유닛 뒤, 맨 끝에 있습니다. 유닛 앞에 있어야 합니다. 배치가 늘 있다고 여겨 축을 앞에서부터 세지 않았나요?": [[0.84885154, 0.15114846], [0.1929509, 0.8070491]],
    }
    found = [words for words, wrong in turned.items() if np.allclose(_as_array(answer[1]), wrong, atol=1e-4)]
    check.true(not found, "a row for each query", *found or [""])
    # ko: check.true(not found, "쿼리마다 한 행", *found or [""])

    # query_len 2, query_dim 2, key_len 4, key_dim 3, value_dim 1, units 2
    query = np.eye(2, dtype="float32")
    key = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype="float32")
    value = np.array([[1], [2], [3], [4]], dtype="float32")
    no_tanh = [[0.15216302, 0.41362198, 0.02059303, 0.41362198]] * 2
    two_tanh = [[0.18177221, 0.38929930, 0.03962919, 0.38929930]] * 2
    scaled = [[0.15163755, 0.38583425, 0.07669394, 0.38583425], [0.34545819, 0.26843998, 0.11766185, 0.26843998]]
    scaled_by_key = [[0.17063140, 0.36578432, 0.09779995, 0.36578432], [0.32864865, 0.26747675, 0.13639786, 0.26747675]]
    mean_over_units = [[0.18219635, 0.35264519, 0.11251327, 0.35264519], [0.31845128, 0.26642848, 0.14869175, 0.26642848]]
    dot_products = [[0.44858053, 0.22118102, 0.10905743, 0.22118102], [0.16511923, 0.33488077, 0.16511923, 0.33488077]]
    no_v = [[0.20492805, 0.35846093, 0.07815010, 0.35846093], [0.42347885, 0.24209806, 0.09232503, 0.24209806]]
    bare_scores = [[0.96402758, 2.28478247, 0.0, 2.28478247], [2.28478247, 1.92805516, 0.76159416, 1.92805516]]
    by_columns = [[0.21069273, 0.58824798, 0.31830026, 0.58824798], [0.78930727, 0.41175202, 0.68169974, 0.41175202]]
    of_the_product = [[0.46471454, 0.21698520, 0.10131505, 0.21698520], [0.08949625, 0.41050375, 0.08949625, 0.41050375]]
    tanh_of_the_score = [[0.29032793, 0.29947719, 0.11071768, 0.29947719], [0.26313323, 0.26426041, 0.20834594, 0.26426041]]
    output, weights = additive_attention(query, key, value, wq, wk, v)
    check.shape(weights, (2, 4), "the second result, weights (query_len, key_len),")
    # ko: check.shape(weights, (2, 4), "둘째 결과인 가중치 (query_len, key_len)")
    check.close(
        weights,
        [[0.11269065, 0.42216717, 0.04297501, 0.42216717], [0.38197938, 0.26737156, 0.08327749, 0.26737156]],
        "the weights",
        # ko: "가중치",
        hints={
            "these are the scores themselves. The softmax makes weights of them.": bare_scores,
            # ko: "점수 그대로입니다. 소프트맥스를 해야 가중치가 됩니다.": bare_scores,
            "there is no tanh in these.": no_tanh,
            # ko: "tanh가 들어 있지 않습니다.": no_tanh,
            "tanh of the sum, not the sum of two tanh; or the query isn't used.": two_tanh,
            # ko: "두 tanh의 합이 아니라 합의 tanh여야 합니다. 쿼리를 쓰지 않아도 이렇게 됩니다.": two_tanh,
            "query and key are multiplied inside the tanh. They are added.": of_the_product,
            # ko: "tanh 안에서 쿼리와 키를 곱했습니다. 더해야 합니다.": of_the_product,
            "the tanh is taken of the whole score. It belongs to each unit, before `v`.": tanh_of_the_score,
            # ko: "점수 전체에 tanh를 적용했습니다. `v`를 곱하기 전에 유닛마다 적용해야 합니다.": tanh_of_the_score,
            "`v` is missing: the score is the sum of the hidden layer, each unit times its number in `v`.": no_v,
            # ko: "`v`가 빠졌습니다. 점수는 은닉층의 유닛마다 `v`의 수를 곱해 더한 값입니다.": no_v,
            "these come of the scaled dot products of the two projections. Here they are added, and tanh and `v` make the score.": dot_products,
            # ko: "두 투영의 스케일드 내적에서 나온 가중치입니다. 여기서는 둘을 더하고 tanh와 `v`로 점수를 구합니다.": dot_products,
            "every key gets the same weight. Is the key in the score?": np.full((2, 4), 0.25),
            # ko: "모든 키의 가중치가 같습니다. 점수에 키가 들어 있나요?": np.full((2, 4), 0.25),
            "additive scores are not scaled: this is the mean over the units, or half the score.": mean_over_units,
            # ko: "가산 점수는 스케일링하지 않습니다. 유닛에 대한 평균이거나 점수의 절반입니다.": mean_over_units,
            "additive scores are not scaled, not by the root of key_dim either.": scaled_by_key,
            # ko: "가산 점수는 스케일링하지 않습니다. key_dim의 제곱근으로도 나누지 마세요.": scaled_by_key,
            "additive scores are not scaled.": scaled,
            # ko: "가산 점수는 스케일링하지 않습니다.": scaled,
            "every column adds up to 1. The softmax runs along the keys, the last axis.": by_columns,
            # ko: "열마다 합이 1입니다. 소프트맥스는 키, 곧 마지막 축을 따라 계산합니다.": by_columns,
        },
    )
    check.close(
        output,
        [[2.77461869], [2.23604124]],
        "the output",
        # ko: "출력",
        hints={
            "that is the mean over the keys. The weights already add up to 1, so sum.": [[0.69365467], [0.55901031]],
            # ko: "키에 대한 평균입니다. 가중치의 합이 이미 1이므로 더하기만 하세요.": [[0.69365467], [0.55901031]],
        },
    )
    check.shape(
        additive_attention(query[:1], key, value, wq, wk, v)[1],
        (1, 4),
        "weights of a single query (1, key_len)",
        # ko: "쿼리가 하나일 때의 가중치 (1, key_len)",
        otherwise="`squeeze` without an axis takes away every axis of length 1, this one too.",
        # ko: otherwise="축을 정하지 않은 `squeeze`는 길이가 1인 축을 이 축까지 모두 없앱니다.",
    )
    for leading in ((3,), (2, 3)):
        batch = [np.broadcast_to(part, (*leading, *part.shape)).copy() for part in (query, key, value)]
        output, weights = additive_attention(*batch, wq, wk, v)
        check.shape(weights, (*leading, 2, 4), f"weights with leading dimensions {leading}")
        # ko: check.shape(weights, (*leading, 2, 4), f"앞쪽 차원이 {leading}인 가중치")
        check.close(
            ops.reshape(output, (-1, 2, 1))[-1],
            [[2.77461869], [2.23604124]],
            f"the last slice, leading dimensions {leading}",
            # ko: f"앞쪽 차원이 {leading}일 때의 마지막 조각",
            hints={
                "the softmax runs along axis 1, here the queries. It runs along the keys, the last axis (-1).": [[4.69508136], [5.30491864]],
                # ko: "소프트맥스를 축 1(여기서는 쿼리)을 따라 계산했습니다. 키, 곧 마지막 축(-1)을 따라 계산하세요.": [[4.69508136], [5.30491864]],
            },
        )

    # query_len 3, query_dim 2, key_len 5, key_dim 4, value_dim 2, units 3
    query = np.array([[1, 0], [0, 1], [2, -1]], dtype="float32")
    key = np.array([[1, 0, 2, 0], [0, 1, 0, -1], [0, 0, 1, 1], [1, -1, 0, 0], [0, 2, 0, 1]], dtype="float32")
    value = np.array([[1, 0], [0, 1], [2, 0], [0, 3], [1, 1]], dtype="float32")
    wq = np.array([[1, 0, -1], [0, 2, 1]], dtype="float32")
    wk = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, -1, 0]], dtype="float32")
    v = np.array([1, 2, -1], dtype="float32")
    check.close(
        additive_attention(query, key, value, wq, wk, v)[0],
        [[0.646509, 1.01500208], [0.89211163, 0.99924968], [0.42906422, 1.01843839]],
        "the output for three units, of other sizes",
        # ko: "유닛이 셋이고 크기가 다른 예의 출력",
        otherwise="Are both projections used, `query @ w_query` and `key @ w_key`?",
        # ko: otherwise="두 투영 `query @ w_query`와 `key @ w_key`를 모두 쓰나요?",
    )
_check

# %% [markdown]
# ### What the tanh is for
#
# Leave it out, and the score is $v^\top W_q^\top q_i + v^\top W_k^\top k_j$: a number that depends on the query alone
# plus one that depends on the key alone. The first is the same for all keys, and adding a constant to a row changes
# nothing in its softmax. **Every query would get the same weights**: no look-up at all. The hidden layer must be *bent*
# for query and key to meet. The dot product needs no tanh, because there they meet in a product.
#
# The cell shows it: with queries and keys of ordinary size, and with tiny ones, where tanh is almost a straight line (there `v` is 100 times as large, so that
# the scores don't get tiny too).
#
# <!-- ko -->
# ### tanh는 왜 있는가
#
# tanh를 빼면 점수는 $v^\top W_q^\top q_i + v^\top W_k^\top k_j$, 곧 쿼리만으로 정해지는 수와 키만으로 정해지는 수의 합이 됩니다.
# 앞의 수는 모든 키에서 같고, 한 행에 같은 상수를 더해도 그 행의 소프트맥스는 달라지지 않습니다. **모든 쿼리가 똑같은
# 가중치를 갖게 됩니다.** 그러면 찾기라고 할 수 없습니다. 쿼리와 키가 만나려면 은닉층이 *휘어* 있어야 합니다. 내적에는
# tanh가 필요 없습니다. 거기서는 쿼리와 키가 곱으로 만나기 때문입니다.
#
# 아래 셀이 이를 보여 줍니다. 한 번은 보통 크기의 쿼리와 키로, 한 번은 tanh가 거의 직선이 될 만큼 아주 작은 쿼리와 키로
# 계산합니다(이때는 점수까지 작아지지 않도록 `v`에 100을 곱합니다).

# %%
@demonstrate
def _demo():
    rng = np.random.default_rng(9)
    query, key = rng.standard_normal((4, 5)).astype("float32"), rng.standard_normal((6, 3)).astype("float32")
    wq, wk = rng.standard_normal((5, 8)).astype("float32"), rng.standard_normal((3, 8)).astype("float32")
    v = rng.standard_normal(8).astype("float32")
    _, bent = additive_attention(query, key, key, wq, wk, v)
    _, straight = additive_attention(query / 100, key / 100, key, wq, wk, 100 * v)
    fig, axes = plt.subplots(1, 2, figsize=(11, 3.4), layout="constrained")
    show_weights(bent, title="tanh bends: a row for every query", ax=axes[0])
    # ko: show_weights(bent, title="tanh가 휘면: 쿼리마다 다른 행 (bent)", ax=axes[0])
    show_weights(straight, title="tanh almost straight: the same rows", ax=axes[1])
    # ko: show_weights(straight, title="tanh가 거의 직선: 모두 같은 행 (straight)", ax=axes[1])
    plt.show()

# %% [markdown]
# ### A bound, or none
#
# Stretch one key more and more (and let it point the other way, left of 0). What becomes of its four scores? The tanh of the additive score saturates, so
# that score bends towards its bound. The others go on in straight lines: the longer a vector, the louder it is.
#
# <!-- ko -->
# ### 한계가 있는 점수와 없는 점수
#
# 키 하나를 점점 길게 늘이면(0의 왼쪽에서는 방향을 뒤집어서) 네 점수는 어떻게 될까요? 가산 점수는 tanh가 포화하므로(saturate) 휘어서 한계에
# 다가갑니다. 나머지는 곧게 뻗어 나갑니다. 벡터가 길수록 목소리도 큽니다.

# %%
@demonstrate
def _demo():
    rng = np.random.default_rng(1)
    width = 16
    query = rng.standard_normal(width)
    key = 0.3 * query + 0.3 * rng.standard_normal(width)  # a key that fits the query somewhat
    # ko: key = 0.3 * query + 0.3 * rng.standard_normal(width)  # 쿼리에 웬만큼 맞는 키
    w_query, w_key = rng.standard_normal((2, width, width)) / np.sqrt(width)
    w_general = 0.7 * np.eye(width) + 0.1 * rng.standard_normal((width, width))
    v = key @ w_key  # as if training had made the additive score like this key
    # ko: v = key @ w_key  # 가산 점수가 이 키를 좋아하도록 학습된 셈
    stretch = np.linspace(-15, 15, 201)
    additive = np.tanh(query @ w_query + stretch[:, None] * (key @ w_key)) @ v

    fig, ax = plt.subplots(figsize=(7, 3.4))
    ax.plot(stretch, additive, label="additive")
    # ko: ax.plot(stretch, additive, label="가산 (additive)")
    ax.plot(stretch, stretch * (query @ key), label="dot")
    # ko: ax.plot(stretch, stretch * (query @ key), label="내적 (dot)")
    ax.plot(stretch, stretch * (query @ w_general @ key), label="general")
    # ko: ax.plot(stretch, stretch * (query @ w_general @ key), label="일반 (general)")
    ax.plot(stretch, stretch * (query @ key) / np.sqrt(width), label="scaled dot")
    # ko: ax.plot(stretch, stretch * (query @ key) / np.sqrt(width), label="스케일드 내적 (scaled dot)")
    ax.axhline(np.abs(v).sum(), color="grey", linestyle=":", label="bound of the additive score")
    # ko: ax.axhline(np.abs(v).sum(), color="grey", linestyle=":", label="가산 점수의 한계 (bound)")
    ax.axhline(-np.abs(v).sum(), color="grey", linestyle=":")
    ax.set(xlabel="stretch of the key", ylabel="score", title="Four ways to score the same query and key")
    # ko: ax.set(xlabel="키를 늘인 배수 (stretch)", ylabel="점수 (score)", title="같은 쿼리와 키의 네 가지 점수 (scores)")
    ax.legend(fontsize=8)
    plt.show()

# %% [markdown]
# ### What it costs
#
# Both scores need a number of multiplications that grows with `query_len * key_len * width`. But the dot product runs
# as one matrix product that never stores more than the scores, while additive attention builds an array `width` times
# as large in between (`units` times in task 6), and a tanh of each entry. Vaswani et al. (2017, section 3.2.1) give this as their reason; they
# also note that *without* scaling, dot products do worse than additive attention at large widths. With task 5 you know
# why.
#
# <!-- ko -->
# ### 비용은 얼마나 드는가
#
# 두 점수 모두 곱셈의 수가 `query_len * key_len * width`에 비례합니다. 그러나 내적은 행렬 곱 하나로 계산되어 점수보다 큰
# 배열을 저장하지 않습니다. 가산 어텐션은 중간에 그 `width`배(과제 6의 `units`배)나 되는 배열을 만들고 원소마다 tanh를 계산합니다.
# Vaswani et al.(2017, 3.2.1절)은 내적을 고른 이유로 이 점을 듭니다. 또 스케일링하지 *않으면* 너비가 클 때 내적이 가산 어텐션보다
# 못하다고 적었습니다. 과제 5를 푼 여러분은 그 까닭을 압니다.

# %%
@demonstrate
def _demo():
    print(f"{'sequence':>9}{'scores':>12}{'additive, in between':>24}   (float32, width 64, one head, one sequence)")
    # ko: print(f"{'길이':>7}{'점수':>10}{'가산 어텐션의 중간 배열':>14}   (float32, 너비 64, 헤드 하나, 시퀀스 하나)")
    for length in (128, 512, 2048):
        scores_mib, between_mib = (length**2 * width * 4 / 2**20 for width in (1, 64))
        print(f"{length:>9}{scores_mib:>8.2f} MiB{between_mib:>20.0f} MiB")

# %% [markdown]
# ### What one vector loses
#
# Back to where it began. How bad is the bottleneck that Bahdanau removed? Take a friendly case: a linear network
# $h_t = 0.97\,A\,h_{t-1} + B\,x_t$ with an orthogonal $A$, a state of 32 numbers with a little noise on it, and inputs of 4 independent numbers each.
# How much of each input can the best linear decoder get back from the last state alone? Guess: after how many inputs is less than half of the first one left? (Nothing
# has to be trained: the state is a matrix times all inputs plus noise, and the best linear guess at the inputs follows from it by ridge
# regression.)
#
# <!-- ko -->
# ### 벡터 하나로는 무엇을 잃는가
#
# 처음 이야기로 돌아갑시다. Bahdanau가 없앤 병목은 얼마나 심각할까요? 유리한 경우를 봅시다. $A$가 직교 행렬인 선형 신경망
# $h_t = 0.97\,A\,h_{t-1} + B\,x_t$에서 상태는 약간의 잡음이 섞인 수 32개이고, 입력은 각각 서로 독립인 수 4개입니다. 가장 좋은 선형 디코더는 마지막
# 상태만 가지고 각 입력을 얼마나 되살릴 수 있을까요? 입력을 몇 개 읽으면 첫 입력이 절반도 남지 않을지 짐작해 보세요. (학습은 필요 없습니다. 상태는 모든 입력에
# 행렬을 곱하고 잡음을 더한 것이고, 가장 좋은 선형 추정은 릿지 회귀(ridge regression)로 구할 수 있습니다.)

# %% folded=true
@demonstrate
def _demo():
    state_dim, input_dim, noise = 32, 4, 0.05
    rng = np.random.default_rng(0)
    rotation = np.linalg.qr(rng.standard_normal((state_dim, state_dim)))[0]
    inject = rng.standard_normal((state_dim, input_dim)) / np.sqrt(state_dim)
    lengths = range(1, 33)
    recovered = {"first input": [], "last input": [], "mean of all": []}
    # ko: recovered = {"첫 입력 (first input)": [], "마지막 입력 (last input)": [], "전체 평균 (mean of all)": []}
    for length in lengths:
        # the last state is `mixing @ all inputs`
        # ko: # 마지막 상태는 `mixing @ 모든 입력`입니다
        steps = [np.linalg.matrix_power(0.97 * rotation, length - 1 - t) @ inject for t in range(length)]
        mixing = np.concatenate(steps, axis=1)
        decoder = mixing.T @ np.linalg.inv(mixing @ mixing.T + noise**2 * np.eye(state_dim))
        share = np.diag(decoder @ mixing).reshape(length, input_dim).mean(axis=1)
        recovered["first input"].append(share[0])
        # ko: recovered["첫 입력 (first input)"].append(share[0])
        recovered["last input"].append(share[-1])
        # ko: recovered["마지막 입력 (last input)"].append(share[-1])
        recovered["mean of all"].append(share.mean())
        # ko: recovered["전체 평균 (mean of all)"].append(share.mean())

    fig, ax = plt.subplots(figsize=(7, 3.2))
    for name, values in recovered.items():
        ax.plot(lengths, values, label=name)
    ax.axvline(state_dim / input_dim, color="grey", linestyle=":", label="32 numbers = 8 inputs of 4")
    # ko: ax.axvline(state_dim / input_dim, color="grey", linestyle=":", label="수 32개 = 4개씩 입력 8개 (8 inputs)")
    ax.set(xlabel="inputs read before the state is handed over")
    # ko: ax.set(xlabel="상태를 넘길 때까지 읽은 입력의 수 (inputs read)")
    ax.set(ylabel="share of variance recovered", ylim=(0, 1.05))
    # ko: ax.set(ylabel="되살린 분산의 비율 (recovered)", ylim=(0, 1.05))
    ax.set_title("One fixed vector: what is left of each input")
    # ko: ax.set_title("크기가 고정된 벡터 하나에 남은 각 입력 (one fixed vector)")
    ax.legend()
    plt.show()

# %% [markdown]
# Up to eight inputs nearly everything is found again. Then 32 numbers are not enough: all inputs fade, and most of all the *beginning* of the sequence, since the state shrinks by the factor 0.97 at each step. After 14 inputs less than half of the first one is left. A trained, nonlinear network
# chooses better what to forget, but forget it must. Attention need not: it keeps all $n$ states, at the price of $n$ scores for each query.
#
# ## ★ The way back (optional, no points)
#
# *Difficulty 4 of 5, about 40 minutes.*
#
# Keras finds gradients by itself. What does it compute? Given the gradient of a loss with respect to the *output* of attention, write the one with
# respect to the *scores*, as the fast kernels of today's libraries do by hand. The output is $O = W V$, each row of $W$ is a softmax, and task 5 has
# shown the derivative of that: $\partial w_i / \partial s_j = w_i (\delta_{ij} - w_j)$.
#
# The folded cell compares yours with what comes of moving each score a little.
#
# <details><summary>Hint 1: First from the output to the weights</summary>
#
# $O = W V$ is a product of matrices, so the gradient of $W$ is the gradient of $O$ times $V^\top$. Look at the shapes: nothing else fits.
#
# </details>
#
# <details><summary>Hint 2: Then through the softmax</summary>
#
# Write $g_i$ for the gradient of $w_i$ and add up: $\sum_i g_i\, w_i (\delta_{ij} - w_j)$. One of the two terms is the same for all $j$ of a row, but for
# the factor $w_j$.
#
# </details>
#
# <!-- ko -->
# 입력이 여덟 개일 때까지는 거의 모두 되살릴 수 있습니다. 그다음부터는 수 32개로는 모자라서 모든 입력이 흐려지고, 걸음마다 0.97배로 줄어드는 시퀀스의 *앞부분*이 가장 많이 사라집니다. 입력을 14개 읽으면 첫 입력은 절반도 남지 않습니다. 잘 학습한 비선형
# 신경망이라면 무엇을 잊을지 더 잘 고르겠지만, 그래도 잊을 수밖에 없습니다. 어텐션은 잊지 않아도 됩니다. 그 대가로 상태 $n$개를
# 모두 남겨 두고, 쿼리마다 점수 $n$개를 계산해야 합니다.
#
# ## ★ 거꾸로 가는 길 (선택, 배점 없음)
#
# *난이도 4/5, 40분쯤.*
#
# 케라스는 기울기를 알아서 구합니다. 무엇을 계산하는 것일까요? 손실을 어텐션의 *출력*으로 미분한 기울기가 주어질 때, *점수*로 미분한 기울기를
# 작성하세요. 오늘날 라이브러리의 빠른 구현은 이것을 직접 계산합니다. 출력은 $O = W V$이고 $W$의 행은 모두 소프트맥스이며, 그 도함수는 과제 5에
# 나왔습니다. $\partial w_i / \partial s_j = w_i (\delta_{ij} - w_j)$입니다.
#
# 접힌 셀은 점수를 하나씩 조금 움직여 얻은 값과 여러분의 값을 비교합니다.
#
# <details><summary>힌트 1: 먼저 출력에서 가중치로</summary>
#
# $O = W V$는 행렬 곱이므로 $W$의 기울기는 $O$의 기울기에 $V^\top$을 곱한 값입니다. 모양을 보면 이 곱밖에 맞지 않습니다.
#
# </details>
#
# <details><summary>힌트 2: 그다음 소프트맥스를 지나서</summary>
#
# $w_i$의 기울기를 $g_i$라 하고 더해 보세요. $\sum_i g_i\, w_i (\delta_{ij} - w_j)$입니다. 두 항 가운데 하나는 인수 $w_j$ 말고는 한 행의 모든 $j$에서
# 같습니다.
#
# </details>


# %%
def _gradient_of_scores(weights, value, gradient):
    """
    Carry the gradient of a loss from the output of attention back to its scores.
    # ko: 손실의 기울기를 어텐션의 출력에서 점수로 되돌려 보냅니다.

    Args:
    # ko: 인수:
        weights: (query_len, key_len), the softmax of the scores along the keys.
        # ko: weights: (query_len, key_len), 점수에 키를 따라 소프트맥스를 적용한 것.
        value: (key_len, value_dim)
        gradient: (query_len, value_dim), the derivative of the loss with respect to each number of the output.
        # ko: gradient: (query_len, value_dim), 손실을 출력의 수 하나하나로 미분한 것.

    Returns:
    # ko: 반환값:
        (query_len, key_len), the derivative of the loss with respect to each score.
        # ko: (query_len, key_len), 손실을 점수 하나하나로 미분한 것.
    """
    raise NotImplementedError()  # your lines here
    # ko: raise NotImplementedError()  # 여기에 여러분의 코드를


# %% folded=true
@demonstrate
def _demo():
    rng = np.random.default_rng(13)
    scores, value, gradient = rng.standard_normal((3, 4)), rng.standard_normal((4, 2)), rng.standard_normal((3, 2))

    def loss(scores):
        exponentials = np.exp(scores)
        return np.sum(exponentials / exponentials.sum(axis=-1, keepdims=True) @ value * gradient)

    yours = _gradient_of_scores(np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True), value, gradient)
    if np.shape(yours) != scores.shape:
        print("✗ it returned None: is the `return` missing?" if yours is None else f"✗ the shape is {np.shape(yours)}, that of the scores is {scores.shape}")
        # ko: print("✗ None을 돌려주었습니다. `return`이 빠지지 않았나요?" if yours is None else f"✗ 모양이 {np.shape(yours)}입니다. 점수의 모양은 {scores.shape}입니다.")
        return
    yours = to_numpy(yours)
    measured = np.zeros_like(scores)
    for place in np.ndindex(scores.shape):
        step = np.zeros_like(scores)
        step[place] = 1e-5
        measured[place] = (loss(scores + step) - loss(scores - step)) / 2e-5
    findings = {
        "the shape is that of the scores": True,
        # ko: "모양이 점수와 같다": True,
        "each row adds up to 0: a constant added to its scores changes nothing": np.allclose(yours.sum(axis=-1), 0, atol=1e-5),
        # ko: "행마다 합이 0이다: 한 행의 점수에 상수를 더해도 달라지지 않는다": np.allclose(yours.sum(axis=-1), 0, atol=1e-5),
        "it is what moving each score a little gives": np.allclose(yours, measured, atol=1e-5),
        # ko: "점수를 조금씩 움직여 얻은 값과 같다": np.allclose(yours, measured, atol=1e-5),
    }
    for words, holds in findings.items():
        print("✓" if holds else "✗", words)

# %% [markdown]
# ## What you have now
#
# - **Softmax** makes weights out of scores; subtract each row's largest score first.
# - **Scores** compare all queries with all keys, divided by $\sqrt{d_k}$ so that their spread stays 1 at any width and
#   the softmax neither hardens nor flattens.
# - **The mask** acts before the softmax. Here 1 hides and 0 keeps; Keras's `attention_mask` says the opposite.
# - **The output** is a weighted average of values: `(query_len, key_len)` times `(key_len, value_dim)`.
# - **Projections** decide what is compared and what is passed on. One sequence in all roles is self-attention, two are
#   cross-attention.
# - **Additive attention** came first and asks a small network instead of a dot product.
#
# One thing attention does not see at all is *order*: shuffle keys and values together, and the output stays the same.
# That is why notebook 01 added positions to the inputs.
#
# **Next:** one set of weights per query means that a word can look for one thing at a time. Notebook 03 runs several
# small attentions side by side: multi-head attention.
#
# ### References
#
# - K. Cho et al. (2014). *Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine Translation.* EMNLP.
# - I. Sutskever, O. Vinyals, Q. V. Le (2014). *Sequence to Sequence Learning with Neural Networks.* NeurIPS.
# - D. Bahdanau, K. Cho, Y. Bengio (2015). *Neural Machine Translation by Jointly Learning to Align and Translate.* ICLR.
# - M.-T. Luong, H. Pham, C. D. Manning (2015). *Effective Approaches to Attention-based Neural Machine Translation.* EMNLP.
# - A. Vaswani et al. (2017). *Attention Is All You Need.* NeurIPS.
#
# <!-- ko -->
# ## 지금까지 배운 것
#
# - **소프트맥스**는 점수를 가중치로 바꿉니다. 먼저 행마다 가장 큰 점수를 빼세요.
# - **점수**는 모든 쿼리를 모든 키와 비교합니다. $\sqrt{d_k}$로 나누면 너비가 얼마든 점수가 퍼진 정도가 1로 유지되어,
#   소프트맥스가 하나만 골라내지도 밋밋해지지도 않습니다.
# - **마스크**는 소프트맥스 앞에서 작용합니다. 여기서는 1이 가리고 0이 남깁니다. 케라스의 `attention_mask`는 반대입니다.
# - **출력**은 값들의 가중 평균입니다. `(query_len, key_len)` 곱하기 `(key_len, value_dim)`입니다.
# - **투영**은 무엇을 비교하고 무엇을 넘겨줄지 정합니다. 한 시퀀스가 모든 역할을 맡으면 셀프 어텐션이고, 두 시퀀스이면
#   교차 어텐션입니다.
# - **가산 어텐션**은 먼저 나왔으며, 내적 대신 작은 신경망에 묻습니다.
#
# 어텐션이 전혀 보지 못하는 것이 하나 있습니다. 바로 *순서*입니다. 키와 값을 함께 뒤섞어도 출력은 그대로입니다. 그래서
# 1번 노트북에서 입력에 위치를 더했습니다.
#
# **다음.** 쿼리마다 가중치가 한 벌뿐이면 단어는 한 번에 한 가지만 찾을 수 있습니다. 3번 노트북에서는 작은 어텐션 여러
# 개를 나란히 씁니다. 멀티 헤드 어텐션(multi-head attention)입니다.
#
# ### 참고 문헌
#
# - K. Cho et al. (2014). *Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine
#   Translation.* EMNLP.
# - I. Sutskever, O. Vinyals, Q. V. Le (2014). *Sequence to Sequence Learning with Neural Networks.* NeurIPS.
# - D. Bahdanau, K. Cho, Y. Bengio (2015). *Neural Machine Translation by Jointly Learning to Align and Translate.*
#   ICLR.
# - M.-T. Luong, H. Pham, C. D. Manning (2015). *Effective Approaches to Attention-based Neural Machine Translation.*
#   EMNLP.
# - A. Vaswani et al. (2017). *Attention Is All You Need.* NeurIPS.
