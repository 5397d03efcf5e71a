# %% [markdown]
# # Masks, and how to test them
#
# Attention looks at everything. Sometimes it must not: a batch is filled up with padding that means nothing, and a
# decoder that is trained on whole sentences must not read the word it is about to write. A **mask** says what is hidden.
# It is a small array of zeros and ones, and the easiest thing in a Transformer to get wrong *without noticing*: the
# shapes fit, the loss falls, and the model is useless. So this notebook ends with a test that finds out.
#
# ![You are here: what the three attentions may see.](../_shared/diagrams/model-04.svg)
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `create_padding_mask`: hide what only fills up the batch | 3 |
# | 2 | `create_look_ahead_mask`: hide the future | 3 |
# | 3 | `create_decoder_mask`: both at once | 4 |
# | 4 | `masked_softmax`: weights under any mask, in any precision | 4 |
# | 5 | `to_keras_attention_mask`: from our convention to Keras's | 3 |
# | 6 | `leaks_future`: a test that catches a layer reading ahead | 3 |
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each one holds public checks. Points come
# from other inputs after you hand in, in steps. A mistake in one task does not cost you the points of a later one. NumPy,
# `keras.ops` and `tf.*` all count the same. Inside a layer or a model, though, use `keras.ops` (or `tf.*`): while `fit`
# compiles, tensors have no values yet that NumPy could read. So write the *masks* with `ops`: later
# notebooks use them inside their models. `leaks_future` comes back too, but outside of `fit`; `masked_softmax` does not.
#
# **The convention of this course**, from the lecture it grew out of:
#
# > A mask is an array of floats. **1 hides, 0 keeps.**
#
# Half of the world does it the other way round (in Keras `True` may be attended to). There is no right one, but there is a
# right one *for each function*, and task 5 is about the flip between them.
#
# **Words for shapes.** `query_len` positions that ask, `key_len` positions that are looked at; `seq_len` where they are
# the same. Scores and weights are `(batch, num_heads, query_len, key_len)`, and every mask has to broadcast to that.
#
# <!-- ko -->
# # 마스크, 그리고 마스크를 검사하는 법
#
# 어텐션(attention)은 모든 위치를 봅니다. 그런데 보면 안 될 때가 있습니다. 배치(batch)의 빈자리를 채우는
# 패딩(padding)은 뜻이 없으니 보지 말아야 하고, 문장 전체로 학습하는 디코더(decoder)는 앞으로 쓸 단어를 미리 읽어서는
# 안 됩니다. 무엇을 가릴지 말해 주는 것이 **마스크**(mask)입니다. 0과 1로 된 작은 배열이고, 트랜스포머(Transformer)에서 *틀린 줄도
# 모르고* 틀리기 가장 쉬운 부분입니다. 모양은 맞고 손실(loss)도 줄어드는데 모델은 쓸모가 없습니다. 그래서 이 노트북의
# 마지막에는 그런 잘못을 찾아내는 검사를 만듭니다.
#
# ![지금 여기: 세 어텐션이 무엇을 보아도 되는가.](../_shared/diagrams/model-04.svg)
#
# | 과제 | 작성할 것 | 배점 |
# |---|---|---|
# | 1 | `create_padding_mask`: 배치의 빈자리를 채우는 토큰 가리기 | 3 |
# | 2 | `create_look_ahead_mask`: 미래를 가리기 | 3 |
# | 3 | `create_decoder_mask`: 둘을 한꺼번에 | 4 |
# | 4 | `masked_softmax`: 어떤 마스크, 어떤 정밀도에서도 맞는 가중치 | 4 |
# | 5 | `to_keras_attention_mask`: 이 과정의 규약에서 케라스의 규약으로 | 3 |
# | 6 | `leaks_future`: 미래를 읽는 계층을 잡아내는 검사 | 3 |
#
# **진행 방법.** `# YOUR CODE HERE`라고 적힌 셀을 채우세요. 바로 아래 셀에는 공개 검사가 있습니다. 점수는 제출한 뒤
# 다른 입력으로 단계별로 매깁니다. 한 과제에서 틀려도 뒤 과제의 점수는 깎이지 않습니다. NumPy, `keras.ops`, `tf.*` 모두
# 똑같이 인정합니다. 다만 계층이나 모델 안에서는 `keras.ops`(또는 `tf.*`)를 쓰세요. `fit`이 컴파일하는
# 동안에는 텐서에 아직 값이 없어 NumPy로 읽을 수 없습니다. 그러니 *마스크* 함수는 `ops`로 작성하세요. 뒤 노트북의
# 모델 안에서 다시 씁니다. `leaks_future`도 다시 쓰지만 `fit` 밖에서 쓰고, `masked_softmax`는 다시 쓰지 않습니다.
#
# **이 과정의 규약**(convention)은 과정의 바탕이 된 강의에서 왔습니다.
#
# > 마스크는 실수(float) 배열이다. **1은 가리고 0은 남긴다.**
#
# 세상의 절반은 거꾸로 씁니다(케라스에서는 `True`인 곳을 보아도 됩니다). 어느 쪽이 옳다고 할 수는 없지만, *함수마다*
# 옳은 쪽은 정해져 있습니다. 과제 5에서 한 규약을 다른 규약으로 바꿉니다.
#
# **모양을 나타내는 말.** 묻는 위치(쿼리)는 `query_len`개, 그 위치가 볼 수 있는 대상(키)은 `key_len`개이고, 둘이 같을 때는 `seq_len`으로
# 씁니다. 점수(score)와 가중치(weight)의 모양은 `(batch, num_heads, query_len, key_len)`이고, 모든 마스크는 이 모양으로
# 브로드캐스트(broadcast)될 수 있어야 합니다.

# %% locked="setup" include="quiet_keras.py"
import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

to_numpy = ops.convert_to_numpy
KEPT, HIDDEN = "#f4efe4", "#3d4a5c"


def show_mask(mask, ax, title="", rows=None, columns=None):
    """Draw a mask (query_len, key_len): dark squares are hidden (1), light ones kept (0)."""
    # ko: """마스크 (query_len, key_len)를 그립니다. 어두운 칸은 가려지고(1) 밝은 칸은 남습니다(0)."""
    mask = to_numpy(mask).astype(float)
    ax.imshow(mask, cmap=ListedColormap([KEPT, HIDDEN]), vmin=0, vmax=1)
    _grid(ax, mask.shape, title, rows, columns)
    for (i, j), number in np.ndenumerate(mask):
        ax.text(j, i, f"{number:g}", ha="center", va="center", fontsize=8, color=KEPT if number else HIDDEN)


def show_weights(weights, ax, title="", rows=None, columns=None, mask=None):
    """Draw attention weights (query_len, key_len); what `mask` hides is dark, as in `show_mask`."""
    # ko: """어텐션 가중치 (query_len, key_len)를 그립니다. `show_mask`처럼 `mask`가 가리는 칸은 어둡습니다."""
    weights = to_numpy(weights).astype(float)
    hidden = np.broadcast_to(0 if mask is None else to_numpy(mask), weights.shape) == 1
    ax.set_facecolor(HIDDEN)
    image = ax.imshow(np.ma.masked_where(hidden, weights), cmap="YlOrBr", vmin=0, vmax=1)
    _grid(ax, weights.shape, title, rows, columns)
    for (i, j), weight in np.ndenumerate(weights):
        colour = KEPT if hidden[i, j] or weight > 0.6 else "black"
        ax.text(j, i, f"{weight:.2f}".replace("0.00", "0"), ha="center", va="center", fontsize=7, color=colour)
    return image


def _grid(ax, shape, title, rows, columns):
    ax.set(title=title, xlabel="keys", ylabel="queries")
    # ko: ax.set(title=title, xlabel="키 (keys)", ylabel="쿼리 (queries)")
    ax.set_yticks(range(shape[0]), rows if rows is not None else range(shape[0]))
    ax.set_xticks(range(shape[1]), columns if columns is not None else range(shape[1]), rotation=45 if columns else 0)


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## Task 1: the padding mask (3 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# Sentences of a batch have different lengths; the rows of an array can't. Shorter sentences are filled up with the id 0, called
# `<pad>`. It means nothing and must not be attended to, so its columns are hidden as **keys** from every query:
#
# | | shape | |
# |---|---|---|
# | `token_ids` | `(batch, seq_len)` | integers |
# | mask | `(batch, 1, 1, seq_len)` | 1.0 at padding |
# | scores | `(batch, num_heads, query_len, key_len)` | |
#
# The two axes of length 1 are there for broadcasting: *the same for every head* and *the same for every query*. With ids
#
# $$\begin{pmatrix} 7&6&0&0&1 \\ 1&2&3&0&0 \\ 0&0&0&4&5 \end{pmatrix} \quad\longrightarrow\quad
#   \begin{pmatrix} 0&0&1&1&0 \\ 0&0&0&1&1 \\ 1&1&1&0&0 \end{pmatrix} \text{ of shape } (3, 1, 1, 5).$$
#
# Some libraries put the padding in front, and another vocabulary may give padding another id. So look at the ids
# themselves, and at `pad_id`.
#
# <details><summary>Hint 1: What is asked of every id?</summary>
#
# Whether it *equals* `pad_id`: one comparison for the whole array gives true and false, and `ops.cast` makes floats of them.
#
# </details>
#
# <details><summary>Hint 2: How do two axes of length 1 come in?</summary>
#
# An index `None` puts one in: `a[:, None]` makes (n, 1, m) of (n, m). Here two are wanted, between the batch and the positions.
#
# </details>
#
# <!-- ko -->
# ## 과제 1: 패딩 마스크 (3점)
#
# *난이도 1/5, 10분쯤.*
#
# 배치 안의 문장은 길이가 제각각이지만 배열은 그럴 수 없습니다. 그래서 짧은 문장은 `<pad>`라고 부르는 ID 0으로
# 채웁니다. 패딩에는 뜻이 없으므로 보아서는 안 됩니다. 그래서 그 열을 **키**(key) 자리에서 가려 어느 쿼리(query)에게도 보이지 않게
# 합니다. 이것이 패딩 마스크(padding mask)입니다.
#
# | | 모양 | |
# |---|---|---|
# | `token_ids` | `(batch, seq_len)` | 정수 |
# | 마스크 | `(batch, 1, 1, seq_len)` | 패딩인 곳에 1.0 |
# | 점수 | `(batch, num_heads, query_len, key_len)` | |
#
# 길이가 1인 두 축은 브로드캐스트를 위한 것입니다. *모든 헤드(head)에 똑같이*, *모든 쿼리에 똑같이* 적용한다는
# 뜻입니다. 왼쪽과 같은 ID에서는 모양이 $(3, 1, 1, 5)$인 오른쪽 마스크가 나옵니다.
#
# $$\begin{pmatrix} 7&6&0&0&1 \\ 1&2&3&0&0 \\ 0&0&0&4&5 \end{pmatrix} \quad\longrightarrow\quad
#   \begin{pmatrix} 0&0&1&1&0 \\ 0&0&0&1&1 \\ 1&1&1&0&0 \end{pmatrix}$$
#
# 패딩을 앞에 넣는 라이브러리도 있고, 어휘(vocabulary)가 다르면 패딩의 ID도 다를 수 있습니다. 그러니 ID 자체와
# `pad_id`를 보고 판단하세요.
#
# <details><summary>힌트 1: ID마다 무엇을 물어볼까요?</summary>
#
# `pad_id`와 *같은지* 묻습니다. 배열 전체를 한 번 비교하면 참과 거짓이 나오고, `ops.cast`가 이를 실수로 바꿉니다.
#
# </details>
#
# <details><summary>힌트 2: 길이 1인 축 둘을 넣으려면?</summary>
#
# 인덱스 자리에 `None`을 쓰면 축이 들어갑니다. `a[:, None]`은 (n, m)을 (n, 1, m)으로 만듭니다. 여기서는 배치와 위치 사이에 둘이
# 필요합니다.
#
# </details>


# %% task="padding-mask"
def create_padding_mask(token_ids, pad_id=0):
    """
    Say which tokens are padding.
    # ko: 어느 토큰이 패딩인지 알려 줍니다.

    Args:
    # ko: 인수:
        token_ids: (batch, seq_len), integers.
        # ko: token_ids: (batch, seq_len), 정수.
        pad_id: the id of padding.
        # ko: pad_id: 패딩의 ID.

    Returns:
    # ko: 반환값:
        Floats (batch, 1, 1, seq_len): 1.0 where a token is padding, 0.0 elsewhere.
        # ko: 실수 (batch, 1, 1, seq_len): 토큰이 패딩이면 1.0, 나머지는 0.0.
    """
    ### BEGIN SOLUTION
    is_padding = ops.equal(ops.convert_to_tensor(token_ids), pad_id)
    return ops.cast(is_padding, "float32")[:, None, None, :]
    ### END SOLUTION


# %% grade="padding-mask" points=3
@checking("create_padding_mask")
def _check(check):
    ids = np.array([[7, 6, 0, 0, 1], [1, 2, 3, 0, 0], [0, 0, 0, 4, 5]])
    padding = create_padding_mask(ids)
    check.shape(padding, (3, 1, 1, 5), "(batch, 1, 1, seq_len)")
    expected = np.array([[0, 0, 1, 1, 0], [0, 0, 0, 1, 1], [1, 1, 1, 0, 0]])[:, None, None, :]
    check.close(
        padding,
        expected,
        "the mask of the example",
        # ko: "예제의 마스크",
        hints={
            "it is the wrong way round: 1 hides, so 1 belongs to the padding.": 1 - expected,
            # ko: "거꾸로 되었습니다. 1이 가리므로 패딩이 1이어야 합니다.": 1 - expected,
            "it counts the words and hides the end, but padding may stand anywhere: look at the ids.": np.sort(expected, axis=-1),
            # ko: "단어 수를 세어 끝을 가립니다. 패딩은 어디에나 있을 수 있으니 ID를 보고 판단하세요.": np.sort(expected, axis=-1),
        },
        otherwise="A mask is 1 at every padding, wherever that stands, and 0 everywhere else. It holds no other number: scores are pushed down only where it is used.",
        # ko: otherwise="마스크는 패딩이면 어디에 있든 1이고 나머지는 모두 0입니다. 다른 수는 없습니다. 점수를 끌어내리는 일은 마스크를 쓰는 곳에서 합니다.",
    )
    check.close(
        create_padding_mask(np.array([[0, 5, 9, 9]]), pad_id=9),
        [[[[0, 0, 1, 1]]]],
        "padding with the id 9",
        # ko: "패딩의 ID가 9일 때",
        hints={"it hides the id 0, but `pad_id` is 9 here.": [[[[1, 0, 0, 0]]]]},
        # ko: hints={"ID 0을 가리고 있습니다. 여기서 `pad_id`는 9입니다.": [[[[1, 0, 0, 0]]]]},
    )
    kind = str(to_numpy(padding).dtype)  # "bfloat16" too
    # ko: kind = str(to_numpy(padding).dtype)  # "bfloat16"도 됩니다
    check.true("float" in kind, "floats", "the mask should be floats, 1.0 and 0.0, not booleans or integers.")
    # ko: check.true("float" in kind, "실수", "마스크는 불리언이나 정수가 아니라 실수 1.0과 0.0이어야 합니다.")
    check.compiles(lambda ids: create_padding_mask(ids), np.array([[5, 6, 0], [5, 0, 0]]), required=False, open_batch=True)
_check

# %% [markdown]
# A picture of a batch: on the left the tokens, on the right the mask's rows. The Korean numbers, in Latin letters in the
# picture, are those that you will translate in notebook 07 (삼백이십일 is 321).
#
# <!-- ko -->
# 배치를 그려 봅시다. 왼쪽은 토큰(token), 오른쪽은 마스크의 행입니다. 문장은 7번 노트북에서
# 번역하게 될 한국어 숫자입니다(삼백이십일은 321). 그림에는 로마자로 적었습니다.

# %%
@demonstrate
def _demo():
    sentences = [["삼", "백", "이", "십", "일"], ["이", "만", "오"], ["구"], ["칠", "천", "육", "백"]]
    romanised = {"삼": "sam", "백": "baek", "이": "i", "십": "sip", "일": "il", "만": "man", "오": "o", "구": "gu"}
    romanised |= {"칠": "chil", "천": "cheon", "육": "yuk"}
    vocabulary = {"<pad>": 0} | {syllable: number for number, syllable in enumerate(sorted(romanised), start=4)}
    batch_ids = np.zeros((4, 5), dtype="int32")
    for row, sentence in enumerate(sentences):
        batch_ids[row, : len(sentence)] = [vocabulary[syllable] for syllable in sentence]
    names = {number: romanised.get(syllable, "<pad>") for syllable, number in vocabulary.items()}

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3), layout="constrained")
    left.imshow(batch_ids == 0, cmap=ListedColormap([KEPT, HIDDEN]))
    for (i, j), number in np.ndenumerate(batch_ids):
        left.text(j, i, f"{names[number]}\n{number}", ha="center", va="center", fontsize=8, color="black" if number else KEPT)
    left.set(title="token ids (batch, seq_len)", xlabel="position", ylabel="sentence", xticks=range(5), yticks=range(4))
    # ko: left.set(title="토큰 ID (batch, seq_len)", xlabel="위치 (position)", ylabel="문장 (sentence)", xticks=range(5), yticks=range(4))
    show_mask(to_numpy(create_padding_mask(batch_ids))[:, 0, 0], right, "padding mask without its axes of length 1")
    # ko: show_mask(to_numpy(create_padding_mask(batch_ids))[:, 0, 0], right, "길이 1인 축을 뺀 패딩 마스크 (padding mask)")
    right.set(xlabel="key", ylabel="sentence")
    # ko: right.set(xlabel="키 (key)", ylabel="문장 (sentence)")
    plt.show()

# %% [markdown]
# > **Does this hold?** *"A mask of shape `(batch, seq_len)` broadcasts by itself, the extra axes are cosmetic."*
# >
# > Broadcasting aligns from the right. The cell hands over the padding mask of four sentences of four tokens without its axes of length 1 and counts the
# > wrong squares among 64 (4 sentences × 4 queries × 4 keys). Which axis of the scores does the mask's `batch` meet? And would there be an error?
#
# <!-- ko -->
# > **정말 그럴까?** *"모양이 `(batch, seq_len)`인 마스크는 저절로 브로드캐스트되므로 나머지 축은 장식일 뿐이다."*
# >
# > 브로드캐스트는 오른쪽 축부터 맞춥니다. 아래 셀은 토큰 네 개짜리 문장 네 개의 패딩 마스크를 길이 1인 축 없이 넘기고, 64칸 가운데 틀린 칸을
# > 셉니다(문장 4개 × 쿼리 4개 × 키 4개). 마스크의 `batch`는 점수의 어느 축과 만날까요? 오류가 날까요?

# %%
@demonstrate
def _demo():
    four = np.array([[5, 6, 7, 8], [5, 6, 0, 0], [5, 0, 0, 0], [5, 6, 7, 0]])
    flat = (four == 0).astype("float32")  # (batch, seq_len): no axes for heads and queries
    # ko: flat = (four == 0).astype("float32")  # (batch, seq_len): 헤드와 쿼리의 축이 없음
    right_one = np.broadcast_to(flat[:, None, None, :], (4, 2, 4, 4))
    wrong_one = np.broadcast_to(flat, (4, 2, 4, 4))
    print("hidden squares that should be kept:", int(((wrong_one == 1) & (right_one == 0))[:, 0].sum()), "of 64")
    # ko: print("남겨야 하는데 가려진 칸:", int(((wrong_one == 1) & (right_one == 0))[:, 0].sum()), "/ 64")
    print("kept squares that should be hidden:", int(((wrong_one == 0) & (right_one == 1))[:, 0].sum()), "of 64")
    # ko: print("가려야 하는데 남은 칸:", int(((wrong_one == 0) & (right_one == 1))[:, 0].sum()), "/ 64")

# %% [markdown]
# > **What is right.** `(batch, seq_len)` meets `(query_len, key_len)`, so sentence 1's padding is hidden from *query* 1 of every sentence, sentence
# > 2's from query 2, and so on. If `batch` differs from `query_len` and neither is 1, there is an error, and you are lucky. Otherwise
# > there is none.
#
# ## Task 2: the look-ahead mask (3 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# A decoder writes one word after another: when it writes word $i + 1$ it has words $0, \dots, i$. In training we have the
# whole sentence and want to learn from all positions at once. So we run them all together and hide from each what it
# would not have had yet (Vaswani et al. 2017, section 3.2.3):
#
# $$M_{ij} = \begin{cases} 1 & j > i \text{ (the future)} \\ 0 & j \le i \end{cases}
# \qquad\qquad
# M = \begin{pmatrix} 0&1&1&1 \\ 0&0&1&1 \\ 0&0&0&1 \\ 0&0&0&0 \end{pmatrix}$$
#
# Row $i$ is query $i$, column $j$ is key $j$. The diagonal is **kept**: input $i$ is a word that is already there, and
# output $i$ is the guess at the next one.
#
# <details><summary>Hint 1: Can a comparison draw the triangle?</summary>
#
# Number the queries down and the keys across, both from 0. Entry $(i, j)$ is 1 where $j > i$. A row of numbers compared with a column
# of numbers gives a square.
#
# </details>
#
# <details><summary>Hint 2: Or a ready-made triangle?</summary>
#
# `ops.triu` keeps what lies on a diagonal and above it. Its argument `k` says which diagonal: 0 is the main one, which must *not* be
# hidden here.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** `(batch, seq_len)`이 `(query_len, key_len)`과 만나므로, 1번 문장의 패딩은 모든 문장에서 *쿼리* 1에게만 가려지고, 2번 문장의 패딩은
# > 쿼리 2에게만 가려지는 식이 됩니다. `batch`와 `query_len`이 서로 다르고 어느 쪽도 1이 아니면 오류가 나니 다행입니다. 그렇지 않으면
# > 오류조차 나지 않습니다.
#
# ## 과제 2: 룩어헤드 마스크 (3점)
#
# *난이도 1/5, 10분쯤.*
#
# 디코더는 단어를 하나씩 씁니다. 단어 $i + 1$을 쓸 때는 단어 $0, \dots, i$가 있습니다. 학습할 때는 문장 전체가 있고,
# 모든 위치에서 한꺼번에 배우려고 합니다. 그래서 모든 위치를 함께 계산하되, 위치마다 그 시점에는 아직 없는 단어를
# 가립니다(Vaswani et al. 2017, 3.2.3절). 이것이 룩어헤드 마스크(look-ahead mask)이고, 인과적 마스크(causal mask)라고도 합니다.
#
# $$M_{ij} = \begin{cases} 1 & j > i \text{ (미래)} \\ 0 & j \le i \end{cases}
# \qquad\qquad
# M = \begin{pmatrix} 0&1&1&1 \\ 0&0&1&1 \\ 0&0&0&1 \\ 0&0&0&0 \end{pmatrix}$$
#
# $i$번 행은 쿼리 $i$, $j$번 열은 키 $j$입니다. 대각선은 **남깁니다.** 입력 $i$는 이미 있는 단어이고, 출력 $i$는 그다음
# 단어를 추측한 것이기 때문입니다.
#
# <details><summary>힌트 1: 비교만으로 삼각형을 그릴 수 있을까요?</summary>
#
# 쿼리는 위에서 아래로, 키는 왼쪽에서 오른쪽으로 0부터 번호를 붙입니다. $j > i$인 원소 $(i, j)$가 1입니다. 가로로 놓은 번호와 세로로
# 놓은 번호를 비교하면 정사각형이 됩니다.
#
# </details>
#
# <details><summary>힌트 2: 이미 있는 삼각형을 쓴다면?</summary>
#
# `ops.triu`는 대각선과 그 위를 남깁니다. 인수 `k`가 어느 대각선인지 정합니다. 0은 주대각선인데, 여기서 주대각선은 가리면 *안 됩니다*.
#
# </details>


# %% task="look-ahead-mask"
def create_look_ahead_mask(size):
    """
    Hide from each position everything after it.
    # ko: 각 위치에서 그 뒤의 위치를 모두 가립니다.

    Args:
    # ko: 인수:
        size: number of positions, at least 1.
        # ko: size: 위치의 수, 1 이상.

    Returns:
    # ko: 반환값:
        Floats (size, size): 1.0 strictly above the diagonal, 0.0 on it and below.
        # ko: 실수 (size, size): 대각선보다 위쪽은 1.0, 대각선과 그 아래는 0.0.
    """
    ### BEGIN SOLUTION
    positions = ops.arange(size)
    return ops.cast(positions[None, :] > positions[:, None], "float32")
    ### END SOLUTION


# %% grade="look-ahead-mask" points=3
@checking("create_look_ahead_mask")
def _check(check):
    ahead = create_look_ahead_mask(4)
    check.shape(ahead, (4, 4), "(size, size)")
    triangle = np.array([[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]])
    check.close(
        ahead,
        triangle,
        "the mask of four positions",
        # ko: "위치가 네 개일 때의 마스크",
        hints={
            "the past is hidden and the future kept: rows are queries, columns keys.": triangle.T,
            # ko: "과거를 가리고 미래를 남겼습니다. 행이 쿼리, 열이 키입니다.": triangle.T,
            "it says who may be seen. Here 1 hides.": 1 - triangle,
            # ko: "보아도 되는 곳에 1이 있습니다. 여기서는 1이 가립니다.": 1 - triangle,
            "a position doesn't see itself: keep the diagonal.": triangle + np.eye(4),
            # ko: "위치가 자기 자신을 보지 못합니다. 대각선은 남기세요.": triangle + np.eye(4),
            "the diagonal and what is right below it are hidden, too: hide only what is above the diagonal.": triangle + np.eye(4) + np.eye(4, k=-1),
            # ko: "대각선과 그 바로 아래까지 가렸습니다. 대각선보다 위쪽만 가리세요.": triangle + np.eye(4) + np.eye(4, k=-1),
            "each position sees one step too far: hide what is right above the diagonal, too.": [[0, 0, 1, 1], [0, 0, 0, 1], [0] * 4, [0] * 4],
            # ko: "위치마다 한 걸음 더 멀리 봅니다. 대각선 바로 위도 가리세요.": [[0, 0, 1, 1], [0, 0, 0, 1], [0] * 4, [0] * 4],
        },
        otherwise="A mask is 1 where the key comes after the query and 0 everywhere else. It holds no other number: scores are pushed down only where it is used.",
        # ko: otherwise="마스크는 키가 쿼리보다 뒤에 있으면 1이고 나머지는 모두 0입니다. 다른 수는 없습니다. 점수를 끌어내리는 일은 마스크를 쓰는 곳에서 합니다.",
    )
    check.shape(create_look_ahead_mask(1), (1, 1), "(size, size) for one position")
    # ko: check.shape(create_look_ahead_mask(1), (1, 1), "위치가 하나일 때의 (size, size)")
    check.close(create_look_ahead_mask(1), [[0]], "the mask of one position")
    # ko: check.close(create_look_ahead_mask(1), [[0]], "위치가 하나일 때의 마스크")
    kind = str(to_numpy(ahead).dtype)  # "bfloat16" too
    # ko: kind = str(to_numpy(ahead).dtype)  # "bfloat16"도 됩니다
    check.true("float" in kind, "floats", "the mask should be floats, 1.0 and 0.0, not booleans or integers.")
    # ko: check.true("float" in kind, "실수", "마스크는 불리언이나 정수가 아니라 실수 1.0과 0.0이어야 합니다.")
_check

# %% [markdown]
# > **Does this hold?** *"A causal mask shows each position the positions before it, without the diagonal: if a position saw
# > itself, it would only copy."*
# >
# > At position $i$ the decoder reads word $i$. Which word is it asked for? And what is left to query 0 if the diagonal is hidden?
#
# <!-- ko -->
# > **정말 그럴까?** *"인과적 마스크는 각 위치에 그 앞의 위치들만 보여 주고 대각선은 보여 주지 않는다.
# > 자기 자신을 보면 베끼기만 할 테니까."*
# >
# > 위치 $i$에서 디코더는 단어 $i$를 읽습니다. 어느 단어를 맞혀야 할까요? 대각선을 가리면 쿼리 0에는 무엇이 남을까요?

# %%
@demonstrate
def _demo():
    figure, axes = plt.subplots(1, 2, figsize=(8.6, 3.6), layout="constrained")
    show_mask(create_look_ahead_mask(5), axes[0], "look-ahead mask")
    # ko: show_mask(create_look_ahead_mask(5), axes[0], "룩어헤드 마스크 (look-ahead mask)")
    show_mask(np.triu(np.ones((5, 5)), k=0), axes[1], "diagonal hidden: row 0 sees nothing")
    # ko: show_mask(np.triu(np.ones((5, 5)), k=0), axes[1], "대각선을 가리면 0번 행은 볼 것이 없다")
    plt.show()

# %% [markdown]
# > **What is right.** The decoder's input is shifted: at position $i$ it reads word $i$ and is asked for word $i + 1$. Hiding
# > word $i$ takes away the *latest* word, the most useful one, and leaves query 0 with nothing at all: a row that is wholly
# > hidden. What becomes of such a row is a story of its own (task 4).
#
# ## Task 3: the decoder's mask (4 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# A decoder's input is padded *and* must not look ahead. A key is hidden if **either** mask hides it, and the result is a mask again: 0 and 1, nothing
# else. By which operation? Two masks go in, with two different shapes:
#
# | | shape |
# |---|---|
# | `token_ids` | `(batch, seq_len)` |
# | padding mask | `(batch, 1, 1, seq_len)` |
# | look-ahead mask | `(seq_len, seq_len)` |
# | decoder mask | `(batch, 1, seq_len, seq_len)` |
#
# ![Three masks of 5 queries and 5 keys: the padding mask hides the last two columns, the look-ahead mask what lies above the diagonal, and the third hides what either of them hides.](../_shared/diagrams/masks.svg)
#
# For the ids $(5, 6, 0, 0)$ the padding mask is $(0, 0, 1, 1)$ and
#
# $$M = \begin{pmatrix} 0&1&1&1 \\ 0&0&1&1 \\ 0&0&1&1 \\ 0&0&1&1 \end{pmatrix}.$$
#
# Look at the last two rows: the *queries* of the padding are not hidden. They compute something that nobody will use (the
# loss leaves those positions out), and so no row is empty as long as a sentence begins with a word.
#
# <details><summary>Hint 1: How do two masks become one?</summary>
#
# Hidden if *either* hides: the larger of the two numbers. A sum would be 2 where both hide.
#
# </details>
#
# <details><summary>Hint 2: Do the shapes fit?</summary>
#
# (batch, 1, 1, seq_len) and (seq_len, seq_len) broadcast to (batch, 1, seq_len, seq_len), so nothing needs to be reshaped or
# repeated. The size of the square stands in the shape of the ids: `ops.shape` gives it even where a model leaves it open and `.shape` says
# None.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** 디코더의 입력은 한 칸 밀려 있습니다. 위치 $i$는 단어 $i$를 읽고 단어 $i + 1$을 맞혀야 합니다. 단어
# > $i$를 가리면 *가장 최근의*, 가장 쓸모 있는 단어를 빼앗게 되고, 쿼리 0에는 볼 것이 하나도 남지 않습니다. 즉,
# > 모두 가려진 행입니다. 그런 행이 어떻게 되는지는 따로 다룹니다(과제 4).
#
# ## 과제 3: 디코더 마스크 (4점)
#
# *난이도 1/5, 10분쯤.*
#
# 디코더의 입력에는 패딩이 있고, *게다가* 미래를 보아서도 안 됩니다. 두 마스크 가운데 **하나라도** 가리는 키는
# 가려지고, 결과도 다시 0과 1로만 된 마스크입니다. 어떤 연산을 쓰면 될까요? 모양이 다른 두 마스크가 들어갑니다.
#
# | | 모양 |
# |---|---|
# | `token_ids` | `(batch, seq_len)` |
# | 패딩 마스크 | `(batch, 1, 1, seq_len)` |
# | 룩어헤드 마스크 | `(seq_len, seq_len)` |
# | 디코더 마스크 | `(batch, 1, seq_len, seq_len)` |
#
# ![쿼리 5개와 키 5개의 세 마스크. 패딩 마스크는 마지막 두 열을, 룩어헤드 마스크는 대각선보다 위쪽을 가리고, 셋째는 둘 가운데 하나라도 가리는 곳을 가립니다.](../_shared/diagrams/masks.svg)
#
# ID가 $(5, 6, 0, 0)$이면 패딩 마스크는 $(0, 0, 1, 1)$이고 디코더 마스크는 다음과 같습니다.
#
# $$M = \begin{pmatrix} 0&1&1&1 \\ 0&0&1&1 \\ 0&0&1&1 \\ 0&0&1&1 \end{pmatrix}$$
#
# 마지막 두 행을 보세요. 패딩의 *쿼리*는 가리지 않습니다. 이 쿼리들의 결과는 아무도 쓰지 않습니다(손실을 구할 때
# 그 위치는 뺍니다). 그 덕분에 문장이 단어로 시작하기만 하면 볼 것이 하나도 없는 행은 생기지 않습니다.
#
# <details><summary>힌트 1: 두 마스크를 하나로 합치려면?</summary>
#
# *어느 하나라도* 가리면 가립니다. 두 수 가운데 큰 쪽을 고르세요. 더하면 둘 다 가리는 자리가 2가 됩니다.
#
# </details>
#
# <details><summary>힌트 2: 모양은 맞을까요?</summary>
#
# (batch, 1, 1, seq_len)과 (seq_len, seq_len)은 (batch, 1, seq_len, seq_len)으로 브로드캐스트되므로 모양을 바꾸거나 되풀이할 필요가
# 없습니다. 정사각형의 크기는 ID 배열의 모양에 있습니다. 모델이 길이를 정해 두지 않아 `.shape`가 None인 곳에서도 `ops.shape`로는 구할 수 있습니다.
#
# </details>


# %% task="decoder-mask" builds_on="padding-mask look-ahead-mask"
def create_decoder_mask(token_ids, pad_id=0):
    """
    Hide the future and the padding.
    # ko: 미래와 패딩을 가립니다.

    Args:
    # ko: 인수:
        token_ids: (batch, seq_len), integers.
        # ko: token_ids: (batch, seq_len), 정수.
        pad_id: the id of padding.
        # ko: pad_id: 패딩의 ID.

    Returns:
    # ko: 반환값:
        Floats (batch, 1, seq_len, seq_len): 1.0 where the key is later than the query or is padding, 0.0 elsewhere.
        # ko: 실수 (batch, 1, seq_len, seq_len): 키가 쿼리보다 뒤에 있거나 패딩이면 1.0, 나머지는 0.0.
    """
    ### BEGIN SOLUTION
    padding = create_padding_mask(token_ids, pad_id)
    ahead = create_look_ahead_mask(ops.shape(padding)[-1])
    return ops.maximum(padding, ahead)
    ### END SOLUTION


# %% grade="decoder-mask" points=4
@checking("create_decoder_mask")
def _check(check):
    short = np.array([[5, 6, 0, 0], [5, 6, 7, 8]])
    decoder = create_decoder_mask(short)
    check.shape(decoder, (2, 1, 4, 4), "(batch, 1, seq_len, seq_len)")
    ahead = np.array([[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]])
    padded = np.array([[0, 0, 1, 1]] * 4)
    both = np.array([[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]])
    check.close(
        decoder,
        np.stack([both, ahead])[:, None],
        "the masks of (5, 6, 0, 0) and (5, 6, 7, 8)",
        # ko: "(5, 6, 0, 0)과 (5, 6, 7, 8)의 마스크",
        hints={
            "where both masks hide there is a 2. A mask holds 0 and 1.": np.stack([ahead + padded, ahead])[:, None],
            # ko: "두 마스크가 모두 가리는 곳에 2가 있습니다. 마스크에는 0과 1만 있습니다.": np.stack([ahead + padded, ahead])[:, None],
            "only what both masks hide is hidden. Either is enough.": np.stack([ahead * padded, 0 * ahead])[:, None],
            # ko: "두 마스크가 모두 가리는 곳만 가렸습니다. 하나라도 가리면 가립니다.": np.stack([ahead * padded, 0 * ahead])[:, None],
            "the padding is not hidden.": np.stack([ahead, ahead])[:, None],
            # ko: "패딩이 가려지지 않았습니다.": np.stack([ahead, ahead])[:, None],
            "the future is not hidden.": np.stack([padded, 0 * ahead])[:, None],
            # ko: "미래가 가려지지 않았습니다.": np.stack([padded, 0 * ahead])[:, None],
            "it is the wrong way round: 1 hides.": 1 - np.stack([both, ahead])[:, None],
            # ko: "거꾸로 되었습니다. 1이 가립니다.": 1 - np.stack([both, ahead])[:, None],
            "the diagonal is hidden too: look at the mask of task 2.": np.stack([np.maximum(both, np.eye(4)), np.maximum(ahead, np.eye(4))])[:, None],
            # ko: "대각선까지 가렸습니다. 과제 2의 마스크를 보세요.": np.stack([np.maximum(both, np.eye(4)), np.maximum(ahead, np.eye(4))])[:, None],
            "each position sees one step too far: look at the mask of task 2.": np.stack([np.maximum(np.triu(ahead, 2), padded), np.triu(ahead, 2)])[:, None],
            # ko: "위치마다 한 걸음 더 봅니다. 과제 2의 마스크를 보세요.": np.stack([np.maximum(np.triu(ahead, 2), padded), np.triu(ahead, 2)])[:, None],
            "the past is hidden and the future kept: look at the mask of task 2.": np.stack([np.maximum(ahead.T, padded), ahead.T])[:, None],
            # ko: "과거를 가리고 미래를 남겼습니다. 과제 2의 마스크를 보세요.": np.stack([np.maximum(ahead.T, padded), ahead.T])[:, None],
            "the look-ahead mask of task 2 says who may be seen. Here 1 hides.": np.stack([np.maximum(1 - ahead, padded), 1 - ahead])[:, None],
            # ko: "과제 2의 룩어헤드 마스크에서 보아도 되는 곳에 1이 있습니다. 여기서는 1이 가립니다.": np.stack([np.maximum(1 - ahead, padded), 1 - ahead])[:, None],
            "the padding's queries are hidden too: in their rows only future and padding keys are to be hidden.": np.stack(
            # ko: "패딩의 쿼리까지 가렸습니다. 그 행에서도 미래와 패딩인 키만 가리세요.": np.stack(
                [[both[0], both[1], [1, 1, 1, 1], [1, 1, 1, 1]], ahead]
            )[:, None],
        },
    )
    ones = np.ones((1, 1, 1, 1))
    check.close(
        create_decoder_mask(np.array([[0, 5, 9, 9]]), pad_id=9),
        both * ones,
        "padding with the id 9",
        # ko: "패딩의 ID가 9일 때",
        hints={
            "it hides the id 0, but `pad_id` is 9 here.": np.maximum(ahead, [1, 0, 0, 0]) * ones,
            # ko: "ID 0을 가리고 있습니다. 여기서 `pad_id`는 9입니다.": np.maximum(ahead, [1, 0, 0, 0]) * ones,
        },
    )
    five = np.triu(np.ones((5, 5)), k=1)
    check.close(
        create_decoder_mask(np.array([[0, 0, 5, 6, 7]])),
        np.maximum(five, [1, 1, 0, 0, 0]) * ones,
        "padding in front, (0, 0, 5, 6, 7)",
        # ko: "패딩이 앞에 있는 (0, 0, 5, 6, 7)",
        hints={
            "it hides the last two keys, but the padding is in front here: look at the ids.": np.maximum(five, [0, 0, 0, 1, 1]) * ones,
            # ko: "마지막 두 키를 가렸지만 여기서는 패딩이 앞에 있습니다. ID를 보고 판단하세요.": np.maximum(five, [0, 0, 0, 1, 1]) * ones,
        },
    )
    kind = str(to_numpy(decoder).dtype)  # "bfloat16" too
    # ko: kind = str(to_numpy(decoder).dtype)  # "bfloat16"도 됩니다
    check.true("float" in kind, "floats", "the mask should be floats, 1.0 and 0.0, not booleans or integers.")
    # ko: check.true("float" in kind, "실수", "마스크는 불리언이나 정수가 아니라 실수 1.0과 0.0이어야 합니다.")
    check.compiles(lambda ids: create_decoder_mask(ids), np.array([[5, 6, 0], [5, 0, 0]]), required=False, open_batch=True)

    class Masked(keras.layers.Layer):
        def call(self, ids):
            return create_decoder_mask(ids)

    if not check.notes:
        check.notes_failure(lambda: Masked()(keras.Input((None,), dtype="int32")), "a model of sequences of any length fails")
        # ko: check.notes_failure(lambda: Masked()(keras.Input((None,), dtype="int32")), "길이를 정하지 않은 모델에서 실패합니다")
_check

# %% [markdown]
# The three masks of two sentences, side by side. The third hides what the first or the second hides.
#
# <!-- ko -->
# 두 문장의 마스크 세 가지를 나란히 놓았습니다. 셋째 마스크는 첫째나 둘째 가운데 하나라도 가리는 곳을 가립니다.

# %%
@demonstrate
def _demo():
    pair = np.array([[4, 9, 7, 5, 6], [8, 5, 0, 0, 0]])
    figure, axes = plt.subplots(2, 3, figsize=(11, 6.6), layout="constrained")
    for row, ids in enumerate(pair):
        labels = [f"<pad> {i}" if number == 0 else f"word {i}" for i, number in enumerate(ids)]
        # ko: labels = [f"<pad> {i}" if number == 0 else f"단어 {i}" for i, number in enumerate(ids)]
        padding = np.broadcast_to(to_numpy(create_padding_mask(ids[None]))[0, 0], (5, 5))
        show_mask(padding, axes[row, 0], f"sentence {row}: padding", labels, labels)
        # ko: show_mask(padding, axes[row, 0], f"문장 (sentence) {row}: 패딩 (padding)", labels, labels)
        show_mask(create_look_ahead_mask(5), axes[row, 1], "look-ahead", labels, labels)
        # ko: show_mask(create_look_ahead_mask(5), axes[row, 1], "룩어헤드 (look-ahead)", labels, labels)
        show_mask(create_decoder_mask(ids[None])[0, 0], axes[row, 2], "decoder: either", labels, labels)
        # ko: show_mask(create_decoder_mask(ids[None])[0, 0], axes[row, 2], "디코더: 둘 중 하나라도 (decoder)", labels, labels)
    patches = [Patch(facecolor=KEPT, edgecolor=HIDDEN, label="0: kept"), Patch(color=HIDDEN, label="1: hidden")]
    # ko: patches = [Patch(facecolor=KEPT, edgecolor=HIDDEN, label="0: 남김 (kept)"), Patch(color=HIDDEN, label="1: 가림 (hidden)")]
    figure.legend(handles=patches, loc="outside lower center", ncols=2)
    plt.show()

# %% [markdown]
# > **Does this hold?** *"To combine two masks, add them."* With scores that are pushed down by `mask * -1e9` a 2 hides as
# > well as a 1, so this works, for a while. Then somebody flips the mask for Keras, as `1 - mask`. What becomes of the 2?
#
# <!-- ko -->
# > **정말 그럴까?** *"두 마스크를 합치려면 더하면 된다."* `mask * -1e9`로 점수를 끌어내린다면 2도 1과 마찬가지로 가려
# > 주므로, 한동안은 통합니다. 그러다 누군가 케라스에 넘기려고 `1 - mask`로 뒤집습니다. 2는 어떻게 될까요?

# %%
@demonstrate
def _demo():
    summed = np.array([0.0, 1.0, 1.0, 2.0])  # kept, hidden, hidden, hidden by both masks
    # ko: summed = np.array([0.0, 1.0, 1.0, 2.0])  # 남김, 가림, 가림, 두 마스크가 모두 가림
    print("1 - mask:           ", 1 - summed)
    # ko: print("1 - 마스크:            ", 1 - summed)
    print("as Keras reads that:", (1 - summed).astype(bool))
    # ko: print("케라스가 읽는 그 마스크:", (1 - summed).astype(bool))

# %% [markdown]
# > **What is right.** `1 - 2` is `-1`, and as a boolean that is `True`: what *both* masks hide, Keras would attend to just like what is kept. Use the
# > maximum, or a logical *or*.
#
# ## Task 4: the softmax under a mask (4 points)
#
# *Difficulty 4 of 5, about 60 minutes.*
#
# Weights under a mask are a softmax over the kept entries, and 0 elsewhere:
#
# $$w_{ij} = \frac{k_{ij}\, e^{s_{ij}}}{\sum_{l} k_{il}\, e^{s_{il}}}, \qquad k = 1 - M$$
#
# For a row that is hidden wholly this is $0/0$. Its weights should be **all zeros**.
#
# The usual code is one line, `softmax(scores - 1e9 * mask)`: hidden scores are pushed so far down that their exponential
# is 0. Four things can go wrong with it, or with what one might write instead:
#
# 1. **float16 has no 1e9.** Its largest number is 65504; `-1e9` becomes $-\infty$. For a *kept* entry the mask is 0, and
#    $0 \cdot (-\infty)$ is **NaN**. Everything is lost, not just the hidden entries. Mixed precision, which makes
#    training fast on an accelerator, computes in float16 or bfloat16.
# 2. **A smaller constant** such as `-1e4` fits, but is no longer far below *every* score.
# 3. **A wholly hidden row.** All its scores are pushed down by the same amount, and a softmax doesn't notice a constant: in
#    float64 the weights are those *without* the mask. In float32 $s - 10^9$ is exactly $-10^9$ for every ordinary $s$, so
#    they are **uniform**. Either way the padding is averaged as if it were text. With $-\infty$ they are $0/0$ = NaN,
#    which then spreads through the whole model.
# 4. **Hiding after the softmax** (multiplying weights by 0) leaves rows that don't add up to 1; dividing by their sum
#    afterwards divides 0 by 0 when a hidden score was so large that it took all the weight.
#
# The cell shows 1 to 3 in nine lines, one for each number type and each value that hides. Each line has the weights of three
# rows: $(1, 2, 3)$ with the last score hidden, $(1, 2, 20000)$ with the last score hidden, and a row that is hidden wholly.
# (Minus infinity is put in by `where` there; `mask * -inf` would be NaN at every kept entry.)
#
# <details><summary>Hint 1: Which score is the largest that counts?</summary>
#
# Only kept scores may decide what is subtracted: if it were a large hidden score, the exponentials of all kept scores would be 0.
# Put minus infinity where the mask hides, with `ops.where` and not by multiplying, and take the maximum of that.
#
# </details>
#
# <details><summary>Hint 2: Why is a where around the exponential not enough?</summary>
#
# The exponential is computed for *all* entries before `where` chooses, and that of a large hidden score is infinite. The weights are
# right all the same, since `where` doesn't choose it. Their gradient is not: it passes through both branches, and in the one that is
# not taken it is 0 times infinity, which is NaN. So make what goes into the exponential harmless first: 0 at the hidden entries. Then
# the exponential, then 0 at the hidden entries again.
#
# </details>
#
# <details><summary>Hint 3: What of a row that is hidden wholly?</summary>
#
# Its maximum is minus infinity and its sum is 0. Replace the first by 0 and the second by 1, each with a `where`: its exponentials
# are all 0, and so are its weights. In the end cast to the type of the scores.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** `1 - 2`는 `-1`이고, 불리언(boolean)으로 바꾸면 `True`입니다. *두* 마스크가 함께 가리는 곳을 케라스는 남긴 곳과 똑같이 보아도 되는 곳으로
# > 읽습니다. 최댓값이나 논리합(*or*)을 쓰세요.
#
# ## 과제 4: 마스크를 적용한 소프트맥스 (4점)
#
# *난이도 4/5, 60분쯤.*
#
# 마스크가 있을 때의 가중치는, 남긴 원소들에서는 소프트맥스(softmax)이고 나머지에서는 0입니다.
#
# $$w_{ij} = \frac{k_{ij}\, e^{s_{ij}}}{\sum_{l} k_{il}\, e^{s_{il}}}, \qquad k = 1 - M$$
#
# 모두 가려진 행에서는 이 식이 $0/0$이 됩니다. 그런 행의 가중치는 **모두 0**이어야 합니다.
#
# 흔히 쓰는 코드는 `softmax(scores - 1e9 * mask)` 한 줄입니다. 가려진 점수를 아주 낮게 끌어내려 지수함수의 값이 0이
# 되게 합니다. 이 코드나, 흔히 대안으로 떠올리는 방법에서 네 가지가 잘못될 수 있습니다.
#
# 1. **float16에는 1e9가 없습니다.** 가장 큰 수가 65504이므로 `-1e9`는 $-\infty$가 됩니다. *남긴* 원소의 마스크는 0인데
#    $0 \cdot (-\infty)$는 **NaN**입니다. 가려진 원소만이 아니라 모두 잃습니다. 가속기에서 학습을 빠르게 해 주는 혼합
#    정밀도(mixed precision)는 float16이나 bfloat16으로 계산합니다.
# 2. `-1e4`처럼 **크기가 더 작은 상수**는 float16에 들어가지만, *모든* 점수보다 훨씬 아래라고 더는 장담할 수
#    없습니다.
# 3. **모두 가려진 행.** 행의 모든 점수가 똑같이 내려가는데, 소프트맥스는 상수를 더해도 달라지지 않습니다.
#    float64에서는 가중치가 마스크가 *없을* 때와 같아집니다. float32에서는 보통 크기의 $s$라면 $s - 10^9$이 정확히
#    $-10^9$이므로 가중치가 **균등**해집니다. 어느 쪽이든 패딩을 실제 단어인 양 평균에 넣습니다. $-\infty$를 쓰면
#    $0/0$ = NaN이 되고, 이것이 모델 전체로 퍼집니다.
# 4. **소프트맥스 뒤에 가리기**(가중치에 0을 곱하기)를 하면 행의 합이 1이 되지 않습니다. 그 뒤에 합으로 나누더라도,
#    가려진 점수가 너무 커서 가중치를 모두 차지했다면 0을 0으로 나누게 됩니다.
#
# 아래 셀은 1번부터 3번까지를 아홉 줄로 보여 줍니다. 자료형과 가리는 값의 짝마다 한 줄입니다. 줄마다 세 행의 가중치가
# 있습니다. 마지막 점수를 가린 $(1, 2, 3)$, 마지막 점수를 가린 $(1, 2, 20000)$, 그리고 모두 가린 행입니다. (마이너스
# 무한대는 `where`로 넣습니다. `mask * -inf`로 하면 남긴 원소가 모두 NaN이 됩니다.)
#
# <details><summary>힌트 1: 가장 큰 점수는 어느 것들 가운데서 고를까요?</summary>
#
# 무엇을 뺄지는 남긴 점수만으로 정해야 합니다. 가려진 큰 점수를 빼면 남긴 점수의 지수함숫값이 모두 0이 됩니다. 가리는 자리에 마이너스
# 무한대를 넣고(곱하지 말고 `ops.where`로) 그 최댓값을 구하세요.
#
# </details>
#
# <details><summary>힌트 2: 지수함수를 where로 감싸는 것만으로는 왜 부족할까요?</summary>
#
# `where`가 고르기 전에 지수함수는 *모든* 원소에서 계산되고, 가려진 큰 점수의 값은 무한대가 됩니다. `where`가 그 값을 고르지 않으므로
# 가중치는 그래도 맞습니다. 틀리는 것은 기울기(gradient)입니다. 기울기는 두 갈래를 모두 지나므로, 고르지 않은 갈래에서 0과 무한대를
# 곱해 NaN이 됩니다. 그러니 지수함수에 들어가는 수를 먼저 안전하게 만드세요. 가린 자리를 0으로 두고, 지수함수를 계산한 다음, 가린 자리를
# 다시 0으로 둡니다.
#
# </details>
#
# <details><summary>힌트 3: 모두 가려진 행은?</summary>
#
# 최댓값은 마이너스 무한대이고 합은 0입니다. 앞의 것은 0으로, 뒤의 것은 1로 각각 `where`로 바꾸세요. 지수함숫값(exp의 결과)이 모두 0이므로 가중치도 모두
# 0입니다. 마지막에 점수의 자료형으로 바꿉니다.
#
# </details>


# %%
@demonstrate
def _demo():
    global _usual_softmax
    def _usual_softmax(scores, mask, constant):
        lowered = scores + mask * scores.dtype.type(constant)
        exponentials = np.exp(lowered - lowered.max(axis=-1, keepdims=True))
        return exponentials / exponentials.sum(axis=-1, keepdims=True)

    three_scores = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 20000.0], [1.0, 2.0, 3.0]])
    three_mask = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]])
    print("number type, hidden by: last of (1, 2, 3) hidden, last of (1, 2, 20000) hidden, all hidden")
    # ko: print("자료형, 가리는 값: (1, 2, 3)의 마지막을 가림, (1, 2, 20000)의 마지막을 가림, 모두 가림")
    with np.errstate(all="ignore"):
        for kind in ("float64", "float32", "float16"):
            for constant in (-1e9, -1e4, -np.inf):
                lowered, mask = three_scores.astype(kind), three_mask.astype(kind)
                if constant == -np.inf:
                    lowered, mask = np.where(mask == 1, constant, lowered).astype(kind), 0 * mask
                answer = _usual_softmax(lowered, mask, 0 if constant == -np.inf else constant)
                rows = "   ".join(str(row.round(3)) for row in answer.astype("float64"))
                print(f"{kind}, {constant:6.0e}: {rows}")

# %% [markdown]
# What you write must have none of these faults: a query that may see nothing gets nothing, and whatever the hidden scores are, they
# change nothing. In numbers, for scores $(1, 2, 3)$ with the last one hidden: $e^{1-2} + e^{2-2} = 1.3679$, so the weights are
# $(0.2689, 0.7311, 0)$.
#
# <!-- ko -->
# 여러분이 작성할 함수에는 이런 결함이 없어야 합니다. 아무것도 볼 수 없는 쿼리는 아무것도 받지 않고, 가려진 점수가 무엇이든 결과는
# 달라지지 않습니다. 수로 보면, 점수 $(1, 2, 3)$에서 마지막이 가려질 때 $e^{1-2} + e^{2-2} = 1.3679$이므로 가중치는
# $(0.2689, 0.7311, 0)$입니다.


# %% task="masked-softmax"
def masked_softmax(scores, mask):
    """
    Turn scores into weights over the keys that the mask keeps.
    # ko: 점수를, 마스크가 남기는 키들에 대한 가중치로 바꿉니다.

    Right for finite scores of any size, hidden ones too, in float16, float32 and float64.
    # ko: 가려진 것까지 포함해 점수가 유한하기만 하면 크기와 상관없이 float16, float32, float64에서 맞습니다.

    Args:
    # ko: 인수:
        scores: (..., query_len, key_len), floats.
        # ko: scores: (..., query_len, key_len), 실수.
        mask: floats, the same type as the scores; broadcasts to the scores. 1 hides, 0 keeps.
        # ko: mask: 점수와 같은 자료형의 실수. 점수의 모양으로 브로드캐스트됩니다. 1은 가리고 0은 남깁니다.

    Returns:
    # ko: 반환값:
        Weights: the shape and the type of the scores. Hidden entries are exactly 0; each row adds up to 1, but a row whose
        # ko: 가중치: 모양과 자료형이 점수와 같습니다. 가려진 원소는 정확히 0이고 행마다 합이 1입니다.
        keys are all hidden is all zeros.
        # ko: 다만 키가 모두 가려진 행은 모두 0입니다.
    """
    ### BEGIN SOLUTION
    scores = ops.convert_to_tensor(scores)
    hidden = ops.cast(mask, "bool")
    largest = ops.max(ops.where(hidden, -np.inf, scores), axis=-1, keepdims=True)
    largest = ops.where(ops.isfinite(largest), largest, 0.0)  # of a row without kept scores
    # the inner `where` comes first: the exponential of a large hidden score would be infinite
    exponentials = ops.where(hidden, 0.0, ops.exp(ops.where(hidden, 0.0, scores - largest)))
    total = ops.sum(exponentials, axis=-1, keepdims=True)
    return ops.cast(exponentials / ops.where(total == 0.0, 1.0, total), scores.dtype)
    ### END SOLUTION


# %% grade="masked-softmax" points=4
@checking("masked_softmax")
def _check(check):
    scores = np.array([[1, 2, 3], [3, 3, 3]], dtype="float32")
    mask = np.array([[0, 0, 1], [0, 1, 0]], dtype="float32")
    handed_over = scores.copy()
    weights = masked_softmax(handed_over, mask)
    check.shape(weights, (2, 3), "(query_len, key_len)")
    expected = np.array([[0.26894142, 0.73105858, 0], [0.5, 0, 0.5]])
    numbers = to_numpy(weights).astype(float)
    other_axis = np.allclose(numbers.sum(axis=0), 1, atol=1e-3) or np.isclose(numbers.sum(), 1, atol=1e-3)
    check.close(
        weights,
        expected,
        "(1, 2, 3) with the last hidden, (3, 3, 3) with the second hidden",
        # ko: "마지막을 가린 (1, 2, 3)과 둘째를 가린 (3, 3, 3)",
        hints={
            "that is the softmax without the mask.": [[0.09003057, 0.24472847, 0.66524096], [1 / 3] * 3],
            # ko: "마스크가 없는 소프트맥스입니다.": [[0.09003057, 0.24472847, 0.66524096], [1 / 3] * 3],
            "only what should be hidden is seen: 1 hides, 0 keeps.": [[0, 0, 1], [0, 1, 0]],
            # ko: "가려야 할 것만 보입니다. 1은 가리고 0은 남깁니다.": [[0, 0, 1], [0, 1, 0]],
            "a score of 0 hides nothing, because exp(0) is 1.": [
            # ko: "점수를 0으로 만들어서는 가려지지 않습니다. exp(0)은 1입니다.": [
                [0.24472847, 0.66524096, 0.09003057],
                [0.48785564, 0.02428872, 0.48785564],
            ],
            "the rows no longer add up to 1: the kept entries share the whole weight.": [
            # ko: "행의 합이 1이 아닙니다. 남긴 원소들이 가중치 전체를 나누어 갖습니다.": [
                [0.09003057, 0.24472847, 0],
                [1 / 3, 0, 1 / 3],
            ],
        },
        otherwise="Each row by itself has to add up to 1: compute along the last axis, that of the keys." if other_axis else "",
        # ko: otherwise="행마다 합이 1이어야 합니다. 마지막 축인 키의 축을 따라 계산하세요." if other_axis else "",
    )
    if not np.array_equal(handed_over, scores):
        check.note("it writes over its argument `scores`, and whoever uses that array afterwards gets other numbers: work on a copy.")
        # ko: check.note("인수 `scores`를 덮어씁니다. 나중에 그 배열을 쓰는 코드는 다른 값을 얻습니다. 복사본으로 계산하세요.")
    check.true(
        bool((to_numpy(weights)[mask == 1] == 0).all()),
        "hidden entries are exactly 0",
        # ko: "가려진 원소는 정확히 0",
        "a hidden entry is small, but not exactly 0.",
        # ko: "가려진 원소가 작기는 하지만 정확히 0이 아닙니다.",
    )
    half = masked_softmax(scores.astype("float16"), mask.astype("float16"))
    check.close(half, expected, "the same in float16", tolerance=2e-3, otherwise="Does it say 1e9? float16 has no such number: it becomes ∞, and 0 · ∞ is NaN.")
    # ko: check.close(half, expected, "같은 점수를 float16으로", tolerance=2e-3, otherwise="1e9를 쓰나요? float16에는 그런 수가 없어서 ∞가 되고, 0 · ∞는 NaN입니다.")
    kind = str(to_numpy(half).dtype)
    check.true(kind == "float16", "float16 scores give float16 weights", f"scores in float16 gave weights in {kind}.")
    # ko: check.true(kind == "float16", "float16 점수에는 float16 가중치", f"float16 점수에서 {kind} 가중치가 나왔습니다.")
    nothing_seen = masked_softmax(scores.copy(), np.array([[1, 1, 1], [0, 0, 0]], dtype="float32"))
    check.close(
        nothing_seen,
        [[0, 0, 0], [1 / 3, 1 / 3, 1 / 3]],
        "the first row wholly hidden",
        # ko: "첫 행을 모두 가렸을 때",
        hints={
            "the wholly hidden row has uniform weights. It should be all zeros.": np.full((2, 3), 1 / 3),
            # ko: "모두 가려진 행의 가중치가 균등합니다. 모두 0이어야 합니다.": np.full((2, 3), 1 / 3),
            "the wholly hidden row has the weights without the mask. It should be all zeros.": [
            # ko: "모두 가려진 행의 가중치가 마스크가 없을 때와 같습니다. 모두 0이어야 합니다.": [
                [0.09003057, 0.24472847, 0.66524096],
                [1 / 3, 1 / 3, 1 / 3],
            ],
        },
    )
    loud = np.array([[900, 1, 2]], dtype="float32")
    check.close(
        masked_softmax(loud, np.array([[1, 0, 0]], dtype="float32")),
        [[0, 0.26894142, 0.73105858]],
        "(900, 1, 2) with the first hidden",
        # ko: "첫째를 가린 (900, 1, 2)",
        hints={
            "next to a large hidden score the others got nothing. Whose maximum do you subtract?": [[0, 0, 0]],
            # ko: "가려진 큰 점수 옆에서 나머지가 아무것도 받지 못했습니다. 무엇의 최댓값을 빼고 있나요?": [[0, 0, 0]],
        },
    )
    low = np.array([[-60000, -60000, 5], [1, 2, 3]], dtype="float16")
    check.close(
        masked_softmax(low, np.array([[0, 0, 1], [1, 1, 1]], dtype="float16")),
        [[0.5, 0.5, 0], [0, 0, 0]],
        "in float16, (-60000, -60000, 5) with the last hidden, and a row wholly hidden",
        # ko: "float16에서 마지막을 가린 (-60000, -60000, 5)와 모두 가린 행",
        hints={
            "next to very low scores the hidden one took the weight: what hides must be lower than *every* score.": [[0, 0, 1], [0, 0, 0]],
            # ko: "아주 낮은 점수 옆에서 가려진 점수가 가중치를 가져갔습니다. 가리는 값은 모든 점수보다 낮아야 합니다.": [[0, 0, 1], [0, 0, 0]],
            "next to very low scores the hidden one came out as high as they are: what hides must be lower than *every* score.": [[1 / 3, 1 / 3, 0], [0, 0, 0]],
            # ko: "아주 낮은 점수 옆에서 가려진 점수가 그 점수들만큼 높게 남았습니다. 가리는 값은 모든 점수보다 낮아야 합니다.": [[1 / 3, 1 / 3, 0], [0, 0, 0]],
            "next to very low scores nothing was left: what hides must be lower than *every* score, and what is subtracted the "
            # ko: "아주 낮은 점수 옆에서 아무것도 남지 않았습니다. 가리는 값은 모든 점수보다 낮아야 하고, 빼는 수는 "
            "largest *kept* score.": [
            # ko: "*남긴* 점수의 최댓값이어야 합니다.": [
                [0, 0, 0],
                [0, 0, 0],
            ],
            "the logarithm of the sum is lost beside -60000, where float16 has steps of 32. Divide by the sum itself.": [[1, 1, 0], [0, 0, 0]],
            # ko: "합의 로그가 -60000 옆에서 사라집니다. float16의 수는 거기서 32씩 떨어져 있습니다. 로그를 쓰지 말고 합으로 나누세요.": [[1, 1, 0], [0, 0, 0]],
        },
        tolerance=2e-3,
        otherwise="Is a small number such as 1e-9 added to a sum, against 0 / 0? In float16 it is 0. Or is there a constant such as -1e9? In float16 it is -∞, and a row wholly hidden becomes ∞ - ∞ (hint 3).",
        # ko: otherwise="0 / 0을 막으려고 합에 1e-9 같은 작은 수를 더했나요? float16에서 그 수는 0입니다. 아니면 -1e9 같은 상수를 쓰나요? float16에서 그 수는 -∞이고, 모두 가려진 행에서는 ∞ - ∞가 됩니다(힌트 3).",
    )
    far_apart = np.array([[[[-800, -801, 20000], [3, 5, 4]]]], dtype="float32")
    right_row = [0.11920292, 0.88079708, 0]
    check.close(
        masked_softmax(far_apart, np.array([[[[0, 0, 1]]]], dtype="float32")),
        [[[[0.73105858, 0.26894142, 0], right_row]]],
        "one mask for two rows of different size, (-800, -801, 20000) and (3, 5, 4) with the last hidden",
        # ko: "크기가 다른 두 행 (-800, -801, 20000)과 (3, 5, 4)에서 마지막을 가린 마스크 하나",
        hints={
            "the row of -800 got nothing. What is subtracted from a row has to be near *its own kept* scores: "
            # ko: "-800이 있는 행이 아무것도 받지 못했습니다. 행에서 빼는 수는 *그 행의 남긴* 점수와 비슷해야 합니다. "
            "not 0, not the largest of another row.": [[[[0, 0, 0], right_row]]],
            # ko: "0이나 다른 행의 최댓값이어서는 안 됩니다.": [[[[0, 0, 0], right_row]]],
            "every kept weight is 1. The weights of a row add up to 1 over the keys, the last axis.": [[[[1, 1, 0], [1, 1, 0]]]],
            # ko: "남긴 가중치가 모두 1입니다. 마지막 축인 키의 축을 따라 더한 합이 행마다 1이어야 합니다.": [[[[1, 1, 0], [1, 1, 0]]]],
        },
    )
    last_hidden, halves, uneven = np.array([[0, 0, 1]]), [0.5, 0.5, 0], [0.2689, 0.7311, 0]
    for kind, row, right in (
        ("float32", [1, 2, 1e30], uneven),
        ("float16", [-6000, -6000, 60000], halves),
        ("float16", [-65504, -65504, 5], halves),
        ("float32", [-3e9, -3e9, 5], halves),
        ("float64", [1e8, 1e8 + 1, 5], uneven),
    ):
        if str(to_numpy(keras.ops.convert_to_tensor(np.ones(1, kind))).dtype) != kind:
            continue  # JAX has no float64 unless it is asked for
            # ko: continue  # JAX에는 따로 켜지 않으면 float64가 없습니다
        try:
            answer = to_numpy(masked_softmax(np.array([row], dtype=kind), last_hidden.astype(kind)))[0].astype(float).round(4).tolist()
        except Exception as error:
            answer = type(error).__name__
        if isinstance(answer, str) or not np.allclose(answer, right, atol=1e-3):
            advice = "" if kind == "float64" else " Put minus infinity in the place of a hidden score, with `where`: no constant, put there or subtracted, is low enough beside every score."
            # ko: advice = "" if kind == "float64" else " 가려진 점수 대신 `where`로 마이너스 무한대를 넣으세요. 상수로는, 그 자리에 넣든 점수에서 빼든, 모든 점수보다 충분히 낮게 만들 수 없습니다."
            check.note(f"in {kind} the weights of {row} with the last hidden come out as {answer}, not {right}.{advice}")
            # ko: check.note(f"{kind}에서 마지막을 가린 {row}의 가중치가 {answer}입니다. {right}이어야 합니다.{advice}")
            break

    class Scored(keras.Model):
        def build(self, shape):
            self.scores = self.add_weight(shape=(1, 3))
            self.scores.assign(loud)

        def call(self, x):
            return masked_softmax(self.scores + 0 * x, np.array([[1, 0, 0]], dtype="float32"))

    model = Scored()
    model.compile(keras.optimizers.SGD(1.0), "mse", run_eagerly=True)
    try:
        model.fit(np.ones((1, 3)), np.ones((1, 3)), verbose=0)
    except Exception as error:
        of_numpy = isinstance(weights, np.ndarray) and "read-only" not in str(error)
        if of_numpy or re.search(r"gradients|requires\sgrad|[Tt]racer|symbolic", str(error)):
            check.note("no gradient passes through it, as through anything that NumPy computes.")
            # ko: check.note("기울기가 통과하지 못합니다. NumPy로 계산하면 그렇게 됩니다.")
        else:
            check.note(f"it fails in training: {_explained(error, {Scored.call.__code__.co_filename})}")
            # ko: check.note(f"학습할 때 실패합니다. {_explained(error, {Scored.call.__code__.co_filename})}")
    else:
        if not np.isfinite(to_numpy(model.scores)).all():
            check.note("its gradient is NaN next to a large hidden score (hint 2).")
            # ko: check.note("가려진 큰 점수가 있으면 기울기가 NaN입니다(힌트 2).")
_check

# %% [markdown]
# ### The weights under each mask
#
# The same random scores of one sentence (*three hundred twenty one*) with two words of padding, five times. Compare the rows: a row is a mixture of
# what is left, and adds up to 1 each time. The last picture is what comes of confusing our convention with
# Keras's: each query sees its future and the padding, and nothing else.
#
# <!-- ko -->
# ### 마스크에 따른 가중치
#
# 마지막 두 자리가 패딩인 문장 하나(321을 뜻하는 three hundred twenty one)의 무작위 점수를, 마스크만 바꾸어 다섯 번 썼습니다. 행을 비교하세요. 각 행은 남긴 키의 값을 섞는
# 비율이고, 합은 언제나 1입니다. 마지막 그림은 이 과정의 규약과 케라스의 규약을 혼동하면 생기는 일입니다. 쿼리마다 자신의
# 미래와 패딩을 볼 뿐, 다른 것은 보지 못합니다.

# %%
@demonstrate
def _demo():
    sentence = np.array([[4, 9, 7, 5, 0, 0]])
    labels = ["three", "hundred", "twenty", "one", "<pad>", "<pad>"]
    scores = np.random.default_rng(2).normal(size=(6, 6)).astype("float32")
    decoder = to_numpy(create_decoder_mask(sentence))[0, 0]
    views = {
        "no mask": np.zeros((6, 6)),
        # ko: "마스크 없음 (no mask)": np.zeros((6, 6)),
        "padding mask": np.broadcast_to(to_numpy(create_padding_mask(sentence))[0, 0], (6, 6)),
        # ko: "패딩 마스크 (padding)": np.broadcast_to(to_numpy(create_padding_mask(sentence))[0, 0], (6, 6)),
        "look-ahead mask": to_numpy(create_look_ahead_mask(6)),
        # ko: "룩어헤드 마스크 (look-ahead)": to_numpy(create_look_ahead_mask(6)),
        "decoder mask": decoder,
        # ko: "디코더 마스크 (decoder)": decoder,
        "decoder mask, flipped": 1 - decoder,
        # ko: "거꾸로 된 디코더 마스크 (flipped)": 1 - decoder,
    }
    figure, axes = plt.subplots(3, 2, figsize=(9, 11.5), layout="constrained")
    axes[2, 1].axis("off")
    for ax, (name, mask) in zip(axes.flat, views.items(), strict=False):
        mask = mask.astype("float32")
        image = show_weights(masked_softmax(scores, mask), ax, name, labels, labels, mask)
    figure.colorbar(image, ax=axes, label="weight (dark: hidden)", shrink=0.5)
    # ko: figure.colorbar(image, ax=axes, label="가중치, 어두운 칸은 가려짐 (weight)", shrink=0.5)
    plt.show()

# %% [markdown]
# > **Does this hold?** *"-1e9 is as good as minus infinity."*
# >
# > The cell draws the weights of a row of which the first $n$ of 8 keys are hidden, for each $n$, computed in four ways. Where do you expect red (NaN), and
# > what will the four say at $n = 8$?
#
# <!-- ko -->
# > **정말 그럴까?** *"-1e9면 마이너스 무한대나 다름없다."*
# >
# > 아래 셀은 키 8개 가운데 앞의 $n$개를 가린 행의 가중치를 모든 $n$에 대해 네 가지 방법으로 계산해 그립니다. 어디에 빨간 칸(NaN)이 나올까요? $n = 8$에서
# > 네 방법은 각각 무엇을 내놓을까요?

# %%
@demonstrate
def _demo():
    row = np.random.default_rng(3).normal(size=8)
    masks_of_n = np.array([[1.0] * n + [0.0] * (8 - n) for n in range(9)])
    versions = {
        "-1e9, float32": ("float32", lambda s, m: _usual_softmax(s, m, -1e9)),
        "-1e9, float16": ("float16", lambda s, m: _usual_softmax(s, m, -1e9)),
        "-inf by where": ("float32", lambda s, m: _usual_softmax(np.where(m == 1, -np.inf, s), 0 * m, 0)),
        # ko: "where로 -inf": ("float32", lambda s, m: _usual_softmax(np.where(m == 1, -np.inf, s), 0 * m, 0)),
        "yours, float16": ("float16", masked_softmax),
        # ko: "여러분의 함수 (yours), float16": ("float16", masked_softmax),
    }
    figure, axes = plt.subplots(1, 4, figsize=(15, 4), layout="constrained")
    for ax, (name, (kind, function)) in zip(axes, versions.items(), strict=True):
        with np.errstate(all="ignore"):
            weights = function(np.tile(row, (9, 1)).astype(kind), masks_of_n.astype(kind))
        colours = plt.get_cmap("YlOrBr").with_extremes(bad="crimson")
        image = ax.imshow(np.ma.masked_invalid(to_numpy(weights).astype(float)), cmap=colours, vmin=0, vmax=1)
        ax.set(title=f"{name} (red: NaN)", xlabel="key", xticks=range(8), yticks=range(9))
        # ko: ax.set(title=f"{name} (빨강: NaN)", xlabel="키 (key)", xticks=range(8), yticks=range(9))
    axes[0].set_ylabel("hidden keys, from the left")
    # ko: axes[0].set_ylabel("왼쪽부터 가린 키의 수 (hidden keys)")
    figure.colorbar(image, ax=axes, label="weight", shrink=0.8)
    # ko: figure.colorbar(image, ax=axes, label="가중치 (weight)", shrink=0.8)
    plt.show()

# %% [markdown]
# > **What is right.** It holds in float32 and float64 for rows that keep something, as long as no score, kept or hidden, comes near 1e9 in size. It doesn't hold in float16 ($0 \cdot \infty$), and not on
# > a wholly hidden row ($n = 8$), which it averages (in float16 that is NaN, too). Minus infinity itself, put in by `where`, gives NaN in that row alone. Yours gives zeros there.
#
# ## Task 5: the other convention (3 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# `keras.layers.MultiHeadAttention` takes an `attention_mask`, and there **`True` (or 1) may be attended to**. It also has no
# axis for the heads; Keras puts it in.
#
# | | ours | for Keras |
# |---|---|---|
# | meaning of 1 | hidden | may be attended to |
# | type | float | boolean |
# | padding mask | `(batch, 1, 1, key_len)` | `(batch, 1, key_len)` |
# | decoder mask | `(batch, 1, query_len, key_len)` | `(batch, query_len, key_len)` |
# | look-ahead mask | `(query_len, key_len)` | `(1, query_len, key_len)` |
#
# Other libraries: `torch.nn.MultiheadAttention` hides where a boolean mask is `True` (ours), while
# `torch.nn.functional.scaled_dot_product_attention` attends where it is `True` (Keras's): two conventions in one library.
# Hugging Face's `attention_mask` has 1 for tokens and 0 for padding. Always look it up.
#
# <details><summary>Hint 1: Which two things differ?</summary>
#
# The meaning: true where our mask is 0. And the axes: with four of them, that of the heads goes; with two, one for the batch comes in
# front.
#
# </details>
#
# <details><summary>Hint 2: Which axis goes?</summary>
#
# Name it: `ops.squeeze` without an axis removes *every* axis of length 1, also that of a batch of one sentence.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** 이 말은 float32와 float64에서, 남긴 원소가 있고 (가려진 것까지) 점수의 절댓값이 1e9보다 훨씬 작은 행에만 맞습니다. float16에서는 맞지 않고($0 \cdot \infty$), 모두
# > 가려진 행($n = 8$)에서도 맞지 않습니다. 그 행에서는 가려진 값까지 평균합니다(float16에서는 여기서도 NaN입니다). `where`로 넣은 진짜 마이너스 무한대는 그 행에서만 NaN을 냅니다. 여러분의 함수는 그 행에서 모두 0을 냅니다.
#
# ## 과제 5: 또 하나의 규약 (3점)
#
# *난이도 1/5, 10분쯤.*
#
# `keras.layers.MultiHeadAttention`은 `attention_mask`를 받는데, 여기서는 **`True`(또는 1)인 곳을 보아도 됩니다.** 또
# 헤드의 축이 없습니다. 그 축은 케라스가 넣습니다.
#
# | | 이 과정 | 케라스 |
# |---|---|---|
# | 1의 뜻 | 가림 | 보아도 됨 |
# | 자료형 | 실수 | 불리언 |
# | 패딩 마스크 | `(batch, 1, 1, key_len)` | `(batch, 1, key_len)` |
# | 디코더 마스크 | `(batch, 1, query_len, key_len)` | `(batch, query_len, key_len)` |
# | 룩어헤드 마스크 | `(query_len, key_len)` | `(1, query_len, key_len)` |
#
# 다른 라이브러리를 봅시다. `torch.nn.MultiheadAttention`은 불리언 마스크가 `True`인 곳을 가리고(이 과정과 같음),
# `torch.nn.functional.scaled_dot_product_attention`은 `True`인 곳을 봅니다(케라스와 같음). 한 라이브러리 안에 규약이
# 둘입니다. Hugging Face의 `attention_mask`는 토큰에 1, 패딩에 0을 씁니다. 그때그때 문서를 확인하세요.
#
# <details><summary>힌트 1: 다른 점 두 가지는 무엇일까요?</summary>
#
# 뜻이 다릅니다. 우리 마스크가 0인 곳이 참입니다. 축도 다릅니다. 축이 넷이면 헤드의 축을 빼고, 둘이면 맨 앞에 배치의 축을 넣습니다.
#
# </details>
#
# <details><summary>힌트 2: 어느 축을 뺄까요?</summary>
#
# 축을 지정하세요. `ops.squeeze`에 축을 주지 않으면 길이 1인 축을 *모두* 없애므로, 문장이 하나뿐인 배치의 축까지 사라집니다.
#
# </details>


# %% task="keras-mask"
def to_keras_attention_mask(mask):
    """
    Turn a mask of this course (1 hides) into Keras's `attention_mask` (True may be attended to).
    # ko: 이 과정의 마스크(1은 가림)를 케라스의 `attention_mask`(True는 보아도 됨)로 바꿉니다.

    Args:
    # ko: 인수:
        mask: floats, (batch, 1, query_len or 1, key_len) or (query_len, key_len).
        # ko: mask: 실수, (batch, 1, query_len 또는 1, key_len)이나 (query_len, key_len).

    Returns:
    # ko: 반환값:
        Booleans, (batch, query_len or 1, key_len) or (1, query_len, key_len).
        # ko: 불리언, (batch, query_len 또는 1, key_len)이나 (1, query_len, key_len).
    """
    ### BEGIN SOLUTION
    may_attend = ops.equal(ops.convert_to_tensor(mask), 0)
    if len(may_attend.shape) == 4:
        return ops.squeeze(may_attend, axis=1)
    return ops.expand_dims(may_attend, axis=0)
    ### END SOLUTION


# %% grade="keras-mask" points=3
@checking("to_keras_attention_mask")
def _check(check):
    triangle = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]], dtype="float32")
    four_axes = np.stack([triangle, np.maximum(triangle, [0, 0, 1])])[:, None]
    flipped = to_keras_attention_mask(four_axes)
    check.shape(flipped, (2, 3, 3), "(batch, query_len, key_len)")
    check.close(
        flipped,
        1 - four_axes[:, 0],
        "two decoder masks",
        # ko: "디코더 마스크 두 개",
        hints={"the shape is right, but the mask isn't flipped.": four_axes[:, 0]},
        # ko: hints={"모양은 맞지만 마스크를 뒤집지 않았습니다.": four_axes[:, 0]},
    )
    kind = str(to_numpy(flipped).dtype)
    check.true(kind == "bool", "booleans", f"the mask should be boolean, but it is {kind}.")
    # ko: check.true(kind == "bool", "불리언", f"마스크가 불리언이어야 하는데 {kind}입니다.")
    padding = np.array([[0, 0, 1], [0, 1, 1]], dtype="float32")[:, None, None, :]
    check.shape(to_keras_attention_mask(padding), (2, 1, 3), "(batch, 1, key_len)")
    check.close(to_keras_attention_mask(padding), 1 - padding[:, 0], "two padding masks")
    # ko: check.close(to_keras_attention_mask(padding), 1 - padding[:, 0], "패딩 마스크 두 개")
    check.shape(to_keras_attention_mask(four_axes[:1]), (1, 3, 3), "(1, query_len, key_len) for a batch of one sentence")
    # ko: check.shape(to_keras_attention_mask(four_axes[:1]), (1, 3, 3), "문장이 하나인 배치의 (1, query_len, key_len)")
    check.shape(to_keras_attention_mask(triangle), (1, 3, 3), "(1, query_len, key_len)")
    check.close(to_keras_attention_mask(triangle), [1 - triangle], "a look-ahead mask")
    # ko: check.close(to_keras_attention_mask(triangle), [1 - triangle], "룩어헤드 마스크")
    check.shape(to_keras_attention_mask(triangle[:1, :1]), (1, 1, 1), "(1, query_len, key_len) for one position")
    # ko: check.shape(to_keras_attention_mask(triangle[:1, :1]), (1, 1, 1), "위치가 하나일 때의 (1, query_len, key_len)")
    check.compiles(to_keras_attention_mask, four_axes, required=False, open_batch=True)
_check

# %% [markdown]
# > **Does this hold?** *"I hand my look-ahead mask, with 1 above the diagonal, to `attention_mask`, so the decoder's self-attention is causal. And
# > it trains perfectly."*
# >
# > The cell draws what Keras's layer does with the mask as it is, and with the mask flipped. What will each query see? And why does that train so well?
#
# <!-- ko -->
# > **정말 그럴까?** *"대각선보다 위쪽이 1인 룩어헤드 마스크를 `attention_mask`로 넘겼으니 디코더의 셀프 어텐션(self-attention)은 인과적이다. 학습도 완벽하게
# > 된다."*
# >
# > 아래 셀은 마스크를 그대로 넘길 때와 뒤집어서 넘길 때 케라스의 계층이 무엇을 하는지 그립니다. 쿼리마다 무엇을 보게 될까요? 그런데 학습은 왜 그렇게 잘될까요?

# %%
@demonstrate
def _demo():
    keras.utils.set_random_seed(0)
    attention = keras.layers.MultiHeadAttention(num_heads=1, key_dim=6)
    x = np.random.default_rng(5).normal(size=(1, 5, 6)).astype("float32")
    ahead = to_numpy(create_look_ahead_mask(5))
    handed_over = {"look-ahead mask as it is": ahead[None].astype(bool), "flipped": to_keras_attention_mask(ahead)}
    # ko: handed_over = {"룩어헤드 마스크 그대로 (as it is)": ahead[None].astype(bool), "뒤집은 것": to_keras_attention_mask(ahead)}
    figure, axes = plt.subplots(1, 2, figsize=(8.6, 3.8), layout="constrained")
    for ax, (name, mask) in zip(axes, handed_over.items(), strict=True):
        _, weights = attention(x, x, attention_mask=mask, return_attention_scores=True)
        title = f"Keras with the {name}" if "as it is" in name else "Keras with it flipped"
        # ko: title = f"케라스에 {name}" if "그대로" in name else "케라스에 뒤집은 마스크 (flipped)"
        image = show_weights(weights[0, 0], ax, title, mask=1.0 - to_numpy(mask)[0])
    figure.colorbar(image, ax=axes, label="weight (dark: hidden)", shrink=0.8)
    # ko: figure.colorbar(image, ax=axes, label="가중치, 어두운 칸은 가려짐 (weight)", shrink=0.8)
    plt.show()

# %% [markdown]
# > **What is right.** As it is, the mask does the opposite: each query sees its future and nothing else. It trains well because each position can read its
# > answer in the input. Measured with such a decoder that copies sequences of feature vectors, 64 features each: given the right
# > previous vectors, the mean squared error of the next one is 0.00008, nearly perfect; when the decoder has to go on from its own
# > outputs it is 1.04 and the correlation with the target 0.005. With the mask flipped it is 0.00008 both ways.
#
# On the left the last query may see nothing, and its weights are all zeros, like yours. Don't rely on it. The same layer,
# the same input, but not asked for its weights, takes a faster way through its code, and there such a row is a mean of
# *all* values. Measured with Keras 3.15 on TensorFlow, JAX and PyTorch; the next cell shows how far the two ways differ in your version. It matters
# nowhere as long as each query keeps a key, which is one more reason to keep the diagonal.
#
# <!-- ko -->
# > **맞는 설명.** 그대로 넘기면 정반대가 됩니다. 쿼리마다 자신의 미래만 봅니다. 그런데도 학습이 잘되는 까닭은 위치마다 입력 안에 있는 답을 읽을 수
# > 있기 때문입니다. 64차원 벡터의 시퀀스를 베끼는 과제(copy task)로 그런 디코더를 학습시켜 오차를 재 보았습니다. 올바른 앞 벡터들을
# > 주면 다음 벡터의 평균 제곱 오차는 0.00008로 거의 완벽합니다. 디코더가 자기 출력에서 이어 가야 할 때는 1.04이고 정답과의
# > 상관계수는 0.005입니다. 마스크를 케라스의 규약에 맞게 뒤집어 넘기면 어느 쪽이든 0.00008입니다.
#
# 왼쪽 그림의 마지막 쿼리는 아무것도 볼 수 없고, 그 가중치는 여러분의 함수에서처럼 모두 0입니다. 여기에 기대지는 마세요. 같은
# 계층에 같은 입력을 주어도, 가중치를 돌려 달라고 하지 않으면 더 빠른 경로로 계산하는데, 거기서 그런 행의 결과는
# *모든* 값(value)의 평균이 됩니다. 케라스 3.15에서 텐서플로, JAX, 파이토치로 재 본 결과이고, 다음 셀은 여러분이 쓰는
# 버전에서 두 방법이 얼마나 다른지 보여 줍니다. 쿼리마다 키가 하나라도 남아 있으면 문제가 되지 않습니다. 대각선을 남겨 두어야 할 이유가
# 하나 더 있는 셈입니다.

# %%
@demonstrate
def _demo():
    keras.utils.set_random_seed(0)
    attention = keras.layers.MultiHeadAttention(num_heads=1, key_dim=6)
    x = np.random.default_rng(5).normal(size=(1, 5, 6)).astype("float32")
    ahead = to_numpy(create_look_ahead_mask(5))
    with_weights, _ = attention(x, x, attention_mask=ahead[None].astype(bool), return_attention_scores=True)
    without_weights = attention(x, x, attention_mask=ahead[None].astype(bool))
    difference = np.abs(to_numpy(with_weights) - to_numpy(without_weights)).max(axis=(0, 2))
    print("the same layer with and without return_attention_scores, difference of each row:", difference.round(4))
    # ko: print("같은 계층에서 return_attention_scores가 있을 때와 없을 때, 행마다의 차이:", difference.round(4))

# %% [markdown]
# ## Task 6: a test for leaks (3 points)
#
# *Difficulty 4 of 5, about 60 minutes.*
#
# A decoder that reads ahead looks at least *as good* in training as a right one. This table (measured with a small Transformer that
# translates Korean numbers into English words, notebook 07) gives the share of held-out numbers that are wholly right:
#
# | look-ahead mask | previous words given | on its own words |
# |---|---|---|
# | right | 1.000 | 1.000 |
# | none | 1.000 | **0.000** |
# | flipped | 1.000 | **0.000** |
# | one step too far | 1.000 | **0.740** |
#
# The column that one watches in training shows nothing. So test the layer itself. The definition is short: a layer is
# **causal** if no output depends on a later input. And dependence can be tried out:
#
# > change the later inputs, and see whether an earlier output moves.
#
# $$\text{leak from } j \text{ to } i < j: \qquad \texttt{attend}(x)_i \ne \texttt{attend}(x')_i
#   \quad \text{although } x'_k = x_k \text{ for all } k \ne j$$
#
# You get the layer as a black box, `attend`, and return `True` if it leaks. Think of a picture with a row for each output
# and a column for each input: an entry above the diagonal is a leak. It may be **any** of them.
#
# - It may be one entry only: a position may see *one* step too far, or the last input alone may leak, or one feature alone.
# - Or it may be everywhere and small: a mean over all positions, taken before a perfectly causal attention.
# - It may appear in long inputs only: test with the `seq_len` that you are told.
# - Where a layer multiplies inputs, zeros hide the leak: begin with random numbers too.
# - A normalisation over the features swallows some changes: adding 1 to *every* feature changes nothing behind it. Nor
#   does multiplying by 2.
# - float32 rounds. In a right layer an earlier output may move by up to a millionth (1e-6) because of rounding; that is
#   no leak. Nearly every random change of a later input by about 1 makes a leak move some earlier output by more than 1e-4. So one
#   random change of each input is enough here (several are surer), and comparing with `!=` is too strict.
#
# <details><summary>Hint 1: What is compared with what?</summary>
#
# The output for a random input, and the output for the same input with *one* position changed. Look only at the outputs *before* that
# position: in a causal layer they are the same.
#
# </details>
#
# <details><summary>Hint 2: How is a position changed?</summary>
#
# Work on a copy of the input. Replace all features of the position by random numbers, since a normalisation swallows a constant. Do
# so for each position from 1 to `seq_len - 1`, one at a time.
#
# </details>
#
# <details><summary>Hint 3: How much is a move?</summary>
#
# Rounding stays below 1e-6 and a leak is nearly always above 1e-4, so a bound well in between, such as 1e-5, tells them apart. Take the largest absolute difference
# over all earlier positions and features. `attend` may return a tensor: `to_numpy` takes both.
#
# </details>
#
# <!-- ko -->
# ## 과제 6: 누수(leak)를 찾는 검사 (3점)
#
# *난이도 4/5, 60분쯤.*
#
# 미래를 읽는 디코더는 학습하는 동안 올바른 디코더 *못지않게* 좋아 보입니다. 측정한 결과를 봅시다. 한국어 숫자를 영어
# 단어로 번역하는 작은 트랜스포머(7번 노트북)가 학습에 쓰지 않은 수를 통째로 맞힌 비율입니다.
#
# | 룩어헤드 마스크 | 올바른 앞 단어를 줄 때 | 자기가 낸 단어로 이어 갈 때 |
# |---|---|---|
# | 올바름 | 1.000 | 1.000 |
# | 없음 | 1.000 | **0.000** |
# | 거꾸로 됨 | 1.000 | **0.000** |
# | 한 걸음 더 봄 | 1.000 | **0.740** |
#
# 학습하면서 지켜보는 열에는 아무것도 드러나지 않습니다. 그러니 계층 자체를 검사하세요. 정의는 짧습니다. 어느 출력도
# 자기보다 뒤 위치의 입력에 의존하지 않으면 그 계층은 **인과적**(causal)입니다. 그리고 의존하는지는 직접 해 보면
# 압니다.
#
# > 뒤 위치의 입력을 바꾸고, 앞 위치의 출력이 움직이는지 본다.
#
# $$j\text{에서 } i < j\text{로 새는 누수}: \qquad \texttt{attend}(x)_i \ne \texttt{attend}(x')_i
#   \quad (\text{모든 } k \ne j \text{에서 } x'_k = x_k \text{인데도})$$
#
# 계층은 속을 볼 수 없는 블랙박스 `attend`로 주어집니다. 새면 `True`를 돌려주세요. 출력마다 한 행, 입력마다 한 열이
# 있는 그림을 떠올려 보세요. 대각선보다 위쪽에 무엇이든 있으면 누수입니다. 누수는 **어느** 원소에든 있을 수 있습니다.
#
# - 원소 하나뿐일 수 있습니다. 어느 위치가 *한* 걸음만 더 보거나, 마지막 입력만 새거나, 특징 하나만 새기도 합니다.
# - 어디에나 조금씩 있을 수도 있습니다. 완벽하게 인과적인 어텐션이라도 그 전에 모든 위치의 평균을 쓰면 그렇게 됩니다.
# - 긴 입력에서만 나타날 수 있습니다. 주어진 `seq_len`으로 검사하세요.
# - 입력끼리 곱하는 계층에서는 0이 누수를 숨깁니다. 처음 입력부터 무작위 수로 채우세요.
# - 특징들에 대한 정규화는 어떤 변화를 삼켜 버립니다. *모든* 특징에 1을 더해도 그 뒤에서는 달라지는 것이 없습니다. 2를
#   곱해도 마찬가지입니다.
# - float32에는 반올림 오차가 있습니다. 올바른 계층에서도 앞 위치의 출력이 반올림 때문에 백만분의 일(1e-6)까지 움직일 수
#   있는데, 이것은 누수가 아닙니다. 누수라면 뒤 위치의 입력을 1 정도의 크기로 무작위로 바꿀 때 앞 위치의 어떤 출력이 거의 언제나
#   1e-4보다 많이 움직입니다. 그러니 여기서는 입력마다 무작위로 한 번씩 바꾸어 보면 충분하고(여러 번 바꾸면 더 확실합니다), `!=`로
#   비교하는 것은 지나치게 엄격합니다.
#
# <details><summary>힌트 1: 무엇과 무엇을 비교할까요?</summary>
#
# 무작위 입력의 출력과, 그 입력에서 위치 *하나만* 바꾼 입력의 출력을 비교합니다. 바꾼 위치보다 *앞의* 출력만 보세요. 인과적인 계층이면
# 서로 같습니다.
#
# </details>
#
# <details><summary>힌트 2: 위치를 어떻게 바꿀까요?</summary>
#
# 입력의 복사본을 쓰세요. 그 위치의 모든 특징을 무작위 수로 바꿉니다. 상수를 더하면 정규화가 지워 버리기 때문입니다. 위치 1부터
# `seq_len - 1`까지 하나씩 해 보세요.
#
# </details>
#
# <details><summary>힌트 3: 얼마나 움직여야 움직인 것일까요?</summary>
#
# 반올림은 1e-6보다 작고 누수는 거의 언제나 1e-4보다 크므로 1e-5처럼 그 사이의 값을 기준으로 삼으면 갈립니다. 앞의 모든 위치와 특징에서 차이의 절댓값
# 가운데 가장 큰 것을 보세요. `attend`가 텐서를 돌려줄 수도 있습니다. `to_numpy`는 둘 다 받습니다.
#
# </details>


# %% task="leak-test"
def leaks_future(attend, seq_len, dim):
    """
    Find out whether any output depends on a later input.
    # ko: 어떤 출력이 더 뒤 위치의 입력에 의존하는지 알아냅니다.

    Args:
    # ko: 인수:
        attend: a callable. Takes an array (1, seq_len, dim) of floats of size about 1 and returns another of that shape, as a
        # ko: attend: 호출할 수 있는 것. 원소의 절댓값이 1쯤 되는 실수 배열 (1, seq_len, dim)을 받아 모양이 같은 배열을
            NumPy array or as a tensor. It gives the same for the same input.
            # ko: NumPy 배열이나 텐서로 돌려줍니다. 입력이 같으면 결과도 같습니다.
        seq_len: number of positions, at least 2.
        # ko: seq_len: 위치의 수, 2 이상.
        dim: number of features.
        # ko: dim: 특징의 수.

    Returns:
    # ko: 반환값:
        True if some output, at any position, changes with some input at a later position; False if none does, but for
        # ko: 어느 위치의 출력이든 더 뒤 위치의 어떤 입력에 따라 변하면 True, 반올림(1e-6보다 작음)을 빼고
        rounding (below 1e-6).
        # ko: 변하는 것이 없으면 False.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim)).astype("float32")
    before = to_numpy(attend(x))
    for position in range(1, seq_len):
        changed = x.copy()
        changed[:, position] = rng.normal(size=dim)
        moved = np.abs(to_numpy(attend(changed)) - before)[:, :position]
        if moved.max() > 1e-5:
            return True
    return False
    ### END SOLUTION


# %% grade="leak-test" points=3
def _sees(hidden):
    """A layer that averages every input that the mask (1 hides) doesn't hide."""
    # ko: """마스크(1은 가림)가 가리지 않는 모든 입력을 평균하는 계층."""

    def attend(x):
        if np.ndim(x) != 3:
            raise ValueError(f"`attend` takes (1, seq_len, dim). Received: {np.shape(x)}.")
            # ko: raise ValueError(f"`attend`는 (1, seq_len, dim)을 받습니다. 받은 모양: {np.shape(x)}.")
        kept = (1.0 - hidden)[: x.shape[1], : x.shape[1]]
        return np.einsum("ij,bjd->bid", kept / kept.sum(axis=1, keepdims=True), np.tanh(to_numpy(x).astype("float64")))

    return attend


def _with_rounding(attend):
    """The same layer, away from 0, with an error of rounding that any input changes."""
    # ko: """같은 계층의 출력을 0에서 멀리 옮기고, 어느 입력을 바꾸어도 달라지는 반올림 오차를 더한 것."""
    return lambda x: 2 + attend(x) + 4e-7 * np.sin(1000 * np.sum(to_numpy(x).astype("float64")))


def _after_layer_norm(attend):
    """The same layer behind a normalisation over the features."""
    # ko: """특징들에 대한 정규화 뒤에 놓인 같은 계층."""

    def normalised(x):
        x = to_numpy(x).astype("float64")
        return attend((x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-6))

    return normalised


def _times_next_input(attend):
    """The same layer, each output multiplied with the input that follows it."""
    # ko: """같은 계층에서 출력마다 바로 다음 입력을 곱한 것."""

    def leaky(x):
        y, x = np.array(attend(x)), to_numpy(x).astype("float64")
        y[:, :-1] *= x[:, 1:]
        return y

    return leaky


def _with_weak_leaks(attend, places, share=0.001):
    """The same layer plus a small share of a later input at each of `places`: (output, its feature, input, its feature)."""
    # ko: """같은 계층에, `places`의 자리마다 뒤 입력의 작은 몫을 더한 것. 자리는 (출력, 그 특징, 입력, 그 특징)입니다."""

    def leaky(x):
        y, x = np.array(attend(x)), to_numpy(x).astype("float64")
        for output, feature, later, its_feature in places:
            if later < x.shape[1]:
                y[:, output, feature] += share * x[:, later, its_feature]
        return y

    return leaky


def _noting_inputs(attend, inputs):
    """The same layer, which adds a copy of each input to the list `inputs`."""
    # ko: """같은 계층. 입력의 복사본을 리스트 `inputs`에 넣습니다."""

    def noting(x):
        inputs.append(np.array(_as_array(x)))
        return attend(x)

    return noting


@checking("leaks_future")
def _check(check):
    future = np.triu(np.ones((7, 7)), k=1)
    one_step = np.triu(np.ones((7, 7)), k=2)
    one_place = future.copy()
    one_place[1, 4] = 0
    late = np.triu(np.ones((40, 40)), k=1)
    late[30, 31] = 0
    normalised = _after_layer_norm(lambda x: x)
    everything = _sees(np.zeros((7, 7)))
    whole_normalised = lambda x: normalised(everything(x))
    as_tensor = lambda x: keras.ops.convert_to_tensor(_sees(one_step)(x).astype("float32"))
    questions = {
        True: "Do you begin with random numbers, not zeros, and change every position in a copy, each of its features by *another* number? Do you compare every output before it, and is it a leak as soon as *one* of them has moved by more than about 1e-5, up or down? (A `return False` inside the loop ends it after one round.)",
        # ko: True: "0이 아니라 무작위 수로 시작해, 그 복사본에서 모든 위치를 바꾸나요? 특징마다 *다른* 수만큼 바꾸나요? 그 앞의 모든 출력을 비교하고, 그 가운데 *하나*라도 (늘든 줄든) 1e-5쯤 넘게 움직이면 누수로 치나요? (`return False`가 반복문 안에 있으면 첫 바퀴에서 끝납니다.)",
        False: "Is the output at the changed position compared too, or one after it? Is the first input itself changed, and not a copy, or does one copy hold the changes of earlier rounds? Does rounding below 1e-6 count as a leak?",
        # ko: False: "바꾼 위치 자신이나 그 뒤의 출력까지 비교하지 않나요? 복사본이 아니라 원래 입력을 바꾸거나, 복사본 하나에 앞 바퀴에서 바꾼 것이 남아 있지 않나요? 1e-6보다 작은 반올림 오차까지 누수로 치지 않나요?",
    }
    other_shapes = {}
    verdicts = {
        "a causal average": (_sees(future), False, 7),
        # ko: "인과적 평균": (_sees(future), False, 7),
        "a causal average that rounds": (_with_rounding(_sees(future)), False, 7),
        # ko: "반올림 오차가 있는 인과적 평균": (_with_rounding(_sees(future)), False, 7),
        "an average of everything": (everything, True, 7),
        # ko: "모든 것의 평균": (everything, True, 7),
        "an average of everything, with a normalisation over the features behind it": (whole_normalised, True, 7),
        # ko: "특징들에 대한 정규화가 뒤따르는, 모든 것의 평균": (whole_normalised, True, 7),
        "an average that sees one step too far": (_sees(one_step), True, 7),
        # ko: "한 걸음 더 멀리 보는 평균": (_sees(one_step), True, 7),
        "the same average as a tensor": (as_tensor, True, 7),
        # ko: "텐서를 돌려주는 같은 평균": (as_tensor, True, 7),
        "a causal average but for one entry": (_sees(one_place), True, 7),
        # ko: "원소 하나만 빼면 인과적인 평균": (_sees(one_place), True, 7),
        "a causal average after a normalisation over the features": (_after_layer_norm(_sees(future)), False, 7),
        # ko: "특징들에 대한 정규화 뒤의 인과적 평균": (_after_layer_norm(_sees(future)), False, 7),
        "one step too far after a normalisation over the features": (_after_layer_norm(_sees(one_step)), True, 7),
        # ko: "특징들에 대한 정규화 뒤에서 한 걸음 더 멀리 보는 평균": (_after_layer_norm(_sees(one_step)), True, 7),
        "a causal average whose outputs are multiplied with the next input": (_times_next_input(_sees(future)), True, 7),
        # ko: "인과적 평균의 출력에 다음 입력을 곱한 것": (_times_next_input(_sees(future)), True, 7),
        "a causal average but for one entry, far back among 40 inputs": (_sees(late), True, 40),
        # ko: "입력 40개의 뒤쪽에 있는 원소 하나만 빼면 인과적인 평균": (_sees(late), True, 40),
    }
    for words, (attend, leaks, seq_len) in verdicts.items():
        inputs = []
        verdict = leaks_future(_noting_inputs(attend, inputs), seq_len, 4)
        if np.ndim(verdict):
            check.true(False, "", f"return one True or False. You returned an array of the shape {np.shape(verdict)}.")
            # ko: check.true(False, "", f"True나 False 하나를 돌려주세요. 모양이 {np.shape(verdict)}인 배열을 돌려주었습니다.")
        for shape in {x.shape for x in inputs} - {(1, seq_len, 4)}:
            other_shapes.setdefault(shape, (1, seq_len, 4))
        advice = questions[leaks]
        if any(np.isnan(x.astype(float)).any() for x in inputs):
            advice = "There is a NaN in the input: 0 · NaN is NaN, and a comparison such as `>` is never true of a NaN."
            # ko: advice = "입력에 NaN이 있습니다. 0 · NaN은 NaN이고, NaN은 무엇과 `>`로 비교해도 거짓입니다."
        elif len({x.tobytes() for x in inputs}) < 2:
            advice = "`attend` never got a changed input: hand it the changed copy."
            # ko: advice = "`attend`가 바뀐 입력을 받은 적이 없습니다. 바꾼 복사본을 넘기세요."
        elif verdict and not check.passed and not leaks_future(everything, 7, 4):
            advice = "Of an average of everything you say False, so the answers are the wrong way round: True where an earlier output moved (`np.allclose` is False there)."
            # ko: advice = "그리고 모든 것의 평균에는 False라고 답합니다. 답이 서로 바뀌었습니다. 앞의 출력이 움직이면 True입니다(그때 `np.allclose`는 False입니다)."
        check.true(
            verdict is not None and bool(verdict) == leaks,
            f"{words}: {leaks}",
            "it returned None. Is the `return` missing?"
            # ko: "None을 돌려주었습니다. `return`이 빠지지 않았나요?"
            if verdict is None
            else f"{words}: you said {bool(verdict)}, but it {'leaks' if leaks else 'does not leak'}. {advice}",
            # ko: else f"{words}: {bool(verdict)}라고 답했지만 실제로는 {'샙니다' if leaks else '새지 않습니다'}. {advice}",
        )
    if other_shapes:
        received, promised = min(other_shapes.items())
        check.note(
            f"it hands `attend` an array of the shape {received} where {promised} is promised. A layer with a mask of fixed size takes no other: change the numbers only, neither their length nor their batch."
            # ko: f"`attend`에 모양이 {received}인 배열을 넘깁니다. 약속한 모양은 {promised}입니다. 마스크의 크기가 정해진 계층은 다른 모양을 받지 못합니다. 길이와 배치는 그대로 두고 수만 바꾸세요."
        )
    weak_leaks = {
        "a causal average but for a weak leak from the second input to the first output": [(0, k, 1, k) for k in range(4)],
        # ko: "둘째 입력에서 첫 출력으로 약하게 새는 것만 빼면 인과적인 평균": [(0, k, 1, k) for k in range(4)],
        "a causal average but for a weak leak from the last input to the output before it": [(5, k, 6, k) for k in range(4)],
        # ko: "마지막 입력에서 바로 앞 출력으로 약하게 새는 것만 빼면 인과적인 평균": [(5, k, 6, k) for k in range(4)],
        "a causal average but for a weak leak from the last input to a single feature": [(i, 2, 6, 1 + i % 3) for i in range(6)],
        # ko: "마지막 입력에서 특징 하나로 약하게 새는 것만 빼면 인과적인 평균": [(i, 2, 6, 1 + i % 3) for i in range(6)],
    }
    for words, places in weak_leaks.items():
        check.true(
            bool(leaks_future(_with_weak_leaks(_sees(future), places, share=0.002), 7, 4)),
            f"{words}: True",
            f"{words}: you said False. A weak leak at one place was missed: if the input changes by about 1, an output moves by about 0.002. How much do you change, at which position and in which features, and from which bound on does an output count as moved, up or down?",
            # ko: f"{words}: False라고 답했습니다. 한 곳의 약한 누수를 놓쳤습니다. 입력을 1 정도의 크기로 바꾸면 출력이 0.002쯤 움직입니다. 어느 위치의 어느 특징을 얼마나 바꾸고, 늘든 줄든 얼마부터 움직인 것으로 보나요?",
        )
    # Such a leak at 36 places, with either sign. By chance some of them may hardly move.
    # ko: # 그런 누수가 있는 자리는 36곳이고 부호는 두 가지입니다. 우연히 거의 움직이지 않는 자리가 몇 곳 있을 수 있습니다.
    single = "a causal average but for a weak leak from one feature of an input to one of an earlier output"
    # ko: single = "입력의 특징 하나에서 앞 출력의 특징 하나로 약하게 새는 것만 빼면 인과적인 평균"
    places = [(n % 6, (n + k) % 4, n % 6 + 1 + (n // 6) * (5 - n % 6), (n + 2 * k + 1) % 4) for k in range(3) for n in range(12)]
    found = sum(bool(leaks_future(_with_weak_leaks(_sees(future), [place], share), 7, 4)) for place in places for share in (0.001, -0.001))
    check.true(
        found >= 46,
        f"{single}: True",
        f"{single}: you found {found} such leaks of 72. Do you look at every feature of every "
        # ko: f"{single}: 그런 누수 72개 가운데 {found}개를 찾았습니다. 앞의 모든 출력의 모든 특징을 보고, "
        "earlier output, and count what moves by more than 1e-4, up or down?",
        # ko: "늘든 줄든 1e-4보다 많이 움직인 것을 누수로 치나요?",
    )
    long = np.triu(np.ones((40, 40)), k=1)
    places = [(3 * n, (n + k) % 4, 39 - k, (n + 1) % 4) for k in range(2) for n in range(12)]
    found = sum(bool(leaks_future(_with_weak_leaks(_sees(long), [place]), 40, 4)) for place in places)
    check.true(
        found >= 14,
        f"{single}, among 40 inputs: True",
        # ko: f"입력이 40개일 때, {single}: True",
        f"{single}, among 40 inputs: you found {found} such leaks of 24. Do you look at the largest difference, and not at a mean?",
        # ko: f"입력이 40개일 때, {single}: 그런 누수 24개 가운데 {found}개를 찾았습니다. 차이의 평균이 아니라 가장 큰 차이를 보나요?",
    )
    quiet = lambda x: [0, 1, 1, 1] * _sees(future)(x) + 4e-7 * np.sin(1000 * np.sum(to_numpy(x).astype("float64")))
    if leaks_future(quiet, 7, 4):
        check.note("it finds a leak in a causal average of which one feature is 0 but for rounding by 4e-7. (`np.allclose` takes `atol`.)")
        # ko: check.note("특징 하나가 반올림 오차(4e-7)를 빼면 0인 인과적 평균을 두고 샌다고 답합니다. (`np.allclose`에는 `atol`이 있습니다.)")
    if not leaks_future(_after_layer_norm(_times_next_input(_sees(future))), 7, 4):
        check.note("it misses a leak behind a normalisation, in which inputs are multiplied: begin with random inputs, of which no two are alike.")
        # ko: check.note("정규화 뒤에서 입력끼리 곱하는 누수를 놓칩니다. 서로 다른 무작위 수로 시작하세요.")
_check

# %% [markdown]
# ### What leaks look like
#
# How far does output $i$ move when input $j$ changes? Everything above the red line is a leak. The first is causal
# attention; the second sees one step too far; the third is right but for one entry; in the fourth, causal attention
# comes after a normalisation over *time*, whose mean and spread carry every input to every output: the leak is
# everywhere, and it is not small. Finally Keras's own layer, with our mask as it is and with the mask flipped. (With our mask as it is the last row sees no key, so it is a mean of all values, which every input moves: see task 5.) Does
# your test see what you see?
#
# <!-- ko -->
# ### 누수는 어떻게 생겼나
#
# 입력 $j$가 바뀌면 출력 $i$는 얼마나 움직일까요? 빨간 선 위쪽은 모두 누수입니다. 첫째는 인과적 어텐션이고, 둘째는 한
# 걸음 더 멀리 봅니다. 셋째는 원소 하나만 빼면 올바릅니다. 넷째에서는 *시간*에 대한 정규화 다음에 인과적 어텐션이
# 오는데, 정규화에 쓰는 평균과 표준편차를 통해 모든 입력이 모든 출력에 전해집니다. 누수가 어디에나 있고, 작지도
# 않습니다. 마지막 두 그림은 케라스의 계층에 마스크를 그대로 준 것과 뒤집어서 준 것입니다. 그대로 주면 마지막 행은 키가 모두 가려져 모든 값의 평균이 되므로, 어느 입력을 바꾸어도 움직입니다(과제 5). 그림에 보이는 누수를 여러분의
# 검사도 잡아내나요?

# %%
@demonstrate
def _demo():
    global _gallery, _start
    length, width = 8, 4
    rng = np.random.default_rng(6)
    w_query, w_key, w_value = rng.normal(size=(3, width, width)) / width**0.5

    def attention_under(hidden, over_time=False):
        def attend(x):
            x = to_numpy(x).astype("float64")
            inner = (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True) if over_time else x
            scores = inner @ w_query @ np.swapaxes(inner @ w_key, 1, 2) / width**0.5
            return x + to_numpy(masked_softmax(scores, hidden[None])) @ inner @ w_value

        return attend

    keras.utils.set_random_seed(0)
    keras_attention = keras.layers.MultiHeadAttention(num_heads=2, key_dim=4)
    future, one_entry = np.triu(np.ones((8, 8)), k=1), np.triu(np.ones((8, 8)), k=1)
    one_entry[2, 5] = 0
    _gallery = {
        "causal": attention_under(future),
        # ko: "인과적 (causal)": attention_under(future),
        "one step too far": attention_under(np.triu(np.ones((8, 8)), k=2)),
        # ko: "한 걸음 더 (one step too far)": attention_under(np.triu(np.ones((8, 8)), k=2)),
        "one entry": attention_under(one_entry),
        # ko: "원소 하나 (one entry)": attention_under(one_entry),
        "normalised over time": attention_under(future, over_time=True),
        # ko: "시간에 대한 정규화 (over time)": attention_under(future, over_time=True),
        "Keras, mask as it is": lambda x: keras_attention(x, x, attention_mask=future[None].astype(bool)),
        # ko: "케라스, 그대로 준 마스크 (as it is)": lambda x: keras_attention(x, x, attention_mask=future[None].astype(bool)),
        "Keras, flipped mask": lambda x: keras_attention(x, x, attention_mask=to_keras_attention_mask(future)),
        # ko: "케라스, 뒤집은 마스크 (flipped)": lambda x: keras_attention(x, x, attention_mask=to_keras_attention_mask(future)),
    }
    _start = rng.normal(size=(1, length, width)).astype("float32")
    figure, axes = plt.subplots(2, 3, figsize=(12, 7.6), layout="constrained")
    for ax, (name, attend) in zip(axes.flat, _gallery.items(), strict=True):
        before = to_numpy(attend(_start))
        moved = np.zeros((length, length))
        for j in range(length):
            changed = _start.copy()
            changed[:, j] += rng.normal(size=width)
            moved[:, j] = np.abs(to_numpy(attend(changed)) - before)[0].max(axis=-1)
        image = ax.imshow(np.log10(moved + 1e-9), cmap="magma", vmin=-7, vmax=1)
        corners = np.repeat(np.arange(length + 1), 2)
        ax.plot(corners[:-2] + 0.5, corners[1:-1] - 0.5, color="red")
        ax.set(
            title=f"{name}\nleaks_future says {leaks_future(attend, length, width)}",
            # ko: title=f"{name}\nleaks_future의 답: {leaks_future(attend, length, width)}",
            xlabel="changed input",
            # ko: xlabel="바꾼 입력 (changed input)",
            ylabel="output",
            # ko: ylabel="출력 (output)",
            xlim=(-0.5, 7.5),
            ylim=(7.5, -0.5),
        )
    figure.colorbar(image, ax=axes, label="log10 of how far it moves", shrink=0.8)
    # ko: figure.colorbar(image, ax=axes, label="움직인 거리의 log10 (moves)", shrink=0.8)
    plt.show()

# %% [markdown]
# > **Does this hold?** Two tests for leaks that are shorter than yours. *"Put NaN into the future: if a NaN comes out in the past, the layer leaks."* And
# > *"It is enough to change the last input."*
# >
# > The cell tries the first on the first picture above, which is causal, and the second on the third, which leaks from input 5 to output 2. What will they say?
#
# <!-- ko -->
# > **정말 그럴까?** 여러분의 검사보다 짧은 검사 둘입니다. *"미래에 NaN을 넣어라. 과거에서 NaN이 나오면 그 계층은 샌다."* 그리고 *"마지막 입력만
# > 바꾸어 보면 충분하다."*
# >
# > 아래 셀은 첫째 검사를 위의 첫째 그림(인과적)에, 둘째 검사를 셋째 그림(입력 5에서 출력 2로 샘)에 해 봅니다. 뭐라고 할까요?

# %%
@demonstrate
def _demo():
    rng, width = np.random.default_rng(7), _start.shape[-1]
    poisoned = _start.copy()
    poisoned[:, -1] = np.nan
    with np.errstate(all="ignore"):
        print("causal attention, last input NaN; NaN in the first output:", bool(np.isnan(_gallery["causal"](poisoned)[0, 0]).any()))
        # ko: print("인과적 어텐션, 마지막 입력이 NaN. 첫 출력에 NaN이 있나:", bool(np.isnan(_gallery["인과적 (causal)"](poisoned)[0, 0]).any()))
    changed = _start.copy()
    changed[:, -1] += 1.0 + rng.normal(size=width)
    moved = np.abs(_gallery["one entry"](changed) - _gallery["one entry"](_start))[0, :-1].max()
    # ko: moved = np.abs(_gallery["원소 하나 (one entry)"](changed) - _gallery["원소 하나 (one entry)"](_start))[0, :-1].max()
    print("one leaking entry, last input changed; earlier outputs move by:", moved)
    # ko: print("원소 하나가 샐 때 마지막 입력을 바꾸면 앞의 출력이 움직이는 거리:", moved)

# %% [markdown]
# > **What is right.** Both are wrong for attention. A hidden key has weight 0, and $0 \cdot \text{NaN}$ is NaN: a perfectly causal layer fails the first
# > test. And a layer that leaks from a single input passes the second test, unless that input is the last one.
#
# ## ★ Several sentences in one row (optional, no points)
#
# *Difficulty 3 of 5, about 30 minutes.*
#
# Padding is waste: large models are trained on rows in which several sentences stand one behind another until the row is full (*packing*). Beside
# the ids there is then an array that says which sentence each token belongs to, 0 for the padding that is left at the end:
#
# $$\begin{pmatrix} 1&1&1&2&2&0 \end{pmatrix}$$
#
# Write the mask under which each sentence of the row is what it would be alone: a token may see neither its own future, nor
# padding, nor another sentence. (The row of a padding token may be hidden wholly: nobody reads it.) The folded cell attends to a packed row with it and compares with each sentence by itself.
#
# <details><summary>Hint 1: Which two tokens belong together?</summary>
#
# Those with equal numbers. Compare the array with itself, once as a column and once as a row, as you may have done for the triangle.
#
# </details>
#
# <details><summary>Hint 2: Three conditions</summary>
#
# Hidden if the numbers differ, *or* the key is later, *or* the key's number is 0. Two of them you have already.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** 어텐션에는 둘 다 맞지 않습니다. 가려진 키의 가중치는 0이고 $0 \cdot \text{NaN}$은 NaN이므로, 완벽하게 인과적인 계층도 첫째 검사에
# > 걸립니다. 그리고 한 곳에서만 새는 계층은 그곳이 마지막 입력이 아니라면 둘째 검사를 통과합니다.
#
# ## ★ 한 행에 여러 문장 (선택, 점수 없음)
#
# *난이도 3/5, 30분쯤.*
#
# 패딩은 낭비입니다. 큰 모델은 한 행이 찰 때까지 문장 여러 개를 이어 붙여 학습합니다. 이것을 패킹(packing)이라고 합니다. 그럴 때는 ID와 함께 토큰마다 몇째 문장에 속하는지를
# 적은 배열을 씁니다. 끝에 남은 패딩은 0입니다.
#
# $$\begin{pmatrix} 1&1&1&2&2&0 \end{pmatrix}$$
#
# 행 안의 문장이 각각 혼자 있을 때와 똑같은 결과를 내게 하는 마스크를 작성하세요. 각 토큰은 자기 미래도, 패딩도, 다른 문장도 보아서는 안 됩니다. (패딩 토큰의 행은 모두 가려져도 괜찮습니다. 아무도 읽지 않습니다.)
# 접힌 셀은 이 마스크로 이어 붙인 행에 어텐션을 계산하고, 문장 하나하나를 따로 계산한 결과와 비교합니다.
#
# <details><summary>힌트 1: 어느 두 토큰이 한 문장에 속할까요?</summary>
#
# 번호가 같은 토큰들입니다. 배열을 한 번은 세로로, 한 번은 가로로 놓고 자기 자신과 비교하세요. 삼각형을 만들 때 이미 해 보았을 수도 있습니다.
#
# </details>
#
# <details><summary>힌트 2: 세 가지 조건</summary>
#
# 번호가 다르거나, 키가 더 뒤에 있거나, 키의 번호가 0이면 가립니다. 그 가운데 둘은 이미 만들었습니다.
#
# </details>


# %%
def _packed_mask(sentence_numbers):
    """
    Hide from each token the future, the padding and the other sentences of its row.
    # ko: 토큰마다 미래, 패딩, 그리고 같은 행의 다른 문장을 가립니다.

    Args:
    # ko: 인수:
        sentence_numbers: (batch, seq_len), integers: 1, 2, … for the sentences of a row, 0 for padding.
        # ko: sentence_numbers: (batch, seq_len), 정수. 한 행의 문장은 1, 2, …, 패딩은 0입니다.

    Returns:
    # ko: 반환값:
        Floats (batch, 1, seq_len, seq_len): 1.0 hides, 0.0 keeps.
        # ko: 실수 (batch, 1, seq_len, seq_len): 1.0은 가리고 0.0은 남깁니다.
    """
    raise NotImplementedError()  # your lines here
    # ko: raise NotImplementedError()  # 여기에 여러분의 코드를


# %% folded=true
@demonstrate
def _demo():
    numbers = np.array([[1, 1, 1, 2, 2, 0], [1, 2, 2, 2, 3, 3]])
    mask = _packed_mask(numbers)
    if mask is None or tuple(np.shape(mask)) != (2, 1, 6, 6):
        print("✗ the shape (batch, 1, seq_len, seq_len). What came back:", None if mask is None else tuple(np.shape(mask)))
        # ko: print("✗ 모양 (batch, 1, seq_len, seq_len). 돌려준 것:", None if mask is None else tuple(np.shape(mask)))
        return
    mask = to_numpy(mask)
    x = np.random.default_rng(9).normal(size=(2, 6, 4))

    def attend(x, hidden):
        exponentials = np.exp(x @ np.swapaxes(x, -1, -2) / 2) * (hidden < 1)
        return exponentials / np.maximum(exponentials.sum(axis=-1, keepdims=True), 1e-9) @ x

    packed, same = attend(x, mask[:, 0]), []
    for row, number in ((0, 1), (0, 2), (1, 1), (1, 2), (1, 3)):
        alone = x[row, numbers[row] == number]
        same.append(np.allclose(packed[row, numbers[row] == number], attend(alone, to_numpy(create_look_ahead_mask(len(alone)))), atol=1e-5))
    findings = {
        "the shape (batch, 1, seq_len, seq_len)": True,
        # ko: "모양 (batch, 1, seq_len, seq_len)": True,
        "floats, 0 and 1 only": mask.dtype.kind == "f" and set(np.unique(mask)) <= {0, 1},
        # ko: "0과 1만 있는 실수": mask.dtype.kind == "f" and set(np.unique(mask)) <= {0, 1},
        "the padding is hidden from all": (mask[0, 0, :, 5] >= 1).all(),
        # ko: "패딩은 누구에게나 가려진다": (mask[0, 0, :, 5] >= 1).all(),
        "each sentence is what it would be alone": all(same),
        # ko: "문장마다 혼자 있을 때와 결과가 같다": all(same),
    }
    for words, holds in findings.items():
        print("✓" if holds else "✗", words)
    _, ax = plt.subplots(figsize=(4.4, 4), layout="constrained")
    show_mask(mask[0, 0], ax, "a row with two sentences and padding")
    # ko: show_mask(mask[0, 0], ax, "문장 둘과 패딩이 있는 행 (packed)")
    plt.show()

# %% [markdown]
# ## What you have now
#
# - A padding mask hides columns, for every head and query; a look-ahead mask hides what is strictly above the diagonal; a
#   decoder needs *either*.
# - 1 hides here, `True` attends in Keras. A mask without its convention is half a mask.
# - A constant is not minus infinity: float16 and wholly hidden rows tell the difference.
# - Training curves don't show leaks. A test by perturbation does, if it looks everywhere.
#
# Keep `leaks_future` and `create_look_ahead_mask`. In notebook 05 you build the decoder block, which also takes a `memory`. The
# first thing to ask of it, with any `memory` of shape `(1, memory_len, d_model)`:
#
# ```python
# leaks_future(lambda x: block(x, memory, self_mask=create_look_ahead_mask(seq_len)), seq_len, d_model)
# ```
#
# **References.** Vaswani et al. 2017, *Attention Is All You Need*, section 3.2.3. Micikevicius et al. 2018, *Mixed Precision
# Training* (what float16 can hold). Ba, Kiros and Hinton 2016, *Layer Normalization* (why it is over the features, not over
# time).
#
# <!-- ko -->
# ## 지금까지 만든 것
#
# - 패딩 마스크는 모든 헤드와 모든 쿼리에서 열을 가립니다. 룩어헤드 마스크는 대각선보다 위쪽만 가립니다. 디코더에서는
#   *하나라도* 가리면 가려야 합니다.
# - 이 과정에서는 1이 가리고, 케라스에서는 `True`인 곳을 보아도 됩니다. 어느 규약인지 알 수 없는 마스크는 반쪽짜리 마스크입니다.
# - 상수는 마이너스 무한대가 아닙니다. float16과 모두 가려진 행에서 차이가 드러납니다.
# - 학습 곡선은 누수를 보여 주지 않습니다. 입력을 빠짐없이 바꾸어 보는 검사라면 보여 줍니다.
#
# `leaks_future`와 `create_look_ahead_mask`를 간직하세요. 5번 노트북에서 만들 디코더 블록(block)은 `memory`도 받습니다. 모양이
# `(1, memory_len, d_model)`인 `memory`를 하나 정해 두고 무엇보다 먼저 이렇게 검사하세요.
#
# ```python
# leaks_future(lambda x: block(x, memory, self_mask=create_look_ahead_mask(seq_len)), seq_len, d_model)
# ```
#
# **참고 문헌.** Vaswani et al. 2017, *Attention Is All You Need*, 3.2.3절. Micikevicius et al. 2018, *Mixed Precision
# Training*(float16이 담을 수 있는 수). Ba, Kiros and Hinton 2016, *Layer Normalization*(계층
# 정규화는 왜 시간이 아니라 특징에 대한 것인가).
