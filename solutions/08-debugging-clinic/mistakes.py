"""Known wrong answers of 08-debugging-clinic/debugging_clinic: repairs that don't repair, and blunt checks."""

from __future__ import annotations

from autograder.mistakes import Mistake
from autograder.text import Text

__all__ = ["MISTAKES"]


def _mistake(id: str, task: str, fails: str, hint: Text, code: str) -> Mistake:
    return Mistake(id, task, hint, code.strip("\n") + "\n", frozenset(fails.split()))


def _mask(id: str, fails: str, hint: Text, mask: str) -> Mistake:
    """Return a repair that differs in the mask which it hands to Keras's layer."""
    code = f"""
def causal_self_attention(layer, x):
    n = x.shape[1]
    return layer(x, x, attention_mask=({mask})[None].astype(bool))
"""
    return _mistake(id, "fix-inverted-mask", fails, hint, code)


_FIX_MASK = (
    _mask(
        "mask-still-inverted",
        "mask-side mask-values",
        Text(
            "The mask is still upside down: Keras lets a query see where the mask is True.",
            "마스크가 아직 거꾸로입니다. 케라스는 마스크가 True인 곳을 보게 합니다.",
        ),
        "np.triu(np.ones((n, n)), k=1)",
    ),
    _mask(
        "mask-none",
        "mask-side mask-values",
        Text("Every position sees every other: nothing is hidden.", "모든 위치가 서로를 봅니다. 가려진 것이 없습니다."),
        "np.ones((n, n))",
    ),
    _mask(
        "mask-without-diagonal",
        "mask-side mask-values",
        Text(
            "A position doesn't see itself, so the first one sees nothing.",
            "위치가 자기 자신을 보지 못하므로 첫 위치는 볼 것이 없습니다.",
        ),
        "np.tril(np.ones((n, n)), k=-1)",
    ),
    _mask(
        "mask-transposed",
        "mask-side mask-values",
        Text(
            "Rows and columns are confused: rows of the mask are queries, columns keys.",
            "행과 열을 혼동했습니다. 마스크의 행은 쿼리, 열은 키입니다.",
        ),
        "np.triu(np.ones((n, n)))",
    ),
    _mask(
        "mask-diagonal-only",
        "mask-side mask-values",
        Text("Each position sees itself and nothing else.", "위치마다 자기 자신밖에 보지 못합니다."),
        "np.eye(n)",
    ),
    _mask(
        "mask-one-step-too-far",
        "mask-side mask-values",
        Text(
            "Each position sees one step too far: the very token that it is asked for.",
            "위치마다 한 걸음 더 멀리 봅니다. 바로 맞혀야 할 토큰입니다.",
        ),
        "np.tril(np.ones((n, n)), k=1)",
    ),
    _mask(
        "mask-table-too-small",
        "mask-values",
        Text(
            "The mask has a fixed size; longer inputs don't fit.",
            "마스크의 크기가 정해져 있어 더 긴 입력에는 맞지 않습니다.",
        ),
        "np.tril(np.ones((10, 10)))[:n, :n]",
    ),
    _mistake(
        "mask-residual",
        "fix-inverted-mask",
        "mask-values",
        Text(
            "The input is added to the layer's output. A residual connection belongs to the block, not here.",
            "계층의 출력에 입력을 더했습니다. 잔차 연결은 여기가 아니라 블록에서 합니다.",
        ),
        """
def causal_self_attention(layer, x):
    return ops.convert_to_tensor(x) + layer(x, x, use_causal_mask=True)
""",
    ),
    _mistake(
        "mask-returns-mask",
        "fix-inverted-mask",
        "mask-shape",
        Text("It returns the mask instead of the layer's output.", "계층의 출력이 아니라 마스크를 돌려줍니다."),
        """
def causal_self_attention(layer, x):
    return np.tril(np.ones((x.shape[1], x.shape[1])))
""",
    ),
)


def _block(id: str, fails: str, hint: Text, returned: str) -> Mistake:
    """Return a repair that differs in what the block returns."""
    code = f"""
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = x + attend(norm_1(x))
    return {returned}
"""
    return _mistake(id, "fix-dropped-feed-forward", fails, hint, code)


_FIX_BLOCK = (
    _block(
        "block-still-lost",
        "block-reaches block-values",
        Text(
            "It still returns x plus what came after attention: the feed-forward network's answer is nowhere in it.",
            "아직도 x와 어텐션 뒤의 값을 더해 돌려줍니다. 피드포워드 신경망의 답은 어디에도 없습니다.",
        ),
        "x + attended",
    ),
    _block(
        "block-attention-only",
        "block-reaches block-values",
        Text("The block ends after attention.", "블록이 어텐션에서 끝납니다."),
        "attended",
    ),
    _block(
        "block-two-results",
        "block-shape",
        Text(
            "Both sublayers' results are returned. The second is to be added to the first.",
            "두 하위 계층의 결과를 따로 돌려줍니다. 둘째를 첫째에 더해야 합니다.",
        ),
        "attended, feed_forward(norm_2(attended))",
    ),
    _block(
        "block-residual-from-x",
        "block-values",
        Text(
            "The second residual connection begins at x. What attention added is lost on the way.",
            "둘째 잔차 연결이 x에서 시작합니다. 어텐션이 더한 것이 사라집니다.",
        ),
        "x + feed_forward(norm_2(attended))",
    ),
    _block(
        "block-no-residual",
        "block-values",
        Text(
            "There is no residual connection around the feed-forward network.",
            "피드포워드 신경망을 건너는 잔차 연결이 없습니다.",
        ),
        "feed_forward(norm_2(attended))",
    ),
    _block(
        "block-x-twice",
        "block-values",
        Text("x is added twice: it is in there already.", "x를 두 번 더했습니다. 이미 들어 있습니다."),
        "x + attended + feed_forward(norm_2(attended))",
    ),
    _block(
        "block-not-normalised",
        "block-values",
        Text(
            "What goes into the feed-forward network isn't normalised.",
            "피드포워드 신경망에 들어가는 것을 정규화하지 않았습니다.",
        ),
        "attended + feed_forward(attended)",
    ),
    _block(
        "block-first-norm-twice",
        "block-values",
        Text(
            "norm_1 is used for both sublayers. The second one has its own, norm_2.",
            "norm_1을 두 하위 계층에 모두 썼습니다. 둘째에는 따로 norm_2가 있습니다.",
        ),
        "attended + feed_forward(norm_1(attended))",
    ),
    _block(
        "block-normalised-residual",
        "block-values",
        Text(
            "The residual connection carries the normalised values. In a pre-norm block it goes around the normalisation.",
            "잔차 연결이 정규화한 값을 나릅니다. 사전 정규화 블록에서는 정규화도 건너갑니다.",
        ),
        "norm_2(attended) + feed_forward(norm_2(attended))",
    ),
    _block(
        "block-beside",
        "block-values",
        Text(
            "The feed-forward network reads x, not what came after attention.",
            "피드포워드 신경망이 어텐션 뒤의 값이 아니라 x를 읽습니다.",
        ),
        "attended + feed_forward(norm_2(x))",
    ),
    _block(
        "block-post-norm",
        "block-values",
        Text(
            "The second normalisation is at the end (post-norm). Here it belongs before the feed-forward network.",
            "둘째 정규화가 끝에 있습니다(사후 정규화). 여기서는 피드포워드 신경망 앞에 와야 합니다.",
        ),
        "norm_2(attended + feed_forward(attended))",
    ),
)


def _heads(id: str, fails: str, hint: Text, arguments: str) -> Mistake:
    """Return a repair that differs in how it calls Keras's layer."""
    code = f"""
def build_self_attention(d_model, num_heads):
    head_dim = d_model // num_heads
    return keras.layers.MultiHeadAttention({arguments})
"""
    return _mistake(id, "fix-swapped-arguments", fails, hint, code)


_FIX_HEADS = (
    _heads(
        "heads-still-swapped",
        "heads-count heads-values",
        Text(
            "The arguments are still swapped: the number of heads comes first.",
            "아직 인수의 자리가 바뀌어 있습니다. 헤드의 수가 먼저입니다.",
        ),
        "head_dim, num_heads",
    ),
    _heads(
        "heads-one",
        "heads-count heads-values",
        Text("There is one head as wide as the model.", "모델만큼 넓은 헤드가 하나뿐입니다."),
        "num_heads=1, key_dim=d_model",
    ),
    _heads(
        "heads-d-model",
        "heads-count heads-values",
        Text("There are d_model heads instead of num_heads.", "헤드가 num_heads개가 아니라 d_model개입니다."),
        "num_heads=d_model, key_dim=head_dim",
    ),
    _heads(
        "heads-two",
        "heads-count heads-values",
        Text("The number of heads is fixed instead of num_heads.", "헤드의 수가 num_heads가 아니라 고정되어 있습니다."),
        "num_heads=2, key_dim=d_model // 2",
    ),
    _heads(
        "heads-full-width",
        "heads-values",
        Text(
            "Each head is as wide as the whole model: key_dim is the width of one head.",
            "헤드마다 모델 전체만큼 넓습니다. key_dim은 헤드 하나의 너비입니다.",
        ),
        "num_heads=num_heads, key_dim=d_model",
    ),
    _heads(
        "heads-as-wide-as-many",
        "heads-values",
        Text("num_heads is given for both arguments.", "두 인수에 모두 num_heads를 주었습니다."),
        "num_heads, num_heads",
    ),
    _heads(
        "heads-without-bias",
        "heads-values",
        Text(
            "The layer has no biases; Keras's default has them.",
            "계층에 편향이 없습니다. 케라스의 기본값에는 있습니다.",
        ),
        "num_heads, head_dim, use_bias=False",
    ),
    _heads(
        "heads-larger-number",
        "heads-count heads-values",
        Text(
            "The larger of the two numbers becomes the number of heads, whichever it is.",
            "둘 가운데 큰 수가 무엇이든 헤드의 수가 됩니다.",
        ),
        "max(num_heads, head_dim), min(num_heads, head_dim)",
    ),
    _heads(
        "heads-smaller-number",
        "heads-count heads-values",
        Text(
            "The smaller of the two numbers becomes the number of heads, whichever it is.",
            "둘 가운데 작은 수가 무엇이든 헤드의 수가 됩니다.",
        ),
        "min(num_heads, head_dim), max(num_heads, head_dim)",
    ),
    _heads(
        "heads-with-dropout",
        "heads-values",
        Text(
            "The layer drops weights in training; Keras's default is to drop nothing.",
            "학습할 때 계층이 가중치를 드롭아웃합니다. 케라스의 기본값은 드롭아웃하지 않는 것입니다.",
        ),
        "num_heads, head_dim, dropout=0.3",
    ),
    _mistake(
        "heads-no-return",
        "fix-swapped-arguments",
        "heads-shape",
        Text("The layer is made, but not returned.", "계층을 만들고 돌려주지 않았습니다."),
        """
def build_self_attention(d_model, num_heads):
    keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)
""",
    ),
)


def _scale(id: str, fails: str, hint: Text, scaled: str, returned: str = "ops.softmax(scores, axis=-1)") -> Mistake:
    """Return a repair that differs in how it scales the scores."""
    code = f"""
def head_weights(query, key, num_heads):
    query, key = ops.convert_to_tensor(query), ops.convert_to_tensor(key)
    batch, _, d_model = query.shape
    head_dim = d_model // num_heads
    query_heads = ops.reshape(query, (batch, -1, num_heads, head_dim))
    key_heads = ops.reshape(key, (batch, -1, num_heads, head_dim))
    scores = {scaled.format("ops.einsum('bqhd,bkhd->bhqk', query_heads, key_heads)")}
    return {returned}
"""
    return _mistake(id, "fix-head-scaling", fails, hint, code)


_FIX_SCALE = (
    _scale(
        "scale-still-d-model",
        "scale-squares scale-any",
        Text(
            "The scores are still divided by the root of d_model. Only head_dim numbers are multiplied in each head.",
            "아직 d_model의 제곱근으로 나눕니다. 헤드마다 곱하는 수는 head_dim개뿐입니다.",
        ),
        "{} / d_model**0.5",
    ),
    _scale(
        "scale-none",
        "scale-squares scale-any",
        Text("The scores aren't divided at all.", "점수를 아예 나누지 않았습니다."),
        "{}",
    ),
    _scale(
        "scale-not-the-root",
        "scale-squares scale-any",
        Text(
            "The scores are divided by head_dim itself, not by its root.",
            "head_dim의 제곱근이 아니라 head_dim으로 나누었습니다.",
        ),
        "{} / head_dim",
    ),
    _scale(
        "scale-num-heads",
        "scale-squares scale-any",
        Text(
            "The scores are divided by the root of num_heads. What counts is how wide a head is.",
            "num_heads의 제곱근으로 나누었습니다. 중요한 것은 헤드의 너비입니다.",
        ),
        "{} / num_heads**0.5",
    ),
    _scale(
        "scale-rounded",
        "scale-any",
        Text("The root is rounded to a whole number.", "제곱근을 정수로 반올림했습니다."),
        "{} / int(head_dim**0.5)",
    ),
    _scale(
        "scale-fixed",
        "scale-any",
        Text(
            "The divisor is a fixed number; it depends on head_dim.",
            "나누는 수가 고정되어 있습니다. head_dim에 따라 달라야 합니다.",
        ),
        "{} / 2.0",
    ),
    _scale(
        "scale-key-len",
        "scale-squares scale-any",
        Text(
            "The scores are divided by the root of the number of keys. Take the width of what is multiplied.",
            "키의 개수의 제곱근으로 나누었습니다. 곱하는 것의 너비를 쓰세요.",
        ),
        "{} / key.shape[1] ** 0.5",
    ),
    _scale(
        "scale-twice",
        "scale-squares scale-any",
        Text(
            "The scores are divided twice: by the root of d_model and by that of head_dim.",
            "d_model의 제곱근과 head_dim의 제곱근으로 두 번 나누었습니다.",
        ),
        "{} / d_model**0.5 / head_dim**0.5",
    ),
    _scale(
        "scale-multiplied",
        "scale-squares scale-any",
        Text("The scores are multiplied by the root instead of divided.", "제곱근으로 나누지 않고 곱했습니다."),
        "{} * head_dim**0.5",
    ),
    _scale(
        "scale-after-softmax",
        "scale-shape",
        Text(
            "The division comes after the softmax, so the rows no longer add up to 1.",
            "소프트맥스 뒤에서 나누었습니다. 그래서 행의 합이 1이 아닙니다.",
        ),
        "{}",
        "ops.softmax(scores, axis=-1) / head_dim**0.5",
    ),
)


def _pairs(id: str, fails: str, hint: Text, returned: str) -> Mistake:
    """Return a repair that differs in what it returns."""
    code = f"""
def make_pairs(target_ids):
    ids = np.asarray(target_ids)
    return {returned}
"""
    return _mistake(id, "fix-shifted-target", fails, hint, code)


_FIX_PAIRS = (
    _pairs(
        "pairs-still-unshifted",
        "pairs-labels",
        Text("The labels are still what the decoder reads.", "라벨이 아직도 디코더가 읽는 것과 같습니다."),
        "ids[:, :-1], ids[:, :-1]",
    ),
    _pairs(
        "pairs-two-steps",
        "pairs-labels",
        Text("The labels are two steps ahead.", "라벨이 두 걸음 앞서 있습니다."),
        "ids[:, :-1], np.pad(ids[:, 2:], ((0, 0), (0, 1)))",
    ),
    _pairs(
        "pairs-rolled-back",
        "pairs-labels",
        Text(
            "The labels are rolled the other way: they are past tokens.", "라벨을 반대로 굴려 지난 토큰이 되었습니다."
        ),
        "ids[:, :-1], np.roll(ids, 1, axis=1)[:, :-1]",
    ),
    _pairs(
        "pairs-reversed",
        "pairs-labels",
        Text("The labels are reversed, not shifted.", "라벨을 밀지 않고 뒤집었습니다."),
        "ids[:, :-1], ids[:, :0:-1]",
    ),
    _pairs(
        "pairs-other-way",
        "pairs-labels",
        Text(
            "Input and labels have changed places: the decoder would read the next token and be asked for this one.",
            "입력과 라벨이 뒤바뀌었습니다. 디코더가 다음 토큰을 읽고 지금 토큰을 맞히게 됩니다.",
        ),
        "ids[:, 1:], ids[:, :-1]",
    ),
    _pairs(
        "pairs-both-shifted",
        "pairs-input",
        Text("Both are shifted now, so that they are the same again.", "이제 둘 다 밀려 있어 다시 같아졌습니다."),
        "ids[:, 1:], ids[:, 1:]",
    ),
    _pairs(
        "pairs-without-eos",
        "pairs-input",
        Text(
            "The end of each sentence is erased from the input. Only the last column is left out.",
            "입력에서 문장의 끝을 지웠습니다. 마지막 열만 빼면 됩니다.",
        ),
        "np.where(ids == 2, 0, ids)[:, :-1], ids[:, 1:]",
    ),
    _pairs(
        "pairs-whole-rows",
        "pairs-shape",
        Text(
            "The rows are not cut: both have one column less than target_ids.",
            "행을 자르지 않았습니다. 둘 다 target_ids보다 열이 하나 적습니다.",
        ),
        "ids, ids",
    ),
    _pairs(
        "pairs-labels-alone",
        "pairs-shape",
        Text("Only the labels are returned.", "라벨만 돌려주었습니다."),
        "ids[:, 1:]",
    ),
)

FINDS_NOTHING = Text(
    "Your check says of every version that it is well. What it looks at is the same in broken versions.",
    "여러분의 검사는 무엇이든 정상이라고 합니다. 검사가 살피는 것이 고장 난 것에서도 똑같기 때문입니다.",
)
ALWAYS = Text(
    "Your check says of every version that it is broken, of the right ones too.",
    "여러분의 검사는 올바른 것까지 모두 고장이라고 합니다.",
)
NO_RETURN = Text("Where nothing is found it returns None.", "아무것도 찾지 못하면 None을 돌려줍니다.")
MANY_ANSWERS = Text(
    "It returns many truth values. Put them together into one.", "참과 거짓을 여러 개 돌려줍니다. 하나로 합치세요."
)


def _perturbs(id: str, fails: str, hint: Text, change: str, found: str, positions: str = "range(1, 8)") -> Mistake:
    """Return a check for upside-down masks that changes inputs from some positions on."""
    code = f"""
def detect_inverted_mask(attend):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(1, 8, 6))
    before = to_numpy(attend(x))
    for t in {positions}:
        changed = x.copy()
        {change}
        after = to_numpy(attend(changed))
        if {found}:
            return True
    return False
"""
    return _mistake(id, "detect-inverted-mask", fails, hint, code)


_REPLACE = "changed[:, t] = rng.normal(size=6)"
_EARLIER_MOVED = "np.abs(after - before)[:, :t].max() > 1e-4"

_DETECT_MASK = (
    _perturbs(
        "inverted-always",
        "inverted-plain inverted-near inverted-around",
        ALWAYS
        + Text(
            "Does it look at the changed position's own output, too? That may move.",
            "바꾼 위치 자신의 출력까지 살피지는 않나요? 그것은 움직여도 됩니다.",
        ),
        "changed[:, t] = rng.normal(size=6)",
        "np.abs(after - before)[:, : t + 1].max() > 1e-4",
    ),
    _mistake(
        "inverted-finds-nothing",
        "detect-inverted-mask",
        "inverted-plain inverted-near inverted-around",
        FINDS_NOTHING,
        """
def detect_inverted_mask(attend):
    x = np.random.default_rng(1).normal(size=(2, 7, 6))
    return tuple(attend(x).shape) != x.shape
""",
    ),
    _mistake(
        "inverted-no-return",
        "detect-inverted-mask",
        "inverted-answer",
        NO_RETURN,
        """
def detect_inverted_mask(attend):
    x = np.random.default_rng(1).normal(size=(1, 7, 6))
    for t in range(1, 7):
        changed = x.copy()
        changed[:, t] = -x[:, t] + 1
        if np.abs(to_numpy(attend(changed)) - to_numpy(attend(x)))[:, :t].max() > 1e-4:
            return True
""",
    ),
    _mistake(
        "inverted-each-position",
        "detect-inverted-mask",
        "inverted-answer",
        MANY_ANSWERS,
        """
def detect_inverted_mask(attend):
    x = np.random.default_rng(1).normal(size=(1, 7, 6))
    changed = np.concatenate([x[:, :4], -x[:, 4:]], axis=1)
    return np.abs(to_numpy(attend(changed)) - to_numpy(attend(x)))[0, :4].max(axis=-1) > 1e-4
""",
    ),
    _perturbs(
        "inverted-last-to-first",
        "inverted-near",
        Text(
            "Inputs and outputs that stand close together aren't looked at. Some versions see a few steps only.",
            "가까이 있는 입력과 출력은 살피지 않습니다. 몇 걸음만 보는 것도 있습니다.",
        ),
        _REPLACE,
        "np.abs(after - before)[:, 0].max() > 1e-4",
        "[7]",
    ),
    _perturbs(
        "inverted-last-row-only",
        "inverted-plain inverted-near inverted-around",
        Text(
            "Only the last row is looked at: whether the last output depends on the first input.",
            "마지막 행만 살핍니다. 마지막 출력이 첫 입력에 의존하는지만 봅니다.",
        ),
        "changed[:, 0] = rng.normal(size=6)",
        "np.abs(after - before)[:, -1].max() < 1e-4",
        "[0]",
    ),
    _perturbs(
        "inverted-blind-to-the-past",
        "inverted-plain inverted-near inverted-around",
        Text(
            "It asks whether earlier inputs move nothing. With one head upside down the others still look back.",
            "앞의 입력이 아무것도 움직이지 않는지를 묻습니다. 헤드 하나만 거꾸로라면 나머지는 여전히 뒤돌아봅니다.",
        ),
        _REPLACE,
        "np.abs(after - before)[:, t + 1 :].max() < 1e-4",
        "range(1, 6)",
    ),
    _perturbs(
        "inverted-adds-a-constant",
        "inverted-around",
        Text(
            "The same number is added to every feature. A normalisation takes it away again.",
            "모든 특징에 같은 수를 더합니다. 정규화가 그것을 도로 없앱니다.",
        ),
        "changed[:, t] += 1.0",
        _EARLIER_MOVED,
    ),
    _perturbs(
        "inverted-scales",
        "inverted-around",
        Text(
            "An input is only doubled. A normalisation takes that away again.",
            "입력을 두 배로 하기만 합니다. 정규화가 그것을 도로 없앱니다.",
        ),
        "changed[:, t] *= 2.0",
        _EARLIER_MOVED,
    ),
    _perturbs(
        "inverted-exactly-equal",
        "inverted-around",
        Text(
            "Outputs are compared exactly. Rounding moves them a little.",
            "출력이 정확히 같은지 비교합니다. 반올림만으로도 조금 움직입니다.",
        ),
        _REPLACE,
        "not np.array_equal(after[:, :t], before[:, :t])",
    ),
    _perturbs(
        "inverted-large-threshold",
        "inverted-around",
        Text(
            "The threshold is too high where attention adds little. Right versions move by less than 1e-6.",
            "어텐션이 조금만 더해지는 것을 보기에는 문턱값이 너무 큽니다. 올바른 것은 1e-6보다 적게 움직입니다.",
        ),
        _REPLACE,
        "np.abs(after - before)[:, :t].max() > 0.3",
    ),
    _perturbs(
        "inverted-first-try-only",
        "inverted-near",
        Text(
            "Only the first output and the input after it are looked at: does the loop end after its first turn? Some versions "
            "look further ahead.",
            "첫 출력과 바로 다음 입력만 살핍니다. 반복문이 첫 바퀴에서 끝나지 않나요? 더 뒤를 내다보는 것도 있습니다.",
        ),
        _REPLACE,
        _EARLIER_MOVED,
        "[1]",
    ),
    _perturbs(
        "inverted-shuffles-the-future",
        "inverted-plain inverted-near inverted-around",
        Text(
            "The later inputs only change places among themselves. Attention takes their weighted mean, which stays the same.",
            "뒤의 입력들이 저희끼리 자리만 바꿉니다. 어텐션은 그것들의 가중평균을 취하므로 결과가 그대로입니다.",
        ),
        "changed[:, t:] = changed[:, t:][:, ::-1]",
        _EARLIER_MOVED,
    ),
)


def _answers(id: str, fails: str, hint: Text, first: str, second: str, moved: str, batch: int = 2) -> Mistake:
    """Return a check for lost answers that compares two networks."""
    code = f"""
def detect_dropped_feed_forward(block):
    rng = np.random.default_rng(2)
    x, a, b = rng.normal(size=(3, {batch}, 6, 8))
    one = to_numpy(block(x, lambda h: {first}))
    other = to_numpy(block(x, lambda h: {second}))
    moved = np.abs(one - other).max(axis=-1)
    return {moved}
"""
    return _mistake(id, "detect-dropped-feed-forward", fails, hint, code)


_DETECT_BLOCK = (
    _mistake(
        "dropped-always",
        "detect-dropped-feed-forward",
        "dropped-plain dropped-after dropped-partly",
        ALWAYS,
        "def detect_dropped_feed_forward(block):\n    return True\n",
    ),
    _mistake(
        "dropped-finds-nothing",
        "detect-dropped-feed-forward",
        "dropped-plain dropped-after dropped-partly",
        FINDS_NOTHING,
        """
def detect_dropped_feed_forward(block):
    x = np.random.default_rng(2).normal(size=(2, 5, 6))
    y = to_numpy(block(x, lambda h: h))
    return y.shape != x.shape or not np.isfinite(y).all()
""",
    ),
    _mistake(
        "dropped-counts-calls",
        "detect-dropped-feed-forward",
        "dropped-plain dropped-after dropped-partly",
        Text(
            "It watches whether the network is called. It can be called and its answer thrown away.",
            "신경망이 호출되는지만 봅니다. 호출하고 나서 답을 버릴 수도 있습니다.",
        ),
        """
def detect_dropped_feed_forward(block):
    calls = []

    def spy(h):
        calls.append(h)
        return h

    block(np.random.default_rng(2).normal(size=(2, 5, 6)), spy)
    return len(calls) == 0
""",
    ),
    _answers(
        "dropped-each-position",
        "dropped-answer",
        MANY_ANSWERS,
        "a",
        "b",
        "moved < 1e-4",
    ),
    _answers(
        "dropped-constants",
        "dropped-after dropped-partly",
        Text(
            "Only what all features share is looked at: the same difference in each, or a mean over them. A normalisation at the "
            "end takes it away.",
            "모든 특징에 공통된 것, 곧 어느 특징에서나 똑같은 차이나 특징들의 평균만 살핍니다. 끝에 오는 정규화가 그것을 없앱니다.",
        ),
        "0 * h",
        "0 * h + 1",
        "bool(moved.min() < 1e-4)",
    ),
    _answers(
        "dropped-stretches",
        "dropped-after dropped-partly",
        Text(
            "Both answers only stretch what the network got. A normalisation at the end takes that away.",
            "두 답 모두 신경망이 받은 것을 늘이기만 합니다. 끝에 오는 정규화가 그것을 없앱니다.",
        ),
        "h",
        "2 * h",
        "bool(moved.min() < 1e-4)",
    ),
    _answers(
        "dropped-first-position-only",
        "dropped-partly",
        Text("Only the first position is looked at.", "첫 위치만 살핍니다."),
        "a",
        "b",
        "bool(moved[:, 0].min() < 1e-4)",
    ),
    _answers(
        "dropped-last-position-only",
        "dropped-partly",
        Text("Only the last position is looked at.", "마지막 위치만 살핍니다."),
        "a",
        "b",
        "bool(moved[:, -1].min() < 1e-4)",
    ),
    _answers(
        "dropped-anywhere",
        "dropped-partly",
        Text(
            "It is content if any position moves. The answer may be lost at some positions only.",
            "한 위치라도 움직이면 정상이라고 합니다. 몇몇 위치에서만 답이 사라질 수도 있습니다.",
        ),
        "a",
        "b",
        "bool(moved.max() < 1e-4)",
    ),
    _answers(
        "dropped-ends-only",
        "dropped-partly",
        Text(
            "Only the first and the last position are looked at.",
            "첫 위치와 마지막 위치만 살핍니다.",
        ),
        "a",
        "b",
        "bool(moved[:, [0, -1]].min() < 1e-4)",
    ),
    _answers(
        "dropped-any-sequence",
        "dropped-partly",
        Text(
            "It is content with a position if it moves in one sequence of the batch. The answer may be lost in the others.",
            "배치의 시퀀스 하나에서만 움직여도 그 위치는 정상이라고 합니다. 다른 시퀀스에서는 답이 사라질 수 있습니다.",
        ),
        "a",
        "b",
        "bool(moved.max(axis=0).min() < 1e-4)",
    ),
    _answers(
        "dropped-one-sequence",
        "dropped-partly",
        Text(
            "Only one sequence is looked at. Others may be treated otherwise.",
            "시퀀스 하나만 살핍니다. 다른 시퀀스는 다르게 다룰 수 있습니다.",
        ),
        "a",
        "b",
        "bool(moved.min() < 1e-4)",
        batch=1,
    ),
    _answers(
        "dropped-coarse",
        "dropped-partly",
        Text(
            "The threshold is too high for answers that count for little.",
            "조금만 반영되는 답을 보기에는 문턱값이 너무 큽니다.",
        ),
        "a",
        "b",
        "bool(moved.min() < 0.1)",
    ),
    _answers(
        "dropped-reversed",
        "dropped-plain dropped-after dropped-partly",
        Text(
            "The verdict is the wrong way round: True means lost.", "판단이 거꾸로입니다. True는 사라졌다는 뜻입니다."
        ),
        "a",
        "b",
        "bool(moved.min() > 1e-4)",
    ),
)


def _sizes(id: str, fails: str, hint: Text, sizes: str, is_broken: str) -> Mistake:
    """Return a check for swapped arguments that tries some sizes."""
    code = f"""
def detect_swapped_arguments(build):
    for d_model, num_heads in {sizes}:
        x = np.ones((2, 5, d_model))
        output, weights = build(d_model, num_heads)(x)
        if {is_broken}:
            return True
    return False
"""
    return _mistake(id, "detect-swapped-arguments", fails, hint, code)


_COUNT = "weights.shape[1] != num_heads"
_DETECT_HEADS = (
    _mistake(
        "swapped-always",
        "detect-swapped-arguments",
        "swapped-plain swapped-sometimes",
        ALWAYS,
        "def detect_swapped_arguments(build):\n    return True\n",
    ),
    _sizes(
        "swapped-finds-nothing",
        "swapped-plain swapped-sometimes",
        FINDS_NOTHING
        + Text(
            "The output's shape and the number of parameters are no help, and neither are sizes with as many heads as features.",
            "출력의 모양이나 파라미터 수로는 알 수 없고, 헤드의 수와 특징 수가 같은 크기로도 알 수 없습니다.",
        ),
        "((64, 8), (16, 4), (36, 6))",
        "output.shape != x.shape or weights.shape[1] != num_heads",
    ),
    _mistake(
        "swapped-no-return",
        "detect-swapped-arguments",
        "swapped-answer",
        NO_RETURN,
        """
def detect_swapped_arguments(build):
    for d_model, num_heads in ((12, 3), (12, 4)):
        if build(d_model, num_heads)(np.ones((1, 5, d_model)))[1].shape[1] != num_heads:
            return True
""",
    ),
    _sizes(
        "swapped-few-heads-only",
        "swapped-sometimes",
        Text(
            "Only sizes with fewer heads than features in a head decide.",
            "헤드의 수가 헤드의 특징 수보다 적은 크기만으로 판단합니다.",
        ),
        "((12, 3), (64, 4))",
        _COUNT,
    ),
    _sizes(
        "swapped-many-heads-only",
        "swapped-sometimes",
        Text(
            "Only sizes with more heads than features in a head decide.",
            "헤드의 수가 헤드의 특징 수보다 많은 크기만으로 판단합니다.",
        ),
        "((12, 4), (64, 16))",
        _COUNT,
    ),
    _sizes(
        "swapped-reversed",
        "swapped-plain swapped-sometimes",
        Text(
            "Right builders are called broken: compare the number of heads with num_heads, not with the width of a head.",
            "올바른 것을 고장이라고 합니다. 헤드의 수는 헤드의 너비가 아니라 num_heads와 비교하세요.",
        ),
        "((12, 3),)",
        "weights.shape[1] != d_model // num_heads",
    ),
)


def _compares(id: str, fails: str, hint: Text, sizes: str, body: str) -> Mistake:
    """Return a check for wrong scales that compares with weights of its own."""
    code = f"""
def detect_head_scaling(weigh):
    rng = np.random.default_rng(3)
    num_heads, head_dim = {sizes}
    query, key = rng.normal(size=(2, 2, 6, num_heads * head_dim))
    weights = to_numpy(weigh(query, key, num_heads))

    def right(divisor):
        heads = [x.reshape(2, 6, num_heads, head_dim).transpose(0, 2, 1, 3) for x in (query, key)]
        scores = heads[0] @ heads[1].swapaxes(2, 3) / divisor
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    {body}
"""
    return _mistake(id, "detect-head-scaling", fails, hint, code)


_DIFFERS = "np.abs(weights - right(head_dim**0.5))"
_DETECT_SCALE = (
    _mistake(
        "scaling-always",
        "detect-head-scaling",
        "scaling-plain scaling-one-head scaling-otherwise",
        ALWAYS,
        "def detect_head_scaling(weigh):\n    return True\n",
    ),
    _compares(
        "scaling-finds-nothing",
        "scaling-plain scaling-one-head scaling-otherwise",
        FINDS_NOTHING,
        "3, 5",
        "return not np.allclose(weights.sum(axis=-1), 1, atol=1e-3)",
    ),
    _compares(
        "scaling-no-return",
        "scaling-answer",
        NO_RETURN,
        "3, 5",
        f"if {_DIFFERS}.max() > 1e-3:\n        return True",
    ),
    _compares(
        "scaling-each-head",
        "scaling-answer",
        MANY_ANSWERS,
        "3, 5",
        f"return {_DIFFERS}.max(axis=(0, 2, 3)) > 1e-3",
    ),
    _compares(
        "scaling-one-head",
        "scaling-plain scaling-one-head",
        Text(
            "There is one head only. Then d_model and head_dim are the same.",
            "헤드가 하나뿐입니다. 그러면 d_model과 head_dim이 같습니다.",
        ),
        "1, 15",
        f"return bool({_DIFFERS}.max() > 1e-3)",
    ),
    _compares(
        "scaling-square-width",
        "scaling-otherwise",
        Text(
            "It doesn't see a root that was rounded. The width of a head must be no square number, the comparison close.",
            "반올림한 제곱근을 알아채지 못합니다. 헤드의 너비는 제곱수가 아니어야 하고 비교는 엄밀해야 합니다.",
        ),
        "3, 4",
        f"return bool({_DIFFERS}.max() > 1e-3)",
    ),
    _compares(
        "scaling-as-many-heads-as-features",
        "scaling-otherwise",
        Text(
            "There are as many heads as features in a head. Then the root of num_heads looks right.",
            "헤드의 수와 헤드의 특징 수가 같습니다. 그러면 num_heads의 제곱근도 맞아 보입니다.",
        ),
        "5, 5",
        f"return bool({_DIFFERS}.max() > 1e-3)",
    ),
    _compares(
        "scaling-first-head-only",
        "scaling-one-head",
        Text(
            "Not every head is looked at: a wrong last one isn't seen.",
            "모든 헤드를 살피지는 않습니다. 마지막 헤드가 틀린 것을 보지 못합니다.",
        ),
        "3, 5",
        f"return bool({_DIFFERS}[:, 0].max() > 1e-3)",
    ),
    _compares(
        "scaling-last-head-only",
        "scaling-one-head",
        Text(
            "Not every head is looked at: it sees the last one only.",
            "모든 헤드를 살피지는 않습니다. 마지막 헤드만 봅니다.",
        ),
        "3, 5",
        f"return bool({_DIFFERS}[:, -1].max() > 1e-3)",
    ),
    _compares(
        "scaling-d-model-only",
        "scaling-one-head scaling-otherwise",
        Text(
            "It knows one wrong scale, the root of d_model in all heads. Compare with the right one instead.",
            "틀린 스케일 하나, 곧 모든 헤드에서 d_model의 제곱근인 것만 압니다. 올바른 것과 비교하세요.",
        ),
        "3, 5",
        "return bool(np.allclose(weights, right((num_heads * head_dim) ** 0.5), atol=1e-4))",
    ),
    _compares(
        "scaling-wrong-reference",
        "scaling-plain scaling-one-head scaling-otherwise",
        Text(
            "The weights that it compares with are themselves divided by the root of d_model.",
            "비교의 기준으로 삼은 가중치를 d_model의 제곱근으로 나누었습니다.",
        ),
        "3, 5",
        "return not np.allclose(weights, right((num_heads * head_dim) ** 0.5), atol=1e-4)",
    ),
    _compares(
        "scaling-exactly-equal",
        "scaling-plain scaling-otherwise",
        Text(
            "Weights are compared exactly. float32 rounds.",
            "가중치가 정확히 같은지 비교합니다. float32는 반올림합니다.",
        ),
        "3, 5",
        "return not np.array_equal(weights, right(head_dim**0.5))",
    ),
    _compares(
        "scaling-largest-weight",
        "scaling-otherwise",
        Text(
            "It takes flat weights for wrong ones. Too large a scale is as wrong as too small a one.",
            "평평한 가중치만 틀린 것으로 봅니다. 점수가 너무 작아도, 너무 커도 틀린 것입니다.",
        ),
        "3, 5",
        "return bool(weights.max(axis=-1).mean() < 0.95 * right(head_dim**0.5).max(axis=-1).mean())",
    ),
)


def _shift(id: str, fails: str, hint: Text, is_broken: str, padded: bool = True) -> Mistake:
    """Return a check for labels that aren't shifted."""
    padding = "ids[2, 5:] = ids[3, 7:] = 0\n    ids[2, 4] = ids[3, 6] = 2" if padded else "ids[:, -1] = 2"
    code = f"""
def detect_shifted_target(make):
    ids = np.arange(10, 46).reshape(4, 9)
    {padding}
    decoder_input, labels = [to_numpy(part) for part in make(ids)]
    return {is_broken}
"""
    return _mistake(id, "detect-shifted-target", fails, hint, code)


_DETECT_PAIRS = (
    _mistake(
        "shifted-always",
        "detect-shifted-target",
        "shifted-plain shifted-otherwise shifted-partly",
        ALWAYS,
        "def detect_shifted_target(make):\n    return True\n",
    ),
    _shift(
        "shifted-finds-nothing",
        "shifted-plain shifted-otherwise shifted-partly",
        FINDS_NOTHING,
        "decoder_input.shape != labels.shape or labels.shape != (4, 8)",
    ),
    _shift(
        "shifted-each-position",
        "shifted-answer",
        MANY_ANSWERS,
        "labels != ids[:, 1:]",
    ),
    _shift(
        "shifted-only-differ",
        "shifted-otherwise shifted-partly",
        Text(
            "That labels and inputs differ proves nothing: they may be shifted wrongly.",
            "라벨과 입력이 다르다는 것만으로는 아무것도 증명되지 않습니다. 잘못 밀렸을 수 있습니다.",
        ),
        "bool((decoder_input == labels).all())",
    ),
    _shift(
        "shifted-first-sequence-only",
        "shifted-partly",
        Text("Only the first sequence is looked at.", "첫 시퀀스만 살핍니다."),
        "not (np.array_equal(labels[0], ids[0, 1:]) and np.array_equal(decoder_input[0], ids[0, :-1]))",
    ),
    _shift(
        "shifted-without-padding",
        "shifted-partly",
        Text(
            "No sequence has padding. Those that have may be treated otherwise.",
            "패딩이 있는 시퀀스가 없습니다. 패딩이 있으면 다르게 다룰 수 있습니다.",
        ),
        "not (np.array_equal(labels, ids[:, 1:]) and np.array_equal(decoder_input, ids[:, :-1]))",
        padded=False,
    ),
    _mistake(
        "shifted-with-padding-only",
        "detect-shifted-target",
        "shifted-partly",
        Text(
            "All sequences have padding. Those that have none may be treated otherwise.",
            "모든 시퀀스에 패딩이 있습니다. 패딩이 없으면 다르게 다룰 수 있습니다.",
        ),
        """
def detect_shifted_target(make):
    ids = np.array([[1, 11, 12, 13, 2, 0], [1, 21, 22, 2, 0, 0]])
    decoder_input, labels = [to_numpy(part) for part in make(ids)]
    return not (np.array_equal(labels, ids[:, 1:]) and np.array_equal(decoder_input, ids[:, :-1]))
""",
    ),
    _shift(
        "shifted-last-sequence-only",
        "shifted-partly",
        Text("Only the last sequence is looked at.", "마지막 시퀀스만 살핍니다."),
        "not (np.array_equal(labels[-1], ids[-1, 1:]) and np.array_equal(decoder_input[-1], ids[-1, :-1]))",
    ),
    _shift(
        "shifted-first-position-only",
        "shifted-partly",
        Text("Only the first position is looked at.", "첫 위치만 살핍니다."),
        "bool((labels[:, 0] != ids[:, 1]).any() or (decoder_input[:, 0] != ids[:, 0]).any())",
    ),
    _shift(
        "shifted-labels-only",
        "shifted-plain",
        Text(
            "Only the labels are looked at. If the input is shifted with them, they are the same again.",
            "라벨만 살핍니다. 입력도 함께 밀리면 둘은 다시 같아집니다.",
        ),
        "not np.array_equal(labels, ids[:, 1:])",
    ),
    _shift(
        "shifted-input-only",
        "shifted-plain shifted-otherwise shifted-partly",
        Text("Only the decoder's input is looked at.", "디코더의 입력만 살핍니다."),
        "not np.array_equal(decoder_input, ids[:, :-1])",
    ),
    _shift(
        "shifted-relative-only",
        "shifted-otherwise shifted-partly",
        Text(
            "It compares the two with each other, not with the ids. Both may begin too late.",
            "둘을 서로 비교할 뿐 ID와는 비교하지 않습니다. 둘 다 너무 늦게 시작할 수 있습니다.",
        ),
        "not np.array_equal(decoder_input[:, 1:], labels[:, :-1])",
    ),
    _shift(
        "shifted-reversed",
        "shifted-plain shifted-otherwise shifted-partly",
        Text(
            "The verdict is the wrong way round: True means broken.", "판단이 거꾸로입니다. True는 고장이라는 뜻입니다."
        ),
        "bool(np.array_equal(labels, ids[:, 1:]) and np.array_equal(decoder_input, ids[:, :-1]))",
    ),
)

MISTAKES: tuple[Mistake, ...] = (
    *(*_FIX_MASK, *_DETECT_MASK),
    *(*_FIX_BLOCK, *_DETECT_BLOCK),
    *(*_FIX_HEADS, *_DETECT_HEADS),
    *(*_FIX_SCALE, *_DETECT_SCALE),
    *(*_FIX_PAIRS, *_DETECT_PAIRS),
)
