# %% [markdown]
# # The Transformer
#
# Everything is there: positions (01), attention (02), heads (03), masks (04), blocks (05). Now you put it together,
# twice: first over sequences of vectors, then over tokens, the model of the paper (Vaswani et al. 2017, figure 1). The first one
# comes from a lecture notebook out of which this course grew (*the lecture* for short); notebook 05 has shown one of its mistakes.
#
# ![You are here: the embeddings and the output over the vocabulary.](../_shared/diagrams/model-06.svg)
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `TokenEmbedding`: from ids to vectors with positions | 4 |
# | 2 | `build_continuous_transformer`: the lecture's model, without its mistakes | 5 |
# | 3 | `build_transformer`: the model that translates in notebook 07 | 7 |
# | 4 | `transformer_parameter_count`: where the parameters are | 4 |
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each one holds public checks. Points
# come from other inputs after you hand in, in steps. How you build it is up to you: blocks of your own or
# `keras.layers`, a functional model or a subclass of `keras.Model`, any names, any order of creation. What counts is
# what the model computes and how many parameters it has.
#
# | name | meaning |
# |---|---|
# | `batch` | sequences in a batch |
# | `source_len`, `target_len` | length of the encoder's and of the decoder's sequences; they may differ |
# | `d_model`, `num_heads`, `ff_dim` | width of the model, its heads, the width inside the feed-forward |
# | `vocab_size`, `max_len` | number of tokens, longest sequence |
# | memory | the encoder's output, `(batch, source_len, d_model)`: what the decoder looks at |
# | logits | scores of the next token before any softmax |
#
# Masks of this course: **1 hides, 0 keeps**. Keras's `attention_mask` is the other way round.
#
# <!-- ko -->
# # 트랜스포머
#
# 재료는 모두 갖추었습니다. 위치(01), 어텐션(attention, 02), 헤드(head, 03), 마스크(mask, 04), 블록(block, 05)입니다. 이제 이것들을
# 두 번에 걸쳐 조립합니다. 먼저 벡터의 시퀀스(sequence)를 다루는 모델을, 그다음 토큰(token)을 다루는 논문의 모델을
# 만듭니다(Vaswani et al. 2017, 그림 1). 앞의 것은 이 과정의 바탕이 된 강의 노트북의 모델입니다. 그 강의를 여기서는 줄여서 *강의*라고
# 부릅니다. 그 모델의 잘못 가운데 하나는 5번 노트북에서 이미 보았습니다.
#
# ![지금 여기: 임베딩과 어휘에 대한 출력.](../_shared/diagrams/model-06.svg)
#
# | 과제 | 작성할 것 | 배점 |
# |---|---|---|
# | 1 | `TokenEmbedding`: ID에서 위치가 담긴 벡터로 | 4 |
# | 2 | `build_continuous_transformer`: 강의의 모델, 강의의 잘못은 빼고 | 5 |
# | 3 | `build_transformer`: 7번 노트북에서 번역할 모델 | 7 |
# | 4 | `transformer_parameter_count`: 파라미터는 어디에 있는가 | 4 |
#
# **진행 방법.** `# YOUR CODE HERE`라고 적힌 셀을 채우세요. 바로 아래 셀에 공개 검사가 있습니다. 점수는 제출한 뒤 다른 입력으로
# 단계별로 매깁니다. 어떻게 만들지는 여러분이 정합니다. 직접 만든 블록이든 `keras.layers`든, 함수형 모델이든 `keras.Model`의
# 서브클래스든 좋고, 이름과 만드는 순서도 자유입니다. 모델이 무엇을 계산하고 파라미터가 몇 개인지만 봅니다.
#
# | 이름 | 뜻 |
# |---|---|
# | `batch` | 배치(batch)에 든 시퀀스의 수 |
# | `source_len`, `target_len` | 인코더(encoder)의 시퀀스인 소스(source)와 디코더(decoder)의 시퀀스인 타깃(target)의 길이. 서로 다를 수 있다 |
# | `d_model`, `num_heads`, `ff_dim` | 모델의 너비, 헤드의 수, 피드포워드 신경망(feed-forward network) 안쪽의 너비 |
# | `vocab_size`, `max_len` | 어휘(vocabulary)의 크기(토큰의 가짓수), 그리고 가장 긴 시퀀스의 길이 |
# | 메모리(memory) | 인코더의 출력 `(batch, source_len, d_model)`. 디코더가 들여다보는 것 |
# | 로짓(logits) | 소프트맥스(softmax)를 거치기 전인 다음 토큰의 점수(score) |
#
# 이 과정의 마스크에서는 **1이면 가리고 0이면 남깁니다.** 케라스의 `attention_mask`는 반대입니다.

# %% locked="setup" include="quiet_keras.py"
import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops

np.set_printoptions(precision=4, suppress=True)
to_numpy = ops.convert_to_numpy


def with_random_weights(model, *inputs):
    """Give every trained weight of a model a random value, biases and normalisations too. A fresh model hides much behind zeros."""
    # ko: """모델의 학습되는 가중치 모두에 무작위 값을 줍니다. 편향과 정규화도 포함합니다. 갓 만든 모델에서는 0 때문에 많은 것이 드러나지 않습니다."""
    if inputs:
        model(list(inputs))  # a model of one's own class has its weights after its first call
        # ko: model(list(inputs))  # 직접 만든 클래스의 모델은 처음 호출해야 가중치가 생깁니다
    rng = np.random.default_rng(0)
    for weight in model.trainable_weights:
        old = to_numpy(weight)
        noise = rng.normal(size=old.shape)
        weight.assign((old + 0.3 * noise if old.ndim < 2 else noise / old.shape[0] ** 0.5).astype("float32"))
    return model


def influence(model, source, target, changed, replacement):
    """
    Say how far each output position moves when one input position changes.
    # ko: 입력의 한 위치가 바뀔 때 출력의 각 위치가 얼마나 움직이는지 알려 줍니다.

    Args:
    # ko: 인수:
        model: takes [source, target].
        # ko: model: [source, target]을 받는 모델.
        source, target: one sequence each, (1, source_len, ...) and (1, target_len, ...).
        # ko: source, target: 시퀀스 하나씩, (1, source_len, ...)과 (1, target_len, ...).
        changed: "source" or "target".
        # ko: changed: "source" 또는 "target".
        replacement: (1, its length, ...), what each position is changed to, one at a time.
        # ko: replacement: (1, 바꿀 시퀀스의 길이, ...), 한 번에 한 위치씩 이 값으로 바꿉니다.

    Returns:
    # ko: 반환값:
        (target_len, length of the changed sequence).
        # ko: (target_len, 바꾼 시퀀스의 길이).
    """
    inputs = {"source": source, "target": target}
    length = replacement.shape[1]
    rows = {name: np.repeat(value, length + 1, axis=0) for name, value in inputs.items()}
    for position in range(length):
        rows[changed][position, position] = replacement[0, position]
    outputs = to_numpy(model([rows["source"], rows["target"]]))
    return np.abs(outputs[:-1] - outputs[-1:]).max(axis=-1).T


def from_encoder_to_decoder(model, inputs):
    """
    Call a model and look at what its blocks hand on.
    # ko: 모델을 호출하고 블록들이 무엇을 주고받는지 봅니다.

    Returns:
    # ko: 반환값:
        (what the last `EncoderBlock` gave, (batch, source_len, d_model), or None if that can't be seen: blocks with other
        # ko: (마지막 `EncoderBlock`의 출력 (batch, source_len, d_model), 알 수 없으면 None. 블록의 이름이나 호출 방법이
        names or another call are right too; a list of what each `DecoderBlock` got as its memory; for the encoder and for
        # ko: 달라도 맞습니다. 그리고 `DecoderBlock`마다 받은 메모리의 리스트. 그리고 인코더와
        the decoder a list of what its blocks got and gave, in pairs, empty if that can't be seen).
        # ko: 디코더에서 블록마다 받은 것과 내놓은 것의 쌍의 리스트. 알 수 없으면 비어 있습니다).
    """
    outputs, memories, steps = [], [], ([], [])
    try:
        encode, decode = EncoderBlock.call, DecoderBlock.call
    except (NameError, AttributeError):
        return None, [], steps

    def encoding(block, *args, **kwargs):
        outputs.append(encode(block, *args, **kwargs))
        steps[0].append((args[0] if args else kwargs.get("x"), outputs[-1]))
        return outputs[-1]

    def decoding(block, *args, **kwargs):
        memories.append(kwargs.get("memory", args[1] if len(args) > 1 else None))
        steps[1].append((args[0] if args else kwargs.get("x"), decode(block, *args, **kwargs)))
        return steps[1][-1][1]

    EncoderBlock.call, DecoderBlock.call = encoding, decoding
    try:
        model(inputs)
    finally:
        EncoderBlock.call, DecoderBlock.call = encode, decode
    if not outputs or any(memory is None for memory in memories):
        return None, [], ([], [])
    seen = [[] if any(got is None for got, _ in pairs) else [(to_numpy(got), to_numpy(gave)) for got, gave in pairs] for pairs in steps]
    return to_numpy(outputs[-1]), [to_numpy(memory) for memory in memories], seen


def hands_on(pairs, words=...):
    """
    Tell whether each block gets what the block before it gave.
    # ko: 블록마다 앞 블록이 내놓은 것을 받는지 알려 줍니다.

    Args:
    # ko: 인수:
        pairs: what each block of a stack got and gave, arrays (batch, seq_len, d_model).
        # ko: pairs: 스택의 블록마다 받은 것과 내놓은 것, 배열 (batch, seq_len, d_model).
        words: (batch, seq_len), booleans: the positions that are compared; without it all are.
        # ko: words: (batch, seq_len), 불리언 값. 비교할 위치. 없으면 모두 비교합니다.
    """
    return all(
        got.shape == gave.shape and np.allclose(got[words], gave[words], rtol=1e-4, atol=1e-4)
        for (got, _), (_, gave) in zip(pairs[1:], pairs, strict=False)
    )


def all_get(memories, expected, words=..., tolerance=0.02):
    """
    Tell whether each memory is the expected one.
    # ko: 메모리가 모두 기대한 값인지 알려 줍니다.

    Args:
    # ko: 인수:
        memories: arrays (batch, source_len, d_model), one for each decoder block.
        # ko: memories: 디코더 블록마다 하나씩인 배열 (batch, source_len, d_model).
        expected: (batch, source_len, d_model).
        # ko: expected: (batch, source_len, d_model).
        words: (batch, source_len), booleans: the positions that are compared; without it all are.
        # ko: words: (batch, source_len), 불리언 값. 비교할 위치. 없으면 모두 비교합니다.
        tolerance: how far a number may be off; a normalisation's epsilon alone moves it by up to 0.02.
        # ko: tolerance: 허용하는 차이. 정규화의 엡실론만으로도 0.02까지 달라집니다.
    """
    return all(memory.shape == expected.shape and np.allclose(memory[words], expected[words], atol=tolerance) for memory in memories)


def check_heads(check, model, num_heads, key_dim):
    """Look at the heads of Keras's attention layers in a model. It may have none: an attention of one's own is right too, and isn't looked at."""
    # ko: """모델에 있는 케라스 어텐션 계층의 헤드를 살펴봅니다. 하나도 없을 수 있습니다. 직접 만든 어텐션도 맞고, 여기서는 보지 않습니다."""
    layers = [layer for layer in model._flatten_layers() if isinstance(layer, keras.layers.MultiHeadAttention) and layer.weights]
    wrong = sorted({(layer.num_heads, layer.key_dim) for layer in layers} - {(num_heads, key_dim)})
    swapped = " `num_heads` and `key_dim` have changed places, as in the lecture." if wrong == [(key_dim, num_heads)] else ""
    # ko: swapped = " 강의에서처럼 `num_heads`와 `key_dim`의 자리가 바뀌었습니다." if wrong == [(key_dim, num_heads)] else ""
    if layers:
        check.true(
            not wrong,
            f"Keras's attention layers have {num_heads} heads of {key_dim} features each",
            # ko: f"케라스의 어텐션 계층마다 특징이 {key_dim}개인 헤드 {num_heads}개",
            f"in an attention layer (num_heads, key_dim) is {', '.join(map(str, wrong))}, not {num_heads, key_dim}: "
            # ko: f"(num_heads, key_dim)이 {', '.join(map(str, wrong))}인 어텐션 계층이 있습니다. {num_heads, key_dim}이어야 합니다. "
            f"there are {num_heads} heads here of {key_dim} features each.{swapped}",
            # ko: f"여기서는 특징이 {key_dim}개인 헤드가 {num_heads}개입니다.{swapped}",
        )


def check_relu(check, model, inputs, ff_dim):
    """Look at what Dense(ff_dim) lets through: with biases far below 0 a ReLU gives zeros, however far. Weights of another form aren't looked at."""
    # ko: """Dense(ff_dim)이 무엇을 통과시키는지 봅니다. 편향이 0보다 훨씬 작으면 ReLU는 얼마나 작든 0을 냅니다. 모양이 다른 가중치는 보지 않습니다."""
    biases = [weight for weight in model.trainable_weights if tuple(weight.shape) == (ff_dim,)]
    kept, rng, outputs = [to_numpy(weight) for weight in biases], np.random.default_rng(0), []
    for _ in range(2):
        for weight in biases:
            weight.assign(rng.uniform(-2e4, -1e4, size=ff_dim))
        outputs.append(to_numpy(model(inputs)))
    for weight, values in zip(biases, kept, strict=True):
        weight.assign(values)
    if biases:
        check.true(
            np.allclose(*outputs, rtol=1e-3, atol=1e-3),
            "in the feed-forward the activation cuts off what is negative",
            # ko: "피드포워드 신경망의 활성화 함수가 음수를 잘라 낸다",
            "with biases far below 0 something still gets through a feed-forward: is its ReLU missing, the activation of Dense(ff_dim)?",
            # ko: "편향이 0보다 훨씬 작은데도 피드포워드 신경망을 통과하는 것이 있습니다. Dense(ff_dim)의 활성화 함수인 ReLU가 빠지지 않았나요?",
        )


def check_repeats(check, model, inputs, answer):
    """Look at whether a model or a layer gives its answer again when nothing should be dropped."""
    # ko: """드롭아웃이 없어야 할 때 모델이나 계층이 같은 답을 다시 내놓는지 봅니다."""
    check.true(
        np.allclose(to_numpy(model(inputs)), to_numpy(answer), rtol=1e-4, atol=1e-4, equal_nan=True),
        "called twice outside training, the same numbers",
        # ko: "학습이 아닐 때는 두 번 호출해도 같은 수",
        "outside training two calls give different numbers: is `training=True` written into the code, so that something is dropped, or is a layer with weights made in `call`? "
        # ko: "학습이 아닌데도 호출할 때마다 결과가 다릅니다. 코드에 `training=True`를 적어 두어 드롭아웃이 일어나거나, 가중치가 있는 계층을 `call` 안에서 만들지 않나요? "
        "Layers are made in `__init__`.",
        # ko: "계층은 `__init__`에서 만듭니다.",
    )


def norms_have_one_place(model, inputs, sizes):
    """
    Tell whether each of Keras's normalisations gets one and the same thing while a model is called.
    # ko: 모델을 한 번 호출하는 동안 케라스의 정규화마다 받는 것이 하나뿐인지 알려 줍니다.

    Args:
    # ko: 인수:
        model, inputs: what is called with what.
        # ko: model, inputs: 호출할 모델과 그 입력.
        sizes: shapes of what is looked at.
        # ko: sizes: 살펴볼 것의 모양.
    """
    got, normalise = {}, keras.layers.LayerNormalization.call

    def normalising(layer, x, *args, **kwargs):
        if layer.weights and tuple(x.shape) in sizes:
            got.setdefault(id(layer), []).append(to_numpy(x))
        return normalise(layer, x, *args, **kwargs)

    keras.layers.LayerNormalization.call = normalising
    try:
        model(inputs)
    finally:
        keras.layers.LayerNormalization.call = normalise
    return all(x.shape == first.shape and np.allclose(x, first, rtol=1e-4, atol=1e-4) for first, *others in got.values() for x in others)


def first_answer(check, model, inputs):
    """Return what a student's model gives, and say so if it isn't a model, gives nothing or has had no call before."""
    # ko: """학생의 모델이 내놓은 것을 돌려줍니다. 모델이 아니거나, 아무것도 내놓지 않거나, 한 번도 호출하지 않았으면 알려 줍니다."""
    if isinstance(model, type):
        check._fail(f"it returned a class. Make a model of it, with brackets: `{model.__name__}(…)`.")
        # ko: check._fail(f"클래스를 돌려주었습니다. `{model.__name__}(…)`처럼 괄호를 붙여 모델을 만드세요.")
    check.true(model is not None, "it returns a model", "it returned None. Is the `return` missing?")
    # ko: check.true(model is not None, "모델을 돌려준다", "None을 돌려주었습니다. `return`이 빠지지 않았나요?")
    if not getattr(model, "weights", True):
        check.note("the model has no weights yet when you return it: call it once before.")
        # ko: check.note("돌려준 모델에 아직 가중치가 없습니다. 돌려주기 전에 한 번 호출하세요.")
    answer = model(inputs)
    if answer is None:
        check._fail("the model's `call` returned None. Is the `return` missing there?")
        # ko: check._fail("모델의 `call`이 None을 돌려주었습니다. 거기에 `return`이 빠지지 않았나요?")
    return answer


def show_influence(moved, ax, title, columns="changed target position", rows="output position", labels=None):
# ko: def show_influence(moved, ax, title, columns="바꾼 타깃 위치 (target)", rows="출력 위치 (output)", labels=None):
    """Draw what `influence` gave; a cross marks what does not move at all."""
    # ko: """`influence`의 결과를 그립니다. ×는 전혀 움직이지 않는 것을 나타냅니다."""
    image = ax.imshow(np.log10(moved + 1e-9), cmap="magma", vmin=-4, vmax=1, aspect="auto")
    for (i, j), move in np.ndenumerate(moved):
        if move < 1e-5:
            ax.text(j, i, "×", ha="center", va="center", color="white", fontsize=8)
    ax.set(title=title, xlabel=columns, ylabel=rows, yticks=range(moved.shape[0]))
    ax.set_xticks(range(moved.shape[1]), labels if labels is not None else range(moved.shape[1]))
    return image


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## What you bring along
#
# Paste what you wrote in 01, 04 and 05 over these stubs: the positional encoding, the masks and the two blocks.
# Paste whatever these call as well, such as `angle_rates`, `positional_encoding`, `FeedForward` or your
# `MultiHeadAttention`. You may use them below, or not, or bring others. A mistake in them costs nothing here: it has
# been counted there, and where a task goes wrong with them, the grader puts right ones in their place and looks again.
# The blocks' `call` may take `training` or leave it out, as in 05, and they need no `get_config` here.
#
# In the blocks, `keras.layers.MultiHeadAttention` may do the attention, as in 05.
#
# (Only on JAX and PyTorch: to find the shape of a layer's output, Keras tries the layer on an input of a length that it makes up. A table
# of `max_len` rows may be too short for it. That is why `PositionalEncoding` and `TokenEmbedding` below have a `compute_output_shape`, and
# why a layer of your own that adds such a table needs one.)
#
# <!-- ko -->
# ## 앞에서 만든 코드
#
# 01, 04, 05에서 작성한 위치 인코딩(positional encoding), 마스크, 두 블록을 아래의 빈 코드 대신 붙여 넣으세요. 이들이 부르는
# 것(`angle_rates`, `positional_encoding`, `FeedForward`, 직접 만든 `MultiHeadAttention` 등)도 함께 붙여 넣으세요. 아래 과제에서 써도
# 되고, 쓰지 않아도 되고, 다른 것을 가져와도 됩니다. 여기에 잘못이 있어도 이 노트북의 점수는 깎이지 않습니다. 그 잘못은 이미 그
# 노트북에서 점수에 반영했고, 이 코드 때문에 과제가 틀리면 올바른 코드를 그 자리에 넣어 다시 채점하기 때문입니다.
# 블록의 `call`은 `training`을 받아도 되고 05에서처럼 받지 않아도 되며, 여기서는 `get_config`가 없어도 됩니다.
#
# 블록의 어텐션은 05에서처럼 `keras.layers.MultiHeadAttention`에 맡겨도 됩니다.
#
# (JAX와 파이토치에서만 필요한 이야기입니다. 케라스는 임의로 정한 길이의 입력으로 계층을 한번 돌려 보고 출력의 모양을 알아냅니다. 그 길이에는
# `max_len`개 행의 표가 모자랄 수 있습니다. 그래서 아래의 `PositionalEncoding`과 `TokenEmbedding`에 `compute_output_shape`이 있고, 이런 표를
# 더하는 계층을 직접 만들 때도 있어야 합니다.)


# %% carry_over=true
class PositionalEncoding(keras.layers.Layer):
    """Adds the sinusoidal table's first seq_len rows to (batch, seq_len, dim); notebook 01."""
    # ko: """(batch, seq_len, dim)에 위치 인코딩 표의 앞쪽 seq_len개 행을 더합니다. 1번 노트북."""

    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        angles = np.arange(max_len)[:, None] * 10000.0 ** (-np.arange(0, dim, 2) / dim)
        self.table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(max_len, dim).astype("float32")
        ### END SOLUTION

    def call(self, inputs):
        ### BEGIN SOLUTION
        return inputs + ops.cast(self.table, inputs.dtype)[: ops.shape(inputs)[1]]
        ### END SOLUTION

    def compute_output_shape(self, input_shape):
        """Given: on JAX and PyTorch Keras can't tell the shape while the length is open."""
        # ko: """주어진 코드: JAX와 파이토치에서는 길이가 정해지지 않으면 케라스가 모양을 알아내지 못합니다."""
        return input_shape


def create_padding_mask(token_ids, pad_id=0):
    """Say which tokens are padding: (batch, seq_len) -> (batch, 1, 1, seq_len), 1 at padding; notebook 04."""
    # ko: """어느 토큰이 패딩인지 알려 줍니다. (batch, seq_len) -> (batch, 1, 1, seq_len), 패딩이 1. 4번 노트북."""
    ### BEGIN SOLUTION
    return ops.cast(ops.equal(token_ids, pad_id), "float32")[:, None, None, :]
    ### END SOLUTION


def create_look_ahead_mask(size):
    """Hide the future: (size, size), 1 strictly above the diagonal; notebook 04."""
    # ko: """미래를 가립니다. (size, size), 대각선보다 위쪽이 1. 4번 노트북."""
    ### BEGIN SOLUTION
    positions = ops.arange(size)
    return ops.cast(positions[None, :] > positions[:, None], "float32")
    ### END SOLUTION


def create_decoder_mask(token_ids, pad_id=0):
    """Hide the future and the padding: (batch, seq_len) -> (batch, 1, seq_len, seq_len); notebook 04."""
    # ko: """미래와 패딩을 가립니다. (batch, seq_len) -> (batch, 1, seq_len, seq_len). 4번 노트북."""
    ### BEGIN SOLUTION
    return ops.maximum(create_padding_mask(token_ids, pad_id), create_look_ahead_mask(ops.shape(token_ids)[1]))
    ### END SOLUTION


class EncoderBlock(keras.layers.Layer):
    """Self-attention and feed-forward, each with its residual; `call(x, mask=None)`, 1 hides; notebook 05."""
    # ko: """셀프 어텐션과 피드포워드, 각각 잔차 연결이 있습니다. `call(x, mask=None)`, 마스크에서 1인 자리를 가립니다. 5번 노트북."""

    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        self.norm_first = norm_first
        self.attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.feed_forward = keras.Sequential(
            [keras.layers.Dense(ff_dim, activation="relu"), keras.layers.Dropout(dropout), keras.layers.Dense(d_model)]
        )
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(2)]
        self.dropouts = [keras.layers.Dropout(dropout) for _ in range(2)]
        ### END SOLUTION

    def compute_mask(self, x, previous_mask=None):
        """Given: no mask of Keras's own goes on to the next layer."""
        # ko: """주어진 코드: 케라스가 스스로 만든 마스크는 다음 계층으로 넘어가지 않습니다."""
        return None

    def call(self, x, mask=None, training=None):
        ### BEGIN SOLUTION
        may_attend = None if mask is None else ops.equal(mask[:, 0], 0)  # Keras's convention
        x = self._residual(0, x, lambda y: self.attention(y, y, attention_mask=may_attend), training)
        return self._residual(1, x, lambda y: self.feed_forward(y, training=training), training)

    def _residual(self, i, x, sublayer, training):
        if self.norm_first:
            return x + self.dropouts[i](sublayer(self.norms[i](x)), training=training)
        return self.norms[i](x + self.dropouts[i](sublayer(x), training=training))
        ### END SOLUTION


class DecoderBlock(keras.layers.Layer):
    """
    Self-attention, attention over memory, feed-forward, each with its residual; notebook 05.
    # ko: 셀프 어텐션, 메모리를 보는 교차 어텐션, 피드포워드, 각각 잔차 연결이 있습니다. 5번 노트북.

    `call(x, memory, self_mask=None, memory_mask=None)`; in the masks 1 hides.
    # ko: `call(x, memory, self_mask=None, memory_mask=None)`. 마스크에서 1인 자리를 가립니다.
    """

    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        self.norm_first = norm_first
        self.self_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.memory_attention = keras.layers.MultiHeadAttention(num_heads, key_dim=d_model // num_heads)
        self.feed_forward = keras.Sequential(
            [keras.layers.Dense(ff_dim, activation="relu"), keras.layers.Dropout(dropout), keras.layers.Dense(d_model)]
        )
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(3)]
        self.dropouts = [keras.layers.Dropout(dropout) for _ in range(3)]
        ### END SOLUTION

    def compute_mask(self, x, previous_mask=None):
        """Given: no mask of Keras's own goes on to the next layer."""
        # ko: """주어진 코드: 케라스가 스스로 만든 마스크는 다음 계층으로 넘어가지 않습니다."""
        return None

    def call(self, x, memory, self_mask=None, memory_mask=None, training=None):
        ### BEGIN SOLUTION
        own, other = (self._may_attend(mask) for mask in (self_mask, memory_mask))
        x = self._residual(0, x, lambda y: self.self_attention(y, y, attention_mask=own), training)
        x = self._residual(1, x, lambda y: self.memory_attention(y, memory, attention_mask=other), training)
        return self._residual(2, x, lambda y: self.feed_forward(y, training=training), training)

    def _may_attend(self, mask):
        if mask is None:
            return None
        return ops.equal(mask[:, 0] if len(mask.shape) == 4 else mask[None], 0)  # Keras's convention

    def _residual(self, i, x, sublayer, training):
        if self.norm_first:
            return x + self.dropouts[i](sublayer(self.norms[i](x)), training=training)
        return self.norms[i](x + self.dropouts[i](sublayer(x), training=training))
        ### END SOLUTION


# %% [markdown]
# ## Task 1: from ids to vectors (4 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# A token is a number that means nothing by itself: id 7 isn't "more" than id 3. So each id gets a row of a trained
# table, its **embedding**. The row says what the token is and not where it stands, so the position's row of the
# sinusoidal table is added. The paper does it in three steps (sections 3.4, 3.5 and 5.4):
#
# $$x_p = \mathrm{dropout}\bigl(\sqrt{d_\text{model}} \cdot E[\text{id}_p] + PE[p]\bigr), \qquad
# PE[p, 2i] = \sin\frac{p}{10000^{2i/d_\text{model}}}, \quad PE[p, 2i+1] = \cos\frac{p}{10000^{2i/d_\text{model}}}$$
#
# | step | shape |
# |---|---|
# | `token_ids` | `(batch, seq_len)` |
# | the rows of the table | `(batch, seq_len, d_model)` |
# | times $\sqrt{d_\text{model}}$ | the same |
# | plus the positions 0, 1, 2, … | the same: `(seq_len, d_model)` is broadcast over the batch |
# | dropout, in training only | the same |
#
# **Why the root?** Entries of the position table have a mean square of exactly ½ in every row. Embeddings start
# small: Keras draws them between -0.05 and 0.05, the paper's authors with a standard deviation of
# $d_\text{model}^{-1/2}$, because the same matrix is also the output projection (task 3). Times the root, tokens and
# positions are of about the same size if the embeddings are drawn as the authors do. Only the embedding is multiplied, not the positions.
#
# <details><summary>Hint 1: Which layers do the work?</summary>
#
# `keras.layers.Embedding` holds the table, your `PositionalEncoding` of notebook 01 adds the first rows of the sinusoidal one,
# `keras.layers.Dropout` comes last.
#
# </details>
#
# <details><summary>Hint 2: What is multiplied by the root?</summary>
#
# The embedding alone, *before* the positions are added: multiplied afterwards, the positions would grow with it.
#
# </details>
#
# <!-- ko -->
# ## 과제 1: ID에서 벡터로 (4점)
#
# *난이도 2/5, 20분쯤.*
#
# 토큰은 그 자체로는 뜻이 없는 번호입니다. ID 7이 ID 3보다 더 크거나 중요하다는 뜻은 아닙니다. 그래서 ID마다 학습되는 표의 한 행을 줍니다.
# 이 행이 그 토큰의 **임베딩**(embedding)입니다. 임베딩은 토큰이 무엇인지는 말하지만 어디에 있는지는 말하지 않으므로, 사인과 코사인으로
# 된 표에서 그 위치의 행을 더합니다. 논문은 이것을 세 단계로 합니다(3.4, 3.5, 5.4절).
#
# $$x_p = \mathrm{dropout}\bigl(\sqrt{d_\text{model}} \cdot E[\text{id}_p] + PE[p]\bigr), \qquad
# PE[p, 2i] = \sin\frac{p}{10000^{2i/d_\text{model}}}, \quad PE[p, 2i+1] = \cos\frac{p}{10000^{2i/d_\text{model}}}$$
#
# | 단계 | 모양 |
# |---|---|
# | `token_ids` | `(batch, seq_len)` |
# | 표에서 꺼낸 행 | `(batch, seq_len, d_model)` |
# | $\sqrt{d_\text{model}}$을 곱한다 | 같음 |
# | 위치 0, 1, 2, …의 행을 더한다 | 같음. `(seq_len, d_model)`이 배치로 브로드캐스트된다 |
# | 드롭아웃(dropout), 학습(training) 때만 | 같음 |
#
# **왜 제곱근인가?** 위치의 표는 어느 행이든 원소의 제곱 평균이 정확히 ½입니다. 임베딩은 작은 값에서 시작합니다. 케라스는 -0.05와
# 0.05 사이에서 뽑고, 논문의 저자들은 표준편차를 $d_\text{model}^{-1/2}$로 두었습니다. 같은 행렬이 출력 투영(projection)으로도 쓰이기
# 때문입니다(과제 3). 저자들처럼 뽑았다면 제곱근을 곱했을 때 토큰과 위치의 크기가 비슷해집니다. 임베딩에만 곱하고 위치에는 곱하지 않습니다.
#
# <details><summary>힌트 1: 어떤 계층이 일을 할까요?</summary>
#
# `keras.layers.Embedding`에 표가 있고, 1번 노트북의 `PositionalEncoding`이 사인과 코사인 표의 앞쪽 행들을 더하며,
# `keras.layers.Dropout`이 마지막입니다.
#
# </details>
#
# <details><summary>힌트 2: 제곱근은 무엇에 곱할까요?</summary>
#
# 위치를 더하기 *전에* 임베딩에만 곱합니다. 더한 뒤에 곱하면 위치까지 커집니다.
#
# </details>


# %% task="token-embedding" builds_on="carry-over"
class TokenEmbedding(keras.layers.Layer):
    """
    Embedding times the square root of d_model, plus sinusoidal positions, then dropout.
    # ko: 임베딩에 d_model의 제곱근을 곱하고 사인과 코사인의 위치 인코딩을 더한 뒤 드롭아웃을 합니다.

    Args:
    # ko: 인수:
        vocab_size: number of token ids, 0 to vocab_size - 1.
        # ko: vocab_size: 토큰 ID의 수. ID는 0부터 vocab_size - 1까지입니다.
        d_model: width of the embedding; even.
        # ko: d_model: 임베딩의 너비. 짝수입니다.
        max_len: longest sequence.
        # ko: max_len: 가장 긴 시퀀스의 길이.
        dropout: rate of the dropout on the sum.
        # ko: dropout: 합에 거는 드롭아웃의 비율.

    The one trainable weight is the table (vocab_size, d_model).
    # ko: 학습되는 가중치는 표 (vocab_size, d_model) 하나뿐입니다.
    """

    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.d_model = d_model
        ### BEGIN SOLUTION
        self.vocab_size, self.max_len, self.rate = vocab_size, max_len, dropout
        self.embedding = keras.layers.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(max_len, d_model)
        self.dropout = keras.layers.Dropout(dropout)
        ### END SOLUTION

    def call(self, token_ids, training=None):
        """
        Embed tokens.
        # ko: 토큰을 임베딩합니다.

        Args:
        # ko: 인수:
            token_ids: (batch, seq_len), integers; seq_len is at most max_len.
            # ko: token_ids: (batch, seq_len), 정수. seq_len은 max_len 이하입니다.
            training: whether to drop.
            # ko: training: 드롭아웃을 할지.

        Returns:
        # ko: 반환값:
            (batch, seq_len, d_model).
            # ko: (batch, seq_len, d_model).
        """
        ### BEGIN SOLUTION
        x = self.embedding(token_ids) * self.d_model**0.5
        return self.dropout(self.positions(x), training=training)
        ### END SOLUTION

    def get_config(self):
        """Return the arguments that make this layer again."""
        # ko: """이 계층을 다시 만들 수 있는 인수를 돌려줍니다."""
        ### BEGIN SOLUTION
        sizes = {"vocab_size": self.vocab_size, "d_model": self.d_model, "max_len": self.max_len}
        return {**super().get_config(), **sizes, "dropout": self.rate}
        ### END SOLUTION

    def compute_output_shape(self, input_shape):
        """Given: on JAX and PyTorch Keras can't tell the shape while the length is open."""
        # ko: """주어진 코드: JAX와 파이토치에서는 길이가 정해지지 않으면 케라스가 모양을 알아내지 못합니다."""
        return (*input_shape, self.d_model)


# %% grade="token-embedding" points=4
@checking("TokenEmbedding")
def _check(check):
    keras.utils.set_random_seed(1)
    layer = TokenEmbedding(vocab_size=9, d_model=4, max_len=6, dropout=0.5)
    token_ids = np.array([[5, 3, 5], [8, 1, 2]])
    try:
        answer = layer(token_ids)
    except Exception as error:
        steps = [frame for frame, _ in traceback.walk_tb(error.__traceback__) if frame.f_code.co_qualname == "PositionalEncoding.call"]
        got = [np.shape(step.f_locals.get(name)) for step in steps for name in step.f_code.co_varnames[1:2]]
        check.true(
            _is_stub(error) or (2, 3) not in got,
            "",
            "`PositionalEncoding` is called on ids (batch, seq_len). It adds the table of positions to vectors (batch, seq_len, d_model): to the embedded tokens.",
            # ko: "`PositionalEncoding`을 ID (batch, seq_len)로 호출했습니다. 이것은 위치의 표를 벡터 (batch, seq_len, d_model), 곧 임베딩한 토큰에 더합니다.",
        )
        raise
    check.true(answer is not None, "call returns an array", "call returned None. Is the `return` missing?")
    # ko: check.true(answer is not None, "call이 배열을 돌려준다", "call이 None을 돌려주었습니다. `return`을 빠뜨리지 않았나요?")
    embedded = to_numpy(answer)
    table_alone = "Does `PositionalEncoding` return its table alone? It adds the table to what it gets." if embedded.ndim == 2 else ""
    # ko: table_alone = "`PositionalEncoding`이 표만 돌려주지 않나요? 받은 것에 표를 더해 돌려주어야 합니다." if embedded.ndim == 2 else ""
    check.shape(embedded, (2, 3, 4), "(batch, seq_len, d_model)", otherwise=table_alone)
    check_repeats(check, layer, token_ids, embedded)
    tables = [weight for weight in layer.trainable_weights if tuple(weight.shape) == (9, 4)]
    check.true(
        len(tables) == 1 and len(layer.trainable_weights) == 1,
        "one trainable weight, (vocab_size, d_model)",
        # ko: "학습되는 가중치 하나, (vocab_size, d_model)",
        f"the trainable weights are {[tuple(w.shape) for w in layer.trainable_weights]}; there should be one, (9, 4).",
        # ko: f"학습되는 가중치가 {[tuple(w.shape) for w in layer.trainable_weights]}입니다. (9, 4) 하나여야 합니다.",
    )
    table = np.arange(36, dtype="float32").reshape(9, 4) / 10
    tables[0].assign(table)
    embedded = to_numpy(layer(token_ids))
    check.close(
        embedded[0, 0] - embedded[1, 0],
        2 * (table[5] - table[8]),
        "two tokens at the same position differ by their embeddings, times 2 for d_model 4",
        # ko: "같은 위치에 있는 두 토큰의 차이는 임베딩의 차이의 2배 (d_model이 4이므로)",
        hints={
            "the embedding isn't multiplied by the square root of d_model.": table[5] - table[8],
            # ko: "임베딩에 d_model의 제곱근을 곱하지 않았습니다.": table[5] - table[8],
            "the embedding counts 4 times, not 2 times: it is multiplied by d_model instead of its root, or it is added once more "
            # ko: "임베딩이 2배가 아니라 4배로 들어 있습니다. d_model의 제곱근이 아니라 d_model을 곱했거나, 임베딩을 두 번 더했습니다"
            "(what `PositionalEncoding` returns already holds what it was given).": 4 * (table[5] - table[8]),
            # ko: "(`PositionalEncoding`이 돌려주는 것에는 받은 벡터가 이미 더해져 있습니다).": 4 * (table[5] - table[8]),
            "the embedding is added twice, once with the root and once without it: what `PositionalEncoding` returns already holds "
            # ko: "임베딩을 두 번, 한 번은 제곱근을 곱해서, 한 번은 그냥 더했습니다. `PositionalEncoding`이 돌려주는 것에는 받은 벡터가 이미 더해져 "
            "what it was given.": 3 * (table[5] - table[8]),
            # ko: "있습니다.": 3 * (table[5] - table[8]),
        },
    )
    row_2 = np.array([0.90929743 - 0, -0.41614684 - 1, 0.01999867 - 0, 0.99980001 - 1])
    check.close(
        embedded[0, 2] - embedded[0, 0],
        row_2,
        "the same token at positions 2 and 0 differs by rows 2 and 0 of the table",
        # ko: "같은 토큰이 위치 2와 0에 있을 때의 차이는 위치 표의 2번 행과 0번 행의 차이",
        hints={
            "position makes no difference.": np.zeros(4),
            # ko: "위치가 달라도 결과가 같습니다.": np.zeros(4),
            "the sines stand in one half and the cosines in the other; column by column they take turns.": row_2[[0, 2, 1, 3]],
            # ko: "사인과 코사인을 절반씩 모아 놓았습니다. 열마다 번갈아 놓아야 합니다.": row_2[[0, 2, 1, 3]],
            "the positions count twice: they are multiplied as well (multiply first, then add them), or they are added twice "
            # ko: "위치가 2배로 들어 있습니다. 위치에도 곱했거나(먼저 곱하고 그다음에 위치를 더하세요), 위치를 두 번 더했습니다"
            "(what `PositionalEncoding` returns already holds them).": 2 * row_2,
            # ko: "(`PositionalEncoding`이 돌려주는 것에는 위치가 이미 더해져 있습니다).": 2 * row_2,
        },
    )
    few_words = TokenEmbedding(vocab_size=3, d_model=12, max_len=6)
    try:
        few_words(np.array([[1, 2, 0, 1, 2, 0]]))
    except Exception as error:
        check.true(
            _is_stub(error),
            "",
            "with 3 words and max_len 6 a sequence of 6 fails. The table of positions has a row for each position, max_len, however many words there are.",
            # ko: "단어가 3개, max_len이 6일 때 길이 6인 시퀀스에서 실패합니다. 위치의 표에는 단어가 몇 개든 위치마다 한 행, 곧 max_len행이 있어야 합니다.",
        )
        raise
    wide = np.arange(36, dtype="float32").reshape(3, 12) ** 2 / 100
    few_words.trainable_weights[0].assign(wide)
    check.close(
        np.diff(to_numpy(few_words(np.array([[1], [2]]))), axis=0)[0, 0],
        12**0.5 * (wide[2] - wide[1]),
        "and times 3.46 for d_model 12",
        # ko: "d_model이 12이면 3.46배",
        hints={
            "this is d_model / 2: `**` comes before `/`. The root is `d_model**0.5`.": 6 * (wide[2] - wide[1]),
            # ko: "d_model / 2를 곱했습니다. `**`는 `/`보다 먼저 계산합니다. 제곱근은 `d_model**0.5`입니다.": 6 * (wide[2] - wide[1]),
        },
    )
    dropped = to_numpy(layer(token_ids, training=True))
    check.true(not np.allclose(dropped, embedded), "dropout in training", "with training=True nothing was dropped.")
    # ko: check.true(not np.allclose(dropped, embedded), "학습 때의 드롭아웃", "training=True인데도 드롭아웃이 일어나지 않았습니다.")
    tables[0].assign(np.zeros((9, 4), dtype="float32"))
    only_positions = to_numpy(layer(token_ids))
    check.true(
        not np.allclose(to_numpy(layer(token_ids, training=True)), only_positions),
        "the positions are dropped too",
        # ko: "위치에도 드롭아웃을 적용한다",
        "in training the positions are never dropped: the dropout comes last, after they are added.",
        # ko: "학습할 때 위치에는 드롭아웃이 적용되지 않습니다. 드롭아웃은 위치를 더한 다음, 맨 마지막입니다.",
    )
    undropped = TokenEmbedding(vocab_size=9, d_model=4, max_len=6, dropout=0.0)
    check.drops_nothing(lambda **options: undropped(token_ids, **options), has_network=False)
    tables[0].assign(table)
    share = np.mean(to_numpy(layer(np.tile(token_ids, (50, 1)), training=True))[:, 1:] != 0)
    # what is dropped before the positions are added isn't 0 afterwards
    # ko: # 위치를 더하기 전에 지운 것은 더한 뒤 0이 아닙니다
    twice = np.unique(np.round(to_numpy(layer(np.tile(token_ids[:1], (50, 1)), training=True))[:, 1, 1], 3)).size
    check.true(
        twice == 2 and 0.4 < share < 0.6,
        "with dropout=0.5 about half is left, twice as large",
        # ko: "dropout=0.5이면 절반쯤이 두 배가 되어 남는다",
        f"in training with dropout=0.5 {share:.0%} of the numbers are left, and one and the same number becomes {twice} different ones, not "
        # ko: f"dropout=0.5로 학습할 때 수의 {share:.0%}가 남고 같은 수가 {twice}가지로 바뀝니다. 0 아니면 두 배, "
        "two (0 or twice itself). Is something dropped twice?",
        # ko: "두 가지여야 합니다. 드롭아웃을 두 번 하지 않았나요?",
    )
    again = TokenEmbedding.from_config(layer.get_config())
    check.shape(again(np.array([[1, 2]])), (1, 2, 4), "(batch, seq_len, d_model), from the config")
    # ko: check.shape(again(np.array([[1, 2]])), (1, 2, 4), "설정으로 다시 만든 계층의 (batch, seq_len, d_model)")
    share = np.mean(to_numpy(again(np.tile(token_ids, (50, 1)), training=True))[:, 1:] == 0)
    cause = "" if "dropout" in layer.get_config() else " The config lacks `dropout`, so the new layer takes its default."
    # ko: cause = "" if "dropout" in layer.get_config() else " `get_config`가 돌려준 설정에 `dropout`이 없습니다. 그러면 다시 만든 계층은 기본값을 씁니다."
    check.true(
        0.4 < share < 0.6,
        "a layer made again from the config drops about half as well",
        # ko: "설정으로 다시 만든 계층에서도 드롭아웃이 절반쯤 일어난다",
        f"made with dropout=0.5, but a layer made again from its config drops {share:.0%} of the numbers in training.{cause}",
        # ko: f"dropout=0.5로 만들었는데, 설정으로 다시 만든 계층은 학습할 때 수의 {share:.0%}를 0으로 만듭니다.{cause}",
    )
    check.compiles(lambda ids: layer(ids), token_ids, required=False)
_check

# %% [markdown]
# The next picture shows the kind of input that the decoder of notebook 07 will get. The model there translates numbers from Korean into English, so the decoder's tokens are English
# words. From left to right: the embedding, the positions and their sum. `hundred` occurs twice. On the left its two rows are equal, on the right they aren't: now attention can tell them
# apart.
#
# <!-- ko -->
# 다음 그림은 7번 노트북의 디코더가 받을 입력이 어떤 것인지 보여 줍니다. 그 모델은 한국어로 읽은 수를 영어로 옮기므로 디코더의 토큰은 영어 단어입니다. 왼쪽부터 임베딩, 위치, 둘의 합입니다. `hundred`가 두 번 나옵니다. 왼쪽에서는 그
# 두 행이 같고 오른쪽에서는 다릅니다. 이제 어텐션이 둘을 구별할 수 있습니다.

# %%
@demonstrate
def _demo():
    keras.utils.set_random_seed(0)
    words = ["three", "hundred", "twenty", "one", "thousand", "two", "hundred"]
    shown_ids = np.array([[4, 5, 6, 7, 8, 9, 5]])
    shown_layer = TokenEmbedding(vocab_size=10, d_model=32, max_len=16, dropout=0.0)
    shown_layer(shown_ids)  # now it has its table
    # ko: shown_layer(shown_ids)  # 이제 표가 생겼습니다
    fresh_table = to_numpy(shown_layer.trainable_weights[0])
    shown_layer.trainable_weights[0].assign(np.random.default_rng(3).normal(size=fresh_table.shape) / 32**0.5)
    in_sum = to_numpy(shown_layer(shown_ids))[0]
    shown_layer.trainable_weights[0].assign(0 * fresh_table)
    only_positions = to_numpy(shown_layer(shown_ids))[0]
    figure, axes = plt.subplots(1, 3, figsize=(13, 3.2), sharey=True, layout="constrained")
    for ax, (title, rows) in zip(
        axes,
        {"embedding × √d_model": in_sum - only_positions, "positions": only_positions, "their sum": in_sum}.items(),
        # ko: {"임베딩 × √d_model": in_sum - only_positions, "위치 (positions)": only_positions, "합 (sum)": in_sum}.items(),
        strict=True,
    ):
        image = ax.imshow(rows, cmap="RdBu", vmin=-2.5, vmax=2.5, aspect="auto")
        ax.set(title=title, xlabel="feature", yticks=range(len(words)), yticklabels=words)
        # ko: ax.set(title=title, xlabel="특징 (feature)", yticks=range(len(words)), yticklabels=words)
    figure.colorbar(image, ax=axes)
    plt.show()

# %% [markdown]
# > **Does this hold?** *"The factor $\sqrt{d_\text{model}}$ is a detail: the table is trained anyway."* The cell compares the sizes of the two summands, token and
# > position, with Keras's initial values for the table and with the authors'. Guess: with the root, and then without it,
# > which of the two is larger, token or position?
#
# <!-- ko -->
# > **정말 그럴까?** *"$\sqrt{d_\text{model}}$을 곱하는 것은 사소한 일이다. 표는 어차피 학습되니까."* 다음 셀은 더할 두 벡터, 토큰과 위치의 크기를 비교합니다. 표의
# > 초깃값은 케라스의 것과 논문 저자들의 것입니다. 짐작해 보세요. 제곱근을 곱할 때와 곱하지 않을 때 각각, 토큰과 위치 가운데 어느 쪽이 더 클까요?

# %%
@demonstrate
def _demo():
    widths = np.array([16, 64, 256, 1024])
    starts = {"Keras: uniform ±0.05": np.full(4, 0.05 / 3**0.5), "authors: std 1/√d_model": widths**-0.5}
    # ko: starts = {"케라스: 균등 분포 ±0.05": np.full(4, 0.05 / 3**0.5), "저자들: 표준편차 1/√d_model": widths**-0.5}
    figure, axes = plt.subplots(1, 2, figsize=(9, 3), sharey=True, layout="constrained")
    for ax, (title, size) in zip(axes, starts.items(), strict=True):
        ax.plot(widths, size, "o--", label="embedding")
        # ko: ax.plot(widths, size, "o--", label="임베딩 (embedding)")
        ax.plot(widths, size * widths**0.5, "o-", label="embedding × √d_model")
        # ko: ax.plot(widths, size * widths**0.5, "o-", label="임베딩 × √d_model")
        ax.axhline(0.5**0.5, color="black", linewidth=1, label="positions")
        # ko: ax.axhline(0.5**0.5, color="black", linewidth=1, label="위치 (positions)")
        ax.set(title=title, xscale="log", yscale="log", xlabel="d_model", ylabel="root mean square")
        # ko: ax.set(title=title, xscale="log", yscale="log", xlabel="d_model", ylabel="제곱평균제곱근 (rms)")
        ax.set_xticks(widths, widths)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper", frameon=False)
    plt.show()

# %% [markdown]
# > **What is right.** It isn't a detail at the start. Unscaled, a token is a whisper beside its position: with Keras's values at any
# > width, with the authors' in wide models. With Keras's values it stays small even when
# > scaled, except in very wide models (and grows in training); with the authors', the root makes it 1.41 times as large as
# > the positions, at any width.
#
# ## Task 2: the lecture's model (5 points)
#
# *Difficulty 4 of 5, about 60 minutes.*
#
# The first Transformer has no tokens: its inputs *are* vectors, and it gives vectors back, such as the samples of a
# signal. A lecture built it from **pre-norm** blocks:
#
# ```
#   source (batch, timesteps, dim)             target (batch, any length, dim)
#        |                                           |
#   [+ positions, if you like]                  [+ positions, if you like]
#        |                                           |
#   num_encoder_blocks x EncoderBlock           num_decoder_blocks x DecoderBlock, causal
#        |                                           |
#        +------ memory ---- to every decoder block -+
#                                                    |
#                                               Dense(dim)
#                                                    |
#                                               output (batch, that length, dim)
# ```
#
# - Each head is `dim // num_heads` wide. Feed-forward is Dense(`ff_dim`, ReLU), dropout, Dense(`dim`). There is dropout on each
#   sublayer's output as well, before the sum. (Of all this dropout the check
#   below looks only at that on the decoder's attentions.)
# - Pre-norm: each sublayer gets the normalised $x$ and adds to the plain one. An encoder block has two layer
#   normalisations (ε = 1e-6; another small one counts as right too), a decoder block three. The lecture has none after the last block,
#   so **you don't add any here**.
# - The decoder is causal: output $t$ sees the targets $0 \dots t$, itself included, and the whole memory. Nothing is
#   padding here.
# - Each block has weights of its own. `dropout` goes to every block.
# - Positions have no weights, so they don't change the count. Add the sinusoidal ones to both inputs or leave them
#   out: both count as right (our solution adds them; without them the encoder can't know the order of its input). The
#   source is `timesteps` long, but a target may be longer: make the table long enough, say 512 rows.
#
# > **A trap.** The target's length is open. In a functional model (`keras.Input((None, dim))`) it is `None` while the model is built, and
# > `arange` can't count by that, and `table[:None]` is the whole table. Inside a layer's `call`, `ops.shape(target)[1]` is the length on every backend. A subclass of
# > `keras.Model` has everything in `call` and avoids the trap. The name of the class must not begin with an underscore: `fit` couldn't compile the model.
# >
# > ```python
# > class MyModel(keras.Model):
# >     def __init__(self, ...):
# >         super().__init__()
# >         self.blocks = [...]          # layers that are attributes (or in lists) are found by Keras
# >
# >     def call(self, inputs):
# >         source, target = inputs
# >         ...
# >         return output
# > ```
# >
# > Call such a model once before you return it, so that it has its weights. A functional model is
# > `keras.Model([source, target], output)` with `source = keras.Input((timesteps, dim))`, and gets a layer of your own for the mask.
#
# **The count.** For `dim` 12, 4 heads of 3, `ff_dim` 64 and 2 + 2 blocks the lecture's right model has **10588**
# parameters:
#
# | part | parameters |
# |---|---|
# | one attention | 4 · (12 · 12 + 12) = 624 |
# | one feed-forward | (12 · 64 + 64) + (64 · 12 + 12) = 832 + 780 = 1612 |
# | one normalisation | 2 · 12 = 24 |
# | encoder block | 624 + 1612 + 2 · 24 = 2284 |
# | decoder block | 2 · 624 + 1612 + 3 · 24 = 2932 |
# | output `Dense(12)` | 12 · 12 + 12 = 156 |
# | **whole** | 2 · 2284 + 2 · 2932 + 156 = **10588** |
#
# The lecture's model, as printed, had 7316. The 3272 that are missing are 2 · (1612 + 24): in both decoder
# blocks the feed-forward and its normalisation are computed and then not used (`return x + res` instead of `ff +
# res`), and in a functional model Keras follows the way from the inputs to the output, so it doesn't even count a layer that isn't used. (A block or a model of your own
# class is counted with all layers that it calls, whether what they give is used or not.) It had two more mistakes that no count shows: the look-ahead mask was
# upside down, and `num_heads` and `key_dim` had changed places.
#
# <details><summary>Hint 1: Functional or subclass?</summary>
#
# A subclass of `keras.Model` is easier here: `call` sees real tensors, so the length is known (`ops.shape(x)[1]` gives it even where `fit` compiles for batches of different lengths and `x.shape[1]` is None). Make blocks in lists that are
# attributes, one object for each block.
#
# </details>
#
# <details><summary>Hint 2: What does call do?</summary>
#
# The source goes through all encoder blocks; what comes out is the memory. The target goes through all decoder blocks, each with the
# same memory and the same look-ahead mask of the *target's* length. Then the Dense.
#
# </details>
#
# <details><summary>Hint 3: What does the count tell you?</summary>
#
# Too few: a layer is missing or is not an attribute, two blocks share it, or (in a functional model) it doesn't lead to the output. Too many: a normalisation after the stack, or heads whose width
# (`key_dim`) isn't `dim // num_heads`.
# `model.summary()` lists what there is, once the model has been called with arrays of zeros.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** 처음에는 사소하지 않습니다. 제곱근을 곱하지 않으면 토큰이 위치에 묻힙니다(케라스의 초깃값에서는 너비가 얼마든, 저자들의 초깃값에서는 넓은 모델에서). 케라스의 초깃값으로는 곱해도 여전히 작습니다. 아주 넓은 모델만
# > 그렇지 않습니다(학습하는 동안 커지기는 합니다). 저자들의 초깃값에 제곱근을 곱하면 너비가 얼마든 위치의 1.41배가 됩니다.
#
# ## 과제 2: 강의의 모델 (5점)
#
# *난이도 4/5, 60분쯤.*
#
# 먼저 만들 트랜스포머에는 토큰이 없습니다. 입력이 *곧* 벡터이고, 내놓는 것도 신호의 표본 같은 벡터입니다. 강의에서는 이 모델을
# **사전 정규화**(pre-norm) 블록으로 만들었습니다.
#
# ```
#   source (batch, timesteps, dim)             target (batch, 길이는 자유, dim)
#        |                                           |
#   [+ 위치, 원한다면]                          [+ 위치, 원한다면]
#        |                                           |
#   num_encoder_blocks x EncoderBlock           num_decoder_blocks x DecoderBlock, 인과적
#        |                                           |
#        +------ memory ---- 모든 DecoderBlock으로 --+
#                                                    |
#                                               Dense(dim)
#                                                    |
#                                               output (batch, 타깃의 길이, dim)
# ```
#
# - 헤드 하나의 너비는 `dim // num_heads`입니다. 피드포워드 신경망은 Dense(`ff_dim`, ReLU), 드롭아웃, Dense(`dim`)입니다.
#   하위 계층(sublayer)마다 그 출력에도, 더하기 전에 드롭아웃을 겁니다. (아래의 검사는 이 가운데 디코더의 어텐션
#   출력에 거는 드롭아웃만 봅니다.)
# - 사전 정규화에서는 각 하위 계층이 정규화한 $x$를 받고, 그 결과를 정규화하지 않은 $x$에 더합니다. 계층 정규화(layer
#   normalisation, ε = 1e-6. 다른 작은 값도 맞는 것으로 칩니다)는 인코더 블록에 두 개, 디코더 블록에 세 개 있습니다. 강의의 모델에는
#   마지막 블록 뒤에 정규화가 없으므로 **여기서도 넣지 않습니다.**
# - 디코더는 인과적(causal)입니다. 출력 $t$는 자기 자리를 포함한 타깃 $0 \dots t$와 메모리 전체를 봅니다. 여기에는 패딩(padding)이
#   없습니다.
# - 블록마다 자기 가중치(weight)가 있습니다. `dropout`은 모든 블록에 전합니다.
# - 위치에는 가중치가 없으므로 파라미터 수가 달라지지 않습니다. 두 입력에 사인과 코사인의 위치 인코딩을 더해도 되고 빼도 됩니다.
#   둘 다 맞습니다(우리 풀이는 더합니다. 더하지 않으면 인코더가 입력의 순서를 알 수 없습니다). 소스의 길이는 `timesteps`이지만 타깃은
#   더 길 수 있습니다. 표를 넉넉하게, 이를테면 512행으로 만드세요.
#
# > **함정.** 타깃의 길이는 정해져 있지 않습니다. 함수형 모델(`keras.Input((None, dim))`)을 만드는 동안 그 길이는 `None`입니다. `arange`에는 줄 수
# > 없고, `table[:None]`은 표 전체입니다. 계층의 `call` 안에서는 어느 백엔드에서든 `ops.shape(target)[1]`이 그 길이입니다. `keras.Model`의 서브클래스에서는
# > 모든 것이 `call` 안에 있으므로 이 함정을 피할 수 있습니다. 클래스 이름을 밑줄로 시작하면 `fit`이 모델을 컴파일하지 못합니다.
# >
# > ```python
# > class MyModel(keras.Model):
# >     def __init__(self, ...):
# >         super().__init__()
# >         self.blocks = [...]          # 속성(또는 속성인 리스트)에 든 계층은 케라스가 찾아냅니다
# >
# >     def call(self, inputs):
# >         source, target = inputs
# >         ...
# >         return output
# > ```
# >
# > 이런 모델은 돌려주기 전에 한 번 호출해 가중치가 생기게 하세요. 함수형 모델은 `source = keras.Input((timesteps, dim))` 등으로 시작하는
# > `keras.Model([source, target], output)`이고, 마스크를 만드는 계층을 따로 두어야 합니다.
#
# **파라미터 수.** `dim` 12, 너비 3인 헤드 4개, `ff_dim` 64, 블록 2 + 2개일 때 강의의 모델을 바르게 만들면 파라미터가 **10588**개입니다.
#
# | 부분 | 파라미터 |
# |---|---|
# | 어텐션 하나 | 4 · (12 · 12 + 12) = 624 |
# | 피드포워드 신경망 하나 | (12 · 64 + 64) + (64 · 12 + 12) = 832 + 780 = 1612 |
# | 정규화 하나 | 2 · 12 = 24 |
# | 인코더 블록 | 624 + 1612 + 2 · 24 = 2284 |
# | 디코더 블록 | 2 · 624 + 1612 + 3 · 24 = 2932 |
# | 출력 `Dense(12)` | 12 · 12 + 12 = 156 |
# | **전체** | 2 · 2284 + 2 · 2932 + 156 = **10588** |
#
# 강의 자료에 실린 그대로의 모델은 7316개였습니다. 모자라는 3272개는 2 · (1612 + 24)입니다. 두 디코더 블록이 피드포워드 신경망과 그
# 정규화를 계산해 놓고 쓰지 않습니다(`ff + res`가 아니라 `return x + res`). 함수형 모델에서 케라스는 입력에서 출력까지 이어지는 계층만 따라가므로, 쓰이지 않는 계층은 세지도 않습니다. (직접 만든
# 클래스의 블록이나 모델이라면 호출한 계층은 그 결과를 쓰든 안 쓰든 모두 셉니다.) 잘못은 두 가지 더 있었는데 개수로는
# 드러나지 않습니다. 룩어헤드 마스크(look-ahead mask)가 뒤집혀 있었고, `num_heads`와 `key_dim`의 자리가 서로 바뀌어 있었습니다.
#
# <details><summary>힌트 1: 함수형일까요, 서브클래스일까요?</summary>
#
# 여기서는 `keras.Model`의 서브클래스가 쉽습니다. `call`이 실제 텐서를 보므로 길이를 알 수 있습니다(`fit`이 길이가 다른 배치들을 위해 컴파일하면 `x.shape[1]`은 None이 되지만 `ops.shape(x)[1]`은 그때도 길이를 줍니다). 블록은 저마다 다른 객체로 만들어
# 리스트로 속성에 두세요.
#
# </details>
#
# <details><summary>힌트 2: call은 무엇을 할까요?</summary>
#
# 소스를 모든 인코더 블록에 통과시키면 메모리가 나옵니다. 타깃을 모든 디코더 블록에 통과시키되, 블록마다 같은 메모리와 *타깃* 길이의
# 같은 룩어헤드 마스크를 줍니다. 끝으로 Dense를 거칩니다.
#
# </details>
#
# <details><summary>힌트 3: 개수로 무엇을 알 수 있을까요?</summary>
#
# 모자라면 빠졌거나 속성에 두지 않은 계층이 있거나, 두 블록이 한 계층을 함께 쓰거나, (함수형이라면) 출력까지 이어지지 않은 계층이 있는 것입니다. 많으면 블록 뒤에 정규화가 더 있거나, 헤드의
# 너비(`key_dim`)가 `dim // num_heads`가 아닙니다. 0으로 채운 배열로 모델을 한 번 부른 다음 `model.summary()`를 보세요.
#
# </details>


# %% task="continuous-model" builds_on="carry-over token-embedding"
def build_continuous_transformer(
    timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1
):
    """
    Build the lecture's encoder-decoder over sequences of vectors, causal in the decoder.
    # ko: 벡터의 시퀀스를 다루는 강의의 인코더-디코더를 만듭니다. 디코더는 인과적입니다.

    Args:
    # ko: 인수:
        timesteps: length of the source.
        # ko: timesteps: 소스의 길이.
        dim: features of source, target and output, and width of the model; even, and num_heads divides it.
        # ko: dim: 소스, 타깃, 출력의 특징 수이자 모델의 너비. 짝수이고 num_heads로 나누어떨어집니다.
        num_heads: heads of each attention.
        # ko: num_heads: 어텐션 하나의 헤드 수.
        ff_dim: width inside the feed-forward.
        # ko: ff_dim: 피드포워드 신경망 안쪽의 너비.
        num_encoder_blocks, num_decoder_blocks: number of blocks.
        # ko: num_encoder_blocks, num_decoder_blocks: 블록의 수.
        dropout: rate in every block.
        # ko: dropout: 모든 블록의 드롭아웃 비율.

    Returns:
    # ko: 반환값:
        A keras.Model: [source (batch, timesteps, dim), target (batch, any length, dim)] -> (batch, that length, dim).
        # ko: keras.Model: [source (batch, timesteps, dim), target (batch, 길이는 자유, dim)] -> (batch, target의 길이, dim).
    """
    ### BEGIN SOLUTION
    model = ContinuousTransformer(dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout)
    example = np.zeros((1, timesteps, dim), "float32")
    model([example, example])  # now it has its weights
    return model


class ContinuousTransformer(keras.Model):
    """See `build_continuous_transformer`."""

    def __init__(self, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout, max_len=512):
        super().__init__()
        self.positions = PositionalEncoding(max_len, dim)
        self.encoder = [EncoderBlock(dim, num_heads, ff_dim, dropout) for _ in range(num_encoder_blocks)]
        self.decoder = [DecoderBlock(dim, num_heads, ff_dim, dropout) for _ in range(num_decoder_blocks)]
        self.output_dense = keras.layers.Dense(dim)

    def call(self, inputs):
        source, target = inputs
        memory = self.positions(source)
        for block in self.encoder:
            memory = block(memory)
        x = self.positions(target)
        look_ahead_mask = create_look_ahead_mask(ops.shape(target)[1])
        for block in self.decoder:
            x = block(x, memory, self_mask=look_ahead_mask)
        return self.output_dense(x)
        ### END SOLUTION


# %% grade="continuous-model" points=5
@checking("build_continuous_transformer")
def _check(check):
    keras.utils.set_random_seed(2)
    rng = np.random.default_rng(2)
    lecture = build_continuous_transformer(6, 12, 4, 64, 2, 2)
    source, target = (rng.normal(size=(2, length, 12)).astype("float32") for length in (6, 6))
    answer = first_answer(check, lecture, [source, target])
    check.shape(answer, (2, 6, 12), "(batch, target_len, dim)")
    check_repeats(check, lecture, [source, target], answer)
    for length, words in ((3, "shorter"), (9, "longer")):
    # ko: for length, words in ((3, "짧은"), (9, "긴")):
        try:
            of_another = lecture([source, np.concatenate([target, target], axis=1)[:, :length]])
        except Exception as error:
            if re.search(r"expected\sshape", str(error)):
                raise
            check._fail(
                f"a target of {length} vectors fails, although one of 6 doesn't: a target may be {words} than the source. Does something have the length `timesteps`, such as a "
                # ko: f"길이 6인 타깃은 되는데 길이 {length}인 타깃은 실패합니다. 소스보다 {words} 타깃도 있습니다. 위치의 표나 마스크처럼 길이가 `timesteps`인 것이 있나요? "
                "table of positions or a mask? Does attention over memory get the look-ahead mask? It gets none. Or have target and memory changed places in a decoder block?\n"
                # ko: "교차 어텐션에 룩어헤드 마스크를 주나요? 거기에는 쓰지 않습니다. 아니면 디코더 블록에 주는 타깃과 메모리의 자리가 바뀌었나요?\n"
                + _explained(error, {influence.__code__.co_filename, (lambda: 0).__code__.co_filename})
            )
        check.shape(of_another, (2, length, 12), f"(batch, target_len, dim) for a target {words} than the source")
        # ko: check.shape(of_another, (2, length, 12), f"소스보다 {words} 타깃의 (batch, target_len, dim)")
    count = sum(int(np.prod(weight.shape)) for weight in lecture.trainable_weights)
    explained = {
        7316: "In the decoder blocks the feed-forward isn't used.",
        # ko: 7316: "디코더 블록에서 피드포워드 신경망이 쓰이지 않습니다.",
        4044: "In none of the blocks is the feed-forward used.",
        # ko: 4044: "어느 블록에서도 피드포워드 신경망이 쓰이지 않습니다.",
        21604: "Each head is `dim` wide (`key_dim`). It should be `dim // num_heads`.",
        # ko: 21604: "헤드 하나의 너비(`key_dim`)가 `dim`입니다. `dim // num_heads`여야 합니다.",
        10636: "That is as much as two normalisations too many: is there one after each stack, or one of the memory in each decoder block? The lecture's model has neither.",
        # ko: 10636: "정규화 두 개만큼 많습니다. 스택마다 뒤에 정규화가 있거나 디코더 블록마다 메모리를 정규화하나요? 강의의 모델은 둘 다 하지 않습니다.",
        7656: "There is only one decoder block, or the same one twice, or the second doesn't get what the first one gave.",
        # ko: 7656: "디코더 블록이 하나뿐이거나, 같은 블록을 두 번 쓰거나, 둘째 블록이 첫째 블록의 출력을 받지 않습니다.",
        8304: "There is only one encoder block, or the same one twice, or the second doesn't get what the first one gave.",
        # ko: 8304: "인코더 블록이 하나뿐이거나, 같은 블록을 두 번 쓰거나, 둘째 블록이 첫째 블록의 출력을 받지 않습니다.",
        10612: "There is a normalisation after one of the stacks: the lecture's model has none.",
        # ko: 10612: "한 스택의 뒤에 정규화가 있습니다. 강의의 모델에는 없습니다.",
        10540: "That is as much as two normalisations too few: is one missing (or does one serve twice) in each encoder block or in each decoder block, or the bias of Dense(dim) in each feed-forward?",
        # ko: 10540: "정규화 두 개만큼 모자랍니다. 인코더 블록마다, 또는 디코더 블록마다 정규화 하나가 빠졌거나 하나를 두 번 쓰나요? 아니면 피드포워드 신경망마다 Dense(dim)의 편향이 빠졌나요?",
        6020: "The encoder blocks don't belong to the model: do the decoder blocks get what they give as memory? In a class of your own they are made in `__init__`, in a list that is an attribute.",
        # ko: 6020: "인코더 블록이 모델에 속해 있지 않습니다. 디코더 블록이 인코더 블록의 출력을 메모리로 받나요? 직접 만든 클래스라면 인코더 블록을 `__init__`에서 만들어 리스트로 속성에 두세요.",
        10744: "That is as much as two Dense(dim) at the end.",
        # ko: 10744: "끝에 Dense(dim)가 두 개 있는 것만큼 많습니다.",
        10432: "The Dense(dim) at the end is missing.",
        # ko: 10432: "끝의 Dense(dim)가 빠졌습니다.",
        5372: "There is only one block in each stack, or the same one twice, or the second doesn't get what the first one gave.",
        # ko: 5372: "스택마다 블록이 하나뿐이거나, 같은 블록을 두 번 쓰거나, 둘째 블록이 첫째 블록의 출력을 받지 않습니다.",
    }
    check.true(
        count == 10588,
        "10588 parameters for the lecture's sizes",
        # ko: "강의와 같은 크기에서 파라미터 10588개",
        f"the model has {count} parameters for the lecture's sizes, not 10588. {explained.get(count, '')}",
        # ko: f"강의와 같은 크기에서 모델의 파라미터가 10588개가 아니라 {count}개입니다. {explained.get(count, '')}",
    )
    check_heads(check, lecture, num_heads=4, key_dim=3)
    check.uses_every_weight(lecture, lambda: lecture([source, target]))
    with_random_weights(lecture)
    check_relu(check, lecture, [source, target], ff_dim=64)
    large = to_numpy(lecture([source, 1e5 * target]))
    check.true(
        large.min() < 0 and np.abs(large).max() > 1.001,
        "the outputs are of any size and of either sign",
        # ko: "출력은 크기와 부호에 제한이 없다",
        "the outputs are never negative, or never beyond 1: the Dense at the end must have no activation.",
        # ko: "출력이 음수가 되지 않거나 1을 넘지 않습니다. 끝의 Dense에는 활성화 함수를 쓰지 않습니다.",
    )
    seen = influence(lecture, source[:1], target[:1], "target", rng.normal(size=(1, 6, 12)))
    rounding = 1e-4 * max(1.0, np.abs(to_numpy(lecture([source[:1], target[:1]]))).max())
    leaks, sees_itself = seen[~np.tri(6, dtype=bool)].max() > rounding, (np.diagonal(seen) > rounding).all()
    check.true(
        not leaks, "no output sees a later target", "an output moves when a later target changes: it isn't causal."
        # ko: not leaks, "어느 출력도 뒤의 타깃을 보지 않는다", "뒤의 타깃이 바뀌면 출력이 움직입니다. 인과적이지 않습니다."
    )
    check.true(
        sees_itself, "each output sees its own target", "an output doesn't move with the target at its own position."
        # ko: sees_itself, "모든 출력이 자기 자리의 타깃을 본다", "자기 자리의 타깃이 바뀌어도 움직이지 않는 출력이 있습니다."
    )
    memory_seen = influence(lecture, source[:1], target[:1], "source", rng.normal(size=(1, 6, 12)))
    check.true(
        (memory_seen > 1e-6).all(),
        "each output sees the whole source",
        # ko: "모든 출력이 소스 전체를 본다",
        "an output doesn't depend on all of the source.",
        # ko: "소스의 일부를 보지 않는 출력이 있습니다.",
    )
    try:
        blockless = with_random_weights(build_continuous_transformer(6, 12, 4, 64, 0, 1), source, target)  # its memory is the source itself
        # ko: blockless = with_random_weights(build_continuous_transformer(6, 12, 4, 64, 0, 1), source, target)  # 메모리가 소스 그대로입니다
        memory_seen = influence(blockless, source[:1], target[:1], "source", rng.normal(size=(1, 6, 12)))
        has_one_block = sum(int(np.prod(weight.shape)) for weight in blockless.trainable_weights) == 3088
    except Exception:
        has_one_block = False  # without encoder blocks a model needn't work
        # ko: has_one_block = False  # 인코더 블록이 없는 모델은 되지 않아도 괜찮습니다
    if has_one_block:
        check.true(
            (memory_seen > 1e-6).all(),
            "each output sees the whole memory",
            # ko: "모든 출력이 메모리 전체를 본다",
            "an output doesn't see all of the memory: attention over memory has no look-ahead mask.",
            # ko: "메모리의 일부를 보지 않는 출력이 있습니다. 교차 어텐션에는 룩어헤드 마스크를 쓰지 않습니다.",
        )
    encoded, memories, steps = from_encoder_to_decoder(lecture, [source, target])
    if encoded is not None:
        if all(steps):
            check.true(
                hands_on(steps[0]) and hands_on(steps[1]),
                "the second block of each stack gets what the first one gave",
                # ko: "스택마다 둘째 블록이 첫째 블록의 출력을 그대로 받는다",
                "a block gets something else than what the block before it gave: is something done in between, such as adding the positions once more?",
                # ko: "앞 블록의 출력이 아닌 것을 받는 블록이 있습니다. 위치를 한 번 더 더하는 것처럼, 블록 사이에서 무언가를 하지 않나요?",
            )
        check.true(
            all_get(memories, encoded, tolerance=1e-4),
            "each decoder block's memory is what the last encoder block gave",
            # ko: "디코더 블록마다 마지막 인코더 블록의 출력을 메모리로 받는다",
            "a decoder block's memory isn't what the last encoder block gave: is it an earlier block's output, or normalised once more?",
            # ko: "마지막 인코더 블록의 출력이 아니라 다른 것을 메모리로 받는 디코더 블록이 있습니다. 앞 블록의 출력을 받거나, 한 번 더 정규화했나요?",
        )
    usual = np.abs(to_numpy(lecture([source, target]))).max()
    check.true(
        np.abs(large).max() > 100 * usual,
        "pre-norm: the target itself goes on to the end, beside the blocks",
        # ko: "사전 정규화: 타깃이 잔차 연결을 타고 끝까지 전해진다",
        "with a target 100 000 times as large the outputs are no larger: in the decoder a residual connection (`x + …`) is missing or adds to the normalised x, or "
        # ko: "타깃을 10만 배로 키워도 출력이 커지지 않습니다. 디코더에 잔차 연결(`x + …`)이 빠졌거나 정규화한 x에 더했거나, "
        "something is normalised after it (post-norm). The lecture's blocks are pre-norm.",
        # ko: "잔차 연결 뒤에서 정규화했습니다(사후 정규화). 강의의 블록은 사전 정규화입니다.",
    )
    check.true(
        not np.abs(to_numpy(lecture([1e5 * source, target]))).max() <= 100 * usual,
        "pre-norm in the encoder: the source itself goes on to the memory, beside the blocks",
        # ko: "인코더의 사전 정규화: 소스가 잔차 연결을 타고 메모리까지 전해진다",
        "with a source 100 000 times as large the outputs are no larger: in the encoder a residual connection (`x + …`) is missing or adds to the normalised x, or "
        # ko: "소스를 10만 배로 키워도 출력이 커지지 않습니다. 인코더에 잔차 연결(`x + …`)이 빠졌거나 정규화한 x에 더했거나, "
        "something is normalised after it (post-norm), such as the memory. The lecture's blocks are pre-norm.",
        # ko: "(메모리를 정규화하는 것처럼) 잔차 연결 뒤에서 정규화했습니다(사후 정규화). 강의의 블록은 사전 정규화입니다.",
    )
    uneven = build_continuous_transformer(6, 12, 4, 64, 1, 2, dropout=0.9999999)
    still = to_numpy(uneven([source, target]))
    uneven_count = sum(int(np.prod(weight.shape)) for weight in uneven.trainable_weights)
    explained = {
        7656: "The numbers of encoder and decoder blocks have changed places.",
        # ko: 7656: "인코더 블록의 수와 디코더 블록의 수가 서로 바뀌었습니다.",
        10588: "There are always two encoder blocks.",
        # ko: 10588: "인코더 블록이 언제나 두 개입니다.",
        5372: "There are as many decoder blocks as encoder blocks.",
        # ko: 5372: "디코더 블록이 인코더 블록과 같은 수만큼 있습니다.",
    }
    check.true(
        uneven_count == 8304,
        "1 encoder block and 2 decoder blocks: 8304 parameters",
        # ko: "인코더 블록 1개, 디코더 블록 2개이면 파라미터 8304개",
        f"with 1 encoder block and 2 decoder blocks the model has {uneven_count} parameters, not 8304. {explained.get(uneven_count, '')}",
        # ko: f"인코더 블록 1개, 디코더 블록 2개일 때 파라미터가 8304개가 아니라 {uneven_count}개입니다. {explained.get(uneven_count, '')}",
    )
    of_first = np.arange(6)[:, None] == 0
    dropped, of_others = (to_numpy(uneven(inputs, training=True)) for inputs in ([source, target], [source[::-1], target + of_first * source]))
    check.true(
        not np.allclose(dropped, still),
        "dropout in training",
        # ko: "학습 때의 드롭아웃",
        "with a dropout of nearly 1, training=True changes nothing: do `dropout` and `training` reach the blocks?",
        # ko: "드롭아웃 비율이 거의 1인데 training=True여도 달라지는 것이 없습니다. `dropout`과 `training`이 블록에 전달되나요?",
    )
    check.true(
        np.allclose(dropped[:, 1:], of_others[:, 1:], rtol=1e-3, atol=1e-3),
        "in the decoder there is dropout on what each attention gives",
        # ko: "디코더에서 어텐션마다 그 출력에 드롭아웃이 있다",
        "with a dropout of nearly 1 nothing is left of the attentions' outputs in training, but yours still get through: does `dropout` reach the decoder blocks? There each sublayer's output is dropped before the sum.",
        # ko: "드롭아웃 비율이 거의 1이면 학습할 때 어텐션의 출력은 남지 않아야 하는데 남아 있습니다. `dropout`이 디코더 블록에 전달되나요? 디코더 블록에서는 하위 계층마다 더하기 전에 그 출력에 드롭아웃을 겁니다.",
    )
    undropped = build_continuous_transformer(6, 12, 4, 64, 1, 1, dropout=0.0)
    check.drops_nothing(lambda **options: undropped([source, target], **options))
    with_random_weights(undropped)
    row_1 = np.zeros((6, 12), dtype="float32")  # by how much row 1 of the table of positions differs from row 0
    # ko: row_1 = np.zeros((6, 12), dtype="float32")  # 위치 표의 1번 행이 0번 행과 다른 만큼
    row_1[1] = [0.841471, -0.459698, 0.213781, -0.023118, 0.046399, -0.001077, 0.01, -0.00005, 0.002154, 0.0, 0.000464, 0.0]

    def moves(which, less):
        # How far the last output moves when two vectors of an input change places.
        # ko: # 한 입력의 두 벡터가 자리를 바꿀 때 마지막 출력이 움직이는 거리.
        inputs = [[source, target], [source, target]]
        for one, order in zip(inputs, ([0, 1, 2, 3, 4, 5], [1, 0, 2, 3, 4, 5]), strict=True):
            one[which] = one[which][:, order] - less
        before, after = (to_numpy(undropped(one))[:, -1] for one in inputs)
        return np.abs(after - before).max() / np.abs(before).max()

    moved = [[moves(which, less) for which in (0, 1)] for less in (0 * row_1, row_1)]  # without positions, and with them
    # ko: moved = [[moves(which, less) for which in (0, 1)] for less in (0 * row_1, row_1)]  # 위치가 없을 때와 있을 때
    check.true(
        min(of_source for of_source, _ in moved) < 1e-3,
        "in the encoder the order counts by nothing but positions",
        # ko: "인코더에서 순서는 위치를 통해서만 드러난다",
        "in the encoder the order counts by something else than sinusoidal positions. Only the decoder is causal: has the encoder a look-ahead mask? And are positions added "
        # ko: "인코더에서 사인과 코사인의 위치가 아닌 다른 것을 통해 순서가 드러납니다. 디코더만 인과적입니다. 인코더에 룩어헤드 마스크를 주나요? 위치는 원래의 벡터에 "
        "once only, to the vectors as they are?",
        # ko: "한 번만 더하나요?",
    )
    check.true(
        min(map(max, moved)) < 1e-3,
        "both inputs get their positions, or neither does",
        # ko: "두 입력 모두에 위치를 더하거나, 둘 다 더하지 않는다",
        "one input gets positions and the other doesn't, or the target's are added more than once, or not to the vectors as they are.",
        # ko: "한 입력에만 위치를 더했거나, 타깃에 위치를 여러 번 또는 원래의 벡터가 아닌 것에 더했습니다.",
    )
    check.compiles(lambda source, target: lecture([source, target]), source, target, required=False)
_check

# %% [markdown]
# Where are the parameters? And who sees whom? In the two pictures on the right a cross marks what doesn't move at all. The triangle of
# crosses is the look-ahead mask, in a model with four blocks, weights at random.
#
# <!-- ko -->
# 파라미터는 어디에 있을까요? 그리고 누가 누구를 볼까요? 오른쪽 두 그림에서 ×는 전혀 움직이지 않는다는 뜻입니다. ×로 된 삼각형이
# 룩어헤드 마스크입니다. 그림의 모델은 블록이 네 개이고 가중치는 무작위입니다.

# %%
@demonstrate
def _demo():
    keras.utils.set_random_seed(2)
    draws = np.random.default_rng(2).normal(size=(3, 1, 6, 12)).astype("float32")  # a source, a target, what they change to
    # ko: draws = np.random.default_rng(2).normal(size=(3, 1, 6, 12)).astype("float32")  # 소스, 타깃, 바꿔 넣을 값
    pictured = with_random_weights(build_continuous_transformer(6, 12, 4, 64, 2, 2), draws[0], draws[1])
    by_target, by_source = (influence(pictured, draws[0], draws[1], changed, draws[2]) for changed in ("target", "source"))

    parts = {"attention": 2 * 624 + 4 * 624, "feed-forward": 4 * 1612, "normalisation": 10 * 24, "output": 156}
    # ko: parts = {"어텐션": 2 * 624 + 4 * 624, "피드포워드": 4 * 1612, "정규화": 10 * 24, "출력": 156}
    figure, axes = plt.subplots(1, 3, figsize=(13, 3.6), width_ratios=(1.1, 1, 1), layout="constrained")
    axes[0].barh(list(parts), list(parts.values()), color=plt.get_cmap("Set2").colors)
    for row, number in enumerate(parts.values()):
        axes[0].text(number, row, f" {number} ({number / 10588:.0%})", va="center")
    trained = sum(int(np.prod(weight.shape)) for weight in pictured.trainable_weights)
    axes[0].set(title=f"a right model (yours has {trained} parameters)", xlabel="of the 10588", xlim=(0, 9000))
    # ko: axes[0].set(title=f"올바른 모델 (여러분의 모델은 {trained}개)", xlabel="10588개 가운데 (parameters)", xlim=(0, 9000))
    axes[0].invert_yaxis()
    show_influence(by_target, axes[1], "target to output")
    # ko: show_influence(by_target, axes[1], "타깃에서 출력으로 (target to output)")
    image = show_influence(by_source, axes[2], "source to output", "changed source position")
    # ko: image = show_influence(by_source, axes[2], "소스에서 출력으로 (source to output)", "바꾼 소스 위치 (source)")
    figure.colorbar(image, ax=axes[2], label="log10 of how far it moves")
    # ko: figure.colorbar(image, ax=axes[2], label="움직인 거리의 log10")
    plt.show()

# %% [markdown]
# > **Does this hold?** *"10588 parameters and a falling loss: the model is right."* The cell draws who sees whom in one attention layer of Keras, under the right mask, the lecture's,
# > and one that is shifted by one step. Guess: which of the three would train to a low loss, and which of them could write by itself?
#
# <!-- ko -->
# > **정말 그럴까?** *"파라미터가 10588개이고 손실(loss)이 줄어든다. 그러니 모델은 맞다."* 다음 셀은 케라스의 어텐션 계층(layer) 하나에서 누가 누구를 보는지 올바른 마스크, 강의의
# > 마스크, 한 칸 밀린 마스크로 그립니다. 짐작해 보세요. 어느 마스크를 쓴 모델의 손실이 학습하면서 낮아지고, 어느 모델이 스스로 출력을 이어 나갈 수 있을까요?

# %%
@demonstrate
def _demo():
    def one_attention(may_attend):
        """A causal or not so causal model of one layer, as Keras makes it from a mask (True may attend)."""
        # ko: """계층이 하나뿐인 모델. 마스크에 따라 인과적일 수도, 아닐 수도 있습니다(True이면 볼 수 있습니다)."""
        keras.utils.set_random_seed(4)
        layer = keras.layers.MultiHeadAttention(4, 3)
        return lambda inputs: layer(inputs[1], inputs[1], attention_mask=may_attend[None])

    future = np.tri(6) == 0
    draws = np.random.default_rng(2).normal(size=(3, 1, 6, 12)).astype("float32")
    versions = {
        "1 hides, turned round for Keras: right": ~future,
        # ko: "1이 가리는 마스크를 케라스에 맞게 바꿈: 올바름": ~future,
        "handed over as it is: the lecture's": future,
        # ko: "바꾸지 않고 그대로 넘김: 강의의 마스크": future,
        "one step too far": np.tri(6, k=1) == 1,
        # ko: "한 칸 더 봄": np.tri(6, k=1) == 1,
    }
    figure, axes = plt.subplots(1, 3, figsize=(13, 3.6), layout="constrained")
    for ax, (title, may_attend) in zip(axes, versions.items(), strict=True):
        moved = influence(one_attention(may_attend), draws[0], draws[1], "target", draws[2])
        image = show_influence(moved, ax, title)
    figure.colorbar(image, ax=axes, label="log10 of how far it moves")
    # ko: figure.colorbar(image, ax=axes, label="움직인 거리의 log10")
    plt.show()

# %% [markdown]
# > **What is right.** It doesn't hold. The lecture's model with its look-ahead mask upside down has 10588 parameters too, once the
# > feed-forward is connected. Measured on a copy task, with the model widened to 64 features (12 are too few to hold
# > a copy): with the right previous values given, its mean squared error is 0.00008, *perfect*; when it has to go on
# > from its own outputs it is 1.04, no better than nothing. Each position but the last reads the answer in the future; the last can only find it in the memory. And 3
# > heads of 4 instead of 4 heads of 3 have the same count. (In rows 0 to 3 of the middle picture the diagonal moves although it is
# > hidden, because the *query* changes with its own token. Row 4 sees a single position, whatever its query is. And all is hidden from the last row, so there Keras averages everything.)
# >
# > The third mask lets each position but the last see the next token, and just that token is the answer there. So its loss gets low too, and it
# > can't write by itself either: when it writes, the next token isn't there yet. Only with the right mask can a model do both, as far as
# > the task can be learnt.
#
# <!-- ko -->
# > **맞는 설명.** 그렇지 않습니다. 강의의 모델은 룩어헤드 마스크가 뒤집힌 채라도 피드포워드 신경망만 이어 주면 파라미터가 똑같이 10588개입니다.
# > 특징을 64개로 넓힌 모델로 베끼기 과제의 오차를 재 보았습니다(12개로는 베낄 내용을 담지 못합니다). 앞의 올바른 값을 주면 평균 제곱 오차가
# > 0.00008로 *완벽합니다.* 그러나 자기 출력을 입력으로 받아 이어 나가면 1.04로, 아무것도 배우지 않은 것과 다름없습니다. 마지막을 뺀 모든 위치가 미래에
# > 있는 답을 읽은 것입니다. 마지막 위치는 답을 메모리에서만 찾을 수 있습니다. 너비 3인 헤드 4개 대신 너비 4인 헤드 3개를 써도 개수는 같습니다. (가운데 그림의 0번부터 3번까지의 행에서는 가려진 대각선도
# > 움직입니다. 자기 토큰이 바뀌면 *쿼리*(query)가 바뀌기 때문입니다. 4번 행은 볼 수 있는 위치가 하나뿐이라 쿼리가 바뀌어도 그대로입니다. 그리고 마지막 행에서는 모두 가려져 있어 케라스가 모든 것을 평균합니다.)
# >
# > 셋째 마스크를 쓰면 마지막을 뺀 모든 위치에서 바로 다음 토큰이 보이는데, 그 토큰이 곧 그 자리의 답입니다. 그래서 이 모델도 손실은 낮아지지만 스스로 써 나가지는
# > 못합니다. 쓸 때에는 다음 토큰이 아직 없기 때문입니다. 배울 수 있는 과제라면, 둘 다 할 수 있는 것은 올바른 마스크를 쓴 모델뿐입니다.

# %% [markdown]
# ## Task 3: the Transformer (7 points)
#
# *Difficulty 5 of 5, about 120 minutes.*
#
# ```
#   source_ids (batch, source_len)                  target_ids (batch, target_len)
#        |                                                |
#   TokenEmbedding                                   TokenEmbedding
#        |                                                |
#   num_layers x EncoderBlock                        num_layers x DecoderBlock
#     hides: padding of the source                     self-attention hides: the future, padding of the target
#        |                                             attention over memory hides: padding of the source
#   LayerNormalization (pre-norm only)                    |
#        |                                           LayerNormalization (pre-norm only)
#        +---- memory ---- to every decoder block ----+   |
#                                                    Dense(vocab_size)
#                                                         |
#                                                    logits (batch, target_len, vocab_size)
# ```
#
# - **Padding** is id 0, wherever it stands, and is hidden in *every* attention over it: in the encoder, in the
#   decoder's self-attention, and, with the **source's** mask, in the attention over memory.
# - **Pre-norm** (`norm_first=True`): the blocks normalise what goes *into* each sublayer, so what comes out of a
#   stack is an unnormalised sum. Each stack therefore ends in a normalisation of its own (ε as in the blocks). **Post-norm**, the paper's,
#   normalises after each residual; its stacks need nothing more.
# - **Logits**, no softmax at the end: the loss of notebook 07 does that.
# - **One vocabulary** for both languages, yet three matrices of that size: embedding of the source, embedding of the
#   target, kernel of the output. With `tie_weights=True` (section 3.4 of the paper) the three are **one and the
#   same**: $\text{logits} = x \, E^\top$ with the table $E$ `(vocab_size, d_model)` of the embeddings. The same *variable*, not a
#   copy: what one use learns the others know, and `model.weights` holds it once.
# - **The output's bias.** Untied, the output is `Dense(vocab_size)` with its bias; tied, there is no kernel of its own and no bias.
#   A model that treats this bias otherwise is right too, here and in task 4.
# - Source and target may have any length up to `max_len`, and need not be equally long.
#
# Here both lengths are open: mind the trap of task 2.
#
# > **Another trap.** A weight that is used by bare arithmetic, such as the embedding's table in `ops.matmul(x, ops.transpose(table))`, is lost if no layer of the model holds
# > it: it is neither trained nor counted. If another layer holds it, a functional model goes on with the value that it had when the model was built, because `ops.transpose`
# > has made a plain tensor of it. A subclass of `keras.Model` computes this in `call`, from the variable of a layer that it holds, and avoids this trap too.
#
# <details><summary>Hint 1: What changes from task 2?</summary>
#
# `TokenEmbedding` in place of the bare positions, masks made of the ids, a normalisation after each stack (pre-norm only), and an
# output of `vocab_size` numbers at each position. The class of task 2 is a good start.
#
# </details>
#
# <details><summary>Hint 2: Three places, two masks</summary>
#
# The padding mask of the *source* serves twice: in the encoder, and in the attention over memory, whose keys are the source's. The
# decoder's self-attention gets the decoder mask of the target ids.
#
# </details>
#
# <details><summary>Hint 3: How is one matrix used three times?</summary>
#
# One `TokenEmbedding` embeds both languages. Its Keras layer keeps the table as the attribute `embeddings`, `(vocab_size, d_model)`;
# the logits are a product with the transposed table. In a subclass it belongs to the model already.
#
# </details>
#
# <!-- ko -->
# ## 과제 3: 트랜스포머 (7점)
#
# *난이도 5/5, 120분쯤.*
#
# ```
#   source_ids (batch, source_len)                  target_ids (batch, target_len)
#        |                                                |
#   TokenEmbedding                                   TokenEmbedding
#        |                                                |
#   num_layers x EncoderBlock                        num_layers x DecoderBlock
#     가리는 것: 소스의 패딩                           셀프 어텐션이 가리는 것: 미래, 타깃의 패딩
#        |                                             교차 어텐션이 가리는 것: 소스의 패딩
#   LayerNormalization (사전 정규화일 때만)               |
#        |                                           LayerNormalization (사전 정규화일 때만)
#        +---- memory ---- 모든 DecoderBlock으로 -----+   |
#                                                    Dense(vocab_size)
#                                                         |
#                                                    logits (batch, target_len, vocab_size)
# ```
#
# - **패딩**은 ID 0이며, 어디에 있든 그것을 볼 수 있는 *모든* 어텐션에서 가립니다. 인코더에서도, 디코더의 셀프 어텐션(self-attention)에서도
#   가리고, 메모리를 보는 교차 어텐션(cross-attention)에서는 **소스의** 마스크로 가립니다.
# - **사전 정규화**(`norm_first=True`)에서는 블록이 각 하위 계층에 *들어가는* 것을 정규화하므로, 블록을 쌓은 스택(stack)에서 나오는 것은
#   정규화되지 않은 합입니다. 그래서 스택마다 끝에 정규화가 하나씩 더 있습니다(ε은 블록에서와 같음). **사후 정규화**(post-norm)는 논문의 방식으로, 잔차
#   연결(residual connection)마다 그 뒤에서 정규화합니다. 이때 스택에 더 필요한 것은 없습니다.
# - **로짓**을 내놓습니다. 끝에 소프트맥스가 없습니다. 그 일은 7번 노트북의 손실이 합니다.
# - 두 언어의 **어휘는 하나**지만 그 크기의 행렬은 셋입니다. 소스의 임베딩, 타깃의 임베딩, 출력의 커널(kernel)입니다. `tie_weights=True`이면
#   셋이 **똑같은 하나**입니다. 이것을 가중치 공유(weight tying)라고 합니다(논문 3.4절). 모양이 `(vocab_size, d_model)`인 임베딩의 표가 $E$일
#   때 $\text{logits} = x \, E^\top$입니다. 복사본이 아니라 같은 *변수*입니다. 한 곳에서 배운 것을 다른 곳에서도 알게 되고, `model.weights`에는
#   한 번만 들어갑니다.
# - **출력의 편향**(bias). 공유하지 않으면 출력은 편향이 있는 `Dense(vocab_size)`이고, 공유하면 출력에 자기 커널도 편향도 없습니다. 이 편향을
#   달리 둔 모델도 여기서나 과제 4에서나 맞는 것으로 칩니다.
# - 시퀀스의 길이는 `max_len` 이하라면 얼마여도 되고, 소스와 타깃이 달라도 됩니다.
#
# 여기서는 두 길이가 모두 정해져 있지 않습니다. 과제 2의 함정을 조심하세요.
#
# > **또 다른 함정.** `ops.matmul(x, ops.transpose(table))`의 임베딩 표처럼 계층 밖의 연산에 쓴 가중치는, 모델의 어느 계층도 그것을 가지고 있지 않으면 케라스가 찾지 못합니다.
# > 그래서 학습도 되지 않고 파라미터 수에도 들지 않습니다. 다른 계층이 가지고 있더라도, `ops.transpose`가 그것을 보통의 텐서로 바꾸므로 함수형 모델은 모델을 만들 때의 값을
# > 그대로 씁니다. `keras.Model`의 서브클래스에서는 자기 계층이 가진 변수로 `call` 안에서 계산하므로 이 함정도 피할 수 있습니다.
#
# <details><summary>힌트 1: 과제 2에서 무엇이 달라질까요?</summary>
#
# 위치만 더하던 자리에 `TokenEmbedding`이 오고, ID로 마스크를 만들며, (사전 정규화일 때만) 블록을 다 쌓은 뒤에 정규화가 있고, 출력은
# 위치마다 수가 `vocab_size`개입니다. 과제 2의 클래스에서 시작하세요.
#
# </details>
#
# <details><summary>힌트 2: 세 자리, 두 마스크</summary>
#
# *소스*의 패딩 마스크를 두 번 씁니다. 인코더에서, 그리고 키가 소스에서 오는 메모리 어텐션에서 씁니다. 디코더의 셀프 어텐션에는 타깃
# ID로 만든 디코더 마스크를 줍니다.
#
# </details>
#
# <details><summary>힌트 3: 행렬 하나를 세 번 쓰려면?</summary>
#
# `TokenEmbedding` 하나로 두 언어를 임베딩합니다. 그 안의 케라스 계층은 표 `(vocab_size, d_model)`을 `embeddings` 속성에 두고, 로짓은
# 이 표를 전치해 곱한 것입니다. 서브클래스에서는 표가 이미 모델에 속해 있습니다.
#
# </details>


# %% task="token-model" builds_on="carry-over token-embedding continuous-model"
def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    """
    Build the Transformer over tokens (Vaswani et al. 2017, figure 1); id 0 is padding.
    # ko: 토큰을 다루는 트랜스포머를 만듭니다(Vaswani et al. 2017, 그림 1). ID 0은 패딩입니다.

    Args:
    # ko: 인수:
        vocab_size: number of token ids, the same for source and target.
        # ko: vocab_size: 토큰 ID의 수. 소스와 타깃이 같습니다.
        max_len: longest source and target.
        # ko: max_len: 가장 긴 소스와 타깃의 길이.
        num_layers: number of encoder blocks, and of decoder blocks.
        # ko: num_layers: 인코더 블록의 수이자 디코더 블록의 수.
        d_model: width of the model; even, and num_heads divides it.
        # ko: d_model: 모델의 너비. 짝수이고 num_heads로 나누어떨어집니다.
        num_heads: heads of each attention.
        # ko: num_heads: 어텐션 하나의 헤드 수.
        ff_dim: width inside the feed-forward.
        # ko: ff_dim: 피드포워드 신경망 안쪽의 너비.
        dropout: rate on the embeddings and in every block.
        # ko: dropout: 임베딩과 모든 블록의 드롭아웃 비율.
        norm_first: pre-norm blocks, and a normalisation after each stack; otherwise post-norm blocks.
        # ko: norm_first: 참이면 사전 정규화 블록, 그리고 스택마다 뒤에 정규화. 거짓이면 사후 정규화 블록.
        tie_weights: one matrix is the embedding of the source, that of the target and the output projection.
        # ko: tie_weights: 참이면 한 행렬이 소스의 임베딩이자 타깃의 임베딩이자 출력 투영.

    Returns:
    # ko: 반환값:
        A keras.Model: [source_ids (batch, source_len), target_ids (batch, target_len)]
        # ko: keras.Model: [source_ids (batch, source_len), target_ids (batch, target_len)]
        -> logits (batch, target_len, vocab_size).
        # ko: -> 로짓 (batch, target_len, vocab_size).
    """
    ### BEGIN SOLUTION
    model = Transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights)
    example = np.ones((1, max_len), "int32")
    model([example, example])  # now it has its weights
    return model


class Transformer(keras.Model):
    """See `build_transformer`."""

    def __init__(
        self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, norm_first, tie_weights, **kwargs
    ):
        super().__init__(**kwargs)
        block = (d_model, num_heads, ff_dim, dropout, norm_first)
        self.embed_source = TokenEmbedding(vocab_size, d_model, max_len, dropout)
        self.encoder = [EncoderBlock(*block) for _ in range(num_layers)]
        self.embed_target = self.embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
        self.decoder = [DecoderBlock(*block) for _ in range(num_layers)]
        self.encoder_norm = keras.layers.LayerNormalization(epsilon=1e-6) if norm_first else None
        self.decoder_norm = keras.layers.LayerNormalization(epsilon=1e-6) if norm_first else None
        self.output_dense = None if tie_weights else keras.layers.Dense(vocab_size)

    def call(self, inputs):
        source_ids, target_ids = inputs
        source_mask, target_mask = create_padding_mask(source_ids), create_decoder_mask(target_ids)

        memory = self.embed_source(source_ids)
        for block in self.encoder:
            memory = block(memory, mask=source_mask)
        if self.encoder_norm is not None:
            memory = self.encoder_norm(memory)

        x = self.embed_target(target_ids)
        for block in self.decoder:
            x = block(x, memory, self_mask=target_mask, memory_mask=source_mask)
        if self.decoder_norm is not None:
            x = self.decoder_norm(x)

        if self.output_dense is not None:
            return self.output_dense(x)
        return ops.matmul(x, ops.transpose(ops.convert_to_tensor(self.embed_target.embedding.embeddings)))
        ### END SOLUTION


# %% grade="token-model" points=7
@checking("build_transformer")
def _check(check):
    keras.utils.set_random_seed(3)
    small = build_transformer(vocab_size=11, max_len=9, num_layers=2, d_model=8, num_heads=2, ff_dim=12)
    source_ids = np.array([[5, 7, 3, 9, 4, 0, 0], [8, 3, 0, 0, 0, 0, 0]], dtype="int32")
    target_ids = np.array([[1, 6, 4, 8, 10], [1, 5, 0, 0, 0]], dtype="int32")
    answer = first_answer(check, small, [source_ids, target_ids])
    check.true(
        not isinstance(answer, tuple | list),
        "the model gives one array",
        # ko: "모델이 배열 하나를 내놓는다",
        "the model gives several things; it should give the logits alone.",
        # ko: "모델이 여러 가지를 내놓습니다. 로짓만 내놓아야 합니다.",
    )
    check.shape(answer, (2, 5, 11), "(batch, target_len, vocab_size)")
    check_repeats(check, small, [source_ids, target_ids], answer)
    count = sum(int(np.prod(weight.shape)) for weight in small.trainable_weights)
    no_final_norm = (
        "That is as much as two normalisations too few: those after the two stacks, one in each encoder block or in each decoder block (or one serves twice), or the "
        # ko: "정규화 두 개만큼 모자랍니다. 두 스택 뒤의 정규화, 인코더 블록이나 디코더 블록마다 정규화 하나(또는 하나를 두 번 씀), 피드포워드 신경망마다 "
        "bias of Dense(d_model) in each feed-forward?"
        # ko: "Dense(d_model)의 편향 가운데 하나가 빠지지 않았나요?"
    )
    too_tied = "Untied, source and target have an embedding each, and the output is a layer with a kernel of its own: is one of them missing, or the condition turned round?"
    # ko: too_tied = "공유하지 않으면 소스와 타깃에 임베딩이 하나씩 있고, 출력은 자기 커널이 있는 계층입니다. 이 가운데 빠진 것이 있거나 조건이 거꾸로 되지 않았나요?"
    one_norm = "One normalisation serves both stacks, or one stack has none: each has its own."
    # ko: one_norm = "두 스택이 정규화 하나를 함께 쓰거나 한 스택에만 정규화가 있습니다. 스택마다 하나씩 있어야 합니다."
    wide_heads = "Each head is `d_model` wide (`key_dim`). It should be `d_model // num_heads`."
    # ko: wide_heads = "헤드 하나의 너비(`key_dim`)가 `d_model`입니다. `d_model // num_heads`여야 합니다."
    explained = {3011: no_final_norm, 3000: no_final_norm, 3027: one_norm, 3016: one_norm, 2955: too_tied, 2944: too_tied, 2856: too_tied}
    one_decoder_block = "There is only one decoder block, or the same one twice, or the second doesn't get what the first one gave."
    # ko: one_decoder_block = "디코더 블록이 하나뿐이거나, 같은 블록을 두 번 쓰거나, 둘째 블록이 첫째 블록의 출력을 받지 않습니다."
    one_encoder_block = "There is only one encoder block, or the same one twice, or the second doesn't get what the first one gave."
    # ko: one_encoder_block = "인코더 블록이 하나뿐이거나, 같은 블록을 두 번 쓰거나, 둘째 블록이 첫째 블록의 출력을 받지 않습니다."
    one_of_each = "There is only one block in each stack, or the same one twice, or the second doesn't get what the first one gave."
    # ko: one_of_each = "스택마다 블록이 하나뿐이거나, 같은 블록을 두 번 쓰거나, 둘째 블록이 첫째 블록의 출력을 받지 않습니다."
    explained |= {4723: wide_heads, 4712: wide_heads, 2207: one_decoder_block, 2196: one_decoder_block}
    explained |= {2511: one_encoder_block, 2500: one_encoder_block, 1675: one_of_each, 1664: one_of_each}
    two_norms = "That is as much as two normalisations too many: is there one after each block of a stack, or one of the memory in each decoder block?"
    # ko: two_norms = "정규화 두 개만큼 많습니다. 스택의 블록마다 뒤에 정규화가 있거나 디코더 블록마다 메모리를 정규화하지 않나요?"
    no_network = "In the decoder blocks the feed-forward isn't used."
    # ko: no_network = "디코더 블록에서 피드포워드 신경망이 쓰이지 않습니다."
    explained |= {3075: two_norms, 3064: two_norms, 2587: no_network, 2576: no_network}
    check.true(
        count in (3043, 3032),  # 3032 without a bias at the output
        # ko: count in (3043, 3032),  # 출력에 편향이 없으면 3032
        f"{count} parameters for these sizes",
        # ko: f"이 크기에서 파라미터 {count}개",
        f"the model has {count} parameters for vocabulary 11, 2 + 2 blocks, d_model 8, 2 heads, ff_dim 12; it should have 3043 (3032 without a bias at the output). "
        # ko: f"어휘 11, 블록 2 + 2개, d_model 8, 헤드 2개, ff_dim 12에서 파라미터가 {count}개입니다. 3043개(출력에 편향이 없으면 3032개)여야 합니다. "
        f"{explained.get(count, '')}",
    )
    check_heads(check, small, num_heads=2, key_dim=4)
    check.uses_every_weight(small, lambda: small([source_ids, target_ids]))
    encoded, memories, steps = from_encoder_to_decoder(small, [source_ids, target_ids])
    if encoded is not None:
        for pairs, words, stack in ((steps[0], source_ids != 0, "encoder"), (steps[1], target_ids != 0, "decoder")):
        # ko: for pairs, words, stack in ((steps[0], source_ids != 0, "인코더"), (steps[1], target_ids != 0, "디코더")):
            if pairs:
                check.true(
                    hands_on(pairs, words),
                    f"in the {stack} the second block gets what the first one gave",
                    # ko: f"{stack}에서 둘째 블록이 첫째 블록의 출력을 그대로 받는다",
                    f"in the {stack} a block gets something else than what the block before it gave: does the stack's normalisation stand inside the loop, "
                    # ko: f"{stack}에 앞 블록의 출력이 아닌 것을 받는 블록이 있습니다. 스택의 정규화가 반복문 안에 있거나, "
                    "or are positions added before each block?",
                    # ko: "블록마다 앞에서 위치를 더하지 않나요?",
                )
        memory = (encoded - encoded.mean(axis=-1, keepdims=True)) / encoded.std(axis=-1, keepdims=True)
        check.true(
            all_get(memories, memory, words=source_ids != 0),
            "each decoder block's memory is what the last encoder block gave, normalised",
            # ko: "디코더 블록마다 마지막 인코더 블록의 출력을 정규화한 것을 메모리로 받는다",
            "a decoder block's memory isn't the last encoder block's output, normalised: is it an earlier block's output, or does the stack's normalisation "
            # ko: "마지막 인코더 블록의 출력을 정규화한 값이 아니라 다른 것을 메모리로 받는 디코더 블록이 있습니다. 앞 블록의 출력을 받거나, 스택의 정규화가 블록 뒤가 "
            "stand in front of the blocks?",
            # ko: "아니라 앞에 있나요?",
        )
        same_token = np.full((1, 2), 3, dtype="int32")
        for pairs, stack in zip(from_encoder_to_decoder(small, [same_token, same_token])[2], ("encoder", "decoder"), strict=True):
        # ko: for pairs, stack in zip(from_encoder_to_decoder(small, [same_token, same_token])[2], ("인코더", "디코더"), strict=True):
            first = pairs[0][0] if pairs else None
            if np.shape(first) == (1, 2, 8) and not np.allclose(first[:, 0], first[:, 1]):  # that there are positions is asked below
            # ko: if np.shape(first) == (1, 2, 8) and not np.allclose(first[:, 0], first[:, 1]):  # 위치가 있는지는 아래에서 봅니다
                check.close(
                    first[0, 1] - first[0, 0],
                    [0.8415, -0.4597, 0.0998, -0.005, 0.01, 0.0, 0.001, 0.0],
                    f"the same token at positions 1 and 0: what the first block of the {stack} gets differs by rows 1 and 0 of the table",
                    # ko: f"같은 토큰이 위치 1과 0에 있을 때 {stack}의 첫 블록이 받는 것의 차이는 위치 표의 1번 행과 0번 행의 차이",
                    tolerance=1e-3,
                    otherwise="What does `TokenEmbedding` give, and is something done to it before the first block, such as a second root or the positions once more, "
                    # ko: otherwise="`TokenEmbedding`은 무엇을 내놓나요? 첫 블록에 주기 전에 제곱근을 다시 곱하거나 위치를 다시 더하지 않나요? "
                    "or is the stack's normalisation done here? It comes after the last block.",
                    # ko: "아니면 스택의 정규화를 여기서 하나요? 그것은 마지막 블록 뒤에 옵니다.",
                )
    check.true(
        norms_have_one_place(small, [source_ids, target_ids], sizes=((2, 7, 8), (2, 5, 8))),
        "none of Keras's normalisations stands in two places",
        # ko: "케라스의 정규화가 두 군데에 있는 일이 없다",
        "one and the same normalisation gets two different things: does a stack's normalisation stand inside the loop over its blocks, or does one of a block's also "
        # ko: "정규화 하나가 서로 다른 두 가지를 받습니다. 스택의 정규화가 블록을 도는 반복문 안에 있거나, 블록의 정규화 하나로 메모리까지 "
        "normalise the memory?",
        # ko: "정규화하지 않나요?",
    )
    for weight in small.trainable_weights:
        if sorted(weight.shape) == [8, 11]:
            weight.assign(1e5 * to_numpy(weight))
    firsts = [pairs[0] for pairs in from_encoder_to_decoder(small, [source_ids, target_ids])[2] if pairs]
    firsts = [(got, gave) for got, gave in firsts if got.shape == gave.shape and np.abs(got).max() > 100]
    if firsts:
        check.true(
            all(np.abs(gave - got).max() < 0.01 * np.abs(got).max() for got, gave in firsts),
            "pre-norm: what comes into a block goes on beside its sublayers",
            # ko: "사전 정규화: 블록에 들어온 것이 잔차 연결을 타고 그대로 전해진다",
            "with norm_first=True and embeddings 100 000 times as large a block doesn't hand on what comes in: is a residual connection (`x + …`) missing, does it add to the normalised x, or "
            # ko: "norm_first=True이고 임베딩이 10만 배일 때, 블록에 들어온 것이 그대로 전해지지 않습니다. 잔차 연결(`x + …`)이 빠졌거나 정규화한 x에 더했거나, "
            "is something normalised after it (post-norm)?",
            # ko: "잔차 연결 뒤에서 정규화하지 않나요(사후 정규화)?",
        )
    with_random_weights(small)
    check_relu(check, small, [source_ids, target_ids], ff_dim=12)
    logits = to_numpy(small([source_ids, target_ids]))
    other = to_numpy(small([np.where(np.arange(7) == 0, 2, source_ids).astype("int32"), target_ids]))
    check.true(
        np.abs(other - logits).max(axis=(1, 2)).min() > 1e-4,
        "the first token of the source counts",
        # ko: "소스의 첫 토큰에 따라 달라진다",
        "another first token of the source, and the logits are the same: nobody sees it. In Keras's `attention_mask` 1 means that something may be attended, in a padding mask "
        # ko: "소스의 첫 토큰을 바꾸어도 로짓이 그대로입니다. 아무도 보지 않습니다. 케라스의 `attention_mask`에서는 1이 보아도 된다는 뜻이고, 패딩 마스크에서는 1이 "
        "that it is hidden.",
        # ko: "가린다는 뜻입니다.",
    )
    exchanged = to_numpy(small([source_ids[:, [1, 0, 2, 3, 4, 5, 6]], target_ids]))
    check.true(
        np.abs(exchanged[0] - logits[0]).max() > 1e-4,
        "the order of the source counts",
        # ko: "소스의 순서에 따라 달라진다",
        "the first two source tokens have changed places, and the logits are the same: are there positions in the embeddings?",
        # ko: "소스의 처음 두 토큰의 자리를 바꾸어도 로짓이 그대로입니다. 임베딩에 위치가 있나요?",
    )
    check.gives_logits(logits, "untied")
    # ko: check.gives_logits(logits, "공유 안 함")
    ids_to_try = np.full((1, 5), 2, dtype="int32")
    seen = influence(small, source_ids[:1], target_ids[:1], "target", ids_to_try)
    check.true(
        seen[~np.tri(5, dtype=bool)].max() < 1e-4,
        "no output sees a later target token",
        # ko: "어느 출력도 뒤의 타깃 토큰을 보지 않는다",
        "an output moves when a later target token changes: the decoder isn't causal.",
        # ko: "뒤의 타깃 토큰이 바뀌면 출력이 움직입니다. 디코더가 인과적이지 않습니다.",
    )
    check.true(
        (np.diagonal(seen) > 1e-4).all(),
        "each output sees its own target token",
        # ko: "모든 출력이 자기 자리의 타깃 토큰을 본다",
        "an output doesn't move with the target token at its own position.",
        # ko: "자기 자리의 타깃 토큰이 바뀌어도 움직이지 않는 출력이 있습니다.",
    )
    longer_source = np.pad(source_ids, ((0, 0), (0, 2)))
    further = to_numpy(small([longer_source, target_ids]))
    where = "do the encoder *and* the attention over memory hide the source's padding?"
    # ko: where = "인코더와 교차 어텐션이 *모두* 소스의 패딩을 가리나요?"
    if encoded is not None and not np.allclose(further[0], logits[0], rtol=1e-4, atol=1e-4):
        first, second = (from_encoder_to_decoder(small, [ids, target_ids])[0][0, :5] for ids in (source_ids, longer_source))
        if np.allclose(first, second, rtol=1e-4, atol=1e-4):
            where = "the encoder's output stays the same, so look at the attention over memory: does it get the padding mask of the *source*?"
            # ko: where = "인코더의 출력은 그대로이므로 교차 어텐션을 보세요. *소스의* 패딩 마스크를 주나요?"
        else:
            where = "the encoder's output changes already: does each encoder block get the padding mask of the source? (And does the attention over memory get it?)"
            # ko: where = "인코더의 출력부터 달라집니다. 인코더 블록마다 소스의 패딩 마스크를 주나요? (교차 어텐션에도 주나요?)"
    check.close(
        further[0],
        logits[0],
        "more padding of the source changes nothing",
        # ko: "소스에 패딩을 더 붙여도 그대로다",
        otherwise=f"It does here: {where}",
        # ko: otherwise=f"여기서는 달라집니다. {where}",
    )
    check.close(further[1, :2], logits[1, :2], "also for the sequence with the most padding")
    # ko: check.close(further[1, :2], logits[1, :2], "패딩이 가장 많은 시퀀스도 그렇다")

    def hides_padding(source, target, what, otherwise):
        # Another vector for id 0 changes the logit of id 0 at most, and what comes out at padding.
        # ko: # ID 0의 벡터가 바뀌어도, 달라질 수 있는 것은 ID 0의 로짓과 패딩 자리의 출력뿐입니다.
        before = to_numpy(small([source, target]))
        vocabulary = [weight for weight in small.weights if sorted(weight.shape) == [8, 11]]
        kept = [to_numpy(weight) for weight in vocabulary]
        shift = np.where(np.arange(11)[:, None] == 0, np.linspace(-2, 2, 8), 0.0)
        for weight, values in zip(vocabulary, kept, strict=True):
            weight.assign((values + (shift if values.shape == (11, 8) else shift.T)).astype("float32"))
        after = to_numpy(small([source, target]))
        for weight, values in zip(vocabulary, kept, strict=True):
            weight.assign(values)
        check.true(np.allclose(after[target != 0][:, 1:], before[target != 0][:, 1:], rtol=1e-4, atol=1e-4), what, otherwise)

    full_source = np.array([[5, 7, 3, 9, 4, 2, 6], [8, 3, 2, 7, 10, 1, 5]], dtype="int32")
    full_target = np.array([[1, 6, 4, 8, 10], [1, 5, 3, 2, 7]], dtype="int32")
    hides_padding(
        np.array([[0, 0, 5, 7, 3, 9, 4], [0, 8, 3, 0, 2, 7, 10]], dtype="int32"),
        full_target,
        "padding in front of the source, or within it, is hidden",
        # ko: "소스의 앞이나 가운데에 있는 패딩도 가린다",
        "an output depends on the embedding of id 0 in the source: hide padding wherever it stands, not only at the end. (It depends on it as well if "
        # ko: "소스에 있는 ID 0의 임베딩에 따라 출력이 달라집니다. 끝에 있는 것만이 아니라 어디에 있든 패딩을 가리세요. (교차 어텐션에 룩어헤드 마스크를 "
        "attention over memory has a look-ahead mask, so that an output sees padding alone: there it has none.)",
        # ko: "써서 패딩밖에 보지 못하는 출력이 있어도 이렇게 됩니다. 교차 어텐션에는 룩어헤드 마스크를 쓰지 않습니다.)",
    )
    hides_padding(
        full_source,
        np.array([[1, 6, 0, 8, 10], [1, 0, 5, 0, 3]], dtype="int32"),
        "padding within the target is hidden",
        # ko: "타깃의 가운데에 있는 패딩도 가린다",
        "an output depends on the embedding of id 0 in the target: the decoder's self-attention hides the future *and* that padding.",
        # ko: "타깃에 있는 ID 0의 임베딩에 따라 출력이 달라집니다. 디코더의 셀프 어텐션에서는 미래와 *함께* 타깃의 패딩도 가립니다.",
    )
    tied = build_transformer(11, 9, 1, 8, 2, 12, tie_weights=True)
    fresh_logits = to_numpy(tied([source_ids, target_ids]))
    check.shape(fresh_logits, (2, 5, 11), "with tie_weights=True: (batch, target_len, vocab_size)")
    # ko: check.shape(fresh_logits, (2, 5, 11), "tie_weights=True일 때 (batch, target_len, vocab_size)")
    matrices = [tuple(w.shape) for w in tied.trainable_weights if sorted(w.shape) == [8, 11]]
    check.true(
        len(matrices) == 1,
        "tied: one matrix of the vocabulary's size",
        # ko: "공유: 어휘 크기의 행렬이 하나",
        f"with tie_weights=True there should be one matrix of the vocabulary's size, but there are {len(matrices)}: {matrices}.",
        # ko: f"tie_weights=True이면 어휘 크기의 행렬이 하나여야 하는데 {len(matrices)}개 있습니다: {matrices}.",
    )
    table = next(w for w in tied.trainable_weights if sorted(w.shape) == [8, 11])
    upright = to_numpy(table) if tuple(table.shape) == (11, 8) else to_numpy(table).T
    last = fresh_logits[target_ids != 0] @ np.linalg.pinv(upright.T)  # what meets the table: normalised, so of size 1 as long as the model is fresh
    # ko: last = fresh_logits[target_ids != 0] @ np.linalg.pinv(upright.T)  # 표와 곱해지는 것: 정규화를 거쳤으므로 갓 만든 모델에서는 크기가 1
    check.gives_logits(fresh_logits, "tied")
    # ko: check.gives_logits(fresh_logits, "공유")
    check.true(
        np.allclose(last.std(axis=-1), 1.0, atol=0.05),
        "tied: what comes out of the last normalisation is multiplied by the table, and by nothing else",
        # ko: "공유: 마지막 정규화에서 나온 것에 표만 곱한다",
        "with tie_weights=True the logits have another size than the output of the last normalisation times the table: is there a factor too "
        # ko: "tie_weights=True일 때 로짓의 크기가 마지막 정규화의 출력에 표를 곱한 것과 다릅니다. 필요 없는 수를 곱했거나 "
        "many, or no normalisation at the end?",
        # ko: "끝의 정규화가 없지 않나요?",
    )
    with_random_weights(tied)
    tied_count = sum(int(np.prod(weight.shape)) for weight in tied.trainable_weights)
    check.true(
        tied_count in (1488, 1499),  # 1499 with a bias at the output
        # ko: tied_count in (1488, 1499),  # 출력에 편향이 있으면 1499
        f"tied, 1 + 1 blocks: {tied_count} parameters",
        # ko: f"가중치를 공유하고 블록이 1 + 1개이면 파라미터 {tied_count}개",
        f"tied, with 1 + 1 blocks, the model has {tied_count} parameters; it should have 1488 (1499 with a bias at the output).",
        # ko: f"가중치를 공유하고 블록이 1 + 1개일 때 파라미터가 {tied_count}개입니다. 1488개(출력에 편향이 있으면 1499개)여야 합니다.",
    )
    rows = to_numpy(table) if tuple(table.shape) == (11, 8) else to_numpy(table).T
    said = []
    for factor in (0.0, 1.0, 2.0):
        scaled = np.where(np.arange(11)[:, None] == 2, factor * rows, rows)  # id 2 is neither in the source nor in the target
        # ko: scaled = np.where(np.arange(11)[:, None] == 2, factor * rows, rows)  # ID 2는 소스에도 타깃에도 없습니다
        table.assign(scaled if tuple(table.shape) == (11, 8) else scaled.T)
        said.append(to_numpy(tied([source_ids, target_ids]))[..., 2])
    check.true(
        np.allclose(said[2] - said[0], 2 * (said[1] - said[0]), atol=1e-3) and np.abs(said[1] - said[0]).max() > 1e-2,
        "tied: the logit of a token is x times its own embedding",
        # ko: "공유: 토큰의 로짓은 x와 그 토큰의 임베딩을 곱한 것이다",
        "with tie_weights=True the logit of a token should be x times the token's row of the table, so twice the row gives twice the logit. "
        # ko: "tie_weights=True이면 토큰의 로짓은 x와 표에서 그 토큰의 행을 곱한 것이어야 합니다. 그러면 행이 두 배일 때 로짓도 두 배입니다. "
        "(In a functional model bare arithmetic may keep the table's old value: see 'Another trap' in the text of this task.)",
        # ko: "(함수형 모델에서 계층 밖의 연산은 표의 옛 값을 그대로 쓰기도 합니다. 이 과제의 설명에 있는 '또 다른 함정'을 보세요.)",
    )
    post = build_transformer(11, 9, 2, 8, 2, 12, dropout=0.5, norm_first=False)
    post_logits = to_numpy(post([source_ids, target_ids]))
    check.shape(post_logits, (2, 5, 11), "with norm_first=False: (batch, target_len, vocab_size)")
    # ko: check.shape(post_logits, (2, 5, 11), "norm_first=False일 때 (batch, target_len, vocab_size)")
    post_count = sum(int(np.prod(weight.shape)) for weight in post.trainable_weights)
    check.true(
        post_count in (3011, 3000, 3043, 3032),  # 3000 and 3032 without a bias at the output, 3043 and 3032 with last norms
        # ko: post_count in (3011, 3000, 3043, 3032),  # 출력에 편향이 없으면 3000과 3032, 스택 끝에 정규화가 더 있으면 3043과 3032
        f"with norm_first=False {post_count} parameters",
        # ko: f"norm_first=False이면 파라미터 {post_count}개",
        f"with norm_first=False the model has {post_count} parameters; it should have 3011 (3000 without a bias at the output): one normalisation after each residual.",
        # ko: f"norm_first=False일 때 파라미터가 {post_count}개입니다. 3011개(출력에 편향이 없으면 3000개)여야 합니다. 정규화는 잔차 연결마다 그 뒤에 하나씩만 있습니다.",
    )
    if post_count in (3043, 3032):
        check.note("with norm_first=False the paper's stacks have no normalisation at the end.")
        # ko: check.note("norm_first=False일 때 논문의 스택에는 끝의 정규화가 따로 없습니다.")
    kernels = [to_numpy(weight) for weight in post.weights if tuple(weight.shape) == (8, 11)]
    if len(kernels) == 1:
        biases = [to_numpy(weight) for weight in post.weights if tuple(weight.shape) == (11,)]
        last = (post_logits - sum(biases))[target_ids != 0] @ np.linalg.pinv(kernels[0])  # what the decoder hands to the output layer
        # ko: last = (post_logits - sum(biases))[target_ids != 0] @ np.linalg.pinv(kernels[0])  # 디코더가 출력층에 넘기는 값
        check.true(
            np.allclose(last.std(axis=-1), 1.0, atol=0.05),
            "with norm_first=False something normalised is multiplied by the output's kernel, and by nothing else",
            # ko: "norm_first=False이면 정규화한 값에 출력의 커널만 곱한다",
            "with norm_first=False the logits have another size than something normalised times the output's kernel: does `norm_first` reach the blocks, "
            # ko: "norm_first=False일 때 로짓의 크기가 정규화한 값에 출력의 커널을 곱한 것과 다릅니다. `norm_first`가 블록에 전달되나요? "
            "or are the logits multiplied by a number too many?",
            # ko: "아니면 로짓에 필요 없는 수를 곱했나요?",
        )
    encoded, memories, _ = from_encoder_to_decoder(post, [source_ids, target_ids])
    if encoded is not None:
        check.true(
            np.allclose(encoded[source_ids != 0].std(axis=-1), 1.0, atol=0.05),
            "with norm_first=False the encoder's blocks end with a normalisation too",
            # ko: "norm_first=False이면 인코더의 블록도 정규화로 끝난다",
            "with norm_first=False what leaves the last encoder block isn't normalised: does `norm_first` reach the encoder's blocks?",
            # ko: "norm_first=False인데 마지막 인코더 블록에서 나온 값이 정규화되어 있지 않습니다. `norm_first`가 인코더 블록에 전달되나요?",
        )
        check.true(
            all_get(memories, encoded, words=source_ids != 0),
            "with norm_first=False each decoder block's memory is what the last encoder block gave",
            # ko: "norm_first=False이면 디코더 블록마다 마지막 인코더 블록의 출력을 메모리로 받는다",
            "with norm_first=False a decoder block's memory isn't what the last encoder block gave: is it an earlier block's output?",
            # ko: "norm_first=False인데 마지막 인코더 블록의 출력이 아니라 다른 것을 메모리로 받는 디코더 블록이 있습니다. 앞 블록의 출력을 받나요?",
        )
    post_tied = build_transformer(11, 9, 1, 8, 2, 12, dropout=0.0, norm_first=False, tie_weights=True)
    post_tied([source_ids, target_ids])  # now it has its weights
    # ko: post_tied([source_ids, target_ids])  # 이제 가중치가 생겼습니다
    with_random_weights(post_tied)
    in_order, exchanged = (to_numpy(post_tied([source_ids, target_ids[:, order]]))[0, 4] for order in ([0, 1, 2, 3, 4], [0, 2, 1, 3, 4]))
    check.true(
        not np.allclose(in_order, exchanged, rtol=1e-4, atol=1e-4),
        "the order of the target counts",
        # ko: "타깃의 순서에 따라 달라진다",
        "the second and the third target token have changed places, and the logits at the last one are the same: are there positions in the target's embeddings?",
        # ko: "타깃의 둘째 토큰과 셋째 토큰의 자리를 바꾸어도 마지막 토큰의 로짓이 그대로입니다. 타깃의 임베딩에 위치가 있나요?",
    )
    matrices = [tuple(weight.shape) for weight in post_tied.trainable_weights if sorted(weight.shape) == [8, 11]]
    check.true(
        len(matrices) == 1,
        "tied with norm_first=False too",
        # ko: "norm_first=False여도 공유한다",
        f"with tie_weights=True and norm_first=False there should be one matrix of the vocabulary's size, but there are {len(matrices)}.",
        # ko: f"tie_weights=True이고 norm_first=False일 때도 어휘 크기의 행렬이 하나여야 하는데 {len(matrices)}개 있습니다.",
    )
    check.true(
        not np.allclose(to_numpy(post([source_ids, target_ids], training=True)), post_logits),
        "something is dropped in training",
        # ko: "학습할 때는 드롭아웃이 작동한다",
        "training=True changes nothing: do `dropout` and `training` reach the embeddings and the blocks?",
        # ko: "training=True여도 달라지는 것이 없습니다. `dropout`과 `training`이 임베딩과 블록에 전달되나요?",
    )

    def make_alike(model):
        # Tokens 4 and 6 at position 1 become the same vectors as tokens 3 and 5 at position 0.
        # ko: # 위치 1의 토큰 4와 6을 위치 0의 토큰 3과 5와 같은 벡터로 만듭니다.
        for weight in model.trainable_weights:
            if sorted(weight.shape) == [8, 11]:
                values = np.array(to_numpy(weight))
                rows = values if len(values) == 11 else values.T
                rows[[4, 6]] = rows[[3, 5]] - np.array([0.84147, -0.4597, 0.09983, -0.005, 0.01, -0.00005, 0.001, 0.0]) / 8**0.5
                weight.assign(values)

    make_alike(post)
    once, twice = (to_numpy(post([ids, ids]))[0, -1] for ids in (np.array([[3]], dtype="int32"), np.array([[3, 4]], dtype="int32")))
    check.true(
        np.allclose(once, twice, atol=0.005),
        "with norm_first=False embeddings and positions are added in the ratio √d_model to 1",
        # ko: "norm_first=False이면 임베딩과 위치를 √d_model 대 1의 비로 더한다",
        "with norm_first=False tokens and positions don't add up: before the first block of each stack is the embedding, and nothing else, multiplied by √d_model, and "
        # ko: "norm_first=False일 때 토큰과 위치의 합이 맞지 않습니다. 두 스택의 첫 블록 앞에서 임베딩에만 √d_model을 곱하고 "
        "is each position's row added once?",
        # ko: "위치의 행을 한 번만 더하나요?",
    )
    make_alike(small)
    in_order, exchanged = (to_numpy(small([np.array([ids], dtype="int32"), target_ids[:1]])) for ids in ([3, 6], [5, 4]))
    check.true(
        np.allclose(in_order, exchanged, rtol=0.005, atol=0.005),
        "in the encoder the order counts by nothing but positions",
        # ko: "인코더에서 순서는 위치를 통해서만 드러난다",
        "in the encoder the order counts by something else than the positions in the embeddings: its mask hides padding alone, not the future, and before its first block "
        # ko: "인코더에서 임베딩에 든 위치가 아닌 다른 것을 통해 순서가 드러납니다. 인코더의 마스크는 미래가 아니라 패딩만 가리며, 첫 블록 앞에서는 "
        "only the embedding is multiplied by √d_model and each position's row added once.",
        # ko: "임베딩에만 √d_model을 곱하고 위치의 행을 한 번만 더합니다.",
    )
    for weight in post.trainable_weights:  # without matrices the blocks hand on the embeddings alone
    # ko: for weight in post.trainable_weights:  # 행렬이 없으면 블록은 임베딩만 넘깁니다
        if len(weight.shape) > 1 and sorted(weight.shape) != [8, 11] and not np.isin(to_numpy(weight), (0, 1)).all():
            weight.assign(np.zeros(weight.shape))
    check.true(
        not np.allclose(to_numpy(post([source_ids, target_ids], training=True)), to_numpy(post([source_ids, target_ids]))),
        "the embeddings are dropped in training",
        # ko: "학습할 때 임베딩에도 드롭아웃이 작동한다",
        "in training only the blocks drop something, not the embeddings: do `dropout` and `training` reach `TokenEmbedding`?",
        # ko: "학습할 때 블록에서만 드롭아웃이 일어나고 임베딩에서는 일어나지 않습니다. `dropout`과 `training`이 `TokenEmbedding`에 전달되나요?",
    )
    with_random_weights(post)
    for weight in post.trainable_weights:  # at position 0 each embedded token becomes a vector of zeros, of which nothing can be dropped
    # ko: for weight in post.trainable_weights:  # 위치 0에서는 어느 토큰의 벡터든 0이 되어, 여기에는 드롭아웃이 일어나도 표가 나지 않습니다
        if tuple(weight.shape) == (11, 8):
            weight.assign(np.tile([0.0, -1.0], (11, 4)) / 8**0.5)
    one_token = np.ones((4, 1), dtype="int32")
    check.true(
        not np.allclose(to_numpy(post([one_token, one_token], training=True)), to_numpy(post([one_token, one_token])), atol=1e-4),
        "in the blocks something is dropped in training",
        # ko: "학습할 때 블록에서 드롭아웃이 일어난다",
        "in training only the embeddings drop something, not the blocks: does `dropout` reach `EncoderBlock` and `DecoderBlock`?",
        # ko: "학습할 때 임베딩에서만 드롭아웃이 일어나고 블록에서는 일어나지 않습니다. `dropout`이 `EncoderBlock`과 `DecoderBlock`에 전달되나요?",
    )
    check.drops_nothing(lambda **options: post_tied([source_ids, target_ids], **options))
    check.compiles(
        lambda source, target: (small([source, target]), tied([source, target])), source_ids, target_ids, required=False
    )
_check

# %% [markdown]
# The same question to the finished model: who sees whom? Two of the seven source tokens and the third target token
# are padding, so their columns are crosses, and no output sees the future. (What comes out at padding doesn't matter: that row is
# left white.)
#
# <!-- ko -->
# 완성한 모델에도 같은 것을 물어봅시다. 누가 누구를 볼까요? 소스의 토큰 일곱 개 가운데 두 개와 타깃의 셋째 토큰이 패딩이므로 그 열은
# ×입니다. 그리고 어느 출력도 미래를 보지 못합니다. (패딩 자리의 출력은 아무래도 좋으므로 그 행은 희게 두었습니다.)

# %%
@demonstrate
def _demo():
    padded_source = np.array([[5, 7, 3, 9, 4, 0, 0]], dtype="int32")
    padded_target = np.array([[1, 6, 0, 8, 10, 2]], dtype="int32")
    pictured = with_random_weights(build_transformer(11, 9, 2, 8, 2, 12), padded_source, padded_target)

    def influence_of_embedding(model, source, target, changed):
        """
        Say how far each output moves when the input vector of one position changes; padding included.
        # ko: 한 위치의 입력 벡터가 바뀔 때 각 출력이 얼마나 움직이는지 알려 줍니다. 패딩도 포함합니다.

        A padded position can't be changed by another id, which would be no padding. So id 0 gets another row of the table; its own logit is left out.
        # ko: 패딩 자리는 다른 ID로 바꿀 수 없습니다. 그러면 패딩이 아니기 때문입니다. 그래서 표에서 ID 0의 행을 바꾸고, ID 0의 로짓은 빼고 봅니다.
        """
        other = np.array(
            [[3 if token != 3 else 5 for token in (source if changed == "source" else target)[0]]], dtype="int32"
        )
        moved = influence(model, source, target, changed, other)
        tables = [weight for weight in model.weights if tuple(weight.shape) == (11, 8)]
        before = to_numpy(model([source, target]))[0]
        kept = [to_numpy(table) for table in tables]
        for table, values in zip(tables, kept, strict=True):
            table.assign(np.concatenate([values[:1] + np.linspace(-1, 1, 8), values[1:]]))
        after = to_numpy(model([source, target]))[0]
        for table, values in zip(tables, kept, strict=True):
            table.assign(values)
        sequence = (source if changed == "source" else target)[0]
        own_row = np.arange(len(target[0]))[:, None] == np.arange(len(sequence)) if changed == "target" else False
        by_padding = np.where(own_row | np.zeros(moved.shape, bool), np.nan, np.abs(after - before)[:, 1:].max(axis=-1)[:, None])
        padded_rows = target[0] == 0
        by_padding[padded_rows] = np.nan
        moved[:, sequence == 0] = by_padding[:, sequence == 0]
        moved[padded_rows] = np.nan
        return moved

    figure, axes = plt.subplots(1, 2, figsize=(11, 3.8), width_ratios=(7, 6), layout="constrained")
    for ax, changed, ids in ((axes[0], "source", padded_source[0]), (axes[1], "target", padded_target[0])):
        moved = influence_of_embedding(pictured, padded_source, padded_target, changed)
        labels = ["pad" if token == 0 else str(token) for token in ids]
        named = {"source": "source", "target": "target"}[changed]
        # ko: named = {"source": "소스", "target": "타깃"}[changed]
        image = show_influence(moved, ax, f"{named} to logits", f"changed {named} token (its id)", "output at this target token", labels=labels)
        # ko: image = show_influence(moved, ax, f"{named}에서 로짓으로 (to logits)", f"바꾼 {named} 토큰의 ID", "이 타깃 토큰 자리의 출력", labels=labels)
        ax.set_yticks(range(6), ["pad" if token == 0 else str(token) for token in padded_target[0]])
    figure.colorbar(image, ax=axes, label="log10 of how far it moves")
    # ko: figure.colorbar(image, ax=axes, label="움직인 거리의 log10")
    plt.show()

# %% [markdown]
# > **Does this hold?** *"Without its padding mask the model would not learn."* Guess, and say why, before you unfold the answer.
# >
# > <details><summary>What is right</summary>
# >
# > It would. Measured on the task of notebook 07 (d_model 64, 2 + 2 blocks, share of held-out numbers wholly right
# > when the model writes by itself):
# >
# > | mistake | exact | exact, sources padded further |
# > |---|---|---|
# > | none | 1.000 | 1.000 |
# > | no padding mask | 1.000 | **0.867** |
# > | no feed-forward in the decoder | **0.999** | |
# > | look-ahead mask missing or inverted | **0.000**, though 1.000 with the right words given | |
# >
# > A model without the mask learns to live with the padding that it was trained with. Then someone puts the same
# > sentence into another batch, with longer neighbours, and the translation changes. So test it: more padding, same
# > output.
# >
# > </details>
#
# <!-- ko -->
# > **정말 그럴까?** *"패딩 마스크(padding mask)가 없으면 모델은 배우지 못한다."* 답을 펼치기 전에 여러분의 답과 그 까닭을 적어 보세요.
# >
# > <details><summary>맞는 설명</summary>
# >
# > 배웁니다. 7번 노트북의 과제로 잰 결과입니다(d_model 64, 블록 2 + 2개, 모델이 자기가 낸 단어에 이어 쓸 때 학습에 쓰지 않은 수를 통째로 맞힌 비율,
# > 곧 완전 일치(exact match)).
# >
# > | 잘못 | 완전 일치 | 완전 일치, 소스에 패딩을 더 붙였을 때 |
# > |---|---|---|
# > | 없음 | 1.000 | 1.000 |
# > | 패딩 마스크가 없다 | 1.000 | **0.867** |
# > | 디코더에 피드포워드 신경망이 없다 | **0.999** | |
# > | 룩어헤드 마스크가 없거나 뒤집혔다 | **0.000**, 올바른 앞 단어를 주면 1.000 | |
# >
# > 마스크가 없는 모델은 학습할 때 본 패딩과 더불어 사는 법을 배웁니다. 그러다가 같은 문장이 더 긴 문장들이 있는 배치에 들어가면 번역이
# > 달라집니다. 그러니 시험해 보세요. 패딩이 늘어도 출력은 같아야 합니다.
# >
# > </details>

# %% [markdown]
# ### Before training
#
# What does a fresh model say? In the pictures below its embeddings are as large as the authors draw them, with a standard deviation of
# $d_\text{model}^{-1/2}$. An untied model says nothing that has to do with its input: its logits are random numbers of
# about unit size, and the loss is above $\ln(\text{vocab\_size})$ by about half the variance of the logits. (The stripes in the left
# picture: attention that hasn't learnt anything spreads its weight over all tokens and adds much the same to each position.)
# A tied one has an opinion already, a wrong one: the token that goes in is still part of what comes out of the residual connections,
# and by $x E^\top$ it is most similar to itself. So it repeats its input, the diagonal on the right. With Keras's smaller embeddings
# (between -0.05 and 0.05) and `d_model` 64 the diagonal comes only when the embeddings grow; at 512 it is there at once, because the last normalisation makes the rows as long as $\sqrt{512}$.
#
# By about how much the first loss is above $\ln(\text{vocab\_size})$, with 2 + 2 blocks and 49 tokens:
#
# | model | `d_model` 64 | `d_model` 512 |
# |---|---|---|
# | untied | 0.5 | 0.8 |
# | tied, Keras's embeddings | 0 | 1.2 (less with more blocks or a larger vocabulary) |
# | tied, the authors' embeddings | 1 | 7 |
#
# The number $\ln(\text{vocab\_size})$ is worth remembering: a first loss clearly below it says that something is wrong, and so does one that is two or more above it, unless the model is tied.
#
# <!-- ko -->
# ### 학습하기 전
#
# 갓 만든 모델은 무엇을 예측할까요? 아래 그림에서는 임베딩의 크기를 논문의 저자들처럼 표준편차 $d_\text{model}^{-1/2}$로 두었습니다. 가중치를 공유하지 않는 모델의 예측은
# 입력과 아무 관계가 없습니다. 로짓은 크기가 1쯤인 난수이고, 손실은 $\ln(\text{vocab\_size})$보다 로짓 분산의 절반 정도 더 큽니다. (왼쪽 그림의 줄무늬는, 아직
# 배우지 않은 어텐션이 가중치를 모든 토큰에 고르게 나누어 위치마다 거의 같은 것을 더하기 때문에 생깁니다.) 공유하는 모델은 학습하기도 전에 이미 한쪽으로 기울어 있습니다. 다만
# 그 예측은 틀렸습니다. 입력 토큰의 임베딩이 잔차 연결을 타고 출력에까지 남아 있어, $x E^\top$에서는 자기 자신과 가장 비슷합니다. 그래서 입력을 되풀이합니다. 오른쪽 그림의
# 대각선입니다. 케라스의 더 작은 임베딩(-0.05와 0.05 사이)에서 시작하면, `d_model`이 64일 때는 대각선이 임베딩이 커지면서 나타나고, 512일 때는 처음부터 보입니다. 마지막 정규화를 거친 행의
# 길이가 $\sqrt{512}$나 되기 때문입니다.
#
# 블록이 2 + 2개이고 어휘의 토큰이 49개일 때, 처음 나온 손실은 $\ln(\text{vocab\_size})$보다 대략 이만큼 더 큽니다.
#
# | 모델 | `d_model` 64 | `d_model` 512 |
# |---|---|---|
# | 공유하지 않음 | 0.5 | 0.8 |
# | 공유, 케라스의 임베딩 | 0 | 1.2 (블록이 많거나 어휘가 크면 작아집니다) |
# | 공유, 저자들의 임베딩 | 1 | 7 |
#
# $\ln(\text{vocab\_size})$는 기억해 둘 만한 수입니다. 처음 나온 손실이 이 수보다 뚜렷이 작으면 무언가 잘못된 것입니다. 2 이상 클 때도, 가중치를 공유하는 모델이 아니라면 마찬가지입니다.

# %%
@demonstrate
def _demo():
    keras.utils.set_random_seed(6)
    vocabulary = 24
    every_id = np.arange(1, vocabulary, dtype="int32")[None]
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for ax, tie in zip(axes, (False, True), strict=True):
        fresh = build_transformer(vocabulary, 32, 2, 64, 4, 128, tie_weights=tie)
        fresh([every_id, every_id])  # now it has its weights
        # ko: fresh([every_id, every_id])  # 이제 가중치가 생겼습니다
        rng = np.random.default_rng(0)
        for weight in fresh.weights:
            if tuple(weight.shape) == (vocabulary, 64):  # embeddings as the authors draw them
            # ko: if tuple(weight.shape) == (vocabulary, 64):  # 논문의 저자들이 뽑은 것과 같은 크기의 임베딩
                weight.assign(rng.normal(size=weight.shape) / 8)
        log_probabilities = to_numpy(ops.log_softmax(fresh([every_id, every_id])))[0]
        image = ax.imshow(log_probabilities, cmap="viridis", vmin=-6, vmax=0)
        loss = -log_probabilities[np.arange(22), every_id[0, 1:]].mean()
        ax.set(title=f"{'tied' if tie else 'untied'}: loss {loss:.2f} (ln {vocabulary} = {np.log(vocabulary):.2f})")
        # ko: ax.set(title=f"{'공유 (tied)' if tie else '공유 안 함 (untied)'}: 손실 {loss:.2f} (ln {vocabulary} = {np.log(vocabulary):.2f})")
        ax.set(xlabel="id of the next token", ylabel="id of the token that goes in")
        # ko: ax.set(xlabel="다음 토큰의 ID (next token)", ylabel="들어간 토큰의 ID (token that goes in)")
        ax.set_xticks(every_id[0, ::5])
        ax.set_yticks(range(0, vocabulary - 1, 5), every_id[0, ::5])
    figure.colorbar(image, ax=axes, label="log probability")
    # ko: figure.colorbar(image, ax=axes, label="로그 확률 (log probability)")
    plt.show()

# %% [markdown]
# ## Task 4: where the parameters are (4 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# Count the **pre-norm** model of task 3 (`norm_first=True`) by arithmetic, with every bias and normalisation. It has
# to equal `model.count_params()`, if yours holds no positions as weights. What there is to count:
#
# | part | how many | each has |
# |---|---|---|
# | attention | one in an encoder block, two in a decoder block | four kernels `(d_model, d_model)` and four biases |
# | feed-forward | one in each block | Dense(`ff_dim`) and Dense(`d_model`), with biases |
# | normalisation | two in an encoder block, three in a decoder block, one after each stack | $\gamma$ and $\beta$ |
# | embedding | untied: one for the source, one for the target | the table; positions have no parameters |
# | output | untied: Dense(`vocab_size`), with its bias | |
# | tied | instead of both embeddings and the output | **one** table, and no output bias |
#
# Count the output's bias as your own model has it.
# `max_len` and dropout have no parameters.
#
# <details><summary>Hint 1: Which part grows with num_layers?</summary>
#
# The blocks: count one encoder block and one decoder block as in notebook 05, and multiply their sum. The two normalisations after
# the stacks are there once each.
#
# </details>
#
# <details><summary>Hint 2: And with vocab_size?</summary>
#
# Untied, three matrices of `vocab_size * d_model` numbers and the output's bias; tied, one of these matrices. Compare with
# `count_params()` of a small model for both.
#
# </details>
#
# <!-- ko -->
# ## 과제 4: 파라미터는 어디에 있는가 (4점)
#
# *난이도 2/5, 20분쯤.*
#
# 과제 3의 **사전 정규화** 모델(`norm_first=True`)에 파라미터가 몇 개인지 산수로 세세요. 편향과 정규화도 빠짐없이 셉니다.
# 여러분의 모델이 위치의 표를 가중치로 두지 않았다면 `model.count_params()`와 같아야 합니다. 셀 것은 다음과 같습니다.
#
# | 부분 | 몇 개 | 하나에 든 것 |
# |---|---|---|
# | 어텐션 | 인코더 블록에 하나, 디코더 블록에 둘 | `(d_model, d_model)` 커널 넷과 편향 넷 |
# | 피드포워드 신경망 | 블록마다 하나 | Dense(`ff_dim`)와 Dense(`d_model`), 편향도 있다 |
# | 정규화 | 인코더 블록에 둘, 디코더 블록에 셋, 스택 뒤마다 하나 | $\gamma$와 $\beta$ |
# | 임베딩 | 공유하지 않을 때 소스에 하나, 타깃에 하나 | 표. 위치에는 파라미터가 없다 |
# | 출력 | 공유하지 않을 때 Dense(`vocab_size`), 편향도 있다 | |
# | 공유할 때 | 두 임베딩과 출력 대신 | 표 **하나**, 출력의 편향은 없다 |
#
# 출력의 편향은 여러분의 모델에 있는 대로 세세요. `max_len`과 드롭아웃에는 파라미터가 없습니다.
#
# <details><summary>힌트 1: num_layers에 따라 늘어나는 부분은?</summary>
#
# 블록입니다. 5번 노트북에서처럼 인코더 블록 하나와 디코더 블록 하나를 세어 더하고 곱하세요. 블록 뒤의 두 정규화는 한 번씩만 있습니다.
#
# </details>
#
# <details><summary>힌트 2: vocab_size에 따라서는?</summary>
#
# 공유하지 않으면 원소가 `vocab_size * d_model`개인 행렬 셋과 출력의 편향, 공유하면 그런 행렬 하나입니다. 작은 모델의 `count_params()`와
# 두 경우를 모두 비교해 보세요.
#
# </details>


# %% task="model-parameters" builds_on="carry-over token-embedding token-model"
def transformer_parameter_count(vocab_size, num_layers, d_model, num_heads, ff_dim, tie_weights=False):
    """
    Count the parameters of `build_transformer(...)` with pre-norm blocks: its `count_params()`.
    # ko: 사전 정규화 블록을 쓴 `build_transformer(...)`의 파라미터를 셉니다. 곧 그 모델의 `count_params()`입니다.

    Args:
    # ko: 인수:
        vocab_size: number of token ids, the same for source and target.
        # ko: vocab_size: 토큰 ID의 수. 소스와 타깃이 같습니다.
        num_layers: number of encoder blocks, and of decoder blocks.
        # ko: num_layers: 인코더 블록의 수이자 디코더 블록의 수.
        d_model, num_heads, ff_dim: sizes of the blocks.
        # ko: d_model, num_heads, ff_dim: 블록의 크기.
        tie_weights: one matrix for both embeddings and the output.
        # ko: tie_weights: 참이면 두 임베딩과 출력에 행렬 하나.

    Returns:
    # ko: 반환값:
        An int.
        # ko: 정수 하나.
    """
    ### BEGIN SOLUTION
    attention = 4 * (d_model * d_model + d_model)
    feed_forward = (d_model * ff_dim + ff_dim) + (ff_dim * d_model + d_model)
    norm = 2 * d_model
    encoder_block = attention + feed_forward + 2 * norm
    decoder_block = 2 * attention + feed_forward + 3 * norm
    table = vocab_size * d_model
    vocabulary = table if tie_weights else 3 * table + vocab_size
    return num_layers * (encoder_block + decoder_block) + 2 * norm + vocabulary
    ### END SOLUTION


# %% grade="model-parameters" points=4
@checking("transformer_parameter_count")
def _check(check):

    def whole(when="", **options):
        counted = transformer_parameter_count(11, 2, 8, 2, 12, **options)
        check.true(counted is not None, f"{when}it returns a number", f"{when}it returned None. Is the `return` missing?")
        # ko: check.true(counted is not None, f"{when}수를 돌려준다", f"{when}None을 돌려주었습니다. `return`이 빠지지 않았나요?")
        check.true(
            np.ndim(counted) == 0 and not isinstance(counted, str) and counted == int(counted),
            f"{when}it is a whole number",
            # ko: f"{when}정숫값이다",
            f"{when}the count isn't a whole number: {counted!r}. "
            # ko: f"{when}결과가 정수가 아닙니다: {counted!r}. "
            + ("It is a tuple. Does the `return` line hold a comma?" if isinstance(counted, tuple) else "Count with `//` and without `str`."),
            # ko: + ("튜플입니다. `return` 줄에 쉼표가 있지 않나요?" if isinstance(counted, tuple) else "`//`로 나누고 `str`은 쓰지 마세요."),
        )
        return counted

    untied = whole()
    tied_already = "That is the count of a tied model: is the condition turned round? Untied, there are three matrices of the vocabulary's size."
    # ko: tied_already = "공유하는 모델의 수입니다. 조건이 거꾸로 되지 않았나요? 공유하지 않으면 어휘 크기의 행렬이 셋입니다."
    no_final_norms = (
        "That is as much as two normalisations too few: those after the two stacks, one in each encoder block or in each decoder block, or the "
        # ko: "정규화 두 개만큼 모자랍니다. 두 스택 뒤의 정규화, 인코더 블록이나 디코더 블록마다 정규화 하나, 피드포워드 신경망마다 "
        "bias of Dense(d_model) in each feed-forward?"
        # ko: "Dense(d_model)의 편향 가운데 하나가 빠지지 않았나요?"
    )
    sixteen = "That is 16 off: as much as one normalisation (each of the two stacks ends with one), or in each feed-forward a bias counted with the width of the other."
    # ko: sixteen = "16개 차이가 납니다. 정규화 하나만큼입니다(두 스택이 모두 정규화로 끝납니다). 또는 피드포워드 신경망마다 한 편향을 다른 편향의 너비로 센 것만큼입니다."
    few_blocks = "That is as much as a block too few, or one in each stack: are both kinds of blocks multiplied by num_layers?"
    # ko: few_blocks = "블록 하나만큼, 또는 스택마다 하나만큼 모자랍니다. 두 종류의 블록에 모두 num_layers를 곱했나요?"
    explained = {
        3011: no_final_norms,
        3000: no_final_norms,
        2955: "One of the three matrices of the vocabulary's size is missing: two embeddings and the output's kernel.",
        # ko: 2955: "어휘 크기의 행렬 셋 가운데 하나가 빠졌습니다. 두 임베딩과 출력의 커널, 모두 셋입니다.",
        2944: "There is no output layer, or only one of the two embeddings and no output bias.",
        # ko: 2944: "출력층이 빠졌거나, 두 임베딩 가운데 하나와 출력의 편향이 빠졌습니다.",
        3043 + 6 * 288: "The heads share d_model between them: their number multiplies nothing.",
        # ko: 3043 + 6 * 288: "헤드들이 d_model을 나누어 씁니다. 헤드의 수는 어디에도 곱하지 않습니다.",
        2467: "A decoder block has two attentions: over the target, and over the memory.",
        # ko: 2467: "디코더 블록에는 어텐션이 두 개 있습니다. 하나는 타깃을, 하나는 메모리를 봅니다.",
        2947: "96 are missing: does each normalisation have γ *and* β, 2 · d_model?",
        # ko: 2947: "96개가 모자랍니다. 정규화마다 γ와 β를 *모두*, 2 · d_model개로 셌나요?",
        3027: sixteen,
        3059: sixteen,
        2856: tied_already,
        2867: tied_already,
        2611: "That is as much as a kernel and a bias too few in each attention: it has four, for queries, keys, values and the output.",
        # ko: 2611: "어텐션마다 커널 하나와 편향 하나만큼 모자랍니다. 쿼리, 키, 값, 출력에 하나씩, 모두 넷입니다.",
        2899: "That is as much as three biases too few in each attention: each of its four kernels has one.",
        # ko: 2899: "어텐션마다 편향 셋만큼 모자랍니다. 네 커널에 편향이 하나씩 있습니다.",
        2511: few_blocks,
        2207: few_blocks,
        1675: few_blocks,
        3043 - 4 * 12: "That is as much as the bias of Dense(ff_dim) missing in each feed-forward, or one bias in each attention.",
        # ko: 3043 - 4 * 12: "피드포워드 신경망마다 Dense(ff_dim)의 편향이, 또는 어텐션마다 편향 하나가 빠진 것만큼 모자랍니다.",
        3043 - 6 * 32: "The biases of attention are missing (or all normalisations).",
        # ko: 3043 - 6 * 32: "어텐션의 편향(또는 정규화 전부)이 빠졌습니다.",
        3043 - 4 * 20: "The biases of the feed-forward networks are missing.",
        # ko: 3043 - 4 * 20: "피드포워드 신경망의 편향이 빠졌습니다.",
        3043 - 6 * 32 - 4 * 20: "The biases of attention and of the feed-forward networks are missing.",
        # ko: 3043 - 6 * 32 - 4 * 20: "어텐션과 피드포워드 신경망의 편향이 빠졌습니다.",
        3043 - 6 * 32 - 4 * 20 - 11: "The biases are missing.",
        # ko: 3043 - 6 * 32 - 4 * 20 - 11: "편향이 빠졌습니다.",
        3043 + 2 * 16: "That is as much as two normalisations too many. Those after the stacks are there once, not once for each layer.",
        # ko: 3043 + 2 * 16: "정규화 두 개만큼 많습니다. 스택 뒤의 정규화는 계층마다가 아니라 한 번씩만 있습니다.",
    }
    check.true(
        int(untied) in (3043, 3032),
        "vocabulary 11, 2 + 2 blocks, d_model 8, 2 heads, ff_dim 12: 3043 (or 3032 without an output bias)",
        # ko: "어휘 11, 블록 2 + 2개, d_model 8, 헤드 2개, ff_dim 12: 3043 (출력의 편향이 없으면 3032)",
        f"for vocabulary 11, 2 + 2 blocks, d_model 8, 2 heads and ff_dim 12 the count is {untied}, not 3043 (or 3032, if "
        # ko: f"어휘 11, 블록 2 + 2개, d_model 8, 헤드 2개, ff_dim 12일 때의 결과: {untied}. 3043이어야 합니다(공유하지 않는 "
        f"your untied output has no bias). {explained.get(int(untied), '')}",
        # ko: f"여러분의 모델에서 출력의 편향이 없다면 3032). {explained.get(int(untied), '')}",
    )
    tied = whole("with tie_weights=True ", tie_weights=True)
    # ko: tied = whole("tie_weights=True일 때 ", tie_weights=True)
    two_matrices = "That is two matrices of the vocabulary's size; tied, there is one for both embeddings and the output."
    # ko: two_matrices = "어휘 크기의 행렬을 둘 셌습니다. 공유하면 두 임베딩과 출력에 하나뿐입니다."
    untied_again = "That is the count of the untied model: is `tie_weights` used?"
    # ko: untied_again = "공유하지 않는 모델의 수입니다. `tie_weights`를 쓰나요?"
    explained = {2944: two_matrices, 2955: two_matrices, 3043: untied_again, 3032: untied_again}
    check.true(
        int(tied) in (2856, 2867),
        "tied: 2856 (or 2867 with an output bias)",
        # ko: "공유: 2856 (출력의 편향이 있으면 2867)",
        f"tied, the count is {tied}; it should be 2856, or 2867 if your tied output has a bias. {explained.get(int(tied), '')}",
        # ko: f"공유할 때의 결과: {tied}. 2856이어야 합니다(공유하는 여러분의 모델에서 출력의 편향이 있다면 2867). {explained.get(int(tied), '')}",
    )
    for tie, with_bias, without in ((False, 9577, 9564), (True, 9265, 9252)):
        counted = transformer_parameter_count(13, 3, 12, 4, 20, tie_weights=tie)
        words = "tied" if tie else "untied"
        # ko: words = "공유" if tie else "공유 안 함"
        check.true(
            counted is not None and int(counted) in (with_bias, without),
            f"vocabulary 13, 3 + 3 blocks, d_model 12, 4 heads, ff_dim 20, {words}: {counted}",
            # ko: f"어휘 13, 블록 3 + 3개, d_model 12, 헤드 4개, ff_dim 20, {words}: {counted}",
            f"for vocabulary 13, 3 + 3 blocks, d_model 12, 4 heads and ff_dim 20 ({words}) the count is {counted}, not {with_bias} (or "
            # ko: f"어휘 13, 블록 3 + 3개, d_model 12, 헤드 4개, ff_dim 20({words})일 때의 결과: {counted}. 출력의 편향이 있으면 {with_bias}, "
            f"{without} without an output bias). Does the first example come out right by chance, or is a number fixed?",
            # ko: f"없으면 {without}입니다. 첫 예에서만 우연히 맞았거나 고정된 수가 들어 있지 않나요?",
        )
    for tie, choices in ((False, (1675, 1664)), (True, (1488, 1499))):
        counted = transformer_parameter_count(11, 1, 8, 2, 12, tie_weights=tie)
        try:
            model = build_transformer(11, 9, 1, 8, 2, 12, tie_weights=tie)
            model([np.ones((1, 2), dtype="int32")] * 2)  # now it has its weights
            # ko: model([np.ones((1, 2), dtype="int32")] * 2)  # 이제 가중치가 생겼습니다
            own = model.count_params()
        except Exception:
            own = None  # task 3 isn't done yet
            # ko: own = None  # 과제 3이 아직 끝나지 않았습니다
        words = "tied" if tie else "untied"
        # ko: words = "공유" if tie else "공유 안 함"
        if own is None:
            check.notes.append(f"The model of task 3 ({words}) can't be built yet, so your count wasn't compared with it.")
            # ko: check.notes.append(f"과제 3의 모델({words})을 아직 만들 수 없어 그 모델과는 비교하지 못했습니다.")
            continue
        if own != counted and own not in choices:
            check.notes.append(f"Your own model ({words}) has {own} parameters, not {choices[0]} or {choices[1]}, so your count wasn't compared with it.")
            # ko: check.notes.append(f"여러분의 모델({words})의 파라미터가 {choices[0]}개나 {choices[1]}개가 아니라 {own}개여서 그 모델과는 비교하지 않았습니다.")
            continue
        check.true(
            own == counted,
            f"{words}: as many as `count_params()` of your model says",
            # ko: f"{words}: 여러분의 모델의 `count_params()`와 같다",
            f"{words}, with one block in each stack: you count {counted}, but your own model has {own}: count its output's bias as it is.",
            # ko: f"{words}, 블록이 하나씩일 때: {counted}개로 셌지만 여러분의 모델에는 {own}개가 있습니다. 출력의 편향을 여러분의 모델에 있는 대로 세세요.",
        )
_check

# %% [markdown]
# The share of each part for four models: that of notebook 07, a small and a medium one, and the paper's "base" (tied; the
# paper says 65 million and "about 37 000" tokens, which makes 63 million here). The vocabulary of notebook 07 is tiny. In the others
# about half of an untied model is vocabulary, and tying saves about a third of all parameters. Attention and feed-forward grow with the square of the width, the
# vocabulary with the width.
#
# <!-- ko -->
# 네 모델에서 부분마다 차지하는 몫입니다. 7번 노트북의 모델, 작은 모델과 중간 모델, 논문의 "base" 모델입니다(가중치를 공유합니다. 논문에는
# 6500만 개, 어휘는 "약 37,000"이라고 적혀 있는데, 여기서 세면 6300만 개입니다). 7번 노트북의 어휘는 아주 작습니다. 나머지 세 모델에서는
# 공유하지 않으면 약 절반이 어휘이고, 공유하면 전체 파라미터의 약 3분의 1을 아낍니다. 어텐션과 피드포워드 신경망은 너비의 제곱에 비례해 커지고, 어휘는 너비에 비례해 커집니다.

# %%
@demonstrate
def _demo():
    sizes = {
        "notebook 07": (49, 2, 64, 4, 128),
        # ko: "7번 노트북": (49, 2, 64, 4, 128),
        "small": (2000, 2, 128, 4, 512),
        # ko: "작은 모델 (small)": (2000, 2, 128, 4, 512),
        "medium": (10000, 4, 256, 8, 1024),
        # ko: "중간 모델 (medium)": (10000, 4, 256, 8, 1024),
        "paper, base": (37000, 6, 512, 8, 2048),
        # ko: "논문의 base": (37000, 6, 512, 8, 2048),
    }
    figure, axes = plt.subplots(1, 2, figsize=(12, 3.4), sharey=True, layout="constrained")
    for ax, tie in zip(axes, (False, True), strict=True):
        for row, (vocabulary, depth, width, heads, inner) in enumerate(sizes.values()):
            total = transformer_parameter_count(vocabulary, depth, width, heads, inner, tie_weights=tie)
            shares = {
                "attention": 3 * depth * 4 * (width * width + width),
                # ko: "어텐션 (attention)": 3 * depth * 4 * (width * width + width),
                "feed-forward": 2 * depth * (2 * width * inner + width + inner),
                # ko: "피드포워드 (feed-forward)": 2 * depth * (2 * width * inner + width + inner),
                "normalisation": (5 * depth + 2) * 2 * width,
                # ko: "정규화 (normalisation)": (5 * depth + 2) * 2 * width,
            }
            shares["vocabulary"] = total - sum(shares.values())
            # ko: shares["어휘 (vocabulary)"] = total - sum(shares.values())
            start = 0.0
            for colour, (part, number) in zip(plt.get_cmap("Set2").colors, shares.items(), strict=False):
                ax.barh(row, number / total, left=start, color=colour, label=part if row == 0 else None)
                if number / total > 0.06:
                    ax.text(start + number / total / 2, row, f"{number / total:.0%}", ha="center", va="center", fontsize=8)
                start += number / total
            ax.text(1.01, row, f"{total:,}", va="center", fontsize=9)
        ax.set(title="tied" if tie else "untied", xlabel="share of the parameters", xlim=(0, 1.35), yticks=range(4))
        # ko: ax.set(title="공유 (tied)" if tie else "공유 안 함 (untied)", xlabel="파라미터의 몫 (share)", xlim=(0, 1.35), yticks=range(4))
        ax.set_yticklabels(sizes)
        ax.invert_yaxis() if not tie else None
    figure.legend(*axes[0].get_legend_handles_labels(), ncols=4, loc="outside lower center", frameon=False)
    plt.show()

# %% [markdown]
# > **Does this hold?** *"More heads, more parameters."* Guess the factor from 1 head to 8.
#
# <!-- ko -->
# > **정말 그럴까?** *"헤드가 늘면 파라미터도 는다."* 헤드가 1개에서 8개로 늘면 몇 배가 될지 짐작해 보세요.

# %%
@demonstrate
def _demo():
    for heads in (1, 2, 4, 8):
        print(f"{heads} head{'s' if heads > 1 else ''}: {transformer_parameter_count(40, 2, 64, heads, 128):,} parameters")
        # ko: print(f"헤드 {heads}개: 파라미터 {transformer_parameter_count(40, 2, 64, heads, 128):,}개")

# %% [markdown]
# > **What is right.** Nothing changes: `num_heads` is an argument of the count, and the count doesn't depend on it, because the heads share the same
# > width between them.
#
# ## ★ Does it know the order? (optional, no points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# Without positions a model sees its source as a bag of tokens. No count shows that, because positions have no parameters. So write a check, as for leaks in notebook 04: it gets a
# model as a black box, calls it as often as it likes, and says whether the model minds the order of its *source*: True if the logits move whenever two different
# neighbours change places, wherever they stand. The folded cell below asks your check about your own model, about the same one reading backwards, and about versions of it that lose the order, wholly or in part.
#
# <details><summary>Hint 1: Which sources?</summary>
#
# Tokens that are all different, none of them padding; two that are equal may change places unseen. Every pair of neighbours gets its turn.
#
# </details>
#
# <details><summary>Hint 2: What is compared?</summary>
#
# All logits for the two sources, with the same target ids. If they move by nothing but rounding for one pair, the order is lost there.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** 파라미터 수는 그대로입니다. `num_heads`는 파라미터를 세는 함수의 인수이지만 결과는 그 값과 상관없습니다. 헤드들이 같은 너비를 나누어 쓰기 때문입니다.
#
# ## ★ 순서를 아는가? (선택, 점수 없음)
#
# *난이도 3/5, 40분쯤.*
#
# 위치가 없는 모델에게 소스는 순서 없는 토큰 주머니(bag of tokens)입니다. 위치에는 파라미터가 없으므로 개수를 세어서는 알 수 없습니다. 그러니 4번 노트북의 누수 검사 같은 검사를 만들어 보세요. 검사는
# 모델을 블랙박스로 받아 몇 번이든 호출해 보고, 모델이 *소스의* 순서에 따라 달라지는지 말합니다. 서로 다른 두 이웃이 어디에 있든 자리를 바꿀 때마다 로짓이 움직이면 True입니다. 접힌 셀은
# 여러분의 모델, 소스를 거꾸로 읽는 여러분의 모델, 순서를 모두 또는 일부 잃어버린 모델들에 대해 여러분의 검사에 묻습니다.
#
# <details><summary>힌트 1: 어떤 소스를 쓸까요?</summary>
#
# 모두 다르고 패딩이 아닌 토큰들입니다. 같은 토큰 둘은 자리를 바꾸어도 표가 나지 않습니다. 모든 이웃 쌍을 한 번씩 바꾸어 보세요.
#
# </details>
#
# <details><summary>힌트 2: 무엇을 비교할까요?</summary>
#
# 타깃 ID는 그대로 두고 두 소스의 로짓을 모두 비교합니다. 한 쌍이라도 반올림만큼만 움직인다면 그곳에서 순서를 잃은 것입니다.
#
# </details>


# %%
def _knows_order(model, vocab_size, source_len):
    """Say whether the logits of `model([source_ids, target_ids])` move with every exchange of two neighbours in the source."""
    # ko: """소스의 두 이웃이 자리를 바꿀 때마다 `model([source_ids, target_ids])`의 로짓이 움직이는지 알려 줍니다."""
    raise NotImplementedError()

# %% folded=true
@demonstrate
def _demo():
    keras.utils.set_random_seed(12)
    plain = with_random_weights(build_transformer(11, 9, 2, 8, 2, 12), *[np.ones((1, 2), dtype="int32")] * 2)

    def reading(change):
        """Your model, with its source ids changed first."""
        # ko: """소스 ID를 먼저 바꾸어 읽는 여러분의 모델."""
        return lambda inputs: plain([change(np.array(inputs[0])).astype("int32"), inputs[1]])

    def in_pairs(ids, first=0):
        end = first + (ids.shape[1] - first) // 2 * 2
        pairs = np.sort(ids[:, first:end].reshape(len(ids), -1, 2), axis=-1).reshape(len(ids), -1)
        return np.concatenate([ids[:, :first], pairs, ids[:, end:]], axis=1)

    versions = {
        "your model": (plain, True),
        # ko: "여러분의 모델": (plain, True),
        "your model, reading backwards": (reading(lambda ids: ids[:, ::-1]), True),
        # ko: "거꾸로 읽는 여러분의 모델": (reading(lambda ids: ids[:, ::-1]), True),
        "a model to which the source comes sorted": (reading(lambda ids: np.sort(ids, axis=1)), False),
        # ko: "소스를 정렬해서 받는 모델": (reading(lambda ids: np.sort(ids, axis=1)), False),
        "one to which all but the first token come sorted": (reading(lambda ids: np.concatenate([ids[:, :1], np.sort(ids[:, 1:], axis=1)], axis=1)), False),
        # ko: "첫 토큰만 빼고 정렬해서 받는 모델": (reading(lambda ids: np.concatenate([ids[:, :1], np.sort(ids[:, 1:], axis=1)], axis=1)), False),
        "one that sorts the tokens two by two": (reading(in_pairs), False),
        # ko: "토큰을 둘씩 정렬하는 모델": (reading(in_pairs), False),
        "one that does so from the second token on": (reading(lambda ids: in_pairs(ids, 1)), False),
        # ko: "둘째 토큰부터 둘씩 정렬하는 모델": (reading(lambda ids: in_pairs(ids, 1)), False),
    }
    for words, (version, knows) in versions.items():
        says = _knows_order(version, 11, 8)
        if says is None:
            raise CheckFailed("_knows_order returned None. Is the `return` missing?")
            # ko: raise CheckFailed("_knows_order가 None을 돌려주었습니다. `return`이 빠지지 않았나요?")
        print("✓" if bool(says) == knows else "✗", f"{words}: your check says it {'minds the order' if says else 'has lost the order'}")
        # ko: print("✓" if bool(says) == knows else "✗", f"{words}: 여러분의 검사에 따르면 이 모델은 순서를 {'압니다' if says else '잃었습니다'}")

# %% [markdown]
# ## What you have now
#
# - A token becomes $\sqrt{d_\text{model}}\,E[\text{id}] + PE[p]$; only then come the blocks.
# - Three masks, two sources: the encoder and the attention over memory hide the *source's* padding, the decoder's
#   self-attention the *target's* padding and the future.
# - The pre-norm stacks of task 3 end in a normalisation. The model ends in logits.
# - Tied means the same variable.
# - A count finds what is missing and, only in a functional model, what isn't used. It doesn't find what is upside down: `influence` does.
#
# **Next**: training. This model, a dataset of Korean numbers and a few minutes.
#
# **References.** Vaswani et al. 2017, *Attention Is All You Need*: figure 1, sections 3.1 (blocks), 3.2.3 (masks),
# 3.4 (tying and the root). Press and Wolf 2017, *Using the Output Embedding to Improve Language Models* (tying).
# Xiong et al. 2020, *On Layer Normalization in the Transformer Architecture* (pre-norm, and why its stacks end in a
# normalisation).
#
# <!-- ko -->
# ## 지금까지 만든 것
#
# - 토큰은 $\sqrt{d_\text{model}}\,E[\text{id}] + PE[p]$가 됩니다. 블록은 그다음입니다.
# - 마스크가 쓰이는 곳은 셋, 나오는 곳은 둘입니다. 인코더와 교차 어텐션은 *소스의* 패딩을 가리고, 디코더의 셀프 어텐션은 *타깃의* 패딩과
#   미래를 가립니다.
# - 과제 3의 사전 정규화 스택은 정규화로 끝납니다. 모델은 로짓으로 끝납니다.
# - 공유한다는 것은 같은 변수라는 뜻입니다.
# - 개수를 세면 빠진 것은 찾지만 뒤집힌 것은 찾지 못하고, 쓰이지 않은 것은 함수형 모델에서만 드러납니다. 뒤집힌 것은 `influence`가 찾습니다.
#
# **다음**은 학습입니다. 필요한 것은 이 모델과 한국어 수 데이터셋, 그리고 몇 분뿐입니다.
#
# **참고 문헌.** Vaswani et al. 2017, *Attention Is All You Need*: 그림 1, 3.1절(블록), 3.2.3절(마스크), 3.4절(가중치 공유와 제곱근).
# Press and Wolf 2017, *Using the Output Embedding to Improve Language Models*(가중치 공유).
# Xiong et al. 2020, *On Layer Normalization in the Transformer Architecture*(사전 정규화, 그리고 그 스택이 정규화로 끝나는 까닭).
