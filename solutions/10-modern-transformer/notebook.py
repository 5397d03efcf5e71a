# %% [markdown]
# # The modern Transformer: from the paper of 2017 to the models of today
#
# The models that people talk to today are the Transformer of 2017, and then again they aren't. The block is still attention and
# a feed-forward network, each with a residual connection. But nearly every *part* has been exchanged since, one paper at a time. You
# have built all parts of 2017 by hand. So you are one notebook away from the models of today:
#
# | part | 2017 | today | since | task |
# |---|---|---|---|---|
# | text to ids | pieces of words, begun from letters (Sennrich et al. 2016) | the same, begun from bytes | Radford et al. 2019 | 1, 2 |
# | positions | a table that is added to the embeddings | queries and keys are turned (RoPE) | Su et al. 2021 | 3 |
# | normalisation | LayerNorm | RMSNorm | Zhang and Sennrich 2019 | 4 |
# | feed-forward | ReLU | SwiGLU, a gate | Shazeer 2020 | 5 |
# | attention | every head has its own keys and values | heads share them in groups | Shazeer 2019, Ainslie et al. 2023 | 6 |
# | long texts | everything sees everything | a window, and sinks | Xiao et al. 2023 | 7 |
# | softmax | the whole matrix of scores | block by block | Milakov and Gimelshein 2018, Dao et al. 2022 | 8 |
#
# At the end the parts become a small model, which you train on a chapter of *Alice in Wonderland* and on Korean poems, and which you let
# speak. And you measure it against the parts of 2017: same number of parameters, same number of steps.
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `train_bpe`: learn a vocabulary from a text | 2 |
# | 2 | `bpe_encode`, `bpe_decode`: text to ids and back | 2 |
# | 3 | `rotary`: positions by turning | 4 |
# | 4 | `RMSNorm` | 1 |
# | 5 | `SwiGLU` | 2 |
# | 6 | `GroupedQueryAttention`: shared keys and values, with a cache | 4 |
# | 7 | `create_window_mask`: a window with attention sinks | 1 |
# | 8 | `streaming_attention`: softmax block by block | 4 |
#
# These 20 points are a **bonus**: they come on top of those of the other notebooks. Nothing has to be pasted from them.
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each one holds public checks that say in a sentence what
# is wrong. Points come from other inputs after you hand in, in steps. A mistake in one task does not cost you the points of a later
# one. NumPy, `keras.ops` and `tf.*` all count the same; but in tasks 3 to 6 use `keras.ops` (or `tf.*`): their parts are trained in
# the end, and no gradient passes through NumPy.
#
# <!-- ko -->
# # 오늘의 트랜스포머: 2017년의 논문에서 요즘 모델까지
#
# 요즘 사람들이 대화하는 모델은 2017년의 트랜스포머(Transformer)이기도 하고 아니기도 합니다. 블록(block)은 지금도 어텐션(attention)과
# 피드포워드 신경망(feed-forward network)이고 각각 잔차 연결(residual connection)이 있습니다. 그러나 그 뒤로 논문이 하나씩 나오면서
# *부품*은 거의 다 바뀌었습니다. 여러분은 2017년의 부품을 모두 손으로 만들었습니다. 이제 노트북 하나만 더 하면 요즘 모델에 이릅니다.
#
# | 부품 | 2017년 | 오늘 | 논문 | 과제 |
# |---|---|---|---|---|
# | 글을 ID로 | 글자에서 시작해 배운 단어 조각(Sennrich et al. 2016) | 바이트에서 시작해 배운 조각 | Radford et al. 2019 | 1, 2 |
# | 위치 | 임베딩(embedding)에 더하는 표 | 쿼리와 키를 돌린다(RoPE) | Su et al. 2021 | 3 |
# | 정규화 | LayerNorm | RMSNorm | Zhang and Sennrich 2019 | 4 |
# | 피드포워드 | ReLU | 게이트가 있는 SwiGLU | Shazeer 2020 | 5 |
# | 어텐션 | 헤드마다 키와 값이 따로 있다 | 여러 헤드가 키와 값을 함께 쓴다 | Shazeer 2019, Ainslie et al. 2023 | 6 |
# | 긴 글 | 모두가 모두를 본다 | 윈도와 싱크 | Xiao et al. 2023 | 7 |
# | 소프트맥스 | 점수 행렬 전체 | 블록 단위로 | Milakov and Gimelshein 2018, Dao et al. 2022 | 8 |
#
# 마지막에는 이 부품들로 작은 모델을 만듭니다. 『이상한 나라의 앨리스』 한 장(章)과 한국어 시로 학습(training)시키고 말을 시켜 봅니다. 그리고
# 2017년의 부품으로 만든 모델과 견줍니다. 파라미터(parameter) 수도, 학습 횟수도 같게 해서 잽니다.
#
# | 과제 | 작성할 것 | 배점 |
# |---|---|---|
# | 1 | `train_bpe`: 글에서 어휘(vocabulary) 배우기 | 2 |
# | 2 | `bpe_encode`, `bpe_decode`: 글을 ID로, ID를 글로 | 2 |
# | 3 | `rotary`: 돌려서 위치 나타내기 | 4 |
# | 4 | `RMSNorm` | 1 |
# | 5 | `SwiGLU` | 2 |
# | 6 | `GroupedQueryAttention`: 캐시가 있고 키와 값을 함께 쓰는 어텐션 | 4 |
# | 7 | `create_window_mask`: 어텐션 싱크가 있는 윈도 | 1 |
# | 8 | `streaming_attention`: 블록 단위로 계산하는 소프트맥스(softmax) | 4 |
#
# 이 20점은 **보너스**(bonus)입니다. 다른 노트북의 점수에 더해집니다. 다른 노트북에서 붙여 넣을 것은 없습니다.
#
# **진행 방법.** `# YOUR CODE HERE`라고 적힌 셀을 채우세요. 바로 아래 셀의 공개 검사가 무엇이 틀렸는지 문장으로 알려 줍니다. 점수는
# 제출한 뒤 다른 입력으로 단계별로 매깁니다. 한 과제에서 틀려도 뒤 과제의 점수는 깎이지 않습니다. NumPy, `keras.ops`, `tf.*` 모두 똑같이
# 인정하지만, 과제 3부터 6까지는 `keras.ops`(또는 `tf.*`)를 쓰세요. 그 부품들은 마지막에 학습시키는데, 기울기는 NumPy를 통과하지 못합니다.

# %% locked="setup" include="quiet_keras.py"
import re
import time
import warnings
from collections import Counter
from itertools import pairwise

import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops

# With a cache the first token sees one key, itself. Keras warns of a softmax over one number, which is right here.
# ko: # 캐시를 쓰면 첫 토큰은 자기 자신인 키 하나만 봅니다. 케라스는 수 하나에 대한 소프트맥스를 경고하지만 여기서는 맞는 계산입니다.
warnings.filterwarnings("ignore", message=".*softmax over axis")

np.set_printoptions(precision=4, suppress=True)
to_numpy = ops.convert_to_numpy
# While the notebook is graded or validated, its own training is left out.
# ko: # 채점하거나 검사(Validate)하는 동안에는 노트북 자체의 학습을 건너뜁니다.
BEING_GRADED = "NBGRADER_EXECUTION" in os.environ


def split_into_pieces(text):
    """Cut a text into words, each with at most one whitespace character in front, and runs of whitespace."""
    # ko: """글을 단어(앞에 공백 문자가 하나까지 붙음)와 이어진 공백으로 자릅니다."""
    return re.findall(r"\s?\S+|\s+", text)

# %% locked="checks" include="checks.py"

# %% [markdown]
# ## The text
#
# All of it is in the public domain, and all of it is in the next cell (folded; have a look): the first chapter of *Alice's Adventures in
# Wonderland* by Lewis Carroll (1865), and twelve Korean poems printed or written from 1920 to 1942, by Kim Sowol, Han Yongun, Yi Yuksa and Yun Dongju.
#
# <!-- ko -->
# ## 글
#
# 모두 저작권이 소멸한 글이고, 모두 다음 셀에 들어 있습니다(접혀 있으니 펼쳐 보세요). 루이스 캐럴의 『이상한 나라의 앨리스』(1865) 1장과,
# 김소월, 한용운, 이육사, 윤동주가 1920년부터 1942년까지 쓰거나 발표한 시 열두 편입니다.

# %% locked="texts" include="public_domain_texts.py"

# %% [markdown]
# ## Task 1: learn a vocabulary (2 points)
#
# *Difficulty 2 of 5, about 30 minutes.*
#
# What is a token? Words are too many: there is always one more that the model has never seen. Letters are too small: the
# sentences get long, and a letter means little. **Byte-pair encoding** (Sennrich et al. 2016, section 3.2, algorithm 1) lies between the
# two, and it learns where. Begin with the smallest pieces. Look for the two neighbours that stand together most often, make *one* new
# token of them, and start over.
#
# The paper begins with letters. GPT-2 begins with **bytes** (Radford et al. 2019, section 2.2), and so do Llama 3 and many others since:
# there are only 256, and UTF-8 writes every text of the world with them. So nothing is ever unknown. A Hangul syllable is three bytes, which soon
# are merged if the text holds Korean.
#
# No merge crosses from one word to the next. The given `split_into_pieces` cuts the text first: `"How do you do"` becomes `How`, `␣do`, `␣you`, `␣do`, with the
# space at the *front* of a word.
#
# **Example.** `"low low low lower lowest"`. The pieces are `low` once, `␣low` twice, `␣lower` and `␣lowest` once.
#
# | step | most frequent pairs | merged |
# |---|---|---|
# | 0 | `o w` 5 times, `l o` 5 times: a tie, the greater pair wins, and `o` > `l` | `ow` |
# | 1 | `l ow` 5 times | `low` |
# | 2 | `␣ low` 4 times | `␣low` |
# | 3 | `␣low e` 2 times | `␣lowe` |
#
# A pair is a tuple of `bytes`, such as `(b"l", b"ow")`. Python compares these as it does all tuples: first the left parts, then the right ones.
#
# <details><summary>Hint 1: What do you count?</summary>
#
# The same piece occurs many times. Count the pieces once (`Counter`), and let each pair of a piece count as often as its piece.
#
# </details>
#
# <details><summary>Hint 2: The best pair, and ties</summary>
#
# `max(counts, key=...)` can compare tuples: first the count, then the pair itself.
#
# </details>
#
# <details><summary>Hint 3: Merging from left to right</summary>
#
# Walk through the tokens with an index. If the token and the next one are the pair, append both as one and go on by two, else append one and go on by one. A
# function for this is of use in task 2 as well.
#
# </details>
#
# <!-- ko -->
# ## 과제 1: 어휘 배우기 (2점)
#
# *난이도 2/5, 30분쯤.*
#
# 토큰(token)이란 무엇일까요? 단어는 너무 많습니다. 모델이 한 번도 보지 못한 단어가 늘 하나 더 있습니다. 글자는 너무 작습니다. 문장이 길어지고,
# 글자 하나에는 뜻이 거의 없습니다. **바이트 쌍 부호화**(byte-pair encoding, BPE. Sennrich et al. 2016, 3.2절, 알고리즘 1)는 둘 사이에 있고,
# 어디에서 끊을지를 글에서 배웁니다. 가장 작은 조각에서 시작해서, 가장 자주 나란히 나오는 둘을 찾아 새 토큰 *하나*로 합치고, 처음부터 다시 합니다.
#
# 논문은 글자에서 시작하지만 GPT-2는 **바이트**(byte)에서 시작합니다(Radford et al. 2019, 2.2절). 그 뒤의 Llama 3와 다른 여러 모델도 그렇습니다. 바이트는
# 256가지뿐이고, UTF-8은 그것으로 세상의 모든 글을 적습니다. 그래서 모르는 것이 있을 수 없습니다. 한글 한 글자는 3바이트이지만, 글에 한국어가 있으면
# 금세 합쳐집니다.
#
# 단어에서 다음 단어로 넘어가는 병합(merge)은 없습니다. 주어진 `split_into_pieces`가 글을 먼저 자릅니다. `"How do you do"`는 `How`, `␣do`, `␣you`, `␣do`가
# 됩니다. 공백은 단어의 *앞*에 붙습니다.
#
# **예.** `"low low low lower lowest"`. 조각은 `low` 한 번, `␣low` 두 번, `␣lower`와 `␣lowest` 한 번씩입니다.
#
# | 단계 | 가장 자주 나오는 쌍 | 합친 것 |
# |---|---|---|
# | 0 | `o w` 5번, `l o` 5번. 동점이면 큰 쌍이 이기고, `o` > `l` | `ow` |
# | 1 | `l ow` 5번 | `low` |
# | 2 | `␣ low` 4번 | `␣low` |
# | 3 | `␣low e` 2번 | `␣lowe` |
#
# 쌍은 `(b"l", b"ow")` 같은 `bytes`의 튜플입니다. 파이썬은 다른 튜플처럼 왼쪽부터 비교하고, 같으면 오른쪽을 비교합니다.
#
# <details><summary>힌트 1: 무엇을 셀까요?</summary>
#
# 같은 조각이 여러 번 나옵니다. 조각을 한 번만 세어 두고(`Counter`), 조각에 든 쌍마다 그 조각의 횟수만큼 세세요.
#
# </details>
#
# <details><summary>힌트 2: 가장 좋은 쌍과 동점</summary>
#
# `max(counts, key=...)`는 튜플도 비교할 수 있습니다. 먼저 횟수, 그다음에 쌍 자체입니다.
#
# </details>
#
# <details><summary>힌트 3: 왼쪽에서 오른쪽으로 합치기</summary>
#
# 인덱스로 토큰을 따라가세요. 지금 토큰과 다음 토큰이 그 쌍이면 둘을 하나로 붙이고 두 칸, 아니면 하나만 붙이고 한 칸 나아갑니다. 이 일을 하는
# 함수는 과제 2에서도 쓸모가 있습니다.
#
# </details>


# %% task="bpe-train"
def train_bpe(text, num_merges):
    """
    Learn byte-pair merges from a text (Sennrich et al. 2016, section 3.2, over bytes instead of characters).
    # ko: 글에서 바이트 쌍 병합을 배웁니다(Sennrich et al. 2016, 3.2절. 다만 글자가 아니라 바이트로).

    The text is cut by `split_into_pieces`, and each piece is at first the list of its UTF-8 bytes. Then, again and again, the pair
    # ko: 글을 `split_into_pieces`로 자르고, 조각마다 UTF-8 바이트를 늘어놓는 것에서 시작합니다. 그런 다음 나란한 두 토큰의 쌍 가운데
    of neighbouring tokens that occurs most often becomes one token, everywhere. No pair reaches across the end of a piece.
    # ko: 가장 자주 나오는 쌍을 모든 곳에서 토큰 하나로 합치기를 되풀이합니다. 조각의 끝을 넘는 쌍은 없습니다.

    Args:
    # ko: 인수:
        text: any str; an empty one gives no merges.
        # ko: text: 어떤 str이든 됩니다. 비어 있으면 병합도 없습니다.
        num_merges: how many merges to learn, 0 or more.
        # ko: num_merges: 배울 병합의 수, 0 이상.

    Returns:
    # ko: 반환값:
        A list of pairs (left, right) of bytes, in the order in which they are learnt; fewer than num_merges if no
        # ko: 배운 차례대로 늘어놓은 bytes의 쌍 (left, right)의 리스트. 나란한 토큰이 더 남지 않으면 num_merges보다
        neighbours are left. A pair that occurs once counts like any other.
        # ko: 적습니다. 한 번만 나오는 쌍도 똑같이 셉니다.
            Counting: a pair occurs as often as a token has the other behind it, so (a, a) occurs twice in a a a; a piece
            # ko: 세기: 쌍은 두 토큰이 바로 이어서 오는 횟수만큼 나옵니다. 그래서 a a a에는 (a, a)가 두 번 나옵니다.
            that the text holds five times counts five times.
            # ko: 글에 다섯 번 나오는 조각은 다섯 번 셉니다.
            Ties: of equally frequent pairs the greater one, as Python compares tuples of bytes.
            # ko: 동점: 횟수가 같으면 파이썬이 bytes의 튜플을 비교할 때 더 큰 쌍.
            Merging: from left to right, so a a a becomes aa a.
            # ko: 합치기: 왼쪽에서 오른쪽으로. 그래서 a a a는 aa a가 됩니다.
    """
    ### BEGIN SOLUTION
    pieces = [
        ([bytes([byte]) for byte in piece.encode()], count) for piece, count in Counter(split_into_pieces(text)).items()
    ]
    merges = []
    while len(merges) < num_merges:
        counts = Counter()
        for tokens, count in pieces:
            for pair in pairwise(tokens):
                counts[pair] += count
        if not counts:
            break
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        pieces = [(merge_pair(tokens, best), count) for tokens, count in pieces]
    return merges


def merge_pair(tokens, pair):
    """Make one token of each pair in a list of tokens, from left to right."""
    merged = []
    for token in tokens:
        if merged and merged[-1] is not None and (merged[-1], token) == pair:
            merged[-1] = None  # closed: what follows can't be merged with it in this pass
        else:
            merged.append(token)
    joined = pair[0] + pair[1]
    return [joined if token is None else token for token in merged]
    ### END SOLUTION


# %% grade="bpe-train" points=2
@checking("train_bpe")
def _check(check):
    def same(answer, expected, what, hints=()):
        said = next((sentence for sentence, wrong in dict(hints).items() if answer == wrong), "")
        check.true(answer == expected, what, f"{what}{said and ': '}{said}\nyou gave {answer}\nexpected {expected}")
        # ko: check.true(answer == expected, what, f"{what}{said and ': '}{said}\n여러분의 값 {answer}\n올바른 값 {expected}")

    text = 3 * "low " + "lower lowest"
    answer = train_bpe(text, 4)
    check.true(isinstance(answer, list), "it returns a list", "it should return a list of pairs. Is the `return` missing?")
    # ko: check.true(isinstance(answer, list), "리스트를 돌려준다", "쌍의 리스트를 돌려주어야 합니다. `return`이 빠지지 않았나요?")
    check.true(
        all(isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(part, bytes) for part in pair) for pair in answer),
        "each merge is a tuple of two bytes objects",
        # ko: "병합마다 bytes 둘의 튜플이다",
        f"each merge should be a tuple of two bytes objects, such as (b'l', b'ow'). Yours begin with {answer[:1]}.",
        # ko: f"병합마다 (b'l', b'ow')처럼 bytes 둘의 튜플이어야 합니다. 여러분의 것은 {answer[:1]}(으)로 시작합니다.",
    )
    if any(0 in left + right for left, right in answer):
        check._fail("your merges hold zero bytes, and the text has none. `bytes(5)` is five zeros; the byte 5 is `bytes([5])`.")
        # ko: check._fail("병합에 0인 바이트가 들어 있는데, 글에는 없는 것입니다. `bytes(5)`는 0 다섯 개입니다. 바이트 5는 `bytes([5])`입니다.")
    same(
        answer,
        [(b"o", b"w"), (b"l", b"ow"), (b" ", b"low"), (b" low", b"e")],
        "the four merges of the example",
        # ko: "예에 나온 병합 넷",
        {
            "of equally frequent pairs the greater one comes first.": [(b"l", b"o"), (b"lo", b"w"), (b" ", b"low"), (b" low", b"e")],
            # ko: "횟수가 같으면 더 큰 쌍이 먼저입니다.": [(b"l", b"o"), (b"lo", b"w"), (b" ", b"low"), (b" low", b"e")],
            "the spaces in front of the words are lost: cut with split_into_pieces.": [(b"o", b"w"), (b"l", b"ow"), (b"low", b"e"), (b"s", b"t")],
            # ko: "단어 앞의 공백이 사라졌습니다. split_into_pieces로 자르세요.": [(b"o", b"w"), (b"l", b"ow"), (b"low", b"e"), (b"s", b"t")],
        },
    )
    same(train_bpe(text, 0), [], "none if none are asked for")
    # ko: same(train_bpe(text, 0), [], "0개를 요청하면 아무것도 배우지 않는다")
    same(train_bpe(text, 2), [(b"o", b"w"), (b"l", b"ow")], "no more than num_merges")
    # ko: same(train_bpe(text, 2), [(b"o", b"w"), (b"l", b"ow")], "num_merges개보다 많지 않다")
    same(
        train_bpe("a b a b a b", 10),
        [(b" ", b"b"), (b" ", b"a")],
        "no pair crosses from piece to piece, and two merges are all there are",
        # ko: "조각을 넘는 쌍은 없고, 병합은 둘뿐이다",
    )
    same(
        train_bpe(4 * "no " + "cat " + "cap can", 1),
        [(b"n", b"o")],
        "a piece counts as often as the text holds it",
        # ko: "조각은 글에 나오는 횟수만큼 센다",
        {"` no` occurs three times, and counts three times.": [(b"c", b"a")]},
        # ko: {"` no`는 세 번 나오므로 세 번 셉니다.": [(b"c", b"a")]},
    )
    same(train_bpe("ab", 5), [(b"a", b"b")], "a pair that occurs once counts like any other")
    # ko: same(train_bpe("ab", 5), [(b"a", b"b")], "한 번만 나오는 쌍도 똑같이 센다")
    same(
        train_bpe("baababb", 2),
        [(b"b", b"a"), (b"ba", b"b")],
        "a pair counts once for each place where it stands; ties: the left parts are compared first, then the right ones",
        # ko: "쌍은 나오는 자리마다 센다. 동점이면 왼쪽 부분부터, 같으면 오른쪽 부분을 비교한다",
        {
            "you compare the left parts alone: of (ba, a) and (ba, b) the second is greater.": [(b"b", b"a"), (b"ba", b"a")],
            # ko: "왼쪽 부분만 비교했습니다. (ba, a)와 (ba, b) 가운데 큰 것은 뒤의 것입니다.": [(b"b", b"a"), (b"ba", b"a")],
            "you compare the joined bytes. Compare the pairs as they are.": [(b"b", b"a"), (b"b", b"b")],
            # ko: "이어 붙인 바이트를 비교했습니다. 쌍 그대로 비교하세요.": [(b"b", b"a"), (b"b", b"b")],
            "you compare the right parts first.": [(b"a", b"b"), (b"ab", b"b")],
            # ko: "오른쪽 부분부터 비교했습니다.": [(b"a", b"b"), (b"ab", b"b")],
            "the pair is merged only where it first stands in a piece. Merge it everywhere.": [(b"b", b"a"), (b"a", b"b")],
            # ko: "쌍을 조각에서 처음 나오는 자리에서만 합쳤습니다. 모든 자리에서 합치세요.": [(b"b", b"a"), (b"a", b"b")],
        },
    )
    same(train_bpe("aaa bc", 1), [(b"a", b"a")], "(a, a) occurs twice in a a a")
    # ko: same(train_bpe("aaa bc", 1), [(b"a", b"a")], "a a a에는 (a, a)가 두 번 나온다")
    same(
        train_bpe("aaaaa", 9),
        [(b"a", b"a"), (b"aa", b"aa"), (b"aaaa", b"a")],
        "a a a a a becomes aa aa a: merging goes from left to right",
        # ko: "a a a a a는 aa aa a가 된다: 왼쪽에서 오른쪽으로 합친다",
    )
    same(
        train_bpe("가가", 3),
        [(b"\xea", b"\xb0"), (b"\xea\xb0", b"\x80"), ("가".encode(), "가".encode())],
        "a Hangul syllable is three bytes at first",
        # ko: "한글 한 글자는 처음에 3바이트다",
    )
    same(train_bpe("", 5), [], "an empty text has no merges")
    # ko: same(train_bpe("", 5), [], "빈 글에는 병합이 없다")
_check

# %% [markdown]
# Now learn from the chapter and the poems together. Below, the first merges in order (bytes that are no whole letter yet, as hexadecimal numbers), and how many bytes a token holds on average as the
# vocabulary grows. (It takes 5 to 15 seconds.)
#
# <!-- ko -->
# 이제 앨리스와 시를 합친 글에서 배워 봅시다. 처음 배운 병합을 차례대로 보이고(아직 온전한 글자가 아닌 바이트는 16진수로), 어휘가 커지면서 토큰 하나에 평균 몇 바이트가 들어가는지 그립니다.
# (5~15초 걸립니다.)

# %%
@demonstrate
def _demo():
    global _merges, _bytes_per_token
    _merges = train_bpe(ENGLISH_TEXT + KOREAN_TEXT, 40 if BEING_GRADED else 512)
    tokens = [left + right for left, right in _merges]
    shown = [token.hex(" ") if "\ufffd" in token.decode(errors="replace") else token.decode() for token in tokens]
    print("first merges:", " ".join(repr(token) for token in shown[:24]))
    # ko: print("처음 배운 병합:", " ".join(repr(token) for token in shown[:24]))
    longest = sorted(dict(zip(tokens, shown, strict=True)).items(), key=lambda item: len(item[0]), reverse=True)[:16]
    print("longest tokens:", " ".join(repr(words) for _, words in longest))
    # ko: print("가장 긴 토큰:", " ".join(repr(words) for _, words in longest))

    def _bytes_per_token(text, merges):
        """Count how many bytes a token holds on average after each number of merges, merging in place."""
        # ko: """병합을 하나씩 늘려 가며 토큰 하나에 평균 몇 바이트가 들어가는지 셉니다."""
        pieces = {tuple(bytes([byte]) for byte in piece.encode()): 0 for piece in split_into_pieces(text)}
        how_often = Counter(tuple(bytes([byte]) for byte in piece.encode()) for piece in split_into_pieces(text))
        now = {piece: list(piece) for piece in pieces}
        sizes = [1.0]
        for left, right in merges:
            for tokens in now.values():
                place = 0
                while place + 1 < len(tokens):
                    if tokens[place] == left and tokens[place + 1] == right:
                        tokens[place : place + 2] = [left + right]
                    place += 1
            count = sum(how_often[piece] * len(tokens) for piece, tokens in now.items())
            sizes.append(len(text.encode()) / count)
        return sizes

    figure, ax = plt.subplots(figsize=(7.5, 3.2), layout="constrained")
    for name, text, colour in (("Alice", ENGLISH_TEXT, "#3d4a5c"), ("poems", KOREAN_TEXT, "#c65d3b")):
    # ko: for name, text, colour in (("앨리스 (Alice)", ENGLISH_TEXT, "#3d4a5c"), ("시 (poems)", KOREAN_TEXT, "#c65d3b")):
        ax.plot(_bytes_per_token(text, _merges), color=colour, label=name)
    ax.set(xlabel="merges", ylabel="bytes in a token", ylim=(0.8, None))
    # ko: ax.set(xlabel="병합의 수 (merges)", ylabel="토큰의 바이트 수 (bytes)", ylim=(0.8, None))
    ax.legend()
    plt.show()

# %% [markdown]
# Among the first merges are bytes with which many syllables of Hangul begin (`20 eb`: a space and the first of three), beside pairs of English letters. Whole syllables, and words with the
# space in front, are put together from these.
#
# > **Does this hold?** *"Bytes treat all languages alike."* A vocabulary that was learnt from English alone, and one learnt from Korean
# > alone: how many tokens does each need for a line of the other language? Guess the factor before you run the cell. (It takes 10 to 30 seconds.)
#
# <!-- ko -->
# 처음 배운 병합에는 많은 한글 글자가 시작되는 바이트(`20 eb`는 공백과 세 바이트 가운데 첫 바이트)와 영어 글자의 쌍이 섞여 있습니다. 글자 하나, 그리고 앞에 공백이 붙은 단어는
# 이것들이 이어져 만들어집니다.
#
# > **정말 그럴까?** *"바이트로 하면 모든 언어가 똑같다."* 영어만으로 배운 어휘와 한국어만으로 배운 어휘가 있습니다. 저마다 다른 언어의 글을
# > 적는 데 토큰이 몇 개나 필요할까요? 셀을 실행하기 전에 몇 배일지 어림해 보세요. (10~30초 걸립니다.)

# %%
@demonstrate
def _demo():
    texts = {"Alice": ENGLISH_TEXT, "poems": KOREAN_TEXT}
    # ko: texts = {"앨리스": ENGLISH_TEXT, "시": KOREAN_TEXT}
    learnt_from = {"English alone": ENGLISH_TEXT, "Korean alone": KOREAN_TEXT, "both": ENGLISH_TEXT + KOREAN_TEXT}
    # ko: learnt_from = {"영어만으로": ENGLISH_TEXT, "한국어만으로": KOREAN_TEXT, "두 글로": ENGLISH_TEXT + KOREAN_TEXT}
    for name, source in learnt_from.items():
        merges = train_bpe(source, 20 if BEING_GRADED else 512)
        needed = {text: len(content.encode()) / _bytes_per_token(content, merges)[-1] / len(content) for text, content in texts.items()}
        print(f"learnt from {name:13s}", ", ".join(f"{text}: {tokens:.2f} tokens a character" for text, tokens in needed.items()))
        # ko: print(f"{name:5s} 배운 어휘:", ", ".join(f"{text}: 글자마다 토큰 {tokens:.2f}개" for text, tokens in needed.items()))

# %% [markdown]
# > **What is right.** No byte is unknown, so everything can be *written* alike. What it *costs* depends on what the vocabulary has seen: learnt
# > from the other language alone, either needs about three times as many tokens as with a vocabulary of its own. Nor are the bytes themselves alike:
# > an English letter is one and a syllable of Hangul three, so it is Korean that then needs 2.4 tokens a character. Longer sequences mean more
# > computation, a shorter memory, and a higher bill for whoever pays by the token.
#
# <!-- ko -->
# > **맞는 설명.** 모르는 바이트는 없으니 무엇이든 똑같이 *적을* 수는 있습니다. 그러나 *비용*은 어휘가 무엇을 보고 배웠는지에 따라 다릅니다. 다른 언어만 보고 배운
# > 어휘로는 어느 언어든 제 언어로 배운 어휘의 세 배쯤 되는 토큰이 필요합니다. 바이트부터가 똑같지 않습니다. 영어 글자는 하나, 한글 글자는 셋입니다. 그래서 이때
# > 글자마다 토큰이 2.4개나 드는 쪽은 한국어입니다. 시퀀스(sequence)가 길면 계산이 늘고, 기억할 수 있는 글이 짧아지고, 토큰 수로 요금을 내는 사람은 더 많이 냅니다.

# %% [markdown]
# ## Task 2: text to ids and back (2 points)
#
# *Difficulty 2 of 5, about 25 minutes.*
#
# Ids 0 to 255 are the bytes, 256 + *i* is what merge *i* makes. To encode a text, do to it what the training did: cut it into pieces, then
# apply the merges **in the order in which they were learnt**. To decode, put the bytes of all tokens side by side and read them as UTF-8.
#
# **Example.** `merges = [(b"o", b"w"), (b"l", b"ow"), (b" ", b"low"), (b"e", b"r")]` turns `"low lower"` into `[257, 258, 259]`: `low`, `␣low`, `er`.
#
# A model may say anything, also the first two of a syllable's three bytes. Decoding must not fail there: what is no UTF-8 is shown as `�`
# (U+FFFD, the replacement character).
#
# <details><summary>Hint 1: Do you have to try all merges?</summary>
#
# Only those that are there. Look at the pairs of neighbours in the piece, take the one that was learnt first, apply it everywhere, and look again, until
# none of the pairs is a merge.
#
# </details>
#
# <details><summary>Hint 2: How do you find out when a pair was learnt?</summary>
#
# A dictionary from pair to index. Another one leads from the bytes of a token to its id.
#
# </details>
#
# <details><summary>Hint 3: Bytes that are no UTF-8</summary>
#
# `bytes.decode` takes `errors="replace"`. Join the bytes of *all* tokens first, and decode once.
#
# </details>
#
# <!-- ko -->
# ## 과제 2: 글을 ID로, ID를 글로 (2점)
#
# *난이도 2/5, 25분쯤.*
#
# ID 0부터 255까지는 바이트이고, 256 + *i*는 병합 *i*가 만드는 토큰입니다. 글을 부호화(encode)하려면 배울 때 한 일을 그대로 합니다. 조각으로 자르고
# 병합을 **배운 차례대로** 적용합니다. 복호화(decode)하려면 모든 토큰의 바이트를 이어 붙이고 UTF-8로 읽습니다.
#
# **예.** `merges = [(b"o", b"w"), (b"l", b"ow"), (b" ", b"low"), (b"e", b"r")]`이면 `"low lower"`는 `[257, 258, 259]`, 곧 `low`, `␣low`, `er`이
# 됩니다.
#
# 모델은 무엇이든 말할 수 있습니다. 한 글자의 3바이트 가운데 앞의 둘만 말할 수도 있습니다. 그래도 복호화는 실패하면 안 됩니다. UTF-8이 아닌 것은
# `�`(U+FFFD, 대체 문자)로 보입니다.
#
# <details><summary>힌트 1: 모든 병합을 하나하나 해 보아야 할까요?</summary>
#
# 있는 것만 보면 됩니다. 조각에서 나란한 두 토큰의 쌍을 보고, 가장 먼저 배운 것을 골라 모든 곳에 적용하고, 다시 보세요. 병합인 쌍이 남지 않을 때까지
# 되풀이합니다.
#
# </details>
#
# <details><summary>힌트 2: 쌍을 언제 배웠는지 어떻게 알까요?</summary>
#
# 쌍에서 번호로 가는 딕셔너리를 만드세요. 토큰의 바이트에서 ID로 가는 것도 하나 있으면 됩니다.
#
# </details>
#
# <details><summary>힌트 3: UTF-8이 아닌 바이트</summary>
#
# `bytes.decode`에는 `errors="replace"`가 있습니다. *모든* 토큰의 바이트를 먼저 이어 붙이고 한 번에 복호화하세요.
#
# </details>


# %% task="bpe-encode"
def bpe_encode(text, merges):
    """
    Turn a text into token ids.
    # ko: 글을 토큰 ID로 바꿉니다.

    Args:
    # ko: 인수:
        text: any str that UTF-8 can hold; an empty one gives [].
        # ko: text: UTF-8로 나타낼 수 있는 어떤 str이든 됩니다. 비어 있으면 [].
        merges: what `train_bpe` returned, perhaps for another text. May be empty.
        # ko: merges: `train_bpe`가 돌려준 것. 다른 글에서 배운 것이어도 되고 비어 있어도 됩니다.

    Returns:
    # ko: 반환값:
        A list of ints. Ids 0 to 255 are the bytes, 256 + i is what merge i makes. The text is cut by `split_into_pieces`
        # ko: int의 리스트. ID 0부터 255까지는 바이트, 256 + i는 병합 i가 만드는 토큰입니다. 글은 여기서도 `split_into_pieces`로
        here too, and no token reaches across the end of a piece. In each piece merge 0 is applied first, everywhere and from
        # ko: 자르고, 조각의 끝을 넘는 토큰은 없습니다. 조각마다 병합 0을 모든 곳에서 왼쪽부터 적용하고,
        left to right, then merge 1, and so on: in the order in which they were learnt, not by length.
        # ko: 다음에 병합 1, 이런 식으로 배운 차례대로 적용합니다. 길이순이 아닙니다.
    """
    ### BEGIN SOLUTION
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    ids = {bytes([byte]): byte for byte in range(256)} | {left + right: 256 + i for i, (left, right) in enumerate(merges)}
    encoded = []
    for piece in split_into_pieces(text):
        tokens = [bytes([byte]) for byte in piece.encode()]
        while present := ranks.keys() & pairwise(tokens):
            pair = min(present, key=ranks.get)
            place = 0
            while place < len(tokens) - 1:
                if (tokens[place], tokens[place + 1]) == pair:
                    tokens[place : place + 2] = [pair[0] + pair[1]]
                place += 1
        encoded += [ids[token] for token in tokens]
    return encoded
    ### END SOLUTION


def bpe_decode(ids, merges):
    """
    Turn token ids back into text.
    # ko: 토큰 ID를 글로 되돌립니다.

    Args:
    # ko: 인수:
        ids: whole numbers from 0 to 255 + len(merges): a list, or a one-dimensional array. May be empty.
        # ko: ids: 0부터 255 + len(merges)까지의 정수. 리스트나 1차원 배열. 비어 있어도 됩니다.
        merges: the merges with which the text was encoded.
        # ko: merges: 글을 부호화할 때 쓴 병합.

    Returns:
    # ko: 반환값:
        A str. Bytes that are no UTF-8, such as half of a Hangul syllable, become U+FFFD, as bytes.decode with errors="replace" does.
        # ko: str. 한글 한 글자의 절반처럼 UTF-8이 아닌 바이트는 errors="replace"인 bytes.decode처럼 U+FFFD로 바꿉니다.
    """
    ### BEGIN SOLUTION
    tokens = [bytes([byte]) for byte in range(256)] + [left + right for left, right in merges]
    return b"".join(tokens[int(i)] for i in ids).decode(errors="replace")
    ### END SOLUTION


# %% grade="bpe-encode" points=2
@checking("bpe_encode")
def _check(check):
    def same(answer, expected, what, hints=()):
        answer = [int(i) for i in answer] if isinstance(answer, list) else answer
        said = next((sentence for sentence, wrong in dict(hints).items() if answer == wrong), "")
        check.true(answer == expected, what, f"{what}{said and ': '}{said}\nyou gave {answer!r}\nexpected {expected!r}")
        # ko: check.true(answer == expected, what, f"{what}{said and ': '}{said}\n여러분의 값 {answer!r}\n올바른 값 {expected!r}")

    merges = [(b"o", b"w"), (b"l", b"ow"), (b" ", b"low"), (b"e", b"r")]
    answer = bpe_encode("low lower", merges)
    is_list = isinstance(answer, list) and not any(isinstance(part, (bytes, str, list, tuple)) for part in answer)
    check.true(is_list, "bpe_encode returns a list of ids", f"bpe_encode should return a list of ints, and it returned {answer!r:.200}.")
    # ko: check.true(is_list, "bpe_encode는 ID의 리스트를 돌려준다", f"bpe_encode는 int의 리스트를 돌려주어야 하는데, 돌려준 것은 {answer!r:.200}입니다.")
    same(
        answer,
        [257, 258, 259],
        "the example",
        # ko: "예",
        {
            "the ids of the merges begin with 256, not 257.": [258, 259, 260],
            # ko: "병합의 ID는 257이 아니라 256부터입니다.": [258, 259, 260],
            "the space in front of `lower` is by itself: cut with split_into_pieces.": [257, 32, 257, 259],
            # ko: "`lower` 앞의 공백이 따로 떨어져 있습니다. split_into_pieces로 자르세요.": [257, 32, 257, 259],
            "the space in front of `lower` is lost: cut with split_into_pieces.": [257, 257, 259],
            # ko: "`lower` 앞의 공백이 사라졌습니다. split_into_pieces로 자르세요.": [257, 257, 259],
        },
    )
    same(
        bpe_encode("abc", [(b"b", b"c"), (b"a", b"b")]),
        [97, 256],
        "the merge that was learnt first is applied first",
        # ko: "먼저 배운 병합을 먼저 적용한다",
        {
            "`ab` stands further left, but `bc` was learnt first.": [257, 99],
            # ko: "`ab`가 더 왼쪽에 있지만 먼저 배운 것은 `bc`입니다.": [257, 99],
        },
    )
    for merged in ([(b"a", b"b"), (b"c", b"d"), (b"ab", b"c")], [(b"a", b"b"), (b"ab", b"c"), (b"c", b"d")]):
        answer, right = bpe_encode("abcd", merged), [256, 257] if merged[1] == (b"c", b"d") else [257, 100]
        made = ", ".join((left + right).decode() for left, right in merged)
        same(answer, right, f"merges that make {made} are applied in the order in which they were learnt, not by length")
        # ko: same(answer, right, f"차례로 {made}을(를) 만드는 병합은 배운 차례대로 적용한다. 길이순이 아니다")
    same(bpe_encode("aaaaa", [(b"a", b"a"), (b"aa", b"aa")]), [257, 97], "a merge is applied everywhere, from left to right")
    # ko: same(bpe_encode("aaaaa", [(b"a", b"a"), (b"aa", b"aa")]), [257, 97], "병합은 왼쪽부터 모든 곳에 적용한다")
    same(bpe_encode("a b", [(b"a", b" ")]), [97, 32, 98], "no token crosses from piece to piece")
    # ko: same(bpe_encode("a b", [(b"a", b" ")]), [97, 32, 98], "조각을 넘는 토큰은 없다")
    same(bpe_encode("", merges), [], "an empty text has no tokens")
    # ko: same(bpe_encode("", merges), [], "빈 글에는 토큰이 없다")
    answer = bpe_decode([257, 258, 259], merges)
    check.true(isinstance(answer, str), "bpe_decode returns a str", f"bpe_decode should return one str, and it returned {answer!r:.200}.")
    # ko: check.true(isinstance(answer, str), "bpe_decode는 str을 돌려준다", f"bpe_decode는 str 하나를 돌려주어야 하는데, 돌려준 것은 {answer!r:.200}입니다.")
    same(answer, "low lower", "decoding the example")
    # ko: same(answer, "low lower", "예를 복호화한다")
    same(bpe_decode(np.array([257, 258]), merges), "low low", "decoding an array")
    # ko: same(bpe_decode(np.array([257, 258]), merges), "low low", "배열을 복호화한다")
    same(
        bpe_decode([0xEA], []),
        "\ufffd",
        "a byte that is no UTF-8 by itself is U+FFFD",
        # ko: "혼자서는 UTF-8이 아닌 바이트는 U+FFFD다",
        {"a byte is `bytes([b])`, while `chr(b)` is a letter; and bytes are decoded as UTF-8.": "\xea"},
        # ko: {"바이트 하나는 `bytes([b])`입니다. `chr(b)`는 바이트가 아니라 글자입니다. 그리고 복호화는 UTF-8로 합니다.": "\xea"},
    )
    syllables = [(b"\xea", b"\xb0"), (b"\xea\xb0", b"\x80")]
    for text in (KOREAN_TEXT[:200], "naïve  \t\n 👩‍🔬 Ω", "가각간 가"):
        ids = bpe_encode(text, syllables + merges)
        one_by_one = "".join(bpe_decode([i], syllables + merges) for i in ids)
        same(
            bpe_decode(ids, syllables + merges),
            text,
            f"{text[:12]!r} … comes back",
            # ko: f"{text[:12]!r} …이(가) 그대로 돌아온다",
            {"a letter may be cut into tokens: join the bytes of all tokens first, then decode once.": one_by_one},
            # ko: {"글자 하나가 여러 토큰에 걸쳐 있을 수 있습니다. 모든 토큰의 바이트를 먼저 이어 붙이고 한 번에 복호화하세요.": one_by_one},
        )
    same(bpe_decode([256], syllables), "\ufffd", "two bytes of a syllable are U+FFFD")
    # ko: same(bpe_decode([256], syllables), "\ufffd", "한 글자의 앞 두 바이트는 U+FFFD다")
    same(bpe_decode([0xEA, 0xB0, 0x80], []), "가", "three tokens of one byte are a syllable")
    # ko: same(bpe_decode([0xEA, 0xB0, 0x80], []), "가", "바이트 하나짜리 토큰 셋이 한 글자가 된다")
_check

# %% [markdown]
# One line of each language, token by token. The colours change where a token ends; what is only a part of a syllable shows as `�`.
#
# <!-- ko -->
# 두 언어의 글을 한 줄씩 토큰으로 나누어 봅시다. 토큰이 끝나는 곳에서 색이 바뀝니다. 한 글자의 일부일 뿐인 것은 `�`로 보입니다.

# %%
@demonstrate
def _demo():
    start = ENGLISH_TEXT.index("for it flashed")
    lines = [ENGLISH_TEXT[start : start + 70], "별을 노래하는 마음으로 모든 죽어 가는 것을 사랑해야지"]
    lines = lines if HAS_HANGUL else lines[:1]
    figure, axes = plt.subplots(len(lines), 1, figsize=(11, 0.75 * len(lines)), layout="constrained", squeeze=False)
    for ax, line in zip(axes[:, 0], lines, strict=True):
        ids, left = bpe_encode(line, _merges), 0.0
        for number, token in enumerate(ids):
            shown = bpe_decode([token], _merges).replace(" ", "␣")
            width = max(1.0, sum(1.9 if ord(letter) > 0x1100 else 1.0 for letter in shown)) + 0.5
            ax.add_patch(plt.Rectangle((left, 0), width, 1, color=("#e3d3b8", "#c9d6c3", "#cfd6e3")[number % 3]))
            ax.text(left + width / 2, 0.45, shown, ha="center", va="center", fontsize=9)
            left += width
        ax.set(xlim=(0, max(left, 100)), ylim=(0, 1))
        ax.axis("off")
        print(f"{len(ids)} tokens, {len(line)} characters, {len(line.encode())} bytes: {line}")
        # ko: print(f"토큰 {len(ids)}개, 글자 {len(line)}개, {len(line.encode())}바이트: {line}")
    plt.show()

# %% [markdown]
# > **Does this hold?** *"The encoder takes, at each place, the longest token that fits."* It would be quicker, and other tokenizers do it. How many words
# > of the two texts would come out differently? And would they have more tokens, or fewer?
#
# <!-- ko -->
# > **정말 그럴까?** *"부호화는 자리마다 맞는 토큰 가운데 가장 긴 것을 고른다."* 그러면 더 빠를 것이고, 그렇게 하는 토크나이저(tokenizer)도 있습니다. 두 글의
# > 단어 가운데 몇 개나 다르게 나올까요? 그리고 토큰은 더 많아질까요, 적어질까요?

# %%
@demonstrate
def _demo():
    vocabulary = {bytes([byte]): byte for byte in range(256)} | {left + right: 256 + i for i, (left, right) in enumerate(_merges)}
    def longest_first(piece):
        """Cut a piece of bytes into the longest tokens that fit, from left to right."""
        # ko: """바이트 조각을 왼쪽부터 맞는 것 가운데 가장 긴 토큰으로 자릅니다."""
        ids, start = [], 0
        while start < len(piece):
            end = next(end for end in range(len(piece), start, -1) if piece[start:end] in vocabulary)
            ids.append(vocabulary[piece[start:end]])
            start = end
        return ids

    words = sorted({piece for text in (ENGLISH_TEXT, KOREAN_TEXT) for piece in split_into_pieces(text)})
    ours, theirs = ([encode(word) for word in words] for encode in (lambda word: bpe_encode(word, _merges), lambda word: longest_first(word.encode())))
    other = [i for i in range(len(words)) if ours[i] != theirs[i]]
    print(f"{len(other)} of {len(words)} different pieces come out differently;")
    # ko: print(f"서로 다른 조각 {len(words)}개 가운데 {len(other)}개가 다르게 나옵니다.")
    print(f"of these {sum(len(theirs[i]) < len(ours[i]) for i in other)} are shorter with the longest token, {sum(len(theirs[i]) > len(ours[i]) for i in other)} longer.")
    # ko: print(f"그 가운데 가장 긴 토큰을 고르면 짧아지는 것이 {sum(len(theirs[i]) < len(ours[i]) for i in other)}개, 길어지는 것이 {sum(len(theirs[i]) > len(ours[i]) for i in other)}개입니다.")
    for i in [i for i in other if words[i].isascii()][:4]:
        shown = [" ".join(repr(bpe_decode([token], _merges)) for token in ids) for ids in (ours[i], theirs[i])]
        print(f"   {shown[0]}   against   {shown[1]}")
        # ko: print(f"   {shown[0]}   대   {shown[1]}")

# %% [markdown]
# > **What is right.** Often the two agree, and not always; and neither is always the shorter one. It matters because a model has only ever seen the pieces of *its*
# > tokenizer. With another rule the text is the same and the ids are not: nothing fails, and the model reads spellings that it has never met.
#
# <!-- ko -->
# > **맞는 설명.** 둘은 대개 같지만 늘 그렇지는 않고, 어느 한쪽이 늘 짧지도 않습니다. 이것이 중요한 까닭은 모델이 *자기* 토크나이저가 자른 조각만 보고 배웠기
# > 때문입니다. 규칙이 다르면 글은 같아도 ID가 다릅니다. 아무 오류도 나지 않고, 모델은 한 번도 본 적이 없는 토큰의 나열을 읽게 됩니다.

# %% [markdown]
# ## Task 3: rotary positions (4 points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# In notebook 01 you found that moving along the sinusoidal table is a **rotation**: one matrix carries row $p$ to row $p + n$, the same for
# all $p$, and so the dot product of two rows depends on their offset alone. Then the table was *added* to the embeddings, and the
# property drowned in the sum: $(x + \text{PE}[p]) \cdot (y + \text{PE}[s])$ has four terms, and two of them depend on $p$ or on $s$ alone.
#
# Su et al. (2021, section 3.2.2, equations 14 to 16) keep the rotation and leave out the sum. Nothing is added to the embeddings. Instead, in
# *every* attention, queries and keys are **turned** by their positions: with $R_p$ the rotation by $p$ steps, for a query $q$ at position $p$ and a key $k$ at position $s$
#
# $$(R_p\, q) \cdot (R_s\, k) = q^\top R_p^\top R_s\, k = q^\top R_{s - p}\, k .$$
#
# The positions have cancelled, whatever the words are. That is the invariance of 01 again, this time for the whole score. Values aren't turned: what is
# fetched doesn't depend on where it was.
#
# ![Two hands of a clock, a query and a key, for two pairs of features. Moved to other positions both turn; as long as their offset is the same, so is the angle between them.](../_shared/diagrams/rotary.svg)
#
# (The picture's rates, 0.6 and 0.2, are chosen to be seen.)
#
# As in 01 the features go in pairs, and pair $i$ turns by $\omega_i = \text{base}^{-2i/\text{head\_dim}}$ radians a position, which is its **rate**; the fast pairs come first:
#
# $$\begin{pmatrix} a \\ b \end{pmatrix} \mapsto \begin{pmatrix} a \cos p\,\omega_i - b \sin p\,\omega_i \\ a \sin p\,\omega_i + b \cos p\,\omega_i \end{pmatrix}$$
#
# **Which two features are a pair?** There are two layouts, and both are in wide use:
#
# ```
#    interleaved (the paper, Meta's Llama)      halves (GPT-NeoX, Hugging Face's Llama)
#
#    feature   0  1  2  3  4  5                 feature   0  1  2  3  4  5
#    pair      0  0  1  1  2  2                 pair      0  1  2  0  1  2
#    part      a  b  a  b  a  b                 part      a  a  a  b  b  b
# ```
#
# On the left neighbours belong together, on the right feature $i$ of the first half and feature $i$ of the second.
#
# **Example.** `head_dim=4`, position 1, `x = [1.0, 0.0, 1.0, 0.0]`. The rates are 1 and 0.01. Interleaved: both pairs are $(1, 0)$, and
# the answer is `[cos 1, sin 1, cos 0.01, sin 0.01] = [0.5403, 0.8415, 0.99995, 0.01]`. In halves: pair 0 is $(1, 1)$, features 0 and 2, and the answer is
# `[cos 1 - sin 1, 0, cos 1 + sin 1, 0] = [-0.3012, 0, 1.3818, 0]`.
#
# | quantity | shape |
# |---|---|
# | `x` | `(..., seq_len, head_dim)` |
# | `positions` | `(seq_len,)` |
# | angles: position times rate | `(seq_len, head_dim // 2)` |
# | first parts $a$, second parts $b$ | `(..., seq_len, head_dim // 2)` each |
# | result | `(..., seq_len, head_dim)` |
#
# (`head_dim` is the number of features of one head, as in notebook 03. Numbers of type bfloat16 have 16 bits, of which only 8 are significant: above 256 not every whole number can be held, and 257 is rounded to 256.)
#
# Why positions as an argument? With a cache (task 6) the newest token comes alone, and stands at position 37.
#
# <details><summary>Hint 1: Do you need a matrix?</summary>
#
# No. Take all first parts as one array and all second parts as another; then the two lines of the formula are two lines of code.
#
# </details>
#
# <details><summary>Hint 2: How do I get the parts, and how do I put them back?</summary>
#
# Interleaved: slices with a step, `x[..., 0::2]`. Back: `stack` along a new last axis, then `reshape` to the old shape. Halves: slices, and `concatenate`.
#
# </details>
#
# <details><summary>Hint 3: Types</summary>
#
# Cast the positions to float32, take sine and cosine there, and cast these two to the type of `x`.
#
# </details>
#
# <!-- ko -->
# ## 과제 3: 회전 위치 인코딩 (RoPE) (4점)
#
# *난이도 3/5, 40분쯤.*
#
# 1번 노트북에서 사인과 코사인으로 된 표를 따라 움직이는 것이 **회전**임을 알아냈습니다. 모든 $p$에 대해 똑같은 행렬 하나가 $p$번 행을 $p + n$번 행으로 옮기고,
# 그래서 두 행의 내적은 거리(offset)만으로 정해집니다. 그런데 그 표를 임베딩에 *더하면서* 이 성질은 합 속에 묻혔습니다.
# $(x + \text{PE}[p]) \cdot (y + \text{PE}[s])$에는 항이 넷 있고, 그중 둘은 $p$나 $s$ 하나에만 달려 있습니다.
#
# Su et al.(2021, 3.2.2절, 식 14~16)은 회전을 남기고 합을 버립니다. 임베딩에는 아무것도 더하지 않습니다. 그 대신 *모든* 어텐션에서 쿼리(query)와 키(key)를
# 위치만큼 **돌립니다**. $R_p$가 $p$걸음의 회전이면, 위치 $p$의 쿼리 $q$와 위치 $s$의 키 $k$는
#
# $$(R_p\, q) \cdot (R_s\, k) = q^\top R_p^\top R_s\, k = q^\top R_{s - p}\, k$$
#
# 를 만족합니다. 단어가 무엇이든 위치는 사라지고 거리만 남습니다. 1번 노트북의 불변성이 이번에는 점수(score) 전체에서 성립합니다. 값(value)은 돌리지 않습니다. 가져오는 내용은
# 어디에 있었는지와 상관없기 때문입니다.
#
# ![특징 두 쌍의 쿼리와 키를 시계의 두 바늘로 그린 그림. 다른 위치로 옮기면 둘 다 돌지만, 둘의 거리가 같으면 바늘 사이의 각도도 같습니다.](../_shared/diagrams/rotary.svg)
#
# (그림의 변화율 0.6과 0.2는 눈에 보이도록 고른 값입니다.)
#
# 1번 노트북처럼 특징(feature)은 둘씩 짝을 이루고, 쌍 $i$는 위치 하나마다 $\omega_i = \text{base}^{-2i/\text{head\_dim}}$ 라디안씩 돕니다. 이것이 쌍의 **변화율**이고, 빠른 쌍이 먼저입니다.
#
# $$\begin{pmatrix} a \\ b \end{pmatrix} \mapsto \begin{pmatrix} a \cos p\,\omega_i - b \sin p\,\omega_i \\ a \sin p\,\omega_i + b \cos p\,\omega_i \end{pmatrix}$$
#
# **어느 두 특징이 한 쌍일까요?** 두 가지 방식이 있고 둘 다 널리 쓰입니다.
#
# ```
#    interleaved (논문, 메타의 Llama)           halves (GPT-NeoX, 허깅페이스의 Llama)
#
#    특징      0  1  2  3  4  5                 특징      0  1  2  3  4  5
#    쌍        0  0  1  1  2  2                 쌍        0  1  2  0  1  2
#    부분      a  b  a  b  a  b                 부분      a  a  a  b  b  b
# ```
#
# 왼쪽에서는 이웃끼리 짝이고, 오른쪽에서는 앞 절반의 특징 $i$와 뒤 절반의 특징 $i$가 짝입니다.
#
# **예.** `head_dim=4`, 위치 1, `x = [1.0, 0.0, 1.0, 0.0]`. 변화율은 1과 0.01입니다. interleaved에서는 두 쌍이 모두 $(1, 0)$이므로 답은
# `[cos 1, sin 1, cos 0.01, sin 0.01] = [0.5403, 0.8415, 0.99995, 0.01]`입니다. halves에서는 쌍 0이 특징 0과 2, 곧 $(1, 1)$이므로 답은
# `[cos 1 - sin 1, 0, cos 1 + sin 1, 0] = [-0.3012, 0, 1.3818, 0]`입니다.
#
# | 양 | 모양 |
# |---|---|
# | `x` | `(..., seq_len, head_dim)` |
# | `positions` | `(seq_len,)` |
# | 각도: 위치 곱하기 변화율 | `(seq_len, head_dim // 2)` |
# | 첫째 부분 $a$, 둘째 부분 $b$ | 각각 `(..., seq_len, head_dim // 2)` |
# | 결과 | `(..., seq_len, head_dim)` |
#
# (`head_dim`은 3번 노트북에서처럼 헤드 하나의 특징 수입니다. 자료형 bfloat16의 수는 16비트이지만 유효 숫자가 8비트뿐이어서 256을 넘으면 모든 정수를 나타내지는 못합니다. 257은 256으로 반올림됩니다.)
#
# 위치를 왜 인수로 받을까요? 캐시가 있으면(과제 6) 새 토큰이 하나만 들어오고, 그 위치는 37일 수도 있기 때문입니다.
#
# <details><summary>힌트 1: 행렬이 필요할까요?</summary>
#
# 아닙니다. 첫째 부분을 모두 모은 배열과 둘째 부분을 모두 모은 배열을 만들면 식의 두 줄이 코드 두 줄이 됩니다.
#
# </details>
#
# <details><summary>힌트 2: 부분을 어떻게 꺼내고 어떻게 되돌릴까요?</summary>
#
# interleaved: 간격이 있는 슬라이스 `x[..., 0::2]`. 되돌릴 때는 새 마지막 축으로 `stack`한 다음 원래 모양으로 `reshape`합니다. halves: 슬라이스와 `concatenate`.
#
# </details>
#
# <details><summary>힌트 3: 자료형</summary>
#
# 위치를 float32로 바꾸고, 거기서 사인과 코사인을 구한 뒤, 그 둘을 `x`의 자료형으로 바꾸세요.
#
# </details>


# %% task="rotary"
def rotary(x, positions, base=10000.0, interleaved=True):
    """
    Turn each pair of features by an angle that grows with the position (Su et al. 2021, section 3.2.2, equation 15).
    # ko: 특징의 쌍마다 위치에 비례하는 각도만큼 돌립니다(Su et al. 2021, 3.2.2절, 식 15).

    Pair i at position p is turned by p * base ** (-2 i / head_dim) radians, from the first feature of the pair (a) towards the
    # ko: 위치 p의 쌍 i를 p * base ** (-2 i / head_dim) 라디안만큼, 쌍의 첫째 특징(a)에서 둘째(b) 쪽으로 돌립니다.
    second (b): (a, b) becomes (a cos - b sin, a sin + b cos).
    # ko: 곧 (a, b)는 (a cos - b sin, a sin + b cos)가 됩니다.

    Args:
    # ko: 인수:
        x: (..., seq_len, head_dim), queries or keys, with any leading dimensions. Not changed.
        # ko: x: (..., seq_len, head_dim), 쿼리나 키. 앞쪽 차원은 몇 개든 됩니다. 바꾸지 않습니다.
        positions: (seq_len,), the position of each row: whole numbers, not always 0, 1, 2, …
        # ko: positions: (seq_len,), 행마다의 위치. 정수이고, 늘 0, 1, 2, …인 것은 아닙니다.
        base: the number whose powers the rates are, as in notebook 01.
        # ko: base: 1번 노트북에서처럼 변화율은 이 수의 거듭제곱입니다.
        interleaved: True: pair i is the features 2i and 2i + 1. False: i and i + head_dim / 2.
        # ko: interleaved: True이면 쌍 i는 특징 2i와 2i + 1, False이면 i와 i + head_dim / 2.

    Returns:
    # ko: 반환값:
        The shape and type of x; each feature stays at its place. The angles are computed in float32 or better, whatever
        # ko: 모양과 자료형이 x와 같습니다. 특징은 제자리에 있습니다. 각도는 x의 자료형과 상관없이 float32나 그보다 정밀하게
        the type of x (bfloat16 can't tell position 256 from 257).
        # ko: 계산합니다(bfloat16은 위치 256과 257을 구별하지 못합니다).

    Raises:
    # ko: 예외:
        ValueError: if head_dim is odd. Its text names `head_dim` and the value received.
        # ko: ValueError: head_dim이 홀수일 때. 오류 메시지에 `head_dim`과 받은 값을 적습니다.
    """
    ### BEGIN SOLUTION
    x = ops.convert_to_tensor(x)
    head_dim = x.shape[-1]
    if head_dim % 2 != 0:
        raise ValueError(f"head_dim must be even. Received: head_dim={head_dim}. Choose another number of heads.")
    rates = ops.convert_to_tensor(base ** (-np.arange(0, head_dim, 2) / head_dim), dtype="float32")
    angles = ops.cast(positions, "float32")[:, None] * rates  # (seq_len, head_dim // 2)
    cos, sin = ops.cast(ops.cos(angles), x.dtype), ops.cast(ops.sin(angles), x.dtype)
    a, b = (x[..., 0::2], x[..., 1::2]) if interleaved else (x[..., : head_dim // 2], x[..., head_dim // 2 :])
    a, b = a * cos - b * sin, a * sin + b * cos
    return ops.reshape(ops.stack([a, b], axis=-1), ops.shape(x)) if interleaved else ops.concatenate([a, b], axis=-1)
    ### END SOLUTION


# %% grade="rotary" points=4
@checking("rotary")
def _check(check):
    def turned(x, positions, base=10000.0, interleaved=True, sign=1):
        half = x.shape[-1] // 2
        first, second = (range(0, 2 * half, 2), range(1, 2 * half, 2)) if interleaved else (range(half), range(half, 2 * half))
        result = np.array(x, dtype=float)
        for i, (a, b) in enumerate(zip(first, second, strict=True)):
            angle = sign * np.asarray(positions) * base ** (-2 * i / x.shape[-1])
            result[..., a] = x[..., a] * np.cos(angle) - x[..., b] * np.sin(angle)
            result[..., b] = x[..., a] * np.sin(angle) + x[..., b] * np.cos(angle)
        return result

    x = np.random.default_rng(0).normal(size=(2, 3, 5, 6))
    before = x.copy()
    check.shape(rotary(x, np.arange(5)), (2, 3, 5, 6), "(..., seq_len, head_dim)")
    check.true((x == before).all(), "x stays as it was", "it changed the array that it was given: work on a copy.")
    # ko: check.true((x == before).all(), "x가 그대로다", "받은 배열을 바꾸었습니다. 복사해서 쓰세요.")
    check.shape(rotary(x[0, 0], np.arange(5)), (5, 6), "(seq_len, head_dim), without leading dimensions")
    # ko: check.shape(rotary(x[0, 0], np.arange(5)), (5, 6), "앞쪽 차원이 없는 (seq_len, head_dim)")
    check.close(
        rotary(x, np.zeros(5, int)),
        x,
        "position 0 turns nothing",
        # ko: "위치 0은 아무것도 돌리지 않는다",
        hints={
            "`positions` isn't used: rows count from 0.": turned(x, np.arange(5)),
            # ko: "`positions`를 쓰지 않고 행을 0부터 셉니다.": turned(x, np.arange(5)),
            "sine and cosine have changed places: the cosine of 0 is 1.": np.stack([-x[..., 1::2], x[..., 0::2]], -1).reshape(x.shape),
            # ko: "사인과 코사인이 서로 바뀌었습니다. 0의 코사인은 1입니다.": np.stack([-x[..., 1::2], x[..., 0::2]], -1).reshape(x.shape),
            "the features are all there, but not at their places: first and second parts should alternate again.": x[..., [0, 2, 4, 1, 3, 5]],
            # ko: "특징이 다 있지만 제자리가 아닙니다. 첫째와 둘째 부분이 다시 번갈아 놓여야 합니다.": x[..., [0, 2, 4, 1, 3, 5]],
        },
    )
    check.close(
        rotary(np.array([[1.0, 0, 1, 0]]), np.array([1])),
        [[0.54030231, 0.84147098, 0.99995, 0.00999983]],
        "the example, interleaved",
        # ko: "예, interleaved",
        hints={
            "the pairs turn the other way: a becomes a cos - b sin.": [[0.54030231, -0.84147098, 0.99995, -0.00999983]],
            # ko: "쌍이 반대쪽으로 돕니다. a는 a cos - b sin이 됩니다.": [[0.54030231, -0.84147098, 0.99995, -0.00999983]],
            "the exponent is i / head_dim. A pair is two features wide: where is the 2?": [[0.54030231, 0.84147098, 0.99500417, 0.09983342]],
            # ko: "지수가 i / head_dim입니다. 한 쌍은 특징 둘입니다. 2는 어디에 있나요?": [[0.54030231, 0.84147098, 0.99500417, 0.09983342]],
            "pairs further on turn faster, and should turn more slowly: is the minus in the exponent missing?": [[0.54030231, 0.84147098, np.cos(100), np.sin(100)]],
            # ko: "뒤에 있는 쌍일수록 천천히 돌아야 하는데 빨리 돕니다. 지수에 음의 부호가 빠지지 않았나요?": [[0.54030231, 0.84147098, np.cos(100), np.sin(100)]],
            "all pairs turn by the same angle: where are the rates?": [[0.54030231, 0.84147098, 0.54030231, 0.84147098]],
            # ko: "모든 쌍이 같은 각도만큼 돕니다. 변화율은 어디에 있나요?": [[0.54030231, 0.84147098, 0.54030231, 0.84147098]],
            "b is computed from the new a: keep the old one until both are done.": [[0.54030231, 0.45464871, 0.99995, 0.00999933]],
            # ko: "b를 새 a로 계산했습니다. 둘 다 구할 때까지 옛 a를 남겨 두세요.": [[0.54030231, 0.45464871, 0.99995, 0.00999933]],
            "that is the layout in halves.": [[-0.30116868, 0, 1.38177329, 0]],
            # ko: "그것은 halves 방식입니다.": [[-0.30116868, 0, 1.38177329, 0]],
        },
    )
    check.close(
        rotary(np.array([[3.0, 4.0]]), np.array([1])),
        [[3 * np.cos(1) - 4 * np.sin(1), 3 * np.sin(1) + 4 * np.cos(1)]],
        "the pair (3, 4) at position 1",
        # ko: "위치 1의 쌍 (3, 4)",
        otherwise="Compare a and b with the formula: which of its two lines has a minus?",
        # ko: otherwise="a와 b를 식과 견주어 보세요. 식의 두 줄 가운데 빼는 줄은 어느 쪽인가요?",
    )
    positions = np.array([0, 1, 2, 3, 4])
    check.close(
        rotary(x, positions),
        turned(x, positions),
        "five positions, interleaved",
        # ko: "위치 다섯, interleaved",
    )
    positions = np.array([7, 3, 3, 40, 0])
    check.close(
        rotary(x, positions),
        turned(x, positions),
        "positions 7, 3, 3, 40, 0",
        # ko: "위치 7, 3, 3, 40, 0",
    )
    check.close(
        rotary(x, positions, base=100.0),
        turned(x, positions, base=100.0),
        "base 100",
        hints={
            "10000 is used whatever `base` is.": turned(x, positions),
            # ko: "`base`와 상관없이 10000을 쓰고 있습니다.": turned(x, positions),
        },
    )
    check.close(
        rotary(x, positions, interleaved=False),
        turned(x, positions, interleaved=False),
        "the layout in halves",
        # ko: "halves 방식",
        hints={
            "`interleaved=False` changes nothing.": turned(x, positions),
            # ko: "`interleaved=False`이어도 그대로입니다.": turned(x, positions),
            "the pairs turn the other way.": turned(x, positions, interleaved=False, sign=-1),
            # ko: "쌍이 반대쪽으로 돕니다.": turned(x, positions, interleaved=False, sign=-1),
            "the features are those of the halves, but they alternate: put the first parts in front, the second parts behind.": turned(
            # ko: "특징은 halves의 것인데 번갈아 놓였습니다. 첫째 부분을 앞에, 둘째 부분을 뒤에 두세요.": turned(
                x, positions, interleaved=False
            )[..., [0, 3, 1, 4, 2, 5]],
        },
    )
    half = ops.cast(np.ones((1, 4)), "bfloat16")
    far = rotary(half, np.array([257]))
    dtype = keras.backend.standardize_dtype(far.dtype)
    check.true(dtype == "bfloat16", "bfloat16 in, bfloat16 out", f"bfloat16 goes in, and {dtype} comes out.")
    # ko: check.true(dtype == "bfloat16", "bfloat16을 넣으면 bfloat16이 나온다", f"bfloat16을 넣었는데 {dtype}이(가) 나옵니다.")
    check.close(
        ops.cast(far, "float32"),
        turned(np.ones((1, 4)), np.array([257])),
        "position 257 in bfloat16",
        # ko: "bfloat16에서 위치 257",
        hints={
            "the angle is computed in bfloat16, which takes 257 for 256. Use float32 for the angles.": turned(np.ones((1, 4)), np.array([256])),
            # ko: "각도를 bfloat16으로 계산해서 257이 256이 되었습니다. 각도는 float32로 계산하세요.": turned(np.ones((1, 4)), np.array([256])),
        },
        tolerance=0.02,
    )
    check.raises_value_error(rotary, np.ones((2, 5)), np.arange(2), naming=("head_dim", 5))
    try:
        by_tensor = to_numpy(rotary(x.astype("float32"), ops.arange(5)))
        turns_right = np.allclose(by_tensor, turned(x, np.arange(5)), atol=1e-4)
    except Exception:
        turns_right = False
    dtype = keras.backend.standardize_dtype(rotary(x.astype("float32"), np.arange(5)).dtype)
    if dtype != "float32":
        check.note(f"float32 goes in, and {dtype} comes out. The text promises the type of x.")
        # ko: check.note(f"float32를 넣었는데 {dtype}이(가) 나옵니다. 설명에는 x와 자료형이 같다고 적혀 있습니다.")
    if not turns_right:
        check.note("positions that are a tensor of whole numbers don't turn as they should: cast `positions` to float32 before the rates meet them.")
        # ko: check.note("위치가 정수 텐서이면 제대로 돌지 않습니다. 변화율과 곱하기 전에 `positions`를 float32로 바꾸세요.")
    check.compiles(lambda x: rotary(x, np.arange(5)), x.astype("float32"), required=False)
_check

# %% [markdown]
# One query and one key, the same two vectors wherever they stand. Left: the score for every pair of positions, as 01's table *added* to them gives
# it. Right: with your rotation. Along a diagonal the offset is the same.
#
# <!-- ko -->
# 쿼리 하나와 키 하나를 어디에 두든 같은 두 벡터라고 합시다. 왼쪽은 1번 노트북의 표를 *더했을* 때 모든 위치의 쌍에 대한 점수, 오른쪽은 여러분의
# 회전을 썼을 때의 점수입니다. 같은 대각선을 따라가면 거리가 같습니다.

# %%
@demonstrate
def _demo():
    rng = np.random.default_rng(3)
    query, key = rng.normal(size=(2, 32))
    positions = np.arange(40)
    turned_query = to_numpy(rotary(np.tile(query, (40, 1)), positions))
    turned_key = to_numpy(rotary(np.tile(key, (40, 1)), positions))
    angles = np.outer(positions, 10000.0 ** (-np.arange(16) / 16))
    table = np.hstack([np.sin(angles), np.cos(angles)])
    scores = {"table added": (query + table) @ (key + table).T, "turned": turned_query @ turned_key.T}
    # ko: scores = {"표를 더함 (added)": (query + table) @ (key + table).T, "돌림 (turned)": turned_query @ turned_key.T}
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for ax, (name, values) in zip(axes, scores.items(), strict=True):
        image = ax.imshow(values, cmap="RdBu_r")
        figure.colorbar(image, ax=ax, label="score")
        # ko: figure.colorbar(image, ax=ax, label="점수 (score)")
        spread = max(np.ptp(np.diagonal(values, offset)) for offset in range(-30, 31))
        ax.set(title=name, xlabel="key's position", ylabel="query's position")
        # ko: ax.set(title=name, xlabel="키의 위치 (key)", ylabel="쿼리의 위치 (query)")
        print(f"{name}: at one offset the scores differ by up to {spread:.2g}")
        # ko: print(f"{name}: 거리가 같을 때 점수의 차이는 최대 {spread:.2g}")
    plt.show()

# %% [markdown]
# > **Does this hold?** *"The two layouts are the same up to a permutation, so it doesn't matter which one I use."* Suppose a model was trained with one layout, and its
# > weights are loaded into code with the other. What do you expect: an error, a score that no longer depends on the offset alone, or something worse?
#
# <!-- ko -->
# > **정말 그럴까?** *"두 방식은 특징의 순서만 다를 뿐이니 어느 것을 써도 된다."* 한 방식으로 학습한 모델의 가중치를 다른 방식을 쓰는 코드에 불러왔다고 합시다. 무슨 일이
# > 일어날까요? 오류가 날까요, 점수가 거리만으로 정해지지 않게 될까요, 아니면 더 나쁜 일이 생길까요?

# %%
@demonstrate
def _demo():
    rng = np.random.default_rng(4)
    queries, keys = rng.normal(size=(2, 30, 16))
    positions = np.arange(30)

    def scores_of(queries, keys, positions, layout):
        turned = (to_numpy(rotary(x, positions, interleaved=layout)) for x in (queries, keys))
        return np.matmul(*(x if i == 0 else x.T for i, x in enumerate(turned)))

    trained, mixed = (scores_of(queries, keys, positions, layout) for layout in (True, False))
    moved = scores_of(queries, keys, positions + 100, False)
    order = np.concatenate([np.arange(0, 16, 2), np.arange(1, 16, 2)])
    mended = scores_of(queries[:, order], keys[:, order], positions, False)
    print("the same shape:", trained.shape == mixed.shape)
    # ko: print("모양이 같은가:", trained.shape == mixed.shape)
    print("all positions moved by 100, scores still the same:", np.allclose(mixed, moved, atol=1e-2))
    # ko: print("위치를 모두 100만큼 옮겨도 점수가 그대로인가:", np.allclose(mixed, moved, atol=1e-2))
    print("scores as they were trained:", np.allclose(trained, mixed, atol=1e-2))
    # ko: print("학습했을 때의 점수인가:", np.allclose(trained, mixed, atol=1e-2))
    print("after the features of queries and keys are put in the other order:", np.allclose(trained, mended, atol=1e-2))
    # ko: print("쿼리와 키의 특징을 다른 순서로 놓으면:", np.allclose(trained, mended, atol=1e-2))
    print("difference of the scores by distance:")
    # ko: print("거리에 따른 점수의 차이:")
    for distance in (0, 1, 2, 5, 20):
        print(f"   {distance:2d}: {np.abs(np.diagonal(trained - mixed, -distance)).mean():.2f}")

# %% [markdown]
# > **What is right.** Something worse: nothing. The shapes fit, the scores still depend on the offset alone, a token's score with itself is even right, and the error grows with the
# > distance. The model talks, only worse, and the more so the further it has to look. No test of shapes finds that. Trained from scratch either layout is as good
# > as the other, and the same reordering of the columns of `query` and `key` kernels turns one into the other. That is what conversion
# > scripts do.
#
# <!-- ko -->
# > **맞는 설명.** 더 나쁜 일이 생깁니다. 겉으로는 아무 일도 일어나지 않는 것입니다. 모양이 맞고, 점수는 여전히 거리만으로 정해지고, 자기 자신과의 점수는 심지어 정확하고, 멀어질수록 어긋납니다.
# > 모델은 말은 하지만 조금 서툴고, 멀리 볼수록 더 서툽니다. 모양만 살펴서는 결코 찾을 수 없습니다. 처음부터 학습한다면 어느 방식이든
# > 똑같이 좋고, `query`와 `key` 커널(kernel)의 열을 같은 순서로 다시 놓으면 서로 바꿀 수 있습니다. 변환 스크립트가 하는 일이 그것입니다.

# %% [markdown]
# ## Task 4: RMSNorm (1 point)
#
# *Difficulty 1 of 5, about 15 minutes.*
#
# LayerNorm does two things to a vector: it takes off the mean, and it divides by the standard deviation. Zhang and Sennrich (2019) asked which of the two matters,
# left out the first, and lost nothing. RMSNorm (their equation 4) divides by the **root mean square**, and that is all:
#
# $$y = \frac{x}{\sqrt{\tfrac{1}{d}\sum_j x_j^2 + \epsilon}} \odot \text{scale}$$
#
# One pass over the data instead of two, no bias, and half as many weights.
#
# **Example.** `x = [3, 4]`: the mean square is 12.5, its root 3.5355, and the answer is `[0.8485, 1.1314]` while the scale is 1.
#
# Numbers of 16 bits are used for speed, and here they are a trap: in float16 the largest number is 65504, so the square of 300 is infinite, and the answer is 0. That is
# why the layer computes in float32 *whatever comes in* and goes back at the end.
#
# `get_config`, here and in the next two tasks, returns the constructor's arguments on top of what `super().get_config()` gives.
#
# <details><summary>Hint 1: Where does the weight come from?</summary>
#
# `self.add_weight(...)` in `build`: there the last entry of `input_shape` says how wide it is.
#
# </details>
#
# <details><summary>Hint 2: Types</summary>
#
# `ops.cast(inputs, "float32")` first, `ops.cast(result, inputs.dtype)` last.
#
# </details>
#
# <!-- ko -->
# ## 과제 4: RMSNorm (1점)
#
# *난이도 1/5, 15분쯤.*
#
# LayerNorm은 벡터에 두 가지 일을 합니다. 평균을 빼고 표준편차로 나눕니다. Zhang and Sennrich(2019)는 둘 가운데 무엇이 중요한지 묻고, 첫째를 뺐더니 잃는 것이
# 없었습니다. RMSNorm(논문의 식 4)은 **제곱평균제곱근**(root mean square)으로 나누기만 합니다.
#
# $$y = \frac{x}{\sqrt{\tfrac{1}{d}\sum_j x_j^2 + \epsilon}} \odot \text{scale}$$
#
# 데이터를 두 번이 아니라 한 번만 훑고, 편향(bias)이 없고, 가중치가 절반입니다.
#
# **예.** `x = [3, 4]`. 제곱평균은 12.5, 그 제곱근은 3.5355이고, scale이 1이면 답은 `[0.8485, 1.1314]`입니다.
#
# 빠르게 하려고 16비트 수를 쓰는데, 여기에는 함정이 있습니다. float16에서 가장 큰 수는 65504이므로 300의 제곱은 무한대가 되고 답은 0이 됩니다. 그래서 이
# 계층(layer)은 *무엇이 들어오든* float32로 계산하고 끝에서 되돌립니다.
#
# `get_config`는 여기서도 다음 두 과제에서도 `super().get_config()`가 주는 것에 생성자의 인수를 더해 돌려줍니다.
#
# <details><summary>힌트 1: 가중치는 어디서 만들까요?</summary>
#
# `build`에서 `self.add_weight(...)`로 만듭니다. 너비는 `input_shape`의 마지막 수입니다.
#
# </details>
#
# <details><summary>힌트 2: 자료형</summary>
#
# 처음에 `ops.cast(inputs, "float32")`, 끝에 `ops.cast(result, inputs.dtype)`.
#
# </details>


# %% task="rms-norm"
class RMSNorm(keras.layers.Layer):
    """
    Divide each vector by its root mean square, then scale each feature (Zhang and Sennrich 2019, equation 4).
    # ko: 벡터마다 제곱평균제곱근으로 나누고 특징마다 크기를 조절합니다(Zhang and Sennrich 2019, 식 4).

    The output is x / sqrt(mean(x ** 2) + epsilon) * scale, with the mean over the last axis. There is no mean taken off and no bias.
    # ko: 출력은 x / sqrt(mean(x ** 2) + epsilon) * scale이고, 평균은 마지막 축을 따라 구합니다. 평균을 빼지 않고 편향도 없습니다.

    Args:
    # ko: 인수:
        epsilon: added to the mean square, inside of the root.
        # ko: epsilon: 제곱평균에, 제곱근 안에서 더하는 수.

    Attributes:
    # ko: 속성:
        scale: the only weight, trainable, (dim,), 1 everywhere at first.
        # ko: scale: 하나뿐인 가중치. 학습되고 모양은 (dim,), 처음에는 모두 1.

    Call arguments:
    # ko: 호출 인수:
        inputs: (..., dim).

    Returns:
    # ko: 반환값:
        (..., dim), in the type in which `call` gets its inputs. Everything is computed in float32, and cast at the end: in float16 the
        # ko: (..., dim), `call`이 받은 입력의 자료형. 계산은 모두 float32로 하고 끝에서 바꿉니다. float16에서는
        square of 300 is infinite already.
        # ko: 300의 제곱만 해도 무한대입니다.
    """

    def __init__(self, epsilon=1e-6, **kwargs):
        super().__init__(**kwargs)
        self.epsilon = epsilon

    def build(self, input_shape):
        ### BEGIN SOLUTION
        self.scale = self.add_weight(name="scale", shape=(input_shape[-1],), initializer="ones")
        ### END SOLUTION

    def call(self, inputs):
        ### BEGIN SOLUTION
        x = ops.cast(inputs, "float32")
        root = ops.sqrt(ops.mean(ops.square(x), axis=-1, keepdims=True) + self.epsilon)
        return ops.cast(x / root * ops.cast(self.scale, "float32"), inputs.dtype)
        ### END SOLUTION

    def get_config(self):
        ### BEGIN SOLUTION
        return {**super().get_config(), "epsilon": self.epsilon}
        ### END SOLUTION


# %% grade="rms-norm" points=1
@checking("RMSNorm")
def _check(check):
    x = np.array([[[3.0, 4.0], [-1.0, 7.0], [0.0, 0.0]]], "float32")
    rms = np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6)
    layer = RMSNorm()
    check.shape(layer(x), (1, 3, 2), "(..., dim)")
    centred = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-6)
    begins_at_1 = all(np.allclose(_as_array(weight), 1) for weight in layer.weights)
    check.close(
        layer(x),
        x / rms,
        "the example, another vector, and zeros",
        # ko: "예, 다른 벡터, 그리고 0",
        hints={
            "that is LayerNorm. RMSNorm takes no mean off.": centred,
            # ko: "그것은 LayerNorm입니다. 평균을 빼지 않습니다.": centred,
            "you divide by the length of the vector: it is the root of the *mean* of the squares.": x / np.sqrt((x**2).sum(-1, keepdims=True) + 1e-6),
            # ko: "벡터의 길이로 나누었습니다. 제곱의 *평균*의 제곱근입니다.": x / np.sqrt((x**2).sum(-1, keepdims=True) + 1e-6),
            "the squares of all vectors are averaged together: the mean is over the last axis.": x / np.sqrt((x**2).mean() + 1e-6),
            # ko: "모든 벡터의 제곱을 한꺼번에 평균했습니다. 평균은 마지막 축을 따라 구합니다.": x / np.sqrt((x**2).mean() + 1e-6),
            "you divide by the mean square: the root is missing.": x / ((x**2).mean(-1, keepdims=True) + 1e-6),
            # ko: "제곱평균으로 나누었습니다. 제곱근이 빠졌습니다.": x / ((x**2).mean(-1, keepdims=True) + 1e-6),
            "you divide by the root of the variance, for which the mean is taken off: average the squares of x as it is.": x / np.sqrt(x.var(-1, keepdims=True) + 1e-6),
            # ko: "분산의 제곱근으로 나누었습니다. 분산은 평균을 뺀 값의 제곱을 평균한 것입니다. x를 그대로 제곱해 평균하세요.": x / np.sqrt(x.var(-1, keepdims=True) + 1e-6),
            "everything is 0: does the scale begin at 1?": np.zeros_like(x),
            # ko: "모두 0입니다. scale이 1에서 시작하나요?": np.zeros_like(x),
        },
        otherwise="Do you square, average along the last axis, add epsilon, take the root, and divide by it?" if begins_at_1 else "Is the scale 1 at first?",
        # ko: otherwise="제곱하고, 마지막 축을 따라 평균하고, epsilon을 더하고, 제곱근을 구해 그것으로 나누나요?" if begins_at_1 else "scale이 1에서 시작하나요?",
    )
    check.close(
        RMSNorm(epsilon=10.0)(x),
        x / np.sqrt((x**2).mean(-1, keepdims=True) + 10),
        "epsilon stands inside of the root",
        # ko: "epsilon은 제곱근 안에 있다",
        hints={
            "`epsilon` of the constructor isn't used.": x / rms,
            # ko: "생성자의 `epsilon`을 쓰지 않았습니다.": x / rms,
            "epsilon is added behind the root.": x / (np.sqrt((x**2).mean(-1, keepdims=True)) + 10),
            # ko: "epsilon을 제곱근 밖에서 더했습니다.": x / (np.sqrt((x**2).mean(-1, keepdims=True)) + 10),
        },
    )
    shapes = [tuple(weight.shape) for weight in layer.trainable_weights]
    own = "" if shapes else "Is `scale` made by `self.add_weight`, and is it trainable?"
    # ko: own = "" if shapes else "`scale`을 `self.add_weight`로 만드나요? 학습되는 가중치인가요?"
    check.true(shapes == [(2,)], "one trainable weight (dim,)", f"the trainable weights have the shapes {shapes}, not [(2,)]. {own}".rstrip())
    # ko: check.true(shapes == [(2,)], "학습되는 가중치 (dim,) 하나", f"학습되는 가중치의 모양이 [(2,)]가 아니라 {shapes}입니다. {own}".rstrip())
    if not hasattr(layer, "scale"):
        check.note("the text promises an attribute `scale`.")
        # ko: check.note("설명에 적힌 속성 `scale`이 없습니다.")
    layer.trainable_weights[0].assign(np.array([2.0, -1.0]))
    check.close(layer(x), x / rms * [2, -1], "the scale is multiplied")
    # ko: check.close(layer(x), x / rms * [2, -1], "scale을 곱한다")
    narrow = RMSNorm(dtype="float16")
    answer = narrow(np.array([[300.0, 400.0]], "float16"))
    dtype = keras.backend.standardize_dtype(answer.dtype)
    check.true(dtype == "float16", "float16 in, float16 out", f"a float16 layer should give float16, and gives {dtype}.")
    # ko: check.true(dtype == "float16", "float16을 넣으면 float16이 나온다", f"float16 계층은 float16을 내놓아야 하는데 {dtype}이(가) 나옵니다.")
    check.close(
        ops.cast(answer, "float32"),
        [[0.8485, 1.1314]],
        "300 and 400 in float16",
        # ko: "float16에서 300과 400",
        hints={
            "the squares are infinite in float16: cast the inputs to float32 first.": [[0.0, 0.0]],
            # ko: "float16에서는 제곱이 무한대가 됩니다. 입력을 먼저 float32로 바꾸세요.": [[0.0, 0.0]],
        },
        tolerance=2e-3,
    )
    copy = RMSNorm.from_config(RMSNorm(epsilon=10.0).get_config())
    check.close(
        copy(x),
        x / np.sqrt((x**2).mean(-1, keepdims=True) + 10),
        "the same after get_config and from_config",
        # ko: "get_config와 from_config 뒤에도 같다",
        otherwise="Is `epsilon` in the config?",
        # ko: otherwise="config에 `epsilon`이 들어 있나요?",
    )
    check.notes_config(RMSNorm)
    check.compiles(lambda x: layer(x), x, required=False)
    check.learns(layer, layer, x, {"scale": layer.trainable_weights[0]})
_check

# %% [markdown]
# > **Does this hold?** *"RMSNorm is LayerNorm with less to compute, and ignores the same things."* Two changes of a vector: all features times 5, and 5 added to all features. Which of
# > them does LayerNorm not notice? And RMSNorm?
#
# <!-- ko -->
# > **정말 그럴까?** *"RMSNorm은 계산이 줄었을 뿐 LayerNorm과 똑같은 것을 무시한다."* 벡터를 두 가지로 바꾸어 봅시다. 모든 특징에 5를 곱하기, 그리고 모든 특징에
# > 5를 더하기. LayerNorm은 어느 것을 알아차리지 못할까요? RMSNorm은 어떨까요?

# %%
@demonstrate
def _demo():
    x = np.random.default_rng(0).normal(size=(1, 8)).astype("float32")
    changes = {"as it is": x, "times 5": 5 * x, "plus 5": x + 5}
    # ko: changes = {"그대로 (as it is)": x, "곱하기 5 (times 5)": 5 * x, "더하기 5 (plus 5)": x + 5}
    figure, axes = plt.subplots(1, 3, figsize=(11, 2.8), sharey=True, layout="constrained")
    for ax, (name, changed) in zip(axes, changes.items(), strict=True):
        for shift, layer, label, colour in ((-0.2, keras.layers.LayerNormalization(), "LayerNorm", "#3d4a5c"), (0.2, RMSNorm(), "RMSNorm", "#c65d3b")):
            ax.bar(np.arange(8) + shift, to_numpy(layer(changed))[0], width=0.4, color=colour, label=label)
        ax.set(title=name, xlabel="feature")
        # ko: ax.set(title=name, xlabel="특징 (feature)")
    axes[0].legend()
    plt.show()

# %% [markdown]
# > **What is right.** Both ignore the *size* of a vector: that is the part that keeps a deep stack in order. LayerNorm ignores a common shift as well; RMSNorm
# > sees it, and a large one drowns the rest (right picture). In the experiments of Zhang and Sennrich (section 6) nothing was missed: the models were as good, and faster.
#
# <!-- ko -->
# > **맞는 설명.** 둘 다 벡터의 *크기*를 무시합니다. 깊이 쌓은 모델에서 값이 걷잡을 수 없이 커지지 않는 것은 이 덕분입니다. LayerNorm은 모두에 같은 수를 더한 것도 무시하지만,
# > RMSNorm은 알아차리고, 큰 수를 더하면 나머지가 묻힙니다(오른쪽 그림). Zhang and Sennrich의 실험(6절)에서는 아쉬울 것이 없었습니다. 모델은 똑같이 좋았고 더 빨랐습니다.

# %% [markdown]
# ## Task 5: SwiGLU (2 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# The feed-forward network of 2017 makes hidden units with one matrix and cuts off the negative ones. A **gated** one makes two sets of hidden units, `gate` and `up`, and
# multiplies them: the first decides how much of the second passes. With $\text{silu}(z) = z \cdot \sigma(z)$, a smooth ReLU, on the gate (Shazeer 2020, section 2, equations 5 and 6):
#
# $$\text{SwiGLU}(x) = \big(\text{silu}(x W_\text{gate}) \odot (x W_\text{up})\big)\, W_\text{down}$$
#
# ```
#                  ┌── gate (dim, ff_dim) ── silu ──┐
#    x (..., dim) ─┤                                × ── down (ff_dim, dim) ── (..., dim)
#                  └── up   (dim, ff_dim) ──────────┘
# ```
#
# Why does it help? Shazeer's answer (section 4): "we attribute their success, as all else, to divine benevolence." It is an honest one: nobody knows
# quite why, and everybody measures it.
#
# **Width.** Three matrices in place of two: to keep the count, the width inside shrinks to **two thirds**. With $4d$ as in the paper of 2017 it becomes $\tfrac{8}{3} d$: the cell below
# counts it.
#
# <details><summary>Hint 1: When do you know the width of the inputs?</summary>
#
# In `build(self, input_shape)`. `down` has to lead back there: make it in `build`. Or make it in the constructor, if you find the number of its units elsewhere.
#
# </details>
#
# <details><summary>Hint 2: Sublayers that are made in time</summary>
#
# A layer that is made in `build` is best built there, too: `self.down.build` takes the shape of what it will get. Then its weights exist from the start.
#
# </details>
#
# <!-- ko -->
# ## 과제 5: SwiGLU (2점)
#
# *난이도 2/5, 20분쯤.*
#
# 2017년의 피드포워드 신경망은 행렬 하나로 은닉 유닛(hidden unit)을 만들고 음수를 잘라 냅니다. **게이트**(gate)가 있는 신경망은 은닉 유닛을 두 벌, `gate`와 `up`을 만들어
# 서로 곱합니다. 앞엣것이 뒤엣것을 얼마나 통과시킬지 정합니다. 게이트에는 매끄러운 ReLU인 $\text{silu}(z) = z \cdot \sigma(z)$를 씁니다(Shazeer 2020, 2절, 식 5와 6).
#
# $$\text{SwiGLU}(x) = \big(\text{silu}(x W_\text{gate}) \odot (x W_\text{up})\big)\, W_\text{down}$$
#
# ```
#                  ┌── gate (dim, ff_dim) ── silu ──┐
#    x (..., dim) ─┤                                × ── down (ff_dim, dim) ── (..., dim)
#                  └── up   (dim, ff_dim) ──────────┘
# ```
#
# 왜 더 나을까요? Shazeer의 대답(4절)은 이렇습니다. "이 구조들의 성공을, 다른 모든 것과 마찬가지로, 신의 은총 덕으로 돌린다." 솔직한 대답입니다. 까닭은 아무도 제대로
# 모르지만, 재어 보면 누구나 더 낫다는 것을 확인합니다.
#
# **너비.** 행렬이 둘에서 셋으로 늘었으니 파라미터 수를 그대로 두려면 안쪽의 너비를 **3분의 2**로 줄입니다. 2017년 논문의 $4d$는 $\tfrac{8}{3} d$가 됩니다. 아래 셀에서
# 세어 봅니다.
#
# <details><summary>힌트 1: 입력의 너비는 언제 알 수 있을까요?</summary>
#
# `build(self, input_shape)`에서 알 수 있습니다. `down`은 그 너비로 되돌아가야 하므로 `build`에서 만드세요.
#
# </details>
#
# <details><summary>힌트 2: 하위 계층을 제때 만들기</summary>
#
# `build`에서 만든 계층은 그 자리에서 build까지 하는 것이 좋습니다. `self.down.build`에는 이 계층이 받을 모양을 줍니다. 그러면 가중치가 처음부터 있습니다.
#
# </details>


# %% task="swiglu"
class SwiGLU(keras.layers.Layer):
    """
    The gated feed-forward network (Shazeer 2020, section 2, equation 6): down(silu(gate(x)) * up(x)), with silu(z) = z * sigmoid(z).
    # ko: 게이트가 있는 피드포워드 신경망(Shazeer 2020, 2절, 식 6): down(silu(gate(x)) * up(x)). 여기서 silu(z) = z * sigmoid(z).

    Args:
    # ko: 인수:
        ff_dim: width inside.
        # ko: ff_dim: 안쪽의 너비.

    Attributes:
    # ko: 속성:
        gate, up: Dense layers, kernels (dim, ff_dim).
        # ko: gate, up: Dense 계층, 커널 (dim, ff_dim).
        down: a Dense layer, kernel (ff_dim, dim): back to the width of the inputs. None of the three has a bias.
        # ko: down: Dense 계층, 커널 (ff_dim, dim). 입력의 너비로 되돌립니다. 셋 다 편향이 없습니다.

    Call arguments:
    # ko: 호출 인수:
        inputs: (..., dim).

    Returns:
    # ko: 반환값:
        (..., dim).
    """

    def __init__(self, ff_dim, **kwargs):
        super().__init__(**kwargs)
        self.ff_dim = ff_dim
        ### BEGIN SOLUTION
        self.gate = keras.layers.Dense(ff_dim, use_bias=False, name="gate")
        self.up = keras.layers.Dense(ff_dim, use_bias=False, name="up")
        ### END SOLUTION

    def build(self, input_shape):
        ### BEGIN SOLUTION
        self.gate.build(input_shape)
        self.up.build(input_shape)
        self.down = keras.layers.Dense(input_shape[-1], use_bias=False, name="down")
        self.down.build((*input_shape[:-1], self.ff_dim))
        ### END SOLUTION

    def call(self, inputs):
        ### BEGIN SOLUTION
        return self.down(ops.silu(self.gate(inputs)) * self.up(inputs))
        ### END SOLUTION

    def get_config(self):
        ### BEGIN SOLUTION
        return {**super().get_config(), "ff_dim": self.ff_dim}
        ### END SOLUTION


# %% grade="swiglu" points=2
@checking("SwiGLU")
def _check(check):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 3, 4)).astype("float32")
    layer = SwiGLU(6)
    check.shape(layer(x), (2, 3, 4), "(..., dim)")
    shapes = sorted(tuple(weight.shape) for weight in layer.trainable_weights)
    check.true(
        shapes == [(4, 6), (4, 6), (6, 4)],
        "three kernels, no biases",
        # ko: "커널 셋, 편향 없음",
        f"the trainable weights have the shapes {shapes}: there should be two kernels (dim, ff_dim) and one (ff_dim, dim), without biases.",
        # ko: f"학습되는 가중치의 모양이 {shapes}입니다. 편향 없이 (dim, ff_dim) 커널 둘과 (ff_dim, dim) 커널 하나가 있어야 합니다.",
    )
    for name in ("gate", "up", "down"):
        check.true(hasattr(getattr(layer, name, None), "kernel"), f"the Dense layer `{name}`", f"there should be a Dense layer `self.{name}`.")
        # ko: check.true(hasattr(getattr(layer, name, None), "kernel"), f"Dense 계층 `{name}`", f"Dense 계층 `self.{name}`이(가) 있어야 합니다.")
    gate, up, down = rng.normal(size=(4, 6)), rng.normal(size=(4, 6)), rng.normal(size=(6, 4))
    for name, value in (("gate", gate), ("up", up), ("down", down)):
        getattr(layer, name).kernel.assign(value)

    def silu(z):
        return z / (1 + np.exp(-z))

    check.close(
        layer(x),
        (silu(x @ gate) * (x @ up)) @ down,
        "with given kernels: down(silu(gate(x)) * up(x))",
        # ko: "주어진 커널로: down(silu(gate(x)) * up(x))",
        hints={
            "silu is on `up`; it belongs on `gate`.": ((x @ gate) * silu(x @ up)) @ down,
            # ko: "silu가 `up`에 있습니다. `gate`에 있어야 합니다.": ((x @ gate) * silu(x @ up)) @ down,
            "silu is missing.": ((x @ gate) * (x @ up)) @ down,
            # ko: "silu가 없습니다.": ((x @ gate) * (x @ up)) @ down,
            "the two are added. A gate multiplies.": (silu(x @ gate) + (x @ up)) @ down,
            # ko: "둘을 더했습니다. 게이트는 곱합니다.": (silu(x @ gate) + (x @ up)) @ down,
            "that is a plain sigmoid: silu(z) is z times it.": ((x @ up) / (1 + np.exp(-(x @ gate)))) @ down,
            # ko: "그냥 시그모이드입니다. silu(z)는 거기에 z를 곱한 것입니다.": ((x @ up) / (1 + np.exp(-(x @ gate)))) @ down,
            "that is a ReLU: silu(z) is z * sigmoid(z).": (np.maximum(x @ gate, 0) * (x @ up)) @ down,
            # ko: "그것은 ReLU입니다. silu(z)는 z * sigmoid(z)입니다.": (np.maximum(x @ gate, 0) * (x @ up)) @ down,
            "`gate` is used twice, and `up` not at all.": (silu(x @ gate) * (x @ gate)) @ down,
            # ko: "`gate`를 두 번 쓰고 `up`은 쓰지 않았습니다.": (silu(x @ gate) * (x @ gate)) @ down,
            "silu comes after the product; it belongs on `gate` alone.": silu((x @ gate) * (x @ up)) @ down,
            # ko: "곱한 뒤에 silu를 했습니다. `gate`에만 해야 합니다.": silu((x @ gate) * (x @ up)) @ down,
        },
        tolerance=1e-3,
    )
    check.notes_config(SwiGLU, ff_dim=6)
    check.compiles(lambda x: layer(x), x, required=False)
    copy = SwiGLU.from_config(layer.get_config())
    check.shape(copy(np.ones((1, 5), "float32")), (1, 5), "(..., dim) of a layer made from the config, with another dim")
    # ko: check.shape(copy(np.ones((1, 5), "float32")), (1, 5), "config로 만든, dim이 다른 계층의 (..., dim)")
    check.learns(layer, layer, x, {name: getattr(layer, name).kernel for name in ("gate", "up", "down")})
_check

# %% [markdown]
# Left: what a hidden unit does to its input; the curve of the gated unit is stretched by `up`. Right: parameters of a feed-forward network for `d_model=512`, counted from layers.
#
# <!-- ko -->
# 왼쪽은 은닉 유닛 하나가 입력에 하는 일입니다. 게이트의 곡선은 `up`에 따라 달라집니다. 오른쪽은 `d_model=512`일 때 피드포워드 신경망의 파라미터 수를 계층에서 센 것입니다.

# %%
@demonstrate
def _demo():
    def parameters(layer):
        layer(np.zeros((1, 512), "float32"))
        return layer.count_params()

    dense = keras.Sequential([keras.layers.Dense(2048, activation="relu", use_bias=False), keras.layers.Dense(512, use_bias=False)])
    counts = {
        "ReLU, 4 d": parameters(dense),
        "SwiGLU, 4 d": parameters(SwiGLU(2048)),
        "SwiGLU, 8/3 d": parameters(SwiGLU(2 * 2048 // 3)),
    }
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3), layout="constrained")
    z = np.linspace(-4, 4, 200)
    left.plot(z, np.maximum(z, 0), color="#3d4a5c", label="ReLU")
    for up, style in ((1.0, "-"), (0.4, "--"), (-0.6, ":")):
        left.plot(z, up * z / (1 + np.exp(-z)), style, color="#c65d3b", label=f"silu × up, up = {up:g}")
    left.set(xlabel="z", ylabel="hidden unit")
    # ko: left.set(xlabel="z", ylabel="은닉 유닛 (hidden unit)")
    left.legend()
    right.barh(list(counts), [count / 1e6 for count in counts.values()], color=["#3d4a5c", "#d9a08c", "#c65d3b"])
    right.invert_yaxis()
    right.set(xlabel="million parameters")
    # ko: right.set(xlabel="파라미터, 백만 개 (million parameters)")
    plt.show()
    for name, count in counts.items():
        print(f"{name:14s} {count:9,d}")

# %% [markdown]
# ## Task 6: grouped-query attention, with a cache (4 points)
#
# *Difficulty 4 of 5, about 60 minutes.*
#
# A model that writes keeps the keys and values of all earlier tokens (the key-value cache of notebook 09), and for a long text this cache, not the arithmetic, is what
# limits it: at each new token it has to be read from memory once. Shazeer (2019, section 3) let all heads share **one** key and one value head: *multi-query* attention. With
# eight heads the cache shrinks to an eighth, and the model gets a little worse. Ainslie et al. (2023, section 2.2) found the point between: the query heads form **groups**, and each group has
# one key and one value head.
#
# ![Eight query heads each: with eight heads of keys and values, with two that four query heads share, and with one that all share.](../_shared/diagrams/shared-keys.svg)
#
# So there is nothing new but the sharing: with `num_kv_heads = num_heads` you get multi-head attention, and with 1 multi-query attention. Query head $h$ belongs to key and value head
# $\lfloor h / \text{group} \rfloor$, where `group = num_heads // num_kv_heads`: neighbours share.
#
# What the layer does with `x`, the new positions:
#
# | step | shape |
# |---|---|
# | project to queries, split into heads, turn by `rotary` | `(batch, num_heads, seq_len, head_dim)` |
# | project to keys, split, turn; to values, split (values aren't turned) | `(batch, num_kv_heads, seq_len, head_dim)` |
# | put those of the cache in front: this is the new cache | `(batch, num_kv_heads, past_len + seq_len, head_dim)` |
# | scores of each query with the keys of its group, over $\sqrt{\text{head\_dim}}$ | `(batch, num_heads, seq_len, past_len + seq_len)` |
# | hide the future, softmax, times the values, merge the heads, project | `(batch, seq_len, d_model)` |
#
# **Positions go on behind the cache**: with `past_len` positions in it, the rows of `x` stand at `past_len`, `past_len + 1`, …; this holds for `rotary` and for who may
# see whom. `x` may hold any number of positions: a whole text, one token, or a few. In any portions the outputs are those of the whole pass.
#
# <details><summary>Hint 1: How do several query heads meet one key head?</summary>
#
# Two ways. Give the queries one axis more: `(batch, num_kv_heads, group, seq_len, head_dim)`; keys with an axis of length 1 in its place broadcast. Or repeat each key and value head
# `group` times (`ops.repeat` along the head axis; `ops.tile` has another order).
#
# </details>
#
# <details><summary>Hint 2: Who may see whom, with a cache?</summary>
#
# Compare the positions of all keys, 0 to `past_len + seq_len - 1`, with those of the new queries, `past_len` and on. A key is hidden if it is the greater.
#
# </details>
#
# <details><summary>Hint 3: The two that are forgotten most often</summary>
#
# Without a cache `past_len` is 0. The cache that you return holds *all* keys, turned as they are used, but before any repetition.
#
# </details>
#
# <!-- ko -->
# ## 과제 6: 캐시가 있는 그룹 쿼리 어텐션 (GQA) (4점)
#
# *난이도 4/5, 60분쯤.*
#
# 글을 쓰는 모델은 앞에 나온 모든 토큰의 키와 값을 남겨 둡니다(9번 노트북의 키-값 캐시). 글이 길면 모델의 발목을 잡는 것은 계산이 아니라 이 캐시입니다. 새 토큰마다 캐시 전체를
# 메모리에서 한 번 읽어야 하기 때문입니다. Shazeer(2019, 3절)는 모든 헤드(head)가 키 헤드 **하나**와 값 헤드 **하나**를 함께 쓰게 했습니다. 이것이 *멀티 쿼리* 어텐션입니다. 헤드가 8개라면 캐시는
# 8분의 1로 줄고 모델은 조금 나빠집니다. Ainslie et al.(2023, 2.2절)은 그 사이를 찾았습니다. 쿼리 헤드를 **그룹**으로 묶고 그룹마다 키 헤드와 값 헤드를 하나씩 둡니다.
#
# ![쿼리 헤드 여덟 개. 키와 값의 헤드가 여덟 개일 때, 쿼리 헤드 네 개씩 함께 쓰는 두 개일 때, 모두 함께 쓰는 하나일 때.](../_shared/diagrams/shared-keys.svg)
#
# 새로운 것은 함께 쓴다는 것뿐입니다. `num_kv_heads = num_heads`이면 멀티 헤드 어텐션(multi-head attention)이고 1이면 멀티 쿼리 어텐션입니다. 쿼리 헤드 $h$는
# 키와 값의 헤드 $\lfloor h / \text{group} \rfloor$를 씁니다. 여기서 `group = num_heads // num_kv_heads`이므로 이웃한 헤드끼리 함께 씁니다.
#
# 계층이 새 위치들인 `x`로 하는 일입니다.
#
# | 단계 | 모양 |
# |---|---|
# | 쿼리로 투영(projection)하고, 헤드로 나누고, `rotary`로 돌린다 | `(batch, num_heads, seq_len, head_dim)` |
# | 키로 투영하고, 나누고, 돌린다. 값으로 투영하고 나눈다(값은 돌리지 않는다) | `(batch, num_kv_heads, seq_len, head_dim)` |
# | 캐시의 것을 앞에 붙인다. 이것이 새 캐시 | `(batch, num_kv_heads, past_len + seq_len, head_dim)` |
# | 쿼리마다 자기 그룹의 키와의 점수를 구하고 $\sqrt{\text{head\_dim}}$으로 나눈다 | `(batch, num_heads, seq_len, past_len + seq_len)` |
# | 미래를 가리고, 소프트맥스를 구하고, 값을 가중 평균하고, 헤드를 합쳐 투영한다 | `(batch, seq_len, d_model)` |
#
# **위치는 캐시 뒤로 이어집니다.** 캐시에 위치가 `past_len`개 있으면 `x`의 행은 위치 `past_len`, `past_len + 1`, …에 있습니다. `rotary`에서도, 누가 누구를 볼 수 있는지에서도
# 그렇습니다. `x`에는 위치가 몇 개든 들어올 수 있습니다. 글 전체일 수도, 토큰 하나일 수도, 몇 개일 수도 있습니다. 어떻게 나누어 넣든 출력은 한 번에 계산한 것과 같습니다.
#
# <details><summary>힌트 1: 쿼리 헤드 여럿이 키 헤드 하나를 어떻게 만날까요?</summary>
#
# 두 가지 방법이 있습니다. 쿼리에 축을 하나 더 두어 `(batch, num_kv_heads, group, seq_len, head_dim)`으로 만들면, 그 자리에 길이 1인 축을 둔 키가 브로드캐스트됩니다. 아니면 키와 값의 헤드를
# 하나씩 `group`번 되풀이하세요(헤드 축을 따라 `ops.repeat`. `ops.tile`은 순서가 다릅니다).
#
# </details>
#
# <details><summary>힌트 2: 캐시가 있을 때 누가 누구를 볼 수 있을까요?</summary>
#
# 모든 키의 위치 0부터 `past_len + seq_len - 1`까지를 새 쿼리의 위치 `past_len`부터와 비교하세요. 키의 위치가 더 크면 가립니다.
#
# </details>
#
# <details><summary>힌트 3: 가장 자주 잊는 두 가지</summary>
#
# 캐시가 없으면 `past_len`은 0입니다. 돌려주는 캐시에는 *모든* 키가, 쓰이는 그대로 돌린 채, 그러나 되풀이하기 전의 모습으로 들어 있습니다.
#
# </details>


# %% task="grouped-attention" builds_on="rotary"
class GroupedQueryAttention(keras.layers.Layer):
    """
    Causal self-attention whose query heads share key and value heads in groups (Ainslie et al. 2023, section 2.2).
    # ko: 쿼리 헤드가 여럿씩 키와 값의 헤드를 함께 쓰는 인과적 셀프 어텐션(Ainslie et al. 2023, 2.2절).

    Query head h uses key and value head h // (num_heads // num_kv_heads): neighbours share. Head h of a projection has its
    # ko: 쿼리 헤드 h는 키와 값의 헤드 h // (num_heads // num_kv_heads)를 씁니다. 이웃끼리 함께 쓰는 것입니다. 투영의 헤드 h는
    features h * head_dim to (h + 1) * head_dim - 1, where head_dim = d_model // num_heads. Queries and keys (not values) are turned
    # ko: 특징 h * head_dim부터 (h + 1) * head_dim - 1까지이고, head_dim = d_model // num_heads입니다. 쿼리와 키는(값은 아님)
    by `rotary`, interleaved, base 10000; scores are divided by the square root of head_dim.
    # ko: `rotary`로 돌리고(interleaved, base 10000), 점수는 head_dim의 제곱근으로 나눕니다.

    Args:
    # ko: 인수:
        d_model: width of the inputs and outputs.
        # ko: d_model: 입력과 출력의 너비.
        num_heads: number of query heads; divides d_model.
        # ko: num_heads: 쿼리 헤드의 수. d_model은 이 수로 나누어떨어집니다.
        num_kv_heads: number of key heads and of value heads; divides num_heads.
        # ko: num_kv_heads: 키 헤드의 수이자 값 헤드의 수. num_heads의 약수입니다.

    Attributes:
    # ko: 속성:
        query_dense: Dense without bias, kernel (d_model, num_heads * head_dim).
        # ko: query_dense: 편향이 없는 Dense, 커널 (d_model, num_heads * head_dim).
        key_dense, value_dense: Dense without bias, kernel (d_model, num_kv_heads * head_dim).
        # ko: key_dense, value_dense: 편향이 없는 Dense, 커널 (d_model, num_kv_heads * head_dim).
        output_dense: Dense without bias, kernel (d_model, d_model).
        # ko: output_dense: 편향이 없는 Dense, 커널 (d_model, d_model).

    Call arguments:
    # ko: 호출 인수:
        x: (batch, seq_len, d_model), the new positions: the whole sequence, one token, or anything between.
        # ko: x: (batch, seq_len, d_model), 새 위치들. 시퀀스 전체일 수도, 토큰 하나일 수도, 그 사이일 수도 있습니다.
        cache: None if x begins the sequence, else what the last call returned: a tuple (keys, values), each
        # ko: cache: x가 시퀀스의 시작이면 None, 아니면 앞 호출이 돌려준 튜플 (keys, values). 모양은 각각
            (batch, num_kv_heads, past_len, head_dim). Row 0 of x then stands at position past_len.
            # ko: (batch, num_kv_heads, past_len, head_dim). 이때 x의 0번 행은 위치 past_len에 있습니다.

    Returns:
    # ko: 반환값:
        output: (batch, seq_len, d_model); each position sees itself, all before it, and nothing after it.
        # ko: output: (batch, seq_len, d_model). 위치마다 자기 자신과 그 앞을 모두 보고 뒤는 보지 못합니다.
        cache: a tuple (keys, values), each (batch, num_kv_heads, past_len + seq_len, head_dim), the old ones first; keys as they
        # ko: cache: 튜플 (keys, values). 모양은 각각 (batch, num_kv_heads, past_len + seq_len, head_dim), 옛것이 먼저. 키는
            are used, already turned.
            # ko: 쓰이는 그대로, 곧 이미 돌린 것.

    Raises:
    # ko: 예외:
        ValueError: when it is made, if num_heads doesn't divide d_model or num_kv_heads doesn't divide num_heads. Its text names
        # ko: ValueError: d_model이 num_heads로, 또는 num_heads가 num_kv_heads로 나누어떨어지지 않으면 계층을 만들 때. 오류 메시지에
            both arguments and the values received.
            # ko: 두 인수와 받은 값을 적습니다.
    """

    def __init__(self, d_model, num_heads, num_kv_heads, **kwargs):
        super().__init__(**kwargs)
        self.d_model, self.num_heads, self.num_kv_heads = d_model, num_heads, num_kv_heads
        ### BEGIN SOLUTION
        if d_model % num_heads != 0:
            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
        if num_heads % num_kv_heads != 0:
            raise ValueError(
                f"num_kv_heads must divide num_heads. Received: num_kv_heads={num_kv_heads}, num_heads={num_heads}."
            )
        self.head_dim = d_model // num_heads
        self.query_dense = keras.layers.Dense(d_model, use_bias=False, name="query")
        self.key_dense = keras.layers.Dense(num_kv_heads * self.head_dim, use_bias=False, name="key")
        self.value_dense = keras.layers.Dense(num_kv_heads * self.head_dim, use_bias=False, name="value")
        self.output_dense = keras.layers.Dense(d_model, use_bias=False, name="output")
        ### END SOLUTION

    def call(self, x, cache=None):
        ### BEGIN SOLUTION
        seq_len, past_len = ops.shape(x)[1], 0 if cache is None else ops.shape(cache[0])[2]
        positions = past_len + ops.arange(seq_len)
        query = rotary(self._split(self.query_dense(x)), positions)  # (batch, num_heads, seq_len, head_dim)
        keys = rotary(self._split(self.key_dense(x)), positions)  # (batch, num_kv_heads, seq_len, head_dim)
        values = self._split(self.value_dense(x))
        if cache is not None:
            keys, values = ops.concatenate([cache[0], keys], axis=2), ops.concatenate([cache[1], values], axis=2)
        group = self.num_heads // self.num_kv_heads
        query = ops.reshape(query, (-1, self.num_kv_heads, group, seq_len, self.head_dim))
        scores = query @ ops.swapaxes(keys, -2, -1)[:, :, None] / self.head_dim**0.5
        ahead = ops.arange(past_len + seq_len) > positions[:, None]  # (seq_len, past_len + seq_len)
        weights = ops.softmax(ops.where(ahead, ops.cast(-1e9, scores.dtype), scores))
        heads = weights @ values[:, :, None]  # (batch, num_kv_heads, group, seq_len, head_dim)
        heads = ops.reshape(heads, (-1, self.num_heads, seq_len, self.head_dim))
        merged = ops.reshape(ops.transpose(heads, (0, 2, 1, 3)), (-1, seq_len, self.d_model))
        return self.output_dense(merged), (keys, values)

    def _split(self, x):
        """Split features into heads: (batch, seq_len, heads * head_dim) -> (batch, heads, seq_len, head_dim)."""
        x = ops.reshape(x, (-1, ops.shape(x)[1], x.shape[-1] // self.head_dim, self.head_dim))
        return ops.transpose(x, (0, 2, 1, 3))
        ### END SOLUTION

    def get_config(self):
        ### BEGIN SOLUTION
        sizes = {"d_model": self.d_model, "num_heads": self.num_heads, "num_kv_heads": self.num_kv_heads}
        return {**super().get_config(), **sizes}
        ### END SOLUTION


# %% grade="grouped-attention" points=4
@checking("GroupedQueryAttention")
def _check(check):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 5, 24)).astype("float32")

    def turn(y, start=0):
        angles = np.arange(start, start + y.shape[-2])[:, None] * 10000.0 ** (-np.arange(0, y.shape[-1], 2) / y.shape[-1])
        a, b = y[..., 0::2], y[..., 1::2]
        return np.stack([a * np.cos(angles) - b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)], -1).reshape(y.shape)

    def turn_halves(y):
        order = [0, 2, 1, 3]
        return turn(y[..., order])[..., order]

    def turn_unsplit(y):
        return turn(y.transpose(0, 2, 1, 3).reshape(2, 5, -1)).reshape(2, 5, -1, 4).transpose(0, 2, 1, 3)

    def turn_by_own(y, arange=np.arange):
        try:
            return to_numpy(rotary(y.astype("float32"), arange(y.shape[-2]))).astype(float)
        except Exception:
            return y

    def turn_by_tensor(y):
        return turn_by_own(y, ops.arange)

    past = np.tri(5)

    def expected(kernels, kv, queries=turn, keys=turn, values=lambda y: y, divisor=2.0, seen=past, tiled=False, low=-1e9, axis=-1):
        def heads(y):
            return y.reshape(2, y.shape[1], -1, 4).transpose(0, 2, 1, 3)

        q, k, v = queries(heads(x @ kernels["query"])), keys(heads(x @ kernels["key"])), values(heads(x @ kernels["value"]))
        k, v = (np.tile(y, (1, 6 // kv, 1, 1)) if tiled else np.repeat(y, 6 // kv, axis=1) for y in (k, v))
        scores = q @ k.transpose(0, 1, 3, 2) / divisor
        scores = np.where(seen, scores, low)
        weights = np.exp(scores - scores.max(axis, keepdims=True))
        weights = weights / weights.sum(axis, keepdims=True)
        return (weights @ v).transpose(0, 2, 1, 3).reshape(2, 5, 24) @ kernels["output"]

    def called(layer, *inputs, **options):
        try:
            return layer(*inputs, **options)
        except Exception as error:
            line = ""
            for frame, number in traceback.walk_tb(error.__traceback__):
                if frame.f_globals is _as_array.__globals__:
                    line = linecache.getline(frame.f_code.co_filename, number).strip()
                if frame.f_code is getattr(rotary, "__code__", None):
                    shapes = [tuple(getattr(frame.f_locals.get(name), "shape", ())) for name in frame.f_code.co_varnames[:2]]
                    if len(shapes[0]) > 1 and shapes[0][-1] == 4 and len(shapes[1]) == 1 and shapes[0][-2] != shapes[1][0]:
                        check._fail(
                            f"`rotary` is given x {shapes[0]} and positions {shapes[1]}. It turns along the last axis but one: "
                            # ko: f"`rotary`에 모양이 {shapes[0]}인 x와 {shapes[1]}인 위치를 넘깁니다. `rotary`는 끝에서 둘째 축을 따라 돌립니다. "
                            "this has to be the axis of the positions, not of the heads, and the positions go from past_len to past_len + seq_len - 1."
                            # ko: "그 축은 헤드가 아니라 위치의 축이어야 하고, 위치는 past_len부터 past_len + seq_len - 1까지입니다."
                        )
            said = str(error).partition("Arguments received by ")[0]
            met = [tuple(map(int, shape.split(","))) for shape in re.findall(r"\[(\d+(?:,\d+){3,4})\]", said)]
            if options.get("cache") is None and "batch dimensions" in said and len(met) == 2:
                (axes, other_axes), (heads, other_heads) = map(len, met), (shape[1] for shape in met)
                odd = heads != other_heads and 6 in (heads, other_heads) and not {heads, other_heads} & {2, 4, 5}  # no other axis
                # ko: odd = heads != other_heads and 6 in (heads, other_heads) and not {heads, other_heads} & {2, 4, 5}  # 다른 축이 아닙니다
                if axes != other_axes or odd:
                    what = f"{axes} axes with one of {other_axes}" if axes != other_axes else f"{heads} heads with one of {other_heads}"
                    # ko: what = f"축이 {axes}개인 것과 {other_axes}개인 것을" if axes != other_axes else f"헤드가 {heads}개인 것과 {other_heads}개인 것을"
                    check._fail(
                        f"`{line}` multiplies an array of {what}: {met[0]} and {met[1]}. Repeat each key head and each value head num_heads // num_kv_heads "
                        # ko: f"`{line}`에서 {what} 곱합니다: {met[0]}, {met[1]}. 키 헤드와 값 헤드를 하나씩 num_heads // num_kv_heads번 "
                        "times, or give the queries an axis for the group, and keys and values one of length 1 in its place."
                        # ko: "되풀이하거나, 쿼리에 그룹의 축을 두고 키와 값에는 그 자리에 길이 1인 축을 두세요."
                    )
            if options.get("cache") is None or not re.search(rf"{_CANT_FIT}|reshape|must\smatch|invalid\sfor\sinput", str(error)):
                raise
            check._fail(
                "with a cache it stops. Do the cache's keys and values come in front of the new ones, along the axis of the positions? "
                # ko: "캐시가 있을 때 멈춥니다. 캐시의 키와 값을 위치의 축을 따라 새 키와 값 앞에 붙이나요? "
                "If it is the mask that doesn't fit: it needs a row for each new query, seq_len of them, "
                # ko: "마스크가 맞지 않는 것이라면, 마스크에는 새 쿼리마다 행이 하나씩 seq_len개, "
                f"and a column for each key, past_len + seq_len of them. Here: {_explained(error, {called.__code__.co_filename})}"
                # ko: f"키마다 열이 하나씩 past_len + seq_len개 있어야 합니다. {_explained(error, {called.__code__.co_filename})}"
            )

    def prepared(kv):
        layer = GroupedQueryAttention(24, 6, kv)
        answer = called(layer, x)
        check._returned(answer)
        check.true(
            isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], (tuple, list)) and len(answer[1]) == 2,
            f"num_kv_heads={kv}: it returns (output, (keys, values))",
            # ko: f"num_kv_heads={kv}: (output, (keys, values))를 돌려준다",
            "it should return (output, (keys, values)).",
            # ko: "(output, (keys, values))를 돌려주어야 합니다.",
        )
        if kv == 6 and not isinstance(answer[1], tuple):
            check.note("the text promises a tuple (keys, values).")
            # ko: check.note("설명에는 튜플 (keys, values)를 돌려준다고 적혀 있습니다.")
        check.shape(answer[0], (2, 5, 24), f"num_kv_heads={kv}: output (batch, seq_len, d_model)")
        for part, name in zip(answer[1], ("keys", "values"), strict=True):
            check.shape(part, (2, kv, 5, 4), f"num_kv_heads={kv}: {name} (batch, num_kv_heads, seq_len, head_dim)")
        kernels = {}
        for name, width in (("query", 24), ("key", 4 * kv), ("value", 4 * kv), ("output", 24)):
            dense = getattr(layer, f"{name}_dense", None)
            check.true(dense is not None, f"num_kv_heads={kv}: `{name}_dense`", f"there should be a Dense layer `self.{name}_dense`.")
            # ko: check.true(dense is not None, f"num_kv_heads={kv}: `{name}_dense`", f"Dense 계층 `self.{name}_dense`가 있어야 합니다.")
            check.true(
                dense.built,
                f"num_kv_heads={kv}: {name}_dense is used",
                # ko: f"num_kv_heads={kv}: {name}_dense를 쓴다",
                f"`{name}_dense` has no kernel after a call: `call` doesn't use it.",
                # ko: f"호출한 뒤에도 `{name}_dense`에 커널이 없습니다. `call`에서 쓰지 않았습니다.",
            )
            check.shape(dense.kernel, (24, width), f"num_kv_heads={kv}: kernel of {name}_dense")
            # ko: check.shape(dense.kernel, (24, width), f"num_kv_heads={kv}: {name}_dense의 커널")
            kernels[name] = rng.normal(size=(24, width)) / 3
            dense.kernel.assign(kernels[name])
        check.true(len(layer.weights) == 4, f"num_kv_heads={kv}: no biases", f"there should be four kernels and no biases, but there are {len(layer.weights)} weights.")
        # ko: check.true(len(layer.weights) == 4, f"num_kv_heads={kv}: 편향 없음", f"편향 없이 커널 넷만 있어야 하는데 가중치가 {len(layer.weights)}개입니다.")
        return layer, kernels

    for kv, what in ((6, "multi-head"), (1, "multi-query"), (3, "groups of two")):
    # ko: for kv, what in ((6, "멀티 헤드"), (1, "멀티 쿼리"), (3, "둘씩 묶은 그룹")):
        layer, kernels = prepared(kv)
        plain = {"queries": lambda y: y, "keys": lambda y: y}
        output, (keys, values) = layer(x)
        check.numbers(output, f"{what}, the whole pass, in which the future is hidden")
        # ko: check.numbers(output, f"{what}, 뒤를 가리고 한 번에 계산")
        check.close(
            output,
            expected(kernels, kv),
            f"{what}, the whole pass",
            # ko: f"{what}, 한 번에 계산",
            hints={
                "queries and keys aren't turned by `rotary`.": expected(kernels, kv, **plain),
                # ko: "쿼리와 키를 `rotary`로 돌리지 않았습니다.": expected(kernels, kv, **plain),
                "queries and keys are turned in the layout of halves. Here it is interleaved.": expected(kernels, kv, queries=turn_halves, keys=turn_halves),
                # ko: "쿼리와 키를 halves 방식으로 돌렸습니다. 여기서는 interleaved입니다.": expected(kernels, kv, queries=turn_halves, keys=turn_halves),
                "the layer is right as it is, but `rotary` turns wrongly: mend task 3.": expected(kernels, kv, queries=turn_by_own, keys=turn_by_own),
                # ko: "이 계층은 그대로도 맞지만 `rotary`가 잘못 돌립니다. 과제 3을 고치세요.": expected(kernels, kv, queries=turn_by_own, keys=turn_by_own),
                "the layer is right as it is, but `rotary` turns wrongly where `positions` are a tensor of whole numbers: see the ⚠ of task 3.": expected(
                # ko: "이 계층은 그대로도 맞지만 위치가 정수 텐서이면 `rotary`가 잘못 돌립니다. 과제 3의 ⚠를 보세요.": expected(
                    kernels, kv, queries=turn_by_tensor, keys=turn_by_tensor
                ),
                "queries and keys are turned before they are split into heads: the rates are those of head_dim, not of d_model.": expected(
                # ko: "쿼리와 키를 헤드로 나누기 전에 돌렸습니다. 변화율은 d_model이 아니라 head_dim으로 정해집니다.": expected(
                    kernels, kv, queries=turn_unsplit, keys=turn_unsplit
                ),
                "a position doesn't see itself: hide a key only where its position is the greater.": expected(kernels, kv, seen=np.tri(5, k=-1)),
                # ko: "자기 자신까지 가렸습니다. 키의 위치가 더 클 때만 가립니다.": expected(kernels, kv, seen=np.tri(5, k=-1)),
                "the mask is turned round: what comes after a position is seen, and the rest hidden.": expected(kernels, kv, seen=1 - past),
                # ko: "마스크가 뒤집혔습니다. 자기 뒤를 보고 나머지를 가립니다.": expected(kernels, kv, seen=1 - past),
                "hidden scores are 0, and e to the power of 0 is 1: they have to be very low.": expected(kernels, kv, low=0.0),
                # ko: "가린 점수가 0입니다. e의 0제곱은 1입니다. 가린 점수는 아주 낮아야 합니다.": expected(kernels, kv, low=0.0),
                "the softmax runs along the queries. It belongs along the keys, the last axis.": expected(kernels, kv, axis=-2),
                # ko: "소프트맥스를 쿼리 방향으로 적용했습니다. 마지막 축인 키의 축을 따라 적용합니다.": expected(kernels, kv, axis=-2),
                "queries aren't turned.": expected(kernels, kv, queries=plain["queries"]),
                # ko: "쿼리를 돌리지 않았습니다.": expected(kernels, kv, queries=plain["queries"]),
                "keys aren't turned.": expected(kernels, kv, keys=plain["keys"]),
                # ko: "키를 돌리지 않았습니다.": expected(kernels, kv, keys=plain["keys"]),
                "values are turned, too: only queries and keys are.": expected(kernels, kv, values=turn),
                # ko: "값까지 돌렸습니다. 쿼리와 키만 돌립니다.": expected(kernels, kv, values=turn),
                "a position sees what comes after it.": expected(kernels, kv, seen=np.ones((5, 5))),
                # ko: "자기 뒤를 보는 위치가 있습니다.": expected(kernels, kv, seen=np.ones((5, 5))),
                "the scores aren't divided by the root of head_dim.": expected(kernels, kv, divisor=1.0),
                # ko: "점수를 head_dim의 제곱근으로 나누지 않았습니다.": expected(kernels, kv, divisor=1.0),
                "the scores are divided by the root of d_model.": expected(kernels, kv, divisor=24**0.5),
                # ko: "점수를 d_model의 제곱근으로 나누었습니다.": expected(kernels, kv, divisor=24**0.5),
                "the scores are divided by head_dim, not by its root.": expected(kernels, kv, divisor=4.0),
                # ko: "점수를 head_dim의 제곱근이 아니라 head_dim으로 나누었습니다.": expected(kernels, kv, divisor=4.0),
                "head h uses key head h % num_kv_heads. Neighbours should share: h // group.": expected(kernels, kv, tiled=True),
                # ko: "헤드 h가 키 헤드 h % num_kv_heads를 씁니다. 이웃끼리 함께 써야 합니다: h // group.": expected(kernels, kv, tiled=True),
            },
            tolerance=1e-3,
            otherwise="Are the heads split by a reshape *and* a change of axes, turned after that, and merged the same way back? Are the scores "
            # ko: otherwise="헤드를 reshape *한 다음* 축을 바꾸어 나누고, 그다음에 돌리고, 같은 방법으로 되돌려 합치나요? 저마다 자기 Dense 계층에서 나온 "
            "the dot products of queries (rows) and keys (columns), each from its own Dense layer, divided by the root of head_dim? Is only the future hidden, by a very low score, "
            # ko: "쿼리(행)와 키(열)로 점수를 구해 head_dim의 제곱근으로 나누나요? 뒤에 오는 자리만, 아주 낮은 점수로 가리고, "
            "does the softmax run along the keys, and do its weights average the values?",
            # ko: "소프트맥스를 키 방향으로 적용하고, 그 가중치로 값을 평균하나요?",
        )
        raw = (x @ kernels["key"]).reshape(2, 5, kv, 4).transpose(0, 2, 1, 3)
        check.close(
            keys,
            turn(raw),
            f"{what}, the keys of the cache",
            # ko: f"{what}, 캐시의 키",
            hints={
                "they aren't turned: keep them as they are used.": raw,
                # ko: "돌리지 않은 것입니다. 쓰이는 그대로 남기세요.": raw,
                "the layer is right as it is, but `rotary` turns wrongly: mend task 3.": turn_by_own(raw),
                # ko: "이 계층은 그대로도 맞지만 `rotary`가 잘못 돌립니다. 과제 3을 고치세요.": turn_by_own(raw),
            },
            tolerance=1e-3,
        )
        cache, outputs = None, []
        for start, stop in ((0, 1), (1, 2), (2, 4), (4, 5)):
            part, cache = called(layer, x[:, start:stop], cache=cache)
            outputs.append(to_numpy(part))
        check.shape(cache[0], (2, kv, 5, 4), f"{what}, keys after portions of 1, 1, 2 and 1")
        # ko: check.shape(cache[0], (2, kv, 5, 4), f"{what}, 1, 1, 2, 1개씩 넣은 뒤의 keys")
        check.close(
            cache[0],
            turn(raw),
            f"{what}, these keys are those of the whole pass",
            # ko: f"{what}, 이 keys가 한 번에 계산한 것과 같다",
            hints={
                "the new keys stand in front of the old ones. They come behind them.": turn(raw)[:, :, [4, 2, 3, 1, 0]],
                # ko: "새 키가 앞의 키들보다 앞에 있습니다. 뒤에 와야 합니다.": turn(raw)[:, :, [4, 2, 3, 1, 0]],
            },
            tolerance=1e-3,
            otherwise="Do the positions of `rotary` go on behind the cache, and do the cache's keys, which are turned already, stay as they are?",
            # ko: otherwise="`rotary`에 넘기는 위치가 캐시 뒤로 이어지나요? 이미 돌린 캐시의 키는 그대로 두나요?",
        )
        check.close(
            np.concatenate(outputs, axis=1),
            expected(kernels, kv),
            f"{what}, portions of 1, 1, 2 and 1 with the cache",
            # ko: f"{what}, 캐시를 쓰며 1, 1, 2, 1개씩",
            otherwise="In portions the outputs differ from the whole pass. Do positions go on behind the cache, in `rotary` and in who sees whom, and do the cache's values stand in front of the new ones?",
            # ko: otherwise="나누어 넣으면 출력이 한 번에 계산한 것과 다릅니다. `rotary`에서도, 누가 누구를 보는지에서도 위치가 캐시 뒤로 이어지나요? 캐시의 값이 새 값보다 앞에 있나요?",
            tolerance=1e-3,
        )
    check.notes_config(GroupedQueryAttention, d_model=24, num_heads=6, num_kv_heads=3)
    copy = GroupedQueryAttention.from_config(layer.get_config())
    check.shape(copy(x)[1][0], (2, 3, 5, 4), "keys of a layer made from the config")
    # ko: check.shape(copy(x)[1][0], (2, 3, 5, 4), "config로 만든 계층의 keys")
    check.raises_value_error(GroupedQueryAttention, 10, 4, 2, naming=("num_heads", 4, "d_model", 10))
    check.raises_value_error(GroupedQueryAttention, 12, 6, 4, naming=("num_kv_heads", 4, "num_heads", 6))
    check.learns(layer, lambda x: layer(x)[0], x, {f"{name}_dense": getattr(layer, f"{name}_dense").kernel for name in kernels})
    check.compiles(lambda x: layer(x)[0], x)
_check

# %% [markdown]
# How much memory does it save? The sizes below are those of Llama 2 70B: 80 layers, 64 heads of 128 features, numbers of 16 bits. Its cache has 8 key and value heads.
#
# <!-- ko -->
# 메모리를 얼마나 아낄까요? 아래의 크기는 Llama 2 70B의 것입니다. 80층, 특징 128개짜리 헤드 64개, 16비트 수입니다. 이 모델의 캐시에는 키와 값의 헤드가 8개씩 있습니다.

# %%
@demonstrate
def _demo():
    num_layers, head_dim, bytes_each = 80, 128, 2
    lengths = np.array([512, 2048, 8192, 32768, 131072])
    figure, ax = plt.subplots(figsize=(7.5, 3.4), layout="constrained")
    for kv, name, colour in ((64, "multi-head", "#3d4a5c"), (8, "grouped-query, 8", "#8aa37b"), (1, "multi-query", "#c65d3b")):
    # ko: for kv, name, colour in ((64, "멀티 헤드 (multi-head)", "#3d4a5c"), (8, "그룹 쿼리 (grouped-query), 8", "#8aa37b"), (1, "멀티 쿼리 (multi-query)", "#c65d3b")):
        a_token = 2 * num_layers * kv * head_dim * bytes_each
        ax.loglog(lengths, lengths * a_token / 1e9, marker="o", color=colour, label=name)
        print(f"{name:18s} {a_token / 1024:8.0f} KiB a token, {8192 * a_token / 1e9:6.2f} GB for a text of 8192 tokens")
        # ko: print(f"{name:18s} 토큰마다 {a_token / 1024:8.0f} KiB, 토큰 8,192개짜리 글에 {8192 * a_token / 1e9:6.2f} GB")
    ax.axhline(80, color="grey", linestyle=":", label="one GPU of 80 GB")
    # ko: ax.axhline(80, color="grey", linestyle=":", label="80 GB인 GPU 하나")
    ax.set(xlabel="tokens in the text", ylabel="cache, GB", xticks=lengths)
    # ko: ax.set(xlabel="글의 토큰 수 (tokens)", ylabel="캐시 (cache), GB", xticks=lengths)
    ax.set_xticks(lengths, lengths)
    ax.minorticks_off()
    ax.legend()
    plt.show()
    layer = GroupedQueryAttention(64, 8, 2)
    cache = layer(np.zeros((1, 100, 64), "float32"))[1]
    whole = GroupedQueryAttention(64, 8, 8)(np.zeros((1, 100, 64), "float32"))[1]
    print(f"your layers: {sum(to_numpy(part).nbytes for part in whole)} bytes with 8 key heads, {sum(to_numpy(part).nbytes for part in cache)} with 2")
    # ko: print(f"여러분의 계층: 키 헤드가 8개이면 {sum(to_numpy(part).nbytes for part in whole)}바이트, 2개이면 {sum(to_numpy(part).nbytes for part in cache)}바이트")

# %% [markdown]
# > **Does this hold?** *"With an eighth of the key heads attention computes an eighth."* The next cell counts the multiplications of one layer of that size for one new token at
# > the end of a text of 8192. Guess first: what share of them does sharing save?
#
# <!-- ko -->
# > **정말 그럴까?** *"키 헤드가 8분의 1이면 어텐션의 계산도 8분의 1이다."* 다음 셀은 그 크기의 계층 하나가 토큰 8,192개짜리 글의 끝에서 새 토큰 하나에 하는 곱셈을 셉니다. 먼저
# > 어림해 보세요. 함께 쓰면 얼마나 줄까요?

# %%
@demonstrate
def _demo():
    d_model, num_heads, head_dim, length = 8192, 64, 128, 8192
    print("                        multi-head   8 key heads")
    # ko: print("                     멀티 헤드     키 헤드 8개")
    rows = {
        "queries and output": [2 * d_model * d_model] * 2,
        # ko: "쿼리와 출력 투영": [2 * d_model * d_model] * 2,
        "keys and values": [2 * d_model * kv * head_dim for kv in (64, 8)],
        # ko: "키와 값 투영": [2 * d_model * kv * head_dim for kv in (64, 8)],
        "scores and average": [2 * num_heads * head_dim * length] * 2,
        # ko: "점수와 가중 평균": [2 * num_heads * head_dim * length] * 2,
    }
    for name, (before, after) in {**rows, "together": np.sum(list(rows.values()), axis=0)}.items():
    # ko: for name, (before, after) in {**rows, "모두": np.sum(list(rows.values()), axis=0)}.items():
        print(f"{name:20s} {before / 1e6:9.0f} M   {after / 1e6:9.0f} M")
    print(f"numbers read from the cache {2 * num_heads * head_dim * length / 1e6:.0f} M and {2 * 8 * head_dim * length / 1e6:.0f} M")
    # ko: print(f"캐시에서 읽는 수 {2 * num_heads * head_dim * length / 1e6:.0f} M, {2 * 8 * head_dim * length / 1e6:.0f} M")

# %% [markdown]
# > **What is right.** Every query head still meets every key: the scores and averages cost what they did, and only the projections to keys and values shrink. In all less than a third of the multiplications is
# > saved. What falls to an eighth is what has to be *kept* and *read*. And since a processor multiplies much faster than it reads, that is what one waits for.
#
# <!-- ko -->
# > **맞는 설명.** 쿼리 헤드는 저마다 여전히 모든 키를 만나므로 점수와 가중 평균의 계산은 그대로이고, 키와 값의 투영만 줄어듭니다. 다 합쳐 곱셈은 3분의 1도 줄지 않습니다. 8분의 1이 되는 것은
# > *남겨 두고 읽어야* 하는 양입니다. 프로세서는 읽기보다 곱하기가 훨씬 빠르므로, 우리가 기다리는 것은 바로 그 읽기입니다.

# %% [markdown]
# ## Task 7: a window, and sinks (1 point)
#
# *Difficulty 1 of 5, about 15 minutes.*
#
# A text of a hundred thousand tokens has ten thousand million pairs. One way out: let each position see the last `window` positions only (Beltagy et al. 2020, section 3.1; Mistral 7B has 4096). Then the cache can
# forget what has left the window, and never grows.
#
# But models that were trained with full attention break when the *first* tokens leave. Xiao et al. (2023, sections 3.1 and 3.2) saw why: the weights of a softmax
# have to add up to 1, so a head that finds nothing to look at has to put its weight *somewhere*, and it learns to put it on the first tokens, which
# everybody can see. These are **attention sinks**. Keep the first few for ever, besides the window, and the model goes on.
#
# ![Eight positions, who sees whom: all of the past, the last three positions, the last three and position 0.](../_shared/diagrams/window-and-sinks.svg)
#
# Make this mask in the convention of notebook 04: 1 hides, 0 keeps.
#
# **Example.** `create_window_mask(6, 2, sinks=1)`: position 4 sees 3 and 4 (the window) and 0 (the sink).
#
# ```
#    [[0, 1, 1, 1, 1, 1],
#     [0, 0, 1, 1, 1, 1],
#     [0, 0, 0, 1, 1, 1],
#     [0, 1, 0, 0, 1, 1],
#     [0, 1, 1, 0, 0, 1],
#     [0, 1, 1, 1, 0, 0]]
# ```
#
# <details><summary>Hint 1: What decides?</summary>
#
# Three comparisons of row number $i$ and column number $j$: is $j$ in the future, is it too far back, is it a sink?
#
# </details>
#
# <!-- ko -->
# ## 과제 7: 윈도와 싱크 (1점)
#
# *난이도 1/5, 15분쯤.*
#
# 토큰 십만 개짜리 글에는 쌍이 백억 개 있습니다. 한 가지 해결책은 위치마다 마지막 `window`개의 위치만 보게 하는 것입니다(Beltagy et al. 2020, 3.1절. Mistral 7B는 4096). 이것이 슬라이딩
# 윈도(sliding window)입니다. 그러면 캐시는 윈도를 벗어난 것을 잊어도 되고 더 커지지 않습니다.
#
# 그런데 전체를 보며 학습한 모델은 *맨 앞의* 토큰이 윈도를 벗어나는 순간 무너집니다. Xiao et al.(2023, 3.1절과 3.2절)이 까닭을 밝혔습니다. 소프트맥스의 가중치는 합이 1이어야 하므로
# 볼 것이 없는 헤드도 가중치를 *어딘가에는* 두어야 하고, 누구에게나 보이는 맨 앞의 토큰에 두는 법을 배웁니다. 이것이 **어텐션 싱크**(attention sink)입니다. 윈도와 함께 맨 앞의
# 몇 개를 늘 남겨 두면 모델은 멀쩡합니다.
#
# ![위치 여덟 개에서 누가 누구를 보는지: 과거 전체, 마지막 세 위치, 마지막 세 위치와 위치 0.](../_shared/diagrams/window-and-sinks.svg)
#
# 이 마스크(mask)를 4번 노트북의 규약대로 만드세요. 1은 가리고 0은 남깁니다.
#
# **예.** `create_window_mask(6, 2, sinks=1)`. 위치 4는 3과 4(윈도), 그리고 0(싱크)을 봅니다.
#
# ```
#    [[0, 1, 1, 1, 1, 1],
#     [0, 0, 1, 1, 1, 1],
#     [0, 0, 0, 1, 1, 1],
#     [0, 1, 0, 0, 1, 1],
#     [0, 1, 1, 0, 0, 1],
#     [0, 1, 1, 1, 0, 0]]
# ```
#
# <details><summary>힌트 1: 무엇이 정할까요?</summary>
#
# 행 번호 $i$와 열 번호 $j$를 세 번 비교합니다. $j$가 미래인가, 너무 먼 과거인가, 싱크인가?
#
# </details>


# %% task="window-mask"
def create_window_mask(size, window, sinks=0):
    """
    Make the mask of causal attention through a sliding window, with attention sinks (Xiao et al. 2023, section 3.2).
    # ko: 어텐션 싱크가 있는, 슬라이딩 윈도를 통한 인과적 어텐션의 마스크를 만듭니다(Xiao et al. 2023, 3.2절).

    Position i sees the last `window` positions up to itself, itself included: i - window + 1 to i. It also sees those of the
    # ko: 위치 i는 자기 자신까지 쳐서 마지막 `window`개의 위치, 곧 i - window + 1부터 i까지를 봅니다. 첫 `sinks`개의 위치
    first `sinks` positions 0 to sinks - 1 that lie in its past, however far away. Nobody sees what comes after it.
    # ko: 0부터 sinks - 1까지 가운데 자기보다 앞에 있는 것도, 아무리 멀어도 봅니다. 자기 뒤는 아무도 보지 못합니다.

    Args:
    # ko: 인수:
        size: number of positions, 1 or more.
        # ko: size: 위치의 수, 1 이상.
        window: 1 or more; may be larger than size, which leaves the look-ahead mask.
        # ko: window: 1 이상. size보다 커도 됩니다. 그러면 룩어헤드 마스크만 남습니다.
        sinks: 0 or more.
        # ko: sinks: 0 이상.

    Returns:
    # ko: 반환값:
        (size, size), floats, row: the position that looks, column: the one that is looked at; 1 hides, 0 keeps.
        # ko: (size, size), 실수. 행은 보는 위치, 열은 보이는 위치. 1은 가리고 0은 남깁니다.
    """
    ### BEGIN SOLUTION
    i, j = np.arange(size)[:, None], np.arange(size)
    seen = (j <= i) & ((i - j < window) | (j < sinks))
    return (~seen).astype("float32")
    ### END SOLUTION


# %% grade="window-mask" points=1
@checking("create_window_mask")
def _check(check):
    i, j = np.indices((6, 6))
    check.shape(create_window_mask(6, 2), (6, 6), "(size, size)")
    if np.asarray(to_numpy(create_window_mask(6, 2))).dtype.kind != "f":
        check.note("the text promises floats.")
        # ko: check.note("설명에는 실수를 돌려준다고 적혀 있습니다.")
    check.close(
        create_window_mask(6, 2),
        ((j > i) | (i - j >= 2)).astype(float),
        "size 6, window 2",
        # ko: "크기 6, 윈도 2",
        otherwise="Does each position see itself and the one before it, and without sinks nothing else, position 0 neither?",
        # ko: otherwise="위치마다 자기 자신과 바로 앞을 보고, 싱크가 없으면 0번 위치를 비롯해 다른 것은 보지 않나요?",
        hints={
            "it is turned over: 1 hides, 0 keeps.": ((j <= i) & (i - j < 2)).astype(float),
            # ko: "뒤집혔습니다. 1은 가리고 0은 남깁니다.": ((j <= i) & (i - j < 2)).astype(float),
            "what is hidden is marked by 1, not by -∞.": np.where((j > i) | (i - j >= 2), -np.inf, 0.0),
            # ko: "가리는 곳은 -∞가 아니라 1입니다.": np.where((j > i) | (i - j >= 2), -np.inf, 0.0),
            "what is hidden is marked by 1, not by a large negative number.": np.where((j > i) | (i - j >= 2), -1e9, 0.0),
            # ko: "가리는 곳은 큰 음수가 아니라 1입니다.": np.where((j > i) | (i - j >= 2), -1e9, 0.0),
            "the window is one too wide: it counts the position itself.": ((j > i) | (i - j > 2)).astype(float),
            # ko: "윈도가 하나 넓습니다. 자기 자신도 셉니다.": ((j > i) | (i - j > 2)).astype(float),
            "the future isn't hidden.": (i - j >= 2).astype(float),
            # ko: "미래를 가리지 않았습니다.": (i - j >= 2).astype(float),
            "rows and columns are swapped: the row is the position that looks.": ((i > j) | (j - i >= 2)).astype(float),
            # ko: "행과 열이 바뀌었습니다. 행이 보는 위치입니다.": ((i > j) | (j - i >= 2)).astype(float),
        },
    )
    check.close(
        create_window_mask(6, 2, sinks=1),
        ((j > i) | ((i - j >= 2) & (j >= 1))).astype(float),
        "the example, with a sink",
        # ko: "싱크가 있는 예",
        hints={
            "`sinks` changes nothing here. If you use it, is it the column that counts, not the row?": ((j > i) | (i - j >= 2)).astype(float),
            # ko: "여기서는 `sinks`를 주어도 그대로입니다. `sinks`를 썼다면, 행이 아니라 열의 번호와 비교하나요?": ((j > i) | (i - j >= 2)).astype(float),
        },
    )
    check.close(
        create_window_mask(6, 1, sinks=4),
        ((j > i) | ((i - j >= 1) & (j >= 4))).astype(float),
        "four sinks: those in the future stay hidden",
        # ko: "싱크 넷: 미래에 있는 것은 가린 채로 둔다",
        hints={
            "positions 0 to 2 see sinks that come after them.": ((j >= 4) & ((j > i) | (i - j >= 1))).astype(float),
            # ko: "위치 0부터 2까지가 자기 뒤에 있는 싱크를 봅니다.": ((j >= 4) & ((j > i) | (i - j >= 1))).astype(float),
            "there is only one sink, position 0. `sinks` says how many there are.": ((j > i) | ((i - j >= 1) & (j >= 1))).astype(float),
            # ko: "싱크가 위치 0 하나뿐입니다. 싱크의 수는 `sinks`입니다.": ((j > i) | ((i - j >= 1) & (j >= 1))).astype(float),
        },
    )
    check.close(create_window_mask(6, 9), (j > i).astype(float), "a window wider than the text: the look-ahead mask")
    # ko: check.close(create_window_mask(6, 9), (j > i).astype(float), "글보다 넓은 윈도: 룩어헤드 마스크")
_check

# %% [markdown]
# Above: who sees whom, dark is seen. Below: a head that has learnt to rest on position 0, because nothing nearby interests it (all other scores are equal). When position 0 leaves the
# window, its weight falls on bystanders; with one sink the head still rests on it.
#
# <!-- ko -->
# 위쪽 그림은 누가 누구를 보는지 보여 줍니다. 어두운 칸이 보이는 곳입니다. 아래쪽은 가까이에 볼 것이 없어 위치 0에 기대는 법을 배운 헤드입니다(다른 점수는 모두 같습니다). 위치 0이 윈도를
# 벗어나면 그 가중치가 아무 상관 없는 토큰에 쏟아지고, 싱크가 하나 있으면 헤드는 그대로 위치 0에 기댑니다.

# %%
@demonstrate
def _demo():
    masks = {
        "look-ahead": create_window_mask(24, 24),
        # ko: "룩어헤드 (look-ahead)": create_window_mask(24, 24),
        "window 6": create_window_mask(24, 6),
        # ko: "윈도 (window) 6": create_window_mask(24, 6),
        "window 6, 1 sink": create_window_mask(24, 6, sinks=1),
        # ko: "윈도 6, 싱크 (sink) 1": create_window_mask(24, 6, sinks=1),
    }
    scores = np.where(np.arange(24) == 0, 4.0, 0.0)
    figure, axes = plt.subplots(2, 3, figsize=(11, 5.6), height_ratios=(2, 1), layout="constrained", sharey="row")
    for (name, mask), above, below in zip(masks.items(), *axes, strict=True):
        mask = to_numpy(mask)
        above.imshow(mask, cmap="gray", vmin=-0.3, vmax=1)
        above.set(title=name, xlabel="looked at")
        # ko: above.set(title=name, xlabel="보이는 위치 (looked at)")
        weights = np.exp(scores) * (1 - mask[20])
        below.bar(range(24), weights / weights.sum(), color="#c65d3b")
        below.set(xlabel="position", ylim=(0, 1))
        # ko: below.set(xlabel="위치 (position)", ylim=(0, 1))
    axes[0, 0].set_ylabel("looks")
    # ko: axes[0, 0].set_ylabel("보는 위치 (looks)")
    axes[1, 0].set_ylabel("weights of position 20")
    # ko: axes[1, 0].set_ylabel("위치 20의 가중치")
    plt.show()

# %% [markdown]
# > **Does this hold?** *"With a window of 6 a model can't know anything from more than 5 tokens ago."* It holds for one layer. What about four of them? Guess how far back position 60 can be
# > reached from; the cell follows the paths through the masks.
#
# <!-- ko -->
# > **정말 그럴까?** *"윈도가 6이면 모델은 토큰 5개보다 더 앞의 일을 알 수 없다."* 한 층이라면 맞습니다. 네 층이라면 어떨까요? 위치 60이 얼마나 앞선 위치까지 알 수 있을지 어림해
# > 보세요. 셀은 마스크를 지나는 길을 따라갑니다.

# %%
@demonstrate
def _demo():
    step = 1 - to_numpy(create_window_mask(64, 6))
    reached = np.eye(64)
    for layer in range(1, 5):
        reached = np.minimum(reached @ step, 1)
        print(f"{layer} layers: position 60 knows of positions {np.flatnonzero(reached[60])[0]} to 60, {60 - np.flatnonzero(reached[60])[0]} back")
        # ko: print(f"{layer}층: 위치 60은 위치 {np.flatnonzero(reached[60])[0]}부터 60까지, {60 - np.flatnonzero(reached[60])[0]}칸 앞까지 압니다")

# %% [markdown]
# > **What is right.** Each layer hands on what it has gathered: with $L$ layers the reach is $L\,(\text{window} - 1)$. (Mistral's 32 layers with a window of 4096 reach, in principle, 131 000 tokens back.) What comes from afar
# > has been through several averages, though. A name, word for word, rarely survives that.
#
# <!-- ko -->
# > **맞는 설명.** 층마다 모은 것을 다음 층에 넘깁니다. $L$층이면 $L\,(\text{window} - 1)$칸까지 닿습니다. (윈도가 4096인 Mistral의 32층은 원리상 토큰 131,000개 앞까지 닿습니다.) 다만 멀리서
# > 온 것은 여러 번 평균을 거쳤습니다. 이름 하나를 글자 그대로 기억하기는 어렵습니다.

# %% [markdown]
# ## Task 8: streaming softmax (4 points)
#
# *Difficulty 4 of 5, about 50 minutes.*
#
# For $n$ tokens the matrix of scores has $n^2$ entries. They are used once and thrown away. Must they ever exist all at once? A softmax seems to say so: its sum runs over *all* scores, and so does the
# maximum that one takes off so that nothing overflows (notebook 02).
#
# Milakov and Gimelshein (2018, algorithm 3) keep a **running** maximum $m$ and a running sum $s$ instead. When a larger score appears, everything that was added up so far was
# measured against the old maximum, and is corrected by one factor, $e^{m_\text{old} - m_\text{new}}$. FlashAttention (Dao et al. 2022, section 3.1, algorithm 1) does the same with the
# weighted sum of the values, block by block, so that the scores of a block never leave the fastest memory of the chip. It is exact, no approximation.
#
# For each block of keys and values, and for each query:
#
# | | |
# |---|---|
# | new maximum | $m' = \max(m, \max_j \text{score}_j)$ |
# | correction of what has been | $c = e^{m - m'}$ |
# | sum | $s' = c\,s + \sum_j e^{\text{score}_j - m'}$ |
# | output, not yet divided | $o' = c\,o + \sum_j e^{\text{score}_j - m'}\, \text{value}_j$ |
#
# At the end the output is $o / s$. At the start $m = -\infty$, $s = 0$, $o = 0$.
#
# **Example.** One query, scores `1, 3 | 2, 5` in blocks of two, values `10, 20 | 30, 40`.
#
# | after block | $m$ | $s$ | $o$ |
# |---|---|---|---|
# | 1 | 3 | $e^{-2} + 1 = 1.1353$ | $10 e^{-2} + 20 = 21.3534$ |
# | 2 | 5 | $e^{-2} \cdot 1.1353 + e^{-3} + 1 = 1.2034$ | $e^{-2} \cdot 21.3534 + 30 e^{-3} + 40 = 44.3835$ |
#
# The answer is $44.38347 / 1.203438 = 36.8806$, as from the whole row.
#
# **Hidden scores** count as $-\infty$. Watch the row of which nothing has been seen yet: there $m' = -\infty$, and $-\infty - (-\infty)$ is no number. A row that is hidden to the end gets zeros.
#
# <details><summary>Hint 1: What has to be kept between blocks?</summary>
#
# Three arrays: the maximum and the sum, `(..., query_len, 1)`, and the output, `(..., query_len, value_dim)`. Nothing with `key_len` in its shape.
#
# </details>
#
# <details><summary>Hint 2: The row that has seen nothing</summary>
#
# Subtract 0 instead of the maximum where that is still $-\infty$: then all weights of the row are $e^{-\infty} = 0$, and so is the correction.
#
# </details>
#
# <details><summary>Hint 3: The division</summary>
#
# Where the sum is 0, divide by 1.
#
# </details>
#
# <!-- ko -->
# ## 과제 8: 스트리밍 소프트맥스 (4점)
#
# *난이도 4/5, 50분쯤.*
#
# 토큰이 $n$개이면 점수 행렬에는 수가 $n^2$개 있습니다. 한 번 쓰고 버리는 수입니다. 그 수가 모두 한꺼번에 있어야만 할까요? 소프트맥스를 보면 그럴 것 같습니다. 합은 *모든* 점수에 걸쳐 있고,
# 오버플로(overflow)를 막으려고 빼는 최댓값(2번 노트북)도 그렇습니다.
#
# Milakov and Gimelshein(2018, 알고리즘 3)은 그 대신 **지금까지의** 최댓값 $m$과 합 $s$를 기억해 둡니다. 더 큰 점수가 나타나면, 그때까지 더한 것은 모두 옛 최댓값을 기준으로 한 것이므로
# $e^{m_\text{old} - m_\text{new}}$ 하나를 곱해 바로잡습니다. FlashAttention(Dao et al. 2022, 3.1절, 알고리즘 1)은 값의 가중 합에도 똑같이 합니다. 블록 단위로 계산하므로 블록의
# 점수는 칩의 가장 빠른 메모리를 떠나지 않습니다. 근사가 아니라 정확한 계산입니다.
#
# 키와 값의 블록마다, 쿼리마다 다음과 같이 합니다.
#
# | | |
# |---|---|
# | 새 최댓값 | $m' = \max(m, \max_j \text{score}_j)$ |
# | 지금까지의 것을 바로잡는 수 | $c = e^{m - m'}$ |
# | 합 | $s' = c\,s + \sum_j e^{\text{score}_j - m'}$ |
# | 아직 나누지 않은 출력 | $o' = c\,o + \sum_j e^{\text{score}_j - m'}\, \text{value}_j$ |
#
# 끝에서 출력은 $o / s$입니다. 처음에는 $m = -\infty$, $s = 0$, $o = 0$입니다.
#
# **예.** 쿼리 하나, 둘씩 묶은 점수 `1, 3 | 2, 5`, 값 `10, 20 | 30, 40`.
#
# | 블록 | $m$ | $s$ | $o$ |
# |---|---|---|---|
# | 1 다음 | 3 | $e^{-2} + 1 = 1.1353$ | $10 e^{-2} + 20 = 21.3534$ |
# | 2 다음 | 5 | $e^{-2} \cdot 1.1353 + e^{-3} + 1 = 1.2034$ | $e^{-2} \cdot 21.3534 + 30 e^{-3} + 40 = 44.3835$ |
#
# 답은 $44.38347 / 1.203438 = 36.8806$이고, 행 전체로 구한 것과 같습니다.
#
# **가려진 점수**는 $-\infty$로 칩니다. 아직 아무것도 보지 못한 행을 조심하세요. 거기서는 $m' = -\infty$이고, $-\infty - (-\infty)$는 수가 아닙니다. 끝까지 모두 가려진 행에는 0을 줍니다.
#
# <details><summary>힌트 1: 블록 사이에 무엇을 남겨야 할까요?</summary>
#
# 배열 셋입니다. 최댓값과 합 `(..., query_len, 1)`, 그리고 출력 `(..., query_len, value_dim)`. 모양에 `key_len`이 들어 있는 것은 없습니다.
#
# </details>
#
# <details><summary>힌트 2: 아무것도 보지 못한 행</summary>
#
# 최댓값이 아직 $-\infty$인 곳에서는 최댓값 대신 0을 빼세요. 그러면 그 행의 가중치는 모두 $e^{-\infty} = 0$이고, 바로잡는 수도 0입니다.
#
# </details>
#
# <details><summary>힌트 3: 나눗셈</summary>
#
# 합이 0인 곳에서는 1로 나누세요.
#
# </details>


# %% task="streaming-softmax"
def streaming_attention(query, key, value, block_size, mask=None):
    """
    Scaled dot-product attention that takes keys and values block by block.
    # ko: 키와 값을 블록 단위로 받아 계산하는 스케일드 닷 프로덕트 어텐션.

    It keeps a running maximum and a running sum for each query (Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022,
    # ko: 쿼리마다 지금까지의 최댓값과 합을 기억합니다(Milakov and Gimelshein 2018, 알고리즘 3. Dao et al. 2022,
    section 3.1), and never has more than (..., query_len, block_size) scores at once.
    # ko: 3.1절). 점수는 한 번에 (..., query_len, block_size)개보다 많이 만들지 않습니다.

    Args:
    # ko: 인수:
        query: (..., query_len, key_dim). It, key and value are arrays of float32 or float64.
        # ko: query: (..., query_len, key_dim). key, value와 함께 float32나 float64인 배열입니다.
        key: (..., key_len, key_dim).
        value: (..., key_len, value_dim).
        block_size: keys in a block, 1 or more; the last block may be smaller, and key_len may be smaller than one block.
        # ko: block_size: 블록 하나의 키 수, 1 이상. 마지막 블록은 더 작을 수 있고, key_len이 블록 하나보다 작을 수도 있습니다.
        mask: None, or floats that broadcast to (..., query_len, key_len), the last axis key_len long; 1 hides, 0 keeps.
        # ko: mask: None, 또는 (..., query_len, key_len)으로 브로드캐스트되는 실수. 마지막 축의 길이는 key_len. 1은 가리고 0은 남깁니다.

    Returns:
    # ko: 반환값:
        (..., query_len, value_dim): what attention over all keys at once gives, at every block size, for scores in the thousands
        # ko: (..., query_len, value_dim): 모든 키를 한꺼번에 볼 때와 같은 값. 블록의 크기가 얼마든, 점수가 수천이어도
        too. Scores are divided by the square root of key_dim. A query from which all keys are hidden gets zeros, never NaN.
        # ko: 같습니다. 점수는 key_dim의 제곱근으로 나눕니다. 키가 모두 가려진 쿼리에는 NaN이 아니라 0을 줍니다.
    """
    ### BEGIN SOLUTION
    query, key, value = to_numpy(query), to_numpy(key), to_numpy(value)
    leading = np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    dtype = np.result_type(query, key, value, "float32")
    largest = np.full((*leading, query.shape[-2], 1), -np.inf, dtype)  # running maximum
    total = np.zeros_like(largest)  # running sum of exp(score - maximum)
    output = np.zeros((*leading, query.shape[-2], value.shape[-1]), dtype)  # running sum of the values, weighted alike
    for start in range(0, key.shape[-2], block_size):
        block = slice(start, start + block_size)
        scores = query @ np.swapaxes(key[..., block, :], -2, -1) / np.sqrt(query.shape[-1])
        if mask is not None:
            scores = np.where(to_numpy(mask)[..., block] == 1, -np.inf, scores)
        new_largest = np.maximum(largest, scores.max(axis=-1, keepdims=True))
        safe = np.where(np.isinf(new_largest), 0, new_largest)  # where all is hidden so far
        weights, shrink = np.exp(scores - safe), np.exp(largest - safe)
        total = total * shrink + weights.sum(axis=-1, keepdims=True)
        output = output * shrink + weights @ value[..., block, :]
        largest = new_largest
    return output / np.where(total == 0, 1, total)
    ### END SOLUTION


# %% grade="streaming-softmax" points=4
@checking("streaming_attention")
def _check(check):
    import tracemalloc

    rng = np.random.default_rng(0)

    def whole(query, key, value, mask=None, divisor=None):
        scores = query @ np.swapaxes(key, -2, -1) / (divisor or query.shape[-1] ** 0.5)
        scores = scores if mask is None else np.where(np.broadcast_to(mask, scores.shape) == 1, -np.inf, scores)
        largest = scores.max(-1, keepdims=True)
        weights = np.exp(scores - np.where(np.isinf(largest), 0, largest))
        total = weights.sum(-1, keepdims=True)
        return weights / np.where(total == 0, 1, total) @ value

    def streamed(query, key, value, block_size, **options):
        try:
            return streaming_attention(query, key, value, block_size, **options)
        except Exception as error:
            said, mask = _in_one_line(str(error)), options.get("mask")
            if re.search(r"zero-size|is\s(an\s)?empty", said):
                question = "is a block of keys empty, as it begins behind the last key or ends before it begins? From block to block both its ends move on."
                # ko: question = "블록이 마지막 키를 지나서 시작하거나 시작하는 곳보다 앞에서 끝나서, 키가 하나도 없는 블록이 있지 않나요? 블록이 바뀌면 시작과 끝이 모두 옮겨 갑니다."
            elif mask is not None and re.search(_CANT_FIT, said):
                question = "is the mask cut to the block as the keys are, but along its *last* axis, however many axes it has?"
                # ko: question = "마스크도 키처럼 블록만큼 자르나요? 마스크의 축이 몇 개든 *마지막* 축을 따라 잘라야 합니다."
            elif re.search(_CANT_FIT, said) and re.search(r"size\s0\sis|[\[(](\d+,\s?)?0,\s?\d+,\s?\d", said):  # an axis of length 0, and not that of the keys
            # ko: elif re.search(_CANT_FIT, said) and re.search(r"size\s0\sis|[\[(](\d+,\s?)?0,\s?\d+,\s?\d", said):  # 길이가 0인 축이 있는데 키의 축이 아닙니다
                question = "are keys and values cut along the axis of the keys, the last but one, however many axes they have?"
                # ko: question = "키와 값을 축이 몇 개든 끝에서 둘째 축, 곧 키의 축을 따라 자르나요?"
            else:
                raise
            what = f"keys {key.shape}" if mask is None else f"a mask {mask.shape}, {key.shape[-2]} keys"
            # ko: what = f"모양이 {key.shape}인 키" if mask is None else f"모양이 {mask.shape}인 마스크, 키 {key.shape[-2]}개"
            check._fail(f"with {what} and blocks of {block_size} it stops: {question}\n({type(error).__name__}: {said})")
            # ko: check._fail(f"{what}, 블록 {block_size}에서 멈춥니다. {question}\n({type(error).__name__}: {said})")

    example = (np.array([[1.0]]), np.array([[1.0], [3], [2], [5]]), np.array([[10.0], [20], [30], [40]]))
    check.shape(streamed(*example, 2), (1, 1), "(query_len, value_dim)")
    check.close(
        streamed(*example, 2),
        [[36.88057]],
        "the example",
        # ko: "예",
        hints={
            "the last block alone decides: what has been is lost.": [[(30 * np.exp(-3) + 40) / (np.exp(-3) + 1)]],
            # ko: "마지막 블록만 남았습니다. 앞의 것이 사라졌습니다.": [[(30 * np.exp(-3) + 40) / (np.exp(-3) + 1)]],
            "the sum is corrected when the maximum grows, but the output isn't.": [[(61.3534 + 30 * np.exp(-3)) / 1.2034]],
            # ko: "최댓값이 커질 때 합은 바로잡았지만 출력은 바로잡지 않았습니다.": [[(61.3534 + 30 * np.exp(-3)) / 1.2034]],
            "what has been isn't corrected when the maximum grows.": [[(61.3534 + 30 * np.exp(-3)) / (2.1353 + np.exp(-3))]],
            # ko: "최댓값이 커질 때 지금까지의 것을 바로잡지 않았습니다.": [[(61.3534 + 30 * np.exp(-3)) / (2.1353 + np.exp(-3))]],
            "the output is corrected when the maximum grows, but the sum isn't.": [[44.38347 / (2.1353 + np.exp(-3))]],
            # ko: "최댓값이 커질 때 출력은 바로잡았지만 합은 바로잡지 않았습니다.": [[44.38347 / (2.1353 + np.exp(-3))]],
            "the sum isn't divided by in the end.": [[44.38347]],
            # ko: "끝에서 합으로 나누지 않았습니다.": [[44.38347]],
            "each block is divided by its own sum: divide once, at the end.": [[
            # ko: "블록마다 자기 합으로 나누었습니다. 나누는 것은 끝에서 한 번입니다.": [[
                (21.3534 / 1.1353 * np.exp(-2) + (30 * np.exp(-3) + 40) / (np.exp(-3) + 1))
            ]],
            "the output is divided after each block, and the next block is added to that: divide once, at the end.": [[36.5943]],
            # ko: "블록마다 나눈 출력에 다음 블록을 더했습니다. 나누는 것은 끝에서 한 번입니다.": [[36.5943]],
            "the output is divided after each block, and once more at the end: divide only at the end.": [[30.4081]],
            # ko: "블록마다 출력을 나누고 끝에서 또 나누었습니다. 나누는 것은 끝에서 한 번입니다.": [[30.4081]],
            "that is the mean of the blocks' own outputs.": [[(21.3534 / 1.1353 + (30 * np.exp(-3) + 40) / (np.exp(-3) + 1)) / 2]],
            # ko: "블록마다 따로 구한 출력의 평균입니다.": [[(21.3534 / 1.1353 + (30 * np.exp(-3) + 40) / (np.exp(-3) + 1)) / 2]],
        },
        otherwise="Print what you have after each block, and compare it with m, s and o of the table in the text.",
        # ko: otherwise="블록마다 m, s, o를 출력해서 설명의 표와 견주어 보세요.",
    )
    query, key, value = (rng.normal(size=(2, 3, *shape)) for shape in ((5, 4), (7, 4), (7, 6)))
    for block_size in (1, 2, 3, 7, 20):
        check.close(
            streamed(query, key, value, block_size),
            whole(query, key, value),
            f"block_size {block_size} of 7 keys: as all at once",
            # ko: f"키 7개, block_size {block_size}: 한꺼번에 계산한 것과 같다",
            hints={
                "the scores aren't divided by the root of key_dim.": whole(query, key, value, divisor=1.0),
                # ko: "점수를 key_dim의 제곱근으로 나누지 않았습니다.": whole(query, key, value, divisor=1.0),
                "the last, smaller block is left out.": whole(query, key[..., : 7 // block_size * block_size, :], value[..., : 7 // block_size * block_size, :])
                # ko: "더 작은 마지막 블록이 빠졌습니다.": whole(query, key[..., : 7 // block_size * block_size, :], value[..., : 7 // block_size * block_size, :])
                if block_size < 7
                else np.nan,
            },
            otherwise="Are keys and values cut along the last axis but one, are the scores divided by the root of key_dim, and has each query its own sum, and its own maximum of all blocks so far?",
            # ko: otherwise="키와 값을 끝에서 둘째 축을 따라 자르고, 점수를 key_dim의 제곱근으로 나누나요? 합과, 지금까지의 모든 블록에서 구한 최댓값이 쿼리마다 따로 있나요?",
        )
    check.close(
        streamed(1000 * query, key, value, 2),
        whole(1000 * query, key, value),
        "scores in the thousands",
        # ko: "점수가 수천일 때",
        otherwise="Is the maximum that is subtracted the larger of the old one and the block's, and has each query its own?",
        # ko: otherwise="빼는 최댓값이 옛 최댓값과 블록의 최댓값 가운데 큰 것인가요? 쿼리마다 따로 있나요?",
    )
    check.close(
        streamed(np.array([[-1000.0]]), *example[1:], 2),
        [[10.0]],
        "scores of -1000 and far below",
        # ko: "점수가 -1000이거나 그보다 훨씬 낮을 때",
        otherwise="Does the maximum begin at 0? Scores may be negative: it begins at -∞.",
        # ko: otherwise="최댓값이 0에서 시작하지 않나요? 점수가 음수일 수도 있으므로 -∞에서 시작해야 합니다.",
    )

    mask = np.triu(np.ones((5, 7)), 2)
    check.close(
        streamed(query, key, value, 2, mask=mask),
        whole(query, key, value, mask),
        "a mask that hides whole blocks from some queries",
        # ko: "어떤 쿼리에서는 블록을 통째로 가리는 마스크",
        hints={
            "the mask changes nothing.": whole(query, key, value),
            # ko: "마스크가 아무것도 바꾸지 않습니다.": whole(query, key, value),
            "it is turned over: 1 hides, 0 keeps.": whole(query, key, value, 1 - mask),
            # ko: "뒤집혔습니다. 1은 가리고 0은 남깁니다.": whole(query, key, value, 1 - mask),
        },
    )
    check.close(
        streamed(query, key, value, 2, mask=mask[:, ::-1]),
        whole(query, key, value, mask[:, ::-1]),
        "the first block is hidden wholly",
        # ko: "첫 블록이 통째로 가려질 때",
        otherwise="While a row has seen nothing, m' is -∞, and -∞ - (-∞) spoils it for good: subtract 0 there.",
        # ko: otherwise="행이 아직 아무것도 보지 못했으면 m'이 -∞이고, -∞ - (-∞)는 그 행을 끝까지 망칩니다. 거기서는 0을 빼세요.",
    )
    padding = np.zeros((2, 1, 1, 7))
    padding[1] = 1
    answer = streamed(query, key, value, 3, mask=padding)
    check.numbers(answer, "a padding mask that hides everything in the second sequence", "Where the sum is 0, divide by 1.")
    # ko: check.numbers(answer, "둘째 시퀀스에서 모두를 가리는 패딩 마스크", "합이 0인 곳에서는 1로 나누세요.")
    check.close(
        answer,
        whole(query, key, value, padding),
        "a padding mask (batch, 1, 1, key_len) that hides everything in the second sequence: zeros",
        # ko: "둘째 시퀀스에서 모두를 가리는 패딩 마스크 (batch, 1, 1, key_len): 0",
        otherwise="A query whose keys are all hidden gets zeros: a hidden score is -∞, not a large negative number.",
        # ko: otherwise="키가 모두 가려진 쿼리의 결과는 0입니다. 가린 점수는 큰 음수가 아니라 -∞입니다.",
    )
    many = [rng.normal(size=(1024, 4)) for _ in range(3)]
    tracemalloc.start()
    streaming_attention(*many, 32)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    check.true(
        peak < 4e6,
        "1024 queries, 1024 keys, blocks of 32: no NumPy array for all scores (tensors aren't seen here; grading sees all memory)",
        # ko: "쿼리 1,024개, 키 1,024개, 블록 32: 모든 점수를 담는 NumPy 배열이 없다(텐서는 여기서 보이지 않지만 채점에서는 메모리를 모두 봅니다)",
        f"with 1024 queries and 1024 keys in blocks of 32 it takes {peak / 1e6:.1f} MB at its peak. All scores at once are 8.4 MB, those of a block 0.3 MB: "
        # ko: f"쿼리 1,024개와 키 1,024개를 32개씩 계산하는데 메모리를 최대 {peak / 1e6:.1f} MB 씁니다. 모든 점수는 8.4 MB, 블록 하나의 점수는 0.3 MB입니다. "
        "compute these inside of the loop, and keep none of them for later.",
        # ko: "블록의 점수는 반복문 안에서 계산하고 하나도 남겨 두지 마세요.",
    )
_check

# %% [markdown]
# Measured: the largest amount of memory that attention all at once and your function each need, besides what comes in, and the time. Both axes are logarithmic: a line that is twice as steep grows with the square. (Python counts the memory, which sees NumPy's arrays only: if yours computes with tensors, the left picture doesn't show it.) It takes 10 to 30 seconds.
#
# <!-- ko -->
# 재 봅시다. 두 방법이 저마다 입력을 빼고 메모리를 가장 많이 쓸 때의 크기와, 걸린 시간입니다. 두 축이 모두 로그 눈금이므로, 기울기가 2인 선은 토큰 수의 제곱으로 늘어난다는 뜻입니다. (메모리는 파이썬이 재므로 NumPy 배열만 보입니다. 여러분의 코드가 텐서로 계산한다면 왼쪽 그림에 나타나지 않습니다.) 10~30초 걸립니다.

# %%
@demonstrate
def _demo():
    import tracemalloc

    def all_at_once(query, key, value):
        scores = query @ key.T / np.sqrt(query.shape[-1])
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True) @ value

    def measured(function, *arrays):
        function(*arrays)  # the first call of a size may prepare something
        # ko: function(*arrays)  # 크기가 처음인 호출은 준비할 것이 있을 수 있습니다
        began = time.perf_counter()
        function(*arrays)
        seconds = time.perf_counter() - began
        tracemalloc.start()
        function(*arrays)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak / 1e6, seconds

    rng = np.random.default_rng(0)
    example = rng.normal(size=(3, 128, 32))
    right, answer = all_at_once(*example), streaming_attention(*example, 64)
    if np.shape(answer) != right.shape or not np.allclose(to_numpy(answer), right, atol=1e-3):
        raise CheckFailed("streaming_attention doesn't give what attention all at once gives. Look at the check above and repair what it names first.")
        # ko: raise CheckFailed("streaming_attention의 결과가 한꺼번에 계산한 것과 다릅니다. 위의 검사가 알려 주는 것부터 고치세요.")
    lengths = np.array([128, 256, 512, 1024] if BEING_GRADED else [128, 256, 512, 1024, 2048, 4096])
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.4), layout="constrained")
    ways = {"all at once": all_at_once, "blocks of 64": lambda *arrays: streaming_attention(*arrays, 64)}
    # ko: ways = {"한꺼번에 (all at once)": all_at_once, "64개씩 (blocks of 64)": lambda *arrays: streaming_attention(*arrays, 64)}
    for (name, way), colour in zip(ways.items(), ("#3d4a5c", "#c65d3b"), strict=True):
        figures = np.array([measured(way, *rng.normal(size=(3, length, 32))) for length in lengths])
        left.loglog(lengths, figures[:, 0], marker="o", color=colour, label=name)
        right.loglog(lengths, 1000 * figures[:, 1], marker="o", color=colour, label=name)
        print(f"{name:14s} {lengths[-1]} tokens: {figures[-1, 0]:7.1f} MB; twice the tokens take {figures[-1, 0] / figures[-2, 0]:.1f} times the memory")
        # ko: print(f"{name:14s} 토큰 {lengths[-1]}개: {figures[-1, 0]:7.1f} MB. 토큰이 두 배이면 메모리는 {figures[-1, 0] / figures[-2, 0]:.1f}배")
    left.set(xlabel="tokens", ylabel="memory at the peak, MB")
    # ko: left.set(xlabel="토큰 수 (tokens)", ylabel="메모리의 최댓값 (peak), MB")
    right.set(xlabel="tokens", ylabel="milliseconds")
    # ko: right.set(xlabel="토큰 수 (tokens)", ylabel="밀리초 (ms)")
    for ax in (left, right):
        ax.set_xticks(lengths, lengths)
        ax.minorticks_off()
    left.legend()
    plt.show()

# %% [markdown]
# > **Does this hold?** *"FlashAttention is fast because it computes less."* Count for $n$ queries and $n$ keys: how many scores does your function compute, and how many does attention all at once? And look at the
# > right picture again. (Each time was taken once, so the curves are rough.)
#
# <!-- ko -->
# > **정말 그럴까?** *"FlashAttention은 계산을 덜 해서 빠르다."* 쿼리 $n$개와 키 $n$개에 대해 세어 보세요. 여러분의 함수는 점수를 몇 개 계산하고, 한꺼번에 하는 어텐션은 몇 개
# > 계산하나요? 오른쪽 그림도 다시 보세요. (시간은 한 번씩만 쟀으므로 곡선이 거칩니다.)

# %%
@demonstrate
def _demo():
    length, head_dim, block_size = 4096, 64, 64
    blocks = length // block_size
    for name, corrections in (("all at once", 0), ("in blocks", blocks * length * (head_dim + 1))):
    # ko: for name, corrections in (("한꺼번에", 0), ("블록 단위로", blocks * length * (head_dim + 1))):
        multiplications = 2 * length * length * head_dim + corrections
        exponentials = length * length + (blocks * length if corrections else 0)
        print(f"{name:12s} {multiplications / 1e9:.3f} thousand million multiplications, {exponentials / 1e6:.1f} million exponentials")
        # ko: print(f"{name:12s} 곱셈 {multiplications / 1e8:.2f}억 번, 지수 함수 {exponentials / 1e4:,.0f}만 번")

# %% [markdown]
# > **What is right.** It computes all scores, and a little more for the corrections. What it saves is traffic: the scores are never written to the large, slow memory and read back. On a GPU that is what attention
# > waited for, so there it is several times as fast (Dao et al. 2022, section 4). Your processor has a small fast memory too, its cache, so from some length on blocks may be quicker even here. The sure
# > gain is the left picture, and lengths at which the other way can't even start.
#
# <!-- ko -->
# > **맞는 설명.** 점수는 모두 계산하고, 바로잡느라 조금 더 계산합니다. 아끼는 것은 오가는 양입니다. 점수를 크고 느린 메모리에 썼다가 다시 읽어 오지 않습니다. GPU에서 어텐션이 기다리던 것이 바로
# > 그것이므로 거기서는 몇 배 빠릅니다(Dao et al. 2022, 4절). 여러분의 프로세서에도 작고 빠른 메모리인 캐시가 있어, 어느 길이부터는 여기서도 블록 쪽이 빠를 수 있습니다. 확실히 얻는 것은
# > 왼쪽 그림, 그리고 다른 방법으로는 시작조차 할 수 없는 길이입니다.

# %% [markdown]
# ## The model
#
# *Nothing to write here: read, run, and play.*
#
# The parts of tasks 1 to 6 together. A block is made as in 2017, of two sublayers with their residual connections. But the paper is post-norm, and here both models are pre-norm (notebook 05):
#
# ```
#              2017                                        today
#
#    ids ── embedding + sinusoidal table         ids ── embedding
#      │                                           │
#      ├─ LayerNorm ─ multi-head attention         ├─ RMSNorm ─ grouped-query attention, rotary
#      +  ◄────────────┘                           +  ◄─────────────┘
#      ├─ LayerNorm ─ ReLU feed-forward            ├─ RMSNorm ─ SwiGLU
#      +  ◄────────────┘                           +  ◄─────────────┘
#      ┆  two blocks                               ┆  two blocks
#      │                                           │
#    LayerNorm ─ logits                          RMSNorm ─ logits
# ```
#
# Both have the same width, the same depth, the same heads, and the embedding matrix as output (tied, notebook 06). Grouped-query attention saves parameters; the feed-forward
# network of the modern block gets them, so that the two models have the same number of them, within one in a thousand.
#
# Both have a method `step`, but only the modern one uses caches: some ids and the caches of the blocks in, logits and new caches out. That is how it will write.
#
# <!-- ko -->
# ## 모델
#
# *여기서는 작성할 것이 없습니다. 읽고, 실행하고, 바꾸어 보세요.*
#
# 이제 과제 1부터 6까지의 부품을 모읍니다. 블록의 짜임은 2017년처럼 하위 계층(sublayer) 둘과 잔차 연결입니다. 다만 논문은 사후 정규화이고, 여기서는 두 모델 모두 사전 정규화입니다(5번 노트북).
#
# ```
#              2017년                                      오늘
#
#    ID ── 임베딩 + 사인과 코사인의 표           ID ── 임베딩
#      │                                           │
#      ├─ LayerNorm ─ 멀티 헤드 어텐션             ├─ RMSNorm ─ 그룹 쿼리 어텐션, 회전
#      +  ◄────────────┘                           +  ◄─────────────┘
#      ├─ LayerNorm ─ ReLU 피드포워드              ├─ RMSNorm ─ SwiGLU
#      +  ◄────────────┘                           +  ◄─────────────┘
#      ┆  블록 두 개                               ┆  블록 두 개
#      │                                           │
#    LayerNorm ─ 로짓                            RMSNorm ─ 로짓
# ```
#
# 둘은 너비, 깊이, 헤드 수가 같고, 둘 다 임베딩 행렬을 출력에 함께 씁니다(가중치 공유, 6번 노트북). 그룹 쿼리 어텐션에서 아낀 파라미터는 오늘의 블록의 피드포워드 신경망에
# 줍니다. 그래서 두 모델의 파라미터 수의 차이는 0.1%도 되지 않습니다.
#
# 두 모델 모두 `step`이라는 메서드가 있지만, 캐시를 쓰는 것은 오늘의 모델뿐입니다. `step`은 ID 몇 개와 블록의 캐시를 받아 로짓(logits)과 새 캐시를 내놓습니다. 이것으로 글을 씁니다.

# %% locked="model"
D_MODEL, NUM_HEADS, NUM_KV_HEADS, NUM_LAYERS = 96, 4, 2, 2
CONTEXT, BATCH_SIZE, STEPS = 64, 16, 400


class ModernBlock(keras.layers.Layer):
    """A decoder block of today, from your parts: call(x, cache=None) -> (output, cache)."""
    # ko: """여러분의 부품으로 만든 오늘의 디코더 블록: call(x, cache=None) -> (output, cache)."""

    def __init__(self, ff_dim):
        super().__init__()
        self.norms = [RMSNorm(), RMSNorm()]
        self.attention = GroupedQueryAttention(D_MODEL, NUM_HEADS, NUM_KV_HEADS)
        self.feed_forward = SwiGLU(ff_dim)

    def call(self, x, cache=None):
        attended, cache = self.attention(self.norms[0](x), cache=cache)
        x = x + attended
        return x + self.feed_forward(self.norms[1](x)), cache


class Block2017(keras.layers.Layer):
    """A decoder block of the paper's parts, from Keras; it keeps no cache: call(x, cache=None) -> (output, None)."""
    # ko: """논문의 부품을 케라스에서 가져온 디코더 블록. 캐시가 없습니다: call(x, cache=None) -> (output, None)."""

    def __init__(self, ff_dim):
        super().__init__()
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(2)]
        self.attention = keras.layers.MultiHeadAttention(NUM_HEADS, D_MODEL // NUM_HEADS)
        self.feed_forward = keras.Sequential([keras.layers.Dense(ff_dim, activation="relu"), keras.layers.Dense(D_MODEL)])

    def call(self, x, cache=None):
        y = self.norms[0](x)
        x = x + self.attention(y, y, use_causal_mask=True)
        return x + self.feed_forward(self.norms[1](x)), None


class Decoder(keras.Model):
    """
    A language model: ids (batch, seq_len) -> logits of the next token (batch, seq_len, vocab_size).
    # ko: 언어 모델: ID (batch, seq_len) -> 다음 토큰의 로짓 (batch, seq_len, vocab_size).

    Args:
    # ko: 인수:
        vocab_size: number of token ids.
        # ko: vocab_size: 토큰 ID의 수.
        blocks: layers x, cache -> (output, cache).
        # ko: blocks: x, cache -> (output, cache)인 계층들.
        norm: a layer behind the last block.
        # ko: norm: 마지막 블록 뒤의 계층.
        sinusoidal: whether the table of 2017 is added.
        # ko: sinusoidal: 2017년의 표를 더할지.
    """

    def __init__(self, vocab_size, blocks, norm, sinusoidal):
        super().__init__()
        start = keras.initializers.RandomNormal(stddev=D_MODEL**-0.5)
        self.embedding = keras.layers.Embedding(vocab_size, D_MODEL, embeddings_initializer=start)
        self.blocks, self.norm, self.sinusoidal = blocks, norm, sinusoidal
        angles = np.arange(CONTEXT)[:, None] * 10000.0 ** (-np.arange(0, D_MODEL, 2) / D_MODEL)
        self.table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(CONTEXT, D_MODEL).astype("float32")
        self(np.zeros((1, CONTEXT), "int32"))  # now it has its weights
        # ko: self(np.zeros((1, CONTEXT), "int32"))  # 이제 가중치가 생겼습니다

    def call(self, ids):
        return self.step(ids, [None] * len(self.blocks))[0]

    def step(self, ids, caches):
        """Go on behind the caches, one a block (None at the start): logits, new caches."""
        # ko: """블록마다 하나씩인 캐시(처음에는 None) 뒤로 이어 갑니다: 로짓, 새 캐시."""
        x = self.embedding(ids)
        if self.sinusoidal:
            x = x * D_MODEL**0.5 + ops.convert_to_tensor(self.table)[: ids.shape[1]]
        new = []
        for block, cache in zip(self.blocks, caches, strict=True):
            x, cache = block(x, cache=cache)
            new.append(cache)
        return ops.matmul(self.norm(x), ops.transpose(self.embedding.embeddings)), new


def build_modern(vocab_size, seed):
    """The model of today; its feed-forward network is as wide as the parameters allow."""
    # ko: """오늘의 모델. 피드포워드 신경망의 너비는 파라미터 수가 허락하는 만큼입니다."""
    keras.utils.set_random_seed(seed)
    return Decoder(vocab_size, [ModernBlock(ff_dim=292) for _ in range(NUM_LAYERS)], RMSNorm(), sinusoidal=False)


def build_2017(vocab_size, seed):
    """The model of the paper's parts, four times as wide in its feed-forward network."""
    # ko: """논문의 부품으로 만든 모델. 피드포워드 신경망의 너비는 네 배입니다."""
    keras.utils.set_random_seed(seed)
    norm = keras.layers.LayerNormalization(epsilon=1e-6)
    return Decoder(vocab_size, [Block2017(ff_dim=4 * D_MODEL) for _ in range(NUM_LAYERS)], norm, sinusoidal=True)


class Curve(keras.callbacks.Callback):
    """Keeps the loss, a mean over each 10 steps, and the loss on held-out windows every 25; says how far the training is."""
    # ko: """10걸음마다의 평균 손실과 25걸음마다 남겨 둔 글에서의 손실을 모으고, 학습이 어디까지 왔는지 알려 줍니다."""

    def __init__(self, name, held_out):
        super().__init__()
        self.name, self.held_out, self.losses, self.held_out_losses, self.sum = name, held_out, [], {}, 0.0

    def on_train_begin(self, logs=None):
        self.began = time.time()

    def on_train_batch_end(self, batch, logs=None):
        # Keras tells the mean since the beginning: the sum of 10 steps is a difference of sums
        # ko: # 케라스는 처음부터의 평균을 알려 줍니다. 10걸음의 합은 합의 차이입니다
        if (batch + 1) % 10 == 0:
            total = float(logs["loss"]) * (batch + 1)
            self.losses.append((total - self.sum) / 10)
            self.sum = total
            print(f"\r{self.name}: step {batch + 1}, loss {self.losses[-1]:.3f} ", end="", flush=True)
            # ko: print(f"\r{self.name}: {batch + 1}걸음, 손실 {self.losses[-1]:.3f} ", end="", flush=True)
        if (batch + 1) % 25 == 0:
            logits = ops.log_softmax(self.model(self.held_out[:, :-1]))
            right = np.take_along_axis(to_numpy(logits), self.held_out[:, 1:, None], axis=-1)
            self.held_out_losses[batch + 1] = -float(right.mean())

    def on_train_end(self, logs=None):
        print(f"\n{self.name}: {time.time() - self.began:.0f} s")
        # ko: print(f"\n{self.name}: {time.time() - self.began:.0f}초")


def learn(model, name, stream, held_out, steps, seed, peak=3e-3):
    """Train on windows that are drawn from a stream of ids, with warm-up and cosine decay; return the `Curve`."""
    # ko: """ID의 흐름에서 뽑은 구간으로 웜업과 코사인 감쇠로 학습하고 `Curve`를 돌려줍니다."""
    starts = np.random.default_rng(seed).integers(0, len(stream) - CONTEXT - 1, steps * BATCH_SIZE)
    windows = stream[starts[:, None] + np.arange(CONTEXT + 1)].astype("int32")
    warmup = max(1, steps // 10)
    rate = keras.optimizers.schedules.CosineDecay(0.0, max(1, steps - warmup), warmup_target=peak, warmup_steps=warmup)
    model.compile(keras.optimizers.Adam(rate, beta_2=0.98), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    curve = Curve(name, held_out)
    model.fit(windows[:, :-1], windows[:, 1:], batch_size=BATCH_SIZE, shuffle=False, verbose=0, callbacks=[curve])
    return curve


# %% [markdown]
# The end of the chapter and the last poem are held out: the models never train on them. The rest is read in windows of 64 tokens, about sixty times over.
#
# > **Does this hold?** *"The modern parts are what makes the models of today so much better."* Same text, same tokens, same parameters, same steps, same learning rate. Guess: how far apart will
# > the two models end? (Two trainings of 400 steps: less than a minute each on two processor cores that have nothing else to do. With a GPU and a Keras backend that sees it, seconds.)
#
# <!-- ko -->
# 장의 끝부분과 마지막 시는 남겨 둡니다. 모델은 그 부분으로 학습하지 않습니다. 나머지를 토큰 64개짜리 구간으로 예순 번쯤 되풀이해 읽습니다.
#
# > **정말 그럴까?** *"오늘의 모델이 훨씬 나은 것은 요즘 부품 덕분이다."* 글, 토큰, 파라미터 수, 걸음 수, 학습률(learning rate)이 모두 같습니다. 두 모델은 끝에서 얼마나 벌어질까요? 먼저 어림해
# > 보세요. (400걸음씩 두 번 학습합니다. 다른 일이 없는 프로세서 코어 두 개로 한 번에 1분이 걸리지 않습니다. GPU가 있고 케라스 백엔드가 그것을 쓰면 몇 초입니다.)

# %%
@demonstrate
def _demo():
    global _modern, _training_text
    if BEING_GRADED:
        return
    english_end, korean_end = ENGLISH_TEXT.index("Soon her eye"), KOREAN_TEXT.index("청포도\n")
    _training_text = KOREAN_TEXT[:korean_end] + ENGLISH_TEXT[:english_end]
    held_out_text = KOREAN_TEXT[korean_end:] + ENGLISH_TEXT[english_end:]
    stream, rest = (np.array(bpe_encode(text, _merges)) for text in (_training_text, held_out_text))
    held_out = rest[: len(rest) // (CONTEXT + 1) * (CONTEXT + 1)].reshape(-1, CONTEXT + 1).astype("int32")
    vocab_size = 256 + len(_merges)
    modern, old = build_modern(vocab_size, seed=0), build_2017(vocab_size, seed=0)
    for name, model in (("today", modern), ("2017", old)):
    # ko: for name, model in (("오늘", modern), ("2017년", old)):
        print(f"{name}: {model.count_params():,d} parameters")
        # ko: print(f"{name}: 파라미터 {model.count_params():,d}개")
    print(f"{len(stream)} tokens to train on, {len(rest)} held out, {vocab_size} ids; chance is {np.log(vocab_size):.2f}")
    # ko: print(f"학습할 토큰 {len(stream)}개, 남겨 둔 토큰 {len(rest)}개, ID {vocab_size}개. 아무렇게나 찍을 때의 손실 {np.log(vocab_size):.2f}")
    figure, ax = plt.subplots(figsize=(8, 3.6), layout="constrained")
    for name, model, colour in (("today", modern, "#c65d3b"), ("2017", old, "#3d4a5c")):
    # ko: for name, model, colour in (("오늘 (today)", modern, "#c65d3b"), ("2017년 (2017)", old, "#3d4a5c")):
        curve = learn(model, name, stream, held_out, STEPS, seed=0)
        ax.plot(10 * np.arange(1, len(curve.losses) + 1), curve.losses, color=colour, label=f"{name}, training")
        # ko: ax.plot(10 * np.arange(1, len(curve.losses) + 1), curve.losses, color=colour, label=f"{name}, 학습 (training)")
        ax.plot(*zip(*curve.held_out_losses.items(), strict=True), "o:", color=colour, label=f"{name}, held out") if curve.held_out_losses else None
        # ko: ax.plot(*zip(*curve.held_out_losses.items(), strict=True), "o:", color=colour, label=f"{name}, 남겨 둔 글 (held out)") if curve.held_out_losses else None
        for step, loss in list(curve.held_out_losses.items())[3::4]:
            print(f"   {step:3d} steps: training {np.mean(curve.losses[step // 10 - 3 : step // 10]):.2f} (mean of the last 30), held out {loss:.2f}")
            # ko: print(f"   {step:3d}걸음: 학습 {np.mean(curve.losses[step // 10 - 3 : step // 10]):.2f}(마지막 30걸음의 평균), 남겨 둔 글 {loss:.2f}")
        if curve.held_out_losses:
            best = min(curve.held_out_losses, key=curve.held_out_losses.get)
            print(f"   held out at its best: {curve.held_out_losses[best]:.2f} after {best} steps")
            # ko: print(f"   남겨 둔 글에서 가장 좋을 때: {best}걸음 뒤 {curve.held_out_losses[best]:.2f}")
    _modern = modern  # trained now, and ready to speak
    # ko: _modern = modern  # 이제 학습했으니 말할 수 있습니다
    ax.set(xlabel="step", ylabel="loss a token", ylim=(0, None))
    # ko: ax.set(xlabel="걸음 (step)", ylabel="토큰마다의 손실 (loss)", ylim=(0, None))
    ax.legend()
    plt.show()

# %% [markdown]
# > **What is right.** They learn faster. In our measurements (three, TensorFlow) the loss of the modern model after 200 steps (the mean of 30 steps) was about 1, that of the older one 1.7 to 2.1; after 400 steps about 0.4 against 0.6
# > to 0.7. But look at the dotted lines. On text that neither has seen, the modern model is at its best after some 50 steps, at 5.7 or 5.8, and gets worse from then on; the older one
# > gets to 5.2 or 5.3, and gets worse as well, only later. What both learn faster or slower is this text *by heart*: 300 000 parameters have room for 6700 tokens, and the better
# > learner is the first to stop learning anything else. So parts don't make a model know more than its text holds. They make training quicker, caches smaller and texts longer,
# > and thereby pay for what this experiment held fixed: more text, more parameters, more steps.
# >
# > And one measurement on one small text is no law. Try other seeds, other learning rates, one new part at a time.
#
# ### Let it speak
#
# The model goes on behind a prompt, one token a step, with the caches of your `GroupedQueryAttention`.
#
# > **Does this hold?** *"It has learnt to write."* The first three prompts begin lines of the text, the last one doesn't stand there. Guess what becomes of each. The number says how many characters in a row
# > stand in the training text word for word. (Two prompts begin with a line break: a single one belongs to the word behind it. On JAX, where every new length of the cache is compiled anew, the cell takes minutes.)
#
# <!-- ko -->
# > **맞는 설명.** 더 빨리 배웁니다. 우리가 세 번 재어 보니(텐서플로) 200걸음 뒤의 손실(30걸음의 평균)은 오늘의 모델이 1쯤, 2017년 모델이 1.7에서 2.1이었고, 400걸음 뒤에는 0.4쯤 대
# > 0.6에서 0.7이었습니다. 그런데 점선을 보세요. 둘 다 본 적이 없는 글에서 오늘의 모델은 50걸음쯤에 5.7이나 5.8로 가장 좋고 그 뒤로는 나빠지기만 합니다. 2017년 모델은 5.2나 5.3까지
# > 가고, 나빠지는 것은 마찬가지지만 더 늦습니다. 빠르든 느리든 둘이 배우는 것은 이 글을 *외우는* 것입니다. 파라미터 30만 개에는 토큰 6,700개가 들어갈 자리가 있고, 더 잘 배우는
# > 쪽이 외우기만 하는 단계에도 먼저 이릅니다. 부품이 좋다고 모델이 글에 없는 것을 알게 되지는 않습니다. 부품은 학습을 빠르게, 캐시를 작게, 글을 길게 해 줍니다. 그렇게 해서 이 실험이
# > 고정해 둔 것, 곧 더 많은 글과 더 많은 파라미터와 더 많은 걸음을 감당하게 해 줍니다.
# >
# > 그리고 작은 글 하나에서 잰 것이 법칙은 아닙니다. 다른 시드와 다른 학습률로, 또 새 부품을 하나씩만 바꾸어 가며 해 보세요.
#
# ### 말을 시켜 보기
#
# 모델이 프롬프트(prompt) 뒤를 이어 씁니다. 한 걸음에 토큰 하나씩, 여러분의 `GroupedQueryAttention`의 캐시를 써서 씁니다.
#
# > **정말 그럴까?** *"모델이 글쓰기를 배웠다."* 처음 세 프롬프트는 글에 있는 줄의 첫머리이고, 마지막 것은 글에 없습니다. 저마다 어떻게 이어질지 어림해 보세요. 숫자는 몇 글자가 학습한 글에
# > 그대로 이어져 있는지를 나타냅니다. (프롬프트 둘은 줄바꿈으로 시작합니다. 하나뿐인 줄바꿈은 뒤 단어에 붙기 때문입니다. 캐시의 길이가 바뀔 때마다 새로 컴파일하는 JAX에서는 몇 분 걸립니다.)

# %%
@demonstrate
def _demo():
    def speak(model, prompt, count, rng, temperature):
        """Write `count` tokens behind a prompt, each from the newest token and the caches alone."""
        # ko: """프롬프트 뒤에 토큰 `count`개를 씁니다. 매번 새 토큰 하나와 캐시만 씁니다."""
        said = bpe_encode(prompt, _merges)
        logits, caches = model.step(np.array([said], "int32"), [None] * NUM_LAYERS)
        for _ in range(count):
            scores = to_numpy(logits)[0, -1].astype("float64") / temperature
            chances = np.exp(scores - scores.max())
            said.append(int(rng.choice(len(chances), p=chances / chances.sum())))
            logits, caches = model.step(np.array([said[-1:]], "int32"), caches)
        return bpe_decode(said, _merges)

    def longest_copy(said):
        """Return the longest piece of what was said that stands in the training text, letter by letter."""
        # ko: """말한 것 가운데 학습한 글에 글자 그대로 있는 가장 긴 부분을 돌려줍니다."""
        best = ""
        for start in range(len(said)):
            while start + len(best) < len(said) and said[start : start + len(best) + 1] in _training_text:
                best = said[start : start + len(best) + 1]
        return best

    if not BEING_GRADED:
        prompts = ("\n나는 당신을", "어머님, 나는 별 하나에", "Alice was beginning", "\nThe Rabbit is a poet")
        for prompt in prompts:
            said = speak(_modern, prompt, 50, np.random.default_rng(1), temperature=0.3)
            print(f"--- {len(longest_copy(said))} of {len(said)} characters are one piece of the training text, letter by letter")
            # ko: print(f"--- {len(said)}자 가운데 {len(longest_copy(said))}자가 학습한 글에 글자 그대로 이어져 있습니다")
            print(said.strip())

# %% [markdown]
# > **What is right.** Where the prompt leads into the text, the model recites, letter by letter; if it slips, it seldom finds its way back. Where the prompt leads elsewhere, words and bits of words follow without a meaning. It has
# > learnt this text by heart, and not how to write. The models that people talk to are made of the same parts. They have read more than a thousand million times as much: too much to be learnt by heart, so that
# > knowing how texts go is what is left to learn.
#
# ## ★ A cache that forgets (optional, no points)
#
# *Difficulty 4 of 5, about 60 minutes.*
#
# `create_window_mask` hides what has left the window, but a cache that still holds it saves nothing. Write the step that a model with a window takes in use: one new position, and a cache that never
# holds more than the sinks and the window, however long the text gets. (Xiao et al. 2023, section 3.2, count positions within the cache, so that the distance to the sinks stays what it was in training.
# Here the true positions are kept, to compare with the mask.) The outputs have to be those of the whole pass under your mask. Your layer's own `call` is of little use here: it counts positions by the
# length of the cache, which no longer grows.
#
# <details><summary>Hint 1: Where does the newest position stand?</summary>
#
# Where it is told: `position`. So turn query and key by that; the keys in the cache were turned when they came, and stay as they are.
#
# </details>
#
# <details><summary>Hint 2: What is forgotten, and when?</summary>
#
# Put the new key behind the others first. If there are more than `sinks + window`, the oldest that is no sink goes. What is left is exactly what the mask shows, so no mask is needed.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** 프롬프트가 글에 있는 문장이면 모델은 그 뒤를 외운 그대로 이어 씁니다. 어쩌다 틀리면 좀처럼 제자리로 돌아오지 못합니다. 프롬프트가 글에 없는 것이면 단어와 단어의 조각이
# > 뜻 없이 이어집니다. 이 글을 외웠을 뿐 글쓰기를 배우지는 않은 것입니다. 사람들이 대화하는 모델도 부품은 같습니다. 다만 읽은 글이 십억 배도 넘게 많습니다. 외우기에는 너무 많아서, 글이 어떻게
# > 이어지는지를 배우는 수밖에 없습니다.
#
# ## ★ 잊는 캐시 (선택, 점수 없음)
#
# *난이도 4/5, 60분쯤.*
#
# `create_window_mask`는 윈도를 벗어난 것을 가리지만, 그것이 캐시에 그대로 있으면 아끼는 것이 없습니다. 윈도가 있는 모델을 실제로 쓸 때의 한 걸음을 작성해 보세요. 새 위치 하나의 출력을 구하고, 캐시에는
# 많아야 `sinks + window`개의 위치만 담습니다. 그러면 글이 아무리 길어도 캐시는 커지지 않습니다. (Xiao et al. 2023의 3.2절은 싱크까지의 거리가 학습할 때보다 길어지지 않도록 캐시 안에서의 순서를 위치로 씁니다. 여기서는 마스크와 견주려고
# 원래 위치를 씁니다.) 출력은 여러분의 마스크를 쓴 전체 계산과 같아야 합니다. 계층의 `call`은 여기서는 별 도움이 되지 않습니다. 캐시의 길이로 위치를 세는데, 캐시가 이제 더 길어지지 않기
# 때문입니다.
#
# <details><summary>힌트 1: 새 위치는 어디일까요?</summary>
#
# 받은 그대로 `position`입니다. 쿼리와 키를 그만큼 돌리세요. 캐시에 있는 키는 들어올 때 이미 돌렸으니 그대로 둡니다.
#
# </details>
#
# <details><summary>힌트 2: 무엇을 언제 잊을까요?</summary>
#
# 먼저 새 키를 뒤에 붙입니다. `sinks + window`개보다 많으면 싱크가 아닌 가장 오래된 것을 버립니다. 남은 것은 마스크가 보여 주는 것과 똑같으므로 마스크는 필요 없습니다.
#
# </details>


# %%
def _step_in_window(layer, x, cache, position, window, sinks):
    """
    Take one position (batch, 1, d_model) through a `GroupedQueryAttention` with a cache that forgets: output, new cache.
    # ko: 위치 하나 (batch, 1, d_model)을 잊는 캐시로 `GroupedQueryAttention`에 통과시킵니다: 출력, 새 캐시.

    `cache` is None at position 0, then (keys, values), each (batch, num_kv_heads, at most sinks + window, head_dim), keys already turned.
    # ko: `cache`는 위치 0에서는 None, 그다음부터는 (keys, values)입니다. 저마다 (batch, num_kv_heads, 많아야 sinks + window, head_dim)이고 키는 이미 돌린 것입니다.
    """
    raise NotImplementedError()

# %% folded=true
@demonstrate
def _demo():
    x = np.random.default_rng(3).normal(size=(2, 14, 12)).astype("float32")
    keras.utils.set_random_seed(3)
    layer = GroupedQueryAttention(12, 6, 3)
    layer(x)
    examinations = {}
    for window, sinks in ((4, 2), (3, 0), (20, 1)):
        heads = lambda dense: to_numpy(dense(x)).reshape(2, 14, -1, 2).transpose(0, 2, 1, 3)
        query, key = (to_numpy(rotary(heads(dense), np.arange(14))) for dense in (layer.query_dense, layer.key_dense))
        key, value = (np.repeat(part, 2, axis=1) for part in (key, heads(layer.value_dense)))
        scores = query @ key.transpose(0, 1, 3, 2) / 2**0.5 - 1e9 * to_numpy(create_window_mask(14, window, sinks))
        likelihoods = np.exp(scores - scores.max(axis=-1, keepdims=True))
        merged = (likelihoods / likelihoods.sum(axis=-1, keepdims=True) @ value).transpose(0, 2, 1, 3).reshape(2, 14, 12)
        whole = to_numpy(layer.output_dense(merged.astype("float32")))
        cache, outputs, sizes = None, [], []
        for position in range(14):
            output, cache = _step_in_window(layer, x[:, position : position + 1], cache, position, window, sinks)
            outputs.append(to_numpy(output))
            sizes.append(max(part.shape[2] for part in cache))
        off = np.abs(np.concatenate(outputs, axis=1) - whole).max()
        examinations[f"window {window}, sinks {sinks}: step by step as in the whole pass under the mask"] = off < 1e-3
        # ko: examinations[f"윈도 {window}, 싱크 {sinks}개: 한 걸음씩 계산한 것이 마스크를 쓴 전체 계산과 같다"] = off < 1e-3
        examinations[f"window {window}, sinks {sinks}: the cache holds {max(sizes)} positions, at most {sinks + window}"] = max(sizes) <= sinks + window
        # ko: examinations[f"윈도 {window}, 싱크 {sinks}개: 캐시에 위치 {max(sizes)}개, 많아야 {sinks + window}개"] = max(sizes) <= sinks + window
    for words, holds in examinations.items():
        print("✓" if holds else "✗", words)

# %% [markdown]
# ## What you have now
#
# - A tokenizer that knows no unknown word, learnt from text by counting pairs.
# - Positions that are turned instead of added: of positions, the score knows the offset alone (01's invariance).
# - RMSNorm: simpler, with half the weights. SwiGLU: a little better, at the same number of parameters.
# - Grouped-query attention: keys and values shared, the cache a fraction of its size, and token by token the same as the whole pass.
# - A window and sinks, as a mask. A softmax that never sees its whole row.
#
# What remains of 2017: queries, keys and values, the residual connections, the two sublayers of a block. That is what you wrote in notebooks 02 to 06.
#
# **References.** Sennrich et al. 2016, *Neural Machine Translation of Rare Words with Subword Units*, section 3.2. Radford et al. 2019, *Language Models are Unsupervised Multitask Learners*, section
# 2.2. Su et al. 2021, *RoFormer: Enhanced Transformer with Rotary Position Embedding*, section 3.2.2. Zhang and Sennrich 2019, *Root Mean Square Layer Normalization*, section 4. Shazeer 2020, *GLU Variants
# Improve Transformer*, section 2. Shazeer 2019, *Fast Transformer Decoding: One Write-Head is All You Need*, section 3. Ainslie et al. 2023, *GQA: Training Generalized Multi-Query Transformer Models from
# Multi-Head Checkpoints*, section 2.2. Beltagy et al. 2020, *Longformer: The Long-Document Transformer*, section 3.1. Xiao et al. 2023, *Efficient Streaming Language Models with Attention Sinks*, section 3.
# Milakov and Gimelshein 2018, *Online normalizer calculation for softmax*, section 3. Dao et al. 2022, *FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness*, section 3.1.
#
# <!-- ko -->
# ## 지금 가진 것
#
# - 쌍을 세어 글에서 배운, 모르는 단어가 없는 토크나이저.
# - 더하는 대신 돌리는 위치. 점수는 위치에 대해서는 거리만 압니다(1번 노트북의 불변성).
# - 더 단순하고 가중치가 절반인 RMSNorm. 파라미터 수는 같은데 조금 더 나은 SwiGLU.
# - 그룹 쿼리 어텐션. 키와 값을 함께 쓰고, 캐시는 몇 분의 일이 되고, 토큰 하나씩 계산해도 한 번에 계산한 것과 같습니다.
# - 마스크로 나타낸 윈도와 싱크. 행 전체를 한 번도 보지 않는 소프트맥스.
#
# 2017년에서 남은 것은 쿼리와 키와 값, 잔차 연결, 블록의 두 하위 계층입니다. 여러분이 2번부터 6번 노트북까지 작성한 것입니다.
#
# **참고 문헌.** Sennrich et al. 2016, *Neural Machine Translation of Rare Words with Subword Units*, 3.2절. Radford et al. 2019, *Language Models are Unsupervised Multitask Learners*,
# 2.2절. Su et al. 2021, *RoFormer: Enhanced Transformer with Rotary Position Embedding*, 3.2.2절. Zhang and Sennrich 2019, *Root Mean Square Layer Normalization*, 4절. Shazeer 2020, *GLU Variants
# Improve Transformer*, 2절. Shazeer 2019, *Fast Transformer Decoding: One Write-Head is All You Need*, 3절. Ainslie et al. 2023, *GQA: Training Generalized Multi-Query Transformer Models from
# Multi-Head Checkpoints*, 2.2절. Beltagy et al. 2020, *Longformer: The Long-Document Transformer*, 3.1절. Xiao et al. 2023, *Efficient Streaming Language Models with Attention Sinks*, 3절.
# Milakov and Gimelshein 2018, *Online normalizer calculation for softmax*, 3절. Dao et al. 2022, *FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness*, 3.1절.
