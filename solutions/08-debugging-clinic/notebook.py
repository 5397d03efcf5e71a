# %% [markdown]
# # Debugging clinic: mistakes that training hides
#
# A web server with a mistake crashes. A Transformer with a mistake *trains*. Its shapes fit, its loss falls, its curves look like
# those in a textbook, and it is useless, or merely worse than it should be, and nobody ever finds out. Four of the five mistakes
# in this notebook come from teaching material that has been published, copied and starred; the fifth, labels that are not
# shifted, is a common one. The code is ours, but no mistake is made up.
#
# You do two things with each: **repair** it, and write a **check** that tells the broken version from the repaired one. The
# check is the part that lasts. It belongs in your tests, and it will be run on versions that you haven't seen.
#
# ![You are here: the training, and what it hides of mistakes in any part.](../_shared/diagrams/model-08.svg)
#
# | tasks | the mistake | what it looks like in training | points |
# |---|---|---|---|
# | 1, 2 | a mask turned upside down | perfect, and soon | 2 + 2 |
# | 3, 4 | a feed-forward network that is computed and lost | nothing to see | 2 + 2 |
# | 5, 6 | two arguments that have changed places | nothing to see, and the parameters add up | 2 + 2 |
# | 7, 8 | scores divided by the wrong root | nothing to see | 2 + 2 |
# | 9, 10 | labels that are not shifted | perfect, and soon | 2 + 2 |
#
# **How it works.** Cells that say `# YOUR CODE HERE` hold broken code that you repair, or a function that you write. The cell
# below each one holds public checks. Points come from other inputs after you hand in, in steps. A mistake in one task does not
# cost you the points of a later one. NumPy, `keras.ops` and `tf.*` all count the same (only the demonstrations of tasks 1 and 3 build Keras models: there, use `keras.ops` or Python's own `+` for what you compute from x; a mask may be made with NumPy).
#
# <!-- ko -->
# # 디버깅 클리닉: 학습이 감추는 버그들
#
# 웹 서버에 버그(bug)가 있으면 서버가 멈춥니다. 트랜스포머(Transformer)에 버그가 있으면 *학습이 됩니다*. 모양(shape)은 맞고 손실(loss)은
# 줄고 곡선은 교과서 그림 같은데, 모델(model)은 쓸모가 없거나 생각보다 못할 뿐이고 아무도 눈치채지 못합니다. 이 노트북에 나오는 다섯
# 가지 버그 가운데 넷은 공개되어 널리 복사되고 깃허브 스타까지 받은 교육 자료에서 나온 것이고, 다섯째인 한 칸 밀지 않은 라벨(label)은 흔한 버그입니다. 코드는 이
# 과정에서 새로 썼지만, 지어낸 버그는 없습니다.
#
# 버그마다 두 가지를 합니다. **고치고**, 고장 난 코드와 고친 코드를 가려내는 **검사**(check)를 작성합니다. 오래 남는 것은 검사입니다. 앞으로
# 여러분의 테스트에 포함되고, 채점할 때는 여러분이 보지 못한 코드에도 적용해 봅니다.
#
# ![지금 여기: 학습. 어느 부분의 버그든 학습이 감춥니다.](../_shared/diagrams/model-08.svg)
#
# | 과제 | 버그 | 학습할 때의 모습 | 배점 |
# |---|---|---|---|
# | 1, 2 | 거꾸로 된 마스크(mask) | 금세 완벽해 보임 | 2 + 2 |
# | 3, 4 | 계산해 놓고 버린 피드포워드 신경망(feed-forward network) | 표가 나지 않음 | 2 + 2 |
# | 5, 6 | 자리가 바뀐 두 인수 | 표가 나지 않고 파라미터(parameter) 수도 맞음 | 2 + 2 |
# | 7, 8 | 엉뚱한 제곱근으로 나눈 점수(score) | 표가 나지 않음 | 2 + 2 |
# | 9, 10 | 밀지 않은 라벨 | 금세 완벽해 보임 | 2 + 2 |
#
# **진행 방법.** `# YOUR CODE HERE`라고 적힌 셀에는 여러분이 고칠 고장 난 코드나 여러분이 작성할 함수가 있습니다. 바로 아래 셀에는 공개
# 검사가 있습니다. 점수는 제출한 뒤 다른 입력으로 항목별로 나누어 매깁니다. 한 과제에서 틀려도 뒤 과제의 점수는 깎이지 않습니다. NumPy,
# `keras.ops`, `tf.*` 모두 똑같이 인정합니다(과제 1과 3의 시연은 케라스 모델을 만들므로, 거기서 x로 하는 계산에는 `keras.ops`나 `+` 같은 파이썬 연산이 필요합니다. 마스크는 NumPy로 만들어도 됩니다).

# %% locked="setup" include="quiet_keras.py"
import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops

to_numpy = ops.convert_to_numpy
# While the notebook is graded or validated, its trainings and their pictures are left out: nothing is graded by them.
# ko: # 채점하거나 검사(Validate)하는 동안에는 학습과 그 그림을 건너뜁니다. 이것으로 매기는 점수는 없습니다.
BEING_GRADED = "NBGRADER_EXECUTION" in os.environ

# %% locked="checks" include="checks.py"

# %% locked="verdicts" folded=true
# More that errors come from in this notebook, each as in the list above
# ko: # 이 노트북에서 나는 오류의 원인 몇 가지 더. 하나하나의 꼴은 위의 목록과 같습니다
_CAUSES[:0] = [
    (
        r"^AssertionError",
        "",
        "An assertion stops the code here. A check that you write answers instead: compare, and return True or False.",
        # ko: "단언문(assert)에서 코드가 멈춥니다. 여러분이 작성하는 검사는 멈추지 말고 답해야 합니다. 비교한 뒤 True나 False를 돌려주세요.",
    ),
    (
        r"\bof\s(dtype\s)?bool\b|tf\.bool\b|boolean\s(subtract|negative)|a\sbool\stensor|accept\sdtype\sbool",
        r"\bis_later\b",
        "`is_later` holds truth values. On TensorFlow operators such as `-` or `== 0` don't work on them. A function of `ops` turns them over.",
        # ko: "`is_later`에는 참과 거짓이 들어 있습니다. 텐서플로에서는 `-`나 `== 0` 같은 연산자를 여기에 쓸 수 없습니다. `ops`에 참과 거짓을 뒤집는 함수가 있습니다.",
    ),
    (
        r"(truth|Boolean)\svalue\sof",
        r"\bnot[\s(]+(is_later|\w*[m]ask)\b",
        "Python's `not` gives one truth value, and the mask has one for each entry. A function of `ops` turns each entry round.",
        # ko: "파이썬의 `not`은 참이나 거짓 하나만 내놓지만 마스크에는 원소마다 값이 있습니다. `ops`에 원소마다 뒤집는 함수가 있습니다.",
    ),
    (
        r"NoneType|convert\selements\sof\s\(",
        r"causal_self_attention\([\s\S]*\b(tile|broadcast_to|repeat|ones|zeros)\([^\n]*\n*\Z",
        "The size of the batch isn't known while a model is built. Leave the mask's first axis at 1, which fits any batch.",
        # ko: "모델을 만드는 동안에는 배치의 크기를 알 수 없습니다. 마스크의 첫 축을 1로 두면 어떤 배치에나 맞습니다.",
    ),
    (
        r"'list'\sobject\shas\sno\sattribute\s'shape'",
        "",
        "A list stands here, where one array is wanted: `ops.stack` joins arrays of the same shape along a new axis.",
        # ko: "배열 하나가 필요한 곳에 리스트가 있습니다. 모양이 같은 배열들은 `ops.stack`이 새 축을 따라 하나로 쌓습니다.",
    ),
    (
        r"Cast\sstring\sto\sbool",
        "",
        "The mask is text. In a notebook `!` begins a command of the shell, and what it prints is text; a function of `ops` turns truth values over.",
        # ko: "마스크가 문자열입니다. 노트북에서 `!`는 셸 명령을 시작하고, 결과로는 그 명령이 출력한 문자열이 나옵니다. `ops`에 참과 거짓을 뒤집는 함수가 있습니다.",
    ),
    (
        r"Invalid\sdtype:\s[Bb]ool",
        "",
        "The dtype of truth values is called `\"bool\"`.",
        # ko: "참과 거짓의 dtype은 이름이 `\"bool\"`입니다.",
    ),
    (
        r"name\s'leaks_future'",
        "",
        "`leaks_future` is a function that you wrote in notebook 04, and it isn't in this one: copy it from there into the cell of this answer.",
        # ko: "`leaks_future`는 4번 노트북에서 여러분이 작성한 함수이고 이 노트북에는 없습니다. 거기에서 이 답의 셀로 복사해 오세요.",
    ),
    (
        r"function'?\sobject|type\s'function'",
        r"\bbuild\(",
        "`build(d_model, num_heads)` returns a function. Call that function on an input x: it returns (output, weights).",
        # ko: "`build(d_model, num_heads)`는 함수를 돌려줍니다. 그 함수를 입력 x로 호출해야 (output, weights)가 나옵니다.",
    ),
    (
        r"argument\s`value_dim`",
        "",
        "The third place of `MultiHeadAttention` belongs to `value_dim`, the width of a head's values: give any other argument by its name.",
        # ko: "`MultiHeadAttention`의 셋째 자리는 헤드마다 값의 너비인 `value_dim`입니다. 다른 인수는 이름을 적어 주세요.",
    ),
]


def _as_verdict(verdict):
    """Return a verdict as an array of truth values or numbers, None for anything else: one in an array or a list counts, too."""
    # ko: """판단을 참과 거짓이나 수의 배열로 돌려주고, 다른 것이면 None을 돌려줍니다. 배열이나 리스트에 담긴 판단 하나도 셉니다."""
    if not isinstance(verdict, (bool, int, float, list)) and not hasattr(verdict, "shape"):
        return None
    try:
        value = np.asarray(_as_array(verdict).tolist())
    except Exception:  # such as rows of different lengths
    # ko: except Exception:  # 이를테면 길이가 다른 행들
        return None
    return value if value.dtype.kind in "biuf" else None


def _says_broken(verdict):
    value = _as_verdict(verdict)
    return bool(verdict if value is None else value.all())


def _calls(detect, version):
    """Whether a check of yours calls the version that it gets."""
    # ko: """여러분의 검사가 받은 것을 부르는지 알려 줍니다."""
    calls = []

    def counted(*args, **kwargs):
        calls.append(args)
        return version(*args, **kwargs)

    try:
        detect(counted)
    except Exception:
        return True
    return bool(calls)


def _unpromised(inputs):
    """Say which of the inputs that a check of yours tries are none for which anything is promised; "" if there are none."""
    # ko: """여러분의 검사가 시험한 입력 가운데 약속에서 벗어난 것을 알려 줍니다. 없으면 ""를 돌려줍니다."""
    dim = min((x.shape[-1] for x in inputs), default=4)
    largest = max((np.abs(x).max() for x in inputs if x.size), default=0)
    if dim < 4:
        return f"it tries a dim of {dim}, and only a dim of 4 or more is promised to work."
        # ko: return f"dim이 {dim}인 입력을 시험하는데, dim은 4 이상일 때만 된다고 했습니다."
    return f"it tries numbers up to {largest:.4g}, and only numbers of size about 1 are promised to work." if largest > 10 else ""
    # ko: return f"크기가 {largest:.4g}인 수까지 넣어 보는데, 크기가 1쯤 되는 수만 된다고 했습니다." if largest > 10 else ""


def expect_verdict(check, detect, version, is_broken, words, inputs=None, hint=lambda: ""):
    """Hold what a check of yours says of a version, called `words`, against what it is. What it gets is put into `inputs`; `hint()` is said of a mistake."""
    # ko: """이름이 `words`인 것에 여러분의 검사가 내린 판단을 실제와 견줍니다. 그것이 받은 입력은 `inputs`에 모으고, 판단이 틀리면 `hint()`를 덧붙입니다."""

    def watched(x, *others, **named):
        if np.ndim(x) == 3:
            inputs.append(np.array(_as_array(x)))
            handed.append((x, inputs[-1]))
        return given(x, *others, **named)

    given, handed = version, []
    if inputs is not None:
        version = watched
    verdict = detect(version)
    if verdict is None:
        check._fail("it returned None. Is the `return` missing?")
        # ko: check._fail("None을 돌려주었습니다. `return`이 빠지지 않았나요?")
    value = _as_verdict(verdict)
    if value is None:
        check._fail(f"it returned a value of the type `{type(verdict).__name__}`: return one True or False.")
        # ko: check._fail(f"자료형이 `{type(verdict).__name__}`인 값을 돌려주었습니다. True나 False 하나를 돌려주세요.")
    if value.size != 1:
        check._fail(f"it returned an array of the shape {value.shape}: return one True or False.")
        # ko: check._fail(f"모양 {value.shape}인 배열을 돌려주었습니다. True나 False 하나를 돌려주세요.")
    inside = "A True or False inside an array or a list counts, but return it by itself: in an `if` Python takes a list for true even if it holds a False."
    # ko: inside = "배열이나 리스트에 담은 True나 False도 인정하지만, 담지 말고 그대로 돌려주세요. `if`에서 파이썬은 False가 든 리스트도 참으로 봅니다."
    if value.ndim and inside not in check.notes:
        check.notes.append(inside)
    value = value.reshape(())
    if value not in (0, 1):
        check._fail(f"it returned the number {value:.4g}: return one True or False. Is a comparison missing?")
        # ko: check._fail(f"수 {value:.4g}을(를) 돌려주었습니다. True나 False 하나를 돌려주세요. 비교가 빠지지 않았나요?")
    said, right = ("broken" if is_wrong else "healthy" for is_wrong in (value, is_broken))
    # ko: said, right = ("고장" if is_wrong else "정상" for is_wrong in (value, is_broken))
    otherwise = f"{words}: your check says \"{said}\", but it is {right}."
    # ko: otherwise = f"{words}: 여러분의 검사는 {said}이라고 하지만 실제로는 {right}입니다."
    if said != right and not _calls(detect, version):
        otherwise += " Asked once more, it answers without calling the function that it gets: does it always say the same, or keep an answer from an earlier call?"
        # ko: otherwise += " 다시 물으면 받은 함수를 부르지도 않고 답합니다. 언제나 같은 답을 하거나, 앞서 불렸을 때의 답을 기억해 두고 쓰지 않나요?"
    if said != right and _unpromised(inputs or []):
        otherwise += f" Look at its inputs, too: {_unpromised(inputs)}"
        # ko: otherwise += f" 검사가 넘긴 입력도 보세요. {_unpromised(inputs)}"
    if said != right and not all(np.array_equal(_as_array(x), before, equal_nan=True) for x, before in handed):
        otherwise += " It has changed an array that it had handed over before. Is a `.copy()` missing?"
        # ko: otherwise += " 앞서 넘긴 배열을 나중에 고쳤습니다. `.copy()`가 빠지지 않았나요?"
    if said != right and hint():
        otherwise += f" {hint()}"
    check.true(said == right, f"{words}: {right}", otherwise)


def _note_unseen(check, text):
    """Say what a check of yours gets wrong although no version above shows it."""
    # ko: """위의 어느 것에서도 드러나지 않지만 여러분의 검사가 틀리는 것을 알려 줍니다."""
    check.notes.append(f"The versions above don't show it, but others may, and points come from others: {text}")
    # ko: check.notes.append(f"위의 것들에서는 드러나지 않지만 다른 것에서는 드러날 수 있고, 점수는 다른 것으로 매깁니다. {text}")


def _note_overwriting(check, *given):
    """Say of a repair that is right that it writes over an array that it gets; `given`: pairs of what it got and what that was."""
    # ko: """올바르게 고쳤더라도 받은 배열을 덮어쓰면 알려 줍니다. `given`: 넘긴 배열과 그것의 처음 값의 쌍들."""
    if not all(np.array_equal(_as_array(now), _as_array(before)) for now, before in given):
        check.note("it writes over an array that it gets, which its caller may still need. `x = x + y` makes a new array; `x += y` and `x[…] = y` write into the old one.")
        # ko: check.note("받은 배열을 덮어씁니다. 호출한 쪽에서 그 배열을 더 쓸 수도 있습니다. `x = x + y`는 새 배열을 만들고, `x += y`나 `x[…] = y`는 있던 배열에 써 넣습니다.")


def _averages(hidden, after=lambda x: x, before=lambda x: x):
    """A layer that adds to each input the average of the inputs that `hidden` (1 hides) doesn't hide."""
    # ko: """입력마다, `hidden`(1은 가림)이 가리지 않는 입력들의 평균을 더하는 계층."""

    def attend(x):
        if np.ndim(x) != 3:
            raise ValueError(f"`attend` takes (batch, seq_len, dim). Received: {np.shape(x)}.")
            # ko: raise ValueError(f"`attend`는 (batch, seq_len, dim)을 받습니다. 받은 모양: {np.shape(x)}.")
        x = before(to_numpy(x).astype("float64"))
        kept = 1.0 - hidden(x.shape[1])
        kept = kept / np.maximum(kept.sum(axis=1, keepdims=True), 1.0)
        return after(x + np.einsum("ij,bjd->bid", kept, np.tanh(x)))

    return attend


def _over_features(x):
    x = to_numpy(x)
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-6)


checking.given_files.add(_averages.__code__.co_filename)

# %% [markdown]
# ## The patients
#
# Our patient is the smallest decoder that can do something: one block, 32 features, two heads. It reads six letters and a
# bar, and writes the six letters again: `m e k a d o | m e k a d o .`
#
# There are two ways to ask it.
#
# - **Teacher-forced**, as in training: it gets the right letters up to each position and is asked for the next one. All
#   positions at once.
# - **Free-running**, as in use: it gets the letters up to the bar, writes one letter, gets it back as an input, writes the
#   next. Here it lives on its own words.
#
# The next cell, folded, holds the model, its training and both examinations. You needn't read it (it shows some of the answers below).
#
# <!-- ko -->
# ## 환자들
#
# 환자는 한 가지 일만은 제대로 해내는 아주 작은 디코더(decoder)입니다. 블록(block) 하나, 특징(feature) 32개, 헤드(head) 두 개입니다. 글자 여섯 개와
# 막대를 읽고 그 여섯 글자를 다시 씁니다. `m e k a d o | m e k a d o .`
#
# 물어보는 방법은 두 가지입니다.
#
# - **교사 강요**(teacher forcing): 학습할 때처럼, 위치마다 그 앞까지의 올바른 글자를 주고 다음 글자를 묻습니다. 모든 위치를 한꺼번에
#   묻습니다.
# - **자유 실행**(free running): 실제로 쓸 때처럼, 막대까지 주고 한 글자를 쓰게 한 뒤 그 글자를 다시 입력으로 넣어 다음 글자를 쓰게
#   합니다. 자기가 쓴 글자에 이어서 씁니다.
#
# 접어 둔 다음 셀에는 모델과 학습(training)과 두 가지 검진이 있습니다. 읽지 않아도 됩니다(뒤에 나올 답이 일부 보입니다).

# %% locked="patients" folded=true
LETTERS, LENGTH, WIDTH = "abcdefghijklmnop", 6, 32
TOKENS = ["_", "|", ".", *LETTERS]  # padding, the bar, the end
# ko: TOKENS = ["_", "|", ".", *LETTERS]  # 패딩, 막대, 끝


def draw_words(count, seed):
    """Draw sequences (count, 2 * LENGTH + 2) of ids: a word, the bar, the word again, the end."""
    # ko: """ID의 시퀀스 (count, 2 * LENGTH + 2)를 뽑습니다: 낱말, 막대, 같은 낱말, 끝."""
    word = np.random.default_rng(seed).integers(3, len(TOKENS), (count, LENGTH))
    return np.concatenate([word, np.full((count, 1), 1), word, np.full((count, 1), 2)], axis=1).astype("int32")


def build_copier(attend_causally=None, connect=None):
    """Build the decoder: ids (batch, 2 * LENGTH + 1) -> logits; a healthy part for each that isn't given."""
    # ko: """디코더를 만듭니다: ID (batch, 2 * LENGTH + 1) -> 로짓. 주지 않은 부분은 건강한 것을 씁니다."""
    ids = keras.Input((2 * LENGTH + 1,), dtype="int32")
    attention = keras.layers.MultiHeadAttention(2, WIDTH // 2)
    feed_forward = keras.Sequential([keras.layers.Dense(2 * WIDTH, activation="relu"), keras.layers.Dense(WIDTH)])
    norm_1, norm_2, norm_3 = (keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(3))
    positions = ops.add(ops.zeros_like(ids), np.arange(2 * LENGTH + 1, dtype="int32"))
    places = keras.layers.Embedding(2 * LENGTH + 1, WIDTH)(positions)
    x = keras.layers.Embedding(len(TOKENS), WIDTH)(ids) + places
    if attend_causally is None:
        attend = lambda h: attention(h, h, use_causal_mask=True)
    else:
        attend = lambda h: attend_causally(attention, h)
    if connect is None:
        x = keras.layers.Add()([x, attend(norm_1(x))])
        x = keras.layers.Add()([x, feed_forward(norm_2(x))])
    else:
        x = connect(x, attend, feed_forward, norm_1, norm_2)
    return keras.Model(ids, keras.layers.Dense(len(TOKENS))(norm_3(x)))


def next_letters(ids):
    return ids[:, :-1], ids[:, 1:]


def train_copier(attend_causally=None, connect=None, pairs=None, updates=160):
    """Train a decoder. Returns a dict with the model, the loss of each update and both shares of right letters."""
    # ko: """디코더를 학습시킵니다. 모델, 업데이트마다의 손실, 두 방식에서 맞힌 글자의 비율을 dict로 돌려줍니다."""
    pairs = pairs or next_letters
    keras.utils.set_random_seed(8)
    model = build_copier(attend_causally, connect)
    model.compile(keras.optimizers.Adam(4e-3), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    counted = (np.arange(2 * LENGTH + 1) >= LENGTH)[None].astype("float32")  # the first word can't be known
    # ko: counted = (np.arange(2 * LENGTH + 1) >= LENGTH)[None].astype("float32")  # 처음의 낱말은 알 수 없으니 세지 않습니다
    losses = []
    for update in range(updates):
        inputs, labels = (to_numpy(part) for part in pairs(draw_words(64, seed=update)))
        weights = np.repeat(counted, 64, axis=0) / counted.mean()
        losses.append(float(np.ravel(model.train_on_batch(inputs, labels, sample_weight=weights))[0]))
        model.reset_metrics()
    words = draw_words(100, seed=10_000)
    inputs, labels = (to_numpy(part) for part in pairs(words))
    forced = to_numpy(model(inputs)).argmax(axis=-1)
    return {
        "model": model,
        "losses": losses,
        "teacher-forced": (forced == labels)[:, LENGTH:-1].mean(),
        "free-running": (speak(model, words) == words[:, LENGTH + 1 : -1]).mean(),
    }


def speak(model, words):
    """Let a model write the second half of each row by itself: (count, LENGTH) ids."""
    # ko: """모델이 행마다 뒤 절반을 스스로 쓰게 합니다: ID (count, LENGTH)."""
    ids = words[:, :-1].copy()
    ids[:, LENGTH + 1 :] = 0
    for position in range(LENGTH, 2 * LENGTH):
        ids[:, position + 1] = to_numpy(model(ids))[:, position].argmax(axis=-1)
    return ids[:, LENGTH + 1 :]


def spell(ids):
    return " ".join(TOKENS[int(i)] for i in ids)


def show_trainings(trainings):
    """Draw losses, and shares of right letters in both ways, of some trainings (name -> what `train_copier` returned)."""
    # ko: """학습 몇 가지(이름 -> `train_copier`의 결과)의 손실과, 두 방식에서 맞힌 글자의 비율을 그립니다."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 3.8), layout="constrained")
    for number, (name, training) in enumerate(trainings.items()):
        left.plot(np.arange(1, len(training["losses"]) + 1), training["losses"], label=name)
        shares = [training["teacher-forced"], training["free-running"]]
        bars = right.bar(np.arange(2) + 0.2 * (number - len(trainings) / 2 + 0.5), shares, width=0.18, label=name)
        right.bar_label(bars, [f"{share:.2f}" for share in shares], fontsize=8)
    left.set(title="loss, as one watches it", xlabel="update", ylabel="loss", yscale="log")
    # ko: left.set(title="학습하며 지켜보는 손실 (loss)", xlabel="업데이트 (update)", ylabel="손실 (loss)", yscale="log")
    right.set(title="letters that are right", xticks=[0, 1], ylim=(0, 1.15))
    # ko: right.set(title="맞힌 글자의 비율", xticks=[0, 1], ylim=(0, 1.15))
    right.set_xticklabels(["teacher-forced", "free-running"])
    # ko: right.set_xticklabels(["교사 강요 (teacher-forced)", "자유 실행 (free-running)"])
    left.legend()
    plt.show()


def turned_over(layer, x):
    return layer(x, x, attention_mask=np.triu(np.ones((1, x.shape[1], x.shape[1]), dtype=bool), k=1))


def never_used(x, attend, feed_forward, norm_1, norm_2):
    y = keras.layers.Add()([x, attend(norm_1(x))])
    feed_forward(norm_2(y))
    return keras.layers.Add()([x, y])


def same_letters(target_ids):
    return target_ids[:, :-1], target_ids[:, :-1]


# %% [markdown]
# Four such decoders, patients A to D, are trained in the next cell (about half a minute). One is well, three have a mistake. Before you run it: would
# you find out which, from their losses? (The cell is folded: it says which is which.)
#
# <!-- ko -->
# 다음 셀에서 이런 디코더 넷, 곧 환자 A부터 D까지를 학습시킵니다(30초쯤 걸립니다). 하나는 건강하고 셋에는 버그가 있습니다. 실행하기 전에 생각해 보세요. 손실만 보고
# 가려낼 수 있을까요? (누가 누구인지 적혀 있으므로 셀을 접어 두었습니다.)

# %% folded=true
@demonstrate
def _demo():
    global _patients
    _patients = {}
    if not BEING_GRADED:
        _patients["A"] = train_copier(attend_causally=turned_over)
        _patients["B"] = train_copier(connect=never_used)
        _patients["C"] = train_copier()
        _patients["D"] = train_copier(pairs=same_letters)
        show_trainings(_patients)
        word = draw_words(1, seed=20_000)
        print("asked to copy:  ", spell(word[0, :LENGTH]))
        # ko: print("베낄 낱말:     ", spell(word[0, :LENGTH]))
        for name, patient in _patients.items():
            print(f"patient {name} writes:", spell(speak(patient["model"], word)[0]))
            # ko: print(f"환자 {name}가 쓴 것:", spell(speak(patient["model"], word)[0]))

# %% [markdown]
# All four losses go to zero, and all four are right about every letter when they are examined as they were trained. Two losses even
# look *better* than the others, because they fall faster: those of A and D. And these two can't write a single word. Of the other two, one lacks some 40 % of its parameters, and nothing in the picture says so.
#
# Three things find such mistakes, and you will write the last two as checks:
#
# - **let it run free**, on its own words;
# - **change an input, and see which outputs move** (notebook 04);
# - **compare values** with something that you can work out by hand, at sizes that are all different.
#
# <!-- ko -->
# 네 손실이 모두 0으로 가고, 학습할 때와 같은 방식으로 검진하면 넷 다 모든 글자를 맞힙니다. A와 D의 손실은 더 빨리 떨어져 *더
# 좋아* 보이기까지 합니다. 그런데 바로 이 둘은 낱말 하나 쓰지 못합니다. 남은 둘 가운데 하나는 파라미터가 40% 남짓 모자라는데, 그림에는 전혀 드러나지 않습니다.
#
# 이런 버그는 다음 세 가지로 찾아냅니다. 뒤의 둘은 여러분이 검사로 작성하게 됩니다.
#
# - **자유 실행**: 자기가 쓴 것으로 이어 가게 합니다.
# - **입력을 바꾸고 어느 출력이 움직이는지 보기**(4번 노트북).
# - **값을 비교하기**: 손으로 구할 수 있는 값과 견줍니다. 시험하는 크기는 모두 서로 다르게 고릅니다.

# %% [markdown]
# ## Task 1: repair the mask (2 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# `causal_self_attention` should let each position see itself and the positions before it. It works out which keys come later
# than the query, and hands that over. But what does the layer do where an `attention_mask` is true?
#
# > `keras.layers.MultiHeadAttention`: `attention_mask` is a boolean mask `(batch, query_len, key_len)`; **`True` may be
# > attended.**
#
# So each position sees its future and nothing else. And the future holds the answer: at position $i$ the decoder is asked for
# token $i + 1$, which stands in its input at $i + 1$. It learns to read it off. The last position sees nothing at all.
#
# <details><summary>Hint 1: What does true mean to the layer?</summary>
#
# It *may* be attended. `is_later` says what may not. Which function of `ops` turns true into false? The axis for the batch in front
# stays.
#
# </details>
#
# <!-- ko -->
# ## 과제 1: 마스크 고치기 (2점)
#
# *난이도 1/5, 10분쯤.*
#
# `causal_self_attention`은 위치마다 자기 자신과 그 앞의 위치들을 보게 해야 합니다. 쿼리(query)보다 뒤에 있는 키(key)가 어느 것인지
# 구해서 계층(layer)에 넘깁니다. 그런데 이 계층은 `attention_mask`가 참인 곳을 어떻게 할까요?
#
# > `keras.layers.MultiHeadAttention`의 `attention_mask`는 불리언 마스크 `(batch, query_len, key_len)`입니다. **`True`인 곳을
# > 보아도 됩니다.**
#
# 그래서 위치마다 자신의 미래만 봅니다. 그리고 미래에는 답이 있습니다. 위치 $i$에서 디코더는 토큰(token) $i + 1$을 맞혀야 하는데, 그
# 토큰은 입력의 $i + 1$번 자리에 있습니다. 디코더는 그것을 읽어 내는 법을 배웁니다. 마지막 위치는 아무것도 보지 못합니다.
#
# <details><summary>힌트 1: 이 계층에서 참은 무슨 뜻일까요?</summary>
#
# 보아도 *된다*는 뜻입니다. `is_later`는 보면 안 되는 것을 말합니다. 참을 거짓으로 바꾸는 `ops`의 함수는 무엇일까요? 맨 앞 배치(batch)의 축은
# 그대로 둡니다.
#
# </details>


# %% task="fix-inverted-mask"
def causal_self_attention(layer, x):
    """
    Let each position attend to itself and to the positions before it.
    # ko: 위치마다 자기 자신과 그 앞의 위치들만 보게 합니다.

    Args:
    # ko: 인수:
        layer: a `keras.layers.MultiHeadAttention`.
        # ko: layer: `keras.layers.MultiHeadAttention`.
        x: (batch, seq_len, dim), floats: queries, keys and values.
        # ko: x: (batch, seq_len, dim), 실수. 쿼리이자 키이자 값(value)입니다.

    Returns:
    # ko: 반환값:
        The layer's output (batch, seq_len, dim).
        # ko: 계층의 출력 (batch, seq_len, dim).
    """
    positions = ops.arange(x.shape[1])
    is_later = positions[None, :] > positions[:, None]  # (query_len, key_len)
    ### BEGIN SOLUTION
    attention_mask = ops.logical_not(is_later)[None]
    # broken: attention_mask = is_later[None]
    ### END SOLUTION
    return layer(x, x, attention_mask=attention_mask)


# %% grade="fix-inverted-mask" points=2
@checking("causal_self_attention")
def _check(check):
    keras.utils.set_random_seed(1)
    layer, rng = keras.layers.MultiHeadAttention(num_heads=2, key_dim=3), np.random.default_rng(1)
    x = rng.normal(size=(2, 5, 4)).astype("float32")
    try:
        before, again = (causal_self_attention(layer, x.copy()) for _ in range(2))
    except Exception as error:
        for seat, place in (("value", "second"), ("key", "third")):
        # ko: for seat, place in (("value", "둘째"), ("key", "셋째")):
            if re.search(rf"\b{seat}=[^\n]*\bbool\b", str(error)):
                check._fail(f"the mask has come to the layer as its `{seat}`: that is the {place} place. Hand it over by its name, `attention_mask=…`.")
                # ko: check._fail(f"마스크가 계층의 {place} 자리인 `{seat}`에 들어갔습니다. 마스크는 `attention_mask=…`처럼 이름을 적어 넘기세요.")
        raise
    check.shape(before, (2, 5, 4), "(batch, seq_len, dim)")
    if not np.allclose(to_numpy(before), to_numpy(again), atol=1e-4):
        check._fail("asked twice with the same x, it gives different outputs. Is a new layer made in it, with other random weights each time? Use the `layer` that comes in.")
        # ko: check._fail("같은 x로 두 번 부르면 출력이 다릅니다. 안에서 계층을 새로 만들어 부를 때마다 무작위 가중치가 달라지지 않나요? 받은 `layer`를 쓰세요.")
    changed = np.concatenate([x[:, :3], rng.normal(size=(2, 2, 4)).astype("float32")], axis=1)
    moved = np.abs(to_numpy(causal_self_attention(layer, changed)) - to_numpy(before)).max(axis=(0, 2))
    mean = to_numpy(layer(np.zeros_like(x[:, :1]), x))  # a query of zeros looks at everything alike
    # ko: mean = to_numpy(layer(np.zeros_like(x[:, :1]), x))  # 0으로 된 쿼리는 모든 것을 똑같이 봅니다
    if np.allclose(to_numpy(before), np.repeat(mean, 5, axis=1), atol=1e-4):
        check._fail("every position gets the mean of everything, as it does where the mask is false everywhere: then no position sees anything, and Keras takes the mean.")
        # ko: check._fail("모든 위치에서 모든 것의 평균이 나옵니다. 마스크가 어디나 거짓이면 이렇게 됩니다. 어느 위치도 볼 것이 없어서 케라스가 평균을 낸 것입니다.")
    check.true(
        not np.allclose(to_numpy(before)[:, :1], mean, atol=1e-4) or moved[1:3].max() > 1e-5,
        "position 0 sees itself",
        # ko: "위치 0은 자기 자신을 본다",
        "position 0 alone changes with later inputs: it sees nothing, and Keras then takes the mean of everything. Does each position see itself, too?",
        # ko: "위치 0만 뒤의 입력에 따라 변합니다. 볼 것이 하나도 없어서 케라스가 모든 것의 평균을 낸 것입니다. 위치마다 자기 자신도 보나요?",
    )
    cause, handed = "", {}

    def overheard(*args, **kwargs):
        handed.update(enumerate(args))
        handed.update(kwargs)
        return layer(*args, **kwargs)

    if moved[:3].max() >= 1e-5:
        try:
            causal_self_attention(overheard, x)
        except Exception:  # it uses more of the layer than its call
        # ko: except Exception:  # 계층을 호출하는 것 말고도 씁니다
            handed.clear()
        mask = handed.get("attention_mask")
        if handed.get(3, handed.get("query_mask")) is not None:
            cause = " The mask has come to the layer as its `query_mask`, which is the fourth place. Hand it over by its name, `attention_mask=…`."
            # ko: cause = " 마스크가 계층의 넷째 자리인 `query_mask`에 들어갔습니다. 마스크는 `attention_mask=…`처럼 이름을 적어 넘기세요."
        elif mask is not None and (_as_array(mask) < 0).any():
            cause = " The mask holds numbers below 0. The layer doesn't add it to the scores: whatever isn't 0 in it counts as true."
            # ko: cause = " 마스크에 음수가 있습니다. 계층은 마스크를 점수에 더하지 않고, 0이 아니면 모두 참으로 봅니다."
    check.true(
        moved[:3].max() < 1e-5,
        "positions 0 to 2 don't see positions 3 and 4",
        # ko: "위치 0에서 2까지는 위치 3과 4를 보지 않는다",
        f"positions 0 to 2 change with the inputs at 3 and 4: they see the future.{cause}",
        # ko: f"위치 3과 4의 입력을 바꾸면 위치 0에서 2까지의 출력이 변합니다. 미래를 보고 있습니다.{cause}",
    )
    each = [to_numpy(layer(x[:, i : i + 1], x[:, : i + 1])) for i in range(5)]  # no mask: later keys aren't there
    # ko: each = [to_numpy(layer(x[:, i : i + 1], x[:, : i + 1])) for i in range(5)]  # 뒤의 키가 아예 없으니 마스크가 필요 없습니다
    expected = np.concatenate(each, axis=1)
    check.close(
        before,
        expected,
        "each position as if the later ones weren't there",
        # ko: "위치마다 뒤의 위치들이 없을 때와 같은 값",
        hints={"x is added to it. Return what the layer gives, without a residual connection.": expected + x},
        # ko: hints={"거기에 x를 더했습니다. 잔차 연결 없이 계층의 출력을 그대로 돌려주세요.": expected + x},
        otherwise="Does each position see itself and everything before it?",
        # ko: otherwise="위치마다 자기 자신과 그 앞의 모든 위치를 보나요?",
    )
    attend = lambda x: causal_self_attention(layer, x)
    smaller = {
        "5 positions work, 3 don't. Does the mask's size follow from the length of x?": (x[:, :3], expected[:, :3], "the same with 3 positions only"),
        # ko: "위치가 5개이면 되는데 3개이면 안 됩니다. 마스크의 크기가 x의 길이를 따르나요?": (x[:, :3], expected[:, :3], "위치가 3개뿐일 때도 마찬가지"),
        "two sequences work, one doesn't. Is the size of the batch fixed somewhere?": (x[:1], expected[:1], "the same with one sequence only"),
        # ko: "시퀀스가 2개이면 되는데 1개이면 안 됩니다. 배치의 크기를 어딘가에 정해 두지 않았나요?": (x[:1], expected[:1], "시퀀스가 1개뿐일 때도 마찬가지"),
    }
    for cause, (part, of_part, words) in smaller.items():
        try:
            answer = attend(part)
        except Exception as error:
            check._fail(f"{cause} {_explained(error, {attend.__code__.co_filename})}")
        check.close(answer, of_part, words)
    check.notes_failure(lambda: causal_self_attention(layer, keras.Input((5, 4))), "the second demonstration below, which trains a model with it, fails")
    # ko: check.notes_failure(lambda: causal_self_attention(layer, keras.Input((5, 4))), "아래의 두 번째 시연에서 이것으로 모델을 만들어 학습시킬 때 실패합니다")
_check

# %% [markdown]
# Which output moves with which input? With patient A's mask on the left, with yours in the middle: whatever is bright above the red line
# has looked into the future. On the right, what patient A reads (red) for its first letter, in training and in use: in use the future is empty.
#
# Two things in the left picture may surprise. Patient A's last row is allowed to see nothing; Keras, called like this, takes a mean of everything (notebook 04).
# And up to position 4 the diagonal is bright although no position but that last one sees itself: the input is also the query, which sets the weights. Position 5 sees
# one key alone, whose weight is 1 whatever the query is.
#
# <!-- ko -->
# 어느 출력이 어느 입력에 따라 움직일까요? 왼쪽은 환자 A의 마스크를, 가운데는 여러분의 마스크를 쓴 것입니다. 빨간 선 위쪽의 밝은 칸은 모두 미래를
# 본 것입니다. 오른쪽은 환자 A가 첫 글자를 쓰려고 읽는 것(빨간색)을 학습할 때와 사용할 때로 나누어 보여 줍니다. 사용할 때는 미래가 비어 있습니다.
#
# 왼쪽 그림에는 뜻밖의 것이 둘 있습니다. 환자 A의 마지막 행은 아무것도 볼 수 없는데, 이렇게 호출하면 케라스는 그런 행에서 모든 것의 평균을 냅니다(4번
# 노트북). 또 그 마지막 행 말고는 자기 자신을 보는 위치가 없는데도 대각선이 위치 4까지 밝습니다. 입력이 가중치(weight)를 정하는 쿼리이기도 하기 때문입니다. 위치
# 5는 키를 하나만 보므로 쿼리가 무엇이든 그 가중치가 1입니다.


# %% folded=true
@demonstrate
def _demo():
    def influence(attend, length=7, dim=4):
        """How far each output (row) moves when each input (column) changes: (length, length)."""
        # ko: """입력(열)마다 바꾸었을 때 출력(행)마다 움직이는 거리: (length, length)."""
        rng = np.random.default_rng(3)
        x = rng.normal(size=(1, length, dim)).astype("float32")
        before, moved = to_numpy(attend(x)), np.zeros((length, length))
        for j in range(length):
            changed = x.copy()
            changed[:, j] = rng.normal(size=dim)
            moved[:, j] = np.abs(to_numpy(attend(changed)) - before)[0].max(axis=-1)
        return moved

    keras.utils.set_random_seed(1)
    layer = keras.layers.MultiHeadAttention(num_heads=2, key_dim=3)
    figure, axes = plt.subplots(1, 3, figsize=(13.5, 3.9), layout="constrained", width_ratios=[1, 1, 1.25])
    versions = {"patient A": turned_over, "yours": causal_self_attention}
    # ko: versions = {"환자 A (patient)": turned_over, "여러분의 코드 (yours)": causal_self_attention}
    for ax, (name, attend) in zip(axes[:2], versions.items(), strict=True):
        moved = influence(lambda x, attend=attend: attend(layer, x))
        image = ax.imshow(np.log10(moved + 1e-9), cmap="magma", vmin=-7, vmax=0)
        corners = np.repeat(np.arange(8), 2)
        ax.plot(corners[:-2] + 0.5, corners[1:-1] - 0.5, color="red")
        ax.set(title=name, xlabel="changed input", ylabel="output", xlim=(-0.5, 6.5), ylim=(6.5, -0.5))
        # ko: ax.set(title=name, xlabel="바꾼 입력 (input)", ylabel="출력 (output)", xlim=(-0.5, 6.5), ylim=(6.5, -0.5))
    figure.colorbar(image, ax=axes[:2], label="log10 of how far it moves", shrink=0.8)
    # ko: figure.colorbar(image, ax=axes[:2], label="움직인 거리의 log10", shrink=0.8)
    rows = ["m e k a d o | m e k a d o", "m e k a d o | _ _ _ _ _ _"]
    axes[2].set(title="what position 6 of patient A reads", xlim=(-0.6, 12.6), ylim=(1.7, -0.7), yticks=[0, 1], xticks=range(13))
    # ko: axes[2].set(title="환자 A의 위치 6이 읽는 것", xlim=(-0.6, 12.6), ylim=(1.7, -0.7), yticks=[0, 1], xticks=range(13))
    axes[2].set_yticklabels(["in training", "in use"])
    # ko: axes[2].set_yticklabels(["학습 (training)", "사용 (in use)"])
    for y, row in enumerate(rows):
        for place, token in enumerate(row.split()):
            axes[2].text(place, y, token, ha="center", va="center", color="crimson" if place > 6 else "0.75", fontsize=13)
    plt.show()

# %%
@demonstrate
def _demo():
    if not BEING_GRADED:
        repaired = train_copier(attend_causally=causal_self_attention)
        show_trainings({"patient A": _patients["A"], "your repair": repaired})
        # ko: show_trainings({"환자 A (patient)": _patients["A"], "고친 것 (repaired)": repaired})

# %% [markdown]
# > **Does this hold?** *"The loss on held-out data is as low as on the training data, so the model has learned the task."* Guess, and say why, before you unfold the answer.
# >
# > <details><summary>What is right</summary>
# >
# > It doesn't hold. Patient A was examined on words that it has never seen, and it got every letter right. The examination has
# > the same leak as the training. Held-out data brings memorising to light, not cheating.
# >
# > </details>
#
# <!-- ko -->
# > **정말 그럴까?** *"따로 떼어 둔 데이터에서도 손실이 학습 데이터만큼 낮으니, 모델이 과제를 배운 것이다."* 맞는지 틀리는지, 그 까닭까지 적은 뒤 답을 펼치세요.
# >
# > <details><summary>맞는 설명</summary>
# >
# > 그렇지 않습니다. 환자 A는 한 번도 보지 못한 낱말로 검진을 받았고 모든 글자를 맞혔습니다. 검진에도 학습과 똑같은 누수(leak)가 있기
# > 때문입니다. 따로 떼어 둔 데이터는 암기를 드러낼 뿐, 답을 훔쳐보는 것은 드러내지 못합니다.
# >
# > </details>

# %% [markdown]
# ## Task 2: find upside-down masks (2 points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# You get a self-attention as a black box and say whether its mask is upside down. Some hints from the ward:
#
# - Change inputs and watch outputs. In a right version no output moves with a *later* input. (`leaks_future` of notebook 04 is a good
#   start. Here you choose the sizes yourself.)
# - Some versions have a residual connection or a layer normalisation around them, before or after. A normalisation over the
#   features swallows a change that is the same for every feature, and one that only scales.
# - Some right versions look back only a few steps, and some broken ones ahead only a few. Some of these pass over the next positions and see nothing
#   nearer than four steps ahead; none begins further ahead than that. Look at all positions. No version is wrong in another way: you won't get one that looks back but hides the position itself.
# - The mask may be upside down in one head of several; the others are then right.
# - float32 rounds: an output that moves by less than 1e-5 hasn't moved. What sees a later input moves by more than 1e-4 when
#   that input is replaced by another random one.
#
# <details><summary>Hint 1: Which one question decides?</summary>
#
# Does any output move when a *later* input changes? Every broken version has a head for which it does, no right one has.
#
# </details>
#
# <details><summary>Hint 2: Which inputs?</summary>
#
# Random ones, of some eight positions and at least four features. Replace one position at a time by other random numbers, from
# position 1 to the last, and look at all outputs before it.
#
# </details>
#
# <!-- ko -->
# ## 과제 2: 거꾸로 된 마스크 찾기 (2점)
#
# *난이도 3/5, 40분쯤.*
#
# 셀프 어텐션(self-attention)을 속을 볼 수 없는 블랙박스로 받아, 마스크가 거꾸로 되었는지 판단합니다. 병동에서 온 힌트입니다.
#
# - 입력을 바꾸고 출력을 보세요. 올바른 것에서는 어느 출력도 *이후* 위치의 입력에 따라 움직이지 않습니다. (4번 노트북의 `leaks_future`에서
#   시작해도 좋습니다. 여기서는 크기를 직접 고릅니다.)
# - 잔차 연결(residual connection)이나 계층 정규화(layer normalisation)가 앞이나 뒤에 붙은 것도 있습니다. 특징들에 대한 정규화는 모든
#   특징에 똑같이 더해지는 변화와, 크기만 바꾸는 변화를 삼켜 버립니다.
# - 올바른 것 가운데에는 가까운 이전 위치 몇 개만 보는 것도 있고, 고장 난 것 가운데에는 가까운 이후 위치 몇 개만 보는 것도 있습니다. 바로 다음
#   위치들을 건너뛰고 네 칸 뒤부터만 보는 것도 있지만, 그보다 더 뒤에서 시작하는 것은 없습니다. 모든 위치를 살피세요. 다른 식으로 틀린 것은 나오지 않습니다. 이를테면 이전 위치를
#   보면서 자기 자신만 가리는 것은 없습니다.
# - 여러 헤드 가운데 하나만 거꾸로일 수 있습니다. 그때 나머지 헤드는 올바릅니다.
# - float32에는 반올림 오차가 있습니다. 1e-5보다 적게 움직인 출력은 움직이지 않은 것입니다. 이후 위치의 입력을 보는 출력은, 그 입력을 다른 무작위 값으로
#   바꾸면 1e-4보다 많이 움직입니다.
#
# <details><summary>힌트 1: 어떤 질문 하나로 갈릴까요?</summary>
#
# *뒤의* 입력이 바뀔 때 움직이는 출력이 있나요? 고장 난 것에는 그런 출력을 내는 헤드가 꼭 있고, 올바른 것에는 하나도 없습니다.
#
# </details>
#
# <details><summary>힌트 2: 입력은 어떻게 고를까요?</summary>
#
# 위치가 여덟쯤이고 특징이 넷 이상인 무작위 입력을 쓰세요. 위치 1부터 마지막까지 하나씩 다른 무작위 수로 바꾸고, 그 앞의 출력을 모두
# 봅니다.
#
# </details>


# %% task="detect-inverted-mask" builds_on="fix-inverted-mask"
def detect_inverted_mask(attend):
    """
    Find out whether a self-attention sees what comes later instead of what came before.
    # ko: 셀프 어텐션이 앞이 아니라 뒤를 보는지 알아냅니다.

    Args:
    # ko: 인수:
        attend: a callable. Takes a NumPy array (batch, seq_len, dim) of numbers of size about 1, for any batch, any
        # ko: attend: 호출할 수 있는 것. 크기가 1쯤 되는 수의 NumPy 배열 (batch, seq_len, dim)을 받습니다. batch는 얼마든지,
            seq_len of 2 or more and any dim of 4 or more, and returns an array or tensor of that shape, the same for the
            # ko: seq_len은 2 이상, dim은 4 이상이면 됩니다. 모양이 같은 배열이나 텐서를 돌려주고, 입력이 같으면 결과도
            same input. It is either right (each position sees itself and positions before it, all or some), or upside
            # ko: 같습니다. 올바르거나(위치마다 자기 자신과 그 앞의 위치 전부 또는 일부를 봄), 헤드 전부 또는 일부에서
            down in all of its heads or in some (each position sees positions after it, with or without itself).
            # ko: 거꾸로입니다(위치마다 그 뒤의 위치들을 봄, 자기 자신은 볼 수도 있고 아닐 수도 있음).

    Returns:
    # ko: 반환값:
        True if the mask is upside down in some head, False if it is right.
        # ko: 어느 헤드에서든 마스크가 거꾸로이면 True, 올바르면 False.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, 8, 6)).astype("float32")
    before = to_numpy(attend(x))
    for position in range(1, x.shape[1]):
        changed = x.copy()
        changed[:, position] = rng.normal(size=x.shape[2])
        if np.abs(to_numpy(attend(changed)) - before)[:, :position].max() > 1e-4:
            return True
    return False
    ### END SOLUTION


# %% grade="detect-inverted-mask" points=2
@checking("detect_inverted_mask")
def _check(check):
    inputs = []
    later = lambda length: np.triu(np.ones((length, length)), k=1)
    far = lambda length: 1.0 - np.eye(length, k=1)
    near = lambda length: 1.0 - np.eye(length) - np.eye(length, k=-1)
    def of_two_heads(x):
        x = to_numpy(x).astype("float64")
        middle = x.shape[-1] // 2
        return np.concatenate([_averages(later)(x[..., :middle]), _averages(lambda length: 1.0 - later(length))(x[..., middle:])], axis=-1)

    def of_two_heads_turned(x):
        return of_two_heads(to_numpy(x)[..., ::-1])[..., ::-1]

    def of_a_faint_head(x):
        return _averages(later)(x) + 0.0004 * _averages(far)(x)

    mixed = lambda y: y @ np.cos(np.arange(y.shape[-1])[:, None] * np.arange(1, y.shape[-1] + 1)) + 1.0
    rounded = lambda x: _averages(later)(x) * (1 + 4e-8 * np.sin(1000 * np.sum(to_numpy(x).astype("float64"))))
    versions = {
        "an average of everything so far": (_averages(later), False),
        # ko: "지금까지의 모든 것의 평균": (_averages(later), False),
        "an average of what comes later": (_averages(lambda length: 1.0 - later(length)), True),
        # ko: "뒤에 오는 것의 평균": (_averages(lambda length: 1.0 - later(length)), True),
        "an average with the input before": (_averages(near), False),
        # ko: "바로 앞 입력과의 평균": (_averages(near), False),
        "the next input": (_averages(far), True),
        # ko: "바로 다음 입력": (_averages(far), True),
        "the input two further on": (_averages(lambda length: 1.0 - np.eye(length, k=2)), True),
        # ko: "두 칸 뒤의 입력": (_averages(lambda length: 1.0 - np.eye(length, k=2)), True),
        "everything so far, then a normalisation": (_averages(later, _over_features), False),
        # ko: "지금까지의 모든 것, 그 뒤에 정규화": (_averages(later, _over_features), False),
        "the next input, then a normalisation": (_averages(far, _over_features), True),
        # ko: "바로 다음 입력, 그 뒤에 정규화": (_averages(far, _over_features), True),
        "everything so far, after a normalisation": (_averages(later, before=_over_features), False),
        # ko: "정규화 다음에 지금까지의 모든 것": (_averages(later, before=_over_features), False),
        "the next input, after a normalisation": (_averages(far, before=_over_features), True),
        # ko: "정규화 다음에 바로 다음 입력": (_averages(far, before=_over_features), True),
        "an average of everything so far, rounded": (rounded, False),
        # ko: "지금까지의 모든 것의 평균, 반올림 오차 있음": (rounded, False),
        "everything so far, then a matrix and a bias": (_averages(later, mixed), False),
        # ko: "지금까지의 모든 것, 그 뒤에 행렬과 편향": (_averages(later, mixed), False),
        "two heads, one of which sees what comes later": (of_two_heads, True),
        # ko: "헤드 둘 가운데 하나만 뒤를 봄": (of_two_heads, True),
        "two heads, of which the other one sees what comes later": (of_two_heads_turned, True),
        # ko: "헤드 둘 가운데 다른 하나만 뒤를 봄": (of_two_heads_turned, True),
        "the input four further on": (_averages(lambda length: 1.0 - np.eye(length, k=4)), True),
        # ko: "네 칸 뒤의 입력": (_averages(lambda length: 1.0 - np.eye(length, k=4)), True),
        "two heads, of which the one that sees the next input counts for little": (of_a_faint_head, True),
        # ko: "헤드 둘 가운데 조금만 반영되는 쪽이 바로 다음 입력을 봄": (of_a_faint_head, True),
    }
    for words, (version, is_broken) in versions.items():
        expect_verdict(check, detect_inverted_mask, version, is_broken, words, inputs)
    if _unpromised(inputs):
        _note_unseen(check, _unpromised(inputs))
    if min((x.shape[1] for x in inputs), default=2) < 2:
        _note_unseen(check, "it tries a seq_len of 1, and only a seq_len of 2 or more is promised to work.")
        # ko: _note_unseen(check, "seq_len이 1인 입력을 시험하는데, seq_len은 2 이상일 때만 된다고 했습니다.")
    coarse = lambda x: _averages(later)(x) + 4e-6 * np.sin(1000 * np.sum(to_numpy(x).astype("float64")))
    if _says_broken(detect_inverted_mask(coarse)):
        _note_unseen(check, "it calls a right version broken whose outputs move by less than 1e-5, which is rounding.")
        # ko: _note_unseen(check, "출력이 1e-5보다 적게 움직이는 올바른 것을 고장이라고 합니다. 그만큼은 반올림 오차입니다.")
_check

# %% [markdown]
# ## Task 3: repair the block (2 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# A pre-norm block has two sublayers, each with its residual connection (notebook 05):
#
# $$h = x + \text{attend}(\text{norm}_1(x)), \qquad y = h + \text{ffn}(\text{norm}_2(h))$$
#
# `connect_block` computes both. Then it returns the wrong sum, by a slip of one variable. The lecture notebook that
# this course grew out of (*the lecture* of notebook 06) has this slip, and many have copied it. What the feed-forward network computes is thrown away.
#
# <details><summary>Hint 1: Which two are added in the second formula?</summary>
#
# $h$ is called `attended` here, and what the feed-forward network answered `transformed`. `x` is in $h$ already.
#
# </details>
#
# <!-- ko -->
# ## 과제 3: 블록 고치기 (2점)
#
# *난이도 1/5, 10분쯤.*
#
# 사전 정규화(pre-norm) 블록에는 하위 계층(sublayer)이 둘 있고, 각각 잔차 연결이 있습니다(5번 노트북).
#
# $$h = x + \text{attend}(\text{norm}_1(x)), \qquad y = h + \text{ffn}(\text{norm}_2(h))$$
#
# `connect_block`은 둘 다 계산합니다. 그러고는 엉뚱한 합을 돌려줍니다. 더할 변수를 잘못 고른 것으로, 많은 사람이 복사해 간 어느 강의
# 노트북(6번 노트북에서 *강의*라고 부른 것)에 있던 버그입니다. 피드포워드 신경망이 계산한 것은 버려집니다.
#
# <details><summary>힌트 1: 둘째 식에서 더하는 둘은 무엇일까요?</summary>
#
# 여기서 $h$의 이름은 `attended`이고, 피드포워드 신경망의 답은 `transformed`입니다. `x`는 이미 $h$에 들어 있습니다.
#
# </details>


# %% task="fix-dropped-feed-forward"
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    """
    Connect the parts of a pre-norm block.
    # ko: 사전 정규화 블록의 부분들을 잇습니다.

    Args:
    # ko: 인수:
        x: (batch, seq_len, dim), floats.
        # ko: x: (batch, seq_len, dim), 실수.
        attend, feed_forward, norm_1, norm_2: callables (batch, seq_len, dim) -> the same shape: self-attention, the
        # ko: attend, feed_forward, norm_1, norm_2: (batch, seq_len, dim) -> 같은 모양의 호출할 수 있는 것들. 셀프 어텐션,
            feed-forward network, the normalisation before each.
            # ko: 피드포워드 신경망, 그 각각의 앞에 오는 정규화.

    Returns:
    # ko: 반환값:
        (batch, seq_len, dim): x, plus what attention adds, plus what the feed-forward network adds to that.
        # ko: (batch, seq_len, dim): x에 어텐션의 출력을 더하고, 거기에 피드포워드 신경망의 출력을 더한 값.
    """
    attended = x + attend(norm_1(x))
    transformed = feed_forward(norm_2(attended))
    ### BEGIN SOLUTION
    return attended + transformed
    # broken: return x + attended
    ### END SOLUTION


# %% grade="fix-dropped-feed-forward" points=2
@checking("connect_block")
def _check(check):
    x = np.array([[[1.0, 2.0], [3.0, 5.0], [0.5, -1.0]], [[-2.0, 4.0], [2.0, -3.0], [6.0, 0.25]]])
    parts = (lambda h: 2 * h - 1, lambda h: h**2, lambda h: 10 * h, lambda h: 3 * h + 1)
    given = x.copy()
    y = connect_block(given, *parts)
    check.shape(y, (2, 3, 2), "(batch, seq_len, dim)")
    then = lambda h: h + (3 * h + 1) ** 2  # the right second half
    # ko: then = lambda h: h + (3 * h + 1) ** 2  # 올바른 뒤 절반
    bare, attended = 3 * x - 1, 21 * x - 1
    network_first, post = x + (10 * x) ** 2, 10 * bare
    check.close(
        y,
        then(attended),
        "four simple functions as the four parts",
        # ko: "네 부분이 간단한 함수일 때",
        hints={
            "the feed-forward network's answer is lost, and x counts twice.": x + attended,
            # ko: "피드포워드 신경망의 답이 사라지고 x가 두 번 들어갑니다.": x + attended,
            "`attended` holds x already, and x is added once more.": x + then(attended),
            # ko: "`attended`에 이미 x가 들어 있는데 x를 한 번 더 더했습니다.": x + then(attended),
            "the feed-forward network's answer is lost.": attended,
            # ko: "피드포워드 신경망의 답이 사라집니다.": attended,
            "the feed-forward network's answer is multiplied by what it should be added to.": attended * (3 * attended + 1) ** 2,
            # ko: "피드포워드 신경망의 답을 더하지 않고 곱했습니다.": attended * (3 * attended + 1) ** 2,
            "the feed-forward network's answer is subtracted.": attended - (3 * attended + 1) ** 2,
            # ko: "피드포워드 신경망의 답을 뺐습니다.": attended - (3 * attended + 1) ** 2,
            "the attention's answer is lost.": then(x),
            # ko: "어텐션의 답이 사라집니다.": then(x),
            "the residual connection around the feed-forward network starts at x, not behind attention.": x
            # ko: "피드포워드 신경망을 건너는 잔차 연결이 어텐션 뒤가 아니라 x에서 시작합니다.": x
            + (3 * attended + 1) ** 2,
            "the feed-forward network has no residual connection.": (3 * attended + 1) ** 2,
            # ko: "피드포워드 신경망에 잔차 연결이 없습니다.": (3 * attended + 1) ** 2,
            "attention has no residual connection.": then(20 * x - 1),
            # ko: "어텐션에 잔차 연결이 없습니다.": then(20 * x - 1),
            "neither sublayer has a residual connection.": (60 * x - 2) ** 2,
            # ko: "두 하위 계층 모두 잔차 연결이 없습니다.": (60 * x - 2) ** 2,
            "the residual connection around attention starts behind `norm_1`, not at x.": then(30 * x - 1),
            # ko: "어텐션을 건너는 잔차 연결이 x가 아니라 `norm_1` 뒤에서 시작합니다.": then(30 * x - 1),
            "the residual connection around the feed-forward network starts behind `norm_2`, not in front of it.": (3 * attended + 1) + (3 * attended + 1) ** 2,
            # ko: "피드포워드 신경망을 건너는 잔차 연결이 `norm_2` 앞이 아니라 뒤에서 시작합니다.": (3 * attended + 1) + (3 * attended + 1) ** 2,
            "both residual connections start behind a normalisation, not in front of it.": (90 * x - 2) + (90 * x - 2) ** 2,
            # ko: "두 잔차 연결이 모두 정규화 앞이 아니라 뒤에서 시작합니다.": (90 * x - 2) + (90 * x - 2) ** 2,
            "attention reads x as it is: `norm_1` belongs in front of it.": then(bare),
            # ko: "어텐션이 x를 그대로 읽습니다. 그 앞에 `norm_1`이 있어야 합니다.": then(bare),
            "the feed-forward network reads the sum as it is: `norm_2` belongs in front of it.": attended + attended**2,
            # ko: "피드포워드 신경망이 합을 그대로 읽습니다. 그 앞에 `norm_2`가 있어야 합니다.": attended + attended**2,
            "neither sublayer reads normalised values: both normalisations are missing.": bare + bare**2,
            # ko: "두 하위 계층 모두 정규화하지 않은 것을 읽습니다. 정규화가 둘 다 빠졌습니다.": bare + bare**2,
            "`norm_1` is used twice, and `norm_2` not at all.": attended + (10 * attended) ** 2,
            # ko: "`norm_1`을 두 번 쓰고 `norm_2`는 쓰지 않았습니다.": attended + (10 * attended) ** 2,
            "`norm_2` is used twice, and `norm_1` not at all.": then(7 * x + 1),
            # ko: "`norm_2`를 두 번 쓰고 `norm_1`은 쓰지 않았습니다.": then(7 * x + 1),
            "`norm_1` and `norm_2` have changed places.": (7 * x + 1) + (70 * x + 10) ** 2,
            # ko: "`norm_1`과 `norm_2`의 자리가 서로 바뀌었습니다.": (7 * x + 1) + (70 * x + 10) ** 2,
            "each sum is normalised, as in a post-norm block: a pre-norm block normalises what a sublayer reads.": 3 * (post + post**2) + 1,
            # ko: "사후 정규화 블록처럼 합을 정규화했습니다. 사전 정규화 블록은 하위 계층이 읽는 것을 정규화합니다.": 3 * (post + post**2) + 1,
            "the sum behind attention is normalised, by `norm_1`, instead of what attention reads.": then(post),
            # ko: "어텐션이 읽는 것이 아니라 어텐션 뒤의 합을 `norm_1`로 정규화했습니다.": then(post),
            "the sum behind the feed-forward network is normalised, by `norm_2`, instead of what the network reads.": 3 * (attended + attended**2) + 1,
            # ko: "피드포워드 신경망이 읽는 것이 아니라 그 뒤의 합을 `norm_2`로 정규화했습니다.": 3 * (attended + attended**2) + 1,
            "what the sublayers answer is normalised, instead of what they read.": (21 * x - 10) + 3 * (21 * x - 10) ** 2 + 1,
            # ko: "하위 계층이 읽는 것이 아니라 하위 계층의 답을 정규화했습니다.": (21 * x - 10) + 3 * (21 * x - 10) ** 2 + 1,
            "the output is normalised once more, by `norm_1`.": 10 * then(attended),
            # ko: "출력을 `norm_1`로 한 번 더 정규화했습니다.": 10 * then(attended),
            "the output is normalised once more, by `norm_2`.": 3 * then(attended) + 1,
            # ko: "출력을 `norm_2`로 한 번 더 정규화했습니다.": 3 * then(attended) + 1,
            "the feed-forward network reads x, not what attention has been added to.": attended + (3 * x + 1) ** 2,
            # ko: "피드포워드 신경망이 어텐션의 답을 더한 것이 아니라 x를 읽습니다.": attended + (3 * x + 1) ** 2,
            "the feed-forward network reads the attention's answer alone, without x.": attended + (60 * x - 2) ** 2,
            # ko: "피드포워드 신경망이 x를 더하지 않은 어텐션의 답만 읽습니다.": attended + (60 * x - 2) ** 2,
            "the feed-forward network comes first, and attention second.": 7 * network_first + 1,
            # ko: "피드포워드 신경망이 먼저이고 어텐션이 나중입니다.": 7 * network_first + 1,
        },
    )
    _note_overwriting(check, (given, x))
    check.notes_failure(lambda: connect_block(keras.Input((3, 2)), *parts), "the next demonstration builds a model with it, which fails")
    # ko: check.notes_failure(lambda: connect_block(keras.Input((3, 2)), *parts), "다음 시연에서 이것으로 모델을 만들면 실패합니다")
_check

# %% [markdown]
# Patient B beside your repair. Its curve is as good as yours; some tasks don't need a feed-forward network, and a copy is one of
# them. Of what is shown here only the number of parameters gives it away: in a functional model such as this one Keras counts only the parameters of layers that the output depends on (layers that
# another layer makes in its `__init__` and calls in its `call` count even if the output doesn't use what they compute). In the lecture's Transformer there were 7316 instead of 10588, and nobody counted.
#
# <!-- ko -->
# 환자 B와 여러분이 고친 것을 나란히 놓았습니다. 곡선은 둘 다 좋습니다. 피드포워드 신경망이 필요 없는 과제도 있고, 베끼기가 그런
# 과제입니다. 여기서 보이는 것 가운데 파라미터 수만이 사실을 말해 줍니다. 이런 함수형 모델에서 케라스는 출력이 의존하는 계층의 파라미터만 셉니다(다른 계층의 `__init__`에서 만들고 `call`에서 부르는 계층은 출력에 쓰이지 않아도 셉니다).
# 강의의 트랜스포머에서는 10588개여야 할 것이 7316개였는데, 아무도 세어 보지 않았습니다.

# %%
@demonstrate
def _demo():
    if not BEING_GRADED:
        repaired = train_copier(connect=connect_block)
        show_trainings({"patient B": _patients["B"], "your repair": repaired})
        # ko: show_trainings({"환자 B (patient)": _patients["B"], "고친 것 (repaired)": repaired})
    for name, connect in {"patient B": never_used, "your repair": connect_block}.items():
    # ko: for name, connect in {"환자 B": never_used, "고친 것": connect_block}.items():
        print(f"{name}: {build_copier(connect=connect).count_params():,} parameters")
        # ko: print(f"{name}: 파라미터 {build_copier(connect=connect).count_params():,}개")

# %% [markdown]
# > **Does this hold?** *"Adding a feed-forward network didn't help in our experiments."* Guess, and say why, before you unfold the answer.
# >
# > <details><summary>What is right</summary>
# >
# > It may hold. But first make sure that it was there. A comparison between a model and the same model with a part that isn't
# > connected finds no difference, every time, with the smallest of error bars.
# >
# > </details>
#
# <!-- ko -->
# > **정말 그럴까?** *"우리 실험에서는 피드포워드 신경망을 더해도 나아지지 않았다."* 맞는지 틀리는지, 그 까닭까지 적은 뒤 답을 펼치세요.
# >
# > <details><summary>맞는 설명</summary>
# >
# > 그럴 수도 있습니다. 하지만 먼저 그것이 있기는 했는지 확인하세요. 어떤 모델을, 이어지지 않은 부분이 덧붙은 같은 모델과 비교하면 언제나
# > 차이가 없고 오차 막대도 더없이 짧습니다.
# >
# > </details>

# %% [markdown]
# ## Task 4: find lost feed-forward networks (2 points)
#
# *Difficulty 4 of 5, about 60 minutes.*
#
# You get a block as a black box, and you bring the feed-forward network: `block(x, feed_forward)`. If its answer is lost, the
# output doesn't care which one you bring. Hints:
#
# - That it is *called* says nothing. In the version above it is called, too. So don't look at what it gets, but at what becomes of its
#   answer.
# - Post-norm blocks normalise at the end. An answer that is the same for every feature is swallowed there, and so is one that only
#   stretches or shrinks what it is added to.
# - The answer may count for little: some blocks multiply it by a small number (0.02 or more).
# - It may reach some positions and some sequences of the batch only. Then it is lost for the others.
# - float32 rounds: outputs that differ by less than 1e-5 count as the same. If your two networks answer with random numbers of
#   size about 1, an answer that arrives moves the output by more than 1e-4.
#
# <details><summary>Hint 1: What do you bring?</summary>
#
# Two networks that take nothing of what they get but its shape and dtype: each answers with a random array of its own, made beforehand. Same `x`, two runs:
# a block whose output doesn't change has lost the answer.
#
# </details>
#
# <details><summary>Hint 2: Where do you look?</summary>
#
# At each position of each sequence by itself. Take the largest difference over the features, then the *smallest* over all positions
# and sequences: is it nothing but rounding?
#
# </details>
#
# <!-- ko -->
# ## 과제 4: 사라진 피드포워드 신경망 찾기 (2점)
#
# *난이도 4/5, 60분쯤.*
#
# 블록을 블랙박스로 받고, 피드포워드 신경망은 여러분이 만들어 넣습니다. `block(x, feed_forward)`처럼 부릅니다. 답이 사라진다면, 무엇을
# 넣든 출력은 달라지지 않습니다. 힌트를 봅시다.
#
# - *호출되었다*는 사실만으로는 아무것도 알 수 없습니다. 위의 고장 난 코드에서도 호출됩니다. 무엇을 받는지가 아니라 그 답이
#   어떻게 되는지를 보세요.
# - 사후 정규화(post-norm) 블록은 끝에서 정규화합니다. 모든 특징에서 똑같은 답은 거기서 사라집니다. 답이 더해지는 벡터를 상수배할 뿐인 답도
#   마찬가지입니다.
# - 답이 조금만 반영될 수 있습니다. 작은 수(0.02 이상)를 곱하는 블록도 있습니다.
# - 답이 몇몇 위치에만, 배치의 몇몇 시퀀스(sequence)에만 닿을 수 있습니다. 그러면 나머지에서는 사라진 것입니다.
# - float32에는 반올림 오차가 있습니다. 차이가 1e-5보다 작은 두 출력은 같은 것으로 봅니다. 여러분의 두 신경망이 크기가 1쯤 되는 무작위 수로 답하면,
#   사라지지 않은 답은 출력을 1e-4보다 많이 움직입니다.
#
# <details><summary>힌트 1: 무엇을 넣어 볼까요?</summary>
#
# 받은 것의 모양과 dtype 말고는 아무것도 쓰지 않는 신경망 둘을 넣으세요. 저마다 미리 만들어 둔 무작위 배열로 답합니다. 같은 `x`로 두 번 돌렸을 때 출력이 달라지지
# 않으면 답이 사라진 것입니다.
#
# </details>
#
# <details><summary>힌트 2: 어디를 볼까요?</summary>
#
# 시퀀스와 위치마다 따로 보세요. 특징들 가운데 가장 큰 차이를 구한 다음, 모든 위치와 시퀀스에서 *가장 작은* 것을 구합니다. 그것이 반올림
# 정도인가요?
#
# </details>


# %% task="detect-dropped-feed-forward" builds_on="fix-dropped-feed-forward"
def detect_dropped_feed_forward(block):
    """
    Find out whether a block loses what its feed-forward network answers.
    # ko: 블록이 피드포워드 신경망의 답을 잃어버리는지 알아냅니다.

    Args:
    # ko: 인수:
        block: a callable. Takes a NumPy array (batch, seq_len, dim) of numbers of size about 1, for any batch, any seq_len
        # ko: block: 호출할 수 있는 것. 크기가 1쯤 되는 수의 NumPy 배열 (batch, seq_len, dim)과 feed_forward를 받습니다. batch와
            and any dim of 4 or more, and feed_forward, a callable of yours: it gets a NumPy array (batch, seq_len, dim) and
            # ko: seq_len은 얼마든지, dim은 4 이상이면 됩니다. feed_forward는 여러분이 만드는 것으로, NumPy 배열 (batch, seq_len, dim)을
            returns any array or tensor of that shape and of its dtype. The block returns an array or tensor (batch, seq_len, dim), the same
            # ko: 받아 모양과 dtype이 같은 아무 배열이나 텐서를 돌려줍니다. 블록은 배열이나 텐서 (batch, seq_len, dim)을 돌려주고, 입력이 같으면
            for the same inputs. A block that loses nothing may be pre-norm, post-norm or otherwise arranged.
            # ko: 결과도 같습니다. 답을 잃지 않는 블록은 사전 정규화일 수도, 사후 정규화일 수도, 다르게 짜였을 수도 있습니다.

    Returns:
    # ko: 반환값:
        True if at some position of some sequence the output doesn't depend on what feed_forward returns, else False.
        # ko: 출력이 feed_forward의 답에 의존하지 않는 위치가 어느 시퀀스에 하나라도 있으면 True, 아니면 False.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    x, first, second = rng.normal(size=(3, 3, 5, 8)).astype("float32")
    outputs = [to_numpy(block(x, lambda h, answer=answer: answer)) for answer in (first, second)]
    moved = np.abs(outputs[0] - outputs[1]).max(axis=-1)
    return bool(moved.min() < 1e-4)
    ### END SOLUTION


# %% grade="detect-dropped-feed-forward" points=2
@checking("detect_dropped_feed_forward")
def _check(check):
    inputs, dtypes, faint = [], set(), []

    def sums(of_answer, after=lambda y: y, shown=slice(None), sequences=slice(None), features=slice(None)):
        """A block that adds to x the mean so far, and at the positions `shown` of some sequences a share of the network's answer."""
        # ko: """x에 지금까지의 평균을 더하고, 몇몇 시퀀스의 `shown` 위치에서 신경망의 답의 몫을 더하는 블록."""

        def block(x, feed_forward):
            if np.ndim(x) != 3:
                raise ValueError(f"`block` takes an x (batch, seq_len, dim). Received: {np.shape(x)}.")
                # ko: raise ValueError(f"`block`은 모양 (batch, seq_len, dim)인 x를 받습니다. 받은 모양: {np.shape(x)}.")
            if not callable(feed_forward):
                check._fail(f"your check hands over a `{type(feed_forward).__name__}` as feed_forward. A function belongs there: it gets an array and returns one of the same shape.")
                # ko: check._fail(f"여러분의 검사가 feed_forward로 `{type(feed_forward).__name__}`을(를) 넘겼습니다. 그 자리에는 배열을 받아 모양이 같은 배열을 돌려주는 함수가 와야 합니다.")
            x = to_numpy(x).astype("float64")
            y = x + np.cumsum(x, axis=1) / np.arange(1, x.shape[1] + 1)[:, None]
            answer = feed_forward(y.copy())
            if answer is None:
                check._fail("your feed_forward returned None. Is its `return` missing?")
                # ko: check._fail("여러분의 feed_forward가 None을 돌려주었습니다. `return`이 빠지지 않았나요?")
            if np.shape(answer) != y.shape:
                check._fail(f"your feed_forward should return an array of the shape {y.shape} that it gets. It returned {np.shape(answer)}.")
                # ko: check._fail(f"여러분의 feed_forward는 받은 것과 모양이 같은 배열 {y.shape}을(를) 돌려주어야 합니다. 돌려준 모양: {np.shape(answer)}.")
            answer = to_numpy(answer)
            if of_answer:
                y[sequences, shown, features] += of_answer * answer[sequences, shown, features]
            return after(y)

        return block

    def takes_it_away_again(x, feed_forward):
        y = to_numpy(x).astype("float32")
        answer = to_numpy(feed_forward(y.copy()))
        dtypes.add(str(answer.dtype))
        return y.astype("float64") + 4e-6 * np.sin(1000 * answer)  # as large as rounding may be
        # ko: return y.astype("float64") + 4e-6 * np.sin(1000 * answer)  # 반올림 오차로 칠 수 있는 크기

    def moves_little(x, feed_forward):
        faint.append(sums(0.02, lambda y: y / 40)(x, feed_forward))
        return faint[-1]

    versions = {
        "a block that adds the answer": (sums(1.0), False),
        # ko: "답을 더하는 블록": (sums(1.0), False),
        "a block that calls the network and forgets the answer": (sums(0.0), True),
        # ko: "신경망을 부르고 답을 잊는 블록": (sums(0.0), True),
        "a block that normalises at the end": (sums(1.0, _over_features), False),
        # ko: "끝에서 정규화하는 블록": (sums(1.0, _over_features), False),
        "a block that adds half of the answer and normalises at the end": (sums(0.5, _over_features), False),
        # ko: "답을 절반만 더하고 끝에서 정규화하는 블록": (sums(0.5, _over_features), False),
        "one that forgets the answer and normalises": (sums(0.0, _over_features), True),
        # ko: "답을 잊고 정규화하는 블록": (sums(0.0, _over_features), True),
        "a block that adds a small share of the answer": (sums(0.02), False),
        # ko: "답을 조금만 더하는 블록": (sums(0.02), False),
        "one that adds the answer at the last position only": (sums(1.0, shown=slice(-1, None)), True),
        # ko: "마지막 위치에서만 답을 더하는 블록": (sums(1.0, shown=slice(-1, None)), True),
        "one that adds the answer at the first position only": (sums(1.0, shown=slice(0, 1)), True),
        # ko: "첫 위치에서만 답을 더하는 블록": (sums(1.0, shown=slice(0, 1)), True),
        "one that adds the answer in the first sequence of a batch only": (sums(1.0, sequences=slice(0, 1)), True),
        # ko: "배치의 첫 시퀀스에서만 답을 더하는 블록": (sums(1.0, sequences=slice(0, 1)), True),
        "one that adds the answer in the last sequence of a batch only": (sums(1.0, sequences=slice(-1, None)), True),
        # ko: "배치의 마지막 시퀀스에서만 답을 더하는 블록": (sums(1.0, sequences=slice(-1, None)), True),
        "one that adds the answer at the first and the last position only": (sums(1.0, shown=[0, -1]), True),
        # ko: "첫 위치와 마지막 위치에서만 답을 더하는 블록": (sums(1.0, shown=[0, -1]), True),
    }
    for words, (version, is_broken) in versions.items():
        expect_verdict(check, detect_dropped_feed_forward, version, is_broken, words, inputs)
    if _unpromised(inputs):
        _note_unseen(check, _unpromised(inputs))
    if not _says_broken(detect_dropped_feed_forward(takes_it_away_again)):
        _note_unseen(check, "it takes rounding for an answer that is there: it calls a block healthy that adds the answer and takes it away again.")
        # ko: _note_unseen(check, "반올림 오차를 답으로 여깁니다. 답을 더했다가 다시 빼는 블록을 정상이라고 합니다.")
    if _says_broken(detect_dropped_feed_forward(moves_little)):
        moved = [np.abs(y - z).max(axis=-1).min() for i, y in enumerate(faint) for z in faint[:i] if y.shape == z.shape]
        if min(moved, default=0) > 1.2e-4:
            _note_unseen(check, "it calls a block broken whose output moves by more than 1e-4 everywhere: compare with a smaller tolerance.")
            # ko: _note_unseen(check, "출력이 어디서나 1e-4보다 많이 움직이는 블록을 고장이라고 합니다. 더 작은 허용 오차로 비교하세요.")
    if _says_broken(detect_dropped_feed_forward(sums(1.0, features=slice(1, 3)))):
        _note_unseen(check, "it calls a block broken that adds the answer to two of the features only. An output depends on the answer even if only some of its features do.")
        # ko: _note_unseen(check, "특징 두 개에만 답을 더하는 블록을 고장이라고 합니다. 특징 몇 개만 답에 따라 달라져도 출력은 답에 의존하는 것입니다.")
    if not _says_broken(detect_dropped_feed_forward(sums(1.0, sequences=[0, -1]))):
        _note_unseen(check, "it calls a block healthy that adds the answer in the first and the last sequence of a batch only: try three sequences or more, and look at each.")
        # ko: _note_unseen(check, "배치의 첫 시퀀스와 마지막 시퀀스에서만 답을 더하는 블록을 정상이라고 합니다. 시퀀스를 셋 이상 넣고 하나하나 살피세요.")
    odd = ", ".join(sorted(dtypes - {"float32"}))
    if odd:
        _note_unseen(check, f"your feed_forward gets float32 from a block and answers in {odd}: an answer has the dtype of what comes in, and a block of tensors may fail on another one.")
        # ko: _note_unseen(check, f"여러분의 feed_forward는 블록에서 float32를 받고 {odd} 값으로 답합니다. 답의 dtype은 받은 것과 같아야 합니다. 다르면 텐서로 계산하는 블록에서 실패할 수 있습니다.")
_check

# %% [markdown]
# ## Task 5: repair the call (2 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# A model of width `d_model` with `num_heads` heads gives each head `d_model // num_heads` features. Keras's layer takes these two in
# the order `(num_heads, key_dim)`. Somewhere in the lecture's model the two changed places: four heads of three features
# became three heads of four. **Inputs and outputs** have the right shapes, and the number of parameters is the same:
#
# $$\underbrace{3\,(d \cdot HK + HK)}_{\text{query, key, value}} + \underbrace{HK \cdot d + d}_{\text{output}}$$
#
# For the same $d$ this depends on the product $HK$ only ($d$ is the model's width, $H$ the number of heads, $K$ the layer's
# `key_dim`). So neither the shapes of inputs and outputs nor counting parameters finds it. `build_self_attention` makes this mistake.
#
# <details><summary>Hint 1: How can arguments not change places?</summary>
#
# Call by names: `MultiHeadAttention(num_heads=…, key_dim=…)`.
#
# </details>
#
# <!-- ko -->
# ## 과제 5: 호출 고치기 (2점)
#
# *난이도 1/5, 10분쯤.*
#
# 너비(width)가 `d_model`이고 헤드가 `num_heads`개인 모델에서 헤드 하나는 특징 `d_model // num_heads`개를 갖습니다. 케라스의 계층은
# 이 둘을 `(num_heads, key_dim)` 순서로 받습니다. 강의의 모델 어딘가에서 이 둘의 자리가 바뀌어, 특징이 세 개인 헤드 네 개가
# 특징이 네 개인 헤드 세 개가 되었습니다. **입력과 출력의** 모양은 맞고 파라미터 수도 똑같습니다.
#
# $$\underbrace{3\,(d \cdot HK + HK)}_{\text{query, key, value}} + \underbrace{HK \cdot d + d}_{\text{output}}$$
#
# $d$가 같으면 이 수는 곱 $HK$만으로 정해집니다($d$는 모델의 너비, $H$는 헤드의 수, $K$는 `key_dim`). 그래서 입력과 출력의 모양을 보아도, 파라미터를 세어 보아도 찾지 못합니다. `build_self_attention`에 이 버그가 있습니다.
#
# <details><summary>힌트 1: 인수의 자리가 바뀌지 않게 하려면?</summary>
#
# 이름을 적어 부르세요: `MultiHeadAttention(num_heads=…, key_dim=…)`.
#
# </details>


# %% task="fix-swapped-arguments"
def build_self_attention(d_model, num_heads):
    """
    Make the attention layer of a model.
    # ko: 모델의 어텐션 계층을 만듭니다.

    Args:
    # ko: 인수:
        d_model: width of the model, a multiple of num_heads.
        # ko: d_model: 모델의 너비. num_heads의 배수입니다.
        num_heads: number of heads.
        # ko: num_heads: 헤드의 수.

    Returns:
    # ko: 반환값:
        keras.layers.MultiHeadAttention: num_heads heads, d_model // num_heads features for each head's queries, keys and
        # ko: keras.layers.MultiHeadAttention: 헤드 num_heads개. 헤드마다 쿼리, 키, 값의 특징이 d_model // num_heads개.
        values; otherwise Keras's defaults.
        # ko: 나머지는 케라스의 기본값.
    """
    head_dim = d_model // num_heads
    ### BEGIN SOLUTION
    return keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=head_dim)
    # broken: return keras.layers.MultiHeadAttention(head_dim, num_heads)
    ### END SOLUTION


# %% grade="fix-swapped-arguments" points=2
@checking("build_self_attention")
def _check(check):
    for d_model, num_heads in ((12, 4), (10, 2)):
        x = np.random.default_rng(0).normal(size=(1, 7, d_model)).astype("float32")
        layer = build_self_attention(d_model, num_heads)
        check.true(
            layer is not None,
            f"d_model={d_model}, num_heads={num_heads}: it returns a layer",
            # ko: f"d_model={d_model}, num_heads={num_heads}: 계층을 돌려준다",
            "it returned None. Is the `return` missing?",
            # ko: "None을 돌려주었습니다. `return`이 빠지지 않았나요?",
        )
        if not callable(layer):
            check._fail(f"it returned a `{type(layer).__name__}`, which is no layer. Return the layer itself, without calling it.")
            # ko: check._fail(f"계층이 아니라 `{type(layer).__name__}` 값을 돌려주었습니다. 계층을 호출하지 말고 계층 자체를 돌려주세요.")
        if isinstance(layer, type):
            check._fail("it returned a class, not a layer: call the class with the sizes, and return the layer that comes out.")
            # ko: check._fail("계층이 아니라 클래스를 돌려주었습니다. 클래스에 크기를 주어 호출하고, 그렇게 만든 계층을 돌려주세요.")
        output, weights = layer(x, x, return_attention_scores=True)
        check.shape(output, (1, 7, d_model), "(batch, seq_len, d_model)")
        shape = to_numpy(weights).shape
        heads, head_dim, cause = shape[1], d_model // num_heads, ""
        if heads == head_dim and getattr(layer, "key_dim", num_heads) == num_heads:
            cause = "Have the number of heads and their width changed places?"
            # ko: cause = "헤드의 수와 너비의 자리가 바뀌지 않았나요?"
        elif getattr(layer, "_attention_axes", None) not in (None, (1,)):
            cause = "Leave `attention_axes` as Keras has it."
            # ko: cause = "`attention_axes`는 케라스의 기본값 그대로 두세요."
        elif heads in (d_model, head_dim):
            cause = f"There are {'d_model' if heads == d_model else 'd_model // num_heads'} heads: the first argument of `MultiHeadAttention` is num_heads."
            # ko: cause = f"헤드의 수가 {'d_model' if heads == d_model else 'd_model // num_heads'}입니다. `MultiHeadAttention`의 첫째 인수는 num_heads입니다."
        check.true(
            shape == (1, num_heads, 7, 7),
            f"d_model={d_model}, num_heads={num_heads}: weights (batch, num_heads, seq_len, seq_len) = {shape}",
            # ko: f"d_model={d_model}, num_heads={num_heads}: 가중치 (batch, num_heads, seq_len, seq_len) = {shape}",
            f"for d_model={d_model} and num_heads={num_heads} the weights have the shape {shape}, but (batch, num_heads, seq_len, seq_len) is {(1, num_heads, 7, 7)} here. {cause}".rstrip(),
            # ko: f"d_model={d_model}, num_heads={num_heads}일 때 가중치의 모양이 {shape}입니다. 여기서 (batch, num_heads, seq_len, seq_len)은 {(1, num_heads, 7, 7)}이어야 합니다. {cause}".rstrip(),
        )
        otherwise = "In training another output comes out. All but the number and the width of the heads stays as Keras has it."
        # ko: otherwise = "학습할 때는 다른 값이 나옵니다. 헤드의 수와 너비 말고는 케라스의 기본값 그대로 두세요."
        if layer.compute_dtype != "float32":
            otherwise = f"The layer's dtype is {layer.compute_dtype}, which rounds more coarsely: leave it as Keras has it."
            # ko: otherwise = f"계층의 dtype이 {layer.compute_dtype}이라 더 거칠게 반올림합니다. 케라스의 기본값 그대로 두세요."
        if getattr(layer, "dropout", 0):
            otherwise = "Something is dropped in training. All but the number and the width of the heads stays as Keras has it, without a dropout."
            # ko: otherwise = "학습할 때 드롭아웃이 일어납니다. 헤드의 수와 너비 말고는 드롭아웃이 없는 케라스의 기본값 그대로 두세요."
        check.close(
            layer(x, x, training=True),
            to_numpy(output),
            f"d_model={d_model}, num_heads={num_heads}: what comes out in training",
            # ko: f"d_model={d_model}, num_heads={num_heads}: 학습할 때 나오는 값",
            otherwise=otherwise,
        )
        count = 4 * d_model * (d_model + 1)
        key_dim, value_dim = getattr(layer, "key_dim", 0), getattr(layer, "_value_dim", None)
        cause = ""
        if key_dim == d_model:
            cause = "Each head is as wide as the model: `key_dim` is the width of one head, d_model // num_heads."
            # ko: cause = "헤드 하나가 모델만큼 넓습니다. `key_dim`은 헤드 하나의 너비, 곧 d_model // num_heads입니다."
        elif key_dim == num_heads:
            cause = "`key_dim` is num_heads here: it is the width of one head, d_model // num_heads."
            # ko: cause = "여기서 `key_dim`이 num_heads와 같습니다. `key_dim`은 헤드 하나의 너비, 곧 d_model // num_heads입니다."
        elif value_dim not in (None, key_dim):
            cause = f"`value_dim` is {value_dim}: leave it out, and a head's values are as wide as its keys."
            # ko: cause = f"`value_dim`이 {value_dim}입니다. 주지 않으면 헤드마다 값의 너비가 키의 너비와 같아집니다."
        elif not getattr(layer, "_use_bias", True):
            cause = "`use_bias=False` leaves the biases out, and Keras's default has them."
            # ko: cause = "`use_bias=False`를 주면 편향이 빠집니다. 케라스의 기본값에는 편향이 있습니다."
        check.true(
            layer.count_params() == count,
            f"{count} parameters",
            # ko: f"파라미터 {count}개",
            f"for d_model={d_model} and num_heads={num_heads} there are {layer.count_params()} parameters, not {count}. {cause}".rstrip(),
            # ko: f"d_model={d_model}, num_heads={num_heads}일 때 파라미터가 {count}개가 아니라 {layer.count_params()}개입니다. {cause}".rstrip(),
        )
        trained = [id(weight) for weight in layer.trainable_weights]
        still = sum(id(weight) not in trained for weight in layer.weights)
        check.true(
            not still,
            f"d_model={d_model}, num_heads={num_heads}: all weights are trained",
            # ko: f"d_model={d_model}, num_heads={num_heads}: 가중치가 모두 학습된다",
            f"{still} of the layer's {len(layer.weights)} weights are never trained. Leave `trainable` as Keras has it.",
            # ko: f"계층의 가중치 {len(layer.weights)}개 가운데 {still}개가 학습되지 않습니다. `trainable`은 케라스의 기본값 그대로 두세요.",
        )
        first = {weight.path.partition("/")[2]: _as_array(weight) for weight in layer.weights}
        odd = ", ".join(path for path, value in first.items() if (value.any() if path.endswith("bias") else np.ptp(value) == 0))
        check.true(
            not odd,
            f"d_model={d_model}, num_heads={num_heads}: biases begin as 0, kernels with different numbers",
            # ko: f"d_model={d_model}, num_heads={num_heads}: 편향은 0에서, 커널은 서로 다른 수에서 시작한다",
            f"these weights begin with other numbers than Keras's: {odd}. Kernels begin with random numbers and biases as 0. Leave the initializers as Keras has them.",
            # ko: f"처음 값이 케라스의 기본값과 다른 가중치가 있습니다: {odd}. 커널은 무작위 수로, 편향은 0으로 시작합니다. 초기화 방법은 케라스의 기본값 그대로 두세요.",
        )
_check

# %% [markdown]
# The weights of one input, a picture for each head: first with the arguments swapped, then yours. The patterns differ because the
# first weights are random. What matters is how many pictures there are: count them. The number of parameters doesn't show it, for both have the same.
#
# <!-- ko -->
# 입력 하나에 대한 가중치를 헤드마다 하나씩 그렸습니다. 윗줄은 인수의 자리가 바뀐 것이고 아랫줄은 여러분이 만든 것입니다. 무늬는 처음
# 가중치가 무작위라서 다릅니다. 눈여겨볼 것은 그림이 몇 장인가입니다. 세어 보세요. 파라미터 수로는 드러나지 않습니다. 둘이 같습니다.

# %%
@demonstrate
def _demo():
    keras.utils.set_random_seed(4)
    x = np.random.default_rng(5).normal(scale=1.5, size=(1, 6, 12)).astype("float32")
    figure, axes = plt.subplots(2, 4, figsize=(11, 5.4), layout="constrained")
    layers = {"swapped": keras.layers.MultiHeadAttention(12 // 4, 4), "yours": build_self_attention(12, 4)}
    # ko: layers = {"바뀐 것": keras.layers.MultiHeadAttention(12 // 4, 4), "여러분의 코드": build_self_attention(12, 4)}
    for row, (name, layer) in zip(axes, layers.items(), strict=True):
        weights = to_numpy(layer(x, x, return_attention_scores=True)[1])[0]
        for ax in row:
            ax.axis("off")
        for head, (ax, of_head) in enumerate(zip(row, weights, strict=False)):
            ax.axis("on")
            image = ax.imshow(of_head, cmap="YlOrBr", vmin=0, vmax=1)
            ax.set(title=f"{name}, head {head}\n{layer.count_params()} parameters", xlabel="key", ylabel="query")
            # ko: ax.set(title=f"{name}, 헤드 {head}\n파라미터 {layer.count_params()}개", xlabel="키 (key)", ylabel="쿼리 (query)")
    figure.colorbar(image, ax=axes, label="weight", shrink=0.8)
    # ko: figure.colorbar(image, ax=axes, label="가중치 (weight)", shrink=0.8)
    plt.show()

# %% [markdown]
# > **Does this hold?** *"We tested the model with `d_model=64` and 8 heads, as it is used, and everything was right. So it is right at any size."* Guess, and say why, before you unfold the answer.
# >
# > <details><summary>What is right</summary>
# >
# > It doesn't hold. 64 / 8 = 8: eight heads of eight features, and swapping the two changes nothing. Sizes in tests should be
# > **pairwise different**, so that no one of them can stand in for another. For the same reason the hidden graders of this course use sizes
# > like 3, 5, 7.
# >
# > </details>
#
# <!-- ko -->
# > **정말 그럴까?** *"실제로 쓰는 대로 `d_model=64`, 헤드 8개로 모델을 테스트했고 모두 맞았다. 그러니 다른 크기에서도 맞다."* 맞는지 틀리는지, 그 까닭까지 적은 뒤 답을 펼치세요.
# >
# > <details><summary>맞는 설명</summary>
# >
# > 그렇지 않습니다. 64 / 8 = 8이므로 특징이 여덟 개인 헤드 여덟 개이고, 둘을 바꾸어도 아무것도 달라지지 않습니다. 테스트에 쓰는 크기는
# > **서로 모두 달라야** 합니다. 그래야 어느 것도 다른 것을 대신하지 못합니다. 이 과정의 채점기도 같은 까닭에 3, 5, 7 같은 크기를 씁니다.
# >
# > </details>

# %% [markdown]
# ## Task 6: find swapped arguments (2 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# You get the *builder*, call it with sizes of your choice, and look at the attention that it makes. Hints:
#
# - A size at which num_heads equals head_dim can't tell you anything.
# - There are builders that swap at some sizes only, such as where there are more heads than features in a head: `sorted((num_heads,
#   head_dim))` is enough for that. Try both sides.
#
# <details><summary>Hint 1: What counts the heads?</summary>
#
# The weights have an axis for them: (batch, heads, seq_len, seq_len). How many should there be?
#
# </details>
#
# <details><summary>Hint 2: Which sizes?</summary>
#
# One with fewer heads than features in a head, and one with more, such as a `d_model` of 12 with 2 and with 6 heads.
#
# </details>
#
# <!-- ko -->
# ## 과제 6: 자리가 바뀐 인수 찾기 (2점)
#
# *난이도 2/5, 20분쯤.*
#
# 이번에는 *만드는 함수*를 받습니다. 원하는 크기로 호출하고, 만들어진 어텐션을 살펴보세요. 힌트를 봅시다.
#
# - num_heads와 head_dim이 같은 크기에서는 아무것도 알 수 없습니다.
# - 어떤 크기에서만 바꾸는 것도 있습니다. 이를테면 헤드의 수가 헤드의 특징 수보다 많을 때만 바꿉니다. `sorted((num_heads,
#   head_dim))` 한 번이면 그렇게 됩니다. 양쪽을 다 시험하세요.
#
# <details><summary>힌트 1: 헤드의 수는 어디에 보일까요?</summary>
#
# 가중치에 헤드의 축이 있습니다: (batch, heads, seq_len, seq_len). 몇 개여야 하나요?
#
# </details>
#
# <details><summary>힌트 2: 크기는 어떻게 고를까요?</summary>
#
# 헤드의 수가 헤드의 특징 수보다 적은 것과 많은 것을 하나씩 쓰세요. 이를테면 `d_model` 12에 헤드 2개와 6개입니다.
#
# </details>


# %% task="detect-swapped-arguments" builds_on="fix-swapped-arguments"
def detect_swapped_arguments(build):
    """
    Find out whether a builder of attention confuses the number of heads with their width.
    # ko: 어텐션을 만드는 함수가 헤드의 수와 헤드의 너비를 혼동하는지 알아냅니다.

    Args:
    # ko: 인수:
        build: a callable, build(d_model, num_heads) -> attend, for any d_model up to 64 that is a multiple of num_heads.
        # ko: build: 호출할 수 있는 것. build(d_model, num_heads) -> attend. d_model은 64까지, num_heads의 배수이면 됩니다.
            attend takes a NumPy array (batch, seq_len, d_model) of floats and returns (output, weights), arrays or tensors:
            # ko: attend는 실수의 NumPy 배열 (batch, seq_len, d_model)을 받아 배열이나 텐서 둘 (output, weights)를 돌려줍니다.
            output (batch, seq_len, d_model), and the attention weights of each head of the layer, (batch, heads, seq_len,
            # ko: output은 (batch, seq_len, d_model)이고, weights는 그 계층의 헤드마다의 어텐션 가중치 (batch, 헤드, seq_len,
            seq_len).
            # ko: seq_len)입니다.

    Returns:
    # ko: 반환값:
        True if at some sizes the attention has d_model // num_heads heads of num_heads features instead of num_heads heads
        # ko: 어떤 크기에서든 어텐션의 헤드가 특징 d_model // num_heads개짜리 num_heads개가 아니라 특징 num_heads개짜리
        of d_model // num_heads features, else False.
        # ko: d_model // num_heads개이면 True, 아니면 False.
    """
    ### BEGIN SOLUTION
    for d_model, num_heads in ((12, 2), (12, 6)):
        _, weights = build(d_model, num_heads)(np.ones((1, 3, d_model), dtype="float32"))
        if weights.shape[1] != num_heads:
            return True
    return False
    ### END SOLUTION


# %% grade="detect-swapped-arguments" points=2
@checking("detect_swapped_arguments")
def _check(check):
    asked = []

    def evenly(count_heads):
        """A builder of attention that looks everywhere alike, with as many heads as `count_heads` says."""
        # ko: """어디나 똑같이 보는 어텐션을 만드는 함수. 헤드의 수는 `count_heads`가 정합니다."""

        def build(d_model, num_heads):
            if np.ndim(d_model) or np.ndim(num_heads):
                raise ValueError("`build` takes two whole numbers (d_model, num_heads).")
                # ko: raise ValueError("`build`는 정수 둘 (d_model, num_heads)를 받습니다.")
            asked.append(d_model)
            if d_model % num_heads:
                raise ValueError(f"d_model has to be a multiple of num_heads. Received: {d_model}, {num_heads}.")
                # ko: raise ValueError(f"d_model은 num_heads의 배수여야 합니다. 받은 수: {d_model}, {num_heads}.")

            def attend(x):
                if np.ndim(x) != 3 or np.shape(x)[-1] != d_model:
                    raise ValueError(f"`attend` takes (batch, seq_len, {d_model}), as d_model is {d_model}. Received: {np.shape(x)}.")
                    # ko: raise ValueError(f"d_model이 {d_model}이므로 `attend`는 (batch, seq_len, {d_model})을 받습니다. 받은 모양: {np.shape(x)}.")
                x = to_numpy(x).astype("float64")
                batch, length, _ = x.shape
                weights = np.full((batch, count_heads(num_heads, d_model // num_heads), length, length), 1 / length)
                return x + x.mean(axis=1, keepdims=True), weights

            return attend

        return build

    versions = {
        "a builder that is right": (evenly(lambda num_heads, head_dim: num_heads), False),
        # ko: "올바른 것": (evenly(lambda num_heads, head_dim: num_heads), False),
        "a builder that swaps": (evenly(lambda num_heads, head_dim: head_dim), True),
        # ko: "바꾸는 것": (evenly(lambda num_heads, head_dim: head_dim), True),
        "a builder that takes the larger number for the heads": (evenly(max), True),
        # ko: "둘 중 큰 수를 헤드의 수로 삼는 것": (evenly(max), True),
        "a builder that takes the smaller number for the heads": (evenly(min), True),
        # ko: "둘 중 작은 수를 헤드의 수로 삼는 것": (evenly(min), True),
    }
    for words, (version, is_broken) in versions.items():
        expect_verdict(check, detect_swapped_arguments, version, is_broken, words)
    if max(asked, default=0) > 64:
        _note_unseen(check, f"it tries a d_model of {max(asked)}, and `build` is promised to work up to 64.")
        # ko: _note_unseen(check, f"d_model {max(asked)}을(를) 시험하는데, `build`는 64까지만 된다고 했습니다.")
_check

# %% [markdown]
# ## Task 7: repair the scale (2 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# A score is a dot product of two vectors of `head_dim` numbers. Its spread grows with the root of that width, so it is divided by
# $\sqrt{d_k}$, where $d_k$ is the width of **what is multiplied**: `head_dim`, not `d_model`. A blog post on attention divides by
# the root of the whole width, because it scales before it thinks of heads.
#
# With $H$ heads the scores are then too small by $\sqrt{H}$, and the weights too flat: nearer to 1 / key_len than they should be.
# Training makes up for it by larger queries and keys. In notebook 07's translation the exact match was 0.999 instead of
# 1.000. No curve shows it.
#
# <details><summary>Hint 1: What is multiplied in a dot product?</summary>
#
# Two vectors of one head. Their width is the last axis of `query_heads`.
#
# </details>
#
# <!-- ko -->
# ## 과제 7: 스케일 고치기 (2점)
#
# *난이도 1/5, 10분쯤.*
#
# 점수는 수 `head_dim`개로 된 두 벡터의 내적(dot product)입니다. 점수가 퍼진 정도는 그 너비의 제곱근에 비례해 커지므로 $\sqrt{d_k}$로
# 나눕니다. $d_k$는 **내적하는 두 벡터**의 너비입니다. 곧 `d_model`이 아니라 `head_dim`입니다. 어텐션을 설명하는 한 블로그 글은 헤드를 생각하기
# 전에 스케일부터 정하는 바람에 전체 너비의 제곱근으로 나눕니다.
#
# 그러면 헤드가 $H$개일 때 점수가 원래의 $1/\sqrt{H}$로 줄고 가중치는 너무 평평해집니다. 곧 1 / key_len에 가까워집니다. 학습하는
# 동안 쿼리와 키가 커져 이를 상쇄합니다. 7번 노트북의 번역에서 완전 일치(exact match)는 1.000이 아니라 0.999였습니다. 어느 곡선에도 드러나지
# 않습니다.
#
# <details><summary>힌트 1: 내적에서 곱해지는 것은?</summary>
#
# 헤드 하나의 두 벡터입니다. 그 너비는 `query_heads`의 마지막 축입니다.
#
# </details>


# %% task="fix-head-scaling"
def head_weights(query, key, num_heads):
    """
    Compute the attention weights of each head.
    # ko: 헤드마다 어텐션 가중치를 계산합니다.

    Args:
    # ko: 인수:
        query: (batch, query_len, d_model), floats; each head has d_model // num_heads neighbouring features.
        # ko: query: (batch, query_len, d_model), 실수. 헤드마다 이웃한 특징 d_model // num_heads개를 갖습니다.
        key: (batch, key_len, d_model), floats.
        # ko: key: (batch, key_len, d_model), 실수.
        num_heads: number of heads, a divisor of d_model.
        # ko: num_heads: 헤드의 수. d_model의 약수입니다.

    Returns:
    # ko: 반환값:
        Weights (batch, num_heads, query_len, key_len): the softmax of scaled dot products.
        # ko: 가중치 (batch, num_heads, query_len, key_len): 스케일한 내적의 소프트맥스(softmax).
    """
    query, key = ops.convert_to_tensor(query), ops.convert_to_tensor(key)
    batch, _, d_model = query.shape
    head_dim = d_model // num_heads
    query_heads = ops.reshape(query, (batch, -1, num_heads, head_dim))
    key_heads = ops.reshape(key, (batch, -1, num_heads, head_dim))
    scores = ops.einsum("bqhd,bkhd->bhqk", query_heads, key_heads)
    ### BEGIN SOLUTION
    scores = scores / head_dim**0.5
    # broken: scores = scores / d_model**0.5
    ### END SOLUTION
    return ops.softmax(scores, axis=-1)


# %% grade="fix-head-scaling" points=2
@checking("head_weights")
def _check(check):
    # whole numbers of either sign, so that every score is one; two sequences, and each query another
    # ko: # 양수도 음수도 있는 정수라서 점수도 모두 정수입니다. 시퀀스는 둘이고 쿼리는 서로 다릅니다
    query, key = np.random.default_rng(1).integers(-2, 3, (2, 2, 11, 15)).astype("float32")
    query = query[:, :10]
    given = query.copy(), key.copy()
    weights, others = head_weights(*given, 5), head_weights(query.copy(), key.copy(), 3)
    check.shape(weights, (2, 5, 10, 11), "(batch, num_heads, query_len, key_len)")
    check.shape(others, (2, 3, 10, 11), "(batch, num_heads, query_len, key_len)")
    check.close(
        np.sum(to_numpy(weights), axis=-1),
        np.ones((2, 5, 10)),
        "the sum of each query's weights",
        # ko: "쿼리마다 구한 가중치의 합",
        otherwise="Take the softmax of all scores along the keys, the last axis, and divide nothing behind it. The root is for head_dim alone.",
        # ko: otherwise="모든 점수의 소프트맥스를 키 방향인 마지막 축으로 구하고, 그 뒤에는 나누지 마세요. 제곱근은 head_dim에만 씌웁니다.",
    )

    def unscaled(num_heads):
        of_queries, of_keys = (np.stack(np.split(x, num_heads, axis=-1), axis=1) for x in (query, key))
        return np.einsum("...qd,...kd->...qk", of_queries, of_keys).astype("float64")

    spread = lambda scores: to_numpy(ops.softmax(scores))
    scores, more = unscaled(5), unscaled(3)
    received = to_numpy(weights).astype("float64")
    # each with what was divided by, for five heads of three features and for three of five: both have to fit
    # ko: # 저마다 나눈 수 둘. 특징이 세 개인 헤드 다섯 개일 때와 다섯 개인 헤드 세 개일 때. 둘 다 맞아야 합니다
    names = {
        "the scores are divided by the root of d_model.": (15**0.5, 15**0.5),
        # ko: "점수를 d_model의 제곱근으로 나누었습니다.": (15**0.5, 15**0.5),
        "the scores are not divided.": (1, 1),
        # ko: "점수를 나누지 않았습니다.": (1, 1),
        "the scores are divided by 1 here, and by 2 where head_dim is 5: the root of head_dim, or half of it, is cut off to a whole number.": (1, 2),
        # ko: "점수를 여기서는 1로, head_dim이 5일 때는 2로 나누었습니다. head_dim의 제곱근이나 절반에서 정수만 남았습니다.": (1, 2),
        "the scores are divided by 2: the root of head_dim rounded, the batch's size, or 2 whatever the sizes are.": (2, 2),
        # ko: "점수를 2로 나누었습니다. head_dim의 제곱근을 반올림한 수인가요, 배치의 크기인가요, 아니면 크기와 상관없는 2인가요?": (2, 2),
        "the scores are divided by head_dim, not by its root.": (3, 5),
        # ko: "점수를 head_dim의 제곱근이 아니라 head_dim으로 나누었습니다.": (3, 5),
        "the scores are divided by the square of head_dim, not by its root.": (9, 25),
        # ko: "점수를 head_dim의 제곱근이 아니라 제곱으로 나누었습니다.": (9, 25),
        "the scores are divided by d_model, not by the root of head_dim.": (15, 15),
        # ko: "점수를 head_dim의 제곱근이 아니라 d_model로 나누었습니다.": (15, 15),
        "the scores are divided by half of head_dim. Its root is `head_dim ** 0.5`, with two stars.": (1.5, 2.5),
        # ko: "점수를 head_dim의 절반으로 나누었습니다. 제곱근은 별표 두 개를 쓴 `head_dim ** 0.5`입니다.": (1.5, 2.5),
        "the scores are divided by twice head_dim. Divide them by all of `head_dim ** 0.5`: `/ a ** 1 / 2` divides by a and then by 2, and so does `/ a * 0.5`.": (6, 10),
        # ko: "점수를 head_dim의 두 배로 나누었습니다. `head_dim ** 0.5` 전체로 나누세요. `/ a ** 1 / 2`는 a로 나눈 뒤 다시 2로 나눕니다. `/ a * 0.5`도 마찬가지입니다.": (6, 10),
        "the root is taken of num_heads alone: Python does `**` before `//`. Put brackets around the quotient.": (15 // 5**0.5, 15 // 3**0.5),
        # ko: "num_heads만의 제곱근이 되었습니다. 파이썬은 `//`보다 `**`를 먼저 계산합니다. 몫을 괄호로 묶으세요.": (15 // 5**0.5, 15 // 3**0.5),
        "the scores are divided by d_model / num_heads ** 0.5. Is the root taken of num_heads alone (Python does `**` before `/`: put brackets around the quotient), or are they divided twice, by the roots of d_model and of head_dim?": (15 / 5**0.5, 15 / 3**0.5),
        # ko: "점수를 d_model / num_heads ** 0.5로 나눈 셈입니다. num_heads만의 제곱근이 되지 않았나요(파이썬은 `/`보다 `**`를 먼저 계산하니 몫을 괄호로 묶으세요)? 아니면 d_model의 제곱근과 head_dim의 제곱근으로 두 번 나누지 않았나요?": (15 / 5**0.5, 15 / 3**0.5),
        "the scores are divided by the root of key_len.": (11**0.5, 11**0.5),
        # ko: "점수를 key_len의 제곱근으로 나누었습니다.": (11**0.5, 11**0.5),
        "the scores are divided by the root of query_len.": (10**0.5, 10**0.5),
        # ko: "점수를 query_len의 제곱근으로 나누었습니다.": (10**0.5, 10**0.5),
        "the scores are divided by the root of num_heads.": (5**0.5, 3**0.5),
        # ko: "점수를 num_heads의 제곱근으로 나누었습니다.": (5**0.5, 3**0.5),
        "the scores are divided by num_heads.": (5, 3),
        # ko: "점수를 num_heads로 나누었습니다.": (5, 3),
        "all keys weigh the same, as if all scores were 0. Where are the scores lost?": (np.inf, np.inf),
        # ko: "점수가 모두 0인 것처럼 키마다 가중치가 같습니다. 점수가 어디에서 사라졌나요?": (np.inf, np.inf),
    }
    hints = {
        words: spread(scores / of_three)
        for words, (of_three, of_five) in names.items()
        if np.allclose(to_numpy(others), spread(more / of_five), atol=1e-4)
    }
    divisors = [*names.values(), (3**0.5, 5**0.5), (75, 45)]
    pairs = [(spread(scores // of_three), spread(more // of_five)) for of_three, of_five in divisors]
    if any(np.allclose(received, first, atol=1e-4) and np.allclose(to_numpy(others), second, atol=1e-4) for first, second in pairs):
        hints["the scores are cut off to whole numbers: `//` drops what lies behind the point. Divide with `/`, and put a quotient that you divide by in brackets."] = received
        # ko: hints["점수에서 정수만 남았습니다. `//`는 소수점 아래를 버립니다. `/`로 나누고, 나누는 수가 몫이면 괄호로 묶으세요."] = received
    right = spread(scores / 3**0.5)
    hints |= {
        "a softmax is taken of a softmax: once is enough.": spread(right),
        # ko: "소프트맥스의 소프트맥스를 구했습니다. 한 번이면 됩니다.": spread(right),
        "the negative scores have lost their sign.": spread(np.abs(scores) / 3**0.5),
        # ko: "음수인 점수가 부호를 잃었습니다.": spread(np.abs(scores) / 3**0.5),
        "the negative scores have become 0.": spread(np.maximum(scores, 0) / 3**0.5),
        # ko: "음수인 점수가 0이 되었습니다.": spread(np.maximum(scores, 0) / 3**0.5),
        "every query has the weights of the first one.": np.repeat(right[:, :, :1], 10, axis=2),
        # ko: "모든 쿼리의 가중치가 첫 쿼리의 가중치와 같습니다.": np.repeat(right[:, :, :1], 10, axis=2),
        "every sequence has the weights of the first one.": np.repeat(right[:1], 2, axis=0),
        # ko: "모든 시퀀스의 가중치가 첫 시퀀스의 가중치와 같습니다.": np.repeat(right[:1], 2, axis=0),
    }
    with np.errstate(all="ignore"):  # by how much a weight's logarithm grows with its score
    # ko: with np.errstate(all="ignore"):  # 점수가 커질 때 가중치의 로그가 커지는 정도
        seen = (received > 1e-30) & (received[..., :1] > 1e-30)
        growth, rise = (np.where(seen, x - x[..., :1], 0) for x in (np.log(received), scores))
        times = (growth * rise).sum() / (rise**2).sum()
    if 1e-4 < times < 1:
        hints[f"the scores are divided by {1 / times:.4g} here. Which of your sizes is that, and which should it be?"] = spread(scores * times)
        # ko: hints[f"여기서 점수를 나눈 수는 {1 / times:.4g}입니다. 어떤 크기에서 나온 수이고, 어떤 크기여야 할까요?"] = spread(scores * times)
    elif times < 0:
        hints[f"the scores come out with the other sign, multiplied by {times:.4g} here. Where does the minus come from?"] = spread(scores * times)
        # ko: hints[f"점수의 부호가 바뀌었습니다. 여기서는 {times:.4g}배가 되었습니다. 음의 부호가 어디에서 왔나요?"] = spread(scores * times)
    elif np.isfinite(times):
        hints[f"the scores come out multiplied by {times:.4g} here, and they should be divided. Did you multiply, or divide by a number below 1?"] = spread(scores * times)
        # ko: hints[f"점수를 나누어야 하는데, 여기서는 {times:.4g}배가 되었습니다. 곱했거나 1보다 작은 수로 나누지 않았나요?"] = spread(scores * times)
    hints["each query gives all its weight to the largest scores: the scores are far too large. Are they multiplied, where they should be divided?"] = spread(scores * 1e4)
    # ko: hints["쿼리마다 가중치가 모두 가장 큰 점수에 쏠립니다. 점수가 너무 큽니다. 나누어야 하는데 곱하지 않았나요?"] = spread(scores * 1e4)
    hidden = "some weights are 0, as behind a mask: here every query sees every key." if ((received < 1e-9) & (right > 1e-4)).any() else ""
    # ko: hidden = "마스크로 가린 것처럼 0인 가중치가 있습니다. 여기서는 쿼리마다 모든 키를 봅니다." if ((received < 1e-9) & (right > 1e-4)).any() else ""
    check.close(weights, right, "five heads of three features, whose root is no whole number", hints, otherwise=hidden)
    # ko: check.close(weights, right, "제곱근이 정수가 아닌, 특징이 세 개인 헤드 다섯 개", hints, otherwise=hidden)
    check.close(
        others,
        spread(more / 5**0.5),
        "three heads of five features",
        # ko: "특징이 다섯 개인 헤드 세 개",
        hints={"the scores are divided by the root of 3 here, too. The divisor has to follow from the sizes.": spread(more / 3**0.5)},
        # ko: hints={"여기서도 점수를 3의 제곱근으로 나누었습니다. 나누는 수는 크기에 따라 달라져야 합니다.": spread(more / 3**0.5)},
    )
    try:
        alone = head_weights(query[:1].copy(), key[:1].copy(), 5)
    except Exception as error:
        check._fail(f"two sequences work, one doesn't. Does the size of the batch follow from the query? {_explained(error, {spread.__code__.co_filename})}")
        # ko: check._fail(f"시퀀스가 2개이면 되는데 1개이면 안 됩니다. 배치의 크기를 쿼리에서 구하나요? {_explained(error, {spread.__code__.co_filename})}")
    check.close(alone, right[:1], "the same with one sequence only")
    # ko: check.close(alone, right[:1], "시퀀스가 1개뿐일 때도 마찬가지")
    _note_overwriting(check, *zip(given, (query, key), strict=True))
_check

# %% [markdown]
# How flat are the weights? The picture shows the largest weight of each row, averaged over 40 sets of random queries and keys of 64 features, eight of each, for one head to sixteen. With the right scale it is nearly the same however many heads there are. With the wrong one heads get
# blinder the more of them there are, and come closer to the 1/8 of keys that are all alike. (The cell is folded: it shows a part of the answer to task 8.)
#
# <!-- ko -->
# 가중치는 얼마나 평평할까요? 특징이 64개인 무작위 쿼리 여덟 개와 키 여덟 개에서 행마다 가장 큰 가중치를 구하고, 이런 쌍 40개의 평균을 냈습니다. 헤드는 하나부터
# 열여섯까지입니다. 스케일이 올바르면 헤드가 몇 개이든 거의 같습니다. 틀리면 헤드가 많아질수록 키를 구별하지 못하게 되어, 모든 키가 똑같을 때의
# 1/8에 가까워집니다. (접어 둔 셀에는 과제 8의 답이 일부 보입니다.)

# %% folded=true
@demonstrate
def _demo():
    global _flat_weights
    rng = np.random.default_rng(6)
    query, key = rng.normal(size=(2, 40, 8, 64)).astype("float32")

    def _flat_weights(query, key, num_heads):
        heads = [np.split(x, num_heads, axis=-1) for x in (query, key)]
        scores = np.stack([q @ np.swapaxes(k, 1, 2) for q, k in zip(*heads, strict=True)], axis=1)
        return to_numpy(ops.softmax(scores / query.shape[-1] ** 0.5))

    counts = [1, 2, 4, 8, 16]
    figure, ax = plt.subplots(figsize=(6.5, 3.8), layout="constrained")
    versions = {"root of d_model": _flat_weights, "yours": head_weights}
    # ko: versions = {"d_model의 제곱근": _flat_weights, "여러분의 코드 (yours)": head_weights}
    for (name, weigh), style in zip(versions.items(), ["o--", "o-"], strict=True):
        ax.plot(counts, [to_numpy(weigh(query.copy(), key.copy(), count)).max(axis=-1).mean() for count in counts], style, label=name)
    ax.axhline(1 / 8, color="0.6", lw=1)
    ax.annotate("1/8", (1, 1 / 8), xycoords=("axes fraction", "data"), xytext=(4, 0), textcoords="offset points", va="center", color="0.4")
    ax.set(title="largest weight of a row", xlabel="num_heads", ylabel="weight", xscale="log", ylim=(0, None))
    # ko: ax.set(title="행에서 가장 큰 가중치", xlabel="헤드의 수 (num_heads)", ylabel="가중치 (weight)", xscale="log", ylim=(0, None))
    ax.set_xticks(counts, counts)
    ax.minorticks_off()
    ax.legend()
    plt.show()

# %% [markdown]
# > **Does this hold?** *"The scale doesn't matter: the model learns its queries and keys anyway, at whatever size fits."* Guess, and say why, before you unfold the answer.
# >
# > <details><summary>What is right</summary>
# >
# > It nearly holds, for small models that are trained well: hence 0.999. It doesn't hold for weights that come from elsewhere. Load a
# > model that was trained with the right scale into code with the wrong one, and every attention in it is blurred. This is how such a
# > mistake is usually noticed, months later.
# >
# > </details>
#
# <!-- ko -->
# > **정말 그럴까?** *"스케일은 중요하지 않다. 어차피 모델이 쿼리와 키를 알맞은 크기로 배운다."* 맞는지 틀리는지, 그 까닭까지 적은 뒤 답을 펼치세요.
# >
# > <details><summary>맞는 설명</summary>
# >
# > 작은 모델을 잘 학습시키면 거의 맞습니다. 그래서 0.999였습니다. 하지만 가중치를 다른 데서 가져오면 맞지 않습니다. 올바른 스케일로 학습한
# > 모델을 스케일이 틀린 코드에 불러오면 모든 어텐션이 흐려집니다. 이런 버그는 대개 그렇게, 몇 달 뒤에야 드러납니다.
# >
# > </details>

# %% [markdown]
# ## Task 8: find wrong scales (2 points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# You get a function that computes the weights of each head, with the arguments of `head_weights`. Hints:
#
# - Work the right weights out yourself for some queries and keys, and compare all of them.
# - With one head, d_model and head_dim are the same. With 4, 9 or 16 features in a head the root is a whole number, and a version that
#   rounds it is right by luck. All queries zero give the same weights under any scale.
# - One head of several may be wrong.
# - A version may be wrong at some sizes only. Try sizes with more heads than features in a head, and with fewer.
# - float32 rounds: for queries and keys of size about 1, weights that differ by less than 1e-5 count as the same.
#
# <details><summary>Hint 1: What are the right weights?</summary>
#
# Compute them yourself with NumPy, head by head: take the head's columns of query and key, then the dot products of each query with each key,
# divided by the root of the number of columns, then the softmax along the keys. Compare all weights, with a small tolerance.
#
# </details>
#
# <details><summary>Hint 2: Which sizes?</summary>
#
# Several heads, and a number of features in a head whose root is no whole number: 3 heads of 5 features and 5 heads of 3, say. Random queries
# and keys.
#
# </details>
#
# <!-- ko -->
# ## 과제 8: 틀린 스케일 찾기 (2점)
#
# *난이도 3/5, 40분쯤.*
#
# 헤드마다 가중치를 계산하는 함수를 받습니다. 인수는 `head_weights`와 같습니다. 힌트를 봅시다.
#
# - 몇 가지 쿼리와 키에서 올바른 가중치를 직접 구해, 모두 비교하세요.
# - 헤드가 하나면 d_model과 head_dim이 같습니다. 헤드의 특징이 4, 9, 16개면 제곱근이 정수이므로, 그것을 반올림하는 것도 운 좋게
#   맞습니다. 쿼리가 모두 0이면 스케일이 무엇이든 가중치가 같습니다.
# - 여러 헤드 가운데 하나만 틀릴 수 있습니다.
# - 어떤 크기에서만 틀리는 것도 있습니다. 헤드가 헤드의 특징보다 많은 크기와 적은 크기를 다 시험하세요.
# - float32에는 반올림 오차가 있습니다. 쿼리와 키의 크기가 1쯤이면, 차이가 1e-5보다 작은 두 가중치는 같은 것으로 봅니다.
#
# <details><summary>힌트 1: 올바른 가중치는 무엇일까요?</summary>
#
# NumPy로 헤드마다 직접 구하세요. query와 key에서 그 헤드의 열을 자르고, 쿼리마다 모든 키와의 내적을 구해 열 개수의 제곱근으로 나눈 뒤, 키
# 방향으로 소프트맥스를 구합니다. 그런 다음 작은 허용 오차로 모든 가중치를 비교합니다.
#
# </details>
#
# <details><summary>힌트 2: 크기는 어떻게 고를까요?</summary>
#
# 헤드는 여럿이고, 헤드의 특징 수는 제곱근이 정수가 아닌 것이 좋습니다. 이를테면 특징 5개짜리 헤드 3개와 특징 3개짜리 헤드 5개입니다. 쿼리와
# 키는 무작위로 뽑으세요.
#
# </details>


# %% task="detect-head-scaling" builds_on="fix-head-scaling"
def detect_head_scaling(weigh):
    """
    Find out whether attention divides its scores by something other than the root of head_dim.
    # ko: 어텐션이 점수를 head_dim의 제곱근이 아닌 것으로 나누는지 알아냅니다.

    Args:
    # ko: 인수:
        weigh: a callable, weigh(query, key, num_heads), with NumPy arrays query (batch, query_len, d_model) and key (batch,
        # ko: weigh: 호출할 수 있는 것. weigh(query, key, num_heads). query (batch, query_len, d_model)과 key (batch, key_len,
            key_len, d_model) of floats, for any sizes where d_model is a multiple of num_heads; each head has d_model //
            # ko: d_model)은 실수의 NumPy 배열이고, d_model이 num_heads의 배수이면 크기는 얼마든지 됩니다. 헤드마다 이웃한 특징
            num_heads neighbouring features. It returns the attention weights, an array or tensor (batch, num_heads,
            # ko: d_model // num_heads개를 갖습니다. 어텐션 가중치를 배열이나 텐서 (batch, num_heads, query_len, key_len)으로
            query_len, key_len): the softmax of the dot products of each head, divided by a number that depends on num_heads, on
            # ko: 돌려줍니다. 헤드마다 내적을 어떤 수로 나눈 뒤 소프트맥스한 것이고, 그 수는 num_heads와 head_dim과 몇 번째
            head_dim and on which of the heads it is, and on nothing else.
            # ko: 헤드인지에 따라서만 달라집니다.

    Returns:
    # ko: 반환값:
        True if at some num_heads and head_dim some head's scores are not divided by the square root of head_dim = d_model // num_heads, else
        # ko: 어떤 num_heads와 head_dim에서든 어느 헤드의 점수가 head_dim = d_model // num_heads의 제곱근으로 나뉘지 않으면 True, 아니면
        False.
        # ko: False.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    for num_heads, head_dim in ((3, 5), (5, 3)):
        query, key = rng.normal(size=(2, 1, 4, num_heads * head_dim)).astype("float32")
        weights = to_numpy(weigh(query, key, num_heads))[0]
        # a difference of scores is the logarithm of a ratio of weights
        got = np.log(weights[:, :, 1:] / weights[:, :, :1])
        for head in range(num_heads):
            features = slice(head * head_dim, (head + 1) * head_dim)
            scores = query[0][:, features] @ key[0][:, features].T / head_dim**0.5
            if not np.allclose(got[head], scores[:, 1:] - scores[:, :1], atol=1e-3):
                return True
    return False
    ### END SOLUTION


# %% grade="detect-head-scaling" points=2
@checking("detect_head_scaling")
def _check(check):
    sharp = []  # of each call: the share of rows that give all their weight to one key
    # ko: sharp = []  # 호출마다, 가중치가 키 하나에 다 쏠린 행의 비율

    def divided(divisor, only=None):
        """A version that divides by divisor(head_dim, num_heads), or in the head `only` alone."""
        # ko: """divisor(head_dim, num_heads)로 나누는 것. `only`가 있으면 그 헤드에서만 나눕니다."""

        def weigh(query, key, num_heads):
            if not np.ndim(query) == np.ndim(key) == 3:
                raise ValueError(f"`weigh` takes a query and a key (batch, len, d_model). Received: {np.shape(query)}, {np.shape(key)}.")
                # ko: raise ValueError(f"`weigh`는 모양 (batch, len, d_model)인 query와 key를 받습니다. 받은 모양: {np.shape(query)}, {np.shape(key)}.")
            if query.shape[-1] % num_heads:
                raise ValueError(f"d_model has to be a multiple of num_heads. Received: {query.shape[-1]}, {num_heads}.")
                # ko: raise ValueError(f"d_model은 num_heads의 배수여야 합니다. 받은 수: {query.shape[-1]}, {num_heads}.")
            head_dim = query.shape[-1] // num_heads
            heads = []
            for head in range(num_heads):
                part = slice(head * head_dim, (head + 1) * head_dim)
                scores = to_numpy(query).astype("float64")[:, :, part] @ np.swapaxes(to_numpy(key), 1, 2)[:, part]
                is_wrong = only is None or head == only % num_heads
                scores = scores / (divisor(head_dim, num_heads) if is_wrong else np.sqrt(head_dim))
                scores -= scores.max(axis=-1, keepdims=True)
                heads.append(np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True))
            sharp.append(np.mean(np.max(heads, axis=-1) > 0.99))
            return np.stack(heads, axis=1)

        return weigh

    def in_float32(query, key, num_heads):
        return divided(lambda head_dim, num_heads: np.sqrt(head_dim))(query, key, num_heads).astype("float32")

    def by_size(of):
        return lambda query, key, num_heads: divided(lambda *_: np.sqrt(of(query, key)))(query, key, num_heads)

    versions = {
        "the root of head_dim": (divided(lambda head_dim, num_heads: np.sqrt(head_dim)), False),
        # ko: "head_dim의 제곱근": (divided(lambda head_dim, num_heads: np.sqrt(head_dim)), False),
        "the root of head_dim, rounded to float32": (in_float32, False),
        # ko: "head_dim의 제곱근, float32로 반올림한 결과": (in_float32, False),
        "the root of d_model": (divided(lambda head_dim, num_heads: np.sqrt(head_dim * num_heads)), True),
        # ko: "d_model의 제곱근": (divided(lambda head_dim, num_heads: np.sqrt(head_dim * num_heads)), True),
        "the root of head_dim, rounded": (divided(lambda head_dim, num_heads: np.round(np.sqrt(head_dim))), True),
        # ko: "head_dim의 제곱근을 반올림한 것": (divided(lambda head_dim, num_heads: np.round(np.sqrt(head_dim))), True),
        "the root of num_heads": (divided(lambda head_dim, num_heads: np.sqrt(num_heads)), True),
        # ko: "num_heads의 제곱근": (divided(lambda head_dim, num_heads: np.sqrt(num_heads)), True),
        "no division": (divided(lambda head_dim, num_heads: 1.0), True),
        # ko: "나누지 않음": (divided(lambda head_dim, num_heads: 1.0), True),
        "the root of d_model in the first head": (divided(lambda head_dim, num_heads: np.sqrt(head_dim * num_heads), 0), True),
        # ko: "첫째 헤드에서만 d_model의 제곱근": (divided(lambda head_dim, num_heads: np.sqrt(head_dim * num_heads), 0), True),
        "the root of d_model in the second head": (divided(lambda head_dim, num_heads: np.sqrt(head_dim * num_heads), 1), True),
        # ko: "둘째 헤드에서만 d_model의 제곱근": (divided(lambda head_dim, num_heads: np.sqrt(head_dim * num_heads), 1), True),
        "the root of d_model in the last head": (divided(lambda head_dim, num_heads: np.sqrt(head_dim * num_heads), -1), True),
        # ko: "마지막 헤드에서만 d_model의 제곱근": (divided(lambda head_dim, num_heads: np.sqrt(head_dim * num_heads), -1), True),
    }
    for words, (version, is_broken) in versions.items():
        hint = lambda: "Look at its inputs, too: nearly every query gives all its weight to one key, whatever the scale. Try smaller numbers, or more keys." if min(sharp, default=0) > 0.9 else ""
        # ko: hint = lambda: "검사가 넘긴 입력도 보세요. 스케일이 무엇이든 거의 모든 쿼리의 가중치가 키 하나에 다 쏠립니다. 더 작은 수를 넣거나 키를 늘려 보세요." if min(sharp, default=0) > 0.9 else ""
        expect_verdict(check, detect_head_scaling, version, is_broken, words, hint=hint)
    if not _says_broken(detect_head_scaling(divided(lambda head_dim, num_heads: 1.02 * np.sqrt(head_dim)))):
        _note_unseen(check, "it calls a version healthy that divides by 1.02 times the root of head_dim: compare with a smaller tolerance.")
        # ko: _note_unseen(check, "head_dim의 제곱근의 1.02배로 나누는 것을 정상이라고 합니다. 더 작은 허용 오차로 비교하세요.")
    def rounded(query, key, num_heads):
        weights = in_float32(query, key, num_heads)
        return weights + 4e-6 * np.sin(1000 * weights)

    if _says_broken(detect_head_scaling(rounded)):
        _note_unseen(check, "it calls a right version broken whose weights are off by less than 1e-5, which is rounding.")
        # ko: _note_unseen(check, "가중치가 1e-5보다 적게 다른 올바른 것을 고장이라고 합니다. 그만큼은 반올림 오차입니다.")
    sizes = {"batch": lambda query, key: len(query), "query_len": lambda query, key: query.shape[1], "key_len": lambda query, key: key.shape[1]}
    alike = [name for name, of in sizes.items() if not _says_broken(detect_head_scaling(by_size(of)))]
    if alike:
        check.notes.append(f"This task has no such version, but one that divides by the root of {' or of '.join(alike)} would pass for healthy: sizes that are all different show more.")
        # ko: check.notes.append(f"이 과제에는 나오지 않지만, {', '.join(alike)}의 제곱근으로 나누는 것이 있다면 정상이라고 할 것입니다. 시험하는 크기가 모두 다르면 더 많은 것을 가려냅니다.")
    picks = {"larger": max, "smaller": min}
    # ko: picks = {"큰": max, "작은": min}
    passed = [word for word, pick in picks.items() if not _says_broken(detect_head_scaling(divided(lambda *pair, pick=pick: np.sqrt(pick(pair)))))]
    if passed:
        _note_unseen(check, f"it calls a version healthy that divides by the root of the {passed[0]} one of num_heads and head_dim: try sizes with more heads than features in a head, and with fewer.")
        # ko: _note_unseen(check, f"num_heads와 head_dim 가운데 {passed[0]} 쪽의 제곱근으로 나누는 것을 정상이라고 합니다. 헤드가 헤드의 특징보다 많은 크기와 적은 크기를 다 시험하세요.")
_check

# %% [markdown]
# ## Task 9: repair the pairs (2 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# In training the decoder reads a sequence and is asked, at each position, for the token that comes **next**:
#
# | position | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | decoder_input | `<bos>` | three | hundred | one |
# | labels | three | hundred | one | `<eos>` |
#
# `make_pairs` makes both from the same row, but forgets the shift. Now the label at each position is what the decoder reads there. It
# learns to copy one token from its input to its output; a residual connection does that without any attention. Patient D.
#
# <details><summary>Hint 1: Which column is the label of column 0?</summary>
#
# Column 1. So the labels begin one column later than the input, and go to the end of the row.
#
# </details>
#
# <!-- ko -->
# ## 과제 9: 짝 고치기 (2점)
#
# *난이도 1/5, 10분쯤.*
#
# 학습할 때 디코더는 시퀀스를 읽고, 위치마다 그 **다음**에 올 토큰을 맞힙니다.
#
# | 위치 | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | decoder_input | `<bos>` | three | hundred | one |
# | labels | three | hundred | one | `<eos>` |
#
# `make_pairs`는 같은 행에서 둘을 만들지만 미는 것을 잊었습니다. 그래서 위치마다 라벨이 바로 그 자리에서 디코더가 읽는 것입니다. 디코더는
# 토큰 하나를 입력에서 출력으로 베끼는 법을 배웁니다. 이것은 어텐션 없이 잔차 연결만으로도 됩니다. 환자 D입니다.
#
# <details><summary>힌트 1: 0번 열의 라벨은 몇 번 열일까요?</summary>
#
# 1번 열입니다. 그러니 라벨은 입력보다 한 열 뒤에서 시작해 행의 끝까지 갑니다.
#
# </details>


# %% task="fix-shifted-target"
def make_pairs(target_ids):
    """
    Make what the decoder reads and what it is asked for.
    # ko: 디코더가 읽을 것과 맞힐 것을 만듭니다.

    Args:
    # ko: 인수:
        target_ids: (batch, len), integers: each row begins with <bos> and ends with <eos>, which padding follows where it is shorter.
        # ko: target_ids: (batch, len), 정수. 행마다 <bos>로 시작해 <eos>로 끝나고, 짧으면 그 뒤에 패딩(padding)이 옵니다.

    Returns:
    # ko: 반환값:
        (decoder_input, labels), each (batch, len - 1): all tokens but the last, and for each of them the token after it.
        # ko: (decoder_input, labels), 각각 (batch, len - 1). 마지막을 뺀 모든 토큰과, 그 각각의 다음 토큰입니다.
    """
    decoder_input = target_ids[:, :-1]
    ### BEGIN SOLUTION
    labels = target_ids[:, 1:]
    # broken: labels = target_ids[:, :-1]
    ### END SOLUTION
    return decoder_input, labels


# %% grade="fix-shifted-target" points=2
@checking("make_pairs")
def _check(check):
    ids = np.array([[1, 7, 5, 9, 2], [1, 6, 2, 0, 0], [1, 8, 5, 2, 0]])  # three rows, so that one array isn't taken for two
    # ko: ids = np.array([[1, 7, 5, 9, 2], [1, 6, 2, 0, 0], [1, 8, 5, 2, 0]])  # 행이 셋이므로 배열 하나가 둘로 보이지 않습니다
    given = ids.copy()
    made = make_pairs(given)
    if made is None:
        check._fail("it returned None. Is the `return` missing?")
        # ko: check._fail("None을 돌려주었습니다. `return`이 빠지지 않았나요?")
    is_pair = hasattr(made, "__len__") and not isinstance(made, dict) and len(made) == 2
    check.true(is_pair, "it returns two arrays", "it should return two arrays, (decoder_input, labels).")
    # ko: check.true(is_pair, "배열 둘을 돌려준다", "배열 둘 (decoder_input, labels)를 돌려주어야 합니다.")
    for words, part, expected in zip(("decoder_input", "labels"), made, (ids[:, :4], ids[:, -4:]), strict=True):
        if part is None:
            check._fail(f"{words} is None.")
            # ko: check._fail(f"{words}이(가) None입니다.")
        known = {
            "These are whole rows: one token has to go.": (ids,),
            # ko: "행 전체입니다. 토큰 하나가 빠져야 합니다.": (ids,),
            "A row was left out, not a column: the first axis is that of the batch, and positions come after it.": (ids[1:], ids[:-1]),
            # ko: "열이 아니라 행이 빠졌습니다. 첫 축은 배치이고, 위치는 그다음 축입니다.": (ids[1:], ids[:-1]),
            "They begin at the third token of each row; labels begin at the second.": (ids[:, 2:],),
            # ko: "행마다 셋째 토큰에서 시작합니다. 라벨은 둘째 토큰에서 시작합니다.": (ids[:, 2:],),
            "Both the first and the last token of each row are left out, and one of them belongs here.": (ids[:, 1:-1],),
            # ko: "행마다 첫 토큰과 마지막 토큰이 둘 다 빠졌습니다. 둘 가운데 하나는 있어야 합니다.": (ids[:, 1:-1],),
        }
        if words == "labels":
            known |= {
                "They end too early. Is the end of the slice the number of rows, which `len(target_ids)` gives?": (ids[:, 1:3],),
                # ko: "너무 일찍 끝납니다. 슬라이스의 끝이 행의 수인 `len(target_ids)`가 아닌가요?": (ids[:, 1:3],),
                "A roll brings the token that falls out in front in again at the end: leave the last column out.": (np.roll(ids, -1, axis=1), np.roll(ids, -1)),
                # ko: "앞에서 밀려난 토큰이 맨 뒤로 다시 들어왔습니다. 마지막 열을 빼세요.": (np.roll(ids, -1, axis=1), np.roll(ids, -1)),
                "The tokens are rolled the wrong way. A label is the token after, so tokens move one column to the front.": (np.roll(ids, 1, axis=1), np.roll(ids, 1)),
                # ko: "토큰을 반대 방향으로 돌렸습니다. 라벨은 다음 토큰이므로 토큰을 한 열 앞으로 옮겨야 합니다.": (np.roll(ids, 1, axis=1), np.roll(ids, 1)),
            }
        causes = [cause for cause, wrongs in known.items() if any(np.array_equal(_as_array(part), wrong) for wrong in wrongs)]
        check.shape(part, (3, 4), f"{words} (batch, len - 1)", "".join(causes[:1]))
        array = _as_array(part)
        if np.may_share_memory(array, given) and not np.array_equal(given, ids) and not np.array_equal(array, expected):
            check._fail(f"{words}: `target_ids` has been written over, and so {words}, which is a part of it, has changed, too. Make a new array instead of writing into `target_ids`.")
            # ko: check._fail(f"{words}: 받은 배열 `target_ids`를 덮어써서, 그 일부인 {words}도 바뀌었습니다. `target_ids`에 써 넣지 말고 새 배열을 만드세요.")
        check.close(
            part,
            expected,
            f"{words}: the right tokens",
            # ko: f"{words}: 올바른 토큰",
            hints={"these are the labels. The input comes first: leave it where it is, without the last token.": ids[:, 1:]}
            # ko: hints={"이것은 라벨입니다. 첫째는 입력이고, 밀지 말고 마지막 토큰만 빼세요.": ids[:, 1:]}
            if words == "decoder_input"
            else {
                "these are the inputs, with 1 added to each id: the next token stands in the next column.": ids[:, :-1] + 1,
                # ko: "입력의 ID마다 1을 더한 것입니다. 다음 토큰은 다음 열에 있습니다.": ids[:, :-1] + 1,
                "these are the inputs themselves: the label of a token is the one after it.": ids[:, :-1],
                # ko: "입력과 똑같습니다. 토큰마다 라벨은 그다음 토큰입니다.": ids[:, :-1],
                "the tokens are rolled the wrong way. A label is the token after, so tokens move one column to the front.": np.roll(ids, 1, axis=1)[:, :-1],
                # ko: "토큰을 반대 방향으로 돌렸습니다. 라벨은 다음 토큰이므로 토큰을 한 열 앞으로 옮겨야 합니다.": np.roll(ids, 1, axis=1)[:, :-1],
                "the last label is the first token of the row. Was the last column cut off before the roll? Roll whole rows first.": np.roll(ids[:, :-1], -1, axis=1),
                # ko: "마지막 라벨이 행의 첫 토큰입니다. 마지막 열을 빼고 나서 돌리지 않았나요? 행 전체를 먼저 돌리세요.": np.roll(ids[:, :-1], -1, axis=1),
            },
        )
    long = np.array([[1, 6, 48, 305, 9, 999, 2]])
    again = lambda: make_pairs(long.copy())
    try:
        pair = again()
    except Exception as error:
        check._fail(f"3 rows of 5 ids up to 9 work, a row of 7 ids up to 999 doesn't. {_explained(error, {again.__code__.co_filename})}")
        # ko: check._fail(f"9까지의 ID가 5개인 행 3개이면 되는데, 999까지의 ID가 7개인 행 1개이면 안 됩니다. {_explained(error, {again.__code__.co_filename})}")
    for words, part, expected in zip(("decoder_input", "labels"), pair, (long[:, :6], long[:, -6:]), strict=True):
        check.shape(part, (1, 6), f"{words} of a row of 7 tokens", "Does it work for rows of any length?")
        # ko: check.shape(part, (1, 6), f"토큰이 7개인 행의 {words}", "행의 길이가 얼마이든 되나요?")
        check.close(part, expected, f"{words} of a row of 7 tokens: the right ones", otherwise="Does it work for ids of any size?")
        # ko: check.close(part, expected, f"토큰이 7개인 행의 {words}: 올바른 토큰", otherwise="큰 ID도 제대로 다루나요?")
    _note_overwriting(check, (given, ids))
_check

# %% [markdown]
# What is asked for where? Patient D's pairs and yours, of a row that is shorter than others of its batch. So its `<eos>` is read, too, and the label
# there is `<pad>`.
#
# <!-- ko -->
# 어디에서 무엇을 맞힐까요? 같은 행으로 환자 D가 만든 짝과 여러분이 만든 짝입니다. 배치의 다른 행보다 짧은 행이라서 `<eos>`도 입력에 들어가고, 그 자리의 라벨은
# `<pad>`입니다.

# %%
@demonstrate
def _demo():
    figure, axes = plt.subplots(2, 1, figsize=(9, 3.4), layout="constrained")
    sentence = ["<bos>", "three", "hundred", "twenty", "one", "<eos>", "<pad>"]
    # the same row of numbers, through patient D's pairs and yours
    # ko: # 수 하나를 나타내는 같은 행을 환자 D의 짝과 여러분의 짝에 통과시킵니다
    versions = {"patient D": same_letters, "yours": make_pairs}
    # ko: versions = {"환자 D (patient)": same_letters, "여러분의 코드 (yours)": make_pairs}
    for ax, (name, pairs) in zip(axes, versions.items(), strict=True):
        for y, part in enumerate(pairs(np.arange(7)[None])):
            for place, number in enumerate(to_numpy(part)[0]):
                colour = plt.get_cmap("YlOrBr")(0.1 + 0.09 * int(number))
                ax.add_patch(plt.Rectangle((place - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
                ax.text(place, y, sentence[int(number)], ha="center", va="center", fontsize=9)
        ax.set(title=name, xlim=(-0.5, 5.5), ylim=(1.5, -0.5), xticks=range(6), yticks=[0, 1])
        ax.set_yticklabels(["decoder_input", "labels"])
    plt.show()

# %%
@demonstrate
def _demo():
    if not BEING_GRADED:
        repaired = train_copier(pairs=make_pairs)
        show_trainings({"patient D": _patients["D"], "your repair": repaired})
        # ko: show_trainings({"환자 D (patient)": _patients["D"], "고친 것 (repaired)": repaired})

# %% [markdown]
# > **Does this hold?** *"A loss near zero after one epoch shows how powerful the architecture is."* Guess, and say why, before you unfold the answer.
# >
# > <details><summary>What is right</summary>
# >
# > It doesn't hold. A loss that falls *too* fast is a symptom. Ask what the least is that a right model could reach: six letters
# > drawn at random can't be known before they are read. A loss below that bound means that the answer is in the input. (Our
# > curves leave the first word out, so their bound is 0. Were all 13 positions trained and counted, of which five ask for a letter that can't be known (the first letter is given, never asked for), a right model couldn't get below
# > $5 \ln 16 / 13 \approx 1.07$, and patients A and D, whose losses fall to 0 there too, would give themselves away.)
# >
# > </details>
#
# <!-- ko -->
# > **정말 그럴까?** *"에폭(epoch) 한 번 만에 손실이 0에 가까워졌으니 이 구조가 얼마나 강력한지 알 수 있다."* 맞는지 틀리는지, 그 까닭까지 적은 뒤 답을 펼치세요.
# >
# > <details><summary>맞는 설명</summary>
# >
# > 그렇지 않습니다. *너무* 빨리 떨어지는 손실은 증상입니다. 올바른 모델이 도달할 수 있는 가장 작은 손실이 얼마인지 물어보세요.
# > 무작위로 뽑은 글자 여섯 개는 읽기 전에는 알 수 없습니다. 손실이 그 한계보다 작다면 답이 입력에 들어 있다는 뜻입니다. (우리 곡선은
# > 첫 낱말을 세지 않으므로 한계가 0입니다. 13개 위치를 모두 학습하고 센다면, 그 가운데 다섯은 미리 알 수 없는 글자를 맞혀야 하므로(첫 글자는 입력으로만 주어집니다) 올바른 모델의 손실은 $5 \ln 16 / 13 \approx 1.07$보다 작아질 수
# > 없습니다. 환자 A와 D의 손실은 이때도 0으로 가므로 바로 들통납니다.)
# >
# > </details>

# %% [markdown]
# ## Task 10: find labels that are not shifted (2 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# You get a function like `make_pairs` and say whether its labels are anything other than the next tokens. Hints:
#
# - Labels shifted by two, labels shifted the other way, inputs shifted along with the labels: these are wrong, too. That labels and
#   inputs differ proves nothing.
# - Ids that repeat can hide a shift. Choose them all different.
# - Look at all positions of all sequences, with padding and without.
#
# <details><summary>Hint 1: Which rows?</summary>
#
# Ids that are all different (`np.arange` makes them), `<bos>` in front, `<eos>` at the end; some rows shorter, with 0 behind the
# `<eos>`. But keep real tokens in each row.
#
# </details>
#
# <details><summary>Hint 2: What is right?</summary>
#
# Exactly one pair of arrays: work it out by slices and compare both with `np.array_equal`. Hand over a copy of the ids, in case the
# function changes them.
#
# </details>
#
# <!-- ko -->
# ## 과제 10: 밀지 않은 라벨 찾기 (2점)
#
# *난이도 2/5, 20분쯤.*
#
# `make_pairs` 같은 함수를 받아, 라벨이 다음 토큰이 아닌지 판단합니다. 힌트를 봅시다.
#
# - 라벨을 두 칸 민 것, 반대로 민 것, 입력까지 라벨과 함께 민 것도 틀린 것입니다. 라벨과 입력이 다르다는 것만으로는 아무것도
#   증명되지 않습니다.
# - ID가 되풀이되면 한 칸 밀렸는지가 가려질 수 있습니다. 모두 다르게 고르세요.
# - 패딩이 있는 것과 없는 것, 모든 시퀀스의 모든 위치를 살피세요.
#
# <details><summary>힌트 1: 어떤 행을 쓸까요?</summary>
#
# ID가 모두 다르고(`np.arange`로 만듭니다) 앞은 `<bos>`, 끝은 `<eos>`인 행입니다. 몇몇 행은 짧게 하여 `<eos>` 뒤를 0으로 채우되,
# 행마다 진짜 토큰은 남겨 두세요.
#
# </details>
#
# <details><summary>힌트 2: 무엇이 올바를까요?</summary>
#
# 올바른 배열의 쌍은 하나뿐입니다. 슬라이스로 구해 `np.array_equal`로 둘 다 비교하세요. 함수가 ID를 바꿀 수도 있으니 복사본을
# 넘깁니다.
#
# </details>


# %% task="detect-shifted-target" builds_on="fix-shifted-target"
def detect_shifted_target(make):
    """
    Find out whether labels are something other than the next tokens.
    # ko: 라벨이 다음 토큰이 아닌지 알아냅니다.

    Args:
    # ko: 인수:
        make: a callable. Takes target_ids, a NumPy array (batch, len) of any integers from 0 to 999. Rows of real data begin with
        # ko: make: 호출할 수 있는 것. target_ids를 받습니다. 0부터 999까지의 아무 정수나 담은 NumPy 배열 (batch, len)이고, 실제로 쓸 때는 행마다
            <bos> 1 and end with <eos> 2, which padding 0 follows in shorter ones; any batch, any len of 4 or more. It returns
            # ko: <bos> 1로 시작해 <eos> 2로 끝나며, 짧으면 그 뒤에 패딩 0이 옵니다. batch는 얼마든지, len은 4 이상이면 됩니다.
            (decoder_input, labels), arrays or tensors (batch, len - 1) of integers.
            # ko: 정수의 배열이나 텐서 둘 (decoder_input, labels)를 돌려주고, 모양은 각각 (batch, len - 1)입니다.

    Returns:
    # ko: 반환값:
        False if decoder_input holds all tokens but the last of each row and labels the token after each of these, else
        # ko: 행마다 decoder_input이 마지막을 뺀 모든 토큰이고 labels가 그 각각의 다음 토큰이면 False, 아니면
        True.
        # ko: True.
    """
    ### BEGIN SOLUTION
    ids = np.arange(4, 40).reshape(4, 9)
    ids[:, 0] = 1
    for row, length in enumerate((9, 5, 9, 7)):
        ids[row, length - 1 :] = 0
        ids[row, length - 1] = 2
    decoder_input, labels = (to_numpy(part) for part in make(ids.copy()))
    is_right = np.array_equal(decoder_input, ids[:, :-1]) and np.array_equal(labels, ids[:, 1:])
    return not is_right
    ### END SOLUTION


# %% grade="detect-shifted-target" points=2
@checking("detect_shifted_target")
def _check(check):
    lengths, alike, others = [], set(), set()

    def taken(first, second):
        """A version that takes, for positions 0 to len - 2, the token `first` further for the input, `second` for the label."""
        # ko: """위치 0에서 len - 2까지, 입력은 `first`칸 뒤의 토큰을, 라벨은 `second`칸 뒤의 토큰을 고르는 것."""

        def make(target_ids):
            if isinstance(target_ids, (list, tuple)):
                check.true(False, "", f"your check hands over a {type(target_ids).__name__}: make a NumPy array of it.")
                # ko: check.true(False, "", f"여러분의 검사가 {type(target_ids).__name__}을(를) 넘겼습니다. NumPy 배열로 만들어 넘기세요.")
            if np.ndim(target_ids) != 2:
                check.true(False, "", f"your check hands over ids of the shape {np.shape(target_ids)}, not (batch, len).")
                # ko: check.true(False, "", f"여러분의 검사가 넘긴 ID의 모양이 (batch, len)이 아니라 {np.shape(target_ids)}입니다.")
            are_ids = np.issubdtype(np.asarray(target_ids).dtype, np.integer) and np.min(target_ids) >= 0 and np.max(target_ids) < 1000
            if not are_ids:
                check.true(False, "", "your check hands over what aren't ids: they are whole numbers from 0 to 999.")
                # ko: check.true(False, "", "여러분의 검사가 ID가 아닌 것을 넘겼습니다. ID는 0부터 999까지의 정수여야 합니다.")
            length = target_ids.shape[1]
            lengths.append(length)
            places = np.arange(length - 1)
            return tuple(np.asarray(target_ids)[:, np.minimum(places + shift, length - 1)] for shift in (first, second))

        return make

    def partly(chosen):
        """A right version but for the labels of the sequences that `chosen` (ids -> (batch,), booleans) leaves out: the inputs."""
        # ko: """`chosen`(ID -> (batch,), 불리언)에서 빠진 시퀀스의 라벨만 입력과 같고, 나머지는 올바른 것."""

        def make(target_ids):
            inputs, labels = taken(0, 1)(target_ids)
            return inputs, np.where(chosen(np.asarray(target_ids))[:, None], labels, inputs)

        return make

    def at_first_position(target_ids):
        inputs, labels = taken(0, 1)(target_ids)
        return inputs, np.concatenate([labels[:, :1], inputs[:, 1:]], axis=1)

    def but_at_last_position(target_ids):
        inputs, labels = taken(0, 1)(target_ids)
        return inputs, np.concatenate([labels[:, :-1], inputs[:, -1:]], axis=1)

    def but_in_the_middle(target_ids):
        inputs, labels = taken(0, 1)(target_ids)
        middle = labels.shape[1] // 2
        labels[:, middle] = inputs[:, middle]
        return inputs, labels

    def but_in_the_middle_of_whole_rows(target_ids):
        is_padded = (to_numpy(target_ids) == 0).any(axis=1, keepdims=True)
        (inputs, right), (_, wrong) = taken(0, 1)(target_ids), but_in_the_middle(target_ids)
        return inputs, np.where(is_padded, right, wrong)

    def but_before_padding(target_ids):
        inputs, labels = taken(0, 1)(target_ids)
        return inputs, np.where(labels == 0, inputs, labels)

    def that_writes_over_the_ids(target_ids):
        made = taken(0, 1)(target_ids)
        if isinstance(target_ids, np.ndarray) and target_ids.flags.writeable:
            target_ids[:] = 0
        return made

    def that_is_watched(target_ids):
        made = taken(0, 1)(target_ids)
        read, asked = made
        repeats = (read == asked) & (read != 0)
        alike.update(map(tuple, np.argwhere(repeats).tolist()))
        others.update(map(tuple, np.argwhere(~repeats).tolist()))
        return made

    versions = {
        "labels one further than the inputs": (taken(0, 1), False),
        # ko: "라벨이 입력보다 한 칸 뒤": (taken(0, 1), False),
        "labels that are the inputs": (taken(0, 0), True),
        # ko: "라벨이 곧 입력": (taken(0, 0), True),
        "the inputs shifted along with the labels": (taken(1, 1), True),
        # ko: "입력까지 라벨과 함께 민 것": (taken(1, 1), True),
        "labels two further": (taken(0, 2), True),
        # ko: "라벨이 두 칸 뒤": (taken(0, 2), True),
        "both shifted, the labels by one more": (taken(1, 2), True),
        # ko: "둘 다 밀되 라벨을 한 칸 더 민 것": (taken(1, 2), True),
        "the inputs shifted instead of the labels": (taken(1, 0), True),
        # ko: "라벨 대신 입력을 민 것": (taken(1, 0), True),
        "labels that are shifted in the first sequence only": (partly(lambda ids: np.arange(len(ids)) == 0), True),
        # ko: "첫 시퀀스에서만 민 라벨": (partly(lambda ids: np.arange(len(ids)) == 0), True),
        "labels that are shifted at the first position only": (at_first_position, True),
        # ko: "첫 위치에서만 민 라벨": (at_first_position, True),
        "labels that are shifted only where there is no padding": (partly(lambda ids: (ids != 0).all(axis=1)), True),
        # ko: "패딩이 없는 시퀀스에서만 민 라벨": (partly(lambda ids: (ids != 0).all(axis=1)), True),
        "labels that are shifted in all sequences but the first": (partly(lambda ids: np.arange(len(ids)) != 0), True),
        # ko: "첫 시퀀스에서만 밀지 않은 라벨": (partly(lambda ids: np.arange(len(ids)) != 0), True),
        "labels that are shifted at all positions but the last": (but_at_last_position, True),
        # ko: "마지막 위치에서만 밀지 않은 라벨": (but_at_last_position, True),
        "labels that are shifted only where there is padding": (partly(lambda ids: (ids == 0).any(axis=1)), True),
        # ko: "패딩이 있는 시퀀스에서만 민 라벨": (partly(lambda ids: (ids == 0).any(axis=1)), True),
        "labels that are shifted at all positions but one in the middle": (but_in_the_middle, True),
        # ko: "가운데 위치 하나에서만 밀지 않은 라벨": (but_in_the_middle, True),
        "labels that are wrong only where they should be padding": (but_before_padding, True),
        # ko: "패딩이어야 할 자리에서만 틀린 라벨": (but_before_padding, True),
        "labels that aren't shifted at one position in the middle of sequences without padding (are ids repeated there?)": (but_in_the_middle_of_whole_rows, True),
        # ko: "패딩이 없는 시퀀스의 가운데 위치 하나에서만 밀지 않은 라벨(거기에서 ID가 되풀이되지 않나요?)": (but_in_the_middle_of_whole_rows, True),
    }
    for words, (version, is_broken) in versions.items():
        expect_verdict(check, detect_shifted_target, version, is_broken, words)
    if min(lengths, default=4) < 4:
        _note_unseen(check, f"it tries rows of {min(lengths)} ids, and `make` is promised to work from 4.")
        # ko: _note_unseen(check, f"길이가 {min(lengths)}인 행을 시험하는데, `make`는 4부터만 된다고 했습니다.")
    detect_shifted_target(that_is_watched)
    if alike - others:
        _note_unseen(check, "its rows hold the same id twice in succession, where labels look right even if they aren't shifted. Choose ids that are all different.")
        # ko: _note_unseen(check, "시험하는 행에 같은 ID가 잇달아 나옵니다. 거기서는 라벨을 밀지 않아도 올바르게 보입니다. ID를 모두 다르게 고르세요.")
    if _says_broken(detect_shifted_target(that_writes_over_the_ids)):
        _note_unseen(check, "it calls a right function broken that writes over the ids that it gets: hand over a copy.")
        # ko: _note_unseen(check, "만든 쌍은 올바르지만 받은 ID를 덮어쓰는 함수를 고장이라고 합니다. 복사본을 넘기세요.")
_check

# %% [markdown]
# ## The ward round
#
# Your five checks on the five mistakes as you found them and on your repairs. If all is well, each says "broken" in the left column and "healthy" in
# the right one.
#
# <!-- ko -->
# ## 회진
#
# 여러분의 검사 다섯 가지를, 처음 보았던 버그 다섯 가지와 여러분이 고친 것에 돌려 봅니다. 모두 잘되었다면 왼쪽 열은 고장, 오른쪽 열은
# 정상입니다.

# %%
@demonstrate
def _demo():
    keras.utils.set_random_seed(2)

    def with_layer(attend):
        """A black box for the first check: a layer of its own for each width."""
        # ko: """첫째 검사에 줄 블랙박스. 너비마다 계층을 따로 씁니다."""
        layers = {}
        return lambda x: attend(layers.setdefault(x.shape[-1], keras.layers.MultiHeadAttention(2, 3)), to_numpy(x).astype("float32"))

    def with_parts(connect):
        mix = lambda h: np.cumsum(to_numpy(h), axis=1) / np.arange(1, h.shape[1] + 1)[:, None]
        return lambda x, feed_forward: connect(x, mix, lambda h: to_numpy(feed_forward(to_numpy(h))), _over_features, _over_features)

    def lost(x, attend, feed_forward, norm_1, norm_2):
        feed_forward(norm_2(x))
        return x + (x + attend(norm_1(x)))

    def with_scores(build):
        def build_and_show(d_model, num_heads):
            layer = build(d_model, num_heads)
            return lambda x: layer(*[to_numpy(x).astype("float32")] * 2, return_attention_scores=True)

        return build_and_show

    def with_float32(weigh):
        return lambda query, key, num_heads: weigh(*(to_numpy(x).astype("float32") for x in (query, key)), num_heads)

    swapped = lambda d_model, num_heads: keras.layers.MultiHeadAttention(d_model // num_heads, num_heads)
    rounds = {
        "inverted mask": (detect_inverted_mask, with_layer(turned_over), with_layer(causal_self_attention)),
        # ko: "거꾸로 된 마스크 (mask)": (detect_inverted_mask, with_layer(turned_over), with_layer(causal_self_attention)),
        "dropped feed-forward": (detect_dropped_feed_forward, with_parts(lost), with_parts(connect_block)),
        # ko: "사라진 피드포워드 (feed-forward)": (detect_dropped_feed_forward, with_parts(lost), with_parts(connect_block)),
        "swapped arguments": (detect_swapped_arguments, with_scores(swapped), with_scores(build_self_attention)),
        # ko: "바뀐 인수 (arguments)": (detect_swapped_arguments, with_scores(swapped), with_scores(build_self_attention)),
        "head scaling": (detect_head_scaling, _flat_weights, with_float32(head_weights)),
        # ko: "틀린 스케일 (scaling)": (detect_head_scaling, _flat_weights, with_float32(head_weights)),
        "shifted target": (detect_shifted_target, same_letters, make_pairs),
        # ko: "밀지 않은 라벨 (target)": (detect_shifted_target, same_letters, make_pairs),
    }
    figure, ax = plt.subplots(figsize=(6.5, 3.6), layout="constrained")
    for row, (detect, *versions) in enumerate(rounds.values()):
        for column, version in enumerate(versions):
            is_broken = _says_broken(detect(version))
            colour = "#7fb069" if is_broken == (column == 0) else "#d1495b"
            ax.add_patch(plt.Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
            ax.text(column, row, "broken" if is_broken else "healthy", ha="center", va="center")
            # ko: ax.text(column, row, "고장 (broken)" if is_broken else "정상 (healthy)", ha="center", va="center")
    ax.set(title="what your checks say", xlim=(-0.5, 1.5), ylim=(4.5, -0.5), xticks=[0, 1], yticks=range(5))
    # ko: ax.set(title="여러분의 검사가 내린 판단", xlim=(-0.5, 1.5), ylim=(4.5, -0.5), xticks=[0, 1], yticks=range(5))
    ax.set_xticklabels(["as found", "your repair"])
    # ko: ax.set_xticklabels(["처음 상태 (as found)", "고친 것 (repaired)"])
    ax.set_yticklabels(rounds)
    plt.show()

# %% [markdown]
# ## ★ An undiagnosed patient (optional, no points)
#
# *Difficulty 4 of 5, about 60 minutes.*
#
# So far each patient came with its diagnosis. The next one came with a note: "trains, writes nonsense now and then". It is a whole small model, and
# **three** lines of it are wrong. None of the three is among the five mistakes above, and one shows only while the model *runs*: no look at its weights or
# its shapes would find it.
#
# 1. Read the cell and write down what you suspect.
# 2. Write examinations of your own, in cells that you add: what must hold of any decoder, whatever its weights are? (Same input, same output. Nothing
#    later moves anything earlier. …)
# 3. Repair the lines in place, and run the folded round below. It says which examinations the patient passes, not what is wrong with it.
#
# <details><summary>Hint 1: Three things that hold of every decoder</summary>
#
# Asked twice, it says the same. An earlier output doesn't move when a later id changes. What it says of a row doesn't depend on which other rows are in the batch, or
# where the row stands among them.
#
# </details>
#
# <details><summary>Hint 2: Which line moves what?</summary>
#
# Follow one number from the ids to the logits and ask at each line along which axis it works: features, positions, or rows. One line works along the wrong one, and one along one too many.
#
# </details>
#
# <details><summary>Hint 3: The third</summary>
#
# Dropout belongs to training. Who says whether this is training? Repair it first: as long as answers are chance, the other examinations tell nothing. And
# one mistake can hide another: a right repair may turn a ✓ into a ✗. Go on then.
#
# </details>
#
# <!-- ko -->
# ## ★ 진단받지 않은 환자 (선택, 점수 없음)
#
# *난이도 4/5, 60분쯤.*
#
# 지금까지는 환자마다 진단서가 있었습니다. 다음 환자에게는 쪽지 한 장뿐입니다. "학습은 되는데 가끔 엉뚱한 말을 씁니다." 작지만 갖출 것은 다 갖춘 모델이고, 그 가운데
# **세** 줄이 틀렸습니다. 셋 다 앞의 다섯 가지 버그와 다르고, 하나는 모델이 *돌아가는 동안에만* 드러납니다. 이 하나는 가중치나 모양을 들여다보아도
# 찾을 수 없습니다.
#
# 1. 셀을 읽고 의심스러운 곳을 적어 두세요.
# 2. 셀을 추가해 직접 검진을 작성하세요. 가중치가 무엇이든 디코더라면 지켜야 하는 것은 무엇일까요? (같은 입력에는 같은 출력. 뒤에 있는 것은 앞의
#    무엇도 움직이지 않습니다. …)
# 3. 틀린 줄을 그 자리에서 고치고, 아래의 접힌 회진 셀을 실행하세요. 어떤 검진을 통과하는지만 알려 주고, 무엇이 잘못인지는 말하지 않습니다.
#
# <details><summary>힌트 1: 어떤 디코더든 지키는 세 가지</summary>
#
# 두 번 물으면 같은 답을 합니다. 뒤의 ID가 바뀌어도 앞의 출력은 움직이지 않습니다. 한 행에 대한 답은 배치에 다른 어떤 행이 있는지, 그 행이 몇 번째인지와
# 상관없습니다.
#
# </details>
#
# <details><summary>힌트 2: 어느 줄이 무엇을 움직일까요?</summary>
#
# ID에서 로짓까지 수 하나를 따라가며, 줄마다 어느 축을 따라 계산하는지 물어보세요. 특징인가요, 위치인가요, 행인가요? 한 줄은 엉뚱한 축을 따르고, 한 줄은 축 하나를 더 따릅니다.
#
# </details>
#
# <details><summary>힌트 3: 나머지 하나</summary>
#
# 드롭아웃은 학습할 때만 씁니다. 지금이 학습 중인지는 누가 말해 주나요? 이것부터 고치세요. 답이 우연에 따라 달라지는 동안에는 다른 검진에서 아무것도 알 수
# 없습니다. 한 버그가 다른 버그를 숨기기도 합니다. 올바르게 고쳤는데 ✓가 ✗로 바뀔 수도 있으니, 그래도 계속하세요.
#
# </details>

# %%
class _Undiagnosed(keras.Model):
    """A decoder: ids (batch, length) -> logits (batch, length, tokens). Three of its lines are wrong."""
    # ko: """디코더: ID (batch, length) -> 로짓 (batch, length, tokens). 세 줄이 틀렸습니다."""

    def __init__(self):
        super().__init__(name="undiagnosed")
        self.embedding = keras.layers.Embedding(len(TOKENS), WIDTH)
        self.places = keras.layers.Embedding(256, WIDTH)
        self.norm_1 = keras.layers.LayerNormalization(axis=[1, 2])
        self.attention = keras.layers.MultiHeadAttention(2, WIDTH // 2)
        self.norm_2 = keras.layers.LayerNormalization()
        self.hidden = keras.layers.Dense(2 * WIDTH, activation="relu")
        self.dropout = keras.layers.Dropout(0.2)
        self.output_dense = keras.layers.Dense(WIDTH)
        self.logits = keras.layers.Dense(len(TOKENS))

    def call(self, ids, training=False):
        positions = ops.arange(ops.shape(ids)[0])[:, None]
        x = self.embedding(ids) + self.places(positions)
        h = self.norm_1(x)
        x = x + self.attention(h, h, use_causal_mask=True)
        h = self.hidden(self.norm_2(x))
        x = x + self.output_dense(self.dropout(h, training=True))
        return self.logits(x)

# %% folded=true
@demonstrate
def _demo():
    keras.utils.set_random_seed(5)
    rng = np.random.default_rng(5)
    ids = rng.integers(3, len(TOKENS), (3, 7)).astype("int32")
    model = _Undiagnosed()
    model(ids)
    for weight in model.weights:  # as after a training: nothing is 0 or 1 by habit
    # ko: for weight in model.weights:  # 학습한 뒤처럼, 처음부터 0이나 1인 것이 없게 합니다
        weight.assign(rng.normal(0, 0.5, weight.shape) if "seed" not in weight.path else to_numpy(weight))
    ask = lambda asked: to_numpy(model(asked))
    later = ids.copy()
    later[:, -1] = 3 + (ids[:, -1] - 3 + 1) % len(LETTERS)
    turned = ids[::-1].copy()
    swapped = ids[:, [1, 0, 2, 3, 4, 5, 6]]

    def alone(count):
        """What it says of the first `count` ids of each row if no others come in; infinite where it fails."""
        # ko: """행마다 처음 `count`개의 ID만 넣었을 때의 답. 실패하면 무한대입니다."""
        try:
            return ask(ids[:, :count])
        except Exception:
            return np.inf

    examinations = {
        "asked twice, it says the same": np.abs(ask(ids) - ask(ids)).max() < 1e-5,
        # ko: "두 번 물어도 같은 답을 한다": np.abs(ask(ids) - ask(ids)).max() < 1e-5,
        "a later id moves no earlier output": np.abs(ask(ids) - ask(later))[:, :-1].max() < 1e-4,
        # ko: "뒤의 ID는 앞의 출력을 움직이지 않는다": np.abs(ask(ids) - ask(later))[:, :-1].max() < 1e-4,
        "a row's answer is the same wherever it stands in the batch": np.abs(ask(ids) - ask(turned)[::-1]).max() < 1e-4,
        # ko: "배치의 어디에 있든 한 행에 대한 답은 같다": np.abs(ask(ids) - ask(turned)[::-1]).max() < 1e-4,
        "the order of the earlier ids counts": np.abs(ask(ids)[:, -1] - ask(swapped)[:, -1]).max() > 1e-3,
        # ko: "앞에 있는 ID의 순서에 따라 답이 다르다": np.abs(ask(ids)[:, -1] - ask(swapped)[:, -1]).max() > 1e-3,
        "what it says of shorter rows is the same": np.abs(ask(ids)[:, :5] - alone(5)).max() < 1e-4,
        # ko: "행을 짧게 잘라도 남은 자리의 답은 같다": np.abs(ask(ids)[:, :5] - alone(5)).max() < 1e-4,
    }
    for words, holds in examinations.items():
        print("✓" if holds else "✗", words)
    training = to_numpy(model(ids, training=True))
    drops = np.abs(training - to_numpy(model(ids, training=True))).max() > 1e-5
    print("✓" if drops else "✗", "in training it still drops")
    # ko: print("✓" if drops else "✗", "학습할 때는 여전히 드롭아웃한다")

# %% [markdown]
# ## What you have now
#
# | mistake | teacher-forced | free-running | found by |
# |---|---|---|---|
# | mask upside down | perfect | the same wrong letters for every word | changing later inputs |
# | feed-forward network lost | nothing to see | nothing to see | changing the network, counting parameters (functional model) |
# | arguments swapped | nothing to see | nothing to see | different sizes; not by counting parameters |
# | scores divided by the wrong root | nothing to see | 0.999 instead of 1.000 in notebook 07 | values |
# | labels not shifted | perfect | the bar, mostly | ids that are all different |
#
# None of them shows in a loss that stays high. Two make it fall too fast, which tells you something only if you know how fast is right
# (task 9). Write the check first, and keep it: your code will change again.
#
# **References.** Vaswani et al. 2017, *Attention Is All You Need*, sections 3.1 to 3.2.3. Claessen and Hughes 2000, *QuickCheck* (testing
# by properties instead of examples). DeMillo, Lipton and Sayward 1978, *Hints on Test Data Selection* (a test is as good as the
# wrong programs that it rejects: your checks were graded so).
#
# <!-- ko -->
# ## 지금까지 만든 것
#
# | 버그 | 교사 강요 | 자유 실행 | 찾아내는 방법 |
# |---|---|---|---|
# | 거꾸로 된 마스크 | 완벽함 | 어떤 낱말을 주어도 똑같은 엉뚱한 글자들 | 뒤의 입력을 바꾸어 보기 |
# | 사라진 피드포워드 신경망 | 표가 나지 않음 | 표가 나지 않음 | 신경망을 바꾸어 보기, 파라미터 세기(함수형 모델) |
# | 자리가 바뀐 인수 | 표가 나지 않음 | 표가 나지 않음 | 서로 다른 크기. 파라미터를 세는 것으로는 안 됨 |
# | 엉뚱한 제곱근으로 나눈 점수 | 표가 나지 않음 | 7번 노트북에서 1.000 대신 0.999 | 값 |
# | 밀지 않은 라벨 | 완벽함 | 대개 막대만 되풀이 | 모두 다른 ID |
#
# 손실이 줄지 않아서 드러나는 것은 하나도 없습니다. 둘은 손실이 너무 빨리 떨어지게 하지만, 얼마나 빨라야 맞는지 알 때만 그것으로 알 수
# 있습니다(과제 9). 검사를 먼저 작성하고, 버리지 마세요. 코드는 또 바뀝니다.
#
# **참고 문헌.** Vaswani et al. 2017, *Attention Is All You Need*, 3.1절에서 3.2.3절까지. Claessen and Hughes 2000, *QuickCheck*(예제가
# 아니라 성질을 검사하는 테스트). DeMillo, Lipton and Sayward 1978, *Hints on Test Data Selection*(테스트가 얼마나 좋은지는 틀린 프로그램을
# 얼마나 걸러 내는지로 안다. 여러분의 검사도 그렇게 채점합니다).
