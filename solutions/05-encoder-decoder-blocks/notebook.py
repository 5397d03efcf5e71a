# %% [markdown] notebook="blocks"
# # Encoder and decoder blocks
#
# Attention moves information between positions. A Transformer needs three more things to become a network that can be
# stacked: something that computes *at* each position (a feed-forward network), something that keeps numbers in a range in
# which learning works (layer normalisation), and a way around every sublayer (each attention and each feed-forward network), so
# that depth doesn't hurt (residual connections). Put together they make a **block**. A Transformer is a pile of them.
#
# ![You are here: what stands between the attentions in each block: sums, normalisations, feed-forward networks.](../_shared/diagrams/model-05.svg)
#
# (Drawn as in the paper, with each normalisation behind a sum: post-norm. Unless told otherwise, your blocks normalise before each sublayer: pre-norm. Task 3
# shows both.)
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `layer_norm`: mean 0, variance 1 for each token | 3 |
# | 2 | `FeedForward`: two dense layers at each position | 3 |
# | 3 | `EncoderBlock`: self-attention and feed-forward | 5 |
# | 4 | `DecoderBlock`: the same with attention over the encoder's output | 6 |
# | 5 | `block_parameter_count`: what is in them, counted by hand | 3 |
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each one (but for the optional one under "What you bring along") holds public checks. The points come
# from other inputs after you hand in; each task's points are given in parts. A mistake in one task does not cost you the points of a later one. How you
# name your sublayers and in which order you create them is your own business. NumPy, `keras.ops` and `tf.*` all count the
# same. Inside a layer or a model, though, use `keras.ops` (or `tf.*`): when `fit` compiles, tensors have no values that
# NumPy could read. So write with `ops` what you will reuse in later notebooks.
#
# | name | meaning |
# |---|---|
# | `batch` | sequences in a batch |
# | `seq_len` | tokens of the sequence that a block works on (`target_len` in a decoder) |
# | `memory_len` | tokens of the encoder's output, which the decoder attends to |
# | `d_model` | features of a token, the same before and after every block |
# | `num_heads`, `head_dim` | heads, and features of one head: `d_model // num_heads` |
# | `ff_dim` | hidden units of the feed-forward network, its inner width |
#
# **Masks** are as before: 1 hides, 0 keeps.
#
# <!-- ko -->
# # 인코더 블록과 디코더 블록
#
# 어텐션(attention)은 한 위치의 정보를 다른 위치로 옮깁니다. 트랜스포머(Transformer)가 쌓아 올릴 수 있는 신경망이 되려면 세
# 가지가 더 필요합니다. 위치마다 *따로* 계산하는 것(피드포워드 신경망, feed-forward network), 값을 학습이 잘되는
# 범위 안에 유지하는 것(계층 정규화, layer normalisation), 그리고 깊어져도 탈이 없도록 하위 계층(sublayer, 곧 어텐션과 피드포워드 신경망)마다 내는
# 지름길(잔차 연결, residual connection)입니다. 이들을 모으면 **블록**(block)이 되고, 블록을 쌓으면 트랜스포머가
# 됩니다.
#
# ![지금 여기: 블록마다 어텐션 사이에 있는 덧셈, 정규화, 피드포워드 신경망.](../_shared/diagrams/model-05.svg)
#
# (그림은 논문처럼 덧셈 뒤에서 정규화하는 사후 정규화(post-norm)입니다. 여러분의 블록은 따로 정하지 않으면 하위 계층 앞에서 정규화합니다. 이것이 사전 정규화(pre-norm)이며,
# 과제 3에서 둘을 모두 다룹니다.)
#
# | 과제 | 작성할 것 | 배점 |
# |---|---|---|
# | 1 | `layer_norm`: 토큰마다 평균 0, 분산 1 | 3 |
# | 2 | `FeedForward`: 위치마다 완전 연결 계층(dense layer) 두 개 | 3 |
# | 3 | `EncoderBlock`: 셀프 어텐션(self-attention)과 피드포워드 신경망 | 5 |
# | 4 | `DecoderBlock`: 같은 구성에 인코더의 출력을 보는 어텐션을 더한 것 | 6 |
# | 5 | `block_parameter_count`: 그 안의 파라미터(parameter) 수를 손으로 세기 | 3 |
#
# **진행 방법.** `# YOUR CODE HERE`라고 적힌 셀을 채우세요. 바로 아래 셀에 공개 검사가 있습니다(앞에서 작성한 코드를 가져오는 선택 셀에는 없습니다). 점수는 제출한 뒤 다른
# 입력으로 매기고, 과제마다 여러 항목으로 나누어 줍니다. 한 과제에서 틀려도 뒤 과제의 점수는 깎이지 않습니다. 하위 계층의 이름을 어떻게 짓고 어떤
# 순서로 만드는지는 여러분의 자유입니다. NumPy, `keras.ops`, `tf.*` 모두 똑같이 인정합니다. 다만 계층이나 모델
# 안에서는 `keras.ops`(또는 `tf.*`)를 쓰세요. `fit`이 그래프로 컴파일하는 동안에는 텐서에 아직 값이 없어 NumPy로 계산할 수
# 없습니다. 그러니 뒤 노트북에서 다시 쓸 코드는 `ops`로 작성하세요.
#
# | 이름 | 뜻 |
# |---|---|
# | `batch` | 배치(batch)에 든 시퀀스(sequence)의 수 |
# | `seq_len` | 블록이 다루는 시퀀스의 토큰(token) 수 (디코더에서는 `target_len`) |
# | `memory_len` | 디코더(decoder)가 어텐션으로 보는 인코더(encoder) 출력의 토큰 수 |
# | `d_model` | 토큰 하나의 특징(feature) 수. 어떤 블록을 지나도 그대로다 |
# | `num_heads`, `head_dim` | 헤드(head)의 수, 그리고 헤드 하나의 특징 수 `d_model // num_heads` |
# | `ff_dim` | 피드포워드 신경망의 은닉 유닛(hidden unit) 수, 곧 안쪽의 너비 |
#
# **마스크**(mask)는 지금까지와 같습니다. 1인 곳은 가리고 0인 곳은 남깁니다.

# %% locked="setup" include="quiet_keras.py"
import warnings

import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops

# Keras asks for a `build` where a block has a layer that its `call` doesn't use. The public checks say what is missing.
# ko: # 블록의 `call`이 쓰지 않는 계층이 있으면 케라스는 `build`를 작성하라고 경고합니다. 무엇이 빠졌는지는 공개 검사가 알려 줍니다.
warnings.filterwarnings("ignore", message=r"`build\(\)`")

to_numpy = ops.convert_to_numpy


def influence(function, inputs, size=1.0, seed=0):
    """
    Return how far each output position moves when an input position changes: (output_len, input_len).
    # ko: 입력의 한 위치를 바꿀 때 출력의 각 위치가 얼마나 움직이는지 돌려줍니다: (output_len, input_len).

    Args:
    # ko: 인수:
        function: takes (batch, input_len, features), returns (batch, output_len, features).
        # ko: function: (batch, input_len, features)를 받아 (batch, output_len, features)를 돌려주는 함수.
        inputs: (input_len, features).
        size: how much a feature is changed by, about.
        # ko: size: 특징을 바꾸는 대략의 크기.
        seed: seed of the random changes.
        # ko: seed: 무작위로 바꿀 때의 시드.
    """
    length, features = inputs.shape
    changed = np.repeat(inputs[None], length + 1, axis=0).astype("float32")  # the last one stays as it is
    # ko: changed = np.repeat(inputs[None], length + 1, axis=0).astype("float32")  # 마지막 것은 바꾸지 않습니다
    steps = size * np.random.default_rng(seed).normal(size=(length, features))
    changed[np.arange(length), np.arange(length)] += steps.astype("float32")
    outputs = to_numpy(function(changed))
    return np.abs(outputs[:-1] - outputs[-1]).max(axis=-1).T


def show_influence(moved, ax, title, xlabel, ylabel):
    """Draw an influence matrix: bright where an output depends on an input, black where it doesn't at all."""
    # ko: """영향을 나타내는 행렬을 그립니다. 출력이 입력의 영향을 받으면 밝고, 전혀 받지 않으면 검습니다."""
    image = ax.imshow(np.log10(moved + 1e-9), cmap="magma", vmin=-5.5, vmax=1)
    ax.set(title=title, xlabel=xlabel, ylabel=ylabel, xticks=range(moved.shape[1]), yticks=range(moved.shape[0]))
    return image


# Public checks that the layers share
# ko: # 계층들에 함께 쓰는 공개 검사
def _check_drops_in_training_alone(check, call, order=""):
    """`call()` and `call(training=False)` give the same, `call(training=True)` something else; `order` stands in front of what is said."""
    # ko: """`call()`과 `call(training=False)`의 결과는 같고, `call(training=True)`의 결과는 다릅니다. `order`는 알리는 말 앞에 붙습니다."""
    output = to_numpy(call())
    check.close(
        call(training=False),
        output,
        f"{order}nothing is dropped outside training",
        # ko: f"{order}학습이 아닐 때는 드롭아웃이 작동하지 않는다",
        otherwise="Two calls give two answers (both are yours): does a dropout get training=True whatever `training` is?",
        # ko: otherwise="두 번 호출하니 답이 다릅니다(둘 다 여러분의 답입니다). `training`과 상관없이 드롭아웃에 training=True를 주지 않았나요?",
    )
    check.true(
        not np.allclose(to_numpy(call(training=True)), output),
        f"{order}something is dropped in training",
        # ko: f"{order}학습할 때는 드롭아웃이 작동한다",
        f"{order}training=True changes nothing: is there a dropout?",
        # ko: f"{order}training=True여도 달라지는 것이 없습니다. 드롭아웃이 있나요?",
    )


def _long_axes(weight):
    """The shape of a weight without its axes of length 1: a kernel has two or more such axes, a bias or a gamma one."""
    # ko: """길이가 1인 축을 뺀 가중치의 모양. 커널에는 이런 축이 둘 이상, 편향이나 gamma에는 하나 있습니다."""
    return tuple(size for size in weight.shape if size > 1)


def _begin_alike(block):
    """
    Give a block the sizes of weights that Keras's layers begin with, however its own begin: biases of 0, matrices of a spread of 0.16.
    # ko: 블록의 가중치가 어떻게 시작하든 케라스의 계층처럼 시작하게 합니다. 편향은 0이고, 행렬의 표준편차는 0.16입니다.

    Args:
    # ko: 인수:
        block: built, of d_model 12 and ff_dim 64. 12 ones are a gamma and stay, as does a matrix of zeros and ones.
        # ko: block: 가중치를 이미 만든, d_model이 12, ff_dim이 64인 블록. 12개가 모두 1인 것은 gamma이므로 그대로 두고, 0과 1만 있는 행렬도 그대로 둡니다.
    """

    def begin(weight, name):
        if weight.size in (12, 64):
            return weight if weight.size == 12 and np.all(weight == 1) and name != "bias" else np.zeros(weight.shape)
        if weight.size in (144, 768) and np.std(weight) < 1e-6:  # a kernel that begins as zeros
        # ko: if weight.size in (144, 768) and np.std(weight) < 1e-6:  # 0으로 시작하는 커널
            return np.random.default_rng(weight.size).normal(size=weight.shape, scale=0.16)
        return weight if np.isin(weight, (0, 1)).all() or np.std(weight) < 1e-6 else weight * (0.16 / np.std(weight))

    block.set_weights([begin(to_numpy(weight), weight.name) for weight in block.weights])


def _without_network(weights):
    """The weights of a block with ff_dim 64, those of its feed-forward network replaced by 0."""
    # ko: """ff_dim이 64인 블록의 가중치에서 피드포워드 신경망의 것을 0으로 바꾼 것."""
    return [np.zeros(weight.shape) if 64 in weight.shape else weight for weight in weights]


def _without_attention(weights):
    """The weights of a block with ff_dim 64, the kernels of its attentions replaced by 0."""
    # ko: """ff_dim이 64인 블록의 가중치에서 어텐션의 커널을 0으로 바꾼 것."""
    return [np.zeros(weight.shape) if 64 not in weight.shape and len(_long_axes(weight)) > 1 else weight for weight in weights]


def _with_means_alone(weights):
    """
    The weights of a block with ff_dim 64, whose attentions become 0, and whose network gives each feature the mean of 64 hidden units that are 1.
    # ko: ff_dim이 64인 블록의 가중치를 바꾼 것. 어텐션은 0이 되고, 신경망은 모두 1인 은닉 유닛 64개의 평균을 특징마다 내놓습니다.
    """
    values = {(64,): 1.0, (64, 12): 1 / 64, (12, 64): 1 / 64}  # normalised tokens add up to 0, so the bias alone reaches the hidden units
    # ko: values = {(64,): 1.0, (64, 12): 1 / 64, (12, 64): 1 / 64}  # 정규화한 토큰은 더하면 0이므로 은닉 유닛에는 편향만 남습니다
    return [weight if np.all(weight == 1) else np.full(weight.shape, values.get(_long_axes(weight), 0.0)) for weight in weights]


def _one_by_one(weights):
    """
    Say whether a block of d_model 12 and ff_dim 64 has each matrix of its network by itself, and no matrix that is a row of biases or of scales.
    # ko: d_model이 12, ff_dim이 64인 블록에 신경망의 행렬이 따로따로 있고, 편향이나 gamma를 모은 행렬은 없는지 알려 줍니다.

    Args:
    # ko: 인수:
        weights: the block's arrays.
        # ko: weights: 블록의 배열들.
    """
    matrices = [weight for weight in weights if len(_long_axes(weight)) > 1]
    sizes = set(map(_long_axes, matrices))
    return {(12, 64), (64, 12)} <= sizes and not any(weight.any() and np.isin(weight, (0, 1)).all() for weight in matrices)


def _check_width_of_network(check, block, x):
    """
    The `FeedForward` inside a block, if there is one, gives as many features as it gets.
    # ko: 블록 안에 `FeedForward`가 있으면, 받은 만큼의 특징을 내놓습니다.

    Args:
    # ko: 인수:
        check: the checks that are running.
        # ko: check: 실행 중인 검사.
        block: d_model 12 and ff_dim 64, not used further: the network is built here, whether the block calls it or not.
        # ko: block: d_model이 12, ff_dim이 64이고 다시 쓰지 않을 블록. 블록이 신경망을 호출하든 하지 않든 여기서 신경망의 가중치가 생깁니다.
        x: (batch, seq_len, 12), tokens.
        # ko: x: (batch, seq_len, 12), 토큰.
    """
    for network in [layer for layer in block._flatten_layers() if type(layer).__name__ == "FeedForward"]:
        check.shape(
            network(x),
            x.shape,
            "(batch, seq_len, d_model) behind the feed-forward network",
            # ko: "피드포워드 신경망을 지난 (batch, seq_len, d_model)",
            otherwise="`FeedForward` takes ff_dim first, then d_model: have they changed places?",
            # ko: otherwise="`FeedForward`는 먼저 ff_dim, 그다음 d_model을 받습니다. 둘이 서로 바뀌지 않았나요?",
        )


def _check_heads(check, block, single, call):
    """
    A block has as many heads as `num_heads` says.
    # ko: 블록의 헤드 수가 `num_heads`와 같습니다.

    Args:
    # ko: 인수:
        check: the checks that are running.
        # ko: check: 실행 중인 검사.
        block: built, of d_model 12 and 4 heads, without dropout.
        # ko: block: 가중치를 이미 만든, d_model이 12, 헤드가 4개이고 드롭아웃이 없는 블록.
        single: the same with one head; it gets the weights of `block`.
        # ko: single: 헤드가 하나인 같은 블록. `block`의 가중치를 받습니다.
        call: a block -> its output.
        # ko: call: 블록 -> 그 출력.
    """
    heads = {layer.num_heads for layer in block._flatten_layers() if isinstance(layer, keras.layers.MultiHeadAttention)}
    check.true(
        heads <= {4},
        "d_model 12, 4 heads: 4 heads of 3 features",
        # ko: "d_model 12, 헤드 4개: 특징이 3개인 헤드 4개",
        f"with d_model 12 and num_heads 4 Keras's attention has {', '.join(map(str, sorted(heads)))} heads. It takes the number of heads first, then `key_dim`, the features of one head: `MultiHeadAttention(num_heads, d_model // num_heads)`.",
        # ko: f"d_model이 12, num_heads가 4인데 케라스 어텐션의 헤드가 {', '.join(map(str, sorted(heads)))}개입니다. 먼저 헤드의 수, 그다음 헤드 하나의 특징 수인 `key_dim`을 받습니다. `MultiHeadAttention(num_heads, d_model // num_heads)`",
    )
    weights, other = block.get_weights(), single.get_weights()
    if [weight.size for weight in weights] == [weight.size for weight in other]:
        single.set_weights([weight.reshape(like.shape) for weight, like in zip(weights, other, strict=True)])
        check.true(
            not np.allclose(to_numpy(call(single)), to_numpy(call(block)), atol=1e-5),
            "one head gives something else than four with the same weights",
            # ko: "가중치가 같아도 헤드가 하나일 때와 네 개일 때의 출력이 다르다",
            "with the same weights one head gives what four heads give: does the attention get `num_heads`?",
            # ko: "가중치가 같으면 헤드가 하나일 때나 네 개일 때나 출력이 같습니다. 어텐션에 `num_heads`를 넘겼나요?",
        )


def _check_attention_is_added(check, block, call, x, weights, part):
    """
    In a pre-norm block what the self-attention gives is added as it is, and not normalised before.
    # ko: 사전 정규화 블록에서 셀프 어텐션의 출력은 정규화하지 않고 그대로 더합니다.

    Args:
    # ko: 인수:
        check: the checks that are running.
        # ko: check: 실행 중인 검사.
        block: without dropout; in the end it has its own weights again.
        # ko: block: 드롭아웃이 없는 블록. 끝나면 자기 가중치로 돌아갑니다.
        call: tokens -> the block's output, each token attending to itself alone, and a decoder block's to a memory of zeros.
        # ko: call: 토큰 -> 블록의 출력. 토큰은 각각 자기 자신만 보고, 디코더 블록의 토큰은 0으로 된 메모리도 봅니다.
        x: (batch, seq_len, 12), tokens.
        # ko: x: (batch, seq_len, 12), 토큰.
        weights: the block's own.
        # ko: weights: 블록의 가중치.
        part: name of the attention.
        # ko: part: 그 어텐션의 이름.
    """
    if not _one_by_one(weights):
        return
    # without biases, and with nothing to choose from, the values' matrix and the last one make the output: both twice as large, it is four times as large
    # ko: # 편향이 없고 고를 것도 없으면 값의 행렬과 마지막 행렬이 출력을 정합니다. 둘이 두 배이면 출력은 네 배입니다
    kept = [w if len(_long_axes(w)) > 1 or np.all(w == 1) else np.zeros(w.shape) for w in _without_network(weights)]
    added = []
    for factor in (1, 2):
        block.set_weights([factor * w if len(_long_axes(w)) > 1 else w for w in kept])
        added.append(to_numpy(call(x)) - x)
    check.close(
        added[1],
        4 * added[0],
        f"pre-norm, without network and biases, each token sees itself alone, all matrices of the {part} twice as large: it adds four times as much",
        # ko: f"사전 정규화, 신경망과 편향을 0으로 두고 토큰이 각각 자기 자신만 볼 때: {part}의 행렬이 모두 두 배이면 더하는 것은 네 배다",
        tolerance=1e-3,
        otherwise=f"Does something normalise what the {part} gives? In pre-norm a normalisation stands before each sublayer, and none behind it.",
        # ko: otherwise=f"{part}의 출력을 정규화하지 않나요? 사전 정규화에서 정규화는 하위 계층마다 그 앞에 있고, 뒤에는 없습니다.",
    )
    block.set_weights(weights)


def _check_network(check, block, call, x, written, weights, which):
    """
    In a pre-norm block the feed-forward network reads the normalised sum of the tokens and of what attention has written.
    # ko: 사전 정규화 블록에서 피드포워드 신경망은 토큰과 어텐션이 더한 것의 합을 정규화해 읽습니다.

    Args:
    # ko: 인수:
        check: the checks that are running.
        # ko: check: 실행 중인 검사.
        block: without dropout; in the end it has its own weights again.
        # ko: block: 드롭아웃이 없는 블록. 끝나면 자기 가중치로 돌아갑니다.
        call: tokens -> the block's output.
        # ko: call: 토큰 -> 블록의 출력.
        x: (batch, seq_len, 12), tokens.
        # ko: x: (batch, seq_len, 12), 토큰.
        written: what the block adds to x when its network is zero.
        # ko: written: 신경망이 0일 때 블록이 x에 더하는 것.
        weights: the block's own.
        # ko: weights: 블록의 가중치.
        which: the number of the sum that the network reads, as a word.
        # ko: which: 신경망이 읽는 합의 순서를 나타내는 말.
    """
    if _one_by_one(weights):
        block.set_weights(_without_network(_without_attention(weights)))
        check.close(
            call(x),
            x,
            "pre-norm, without attention and network: the tokens come out as they came in",
            # ko: "사전 정규화, 어텐션과 신경망을 0으로 두었을 때: 토큰이 들어온 그대로 나온다",
            tolerance=1e-3,
            otherwise="Something besides what the sublayers give is added to the tokens, such as normalised ones.",
            # ko: otherwise="하위 계층의 출력 말고 다른 것도 토큰에 더합니다. 정규화한 토큰을 더하지 않나요?",
        )
        outputs = []
        for factor in (0, 1, 2):  # the network's biases are 0 here, so this is what all of its output is multiplied with
        # ko: for factor in (0, 1, 2):  # 여기서는 신경망의 편향이 0이므로 신경망의 출력 전체에 곱하는 수입니다
            block.set_weights([factor * weight if _long_axes(weight) == (64, 12) else weight for weight in weights])
            outputs.append(to_numpy(call(x)))
        check.close(
            outputs[2] - outputs[1],
            outputs[1] - outputs[0],
            "pre-norm, the network's second matrix twice as large: the network changes the output by twice as much",
            # ko: "사전 정규화, 신경망의 둘째 행렬이 두 배일 때: 신경망이 출력에 미치는 영향도 두 배다",
            tolerance=1e-3,
            otherwise="With the second matrix of the feed-forward network twice as large, the network doesn't change the output by twice as much. Is what it gives normalised (in pre-norm the normalisation stands before the network, none behind it), or does an attention read it? The network is the last sublayer: it reads what attention has added, and nothing reads the network.",
            # ko: otherwise="피드포워드 신경망의 둘째 행렬을 두 배로 해도 신경망이 출력에 미치는 영향은 두 배가 되지 않습니다. 신경망의 출력을 정규화하거나(사전 정규화에서 정규화는 신경망 앞에 있고, 뒤에는 없습니다) 어텐션이 읽지 않나요? 신경망은 마지막 하위 계층입니다. 어텐션이 더한 것을 신경망이 읽고, 신경망의 출력을 읽는 하위 계층은 없습니다.",
        )
    block.set_weights(_without_attention(weights))
    network = to_numpy(call(x)) - x
    check.close(
        to_numpy(call(10 * x)) - 10 * x,
        network,
        "pre-norm, without attention, tokens ten times as large: the network adds the same",
        # ko: "사전 정규화, 어텐션을 0으로 두고 토큰이 열 배일 때: 신경망이 더하는 것은 같다",
        tolerance=1e-2,
        otherwise="Does the feed-forward network get the normalised tokens?",
        # ko: otherwise="피드포워드 신경망이 정규화한 토큰을 받나요?",
    )
    if _one_by_one(weights):
        check.true(
            np.abs(network).max() > 1e-3,
            "pre-norm, without attention: what the network adds is still there",
            # ko: "사전 정규화, 어텐션을 0으로 두었을 때: 신경망이 더한 것이 남아 있다",
            "without attention the feed-forward network adds nothing: it should read the sum of tokens and attention, not the attention's output alone.",
            # ko: "어텐션이 없으면 신경망이 아무것도 더하지 않습니다. 어텐션의 출력만이 아니라 토큰과 어텐션의 합을 읽어야 합니다.",
        )
        check.true(
            not np.allclose(to_numpy(call(-x)) + x, -network, atol=1e-4),
            "pre-norm, without attention: between its two dense layers the network has a ReLU",
            # ko: "사전 정규화, 어텐션을 0으로 두었을 때: 신경망의 두 완전 연결 계층 사이에 ReLU가 있다",
            "with the tokens' signs turned, what the feed-forward network adds only turns its sign: it lacks the ReLU between its two dense layers.",
            # ko: "토큰의 부호를 뒤집으면 피드포워드 신경망이 더하는 것도 부호만 뒤집힙니다. 두 완전 연결 계층 사이에 ReLU가 없습니다.",
        )
        check.true(
            network.min() < 0,
            "pre-norm, without attention: what the network adds has both signs",
            # ko: "사전 정규화, 어텐션을 0으로 두었을 때: 신경망이 더하는 것에 음수도 있다",
            "nothing that the feed-forward network adds is below 0: the ReLU stands between its two dense layers, and none behind the second.",
            # ko: "피드포워드 신경망이 더하는 것에 음수가 하나도 없습니다. ReLU는 두 완전 연결 계층 사이에만 있고, 둘째 계층 뒤에는 없습니다.",
        )
        block.set_weights([2 * w if set(_long_axes(w)) == {12, 64} else w for w in _without_attention(weights)])
        check.close(
            to_numpy(call(x)) - x,
            4 * network,
            "pre-norm, without attention and biases, both of the network's matrices twice as large: it adds four times as much, as with a ReLU",
            # ko: "사전 정규화, 어텐션과 편향을 0으로 두고 신경망의 두 행렬이 두 배일 때: 신경망이 더하는 것은 ReLU를 쓸 때처럼 네 배다",
            tolerance=1e-3,
            otherwise="What stands between the feed-forward network's two dense layers is no ReLU: max(0, x).",
            # ko: otherwise="피드포워드 신경망의 두 완전 연결 계층 사이에 있는 것이 ReLU, 곧 max(0, x)가 아닙니다.",
        )
    block.set_weights(weights)
    check.true(
        not np.allclose(to_numpy(call(x)) - x, written + network, atol=1e-4),
        "pre-norm: the network reads what attention has written",
        # ko: "사전 정규화: 신경망이 어텐션이 더한 것을 읽는다",
        f"the feed-forward network reads the x that came in: it should read the {which} sum, with all that attention gave.",
        # ko: f"피드포워드 신경망이 처음 들어온 x를 읽습니다. 어텐션의 결과까지 모두 더한 {which} 합을 읽어야 합니다.",
    )


def _note_what_is_dropped(check, share, part, required=False, case=""):
    """
    Note it if what is dropped in training isn't what a sublayer gives, but its inputs or weights, or if it isn't as much as it should be.
    # ko: 학습할 때 드롭아웃이 하위 계층의 출력이 아니라 입력이나 가중치에 작동하거나, 0이 되는 비율이 맞지 않으면 알려 줍니다.

    Args:
    # ko: 인수:
        check: the checks that are running.
        # ko: check: 실행 중인 검사.
        share: what part of a sublayer's output is 0 in training, in a block with a dropout of 0.3 in which it alone adds something.
        # ko: share: 드롭아웃 비율이 0.3이고 한 하위 계층만 무언가를 더하는 블록에서, 학습할 때 그 하위 계층의 출력 가운데 0이 된 수의 비율.
        part: name of that sublayer.
        # ko: part: 그 하위 계층의 이름.
        required: whether another share costs points, unless it is that of two dropouts; the check fails then, or, if it is 0, notes that.
        # ko: required: 0이 되는 비율이 다르면(드롭아웃이 둘일 때의 비율은 빼고) 점수를 잃는지. 그러면 검사가 실패하고, 0이면 알려 주기만 합니다.
        case: what is said of the block, in front of the rest.
        # ko: case: 앞에 붙일, 블록에 대한 말.
    """
    if share < 0.05:
        text = f"what the {part} gives isn't dropped in training, though something else is: the picture has a dropout behind each sublayer, before the sum."
        # ko: text = f"학습할 때 드롭아웃이 다른 곳에는 작동하지만 {part}의 출력에는 작동하지 않습니다. 그림에는 하위 계층마다 그 출력에, 더하기 전에 드롭아웃이 있습니다."
        if any(text in note for note in check.notes):  # said of pre-norm
        # ko: if any(text in note for note in check.notes):  # 사전 정규화에서 이미 알렸습니다
            return
        check.notes.append(f"It may cost points: {text}") if required else check.note(case + text)
        # ko: check.notes.append(f"점수를 잃을 수 있습니다. {text}") if required else check.note(case + text)
    elif not 0.2 < share < 0.4:
        check._lose(required and not 0.4 < share < 0.555, f"{case}{share:.0%} of what the {part} gives is 0 in training, and about 30% should be with a dropout of 0.3. Is the rate `dropout`, and is there one dropout behind it?")
        # ko: check._lose(required and not 0.4 < share < 0.555, f"{case}학습할 때 {part} 출력의 {share:.0%}가 0입니다. 드롭아웃 비율이 0.3이면 30%쯤이어야 합니다. 비율이 `dropout`이고, 그 뒤에 드롭아웃이 하나인가요?")


def _check_network_drops(check, block, call, x, weights):
    """
    In a pre-norm block what the feed-forward network gives is dropped in training, before the sum.
    # ko: 사전 정규화 블록에서는 학습할 때 피드포워드 신경망의 출력에, 더하기 전에 드롭아웃이 작동합니다.

    Args:
    # ko: 인수:
        check: the checks that are running.
        # ko: check: 실행 중인 검사.
        block: with a dropout of 0.3.
        # ko: block: 드롭아웃 비율이 0.3인 블록.
        call: tokens -> the block's output in training.
        # ko: call: 토큰 -> 학습할 때 블록의 출력.
        x: (batch, seq_len, 12), tokens.
        # ko: x: (batch, seq_len, 12), 토큰.
        weights: what the block gets, but no attention.
        # ko: weights: 블록에 넣을 가중치. 어텐션의 행렬은 0으로 바꿉니다.
    """
    if not _one_by_one(weights):
        return
    block.set_weights(_without_attention(weights))
    longer = np.tile(x, (1, 5, 1))
    dropped = np.mean(to_numpy(call(longer)) == longer)
    check.true(
        dropped > 0.05,
        "pre-norm, without attention: what the network gives is dropped in training",
        # ko: "사전 정규화, 어텐션을 0으로 두었을 때: 학습할 때 신경망의 출력에 드롭아웃이 작동한다",
        "in training nothing of what the feed-forward network gives is dropped: there is a dropout behind each sublayer, before the sum, and not only on the hidden units.",
        # ko: "학습할 때 피드포워드 신경망의 출력에 드롭아웃이 작동하지 않습니다. 은닉층에만이 아니라 하위 계층마다 그 출력에, 더하기 전에 드롭아웃이 있어야 합니다.",
    )
    _note_what_is_dropped(check, dropped, "feed-forward network", required=True)
    # ko: _note_what_is_dropped(check, dropped, "피드포워드 신경망", required=True)
    block.set_weights(_with_means_alone(weights))
    added = to_numpy(call(x)) - x
    means = added[np.abs(added) > 0.1]
    check.true(
        means.size == 0 or np.ptp(means) > 0.01,
        "pre-norm: hidden units are dropped in training",
        # ko: "사전 정규화: 학습할 때 은닉 유닛에 드롭아웃이 작동한다",
        "in training no hidden unit of the feed-forward network is dropped: does it get `dropout` too?",
        # ko: "학습할 때 피드포워드 신경망의 은닉 유닛에 드롭아웃이 작동하지 않습니다. 신경망에도 `dropout`을 넘겼나요?",
    )


def _check_post_norm(check, block, call, x, weights):
    """
    In a post-norm block each sublayer reads, and is added to, what the normalisation before it gave; the first one the tokens as they came.
    # ko: 사후 정규화 블록에서 하위 계층은 바로 앞 정규화의 결과를 읽고 거기에 더해집니다. 첫째 하위 계층은 들어온 토큰을 그대로 읽습니다.

    Args:
    # ko: 인수:
        check: the checks that are running.
        # ko: check: 실행 중인 검사.
        block: without dropout; in the end it has its own weights again.
        # ko: block: 드롭아웃이 없는 블록. 끝나면 자기 가중치로 돌아갑니다.
        call: tokens -> the block's output, each token attending to itself alone.
        # ko: call: 토큰 -> 블록의 출력. 토큰은 각각 자기 자신만 봅니다.
        x: (batch, seq_len, 12), tokens.
        # ko: x: (batch, seq_len, 12), 토큰.
        weights: the block's own.
        # ko: weights: 블록의 가중치.
    """
    if not _one_by_one(weights):
        return
    # without biases a token that sees itself alone and is ten times as large gets a sum that is ten times as large
    # ko: # 편향이 없으면, 자기 자신만 보는 토큰이 열 배일 때 합도 열 배입니다
    block.set_weights([w if len(_long_axes(w)) > 1 or np.all(w == 1) else np.zeros(w.shape) for w in weights])
    check.close(
        call(10 * x),
        to_numpy(call(x)),
        "post-norm, each token sees itself alone and is ten times as large: the output is the same",
        # ko: "사후 정규화, 토큰이 각각 자기 자신만 보고 열 배일 때: 출력은 같다",
        tolerance=1e-2,
        otherwise="The first sublayer reads the x that came in and is added to it; each later one reads what the normalisation before it gave, and is added to that. Does one of them read, or is one added to, something else? Or is what one of them gives normalised before its sum?",
        # ko: otherwise="첫째 하위 계층은 들어온 x를 읽고 x에 더합니다. 그다음 하위 계층은 바로 앞 정규화의 결과를 읽고 거기에 더합니다. 다른 것을 읽거나 다른 것에 더하는 하위 계층이 있나요? 아니면 하위 계층의 출력을 더하기 전에 정규화하나요?",
    )
    # with biases in the hidden units a network that reads tokens ten times as large gives something else
    # ko: # 은닉 유닛에 편향이 있으면, 열 배가 된 토큰을 읽는 신경망은 다른 것을 내놓습니다
    block.set_weights([np.ones(w.shape) if _long_axes(w) == (64,) else w for w in _without_attention(weights)])
    check.close(
        call(10 * x),
        to_numpy(call(x)),
        "post-norm, without attention, tokens ten times as large: the network reads the same, normalised",
        # ko: "사후 정규화, 어텐션을 0으로 두고 토큰이 열 배일 때: 신경망이 읽는 정규화한 값은 같다",
        tolerance=1e-2,
        otherwise="With norm_first=False the feed-forward network reads tokens that no normalisation has seen. It is the last sublayer: it reads what the normalisation before it gave.",
        # ko: otherwise="norm_first=False일 때 피드포워드 신경망이 아직 정규화하지 않은 토큰을 읽습니다. 신경망은 마지막 하위 계층이고, 바로 앞 정규화의 결과를 읽어야 합니다.",
    )
    block.set_weights(weights)


def _check_post_norm_gains(check, block, call, x, weights):
    """
    In a post-norm block nothing is normalised once more on its way into a sublayer, which shows where gamma isn't 1.
    # ko: 사후 정규화 블록에서는 하위 계층에 들어가는 것을 한 번 더 정규화하지 않습니다. 그랬다면 gamma가 1이 아닐 때 드러납니다.

    Args:
    # ko: 인수:
        check: the checks that are running.
        # ko: check: 실행 중인 검사.
        block: without dropout and biases; in the end it has its own weights again.
        # ko: block: 드롭아웃도 편향도 없는 블록. 끝나면 자기 가중치로 돌아갑니다.
        call: tokens -> the block's output, each token attending to itself alone.
        # ko: call: 토큰 -> 블록의 출력. 토큰은 각각 자기 자신만 봅니다.
        x: (batch, seq_len, 12), tokens.
        # ko: x: (batch, seq_len, 12), 토큰.
        weights: the block's own.
        # ko: weights: 블록의 가중치.
    """
    if not _one_by_one(weights):
        return
    # without biases the last gamma multiplies the output and the one before it leaves it as it is, unless another normalisation comes between
    # ko: # 편향이 없으면, 마지막 gamma는 출력에 곱해지고 그 앞의 gamma는 출력을 바꾸지 않습니다. 사이에 다른 정규화가 끼면 그렇지 않습니다
    block.set_weights(weights)
    plain, gains = to_numpy(call(x)), [place for place, w in enumerate(weights) if w.size == 12 and np.all(w == 1)]
    as_expected = 0
    for place in gains:
        block.set_weights([4 * w if i == place else w for i, w in enumerate(weights)])
        output = to_numpy(call(x))
        as_expected += np.allclose(output, plain, atol=0.01) or np.allclose(output, 4 * plain, atol=0.04)
    check.true(
        len(gains) < 2 or as_expected > 1,
        "post-norm, one γ four times as large: the sublayer behind that normalisation reads what it gave",
        # ko: "사후 정규화, γ 하나가 네 배일 때: 하위 계층은 바로 앞 정규화의 결과를 읽는다",
        "with norm_first=False a γ four times as large changes the output otherwise than it should (it shows where γ isn't 1 only). Is something normalised once too often: on its way into a sublayer, or between a sublayer and its sum? Each normalisation stands behind a sum, and the next sublayer reads what it gave.",
        # ko: "norm_first=False일 때 γ 하나를 네 배로 하면 출력이 달라져야 하는 대로 달라지지 않습니다(γ가 1이 아닐 때만 드러납니다). 하위 계층에 넣으면서, 또는 하위 계층의 출력을 더하기 전에 한 번 더 정규화하지 않나요? 정규화는 저마다 합의 뒤에 있고, 다음 하위 계층은 그 결과를 읽습니다.",
    )
    block.set_weights(weights)


def _check_post_norm_drops(check, call, part, without):
    """
    In a post-norm block what a sublayer gives is dropped in training, before the sum.
    # ko: 사후 정규화 블록에서도 학습할 때 하위 계층의 출력에, 더하기 전에 드롭아웃이 작동합니다.

    Args:
    # ko: 인수:
        check: the checks that are running.
        # ko: check: 실행 중인 검사.
        call: the output of a block with a dropout, in which this sublayer alone gives something; takes `training`.
        # ko: call: 드롭아웃이 있고 이 하위 계층만 무언가를 내놓는 블록의 출력. `training`을 받습니다.
        part: name of the sublayer.
        # ko: part: 하위 계층의 이름.
        without: name of what gives 0.
        # ko: without: 0을 내놓는 것의 이름.
    """
    check.true(
        not np.allclose(to_numpy(call(training=True)), to_numpy(call()), atol=1e-3),
        f"post-norm, without {without}: in training the {part} gives something else",
        # ko: f"사후 정규화, {without}을 0으로 두었을 때: 학습할 때는 {part}의 결과가 달라진다",
        f"with norm_first=False nothing of what the {part} gives is dropped in training: there is a dropout behind each sublayer, before the sum.",
        # ko: f"norm_first=False이면 학습할 때 {part}의 출력에 드롭아웃이 작동하지 않습니다. 하위 계층마다 그 출력에, 더하기 전에 드롭아웃이 있어야 합니다.",
    )


_PAIRS = np.tile(np.array([1, 1, -1, -1], "float32"), (20, 20, 3))  # (20, 20, 12): equal tokens of mean 0
# ko: _PAIRS = np.tile(np.array([1, 1, -1, -1], "float32"), (20, 20, 3))  # (20, 20, 12): 평균이 0인 똑같은 토큰들
_IN_TURN = np.tile([1.0, -1.0], 6)


def _with_loud_attention(weights):
    """
    The weights of a block with ff_dim 64, whose attentions give 100 times what they read, two features further on, and whose network gives 0.
    # ko: ff_dim이 64인 블록의 가중치를 바꾼 것. 어텐션은 읽은 것의 100배를 특징 두 자리만큼 밀어서 내놓고, 신경망은 0을 내놓습니다.
    """
    matrix = np.roll(10 * np.eye(12), 1, axis=0)
    return [w if np.all(w == 1) else matrix.reshape(w.shape) if w.size == 144 else np.zeros(w.shape) for w in weights]


def _with_loud_network(weights):
    """
    The weights of a block with ff_dim 64, whose attentions give 0, and whose network gives 1000 and -1000 in turn to any of `_PAIRS`.
    # ko: ff_dim이 64인 블록의 가중치를 바꾼 것. 어텐션은 0을 내놓고, 신경망은 `_PAIRS`의 토큰에 1000과 -1000을 번갈아 내놓습니다.
    """
    matrix = np.tile(1000 / 64 * _IN_TURN, (64, 1))
    values = {(64,): np.ones(64), (64, 12): matrix, (12, 64): matrix.T}
    return [w if np.all(w == 1) else np.reshape(values.get(_long_axes(w), np.zeros(w.shape)), w.shape) for w in weights]


def _note_what_post_norm_drops(check, call, expected, part):
    """
    Note it if what is dropped in training in a post-norm block isn't what a sublayer gives, or if it isn't as much as it should be.
    # ko: 사후 정규화 블록에서 학습할 때 드롭아웃이 하위 계층의 출력에 작동하지 않거나, 0이 되는 비율이 맞지 않으면 알려 줍니다.

    Args:
    # ko: 인수:
        check: the checks that are running.
        # ko: check: 실행 중인 검사.
        call: the output of a block with a dropout of 0.3, in which this sublayer gives far more than all else; takes `training`.
        # ko: call: 드롭아웃 비율이 0.3이고 이 하위 계층이 다른 것보다 훨씬 큰 것을 내놓는 블록의 출력. `training`을 받습니다.
        expected: what a token is outside training: 1 and -1. Where it isn't, the weights have another form, and nothing is said.
        # ko: expected: 학습이 아닐 때의 토큰. 1과 -1입니다. 그렇지 않으면 가중치의 모양이 다른 것이므로 아무것도 알리지 않습니다.
        part: name of the sublayer.
        # ko: part: 하위 계층의 이름.
    """
    if np.allclose(to_numpy(call()), expected, atol=0.02):
        output = to_numpy(call(training=True))
        signs = np.broadcast_to(expected, output.shape)[0, 0]
        apart = np.abs(output[..., signs > 0][..., None] - output[..., signs < 0][..., None, :])
        # a 1 and a -1 are alike where both are dropped
        # ko: # 1과 -1이 같아진 곳에서는 둘 다 0이 되었습니다
        both = np.mean(apart < 0.25 * np.ptp(output, axis=-1)[..., None, None])
        _note_what_is_dropped(check, both**0.5, part, case="with norm_first=False ")
        # ko: _note_what_is_dropped(check, both**0.5, part, case="norm_first=False이면 ")


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## What you bring along
#
# Inside a block you may use `keras.layers.MultiHeadAttention`. If you would rather use your own layer of notebook 03,
# paste it here, with whatever it calls (`softmax`, `attention_scores`, `scaled_dot_product_attention`, `split_heads`, `merge_heads`);
# then the whole block is your own work. A mistake in it costs nothing in this notebook: your blocks are then graded with a right layer in its place. This is also the place for what you kept of
# notebook 04: `leaks_future`, which will examine your decoder block, and `create_look_ahead_mask` and `to_keras_attention_mask`, if you want to use them.
#
# If you use Keras's layer, remember the three things in which it differs from yours:
#
# | | yours | Keras's |
# |---|---|---|
# | size | `d_model` over all heads | `key_dim` of **one** head: `d_model // num_heads` |
# | arguments | `(query, key, value)` | `(query, value, key=value)` |
# | mask | `mask`, 1 hides | `attention_mask`, `True` **may** be attended |
#
# <!-- ko -->
# ## 앞에서 만든 코드
#
# 블록 안에서는 `keras.layers.MultiHeadAttention`을 써도 됩니다. 3번 노트북에서 직접 만든 계층(layer)을 쓰고 싶다면
# 그것이 부르는 함수(`softmax`, `attention_scores`, `scaled_dot_product_attention`, `split_heads`, `merge_heads`)와 함께 여기에 붙여
# 넣으세요. 그러면 블록 전체가 여러분의 작품이 됩니다. 그 계층에 잘못이 있으면 그 자리에 올바른 계층을 넣어 블록을 채점하므로 이 노트북에서는 점수가 깎이지 않습니다. 4번
# 노트북에서 만들어 둔 것도 여기에 붙여 넣으세요. 여러분의 디코더 블록을 검사할 `leaks_future`, 그리고 쓰고 싶다면 `create_look_ahead_mask`와 `to_keras_attention_mask`입니다.
#
# 케라스의 계층을 쓴다면 여러분의 계층과 다른 세 가지를 기억하세요.
#
# | | 여러분의 계층 | 케라스의 계층 |
# |---|---|---|
# | 크기 | 모든 헤드를 합친 `d_model` | 헤드 **하나**의 `key_dim`: `d_model // num_heads` |
# | 인수 | `(query, key, value)` | `(query, value, key=value)` |
# | 마스크 | `mask`, 1은 가린다 | `attention_mask`, `True`인 곳은 볼 수 **있다** |


# %% carry_over=true
class MultiHeadAttention(keras.layers.Layer):
    """
    Multi-head attention from scratch (Vaswani et al. 2017, section 3.2.2), if you want to use your own.
    # ko: 직접 만든 멀티 헤드 어텐션(multi-head attention, Vaswani et al. 2017, 3.2.2절). 자기 것을 쓸 때 채웁니다.

    Args:
    # ko: 인수:
        d_model: width over all heads, and of the output.
        # ko: d_model: 모든 헤드를 합친 너비이자 출력의 너비.
        num_heads: number of heads.
        # ko: num_heads: 헤드의 수.
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
        """Given: no mask goes on to the next layer."""
        # ko: """주어진 코드: 다음 계층으로 넘어가는 마스크가 없습니다."""
        return None

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        """
        Project, attend with every head, project back.
        # ko: 투영(projection)하고, 헤드마다 어텐션을 계산하고, 다시 투영합니다.

        Args:
        # ko: 인수:
            query: (batch, query_len, query_input).
            key: (batch, key_len, key_input).
            value: (batch, key_len, value_input).
            mask: broadcasts to (batch, num_heads, query_len, key_len); 1 hides, 0 keeps.
            # ko: mask: (batch, num_heads, query_len, key_len)로 브로드캐스트. 1은 가리고 0은 남깁니다.
            return_attention_scores: return the attention weights too.
            # ko: return_attention_scores: 어텐션 가중치(weight)도 돌려줄지 정합니다.

        Returns:
        # ko: 반환값:
            output (batch, query_len, d_model), or with return_attention_scores the pair output,
            # ko: 출력 (batch, query_len, d_model). return_attention_scores가 참이면 그 출력과
            weights (batch, num_heads, query_len, key_len).
            # ko: 가중치 (batch, num_heads, query_len, key_len)의 쌍.
        """

        ### BEGIN SOLUTION
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
        # ko: """이 계층을 다시 만드는 인수를 돌려줍니다."""
        ### BEGIN SOLUTION
        return {**super().get_config(), "d_model": self.d_model, "num_heads": self.num_heads}
        ### END SOLUTION


def leaks_future(attend, seq_len, dim):
    """Find out whether any output depends on a later input, as in notebook 04; `attend` maps (1, seq_len, dim) to that shape."""
    # ko: """4번 노트북에서처럼, 어떤 출력이 더 뒤 위치의 입력에 의존하는지 알아냅니다. 의존하면(새면) True입니다. `attend`의 입력과 출력은 (1, seq_len, dim)입니다."""
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, seq_len, dim)).astype("float32")
    before = to_numpy(attend(x))
    for position in range(1, seq_len):
        changed = x.copy()
        changed[:, position] = rng.normal(size=dim)
        if np.abs(to_numpy(attend(changed)) - before)[:, :position].max() > 1e-5:
            return True
    return False
    ### END SOLUTION


# %% [markdown]
# ## Task 1: layer normalisation (3 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# Every token is brought to mean 0 and variance 1 **over its own features**, then stretched and shifted by two learned vectors
# (Ba, Kiros and Hinton 2016, equation 4, with the $\epsilon$ of every implementation):
#
# $$\mu = \frac{1}{d}\sum_{i=1}^{d} x_i \qquad \sigma^2 = \frac{1}{d}\sum_{i=1}^{d} (x_i - \mu)^2 \qquad
# y_i = \gamma_i\,\frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta_i$$
#
# | | shape |
# |---|---|
# | x | (..., features): any leading dimensions, usually (batch, seq_len, d_model) |
# | μ, σ² | (..., 1): one number a token |
# | γ, β | (features,): the same for all tokens |
# | result | the shape of x |
#
# Three details that decide whether the numbers are right:
#
# - the variance is the **population's**: divided by $d$, not by $d - 1$;
# - $\epsilon$ stands **inside** the root. It keeps a token whose features are all equal from becoming 0 / 0;
# - only the **last axis** is averaged. Nothing passes from one token to another.
#
# In the blocks below you may use this function (then write it with `ops`, and let γ begin with ones and β with zeros) or `keras.layers.LayerNormalization(epsilon=1e-6)`.
#
# For one token of four features, γ = 1 and β = 0: $x = (1, 2, 3, 6)$ has μ = 3 and σ² = (4 + 1 + 0 + 9) / 4 = 3.5, so
# $y = (-2, -1, 0, 3) / \sqrt{3.5} = (-1.069, -0.5345, 0, 1.6036)$.
#
# <details><summary>Hint 1: Which axis, and which shape?</summary>
#
# Mean and variance run over the last axis only. With `keepdims=True` they are (..., 1): the mean can be subtracted from `x`, and the root can divide it,
# directly.
#
# </details>
#
# <details><summary>Hint 2: Four steps</summary>
#
# Centre `x`; the mean of the squares of the centred is the population's variance; divide the centred by the root of variance plus
# $\epsilon$; then times `gamma`, plus `beta`.
#
# </details>
#
# <!-- ko -->
# ## 과제 1: 계층 정규화 (3점)
#
# *난이도 1/5, 10분쯤.*
#
# 토큰마다 **자기 특징들만으로** 평균을 0, 분산을 1로 맞춘 다음, 학습되는 두 벡터로 늘이고(곱하기) 옮깁니다(더하기)
# (Ba, Kiros, Hinton 2016, 식 4. $\epsilon$은 모든 구현에 들어 있습니다).
#
# $$\mu = \frac{1}{d}\sum_{i=1}^{d} x_i \qquad \sigma^2 = \frac{1}{d}\sum_{i=1}^{d} (x_i - \mu)^2 \qquad
# y_i = \gamma_i\,\frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta_i$$
#
# | | 모양(shape) |
# |---|---|
# | x | (..., features): 앞쪽 차원은 몇 개든 상관없다. 보통은 (batch, seq_len, d_model) |
# | μ, σ² | (..., 1): 토큰마다 수 하나 |
# | γ, β | (features,): 모든 토큰에 똑같다 |
# | 결과 | x와 같은 모양 |
#
# 값이 맞으려면 다음 세 가지를 지켜야 합니다.
#
# - 분산은 **모분산**(population variance)입니다. $d - 1$이 아니라 $d$로 나눕니다.
# - $\epsilon$은 제곱근 **안에** 있습니다. 특징이 모두 같은 토큰이 0 / 0이 되지 않게 합니다.
# - **마지막 축**(axis)을 따라서만 평균을 냅니다. 토큰끼리는 서로 섞이지 않습니다.
#
# 아래의 블록에서는 이 함수(그때는 `ops`로 작성하고, γ는 1, β는 0에서 시작하게 하세요)를 써도 되고 `keras.layers.LayerNormalization(epsilon=1e-6)`을 써도 됩니다.
#
# 특징이 네 개인 토큰 하나를 γ = 1, β = 0으로 계산해 봅시다. $x = (1, 2, 3, 6)$이면 μ = 3, σ² = (4 + 1 + 0 + 9) / 4 =
# 3.5이므로 $y = (-2, -1, 0, 3) / \sqrt{3.5} = (-1.069, -0.5345, 0, 1.6036)$입니다.
#
# <details><summary>힌트 1: 어느 축이고, 어떤 모양일까요?</summary>
#
# 평균과 분산은 마지막 축에서만 구합니다. `keepdims=True`를 주면 모양이 (..., 1)이므로, 평균을 그대로 `x`에서 빼고
# 제곱근으로 그대로 나눌 수 있습니다.
#
# </details>
#
# <details><summary>힌트 2: 네 단계</summary>
#
# `x`에서 평균을 빼고, 그것을 제곱해 평균하면 모분산입니다. 평균을 뺀 것을 (분산 + $\epsilon$)의 제곱근으로 나누고, `gamma`를 곱하고
# `beta`를 더합니다.
#
# </details>


# %% task="layer-norm"
def layer_norm(x, gamma, beta, epsilon=1e-6):
    """
    Normalise every token over its features, then scale and shift them.
    # ko: 토큰마다 자기 특징들만으로 정규화한 다음 gamma를 곱하고 beta를 더합니다.

    Args:
    # ko: 인수:
        x: (..., features).
        gamma: (features,), the scale.
        # ko: gamma: (features,), 곱하는 수.
        beta: (features,), the shift.
        # ko: beta: (features,), 더하는 수.
        epsilon: added to the variance, under the root.
        # ko: epsilon: 제곱근 안에서 분산에 더하는 수.

    Returns:
    # ko: 반환값:
        The shape of x.
        # ko: x와 같은 모양.
    """
    ### BEGIN SOLUTION
    x = ops.convert_to_tensor(x)
    gamma, beta = ops.cast(gamma, x.dtype), ops.cast(beta, x.dtype)
    centred = x - ops.mean(x, axis=-1, keepdims=True)
    variance = ops.mean(ops.square(centred), axis=-1, keepdims=True)
    return gamma * centred / ops.sqrt(variance + epsilon) + beta
    ### END SOLUTION


# %% grade="layer-norm" points=3
@checking("layer_norm")
def _check(check):
    token = np.array([[1.0, 2.0, 3.0, 6.0]])
    ones, zeros = np.ones(4), np.zeros(4)
    centred = np.array([[-2.0, -1.0, 0.0, 3.0]])
    by_hand = centred / np.sqrt(3.5)
    normalised = layer_norm(token.copy(), ones, zeros)
    check.shape(normalised, (1, 4), "(..., features)")
    check.close(
        normalised,
        by_hand,
        "the token (1, 2, 3, 6)",
        # ko: "토큰 (1, 2, 3, 6)",
        hints={
            "the squares were added up, but not divided by d: the variance is their mean.": centred / np.sqrt(14),
            # ko: "제곱을 더하기만 하고 d로 나누지 않았습니다. 분산은 제곱의 평균입니다.": centred / np.sqrt(14),
            "the mean of the squares of x was taken. The variance is that of x less its mean.": centred / np.sqrt(12.5),
            # ko: "x의 제곱을 평균했습니다. 분산은 x에서 평균을 뺀 것을 제곱해 평균한 값입니다.": centred / np.sqrt(12.5),
            "each feature was divided by its own size. Take the mean of the squares: a token has one variance.": np.sign(centred),
            # ko: "특징을 저마다 자기 크기로 나누었습니다. 제곱을 평균하세요. 분산은 토큰마다 수 하나입니다.": np.sign(centred),
            "the variance was divided by d - 1; it should be divided by d.": centred / np.sqrt(14 / 3),
            # ko: "분산을 구할 때 d - 1로 나누었습니다. d로 나누어야 합니다.": centred / np.sqrt(14 / 3),
            "it was divided by the variance, not by its root.": centred / 3.5,
            # ko: "분산의 제곱근이 아니라 분산으로 나누었습니다.": centred / 3.5,
            "the features are not centred: the mean is to be taken off.": token / np.sqrt(3.5),
            # ko: "특징의 중심을 맞추지 않았습니다. 평균을 빼야 합니다.": token / np.sqrt(3.5),
            "all ones, gamma without the token: gamma and beta have changed places.": np.ones((1, 4)),
            # ko: "값이 모두 1입니다. 토큰은 사라지고 gamma만 남았습니다. gamma와 beta가 뒤바뀌었습니다.": np.ones((1, 4)),
            "all zeros. Was the mean taken along the wrong axis?": np.zeros((1, 4)),
            # ko: "모두 0입니다. 엉뚱한 축으로 평균을 내지 않았나요?": np.zeros((1, 4)),
        },
    )
    gamma, beta = np.array([1.0, 2.0, 3.0, 4.0]), np.array([10.0, 20.0, 30.0, 40.0])
    check.close(
        layer_norm(token.copy(), gamma, beta),
        gamma * by_hand + beta,
        "scaled by gamma and shifted by beta",
        # ko: "gamma를 곱하고 beta를 더한 결과",
        hints={
            "gamma has no effect.": by_hand + beta,
            # ko: "gamma가 쓰이지 않았습니다.": by_hand + beta,
            "neither gamma nor beta has an effect.": by_hand,
            # ko: "gamma도 beta도 쓰이지 않았습니다.": by_hand,
            "beta has no effect.": gamma * by_hand,
            # ko: "beta가 쓰이지 않았습니다.": gamma * by_hand,
            "the order is: scale by gamma, then add beta.": gamma * (by_hand + beta),
            # ko: "순서는 gamma를 먼저 곱하고 나서 beta를 더하는 것입니다.": gamma * (by_hand + beta),
        },
    )
    tokens = token * np.array([[1.0, 10.0], [5.0, 2.0]])[:, :, None]  # 2 sequences of 2 tokens each
    # ko: tokens = token * np.array([[1.0, 10.0], [5.0, 2.0]])[:, :, None]  # 토큰 2개짜리 시퀀스 2개

    def along(axis):
        return (tokens - tokens.mean(axis=axis, keepdims=True)) / tokens.std(axis=axis, keepdims=True)

    check.close(
        layer_norm(tokens.copy(), ones, zeros),
        np.broadcast_to(by_hand, tokens.shape),
        "tokens that are 1, 10, 5 and 2 times another: the same result",
        # ko: "한 토큰의 1배, 10배, 5배, 2배인 토큰들: 결과는 같다",
        hints={
            "mean and variance were taken over the tokens. They are taken over the features of each token, the last axis.": along(1),
            # ko: "토큰들에 걸쳐 평균과 분산을 구했습니다. 토큰마다 그 특징들, 곧 마지막 축에서 구하세요.": along(1),
            "mean and variance were taken over the whole array. Each token has its own.": along(None),
            # ko: "배열 전체에서 평균과 분산을 구했습니다. 토큰마다 따로 구해야 합니다.": along(None),
            "mean and variance were taken over a whole sequence. Each token has its own.": along((1, 2)),
            # ko: "시퀀스 전체에서 평균과 분산을 구했습니다. 토큰마다 따로 구해야 합니다.": along((1, 2)),
            "mean and variance were taken over the batch too. Each token has its own, over the last axis alone.": along((0, 2)),
            # ko: "배치에 걸쳐서도 평균과 분산을 구했습니다. 토큰마다 마지막 축에서만 따로 구해야 합니다.": along((0, 2)),
            "mean and variance were taken over batch and tokens. They are taken over the features of each token, the last axis.": along((0, 1)),
            # ko: "배치와 토큰들에 걸쳐 평균과 분산을 구했습니다. 토큰마다 그 특징들, 곧 마지막 축에서 구하세요.": along((0, 1)),
        },
    )
    check.close(
        layer_norm(token.copy(), ones, zeros, epsilon=2.0),
        centred / np.sqrt(5.5),
        "epsilon 2",
        # ko: "epsilon이 2일 때",
        hints={
            "epsilon was added to the standard deviation. It stands under the root.": centred / (np.sqrt(3.5) + 2),
            # ko: "epsilon을 표준편차에 더했습니다. 제곱근 안에 있어야 합니다.": centred / (np.sqrt(3.5) + 2),
            "epsilon was squared. It is added to the variance as it is.": centred / np.sqrt(7.5),
            # ko: "epsilon을 제곱했습니다. 분산에 그대로 더하면 됩니다.": centred / np.sqrt(7.5),
            "epsilon has no effect here. It is added to the variance, whatever the variance is.": by_hand,
            # ko: "여기서 epsilon이 아무 영향을 주지 않았습니다. 분산이 얼마이든 거기에 더해야 합니다.": by_hand,
        },
    )
    check.close(
        layer_norm(np.array([[10.0, 20.0, 40.0]]), np.ones(3), np.zeros(3)),
        np.array([[-4.0, -1.0, 5.0]]) / np.sqrt(14),
        "a token of three features, (10, 20, 40)",
        # ko: "특징이 세 개인 토큰 (10, 20, 40)",
        hints={
            "the mean was rounded to a whole number.": np.array([[-13.0, -3.0, 17.0]]) / np.sqrt(467 / 3),
            # ko: "평균을 정수로 반올림하거나 버렸습니다.": np.array([[-13.0, -3.0, 17.0]]) / np.sqrt(467 / 3),
        },
        otherwise="Does a number of features stand in your code, as 4 does in the example? Or is something rounded to a whole number?",
        # ko: otherwise="예제의 4처럼 특징의 수를 코드에 그대로 적지 않았나요? 아니면 정수로 반올림하는 곳이 있나요?",
    )
    check.close(
        layer_norm(token / 100, ones, zeros),
        centred / 100 / np.sqrt(0.00035 + 1e-6),
        "a hundredth of the token: epsilon is 1e-6 unless another is asked for",
        # ko: "토큰을 100으로 나누었을 때: epsilon은 따로 정하지 않으면 1e-6이다",
        hints={
            "the default of epsilon is 1e-3 here, as Keras has it.": centred / 100 / np.sqrt(0.00035 + 1e-3),
            # ko: "epsilon의 기본값이 케라스처럼 1e-3입니다.": centred / 100 / np.sqrt(0.00035 + 1e-3),
            "the default of epsilon is 1e-5 here.": centred / 100 / np.sqrt(0.00035 + 1e-5),
            # ko: "epsilon의 기본값이 1e-5입니다.": centred / 100 / np.sqrt(0.00035 + 1e-5),
        },
        otherwise="Is the default of `epsilon` 1e-6, as it was given?",
        # ko: otherwise="`epsilon`의 기본값을 주어진 1e-6 그대로 두었나요?",
    )
    check.close(layer_norm(np.full((1, 4), 7.0), ones, beta), [beta], "equal features give beta, not NaN")
    # ko: check.close(layer_norm(np.full((1, 4), 7.0), ones, beta), [beta], "특징이 모두 같으면 NaN이 아니라 beta")
_check

# %%
# Three tokens of very different mean and spread, before and after.
# ko: # 크기와 중심이 아주 다른 세 토큰, 정규화하기 전과 후.
@demonstrate
def _demo():
    rng = np.random.default_rng(0)
    three_tokens = rng.normal(size=(3, 256)) * [[0.3], [2.0], [1.0]] + [[2.0], [-1.0], [6.0]]
    after = to_numpy(layer_norm(three_tokens, np.ones(256), np.zeros(256)))
    figure, axes = plt.subplots(1, 2, figsize=(10, 3), sharey=True, layout="constrained")
    for ax, tokens, title in ((axes[0], three_tokens, "three tokens"), (axes[1], after, "after layer_norm")):
    # ko: for ax, tokens, title in ((axes[0], three_tokens, "세 토큰 (tokens)"), (axes[1], after, "layer_norm을 거친 뒤")):
        for number, features in enumerate(tokens):
            ax.hist(
                features,
                bins=np.linspace(-8, 10, 73),
                alpha=0.6,
                label=f"token {number}: {features.mean().round(1) + 0:.1f} ± {features.std():.1f}",
                # ko: label=f"토큰 {number}: {features.mean().round(1) + 0:.1f} ± {features.std():.1f}",
            )
        ax.set(title=title, xlabel="value of a feature", ylabel="features")
        # ko: ax.set(title=title, xlabel="특징의 값 (value)", ylabel="특징의 개수 (features)")
        ax.legend(loc="upper left", fontsize=8)
    plt.show()

# %% [markdown]
# > **Does this hold?** *"`keras.layers.LayerNormalization()` computes this."* And a widely read implementation that divides by `x.std() + eps`, where `std` is
# > the *sample's*? The cell compares both with yours, for tokens of 8 features from very small to large. Guess first: at which sizes is the first far from yours, and at which the second?
#
# <!-- ko -->
# > **정말 그럴까?** *"`keras.layers.LayerNormalization()`이 계산하는 것이 바로 이것이다."* 그리고 널리 읽히는 한 구현은 `x.std() + eps`로 나누는데 이 `std`는
# > *표본*표준편차입니다. 다음 셀은 특징이 8개인 토큰을 아주 작은 것부터 큰 것까지 넣어 둘을 여러분의 값과 비교합니다. 먼저 짐작해 보세요. 첫째와 둘째는 저마다 어떤 크기의 토큰에서 여러분의 값과 많이 다를까요?

# %%
@demonstrate
def _demo():
    sizes = np.logspace(-3, 1, 41)
    rng = np.random.default_rng(1)
    some_token = rng.normal(size=(1, 8))
    some_token = (some_token - some_token.mean()) / some_token.std()
    right = np.stack([to_numpy(layer_norm(size * some_token, np.ones(8), np.zeros(8)))[0] for size in sizes])
    others = {"epsilon 1e-3 (Keras's default)": [], "sample deviation, epsilon added to it": []}
    # ko: others = {"epsilon 1e-3 (케라스의 기본값)": [], "표본표준편차에 더한 epsilon (sample)": []}
    for size in sizes:
        centred = size * (some_token - some_token.mean())
        others["epsilon 1e-3 (Keras's default)"].append((centred / np.sqrt((centred**2).mean() + 1e-3))[0])
        # ko: others["epsilon 1e-3 (케라스의 기본값)"].append((centred / np.sqrt((centred**2).mean() + 1e-3))[0])
        others["sample deviation, epsilon added to it"].append((centred / (centred.std(ddof=1) + 1e-6))[0])
        # ko: others["표본표준편차에 더한 epsilon (sample)"].append((centred / (centred.std(ddof=1) + 1e-6))[0])
    figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
    for name, wrong in others.items():
        ax.loglog(sizes, np.abs(np.stack(wrong) - right).max(axis=1), label=name)
    ax.loglog(sizes, 1e-4 + 1e-4 * np.abs(right).max(axis=1), color="grey", linestyle=":", label="what a check lets pass")
    # ko: ax.loglog(sizes, 1e-4 + 1e-4 * np.abs(right).max(axis=1), color="grey", linestyle=":", label="검사가 허용하는 오차")
    ax.set(title="How far from the right value?", xlabel="size of the features", ylabel="largest difference")
    # ko: ax.set(title="올바른 값에서 얼마나 벗어나는가?", xlabel="특징의 크기 (size)", ylabel="가장 큰 차이 (difference)")
    ax.legend(fontsize=8)
    plt.show()

# %% [markdown]
# > **What is right.** Nearly. Its default ε is **1e-3**, a thousand times that of the paper's code (1e-6). For features of size 1 it changes
# > every number of the result by 0.05 % (the one furthest from 0 is 2.1 here, so the curve shows 0.001); for small features, say of an embedding table, which Keras fills with numbers up to 0.05, it is a different
# > function. So write `LayerNormalization(epsilon=1e-6)`. The same goes for copied code: the other one has
# > two differences at once, the sample's deviation and an ε outside of the root. (The sample's deviation
# > is 7 % too large here, so the curve stands at 0.14 from a size of about 0.02 on; with 512 features it would be 0.1 %. The curve has a notch where the two differences happen to cancel.)
#
# <!-- ko -->
# > **맞는 설명.** 거의 그렇습니다. 다만 ε의 기본값이 **1e-3**으로, 논문을 구현한 코드(1e-6)의 천 배입니다. 특징의 크기가 1이면
# > 값마다 0.05%씩 달라질 뿐이지만(여기서는 0에서 가장 먼 수의 크기가 2.1이므로 곡선에서는 0.001입니다), 케라스가 -0.05와 0.05 사이의 수로 초기화하는 임베딩(embedding) 표처럼 특징이 작으면 아예 다른 함수가
# > 됩니다. 그러니 `LayerNormalization(epsilon=1e-6)`이라고 쓰세요. 베껴 온 코드도 조심해야 합니다. 앞에서 말한 다른 구현은
# > 표본표준편차와 제곱근 밖의 ε, 두 가지가 한꺼번에 다릅니다. (여기서 표본표준편차는 7% 크고, 그래서 곡선은 크기가 0.02쯤부터 0.14입니다. 특징이 512개라면 0.1%만 큽니다. 곡선이 움푹
# > 팬 곳에서는 두 차이가 우연히 서로 지워집니다.)

# %% [markdown]
# ## Task 2: the feed-forward network (3 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# Between two attentions each token is worked on by itself, all with the same two dense layers (Vaswani et al. 2017,
# section 3.3):
#
# $$\mathrm{FFN}(x) = \max(0,\; x W_1 + b_1)\, W_2 + b_2$$
#
# | step | shape |
# |---|---|
# | x | (batch, seq_len, d_model) |
# | dense with ReLU | (batch, seq_len, ff_dim) |
# | **dropout** | (batch, seq_len, ff_dim) |
# | dense, no activation | (batch, seq_len, d_model) |
#
# The hidden layer is wide (four times `d_model` in the paper), so about two thirds of an encoder block's parameters, and
# half of a decoder block's, are here. Without the ReLU the two layers would be one.
#
# **Dropout** works in training only: each hidden unit is set to 0 with probability `dropout`, and the others are divided by
# `1 - dropout`, so that the mean stays. `keras.layers.Dropout` does both, and knows from Keras whether it is training: call
# your layer with `training=True` and every layer inside learns of it. `get_config` returns the constructor's arguments on top of what
# `super().get_config()` gives.
#
# <details><summary>Hint 1: What is made where?</summary>
#
# `Dense(ff_dim, activation="relu")`, `Dropout` and `Dense(d_model)` are made in `__init__`; `call` passes `x` through them in this
# order. Keras hands `training` on to the dropout by itself.
#
# </details>
#
# <details><summary>Hint 2: What does get_config return?</summary>
#
# What `super().get_config()` returns, and the three arguments of `__init__` under their names. So keep the *rate* under a name of its
# own: an attribute that holds the dropout layer is no number.
#
# </details>
#
# <!-- ko -->
# ## 과제 2: 피드포워드 신경망 (3점)
#
# *난이도 2/5, 20분쯤.*
#
# 블록마다 어텐션이 끝나면 토큰을 하나씩 따로 처리합니다. 모든 토큰에 똑같은 완전 연결 계층 두 개를 씁니다 (Vaswani et al.
# 2017, 3.3절).
#
# $$\mathrm{FFN}(x) = \max(0,\; x W_1 + b_1)\, W_2 + b_2$$
#
# | 단계 | 모양 |
# |---|---|
# | x | (batch, seq_len, d_model) |
# | ReLU가 있는 완전 연결 계층 | (batch, seq_len, ff_dim) |
# | **드롭아웃**(dropout) | (batch, seq_len, ff_dim) |
# | 활성화 함수(activation)가 없는 완전 연결 계층 | (batch, seq_len, d_model) |
#
# 은닉층은 넓습니다(논문에서는 `d_model`의 네 배). 그래서 인코더 블록 파라미터의 약 3분의 2, 디코더 블록 파라미터의 약
# 절반이 여기에 있습니다. ReLU가 없으면 두 계층은 한 계층이나 다름없습니다.
#
# **드롭아웃**은 학습할 때만 작동합니다. 은닉 유닛은 각각 확률 `dropout`으로 0이 되고, 나머지는 `1 - dropout`으로
# 나누어 평균을 그대로 유지합니다. `keras.layers.Dropout`이 두 가지를 모두 하며, 지금 학습(training) 중인지도
# 케라스가 알려 줍니다. 여러분의 계층을 `training=True`로 호출하면 그 값이 그 안의 모든 계층에 전달됩니다. `get_config`는
# `super().get_config()`가 주는 것에 생성자의 인수를 더해 돌려줍니다.
#
# <details><summary>힌트 1: 무엇을 어디에서 만들까요?</summary>
#
# `Dense(ff_dim, activation="relu")`, `Dropout`, `Dense(d_model)`을 `__init__`에서 만들고, `call`에서 `x`를 이 순서로 통과시킵니다.
# `training`은 케라스가 알아서 드롭아웃에 전합니다.
#
# </details>
#
# <details><summary>힌트 2: get_config는 무엇을 돌려줄까요?</summary>
#
# `super().get_config()`가 돌려주는 것에 `__init__`의 세 인수를 그 이름으로 더합니다. 그러니 드롭아웃 *비율*을 따로 두세요. 드롭아웃
# 계층이 든 속성은 수가 아닙니다.
#
# </details>


# %% task="feed-forward"
class FeedForward(keras.layers.Layer):
    """
    Dense with ReLU, dropout, dense: at each position by itself (Vaswani et al. 2017, section 3.3, there without the dropout).
    # ko: ReLU가 있는 완전 연결, 드롭아웃, 완전 연결: 위치마다 따로 (Vaswani et al. 2017, 3.3절. 거기에는 드롭아웃이 없음).

    Args:
    # ko: 인수:
        ff_dim: hidden units.
        # ko: ff_dim: 은닉 유닛의 수.
        d_model: features of the output.
        # ko: d_model: 출력의 특징 수.
        dropout: share of the hidden units that are set to 0 in training.
        # ko: dropout: 학습할 때 0이 되는 은닉 유닛의 비율.
    """

    def __init__(self, ff_dim, d_model, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        self.ff_dim = ff_dim
        self.d_model = d_model
        self.rate = dropout
        self.hidden = keras.layers.Dense(ff_dim, activation="relu")
        self.dropout = keras.layers.Dropout(dropout)
        self.output_dense = keras.layers.Dense(d_model)
        ### END SOLUTION

    def call(self, x):
        """
        Work on every token.
        # ko: 토큰마다 계산합니다.

        Args:
        # ko: 인수:
            x: (batch, seq_len, d_model).

        Returns:
        # ko: 반환값:
            (batch, seq_len, d_model).
        """
        ### BEGIN SOLUTION
        return self.output_dense(self.dropout(self.hidden(x)))
        ### END SOLUTION

    def get_config(self):
        """Return the arguments that make this layer again."""
        # ko: """이 계층을 다시 만드는 인수를 돌려줍니다."""
        ### BEGIN SOLUTION
        return {**super().get_config(), "ff_dim": self.ff_dim, "d_model": self.d_model, "dropout": self.rate}
        ### END SOLUTION


# %% grade="feed-forward" points=3
@checking("FeedForward")
def _check(check):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(2, 5, 6)).astype("float32")
    layer = FeedForward(20, 6, dropout=0.3)
    check.shape(layer(x), (2, 5, 6), "(batch, seq_len, d_model)", otherwise="The first dense layer has ff_dim units, the second d_model.")
    # ko: check.shape(layer(x), (2, 5, 6), "(batch, seq_len, d_model)", otherwise="첫째 완전 연결 계층의 유닛은 ff_dim개, 둘째의 유닛은 d_model개입니다.")
    count = layer.count_params()
    check.true(
        count == 6 * 20 + 20 + 20 * 6 + 6,
        "two dense layers with biases: 266 parameters",
        # ko: "편향(bias)이 있는 완전 연결 계층 두 개: 파라미터 266개",
        f"it has {count} parameters; 6 to 20 and 20 to 6 with biases are 266. Are both dense layers made in `__init__` and called?",
        # ko: f"파라미터가 {count}개입니다. 6에서 20으로, 20에서 6으로, 편향까지 266개여야 합니다. 완전 연결 계층 두 개를 모두 `__init__`에서 만들고 호출하나요?",
    )
    other = FeedForward(5, 3)
    check.shape(other(x[..., :3]), (2, 5, 3), "(batch, seq_len, d_model) for d_model 3 and ff_dim 5")
    # ko: check.shape(other(x[..., :3]), (2, 5, 3), "d_model이 3, ff_dim이 5일 때 (batch, seq_len, d_model)")
    check.true(
        other.count_params() == 38,
        "38 parameters for d_model 3 and ff_dim 5",
        # ko: "d_model이 3, ff_dim이 5이면 파라미터 38개",
        f"it has {other.count_params()} parameters, but 38 are right for d_model 3 and ff_dim 5. Does a size stand in the layer as a number?",
        # ko: f"파라미터가 {other.count_params()}개인데 d_model이 3, ff_dim이 5이면 38개여야 합니다. 계층 안에 크기를 수로 적어 두지 않았나요?",
    )
    for weight in layer.weights:
        weight.assign(0.3 * rng.normal(size=weight.shape) + 0.1)
    _check_drops_in_training_alone(check, lambda **options: layer(x, **options))
    check.close(
        layer(x[:, 2:3]),
        to_numpy(layer(x))[:, 2:3],
        "a token's result doesn't depend on the others",
        # ko: "토큰의 결과는 다른 토큰의 영향을 받지 않는다",
        otherwise="Here it does: a token alone gives another result than among others.",
        # ko: otherwise="여기서는 토큰 하나만 넣을 때와 다른 토큰들과 함께 넣을 때의 결과가 다릅니다.",
    )
    by_shape = {tuple(n for n in w.shape if n > 1): to_numpy(w).squeeze() for w in layer.weights}
    shapes = ((6, 20), (20,), (20, 6), (6,))
    if set(by_shape) == set(shapes):  # weights kept in another form are compared when this is graded
    # ko: if set(by_shape) == set(shapes):  # 다른 모양으로 둔 가중치는 채점할 때 비교합니다
        kernel_1, bias_1, kernel_2, bias_2 = (by_shape[shape] for shape in shapes)
        turned = np.maximum(x @ kernel_2.T + bias_1, 0) @ kernel_1.T + bias_2
        is_turned = np.allclose(to_numpy(layer(x)), turned, atol=1e-4)  # kernels kept as (out, in)
        # ko: is_turned = np.allclose(to_numpy(layer(x)), turned, atol=1e-4)  # 커널을 (out, in)으로 둔 경우
        if is_turned:
            kernel_1, kernel_2 = kernel_2.T, kernel_1.T
        inner = x @ kernel_1 + bias_1
        check.close(
            layer(x),
            np.maximum(inner, 0) @ kernel_2 + bias_2,
            "max(0, x W1 + b1) W2 + b2",
            hints={
                "there is no ReLU between the two layers.": inner @ kernel_2 + bias_2,
                # ko: "두 계층 사이에 ReLU가 없습니다.": inner @ kernel_2 + bias_2,
                "the ReLU comes last. It stands between the two layers.": np.maximum(inner @ kernel_2 + bias_2, 0),
                # ko: "ReLU가 맨 끝에 있습니다. 두 계층 사이에 있어야 합니다.": np.maximum(inner @ kernel_2 + bias_2, 0),
                "there are two ReLUs. The second layer has none.": np.maximum(np.maximum(inner, 0) @ kernel_2 + bias_2, 0),
                # ko: "ReLU가 둘입니다. 둘째 계층에서는 빼세요.": np.maximum(np.maximum(inner, 0) @ kernel_2 + bias_2, 0),
                "x is added. The residual isn't part of this network: the block adds it.": x + np.maximum(inner, 0) @ kernel_2 + bias_2,
                # ko: "x를 더했습니다. 여기서는 더하지 않습니다. 잔차는 블록에서 더합니다.": x + np.maximum(inner, 0) @ kernel_2 + bias_2,
                "the activation function between the two layers is GELU. It should be ReLU.": to_numpy(keras.activations.gelu(inner)) @ kernel_2 + bias_2,
                # ko: "두 계층 사이의 활성화 함수가 GELU입니다. ReLU여야 합니다.": to_numpy(keras.activations.gelu(inner)) @ kernel_2 + bias_2,
            },
            otherwise="Is the activation function between the two layers ReLU, max(0, x), and is nothing else computed?",
            # ko: otherwise="두 계층 사이의 활성화 함수가 ReLU, 곧 max(0, x)인가요? 그 밖에 다른 것을 계산하지는 않나요?",
        )
    zeros = np.mean(to_numpy(layer(x, training=True)) == 0)
    check.true(
        zeros < 0.1,
        "dropout doesn't come last: hardly any output is 0 in training",
        # ko: "드롭아웃이 맨 끝에 있지 않다: 학습할 때 0인 출력이 거의 없다",
        f"in training {zeros:.0%} of the outputs are exactly 0. Put nothing behind the second layer: dropout and ReLU belong in front of it.",
        # ko: f"학습할 때 출력의 {zeros:.0%}가 정확히 0입니다. 둘째 계층 뒤에는 아무것도 두지 마세요. 드롭아웃과 ReLU는 그 앞에 둡니다.",
    )
    one_feature = np.zeros((1, 200, 6), "float32")
    one_feature[..., 0] = 3.0
    different = len(np.unique(to_numpy(layer(one_feature, training=True))[0].round(4), axis=0))
    check.true(
        different > 1,
        "tokens of a sequence lose different hidden units",
        # ko: "한 시퀀스에서도 토큰마다 다른 은닉 유닛이 0이 된다",
        "200 equal tokens give equal outputs in training: all tokens of a sequence lose the same units. Dropout decides about each number by itself.",
        # ko: "똑같은 토큰 200개를 학습할 때처럼 넣었는데 출력도 똑같습니다. 한 시퀀스의 모든 토큰에서 같은 유닛이 0이 됩니다. 드롭아웃은 수마다 따로 정합니다.",
    )
    check.true(
        different > 20,
        "hidden units are dropped, not the features that come in",
        # ko: "들어오는 특징이 아니라 은닉 유닛에 드롭아웃을 적용한다",
        f"200 equal tokens give only {different} different outputs in training: dropout stands before the first layer, or all hidden units of a token are dropped at once, or the rate isn't `dropout`. It belongs behind the ReLU, and decides about each number by itself.",
        # ko: f"똑같은 토큰 200개를 학습할 때처럼 넣었는데 서로 다른 출력이 {different}가지뿐입니다. 드롭아웃이 첫째 계층 앞에 있거나, 한 토큰의 은닉 유닛이 한꺼번에 0이 되거나, 비율이 `dropout`이 아닙니다. 드롭아웃은 ReLU 뒤에 두고 수마다 따로 정하게 하세요.",
    )
    often = to_numpy(layer(np.tile(x[:1, :1], (200, 100, 1)), training=True))
    check.true(
        len(np.unique(often[:, 0].round(4), axis=0)) > 1,
        "sequences of a batch lose different hidden units",
        # ko: "한 배치에서도 시퀀스마다 다른 은닉 유닛이 0이 된다",
        "200 equal sequences give equal outputs in training: all sequences of a batch lose the same units. Dropout decides about each number by itself.",
        # ko: "똑같은 시퀀스 200개를 학습할 때처럼 넣었는데 출력도 똑같습니다. 한 배치의 모든 시퀀스에서 같은 유닛이 0이 됩니다. 드롭아웃은 수마다 따로 정합니다.",
    )
    often = often.reshape(20000, 6)
    # of means over 20000 tokens none is off by eight standard deviations
    # ko: # 토큰 20000개의 평균이 표준편차의 여덟 배나 벗어나지는 않습니다
    check.true(
        (np.abs(often.mean(axis=0) - to_numpy(layer(x))[0, 0]) < 8 * often.std(axis=0) / 20000**0.5 + 1e-3).all(),
        "training gives the same on average",
        # ko: "학습할 때도 평균은 같다",
        "over 20000 equal tokens the mean in training isn't what comes outside training: what is kept has to be divided by `1 - dropout`, as `keras.layers.Dropout` does. Or is something dropped before the first layer, too?",
        # ko: "똑같은 토큰 20000개에서 구한 학습할 때의 평균이 학습이 아닐 때와 다릅니다. 남은 값은 `keras.layers.Dropout`처럼 `1 - dropout`으로 나누어야 합니다. 아니면 첫째 계층 앞에도 드롭아웃이 있지 않나요?",
    )
    if set(by_shape) == set(shapes):
        # all hidden units are 1, and six of them come out as they are
        # ko: # 은닉 유닛은 모두 1이고, 그 가운데 여섯이 그대로 나옵니다
        second = (6, 20) if is_turned else (20, 6)
        values = {(20,): np.ones(20), second: np.eye(*second)}
        for weight in layer.weights:
            weight.assign(np.reshape(values.get(_long_axes(weight), np.zeros(weight.shape)), weight.shape))
        dropped = np.mean(to_numpy(layer(np.tile(x[:1, :1], (40, 50, 1)), training=True)) == 0)
        check.true(
            0.25 < dropped < 0.35,
            "with a dropout of 0.3 a hidden unit is 0 in about 30% of the tokens",
            # ko: "드롭아웃 비율이 0.3이면 은닉 유닛은 토큰의 30%쯤에서 0이다",
            f"with a dropout of 0.3 a hidden unit is 0 in {dropped:.0%} of 2000 tokens in training, and should be in about 30% of them. Is the rate `dropout`, is there one dropout, and does it set to 0?",
            # ko: f"드롭아웃 비율이 0.3이면 학습할 때 은닉 유닛이 토큰 2000개의 30%쯤에서 0이어야 하는데 {dropped:.0%}에서 0입니다. 비율이 `dropout`이고, 드롭아웃이 하나이고, 값을 0으로 만드나요?",
        )
    copy = FeedForward.from_config(layer.get_config())
    check.shape(copy(x), (2, 5, 6), "the output of the layer made from the config")
    # ko: check.shape(copy(x), (2, 5, 6), "config로 만든 계층의 출력")
    without_dropout = FeedForward(ff_dim=20, d_model=6, dropout=0.0)
    check.close(
        without_dropout(x, training=True),
        to_numpy(without_dropout(x)),
        "with dropout 0.0 nothing is dropped in training either",
        # ko: "드롭아웃 비율이 0.0이면 학습할 때도 드롭아웃이 없다",
        otherwise="Is the rate the argument `dropout`?",
        # ko: otherwise="인수 `dropout`을 비율로 쓰나요?",
    )
    check.survives_config(
        without_dropout,
        lambda layer: layer(x, training=True),
        "made again from its config with dropout 0.0, it drops nothing in training",
        # ko: "드롭아웃 비율이 0.0인 계층을 config로 다시 만들면 학습할 때도 드롭아웃이 없다",
        otherwise="Does get_config return `dropout`?",
        # ko: otherwise="get_config가 `dropout`을 돌려주나요?",
    )
    check.notes_config(FeedForward, ff_dim=20, d_model=6)
    check.compiles(lambda x: layer(x, training=True), x, required=False, open_batch=True)
_check

# %%
# What the hidden units do: about half are off, other ones for each token, and training switches off some more.
# ko: # 은닉 유닛이 하는 일: 절반쯤은 꺼져 있고(어느 것인지는 토큰마다 다릅니다), 학습할 때는 더 꺼집니다.
@demonstrate
def _demo():
    keras.utils.set_random_seed(2)
    feed_forward = FeedForward(ff_dim=32, d_model=8, dropout=0.3)
    sentence = np.random.default_rng(2).normal(size=(1, 6, 8)).astype("float32")
    feed_forward(sentence)
    kernels = [to_numpy(w) for w in feed_forward.weights if tuple(w.shape)[-2:] == (8, 32)]
    kernels.append(np.random.default_rng(2).normal(scale=0.22, size=(8, 32)))  # where weights have another form: a similar one
    # ko: kernels.append(np.random.default_rng(2).normal(scale=0.22, size=(8, 32)))  # 가중치의 모양이 다르면 비슷한 커널로 그립니다
    first_kernel = kernels[0].reshape(8, 32)
    hidden_units = np.maximum(sentence[0] @ first_kernel, 0)
    kept = np.random.default_rng(3).uniform(size=hidden_units.shape) >= 0.3
    figure, axes = plt.subplots(2, 1, figsize=(9, 4.2), sharex=True, layout="constrained")
    for ax, units, title in (
        (axes[0], hidden_units, "hidden units after the ReLU"),
        # ko: (axes[0], hidden_units, "ReLU를 거친 은닉 유닛 (hidden units)"),
        (axes[1], hidden_units * kept / 0.7, "the same in training, 30% dropped, the others divided by 0.7"),
        # ko: (axes[1], hidden_units * kept / 0.7, "학습할 때 (training), 30%를 0으로 만들고 나머지는 0.7로 나눈다"),
    ):
        image = ax.imshow(np.ma.masked_equal(units, 0), cmap="YlOrBr", vmin=0, vmax=3, aspect="auto")
        ax.set_facecolor("#3d4a5c")
        ax.set(title=f"{title}: {np.mean(units == 0):.0%} are 0", ylabel="token")
        # ko: ax.set(title=f"{title}: {np.mean(units == 0):.0%}가 0", ylabel="토큰 (token)")
    axes[1].set_xlabel("hidden unit (dark grey: off)")
    # ko: axes[1].set_xlabel("은닉 유닛 (hidden unit), 짙은 회색은 꺼진 것")
    figure.colorbar(image, ax=axes, label="value")
    # ko: figure.colorbar(image, ax=axes, label="값 (value)")
    plt.show()
    outputs = np.concatenate([to_numpy(feed_forward(np.repeat(sentence, 500, axis=0), training=True)) for _ in range(4)])
    print(f"output of token 0, feature 0, without dropout: {to_numpy(feed_forward(sentence))[0, 0, 0]:.3f}")
    # ko: print(f"0번 토큰의 0번 특징, 드롭아웃이 없을 때: {to_numpy(feed_forward(sentence))[0, 0, 0]:.3f}")
    spread = outputs[:, 0, 0].std() / 2000**0.5
    print(f"mean over 2000 drops:                          {outputs[:, 0, 0].mean():.3f} ± {spread:.3f}")
    # ko: print(f"드롭아웃을 2000번 했을 때의 평균:      {outputs[:, 0, 0].mean():.3f} ± {spread:.3f}")

# %% [markdown]
# ## Task 3: the encoder block (5 points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# Two sublayers, each with a **residual connection** around it: what a sublayer computes is *added* to what came in. The
# normalisation stands in one of two places:
#
# ![In pre-norm, x is normalised, goes through the sublayer and dropout, and is added to x; in post-norm the normalisation stands behind the sum.](../_shared/diagrams/block-orders.svg)
#
# | | self-attention | feed-forward |
# |---|---|---|
# | pre-norm | $x \leftarrow x + D(\mathrm{Att}(N_1(x)))$ | $x \leftarrow x + D(\mathrm{FFN}(N_2(x)))$ |
# | post-norm, as in the paper | $x \leftarrow N_1(x + D(\mathrm{Att}(x)))$ | $x \leftarrow N_2(x + D(\mathrm{FFN}(x)))$ |
#
# $N_1, N_2$: two layer normalisations, each with its own γ and β and ε = 1e-6. $D$: dropout. $\mathrm{Att}(x)$ is
# self-attention: queries, keys and values all come from the same tensor, in pre-norm the *normalised* one. The residual is
# what came in **before** the normalisation. Dropout stands where the picture has it and inside the feed-forward network (task 2); the attention *weights* get none (not checked). In this block an attention that has its dropout on its weights or on what it reads, and none behind it, passes the public check with a ⚠, but may cost points.
#
# **The mask** arrives in the convention of this course (1 hides) as `(batch, 1, 1, seq_len)`, `(seq_len, seq_len)` or
# `(batch, 1, seq_len, seq_len)`. Keras's `attention_mask` means the opposite. Flip it. (Three axes, as in notebook 04,
# are what Keras documents; its layer also takes two or four and broadcasts by itself.)
#
# `compute_mask` is given. Keras takes every argument called `mask` for a mask of its own; this method tells it that no mask goes on to the next
# layer. You write `get_config`, which makes the block savable.
#
# <details><summary>Beyond this course: tensors that carry a mask of Keras's own</summary>
#
# If the memory carries a mask of Keras's own, in which True keeps, Keras hands it to the decoder block as `memory_mask`. What comes from your encoder blocks carries none. And where `x` carries one, as behind `Embedding(mask_zero=True)`, Keras hands it to the block as `mask`, in its own convention: this course uses no such layers.
#
# </details>
#
# The public checks below don't compare numbers with those of a right block, since yours may be built in its own way: they see how it behaves. The hidden ones find out which of its weights is which, and compare numbers too.
#
# <details><summary>Hint 1: Which parts does it have?</summary>
#
# One attention, one feed-forward network, two normalisations, two dropouts: six layers, made in `__init__`. Two normalisations
# because each has its own $\gamma$ and $\beta$.
#
# </details>
#
# <details><summary>Hint 2: One pre-norm sublayer in words</summary>
#
# Normalise `x` into *another* variable; attend with that as query, key and value; drop; add to `x`, which is still the one that came
# in. The second sublayer does the same with what the first gave.
#
# </details>
#
# <details><summary>Hint 3: With Keras's attention inside</summary>
#
# It wants `key_dim=d_model // num_heads`, is called as (query, value, key), and its `attention_mask` is true where ours is 0. Without
# a mask hand on `None`.
#
# </details>
#
# <!-- ko -->
# ## 과제 3: 인코더 블록 (5점)
#
# *난이도 3/5, 40분쯤.*
#
# 하위 계층이 두 개 있고, 각각 **잔차 연결**로 둘러싸여 있습니다. 하위 계층의 출력을 그 입력에 *더한다*는
# 뜻입니다. 정규화를 어디에 두느냐에는 두 가지 답이 있습니다.
#
# ![사전 정규화(pre-norm)에서는 x를 정규화해 하위 계층과 드롭아웃에 통과시킨 다음 x에 더합니다. 사후 정규화(post-norm)에서는 정규화가 덧셈 뒤에 있습니다.](../_shared/diagrams/block-orders.svg)
#
# | | 셀프 어텐션 | 피드포워드 신경망 |
# |---|---|---|
# | 사전 정규화(pre-norm) | $x \leftarrow x + D(\mathrm{Att}(N_1(x)))$ | $x \leftarrow x + D(\mathrm{FFN}(N_2(x)))$ |
# | 사후 정규화(post-norm), 논문의 방식 | $x \leftarrow N_1(x + D(\mathrm{Att}(x)))$ | $x \leftarrow N_2(x + D(\mathrm{FFN}(x)))$ |
#
# $N_1, N_2$는 두 계층 정규화로, 각각 자기 γ와 β가 있고 ε = 1e-6입니다. $D$는 드롭아웃입니다. $\mathrm{Att}(x)$는
# 셀프 어텐션입니다. 쿼리(query), 키(key), 값(value)이 모두 같은 텐서(tensor)에서 나오며, 사전 정규화에서는 *정규화된*
# 텐서에서 나옵니다. 잔차는 정규화하기 **전의** 입력입니다. 드롭아웃은 그림에 있는 자리와 피드포워드 신경망 안(과제 2)에 적용하고, 어텐션
# *가중치*에는 적용하지 않습니다(가중치 쪽은 검사하지 않습니다). 이 블록에서 어텐션의 출력에는 드롭아웃이 없고 가중치나 입력에만 있으면, 공개 검사는 ⚠로 알려 주기만 하지만 점수를 잃을 수 있습니다.
#
# **마스크**는 이 과정의 규약(1은 가린다)에 따라 `(batch, 1, 1, seq_len)`, `(seq_len, seq_len)`,
# `(batch, 1, seq_len, seq_len)` 가운데 한 모양으로 들어옵니다. 케라스의 `attention_mask`는 뜻이 반대입니다.
# 뒤집으세요. (케라스 문서에 있는 모양은 4번 노트북에서처럼 축이 세 개이지만, 축이 두 개나 네 개인 마스크도 받아 스스로
# 브로드캐스트합니다.)
#
# `compute_mask`는 주어져 있습니다. 다음 계층으로 넘어가는 마스크가 없다고 케라스에 알립니다. 케라스는 이름이 `mask`인 인수를 모두
# 자기 마스크로 여기기 때문입니다. `get_config`는 여러분이 작성합니다. 그래야 블록을 저장할 수 있습니다.
#
# <details><summary>이 과정 밖에서는: 케라스의 마스크가 붙은 텐서</summary>
#
# `memory`에 케라스의 마스크가 붙어 있으면 케라스가 디코더 블록의 `memory_mask`를 자기 규약(True가 남긴다)대로 채웁니다. 여러분의 인코더 블록에서 나온 것에는 붙어 있지 않습니다. `Embedding(mask_zero=True)`를 지난 `x`처럼 `x`에 마스크가 붙어 있으면 케라스가 그것도 자기 규약대로 블록의 `mask`에 넘깁니다. 이 과정에서는 그런 계층을 쓰지 않습니다.
#
# </details>
#
# 블록을 만드는 방식은 여러분의 자유이므로, 아래의 공개 검사는 올바른 블록의 값과 비교하지 않고 블록의 동작을 살핍니다. 비공개 검사는 어느 가중치가 무엇인지 찾아내 값도 비교합니다.
#
# <details><summary>힌트 1: 어떤 부품이 있을까요?</summary>
#
# 어텐션 하나, 피드포워드 신경망 하나, 정규화 둘, 드롭아웃 둘, 모두 여섯 계층을 `__init__`에서 만듭니다. 정규화는 $\gamma$와 $\beta$가
# 저마다 있어야 하므로 둘입니다.
#
# </details>
#
# <details><summary>힌트 2: 사전 정규화의 하위 계층 하나를 말로 하면</summary>
#
# `x`를 정규화해 *다른* 변수에 둡니다. 그것을 쿼리, 키, 값으로 삼아 어텐션을 계산하고, 드롭아웃을 거쳐, 들어온 그대로인 `x`에 더합니다. 둘째 하위
# 계층은 첫째의 결과를 받아 똑같이 합니다.
#
# </details>
#
# <details><summary>힌트 3: 케라스의 어텐션을 쓴다면</summary>
#
# `key_dim=d_model // num_heads`로 만들고 (query, value, key) 순서로 부릅니다. `attention_mask`는 우리 마스크가 0인 곳이 참입니다.
# 마스크가 없으면 `None`을 넘기세요.
#
# </details>


# %% task="encoder-block" builds_on="carry-over layer-norm feed-forward"
class EncoderBlock(keras.layers.Layer):
    """
    Self-attention and feed-forward, each with dropout, residual and normalisation (Vaswani et al. 2017, section 3.1).
    # ko: 셀프 어텐션과 피드포워드 신경망. 각각 드롭아웃, 잔차, 정규화가 있습니다 (Vaswani et al. 2017, 3.1절).

    Args:
    # ko: 인수:
        d_model: features of a token.
        # ko: d_model: 토큰 하나의 특징 수.
        num_heads: heads of the attention, each of d_model // num_heads features.
        # ko: num_heads: 어텐션의 헤드 수. 헤드마다 특징이 d_model // num_heads개입니다.
        ff_dim: hidden units of the feed-forward network.
        # ko: ff_dim: 피드포워드 신경망의 은닉 유닛 수.
        dropout: rate, in training, on the output of each sublayer (before the sum) and on the hidden units of the feed-forward network.
        # ko: dropout: 학습할 때의 드롭아웃 비율. 각 하위 계층의 출력(잔차에 더하기 직전)과 피드포워드 신경망의 은닉층에 적용합니다.
        norm_first: normalise what goes into a sublayer (pre-norm), or the sum behind it (post-norm).
        # ko: norm_first: 참이면 하위 계층의 입력을(사전 정규화), 거짓이면 그 뒤의 합을(사후 정규화) 정규화합니다.

    Raises:
    # ko: 예외:
        ValueError: num_heads does not divide d_model. The text names both and their values.
        # ko: ValueError: d_model이 num_heads로 나누어떨어지지 않을 때. 오류 메시지에 둘의 이름과 값을 적습니다.
    """

    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
        self.arguments = {
            "d_model": d_model,
            "num_heads": num_heads,
            "ff_dim": ff_dim,
            "dropout": dropout,
            "norm_first": norm_first,
        }
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(ff_dim, d_model, dropout)
        self.norm_1 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.norm_2 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.dropout_1 = keras.layers.Dropout(dropout)
        self.dropout_2 = keras.layers.Dropout(dropout)
        ### END SOLUTION

    def compute_mask(self, x, previous_mask=None):
        """Given: tell Keras that no mask goes on to the next layer."""
        # ko: """주어진 코드: 다음 계층으로 넘어가는 마스크가 없다고 케라스에 알립니다."""
        return None

    def call(self, x, mask=None):
        """
        Attend to the sequence itself, then work on each token.
        # ko: 셀프 어텐션을 계산한 다음 토큰마다 피드포워드 신경망을 적용합니다.

        Args:
        # ko: 인수:
            x: (batch, seq_len, d_model).
            mask: None, (batch, 1, 1, seq_len), (seq_len, seq_len) or (batch, 1, seq_len, seq_len);
            # ko: mask: None, (batch, 1, 1, seq_len), (seq_len, seq_len) 또는 (batch, 1, seq_len, seq_len).
                1 hides, 0 keeps.
                # ko: 1은 가리고 0은 남깁니다.

        Returns:
        # ko: 반환값:
            (batch, seq_len, d_model).
        """
        ### BEGIN SOLUTION
        if self.norm_first:
            normed = self.norm_1(x)
            x = x + self.dropout_1(self.attention(normed, normed, normed, mask=mask))
            return x + self.dropout_2(self.feed_forward(self.norm_2(x)))
        x = self.norm_1(x + self.dropout_1(self.attention(x, x, x, mask=mask)))
        return self.norm_2(x + self.dropout_2(self.feed_forward(x)))
        ### END SOLUTION

    def get_config(self):
        """Return the arguments that make this layer again."""
        # ko: """이 계층을 다시 만드는 인수를 돌려줍니다."""
        ### BEGIN SOLUTION
        return {**super().get_config(), **self.arguments}
        ### END SOLUTION


# %% grade="encoder-block" points=5
# On a slow machine this check may take a quarter of a minute.
# ko: # 느린 컴퓨터에서는 이 검사에 15초쯤 걸릴 수 있습니다.
@checking("EncoderBlock")
def _check(check):
    from itertools import product

    rng = np.random.default_rng(3)
    x = rng.normal(size=(2, 5, 12)).astype("float32")
    _check_width_of_network(check, EncoderBlock(d_model=12, num_heads=4, ff_dim=64), x)
    block = EncoderBlock(d_model=12, num_heads=4, ff_dim=64)
    check.shape(block(x), (2, 5, 12), "(batch, seq_len, d_model)")
    _begin_alike(block)
    count = block.count_params()
    check.true(
        count == 2284,
        "2284 parameters for d_model 12, 4 heads, ff_dim 64",
        # ko: "d_model 12, 헤드 4개, ff_dim 64이면 파라미터 2284개",
        f"it has {count} parameters, but 2284 are right for d_model 12, 4 heads, ff_dim 64: "
        # ko: f"파라미터가 {count}개인데 d_model 12, 헤드 4개, ff_dim 64이면 2284개여야 합니다. "
        "attention 624, feed-forward 1612, "
        # ko: "어텐션 624개, 피드포워드 신경망 1612개, "
        "two normalisations of 24. Is each of them made in `__init__` and called? Is each normalisation a layer normalisation over the last axis? (With Keras's attention: is key_dim d_model // num_heads?)",
        # ko: "24개짜리 정규화 둘입니다. 모두 `__init__`에서 만들고 호출하나요? 정규화는 모두 마지막 축에 대한 계층 정규화인가요? (케라스의 어텐션을 쓴다면 key_dim이 d_model // num_heads인가요?)",
    )
    other = EncoderBlock(8, 2, 20)
    other(x[..., :8])
    check.true(
        other.count_params() == 668,
        "668 parameters for d_model 8, 2 heads, ff_dim 20",
        # ko: "d_model 8, 헤드 2개, ff_dim 20이면 파라미터 668개",
        f"it has {other.count_params()} parameters, but 668 are right for d_model 8, 2 heads, ff_dim 20. Does a size stand in the block as a number?",
        # ko: f"파라미터가 {other.count_params()}개인데 d_model 8, 헤드 2개, ff_dim 20이면 668개여야 합니다. 블록 안에 크기를 수로 적어 두지 않았나요?",
    )
    _check_drops_in_training_alone(check, lambda **options: block(x, **options))
    paper = EncoderBlock(d_model=12, num_heads=4, ff_dim=64, dropout=0.3, norm_first=False)
    check.shape(paper(x), (2, 5, 12), "post-norm: (batch, seq_len, d_model)")
    # ko: check.shape(paper(x), (2, 5, 12), "사후 정규화: (batch, seq_len, d_model)")
    _begin_alike(paper)
    _check_drops_in_training_alone(check, lambda **options: paper(x, **options), "post-norm: ")
    # ko: _check_drops_in_training_alone(check, lambda **options: paper(x, **options), "사후 정규화: ")
    paper_output = to_numpy(paper(50 * x + 3))  # any scores of these are too large for a softmax that takes nothing off
    # ko: paper_output = to_numpy(paper(50 * x + 3))  # 이 토큰들의 점수는 최댓값을 빼지 않는 소프트맥스에는 언제나 너무 큽니다
    check.numbers(paper_output, "post-norm, larger tokens", "Does the softmax take off the maximum?")
    # ko: check.numbers(paper_output, "사후 정규화, 큰 토큰", "소프트맥스에서 최댓값을 빼나요?")
    check.close(
        paper_output.mean(axis=-1),
        np.zeros((2, 5)),
        "post-norm: each token leaves with mean 0",
        # ko: "사후 정규화: 나오는 토큰마다 평균이 0이다",
        tolerance=1e-3,
        otherwise="With norm_first=False, is each sum normalised? Have the branches of True and False changed places?",
        # ko: otherwise="norm_first=False일 때 합을 정규화하나요? 참일 때와 거짓일 때의 코드가 서로 바뀌지는 않았나요?",
    )
    check.close(
        paper_output.var(axis=-1),
        np.ones((2, 5)),
        "post-norm: each token leaves with variance 1",
        # ko: "사후 정규화: 나오는 토큰마다 분산이 1이다",
        tolerance=0.02,
        otherwise="With norm_first=False, is each sum normalised? Have the branches of True and False changed places?",
        # ko: otherwise="norm_first=False일 때 합을 정규화하나요? 참일 때와 거짓일 때의 코드가 서로 바뀌지는 않았나요?",
    )
    check.true(
        paper.count_params() == 2284,
        "post-norm: 2284 parameters too",
        # ko: "사후 정규화에서도 파라미터 2284개",
        f"with norm_first=False it has {paper.count_params()} parameters instead of 2284: 624 of the attention, 1612 of the feed-forward network, twice 24 of the normalisations. Is each of them called, and has each normalisation a γ and a β of its own?",
        # ko: f"norm_first=False이면 파라미터가 2284개가 아니라 {paper.count_params()}개입니다. 어텐션 624개, 피드포워드 신경망 1612개, 두 정규화 24개씩입니다. 모두 호출하고, 정규화마다 자기 γ와 β가 있나요?",
    )
    pre_output = to_numpy(block(x + 100))
    check.true(
        bool((pre_output.mean(axis=-1) > 50).all()),
        "pre-norm: what comes in goes through",
        # ko: "사전 정규화: 입력이 끝까지 전해진다",
        "without `norm_first`, whose default is True, the input (about 100) is lost: "
        # ko: "`norm_first`를 주지 않으면 기본값은 True인데 입력(약 100)이 사라졌습니다. "
        "is there a residual around both sublayers, from before the normalisation, and no norm behind them? Do query, key and value all come from the normalised tokens? Have the branches of True and False changed places?",
        # ko: "두 하위 계층에 모두, 정규화하기 전의 값에서 오는 잔차 연결이 있나요? 그 뒤에 정규화가 있지는 않나요? 쿼리, 키, 값은 모두 정규화한 토큰에서 나오나요? 참일 때와 거짓일 때의 코드가 서로 바뀌지는 않았나요?",
    )
    many = rng.normal(size=(8, 10, 12)).astype("float32")
    many_output = to_numpy(paper(many))
    cosine = np.mean(np.sum(many * many_output, axis=-1) / np.linalg.norm(many, axis=-1) / np.linalg.norm(many_output, axis=-1))
    check.true(
        cosine > 0.25,
        "post-norm: the input is still in the output",
        # ko: "사후 정규화: 출력에 입력이 남아 있다",
        "with norm_first=False hardly anything of the input is left in the output: is there a residual around both sublayers?",
        # ko: "norm_first=False일 때 출력에 입력이 거의 남아 있지 않습니다. 두 하위 계층에 모두 잔차 연결이 있나요?",
    )
    dropping = EncoderBlock.from_config(EncoderBlock(d_model=12, num_heads=4, ff_dim=64, dropout=0.3).get_config())
    built = {"the block": block, "the block made from the config": dropping}
    # ko: built = {"블록": block, "config로 만든 블록": dropping}
    for words, layer in built.items():
        layer(x)
        layer.set_weights([np.zeros(w.shape) for w in layer.weights])
        check.close(
            layer(x),
            x,
            f"{words}, pre-norm, all weights 0: only the residuals are left, so the input comes out",
            # ko: f"{words}, 사전 정규화에서 가중치가 모두 0이면 잔차만 남아 입력이 그대로 나온다",
            hints={
                "twice the input comes out: to be added is what the last sublayer gives, not the tokens once more.": 2 * x,
                # ko: "입력의 두 배가 나옵니다. 토큰을 한 번 더 더하지 말고 마지막 하위 계층의 출력을 더하세요.": 2 * x,
            },
            otherwise="Do you add the residual to what came in before the normalisation?",
            # ko: otherwise="정규화하기 전의 입력에 하위 계층의 출력을 더하나요?",
        )
        check.close(
            layer(x, training=True),
            x,
            f"{words}, pre-norm, all weights 0: the input comes out in training too",
            # ko: f"{words}, 사전 정규화에서 가중치가 모두 0이면 학습할 때도 입력이 그대로 나온다",
            otherwise="Dropout belongs to what a sublayer gives, before the sum, and not to the sum.",
            # ko: otherwise="드롭아웃은 합이 아니라, 더하기 전의 하위 계층 출력에 적용하세요.",
        )
    check.survives_config(
        paper,
        lambda layer: layer(x),
        "the post-norm block made again from its config, with its weights",
        # ko: "사후 정규화 블록을 config로 다시 만들어 그 가중치를 넣은 것",
        otherwise="Does get_config return `norm_first`?",
        # ko: otherwise="get_config가 `norm_first`를 돌려주나요?",
    )
    # Only the normalisations are left: their scales are 1, every other weight is 0. Then epsilon decides about a very small token.
    # ko: # 정규화만 남깁니다. gamma는 1로, 다른 가중치는 모두 0으로 둡니다. 그러면 아주 작은 토큰의 크기는 epsilon에 달렸습니다.
    paper.set_weights([w if np.isin(w, (0, 1)).all() else np.zeros(w.shape) for w in paper.get_weights()])
    token = np.linspace(-1, 1, 12).reshape(1, 1, 12).repeat(20, axis=1)
    token /= token.std()
    variance = 1e-6**2
    for _ in range(2):
        variance = variance / (variance + 1e-6)
    small = 1e-6 * token.astype("float32")
    if np.allclose(to_numpy(paper(token.astype("float32"))), token, atol=0.01):  # weights in another form are compared when this is graded
    # ko: if np.allclose(to_numpy(paper(token.astype("float32"))), token, atol=0.01):  # 다른 모양으로 둔 가중치는 채점할 때 비교합니다
        check.close(
            np.std(to_numpy(paper(small))),
            variance**0.5,
            "post-norm, only the normalisations left: the size of a token of size 1e-6, where epsilon decides",
            # ko: "사후 정규화에서 정규화만 남기고 크기가 1e-6인 토큰을 넣으면 나오는 크기(epsilon에 달렸다)",
            tolerance=0.01,
            otherwise="Does each normalisation stand behind its sum, and does each sublayer add to what the one before it gave? Is epsilon 1e-6 in every normalisation (`keras.layers.LayerNormalization()` takes 1e-3 if you don't say so)?",
            # ko: otherwise="정규화가 저마다 자기 합의 뒤에 있고, 하위 계층마다 바로 앞 하위 계층의 결과에 더하나요? 모든 정규화의 epsilon이 1e-6인가요(`keras.layers.LayerNormalization()`은 따로 정하지 않으면 1e-3을 씁니다)?",
        )
        check.close(
            paper(token, training=True),
            token,
            "post-norm, only the normalisations left: the same in training",
            # ko: "사후 정규화에서 정규화만 남기면 학습할 때도 같다",
            tolerance=1e-2,
            otherwise="Dropout belongs to what a sublayer gives, before the sum, and not to the sum or to what is normalised.",
            # ko: otherwise="드롭아웃은 합이나 정규화한 값이 아니라, 더하기 전의 하위 계층 출력에 적용하세요.",
        )
    fresh = EncoderBlock(d_model=12, num_heads=4, ff_dim=64, dropout=0.0)
    post = EncoderBlock(d_model=12, num_heads=4, ff_dim=64, dropout=0.0, norm_first=False)
    post(x)
    check.drops_nothing(lambda **options: fresh(x, **options), has_embedding=False)
    check.survives_config(
        fresh,
        lambda layer: layer(x, training=True),
        "made again from its config with dropout 0.0, the block drops nothing in training",
        # ko: "드롭아웃 비율이 0.0인 블록을 config로 다시 만들면 학습할 때도 드롭아웃이 없다",
        otherwise="Does get_config return `dropout`?",
        # ko: otherwise="get_config가 `dropout`을 돌려주나요?",
    )
    for each in (fresh, post):
        _begin_alike(each)
    check.uses_every_weight(fresh, lambda: fresh(x), "pre-norm")
    # ko: check.uses_every_weight(fresh, lambda: fresh(x), "사전 정규화")
    check.uses_every_weight(post, lambda: post(x), "post-norm")
    # ko: check.uses_every_weight(post, lambda: post(x), "사후 정규화")
    single = EncoderBlock(d_model=12, num_heads=1, ff_dim=64, dropout=0.0)
    single(x)
    _check_heads(check, fresh, single, lambda block: block(x))
    hide_last = np.array([0, 0, 0, 0, 1], dtype="float32").reshape(1, 1, 1, 5)
    hidden, seen = x.copy(), x.copy()
    hidden[:, 4] += 1.0 + rng.normal(size=12).astype("float32")
    for order, layer in {"pre-norm": fresh, "post-norm": post}.items():
    # ko: for order, layer in {"사전 정규화": fresh, "사후 정규화": post}.items():
        check.true(
            not np.allclose(to_numpy(layer(hidden))[:, 0], to_numpy(layer(x))[:, 0], atol=1e-5),
            f"{order}: without a mask the first token sees the last",
            # ko: f"{order}: 마스크가 없으면 첫 토큰이 마지막 토큰을 본다",
            f"{order}: without a mask the last token has no effect on the first. Does the block mask by itself, as with `use_causal_mask=True`?",
            # ko: f"{order}: 마스크가 없는데도 마지막 토큰이 첫 토큰의 출력에 영향을 주지 않습니다. `use_causal_mask=True`처럼 블록이 스스로 가리지 않나요?",
        )
    seen[:, 0] += 1.0 + rng.normal(size=12).astype("float32")
    for (order, layer), shape in product({"pre-norm": fresh, "post-norm": post}.items(), ((2, 1, 1, 5), (5, 5), (2, 1, 5, 5))):
    # ko: for (order, layer), shape in product({"사전 정규화": fresh, "사후 정규화": post}.items(), ((2, 1, 1, 5), (5, 5), (2, 1, 5, 5))):
        mask = np.broadcast_to(hide_last.reshape(-1), shape).copy()
        before = to_numpy(layer(x, mask=mask))[:, :4]
        check.numbers(before, f"{order}, a mask {shape}")
        # ko: check.numbers(before, f"{order}, 마스크 {shape}")
        check.true(
            np.allclose(to_numpy(layer(hidden, mask=mask))[:, :4], before, rtol=1e-4, atol=1e-4),
            f"{order}, a mask {shape}: what it hides (1) changes no other token",
            # ko: f"{order}, 마스크 {shape}: 가린(1) 토큰은 다른 토큰의 출력에 영향을 주지 않는다",
            f"{order}, a mask {shape}: a token that it hides (1) changes the others. Does the attention get the mask, and the right way round? If you wrote it yourself, does it make hidden scores small enough, as by -1e9?",
            # ko: f"{order}, 마스크 {shape}: 가린(1) 토큰이 다른 토큰의 출력을 바꿉니다. 어텐션에 마스크를 넘겼나요? 거꾸로 쓰지는 않았나요? 직접 만든 어텐션이라면 가린 점수가 충분히 작아지나요(예: -1e9)?",
        )
        check.true(
            not np.allclose(to_numpy(layer(seen, mask=mask))[:, 1:4], before[:, 1:], atol=1e-5),
            f"{order}, a mask {shape}: what it keeps (0) changes the other tokens",
            # ko: f"{order}, 마스크 {shape}: 남긴(0) 토큰은 다른 토큰의 출력에 영향을 준다",
            f"{order}, a mask {shape}: a token that it keeps (0) has no effect on the others. Is the mask the right way round?",
            # ko: f"{order}, 마스크 {shape}: 남긴(0) 토큰이 다른 토큰의 출력에 영향을 주지 않습니다. 마스크를 거꾸로 쓰지 않았나요?",
        )
    if {(12, 64), (64, 12)} <= set(map(_long_axes, fresh.weights)):  # else the network is compared when this is graded
    # ko: if {(12, 64), (64, 12)} <= set(map(_long_axes, fresh.weights)):  # 그렇지 않으면 신경망은 채점할 때 비교합니다
        weights = fresh.get_weights()
        fresh.set_weights(_without_network(weights))
        added = to_numpy(fresh(x)) - x
        check.true(
            np.abs(added).max() > 1e-3,
            "pre-norm, without its feed-forward network: what the attention adds is still there",
            # ko: "사전 정규화, 피드포워드 신경망을 0으로 두었을 때: 어텐션이 더한 것이 남아 있다",
            "what the attention adds is lost: the second sublayer is to be added to what the first gave, not to the x that came in.",
            # ko: "어텐션이 더한 것이 사라졌습니다. 둘째 하위 계층은 처음 들어온 x가 아니라 첫째의 결과에 더해야 합니다.",
        )
        check.close(
            to_numpy(fresh(10 * x)) - 10 * x,
            added,
            "pre-norm, tokens ten times as large: the attention adds the same",
            # ko: "사전 정규화, 토큰이 열 배일 때: 어텐션이 더하는 것은 같다",
            tolerance=1e-2,
            otherwise="Does the attention get normalised tokens, as queries, keys and values?",
            # ko: otherwise="어텐션이 쿼리, 키, 값으로 모두 정규화한 토큰을 받나요?",
        )
        only_itself = 1 - np.eye(5, dtype="float32")
        _check_network(check, fresh, lambda tokens: fresh(tokens), x, added, weights, "first")
        # ko: _check_network(check, fresh, lambda tokens: fresh(tokens), x, added, weights, "첫째")
        _check_attention_is_added(check, fresh, lambda tokens: fresh(tokens, mask=only_itself), x, weights, "attention")
        # ko: _check_attention_is_added(check, fresh, lambda tokens: fresh(tokens, mask=only_itself), x, weights, "어텐션")
        dropping.set_weights(_without_network(weights))
        longer = np.tile(many, (1, 5, 1))
        in_training = to_numpy(dropping(longer, training=True))
        _note_what_is_dropped(check, np.mean(in_training == longer), "attention", required=True)
        # ko: _note_what_is_dropped(check, np.mean(in_training == longer), "어텐션", required=True)
        check.true(
            not np.allclose(in_training, to_numpy(dropping(longer))),
            "without its feed-forward network: in training the attention gives something else",
            # ko: "피드포워드 신경망을 0으로 두었을 때: 학습할 때는 어텐션의 결과가 달라진다",
            "in training nothing of what the attention gives is dropped: there is a dropout behind each sublayer, before the sum.",
            # ko: "학습할 때 어텐션의 출력에 드롭아웃이 작동하지 않습니다. 하위 계층마다 그 출력에, 더하기 전에 드롭아웃이 있어야 합니다.",
        )
        _check_network_drops(check, dropping, lambda tokens: dropping(tokens, training=True), many, weights)
        weights = post.get_weights()
        _check_post_norm(check, post, lambda tokens: post(tokens, mask=only_itself), x, weights)
        _check_post_norm_gains(check, post, lambda tokens: post(tokens, mask=only_itself), x, weights)
        post.set_weights(_without_network(weights))
        plain = (x - x.mean(axis=-1, keepdims=True)) / x.std(axis=-1, keepdims=True)
        check.true(
            not np.allclose(to_numpy(post(1000 * x)), to_numpy(post(x)), atol=0.01),
            "post-norm, without its feed-forward network, tokens a thousand times as large: the output is another one",
            # ko: "사후 정규화, 피드포워드 신경망을 0으로 두고 토큰이 천 배일 때: 출력이 달라진다",
            "with norm_first=False tokens a thousand times as large give the same output: is x normalised before the attention reads it and is added to it? The attention reads the x that came in, and the sum behind it is normalised.",
            # ko: "norm_first=False일 때 토큰이 천 배여도 출력이 같습니다. 어텐션이 읽고 더하기 전에 x를 정규화하지 않나요? 어텐션은 들어온 x를 그대로 읽고, 그 뒤의 합을 정규화합니다.",
        )
        check.true(
            not np.allclose(to_numpy(post(1000 * x)), plain, atol=0.05),
            "post-norm, without its feed-forward network: the attention reads the x that came in",
            # ko: "사후 정규화, 피드포워드 신경망을 0으로 두었을 때: 어텐션이 들어온 x를 읽는다",
            "with norm_first=False, what the attention adds to large tokens is small: does it read normalised tokens, or is its output normalised before the sum?",
            # ko: "norm_first=False일 때 토큰이 커도 어텐션이 더하는 것은 작습니다. 어텐션이 정규화한 토큰을 읽거나, 어텐션의 출력을 더하기 전에 정규화하지 않나요?",
        )
        paper.set_weights(_without_network(weights))
        _check_post_norm_drops(check, lambda **options: paper(x, **options), "attention", "its feed-forward network")
        # ko: _check_post_norm_drops(check, lambda **options: paper(x, **options), "어텐션", "피드포워드 신경망")
        if _one_by_one(weights):
            # the network's means are the same in every feature, dropped hidden units or not, and the normalisation takes them away
            # ko: # 신경망이 내놓는 평균은 은닉 유닛에 드롭아웃이 있어도 모든 특징에서 같고, 정규화하면 사라집니다
            paper.set_weights(_with_means_alone(weights))
            _check_post_norm_drops(check, lambda **options: paper(x, **options), "feed-forward network", "attention")
            # ko: _check_post_norm_drops(check, lambda **options: paper(x, **options), "피드포워드 신경망", "어텐션")
        paper.set_weights(_with_loud_attention(weights))
        _note_what_post_norm_drops(check, lambda **options: paper(0.1 * _PAIRS, **options), -_PAIRS, "attention")
        # ko: _note_what_post_norm_drops(check, lambda **options: paper(0.1 * _PAIRS, **options), -_PAIRS, "어텐션")
        paper.set_weights(_with_loud_network(weights))
        _note_what_post_norm_drops(check, lambda **options: paper(_PAIRS, **options), _IN_TURN, "feed-forward network")
        # ko: _note_what_post_norm_drops(check, lambda **options: paper(_PAIRS, **options), _IN_TURN, "피드포워드 신경망")
    check.notes_config(EncoderBlock, d_model=12, num_heads=4, ff_dim=64)
    check.raises_value_error(EncoderBlock, d_model=10, num_heads=4, ff_dim=8, naming=("num_heads", 4, "d_model", 10))
    # a dropout that is made in `call` shows only where its rate isn't 0
    # ko: # `call`에서 만든 드롭아웃은 비율이 0이 아닐 때만 드러납니다
    check.compiles(lambda x: [layer(x, mask=hide_last, training=True) for layer in (dropping, paper)], x, required=False, open_batch=True)
_check

# %%
# Which output depends on which input? Bright squares show it, in three cases.
# ko: # 어느 출력이 어느 입력의 영향을 받을까요? 세 가지 경우에 밝은 칸이 알려 줍니다.
@demonstrate
def _demo():
    keras.utils.set_random_seed(4)
    block = EncoderBlock(d_model=16, num_heads=4, ff_dim=32)
    tokens = np.random.default_rng(4).normal(size=(6, 16))
    padding_mask = np.array([0, 0, 0, 0, 1, 1], dtype="float32").reshape(1, 1, 1, 6)
    look_ahead_mask = np.triu(np.ones((6, 6), dtype="float32"), k=1)
    three_masks = {
        "no mask": None,
        # ko: "마스크 없음 (no mask)": None,
        "padding mask": padding_mask,
        # ko: "패딩 마스크 (padding mask)": padding_mask,
        "look-ahead mask": look_ahead_mask,
        # ko: "룩어헤드 마스크 (look-ahead mask)": look_ahead_mask,
    }
    figure, axes = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    for ax, (title, mask) in zip(axes, three_masks.items(), strict=True):
        moved = influence(lambda x, mask=mask: block(x, mask=mask), tokens)
        image = show_influence(moved, ax, title, "changed input", "output")
        # ko: image = show_influence(moved, ax, title, "바꾼 입력 (input)", "출력 (output)")
    figure.colorbar(image, ax=axes, label="log10 of the largest change of a feature")
    # ko: figure.colorbar(image, ax=axes, label="가장 크게 달라진 특징의 변화량 (log10)")
    plt.show()

# %% [markdown]
# The diagonal stays bright under the padding mask: a hidden token still comes through its own residual. Hiding works on
# *keys*; nobody looks at what becomes of the padded positions themselves.
#
# ### Pre-norm or post-norm?
#
# The paper normalises after each sum. Almost everyone now normalises before each sublayer. The cell piles up 16 fresh blocks
# both ways, puts random tokens in at the bottom and looks at two things: how large the token vectors are after each block, and how
# much of the input is still in them (the cosine with the input).
#
# <!-- ko -->
# 패딩 마스크(padding mask)를 써도 대각선은 밝게 남습니다. 가려진 토큰도 자기 잔차를 타고 그대로 지나가기 때문입니다.
# 가리는 것은 *키*입니다. 패딩된 위치 자체에서 무엇이 나오는지는 아무도 보지 않습니다.
#
# ### 사전 정규화인가, 사후 정규화인가
#
# 논문은 더할 때마다 그 합을 정규화합니다. 요즘 모델은 거의 모두 하위 계층 앞에서 정규화합니다. 다음 셀은 갓 만든
# 블록 16개를 두 가지 방식으로 쌓고 맨 아래에 무작위 입력을 넣은 뒤 두 가지를 봅니다. 블록을 지날 때마다 토큰 벡터가 얼마나
# 큰지, 그리고 그 안에 입력이 얼마나 남아 있는지(입력과의 코사인 유사도)입니다.

# %%
# On a slow machine this cell may take a quarter of a minute.
# ko: # 느린 컴퓨터에서는 이 셀에 15초쯤 걸릴 수 있습니다.
@demonstrate
def _demo():
    keras.utils.set_random_seed(5)
    stream = np.random.default_rng(5).normal(size=(1, 10, 32)).astype("float32")
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.2), layout="constrained")
    for norm_first, name in ((True, "pre-norm"), (False, "post-norm")):
    # ko: for norm_first, name in ((True, "사전 정규화 (pre-norm)"), (False, "사후 정규화 (post-norm)")):
        x, sizes, cosines = stream, [], []
        for _ in range(16):
            x = to_numpy(EncoderBlock(d_model=32, num_heads=4, ff_dim=64, norm_first=norm_first)(x))
            sizes.append(np.sqrt((x**2).mean()))
            cosines.append((x * stream).sum() / np.sqrt((x**2).sum() * (stream**2).sum()))
        axes[0].plot(range(1, 17), sizes, "o-", markersize=3, label=name)
        axes[1].plot(range(1, 17), cosines, "o-", markersize=3, label=name)
    axes[0].set(title="size of the tokens (root mean square)", xlabel="block", ylim=(0, None))
    # ko: axes[0].set(title="토큰의 크기 (제곱평균제곱근, RMS)", xlabel="블록 (block)", ylim=(0, None))
    axes[1].set(title="cosine with the input", xlabel="block", ylim=(-0.2, 1))
    # ko: axes[1].set(title="입력과의 코사인 (cosine)", xlabel="블록 (block)", ylim=(-0.2, 1))
    axes[0].legend()
    plt.show()

# %% [markdown]
# With pre-norm there is a straight road from top to bottom, on which nothing but additions happens. The sum grows with
# depth (so a pre-norm *model* ends with one more normalisation, in notebook 06), and gradients come down the same
# road undamped. The cosine falls there too, because the sublayers add more and more beside the input, but the input itself stays in the
# sum as it was. With post-norm every block rescales the sum, so the input itself fades; such models need a warm-up of the learning
# rate (it rises from almost 0 during the first updates) to train at all when they are deep (Xiong et al. 2020).
#
# > **Does this hold?** *"`key_dim=d_model`: the keys have d_model features."* Found in many Keras examples. How many parameters would a layer with 4 heads have then,
# > compared with the paper's? Guess the factor before you run the cell.
#
# <!-- ko -->
# 사전 정규화에는 맨 위에서 맨 아래까지 지름길로만 이어진 경로가 있고, 거기서는 덧셈만 일어납니다. 합은 깊어질수록 커집니다(그래서
# 사전 정규화를 쓰는 *모델*(model)은 끝에 정규화를 하나 더 둡니다. 6번 노트북에 나옵니다). 기울기(gradient)는 같은 길을
# 약해지지 않고 내려옵니다. 여기서도 코사인은 줄지만, 하위 계층들이 점점 더 많은 것을 더하기 때문이고 입력 자체는 합 속에
# 그대로 있습니다. 사후 정규화에서는 블록마다 합의 크기를 다시 맞추므로 입력 자체가 희미해집니다. 그런 모델은
# 깊어지면 학습률(learning rate)에 웜업(warm-up, 처음 얼마 동안 거의 0에서 서서히 올리는 것)이 있어야만 학습이 됩니다 (Xiong et al. 2020).
#
# > **정말 그럴까?** *"`key_dim=d_model`: 키의 특징은 d_model개다."* 여러 케라스 예제에 나옵니다. 그러면 헤드가 4개인 계층의 파라미터는 논문의 몇 배가 될까요? 셀을
# > 실행하기 전에 짐작해 보세요.

# %%
@demonstrate
def _demo():
    for key_dim in (12 // 4, 12):
        attention = keras.layers.MultiHeadAttention(num_heads=4, key_dim=key_dim)
        attention(np.zeros((1, 2, 12)), np.zeros((1, 2, 12)))
        print(f"d_model 12, 4 heads, key_dim {key_dim:2d}: {attention.count_params()} parameters")
        # ko: print(f"d_model 12, 헤드 4개, key_dim {key_dim:2d}: 파라미터 {attention.count_params()}개")

# %% [markdown]
# > **What is right.** `key_dim` is the width of **one head**. With 4 heads the attention is then four times as wide as in the paper, and has
# > about four times its parameters. It trains, it even trains well, it's just not the model that you describe. The count tells.
#
# ## Task 4: the decoder block (6 points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# The decoder writes the target. Its block has **three** sublayers, each with residual, dropout and a normalisation of its own:
#
# | sublayer | queries from | keys and values from | mask |
# |---|---|---|---|
# | 1 self-attention | the target | the target | `self_mask`: look-ahead and the target's padding |
# | 2 cross-attention | the target | `memory`, the encoder's output | `memory_mask`: the source's padding |
# | 3 feed-forward | the target, each token by itself | | |
#
# Pre-norm: $x \leftarrow x + D(\mathrm{Att}_1(N_1(x)))$, then $x \leftarrow x + D(\mathrm{Att}_2(N_2(x), \text{memory}))$, then
# $x \leftarrow x + D(\mathrm{FFN}(N_3(x)))$. Post-norm as in the encoder, with the norm behind each sum.
#
# | | shape |
# |---|---|
# | x | (batch, target_len, d_model) |
# | memory | (batch, memory_len, d_model), of any length |
# | self_mask | None, (target_len, target_len), (batch, 1, 1, target_len) or (batch, 1, target_len, target_len) |
# | memory_mask | None, (batch, 1, 1, memory_len), (target_len, memory_len) or (batch, 1, target_len, memory_len) |
# | result | (batch, target_len, d_model) |
#
# The two attentions are two layers with weights of their own. The decoder block takes the memory as it is: it doesn't
# normalise it and adds nothing to it. Whether it is normalised is the encoder's affair: a post-norm block ends in a norm,
# and a pre-norm stack may get one behind it (notebook 06).
#
# Once it is written, the second cell below the check runs your `leaks_future` of notebook 04 on it.
#
# <details><summary>Hint 1: What differs from the encoder block?</summary>
#
# One sublayer more, between the two: an attention whose queries come from the target and whose keys and values are `memory`. So two
# attentions and three normalisations, none of them shared.
#
# </details>
#
# <details><summary>Hint 2: Which mask goes where?</summary>
#
# Look at the last axis: `self_mask` ends in target_len, for keys from the target; `memory_mask` in memory_len, for keys from the
# memory. Both may be `None`.
#
# </details>
#
# <details><summary>Hint 3: What is normalised?</summary>
#
# In pre-norm only the target's tokens are normalised, before each of the three sublayers. The memory is used as it is, and each sum is made with
# the `x` from before the normalisation.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** `key_dim`은 **헤드 하나**의 너비입니다. `key_dim=d_model`이라면 헤드가 4개일 때 어텐션은 논문보다 네 배 넓고 파라미터도 약 네 배가
# > 됩니다. 학습은 됩니다. 오히려 잘되기도 합니다. 다만 여러분이 만들었다고 말하는 그 모델은 아닙니다. 파라미터를 세어 보면
# > 드러납니다.
#
# ## 과제 4: 디코더 블록 (6점)
#
# *난이도 3/5, 40분쯤.*
#
# 디코더는 타깃(target) 문장을 써 내려갑니다. 디코더 블록에는 하위 계층이 **세** 개 있고, 각각 잔차와 드롭아웃과 자기
# 정규화가 있습니다.
#
# | 하위 계층 | 쿼리가 나오는 곳 | 키와 값이 나오는 곳 | 마스크 |
# |---|---|---|---|
# | 1 셀프 어텐션 | 타깃 | 타깃 | `self_mask`: 룩어헤드(look-ahead)와 타깃의 패딩 |
# | 2 교차 어텐션(cross-attention) | 타깃 | 메모리(memory), 곧 인코더의 출력 | `memory_mask`: 소스(source)의 패딩 |
# | 3 피드포워드 신경망 | 타깃, 토큰마다 따로 | | |
#
# 사전 정규화에서는 $x \leftarrow x + D(\mathrm{Att}_1(N_1(x)))$, 다음에
# $x \leftarrow x + D(\mathrm{Att}_2(N_2(x), \text{memory}))$, 끝으로
# $x \leftarrow x + D(\mathrm{FFN}(N_3(x)))$입니다. 사후 정규화에서는 인코더에서와 같이 정규화가 합의 뒤에 옵니다.
#
# | | 모양 |
# |---|---|
# | x | (batch, target_len, d_model) |
# | memory | (batch, memory_len, d_model), 길이는 얼마든 된다 |
# | self_mask | None, (target_len, target_len), (batch, 1, 1, target_len) 또는 (batch, 1, target_len, target_len) |
# | memory_mask | None, (batch, 1, 1, memory_len), (target_len, memory_len) 또는 (batch, 1, target_len, memory_len) |
# | 결과 | (batch, target_len, d_model) |
#
# 두 어텐션은 가중치(weight)를 공유하지 않는 별개의 계층입니다. 디코더 블록은 메모리를 들어온 그대로 씁니다. 정규화하지
# 않고 아무것도 더하지 않습니다. 정규화할지 말지는 인코더 쪽에서 정합니다. 사후 정규화 블록은 정규화로 끝나고, 사전 정규화에서는
# 쌓은 블록 뒤에 따로 둘 수 있습니다(6번 노트북).
#
# 블록을 다 작성하면 4번 노트북의 `leaks_future`로 여러분의 블록에도 누수가 있는지 검사합니다(검사 아래 둘째 셀).
#
# <details><summary>힌트 1: 인코더 블록과 무엇이 다를까요?</summary>
#
# 두 하위 계층 사이에 하나가 더 있습니다. 쿼리는 타깃에서 오고 키와 값은 `memory`인 어텐션입니다. 그래서 어텐션은 둘, 정규화는 셋이고,
# 공유하는 것은 없습니다.
#
# </details>
#
# <details><summary>힌트 2: 어느 마스크를 어디에 쓸까요?</summary>
#
# 마지막 축을 보세요. `self_mask`는 target_len으로 끝나므로 타깃에서 온 키에, `memory_mask`는 memory_len으로 끝나므로 메모리에서 온
# 키에 씁니다. 둘 다 `None`일 수 있습니다.
#
# </details>
#
# <details><summary>힌트 3: 무엇을 정규화할까요?</summary>
#
# 사전 정규화에서는 타깃 쪽 벡터를 세 하위 계층 앞에서 정규화합니다. 메모리는 받은 그대로 쓰고, 덧셈은 언제나 정규화하기 전의 `x`에
# 합니다.
#
# </details>


# %% task="decoder-block" builds_on="carry-over layer-norm feed-forward encoder-block"
class DecoderBlock(keras.layers.Layer):
    """
    Self-attention, attention over memory, feed-forward (Vaswani et al. 2017, section 3.1).
    # ko: 셀프 어텐션, 메모리에 대한 어텐션, 피드포워드 신경망 (Vaswani et al. 2017, 3.1절).

    Args:
    # ko: 인수:
        d_model: features of a token.
        # ko: d_model: 토큰 하나의 특징 수.
        num_heads: heads of both attentions, each of d_model // num_heads features.
        # ko: num_heads: 두 어텐션 각각의 헤드 수. 헤드마다 특징이 d_model // num_heads개입니다.
        ff_dim: hidden units of the feed-forward network.
        # ko: ff_dim: 피드포워드 신경망의 은닉 유닛 수.
        dropout: rate, in training, on the output of each sublayer (before the sum) and on the hidden units of the feed-forward network.
        # ko: dropout: 학습할 때의 드롭아웃 비율. 각 하위 계층의 출력(잔차에 더하기 직전)과 피드포워드 신경망의 은닉층에 적용합니다.
        norm_first: normalise what goes into a sublayer (pre-norm), or the sum behind it (post-norm).
        # ko: norm_first: 참이면 하위 계층의 입력을(사전 정규화), 거짓이면 그 뒤의 합을(사후 정규화) 정규화합니다.

    Raises:
    # ko: 예외:
        ValueError: num_heads does not divide d_model. The text names both and their values.
        # ko: ValueError: d_model이 num_heads로 나누어떨어지지 않을 때. 오류 메시지에 둘의 이름과 값을 적습니다.
    """

    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        if d_model % num_heads:
            raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
        self.arguments = {
            "d_model": d_model,
            "num_heads": num_heads,
            "ff_dim": ff_dim,
            "dropout": dropout,
            "norm_first": norm_first,
        }
        self.norm_first = norm_first
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(ff_dim, d_model, dropout)
        self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(3)]
        self.dropouts = [keras.layers.Dropout(dropout) for _ in range(3)]
        ### END SOLUTION

    def call(self, x, memory, self_mask=None, memory_mask=None):
        """
        Attend to the target so far, then to the memory, then work on each token.
        # ko: 지금까지의 타깃에 대해, 이어서 메모리에 대해 어텐션을 계산한 다음 토큰마다 피드포워드 신경망을 적용합니다.

        Args:
        # ko: 인수:
            x: (batch, target_len, d_model).
            memory: (batch, memory_len, d_model).
            self_mask: broadcasts to (batch, num_heads, target_len, target_len); 1 hides, 0 keeps.
            # ko: self_mask: (batch, num_heads, target_len, target_len)로 브로드캐스트. 1은 가리고 0은 남깁니다.
            memory_mask: broadcasts to (batch, num_heads, target_len, memory_len); 1 hides, 0 keeps.
            # ko: memory_mask: (batch, num_heads, target_len, memory_len)로 브로드캐스트. 1은 가리고 0은 남깁니다.

        Returns:
        # ko: 반환값:
            (batch, target_len, d_model).
        """
        ### BEGIN SOLUTION
        sublayers = (
            lambda y: self.self_attention(y, y, y, mask=self_mask),
            lambda y: self.cross_attention(y, memory, memory, mask=memory_mask),
            self.feed_forward,
        )
        for sublayer, norm, dropout in zip(sublayers, self.norms, self.dropouts, strict=True):
            x = x + dropout(sublayer(norm(x))) if self.norm_first else norm(x + dropout(sublayer(x)))
        return x
        ### END SOLUTION

    def get_config(self):
        """Return the arguments that make this layer again."""
        # ko: """이 계층을 다시 만드는 인수를 돌려줍니다."""
        ### BEGIN SOLUTION
        return {**super().get_config(), **self.arguments}
        ### END SOLUTION


# %% grade="decoder-block" points=6
# On a slow machine this check may take half a minute.
# ko: # 느린 컴퓨터에서는 이 검사에 30초쯤 걸릴 수 있습니다.
@checking("DecoderBlock")
def _check(check):
    rng = np.random.default_rng(6)
    x = rng.normal(size=(2, 4, 12)).astype("float32")
    memory = rng.normal(size=(2, 7, 12)).astype("float32")
    _check_width_of_network(check, DecoderBlock(d_model=12, num_heads=4, ff_dim=64), x)
    block = DecoderBlock(d_model=12, num_heads=4, ff_dim=64)
    as_long = memory[:, :4]  # as many tokens as the target has
    # ko: as_long = memory[:, :4]  # 타깃과 토큰의 수가 같습니다
    output = block(x, as_long)
    check.shape(output, (2, 4, 12), "(batch, target_len, d_model)")
    changed = as_long.copy()
    changed[:, 0] += 1.0 + rng.normal(size=12).astype("float32")
    moved = np.abs(to_numpy(block(x, changed)) - to_numpy(output)).max(axis=(0, 2))
    check.true(
        moved[0] < 1e-5 or moved[1:].max() > 1e-5,
        "the memory's first token doesn't change the first output alone",
        # ko: "메모리의 첫 토큰이 첫 출력만 바꾸지는 않는다",
        "the memory's first token changes the first output alone, as if the queries came from the memory. They come from the target, keys and values from the memory: have the arguments of the second attention changed places?",
        # ko: "메모리의 첫 토큰이 첫 출력만 바꿉니다. 쿼리가 메모리에서 나올 때 이렇게 됩니다. 쿼리는 타깃에서, 키와 값은 메모리에서 나와야 합니다. 둘째 어텐션의 인수가 서로 바뀌지 않았나요?",
    )
    check.shape(block(x, memory), (2, 4, 12), "(batch, target_len, d_model)")
    _begin_alike(block)
    output = to_numpy(block(x, memory))
    count = block.count_params()
    check.true(
        count == 2932,
        "2932 parameters for d_model 12, 4 heads, ff_dim 64",
        # ko: "d_model 12, 헤드 4개, ff_dim 64이면 파라미터 2932개",
        f"it has {count} parameters, but 2932 are right for d_model 12, 4 heads, ff_dim 64: "
        # ko: f"파라미터가 {count}개인데 d_model 12, 헤드 4개, ff_dim 64이면 2932개여야 합니다. "
        "two attentions of 624, feed-forward 1612, three normalisations of 24. Is each of them made in `__init__` and called? Is each normalisation a layer normalisation over the last axis? (With Keras's attention: is key_dim d_model // num_heads?)",
        # ko: "624개짜리 어텐션 둘, 피드포워드 신경망 1612개, 24개짜리 정규화 셋입니다. 모두 `__init__`에서 만들고 호출하나요? 정규화는 모두 마지막 축에 대한 계층 정규화인가요? (케라스의 어텐션을 쓴다면 key_dim이 d_model // num_heads인가요?)",
    )
    check.true(
        not np.allclose(to_numpy(block(x, memory + rng.normal(size=memory.shape).astype("float32"))), output, atol=1e-5),
        "the output depends on the memory",
        # ko: "출력이 메모리에 따라 달라진다",
        "another memory gives the same output: does the second attention take its keys and values from it?",
        # ko: "메모리가 달라져도 출력이 같습니다. 둘째 어텐션이 메모리에서 키와 값을 가져오나요?",
    )
    other = DecoderBlock(8, 2, 20)
    other(x[..., :8], memory[..., :8])
    check.true(
        other.count_params() == 972,
        "972 parameters for d_model 8, 2 heads, ff_dim 20",
        # ko: "d_model 8, 헤드 2개, ff_dim 20이면 파라미터 972개",
        f"it has {other.count_params()} parameters, but 972 are right for d_model 8, 2 heads, ff_dim 20. Does a size stand in the block as a number?",
        # ko: f"파라미터가 {other.count_params()}개인데 d_model 8, 헤드 2개, ff_dim 20이면 972개여야 합니다. 블록 안에 크기를 수로 적어 두지 않았나요?",
    )
    _check_drops_in_training_alone(check, lambda **options: block(x, memory, **options))
    paper = DecoderBlock(d_model=12, num_heads=4, ff_dim=64, dropout=0.3, norm_first=False)
    check.shape(paper(x, memory), (2, 4, 12), "post-norm: (batch, target_len, d_model)")
    # ko: check.shape(paper(x, memory), (2, 4, 12), "사후 정규화: (batch, target_len, d_model)")
    _begin_alike(paper)
    _check_drops_in_training_alone(check, lambda **options: paper(x, memory, **options), "post-norm: ")
    # ko: _check_drops_in_training_alone(check, lambda **options: paper(x, memory, **options), "사후 정규화: ")
    look_ahead, only_itself = np.triu(np.ones((4, 4), dtype="float32"), k=1), 1 - np.eye(4, dtype="float32")
    hide_end = np.array([0, 0, 0, 0, 0, 1, 1], dtype="float32").reshape(1, 1, 1, 7)
    later, earlier, unseen = x.copy(), x.copy(), memory.copy()
    later[:, 3] += 1.0 + rng.normal(size=12).astype("float32")
    earlier[:, 0] += 1.0 + rng.normal(size=12).astype("float32")
    unseen[:, 5:] += 1.0 + rng.normal(size=(2, 12)).astype("float32")
    for order, layer in {"pre-norm": block, "post-norm": paper}.items():
    # ko: for order, layer in {"사전 정규화": block, "사후 정규화": paper}.items():
        masks = dict(self_mask=look_ahead, memory_mask=hide_end)
        before, unmasked = to_numpy(layer(x, memory, **masks)), to_numpy(layer(x, memory))
        check.numbers(before, f"{order}, under both masks")
        # ko: check.numbers(before, f"{order}, 두 마스크가 있을 때")
        check.close(
            layer(x, memory, look_ahead, hide_end),
            before,
            f"{order}: self_mask, then memory_mask, also without their names",
            # ko: f"{order}: 이름 없이 줄 때도 self_mask, memory_mask의 순서다",
            otherwise="Are the arguments of `call` in the order in which they were given?",
            # ko: otherwise="`call`의 인수를 주어진 순서 그대로 두었나요?",
        )
        check.true(
            np.allclose(to_numpy(layer(later, memory, **masks))[:, :3], before[:, :3], rtol=1e-4, atol=1e-4),
            f"{order}: under a look-ahead mask a later token changes no earlier output",
            # ko: f"{order}: 룩어헤드 마스크를 쓰면 뒤의 토큰이 앞의 출력을 바꾸지 않는다",
            f"{order}: under a look-ahead mask a later token changes an earlier output. Does the first attention get `self_mask`, and the right way round? If you wrote it yourself, does it make hidden scores small enough, as by -1e9? Or is something of the target added to the memory?",
            # ko: f"{order}: 룩어헤드 마스크를 쓰는데 뒤의 토큰이 앞의 출력을 바꿉니다. 첫째 어텐션에 `self_mask`를 넘겼나요? 거꾸로 쓰지는 않았나요? 직접 만든 어텐션이라면 가린 점수가 충분히 작아지나요(예: -1e9)? 아니면 타깃의 무언가를 메모리에 더하지 않나요?",
        )
        check.true(
            not np.allclose(to_numpy(layer(earlier, memory, **masks))[:, 3], before[:, 3], atol=1e-5),
            f"{order}: an earlier token changes a later output",
            # ko: f"{order}: 앞의 토큰은 뒤의 출력을 바꾼다",
            f"{order}: under a look-ahead mask an earlier token changes no later output. Is the mask the right way round?",
            # ko: f"{order}: 룩어헤드 마스크를 쓸 때 앞의 토큰이 뒤의 출력을 바꾸지 않습니다. 마스크를 거꾸로 쓰지 않았나요?",
        )
        check.true(
            not np.allclose(to_numpy(layer(later, memory))[:, :3], unmasked[:, :3], atol=1e-5),
            f"{order}: without a mask a later token changes the earlier outputs",
            # ko: f"{order}: 마스크가 없으면 뒤의 토큰이 앞의 출력을 바꾼다",
            f"{order}: without a mask a later token changes no earlier output. Does the block mask by itself, as with `use_causal_mask=True`? "
            # ko: f"{order}: 마스크가 없는데도 뒤의 토큰이 앞의 출력을 바꾸지 않습니다. `use_causal_mask=True`처럼 블록이 스스로 가리지 않나요? "
            "It should hide only what `self_mask` hides.",
            # ko: "`self_mask`가 가리는 것만 가려야 합니다.",
        )
        no_last = np.tile(look_ahead[2], (2, 1, 1, 1))
        for no_later, expected in ((np.tile(look_ahead, (2, 1, 1, 1)), before), (no_last, to_numpy(layer(x, memory, self_mask=no_last, memory_mask=hide_end)))):
            shape = no_later.shape
            check.true(
                np.allclose(
                    to_numpy(layer(later, memory, self_mask=no_later, memory_mask=hide_end))[:, :3], expected[:, :3], rtol=1e-4, atol=1e-4
                ),
                f"{order}, self_mask {shape}: what it hides (1) changes no other token",
                # ko: f"{order}, self_mask {shape}: 가린(1) 토큰은 다른 토큰의 출력에 영향을 주지 않는다",
                f"{order}, self_mask {shape}: a token that it hides (1) changes the others. Does the first attention take masks of this shape?",
                # ko: f"{order}, self_mask {shape}: 가린(1) 토큰이 다른 토큰의 출력을 바꿉니다. 첫째 어텐션에 이런 모양의 마스크도 쓸 수 있나요?",
            )
        for shape in ((2, 1, 1, 7), (4, 7), (2, 1, 4, 7)):
            masks["memory_mask"] = np.broadcast_to(hide_end.reshape(-1), shape).copy()
            check.true(
                np.allclose(to_numpy(layer(x, unseen, **masks)), before, rtol=1e-4, atol=1e-4),
                f"{order}, memory_mask {shape}: what it hides (1) has no effect",
                # ko: f"{order}, memory_mask {shape}: 가린(1) 것은 영향이 없다",
                f"{order}, memory_mask {shape}: what it hides (1) changes the output. Does the second attention get it, and the right way round?",
                # ko: f"{order}, memory_mask {shape}: 가린(1) 것이 출력을 바꿉니다. 둘째 어텐션에 넘겼나요? 거꾸로 쓰지는 않았나요?",
            )
        first_alone = np.zeros((4, 7), "float32")
        first_alone[1:, 0] = 1
        other = memory.copy()
        other[:, 0] += 1.0 + rng.normal(size=12).astype("float32")
        check.true(
            np.allclose(
                to_numpy(layer(x, other, memory_mask=first_alone))[:, 1:], to_numpy(layer(x, memory, memory_mask=first_alone))[:, 1:], rtol=1e-4, atol=1e-4
            ),
            f"{order}: what the memory_mask shows to the first target alone changes no other",
            # ko: f"{order}: memory_mask가 첫 타깃에만 보여 주는 것은 다른 출력을 바꾸지 않는다",
            f"{order}: what the memory_mask shows to the first target alone changes other outputs too. Does the self-attention come first, the memory after it?",
            # ko: f"{order}: memory_mask가 첫 타깃에만 보여 주는 것이 다른 출력까지 바꿉니다. 셀프 어텐션이 먼저이고 메모리는 그다음인가요?",
        )
        check.true(
            not np.allclose(to_numpy(layer(x, other)), unmasked, atol=1e-4),
            f"{order}: another memory, another output",
            # ko: f"{order}: 메모리가 바뀌면 출력도 바뀐다",
            f"{order}: another memory gives the same output: does the second attention take its keys and values from it, and is what it gives added?",
            # ko: f"{order}: 메모리를 바꾸어도 출력이 그대로입니다. 둘째 어텐션이 키와 값을 메모리에서 가져오고, 그 결과를 더하나요?",
        )
        check.true(
            np.abs(to_numpy(layer(x, unseen)) - unmasked).max(axis=-1).min() > 1e-5,
            f"{order}: without a mask the memory's last tokens change every output",
            # ko: f"{order}: 마스크가 없으면 메모리의 마지막 토큰들이 모든 출력을 바꾼다",
            f"{order}: without a mask the memory's last tokens change some outputs and others not. Does the second attention mask by itself, as with `use_causal_mask=True`? "
            # ko: f"{order}: 마스크가 없는데도 메모리의 마지막 토큰들이 바꾸지 못하는 출력이 있습니다. 둘째 어텐션이 `use_causal_mask=True`처럼 스스로 가리지 않나요? "
            "It should hide only what `memory_mask` hides.",
            # ko: "`memory_mask`가 가리는 것만 가려야 합니다.",
        )
        check.true(
            not np.allclose(to_numpy(layer(x, 10 * memory)), unmasked, rtol=1e-2, atol=1e-2),
            f"{order}: the memory is not normalised again",
            # ko: f"{order}: 메모리를 다시 정규화하지 않는다",
            f"{order}: the memory is normalised again, as ten times the memory gives (almost) the same output. Use it as it comes.",
            # ko: f"{order}: 메모리를 다시 정규화합니다. 메모리를 열 배로 키워도 출력이 거의 같습니다. 들어온 그대로 쓰세요.",
        )
        check.true(
            np.allclose(
                to_numpy(layer(earlier, memory, self_mask=only_itself))[:, 1:], to_numpy(layer(x, memory, self_mask=only_itself))[:, 1:], rtol=1e-4, atol=1e-4
            ),
            f"{order}: where each token sees itself alone, the first changes no other, not through the memory either",
            # ko: f"{order}: 토큰이 각각 자기 자신만 볼 때 첫 토큰은 다른 토큰을 바꾸지 않는다. 메모리를 거쳐서도 마찬가지다",
            f"{order}: where each token sees itself alone, the first changes other outputs. Is something of the target added to the memory? It is used as it is.",
            # ko: f"{order}: 토큰이 각각 자기 자신만 보는데 첫 토큰이 다른 출력을 바꿉니다. 타깃의 무언가를 메모리에 더하지 않나요? 메모리는 들어온 그대로 씁니다.",
        )
    paper_output = to_numpy(paper(50 * x + 3, memory))  # too large for a softmax that takes nothing off, as in the encoder block
    # ko: paper_output = to_numpy(paper(50 * x + 3, memory))  # 인코더 블록에서처럼, 최댓값을 빼지 않는 소프트맥스에는 너무 큽니다
    check.numbers(paper_output, "post-norm, larger tokens", "Does the softmax take off the maximum?")
    # ko: check.numbers(paper_output, "사후 정규화, 큰 토큰", "소프트맥스에서 최댓값을 빼나요?")
    check.close(
        paper_output.var(axis=-1),
        np.ones((2, 4)),
        "post-norm: each token leaves with variance 1",
        # ko: "사후 정규화: 나오는 토큰마다 분산이 1이다",
        tolerance=0.02,
        otherwise="With norm_first=False, is each sum normalised? Have the branches of True and False changed places?",
        # ko: otherwise="norm_first=False일 때 합을 정규화하나요? 참일 때와 거짓일 때의 코드가 서로 바뀌지는 않았나요?",
    )
    check.true(
        paper.count_params() == 2932,
        "post-norm: 2932 parameters too",
        # ko: "사후 정규화에서도 파라미터 2932개",
        f"with norm_first=False it has {paper.count_params()} parameters instead of 2932: 624 of each of the two attentions, 1612 of the feed-forward network, three times 24 of the normalisations. Is each of them called, and has each normalisation a γ and a β of its own?",
        # ko: f"norm_first=False이면 파라미터가 2932개가 아니라 {paper.count_params()}개입니다. 두 어텐션 624개씩, 피드포워드 신경망 1612개, 세 정규화 24개씩입니다. 모두 호출하고, 정규화마다 자기 γ와 β가 있나요?",
    )
    many, many_memory = rng.normal(size=(8, 10, 12)).astype("float32"), rng.normal(size=(8, 6, 12)).astype("float32")
    many_output = to_numpy(paper(many, many_memory))
    cosine = np.mean(np.sum(many * many_output, axis=-1) / np.linalg.norm(many, axis=-1) / np.linalg.norm(many_output, axis=-1))
    check.true(
        cosine > 0.2,
        "post-norm: the input is still in the output",
        # ko: "사후 정규화: 출력에 입력이 남아 있다",
        "with norm_first=False hardly anything of the input is left in the output: is there a residual around all three sublayers?",
        # ko: "norm_first=False일 때 출력에 입력이 거의 남아 있지 않습니다. 세 하위 계층에 모두 잔차 연결이 있나요?",
    )
    dropping = DecoderBlock.from_config(DecoderBlock(d_model=12, num_heads=4, ff_dim=64, dropout=0.3).get_config())
    built = {"the block": block, "the block made from the config": dropping}
    # ko: built = {"블록": block, "config로 만든 블록": dropping}
    for words, layer in built.items():
        layer(x, memory)
        layer.set_weights([np.zeros(w.shape) for w in layer.weights])
        for training in (False, True):
            check.close(
                layer(x, memory, training=training),
                x,
                f"{words}, pre-norm, all weights 0, training={training}: only the residuals are left, so the input comes out",
                # ko: f"{words}, 사전 정규화에서 가중치가 모두 0이고 training={training}이면 잔차만 남아 입력이 그대로 나온다",
                hints={
                    "twice the input comes out: to be added is what the last sublayer gives, not the tokens once more.": 2 * x,
                    # ko: "입력의 두 배가 나옵니다. 토큰을 한 번 더 더하지 말고 마지막 하위 계층의 출력을 더하세요.": 2 * x,
                },
                otherwise="Do you add what a sublayer gives, after its dropout, to what came in before the normalisation? Is there a norm behind a sum, which belongs to post-norm?",
                # ko: otherwise="하위 계층의 출력에 드롭아웃을 적용한 다음, 정규화하기 전의 입력에 더하나요? 합의 뒤에 정규화가 있지는 않나요? 그것은 사후 정규화입니다.",
            )
    check.survives_config(
        paper,
        lambda layer: layer(x, memory),
        "the post-norm block made again from its config, with its weights",
        # ko: "사후 정규화 블록을 config로 다시 만들어 그 가중치를 넣은 것",
        otherwise="Does get_config return `norm_first`?",
        # ko: otherwise="get_config가 `norm_first`를 돌려주나요?",
    )
    # Only the normalisations are left: their scales are 1, every other weight is 0. Then epsilon decides about a very small token.
    # ko: # 정규화만 남깁니다. gamma는 1로, 다른 가중치는 모두 0으로 둡니다. 그러면 아주 작은 토큰의 크기는 epsilon에 달렸습니다.
    paper.set_weights([w if np.isin(w, (0, 1)).all() else np.zeros(w.shape) for w in paper.get_weights()])
    token = np.linspace(-1, 1, 12).reshape(1, 1, 12).repeat(20, axis=1)
    token /= token.std()
    variance = 1e-9**2
    for _ in range(3):
        variance = variance / (variance + 1e-6)
    small = 1e-9 * token.astype("float32")
    if np.allclose(to_numpy(paper(token.astype("float32"), memory[:1])), token, atol=0.01):  # weights in another form are compared when this is graded
    # ko: if np.allclose(to_numpy(paper(token.astype("float32"), memory[:1])), token, atol=0.01):  # 다른 모양으로 둔 가중치는 채점할 때 비교합니다
        check.close(
            np.std(to_numpy(paper(small, memory[:1]))),
            variance**0.5,
            "post-norm, only the normalisations left: the size of a token of size 1e-9, where epsilon decides",
            # ko: "사후 정규화에서 정규화만 남기고 크기가 1e-9인 토큰을 넣으면 나오는 크기(epsilon에 달렸다)",
            tolerance=0.01,
            otherwise="Does each normalisation stand behind its sum, and does each sublayer add to what the one before it gave? Is epsilon 1e-6 in every normalisation (`keras.layers.LayerNormalization()` takes 1e-3 if you don't say so)?",
            # ko: otherwise="정규화가 저마다 자기 합의 뒤에 있고, 하위 계층마다 바로 앞 하위 계층의 결과에 더하나요? 모든 정규화의 epsilon이 1e-6인가요(`keras.layers.LayerNormalization()`은 따로 정하지 않으면 1e-3을 씁니다)?",
        )
        check.close(
            paper(token, memory[:1], training=True),
            token,
            "post-norm, only the normalisations left: the same in training",
            # ko: "사후 정규화에서 정규화만 남기면 학습할 때도 같다",
            tolerance=1e-2,
            otherwise="Dropout belongs to what a sublayer gives, before the sum, and not to the sum or to what is normalised.",
            # ko: otherwise="드롭아웃은 합이나 정규화한 값이 아니라, 더하기 전의 하위 계층 출력에 적용하세요.",
        )
    fresh = DecoderBlock(d_model=12, num_heads=4, ff_dim=64, dropout=0.0)
    check.drops_nothing(lambda **options: fresh(x, memory, **options), has_embedding=False)
    check.survives_config(
        fresh,
        lambda layer: layer(x, memory, training=True),
        "made again from its config with dropout 0.0, the block drops nothing in training",
        # ko: "드롭아웃 비율이 0.0인 블록을 config로 다시 만들면 학습할 때도 드롭아웃이 없다",
        otherwise="Does get_config return `dropout`?",
        # ko: otherwise="get_config가 `dropout`을 돌려주나요?",
    )
    post = DecoderBlock(d_model=12, num_heads=4, ff_dim=64, dropout=0.0, norm_first=False)
    post(x, memory)
    for each in (fresh, post):
        _begin_alike(each)
    check.uses_every_weight(fresh, lambda: fresh(x, memory), "pre-norm")
    # ko: check.uses_every_weight(fresh, lambda: fresh(x, memory), "사전 정규화")
    check.uses_every_weight(post, lambda: post(x, memory), "post-norm")
    # ko: check.uses_every_weight(post, lambda: post(x, memory), "사후 정규화")
    single = DecoderBlock(d_model=12, num_heads=1, ff_dim=64, dropout=0.0)
    single(x, memory)
    _check_heads(check, fresh, single, lambda block: block(x, memory))
    if {(12, 64), (64, 12)} <= set(map(_long_axes, fresh.weights)):  # else the network is compared when this is graded
    # ko: if {(12, 64), (64, 12)} <= set(map(_long_axes, fresh.weights)):  # 그렇지 않으면 신경망은 채점할 때 비교합니다
        weights = fresh.get_weights()
        fresh.set_weights(_without_network(weights))
        # with one token of memory the cross-attention fetches that one, whatever its queries are
        # ko: # 메모리의 토큰이 하나면 교차 어텐션은 쿼리가 무엇이든 그 토큰을 가져옵니다
        own, both, of_one = (to_numpy(fresh(x, part)) - x for part in (0 * memory, memory, memory[:, :1]))
        check.true(
            np.abs(both).max() > 1e-3,
            "pre-norm, without its feed-forward network: what the attentions add is still there",
            # ko: "사전 정규화, 피드포워드 신경망을 0으로 두었을 때: 두 어텐션이 더한 것이 남아 있다",
            "what both attentions add is lost: the third sublayer is to be added to what the second gave, not to the x that came in.",
            # ko: "두 어텐션이 더한 것이 모두 사라졌습니다. 셋째 하위 계층은 처음 들어온 x가 아니라 둘째의 결과에 더해야 합니다.",
        )
        check.true(
            np.abs(own).max() > 1e-3,
            "pre-norm, without its feed-forward network and memory: what the self-attention adds is still there",
            # ko: "사전 정규화, 피드포워드 신경망과 메모리를 0으로 두었을 때: 셀프 어텐션이 더한 것이 남아 있다",
            "what the self-attention adds is lost: the second sublayer is to be added to what the first gave, not to the x that came in.",
            # ko: "셀프 어텐션이 더한 것이 사라졌습니다. 둘째 하위 계층은 처음 들어온 x가 아니라 첫째의 결과에 더해야 합니다.",
        )
        check.close(
            to_numpy(fresh(10 * x, 0 * memory)) - 10 * x,
            own,
            "pre-norm, without its feed-forward network and memory, tokens ten times as large: the self-attention adds the same",
            # ko: "사전 정규화, 피드포워드 신경망과 메모리를 0으로 두고 토큰이 열 배일 때: 셀프 어텐션이 더하는 것은 같다",
            tolerance=1e-2,
            otherwise="Does the self-attention get normalised tokens, as queries, keys and values?",
            # ko: otherwise="셀프 어텐션이 쿼리, 키, 값으로 모두 정규화한 토큰을 받나요?",
        )
        check.true(
            np.abs(both - own).max() > 1e-3,
            "pre-norm, without its feed-forward network: what the cross-attention adds is still there",
            # ko: "사전 정규화, 피드포워드 신경망을 0으로 두었을 때: 교차 어텐션이 더한 것이 남아 있다",
            "what the cross-attention adds is lost: the third sublayer is to be added to what the second gave.",
            # ko: "교차 어텐션이 더한 것이 사라졌습니다. 셋째 하위 계층은 둘째의 결과에 더해야 합니다.",
        )
        check.true(
            not np.allclose(to_numpy(fresh(x, 10 * memory)) - x - own, 10 * (both - own), rtol=1e-2, atol=1e-2),
            "pre-norm, without its feed-forward network: the keys are the memory as it is",
            # ko: "사전 정규화, 피드포워드 신경망을 0으로 두었을 때: 키는 메모리를 들어온 그대로 쓴다",
            "ten times the memory gives ten times as much and changes no attention weight: its keys are normalised again. Use the memory as it comes.",
            # ko: "메모리를 열 배로 키우면 나오는 것도 열 배가 될 뿐 어텐션 가중치가 바뀌지 않습니다. 키를 다시 정규화하기 때문입니다. 메모리를 들어온 그대로 쓰세요.",
        )
        check.close(
            to_numpy(fresh(x, 10 * memory[:, :1])) - x - own,
            10 * (of_one - own),
            "pre-norm, without its feed-forward network, one token of memory: ten times as large, it gives ten times as much",
            # ko: "사전 정규화, 피드포워드 신경망을 0으로 두고 메모리의 토큰이 하나일 때: 열 배로 키우면 나오는 것도 열 배다",
            tolerance=1e-2,
            otherwise="Ten times the memory doesn't give ten times as much. Are its values normalised again, or is what the cross-attention gives? Use the memory as it comes; in pre-norm no normalisation stands behind a sublayer.",
            # ko: otherwise="메모리를 열 배로 키워도 나오는 것이 열 배가 되지 않습니다. 메모리에서 나온 값(value)을 다시 정규화하거나, 교차 어텐션의 출력을 정규화하지 않나요? 메모리는 들어온 그대로 쓰고, 사전 정규화에서는 하위 계층 뒤에 정규화를 두지 않습니다.",
        )
        by_itself = to_numpy(fresh(x, memory, self_mask=only_itself)) - to_numpy(fresh(x, 0 * memory, self_mask=only_itself))
        check.true(
            np.abs(by_itself - (both - own)).max() > 1e-3,
            "pre-norm, without its feed-forward network: what is fetched from the memory depends on what the self-attention has written",
            # ko: "사전 정규화, 피드포워드 신경망을 0으로 두었을 때: 메모리에서 가져오는 것은 셀프 어텐션이 더한 것에 따라 달라진다",
            "what is fetched from the memory is the same whatever the self-attention has written: the queries of the second attention come from "
            # ko: "셀프 어텐션이 무엇을 더하든 메모리에서 가져오는 것이 같습니다. 둘째 어텐션의 쿼리는 처음 들어온 x가 아니라 "
            "the first sum, not from the x that came in.",
            # ko: "첫째 합에서 나와야 합니다.",
        )
        check.close(
            to_numpy(fresh(90 * x, memory / 30)) - 90 * x,
            to_numpy(fresh(30 * x, memory / 30)) - 30 * x,
            "pre-norm, without its feed-forward network, a small memory: the attentions add the same to large tokens that are three times as large",
            # ko: "사전 정규화, 피드포워드 신경망을 0으로 두고 메모리가 작을 때: 큰 토큰이 세 배가 되어도 두 어텐션이 더하는 것은 같다",
            tolerance=2e-3,
            otherwise="Do both attentions get the normalised tokens, each from its own normalisation of what has been added up so far?",
            # ko: otherwise="두 어텐션이 모두 정규화한 토큰을 받나요? 저마다 그때까지 더한 것을 자기 정규화에 넣나요?",
        )
        _check_network(check, fresh, lambda tokens: fresh(tokens, memory), x, both, weights, "second")
        # ko: _check_network(check, fresh, lambda tokens: fresh(tokens, memory), x, both, weights, "둘째")
        _check_attention_is_added(check, fresh, lambda tokens: fresh(tokens, 0 * memory, self_mask=only_itself), x, weights, "self-attention")
        # ko: _check_attention_is_added(check, fresh, lambda tokens: fresh(tokens, 0 * memory, self_mask=only_itself), x, weights, "셀프 어텐션")
        check.true(
            not np.allclose(to_numpy(fresh(x, memory[:, :1])) - to_numpy(fresh(x, 0 * memory)), of_one - own, atol=1e-4),
            "pre-norm: the network reads what the cross-attention has written",
            # ko: "사전 정규화: 신경망이 교차 어텐션이 더한 것을 읽는다",
            "what the feed-forward network adds doesn't depend on the memory. It is the last sublayer: it should read the second sum, with what the cross-attention gave.",
            # ko: "피드포워드 신경망이 더하는 것이 메모리에 따라 달라지지 않습니다. 신경망은 마지막 하위 계층으로, 교차 어텐션의 결과까지 더한 둘째 합을 읽어야 합니다.",
        )
        dropping.set_weights(_without_network(weights))
        longer = np.tile(many, (1, 3, 1))
        in_training = to_numpy(dropping(longer, 0 * many_memory, training=True))
        _note_what_is_dropped(check, np.mean(in_training == longer), "self-attention")
        # ko: _note_what_is_dropped(check, np.mean(in_training == longer), "셀프 어텐션")
        check.true(
            not np.allclose(in_training, to_numpy(dropping(longer, 0 * many_memory))),
            "without its feed-forward network and memory: in training the self-attention gives something else",
            # ko: "피드포워드 신경망과 메모리를 0으로 두었을 때: 학습할 때는 셀프 어텐션의 결과가 달라진다",
            "in training nothing of what the self-attention gives is dropped: there is a dropout behind each sublayer, before the sum.",
            # ko: "학습할 때 셀프 어텐션의 출력에 드롭아웃이 작동하지 않습니다. 하위 계층마다 그 출력에, 더하기 전에 드롭아웃이 있어야 합니다.",
        )
        same = 1000 * np.repeat(memory[:, :1], 7, axis=1)  # whatever is attended, the same large values come out
        # ko: same = 1000 * np.repeat(memory[:, :1], 7, axis=1)  # 어디에 주목하든 똑같이 큰 값이 나옵니다
        many_same = np.tile(same, (4, 1, 1))
        in_training = to_numpy(dropping(longer, many_same, training=True))
        check.numbers(in_training, "a memory of large numbers", "Does the softmax take off the maximum?")
        # ko: check.numbers(in_training, "메모리의 수가 클 때", "소프트맥스에서 최댓값을 빼나요?")
        _note_what_is_dropped(check, np.mean(np.abs(in_training - longer) < 10), "cross-attention")
        # ko: _note_what_is_dropped(check, np.mean(np.abs(in_training - longer) < 10), "교차 어텐션")
        check.true(
            np.abs(in_training - to_numpy(dropping(longer, many_same))).max() > 20,
            "without its feed-forward network: in training the cross-attention gives something else",
            # ko: "피드포워드 신경망을 0으로 두었을 때: 학습할 때는 교차 어텐션의 결과가 달라진다",
            "in training nothing of what the cross-attention gives is dropped: there is a dropout behind each sublayer, before the sum.",
            # ko: "학습할 때 교차 어텐션의 출력에 드롭아웃이 작동하지 않습니다. 하위 계층마다 그 출력에, 더하기 전에 드롭아웃이 있어야 합니다.",
        )
        _check_network_drops(check, dropping, lambda tokens: dropping(tokens, many_memory, training=True), many, weights)
        weights = post.get_weights()
        _check_post_norm(check, post, lambda tokens: post(tokens, memory, self_mask=only_itself), x, weights)
        check.close(
            post(x[:, ::-1], 1000 * same),
            to_numpy(post(x, 1000 * same)),
            "post-norm, so large a memory that nothing else counts: the network reads the second sum, normalised",
            # ko: "사후 정규화, 메모리가 아주 커서 다른 것은 아무 영향이 없을 때: 신경망은 둘째 합을 정규화해 읽는다",
            tolerance=1e-2,
            otherwise="The feed-forward network reads what the second normalisation gave, with all of the cross-attention's output, and is added to that. Does it read an earlier sum, or is it added to one? Or is the cross-attention's output normalised before its sum?",
            # ko: otherwise="피드포워드 신경망은 교차 어텐션의 출력까지 모두 더한 둘째 정규화의 결과를 읽고 거기에 더합니다. 더 앞의 합을 읽거나 거기에 더하지 않나요? 아니면 교차 어텐션의 출력을 더하기 전에 정규화하나요?",
        )
        if _one_by_one(weights):
            # with large biases in the hidden units the network tells a large second sum from a larger one
            # ko: # 은닉 유닛의 편향이 크면, 큰 둘째 합과 더 큰 합에 신경망이 내놓는 것이 다릅니다
            post.set_weights([np.full(w.shape, 100.0) if _long_axes(w) == (64,) else w for w in weights])
            check.close(
                post(x, 1000 * same),
                to_numpy(post(x, same)),
                "post-norm, a large memory that is a thousand times as large: the network reads the same, normalised",
                # ko: "사후 정규화, 큰 메모리가 천 배일 때: 신경망이 읽는 정규화한 값은 같다",
                tolerance=2e-2,
                otherwise="With norm_first=False the feed-forward network reads a second sum that isn't normalised. Each normalisation stands behind its sum: the cross-attention reads what the first one gave and is added to that.",
                # ko: otherwise="norm_first=False일 때 피드포워드 신경망이 정규화하지 않은 둘째 합을 읽습니다. 정규화는 저마다 자기 합의 뒤에 있습니다. 교차 어텐션은 첫째 정규화의 결과를 읽고 거기에 더합니다.",
            )
            post.set_weights(_without_network(weights))
            check.true(
                not np.allclose(to_numpy(post(1000 * x, 0 * memory)), to_numpy(post(x, 0 * memory)), atol=0.01),
                "post-norm, without its feed-forward network and memory, tokens a thousand times as large: the output is another one",
                # ko: "사후 정규화, 피드포워드 신경망과 메모리를 0으로 두고 토큰이 천 배일 때: 출력이 달라진다",
                "with norm_first=False tokens a thousand times as large give the same output: is x normalised before the self-attention reads it and is added to it? It reads the x that came in, and the sum behind it is normalised.",
                # ko: "norm_first=False일 때 토큰이 천 배여도 출력이 같습니다. 셀프 어텐션이 읽고 더하기 전에 x를 정규화하지 않나요? 들어온 x를 그대로 읽고, 그 뒤의 합을 정규화합니다.",
            )
        _check_post_norm_gains(check, post, lambda tokens: post(tokens, memory, self_mask=only_itself), x, weights)
        paper.set_weights(_without_network(weights))
        _check_post_norm_drops(check, lambda **options: paper(x, 0 * memory, **options), "self-attention", "its feed-forward network")
        # ko: _check_post_norm_drops(check, lambda **options: paper(x, 0 * memory, **options), "셀프 어텐션", "피드포워드 신경망")
        _check_post_norm_drops(check, lambda **options: paper(0 * x, same, **options), "cross-attention", "its feed-forward network")
        # ko: _check_post_norm_drops(check, lambda **options: paper(0 * x, same, **options), "교차 어텐션", "피드포워드 신경망")
        if _one_by_one(weights):
            # as in the encoder block
            # ko: # 인코더 블록에서와 같습니다
            paper.set_weights(_with_means_alone(weights))
            _check_post_norm_drops(check, lambda **options: paper(x, 0 * memory, **options), "feed-forward network", "attention")
            # ko: _check_post_norm_drops(check, lambda **options: paper(x, 0 * memory, **options), "피드포워드 신경망", "어텐션")
        paper.set_weights(_with_loud_attention(weights))
        _note_what_post_norm_drops(check, lambda **options: paper(0.1 * _PAIRS, 0 * _PAIRS, **options), -_PAIRS, "self-attention")
        # ko: _note_what_post_norm_drops(check, lambda **options: paper(0.1 * _PAIRS, 0 * _PAIRS, **options), -_PAIRS, "셀프 어텐션")
        if np.allclose(to_numpy(paper(0.1 * _PAIRS, -10 * _PAIRS)), _PAIRS, atol=0.02):  # not so where the self-attention alone is heard
        # ko: if np.allclose(to_numpy(paper(0.1 * _PAIRS, -10 * _PAIRS)), _PAIRS, atol=0.02):  # 셀프 어텐션만 무언가를 내놓으면 이렇지 않습니다
            _note_what_post_norm_drops(check, lambda **options: paper(0.1 * _PAIRS, 10 * _PAIRS, **options), -_PAIRS, "cross-attention")
            # ko: _note_what_post_norm_drops(check, lambda **options: paper(0.1 * _PAIRS, 10 * _PAIRS, **options), -_PAIRS, "교차 어텐션")
        paper.set_weights(_with_loud_network(weights))
        _note_what_post_norm_drops(check, lambda **options: paper(_PAIRS, _PAIRS, **options), _IN_TURN, "feed-forward network")
        # ko: _note_what_post_norm_drops(check, lambda **options: paper(_PAIRS, _PAIRS, **options), _IN_TURN, "피드포워드 신경망")
    check.notes_config(DecoderBlock, d_model=12, num_heads=4, ff_dim=64)
    check.raises_value_error(DecoderBlock, d_model=10, num_heads=4, ff_dim=8, naming=("num_heads", 4, "d_model", 10))
    masks = dict(self_mask=look_ahead, memory_mask=hide_end)
    check.compiles(
        lambda x, memory: [layer(x, memory, **masks, training=True) for layer in (dropping, paper)], x, memory, required=False, open_batch=True
    )
_check

# %%
# What a decoder block's outputs depend on: the target so far, and the source without its padding.
# ko: # 디코더 블록의 출력은 무엇의 영향을 받을까요? 지금까지의 타깃, 그리고 패딩을 뺀 소스입니다.
@demonstrate
def _demo():
    keras.utils.set_random_seed(7)
    block = DecoderBlock(d_model=16, num_heads=4, ff_dim=32)
    rng = np.random.default_rng(7)
    target, source = rng.normal(size=(5, 16)), rng.normal(size=(8, 16))
    ahead = np.triu(np.ones((5, 5), dtype="float32"), k=1)
    source_padding = np.array([0, 0, 0, 0, 0, 0, 1, 1], dtype="float32").reshape(1, 1, 1, 8)
    masks = dict(self_mask=ahead, memory_mask=source_padding)
    many_sources = lambda x: np.repeat(source[None], len(x), axis=0).astype("float32")
    many_targets = lambda m: np.repeat(target[None], len(m), axis=0).astype("float32")
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.6), width_ratios=(5, 8), layout="constrained")
    on_target = influence(lambda x: block(x, many_sources(x), **masks), target)
    on_source = influence(lambda m: block(many_targets(m), m, **masks), source)
    show_influence(on_target, axes[0], "on the target", "changed target token", "output")
    # ko: show_influence(on_target, axes[0], "타깃의 영향 (target)", "바꾼 타깃 토큰", "출력 (output)")
    image = show_influence(on_source, axes[1], "on the memory", "changed memory token", "output")
    # ko: image = show_influence(on_source, axes[1], "메모리의 영향 (memory)", "바꾼 메모리 토큰", "출력 (output)")
    figure.colorbar(image, ax=axes, label="log10 of the largest change of a feature")
    # ko: figure.colorbar(image, ax=axes, label="가장 크게 달라진 특징의 변화량 (log10)")
    plt.show()

# %%
# `leaks_future`, your leak test of notebook 04, on your decoder block, in three cases. Guess in which of them it leaks.
# ko: # 4번 노트북에서 만든 누수 검사 `leaks_future`를 여러분의 디코더 블록에 세 가지 경우로 해 봅니다. 어느 경우에 샐지 짐작해 보세요.
@demonstrate
def _demo():
    keras.utils.set_random_seed(8)
    block = DecoderBlock(d_model=12, num_heads=4, ff_dim=32)
    memory = np.random.default_rng(8).normal(size=(1, 7, 12)).astype("float32")
    ahead = np.triu(np.ones((5, 5), dtype="float32"), k=1)
    masks = {"a look-ahead mask": ahead, "no mask": None, "the look-ahead mask with 0 and 1 exchanged": 1 - ahead}
    # ko: masks = {"룩어헤드 마스크": ahead, "마스크 없음": None, "0과 1을 맞바꾼 룩어헤드 마스크": 1 - ahead}
    for words, mask in masks.items():
        leaks = leaks_future(lambda x, mask=mask: block(x, memory, self_mask=mask), seq_len=5, dim=12)
        if leaks is None:
            print("Your leaks_future returns nothing (None): is the `return` missing?")
            # ko: print("여러분의 leaks_future가 아무것도 돌려주지 않습니다(None). `return`이 빠지지 않았나요?")
            return
        print(f"{words}: {'it leaks' if leaks else 'no leak'}")
        # ko: print(f"{words}: {'샌다' if leaks else '새지 않는다'}")

# %% [markdown]
# > **What is right.** Only the first doesn't leak. Without a mask a decoder block leaks, and that is right: it hides what `self_mask` hides and nothing else.
# > If yours says "no leak" there, it masks by itself (`use_causal_mask=True`?), or `leaks_future` misses it: if it adds the same to all features of a token, or only makes them larger, the normalisation takes the change away. Change a token by random numbers. Under the mask with 0 and 1 exchanged a token sees *only* what comes after it (the last one, for which nothing is left, sees all tokens alike, or none: attentions differ there), so it leaks too.
#
# > **Does this hold?** The decoder of the lecture notebook that this course grew out of ends with
# >
# > ```python
# > res = x + res                     # x: what the cross-attention gave
# > ff = LayerNormalization()(res)
# > ff = Dense(ff_dim, activation="relu")(ff)
# > ff = Dense(dim)(ff)
# > return x + res
# > ```
# >
# > *"The decoder block has a feed-forward network."* Before you unfold the answer, guess: does its training show that something is wrong, and what else would?
# >
# > <details><summary>What is right</summary>
# >
# > Look at the last line: it returns `x + res`, not `ff + res`. The network is computed and thrown away; it never learns. Nothing fails. Trained on a translation task such a decoder gets
# > 0.999 of the sentences right, as good as the right one. A comparison of values always sees it, and the hidden checks
# > make one. The public check of your block sees it too, without right values: it asks of every matrix whether the output depends on it; where the network
# > is lost, it doesn't. (The test with all weights 0 doesn't see this one. It sees a sum that is added to itself.) The count of the parameters sees it only in a functional model, put together by calling layers on an `Input`, such as the lecture's (two encoder and two
# > decoder blocks and a dense layer of 156 at the end: 7316 instead of 10588). In a block that is written as a layer, like yours, the lost network is built
# > and counted all the same.
# >
# > </details>
#
# ## Task 5: count the parameters (3 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# | part | parameters |
# |---|---|
# | dense layer from $n$ to $m$ features | $n m + m$ |
# | attention: four of them, `d_model` to `d_model` | … |
# | feed-forward: `d_model` to `ff_dim` and back | … |
# | one layer normalisation: γ and β | … |
#
# Which of them, and how often, are in an encoder block and in a decoder block? The number of heads changes nothing in the
# count, but it must divide `d_model`: say so if it doesn't.
#
# <details><summary>Hint 1: What has no parameters?</summary>
#
# Sums, ReLU, softmax, dropout and masks. What is left are dense layers and normalisations.
#
# </details>
#
# <details><summary>Hint 2: How often does each part occur?</summary>
#
# Read it off your own classes: how many attentions, feed-forward networks and normalisations are made in each `__init__`? One Dense
# has a kernel (its matrix) *and* a bias.
#
# </details>
#
# <!-- ko -->
# > **맞는 설명.** 새지 않는 것은 첫째뿐입니다. 마스크가 없으면 디코더 블록은 샙니다. 그것이 맞습니다. 블록은 `self_mask`가 가리는 것만 가립니다. 그런데 여러분의 블록에서
# > 마스크 없이도 '새지 않는다'가 나오면 블록이 스스로 가리거나(`use_causal_mask=True`를 쓰지 않았나요?), `leaks_future`가 알아채지 못하는 것입니다. 토큰의 모든 특징에 같은 수를 더하거나 토큰을 키우기만 하면 정규화가 그 차이를 없앱니다. 무작위 수로 바꾸세요. 0과 1을 맞바꾼 마스크를 쓰면 토큰은 자기 뒤에 오는 것*만* 보므로(뒤에 아무것도 없는 마지막 토큰은 어텐션을 어떻게 계산하느냐에 따라 모든 토큰을 고르게 보거나 아무것도 보지 않습니다) 역시 샙니다.
#
# > **정말 그럴까?** 이 과정의 바탕이 된 강의 노트북에서 디코더는 이렇게 끝납니다.
# >
# > ```python
# > res = x + res                     # x: 교차 어텐션의 출력
# > ff = LayerNormalization()(res)
# > ff = Dense(ff_dim, activation="relu")(ff)
# > ff = Dense(dim)(ff)
# > return x + res
# > ```
# >
# > *"디코더 블록에는 피드포워드 신경망이 있다."* 학습 결과만 보고 이 잘못을 알아챌 수 있을까요? 무엇으로 알아낼 수 있을까요? 답을 펼치기 전에 생각해 보세요.
# >
# > <details><summary>맞는 설명</summary>
# >
# > 마지막 줄을 보세요. `ff + res`가 아니라 `x + res`를 돌려줍니다.
# > 신경망은 계산된 뒤 버려지고, 결코 학습되지 않습니다. 그런데 오류는 나지 않습니다. 번역 과제로 학습시키면 이런
# > 디코더도 맞힌 문장의 비율이 0.999로, 올바른 디코더에 뒤지지 않습니다. 값을 비교하면 이 잘못이 언제나 드러나고,
# > 채점 때의 비공개 검사도 그렇게 합니다. 여러분의 블록을 살피는 공개 검사는 올바른 값 없이도 알아냅니다. 행렬을 하나씩 바꾸어 출력이 달라지는지 보는데, 버려진 신경망의
# > 행렬은 바꾸어도 그대로이기 때문입니다. (가중치를 모두 0으로 두는 검사로는 이것이 드러나지 않습니다. 그 검사는 합에 자기 자신을 더하는 잘못을 찾아냅니다.) 파라미터 수는 강의의 모델처럼 `Input`에 계층을 차례로 호출해 만든 함수형 모델에서만 이것을 드러냅니다(인코더
# > 블록과 디코더 블록이 둘씩 있고 끝에 파라미터가 156개인 완전 연결 계층이 있는 그 모델에서는 10588개가 아니라 7316개). 여러분의 블록처럼 `Layer` 클래스로 작성한 블록에서는 버려진
# > 신경망도 만들어져 그대로 세어집니다.
# >
# > </details>
#
# ## 과제 5: 파라미터 세기 (3점)
#
# *난이도 1/5, 10분쯤.*
#
# | 부분 | 파라미터 |
# |---|---|
# | 특징 $n$개에서 $m$개로 가는 완전 연결 계층 | $n m + m$ |
# | 어텐션: 그런 계층 네 개, `d_model`에서 `d_model`로 | … |
# | 피드포워드 신경망: `d_model`에서 `ff_dim`으로 갔다가 되돌아온다 | … |
# | 계층 정규화 하나: γ와 β | … |
#
# 인코더 블록과 디코더 블록에는 이 가운데 무엇이 몇 개씩 들어 있나요? 헤드의 수가 달라도 파라미터의 수는 같지만,
# `d_model`은 헤드의 수로 나누어떨어져야 합니다. 나누어떨어지지 않으면 오류로 알려 주세요.
#
# <details><summary>힌트 1: 파라미터가 없는 것은?</summary>
#
# 덧셈, ReLU, 소프트맥스, 드롭아웃, 마스크입니다. 남는 것은 Dense 계층과 정규화입니다.
#
# </details>
#
# <details><summary>힌트 2: 부품은 각각 몇 번 나올까요?</summary>
#
# 여러분의 클래스에서 읽어 보세요. `__init__`마다 어텐션, 피드포워드 신경망, 정규화를 몇 개 만드나요? Dense 하나에는 커널(행렬)*과* 편향이
# 있습니다.
#
# </details>


# %% task="block-parameters" builds_on="carry-over layer-norm feed-forward encoder-block decoder-block"
def block_parameter_count(kind, d_model, num_heads, ff_dim):
    """
    Count the parameters of a block, biases included: what `count_params()` of the built block returns.
    # ko: 블록의 파라미터를 편향까지 셉니다. 빌드된 블록의 `count_params()`가 돌려주는 수입니다.

    Args:
    # ko: 인수:
        kind: "encoder" or "decoder".
        # ko: kind: "encoder" 또는 "decoder".
        d_model: features of a token.
        # ko: d_model: 토큰 하나의 특징 수.
        num_heads: heads; must divide d_model.
        # ko: num_heads: 헤드의 수. d_model이 이 수로 나누어떨어져야 합니다.
        ff_dim: hidden units of the feed-forward network.
        # ko: ff_dim: 피드포워드 신경망의 은닉 유닛 수.

    Returns:
    # ko: 반환값:
        The number of parameters, an int.
        # ko: 파라미터의 수, int.

    Raises:
    # ko: 예외:
        ValueError: an unknown kind, or num_heads does not divide d_model. The text names kind, or else num_heads or d_model, with its value.
        # ko: ValueError: 모르는 kind이거나 d_model이 num_heads로 나누어떨어지지 않을 때. 오류 메시지에 kind를, 또는 num_heads나 d_model을 값과 함께 적습니다.
    """
    ### BEGIN SOLUTION
    if kind not in ("encoder", "decoder"):
        raise ValueError(f'kind must be "encoder" or "decoder". Received: kind={kind!r}.')
    if d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model. Received: num_heads={num_heads}, d_model={d_model}.")
    attention = 4 * (d_model * d_model + d_model)
    feed_forward = d_model * ff_dim + ff_dim + ff_dim * d_model + d_model
    norm = 2 * d_model
    if kind == "encoder":
        return attention + feed_forward + 2 * norm
    return 2 * attention + feed_forward + 3 * norm
    ### END SOLUTION


# %% grade="block-parameters" points=3
@checking("block_parameter_count")
def _check(check):
    check.close(
        block_parameter_count("encoder", 12, 4, 64),
        2284,
        "encoder block, d_model 12, 4 heads, ff_dim 64",
        # ko: "인코더 블록, d_model 12, 헤드 4개, ff_dim 64",
        hints={
            'that is the decoder block. Which of the two do you count where `kind` is "encoder"?': 2932,
            # ko: '디코더 블록의 수입니다. `kind`가 "encoder"일 때 어느 블록을 세나요?': 2932,
            "the biases of the dense layers are missing.": 2284 - 4 * 12 - 64 - 12,
            # ko: "완전 연결 계층의 편향이 빠졌습니다.": 2284 - 4 * 12 - 64 - 12,
            "48 are missing: the biases of the attention's four dense layers, or both normalisations.": 2284 - 48,
            # ko: "48개가 모자랍니다. 어텐션에 있는 완전 연결 계층 네 개의 편향, 또는 두 정규화를 빠뜨렸습니다.": 2284 - 48,
            "76 are missing: the biases of the feed-forward network's two dense layers.": 2284 - 64 - 12,
            # ko: "76개가 모자랍니다. 피드포워드 신경망에 있는 완전 연결 계층 두 개의 편향을 빠뜨렸습니다.": 2284 - 64 - 12,
            "156 are missing: an attention has four dense layers. The fourth is behind the heads.": 2284 - 156,
            # ko: "156개가 모자랍니다. 어텐션에는 완전 연결 계층이 네 개 있습니다. 넷째는 헤드 뒤에 있습니다.": 2284 - 156,
            "24 are missing: one of the two normalisations, or β in each of them.": 2284 - 24,
            # ko: "24개가 모자랍니다. 두 정규화 가운데 하나, 또는 두 정규화의 β를 빠뜨렸습니다.": 2284 - 24,
            "12 are missing: one bias of the attention (such as that of the keys), the bias of the network's second dense layer, or γ or β of one normalisation.": 2284 - 12,
            # ko: "12개가 모자랍니다. 어텐션의 편향 하나(이를테면 키의 편향), 신경망의 둘째 완전 연결 계층의 편향, 또는 한 정규화의 γ나 β를 빠뜨렸습니다.": 2284 - 12,
            "36 are missing, as many as three biases of the attention: all four of its dense layers have one.": 2284 - 36,
            # ko: "36개가 모자랍니다. 어텐션의 편향 세 개와 같은 수입니다. 어텐션의 완전 연결 계층 네 개에는 모두 편향이 있습니다.": 2284 - 36,
            "64 are missing: the bias of the network's first dense layer.": 2284 - 64,
            # ko: "64개가 모자랍니다. 신경망의 첫째 완전 연결 계층의 편향을 빠뜨렸습니다.": 2284 - 64,
            "144 are missing: the matrix of one of the attention's four dense layers.": 2284 - 144,
            # ko: "144개가 모자랍니다. 어텐션에 있는 완전 연결 계층 네 개 가운데 하나의 행렬을 빠뜨렸습니다.": 2284 - 144,
            "one of the feed-forward network's two dense layers, or its matrix, is missing.": 2284 - 768,
            # ko: "피드포워드 신경망의 완전 연결 계층 두 개 가운데 하나, 또는 그 행렬이 빠졌습니다.": 2284 - 768,
            "the first of the feed-forward network's two dense layers is missing.": 2284 - 832,
            # ko: "피드포워드 신경망의 완전 연결 계층 두 개 가운데 첫째가 빠졌습니다.": 2284 - 832,
            "the second of the feed-forward network's two dense layers is missing.": 2284 - 780,
            # ko: "피드포워드 신경망의 완전 연결 계층 두 개 가운데 둘째가 빠졌습니다.": 2284 - 780,
            "the attention is missing.": 2284 - 624,
            # ko: "어텐션이 빠졌습니다.": 2284 - 624,
            "the feed-forward network is missing.": 2284 - 1612,
            # ko: "피드포워드 신경망이 빠졌습니다.": 2284 - 1612,
            "one head of the attention was counted. Its dense layers lead from d_model to d_model features, those of all heads.": 2284 - 624 + 156,
            # ko: "어텐션의 헤드 하나만 세었습니다. 어텐션의 완전 연결 계층은 d_model개의 특징에서 모든 헤드를 합친 d_model개의 특징으로 갑니다.": 2284 - 624 + 156,
            "an attention was counted for each head. There is one, and its heads share its features.": 2284 + 3 * 624,
            # ko: "헤드마다 어텐션을 하나씩 세었습니다. 어텐션은 하나이고, 헤드들이 그 특징을 나누어 맡습니다.": 2284 + 3 * 624,
            "the heads were counted with d_model features each. They have d_model // num_heads.": 2284 + 3 * 612,
            # ko: "헤드마다 특징이 d_model개인 것으로 세었습니다. 헤드 하나의 특징은 d_model // num_heads개입니다.": 2284 + 3 * 612,
            "44 are missing: γ and β have `d_model` numbers each, not one.": 2284 - 44,
            # ko: "44개가 모자랍니다. γ와 β는 각각 수 하나가 아니라 `d_model`개입니다.": 2284 - 44,
            "52 are missing: the first dense layer of the feed-forward network has `ff_dim` biases, not `d_model`.": 2284 - 52,
            # ko: "52개가 모자랍니다. 신경망의 첫째 완전 연결 계층의 편향은 `d_model`개가 아니라 `ff_dim`개입니다.": 2284 - 52,
            "52 too many: the second dense layer of the feed-forward network has `d_model` biases, not `ff_dim`.": 2284 + 52,
            # ko: "52개가 많습니다. 신경망의 둘째 완전 연결 계층의 편향은 `ff_dim`개가 아니라 `d_model`개입니다.": 2284 + 52,
            "24 too many: an encoder block has two normalisations.": 2284 + 24,
            # ko: "24개가 많습니다. 인코더 블록의 정규화는 둘입니다.": 2284 + 24,
        },
    )
    check.close(
        block_parameter_count("decoder", 12, 4, 64),
        2932,
        "decoder block, d_model 12, 4 heads, ff_dim 64",
        # ko: "디코더 블록, d_model 12, 헤드 4개, ff_dim 64",
        hints={
            "that is the encoder block. A decoder block has one more attention, and its normalisation.": 2284,
            # ko: "인코더 블록의 수입니다. 디코더 블록에는 어텐션이 하나 더 있고, 그 정규화도 있습니다.": 2284,
            "that is twice the encoder block. A decoder block has one feed-forward network and three normalisations.": 2 * 2284,
            # ko: "인코더 블록의 두 배입니다. 디코더 블록에는 피드포워드 신경망이 하나, 정규화가 셋 있습니다.": 2 * 2284,
            "the second attention is missing.": 2932 - 624,
            # ko: "둘째 어텐션이 빠졌습니다.": 2932 - 624,
            "the third normalisation is missing.": 2932 - 24,
            # ko: "셋째 정규화가 빠졌습니다.": 2932 - 24,
            "all three normalisations are missing.": 2932 - 72,
            # ko: "정규화 셋이 모두 빠졌습니다.": 2932 - 72,
            "48 are missing: two of the three normalisations, or the biases of one attention's four dense layers.": 2932 - 48,
            # ko: "48개가 모자랍니다. 세 정규화 가운데 둘, 또는 한 어텐션에 있는 완전 연결 계층 네 개의 편향을 빠뜨렸습니다.": 2932 - 48,
            "156 are missing: the second attention has four dense layers too.": 2932 - 156,
            # ko: "156개가 모자랍니다. 둘째 어텐션에도 완전 연결 계층이 네 개 있습니다.": 2932 - 156,
            "the feed-forward network is missing.": 2932 - 1612,
            # ko: "피드포워드 신경망이 빠졌습니다.": 2932 - 1612,
            "624 too many: a decoder block has two attentions.": 2932 + 624,
            # ko: "624개가 많습니다. 디코더 블록의 어텐션은 둘입니다.": 2932 + 624,
            "1612 too many: a decoder block has one feed-forward network.": 2932 + 1612,
            # ko: "1612개가 많습니다. 디코더 블록의 피드포워드 신경망은 하나입니다.": 2932 + 1612,
        },
    )
    check.close(
        block_parameter_count("encoder", 12, 3, 64),
        2284,
        "the number of heads changes nothing",
        # ko: "헤드의 수가 달라도 결과는 같다",
        otherwise="With d_model 12, 3 heads and ff_dim 64 the count is another one than with 4 heads.",
        # ko: otherwise="d_model 12, ff_dim 64에서 헤드가 3개일 때의 수가 4개일 때와 다릅니다.",
    )
    for kind, count in (("encoder", 668), ("decoder", 972)):
        check.close(
            block_parameter_count(kind, 8, 2, 20),
            count,
            f"{kind} block, d_model 8, 2 heads, ff_dim 20",
            # ko: f"{'인코더' if kind == 'encoder' else '디코더'} 블록, d_model 8, 헤드 2개, ff_dim 20",
            otherwise="The counts for d_model 12 and ff_dim 64 are right: does a size stand in yours as a number?",
            # ko: otherwise="d_model 12, ff_dim 64일 때의 수는 맞습니다. 크기를 수로 적어 두지 않았나요?",
        )
    if np.issubdtype(to_numpy(block_parameter_count("encoder", 12, 4, 64)).dtype, np.floating):
        check.note("it returns a float, and the number of parameters is an int. Where do you divide with `/`?")
        # ko: check.note("실수를 돌려줍니다. 파라미터의 수는 정수(int)입니다. `/`로 나눈 곳이 있나요?")
    check.raises_value_error(block_parameter_count, "middle", 12, 4, 64, naming=("kind", "middle"))
    check.raises_value_error(block_parameter_count, "encoder", 12, 5, 64, naming=(("num_heads", 5), ("d_model", 12)))
_check

# %% folded=true
# Where are the parameters? And the lecture's model: two encoder blocks, two decoder blocks and a dense layer at the end.
# ko: # 파라미터는 어디에 있을까요? 강의의 모델은 인코더 블록 둘, 디코더 블록 둘, 끝의 완전 연결 계층입니다.
@demonstrate
def _demo():
    figure, ax = plt.subplots(figsize=(9, 2.8), layout="constrained")
    colours = plt.get_cmap("Set2").colors
    labels = []
    for row, (kind, d_model, num_heads, ff_dim) in enumerate(
        (("encoder", 12, 4, 64), ("decoder", 12, 4, 64), ("encoder", 512, 8, 2048), ("decoder", 512, 8, 2048))
    ):
        total = block_parameter_count(kind, d_model, num_heads, ff_dim)
        attentions = (1 if kind == "encoder" else 2) * 4 * (d_model + 1) * d_model
        norms = (2 if kind == "encoder" else 3) * 2 * d_model
        start = 0
        parts = {
            "attention": attentions,
            # ko: "어텐션 (attention)": attentions,
            "feed-forward": total - attentions - norms,
            # ko: "피드포워드 신경망 (feed-forward)": total - attentions - norms,
            "normalisation": norms,
            # ko: "정규화 (normalisation)": norms,
        }
        for colour, (name, part) in zip(colours, parts.items(), strict=False):
            ax.barh(row, part / total, left=start, color=colour, edgecolor="white", label=name if row == 0 else None)
            start += part / total
        labels.append(f"{kind}, d_model {d_model}: {total:,}")
        # ko: labels.append(f"{'인코더' if kind == 'encoder' else '디코더'} ({kind}), d_model {d_model}: {total:,}")
    ax.set(title="Where the parameters are", xlabel="share", xlim=(0, 1), yticks=range(4), yticklabels=labels)
    # ko: ax.set(title="파라미터가 있는 곳", xlabel="비율 (share)", xlim=(0, 1), yticks=range(4), yticklabels=labels)
    ax.invert_yaxis()
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    plt.show()
    lecture = (
        2 * block_parameter_count("encoder", 12, 4, 64) + 2 * block_parameter_count("decoder", 12, 4, 64) + 12 * 12 + 12
    )
    print(f"the lecture's model: {lecture} parameters")
    # ko: print(f"강의의 모델: 파라미터 {lecture}개")

# %% [markdown]
# ## ★ Both sublayers at once (optional, no points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# Some later models (GPT-J; PaLM, Chowdhery et al. 2022, section 2) compute attention and feed-forward network side by side, from the same normalised tokens,
# and add both to the residual (ε is 1e-6 in the normalisation $N$, as before):
#
# $$y = x + \mathrm{Att}(N(x)) + \mathrm{FFN}(N(x))$$
#
# The network needn't wait for the attention any more, so a chip can do both at once; and one normalisation is enough. Write this block without dropout from the
# parts that you have, and let the collapsed cell below examine it. Then think: what can two ordinary blocks compute about a token that two of these can't?
#
# <details><summary>Hint 1: What differs from the pre-norm block?</summary>
#
# In pre-norm the second sublayer reads what the first has written. Here both read the same, and there is one sum of three.
#
# </details>
#
# <details><summary>Hint 2: The question at the end</summary>
#
# Count how many times attention and network can follow each other on the way through two blocks, in either kind.
#
# </details>
#
# <details><summary>Answer to the question</summary>
#
# Two ordinary blocks make four steps in a row: attention, network, attention, network. Each reads what the one before it wrote. In two parallel blocks at most two
# steps follow each other, for the two of one block read the same tokens. So only in the ordinary ones can a token look something up (attention), work on what it
# found (network), look again with the query that this gives (attention), and work on that (network). Parallel blocks need a block for each of these steps, so four.
#
# </details>
#
# <!-- ko -->
# ## ★ 두 하위 계층을 한꺼번에 (선택, 점수 없음)
#
# *난이도 3/5, 40분쯤.*
#
# 나중에 나온 몇몇 모델(GPT-J와 PaLM, Chowdhery et al. 2022, 2절)은 어텐션과 피드포워드 신경망을 나란히 둡니다. 둘 다 정규화한 같은 토큰에서 계산해 함께 잔차에
# 더합니다(정규화 $N$의 ε은 앞에서처럼 1e-6입니다).
#
# $$y = x + \mathrm{Att}(N(x)) + \mathrm{FFN}(N(x))$$
#
# 피드포워드 신경망이 어텐션을 기다릴 필요가 없으므로 칩이 둘을 한꺼번에 계산할 수 있고, 정규화는 하나면 됩니다. 이 블록을 드롭아웃 없이, 이미 만든 부품으로 작성하고
# 작성한 셀 아래의 접힌 셀로 검사해 보세요. 그런 다음 생각해 봅시다. 보통 블록 두 개로는 계산할 수 있지만 이 블록 두 개로는 계산할 수 없는 것이 무엇일까요?
#
# <details><summary>힌트 1: 사전 정규화 블록과 무엇이 다를까요?</summary>
#
# 사전 정규화에서는 둘째 하위 계층이 첫째가 쓴 것을 읽습니다. 여기서는 둘이 같은 것을 읽고, 셋을 한 번에 더합니다.
#
# </details>
#
# <details><summary>힌트 2: 마지막 질문</summary>
#
# 두 블록을 지나는 동안 어텐션과 신경망이 번갈아 몇 번 이어질 수 있는지, 두 종류에서 세어 보세요.
#
# </details>
#
# <details><summary>마지막 질문의 답</summary>
#
# 보통 블록 두 개에서는 어텐션, 신경망, 어텐션, 신경망, 네 단계가 차례로 이어지고, 저마다 바로 앞 단계가 쓴 것을 읽습니다. 나란한 블록 두 개에서는 많아야 두 단계가 이어집니다. 한 블록의
# 둘이 같은 토큰을 읽기 때문입니다. 그래서 토큰이 무언가를 찾아보고(어텐션), 찾은 것을 처리하고(신경망), 거기서 나온 쿼리로 다시 찾아보고(어텐션), 그것을 또 처리하는(신경망) 일은 보통 블록
# 두 개로만 됩니다. 나란한 블록이라면 단계마다 블록이 하나씩, 곧 네 개가 있어야 합니다.
#
# </details>


# %%
class _ParallelBlock(keras.layers.Layer):
    """A block whose sublayers stand side by side, without dropout; `call(x, mask=None)` keeps the shape, 1 hides."""
    # ko: """하위 계층이 나란히 있는 블록. 드롭아웃은 없습니다. `call(x, mask=None)`은 모양을 그대로 두고, 마스크의 1은 가립니다."""

    def __init__(self, d_model, num_heads, ff_dim):
        super().__init__(name="parallel_block")
        raise NotImplementedError()

    def compute_mask(self, x, previous_mask=None):
        """Given: tell Keras that no mask goes on to the next layer."""
        # ko: """주어진 코드: 다음 계층으로 넘어가는 마스크가 없다고 케라스에 알립니다."""
        return None

    def call(self, x, mask=None):
        raise NotImplementedError()

# %% folded=true
@demonstrate
def _demo():
    keras.utils.set_random_seed(9)
    x = np.random.default_rng(9).normal(size=(2, 5, 12)).astype("float32")
    block = _ParallelBlock(12, 4, 64)
    block(x)
    _begin_alike(block)
    kept = block.get_weights()
    whole = to_numpy(block(x)) - x

    def without(is_lost):
        """Say what the block adds when the matrices of some shapes are zero. (Biases are.)"""
        # ko: """어떤 모양의 행렬을 0으로 두었을 때 블록이 더하는 것을 돌려줍니다. (편향은 0입니다.)"""
        block.set_weights([np.zeros_like(weight) if is_lost(weight.shape) else weight for weight in kept])
        added = to_numpy(block(x)) - x
        block.set_weights(kept)
        return added

    attention = without(lambda shape: 64 in shape)
    feed_forward = without(lambda shape: 64 not in shape and len([size for size in shape if size > 1]) > 1)
    hide_last = np.array([0, 0, 0, 0, 1], dtype="float32").reshape(1, 1, 1, 5)
    changed = x.copy()
    changed[:, 4] = np.random.default_rng(10).normal(size=(2, 12))
    hidden = np.abs(to_numpy(block(x, mask=hide_last)) - to_numpy(block(changed, mask=hide_last)))[:, :4].max()
    is_apart = _one_by_one(kept)  # else what each adds can't be told by shapes
    # ko: is_apart = _one_by_one(kept)  # 그렇지 않으면 저마다 더하는 것을 모양으로 가려낼 수 없습니다
    examinations = {
        "one attention, one network, one normalisation: 2260 parameters": block.count_params() == 624 + 1612 + 24,
        # ko: "어텐션 하나, 신경망 하나, 정규화 하나: 파라미터 2260개": block.count_params() == 624 + 1612 + 24,
        "each of the two adds something by itself": min(np.abs(attention).max(), np.abs(feed_forward).max()) > 1e-3 if is_apart else None,
        # ko: "둘 다 저마다 무언가를 더한다": min(np.abs(attention).max(), np.abs(feed_forward).max()) > 1e-3 if is_apart else None,
        "together they add what they add alone": np.allclose(whole, attention + feed_forward, atol=1e-4) if is_apart else None,
        # ko: "함께 더하는 것은 따로 더하는 것의 합이다": np.allclose(whole, attention + feed_forward, atol=1e-4) if is_apart else None,
        "both read normalised tokens (ε = 1e-6): ten times as large, the same is added": np.allclose(to_numpy(block(10 * x)) - 10 * x, whole, atol=1e-3),
        # ko: "둘 다 정규화한 토큰을 읽는다(ε = 1e-6): 열 배로 키워도 같은 것을 더한다": np.allclose(to_numpy(block(10 * x)) - 10 * x, whole, atol=1e-3),
        "in training the same, as there is no dropout": np.allclose(to_numpy(block(x, training=True)), to_numpy(block(x)), atol=1e-5),
        # ko: "드롭아웃이 없으므로 학습할 때도 같다": np.allclose(to_numpy(block(x, training=True)), to_numpy(block(x)), atol=1e-5),
        "what the mask hides moves no other token": hidden < 1e-5,
        # ko: "마스크가 가린 것은 다른 토큰을 움직이지 않는다": hidden < 1e-5,
    }
    for words, holds in examinations.items():
        print("–" if holds is None else "✓" if holds else "✗", words)

# %% [markdown]
# ## What you have now
#
# | idea | remember |
# |---|---|
# | layer normalisation | each token by itself, population variance, ε = 1e-6 under the root |
# | feed-forward | each token by itself; about two thirds of an encoder block's parameters, half of a decoder block's |
# | residual | what came in, before any normalisation, plus what the sublayer makes of it |
# | pre-norm, post-norm | before the sublayer, or behind the sum; two different functions with the same parameters |
# | masks | 1 hides here; Keras wants the opposite |
# | cross-attention | queries from the target, keys and values from the memory, whose length is its own |
# | checking | a block that throws its feed-forward away trains as well: compare values, or change each matrix and see whether the output moves; a count shows it in functional models only |
#
# **Next**: embeddings, positions, a pile of these blocks, and the whole Transformer.
#
# ### References
#
# - Vaswani et al., *Attention Is All You Need*, 2017, sections 3.1 (blocks), 3.3 (feed-forward) and 5.4 (dropout).
# - Ba, Kiros and Hinton, *Layer Normalization*, 2016, section 3.
# - He et al., *Deep Residual Learning for Image Recognition*, 2015: why there is a way around.
# - Xiong et al., *On Layer Normalization in the Transformer Architecture*, 2020: pre-norm against post-norm.
# - Chowdhery et al., *PaLM: Scaling Language Modeling with Pathways*, 2022, section 2: both sublayers at once.
#
# <!-- ko -->
# ## 지금까지 알게 된 것
#
# | 개념 | 기억할 것 |
# |---|---|
# | 계층 정규화 | 토큰마다 따로, 모분산으로, ε = 1e-6은 제곱근 안에 |
# | 피드포워드 신경망 | 토큰마다 따로. 파라미터는 인코더 블록의 약 3분의 2, 디코더 블록의 약 절반 |
# | 잔차 | 정규화하기 전의 입력에 하위 계층의 출력을 더한다 |
# | 사전 정규화, 사후 정규화 | 하위 계층 앞에서, 또는 합 뒤에서. 파라미터가 같은 서로 다른 두 함수 |
# | 마스크 | 여기서는 1이 가린다. 케라스는 반대다 |
# | 교차 어텐션 | 쿼리는 타깃에서, 키와 값은 메모리에서. 메모리의 길이는 타깃과 다를 수 있다 |
# | 확인하기 | 피드포워드 신경망을 버리는 블록도 똑같이 학습된다. 값을 비교하거나, 행렬을 하나씩 바꾸어 출력이 달라지는지 본다. 개수로는 함수형 모델에서만 드러난다 |
#
# **다음**: 임베딩, 위치, 쌓아 올린 블록, 그리고 트랜스포머 전체.
#
# ### 참고 문헌
#
# - Vaswani et al., *Attention Is All You Need*, 2017, 3.1절(블록), 3.3절(피드포워드 신경망), 5.4절(드롭아웃).
# - Ba, Kiros, Hinton, *Layer Normalization*, 2016, 3절.
# - He et al., *Deep Residual Learning for Image Recognition*, 2015: 왜 지름길이 있는가.
# - Xiong et al., *On Layer Normalization in the Transformer Architecture*, 2020: 사전 정규화와 사후 정규화의 비교.
# - Chowdhery et al., *PaLM: Scaling Language Modeling with Pathways*, 2022, 2절: 두 하위 계층을 한꺼번에.
