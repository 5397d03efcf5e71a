# %% [markdown]
# # The modern Transformer: from the paper of 2017 to the models of today
#
# <!-- ko -->
# # 오늘의 트랜스포머: 2017년 논문에서 요즘 모델까지

# %% locked="setup"
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorFlow reports more than anybody wants to read
# ko: os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # 텐서플로의 로그가 너무 많아 줄입니다

import re
import time
from collections import Counter

import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops

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
# ## Task 1 · Learn the vocabulary
#
# <!-- ko -->
# ## 과제 1 · 어휘 배우기


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
            # ko: 세기: 쌍은 한 토큰 바로 뒤에 다른 토큰이 오는 횟수만큼 나옵니다. 그래서 a a a에는 (a, a)가 두 번 나옵니다.
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
            for pair in zip(tokens, tokens[1:]):
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
    check.true(train_bpe("", 5) == [], "an empty text has no merges", "an empty text should give [].")
    # ko: check.true(train_bpe("", 5) == [], "빈 글에는 병합이 없다", "빈 글에는 []를 돌려주어야 합니다.")
_check

# %% [markdown]
# ## Task 2 · Encode and decode
#
# <!-- ko -->
# ## 과제 2 · 부호화와 복호화


# %% task="bpe-encode" builds_on="bpe-train"
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
        while present := ranks.keys() & zip(tokens, tokens[1:]):
            tokens = merge_pair(tokens, min(present, key=ranks.get))
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
        merges: those with which the text was encoded.
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
    check.true(bpe_encode("", []) == [], "an empty text has no tokens", "an empty text should give [].")
    # ko: check.true(bpe_encode("", []) == [], "빈 글에는 토큰이 없다", "빈 글에는 []를 돌려주어야 합니다.")
_check

# %% [markdown]
# ## Task 3 · Rotary positions
#
# <!-- ko -->
# ## 과제 3 · 회전 위치 인코딩


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
    rates = (base ** (-np.arange(0, head_dim, 2) / head_dim)).astype("float32")
    angles = ops.cast(positions, "float32")[:, None] * rates  # (seq_len, head_dim // 2)
    cos, sin = ops.cast(ops.cos(angles), x.dtype), ops.cast(ops.sin(angles), x.dtype)
    a, b = (x[..., 0::2], x[..., 1::2]) if interleaved else (x[..., : head_dim // 2], x[..., head_dim // 2 :])
    a, b = a * cos - b * sin, a * sin + b * cos
    return ops.reshape(ops.stack([a, b], axis=-1), ops.shape(x)) if interleaved else ops.concatenate([a, b], axis=-1)
    ### END SOLUTION


# %% grade="rotary" points=4
@checking("rotary")
def _check(check):
    check.shape(rotary(np.ones((2, 3, 4)), np.arange(3)), (2, 3, 4), "(..., seq_len, head_dim)")
_check

# %% [markdown]
# ## Task 4 · RMSNorm
#
# <!-- ko -->
# ## 과제 4 · RMSNorm


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
    check.shape(RMSNorm()(np.ones((2, 3, 4), "float32")), (2, 3, 4), "(..., dim)")
_check

# %% [markdown]
# ## Task 5 · SwiGLU
#
# <!-- ko -->
# ## 과제 5 · SwiGLU


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
    check.shape(SwiGLU(6)(np.ones((2, 3, 4), "float32")), (2, 3, 4), "(..., dim)")
_check

# %% [markdown]
# ## Task 6 · Grouped-query attention
#
# <!-- ko -->
# ## 과제 6 · 그룹 쿼리 어텐션


# %% task="grouped-attention" builds_on="rotary"
class GroupedQueryAttention(keras.layers.Layer):
    """
    Causal self-attention whose query heads share key and value heads in groups (Ainslie et al. 2023, section 2.2).
    # ko: 쿼리 헤드가 여럿씩 키와 값의 헤드를 함께 쓰는 인과적 셀프 어텐션(Ainslie et al. 2023, 2.2절).

    Query head h uses key and value head h // (num_heads // num_kv_heads): neighbours share. Head h of a projection has its
    # ko: 쿼리 헤드 h는 키와 값의 헤드 h // (num_heads // num_kv_heads)를 씁니다. 이웃끼리 나누어 쓰는 것입니다. 투영의 헤드 h는
    features h * head_dim to (h + 1) * head_dim - 1, where head_dim = d_model // num_heads. Queries and keys (not values) are turned
    # ko: 특징 h * head_dim부터 (h + 1) * head_dim - 1까지이고, head_dim = d_model // num_heads입니다. 쿼리와 키는(값은 아님)
    by `rotary`, interleaved, base 10000; scores are divided by the square root of head_dim.
    # ko: `rotary`로 돌리고(interleaved, base 10000), 점수는 head_dim의 제곱근으로 나눕니다.

    Args:
    # ko: 인수:
        d_model: width of the inputs and outputs.
        # ko: d_model: 입력과 출력의 너비.
        num_heads: number of query heads; divides d_model.
        # ko: num_heads: 쿼리 헤드의 수. d_model을 나누어떨어지게 합니다.
        num_kv_heads: number of key heads and of value heads; divides num_heads.
        # ko: num_kv_heads: 키 헤드의 수이자 값 헤드의 수. num_heads를 나누어떨어지게 합니다.

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
        # ko: ValueError: num_heads가 d_model을, 또는 num_kv_heads가 num_heads를 나누어떨어지게 하지 않으면 계층을 만들 때. 오류 메시지에
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
    output, cache = GroupedQueryAttention(8, 4, 2)(np.ones((2, 3, 8), "float32"))
    check.shape(output, (2, 3, 8), "(batch, seq_len, d_model)")
_check

# %% [markdown]
# ## Task 7 · A window with sinks
#
# <!-- ko -->
# ## 과제 7 · 싱크가 있는 윈도


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
        # ko: (size, size), 실수. 행은 보는 위치, 열은 보이는 위치. 1이 가리고 0이 남깁니다.
    """
    ### BEGIN SOLUTION
    i, j = np.arange(size)[:, None], np.arange(size)
    seen = (j <= i) & ((i - j < window) | (j < sinks))
    return (~seen).astype("float32")
    ### END SOLUTION


# %% grade="window-mask" points=1
@checking("create_window_mask")
def _check(check):
    check.shape(create_window_mask(5, 2), (5, 5), "(size, size)")
_check

# %% [markdown]
# ## Task 8 · Streaming softmax
#
# <!-- ko -->
# ## 과제 8 · 스트리밍 소프트맥스


# %% task="streaming-softmax"
def streaming_attention(query, key, value, block_size, mask=None):
    """
    Scaled dot-product attention that takes keys and values block by block.
    # ko: 키와 값을 블록 단위로 받아 계산하는 스케일드 닷 프로덕트 어텐션.

    It keeps a running maximum and a running sum for each query (Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022,
    # ko: 쿼리마다 지금까지의 최댓값과 합을 지닙니다(Milakov and Gimelshein 2018, 알고리즘 3. Dao et al. 2022,
    section 3.1), and never has more than (..., query_len, block_size) scores at once.
    # ko: 3.1절). 점수는 한 번에 (..., query_len, block_size)개보다 많이 만들지 않습니다.

    Args:
    # ko: 인수:
        query: (..., query_len, key_dim).
        key: (..., key_len, key_dim).
        value: (..., key_len, value_dim).
        block_size: keys in a block, 1 or more; the last block may be smaller, and key_len may be smaller than one block.
        # ko: block_size: 블록 하나의 키 수, 1 이상. 마지막 블록은 더 작을 수 있고, key_len이 블록 하나보다 작을 수도 있습니다.
        mask: None, or floats that broadcast to (..., query_len, key_len), the last axis key_len long; 1 hides, 0 keeps.
        # ko: mask: None, 또는 (..., query_len, key_len)으로 브로드캐스트되는 실수. 마지막 축의 길이는 key_len. 1이 가리고 0이 남깁니다.

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
    check.shape(streaming_attention(np.ones((2, 3, 4)), np.ones((2, 5, 4)), np.ones((2, 5, 6)), 2), (2, 3, 6), "(..., query_len, value_dim)")
_check
